"""Proofs that two closed shapes share a point in one configuration, although its vertices are known up to an error only.

Equal aligned boxes overlap with no edge that certainly crosses a face, and with no vertex inside of the other: all their edges
lie in faces of the other up to rounding. A point inside both is not at the border of anything, so an error does not matter.
docs/proofs/robots.md has the proof. Which points are tried decides what is found, and never whether it is right.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ._bodies import Bodies, Cluster
from ._certify import Found
from ._inside import contains
from ._shapes import Shape

_U = 2.0**-53
_UNDERFLOW = 1e-300  # more than what underflows in a sum of three products
# Where points lie in a box that holds what two shapes share: its middle, and points near its corners. No two of their
# coordinates are equal, because planes through corners and diagonals hold the edges of many meshes.
_PARTS = np.array(
    [(0.5, 0.5, 0.5)] + [[(w, 1 - w)[corner >> k & 1] for k, w in enumerate((0.17, 0.23, 0.29))] for corner in range(8)]
)

_MANY = 1000  # triangles of two shapes, beyond which middles alone are tried: each point costs time, and crossings abound


def overlaps(bodies: Bodies, cluster: Cluster, x: NDArray[np.float64], error: NDArray[np.float64]) -> Found | None:
    """A point inside two closed shapes, of a cluster's body and of another; None if none is proven.

    Each vertex of `bodies` is within `error` of its row of `x`.
    """
    mine = list(_placed(bodies, cluster.body, x, error))
    for other in cluster.others:
        for theirs in _placed(bodies, other, x, error):
            for one in mine:
                point = shared(one, theirs)
                if point is not None:
                    return Found(cluster.body, other, "overlap", tuple(point.tolist()))
    return None


class Solid:
    """A closed shape in a configuration: its corners, and how far they may be from there."""

    def __init__(self, vertices: NDArray[np.float64], faces: NDArray[np.int32], error: float):
        self.vertices, self.faces, self.error = vertices, faces, error

    def holds(self, point: NDArray[np.float64]) -> bool:
        """Whether a point is inside of the shape, wherever its corners are within the error."""
        return is_apart(self.vertices[self.faces], point, self.error) and bool(
            contains(self.vertices, self.faces, point[None]).all()
        )


def _placed(bodies: Bodies, body: int, x: NDArray[np.float64], error: NDArray[np.float64]) -> Iterator[Solid]:
    """The closed shapes of a body."""
    first = bodies.all[body].first
    for s in bodies.all[body].shapes:
        rows = slice(first, first + len(s.vertices))
        if _is_solid(s):
            yield Solid(x[rows], s.faces, float(error[rows].max()))
        first = rows.stop


def _is_solid(shape: Shape) -> bool:
    return shape.closed and len(shape.faces) > 0


def shared(a: Solid, b: Solid) -> NDArray[np.float64] | None:
    """A point that is certainly inside of both; None if no point that is tried is."""
    for point in _tried(a, b):
        if a.holds(point) and b.holds(point):
            return point
    return None


def _tried(a: Solid, b: Solid) -> Iterator[NDArray[np.float64]]:
    """Points in the boxes that hold what both share: along the axes of the base, and along a face of either."""
    for frame in (np.eye(3), _frame(a), _frame(b)):
        if frame is None:
            continue
        p, q = a.vertices @ frame.T, b.vertices @ frame.T
        low, high = np.maximum(p.min(0), q.min(0)), np.minimum(p.max(0), q.max(0))
        if (high - low <= a.error + b.error).any():  # no point is farther than its error from both
            return
        parts = _PARTS if len(a.faces) + len(b.faces) <= _MANY else _PARTS[:1]
        yield from (low + parts * (high - low)) @ frame


def _frame(solid: Solid) -> NDArray[np.float64] | None:
    """Axes, in rows, along the two sides at the squarest corner of the first face: those of a box. None if it has no area."""
    corners = solid.vertices[solid.faces[0]]
    sides = [(corners[k - 2] - corners[k], corners[k - 1] - corners[k]) for k in range(3)]
    u, v = min(sides, key=lambda s: abs(float(np.dot(*s))) / max(float(np.linalg.norm(s[0]) * np.linalg.norm(s[1])), 1e-300))
    n = np.cross(u, v)
    if not (np.dot(u, u) > 0 and np.dot(n, n) > 0):
        return None
    u, n = u / np.linalg.norm(u), n / np.linalg.norm(n)
    return np.array([u, np.cross(n, u), n])


def is_apart(corners: NDArray[np.float64], point: NDArray[np.float64], distance: float) -> bool:
    """Whether a point is certainly farther than a distance from all triangles (m, 3, 3)."""
    w = corners - point
    size = 1.8 * np.abs(w).max((1, 2))  # the length of a vector is at most sqrt(3) times its largest coordinate
    apart = np.zeros(len(w), bool)
    for u in _directions(w):
        scale = np.abs(u).max(1, keepdims=True)
        u = np.divide(u, scale, out=np.zeros_like(u), where=scale > 0)
        length = np.linalg.norm(u, axis=1) * (1 + 8 * _U)
        along = (w * u[:, None]).sum(2).min(1)
        apart |= along > (length * (distance + 8 * _U * size)) * (1 + 8 * _U) + _UNDERFLOW
    return bool(apart.all())


def _directions(w: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Directions from the origin to the nearest points of triangles: to their planes, and to their edges. One is the best."""
    n = np.cross(w[:, 1] - w[:, 0], w[:, 2] - w[:, 0])
    yield np.where((n * w[:, 0]).sum(1, keepdims=True) < 0, -n, n)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        e = w[:, j] - w[:, i]
        square = (e * e).sum(1)
        part = np.divide(-(w[:, i] * e).sum(1), square, out=np.zeros_like(square), where=square > 0)
        yield w[:, i] + np.clip(part, 0, 1)[:, None] * e
