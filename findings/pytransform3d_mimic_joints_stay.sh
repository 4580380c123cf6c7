#!/bin/sh
# pytransform3d 3.17.0, yourdfpy 0.0.60, NumPy 2.4.6 (PyPI), Python 3.11, Linux x86-64.
#
# URDF files of a gripper whose second finger mimics the first one, as grippers have it, and of an arm whose elbow turns by twice
# the angle of the shoulder, or by that angle and 0.3. Where the second finger and the hand are, by UrdfTransformManager.set_joint and
# get_transform, and by yourdfpy, when the first joint has a value.
# Guess: joints that mimic others follow in both.
# Seen:  yourdfpy has them follow, with multiplier and offset. In pytransform3d they stay at 0: the gripper closes on one side alone, and
#        with the shoulder at 0.5 the hand is 0.96 and 0.78 from where it is by yourdfpy. set_joint of the second joint by hand puts it right. No
#        warning is given.
# Why it matters: distances to the second finger are those of an open gripper, and a trajectory that is checked so runs into what it
# should grasp. Set each such joint by hand, or compare the forward kinematics with another reader.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check pytransform3d==3.17.0 lxml yourdfpy==0.0.60 numpy==2.4.6
cat >run.py <<'PY'
import sys
import warnings

import numpy as np
import pytransform3d
import yourdfpy
from pytransform3d.urdf import UrdfTransformManager

warnings.simplefilter("error", UserWarning)


def joint(name, kind, parent, child, origin, axis, mimic=""):
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="{origin}"/><axis xyz="{axis}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}<limit lower="-3" upper="3" effort="1" velocity="1"/>{mimic}</joint>'


def gripper(mimic):
    joints = joint("first", "prismatic", "base", "left", "0 0.1 0", "0 1 0")
    return joints + joint("second", "prismatic", "base", "end", "0 -0.1 0", "0 -1 0", mimic)


def arm(mimic):
    joints = joint("first", "revolute", "base", "left", "0 0 0", "0 0 1")
    joints += joint("second", "revolute", "left", "lower", "1 0 0", "0 0 1", mimic)
    return joints + joint("wrist", "fixed", "lower", "end", "1 0 0", "0 0 1")


CASES = {
    "gripper": (gripper, ["base", "left", "end"], 1, 0, -0.08),
    "arm, twice": (arm, ["base", "left", "lower", "end"], 2, 0, 0.5),
    "arm, and 0.3": (arm, ["base", "left", "lower", "end"], 1, 0.3, 0.5),
}
print("pytransform3d", pytransform3d.__version__, "yourdfpy 0.0.60")
changed = False
for name, (joints, links, factor, offset, value) in CASES.items():
    mimic = f'<mimic joint="first" multiplier="{factor}" offset="{offset}"/>'
    text = '<robot name="r">' + "".join(f'<link name="{link}"/>' for link in links) + joints(mimic) + "</robot>"
    with open("robot.urdf", "w") as file:
        file.write(text)
    manager = UrdfTransformManager()
    manager.load_urdf(text)
    manager.set_joint("first", value)
    seen = manager.get_transform("end", "base")[:3, 3]
    manager.set_joint("second", factor * value + offset)
    by_hand = manager.get_transform("end", "base")[:3, 3]
    robot = yourdfpy.URDF.load("robot.urdf")
    robot.update_cfg({"first": value})
    true = robot.get_transform("end", "base")[:3, 3]
    robot = UrdfTransformManager()
    robot.load_urdf(text.replace(mimic, ""))
    robot.set_joint("first", value)
    free = robot.get_transform("end", "base")[:3, 3]
    gap = np.linalg.norm(seen - true)
    print(f"{name}: pytransform3d {seen.round(3)}, set by hand {by_hand.round(3)}, yourdfpy {true.round(3)}, {gap:.3f} apart")
    changed |= gap < 0.05 or not np.allclose(seen, free) or not np.allclose(by_hand, true)
sys.exit("the behavior has changed" if changed else 0)
PY
venv/bin/python run.py
