"""Meshes and splines of other packages: meshio, trimesh, PyVista, polyscope; Open CASCADE, geomdl, splipy, rhino3dm.

``from_...`` functions of meshes return a `ccd.Mesh` and the vertices, those of splines a `ccd.patch.Body` and its control
points, and `from_ocp` a `ccd.patch.Model`. They read attributes alone, and import no other package; `from_ocp` imports Open
CASCADE.
``to_...`` functions import the package on their first call. Vertices of the other mesh that no edge uses become codimensional
vertices, which collide: remove them first if they are no part of the scene.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays
from ._native.call import check, renaming
from ._native.names import names_of
from .errors import ArgumentError, InvalidIndexError, NonFiniteError, no_mesh
from .files import Surface
from .mesh import Mesh
from .patch import Body, Model

__all__ = [
    "from_geomdl",
    "from_meshio",
    "from_ocp",
    "from_pyvista",
    "from_rhino3dm",
    "from_splipy",
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


def from_ocp(shape: Any, loops: float = 1e-6) -> Model:
    """Return the faces of a shape of Open CASCADE (OCP, also below CadQuery and build123d), trimmed.

    Parameters
    ----------
    shape : OCP.TopoDS.TopoDS_Shape
        The shape, or an object with ``wrapped``, as CadQuery's and build123d's.
    loops : float, default 1e-6
        Tolerance of the loops of a face, in shares of the sides of the box of its parameters, 1e-9 to 1e-2.

    Returns
    -------
    ccd.patch.Model
        The patches of all faces, with `Model.faces`, in the shape's unit, which Open CASCADE takes for millimeters.

    Raises
    ------
    ArgumentError
        `shape` is no shape, or `loops` is out of range.
    FileError
        The shape has no face, or one that cannot be converted; the message numbers it.
    ImportError
        Open CASCADE is not installed.

    See Also
    --------
    ccd.patch.read_step : The faces of a file.

    Examples
    --------
    >>> import ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> ccd.interop.from_ocp(BRepPrimAPI_MakeBox(1, 2, 3).Shape())
    <ccd.patch.Model of 24 control points, 6 patches, in mm>
    """
    from ._io import cad
    from .patch._model import from_converted, share_of

    cad.require()
    shape = getattr(shape, "wrapped", shape)
    _must_have(shape, ("ShapeType", "IsNull"), "a TopoDS_Shape, or an object with `wrapped`", "shape")
    return from_converted(cad.of_shape(shape, "shape", share_of(loops)), "shape")


def from_geomdl(shape: Any) -> tuple[Body, NDArray[np.float64]]:
    """Return the Bezier patches of a curve or surface of geomdl (NURBS-Python), and its control points.

    Parameters
    ----------
    shape : geomdl.BSpline.Curve, geomdl.BSpline.Surface, geomdl.NURBS.Curve or geomdl.NURBS.Surface
        The spline, in two or three dimensions. Trims are refused.

    Returns
    -------
    body : ccd.patch.Body
        The patches, over the parameters of the spline, v fastest.
    x : numpy.ndarray
        Copy of the control points, (n, 3) float64.

    Raises
    ------
    ArgumentError
        `shape` is no such object, has trims or no control points, or a degree above 9.

    Examples
    --------
    >>> import ccd
    >>> from geomdl import BSpline
    >>> arc = BSpline.Curve()
    >>> arc.degree = 2
    >>> arc.ctrlpts = [[0, 0, 0], [1, 1, 0], [2, 0, 0]]
    >>> arc.knotvector = [0, 0, 0, 1, 1, 1]
    >>> ccd.interop.from_geomdl(arc)[0]
    <ccd.patch.Body of 3 control points, 1 patches>
    """
    _must_have(shape, ("ctrlpts", "rational"), "a curve or surface of geomdl", "shape")
    if len(getattr(shape, "trims", ()) or ()):
        raise ArgumentError("shape has trims: remove them, or make loops of them for ccd.patch.Body.trim")
    if not shape.ctrlpts:
        raise ArgumentError("shape has no control points")
    x = _in_space(np.array(shape.ctrlpts, np.float64), "shape")
    weights = np.array(shape.weights, np.float64) if shape.rational else None
    if hasattr(shape, "degree_u"):
        knots = shape.knotvector_u, shape.knotvector_v
        return Body.nurbs(shape.degree_u, shape.degree_v, *knots, weights), x
    _must_have(shape, ("degree", "knotvector"), "a curve or surface of geomdl", "shape")
    return Body.nurbs(shape.degree, 0, shape.knotvector, (), weights), x


def from_splipy(shape: Any) -> tuple[Body, NDArray[np.float64]]:
    """Return the Bezier patches of a curve or surface of splipy, and its control points.

    splipy multiplies control points of rational splines with their weights; here they are divided. Of periodic splines the
    control points at the seam are repeated, so the body has more of them.

    Parameters
    ----------
    shape : splipy.Curve or splipy.Surface
        The spline, in one to three dimensions.

    Returns
    -------
    body : ccd.patch.Body
        The patches, over the parameters of the spline, v fastest.
    x : numpy.ndarray
        The control points, (n, 3) float64.

    Raises
    ------
    ArgumentError
        `shape` is no such object, or a degree is above 9.

    Examples
    --------
    >>> import ccd, splipy
    >>> ccd.interop.from_splipy(splipy.Surface())[0]
    <ccd.patch.Body of 4 control points, 1 patches>
    """
    _must_have(shape, ("bases", "controlpoints", "rational"), "a curve or surface of splipy", "shape")
    if len(shape.bases) not in (1, 2):
        raise ArgumentError(f"shape has {len(shape.bases)} parameters: must have 1 or 2; pass the faces of a volume")
    net = np.array(shape.controlpoints, np.float64)
    knots, degrees = [], []
    for axis, basis in enumerate(shape.bases):
        repeated = basis.periodic + 1
        net = np.concatenate([net, np.take(net, range(repeated), axis=axis)], axis=axis)
        knots.append(np.array(basis.knots, np.float64))
        degrees.append(basis.order - 1)
    flat, weights = net.reshape(-1, net.shape[-1]), None
    if shape.rational:
        weights = flat[:, -1].copy()
        flat = flat[:, :-1] / weights[:, None]
    x = _in_space(flat, "shape")
    if len(knots) == 1:
        return Body.nurbs(degrees[0], 0, knots[0], (), weights), x
    return Body.nurbs(degrees[0], degrees[1], knots[0], knots[1], weights), x


def from_rhino3dm(shape: Any) -> tuple[Body, NDArray[np.float64]]:
    """Return the Bezier patches of a NURBS curve or surface of rhino3dm, and its control points.

    rhino3dm multiplies control points with their weights, and its knot vectors lack the first and the last knot; here the
    control points are divided, and the knots added.

    Parameters
    ----------
    shape : rhino3dm.NurbsCurve or rhino3dm.NurbsSurface
        The spline; of other curves and surfaces pass ``ToNurbsCurve()`` or ``ToNurbsSurface()``. Loops of a Brep are not read.

    Returns
    -------
    body : ccd.patch.Body
        The patches, over the parameters of the spline, v fastest.
    x : numpy.ndarray
        The control points, (n, 3) float64.

    Raises
    ------
    ArgumentError
        `shape` is no such object, or a degree is above 9.

    Examples
    --------
    >>> import ccd, rhino3dm
    >>> circle = rhino3dm.Circle(rhino3dm.Point3d(0, 0, 0), 2.0).ToNurbsCurve()
    >>> ccd.interop.from_rhino3dm(circle)[0]
    <ccd.patch.Body of 9 control points, 4 patches>
    """
    _must_have(shape, ("Points", "IsRational"), "a NurbsCurve or NurbsSurface of rhino3dm", "shape")
    if hasattr(shape, "KnotsU"):
        counts = shape.Points.CountU, shape.Points.CountV
        found = [shape.Points.GetControlPoint(i, j) for i in range(counts[0]) for j in range(counts[1])]
        knots = [_with_ends(shape.KnotsU), _with_ends(shape.KnotsV)]
        degrees = shape.OrderU - 1, shape.OrderV - 1
    else:
        _must_have(shape, ("Knots", "Degree"), "a NurbsCurve or NurbsSurface of rhino3dm", "shape")
        found = [shape.Points[i] for i in range(len(shape.Points))]
        knots, degrees = [_with_ends(shape.Knots)], (shape.Degree, 0)
    rows = np.array([[p.X, p.Y, p.Z, p.W] for p in found])
    weights = rows[:, 3].copy() if shape.IsRational else None
    x = rows[:, :3] / rows[:, 3:] if shape.IsRational else rows[:, :3].copy()
    return Body.nurbs(*degrees, knots[0], knots[1] if len(knots) > 1 else (), weights), x


def _with_ends(knots: Any) -> NDArray[np.float64]:
    """A knot vector with the first and the last knot, which have no effect, repeated."""
    inner = [float(knots[i]) for i in range(len(knots))]
    return np.array([inner[0], *inner, inner[-1]])


def _in_space(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Points of one to three dimensions as (n, 3)."""
    if x.ndim != 2 or not 1 <= x.shape[1] <= 3:
        raise ArgumentError(f"{name} has points of shape {x.shape}: must have 1 to 3 coordinates")
    return np.ascontiguousarray(np.pad(x, ((0, 0), (0, 3 - x.shape[1]))))


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


def _must_have(mesh: Any, attributes: tuple[str, ...], wanted: str, name: str = "mesh") -> None:
    if any(not hasattr(mesh, attribute) for attribute in attributes):
        raise ArgumentError(f"{name} is {type(mesh).__name__}: must be {wanted}")


def _made(points: Any, name: str, faces: Any, edges: Any) -> tuple[Mesh, NDArray[np.float64]]:
    """Mesh and vertices. Edges may be those of faces, and may be given twice."""
    x = np.array(arrays.coordinates(name, points))
    triangles, lines = arrays.primitives("faces", faces, 3), arrays.primitives("lines", edges, 2)
    lines = np.unique(np.sort(lines, axis=1), axis=0)
    return Surface(x, lines, triangles).mesh(), x


def _arrays(mesh: Any, x: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]:
    """Copies of vertices, faces and codimensional edges."""
    if not isinstance(mesh, Mesh):
        raise no_mesh("mesh", mesh)
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


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
