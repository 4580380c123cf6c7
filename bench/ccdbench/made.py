"""Scenes made here for what real ones seldom have: flat sheets, needles, twisted rods, static worlds, and next to nothing."""

from __future__ import annotations

import sys
from typing import Any

import ccd
import numpy as np
from numpy.typing import NDArray

from . import clock, data, frames, machine, peers, steps

Array = NDArray[np.float64]


def measure(rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Rows (scene, task, who, threads, wall and cpu seconds of a call, result): one thread, and ours on all cores."""
    rows = []
    peers.set_threads(1)
    for scene, repeat in scenes():
        for task, contestants in _tasks(scene).items():
            calls = {who: _repeated(call, repeat) for who, call in contestants.items()}
            for (who, threads), median in clock.medians(calls, rounds, seconds).items():
                row = {"scene": scene.name, "task": task, "who": who, "threads": threads, "result": float(median.result)}
                rows.append(row | {"wall": median.wall / repeat, "cpu": median.cpu / repeat})
                print(".", end="", file=sys.stderr, flush=True)
    return rows


def _tasks(scene: data.Scene) -> dict[str, dict[tuple[str, int], Any]]:
    """The calls of each task, by who and threads."""
    peer = peers.steps(scene) if peers.ipctk else None
    d, step = _mean_edge(scene) / 20, (scene.mesh, scene.x0, scene.x1)
    tasks: dict[str, dict[tuple[str, int], Any]] = {"broad": {}, "earliest": {}, "near": {}}
    for threads in sorted({1, machine.cores()}):
        tasks["broad"]["libccd", threads] = lambda t=threads: steps.candidates(scene, t)
        tasks["earliest"]["libccd", threads] = lambda t=threads: ccd.step.earliest(*step, threads=t).toi_lo
        tasks["near"]["libccd", threads] = lambda t=threads: frames.near(scene, scene.x0, d, t)
    if peer and scene.name != "two worlds":  # ipctk has no static vertices
        tasks["broad"]["ipctk", 1] = lambda: len(peer.candidates())
        tasks["earliest"]["ipctk", 1] = peer.step_size
        tasks["near"]["ipctk", 1] = frames.peer_near(scene, scene.x0, d)
    if scene.name == "tiny":  # what a user's call takes
        tasks["broad"]["libccd", 1] = lambda: len(ccd.broad.candidates(*step, threads=1))
        tasks["near"]["libccd", 1] = lambda: len(ccd.proximity.near(scene.mesh, scene.x0, d, threads=1))
    if scene.name == "long needles":  # lists of candidates and near pairs take all boxes that overlap, here all, as ipctk does
        del tasks["broad"], tasks["near"]
        tasks["earliest"].pop(("ipctk", 1), None)
    return tasks


def _repeated(call: Any, times: int) -> Any:
    def run() -> Any:
        for _ in range(times - 1):
            call()
        return call()

    return run


def _mean_edge(scene: data.Scene) -> float:
    ends = scene.x0[scene.edges]
    return float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean())


def scenes() -> list[tuple[data.Scene, int]]:
    """The scenes, each with how often a call is repeated to be timed."""
    rng = np.random.default_rng(23)
    return [
        (_sheets("flat sheets", 71, lambda n: np.zeros(n)), 1),
        (_sheets("rough sheets", 71, lambda n: 1e-3 * rng.standard_normal(n)), 1),
        (_needles(10_000, rng), 1),
        (_rods("twisted rods", 37, 120, 8, 2.5, 2.8), 1),
        (bundle := _rods("twisted bundle", 91, 160, 6, 12.0, 12.3), 1),
        (_shuffled(bundle, rng), 1),
        (_worlds(200, rng), 1),
        (_tiny(), 1000),
        (_long_needles(2_000, rng), 1),
    ]


def _scene(name: str, x0: Array, x1: Array, faces: Any) -> data.Scene:
    faces = np.ascontiguousarray(faces, dtype=np.int32)
    mesh = ccd.Mesh(faces, vertices=len(x0))
    return data.Scene(name, np.ascontiguousarray(x0), np.ascontiguousarray(x1), data.edges_of(faces), faces, mesh)


def _grid(rows: int, columns: int, wrap: bool = False) -> NDArray[np.int64]:
    """Triangles of a grid; with wrap the last column is beside the first."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - (not wrap)), indexing="ij")
    right = (j + 1) % columns
    a, b, c, d = i * columns + j, (i + 1) * columns + j, i * columns + right, (i + 1) * columns + right
    return np.stack([np.stack([a, b, c], -1), np.stack([b, d, c], -1)]).reshape(-1, 3)


def _sheets(name: str, side: int, height: Any) -> data.Scene:
    """A square sheet falls onto another, which is turned a little."""
    i, j = np.meshgrid(np.arange(side) / side, np.arange(side) / side, indexing="ij")
    x, y = i.ravel(), j.ravel()
    low = np.stack([x, y, height(side * side)], -1)
    high = np.stack([0.96 * x - 0.28 * y, 0.28 * x + 0.96 * y, 0.1 + height(side * side)], -1)
    x0 = np.concatenate([low, high])
    x1 = np.concatenate([low, high - [0, 0, 0.2]])
    faces = _grid(side, side)
    return _scene(name, x0, x1, np.concatenate([faces, faces + side * side]))


def _needles(n: int, rng: np.random.Generator) -> data.Scene:
    """Thin triangles along (1, 1, 1), all over a cube, which move a little."""
    base = rng.random((n, 3))
    x0 = np.stack([base, base + 0.1, base + 0.05 + 1e-3 * rng.standard_normal((n, 3))], 1).reshape(-1, 3)
    x1 = x0 + np.repeat(0.01 * rng.standard_normal((n, 3)), 3, 0)
    return _scene("needles", x0, x1, np.arange(3 * n).reshape(-1, 3))


def _long_needles(n: int, rng: np.random.Generator) -> data.Scene:
    """Thin triangles from one side of a cube to the other along (1, 1, 1): all boxes overlap."""
    base = np.column_stack([rng.random((n, 2)), np.zeros(n)])
    gap = 0.01 / np.sqrt(n)
    x0 = np.stack([base, base + 1, base + 0.5 + gap * rng.standard_normal((n, 3))], 1).reshape(-1, 3)
    x1 = x0 + np.repeat(gap * rng.standard_normal((n, 3)), 3, 0)
    return _scene("long needles", x0, x1, np.arange(3 * n).reshape(-1, 3))


def _rods(name: str, rods: int, rings: int, around: int, before: float, after: float) -> data.Scene:
    """A bundle of tubes whose upper end turns, from one angle to another."""
    k = np.arange(rods)
    radius, angle = 0.1 * np.sqrt(k), 2.399963 * k  # a sunflower
    centers = np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1)
    z, phi = np.linspace(0, 4, rings), 2 * np.pi * np.arange(around) / around
    circle = 0.04 * np.stack([np.cos(phi), np.sin(phi)], -1)

    def twisted(turn: float) -> Array:
        xy = centers[:, None, None] + circle[None, None]
        a = turn * z[None, :, None] / 4
        x, y = xy[..., 0], xy[..., 1]
        out = [
            np.cos(a) * x - np.sin(a) * y,
            np.sin(a) * x + np.cos(a) * y,
            np.broadcast_to(z[None, :, None], (rods, rings, around)),
        ]
        return np.stack(out, -1).reshape(-1, 3)

    tube = _grid(rings, around, wrap=True)
    faces = np.concatenate([tube + rings * around * r for r in range(rods)])
    return _scene(name, twisted(before), twisted(after), faces)


