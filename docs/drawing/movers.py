"""Figures of scenes in which only some vertices move: docs/proofs/scenes."""

from __future__ import annotations

from itertools import pairwise

import ccd
import numpy as np

from drawing.canvas import Figure

CELL = 62.0


def scene() -> Figure:
    """The cells that a moving body marks, and what is near it."""
    f = Figure("scene", "A body marks cells; elements in them whose boxes meet it are near", 640, 330)
    x = np.arange(20, 621, 24.0)
    ground = np.stack([x, 232 + 26 * np.sin(x / 70) + 8 * np.sin(x / 23)], 1)
    body = np.array([[300.0, 62], [352, 70], [322, 104]])
    fall = np.array([16.0, 114])
    # A strip of triangles stands for the ground, a column for the body.
    deep = lambda points, z: np.column_stack([points, np.full(len(points), z)])  # noqa: E731
    n = len(ground)
    faces = [[i, i + 1, n + i] for i in range(n - 1)] + [[i + 1, n + i + 1, n + i] for i in range(n - 1)]
    x0 = np.vstack([deep(ground, -40), deep(ground, 40), deep(body, 0)])
    moved = np.arange(2 * n, 2 * n + 3)
    world = ccd.scene.Scene(ccd.Mesh(faces=[*faces, moved.tolist()]), x0)
    hit = world.step(moved, deep(body + 1.2 * fall, 0)).advance()
    assert 0.5 < hit.alpha < 1
    lo, hi = np.minimum(body, body + fall).min(0), np.maximum(body, body + fall).max(0)
    top = np.array([20.0, 30])
    first, last = ((p - top) // CELL for p in (lo, hi))
    for i in range(10):
        for j in range(4):
            at, here = top + CELL * np.array([i, j]), bool(np.all(first <= (i, j)) and np.all((i, j) <= last))
            f.box(*at, *np.minimum(at + CELL, [620, 300]), "fill a soft" if here else "soft")
    near = 0
    for p, q in pairwise(ground):
        meets = bool(np.all(np.minimum(p, q) <= hi) and np.all(np.maximum(p, q) >= lo))
        near += meets
        f.path([p, q], "good thick" if meets else "ink")
        f.dot(*p, "good" if meets else "ink", 2)
    f.path(body, "fill b b", closed=True)
    f.path(body + fall, "fill b b dashed", closed=True)
    f.arrow(*body.mean(0), *(body.mean(0) + 0.8 * fall), "b")
    f.box(*lo, *hi, "b dashed")
    f.text(20, 20, "the box of the motion marks the shaded cells")
    f.text(20, 322, f"Of {n - 1} elements of the ground {near} meet the box: a call tests the body and these.")
    return f


FIGURES = (scene,)
