"""CalculiX's FRD as text: the file's own mesh, and the mesh with the displacements of each increment."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError
from .._read import Meaning
from ._elements import Block
from ._orders import UPRIGHT_FIRST, ordered
from ._recorded import SIX, Found, Recorded, Vectors, digits

# Types of elements: VTK's, and the number of nodes.
_KINDS = {1: (12, 8), 2: (13, 6), 3: (10, 4), 4: (25, 20), 5: (26, 15), 6: (24, 10), 7: (5, 3), 8: (22, 6), 9: (9, 4),
          10: (23, 8), 11: (3, 2), 12: (21, 3)}  # fmt: skip
_MOST = 1 << 33  # bytes


@dataclass
class _Step:
    """Displacements of one increment: where their lines are."""

    time: float
    kind: int  # ICTYPE: 0 static, 1 in time, 2 a mode, 3 a step of load, 4 of the user
    form: int
    mode: bool
    lines: tuple[int, int] = (0, 0)
    parts: list[str] = field(default_factory=list)


class FRD(Recorded):
    """The increments of an FRD file. Its mesh, at rest, is the first frame: results do not have it."""

    kind = "FRD"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__(path, meaning)
        self.rounded = SIX
        with files.reading(path), files.opened(path) as file:
            text = file.read(_MOST)
            if text[:64].lstrip()[:2] != b"1C" and b"\n    2C" not in text[: 1 << 16]:
                raise FileError(f"{path} is no FRD of CalculiX: it does not begin with 1C")
            self.lines = text.split(b"\n")
            self._steps: list[_Step] = []
            self._scan()

    def _scan(self) -> None:
        at, mode, nodes, elements = 0, False, None, None
        lines = self.lines
        while at < len(lines):
            line = lines[at]
            key = line[:6]
            if key[:5] == b"    2" and key[5:6] == b"C":
                form = _form(line)
                at = self._end(at + 1)
                nodes = form, self._start, at
            elif key == b"    3C":
                form = _form(line)
                at = self._end(at + 1)
                elements = form, self._start, at
            elif key == b"    1P":
                mode = mode or line[6:10] in (b"MODE", b"HID ", b"GM  ", b"GK  ", b"SUBC")
            elif line[:5] == b"  100":
                step = _Step(float(line[12:24]), int(line[56:58] or b"0"), _form(line), mode)
                mode = False
                name = lines[at + 1][5:13].decode("latin-1").strip() if at + 1 < len(lines) else ""
                at += 2
                while at < len(lines) and lines[at][:3] == b" -5":
                    step.parts.append(lines[at][5:13].decode("latin-1").strip())
                    at += 1
                if name.startswith(("DISP", "PDISP")):
                    self._check(step, name)
                at = self._end(at)
                if name == "DISP":
                    step.lines = (self._start, at)
                    self._steps.append(step)
            elif line[:5].strip() == b"9999":
                break
            at += 1
        if nodes is None or elements is None:
            raise FileError(f"{self.path} has no nodes (2C) and elements (3C)")
        if not self._steps:
            raise FileError(f"{self.path} has no displacements: ask for U in *NODE FILE")
        self._mesh(nodes, elements)

    def _end(self, at: int) -> int:
        """The line that ends a section; the section begins at `_start`."""
        self._start = at
        while at < len(self.lines) and self.lines[at][:3] != b" -3":
            at += 1
        if at == len(self.lines):
            raise FileError(
                f"{self.path}: line {self._start}: a section without an end (-3): the file was cut off, or is binary"
            )
        return at

    def _check(self, step: _Step, name: str) -> None:
        if step.mode or step.kind == 2:
            raise UnsupportedError(f"{self.path} has modes (at {step.time:g}): shapes of a vibration are no motion in time")
        if name != "DISP" or "i" in {part[-1:].lower() for part in step.parts[:3]}:
            raise UnsupportedError(
                f"{self.path} has complex displacements ({name}, at {step.time:g}): they are no motion in time"
            )
        if step.kind not in (0, 1, 3):
            raise UnsupportedError(
                f"{self.path}: displacements at {step.time:g} are of type {step.kind}, which is not understood"
            )
        if step.form > 1:
            raise UnsupportedError(f"{self.path} has binary results: ask for *NODE FILE, which writes text")

    def _mesh(self, nodes: tuple[int, int, int], elements: tuple[int, int, int]) -> None:
        if nodes[0] > 1 or elements[0] > 1:
            raise UnsupportedError(f"{self.path} has a binary mesh: ask for *NODE FILE, which writes text")
        self.ids, self.rest = self._table(*nodes)
        order = np.argsort(self.ids, kind="stable")
        self._order, self._sorted = order, self.ids[order]
        if len(self.ids) and (np.diff(self._sorted) == 0).any():
            raise FileError(f"{self.path}: a node is given twice")
        self.elements = self._elements(*elements)
        self.shown = self._displaced(self._steps[0])[1]
        times = [step.time for step in self._steps]
        self.list_frames([None, *times])
        self.say(f"frame 0, {self.items[0].name}, is the mesh at rest")

    def _table(self, form: int, start: int, end: int) -> tuple[NDArray[np.int64], Vectors]:
        """The lines of nodes: id, and three numbers of 12 letters."""
        width = 13 if form == 1 else 8
        rows = [line for line in self.lines[start:end] if line[:3] == b" -1"]
        ids = np.array([int(line[3:width]) for line in rows], np.int64)
        values = np.array([[float(line[k : k + 12]) for k in (width, width + 12, width + 24)] for line in rows], np.float64)
        return ids, values.reshape(-1, 3)

    def _rows(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of nodes by their ids."""
        at = np.minimum(np.searchsorted(self._sorted, ids), max(0, len(self._sorted) - 1))
        wrong = np.flatnonzero(self._sorted[at] != ids) if len(self._sorted) else np.arange(len(ids))
        if len(wrong):
            raise FileError(f"{self.path}: node {ids[wrong[0]]} is named, and not there")
        return self._order[at]

    def _elements(self, form: int, start: int, end: int) -> list[Block]:
        width = 10 if form == 1 else 5
        found: dict[int, list[list[int]]] = {}
        at = start
        while at < end:
            line = self.lines[at]
            kind = int(line[3 + width : 8 + width])
            if kind not in _KINDS:
                raise UnsupportedError(f"{self.path}: line {at + 1}: an element of type {kind}, which is not read")
            cell, count = _KINDS[kind]
            nodes: list[int] = []
            at += 1
            while at < end and self.lines[at][:3] == b" -2":
                row = self.lines[at][3:].rstrip()
                nodes += [int(row[k : k + width]) for k in range(0, len(row), width)]
                at += 1
            if len(nodes) != count:
                raise FileError(f"{self.path}: line {at}: an element of type {kind} has {len(nodes)} nodes, not {count}")
            found.setdefault(cell, []).append(nodes)
        return [Block(0, cell, ordered(cell, self._rows(np.array(r, np.int64)), UPRIGHT_FIRST)) for cell, r in found.items()]

    def _displaced(self, step: _Step) -> tuple[Vectors, NDArray[np.bool_]]:
        ids, values = self._table(step.form, *step.lines)
        rows = self._rows(ids)
        moved, known = np.zeros_like(self.rest), np.zeros(len(self.rest), bool)
        moved[rows], known[rows] = values, True
        return moved, known

    def frame(self, k: int) -> Found:
        """The mesh at rest, or one increment. Elements that have a node without a displacement are not in it."""
        moved, known = (np.zeros_like(self.rest), self.shown) if k == 0 else self._displaced(self._steps[k - 1])
        inside = [block.within(known) for block in self.elements]
        lost = sum(int((~kept).sum()) for kept in inside)
        used = np.zeros(len(self.rest), bool)
        for block, kept in zip(self.elements, inside):
            used[block.nodes[kept]] = True

        def blocks() -> list[Block]:
            return [block.select(kept) for block, kept in zip(self.elements, inside)]

        key = tuple(np.packbits(kept).tobytes() for kept in inside)
        left_out = {"elements whose nodes have no displacement": lost} if lost else {}
        half = digits(6, rounded=True)
        return Found(self.rest + moved, key, blocks, (half, half), rest=self.rest, left_out=left_out)


def _form(line: bytes) -> int:
    """The format in the last column: 0 and 1 are text, 2 and 3 binary."""
    words = line.split()
    return int(words[-1]) if len(words) > 1 and words[-1].isdigit() else 1
