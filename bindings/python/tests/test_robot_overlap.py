"""Closed shapes whose faces lie in common planes: their overlap is proven by a point inside of both."""

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import pytest

import ccd
from ccd.robot import JointModel, Path, Robot, Shape
from ccd.robot._bodies import Bodies, Cluster
from ccd.robot._overlap import Solid, is_apart, overlaps, shared

QUARTERS = [np.array(m, float) for m in ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, -1, 0], [1, 0, 0], [0, 0, 1]])]
QUARTERS += [np.array(m, float) for m in ([[1, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])]


def tilted(seed):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]


def gripper(a, b, frame=QUARTERS[0], shift=0.0):
    """Two links that slide along the first axis of a frame; their shapes are in it, the second one shifted along the second."""
    left, right = a.placed(frame, [0, 0, 0]), b.placed(frame, frame @ [0, shift, 0])
    joints = [JointModel.moving(name, "prismatic", 0, link, source=link - 1) for link, name in ((1, "l"), (2, "r"))]
    joints = [dataclasses.replace(j, axis=frame[:, 0].copy()) for j in joints]
    return Robot("g", ["palm", "left", "right"], [[], [left], [right]], joints, ["l", "r"])


def check(robot, **options):
    return ccd.robot.check(robot, Path(["l", "r"], [[-1, 1], [1, -1]]), **options)


def depth(solid, point):
    """How many planes of the faces of a convex shape a point is inside of, less those that it is outside of: exactly."""
    x = [[Fraction(float(v)) - Fraction(float(q)) for v, q in zip(row, point)] for row in solid.vertices]
    return sum(sign(*(x[k] for k in face)) for face in solid.faces)


