#!/usr/bin/env python3
"""Contact that lasts: bodies that rest on, slide along or nearly touch each other while they move, before and after a change.

    python bench/contact.py                                  times this checkout's library
    python bench/contact.py --before ../old/build/libccd.so  compares it with the library of another checkout, in turn
    python bench/contact.py --only nut hinge --rounds 5
    python bench/contact.py --before ../old/build/libccd.so --commit 27386ea5 --write
                                                             writes bench/reports/contact.md

Scenes are in ccdbench/lasting.py. A row is called twice, because what the library keeps of a body makes later calls faster.
Every library runs in processes of its own, in turn, by the Python package of its checkout; a round starts new processes, so
that every first call is one. A figure is the least processor time of all rounds; rows of more than a second run in one round,
once. Prints tables in Markdown.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ccdbench.lasting import SCENES

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "bench" / "reports" / "contact.md"
LIBRARY = "CCD_LIBRARY"
LONG = 1.0  # seconds of a call that runs in one round, once


@dataclass
class Figure:
    """What one library took for one row, in seconds, and what it found."""

    first: float = math.inf
    again: float = math.inf
    found: str = ""

    @property
    def least(self) -> float:
        return min(self.first, self.again)


Rows = dict[str, dict[str, list[Figure]]]  # scene, row: a figure for each library


def package(library: Path) -> Path:
    """The folder of the Python package that belongs to a library: its checkout's, or this one's."""
    own = library.resolve().parent.parent / "bindings" / "python"
    return own if own.is_dir() else ROOT / "bindings" / "python"


def serve() -> None:
    """Measure the scene of each line of standard input. Each call makes a line: row, repetition, processor time, result."""
    for line in sys.stdin:
        order = json.loads(line)
        for name, call in SCENES[order["scene"]][1]():
            if name in order["skip"]:
                continue
            for again in range(2):
                start = time.process_time()
                found = call()
                seconds = time.process_time() - start
                print(json.dumps([name, again, seconds, found]), flush=True)
                if seconds > LONG:
                    break
        print("null", flush=True)


def worker(library: Path) -> subprocess.Popen[str]:
    """A process that measures a library."""
    path = os.pathsep.join([str(package(library)), str(ROOT / "bench")])
    environment = os.environ | {LIBRARY: str(library.resolve()), "PYTHONPATH": path}
    command = [sys.executable, __file__, "--serve"]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answers(process: subprocess.Popen[str], scene: str, skip: list[str]) -> Iterator[tuple[str, int, float, str]]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps({"scene": scene, "skip": skip}) + "\n")
    process.stdin.flush()
    for line in process.stdout:
        row = json.loads(line)
        if row is None:
            return
        yield tuple(row)
    sys.exit(f"the process that runs the scene {scene!r} has ended")


def measure(libraries: Sequence[Path], scenes: Sequence[str], rounds: int) -> Rows:
    """The figures of each row of the scenes, for each library."""
    rows: Rows = {scene: {} for scene in scenes}
    for _ in range(rounds):
        for i, library in enumerate(libraries):
            process = worker(library)
            for scene in scenes:
                skip = [name for name, figures in rows[scene].items() if LONG < figures[i].first < math.inf]
                for name, again, seconds, found in answers(process, scene, skip):
                    figure = rows[scene].setdefault(name, [Figure() for _ in libraries])[i]
                    figure.found = found
                    if again:
                        figure.again = min(figure.again, seconds)
                    else:
                        figure.first = min(figure.first, seconds)
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
    return rows


def ms(seconds: float) -> str:
    return f"{1e3 * seconds:.3g}" if seconds < 1 else f"{1e3 * seconds:,.0f}" if math.isfinite(seconds) else "-"


def tables(rows: Rows, names: Sequence[str], heading: str) -> str:
    """A table for each scene."""
    parts = []
    for scene, figures in rows.items():
        title, make = SCENES[scene]
        text = " ".join((make.__doc__ or "").split())
        head = "| case |" + "".join(f" {n}first, ms | {n}again, ms | {n}result |" for n in names)
        lines = [f"{heading} {title}", "", text, "", head, "|---|" + "--:|--:|---|" * len(names)]
        for name, cells in figures.items():
            values = " | ".join(f"{ms(f.first)} | {ms(f.again)} | {f.found}" for f in cells)
            lines.append(f"| {name} | {values} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def goals(rows: Rows) -> str:
    """What the goals of this kind of contact were, and what the last library reaches."""

    def of(scene: str, word: str = "") -> list[list[Figure]]:
        return [figures for name, figures in rows[scene].items() if word in name]

    def worst(scene: str, pick: Callable[[Figure], float], word: str = "") -> float:
        return max(pick(f[-1]) for f in of(scene, word))

    def share(scene: str, holds: Callable[[Figure], bool], word: str = "") -> str:
        list_ = of(scene, word)
        return f"{sum(holds(f[-1]) for f in list_)} of {len(list_)}"

    def faster(scene: str, word: str = "") -> str:
        ratios = [f[0].least / f[-1].least for f in of(scene, word)]
        return f"{min(ratios):.2g} to {max(ratios):.2g} times" if len(of(scene, word)[0]) > 1 else "-"

    def decided(figure: Figure) -> bool:
        return "undecided" not in figure.found

    steps = [int(f[-1].found.split(", ")[1].split()[0].replace(",", "")) for f in of("together", "floor")]
    lines = [
        (
            "resting sheets, 390 primitives: every call under 50 ms",
            share("resting", lambda f: f.least < 0.05),
            faster("resting"),
        ),
        (
            "bodies that turn together: steps do not depend on the gap",
            f"{min(steps)} to {max(steps)} steps from 1e-4 to 1e-9",
            faster("together"),
        ),
        (
            "nut on bolt, a turn: 100 ms, then 5 ms",
            f"{ms(worst('nut', lambda f: f.first, '4400'))} ms, then {ms(worst('nut', lambda f: f.again, '4400'))} ms",
            faster("nut", "4400"),
        ),
        ("hinge, sleeve, spindle: decided", share("hinge", decided), faster("hinge")),
        ("gears, rack, cam: 10 times faster", f"{share('gears', decided)} decided without a limit of steps", faster("gears")),
        ("patches: under 20 ms", share("patches", lambda f: decided(f) and f.least < 0.02), faster("patches")),
        ("patches: decided at every tolerance", share("patches", decided), ""),
        ("equal boxes: certified", share("boxes", lambda f: f.found == "collides"), ""),
        ("stacks: the loop goes on", share("stacks", lambda f: f.found.startswith("100%")), ""),
    ]
    table = ["| goal | reached | faster |", "|---|---|---|"]
    return "\n".join(table + ["| " + " | ".join(line) + " |" for line in lines])


HEAD = """# Contact that lasts

