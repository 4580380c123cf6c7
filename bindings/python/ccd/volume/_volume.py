"""Volumes of elements that deform: tetrahedra, hexahedra, prisms, pyramids and shells, in any mixture.

Configurations are (n, 3) arrays, n = vertices of the volume. Functions take the keywords of `ccd.Options`.
Results have the same bits for any number of threads and any earlier steps of the volume. Ctrl-C stops a
call promptly.

A volume's features are its vertices, unique edges and unique triangles (faces), interior ones included. A
quadrilateral side is two triangles. A step tests every vertex with every face that does not contain it, and
every two edges without a common vertex.

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
    """Type of an element. The numbers and the order of the corners are VTK's.

    Attributes
    ----------
    TRIANGLE : int
        5: a shell of 3 corners.
    QUADRILATERAL : int
        9: a shell of 4 corners.
    TETRAHEDRON : int
        10: 4 corners.
    HEXAHEDRON : int
        12: 8 corners.
    PRISM : int
        13: 6 corners.
    PYRAMID : int
        14: 5 corners, the apex last.
    """

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
    """Class of a pair of features.

    A pair has the first class that applies, in the order WITHIN_ELEMENT, AT_SPLIT, WITHIN_OBJECT,
    BETWEEN_OBJECTS.

    Attributes
    ----------
    BETWEEN_OBJECTS : int
        1: the features are of two connected components.
    WITHIN_OBJECT : int
        2: both are of one connected component.
    WITHIN_ELEMENT : int
        4: one element has all vertices of both; contact means that it is squeezed flat.
    AT_SPLIT : int
        8: a vertex of each was split from one vertex, and these two coincide at t = 0; skipped by default.
    """

    BETWEEN_OBJECTS = 1
    WITHIN_OBJECT = 2
    WITHIN_ELEMENT = 4
    AT_SPLIT = 8


_SURFACE = 16

impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("impact", _pair_dtype),
        ("vertices", np.int32, 4),
        ("elements", np.int32, 2),
        ("pair_class", np.uint32),
        ("reserved", np.uint32),
    ]
)
"""Record of one impact of a volume: 152 bytes, the layout of ``ccd_volume_impact`` in ccd.h.

============== ================== ===== ===============================================================
field          type               shape meaning
============== ================== ===== ===============================================================
``impact``     `ccd.impact_dtype`       when and where; a, b are indices of a vertex and a face, or of
                                        two edges
``vertices``   int32              (4,)  v f0 f1 f2, or a0 a1 b0 b1
``elements``   int32              (2,)  the element with both features, in both entries; else the least
                                        element with a, and with b
