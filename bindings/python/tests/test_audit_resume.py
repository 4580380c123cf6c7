"""An audit that was stopped and goes on: its frames, events, verdicts and remarks are those of one that began anew."""

import json

import numpy as np
import pytest
from test_audit_files import TRI, obj, vtu
from test_audit_formats import item, xdmf

import ccd
from ccd.audit import Report, Verdict, _files, _read

TRIANGLE, QUADRATIC = 5, 22
HIGH = np.array([[0, 0, 50], [1, 0, 50], [0, 1, 50]], float)


def vtk(path, x, cells):
    """A legacy file of cells, each its type and its points."""
    lines = ["# vtk DataFile Version 3.0", "x", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(x)} double"]
    lines += [" ".join(map(repr, map(float, p))) for p in x]
    lines.append(f"CELLS {len(cells)} {sum(len(points) + 1 for _, points in cells)}")
    lines += [" ".join(map(str, (len(points), *points))) for _, points in cells]
    lines += [f"CELL_TYPES {len(cells)}", *(str(kind) for kind, _ in cells)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def run(paths, resume=None, stop=None, weld=False, mesh=None, threads=0, **settings):
    """All that an audit says: the report, what is left out, the size of the mesh; and the frames that it took up."""
    audited, seen = _files.Audited(Report()), []

    def progress(frame, step):
        seen.append(frame.number)
        if frame.number == stop:
            raise KeyboardInterrupt

    try:
        _files.run(
            audited, paths, _read.Meaning(weld=weld), mesh, _files.Settings(threads=threads, **settings), progress, resume
        )
    except KeyboardInterrupt:
        assert stop is not None and not audited.report.complete
    return audited, seen


def same(found, whole, where):
    """Compare frame by frame, event by event, note by note."""
    for mine, right in zip(found.report.frames, whole.report.frames, strict=True):
        assert mine == right, where
    for mine, right in zip(found.report.steps, whole.report.steps, strict=True):
        assert mine.events == right.events and mine == right, where
    assert found.report.notes == whole.report.notes, where
    assert found == whole, where


def resumed(paths, tmp_path, **options):
    """Stop after each frame in turn, and go on to the end; stop after every one; add frames to an audit that is complete."""
    whole, seen = run(paths, **options)
    count = len(whole.report.frames)
    assert seen == list(range(count)) and whole.report.complete
    for threads in (1, 4):
        chain = tmp_path / f"chain{threads}.json"
        for stop in range(count):
            kept = tmp_path / f"kept{threads}-{stop}.json"
            run(paths, kept, stop, threads=threads, **options)
            found, seen = run(paths, kept, threads=threads, **options)
            assert seen == list(range(stop + 1, count))
            same(found, whole, stop)
            found, seen = run(paths, kept, **options)
            assert not seen
            same(found, whole, ("complete", stop))
            assert run(paths, chain, stop, threads=threads, **options)[1] == [stop]
        same(run(paths, chain, **options)[0], whole, "chain")
    if isinstance(paths, list):
        grown = tmp_path / "grown.json"
        for k in range(1, count + 1):
            found, seen = run(paths[:k], grown, **options)
            assert seen == [k - 1]
            same(found, run(paths[:k], **options)[0], ("grown", k))
    return whole.report


def verdicts(report):
    return [str(step.verdict) for step in report.steps]


def test_the_rounding_is_that_of_the_first_frame(tmp_path):
    """The first stretch is a thousand times as large as the second, whose own rounding would not reach the gap."""
    paths = []
    for k in range(5):
        size = 1000.0 if k < 2 else 1.0
        x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.1 + 2e-5 - 1e-6 * k], [1, 0.2, 1], [0.2, 1, 1]])
        x = (x * [size, size, 1] + 0.1).astype(np.float32).astype(float)
        cells = [(TRIANGLE, [0, 1, 2]), (TRIANGLE, [3, 4, 5])]
        if k >= 2:
            x, cells = np.vstack([x, HIGH]), [*cells, (TRIANGLE, [6, 7, 8])]
        paths.append(vtk(tmp_path / f"f{k}.vtk", x, cells))
    report = resumed(paths, tmp_path, rounding=True, min_separation=0.1)
    assert verdicts(report) == ["near", "not proven", "near", "near"]
    assert verdicts(run(paths[2:], rounding=True, min_separation=0.1)[0].report) == ["separate"] * 2
    [note] = report.notes
    assert "single precision" in note and "which is taken as a radius" in note


def test_an_audit_of_zeros_takes_the_rounding_of_a_later_stretch(tmp_path):
    x = ((TRI + 1) * 1.1).astype(np.float32).astype(float)
    paths = [obj(tmp_path / f"z{k}.obj", np.zeros((3, 3)), [(0, 1, 2)]) for k in range(2)]
    paths += [obj(tmp_path / f"f{k}.obj", np.add(x, [0, 0, k / 8])) for k in range(3)]
    report = resumed(paths, tmp_path, rounding=True)
    assert report.steps[1].verdict == Verdict.NOT_PROVEN and "single precision" in report.notes[-1]


