"""Taylor series of matrices with bounds: each coefficient is a matrix of doubles and a radius of each entry.

docs/proofs/robots.md ("Loops") has the bounds of the roundings. The last axes of both arrays are rows and columns, the first
one is the power; the one between counts intervals, which are computed together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_PART = 2.0**-50  # 8u: above the rounding of a sum of up to 3 products, and of adding it; longer sums have more
_UP = 1 + 2.0**-40  # above the rounding of sums of radii
_LEAST = 1e-290  # above what products lose that underflow
_SINE = 2.0**-48  # above the error of a sine or cosine of any library


@dataclass(frozen=True, eq=False)
class Series:
    """The coefficients of the powers 0 to n: each entry is within `rad` of `mid`, both (n + 1, intervals, rows, columns)."""

    mid: Array
    rad: Array

    @classmethod
    def constant(cls, matrix: Array, like: Series | int, off: float = 0.0) -> Series:
        """A matrix that does not change, known up to an error of its entries."""
        orders = like if isinstance(like, int) else len(like.mid)
        mid = np.zeros((orders, 1, *matrix.shape))
        rad = mid.copy()
        mid[0, 0], rad[0, 0] = matrix, off
        return cls(mid, rad)

    def __add__(self, other: Series) -> Series:
        mid = self.mid + other.mid
        return Series(mid, (self.rad + other.rad + _PART * (np.abs(self.mid) + np.abs(other.mid))) * _UP)

    def __neg__(self) -> Series:
        return Series(-self.mid, self.rad)

    def __sub__(self, other: Series) -> Series:
        return self + -other

    def __matmul__(self, other: Series) -> Series:
        """Cauchy's product."""
        a, b, ra, rb = self.mid, other.mid, self.rad, other.rad
        size_a, size_b = np.abs(a), np.abs(b)
        first = a[0] @ b[0]
        part = _PART * max(1.0, a.shape[-1] / 3)
        mid = np.zeros((len(a), *first.shape))
        rad = np.zeros_like(mid)
        for k in range(len(a)):
            for i in range(k + 1):
                j = k - i
                mid[k] += a[i] @ b[j]
                rad[k] += size_a[i] @ (rb[j] + (k + 1) * part * size_b[j]) + ra[i] @ (size_b[j] + rb[j])
        return Series(mid, rad * _UP + _LEAST)

    def scaled(self, factor: float) -> Series:
        """The series times a double."""
        return Series(self.mid * factor, (self.rad * abs(factor) + _PART * np.abs(self.mid * factor)) * _UP + _LEAST)

    def transposed(self) -> Series:
        """The transposed matrices."""
        return Series(self.mid.swapaxes(-1, -2), self.rad.swapaxes(-1, -2))

    def sincos(self) -> tuple[Series, Series]:
        """The sine and cosine of each entry: k s_k is the sum of i q_i c_(k-i), and k c_k that of -i q_i s_(k-i)."""
        q, rq = self.mid, self.rad
        sin, cos, rs, rc = (np.zeros_like(q) for _ in range(4))
        sin[0], cos[0] = np.sin(q[0]), np.cos(q[0])
        rs[0] = rc[0] = (rq[0] + _SINE) * _UP
        for k in range(1, len(q)):
            for i in range(1, k + 1):
                j, part = k - i, i / k
                for to, off, of, of_off, sign in ((sin, rs, cos, rc, 1), (cos, rc, sin, rs, -1)):
                    size = np.abs(of[j])
                    to[k] += sign * part * (q[i] * of[j])
                    off[k] += part * (np.abs(q[i]) * (of_off[j] + (k + 1) * _PART * size) + rq[i] * (size + of_off[j]))
            for off in (rs, rc):
                off[k] = off[k] * _UP + _LEAST
        return Series(sin, rs), Series(cos, rc)

    def bound(self) -> Array:
        """Bounds on the magnitudes of all coefficients."""
        size: Array = (np.abs(self.mid) + self.rad) * _UP
        return size


def turned(angle: Series, axis: Array) -> Series:
    """The rotation about an axis of length 1: I + sin A + (1 - cos) A^2, with the matrix A of the cross product."""
    x, y, z = axis
    cross = Series.constant(np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]), angle, 2.0**-50)
    sin, cos = angle.sincos()
    one = Series.constant(np.ones((1, 1)), angle)
    return Series.constant(np.eye(3), angle) + _times(sin, cross) + _times(one - cos, cross @ cross)


def _times(factor: Series, matrix: Series) -> Series:
    """A matrix times a series of numbers, (1, 1)."""
    return Series(*(np.broadcast_to(x, (*x.shape[:2], 3, 3)) * np.eye(3) for x in (factor.mid, factor.rad))) @ matrix


def at_middle(control: Array, off: Array, orders: int) -> Series:
    """The coefficients about 1/2 of polynomials in Bernstein form on [0, 1], (intervals, degree + 1, values).

    Control values are known up to `off`, which has a shape that fits. The k-th coefficient is C(n, k) times the value of the
    k-th differences. Values are rows, (orders, intervals, values, 1).
    """
    n = control.shape[1] - 1
    mid = np.zeros((orders, len(control), control.shape[2], 1))
    rad = np.zeros_like(mid)
    choose, d = 1.0, control
    size, wide = np.abs(control), np.broadcast_to(off, control.shape)
    for k in range(min(n + 1, orders)):
        weights = _bernstein(n - k)[:, None]
        mid[k, :, :, 0] = choose * (weights * d).sum(1)
        rad[k, :, :, 0] = choose * (weights * (wide + 2 * _PART * size)).sum(1) * _UP + _LEAST
        choose = choose * (n - k) / (k + 1)
        d, size, wide = np.diff(d, axis=1), size[:, 1:] + size[:, :-1], wide[:, 1:] + wide[:, :-1]
    return Series(mid, rad)


def anywhere(control: Array, off: Array, orders: int) -> Series:
    """The coefficients about any point of [0, 1]: they are within the hull of the differences."""
    n = control.shape[1] - 1
    mid = np.zeros((orders, len(control), control.shape[2], 1))
    rad = np.zeros_like(mid)
    choose, d = 1.0, control
    size, wide = np.abs(control), np.broadcast_to(off, control.shape)
    for k in range(min(n + 1, orders)):
        low, high = d.min(1), d.max(1)
        mid[k, :, :, 0] = choose * (low + high) / 2
        rad[k, :, :, 0] = choose * ((high - low) / 2 + (wide + 2 * _PART * size).max(1)) * _UP + _LEAST
        choose = choose * (n - k) / (k + 1)
        d, size, wide = np.diff(d, axis=1), size[:, 1:] + size[:, :-1], wide[:, 1:] + wide[:, :-1]
    return Series(mid, rad)


def _bernstein(n: int) -> Array:
    """Bernstein's polynomials of the degree n at 1/2: exact."""
    row = np.ones(1)
    for _ in range(n):
        row = (np.concatenate([row, [0.0]]) + np.concatenate([[0.0], row])) / 2
    return row
