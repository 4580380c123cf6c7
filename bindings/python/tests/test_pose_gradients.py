"""Derivatives of distances by poses, beside differences, and the command `ccd pose`."""

import json

import numpy as np
import pytest
from test_cli_words import fits
from test_rigid_distance import NO_TURN, blob, cube, some_poses

import ccd
from ccd.cli import main, schema

STATES = ccd.GradientState


def turned(pose, spin, h):
    """A pose turned about its origin by the rotation vector h * spin, in the axes of the world."""
    angle = h * np.linalg.norm(spin)
    u = np.sin(angle / 2) * np.array(spin) / np.linalg.norm(spin)
    w, v = pose[0][0], np.array(pose[0][1:])
    c = np.cos(angle / 2)
    return (c * w - u @ v, *(c * v + w * u + np.cross(u, v))), pose[1]


def test_derivatives_are_those_of_differences():
    rng = np.random.default_rng(3)
    a, b = ccd.rigid.Body(*blob(rng)), ccd.rigid.Body(*blob(rng))
    pa, pb = some_poses(rng, 40), some_poses(rng, 40)
    found, h, compared = ccd.rigid.distance_gradients(a, pa, b, pb), 1e-5, 0
    assert found["gap"].tobytes() != b"" and len(found) == 40
    alone = ccd.rigid.distances(a, pa, b, pb)
    for name in ("lo", "hi", "index_a", "normal"):
        assert np.array_equal(found["gap"][name], alone[name])
    for i, g in enumerate(found):
        if g["state"] != STATES.DEFINED:
            assert g["state"] == STATES.INITIAL and g["gap"]["hi"] == 0 and not g["position_a"].any()
            continue
        for side, fixed in (("a", pb[i]), ("b", pa[i])):
            pose = (pa if side == "a" else pb)[i]
            for name in ("position_", "rotation_"):
                way = rng.normal(size=3)
                ends = []
                for step in (-h, h):
                    moved = (pose[0], tuple(pose[1] + step * way)) if name == "position_" else turned(pose, way, step)
                    both = (moved, fixed) if side == "a" else (fixed, moved)
                    ends.append(ccd.rigid.distance(a, both[0], b, both[1]).distance)
                difference = (ends[1] - ends[0]) / (2 * h)
                assert difference == pytest.approx(g[name + side] @ way, abs=1e-3 * np.linalg.norm(way))
        compared += 1
    assert compared > 20


def test_states_of_cubes():
    body, still = ccd.rigid.Body(*cube(1)), (NO_TURN, (0.0, 0.0, 0.0))
    for at, state in (((3, 0, 0), "tie"), ((3, 3, 3), "defined"), ((2, 0, 0), "initial"), ((3, 3, 0), "tie")):
        (g,) = ccd.rigid.distance_gradients(body, [still], body, [(NO_TURN, at)])
        assert str(STATES(int(g["state"]))) == state
        assert np.isnan(g["position_a"]).all() == (state == "tie") and g["reserved"] == 0
    with pytest.raises(ccd.ArgumentError, match="pa has 1 poses, pb has 2"):
        ccd.rigid.distance_gradients(body, [still], body, [still, still])


def obj(path, half):
    x, faces = cube(half)
    text = [f"v {a!r} {b!r} {c!r}\n" for a, b, c in x.tolist()] + [f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces.tolist()]
    path.write_text("".join(text))
    return str(path)


@pytest.fixture
def boxes(tmp_path):
    return obj(tmp_path / "small.obj", 0.25), obj(tmp_path / "box.obj", 1)


