"""Products of STEP files: one geometry for each part, names, colors and placements."""

import math
import re

import numpy as np
import pytest

import ccd

pytest.importorskip("OCP.STEPCAFControl", reason="Open CASCADE (cadquery-ocp-novtk) is not installed")

import cad_parts as parts


@pytest.fixture
def assembly(tmp_path):
    """Two bolts, one turned and shifted, and a plate that is blue but for a red face, in an assembly."""
    from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
    from OCP.Quantity import Quantity_Color, Quantity_TOC_RGB
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.TopLoc import TopLoc_Location
    from OCP.XCAFDoc import XCAFDoc_ColorType, XCAFDoc_DocumentTool

    from ccd._io import cad

    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    colors = XCAFDoc_DocumentTool.ColorTool_s(document.Main())

    def named(label, name):
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        return label

    plate = parts.plate()
    bolt = named(shapes.AddShape(parts.bullet(), False), "bolt")
    base = named(shapes.AddShape(plate, False), "plate")
    surface = XCAFDoc_ColorType.XCAFDoc_ColorSurf
    colors.SetColor(base, Quantity_Color(0.0, 0.0, 1.0, Quantity_TOC_RGB), surface)
    face = shapes.AddSubShape(base, cad.explored(plate, "FACE")[2])
    colors.SetColor(face, Quantity_Color(1.0, 0.0, 0.0, Quantity_TOC_RGB), surface)
    root = named(shapes.NewShape(), "machine")
    turn = gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)), math.pi / 2)
    turn.SetTranslationPart(gp_Vec(5, 0, 2))
    for label, where in ((bolt, gp_Trsf()), (bolt, turn), (base, gp_Trsf())):
        shapes.AddComponent(root, label, TopLoc_Location(where))
    shapes.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.Transfer(document)
    writer.Write(str(tmp_path / "machine.step"))
    return tmp_path / "machine.step"


def test_components_without_a_name_have_that_of_their_product(assembly):
    """Open CASCADE calls them by the identifiers of the file, which are counted anew in each export."""
    text, wanted = assembly.read_text(), ["bolt", "bolt:2", "plate"]
    found = re.findall(r"NEXT_ASSEMBLY_USAGE_OCCURRENCE\('(\d+)','([^']*)'", text)
    assert len(found) == 3

    def named(*names):
        out = text
        for (own, name), new in zip(found, names):
            out = out.replace(f"OCCURRENCE('{own}','{name}'", f"OCCURRENCE ( '{own}' , {new}")
        assembly.write_text(out)
        return [p.name for p in ccd.cad.read(assembly).parts], [
            "/".join(p.path) for p in ccd.patch.read_products(assembly)[0].placed()
        ]

    assert named("''", "''", "''") == (wanted, wanted)
    assert named("' '", "'left'", "''") == (["bolt", "left", "plate"],) * 2
    own = found[0][0]  # a name that is the identifier of another component is one
    assert named(f"'{own}'", "''", "'x'") == ([own, "bolt", "x"],) * 2


def test_products(assembly):
    (root,) = ccd.patch.read_products(assembly)
    assert root.name == "machine" and root.model is None and len(root.children) == 3
    first, second, plate = root.children
    assert first.product is second.product and first.product.name == "bolt" and plate.product.name == "plate"
    assert np.abs(first.matrix - np.eye(4)).max() < 1e-12
    wanted = np.array([[1, 0, 0, 5], [0, 0, -1, 0], [0, 1, 0, 2], [0, 0, 0, 1]])
    assert np.abs(second.matrix - wanted).max() < 1e-9
    assert plate.product.color == pytest.approx((0, 0, 1), abs=1e-6)
    colors = plate.product.model.faces.colors
    red = np.abs(colors - [1, 0, 0]).max(axis=1) < 1e-6
    blue = np.abs(colors - [0, 0, 1]).max(axis=1) < 1e-6
    assert red.sum() == 1 and (red | blue).all()
    assert [p.path[-1] for p in root.placed()] and [p.product.name for p in root.placed()] == ["bolt", "bolt", "plate"]
    in_meters = ccd.patch.read_products(assembly, unit="m")[0].children[1]
    assert np.abs(in_meters.matrix[:3, 3] - [0.005, 0, 0.002]).max() < 1e-12
    assert np.abs(in_meters.product.model.points * 1000 - first.product.model.points).max() < 1e-9


def test_a_step_file_has_its_parts_in_place(assembly):
    """The model of the file has the same faces as its parts where they are placed."""
    model = ccd.patch.read_step(assembly)
    (root,) = ccd.patch.read_products(assembly)
    placed = [p.product.model.points @ p.matrix[:3, :3].T + p.matrix[:3, 3] for p in root.placed()]
    assert len(model.faces) == sum(len(p.product.model.faces) for p in root.placed())
    together = np.concatenate(placed)
    assert np.abs(model.points.min(axis=0) - together.min(axis=0)).max() < 1e-9
    assert np.abs(model.points.max(axis=0) - together.max(axis=0)).max() < 1e-9
    assert set(model.faces.names) == {"bolt", "plate"}
    assert sorted(set(model.faces.solids.tolist())) == [0, 1, 2]
    neighbors = model.faces.neighbors
    assert neighbors and all(model.faces.solids[a] == model.faces.solids[b] for a, b in neighbors)


def test_what_cannot_be_read(tmp_path, capfd):
    with pytest.raises(ccd.FileError, match="cannot be read as STEP"):
        ccd.patch.read_products(tmp_path / "none.step")
    (tmp_path / "bad.step").write_text("garbage")
    with pytest.raises(ccd.FileError, match="cannot be read as STEP"):
        ccd.patch.read_products(tmp_path / "bad.step")
    assert capfd.readouterr() == ("", "")  # Open CASCADE prints nothing
    with pytest.raises(ccd.ArgumentError, match=r"loops is 1\.0"):
        ccd.patch.read_products(tmp_path / "none.step", loops=1.0)
    with pytest.raises(ccd.ArgumentError, match="unit is 'ell'"):
        ccd.patch.read_products(tmp_path / "none.step", unit="ell")
