"""Elements of a file."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, remarks
from .._native.call import check
from ..files import load
from ._element import Element
from ._volume import Volume


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
    left_out : dict, optional
        How many things of each kind the reader left out, by a plural as ``"ghost cells"``.
    fields : dict, optional
        Data at the points by name, as displacements, (n,) or (n, c) float64; values may be NaN or infinite.
    notes : list, optional
        Other remarks of the reader, sentences.
    places : numpy.ndarray, optional
        Of welded elements: for each vertex of the file its number here, (m,) int32.

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
    left_out: dict[str, int] = field(default_factory=dict)
    fields: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    places: NDArray[np.int32] | None = None

    def __repr__(self) -> str:
        return f"<ccd.volume.Cells, {len(self.vertices)} vertices, {len(self.elements)} elements>"

    def volume(self) -> Volume:
        """Return the volume of these elements.

        Returns
        -------
        Volume
            A volume with ``len(vertices)`` vertices.

        Raises
        ------
        ArgumentError
            As `Volume`: an unknown type, or an element given twice.
        InvalidIndexError
            A corner is out of range; the message names the element.
        """
        return Volume(len(self.vertices), self.elements, self.corners)

    def weld(self, bits: int = 2, places: ArrayLike | None = None) -> Cells:
        """Return the elements with one vertex in place of those that are copies of each other.

        Some writers give each element points of its own, so that all elements touch. A later frame is welded by the places of
        the first, wherever its vertices are: ``b.weld(places=a.weld().places)``.

        Parameters
        ----------
        bits : int, default 2
            A vertex is a copy of an earlier one if no coordinate differs by more than ``2**bits - 1`` units in the last place
            of the largest coordinate; of single precision where all coordinates are exact in it. In [0, 48]; 0: only equal
            coordinates.
        places : array_like, optional
            `places` of the first frame, (n,) integers.

        Returns
        -------
        Cells
            A place has the position and the fields of its first vertex; `places` has the new number of each vertex. Elements
            that repeat a vertex then are left out and counted in `left_out`.

        Raises
        ------
        ArgumentError
            An argument has another shape or type.
        NonFiniteError
            A coordinate is NaN or infinite.
        InvalidIndexError
            A place or a corner is out of range.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, -1]], float)
        >>> ccd.volume.Cells(x, np.full(2, 10, np.int32), np.arange(8, dtype=np.int32)).weld()
        <ccd.volume.Cells, 5 vertices, 2 elements>
        """
        found, first, notes = remarks.weld(self.vertices, bits, places)
        corners = arrays.ids("corners", self.corners)
        arrays.in_range("corners", corners, len(found), "vertices")
        elements, corners, collapsed = _without_collapsed(arrays.ids("elements", self.elements), found[corners])
        more = {_COLLAPSED: self.left_out.get(_COLLAPSED, 0) + collapsed} if collapsed else {}
        return Cells(
            self.vertices[first],
            elements,
            corners,
            self.left_out | more,
            {name: values[first] for name, values in self.fields.items()},
            self.notes + notes,
            found if self.places is None else found[self.places],
        )


_COLLAPSED = "elements that repeat a vertex"


def _without_collapsed(
    elements: NDArray[np.int32], corners: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
    """The elements that repeat no vertex, their corners, and how many others there are.

    Unknown types and another number of corners are kept as they are: `Volume` refuses them by name.
    """
    known = {int(kind): kind.corners for kind in Element}
    sizes = np.array([known.get(kind, 0) for kind in elements.tolist()], np.int64)
    if (sizes == 0).any() or sizes.sum() != len(corners):
        return elements, corners, 0
    starts = np.cumsum(sizes) - sizes
    kept = np.ones(len(elements), bool)
    for size in np.unique(sizes).tolist():
        rows = np.flatnonzero(sizes == size)
        ordered = np.sort(corners[starts[rows][:, None] + np.arange(size)], axis=1)
        kept[rows] = (np.diff(ordered, axis=1) > 0).all(axis=1)
    if kept.all():
        return elements, corners, 0
    return elements[kept], corners[np.repeat(kept, sizes)], int((~kept).sum())


def read(path: str | os.PathLike[str], strict: bool = False) -> Cells:
    """Read elements from a file: VTK (.vtk, .vtu), Gmsh (.msh, versions 2 and 4) or MEDIT (.mesh, .meshb).

    The content determines the format. Points and lines among the cells, ghost cells and elements given twice are left out,
    and counted in ``left_out``.

    Parameters
    ----------
    path : str or os.PathLike
        A regular file.
    strict : bool, default False
        Raise an error instead of leaving anything out.

    Returns
    -------
    Cells
        Vertices (n, 3), types (m,) and corners (k,).

    Raises
    ------
    FileError
        The file cannot be opened, or is truncated or malformed; with `strict` also if something would be left out.

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
        cells = Cells(
            np.empty((vertices, 3)),
            np.empty(elements, np.int32),
            np.empty(corners, np.int32),
            *remarks.of("cells", handle, vertices),
        )
        check(lib.ccd_cells_copy(handle, cells.vertices.ctypes, cells.elements.ctypes, cells.corners.ctypes))
    finally:
        lib.ccd_cells_destroy(handle)
    if arrays.flag("strict", strict):
        remarks.refuse(os.fsdecode(path), cells.left_out)
    return cells
