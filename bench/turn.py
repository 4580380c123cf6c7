#!/usr/bin/env python3
"""Compare two checkouts of libccd: run their `bench/run.py --quick` in turn and print the ratio of each row.

    python bench/turn.py ../before . --rounds 5 --only steps frames

Each checkout needs its library and its .venv (`make lib peers`). A row's figure is the least processor time of all rounds,
because other programs on the machine only ever add to it. Prints a table in Markdown, slowest row first; exits with 1 if a row
is slower than --limit times the first checkout's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OURS = "libccd"


def figures(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, float]]:
    """Every time in a results file, with a name made of the texts and counts beside it. Other libraries' rows are left out."""
    if isinstance(node, dict):
        who = node.get("who", OURS)
        if isinstance(who, str) and not who.startswith(OURS):
            return
        named = ("scene", "task", "set", "kind", "a", "b", "speed", "triangles", "bodies", "faces", "threads")
        words = [str(node[k]) for k in named if k in node]
        name = (*path, *words, *([] if who == OURS else [who]))
        for key in ("cpu", "mean_us", "all_ms", "earliest_ms", "mean"):
            if isinstance(node.get(key), float | int):
                yield " / ".join((*name, key)), float(node[key])
        for key, value in node.items():
            yield from figures(value, (*path, key))
    elif isinstance(node, list):
        for value in node:
            yield from figures(value, path)


def run(checkout: Path, only: list[str]) -> dict[str, float]:
    """One quick run of a checkout."""
    python = checkout / ".venv" / "bin" / "python"
    command = [str(python), "bench/run.py", "--quick", "--only", *only]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{checkout}: {' '.join(command)} failed:\n{done.stderr}")
    out = checkout / "bench" / "out"
    found = [path for path in (out / "part" / "results.json", out / "results.json") if path.exists()]
    results = json.loads(max(found, key=lambda path: path.stat().st_mtime).read_text())  # older checkouts have no part
    return dict(figures({k: results[k] for k in only}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=["steps", "frames", "rigid"], help="sections of bench/run.py")
    parser.add_argument("--limit", type=float, default=1.02, help="the largest ratio that is no failure")
    args = parser.parse_args()
    least: list[dict[str, float]] = [{}, {}]
    for _ in range(args.rounds):
        for i, checkout in enumerate((args.before.resolve(), args.after.resolve())):
            for name, value in run(checkout, args.only).items():
                least[i][name] = min(value, least[i].get(name, value))
    rows = sorted(((least[1][n] / v, n, v, least[1][n]) for n, v in least[0].items() if v > 0 and n in least[1]), reverse=True)
    print("| row | before | after | ratio |\n|---|---|---|---|")
    for ratio, name, before, after in rows:
        print(f"| {name} | {before:.6g} | {after:.6g} | {ratio:.3f} |")
    missing = sorted(set(least[0]) ^ set(least[1]))
    slower = sum(r[0] > args.limit for r in rows)
    print(f"\n{len(rows)} rows; {slower} slower than {args.limit}; {len(missing)} in one checkout only")
    for name in missing:
        print(f"- {name}")
    return int(any(r[0] > args.limit for r in rows))


if __name__ == "__main__":
    sys.exit(main())
