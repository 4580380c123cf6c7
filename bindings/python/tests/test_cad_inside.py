"""Parts of which one is inside of the other, and drives in files that would move something else than they say."""

import dataclasses
import math

import numpy as np
import pytest

import ccd

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")


def moved(x, y=0.0, z=0.0):
    out = np.eye(4)
    out[:3, 3] = x, y, z
    return out


def ball(x):
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere
    from OCP.gp import gp_Pnt

    return BRepPrimAPI_MakeSphere(gp_Pnt(x, 50, 50), 10).Shape()


def compound(*given):
    from OCP.BRep import BRep_Builder
    from OCP.TopoDS import TopoDS_Compound

    out, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(out)
    for one in given:
        builder.Add(out, one)
    return out


def test_a_part_that_begins_inside_of_another_is_in_contact():
    assembly = ccd.cad.Assembly.of({"block": shapes.box(100, 100, 100), "ball": ball(50)})
    assert shapes.distance(*(p.product.shape for p in assembly.parts)) == 0
    drive = ccd.cad.by_poses(assembly, [0, 1], {"ball": [moved(0), moved(20)]})
    for found in (
        ccd.cad.first_contact(drive, "block", "ball"),
        ccd.cad.first_contact(drive, "ball", "block"),
        ccd.cad.least_clearance(drive, "block", "ball"),
        *ccd.cad.check(drive, skip_touching=False).pairs,
    ):
        assert (found.verdict, found.lo, found.hi, found.toi_lo, found.toi_hi) == ("contact", 0, 0, 0, 0)
    out = ccd.cad.by_poses(assembly, [0, 1], {"ball": [moved(0), moved(200)]})
    assert ccd.cad.first_contact(out, "block", "ball").toi_hi == 0


def test_one_solid_of_several_is_inside():
    assembly = ccd.cad.Assembly.of({"block": shapes.box(100, 100, 100), "balls": compound(ball(500), ball(50))})
    assert [r.state for r in ccd.cad.at_rest(assembly)] == ["inside"]
    drive = ccd.cad.by_poses(assembly, [0, 1], {"balls": [moved(0), moved(20)]})
    assert not ccd.cad.check(drive).clear


@pytest.mark.parametrize("play", [0.005, 0.001])
def test_a_pin_in_a_bore_is_not_inside_of_the_housing(play):
    # The triangles of both are off by more than the play.
    house = shapes.cut(shapes.box(100, 100, 40, (-50, -50, 0)), shapes.cylinder(10, 60, (0, 0, -5)))
    assembly = ccd.cad.Assembly.of({"house": house, "pin": shapes.cylinder(10 - play, 20, (0, 0, 10))})
    assert ccd.cad.at_rest(assembly) == []


def test_names_of_parts_differ():
    product = ccd.cad.Product("a", shapes.box(1, 1, 1))
    parts = [ccd.cad.Part(name, product, moved(5 * k)) for k, name in enumerate(("a", "a", "a:2"))]
    assert len({p.name for p in ccd.cad.Assembly("names", parts).parts}) == 3


def test_names_have_the_sub_assemblies(tmp_path):
    from OCP.gp import gp_Trsf, gp_Vec
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.TopLoc import TopLoc_Location
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    document = TDocStd_Document(TCollection_ExtendedString("test"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())

    def named(label, name):
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        return label

    def place(x):
        t = gp_Trsf()
        t.SetTranslation(gp_Vec(x, 0, 0))
        return TopLoc_Location(t)

    pair = shapes.box(1, 1, 1)
    bolt, sub, root = named(tool.AddShape(pair, False), "bolt"), named(tool.NewShape(), "sub"), named(tool.NewShape(), "all")
    for x, name in enumerate(("left", "right")):
        named(tool.AddComponent(sub, bolt, place(10 * x)), name)
        named(tool.AddComponent(root, sub, place(100 * x)), f"side {x}")
    tool.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    writer.Transfer(document)
    writer.Write(str(tmp_path / "all.step"))
    found = [p.name for p in ccd.cad.read(tmp_path / "all.step").parts]
    assert sorted({n.rsplit("/", 1)[0] for n in found}) == ["side 0", "side 1"], found
    (machine,) = ccd.patch.read_products(tmp_path / "all.step")
    assert ["/".join(p.path) for p in machine.placed()] == found


def read(tmp_path, text):
    assembly = ccd.cad.Assembly.of({"frame/arm": shapes.box(1, 1, 1), "post": shapes.box(1, 1, 1, (5, 0, 0))})
    path = tmp_path / "drive.csv"
    path.write_text(text, encoding="utf-8")
    return ccd.cad.read_drive(assembly, path, [ccd.cad.Joint("j", "prismatic", ["post"], (1, 0, 0))])


HEAD = "time,part,x,y,z,rx,ry,rz\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            HEAD + "0,arm,0,0,0,0,0,0\n1,arm,5,0,0,0,0,0\n0,frame/arm,0,0,0,0,0,0\n1,frame/arm,0,0,0,0,0,0\n",
            "part 'frame/arm', which is there twice",
        ),
        (HEAD + f"0,arm,0,0,0,0,0,0\n1,arm,0,0,0,0,0,{math.tau}\n", "line 3: part 'arm' turns by more than half a turn"),
        ("ISO-10303-21;\nHEADER;\nDATA;\n", "line 1: the columns are ISO-10303-21;: must begin with time"),
        ("time,j,j\n0,0,0\n1,5,0\n", "line 1: has the column 'j' twice"),
    ],
)
def test_a_drive_that_would_move_something_else_is_refused(tmp_path, text, message):
    with pytest.raises(ccd.Error, match=message):
        read(tmp_path, text)


