"""Distances that parts keep by shared axes: beside closed formulas, points of the faces, and Open CASCADE's distances."""

import math

import numpy as np
import pytest

import ccd

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

from ccd.cad import _fits  # noqa: E402
from ccd.rigid import Motion, motion_screw  # noqa: E402

TALL = (0, 0, 1)


def bearing(radius, height=30.0):
    return shapes.cut(shapes.box(60, 60, height, (-30, -30, -height / 2)), shapes.cylinder(radius, 60, (0, 0, -30)))


def socket(radius):
    return shapes.cut(shapes.box(40, 40, 24, (-20, -20, -20)), shapes.sphere(radius))


def fits(play):
    """Name, fixed part, moving part, joint and value of parts that are `play` apart all the time."""
    shaft = shapes.cylinder(10 - play, 100, (0, 0, -50))
    yield "shaft", bearing(10.0), shaft, ccd.cad.Joint("j", "revolute", ["b"], TALL), 4 * math.pi
    piston = shapes.fuse(shapes.cylinder(10 - play, 20, (0, 0, -10)), shapes.cylinder(4, 60))
    liner = shapes.cut(shapes.cylinder(14, 80, (0, 0, -40)), shapes.cylinder(10, 100, (0, 0, -50)))
    yield "piston", liner, piston, ccd.cad.Joint("j", "prismatic", ["b"], TALL), 20.0
    yield "ball", socket(10.0), shapes.sphere(10 - play), ccd.cad.Joint("j", "revolute", ["b"], (1, 0.2, 0.3)), 1.0
    headed = shapes.fuse(shapes.cylinder(10 - play, 40, (0, 0, -20)), shapes.cylinder(14, 4, (0, 0, 15 + play)))
    yield "pin with a head", bearing(10.0), headed, ccd.cad.Joint("j", "revolute", ["b"], TALL), math.pi


@pytest.mark.parametrize("play", [0.2, 0.01])
def test_parts_with_play_keep_it(play):
    """The bracket holds the play and is as narrow as the tolerance, and needs no facets along all of the fit."""
    for name, a, b, joint, value in fits(play):
        drive = ccd.cad.by_joints(ccd.cad.Assembly.of({"a": a, "b": b}), [joint], [0, 1], {"j": [0, value]})
        tolerance = 1e-6 * drive.assembly.size
        assert ccd.cad.first_contact(drive, "a", "b").verdict == "clear", name
        gap = ccd.cad.least_clearance(drive, "a", "b")
        assert gap.verdict == "clear" and gap.lo <= play <= gap.hi and gap.hi - gap.lo <= tolerance, (name, gap)
        rest = ccd.cad._pairs.Checker(drive.assembly, None, None, 0.0).rest(0, 1, drive.at(0.3))
        assert rest.state == "apart" and 0 < rest.lo <= play <= rest.hi, (name, rest)


def test_a_fit_that_is_too_tight_is_in_contact():
    for name, a, b, joint, value in fits(-0.3):
        drive = ccd.cad.by_joints(ccd.cad.Assembly.of({"a": a, "b": b}), [joint], [0, 1], {"j": [0, value]})
        assert ccd.cad.first_contact(drive, "a", "b").toi_lo == 0.0, name


def test_a_shaft_that_drifts_meets_its_bearing():
    """A shaft slides off its axis until the play is used up: the time is the play's, within the tolerance."""
    for play in (0.3, 0.05):
        parts = ccd.cad.Assembly.of({"a": bearing(10.0), "b": shapes.cylinder(10 - play, 100, (0, 0, -50))})
        aside = ccd.cad.by_joints(parts, [ccd.cad.Joint("j", "prismatic", ["b"], (1, 0, 0))], [0, 1], {"j": [0, 1.0]})
        hit = ccd.cad.first_contact(aside, "a", "b")
        assert hit.verdict == "contact" and play - 2e-4 <= hit.toi_lo <= play <= hit.toi_hi <= play + 0.02, hit


def kept(a, b, ma, mb, duration=1.0):
    one, other = (ccd.cad.Product(n, s)._axes(None) for n, s in (("a", a), ("b", b)))
    return _fits.kept(one, other, ma, mb, duration), one, other


