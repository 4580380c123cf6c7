#!/usr/bin/env python3
"""Measure, grade, and write the reports: bench/reports/*.md and *.svg, docs/graded.md. `make bench` runs this in .venv.

The rows are kept in bench/out/results.json: a run of some sections keeps the others' rows, and --report-only writes the reports
anew. Everything is measured in one go on whatever machine this is; the reports say which. A part of a measurement (--quick,
--scene) has its rows and reports in bench/out/part, because bench/reports hold whole ones alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ccdbench import (
    data,
    first,
    frames,
    graded,
    growth,
    machine,
    made,
    memory,
    narrow,
    peers,
    plots,
    report,
    rigid,
    steps,
    swap,
)

OUT = machine.ROOT / "bench" / "out"
PART = OUT / "part"
REPORTS = machine.ROOT / "bench" / "reports"
SECTIONS = ("narrow", "steps", "frames", "made", "memory", "first", "growth", "rigid", "swap", "graded")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="measure these sections")
    parser.add_argument("--quick", action="store_true", help="fewer queries and rounds: a tenth of the time")
    parser.add_argument("--report-only", action="store_true", help="measure nothing, write the reports of the last run")
    parser.add_argument("--scene", nargs="+", help="only these scenes")
    return parser.parse_args()


def measure(args: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """The chosen sections and their rows, one section after the other."""
    scenes = [s for s in data.scenes() if not args.scene or s.name in args.scene]
    limit, rounds, seconds = (500, 3, 3.0) if args.quick else (5000, 7, 8.0)
    separations, tolerances = ([0.0, 1e-3], [1e-6]) if args.quick else ([0.0, 1e-8, 1e-3], [1e-6, 1e-9])
    sets = data.handcrafted() + [q for s in scenes for q in data.scene_queries(s)]

    def narrow_rows() -> dict[str, Any]:
        # A tolerance changes what iterates: ours at every one, the peers at the first, which is everybody's default.
        ours = narrow.ours(separations, tolerances, limit, seconds / 2)
        thinned = [narrow.thin(q, limit) for q in sets]
        kept = {(q.name, q.kind) for q in thinned}
        ours = [r for r in ours if (r["set"], r["kind"]) in kept]
        theirs = narrow.theirs(thinned, separations, tolerances[:1], seconds)
        return {"narrow": ours + theirs, "batches": narrow.batches(sets, separations, rounds, seconds / 4)}

    def swap_rows() -> dict[str, Any]:
        thinned = [narrow.thin(q, limit // 5) for q in sets]
        small = [s for s in scenes if len(s.faces) < 50_000]
        rows = {
            "pairs": swap.pairs(thinned, seconds / 2),
            "boxes": [r for s in small for r in swap.boxes(s, rounds)],
            "python": [r for s in small for r in swap.python(s, rounds, seconds)],
        }
        return {"swap": rows}

    def more_sets() -> list[data.QuerySet]:
        queries = [q for s in scenes for q in data.scene_queries(s)]
        return [
            *sets,
            *(q for s in scenes for q in data.candidates(s, 4 * limit)),
            *(data.moved(q, 33, limit) for q in queries),
        ]

    sections: dict[str, Callable[[], dict[str, Any]]] = {
        "narrow": narrow_rows,
        # A call of ipctk takes seconds: with the limit of the others, a median would be that of one or two.
        "steps": lambda: {"steps": [r for s in scenes for r in steps.measure(s, rounds, 5 * seconds)]},
        "frames": lambda: {"frames": [r for s in scenes for r in frames.measure(s, rounds, seconds)]},
        "made": lambda: {"made": made.measure(rounds, seconds)},
        "memory": lambda: {"memory": [r for s in scenes for r in memory.measure(s)]},
        "first": lambda: {"first": [r for s in scenes for r in first.measure(s)]},
        "growth": lambda: {
            "growth": growth.growth(rounds, seconds / 2, growth.SIDES[:2] if args.quick else growth.SIDES),
            "kinds": growth.kinds(rounds, seconds / 2),
        },
        "swap": swap_rows,
        "rigid": lambda: {"rigid": rigid.measure(rounds, args.quick)},
        "graded": lambda: {"graded": [r for q in more_sets() for r in graded.grade(q, seconds)]},
    }
    for name in args.only:
        print(name, end=" ", file=sys.stderr, flush=True)
        yield name, sections[name]()
        print(file=sys.stderr)


def write(results: dict[str, Any], folder: Path) -> None:
    """Write the reports of results to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {folder / "README.md": report.overview(results)}
    if "narrow" in results:
        texts[folder / "narrow.md"] = report.narrow(results)
    if "steps" in results:
        texts[folder / "steps.md"] = report.steps({"memory": [], "first": []} | results)
    if "growth" in results:
        texts[folder / "growth.md"] = report.growth(results)
    if "rigid" in results:
        texts[folder / "rigid.md"] = report.rigid(results)
    if "frames" in results:
        texts[folder / "frames.md"] = report.frames(results)
    if "made" in results:
        texts[folder / "made.md"] = report.made(results)
    if "swap" in results:
        texts[folder / "swap.md"] = report.swap(results)
    if "graded" in results:
        texts[(machine.ROOT / "docs" if folder == REPORTS else folder) / "graded.md"] = report.graded(results)
    for path, text in texts.items():
        path.write_text(text.rstrip() + "\n")
    charted = [path for path in texts if path.stem in ("narrow", "steps", "growth", "rigid")]
    for path in [*texts, *plots.draw(charted)]:
        print(path.relative_to(machine.ROOT))


def main() -> None:
    args = arguments()
    whole = not (args.quick or args.scene)
    kept = (OUT if whole else PART) / "results.json"
    results = json.loads(kept.read_text()) if kept.exists() else {}
    if not args.report_only:
        if peers.ipctk is None:
            print("ipctk is not installed: our own figures only (pip install -r bench/requirements.txt)", file=sys.stderr)
        about = machine.describe()  # before the run, for the load
        kept.parent.mkdir(parents=True, exist_ok=True)
        for name, rows in measure(args):
            results |= rows | {"machines": results.get("machines", {}) | {name: about}}
            kept.write_text(json.dumps(results, indent=1))
    elif not results:
        raise SystemExit("no results of an earlier run")
    write(results, REPORTS if whole else PART)


if __name__ == "__main__":
    main()
