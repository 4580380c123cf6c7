"""Plans with RRTConnect of OMPL so that every edge of the path is proven free of collisions.

pip install ompl
python examples/planning/ompl_plan.py [--seed 1] [--seconds 20] [--samples 0.1]

An arm with six axes reaches from one compartment of a shelf into another. OMPL asks `ccd.robot.ompl` about each edge and each
configuration, while it plans and while it shortens the path. With --samples it plans once more as it does by default, by
samples this far apart, and the script checks what they let through.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time

import numpy as np

import ccd
from ccd.robot import JointModel, Shape

try:
    from ompl import geometric, util
except ImportError:
    sys.exit("OMPL is not installed: pip install ompl")

AXES = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)]
PLACES = [(0, 0, 0.1), (0, 0, 0.1), (0, 0, 0.45), (0.2, 0, 0), (0.2, 0, 0), (0.1, 0, 0)]
START = [0.6, 0.2, 0.1, 0.0, -0.3, 0.0]
GOAL = [-0.6, -0.1, -0.35, 0.0, 0.45, 1.2]


def arm() -> ccd.robot.Robot:
    """Six revolute joints; capsules for the links, and a fork of two thin prongs."""
    along = lambda r, x: Shape.capsule(r, x).placed([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], [x / 2, 0, 0])  # noqa: E731
    up = Shape.capsule(0.05, 0.4).placed(np.eye(3), [0, 0, 0.225])
    prongs = [Shape.box([0.16, 0.008, 0.008]).placed(np.eye(3), [0.16, y, 0]) for y in (-0.03, 0.03)]
    bar = Shape.box([0.01, 0.08, 0.01]).placed(np.eye(3), [0.08, 0, 0])
    shapes = [
        [Shape.box([0.2, 0.2, 0.05])], [Shape.ball(0.07)], [up], [along(0.04, 0.2)], [along(0.035, 0.2)], [Shape.ball(0.04)],
        [bar, *prongs],
    ]  # fmt: skip
    names = ["base", "shoulder", "upper", "elbow", "lower", "wrist", "fork"]
    variables = [f"j{i + 1}" for i in range(6)]
    joints = [JointModel.moving(variables[i], "revolute", i, i + 1, i, AXES[i], PLACES[i], -math.pi, math.pi) for i in range(6)]
    allowed = [*itertools.pairwise(names), ("base", "upper"), ("elbow", "shoulder"), ("lower", "fork"), ("elbow", "wrist")]
    return ccd.robot.Robot("arm", names, shapes, joints, variables, allowed)


def shelf() -> dict[str, ccd.Surface]:
    """Thin boards, and wires across the openings."""
    boards = {
        **{f"board {i}": ([0.75, 0, z], [0.3, 1.0, 0.01]) for i, z in enumerate((0.35, 0.65, 0.95))},
        **{f"side {i}": ([0.75, y, 0.65], [0.3, 0.01, 0.6]) for i, y in enumerate((-0.5, 0, 0.5))},
        **{f"wire {i}": ([0.58, 0, z], [0.003, 1.0, 0.003]) for i, z in enumerate((0.42, 0.88))},
    }
    found = {}
    for name, (center, size) in boards.items():
        box = Shape.box(size).placed(np.eye(3), center)
        found[name] = ccd.Surface(box.vertices, [], box.faces)
    return found


def plan(checker: ccd.robot.Checker, resolution: float | None, seed: int, seconds: float) -> np.ndarray | None:
    """The waypoints of a path: proven free, or free at samples; None if none is found in time."""
    util.RNG.setSeed(seed)
    setup = geometric.SimpleSetup(ccd.robot.ompl.state_space(checker))
    info = setup.getSpaceInformation()
    valid = ccd.robot.ompl.state_validity_checker(info, checker)
    setup.setStateValidityChecker(valid)
    if resolution is None:
        motions = ccd.robot.ompl.motion_validator(info, checker)
        info.setMotionValidator(motions)
    else:
        info.setStateValidityCheckingResolution(resolution / info.getMaximumExtent())
    ends = [info.allocState(), info.allocState()]
    for state, values in zip(ends, (START, GOAL)):
        for i, x in enumerate(values):
            state[i] = x
    setup.setStartAndGoalStates(*ends)
    setup.setPlanner(geometric.RRTConnect(info))
    setup.solve(seconds)
    if not setup.haveExactSolutionPath():
        return None
    setup.simplifySolution(seconds)
    n = len(checker.joints)
    return np.array([state[0:n] for state in setup.getSolutionPath().getStates()])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of OMPL's random numbers (1)")
    parser.add_argument("--seconds", type=float, default=20, help="time to plan, and time to shorten (20)")
    parser.add_argument("--samples", type=float, metavar="D", help="also plan by samples this far apart, in radians")
    given = parser.parse_args()
    util.setLogLevel(util.LOG_NONE)
    robot, scene = arm(), shelf()
    checker = ccd.robot.Checker(robot, scene)
    for resolution in [None] if given.samples is None else [None, given.samples]:
        how = "proofs" if resolution is None else f"samples {resolution} apart"
        begun = time.process_time()
        points = plan(checker, resolution, given.seed, given.seconds)
        spent = time.process_time() - begun
        if points is None:
            print(f"{how}: no path in {given.seconds} s")
            return 1
        report = ccd.robot.check(robot, ccd.robot.Path(robot.joints, points), scene)
        counts = ", ".join(f"{report.count(v)} {v}" for v in ccd.robot.Verdict)
        print(f"{how}: {len(report.edges)} edges in {spent:.2f} s of processor time: {counts}")
        if resolution is None and not report.free:
            return 1
        if report.contact is not None:
            c = report.contact
            print(f"  edge {c.edge}: {c.a} and {c.b} at s = {c.s:.4f}")
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr = open("/dev/null", "w")  # noqa: SIM115  # nanobind reports OMPL's own leaks at exit
    sys.exit(code)
