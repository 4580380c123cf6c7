"""Whole steps of a mesh: vertex i moves on the segment from x0[i] to x1[i] as t runs from 0 to 1.

Every function takes a `Mesh`, the frames x0 and x1 as (n, 3) arrays of any floating-point or integer dtype and memory order,
and the keywords of `Options`. Answers have the same bits for any number of threads. Ctrl-C stops a call promptly.
Raises HandleError, ArgumentError, NonFiniteError, OutOfMemoryError, UnsupportedError, Cancelled or ForkedError.
Papers: [Belgrod2023] broad phase; exact method, docs/numerics.md; [Wang2021] tight inclusion; [Chen2024] time contraction.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi, _arrays
from ._call import check
from ._scene import prepare
from .impact import Impact, Kind, impact_dtype
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


def earliest(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Impact:
    """The earliest impact of the step.

    A verdict SEPARATE is a proof that no pair comes within min_separation for t <= t_max. Otherwise no pair does so for
    t < toi_lo. Of several pairs with one toi_lo the first in the order (kind, a, b) is reported.
    """
    call, step = prepare(mesh, x0, x1, options)
    impact = _abi.Impact()
    call(_abi.library().ccd_step_earliest, *step, call.options, ctypes.byref(impact))
    return Impact._from_c(impact)


def collisions(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[Any]:
    """Every pair that is not separate, as an array of `impact_dtype` sorted by (toi_lo, kind, a, b)."""
    call, step = prepare(mesh, x0, x1, options)
    lib, handle, count = _abi.library(), ctypes.c_void_p(), ctypes.c_size_t()
    call(lib.ccd_step_collisions, *step, call.options, ctypes.byref(handle))
    try:
        check(lib.ccd_impacts_count(handle, ctypes.byref(count)))
        impacts = np.empty(count.value, impact_dtype)
        check(lib.ccd_impacts_copy(handle, impacts.ctypes, len(impacts), ctypes.byref(count)))
        return impacts
    finally:
        lib.ccd_impacts_destroy(handle)


def pairs(
    mesh: Mesh, x0: ArrayLike, x1: ArrayLike, kind: Kind | str | int, pairs: ArrayLike, **options: Unpack[Options]
) -> NDArray[Any]:
    """The answers for given pairs (n, 2) of primitives of one kind, in their order, whether or not their boxes overlap."""
    kind = Kind.of("kind", kind)
    array = _arrays.pairs("pairs", pairs)
    call, step = prepare(mesh, x0, x1, options)
    out = np.zeros(len(array), impact_dtype)
    call(_abi.library().ccd_step_pairs, *step, kind, array.ctypes, len(array), call.options, out.ctypes)
    return out


def size(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> float:
    """A safe step alpha in [0, t_max]: for every t in [0, alpha] all pairs keep more than min_separation.

    It is t_max when no pair comes too near, and 0 only when a pair is too near at t = 0 (or, without no_zero_toi, when the
    budget was spent).
    """
    call, step = prepare(mesh, x0, x1, options)
    alpha = ctypes.c_double()
    call(_abi.library().ccd_step_size, *step, call.options, ctypes.byref(alpha))
    return alpha.value
