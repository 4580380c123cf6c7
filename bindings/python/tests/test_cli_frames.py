"""What commands say before their results: frames that do not move, points per element, what readers left out."""

import json
import os

import numpy as np
import pytest

import ccd
from ccd.cli import frames, main, output, schema

FLOOR = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
CORNER = np.add(FLOOR, [0.2, 0.2, 1])
X = np.vstack([FLOOR, CORNER])
DOWN = np.outer(np.arange(6) > 2, [0, 0, -1.6])  # the upper triangle meets the lower one at 0.625


def vtk(path, x, cells, fields=None):
    """A legacy VTK file of triangles (5) and tetrahedra (10), with point data."""
    lines = ["# vtk DataFile Version 3.0", "x", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(x)} double"]
    lines += [" ".join(map(repr, map(float, p))) for p in x]
    lines += [f"CELLS {len(cells)} {sum(len(c) + 1 for c in cells)}", *(f"{len(c)} {' '.join(map(str, c))}" for c in cells)]
    lines += [f"CELL_TYPES {len(cells)}", *("5" if len(c) == 3 else "10" for c in cells)]
    if fields:
        lines.append(f"POINT_DATA {len(x)}")
    for name, values in (fields or {}).items():
        values = np.asarray(values, float)
        head = [f"VECTORS {name} double"] if values.ndim == 2 else [f"SCALARS {name} double 1", "LOOKUP_TABLE default"]
        lines += [*head, *(" ".join(map(repr, map(float, np.atleast_1d(v)))) for v in values)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    seen = capsys.readouterr()
    return code, seen.out, seen.err


@pytest.fixture
def rest(tmp_path):
    """Two frames at rest, whose motion is a field; beside it fields that are no motion."""
    cells = [[0, 1, 2], [3, 4, 5]]
    still = {"pressure": np.arange(6), "gravity": np.tile([0, 0, -9.8], (6, 1))}
    return [
        vtk(tmp_path / f"{name}.vtk", X, cells, still | {"velocity": 2 * d, "solution_disp": d})
        for name, d in (("a", 0 * DOWN), ("b", DOWN))
    ]


def test_a_step_in_which_nothing_moves_names_the_field_that_does(rest, tmp_path, capsys):
    code, out, err = run(capsys, "step", *rest)
    first = out.splitlines()[0]
    assert code == 0 and err == "" and first.startswith("note: nothing moves: all vertices of")
    assert "if 'solution_disp' and 'velocity' of the point data" in first and "gravity" not in out and "pressure" not in out
    assert first.endswith("--displacement solution_disp adds it")
    code, out, _ = run(capsys, "step", *rest, "--json")
    report = json.loads(out)
    assert "nothing moves" in report["notes"][0] and report["left_out"] == [] and report["verdict"] == "separate"
    for command in ("step", "view"):
        more = ["-o", tmp_path / "v.html"] if command == "view" else []
        code, out, _ = run(capsys, command, *rest, "--displacement", "solution_disp", "--json", *more)
        report = json.loads(out)
        assert code == 1 and report["notes"] == []
    code, out, _ = run(capsys, "step", *rest, "--displacement", "solution_disp", "--json")
    assert json.loads(out)["earliest"]["toi_lo"] == pytest.approx(0.625)
    code, out, _ = run(capsys, "view", *rest, "--json", "-o", tmp_path / "v.html")
    assert code == 0 and "nothing moves" in json.loads(out)["notes"][0]
    code, out, _ = run(capsys, "check", rest[1], "--displacement", "solution_disp")
    assert code == 0 and "nothing moves" not in out  # one frame: no motion is missed
    assert ccd.proximity.distance(ccd.Mesh([[0, 1, 2], [3, 4, 5]]), X + DOWN).distance_hi == pytest.approx(0.6)
    assert "0.6" in next(line for line in out.splitlines() if line.startswith("distance"))


def test_a_volume_and_a_sequence_are_displaced_too(tmp_path, capsys):
    x = np.vstack([FLOOR, [[0.2, 0.2, -1]], CORNER, [[0.3, 0.3, 2]]])
    cells, d = [[0, 1, 2, 3], [4, 5, 6, 7]], np.outer(np.arange(8) > 3, [0, 0, -2.0])
    paths = [vtk(tmp_path / f"v{k}.vtk", x, cells, {"DISPLACEMENT": k * d / 2}) for k in range(3)]
    code, out, _ = run(capsys, "volume", paths[0], paths[2])
    assert code == 0 and out.startswith("note: nothing moves") and "--displacement DISPLACEMENT" in out.splitlines()[0]
    code, out, _ = run(capsys, "volume", paths[0], paths[2], "--displacement", "DISPLACEMENT", "--json")
    assert code == 1 and json.loads(out)["earliest"]["toi_lo"] == pytest.approx(0.5)
    code, out, _ = run(capsys, "view", *paths, "--displacement", "DISPLACEMENT", "--json", "-o", tmp_path / "v.html")
    report = json.loads(out)
    assert code == 1 and report["frames"] == 3 and report["kind"] == "volume" and report["impacts"] > 0
    code, out, _ = run(capsys, "view", *paths, "--json", "-o", tmp_path / "v.html")
    assert code == 0 and "--displacement DISPLACEMENT" in json.loads(out)["notes"][0]


@pytest.mark.parametrize("name, why", [
    ("none", "has no point data 'none': it has gravity (3), pressure (1)"), ("pressure", "pressure (1) of"),
    ("wrong", "wrong of vertex 2 of"),
])  # fmt: skip
def test_fields_that_are_no_displacement_are_refused(tmp_path, capsys, name, why):
    bad = np.zeros((6, 3))
    bad[2, 1] = np.nan
    fields = {"gravity": np.ones((6, 3)), "pressure": np.arange(6)} | ({"wrong": bad} if name == "wrong" else {})
    path = vtk(tmp_path / "a.vtk", X, [[0, 1, 2], [3, 4, 5]], fields)
    code, out, err = run(capsys, "step", path, path, "--displacement", name)
    assert code == 2 and out == "" and err.startswith("ccd: --displacement: ") and why in err


def test_copies_of_points_are_named_where_few_elements_share_theirs(tmp_path, capsys):
    """A box with four points for each side, as exporters write for sharp edges; a soup in which one face is given twice."""
    corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    split = [corners[v] for side in sides for v in side]
    halves = [[4 * k + a for a in half] for k in range(6) for half in ((0, 1, 2), (0, 2, 3))]
    soup = [split[v] for half in halves for v in half]
    own = [[3 * k, 3 * k + 1, 3 * k + 2] for k in range(12)]
    whole = [[sides[k][a] for a in half] for k in range(6) for half in ((0, 1, 2), (0, 2, 3))]
    for name, points, faces, places in (
        ("split", split, halves, "Of 24 points 16 are copies of others."),
        ("soup", soup, own, "Each element has points of its own: 36 points at 8 places."),
        ("nearly", soup, [*own, own[0]], "Of 36 points 28 are copies of others."),
        ("whole", corners, whole, None),
    ):
        path = tmp_path / f"{name}.obj"
        lines = [f"v {x} {y} {z}" for x, y, z in points] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
        path.write_text("\n".join(lines) + "\n")
        notes = ccd.read(path).notes
        assert notes == ([f"{places} Weld them, or the mesh is in contact with itself."] if places else []), name
        _, out, _ = run(capsys, "check", path)
        assert ("--weld joins the points of a place" in out) == bool(places)
        code, out, _ = run(capsys, "check", path, *(["--weld"] if places else []))
        assert code == 0 and "weld" not in out.lower()


def test_displacement_and_weld_need_files_that_have_them(rest, tmp_path, capsys):
    np.save(tmp_path / "b.npy", X)
    ccd.Motion.accelerated(X, DOWN, 0 * X).save(tmp_path / "m.npz")
    for arguments, why in (
        (["step", rest[0], tmp_path / "b.npy", "--displacement", "velocity"], "b.npy has no point data"),
        (["step", rest[0], tmp_path / "m.npz", "--displacement", "velocity"], "m.npz is a motion"),
        (["view", rest[0], tmp_path / "m.npz", "--weld"], "m.npz is a motion"),
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "") and why in err


def soup(folder, name, z):
    """A cube of five tetrahedra with points for each element; copies differ in the last bit."""
    cube = np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 1)], float)
    five = np.array([[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]])
    x = cube[five].reshape(-1, 3)
    x[::3] = np.nextafter(x[::3], 2)
    x[:, 2] += z
    return vtk(folder / name, x, np.arange(20).reshape(5, 4).tolist()), x