``pair_class`` uint32                   value of `PairClass`
``reserved``   uint32                   0
============== ================== ===== ===============================================================
"""


@dataclass(frozen=True)
class Impact:
    """One impact of a volume, or the proof that there is none.

    Attributes
    ----------
    impact : ccd.Impact
        When and where; its ``a`` and ``b`` are indices of a vertex and a face, or of two edges.
    vertices : tuple of int
        Vertices of the pair: v f0 f1 f2, or a0 a1 b0 b1.
    elements : tuple of int
        The element with both features, in both entries; if there is none, the least element with a, and with b.
    pair_class : PairClass or None
        Class of the pair; None when the step is separate.

    See Also
    --------
    impact_dtype : The same fields in arrays.
    """

    impact: PairImpact
    vertices: tuple[int, ...]
    elements: tuple[int, int]
    pair_class: PairClass | None

    def __bool__(self) -> bool:
        """Whether there may be contact: False only if it is proven that there is none."""
        return bool(self.impact)

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """Return the impact in one element of an array of `impact_dtype`.

        Parameters
        ----------
        record : numpy.void
            One element of the array.

        Returns
        -------
        Impact
            The same values in plain types.
        """
        first, second = map(int, record["elements"])
        number = int(record["pair_class"])
        return cls(
            PairImpact.from_record(record["impact"]),
            tuple(map(int, record["vertices"])),
            (first, second),
            PairClass(number) if number else None,
        )


class Volume:
    """A mesh of elements with its features, and the search structures that it keeps between steps.

    Threads may share a volume; their calls run one after the other. It is freed with its last reference or by
    `close`, and is a context manager.

    Parameters
    ----------
    vertices : int
        Number of vertices.
    elements : Element or str or array_like
        One type for all elements, or one for each: members of `Element`, their numbers (m,) or names.
    corners : array_like
        Vertices of the elements, integers: (m, k) if all elements have k corners, else those of one element
        after the other.

    Raises
    ------
    ArgumentError
        An element has an unknown type, is given twice, or is the third solid element with a common triangle.
    InvalidIndexError
        A corner is out of range, or an element repeats a vertex; the message names the element.

    Examples
    --------
    >>> import ccd
    >>> ccd.volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    <ccd.volume.Volume of 4 vertices, 1 elements, 6 edges, 4 faces>
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
        """Numbers of vertices, elements, edges and faces, removed ones included."""
        sizes = [ctypes.c_size_t() for _ in range(4)]
        check(abi.library().ccd_volume_counts(self._handle, *map(ctypes.byref, sizes)))
        vertices, elements, edges, faces = (size.value for size in sizes)
        return vertices, elements, edges, faces

    @property
    def elements(self) -> NDArray[np.int32]:
        """Copy of the type of every element, (n,) int32 values of `Element`; 0 for removed elements."""
        return self._copy(abi.library().ccd_volume_elements, (self.counts[1],))

    @property
    def corners(self) -> NDArray[np.int32]:
        """Copy of the vertices of one element after the other, (k,) int32, after all edits; removed elements have none.

        ``Volume(n, v.elements[v.elements > 0], v.corners)`` is the same volume with its elements numbered from 0.
        """
        function, count = abi.library().ccd_volume_corners, ctypes.c_size_t()
        check(function(self._handle, None, 0, ctypes.byref(count)))
        return self._copy(function, (count.value,))

    @property
    def edges(self) -> NDArray[np.int32]:
        """Copy of the edges, (n, 2) int32, diagonals of sides included; -1 in entries that are not in use."""
        return self._copy(abi.library().ccd_volume_edges, (self.counts[2], 2))

    @property
    def faces(self) -> NDArray[np.int32]:
        """Copy of the faces, (n, 3) int32; -1 in entries that are not in use."""
        return self._copy(abi.library().ccd_volume_faces, (self.counts[3], 3))

    @property
    def origins(self) -> NDArray[np.int32]:
        """For every vertex the original vertex that it was split from, or itself, (n,) int32."""
        return self._copy(abi.library().ccd_volume_origins, (self.counts[0],))

    def _copy(self, function: Any, shape: tuple[int, ...]) -> NDArray[np.int32]:
        array = np.empty(shape, np.int32)
        check(function(self._handle, array.ctypes, shape[0], ctypes.byref(ctypes.c_size_t())))
        return array

    def add_vertices(self, origins: ArrayLike) -> int:
        """Append vertices.

        Parameters
        ----------
        origins : array_like
            For each new vertex the vertex that it was split from, or -1, (n,) integers.

        Returns
        -------
        int
            Index of the first new vertex.
        """
        array, first = arrays.ids("origins", origins), ctypes.c_int32()
        with renaming((r"\borigin\b", "origins")):
            check(abi.library().ccd_volume_add_vertices(self._handle, array.ctypes, len(array), ctypes.byref(first)))
        return first.value

    def add(self, elements: Any, corners: ArrayLike) -> int:
        """Append elements.

        Parameters
        ----------
        elements : Element or str or array_like
            Types, as in the constructor.
        corners : array_like
            Vertices, as in the constructor.

        Returns
        -------
        int
            Index of the first new element.
        """
        kinds, flat = _elements(elements, corners)
        first = ctypes.c_int32()
        function = abi.library().ccd_volume_add
        with renaming((r"\bkinds\b", "elements")):
            check(function(self._handle, kinds.ctypes, len(kinds), flat.ctypes, len(flat), ctypes.byref(first)))
        return first.value

    def remove(self, elements: ArrayLike) -> None:
        """Remove elements, and the features that no other element has.

        Parameters
        ----------
        elements : array_like
            Indices of elements, (n,) integers.
        """
        array = arrays.ids("elements", elements)
        check(abi.library().ccd_volume_remove(self._handle, array.ctypes, len(array)))

    def split(self, vertex: int, elements: ArrayLike) -> int:
        """Split a vertex: give some of its elements a new vertex of the same origin in its place.

        Several splits open a crack.

        Parameters
        ----------
        vertex : int
            The vertex to split.
        elements : array_like
            Indices of the elements that get the new vertex, (n,) integers.

        Returns
        -------
        int
            Index of the new vertex.
        """
        array, new_vertex = arrays.ids("elements", elements), ctypes.c_int32()
        at = arrays.integer("vertex", vertex, 0, 2**31 - 1)
        check(abi.library().ccd_volume_split(self._handle, at, array.ctypes, len(array), ctypes.byref(new_vertex)))
        return new_vertex.value

    def merge(self, source: int, into: int) -> None:
        """Replace a vertex by another in all elements.

        Parameters
        ----------
        source : int
            The vertex to replace.
        into : int
            The vertex that replaces it.
        """
        pair = [arrays.integer(name, vertex, 0, 2**31 - 1) for name, vertex in (("source", source), ("into", into))]
        check(abi.library().ccd_volume_merge(self._handle, *pair))

    def set_radii(self, radii: ArrayLike | None) -> None:
        """Set a radius for each vertex, as `ccd.Mesh.set_radii` does.

        A vertex that is added later has the radius of the vertex that it is split from, or 0.

        Parameters
        ----------
        radii : array_like or None
            Lengths in the unit of the coordinates, (n,), or one number for all vertices; None removes them.
        """
        array = None if radii is None else arrays.lengths("radii", radii, self.counts[0])
        size = 0 if array is None else len(array)
        check(abi.library().ccd_volume_set_radii(self._handle, None if array is None else array.ctypes, size))


