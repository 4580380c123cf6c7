#!/usr/bin/env python3
"""Measure what a contact solver needs beyond one step size, and write bench/reports/solvers.md.

Run it in .venv: `python bench/solvers.py`. Times are processor time of one thread, medians of rounds in which the calls take
turns; ratios are to `ccd.step.collisions` in the same rounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ccd
import numpy as np

from ccdbench import data, machine
from ccdbench.clock import Times, medians

REPORT = machine.ROOT / "bench" / "reports" / "solvers.md"
SETTINGS = ((0.0, "euclidean"), (1e-5, "euclidean"), (1e-3, "euclidean"), (1e-3, "max"))
ROWS = 100_000

HEAD = """# What solvers need beyond one step size

Written by `bench/solvers.py`. Processor milliseconds of one thread: medians of up to {rounds} rounds, in which the calls of a
table take turns. *c* is one `ccd.step.collisions` with the same options in the same rounds.

|  |  |
|---|---|
{machine}
"""


def table(title: str, text: str, head: Sequence[str], rows: Iterator[Sequence[object]]) -> str:
    """A section with a table; numbers are set right."""
    lines = [f"\n## {title}\n\n{text}\n", "| " + " | ".join(head) + " |", "|---" * 2 + "|--:" * (len(head) - 2) + "|"]
    for row in rows:
        lines.append("| " + " | ".join(x if isinstance(x, str) else number(x) for x in row) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines) + "\n"


def number(x: Any) -> str:
    """A count in full, anything else to three digits."""
    return f"{x:,}" if isinstance(x, int | np.integer) else f"{x:.3g}"


def ms(times: Times) -> float:
    return 1e3 * times.cpu


def setting(d: float, norm: str) -> str:
    return "0" if d == 0 else f"{d:g}" if norm == "euclidean" else f"{d:g}, max norm"


class Bench:
    """The tables."""

    def __init__(self, scenes: list[data.Scene], rounds: int, seconds: float) -> None:
        self.scenes, self.rounds, self.seconds = scenes, rounds, seconds

    def turns(self, calls: dict[str, Callable[[], object]]) -> dict[str, Times]:
        return medians(calls, self.rounds, self.seconds)

    def sizes(self) -> Iterator[Sequence[object]]:
        for s in self.scenes:
            for d in (0.0, 1e-3):
                o: Any = {"threads": 1, "min_separation": d}
                t = self.turns(
                    {
                        "c": lambda s=s, o=o: ccd.step.collisions(s.mesh, s.x0, s.x1, **o),
                        "size": lambda s=s, o=o: ccd.step.size(s.mesh, s.x0, s.x1, **o),
                        "sizes": lambda s=s, o=o: ccd.step.sizes(s.mesh, s.x0, s.x1, **o),
                    }
                )
                r = t["sizes"].result
                yield (
                    s.name, setting(d, "euclidean"), t["size"].result, r.used, r.passes, r.resting, ms(t["c"]), ms(t["sizes"]),
                    t["sizes"].cpu / t["c"].cpu,
                )  # fmt: skip

    def intervals(self) -> Iterator[Sequence[object]]:
        for s in self.scenes:
            for d, norm in SETTINGS:
                o: Any = {"threads": 1, "min_separation": d, "norm": norm}
                t = self.turns(
                    {
                        "c": lambda s=s, o=o: ccd.step.collisions(s.mesh, s.x0, s.x1, **o),
                        "all": lambda s=s, o=o: ccd.step.intervals(s.mesh, s.x0, s.x1, **o),
                    }
                )
                yield (
                    s.name, setting(d, norm), len(t["c"].result), len(t["all"].result), ms(t["c"]), ms(t["all"]),
                    t["all"].cpu / t["c"].cpu,
                )  # fmt: skip

    def gradients(self) -> Iterator[Sequence[object]]:
        for s in self.scenes:
            for d, norm in SETTINGS:
                o: Any = {"threads": 1, "min_separation": d, "norm": norm}
                hits = ccd.step.collisions(s.mesh, s.x0, s.x1, **o)
                if not len(hits):
                    continue
                t = self.turns(
                    {
                        "c": lambda s=s, o=o: ccd.step.collisions(s.mesh, s.x0, s.x1, **o),
                        "g": lambda s=s, o=o, hits=hits: ccd.step.gradients(s.mesh, s.x0, s.x1, hits, **o),
                    }
                )
                defined = int((t["g"].result["state"] == ccd.GradientState.DEFINED).sum())
                initial = int((t["g"].result["state"] == ccd.GradientState.INITIAL).sum())
                yield (
                    s.name, setting(d, norm), len(hits), defined, initial, ms(t["g"]), 1e3 * ms(t["g"]) / len(hits),
                    t["g"].cpu / t["c"].cpu,
                )  # fmt: skip

    def least(self) -> Iterator[Sequence[object]]:
        for s in self.scenes:
            for label, share in (("whole step", 1.0), ("up to 0.9 of the first contact", 0.9)):
                alpha = share if share == 1 else share * ccd.step.earliest(s.mesh, s.x0, s.x1, threads=1).toi_lo
                o: Any = {"threads": 1, "t_max": min(alpha, 1.0)}
                t = self.turns(
                    {
                        "e": lambda s=s, o=o: ccd.step.earliest(s.mesh, s.x0, s.x1, **o),
                        "d": lambda s=s, o=o: ccd.step.clearance(s.mesh, s.x0, s.x1, **o),
                    }
                )
                r = t["d"].result
                yield s.name, label, r.distance_lo, r.distance_hi, ms(t["e"]), ms(t["d"]), t["d"].cpu / t["e"].cpu

    def jacobians(self) -> Iterator[Sequence[object]]:
        for s in self.scenes:
            alpha = 0.9 * ccd.step.size(s.mesh, s.x0, s.x1, threads=1)
            x1 = s.x0 + alpha * (s.x1 - s.x0)
            d = 1e-3
            active = ccd.step.activeset(s.mesh, s.x0, x1, min_separation=d, threads=1)
            if not len(active):
                continue
            active = np.resize(active, ROWS).view(type(active))
            n, inverse = len(s.x0), np.ones(len(s.x0))
            t = self.turns(
                {
                    "one row": lambda active=active, n=n: ccd.step.jacobian(active, n),
                    "three rows": lambda active=active, n=n: ccd.step.jacobian(active, n, "contact"),
                    "tangents": lambda active=active: ccd.step.tangents(active["impact"]["normal"]),
                    "masses": lambda active=active, inverse=inverse: ccd.step.effective_mass(active, inverse),
                    "colors": lambda active=active, n=n: ccd.step.colors(active, n),
                }
            )
            yield s.name, number(ROWS), *(ms(x) for x in t.values())

    def report(self) -> str:
        facts = machine.describe()
        facts["load"] = facts["load"].replace("the run", "this run")
        head = HEAD.format(rounds=self.rounds, machine="\n".join(f"| {k} | {v} |" for k, v in facts.items()))
        parts = [
            table(
                "A step for each vertex",
                "The part of the motion in use, sum of |a dx| over sum of |dx|, with one step for all and with one for each "
                "vertex (`ccd.step.sizes`, share 0.9). *Resting* vertices touch at x0.",
                ("scene", "d", "used, one step", "used, each", "passes", "resting", "c, ms", "sizes, ms", "in c"),
                self.sizes(),
            ),
            table(
                "Intervals of contact",
                "`ccd.step.intervals`: all times, entries and exits, of the pairs that `collisions` lists with their first.",
                ("scene", "d", "pairs", "intervals", "c, ms", "intervals, ms", "in c"),
                self.intervals(),
            ),
            table(
                "Gradients",
                "`ccd.step.gradients` of all impacts. Those in contact at x0 have none, and cost next to nothing.",
                ("scene", "d", "impacts", "defined", "initial", "ms", "us an impact", "in c"),
                self.gradients(),
            ),
            table(
                "Least distance over a step",
                "`ccd.step.clearance`, beside `ccd.step.earliest` for the same t_max. Where something touches the result "
                "is 0 and the cost that of `earliest`.",
                ("scene", "step", "at least", "at most", "earliest, ms", "least, ms", "ratio"),
                self.least(),
            ),
            table(
                "Rows of a solver",
                "Milliseconds for constraints of an active set, repeated to 100,000: the matrix with one row a contact "
                "and with three, tangents, masses, colors.",
                ("scene", "constraints", "one row", "three rows", "tangents", "masses", "colors"),
                self.jacobians(),
            ),
        ]
        return head + "".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20, help="no round of a row begins after this time")
    parser.add_argument("--scene", nargs="+", help="only these scenes")
    args = parser.parse_args()
    scenes = [s for s in data.scenes() if not args.scene or s.name in args.scene]
    text = Bench(scenes, args.rounds, args.seconds).report()
    if not args.scene:
        REPORT.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
