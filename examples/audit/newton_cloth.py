"""Newton: two sheets of cloth, the upper one thrown down, without self-contact. They pass through each other in one step.

python examples/audit/newton_cloth.py [--steps 6]

Newton compiles its kernels in the first run, which takes some minutes on a CPU.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import newton
import numpy as np
import warp as wp
from common import audit

import ccd

DT = 1 / 60


def model() -> newton.Model:
    """Two sheets of 9 x 9 particles, 0.25 m apart."""
    builder = newton.ModelBuilder()
    for height, speed in ((0.0, 0.0), (0.25, -4.0)):
        builder.add_cloth_grid(
            pos=wp.vec3(-0.5, -0.5, height), rot=wp.quat_identity(), vel=wp.vec3(0.0, 0.0, speed), dim_x=8, dim_y=8,
            cell_x=0.125, cell_y=0.125, mass=0.01, tri_ke=1e3, tri_ka=1e3, tri_kd=0.1, particle_radius=0.01,
        )  # fmt: skip
    builder.color()
    return builder.finalize(device="cpu")


def frames(cloth: newton.Model, steps: int) -> Iterator[np.ndarray]:
    """The start, and the particles after each step: `state.particle_q`, in single precision."""
    solver = newton.solvers.SolverVBD(cloth, iterations=5, particle_enable_self_contact=False)
    one, other, control = cloth.state(), cloth.state(), cloth.control()
    yield one.particle_q.numpy()
    for _ in range(steps):
        solver.step(one, other, control, None, DT)
        one, other = other, one
        yield one.particle_q.numpy()


def main(arguments: list[str] | None = None) -> list[str]:
    """Run the example; returns the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=6)
    steps = parser.parse_args(arguments).steps
    wp.config.quiet = True
    cloth = model()
    mesh = ccd.Mesh(faces=cloth.tri_indices.numpy().reshape(-1, 3), vertices=cloth.particle_count)
    return audit(ccd.audit.Recorder(mesh, names=["lower", "upper"]), frames(cloth, steps))


if __name__ == "__main__":
    main()
