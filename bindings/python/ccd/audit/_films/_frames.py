"""Frames of films: for an audit one after the other, and for other commands by their addresses."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._inner import files
from ...errors import ArgumentError, FileError
from ...files import Surface
from .. import _read
from .._listing import Item
from . import Options, address, forget, frame, opened
from ._film import Film

_EVERY = 1e300  # a coordinate that none exceeds: how far positions may be off is known for each frame


@dataclass(frozen=True, eq=False)
class Scene(Surface):
    """The bodies of a frame in one surface; `part` has the number of each vertex's body in `names`."""

    part: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    names: list[str] = field(default_factory=list)

    def weld(self, bits: int = 2, places: ArrayLike | None = None) -> Surface:
        """The surface with one vertex in place of those of a body that are copies of each other."""
        if places is not None:
            return super().weld(bits, places)
        none, found, count = np.empty((0, 3), np.int32), [], 0
        for number in range(len(self.names)):
            x = self.vertices[self.part == number]
            own = Surface(x, none[:, :2], none).weld(bits).places
            assert own is not None
            found.append(own + np.int32(count))
            count += int(own.max(initial=-1)) + 1
        welded = super().weld(bits, np.concatenate([np.empty(0, np.int32), *found]))
        return replace(welded, notes=list(self.notes))


def scene(path: str, options: Options) -> Scene:
    """The bodies in the frame that an address names."""
    film, k = frame(path, options)
    names = _names(film, k)
    found = [film.surface(k, name)[0] for name in names]
    first = np.cumsum([0, *(len(one.vertices) for one in found)])
    if first[-1] > 2**31 - 1:
        raise FileError(f"{path} has {first[-1]:,} vertices: at most 2,147,483,647 are read")

    def moved(name: str) -> NDArray[np.int32]:
        return np.concatenate([getattr(one, name) + np.int32(at) for one, at in zip(found, first)])

    return Scene(
        np.concatenate([one.vertices for one in found]), moved("edges"), moved("faces"), moved("unused"),
        _left_out(film, found), {}, list(dict.fromkeys([*film.notes, *(note for one in found for note in one.notes)])),
        part=np.repeat(np.arange(len(found)), np.diff(first)), names=names,
    )  # fmt: skip


def _names(film: Film, k: int) -> list[str]:
    names = sorted(film.names(k))
    if not names:
        listed = ", ".join(f"{count:,} {what}" for what, count in film.left_out.items())
        raise FileError(f"{film.path} has no meshes in frame {k}" + (f"; left out: {listed}" if listed else ""))
    return names


def _left_out(film: Film, found: list[Surface]) -> dict[str, int]:
    counts = Counter(film.left_out)
    for one in found:
        counts.update(one.left_out)
    return dict(counts)


class FilmReader(_read.Reader):
    """The frames of a film, or of several films of one frame each."""

    def __init__(self, paths: Sequence[str], meaning: _read.Meaning, mesh: str | None):
        if meaning.displacement is not None or meaning.points_are == "rest":
            raise ArgumentError(f"{paths[0]} holds positions of every frame: displacement and rest are for files of meshes")
        self.options = Options(meaning.animation, mesh)
        forget()
        found: list[Item] = []
        for path in paths:
            file, number = address(path)
            film = opened(file, self.options)
            if number is not None or len(paths) > 1:
                k = frame(path, self.options)[1]
                found.append(Item(os.path.basename(path), film.times[k], (("", f"{file}[{k}]"),)))
                continue
            name = os.path.basename(file)
            found += [Item(f"{name}[{k}]", time, (("", f"{file}[{k}]"),)) for k, time in enumerate(film.times)]
        super().__init__(found, meaning)
        film = self._frame(found[0])[0]
        while len(paths) == 1 and len(self.items) > 1 and not film.names(self._frame(self.items[-1])[1]):
            film.say(f"{self.items.pop().name} has no bodies that are shown, and is left out: it is the last")
        self.rounded, self._taken = film.rounded, False
        if not meaning.weld and len(getattr(film, "objects", None) or ()) > 1:
            self.part, self.names = getattr(film, "part", None), getattr(film, "objects", None)

    def _frame(self, item: Item) -> tuple[Film, int]:
        file, _, number = item.parts[0][1][:-1].rpartition("[")
        film = opened(file, self.options)
        k = int(number)
        if k >= len(film.times):
            raise FileError(f"{file} has changed: it has {len(film.times)} frames now")
        return film, k

    def decide(self, origins: dict[str, int]) -> None:
        """Weld the bodies again in the frames whose places hold."""
        self._places = {}
        for name, number in origins.items():
            self._welded(name, self._frame(self.items[number])[0].surface(self._frame(self.items[number])[1], name)[0])

    def digest(self, item: Item) -> str:
        """None of the file's: that of the snapshot counts."""
        return ""

    def room(self, first: _read.Snapshot, taken: bool) -> tuple[float, float]:
        """How far a position may be off in this frame, or in all where that is taken as a radius."""
        self._taken, off = taken, first.off
        if taken:
            for item in self.items:
                film, k = self._frame(item)
                off = max([off, *(film.surface(k, name)[1] for name in film.names(k))])
        return off, _EVERY

    def rounded_as(self, found: _read.Snapshot) -> None:
        """Keep how far positions may be off, where it grows."""
        if found.off > (self.memory.single or 0.0):
            if self._taken:
                raise ArgumentError(
                    f"rounding: positions of {found.item.name} may be off by {found.off:.3g}: the file has changed"
                )
            self.memory.rounding.append((self.number, found.off, _EVERY))

    def snapshot(self, item: Item) -> _read.Snapshot:
        """One frame. A body is welded by its places in the first frame that has it with as many vertices."""
        film, k = self._frame(item)
        surfaces, found = list[Surface](), list[tuple[str, tuple[Surface, dict[str, NDArray[np.float64]], float]]]()
        for name in _names(film, k):
            surface, off = film.surface(k, name)
            surfaces.append(surface)
            for text in surface.notes:
                self._say(film.path, text)
            if self.meaning.weld:
                surface = self._welded(name, surface)
            with files.naming(film.path):
                found.append((name, (surface, {}, off)))
        for text in film.notes:
            self._say(film.path, text)
        self.memory.leave(self.number, film.path, _left_out(film, surfaces))
        return self._joined(item, found)

    def _welded(self, name: str, surface: Surface) -> Surface:
        surface = surface.weld(places=self._places_of(name, len(surface.vertices)))
        self._keep(name, surface.places)
        return surface
