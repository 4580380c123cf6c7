"""Distances of two rigid bodies at poses: ours beside those of coal and FCL, in one run, in turn.

    python bench/poses.py [--poses K] [--repeat R]

Prints a table with a row for each surface and distance: the least processor time of a query over
all repetitions, by a loop of single calls and by a batch, and the same of the peers that are
installed (coal, python-fcl). The trees of all are made before. Distances are compared as well.
"""

import argparse
import itertools
import time

import numpy as np


def grid(point, rows, columns, closed_rows=False):
    """The triangles of a map of the unit square, whose columns close on themselves."""
    u = np.arange(rows) / (rows if closed_rows else rows - 1)
    v = np.arange(columns) / columns
    vertices = point(*(c.ravel() for c in np.meshgrid(u, v, indexing="ij")))
    faces = []
    for i, j in itertools.product(range(rows if closed_rows else rows - 1), range(columns)):
        a, b = i * columns + j, i * columns + (j + 1) % columns
        c, d = (i + 1) % rows * columns + j, (i + 1) % rows * columns + (j + 1) % columns
        faces += [(a, c, b), (b, c, d)]
    return np.ascontiguousarray(np.stack(vertices, 1)), np.array(faces, np.int32)


def bumpy(triangles):
    """A ball with lobes and bumps, like a scanned animal."""
    n = int(np.sqrt(triangles / 4))

    def point(u, v):
        theta, phi = np.pi * (0.001 + 0.998 * u), 2 * np.pi * v
        r = 0.7 + 0.2 * np.sin(3 * theta) * np.cos(2 * phi) + 0.05 * np.sin(11 * theta + 1) * np.sin(9 * phi)
        return r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)

    return grid(point, n, 2 * n)


def gear(triangles):
    """A ring with 24 teeth."""
    n = int(np.sqrt(triangles / 16))

    def point(u, v):
        across, around = 2 * np.pi * u, 2 * np.pi * v
        teeth = 0.12 * np.clip(4 * np.sin(24 * around), -1, 1) * np.maximum(np.cos(across), 0)
        r = 0.7 + 0.2 * np.cos(across) + teeth
        return r * np.cos(around), r * np.sin(around), 0.15 * np.clip(3 * np.sin(across), -1, 1)

    return grid(point, n, 8 * n, True)


def screw(triangles):
    """A rod with a thread of 16 turns."""
    n = int(np.sqrt(triangles / 16))

    def point(u, v):
        around, z = 2 * np.pi * v, 2 * u - 1
        r = (0.25 + 0.05 * np.abs(((16 * u + v) % 1) * 2 - 1)) * np.sqrt(np.clip(40 * (1 - z * z), 0.01, 1))
        return r * np.cos(around), r * np.sin(around), z

    return grid(point, 8 * n, n)


def terrain(triangles):
    """A sheet with hills."""
    n = int(np.sqrt(triangles / 2)) + 1
    x, y = (c.ravel() for c in np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij"))
    z = 0.2 * np.sin(5 * x + 1) * np.cos(4 * y) + 0.03 * np.sin(23 * x) * np.sin(19 * y)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.concatenate([np.stack([corner, corner + n, corner + 1], 1),
                            np.stack([corner + 1, corner + n, corner + n + 1], 1)])
    return np.ascontiguousarray(np.stack([x, y, z], 1)), faces.astype(np.int32)


def knot(triangles):
    """A tube along a trefoil."""
    n = int(np.sqrt(triangles / 32))

    def point(u, v):
        t = 2 * np.pi * u
        center = np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)]) / 3
        along = np.stack([np.cos(t) + 4 * np.cos(2 * t), -np.sin(t) + 4 * np.sin(2 * t), -3 * np.cos(3 * t)])
        along /= np.linalg.norm(along, axis=0)
        side = np.cross(along.T, [0.3, 0.2, 1.0]).T
        side /= np.linalg.norm(side, axis=0)
        up = np.cross(along.T, side.T).T
        return tuple(center + 0.12 * (np.cos(2 * np.pi * v) * side + np.sin(2 * np.pi * v) * up))

    return grid(point, 16 * n, n, True)


SURFACES = {"bumpy": bumpy, "gear": gear, "screw": screw, "terrain": terrain, "knot": knot}
SIZES = {"bumpy": 70_000, "gear": 20_000, "screw": 100_000, "terrain": 5_000, "knot": 1_000}
DISTANCES = (0.0, 0.01, 0.1, 0.3, 1.0)


def rotations(count, rng):
    """Random unit quaternions w, x, y, z."""
    q = rng.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def matrix(q):
    """The rotation of a unit quaternion."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