@dataclass(frozen=True, eq=False)
class Cells:
    """Elements of a file.

    Parameters
    ----------
    vertices : numpy.ndarray
        Coordinates, (n, 3) float64.
    elements : numpy.ndarray
        Types, (m,) int32 values of `Element`.
    corners : numpy.ndarray
        Vertices of one element after the other, (k,) int32.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> cells = ccd.volume.Cells(np.eye(4)[:, :3], np.array([10], np.int32), np.arange(4, dtype=np.int32))
    >>> cells.volume().counts
    (4, 1, 6, 4)
    """

    vertices: NDArray[np.float64]
    elements: NDArray[np.int32]
    corners: NDArray[np.int32]

    def __repr__(self) -> str:
        return f"<ccd.volume.Cells, {len(self.vertices)} vertices, {len(self.elements)} elements>"

    def volume(self) -> Volume:
        """Return the volume of these elements.

        Returns
        -------
        Volume
            A volume with ``len(vertices)`` vertices.
        """
        return Volume(len(self.vertices), self.elements, self.corners)


def read(path: str | os.PathLike[str]) -> Cells:
    """Read elements from a file: VTK (.vtk, .vtu), Gmsh (.msh, versions 2 and 4) or MEDIT (.mesh, .meshb).

    The content determines the format. Points and lines among the cells are skipped.

    Parameters
    ----------
    path : str or os.PathLike
        A regular file.

    Returns
    -------
    Cells
        Vertices (n, 3), types (m,) and corners (k,).

    Raises
    ------
    FileError
        The file cannot be opened, or is truncated or malformed.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "one.mesh")
    >>> with open(path, "w") as file:
    ...     _ = file.write("MeshVersionFormatted 2 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0")
    ...     _ = file.write(" Tetrahedra 1 1 2 3 4 0 End")
    >>> ccd.volume.read(path)
    <ccd.volume.Cells, 4 vertices, 1 elements>
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
    """Compute the earliest impact of a step.

    Parameters
    ----------
    volume : Volume
        The volume.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).
    pair_classes : iterable of PairClass or str or int, default ()
        Test only pairs of these classes; if empty, of all but AT_SPLIT.
    surface : bool, default False
        Test only features of the surface.
    **options : Options
        Keywords of `ccd.Options`, such as ``min_separation``, ``norm``, ``t_max``, ``threads``. The method
        ``"volccd"`` [Tang2011] finds the same impacts by another search, slower and independently.

    Returns
    -------
    Impact
        The impact with the least ``toi_lo``, of equal ones the first in the order of kind and vertices. The
        verdict SEPARATE is a proof: no selected pair comes within ``min_separation`` for t <= ``t_max``.
        Otherwise none does so for t < ``toi_lo``.

    Raises
    ------
    ArgumentError
        An argument has another shape or type, or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150.
    HandleError
        `volume` was closed.
    UnsupportedError
        The call does not support an option, or a combination of options.
    OutOfMemoryError
        ``memory_limit`` is too small.
    Cancelled
        The progress callback cancelled the call.
    ForkedError
        This process is a fork of one that had loaded the library.

    Examples
    --------
    The apex of a tetrahedron passes through its base.

    >>> import numpy as np, ccd
    >>> volume = ccd.volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2]]
    >>> hit = ccd.volume.earliest(volume, x0, x1)
    >>> hit.impact.toi_lo, hit.vertices, str(hit.pair_class)
    (0.5, (3, 0, 1, 2), 'within-element')
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
    """List every impact of a step.

    Parameters
    ----------
    volume : Volume
        The volume.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).
    pair_classes : iterable of PairClass or str or int, default ()
        Test only pairs of these classes; if empty, of all but AT_SPLIT.
    surface : bool, default False
        Test only features of the surface.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (n,) of `impact_dtype` in the order of time, kind and vertices.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> volume = ccd.volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2]]
    >>> len(ccd.volume.collisions(volume, x0, x1, "between-objects"))
    0
    """
    call, step = prepare_on(_handle(volume), x0, x1, options)
    arguments = (*step, _selection(pair_classes, surface), call.options)
    return results.listed("volume_impacts", impact_dtype, call, abi.library().ccd_volume_collisions, arguments)


