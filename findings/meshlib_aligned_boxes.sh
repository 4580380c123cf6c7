#!/bin/sh
# MeshLib 3.1.4.297 (PyPI meshlib), Python 3.11, Linux x86-64.
#
# Two unit cubes, one moved by 0.5 along x: half of each is inside the other, and their side faces lie in common planes.
# Expected: findCollidingTriangles lists pairs, findSignedDistance is negative, isInside is False.
# Seen:     findCollidingTriangles lists no pair, findSignedDistance is 0, isInside says that the moved cube is inside the
#           other one, although its half is outside. The intersection by mm.boolean has the right volume, 0.5.
#           Moved by (0.5, 0.25, 0.1), so that no faces lie in one plane: 12 pairs, -0.1, False.
# Why it matters: triangles that meet only along edges are no pairs here, so three calls on which a check of clearance
# stands report touching or "inside" for two boxes that overlap by half. The volume of the boolean tells them apart.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check meshlib==3.1.4.297 meshlib-core==3.1.4.297 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys

import numpy as np
from meshlib import mrmeshnumpy as mn
from meshlib import mrmeshpy as mm

FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]


def cube(move):
    corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    return mn.meshFromFacesVerts(np.array(FACES, np.int32), np.array(corners) + move)


def seen(move):
    a, b = cube([0, 0, 0]), cube(move)
    pairs = len(mm.findCollidingTriangles(mm.MeshPart(a), mm.MeshPart(b)))
    distance = round(mm.findSignedDistance(mm.MeshPart(a), mm.MeshPart(b)).signedDist, 4)
    inside = mm.isInside(mm.MeshPart(b), mm.MeshPart(a))
    volume = round(mm.boolean(a, b, mm.BooleanOperation.Intersection).mesh.volume(), 4)
    return pairs, distance, inside, volume


want = {(0.5, 0, 0): (0, 0.0, True, 0.5), (0.5, 0.25, 0.1): (12, -0.1, False, 0.3375), (1.001, 0, 0): (0, 0.001, False, 0.0)}
changed = False
for move, expected in want.items():
    got = seen(move)
    print(f"moved by {move}: pairs {got[0]}, signed distance {got[1]}, isInside {got[2]}, volume of the intersection {got[3]}")
    changed |= got != expected
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