def test_points_for_each_element_are_named_and_joined(tmp_path, capsys):
    (a, _), (b, end) = soup(tmp_path, "a.vtk", 0), soup(tmp_path, "b.vtk", 0.25)
    np.save(tmp_path / "b.npy", end)
    code, out, _ = run(capsys, "volume", a, b)
    assert code == 1 and any("--weld joins" in line for line in out.splitlines() if line.startswith("note: "))
    for later in (b, tmp_path / "b.npy"):
        code, out, _ = run(capsys, "volume", a, later, "--weld", "--json")
        report = json.loads(out)
        assert code == 0 and report["verdict"] == "separate" and report["vertices"] == 8
        assert not any("weld" in text.lower() for text in report["notes"])
    code, out, _ = run(capsys, "view", a, b, "--weld", "--json", "-o", tmp_path / "v.html")
    assert code == 0 and json.loads(out)["impacts"] == 0
    (c, _), short = soup(tmp_path, "c.vtk", 0), tmp_path / "short.vtk"
    vtk(short, end[:16], np.arange(16).reshape(4, 4).tolist())
    code, _, err = run(capsys, "volume", c, short, "--weld")
    assert code == 2 and "16 vertices: must be 20, as in the first frame" in err


DIRTY = "OFF 8 4 0\n0 0 0\n1 0 0\n0 1 0\n0.2 0.2 1\n1 0.2 1\n0.2 1 1\n5 5 5\n6 6 6\n3 0 1 2\n3 3 4 5\n3 0 1 2\n3 0 1 1\n"


