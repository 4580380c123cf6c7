#!/bin/sh
# ipctk 1.6.1 (PyPI ipctk), Python 3.11, Linux x86-64.
#
# Two triangles, one above the other, with gaps of 0.1, 0.5, 2 and 5: what NormalCollisions.compute_minimum_distance returns, and with
# which gaps build() with dhat, and NormalCollisions with dmin, count the pair.
# Expected: the gap. Its docstring says "the minimum distance between any non-adjacent elements", and dhat and dmin, beside it, are
#           lengths; that a distance is squared is said in the notes of the functions of pairs, such as point_triangle_distance.
# Seen:     0.01, 0.25, 4 and 25: the square of the gap. dhat and dmin are lengths. Where no pair is within dhat, it is infinite.
# Why it matters: below 1 the answer is too small, which is safe, and looks like a bad mesh. In millimeters it is too large: a gap of 5
# reads 25, so "stop below 10" lets two bodies come as near as 3.2. Take the square root.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import math
import sys

import ipctk
import numpy as np

print("ipctk", ipctk.__version__)
faces = np.array([[0, 1, 2], [3, 4, 5]], np.int32, order="F")
edges = ipctk.edges(faces)
changed = "squared" in ipctk.NormalCollisions.compute_minimum_distance.__doc__.lower()
for gap in (0.1, 0.5, 2.0, 5.0):
    lower = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    vertices = np.asfortranarray(np.concatenate([lower, lower + [0.2, 0.2, gap]]))
    mesh = ipctk.CollisionMesh(vertices, edges, faces)
    seen = {}
    for name, dhat, dmin in (("within", 1.01 * gap, 0), ("beyond", 0.99 * gap, 0), ("dmin", 0.51 * gap, 0.5 * gap)):
        collisions = ipctk.NormalCollisions()
        collisions.build(mesh, vertices, dhat, dmin)
        seen[name] = len(collisions), collisions.compute_minimum_distance(mesh, vertices)
    print(f"gap {gap}: {seen['within'][1]:.6g} with dhat above the gap, {seen['beyond'][1]} with dhat below,",
          f"{seen['dmin'][1]:.6g} with half of the gap as dmin")
    changed |= abs(seen["within"][1] - gap**2) > 1e-12 or seen["beyond"] != (0, math.inf)
    changed |= seen["dmin"][0] == 0 or abs(seen["dmin"][1] - gap**2) > 1e-12
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check ipctk==1.6.1 numpy==2.4.6 scipy==1.17.1
"$work/venv/bin/python" "$work/run.py"
