"""The clearance of a path, and all pairs that touch."""

import numpy as np
import pytest
from conftest import LONG
from robots import ARM, NONE, plate, random_urdf, robot

import ccd


def scene_of(r, far=1.2, count=4):
    x = r.uniform(-far, far, (count, 1, 3)) + r.uniform(-0.3, 0.3, (count, 3, 3))
    return {f"o{i}": ccd.Surface(v, NONE, np.array([[0, 1, 2]], np.int32)) for i, v in enumerate(x)}


def test_clearance_agrees_with_checks(tmp_path):
    """With a separation below lo an edge is free, and with one above hi it is not."""
    r, seen = np.random.default_rng(3), set()
    for _ in range(6 if LONG else 2):
        one, scene = robot(tmp_path, random_urdf(r, 5, ("box", "sphere", "capsule"))), scene_of(r)
        path = ccd.robot.Path(one.joints, r.uniform(-1, 1, (4, len(one.joints))))
        verdicts = ccd.robot.check(one, path, scene, continuous="written").edges
        for found in ccd.robot.clearance(one, path, scene, tolerance=1e-4, continuous="written"):
            gap = found.gap
            assert 0 <= gap.lo <= gap.hi <= gap.lo + 1e-4 and not gap.unfinished
            assert gap.intersecting == (str(verdicts[found.edge].verdict) == "collides")
            seen.add(gap.intersecting)
            if gap.lo > 0:
                for d, free in ((gap.lo * (1 - 1e-9), True), (gap.hi * (1 + 1e-9), False)):
                    options = {"min_separation": d, "tolerance": 1e-9, "continuous": "written"}
                    assert ccd.robot.check(one, path, scene, edges=[found.edge], **options).free == free
                assert np.linalg.norm(np.subtract(gap.point_a, gap.point_b)) == pytest.approx(gap.hi, abs=1e-9)
    assert seen == {False, True}


def test_a_profile_has_the_least_distance_of_each_part(tmp_path):
    one, wall = robot(tmp_path, ARM), {"plate": plate(0.9)}
    path = ccd.robot.Path(["turn"], [[0], [0.4]])
    [whole] = ccd.robot.clearance(one, path, wall)
    parts = ccd.robot.clearance(one, path, wall, parts=5)
    assert [(p.start, p.end) for p in parts] == [(k / 5, (k + 1) / 5) for k in range(5)]
    assert min(p.gap.lo for p in parts) == pytest.approx(whole.gap.lo, abs=2e-6)
    assert all(p.start <= p.gap.time <= p.end and (p.a, p.b) == (whole.a, whole.b) for p in parts)
    assert ccd.robot.clearance(one, path, wall, parts=5, threads=1) == parts


def test_no_pair_has_no_distance(tmp_path):
    one = robot(tmp_path, ARM)
    [found] = ccd.robot.clearance(one, ccd.robot.Path(["turn"], [[0], [1]]))
    assert (found.a, found.b, found.gap.lo, found.gap.hi) == ("", "", np.inf, np.inf)
    assert ccd.robot.touching(one, [0.0]) == ()


def test_touching_lists_every_pair(tmp_path):
    r, total = np.random.default_rng(7), 0
    for _ in range(4):
        one, scene = robot(tmp_path, random_urdf(r, 6, ("box", "sphere"))), scene_of(r, 0.5, 12)
        q = r.uniform(-1, 1, len(one.joints))
        found = ccd.robot.touching(one, q, scene)
        again, allowed = [], []
        while True:  # as it took before: a check for each pair
            path = ccd.robot.Path(one.joints, [q, q])
            report = ccd.robot.check(one, path, scene, allowed=allowed, continuous="written")
            if report.free:
                break
            allowed.append((report.contact.a, report.contact.b))
            again.append(tuple(sorted(allowed[-1])))
        assert sorted(tuple(sorted((c.a, c.b))) for c in found) == sorted(again)
        assert all(c.how in ("crossing", "near", "inside") and c.s == 0 for c in found)
        by_name = ccd.robot.touching(one, dict(zip(one.joints, q)), scene)
        assert by_name == found
        total += len(found)
    assert total > 0


def test_ranges_agree_with_edges(tmp_path):
    """A pair that never meets is free on edges within the ranges; the others are named."""
    r, seen = np.random.default_rng(11), set()
    for _ in range(3):
        one, scene = robot(tmp_path, random_urdf(r, 3, ("box", "sphere"))), scene_of(r, 0.4, 16)
        lower = r.uniform(-1, 0, len(one.joints))
        upper = lower + r.uniform(0, 2, len(one.joints))
        table = ccd.robot.ranges(one, lower, upper, scene)
        seen |= {str(m.verdict) for m in table}
        path = ccd.robot.Path(one.joints, r.uniform(lower, upper, (6, len(one.joints))))
        meet = [(m.a, m.b) for m in table if str(m.verdict) != "free"]
        assert ccd.robot.check(one, path, scene, allowed=meet, continuous="written").free
    assert {"free", "collides"} <= seen


def test_arguments_are_named(tmp_path):
    one, path = robot(tmp_path, ARM), ccd.robot.Path(["turn"], [[0], [1]])
    for call, words in (
        (lambda: ccd.robot.clearance(one, path, parts=0), "parts is 0"),
        (lambda: ccd.robot.clearance(one, path, tolerance=0), "tolerance is 0"),
        (lambda: ccd.robot.clearance(one, path, max_steps=0), "max_steps is 0"),
        (lambda: ccd.robot.clearance(None, path), "robot is NoneType"),
        (lambda: ccd.robot.clearance(one, [[0], [1]]), "path is list"),
        (lambda: ccd.robot.touching(one, [0, 1]), "values has shape"),
        (lambda: ccd.robot.touching(one, {"lift": 0}), "no joint 'lift'|'lift'"),
        (lambda: ccd.robot.touching(one, [0], min_separation=-1), "min_separation is -1"),
        (lambda: ccd.robot.touching("arm", [0]), "robot is str"),
        (lambda: ccd.robot.ranges(one, [1], [0]), r"lower\[0\] is 1"),
        (lambda: ccd.robot.ranges(one, [1, 2], [3, 4]), "values has shape"),
    ):
        with pytest.raises(ccd.ArgumentError, match=words):
            call()
