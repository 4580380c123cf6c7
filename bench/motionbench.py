#!/usr/bin/env python3
"""Paths that a planner finds for the problems of MotionBenchMaker, certified by ccd.robot: what its sampled check let through.

    curl -LO https://files.pythonhosted.org/packages/f2/e3/\
df472573bab9194d796cf6a156edcf95089c14e5c932b2874cdef0d60a8b/vamp_planner-0.6.4.tar.gz
    tar xzf vamp_planner-0.6.4.tar.gz
    pip install coal ompl pyyaml scipy yourdfpy
    python bench/motionbench.py vamp_planner-0.6.4/resources --problems 5 --write    writes bench/reports/motionbench.md

The source of the planner VAMP holds the robots Panda, UR5 and Fetch (URDF, SRDF, meshes) and, for each, 100 problems in each of
seven scenes. RRTConnect of OMPL finds a path of straight edges in joint space and OMPL shortens it, as MoveIt does by default.
OMPL decides whether an edge is free by samples that are a resolution apart, tested by coal on the same triangles. Each edge of
the final path is certified.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import ccd
import coal
import numpy as np
from ccd.robot import Shape
from scipy.spatial.transform import Rotation

from robots import Sampler, pairs_of, processor_time

REPORT = Path(__file__).resolve().parent / "reports" / "motionbench.md"
ROBOTS = {"panda": "Panda", "ur5": "UR5", "fetch": "Fetch"}
SCENES = ("table_pick", "table_under_pick", "box", "bookshelf_small", "bookshelf_tall", "bookshelf_thin", "cage")
RESOLUTIONS = (0.1, 0.05)
FINE = 0.01  # radians between the samples of edges that collide
Values = dict[str, float]
PLANNING = 120.0  # seconds of wall clock


# ---- problems


def placed(shape: Shape, pose: dict[str, list[float]]) -> Shape:
    return shape.placed(Rotation.from_quat(pose["orientation"]).as_matrix(), pose["position"])


def surface(item: dict[str, object]) -> ccd.Surface:
    """The triangles of a collision object of MoveIt: boxes, and prisms of 32 sides around cylinders."""
    points, faces, base = [], [], 0
    for primitive, pose in zip(item["primitives"], item["primitive_poses"]):
        sizes = primitive["dimensions"]
        match primitive["type"]:
            case "box":
                shape = Shape.box(sizes)
            case "cylinder":
                shape = Shape.cylinder(sizes[1], sizes[0])
            case other:
                raise ValueError(f"a primitive of type {other}")
        shape = placed(shape, pose)
        points.append((placed(shape, item["pose"]) if "pose" in item else shape).vertices)
        faces.append(shape.faces + base)
        base += len(shape.vertices)
    return ccd.Surface(np.concatenate(points), np.empty((0, 2), np.int32), np.concatenate(faces))


def problems(
    resources: Path, name: str, scene: str, count: int
) -> Iterator[tuple[int, dict[str, ccd.Surface], Values, Values]]:
    """The first problems of a robot in a scene: a number, the objects, and the two configurations by joint."""
    import yaml

    with tarfile.open(resources / name / "problems.tar.bz2") as tar:
        files = {m.name: m for m in tar.getmembers() if f"/{scene}_{name}/" in m.name}
        numbers = sorted(n for n in files if "scene" in n)[:count]
        for file in numbers:
            read = lambda n: yaml.load(tar.extractfile(files[n]).read(), Loader=yaml.CSafeLoader)  # noqa: E731
            world, request = read(file), read(file.replace("/scene0", "/request0"))
            objects = {item["id"]: surface(item) for item in world["world"]["collision_objects"]}
            state = request["start_state"]["joint_state"]
            start = dict(zip(state["name"], state["position"]))
            goal = {c["joint_name"]: c["position"] for c in request["goal_constraints"][0]["joint_constraints"]}
            yield int(re.findall(r"\d+", Path(file).name)[0]), objects, start, goal


# ---- planning


def tested(robot: ccd.robot.Robot, objects: dict[str, ccd.Surface]) -> list[tuple[str, str]]:
    """The pairs that `ccd.robot.check` tests."""
    shaped = {name for name, shapes in zip(robot.links, robot._shapes) if shapes}
    robot._allowed = {pair for pair in robot._allowed if pair <= shaped}
    return pairs_of(robot, objects, [])


def bounds(robot: ccd.robot.Robot, ends: np.ndarray) -> list[tuple[float, float]]:
    """The limits of the joints; from -pi to pi where a joint has no limits."""
    found = []
    for name, (low, high) in zip(robot.joints, np.stack([ends.min(0), ends.max(0)], 1)):
        joint = next(j for j in robot._tree.joints if j.name == name)
        given = np.isfinite([joint.lower, joint.upper]).all() and joint.lower < joint.upper
        found.append((min(low, joint.lower if given else -np.pi), max(high, joint.upper if given else np.pi)))
    return found


def plan(sampler: Sampler, ends: np.ndarray, resolution: float) -> np.ndarray | None:
    """The waypoints of a path by OMPL whose edges it accepts by samples, or None if it finds none in time."""
    from ompl import base, geometric

    n = ends.shape[1]
    space, box = base.RealVectorStateSpace(n), base.RealVectorBounds(n)
    for i, (low, high) in enumerate(bounds(sampler.robot, ends)):
        box.setLow(i, low)
        box.setHigh(i, high)
    space.setBounds(box)
    setup = geometric.SimpleSetup(space)
    info = setup.getSpaceInformation()
    setup.setStateValidityChecker(lambda s: not sampler.collides(np.array([s[i] for i in range(n)])))
    info.setStateValidityCheckingResolution(resolution / space.getMaximumExtent())
    states = [space.allocState(), space.allocState()]
    for state, q in zip(states, ends):
        for i in range(n):
            state[i] = float(q[i])
    setup.setStartAndGoalStates(*states)
    setup.setPlanner(geometric.RRTConnect(info))
    setup.solve(PLANNING)
    if not setup.haveExactSolutionPath():
        return None
    setup.simplifySolution(PLANNING)
    return np.array([[s[i] for i in range(n)] for s in setup.getSolutionPath().getStates()])


# ---- runs


def run(resources: Path, name: str, scene: str, count: int) -> dict[str, object]:
    robot = ccd.robot.read(resources / name / f"{name}.urdf", resources / name / f"{name}.srdf")
    counts: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    found, worst = [], 0.0
    for number, objects, start, goal in problems(resources, name, scene, count):
        sampler = Sampler(robot, objects, tested(robot, objects))
        ends = np.array([[start[j] for j in robot.joints], [goal[j] for j in robot.joints]])
        counts["problems"] += 1
        if any(sampler.collides(q) for q in ends):
            counts["ends collide"] += 1
            continue
        for resolution in RESOLUTIONS:
            begun = processor_time()
            points = plan(sampler, ends, resolution)
            spent["planned"] += processor_time() - begun
            if points is None:
                counts["no path"] += 1
                continue
            begun = processor_time()
            report = ccd.robot.check(robot, ccd.robot.Path(robot.joints, points), objects, threads=1, limits=False)
            took = processor_time() - begun
            spent["certified"] += took
            worst = max(worst, took / len(report.edges))
            counts["paths"] += 1
            counts[f"paths {resolution}"] += 1
            counts[f"hit {resolution}"] += any(str(e.verdict) == "collides" for e in report.edges)
            for k, edge in enumerate(report.edges):
                counts["edges"] += 1
                counts[str(edge.verdict)] += 1
                if str(edge.verdict) == "collides":
                    counts[f"missed {resolution}"] += 1
                    fine = not sampler.edge(points[k], points[k + 1], FINE)
                    counts["missed fine"] += fine
                    c = edge.contact
                    counts["confirmed"] += sampler.collides(points[k] + c.s * (points[k + 1] - points[k]))
                    found.append([number, resolution, k, c.a, c.b, c.s, str(c.how), bool(fine)])
    return {"robot": name, "scene": scene, "counts": counts, "spent": spent, "worst": worst, "found": found}


def runs(args: argparse.Namespace) -> Iterator[dict[str, object]]:
    from ompl import util

    util.setLogLevel(util.LOG_ERROR)
    util.RNG.setSeed(1)
    for name in [args.robot] if args.robot else ROBOTS:
        for scene in [args.scene] if args.scene else SCENES:
            row = run(args.resources, name, scene, args.problems)
            print(json.dumps(row), flush=True)
            yield row


def table(rows: list[dict[str, object]]) -> str:
    lines = [
        "| robot | scene | paths | that collide, planned at 0.1 | at 0.05 | edges "
        "| free | collide | undecided | not seen at 0.01 | certified, ms an edge |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    total: Counter[str] = Counter()
    for row in rows:
        c = Counter(row["counts"])
        total += c
        hits = [f"{c[f'hit {x}']} of {c[f'paths {x}']}" for x in RESOLUTIONS]
        edges = [c["edges"], c["free"], c["collides"], c["undecided"], c["missed fine"]]
        time = 1e3 * row["spent"].get("certified", 0) / max(c["edges"], 1)
        cells = [ROBOTS[row["robot"]], row["scene"].replace("_", " "), c["paths"], *hits, *edges, f"{time:.0f}"]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    hits = [f"{total[f'hit {x}']} of {total[f'paths {x}']}" for x in RESOLUTIONS]
    edges = [total["edges"], total["free"], total["collides"], total["undecided"], total["missed fine"]]
    lines.append(f"| **all** | | {' | '.join(map(str, [total['paths'], *hits, *edges]))} | |")
    return "\n".join(
        [
            *lines,
            "",
            f"coal confirms {total['confirmed']} of the {total['collides']} contacts, where `ccd.robot` places them.",
            f"Problems: {total['problems']}; in {total['ends collide']} the start or the goal collides by coal's verdict, and "
            f"{total['no path']} searches found no path in {PLANNING:.0f} s.",
        ]
    )


TEXT = """# Paths of planners

