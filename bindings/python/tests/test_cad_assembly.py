"""Assemblies of CAD files: facets against dense samples of trimmed faces, contacts and distances against Open CASCADE's."""

import json
import math

import numpy as np
import pytest

import ccd
from ccd.cli import main

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")
if shapes is None:
    pytest.skip("Open CASCADE (cadquery-ocp-novtk) is not there", allow_module_level=True)

J = ccd.cad.Joint
IDENTITY = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def samples(face, rng, count):
    """Points of a trimmed face: random parameters that Open CASCADE's classifier finds inside."""
    from OCP.BRepAdaptor import BRepAdaptor_Surface
    from OCP.BRepClass import BRepClass_FaceClassifier
    from OCP.BRepTools import BRepTools
    from OCP.gp import gp_Pnt2d
    from OCP.TopAbs import TopAbs_IN

    box = BRepTools.UVBounds_s(face)
    inside, surface = BRepClass_FaceClassifier(), BRepAdaptor_Surface(face)
    out = []
    for u, v in rng.uniform(box[::2], box[1::2], (count, 2)).tolist():
        inside.Perform(face, gp_Pnt2d(u, v), 1e-9)
        if inside.State() == TopAbs_IN:
            p = surface.Value(u, v)
            out.append((p.X(), p.Y(), p.Z()))
    return np.array(out).reshape(-1, 3)


