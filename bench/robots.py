#!/usr/bin/env python3
"""Edges of paths of two robots among thin obstacles: certified by ccd.robot, and sampled with coal, the successor of FCL.

    pip install coal yourdfpy
    python bench/robots.py --edges 60 --write     writes bench/reports/robots.md

In pieces, and the report of them all:

    python bench/robots.py --robot "six axes" --scene shelf > six-shelf
    python bench/robots.py --rows six-* seven-* --write

Each edge is a straight line in joint space from a random configuration that coal finds free, 0.5 to 2 radians long. A sampled
check tests configurations that are a resolution apart, in the Euclidean norm of the joints, with the same triangles and balls;
bounding spheres are compared first, all at once. It runs on all edges that are certified to collide, and on the first ones of
the others.

Tightened edges imitate a planner that shortens its paths: from a free edge to a colliding one with the same start the goal
moves, by bisection, as far as the sampled check accepts. What it accepts is then certified.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import os
import resource
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import ccd
import coal
import numpy as np
from ccd.robot import Shape

REPORT = Path(__file__).resolve().parent / "reports" / "robots.md"
RESOLUTIONS = (0.1, 0.05, 0.01)
TIMED = 10  # the number of edges of a scene that sampled checks are timed on
NONE = np.empty((0, 2), np.int32)


def processor_time() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


# ---- robots


def link(name: str, *shapes: str) -> str:
    return f'<link name="{name}">{"".join(shapes)}</link>'


def shape(kind: str, place: str, turn: str = "0 0 0", **sizes: object) -> str:
    given = " ".join(f'{name}="{value}"' for name, value in sizes.items())
    return f'<collision><origin xyz="{place}" rpy="{turn}"/><geometry><{kind} {given}/></geometry></collision>'


def joint(index: int, place: str, turn: str, axis: str) -> str:
    ends = f'<parent link="l{index}"/><child link="l{index + 1}"/>'
    return f'<joint name="j{index + 1}" type="revolute">{ends}<origin xyz="{place}" rpy="{turn}"/><axis xyz="{axis}"/></joint>'


def six_axes() -> str:
    """An arm with six axes, of the size of a UR5, of cylinders and a box for the gripper."""
    side = "1.5707963 0 0"
    return "".join(
        [
            '<robot name="six axes">',
            link("l0", shape("cylinder", "0 0 0.04", radius=0.075, length=0.08)),
            link("l1", shape("cylinder", "0 0 0", radius=0.06, length=0.13)),
            link(
                "l2",
                shape("cylinder", "0 0 0.21", radius=0.05, length=0.42),
                shape("cylinder", "0 0 0", side, radius=0.06, length=0.13),
            ),
            link(
                "l3",
                shape("cylinder", "0 0 0.2", radius=0.04, length=0.36),
                shape("cylinder", "0 0 0", side, radius=0.05, length=0.12),
            ),
            link("l4", shape("cylinder", "0 0 0", side, radius=0.04, length=0.11)),
            link("l5", shape("cylinder", "0 0 0", radius=0.04, length=0.1)),
            link("l6", shape("box", "0 0 0.05", size="0.04 0.1 0.1"), shape("box", "0 0.04 0.13", size="0.02 0.01 0.06")),
            joint(0, "0 0 0.09", "0 0 0", "0 0 1"),
            joint(1, "0 0.136 0", "0 0 0", "0 1 0"),
            joint(2, "0 -0.12 0.425", "0 0 0", "0 1 0"),
            joint(3, "0 0 0.392", "0 0 0", "0 1 0"),
            joint(4, "0 0.093 0", "0 0 0", "0 0 1"),
            joint(5, "0 0 0.095", "0 0 0", "0 1 0"),
            "</robot>",
        ]
    )


def seven_axes() -> str:
    """An arm with seven axes, of the size of a Panda, covered by balls."""
    balls = lambda r, *places: [shape("sphere", p, radius=r) for p in places]  # noqa: E731
    return "".join(
        [
            '<robot name="seven axes">',
            link("l0", *balls(0.08, "0 0 0.05")),
            link("l1", *balls(0.06, "0 -0.08 0", "0 -0.03 0", "0 0 -0.12", "0 0 -0.17")),
            link("l2", *balls(0.06, "0 0 0.03", "0 0 0.08", "0 -0.12 0", "0 -0.17 0")),
            link("l3", *balls(0.055, "0 0 -0.1", "0 0 -0.06", "0.08 0.06 0", "0.08 0.02 0")),
            link("l4", *balls(0.055, "0 0 0.02", "0 0 0.06", "-0.08 0.095 0", "-0.08 0.06 0")),
            link(
                "l5",
                *balls(0.05, "0 0.055 0", "0 0.075 0", "0 0 -0.22", "0 0.05 -0.18"),
                *balls(0.03, "0 0.08 -0.13", "0 0.09 -0.08"),
            ),
            link("l6", *balls(0.05, "0 0 0", "0.08 -0.01 0", "0.08 0.035 0")),
            link(
                "l7",
                *balls(0.05, "0 0 0.07"),
                *balls(0.028, *(f"0 {0.03 * k} {z}" for k in (-2, -1, 0, 1, 2) for z in (0.12, 0.15))),
            ),
            joint(0, "0 0 0.333", "0 0 0", "0 0 1"),
            joint(1, "0 0 0", "-1.5707963 0 0", "0 0 1"),
            joint(2, "0 -0.316 0", "1.5707963 0 0", "0 0 1"),
            joint(3, "0.0825 0 0", "1.5707963 0 0", "0 0 1"),
            joint(4, "-0.0825 0.384 0", "-1.5707963 0 0", "0 0 1"),
            joint(5, "0 0 0", "1.5707963 0 0", "0 0 1"),
            joint(6, "0.088 0 0", "1.5707963 0 0", "0 0 1"),
            "</robot>",
        ]
    )


# The pairs of links that touch in every configuration, or whose shapes overlap beyond their joint.
ALLOWED = {
    "six axes": [("l0", "l2"), ("l3", "l5"), ("l4", "l6")],
    "seven axes": [("l5", "l7"), ("l0", "l2"), ("l1", "l3"), ("l2", "l4"), ("l3", "l5"), ("l4", "l6")],
}


# ---- scenes


def block(center: list[float], size: list[float]) -> ccd.Surface:
    one = Shape.box(size)
    return ccd.Surface(one.vertices + center, NONE, one.faces)


def shelf() -> dict[str, ccd.Surface]:
    boards = {f"board {i}": block([0.65, 0, z], [0.3, 0.9, 0.02]) for i, z in enumerate((0.2, 0.5, 0.8))}
    sides = {f"side {i}": block([0.65, y, 0.5], [0.3, 0.02, 0.62]) for i, y in enumerate((-0.46, 0, 0.46))}
    return boards | sides


def bars() -> dict[str, ccd.Surface]:
    r = np.random.default_rng(1)
    return {
        f"bar {i}": block([0.55 * np.cos(a), 0.55 * np.sin(a), 0.6], [0.01, 0.01, 1.2])
        for i, a in enumerate(r.uniform(-3, 3, 10))
    }


def wires() -> dict[str, ccd.Surface]:
    r = np.random.default_rng(2)
    return {
        f"wire {i}": block([0, y, z], [2.0, 0.002, 0.002])
        for i, (y, z) in enumerate(zip(r.uniform(-0.7, 0.7, 10), r.uniform(0.2, 1.1, 10)))
    }


SCENES: dict[str, Callable[[], dict[str, ccd.Surface]]] = {"shelf": shelf, "bars of 10 mm": bars, "wires of 2 mm": wires}


# ---- sampling


class Sampler:
    """A robot and a scene in coal."""

    def __init__(self, robot: ccd.robot.Robot, scene: dict[str, ccd.Surface], pairs: list[tuple[str, str]]):
        self.robot, self.request = robot, coal.CollisionRequest()
        shapes = dict(zip(robot.links, robot._shapes)) | {name: [surface] for name, surface in scene.items()}
        self.parts, index = [], {name: [] for name in shapes}
        for name, some in shapes.items():
            for one in some:
                index[name].append(len(self.parts))
                radii = getattr(one, "radii", np.zeros(1))
                self.parts.append((name, *self._geometry(one.vertices, one.faces, radii)))
        self.pairs = np.array([ij for a, b in pairs for ij in itertools.product(index[a], index[b])])
        self.centers, self.reach = np.array([p[2] for p in self.parts]), np.array([p[3] for p in self.parts])

    @staticmethod
    def _geometry(x: np.ndarray, faces: np.ndarray, radii: np.ndarray) -> tuple[coal.CollisionGeometry, np.ndarray, float]:
        middle = (x.min(0) + x.max(0)) / 2
        reach = float(np.linalg.norm(x - middle, axis=1).max() + radii.max())
        if radii.max() > 0:
            return coal.Sphere(float(radii[0])), middle, reach
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(faces), len(x))
        for face in faces:
            model.addTriangle(*x[face])
        model.endModel()
        return model, middle, reach

    def collides(self, q: np.ndarray) -> bool:
        frames = self.robot.place(q)
        at = np.array([frames.get(p[0], np.eye(4)) for p in self.parts])
        middle = np.einsum("nij,nj->ni", at[:, :3, :3], self.centers) + at[:, :3, 3]
        i, j = self.pairs.T
        near = np.linalg.norm(middle[i] - middle[j], axis=1) <= self.reach[i] + self.reach[j]
        for i, j in self.pairs[near]:
            ga, gb = self.parts[i][1], self.parts[j][1]
            ends = self._pose(ga, at[i], self.centers[i]), self._pose(gb, at[j], self.centers[j])
            if coal.collide(ga, ends[0], gb, ends[1], self.request, coal.CollisionResult()):
                return True
        return False

    @staticmethod
    def check() -> None:
        """End the bench where coal does not know whether a needle passes through a face, or beside it."""
        face, _, _ = Sampler._geometry(np.array([[-1.0, -1, 0], [1, -1, 0], [0, 2, 0]]), np.array([[0, 1, 2]]), np.zeros(1))
        needle, center, _ = Sampler._geometry(
            np.array([[0.0, 0, -1], [0.01, 0, 1], [0, 0.01, 1]]), np.array([[0, 1, 2]]), np.zeros(1)
        )
        for x, want in ((0.0, True), (0.5, True), (1.5, False)):
            at = np.eye(4)
            at[0, 3] = x
            ends = Sampler._pose(face, np.eye(4), np.zeros(3)), Sampler._pose(needle, at, center)
            if bool(coal.collide(face, ends[0], needle, ends[1], coal.CollisionRequest(), coal.CollisionResult())) != want:
                raise SystemExit(f"coal: a needle at x = {x} and a face: the answer is not {want}")

    @staticmethod
    def _pose(g: coal.CollisionGeometry, m: np.ndarray, center: np.ndarray) -> coal.Transform3s:
        at = m[:3, 3] + (m[:3, :3] @ center if isinstance(g, coal.Sphere) else 0)
        return coal.Transform3s(m[:3, :3], at)

    def distance(self, q: np.ndarray) -> float:
        """The least distance of a pair; 0 or less where one touches."""
        frames = self.robot.place(q)
        at = [frames.get(p[0], np.eye(4)) for p in self.parts]
        pose = [self._pose(p[1], m, p[2]) for p, m in zip(self.parts, at)]
        request = coal.DistanceRequest()
        return min(
            coal.distance(self.parts[i][1], pose[i], self.parts[j][1], pose[j], request, coal.DistanceResult())
            for i, j in self.pairs
        )

    def edge(self, q0: np.ndarray, q1: np.ndarray, resolution: float) -> bool:
        """Whether a sample of the edge collides."""
        count = max(1, int(np.ceil(np.linalg.norm(q1 - q0) / resolution)))
        return any(self.collides(q0 + k / count * (q1 - q0)) for k in range(count + 1))


# ---- runs


def pairs_of(robot: ccd.robot.Robot, scene: dict[str, ccd.Surface], allowed: list[tuple[str, str]]) -> list[tuple[str, str]]:
    from ccd.robot._bodies import Bodies

    bodies = Bodies(robot, scene)
    return [(bodies.all[i].name, bodies.all[j].name) for i, j in bodies.pairs([*allowed, *robot.allowed])]


def run(name: str, urdf: str, scene_name: str, edges: int, tightened: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(urdf)
        robot = ccd.robot.read(file)
    scene, allowed = SCENES[scene_name](), ALLOWED[name]
    sampler = Sampler(robot, scene, pairs_of(robot, scene, allowed))
    r = np.random.default_rng(7)
    counts: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    worst, hits = 0.0, []
    n = len(robot.joints)
    while counts["edges"] < edges:
        q0 = r.uniform(-2.5, 2.5, n)
        if sampler.collides(q0):
            continue
        step = r.normal(size=n)
        q1 = q0 + step * r.uniform(0.5, 2) / np.linalg.norm(step)
        counts["edges"] += 1
        start = processor_time()
        report = ccd.robot.check(robot, ccd.robot.Path(robot.joints, [q0, q1]), scene, allowed=allowed, threads=1)
        spent["certified"] += processor_time() - start
        verdict = str(report.verdict)
        counts[verdict] += 1
        hits += [(q0, q1)] * (verdict == "collides")
        worst = max(worst, processor_time() - start)
        timed = counts["edges"] <= TIMED
        for resolution in RESOLUTIONS if timed or verdict != "free" else ():
            start = processor_time()
            seen = sampler.edge(q0, q1, resolution)
            if timed:
                spent[str(resolution)] += processor_time() - start
            counts[f"missed {resolution}"] += verdict == "collides" and not seen
            counts[f"against proof {resolution}"] += verdict == "free" and seen
    for resolution in RESOLUTIONS:
        for q0, q1 in hits[:tightened]:
            goal = tighten(sampler, r, q0, q1, resolution)
            if goal is not None:
                report = ccd.robot.check(robot, ccd.robot.Path(robot.joints, [q0, goal]), scene, allowed=allowed, threads=1)
                counts[f"tight {resolution} {report.verdict}"] += 1
    return {"robot": name, "scene": scene_name, "counts": counts, "spent": spent, "worst": worst}


def tighten(sampler: Sampler, r: np.random.Generator, q0: np.ndarray, q1: np.ndarray, resolution: float) -> np.ndarray | None:
    """The goal of an edge that the sampled check accepts, near those that it does not; None if there is none of either."""
    if not sampler.edge(q0, q1, resolution):
        return None
    for _ in range(4):
        step = r.normal(size=len(q0))
        free = q0 + step * np.linalg.norm(q1 - q0) / np.linalg.norm(step)
        if not sampler.edge(q0, free, resolution):
            break
    else:
        return None
    hit = q1
    for _ in range(6):
        middle = (free + hit) / 2
        free, hit = (free, middle) if sampler.edge(q0, middle, resolution) else (middle, hit)
    return free


def table(rows: list[dict[str, object]]) -> str:
    lines = [
        "| robot | scene | edges | free | collide | undecided | missed at 0.1 | at 0.05 | at 0.01 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    times = [
        "| robot | scene | certified, ms | worst | sampled at 0.1, ms | at 0.05 | at 0.01 |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        c, s = row["counts"], row["spent"]
        missed = " | ".join(str(c[f"missed {x}"]) for x in RESOLUTIONS)
        lines.append(
            f"| {row['robot']} | {row['scene']} | {c['edges']} | {c['free']} | {c['collides']} | {c['undecided']} | {missed} |"
        )
        ms = " | ".join(f"{1e3 * s[str(x)] / min(c['edges'], TIMED):.0f}" for x in RESOLUTIONS)
        mean = 1e3 * s["certified"] / c["edges"]
        times.append(f"| {row['robot']} | {row['scene']} | {mean:.0f} | {1e3 * row['worst']:.0f} | {ms} |")
    tight = ["| robot | scene | accepted at 0.1, collide | at 0.05 | at 0.01 | undecided |", "|---|---|---|---|---|---|"]
    for row in rows:
        c = row["counts"]
        of = [[c[f"tight {x} {v}"] for v in ("collides", "free", "undecided")] for x in RESOLUTIONS]
        cells = " | ".join(f"{sum(v)}, {v[0]}" for v in of)
        tight.append(f"| {row['robot']} | {row['scene']} | {cells} | {sum(v[2] for v in of)} |")
    against = sum(row["counts"][f"against proof {x}"] for row in rows for x in RESOLUTIONS)
    return "\n".join(
        [
            *lines,
            "",
            f"Sampled edges that are certified free and where a sample collides: {against}.",
            "",
            TIGHT,
            "",
            *tight,
            "",
            *times,
        ]
    )


TIGHT = """Tightened edges: the goal is moved, by six bisections, from a free edge towards a colliding one as far as the sampled
check accepts, as planners do that shorten paths. How many it accepts, and how many of these certainly collide:"""

TEXT = """# Paths of robots

