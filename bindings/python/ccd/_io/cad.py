"""STEP and IGES through Open CASCADE (`pip install cadquery-ocp-novtk`, the extra `cad`): faces become NURBS."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from ..errors import Error, FileError
from . import units

_MOST = 9  # the highest degree of a patch
_NEAR = 1e-9  # share of a parameter range: what is nearer to an end or a knot counts as there
_APPROXIMATION = 1e-7  # share of a face's size by which an approximation may be off
_SAMPLES = 17  # places along each parameter at which an approximation is compared


def convert(path: str | os.PathLike[str], kind: str) -> tuple[str, float, str]:
    """Write a file's faces in millimeters to a temporary file in the library's JSON, which the caller removes.

    Returns its name, how far approximated faces are off by what Open CASCADE says and by samples, and the file's unit.
    """
    try:
        import OCP.BRepBuilderAPI  # noqa: F401
    except ImportError as error:
        raise ImportError("STEP and IGES need Open CASCADE: pip install cadquery-ocp-novtk") from error
    name = os.fspath(path)
    try:
        shape, unit = _shape(name, kind)
        points: list[list[float]] = []
        patches: list[dict[str, Any]] = []
        lost = 0.0
        for k, face in enumerate(_faces(shape)):
            try:
                surface, box, off = _surface(face)
                for part in _parts(surface, *box):
                    patches.append(_plain(part, points))
            except Exception as error:
                if isinstance(error, Error):
                    raise
                raise FileError(f"{name}: face {k}: Open CASCADE cannot convert it: {error}") from None
            lost = max(lost, off)
    except Exception as error:  # Open CASCADE's errors have no base of their own
        if isinstance(error, (Error, OSError)):
            raise
        raise FileError(f"{name}: Open CASCADE cannot read it: {error}") from None
    if not patches:
        raise FileError(f"{name}: holds no surface")
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as out:
        json.dump({"points": points, "patches": patches}, out)
    return out.name, lost, unit


def _shape(name: str, kind: str) -> tuple[Any, str]:
    """The shape of a file, in millimeters, and the file's unit."""
    from OCP.IFSelect import IFSelect_RetDone

    if kind == "STEP":
        from OCP.STEPControl import STEPControl_Reader as Reader
    else:
        from OCP.IGESControl import IGESControl_Reader as Reader
    reader = Reader()
    if not Path(name).is_file() or reader.ReadFile(name) != IFSelect_RetDone:
        raise FileError(f"{name}: cannot be read as {kind}")
    reader.TransferRoots()
    if kind == "IGES":
        return reader.OneShape(), units.of_iges(reader.IGESModel().GlobalSection().UnitFlag())
    return reader.OneShape(), units.of_step(_step_units(reader))


def _step_units(reader: Any) -> list[str]:
    """The names of the units of length in a STEP file."""
    try:
        from OCP.collections import Sequence_TCollection_AsciiString as Sequence  # since Open CASCADE 8
    except ImportError:
        from OCP.TColStd import TColStd_SequenceOfAsciiString as Sequence
    lengths, angles, solids = Sequence(), Sequence(), Sequence()
    reader.FileUnits(lengths, angles, solids)
    return [lengths.Value(k).ToCString() for k in range(1, lengths.Length() + 1)]


def _faces(shape: Any) -> list[Any]:
    """The faces of a shape."""
    from OCP.TopAbs import TopAbs_FACE
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    as_face = getattr(TopoDS, "Face_s", None) or TopoDS.Face  # before and since Open CASCADE 8
    found: list[Any] = []
    if shape is None or shape.IsNull():
        return found
    explorer = TopExp_Explorer(shape, TopAbs_FACE)
    while explorer.More():
        found.append(as_face(explorer.Current()))
        explorer.Next()
    return found


def _surface(face: Any) -> tuple[Any, tuple[float, ...], float]:
    """The NURBS surface of a face, of degree at most 9, the box of its parameters, and how far it is off if approximated."""
    from OCP.BRep import BRep_Tool
    from OCP.BRepAdaptor import BRepAdaptor_Surface
    from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert
    from OCP.BRepTools import BRepTools
    from OCP.GeomAbs import GeomAbs_BSplineSurface
    from OCP.GeomConvert import GeomConvert
    from OCP.TopoDS import TopoDS

    as_face = getattr(TopoDS, "Face_s", None) or TopoDS.Face
    true = BRepAdaptor_Surface(face)
    if true.GetType() == GeomAbs_BSplineSurface:  # Open CASCADE cannot convert those whose box crosses the seam
        s, box = true.BSpline().Copy(), BRepTools.UVBounds_s(face)
    elif _is_exact(face):
        made = as_face(BRepBuilderAPI_NurbsConvert(face).Shape())
        s, box = GeomConvert.SurfaceToBSplineSurface_s(BRep_Tool.Surface_s(made)), BRepTools.UVBounds_s(made)
    else:
        s, box = None, ()
    if s is not None and max(s.UDegree(), s.VDegree()) <= _MOST:
        return s, box, 0.0
    near, off = _approximated(face)
    return near, near.Bounds(), off


