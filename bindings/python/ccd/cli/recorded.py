"""What `ccd check`, `step` and `view` read of files that hold or list several frames: one of them, or all."""

from __future__ import annotations

import argparse
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..audit import _files, _sources
from ..audit._division import same_polygons
from ..audit._films import _frames as film_frames
from ..audit._read import Meaning
from ..errors import ArgumentError
from ..files import Surface
from . import frames as frames_
from . import output, remarks

_Frames = list[NDArray[np.float64]]


def add_frame(parser: argparse.ArgumentParser) -> None:
    """The arguments that choose a frame."""
    text = "of a file of several frames (PVD, XDMF, d3plot ...): the number of the one that is tested, from 0 (0)"
    parser.add_argument("--frame", type=int, metavar="N", help=text)
    parser.add_argument("--deck", metavar="FILE", help="the mesh of an OP2 that has none: a Nastran deck")


def add_frames(parser: argparse.ArgumentParser) -> None:
    """The arguments that choose frames."""
    text = "of a file of several frames (PVD, XDMF, d3plot ...): only those from number A up to B, as 3:7"
    parser.add_argument("--frames", metavar="A:B", help=text)
    parser.add_argument("--deck", metavar="FILE", help="the mesh of an OP2 that has none: a Nastran deck")


def holds_frames(path: str) -> bool:
    """Whether a name is that of a file that holds or lists frames, or of a solver's deck, or the address of a frame."""
    file = _sources.address(path)[0]
    return _sources.is_frames(file) or _sources.is_deck(file)


def is_file(path: str) -> bool:
    """Whether a name is no address of a frame."""
    return _sources.address(path)[1] is None


def two_frames(path: str, given: argparse.Namespace) -> list[str] | None:
    """The addresses of the two frames of such a file; None of another file, or an address."""
    if not _sources.is_frames(path):
        return None
    count = len(_opened(path, given).items)
    if count != 2:
        raise ArgumentError(
            f"B is missing: {path} has {count:,} frame{'s' if count != 1 else ''}; "
            + (f"give two of them, such as {path}[0] and {path}[1]" if count > 2 else "give the mesh at the end too")
        )
    return [f"{path}[0]", f"{path}[1]"]


def surface(path: str, given: argparse.Namespace | None) -> Surface | None:
    """One frame of a file that holds frames; None of another file."""
    if not holds_frames(path):
        return None
    file, at = _sources.address(path)
    reader = _opened(file, given)
    count, number = len(reader.items), getattr(given, "frame", None)
    if at is not None:
        if number is not None:
            raise ArgumentError(f"--frame: {path} has the number of a frame")
        if at >= count:
            raise ArgumentError(f"{path}: {file} has {count:,} frames: their numbers are from 0 to {count - 1}")
        if at and getattr(given, "weld", False):
            reader.snapshot(reader.items[0])  # it decides which points are one
        return _read(reader, at)
    if number is None:
        number = 0
        if count > 1:
            way = "--frame chooses another" if hasattr(given, "frame") else f"{path}[1] is the next"
            remarks.note(f"{path} has {count:,} frames: this is the first, {reader.items[0].name}; {way}")
    if not 0 <= number < count:
        raise ArgumentError(f"--frame is {number}: {path} has the frames from 0 to {count - 1}")
    return _read(reader, number)


def sequence(
    path: str, given: argparse.Namespace, kept: list[dict[str, Any]] | None = None
) -> tuple[Surface, _Frames, list[str]] | None:
    """All frames of a file that holds frames, and their names; None of another file.

    The list `kept` gets the point data of each frame.
    """
    if not _sources.is_frames(path):
        return None
    reader = _opened(path, given)
    first, last = _range(getattr(given, "frames", None), len(reader.items))
    start = _read(reader, first)
    frames, fields, names = [start.vertices], [start.fields], [reader.items[first].name]
    for k in range(first + 1, last + 1):
        with output.bar(f"reading frame {k:,} of {last:,}"):
            later = _read(reader, k)
        if len(later.vertices) != len(start.vertices) or not (
            np.array_equal(later.faces, start.faces) or same_polygons(later.faces, later.vertices, start.faces, start.vertices)
        ):
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
        meaning = Meaning(getattr(given, "displacement", None), bool(getattr(given, "weld", False)))
        reader = _files.opened([path], meaning, _deck(path, given))
    if not reader.items:
        raise ArgumentError(f"{path} has no frames")
    return reader


def takes_deck(path: str) -> bool:
    """Whether a file, or the file of an address, is an OP2, whose mesh may be in a deck."""
    return _sources.address(path)[0].lower().endswith(".op2")


def _deck(path: str, given: argparse.Namespace | None) -> str | None:
    """The mesh of an OP2, of --deck or --mesh; of others --mesh is for positions without faces."""
    found: str | None = getattr(given, "deck", None)
    return found or (getattr(given, "mesh_file", None) if takes_deck(path) else None)


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
    part, names = found.part, found.names
    if len(names) < 2:
        part, names = getattr(reader, "part", None), getattr(reader, "names", None)
    surface = Surface(found.x, found.edges, found.faces, found.unused, {}, found.fields, [], deviation=found.deviation)
    if part is None or names is None or len(part) != len(found.x):
        return surface
    return film_frames.Scene(**vars(surface), part=part, names=list(names))
