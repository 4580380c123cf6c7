#!/usr/bin/env python3
"""Run suites of tests two at a time, say at least every half minute how far they are, and end with a table.

python3 .ci/suites.py [--jobs N] [--limit MINUTES] [--peers none] SUITE...

A suite is a target of the Makefile. Its output goes to build/test/SUITE.log; the end of that of a failing one is shown. What it
needs (`NEEDS`) is made first. With --limit no suite begins that would not end in that time, by its estimate; the others are
named. Ctrl-C ends all that was started. The exit status is 1 where anything failed.

The last line is `N passed, N failed, N skipped`; tally.py reads these numbers from the logs. Where nothing is named but what
prepares, there is no table.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import tally

ROOT = Path(__file__).resolve().parents[1]
SIGNALS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP

# What each target needs. Those of PREPARE have no tests; they are made before the suites, in this order.
PREPARE = ("venv", "library", "peers-small", "js", "docs-tools")
NEEDS = {
    "venv": (), "library": (), "peers-small": ("venv",), "js": ("library", "venv"), "docs-tools": ("venv", "peers-small"),
    "test-go": (), "test-levels": (), "long-go": (), "long-tests": (), "test-rust": ("library",),
    "test-c": ("library", "peers-small"), "long-c": ("library", "peers-small"), "docs": ("js", "docs-tools"),
}  # fmt: skip
ALL = ("js", "peers-small")  # what a suite needs that is not in this table

# Minutes that a target takes on two idle cores while another runs beside it; those of the last run here replace them, and
# say how much slower this machine is with the others.
MINUTES = {
    "library": 1.0, "venv": 0.7, "peers-small": 0.8, "js": 0.3, "docs-tools": 0.3, "docs": 2.5,
    "test-python": 6.0, "test-go": 5.0, "test-c": 3.0, "test-examples": 2.0, "test-rust": 0.6, "test-js": 0.2,
    "test-levels": 4.0, "long-tests": 5.0, "long-go": 12.0, "long-python": 13.0, "long-c": 8.0,
}  # fmt: skip


class Job:
    """A target that runs, or ran."""

    def __init__(self, name: str) -> None:
        self.name, self.log = name, Path("build/test") / f"{name}.log"
        self.began, self.minutes, self.processor = time.monotonic(), 0.0, 0.0
        self.status: int | None = None
        built = {"library": "BUILT="}.get(name, "BUILT=library" if name in PREPARE else "BUILT=1")  # each is built once
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["make", "--no-print-directory", built, name], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env=environment(), start_new_session=True,
            )  # fmt: skip

    def ran(self) -> float:
        """Minutes since it began."""
        return (time.monotonic() - self.began) / 60

    def ended(self) -> bool:
        """Whether it is over; then its status, and what it took."""
        if self.status is None:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.status = self.process.returncode = os.waitstatus_to_exitcode(status)
                self.minutes, self.processor = self.ran(), (usage.ru_utime + usage.ru_stime) / 60
        return self.status is not None

    def progress(self) -> str:
        """The last share that the log states, such as 45 of [ 45%]."""
        with open(self.log, "rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 8192))
            found = re.findall(rb"\[ *(\d+)%\]", log.read())
        return found[-1].decode() if found else ""

    def stop(self, number: int) -> None:
        """Sends a signal to all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def environment() -> dict[str, str]:
    """The environment without what make passes to makes that it starts itself. Variables of its command line are in it."""
    of_make = "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"
    return {name: value for name, value in os.environ.items() if name not in of_make} | {"PYTHONUNBUFFERED": "1"}


def plan(suites: list[str], peers: bool) -> dict[str, set[str]]:
    """All targets that must run, and what each waits for."""
    needs: dict[str, set[str]] = {}

    def add(name: str) -> None:
        before = {need for need in NEEDS.get(name, ALL) if peers or need != "peers-small"}
        if name not in PREPARE and "peers-small" in NEEDS.get(name, ALL):
            before.add("venv")
        for need in before:
            add(need)
        needs[name] = before

    for name in suites:
        add(name)
    return {name: needs[name] for name in [*PREPARE, *suites] if name in needs}


