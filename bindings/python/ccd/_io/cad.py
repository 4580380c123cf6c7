"""STEP and IGES through Open CASCADE (`pip install cadquery-ocp-novtk`, the extra `cad`): faces become NURBS."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from ..errors import FileError


def convert(path: str | os.PathLike[str], kind: str) -> str:
    """Write a file's faces to a temporary file in the library's JSON, whose name is returned; the caller removes it."""
    try:
        from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert
        from OCP.IFSelect import IFSelect_RetDone
        from OCP.TopAbs import TopAbs_FACE
        from OCP.TopExp import TopExp_Explorer
        from OCP.TopoDS import TopoDS
    except ImportError as error:
        raise ImportError("STEP and IGES need Open CASCADE: pip install cadquery-ocp-novtk") from error
    if kind == "STEP":
        from OCP.STEPControl import STEPControl_Reader as Reader
    else:
        from OCP.IGESControl import IGESControl_Reader as Reader
    as_face = getattr(TopoDS, "Face_s", None) or TopoDS.Face  # before and since Open CASCADE 8
    reader = Reader()
    if not Path(path).is_file() or reader.ReadFile(os.fspath(path)) != IFSelect_RetDone:
        raise FileError(f"{os.fspath(path)}: cannot be read as {kind}")
    reader.TransferRoots()
    points: list[list[float]] = []
    patches: list[dict[str, Any]] = []
    shape = reader.OneShape()
    if not shape.IsNull():
        explorer = TopExp_Explorer(BRepBuilderAPI_NurbsConvert(shape).Shape(), TopAbs_FACE)
        while explorer.More():
            patches.append(_surface(as_face(explorer.Current()), points))
            explorer.Next()
    if not patches:
        raise FileError(f"{os.fspath(path)}: holds no surface")
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as out:
        json.dump({"points": points, "patches": patches}, out)
    return out.name


def _surface(face: Any, points: list[list[float]]) -> dict[str, Any]:
    """A face's NURBS surface, cut to the box of the face's parameters; its control points are added to the list."""
    from OCP.BRep import BRep_Tool
    from OCP.BRepTools import BRepTools
    from OCP.GeomConvert import GeomConvert

    s = GeomConvert.SurfaceToBSplineSurface_s(BRep_Tool.Surface_s(face))
    u0, u1, v0, v1 = BRepTools.UVBounds_s(face)
    if s.IsUPeriodic():
        s.SetUNotPeriodic()
    if s.IsVPeriodic():
        s.SetVNotPeriodic()
    a0, a1, b0, b1 = s.Bounds()
    u0, u1, v0, v1 = max(u0, a0), min(u1, a1), max(v0, b0), min(v1, b1)
    if (u0, u1, v0, v1) != (a0, a1, b0, b1):
        s.Segment(u0, u1, v0, v1, 1e-9, 1e-9)
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
