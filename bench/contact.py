#!/usr/bin/env python3
"""Contact that lasts: bodies that rest on, slide along or nearly touch each other while they move, before and after a change.

    python bench/contact.py                                  times this checkout's library
    python bench/contact.py --before ../main/build/libccd.so compares it with another build, in turn
    python bench/contact.py --only nut hinge --rounds 5

A scene is a function that yields rows: a name, and a call that returns what it found, in words. A row is called twice,
because what the library keeps of a body makes later calls faster. To add a scene, write such a function and enter it in SCENES.

Every library runs in a process of its own, in turn; a round starts new processes, so that every first call is one. A figure
is the least processor time of all rounds. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = "CCD_LIBRARY"
Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]
Row = tuple[str, Callable[[], str]]


def thread(facets: int, turns: int, gap: float, *, nut: bool) -> Mesh:
    """A thread of radii 1 and 1.2 and pitch 0.3, moved by gap along the normals of its flanks; the chords of a nut stay outside
    of the corners of a bolt."""
    radii, pitch = (1.0, 1.2), 0.3
    wide = math.hypot(pitch / 2, 0.2) / (pitch / 2)
    points, faces = [], []
    for i in range(facets * turns + 1):
        angle = 2 * math.pi * i / facets
        for j, radius in enumerate(radii):
            r = (radius + gap * wide) / math.cos(math.pi / facets) if nut else radius
            points.append((r * math.cos(angle), r * math.sin(angle), pitch * (j / 2 + i / facets)))
    for i in range(facets * turns):
        a = 2 * i
        faces += [(a, a + 2, a + 1), (a + 1, a + 2, a + 3)]
        if i + facets < facets * turns:
            up = a + 2 * facets
            faces += [(a + 1, a + 3, up), (up, a + 3, up + 2)]
    return np.array(points), np.array(faces)


def tube(facets: int, rings: list[tuple[float, float]]) -> Mesh:
    """A surface about z through rings, each a radius and a height."""
    angle = 2 * math.pi * np.arange(facets) / facets
    points = [(r * c, r * s, z) for r, z in rings for c, s in zip(np.cos(angle), np.sin(angle), strict=True)]
    faces = []
    for k in range(len(rings) - 1):
        for i in range(facets):
            a, b = k * facets + i, k * facets + (i + 1) % facets
            faces += [(a, b, a + facets), (a + facets, b, b + facets)]
    return np.array(points), np.array(faces)


def box(half: tuple[float, float, float], parts: int = 1) -> Mesh:
    """A box around the origin, each face of which is a grid of parts x parts squares."""
    points, faces = [], []
    for axis in range(3):
        for side in (-1, 1):
            base = len(points)
            for i in range(parts + 1):
                for j in range(parts + 1):
                    p = [0.0, 0.0, 0.0]
                    p[axis], p[axis - 2], p[axis - 1] = side, 2 * i / parts - 1, 2 * j / parts - 1
                    points.append([x * h for x, h in zip(p, half, strict=True)])
            for i in range(parts):
                for j in range(parts):
                    a = base + i * (parts + 1) + j
                    faces += [(a, a + 1, a + parts + 2), (a, a + parts + 2, a + parts + 1)]
    return np.array(points), np.array(faces)


def turning(a: Mesh, b: Mesh, motion_a: dict[str, object], motion_b: dict[str, object]) -> Callable[[], str]:
    """A call that finds the first contact of two bodies."""
    from ccd import rigid

    bodies = rigid.Body(*a), rigid.Body(*b)
    motions = rigid.Motion(**motion_a), rigid.Motion(**motion_b)  # type: ignore[arg-type]

    def call() -> str:
        hit = rigid.earliest(bodies[0], motions[0], bodies[1], motions[1])
        at = f" at {hit.toi_lo:.6g}" if math.isfinite(hit.toi_lo) else ""
        return f"{str(hit.verdict).split('.')[-1].lower()}{at}, {hit.iterations} steps"

    return call


def about_z(z: float = 0, speed: float = 0, rate: float = 0) -> dict[str, object]:
    return {"position": (0, 0, z), "velocity": (0, 0, speed), "angular_velocity": (0, 0, rate)}


def nut() -> Iterator[Row]:
    """A nut on a bolt, for a whole turn; of 48 facets, the nut jams."""
    for facets, gap in ((200, 1e-3), (200, 1e-4), (48, 1e-4)):
        bolt, nut = thread(facets, 6, 0, nut=False), thread(facets, 3, gap, nut=True)
        call = turning(bolt, nut, about_z(), about_z(0.3, 0.3, 2 * math.pi))
        yield f"nut on bolt, {len(bolt[1])} x {len(nut[1])} triangles, gap {gap:g}, a turn", call


def hinge() -> Iterator[Row]:
    """A shaft in its sleeve, a spindle that slides as it turns, and two knuckles face to face."""
    n = 200
    for gap in (1e-3, 1e-5):
        shaft = tube(n, [(0, -1), (1, -1), (1, 1), (0, 1)])
        hole = (1 + gap) / math.cos(math.pi / n)
        sleeve = tube(n, [(1.5, -0.8), (hole, -0.8), (hole, 0.8), (1.5, 0.8)])
        knuckle = tube(n, [(0, 1 + gap), (1, 1 + gap), (1, 2), (0, 2)])
        yield f"shaft in sleeve, gap {gap:g}, a turn", turning(shaft, sleeve, about_z(rate=2 * math.pi), about_z())
        yield f"spindle, gap {gap:g}, a turn", turning(shaft, sleeve, about_z(speed=0.1, rate=2 * math.pi), about_z())
        yield f"hinge, gap {gap:g}, a turn", turning(shaft, knuckle, about_z(rate=1), about_z(rate=1 - 2 * math.pi))


def slider() -> Iterator[Row]:
    """A square slider on its rail."""
    for gap in (1e-3, 1e-5):
        rail = box((0.7, 0.7, 4), 12)
        half = 0.7 + gap
        wall = tube(4, [(2, -0.8), (half * math.sqrt(2), -0.8), (half * math.sqrt(2), 0.8), (2, 0.8)])
        c = math.sqrt(0.5)
        turned = wall[0] @ np.array([(c, c, 0), (-c, c, 0), (0, 0, 1.0)])
        yield f"slider on its rail, gap {gap:g}", turning(rail, (turned, wall[1]), about_z(), about_z(-2, 4))


def stack() -> Iterator[Row]:
    """A box at rest on a floor, both of which turn about a tilted axis."""
    tilted = (0.3, 0.5, 1.0)
    for gap in (1e-4, 1e-8):
        floor = {"pivot": (0, 0, 0.5), "angular_velocity": tilted}
        carried = {"pivot": (0, 0, -0.5 - gap), "angular_velocity": tilted}
        yield f"tilted stack that turns together, gap {gap:g}", turning(box((5, 5, 0.5)), box((0.5, 0.5, 0.5)), floor, carried)


SCENES = {"nut": nut, "hinge": hinge, "slider": slider, "stack": stack}


def serve() -> None:
    """Answer the names of scenes on standard input by a line for each call: row, repetition, processor time, result."""
    sys.path.insert(0, str(ROOT / "bindings" / "python"))
    for line in sys.stdin:
        for name, call in SCENES[line.strip()]():
            for again in range(2):
                start = time.process_time()
                found = call()
                print(json.dumps([name, again, time.process_time() - start, found]), flush=True)
        print("null", flush=True)


def worker(library: Path) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--serve"]
    return subprocess.Popen(
        command, env={**os.environ, LIBRARY: str(library.resolve())}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def answers(process: subprocess.Popen[str], scene: str) -> Iterator[tuple[str, int, float, str]]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(scene + "\n")
    process.stdin.flush()
    for line in process.stdout:
        row = json.loads(line)
        if row is None:
            return
        yield tuple(row)
    sys.exit(f"the process that runs the scene {scene!r} has ended")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="the library of another build, to compare with")
    parser.add_argument("--library", type=Path, default=ROOT / "build" / "libccd.so", help="the library to time")
    parser.add_argument("--only", nargs="+", choices=SCENES, default=list(SCENES), help="the scenes to run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve()
        return 0
    libraries = [library for library in (args.before, args.library) if library]
    for library in libraries:
        if not library.exists():
            parser.error(f"{library}: no such library; build it with sh capi/build.sh build")
    figures: dict[str, list[list[float]]] = {}
    found: dict[str, list[str]] = {}
    for _ in range(args.rounds):  # a new process, so that each first call is one
        for i, library in enumerate(libraries):
            process = worker(library)
            for scene in args.only:
                for name, again, seconds, text in answers(process, scene):
                    least = figures.setdefault(name, [[math.inf] * 2 for _ in libraries])
                    least[i][again] = min(seconds, least[i][again])
                    found.setdefault(name, [""] * len(libraries))[i] = text
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
    names = ["before", "after"] if args.before else ["libccd"]
    print("| scene |" + "".join(f" {n}, first call, ms | {n}, again, ms | {n}, result |" for n in names))
    print("|---|" + "---|" * (3 * len(names)))
    for name, rows in figures.items():
        cells = [
            f"{1e3 * first:.3g} | {1e3 * again:.3g} | {text}" for (first, again), text in zip(rows, found[name], strict=True)
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
