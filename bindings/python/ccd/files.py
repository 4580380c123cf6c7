"""Surfaces and queries from files."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._io import queries
from ._native import abi, arrays
from ._native.call import check, create
from .errors import ArgumentError, FileError, shown
from .mesh import Mesh


@dataclass(frozen=True, eq=False)
class Surface:
    """Vertices, edges and triangles of a surface file.

    Parameters
    ----------
    vertices : numpy.ndarray
        Coordinates, (n, 3) float64.
    edges : numpy.ndarray
        Edges that the file itself lists (line elements), (m, 2) int32; not the edges of the triangles.
    faces : numpy.ndarray
        Triangles, (k, 3) int32.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> surface = ccd.Surface(np.eye(3), np.empty((0, 2), np.int32), np.array([[0, 1, 2]], np.int32))
    >>> surface.mesh()
    <ccd.Mesh of 3 vertices, 3 edges, 1 faces>
    """

    vertices: NDArray[np.float64]
    edges: NDArray[np.int32]
    faces: NDArray[np.int32]

    def __repr__(self) -> str:
        return f"<ccd.Surface of {len(self.vertices)} vertices, {len(self.edges)} edges, {len(self.faces)} faces>"

    def mesh(self) -> Mesh:
        """Return the topology: edges of the faces, and the file's own as codimensional ones.

        Returns
        -------
        Mesh
            A mesh with ``len(vertices)`` vertices.

        Raises
        ------
        ArgumentError
            An array has another shape or type, or a face or an edge is given twice.
        InvalidIndexError
            An index is out of range, or a face repeats a vertex; the message names it.
        """
        faces, own = arrays.primitives("faces", self.faces, 3), arrays.primitives("edges", self.edges, 2)
        count = len(arrays.coordinates("vertices", self.vertices))
        if not len(own):
            return Mesh(faces=faces, vertices=count)
        corners = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        edges = np.unique(np.sort(np.vstack([corners, own]), axis=1)[:, ::-1], axis=0)[:, ::-1]
        return Mesh(faces=faces, edges=edges, vertices=count)


@dataclass(frozen=True, eq=False)
class Queries:
    """Queries of one file, all of one kind, which the file does not name.

    Parameters
    ----------
    q : numpy.ndarray
        Points, (n, 24) float64, in the order of `ccd.pair`.
    truth : numpy.ndarray or None
        Whether there is a contact, (n,) bool; None if the file does not say.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> ccd.Queries(np.zeros((2, 24)), None)
    <ccd.Queries, 2>
    """

    q: NDArray[np.float64]
    truth: NDArray[np.bool_] | None

    def __len__(self) -> int:
        return len(self.q)

    def __repr__(self) -> str:
        return f"<ccd.Queries, {len(self)}{'' if self.truth is None else ' with their truth'}>"


def _path(path: str | os.PathLike[str]) -> bytes:
    try:
        encoded = os.fsencode(path)
    except TypeError:
        raise ArgumentError(f"path is {shown(path)}: must be a file name") from None
    if b"\0" in encoded:
        raise FileError(f"{path!r} holds a NUL: no file has such a name")
    return encoded


def load(noun: str, path: str | os.PathLike[str]) -> ctypes.c_void_p:
    """The handle of a ccd_{noun} read from a file."""
    lib, handle, name = abi.library(), ctypes.c_void_p(), _path(path)
    try:
        size = os.stat(name).st_size
    except OSError:  # the library says what is wrong
        size = 0
    create(size, getattr(lib, f"ccd_{noun}_read"), getattr(lib, f"ccd_{noun}_destroy"), handle, name)
    return handle


def read(path: str | os.PathLike[str]) -> Surface:
    r"""Read a surface from a file: OBJ, PLY, STL or OFF, or the surface in MSH, MEDIT or VTK.

    The content determines the format. Polygons are split into triangles as fans; STL vertices with the
    same coordinates become one.

    Parameters
    ----------
    path : str or os.PathLike
        A regular file.

    Returns
    -------
    Surface
        Vertices (n, 3) float64, edges (m, 2) int32 and faces (k, 3) int32.

    Raises
    ------
    FileError
        The file cannot be opened, or is truncated or malformed.

    See Also
    --------
    ccd.volume.read : Elements of a file.
    ccd.patch.read : Curved patches of a file.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "triangle.off")
    >>> with open(path, "w") as file:
    ...     _ = file.write("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    >>> ccd.read(path)
    <ccd.Surface of 3 vertices, 0 edges, 1 faces>
    """
    lib, handle = abi.library(), load("surface_file", path)
    try:
        sizes = [ctypes.c_size_t() for _ in range(3)]
        check(lib.ccd_surface_file_counts(handle, *map(ctypes.byref, sizes)))
        vertices, edges, faces = (size.value for size in sizes)
        surface = Surface(np.empty((vertices, 3)), np.empty((edges, 2), np.int32), np.empty((faces, 3), np.int32))
        check(lib.ccd_surface_file_copy(handle, surface.vertices.ctypes, surface.edges.ctypes, surface.faces.ctypes))
        return surface
    finally:
        lib.ccd_surface_file_destroy(handle)


def read_queries(path: str | os.PathLike[str]) -> Queries:
    r"""Read queries from a CSV in the format of the data set of [Wang2021].

    A query is 8 rows of x, y, z, each as numerator and denominator, and the truth.

    Parameters
    ----------
    path : str or os.PathLike
        A file.

    Returns
    -------
    Queries
        Points (n, 24) float64, and the truth (n,) bool.

    Raises
    ------
    FileError
        The file is malformed, or a quotient is not exactly a double; the message names the line.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "one.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("1,2,0,1,1,1,1\n" * 8)
    >>> ccd.read_queries(path)
    <ccd.Queries, 1 with their truth>
    """
    return Queries(*queries.read(os.fsdecode(_path(path))))
