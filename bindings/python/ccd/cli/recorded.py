"""What `ccd check`, `step` and `view` read of files of solvers: one frame, or all of a sequence."""

from __future__ import annotations

import argparse
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..audit import _files, _sources
from ..audit._read import Meaning
from ..errors import ArgumentError
from ..files import Surface
from . import frames as frames_
from . import output, remarks

_Frames = list[NDArray[np.float64]]


def add_frame(parser: argparse.ArgumentParser) -> None:
    """The arguments that choose a frame."""
    text = "of a file of several frames (d3plot, Exodus, FRD ...): the number of the one that is tested, from 0 (0)"
    parser.add_argument("--frame", type=int, metavar="N", help=text)
    parser.add_argument("--deck", metavar="FILE", help="the mesh of an OP2 that has none: a Nastran deck")


def add_frames(parser: argparse.ArgumentParser) -> None:
    """The arguments that choose frames."""
    text = "of a file of several frames (d3plot, Exodus, FRD ...): only those from number A up to B, as 3:7"
    parser.add_argument("--frames", metavar="A:B", help=text)
    parser.add_argument("--deck", metavar="FILE", help="the mesh of an OP2 that has none: a Nastran deck")


def holds_frames(path: str) -> bool:
    """Whether a file of this name holds the frames of a sequence, or one of them in a format of a solver."""
    return _sources.is_results(path) or _sources.is_deck(path)


def surface(path: str, given: argparse.Namespace | None) -> Surface | None:
    """One frame of a file of a solver; None of another file."""
    if not holds_frames(path):
        return None
    reader = _opened(path, given)
    count, number = len(reader.items), getattr(given, "frame", None)
    if number is None:
        number = 0
        if count > 1:
            remarks.note(f"{path} has {count:,} frames: this is the first, {reader.items[0].name}; --frame chooses another")
    if not 0 <= number < count:
        raise ArgumentError(f"--frame is {number}: {path} has the frames from 0 to {count - 1}")
    return _read(reader, number)


def sequence(
    path: str, given: argparse.Namespace, kept: list[dict[str, Any]] | None = None
) -> tuple[Surface, _Frames, list[str]] | None:
    """All frames of a file of a solver, and their names; None of another file, and of one that has one frame.

    The list `kept` gets the point data of each frame.
    """
    if not _sources.is_results(path):
        return None
    reader = _opened(path, given)
    first, last = _range(getattr(given, "frames", None), len(reader.items))
    start = _read(reader, first)
    frames, fields, names = [start.vertices], [start.fields], [reader.items[first].name]
    for k in range(first + 1, last + 1):
        with output.bar(f"reading frame {k:,} of {last:,}"):
            later = _read(reader, k)
        if len(later.vertices) != len(start.vertices) or not np.array_equal(later.faces, start.faces):
            raise ArgumentError(
                f"{path}: frame {k} has other faces than frame {first}, as where elements erode: "
                f"--frames {first}:{k - 1} shows those before; 'ccd audit' takes them all"
            )
        frames.append(later.vertices)
        fields.append(later.fields)
        names.append(reader.items[k].name)
    if len(frames) > 1 and all(np.array_equal(frames[0], x) for x in frames):
        could = frames_.could_move(fields) if getattr(given, "displacement", None) is None else []
        remarks.note(f"nothing moves in {path}" + (f"; --displacement {could[0]} adds what may be the motion" if could else ""))
    if kept is not None:
        kept += fields
    return start, frames, names


def _range(text: str | None, count: int) -> tuple[int, int]:
    if text is None:
        return 0, count - 1
    match = re.fullmatch(r"(\d+):(\d+)", text)
    if match is None or not int(match[1]) <= int(match[2]) < count:
        raise ArgumentError(f"--frames is {text!r}: must be A:B, with numbers from 0 to {count - 1}")
    return int(match[1]), int(match[2])


def _opened(path: str, given: argparse.Namespace | None) -> Any:
    with output.bar(f"reading {path}"):
        return _files.opened([path], Meaning(getattr(given, "displacement", None)), getattr(given, "deck", None))


def _read(reader: Any, number: int) -> Surface:
    reader.number = number
    found = reader.snapshot(reader.items[number])
    for path, left_out in dict((path, left_out) for _, path, left_out in reader.memory.left_out).items():
        remarks.left(path, left_out)
    for _, path, text in reader.memory.notes:
        remarks.note(f"{path}: {text}")
    reader.memory.left_out.clear()
    if found.off and not getattr(reader, "noted", False):
        how, reader.noted = reader.rounded, True
        remarks.note(f"{found.item.name}: positions are {how}: each may be off by {found.off:.3g}")
    return Surface(found.x, found.edges, found.faces, found.unused, {}, found.fields, [], deviation=found.deviation)
