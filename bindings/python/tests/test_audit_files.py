"""Audits of files: what numbers mean is never guessed, bodies are paired by name, and an audit goes on where it was stopped."""

import csv
import json
import os
import re

import numpy as np
import pytest
from browser import BROWSER, visit
from test_audit import needle
from test_view_hand import drawn

import ccd
from ccd import audit
from ccd.cli import main

TRI = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
FALL = np.outer([0, 0, 0, 1, 1, 1], [0, 0, -0.75])
FRAMES = [TRI + k * FALL for k in range(5)]
RIGHT = ["separate", "passed through", "separate", "separate"]
CASES = os.path.join(os.path.dirname(__file__), "..", "..", "..", "..", "shared", "cases", "frames")


def obj(path, x, faces=((0, 1, 2), (3, 4, 5)), names=(), key="o"):
    lines = ["v " + " ".join(map(repr, map(float, p))) for p in x]
    for k, face in enumerate(faces):
        lines += [f"{key} {names[k]}"] if names else []
        lines.append("f " + " ".join(str(v + 1) for v in face))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def vtu(path, x, faces=((0, 1, 2), (3, 4, 5)), kind="Float64", **fields):
    """A VTU of polygons as text."""
    numbers = " ".join(map(repr, map(float, np.ravel(x))))
    words = [f'<DataArray type="{kind}" NumberOfComponents="3" format="ascii">{numbers}</DataArray>']
    flat, ends = " ".join(str(v) for f in faces for v in f), " ".join(map(str, np.cumsum([len(f) for f in faces])))
    types = " ".join("5" if len(f) == 3 else "7" for f in faces)
    data = "".join(
        f'<DataArray type="Float64" Name="{name}" NumberOfComponents="3" format="ascii">'
        f"{' '.join(map(repr, map(float, np.ravel(v))))}</DataArray>"
        for name, v in fields.items()
    )
    path.write_text(
        '<VTKFile type="UnstructuredGrid" version="1.0"><UnstructuredGrid>'
        f'<Piece NumberOfPoints="{len(x)}" NumberOfCells="{len(faces)}"><PointData>{data}</PointData>'
        f"<Points>{words[0]}</Points><Cells>"
        f'<DataArray type="Int64" Name="connectivity" format="ascii">{flat}</DataArray>'
        f'<DataArray type="Int64" Name="offsets" format="ascii">{ends}</DataArray>'
        f'<DataArray type="UInt8" Name="types" format="ascii">{types}</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>'
    )
    return str(path)


def verdicts(paths, **options):
    return [str(step.verdict) for step in audit.files(paths, **options).steps]


def run(capsys, *arguments):
    code = main(["audit", *map(str, arguments)])
    seen = capsys.readouterr()
    return code, seen.out, seen.err


@pytest.fixture
def sequence(tmp_path):
    for k, x in enumerate(FRAMES):
        obj(tmp_path / f"f{k + 8}.obj", x, names=("floor", "tile"))
    return str(tmp_path / "f*.obj")


@pytest.mark.parametrize("key", ["o", "g", "usemtl"])
def test_objects_of_an_obj_are_named_by_groups_or_materials_where_it_has_no_objects(tmp_path, key):
    paths = [obj(tmp_path / f"f{k}.obj", x, names=("floor", "tile"), key=key) for k, x in enumerate(FRAMES)]
    event = audit.files(paths).steps[1].events[0]
    assert (event.a, event.b) == ("floor", "tile")
    with open(paths[0], "a") as file:  # one name of another kind divides nothing
        file.write("o all\ng all\nusemtl all\n".replace(f"{key} all\n", ""))
    event = audit.files(paths).steps[1].events[0]
    assert (event.a, event.b) == ("floor", "tile")


def test_a_pattern_of_files_is_read_in_the_order_of_numbers(sequence):
    report = audit.files(sequence)
    assert [f.name for f in report.frames] == [f"f{k}.obj" for k in (8, 9, 10, 11, 12)] and report.complete
    assert [str(s.verdict) for s in report.steps] == RIGHT
    assert (report.steps[1].events[0].a, report.steps[1].events[0].b) == ("floor", "tile")
    arrays = audit.frames(ccd.Mesh([[0, 1, 2], [3, 4, 5]]), FRAMES, names=["floor", "tile"])
    assert arrays.steps == report.steps


