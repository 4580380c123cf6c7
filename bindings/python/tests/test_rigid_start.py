"""Rigid bodies of any size and at their start: the default tolerance, what touches and tips, what overlaps, and normals."""

import itertools

import numpy as np
import pytest

import ccd
from ccd.rigid import Body, Motion

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FACES = [[q[0], q[i], q[i + 1]] for q in QUADS for i in (1, 2)]
CUBE = Body(CORNERS, FACES)


@pytest.mark.parametrize("unit", [1e-3, 1, 1e3, 1e6])
def test_the_unit_of_length_does_not_decide_the_verdict(unit):
    small, large = Body(2 * CORNERS * [235, 105, 110] * unit, FACES), Body(2 * CORNERS * [650, 330, 275] * unit, FACES)
    moving = Motion(rotation=(-0.542, 0, 0, -0.84), position=np.array([338, 731, 125.6]) * unit,
                    velocity=np.array([588, -553, 471.5]) * unit, angular_velocity=(0, 0, -1.77))  # fmt: skip
    hit = ccd.rigid.earliest(small, moving, large, Motion(rotation=(1, 0.0025, -0.00026, -0.0012)))
    assert hit.contact and abs(hit.toi_lo - 0.2892032) < 1e-6 and hit.distance <= 2e-9 * unit + 1e-10


@pytest.mark.parametrize("place", [0, 1e5, 1e8])
def test_large_boxes_are_decided_and_their_poses_do_not_intersect(place):
    rng = np.random.default_rng(5)
    mesh = ccd.Mesh(faces=np.vstack([FACES, np.array(FACES) + 8]))
    contacts = 0
    for _ in range(150):
        shapes = [2 * CORNERS * rng.uniform(50, 650, 3) for _ in range(2)]
        at = rng.uniform(-1, 1, 3) * place
        a = Motion(rotation=rng.normal(size=4), position=at + rng.uniform(-1500, 1500, 3), velocity=rng.uniform(-1000, 1000, 3),
                   angular_velocity=rng.normal(size=3))  # fmt: skip
        b = Motion(rotation=rng.normal(size=4), position=at + rng.uniform(-500, 500, 3))
        hit = ccd.rigid.earliest(Body(shapes[0], FACES), a, Body(shapes[1], FACES), b)
        assert hit.verdict != ccd.Verdict.UNDECIDED
        if hit.contact and not hit.initial:
            contacts += 1
            assert not ccd.proximity.intersects(mesh, np.vstack([a.at(hit.toi_lo, shapes[0]), b.at(hit.toi_lo, shapes[1])]))
    assert contacts > 8


@pytest.mark.parametrize("gap", [0, 1e-12, 1e-11, 1.3e-11, 2e-11])
def test_a_box_that_tips_on_a_floor_goes_on(gap):
    floor, ground = Body(CORNERS * [10, 10, 1], FACES), Motion(position=(0, 0, -0.5))
    inverse_inertia = 1 / (1 / 6 + 0.05)
    velocity, spin, position = np.array([0, 0, -0.1635]), np.zeros(3), np.array([0, 0, 0.5 + gap])
    for _ in range(40):
        moving = Motion(position=position, velocity=velocity, angular_velocity=spin)
        hit = ccd.rigid.earliest(floor, ground, CUBE, moving, t_max=1 / 60, ignore_separating=True)
        if hit.toi_lo > 0:
            return
        up, arm = -np.array(hit.normal), np.array(hit.point_b) - position
        rate = up @ (velocity + np.cross(spin, arm))
        assert rate < 1e-4 and not hit.intersecting
        turn = np.cross(arm, up)
        impulse = (1e-3 - rate) / (1 + inverse_inertia * turn @ turn)
        velocity, spin = velocity + impulse * up, spin + impulse * turn * inverse_inertia
    pytest.fail("it stalls")


@pytest.mark.parametrize(
    "options",
    [{}, {"min_separation": 0.01}, {"ignore_separating": True}, {"method": "d2m"}],
    ids=["", "separation", "parting", "d2m"],
)
def test_cubes_at_rest_overlap_or_touch(options):
    grid = (-1, -0.75, -0.25, 0, 0.5, 1)
    for place in itertools.product(grid, grid, grid):
        moving = Motion(position=place, velocity=(0.3 * place[1], 0, -place[2]))
        overlap = max(map(abs, place)) < 1
        for hit in (
            ccd.rigid.earliest(CUBE, Motion(), CUBE, moving, **options),
            ccd.rigid.earliest(CUBE, moving, CUBE, Motion(), **options),
        ):
            assert hit.intersecting == overlap, place
            assert hit.initial or not overlap


def test_a_separation_does_not_hide_an_overlap():
    box = Body(2 * CORNERS, FACES)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        moving = Motion(position=rng.uniform(-1.2, 1.2, 3), rotation=rng.normal(size=4), velocity=(0, 0, 1))
        near = ccd.rigid.earliest(box, Motion(), box, moving, min_separation=0.01)
        assert near.intersecting == ccd.rigid.earliest(box, Motion(), box, moving).intersecting


def test_one_convention_of_normals():
    """The tip of a triangle on another one: pairs, rigid bodies and patches turn the normal against the motion."""
    tip, plate = np.array([[0.2, 0.3, 0], [0.3, 0.4, 1], [0.1, 0.5, 1]]), np.array([[-2.0, -2, 0], [4, -2, 0], [-2, 4, 0]])
    mesh, flat = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]]), ccd.patch.Form.triangle(1)
    bodies = Body(tip, [[0, 1, 2]]), Body(plate, [[0, 1, 2]])
    for velocity in [(0, 0, -1), (0, 0, 1), (0.5, 0.1, -0.2), (-0.3, 0.2, 0.4)]:
        v = np.array(velocity)
        step = ccd.step.earliest(mesh, np.vstack([tip, plate]), np.vstack([tip + v, plate]))
        normals = [np.array(step.normal) * (1 if step.a == 0 else -1)]
        normals.append(np.array(ccd.patch.pair(flat, tip, tip + v, flat, plate, plate).normal))
        normals.append(np.array(ccd.rigid.earliest(bodies[0], Motion(velocity=velocity), bodies[1], Motion()).normal))
        for n in normals:
            assert abs(np.linalg.norm(n) - 1) < 1e-12 and n @ v <= 1e-12
            np.testing.assert_allclose(n, (0, 0, -np.sign(velocity[2])), atol=1e-9)


def test_two_points_have_a_normal():
    point = Body([[0, 0, 0]], [[0, 0, 0]])
    hit = ccd.rigid.earliest(point, Motion(velocity=(0, 2, 0)), point, Motion())
    assert hit.initial and hit.normal == (0, -1, 0)


def test_a_tolerance_below_what_doubles_tell_is_never_wrong():
    big = Body(2000 * CORNERS, FACES)
    fall = Motion(position=(0, 0, 2500), rotation=(1, 0.1, 0.2, 0.3), velocity=(0, 0, -2000))
    right = ccd.rigid.earliest(big, fall, big, Motion())
    assert right.contact
    for tolerance in (1e-10, 1e-12, 1e-15):
        hit = ccd.rigid.earliest(big, fall, big, Motion(), tolerance=tolerance)
        assert hit.verdict != ccd.Verdict.SEPARATE and abs(hit.toi_lo - right.toi_lo) < 1e-9
