#!/bin/sh
# Pinocchio 4.1.0 (PyPI pin), MuJoCo 4.0.0, Python 3.11, Linux x86-64.
#
# MJCF files of one link with a capsule on a hinge that is turned by 0.3, read by buildModelsFromMJCF and by MuJoCo itself.
# Expected: the same shapes at the same places: MJCF is MuJoCo's format, and what a reader does not know it names.
# Seen:     plain elements agree to 1e-9, also `ref`, `fromto`, `zaxis`, quaternions of any length and two joints of a body. But
#           - shapes in a <frame> or a <replicate> of a body are gone, and so is a joint in a <frame>: the link is rigid;
#           - `pos`, `quat`, `euler`, `zaxis` of shapes and `pos` of joints do not count where they are set in <default>, though type,
#             size, axis, `ref` and `fromto` do: a shape sits at the origin of its link;
#           - `eulerseq` in capital letters, turns about fixed axes, is read as if in small letters, turns about moving axes.
#           Nothing is printed and nothing raised, and the models are valid.
# Why it matters: a planner on such a model checks a robot without some of its shapes, or with shapes elsewhere. A file that
# MuJoCo saves (mj_saveLastXML) has no such defaults and no eulerseq, but frames it keeps. Compare shapes and places with MuJoCo's.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check pin==4.1.0 mujoco==4.0.0 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys

import mujoco
import numpy as np
import pinocchio as pin

DEFAULT = 'type="capsule" size=".1 .3" '
HINGE = '<joint name="j" axis="0 1 1"/>'
CAPSULE = '<geom name="g" type="capsule" size=".1 .3" pos=".5 0 0"/>'


def link(inner, place='pos="0 0 1"', before=""):
    return f'<mujoco model="m">{before}<worldbody><body name="b" {place}>{inner}</body></worldbody></mujoco>'


def default(attributes, of="geom"):
    return f"<default><{of} {attributes}/></default>"


FILES = {  # what is tried, the file, and whether both agree
    "plain": (link(HINGE + CAPSULE), True),
    "zaxis, ref": (link(HINGE.replace("/>", ' ref="40"/>') + CAPSULE, 'pos="0 0 1" zaxis="1 1 1"'), True),
    "fromto in <default>": (link(HINGE + '<geom name="g"/>', before=default('type="capsule" size=".1" fromto="0 0 0 1 1 1"')), True),
    "<frame>": (link(HINGE + f'<frame pos="0 1 0">{CAPSULE}</frame>'), False),
    "<replicate>": (link(HINGE + f'<replicate count="3" offset="0 1 0">{CAPSULE}</replicate>'), False),
    "joint in <frame>": (link(f'<frame pos="0 1 0">{HINGE}</frame>{CAPSULE}'), False),
    "pos in <default>": (link(HINGE + '<geom name="g"/>', before=default(DEFAULT + 'pos=".5 0 0"')), False),
    "quat in <default>": (link(HINGE + '<geom name="g"/>', before=default(DEFAULT + 'quat="1 1 0 0"')), False),
    "euler in <default>": (link(HINGE + '<geom name="g"/>', before=default(DEFAULT + 'euler="50 0 0"')), False),
    "pos of joints in <default>": (link('<joint name="j"/>' + CAPSULE, before=default('axis="0 1 1" pos=".2 .3 0"', "joint")), False),
    "eulerseq zyx": (link(HINGE + CAPSULE, 'euler="10 20 30"', '<compiler eulerseq="zyx"/>'), True),
    "eulerseq ZYX": (link(HINGE + CAPSULE, 'euler="10 20 30"', '<compiler eulerseq="ZYX"/>'), False),
}


def rows(places):
    """For each capsule its middle and the direction of its axis, the same for both ends of it."""
    return [np.concatenate([x, np.outer(axis, axis).ravel()]) for x, axis in places]


def by_mujoco(text):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = 0.3
    mujoco.mj_kinematics(model, data)
    return model.nq, rows((data.geom_xpos[i], data.geom_xmat[i].reshape(3, 3)[:, 2]) for i in range(model.ngeom))


def by_pinocchio(text, path):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    model = pin.buildModelFromMJCF(path)
    shapes = pin.buildGeomFromMJCF(model, path, pin.GeometryType.COLLISION)
    data, placed = model.createData(), shapes.createData()
    pin.updateGeometryPlacements(model, data, shapes, placed, np.full(model.nq, 0.3))
    return model.nq, rows((place.translation, place.rotation[:, 2]) for place in placed.oMg)


changed = False
for name, (text, agree) in FILES.items():
    (n, theirs), (m, read) = by_mujoco(text), by_pinocchio(text, sys.argv[1] + "/m.xml")
    if n != m or len(theirs) != len(read):
        said, same = f"{m} of {n} joints, {len(read)} of {len(theirs)} shapes", False
    else:
        off = max(float(np.abs(a - b).max()) for a, b in zip(theirs, read))
        same = off < 1e-9
        said = "the same" if same else f"off by {off:.3f}"
    print(f"{name}: {said}")
    changed |= same != agree
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work"
