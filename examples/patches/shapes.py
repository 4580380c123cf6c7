"""Bodies of patches for the examples: control points, forms, index, weights, and points of the surfaces for pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from ccd.patch import Body, Form


@dataclass
class Shape:
    """Patches of one form on common control points."""

    points: np.ndarray  # (n, 3)
    form: Form
    index: np.ndarray  # (patches, points of the form)
    weights: np.ndarray | None = None  # like index

    def body(self) -> Body:
        """The patches as the library takes them."""
        return Body(len(self.points), self.form, self.index, self.weights)

    def triangles(self, x: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
        """The surface with its control points at x, each quad as n x n cells; triangles as they are. Vertices and faces."""
        if self.form.shape == 2:
            return x, self.index
        basis = np.kron(_bernstein(self.form.u, n), _bernstein(self.form.v, n))
        w = np.ones(self.index.shape) if self.weights is None else self.weights
        p = np.einsum("gk,pk,pkc->pgc", basis, w, x[self.index]) / np.einsum("gk,pk->pg", basis, w)[:, :, None]
        i = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
        cell = np.concatenate([np.stack([i, i + n + 1, i + n + 2], 1), np.stack([i, i + n + 2, i + 1], 1)])
        faces = (np.arange(len(p))[:, None, None] * (n + 1) ** 2 + cell).reshape(-1, 3)
        return p.reshape(-1, 3), faces


@cache
def _bernstein(degree: int, n: int) -> np.ndarray:
    s = np.linspace(0, 1, n + 1)[:, None]
    k = np.arange(degree + 1)
    return np.array([comb(degree, i) for i in k]) * s**k * (1 - s) ** (degree - k)


def torus(radius: float, tube: float) -> Shape:
    """The exact torus of 16 rational biquadratic patches around the z axis."""
    corner = np.array([[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]], float)
    w = np.where(np.arange(8) % 2, np.sqrt(0.5), 1)
    around, across = np.meshgrid(np.arange(8), np.arange(8), indexing="ij")
    r = radius + tube * corner[across, 0]
    points = np.stack([r * corner[around, 0], r * corner[around, 1], tube * corner[across, 1]], axis=-1)
    index, weights = [], []
    for i in range(0, 8, 2):
        for j in range(0, 8, 2):
            a, b = (np.arange(i, i + 3) % 8)[:, None], (np.arange(j, j + 3) % 8)[None, :]
            index.append((8 * a + b).ravel())
            weights.append((w[a] * w[b]).ravel())
    return Shape(points.reshape(-1, 3), Form.quad(2, 2), np.array(index), np.array(weights))


def blob() -> Shape:
    """A body of 320 linear triangles: a sphere with a head, two ears and a tail, somewhat like a rabbit."""
    g = (1 + 5**0.5) / 2
    v = np.array([p for a in (-1, 1) for b in (-g, g) for p in ((0, a, b), (a, b, 0), (b, 0, a))], float)
    v /= np.linalg.norm(v[0])
    near = np.linalg.norm(v[:, None] - v[None], axis=2) < 1.1
    faces = [(i, j, k) for i in range(12) for j in range(i) for k in range(j) if near[i, j] and near[j, k] and near[i, k]]
    for _ in range(2):
        made: dict[tuple[int, int], int] = {}
        points, split = list(v), []

        def middle(i: int, j: int, points: list = points, made: dict = made) -> int:
            key = (min(i, j), max(i, j))
            if key not in made:
                made[key] = len(points)
                m = points[i] + points[j]
                points.append(m / np.linalg.norm(m))
            return made[key]

        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            split += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        v, faces = np.array(points), split
    bumps = (((0.8, 0, 0.6), 0.6, 7), ((0.35, 0.3, 0.9), 0.8, 16), ((0.35, -0.3, 0.9), 0.8, 16), ((-1, 0, -0.2), 0.25, 16))
    r = np.ones(len(v))
    for direction, height, narrow in bumps:
        d = np.array(direction) / np.linalg.norm(direction)
        r += height * np.exp(narrow * (v @ d - 1))
    index = np.array(faces)
    p = v * r[:, None] * [0.95, 0.75, 0.85]
    n = np.cross(p[index[:, 1]] - p[index[:, 0]], p[index[:, 2]] - p[index[:, 0]])
    out = np.einsum("ij,ij->i", n, p[index].mean(axis=1)) < 0
    index[out] = index[out][:, ::-1]
    return Shape(0.8 * p, Form.triangle(1), index)


# The Utah teapot (M. Newell, 1975): profiles (r, z) of what is turned, and half of handle and spout, four points a row.
_TURNED = (
    ((1.4, 2.4), (1.3375, 2.53125), (1.4375, 2.53125), (1.5, 2.4)),
    ((1.5, 2.4), (1.75, 1.875), (2, 1.35), (2, 0.9)),
    ((2, 0.9), (2, 0.45), (1.5, 0.225), (1.5, 0.15)),
    ((0, 3.15), (0.8, 3.15), (0, 2.85), (0.2, 2.7)),
    ((0.2, 2.7), (0.4, 2.55), (1.3, 2.55), (1.3, 2.4)),
    ((1.5, 0.15), (1.5, 0.075), (1.425, 0), (0, 0)),
)
_HALVES = (
    (
        ((-1.6, 0, 2.025), (-1.6, -0.3, 2.025), (-1.5, -0.3, 2.25), (-1.5, 0, 2.25)),
        ((-2.3, 0, 2.025), (-2.3, -0.3, 2.025), (-2.5, -0.3, 2.25), (-2.5, 0, 2.25)),
        ((-2.7, 0, 2.025), (-2.7, -0.3, 2.025), (-3, -0.3, 2.25), (-3, 0, 2.25)),
        ((-2.7, 0, 1.8), (-2.7, -0.3, 1.8), (-3, -0.3, 1.8), (-3, 0, 1.8)),
        ((-2.7, 0, 1.575), (-2.7, -0.3, 1.575), (-3, -0.3, 1.35), (-3, 0, 1.35)),
        ((-2.5, 0, 1.125), (-2.5, -0.3, 1.125), (-2.65, -0.3, 0.9375), (-2.65, 0, 0.9375)),
        ((-2, 0, 0.9), (-2, -0.3, 0.9), (-1.9, -0.3, 0.6), (-1.9, 0, 0.6)),
    ),
    (
        ((1.7, 0, 1.425), (1.7, -0.66, 1.425), (1.7, -0.66, 0.6), (1.7, 0, 0.6)),
        ((2.6, 0, 1.425), (2.6, -0.66, 1.425), (3.1, -0.66, 0.825), (3.1, 0, 0.825)),
        ((2.3, 0, 2.1), (2.3, -0.25, 2.1), (2.4, -0.25, 2.025), (2.4, 0, 2.025)),
        ((2.7, 0, 2.4), (2.7, -0.25, 2.4), (3.3, -0.25, 2.4), (3.3, 0, 2.4)),
        ((2.8, 0, 2.475), (2.8, -0.25, 2.475), (3.525, -0.25, 2.49375), (3.525, 0, 2.49375)),
        ((2.9, 0, 2.475), (2.9, -0.15, 2.475), (3.45, -0.15, 2.5125), (3.45, 0, 2.5125)),
        ((2.8, 0, 2.4), (2.8, -0.15, 2.4), (3.2, -0.15, 2.4), (3.2, 0, 2.4)),
    ),
)


def teapot() -> Shape:
    """The 32 bicubic patches of the Utah teapot, its axis along z."""
    quarter = np.array([(1, 0), (1, 0.56), (0.56, 1), (0, 1)])
    patches = []
    for profile in np.array(_TURNED, float):
        for k in range(4):
            c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[k]
            ring = quarter @ np.array([[c, s], [-s, c]])
            patches.append([[(r * x, r * y, z) for x, y in ring] for r, z in profile])
    for rows in np.array(_HALVES, float):
        for first in (0, 3):
            half = rows[first : first + 4]
            patches += [half, half * [1, -1, 1]]
    points, at = np.unique(np.array(patches).reshape(-1, 3) + 0.0, axis=0, return_inverse=True)
    return Shape(points, Form.quad(3, 3), at.reshape(32, 16))


def sheet(n: int, size: float, z: float) -> Shape:
    """A cloth of n x n bicubic patches: a uniform B-spline of (n + 3)^2 control points, see `bezier`."""
    h = size / n
    grid = (np.arange(n + 3) - 1) * h - size / 2
    points = np.stack([*np.meshgrid(grid, grid, indexing="ij"), np.full((n + 3, n + 3), z)], axis=-1)
    return Shape(points.reshape(-1, 3), Form.quad(3, 3), np.zeros((n * n, 16), int))


def bezier(x: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Bezier control points of such a cloth, (3 n + 1)^2 of them, linear in x; and the index of its patches."""
    turn = np.array([[1, 4, 1, 0], [0, 4, 2, 0], [0, 2, 4, 0], [0, 1, 4, 1]]) / 6
    one = np.zeros((3 * n + 1, n + 3))
    for k in range(n):
        one[3 * k : 3 * k + 4, k : k + 4] = turn
    y = np.einsum("ia,jb,abc->ijc", one, one, x.reshape(n + 3, n + 3, 3)).reshape(-1, 3)
    i, j = (a.ravel()[:, None] for a in np.meshgrid(3 * np.arange(n), 3 * np.arange(n), indexing="ij"))
    a, b = (c.ravel() for c in np.meshgrid(np.arange(4), np.arange(4), indexing="ij"))
    return y, (i + a) * (3 * n + 1) + j + b
