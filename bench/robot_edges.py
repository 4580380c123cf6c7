#!/usr/bin/env python3
"""Edges of robots by ccd.robot.Checker, as a planner tries them: free or not, the first contact, the clearance.

    pip install coal yourdfpy
    python bench/robot_edges.py --robot "six axes" --scene shelf > six-shelf     a piece, some seconds
    python bench/robot_edges.py --rows six-* seven-* --write                     writes bench/reports/robot-edges.md

Edges are random straight lines of 0.5 to 2 radians, from configurations that are proven free; the robots and scenes are those
of robots.py, and two large ones: a surface of 100,000 triangles, and 50,000 points with radii. `--urdf FILE` with `--srdf` and
`--packages` takes another robot in these scenes. All edges are decided in one call of one thread, and one by one for the worst.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ccd
import numpy as np
from ccd.robot import Shape

REPORT = Path(__file__).resolve().parent / "reports" / "robot-edges.md"
CLEARANCES = 50  # edges whose clearance is bracketed
WIDTH = 1e-4  # The width of these brackets.


def terrain() -> dict[str, ccd.Surface]:
    """A surface of 100,352 triangles below and around the robot."""
    n = 225
    u, v = np.meshgrid(np.linspace(-1.2, 1.2, n), np.linspace(-1.2, 1.2, n), indexing="ij")
    r = np.hypot(u, v)
    z = np.where(r < 0.35, -0.3, -0.3 + 0.9 * (r - 0.35)) + 0.02 * np.sin(40 * u) * np.sin(37 * v)
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[1:, 1:].ravel(), i[:-1, 1:].ravel()
    faces = np.vstack([np.c_[a, b, c], np.c_[a, c, d]]).astype(np.int32)
    return {"terrain": ccd.Surface(np.c_[u.ravel(), v.ravel(), z.ravel()], np.empty((0, 2), np.int32), faces)}


def cloud() -> dict[str, list[Shape]]:
    """50,000 points with a radius of 5 mm on walls around the robot."""
    r = np.random.default_rng(3)
    angle, z = r.uniform(-np.pi, np.pi, 50_000), r.uniform(-0.2, 1.3, 50_000)
    out = 0.9 + 0.1 * np.sin(5 * angle)
    return {"cloud": [Shape.points(np.c_[out * np.cos(angle), out * np.sin(angle), z], radius=5e-3)]}


def edges_of(free: Callable[[np.ndarray], np.ndarray], joints: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Ends of random edges whose starts are free."""
    r = np.random.default_rng(7)
    starts = np.empty((0, joints))
    while len(starts) < count:
        tried = r.uniform(-2.5, 2.5, (2 * count, joints))
        starts = np.vstack([starts, tried[free(tried)]])
    step = r.normal(size=(count, joints))
    step *= r.uniform(0.5, 2, (count, 1)) / np.linalg.norm(step, axis=1, keepdims=True)
    return starts[:count], starts[:count] + step


def timed(call: Callable[..., object], *given: object) -> float:
    """Processor time of a call, in seconds."""
    begun = time.process_time()
    call(*given)
    return time.process_time() - begun


