#!/bin/sh
# Coal 3.0.3 (PyPI coal), Python 3.11, Linux x86-64.
#
# coal.distance of two cubes that are 0.5 apart along x, each given as a Box or as a mesh (BVHModelOBBRSS), and what
# DistanceResult.normal holds afterwards.
# Expected: the unit vector from the first to the second, (1, 0, 0), as Contact.normal is documented, and as two boxes have it.
# Seen:     so for two boxes. For two meshes the distance and both nearest points are right, and the normal is no unit vector:
#           it holds numbers such as 4.9e-323, or whatever was in its memory. No field says so.
# Why it matters: a controller or an optimizer that pushes bodies apart along the normal of meshes moves nothing, or anywhere.
# Take (p2 - p1) / distance in its place.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check coal==3.0.3 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys

import coal
import numpy as np

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def mesh():
    model = coal.BVHModelOBBRSS()
    model.beginModel(12, 8)
    for a, b, c, d in SIDES:
        model.addTriangle(CORNERS[a], CORNERS[b], CORNERS[c])
        model.addTriangle(CORNERS[a], CORNERS[c], CORNERS[d])
    model.endModel()
    return model


def at(x):
    return coal.Transform3s(np.eye(3), np.array([x, 0.25, 0.125]))


changed = False
for name, make in (("boxes", lambda: coal.Box(2, 2, 2)), ("meshes", mesh)):
    result = coal.DistanceResult()
    distance = coal.distance(make(), at(0), make(), at(2.5), coal.DistanceRequest(), result)
    between = result.getNearestPoint2() - result.getNearestPoint1()
    unit = abs(np.linalg.norm(result.normal) - 1) < 1e-6
    print(f"two {name}: distance {distance:.6f}, points {between} apart, normal {result.normal}")
    changed |= abs(distance - 0.5) > 1e-6 or abs(np.linalg.norm(between) - 0.5) > 1e-6 or unit != (name == "boxes")
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
