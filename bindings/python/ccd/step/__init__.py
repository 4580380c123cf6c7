"""Whole steps of a mesh: vertex i moves on the segment from x0[i] to x1[i] as t runs from 0 to 1.

The calls, those that most programs need first:

=============================================== ====================================================================
call                                            returns
=============================================== ====================================================================
`earliest`                                      the first impact
`advance`                                       positions as far as is safe, proven
`why`, `replay`                                 why a step is short or 0, in words
`collisions`                                    all impacts; `first_impacts`, `visit`, `stream`: some, or in portions
`sizes`                                         a step for each vertex
`linesearch`                                    a bound for the line search of a solver
`activeset`                                     contact constraints, with `jacobian`, `effective_mass`, `colors`, `tangents`
`respond`                                       positions after contact, for those without a solver
`size`                                          the fraction of a step that is safe
`pairs`, `intervals`, `pairs_intervals`         impacts of given pairs, all times of contact
`clearance`, `gradients`                        the least distance, derivatives of times
`earliest_batch`, `advance_batch`               the first impact and a safe step of each of many worlds
=============================================== ====================================================================

Functions take a `ccd.Mesh`, the configurations x0 and x1, and the keywords of `ccd.Options`. x0 and x1 are (n, 3) arrays of
any floating-point or integer dtype and any memory order; float32 is widened exactly, and the caller needs no copy. Many
functions take a `ccd.Motion` in place of x0 and x1, for vertices that do not move straight. A `ccd.Step` holds a mesh and
its positions for several calls; each function is a method of it.

Results are NumPy arrays; those of `collisions_on_device` stay on the device. They have the same bits for any number of
threads. Ctrl-C stops a call promptly.

x0 and x1 may also be float32 or float64 arrays on a CUDA device, of CuPy, PyTorch, Warp, JAX or Numba (DLPack, or
``__cuda_array_interface__``). `intervals`, `why`, `clearance` and `profile` do not take them.

Papers: [Belgrod2023] broad phase; exact method, docs/numerics.md; [Wang2021] tight inclusion; [Chen2024] time
contraction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._native.names import names_of
from ._active import activeset, colors, effective_mass, jacobian, tangents
from ._explain import replay, why
from ._find import collisions, collisions_on_device, earliest, earliest_batch, first_impacts, stream, visit
from ._pairs import clearance, gradients, intervals, pairs, pairs_intervals, profile
from ._respond import Responded, respond
from ._results import Advanced, LinesearchBound, Sizes
from ._size import advance, linesearch, size, sizes
from ._value import Step
from ._why import Cause, Limit, Why
from ._worlds import AdvancedWorlds, advance_batch

__all__ = [
    "Advanced",
    "AdvancedWorlds",
    "Cause",
    "Limit",
    "LinesearchBound",
    "Responded",
    "Sizes",
    "Step",
    "Why",
    "activeset",
    "advance",
    "advance_batch",
    "clearance",
    "collisions",
    "collisions_on_device",
    "colors",
    "earliest",
    "earliest_batch",
    "effective_mass",
    "first_impacts",
    "gradients",
    "intervals",
    "jacobian",
    "linesearch",
    "pairs",
    "pairs_intervals",
    "profile",
    "replay",
    "respond",
    "size",
    "sizes",
    "stream",
    "tangents",
    "visit",
    "why",
]


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__, {"least_distance": "clearance"})