def test_objects_in_files_of_their_own_are_audited_side_by_side(sequence, tmp_path, capsys):
    want, one = audit.files(sequence), ((0, 1, 2),)
    for k, x in enumerate(FRAMES):
        obj(tmp_path / f"tile_{k + 8}.obj", x[3:], one)
        obj(tmp_path / f"floor_{k + 8}.obj", x[:3], one)
    floor, tile = str(tmp_path / "floor_*.obj"), str(tmp_path / "tile_*.obj")
    for other in (tile, [tile]):
        found = audit.files(floor, beside=other)
        assert found.steps == want.steps and [f.distance_lo for f in found.frames] == [f.distance_lo for f in want.frames]
    still = audit.files(tile, beside=str(tmp_path / "floor_8.obj"))  # one file stands still
    assert [str(step.verdict) for step in still.steps] == RIGHT
    assert (still.steps[1].events[0].a, still.steps[1].events[0].b) == ("tile", "floor") and len(still.frames) == 5
    code, out, err = run(capsys, tile, "--beside", floor, "--resume", tmp_path / "kept.json")
    assert code == 1 and not err and re.search(r"tile_9.obj +tile_10.obj +passed through .* tile, floor", out), out
    assert run(capsys, tile, "--beside", floor, "--resume", tmp_path / "kept.json") == (code, out, err)
    _, out, _ = run(capsys, tile, floor)  # One sequence is clean, and a note says that it is one.
    assert "are one sequence, one after the other; objects at the same times are named by --beside" in out
    for words, why in (
        (["--beside", str(tmp_path / "floor_[89].obj")], "floor has 2 frames, and there are 5 of others: must be as many"),
        (["--beside", "none*.obj"], "none*.obj: no file matches"),
        (["--beside", "run.npz"], "run.npz is no file of one mesh"),
        (["--beside", "deck.inp"], "deck.inp is no file of one mesh"),
        (["--beside", floor, "--skip", "tile", "roof"], "must be one of tile, floor"),
    ):
        code, out, err = run(capsys, tile, *words)
        assert (code, out) == (2, "") and why in err, err


