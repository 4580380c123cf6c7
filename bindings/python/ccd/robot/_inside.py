"""Whether points are inside closed surfaces, exactly.

The winding number of a closed surface around a point p is the sum of the signs of the triangles that a ray from p passes
through, if the ray meets no edge. With a, b, c the corners of a triangle less p, and r the direction of the ray, the line along
r passes through the triangle if det(r, a, b), det(r, b, c) and det(r, c, a) have one sign, and the ray does if det(a, b, c) has
that sign too. Where one of these is 0 and no two of the others differ, the ray may meet an edge: another direction is taken.

Signs are computed in doubles with an error bound, and in integers where the bound does not decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

# A determinant of differences of doubles is a sum of six products; each passes through three differences, two products and at
# most three sums, so it errs by less than 9 u of its size. The bound is computed with as many roundings. Differences are at
# most 1 in magnitude, so each underflow adds less than 1e-307.
_RELATIVE = 16 * 2.0**-53
_UNDERFLOW = 1e-300


def contains(vertices: NDArray[np.float64], faces: NDArray[np.int32], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points, none of them on the surface, are inside a closed surface: its winding number around them is not 0."""
    low, high = vertices[faces].min((0, 1)), vertices[faces].max((0, 1))
    held: NDArray[np.bool_] = ((low <= points) & (points <= high)).all(1)
    held[held] = [_winding(vertices, faces, p) != 0 for p in points[held]]
    return held


def _winding(vertices: NDArray[np.float64], faces: NDArray[np.int32], point: NDArray[np.float64]) -> int:
    """The winding number of a closed surface around a point that is not on it."""
    for direction in _directions():
        found = _crossings(vertices, faces, point, direction)
        if found is not None:
            return found
    raise AssertionError("each plane through the point holds two directions at most")


def _directions() -> Iterator[tuple[int, int, int]]:
    """Directions (1, k, k^2), of which three are never in one plane; those that few models have in a plane come first."""
    yield from ((1, k, k * k) for k in (7, -11, 5, 3, -2))
    yield from ((1, k, k * k) for k in range(12, 2**20))


def _crossings(
    vertices: NDArray[np.float64], faces: NDArray[np.int32], point: NDArray[np.float64], direction: tuple[int, int, int]
) -> int | None:
    """The sum of the signs of the triangles on a ray, None if the ray may meet an edge."""
    x = vertices - point
    scale = -math.frexp(float(np.abs(x).max()))[1]
    a, b, c = (np.ldexp(x, scale)[faces[:, k]] for k in range(3))
    r = np.broadcast_to(np.array(direction, float), a.shape)
    signs, sure = zip(*(_signs(*rows) for rows in ((r, a, b), (r, b, c), (r, c, a))))
    side, certain = np.array(signs), np.array(sure)
    # Two certain signs that differ exclude a triangle. The others are decided exactly if one is uncertain.
    positive, negative = ((side > 0) & certain).any(0), ((side < 0) & certain).any(0)
    left = np.flatnonzero(~(positive & negative))
    front, front_sure = _signs(a[left], b[left], c[left])
    total = 0
    for k, i in enumerate(left):
        if certain[:, i].all() and front_sure[k]:
            one = _crossing([int(s) for s in side[:, i]], int(front[k]))
        else:
            one = _crossing(*_exact(vertices[faces[i]], point, direction))
        if one is None:
            return None
        total += one
    return total


def _crossing(sides: list[int], front: int) -> int | None:
    """What a triangle adds to the winding number, None if the ray may meet an edge of it."""
    if min(sides) < 0 < max(sides):
        return 0
    if 0 in sides:
        return None
    return front if front == sides[0] else 0


def _signs(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The signs of determinants of rows, and whether each is certain."""
    value, size = np.zeros(len(a)), np.zeros(len(a))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        value = value + a[:, i] * (b[:, j] * c[:, k] - b[:, k] * c[:, j])
        size = size + np.abs(a[:, i]) * (np.abs(b[:, j] * c[:, k]) + np.abs(b[:, k] * c[:, j]))
    return np.sign(value), np.abs(value) > _RELATIVE * size + _UNDERFLOW * (1 + np.abs(a).max(1, initial=0))


def _exact(triangle: NDArray[np.float64], point: NDArray[np.float64], direction: tuple[int, int, int]) -> tuple[list[int], int]:
    """The signs of a triangle's three determinants with the direction, and of its own, in rational numbers."""
    p = [Fraction(float(v)) for v in point]
    a, b, c = ([Fraction(float(v)) - q for v, q in zip(corner, p)] for corner in triangle)
    r = [Fraction(v) for v in direction]
    return [_sign(r, a, b), _sign(r, b, c), _sign(r, c, a)], _sign(a, b, c)


def _sign(a: list[Fraction], b: list[Fraction], c: list[Fraction]) -> int:
    det = sum(a[i] * (b[j] * c[k] - b[k] * c[j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
    return (det > 0) - (det < 0)
