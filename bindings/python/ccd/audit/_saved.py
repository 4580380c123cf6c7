"""A report as it is kept in a file between two runs, and read back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .._inner import files
from ..errors import ArgumentError, FileError
from ._results import Event, Frame, Report, StepResult, Verdict

_FORMAT = "ccd audit 2"


def save(
    path: str, report: Report, settings: dict[str, Any], carried: dict[tuple[int, int, int], int], begin: int,
    digests: list[str], deviation: float,
) -> None:  # fmt: skip
    """Write what is known: `begin` is the first frame of the stretch, `carried` the sides of pairs in contact at the end.

    `digests` are of what the frames were read from, one each; `deviation` is the largest of their curved faces.
    """
    held = {
        "format": _FORMAT, "settings": settings, "begin": begin, "carried": [[*key, side] for key, side in carried.items()],
        "digests": digests[: len(report.frames)], "deviation": deviation, "report": report.as_dict(),
        "vertices": [[list(event.vertices) for event in step.events] for step in report.steps],
    }  # fmt: skip
    files.whole(path, json.dumps(held, allow_nan=False).encode())


@dataclass
class Saved:
    """What a file holds of an earlier run."""

    report: Report
    carried: dict[tuple[int, int, int], int]
    begin: int
    digests: list[str]
    deviation: float


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
        found.frames = [_frame(one) for one in report["frames"]]
        found.steps = [_step(one, corners) for one, corners in zip(report["steps"], held["vertices"])]
        carried = {(k, a, b): side for k, a, b, side in held["carried"]}
        return Saved(found, carried, int(held["begin"]), [str(digest) for digest in held["digests"]], float(held["deviation"]))


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