Edges in joint space are certified by `ccd.robot`, and sampled with coal {coal}, the successor of FCL, with the same triangles
and balls. *Missed* are edges that certainly collide (a crossing or an overlap is proven at a configuration of the edge) while
no sample does. `bench/robots.py` makes the robots, scenes and edges and says how. This report:
`python bench/robots.py --edges {edges} --tightened {tightened} --write`.

{table}

Times are processor times of one thread for an edge, {date}, at a load of {load:.1f} when the run began; those of
the sampled checks are of the first {timed} edges of a scene. A time of `ccd.robot` includes making the meshes of the links,
once a call. The sampled checks call coal from Python, pair by pair where bounding spheres meet: a planner in C++ is
faster, its counts would be the same.

[Paths of planners](motionbench.md) has the problems of MotionBenchMaker, with the meshes of real robots.
"""


def main() -> None:
    Sampler.check()
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--edges", type=int, default=60, help="edges of each robot in each scene (60)")
    parser.add_argument("--robot", choices=["six axes", "seven axes"], help="this robot alone (both)")
    parser.add_argument("--scene", choices=list(SCENES), help="this scene alone (all)")
    parser.add_argument("--rows", type=Path, nargs="+", help="files of the rows that other runs printed, in place of a run")
    parser.add_argument("--tightened", type=int, default=15, help="colliding edges of each that are tightened (15)")
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.name}")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    rows = []
    for file in given.rows or ():
        rows += [json.loads(line) for line in file.read_text().splitlines() if line.startswith("{")]
    for row in rows:
        row |= {key: Counter(row[key]) for key in ("counts", "spent")}
    runs = [(n, s) for n in ("six axes", "seven axes") for s in SCENES if given.robot in (None, n) and given.scene in (None, s)]
    for name, scene in () if given.rows else runs:
        urdf = six_axes() if name == "six axes" else seven_axes()
        rows.append(run(name, urdf, scene, given.edges, given.tightened) | {"load": load})
        print(json.dumps(rows[-1]), flush=True)
    rows.sort(key=lambda row: (row["robot"] != "six axes", list(SCENES).index(row["scene"])))
    load = max(row["load"] for row in rows)
    text = table(rows)
    print(text)
    if given.write:
        report = TEXT.format(
            coal=coal.__version__,
            edges=given.edges,
            tightened=given.tightened,
            timed=TIMED,
            table=text,
            date=datetime.date.today(),
            load=load,
        )
        REPORT.write_text(report, "utf-8")


if __name__ == "__main__":
    main()
