"""Answers graded by the exact method: what every method misses, reports too late, and reports where there is nothing."""

from __future__ import annotations

import sys
import time
from typing import Any

import ccd
import numpy as np

from . import clock, data, peers

METHODS = ("exact", "tight-inclusion", "time-contracted")


def grade(queries: data.QuerySet, seconds: float) -> list[dict[str, Any]]:
    """One row a method, for minimum separation 0. A peer that is too slow gets as far as it comes in a fixed random order."""
    exact = ccd.pair.solve(queries.kind, queries.q, method="exact")
    rows = []
    for method in METHODS:
        start = time.process_time()
        answers = ccd.pair.solve(queries.kind, queries.q, method=method, threads=1)
        spent = time.process_time() - start
        row = _row(queries, method, exact, answers["verdict"] != ccd.Verdict.SEPARATE, answers["toi_lo"])
        row |= {"undecided": int((answers["verdict"] == ccd.Verdict.UNDECIDED).sum()), "us": 1e6 * spent / len(answers)}
        rows.append(row)
    if queries.truth is not None:
        disagrees = (exact["verdict"] == ccd.Verdict.CONTACT) != queries.truth
        rows[0] |= {"recorded": len(disagrees), "disagrees": int(disagrees.sum())}
    for peer in peers.narrow():
        if queries.far and peer.near_only:
            continue
        rows.append(_peer(queries, peer, exact, seconds))
        print(".", end="", file=sys.stderr, flush=True)
    return rows


def _peer(queries: data.QuerySet, peer: peers.Narrow, exact: np.ndarray, seconds: float) -> dict[str, Any]:
    answer = peer.make(queries.kind, 0.0, 1e-6)
    order = np.random.default_rng(3).permutation(len(queries.q))
    answers: list[tuple[bool, float]] = []
    failed = 0

    def ask(q: np.ndarray) -> None:
        nonlocal failed
        try:
            answers.append(answer(q))
        except (MemoryError, RuntimeError):  # no answer, which a simulator must take for a contact at once
            failed += 1
            answers.append((True, 0.0))

    times = clock.each(ask, queries.q[order].reshape(-1, 8, 3), seconds)
    done = order[: len(answers)]
    hit, toi = np.array([a[0] for a in answers]), np.array([a[1] for a in answers])
    row = _row(queries, peer.name, exact[done], hit, toi)
    return row | {"undecided": failed, "us": 1e6 * max(float(np.mean(times)) - peer.overhead(queries.kind, 0.0, 1e-6), 0)}


def _row(queries: data.QuerySet, method: str, exact: np.ndarray, hit: np.ndarray, toi: np.ndarray) -> dict[str, Any]:
    """The exact toi_lo is the largest double not above the true time: a later double is late."""
    contact = exact["verdict"] == ccd.Verdict.CONTACT
    both = contact & hit
    early = exact["toi_lo"][both] - toi[both]
    late = ~(early >= 0)  # a time that is NaN is no safe step either
    return {
        "set": queries.name, "kind": queries.kind, "method": method, "queries": len(exact), "contacts": int(contact.sum()),
        "missed": int((contact & ~hit).sum()), "late": int(late.sum()), "latest": float(-np.nanmin(early, initial=0.0)),
        "false": int((hit & ~contact).sum()), "zero": int((both & (toi <= 0) & (exact["toi_lo"] > 0)).sum()),
        "early": float(np.median(early[~late])) if (~late).any() else 0.0, "undecided": 0,
    }  # fmt: skip
