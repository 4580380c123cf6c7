"""Files of motions: what is saved is loaded bit for bit, what is wrong is refused, and the commands take them."""

import math

import numpy as np
import pytest
from test_cli import off, run, run_json
from test_view import data
from test_view_motion import gate

import ccd

FACES = [[0, 1, 2], [3, 4, 5]]
START = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
FALLS = np.repeat([[0, 0, 0], [0, 0, -4.0]], 3, axis=0)


def fall(acceleration=FALLS):
    return ccd.Motion.accelerated(START, np.zeros((6, 3)), acceleration)


def of(motion):
    return motion.control.tobytes(), motion.times.tobytes(), motion.radius.tobytes(), motion.degree


@pytest.mark.parametrize("degree", [3, 5])
def test_what_is_saved_is_loaded(tmp_path, degree):
    turn = ccd.rigid.Motion(angular_velocity=(1, 2, 3))
    tube = ccd.Motion(np.random.default_rng(1).random((2, 6, 3)), radius=np.arange(6.0)[None])
    uneven = ccd.Motion.hermite(np.zeros((3, 6, 3)), np.ones((3, 6, 3)), [0, 0.3, 1])
    for motion in (fall(), tube, uneven, ccd.Motion.rigid(START, turn, degree=degree)):
        motion.save(tmp_path / "m.npz")
        assert of(ccd.Motion.load(str(tmp_path / "m.npz"))) == of(motion)
    mesh = ccd.Mesh(FACES)
    fall().save(tmp_path / "m")  # the name as it is given
    assert ccd.step.earliest(mesh, ccd.Motion.load(tmp_path / "m")) == ccd.step.earliest(mesh, fall())


def test_a_loaded_motion_keeps_its_radii(tmp_path):
    """It is early by no more than its radii say: a turning tip meets a wall after a sixth."""
    mesh, motion = gate()
    motion.save(tmp_path / "m.npz")
    loaded = ccd.Motion.load(tmp_path / "m.npz")
    hit = ccd.step.earliest(mesh, loaded, tolerance=1e-9)
    assert 1 / 6 - 2 * loaded.radius.max() < hit.toi_lo < ccd.step.earliest(mesh, motion, tolerance=1e-9).toi_lo < 1 / 6


@pytest.mark.parametrize("change, text", [
    ({"control": None}, "no array 'control'"),
    ({"radii": np.zeros(6)}, "has an array 'radii'"),
    ({"control": START}, r"control has shape \(6, 3\)"),
    ({"control": np.zeros((1, 3, 6, 2))}, "control has shape"),
    ({"control": np.zeros((1, 8, 6, 3))}, "degree"),
    ({"control": np.full((1, 2, 6, 3), np.nan)}, "control.* is NaN"),
    ({"control": np.array([["a"]])}, "control has dtype"),
    ({"times": np.array([0.0, 0.5, 1])}, "times has 3 items"),
    ({"times": np.array([0.0, 2])}, "times"),
    ({"times": np.array([0.0, np.nan])}, "times"),
    ({"radius": np.zeros((2, 6))}, "radius has shape"),
    ({"radius": np.full((1, 6), -1.0)}, "radius.* is -1"),
    ({"radius": np.full((1, 6), np.nan)}, "radius.* is NaN"),
])  # fmt: skip
def test_bad_files_are_named(tmp_path, change, text):
    motion = fall()
    held = {"control": motion.control, "times": motion.times, "radius": motion.radius} | change
    np.savez(tmp_path / "bad.npz", **{name: array for name, array in held.items() if array is not None})
    with pytest.raises(ccd.Error, match=rf"bad\.npz.*{text}"):
        ccd.Motion.load(tmp_path / "bad.npz")


def test_files_that_are_no_archives(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.npz"):
        ccd.Motion.load(tmp_path / "none.npz")
    for name, content in (("text", b"control"), ("cut", b"PK\x03\x04"), ("empty", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ccd.FileError, match=name) as error:
            ccd.Motion.load(tmp_path / name)
        assert "pickle" not in str(error.value)
    np.save(tmp_path / "one.npy", START)
    with pytest.raises(ccd.FileError, match="holds one array"):
        ccd.Motion.load(tmp_path / "one.npy")
    np.savez(tmp_path / "objects.npz", control=np.array([None]))
    with pytest.raises(ccd.FileError, match="objects"):
        ccd.Motion.load(tmp_path / "objects.npz")
    with pytest.raises(ccd.FileError, match="nowhere"):
        fall().save(tmp_path / "nowhere" / "m.npz")


@pytest.fixture
def files(tmp_path):
    fall().save(tmp_path / "fall.npz")
    fall(FALLS / 4).save(tmp_path / "near.npz")
    return off(tmp_path / "mesh.off", START, FACES), str(tmp_path / "fall.npz"), str(tmp_path / "near.npz")


def test_ccd_step_takes_a_motion(files, tmp_path, capsys):
    mesh, motion, near = files
    code, report = run_json("step", mesh, motion, "--all", capsys=capsys)
    want = ccd.step.collisions(ccd.Mesh(FACES), fall())
    assert code == 1 and [i["toi_lo"] for i in report["impacts"]] == want["toi_lo"].tolist()
    assert report["earliest"]["toi_lo"] == pytest.approx(math.sqrt(0.5)) and report["start_crossings"] == 0
    assert run("step", mesh, near, capsys=capsys)[0] == 0
    code, out, _ = run("step", mesh, motion, "--per-vertex", "--positions", str(tmp_path / "y.npy"), capsys=capsys)
    assert code == 1 and "of the motion is left" in out
    assert np.array_equal(np.load(tmp_path / "y.npy"), ccd.step.sizes(ccd.Mesh(FACES), fall()).y)
    for wrong, text in (
        (["--intervals"], "is a motion, of which no intervals"),
        (["--method", "tight-inclusion"], "method is 'tight-inclusion'"),
        (["--device", "gpu"], "device"),
    ):
        code, out, err = run("step", mesh, motion, *wrong, capsys=capsys)
        assert code == 2 and text in err and not out
    code, _, err = run("step", off(tmp_path / "one.off", START[:3], FACES[:1]), motion, capsys=capsys)
    assert code == 2 and "has 3 vertices" in err and "has 6: the numbers must be equal" in err


def test_ccd_view_plays_a_motion(files, tmp_path, capsys):
    mesh, motion, near = files
    page = tmp_path / "page.html"
    code, report = run_json("view", mesh, motion, "-o", str(page), capsys=capsys)
    held = data(page.read_text())
    want = ccd.step.collisions(ccd.Mesh(FACES), fall())
    assert code == 1 and report["impacts"] == len(want) and (report["kind"], report["frames"]) == ("mesh", 17)
    assert [i["time"] for i in held["impacts"]] == want["toi_lo"].tolist()
    assert held["facts"]["degree"] == "2" and held["steps"] == 16 and held["t_max"] == 1
    assert run("view", mesh, near, "-o", str(page), capsys=capsys)[0] == 0
    assert run("view", mesh, near, "--radius", "0.3", "-o", str(page), capsys=capsys)[0] == 1
    np.savez(tmp_path / "bad.npz", control=np.full((2, 6, 3), np.nan))
    for arguments, text in (
        ([mesh, motion, near], "a motion is a whole step"),
        ([mesh, mesh, near], "a motion is a whole step"),
        ([mesh, str(tmp_path / "bad.npz")], "bad.npz: control"),
        ([mesh, str(tmp_path / "none.npz")], "none.npz"),
    ):
        code, out, err = run("view", *arguments, "-o", str(page), capsys=capsys)
        assert code == 2 and text in err and not out, err
