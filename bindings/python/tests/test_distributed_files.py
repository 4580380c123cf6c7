"""ccd.distributed on scenes and parts in files."""

import pickle

import numpy as np
import pytest
from conftest import sheets
from tangles import all_filters, record, saved, tangle

import ccd
import ccd.distributed as cd
from ccd.distributed._part import divide
from ccd.distributed._scene import unique_edges


def test_parts_travel_by_files(tmp_path):
    mesh, x0, x1 = tangle(9)
    all_filters(mesh, np.random.default_rng(9))
    scene = cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(cd.sample(scene), 7)
    paths = cd.split(scene, chosen, tmp_path / "parts", 0.01)
    assert [path[-14:] for path in paths] == [f"part-{i:05d}.npz" for i in range(7)]
    for path, part in zip(paths, divide(scene, chosen, 0.01)):
        assert part.origin is None
        part.origin = cd.load(path).origin
        assert pickle.dumps(cd.load(path).__dict__) == pickle.dumps(part.__dict__) and part.origin.count == 7
    assert cd.collisions(paths).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
    (tmp_path / "other.npz").write_bytes(b"PK none")
    np.savez(tmp_path / "none.npz", about=np.array('{"index": 0}'))
    for name, text in (("other.npz", "File is not a zip file"), ("none.npz", "holds no part")):
        with pytest.raises(ccd.FileError, match=rf"{name}.*{text}"):
            cd.load(tmp_path / name)
    with pytest.raises(ccd.FileError, match=r"missing.npz"):
        cd.earliest([*paths, tmp_path / "missing.npz"])


@pytest.mark.parametrize("kind", ["npy", "parquet"])
def test_scenes_of_files(tmp_path, kind, monkeypatch):
    monkeypatch.setattr("ccd.distributed._rows.CHUNK", 64)
    for name in ("_part", "_probe", "_sample"):
        monkeypatch.setattr(f"ccd.distributed.{name}.CHUNK", 64)
    faces, x0, x1 = sheets(14)
    mesh = ccd.Mesh(faces)
    scene = saved(tmp_path, kind, mesh, x0, x1)
    assert scene.counts == mesh.counts and len(pickle.dumps(scene)) < 4000
    whole = ccd.step.collisions(mesh, x0, x1)
    paths = cd.split(scene, cd.plan(cd.sample(scene), 7), tmp_path / "parts")
    assert cd.collisions(paths).tobytes() == whole.tobytes()
    assert cd.collisions(scene, parts=3).tobytes() == whole.tobytes()  # each worker cuts its own
    assert record(cd.earliest(scene, parts=3)) == record(ccd.step.earliest(mesh, x0, x1))


def test_edges_of_files(tmp_path):
    faces, x0, x1 = sheets(14)
    np.save(tmp_path / "faces.npy", faces)
    np.save(tmp_path / "other.npy", unique_edges(faces)[::-1])
    count = cd.write_edges(tmp_path / "faces.npy", tmp_path / "edges.npy", len(x0))
    assert np.array_equal(np.load(tmp_path / "edges.npy"), ccd.Mesh(faces).edges) and count == ccd.Mesh(faces).counts[1]
    with pytest.raises(ccd.ArgumentError, match="must be given for faces in a file"):
        cd.Scene(x0, x1, tmp_path / "faces.npy")
    with pytest.raises(ccd.ArgumentError, match="must be in the order"):
        cd.collisions(cd.Scene(x0, x1, tmp_path / "faces.npy", tmp_path / "other.npy"), parts=4)
    with pytest.raises(ccd.InvalidIndexError, match=r"faces\[0\]\[1\] is 1: out of range for 1"):
        cd.write_edges(tmp_path / "faces.npy", tmp_path / "edges.npy", 1)
