"""Rigid bodies of shapes, padding, units, and options that calls on rigid bodies refuse."""

import math

import numpy as np
import pytest

import ccd
from ccd.rigid import Body, Motion, clearance, distance, earliest, intersects, within

NO_TURN = (1.0, 0.0, 0.0, 0.0)


def at(*position):
    return NO_TURN, position


def turned(rng, position):
    return tuple(rng.normal(size=4)), tuple(position)


def matrix(q):
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_points_against_formulas():
    """Distances of a small ball from each shape are those of its equation, in the shape's frame."""
    rng = np.random.default_rng(1)
    ball = Body.sphere(0.125)

    def box(p):
        return np.linalg.norm(np.maximum(np.abs(p) - [0.5, 1, 1.5], 0))

    def capsule(p):
        return np.linalg.norm(p - [0, 0, np.clip(p[2], -1, 1)]) - 0.5

    def cylinder(p):
        return math.hypot(max(math.hypot(p[0], p[1]) - 0.5, 0), max(abs(p[2]) - 1, 0))

    shapes = [
        (Body.box((1, 2, 3)), box),
        (Body.sphere(0.75), lambda p: np.linalg.norm(p) - 0.75),
        (Body.capsule(0.5, 2), capsule),
        (Body.cylinder(0.5, 2), cylinder),
        (Body.box((1, 2, 3)).padded(0.25), lambda p: box(p) - 0.25),
        (Body.hull([[x, y, z] for x in (-0.5, 0.5) for y in (-1, 1) for z in (-1.5, 1.5)]), box),
    ]
    for body, formula in shapes:
        for _ in range(40):
            q, p = rng.normal(size=4), 3 * rng.uniform(-1, 1, 3)
            place = p + matrix(q) @ rng.uniform(-3, 3, 3)
            gap = distance(body, (tuple(q), tuple(p)), ball, at(*place))
            d = max(formula(matrix(q).T @ (place - p)) - 0.125, 0)
            assert gap.lo - 1e-12 <= d <= gap.hi + 1e-12
            assert gap.hi - gap.lo <= body.deviation + 1e-10
            assert gap.intersecting == (d == 0)
            assert intersects(body, (tuple(q), tuple(p)), ball, at(*place)) == (gap.lo == 0)
            if gap.lo > 0:
                apart = np.array(gap.point_a) - gap.point_b
                assert abs(np.linalg.norm(apart) - d) <= 2 * gap.epsilon + 1e-12
                assert np.dot(apart, gap.normal) > 0.99 * d


