#!/usr/bin/env python3
"""go test, with a line a package, the output of what fails, the reasons of what skips, and a count at the end.

python3 .ci/gotest.py [--long] ARGUMENTS-OF-GO-TEST... PACKAGES...

With --long, which may stand anywhere, only the tests run that `-short` alone leaves out as a whole (package
core/ccdtest/long), of all packages.
A test with subtests counts as these, and as itself only where it fails and none of them does.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

Key = tuple[str, str]  # package, test


class Report:
    """What go test said so far."""

    def __init__(self, packages: int) -> None:
        self.packages, self.over = packages, 0
        self.said: defaultdict[Key, list[str]] = defaultdict(list)  # what a test printed, "" for its package
        self.ended: dict[Key, str] = {}
        self.parents: set[Key] = set()
        self.reasons: Counter[str] = Counter()
        self.passed = self.failed = 0

    def event(self, e: dict[str, str]) -> None:
        action, key = e["Action"], (e.get("Package", e.get("ImportPath", "")), e.get("Test", ""))
        if action == "build-output":
            print(e["Output"], end="", flush=True)
        elif action == "output":
            self.said[key].append(e["Output"])
        elif action == "run" and "/" in key[1]:
            self.parents.add((key[0], key[1].rpartition("/")[0]))
        elif action in ("pass", "fail", "skip") and key[1]:
            self.ended[key] = action
            if action != "fail":
                if action == "skip":
                    self.reasons[reason(self.said[key])] += 1
                self.said.pop(key, None)
        elif action in ("pass", "fail", "skip"):
            self.package(key[0], action, float(e.get("Elapsed", 0)))

    def package(self, name: str, action: str, seconds: float) -> None:
        """The line of a package, after the output of what failed in it."""
        self.over += 1
        tests = {test: how for (package, test), how in self.ended.items() if package == name}
        bad = [test for test, how in tests.items() if how == "fail"]
        leaves = {test: how for test, how in tests.items() if (name, test) not in self.parents}
        own = [t for t in bad if t not in leaves and not any(other.startswith(t + "/") for other in bad)]
        self.passed += sum(how == "pass" for how in leaves.values())
        failed = sum(how == "fail" for how in leaves.values()) + len(own)
        self.failed += max(failed, action == "fail")  # a package that does not build, or that panics, has no test that fails
        if action == "fail":
            started = [test for package, test in self.said if package == name and test]
            for test in [*started, ""]:
                print("".join(self.said[name, test]), end="")
        cached = any("(cached)" in line for line in self.said[name, ""])
        share = f"[{100 * self.over // max(self.packages, self.over):>3}%]"
        what = {"pass": "ok", "fail": "FAIL", "skip": "no tests"}[action]
        print(f"{share} {what:<8} {name:<32} {'cached' if cached else f'{seconds:.1f} s'}", flush=True)
        for key in [key for key in self.said if key[0] == name]:
            del self.said[key]

    def end(self) -> None:
        for why, count in sorted(self.reasons.items()):
            print(f"SKIPPED [{count}] {why}")
        print(f"{self.passed} passed, {self.failed} failed, {sum(self.reasons.values())} skipped")


def reason(output: list[str]) -> str:
    """What t.Skip said; where it said nothing, that -short did it, which is what tests skip for without a word."""
    for line in reversed(output):
        if match := re.match(r"\s+[\w.]+\.go:\d+: (.*)", line):
            return match[1].strip()
    return "runs in make test-long"


def long_tests() -> tuple[list[str], list[str]]:
    """The tests that begin with long.Test, and the folders of their packages."""
    names, folders = [], set()
    for path in sorted(Path().rglob("*_test.go")):
        if path.parts[0] in ("build", "dist") or path.parts[0].startswith("."):
            continue  # copies of the sources, as the blocks of pages fetch them
        found = re.findall(r"^func (Test\w+)\(t \*testing\.T\) \{\n\tlong\.Test\(t\)$", path.read_text("utf-8"), re.M)
        names += found
        if found:
            folders.add(f"./{path.parent.as_posix()}")
    return names, sorted(folders)


def main() -> int:
    arguments = sys.argv[1:]
    if "--long" in arguments:
        arguments.remove("--long")
        os.environ["CCD_LONG"] = "1"
        names, folders = long_tests()
        arguments = [*arguments, "-run", f"^({'|'.join(names)})$", *folders]
    patterns = [word for word in arguments if word.startswith(("./", "ccd/"))]
    listed = subprocess.run(["go", "list", *patterns], capture_output=True, text=True)
    report = Report(len(listed.stdout.split()))
    with subprocess.Popen(["go", "test", "-json", *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                print(line, end="", flush=True)
                continue
            report.event(event)
    report.end()
    return process.returncode or int(report.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
