"""Volumes of elements that deform: tetrahedra, hexahedra, prisms, pyramids and shells, in any mixture.

    cells = ccd.volume.read("torus.vtk")
    volume = cells.volume()
    first = ccd.volume.earliest(volume, x0, x1)
    every = ccd.volume.collisions(volume, x0, x1, classes=("between-objects",))

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

from . import _abi, _arrays, _found
from ._call import check, create, renaming
from ._scene import prepare_on
from .errors import ArgumentError, shown
from .files import load
from .impact import Impact, _Named, impact_dtype

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = ["Cells", "Class", "Contact", "Element", "Volume", "collisions", "contact_dtype", "earliest", "read", "trajectories"]


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


class Class(_Named):
    """What two features are to one another; a pair is of the first class that fits, in the order WITHIN_ELEMENT, AT_SPLIT,
    WITHIN_OBJECT, BETWEEN_OBJECTS."""

    BETWEEN_OBJECTS = 1  #: they are of two connected components
    WITHIN_OBJECT = 2  #: they are of one
    WITHIN_ELEMENT = 4  #: an element has all vertices of both: contact means that it is squeezed flat
    AT_SPLIT = 8  #: a vertex of the one and one of the other were split from one, and coincide at t = 0; left out by default


_SURFACE = 16
_SEARCHES = {"patches": 0, "volccd": 32, "volccd-static": 32 + 64}
_SIDES = {16: 0, 6: 256, 18: 512, 26: 768}
_AXES = {"all": 0, "paper": 1024, "chung-wang": 2048, "none": 3072}

#: Record of one contact, 152 bytes, the layout of ccd_volume_contact: the impact; the vertices of the pair, v f0 f1 f2 or
#: a0 a1 b0 b1; the element that has both features, else the least that has a, and b; the class.
contact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("impact", impact_dtype),
        ("vertices", np.int32, 4),
        ("elements", np.int32, 2),
        ("cls", np.uint32),
        ("reserved", np.uint32),
    ]
)


@dataclass(frozen=True)
class Contact:
    """One contact of a volume, or the proof that there is none.

    impact    when and where; a, b: numbers of a vertex and a face, or of two edges
    vertices  v f0 f1 f2, or a0 a1 b0 b1
    elements  the element that has both features; where there is none, the least that has a, and b
    cls       what the two are to one another; None when the step is separate
    """

    impact: Impact
    vertices: tuple[int, ...]
    elements: tuple[int, int]
    cls: Class | None

    @classmethod
    def from_record(cls, record: Any) -> Contact:
        """The Contact in one element of an array of `contact_dtype`."""
        first, second = map(int, record["elements"])
        kind = int(record["cls"])
        return cls(
            Impact.from_record(record["impact"]),
            tuple(map(int, record["vertices"])),
            (first, second),
            Class(kind) if kind else None,
        )


class Volume:
    """A mesh of elements with its features, and what is kept between steps.

    vertices  number of vertices
    elements  the types (`Element`, or their numbers or names), one for all or one each
    corners   the vertices: (n, k) where all elements have k corners, else one element after the other

    Threads may share a volume; their calls are answered one after the other. It is freed with its last reference or by
    `close()`, and is a context manager.
    Raises ArgumentError or InvalidIndexError, naming the element.
    """

    def __init__(self, vertices: int, elements: Any, corners: ArrayLike):
        kinds, flat = _elements(elements, corners)
        self._handle = ctypes.c_void_p()
        number = _arrays.integer("vertices", vertices, 0, 2**31 - 1)
        lib = _abi.library()
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
        check(_abi.library().ccd_volume_counts(self._handle, *map(ctypes.byref, sizes)))
        vertices, elements, edges, faces = (size.value for size in sizes)
        return vertices, elements, edges, faces

    @property
    def elements(self) -> NDArray[np.int32]:
        """A copy of the type of every element, (n,), values of `Element`; 0 for one that was removed."""
        return self._copy(_abi.library().ccd_volume_elements, (self.counts[1],))

    @property
    def corners(self) -> NDArray[np.int32]:
        """A copy of the vertices of one element after the other, with the edits so far; one that was removed has none.

        `Volume(n, v.elements[v.elements > 0], v.corners)` is the volume anew, its elements numbered from 0.
        """
        function, count = _abi.library().ccd_volume_corners, ctypes.c_size_t()
        check(function(self._handle, None, 0, ctypes.byref(count)))
        return self._copy(function, (count.value,))

    @property
    def edges(self) -> NDArray[np.int32]:
        """A copy of the edges, (n, 2), diagonals of sides among them; -1 for numbers that are not in use."""
        return self._copy(_abi.library().ccd_volume_edges, (self.counts[2], 2))

    @property
    def faces(self) -> NDArray[np.int32]:
        """A copy of the faces, (n, 3); -1 for numbers that are not in use."""
        return self._copy(_abi.library().ccd_volume_faces, (self.counts[3], 3))

    @property
    def origins(self) -> NDArray[np.int32]:
        """Of every vertex, the one it was split from in the end, or itself."""
        return self._copy(_abi.library().ccd_volume_origins, (self.counts[0],))

    def _copy(self, function: Any, shape: tuple[int, ...]) -> NDArray[np.int32]:
        array = np.empty(shape, np.int32)
        check(function(self._handle, array.ctypes, shape[0], ctypes.byref(ctypes.c_size_t())))
        return array

    def add_vertices(self, origins: ArrayLike) -> int:
        """Append one vertex for each origin, the vertex it was split from, or -1. Returns the number of the first."""
        array, first = _arrays.ids("origins", origins), ctypes.c_int32()
        with renaming((r"\borigin\b", "origins")):
            check(_abi.library().ccd_volume_add_vertices(self._handle, array.ctypes, len(array), ctypes.byref(first)))
        return first.value

    def add(self, elements: Any, corners: ArrayLike) -> int:
        """Append elements, as they are given to the constructor. Returns the number of the first."""
        kinds, flat = _elements(elements, corners)
        first = ctypes.c_int32()
        function = _abi.library().ccd_volume_add
        with renaming((r"\bkinds\b", "elements")):
            check(function(self._handle, kinds.ctypes, len(kinds), flat.ctypes, len(flat), ctypes.byref(first)))
        return first.value

    def remove(self, elements: ArrayLike) -> None:
        """Remove elements, and the features that no other one has."""
        array = _arrays.ids("elements", elements)
        check(_abi.library().ccd_volume_remove(self._handle, array.ctypes, len(array)))

    def split(self, vertex: int, elements: ArrayLike) -> int:
        """Give these elements at a vertex a new one in its place, of the same origin. Returns its number."""
        array, fresh = _arrays.ids("elements", elements), ctypes.c_int32()
        at = _arrays.integer("vertex", vertex, 0, 2**31 - 1)
        check(_abi.library().ccd_volume_split(self._handle, at, array.ctypes, len(array), ctypes.byref(fresh)))
        return fresh.value

    def merge(self, source: int, into: int) -> None:
        """Let all elements at the vertex source have the vertex into in its place."""
        pair = [_arrays.integer(name, vertex, 0, 2**31 - 1) for name, vertex in (("source", source), ("into", into))]
        check(_abi.library().ccd_volume_merge(self._handle, *pair))


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
    lib, handle = _abi.library(), load("cells", path)
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
    classes: Iterable[Class | str | int] = (),
    surface: bool = False,
    search: str = "patches",
    sides: int = 16,
    axes: str = "all",
    **options: Unpack[Options],
) -> Contact:
    """The earliest contact of the step, among pairs of these classes (none: all but AT_SPLIT), inside or on the surface alone.

    search  how pairs are found: "patches"; or, slower and independently, the same contacts by the method of the paper of 2011,
            "volccd" (dynamic assignment, orphan sets) or "volccd-static" (by owners)
    sides   of the method of 2011, its k-DOPs' k: 6, 16, 18 or 26
    axes    of that method: "all", "paper", "chung-wang" or "none"

    A verdict SEPARATE is a proof that no such pair comes within min_separation for t <= t_max. Otherwise none does so for
    t < toi_lo. Of several contacts with one toi_lo the first in the order of kind and vertices is reported.
    """
    call, step = prepare_on(_handle(volume), x0, x1, options)
    out = np.zeros(1, contact_dtype)
    selection = _selection(classes, surface) | _found_by(search, sides, axes)
    call(_abi.library().ccd_volume_earliest, *step, selection, call.options, out.ctypes)
    return Contact.from_record(out[0])


def collisions(
    volume: Volume,
    x0: ArrayLike,
    x1: ArrayLike,
    classes: Iterable[Class | str | int] = (),
    surface: bool = False,
    search: str = "patches",
    sides: int = 16,
    axes: str = "all",
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Every contact of those pairs, as an array of `contact_dtype` in the order of time, kind and vertices."""
    call, step = prepare_on(_handle(volume), x0, x1, options)
    arguments = (*step, _selection(classes, surface) | _found_by(search, sides, axes), call.options)
    return _found.listed("volume_contacts", contact_dtype, call, _abi.library().ccd_volume_collisions, arguments)


