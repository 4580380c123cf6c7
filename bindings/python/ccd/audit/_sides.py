"""Exact sides: on which side of the plane of a face a point is, and which edges pass through faces in one frame."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..impact import EDGE_FACE

_BOUND = (7 + 56 * 2.0**-53) * 2.0**-53  # error of a determinant of differences [Shewchuk1997], in permanents
_SMALL = 1e-140  # products that underflow are off by 2^-1074, times a factor of 2e150: far below the bound


def sides(p: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> NDArray[np.int8]:
    """The sign of (p - a) . ((b - a) x (c - a)) of each row, exactly: 1 is the side to which the normal points."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        x, y, z = ((point - p).T for point in (a, b, c))
        pairs = [(y[i] * z[j], y[j] * z[i]) for i, j in ((1, 2), (2, 0), (0, 1))]
        determinant = sum(x[k] * (first - second) for k, (first, second) in enumerate(pairs))
        permanent = sum(np.abs(x[k]) * (np.abs(first) + np.abs(second)) for k, (first, second) in enumerate(pairs))
        sure = (np.abs(determinant) > _BOUND * permanent) & (permanent > _SMALL) & np.isfinite(permanent)
    gone = [[component == 0 for component in vector] for vector in (x, y, z)]  # differences that are 0 without rounding
    flat = np.ones(len(p), bool)
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        flat &= gone[0][k] | ((gone[1][i] | gone[2][j]) & (gone[1][j] | gone[2][i]))
    sure |= flat  # every product has such a factor: the volume is 0
    found = np.where(sure, -np.sign(np.nan_to_num(determinant)), 0).astype(np.int8)
    for row in np.flatnonzero(~sure):
        found[row] = _exact(p[row], a[row], b[row], c[row])
    return found


def _exact(*points: NDArray[np.float64]) -> int:
    p, a, b, c = ([Fraction(float(value)) for value in point] for point in points)
    u, v, w = ([q[i] - a[i] for i in range(3)] for q in (p, b, c))
    volume = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0])
    return (volume > 0) - (volume < 0)


def crossing(
    found: NDArray[np.void], x: NDArray[np.float64], edges: NDArray[np.int32], faces: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Divide the intersections of a frame into pairs of an edge and a face that cross, and pairs that touch.

    An edge crosses a face where it shares a point with it and its ends are strictly on both sides of the plane. Where an end
    lies in the face, edges of that vertex to both sides cross it together: the vertex is half-way through. All others touch.
    Returns the edges and faces of those that cross, (k, 2), and of those that touch; and vertices that lie in faces with all of
    their edges on one side: vertex, face, side, (m, 3).
    """
    rows = found[found["kind"] == EDGE_FACE]
    if not len(rows):
        return np.empty((0, 2), np.int64), np.empty((0, 2), np.int64), np.empty((0, 3), np.int64)
    e, f = rows["a"], rows["b"]
    corners = [x[faces[f, k]] for k in range(3)]
    ends = np.stack([sides(x[edges[e, k]], *corners) for k in range(2)])
    through, resting = ends[0] * ends[1] < 0, np.empty((0, 3), np.int64)
    on = (ends == 0).sum(0) == 1  # one end in the plane, and a common point: the end lies in the face
    if on.any():
        which = np.flatnonzero(on)
        vertex = np.where(ends[0, which] == 0, edges[e[which], 0], edges[e[which], 1])
        other = ends[0, which] + ends[1, which]
        named, group = np.unique(np.column_stack([vertex, f[which]]), axis=0, return_inverse=True)
        group = group.reshape(-1)
        up, down = (np.bincount(group, other == sign) > 0 for sign in (1, -1))
        through[which] = (up & down)[group]
        resting = np.column_stack([named, up.astype(int) - down.astype(int)])[up != down].astype(np.int64)
    pairs = np.column_stack([e, f]).astype(np.int64)
    return pairs[through], pairs[~through], resting
