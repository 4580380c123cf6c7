"""Whole steps of a mesh: vertex i moves on the segment from x0[i] to x1[i] as t runs from 0 to 1.

Every function takes a `Mesh`, the frames x0 and x1 as (n, 3) arrays of any floating-point or integer dtype and memory order,
and the keywords of `Options`. Answers have the same bits for any number of threads. Ctrl-C stops a call promptly.
Raises HandleError, ArgumentError, NonFiniteError, OutOfMemoryError, UnsupportedError, Cancelled or ForkedError.
Papers: [Belgrod2023] broad phase; exact method, docs/numerics.md; [Wang2021] tight inclusion; [Chen2024] time contraction.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, results
from ._native.results import Records
from ._native.steps import prepare
from ._native.stream import iterate
from .errors import ArgumentError, shown
from .impact import Impact, Kind, impact_dtype
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


def earliest(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Impact:
    """The earliest impact of the step.

    A verdict SEPARATE is a proof that no pair comes within min_separation for t <= t_max. Otherwise no pair does so for
    t < toi_lo. Of several pairs with one toi_lo the first in the order (kind, a, b) is reported.

    The pairs are vertices and faces, edges and edges, and codimensional ones. So nothing passes through anything in a separate
    step, provided that no edge passes through a face at x0: those that do, and no others, do so throughout the step. With
    check_start=True the first of them is the answer, with toi_lo = 0, and SEPARATE is a proof without a proviso:

        hit = ccd.step.earliest(mesh, x0, x1, check_start=True)
        if hit.intersecting: print("edge", hit.a, "passes through face", hit.b, "at the start")
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.impact(call, abi.library().ccd_step_earliest, *step, call.options)


