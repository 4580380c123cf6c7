"""One frame after the other from files: parts put together, welded and displaced as the first frame says."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import volume
from .._inner import files
from .._inner.volumes import boundary
from ..errors import ArgumentError, FileError, NonFiniteError, UnsupportedError
from ..files import Surface, read
from ..mesh import Mesh
from ._division import same_polygons
from ._listing import Item, pieces
from ._memory import Remembering

_Fields = dict[str, NDArray[np.float64]]


@dataclass
class Meaning:
    """What the numbers in files are, as the user says it."""

    displacement: str | None = None
    weld: bool = False
    points_are: str | None = None
    animation: str | None = None  # of a film whose file names several


@dataclass
class Snapshot:
    """One frame with its topology."""

    item: Item
    x: NDArray[np.float64]
    edges: NDArray[np.int32]
    faces: NDArray[np.int32]
    unused: NDArray[np.int32]
    part: NDArray[np.int64]  # part of each vertex
    names: list[str]
    fields: _Fields
    deviation: float = 0.0  # how far curved faces and lines of its files are from the flat ones
    off: float = 0.0  # how far a position may be off by the rounding of its file, if that is in single precision
    read: str = ""  # a digest of what the frame was read from, where one is kept
    nodes: str = ""  # a digest of the ids of its vertices, in a format that has them

    def digest(self) -> str:
        """A digest of the positions and the topology."""
        found = hashlib.blake2b(digest_size=16)
        for array in (self.x, self.edges, self.faces):
            found.update(str(array.shape).encode())
            found.update(array.tobytes())
        return found.hexdigest()

    def mesh(self) -> Mesh:
        """The topology."""
        surface = Surface(self.x, self.edges, self.faces, self.unused)
        with files.naming(self.item.name):
            return surface.mesh()

    def differs(self, other: Snapshot) -> str:
        """Why the topology is another than that of an earlier frame; empty if it is the same."""
        if self.names != other.names:
            lost, new = ([n for n in a if n not in b] for a, b in ((other.names, self.names), (self.names, other.names)))
            said = [f"{', '.join(n[:3])} {word}" for n, word in ((lost, "is absent"), (new, "is new")) if n]
            return f"parts: {'; '.join(said) or 'in another order'}"
        if len(self.x) != len(other.x):
            return f"{len(self.x)} vertices, {len(other.x)} before"
        if self.nodes != other.nodes:
            return "other nodes, by their ids"
        if not np.array_equal(self.edges, other.edges):
            return "other edges"
        if len(self.faces) != len(other.faces):
            return f"{len(self.faces)} faces, {len(other.faces)} before"
        if not np.array_equal(self.faces, other.faces) and not same_polygons(self.faces, self.x, other.faces, other.x):
            return "other faces"
        return ""


def nodes_of(ids: NDArray[np.int64]) -> str:
    """A digest of the ids of vertices."""
    return hashlib.blake2b(np.ascontiguousarray(ids, np.int64).tobytes(), digest_size=16).hexdigest()


class Reader(Remembering):
    """Reads the frames of a sequence in order. It keeps how the first frame of a stretch was welded."""

    def __init__(self, items: list[Item], meaning: Meaning):
        super().__init__()
        self.items, self.meaning = items, meaning
        self._places: dict[str, NDArray[np.int32] | None] = {}
        ends = [dict.fromkeys(path for _, path in item.parts) for item in (items[:1] + items[-1:])]
        self._still = set(ends[0]) & set(ends[-1]) if len(items) > 1 else set[str]()  # files of what stands still
        self._kept: dict[tuple[str, str], tuple[Surface, _Fields, float]] = {}  # what was read from them

    def decide(self, origins: dict[str, int]) -> None:
        """Weld the parts again in the frames whose places hold."""
        self._places = {}
        for name, number in origins.items():
            self._part(name, dict(self.items[number].parts)[name])

    def snapshot(self, item: Item) -> Snapshot:
        """One frame. A part is welded by its places in the first frame that has it with as many vertices."""
        found = [(name, self._once(name, path)) for name, path in item.parts]
        if len(found) == 1 or item.ordered:
            return self._joined(item, found)
        return self._joined(item, sorted(found, key=lambda one: one[0]))

    def digest(self, item: Item) -> str:
        """A digest of the files of a frame."""
        found = hashlib.blake2b(digest_size=16)
        for name, path in item.parts:
            found.update(name.encode() + b"\0")
            for one in dict.fromkeys([path, *pieces(path)]):
                with files.reading(one), files.opened(one) as file:
                    while block := file.read(1 << 20):
                        found.update(block)
        return found.hexdigest()

    def _once(self, name: str, path: str) -> tuple[Surface, _Fields, float]:
        """A part. A file that all frames have is read once."""
        if path not in self._still:
            return self._part(name, path)
        if (name, path) not in self._kept:
            self._kept[name, path] = self._part(name, path)
        return self._kept[name, path]

    def _part(self, name: str, path: str) -> tuple[Surface, _Fields, float]:
        listed = pieces(path)
        try:
            surface = together([read(one) for one in listed])
        except FileError as error:
            if "it is no surface" not in str(error):
                raise
            cells = together([volume.read(one) for one in listed])
            self._say(path, f"{len(cells.elements):,} elements without a surface of their own: their boundary is audited")
            if self.meaning.weld:
                cells = cells.weld(places=self._places_of(name, len(cells.vertices)))
                self._keep(name, cells.places)
            with files.naming(path):
                surface = boundary(cells)
        else:
            if self.meaning.weld:
                surface = surface.weld(places=self._places_of(name, len(surface.vertices)))
                self._keep(name, surface.places)
                if any(_OF_SOLIDS in note for note in surface.notes):
                    surface = without_walls(surface)
        if len(listed) > 1 and surface.deviation:
            raise UnsupportedError(f"{path} has curved cells in several pieces, which are not put together here: save one VTU")
        if len(listed) > 1 and not self.meaning.weld:
            self._say(path, f"it has {len(listed)} pieces, whose points may be doubled at their borders: weld them")
        files.coordinates(path, "vertex", surface.vertices)
        self.memory.leave(self.number, path, surface.left_out)
        for text in surface.notes:
            if not (self.meaning.weld and "weld them" in text.lower()):
                self._say(path, text)
        fields, off = dict(surface.fields), rounding(surface.vertices)
        if self.meaning.displacement is not None:
            added = self._displaced(path, fields)
            off += rounding(added)
            surface = dataclasses.replace(surface, vertices=surface.vertices + added)
        return surface, fields, off

    def _places_of(self, name: str, count: int) -> NDArray[np.int32] | None:
        places = self._places.get(name)
        return places if places is not None and len(places) == count else None

    def _keep(self, name: str, places: NDArray[np.int32] | None) -> None:
        """Keep the places of a part, and the frame that they come from if they are new."""
        if places is not None and self._places_of(name, len(places)) is None:
            self._places[name] = places
            self.memory.origins.append((self.number, name))

    def _say(self, path: str, text: str) -> None:
        """Keep a remark, with the first file that it is of."""
        self.memory.say(self.number, path, text)

    def _displaced(self, path: str, fields: _Fields) -> NDArray[np.float64]:
        name = self.meaning.displacement
        assert name is not None
        values = fields.get(name)
        if values is None:
            known = ", ".join(sorted(fields)) or "none at all"
            raise ArgumentError(f"displacement: {path} has no point data {name!r}: it has {known}")
        if values.ndim != 2 or values.shape[1] not in (2, 3):
            raise ArgumentError(
                f"displacement: {name} of {path} has {1 if values.ndim == 1 else values.shape[1]} components, not 3"
            )
        wrong = np.flatnonzero(~(np.abs(values) <= 1e150).all(1))
        if len(wrong):
            raise NonFiniteError(f"displacement: {name} of vertex {wrong[0]} of {path} is {values[wrong[0]].tolist()}")
        return np.column_stack([values, np.zeros((len(values), 3 - values.shape[1]))])

    def _joined(self, item: Item, found: list[tuple[str, tuple[Surface, _Fields, float]]]) -> Snapshot:
        counts = [len(surface.vertices) for _, (surface, _, _) in found]
        first = np.concatenate([[0], np.cumsum(counts)])
        if first[-1] > 2**31 - 1:
            raise FileError(f"{item.name} has {first[-1]:,} vertices: at most 2,147,483,647 are read")
        surfaces, all_fields = [one[0] for _, one in found], [one[1] for _, one in found]
        common = set.intersection(*map(set, all_fields)) if found else set()
        same = {n for n in common if len({fields[n].shape[1:] for fields in all_fields}) == 1}

        def stacked(name: str) -> NDArray[np.int32]:
            arrays = [getattr(surface, name) + np.int32(at) for surface, at in zip(surfaces, first)]
            return np.concatenate(arrays).astype(np.int32)

        return Snapshot(
            item,
            np.concatenate([surface.vertices for surface in surfaces]),
            stacked("edges"), stacked("faces"), stacked("unused"),
            np.repeat(np.arange(len(found)), counts),
            [name for name, _ in found],
            {name: np.concatenate([fields[name] for fields in all_fields]) for name in sorted(same)},
            max((surface.deviation for surface in surfaces), default=0.0),
            max((one[2] for _, one in found), default=0.0),
        )  # fmt: skip


_OF_SOLIDS = "have no surface of their own: their boundary is read"  # how the reader says it


def without_walls(surface: Surface) -> Surface:
    """The boundary of solids that had points of their own: without the faces that two of them have since they were welded."""
    _, number, count = np.unique(np.sort(surface.faces, axis=1), axis=0, return_inverse=True, return_counts=True)
    faces = surface.faces[count[number.reshape(-1)] == 1]
    used = np.zeros(len(surface.vertices), bool)
    used[faces], used[surface.edges] = True, True
    return dataclasses.replace(surface, faces=faces, unused=np.flatnonzero(~used).astype(np.int32))


_Pieces = TypeVar("_Pieces", Surface, volume.Cells)


def together(found: list[_Pieces]) -> _Pieces:
    """Pieces as one, each with vertices of its own; with the fields that all have."""
    if len(found) == 1:
        return found[0]
    first = np.concatenate([[0], np.cumsum([len(one.vertices) for one in found])])
    fields = {
        name: np.concatenate([one.fields[name] for one in found])
        for name, values in found[0].fields.items()
        if all(name in one.fields and one.fields[name].shape[1:] == values.shape[1:] for one in found)
    }
    left_out = dict(sum((Counter(one.left_out) for one in found), Counter()))
    notes = list(dict.fromkeys(note for one in found for note in one.notes))

    def moved(name: str) -> NDArray[np.int32]:
        return np.concatenate([getattr(one, name) + np.int32(at) for one, at in zip(found, first)])

    vertices = np.concatenate([one.vertices for one in found])
    if isinstance(found[0], Surface):
        deviation = max(one.deviation for one in found)
        names = moved("edges"), moved("faces"), moved("unused")
        return Surface(vertices, *names, left_out, fields, notes, deviation=deviation)
    elements = np.concatenate([one.elements for one in found])
    return volume.Cells(vertices, elements, moved("corners"), left_out, fields, notes)


class Stillness:
    """Whether the points of files may be at rest, with the motion in other data: nothing is guessed."""

    def __init__(self, meaning: Meaning):
        self.meaning, self.moved = meaning, False
        if meaning.points_are not in (None, "positions", "rest"):
            raise ArgumentError(f"points_are is {meaning.points_are!r}: must be positions or rest")

    def begin(self, first: Snapshot) -> None:
        """Refuse rest positions without a displacement."""
        if self.meaning.points_are == "rest" and self.meaning.displacement is None:
            known = ", ".join(vectors(first.fields)) or "none"
            raise ArgumentError(
                f"points_are is rest: the displacement must be named too; {first.item.name} has point data of three "
                f"components: {known}"
            )

    def step(self, before: Snapshot, after: Snapshot) -> None:
        """Refuse a step whose points stay and whose vectors change, unless something moved before or the meaning is said."""
        self.moved = self.moved or not np.array_equal(before.x, after.x)
        if self.moved or self.meaning.displacement is not None or self.meaning.points_are == "positions":
            return
        both = [name for name in vectors(before.fields) if name in after.fields]
        changed = [n for n in both if not np.array_equal(before.fields[n], after.fields[n], equal_nan=True)]
        if changed:
            raise ArgumentError(
                f"{before.item.name} and {after.item.name} have equal points beside point data that change: "
                f"{', '.join(changed[:5])}. If one is the displacement, name it (--displacement {changed[0]}); if the points "
                "are the positions of the frames, say so (--points-are positions)"
            )


def vectors(fields: _Fields) -> list[str]:
    """Names of point data of three components, displacements first."""
    found = [name for name, values in fields.items() if values.ndim == 2 and values.shape[1] == 3]
    return sorted(found, key=lambda name: ("disp" not in name.lower() and name.lower() not in ("solution", "u"), name))


def reordered(before: Snapshot, after: Snapshot) -> str:
    """A remark where vertices seem to have another order: over half of them move by a fourth of the scene, which stays."""
    if not len(before.x):
        return ""
    low, high = before.x.min(0), before.x.max(0)
    size = float(np.linalg.norm(high - low))
    if not size:
        return ""
    far = np.linalg.norm(after.x - before.x, axis=1) > size / 4
    still = np.linalg.norm(after.x.min(0) - low) < size / 20 and np.linalg.norm(after.x.max(0) - high) < size / 20
    if 2 * int(far.sum()) <= len(far) or not still:
        return ""
    share = f"{100 * far.mean():.0f} %"
    return f"{share} of the vertices move by more than a fourth of the scene, which stays: has their order changed?"


def rounding(x: NDArray[np.float64]) -> float:
    """How far a position may be off if coordinates are of single precision, else 0: a length.

    They are so where all are, and some need more than 16 bits. It is half a unit in the last place of twice the largest, in
    each of three coordinates: room for what later frames have.
    """
    with np.errstate(over="ignore"):
        if not np.array_equal(x, x.astype(np.float32).astype(np.float64)):
            return 0.0
    if not np.any(np.modf(np.ldexp(np.frexp(x)[0], 16))[0]):
        return 0.0
    unit = float(np.spacing(np.float32(2 * np.abs(x).max())))
    return float(np.nextafter(unit * 0.5 * 1.7320508075688774, np.inf))
