"""LS-DYNA's d3plot, read by lasso-python: each state by its number, without the elements that eroded."""

from __future__ import annotations

import logging
import os
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError
from .._packages import package
from .._read import Meaning
from ._elements import Block
from ._recorded import Found, Recorded, named, stored

_BLOCK = 1 << 16
_MARKS = [np.array([-999999.0], kind).tobytes().rstrip(b"\0") for kind in ("<f4", ">f4", "<f8", ">f8")]

# What lasso calls an element, and VTK's type and number of its nodes.
_KINDS = {"solid": (12, 8), "tshell": (12, 8), "shell": (9, 4), "beam": (3, 2)}


def is_d3plot(path: str) -> bool:
    """Whether a file has the name of a d3plot."""
    name = os.path.basename(path).lower()
    return name == "d3plot" or name.endswith(".d3plot") or name.endswith("_d3plot")


class D3plot(Recorded):
    """The states of a d3plot and of the files that go on from it (d3plot01, d3plot02 ...), which are read at once."""

    kind = "a d3plot"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__(path, meaning)
        with files.reading(path):
            self._family = _family(path)
            unended = [one for one in self._family if not _ends(one)]
        if any(one != self._family[-1] for one in unended) or unended == [path]:
            raise FileError(f"{unended[0]} has no mark at its end (-999999): it was cut off")
        self._open_end = bool(unended)
        dyna = package("lasso.dyna", path, "lasso-python>=2.0.4")
        logging.getLogger("lasso").setLevel(logging.CRITICAL)
        with files.reading(path):
            self.plot: Any = dyna.D3plot(path, state_array_filter=_STATE)
            self._check()

    def _array(self, name: str) -> Any:
        return self.plot.arrays.get(name)

    def _check(self) -> None:
        moved, times, rest = (self._array(n) for n in ("node_displacement", "timesteps", "node_coordinates"))
        if rest is None or rest.ndim != 2 or rest.shape[1] != 3:
            raise UnsupportedError(f"{self.path} has no coordinates in three dimensions")
        if moved is None or times is None:
            raise FileError(f"{self.path} has no states with positions of nodes: it was cut off, or written without them")
        if moved.shape != (len(times), len(rest), 3):
            raise FileError(
                f"{self.path}: positions are {moved.shape}, where {len(times)} states of {len(rest)} nodes were expected"
            )
        if self.plot.header.has_node_deletion_data:
            raise UnsupportedError(f"{self.path} says which nodes are alive, not which elements: that is not read (MDLOPT = 1)")
        if self.plot.header.has_solid_2_extra_nodes:
            raise UnsupportedError(
                f"{self.path} has solids of 10 nodes, which lasso-python does not read safely: write 4 (ELFORM)"
            )
        for nodes in ("20", "27", "21_penta", "15_tetras", "20_tetras", "40_pentas", "64_hexas"):
            if self._array(f"element_solid_node{nodes}_element_index") is not None:
                raise UnsupportedError(f"{self.path} has solids of {nodes.replace('_', ' ')} nodes: those of 8 are read")
        if self._array("element_shell_node8_element_index") is not None:
            raise UnsupportedError(f"{self.path} has shells of 8 nodes: those of 4 are read")
        if self._open_end:
            self.say(f"{self._family[-1]} has no mark at its end: its last state, which may not be whole, is left out")
            times = times[:-1]
        if len(times) and (not np.isfinite(times).all() or (np.diff(times) < 0).any()):
            raise FileError(f"{self.path}: the times of its states do not ascend: {[float(t) for t in times[:9]]}")
        self.x, self.half = moved, stored(moved)
        ids = self._array("part_ids")
        titles = dict(
            zip(
                _numbers(self._array("part_titles_ids")),
                self._array("part_titles") if self._array("part_titles") is not None else [],
            )
        )
        self.parts: list[NDArray[np.int64]] = []
        highest = -1
        self.kinds = [name for name in _KINDS if self._array(f"element_{name}_node_indexes") is not None]
        for name in self.kinds:
            part = np.asarray(self._array(f"element_{name}_part_indexes"), np.int64)
            if len(part) != len(self._array(f"element_{name}_node_indexes")):
                raise FileError(f"{self.path}: {len(part)} parts of {name}s, which are others in number")
            self.parts.append(part)
            highest = max(highest, int(part.max(initial=-1)))
        numbers = [int(i) for i in ids] if ids is not None else list(range(1, highest + 2))
        if highest >= len(numbers):
            raise FileError(f"{self.path}: an element is of part {highest}, and there are {len(numbers)}")
        self.names = [named(_word(titles.get(n, "")), n) for n in numbers] or [""]
        self.list_frames([float(t) for t in times])
        for what, name in (
            ("SPH particles", "sph_node_indexes"),
            ("airbag particles", "airbag_particle_position"),
            ("nodes of rigid roads", "rigid_road_node_coordinates"),
        ):
            found = self._array(name)
            if found is not None and len(found):
                self.say(f"{what} are left out: they have no surface")

    def frame(self, k: int) -> Found:
        """One state."""
        alive = [self._alive(name, k) for name in self.kinds]
        lost = {name: int((~a).sum()) for name, a in zip(self.kinds, alive) if a is not None and not a.all()}
        key = tuple(b"" if a is None or a.all() else np.packbits(a).tobytes() for a in alive)

        def blocks() -> list[Block]:
            found = []
            for name, part, keep in zip(self.kinds, self.parts, alive):
                nodes = np.asarray(self._array(f"element_{name}_node_indexes"), np.int64)
                kind, count = _KINDS[name]
                for number in np.unique(part):
                    rows = (part == number) if keep is None else (part == number) & keep
                    found.append(Block(int(number), kind, nodes[rows, :count]))
            return found

        return Found(
            np.asarray(self.x[k], np.float64), key, blocks, (self.half, None),
            left_out={f"{name}s that eroded": count for name, count in lost.items()},
        )  # fmt: skip

    def _alive(self, name: str, k: int) -> NDArray[np.bool_] | None:
        found = self._array(f"element_{name}_is_alive")
        return None if found is None else np.asarray(found[k]) > 0


_STATE = [
    "timesteps", "node_displacement", *(f"element_{name}_is_alive" for name in _KINDS),
]  # fmt: skip


def _family(path: str) -> list[str]:
    """A d3plot and the files that go on from it; refused if one is missing, whose states would be, without a word."""
    folder, name = os.path.split(path)
    found: dict[int, str] = {}
    for other in os.listdir(folder or "."):
        match = re.fullmatch(re.escape(name) + r"(\d+)", other)
        if match:
            found[int(match[1])] = os.path.join(folder, other)
    missing = sorted(set(range(1, max(found, default=0) + 1)) - set(found))
    if missing:
        raise FileError(f"{path}: the file with number {missing[0]} that goes on from it is missing, and later ones are there")
    return [path, *(found[k] for k in sorted(found))]


def _ends(path: str) -> bool:
    """Whether a file ends with the mark of LS-DYNA, and zeros to fill the last block."""
    with files.opened(path) as file:
        size = file.seek(0, os.SEEK_END)
        for end in range(size, 0, -_BLOCK):
            start = max(0, end - _BLOCK - 8)  # a mark may lie across the begin of a block
            file.seek(start)
            tail = file.read(end - start).rstrip(b"\0")
            if len(tail) > 8 or (tail and not start):
                return any(tail.endswith(mark) for mark in _MARKS)
    return False


def _numbers(ids: Any) -> list[int]:
    return [] if ids is None else [int(i) for i in ids]


def _word(text: Any) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
