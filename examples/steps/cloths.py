"""Three cloths fall on a ball, a cone and a rod: one step for all vertices beside a step for each. See README.md.

[Bouaziz2014] S. Bouaziz et al., Projective dynamics. ACM Transactions on Graphics 33(4), 2014.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, diags_array
from scipy.sparse.linalg import splu

import ccd
from contact import push
from drawing import Camera, picture, sheet, write_png

Floats = NDArray[np.float64]
GAP, DT, GRAVITY = 0.01, 0.02, 9.81
COLORS = ((0.90, 0.40, 0.25), (0.30, 0.50, 0.85), (0.25, 0.65, 0.45), (0.72, 0.72, 0.75))


def grid(rows: int, columns: int) -> NDArray[np.int64]:
    """Triangles of rows x columns vertices."""
    i = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.vstack([np.stack([i, i + 1, i + columns], 1), np.stack([i + 1, i + columns + 1, i + columns], 1)])


def turned(profile: Floats, count: int = 24) -> tuple[Floats, NDArray[np.int64]]:
    """The surface that a profile of (radius, height) draws around the z axis."""
    angle = np.linspace(0, 2 * np.pi, count + 1)
    radius, height = profile[:, :1], np.broadcast_to(profile[:, 1:], (len(profile), count + 1))
    x = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=2)
    faces = grid(len(profile), count + 1)
    wrapped = np.where(np.arange(len(profile) * (count + 1)) % (count + 1) == count, -count, 0)
    faces += wrapped[faces]  # the last column is the first
    kept = np.unique(faces)
    return x.reshape(-1, 3)[kept], np.searchsorted(kept, faces)


class Cloths:
    """Cloths of n x n vertices over three bodies at rest, and a projective-dynamics solver for them [Bouaziz2014]."""

    def __init__(self, n: int):
        arc = np.linspace(0.02, np.pi - 0.02, 13)
        ball = turned(0.4 * np.stack([np.sin(arc), np.cos(arc)], 1) + [0, 0.4])
        cone = turned(np.array([[0.01, 0.8], [0.15, 0.5], [0.3, 0.2], [0.4, 0.0]]))
        rod = turned(np.array([[0.02, 0.9], [0.12, 0.88], [0.12, -0.88], [0.02, -0.9]]) * [1, 0.8])
        rod = rod[0][:, [2, 0, 1]] + [0, 0, 0.68], rod[1]
        u, v = (a.ravel() for a in np.meshgrid(np.linspace(-0.75, 0.75, n), np.linspace(-0.75, 0.75, n), indexing="ij"))
        sheets = [(np.stack([u, v, np.full(n * n, height)], 1), grid(n, n)) for height in (0.83, 1.25, 1.7)]
        parts, x, faces, start = [*sheets, ball, cone, rod], [], [], 0
        for k, (points, triangles) in enumerate(parts):
            x.append(points + np.array([2.0 * (k % 3 - 1), 0, 0]))
            faces.append(triangles + start)
            start += len(points)
        self.x, self.faces = np.vstack(x), np.vstack(faces)
        self.colors = np.repeat([COLORS[min(k, 3)] for k in range(6)], [len(f) for f in faces], axis=0)
        self.count = 3 * n * n
        self.moving = np.arange(len(self.x)) < self.count
        self.velocity, self.inverse_mass = np.zeros_like(self.x), self.moving.astype(float)
        self.mesh = ccd.Mesh(faces=self.faces, vertices=len(self.x))
        self.mesh.set_static(~self.moving)
        self._springs(n)

    def _springs(self, n: int) -> None:
        """Springs between neighbors, along diagonals and across two edges; the matrix of all of them is factored once."""
        index = np.arange(n * n).reshape(n, n)
        kinds = [(index[:-1], index[1:], 4e4), (index[:, :-1], index[:, 1:], 4e4)]
        kinds += [(index[:-1, :-1], index[1:, 1:], 4e3), (index[:-1, 1:], index[1:, :-1], 4e3)]
        kinds += [(index[:-2], index[2:], 300.0), (index[:, :-2], index[:, 2:], 300.0)]
        pairs = np.concatenate([np.stack([a.ravel(), b.ravel()], 1) for a, b, _ in kinds])
        stiffness = np.concatenate([np.full(a.size, k) for a, _, k in kinds])
        self.pairs = np.concatenate([pairs + k * n * n for k in range(3)])
        self.stiffness = np.tile(stiffness, 3)
        self.length = np.linalg.norm(self.x[self.pairs[:, 0]] - self.x[self.pairs[:, 1]], axis=1)
        row = np.repeat(np.arange(len(self.pairs)), 2)
        sign = np.tile([1.0, -1.0], len(self.pairs))
        self.difference = coo_array((sign, (row, self.pairs.ravel())), shape=(len(self.pairs), self.count)).tocsr()
        matrix = self.difference.T @ diags_array(self.stiffness) @ self.difference + diags_array(np.full(self.count, 1 / DT**2))
        self.factors = splu(matrix.tocsc())

    def predict(self) -> Floats:
        """Where the cloths want to be after a time step: projections of the springs, and one linear solve, in turn."""
        inertia = self.x[: self.count] + DT * self.velocity[: self.count] - [0, 0, DT**2 * GRAVITY]
        y = inertia.copy()
        for _ in range(10):
            along = self.difference @ y
            along *= (self.length / np.linalg.norm(along, axis=1))[:, None] * self.stiffness[:, None]
            y = self.factors.solve(inertia / DT**2 + self.difference.T @ along)
        return np.vstack([y, self.x[self.count :]])

    def step(self, each: bool, rounds: int) -> float:
        """Advance by a time step, with a step for each vertex or one for all; return the part of the motion that is used."""
        y = self.predict()
        if rounds:
            push(self.mesh, self.x, y, self.inverse_mass, GAP, friction=0.3, rounds=rounds)
        if each:
            moved = ccd.step.sizes(self.mesh, self.x, y, min_separation=GAP / 2, keep_ratio=0.9).y
        else:
            moved = ccd.step.advance(self.mesh, self.x, y, min_separation=GAP / 100).x
        used = np.linalg.norm(moved - self.x, axis=1).sum() / np.linalg.norm(y - self.x, axis=1).sum()
        self.velocity, self.x = 0.99 * (moved - self.x) / DT, moved
        return float(used)


RUNS = (  # name, a step for each vertex, rounds of contact response
    ("one step for all", False, 0),
    ("a step for each vertex", True, 0),
    ("one step for all, contact response", False, 2),
    ("a step for each vertex, contact response", True, 2),
)


def simulate(n: int, steps: int, each: bool, rounds: int, kept: int) -> tuple[list[NDArray[np.uint8]], Cloths, list[float]]:
    """Pictures of a run, its end, and the part of the motion that each step uses."""
    scene, images, used = Cloths(n), [], []
    wanted = set(np.linspace(0, steps, kept + 1).round().astype(int)[1:])
    camera = Camera((0.15, -1, 0.35), (0, 0, 0.56), 98)
    for k in range(1, steps + 1):
        used.append(scene.step(each, rounds))
        if k in wanted:
            images.append(picture(scene.x, scene.faces, scene.colors, camera, 300, 150))
    return images, scene, used


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--cloth", type=int, default=28, help="vertices along a side of a cloth")
    given.add_argument("--steps", type=int, default=54)
    given.add_argument("--out", type=Path, default=Path("build/example-steps"))
    args = given.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    images = []
    for name, each, rounds in RUNS:
        shown, scene, used = simulate(args.cloth, args.steps, each, rounds, 3)
        images += shown
        lowest = scene.x[: scene.count, 2].reshape(3, -1).min(axis=1)
        print(f"{name}: motion used {np.mean(used):.3f}, at least {min(used):.3f}; lowest points {lowest.round(2)}", flush=True)
        if ccd.proximity.intersects(scene.mesh, scene.x):
            raise SystemExit("the last frame intersects")
    write_png(args.out / "cloths.png", sheet(images, 3))


if __name__ == "__main__":
    main()