QUICK = ("plate", "ball in a cone", "dome", "fillets", "loft", "nut", "tip", "torus")


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.long) for n in shapes.SHAPES])
def test_faces_are_within_the_deviation_of_their_facets(name):
    shape, rng = shapes.SHAPES[name](), np.random.default_rng(1)
    product = ccd.cad.Product(name, shape)
    asked = 4e-3 * product.size
    facets = product.facets(asked)
    assert product.deviation(asked) <= asked and product._closed().closed
    bare = ccd.rigid.Body(facets.points.reshape(-1, 3), np.arange(3 * len(facets)).reshape(-1, 3))
    point = ccd.rigid.Body([[0, 0, 0]], [[0, 0, 0]])
    faces, worst = ccd.cad._occ.faces(shape), 0.0
    for face in faces[:: max(1, len(faces) // 8)]:
        points = samples(face, rng, 60)
        if len(points):
            found = ccd.rigid.distances(point, [((1.0, 0.0, 0.0, 0.0), p) for p in points], bare, [IDENTITY] * len(points))
            assert np.all(found["lo"] <= facets.deviation.max())
            worst = max(worst, float(found["hi"].max()))
    assert worst <= product.deviation(asked) + 1e-9 * product.size  # a bracket is this wide
    # The other way round: points of facets are as near to the shape.
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
    from OCP.gp import gp_Pnt

    for k in rng.integers(0, len(facets), 5):
        p = rng.dirichlet([1, 1, 1]) @ facets.points[k]
        off = min(shapes.distance(BRepBuilderAPI_MakeVertex(gp_Pnt(*p.tolist())).Vertex(), face) for face in faces)
        assert off <= facets.deviation[k] + 1e-7


def placed(shape, matrix):
    from OCP.gp import gp_Trsf
    from OCP.TopLoc import TopLoc_Location

    t = gp_Trsf()
    t.SetValues(*(float(x) for x in matrix[:3].ravel()))
    return shape.Moved(TopLoc_Location(t))


def true_distance(drive, t):
    a, b = (placed(p.product.shape, m) for p, m in zip(drive.assembly.parts, drive.at(t)))
    return shapes.distance(a, b)


def turned(a, b, value=math.pi, axis=(0, 0, 1), kind="revolute", point=(0, 0, 0), pitch=0.0):
    assembly = ccd.cad.Assembly.of({"a": a, "b": b})
    joint = J("j", kind, ["a"], axis, point, None, pitch)
    return ccd.cad.by_joints(assembly, [joint], [0, 1], {"j": [0, value]})


def turn(angle, x):
    """A turn about z, and a way along x."""
    return [[math.cos(angle), -math.sin(angle), 0, x], [math.sin(angle), math.cos(angle), 0, 0], [0, 0, 1, 0]]


PAIRS = {
    "arm and post": lambda: turned(
        shapes.filleted(shapes.box(40, 6, 6, (0, -3, -3)), 1.5), shapes.cylinder(4, 30, (0, 35, -15))
    ),
    "torus and cone": lambda: turned(
        shapes.torus(20, 4, (0, 0, 0), (1, 0, 0.2)), shapes.cone(8, 3, 25, (60, 0, 0), (0, 1, 0.3)), 60, (1, 0.1, 0),
        "prismatic"
    ),
    "ball and plate": lambda: turned(
        shapes.sphere(1, (0, 0, 5)), shapes.box(8, 8, 1, (-4, -4, -1)), 6, (0, 0, -1), "prismatic"
    ),
    "dome and loft": lambda: turned(
        shapes.SHAPES["nurbs dome"](), shapes.moved(shapes.loft(), [[1, 0, 0, 12], [0, 1, 0, 0.3], [0, 0, 1, 0]]),
        4 * math.pi, (1, 0.1, 0.1), "screw", (0, 1, 0), 5.0,
    ),
    "gears": lambda: turned(
        shapes.moved(shapes.gear(11, 2, 4, 3), turn(-math.tau * 0.11 / 11, 0)),
        shapes.moved(shapes.gear(14, 2, 4, 3), turn(math.pi - math.tau * 0.44 / 14, 26.8)),
        0.3,
    ),
    "pin beside a hole": lambda: turned(
        shapes.fuse(shapes.cylinder(1.4, 12, (3.2, 3, 4)), shapes.cone(0.6, 1.4, 1, (3.2, 3, 3))), shapes.SHAPES["plate"](),
        6, (0, 0, -1), "prismatic",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [n if n in ("arm and post", "ball and plate", "gears") else pytest.param(n, marks=pytest.mark.long) for n in PAIRS]
)
def test_first_contact_is_between_open_cascades_distances(name):
    drive = PAIRS[name]()
    tolerance = 1e-4 * drive.assembly.size
    hit = ccd.cad.first_contact(drive, "a", "b", tolerance=tolerance)
    if hit.verdict == "clear":
        assert all(true_distance(drive, t) > 0 for t in np.linspace(0, 1, 9))
        return
    assert hit.verdict == "contact"
    for t in np.linspace(0, hit.toi_lo, 7):
        assert true_distance(drive, float(t)) > 0
    assert true_distance(drive, hit.time) <= hit.hi <= 1.01 * tolerance
    if math.isfinite(hit.toi_hi):
        assert hit.toi_lo < hit.toi_hi and true_distance(drive, hit.toi_hi) < 1e-9
        assert hit.toi_hi - hit.toi_lo < 0.02
    finer = ccd.cad.first_contact(drive, "a", "b", tolerance=0.1 * tolerance)
    assert hit.toi_lo <= finer.toi_lo + 1e-12 * 1 and finer.time >= hit.toi_lo


@pytest.mark.parametrize("name", ["arm and post", "gears"])
def test_clearance_clearance_holds_open_cascades_distances(name):
    drive = PAIRS[name]()
    stop = 0.9 * ccd.cad.first_contact(drive, "a", "b", tolerance=1e-2).toi_lo
    drive = ccd.cad.by_joints(drive.assembly, drive.chains.joints, [0, stop], {"j": [0, stop * drive.values[1, 0]]})
    tolerance = 1e-4 * drive.assembly.size
    gap = ccd.cad.least_clearance(drive, "a", "b", tolerance=tolerance)
    assert gap.verdict == "clear" and 0 < gap.lo <= gap.hi <= gap.lo + 1.05 * tolerance
    assert abs(true_distance(drive, gap.time) - gap.hi) <= 1.05 * tolerance
    for t in np.linspace(0, stop, 9):
        assert true_distance(drive, float(t)) >= gap.lo - 1e-9
    curve = ccd.cad.profile(drive, "a", "b", np.linspace(0, stop, 5), deviation=0.01)
    for t, (lo, hi) in zip(np.linspace(0, stop, 5), curve):
        assert lo <= true_distance(drive, float(t)) + 1e-9 and true_distance(drive, float(t)) <= hi + 1e-9


@pytest.mark.parametrize("kind", ["step", "igs"])
def test_shapes_come_back_from_files(tmp_path, kind):
    for name in ("plate", "fillets", "nut", "loft", "dome", "gear"):
        path = tmp_path / f"{name}.{kind}"
        shapes.write(shapes.SHAPES[name](), path)
        assembly = ccd.cad.read(path)
        assert assembly.unit == "mm" and assembly.file_unit == "mm" and len(assembly.parts) >= 1
        product = assembly.parts[0].product
        asked = 4e-3 * product.size
        assert product.deviation(asked) <= asked * 1.001 + 2e-5  # IGES: gaps of 1e-5 between edges
        if kind == "step":
            assert product.faces == ccd.cad.Product(name, shapes.SHAPES[name]()).faces and product._closed().closed


def test_an_assembly_keeps_names_colors_and_placements(tmp_path):
    from OCP.gp import gp_Trsf, gp_Vec
    from OCP.Quantity import Quantity_Color, Quantity_TOC_RGB
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.TopLoc import TopLoc_Location
    from OCP.XCAFDoc import XCAFDoc_ColorGen, XCAFDoc_DocumentTool

    document = TDocStd_Document(TCollection_ExtendedString("test"))
    tool, colors = XCAFDoc_DocumentTool.ShapeTool_s(document.Main()), XCAFDoc_DocumentTool.ColorTool_s(document.Main())

    def named(label, name):
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        return label

    pin = named(tool.AddShape(shapes.cylinder(1, 5), False), "pin")
    plate = named(tool.AddShape(shapes.SHAPES["plate"](), False), "plate")
    colors.SetColor(pin, Quantity_Color(1.0, 0.0, 0.0, Quantity_TOC_RGB), XCAFDoc_ColorGen)
    whole = named(tool.NewShape(), "fixture")
    for k, (part, x) in enumerate(((plate, 0.0), (pin, 3.0), (pin, 7.0))):
        t = gp_Trsf()
        t.SetTranslation(gp_Vec(x, 0.0, 0.0))
        named(tool.AddComponent(whole, part, TopLoc_Location(t)), ("plate", "pin", "pin")[k])
    tool.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.Transfer(document)
    path = tmp_path / "fixture.step"
    writer.Write(str(path))
    assembly = ccd.cad.read(path)
    assert [p.name for p in assembly.parts] == ["plate", "pin", "pin:2"]
    assert assembly.parts[1].product is assembly.parts[2].product and len(assembly.products) == 2
    assert [p.matrix[0, 3] for p in assembly.parts] == [0.0, 3.0, 7.0]
    assert assembly.parts[1].color == pytest.approx((1.0, 0.0, 0.0)) and assembly.parts[0].color is None
    assert assembly.tree().startswith("fixture: 3 parts, 2 products, ")


def test_rest_states():
    boxes = {
        "base": shapes.box(10, 10, 1),
        "on it": shapes.box(2, 2, 2, (1, 1, 1)),
        "through it": shapes.cylinder(1, 4, (7, 7, -1)),
        "away": shapes.sphere(1, (5, 5, 9)),
        "shell": shapes.sphere(3, (20, 0, 0)),
        "kernel": shapes.box(1, 1, 1, (20, 0, 0)),
    }
    found = {(r.a, r.b): r for r in ccd.cad.at_rest(ccd.cad.Assembly.of(boxes), tolerance=1e-3)}
    assert {k: r.state for k, r in found.items()} == {
        ("base", "on it"): "touching", ("base", "through it"): "crossing", ("shell", "kernel"): "inside",
    }  # fmt: skip
    assert found["base", "on it"].hi < 2e-3 and found["shell", "kernel"].lo > 1


def crank():
    """A crank that turns, a rod and a piston: poses of the closed chain at rows, in the files' way."""
    r, length = 10.0, 30.0
    parts = {
        "crank": shapes.fuse(shapes.cylinder(3, 4, (0, 0, -2)), shapes.box(r, 3, 4, (0, -1.5, -2))),
        "rod": shapes.box(length - 4, 3, 3, (r + 2, -1.5, 2.5)),
        "piston": shapes.box(8, 10, 8, (r + length + 1, -5, -4)),
        "head": shapes.box(2, 12, 8, (r + length + 9.5, -6, -4)),
    }
    assembly, angles = ccd.cad.Assembly.of(parts), np.linspace(0, 2 * math.pi, 25)
    times = angles / (2 * math.pi)
    poses = {"crank": [], "rod": [], "piston": []}
    for a in angles:
        pin = np.array([r * math.cos(a), r * math.sin(a), 0])
        tilt = -math.asin(pin[1] / length)
        end = pin[0] + length * math.cos(tilt)
        for name, angle, start, now in (
            ("crank", a, (0, 0, 0), (0, 0, 0)),
            ("rod", tilt, (r, 0, 0), pin),
            ("piston", 0, (r + length, 0, 0), (end, 0, 0)),
        ):
            m = ccd.cad._turns.about(np.zeros(3), np.array([0.0, 0, 1]), angle, 0.0)
            m[:3, 3] = np.array(now) - m[:3, :3] @ np.array(start, float)
            poses[name].append(m)
    return assembly, times, poses


def test_a_mechanism_over_its_cycle():
    assembly, times, poses = crank()
    drive = ccd.cad.by_poses(assembly, times, poses)
    report = ccd.cad.check(drive, near=2.0, tolerance=1e-3)
    assert report.clear and report.near == 2.0 and report.pieces == 24
    pair = next(p for p in report.pairs if {p.a, p.b} == {"piston", "head"})
    assert pair.lo <= 0.5 <= pair.hi + 1e-9 and pair.hi - pair.lo <= 2e-3 and pair.time in (0.0, 1.0)
    near = next(p for p in report.pairs if {p.a, p.b} == {"crank", "rod"})
    assert near.lo <= 0.5 <= near.hi + 1e-9
    longer = {name: list(x) for name, x in poses.items()}
    for m in longer["piston"]:
        m[0, 3] += 0.6  # the piston is 0.6 too long
    report = ccd.cad.check(ccd.cad.by_poses(assembly, times, longer), near=2.0, tolerance=1e-3, skip_touching=False)
    assert [(p.a, p.b, p.verdict) for p in report.contacts] == [("piston", "head", "contact")]
    assert not report.clear and report.contacts[0].toi_lo == 0.0
    skipped = ccd.cad.check(ccd.cad.by_poses(assembly, times, longer), near=2.0, tolerance=1e-3, allow=[("head", "piston")])
    assert skipped.skipped == [("piston", "head", "allowed")] and not skipped.contacts


MILL = [J("X", "prismatic", [], (1, 0, 0)), J("Z", "prismatic", ["tool", "holder"], (0, 0, 1), (0, 0, 0), "X"),
        J("A", "revolute", ["stock", "clamp"], (1, 0, 0))]  # fmt: skip


def mill(tmp_path, text):
    parts = {
        "tool": shapes.cylinder(2, 20, (-30, 0, 30)),
        "holder": shapes.cylinder(6, 10, (-30, 0, 50)),
        "stock": shapes.box(40, 20, 20, (-20, -10, -10)),
        "clamp": shapes.box(6, 30, 24, (20, -15, -10)),
    }
    path = tmp_path / "part.nc"
    path.write_text(text)
    return ccd.cad.read_gcode(ccd.cad.Assembly.of(parts), path, MILL)


def test_a_program_of_a_mill(tmp_path):
    good = "%\nO1\nN1 G21 G90 (mm)\nG0 X12 Z0\nG1 Z-25 F300 ; into the stock\nX40\nZ10\nG0 A90\nM30\n"
    drive = mill(tmp_path, good)
    assert drive.rapid == [True, False, False, False, True]
    assert drive.values[3].tolist() == [40.0, -25.0, 0.0] and drive.values[-1][2] == pytest.approx(math.pi / 2)
    report = ccd.cad.check(drive, near=1.0, tolerance=1e-2, cutting=[("tool", "stock")])
    assert report.clear, report.contacts
    deep = mill(tmp_path, good.replace("Z-25", "Z-42"))
    found = ccd.cad.check(deep, near=1.0, tolerance=1e-2, cutting=[("tool", "stock")])
    assert ("holder", "stock") in {(p.a, p.b) for p in found.contacts}
    fast = mill(tmp_path, good.replace("G1 Z-25", "G0 Z-25"))
    found = ccd.cad.check(fast, near=1.0, tolerance=1e-2, cutting=[("tool", "stock")])
    assert ("tool", "stock") in {(p.a, p.b) for p in found.contacts}


@pytest.mark.parametrize(
    "line, text",
    [
        ("G2 X1 Y1 I1", "line 2: G2 is not understood"),
        ("G0 B5", "line 2: moves B: no joint"),
        ("G1 X5", "line 2: G1 without a feed"),
        ("X5", "line 2: moves before G0 or G1"),
        ("G0 X#1", "line 2: 'X#1' is not understood"),
        ("G43 H1", "line 2: G43 is not understood"),
        ("G0 X1 X2", "line 2: has X twice"),
        ("/G0 X1", "line 2: '/'"),
        ("M98 P1", "line 2: M98 is not understood"),
        ("(no move)", "has no move"),
    ],
)
def test_what_a_program_may_not_say(tmp_path, line, text):
    with pytest.raises(ccd.Error, match=text):
        mill(tmp_path, f"G21\n{line}\n")


@pytest.mark.parametrize(
    "rows, text",
    [
        ("time,part,x,y,z\n0,a,0,0,0\n1,a,0,0,0\n", "line 1: the columns are time, part, x, y, z: must be"),
        ("time,part,x,y,z,rx,ry,rz\n0,a,0,0,0,0,0,0\n", "has 2 lines"),
        ("time,part,x,y,z,rx,ry,rz\n0,a,0,0,0,0,0,0\n1,a,0,0,nan,0,0,0\n", "line 3: 'nan'"),
        ("time,part,x,y,z,rx,ry,rz\n0,a,0,0,0,0,0,0\n0,a,0,0,0,0,0,0\n", "line 3: part 'a' has two poses"),
        ("time,part,x,y,z,rx,ry,rz\n0,a,0,0,0,0,0,0\n1,b,0,0,0,0,0,0\n", "part 'a' has no row at the time 1"),
        ("time,part,x,y,z,rx,ry,rz\n0,c,0,0,0,0,0,0\n1,c,0,0,0,0,0,0\n", "part 'c': the parts are a, b"),
        ("time,part,x,y,z,qw,qx,qy,qz\n0,a,0,0,0,1,0,0,0\n1,a,0,0,0,2,0,0,0\n", "line 3: the quaternion has the length 2"),
        ("time,part,x,y,z,rx,ry,rz\n0,a,0,0,0,0,0,0\n1,a,0,0,0,3.14159265358979,0,0\n", "half a turn"),
        ("time,joint,value\n0,j,0\n1,j,1\n", "drive.csv: it has values of joints: give the joints, which read_joints reads"),
        ("when,part\n0,a\n1,a\n", "give the joints|must begin with time"),
        ("time,part,x,y,z,rx,ry,rz\n0,a,0,0,0\n1,a,0,0,0,0,0,0\n", "line 2: has 5 columns"),
    ],
)
def test_what_a_drive_may_not_say(tmp_path, rows, text):
    path = tmp_path / "drive.csv"
    path.write_text(rows)
    boxes = ccd.cad.Assembly.of({"a": shapes.box(1, 1, 1), "b": shapes.box(1, 1, 1, (5, 0, 0))})
    with pytest.raises(ccd.Error, match=text):
        ccd.cad.read_drive(boxes, path)


def test_a_joint_that_is_wrong_is_named_and_not_the_file_of_values(tmp_path):
    boxes = ccd.cad.Assembly.of({"a": shapes.box(1, 1, 1), "b": shapes.box(1, 1, 1, (5, 0, 0))})
    path = tmp_path / "drive.csv"
    path.write_text("time,j\n0,0\n1,1\n")
    for joint, text in (
        (J("j", "revolute", ["c"], (0, 0, 1)), "joints[0].parts: part 'c': the parts are a, b"),
        (J("j", "turning", ["a"], (0, 0, 1)), "joints[0].kind is 'turning': must be revolute, prismatic or screw"),
    ):
        with pytest.raises(ccd.ArgumentError) as error:
            ccd.cad.read_drive(boxes, path, [joint])
        assert str(error.value) == text


def test_a_drive_of_joints_in_a_file(tmp_path):
    boxes = ccd.cad.Assembly.of({"a": shapes.box(1, 1, 1), "b": shapes.box(1, 1, 1, (5, 0, 0))})
    joints = [J("j", "revolute", ["a"], (0, 0, 1)), J("k", "prismatic", ["b"], (1, 0, 0))]
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text("time,j,k\n0,0,0\n1,90,2\n2,90,4\n")
    long.write_text("time,joint,value\n0,j,0\n1,j,90\n0,k,0\n2,k,4\n")
    one, other = (ccd.cad.read_drive(boxes, p, joints, True) for p in (wide, long))
    for t in (0.0, 0.5, 1.0):
        assert np.allclose(one.at(t), other.at(t))
    assert np.allclose(one.at(1.0)[0, :3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]]) and one.at(2.0)[1, 0, 3] == 4.0


def test_files_that_are_none(tmp_path):
    with pytest.raises(ccd.FileError, match="no such file"):
        ccd.cad.read(tmp_path / "none.step")
    (tmp_path / "bad.step").write_text("solid")
    with pytest.raises(ccd.FileError, match="cannot"):
        ccd.cad.read(tmp_path / "bad.step")
    (tmp_path / "joints.json").write_text('{"joints": [{"name": "a"}]}')
    with pytest.raises(ccd.FileError, match=r"joints\[0\]"):
        ccd.cad.read_joints(tmp_path / "joints.json")


def test_an_offset_surface_is_refused_by_name():
    from OCP.BRep import BRep_Tool
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
    from OCP.Geom import Geom_OffsetSurface
    from OCP.GeomConvert import GeomConvert

    loft = max(ccd.cad._occ.faces(shapes.loft()), key=ccd.cad._occ.size)
    made = BRepBuilderAPI_MakeFace(Geom_OffsetSurface(BRep_Tool.Surface_s(loft), 0.1), 1e-6).Face()
    assert GeomConvert is not None
    with pytest.raises(
        ccd.FileError, match=r"lid: face 0: its surface is of a kind that has no proven bound \(OffsetSurface\)"
    ):
        ccd.cad.Product("lid", made).facets()


def test_faces_of_triangles_alone_are_refused_by_name():
    """As Open CASCADE reads a tessellated STEP file (AP242), which has no surfaces."""
    from OCP.BRep import BRep_Builder, BRep_Tool
    from OCP.BRepMesh import BRepMesh_IncrementalMesh
    from OCP.TopLoc import TopLoc_Location
    from OCP.TopoDS import TopoDS_Face, TopoDS_Shell

    box, build, shell = shapes.box(1, 2, 3), BRep_Builder(), TopoDS_Shell()
    BRepMesh_IncrementalMesh(box, 0.1)
    build.MakeShell(shell)
    for face in ccd.cad._occ.faces(box):
        bare = TopoDS_Face()
        build.MakeFace(bare, BRep_Tool.Triangulation_s(face, TopLoc_Location()))
        build.Add(shell, bare)
    with pytest.raises(ccd.FileError, match=r"lid: face 0: it has triangles and no surface .*AP242.*as a mesh"):
        ccd.cad.Product("lid", shell).facets()


def test_the_command(tmp_path, capsys):
    assembly, times, poses = crank()
    from OCP.BRep import BRep_Builder
    from OCP.TopoDS import TopoDS_Compound

    both, build = TopoDS_Compound(), BRep_Builder()
    build.MakeCompound(both)
    for p in assembly.parts:
        build.Add(both, p.product.shape)
    path = tmp_path / "crank.step"
    shapes.write(both, path)
    read = ccd.cad.read(path)
    assert len(read.parts) == 4
    rows = ["time,part,x,y,z,rx,ry,rz"]
    for k, name in enumerate(poses):
        rows += [
            ",".join(map(str, [t, read.parts[k].name, *m[:3, 3].tolist(), 0, 0, math.atan2(m[1, 0], m[0, 0])]))
            for t, m in zip(times.tolist(), poses[name])
        ]
    drive = tmp_path / "drive.csv"
    drive.write_text("\n".join(rows) + "\n")
    more = [
        "--motion",
        str(drive),
        "--near",
        "2",
        "--tolerance",
        "1e-3",
        "--view",
        str(tmp_path / "page.html"),
        "--csv",
        str(tmp_path / "pairs.csv"),
    ]
    gaps, none = tmp_path / "gaps.csv", tmp_path / "none.svg"
    assert main(["cad", str(path), *more, "--profile", str(gaps)]) == 0
    said = capsys.readouterr().out
    assert (
        "4 parts" in said
        and "clear" in said
        and "All other pairs that move against each other keep more than 2 (proven)." in said
    )
    assert (tmp_path / "page.html").stat().st_size > 10_000 and (tmp_path / "pairs.csv").read_text().startswith(
        "a,b,verdict,lo,hi"
    )
    assert main(["cad", str(path), *more, "--json", "--profile", str(tmp_path / "gaps.svg")]) == 0
    found = json.loads(capsys.readouterr().out)
    lines = [line.split(",") for line in gaps.read_text().splitlines()]
    assert lines[0] == ["a", "b", "t", "distance_lo", "distance_hi"] and len(lines) == 1 + 101 * min(10, len(found["pairs"]))
    first = found["pairs"][0]  # at no time of the table is the pair nearer than the least distance
    assert lines[1][:2] == [first["a"], first["b"]] and all(float(line[4]) >= first["lo"] for line in lines[1:102])
    assert min(float(line[3]) for line in lines[1:102]) < first["hi"] + 0.1
    text = (tmp_path / "gaps.svg").read_text()
    assert f"{first['a']}, {first['b']}" in text and "proven" in text
    assert main(["cad", str(path), "--motion", str(drive), "--near", "1e-6", "--profile", str(none)]) == 0
    assert "none.svg was not written: no pair comes within 1e-06; give a larger --near" in capsys.readouterr().out
    assert not none.exists()
    assert found["clear"] and found["pairs"] and found["unit"] == "mm"
    assert main(["cad", str(path)]) == 0
    assert "crank: 4 parts" in capsys.readouterr().out
    assert main(["cad", str(path), "--near", "2"]) == 2
    assert "--near would have no effect without --motion" in capsys.readouterr().err


def _placed_facets(corners, more):
    from ccd.cad import _meeting

    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return _meeting.Placed(corners, normals, np.full(len(corners), more), corners.min(1) - more, corners.max(1) + more)


def test_a_deviation_that_needs_too_many_triangles_is_an_error(monkeypatch):
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere

    ball = ccd.cad.Product("ball", BRepPrimAPI_MakeSphere(1.0).Shape())
    monkeypatch.setattr(ccd.cad._assembly, "_MOST_FACETS", len(ball.facets(0.02)))
    monkeypatch.setattr(ccd.cad._assembly, "_FINEST", 7e-3)
    assert ball.deviation(0.02) <= 0.02
    for deviation in (0.002, 1e-12, 5e-324):
        with pytest.raises(ccd.ArgumentError, match=rf"deviation is {deviation}: 'ball' needs more than \d+ triangles"):
            ball.facets(deviation)


def test_facets_near_others():
    """The facets that are split are those that come near, by a count of all pairs, and few more."""
    from ccd.cad import _meeting

    rng = np.random.default_rng(5)
    cases = []
    for size in (1.0, 0.2, 0.05):
        thin = np.array([1.0, 1.0, 0.02])
        sides = [rng.normal(size=(30, 1, 3)) + size * thin * rng.normal(size=(30, 3, 3)) for _ in range(2)]
        cases.append([_placed_facets(p, 0.02) for p in sides])
    # A large triangle in a plane, and facets beside it that its box, slanted, holds.
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    flat = np.array([[[-9, -9, 0], [9, -9, 0], [0, 9, 0.0]]]) @ turn
    above = (np.array([[0, 0, 2.0]]) + 0.1 * rng.normal(size=(40, 3, 3))) @ turn
    cases.append([_placed_facets(flat, 0.01), _placed_facets(above, 0.01)])
    extra = 0
    for a, b in cases:
        found = _meeting.meeting(a, b)
        here = ((1.0, 0, 0, 0), (0.0, 0, 0))
        right = np.zeros((len(a.more), len(b.more)), bool)
        bodies = [[ccd.rigid.Body(p, [[0, 1, 2]]) for p in x.corners] for x in (a, b)]
        for i, x in enumerate(bodies[0]):
            right[i] = [ccd.rigid.distance(x, here, y, here).hi <= a.more[i] + b.more[j] for j, y in enumerate(bodies[1])]
        assert np.all(found[0] >= right.any(1)) and np.all(found[1] >= right.any(0))
        extra += int((found[1] & ~right.any(0)).sum())
    assert not found[0].any() and not found[1].any()
    assert extra < 20


@pytest.mark.parametrize("value", [2.0, -2.0])
@pytest.mark.parametrize("pitch", [1.5, -1.5])
def test_screws_slide_the_same_way_in_searches_as_in_placements(value, pitch):
    """Joints of either hand, turned on or back: their pieces have the placements of the drive."""
    slide = pitch * value / (2 * math.pi)
    below = shapes.box(20, 20, 1, (-10, -10, -1.3 if slide < 0 else 3.3))
    assembly = ccd.cad.Assembly.of({"nut": shapes.cylinder(3, 3), "stop": below})
    joint = ccd.cad.Joint("j", "screw", ["nut"], axis=(0, 0, 2), pitch=pitch)
    drive = ccd.cad.by_joints(assembly, [joint], [0, 1], {"j": [0, value]})
    (piece,) = drive._pieces(1.0)
    for t in (0.0, 0.3, 1.0):
        assert np.allclose(piece.motions[0].matrix(t), drive.at(t)[0], rtol=0, atol=1e-12)
    hit = ccd.cad.first_contact(drive, "nut", "stop")
    assert hit.verdict == "contact" and hit.toi_lo == pytest.approx(0.3 / abs(slide), abs=1e-3) and hit.toi_hi > hit.toi_lo
