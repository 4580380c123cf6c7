"""The report of `ccd step --no-check-start --all --json` and the output of examples/cpp/step must have the same bits.

python compare.py REPORT.json OUTPUT.txt
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def line(impact: dict) -> str:
    """An impact as the C++ example prints it. 17 digits tell any two doubles apart."""
    return "{kind} {a} {b} {toi_lo:.17g} {toi_hi:.17g}".format(**impact)


def main() -> None:
    report = json.loads(Path(sys.argv[1]).read_text())
    printed = Path(sys.argv[2]).read_text().splitlines()
    impacts, first = report["impacts"], report["earliest"]
    expected = ["mesh: {vertices} vertices, {edges} edges, {faces} faces".format(**report)]
    expected.append("earliest: {kind} {a} {b} at t = {toi_lo:.17g}".format(**first) if first else "separate for the whole step")
    expected += [f"impacts: {len(impacts)}", *map(line, impacts)]
    for number, (want, got) in enumerate(zip(expected, printed), 1):
        if want != got:
            sys.exit(f"Python and C++ differ in line {number}: {want!r} and {got!r}")
    if len(expected) != len(printed):
        sys.exit(f"Python has {len(expected)} lines, C++ has {len(printed)}")
    print(f"Python and C++ agree to the bit on the earliest impact and on all {len(impacts)} impacts")


if __name__ == "__main__":
    main()