def sign(a, b, c):
    det = sum(a[i] * (b[j] * c[k] - b[k] * c[j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
    return (det > 0) - (det < 0)


def is_inside(solid, point):
    return abs(depth(solid, point)) == len(solid.faces)


def assert_holds(robot, report):
    """The reported point is inside of both shapes, in rational numbers."""
    bodies = Bodies(robot, {})
    x = bodies.place(np.array(report.contact.values))
    for b in bodies.all:
        assert is_inside(Solid(x[b.first : b.last], b.shapes[0].faces, 0), report.contact.point)


# Sizes of the second box beside the first one's (.2, .2, .2), its turn and its shift; each has faces in planes of the first.
FAMILIES = {
    "equal": ((0.2, 0.2, 0.2), 0, 0),
    "longer": ((0.7, 0.2, 0.2), 0, 0),
    "taller": ((0.2, 0.2, 0.5), 0, 0),
    "a thin plate": ((1e-3, 0.2, 0.2), 0, 0),
    "shifted by half": ((0.2, 0.2, 0.2), 0, 0.1),
    "shifted by an eighth": ((0.2, 0.2, 0.2), 0, 0.025),
    "one common plane": ((0.2, 0.1, 0.3), 0, 0.05),
    "turned about z": ((0.2, 0.2, 0.2), 1, 0),
    "turned about x": ((0.2, 0.2, 0.2), 2, 0),
    "turned about y, longer": ((0.2, 0.2, 0.5), 3, 0),
}


@pytest.mark.parametrize("frame", [0, 3, "tilted"])
@pytest.mark.parametrize("family", FAMILIES)
def test_aligned_boxes_that_pass_through_each_other_collide(family, frame):
    size, turn, shift = FAMILIES[family]
    axes = tilted(len(frame)) if isinstance(frame, str) else QUARTERS[frame]
    robot = gripper(Shape.box([0.2, 0.2, 0.2]), Shape.box(size).placed(QUARTERS[turn], [0, 0, 0]), axes, shift)
    report = check(robot)
    wide = float((np.abs(QUARTERS[turn]) @ size)[0])
    first = (2 - (0.2 + wide) / 2) / 4  # the faces meet: they start 2 apart, and come nearer at a speed of 4
    assert str(report.verdict) == "collides"
    assert first - 1e-6 < report.contact.s_free <= first < report.contact.s < first + 1e-6
    assert report.contact.how in ("overlap", "crossing")
    if family == "equal":
        assert report.contact.how == "overlap"
    if report.contact.how == "overlap":
        assert_holds(robot, report)


def test_boxes_that_slide_along_each_other_stay_undecided():
    """Faces in one plane with no common inside: nothing is proven, whichever way rounding goes."""
    for frame in (QUARTERS[0], tilted(2)):
        report = check(gripper(Shape.box([0.2, 0.2, 0.2]), Shape.box([0.2, 0.2, 0.2]), frame, 0.2))
        assert (str(report.verdict), report.contact.how) == ("undecided", "tolerance")
    assert str(check(gripper(Shape.box([0.2, 0.2, 0.2]), Shape.box([0.2, 0.2, 0.2]), shift=0.21)).verdict) == "free"


def test_two_boxes_in_one_place_collide_at_the_start():
    robot = gripper(Shape.box([0.2, 0.2, 0.2]), Shape.box([0.2, 0.2, 0.2]), tilted(3))
    report = ccd.robot.check(robot, Path(["l", "r"], [[0.25, 0.25], [1, -1]]))
    assert (str(report.verdict), report.contact.how, report.contact.s) == ("collides", "overlap", 0)
    assert_holds(robot, report)


def test_open_boxes_have_no_inside():
    box = Shape.box([0.2, 0.2, 0.2])
    lid = Shape.triangles(box.vertices, box.faces[1:])
    assert not lid.closed
    report = check(gripper(box, lid))
    assert report.contact.how != "overlap" and report.open == ("right",)


def test_points_inside_stay_inside_wherever_the_corners_are():
    """Overlaps down to the error: what is proven holds for corners moved by all of the error, and for no overlap below it."""
    r, box, proven = np.random.default_rng(7), Shape.box([1, 1, 1]), 0
    for error, part in itertools.product((1e-15, 1e-9, 1e-3), (-1, 0, 0.9, 1.9, 2.5, 4, 40)):
        frame, gap = tilted(int(r.integers(1000))), np.array([1 - part * error, 0, 0])
        a, b = (Solid((box.vertices + k * gap) @ frame.T, box.faces, error) for k in (0, 1))
        point = shared(a, b)
        assert point is None or part > 2
        assert point is not None or part < 4 or error < 1e-14
        if point is None:
            continue
        proven += 1
        for solid in (a, b):
            for _ in range(8):
                off = r.normal(size=solid.vertices.shape)
                off *= error * (1 - 1e-9) / np.linalg.norm(off, axis=1, keepdims=True)
                moved = Solid(solid.vertices + off, solid.faces, 0)
                inward = Solid(solid.vertices - (solid.vertices > point) * error / 2, solid.faces, 0)
                assert is_inside(moved, point) and is_inside(inward, point)
    assert proven >= 5


def squared_distance(corners, point):
    """The squared distance of a point from a triangle, in rational numbers."""
    a, b, c = ([Fraction(float(v)) - Fraction(float(q)) for v, q in zip(row, point)] for row in corners)
    found = []
    for p, q in ((a, b), (b, c), (c, a)):
        e = minus(q, p)
        t = min(max(-dot(p, e) / dot(e, e), Fraction(0)), Fraction(1)) if any(e) else Fraction(0)
        found.append(sum((u + t * v) ** 2 for u, v in zip(p, e)))
    n = cross(minus(b, a), minus(c, a))
    if any(n) and len({dot(n, cross(minus(q, p), minus([0] * 3, p))) > 0 for p, q in ((a, b), (b, c), (c, a))}) == 1:
        found.append(dot(n, a) ** 2 / dot(n, n))
    return min(found)


def minus(a, b):
    return [u - v for u, v in zip(a, b)]


def dot(a, b):
    return sum(u * v for u, v in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


@pytest.mark.parametrize("scale", [1e-160, 1e-20, 1, 1e50])
def test_distances_of_triangles_are_not_too_large(scale):
    """Against rational numbers: also slivers, and triangles that are a line or a point."""
    r = np.random.default_rng(11)
    for k in range(150):
        corners, point = r.normal(size=(3, 3)), r.normal(size=3)
        if k % 5 == 1:
            corners[2] = corners[0] + 1e-9 * corners[2]
        elif k % 5 == 2:
            corners[2] = corners[1]
        elif k % 5 == 3:
            point = corners.T @ r.dirichlet(np.ones(3)) + 1e-7 * point
        elif k % 5 == 4:
            corners[:] = corners[0]
        corners, point = corners * scale, point * scale
        exact = squared_distance(corners, point)
        distance = float(np.sqrt(float(exact / Fraction(scale) ** 2))) * scale
        for part in (0.999, 1 - 1e-9, 1 - 1e-15, 1, 1 + 1e-15, 1.001):
            if is_apart(corners[None], point, distance * part):
                assert exact > Fraction(distance * part) ** 2
        if scale > 1e-100:  # squares do not underflow, so the best direction is found
            assert is_apart(corners[None], point, distance * 0.999)
    assert not is_apart(corners[None], corners[0], 0.0)


def test_bodies_of_several_shapes():
    """The shapes of a body are looked at one by one, each with its own rows of vertices."""
    far, box = Shape.box([0.1, 0.1, 0.1]).placed(np.eye(3), [0, 5, 0]), Shape.box([0.2, 0.2, 0.2])
    ball = Shape.ball(0.01).placed(np.eye(3), [0, 7, 0])
    joints = [JointModel.moving(name, "prismatic", 0, link, source=link - 1) for link, name in ((1, "l"), (2, "r"))]
    robot = Robot(
        "g", ["palm", "left", "right"], [[], [ball, far, box], [far.placed(np.eye(3), [0, 4, 0]), box]], joints, ["l", "r"]
    )
    bodies = Bodies(robot, {})
    found = overlaps(bodies, Cluster(bodies, 0, [1]), bodies.place(np.zeros(2)), np.full(len(bodies.local), 1e-12))
    assert found is not None and found.how == "overlap" and np.abs(found.point).max() < 0.1
