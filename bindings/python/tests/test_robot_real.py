"""Published robots (the package example-robot-data): links are where yourdfpy and pinocchio have them, joint by joint."""

import os
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import ccd

DATA = Path(os.environ.get("CCD_ROBOT_DATA", sysconfig.get_paths()["purelib"])) / "cmeel.prefix/share/example-robot-data/robots"
MALFORMED = ("alex_psyonic_hands.urdf", "ur3.urdf")  # a mimic of a joint that is not there; no links

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not DATA.is_dir(), reason="example-robot-data is not installed: published robots are not read"),
]


def files():
    return sorted(DATA.rglob("*.urdf")) if DATA.is_dir() else []


@pytest.fixture(scope="module", params=files() or [None], ids=lambda f: f.name if f else "none")
def robot(request):
    pytest.importorskip("yourdfpy", reason="yourdfpy is not installed")
    pytest.importorskip("collada", reason="pycollada is not installed")
    if request.param.name in MALFORMED:
        with pytest.raises(ccd.FileError, match=r"no joint that moves|has no links"):
            ccd.robot.read(request.param, packages=DATA.parents[1])
        pytest.skip("the file is malformed")
    return request.param, ccd.robot.read(request.param, packages=DATA.parents[1])


def values(robot, r):
    """Random values of all joints that move, those that follow others too, by name."""
    q = r.uniform(-1.5, 1.5, len(robot.joints))
    moving = (j for j in robot._tree.joints if j.kind != "fixed")
    return q, {j.name: robot._tree.value(j, q) for j in moving}


def test_links_are_where_pinocchio_has_them(robot):
    pinocchio = pytest.importorskip("pinocchio", reason="pinocchio is not installed")
    file, ours = robot
    model = pinocchio.buildModelFromUrdf(str(file))
    data, r = model.createData(), np.random.default_rng(1)
    for _ in range(3):
        q, by_name = values(ours, r)
        there = pinocchio.neutral(model)
        for joint, name in list(zip(model.joints, model.names))[1:]:  # the first is the universe
            if joint.nq == 1:
                there[joint.idx_q] = by_name[name]
            elif joint.nq == 2:
                there[joint.idx_q : joint.idx_q + 2] = np.cos(by_name[name]), np.sin(by_name[name])
        pinocchio.framesForwardKinematics(model, data, there)
        for name, pose in ours.place(q).items():
            frame = data.oMf[model.getFrameId(name, pinocchio.FrameType.BODY)].homogeneous
            assert np.allclose(pose, frame, atol=1e-9), name


def test_links_are_where_yourdfpy_has_them(robot):
    yourdfpy = pytest.importorskip("yourdfpy")
    file, ours = robot
    theirs = yourdfpy.URDF.load(str(file), load_meshes=False, build_scene_graph=True, load_collision_meshes=False)
    r = np.random.default_rng(2)
    for _ in range(3):
        q, by_name = values(ours, r)
        theirs.update_cfg({name: by_name[name] for name in theirs.actuated_joint_names})
        for name, pose in ours.place(q).items():
            assert np.allclose(pose, theirs.get_transform(name), atol=1e-6), name
