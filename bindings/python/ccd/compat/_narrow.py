"""ipctk's narrow phases: times of impact, rescaled so that a part of the initial gap is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _arrays, pair
from ..errors import ArgumentError
from ..impact import Kind, Verdict
from . import _distance


def query(kind: Kind, points: Sequence[ArrayLike]) -> NDArray[np.float64]:
    """Points in 2D or 3D as one query, (1, 2 * kind.points, 3)."""
    rows = [np.ravel(_arrays.doubles(f"point {i}", point)) for i, point in enumerate(points)]
    if any(len(row) not in (2, 3) or len(row) != len(rows[0]) for row in rows):
        raise ArgumentError(f"points have sizes {[len(row) for row in rows]}: must all be 3 or all 2")
    q = np.zeros((1, 2 * kind.points, 3))
    q[0, :, : len(rows[0])] = rows
    return q


class NarrowPhaseCCD:
    """What the methods share. The answer is (hit, time of impact); (False, inf) without a hit.

    A pair that is within `min_distance` at the start is a hit at 0. Otherwise the time is when the pair has come to
    `min_distance` plus what `_leave` says of the gap; if that is almost at once, the time of `min_distance` itself, times
    conservative_rescaling. So a step to the time of impact always leaves a gap, as ipctk does it.
    """

    SMALL_TOI: float = 1e-6
    tolerance: float = 1e-6
    max_iterations: int = 10_000_000
    conservative_rescaling: float = 0.8

    def _leave(self, gap: NDArray[np.float64]) -> NDArray[np.float64]:
        """How much of the gap to leave, for each pair."""
        raise NotImplementedError(f"{type(self).__name__} is no method: use TightInclusionCCD or AdditiveCCD")

    def _within(self, min_distance: float) -> float | None:
        """A distance beyond which a pair is no hit, whatever its gap; None where there is none."""
        return None

    def point_point_ccd(
        self, p0_t0: ArrayLike, p1_t0: ArrayLike, p0_t1: ArrayLike, p1_t1: ArrayLike,
        min_distance: float = 0.0, tmax: float = 1.0,
    ) -> tuple[bool, float]:  # fmt: skip
        """Two points, in 2D or 3D."""
        return self._one(Kind.POINT_POINT, (p0_t0, p1_t0, p0_t1, p1_t1), min_distance, tmax)

    def point_edge_ccd(
        self, p_t0: ArrayLike, e0_t0: ArrayLike, e1_t0: ArrayLike, p_t1: ArrayLike, e0_t1: ArrayLike, e1_t1: ArrayLike,
        min_distance: float = 0.0, tmax: float = 1.0,
    ) -> tuple[bool, float]:  # fmt: skip
        """A point and an edge, in 2D or 3D."""
        return self._one(Kind.POINT_EDGE, (p_t0, e0_t0, e1_t0, p_t1, e0_t1, e1_t1), min_distance, tmax)

    def edge_edge_ccd(
        self, ea0_t0: ArrayLike, ea1_t0: ArrayLike, eb0_t0: ArrayLike, eb1_t0: ArrayLike,
        ea0_t1: ArrayLike, ea1_t1: ArrayLike, eb0_t1: ArrayLike, eb1_t1: ArrayLike,
        min_distance: float = 0.0, tmax: float = 1.0,
    ) -> tuple[bool, float]:  # fmt: skip
        """Two edges."""
        points = (ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1)
        return self._one(Kind.EDGE_EDGE, points, min_distance, tmax)

    def point_triangle_ccd(
        self, p_t0: ArrayLike, t0_t0: ArrayLike, t1_t0: ArrayLike, t2_t0: ArrayLike,
        p_t1: ArrayLike, t0_t1: ArrayLike, t1_t1: ArrayLike, t2_t1: ArrayLike,
        min_distance: float = 0.0, tmax: float = 1.0,
    ) -> tuple[bool, float]:  # fmt: skip
        """A point and a triangle."""
        points = (p_t0, t0_t0, t1_t0, t2_t0, p_t1, t0_t1, t1_t1, t2_t1)
        return self._one(Kind.VERTEX_FACE, points, min_distance, tmax)

    def _one(self, kind: Kind, points: Sequence[ArrayLike], min_distance: float, tmax: float) -> tuple[bool, float]:
        q = query(kind, points)
        return self._decide(kind, q[0], float(_distance.initial(kind, q)[0]), min_distance, tmax)

    def _solve(self, kind: Kind, q: NDArray[np.float64], separation: float, tmax: float, no_zero_toi: bool = False) -> Any:
        boxes = max(int(self.max_iterations), 0)  # ipctk: negative means until convergence; ours: 0 means no limit
        options = {"tolerance": self.tolerance, "max_boxes": boxes, "no_zero_toi": no_zero_toi}
        return pair.solve(kind, q, min_separation=separation, t_max=tmax, **options)  # type: ignore[arg-type]

    def _decide(
        self, kind: Kind, q: NDArray[np.float64], distance: float, min_distance: float, tmax: float
    ) -> tuple[bool, float]:
        gap = distance - min_distance
        left = float(self._leave(np.array([gap]))[0]) if 0 < gap < np.inf else 0.0
        first = self._solve(kind, q, min_distance + left, tmax)
        if gap <= 0:  # the call above has looked at the arguments
            return True, 0.0
        if first.separate:
            return False, np.inf
        if first.toi_lo >= self.SMALL_TOI:
            return True, first.toi_lo
        again = self._solve(kind, q, min_distance, tmax, no_zero_toi=True)
        if again.separate:
            return False, np.inf
        return True, again.toi_lo * self.conservative_rescaling

    # ---- many pairs

    def _first(
        self, queries: dict[Kind, NDArray[np.float64]], min_distance: float, tmax: float, whether: bool = False
    ) -> float:
        """The least time of impact of many pairs, inf when there is none; with `whether` the time of any hit will do."""
        best = np.inf
        for kind, q, distance, at_least in self._suspects(queries, min_distance, tmax):
            if at_least * self.conservative_rescaling >= best or (whether and best < np.inf):
                break
            best = min(best, self._decide(kind, q, distance, min_distance, min(tmax, best))[1])
        return best

    def _suspects(
        self, queries: dict[Kind, NDArray[np.float64]], min_distance: float, tmax: float
    ) -> Iterator[tuple[Kind, NDArray[np.float64], float, float]]:
        """Pairs that are not separate by somewhat more than their separation, each with a time before which it is no hit.

        Each pair has its own separation, and a batch has one: pairs whose separation is of one size are asked together,
        with the next power of two, and what that leaves is to be decided pair by pair, the earliest first.
        """
        found: list[tuple[float, Kind, NDArray[np.float64], float]] = []
        for kind, q in queries.items():
            distance = _distance.initial(kind, q)
            gap = np.maximum(distance - min_distance, 0)
            size = np.frexp(self._leave(gap))[1]  # left < 2**size
            for power in np.unique(size):
                rows = np.flatnonzero(size == power)
                impacts = self._solve(kind, q[rows], min_distance + float(np.ldexp(1.0, int(power))), tmax)
                for row, impact in zip(rows, impacts):
                    if impact["verdict"] != Verdict.SEPARATE:
                        found.append((float(impact["toi_lo"]), kind, q[row], float(distance[row])))
        found.sort(key=lambda suspect: suspect[0])
        for at_least, kind, points, far in found:
            yield kind, points, far, at_least


class TightInclusionCCD(NarrowPhaseCCD):
    """Leaves (1 - conservative_rescaling) of the gap, but at most 1e-4, as ipctk's class of this name."""

    DEFAULT_TOLERANCE = 1e-6
    DEFAULT_MAX_ITERATIONS = 10_000_000
    DEFAULT_CONSERVATIVE_RESCALING = 0.8
    _MOST = 1e-4  # ipctk's constant, in the unit of the coordinates; measured on its release 1.6.1

    def __init__(
        self,
        tolerance: float = DEFAULT_TOLERANCE,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
        conservative_rescaling: float = DEFAULT_CONSERVATIVE_RESCALING,
    ):
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.conservative_rescaling = conservative_rescaling

    def _within(self, min_distance: float) -> float | None:
        return min_distance + 2 * self._MOST if min_distance >= 0 else None  # what is negative is refused pair by pair

    def _leave(self, gap: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.minimum((1 - self.conservative_rescaling) * gap, self._MOST)


class AdditiveCCD(NarrowPhaseCCD):
    """Leaves (1 - conservative_rescaling) of the gap, as ipctk's class of this name. The answer is this library's own."""

    DEFAULT_MAX_ITERATIONS = 10_000_000
    DEFAULT_CONSERVATIVE_RESCALING = 0.9

    def __init__(
        self,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
        conservative_rescaling: float = DEFAULT_CONSERVATIVE_RESCALING,
    ):
        self.max_iterations = max_iterations
        self.conservative_rescaling = conservative_rescaling

    def _leave(self, gap: NDArray[np.float64]) -> NDArray[np.float64]:
        return (1 - self.conservative_rescaling) * gap
