"""A report as it is kept in a file between two runs, and read back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from .._inner import files
from ..errors import ArgumentError, FileError
from ._memory import Memory
from ._results import Event, Frame, Report, StepResult, Verdict

_FORMAT = "ccd audit 3"
_DISTANCES = ("distance_lo", "distance_hi")


@dataclass
class Saved:
    """What a file holds of an earlier run."""

    report: Report
    carried: dict[tuple[int, int, int], int]  # sides of pairs in contact in the last frame
    begin: int  # number of the first frame of the stretch
    counts: tuple[int, int, int]  # vertices, edges, faces of the stretch
    digests: list[str]  # Each frame has one, of what it was read from.
    memory: Memory


def save(path: str, settings: dict[str, Any], known: Saved) -> None:
    """Write what is known."""
    report = known.report
    held = {
        "format": _FORMAT, "settings": settings, "begin": known.begin, "counts": known.counts, "digests": known.digests,
        "carried": [[*key, side] for key, side in known.carried.items()], "memory": vars(known.memory),
        "report": report.as_dict(),
        "infinite": [[one.number, name] for one in report.frames for name in _DISTANCES if getattr(one, name) == math.inf],
        "vertices": [[list(event.vertices) for event in step.events] for step in report.steps],
    }  # fmt: skip
    files.whole(path, json.dumps(held, allow_nan=False).encode())


def load(path: str, settings: dict[str, Any]) -> Saved:
    """What a file holds, if it is of the same options."""
    held = files.load(path)
    if not isinstance(held, dict) or held.get("format") != _FORMAT:
        raise FileError(f"{path} is no audit to resume, or one of another version: give another name, or delete it")
    if held.get("settings") != settings:
        other = [name for name, value in settings.items() if (held.get("settings") or {}).get(name) != value]
        raise ArgumentError(f"{path} is of another audit: {', '.join(other) or 'its settings'} differ; delete it to begin anew")
    with files.reading(path):
        report = held["report"]
        found = Report(complete=bool(report["complete"]), notes=list(report["notes"]))
        for number, name in held["infinite"]:
            report["frames"][number][name] = math.inf
        found.frames = [_frame(one) for one in report["frames"]]
        found.steps = [_step(one, corners) for one, corners in zip(report["steps"], held["vertices"])]
        carried = {(k, a, b): side for k, a, b, side in held["carried"]}
        vertices, edges, faces = held["counts"]
        begin, memory = int(held["begin"]), Memory.of(held["memory"], len(found.frames))
        if not 0 <= begin <= max(0, len(found.frames) - 1):
            raise ValueError(f"begin is {begin}, and it has {len(found.frames)} frames")
        digests = [str(digest) for digest in held["digests"]]
        return Saved(found, carried, begin, (vertices, edges, faces), digests, memory)


def _frame(one: dict[str, Any]) -> Frame:
    return Frame(**one | {"objects": {(a, b): n for a, b, n in one["objects"]}})


def _step(one: dict[str, Any], corners: list[list[int]]) -> StepResult:
    events = tuple(
        Event(
            **e | {"verdict": Verdict(e["verdict"]), "pair": tuple(e["pair"]), "point": tuple(e["point"]), "vertices": tuple(v)}
        )
        for e, v in zip(one["events"], corners)
    )
    found = {Verdict(name): count for name, count in one["found"].items()}
    return StepResult(**one | {"verdict": Verdict(one["verdict"]), "events": events, "found": found})
