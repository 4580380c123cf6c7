"""Depths of rigid bodies, and untangling, in Python: conventions, peers, the command line, the questions of the field."""

import json

import numpy as np
import pytest
from test_cli_words import fits
from test_rigid_distance import NO_TURN, cube

import ccd
from ccd.cli import main, schema

HERE = (NO_TURN, (0.0, 0.0, 0.0))


def at(*x):
    return NO_TURN, tuple(map(float, x))


BOX, SMALL = ccd.rigid.Body.box((2, 2, 2)), ccd.rigid.Body.box((0.2, 0.2, 0.2))


@pytest.mark.parametrize(
    ("place", "depth"), [((1.5, 0.25, 0), 0.5), ((2, 0.25, 0), 0), ((2.5, 0, 0), 0), ((0, 0, 0), 2), ((0, 1.75, 0.5), 0.25)]
)
def test_depths_of_boxes(place, depth):
    found = ccd.rigid.penetration_depth(BOX, at(*place), BOX, HERE)
    assert found.lo == pytest.approx(depth, abs=1e-15) and found.hi == pytest.approx(depth, abs=1e-15)
    assert found.overlapping == (depth > 0) and not found.upper_bound and not found.unfinished
    if depth:
        assert np.linalg.norm(found.translation) <= found.hi
        assert np.subtract(found.point_b, found.point_a) == pytest.approx(found.translation, abs=found.epsilon)
        moved = np.add(place, 1.001 * np.array(found.translation))
        assert not ccd.rigid.intersects(BOX, at(*moved), BOX, HERE)


def test_nested_goes_out_by_the_shortest_way():
    found = ccd.rigid.penetration_depth(SMALL, at(0.3, 0, 0), BOX, HERE)
    assert found.hi == pytest.approx(0.8) and found.normal == (1, 0, 0)
    back = ccd.rigid.penetration_depth(BOX, HERE, SMALL, at(0.3, 0, 0))
    assert back.hi == pytest.approx(0.8) and back.normal == (-1, 0, 0)


def test_a_cube_of_triangles_is_convex_and_an_open_one_is_not():
    x, faces = cube(1)
    found = ccd.rigid.penetration_depth(ccd.rigid.Body(x, faces), at(1.5, 0, 0), BOX, HERE)
    assert found.hi == pytest.approx(0.5, abs=1e-15) and found.lo == pytest.approx(0.5, abs=1e-15)
    found = ccd.rigid.penetration_depth(ccd.rigid.Body(x, faces[1:]), at(1.5, 0, 0), BOX, HERE)
    assert found.upper_bound and found.lo == 0 and 0.5 <= found.hi < 0.501
    assert str(found).startswith("depth at most 0.5")


def test_batches_and_gradients_agree_with_single_calls():
    rng = np.random.default_rng(5)
    hull = ccd.rigid.Body.hull(rng.normal(size=(20, 3)))
    pa = [(tuple(rng.normal(size=4)), tuple(rng.normal(size=3) * 0.3)) for _ in range(8)]
    pb = [(tuple(rng.normal(size=4)), tuple(rng.normal(size=3) * 0.3)) for _ in range(8)]
    found = ccd.rigid.penetration_depths(hull, pa, BOX, pb)
    slopes = ccd.rigid.penetration_gradients(hull, pa, BOX, pb)
    for i, record in enumerate(found):
        assert ccd.rigid.Penetration.from_record(record) == ccd.rigid.penetration_depth(hull, pa[i], BOX, pb[i])
    assert np.array_equal(slopes["penetration"], found)
    defined = slopes["state"] == int(ccd.GradientState.DEFINED)
    assert defined.sum() >= 6
    assert np.array_equal(slopes["position_b"][defined], found["normal"][defined])
    # Moved a little along the normal, the depth falls by as much.
    for i in np.flatnonzero(defined):
        moved = np.add(pa[i][1], 1e-4 * found["normal"][i])
        assert ccd.rigid.penetration_depth(hull, (pa[i][0], moved), BOX, pb[i]).hi == pytest.approx(
            found["hi"][i] - 1e-4, abs=1e-9
        )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((BOX, HERE, BOX, ((0, 0, 0, 0), (0, 0, 0))), "pb"),
        ((BOX, at(np.nan, 0, 0), BOX, HERE), "pa"),
        ((BOX, HERE, 3, HERE), "b is"),
    ],
)
def test_errors_name_the_argument(arguments, text):
    with pytest.raises(ccd.Error, match=text):
        ccd.rigid.penetration_depth(*arguments)


def test_unsupported_options():
    with pytest.raises(ccd.UnsupportedError):
        ccd.rigid.penetration_depth(BOX, HERE, BOX, HERE, min_separation=1.0)


# ---- peers


