"""The steps that a mesh may take, by ipctk's rule, without a list of candidates: what comes near is found on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import step
from ..impact import Kind
from . import _threads
from ._narrow import NarrowPhaseCCD
from ._topology import Topology

_Points = NDArray[np.float64]


@dataclass(frozen=True)
class Built:
    """What a list of candidates was built from: pairs whose boxes, swept from x0 to x1 and inflated by a radius, overlap."""

    x0: _Points
    x1: _Points
    radius: float

    def has(self, kind: Kind, topology: Topology, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of these pairs are in the list. One whose boxes are a rounding too far apart may be among them."""
        first, second = topology.corners[kind]
        low, high = np.minimum(self.x0, self.x1), np.maximum(self.x0, self.x1)
        ends = [(low[at].min(axis=1), high[at].max(axis=1)) for at in (first[a], second[b])]
        apart = np.maximum(ends[1][0] - ends[0][1], ends[0][0] - ends[1][1])
        overlap: NDArray[np.bool_] = (apart <= np.nextafter(2 * self.radius, np.inf)).all(axis=1)
        return overlap


def near(
    topology: Topology, x0: _Points, x1: _Points, separation: float, t_max: float, built: Built | None
) -> dict[Kind, tuple[NDArray[Any], NDArray[np.int64]]]:
    """The impacts at a separation of pairs that may collide, and of a list's if there is one, with the pairs."""
    options: Any = {"min_separation": separation, "norm": "max", "t_max": t_max, "threads": _threads.option()}
    found = step.collisions(topology.mesh, x0, x1, **options)
    sorted_out = {}
    for kind in Kind:
        of = found[found["kind"] == kind]
        if built is not None:
            of = of[built.has(kind, topology, of["a"], of["b"])]
        of = of[topology.allows(kind, of["a"], of["b"])]
        if len(of):
            sorted_out[kind] = of, np.stack([of["a"], of["b"]], axis=1)
    return sorted_out


def _queries(topology: Topology, x0: _Points, x1: _Points, *where: Any) -> dict[Kind, _Points]:
    queries = {}
    for kind, (_, pairs) in near(topology, x0, x1, *where).items():
        first, second = topology.corners[kind]
        at = np.hstack([first[pairs[:, 0]], second[pairs[:, 1]]])
        queries[kind] = np.concatenate([x0[at], x1[at]], axis=1)
    return queries


def moved(x0: _Points, x1: _Points) -> float:
    """How much two points can approach along an axis in the step."""
    return 2 * float(np.abs(x1 - x0).max(initial=0.0))


def serves(solver: NarrowPhaseCCD, min_distance: float) -> bool:
    """Whether there is a separation beyond which nothing is a hit."""
    return solver._bound(min_distance, 1.0) < np.inf


def size(
    topology: Topology, x0: _Points, x1: _Points, min_distance: float, solver: NarrowPhaseCCD, built: Built | None = None
) -> float:
    """The largest step in [0, 1] that the rule of the narrow phase allows.

    No pair keeps less than min_distance, so none of these steps is longer than the one that min_distance allows: only what
    comes near until then is looked at. What is returned is never longer than the time t up to which that was done: for t < 1
    an answer beyond t (where the max norm stops a pair that the rule lets go on) has the look repeated, up to that answer.
    """
    if topology.known:
        t = step.size(topology.mesh, x0, x1, min_separation=min_distance, norm="max", threads=_threads.option())
    else:
        hits = near(topology, x0, x1, min_distance, 1.0, built)
        t = min((float(impacts["toi_lo"].min()) for impacts, _ in hits.values()), default=1.0)
    most = moved(x0, x1)
    while True:
        t = max(t, float(np.finfo(float).tiny))
        found = _queries(topology, x0, x1, solver._bound(min_distance, most * t), t, built)
        best = solver._first(found, min_distance, t)
        if best <= t or t >= 1:
            return min(best, 1.0)
        t = min(best, 1.0, max(8 * t, 1e-3)) if best == np.inf else min(best, 1.0)


def free(
    topology: Topology, x0: _Points, x1: _Points, min_distance: float, solver: NarrowPhaseCCD, built: Built | None = None
) -> bool:
    """Whether the rule of the narrow phase allows the whole step."""
    at_once = topology.known and built is None and min_distance == 0
    if at_once and not step.earliest(topology.mesh, x0, x1, threads=_threads.option()).separate:
        return False
    bound = solver._bound(min_distance, moved(x0, x1))
    return not solver._any(_queries(topology, x0, x1, bound, 1.0, built), min_distance)