class Run:
    """The targets of one call: which wait, run, are over, or are left out."""

    def __init__(self, needs: dict[str, set[str]], options: argparse.Namespace) -> None:
        self.needs, self.options = needs, options
        self.waiting, self.running, self.over, self.left = list(needs), list[Job](), list[Job](), list[str]()
        self.began = self.said = time.monotonic()
        self.known, self.minutes = Path("build/test/minutes.json"), dict[str, float]()  # what targets took here
        self.known.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):  # none yet, or not ours
            last = json.loads(self.known.read_text())
            self.minutes = {name: float(m) for name, m in last.items() if 0 < float(m) < 1e4}

    def guess(self, name: str) -> float:
        """Minutes that a target will take: what it took here, or takes elsewhere times how much slower this machine is."""
        if name in self.minutes:
            return self.minutes[name]
        both = [other for other in self.minutes if other in MINUTES and other not in PREPARE]
        slower = sum(self.minutes[other] for other in both) / sum(MINUTES[other] for other in both) if both else 1.0
        return MINUTES.get(name, 1.0) * max(slower, 1.0)

    def elapsed(self) -> float:
        return (time.monotonic() - self.began) / 60

    def say(self, text: str) -> None:
        self.said = time.monotonic()
        print(f"{clock(self.elapsed()):>6}  {text}", flush=True)

    def rest(self) -> float:
        """About how many minutes are left: what all need shared out, but no less than the longest."""
        ahead = [self.guess(name) for name in self.waiting]
        for job in self.running:
            share = float(job.progress() or 0) / 100
            whole = job.ran() / share if share > 0.2 else max(self.guess(job.name), 1.1 * job.ran())
            ahead.append(max(whole - job.ran(), 0.1))
        return max([sum(ahead) / self.options.jobs, *ahead])

    def words(self) -> str:
        each = [
            f"{job.name} {share} %" if (share := job.progress()) else f"{job.name} {clock(job.ran())}" for job in self.running
        ]
        done = f"{len(self.over)} of {len(self.needs)} done"
        return f"runs: {', '.join(each)}; {done}; about {max(1, round(self.rest()))} min left"

    def leave(self, name: str, why: str) -> None:
        self.waiting.remove(name)
        self.left.append(name)
        self.say(f"{name} does not run: {why}")

    def start(self) -> None:
        """Begins what may begin, while there is room."""
        limit = self.options.limit
        ready = {job.name for job in self.over if not job.status}
        for name in list(self.waiting):
            lacking = self.needs[name] & ({job.name for job in self.over if job.status} | set(self.left))
            if lacking:
                self.leave(name, f"it needs {', '.join(sorted(lacking))}")
            elif limit is not None and self.elapsed() + self.guess(name) > limit:
                self.leave(name, f"about {max(1, round(self.guess(name)))} min, and the limit is {limit:g} min in all")
            elif len(self.running) < self.options.jobs and self.needs[name] <= ready:
                self.waiting.remove(name)
                self.running.append(Job(name))

    def end(self, job: Job) -> None:
        """Notes a target that is over; where it failed, shows the end of its output without the lines about skipped tests."""
        self.running.remove(job)
        self.over.append(job)
        if job.status:
            self.say(f"{job.name} FAILED after {clock(job.minutes)}; the end of {job.log}:")
            told = [line for line in tally.lines(job.log) if not line.startswith("SKIPPED")]
            print("\n".join(f"        {line}" for line in told[-60:]))
            return
        self.minutes[job.name] = round(job.minutes, 2)
        self.known.write_text(json.dumps(self.minutes, indent=1, sort_keys=True))
        got = tally.read(job.log)
        counts = "" if job.name in PREPARE else f": {got.passed} passed, {sum(got.skipped.values())} skipped"
        self.say(f"{job.name} done in {clock(job.minutes)}{counts}")
        for line in tally.lines(job.log) if job.name == "peers-small" else ():
            print(f"        {line}")

    def all(self) -> None:
        self.start()
        self.say(f"{self.words()}. Output of each: build/test/NAME.log")
        while self.running or self.waiting:
            time.sleep(0.1)
            for job in [job for job in self.running if job.ended()]:
                self.end(job)
            self.start()
            if time.monotonic() - self.said >= self.options.tick and self.running:
                self.say(self.words())

    def stop(self) -> None:
        """Ends all that runs: what cleans up after SIGINT has two seconds for it."""
        for number, patience in ((signal.SIGINT, 2.0), (signal.SIGTERM, 2.0), (signal.SIGKILL, 10.0)):
            for job in self.running:
                job.stop(number)
            until = time.monotonic() + patience
            while time.monotonic() < until and not all([job.ended() for job in self.running]):
                time.sleep(0.05)

    def table(self) -> bool:
        """Prints what each target counted and took; returns whether nothing failed."""
        failed = [job for job in self.over if job.status]
        if all(name in PREPARE for name in self.needs):
            return not failed
        total = tally.Tally()
        print(f"\n{'suite':<16}{'passed':>8}{'failed':>8}{'skipped':>9}{'minutes':>9}{'of processors':>15}")
        for job in sorted(self.over, key=lambda job: job.name in PREPARE):
            got = tally.Tally() if job.name in PREPARE else tally.read(job.log)
            got.failed = max(got.failed, int(job in failed))
            total.add(got)
            print(row(job.name, got, job.minutes, job.processor))
        print(row("in all", total, self.elapsed(), sum(job.processor for job in self.over)))
        tally.print_reasons(total)
        if self.left:
            print(f"\nnot run: {', '.join(self.left)}")
        for job in failed:  # last, since a record of a run may keep its last lines only
            names = tally.failures(job.log)
            print(f"\n{job.name} failed: {', '.join(names[:10]) or f'no test of it says so; see {job.log}'}")
            if len(names) > 10:
                print(f"and {len(names) - 10} more in {job.log}")
        print(f"\n{total.passed} passed, {total.failed} failed, {sum(total.skipped.values())} skipped")
        return not total.failed


def row(name: str, got: tally.Tally, minutes: float, processor: float) -> str:
    return f"{name:<16}{got.passed:>8}{got.failed:>8}{sum(got.skipped.values()):>9}{minutes:>9.1f}{processor:>15.1f}"


def clock(minutes: float) -> str:
    return f"{int(minutes)}:{int(minutes * 60) % 60:02}"


def stopped(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run suites of tests side by side and say how far they are.")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many run at a time (2)")
    parser.add_argument("--limit", type=float, metavar="MINUTES", help="begin no suite that would end later than this")
    parser.add_argument("--tick", type=float, default=20.0, metavar="SECONDS", help="say so often what runs (20)")
    parser.add_argument("--peers", choices=("small", "none"), default="small", help="none: install no optional packages")
    parser.add_argument("suites", nargs="+", metavar="SUITE", help="a target of the Makefile")
    options = parser.parse_args()
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    options.suites = list(dict.fromkeys(options.suites))
    return options


def main() -> int:
    options = arguments()
    os.chdir(ROOT)
    for number in SIGNALS:
        signal.signal(number, stopped)
    run = Run(plan(options.suites, options.peers != "none"), options)
    try:
        run.all()
    except KeyboardInterrupt:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        run.stop()
        print("\nstopped")
        return 130
    return 0 if run.table() else 1


if __name__ == "__main__":
    sys.exit(main())
