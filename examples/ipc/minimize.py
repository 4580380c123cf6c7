"""Implicit Euler by projected Newton: each step minimizes an incremental potential, and no iterate intersects.

y^{t+1} minimizes  |y - z|^2_M / 2 + h^2 (elastic(y) + barrier(W y) + friction(W y)),  z = y + h v + h^2 g.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

import barrier
import elastic
from contact import Neighbors
from scene import Scene, static_of


@dataclass
class Parameters:
    """Lengths in meters, masses in kilograms, times in seconds."""

    h: float = 0.01
    gravity: float = -9.81
    reach: float = 6e-3  # the barrier's
    barrier: float = 4e5
    stretch: float = 60.0
    bend: float = 1e-5
    friction: float = 0.4
    slip: float = 5e-3  # below this speed friction is smooth
    tolerance: float = 3e-2  # Newton ends when no vertex would move faster than this
    iterations: int = 60


@dataclass
class Clock:
    """Seconds by activity: on the wall, and of the processor, all threads together."""

    wall: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.wall[name] = self.wall.get(name, 0.0) + time.perf_counter() - wall
            self.cpu[name] = self.cpu.get(name, 0.0) + time.process_time() - cpu


@dataclass
class Report:
    """What one step took."""

    iterations: int
    contacts: int
    distance: float  # the least between any two parts, or the barrier's reach where all are farther apart
    shortest: float  # the least share of a Newton step that collision detection allowed


class Simulation:
    def __init__(self, scene: Scene, collisions: Any, parameters: Parameters | None = None):
        self.scene, self.collisions, self.p = scene, collisions, parameters or Parameters()
        p, rows = self.p, len(scene.y)
        self.y, self.v = scene.y.copy(), np.zeros_like(scene.y)
        self.x = static_of(scene, self.y)
        self.neighbors = Neighbors(scene, p.reach)
        self.barrier = barrier.Barrier(p.reach, p.barrier)
        self.springs = elastic.Springs(scene, p.stretch)
        self.rigid = [elastic.Rigidity(ring) for ring in scene.rings]
        self.W3 = sp.kron(scene.W, sp.eye_array(3), format="csr")
        bending = elastic.Bending(scene, p.bend)
        self.bending = _assemble(bending.at, bending.blocks, rows)
        self.constant = (sp.kron(scene.mass, sp.eye_array(3)) + p.h**2 * self.bending).tocsr()
        self.clock = Clock()

    # ---- the incremental potential

    def near(self, x: np.ndarray) -> barrier.Near:
        with self.clock("near pairs"):
            return barrier.near(x, *self.neighbors.pairs(x), self.p.reach)

    def value(self, y: np.ndarray, x: np.ndarray, near: barrier.Near) -> float:
        away = y - self.target
        inertia = 0.5 * float((away * (self.scene.mass @ away)).sum())
        bend = 0.5 * float(y.ravel() @ (self.bending @ y.ravel()))
        inner = self.springs.value(y) + bend + sum(r.value(y) for r in self.rigid)
        return inertia + self.p.h**2 * (inner + self.barrier.value(near) + self.friction.value(x))

    def derivatives(self, y: np.ndarray, x: np.ndarray, near: barrier.Near) -> tuple[np.ndarray, Any]:
        h2, rows, n = self.p.h**2, len(y), len(x)
        pull, stiff = self.springs.derivatives(y)
        gradient = self.scene.mass @ (y - self.target) + h2 * (self.bending @ y.ravel()).reshape(-1, 3)
        gradient += h2 * _gather(self.springs.at, pull, rows)
        hessian = self.constant + h2 * _assemble(self.springs.at, stiff, rows)
        for one in self.rigid:
            g, block = one.derivatives(y)
            gradient[one.rows] += h2 * g
            at = np.arange(one.rows.start, one.rows.stop)
            hessian = hessian + h2 * _assemble(at[None], block[None], rows)
        push, block = self.barrier.derivatives(near, x)
        drag, more = self.friction.derivatives(x)
        at, push = np.concatenate([near.at, self.friction.at]), np.concatenate([push, drag])
        gradient += h2 * (self.scene.W.T @ _gather(at, push, n))
        contact = _assemble(at, np.concatenate([block, more]), n)
        return gradient, hessian + h2 * (self.W3.T @ contact @ self.W3)

    # ---- a step

    def step(self) -> Report:
        p, scene = self.p, self.scene
        start, x, y = self.y, self.x, self.y
        self.target = start + p.h * self.v
        self.target[:, 2] += p.h**2 * p.gravity * scene.weight
        near = self.near(x)
        with self.clock("energies"):
            self.friction = barrier.Friction(near, self.barrier, x, p.friction, p.slip * p.h)
            value = self.value(y, x, near)
        report = Report(0, len(near), p.reach, 1.0)
        for report.iterations in range(1, p.iterations + 1):
            with self.clock("energies"):
                gradient, hessian = self.derivatives(y, x, near)
            with self.clock("linear solve"):
                dy = -_solve(hessian.tocsr(), gradient.ravel()).reshape(-1, 3)
            dx = scene.W @ dy
            if np.abs(dx).max() < p.tolerance * p.h:
                break
            with self.clock("collisions"):
                distance = float(np.sqrt(near.s.min(initial=p.reach**2)))
                alpha = self.collisions.step(x, x + dx, distance)
            report.shortest = min(report.shortest, alpha)
            if alpha <= 0:
                raise RuntimeError("collision detection allows no step at all")
            value, y, x, near = self._search(y, x, dy, alpha, value, near)
        self.v = (y - start) / p.h
        self.y, self.x = y, x
        report.contacts, report.distance = len(near), float(np.sqrt(near.s.min(initial=p.reach**2)))
        return report

    def _search(self, y: np.ndarray, x: np.ndarray, dy: np.ndarray, alpha: float, value: float, near: barrier.Near) -> tuple:
        """Halve the step until the potential falls. Every shorter step is as safe as the first."""
        for _ in range(40):
            y1 = y + alpha * dy
            x1 = static_of(self.scene, y1)
            near1 = self.near(x1)
            with self.clock("energies"):
                value1 = self.value(y1, x1, near1)
            if value1 <= value:
                return value1, y1, x1, near1
            alpha /= 2
        return value, y, x, near


def _coordinates(at: np.ndarray) -> np.ndarray:
    return (3 * at[:, :, None] + np.arange(3)).reshape(len(at), 3 * at.shape[1])


def _gather(at: np.ndarray, g: np.ndarray, rows: int) -> np.ndarray:
    """The sum of gradients (m, k, 3) of stencils (m, k) as (rows, 3)."""
    index = _coordinates(at).ravel()
    return np.bincount(index, g.ravel(), 3 * rows).reshape(-1, 3)


def _assemble(at: np.ndarray, blocks: np.ndarray, rows: int) -> sp.csr_array:
    """The sum of blocks (m, 3 k, 3 k) of stencils (m, k) as a sparse matrix."""
    index, k = _coordinates(at), blocks.shape[1]
    row, column = np.repeat(index, k, axis=1).ravel(), np.tile(index, (1, k)).ravel()
    return sp.csr_array((blocks.ravel(), (row, column)), shape=(3 * rows, 3 * rows))


def _solve(matrix: sp.csr_array, right: np.ndarray) -> np.ndarray:
    """Conjugate gradients, preconditioned by the blocks of the diagonal. Wherever they stop, the way leads downhill."""
    blocks = sp.bsr_array(matrix, blocksize=(3, 3))
    row = np.repeat(np.arange(len(right) // 3), np.diff(blocks.indptr))
    inverse = np.linalg.inv(blocks.data[row == blocks.indices])
    x, r = np.zeros_like(right), right.copy()
    p, old = np.zeros_like(right), 1.0
    stop = 1e-4 * np.linalg.norm(right)
    for _ in range(2000):
        if np.linalg.norm(r) <= stop:
            break
        z = (inverse @ r.reshape(-1, 3, 1)).ravel()
        new = r @ z
        p = z + (new / old) * p
        old = new
        q = matrix @ p
        alpha = new / (p @ q)
        x += alpha * p
        r -= alpha * q
    return x
