"""Soft bodies roll down a terrain of some hundred thousand triangles that stands still. See README.md.

[Mueller2005] M. Mueller et al., Meshless deformations based on shape matching. SIGGRAPH 2005.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ccd
from contact import push
from drawing import Camera, picture, sheet, write_png

Floats = NDArray[np.float64]
GAP, DT, GRAVITY, SIDE, RADIUS = 0.02, 0.04, 9.81, 40.0, 0.7


def height(x: Floats, y: Floats) -> Floats:
    """Hills on a slope that ends in a basin."""
    rng = np.random.default_rng(4)
    z = 0.4 * np.maximum(y + 8, 0) + 0.015 * x**2
    for waves in np.geomspace(1.2, 40, 26):
        angle, phase, size = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi), 0.55 / waves**1.1
        z = z + size * np.sin(2 * np.pi * waves / SIDE * (np.cos(angle) * x + np.sin(angle) * y) + phase)
    return z


def sphere(level: int) -> tuple[Floats, NDArray[np.int64]]:
    """An octahedron whose faces are divided in four `level` times, on a ball."""
    x = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1.0]])
    faces = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])
    for _ in range(level):
        sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        edges, of = np.unique(sides, axis=0, return_inverse=True)
        a, b, c = (of.reshape(-1, 3) + len(x)).T
        x = np.vstack([x, x[edges].sum(axis=1)])
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        p, q, r = faces.T
        faces = np.concatenate([np.stack(t, 1) for t in ((p, a, c), (a, q, b), (c, b, r), (a, b, c))])
    return x, faces


class World:
    """A terrain of n x n vertices, and bodies that keep their shape by shape matching [Mueller2005]."""

    def __init__(self, n: int, bodies: int):
        u, v = (a.ravel() for a in np.meshgrid(np.linspace(-SIDE / 2, SIDE / 2, n), np.linspace(-SIDE / 2, SIDE / 2, n)))
        i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
        ground = np.vstack([np.stack([i, i + 1, i + n], 1), np.stack([i + 1, i + n + 1, i + n], 1)])
        ball, shell = sphere(2)
        self.rest, self.bodies, size = RADIUS * ball, bodies, len(ball)
        place = np.arange(bodies)
        across, along = (place % 6 - 2.5) * 2.6 + 0.4 * (place // 6 % 2), SIDE / 2 - 4 - 2.4 * (place // 6)
        center = np.stack([across, along, height(across, along) + 2 * RADIUS], 1)
        balls = (center[:, None] + self.rest).reshape(-1, 3)
        self.count = len(balls)  # number of vertices that move; they come first
        self.x = np.vstack([balls, np.stack([u, v, height(u, v)], 1)])
        shells = (shell + size * place[:, None, None]).reshape(-1, 3)
        self.faces = np.vstack([shells, ground + self.count])
        self.moving = np.arange(len(self.x)) < self.count
        self.inverse_mass, self.velocity = self.moving.astype(float), np.zeros((self.count, 3))
        self.mesh = ccd.Mesh(faces=self.faces, vertices=len(self.x))
        self.mesh.set_static(~self.moving)  # pairs of the terrain alone are skipped
        self.colors = self._colors(len(shells))

    def _colors(self, shells: int) -> Floats:
        middle = self.x[self.faces[shells:]].mean(axis=1)
        share = np.clip((middle[:, 2:] + 2) / 13, 0, 1)
        ground = (1 - share) * (0.38, 0.52, 0.30) + share * (0.78, 0.72, 0.62)
        hues = np.array([(0.90, 0.35, 0.25), (0.95, 0.72, 0.22), (0.30, 0.50, 0.85)])
        checks = np.arange(shells) // 32 % 2  # so that a person sees how the bodies turn
        body = np.arange(shells) * self.bodies // shells
        return np.vstack([hues[body % 3] * (1 - 0.45 * checks[:, None]), ground])

    def shaped(self, x: Floats) -> Floats:
        """The bodies at rest, turned and moved to where they fit positions best."""
        p = x.reshape(self.bodies, -1, 3)
        center = p.mean(axis=1, keepdims=True)
        u, _, v = np.linalg.svd(np.einsum("bik,il->bkl", p - center, self.rest))
        u[:, :, 2] *= np.linalg.det(u @ v)[:, None]
        return (np.einsum("bkl,il->bik", u @ v, self.rest) + center).reshape(-1, 3)

    def step(self) -> int:
        """Advance by a time step, and return the number of contacts."""
        y = self.x.copy()
        y[: self.count] += DT * self.velocity - [0, 0, DT**2 * GRAVITY]
        contacts = 0
        for _ in range(3):
            y[: self.count] = self.shaped(y[: self.count])
            contacts = push(self.mesh, self.x, y, self.inverse_mass, GAP, friction=0.3, rounds=2)
        moved = ccd.step.sizes(self.mesh, self.x, y, min_separation=GAP / 2, keep_ratio=0.9).y
        self.velocity = 0.998 * (moved - self.x)[: self.count] / DT
        self.x = moved
        return contacts

    def seconds(self, static: bool) -> tuple[float, NDArray[np.void]]:
        """Processor time of the impacts of one step, with and without the filter; and the impacts, which are the same."""
        y = self.x.copy()
        y[: self.count] += DT * self.velocity - [0, 0, DT**2 * GRAVITY]
        self.mesh.set_static(~self.moving if static else None)
        began = time.process_time()
        found = ccd.step.collisions(self.mesh, self.x, y, min_separation=GAP)
        took = time.process_time() - began
        self.mesh.set_static(~self.moving)
        return took, found

    def picture(self, w: int, h: int) -> NDArray[np.uint8]:
        return picture(self.x, self.faces, self.colors, Camera((0.55, -1, 0.75), (0.5, 0, 4), 1.5 * w / SIDE), w, h)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--terrain", type=int, default=400, help="vertices along a side of the terrain")
    given.add_argument("--bodies", type=int, default=24)
    given.add_argument("--steps", type=int, default=140)
    given.add_argument("--out", type=Path, default=Path("build/example-steps"))
    args = given.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    world, images, began = World(args.terrain, args.bodies), [], time.process_time()
    images.append(world.picture(450, 300))
    wanted = {args.steps // 2, args.steps}
    most = 0
    for k in range(1, args.steps + 1):
        most = max(most, world.step())
        if k in wanted:
            images.append(world.picture(450, 300))
    took = time.process_time() - began
    print(f"{len(world.faces)} triangles, {world.count} of {len(world.x)} vertices move")
    print(f"{args.steps} steps in {took:.1f} s of processor time, at most {most} contacts in a step")
    with_filter, without = (min(world.seconds(static)[0] for _ in range(3)) for static in (True, False))
    print(f"impacts of a step: {1000 * with_filter:.0f} ms with static vertices, {1000 * without:.0f} ms without")
    write_png(args.out / "terrain.png", sheet(images, 3))
    if ccd.proximity.intersects(world.mesh, world.x):
        raise SystemExit("the last frame intersects")


if __name__ == "__main__":
    main()
