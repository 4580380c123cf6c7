"""Abaqus and CalculiX INP: nodes and elements, parts with instances that are moved and turned, files that are included."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..._inner import files
from ...errors import FileError, UnsupportedError
from ._decks import Deck
from ._elements import Block, Rows
from ._orders import ABAQUS, ordered
from ._recorded import Vectors

ENDS = (".inp",)
_MOST = 1 << 31  # bytes
_LARGEST = 1e150  # the largest coordinate
_DEPTH = 10  # files that include one another

# Families of elements by how their names begin, the longest first: VTK's types by the number of nodes.
_SOLID = {4: 10, 5: 14, 6: 13, 8: 12, 10: 24, 13: 27, 15: 26, 20: 25, 27: 29}
_SHELL = {3: 5, 4: 9, 6: 22, 8: 23, 9: 28}
_LINE = {2: 3, 3: 21}
_FAMILIES = {
    **dict.fromkeys(("C3D", "DC3D", "AC3D", "COH3D", "SC", "CSS", "F3D", "EC3D"), _SOLID),
    **dict.fromkeys(("S", "STRI", "DS", "M3D", "R3D", "SFM3D", "CPS", "CPE", "DC2D"), _SHELL),
    **dict.fromkeys(("T3D", "B3", "T2D", "B2", "R2D", "PIPE", "ELBOW", "FRAME", "DC1D"), _LINE),
}
_NO_BODIES = (
    "MASS",
    "ROTARYI",
    "HEATCAP",
    "SPRING",
    "DASHPOT",
    "CONN",
    "DCOUP",
    "GAP",
    "ITS",
    "JOINT",
    "JOINTC",
    "DISTCOUP",
    "PD3D",
    "PC3D",
)
_REFUSED = {
    **dict.fromkeys(("NGEN", "NFILL", "NCOPY"), "makes nodes"),
    **dict.fromkeys(("NMAP", "SYSTEM"), "moves nodes"),
    **dict.fromkeys(("ELGEN", "ELCOPY", "SYMMETRIC MODEL GENERATION"), "makes elements"),
    **dict.fromkeys(("UEL", "USER ELEMENT"), "has elements of the user"),
    "IMPERFECTION": "moves nodes",
    "PARAMETER": "gives numbers names",
    "IMPORT": "takes a part of another run",
    "MODEL CHANGE": "takes elements away",
    "SUBSTRUCTURE PATH": "takes a substructure of another run",
}


@dataclass
class _Mesh:
    """The nodes and elements of a part, an instance, or of a file without parts."""

    ids: list[int] = field(default_factory=list)
    x: list[list[float]] = field(default_factory=list)
    elements: dict[str, list[list[int]]] = field(default_factory=dict)


@dataclass
class _Instance:
    name: str
    part: str
    own: _Mesh = field(default_factory=_Mesh)
    numbers: list[list[float]] = field(default_factory=list)


def read(path: str) -> Deck:
    """The bodies of an INP file where its assembly places them."""
    found = _Reading(path)
    found.all()
    return found.deck()


class _Reading:
    def __init__(self, path: str):
        self.path = path
        self.plain = _Mesh()
        self.parts: dict[str, _Mesh] = {}
        self.instances: list[_Instance] = []
        self.assembly = False
        self.left_out: dict[str, int] = {}
        self.notes: list[str] = []

    # ---- keywords

    def all(self) -> None:
        mesh, instance, keyword, options = self.plain, None, "", dict[str, str]()
        pending: list[str] = []
        for where, line in _lines(self.path, 0):
            if line.startswith("*"):
                self._ended(where, pending)
                keyword, options = _keyword(line)
                for begin, what in _REFUSED.items():
                    if keyword == begin:
                        raise UnsupportedError(f"{where}: *{keyword} {what}, which is not read: write the mesh as it is then")
                if keyword == "PART":
                    name = options.get("NAME", "")
                    mesh = self.parts.setdefault(name.upper(), _Mesh())
                elif keyword == "INSTANCE":
                    if "INSTANCE" in options or "LIBRARY" in options:
                        raise UnsupportedError(f"{where}: *INSTANCE of another run (LIBRARY=) is not read")
                    instance = _Instance(options.get("NAME", ""), options.get("PART", "").upper())
                    self.instances.append(instance)
                    mesh = instance.own
                elif keyword in ("END PART", "END INSTANCE"):
                    mesh, instance = self.plain, None
                elif keyword == "ASSEMBLY":
                    self.assembly = True
                elif keyword == "SURFACE" and options.get("TYPE", "").upper() in ("CYLINDER", "REVOLUTION", "SEGMENTS"):
                    self._leave("analytical rigid surfaces")
                elif keyword == "STEP":
                    break  # what follows is the history: the mesh is complete
                elif keyword in ("NODE", "ELEMENT") and "INPUT" in options:
                    raise UnsupportedError(
                        f"{where}: *{keyword} with INPUT={options['INPUT']} takes lines of another file, which is not read: "
                        "put them in its place, or use *INCLUDE"
                    )
                elif keyword == "NODE" and options.get("SYSTEM", "R").upper() != "R":
                    raise UnsupportedError(
                        f"{where}: *NODE with SYSTEM={options['SYSTEM']} is not read: give Cartesian coordinates"
                    )
                continue
            words = [word.strip() for word in line.split(",")]
            if keyword == "NODE":
                self._node(where, mesh, words)
            elif keyword == "ELEMENT":
                pending = self._element(where, mesh, options, pending, words)
            elif keyword == "INSTANCE" and instance is not None:
                instance.numbers.append([_real(word) for word in words])
        self._ended(self.path, pending)

    def _leave(self, what: str, count: int = 1) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + count

    def _ended(self, where: str, pending: list[str]) -> None:
        if pending:
            raise FileError(f"{where}: element {pending[0]} has fewer nodes than its type")

    def _node(self, where: str, mesh: _Mesh, words: list[str]) -> None:
        numbers = [_real(word) for word in words[1:4]]
        mesh.ids.append(int(words[0]))
        mesh.x.append(numbers + [0.0] * (3 - len(numbers)))

    def _element(self, where: str, mesh: _Mesh, options: dict[str, str], pending: list[str], words: list[str]) -> list[str]:
        """Take one line of an element; returns what there is of it if it goes on in the next line."""
        kind = options.get("TYPE", "").upper()
        words = [word for word in words if word]
        nodes = _count(where, kind)
        if nodes == 0:
            if not pending:
                self._leave(f"elements {kind}, which have no surface")
            return []
        pending = pending + words
        if len(pending) < nodes + 1:
            return pending
        if len(pending) > nodes + 1 and not kind.startswith("B"):  # beams may have a node that gives their section's direction
            raise FileError(f"{where}: element {pending[0]} has {len(pending) - 1} nodes, and {kind} has {nodes}")
        mesh.elements.setdefault(kind, []).append([int(word) for word in pending[: nodes + 1]])
        return []

    # ---- bodies

    def deck(self) -> Deck:
        bodies: list[tuple[str, _Mesh, list[list[float]]]] = []
        if self.plain.elements or not (self.parts or self.instances):
            bodies.append(("assembly" if self.assembly else "", self.plain, []))
        for one in self.instances:
            part = self.parts.get(one.part)
            if part is None and not one.own.ids:
                raise FileError(f"{self.path}: instance {one.name} is of part {one.part}, which is not there")
            mesh = part if part is not None and not one.own.ids else one.own
            bodies.append((one.name, mesh, one.numbers))
        if not self.assembly and not self.instances:
            bodies += [(name, mesh, []) for name, mesh in self.parts.items()]
        x, known = list[Vectors](), list[Rows]()
        blocks: list[Block] = []
        first = 0
        for k, (name, mesh, numbers) in enumerate(bodies):
            ids, places = np.array(mesh.ids, np.int64), np.array(mesh.x, np.float64).reshape(-1, 3)
            if len(ids):  # of a node that is given again the last place counts
                ids, last = np.unique(ids[::-1], return_index=True)
                places = places[::-1][last]
            for kind, rows in mesh.elements.items():
                table = _unique(np.array(rows, np.int64))
                cell = _cell(kind, table.shape[1] - 1)
                blocks.append(Block(k, cell, ordered(cell, _rows(self.path, name, ids, table[:, 1:]) + first, ABAQUS)))
            x.append(placed(self.path, places, numbers))
            known.append(ids)
            first += len(ids)
        if not blocks:
            raise FileError(f"{self.path} has no elements")
        names = [name for name, _, _ in bodies]
        if len(set(names)) != len(names):
            raise FileError(f"{self.path} has two instances of one name")
        return Deck(np.vstack(x), blocks, names, np.concatenate(known), self.left_out, self.notes)


def _real(word: str) -> float:
    """A number, which may have Fortran's exponent of double precision."""
    return float(word.upper().replace("D", "E")) if word else 0.0


