#!/usr/bin/env python3
"""Drop a cloth on a ball and two interlocking rings, never intersecting; `make example-ipc` runs it in full.

    python run.py [--ccd ours,ipctk] [--steps 200] [--cloth 51] [--out build/example-ipc]

Each name given to --ccd is one run of the same simulator, with that library's continuous collision detection in it: `ours`
(libccd), `ipctk` (from PyPI), `compat` (ccd.compat.own, which has ipctk's interface) or `both` (the first two on each Newton
step, for times of the same queries). After every step the frame is tested for intersections, exactly. Written are frames
(PLY), a sheet of pictures, an animation and a report with the times.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import ccd
import draw
import scene as scenes
from contact import BACKENDS
from minimize import Clock, Report, Simulation

CONTACT = ("near pairs", "collisions")  # the activities that are collision detection
SHOWN = (0.05, 0.1, 0.15, 0.2, 0.3, 1)  # shares of the run at which the sheet has pictures


@dataclass
class Run:
    """One run of the simulator."""

    name: str
    clock: Clock
    steps: list[Report]
    frames: list[np.ndarray]
    same: dict[str, float] | None  # seconds of each library on the same Newton steps


def simulate(name: str, scene: scenes.Scene, count: int, quiet: bool = False) -> Run:
    """All steps; ends the program where a frame intersects itself."""
    simulation = Simulation(scene, None)
    simulation.collisions = BACKENDS[name](scene, simulation.p.reach)
    mesh, clock = scene.mesh(), simulation.clock
    frames, steps = [simulation.x], []
    begin = time.perf_counter()
    for k in range(1, count + 1):
        with clock("whole run"):
            report = simulation.step()
            with clock("test for intersections"):
                found = ccd.proximity.intersections(mesh, simulation.x)
        if len(found):
            raise SystemExit(f"{name}: step {k} intersects: {found[:3]}")
        steps.append(report)
        frames.append(simulation.x)
        if not quiet and (k % 10 == 0 or k == count):
            print(
                f"{name}: step {k:3} of {count}  {report.iterations:2} iterations  {report.contacts:4} near pairs  "
                f"distance {report.distance:.1e}  {time.perf_counter() - begin:6.1f} s",
                flush=True,
            )
    return Run(name, clock, steps, frames, getattr(simulation.collisions, "seconds", None))


def table(runs: list[Run], scene: scenes.Scene) -> str:
    """The report, in Markdown."""
    vertices, edges, faces = scene.mesh().counts
    rows = []
    for activity in dict.fromkeys(["whole run", *(a for run in runs for a in run.clock.cpu)]):
        both = [(run.clock.wall.get(activity, 0), run.clock.cpu.get(activity, 0)) for run in runs]
        rows.append((f"{activity}: processor (wall), s", [f"{cpu:.1f} ({wall:.1f})" for wall, cpu in both]))

    def share(run: Run, *activities: str) -> str:
        return f"{sum(run.clock.cpu[a] for a in activities) / run.clock.cpu['whole run']:.1%}"

    rows += [
        ("collisions alone, share of the processor time", [share(run, "collisions") for run in runs]),
        ("all of contact, share of the processor time", [share(run, *CONTACT) for run in runs]),
        ("Newton iterations", [str(sum(s.iterations for s in run.steps)) for run in runs]),
        ("collisions, ms of the processor an iteration", [
            f"{1e3 * run.clock.cpu['collisions'] / sum(s.iterations for s in run.steps):.2f}" for run in runs]),
        ("near pairs, most in a step", [str(max(s.contacts for s in run.steps)) for run in runs]),
        ("least distance, m", [f"{min(s.distance for s in run.steps):.2e}" for run in runs]),
        ("frames that intersect", ["0"] * len(runs)),
    ]  # fmt: skip
    cloth = scene.parts["cloth"]
    lines = [
        "# A cloth on a ball and two interlocking rings",
        "",
        f"{cloth.stop - cloth.start} vertices of cloth, {vertices} in all, {edges} edges, {faces} faces; "
        f"{len(runs[0].steps)} steps. libccd {ccd.__version__}, SIMD {ccd.simd_level()}.",
        "",
        "| | " + " | ".join(run.name for run in runs) + " |",
        "|---" * (len(runs) + 1) + "|",
        *(f"| {name} | " + " | ".join(values) + " |" for name, values in rows),
    ]
    for run in runs:
        if run.same:
            seconds = ", ".join(f"{name} {s:.2f} s" for name, s in run.same.items())
            lines += ["", f"Processor time on the same Newton steps: {seconds}."]
    return "\n".join(lines) + "\n"


def write_ply(path: Path, x: np.ndarray, faces: np.ndarray) -> None:
    """Binary, doubles: what `ccd step` reads to the bit."""
    corners = np.empty(len(faces), [("n", "u1"), ("v", "<i4", 3)])
    corners["n"], corners["v"] = 3, faces
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(x)}\n"
        "property double x\nproperty double y\nproperty double z\n"
        f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    path.write_bytes(header.encode() + x.astype("<f8").tobytes() + corners.tobytes())


def write(run: Run, scene: scenes.Scene, out: Path, animate: bool) -> None:
    """Frames, the sheet and the animation of a run."""
    folder = out / run.name
    folder.mkdir(parents=True, exist_ok=True)
    last = len(run.frames) - 1
    for k in range(0, last + 1, 10):
        write_ply(folder / f"frame{k:03}.ply", run.frames[k], scene.faces)
    shown = [round(share * last) for share in SHOWN]
    pictures = [draw.picture(scene, run.frames[k], 360, 270) for k in shown]
    draw.save_png(draw.sheet(pictures, 3), folder / "sheet.png")
    if animate:
        images = [draw.picture(scene, run.frames[k], 360, 270, over=1) for k in range(0, last + 1, 4)]
        draw.save_gif(images, folder / "animation.gif", 60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ccd", default="ours", metavar="NAMES", help=f"runs, separated by commas, of {', '.join(BACKENDS)}")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--cloth", type=int, default=51, metavar="N", help="N x N vertices")
    parser.add_argument("--coarse", action="store_true", help="a coarser ball and coarser rings")
    parser.add_argument("--out", type=Path, default=Path("build/example-ipc"))
    parser.add_argument("--no-animation", action="store_true")
    given = parser.parse_args()
    names = given.ccd.split(",")
    if set(names) - set(BACKENDS):
        parser.error(f"--ccd is {given.ccd}: must be of {', '.join(BACKENDS)}")
    given.out.mkdir(parents=True, exist_ok=True)
    scene = scenes.build(given.cloth, 0 if given.coarse else 1)
    runs = []
    for name in names:
        runs.append(simulate(name, scene, given.steps))
        report = table(runs, scene)
        (given.out / "report.md").write_text(report)
        if len(runs) == 1:
            write(runs[0], scene, given.out, not given.no_animation)
    print(f"\n{report}\nwritten to {given.out}")


if __name__ == "__main__":
    sys.exit(main())
