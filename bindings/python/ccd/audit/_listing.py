"""The frames of a sequence, before any is read: files by pattern or order, and what PVD, series and multi-block files list."""

from __future__ import annotations

import glob
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from .._inner import files
from ..errors import ArgumentError, FileError
from ._films import address

_MESHES = (".obj", ".ply", ".stl", ".off", ".vtu", ".vtp", ".vtk", ".msh", ".mesh", ".pvtu", ".vtm")
_MOST = 16 << 20  # bytes of a file that lists others


@dataclass(frozen=True)
class Item:
    """One frame: its name, its time if a file says it, and the files of its parts by name."""

    name: str
    time: float | None
    parts: tuple[tuple[str, str], ...]
    ordered: bool = False  # the parts stay in their order; else they are sorted by name


def expand(paths: Iterable[str]) -> list[str]:
    """The files: a pattern with *, ? or [...] stands for all that match it; numbers in names are compared as numbers."""
    found: list[str] = []
    for path in paths:
        if is_pattern(path):
            matches = sorted(glob.glob(path), key=_by_number)
            if not matches:
                raise ArgumentError(f"{path}: no file matches this pattern")
            found += matches
        else:
            _refuse_folder(path)
            found.append(path)
    return found


def is_pattern(path: str) -> bool:
    """Whether a path stands for all files that match it."""
    return any(letter in path for letter in "*?[") and not Path(path).exists() and not _is_frame(path)


def _is_frame(path: str) -> bool:
    """Whether a name is that of a file, and the number of a frame behind it: run.glb[3]."""
    match = re.fullmatch(r"(.*)\[\d{1,9}\]", path, re.DOTALL)
    return address(path)[1] is not None or (match is not None and os.path.exists(match[1]))


def _refuse_folder(path: str) -> None:
    """Say which pattern to give for a folder of meshes. A folder that is itself a sequence (Zarr, OpenFOAM) holds none."""
    if not os.path.isdir(path):
        return
    ends = Counter(Path(name).suffix.lower() for name in os.listdir(path))
    end, count = max(((end, ends[end]) for end in _MESHES), key=lambda both: both[1])
    if count:
        raise FileError(f"{path} is a directory: give its files, as a pattern in quotes: '{os.path.join(path, '*' + end)}'")


def _by_number(path: str) -> list[tuple[int, str]]:
    """A key that orders frame2 before frame10."""
    parts = re.split(r"(\d+)", path)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def items(paths: Iterable[str]) -> list[Item]:
    """The frames that files are or list."""
    names = expand(paths)
    if len(names) == 1:
        lower = names[0].lower()
        if lower.endswith(".pvd"):
            return _pvd(names[0])
        if lower.endswith(".series"):
            return _series(names[0])
    for name in names:
        if name.lower().endswith((".pvd", ".series")):
            raise ArgumentError(f"{name} lists the frames of a sequence: give it alone")
    return [Item(os.path.basename(name), None, _parts(name)) for name in names]


def side_by_side(paths: list[str], beside: Iterable[str]) -> list[Item]:
    """The frames of a sequence with those of others beside it. One file alone is the same in all frames."""
    sequences = [(_label(paths), items(paths))]
    for path in beside:
        sequences.append((_label([path]), items([path])))
    names = [label for label, _ in sequences]
    labels = [name if names.count(name) == 1 else f"{name} {k}" for k, name in enumerate(names)]
    count = max(len(found) for _, found in sequences)
    for label, (_, found) in zip(labels, sequences):
        if len(found) not in (1, count):
            raise ArgumentError(
                f"beside: {label} has {len(found):,} frames, and there are {count:,} of others: must be as many, or one file "
                "for what stands still"
            )
    lead = next(found for _, found in sequences if len(found) == count)
    frames = []
    for k, item in enumerate(lead):
        now = [(label, found[k if len(found) > 1 else 0]) for label, (_, found) in zip(labels, sequences)]
        parts = [("/".join(filter(None, [label, name])), file) for label, one in now for name, file in one.parts]
        frames.append(replace(item, parts=tuple(parts), ordered=True))
    return frames


def _label(paths: list[str]) -> str:
    """The name of an object whose frames are in files of such names: cloth_001.obj is of cloth, body/0001.obj of body."""
    first = Path(expand(paths[:1])[0])
    stem = re.sub(r"[\W_]*\d*$", "", first.name.partition(".")[0])
    return stem or first.resolve().parent.name or "object"


def _parts(path: str) -> tuple[tuple[str, str], ...]:
    """The parts in a file: those that a multi-block file lists, else the file itself, without a name."""
    return _vtm(path) if path.lower().endswith((".vtm", ".vtmb")) else (("", path),)


