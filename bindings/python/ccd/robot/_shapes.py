"""Collision shapes as triangles and balls, and what is inside a closed surface."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._native import arrays
from ..errors import ArgumentError
from ..files import Surface

_UP = 1 + 1e-12  # more than the rounding of the few operations that make a vertex


@dataclass(frozen=True, eq=False)
class Shape:
    """The triangles, codimensional edges and balls of one collision element.

    Attributes
    ----------
    vertices : numpy.ndarray
        Coordinates, (n, 3).
    faces : numpy.ndarray
        Triangles, (m, 3).
    edges : numpy.ndarray
        Codimensional edges, (k, 2).
    radii : numpy.ndarray
        Radius of each vertex, (n,): a ball is a vertex alone.
    closed : bool
        Whether the triangles bound a solid: every edge is passed once in each direction.
    samples : numpy.ndarray
        A vertex of each connected component, for tests of containment.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    edges: NDArray[np.int32]
    radii: NDArray[np.float64]
    closed: bool
    samples: NDArray[np.int64]

    def placed(self, rotation: NDArray[np.float64], position: NDArray[np.float64]) -> Shape:
        """The shape in other coordinates."""
        x = self.vertices @ rotation.T + position
        return Shape(x, self.faces, self.edges, self.radii, self.closed, self.samples)


def of_triangles(vertices: NDArray[np.float64], faces: NDArray[Any], edges: NDArray[Any] | None = None) -> Shape:
    """A shape of triangles; one that repeats a vertex becomes its edge, and one that repeats another triangle is left out."""
    f = np.asarray(faces, np.int32).reshape(-1, 3)
    whole = (f[:, 0] != f[:, 1]) & (f[:, 1] != f[:, 2]) & (f[:, 2] != f[:, 0])
    lines = [np.empty((0, 2), np.int32) if edges is None else np.asarray(edges, np.int32)]
    for a, b in ((0, 1), (1, 2)):
        pairs = f[~whole][:, [a, b]]
        lines.append(pairs[pairs[:, 0] != pairs[:, 1]])
    f = f[whole]
    f = f[np.sort(np.unique(np.sort(f, axis=1), axis=0, return_index=True)[1])]
    loose = np.unique(np.sort(np.vstack(lines), axis=1), axis=0)
    own = np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    known = set(map(tuple, own.tolist()))
    loose = np.array([e for e in loose.tolist() if tuple(e) not in known], np.int32).reshape(-1, 2)
    x = np.ascontiguousarray(vertices, np.float64)
    return Shape(x, f, loose, np.zeros(len(x)), _is_closed(f), _components(len(x), f))


def of_surface(surface: Surface, scale: NDArray[np.float64] | None = None) -> Shape:
    """A shape of a surface's triangles and edges, scaled; a mirror image keeps its outside."""
    x, f = surface.vertices, surface.faces
    if scale is not None:
        x = x * scale
        if np.prod(scale) < 0:
            f = f[:, ::-1]
    return of_triangles(x, f, surface.edges)


def box(size: NDArray[np.float64]) -> Shape:
    """The box about the origin."""
    corners = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)]) - 0.5
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return of_triangles(corners * size, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]))


def cylinder(radius: float, length: float, segments: int) -> Shape:
    """A prism around the cylinder about z: its sides touch the cylinder, so that it holds it."""
    out = radius / math.cos(math.pi / segments) * _UP
    angle = 2 * math.pi * np.arange(segments) / segments
    ring = np.stack([out * np.cos(angle), out * np.sin(angle)], axis=1)
    z = length / 2
    x = np.vstack([np.c_[ring, np.full(segments, -z)], np.c_[ring, np.full(segments, z)], [[0, 0, -z], [0, 0, z]]])
    i = np.arange(segments)
    j, low, high = (i + 1) % segments, 2 * segments, 2 * segments + 1
    sides = np.vstack([np.c_[i, j, j + segments], np.c_[i, j + segments, i + segments]])
    ends = np.vstack([np.c_[np.full(segments, low), j, i], np.c_[np.full(segments, high), i + segments, j + segments]])
    return of_triangles(x, np.vstack([sides, ends]))


def ball(radius: float) -> Shape:
    """A vertex with a radius: the ball itself."""
    none = np.empty((0, 3), np.int32), np.empty((0, 2), np.int32)
    return Shape(np.zeros((1, 3)), *none, np.array([radius]), False, np.zeros(1, np.int64))


def joined(shapes: list[Shape]) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Vertices, faces, codimensional edges and radii of several shapes together."""
    first = np.cumsum([0, *(len(s.vertices) for s in shapes)])
    x = np.vstack([np.empty((0, 3)), *(s.vertices for s in shapes)])
    f = np.vstack([np.empty((0, 3), np.int32), *(s.faces + np.int32(o) for s, o in zip(shapes, first))])
    e = np.vstack([np.empty((0, 2), np.int32), *(s.edges + np.int32(o) for s, o in zip(shapes, first))])
    return x, f, e, np.concatenate([np.empty(0), *(s.radii for s in shapes)])


def _is_closed(faces: NDArray[np.int32]) -> bool:
    if not len(faces):
        return False
    directed = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    n = int(directed.max()) + 1
    forth, back = (np.sort(directed[:, a] * n + directed[:, b]) for a, b in ((0, 1), (1, 0)))
    return bool((np.diff(forth) > 0).all() and np.array_equal(forth, back))


def _components(count: int, faces: NDArray[np.int32]) -> NDArray[np.int64]:
    """The least vertex of each connected component; vertices in no face are components."""
    label = np.arange(count)
    while True:
        least = label[faces].min(axis=1) if len(faces) else np.empty(0, np.int64)
        new = label.copy()
        for corner in range(3):
            np.minimum.at(new, faces[:, corner], least)
        new = new[new]
        if np.array_equal(new, label):
            return np.unique(label)
        label = new


def contains(vertices: NDArray[np.float64], faces: NDArray[np.int32], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points, none of them on the surface, are inside closed surfaces: their winding numbers are not 0.

    The winding number is the sum of the solid angles of the triangles [VanOosterom1983], over 4 pi. It is an integer, and the
    error of its terms is far below 1/10 unless a point is within rounding of the surface.
    """
    found = np.zeros(len(points), bool)
    for i, p in enumerate(points):
        a, b, c = (vertices[faces[:, k]] - p for k in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        top = np.einsum("ij,ij->i", a, np.cross(b, c))
        dots = [np.einsum("ij,ij->i", u, v) for u, v in ((a, b), (b, c), (c, a))]
        below = la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb
        turns = float(np.arctan2(top, below).sum() / (2 * math.pi))
        found[i] = round(turns) != 0 and abs(turns - round(turns)) < 0.1
    return found


def positive(name: str, value: Any) -> float:
    """A length above 0."""
    x = arrays.number(name, value)
    if not 0 < x <= 1e150:
        raise ArgumentError(f"{name} is {x}: must be above 0 and finite")
    return x
