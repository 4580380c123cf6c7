"""What peers answer wrongly or by other conventions, asked of this library: rows of a table of measured traps.

A test of `ASKED` names the rows of the table whose geometry it has. The value that it wants is derived by hand, in the comment
or in fractions: no value is copied from an answer. `NOT_OURS` has the rows that ask for what this library does not do, and why.
"""

from fractions import Fraction

import numpy as np
import pytest
from test_rigid_distance import NO_TURN, cube

import ccd
from ccd.rigid import Body, Containment, Motion

QUARTER = (2**-0.5, 0.0, 0.0, 2**-0.5)  #: a quarter turn about z
LARGE, SMALL = cube(1), cube(0.1)
ASKED = {}  #: a row of the table: the tests that ask for it

NOT_OURS = {
    37: "volumes of curved solids: common volumes here are of triangles, and exact",
    40: "signed distance fields as bodies: bodies are triangles and shapes with radii",
    60: "units of STEP files are those of the reader, ccd.cad: test_cad_assembly.py",
    61: "joints of CAD programs: ccd.cad.Joint has poses of its own: test_cad_assembly.py",
    64: "boxes of shapes are not returned",
}


def asks(*rows):
    """Say which rows of the table a test has."""

    def note(test):
        for row in rows:
            ASKED.setdefault(row, []).append(test.__name__)
        return test

    return note


def at(x=0.0, y=0.0, z=0.0, turn=NO_TURN):
    return (turn, (float(x), float(y), float(z)))


def moving(x=0.0, y=0.0, z=0.0, **more):
    return Motion(position=(float(x), float(y), float(z)), **more)


def box(half=1.0):
    return Body.box((2 * half,) * 3)


def surface(half=1.0):
    """A cube as triangles."""
    return Body(*cube(half))


def hull(half=1.0):
    return Body.hull(cube(half)[0])


KINDS = {"box": box, "surface": surface, "hull": hull}


def holds(found, want, width=1e-10):
    """Whether a bracket holds a fraction, and is narrow."""
    lo, hi = Fraction(found.lo), Fraction(found.hi)
    return lo <= want <= hi and hi - lo <= width


@asks(1, 6, 13, 14, 17, 18, 19, 20)
@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_apart_touching_and_overlapping_cubes(first, second):
    """2.5 apart: 0.5. Face on face: 0, with a contact. 1.5 apart: 0, and 0.5 deep. Normals go from b to a, in the world."""
    a, b = KINDS[first](), KINDS[second]()
    for x, gap in ((2.5, Fraction(1, 2)), (2, 0), (1.5, 0)):
        found = ccd.rigid.distance(a, at(x), b, at())
        assert holds(found, gap) and found.intersecting == (gap == 0)
        if x >= 2:
            assert found.normal == pytest.approx((1, 0, 0), abs=1e-15)
    depth = ccd.rigid.penetration_depth(a, at(1.5), b, at())
    assert holds(depth, Fraction(1, 2)) and depth.normal == pytest.approx((1, 0, 0), abs=1e-12)
    assert ccd.rigid.penetration_depth(a, at(2), b, at()).hi == 0


@asks(1, 6, 17, 19, 20)
@pytest.mark.parametrize("kind", KINDS)
def test_depths_of_nested_bodies(kind):
    """The least way out of a cube of half h for one of half s, x off the middle, is h - x + s."""
    make = KINDS[kind]
    cases = (
        (1, 0.1, 0.25, Fraction(1) - Fraction(1, 4) + Fraction(0.1)),
        (5, 1, 0.5, Fraction(11, 2)),
        (1, 1, 0, Fraction(2)),  # the same place
    )
    for h, s, x, want in cases:
        assert holds(ccd.rigid.penetration_depth(make(s), at(x), make(h), at()), want)