@pytest.mark.parametrize(
    "words, code, distance, containment",
    [
        (["--pose", "0,0,0"], 1, 0.75, "inside"),
        (["--pose", "0,0,4"], 0, 2.75, "outside"),
        (["--pose", "0,0,4", "--min-separation", "2.74"], 0, 2.75, "outside"),
        (["--pose", "0,0,4", "--min-separation", "2.75"], 1, 2.75, "outside"),
        (["--pose", "0,0,1.25"], 1, 0, "crossing"),
        (["--pose", "1,0,0,0,0,1,0,0,0,0,1,4"], 0, 2.75, "outside"),
        (["--pose-b", "0,0,-4,3,0,0,0"], 0, 2.75, "outside"),
        (["--pose", "0,0,4", "--tolerance", "0.5"], 0, None, "outside"),
    ],
)
def test_a_pose(boxes, capsys, words, code, distance, containment):
    words = [words[0] + "=" + words[1], *words[2:]]
    assert main(["pose", *boxes, *words, "--json"]) == code
    (row,) = json.loads(capsys.readouterr().out)["poses"]
    assert row["containment"] == containment and row["distance_lo"] <= row["distance_hi"]
    if distance is not None:
        assert row["distance_lo"] <= distance <= row["distance_hi"] < distance + 1e-10
        assert row["intersecting"] == (distance == 0)