def _unique(table: Rows) -> Rows:
    """Elements by their ids; of one that is given again the last counts."""
    _, last = np.unique(table[::-1, 0], return_index=True)
    return table[::-1][last]


def placed(path: str, x: Vectors, numbers: list[list[float]]) -> Vectors:
    """Places of an instance: moved by the first line, then turned about the axis through two points of the second."""
    if not numbers:
        return x
    if len(numbers) > 2 or len(numbers[0]) > 3 or (len(numbers) == 2 and len(numbers[1]) != 7):
        raise FileError(f"{path}: an instance has other numbers than a translation and a rotation (7 numbers)")
    if not all(abs(number) <= _LARGEST for row in numbers for number in row):
        raise FileError(f"{path}: an instance is moved by {numbers}: must be finite and within 1e150")
    x = x + np.array(numbers[0] + [0.0] * (3 - len(numbers[0])))
    if len(numbers) == 1:
        return x
    a, b, angle = np.array(numbers[1][:3]), np.array(numbers[1][3:6]), math.radians(numbers[1][6])
    length = float(np.linalg.norm(b - a))
    if not length:
        raise FileError(f"{path}: the axis of a rotation has no direction")
    axis, v = (b - a) / length, x - a
    turned = v * math.cos(angle) + np.cross(axis, v) * math.sin(angle) + np.outer(v @ axis, axis) * (1 - math.cos(angle))
    found: Vectors = a + turned
    return found


