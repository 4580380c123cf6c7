"""Inside, outside or crossing: points, bodies and components; the commands; and what trimesh and manifold3d say."""

import json

import numpy as np
import pytest
from test_cli_words import fits

import ccd
from ccd.rigid import Body, Containment, Motion

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FACES = np.array([[q[0], q[i], q[i + 1]] for q in QUADS for i in (1, 2)])
STILL = Motion()


def in_box(points):
    """What winding returns for the cube of CORNERS."""
    far = np.abs(points).max(axis=1)
    return np.where(far < 1, 1, np.where(far > 1, 0, ccd.proximity.ON_SURFACE))


def lattice():
    """Points in line with all corners, edges and diagonals of the faces, as rays from outside would meet them."""
    axis = np.arange(-5, 6) / 4
    return np.array(np.meshgrid(axis, axis, axis)).reshape(3, -1).T


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_points_of_a_lattice_are_all_right(threads):
    mesh, points = ccd.Mesh(faces=FACES), lattice()
    stats = ccd.Stats()
    found = ccd.proximity.winding(mesh, CORNERS, points, threads=threads, stats=stats)
    assert found.dtype == np.int32 and (found == in_box(points)).all() and stats.boxes == len(FACES)
    assert (ccd.rigid.winding(Body(CORNERS, FACES), STILL, points, threads=threads) == in_box(points)).all()
    assert set(ccd.proximity.winding(mesh, -CORNERS, points).tolist()) == {-1, 0, ccd.proximity.ON_SURFACE}


def test_a_pose_is_exact_also_where_it_is_turned():
    half = Motion(rotation=(2, 0, 0, 1), position=(3, 1e-3, -7))  # cos 0.6, sin 0.8
    turned = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
    points = lattice()
    world = points @ turned.T + np.array([3, 1e-3, -7])
    found = ccd.rigid.winding(Body(CORNERS, FACES), half, world)
    clear = np.abs(np.abs(points).max(axis=1) - 1) > 1e-9  # rounding of the world's coordinates moves points off the surface
    assert (found[clear] == in_box(points)[clear]).all() and not (found == ccd.rigid.WINDING_UNKNOWN).any()


def test_bodies_that_touch_cross_and_those_one_bit_apart_do_not():
    small, large = Body(CORNERS / 2, FACES), Body(CORNERS, FACES)
    for x, want in [(0.5, "crossing"), (np.nextafter(0.5, 0), "inside"), (1.5, "crossing"), (np.nextafter(1.5, 2), "outside")]:
        assert str(ccd.rigid.containment(small, Motion(position=(x, 0, 0)), large, STILL)) == want
        back = {"inside": "contains"}.get(want, want)
        assert str(ccd.rigid.containment(large, Motion(position=(-x, 0, 0)), small, STILL)) == back


def test_343_places_of_a_cube_on_another():
    body, places = Body(CORNERS, FACES), np.array(np.meshgrid(*[np.arange(-3, 4)] * 3)).reshape(3, -1).T
    motions = [Motion(position=place) for place in places.tolist()]
    found = ccd.rigid.containment_batch(body, motions, body, [STILL] * len(motions))
    far = np.abs(places).max(axis=1)
    assert (found == np.where(far > 2, Containment.OUTSIDE, Containment.CROSSING)).all()
    assert ccd.rigid.containment(body, STILL, body, STILL) == Containment.CROSSING  # they are one


def test_over_a_separate_motion_it_stays():
    rng = np.random.default_rng(5)
    small, large = Body(CORNERS / 8, FACES), Body(CORNERS, FACES)
    seen = set()
    for _ in range(60):
        motion = Motion(position=rng.uniform(-1.5, 1.5, 3), velocity=rng.uniform(-0.5, 0.5, 3),
                        angular_velocity=rng.normal(size=3), rotation=rng.normal(size=4))  # fmt: skip
        if ccd.rigid.earliest(small, motion, large, STILL).separate:
            answers = {ccd.rigid.containment(small, motion, large, STILL, t) for t in (0, 0.3, 1)}
            assert len(answers) == 1
            seen |= answers
    assert seen == {Containment.INSIDE, Containment.OUTSIDE}


