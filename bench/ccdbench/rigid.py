"""Rigid bodies: the earliest contact on the trials of the data folder, beside FCL, on finer meshes, and in scenes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from . import data, machine

REFINED = range(7)  # four times the triangles each: from 618 to 2,531,328


def measure(rounds: int, quick: bool) -> dict[str, list[dict[str, Any]]]:
    """Rows of bench/rigid: `trials` with `who`, `growth` of the bunnies at both speeds, `scenes` of many, and over meshes."""
    trials = [r | {"who": "libccd"} for r in _ours("-rounds", str(rounds))]
    trials += [r | {"who": "libccd, 2017"} for r in _ours("-rounds", "3", "-method", "d2m", "-trials", "24")]
    trials += [r | {"who": "FCL 0.7, RSS"} for r in _fcl()]
    growth = []
    for k in REFINED[:3] if quick else REFINED:
        growth += _ours("-sets", "bunny-bunny", "-rounds", "3", "-refine", str(k))
        print(".", end="", file=sys.stderr, flush=True)
    return {"trials": trials, "growth": growth, "scenes": _ours("-scenes", "-rounds", "3", *(["-quick"] if quick else []))}


def _ours(*arguments: str) -> list[dict[str, Any]]:
    command = ["go", "run", "./bench/rigid", "-data", str(data.folder()), *arguments]
    return json.loads(subprocess.run(command, cwd=machine.ROOT, check=True, capture_output=True, text=True).stdout)


def _fcl() -> list[dict[str, Any]]:
    """FCL's rows; none where it is not installed."""
    out = machine.ROOT / "bench" / "out"
    out.mkdir(parents=True, exist_ok=True)
    program = out / "fcl"
    source = machine.ROOT / "bench" / "fcl" / "fcl.cpp"
    build = ["c++", "-O2", "-std=c++17", "-I/usr/include/eigen3", str(source), "-o", str(program), "-lfcl"]
    if subprocess.run(build, capture_output=True).returncode:
        print("FCL is not installed (libfcl-dev): our own figures only", file=sys.stderr)
        return []
    done = subprocess.run([program, data.folder()], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"FCL's answers are not those that are known, so its times are not those of this task:\n{done.stderr}")
    return json.loads(done.stdout)