Robots, scenes and queries of MotionBenchMaker [Chamzas2022], as the source of the planner VAMP holds them. RRTConnect of OMPL
{ompl} finds a path of straight edges in joint space, and OMPL shortens it. It accepts an edge if samples of it are free:
configurations 0.1 or 0.05 apart, in the Euclidean norm of the joints in radians, tested by coal {coal}. MoveIt's default,
half a percent of the extent of the joint space, is 0.06 to 0.1 for these robots. Each edge of the final path is then
certified by `ccd.robot` with the same triangles: *free* is proven for the whole edge, *collide* at a configuration that the
report names. *Not seen at 0.01* are edges that collide and where samples 0.01 apart find nothing.

`python bench/motionbench.py RESOURCES --problems {problems} --write` ({date}):

{table}

Times are processor times of one thread, on a machine with other work. A call includes making the meshes of the links.
Cylinders of the scenes are prisms of 32 sides around them, for both.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("resources", type=Path, help="the folder resources of vamp_planner-0.6.4")
    parser.add_argument("--problems", type=int, default=5, help="problems of each robot in each scene (5)")
    parser.add_argument("--robot", choices=list(ROBOTS), help="this robot alone (all)")
    parser.add_argument("--scene", choices=SCENES, help="this scene alone (all)")
    parser.add_argument("--rows", type=Path, help="a file of the rows that another run printed, in place of a run")
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.name}")
    args = parser.parse_args()
    if args.rows:
        rows = [json.loads(line) for line in args.rows.read_text().splitlines() if line.startswith("{")]
    else:
        rows = list(runs(args))
    found = table(rows)
    print(found)
    if args.write:
        versions = {"ompl": version("ompl"), "coal": coal.__version__}
        REPORT.write_text(TEXT.format(**versions, problems=args.problems, date=datetime.date.today(), table=found))


if __name__ == "__main__":
    main()