def test_bounds_of_fits():
    """Distances of faces of a shaft from those of a bearing, by hand."""
    turn = Motion(angular_velocity=(0, 0, 3.0))
    found, one, other = kept(shapes.cylinder(9, 20, (0, 0, -10)), bearing(10.0, 10.0), turn, Motion())
    side, hole = ([isinstance(f.surface, ccd.cad._bounds.Round) for f in x.faces].index(True) for x in (one, other))
    assert found[side, hole] == pytest.approx(1.0, abs=1e-9) and found[side, hole] <= 1.0
    flat = sorted(found[k, hole] for k in range(3) if k != side)  # the ends of the shaft, 5 above and below the hole
    assert flat == pytest.approx([math.hypot(1, 5)] * 2, abs=1e-9)
    # The ring around the hole is 10 from the axis, and the ends of the bearing are flat.
    rings = [k for k, f in enumerate(other.faces) if abs(f.surface.frame.z[2]) > 0.9 and k != hole]
    assert len(rings) == 2 and found[side, rings] == pytest.approx([1.0, 1.0], abs=1e-9)
    # A shaft that is off by 0.2 and tilted keeps less, by as much as it may come nearer.
    tilt = 1e-3
    m = np.array(
        [[math.cos(tilt), 0, math.sin(tilt), 0.2], [0, 1, 0, 0], [-math.sin(tilt), 0, math.cos(tilt), 0], [0, 0, 0, 1]]
    )
    off, *_ = kept(shapes.cylinder(9, 20, (0, 0, -10)), bearing(10.0, 10.0), Motion.from_pose(m), Motion())
    assert 0.78 < off[side, hole] <= 0.8 - 5 * tilt


def test_bounds_of_cones_and_spheres():
    cup = shapes.cut(shapes.cylinder(12, 10, (0, 0, -5)), shapes.cone(10.0, 4.0, 20.0, (0, 0, -10)))
    plug = shapes.cone(9.0, 3.0, 20.0, (0, 0, -10))  # 1 nearer to the axis, so cos of the half angle away
    found, *_ = kept(plug, cup, Motion(angular_velocity=(0, 0, 2.0)), Motion())
    assert any(x == pytest.approx(math.cos(math.atan(0.3)), abs=1e-9) for x in found.ravel())
    found, *_ = kept(shapes.sphere(9.5), socket(10.0), Motion(angular_velocity=(1, 2, 3)), Motion())
    assert found.min() == pytest.approx(0.5, abs=1e-9) and found.min() <= 0.5
    assert _fits.kept(*(ccd.cad.Product("x", shapes.box(1, 1, 1))._axes(None),) * 2, Motion(), Motion(), 1.0) is None


def test_a_disc_on_the_axis_is_not_a_ring():
    """A flat face through which the axis passes has points on it, though its boundary is far from it."""
    x = ccd.cad.Product("x", shapes.cylinder(10, 2))._axes(None)
    flat = [k for k, f in enumerate(x.faces) if not isinstance(f.surface, ccd.cad._bounds.Round)]
    assert (x.images(0).corners[flat][..., 0].min(1) == 0).all()
    pin, plug = shapes.cylinder(2, 9, (0, 0, -4.5)), shapes.cylinder(10, 2, (0, 0, 1))
    found, *_ = kept(pin, plug, Motion(angular_velocity=(0, 0, 1)), Motion())
    assert found.min() == 0.0  # the pin passes through the disc