@asks(20, 33)
def test_depth_of_a_ball_whose_center_is_inside():
    """1 - 0.8 + 0.5 from the side, 1 + 0.5 from the very middle; of a cylinder of radius 1 along x as well."""
    ball = Body.sphere(0.5)
    for other in (box(), hull(), surface()):
        assert holds(ccd.rigid.penetration_depth(ball, at(0.75), other, at()), Fraction(3, 4), 1e-9)
        assert holds(ccd.rigid.penetration_depth(ball, at(), other, at()), Fraction(3, 2), 1e-9)
    cylinder = Body.cylinder(1, 4)
    assert holds(ccd.rigid.penetration_depth(ball, at(0.75), cylinder, at()), Fraction(3, 4), 1e-2)


@asks(2, 8, 9, 23, 66)
@pytest.mark.parametrize("first", [*KINDS, "ball"])
@pytest.mark.parametrize("second", KINDS)
def test_a_start_in_overlap_is_told_in_any_direction(first, second):
    """A cast out of an overlap is a hit at time 0: inwards, outwards and sideways."""
    a = Body.sphere(1) if first == "ball" else KINDS[first]()
    for velocity in ((-1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 0)):
        hit = ccd.rigid.earliest(a, moving(1.5, velocity=velocity), KINDS[second](), Motion())
        assert hit.contact and hit.initial and hit.toi_lo == 0 and hit.intersecting


@asks(2, 66)
def test_what_parts_is_left_out_where_that_is_asked():
    """Face on face, parting: no hit. Face on face, coming nearer: a hit at time 0."""
    for speed, contact in ((1, False), (-1, True)):
        hit = ccd.rigid.earliest(surface(), moving(2, velocity=(speed, 0, 0)), surface(), Motion(), ignore_separating=True)
        assert hit.contact == contact and (not contact or hit.toi_lo == 0)


@asks(3, 7, 19, 22)
def test_points_and_normals_are_in_the_world():
    """A turned body at 1000: the normal is along the world's y, and the points have the world's coordinates."""
    bar = Body.box((2, 0.5, 0.5))  # its long axis becomes y
    gap = ccd.rigid.distance(bar, at(1000, 4, 0, QUARTER), box(), at(1000, 0, 0))
    assert gap.normal == pytest.approx((0, 1, 0), abs=1e-12) and gap.distance == pytest.approx(2, abs=1e-9)
    assert gap.point_a[1] == pytest.approx(3, abs=1e-9) and gap.point_b[1] == pytest.approx(1, abs=1e-9)
    assert abs(gap.point_a[0] - 1000) <= 0.25 + 1e-9
    hit = ccd.rigid.earliest(bar, Motion(QUARTER, (0, 4, 0), velocity=(0, -4, 0)), box(), Motion())
    assert hit.toi_lo == pytest.approx(0.5, abs=1e-9) and hit.normal == pytest.approx((0, 1, 0), abs=1e-9)
    points = ccd.rigid.manifold(box(), at(1000, 2, 0), box(), at(1000, 0, 0), 1e-6).points
    assert sorted(points["point_a"][:, 0].round(6).tolist()) == [999, 999, 1001, 1001]


@asks(4, 28)
@pytest.mark.parametrize("kind", KINDS)
def test_a_hit_at_a_distance_is_where_the_gap_is_that_distance(kind):
    """Faces 3 apart at speed 4: 0.2 apart at 0.7. Corners along a diagonal: a Euclidean distance. Points are on bodies."""
    body = KINDS[kind]()
    hit = ccd.rigid.earliest(body, moving(-5, velocity=(4, 0, 0)), body, Motion(), min_separation=0.2)
    assert hit.toi_lo == pytest.approx(0.7, abs=1e-9)
    assert hit.point_a[0] == pytest.approx(-1.2, abs=1e-8) and hit.point_b[0] == pytest.approx(-1, abs=1e-8)
    # Corners (t, t, t) apart with t = 1 - time: sqrt(3) t = 0.5.
    hit = ccd.rigid.earliest(body, moving(-3, -3, -3, velocity=(1, 1, 1)), body, Motion(), min_separation=0.5)
    assert hit.toi_lo == pytest.approx(1 - 0.5 / 3**0.5, abs=1e-9)


