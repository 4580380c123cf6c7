"""ipctk's nonlinear CCD: points on paths that callbacks describe.

A piece of time is enclosed by chords with a radius, or by what `enclosure` returns. A pair whose polynomials are apart by more
than both sides' radii together is apart. docs/proofs/motions.md, section "Paths given by callbacks", has the proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import pair
from .._inner import arrays
from ..errors import NonFiniteError
from ..impact import Kind
from ..motion import Motion
from . import _checked, _distance
from ._errors import OverrideError, TypedError, wrong_type

# A position that a callback computes in doubles is off by less than this part of the largest coordinate: 256 roundings of it.
_ROUNDED = 2.0**-45
# Pieces of a query at most: what a bound that does not fall with the length of the piece can cost.
_MOST_PIECES = 1 << 17


class NonlinearTrajectory:
    """A point's path for t in [0, 1]: derive from this class, and define `__call__` and `max_distance_from_linear`.

    Define `enclosure` too where pairs stay near: a point that turns at 1e-6 from a plate takes 2,200 chords a turn, and 45
    cubics. A chord costs less time than a cubic, so for pairs that pass or meet chords are the faster way.

    Examples
    --------
    A point that turns about the z axis at the radius r, by the angle w:

    >>> import math, ccd.compat.ipctk as ipctk
    >>> class Turning(ipctk.NonlinearTrajectory):
    ...     def __init__(self, r, w):
    ...         super().__init__()
    ...         self.r, self.w = r, w
    ...     def __call__(self, t):
    ...         return [self.r * math.cos(self.w * t), self.r * math.sin(self.w * t), 0]
    ...     def max_distance_from_linear(self, t0, t1):
    ...         return self.r * (self.w * (t1 - t0)) ** 2 / 8
    >>> class Still(ipctk.NonlinearTrajectory):
    ...     def __init__(self, x):
    ...         super().__init__()
    ...         self.x = x
    ...     def __call__(self, t):
    ...         return self.x
    ...     def max_distance_from_linear(self, t0, t1):
    ...         return 0.0
    >>> plate = [Still(x) for x in ([0, 0.5, -1], [2, 0.5, -1], [1, 0.5, 2])]
    >>> hit, toi = ipctk.NonlinearCCD(conservative_rescaling=1).point_triangle_ccd(Turning(1, math.pi / 2), *plate)
    >>> hit, round(toi, 5)
    (True, 0.33333)
    """

    def __call__(self, t: float) -> Any:
        """Compute the position at a time.

        Parameters
        ----------
        t : float
            Time in [0, 1].

        Returns
        -------
        array_like
            Position, (3,) or (2,). The true one may be off by 2**-45 of the largest coordinate.
        """
        raise OverrideError(f"{type(self).__name__} has no __call__: a trajectory must define it")

    def max_distance_from_linear(self, t0: float, t1: float) -> float:
        """Compute how far the path is from uniform motion on its chord.

        Parameters
        ----------
        t0 : float
            Start of a piece of time.
        t1 : float
            Its end, above t0.

        Returns
        -------
        float
            A bound on the distance between x(t) and x(t0) + (t - t0) / (t1 - t0) (x(t1) - x(t0)) for t in [t0, t1]; infinity
            if none is known. It must fall below the tolerance as t1 approaches t0, or contacts are reported that are none.
        """
        raise OverrideError(f"{type(self).__name__} has no max_distance_from_linear: a trajectory must define it")

    # A subclass may define enclosure(t0, t1) -> (control, radius): the Bezier control points, (degree + 1, 3) or (degree + 1,
    # 2), of a polynomial of degree 1 to 5 in s = (t - t0) / (t1 - t0), and a bound on the distance of the path from it,
    # rounding included. It replaces the chord.


@dataclass(frozen=True)
class _Point:
    """A trajectory as an argument of a call."""

    name: str
    path: Any

    def at(self, t: float) -> NDArray[np.float64]:
        return _vector(f"{self.name}({t!r})", self.path(t))

    def deviation(self, t0: float, t1: float) -> float:
        what = f"{self.name}.max_distance_from_linear({t0!r}, {t1!r})"
        r = self.path.max_distance_from_linear(t0, t1)
        return _bound(what, r)

    def enclosure(self, t0: float, t1: float) -> tuple[NDArray[np.float64], float]:
        what = f"{self.name}.enclosure({t0!r}, {t1!r})"
        got = self.path.enclosure(t0, t1)
        if not isinstance(got, Sequence) or len(got) != 2:
            raise TypedError(f"{what} returned {type(got).__name__}: must return (control, radius)")
        control = _checked.doubles(what, got[0])
        if control.ndim != 2 or not 2 <= len(control) <= 6 or control.shape[1] not in (2, 3):
            raise TypedError(f"{what} returned control points of shape {control.shape}: must be (degree + 1, 3), degree 1 to 5")
        return _spatial(arrays.finite(what, control)), _bound(what, got[1])


def _vector(what: str, x: Any) -> NDArray[np.float64]:
    v = _checked.doubles(what, x)
    if v.shape not in ((2,), (3,), (2, 1), (3, 1), (1, 2), (1, 3)):
        raise TypedError(f"{what} returned an array of shape {v.shape}: must be (3,) or (2,)")
    return arrays.finite(what, v.ravel())


def _bound(what: str, r: Any) -> float:
    try:
        bound = float(r)
    except (TypeError, ValueError):
        raise TypedError(f"{what} returned {r!r}: the bound must be a number") from None
    if not bound >= 0:
        raise NonFiniteError(f"{what} returned the bound {bound!r}: must be at least 0")
    return bound


def _spatial(x: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.zeros((*x.shape[:-1], 3))
    out[..., : x.shape[-1]] = x
    return out


def _elevated(control: NDArray[np.float64], degree: int) -> tuple[NDArray[np.float64], float]:
    """The same path with more control points, and what they are rounded by.

    c'_i = i/k c_(i-1) + (k-i)/k c_i, in doubles: two weights and two products, u each, and the sum make at most 3u M and
    squares of u, M the largest coordinate; times sqrt(3) for the length below 6u M. So 8u M a level, and 2**-1070 for
    products that underflow.
    """
    radius, c = 0.0, control
    while len(c) <= degree:
        k = len(c)
        i = np.arange(k + 1)[:, None]
        if np.array_equal(c, np.broadcast_to(c[0], c.shape)):  # a point that rests: no rounding
            return np.broadcast_to(c[0], (degree + 1, 3)).copy(), radius
        radius += 2.0**-50 * float(np.abs(c).max()) + 2.0**-1070
        c = i / k * np.vstack([c[:1], c]) + (k - i) / k * np.vstack([c, c[-1:]])
    return c, radius


class _Paths:
    """A pair whose points move on trajectories."""

    def __init__(self, kind: Kind, paths: dict[str, Any]):
        self.kind = kind
        self.points = [_Point(name, path) for name, path in paths.items()]
        for point in self.points:
            if not callable(point.path) or not callable(getattr(point.path, "max_distance_from_linear", None)):
                raise wrong_type(point.name, point.path, "a NonlinearTrajectory")
        self.first = 2 if kind == Kind.EDGE_EDGE else 1  # points of the first primitive
        self.enclosed = [callable(getattr(point.path, "enclosure", None)) for point in self.points]
        self._known: dict[float, NDArray[np.float64]] = {}  # positions at the ends of pieces, which are used again

    def at(self, t: float) -> NDArray[np.float64]:
        if t in self._known:
            return self._known[t]
        rows = [point.at(t) for point in self.points]
        if any(len(row) != len(rows[0]) for row in rows):
            raise TypedError(f"positions at {t!r} have sizes {[len(row) for row in rows]}: must all be 3 or all 2")
        if len(rows[0]) == 2 and self.kind in (Kind.VERTEX_FACE, Kind.EDGE_EDGE):
            raise TypedError(f"positions at {t!r} have 2 coordinates: must have 3")
        if len(self._known) > 127:
            self._known.clear()
        x = self._known[t] = _spatial(np.array(rows))
        return x

    def distance(self) -> float:
        """The distance at the start, rounded."""
        q = self.at(0.0)
        return float(_distance.initial(self.kind, np.concatenate([q, q])[None])[0])

    def before(self, t0: float, t1: float, distance: float) -> tuple[float, float]:
        """A time up to which the pair keeps more than `distance` on a piece, infinite for all of it, and what it is early by.

        Early by: where the time is finite the pair comes within `distance` and this number, up to what rounding takes.
        """
        if any(self.enclosed):
            return self._in_curves(t0, t1, distance)
        radii = [point.deviation(t0, t1) for point in self.points]
        rho = _up(max(radii[: self.first]) + max(radii[self.first :]))
        if not math.isfinite(rho):
            return t0, rho
        q = np.concatenate([self.at(t0), self.at(t1)])
        slack = 2 * _ROUNDED * float(np.abs(q).max())
        wide = _separation(_up(_up(distance + rho) + slack))
        if wide > 1e150:
            return t0, 2 * rho
        found = pair.solve(self.kind, q, min_separation=wide, norm="euclidean")
        return (math.inf if found.separate else _moved(t0, t1, found.toi_lo)), 2 * rho

    def _in_curves(self, t0: float, t1: float, distance: float) -> tuple[float, float]:
        pieces: list[tuple[NDArray[np.float64], float]] = []
        for i, point in enumerate(self.points):
            if self.enclosed[i]:
                pieces.append(point.enclosure(t0, t1))
            else:
                chord = np.array([self.at(t0)[i], self.at(t1)[i]])
                pieces.append((chord, _up(point.deviation(t0, t1) + _ROUNDED * float(np.abs(chord).max()))))
        degree = max(len(control) for control, _ in pieces) - 1
        raised = [_elevated(control, degree) for control, _ in pieces]
        radii = [_up(radius + more) for (_, radius), (_, more) in zip(pieces, raised)]
        rho = max(radii[: self.first]) + max(radii[self.first :])
        if not rho <= 1e150:
            return t0, rho
        control = np.stack([c for c, _ in raised], axis=1)
        with Motion(control, radius=[radii]) as motion:
            index = list(range(len(radii)))
            found = motion.pair(self.kind, index, min_separation=_separation(distance), norm="euclidean")
        return (math.inf if found.separate else _moved(t0, t1, found.toi_lo)), 2 * rho


def _up(x: float) -> float:
    return math.nextafter(x, math.inf) if x > 0 else x


def _separation(distance: float) -> float:
    """A separation that the library accepts: 0, or at least 2**-900."""
    return max(distance, 2.0**-900) if distance > 0 else 0.0


def _moved(t0: float, t1: float, s: float) -> float:
    """At most t0 + s (t1 - t0): three operations on numbers that are not negative are off by (1 + u)**3, and 2**-51 is 4u."""
    return min(max(t0, (t0 + s * (t1 - t0)) * (1 - 2.0**-51)), t1)


@dataclass
class _Search:
    """The first time at which a pair may come within a distance, from the left to the right."""

    paths: _Paths
    tolerance: float
    pieces: int

    def until(self, start: float, tmax: float, distance: float) -> float:
        """A time up to which the pair keeps more than `distance`; infinite if it does so up to tmax."""
        t, ends = start, [tmax]
        while ends:
            end = ends[-1]
            if end <= t:
                ends.pop()
                continue
            if self.pieces <= 0:
                return t
            self.pieces -= 1
            proven, early = self.paths.before(t, end, distance)
            if proven > end:
                t = ends.pop()
                continue
            left = end - t
            t = max(t, proven)
            if early <= self.tolerance:
                return t
            if end - t > 0.5 * left:  # else the rest is a piece that is short enough to be tried
                middle = t + 0.5 * (end - t)
                if not t < middle < end:
                    return t
                ends.append(middle)
            elif not t < end:
                return t
        return math.inf


class NonlinearCCD:
    """Collision detection of primitives whose points are `NonlinearTrajectory` objects, or anything with their methods.

    The result is (hit, time of impact), (False, inf) without a hit. No hit is a proof that the pair keeps more than
    `min_distance`, as long as the bounds of the trajectories hold. A hit is a pair that comes within `min_distance` and the
    tolerance, or one that is not decided within `max_iterations` pieces (at most 131,072). Up to the time of impact the pair
    keeps `min_distance` and (1 - conservative_rescaling) of the gap at the start, at most the tolerance, more.

    Where ipctk 1.6.1 differs: its `point_point_ccd` takes the larger deviation in place of the sum, so it can be late or miss a
    contact. It reports a hit where the distance falls below (1 - conservative_rescaling) of that at the start, touching or
    not. On straight paths its times leave its tolerance, on others a share of the gap.

    Parameters
    ----------
    tolerance : float, default 1e-6
        What a distance may exceed `min_distance` by in a hit.
    max_iterations : int, default 10000000
        Pieces of time at most; 0 or less: the limit alone.
    conservative_rescaling : float, default 0.8
        Share of the gap that a step may take; 1 for the last time that is proven.
    """

    DEFAULT_TOLERANCE = 1e-6
    DEFAULT_MAX_ITERATIONS = 10_000_000
    DEFAULT_CONSERVATIVE_RESCALING = 0.8

    def __init__(
        self,
        tolerance: float = DEFAULT_TOLERANCE,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
        conservative_rescaling: float = DEFAULT_CONSERVATIVE_RESCALING,
    ):
        self.tolerance = _checked.number("tolerance", tolerance)
        self.max_iterations = max_iterations
        self.conservative_rescaling = _checked.number("conservative_rescaling", conservative_rescaling)

    def point_point_ccd(self, p0: Any, p1: Any, min_distance: float = 0.0, tmax: float = 1.0) -> tuple[bool, float]:
        """Two points, in 2D or 3D."""
        return self._decide(_Paths(Kind.POINT_POINT, {"p0": p0, "p1": p1}), min_distance, tmax)

    def point_edge_ccd(self, p: Any, e0: Any, e1: Any, min_distance: float = 0.0, tmax: float = 1.0) -> tuple[bool, float]:
        """A point and an edge, in 2D or 3D."""
        return self._decide(_Paths(Kind.POINT_EDGE, {"p": p, "e0": e0, "e1": e1}), min_distance, tmax)

    def edge_edge_ccd(
        self, ea0: Any, ea1: Any, eb0: Any, eb1: Any, min_distance: float = 0.0, tmax: float = 1.0
    ) -> tuple[bool, float]:
        """Two edges."""
        return self._decide(_Paths(Kind.EDGE_EDGE, {"ea0": ea0, "ea1": ea1, "eb0": eb0, "eb1": eb1}), min_distance, tmax)

    def point_triangle_ccd(
        self, p: Any, t0: Any, t1: Any, t2: Any, min_distance: float = 0.0, tmax: float = 1.0
    ) -> tuple[bool, float]:
        """A point and a triangle."""
        return self._decide(_Paths(Kind.VERTEX_FACE, {"p": p, "t0": t0, "t1": t1, "t2": t2}), min_distance, tmax)

    def _decide(self, paths: _Paths, min_distance: float, tmax: float) -> tuple[bool, float]:
        d, end = _distance_and_end(min_distance, tmax)
        if not 0 <= self.tolerance < math.inf:
            raise TypedError(f"tolerance is {self.tolerance!r}: must be finite, at least 0")
        if not 0 <= self.conservative_rescaling <= 1:
            raise TypedError(f"conservative_rescaling is {self.conservative_rescaling!r}: must be in [0, 1]")
        gap = paths.distance() - d
        if not gap > 0:
            return True, 0.0
        leave = min((1 - self.conservative_rescaling) * gap, self.tolerance)
        budget = min(self.max_iterations, _MOST_PIECES) if self.max_iterations > 0 else _MOST_PIECES
        # A pair at a distance of gap at the start must not be a hit at 0 because of the tolerance.
        search = _Search(paths, min(self.tolerance, max(0.25 * (gap - leave), 0.0)), budget)
        stop = search.until(0.0, end, d + leave)
        if math.isinf(stop):
            return False, math.inf
        search.tolerance = self.tolerance
        if leave > 0 and math.isinf(search.until(stop, end, d)):
            return False, math.inf
        return True, stop

    @staticmethod
    def conservative_piecewise_linear_ccd(
        distance: Callable[[float], float],
        max_distance_from_linear: Callable[[float, float], float],
        linear_ccd: Callable[[float, float, float, bool, float], Any],
        min_distance: float = 0.0,
        tmax: float = 1.0,
        conservative_rescaling: float = 0.8,
    ) -> tuple[bool, float]:
        """Search piece by piece with a linear CCD of your own.

        Parameters
        ----------
        distance : callable
            distance(t): the distance at a time.
        max_distance_from_linear : callable
            max_distance_from_linear(t0, t1): the deviations of both sides together.
        linear_ccd : callable
            linear_ccd(t0, t1, min_distance, no_zero_toi, toi): whether the chords of [t0, t1] come within min_distance, or
            (hit, part of the piece up to which they do not). ipctk takes a bool alone, which leaves its time undefined;
            here it is t0 then. The last argument is 0.
        min_distance : float, default 0.0
            Distance to keep.
        tmax : float, default 1.0
            End of the search.
        conservative_rescaling : float, default 0.8
            A piece is halved while its deviation is at least 1 - conservative_rescaling of the distance at its start, or 0.01.

        Returns
        -------
        tuple
            (hit, time of impact), (False, inf) without a hit. A hit at 0 only if the distance at 0 is at most min_distance, or
            if no piece is short enough.
        """
        d, end = _distance_and_end(min_distance, tmax)
        share = 1 - _checked.number("conservative_rescaling", conservative_rescaling)
        gap = _bound("distance(0.0)", distance(0.0))
        if gap <= d:
            return True, 0.0
        t, ends, halvings = 0.0, [end], 1
        while ends:
            at, end = _bound(f"distance({t!r})", distance(t)), ends[-1]
            rho = _bound(f"max_distance_from_linear({t!r}, {end!r})", max_distance_from_linear(t, end))
            middle = t + 0.5 * (end - t)
            if rho >= min(share * at, 0.01) and (halvings < 1000 or t == 0) and t < middle < end:
                ends.append(middle)
                halvings += 1
                continue
            got = linear_ccd(t, end, _up(d + rho), t == 0, 0.0)
            hit, part = got if isinstance(got, tuple) else (got, 0.0)
            if hit:
                stop = _moved(t, end, min(max(float(part), 0.0), 1.0))
                if stop == 0 and t < middle < end:
                    ends.append(middle)
                    halvings += 1
                    continue
                return True, stop
            t = ends.pop()
        return False, math.inf


def _distance_and_end(min_distance: float, tmax: float) -> tuple[float, float]:
    d, end = _checked.number("min_distance", min_distance), _checked.number("tmax", tmax)
    if not 0 <= d <= 1e150:
        raise TypedError(f"min_distance is {d!r}: must be in [0, 1e150]")
    if not 0 <= end <= 1:
        raise TypedError(f"tmax is {end!r}: must be in [0, 1]")
    return d, end
