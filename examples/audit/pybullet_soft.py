"""PyBullet: a cloth falls from a height on a thin plate, and goes through it in one step.

python examples/audit/pybullet_soft.py [--steps 75]

getMeshData gives the corners that are drawn unless it is asked for the simulated mesh, which has no faces: those are of the
file. Of a rigid body it gives a hull at best, so the plate's own mesh is audited at the body's pose.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
from collections.abc import Iterator

import numpy as np
import pybullet
from common import audit, grid

import ccd

SIDE, HALF = 9, (1.0, 1.0, 0.005)


def cloth_file(folder: str) -> str:
    """A sheet of SIDE x SIDE vertices as OBJ."""
    u = np.linspace(-0.5, 0.5, SIDE)
    rows = [f"v {x:.6f} {y:.6f} 0" for x in u for y in u]
    rows += ["f {} {} {}".format(*face) for face in (grid(SIDE) + 1).tolist()]
    path = os.path.join(folder, "cloth.obj")
    with open(path, "w") as file:
        file.write("\n".join(rows) + "\n")
    return path


def plate() -> tuple[np.ndarray, np.ndarray]:
    """The corners of the plate about its centre of mass, and its triangles."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * HALF
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])


def simulated(body: int) -> np.ndarray:
    """The simulated vertices of a soft body, in the world."""
    count, vertices = pybullet.getMeshData(body, flags=pybullet.MESH_DATA_SIMULATION_MESH)
    if count != SIDE * SIDE:
        raise SystemExit(f"PyBullet has {count} vertices for the {SIDE * SIDE} of the file")
    return np.array(vertices)


def frames(steps: int) -> Iterator[np.ndarray]:
    """The start, and cloth and plate after each step."""
    corners, _ = plate()
    with tempfile.TemporaryDirectory() as folder:
        pybullet.connect(pybullet.DIRECT)
        try:
            pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD)
            pybullet.setGravity(0, 0, -10)
            pybullet.setTimeStep(1 / 60)
            box = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=HALF)
            body = pybullet.createMultiBody(0, box)
            cloth = pybullet.loadSoftBody(
                cloth_file(folder), basePosition=[0, 0, 5], mass=0.1, useMassSpring=1, springElasticStiffness=40,
                springDampingStiffness=0.1, collisionMargin=0.001, useFaceContact=1,
            )  # fmt: skip
            for step in range(steps + 1):
                place, turn = pybullet.getBasePositionAndOrientation(body)
                turned = corners @ np.reshape(pybullet.getMatrixFromQuaternion(turn), (3, 3)).T + place
                yield np.vstack([simulated(cloth), turned])
                if step < steps:
                    pybullet.stepSimulation()
        finally:
            with contextlib.suppress(pybullet.error):
                pybullet.disconnect()


def main(arguments: list[str] | None = None) -> list[str]:
    """Run the example; returns the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=75)
    steps = parser.parse_args(arguments).steps
    n, (corners, faces) = SIDE * SIDE, plate()
    mesh = ccd.Mesh(faces=np.vstack([grid(SIDE), faces + n]), vertices=n + len(corners))
    return audit(ccd.audit.Recorder(mesh, names=["cloth", "plate"]), frames(steps))


if __name__ == "__main__":
    main()