def collisions(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """Every pair that is not separate, as an array of `impact_dtype` sorted by (toi_lo, kind, a, b).

    With check_start=True the edges that pass through faces at x0 come first: their kind is `ccd.proximity.EDGE_FACE`.
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.impacts(call, abi.library().ccd_step_collisions, *step, call.options)


def visit(
    mesh: Mesh, x0: ArrayLike, x1: ArrayLike, visitor: Callable[[NDArray[np.void]], object], **options: Unpack[Options]
) -> bool:
    """Pass every pair that is not separate to visitor, in portions, and keep none: for steps with more impacts than memory.

    visitor  called with arrays of `impact_dtype`, from any thread, never twice at once. A true result stops the call

    Returns whether visitor got all: the impacts of `collisions`, each once, with the same bits, in no particular order
    (on one thread it is the same in every run). What visitor raises comes out of the call.
    """
    if not callable(visitor):
        raise ArgumentError(f"visitor is {shown(visitor)}: must be callable")
    call, step = prepare(mesh, x0, x1, options)
    return call.visit(visitor, impact_dtype, abi.library().ccd_step_visit, *step, call.options)


def stream(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Iterator[NDArray[np.void]]:
    """Every pair that is not separate, as an iterator of arrays of `impact_dtype`: `visit` for a loop.

    The library computes in a thread of its own, at most a few portions ahead of the loop. Leaving the loop, or closing the
    iterator, stops it. An error is raised in the loop, in place of the portion that it prevented.
    """
    return iterate(lambda give: visit(mesh, x0, x1, give, **options))


def pairs(
    mesh: Mesh, x0: ArrayLike, x1: ArrayLike, kind: Kind | str | int, pairs: ArrayLike, **options: Unpack[Options]
) -> NDArray[np.void]:
    """The answers for given pairs (n, 2) of primitives of one kind, in their order, whether or not their boxes overlap."""
    kind = Kind.of("kind", kind)
    array = arrays.pairs("pairs", pairs)
    call, step = prepare(mesh, x0, x1, options)
    out = np.zeros(len(array), impact_dtype)
    call(abi.library().ccd_step_pairs, *step, kind, array.ctypes, len(array), call.options, out.ctypes)
    return out.view(Records)


def size(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> float:
    """A safe step alpha in [0, t_max]: for every t in [0, alpha] all pairs keep more than min_separation.

    It is t_max when no pair comes too near. It is 0 only when a pair is too near at t = 0, or comes too near before
    t = 2**-1073, about 1e-323: no positive double is below the contact time then. (Without no_zero_toi it is also 0 when the
    budget was spent.) With check_start=True it is 0 as well when an edge passes through a face at x0.

    This holds for the motion in real arithmetic. Positions x0 + alpha * (x1 - x0) are rounded, and a pair may touch there: to
    move, use `advance`, which returns positions that are proven.
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.alpha(call, abi.library().ccd_step_size, *step, call.options)


class Advanced(NamedTuple):
    """A step, and the positions that it leads to.

    alpha  in [0, share * t_max]; 0: x is x0, bit for bit
    x      (n, 3) float64: x0 + alpha * (x1 - x0), rounded, between x0 and x1; x1 if alpha is 1
    """

    alpha: float
    x: NDArray[np.float64]


def advance(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, share: float = 1.0, **options: Unpack[Options]) -> Advanced:
    """Go as far as is safe: the step alpha, and the positions x that it leads to.

    share  in (0, 1]: the part of `size`'s step to take; less than 1 leaves room for the next step

    If alpha > 0, it is proven that all pairs keep more than min_separation for every t in [0, 1] of the straight motion from x0
    to x, for just the doubles of x. alpha is 0 if `size` is 0, or if the step is so short that x would be x0 after rounding.
    The proof is by the exact method, whatever the method; it takes about as long as `size`.

    >>> alpha, x = ccd.step.advance(mesh, x0, x1, 0.9, min_separation=1e-3)
    """
    call, step = prepare(mesh, x0, x1, options)
    return Advanced(*results.advanced(call, abi.library().ccd_step_advance, step, share))


class LinesearchBound(NamedTuple):
    """What a line search may do along x0 -> x1, and why.

    alpha       a fraction of the step: every step up to it is safe
    distance    all pairs are farther apart than this at x0
    separation  all pairs keep more than this up to alpha
    """

    alpha: float
    distance: float
    separation: float


def linesearch(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, keep_ratio: float, **options: Unpack[Options]) -> LinesearchBound:
    """A bound on the steps x0 + t (x1 - x0) of a line search that leaves room for the next one.

    keep_ratio      in (0, 1): the part of the distance at x0 that is kept; 0.2 is usual
    min_separation  positive: caps the distance that is looked for, for pairs farther apart do not matter; it is not kept

    For every t in [0, alpha] all pairs keep more than separation = keep_ratio * distance. alpha is positive unless a pair
    touches at x0 (or crosses, with check_start=True), where all three are 0; it is t_max when no pair comes as near as separation. Backtracking needs no further
    test. This holds for the motion in real arithmetic: positions that you compute are rounded. If separation is above 1e-14
    times the largest coordinate, nothing touches there either; otherwise pass the positions that you accept to `advance`.
    Paper: [Wang2021], algorithm 4.
    """
    ratio = arrays.number("keep_ratio", keep_ratio)
    call, step = prepare(mesh, x0, x1, options)
    bound = abi.LinesearchBound()
    call(abi.library().ccd_step_linesearch, *step, ratio, call.options, ctypes.byref(bound))
    return LinesearchBound(bound.alpha, bound.distance, bound.separation)


def activeset(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """Every pair that comes within min_separation, as a constraint for a solver: an array of `constraint_dtype`.

    The impacts are those of `collisions`, in that order. With a positive min_separation constraints become active before
    anything touches, and their points are the nearest ones (except with norm="max"). With check_start=True an edge that
    passes through a face at x0 is an ArgumentError: a constraint keeps apart what is apart. Paper: [Wang2021], algorithm 3.
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.constraints(call, abi.library().ccd_step_activeset, *step, call.options)


@dataclass(frozen=True)
class Slab:
    """A part of a step's pairs: those whose larger minimum along axis is in [lo, hi).

    The minimum of a primitive is the least coordinate of its vertices at both ends of the step. Slabs that part the line
    (-inf, inf) of one axis own every pair once.

    axis  0, 1 or 2
    lo    where it begins
    hi    where it ends; not in it
    """

    axis: int
    lo: float
    hi: float


def slabs(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, count: int) -> list[Slab]:
    """The step in count slabs, in [1, 2**20], along its longest axis, with about as many primitives each.

    Every pair is owned by exactly one of them. The coordinates alone decide: the same on every machine, whatever
    min_separation is. A slab can be pickled.
    """
    n = arrays.integer("count", count, 1, 1 << 20)
    call, step = prepare(mesh, x0, x1, {})
    out = (abi.Slab * n)()
    call(abi.library().ccd_step_slabs, *step, n, out)
    return [Slab(s.axis, s.lo, s.hi) for s in out]


def slab_earliest(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, slab: Slab, **options: Unpack[Options]) -> Impact:
    """The earliest impact among the pairs that a slab owns.

    The least of all slabs' answers by (toi_lo, kind, a, b) has the bits of `earliest`; where none has an impact, each has.
    The mesh may be the whole one, or a part with all primitives that begin below slab.hi and end, min_separation added, at
    slab.lo or above; indices are then the part's own.
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.impact(call, abi.library().ccd_step_slab_earliest, *step, _slab(slab), call.options)


def slab_collisions(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, slab: Slab, **options: Unpack[Options]) -> NDArray[np.void]:
    """The impacts among the pairs that a slab owns: those of all slabs are those of `collisions`, each once."""
    call, step = prepare(mesh, x0, x1, options)
    return results.impacts(call, abi.library().ccd_step_slab_collisions, *step, _slab(slab), call.options)


def slab_size(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, slab: Slab, **options: Unpack[Options]) -> float:
    """A safe step for the pairs that a slab owns: the least over all slabs is `size`."""
    call, step = prepare(mesh, x0, x1, options)
    return results.alpha(call, abi.library().ccd_step_slab_size, *step, _slab(slab), call.options)


def _slab(slab: Slab) -> Any:
    if not isinstance(slab, Slab):
        raise ArgumentError(f"slab is {type(slab).__name__}: must be a ccd.step.Slab")
    axis = arrays.integer("slab.axis", slab.axis, 0, 2)
    lo, hi = arrays.number("slab.lo", slab.lo), arrays.number("slab.hi", slab.hi)
    return ctypes.byref(abi.Slab(axis, 0, lo, hi))
