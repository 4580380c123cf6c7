""".ci/fuzz.py, which `make fuzz` is: what it runs, keeps and ends with, with a `go` made here."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GO = """#!/bin/sh
echo "$*" >>"{log}"
test -z "$NOTHING" || exit 0
echo "fuzz: elapsed: 1s, execs: 12 (12/sec)"
echo "fuzz: elapsed: 2s, execs: 345 (99/sec)"
test -z "$LATE" || {{ echo "    context deadline exceeded"; exit 1; }}
case "$*" in *FuzzExtremes*) echo "failing input written to testdata"; exit 1;; esac
"""


@pytest.fixture
def fuzz(tmp_path):
    log, table = tmp_path / "log", tmp_path / "fuzz.csv"
    if not (ROOT / ".ci" / "fuzz.py").is_file() or not (ROOT / ".git").exists():
        pytest.skip("no checkout with git around the package")
    go = tmp_path / "bin" / "go"
    go.parent.mkdir()
    go.write_text(GO.format(log=log))
    go.chmod(0o755)
    path = f"{go.parent}{os.pathsep}{os.environ['PATH']}"

    def run(*arguments: str) -> tuple[int, str, list[str]]:
        command = [sys.executable, ".ci/fuzz.py", "--table", str(table), *arguments]
        done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PATH": path}, capture_output=True, text=True)
        calls = log.read_text().splitlines() if log.exists() else []
        return done.returncode, done.stdout + done.stderr, calls

    run.table = table
    return run


def test_a_second_run_goes_on_where_the_first_ended(fuzz):
    status, said, calls = fuzz("--seconds", "2", "--match", "core/contain |core/num FuzzInterval")
    assert status == 0 and calls, said
    assert all("-fuzztime 2s" in call for call in calls)
    rows = list(csv.DictReader(fuzz.table.open()))
    assert len(rows) == len(calls) and {row["executions"] for row in rows} == {"345"}
    assert fuzz("--seconds", "2", "--match", "core/contain |core/num FuzzInterval")[2] == calls
    assert len(fuzz("--seconds", "3", "--match", "core/contain |core/num FuzzInterval")[2]) == 2 * len(calls)


def test_what_executed_nothing_has_not_passed(fuzz, monkeypatch):
    monkeypatch.setenv("NOTHING", "1")
    status, said, calls = fuzz("--seconds", "1", "--match", "core/contain ")
    assert status == 0 and "nothing run, 0 executions" in said
    assert {row["result"] for row in csv.DictReader(fuzz.table.open())} == {"nothing run"}
    assert len(fuzz("--seconds", "1", "--match", "core/contain ")[2]) == 2 * len(calls) > 0


def test_an_input_that_go_cuts_off_is_no_failure_and_runs_again(fuzz, monkeypatch):
    monkeypatch.setenv("LATE", "1")
    status, said, calls = fuzz("--seconds", "1", "--match", "core/contain ")
    assert status == 0 and "late, 345 executions" in said
    assert len(fuzz("--seconds", "1", "--match", "core/contain ")[2]) == 2 * len(calls) > 0


def test_none_begins_that_would_end_after_the_limit(fuzz):
    status, said, calls = fuzz("--seconds", "60", "--limit", "0.5", "--match", "core/num ")
    assert status == 0 and not calls
    assert "targets are left: run it again" in said


def test_a_target_that_fails_does_not_end_the_run_but_the_status(fuzz):
    targets = subprocess.run(["sh", "packaging/fuzz_targets.sh"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "FuzzExtremes" in targets
    status, said, calls = fuzz("--seconds", "1", "--match", "core/num ")
    assert status == 1 and "failing input written" in said
    assert len(calls) == sum("core/num " in line for line in targets.splitlines()) > 1
    again = fuzz("--seconds", "1", "--match", "core/num ")[2][len(calls) :]
    assert len(again) == 1 and "FuzzExtremes" in again[0]