def _is_exact(face: Any) -> bool:
    """Whether NURBS hold the surface of a face: all but offsets, surfaces of other kinds, and those swept from such curves."""
    from OCP import GeomAbs
    from OCP.BRepAdaptor import BRepAdaptor_Surface

    surface = BRepAdaptor_Surface(face)
    kind = surface.GetType()
    if kind in (GeomAbs.GeomAbs_SurfaceOfExtrusion, GeomAbs.GeomAbs_SurfaceOfRevolution):
        return surface.BasisCurve().GetType() not in (GeomAbs.GeomAbs_OffsetCurve, GeomAbs.GeomAbs_OtherCurve)
    return kind not in (GeomAbs.GeomAbs_OffsetSurface, GeomAbs.GeomAbs_OtherSurface)


def _approximated(face: Any) -> tuple[Any, float]:
    """A NURBS surface near that of a face, over the box of its parameters, and how far it is off."""
    from OCP.BRepAdaptor import BRepAdaptor_Surface
    from OCP.GeomAbs import GeomAbs_C1
    from OCP.GeomConvert import GeomConvert_ApproxSurface

    true = BRepAdaptor_Surface(face)
    u0, u1, v0, v1 = true.FirstUParameter(), true.LastUParameter(), true.FirstVParameter(), true.LastVParameter()
    steps = [k / (_SAMPLES - 1) for k in range(_SAMPLES)]
    places = [(u0 + a * (u1 - u0), v0 + b * (v1 - v0)) for a, b in itertools.product(steps, steps)]
    points = [true.Value(u, v) for u, v in places]
    size = max(p.Distance(points[0]) for p in points)
    made = GeomConvert_ApproxSurface(true, _APPROXIMATION * size, GeomAbs_C1, GeomAbs_C1, _MOST, _MOST, 1000, 1)
    if not made.HasResult():
        raise ValueError("it cannot be approximated")
    s = made.Surface()
    seen = max(s.Value(u, v).Distance(p) for (u, v), p in zip(places, points))  # it has the parameters of the face
    return s, max(made.MaxError(), seen)


def _parts(s: Any, u0: float, u1: float, v0: float, v1: float) -> list[Any]:
    """The surface over the box of a face's parameters: two or four parts where that crosses the seam of a periodic surface."""
    if s.IsUPeriodic():
        s.SetUNotPeriodic()
        across = True
    else:
        across = False
    along = s.IsVPeriodic()
    if along:
        s.SetVNotPeriodic()
    a0, a1, b0, b1 = s.Bounds()
    parts = []
    for (c0, c1), (d0, d1) in itertools.product(_ranges(u0, u1, a0, a1, across), _ranges(v0, v1, b0, b1, along)):
        part = s.Copy()
        c0, c1 = (_snapped(x, [s.UKnot(k) for k in range(1, s.NbUKnots() + 1)]) for x in (c0, c1))
        d0, d1 = (_snapped(x, [s.VKnot(k) for k in range(1, s.NbVKnots() + 1)]) for x in (d0, d1))
        if (c0, c1, d0, d1) != (a0, a1, b0, b1):
            part.Segment(c0, c1, d0, d1, _NEAR * (a1 - a0), _NEAR * (b1 - b0))
        parts.append(part)
    return parts


def _ranges(low: float, high: float, start: float, end: float, periodic: bool) -> list[tuple[float, float]]:
    """[low, high] within [start, end], whole periods away: one range, or two where it crosses the seam."""
    period = end - start
    if not periodic:
        return [(max(low, start), min(high, end))]
    if high - low >= period * (1 - _NEAR):
        return [(start, end)]
    turns = (low - start) // period
    low, high = low - turns * period, high - turns * period
    if low > end - _NEAR * period:
        low, high = low - period, high - period
    if high <= end + _NEAR * period:
        return [(max(low, start), min(high, end))]
    return [(low, end), (start, high - period)]


def _snapped(x: float, knots: list[float]) -> float:
    """x, or the knot that it nearly is: Open CASCADE refuses knots that are too near each other."""
    nearest = min(knots, key=lambda knot: abs(knot - x))
    return nearest if abs(nearest - x) <= _NEAR * (knots[-1] - knots[0]) else x


def _plain(s: Any, points: list[list[float]]) -> dict[str, Any]:
    """A NURBS surface in the library's JSON; its control points are added to the list."""
    index, weights = [], []
    for i in range(1, s.NbUPoles() + 1):
        for j in range(1, s.NbVPoles() + 1):
            p = s.Pole(i, j)
            index.append(len(points))
            weights.append(s.Weight(i, j))
            points.append([p.X(), p.Y(), p.Z()])
    knots = [
        [s.UKnot(k) for k in range(1, s.NbUKnots() + 1) for _ in range(s.UMultiplicity(k))],
        [s.VKnot(k) for k in range(1, s.NbVKnots() + 1) for _ in range(s.VMultiplicity(k))],
    ]
    return {"degree": [s.UDegree(), s.VDegree()], "knots": knots, "index": index, "weights": weights}
