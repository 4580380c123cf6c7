"""Half-spaces and ellipsoids as obstacles: verdicts by exact heights of vertices, and paths that leave a half-space's box."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import ccd
from ccd.robot import Checker, JointModel, Path, Robot, Shape, check, clearance, propose_allowed, ranges, touching

SLIDE = JointModel.moving("x", "prismatic", 0, 1, 0, axis=(1, 0, 0))
FALL = JointModel.moving("z", "prismatic", 1, 2, 1, axis=(0, 0, 1))


def falling(*shapes):
    """A robot that moves its only link along x and z."""
    return Robot("gantry", ["base", "beam", "head"], [[], [], list(shapes)], [SLIDE, FALL], ["x", "z"])


def lowest(shape, z, c):
    """The exact distance of a shape at the height z from the plane at c."""
    return min(Fraction(v) - Fraction(r) for v, r in zip(shape.vertices[:, 2], shape.radii)) + Fraction(z) - Fraction(c)


@pytest.mark.parametrize("away", [0.0, 1e5])
def test_heights_over_a_level_plane_are_exact(away):
    """What touches the plane exactly is never free; what stays more than rounding above it always is."""
    r = np.random.default_rng(5)
    blocks = [
        Shape.box([0.5, 0.25, 0.25]),
        Shape.ball(0.125),
        Shape.capsule(0.0625, 0.5),
        Shape.box([0.5, 0.5, 0.5]).padded(0.0625),
    ]
    counts: dict[str, int] = Counter()
    for shape in blocks:
        one, floor = falling(shape), {"floor": Shape.half_space([0, 0, 2], away, 4 * away + 100)}
        rest = away - float(lowest(shape, 0, 0))  # the height at which the shape touches
        for d in (0.0, 0.25):
            checker = Checker(one, floor, min_separation=d)
            for gap in (0.0, 2.0**-20, -(2.0**-20), -3.0):
                heights = [rest + d + gap + r.integers(0, 2), rest + d + gap]
                across = r.integers(-20, 20, 2)
                exact = lowest(shape, heights[1], away) - Fraction(d)
                assert exact == Fraction(gap)
                path = Path(["x", "z"], np.c_[across, heights])
                found = check(one, path, floor, min_separation=d).edges[0]
                assert (str(found.verdict) == "free") == (gap > 0)
                assert checker.free(*np.c_[across, heights]) == (gap > 0)
                counts[str(found.verdict)] += gap != 0
                if heights[0] > heights[1] and gap < 0:
                    assert found.contact.s == pytest.approx((1 + gap) / 1 if gap > -1 else 0, abs=1e-5) or heights[0] < rest + d
    assert counts["free"] and counts["collides"]


def test_tilted_planes_are_met_where_vertices_are():
    """A turning bar, at samples: free as long as no vertex is below a plane, within the rounding of its box."""
    r = np.random.default_rng(6)
    turn = JointModel.moving("turn", "revolute", 0, 1, 0, axis=(0, 1, 0))
    verdicts = set()
    for _ in range(12):
        bar = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), r.uniform(-0.3, 0.6, 3))
        one = Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
        n = r.normal(size=3)
        n /= np.linalg.norm(n)
        q = r.uniform(-3, 3) + np.array([0, r.choice([0.5, 9.0])])
        s = np.linspace(0, 1, 20001)
        a = q[0] + s * (q[1] - q[0])
        x, y, z = bar.vertices.T
        heights = n[0] * (np.outer(np.cos(a), x) + np.outer(np.sin(a), z)) + n[1] * y
        heights = (heights + n[2] * (np.outer(np.cos(a), z) - np.outer(np.sin(a), x))).min(axis=1)
        c = heights.min() + r.choice([-0.05, -1e-4, 1e-4, 0.05, 1])
        found = check(one, Path(["turn"], q[:, None]), {"ramp": Shape.half_space(5 * n, c, 10)}).edges[0]
        verdicts.add(str(found.verdict))
        below = s[heights <= c]
        assert (str(found.verdict) == "free") == (not len(below))
        if len(below):
            assert below[0] - 1e-4 < found.contact.s <= below[0] + 1e-9
    assert verdicts == {"free", "collides"}


def test_paths_that_leave_the_box_are_refused():
    one, floor = falling(Shape.ball(1)), {"floor": Shape.half_space([0, 0, 1], 0, 10)}
    near, far = [4, 4.9], [4, 5.1]
    beyond = "'head' may be up to 10.1 from the origin of 'floor', a half-space that is a box up to 10: give it a larger extent"
    assert check(one, Path(["x", "z"], [near, near]), floor).free
    for call in (check, clearance):
        with pytest.raises(ccd.ArgumentError, match=f"^path: {beyond}"):
            call(one, Path(["x", "z"], [near, far]), floor)
    with pytest.raises(ccd.ArgumentError, match=f"^path: {beyond}"):
        touching(one, far, floor)
    with pytest.raises(ccd.ArgumentError, match=f"^path: {beyond}"):
        ranges(one, near, far, floor)
    checker = Checker(one, floor)
    assert checker.free(near) and checker.free_until(near, near) == 1
    for call in (checker.free, checker.free_until):
        with pytest.raises(ccd.ArgumentError, match=f"^q0, q1: {beyond}"):
            call([near, near], [near, far])
    with pytest.raises(ccd.ArgumentError, match=r"^robot, scene: 'head' may be up to 1 from the origin of 'floor'"):
        Checker(one, {"floor": Shape.half_space([0, 0, 1], 0, 0.5)})
    with pytest.raises(ccd.ArgumentError, match=r"'head' may be up to 10\.1 from"):  # the error of a joint counts
        check(one, Path(["x", "z"], [near, near]).within({"z": 0.2}), floor)
    grounded = Robot("gantry", ["base", "beam", "head"], [[floor["floor"]], [], [Shape.ball(1)]], [SLIDE, FALL], ["x", "z"])
    with pytest.raises(ccd.ArgumentError, match=r"^bounds: 'head' may be up to 10\.1 from the origin of 'base'"):
        propose_allowed(grounded, bounds={"x": (0, 4), "z": (0, 5.1)}, samples=1)
    assert check(grounded, Path(["x", "z"], [near, far]), allowed=[("base", "head")]).free  # it is not tested


def test_a_moved_half_space_holds_less():
    floor = Shape.half_space([0, 0, 1], 2, 10)
    c, s = np.cos(0.3), np.sin(0.3)
    turned = floor.placed([[c, 0, s], [0, 1, 0], [-s, 0, c]], [0, 3, 0])
    assert 7 - 1e-9 < turned.extent <= 7
    assert floor.placed(np.eye(3), [0, 0, 11]).extent == 0
    narrow = np.diag([1, 1 - 4e-7, 1])  # a rotation but for rounding in single precision
    moved = floor.placed(narrow, [0, 0, 0])
    assert moved.extent <= np.abs(moved.vertices[:, 1]).max() < 10
    assert floor.padded(1).extent == 10 and Shape.ball(1).extent == np.inf


def test_half_spaces_reach_their_extent():
    r = np.random.default_rng(7)
    for k in range(60):
        n = r.normal(size=3) * 10.0 ** r.integers(-3, 4) if k else np.array([0, 0, -1.0])
        extent = 10.0 ** r.uniform(-3, 9)
        c = r.choice([-1, 0, 0.7, 1]) * extent
        box = Shape.half_space(n, c, extent)
        assert box.closed and box.extent == extent
        unit = n / np.linalg.norm(n)
        x = box.vertices[box.faces]
        out = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
        out /= np.linalg.norm(out, axis=1)[:, None]
        heights = (out * x[:, 0]).sum(axis=1)
        upper = out @ unit > 0.5
        assert upper.sum() == 2 and np.allclose(heights[upper], c, rtol=0, atol=2.0**-48 * extent)
        assert (heights[~upper] >= extent).all()  # the other sides are beyond the ball of that radius


@pytest.mark.parametrize("segments", [3, 6, 32])
def test_ellipsoids_are_held(segments):
    radii = np.array([0.5, 1, 2.5])
    shape = Shape.ellipsoid(radii, segments)
    x = shape.vertices[shape.faces]
    out = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    out /= np.linalg.norm(out, axis=1)[:, None]
    assert shape.closed and ((out * x[:, 0]).sum(axis=1) >= np.linalg.norm(out * radii, axis=1)).all()
    if segments == 32:
        assert np.linalg.norm(shape.vertices / radii, axis=1).max() < 1.005


def test_numbers_of_half_spaces_and_ellipsoids_are_checked():
    for given, message in (
        ({"normal": [0, 0]}, "normal is .*: must be 3 numbers, not all 0"),
        ({"normal": [0, 0, 0]}, "normal is .*: must be 3 numbers, not all 0"),
        ({"normal": [0, np.nan, 1]}, r"normal\[1\] is nan"),
        ({"offset": np.inf}, "offset.* is inf"),
        ({"offset": 11, "extent": 10}, r"offset is 11\.0: must be at most extent, 10\.0, in magnitude"),
        ({"extent": 0}, "extent is 0.0: must be above 0"),
        ({"extent": np.nan}, "extent is nan: must be above 0"),
    ):
        with pytest.raises(ccd.ArgumentError, match=message):
            Shape.half_space(**({"normal": [0, 0, 1]} | given))
    for radii, segments, message in (
        ([1, 1], 32, "radii has 2 numbers: must have 3"),
        ([1, 0, 1], 32, r"radii\[1\] is 0"),
        ([1, 1, np.inf], 32, r"radii\[2\] is inf"),
        ([1, 1, 1], 2, "segments is 2"),
        ([1, 1, 1], 257, "segments is 257"),
    ):
        with pytest.raises(ccd.ArgumentError, match=message):
            Shape.ellipsoid(radii, segments)


def test_a_replay_keeps_the_extent(tmp_path):
    one, floor = falling(Shape.ball(1)), {"floor": [Shape.half_space([0, 0, 1], 0, 10)]}
    path = Path(["x", "z"], [[0, -5], [0, -5]])
    ccd.robot.replay(one, path, check(one, path, floor), floor).save(tmp_path / "edge.json")
    found = ccd.robot.read_replay(tmp_path / "edge.json")
    assert found.scene["floor"][0].extent == 10 and found.check().contact.how == "inside"