@asks(5, 21)
@pytest.mark.parametrize("turns", [0.25, 0.75, 1, 100])
def test_a_bar_that_turns_about_its_middle_has_its_first_contact(turns):
    """A bar of radius 0.1 along x, a ball of radius 0.4 at (0, 1, 0): the angle has cos = 0.1 + 0.4, so it is pi / 3."""
    bar, ball = Body.capsule(0.1, 4), Body.sphere(0.4)  # along z: turned to x by a quarter about y
    start = (2**-0.5, 0.0, 2**-0.5, 0.0)
    spin = Motion(start, angular_velocity=(0, 0, turns * 2 * np.pi))
    hit = ccd.rigid.earliest(bar, spin, ball, moving(0, 1, 0))
    assert hit.contact and hit.toi_lo == pytest.approx(1 / 6 / turns, abs=1e-8)


@asks(10, 48, 49)
def test_distances_of_points_are_lengths_and_the_side_is_a_field_of_its_own():
    """(0.3, 0, 0) is 0.7 deep in a cube of half 1, (3, 0, 0) is 2 outside; of an inverted cube as well, wound the other way."""
    points = [[0.25, 0, 0], [3, 0, 0], [0.75, 0.5, 0.5], [2, 2, 1]]
    want = [0.75, 2, 0.25, 2**0.5]
    for faces, inside in ((LARGE[1], 1), (LARGE[1][:, ::-1], -1)):
        found = ccd.rigid.depths(Body(LARGE[0], faces), Motion(), points)
        assert found["winding"].tolist() == [inside, 0, inside, 0]
        assert (found["distance_lo"] <= np.add(want, 1e-15)).all() and (found["distance_hi"] >= np.subtract(want, 1e-15)).all()
        assert np.ptp([found["distance_lo"], found["distance_hi"]], axis=0).max() < 1e-12


@asks(11, 12, 14)
def test_touching_is_exact():
    """A gap of 1e-4, 1e-7 or one rounding is none; a ball 0.05 from a box neither touches it nor has a point of contact."""
    for make in KINDS.values():
        for gap in (0, 2**-51, 1e-7, 1e-4):
            assert ccd.rigid.intersects(make(), at(2 + gap), make(), at()) == (gap == 0)
    ball = Body.sphere(1)
    assert ccd.rigid.distance(ball, at(2), ball, at()).intersecting
    assert not ccd.rigid.distance(ball, at(2 + 1e-9), ball, at()).intersecting
    near = Body.sphere(0.5)
    assert holds(ccd.rigid.distance(near, at(1.5625), box(), at()), Fraction(1, 16))
    assert len(ccd.rigid.manifold(near, at(1.5625), box(), at(), 0).points) == 0


@asks(15)
def test_pairs_within_a_margin():
    """Bodies 0.5 apart are within 0.5, not within 0.4999."""
    for margin, count in ((0.5, 1), (0.4999, 0)):
        assert len(ccd.rigid.within([surface()] * 2, [at(), at(2.5)], margin)) == count


@asks(16, 32)
def test_bodies_keep_their_order():
    """A ball of radius 1 and a cube, 1 apart, then 0.1 deep: the points of a are on a, and the depth is positive."""
    ball = Body.sphere(1)
    for other in (surface(), box(), hull()):
        gap = ccd.rigid.distance(ball, at(3), other, at())
        back = ccd.rigid.distance(other, at(), ball, at(3))
        assert gap.point_a[0] == pytest.approx(2, abs=1e-9) and gap.point_b[0] == pytest.approx(1, abs=1e-9)
        assert (back.point_a, back.point_b) == (gap.point_b, gap.point_a) and (back.lo, back.hi) == (gap.lo, gap.hi)
        assert gap.normal[0] == 1 == -back.normal[0]
        assert holds(ccd.rigid.penetration_depth(ball, at(1.875), other, at()), Fraction(1, 8), 1e-9)