def test_the_command_prints_and_writes_all(sequence, tmp_path, capsys):
    page, table, folder = tmp_path / "r.html", tmp_path / "r.csv", tmp_path / "events"
    code, out, err = run(capsys, sequence, "-o", page, "--csv", table, "--events", folder, "--all")
    assert code == 1 and not err and re.search(r"1 +f9.obj +f10.obj +passed through +0.333333 +1 +3 +floor, tile", out), out
    rows = list(csv.DictReader(table.open()))
    assert [row["verdict"] for row in rows] == RIGHT and float(rows[1]["t"]) == pytest.approx(1 / 3)
    text = page.read_text("utf-8")
    assert "passed through: 1" in text and text.count("data-view=") == 1 and len(text) < 400_000
    held = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text)[1])
    assert held["start"].lower().startswith("<!doctype html>") and len(held["middle"]) == 1
    start, end = sorted(folder.iterdir(), reverse=True)
    assert main(["step", str(start), str(end), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["earliest"]["toi_lo"] == audit.files(sequence).steps[1].time
    code, out, _ = run(capsys, sequence, "--json", "--skip", "floor", "tile")
    assert code == 0 and json.loads(out)["counts"] == {"separate": 4}


def test_rest_positions_are_never_taken_for_positions(tmp_path, capsys):
    paths = [vtu(tmp_path / f"r{k}.vtu", TRI, u=k * FALL, v=0 * FALL) for k in range(4)]
    code, out, err = run(capsys, *paths)
    assert (
        code == 2 and out == "" and "equal points beside point data that change: u." in err and "--points-are positions" in err
    )
    assert verdicts(paths, displacement="u") == RIGHT[:3]
    assert verdicts(paths, points_are="positions") == ["separate"] * 3
    with pytest.raises(ccd.ArgumentError, match=r"the displacement must be named too; r0.vtu has point data .*: u, v"):
        audit.files(paths, points_are="rest")
    with pytest.raises(ccd.ArgumentError, match="no point data 'w': it has u, v"):
        audit.files(paths, displacement="w")
    notes = audit.files([paths[0]] * 3).notes
    assert any("nothing moves" in note for note in notes)
    moving = [vtu(tmp_path / f"m{k}.vtu", x, u=k * FALL) for k, x in enumerate(FRAMES)]
    assert verdicts(moving) == RIGHT  # the points move: the field is not added


@pytest.mark.parametrize("name", ["step_0_surf_contact.vtu step_2_surf_contact.vtu", "point_data_1.vtk point_data_2.vtk"])
def test_files_of_other_programs(name):
    paths = [os.path.join(CASES, one) for one in name.split()]
    if not all(map(os.path.exists, paths)):
        pytest.skip("no shared cases")
    with pytest.raises(ccd.ArgumentError, match="equal points beside"):
        audit.files(paths)
    [step] = audit.files(paths, displacement="solution" if "surf" in name else "DISPLACEMENT").steps
    assert step.time == pytest.approx(0.625 if "surf" in name else 1 / 3, abs=1e-6)


def test_a_pvd_pairs_parts_by_name_and_a_part_that_is_absent_is_not_proven(tmp_path):
    listed = []
    for k, x in enumerate(FRAMES):
        vtu(tmp_path / f"a{k}.vtu", x[:3], [(0, 1, 2)])
        vtu(tmp_path / f"b{k}.vtu", x[3:], [(0, 1, 2)])
        parts = [("floor", f"a{k}.vtu"), ("tile", f"b{k}.vtu")][:: 1 if k % 2 else -1]
        listed += [(k, *part) for part in parts if not (k == 3 and part[0] == "tile")]
    lines = "".join(f'<DataSet timestep="{k}" part="0" name="{name}" file="{file}"/>' for k, name, file in listed)
    path = tmp_path / "run.pvd"
    path.write_text(f'<VTKFile type="Collection"><Collection>{lines}</Collection></VTKFile>')
    report = audit.files(path)
    assert [str(s.verdict) for s in report.steps] == ["separate", "passed through", "not proven", "not proven"]
    assert (report.steps[1].events[0].a, report.steps[1].events[0].b) == ("floor", "tile")
    assert "tile is absent" in report.steps[2].note and "tile is new" in report.steps[3].note
    assert [f.time for f in report.frames] == [0, 1, 2, 3, 4]
    path.write_text(path.read_text().replace('timestep="0"', ""))
    with pytest.raises(ccd.FileError, match="without a timestep"):
        audit.files(path)


def test_series_and_blocks(tmp_path):
    for k, x in enumerate(FRAMES):
        vtu(tmp_path / f"a{k}.vtu", x[:3], [(0, 1, 2)])
        vtu(tmp_path / f"b{k}.vtu", x[3:], [(0, 1, 2)])
        (tmp_path / f"m{k}.vtm").write_text(
            '<VTKFile type="vtkMultiBlockDataSet"><vtkMultiBlockDataSet><Block index="0" name="solids">'
            f'<DataSet index="0" name="floor" file="a{k}.vtu"/></Block><DataSet index="1" name="tile" file="b{k}.vtu"/>'
            "</vtkMultiBlockDataSet></VTKFile>"
        )
    series = tmp_path / "m.vtm.series"
    files = [{"name": f"m{k}.vtm", "time": k / 2} for k in (3, 1, 0, 2)]
    series.write_text(json.dumps({"file-series-version": "1.0", "files": files}))
    report = audit.files(series)
    assert [str(s.verdict) for s in report.steps] == RIGHT[:3] and report.frames[3].time == 1.5
    assert report.steps[1].events[0].a == "solids/floor"
    series.write_text(json.dumps({"files": [*files, {"name": "m4.vtm", "time": 0.5}]}))
    with pytest.raises(ccd.FileError, match="two files at one time"):
        audit.files(series)


def test_a_topology_that_changes_begins_a_new_stretch(tmp_path):
    finer = [(0, 1, 3), (1, 2, 3), (4, 5, 6)]
    paths = [obj(tmp_path / f"f{k}.obj", x) for k, x in enumerate(FRAMES[:2])]
    paths += [obj(tmp_path / f"g{k}.obj", np.insert(x, 3, [0.3, 0.3, 0], 0), finer) for k, x in enumerate(FRAMES[1:4])]
    report = audit.files(paths)
    assert [str(s.verdict) for s in report.steps] == ["separate", "not proven", "passed through", "separate"]
    assert report.steps[1].note == "7 vertices, 6 before" and [s.number for s in report.steps] == [0, 1, 2, 3]


def test_polygons_are_divided_once_and_orders_that_change_are_said(tmp_path):
    low = np.array([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]], float)
    bent = low + np.outer([0, 1, 0, 1], [0.1, -0.2, 0.3])
    frames = [np.vstack([x, np.add(TRI[3:], [0, 0, z])]) for x, z in ((low, 1), (bent, 2), (low, 1))]
    paths = [vtu(tmp_path / f"p{k}.vtu", x, [(0, 1, 2, 3), (4, 5, 6)]) for k, x in enumerate(frames)]
    assert verdicts(paths) == ["separate"] * 2
    turned = obj(tmp_path / "turned.obj", TRI[[3, 4, 5, 0, 1, 2]])
    [step] = audit.files([obj(tmp_path / "f.obj", TRI), turned]).steps
    assert "has their order changed?" in step.note


def test_single_precision_is_said_and_taken_as_a_radius(tmp_path):
    x = [(x * 1.1).astype(np.float32).astype(float) for x in FRAMES]
    paths = [vtu(tmp_path / f"s{k}.vtu", one, kind="Float32") for k, one in enumerate(x)]
    report = audit.files(paths)
    assert any("single precision: each may be off by up to 2.06e-07" in note for note in report.notes), report.notes
    low = [np.where([[0, 0, 1]] * 6, np.where(np.arange(6) > 2, h, 0)[:, None], x[0]) for h in (0.5, 2.0**-22)]
    close = [vtu(tmp_path / f"u{k}.vtu", one, kind="Float32") for k, one in enumerate(low)]
    assert verdicts(close) == ["separate"] and verdicts(close, rounding=True) == ["near"]
    with pytest.raises(ccd.ArgumentError, match="twice the largest of the first frame: give a radius instead"):
        audit.files([paths[0], vtu(tmp_path / "far.vtu", 4 * x[0])], rounding=True)


def test_an_audit_goes_on_where_it_was_stopped(tmp_path):
    _, frames = needle(1, -2, -2, -3, -4)  # the last vertex is in the face, and goes on in the third step
    paths = [vtu(tmp_path / f"f{k}.vtu", x, [(0, 1, 2), (3, 4, 5)]) for k, x in enumerate(frames)]
    whole = audit.files(paths)
    assert [str(s.verdict) for s in whole.steps] == ["passed through", "touched", "passed through", "separate"]
    for stop in range(5):
        kept = tmp_path / f"kept{stop}.json"

        def progress(frame, step, stop=stop):
            if frame.number == stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt) as stopped:
            audit.files(paths, resume=kept, progress=progress)
        assert stopped.value.report.frames == whole.frames[: stop + 1] and not stopped.value.report.complete
        seen = []
        report = audit.files(paths, resume=kept, progress=lambda frame, step, seen=seen: seen.append(frame.number))
        assert seen == list(range(stop + 1, 5)) and report == whole, stop
        assert audit.files(paths, resume=kept) == whole
    with pytest.raises(ccd.ArgumentError, match="is of another audit: min_separation differ"):
        audit.files(paths, resume=kept, min_separation=1)


