"""Volumes of elements that deform: tetrahedra, hexahedra, prisms, pyramids and shells, in any mixture.

    cells = ccd.volume.read("torus.vtk")
    volume = cells.volume()
    first = ccd.volume.earliest(volume, x0, x1)
    every = ccd.volume.collisions(volume, x0, x1, pair_classes=("between-objects",))

Frames are (n, 3) arrays, n = vertices of the volume. The keywords of every call are those of `ccd.Options`. Answers have the
same bits for any number of threads, whatever the volume has seen before. Ctrl-C stops a call promptly.
Paper: [Tang2011]; the default method is a faster one.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, results
from ._native.call import check, create, renaming
from ._native.steps import prepare_on
from .errors import ArgumentError
from .files import load
from .impact import Impact as PairImpact
from .impact import _Named
from .impact import impact_dtype as _pair_dtype

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = [
    "Cells",
    "Element",
    "Impact",
    "PairClass",
    "Volume",
    "backtrack",
    "collisions",
    "earliest",
    "impact_dtype",
    "read",
]


class Element(_Named):
    """Types of elements, with the numbers and the orders of corners of VTK."""

    TRIANGLE = 5
    QUADRILATERAL = 9
    TETRAHEDRON = 10
    HEXAHEDRON = 12
    PRISM = 13
    PYRAMID = 14

    @property
    def corners(self) -> int:
        """Number of corners."""
        return {5: 3, 9: 4, 10: 4, 12: 8, 13: 6, 14: 5}[int(self)]


class PairClass(_Named):
    """What two features are to one another; a pair is of the first class that fits, in the order WITHIN_ELEMENT, AT_SPLIT,
    WITHIN_OBJECT, BETWEEN_OBJECTS."""

    BETWEEN_OBJECTS = 1  #: they are of two connected components
    WITHIN_OBJECT = 2  #: they are of one
    WITHIN_ELEMENT = 4  #: an element has all vertices of both: contact means that it is squeezed flat
    AT_SPLIT = 8  #: a vertex of the one and one of the other were split from one, and coincide at t = 0; skipped by default


_SURFACE = 16

#: Record of one impact, 152 bytes, the layout of ccd_volume_impact: when and where; the vertices of the pair, v f0 f1 f2 or
#: a0 a1 b0 b1; the element that has both features, else the least that has a, and b; the class of the pair.
impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("impact", _pair_dtype),
        ("vertices", np.int32, 4),
        ("elements", np.int32, 2),
        ("pair_class", np.uint32),
        ("reserved", np.uint32),
    ]
)


@dataclass(frozen=True)
class Impact:
    """One impact of a volume, or the proof that there is none.

    impact      when and where; a, b: numbers of a vertex and a face, or of two edges
    vertices    v f0 f1 f2, or a0 a1 b0 b1
    elements    the element that has both features; where there is none, the least that has a, and b
    pair_class  what the two features are to each other; None when the step is separate
    """

    impact: PairImpact
    vertices: tuple[int, ...]
    elements: tuple[int, int]
    pair_class: PairClass | None

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """The Impact in one element of an array of `impact_dtype`."""
        first, second = map(int, record["elements"])
        number = int(record["pair_class"])
        return cls(
            PairImpact.from_record(record["impact"]),
            tuple(map(int, record["vertices"])),
            (first, second),
            PairClass(number) if number else None,
        )


class Volume:
    """A mesh of elements with its features, and what is kept between steps.

    vertices  number of vertices
    elements  the types (`Element`, or their numbers or names), one for all or one each
    corners   the vertices: (n, k) where all elements have k corners, else one element after the other

    Threads may share a volume; their calls run one after the other. It is freed with its last reference or by
    `close()`, and is a context manager.
    Raises ArgumentError or InvalidIndexError, naming the element.
    """

    def __init__(self, vertices: int, elements: Any, corners: ArrayLike):
        kinds, flat = _elements(elements, corners)
        self._handle = ctypes.c_void_p()
        number = arrays.integer("vertices", vertices, 0, 2**31 - 1)
        lib = abi.library()
        with renaming((r"\bkinds\b", "elements")):
            create(
                kinds.nbytes + flat.nbytes, lib.ccd_volume_create, lib.ccd_volume_destroy, self._handle,
                number, kinds.ctypes, len(kinds), flat.ctypes, len(flat),
            )  # fmt: skip
        self._free = weakref.finalize(self, lib.ccd_volume_destroy, self._handle)

    def close(self) -> None:
        """Free the volume now."""
        self._free()

    def __enter__(self) -> Volume:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.volume.Volume, closed>"
        return "<ccd.volume.Volume of {} vertices, {} elements, {} edges, {} faces>".format(*self.counts)

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Numbers of vertices, elements, edges and faces, with those that were removed."""
        sizes = [ctypes.c_size_t() for _ in range(4)]
        check(abi.library().ccd_volume_counts(self._handle, *map(ctypes.byref, sizes)))
        vertices, elements, edges, faces = (size.value for size in sizes)
        return vertices, elements, edges, faces

    @property
    def elements(self) -> NDArray[np.int32]:
        """A copy of the type of every element, (n,), values of `Element`; 0 for one that was removed."""
        return self._copy(abi.library().ccd_volume_elements, (self.counts[1],))

    @property
    def corners(self) -> NDArray[np.int32]:
        """A copy of the vertices of one element after the other, with the edits so far; one that was removed has none.

        `Volume(n, v.elements[v.elements > 0], v.corners)` is the same volume with its elements numbered from 0.
        """
        function, count = abi.library().ccd_volume_corners, ctypes.c_size_t()
        check(function(self._handle, None, 0, ctypes.byref(count)))
        return self._copy(function, (count.value,))

    @property
    def edges(self) -> NDArray[np.int32]:
        """A copy of the edges, (n, 2), diagonals of sides among them; -1 for numbers that are not in use."""
        return self._copy(abi.library().ccd_volume_edges, (self.counts[2], 2))

    @property
    def faces(self) -> NDArray[np.int32]:
        """A copy of the faces, (n, 3); -1 for numbers that are not in use."""
        return self._copy(abi.library().ccd_volume_faces, (self.counts[3], 3))

    @property
    def origins(self) -> NDArray[np.int32]:
        """Of every vertex, the one it was split from in the end, or itself."""
        return self._copy(abi.library().ccd_volume_origins, (self.counts[0],))

    def _copy(self, function: Any, shape: tuple[int, ...]) -> NDArray[np.int32]:
        array = np.empty(shape, np.int32)
        check(function(self._handle, array.ctypes, shape[0], ctypes.byref(ctypes.c_size_t())))
        return array

    def add_vertices(self, origins: ArrayLike) -> int:
        """Append one vertex for each origin, the vertex it was split from, or -1. Returns the number of the first."""
        array, first = arrays.ids("origins", origins), ctypes.c_int32()
        with renaming((r"\borigin\b", "origins")):
            check(abi.library().ccd_volume_add_vertices(self._handle, array.ctypes, len(array), ctypes.byref(first)))
        return first.value

    def add(self, elements: Any, corners: ArrayLike) -> int:
        """Append elements, as they are given to the constructor. Returns the number of the first."""
        kinds, flat = _elements(elements, corners)
        first = ctypes.c_int32()
        function = abi.library().ccd_volume_add
        with renaming((r"\bkinds\b", "elements")):
            check(function(self._handle, kinds.ctypes, len(kinds), flat.ctypes, len(flat), ctypes.byref(first)))
        return first.value

    def remove(self, elements: ArrayLike) -> None:
        """Remove elements, and the features that no other one has."""
        array = arrays.ids("elements", elements)
        check(abi.library().ccd_volume_remove(self._handle, array.ctypes, len(array)))

    def split(self, vertex: int, elements: ArrayLike) -> int:
        """Give these elements at a vertex a new one in its place, of the same origin. Returns its number."""
        array, new_vertex = arrays.ids("elements", elements), ctypes.c_int32()
        at = arrays.integer("vertex", vertex, 0, 2**31 - 1)
        check(abi.library().ccd_volume_split(self._handle, at, array.ctypes, len(array), ctypes.byref(new_vertex)))
        return new_vertex.value

    def merge(self, source: int, into: int) -> None:
        """Let all elements at the vertex source have the vertex into in its place."""
        pair = [arrays.integer(name, vertex, 0, 2**31 - 1) for name, vertex in (("source", source), ("into", into))]
        check(abi.library().ccd_volume_merge(self._handle, *pair))


