"""A file of a solver as frames: what all formats have in common."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import ArgumentError, NonFiniteError
from .._listing import Item
from .._memory import Remembering
from .._read import Meaning, Snapshot
from ._elements import Block, Skin, skin

Vectors = NDArray[np.float64]
Half = Callable[[float], float]  # half a unit in the last place of what is stored, at a magnitude

SINGLE, SIX = "in single precision", "in text of six digits"


def single(largest: float) -> float:
    """Half a unit in the last place of a number in single precision."""
    return 0.5 * float(np.spacing(np.float32(min(largest, 3e38))))


def digits(count: int, rounded: bool = False) -> Half:
    """Half a unit in the last of so many digits; `rounded` counts a rounding to single precision too."""

    def half(largest: float) -> float:
        if not largest:
            return 0.0
        return 0.5 * 10.0 ** (math.floor(math.log10(largest) + 1e-9) - count + 1) + rounded * single(largest)

    return half


def stored(values: NDArray[np.generic]) -> Half | None:
    """What rounds numbers of an array as it is stored: None for double precision, whose rounding does not count."""
    return single if values.dtype.itemsize == 4 and values.dtype.kind == "f" else None


@dataclass
class Found:
    """One frame as a format has it: positions, a key that is the same while the elements are, and what makes the elements."""

    x: Vectors
    key: object
    blocks: Callable[[], Iterable[Block]]
    halves: tuple[Half | None, Half | None] = (None, None)  # of positions, or of a mesh at rest and of displacements
    rest: Vectors | None = None  # of positions that are a mesh at rest and displacements
    fields: dict[str, Vectors] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    nodes: str = ""  # a digest of the ids of points, where they may change


class Recorded(Remembering):
    """The frames of one file of a solver."""

    adds = False  # whether the format leaves it open what moves its points, so that a displacement may be named
    kind = "its format"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__()
        if meaning.weld:
            raise ArgumentError(f"weld: points of {path} are not welded: {self.kind} has shared points")
        if not self.adds and (meaning.displacement is not None or meaning.points_are == "rest"):
            raise ArgumentError(f"displacement: {path} says itself where its points are, as {self.kind} does: name none")
        self.path, self.meaning = path, meaning
        self.names: list[str] = [""]
        self.items: list[Item] = []
        self.rounded = SINGLE
        self._kept: tuple[object, Skin] | None = None

    def list_frames(self, times: Sequence[float | None]) -> None:
        """Make the items: one for each time; their names are addresses that commands take."""
        name = os.path.basename(self.path.rstrip("/"))
        self.items = [Item(f"{name}[{k}]", time, (("", str(k)),)) for k, time in enumerate(times)]

    def frame(self, k: int) -> Found:
        """The frame of a number."""
        raise NotImplementedError

    def snapshot(self, item: Item) -> Snapshot:
        """One frame."""
        k = int(item.parts[0][1])
        with files.reading(self.path):
            found = self.frame(k)
        x, rest, moved = found.x, found.rest, found.halves[1]
        if self.meaning.displacement is not None:
            rest, x = x, x + self._displacement(found, self.meaning.displacement)
        files.coordinates(f"{self.path}: {item.name}", "vertex", x)
        if self._kept is None or self._kept[0] != found.key:
            self._kept = found.key, skin(self.path, x, found.blocks())
        surface = self._kept[1]
        self.memory.leave(self.number, self.path, found.left_out | surface.left_out)
        if surface.solids:
            self.say(f"{surface.solids:,} solid elements: the sides that one of them alone has are audited")
        return Snapshot(
            item, x, surface.edges, surface.faces, surface.unused, surface.part, self.names, found.fields,
            surface.deviation(x), _off(x, rest, (found.halves[0], moved)), nodes=found.nodes,
        )  # fmt: skip

    def say(self, text: str) -> None:
        """Keep a remark."""
        self.memory.say(self.number, self.path, text)

    def _displacement(self, found: Found, name: str) -> Vectors:
        values = found.fields.get(name)
        if values is None:
            known = ", ".join(sorted(found.fields)) or "none"
            raise ArgumentError(f"displacement: {self.path} has no vectors {name!r}: it has {known}")
        wrong = np.flatnonzero(~(np.abs(values) <= 1e150).all(1))
        if len(wrong):
            raise NonFiniteError(f"displacement: {name} of vertex {wrong[0]} of {self.path} is {values[wrong[0]].tolist()}")
        return values


def _off(x: Vectors, rest: Vectors | None, halves: tuple[Half | None, Half | None]) -> float:
    """How far a position may be off as it is stored, as long as no coordinate is above twice the largest one of this frame.

    A displacement is at most as large as a position and its place at rest are together.
    """
    largest = 2 * float(np.abs(x).max(initial=0.0))
    own, moved = halves
    if rest is None:
        total = own(largest) if own is not None else 0.0
    else:
        still = float(np.abs(rest).max(initial=0.0))
        total = (own(still) if own is not None else 0.0) + (moved(largest + still) if moved is not None else 0.0)
    return float(np.nextafter(total * 1.7320508075688774, np.inf)) if total else 0.0


def named(title: str, number: int) -> str:
    """The name of a part: its title, if it has one, and its id."""
    title = " ".join(title.split())
    return f"{title} ({number})" if title else f"part {number}"