def test_an_audit_is_resumed_only_on_the_frames_that_it_is_of(tmp_path):
    kept, folder = tmp_path / "kept.json", tmp_path / "run"
    folder.mkdir()
    for k, x in enumerate(FRAMES[:3]):
        obj(folder / f"f{k}.obj", x)
    pattern = str(folder / "f*.obj")
    audit.files(pattern, resume=kept)
    obj(folder / "f3.obj", FRAMES[3])  # the simulation goes on
    seen = []
    report = audit.files(pattern, resume=kept, progress=lambda frame, step: seen.append(frame.number))
    assert seen == [3] and [str(s.verdict) for s in report.steps] == RIGHT[:3] and report == audit.files(pattern)
    obj(folder / "f1.obj", FRAMES[0])
    with pytest.raises(ccd.ArgumentError, match=r"is of another audit: f1.obj holds other data now; delete it"):
        audit.files(pattern, resume=kept)
    (folder / "f1.obj").unlink()
    with pytest.raises(ccd.ArgumentError, match="its frames are not the first of this one"):
        audit.files(pattern, resume=kept)
    np.save(tmp_path / "x.npy", FRAMES)
    one, other = obj(tmp_path / "one.obj", TRI), obj(tmp_path / "other.obj", TRI, [(0, 1, 2)])
    kept = tmp_path / "arrays.json"
    audit.files(tmp_path / "x.npy", mesh=one, resume=kept)
    with pytest.raises(ccd.ArgumentError, match="is of another audit: mesh differ"):
        audit.files(tmp_path / "x.npy", mesh=other, resume=kept)
    obj(tmp_path / "one.obj", TRI, [(0, 1, 2)])
    with pytest.raises(ccd.ArgumentError, match=r"x.npy\[0\] holds other data now"):
        audit.files(tmp_path / "x.npy", mesh=one, resume=kept)


