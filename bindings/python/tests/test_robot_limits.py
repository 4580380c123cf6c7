"""Capsules, and limits of joints."""

import fractions
import itertools
import math

import numpy as np
from robots import ARM, TWO, plate, random_urdf, robot, tree

import ccd
from ccd.robot import _bodies, _check, _limits


def test_capsules_are_exact(tmp_path):
    """A capsule that turns meets a wall when the end of its axis is a radius from it."""
    text = ARM.replace('<box size="1 0.1 0.1"/>', '<capsule radius="0.1" length="0.8"/>').replace(
        "<origin xyz", '<origin rpy="0 1.5707963267948966 0" xyz'
    )
    one = robot(tmp_path, text)
    x, faces, edges, radii = one.surface("arm")
    assert radii.tolist() == [0.1, 0.1] and edges.tolist() == [[0, 1]] and not len(faces) and one.open_links == []
    assert np.abs(np.sort(x[:, 0]) - [0.1, 0.9]).max() < 1e-15
    path = ccd.robot.Path(["turn"], [[0], [math.pi / 2]])
    wall = {"wall": plate(0.8, half=2)}
    for d in 0, 0.05:
        hit = ccd.robot.check(one, path, wall, min_separation=d).contact
        truth = math.asin((0.7 - d) / 0.9) / (math.pi / 2)
        assert hit.how == "near" and hit.s_free <= truth + 1e-12 and abs(hit.s - truth) < 1e-5 and truth - hit.s_free < 1e-5
    assert ccd.robot.check(one, path, {"wall": plate(1.0 + 1e-4, half=2)}).free
    held = {"speck": plate(0.0, half=0.001, z=0.001)}  # inside of the capsule at the start: within the radius of its axis
    held["speck"].vertices[:, 0] += 0.5
    assert ccd.robot.check(one, path, held).contact.s_free == 0


def segments_apart(a, b):
    """The square of the distance of two segments of fractions: by the ends, and where the lines are nearest."""

    def dot(u, v):
        return sum(x * y for x, y in zip(u, v, strict=True))

    def minus(u, v):
        return [x - y for x, y in zip(u, v, strict=True)]

    def to_segment(p, s):
        e, w = minus(s[1], s[0]), minus(p, s[0])
        t = min(max(dot(w, e) / dot(e, e), fractions.Fraction(0)), fractions.Fraction(1))
        off = [x - t * y for x, y in zip(w, e, strict=True)]
        return dot(off, off)

    best = min(to_segment(a[0], b), to_segment(a[1], b), to_segment(b[0], a), to_segment(b[1], a))
    u, v, w = minus(a[1], a[0]), minus(b[1], b[0]), minus(a[0], b[0])
    det = dot(u, u) * dot(v, v) - dot(u, v) ** 2
    if det:
        s = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / det
        t = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / det
        if 0 <= s <= 1 and 0 <= t <= 1:
            off = [x + s * y - t * z for x, y, z in zip(w, u, v, strict=True)]
            best = min(best, dot(off, off))
    return best


def test_random_capsules_agree_with_samples(tmp_path):
    """At no sample before s_free two capsules are within the separation, and at a proven contact they are: by rational numbers.

    Places of links are rounded, so distances are compared with 1e-12 between.
    """
    r = np.random.default_rng(17)
    seen, slack = {}, fractions.Fraction(1e-12)
    for turn in range(10):
        one = robot(tmp_path, random_urdf(r, 5, shapes=("capsule",)))
        path = ccd.robot.Path(one.joints, r.uniform(-1.5, 1.5, (3, len(one.joints))))
        d = (0.0, 0.05)[turn % 2]
        report = ccd.robot.check(one, path, min_separation=d)
        bodies = _bodies.Bodies(one, {})
        pairs = bodies.pairs(_check._with_shapes(one))

        def gaps(q, bodies=bodies, pairs=pairs, d=d):
            """The distance of each pair, less radii and separation, in squares: negative within."""
            x = [[fractions.Fraction(v) for v in row] for row in bodies.place(q).tolist()]
            for i, j in pairs:
                a, b = bodies.all[i].first, bodies.all[j].first
                reach = sum(fractions.Fraction(v) for v in (bodies.radii[a], bodies.radii[b], d))
                yield segments_apart(x[a : a + 2], x[b : b + 2]), reach

        for e in report.edges:
            seen[str(e.verdict)] = seen.get(str(e.verdict), 0) + 1
            end = e.contact.s_free if e.contact else 1
            for s in np.linspace(0, end * (1 - 1e-9), 25) if end > 0 else ():
                assert all(apart > (reach - slack) ** 2 for apart, reach in gaps(path.at(e.edge, s)))
            if e.verdict == "collides":
                assert any(apart < (reach + slack) ** 2 for apart, reach in gaps(path.at(e.edge, e.contact.s)))
    assert seen.get("free", 0) > 2 and seen.get("collides", 0) > 2, seen


