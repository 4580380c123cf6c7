#!/usr/bin/env python3
"""Run every fuzz target for a while, under Go's own fuzzing; what has run at this commit is not run again.

python3 .ci/fuzz.py [--seconds N] [--limit MINUTES] [--match REGEX] [--table FILE.csv]

The table has a row for each run: package, target, commit, date, seconds, executions, result. Targets that have run for fewer
seconds at this commit than asked come first, in the order of packaging/fuzz_targets.sh. With --limit none begins that would
end later.
A target that executes nothing in its time, or an input of which takes so long that Go gives it up ("late": it passes alone),
did not pass, and runs again.
A target that fails prints what Go says; the others still run, and the status is 1.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

FIELDS = ["package", "target", "commit", "date", "seconds", "executions", "result"]
EXECUTIONS = re.compile(r"execs: (\d+)")
WRITTEN = re.compile(r"Failing input written to testdata/fuzz/(\S+)")


def output(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def commit() -> str:
    changed = output("git", "status", "--porcelain", "--untracked-files=no")
    return output("git", "rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def rows_of(table: Path) -> list[dict[str, str]]:
    if not table.exists():
        return []
    with table.open(newline="") as file:
        return list(csv.DictReader(file))


def alone(package: str, name: str) -> bool:
    """Whether an input passes by itself."""
    return not subprocess.run(["go", "test", "-timeout", "5m", "-run", f"^{name}$", package], check=False).returncode


def fuzz(package: str, target: str, seconds: int) -> tuple[str, int, str]:
    """The result, the executions, and what Go said of a failure."""
    # Go shrinks each input that reaches new code for up to a minute, and executes no other meanwhile: once is enough.
    shrink = ("-fuzzminimizetime", "1x")
    command = ["go", "test", "-run", "^$", "-fuzz", f"^{target}$", "-fuzztime", f"{seconds}s", *shrink, package]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    counts = EXECUTIONS.findall(done.stdout)
    executions = int(counts[-1]) if counts else 0
    result = "failed" if done.returncode else "passed" if executions else "nothing run"
    if done.returncode and "context deadline exceeded" in done.stdout and "ailing input" not in done.stdout:
        result = "late"  # Go's own limit cut an input off: nothing is known of it.
    written = WRITTEN.search(done.stdout)
    if written and "hung or terminated" in done.stdout and alone(package, written[1]):
        result = "late"  # It takes more than ten seconds of a process that counts what it reaches.
        (Path(package.removeprefix("ccd").lstrip("/")) / "testdata" / "fuzz" / written[1]).unlink(missing_ok=True)
    return result, executions, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10, help="for each target (10)")
    parser.add_argument("--limit", type=float, help="minutes for all")
    parser.add_argument("--match", default="", help="only targets whose package and name match")
    parser.add_argument("--table", type=Path, default=Path("build/fuzz.csv"), help="where the runs are kept")
    args = parser.parse_args()
    begun, here = time.monotonic(), commit()
    known = rows_of(args.table)
    ran: Counter[tuple[str, str]] = Counter()
    for row in known:
        if row["commit"] == here and row["result"] == "passed":
            ran[row["package"], row["target"]] += int(row["seconds"])
    targets = [tuple(line.split()[:2]) for line in output("sh", "packaging/fuzz_targets.sh").splitlines()]
    chosen = [t for t in targets if re.search(args.match, " ".join(t))]
    left = [t for t in chosen if ran[t] < args.seconds]
    failed = 0
    args.table.parent.mkdir(parents=True, exist_ok=True)
    with args.table.open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        if not known:
            writer.writeheader()
        for done, (package, target) in enumerate(left):
            if args.limit and time.monotonic() - begun + args.seconds > 60 * args.limit:
                print(f"{len(left) - done} targets are left: run it again")
                break
            result, executions, said = fuzz(package, target, args.seconds)
            print(f"{package} {target}: {result}, {executions:,} executions", flush=True)
            failed += result == "failed"
            if result == "failed":
                print(said, end="", flush=True)
            date = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
            writer.writerow(dict(zip(FIELDS, [package, target, here, date, args.seconds, executions, result])))
            file.flush()
    print(f"{len(chosen)} targets, {len(chosen) - len(left)} of them had run at {here}; {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
