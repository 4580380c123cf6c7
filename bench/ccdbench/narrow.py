"""The narrow phase, query by query: the distribution of times by method, minimum separation and tolerance."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from typing import Any

import ccd
import numpy as np

from . import clock, data, peers
from .machine import ROOT, cores


def ours(separations: list[float], tolerances: list[float], limit: int, seconds: float) -> list[dict[str, Any]]:
    """Single queries through Go, where the clock costs little, as far as each row comes in the time: see bench/latency."""
    command = ["go", "run", "./bench/latency", "-data", str(data.folder()), "-limit", str(limit), "-time", f"{seconds}s"]
    command += ["-d", ",".join(map(repr, separations)), "-tolerance", ",".join(map(repr, tolerances))]
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout)


def thin(queries: data.QuerySet, limit: int) -> data.QuerySet:
    """At most `limit` queries, chosen as bench/latency does."""
    total = len(queries.q)
    if limit <= 0 or total <= limit:
        return queries
    chosen = np.arange(limit) * total // limit
    return data.QuerySet(queries.name, queries.kind, queries.q[chosen], queries.truth[chosen])


def theirs(
    sets: list[data.QuerySet], separations: list[float], tolerances: list[float], seconds: float
) -> list[dict[str, Any]]:
    """The peers on the same queries; one that is too slow gets as far as it comes in the time, and the row says how far."""
    rows = []
    for queries in sets:
        for peer in peers.narrow():
            if peer.graded_only:
                continue
            for d in separations:
                for tolerance in tolerances:
                    rows.append(row(queries, peer, d, tolerance, seconds))
                    print(".", end="", file=sys.stderr, flush=True)
                    if "Additive" in peer.name:
                        break  # it has no tolerance
    return rows


def row(queries: data.QuerySet, peer: peers.Narrow, d: float, tolerance: float, seconds: float) -> dict[str, Any]:
    """One peer on one set, in a random order, until the clock stops it."""
    answer = peer.make(queries.kind, d, tolerance)
    order = np.random.default_rng(1).permutation(len(queries.q))
    hits: list[bool] = []
    failed = 0

    def ask(q: np.ndarray) -> None:
        nonlocal failed
        try:
            hits.append(answer(q)[0])
        except (MemoryError, RuntimeError):
            failed += 1
            hits.append(True)

    times = clock.each(ask, queries.q[order].reshape(-1, 8, 3), seconds)
    us = 1e6 * np.maximum(np.array(times) - peer.overhead(queries.kind, d, tolerance), 0)
    truth, hit = queries.truth[order[: len(hits)]], np.array(hits)
    return {
        "set": queries.name, "kind": queries.kind, "method": peer.name, "d": d, "tolerance": tolerance, "queries": len(hits),
        "mean_us": float(us.mean()), "p50_us": float(np.quantile(us, 0.5)), "p90_us": float(np.quantile(us, 0.9)),
        "p99_us": float(np.quantile(us, 0.99)), "worst_us": float(us.max()), "undecided": failed,
        "missed": int((truth & ~hit).sum()), "false": int((hit & ~truth).sum()) if d == 0 else 0,
    }  # fmt: skip


def batches(sets: list[data.QuerySet], separations: list[float], rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Whole sets in one call from Python, by the default method, on one thread and on all."""
    rows = []
    for queries in sets:
        for d in separations:
            solve = functools.partial(ccd.pair.solve, queries.kind, queries.q, min_separation=d, norm="max")
            calls = {threads: functools.partial(solve, threads=threads) for threads in sorted({1, cores()})}
            for threads, median in clock.medians(calls, rounds, seconds).items():
                wall, cpu = (1e6 * t / len(queries.q) for t in (median.wall, median.cpu))
                rows.append({"set": queries.name, "kind": queries.kind, "d": d, "threads": threads, "us": wall, "cpu_us": cpu})
    return rows
