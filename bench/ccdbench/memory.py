"""Peak memory of one call, each in a process of its own: how far the resident set rises above what it was before the call.

python -m ccdbench.memory TASK SCENE runs one task and prints the bytes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import ccd

from . import data, peers, steps

_STATUS = Path("/proc/self/status")


def _field(name: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise LookupError(name)


def rise(call) -> int:
    """Bytes that the peak during the call lies above the resident set before it."""
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the kernel forgets the earlier peak
        before = _field("VmRSS")
        call()
        return _field("VmHWM") - before
    except (OSError, LookupError):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        call()
        return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024


def tasks(scene: data.Scene, threads: int = 0) -> dict[str, Any]:
    """The calls by name, on so many threads; 0: all."""
    step = (scene.mesh, scene.x0, scene.x1)
    calls: dict[str, Any] = {
        "broad": lambda: steps.candidates(scene, threads),
        "all": lambda: ccd.step.collisions(*step, threads=threads),
        "earliest": lambda: ccd.step.earliest(*step, threads=threads),
    }
    if peers.ipctk:
        if threads:
            peers.set_threads(threads)
        peer = peers.Steps(scene)
        calls |= {"broad, ipctk LBVH": peer.candidates, "earliest, ipctk": peer.step_size}
    return calls


def measure(scene: data.Scene) -> list[dict[str, Any]]:
    rows = []
    for task in tasks(scene):
        command = [sys.executable, "-m", "ccdbench.memory", task, scene.name]
        done = subprocess.run(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, text=True, check=True)
        rows.append({"scene": scene.name, "task": task, "bytes": json.loads(done.stdout)})
        print(".", end="", file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    task, name = sys.argv[1:]
    print(json.dumps(rise(tasks(data.scene(data.folder() / "scenes" / name))[task])))
