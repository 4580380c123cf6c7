"""What a page holds, as its scripts read it: in the page's unit, arrays as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._unit import Unit, pack

if TYPE_CHECKING:
    from ._page import Page


@dataclass(eq=False)
class Marks:
    """Where impacts of one step touch: points of a part, at both ends of the step, and their times on the time line."""

    part: int
    step: int
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    times: NDArray[np.float64]
    normals: NDArray[np.float64]
    objects: NDArray[np.uint32]  # of both sides, (n, 2), numbered through all parts


def contents(page: Page) -> dict[str, Any]:
    """The data of a page."""
    reach = [part.reach(np.linspace(page.t_min, page.t_max, 17).tolist()) for part in page._parts]
    unit = Unit(np.vstack(reach) if reach else np.empty((0, 3)))
    ordered = sorted(page.impacts, key=lambda pair: pair["step"])  # stable: of one step they come by time
    return {
        "title": page.title, "facts": page.facts, "verdict": page.verdict, "t_min": page.t_min, "t_max": page.t_max,
        "steps": page.steps, "edges": page._edges, "frame_names": page.frame_names, "up": _up(page),
        "origin": unit.origin.tolist(), "scale": 1 / unit.scale, "parts": [unit.part(part) for part in page._parts],
        "marks": _marks(page, unit),
        "impacts": [_impact(page, unit, pair) for pair in ordered], "near": page.near, "met": page.met,
        "near_found": page.near_found, "near_means": page.near_means, "quota": page._quota(),
    }  # fmt: skip


def _impact(page: Page, unit: Unit, pair: dict[str, Any]) -> dict[str, Any]:
    part, x0, x1 = pair["mark"]
    ends = [unit.of(page._parts[part], x).tolist() for x in (x0, x1)]
    return pair | {"point": unit.of(None, pair["point"]).tolist(), "mark": {"part": part, "x0": ends[0], "x1": ends[1]}}


def _marks(page: Page, unit: Unit) -> list[dict[str, Any]]:
    """Those of a part together, step by step: each step's are [step, first, count]. Times are fractions of their step."""
    held = []
    for part in sorted({marks.part for marks in page._marks}):
        of_part = sorted((marks for marks in page._marks if marks.part == part), key=lambda marks: marks.step)
        counts = [len(marks.times) for marks in of_part]
        steps = np.repeat([marks.step for marks in of_part], counts)
        times = (np.concatenate([marks.times for marks in of_part]) - page.t_min) / (page.t_max - page.t_min or 1.0)
        starts = np.cumsum([0, *counts]).tolist()
        held.append({
            "part": part,
            "x0": pack(unit.of(page._parts[part], np.concatenate([marks.x0 for marks in of_part]))),
            "x1": pack(unit.of(page._parts[part], np.concatenate([marks.x1 for marks in of_part]))),
            "times": pack(times * page.steps - steps),
            "normals": pack(np.concatenate([marks.normals for marks in of_part])),
            "objects": pack(np.concatenate([marks.objects for marks in of_part]), np.uint32),
            "steps": [[marks.step, first, count] for marks, first, count in zip(of_part, starts, counts)],
        })  # fmt: skip
    return held


def _up(page: Page) -> int:
    if page.up is not None:
        return "xyz".index(page.up)
    moves: Sequence[NDArray[np.float64]] = [
        *((p.frames[-1] - p.frames[0]).mean(0) for p in page._parts if p.motion is None and len(p.frames[0])),
        *(np.array(p.motion.velocity, float) for p in page._parts if p.motion is not None),
    ]
    way = sum(moves, np.zeros(3))
    down = int(np.argmin(way))
    return down if -way[down] > 0.8 * np.linalg.norm(way) > 0 else 2
