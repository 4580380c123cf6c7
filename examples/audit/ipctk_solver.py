"""ipctk: a sheet falls on a spike. With the step size that ipctk allows all steps are proven; without it the spike enters.

python examples/audit/ipctk_solver.py [--steps 30] [--without]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import ipctk
import numpy as np
from common import audit, grid

import ccd

SIDE, DT = 12, 0.02
SPIKE = np.array([[0.03, 0.02, 0], [-0.1, -0.1, -0.5], [0.1, -0.1, -0.5], [0, 0.1, -0.5]])


def scene() -> tuple[np.ndarray, np.ndarray]:
    """The vertices at the start, the sheet first, and the triangles."""
    u = np.linspace(-0.5, 0.5, SIDE)
    sheet = np.array([[x, y, 0.5] for x in u for y in u])
    spike = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
    return np.vstack([sheet, SPIKE]), np.vstack([grid(SIDE), spike + len(sheet)])


def frames(steps: int, bounded: bool) -> Iterator[np.ndarray]:
    """The start, and the vertices after each step: those that a solver gives to `displace_vertices` or as vertices."""
    x, faces = scene()
    edges, free = ipctk.edges(faces), len(x) - len(SPIKE)
    mesh = ipctk.CollisionMesh(x, edges, faces)
    speed = np.zeros_like(x)
    yield x
    for _ in range(steps):
        speed[:free, 2] -= 9.81 * DT
        wanted = x + DT * speed
        share = ipctk.compute_collision_free_stepsize(mesh, x, wanted) if bounded else 1.0
        x = x + share * (wanted - x)
        speed *= share
        yield x


def main(arguments: list[str] | None = None) -> list[str]:
    """Run the example; returns the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--without", action="store_true", help="take whole steps")
    given = parser.parse_args(arguments)
    x, faces = scene()
    recorder = ccd.audit.Recorder(ccd.Mesh(faces=faces, vertices=len(x)), names=["sheet", "spike"])
    return audit(recorder, frames(given.steps, not given.without))


if __name__ == "__main__":
    main()
