"""STEP and IGES: surfaces written by Open CASCADE come back as patches on the surfaces that were meant."""

import math

import numpy as np
import pytest

import ccd

pytest.importorskip("OCP.STEPControl", reason="Open CASCADE (cadquery-ocp-novtk) is not there")


def _bodies():
    from OCP.BRep import BRep_Builder
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeSphere, BRepPrimAPI_MakeTorus
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
    from OCP.TopoDS import TopoDS_Compound

    both = TopoDS_Compound()
    build = BRep_Builder()
    build.MakeCompound(both)
    build.Add(both, BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), 3, 1).Shape())
    return {
        "torus": both,
        "sphere": BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 2).Shape(),
        "box": BRepPrimAPI_MakeBox(1, 2, 3).Shape(),
    }


def _write(shape, path, kind):
    if kind == "step":
        from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

        writer = STEPControl_Writer()
        writer.Transfer(shape, STEPControl_AsIs)
        writer.Write(str(path))
    else:
        from OCP.IGESControl import IGESControl_Writer

        writer = IGESControl_Writer()
        writer.AddShape(shape)
        writer.ComputeModel()
        writer.Write(str(path))


@pytest.mark.parametrize("kind", ["step", "igs"])
@pytest.mark.parametrize("name", ["torus", "sphere", "box"])
def test_surfaces(tmp_path, kind, name):
    path = tmp_path / f"{name}.{kind}"
    _write(_bodies()[name], path, kind)
    model = (ccd.patch.read_step if kind == "step" else ccd.patch.read_iges)(path)
    body = model.body()
    assert body.counts[1] == len(model.forms) >= (6 if name == "box" else 4)
    # a point from outside meets the surface where it is
    point = ccd.patch.Body(1, ccd.patch.Form.curve(0), [0])
    start, end, hit = {
        "torus": ((9, 0.1, 0.05), (-1, 0.1, 0.05), lambda p: (np.hypot(p[0], p[1]) - 3) ** 2 + p[2] ** 2 - 1),
        "sphere": ((9, 0.1, 0.2), (-1, 0.1, 0.2), lambda p: p @ p - 4),
        "box": ((0.4, 0.7, 9), (0.4, 0.7, -1), lambda p: p[2] - 3),
    }[name]
    found = ccd.patch.earliest(point, [start], [end], body, model.points, model.points, tolerance=1e-9)
    assert found.contact
    assert abs(hit(np.array(found.point))) < 1e-6


def test_not_a_file(tmp_path):
    with pytest.raises(ccd.FileError):
        ccd.patch.read_step(tmp_path / "none.step")
    (tmp_path / "bad.step").write_text("solid")
    with pytest.raises(ccd.FileError):
        ccd.patch.read_step(tmp_path / "bad.step")


def _face(surface, u0, u1, v0, v1):
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace

    return BRepBuilderAPI_MakeFace(surface, u0, u1, v0, v1, 1e-6).Face()


def _array(values, kind):
    """A 2D array of Open CASCADE."""
    module, name = {"points": ("TColgp", "TColgp_Array2OfPnt"), "numbers": ("TColStd", "TColStd_Array2OfReal")}[kind]
    new = {"points": "Array2_gp_Pnt", "numbers": "Array2_double"}[kind]
    try:
        import OCP.collections as collections  # since Open CASCADE 8

        made = getattr(collections, new)(1, len(values), 1, len(values[0]))
    except ImportError:
        made = getattr(__import__(f"OCP.{module}", fromlist=[name]), name)(1, len(values), 1, len(values[0]))
    for i, row in enumerate(values, 1):
        for j, value in enumerate(row, 1):
            made.SetValue(i, j, value)
    return made


def _bezier(n):
    """A patch of degree n: a gentle wave."""
    from OCP.Geom import Geom_BezierSurface
    from OCP.gp import gp_Pnt

    s = np.linspace(0, 1, n + 1)
    return Geom_BezierSurface(_array([[gp_Pnt(x, y, 0.3 * math.sin(5 * x) * math.cos(4 * y)) for y in s] for x in s], "points"))


def _farthest(model, shape):
    """How far points of all patches are from a shape, at most."""
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
    from OCP.BRepExtrema import BRepExtrema_DistShapeShape
    from OCP.gp import gp_Pnt

    far, first = 0.0, 0
    for form in model.forms:
        count = (form.u + 1) * (form.v + 1)
        index = model.index[first : first + count]
        w = np.ones(count) if model.weights is None else model.weights[first : first + count]
        first += count
        for u, v in ((0.1, 0.2), (0.5, 0.5), (0.83, 0.4)):
            weight = np.outer(_bernstein(form.u, u), _bernstein(form.v, v)).ravel() * w
            at = weight @ model.points[index] / weight.sum()
            far = max(far, BRepExtrema_DistShapeShape(BRepBuilderAPI_MakeVertex(gp_Pnt(*at)).Vertex(), shape).Value())
    return far


def _bernstein(n, t):
    return np.array([math.comb(n, k) * t**k * (1 - t) ** (n - k) for k in range(n + 1)])


