"""Both readers of CAD files walk a document alike: `ccd.cad.read` and `ccd.patch.read_products` give the same parts."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import ccd

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def location(x=0.0, turn=0.0):
    from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
    from OCP.TopLoc import TopLoc_Location

    t = gp_Trsf()
    t.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), turn)
    t.SetTranslationPart(gp_Vec(x, 0, 0))
    return TopLoc_Location(t)


def compound(*given):
    from OCP.BRep import BRep_Builder
    from OCP.TopoDS import TopoDS_Compound

    out, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(out)
    for one in given:
        builder.Add(out, one)
    return out


class Document:
    """A document that is written as STEP or IGES."""

    def __init__(self):
        from OCP.TCollection import TCollection_ExtendedString
        from OCP.TDocStd import TDocStd_Document
        from OCP.XCAFDoc import XCAFDoc_DocumentTool

        self.document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(self.document.Main())
        self.colors = XCAFDoc_DocumentTool.ColorTool_s(self.document.Main())

    def named(self, label, name, color=None):
        from OCP.Quantity import Quantity_Color, Quantity_TOC_RGB
        from OCP.TCollection import TCollection_ExtendedString
        from OCP.TDataStd import TDataStd_Name
        from OCP.XCAFDoc import XCAFDoc_ColorSurf

        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        if color is not None:
            self.colors.SetColor(label, Quantity_Color(*color, Quantity_TOC_RGB), XCAFDoc_ColorSurf)
        return label

    def part(self, shape, name, color=None):
        return self.named(self.shapes.AddShape(shape, False), name, color)

    def assembly(self, name, *children):
        made = self.named(self.shapes.NewShape(), name)
        for label, called, where, *color in children:
            self.named(self.shapes.AddComponent(made, label, where), called, *color)
        return made

    def write(self, path, unit=None):
        self.shapes.UpdateAssemblies()
        if str(path).endswith(".igs"):
            from OCP.IGESCAFControl import IGESCAFControl_Writer

            writer = IGESCAFControl_Writer()
            writer.Transfer(self.document)
            assert writer.Write(str(path))
            return
        from OCP.STEPCAFControl import STEPCAFControl_Writer

        writer = STEPCAFControl_Writer()
        writer.Transfer(self.document)
        writer.Write(str(path))
        if unit is not None:
            text = path.read_text()
            assert ".MILLI.,.METRE." in text
            path.write_text(text.replace(".MILLI.,.METRE.", unit))


def nested(path, unit=None):
    """Two arms with two pins each, of which one arm is blue as a component, and a pin that is red as a component."""
    d = Document()
    pin, plate = d.part(shapes.cylinder(1, 5), "pin", RED), d.part(shapes.box(4, 4, 1), "plate")
    arm = d.assembly("arm", (pin, "pin", location(2)), (pin, "pin", location(3, 0.5)), (plate, "base", location()))
    d.assembly("machine", (arm, "arm", location(10, math.pi / 3), BLUE), (arm, "arm", location(-10)),
               (plate, "lid", location(0, 1.0), RED))  # fmt: skip
    d.write(path, unit)


def several_solids(path):
    """One part of two equal cylinders, a box, and a face that is in no solid."""
    pin = shapes.cylinder(1, 5)
    loose = ccd.cad._occ.faces(shapes.box(3, 3, 3, (20, 0, 0)))[0]
    d = Document()
    d.part(compound(pin, pin.Moved(location(5)), shapes.box(1, 2, 3, (10, 0, 0)), loose), "kit", BLUE)
    d.write(path)


def several_roots(path):
    d = Document()
    d.assembly("cart", (d.part(shapes.box(1, 2, 3), "body"), "body", location(3)))
    d.part(shapes.box(2, 2, 2), "block")
    d.part(shapes.sphere(2), "block")
    d.write(path)


def both(path):
    """The parts by both readers: (name, name of the product, number of the product, faces, color), places, boxes."""
    assembly, products = ccd.cad.read(path), ccd.patch.read_products(path, unit="mm")
    numbers, one = {}, []
    for p in assembly.parts:
        number = numbers.setdefault(id(p.product), len(numbers))
        box = ccd.cad._occ.corners(p.product.shape)
        one.append(((p.name, p.product.name, number, p.product.faces, p.color), p.matrix, (box.min(0), box.max(0))))
    numbers, other = {}, []
    roots = [r.name or "part" for r in products]
    roots = [n if n not in roots[:k] else f"{n}:{roots[:k].count(n) + 1}" for k, n in enumerate(roots)]
    for root, called in zip(products, roots):
        for p in root.placed():
            path = p.path if len(products) == 1 else (called,) if root.model is not None else (called, *p.path)
            number = numbers.setdefault(id(p.product), len(numbers))
            x = p.product.model.points
            name = p.product.name or p.path[-1]
            found = ("/".join(path), name, number, len(p.product.model.faces), p.color)
            other.append((found, p.matrix, (x.min(0), x.max(0))))
    return assembly, products, one, other


def same(path):
    """Check that both readers agree, and return the assembly and the roots."""
    assembly, products, one, other = both(path)
    assert [found for found, *_ in one] == [found for found, *_ in other]
    for (_, m, box), (_, n, hull) in zip(one, other):
        assert np.abs(m - n).max() <= 1e-12
        # Control points hold a part; of faces without curves they are on it. Open CASCADE's boxes are larger by a tolerance.
        assert np.all(hull[0] <= box[0] + 1e-6) and np.all(hull[1] >= box[1] - 1e-6)
    assert len({p.name for p in assembly.parts}) == len(assembly.parts)
    return assembly, products


def test_nested_assemblies(tmp_path):
    path = tmp_path / "machine.step"
    nested(path)
    assembly, (root,) = same(path)
    names = ["arm/pin", "arm/pin:2", "arm/base", "arm:2/pin", "arm:2/pin:2", "arm:2/base", "lid"]
    assert [p.name for p in assembly.parts] == names and root.name == "machine"
    # A part has the color of its component, else its own, else that of the assembly's component above it.
    assert [p.color for p in assembly.parts] == [RED, RED, BLUE, RED, RED, None, RED]
    assert len(assembly.products) == 2
    turn = math.pi / 3
    wanted = [10 + 2 * math.cos(turn), 2 * math.sin(turn), 0]
    assert np.abs(assembly.parts[0].matrix[:3, 3] - wanted).max() < 1e-9


@pytest.mark.parametrize("unit, text, length", [("m", "$,.METRE.", 1000.0), ("cm", ".CENTI.,.METRE.", 10.0)])
def test_units(tmp_path, unit, text, length):
    path = tmp_path / "machine.step"
    nested(path, text)
    assembly, _ = same(path)
    assert (assembly.unit, assembly.file_unit) == ("mm", unit)
    assert np.abs(assembly.parts[3].matrix[:3, 3] - np.array([-8, 0, 0]) * length).max() < 1e-9 * length
    (root,) = ccd.patch.read_products(path)  # in the file's unit
    placed = list(root.placed())
    assert placed[0].product.model.unit == unit
    assert np.abs(placed[3].matrix[:3, 3] - [-8, 0, 0]).max() < 1e-9


def test_a_part_of_several_solids_is_taken_apart(tmp_path):
    path = tmp_path / "kit.step"
    several_solids(path)
    assembly, (root,) = same(path)
    assert root.model is None and root.name == "kit"
    faces = {p.name: p.product.faces for p in assembly.parts}
    assert sorted(faces.values()) == [1, 3, 3, 6], faces  # the face that is in no solid is not lost
    assert list(faces) == ["kit", "kit:2", "kit:3", "kit:4"]
    assert all(p.color == BLUE for p in assembly.parts)
    whole = ccd.patch.read_step(path)
    assert len(whole.faces) == 13


def test_solids_of_one_geometry_are_one_product():
    from ccd._io import cad_products

    d, pin = Document(), shapes.cylinder(1, 5)
    d.part(compound(pin, pin.Moved(location(5, 1.0)), pin.Reversed().Moved(location(-5))), "kit")
    root = cad_products.apart(*cad_products.roots(d.document))
    first, second, third = root.children
    assert first.node is second.node and first.node is not third.node
    assert np.abs(cad_products.matrix(second.location)[:3, 3] - [5, 0, 0]).max() < 1e-12


def test_several_roots(tmp_path):
    path = tmp_path / "roots.step"
    several_roots(path)
    assembly, _ = same(path)
    assert sorted(p.name for p in assembly.parts) == ["block", "block:2", "cart/body"]


def test_iges_has_no_products(tmp_path):
    """An assembly that is written as IGES is a group: one part, with the faces where they are placed and colored."""
    nested(tmp_path / "machine.igs")
    nested(tmp_path / "machine.step")
    assembly, (root,) = same(tmp_path / "machine.igs")
    assert [(p.name, p.product.faces) for p in assembly.parts] == [("machine", 4 * 3 + 3 * 6)]
    assert np.abs(shapes.ends(assembly) - shapes.ends(ccd.cad.read(tmp_path / "machine.step"))).max() < 1e-4
    colors = root.model.faces.colors
    # Open CASCADE forgets the color of a face that it mends as it reads: those of the four cylinders.
    assert [int((np.abs(colors - c).max(1) < 1e-3).sum()) for c in (RED, BLUE)] == [4 * 2 + 6, 6]


@pytest.mark.parametrize("mode", [0, 1])
def test_entities_of_iges(tmp_path, mode):
    """What nothing refers to is a part: each face (mode 0, trimmed surfaces), or each solid (mode 1)."""
    from OCP.IGESControl import IGESControl_Writer

    writer = IGESControl_Writer("IN", mode)
    for shape in (shapes.box(1, 2, 3), shapes.sphere(1, (9, 0, 0))):
        writer.AddShape(shape)
    writer.ComputeModel()
    assert writer.Write(str(tmp_path / "two.igs"))
    assembly, _ = same(tmp_path / "two.igs")
    assert assembly.file_unit == "in" and sum(p.product.faces for p in assembly.parts) == 7
    assert np.abs(shapes.ends(assembly) - [[0, -1, -1], [10, 2, 3]]).max() < 1e-6
    assert len(assembly.parts) == 2


def subfigures(path, entities):
    """A box of 1, 2, 3 in IGES, and entities after it: type, matrix by its number or None, parameters.

    The first entity is the subfigure that holds the box. A parameter ``"@k"`` is entity k, and ``"@box"`` is the box.
    """
    from OCP.IGESControl import IGESControl_Writer

    writer = IGESControl_Writer("MM", 1)
    writer.AddShape(shapes.box(1, 2, 3))
    writer.ComputeModel()
    assert writer.Write(str(path))
    lines = path.read_text().splitlines()
    start, head, directory, data = ([line for line in lines if line[72] == section] for section in "SGDP")
    box = next(k for k in range(0, len(directory), 2) if directory[k][:8].split() == ["186"])
    directory[box] = directory[box][:66] + "01" + directory[box][68:]  # it belongs to another entity
    first = len(directory) + 1
    for kind, matrix, values in entities:
        names = {f"@{k}": first + 2 * k for k in range(len(entities))} | {"@box": box + 1}
        text = ",".join(str(names.get(value, value)) for value in (kind, *values)) + ";"
        rows = [text[k : k + 64] for k in range(0, len(text), 64)]
        own = len(directory) + 1
        fields = [kind, len(data) + 1, 0, 0, 0, 0, 0 if matrix is None else first + 2 * matrix, 0]
        directory.append("".join(f"{value:>8}" for value in fields) + f"00000000D{own:>7}")
        directory.append(f"{kind:>8}{0:>8}{0:>8}{len(rows):>8}{0:>8}{'':>24}{0:>8}D{own + 1:>7}")
        data += [f"{row:<64}{own:>8}P{len(data) + 1 + k:>7}" for k, row in enumerate(rows)]
    counts = "".join(f"{letter}{len(rows):>7}" for letter, rows in zip("SGDP", (start, head, directory, data)))
    path.write_text("\n".join([*start, *head, *directory, *data, f"{counts:<72}T{1:>7}"]) + "\n")
    return path


BOX = (308, None, [0, "3HBOX", 1, "@box"])
TURN = (124, None, [0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 1.0, 7.0])


@pytest.mark.parametrize(
    "entities, expected",
    [
        (
            [BOX, (408, None, ["@0", 0.0, 0.0, 0.0]), (408, None, ["@0", 10.0, 0.0, 0.0, 2.0])],
            [[0, 0, 0, 1, 2, 3], [10, 0, 0, 12, 4, 6]],
        ),
        ([BOX, TURN, (408, 1, ["@0", 0.0, 0.0, 0.0])], [[-2, 5, 7, 0, 6, 10]]),
        (
            [BOX, (408, None, ["@0", 0.0, 5.0, 0.0]), (308, None, [1, "4HPAIR", 1, "@1"]), (408, None, ["@2", 100.0, 0.0, 0.0]),
             TURN, (408, 4, ["@2", 0.0, 0.0, 0.0])],
            [[-7, 5, 7, -5, 6, 10], [100, 5, 0, 101, 7, 3]],
        ),
    ],
)  # fmt: skip
def test_subfigures_of_iges_are_placed(tmp_path, entities, expected):
    """Instances with translations, scales and matrices, nested ones too."""
    path = subfigures(tmp_path / "sub.igs", entities)
    found = [shapes.ends(SimpleNamespace(parts=[part])) for part in ccd.cad.read(path).parts]
    assert sorted(np.round(one, 6).ravel().tolist() for one in found) == expected


@pytest.mark.parametrize(
    "entities, why",
    [
        (
            [BOX, (412, None, ["@0", 1.0, 0.0, 0.0, 0.0, 3, 2, 5.0, 5.0, 0.0, 0])],
            "entity 412 .* a rectangular array",
        ),
        ([BOX, (416, None, ["5Hother"])], "entity 416 .* a reference to another file"),
        ([BOX, (158, None, [2.0])], "entity 158 .* a sphere"),
        ([BOX, TURN, (408, 1, ["@0", 10.0, 0.0, 0.0])], "entity 408 .* has a translation or a scale beside a matrix"),
        ([BOX, TURN, (408, 1, ["@0", 0.0, 0.0, 0.0, 2.0])], "entity 408 .* has a translation or a scale beside a matrix"),
    ],
)
def test_what_iges_would_lose_is_refused(tmp_path, entities, why):
    path = subfigures(tmp_path / "lost.igs", [*entities, (408, None, ["@0", 0.0, 0.0, 0.0])])
    for read in (ccd.cad.read, ccd.patch.read_iges):
        with pytest.raises(ccd.UnsupportedError, match=why):
            read(path)
