"""Steps on parts of meshes, and intervals that are too long for small triangles: the verdicts are those of whole meshes."""

import math

import numpy as np
import pytest
from robots import NONE, by_hand, random_urdf, robot

import ccd
from ccd.robot import Shape, _bodies, _check


def ball_of_triangles(count, radius, center):
    """A closed surface of 2 count^2 triangles around a center."""
    u, v = np.meshgrid(np.arange(count), np.arange(1, count), indexing="ij")
    turn, tilt = 2 * math.pi * u / count, math.pi * v / count
    ring = np.stack([np.cos(turn) * np.sin(tilt), np.sin(turn) * np.sin(tilt), np.cos(tilt)], axis=-1).reshape(-1, 3)
    x = np.vstack([ring, [[0, 0, 1], [0, 0, -1]]]) * radius + center
    at = lambda i, j: (i % count) * (count - 1) + j  # noqa: E731
    faces = []
    for i in range(count):
        faces += [[len(x) - 2, at(i, 0), at(i + 1, 0)], [len(x) - 1, at(i + 1, count - 2), at(i, count - 2)]]
        for j in range(count - 2):
            faces += [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]]
    return x, np.array(faces, np.int32)


def test_a_part_has_the_impact_of_the_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(_check, "_LARGE", 0)
    r = np.random.default_rng(3)
    smaller, empty, hits = 0, 0, 0
    for _ in range(12):
        one = robot(tmp_path, random_urdf(r, 7, ("box", "sphere", "cylinder", "capsule")))
        x = r.uniform(-1.2, 1.2, (6, 1, 3)) + r.uniform(-0.4, 0.4, (6, 3, 3))
        scene = {f"o{i}": ccd.Surface(v, NONE, np.array([[0, 1, 2]], np.int32)) for i, v in enumerate(x)}
        bodies = _bodies.Bodies(one, scene)
        way = _check._Way(bodies, r.uniform(-1, 1, (4, len(one.joints))))
        for d in (0.0, 0.05):
            for cluster in _bodies.clusters(bodies, bodies.pairs(())):
                sweep = _check._Sweep(way, cluster, _check._Options(d, 1e-6, 100, 1))
                s, h = r.uniform(0, 0.8), 0.5 ** r.integers(2, 8)
                control, radii = way.cubic(s, s + h)
                whole, part = sweep._step(cluster, s, control, radii), sweep._part(control, radii)
                if part is None:
                    empty += 1
                    assert whole.separate
                    continue
                smaller += part.size < cluster.size
                found = sweep._step(part, s, control, radii)
                assert (found.separate, found.toi_lo, found.toi_hi) == (whole.separate, whole.toi_lo, whole.toi_hi)
                if not whole.separate:
                    hits += 1
                    corners = [
                        np.sort(c.index[v]) for c, i in ((cluster, whole), (part, found)) for v in c.corners(i.kind, i.a, i.b)
                    ]
                    assert all(np.array_equal(v, w) for v, w in zip(corners[:2], corners[2:]))
    assert min(smaller, empty, hits) > 20


@pytest.mark.parametrize(("gap", "verdict"), [(1e-4, "free"), (-2e-3, "collides")])
def test_small_triangles_have_the_verdict_of_long_steps(monkeypatch, gap, verdict):
    """A fine ball at the end of an arm passes another: with steps as long as they may be, and on whole meshes too."""
    small = Shape.triangles(*ball_of_triangles(16, 0.1, [1, 0, 0]))
    one = by_hand(shapes=small)
    x, faces = ball_of_triangles(16, 0.1, [0, 0, 0])
    x = Shape.triangles(x, faces).placed([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]], [0.003, 1.2 + gap, 0.002]).vertices
    tested = ccd.robot.Path(["turn"], [[0], [math.pi]]), {"ball": ccd.Surface(x, NONE, faces)}
    report = ccd.robot.check(one, *tested)
    wide = []
    monkeypatch.setattr(_check, "_LARGE", math.inf)
    monkeypatch.setattr(_check._Sweep, "_is_wide", lambda self, radii: wide.append(radii.max()))
    plain = ccd.robot.check(one, *tested)
    assert max(wide) > 0.02  # the mean length of an edge: the first intervals are shorter than these
    assert str(report.verdict) == str(plain.verdict) == verdict
    if verdict == "collides":
        assert (
            abs(report.contact.s_free - plain.contact.s_free) < 1e-6 and report.contact.how == plain.contact.how == "crossing"
        )


def test_triangles_below_rounding_end():
    """Intervals are halved for the sake of small triangles only while that shrinks the radii."""
    dust = Shape.triangles(np.array([[1, 0, 0], [1, 1e-15, 0], [1, 0, 1e-15]]), [[0, 1, 2]])
    x = np.array([[0, 1, 0], [1e-15, 1, 0], [0, 1, 1e-15]])
    scene = {"dust": ccd.Surface(x, NONE, np.array([[0, 1, 2]], np.int32))}
    report = ccd.robot.check(by_hand(shapes=dust), ccd.robot.Path(["turn"], [[1], [2.2]]), scene, tolerance=1e-300)
    assert str(report.verdict) == "undecided" and report.edges[0].steps < 1000