def trajectories(x0: ArrayLike, x1: ArrayLike, velocity: ArrayLike, seconds: float, vertices: ArrayLike) -> NDArray[np.float64]:
    """x0 with vertices that came into being during a step placed at its start: x1 - seconds * velocity, for those listed."""
    start: NDArray[np.float64] = _arrays.coordinates("x0", x0).copy()
    end, speed, listed = (
        _arrays.coordinates("x1", x1),
        _arrays.coordinates("velocity", velocity),
        _arrays.ids("vertices", vertices),
    )
    if not len(start) == len(end) == len(speed):
        raise ArgumentError(f"x0, x1 and velocity have {len(start)}, {len(end)} and {len(speed)} rows: must be as many")
    duration = _arrays.number("seconds", seconds)
    function = _abi.library().ccd_volume_trajectories
    check(function(start.ctypes, end.ctypes, speed.ctypes, len(start), duration, listed.ctypes, len(listed)))
    return start


def _handle(volume: Volume) -> ctypes.c_void_p:
    if not isinstance(volume, Volume):
        raise ArgumentError(f"volume is {type(volume).__name__}: must be a ccd.volume.Volume")
    return volume._handle


def _selection(classes: Iterable[Class | str | int], surface: bool) -> int:
    try:
        chosen = [classes] if isinstance(classes, (str, int)) else list(classes)
    except TypeError:
        raise ArgumentError(f"classes is {type(classes).__name__}: must be a class or some of them") from None
    total = _SURFACE if surface else 0
    for one in chosen:
        total |= Class.of("classes", one)
    return total


def _found_by(search: str, sides: int, axes: str) -> int:
    total = 0
    for name, value, table in (("search", search, _SEARCHES), ("sides", sides, _SIDES), ("axes", axes, _AXES)):
        if not isinstance(value, (str, int)) or isinstance(value, bool) or value not in table:
            raise ArgumentError(f"{name} is {shown(value)}: must be one of {', '.join(map(str, table))}")
        total |= table[value]  # type: ignore[index]
    if search == "patches" and total:
        raise ArgumentError("sides and axes are of the method of 2011: search must be volccd or volccd-static")
    return total


def _elements(elements: Any, corners: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Types and corners as flat arrays."""
    array = _arrays._whole("corners", corners)
    if isinstance(elements, (str, Element)):
        kind = Element.of("elements", elements)
        if array.size % kind.corners:
            raise ArgumentError(f"corners has {array.size} vertices: must be a multiple of {kind.corners}")
        elements = np.full(array.size // kind.corners, kind, np.int32)
    elif isinstance(elements, Sequence) and any(isinstance(one, str) for one in elements):
        elements = [Element.of("elements", one) for one in elements]
    return _arrays.ids("elements", elements), _arrays.ids("corners", array.reshape(-1))