def _rows(path: str, name: str, ids: Rows, nodes: Rows) -> Rows:
    """The rows of nodes by their ids, which are sorted."""
    at = np.minimum(np.searchsorted(ids, nodes), max(0, len(ids) - 1))
    wrong = nodes[ids[at] != nodes] if len(ids) else nodes.reshape(-1)
    if len(wrong):
        raise FileError(f"{path}: an element of {name or 'the model'} names node {int(wrong[0])}, which is not there")
    return at.astype(np.int64)


def _family(kind: str) -> dict[int, int] | None:
    begin = next((b for b in sorted(_FAMILIES, key=len, reverse=True) if kind.startswith(b)), None)
    return None if begin is None else _FAMILIES[begin]


def _number(kind: str) -> int:
    """The number of nodes in the name of a type: the digits after the letters that say its kind; 0: there are none."""
    if kind.startswith("STRI"):
        return 6 if kind == "STRI65" else 3
    if match := re.match("(?:B|PIPE|ELBOW)[23]([123])", kind):
        return 3 if match[1] == "2" else 2
    if kind.startswith("FRAME"):
        return 2
    begin = next(b for b in sorted(_FAMILIES, key=len, reverse=True) if kind.startswith(b))
    match = re.match("[0-9]+", kind[len(begin) :])
    return int(match[0]) if match else 0


def _count(where: str, kind: str) -> int:
    """The number of nodes of a type of element; 0 of one that is no body."""
    if kind.startswith(_NO_BODIES):
        return 0
    family = _family(kind)
    if family is None or (number := _number(kind)) not in family:
        raise UnsupportedError(f"{where}: elements of type {kind!r} are not read")
    return number


def _cell(kind: str, nodes: int) -> int:
    family = _family(kind)
    assert family is not None
    return family[nodes]


def _keyword(line: str) -> tuple[str, dict[str, str]]:
    words = [word.strip() for word in line[1:].split(",")]
    options = {}
    for word in words[1:]:
        name, _, value = word.partition("=")
        options[name.strip().upper()] = value.strip().strip('"')
    return " ".join(words[0].upper().split()), options


def _lines(path: str, depth: int) -> Iterator[tuple[str, str]]:
    """The lines of a file and of those that it includes, without comments; keyword lines that go on are one."""
    if depth > _DEPTH:
        raise FileError(f"{path}: more than {_DEPTH} files include one another")
    with files.reading(path), files.opened(path) as file:
        text = file.read(_MOST).decode("utf-8", "replace")
    held = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("**"):
            continue
        line, held = held + line, ""
        if line.startswith("*") and line.endswith(","):
            held = line
            continue
        if line.startswith("*") and _keyword(line)[0] == "INCLUDE":
            name = _keyword(line)[1].get("INPUT", "")
            yield from _lines(os.path.join(os.path.dirname(path), name), depth + 1)
            continue
        yield f"{path}: line {number}", line