@dataclass(frozen=True, eq=False)
class Cells:
    """The elements of a file.

    vertices  (n, 3) coordinates
    elements  (m,), values of `Element`
    corners   the vertices of one element after the other
    """

    vertices: NDArray[np.float64]
    elements: NDArray[np.int32]
    corners: NDArray[np.int32]

    def __repr__(self) -> str:
        return f"<ccd.volume.Cells, {len(self.vertices)} vertices, {len(self.elements)} elements>"

    def volume(self) -> Volume:
        """The topology."""
        return Volume(len(self.vertices), self.elements, self.corners)


def read(path: str | os.PathLike[str]) -> Cells:
    """Read a file of elements: VTK (legacy .vtk, XML .vtu), Gmsh (.msh, versions 2 and 4), MEDIT (.mesh, .meshb).

    Raises FileError when it cannot be opened, is truncated or malformed.
    """
    lib, handle = abi.library(), load("cells", path)
    try:
        sizes = [ctypes.c_size_t() for _ in range(3)]
        check(lib.ccd_cells_counts(handle, *map(ctypes.byref, sizes)))
        vertices, elements, corners = (size.value for size in sizes)
        cells = Cells(np.empty((vertices, 3)), np.empty(elements, np.int32), np.empty(corners, np.int32))
        check(lib.ccd_cells_copy(handle, cells.vertices.ctypes, cells.elements.ctypes, cells.corners.ctypes))
        return cells
    finally:
        lib.ccd_cells_destroy(handle)