def test_ctrl_c_writes_what_is_known(sequence, tmp_path, capsys, monkeypatch):
    calls = []

    def judge(*given):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return right(*given)

    right = audit._audit._step.judge
    monkeypatch.setattr(audit._audit._step, "judge", judge)
    code, out, _ = run(capsys, sequence, "-o", tmp_path / "r.html")
    assert code == 3 and "note: cancelled after 3 of 5 frames" in out and "passed through" in out
    assert "cut short" in (tmp_path / "r.html").read_text()


def test_arrays_of_numpy(tmp_path, capsys):
    path, mesh = tmp_path / "x.npy", obj(tmp_path / "m.obj", TRI)
    np.save(path, np.array(FRAMES, np.float32))
    assert verdicts(path, mesh=mesh) == RIGHT
    code, _, err = run(capsys, path)
    assert code == 2 and "has no faces and no edges: give a file that has them" in err
    np.savez(
        tmp_path / "x.npz",
        frames=FRAMES,
        faces=[[0, 1, 2], [3, 4, 5]],
        objects=[0] * 3 + [1] * 3,
        names=["a", "b"],
        times=range(5),
    )
    report = audit.files(tmp_path / "x.npz")
    assert [str(s.verdict) for s in report.steps] == RIGHT and report.frames[4].time == 4 and report.steps[1].events[0].b == "b"
    np.savez(tmp_path / "x.npz", frames=FRAMES, faces=[[0, 1, 6]])
    with pytest.raises(ccd.FileError, match=r"faces\[0\] is \[0, 1, 6\]: must be in \[0, 6\)"):
        audit.files(tmp_path / "x.npz")
    np.savez(tmp_path / "x.npz", x=FRAMES, triangles=[[0, 1, 2]])
    with pytest.raises(ccd.FileError, match=r"has no array 'frames' .*: it has triangles, x; give it that name"):
        audit.files(tmp_path / "x.npz")
    np.save(path, np.array(FRAMES).reshape(5, -1))
    with pytest.raises(ccd.FileError, match=r"shape \(5, 18\): must be numbers \(frames, n, 3\); reshape it"):
        audit.files(path, mesh=mesh)
    assert audit.files(mesh).notes == ["there is one frame, and no step to audit"]


def test_what_is_wrong_is_named(tmp_path, sequence, capsys):
    (tmp_path / "bad.pvd").write_text("<VTKFile type='Collection'>")
    for words, why in (
        (["nothing*.vtu"], "no file matches"),
        ([tmp_path / "bad.pvd"], "bad.pvd"),
        ([sequence, "--radius=-1"], "radi"),
        ([sequence, "--points-are", "rest"], "point data of three components: none"),
        ([sequence, "--mesh", "m.obj"], "mesh is for arrays"),
        ([sequence, "--radius", "nan"], "radius is nan: must be a number from 0"),
        ([sequence, "--min-separation", "inf"], "min_separation is inf: must be a number from 0"),
        ([sequence, "--events", sequence.replace("*", "8")], "f8.obj is a file: name a folder"),
        ([sequence, "--events", f"{sequence.replace('*', '8')}/x"], "f8.obj/x: Not a directory"),
        ([sequence, "--csv", tmp_path / "none" / "x.csv"], "none/x.csv: No such folder to write it to"),
        ([sequence, "--resume", tmp_path / "none" / "x.json"], "none/x.json: No such folder to write it to"),
        ([sequence, "--threads=-1"], "threads is -1: must be 0, for all that this process may use"),
        ([sequence, "--skip", "floor", "roof"], "must be one of floor, tile"),
        ([tmp_path / "bad.pvd", tmp_path / "b.vtu"], "give it alone"),
    ):
        code, out, err = run(capsys, *words)
        assert code == 2 and out == "" and err.count("\n") == 1 and why in err, (words, err)


