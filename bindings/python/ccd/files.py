"""Surfaces and queries from files."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._io import queries
from ._native import abi
from ._native.call import check, create
from .errors import ArgumentError, FileError, shown
from .mesh import Mesh


@dataclass(frozen=True, eq=False)
class Surface:
    """What a file holds.

    vertices  (n, 3) coordinates
    edges     (m, 2), the edges the file itself lists (line elements)
    faces     (k, 3) triangles
    """

    vertices: NDArray[np.float64]
    edges: NDArray[np.int32]
    faces: NDArray[np.int32]

    def __repr__(self) -> str:
        return f"<ccd.Surface of {len(self.vertices)} vertices, {len(self.edges)} edges, {len(self.faces)} faces>"

    def mesh(self) -> Mesh:
        """The topology: the edges of the faces, and the file's own as codimensional ones."""
        if not len(self.edges):
            return Mesh(faces=self.faces, vertices=len(self.vertices))
        corners = self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        edges = np.unique(np.sort(np.vstack([corners, self.edges]), axis=1)[:, ::-1], axis=0)[:, ::-1]
        return Mesh(faces=self.faces, edges=edges, vertices=len(self.vertices))


@dataclass(frozen=True, eq=False)
class Queries:
    """Queries of one file, all of one kind (which the file does not name).

    q      (n, 24) points, as for ccd.pair
    truth  (n,), whether there is a contact; None when the file does not say
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
    """Read an OBJ, PLY, STL or OFF file, or the surface in one of MSH, MEDIT or VTK.

    The content decides the format; polygons are split into triangles.

    Raises FileError when it cannot be opened, is truncated or malformed.
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
    """Read queries from a CSV in the format of the 2021 dataset: 8 rows a query; x, y, z as numerator, denominator; the truth.

    Raises FileError, with the line, when the file is malformed or a quotient is not exactly a double.
    """
    return Queries(*queries.read(os.fsdecode(_path(path))))
