"""STEP and IGES: surfaces written by Open CASCADE come back as patches on the surfaces that were meant."""

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