def earliest(
    volume: Volume,
    x0: ArrayLike,
    x1: ArrayLike,
    pair_classes: Iterable[PairClass | str | int] = (),
    surface: bool = False,
    **options: Unpack[Options],
) -> Impact:
    """The earliest impact of the step.

    pair_classes  only pairs of these classes; none: all but AT_SPLIT
    surface       only features of the surface

    A verdict SEPARATE is a proof that no such pair comes within min_separation for t <= t_max. Otherwise none does so for
    t < toi_lo. Of several impacts with one toi_lo the first in the order of kind and vertices is reported. The method "volccd"
    [Tang2011] finds the same pairs by another search, slower and independently.
    """
    call, step = prepare_on(_handle(volume), x0, x1, options)
    out, selection = np.zeros(1, impact_dtype), _selection(pair_classes, surface)
    call(abi.library().ccd_volume_earliest, *step, selection, call.options, out.ctypes)
    return Impact.from_record(out[0])


def collisions(
    volume: Volume,
    x0: ArrayLike,
    x1: ArrayLike,
    pair_classes: Iterable[PairClass | str | int] = (),
    surface: bool = False,
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Every impact of those pairs, as an array of `impact_dtype` in the order of time, kind and vertices."""
    call, step = prepare_on(_handle(volume), x0, x1, options)
    arguments = (*step, _selection(pair_classes, surface), call.options)
    return results.listed("volume_impacts", impact_dtype, call, abi.library().ccd_volume_collisions, arguments)


def backtrack(x0: ArrayLike, x1: ArrayLike, velocity: ArrayLike, duration: float, vertices: ArrayLike) -> NDArray[np.float64]:
    """x0 with vertices that came into being during a step placed at its start: x1 - duration * velocity, for those listed."""
    start: NDArray[np.float64] = arrays.coordinates("x0", x0).copy()
    end, speed = arrays.coordinates("x1", x1), arrays.coordinates("velocity", velocity)
    listed = arrays.ids("vertices", vertices)
    if not len(start) == len(end) == len(speed):
        raise ArgumentError(f"x0, x1 and velocity have {len(start)}, {len(end)} and {len(speed)} rows: must be as many")
    time = arrays.number("duration", duration)
    function = abi.library().ccd_volume_backtrack
    check(function(start.ctypes, end.ctypes, speed.ctypes, len(start), time, listed.ctypes, len(listed)))
    return start


def _handle(volume: Volume) -> ctypes.c_void_p:
    if not isinstance(volume, Volume):
        raise ArgumentError(f"volume is {type(volume).__name__}: must be a ccd.volume.Volume")
    return volume._handle


def _selection(pair_classes: Iterable[PairClass | str | int], surface: bool) -> int:
    try:
        chosen = [pair_classes] if isinstance(pair_classes, (str, int)) else list(pair_classes)
    except TypeError:
        raise ArgumentError(f"pair_classes is {type(pair_classes).__name__}: must be a class or some of them") from None
    total = _SURFACE if surface else 0
    for one in chosen:
        total |= PairClass.of("pair_classes", one)
    return total


def _elements(elements: Any, corners: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Types and corners as flat arrays."""
    array = arrays._whole("corners", corners)
    if isinstance(elements, (str, Element)):
        kind = Element.of("elements", elements)
        if array.size % kind.corners:
            raise ArgumentError(f"corners has {array.size} vertices: must be a multiple of {kind.corners}")
        elements = np.full(array.size // kind.corners, kind, np.int32)
    elif isinstance(elements, Sequence) and any(isinstance(one, str) for one in elements):
        elements = [Element.of("elements", one) for one in elements]
    return arrays.ids("elements", elements), arrays.ids("corners", array.reshape(-1))
