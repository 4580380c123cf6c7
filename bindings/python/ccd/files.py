"""Surfaces and queries from files."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import mesh as _mesh_module
from ._io import queries
from ._io.checks import file_name
from ._native import abi, arrays, remarks
from ._native.call import check, create, renaming
from .errors import NonFiniteError
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
    unused : numpy.ndarray, optional
        Vertices that no face, edge or point of the file uses, (u,) int32, ascending.
    left_out : dict, optional
        How many things of each kind the reader left out, by a plural as ``"faces given twice"``.
    fields : dict, optional
        Data at the points by name, as displacements, (n,) or (n, c) float64; values may be NaN or infinite.
    notes : list, optional
        Other remarks of the reader, sentences.
    places : numpy.ndarray, optional
        Of a welded surface: for each vertex of the file its number here, (m,) int32.
    deviation : float, default 0
        Curved faces and lines of the file, those of cells of order 2, are at most this far from the flat ones here: a length.

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
    unused: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    left_out: dict[str, int] = field(default_factory=dict)
    fields: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    places: NDArray[np.int32] | None = None
    deviation: float = 0.0

    def __repr__(self) -> str:
        return f"<ccd.Surface of {len(self.vertices)} vertices, {len(self.edges)} edges, {len(self.faces)} faces>"

    def mesh(self, particles: bool = False) -> Mesh:
        """Return the topology: edges of the faces, and the file's own as codimensional ones.

        Parameters
        ----------
        particles : bool, default False
            Whether the vertices in `unused` are particles. Otherwise no pair has them; they keep their numbers.

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
        ignored = None
        if len(self.unused) and not arrays.flag("particles", particles):
            unused = arrays.ids("unused", self.unused)
            arrays.in_range("unused", unused, count, "vertices")
            ignored = np.zeros(count, bool)
            ignored[unused] = True
        if not len(own):
            return Mesh(faces=faces, vertices=count, ignored=ignored)
        corners = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        edges = np.unique(np.sort(np.vstack([corners, own]), axis=1)[:, ::-1], axis=0)[:, ::-1]
        return Mesh(faces=faces, edges=edges, vertices=count, ignored=ignored)

    def weld(self, bits: int = 2, places: ArrayLike | None = None) -> Surface:
        """Return the surface with one vertex in place of those that are copies of each other.

        Some writers give each element points of its own, so that the whole surface is in contact with itself. A later frame
        is welded by the places of the first, wherever its vertices are: ``b.weld(places=a.weld().places)``.

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
        Surface
            A place has the position and the fields of its first vertex. Faces that are the same then, or repeat a vertex, are
            left out and counted in `left_out`; `places` has the new number of each vertex.

        Raises
        ------
        ArgumentError
            An argument has another shape or type.
        NonFiniteError
            A coordinate is NaN or infinite.
        InvalidIndexError
            A place or an index is out of range.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
        >>> ccd.Surface(x, np.empty((0, 2), np.int32), np.arange(6).reshape(2, 3)).weld()
        <ccd.Surface of 4 vertices, 0 edges, 2 faces>
        """
        found, first, notes = remarks.weld(self.vertices, bits, places)
        faces, edges = arrays.primitives("faces", self.faces, 3), arrays.primitives("edges", self.edges, 2)
        for name, list_ in (("faces", faces), ("edges", edges)):
            arrays.in_range(name, list_, len(found), "vertices")
        welded = clean(self.vertices[first], found[faces], found[edges])
        left_out = {what: n for what, n in self.left_out.items() if what != _UNUSED}
        for what, n in welded.left_out.items():
            left_out[what] = left_out.get(what, 0) + n
        return Surface(
            welded.vertices,
            welded.edges,
            welded.faces,
            welded.unused,
            left_out,
            {name: values[first] for name, values in self.fields.items()},
            self.notes + notes,
            found if self.places is None else found[self.places],
            self.deviation,
        )


_UNUSED = "vertices that nothing uses"


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
    return os.fsencode(file_name("path", path))


