"""What a page holds, as its scripts read it: in the page's unit, arrays as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner.errors import shown
from ..errors import ArgumentError
from . import _add_fields
from ._state import State
from ._unit import Unit, pack


def contents(state: State) -> dict[str, Any]:
    """The data of a state."""
    reach = [part.reach(np.linspace(state.t_min, state.t_max, 17).tolist()) for part in state.parts]
    unit = Unit(np.vstack(reach) if reach else np.empty((0, 3)))
    ranges = _add_fields.ranges(state)
    if state.color_by is not None and state.color_by not in ranges:
        known = ", ".join(map(repr, ranges)) or "none"
        raise ArgumentError(f"color_by is {shown(state.color_by)}: the fields of this page are {known}")
    ordered = sorted(state.impacts, key=lambda pair: pair["step"])  # stable: of one step they come by time
    return {
        "title": state.title, "facts": state.facts, "verdict": state.verdict, "t_min": state.t_min, "t_max": state.t_max,
        "steps": state.steps, "edges": state.edges, "frame_names": state.frame_names, "up": _up(state),
        "origin": unit.origin.tolist(), "scale": 1 / unit.scale, "parts": [unit.part(part, ranges) for part in state.parts],
        "fields": ranges, "color_by": state.color_by, "marks": _marks(state, unit),
        "impacts": [_impact(state, unit, pair) for pair in ordered], "near": state.near, "met": state.met,
        "near_found": state.near_found, "near_means": state.near_means, "quota": state.quota(),
    }  # fmt: skip


def _impact(state: State, unit: Unit, pair: dict[str, Any]) -> dict[str, Any]:
    part, x0, x1 = pair["mark"]
    ends = [unit.of(state.parts[part], x).tolist() for x in (x0, x1)]
    return pair | {"point": unit.of(None, pair["point"]).tolist(), "mark": {"part": part, "x0": ends[0], "x1": ends[1]}}


def _marks(state: State, unit: Unit) -> list[dict[str, Any]]:
    """Those of a part together, step by step: each step's are [step, first, count]. Times are fractions of their step."""
    held = []
    for part in sorted({marks.part for marks in state.marks}):
        of_part = sorted((marks for marks in state.marks if marks.part == part), key=lambda marks: marks.step)
        counts = [len(marks.times) for marks in of_part]
        steps = np.repeat([marks.step for marks in of_part], counts)
        times = (np.concatenate([marks.times for marks in of_part]) - state.t_min) / (state.t_max - state.t_min or 1.0)
        starts = np.cumsum([0, *counts]).tolist()
        held.append({
            "part": part,
            "x0": pack(unit.of(state.parts[part], np.concatenate([marks.x0 for marks in of_part]))),
            "x1": pack(unit.of(state.parts[part], np.concatenate([marks.x1 for marks in of_part]))),
            "times": pack(times * state.steps - steps),
            "normals": pack(np.concatenate([marks.normals for marks in of_part])),
            "objects": pack(np.concatenate([marks.objects for marks in of_part]), np.uint32),
            "steps": [[marks.step, first, count] for marks, first, count in zip(of_part, starts, counts)],
        })  # fmt: skip
    return held


def _up(state: State) -> int:
    if state.up is not None:
        return "xyz".index(state.up)
    moves: Sequence[NDArray[np.float64]] = [
        *((p.frames[-1] - p.frames[0]).mean(0) for p in state.parts if p.motion is None and len(p.frames[0])),
        *(np.array(p.motion.velocity, float) for p in state.parts if p.motion is not None),
    ]
    way = sum(moves, np.zeros(3))
    down = int(np.argmin(way))
    return down if -way[down] > 0.8 * np.linalg.norm(way) > 0 else 2
