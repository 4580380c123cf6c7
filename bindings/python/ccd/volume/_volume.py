"""Volumes of elements."""

from __future__ import annotations

import ctypes
import weakref
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.call import check, create, renaming
from ..errors import ArgumentError, shown
from ._element import to_elements


class Volume:
    """A mesh of elements with its features, and the search structures that it keeps between steps.

    Threads may share a volume; their calls run one after the other. It is freed with its last reference or by
    `close`, and is a context manager. It keeps copies of the arrays that it is given.

    Edits (`add_vertices`, `add`, `remove`, `split`, `merge`) belong between steps. One that raises an error changes nothing.
    Vertices and elements keep their indices; edges and faces keep theirs while they exist.

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

    Two tetrahedra with a common face come apart at vertex 0, in one of three splits that open a crack:

    >>> volume = ccd.volume.Volume(5, "tetrahedron", [[0, 1, 2, 3], [0, 2, 1, 4]])
    >>> volume.split(0, [1]), volume.corners.tolist(), volume.origins.tolist()
    (5, [0, 1, 2, 3, 5, 2, 1, 4], [0, 1, 2, 3, 4, 0])
    >>> volume.merge(5, 0)
    >>> volume.remove([1])
    >>> volume.add("tetrahedron", [[0, 2, 1, 4]])
    2
    >>> volume.add_vertices([-1, -1])
    6
    >>> volume.set_radii(0.01)
    """

    def __init__(self, vertices: int, elements: Any, corners: ArrayLike | None = None):
        if corners is None:
            raise ArgumentError(
                'corners is missing: write ccd.volume.Volume(len(x), "tetrahedron", tetrahedra), or name another type'
            )
        if hasattr(vertices, "__len__") and getattr(vertices, "ndim", True):
            raise ArgumentError(
                f"vertices is {shown(vertices)}: must be the number of vertices; the order is "
                'ccd.volume.Volume(len(x), "tetrahedron", corners)'
            )
        kinds, flat = to_elements(elements, corners)
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
        """Free the volume now. Running calls on other threads complete; later ones raise HandleError."""
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

        Raises
        ------
        ArgumentError
            `origins` has another shape or type.
        InvalidIndexError
            An index is out of range; the message names it.
        HandleError
            The volume was closed.
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

        Raises
        ------
        ArgumentError
            An element has an unknown type, is given twice, or is the third solid element with a common triangle.
        InvalidIndexError
            A corner is out of range, or an element repeats a vertex; the message names the element, by its index in the volume.
        HandleError
            The volume was closed.
        """
        kinds, flat = to_elements(elements, corners)
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

        Raises
        ------
        ArgumentError
            `elements` has another shape or type.
        InvalidIndexError
            An element is out of range, or was removed; the message names it.
        HandleError
            The volume was closed.
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

        Raises
        ------
        ArgumentError
            An argument has another shape or type, or there are no elements.
        InvalidIndexError
            An index is out of range, or an element does not have the vertex; the message names it.
        HandleError
            The volume was closed.
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

        Raises
        ------
        ArgumentError
            An argument is no integer.
        InvalidIndexError
            A vertex is out of range, both are the same, or an element has both; the message names it.
        HandleError
            The volume was closed.
        """
        pair = [arrays.integer(name, vertex, 0, 2**31 - 1) for name, vertex in (("source", source), ("into", into))]
        with renaming((r"^from\b", "source")):
            check(abi.library().ccd_volume_merge(self._handle, *pair))

    def set_radii(self, radii: ArrayLike | None) -> None:
        """Set a radius for each vertex, as `ccd.Mesh.set_radii` does.

        A vertex that is added later has the radius of the vertex that it is split from, or 0.

        Parameters
        ----------
        radii : array_like or None
            Lengths in the unit of the coordinates, (n,), or one number for all vertices; None removes them.

        Raises
        ------
        ArgumentError
            A radius is negative, or there are not as many as vertices; the message names the index.
        NonFiniteError
            A radius is not finite; the message names the index.
        HandleError
            The volume was closed.
        """
        array = None if radii is None else arrays.lengths("radii", radii, self.counts[0])
        size = 0 if array is None else len(array)
        with renaming((r"^radius\b", "radii")):
            check(abi.library().ccd_volume_set_radii(self._handle, None if array is None else array.ctypes, size))


def handle_of(volume: Volume) -> ctypes.c_void_p:
    if not isinstance(volume, Volume):
        made = "; volume() of it makes one" if hasattr(volume, "volume") else ""
        raise ArgumentError(f"volume is {type(volume).__name__}: must be a ccd.volume.Volume{made}")
    return volume._handle