def test_components():
    faces = np.vstack([FACES + 8 * k for k in range(4)])
    x = np.vstack([CORNERS, 4 * CORNERS, CORNERS / 2, CORNERS + np.array([9, 0, 0])])
    found = ccd.proximity.nested(ccd.Mesh(faces=faces), x)
    assert found[["inner", "outer", "winding"]].tolist() == [(0, 12, 1), (24, 0, 1), (24, 12, 1)]
    assert not len(ccd.proximity.nested(ccd.Mesh(faces=faces[:13], vertices=16), x[:16]))  # the outer one is a single triangle
    assert not len(ccd.proximity.nested(ccd.Mesh(faces=np.zeros((0, 3), int), vertices=2), np.zeros((2, 3))))


def test_soup_of_triangles_without_common_vertices_is_closed():
    soup = CORNERS[FACES].reshape(-1, 3)
    faces = np.arange(len(soup)).reshape(-1, 3)
    assert ccd.proximity.winding(ccd.Mesh(faces=faces), soup, [[0, 0, 0]]).tolist() == [1]


def test_errors_name_what_is_wrong():
    mesh, body, leaf = ccd.Mesh(faces=FACES[:-1]), Body(CORNERS, FACES), Body(CORNERS, FACES[:1])
    turned = FACES.copy()
    turned[3] = turned[3][::-1]
    for call, kind, text in [
        (lambda: ccd.proximity.winding(mesh, CORNERS, [[0, 0, 0]]), ccd.ArgumentError, r"mesh: faces\[\d+\]: the edge .* open"),
        (lambda: ccd.proximity.winding(ccd.Mesh(faces=turned), CORNERS, [[0, 0, 0]]), ccd.ArgumentError, "must be wound alike"),
        (lambda: ccd.proximity.winding(mesh, CORNERS, [0, 0, 0]), ccd.ArgumentError, "points has shape"),
        (lambda: ccd.proximity.winding(mesh, CORNERS, [[0, np.nan, 0]]), ccd.NonFiniteError, r"points\[0\]\[1\] is NaN"),
        (lambda: ccd.rigid.containment(body, STILL, leaf, STILL), ccd.ArgumentError, r"b: faces\[0\]"),
        (lambda: ccd.rigid.containment(body, STILL, body, Motion(position=(np.inf, 0, 0))), ccd.NonFiniteError, "^mb.position"),
        (lambda: ccd.rigid.containment(body, STILL, body, STILL, np.nan), ccd.NonFiniteError, "t is NaN"),
        (lambda: ccd.rigid.containment_batch(body, [STILL], body, []), ccd.ArgumentError, "ma has 1 motions, mb has 0"),
        (lambda: ccd.rigid.winding(leaf, STILL, [[0, 0, 0]]), ccd.ArgumentError, r"body: faces\[0\]"),
    ]:
        with pytest.raises(kind, match=text):
            call()


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, parts in {"large": [1], "small": [0.25], "both": [1, 0.25]}.items():
        text = [f"v {x!r} {y!r} {z!r}" for scale in parts for x, y, z in (scale * CORNERS).tolist()]
        text += ["f {} {} {}".format(*(f + 1 + 8 * k)) for k in range(len(parts)) for f in FACES]
        (tmp_path / f"{name}.obj").write_text("\n".join(text) + "\n")
    (tmp_path / "leaf.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    bodies = [{"file": "large.obj"}, {"file": "small.obj"}, {"file": "small.obj", "position": [5, 0, 0]}, {"file": "leaf.obj",
              "position": [0, 0, 9]}]  # fmt: skip
    (tmp_path / "scene.json").write_text(json.dumps({"bodies": bodies}))
    (tmp_path / "groups.json").write_text(json.dumps({"bodies": [body | {"group": 1} for body in bodies]}))
    (tmp_path / "skip.json").write_text(json.dumps({"bodies": bodies, "skip": [[1, 0]]}))