def test_check_of_elements_tests_their_boundary(tmp_path, capsys):
    """Two tetrahedra, one with a corner in the other: without a surface in the file their boundary is tested."""
    x = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [0.5, 0.5, 0.5], [9, 9, 9], [9, 8, 9], [9, 9, 8]]
    lines = [
        "# vtk DataFile Version 3.0",
        "x",
        "ASCII",
        "DATASET UNSTRUCTURED_GRID",
        "POINTS 8 double",
        *(" ".join(map(str, p)) for p in x),
    ]
    path = tmp_path / "two.vtk"
    path.write_text("\n".join([*lines, "CELLS 2 10", "4 0 1 2 3", "4 4 5 6 7", "CELL_TYPES 2", "10", "10"]) + "\n")
    code = main(["check", str(path), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert code == 1 and report["faces"] == 8 and report["intersections"] > 0
    assert "2 elements without a surface of their own: their boundary is tested" in report["notes"][0]
    apart = np.array(x) + np.outer(np.arange(8) > 3, [9, 9, 9])
    cells = ccd.volume.Cells(apart, np.full(2, 10, np.int32), np.arange(8, dtype=np.int32))
    surface = audit._read.boundary(cells)
    assert len(surface.faces) == 8 and not ccd.proximity.intersects(surface.mesh(), apart) and not len(surface.unused)


@BROWSER
@pytest.mark.long
def test_the_page_shows_an_event_in_the_viewer(sequence, tmp_path, capsys):
    run(capsys, sequence, "-o", tmp_path / "r.html")
    with visit(1000, 1500) as person:
        person.open(f"file://{tmp_path / 'r.html'}")
        assert "passed through" in person.text("table") and "floor, tile" in person.text("table")
        person.click("button[data-view]")
        person.until(lambda: drawn(person.pixels("iframe")) > 0.02, "the viewer draws")


def test_a_flipped_edge_is_another_surface_and_a_polygon_divided_anew_is_not(tmp_path):
    """A tile between both triangulations of a bent square is on another side of it after the flip."""
    square = np.array([[0, 0, 1], [1, 0, -1], [1, 1, 1], [0, 1, -1], [0.5, 0.5, 0], [0.51, 0.5, 0], [0.5, 0.51, 0]])
    one, flipped = [(0, 1, 2), (0, 2, 3), (4, 5, 6)], [(0, 1, 3), (1, 2, 3), (4, 5, 6)]
    files = [obj(tmp_path / f"f{k}.obj", square, faces) for k, faces in enumerate((one, one, flipped, flipped))]
    report = audit.files(files)
    assert [str(s.verdict) for s in report.steps] == ["separate", "not proven", "separate"]
    assert report.steps[1].note == "other faces"
    below = square - np.outer([0, 0, 0, 0, 1, 1, 1], [0, 0, 2])
    later = obj(tmp_path / "later.obj", below, flipped)  # it is above the flipped surface, and goes through that alone
    assert verdicts([*files[:1], files[3], later]) == ["not proven", "passed through"]
    quad = np.array([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [0, 0, 1], [0.1, 0, 1], [0, 0.1, 1]], float)
    dented = quad + np.outer([0, 1, 0, 0, 0, 0, 0], [-1.5, 1.2, 0.3])
    paths = [vtu(tmp_path / f"q{k}.vtu", x, [(0, 1, 2, 3), (4, 5, 6)]) for k, x in enumerate((quad, dented, quad))]
    assert ccd.read(paths[0]).faces.tolist() != ccd.read(paths[1]).faces.tolist()
    assert verdicts(paths) == ["separate"] * 2
    for turned in ([(1, 2, 0), (0, 2, 3), (4, 5, 6)], [(3, 0, 2), (2, 0, 1), (4, 5, 6)]):  # the same triangles
        assert verdicts([files[0], obj(tmp_path / "turned.obj", square, turned)]) == ["separate"]


def test_an_audit_of_nothing_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez("none.npz", frames=np.empty((0, 6, 3)), faces=[[0, 1, 2], [3, 4, 5]])
    (tmp_path / "none.pvd").write_text('<VTKFile type="Collection"><Collection></Collection></VTKFile>')
    for name in ("none.npz", "none.pvd"):
        with pytest.raises(ccd.ArgumentError, match=f"{name} has no frames"):
            audit.files([name])


def test_pairs_that_are_skipped_are_two_names():
    mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    for skip, text in (
        (3, "skip is 3: must hold pairs of names"),
        ("ab", "skip is 'ab': must hold pairs of names"),
        (("object 0", "object 1"), "skip[0] is 'object 0': must be two names"),
        ([("object 0",)], "skip[0] is ('object 0',): must be two names"),
    ):
        with pytest.raises(ccd.ArgumentError, match=re.escape(text)):
            audit.frames(mesh, [TRI], skip=skip)
