"""The first call of a process beside its later ones, each in a process of its own: time, and pages of memory touched anew.

python -m ccdbench.first TASK SCENE runs one task on one thread and prints its row.
"""

from __future__ import annotations

import json
import mmap
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from . import data, memory

LATER = 9  # calls after the first


def row(scene: data.Scene, task: str) -> dict[str, Any]:
    """Seconds and page faults of the first call and of later ones, and the seconds of one fault."""
    call = memory.tasks(scene, threads=1)[task]
    seconds, faults = zip(*(_timed(call) for _ in range(1 + LATER)))
    return {
        "scene": scene.name,
        "task": task,
        "first": seconds[0],
        "later": statistics.median(seconds[1:]),
        "first_faults": faults[0],
        "later_faults": statistics.median(faults[1:]),
        "fault": _fault(),
    }


def _timed(call: Any) -> tuple[float, int]:
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_minflt, time.perf_counter()
    call()
    seconds = time.perf_counter() - start
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def _fault(pages: int = 16_384) -> float:
    """Seconds for the first write to a page of 4 KiB, the least of three runs."""
    best = float("inf")
    for _ in range(3):
        with mmap.mmap(-1, pages * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as area:
            best = min(best, _write(area, pages))
    return best / pages


def _write(area: mmap.mmap, pages: int) -> float:
    zeros = bytes(pages)
    start = time.perf_counter()
    area[:: mmap.PAGESIZE] = zeros
    return time.perf_counter() - start


def measure(scene: data.Scene) -> list[dict[str, Any]]:
    """The rows of a scene, one process each."""
    rows = []
    for task in memory.tasks(scene):
        command = [sys.executable, "-m", "ccdbench.first", task, scene.name]
        done = subprocess.run(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, text=True, check=True)
        rows.append(json.loads(done.stdout))
        print(".", end="", file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    task, name = sys.argv[1:]
    print(json.dumps(row(data.scene(data.folder() / "scenes" / name), task)))
