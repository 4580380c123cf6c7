"""The facets of a part in a search: in levels of about equal deviation, of which those that decide are split."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..rigid import Body
from ._assembly import Part, body_of
from ._bounds import Doubles
from ._facets import Facets

_GRADES = 24  # how often facets around a point are split
_MOST_GRADED = 4000  # facets around a point, the most that are split once more


@dataclass
class Level:
    """Facets of about one deviation, and their body, which is made when it is asked for."""

    facets: Facets
    make: Callable[[], Body] | None = None

    @cached_property
    def deviation(self) -> float:
        return float(self.facets.deviation.max())

    @cached_property
    def body(self) -> Body:
        return body_of(self.facets) if self.make is None else self.make()


class Side:
    """A part in a search: facets of all of its faces, or of some, in levels of about equal deviation.

    They are made when they are asked for. ``asked`` is the deviation that was asked for, ``first`` that of the first facets,
    and ``begun`` their number.
    """

    def __init__(self, part: Part, asked: float | None, faces: NDArray[np.intp] | None = None):
        self.part, self.asked, self.faces = part, asked, faces
        self._levels: list[Level] | None = None
        self._rest: list[Level] | None = None
        self._first, self._begun = 0.0, 0

    def _made(self) -> Facets:
        """Its first facets."""
        product = self.part.product
        return product.facets(self.asked) if self.faces is None else product._facets_of(self.faces, self.asked)

    @property
    def levels(self) -> list[Level]:
        if self._levels is None:
            product, asked = self.part.product, self.asked
            facets = self._made()
            self._levels = [Level(facets, None if self.faces is not None else lambda: product.body(asked))]
            self._first, self._begun = self._levels[0].deviation, len(facets)
        return self._levels

    @levels.setter
    def levels(self, levels: list[Level]) -> None:
        self._levels = levels

    @property
    def first(self) -> float:
        return self._first if self.levels else 0.0

    @property
    def begun(self) -> int:
        return self._begun if self.levels else 0

    @property
    def rest(self) -> list[Level]:
        """Facets of the other faces, which are not searched."""
        if self._rest is None:
            self._rest = []
            if self.faces is not None:
                facets = self.part.product.facets(self.asked)
                others = facets.chosen(~np.isin(facets.face, self.faces))
                if len(others):
                    self._rest = [Level(others)]
        return self._rest

    def only(self, faces: NDArray[np.intp]) -> Side:
        """The same part with some of its faces."""
        return Side(self.part, self.asked, faces)

    def graded(self, point: Doubles, reach: float) -> Side:
        """The same with facets that are the finer the nearer they are to a point of the part's coordinates."""
        facets = self._made()
        done: list[Facets] = []
        for _ in range(_GRADES):
            out = np.maximum(np.maximum(facets.points.min(1) - point, point - facets.points.max(1)), 0.0)
            far = np.sqrt((out**2).sum(1))
            wide = facets.deviation > np.maximum(reach, 0.25 * far)
            done.append(facets.chosen(~wide))
            if not wide.any():
                break
            before = float(facets.deviation[wide].max())
            facets = facets.chosen(wide).narrowed(0.2 * facets.deviation[wide])
            if float(facets.deviation.max()) > 0.8 * before or len(facets) > _MOST_GRADED:  # Gaps of a file stay.
                done.append(facets)
                break
        else:
            done.append(facets)
        found = Side(self.part, self.asked, self.faces)
        found._first, found._begun = self.first, self.begun
        found.levels = _levels([f for f in done if len(f)], self.first)
        return found

    @property
    def all(self) -> Facets:
        """Its facets of all levels."""
        first, *others = (level.facets for level in self.levels)
        return first.joined(*others) if others else first

    @property
    def count(self) -> int:
        return sum(len(level.facets) for level in self.levels)

    def split(self, near: list[NDArray[np.bool_]]) -> bool:
        """Split the facets of each level that a mask names; report whether some became narrower."""
        kept: list[tuple[Level, Facets | None]] = []
        grown: Facets | None = None
        changed = False
        for level, mask in zip(self.levels, near):
            if not mask.any():
                kept.append((level, None))
                continue
            chosen = level.facets.chosen(mask)
            finer = chosen.narrowed(0.2 * level.deviation)
            changed |= float(finer.deviation.max()) < 0.7 * level.deviation
            grown = finer if grown is None else grown.joined(finer)
            if not mask.all():
                kept.append((level, level.facets.chosen(~mask)))
        if grown is None or not changed:
            return False
        levels = [level for level, rest in kept if rest is None]
        rests = [rest for _, rest in kept if rest is not None]
        self.levels = levels + _levels([*rests, grown], self.first)
        return True


def _levels(lists: list[Facets], first: float) -> list[Level]:
    """Facets in levels, each a quarter of the one before."""
    by: dict[int, Facets] = {}
    for facets in lists:
        rank = np.clip(np.floor(np.log(first / np.maximum(facets.deviation, first * 2.0**-50)) / math.log(4)), 0, 24)
        for k in np.unique(rank).tolist():
            some = facets.chosen(rank == k)
            by[int(k)] = by[int(k)].joined(some) if int(k) in by else some
    return [Level(f) for _, f in sorted(by.items())]
