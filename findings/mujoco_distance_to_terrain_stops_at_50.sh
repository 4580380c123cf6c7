#!/bin/sh
# MuJoCo 4.0.0 (PyPI mujoco), NumPy 2.4.6, Python 3.11, Linux x86-64.
#
# mj_geomDistance between a level height field of 6 x 6 m, with 4 to 40 samples a side, and a ball of radius 0.5 that is 0.05 or 2 m
# above it, or 0.1 m deep in it, over its middle and a corner; with distmax, "the largest distance of interest", from 0.1 to 10.
# Expected: the gap, whatever distmax is, as long as distmax is larger: it is a limit of the search, and a plane, a box or a mesh in
#           place of the height field has the gap. Else an error.
# Seen:     the gap where distmax is small or the field has 4 samples a side. Else far too much: with distmax 10 and 10 samples a
#           gap of 0.05 is 0.64 over the middle and 2.57 over the corner, with 40 samples 4.51, and a ball that is 0.1 deep in the
#           ground, where mj_forward finds contacts, is 0.58 to 4.50 above it. With 40 samples a distmax of 0.5 is too large, too.
#           The field is cut into prisms, row by row, and after the first 50 that are within distmax the rest is left out: a limit
#           that is documented for contacts. So the larger distmax, and the finer the terrain, the fewer rows count. Nothing is
#           printed. A distance sensor on a height field is refused when the model is read; this function is not.
# Why it matters: a generous limit is the natural choice, and a clearance that is too large is the unsafe kind: a leg that stands in
# the ground is meters above it. Ask with a distmax of the size of a cell or less, or give the terrain as boxes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import sys

import mujoco
import numpy as np

RADIUS, HALF, FAR = 0.5, 3, 10
SCENE = """<mujoco><asset><hfield name="terrain" nrow="{samples}" ncol="{samples}" size="{half} {half} 1 1"/></asset><worldbody>
<geom {ground}/><body pos="{x} {x} {z}"><freejoint/><geom size="{radius}"/></body></worldbody></mujoco>"""
FIELD = 'type="hfield" hfield="terrain"'
OTHERS = {"plane": 'type="plane" size="3 3 1"', "box": 'type="box" size="3 3 1" pos="0 0 -1"'}


def distance(ground, samples, x, gap, limit):
    scene = SCENE.format(ground=ground, samples=samples, half=HALF, x=x, z=RADIUS + gap, radius=RADIUS)
    model = mujoco.MjModel.from_xml_string(scene)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return mujoco.mj_geomDistance(model, data, 0, 1, limit, None), data.ncon


print("MuJoCo", mujoco.__version__, "NumPy", np.__version__)
changed = False
for name, ground in OTHERS.items():
    seen = [distance(ground, 4, 0, gap, FAR)[0] for gap in (0.05, 2, -0.1)]
    print(f"{name}: gaps of 0.05, 2 and -0.1 are {np.round(seen, 4)}")
    changed |= not np.allclose(seen, (0.05, 2, -0.1), atol=1e-6)
for x in (0, 2):
    for samples in (4, 10, 40):
        for gap, limits in {0.05: (0.1, 0.5, FAR), 2: (2.5, FAR), -0.1: (0.1, 0.5, FAR)}.items():
            seen = [distance(FIELD, samples, x, gap, limit) for limit in limits]
            values = np.array([value for value, _ in seen])
            print(f"{samples} samples a side, x = y = {x}, gap {gap}: {values.round(3)} with distmax {limits}, {seen[0][1]} contacts")
            changed |= (gap < 0) != (seen[0][1] > 0)
            changed |= (abs(values[-1] - gap) < 1e-6) != (samples == 4)
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check mujoco==4.0.0 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py"
