#!/bin/sh
# mplib 0.2.1 (PyPI mplib) with toppra 0.6.10, Python 3.11, Linux x86-64.
#
# Planner.plan_qpos of a gantry (three sliding axes, a ball of radius 0.2 as its head) around two walls, 20 times with other seeds. The
# path that the search found is kept, by wrapping the planner's own method TOPP, to which it is handed for timing. Path and returned
# positions are compared with the walls. Then TOPP alone is given two paths of straight segments with a corner.
# Expected: what a result with the status "Success" holds is the path that was found, with times: timing changes when, not where.
# Seen:     the paths, which are checked at places some centimeters apart, enter the walls by 0.0015 at most. The returned positions
#           enter them in 16 of 20 results, by up to 0.023, in up to 73 rows, which mplib's own check_for_env_collision reports. Before
#           it is timed, the path is replaced by one cubic spline through its points, at equal parameters however far they are apart;
#           the corner (0,0), (1,0), (1,1) is left by 0.125, one with a short segment of 0.05 between two of length 1 by 0.074.
#           Nothing checks the spline, and neither docstring nor status says that it is another curve.
# Why it matters: the planner was asked for a free trajectory, found one, and returned another. Check the positions that come back, or
# give the timing a path with points in between.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import pathlib
import sys

import mplib
import numpy as np
from mplib import Planner, Pose
from mplib.collision_detection.fcl import Box, CollisionObject, FCLObject

WALLS = [((0.2, 1.6, 4.0), (0.0, -0.4, 0.0)), ((0.2, 1.6, 4.0), (0.8, 0.4, 0.0))]
RADIUS = 0.2
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
BALL = f'<collision><geometry><sphere radius="{RADIUS}"/></geometry></collision>'
LIMITS = '<limit lower="-2" upper="2" velocity="1" effort="10"/>'
folder = pathlib.Path(sys.argv[1])
robot = "".join(f'<link name="{name}">{INERTIAL}{BALL if name == "head" else ""}</link>' for name in ("base", "lx", "ly", "head"))
for name, parent, child, axis in (("jx", "base", "lx", "1 0 0"), ("jy", "lx", "ly", "0 1 0"), ("jz", "ly", "head", "0 0 1")):
    robot += f'<joint name="{name}" type="prismatic"><parent link="{parent}"/><child link="{child}"/><axis xyz="{axis}"/>{LIMITS}</joint>'
(folder / "gantry.urdf").write_text(f'<robot name="gantry">{robot}</robot>')
(folder / "gantry.srdf").write_text('<robot name="gantry"/>')
planner = Planner(urdf=str(folder / "gantry.urdf"), srdf=str(folder / "gantry.srdf"), move_group="head")
for number, (size, place) in enumerate(WALLS):
    wall = FCLObject(f"wall{number}", Pose(), [CollisionObject(Box(list(size)))], [Pose(p=list(place))])
    planner.planning_world.add_object(wall)

found = []
timing = planner.TOPP


def keep(path, *rest, **named):
    found.append(np.array(path))
    return timing(path, *rest, **named)


planner.TOPP = keep


def blocked(points):
    return sum(bool(planner.check_for_env_collision(point)) for point in points)


def depth(points):
    """How deep the ball is in a wall at the worst of these points; below 0 if it is free."""
    sunk = []
    for size, place in WALLS:
        q = np.abs(points - np.array(place)) - np.array(size) / 2
        outside = np.linalg.norm(np.maximum(q, 0), axis=1)
        sunk.append(RADIUS - (outside + np.minimum(q.max(1), 0)))
    return np.max(sunk)


def leaves(path):
    """How far the timed path is from the segments of the path, at the worst."""
    positions = timing(path, 0.005)[1]
    apart = []
    for a, b in zip(path, path[1:]):
        along = np.clip((positions - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        apart.append(np.linalg.norm(positions - a - along[:, None] * (b - a), axis=1))
    return np.min(apart, axis=0).max()


bad, rows_of_all, deepest, path_deepest = 0, 0, 0.0, 0.0
for seed in range(1, 21):
    mplib.set_global_seed(seed)
    result = planner.plan_qpos([np.array([1.5, 0.0, 0.0])], np.array([-1.0, -0.5, 0.0]), time_step=0.02, planning_time=30.0)
    assert result["status"] == "Success", result["status"]
    path = found[-1]
    on_path = depth(np.concatenate([np.linspace(a, b, 1000) for a, b in zip(path, path[1:])]))
    positions = result["position"]
    rows = blocked(positions)
    bad += rows > 0
    rows_of_all = max(rows_of_all, rows)
    deepest, path_deepest = max(deepest, depth(positions)), max(path_deepest, on_path)
    print(f"seed {seed}: path of {len(path)} points, depth {on_path:.4f}; {rows} of {len(positions)} returned positions blocked,",
          f"depth {depth(positions):.4f}")
print(f"{bad} of 20 results in collision, up to {rows_of_all} rows; depth {deepest:.4f}, of the paths {path_deepest:.4f}")
corner = leaves(np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0]]))
short = leaves(np.array([[0.0, 0, 0], [1, 0, 0], [1.05, 0, 0], [1.05, 1, 0]]))
print(f"timing leaves the corner (0,0), (1,0), (1,1) by {corner:.3f}, one with a short segment by {short:.3f}")
if not (bad >= 8 and deepest > 0.005 and path_deepest < 0.004 and corner > 0.05 and short > 0.05):
    sys.exit("the behavior has changed")
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check \
    mplib==0.2.1 toppra==0.6.10 numpy==1.26.4 scipy==1.17.1
"$work/venv/bin/python" "$work/run.py" "$work"