def test_points_are_welded_by_the_frame_that_a_fresh_audit_takes(tmp_path):
    """Copies are torn, so that a later frame alone has other places; then a file has a point more, and is torn too."""
    paths = []
    for k in range(7):
        x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], float)
        second = [3, 5, 4]
        if k >= 4:
            x, second = np.vstack([x, [1, 1, 0]]), [3, 6, 4]
        x[:, 2] += 0.1 * k
        if k in (2, 3, 5, 6):
            x[3:, 0] += 0.5
        paths.append(vtk(tmp_path / f"f{k}.vtk", x, [(TRIANGLE, [0, 1, 2]), (TRIANGLE, second)]))
    report = resumed(paths, tmp_path, weld=True)
    assert verdicts(report) == ["separate"] * 6 and any("are up to 0.5 apart" in note for note in report.notes)
    assert run(paths[2:4], weld=True)[0].counts[0] == 6 and run(paths, weld=True)[0].counts[0] == 4


def test_welded_places_outlast_a_topology_that_changes(tmp_path):
    paths = []
    for k in range(5):
        x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], float)
        x[:, 2] += 0.1 * k
        cells = [(TRIANGLE, [0, 1, 2]), (TRIANGLE, [3, 5, 4])]
        if k >= 2:
            x[3:, 0] += 0.5
            cells[1] = (TRIANGLE, [3, 4, 5])
        paths.append(vtk(tmp_path / f"f{k}.vtk", x, cells))
    assert verdicts(resumed(paths, tmp_path, weld=True)) == ["separate", "not proven", "separate", "separate"]


def test_a_part_that_comes_back_has_its_places_still(tmp_path):
    """Parts of a PVD: one is absent in the third frame, and torn when it is back."""
    lines = []
    for k in range(6):
        x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], float)
        x[:, 2] += 0.1 * k
        if k >= 3:
            x[3:, 0] += 0.5
        vtk(tmp_path / f"a{k}.vtk", x, [(TRIANGLE, [0, 1, 2]), (TRIANGLE, [3, 5, 4])])
        vtk(tmp_path / f"b{k}.vtk", HIGH - [0, 0, k], [(TRIANGLE, [0, 1, 2])])
        lines += [f'<DataSet timestep="{k}" part="{p}" file="{p}{k}.vtk"/>' for p in ("b" if k == 2 else "ab")]
    path = tmp_path / "run.pvd"
    path.write_text(f'<VTKFile type="Collection"><Collection>{"".join(lines)}</Collection></VTKFile>')
    report = resumed(str(path), tmp_path, weld=True)
    assert verdicts(report) == ["separate", "not proven", "not proven", "separate", "separate"]
    assert run(str(path), weld=True)[0].counts[0] == 7


def test_curved_cells_and_their_remarks(tmp_path):
    """The curve grows to the third frame, and there are more curved cells from the fourth on."""
    paths = []
    for k in range(5):
        bent = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0, 0.1 * min(k + 1, 5 - k)], [0.5, 0.5, 0], [0, 0.5, 0]])
        x, cells = np.vstack([bent, HIGH - [0, 0, 5 * k]]), [(QUADRATIC, range(6)), (TRIANGLE, [6, 7, 8])]
        if k >= 3:
            x, cells = np.vstack([x, bent - [0, 0, 9]]), [*cells, (QUADRATIC, range(9, 15))]
        paths.append(vtk(tmp_path / f"f{k}.vtk", x, cells))
    report = resumed(paths, tmp_path)
    assert [note.split(": ")[0] for note in report.notes[:2]] == [paths[0], paths[3]]
    most = float(report.notes[-1].split("--radius ")[1].split()[0])
    deviations = [ccd.read(path).deviation for path in paths]
    assert deviations[2] == max(deviations) <= most and deviations[4] < deviations[2]


def test_a_topology_that_changes_thrice_with_events_and_what_is_left_out(tmp_path):
    """In the first stretch nothing moves, in the second a tile passes through the floor, in the third it rests in it."""
    finer, paths = [(0, 1, 3), (1, 2, 3), (4, 5, 6), (4, 4, 5)], []
    for k, height in enumerate((0, 0, 0, -0.75, -1.5, -1.0, -1.0, -0.5)):
        x = TRI + np.outer([0, 0, 0, 1, 1, 1], [0, 0, height])
        if 2 <= k < 5:
            paths.append(obj(tmp_path / f"f{k}.obj", np.insert(x, 3, [0.3, 0.3, 0], 0), finer))
        else:
            paths.append(obj(tmp_path / f"f{k}.obj", x))
    report = resumed(paths, tmp_path)
    found = ["separate", "not proven", "separate", "passed through", "not proven", "touched", "touched"]
    assert verdicts(report)[:2] == found[:2] and verdicts(report).count("not proven") == 2
    assert any(step.events for step in report.steps) and run(paths)[0].left_out