def coal_depth(coal, one, pa, other, pb):
    places = [coal.Transform3s(np.eye(3), np.array(p[1])) for p in (pa, pb)]
    result = coal.CollisionResult()
    coal.collide(one, places[0], other, places[1], coal.CollisionRequest(), result)
    contact = result.getContact(0)
    return -contact.penetration_depth, -np.array(contact.normal)


@pytest.mark.parametrize("place", [(1.5, 0.25, 0.1), (0.2, 0.1, 1.75), (0.3, 0, 0)])
def test_coal_has_the_same_depth_of_boxes_with_other_signs(place):
    coal = pytest.importorskip("coal", reason="coal is not installed")
    depth, normal = coal_depth(coal, coal.Box(2, 2, 2), at(*place), coal.Box(2, 2, 2), HERE)
    ours = ccd.rigid.penetration_depth(BOX, at(*place), BOX, HERE)
    assert depth == pytest.approx(ours.hi, abs=1e-5)
    assert normal == pytest.approx(ours.normal, abs=1e-5)  # theirs is from the first to the second


@pytest.mark.parametrize("place", [(1.5, 0.25, 0.1), (0.2, 0.1, 1.75)])
def test_fcl_has_the_same_depth_of_boxes(place):
    fcl = pytest.importorskip("fcl", reason="python-fcl is not installed")
    objects = [fcl.CollisionObject(fcl.Box(2, 2, 2), fcl.Transform(np.array(p, float))) for p in (place, (0, 0, 0))]
    result = fcl.CollisionResult()
    assert fcl.collide(*objects, fcl.CollisionRequest(num_max_contacts=1, enable_contact=True), result)
    ours = ccd.rigid.penetration_depth(BOX, at(*place), BOX, HERE)
    assert abs(result.contacts[0].penetration_depth) == pytest.approx(ours.hi, abs=1e-5)


# ---- untangling


def two_boxes(shift):
    x, faces = cube(0.5)
    return ccd.Mesh(faces=np.vstack([faces, faces + 8])), np.vstack([x, x + shift])


def test_a_start_that_crosses_is_listed_and_untangled():
    mesh, x = two_boxes((0.875, 0.25, 0.25))
    (crossing,) = ccd.proximity.crossings(mesh, x)
    assert (crossing["a"], crossing["b"]) == (0, 8) and crossing["depth"] == pytest.approx(0.25)
    assert crossing["pairs"] == len(ccd.proximity.intersections(mesh, x))
    y, report = ccd.proximity.untangle(mesh, x, masses=[np.inf] * 8 + [1] * 8)
    assert report.clean and not ccd.proximity.intersects(mesh, y) and np.array_equal(y[:8], x[:8])
    assert report.farthest == pytest.approx(0.125, rel=1e-6) and report.moved == 8
    hit = ccd.step.earliest(mesh, y, y, check_start=True)
    assert hit.verdict == ccd.Verdict.SEPARATE


def test_what_cannot_be_untangled_is_not_called_clean():
    mesh, x = two_boxes((0.875, 0.25, 0.25))
    y, report = ccd.proximity.untangle(mesh, x, masses=np.full(16, np.inf))
    assert not report.clean and report.after == report.before > 0 and np.array_equal(x, y)
    with pytest.raises(ccd.ArgumentError, match=r"masses\[2\] is -1"):
        ccd.proximity.untangle(mesh, x, masses=[1, 1, -1] + [1] * 13)
    with pytest.raises(ccd.ArgumentError, match="masses has 3 items"):
        ccd.proximity.untangle(mesh, x, masses=[1, 1, 1])
    with pytest.raises(ccd.ArgumentError, match="rounds is -1"):
        ccd.proximity.untangle(mesh, x, rounds=-1)


# ---- the command line


