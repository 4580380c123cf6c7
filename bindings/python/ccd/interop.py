"""Meshes of other packages: meshio, trimesh, PyVista and polyscope.

``from_...`` functions return a `ccd.Mesh` and the vertices, and read attributes alone: they import no other package.
``to_...`` functions import the package on their first call. Vertices of the other mesh that no edge uses become codimensional
vertices, which collide: remove them first if they are no part of the scene.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays
from ._native.call import check, renaming
from .errors import ArgumentError, InvalidIndexError, NonFiniteError
from .files import Surface
from .mesh import Mesh

__all__ = [
    "from_meshio",
    "from_pyvista",
    "from_trimesh",
    "to_meshio",
    "to_polyscope",
    "to_pyvista",
    "to_trimesh",
]


def from_trimesh(mesh: Any) -> tuple[Mesh, NDArray[np.float64]]:
    """Return topology and vertices of a mesh of trimesh.

    trimesh merges vertices when it makes or loads a mesh; ``process=False`` keeps them as they are.

    Parameters
    ----------
    mesh : trimesh.Trimesh
        The mesh, or another object with ``vertices`` (n, 3) and ``faces`` (m, 3).

    Returns
    -------
    mesh : Mesh
        The topology.
    x : numpy.ndarray
        Copy of the vertices, (n, 3) float64.

    Raises
    ------
    ArgumentError
        `mesh` has no vertices and faces, or a face is given twice.
    InvalidIndexError
        An index is out of range, or a face repeats a vertex.

    Examples
    --------
    >>> import ccd, trimesh
    >>> ccd.interop.from_trimesh(trimesh.creation.box())[0]
    <ccd.Mesh of 8 vertices, 18 edges, 12 faces>
    """
    _must_have(mesh, ("vertices", "faces"), "a trimesh.Trimesh; of a Scene pass scene.to_mesh()")
    return _made(mesh.vertices, "vertices", mesh.faces, ())


def from_meshio(mesh: Any) -> tuple[Mesh, NDArray[np.float64]]:
    """Return topology and vertices of a mesh of meshio.

    Triangles, quadrilaterals and polygons become faces, and lines edges. Concave polygons are cut as the readers of files
    cut them. Vertex cells are skipped, because all points are vertices.

    Parameters
    ----------
    mesh : meshio.Mesh
        The mesh, or another object with ``points`` (n, 3) and ``cells``, each with ``type`` and ``data``.

    Returns
    -------
    mesh : Mesh
        The topology.
    x : numpy.ndarray
        Copy of the points, (n, 3) float64.

    Raises
    ------
    ArgumentError
        `mesh` has no points and cells, a cell has another type, such as a tetrahedron, a polygon crosses itself, or a face is
        given twice.
    InvalidIndexError
        An index is out of range, or a cell repeats a vertex.
    NonFiniteError
        A point of a polygon of more than three corners is not finite.

    See Also
    --------
    ccd.volume.Volume : Meshes of elements.

    Examples
    --------
    >>> import ccd, meshio
    >>> square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    >>> ccd.interop.from_meshio(meshio.Mesh(square, [("quad", [[0, 1, 2, 3]])]))[0]
    <ccd.Mesh of 4 vertices, 5 edges, 2 faces>
    """
    _must_have(mesh, ("points", "cells"), "a meshio.Mesh")
    x = arrays.coordinates("points", mesh.points)
    faces: list[NDArray[Any]] = []
    edges: list[NDArray[Any]] = []
    for i, block in enumerate(mesh.cells):
        if block.type == "line":
            edges.append(arrays.primitives(f"cells[{i}]", block.data, 2))
        elif block.type in ("triangle", "quad", "polygon"):
            faces.append(_cut(f"cells[{i}]", x, arrays.to_array(f"cells[{i}]", block.data)))
        elif block.type != "vertex":
            raise ArgumentError(
                f"cells[{i}] are of type {block.type}: must be triangle, quad, polygon, line or vertex; "
                "for elements use ccd.volume, or pass their surface"
            )
    return _made(mesh.points, "points", _stacked(faces, 3), _stacked(edges, 2))


def from_pyvista(mesh: Any) -> tuple[Mesh, NDArray[np.float64]]:
    """Return topology and vertices of a surface of PyVista.

    Polygons become faces, and the segments of lines edges. Concave polygons are cut as the readers of files cut them. Vertex
    cells are skipped, because all points are vertices.

    Parameters
    ----------
    mesh : pyvista.PolyData
        The surface, or another object with ``points`` (n, 3) and ``faces``, and ``lines`` if it has any, as flat arrays with
        the number of vertices before each cell.

    Returns
    -------
    mesh : Mesh
        The topology.
    x : numpy.ndarray
        Copy of the points, (n, 3) float64.

    Raises
    ------
    ArgumentError
        `mesh` has no points and faces, its arrays are malformed, it has triangle strips, a polygon crosses itself, or a face is
        given twice.
    InvalidIndexError
        An index is out of range, or a cell repeats a vertex.
    NonFiniteError
        A point of a polygon of more than three corners is not finite.

    Examples
    --------
    >>> import ccd, pyvista
    >>> ccd.interop.from_pyvista(pyvista.Plane(i_resolution=1, j_resolution=1))[0]
    <ccd.Mesh of 4 vertices, 5 edges, 2 faces>
    """
    _must_have(mesh, ("points", "faces"), "a pyvista.PolyData; of another data set pass extract_surface()")
    if len(getattr(mesh, "strips", ())):
        raise ArgumentError("mesh has triangle strips: pass mesh.triangulate()")
    x = arrays.coordinates("points", mesh.points)
    faces = [_cut("faces", x, part) for part in _cells("faces", mesh.faces, 3)]
    lines = _cells("lines", getattr(mesh, "lines", ()), 2)
    segments = [np.stack([part[:, :-1], part[:, 1:]], 2).reshape(-1, 2) for part in lines]
    return _made(mesh.points, "points", _stacked(faces, 3), _stacked(segments, 2))


def to_trimesh(mesh: Mesh, x: ArrayLike) -> Any:
    """Return a mesh of trimesh, with all vertices in their order.

    Parameters
    ----------
    mesh : Mesh
        The topology; without codimensional edges, which trimesh does not hold.
    x : array_like
        Vertices, (n, 3).

    Returns
    -------
    trimesh.Trimesh
        The mesh; a copy.

    Raises
    ------
    ArgumentError
        `x` has another number of vertices, or `mesh` has codimensional edges.
    ImportError
        The package trimesh is not installed.

    Examples
    --------
    >>> import ccd
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> float(ccd.interop.to_trimesh(ccd.Mesh(x, [[0, 1, 2]]), x).area)
    0.5
    """
    trimesh, (vertices, faces, edges) = _package("trimesh"), _arrays(mesh, x)
    if len(edges):
        raise ArgumentError(f"mesh has {len(edges)} codimensional edges: trimesh holds faces alone")
    return trimesh.Trimesh(vertices, faces, process=False)


def to_meshio(mesh: Mesh, x: ArrayLike) -> Any:
    """Return a mesh of meshio: faces as triangles, codimensional edges as lines.

    Parameters
    ----------
    mesh : Mesh
        The topology.
    x : array_like
        Vertices, (n, 3).

    Returns
    -------
    meshio.Mesh
        The mesh; a copy.

    Raises
    ------
    ArgumentError
        `x` has another number of vertices.
    ImportError
        The package meshio is not installed.

    Examples
    --------
    >>> import ccd
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> mesh = ccd.interop.to_meshio(ccd.Mesh(x, [[0, 1, 2]]), x)
    >>> mesh.cells_dict["triangle"].tolist()
    [[0, 1, 2]]
    """
    meshio, (vertices, faces, edges) = _package("meshio"), _arrays(mesh, x)
    cells = [(kind, cells) for kind, cells in (("triangle", faces), ("line", edges)) if len(cells)]
    return meshio.Mesh(vertices, cells)


def to_pyvista(mesh: Mesh, x: ArrayLike) -> Any:
    """Return a surface of PyVista: faces, and codimensional edges as lines.

    Parameters
    ----------
    mesh : Mesh
        The topology.
    x : array_like
        Vertices, (n, 3).

    Returns
    -------
    pyvista.PolyData
        The surface; a copy.

    Raises
    ------
    ArgumentError
        `x` has another number of vertices.
    ImportError
        The package pyvista is not installed.

    Examples
    --------
    >>> import ccd
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> surface = ccd.interop.to_pyvista(ccd.Mesh(x, [[0, 1, 2]]), x)
    >>> surface.n_points, surface.n_cells
    (3, 1)
    """
    pyvista, (vertices, faces, edges) = _package("pyvista"), _arrays(mesh, x)
    cells = {name: _padded(cells) for name, cells in (("faces", faces), ("lines", edges)) if len(cells)}
    return pyvista.PolyData(vertices, **cells)


def to_polyscope(mesh: Mesh, x: ArrayLike, name: str = "mesh") -> list[Any]:
    """Register a mesh with polyscope: faces, codimensional edges and codimensional vertices.

    Call ``polyscope.init()`` before and ``polyscope.show()`` after it. A structure of the same name is replaced.

    Parameters
    ----------
    mesh : Mesh
        The topology.
    x : array_like
        Vertices, (n, 3).
    name : str, default 'mesh'
        Name of the surface mesh; the curve network and the point cloud are called ``name + " edges"`` and
        ``name + " vertices"``.

    Returns
    -------
    list
        The polyscope.SurfaceMesh, polyscope.CurveNetwork and polyscope.PointCloud, without those that would be empty. The
        first two hold all vertices, so quantities on vertices fit them.

    Raises
    ------
    ArgumentError
        `x` has another number of vertices.
    ImportError
        The package polyscope is not installed.

    Examples
    --------
    >>> import ccd, polyscope
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> polyscope.init()  # doctest: +SKIP
    >>> surface, = ccd.interop.to_polyscope(ccd.Mesh(x, [[0, 1, 2]]), x)  # doctest: +SKIP
    """
    polyscope, (vertices, faces, edges) = _package("polyscope"), _arrays(mesh, x)
    out = []
    if len(faces):
        out.append(polyscope.register_surface_mesh(name, vertices, faces))
    if len(edges):
        out.append(polyscope.register_curve_network(f"{name} edges", vertices, edges))
    alone = np.setdiff1d(np.arange(len(vertices)), mesh.edges)
    if len(alone):
        out.append(polyscope.register_point_cloud(f"{name} vertices", vertices[alone]))
    return out


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"to_{name} needs {name}: pip install {name}") from error


def _must_have(mesh: Any, attributes: tuple[str, ...], wanted: str) -> None:
    if any(not hasattr(mesh, attribute) for attribute in attributes):
        raise ArgumentError(f"mesh is {type(mesh).__name__}: must be {wanted}")


def _made(points: Any, name: str, faces: Any, edges: Any) -> tuple[Mesh, NDArray[np.float64]]:
    """Mesh and vertices. Edges may be those of faces, and may be given twice."""
    x = np.array(arrays.coordinates(name, points))
    triangles, lines = arrays.primitives("faces", faces, 3), arrays.primitives("lines", edges, 2)
    lines = np.unique(np.sort(lines, axis=1), axis=0)
    return Surface(x, lines, triangles).mesh(), x


def _arrays(mesh: Any, x: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]:
    """Copies of vertices, faces and codimensional edges."""
    if not isinstance(mesh, Mesh):
        raise ArgumentError(f"mesh is {type(mesh).__name__}: must be a ccd.Mesh")
    n, faces = mesh.counts[0], mesh.faces
    vertices = np.array(arrays.frame("x", x, n))
    own, every = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1).astype(np.int64), mesh.edges
    sorted_ = np.sort(every, axis=1).astype(np.int64)
    return vertices, faces, every[~np.isin(sorted_ @ [n, 1], own @ [n, 1])]


def _cut(name: str, x: NDArray[np.float64], polygons: NDArray[Any]) -> NDArray[Any]:
    """Polygons (n, k) of vertices x as (n (k - 2), 3) triangles, which the readers of files make too."""
    if polygons.ndim != 2 or polygons.shape[1] < 4:
        return polygons
    n, size = polygons.shape
    index = arrays.primitives(name, polygons, size)
    arrays.in_range(name, index, len(x), "points")
    repeats = np.argwhere(index == np.roll(index, 1, axis=1))
    if len(repeats):
        row, column = repeats[0].tolist()
        raise InvalidIndexError(f"{name}: the polygon {index[row].tolist()} repeats vertex {index[row, column]}")
    own = x[index].reshape(-1, 3)  # the polygons' own points: others may be of any kind
    wrong = np.flatnonzero(~np.isfinite(own).all(axis=1))
    if len(wrong):
        vertex = int(index.ravel()[wrong[0]])
        raise NonFiniteError(f"points[{vertex}] is {x[vertex].tolist()}: a polygon of {name} has it; must be finite")
    corners, sizes, crossed = np.arange(len(own), dtype=np.int32), np.full(n, size, np.int32), ctypes.c_size_t()
    triangles = np.empty((n * (size - 2), 3), np.int32)
    with renaming((r"^a polygon of", f"{name}: a polygon of")):
        check(
            abi.library().ccd_polygons_cut(
                own.ctypes, len(own), corners.ctypes, len(corners), sizes.ctypes, n, triangles.ctypes, ctypes.byref(crossed)
            )
        )
    if crossed.value:
        raise ArgumentError(f"{name}: {crossed.value} polygons of {size} corners cross themselves; cut them into triangles")
    return index.ravel()[triangles]


def _stacked(parts: list[NDArray[Any]], columns: int) -> NDArray[Any]:
    return np.concatenate([np.zeros((0, columns), np.int32), *parts])


def _padded(cells: NDArray[np.int32]) -> NDArray[np.int64]:
    """Cells as a flat array with the number of vertices before each."""
    out: NDArray[np.int64] = np.insert(cells.astype(np.int64), 0, cells.shape[1], axis=1).ravel()
    return out


def _cells(name: str, flat: Any, least: int) -> list[NDArray[np.int64]]:
    """Cells of a flat array with the number of vertices before each, in their order: runs of one size as arrays (n, size)."""
    array = arrays.ids(name, flat).astype(np.int64)
    values, starts, at = array.tolist(), [], 0
    while at < len(values):
        size = values[at]
        if size < least or at + size >= len(values):
            raise ArgumentError(f"{name}[{at}] is {size}: must be the number of vertices of a cell, at least {least}")
        starts.append(at)
        at += size + 1
    if not starts:
        return []
    first = np.array(starts)
    runs = np.split(first, 1 + np.flatnonzero(np.diff(array[first])))
    return [array[run[:, None] + 1 + np.arange(array[run[0]])] for run in runs]
