"""Generated steps: how the time grows with the mesh, and kinds of scenes on which a grid may do worse than a tree."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import ccd
import numpy as np
from numpy.typing import NDArray

from . import clock, data, peers, steps

# Quads along a side of the sheet: about 10,000 to 3,000,000 edges.
SIDES = (58, 183, 577, 1000)


def growth(rounds: int, seconds: float, sides: tuple[int, ...] = SIDES) -> list[dict[str, Any]]:
    """Rows (edges, order, task, wall and cpu seconds, pairs): one thread, vertices in order and shuffled."""
    rows = []
    for n in sides:
        for order in ("in order", "shuffled"):
            scene = crumpled(n, shuffled=order == "shuffled")
            step = (scene.mesh, scene.x0, scene.x1)
            tasks: dict[str, Callable[[], object]] = {
                "broad phase, candidates kept": lambda scene=scene: steps.candidates(scene, 1),
                "all impacts": lambda step=step: len(ccd.step.collisions(*step, threads=1)),
                "earliest impact": lambda step=step: ccd.step.earliest(*step, threads=1).toi_lo,
            }
            for _ in range(3):  # the third call of a mesh makes its hierarchy
                tasks["earliest impact"]()
            for task, median in clock.medians(tasks, rounds, seconds).items():
                row = {"edges": len(scene.edges), "order": order, "task": task, "wall": median.wall, "cpu": median.cpu}
                rows.append(row | {"result": float(median.result)})
            print(".", end="", file=sys.stderr, flush=True)
    return rows


def kinds(rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Rows (scene, who, wall and cpu seconds, pairs) of the broad phase, one thread."""
    peers.set_threads(1)
    rows = []
    for scene in (huge_over_small(), needles(), clusters(), crumpled(183)):
        contestants: dict[str, Callable[[], object]] = {"libccd": lambda scene=scene: steps.candidates(scene, 1)}
        if peers.ipctk:
            peer = peers.steps(scene)
            contestants["ipctk LBVH"] = lambda peer=peer: len(peer.candidates())
        for who, median in clock.medians(contestants, rounds, seconds).items():
            rows.append({"scene": scene.name, "who": who, "wall": median.wall, "cpu": median.cpu, "pairs": int(median.result)})
        print(".", end="", file=sys.stderr, flush=True)
    return rows


def crumpled(n: int, shuffled: bool = False) -> data.Scene:
    """A sheet of n x n quads whose vertices move by up to most of an edge, so that neighbors just begin to cross."""
    random = np.random.default_rng(3)
    i, j = (g.ravel() for g in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    x0 = np.column_stack([i, j, 2 * np.sin(0.3 * i) * np.sin(0.2 * j)]).astype(float)
    x1 = x0 + random.uniform(-0.8, 0.8, x0.shape)
    v = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = (q.ravel() for q in (v[:-1, :-1], v[:-1, 1:], v[1:, :-1], v[1:, 1:]))
    faces = np.stack([np.column_stack([a, b, c]), np.column_stack([b, d, c])], axis=1).reshape(-1, 3)
    if shuffled:
        at = random.permutation(len(x0))
        x0[at], x1[at] = x0.copy(), x1.copy()
        faces = at[faces]
    return _scene("crumpled sheet" + (", shuffled" if shuffled else ""), x0, x1, faces)


def huge_over_small() -> data.Scene:
    """One triangle whose box holds 80,000 small ones."""
    small = crumpled(200)
    corners = np.array([[-200.0, -200, 9], [500, -200, 9], [-200, 500, -9]])
    n = len(small.x0)
    faces = np.concatenate([small.faces, [[n, n + 1, n + 2]]])
    return _scene("one huge over many small", np.concatenate([small.x0, corners]), np.concatenate([small.x1, corners]), faces)


def needles(n: int = 20_000) -> data.Scene:
    """Long thin triangles along all diagonals: boxes are cubes that are all but empty."""
    random = np.random.default_rng(5)
    start = random.uniform(0, 100, (n, 3))
    along = 4 * random.choice([-1.0, 1.0], (n, 3))
    x0 = np.stack([start, start + along, start + along / 2 + 0.02 * random.normal(size=(n, 3))], axis=1).reshape(-1, 3)
    return _scene("diagonal needles", x0, x0 + 0.1 * random.normal(size=x0.shape), np.arange(3 * n).reshape(-1, 3))


def clusters(count: int = 12, n: int = 4000) -> data.Scene:
    """Heaps of triangles, each heap half as large as the one before, with as many: from 1 to 1/2048."""
    random = np.random.default_rng(6)
    scale = np.repeat(0.5 ** np.arange(count), n)[:, None]
    center = np.repeat(random.uniform(-20, 20, (count, 3)), n, axis=0)
    middle = center + scale * random.uniform(-5, 5, (count * n, 3))
    corner = middle[:, None] + 0.3 * scale[:, None] * random.normal(size=(count * n, 3, 3))
    x0 = corner.reshape(-1, 3)
    x1 = (corner + 0.1 * scale[:, None] * random.normal(size=corner.shape)).reshape(-1, 3)
    return _scene("clusters of all sizes", x0, x1, np.arange(len(x0)).reshape(-1, 3))


def _scene(name: str, x0: NDArray, x1: NDArray, faces: NDArray) -> data.Scene:
    faces = np.ascontiguousarray(faces, dtype=np.int32)
    return data.Scene(name, x0, x1, data.edges_of(faces), faces, ccd.Mesh(faces, vertices=len(x0)))