@asks(18, 45)
def test_slight_overlaps_have_their_depth_and_volume():
    """2**-27 deep: that depth, and a volume of 4 * 2**-27. A thickness of 2**-40 has 4 * 2**-40, to 1e-9 of itself."""
    a, b = surface(), surface()
    assert holds(ccd.rigid.penetration_depth(a, at(2 - 2**-27), b, at()), Fraction(1, 2**27), 1e-13)
    for power in (27, 40):
        found = ccd.rigid.overlap(a, at(2 - 2**-power), b, at())
        want = Fraction(4, 2**power)
        assert (
            Fraction(found.volume_lo) <= want <= Fraction(found.volume_hi) and found.volume_hi - found.volume_lo <= 1e-9 * want
        )


@asks(24, 56)
def test_depth_is_along_its_normal_and_moving_by_it_parts_the_bodies():
    a, b = box(), hull()
    turn = (np.cos(0.3), 0.0, 0.0, np.sin(0.3))
    for place in (at(1.5), at(1.5, 0.25, -0.5), at(1.2, 1.1, 0.3, turn)):
        found = ccd.rigid.penetration_depth(a, place, b, at())
        way = np.array(found.translation)
        assert np.linalg.norm(way) == pytest.approx(found.hi) and way / found.hi == pytest.approx(found.normal)
        parted = (place[0], tuple(np.array(place[1]) + way * (1 + 1e-9)))
        assert ccd.rigid.penetration_depth(a, parted, b, at()).hi == 0


@asks(25)
def test_the_normal_of_balls_in_overlap_does_not_depend_on_the_motion():
    ball = Body.sphere(1)
    for velocity in ((1, 0, 0), (-1, 0, 0), (0, 1, 0)):
        assert ccd.rigid.earliest(ball, moving(1, velocity=velocity), ball, Motion()).initial
        assert ccd.rigid.penetration_depth(ball, at(1), ball, at()).normal == pytest.approx((1, 0, 0), abs=1e-9)


@asks(26, 58)
@pytest.mark.parametrize("first", [*KINDS, "ball"])
@pytest.mark.parametrize("second", KINDS)
def test_sweeps_of_all_kinds_of_bodies_arrive_at_one_time(first, second):
    """5.5 between centers, both of half 1: 3.5 to go at speed 4, so 0.875; and the gap at the start is 3.5."""
    a, b = Body.sphere(1) if first == "ball" else KINDS[first](), KINDS[second]()
    hit = ccd.rigid.earliest(a, moving(-5.5, velocity=(4, 0, 0)), b, Motion())
    assert hit.toi_lo == pytest.approx(0.875, abs=1e-9) and hit.toi_lo <= 0.875 <= hit.toi_hi + 1e-10
    assert holds(ccd.rigid.distance(a, at(-5.5), b, at()), Fraction(7, 2))


@asks(9, 27)
def test_a_sweep_from_inside_a_closed_surface_meets_its_far_wall():
    """A cube of half 0.1 in one of half 1, at speed 2: 0.9 to go, so 0.45. That it is inside is asked of containment."""
    small, large = Body(*SMALL), surface()
    hit = ccd.rigid.earliest(small, moving(velocity=(2, 0, 0)), large, Motion())
    assert hit.toi_lo == pytest.approx(0.45, abs=1e-9) and not hit.initial
    assert ccd.rigid.containment(small, Motion(), large, Motion()) == Containment.INSIDE


@asks(29, 30)
def test_manifolds_do_not_depend_on_the_order_of_bodies():
    """A cylinder on a box: as many points in both orders, normals exchanged. A box on a surface: its four corners."""
    cylinder = Body.cylinder(0.5, 2)
    one = ccd.rigid.manifold(cylinder, at(0, 0, 2), box(), at(), 1e-6)
    other = ccd.rigid.manifold(box(), at(), cylinder, at(0, 0, 2), 1e-6)
    assert len(one.points) == len(other.points) >= 8
    for a, b in ((box(0.5), surface()), (hull(0.5), surface()), (surface(0.5), surface())):
        found = ccd.rigid.manifold(a, at(0, 0, 1.5), b, at(), 1e-6)
        back = ccd.rigid.manifold(b, at(), a, at(0, 0, 1.5), 1e-6)
        assert len(found.points) == len(back.points) == 4
        assert found.points["normal"].tolist() == [[0, 0, 1]] * 4 and back.points["normal"].tolist() == [[0, 0, -1]] * 4


