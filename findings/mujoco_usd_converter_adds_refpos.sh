#!/bin/sh
# mujoco-usd-converter 0.8.0 with MuJoCo 3.16.0 and usd-exchange 3.0.1 (PyPI), NumPy 2.4.6, Python 3.11, Linux x86-64.
#
# MJCF files of one mesh on a body, with each of scale, refpos and refquat, and several of them, converted to USD. The places of the
# vertices in the USD file, and those that MuJoCo has for the same file.
# Expected: the same: the converter reads MJCF by MuJoCo itself, and is part of the same effort as Newton, which runs such files.
# Seen:     without refpos and refquat the same to 1e-6, also with a mirroring scale. MuJoCo subtracts refpos from the vertices, turns
#           them back by refquat, and then scales them; the converter adds refpos to the place of the shape and turns the shape
#           forward. With refpos (1, 0, 0) a shape that is turned by 90 degrees is 1 forward along x of the body, in place of 1
#           back along its own x. No warning is printed. The places of other shapes are right.
# Why it matters: these attributes put the origin of a mesh from CAD where the link's is. All else in the scene is right, so a link's
# shape that stands beside its joint may look like a mistake in the model. Apply both to the mesh file before, or compare the places.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >run.py <<'PY'
import importlib.metadata
import shutil
import sys

import mujoco
import mujoco_usd_converter
import numpy as np
from pxr import Usd, UsdGeom

CORNER = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MODEL = """<mujoco model="scene"><asset><mesh name="corner" file="{}" {}/></asset><worldbody><body pos="0 0 10"><freejoint/>
<geom type="mesh" mesh="corner" pos="0.5 0 0" euler="0 90 0"/></body></worldbody></mujoco>"""
QUARTER = 'refquat="0.7071067811865476 0 0 0.7071067811865476"'
CASES = {  # For each: the attributes, and whether the converter is right.
    "no attribute": ("", True),
    "scale": ('scale="1 2 3"', True),
    "mirroring scale": ('scale="-1 1 1"', True),
    "refpos": ('refpos="1 0 0"', False),
    "refpos, scale": ('refpos="1 0 0" scale="2 2 2"', False),
    "refquat": (QUARTER, False),
    "refpos, refquat, scale": (f'refpos="1 2 3" {QUARTER} scale="2 2 2"', False),
}


def ordered(points):
    return sorted(map(tuple, np.round(points, 4) + 0.0))


for package in ("mujoco-usd-converter", "mujoco", "usd-exchange"):
    print(package, importlib.metadata.version(package))
changed = False
for name, (attributes, right) in CASES.items():
    own = name.replace(", ", "_").replace(" ", "_") + ".obj"  # MuJoCo keeps meshes by the names of their files.
    with open(own, "w") as file:
        file.write(CORNER)
    with open("scene.xml", "w") as file:
        file.write(MODEL.format(own, attributes))
    model = mujoco.MjModel.from_xml_path("scene.xml")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    true = model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    shutil.rmtree("out", ignore_errors=True)
    stage = Usd.Stage.Open(mujoco_usd_converter.Converter().convert("scene.xml", "out").path)
    (mesh,) = [prim for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()) if prim.IsA(UsdGeom.Mesh)]
    place = np.array(UsdGeom.XformCache().GetLocalToWorldTransform(mesh))
    seen = np.array(UsdGeom.Mesh(mesh).GetPointsAttr().Get(), float) @ place[:3, :3] + place[3, :3]
    same = np.allclose(ordered(seen), ordered(true), atol=1e-3)
    print(f"{name}: MuJoCo from {true.min(axis=0).round(3) + 0} to {true.max(axis=0).round(3) + 0},",
          f"USD from {seen.min(axis=0).round(3) + 0} to {seen.max(axis=0).round(3) + 0}: {'same' if same else 'other'}")
    changed |= same != right
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check \
    mujoco-usd-converter==0.8.0 mujoco==3.16.0 usd-exchange==3.0.1 numpy==2.4.6
venv/bin/python run.py 2>warnings.txt || { cat warnings.txt; exit 1; }
grep -i warning warnings.txt || true