def _shuffled(scene: data.Scene, rng: np.random.Generator) -> data.Scene:
    """The same scene with its vertices and its faces in another order."""
    order = rng.permutation(len(scene.x0))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return _scene(scene.name + ", shuffled", scene.x0[order], scene.x1[order], place[rng.permutation(scene.faces)])


def _worlds(side: int, rng: np.random.Generator) -> data.Scene:
    """Two static landscapes, one upside down over the other, and a small sheet that falls between them."""
    i, j = np.meshgrid(np.arange(side) / side, np.arange(side) / side, indexing="ij")
    x, y = i.ravel(), j.ravel()
    hills = 0.05 * np.sin(9 * x) * np.sin(11 * y) + 1e-3 * rng.standard_normal(side * side)
    small = 12
    u, v = (a.ravel() for a in np.meshgrid(np.arange(small) / side, np.arange(small) / side, indexing="ij"))
    sheet = np.stack([0.45 + u, 0.45 + v, 0.15 + 1e-4 * rng.standard_normal(small * small)], -1)
    x0 = np.concatenate([np.stack([x, y, hills], -1), np.stack([x, y, 0.3 - hills], -1), sheet])
    x1 = x0.copy()
    x1[-small * small :, 2] -= 0.2
    ground = _grid(side, side)
    scene = _scene("two worlds", x0, x1, np.concatenate([ground, ground + side * side, _grid(small, small) + 2 * side * side]))
    scene.mesh.set_static(np.arange(len(x0)) < 2 * side * side)
    return scene


def _tiny() -> data.Scene:
    """A triangle falls onto another."""
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.5], [1.2, 0.2, 0.51], [0.2, 1.2, 0.52]])
    x1 = x0.copy()
    x1[3:, 2] -= 1
    return _scene("tiny", x0, x1, [[0, 1, 2], [3, 4, 5]])
