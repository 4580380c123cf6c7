"""The command `ccd audit`: what crosses in the frames of a sequence, and what every step between two let pass."""

from __future__ import annotations

import argparse
import csv
import errno
import io
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._io import write
from ..audit import Event, Frame, Report, StepResult, Verdict, _cut, _files, _page
from ..audit._files import Audited, Settings
from ..audit._read import Meaning
from ..audit._scene import Scene
from ..errors import ArgumentError, from_os
from . import models, output, remarks
from .exit_codes import CANCELLED, FOUND, FOUND_NOTHING

_MOST_FILES = 100  # events that are written as files
_MOST_ROWS = 200  # of the table, without --all


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd audit`."""
    parser.description = (
        "Audit recorded frames of a simulation: what crosses in each, and what every step between two let pass, with proof."
        " SEQUENCE is a file for each frame, in order, or a quoted pattern such as 'out/*.vtu'; one file that lists frames"
        " (PVD, .series); arrays of all frames (.npy with --mesh, .npz, HDF5, Zarr, VTKHDF); or a film (glTF, USD, Alembic,"
        " PC2, MDD). Exit with 1 unless every step"
        " is separate and nothing crosses in a frame."
    )
    parser.add_argument("sequence", metavar="SEQUENCE", nargs="+", help="files of frames, a quoted pattern, or one file of all")
    meaning = parser.add_argument_group("what the numbers in the files are")
    meaning.add_argument(
        "--displacement", metavar="NAME", help="add these point data to the points: of files that hold rest positions"
    )
    text = "join points that are copies of each other in the first frame: of files with points for each element"
    meaning.add_argument("--weld", action="store_true", help=text)
    text = "what points of files with vector data are; rest needs --displacement"
    meaning.add_argument("--points-are", choices=("positions", "rest"), help=text)
    meaning.add_argument(
        "--mesh", metavar="FILE", help="a file with the faces, for positions in .npy, PC2 or MDD; the deck of an OP2"
    )
    meaning.add_argument("--animation", metavar="NAME", help="the animation of a glTF that has several; * is all at once")
    text = (
        "the frames of another object at the same times, a quoted pattern, or one file of what stands still; may be repeated."
        " Objects have the names of their files; --radii has the vertices in the order in which they are given"
    )
    meaning.add_argument("--beside", action="append", default=[], metavar="FILES", help=text)
    counted = parser.add_argument_group("what counts")
    counted.add_argument("--min-separation", type=float, default=0.0, metavar="D", help="pairs within D are near (0)")
    one = counted.add_mutually_exclusive_group()
    one.add_argument(
        "--radius", type=float, metavar="R", help="radius of every vertex, added to the separation of its pairs (0)"
    )
    one.add_argument("--radii", metavar="FILE", help="a radius for each vertex: .npy, or text with a number a line")
    text = "add the rounding of files in single precision to the radii"
    counted.add_argument("--rounding", action="store_true", help=text)
    text = "two objects whose pairs do not count, by name; may be repeated"
    counted.add_argument("--skip", nargs=2, action="append", default=[], metavar=("NAME", "OTHER"), help=text)
    counted.add_argument("--no-self", action="store_true", help="no object collides with itself")
    counted.add_argument("--no-distance", action="store_true", help="do not compute the least distance of each frame")
    written = parser.add_argument_group("what is written")
    written.add_argument("-o", "--output", metavar="FILE.html", help="a page with a time line, and a viewer of each event")
    written.add_argument("--csv", metavar="FILE.csv", help="a table with a row for each step")
    written.add_argument("--events", metavar="FOLDER", help="two small OBJ files for each event, which 'ccd step' replays")
    written.add_argument("--resume", metavar="FILE.json", help="keep what is known here, and go on from it")
    parser.add_argument("--all", action="store_true", help="list every step")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="0 = all this process may use (0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Audit the frames and print what was found."""
    for path in (given.output, given.csv, given.resume):  # so that no long audit ends without its files
        if path is not None and not os.path.isdir(os.path.dirname(path) or "."):
            raise from_os(path, FileNotFoundError(errno.ENOENT, "No such folder to write it to"))
    radius: Any = given.radius
    if given.radii is not None:
        radius = models.radii(given.radii)
    skip = tuple((a, b) for a, b in given.skip)
    settings = Settings(
        given.min_separation, radius, given.rounding, skip, not given.no_self, not given.no_distance, given.threads
    )  # fmt: skip
    audited, taken = Audited(Report()), _Taken(given.events, bool(given.output))
    meaning = Meaning(given.displacement, given.weld, given.points_are, given.animation)
    cancelled = False
    with output.bar("reading the first frame") as bar:

        def progress(frame: Frame, step: StepResult | None) -> bool:
            if bar is not None:
                bar.label = f"frame {frame.number:,} of {audited.frames:,}"  # type: ignore[attr-defined]
                bar((frame.number + 1) / max(1, audited.frames) * 0.999)
            return False

        try:
            _files.run(audited, given.sequence, meaning, given.mesh, settings, progress, given.resume, taken, given.beside)
        except KeyboardInterrupt:
            cancelled = True
    report = audited.report
    for path, left_out in audited.left_out.items():
        remarks.left(path, left_out)
    for text in report.notes:
        remarks.note(text)
    if cancelled:
        remarks.note(f"cancelled after {len(report.frames):,} of {audited.frames:,} frames")
    _write(given, audited, taken)
    if given.json:
        output.emit_report(
            {"sequence": given.sequence, "frames_found": audited.frames} | _json(report.as_dict()) | taken.as_dict()
        )
    else:
        output.say_report(_text(given, audited))
    if cancelled:
        return CANCELLED
    return FOUND_NOTHING if report.clean else FOUND


class _Taken:
    """What is kept of steps while they are in memory: neighborhoods for the page, and files of events."""

    def __init__(self, folder: str | None, page: bool):
        self.folder, self.files = folder, list[str]()
        self.views = _page.Views() if page else None
        if folder is not None:
            if os.path.exists(folder) and not os.path.isdir(folder):
                raise ArgumentError(f"--events: {folder} is a file: name a folder")
            try:
                os.makedirs(folder, exist_ok=True)
            except OSError as error:
                raise from_os(folder, error) from None

    def __call__(self, step: StepResult, scene: Scene, x0: NDArray[np.float64], x1: NDArray[np.float64]) -> None:
        for k, event in enumerate(step.events):
            shown = self.views is not None and self.views.wants(event.verdict)
            written = self.folder is not None and len(self.files) < 2 * _MOST_FILES and event.verdict < Verdict.CROSSING
            if not shown and not written:
                continue
            cut = _cut.cut(scene, step.number, event, x0, x1)
            if shown and self.views is not None:
                self.views.add(cut)
            if written and self.folder is not None:
                paths = [os.path.join(self.folder, f"step{step.number}-event{k}-{end}.obj") for end in ("start", "end")]
                cut.write(*paths)
                self.files += paths

    def as_dict(self) -> dict[str, Any]:
        """The files of events."""
        return {"event_files": list(self.files)}


def _json(report: dict[str, Any]) -> dict[str, Any]:
    """The report without its remarks, which are printed with those of readers."""
    return {name: value for name, value in report.items() if name != "notes"}


def _write(given: argparse.Namespace, audited: Audited, taken: _Taken) -> None:
    report = audited.report
    if given.csv:
        write.whole(given.csv, _csv(audited).encode())
    if given.output:
        facts = {"frames": output.count(len(report.frames)), **_mesh(audited)}
        cuts = taken.views.cuts if taken.views is not None else []
        title = f"audit of {Path(given.sequence[0]).name}" + (
            f" and {len(given.sequence) - 1} more" if given.sequence[1:] else ""
        )
        with output.bar("page"):
            write.whole(given.output, _page.write_page(report, title, cuts, facts).encode("utf-8", "replace"))


def _mesh(audited: Audited) -> dict[str, str]:
    return {"mesh": "{:,} vertices, {:,} edges, {:,} faces".format(*audited.counts)}


def _csv(audited: Audited) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(
        [
            "step",
            "from",
            "to",
            "time",
            "verdict",
            "t",
            "pairs",
            "events",
            "a",
            "b",
            "x",
            "y",
            "z",
            "crossings",
            "distance",
            "note",
        ]
    )
    frames = audited.report.frames
    for one, (start, end) in zip(audited.report.steps, pairwise(frames)):
        event: Event | None = one.events[0] if one.events else None
        rows.writerow([
            one.number, start.name, end.name, "" if end.time is None else repr(end.time), str(one.verdict),
            "" if one.time is None else repr(one.time), one.pairs, sum(one.found.values()),
            event.a if event else "", event.b if event else "", *(map(repr, event.point) if event else ("", "", "")),
            end.crossings, "" if end.distance_lo is None else repr(end.distance_lo), one.note,
        ])  # fmt: skip
    return text.getvalue()


def _text(given: argparse.Namespace, audited: Audited) -> str:
    report = audited.report
    rows = [("frames", output.count(len(report.frames)) + ("" if report.complete else f" of {audited.frames:,}"))]
    rows += list(_mesh(audited).items())
    rows += [
        (str(verdict), output.count(count) + (" steps" if count != 1 else " step")) for verdict, count in report.counts.items()
    ]
    dirty = [frame for frame in report.frames if frame.crossings]
    if dirty:
        worst = max(dirty, key=lambda frame: frame.crossings)
        rows.append(("crossing", f"{len(dirty):,} frames; most in {worst.name}: {worst.crossings:,} pairs"))
    known = [f for f in report.frames if f.distance_hi is not None and np.isfinite(f.distance_hi)]
    if known:
        least = min(known, key=lambda frame: frame.distance_hi or 0.0)
        rows.append(("distance", f"at least {least.distance_lo!r} in every frame, that of {least.name}"))
    cells = []
    for one in report.steps:
        if one.clean and not given.all:
            continue
        start, end = report.frames[one.number].name, _name(report.frames, one.number + 1)
        if not one.events:
            cells.append((str(one.number), start, end, str(one.verdict), "-", "-", "-", "-", one.note or "-"))
        for alike in _alike(one):
            event, pairs = alike[0], sum(max(event.pairs, event.after, event.before) for event in alike)
            where = "({})".format(", ".join(f"{x:.4g}" for x in event.point))
            numbers = f"{event.time:.6g}", str(len(alike)), str(pairs)
            cells.append((str(one.number), start, end, str(event.verdict), *numbers, f"{event.a}, {event.b}", where))
    text = output.lines(rows)
    if cells:
        shown = cells if given.all else cells[:_MOST_ROWS]
        text += "\n\n" + output.table(("step", "from", "to", "verdict", "t", "events", "pairs", "objects", "place"), shown)
        if len(shown) < len(cells):
            text += f"\n{len(cells) - len(shown):,} more: --all lists them"
    return text


def _alike(step: StepResult) -> list[list[Event]]:
    """The events of a step, those of one verdict and two objects together; the first is the earliest."""
    found: dict[tuple[Verdict, str, str], list[Event]] = {}
    for event in step.events:
        found.setdefault((event.verdict, event.a, event.b), []).append(event)
    return list(found.values())


def _name(frames: list[Frame], number: int) -> str:
    return frames[number].name if number < len(frames) else "-"