@asks(31, 59)
def test_how_faces_are_cut_changes_neither_depth_nor_normal():
    """Cubes of surfaces 0.125 deep, with other diagonals; a cube at rest on a floor of two triangles, across their border."""
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    flipped = np.array([t for a, b, c, d in quads for t in ((a, b, d), (b, c, d))])
    for faces in (LARGE[1], flipped):
        body = Body(LARGE[0], faces)
        assert holds(ccd.rigid.penetration_depth(body, at(1.875, 0.5, 0.25), surface(), at()), Fraction(1, 8))
        floor = np.array([[-4, -4, -1], [4, -4, -1], [4, 4, -1], [-4, 4, -1]], float)
        for cut in ([[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]], [[2, 1, 0], [3, 2, 0]]):
            gap = ccd.rigid.distance(body, at(0.125, 0.25), Body(floor, cut), at())
            assert gap.intersecting and gap.normal == (0, 0, 1)


@asks(34, 36, 63, 67)
@pytest.mark.parametrize("outer", KINDS)
def test_nested_bodies_are_told_as_such_whatever_they_are(outer):
    """A cube, a capsule and a hull in a cube: inside. Wound inwards, or among other parts, as well."""
    large = KINDS[outer]()
    for small in (box(0.1), Body(*SMALL), hull(0.1), Body(SMALL[0], SMALL[1][:, ::-1])):
        assert ccd.rigid.containment(small, at(0.3), large, at()) == Containment.INSIDE
        assert ccd.rigid.containment(large, at(), small, at(0.3)) == Containment.CONTAINS
        assert ccd.rigid.containment(small, at(3), large, at()) == Containment.OUTSIDE
        assert ccd.rigid.containment(small, at(1), large, at()) == Containment.CROSSING
    parts = Body(np.vstack([LARGE[0], np.add(LARGE[0], (9, 0, 0))]), np.vstack([LARGE[1], LARGE[1] + 8]))
    assert ccd.rigid.containment(Body(*SMALL), at(0.3), parts, at()) == Containment.INSIDE


@asks(17, 67)
def test_nested_surfaces_have_the_distance_of_the_surfaces_and_solids_that_of_solids():
    """0.25 off the middle: 1 - 0.25 - 0.1 between the surfaces. Shapes are solid: what is inside one is at 0, with a flag."""
    gap = ccd.rigid.distance(Body(*SMALL), at(0.25), surface(), at())
    assert holds(gap, Fraction(3, 4) - Fraction(0.1)) and not gap.intersecting and not gap.inside
    gap = ccd.rigid.distance(box(0.1), at(0.25), box(), at())
    assert gap.hi == 0 and gap.inside


@asks(35, 44, 51, 52)
def test_inverted_and_mirrored_surfaces_show_in_the_winding_number():
    """A surface wound inwards winds -1 times round what it encloses; its volume is refused, not taken for another."""
    inverted = Body(LARGE[0], LARGE[1][:, ::-1])
    mirrored = Body(LARGE[0] * (-1, 1, 1), LARGE[1])
    for body in (inverted, mirrored):
        assert ccd.rigid.winding(body, Motion(), [[0, 0, 0], [2, 0, 0]]).tolist() == [-1, 0]
        with pytest.raises(ccd.ArgumentError):
            ccd.rigid.overlap(body, at(0.5), surface(), at())
    # Counted by winding numbers, the product of -1 and 1 over 1.5 x 2 x 2.
    found = ccd.rigid.overlap(inverted, at(0.5), surface(), at(), shells="count")
    assert found.volume_lo <= -6 <= found.volume_hi