def test_limits(tmp_path):
    limited = '<limit lower="-1" upper="0.5" effort="1" velocity="1"/>'
    one = robot(tmp_path, TWO.replace('<axis xyz="0 0 1"/></joint>', f'<axis xyz="0 0 1"/>{limited}</joint>', 1))
    path = ccd.robot.Path(["a", "b"], [[0, 0], [0.5, 9], [0.75, 0], [-1, 0], [-1.5, 0]], times=[0, 1, 2, 3, 5])
    report = ccd.robot.check(one, path, allowed=[("base", "lower")])
    assert report.free and not report.valid
    found = [(left.edge, left.joint, left.value, left.lower, left.upper) for left in report.limits]
    assert found == [(1, "a", 0.75, -1, 0.5), (2, "a", 0.75, -1, 0.5), (3, "a", -1.5, -1, 0.5)]
    assert all(0 < left.s <= 2.0**-20 for left in (report.limits[0], report.limits[2])) and report.limits[1].s == 0
    assert report.limits[2].time == 3 + 2 * report.limits[2].s
    ignored = ccd.robot.check(one, path, allowed=[("base", "lower")], limits=False)
    assert ignored.valid and ignored.edges == report.edges
    only = ccd.robot.check(one, path, allowed=[("base", "lower")], edges=[0])
    assert only.valid


def test_limits_of_joints_that_follow(tmp_path):
    follow = tree(
        "abc",
        ("j", "continuous", "a", "b", ""),
        ("k", "revolute", "b", "c", '<mimic joint="j" multiplier="-2" offset="1"/><limit lower="-2" upper="2"/>'),
    )
    one = robot(tmp_path, follow)
    report = ccd.robot.check(one, ccd.robot.Path(["j"], [[0], [1.5], [1.75]]))
    assert [(left.edge, left.joint, left.value) for left in report.limits] == [(1, "k", -2.5)]


def test_random_limits_agree_with_samples():
    """Where a polynomial is said to leave its limit it does, and where not, no sample is above it by more than the slack."""
    r = np.random.default_rng(5)
    left = 0
    for _ in range(300):
        control = [fractions.Fraction(float(v)) for v in r.uniform(-1, 0.4, r.integers(2, 7)) * r.choice([1, 1, 0], 1)]
        if r.integers(3) == 0:  # turns back at the limit, exactly: -(s - 1/3)^2 and the like
            a = fractions.Fraction(int(r.integers(1, 7)), 7)
            control = [-a * a, a * (1 - a), -(1 - a) * (1 - a)]

        def value(s, control=control):
            c = control
            while len(c) > 1:
                c = [(1 - s) * x + s * y for x, y in itertools.pairwise(c)]
            return c[0]

        slack = fractions.Fraction(1, 2**40)
        s = _limits.first_above(control, slack)
        samples = [value(fractions.Fraction(k, 64)) for k in range(65)]
        if s is None:
            assert max(samples) <= slack
        else:
            left += 1
            assert value(s) > 0 and all(v <= slack for k, v in enumerate(samples) if k < 64 * s - 1)
            most = _limits.largest(control)
            assert max(samples) <= most + (max(control) - min(control)) / 2**30
    assert 50 < left < 250
