"""Drives in files: CSV of poses or of joints' values, the joints of a mechanism in JSON, and moves in G-code."""

from __future__ import annotations

import csv
import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._inner import arrays, files
from .._inner.meshes import to_matrix
from ..errors import ArgumentError, FileError
from . import _turns
from ._assembly import Assembly
from ._bounds import Doubles
from ._closed import Loop, close
from ._drive import Drive, Joint, JointDrive, by_joints, by_poses

_PLACE = ("x", "y", "z")
_TURNS = (("qw", "qx", "qy", "qz"), ("rx", "ry", "rz"))
_MOST_ROWS = 1_000_000
_HALF = math.pi * (1 + 1e-9)


def read_joints(path: str | os.PathLike[str]) -> tuple[list[Joint], bool]:
    """Read the joints of a mechanism from JSON.

    The file has ``joints``, a list of objects with the fields of `Joint`, and may have ``degrees``: whether values of
    revolute joints and
    screws are in degrees. `read_loops` reads its ``loops``.

    Parameters
    ----------
    path : str or os.PathLike
        A file.

    Returns
    -------
    joints : list of Joint
        The joints.
    degrees : bool
        Whether their values are in degrees.

    Raises
    ------
    FileError
        The file cannot be read, or is malformed.

    Examples
    --------
    >>> import json, os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "door.json")
    >>> hinge = {"name": "hinge", "kind": "revolute", "parts": ["door"], "axis": [0, 0, 1]}
    >>> with open(path, "w") as file:
    ...     json.dump({"joints": [hinge], "degrees": True}, file)
    >>> ccd.cad.read_joints(path)[0][0].name
    'hinge'
    """
    name = files.file_name("path", path)
    given = _object(name)
    given.pop("loops", None)
    degrees = given.pop("degrees", False)
    if not isinstance(degrees, bool):
        raise FileError(f"{name}: degrees is {degrees!r}: must be true or false")
    out = []
    for k, item in enumerate(given.pop("joints")):
        where = f"{name}: joints[{k}]"
        _has_fields(where, item, ("name", "kind", "parts", "axis"), Joint)
        numbers = [*_list(item["axis"]), *_list(item.get("point", [0, 0, 0])), item.get("pitch", 0)]
        _are_of_type(where, numbers, [item["name"], item["kind"], *_list(item["parts"])])
        out.append(Joint(**item))
    if given:
        raise FileError(f"{name}: it has {', '.join(map(repr, given))}, which means nothing")
    return out, degrees


def _object(name: str) -> dict[str, Any]:
    given = files.load(name)
    if not isinstance(given, dict) or not isinstance(given.get("joints"), list):
        raise FileError(f"{name}: must be an object with joints, a list")
    return given


def read_loops(path: str | os.PathLike[str]) -> list[Loop]:
    """Read what closes the loops of a mechanism from the file of its joints.

    The file may have ``loops``, a list of objects with the fields of `Loop`.

    Parameters
    ----------
    path : str or os.PathLike
        A file that `read_joints` reads.

    Returns
    -------
    list of Loop
        The loops, none if the file has none.

    Raises
    ------
    FileError
        The file cannot be read, or is malformed.

    Examples
    --------
    >>> import json, os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "engine.json")
    >>> with open(path, "w") as file:
    ...     json.dump({"joints": [], "loops": [{"kind": "pin", "a": "rod", "b": "piston", "point": [80, 0, 0]}]}, file)
    >>> ccd.cad.read_loops(path)[0].b
    'piston'
    """
    name = files.file_name("path", path)
    items, out = _object(name).get("loops", []), []
    if not isinstance(items, list):
        raise FileError(f"{name}: loops is {items!r}: must be a list")
    for k, item in enumerate(items):
        where = f"{name}: loops[{k}]"
        _has_fields(where, item, ("kind", "a", "point"), Loop)
        vectors = [item[n] for n in ("point", "axis", "along", "point_b") if item.get(n) is not None]
        texts = [item["kind"], item["a"], *([] if item.get("b") is None else [item["b"]])]
        _are_of_type(where, [x for v in vectors for x in _list(v)], texts)
        out.append(Loop(**item))
    return out


def _has_fields(where: str, item: Any, needed: tuple[str, ...], kind: type[Joint] | type[Loop]) -> None:
    """Raise the error of an item that is no object, lacks a field, or has one that its kind does not have."""
    if not isinstance(item, dict) or not set(needed) <= item.keys():
        raise FileError(f"{where} must be an object with {', '.join(needed[:-1])} and {needed[-1]}")
    if rest := item.keys() - set(kind.__dataclass_fields__):
        raise FileError(f"{where} has {', '.join(map(repr, sorted(rest)))}, which means nothing")


