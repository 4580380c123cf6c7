#!/usr/bin/env python3
"""Paths that a planner finds for the problems of MotionBenchMaker, certified by ccd.robot: what its sampled check let through.

    curl -LO https://files.pythonhosted.org/packages/f2/e3/\
df472573bab9194d796cf6a156edcf95089c14e5c932b2874cdef0d60a8b/vamp_planner-0.6.4.tar.gz
    tar xzf vamp_planner-0.6.4.tar.gz
    pip install coal ompl pyyaml scipy yourdfpy
    python bench/motionbench.py vamp_planner-0.6.4/resources --problems 5 --write    writes bench/reports/motionbench.md

In pieces, each of one problem that is planned in one way, and the report of them all:

    for i in 0 1 2 3 4; do for how in 0.1 0.05 0.01 proofs; do
        python bench/motionbench.py RESOURCES --robot ur5 --scene box --first $i --problems 1 --how $how > ur5-box-$i-$how
    done; done
    python bench/motionbench.py RESOURCES --rows ur5-* panda-* --write

The source of the planner VAMP holds the robots Panda, UR5, Fetch and Baxter (URDF, SRDF, meshes) and, for each, 100 problems in
each of seven scenes, of three for Baxter. RRTConnect of OMPL finds a path of straight edges in joint space and OMPL shortens
it, as MoveIt does by default. OMPL decides whether an edge is free by samples that are a resolution apart, tested by coal on
the same triangles. Each edge of the final path is certified. Then OMPL plans once more with ccd.robot.Checker in place of
samples.
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
ROBOTS = {"panda": "Panda", "ur5": "UR5", "fetch": "Fetch", "baxter": "Baxter"}
SCENES = ("table_pick", "table_under_pick", "box", "bookshelf_small", "bookshelf_tall", "bookshelf_thin", "cage")
BOTH_ARMS = tuple(f"bookshelf_tall_both_arms_{how}" for how in ("easy", "medium", "hard"))
SCENES_OF = {"panda": SCENES, "ur5": SCENES, "fetch": SCENES, "baxter": BOTH_ARMS}
RESOLUTIONS = (0.1, 0.05)
FINER = 1e-9  # the tolerance, in meters, at which undecided edges are checked again
FINE = 0.01  # between the samples that the verdicts and the planning times are compared with
PROOFS = "proofs"  # what stands for a resolution where each edge is proven
Values = dict[str, float]
PLANNING = 120.0  # seconds of processor time, for a path


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
    resources: Path, name: str, scene: str, first: int, count: int
) -> Iterator[tuple[int, dict[str, ccd.Surface], Values, Values]]:
    """Some problems of a robot in a scene, from the first on: a number, the objects, and the two configurations by joint."""
    import yaml

    with tarfile.open(resources / name / "problems.tar.bz2") as tar:
        files = {m.name: m for m in tar.getmembers() if f"/{scene}_{name}/" in m.name}
        numbers = sorted(n for n in files if "scene" in n)[first : first + count]
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


def plan(
    sampler: Sampler, checker: ccd.robot.Checker, ends: np.ndarray, how: float | str, seed: int
) -> tuple[np.ndarray | None, float]:
    """The waypoints of a path by OMPL, or None if it finds none in time, and the seconds of processor time.

    OMPL accepts edges by samples of this resolution, or by proofs.
    """
    from ompl import base, geometric, util

    util.RNG.setSeed(seed)
    n = ends.shape[1]
    space, box = base.RealVectorStateSpace(n), base.RealVectorBounds(n)
    for i, (low, high) in enumerate(bounds(sampler.robot, ends)):
        box.setLow(i, low)
        box.setHigh(i, high)
    space.setBounds(box)
    setup = geometric.SimpleSetup(space)
    info = setup.getSpaceInformation()
    if isinstance(how, str):
        valid = ccd.robot.ompl.state_validity_checker(info, checker)
        motions = ccd.robot.ompl.motion_validator(info, checker)
        setup.setStateValidityChecker(valid)
        info.setMotionValidator(motions)
    else:
        setup.setStateValidityChecker(lambda s: not sampler.collides(np.array([s[i] for i in range(n)])))
        info.setStateValidityCheckingResolution(how / space.getMaximumExtent())
    states = [space.allocState(), space.allocState()]
    for state, q in zip(states, ends):
        for i in range(n):
            state[i] = float(q[i])
    setup.setStartAndGoalStates(*states)
    setup.setPlanner(geometric.RRTConnect(info))
    begun = processor_time()
    late = base.PlannerTerminationCondition(lambda: processor_time() > begun + PLANNING)
    setup.solve(late)
    if not setup.haveExactSolutionPath():
        return None, processor_time() - begun
    setup.simplifySolution(late)
    points = np.array([[s[i] for i in range(n)] for s in setup.getSolutionPath().getStates()])
    return points, processor_time() - begun


# ---- runs


def run(resources: Path, name: str, scene: str, first: int, count: int, fine: int, only: str | None) -> dict[str, object]:
    robot = ccd.robot.read(resources / name / f"{name}.urdf", resources / name / f"{name}.srdf")
    counts: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    found, times, worst, extent = [], [], 0.0, 0.0
    numbers: list[int] = []  # The numbers of the problems.
    touching: list[int] = []  # The numbers of problems whose ends collide.
    for number, objects, start, goal in problems(resources, name, scene, first, count):
        sampler = Sampler(robot, objects, tested(robot, objects))
        ends = np.array([[start[j] for j in robot.joints], [goal[j] for j in robot.joints]])
        extent = max(extent, float(np.linalg.norm(np.ptp(bounds(robot, ends), axis=1))))
        counts["problems"] += 1
        numbers.append(number)
        if any(sampler.collides(q) for q in ends):
            counts["ends collide"] += 1
            touching.append(number)
            continue
        begun = processor_time()
        checker = ccd.robot.Checker(robot, objects, threads=1, continuous="written")
        spent["built"] += processor_time() - begun
        times.append({"problem": number})
        ways = (*RESOLUTIONS, *([FINE] if first + counts["problems"] <= fine else []), PROOFS)
        for how in ways if only is None else [w for w in (*RESOLUTIONS, FINE, PROOFS) if str(w) == only]:
            seed = 1000 * number + (0 if how == PROOFS else round(1000 * how))
            points, times[-1][str(how)] = plan(sampler, checker, ends, how, seed)
            if points is None:
                counts["no path" if how in RESOLUTIONS else f"no path {how}"] += 1
                continue
            begun = processor_time()
            report = ccd.robot.check(
                robot, ccd.robot.Path(robot.joints, points), objects, threads=1, limits=False, continuous="written"
            )
            took = processor_time() - begun
            counts[f"paths {how}"] += 1
            counts[f"hit {how}"] += any(str(e.verdict) == "collides" for e in report.edges)
            if how not in RESOLUTIONS:
                if how == PROOFS:
                    counts["proven"] += len(report.edges)
                    counts["proven, seen"] += sum(sampler.edge(*points[k : k + 2], FINE) for k in range(len(report.edges)))
                    counts["proven, not free"] += sum(str(e.verdict) != "free" for e in report.edges)
                continue
            spent["certified"] += took
            worst = max(worst, took / len(report.edges))
            counts["paths"] += 1
            for k, edge in enumerate(report.edges):
                seen = compare(robot, objects, sampler, points[k : k + 2], edge)
                counts.update(seen["counts"])
                if edge.contact is not None:
                    found.append({"problem": number, "resolution": how, "edge": k} | seen["contact"])
    row = {"robot": name, "scene": scene, "date": str(datetime.date.today()), "extent": extent, "worst": worst}
    row |= {"problems": numbers, "ends": touching}
    return row | {"counts": counts, "spent": spent, "times": times, "found": found}


def compare(
    robot: ccd.robot.Robot, objects: dict[str, ccd.Surface], sampler: Sampler, ends: np.ndarray, edge: ccd.robot.EdgeReport
) -> dict[str, object]:
    """The verdict on an edge, and what coal says of the pair at the contact and of samples of the edge."""
    verdict, c = str(edge.verdict), edge.contact
    counts = Counter(["edges", verdict])
    seen = sampler.edge(*ends, FINE)
    counts[f"{verdict}, {'' if seen else 'not '}seen"] += 1
    if c is None:
        return {"counts": counts}
    q = ends[0] + c.s * (ends[1] - ends[0])
    pair = Sampler(robot, {c.b: objects[c.b]} if c.b in objects else {}, [(c.a, c.b)])
    confirmed = pair.collides(q)
    counts["confirmed"] += verdict == "collides" and confirmed
    contact = {"verdict": verdict, "a": c.a, "b": c.b, "how": str(c.how), "s": c.s, "s_free": c.s_free, "ends": ends.tolist()}
    contact |= {"confirmed": confirmed, "seen": seen, "distance": pair.distance(q)}
    if verdict == "undecided":
        path = ccd.robot.Path(robot.joints, ends)
        contact["finer"] = str(ccd.robot.check(robot, path, objects, tolerance=FINER, threads=1, continuous="written").verdict)
    return {"counts": counts, "contact": contact}


def runs(args: argparse.Namespace) -> Iterator[dict[str, object]]:
    from ompl import util

    util.setLogLevel(util.LOG_NONE)
    for name in [args.robot] if args.robot else ROBOTS:
        for scene in [args.scene] if args.scene else SCENES_OF[name]:
            row = run(args.resources, name, scene, args.first, args.problems, args.fine, args.how)
            print(json.dumps(row), flush=True)
            yield row


# ---- report


def joined(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """One row for each robot and scene, of the rows of several pieces."""
    found: dict[tuple[object, object], dict[str, object]] = {}
    for row in rows:
        one = found.setdefault((row["robot"], row["scene"]), row)
        if one is row:
            continue
        for key in ("counts", "spent"):
            one[key] = dict(Counter(one[key]) + Counter(row[key]))
        for key in ("times", "found", "problems", "ends"):
            one[key] = [*one[key], *row[key]]
        for key in ("worst", "extent", "date"):
            one[key] = max(one[key], row[key])
    for row in found.values():  # a problem may be planned in each way by a piece of its own
        ways: dict[int, dict[str, float]] = {}
        for times in row["times"]:
            ways.setdefault(times["problem"], {}).update(times)
        row["times"] = list(ways.values())
        row["counts"] |= {"problems": len(set(row["problems"])), "ends collide": len(set(row["ends"]))}
    order = [(name, scene) for name in ROBOTS for scene in SCENES_OF[name]]
    return [found[key] for key in order if key in found]


def table(rows: list[dict[str, object]]) -> str:
    lines = [
        "| robot | scene | paths | that collide, planned at 0.1 | at 0.05 | edges "
        "| free | collide | undecided | not seen at 0.01 | certified, ms an edge |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, robot in ROBOTS.items():
        own = [row for row in rows if row["robot"] == name]
        lines += [line(robot, row["scene"].replace("_", " "), [row]) for row in own]
        lines += [line(f"**{robot}**", "**all**", own)] if own else []
    return "\n".join([*lines, line("**all**", "", rows)])


def total(rows: list[dict[str, object]], what: str = "counts") -> Counter[str]:
    return sum((Counter(row[what]) for row in rows), Counter())


def line(robot: str, scene: str, rows: list[dict[str, object]]) -> str:
    c = total(rows)
    hits = [f"{c[f'hit {x}']} of {c[f'paths {x}']}" for x in RESOLUTIONS]
    edges = [c["edges"], c["free"], c["collides"], c["undecided"], c["collides, not seen"]]
    time = 1e3 * total(rows, "spent")["certified"] / max(c["edges"], 1)
    return f"| {' | '.join(map(str, [robot, scene, c['paths'], *hits, *edges, f'{time:.0f}']))} |"


def planning(rows: list[dict[str, object]]) -> str:
    """Planning times, and the problems that they are the means of: those that were planned in all ways."""
    hows = [*map(str, RESOLUTIONS), str(FINE), PROOFS]
    lines = [
        "| robot | problems | samples 0.1, s | 0.05 | 0.01 | proofs, s | paths by proofs | edges | not free | seen at 0.01 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, robot in ROBOTS.items():
        own = [row for row in rows if row["robot"] == name]
        whole = [t for row in own for t in row["times"] if all(how in t for how in hows)]
        c = total(own)
        cells = [f"{np.mean([t[how] for t in whole]):.2f}" if whole else "-" for how in hows]
        cells += [str(c[key]) for key in (f"paths {PROOFS}", "proven", "proven, not free", "proven, seen")]
        lines += [f"| {robot} | {len(whole)} | {' | '.join(cells)} |"] if own else []
    return "\n".join(lines)


def summary(rows: list[dict[str, object]]) -> str:
    c = total(rows)
    count = {robot: total([r for r in rows if r["robot"] == name])["problems"] for name, robot in ROBOTS.items()}
    of = ", ".join(f"{n} of the {robot}" for robot, n in count.items() if n)
    hit = sum(c[f"hit {x}"] for x in RESOLUTIONS)
    found = [
        f"**Of {c['paths']} paths {hit} collide.** coal finds the two bodies in contact in {c['confirmed']} of the "
        f"{c['collides']} configurations that `ccd.robot` names. Samples 0.01 apart find contacts on {c['free, seen']} of the "
        f"{c['free']} edges that are proven free.",
        f"Problems: {of}. In {c['ends collide']} the start or the goal collides by coal's verdict, and {c['no path']} searches "
        f"found no path in {PLANNING:.0f} s of processor time.",
    ]
    near = [(row, f) for row in rows for f in row["found"] if f["verdict"] == "undecided"]
    if near:
        found += [
            "Undecided edges, with the distance of the two bodies by coal where the proof of freedom ends:",
            "| robot | scene | problem | planned at | bodies | distance, m | at a tolerance of 1e-9 |\n"
            "|---|---|--:|--:|---|--:|---|\n"
            + "\n".join(
                f"| {ROBOTS[row['robot']]} | {row['scene'].replace('_', ' ')} | {f['problem']} | {f['resolution']} "
                f"| {f['a']}, {f['b']} | {f['distance']:.1e} | {f['finer']} |"
                for row, f in near
            ),
        ]
    return "\n\n".join(found)


TEXT = """# Paths of planners