def run(name: str, robot: ccd.robot.Robot, scene_name: str, allowed: list[tuple[str, str]], count: int) -> dict[str, object]:
    from robots import SCENES

    scene = {**SCENES, "100,000 triangles": terrain, "50,000 points": cloud}[scene_name]()
    checker = ccd.robot.Checker(robot, scene, allowed=allowed, threads=1)
    q0, q1 = edges_of(checker.free, len(checker.joints), count)
    row: dict[str, object] = {"robot": name, "scene": scene_name, "edges": count, "date": str(datetime.date.today())}
    row["load"] = os.getloadavg()[0]
    for what, call in (("free", checker.free), ("first", checker.free_until)):
        call(q0[:20], q1[:20])
        times = []
        for _ in range(3):
            begun = time.process_time()
            found = call(q0, q1)
            times.append(time.process_time() - begun)
        single = [min(timed(call, a, b) for _ in range(2)) for a, b in zip(q0, q1)]
        for i in np.argsort(single)[-10:]:  # other work of the process may fall into a call
            single[i] = min(single[i], *(timed(call, q0[i], q1[i]) for _ in range(5)))
        row |= {f"{what} ms": 1e3 * min(times) / count, f"{what} worst": 1e3 * max(single)}
        row[f"{what} one"] = 1e3 * float(np.median(single))
        row["freed"] = int((found if what == "free" else found >= 1).sum())
    ends = np.stack([q0[:CLEARANCES], q1[:CLEARANCES]], axis=1)
    begun = time.process_time()
    path = ccd.robot.Path(checker.joints, ends.reshape(-1, ends.shape[2]))  # It has edges between the given ones, too.
    ccd.robot.clearance(robot, path, scene, allowed=allowed, tolerance=WIDTH, threads=1)
    return row | {"clearance ms": 1e3 * (time.process_time() - begun) / path.edges}


def table(rows: list[dict[str, object]]) -> str:
    lines = [
        "| robot | scene | edges, free | yes or no, ms | worst | one a call | first contact, ms | worst | clearance, ms |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = [f"{row['robot']}", f"{row['scene']}", f"{row['edges']}, {row['freed']}"]
        cells += [f"{row[k]:.3f}" for k in ("free ms", "free worst", "free one", "first ms", "first worst", "clearance ms")]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


TEXT = """# Edges of robots

Random edges of 0.5 to 2 radians by `ccd.robot.Checker`, one thread, processor time, {date}, at a load of up to {load:.1f}.
`bench/robot_edges.py` says how. *Yes or no* (`free`) and *first contact* (`free_until`) are of all edges in one call; *worst*
and *one a call* (the median) are of calls with one edge. Free edges are counted by `free_until`. The clearance is of paths of
the same edges to {width:g} m, with the making of trees.

{table}
"""


def main() -> None:
    from robots import ALLOWED, SCENES, seven_axes, six_axes

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--robot", choices=["six axes", "seven axes"], help="this robot alone (both)")
    parser.add_argument("--scene", choices=[*SCENES, "100,000 triangles", "50,000 points"], help="this scene alone (all)")
    parser.add_argument("--edges", type=int, default=1000, help="edges of each robot in each scene (1000)")
    parser.add_argument("--urdf", type=Path, help="a robot in place of the two")
    parser.add_argument("--srdf", type=Path, help="its allowed pairs")
    parser.add_argument("--packages", type=Path, help="the folder of its packages")
    parser.add_argument("--rows", type=Path, nargs="+", help="files of the rows that other runs printed, in place of a run")
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.name}")
    given = parser.parse_args()
    rows: list[dict[str, object]] = []
    for file in given.rows or ():
        rows += [json.loads(line) for line in file.read_text().splitlines() if line.startswith("{")]
    robots: list[tuple[str, ccd.robot.Robot, list[tuple[str, str]]]] = []
    if given.urdf is not None:
        robot = ccd.robot.read(given.urdf, given.srdf, packages=given.packages)
        robots = [(robot.name, robot, [])]
    elif not given.rows:
        for name, text in (("six axes", six_axes()), ("seven axes", seven_axes())):
            if given.robot in (None, name):
                with tempfile.TemporaryDirectory() as folder:
                    (Path(folder) / "robot.urdf").write_text(text)
                    robots.append((name, ccd.robot.read(Path(folder) / "robot.urdf"), ALLOWED[name]))
    for name, robot, allowed in robots:
        for scene in [given.scene] if given.scene else [*SCENES, "100,000 triangles", "50,000 points"]:
            rows.append(run(name, robot, scene, allowed, given.edges))
            print(json.dumps(rows[-1]), flush=True)
    print(table(rows))
    if given.write:
        date, load = max(row["date"] for row in rows), max(row["load"] for row in rows)
        REPORT.write_text(TEXT.format(table=table(rows), date=date, load=load, width=WIDTH), "utf-8")


if __name__ == "__main__":
    main()
