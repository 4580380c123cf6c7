"""Timing: medians, with the contestants taking turns, so that a slow minute of the machine hits them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Times:
    """Median seconds of a call: on the wall, and of the processor, all threads of this process together."""

    wall: float
    cpu: float
    result: Any  # what the last call returned


def medians(
    contestants: dict[Any, Callable[[], object]], rounds: int, limit: float, warm: Container[Any] = ()
) -> dict[Any, Times]:
    """The medians of each contestant over up to `rounds` rounds; no new round begins after `limit` seconds.

    One untimed round comes first, unless it was slow: then it counts, and the first touch of memory drowns in it.
    A contestant in `warm` makes an untimed call before each timed one: it finds in the caches what it left there, as
    the calls of a loop do, where the others find what the contestant before them left.
    """
    times: dict[Any, list[tuple[float, float]]] = {name: [] for name in contestants}
    last: dict[Any, Any] = {}
    begin = time.perf_counter()
    for count in range(rounds + 1):
        if count > 1 and time.perf_counter() - begin > limit:
            break
        for name, call in contestants.items():
            if name in warm:
                call()
            wall, cpu = time.perf_counter(), time.process_time()
            last[name] = call()
            pair = time.perf_counter() - wall, time.process_time() - cpu
            if count > 0 or pair[0] > limit / 4:
                times[name].append(pair)
    return {name: Times(*map(statistics.median, zip(*pairs, strict=True)), last[name]) for name, pairs in times.items()}


def each(call: Callable[[Any], object], items: Iterable[Any], limit: float) -> list[float]:
    """Processor seconds of call(x) for the items x, one by one, until `limit` seconds have gone by on the wall."""
    out: list[float] = []
    end = time.perf_counter() + limit
    for x in items:
        start = time.thread_time()
        call(x)
        out.append(time.thread_time() - start)
        if time.perf_counter() > end:
            break
    return out
