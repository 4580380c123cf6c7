"""The surfaces of the example: gears, blobs with two ears, and the open box that they fall into."""

from __future__ import annotations

import numpy as np

Surface = tuple[np.ndarray, np.ndarray]


def gear(teeth: int = 9, outer: float = 0.5, inner: float = 0.36, half: float = 0.13) -> Surface:
    """A spur gear about the z axis: its outline, four points a tooth, drawn out and closed by fans."""
    n = 4 * teeth
    angle = 2 * np.pi * np.arange(n) / n
    radius = np.where(np.arange(n) % 4 < 2, outer, inner)
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    top, bottom = (np.column_stack([ring, np.full(n, z)]) for z in (half, -half))
    vertices = np.concatenate([top, bottom, [[0, 0, half], [0, 0, -half]]])
    i = np.arange(n)
    j = (i + 1) % n
    hub, base = np.full(n, 2 * n), np.full(n, 2 * n + 1)
    sides = [np.stack(f, axis=1) for f in ((i, i + n, j + n), (i, j + n, j), (hub, i, j), (base, j + n, i + n))]
    return vertices, np.concatenate(sides)


def blob(levels: int = 3, size: float = 0.34) -> Surface:
    """A round animal: a sphere whose radius grows smoothly towards two ears, a nose and a tail. It is star-shaped."""
    v, f = _sphere(levels)
    radius = np.ones(len(v))
    ears = [((0.2, 0.5, 1), 0.8, 24), ((0.2, -0.5, 1), 0.8, 24)]
    for toward, height, width in (*ears, ((1, 0, 0.2), 0.25, 5), ((-1, 0, 0), 0.2, 12)):
        axis = np.array(toward) / np.linalg.norm(toward)
        radius += height * np.exp(width * (v @ axis - 1))
    return v * (size * radius)[:, None], f


def _sphere(levels: int) -> Surface:
    """The octahedron, its faces halved along every edge and pushed out to the unit sphere."""
    v = [np.array(p, float) for p in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
    f = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(levels):
        middle: dict[tuple[int, int], int] = {}

        def half(a: int, b: int, middle: dict[tuple[int, int], int] = middle) -> int:
            key = (min(a, b), max(a, b))
            if key not in middle:
                p = v[a] + v[b]
                middle[key] = len(v)
                v.append(p / np.linalg.norm(p))
            return middle[key]

        halves = [(a, b, c, half(a, b), half(b, c), half(c, a)) for a, b, c in f]
        f = [t for a, b, c, x, y, z in halves for t in ((a, x, z), (x, b, y), (z, y, c), (x, y, z))]
    return np.array(v), np.array(f)


def tray(half: float, height: float) -> Surface:
    """A floor at z = 0 and four walls around it."""
    s = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    vertices = np.concatenate([np.column_stack([s, np.full(4, z)]) for z in (0.0, height)])
    walls = [t for i in range(4) for j in [(i + 1) % 4] for t in ((i, j, j + 4), (i, j + 4, i + 4))]
    return vertices, np.array([(0, 1, 2), (0, 2, 3), *walls])
