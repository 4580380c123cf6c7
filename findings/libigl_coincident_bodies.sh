#!/bin/sh
# libigl 2.6.3 (PyPI libigl, module igl.copyleft.cgal), Python 3.11, Linux x86-64.
#
# Two unit cubes as two meshes for intersect_other, and as one mesh for remesh_self_intersections, both with detect_only.
# Expected: both find the same pairs: the predicates are exact, and the two cubes share no vertex number.
# Seen:     cubes at the same place: 108 pairs by intersect_other, 0 by remesh_self_intersections;
#           face on face (moved by 1 along x): 62 and 0; face on face, moved sideways as well: 15 and 15.
#           remesh_self_intersections takes vertices with equal coordinates for one vertex, so faces of different bodies
#           that have a corner at the same place count as neighbors, and neighbors as allowed to touch.
# Why it matters: a body that was inserted twice has no self-intersections by this call, and whether two boxes that touch
# count depends on whether their corners coincide.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check libigl==2.6.3 numpy==2.4.6 scipy==1.17.1
cat >"$work/run.py" <<'PY'
import sys

import igl.copyleft.cgal as cgal
import numpy as np

FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def pairs(move):
    other = cgal.intersect_other(CORNERS, FACES, CORNERS + move, FACES, detect_only=True)
    whole = cgal.remesh_self_intersections(np.vstack([CORNERS, CORNERS + move]), np.vstack([FACES, FACES + 8]), detect_only=True)
    return len(other[0] if isinstance(other, tuple) else other), len(whole[2])


changed = False
for move, expected in {(0, 0, 0): (108, 0), (1, 0, 0): (62, 0), (1, 0.3, 0.2): (15, 15)}.items():
    got = pairs(np.array(move, float))
    print(f"second cube moved by {move}: {got[0]} pairs as two meshes, {got[1]} as one")
    changed |= got != expected
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
