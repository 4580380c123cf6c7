"""What Open CASCADE knows of shapes: surfaces, trimming curves and triangles, as arrays.

Its triangles are only where the facets begin: nothing that it says of their deviation is used.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner.cad import Keys
from ..errors import FileError
from . import _bounds, _folds, _splines
from ._bounds import Curve, Doubles, Surface
from ._facets import Face, Facets


@functools.cache
def needed() -> None:
    """Raise an error that says what to install, unless Open CASCADE is there."""
    try:
        import OCP.BRepMesh  # noqa: F401
    except ImportError as error:
        raise ImportError("ccd.cad needs Open CASCADE: pip install cadquery-ocp-novtk") from error


def faces(shape: Any) -> list[Any]:
    """The faces of a shape."""
    from OCP.TopAbs import TopAbs_FACE

    return explored(shape, TopAbs_FACE)


def explored(shape: Any, kind: Any) -> list[Any]:
    """The parts of a shape that are of a kind, as shapes of that kind."""
    from OCP import TopAbs
    from OCP.TopExp import TopExp_Explorer

    names = {TopAbs.TopAbs_FACE: "Face", TopAbs.TopAbs_EDGE: "Edge"}
    cast = _cast(names[kind])
    found, explorer = [], TopExp_Explorer(shape, kind)
    while explorer.More():
        found.append(cast(explorer.Current()))
        explorer.Next()
    return found


def _cast(name: str) -> Any:
    """The function that makes a face, or an edge of a shape."""
    from OCP.TopoDS import TopoDS

    return getattr(TopoDS, f"{name}_s", None) or getattr(TopoDS, name)  # before and since Open CASCADE 8


# ---- surfaces and curves


def _array(p: Any) -> Doubles:
    return np.array([p.X(), p.Y(), p.Z()]) if hasattr(p, "Z") else np.array([p.X(), p.Y()])


def _frame(ax3: Any) -> _bounds.Frame:
    return _bounds.Frame(*(_array(p) for p in (ax3.Location(), ax3.XDirection(), ax3.YDirection(), ax3.Direction())))


def surface_of(face: Any) -> Surface:
    """The surface of a face; ValueError where its deviation cannot be bounded."""
    from OCP import GeomAbs
    from OCP.BRep import BRep_Tool
    from OCP.BRepAdaptor import BRepAdaptor_Surface

    # The parameters of trimming curves would be those of the surface as it was.
    scale = abs(face.Location().Transformation().ScaleFactor())
    if abs(scale - 1) > 1e-9:
        raise ValueError(f"its placement scales it by {scale:g}: scale the shape itself (BRepBuilderAPI_Transform)")
    s = BRepAdaptor_Surface(face)
    kind = s.GetType()
    if kind == GeomAbs.GeomAbs_Plane:
        return _bounds.Plane(_frame(s.Plane().Position()))
    if kind == GeomAbs.GeomAbs_Cylinder:
        c = s.Cylinder()
        return _bounds.Round("cylinder", _frame(c.Position()), c.Radius())
    if kind == GeomAbs.GeomAbs_Cone:
        c = s.Cone()
        return _bounds.Convex("cone", _frame(c.Position()), c.RefRadius(), c.SemiAngle())
    if kind == GeomAbs.GeomAbs_Sphere:
        c = s.Sphere()
        return _bounds.Convex("sphere", _frame(c.Position()), c.Radius())
    if kind == GeomAbs.GeomAbs_Torus:
        c = s.Torus()
        return _bounds.Round("torus", _frame(c.Position()), c.MajorRadius(), c.MinorRadius())
    if kind in (GeomAbs.GeomAbs_BSplineSurface, GeomAbs.GeomAbs_BezierSurface):
        return _spline_surface(s.BSpline() if kind == GeomAbs.GeomAbs_BSplineSurface else s.Bezier())
    if kind == GeomAbs.GeomAbs_SurfaceOfExtrusion:
        return _bounds.Extrusion(curve_of(s.BasisCurve()), _array(s.Direction()))
    if kind == GeomAbs.GeomAbs_SurfaceOfRevolution:
        axis = s.AxeOfRevolution()
        return _bounds.Revolution(curve_of(s.BasisCurve()), _array(axis.Location()), _array(axis.Direction()))
    if BRep_Tool.Surface_s(face) is None:
        raise ValueError(
            "it has triangles and no surface (a tessellated STEP file, AP242): export the part with its surfaces, or as a mesh"
        )
    raise ValueError(f"its surface is of a kind that has no proven bound ({kind.name.removeprefix('GeomAbs_')})")


def curve_of(c: Any) -> Curve:
    """The curve of an adaptor, in the plane or in space."""
    from OCP import GeomAbs

    kind = c.GetType()
    if kind == GeomAbs.GeomAbs_Line:
        line = c.Line()
        return _bounds.Line(_array(line.Location()), _array(line.Direction()))
    if kind in (GeomAbs.GeomAbs_Circle, GeomAbs.GeomAbs_Ellipse, GeomAbs.GeomAbs_Hyperbola, GeomAbs.GeomAbs_Parabola):
        name = kind.name.removeprefix("GeomAbs_")
        conic = getattr(c, name)()
        place = conic.Position() if hasattr(conic, "Position") else conic.Axis()
        center, x, y = _array(place.Location()), _array(place.XDirection()), _array(place.YDirection())
        if name == "Circle":
            return _bounds.Ellipse(center, conic.Radius() * x, conic.Radius() * y)
        if name == "Ellipse":
            return _bounds.Ellipse(center, conic.MajorRadius() * x, conic.MinorRadius() * y)
        if name == "Hyperbola":
            return _bounds.Hyperbola(center, conic.MajorRadius() * x, conic.MinorRadius() * y)
        return _bounds.Parabola(center, x / (4 * conic.Focal()), y)
    if kind == GeomAbs.GeomAbs_BSplineCurve:
        return _spline(c.BSpline())
    if kind == GeomAbs.GeomAbs_BezierCurve:
        return _spline(c.Bezier())
    raise ValueError(f"it has a curve of a kind that has no proven bound ({kind.name.removeprefix('GeomAbs_')})")


def _spline(c: Any) -> Curve:
    period = 0.0
    if hasattr(c, "NbKnots"):
        if c.IsPeriodic():
            c = c.Copy()
            c.SetNotPeriodic()
            period = c.LastParameter() - c.FirstParameter()
        knots = [c.Knot(k) for k in range(1, c.NbKnots() + 1) for _ in range(c.Multiplicity(k))]
    else:
        knots = [0.0] * (c.Degree() + 1) + [1.0] * (c.Degree() + 1)
    poles = np.array([_array(c.Pole(k)) for k in range(1, c.NbPoles() + 1)])
    weights = np.array([c.Weight(k) for k in range(1, c.NbPoles() + 1)])
    return _splines.Spline(c.Degree(), np.array(knots), np.column_stack([poles * weights[:, None], weights]), period)


def _spline_surface(s: Any) -> Surface:
    periods = [0.0, 0.0]
    if hasattr(s, "NbUKnots"):
        if s.IsUPeriodic() or s.IsVPeriodic():
            s = s.Copy()
            for k, (periodic, end) in enumerate(((s.IsUPeriodic(), s.SetUNotPeriodic), (s.IsVPeriodic(), s.SetVNotPeriodic))):
                if periodic:
                    end()
                    b = s.Bounds()
                    periods[k] = b[2 * k + 1] - b[2 * k]
        u = [s.UKnot(k) for k in range(1, s.NbUKnots() + 1) for _ in range(s.UMultiplicity(k))]
        v = [s.VKnot(k) for k in range(1, s.NbVKnots() + 1) for _ in range(s.VMultiplicity(k))]
    else:
        u = [0.0] * (s.UDegree() + 1) + [1.0] * (s.UDegree() + 1)
        v = [0.0] * (s.VDegree() + 1) + [1.0] * (s.VDegree() + 1)
    net = np.empty((s.NbUPoles(), s.NbVPoles(), 4))
    for i in range(net.shape[0]):
        for j in range(net.shape[1]):
            p, w = s.Pole(i + 1, j + 1), s.Weight(i + 1, j + 1)
            net[i, j] = p.X() * w, p.Y() * w, p.Z() * w, w
    axes = [_splines.Axis(d, np.array(k), p) for d, k, p in ((s.UDegree(), u, periods[0]), (s.VDegree(), v, periods[1]))]
    made = _splines.SplineSurface(axes[0], axes[1], net)
    made.narrow()
    return made


# ---- triangles

LEAST = 1.25e-7  # deflections below Open CASCADE's confusion of points, 1e-7, are an error there


@dataclass
class Read:
    """A face as Open CASCADE has it, turned forward, and what was read of it: no triangles."""

    shape: Any
    turned: bool  # whether its outer side is the other one
    face: Face
    edges: list[Any]
    ranges: list[tuple[float, float]]  # Each of its curves has a range of parameters.
    bounded: bool  # whether its edges go around it, and none lies in it


def read(shape: Any, name: str) -> list[Read]:
    """The faces of a shape, with their surfaces and curves."""
    from OCP.BRepAdaptor import BRepAdaptor_Curve2d
    from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_REVERSED

    found = []
    cast = _cast("Face")
    for k, one in enumerate(faces(shape)):
        face = cast(one.Oriented(TopAbs_FORWARD))
        try:
            surface, edges = surface_of(face), explored(face, TopAbs_EDGE)
            adaptors = [BRepAdaptor_Curve2d(edge, face) for edge in edges]
            made = Face(surface, [curve_of(c) for c in adaptors], f"face {k}")
        except ValueError as error:
            raise FileError(f"{name}: face {k}: {error}") from None
        ranges = [(c.FirstParameter(), c.LastParameter()) for c in adaptors]
        bounded = all(edge.Orientation() in (TopAbs_FORWARD, TopAbs_REVERSED) for edge in edges)
        found.append(Read(face, one.Orientation() == TopAbs_REVERSED, made, edges, ranges, bounded))
    if not found:
        raise FileError(f"{name}: it has no face")
    return found


def facets(held: list[Read], shape: Any, deflection: float, name: str) -> tuple[Facets, Doubles, NDArray[np.int64], Doubles]:
    """Facets of all faces of a shape, and its triangles as Open CASCADE has them.

    The triangles are points (n, 3), corners (m, 3) turned outward, and how far the face of each may be from its triangles (m,).
    """
    _mesh(shape, max(deflection, LEAST))
    own: list[tuple[Any, ...]] = []
    points, corners, off, count = [], [], [], 0
    for k, one in enumerate(held):
        try:
            uv, side, at, flat, nodes, triangles = _face(one)
        except ValueError as error:
            raise FileError(f"{name}: face {k}: {error}") from None
        own.append((np.full(len(uv), k), uv, side, at))
        if one.turned:
            triangles = triangles[:, ::-1]
        surface = one.face.surface
        moved = float(np.linalg.norm(surface.at(flat) - nodes, axis=1).max()) + surface.error(flat)
        off.append(np.full(len(triangles), moved))
        points.append(nodes)
        corners.append(triangles + count)
        count += len(nodes)
    made = Facets([one.face for one in held], *(np.concatenate(x) for x in zip(*own)))
    worst = np.zeros(len(held))
    np.maximum.at(worst, made.face, made.deviation)
    return made, np.concatenate(points), np.concatenate(corners), np.concatenate([x + w for x, w in zip(off, worst)])


def facets_of(held: list[Read], some: list[int], deflection: float) -> Facets | None:
    """Facets of some faces alone; None where that fails, and all faces may need larger triangles."""
    from OCP.BRepMesh import BRepMesh_IncrementalMesh

    own = []
    try:
        for k in some:
            BRepMesh_IncrementalMesh(held[k].shape, max(deflection, LEAST), False, 0.5, False)
            uv, side, at, *_ = _face(held[k])
            own.append((np.full(len(uv), k), uv, side, at))
    except ValueError:
        return None
    return Facets([one.face for one in held], *(np.concatenate(x) for x in zip(*own)))


def pieces(held: list[Read]) -> list[NDArray[np.intp]]:
    """The faces that hang together by common edges, in pieces."""
    of = list(range(len(held)))  # each face points to an earlier one of its piece, or itself
    number, first = Keys(), dict[int, int]()

    def root(k: int) -> int:
        while of[k] != k:
            of[k] = k = of[of[k]]
        return k

    for k, one in enumerate(held):
        for edge in one.edges:
            a, b = root(first.setdefault(number(edge), k)), root(k)
            of[max(a, b)] = min(a, b)
    roots = np.array([root(k) for k in range(len(held))])
    return [np.flatnonzero(roots == k) for k in np.unique(roots)]


def forget(shape: Any) -> None:
    """Let a shape lose its triangles."""
    from OCP.BRepTools import BRepTools

    BRepTools.Clean_s(shape)


def _mesh(shape: Any, deflection: float) -> None:
    """Let Open CASCADE make triangles of all faces; larger ones of a shape that has a face of which it makes no small ones."""
    from OCP.BRep import BRep_Tool
    from OCP.BRepMesh import BRepMesh_IncrementalMesh
    from OCP.BRepTools import BRepTools
    from OCP.TopLoc import TopLoc_Location

    for coarser, angle in ((1, 0.5), (8, 0.5), (8, 1.0), (64, 1.0), (512, 1.0)):
        BRepMesh_IncrementalMesh(shape, coarser * deflection, False, angle, False)
        place = TopLoc_Location()
        if all(BRep_Tool.Triangulation_s(face, place) is not None for face in faces(shape)):
            return
        BRepTools.Clean_s(shape)


def _face(held: Read) -> tuple[Doubles, NDArray[np.int64], Doubles, Doubles, Doubles, NDArray[np.int64]]:
    """Facets of a face, and its nodes, in the plane and in space, with their triangles."""
    from OCP.BRep import BRep_Tool
    from OCP.TopAbs import TopAbs_REVERSED
    from OCP.TopLoc import TopLoc_Location

    face, place = held.shape, TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face, place)
    if mesh is None or not mesh.NbTriangles():
        raise ValueError("Open CASCADE makes no triangles of it")
    if not mesh.HasUVNodes():
        raise ValueError("Open CASCADE's triangles have no parameters")
    moved = place.Transformation()
    count = range(1, mesh.NbNodes() + 1)
    nodes = np.array([(p.X(), p.Y(), p.Z()) for p in map(mesh.Node, count)])
    flat = np.array([(p.X(), p.Y()) for p in map(mesh.UVNode, count)])
    if not place.IsIdentity():
        nodes = _bounds.transformed(nodes, _matrix(moved))
    triangles = np.array([mesh.Triangle(i).Get() for i in range(1, mesh.NbTriangles() + 1)]) - 1
    corners = triangles = _folds.unfolded(flat, triangles)
    sides: dict[tuple[int, int], tuple[int, float, float]] = {}
    for number, (edge, curve) in enumerate(zip(held.edges, held.face.curves)):
        at, t = _polygon(edge, mesh, place, curve, flat, BRep_Tool.IsClosed_s(edge, face))
        if edge.Orientation() == TopAbs_REVERSED:
            at, t = at[::-1], t[::-1]
        if BRep_Tool.Degenerated_s(edge):
            flat, corners, at, t = _at_pole(flat, corners, at, t, curve)
        for i, j, a, b in zip(at, at[1:], t, t[1:]):
            if i != j:
                sides[i, j] = (number, a, b)
    return (*_covered(flat, corners, sides), flat[: len(nodes)], nodes, triangles)


def _polygon(edge: Any, mesh: Any, place: Any, curve: Curve, flat: Doubles, closed: bool) -> tuple[list[int], list[float]]:
    """The nodes of an edge and their parameters. An edge that closes a surface has two polygons: that which is on the curve."""
    from OCP.BRep import BRep_Tool

    best: tuple[float, list[int], list[float]] | None = None
    for one in (edge, _cast("Edge")(edge.Reversed())) if closed else (edge,):
        polygon = BRep_Tool.PolygonOnTriangulation_s(one, mesh, place)
        if polygon is None:
            raise ValueError("an edge has no polygon")
        at = [polygon.Node(i) - 1 for i in range(1, polygon.NbNodes() + 1)]
        t = [polygon.Parameter(i) for i in range(1, polygon.NbNodes() + 1)]
        off = float(np.abs(curve.at(np.array(t)) - flat[at]).max())
        if best is None or off < best[0]:
            best = off, at, t
    assert best is not None
    return best[1], best[2]


def _at_pole(
    flat: Doubles, corners: NDArray[np.int64], at: list[int], t: list[float], curve: Curve
) -> tuple[Doubles, NDArray[np.int64], list[int], list[float]]:
    """Triangles whose sides go to a pole along lines of the other parameter; what is no pole of two nodes stays as it is.

    Open CASCADE's triangles at a pole go to its two ends, whole turns away. Here (a, b, pole) becomes (a, b, b') and (a, b',
    a'), where
    a' and b' are beside a and b on the line that is the pole.
    """
    if len(at) != 2 or not isinstance(curve, _bounds.Line) or np.count_nonzero(curve.direction) != 1:
        return flat, corners, at, t
    along = int(np.flatnonzero(curve.direction)[0])
    ends = flat[at, along]
    low, high = sorted(ends.tolist())
    hits = np.isin(corners, at)
    fan = corners[hits.sum(1) == 1]
    fan = np.stack([np.roll(c, -1 - int(np.flatnonzero(np.isin(c, at))[0])) for c in fan]) if len(fan) else fan
    if not len(fan) or np.any(flat[fan[:, :2], along] < low) or np.any(flat[fan[:, :2], along] > high):
        return flat, corners, at, t
    places = {float(e): n for e, n in zip(ends, at)}
    points = [flat]
    count = len(flat)
    for x in sorted(set(flat[fan[:, :2], along].ravel().tolist())):
        if x not in places:
            places[x] = count
            p = flat[at[0]].copy()
            p[along] = x
            points.append(p[None])
            count += 1
    made = []
    for a, b, _ in fan.tolist():
        one, other = places[float(flat[a, along])], places[float(flat[b, along])]
        made.append((a, b, other))
        if one != other:
            made.append((a, other, one))
    order = sorted(places, reverse=bool(ends[0] > ends[1]))
    shares = [(x - ends[0]) / (ends[1] - ends[0]) for x in order]
    out = np.concatenate([corners[hits.sum(1) == 0], np.array(made, np.int64)])
    return np.concatenate(points), out, [places[x] for x in order], [t[0] + s * (t[1] - t[0]) for s in shares]


def _covered(flat: Doubles, triangles: NDArray[np.int64], sides: dict[Any, Any]) -> tuple[Doubles, NDArray[np.int64], Doubles]:
    """Parameters, sides and parameters of curves of facets; ValueError unless the triangles cover what the loops surround.

    None may be turned over, by exact signs, and their boundary must be that of the loops.
    """
    triangles, differ = _folds.filled(flat, triangles, np.array(list(sides), np.int64).reshape(-1, 2))
    if differ:
        raise ValueError(f"its triangles do not cover it: {differ} sides differ from those of its loops")
    triangles = _folds.unfolded(flat, triangles)
    if not _folds.is_flat(flat, triangles, sides):
        raise ValueError("its triangles fold over in the plane of its parameters")
    side, at = np.full((len(triangles), 3), -1), np.zeros((len(triangles), 3, 2))
    for n, t in enumerate(triangles.tolist()):
        for k in range(3):
            if (found := sides.get((t[k], t[(k + 1) % 3]))) is not None:
                side[n, k], at[n, k] = found[0], found[1:]
    return flat[triangles], side, at


def _matrix(trsf: Any) -> Doubles:
    """A placement as a matrix (4, 4)."""
    out = np.eye(4)
    out[:3] = [[trsf.Value(i, j) for j in range(1, 5)] for i in range(1, 4)]
    return out


# ---- shapes


def corners(shape: Any) -> Doubles:
    """The corners (8, 3) of a box that holds a shape."""
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    if box.IsVoid():
        return np.zeros((8, 3))
    low, high = _array(box.CornerMin()), _array(box.CornerMax())
    picks = np.array([[k >> i & 1 for i in range(3)] for k in range(8)])
    return np.where(picks, high, low)


def size(shape: Any) -> float:
    """The diagonal of that box."""
    box = corners(shape)
    return float(np.linalg.norm(box[7] - box[0]))


class Known:
    """What was made of shapes: one thing for shapes with the same geometry at the same place."""

    def __init__(self) -> None:
        self._held: list[tuple[Any, Any]] = []

    def get(self, shape: Any, make: Callable[[], Any]) -> Any:
        """What was made of the shape, or what a function makes now."""
        for other, made in self._held:
            if other.IsEqual(shape):
                return made
        made = make()
        self._held.append((shape, made))
        return made


def unwrapped(given: Any, name: str) -> Any:
    """The shape of Open CASCADE in an object of build123d or CadQuery, or the shape itself."""
    from OCP.TopoDS import TopoDS_Shape

    from ..errors import ArgumentError

    found = given
    if hasattr(found, "val") and callable(found.val):
        found = found.val()
    found = getattr(found, "wrapped", found)
    if not isinstance(found, TopoDS_Shape) or found.IsNull():
        raise ArgumentError(f"{name} is {type(given).__name__}: must be a shape of Open CASCADE, build123d or CadQuery")
    return found
