"""Files of a scene stay below its root folder, whichever way their paths try to leave it."""

import json
import os

import pytest

import ccd
from ccd import cli, rigid
from ccd._io import root as io_root

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.fixture
def folders(tmp_path):
    """A scene's folder with meshes in it, and one beside it with others."""
    top, other = tmp_path / "top", tmp_path / "other"
    (top / "below").mkdir(parents=True)
    other.mkdir()
    for folder in (top, top / "below", other):
        (folder / "a.obj").write_text(OBJ)
    os.symlink("../other/a.obj", top / "out.obj")
    os.symlink("below/a.obj", top / "in.obj")
    os.symlink("../other", top / "outside")
    os.symlink("below", top / "inside")
    os.mkfifo(top / "pipe.obj")
    return top, other


def scene(top, *files, **more):
    path = top / "scene.json"
    path.write_text(json.dumps({"bodies": [{"file": str(f)} for f in files]} | more))
    return path


@pytest.mark.parametrize("name", ["a.obj", "below/a.obj", "below/../a.obj", "in.obj", "inside/a.obj"])
def test_files_below_the_root_are_read(folders, name):
    top, _ = folders
    path = scene(top, name, name, mesh={"x0": name, "x1": name})
    held = rigid.read_scene(path, strict=True)
    assert len(held.bodies) == 2 and held.mesh.counts == (3, 3, 1) and held.x0.shape == held.x1.shape == (3, 3)
    assert rigid.read_scene(path, root=top.parent).groups == [-1, -1]
    assert cli.main(["rigid", str(path), "--strict", "--json"]) in (0, 1)


@pytest.mark.parametrize("name", ["../other/a.obj", "/other", "out.obj", "outside/a.obj", "below/../../other/a.obj", "..", "."])
def test_files_outside_are_refused(folders, name, capsys):
    top, other = folders
    name = str(other / "a.obj") if name == "/other" else name
    for path in (scene(top, "a.obj", name), scene(top, "a.obj", mesh={"x0": "a.obj", "x1": name})):
        with pytest.raises(ccd.FileError, match="is not below the root folder"):
            rigid.read_scene(path, strict=True)
        with pytest.raises(ccd.FileError, match="is not below the root folder"):
            rigid.read_scene(path, root=top)
        assert cli.main(["rigid", str(path), "--strict"]) == cli.main(["view", str(path), "--root", str(top)]) == 2
        assert "is not below the root folder" in capsys.readouterr().err
        if name not in ("..", "."):
            assert len(rigid.read_scene(path).bodies) > 0
            assert len(rigid.read_scene(path, root=top.parent).bodies) > 0


def test_a_scene_beside_the_caller(folders, monkeypatch):
    top, _ = folders
    scene(top, "a.obj", "out.obj")
    monkeypatch.chdir(top)
    with pytest.raises(ccd.FileError, match="not below"):
        rigid.read_scene("scene.json", strict=True)
    assert len(rigid.read_scene("scene.json").bodies) == 2


def test_errors_name_the_file_and_a_pipe_does_not_hang(folders):
    top, _ = folders
    (top / "bad.obj").write_text("v 0\n")
    with pytest.raises(ccd.FileError, match=r"top/bad\.obj: line 1"):
        rigid.read_scene(scene(top, "bad.obj"), strict=True)
    with pytest.raises(ccd.FileError, match=r"top/pipe\.obj is a pipe"):
        rigid.read_scene(scene(top, "pipe.obj"), strict=True)
    with pytest.raises(ccd.FileError, match=r"top/none\.obj: No such file"):
        rigid.read_scene(scene(top, "none.obj"), strict=True)


@pytest.mark.skipif(not io_root._BY_STEPS, reason="needs open from a folder")
def test_what_is_opened_is_what_was_checked(folders, monkeypatch):
    """A link that takes the place of a folder, or of the file, after the check is not followed."""
    top, _ = folders
    monkeypatch.setattr(os.path, "realpath", os.path.abspath)  # they are no links yet
    for name in ("outside/a.obj", "out.obj"):
        with pytest.raises(ccd.FileError), io_root.within(str(top), str(top / name)):
            pass
    before = len(os.listdir("/dev/fd"))
    for _ in range(3):
        with pytest.raises(ccd.FileError), io_root.within(str(top), str(top / "outside/a.obj")):
            pass
    assert len(os.listdir("/dev/fd")) == before
