"""What the examples have in common: each steps a simulator, a Recorder audits each step, and what happened is printed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import ccd


def grid(n: int) -> np.ndarray:
    """The triangles of a sheet of n x n vertices, row by row."""
    i = np.arange(n * n).reshape(n, n)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]], -1).reshape(-1, 4)
    return np.vstack([quads[:, [0, 1, 2]], quads[:, [2, 1, 3]]])


def audit(recorder: ccd.audit.Recorder, frames: Iterable[np.ndarray]) -> list[str]:
    """Append frames as the simulator makes them; print and return the verdict of each step."""
    found = []
    for frame in frames:
        step = recorder.append(frame)
        if step is None:
            continue
        found.append(str(step.verdict))
        event = step.events[0] if step.events else None
        print(f"step {step.number}: {step.verdict}" + (f", {event.a} and {event.b} at t = {event.time:.3f}" if event else ""))
    recorder.close()
    return found