def test_what_readers_left_out_is_counted_by_every_command(tmp_path, capsys):
    a = tmp_path / "a.off"
    a.write_text(DIRTY)
    left = dict(ccd.read(a).left_out)
    assert sum(left.values()) >= 4 and any("twice" in what for what in left)
    (tmp_path / "scene.json").write_text(json.dumps({"bodies": [{"file": "a.off", "velocity": [0, 0, 1]}, {"file": "a.off"}]}))
    for command, arguments in {
        "step": [a, a], "check": [a], "view": [a, a, "-o", tmp_path / "v.html"], "verify": [a, a, "--method", "exact"],
        "rigid": [a, a, "--pose", "0,0,5", "--velocity=0,0,1"],
    }.items():  # fmt: skip
        _, out, _ = run(capsys, command, *arguments)
        told = [line for line in out.splitlines() if line.startswith("left out: ")]
        want = ", ".join(f"{n} {what}" for what, n in left.items())
        assert told == [f"left out: {a}: {want}"]
        _, out, _ = run(capsys, command, *arguments, "--json")
        assert {one["what"]: one["count"] for one in json.loads(out)["left_out"]} == left
        assert "left_out" in json.dumps(schema.schema(command))
    _, out, _ = run(capsys, "rigid", tmp_path / "scene.json")
    assert out.startswith(f"left out: body 0 of {tmp_path / 'scene.json'}: ")
    run(capsys, "info")
    clean = tmp_path / "clean.off"
    clean.write_text(DIRTY.replace("8 4 0", "6 2 0").split("5 5 5")[0] + "3 0 1 2\n3 3 4 5\n")
    _, out, _ = run(capsys, "check", clean, "--json")
    assert json.loads(out)["left_out"] == []  # nothing of the commands before


