"""Whether a point is inside a closed surface, and what `ccd.robot` assumes of joints."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

import ccd
from ccd.robot import JointModel, Robot, Shape
from ccd.robot._inside import contains
from ccd.robot._kinematics import Tree


def fan(n):
    """A box whose top and right side are fans of n triangles, which are slivers where n is large."""
    t = np.linspace(0, 1, n + 1)
    x = np.vstack([[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]], np.stack([t**0, t, t**0], 1)])
    i = np.arange(n)
    faces = [[0, 2, 1], [0, 3, 2], [0, 5, 3], [0, 4, 5], [0, 1, 6], [0, 6, 4]]
    faces += [[3, 5, 6 + n], [3, 6 + n, 2], [1, 2, 6 + n], [4, 6 + n, 5]]
    fans = [np.stack([1 + 0 * i, 7 + i, 6 + i], 1), np.stack([4 + 0 * i, 6 + i, 7 + i], 1)]
    return x, np.vstack([faces, *fans]).astype(np.int32)


def turned(x, rotation):
    return x @ rotation.T


@pytest.mark.parametrize("gap", [1e-3, 1e-9, 1e-14, 3e-16])
def test_points_next_to_slivers(gap):
    r = np.random.default_rng(5)
    x, faces = fan(300)
    assert Shape.triangles(x, faces).closed
    near = r.uniform(0.01, 0.9, (10, 1)) * np.stack([np.ones(10), r.uniform(0.01, 0.99, 10), np.zeros(10)], 1)
    for rotation in (np.eye(3), np.linalg.qr(r.normal(size=(3, 3)))[0]):
        tops = turned(x, rotation)
        for side in (-1, 1):
            points = turned(near + np.array([0, 0, 1 + side * gap]), rotation)
            held = contains(tops, faces, points)
            for p, inside in zip(points, held):  # the top is nearly one plane, so the sign of its triangle above p says it
                assert inside == below_a_triangle(tops, faces[len(faces) - 300 :], p)


def below_a_triangle(x, faces, p):
    """Whether p is below the top of the fan, in rational numbers: the triangle whose cone from the apex, upright, holds p."""
    exact = [[Fraction(float(v)) for v in row] for row in (x[4], p)]
    for f in faces:
        a, b, c = ([Fraction(float(v)) - q for v, q in zip(x[k], exact[1])] for k in f)
        up = [u - v for u, v in zip([Fraction(float(v)) for v in x[4]], [Fraction(float(v)) for v in x[0]])]
        sides = [sign(up, a, b), sign(up, b, c), sign(up, c, a)]
        if min(sides) == max(sides) != 0:
            return sign(a, b, c) * sides[0] > 0
    raise AssertionError("no triangle is above p: choose other points")


def sign(a, b, c):
    det = sum(a[i] * (b[j] * c[k] - b[k] * c[j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
    return (det > 0) - (det < 0)


@pytest.mark.parametrize("scale", [1e-310, 1e-150, 1, 1e149])
def test_scales(scale):
    x, faces = fan(3)
    points = np.array([[0.5, 0.25, 0.5], [0.25, 0.25, 0.25], [0.5, 0.5, 1.5], [1.5, 0.5, 0.5], [0.5, 0.5, -0.1], [0, 0, 2]])
    assert contains(x * scale, faces, points * scale).tolist() == [True, True, False, False, False, False]


def test_rays_through_edges_and_vertices():
    """A grid of points in a grid of cubes: rays meet edges and corners, and another direction is taken."""
    box = Shape.box(np.array([2.0, 2.0, 2.0]))
    steps = np.arange(-1.75, 2, 0.5)
    points = np.stack(np.meshgrid(steps, steps, steps), -1).reshape(-1, 3)
    assert contains(box.vertices, box.faces, points).tolist() == (np.abs(points).max(1) < 1).tolist()
    corner = np.array([1.0, 7.0, 49.0]) / 98  # the first direction passes from -corner through 0, where an edge begins
    star = np.vstack([[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]])
    tetrahedron = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)
    assert contains(star, tetrahedron, np.array([-corner, corner])).tolist() == [False, True]


def test_a_hole_is_outside():
    outer, inner = Shape.box(np.array([4.0, 4.0, 4.0])), Shape.box(np.array([2.0, 2.0, 2.0]))
    x = np.vstack([outer.vertices, inner.vertices])
    faces = np.vstack([outer.faces, inner.faces[:, ::-1] + len(outer.vertices)]).astype(np.int32)
    assert contains(x, faces, np.array([[1.5, 0.1, 0.2], [0.1, 0.2, 0.3]])).tolist() == [True, False]


def test_joints_that_follow_another_count_in_the_rounding():
    hinge = [JointModel.moving(f"j{i}", "revolute", i, i + 1, source=0) for i in range(3)]
    tree = Tree(4, [dataclasses.replace(j, multiplier=m) for j, m in zip(hinge, (1.0, -4.0, 3.0))], 1)
    assert tree.total(True, np.array([0.5])) == pytest.approx(4.0)
    assert tree.total(False, np.array([0.5])) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rotation": np.eye(3) * 1.001}, r"joints\[0\]\.rotation is not a rotation"),
        ({"rotation": np.diag([1.0, 1.0, -1.0])}, r"joints\[0\]\.rotation is not a rotation"),
        ({"rotation": np.eye(3, dtype=np.float32)}, r"joints\[0\]\.rotation has shape \(3, 3\) and type float32"),
        ({"rotation": np.full((3, 3), np.nan)}, r"joints\[0\]\.rotation"),
        ({"position": np.zeros(2)}, r"joints\[0\]\.position has shape \(2,\)"),
        ({"axis": np.array([0, 0, 2.0])}, r"joints\[0\]\.axis has length 2\.0"),
        ({"multiplier": np.inf}, r"joints\[0\]\.multiplier"),
        ({"kind": "screw"}, r"joints\[0\]\.kind is 'screw'"),
    ],
)
def test_joints_that_the_bounds_do_not_hold_for(change, message):
    joint = dataclasses.replace(JointModel.moving("turn", "revolute", 0, 1, source=0), **change)
    with pytest.raises(ccd.Error, match=message):
        Robot("arm", ["base", "arm"], [[], [Shape.box([1, 1, 1])]], [joint], ["turn"])


def sliding(scale=1.0):
    box = Shape.triangles(Shape.box([1, 1, 1]).vertices * scale, Shape.box([1, 1, 1]).faces)
    joint = JointModel.moving("slide", "prismatic", 0, 1, source=0)
    return Robot("cart", ["base", "cart"], [[], [box]], [joint], ["slide"])


def test_lengths_whose_products_overflow_are_refused():
    one = sliding()
    far = ccd.Surface(np.array([[3e60, 0, 0], [3e60, 1e60, 0], [3e60, 0, 1e60]]), np.empty((0, 2), np.int32), [[0, 1, 2]])
    with pytest.raises(ccd.Error, match=r"scene\['far'\] reaches up to 3\.\d+e\+60 from the base: must be at most 1e\+60"):
        ccd.robot.check(one, ccd.robot.Path(["slide"], [[0], [1]]), {"far": far})
    with pytest.raises(ccd.Error, match=r"link 'cart' reaches up to 1e\+70 from the base"):
        ccd.robot.check(one, ccd.robot.Path(["slide"], [[0], [1e70]]), {})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1e-110, 1e-60, 1e58])
def test_crossings_at_extreme_scales(scale):
    lid = np.array([[-2, -2.1, 3], [2, -2.2, 3], [0.1, 2.3, 3]]) * scale
    path = ccd.robot.Path(["slide"], [[0], [5 * scale]])
    scene = {"lid": ccd.Surface(lid, np.empty((0, 2), np.int32), [[0, 1, 2]])}
    report = ccd.robot.check(sliding(scale), path, scene, tolerance=1e-6 * scale)
    assert report.edges[0].steps < 100
    assert str(report.verdict) == ("collides" if scale > 1e-100 else "undecided")
    assert report.contact.s_free == pytest.approx(0.5, abs=1e-5)
