"""One step: what its pairs did, in events with a verdict each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import proximity, step
from .._inner.records import kind_of
from ..impact import EDGE_FACE, Kind, interval_dtype
from . import _events
from ._results import Event, Frame, StepResult, Verdict
from ._scene import Scene
from ._sides import crossing

MOST_EVENTS = 64  # events that a step lists
_MOST_WHOLE = 8  # events with the vertices of all their pairs: others have those of the first
_MOST_VERTICES = 64
_NONE = np.empty((0, 2), np.int64)


@dataclass
class Found:
    """What calls of the library find for a step, without the steps before it."""

    separate: bool  # no contact, without separation and radii
    near: NDArray[np.void] | None  # impacts within separation and radii; None: proven that there is no such impact
    intervals: NDArray[np.void] | None = None
    crossing: NDArray[np.int64] | None = None  # in the later frame; None: the pairs of the earlier one
    touching: int = 0
    distance: tuple[float, float] | None = None


@dataclass
class Before:
    """What the steps before a frame leave: crossings of the frame, and sides of pairs in contact there."""

    crossing: NDArray[np.int64] = field(default_factory=lambda: _NONE)
    carried: dict[tuple[int, int, int], int] = field(default_factory=dict)


def at_frame(scene: Scene, x: NDArray[np.float64], threads: int) -> tuple[NDArray[np.int64], int, NDArray[np.int64]]:
    """The edges and faces that cross in a frame, the number of other pairs that share a point, and vertices in faces."""
    found = scene.kept(proximity.intersections(scene.bare, x, threads=threads))
    crossed, touching, resting = crossing(found, x, scene.edges, scene.faces)
    return crossed, len(touching) + int((found["kind"] != EDGE_FACE).sum()), resting


def first_frame(scene: Scene, x: NDArray[np.float64], threads: int) -> tuple[Before, int]:
    """What is known before the first step, and the number of pairs that touch.

    A vertex that lies in a face came from where all of its edges are.
    """
    crossed, touching, resting = at_frame(scene, x, threads)
    return Before(crossed, {(int(Kind.VERTEX_FACE), v, f): side for v, f, side in resting.tolist()}), touching


def distance(scene: Scene, x: NDArray[np.float64], threads: int) -> tuple[float, float] | None:
    """The bracket of the least distance in a frame; None where pairs of objects are skipped."""
    if not scene.distances:
        return None
    nearest = proximity.distance(scene.thick, x, threads=threads)
    return nearest.distance_lo, nearest.distance_hi


def compute(scene: Scene, x0: NDArray[np.float64], x1: NDArray[np.float64], threads: int, distances: bool) -> Found:
    """The calls of the library for a step."""
    options: dict[str, Any] = {"threads": threads, "max_iterations": 0, "method": "exact"}
    near = None
    if scene.separation or scene.thick is not scene.bare:
        if not step.earliest(scene.thick, x0, x1, min_separation=scene.separation, **options).separate:
            near = scene.kept(step.collisions(scene.thick, x0, x1, min_separation=scene.separation, **options))
        separate = near is None or step.earliest(scene.bare, x0, x1, **options).separate
    else:
        separate = step.earliest(scene.bare, x0, x1, **options).separate
    found = Found(separate, near)
    if not separate:
        found.intervals = scene.kept(step.intervals(scene.bare, x0, x1, **options))
    if not separate or not scene.carries:
        found.crossing, found.touching, _ = at_frame(scene, x1, threads)
    if distances:
        found.distance = distance(scene, x1, threads)
    return found


def frame(
    scene: Scene, number: int, name: str, time: float | None, crossed: NDArray[np.int64], touching: int,
    bracket: tuple[float, float] | None,
) -> Frame:  # fmt: skip
    """A frame as it is reported."""
    objects = scene.objects_of(EDGE_FACE, crossed[:, 0], crossed[:, 1])
    counts = Counter((scene.names[a], scene.names[b]) for a, b in objects.tolist())
    lo, hi = bracket or (None, None)
    return Frame(number, name, len(crossed), touching, lo, hi, dict(counts.most_common(256)), time)


def judge(
    scene: Scene, at: int, x0: NDArray[np.float64], x1: NDArray[np.float64], found: Found, before: Before, note: str = ""
) -> tuple[StepResult, Before]:
    """The verdict on a step, and what it leaves to the next."""
    events: list[Event] = []
    counts: Counter[Verdict] = Counter()
    pairs, first = 0, None
    after = Before(before.crossing if found.crossing is None else found.crossing)
    changed = len(before.crossing) != len(after.crossing) or not np.array_equal(before.crossing, after.crossing)
    if found.intervals is not None or changed:
        intervals = np.empty(0, interval_dtype) if found.intervals is None else found.intervals
        pairs, first = _contacts(scene, x0, x1, intervals, before, after, events, counts)
    elif len(before.crossing):
        _standing(scene, x0, before.crossing, events, counts)
    if found.near is not None and len(found.near):
        pairs = max(pairs, len(found.near))
        first = float(found.near["toi_lo"].min())
        if found.separate:
            _near(scene, found.near, events, counts)
    events.sort(key=lambda event: (event.verdict, event.time))
    verdict = min(counts, default=Verdict.SEPARATE)
    listed = dict(sorted(counts.items()))
    return StepResult(at, verdict, tuple(events[:MOST_EVENTS]), listed, first, pairs, note), after


def _contacts(
    scene: Scene, x0: NDArray[np.float64], x1: NDArray[np.float64], intervals: NDArray[np.void], before: Before, after: Before,
    events: list[Event], counts: Counter[Verdict],
) -> tuple[int, float | None]:  # fmt: skip
    """Add the events of contacts; returns the number of pairs and the time of the first."""
    found, incidence = _events.pairs_of(intervals, before.carried), scene.incidence
    after.carried = found.carried
    held, size = found.records, len(found.records)
    owners, keys = incidence.crossings(held)
    both = [incidence.key(pairs) for pairs in (before.crossing, after.crossing)]
    n = size + len(both[0]) + len(both[1])
    group = _events.together(n, np.r_[owners, size:n], np.r_[keys, both[0], both[1]])
    most = int(group.max()) + 1 if n else 0
    state = np.full(most, -1)
    np.maximum.at(state, group[:size], found.state)
    contacts = np.bincount(group[:size], minlength=most)
    starts = np.bincount(group[size : size + len(both[0])], minlength=most)
    ends = np.bincount(group[size + len(both[0]) :], minlength=most)
    verdicts = np.select(
        [(starts > 0) & (ends > 0), ends > 0, starts > 0, state == _events.PASSED, state == _events.RETURNED,
         state == _events.FLAT],
        [Verdict.CROSSING, Verdict.ENTERED, Verdict.LEFT, Verdict.PASSED_THROUGH, Verdict.RETURNED, Verdict.UNDECIDED],
        Verdict.TOUCHED,
    )  # fmt: skip
    leader = np.full(most, n)
    np.minimum.at(leader, group, np.arange(n))
    still = (contacts == 0) & (verdicts == Verdict.CROSSING)
    counts.update({Verdict(int(v)): int(c) for v, c in zip(*np.unique(verdicts[~still], return_counts=True))})
    time = np.where(leader < size, np.r_[held["enter"], np.zeros(1)][np.minimum(leader, size)], 0.0)
    order = np.lexsort([time, verdicts])
    order = order[~still[order]][:MOST_EVENTS]
    members = np.argsort(group[:size], kind="stable")
    begin = np.searchsorted(group[:size][members], np.arange(most + 1))
    pair_of_crossing = np.vstack([before.crossing, after.crossing])
    for rank, g in enumerate(order.tolist()):
        mine = members[begin[g] : begin[g + 1]]
        lead = int(leader[g])
        if lead < size:
            kind, pair = kind_of(held["kind"][lead]), (int(held["a"][lead]), int(held["b"][lead]))
            point = _point(scene, x0, x1, kind, pair, float(held["enter"][lead]))
            corners = [
                scene.vertices_of(kind_of(k), a, b)
                for k, a, b in held[mine[: _MOST_VERTICES if rank < _MOST_WHOLE else 1]][["kind", "a", "b"]].tolist()
            ]
        else:
            e, f = pair_of_crossing[lead - size].tolist()
            kind, pair, corners = EDGE_FACE, (e, f), [scene.vertices_of(EDGE_FACE, e, f)]
            point = tuple(x0[scene.edges[e]].mean(0).tolist())
        a, b = scene.objects_of(kind, np.array([pair[0]]), np.array([pair[1]]))[0].tolist()
        vertices = tuple(dict.fromkeys(v for corner in corners for v in corner))[:_MOST_VERTICES]
        events.append(
            Event(
                Verdict(int(verdicts[g])),
                scene.names[a],
                scene.names[b],
                float(time[g]),
                str(kind),
                pair,
                point,
                int(contacts[g]),
                int(starts[g]),
                int(ends[g]),
                vertices,
            )
        )
    if still.any():
        _standing(scene, x0, pair_of_crossing[leader[still] - size], events, counts)
    return size, float(held["enter"][0]) if size else None


def _standing(
    scene: Scene, x: NDArray[np.float64], crossed: NDArray[np.int64], events: list[Event], counts: Counter[Verdict]
) -> None:
    """Add an event for each pair of objects that cross in both frames where nothing else touches."""
    objects = scene.objects_of(EDGE_FACE, crossed[:, 0], crossed[:, 1])
    pairs, first, count = np.unique(objects, axis=0, return_index=True, return_counts=True)
    counts[Verdict.CROSSING] += len(pairs)
    for (a, b), row, number in list(zip(pairs.tolist(), first.tolist(), count.tolist()))[:MOST_EVENTS]:
        e, f = crossed[row].tolist()
        names, corners = (scene.names[a], scene.names[b]), scene.vertices_of(EDGE_FACE, e, f)
        point = tuple(x[scene.edges[e]].mean(0).tolist())
        events.append(Event(Verdict.CROSSING, *names, 0.0, str(EDGE_FACE), (e, f), point, 0, number, number, corners))


def _near(scene: Scene, near: NDArray[np.void], events: list[Event], counts: Counter[Verdict]) -> None:
    """Add an event for each pair of objects that come within separation and radii, and do not touch."""
    objects = np.empty((len(near), 2), np.int64)
    for kind in np.unique(near["kind"]):
        rows = near["kind"] == kind
        objects[rows] = scene.objects_of(kind_of(kind), near["a"][rows], near["b"][rows])
    _, first, count = np.unique(objects, axis=0, return_index=True, return_counts=True)
    counts[Verdict.NEAR] = len(first)
    for row, number in zip(first.tolist()[:MOST_EVENTS], count.tolist()):
        one = near[row]  # the first in time: impacts are sorted by it
        kind, pair = kind_of(one["kind"]), (int(one["a"]), int(one["b"]))
        a, b = objects[row].tolist()
        point, corners = tuple(one["point"].tolist()), scene.vertices_of(kind, *pair)
        names = scene.names[a], scene.names[b]
        events.append(Event(Verdict.NEAR, *names, float(one["toi_lo"]), str(kind), pair, point, number, 0, 0, corners))


def _point(
    scene: Scene, x0: NDArray[np.float64], x1: NDArray[np.float64], kind: Any, pair: tuple[int, int], time: float
) -> tuple[float, ...]:
    """Where a pair first touches."""
    found = step.pairs(scene.bare, x0, x1, kind, [pair], method="exact", max_iterations=0)
    return tuple(found["point"][0].tolist())


def unproven(at: int, note: str) -> StepResult:
    """A step of which nothing is proven."""
    return StepResult(at, Verdict.NOT_PROVEN, (), {Verdict.NOT_PROVEN: 1}, None, 0, note)
