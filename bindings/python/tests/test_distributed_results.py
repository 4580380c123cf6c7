"""Results of ccd.distributed in files: what is missing, or of another call, is never read as the whole."""

import importlib
import json
import os
import pathlib
import shutil

import numpy as np
import pytest
from conftest import sheets
from tangles import saved, tangle

import ccd
import ccd.distributed as cd
from ccd.distributed._part import divide
from ccd.distributed._region import EVERYWHERE


def test_results_in_parquet(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    whole, report = ccd.step.collisions(mesh, x0, x1), cd.Report()
    paths = cd.collisions(mesh, x0, x1, parts=5, folder=tmp_path / "out", report=report)
    assert len(paths) == len(report.parts) == 5 and cd.read_impacts(paths).tobytes() == whole.tobytes()
    (tmp_path / "out" / "impacts-00003.parquet").unlink()  # a killed call leaves it so
    (tmp_path / "out" / "impacts-00003-x.tmp").touch()
    again = cd.collisions(mesh, x0, x1, parts=5, folder=tmp_path / "out", report=report)
    assert again == paths and [part["index"] for part in report.parts] == [3]
    assert cd.read_impacts(tmp_path / "out").tobytes() == whole.tobytes()
    assert cd.read_impacts(paths[2], True).tobytes() == cd.read_impacts(paths[2:3], True).tobytes() != whole.tobytes()
    near = ccd.proximity.near(mesh, x0, 0.05)
    cd.near(mesh, x0, 0.05, parts=5, folder=tmp_path / "out")  # another call in the folder of the impacts
    assert cd.read_near(tmp_path / "out").tobytes() == near.tobytes() and len(near)
    pairs = cd.candidates(mesh, x0, x1)
    for one in (
        cd.read_candidates(cd.candidates(mesh, x0, x1, parts=5, folder=tmp_path / "out")),
        cd.read_candidates(tmp_path / "out"),
    ):
        assert all(np.array_equal(one[kind], pairs[kind]) and one[kind].dtype == np.int64 for kind in ccd.Kind)
    assert len(pairs) and len(list((tmp_path / "out").iterdir())) == 18
    with pytest.raises(ccd.ArgumentError, match="parquet has no column verdict"):
        cd.read_impacts(tmp_path / "out" / "near-00000.parquet")
    for name in ("none", "none.parquet"):
        with pytest.raises(ccd.FileError, match=name):
            cd.read_impacts(tmp_path / name)
    (tmp_path / "junk.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ccd.FileError, match=r"junk\.parquet"):
        cd.read_near(tmp_path / "junk.parquet")


def named(records):
    return records[["toi_lo", "kind", "a", "b"]].tolist()


def refused(message, *given, read=cd.read_impacts, error=ccd.ArgumentError):
    with pytest.raises(error, match=message):
        read(*given)


def test_what_is_missing_is_not_read_as_whole(tmp_path):
    """A call that failed leaves some parts: reading them is an error, which names the others."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    whole, folder = ccd.step.collisions(mesh, x0, x1), tmp_path / "out"
    scene = cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(scene, 12)
    parts = list(divide(scene, chosen, 0.0, cd.Origin.of(scene, chosen, 0.0)))
    broken = cd.load(cd.split(scene, chosen, tmp_path / "parts")[0])
    broken.x1[0, 0] = np.nan
    with pytest.raises(ccd.NonFiniteError):  # before any file is written
        cd.collisions([broken, *parts[1:]], folder=folder)
    assert os.listdir(folder) == ["impacts.json"]
    refused(r"paths lacks part 0-11 of 12 parts; repeat the call with its folder", folder)
    assert len(cd.read_impacts(folder, partial=True)) == 0

    def stop(done):
        return done > 0.4

    with pytest.raises(ccd.Cancelled):
        cd.collisions(mesh, x0, x1, plan=chosen, folder=folder, progress=stop)
    assert not json.loads((folder / "impacts.json").read_text())["complete"]
    refused(r"paths lacks part 5-11 of 12", folder)
    some = cd.read_impacts(folder, partial=True)
    assert 0 < len(some) < len(whole) and set(named(some)) < set(named(whole))
    cd.collisions(parts[7:9], folder=folder)  # one of several processes does this
    refused(r"paths lacks part 5-6, 9-11 of 12", folder)
    report = cd.Report()
    paths = cd.collisions(mesh, x0, x1, plan=chosen, folder=folder, report=report)
    assert [part["index"] for part in report.parts] == [5, 6, 9, 10, 11] and len(paths) == 12
    assert json.loads((folder / "impacts.json").read_text())["complete"]
    for given in (folder, paths, reversed(paths), iter(paths)):
        assert cd.read_impacts(given).tobytes() == whole.tobytes()
    refused(r"paths lacks part 1, 11 of 12", [paths[0], *paths[2:11]])
    refused(r"paths lacks part 0-3, 5-11 of 12", paths[4])
    refused(r"impacts-00004.parquet has the results of part 4, as has .*impacts-00004", [*paths, paths[4]])
    refused(r"impacts-00004.parquet has the results of part 4, as has", [paths[4], paths[4]], True)
    refused(r"paths is empty", [])
    os.remove(paths[6])
    refused(r"paths lacks part 6 of 12", folder)  # though the manifest says that all were there
    cd.near(mesh, x0, 0.05, plan=chosen, folder=folder)
    assert len(cd.read_near(folder)) == len(ccd.proximity.near(mesh, x0, 0.05))
    refused(r"out has no candidates.json, which a call writes first", folder, read=cd.read_candidates)
    (folder / "near.json").write_text('{"format": 1, "call": "near"}')
    refused(r"near.json is no manifest of results: it has no options", folder, read=cd.read_near, error=ccd.FileError)


def test_files_of_two_calls_are_not_read_together(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    scene = cd.Scene.of(mesh, x0, x1)
    calls = [
        cd.collisions(*given, folder=tmp_path / str(i), **options)
        for i, (given, options) in enumerate(
            [
                ((mesh, x0, x1), {"parts": 3}),
                ((mesh, x0, x1), {"parts": 3, "t_max": 0.5}),
                ((mesh, x0, x1 + 0.5), {"parts": 3, "plan": None}),
                ((mesh, x0, x1), {"parts": 4}),
                ((mesh, x0, x1), {"plan": cd.plan(scene, 3, pair_work=0.0)}),
                ((scene,), {"parts": 3, "min_separation": 1e-9}),
            ]
        )
    ]
    for other in calls[1:]:
        for partial in (False, True):
            refused(r"has results of another scene, plan or options than .*impacts-00000", [calls[0][0], other[1]], partial)
    shutil.copy(calls[2][1], calls[0][1])  # into the folder
    for partial in (False, True):
        refused(
            r"0.impacts-00001.parquet has results of another scene, plan or options than .*impacts.json",
            tmp_path / "0",
            partial,
        )
    with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
        cd.collisions(mesh, x0, x1, parts=3, folder=tmp_path / "0")
    plain = str(tmp_path / "plain.parquet")  # another program writes it so
    parquet.write_table(parquet.read_table(calls[0][0]).replace_schema_metadata(None), plain)
    refused(r"plain.parquet does not say of which scene and part it is", plain)
    assert cd.read_impacts(plain, partial=True).tobytes() == cd.read_impacts(calls[0][0], partial=True).tobytes()


def test_parts_without_a_plan_are_their_own_whole(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    whole, scene = ccd.step.collisions(mesh, x0, x1), cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(scene, 3)
    parts = [cd.cut(scene, region, index=5 * i) for i, region in enumerate(chosen.regions)]
    paths = cd.collisions(parts, folder=tmp_path)
    assert cd.read_impacts(tmp_path).tobytes() == whole.tobytes()
    refused(r"paths lacks part 5 of 3 parts", paths[::2])
    with pytest.raises(ccd.ArgumentError, match=r"impacts\.json has results of another scene or plan"):
        cd.collisions(parts[:2], folder=tmp_path)
    of = [cd.cut(scene, region, index=i, plan=chosen) for i, region in enumerate(chosen.regions)]
    paths = cd.collisions(of[1:], folder=tmp_path / "of a plan")
    refused(r"paths lacks part 0 of 3 parts", paths)
    cd.collisions(of[:1], folder=tmp_path / "of a plan")
    assert cd.read_impacts(tmp_path / "of a plan").tobytes() == whole.tobytes()
    with pytest.raises(ccd.ArgumentError, match="scene has parts 0 and 1 of two scenes or plans"):
        cd.collisions([parts[0], of[1]], folder=tmp_path / "new")
    for index, plan in (1, chosen), (0, 3), (3, chosen):
        with pytest.raises(ccd.ArgumentError, match="plan"):
            cd.cut(scene, chosen.regions[0], index=index, plan=plan)


def test_files_of_another_call_are_not_taken(tmp_path):
    """Impacts that a folder holds of other options, another scene, or another plan would be wrong ones."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    folder = tmp_path / "out"
    paths = cd.collisions(mesh, x0, x1, parts=5, folder=folder)
    held = [pathlib.Path(path).read_bytes() for path in paths]
    with pytest.raises(ccd.ArgumentError, match="has results of other options"):
        cd.collisions(mesh, x0, x1, parts=5, folder=folder, t_max=0.5)
    moved = x1.copy()
    moved[7, 1] = np.nextafter(moved[7, 1], 9)
    other, _, _ = tangle(10)
    other.set_static(np.arange(len(x0)) == 7)
    for given in ((mesh, x0, moved), (mesh, moved, x1), (other, x0, x1)):
        with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
            cd.collisions(*given, parts=5, folder=folder)
    with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
        cd.collisions(mesh, x0, x1, parts=6, folder=folder)
    with pytest.raises(ccd.ArgumentError, match="folder: for whole scenes"):
        cd.near(cd.cut(cd.Scene.of(mesh, x0, x1), EVERYWHERE), folder=folder)
    assert cd.collisions(mesh, x0, x1, parts=5, folder=folder, threads=1) == paths
    assert [pathlib.Path(path).read_bytes() for path in paths] == held

    faces, x0, x1 = sheets(8)
    mesh = ccd.Mesh(faces)
    scene, plan = saved(tmp_path, "npy", mesh, x0, x1), cd.plan(cd.Scene.of(mesh, x0, x1), 3)
    first = cd.collisions(scene, plan=plan, folder=tmp_path / "cuts")
    assert cd.collisions(scene, plan=plan, folder=tmp_path / "cuts") == first
    np.save(scene._x[1].path, x1 + 0.5)
    with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
        cd.collisions(scene, plan=plan, folder=tmp_path / "cuts")
    parts = cd.split(cd.Scene.of(mesh, x0, x1), plan, tmp_path / "parts")
    cd.collisions(parts, folder=tmp_path / "of parts")
    report = cd.Report()
    held = [cd.load(path) for path in parts]  # the same parts, in memory
    assert len(cd.collisions(held[:2], folder=tmp_path / "of parts", report=report)) == 2 and not report.parts
    with pytest.raises(ccd.ArgumentError, match="scene has two parts 1"):
        cd.collisions([held[1], parts[1]], folder=tmp_path / "new")


def test_files_that_declare_far_more_than_they_hold_are_refused(tmp_path):
    """84 kB of equal numbers would take 160 MB and more."""
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    path, rows = tmp_path / "zeros.parquet", 1 << 22
    zeros = pyarrow.array(np.zeros(rows))
    parquet.write_table(pyarrow.table([zeros] * 3, names=["x", "y", "z"]), path, row_group_size=rows)
    assert path.stat().st_size < 200_000
    with pytest.raises(ccd.FileError, match=r"zeros.parquet: row group 0 declares 100,663,296 bytes in a file of .*row groups"):
        cd.Scene(path, path, np.empty((0, 3), int))
    small = tmp_path / "small.parquet"
    parquet.write_table(pyarrow.table([zeros] * 3, names=["x", "y", "z"]), small, row_group_size=1 << 20)
    assert len(cd.Scene(small, small, np.empty((0, 3), int))._x[0]) == rows
    columns = [pyarrow.array(np.zeros(rows, kind)) for kind in (np.int32, np.int64, np.int64)]
    parquet.write_table(pyarrow.table(columns, names=["kind", "a", "b"]), path)
    with pytest.raises(ccd.FileError, match=r"zeros.parquet: the file declares 83,886,080 bytes in a file of"):
        cd.read_candidates(path, partial=True)
    text = pyarrow.array(["1"] * 2)
    parquet.write_table(pyarrow.table([text] * 3, names=["kind", "a", "b"]), path)
    with pytest.raises(ccd.FileError, match=r"zeros.parquet: column kind is of type string: must be numbers"):
        cd.read_candidates(path, partial=True)
