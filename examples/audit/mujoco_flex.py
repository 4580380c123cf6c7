"""MuJoCo: a needle on a mocap body is moved through a flex, too fast for contacts; audited while it runs, and from states.

python examples/audit/mujoco_flex.py [--steps 8]

A state must have the mocap poses: mjSTATE_FULLPHYSICS leaves them out, mjSTATE_INTEGRATION has them. Positions follow from a
state by mj_forward; those that mj_step leaves behind are one step old.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

import mujoco
import numpy as np
from common import audit

import ccd

SCENE = """
<mujoco>
  <option timestep="0.01"/>
  <asset><mesh name="needle" vertex="0 0 0  .02 0 .1  0 .02 .1  -.02 -.02 .1"/></asset>
  <worldbody>
    <flexcomp name="sheet" type="grid" count="9 9 1" spacing=".1 .1 .1" pos="0 0 1" radius=".001" dim="2" mass=".1">
      <pin id="0 8 72 80"/><edge equality="true"/>
    </flexcomp>
    <body name="hand" mocap="true" pos=".02 .03 1.47"><geom name="needle" type="mesh" mesh="needle"/></body>
  </worldbody>
</mujoco>"""
SPEED = 15.0  # of the needle, downwards


def faces_of(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The triangles of all flexes of dimension 2 and of all mesh geoms, the object of each vertex, and names."""
    faces, objects, names, first = [], [], [], 0
    for flex in range(model.nflex):
        if model.flex_dim[flex] != 2:
            raise SystemExit("only flexes of dimension 2 are taken here")
        at, count = model.flex_elemdataadr[flex], model.flex_elemnum[flex]
        faces.append(model.flex_elem[at : at + 3 * count].reshape(-1, 3) + first)
        first += model.flex_vertnum[flex]
        objects += [len(names)] * model.flex_vertnum[flex]
        names.append(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_FLEX, flex))
    for geom in np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH):
        mesh = model.geom_dataid[geom]
        at, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
        faces.append(model.mesh_face[at : at + count] + first)
        first += model.mesh_vertnum[mesh]
        objects += [len(names)] * model.mesh_vertnum[mesh]
        names.append(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, geom))
    return np.vstack(faces), np.array(objects), names


def positions(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """The vertices of flexes and mesh geoms. Whatever they are computed from must be of this state: mj_forward."""
    found = [data.flexvert_xpos.copy()]
    for geom in np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH):
        mesh = model.geom_dataid[geom]
        at, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        turn = data.geom_xmat[geom].reshape(3, 3)
        found.append(model.mesh_vert[at : at + count] @ turn.T + data.geom_xpos[geom])
    return np.vstack(found)


def states(model: mujoco.MjModel, steps: int) -> Iterator[np.ndarray]:
    """Simulate, and record the whole state before each step and at the end."""
    data, kind = mujoco.MjData(model), mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))
    for step in range(steps + 1):
        mujoco.mj_getState(model, data, state, kind)
        yield state.copy()
        if step < steps:
            mujoco.mj_step(model, data)
            data.mocap_pos[0, 2] -= SPEED * model.opt.timestep


def frames(model: mujoco.MjModel, recorded: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """The vertices of each state."""
    data = mujoco.MjData(model)
    for state in recorded:
        mujoco.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
        mujoco.mj_forward(model, data)
        yield positions(model, data)


def main(arguments: list[str] | None = None) -> list[str]:
    """Run the example; returns the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=8)
    steps = parser.parse_args(arguments).steps
    model = mujoco.MjModel.from_xml_string(SCENE)
    faces, objects, names = faces_of(model)
    recorder = ccd.audit.Recorder(ccd.Mesh(faces=faces, vertices=len(objects)), objects=objects, names=names)
    return audit(recorder, frames(model, states(model, steps)))


if __name__ == "__main__":
    main()