def test_what_is_inside_of_a_solid_touches_it():
    box, ball = Body.box((2, 2, 2)), Body.sphere(0.25)
    gap = distance(box, at(0, 0, 0), ball, at(0.5, 0, 0))
    assert (gap.lo, gap.hi, gap.intersecting, gap.inside) == (0, 0, True, True)
    assert gap.normal == pytest.approx((-1, 0, 0)) and intersects(ball, at(0.5, 0, 0), box, at(0, 0, 0))
    assert len(within([box, ball], [at(0, 0, 0), at(0.5, 0, 0)], 0)) == 1
    hit = earliest(ball, Motion(velocity=(0.1, 0, 0)), box, Motion(), ignore_separating=True)
    assert hit.contact and hit.intersecting and hit.toi_lo == 0
    assert clearance(ball, Motion(angular_velocity=(0, 0, 1)), box, Motion()).inside
    # A surface is not solid.
    corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    room = Body(corners, [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
    assert distance(room, at(0, 0, 0), ball, at(0.5, 0, 0)).distance == pytest.approx(0.25)
    assert not room.solid and box.solid and not ball.solid


def test_shapes_over_a_mesh():
    mesh = ccd.Mesh(faces=[[0, 1, 2]])
    ground = np.array([[-5.0, -5, 0], [5, -5, 0], [0, 5, 0]])
    ball, box = Body.sphere(0.5), Body.box((20, 20, 4))
    falling = Motion(position=(0, 0, 2), velocity=(0, 0, -3))
    hit = ccd.rigid.mesh_earliest([ball], [falling], mesh, ground, ground)
    assert hit.contact and hit.toi_lo == pytest.approx(0.5, abs=1e-9) and hit.toi_lo < 0.5
    assert hit.point_a == pytest.approx((0, 0, 0), abs=1e-9) and hit.distance < 1e-10
    deep = ccd.rigid.mesh_earliest([ball], [Motion(position=(0, 0, 0.25))], mesh, ground, ground)
    assert deep.intersecting and deep.toi_lo == 0
    inside = ccd.rigid.mesh_earliest([box], [Motion()], mesh, ground, ground)
    assert inside.intersecting and inside.toi_lo == 0
    apart = ccd.rigid.mesh_earliest([ball.padded(0.25)], [Motion(position=(0, 0, 0.8))], mesh, ground, ground)
    assert not apart.contact
    padded = ccd.rigid.mesh_earliest([ball.padded(0.5)], [Motion(position=(0, 0, 0.8))], mesh, ground, ground)
    assert padded.intersecting


def test_large_balls_a_little_apart_are_decided():
    ball, here = Body.sphere(1e4), Motion()
    there = Motion(position=(2e4 + 2e-9, 0, 0))
    assert str(ccd.rigid.earliest(ball, here, ball, there).verdict) == "separate"
    assert len(ccd.rigid.scene_collisions([ball, ball], [here, there])) == 0


def test_a_contact_at_exactly_the_sum_of_paddings_is_found():
    a, b = 0.6459190760203048, 0.5836785352350194
    point = Body.hull([[0, 0, 0]])
    larger = point.padded(a).padded(b)
    no_turn = (1, 0, 0, 0)
    assert ccd.rigid.intersects(larger, (no_turn, (-a, 0, 0)), point, (no_turn, (b, 0, 0)))
    assert 0 < larger.deviation < 1e-15


def test_padding_keeps_the_tree_and_adds_up():
    box = Body.box((1, 1, 1))
    larger = box.padded(0.25).padded(0.25)
    box.close()
    assert larger.radius == 0.5
    assert distance(larger, at(0, 0, 0), larger, at(3, 0, 0)).distance == pytest.approx(1)
    assert repr(larger) == "<ccd.rigid.Body, box of 1 x 1 x 1, padded by 0.25, padded by 0.25>"


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3, 1e6])
def test_units(unit):
    """The default tolerance decides the same scenes in kilometres, metres, millimetres and micrometres."""
    rng = np.random.default_rng(7)
    verdicts = {"contact": 0, "separate": 0}
    for k in range(60):
        size = rng.uniform(0.1, 1.3, 3)
        bodies = [
            Body.box(size * unit),
            Body.cylinder(size[0] * unit, size[1] * unit, deviation=1e-3 * unit),
            Body.capsule(size[0] * unit, size[1] * unit),
            Body.box(size * unit).padded(0.05 * unit),
        ]
        a, b = bodies[k % 4], bodies[(k // 4) % 4]
        far = 6.0 if k % 3 else 0.0
        moving = Motion(
            rotation=rng.normal(size=4), position=(rng.uniform(-1.5, 1.5, 3) + far) * unit,
            velocity=rng.uniform(-3, 3, 3) * unit, angular_velocity=rng.normal(size=3),
        )  # fmt: skip
        still = Motion(rotation=rng.normal(size=4), position=far * np.ones(3) * unit)
        hit = earliest(a, moving, b, still)
        verdicts[str(hit.verdict)] += 1
        if hit.contact and not hit.initial:
            gap = distance(a, ccd.rigid.motion_pose(moving, hit.toi_lo), b, ccd.rigid.motion_pose(still, 0))
            assert 0 < gap.hi <= 1e-8 * unit + 1e-9 + a.deviation + b.deviation
    assert min(verdicts.values()) > 5


def test_rest_far_away_is_decided():
    """Bodies of 1,300 units at rest 6,000 units away, with and without a gap below the tolerance."""
    box, shaft = Body.box((1300, 900, 700)), Body.cylinder(325, 1300)
    for body, half in ((box, 350), (shaft, 650)):
        for gap in (0.0, 1e-12, 1e-9, 1e-3, 1.0, 50.0):
            lower = Motion(position=(6000, -6000, 6000))
            upper = Motion(position=(6000, -6000, 6000 + 2 * half + gap))
            hit = earliest(body, lower, body, upper)
            assert hit.contact == (gap <= max(1e-9, 2 * body.deviation)) and str(hit.verdict) != "undecided", (gap, hit)
            assert not hit.intersecting or gap < 2 * body.deviation


def test_what_is_inside_of_shapes():
    ball, box, shaft = Body.sphere(0.5), Body.box((2, 2, 2)), Body.cylinder(1, 4)
    inside, outside, contains, crossing, undecided = (ccd.rigid.Containment(k) for k in (2, 1, 3, 5, 0))
    for a, b, x, want in [
        (ball, box, 0.25, inside), (ball, box, 0.5, crossing), (ball, box, 1.5, crossing), (ball, box, 1.75, outside),
        (ball, box.padded(0.25), 0.5, inside), (box, ball, 0.25, contains), (ball, shaft, 0.25, inside),
        (ball, shaft, 1.5, undecided), (box, ball.padded(1.5), 0.0, inside), (box, ball.padded(1), 0.0, crossing),
    ]:  # fmt: skip
        assert ccd.rigid.containment(a, Motion(position=(x, 0, 0)), b, Motion()) == want, (x, want)
    points = [[0, 0, 0], [0.25, 0, 0], [0.5, 0, 0], [1, 0, 0]]
    on = ccd.rigid.ON_SURFACE
    assert ccd.rigid.winding(ball, Motion(), points).tolist() == [1, 1, on, 0]
    found = ccd.rigid.depths(ball, Motion(), points)
    assert found["winding"].tolist() == [1, 1, on, 0]
    assert (found["distance_lo"] <= [0.5, 0.25, 0, 0.5]).all() and (found["distance_hi"] >= [0.5, 0.25, 0, 0.5]).all()
    assert (found["distance_hi"] - found["distance_lo"]).tolist() == pytest.approx([0] * 4, abs=1e-14)
    assert found["point"][1:].tolist() == [[0.5, 0, 0]] * 3
    assert found["normal"][[1, 3]].tolist() == [[-1, 0, 0], [1, 0, 0]]
    with pytest.raises(ccd.ArgumentError, match="surface is open"):
        ccd.rigid.containment(ball, Motion(), Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).padded(1), Motion())


def test_refusals():
    ball = Body.sphere(1)
    for call, error, text in [
        (lambda: Body.sphere(0), ccd.ArgumentError, "radius is 0"),
        (lambda: Body.sphere(math.nan), ccd.NonFiniteError, "radius is NaN"),
        (lambda: Body.sphere("1"), ccd.ArgumentError, "radius is '1'"),
        (lambda: Body.box((1, 2)), ccd.ArgumentError, r"size has shape \(2,\)"),
        (lambda: Body.box((1, 2, -3)), ccd.ArgumentError, r"size\[2\] is -3"),
        (lambda: Body.capsule(1, 0), ccd.ArgumentError, "length is 0"),
        (lambda: Body.cylinder(1, 1, deviation=-1), ccd.ArgumentError, "deviation is -1"),
        (lambda: Body.cone(1, 1, 1e-15), ccd.ArgumentError, "65536 sides"),
        (lambda: Body.hull([]), ccd.ArgumentError, "points has 0"),
        (lambda: Body.hull([[0, 0]]), ccd.ArgumentError, "points has shape"),
        (lambda: ball.padded(-1), ccd.ArgumentError, "padding is -1"),
        (lambda: ccd.rigid.overlap(ball, Motion(), ball, Motion()), ccd.UnsupportedError, "a has a radius.*lower bound"),
        (lambda: earliest(ball, Motion(), ball, Motion(), method="d2m"), ccd.UnsupportedError, "method"),
        (lambda: distance(ball, at(0, 0, 0), ball, at(3, 0, 0), min_separation=1), ccd.UnsupportedError, "min_separation is 1"),
        (lambda: distance(ball, at(0, 0, 0), ball, at(3, 0, 0), t_max=0.5), ccd.UnsupportedError, "t_max is 0.5"),
        (lambda: clearance(ball, Motion(), ball, Motion(), min_separation=1), ccd.UnsupportedError, "min_separation is 1"),
        (lambda: within([ball], [at(0, 0, 0)], 1, min_separation=1), ccd.UnsupportedError, "min_separation is 1"),
    ]:  # fmt: skip
        with pytest.raises(error, match=text):
            call()
    closed = Body.sphere(1)
    closed.close()
    for call in (lambda: closed.padded(1), lambda: closed.radius):
        with pytest.raises(ccd.HandleError):
            call()


def test_pairs_have_separations_of_their_own():
    ball = Body.sphere(0.5)
    motions = [Motion(position=(2.0 * k, 0, 0)) for k in range(3)]
    assert not ccd.rigid.scene_earliest([ball] * 3, motions).contact
    found = ccd.rigid.scene_collisions([ball] * 3, motions, separations=[(2, 1, 1.5), (0, 1, 0.5)])
    assert found[["a", "b"]].tolist() == [(1, 2)]
    first = ccd.rigid.scene_earliest([ball] * 3, motions, min_separation=1.5, separations=[(0, 1, 0)])
    assert (first.a, first.b) == (1, 2)
    for separations, error, text in [
        ([(0, 3, 1)], ccd.InvalidIndexError, r"separations\[0\].b is 3"),
        ([(0, 1.5, 1)], ccd.ArgumentError, r"separations\[0\]\[1\] is 1.5"),
        ([(0, 1)], ccd.ArgumentError, "separations has shape"),
        ([(0, 1, -1)], ccd.ArgumentError, r"separations\[0\].separation is -1"),
        ([(0, 1, 1), (1, 0, 1)], ccd.ArgumentError, r"separations\[1\] is of the bodies 1 and 0"),
    ]:
        with pytest.raises(error, match=text):
            ccd.rigid.scene_earliest([ball] * 3, motions, separations=separations)
    with pytest.raises(ccd.UnsupportedError, match="separations"):
        earliest(ball, motions[0], ball, motions[1], separations=[(0, 1, 1)])
    with pytest.raises(ccd.UnsupportedError, match="separations"):
        within([ball] * 2, [at(0, 0, 0), at(2, 0, 0)], 1, separations=[(0, 1, 1)])


def test_a_clearance_can_be_cancelled():
    shaft = Body.cylinder(1, 2, deviation=1e-6)
    turning = Motion(position=(4, 0, 0), angular_velocity=(0, 30, 0))
    seen = []

    def stop(fraction):
        seen.append(fraction)
        return True

    with pytest.raises(ccd.Cancelled):
        clearance(shaft, Motion(), shaft, turning, progress=stop, max_iterations=10**9, tolerance=1e-12)
    assert len(seen) == 1


def test_the_surface_of_a_body_can_be_drawn():
    x = np.array([[0, 0, 0], [9, 9, 9], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    given = Body(x, [[0, 2, 3], [0, 4, 2]])
    assert given.vertices.tolist() == np.delete(x, 1, axis=0).tolist()  # no face names vertex 1
    assert given.faces.tolist() == [[0, 1, 2], [0, 3, 1]] and given.faces.dtype == np.int32
    hull = Body.hull(np.vstack([x[0], [[0.1, 0.1, 0.1]], x[2:]])).padded(0.5)
    for body, volume in ((Body.box((2, 4, 6)), 48), (hull, 1 / 6), (Body.cylinder(1, 2), 2 * math.pi)):
        again = Body(body.vertices, body.faces)
        lo, hi = ccd.overlap.solid(ccd.Mesh(faces=again.faces), again.vertices)
        assert lo == pytest.approx(volume, rel=2e-4) and lo <= volume * (1 + 1e-12) and hi - lo < 1e-9
        assert np.array_equal(again.vertices, body.vertices) and np.array_equal(again.faces, body.faces)
    assert Body.sphere(2).vertices.tolist() == [[0, 0, 0]] and Body.sphere(2).faces.tolist() == [[0, 0, 0]]
    assert Body.capsule(1, 3).vertices.tolist() == [[0, 0, -1.5], [0, 0, 1.5]]
    given.close()
    with pytest.raises(ccd.HandleError):
        _ = given.vertices