def test_many_poses_from_a_file(boxes, tmp_path, capsys):
    file = tmp_path / "poses.csv"
    file.write_text("x,y,z,qw,qx,qy,qz\n0,0,4,1,0,0,0\n\n0;0;1.25;1;0;0;0  # touches\n0 0 0 1 0 0 0\n")
    assert main(["pose", *boxes, "--poses", str(file), "--gradient", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["poses"]
    assert [row["containment"] for row in rows] == ["outside", "crossing", "inside"]
    assert [row["gradient"]["state"] for row in rows] == ["tie", "initial", "tie"]
    assert rows[0]["gradient"]["position_a"] == [None] * 3 and rows[1]["normal"] == [0, 0, 1]
    assert main(["pose", *boxes, "--poses", str(file)]) == 1
    text = capsys.readouterr().out
    assert "nearest    pose 1" in text and "distance   0: the surfaces share a point (exact)" in text
    assert main(["pose", *boxes, "--poses", str(file), "--poses-b", str(file)]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    "text, word",
    [
        ("", "no poses: give one a line, as of --pose"),
        ("x,y,z\n", "no poses"),
        ("0,0\n", "line 1: '0,0': give 3 or 7 or 12 or 16 finite numbers"),
        ("0,0,0,0,0,0,0\n", "line 1: '0,0,0,0,0,0,0': the quaternion is 0"),
        ("x,y,z\n1,0,0,0,0,2,0,0,0,0,1,0\n", "line 2: rotation of pose is not a rotation"),
        ("0,0,0\nx,y,z\n", "line 2: 'x,y,z'"),
    ],
)
def test_poses_that_are_none(boxes, tmp_path, capsys, text, word):
    file = tmp_path / "poses.csv"
    file.write_text(text)
    assert main(["pose", *boxes, "--poses", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("ccd: ") and "poses.csv" in error and word in error


def test_numbers_of_poses_that_differ(boxes, tmp_path, capsys):
    for name, count in (("two", 2), ("three", 3)):
        (tmp_path / name).write_text("0,0,4\n" * count)
    words = ["--poses", str(tmp_path / "two"), "--poses-b", str(tmp_path / "three")]
    assert main(["pose", *boxes, *words]) == 2
    assert "--poses has 2 poses, --poses-b has 3: the numbers must be equal, or one of them 1" in capsys.readouterr().err


def test_a_matrix_that_is_no_rotation(boxes, capsys):
    assert main(["pose", *boxes, "--pose-b=2,0,0,0,0,1,0,0,0,0,1,0"]) == 2
    assert "--pose-b: rotation of pose is not a rotation" in capsys.readouterr().err


def test_open_surfaces_have_no_inside(boxes, tmp_path, capsys):
    flat = tmp_path / "flat.obj"
    flat.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert main(["pose", boxes[1], str(flat), "--pose=0,0,4", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["poses"][0]["containment"] is None and report["not_closed"].startswith("B is not closed")


def test_clearance_over_a_motion_and_its_chart(boxes, tmp_path, capsys):
    table, chart = tmp_path / "p.csv", tmp_path / "p.svg"
    words = ["rigid", *boxes, "--pose=3,3,0", "--velocity=-6,0,0", "--profile"]
    assert main([*words, str(table), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["clearance"]
    assert found["distance_lo"] <= 1.75 <= found["distance_hi"] < 1.75 + 1e-7 and 0.25 < found["t"] < 0.75
    rows = np.genfromtxt(table, delimiter=",", names=True)
    assert len(rows) == 101 and rows["t"][[0, -1]].tolist() == [0, 1]
    assert (rows["distance_hi"] >= found["distance_lo"]).all() and rows["distance_lo"].min() <= 1.75 + 1e-9
    assert main([*words, str(chart), "--clearance"]) == 0
    assert "clearance" in capsys.readouterr().out and "at least 1.75, proven" in chart.read_text()
    (tmp_path / "scene.json").write_text("{}")
    assert main(["rigid", str(tmp_path / "scene.json"), "--clearance"]) == 2
    assert "is a scene: give two surfaces" in capsys.readouterr().err
    with pytest.raises(ccd.ArgumentError, match="curve is no array of distances"):
        ccd.plot.profile(np.zeros(3))


def test_pose_lists_the_near_pairs_of_a_scene(tmp_path, capsys):
    """All pairs within a distance, in their order, by groups and skipped pairs, and which bodies are inside of others."""
    corner = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]
    for name, size in (("box.obj", 1), ("small.obj", 0.25)):
        lines = [f"v {x} {y} {z}" for x, y, z in (size * corner).tolist()]
        (tmp_path / name).write_text("\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces)]) + "\n")
    bodies = [{"file": "box.obj", "position": [x, 0, 0]} for x in (0, 2.5, 4.5, 9)]
    path = tmp_path / "s.json"

    def listed(*words, code=1):
        assert main(["pose", str(path), *words, "--json"]) == code
        report = json.loads(capsys.readouterr().out)
        assert not fits(report, schema.schema("pose"))
        return [(p["a"], p["b"], round(p["distance_hi"], 9)) for p in report["pairs"]], report

    path.write_text(json.dumps({"bodies": bodies}))
    assert listed()[0] == [(1, 2, 0)] and listed()[1]["pairs"][0]["intersecting"]
    assert listed("--within", "0.5")[0] == [(0, 1, 0.5), (1, 2, 0)]
    assert listed("--within", "100")[0][-1] == (2, 3, 2.5) and len(listed("--within", "100")[0]) == 6
    path.write_text(json.dumps({"bodies": [b | {"group": i // 2} for i, b in enumerate(bodies)], "skip": [[2, 1]]}))
    assert listed("--within", "0.75", code=0)[0] == []
    assert main(["pose", str(path), "--within", "0.75"]) == 0 and "no pair (proven)" in capsys.readouterr().out
    path.write_text(json.dumps({"bodies": [{"file": "small.obj"}, {"file": "box.obj"}]}))
    pairs, report = listed()
    assert pairs == [] and report["contained"] == [{"a": 0, "b": 1, "containment": "inside"}]
    assert main(["pose", str(path), "--within", "1"]) == 1
    assert "0 is INSIDE 1" in (said := capsys.readouterr().out) and "0 1" in said and "0.75" in said
    path.write_text(json.dumps({"bodies": [{"file": "box.obj", "velocity": [1, 0, 0]}] * 2}))
    assert listed()[0] == [(0, 1, 0)]
    for words, text in (
        ([str(path), "--within", "-1"], "--within is -1"),
        ([str(path), "--tolerance", "-1"], "tolerance"),
        ([str(tmp_path / "box.obj")], "give two surfaces, or a scene in JSON"),
    ):
        assert main(["pose", *words]) == 2 and text in capsys.readouterr().err
