"""Does a frame intersect itself? Edges against faces, decided exactly: floats with a proven bound, then fractions.

This is a reference implementation of libccd's own test, in few lines: the example calls libccd after each step, and a
test compares the two.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

# The error of a 3 x 3 determinant of differences in floats is below this share of its permanent (o3derrboundA of
# [Shewchuk1997], (7 + 56 e) e for e = 2^-53, rounded up), where nothing underflows: our coordinates are differences of
# lengths about 1 and are 0 or above 1e-60.
BOUND = 8e-16


def intersections(x: np.ndarray, edges: np.ndarray, faces: np.ndarray, patch: np.ndarray) -> np.ndarray:
    """The pairs (edge, face) that share a point, but those with a common vertex and those within one patch >= 0."""
    found = []
    for rows in np.array_split(np.arange(len(edges)), max(1, len(edges) // 256)):
        e, f = x[edges[rows]], x[faces]
        apart = (e.min(1)[:, None] > f.max(1)).any(axis=2) | (f.min(1) > e.max(1)[:, None]).any(axis=2)
        i, j = np.nonzero(~apart)
        i = rows[i]
        shared = (edges[i][:, :, None] == faces[j][:, None, :]).any(axis=(1, 2))
        one, other = patch[edges[i, 0]], patch[faces[j, 0]]
        keep = ~shared & ((one != other) | (one < 0))
        found += [pair for pair in zip(i[keep], j[keep]) if not _apart_in_floats(x[edges[pair[0]]], x[faces[pair[1]]])]
    exact = [pair for pair in found if meet(x[edges[pair[0]]].tolist(), x[faces[pair[1]]].tolist())]
    return np.array(exact, dtype=int).reshape(-1, 2)


def _apart_in_floats(edge: np.ndarray, face: np.ndarray) -> bool:
    """Both ends certainly on one side of the face's plane."""
    sides = []
    for p in edge:
        m = face - p
        terms = [
            m[0][i] * m[1][j] * m[2][k] * sign
            for i, j, k, sign in ((0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1), (0, 2, 1, -1), (1, 0, 2, -1), (2, 1, 0, -1))
        ]
        value = sum(terms)
        if abs(value) <= 4 * BOUND * sum(map(abs, terms)):  # four times: these products are associated otherwise
            return False
        sides.append(value > 0)
    return sides[0] == sides[1]


def _side(a: list, b: list, c: list, d: list) -> int:
    """The sign of det(a - d, b - d, c - d)."""
    u, v, w = ([p - q for p, q in zip(point, d)] for point in (a, b, c))
    det = (
        u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])
    )  # fmt: skip
    return (det > 0) - (det < 0)


def meet(edge: list, face: list) -> bool:
    """Whether a closed segment and a closed triangle share a point."""
    p, q = ([Fraction(c) for c in point] for point in edge)
    a, b, c = ([Fraction(x) for x in point] for point in face)
    first, second = _side(a, b, c, p), _side(a, b, c, q)
    if first == second != 0:
        return False
    if first == second == 0:
        return _meet_flat(p, q, [a, b, c])
    around = {_side(p, q, a, b), _side(p, q, b, c), _side(p, q, c, a)}
    return not {-1, 1} <= around


def _meet_flat(p: list, q: list, face: list) -> bool:
    """All in one plane: clip the segment by the triangle, or where that has no area by its longest side."""
    for axis in range(3):
        flat = [[point[k] for k in range(3) if k != axis] for point in (*face, p, q)]
        a, b, c, s, t = flat
        turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if turn == 0:
            continue
        lo, hi = Fraction(0), Fraction(1)
        for u, v in ((a, b), (b, c), (c, a)):
            f, g = (((v[0] - u[0]) * (r[1] - u[1]) - (v[1] - u[1]) * (r[0] - u[0])) * turn for r in (s, t))
            if f < 0 and g < 0:
                return False
            if f < 0 <= g:
                lo = max(lo, f / (f - g))
            elif g < 0 <= f:
                hi = min(hi, f / (f - g))
        return lo <= hi
    raise ValueError("a triangle without area")