def test_what_stands_still_and_what_has_no_distance(tmp_path):
    """The remark is for all frames, and the distance of one triangle is infinite."""
    paths = [obj(tmp_path / f"f{k}.obj", TRI[:3], [(0, 1, 2)]) for k in range(3)]
    report = resumed(paths, tmp_path)
    assert report.notes == ["nothing moves: all vertices are where they are in the first frame"]
    assert report.frames[2].distance_lo == np.inf
    moving = [obj(tmp_path / f"m{k}.obj", np.add(TRI[:3], [0, 0, min(k, 1)]), [(0, 1, 2)]) for k in range(4)]
    folder = tmp_path / "moving"
    folder.mkdir()
    assert not resumed(moving, folder).notes
    folder = tmp_path / "alone"
    folder.mkdir()
    assert not resumed([*paths, obj(tmp_path / "last.obj", TRI)], folder).notes  # a stretch of one frame


def test_vectors_that_change_after_something_moved(tmp_path):
    """They are no displacement, although the points stay from the second frame on; after a topology that changes too."""
    paths = []
    for k in range(6):
        x, faces = np.add(TRI, [0, 0, min(k, 1)]), [(0, 1, 2), (3, 4, 5) if k < 4 else (3, 5, 4)]
        paths.append(vtu(tmp_path / f"f{k}.vtu", x, faces, u=x * max(k, 1)))
    assert verdicts(resumed(paths, tmp_path)) == ["separate"] * 3 + ["not proven", "separate"]
    with pytest.raises(ccd.ArgumentError, match="equal points beside point data that change: u"):
        run(paths[1:])


def test_frames_in_arrays_and_in_xdmf(tmp_path):
    """The topology of the XDMF changes from the third step on; a row of the file of faces is left out."""
    x, steps = [np.add(TRI, [0, 0, k / 8]).astype(np.float32) * np.float32(1.1) for k in range(4)], ""
    for k, at in enumerate(x):
        faces = item([[0, 1, 2], [3, 4, 5] if k < 2 else [3, 5, 4]], "Int")
        steps += (
            f'<Grid><Time Value="{k}"/><Geometry GeometryType="XYZ">{item(at)}</Geometry>'
            f'<Topology TopologyType="Triangle" NumberOfElements="2">{faces}</Topology></Grid>'
        )
    report = resumed(xdmf(tmp_path / "run.xdmf", steps), tmp_path, rounding=True)
    assert verdicts(report) == ["separate", "not proven", "separate"] and "single precision" in report.notes[-1]
    np.save(tmp_path / "run.npy", x)
    mesh, folder = obj(tmp_path / "mesh.obj", TRI, [(0, 1, 2), (3, 4, 5), (4, 4, 5)]), tmp_path / "arrays"
    folder.mkdir()
    assert verdicts(resumed(str(tmp_path / "run.npy"), folder, mesh=mesh)) == ["separate"] * 3


def test_ctrl_c_in_the_first_frame_of_a_stretch(tmp_path, monkeypatch):
    """What is kept ends with the stretch before."""
    finer = [(0, 1, 3), (1, 2, 3), (4, 5, 6)]
    paths = [obj(tmp_path / f"f{k}.obj", TRI) for k in range(2)]
    paths += [obj(tmp_path / f"f{k + 2}.obj", np.insert(TRI, 3, [0.3, 0.3, 0], 0), finer) for k in range(2)]
    whole, kept, calls, right = run(paths)[0], tmp_path / "kept.json", [], ccd.audit._audit._step.first_frame

    def first_frame(*given):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return right(*given)

    monkeypatch.setattr(ccd.audit._audit._step, "first_frame", first_frame)
    run(paths, kept, stop=-1)
    held = json.loads(kept.read_text())
    known = held["report"]
    assert (len(known["frames"]), len(known["steps"]), len(held["digests"]), held["begin"]) == (2, 1, 2, 0)
    with monkeypatch.context() as patch:  # and once more, before the frame where it goes on is taken up
        patch.setattr(_files, "_scene", lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
        run(paths, kept, stop=-1)
    assert json.loads(kept.read_text()) | {"counts": held["counts"]} == held  # counts are used of a complete audit alone
    found, seen = run(paths, kept)
    assert seen == [2, 3]
    same(found, whole, "")


def test_a_file_of_an_earlier_version_is_refused(tmp_path):
    paths, kept = [obj(tmp_path / f"f{k}.obj", TRI) for k in range(2)], tmp_path / "kept.json"
    run(paths, kept)
    held = json.loads(kept.read_text())
    kept.write_text(json.dumps(held | {"format": "ccd audit 2"}))
    with pytest.raises(ccd.FileError, match="or one of another version: give another name, or delete it"):
        run(paths, kept)
    for wrong in ({"begin": 2}, {"memory": held["memory"] | {"origins": [[7, ""]]}}):
        kept.write_text(json.dumps(held | wrong))
        with pytest.raises(ccd.FileError, match=r"kept\.json"):
            run(paths, kept)