@pytest.mark.parametrize(
    "command, key, value, text",
    [
        ("rigid small.obj large.obj", "containment", "inside", "A is INSIDE B"),
        ("rigid large.obj small.obj", "containment", "contains", "B is INSIDE A"),
        ("rigid large.obj leaf.obj", "containment", None, "not known: B is not closed: faces[0]"),
        ("rigid scene.json", "contained", [{"a": 0, "b": 1, "containment": "contains"}], "1 is INSIDE 0"),
        ("rigid groups.json", "contained", [], "no closed body is inside"),
        ("rigid skip.json", "contained", [], "no closed body is inside"),
        ("check both.obj", "nested", [[12, 0, 1]], "1 component is INSIDE another one"),
        ("check large.obj", "nested", [], "no component of the faces is inside"),
        ("step both.obj both.obj", "start_nested", [[12, 0, 1]], "first that of face 12, in that of face 0"),
        ("step both.obj both.obj --no-check-start", "start_nested", None, "not checked"),
    ],
)
def test_commands_say_inside(files, capsys, command, key, value, text):
    from ccd.cli import main

    main(command.split())
    assert text in capsys.readouterr().out
    main([*command.split(), "--json"])
    assert json.loads(capsys.readouterr().out)[key] == value


def test_the_command_check_says_where_points_are(files, tmp_path, capsys):
    from ccd.cli import main, schema

    at = np.array([[0, 0, 0.5], [1, 0, 0], [0.25, 0.5, 2]])
    np.savetxt("points.csv", at, delimiter=",", header="x,y,z", comments="")
    np.savetxt("points.txt", at)
    np.save("points.npy", at)
    said = []
    for name in ("points.csv", "points.txt", "points.npy"):
        assert main(["check", "large.obj", "--points", name, "--json"]) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert said[0]["points"] == said[1]["points"] == said[2]["points"] and not fits(said[0], schema.schema("check"))
    rows = said[0]["points"]
    assert [row["side"] for row in rows] == ["inside", "on the surface", "outside"]
    assert [row["winding"] for row in rows] == [1, None, 0] and rows[2]["nearest"] == [0.25, 0.5, 1]
    for row, want in zip(rows, (0.5, 0, 1)):
        assert row["distance_lo"] <= want <= row["distance_hi"] <= want + 1e-12
    assert main(["check", "large.obj", "--points", "points.txt"]) == 0
    out = capsys.readouterr().out
    assert "1 inside, 1 outside, 1 on the surface" in out and "distance_hi" in out
    np.save("bad.npy", at[:, :2])
    (tmp_path / "words.txt").write_text("1,2,three\n")
    (tmp_path / "empty.txt").write_text("")
    np.save("nan.npy", np.where(at == 2, np.nan, at))
    for name, why in {
        "bad.npy": "bad.npy: point coordinates are float64 of shape (3, 2)",
        "words.txt": "words.txt: could not convert",
        "empty.txt": "empty.txt: point coordinates",
        "nan.npy": "nan.npy: point 2 is at",
        "none.txt": "none.txt",
    }.items():
        assert main(["check", "large.obj", "--points", name]) == 2
        assert why in capsys.readouterr().err
    assert main(["check", "leaf.obj", "--points", "points.npy"]) == 2
    assert "--points: mesh: faces[0]: the edge" in capsys.readouterr().err


def test_points_of_trimesh():
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=2)
    points = np.random.default_rng(1).uniform(-1, 1, (2000, 3))
    found = ccd.proximity.winding(ccd.Mesh(faces=ball.faces), ball.vertices, points)
    away = np.abs(np.linalg.norm(points, axis=1) - 1) > 0.05  # the surface is nearer to the center than 1
    assert (found[away] == (np.linalg.norm(points, axis=1) < 1)[away]).all()
    try:
        theirs = ball.contains(points)
    except ImportError as error:
        pytest.skip(str(error))
    assert (theirs == (found != 0)).mean() > 0.999  # its rays have tolerances


def test_solids_of_manifold3d():
    manifold3d = pytest.importorskip("manifold3d")
    cube, small = manifold3d.Manifold.cube([2, 2, 2], True), manifold3d.Manifold.cube([0.5, 0.5, 0.5], True)
    body, inner = Body(CORNERS, FACES), Body(CORNERS / 4, FACES)
    for x in (0.1, 0.5, 0.9, 1.1, 1.5):
        overlap = (cube ^ small.translate([x, 0, 0])).volume()
        where = ccd.rigid.containment(inner, Motion(position=(x, 0, 0)), body, STILL)
        assert where == (
            Containment.INSIDE if overlap > 0.125 - 1e-9 else Containment.OUTSIDE if overlap < 1e-9 else Containment.CROSSING
        )
