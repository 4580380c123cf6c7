#!/bin/sh
# Klampt 0.10.1.post1 (PyPI klampt), Python 3.11, Linux x86-64.
#
# URDF robots of one link with one to three <collision> elements (boxes and balls at x = 0, 3, 6), read by WorldModel.readFile, and
# the same shapes each on a link of its own behind a fixed joint. What each link's geometry holds, and whether an obstacle at each
# of these places collides with the robot.
# Expected: a link has the shapes of all its elements; Klampt has groups of geometries for that.
# Seen:     a link has the shape of its first element. The others are gone, without a word, readFile returns True, and an obstacle at
#           their place is free. The order in the file decides which one stays. Behind fixed joints all are there.
# Why it matters: links are commonly described by several boxes, balls or convex parts, and a planner then sees a part of each.
# Give each shape a link with a fixed joint, or one mesh of all, and compare bounding boxes with the file.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check klampt==0.10.1.post1 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys

from klampt import Geometry3D, WorldModel
from klampt.model import geometry

INERTIA = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
SHAPES = {"box": '<box size="1 1 1"/>', "ball": '<sphere radius="0.5"/>'}


def collision(kind, x):
    return f'<collision><origin xyz="{x} 0 0"/><geometry>{SHAPES[kind]}</geometry></collision>'


def one_link(kinds):
    inner = "".join(collision(kind, x) for kind, x in kinds)
    return f'<link name="base">{INERTIA}{inner}</link>'


def fixed_links(kinds):
    text = f'<link name="base">{INERTIA}</link>'
    for i, (kind, x) in enumerate(kinds):
        text += f'<link name="part{i}">{INERTIA}{collision(kind, 0)}</link><joint name="to{i}" type="fixed">'
        text += f'<parent link="base"/><child link="part{i}"/><origin xyz="{x} 0 0"/></joint>'
    return text


def occupied(body, path):
    """The places x at which a small box collides with a geometry of the robot."""
    with open(path, "w", encoding="ascii") as file:
        file.write(f'<robot name="r">{body}</robot>')
    world = WorldModel()
    if not world.readFile(path):
        raise SystemExit("the file is refused")
    robot = world.robot(0)
    places = []
    for x in (0, 3, 6):
        probe = Geometry3D(geometry.box(0.2, 0.2, 0.2, center=(x + 0.45, 0, 0)))
        links = [robot.link(i).geometry() for i in range(robot.numLinks())]
        if any(not link.empty() and link.collides(probe) for link in links):
            places.append(x)
    return places


CASES = [
    [("box", 0)],
    [("box", 0), ("ball", 3)],
    [("ball", 3), ("box", 0)],
    [("box", 6), ("ball", 0), ("box", 3)],
]
changed = False
for kinds in CASES:
    path = sys.argv[1] + "/r.urdf"
    one, apart = occupied(one_link(kinds), path), occupied(fixed_links(kinds), path)
    print(f"shapes {kinds}: in one link occupied x = {one}, behind fixed joints {apart}")
    changed |= one != [kinds[0][1]] or apart != sorted(x for _, x in kinds)
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work"