def test_where_nothing_is_tested_it_is_said(tmp_path, capsys):
    cloud = tmp_path / "cloud.off"
    cloud.write_text("OFF 2 0 0\n0 0 0\n1 0 0\n")
    code, out, _ = run(capsys, "step", cloud, cloud)
    assert code == 0 and "note: nothing is tested: there are no faces and no edges" in out
    assert "no pair was tested" in out and "proven for every t" not in out
    code, out, _ = run(capsys, "step", cloud, cloud, "--min-separation", "0.1")
    assert code == 0 and "nothing is tested" not in out and "proven for every t" in out


def test_a_view_reports_a_start_that_intersects_as_step_does(tmp_path, capsys):
    a, b = tmp_path / "a.obj", tmp_path / "b.obj"
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.3 0.2 1\nv 0.2 0.3 1\nf 1 2 3\nf 4 5 6\n"
    a.write_text(text)
    b.write_text(text.replace("0.2", "0.21"))
    x0, x1 = ccd.read(a).vertices, ccd.read(b).vertices
    ccd.Motion.accelerated(x0, x1 - x0, 0 * x0).save(tmp_path / "m.npz")
    for end in (a, b, tmp_path / "m.npz"):
        code, out, _ = run(capsys, "step", a, end, "--json", "--all")
        want = json.loads(out)
        page = tmp_path / "v.html"
        code, out, _ = run(capsys, "view", a, end, "--json", "-o", page)
        assert code == 1 and json.loads(out)["impacts"] == len(want["impacts"]) >= want["start_crossings"] == 2
        assert '"edge-face ' in page.read_text()
        code, out, _ = run(capsys, "view", a, end, "--json", "--no-check-start", "-o", page)
        assert json.loads(out)["impacts"] == len(want["impacts"]) - 2


def test_a_file_of_elements_is_named_a_command(tmp_path, capsys):
    path = vtk(tmp_path / "tet.vtk", np.vstack([FLOOR, [[0, 0, 1]]]), [[0, 1, 2, 3]])
    code, out, err = run(capsys, "check", path)
    assert code == 0 and not err and f"'ccd volume {path} {path}' tests the elements where they are" in out.splitlines()[0]
    assert "4 faces" in out and "intersections  none (proven)" in out


def test_a_step_of_elements_is_one_of_their_boundary(tmp_path, capsys):
    """A tetrahedron falls through another one: the same impact as of the surface, in --json, --why and on a motion."""
    tet = np.vstack([FLOOR, [[0, 0, 1]]])
    x0 = np.vstack([tet, tet + np.array([0.125, 0.125, 4])])
    x1 = x0 - np.outer(np.arange(8) > 3, [0, 0, 8])
    a, b = (vtk(tmp_path / name, x, [[0, 1, 2, 3], [4, 5, 6, 7]]) for name, x in (("a.vtk", x0), ("b.vtk", x1)))
    np.save(tmp_path / "b.npy", x1)
    ccd.Motion.accelerated(x0, x1 - x0, 0 * x0).save(tmp_path / "b.npz")
    cells = ccd.volume.Cells(x0, np.full(2, 10, np.int32), np.arange(8, dtype=np.int32))
    want = ccd.step.earliest(ccd.volume.boundary(cells).mesh(), x0, x1)
    for end in (b, tmp_path / "b.npy", tmp_path / "b.npz"):
        code, out, err = run(capsys, "step", a, end, "--json", "--earliest")
        report = json.loads(out)
        assert code == 1 and not err and (report["faces"], report["earliest"]["toi_lo"]) == (8, want.toi_lo)
        more = "a motion moves no elements" if end == tmp_path / "b.npz" else f"'ccd volume {a} {end}' tests the elements too"
        assert report["notes"] == [f"{a}: 2 elements without a surface of their own: their boundary is tested; {more}"]
    code, out, err = run(capsys, "step", a, tmp_path / "none.vtk")
    assert code == 2 and "none.vtk" in err and "boundary" not in out


