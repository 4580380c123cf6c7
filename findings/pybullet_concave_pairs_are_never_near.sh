#!/bin/sh
# PyBullet 3.2.7 (PyPI), NumPy 2.4.6, Python 3.11, Linux x86-64.
#
# A unit cube as a box, a convex hull and a concave mesh (GEOM_FORCE_CONCAVE_TRIMESH; in a URDF concave="yes"), a plane and a height
# field that is level, in pairs 3 and 0.05 apart and 0.25 deep in each other: getClosestPoints within 10, and the bodies whose bounding
# boxes overlap by getOverlappingObjects.
# Expected: a distance of each pair, or an error where a pair is not supported. The guide says that a concave mesh is for bodies that do
#           not move, and planners ask for distances of bodies that they place themselves.
# Seen:     boxes and hulls have distances from each other and from the concave mesh, the plane and the height field, right within 0.01.
#           Two concave meshes, and a concave mesh with a plane or a height field, have none, at any gap and in overlap: the same
#           empty tuple as where nothing is near. getOverlappingObjects lists the pair that overlaps.
# Why it matters: a fixture, a shelf or a gripper is concave, so it gets that flag for being exact, and a check of it against another
# one, or against the floor, is passed everywhere. A trial with a box or a hull finds everything. Give one of the two as convex parts.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >run.py <<'PY'
import itertools
import sys

import pybullet as p

CORNERS = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
SIDES = [[1, 2, 4], [1, 4, 3], [5, 7, 8], [5, 8, 6], [1, 5, 6], [1, 6, 2], [3, 4, 8], [3, 8, 7], [1, 3, 7], [1, 7, 5], [2, 6, 8], [2, 8, 4]]
with open("cube.obj", "w") as file:
    file.writelines("v {} {} {}\n".format(*corner) for corner in CORNERS)
    file.writelines("f {} {} {}\n".format(*side) for side in SIDES)
URDF = '''<robot name="r"><link name="l" concave="yes">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision concave="yes"><geometry><mesh filename="cube.obj"/></geometry></collision></link></robot>'''
with open("concave.urdf", "w") as file:
    file.write(URDF)


def made(shape, at):
    return p.createMultiBody(0, shape, basePosition=[0, 0, at])


# Each is made with its top at a height, if it is below, or with its bottom, if it is above.
def box(at):
    return made(p.createCollisionShape(p.GEOM_BOX, halfExtents=[0.5] * 3), at)


def hull(at):
    return made(p.createCollisionShape(p.GEOM_MESH, fileName="cube.obj"), at)


def concave(at):
    return made(p.createCollisionShape(p.GEOM_MESH, fileName="cube.obj", flags=p.GEOM_FORCE_CONCAVE_TRIMESH), at)


def urdf(at):
    return p.loadURDF("concave.urdf", basePosition=[0, 0, at], useFixedBase=True)


def plane(at):
    return made(p.createCollisionShape(p.GEOM_PLANE), at + 0.5)


def field(at):
    size = {"numHeightfieldRows": 21, "numHeightfieldColumns": 21}
    return made(p.createCollisionShape(p.GEOM_HEIGHTFIELD, meshScale=[0.2, 0.2, 1], heightfieldData=[0.0] * 441, **size), at + 0.5)


p.connect(p.DIRECT)
print("PyBullet, API", p.getAPIVersion())
CONVEX, OTHERS = (box, hull), (concave, urdf, plane, field)
changed = False
for below, above in itertools.product(CONVEX + OTHERS, CONVEX + OTHERS[:2]):
    distances, overlaps = [], []
    for gap in (3, 0.05, -0.25):
        p.resetSimulation()
        a, b = below(-0.5), above(0.5 + gap)
        p.performCollisionDetection()
        near = p.getClosestPoints(a, b, 10.0)
        distances.append(min(point[8] for point in near) if near else None)
        overlaps.append(any(body == b for body, _ in p.getOverlappingObjects(*p.getAABB(a)) or ()))
    said = ["none" if d is None else f"{d:.3f}" for d in distances]
    print(f"{above.__name__} above {below.__name__}: distances {', '.join(said)}; overlapping {overlaps}")
    if below in CONVEX or above in CONVEX:
        changed |= any(d is None or abs(d - gap) > 0.01 for d, gap in zip(distances, (3, 0.05, -0.25)))
    else:
        changed |= distances != [None] * 3 or not overlaps[2]
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check --only-binary :all: pybullet==3.2.7 numpy==2.4.6
venv/bin/python run.py