def backtrack(x0: ArrayLike, x1: ArrayLike, velocity: ArrayLike, duration: float, vertices: ArrayLike) -> NDArray[np.float64]:
    """Compute start positions of vertices that were created during a step.

    The listed rows become ``x1 - duration * velocity`` ([Tang2011], section 6.3).

    Parameters
    ----------
    x0 : array_like
        Vertices at the start of the step, (n, 3); not changed.
    x1 : array_like
        Vertices at its end, (n, 3).
    velocity : array_like
        Mean velocity of each vertex over the step, (n, 3).
    duration : float
        Duration of the step, in the unit of time of `velocity`.
    vertices : array_like
        Indices of the new vertices, (k,) integers.

    Returns
    -------
    numpy.ndarray
        A copy of `x0`, (n, 3) float64, with new values in the listed rows.

    Raises
    ------
    ArgumentError
        The arrays have different lengths.
    InvalidIndexError
        A vertex is out of range.
    NonFiniteError
        `duration`, or a listed row of `x1` or `velocity`, is not finite.

    Examples
    --------
    >>> import ccd
    >>> ccd.volume.backtrack([[0, 0, 0]], [[1, 0, 0]], [[4, 0, 0]], 0.5, [0])
    array([[-1.,  0.,  0.]])
    """
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