Bodies that rest on, slide along or nearly touch each other while they move. Milliseconds of processor time on one thread, the
least of {rounds} rounds, in which both libraries take turns. Each call is made twice, and the first includes what the library
keeps of a body; a call of more than a second is made once. *Before* is commit {before}, which has none of these remedies.
*Faster* is the time before divided by that after, the least and the greatest of a scene's cases. A time before of an undecided
result says when its budget was spent. `bench/ccdbench/lasting.py` makes the scenes. This report:
`{command}`.

{goals}

[Limits](../../docs/limits.md#contact-that-lasts) says in words what remains slow. The proofs:
[resting](../../docs/proofs/resting.md), [turning together](../../docs/proofs/together.md),
[screws](../../docs/proofs/screws.md), [patches](../../docs/proofs/patches.md#curved-separators).

{tables}

## Measured on

{machine}
"""


def write(rows: Rows, before: str, rounds: int) -> None:
    """Write the report of a whole run."""
    from ccdbench import machine, report

    command = f"python bench/contact.py --before OLD/build/libccd.so --commit {before} --rounds {rounds} --write"
    text = HEAD.format(
        rounds=rounds,
        before=before,
        command=command,
        goals=goals(rows),
        tables=tables(rows, ["before: ", "after: "], "##"),
        machine=report.machine(machine.describe()),
    )
    REPORT.write_text(text)
    print(REPORT.relative_to(ROOT))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="the library of another build, to compare with")
    parser.add_argument("--commit", default="unknown", help="the commit of that build, for the report")
    parser.add_argument("--library", type=Path, default=ROOT / "build" / "libccd.so", help="the library to time")
    parser.add_argument("--only", nargs="+", choices=SCENES, default=list(SCENES), help="the scenes to run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.relative_to(ROOT)}: all scenes, compared")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve()
        return 0
    libraries = [library for library in (args.before, args.library) if library]
    for library in libraries:
        if not library.exists():
            parser.error(f"{library}: no such library; build it with sh capi/build.sh build")
    if args.write and (args.before is None or len(args.only) < len(SCENES)):
        parser.error("--write: the report has all scenes, and compares: give --before, and do not give --only")
    rows = measure(libraries, args.only, args.rounds)
    if args.write:
        write(rows, args.commit, args.rounds)
    else:
        print(tables(rows, ["before: ", "after: "] if args.before else [""], "##"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
