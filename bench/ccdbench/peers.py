"""The field's libraries, each behind one small face. One that is not installed is left out, and the report says so.

A narrow-phase peer answers one query from Python. What the call itself costs is measured on queries that end in the peer's
first test, and taken off its times: this favors the peer by that test.
"""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ccd
import numpy as np

from .data import Scene

try:
    import ipctk
except ImportError:
    ipctk = None

# The 2021 paper's budget, and ours: beyond it a query ends with what is known.
MAX_BOXES = 1_000_000

Answer = Callable[[np.ndarray], tuple[bool, float]]


@dataclass(frozen=True)
class Narrow:
    """A narrow-phase method; make(kind, d, tolerance) gives a function of one (8, 3) query: whether it hits, and when."""

    name: str
    make: Callable[[str, float, float], Answer]
    graded_only: bool = False
    near_only: bool = False  # single queries far from the origin do not come back, and no clock can stop them

    def overhead(self, kind: str, d: float, tolerance: float) -> float:
        """Seconds of a call whose answer is plain."""
        answer = self.make(kind, d, tolerance)
        far = np.zeros((8, 3))
        far[1:4] = far[5:8] = [[100, 0, 0], [101, 0, 0], [100, 1, 0]]
        if kind == "edge-edge":
            far[1] = far[5] = [0, 1, 0]
        times = []
        for _ in range(500):
            start = time.thread_time()
            answer(far)
            times.append(time.thread_time() - start)
        return statistics.median(times)


KNOWN = {  # queries of contact at t = 1/2, at the speed 2
    "vertex-face": [[0.25, 0.25, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, -1], [0, 0, 0], [1, 0, 0], [0, 1, 0]],
    "edge-edge": [[-1, 0, 1], [1, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, -1], [1, 0, -1], [0, -1, 0], [0, 1, 0]],
}


def check_narrow(peer: Narrow) -> None:
    """End the bench where a method does not answer known queries as it must: its times would be those of something else.

    The contact is reported within what a method leaves of the gap: a tenth at most, of AdditiveCCD; a pair that passes is none.
    """
    for kind, rows in KNOWN.items():
        answer, q = peer.make(kind, 0.0, 1e-6), np.array(rows, dtype=float)
        hit, toi = answer(q)
        aside = q + np.array([[10.0, 0, 0]]) * np.isin(np.arange(8), (0, 4) if kind == "vertex-face" else (0, 1, 4, 5))[:, None]
        passes, _ = answer(aside)
        if not hit or passes or not 0.44 <= toi <= 0.5:
            raise SystemExit(
                f"{peer.name}: {kind} at t = 1/2 is ({hit}, {toi}), a pair that passes {passes}: the wrong function"
            )


@functools.cache
def check_steps() -> None:
    """The same for ipctk on a step whose first contact is at t = 1/2: candidates of both broad phases, and the step size."""
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 2], [0.2, 0.3, 2]], dtype=float)
    x1 = x0 - [0, 0, 2] * (np.arange(6)[:, None] >= 3)
    faces = np.array([[0, 1, 2], [3, 4, 5]], np.int32)
    edges = ipctk.edges(faces)
    steps = Steps(Scene("known", x0, x1, edges, faces, ccd.Mesh(faces=faces, vertices=6)))
    counts, alpha = (len(steps.candidates()), len(steps.swept())), steps.step_size()
    if counts[0] != counts[1] or counts[0] == 0 or not 0.499 <= alpha <= 0.5:
        raise SystemExit(f"ipctk: a contact at t = 1/2 has {counts} candidates and the step size {alpha}: the wrong functions")


def narrow() -> list[Narrow]:
    """The methods, each with its answers to known queries checked."""
    found = _narrow()
    for peer in found:
        check_narrow(peer)
    return found


def _narrow() -> list[Narrow]:
    if ipctk is None:
        return []
    name = {"vertex-face": "point_triangle_ccd", "edge-edge": "edge_edge_ccd"}

    def tight(kind: str, d: float, tolerance: float) -> Answer:
        call = getattr(ipctk.tight_inclusion, name[kind])
        return lambda q: call(*q, d, 1.0, tolerance, MAX_BOXES)[:2]

    def tight_class(kind: str, d: float, tolerance: float) -> Answer:
        call = getattr(ipctk.TightInclusionCCD(tolerance, MAX_BOXES), name[kind])
        return lambda q: call(*q, d, 1.0)

    def additive(kind: str, d: float, tolerance: float) -> Answer:
        call = getattr(ipctk.AdditiveCCD(MAX_BOXES), name[kind])
        return lambda q: call(*q, d, 1.0)

    return [
        Narrow("ipctk Tight Inclusion", tight),
        Narrow("ipctk TightInclusionCCD", tight_class, graded_only=True, near_only=True),
        Narrow("ipctk AdditiveCCD", additive),
    ]


class Steps:
    """ipctk on a whole scene: LBVH, and the collision-free step size over it."""

    def __init__(self, scene: Scene) -> None:
        self.x0, self.x1 = np.asfortranarray(scene.x0), np.asfortranarray(scene.x1)
        self.edges, self.faces = np.asfortranarray(scene.edges), np.asfortranarray(scene.faces)
        self.mesh = ipctk.CollisionMesh(self.x0, self.edges, self.faces)

    def candidates(self) -> Any:
        """All candidates, kept in C++: a copy into Python lists is no part of the time."""
        found = ipctk.Candidates()
        found.build(self.mesh, self.x0, self.x1, 0.0, ipctk.LBVH())
        return found

    def swept(self) -> Any:
        """The candidates of Scalable CCD's sort and sweep, which is ipctk's SweepAndPrune."""
        found = ipctk.Candidates()
        found.build(self.mesh, self.x0, self.x1, 0.0, ipctk.SweepAndPrune())
        return found

    def step_size(self) -> float:
        ccd = ipctk.TightInclusionCCD(1e-6, MAX_BOXES, 1.0)
        return ipctk.compute_collision_free_stepsize(self.mesh, self.x0, self.x1, 0.0, ipctk.LBVH(), ccd)


def steps(scene: Scene) -> Steps:
    """ipctk on a scene, after it has answered a step that is known."""
    check_steps()
    return Steps(scene)


def set_threads(threads: int) -> None:
    if ipctk is not None:
        ipctk.set_num_threads(threads)
