#!/usr/bin/env python3
"""Compare steps on a graphics processor with those on the CPU, and write bench/reports/gpu.md.

`make gpu-report` runs this in .venv. Every impact must have the same bits, or the run fails and writes nothing. Without a
device it says why and exits with 1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import ccd
import numpy as np

from ccdbench import data, machine

REPORT = machine.ROOT / "bench" / "reports" / "gpu.md"
CALLS = ("collisions", "earliest", "size")

HEAD = """# Graphics processors

Written by `make gpu-report` (`bench/gpu.py`). Steps with `device="gpu"` and with `device="cpu"`: medians of {rounds} rounds
in milliseconds. *device* is the time for which the threads waited for the device, copies included. Impacts, the earliest
impact and the step size had the same bits in every row.

|  |  |
|---|---|
| device | {name} |
| driver | {driver} |
| memory | {memory:.1f} GiB |
{machine}

| scene | call | pairs | CPU, 1 thread | CPU, all threads | with the device | device | memory there |
|---|---|--:|--:|--:|--:|--:|--:|
"""


def same(a: Any, b: Any) -> bool:
    """Whether two results have the same bits."""
    if isinstance(a, np.ndarray):
        return bool(a.tobytes() == b.tobytes())
    return bool(a == b)


def timed(call: Any, rounds: int, **options: Any) -> tuple[Any, float, ccd.Stats, float]:
    """Result, median milliseconds, last statistics, median milliseconds of waiting for the device; without the first round."""
    times, waits, stats, result = [], [], ccd.Stats(), None
    for _ in range(rounds + 1):
        began = time.perf_counter()
        result = call(stats=stats, **options)
        times.append(1e3 * (time.perf_counter() - began))
        waits.append(1e3 * stats.device_seconds)
    return result, statistics.median(times[1:]), stats, statistics.median(waits[1:])


def rows(scene: data.Scene, rounds: int, index: int) -> list[str]:
    """A row of the table for each call."""
    out = []
    for name in CALLS:

        def call(name: str = name, **options: Any) -> Any:
            return getattr(ccd.step, name)(scene.mesh, scene.x0, scene.x1, **options)

        single, one, _, _ = timed(call, rounds, threads=1)
        _, many, _, _ = timed(call, rounds)
        result, with_device, stats, waited = timed(call, rounds, device="gpu", device_index=index)
        if not stats.device_used or not same(single, result):
            raise SystemExit(f"{scene.name}, {name}: the results of the device differ, or it was not used")
        pairs = sum(stats.candidates.values())
        memory = f"{stats.device_peak_bytes / 2**20:.1f} MiB"
        out.append(
            f"| {scene.name} | {name} | {pairs:,} | {one:.1f} | {many:.1f} | {with_device:.1f} | {waited:.1f} | {memory} |"
        )
        print(out[-1], flush=True)
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each call (15)")
    parser.add_argument("--index", type=int, default=0, help="device of `ccd info`; 0: the first that can be used (0)")
    parser.add_argument("--scene", nargs="+", help="only these scenes")
    parser.add_argument("--out", type=Path, default=REPORT, help="the report (bench/reports/gpu.md)")
    given = parser.parse_args()
    usable = [d for d in ccd.devices() if not d.refused and given.index in (0, d.index)]
    if not usable:
        print(
            "no device:",
            "; ".join(f"{d.name}: {d.refused}" for d in ccd.devices()) or "none is listed by ccd info",
            file=sys.stderr,
        )
        return 1
    scenes = [s for s in data.scenes() if not given.scene or s.name in given.scene]
    table = [row for s in scenes for row in rows(s, given.rounds, given.index)]
    facts = "\n".join(f"| {name} | {value} |" for name, value in machine.describe().items())
    device = usable[0]
    head = HEAD.format(rounds=given.rounds, name=device.name, driver=device.driver, memory=device.memory / 2**30, machine=facts)
    given.out.write_text(head + "\n".join(table) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
