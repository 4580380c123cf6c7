#!/bin/sh
# build123d 0.13.0 (PyPI, with cadquery-ocp-novtk 8.0.1.1.0), NumPy 2.4.6, Python 3.11, Linux x86-64. CadQuery 2.8.0
# (Shape.tessellate) has the same numbers, to each digit.
#
# Cylinders of radius 1, 10 and 1,000 are cut into triangles by Shape.tessellate with a tolerance of 0.01 and angular tolerances of
# 0.1, the default, and 1: how far the triangles are from the cylinder. Then one cylinder twice, first with the larger angle.
# Expected: at most 0.01 for each radius: a tolerance is a length, as in Open CASCADE, where "relative" is off by default. And each
#           call by its own arguments.
# Seen:     0.0003, 0.003 and 0.31 with the angle of 0.1; 0.02, 0.05 and 4.8 with that of 1. "Relative" is switched on, by which the
#           tolerance is a fraction of the size of each edge; the docstring does not say so, and no argument changes it. A second
#           call with a finer angle returns the triangles of the first, which the shape keeps.
# Why it matters: a mesh for a check of collisions gets its tolerance as a margin. Small parts are right in a trial; of a tank or a
# hull the triangles lie 0.3 inside of it, or 5, with a margin of 0.01. Measure the deviation, or call Open CASCADE with relative
# off.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import importlib.metadata
import sys

import numpy as np
from build123d import Solid
from OCP.BRepMesh import BRepMesh_IncrementalMesh

TOLERANCE, HEIGHT = 0.01, 10


def deviation(shape, radius, angle):
    vertices, triangles = shape.tessellate(TOLERANCE, angle)
    points = np.array([tuple(vertex) for vertex in vertices])[np.array(triangles)]
    side = np.ptp(points[..., 2], axis=1) > HEIGHT / 2
    middles = (points + np.roll(points, 1, axis=1))[side] / 2
    return len(triangles), float(radius - np.hypot(middles[..., 0], middles[..., 1]).min())


for package in ("build123d", "cadquery-ocp-novtk", "numpy"):
    print(package, importlib.metadata.version(package))
changed = False
for radius in (1, 10, 1000):
    for angle in (0.1, 1):
        count, seen = deviation(Solid.make_cylinder(radius, HEIGHT), radius, angle)
        shape = Solid.make_cylinder(radius, HEIGHT)
        BRepMesh_IncrementalMesh(shape.wrapped, TOLERANCE, False, angle)
        absolute = deviation(shape, radius, angle)[1]
        print(f"radius {radius}, angular tolerance {angle}: {count} triangles, {seen:.4f} off; with relative off {absolute:.4f}")
        changed |= (seen > TOLERANCE) != (radius == 1000 or angle == 1) or absolute > TOLERANCE
shape = Solid.make_cylinder(10, HEIGHT)
first, second = deviation(shape, 10, 1)[0], deviation(shape, 10, 0.1)[0]
alone = deviation(Solid.make_cylinder(10, HEIGHT), 10, 0.1)[0]
print(f"angular tolerance 1, then 0.1: {first} and {second} triangles; 0.1 alone: {alone}")
changed |= first != second or second >= alone
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check \
    build123d==0.13.0 cadquery-ocp-novtk==8.0.1.1.0 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py"