def pieces(path: str) -> list[str]:
    """The files that are put together for one part: those that a parallel VTU or VTP lists, else the file itself."""
    lower = path.lower()
    if not lower.endswith((".pvtu", ".pvtp")):
        return [path]
    root = _xml(path, "PUnstructuredGrid" if lower.endswith(".pvtu") else "PPolyData")
    found = [_beside(path, one.get("Source")) for one in root.iter("Piece")]
    if not found:
        raise FileError(f"{path} lists no pieces")
    return found


def _xml(path: str, kind: str) -> ElementTree.Element:
    text = _text(path)
    with files.reading(path):
        root = ElementTree.fromstring(text)
    if root.tag != "VTKFile" or root.get("type") != kind:
        raise FileError(f"{path} is no file of type {kind}: its first element is {root.tag} of type {root.get('type')!r}")
    return root


def _text(path: str) -> bytes:
    with files.reading(path), files.opened(path) as file:
        text = file.read(_MOST + 1)
    if len(text) > _MOST:
        raise FileError(f"{path} has more than {_MOST:,} bytes: it must be a list of files")
    return text


def _beside(path: str, name: str | None) -> str:
    if not name:
        raise FileError(f"{path} lists a data set without a file")
    return os.path.join(os.path.dirname(path), name.replace("\\", "/"))


def _pvd(path: str) -> list[Item]:
    """The frames of a PVD: one a time, with a part for each (part, name) that is listed there."""
    root, times = _xml(path, "Collection"), dict[float, dict[str, str]]()
    for one in root.iter("DataSet"):
        text = one.get("timestep")
        if text is None:
            raise FileError(f"{path} lists {one.get('file')!r} without a timestep: it has no place in the sequence")
        try:
            time = float(text)
        except ValueError:
            time = math.nan
        if not math.isfinite(time):
            raise FileError(f"{path}: the timestep {text!r} is no number")
        number, name, group = (one.get(key) or "" for key in ("part", "name", "group"))
        part = "/".join(filter(None, [group, name or (f"part {number}" if number else "")]))
        held = times.setdefault(time, {})
        if part in held:
            raise FileError(f"{path} lists part {part!r} twice at time {text}: part, name and group must differ")
        held[part] = _beside(path, one.get("file"))
    return [_item(path, time, times[time]) for time in sorted(times)]


def _item(path: str, time: float, held: dict[str, str]) -> Item:
    names = {os.path.basename(name) for name in held.values()}
    name = names.pop() if len(names) == 1 else f"{os.path.basename(path)} at {time:g}"
    parts: list[tuple[str, str]] = []
    for part, file in held.items():
        for inner, one in _parts(file):
            parts.append(("/".join(filter(None, [part if len(held) > 1 else "", inner])), one))
    return Item(name, time, tuple(parts))


def _series(path: str) -> list[Item]:
    """The frames of a .series file of ParaView, in the order of times."""
    with files.reading(path):
        held: Any = json.loads(_text(path))
    listed = held.get("files") if isinstance(held, dict) else None
    if not isinstance(listed, list) or not all(isinstance(f, dict) and isinstance(f.get("name"), str) for f in listed):
        raise FileError(f"{path} has no list of files with a name each")
    found = []
    for one in listed:
        time = one.get("time")
        if not isinstance(time, (int, float)) or isinstance(time, bool) or not math.isfinite(time):
            raise FileError(f"{path}: the time of {one['name']!r} is {time!r}: must be a number")
        found.append((float(time), one["name"]))
    times = [time for time, _ in found]
    if len(set(times)) != len(times):
        raise FileError(f"{path} lists two files at one time")
    return [Item(os.path.basename(name), time, _parts(_beside(path, name))) for time, name in sorted(found)]


def _vtm(path: str) -> tuple[tuple[str, str], ...]:
    """The leaves of a multi-block file, by their names and those of the blocks around them, else by index."""
    found: dict[str, str] = {}

    def walk(element: ElementTree.Element, around: str) -> None:
        for one in element:
            name = one.get("name") or f"block {one.get('index', '')}".strip()
            full = f"{around}/{name}" if around else name
            if one.tag == "DataSet" and one.get("file"):
                if full in found:
                    raise FileError(f"{path} lists two data sets of the name {full!r}")
                found[full] = _beside(path, one.get("file"))
            elif one.tag in ("Block", "Piece"):
                walk(one, full)

    root = _xml(path, "vtkMultiBlockDataSet")
    for inner in root.iter("vtkMultiBlockDataSet"):
        walk(inner, "")
    if not found:
        raise FileError(f"{path} lists no files")
    return tuple(found.items())