@asks(38, 46)
def test_common_volumes_are_those_of_the_doubles():
    """Cubes 3e-7 deep in each other; a cube of edge 0.3 at 1e6 with itself: the fractions that its doubles are."""
    x = 2 - 3e-7
    found = ccd.rigid.overlap(surface(), at(x), surface(), at())
    want = 4 * (2 - Fraction(x))
    assert Fraction(found.volume_lo) <= want <= Fraction(found.volume_hi) and found.volume_hi - found.volume_lo <= 1e-12
    far = np.where(LARGE[0] > 0, 1e6 + 0.3, 1e6)
    found = ccd.rigid.overlap(Body(far, LARGE[1]), at(), Body(far, LARGE[1]), at())
    want = (Fraction(1e6 + 0.3) - Fraction(1e6)) ** 3
    assert Fraction(found.volume_lo) <= want <= Fraction(found.volume_hi) and found.volume_hi - found.volume_lo <= 1e-9


@asks(39, 41)
def test_terrain_is_the_mesh_that_was_given():
    """9 x 9 heights, all 1 but a peak of 2 in the middle: a ball of radius 0.25 at 1.75 over a flat part is 0.5 away."""
    n = 9
    x, y = np.meshgrid(np.arange(n) - 4.0, np.arange(n) - 4.0, indexing="ij")
    z = np.ones((n, n))
    z[4, 4] = 2
    corner = [(i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1) for i in range(n - 1) for j in range(n - 1)]
    terrain = Body(
        np.stack([x, y, z], -1).reshape(-1, 3), np.array([t for a, b, c, d in corner for t in ((a, b, c), (a, c, d))])
    )
    ball = Body.sphere(0.25)
    assert holds(ccd.rigid.distance(ball, at(-3, -3, 1.75), terrain, at()), Fraction(1, 2), 1e-9)
    assert holds(ccd.rigid.distance(ball, at(0, 0, 3), terrain, at()), Fraction(3, 4), 1e-9)
    assert ccd.rigid.distance(ball, at(0, 0, 2.25), terrain, at()).intersecting
    assert ccd.rigid.distance(ball, at(-3, -3, 1.125), terrain, at()).intersecting


@asks(42, 43, 47, 50)
def test_loose_triangles_open_and_overlapping_surfaces():
    """Corners at one place are one. A hole is refused with its face. Where two cubes of one mesh overlap the number is 2."""
    loose = Body(LARGE[0][LARGE[1].ravel()], np.arange(36).reshape(12, 3))
    assert ccd.rigid.containment(Body(*SMALL), at(), loose, at()) == Containment.INSIDE
    assert ccd.rigid.overlap(loose, at(1), surface(), at()).volume == pytest.approx(4)
    with pytest.raises(ccd.ArgumentError, match="face"):
        ccd.rigid.containment(Body(*SMALL), at(), Body(LARGE[0], LARGE[1][1:]), at())
    for shift, numbers in ((1, [1, 2, 1]), (2, [1, ccd.rigid.ON_SURFACE, 1])):  # overlapping, and face on face
        both = Body(np.vstack([LARGE[0], np.add(LARGE[0], (shift, 0, 0))]), np.vstack([LARGE[1], LARGE[1] + 8]))
        points = [[-0.5, 0, 0], [0.5 if shift == 1 else 1, 0, 0], [shift + 0.5, 0, 0]]
        found = ccd.rigid.winding(both, Motion(), points).tolist()
        assert found == numbers and all(ccd.rigid.winding(both, Motion(), points).tolist() == found for _ in range(3))


@asks(53)
def test_a_body_is_its_surface_not_its_hull():
    """An L: a cube of edge 2 less a quarter. A small cube in the notch is outside, 0.5 - 0.1 from both walls."""
    outline = [(-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1)]
    x = np.array([(*p, z) for z in (-1, 1) for p in outline], float)
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    sides = [t for i in range(6) for j in [(i + 1) % 6] for t in ((i, j, 6 + j), (i, 6 + j, 6 + i))]
    body = Body(x, [(a, c, b) for a, b, c in caps] + [(6 + a, 6 + b, 6 + c) for a, b, c in caps] + sides)
    assert ccd.rigid.winding(body, Motion(), [[0.5, 0.5, 0], [-0.5, -0.5, 0]]).tolist() == [0, 1]
    assert ccd.rigid.containment(Body(*SMALL), at(0.5, 0.5), body, at()) == Containment.OUTSIDE
    assert holds(ccd.rigid.distance(Body(*SMALL), at(0.5, 0.5), body, at()), Fraction(1, 2) - Fraction(0.1))