def _are_of_type(where: str, numbers: list[Any], texts: list[Any]) -> None:
    """Raise the error of an item whose numbers or texts are something else."""
    are_numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in numbers)
    if not are_numbers or not all(isinstance(x, str) for x in texts):
        raise FileError(f"{where} has a field of another type")


def _list(x: Any) -> list[Any]:
    return x if isinstance(x, list) else [None]


def read_drive(
    assembly: Assembly,
    path: str | os.PathLike[str],
    joints: Sequence[Joint] | None = None,
    degrees: bool = False,
    loops: Sequence[Loop] = (),
) -> Drive:
    """Read how parts move from CSV.

    The first line names the columns. Poses: ``time, part, x, y, z`` and ``qw, qx, qy, qz`` or ``rx, ry, rz`` (a rotation
    vector in radians),
    the displacement from where the part rests; each part has the same times, or is at rest. Joints: ``time, joint, value``,
    or ``time`` and a column for each joint.

    Parameters
    ----------
    assembly : Assembly
        What moves.
    path : str or os.PathLike
        A file.
    joints : sequence of Joint, optional
        The joints, which a file of values needs.
    degrees : bool, default False
        Whether values of revolute joints and screws are in degrees.
    loops : sequence of Loop, optional
        What closes the mechanism: its joints without a column follow, as `close` says.

    Returns
    -------
    Drive
        The motion.

    Raises
    ------
    FileError
        The file cannot be read or is malformed; the message names the line.
    ArgumentError
        A part or a joint is unknown.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> box = ccd.cad.Assembly.of({"box": BRepPrimAPI_MakeBox(1, 1, 1).Shape()})
    >>> path = os.path.join(tempfile.mkdtemp(), "drive.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("time,part,x,y,z,rx,ry,rz\\n0,box,0,0,0,0,0,0\\n2,box,4,0,0,0,0,0\\n")
    >>> ccd.cad.read_drive(box, path).at(1)[0, :3, 3].tolist()
    [2.0, 0.0, 0.0]
    """
    name = files.file_name("path", path)
    rows = _rows(name)
    head = [x.strip() for x in rows[0][1]]
    if twice := [x for k, x in enumerate(head) if x in head[:k]]:
        raise FileError(f"{name}: line 1: has the column {twice[0]!r} twice")
    try:
        if head[:2] == ["time", "part"]:
            if loops:
                raise ArgumentError("it has poses of parts, and loops are for values of joints: leave out loops")
            return _poses(assembly, name, head, rows[1:])
        if head[:1] != ["time"]:
            raise FileError(f"{name}: line 1: the columns are {', '.join(head)[:200]}: must begin with time")
        if not joints:
            raise ArgumentError("it has values of joints: give the joints, which read_joints reads (--joints FILE.json)")
        if head == ["time", "joint", "value"]:
            times, values = _long(name, rows[1:])
        else:
            table = np.array([[_number(name, line, x) for x in _full(name, line, row, len(head))] for line, row in rows[1:]])
            table = table.reshape(-1, len(head))
            times, values = table[:, 0], dict(zip(head[1:], table[:, 1:].T))
        if degrees:
            turning = {j.name for j in joints if j.kind != "prismatic"}
            values = {n: np.radians(x) if n in turning else x for n, x in values.items()}
        return close(assembly, joints, loops, times, values) if loops else by_joints(assembly, joints, times, values)
    except FileError:
        raise
    except ArgumentError as error:
        if str(error).startswith(("joints[", "loops[")):  # it is not in this file that the joints are
            raise
        raise ArgumentError(f"{name}: {error}") from None


def _rows(name: str) -> list[tuple[int, list[str]]]:
    with files.opened(name) as file:
        text = file.read().decode("utf-8-sig", "replace")
    rows = [(k, row) for k, row in enumerate(csv.reader(text.splitlines()), 1) if row and not row[0].lstrip().startswith("#")]
    if len(rows) < 3:
        raise FileError(f"{name}: has {len(rows)} lines: must have a line of names and two rows")
    if len(rows) > _MOST_ROWS:
        raise FileError(f"{name}: has {len(rows)} lines: at most {_MOST_ROWS}")
    return rows


def _full(name: str, line: int, row: list[str], size: int) -> list[str]:
    if len(row) != size:
        raise FileError(f"{name}: line {line}: has {len(row)} columns: must have {size}")
    return row