def test_paths_between_samples():
    """Points that are seen from another moving part: on their way, and as near to the chords as is said."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        ma, mb = (
            Motion(tuple(rng.normal(size=4)), *(tuple(rng.normal(size=3) * (rng.random() < 0.8)) for _ in range(4)))
            for _ in "ab"
        )
        points, duration = rng.normal(size=(3, 3)), rng.uniform(0.1, 3)
        at, off = _fits._path(points, ma, mb, duration)
        times = np.linspace(0, duration, len(at))
        assert np.allclose(at, [mb.back(t, ma.at(t, points)) for t in times], rtol=0, atol=1e-12)
        for t in rng.uniform(0, duration, 20):
            k = min(int(t / duration * (len(at) - 1)), len(at) - 2)
            share = (t - times[k]) / (times[k + 1] - times[k])
            chord = (1 - share) * at[k] + share * at[k + 1]
            assert np.linalg.norm(mb.back(t, ma.at(t, points)) - chord, axis=1).max() <= off + 1e-12


def inner(rng):
    """A part that stands around the axis z, its radius and height."""
    r, h = rng.uniform(2, 5), rng.uniform(3, 12)
    kind = int(rng.integers(7))
    round_ = shapes.cylinder(r, h, (0, 0, -h / 2))
    if kind == 1:
        round_ = shapes.cone(r, r * rng.uniform(0.3, 0.9), h, (0, 0, -h / 2))
    elif kind == 2:
        round_ = shapes.sphere(r)
    elif kind == 3:
        round_ = shapes.fuse(round_, shapes.cylinder(1.4 * r, h / 4, (0, 0, h / 2)))
    elif kind == 4:
        round_ = shapes.filleted(round_, min(r, h) * 0.2)
    elif kind == 5:
        round_ = shapes.torus(r, r * rng.uniform(0.1, 0.4))
    elif kind == 6:
        round_ = shapes.cut(round_, shapes.box(r, r / 2, h, (0.6 * r, -r / 4, -h / 2)))
    return round_, r, h, kind


def outer(rng, r, h, kind):
    """A part with a hole that the other fits into, with a play that may be negative."""
    b, wide, tall = r + float(rng.choice([0.5, 0.2, 0.05, 0.01, -0.05])), 2.2 * r, h * rng.uniform(0.3, 1.5)
    block = shapes.box(2 * wide, 2 * wide, tall, (-wide, -wide, -tall / 2))
    if rng.random() < 0.5:
        block = shapes.cylinder(wide, tall, (0, 0, -tall / 2))
    if rng.integers(3) < 2:
        if kind == 1:
            return shapes.cut(block, shapes.cone(1.3 * b, 0.5 * b, 2 * tall, (0, 0, -tall)))
        if kind == 2:
            return shapes.cut(block, shapes.sphere(b))
        if kind == 5:
            return shapes.cut(block, shapes.torus(r, 0.35 * b))
    made = shapes.cut(block, shapes.cylinder(b, 2 * tall, (0, 0, -tall)))
    return shapes.chamfered(made, 0.05 * min(tall, r)) if rng.random() < 0.3 else made


def turned(rng, angle):
    w = rng.normal(size=3)
    out = np.eye(4)
    out[:3, :3] = Motion(angular_velocity=tuple(w / np.linalg.norm(w) * angle)).matrix(1.0)[:3, :3]
    return out


def random_fit(seed):
    """Two parts, their motions, and how long these take: nearly about one axis, or not."""
    rng = np.random.default_rng(seed)
    a, r, h, kind = inner(rng)
    b = outer(rng, r, h, kind)
    if rng.random() < 0.5:
        a, b = b, a
    small, tilt = float(rng.choice([0, 1e-12, 1e-6, 1e-3, 0.02])), float(rng.choice([0, 0, 1e-9, 1e-3]))
    place, world = turned(rng, 0.3 * small), turned(rng, rng.uniform(0, 3))
    place[:3, 3], world[:3, 3] = rng.normal(size=3) * small + [0, 0, rng.uniform(-1, 1)], 5 * rng.normal(size=3)
    first = world @ place
    axis, point = world[:3, 2] + tilt * rng.normal(size=3), world[:3, 3] + tilt * rng.normal(size=3)
    axis = axis / np.linalg.norm(axis)
    w, v = (rng.uniform(-7, 7), rng.uniform(-2, 2) * (rng.random() < 0.5))
    ma = motion_screw(first[:3, :3], first[:3, 3], point, w * axis, v)
    if rng.random() < 0.25:
        ma = Motion.from_pose(first, velocity=tuple(v * axis))
    mb = Motion.from_pose(world)
    if rng.random() < 0.3:
        mb = motion_screw(world[:3, :3], world[:3, 3], point, rng.uniform(-3, 3) * axis, 0.0)
    elif rng.random() < 0.3:
        mb = Motion.from_pose(
            world, tuple(0.1 * rng.normal(size=3)), tuple(rng.normal(size=3)), tuple(0.1 * rng.normal(size=3))
        )
    return a, b, ma, mb, float(rng.choice([1.0, 0.3, 0.05])), rng


def dense(shape, size):
    """Points of each face of a shape."""
    facets = ccd.cad.Product("x", shape).facets()
    f = facets.narrowed(5e-4 * size, 20_000) or facets
    return [f.points[f.face == k].reshape(-1, 3) for k in range(len(f.faces))]


def compare(seed):
    """No two points of faces are nearer than what the faces keep; returns how many bounds are nearly reached."""
    spatial = pytest.importorskip("scipy.spatial")
    a, b, ma, mb, duration, rng = random_fit(seed)
    found, *sides = kept(a, b, ma, mb, duration)
    if found is None:
        return 0
    points = [dense(shape, side.size) for shape, side in zip((a, b), sides)]
    tight = 0
    for t in (0.0, duration, *rng.uniform(0, duration, 3)):
        trees = [spatial.cKDTree(mb.at(t, p)) for p in points[1]]
        for i, p in enumerate(points[0]):
            for j, tree in enumerate(trees):
                near = float(tree.query(ma.at(t, p))[0].min())
                assert found[i, j] <= near, (seed, i, j, t, found[i, j], near)
                tight += 0.95 * near < found[i, j]
    return tight


def test_random_fits_keep_what_is_said():
    assert sum(compare(seed) for seed in range(4)) > 20


@pytest.mark.long
def test_many_random_fits_keep_what_is_said():
    assert sum(compare(seed) for seed in range(100, 400)) > 3000


def random_drive(seed):
    """A drive of two such parts about or along nearly one axis; None where they are more than two solids."""
    rng = np.random.default_rng(seed)
    a, r, h, kind = inner(rng)
    found = [solids(s) for s in (a, outer(rng, r, h, kind))]
    if any(len(x) != 1 for x in found):
        return None
    a, b = (x[0] for x in found)
    if rng.random() < 0.5:
        a, b = b, a
    small = float(rng.choice([0, 1e-9, 1e-3, 0.02]))
    place = turned(rng, 0.3 * small)
    place[:3, 3] = rng.normal(size=3) * small + [0, 0, rng.uniform(-1, 1)]
    parts, tilt = ccd.cad.Assembly.of({"a": a, "b": b}, {"a": place}), float(rng.choice([0, 0, 1e-3, 1e-2]))
    axis, point = tuple(np.array([0, 0, 1.0]) + tilt * rng.normal(size=3)), tuple(tilt * rng.normal(size=3))
    kind, value = int(rng.integers(4)), rng.uniform(-6, 6)
    if kind < 3:
        pitch = float(rng.uniform(-1, 1)) if kind == 2 else 0.0
        joints = [ccd.cad.Joint("j", ("revolute", "prismatic", "screw")[kind], ["a"], axis, point, None, pitch)]
        return ccd.cad.by_joints(parts, joints, [0, 1], {"j": [0, value]})
    joints = [ccd.cad.Joint("i", "revolute", ["b"], TALL), ccd.cad.Joint("j", "revolute", ["a"], axis, point)]
    if rng.random() < 0.5:
        joints[1] = ccd.cad.Joint("j", "revolute", ["a"], axis, point, "i")
    return ccd.cad.by_joints(parts, joints, [0, 1], {"j": [0, value], "i": [0, 1.0]})


def solids(shape):
    from OCP.TopAbs import TopAbs_SOLID
    from OCP.TopExp import TopExp_Explorer

    found, explorer = [], TopExp_Explorer(shape, TopAbs_SOLID)
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found


def beside_occ(seed):
    """Contacts and clearances of a random drive beside Open CASCADE's distances of the solids; returns the verdict."""
    drive = random_drive(seed)
    if drive is None:
        return ""
    tolerance = 1e-3 * drive.assembly.size

    def at(t):
        return shapes.distance(*(shapes.moved(p.product.shape, m) for p, m in zip(drive.assembly.parts, drive.at(float(t)))))

    def distance(t):
        # Open CASCADE sometimes has 0 for parts that are apart: of drive 155 at the times 0 and 1e-11, but 0.197 at others near
        # them. In 1e-11 no point moves by 1e-8.
        way = 1.0 if t < 0.5 else -1.0
        return max(at(t), *(at(t + way * more) - 1e-8 for more in (1e-12, 1e-11)))

    hit = ccd.cad.first_contact(drive, "a", "b", tolerance=tolerance)
    times = np.random.default_rng(seed + 10**6).uniform(0, 1, 5)
    if hit.verdict == "clear":
        gap = ccd.cad.least_clearance(drive, "a", "b", tolerance=tolerance)
        assert all(distance(t) >= gap.lo - 1e-7 for t in (0, 1, *times)), (seed, gap)
        assert gap.lo - 1e-7 <= distance(gap.time) <= gap.hi + 1e-7, (seed, gap)
        return hit.verdict
    assert all(distance(t) > 0 for t in times if t < hit.toi_lo), (seed, hit)
    if hit.verdict == "contact":
        assert distance(hit.toi_lo) <= 2 * tolerance, (seed, hit)
        assert math.isinf(hit.toi_hi) or distance(hit.toi_hi) <= 1e-7, (seed, hit)
    return hit.verdict


def test_random_drives_beside_occ():
    """Among them: screws that turn back (159, 231), and clearances whose least distance is of other facets (183)."""
    found = [beside_occ(seed) for seed in (159, 183, 231)]
    assert set(found) == {"clear", "contact"}, found


@pytest.mark.long
def test_many_random_drives_beside_occ():
    found = [beside_occ(seed) for seed in range(340)]
    assert found.count("clear") > 100 and found.count("contact") > 100, found