def load(noun: str, path: str | os.PathLike[str]) -> ctypes.c_void_p:
    """The handle of a ccd_{noun} read from a file."""
    lib, handle, name = abi.library(), ctypes.c_void_p(), _path(path)
    try:
        size = os.stat(name).st_size
    except OSError:  # the library says what is wrong
        size = 0
    create(size, getattr(lib, f"ccd_{noun}_read"), getattr(lib, f"ccd_{noun}_destroy"), handle, name)
    return handle


def clean(vertices: ArrayLike, faces: ArrayLike | None, edges: ArrayLike | None) -> Surface:
    """The surface of arrays, without what a mesh refuses."""
    x, handle, lib = arrays.coordinates("vertices", vertices), ctypes.c_void_p(), abi.library()
    wrong = np.flatnonzero(~np.isfinite(x).all(1))
    if len(wrong):
        at = int(np.flatnonzero(~np.isfinite(x[wrong[0]]))[0])
        drop = "bad = ~np.isfinite(vertices).all(1); vertices[bad] = 0; faces = faces[~bad[faces].any(1)]"
        raise NonFiniteError(
            f"vertices[{wrong[0]}][{at}] is {x[wrong[0], at]}: not finite, as {len(wrong)} of {len(x)} vertices are; "
            f"to leave out their faces: {drop}"
        )
    triangles = arrays.primitives("faces", () if faces is None else faces, 3)
    lines = arrays.primitives("edges", () if edges is None else edges, 2)
    with renaming((r"^x\b", "vertices")):
        create(
            x.nbytes + triangles.nbytes + lines.nbytes, lib.ccd_surface_file_clean, lib.ccd_surface_file_destroy, handle,
            x.ctypes, len(x), lines.ctypes, len(lines), triangles.ctypes, len(triangles),
        )  # fmt: skip
    return _taken(handle)


_mesh_module._clean = clean  # Mesh.clean calls it: ccd.mesh cannot import this module, which imports it


def _taken(handle: ctypes.c_void_p) -> Surface:
    """The surface behind a handle, which is destroyed."""
    lib = abi.library()
    try:
        sizes = [ctypes.c_size_t() for _ in range(4)]
        check(lib.ccd_surface_file_counts(handle, *map(ctypes.byref, sizes[:3])))
        check(lib.ccd_surface_file_unused(handle, None, 0, ctypes.byref(sizes[3])))
        vertices, edges, faces, unused = (size.value for size in sizes)
        deviation = ctypes.c_double()
        check(lib.ccd_surface_file_deviation(handle, ctypes.byref(deviation)))
        surface = Surface(
            np.empty((vertices, 3)),
            np.empty((edges, 2), np.int32),
            np.empty((faces, 3), np.int32),
            np.empty(unused, np.int32),
            *remarks.of("surface_file", handle, vertices),
            deviation=deviation.value,
        )
        check(lib.ccd_surface_file_copy(handle, surface.vertices.ctypes, surface.edges.ctypes, surface.faces.ctypes))
        check(lib.ccd_surface_file_unused(handle, surface.unused.ctypes, unused, ctypes.byref(sizes[3])))
        return surface
    finally:
        lib.ccd_surface_file_destroy(handle)


def read(path: str | os.PathLike[str], strict: bool = False) -> Surface:
    r"""Read a surface from a file: OBJ, PLY, STL or OFF, or the surface in MSH, MEDIT or VTK.

    The content determines the format. Polygons are split into triangles; STL vertices with the same coordinates become
    one. Cells of order 2 become flat triangles between their nodes, and `deviation` bounds how far the curved faces are from
    these; of solids of order 2, and of polyhedra, the boundary is read where they have no surface of their own. What a mesh
    refuses, as faces given twice, is left out and counted in ``left_out``.

    Parameters
    ----------
    path : str or os.PathLike
        A regular file.
    strict : bool, default False
        Raise an error instead of leaving anything out.

    Returns
    -------
    Surface
        Vertices (n, 3) float64, edges (m, 2) int32 and faces (k, 3) int32.

    Raises
    ------
    FileError
        The file cannot be opened, or is truncated or malformed; with `strict` also if something would be left out.

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
    surface = _taken(load("surface_file", path))
    if arrays.flag("strict", strict):
        remarks.refuse(os.fsdecode(path), surface.left_out)
    return surface


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
