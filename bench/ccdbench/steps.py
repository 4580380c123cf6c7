"""Whole steps: the broad phase beside LBVH, all impacts, and the earliest impact beside the collision-free step size."""

from __future__ import annotations

import ctypes
import statistics
import sys
from typing import Any

import ccd
from ccd._native import abi, steps

from . import clock, data, peers
from .machine import cores

# Contestants whose calls come in a row, as in a loop that does little else.
WARM = ("libccd, calls in a row", "ipctk, calls in a row")


def measure(scene: data.Scene, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Rows (scene, task, who, threads, wall and cpu seconds, result), ours and the peer's taking turns."""
    peer = peers.steps(scene) if peers.ipctk else None
    rows: list[dict[str, Any]] = []
    for threads in sorted({1, cores()}):
        peers.set_threads(threads)
        for task, contestants in _tasks(scene, peer, threads).items():
            for who, median in clock.medians(contestants, rounds, seconds, warm=WARM).items():
                row = {"scene": scene.name, "task": task, "who": who, "threads": threads, "wall": median.wall}
                rows.append(row | {"cpu": median.cpu, "result": float(median.result)})
                print(".", end="", file=sys.stderr, flush=True)
    if peer:
        rows.append(_sampled_impacts(scene, peer, seconds))
    return rows


def _tasks(scene: data.Scene, peer: peers.Steps | None, threads: int) -> dict[str, dict[str, Any]]:
    step = (scene.mesh, scene.x0, scene.x1)
    tasks: dict[str, dict[str, Any]] = {
        "broad": {
            "libccd": lambda: candidates(scene, threads),
            WARM[0]: lambda: candidates(scene, threads),
            "libccd, copied to NumPy": lambda: copied(ccd.broad.candidates(*step, threads=threads)),
        },
        "all": {"libccd": lambda: len(ccd.step.collisions(*step, threads=threads))},
        "earliest": {"libccd": lambda: ccd.step.earliest(*step, threads=threads).toi_lo},
    }
    tasks["earliest"][WARM[0]] = tasks["earliest"]["libccd"]
    apart = {"min_separation": 1e-3}
    tasks["earliest"]["libccd, d = 1e-3"] = lambda: ccd.step.earliest(*step, threads=threads, **apart).toi_lo
    if peer:
        tasks["broad"]["ipctk LBVH"] = lambda: len(peer.candidates())
        tasks["broad"][WARM[1]] = tasks["broad"]["ipctk LBVH"]
        tasks["earliest"]["ipctk"] = peer.step_size
        tasks["earliest"][WARM[1]] = peer.step_size
    return tasks


def candidates(scene: data.Scene, threads: int = 0) -> int:
    """Their number; they stay behind their C handle, as the peer's stay in C++. The public call would copy them."""
    call, step = steps.prepare(scene.mesh, scene.x0, scene.x1, {"threads": threads})
    library, handle, count = abi.library(), ctypes.c_void_p(), [ctypes.c_size_t() for _ in range(2)]
    call(library.ccd_broad_candidates, *step, call.options, ctypes.byref(handle))
    library.ccd_candidates_count(handle, *map(ctypes.byref, count))
    library.ccd_candidates_destroy(handle)
    return sum(c.value for c in count)


def copied(pairs: ccd.broad.Candidates) -> int:
    """Their number, once they are arrays: a kind is sorted and copied at its first use."""
    return len(pairs.vertex_face) + len(pairs.edge_edge) + len(pairs.point_edge) + len(pairs.point_point)


def _sampled_impacts(scene: data.Scene, peer: peers.Steps, seconds: float, size: int = 200_000) -> dict[str, Any]:
    """What Tight Inclusion takes for all candidates in full, from a sample: ipctk has no call that answers them all.

    Estimated as the sample's mean, less the cost of a call, times the number of candidates.
    """
    total = 0.0
    sampled = 0
    pairs = ccd.broad.candidates(scene.mesh, scene.x0, scene.x1)
    (method,) = (m for m in peers.narrow() if m.name == "ipctk Tight Inclusion")
    for queries in data.candidates(scene, size):
        times = clock.each(method.make(queries.kind, 0.0, 1e-6), queries.q.reshape(-1, 8, 3), seconds)
        mean = max(statistics.fmean(times) - method.overhead(queries.kind, 0.0, 1e-6), 0)
        total += mean * len(pairs[queries.kind])
        sampled += len(times)
    return {"scene": scene.name, "task": "all", "who": f"ipctk Tight Inclusion, from {sampled:,} of {len(pairs):,} pairs",
            "threads": 1, "wall": total, "cpu": total, "result": float("nan")}  # fmt: skip