Robots, scenes and queries of MotionBenchMaker [Chamzas2022], as the source of the planner VAMP holds them. RRTConnect of OMPL
{ompl} finds a path of straight edges in joint space, and OMPL shortens it. It accepts an edge if samples of it are free:
configurations 0.1 or 0.05 apart, in the Euclidean norm of the joints in radians (meters for the torso of the Fetch), tested by
coal {coal}. MoveIt's default, half a percent of the extent of the joint space, is {least:.2f} to {most:.2f} for these robots.
Each edge of the final path is then certified by `ccd.robot` with the same triangles: *free* is proven for the whole edge,
*collide* at a configuration that the report names. *Not seen at 0.01* are edges that collide and where samples 0.01 apart find
nothing.

`python bench/motionbench.py RESOURCES` with the options {options} ({date}):

{table}

{summary}

Planning with proofs, by `ccd.robot.ompl`, and by samples, processor time of a problem in the mean (those that were planned in
all four ways; samples are tested by coal, called from Python for each, after bounding spheres, all at once in NumPy):

{planning}

Times are processor times of one thread, on a machine with other work. A call includes making the trees of the links.
Cylinders of the scenes are prisms of 32 sides around them, for both.
"""


def commands(rows: list[dict[str, object]]) -> str:
    """The runs that give these rows: of all robots, if they agree on problems and scenes, or one for each."""
    runs: dict[str, list[str]] = {}
    for name in ROBOTS:
        own = [row for row in rows if row["robot"] == name]
        for scene in [] if len(own) == len(SCENES_OF[name]) else [row["scene"] for row in own]:
            problems = max(row["counts"]["problems"] for row in own)
            runs.setdefault(f" --scene {scene} --problems {problems}", []).append(name)
        if len(own) == len(SCENES_OF[name]):
            runs.setdefault(f" --problems {max(row['counts']['problems'] for row in own)}", []).append(name)
    texts = []
    for options, names in runs.items():
        texts += [options] if len(names) == len(ROBOTS) else [f" --robot {name}{options}" for name in names]
    return ", ".join(f"`{text.strip()}`" for text in texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("resources", type=Path, help="the folder resources of vamp_planner-0.6.4")
    parser.add_argument("--problems", type=int, default=5, help="problems of each robot in each scene (5)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="leave out so many problems of each scene (0)")
    text = "problems of each scene that are planned with samples 0.01 apart too (1)"
    parser.add_argument("--fine", type=int, default=1, help=text)
    ways = [*map(str, RESOLUTIONS), str(FINE), PROOFS]
    parser.add_argument("--how", choices=ways, help="plan with samples so far apart, or with proofs, alone (all)")
    parser.add_argument("--robot", choices=list(ROBOTS), help="this robot alone (all)")
    parser.add_argument("--scene", choices=[*SCENES, *BOTH_ARMS], help="this scene alone (all)")
    parser.add_argument("--rows", type=Path, nargs="+", help="files of the rows that other runs printed, in place of a run")
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.name}")
    args = parser.parse_args()
    if args.rows:
        lines = "".join(file.read_text() for file in args.rows).splitlines()
        rows = joined([json.loads(text) for text in lines if text.startswith("{")])
    else:
        rows = list(runs(args))
    given = {"table": table(rows), "summary": summary(rows), "planning": planning(rows)}
    print("\n\n".join(given.values()))
    if args.write:
        extents = [row["extent"] for row in rows]
        given |= {
            "ompl": version("ompl"),
            "coal": coal.__version__,
            "options": commands(rows),
            "date": max(r["date"] for r in rows),
        }
        REPORT.write_text(TEXT.format(**given, least=min(extents) / 200, most=max(extents) / 200))


if __name__ == "__main__":
    main()
