"""Input decks, one for each frame: Abaqus (and CalculiX) INP with placements, Nastran BDF."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..._inner import files
from ...errors import ArgumentError
from .._listing import Item
from .._memory import Remembering
from .._read import Meaning, Snapshot, nodes_of
from ._elements import Block, Rows, Skin, skin
from ._recorded import Vectors


@dataclass
class Deck:
    """What a deck says: nodes where they are, elements, names of bodies, and remarks."""

    x: Vectors
    blocks: list[Block]
    names: list[str]
    ids: Rows  # one number for each node
    left_out: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class Decks(Remembering):
    """Decks of one program, each a frame."""

    def __init__(self, paths: Sequence[str], meaning: Meaning, read: Callable[[str], Deck]):
        super().__init__()
        if meaning.weld or meaning.displacement is not None or meaning.points_are == "rest":
            raise ArgumentError(
                f"{paths[0]} is an input deck, which holds positions: displacement, weld and rest are for other files"
            )
        self.read = read
        self.items = [Item(os.path.basename(path), None, (("", path),)) for path in paths]
        self._kept: tuple[list[Block], Skin] | None = None

    def snapshot(self, item: Item) -> Snapshot:
        """One frame."""
        path = item.parts[0][1]
        with files.reading(path):
            deck = self.read(path)
        files.coordinates(path, "node", deck.x)
        if self._kept is None or not _same(self._kept[0], deck.blocks) or len(self._kept[1].part) != len(deck.x):
            self._kept = deck.blocks, skin(path, deck.x, deck.blocks)
        surface = self._kept[1]
        self.memory.leave(self.number, path, deck.left_out | surface.left_out)
        for text in deck.notes:
            self.memory.say(self.number, path, text)
        if surface.solids:
            text = f"{surface.solids:,} solid elements: the sides that one of them alone has are audited"
            self.memory.say(self.number, path, text)
        return Snapshot(
            item, deck.x, surface.edges, surface.faces, surface.unused, surface.part, deck.names, {}, surface.deviation(deck.x),
            nodes=nodes_of(deck.ids),
        )  # fmt: skip


def _same(before: list[Block], after: list[Block]) -> bool:
    return len(before) == len(after) and all(
        (a.part, a.kind) == (b.part, b.kind) and np.array_equal(a.nodes, b.nodes) for a, b in zip(before, after)
    )
