#!/bin/sh
# MuJoCo 3.17.0 (PyPI mujoco), the last before 4.0.0, NumPy 2.4.6, Python 3.11, Linux x86-64. 3.3.2 to 3.16 do the same; 3.3.0 and 4.0.0 do not.
#
# Models with meshes of one file that differ in refpos and refquat ("reference position ... subtracted from the vertices"): two such
# meshes in one model, and the same model after another one in the process; then meshes that differ in scale.
# Expected: each mesh by its own attributes, whatever was read before.
# Seen:     the first mesh of a file is right, and every later one has the refpos and refquat of that first one, its own are left out:
#           two meshes of a model lie in one place, and a model that is read alone is right, and wrong after another. MuJoCo keeps
#           meshes in a cache of the process, and finds them there by the file and the scale alone; those of another scale are right.
#           No warning is given. With mj_setCacheCapacity(mj_getCache(), 1), so that nothing fits in, all are right.
# Why it matters: the left and the right part of a gripper are one file with two reference poses, and a program that compares two
# versions of a robot reads both. The contacts, distances and pictures of such a model are consistent with each other, and wrong.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >run.py <<'PY'
import subprocess
import sys

import mujoco
import numpy as np

with open("corner.obj", "w") as file:
    file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
MODEL = """<mujoco><asset><mesh name="a" file="corner.obj" {}/><mesh name="b" file="corner.obj" {}/></asset><worldbody>
<geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/></worldbody></mujoco>"""
QUARTER = 'refquat="0.7071067811865476 0 0 0.7071067811865476"'
LOW = {  # The least coordinates of a mesh: vertices less refpos, turned back by refquat, times scale.
    "": [0, 0, 0],
    'refpos="1 0 0"': [-1, 0, 0],
    'refpos="5 0 0"': [-5, 0, 0],
    QUARTER: [0, -1, 0],
    'refpos="1 0 0" scale="2 2 2"': [-2, 0, 0],
    'refpos="1 0 0" scale="3 3 3"': [-3, 0, 0],
}


def lows(*attributes):
    """The least coordinates of the two meshes of a model, as MuJoCo places them."""
    model = mujoco.MjModel.from_xml_string(MODEL.format(*attributes))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    found = []
    for geom in range(2):
        first, count = model.mesh_vertadr[model.geom_dataid[geom]], model.mesh_vertnum[model.geom_dataid[geom]]
        vertices = model.mesh_vert[first : first + count] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        found.append((vertices.min(axis=0).round(3) + 0).tolist())
    return found


PAIRS = [('refpos="1 0 0"', 'refpos="5 0 0"'), ('refpos="5 0 0"', 'refpos="1 0 0"'), ("", QUARTER), (QUARTER, "")]
SCALED = ('refpos="1 0 0" scale="2 2 2"', 'refpos="1 0 0" scale="3 3 3"')
if len(sys.argv) > 1:  # alone in a process
    sys.exit(0 if lows(sys.argv[1], sys.argv[1]) == [LOW[sys.argv[1]]] * 2 else 1)
print("MuJoCo", mujoco.__version__)
alone = all(subprocess.run([sys.executable, "run.py", attributes]).returncode == 0 for attributes in LOW)
print("each mesh alone in a process is right:", alone)
changed, kept = not alone, None
for pair in PAIRS:
    found, right = lows(*pair), [LOW[attributes] for attributes in pair]
    kept = kept or found[0]
    print(f"meshes with {pair[0] or 'nothing'} and {pair[1] or 'nothing'} begin at {found[0]} and {found[1]}, not at {right[0]} and {right[1]}")
    changed |= found != [kept, kept] or found == right
found = lows(*SCALED)
print(f"with two scales they begin at {found[0]} and {found[1]}, as they should")
changed |= found != [LOW[attributes] for attributes in SCALED]
mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 1)
without = all(lows(*pair) == [LOW[attributes] for attributes in pair] for pair in PAIRS)
print("all are right without the cache:", without)
sys.exit("the behavior has changed" if changed or not without else 0)
PY
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check mujoco==3.17.0 numpy==2.4.6
venv/bin/python run.py