@pytest.mark.parametrize("still", [True, False])
def test_bodies_and_patches_that_rest_are_said_to(tmp_path, capsys, still):
    a = tmp_path / "a.off"
    a.write_text("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    scene = {"bodies": [{"file": "a.off"}, {"file": "a.off", "position": [0, 0, 2]}]}
    scene["bodies"][1]["angular_velocity"] = [0, 0, 0 if still else 1]
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    moving = [] if still else ["--angular-velocity-b=0,0,1"]
    bezier = tmp_path / "p.obj"
    bezier.write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ncstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 2 3 4\nparm u 0 1\nparm v 0 1\nend\n"
    )
    for arguments in (
        ["rigid", a, a, "--pose-b=0,0,2", *moving], ["rigid", tmp_path / "scene.json"],
        ["patch", bezier, bezier, *([] if still else ["--move-b=0,0,1"])],
    ):  # fmt: skip
        _, out, err = run(capsys, *arguments)
        assert err == "" and out.startswith("note: nothing moves") == still, arguments


def test_fields_that_may_be_the_motion():
    zero, one, two = np.zeros((2, 3)), np.ones((2, 3)), np.ones((2, 2))
    assert frames.could_move([{"a": zero, "b": one, "c": two}, {"a": one, "b": one, "c": two}]) == ["a"]
    assert frames.could_move([{"v": one, "Displacement": one, "z": zero}] * 2) == ["Displacement", "v"]
    assert frames.could_move([{"a": zero}, {}]) == frames.could_move([]) == []
    nan = np.full((2, 3), np.nan)
    assert frames.could_move([{"a": nan}, {"a": nan}]) == []


# ---- names that would control a terminal


def test_text_with_controls_is_shown_safely():
    hostile = "a\x1b[31mb\x07\x9b2J\x7f\u202etxt\udc80\ud800\n"
    assert output.safe(hostile) == "a\\x1b[31mb\\x07\\x9b2J\\x7f\\u202etxt\\x80\\ud800\n"
    assert output.safe("\u00e9\u4e2d, plain") == "\u00e9\u4e2d, plain"


NAME = "\x1b[31mred\x1b]0;title\x07"


def test_names_of_files_reach_no_terminal_with_their_escapes(tmp_path, capsys):
    a = tmp_path / f"{NAME}.off"
    a.write_text(DIRTY)
    (tmp_path / f"{NAME}.csv").write_text(f"{NAME}\n0\n1\n")
    arm = (
        '<robot name="arm"><link name="base"/><link name="arm"/>'
        '<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>'
        '<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>'
    )
    (tmp_path / "arm.urdf").write_text(arm)
    for arguments in (
        ["step", a, a], ["check", a], ["check", tmp_path / f"{NAME}.none"], ["view", a, a, "-o", tmp_path / f"{NAME}.html"],
        ["rigid", a, tmp_path / f"{NAME}.gone"], ["robot", tmp_path / "arm.urdf", tmp_path / f"{NAME}.csv", "--scene", a],
        ["plot", tmp_path / f"{NAME}.csv", "--x", NAME, "--y", NAME, "-o", tmp_path / "c.svg"],
        ["step", a, "--bogus" + NAME, a],
    ):  # fmt: skip
        try:
            code = main([*map(str, arguments)])
        except SystemExit as end:
            code = end.code
        seen = capsys.readouterr()
        both = seen.out + seen.err
        assert code in (0, 1, 2) and both and "\x1b" not in both and "\x07" not in both, (arguments, both)
        assert "Traceback" not in both


@pytest.mark.parametrize("name", ["a\0b.off", "a\ud800.off"])
def test_a_name_that_no_file_can_have_is_an_error(tmp_path, capsys, name):
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps({"bodies": [{"file": name}, {"file": name}]}))
    for more in ([], ["--strict"], ["--root", tmp_path]):
        code, out, err = run(capsys, "rigid", scene, *more)
        assert (code, out) == (2, "") and "no file has such a name" in err and "defect" not in err
    with pytest.raises(ccd.FileError, match="no file has such a name"):
        ccd.read(name)
    with pytest.raises(ccd.FileError, match="no file has such a name"):
        ccd.view.Page("x").write(os.path.join(tmp_path, name))
    with pytest.raises(ccd.FileError, match="no file has such a name"):
        ccd.rigid.read_scene(scene, root=name)
