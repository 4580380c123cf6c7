"""Regions of space, and exact comparisons of boxes. No result of this file depends on how a scene is divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Region:
    """A box of space, half open along each axis, that owns the pairs of a part.

    The lower corner of a primitive's box has, along each axis, the least coordinate of its vertices at both ends of the
    step. The corner of a pair is the larger of both lower corners along each axis: the lower corner of the intersection of
    the two boxes. A region owns the pairs whose corner it contains. Only doubles of the input are compared, so regions that
    partition space own every pair once.

    Parameters
    ----------
    lo : tuple of float
        Least coordinates, 3 lengths; part of the region.
    hi : tuple of float
        Largest coordinates, 3 lengths; not part of it.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> cd.Region((0, 0, 0), (1, 1, 1)).contains([[0, 0, 0], [0, 0, 1]]).tolist()
    [True, False]
    """

    lo: tuple[float, float, float]
    hi: tuple[float, float, float]

    def contains(self, points: Any) -> NDArray[np.bool_]:
        """Report which points are in the region.

        Parameters
        ----------
        points : array_like
            Points, (n, 3).

        Returns
        -------
        numpy.ndarray
            Whether each is in it, (n,) bool.

        Raises
        ------
        ArgumentError
            `points` has another shape.
        """
        at = np.asarray(points, float)
        inside: Any = np.logical_and(at >= self.lo, at < self.hi)
        return np.asarray(inside.all(axis=1))

    def cut(self, axis: int, at: float) -> tuple[Region, Region]:
        """Return the two regions below and above a coordinate.

        Parameters
        ----------
        axis : int
            0, 1 or 2.
        at : float
            The coordinate; it belongs to the upper region.

        Returns
        -------
        tuple of Region
            Two regions that together are this one.

        Raises
        ------
        ArgumentError
            `axis` or `at` is out of range.

        Examples
        --------
        >>> import ccd.distributed as cd
        >>> below, above = cd.Region((0, 0, 0), (1, 1, 1)).cut(2, 0.25)
        >>> below.hi, above.lo
        ((1, 1, 0.25), (0, 0, 0.25))
        """
        hi, lo = list(self.hi), list(self.lo)
        hi[axis] = lo[axis] = at
        return Region(self.lo, (hi[0], hi[1], hi[2])), Region((lo[0], lo[1], lo[2]), self.hi)


EVERYWHERE = Region((-np.inf,) * 3, (np.inf,) * 3)


def reached(region: Region, lo: Floats, hi: Floats) -> NDArray[np.bool_]:
    """Which boxes reach the region; hi is that of `widened`."""
    reach: Any = np.logical_and(lo < region.hi, hi >= region.lo)
    return np.asarray(reach.all(axis=1))


def widened(hi: Floats, reach: float, radius: Floats | None, largest: float) -> Floats:
    """hi + reach + radius + largest, rounded up: not below, and not falling where hi or radius rises.

    Two roundings to nearest of sums of lengths lose less than one unit in the last place each of the length, which the
    first `nextafter` and the factor restore; the last sum is rounded once.
    """
    if reach == 0 and radius is None:
        return hi
    length: Any = reach if radius is None else ((radius + largest) + reach)[:, None]
    return np.asarray(np.nextafter(hi + length * (1 + 2.0**-50), np.inf))


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded sum, and its error: exactly, where the sum and b are less than the largest double in magnitude.

    Coordinates and separations are at most 1e150; `TwoSum` of core/num/eft.go has the proof.
    """
    s = a + b
    c = s - a
    return s, (a - (s - c)) + (b - c)


def separations(a: Any, b: Any, m: float) -> Any:
    """The least doubles not below a + b + m: `AddUp3` of core/num/round.go, which has the derivation."""
    s, e = two_sum(a, b)
    t, f = two_sum(s, m)
    g, h = two_sum(f, e)
    p, q = two_sum(t, g)
    return np.where(q + h > 0, np.nextafter(p, np.inf), p)


def within(lo_a: Floats, hi_a: Floats, lo_b: Floats, hi_b: Floats, separation: Any) -> NDArray[np.bool_]:
    """Which boxes are at most the separation apart along each axis, in exact arithmetic.

    The difference is d + e without error, d its rounding. A double s below d is below d + e too, because rounding is monotone;
    a double above d is above d + e.
    """
    s = np.asarray(separation, float)
    s = s[:, None] if s.ndim else s

    def near(upper: Floats, lower: Floats) -> Any:
        d, e = two_sum(upper, -lower)
        return (d < s) | ((d == s) & (e <= 0))

    close: NDArray[np.bool_] = (near(lo_b, hi_a) & near(lo_a, hi_b)).all(axis=1)
    return close