def _number(name: str, line: int, text: str) -> float:
    try:
        value = files.decimal(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= 1e60:
        raise FileError(f"{name}: line {line}: {text.strip()!r} is no finite number of at most 1e60")
    return value


def _poses(assembly: Assembly, name: str, head: list[str], rows: list[tuple[int, list[str]]]) -> Drive:
    turns = next((t for t in _TURNS if head == ["time", "part", *_PLACE, *t]), None)
    if turns is None:
        raise FileError(
            f"{name}: line 1: the columns are {', '.join(head)}: must be time, part, x, y, z and qw, qx, qy, qz or rx, ry, rz"
        )
    by: dict[str, dict[float, Doubles]] = {}
    last: dict[str, tuple[float, list[float]]] = {}
    for line, row in sorted(rows, key=lambda item: _number(name, item[0], item[1][0])):
        full = _full(name, line, row, len(head))
        t, *numbers = (_number(name, line, x) for x in (full[0], *full[2:]))
        own = by.setdefault(full[1].strip(), {})
        if t in own:
            raise FileError(f"{name}: line {line}: part {full[1].strip()!r} has two poses at the time {t:g}")
        own[t] = _matrix(name, line, numbers)
        if len(numbers) == 6:  # a vector of more than half a turn counts turns, which matrices do not
            before, now = (np.array(x[3:]) for x in (last.get(full[1].strip(), (t, numbers))[1], numbers))
            if max(map(np.linalg.norm, (before, now))) > _HALF and np.linalg.norm(now - before) > _HALF:
                raise FileError(
                    f"{name}: line {line}: part {full[1].strip()!r} turns by more than half a turn in one row: add rows,"
                    " or use a joint"
                )
            last[full[1].strip()] = t, numbers
    times = sorted({t for own in by.values() for t in own})
    for part, own in by.items():
        if missing := [t for t in times if t not in own]:
            raise FileError(f"{name}: part {part!r} has no row at the time {missing[0]:g}: each part needs one at every time")
    return by_poses(assembly, times, {part: np.stack([own[t] for t in times]) for part, own in by.items()})


def _matrix(name: str, line: int, numbers: list[float]) -> Doubles:
    out = np.eye(4)
    out[:3, 3] = numbers[:3]
    if len(numbers) == 6:
        out[:3, :3] = _turns.rotation(np.array(numbers[3:]))
        return out
    w, x, y, z = numbers[3:]
    length = math.hypot(w, x, y, z)
    if abs(length - 1) > 1e-6:
        raise FileError(f"{name}: line {line}: the quaternion has the length {length:g}: must be 1")
    out[:3, :3] = to_matrix(np.array([w, x, y, z]))
    return out


def _long(name: str, rows: list[tuple[int, list[str]]]) -> tuple[Any, dict[str, Any]]:
    by: dict[str, dict[float, float]] = {}
    for line, row in rows:
        t, joint, value = _full(name, line, row, 3)
        own, at = by.setdefault(joint.strip(), {}), _number(name, line, t)
        if at in own:
            raise FileError(f"{name}: line {line}: joint {joint.strip()!r} has two values at the time {at:g}")
        own[at] = _number(name, line, value)
    times = sorted({t for own in by.values() for t in own})
    # A joint goes straight between its own rows.
    return np.array(times), {j: np.interp(times, sorted(own), [own[t] for t in sorted(own)]) for j, own in by.items()}


# ---- G-code

_AXES = "XYZABC"
_IGNORED_G = {17, 18, 19, 40, 49, 54, 61, 64, 80, 94}
_IGNORED_M = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30}
_WORD = re.compile(r"([A-Z])\s*([-+]?(?:\d+\.?\d*|\.\d+))")


def read_gcode(
    assembly: Assembly,
    path: str | os.PathLike[str],
    joints: Sequence[Joint],
    *,
    start: Mapping[str, float] | None = None,
    rapid: float = 10000.0,
) -> Drive:
    """Read the moves of a tool from G-code: G0 and G1 along X, Y, Z and about A, B, C.

    The axes are joints of these names: prismatic ones for X, Y and Z, revolute ones for A, B and C, in any order and on
    either side, tool or table.
    All axes of a move go at constant rates, as without tool center point control. Words that change nothing here are
    skipped: N, S, T, O, M0 to M9 and M30,
    G17 to G19, G40, G49, G54, G61, G64, G80, G94. G20, G21, G90 and G91 are obeyed. Everything else is an error that names
    the word and the line.

    Parameters
    ----------
    assembly : Assembly
        The machine: tool, holder, table, clamps and stock, all axes at 0.
    path : str or os.PathLike
        A file.
    joints : sequence of Joint
        The axes, and further joints, which rest.
    start : mapping, optional
        Values of axes before the first move, in millimeters and degrees; else 0.
    rapid : float, default 10000
        The speed of G0, millimeters or degrees a minute.

    Returns
    -------
    Drive
        The motion; times are in seconds, and rapid moves are marked.

    Raises
    ------
    FileError
        The file cannot be read, or has a word that is not understood.
    ArgumentError
        A word names an axis that is no joint.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
    >>> mill = ccd.cad.Assembly.of({"tool": BRepPrimAPI_MakeCylinder(3, 30).Shape()})
    >>> path = os.path.join(tempfile.mkdtemp(), "part.nc")
    >>> with open(path, "w") as file:
    ...     _ = file.write("G21 G90\\nG0 Z5\\nG1 X10 F600 (along x)\\nM30\\n")
    >>> x, z = ccd.cad.Joint("X", "prismatic", [], (1, 0, 0)), ccd.cad.Joint("Z", "prismatic", ["tool"], (0, 0, 1), parent="X")
    >>> axes = [x, z]
    >>> drive = ccd.cad.read_gcode(mill, path, axes)
    >>> drive.rapid, drive.times.round(3).tolist()
    ([True, False], [0.0, 0.03, 1.03])
    """
    name = files.file_name("path", path)
    rapid = arrays.within("rapid", rapid, "(0, inf]", "above 0")
    with files.opened(name) as file:
        text = file.read().decode("utf-8", "replace")
    known = {j.name for j in joints}
    reader = _Gcode(name, known, dict(start or {}), rapid)
    for line, given in enumerate(text.splitlines(), 1):
        reader.line(line, given)
    if len(reader.rows) < 2:
        raise FileError(f"{name}: has no move")
    table = np.array(reader.rows)
    used = [k for k, axis in enumerate(_AXES) if axis in known]
    values = {_AXES[k]: table[:, k] if k < 3 else np.radians(table[:, k]) for k in used}
    drive = by_joints(assembly, joints, reader.times, values)
    assert isinstance(drive, JointDrive)
    drive.rapid = reader.rapids
    return drive


