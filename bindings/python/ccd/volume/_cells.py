"""Elements of a file."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._native import abi
from .._native.call import check
from ..files import load
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

        Raises
        ------
        ArgumentError
            As `Volume`: an unknown type, or an element given twice.
        InvalidIndexError
            A corner is out of range; the message names the element.
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