def test_turns_of_small_steps_and_a_byte_order_mark_are_read(tmp_path):
    steps = "".join(f"{k},arm,0,0,0,0,0,{k * math.tau / 4}\n" for k in range(9))
    assert len(read(tmp_path, HEAD + steps).times) == 9
    wrapped = "0,arm,0,0,0,0,0,3.1\n1,arm,0,0,0,0,0,-3.1\n"  # as scipy writes them: a small step past half a turn
    assert len(read(tmp_path, "\ufeff" + HEAD + wrapped).times) == 2


def test_units_of_a_line_of_gcode_count_for_all_of_its_words(tmp_path):
    path = tmp_path / "part.nc"
    path.write_text("G0 X1 G20\n")
    mill = ccd.cad.Assembly.of({"tool": shapes.box(1, 1, 1)})
    drive = ccd.cad.read_gcode(mill, path, [ccd.cad.Joint("X", "prismatic", ["tool"], (1, 0, 0))])
    assert drive.at(drive.times[-1])[0, 0, 3] == 25.4


@pytest.mark.parametrize("text", ["", "hello", "ISO-10303-21;"])
def test_a_file_that_is_no_step_is_refused_without_a_word(tmp_path, text, capfd):
    path = tmp_path / "bad.step"
    path.write_text(text)
    with pytest.raises(ccd.FileError):
        ccd.cad.read(path)
    assert capfd.readouterr() == ("", "")


def test_near_must_not_be_negative():
    assembly = ccd.cad.Assembly.of({"a": shapes.box(1, 1, 1), "b": shapes.box(1, 1, 1, (5, 0, 0))})
    drive = ccd.cad.by_poses(assembly, [0, 1], {"b": [moved(0), moved(1)]})
    with pytest.raises(ccd.ArgumentError, match="near is -1"):
        ccd.cad.check(drive, near=-1)


def test_a_clearance_that_was_proven_stays(monkeypatch):
    assembly = ccd.cad.Assembly.of({"a": shapes.sphere(5), "b": shapes.sphere(5, (20, 0, 0))})
    drive = ccd.cad.by_poses(assembly, [0, 1], {"b": [moved(0), moved(-8)]})
    true, calls = ccd.rigid.clearance, []

    def limited(*given, **options):
        calls.append(1)
        gap = true(*given, **options)
        return dataclasses.replace(gap, lo=0.0) if len(calls) > 1 else gap

    monkeypatch.setattr(ccd.rigid, "clearance", limited)
    monkeypatch.setattr(ccd.cad._nearest, "MOST_FACETS", 2000)  # a search that finds no lower end goes on to its limits
    found = ccd.cad.least_clearance(drive, "a", "b", tolerance=1e-4)
    assert len(calls) > 1 and 1.9 < found.lo <= 2 <= found.hi


MILL = [
    ccd.cad.Joint("X", "prismatic", [], (1, 0, 0)),
    ccd.cad.Joint("Z", "prismatic", ["tool"], (0, 0, 1), (0, 0, 0), "X"),
]


def test_a_rapid_move_of_a_tool_inside_of_the_stock(tmp_path):
    """The tool cuts its way in, and then moves rapidly where its surface does not meet the stock's, which is not cut."""
    assembly = ccd.cad.Assembly.of({"tool": shapes.cylinder(2, 4, (0, 0, 60)), "stock": shapes.box(40, 40, 40, (-20, -20, 0))})
    path = tmp_path / "part.nc"
    program = "G21 G90\nG1 Z-40 F600\nX5\n{} X-5\nG1 Z0\n"
    path.write_text(program.format("G0"))
    drive = ccd.cad.read_gcode(assembly, path, MILL)
    report = ccd.cad.check(drive, cutting=[("tool", "stock")], tolerance=1e-3)
    (found,) = report.contacts
    assert (found.a, found.b, found.verdict) == ("tool", "stock", "contact")
    assert found.toi_lo == found.toi_hi == drive.times[2]
    path.write_text(program.format("G1"))
    assert ccd.cad.check(ccd.cad.read_gcode(assembly, path, MILL), cutting=[("tool", "stock")], tolerance=1e-3).clear


def test_the_profile_of_a_part_that_is_inside_for_a_while():
    assembly = ccd.cad.Assembly.of({"block": shapes.box(100, 100, 100), "ball": ball(50)})
    drive = ccd.cad.by_poses(assembly, [0, 1], {"ball": [moved(0), moved(100)]})
    found = ccd.cad.profile(drive, "block", "ball", [0.0, 0.2, 0.5, 0.8])
    assert found[:3].tolist() == [[0, 0]] * 2 + [[0, found[2, 1]]]  # inside, inside, crossing
    assert found[3, 0] <= 20 <= found[3, 1]


def test_what_is_not_decided_is_said(monkeypatch):
    assembly = ccd.cad.Assembly.of({"block": shapes.box(100, 100, 100), "ball": ball(50)})
    monkeypatch.setattr(ccd.cad._solid.Solid, "holds", lambda *given: None)
    monkeypatch.setattr(ccd.cad.Product, "_finer", lambda product, solid: solid)
    (rest,) = ccd.cad.at_rest(assembly, volumes=False)
    assert rest.state == "undecided"
    drive = ccd.cad.by_poses(assembly, [0, 1], {"ball": [moved(0), moved(20)]})
    assert ccd.cad.first_contact(drive, "block", "ball").verdict == "undecided"
    report = ccd.cad.check(drive, skip_touching=False)
    assert not report.clear and [p.verdict for p in report.pairs] == ["undecided"]
    assert ccd.cad.profile(drive, "block", "ball", [0.0])[0].tolist()[0] == 0