class _Gcode:
    """The state of a machine while its program is read."""

    def __init__(self, name: str, known: set[str], start: dict[str, float], rapid: float):
        for axis in start:
            if axis not in _AXES or axis not in known:
                raise ArgumentError(f"start has {axis!r}: no axis of the joints")
        self.name, self.known, self.speed = name, known, rapid
        self.rows: list[list[float]] = [[float(start.get(a, 0.0)) for a in _AXES]]
        self.times, self.rapids = [0.0], list[bool]()
        self.mode: int | None = None
        self.absolute, self.scale, self.feed = True, 1.0, 0.0

    def line(self, line: int, text: str) -> None:
        """Obey one line."""
        plain = re.sub(r"\([^()]*\)|;.*", " ", text).upper().strip()
        if not plain or plain.startswith(("%", "O")):
            return
        if plain.startswith("/"):
            raise FileError(f"{self.name}: line {line}: '/', a block that may be skipped, is not understood")
        left = _WORD.sub(" ", plain).strip()
        if left:
            raise FileError(f"{self.name}: line {line}: {left.split()[0]!r} is not understood")
        moves: dict[str, float] = {}
        # Units and modes of a line count for all of its words.
        for letter, number in sorted(_WORD.findall(plain), key=lambda word: word[0] != "G"):
            self._word(line, letter, float(number), f"{letter}{number}", moves)
        if moves:
            self._move(line, moves)

    def _word(self, line: int, letter: str, x: float, text: str, moves: dict[str, float]) -> None:
        if letter == "G" and x in (0, 1):
            self.mode = int(x)
        elif letter == "G" and x in (20, 21):
            self.scale = 25.4 if x == 20 else 1.0
        elif letter == "G" and x in (90, 91):
            self.absolute = x == 90
        elif letter == "F":
            self.feed = x * self.scale
        elif letter in _AXES:
            if letter in moves:
                raise FileError(f"{self.name}: line {line}: has {letter} twice")
            moves[letter] = x * (self.scale if letter in "XYZ" else 1.0)
        elif not (letter in "NST" or (letter == "G" and x in _IGNORED_G) or (letter == "M" and x in _IGNORED_M)):
            raise FileError(f"{self.name}: line {line}: {text} is not understood: moves are G0 and G1")

    def _move(self, line: int, moves: dict[str, float]) -> None:
        if self.mode is None:
            raise FileError(f"{self.name}: line {line}: moves before G0 or G1")
        if not self.mode == 0 and not self.feed > 0:
            raise FileError(f"{self.name}: line {line}: G1 without a feed (F) above 0")
        for axis in moves:
            if axis not in self.known:
                raise ArgumentError(f"{self.name}: line {line}: moves {axis}: no joint has that name")
        row = list(self.rows[-1])
        for axis, x in moves.items():
            k = _AXES.index(axis)
            row[k] = x if self.absolute else row[k] + x
        step = np.subtract(row, self.rows[-1])
        length = float(np.linalg.norm(step[:3])) or float(np.abs(step[3:]).max())
        if length == 0:
            return
        rapid = self.mode == 0
        self.rows.append(row)
        self.rapids.append(rapid)
        self.times.append(self.times[-1] + 60 * length / (self.speed if rapid else self.feed))
