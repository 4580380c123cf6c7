"""Clouds of points and voxels as obstacles: every verdict is that of the balls and boxes one by one."""

import numpy as np
import pytest

import ccd
from ccd.robot import Checker, JointModel, Path, Robot, Shape, check, clearance, read_replay, replay

BAR = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
ARM = Robot("arm", ["base", "arm"], [[], [BAR]], [JointModel.moving("turn", "revolute", 0, 1, source=0)], ["turn"])


def test_clouds_and_voxels_are_their_parts():
    r = np.random.default_rng(3)
    x, sizes = r.uniform(-1, 1, (60, 3)) * [1, 1, 0.1], r.uniform(0.01, 0.05, 60)
    straight = Path(["turn"], [[0.0], [0.6], [1.5], [2.9], [-1.0]])
    for whole, parts in (
        (Shape.points(x, sizes), [Shape.points(p[None], [s]) for p, s in zip(x, sizes)]),
        (Shape.boxes(x, sizes), [[b] for b in Shape.boxes(x, sizes)]),
    ):
        together = check(ARM, straight, {"cloud": whole})
        apart = check(ARM, straight, {f"c{i}": part for i, part in enumerate(parts)})
        for edge, each in zip(together.edges, apart.edges):
            assert edge.verdict == each.verdict
            assert edge.contact is None or abs(edge.contact.s - each.contact.s) < 1e-5
        gaps = [[c.gap for c in clearance(ARM, straight, scene)] for scene in ({"cloud": whole}, dict(zip("ab", parts)))]
        assert all(g.lo <= h.hi for g, h in zip(*gaps))  # two parts are no nearer than all
        checker = Checker(ARM, {"cloud": whole})
        assert [checker.free([0], [0.6])] == [together.edges[0].verdict == "free"]
    assert {str(e.verdict) for e in together.edges} >= {"collides"}


def test_a_ball_in_a_cloud_is_met_where_it_is():
    cloud = Shape.points([[0.8, 0.6, 0], [0.0, -5, 0]], 0.125)
    hit = check(ARM, Path(["turn"], [[0], [1]]), {"cloud": cloud}).contact
    # The ball is at the distance 1 and the angle atan2(3, 4); the side of the bar is 0.05 off its axis.
    assert hit.how == "near" and abs(hit.s - (np.arctan2(3, 4) - np.arcsin(0.175))) < 1e-5
    through = check(ARM, Path(["turn"], [[0], [1]]), {"cloud": Shape.points([[0.8, 0.59, 0]])}).contact
    assert through.how == "inside"  # a point without a radius, which the bar sweeps over


def test_clouds_in_replay_files(tmp_path):
    straight = Path(["turn"], [[0], [1]])
    for given in (Shape.points([[0.8, 0.5, 0], [3, 3, 3]], 0.1), Shape.boxes([[0.8, 0.5, 0], [3, 3, 3]], 0.1)):
        small = replay(ARM, straight, check(ARM, straight, {"cloud": given}), {"cloud": given})
        small.save(tmp_path / "edge.json")
        again = read_replay(tmp_path / "edge.json").check().contact
        assert again.b == "cloud" and abs(again.s - small.s) < 1e-6
        assert sum(len(part.vertices) for part in small.scene["cloud"]) <= 8


def test_bad_clouds_are_errors():
    for make, message in [
        (lambda: Shape.points([[0, 0, np.nan]]), r"points\[0\]"),
        (lambda: Shape.points([[0, 0, 0]], -1), "radius is -1"),
        (lambda: Shape.points([[0, 0, 0]], [1, 2]), "radius has 2 items: must have 1"),
        (lambda: Shape.points([[0, 0, 0], [1, 0, 0]], [1, np.inf]), r"radius\[1\] is inf"),
        (lambda: Shape.boxes([[0, 0, 0]], 0), "size is 0.0: must be above 0"),
        (lambda: Shape.boxes([[0, 0, 0]], [[1, 1, -1]]), r"size\[0\]\[2\] is -1.0"),
        (lambda: Shape.boxes([[0, 0, 0]], [1, 1]), r"size has shape \(2,\): must be a number, \(1,\) or \(1, 3\)"),
        (
            lambda: check(ARM, Path(["turn"], [[0], [1]]), {"cloud": [1]}),
            r"scene\['cloud'\] is list: must be a file name, a ccd.Surface",
        ),
    ]:
        with pytest.raises(ccd.ArgumentError, match=message):
            make()
