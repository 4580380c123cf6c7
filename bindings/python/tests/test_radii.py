"""Radii in the command and on the page: rods and points drawn thick."""

import json

import numpy as np
import pytest

import ccd
from ccd.cli import main
from ccd.view import Page, _thick

ROD_0 = "v 0 0 0\nv 4 0 0\nv 1 0 3\nl 1 2\np 3\n"
ROD_1 = "v 0 0 0\nv 4 0 0\nv 1 0 -1\nl 1 2\np 3\n"


@pytest.fixture
def rods(tmp_path):
    for name, text in (("a.obj", ROD_0), ("b.obj", ROD_1), ("radii.txt", "0.25\n0.125\n0.5\n")):
        (tmp_path / name).write_text(text)
    np.save(tmp_path / "radii.npy", [0.25, 0.125, 0.5])
    np.save(tmp_path / "short.npy", [0.25, 0.125])
    return tmp_path


def earliest(rods, capsys, *options):
    main(["step", str(rods / "a.obj"), str(rods / "b.obj"), "--json", *options])
    return json.loads(capsys.readouterr().out)["earliest"]["toi_lo"]


def test_step_takes_radii(rods, capsys):
    assert earliest(rods, capsys) == 0.75
    assert abs(earliest(rods, capsys, "--radius", "0.5") - 0.5) < 1e-9
    for name in ("radii.txt", "radii.npy"):
        assert abs(earliest(rods, capsys, "--radii", str(rods / name)) - 0.5625) < 1e-9


def test_check_measures_surfaces(rods, capsys):
    main(["check", str(rods / "a.obj"), "--json", "--radii", str(rods / "radii.txt")])
    nearest = json.loads(capsys.readouterr().out)["distance"]
    assert nearest["distance_lo"] <= 2.25 <= nearest["distance_hi"] < 2.2500001


def test_bad_radii_name_the_file(rods, capsys):
    for name in ("short.npy", "no.npy", "a.obj"):
        assert main(["step", str(rods / "a.obj"), str(rods / "b.obj"), "--radii", str(rods / name)]) not in (0, 1)
        assert name in capsys.readouterr().err
    assert main(["step", str(rods / "a.obj"), str(rods / "b.obj"), "--radius", "-1"]) not in (0, 1)
    assert "--radius is -1.0: must be" in capsys.readouterr().err


def test_capsules_are_as_far_from_their_axis_as_the_radius():
    mesh = ccd.Mesh([[0, 1, 2]], [[0, 1], [1, 2], [2, 0], [2, 3]], vertices=5)  # a face, a rod at its corner, a point
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 2, 1], [5, 5, 5]], float)
    radii = np.array([0.5, 0.5, 0.25, 0.125, 0.75])
    (a, b), faces, of = _thick.capsules(mesh, radii, [x0, x0 + np.array([1, 2, 3])])
    assert set(of.tolist()) == {2, 3, 4} and faces.max() == len(a) - 1
    assert np.allclose(b - a, [1, 2, 3])
    along = x0[3] - x0[2]
    for p, vertex in zip(a, of):
        axis = x0[4] if vertex == 4 else x0[2] + np.clip((p - x0[2]) @ along / (along @ along), 0, 1) * along
        assert np.isclose(np.linalg.norm(p - axis), 0.75 if vertex == 4 else 0.25)
    assert len(_thick.capsules(mesh, 0 * radii, [x0, x0])[0][0]) == 0


def test_a_vertex_that_no_pair_has_is_no_ball():
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=5, ignored=[False, False, False, True, False])
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 9, 9], [5, 5, 5]], float)
    assert set(_thick.capsules(mesh, np.full(5, 0.5), [x, x])[2].tolist()) == {4}


def test_pages_draw_rods_thick(rods, capsys):
    page = str(rods / "page.html")
    main(["view", str(rods / "a.obj"), str(rods / "b.obj"), "-o", page])
    thin = (rods / "page.html").stat().st_size
    assert main(["view", str(rods / "a.obj"), str(rods / "b.obj"), "-o", page, "--radii", str(rods / "radii.npy")]) == 1
    assert (rods / "page.html").stat().st_size > thin + 1000
    mesh = ccd.Mesh(edges=[[0, 1]], vertices=3)
    mesh.set_radii([0.25, 0.125, 0.5])
    shown = Page("rods")
    x0 = [[0, 0, 0], [4, 0, 0], [1, 0, 3]]
    part = shown.add_mesh(mesh, x0, x0)
    assert len(shown.faces(part)) > 100
    capsys.readouterr()