def write_obj(path, x, faces):
    lines = [f"v {p[0]} {p[1]} {p[2]}" for p in x.tolist()] + [f"f {f[0] + 1} {f[1] + 1} {f[2] + 1}" for f in faces.tolist()]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_commands(tmp_path, capsys):
    x, faces = cube(0.5)
    one = write_obj(tmp_path / "one.obj", x, faces)
    assert main(["pose", one, one, "--pose", "0.75,0.125,0", "--depth", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert not fits(report, schema.schema("pose"))
    (row,) = report["poses"]
    assert row["penetration"]["hi"] == pytest.approx(0.25) and row["penetration"]["normal"] == [1, 0, 0]
    assert main(["pose", one, one, "--pose", "0.75,0.125,0", "--depth"]) == 1
    assert "way out" in capsys.readouterr().out
    both = write_obj(tmp_path / "both.obj", two_boxes((0.875, 0.25, 0.25))[1], np.vstack([faces, faces + 8]))
    out = tmp_path / "y.npy"
    assert main(["check", both, "--untangle", str(out), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["untangled"]["clean"] and report["crossings"][0]["b"] == 8 and not fits(report, schema.schema("check"))
    mesh = ccd.Mesh(faces=np.vstack([faces, faces + 8]))
    assert not ccd.proximity.intersects(mesh, np.load(out))
    assert main(["check", both, "--untangle", str(out)]) == 1
    assert "clean (exact check)" in capsys.readouterr().out


# ---- questions of the field: each is answered by a call


def test_question_parts_that_intersect_have_a_positive_distance():
    """FreeCAD 22178, 25158: the distance of parts that intersect is 0, and one call says how deep they do."""
    body = ccd.rigid.Body(*cube(1))
    assert ccd.rigid.distance(body, at(1.5, 0.25, 0), body, HERE).hi == 0
    assert ccd.rigid.penetration_depth(body, at(1.5, 0.25, 0), body, HERE).lo == pytest.approx(0.5)


def test_question_the_depth_of_two_meshes_is_that_of_the_bodies():
    """coal and FCL return that of a pair of triangles, 2 or 1.75 here, which depends on how faces are cut."""
    x, faces = cube(1)
    bodies = [ccd.rigid.Body(x, f) for f in (faces, np.roll(faces, 1, 1), faces[::-1], faces[:, ::-1])]
    for a in bodies:
        for b in bodies:
            found = ccd.rigid.penetration_depth(a, at(1.5, 0.25, 0), b, HERE)
            assert (found.lo, found.hi) == pytest.approx((0.5, 0.5), abs=1e-15) and found.normal == (1, 0, 0)


@pytest.mark.parametrize("place", [(0.9, 0.1, 0.2), (0, 0, 0), (0.4, 0.3, 0.2)])
def test_question_a_ball_whose_center_is_inside(place):
    """Some engines have no contact there, or push inwards: ours leads out, also from the exact middle, of every kind."""
    ball = ccd.rigid.Body.sphere(0.5)
    for other in (BOX, ccd.rigid.Body(*cube(1)), ccd.rigid.Body.hull(cube(1)[0])):
        found = ccd.rigid.penetration_depth(ball, at(*place), other, HERE)
        assert found.hi == pytest.approx(1.5 - max(place))
        assert np.dot(found.normal, place) >= max(place) - 1e-12


def test_question_does_the_order_of_the_bodies_change_the_depth():
    """MuJoCo, Bullet and FCL exchange bodies by their kinds: ours keeps yours, and the normal turns around."""
    rng = np.random.default_rng(3)
    kinds = [BOX, ccd.rigid.Body.sphere(0.8), ccd.rigid.Body.capsule(0.4, 1), ccd.rigid.Body.hull(rng.normal(size=(12, 3)))]
    kinds += [ccd.rigid.Body.cylinder(0.5, 1), ccd.rigid.Body.cone(0.7, 1), ccd.rigid.Body(*cube(0.7))]
    for a in kinds:
        for b in kinds:
            pa, pb = (tuple(rng.normal(size=4)), (0.1, 0.2, 0.3)), (tuple(rng.normal(size=4)), (0.3, 0.1, 0.0))
            one, other = ccd.rigid.penetration_depth(a, pa, b, pb), ccd.rigid.penetration_depth(b, pb, a, pa)
            assert one.hi == pytest.approx(other.hi, rel=1e-12) and one.overlapping
            if one.normal != pytest.approx(np.negative(other.normal), abs=1e-9):  # two ways are equally short
                moved = ccd.rigid.penetration_depth(a, (pa[0], np.subtract(pa[1], other.translation)), b, pb)
                assert moved.hi == pytest.approx(0, abs=1e-12)


def test_question_an_open_body_is_told_from_an_overlap_of_nothing():
    """manifold3d takes an open cube for nothing: ours says that its depth is an upper bound."""
    x, faces = cube(1)
    assert ccd.rigid.penetration_depth(ccd.rigid.Body(x, faces[2:]), at(1.5, 0, 0), BOX, HERE).upper_bound


def test_question_which_objects_cross_at_the_start():
    """ppf-contact-solver 93 and 138, libuipc 49: which, how deep, and where they would not."""
    x, faces = cube(0.5)
    mesh = ccd.Mesh(faces=np.vstack([faces + 8 * i for i in range(4)]))
    start = np.vstack([x + np.array(at) for at in ((0, 0, 0), (0.875, 0, 0.125), (0, 3, 0), (0.25, 3.875, 0.25))])
    found = ccd.proximity.crossings(mesh, start)
    assert found[["a", "b"]].tolist() == [(0, 8), (16, 24)]
    y, report = ccd.proximity.untangle(mesh, start)
    assert report.clean and len(ccd.proximity.crossings(mesh, y)) == 0 and report.farthest < 0.1