@asks(54)
def test_a_lattice_of_points_that_hides_behind_edges_and_corners():
    """19**3 points of a cube, with the center, on planes through edges and corners: all inside, those of the border on it."""
    line = np.linspace(-1, 1, 21)
    points = np.stack(np.meshgrid(line, line, line, indexing="ij"), -1).reshape(-1, 3)
    border = (np.abs(points) == 1).any(axis=1)
    found = ccd.rigid.winding(surface(), Motion(), points)
    assert (~border).sum() == 19**3 and (found[~border] == 1).all() and (found[border] == ccd.rigid.ON_SURFACE).all()


@asks(55)
@pytest.mark.parametrize("kind", KINDS)
def test_edges_and_corners_are_sharp(kind):
    """Edges g apart along both x and y: sqrt(2) g. Corners: sqrt(3) g. No radius rounds them."""
    body, g = KINDS[kind](), 2**-7
    for count in (1, 2, 3):
        gap = ccd.rigid.distance(body, at(*[2 + g] * count), body, at())
        assert Fraction(gap.lo) ** 2 <= count * Fraction(g) ** 2 <= Fraction(gap.hi) ** 2 and gap.hi - gap.lo <= 1e-11


@asks(57)
def test_triangles_have_two_sides():
    """A ball on either side of a triangle, and one that moves through it from behind."""
    for turned in ([[0, 1, 2]], [[0, 2, 1]]):
        wall = Body([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], turned)
        for z in (-2, 2):
            assert holds(ccd.rigid.distance(Body.sphere(0.5), at(0, 0, z), wall, at()), Fraction(3, 2))
            hit = ccd.rigid.earliest(Body.sphere(0.5), moving(0, 0, z, velocity=(0, 0, -2 * z)), wall, Motion())
            assert hit.toi_lo == pytest.approx(0.375, abs=1e-9) and hit.normal[2] == np.sign(z)
        assert ccd.rigid.intersects(Body.sphere(0.5), at(0, 0, 0.25), wall, at())


@asks(62)
def test_surfaces_deep_in_each_other_are_in_contact():
    """Two meshes 0.5, 1 and 1.9 deep in each other: contact, and that depth or less by another way."""
    for x, want in ((1.5, Fraction(1, 2)), (1, Fraction(1)), (0.125, Fraction(15, 8))):
        assert ccd.rigid.intersects(surface(), at(x), surface(), at())
        assert holds(ccd.rigid.penetration_depth(surface(), at(x), surface(), at()), want)


@asks(65)
def test_fits_have_their_clearance():
    """A ball of 0.875 in the cavity of a cube, off its middle; a square shaft of 0.9921875 in a square hole."""
    assert holds(ccd.rigid.distance(Body.sphere(0.875), at(0.0625), surface(), at()), Fraction(1, 16), 1e-9)
    shaft = Body(cube(1)[0] * (0.9921875, 0.9921875, 9), LARGE[1])
    hole = Body(LARGE[0] * (1, 1, 2), LARGE[1][[i for i in range(12) if np.ptp(LARGE[0][LARGE[1][i]][:, 2]) != 0]])
    assert holds(ccd.rigid.distance(shaft, at(), hole, at()), Fraction(1, 128))
    assert holds(ccd.rigid.distance(shaft, at(2**-9), hole, at()), Fraction(1, 128) - Fraction(1, 2**9))


def test_every_row_is_asked_or_named():
    rows = range(1, 68)
    assert sorted({*ASKED, *NOT_OURS}) == list(rows) and not {*ASKED} & {*NOT_OURS}
