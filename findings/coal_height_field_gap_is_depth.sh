#!/bin/sh
# Coal 3.0.3 (PyPI coal), Python 3.11, Linux x86-64.
#
# collide() with a security margin of 0.05 between level ground at z = 1, given as a HeightField, a Box and a mesh, and a body
# above it: for a gap of 0.03, a gap of 0.01 and an overlap of 0.01. The body is a sphere, a box, a capsule or a cylinder.
# Expected: Contact.penetration_depth is the signed distance, 0.03, 0.01 and -0.01, whatever the ground is given as.
# Seen:     so for a Box and a mesh. For a height field it is -0.03, -0.01 and -0.01: a gap has the sign of an overlap, and a
#           gap of 0.01 and an overlap of 0.01 are equal. Also CollisionResult.distance_lower_bound is below -margin, as for
#           an overlap. The nearest points are right in each case: (p2 - p1) . normal is the signed distance.
# Why it matters: a foot that is 0.03 above the terrain seems to stand 0.03 deep in it, and a planner that sums up or pushes
# out depths acts on gaps. Without a margin no such contact is reported. Give the terrain as a mesh where a margin is asked for.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check coal==3.0.3 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys
from fractions import Fraction

import coal
import numpy as np

MARGIN = 0.05
BODIES = {  # each reaches 1/8 below its origin
    "sphere": coal.Sphere(0.125),
    "box": coal.Box(0.25, 0.25, 0.25),
    "capsule": coal.Capsule(0.0625, 0.125),
    "cylinder": coal.Cylinder(0.125, 0.25),
}


def at(x, y, z):
    return coal.Transform3s(np.eye(3), np.array([x, y, z]))


def ground():
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(2, 4)
    a, b, c, d = (np.array([x, y, 1.0]) for x, y in ((-2, -2), (2, -2), (2, 2), (-2, 2)))
    mesh.addTriangle(a, b, c)
    mesh.addTriangle(a, c, d)
    mesh.endModel()
    level = np.ones((5, 5))
    return {
        "HeightFieldAABB": (coal.HeightFieldAABB(4.0, 4.0, level, 0.0), at(0, 0, 0)),
        "HeightFieldOBBRSS": (coal.HeightFieldOBBRSS(4.0, 4.0, level, 0.0), at(0, 0, 0)),
        "Box": (coal.Box(4.0, 4.0, 1.0), at(0, 0, 0.5)),
        "mesh": (mesh, at(0, 0, 0)),
    }


def seen(terrain, place, body, z):
    """The least depth of the contacts, the least signed distance by their nearest points, and the lower bound."""
    request, result = coal.CollisionRequest(), coal.CollisionResult()
    request.security_margin, request.num_max_contacts = MARGIN, 100
    coal.collide(terrain, place, body, at(0.1, 0.17, z), request, result)
    contacts = result.getContacts()
    depth = min(c.penetration_depth for c in contacts)
    points = min(float((c.getNearestPoint2() - c.getNearestPoint1()) @ c.normal) for c in contacts)
    return depth, points, result.distance_lower_bound


changed = False
for name, (terrain, place) in ground().items():
    for kind, body in BODIES.items():
        for gap in (0.03, 0.01, -0.01):
            z = 1.125 + gap
            exact = round(float(Fraction(z) - Fraction(1, 8) - 1), 6)  # the body's lowest point less the ground's height
            depth, points, bound = seen(terrain, place, body, z)
            reported = -abs(exact) if name.startswith("HeightField") else exact
            print(f"{name}, {kind}, {exact}: depth {depth:.3f}, by nearest points {points:.3f}, bound {bound:.3f}")
            changed |= abs(depth - reported) > 1e-5 or abs(points - exact) > 1e-5 or abs(bound - reported + MARGIN) > 1e-5
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