@pytest.mark.parametrize("kind", ["step", "igs"])
@pytest.mark.parametrize("name", ["offset", "degree 12"])
def test_surfaces_that_are_approximated(tmp_path, kind, name):
    """They are off by no more than `lost`, which is above 0 and small."""
    from OCP.Geom import Geom_OffsetSurface

    surface = Geom_OffsetSurface(_bezier(3), 0.2) if name == "offset" else _bezier(12)
    face = _face(surface, 0, 1, 0, 1)
    _write(face, tmp_path / f"one.{kind}", kind)
    model = (ccd.patch.read_step if kind == "step" else ccd.patch.read_iges)(tmp_path / f"one.{kind}")
    assert all(max(form.u, form.v) <= 9 for form in model.forms)
    assert 1e-12 < model.lost < 1e-5
    assert _farthest(model, face) <= model.lost + 1e-9
    assert model.body().counts[1] == len(model.forms)


@pytest.mark.parametrize("kind", ["step", "igs"])
@pytest.mark.parametrize("start, end", [(5.0, 7.5), (-1.0, 0.5), (1.0, 2.0), (0.0, 2 * math.pi)])
def test_periodic_surfaces_across_their_seam(tmp_path, kind, start, end):
    """The part of a cylinder that a face has, whole turns away or across the seam: all of it, and no more."""
    from OCP.Geom import Geom_CylindricalSurface
    from OCP.GeomConvert import GeomConvert
    from OCP.gp import gp_Ax3

    whole = GeomConvert.SurfaceToBSplineSurface_s(_trimmed(Geom_CylindricalSurface(gp_Ax3(), 1)))
    assert whole.IsUPeriodic()
    face = _face(whole, start, end, 0, 1)
    _write(face, tmp_path / f"one.{kind}", kind)
    model = (ccd.patch.read_step if kind == "step" else ccd.patch.read_iges)(tmp_path / f"one.{kind}")
    assert _farthest(model, face) < 1e-6
    body, ball = model.body(), ccd.patch.Body(1, ccd.patch.Form.curve(0), [0])
    angle = np.array([start + f * (end - start) for f in (0.03, 0.3, 0.5, 0.7, 0.97)])
    for a in angle:  # each place of the face is hit from outside
        out = np.array([[3 * math.cos(a), 3 * math.sin(a), 0.5]])
        hit = ccd.patch.earliest(ball, out, out * [0, 0, 1], body, model.points, model.points)
        assert hit.contact and abs(hit.toi_lo - 2 / 3) < 1e-3, a
    if end - start < 6:
        a = (start + end) / 2 + math.pi
        out = np.array([[3 * math.cos(a), 3 * math.sin(a), 0.5]])
        assert ccd.patch.earliest(ball, out, 0.5 * out + [0, 0, 0.25], body, model.points, model.points).separate


def _trimmed(surface):
    from OCP.Geom import Geom_RectangularTrimmedSurface

    return Geom_RectangularTrimmedSurface(surface, 0, 1, False)


@pytest.mark.parametrize(
    "unit, text, length", [("m", "$,.METRE.", 1000), ("cm", ".CENTI.,.METRE.", 10), ("mm", ".MILLI.,.METRE.", 1)]
)
def test_the_unit_of_a_step_file(tmp_path, unit, text, length):
    """Points are in the file's unit, which the model names; another one is made on request."""
    _write(_bodies()["box"], tmp_path / "box.step", "step")
    written = (tmp_path / "box.step").read_text()
    assert ".MILLI.,.METRE." in written
    (tmp_path / "box.step").write_text(written.replace(".MILLI.,.METRE.", text))
    model = ccd.patch.read_step(tmp_path / "box.step")
    assert model.unit == unit and f"in {unit}" in repr(model)
    assert np.abs(np.ptp(model.points, axis=0) - [1, 2, 3]).max() < 1e-12
    other = ccd.patch.read_step(tmp_path / "box.step", unit="mm")
    assert other.unit == "mm" and np.abs(np.ptp(other.points, axis=0) - np.array([1, 2, 3]) * length).max() < 1e-9
    assert np.abs(model.in_unit("mm").points - other.points).max() < 1e-9
    with pytest.raises(ccd.ArgumentError, match="unit is 'meter': must be one of"):
        ccd.patch.read_step(tmp_path / "box.step", unit="meter")


def test_the_unit_of_an_iges_file(tmp_path):
    from OCP.IGESControl import IGESControl_Writer

    writer = IGESControl_Writer("IN", 0)
    writer.AddShape(_bodies()["box"])
    writer.ComputeModel()
    writer.Write(str(tmp_path / "box.igs"))
    model = ccd.patch.read_iges(tmp_path / "box.igs")
    assert model.unit == "in"
    assert np.abs(np.ptp(model.in_unit("mm").points, axis=0) - [1, 2, 3]).max() < 1e-6


def test_models_without_a_unit():
    model = ccd.patch.Model(np.eye(3), [ccd.patch.Form.triangle(1)], np.arange(3, dtype=np.int32), None, 0.0)
    with pytest.raises(ccd.ArgumentError, match="its format has none"):
        model.in_unit("m")
