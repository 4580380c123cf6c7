"""Edges decided by the library: the verdicts of the search in Python, and what is left to it."""

import numpy as np
import pytest
from conftest import LONG
from robots import ARM, NONE, plate, random_urdf, robot

import ccd
from ccd.robot import _bodies, _check, _core


def both(one, path, scene, allowed=(), **options):
    """The report, and those of the search in Python for its edges."""
    report = ccd.robot.check(one, path, scene, allowed=allowed, continuous="written", **options)
    bodies = _bodies.Bodies(one, _check._surfaces(scene))
    pairs = bodies.pairs([*allowed, *_check._with_shapes(one)])
    d, tolerance = options.get("min_separation", 0.0), options.get("tolerance", 1e-6)
    checker = _check._Checker(bodies, {d: pairs}, _check._Options(d, tolerance, 100000, 1))
    return report, [checker.edge(path, e.edge, _check._columns(one, path, None)[e.edge]) for e in report.edges]


@pytest.mark.parametrize("d", [0.0, 0.02])
def test_random_robots_have_the_verdicts_of_the_search(tmp_path, d):
    r = np.random.default_rng(17)
    seen = set()
    for _ in range(12 if LONG else 4):
        one = robot(tmp_path, random_urdf(r, 6, ("box", "sphere", "cylinder", "capsule")))
        x = r.uniform(-1.2, 1.2, (4, 1, 3)) + r.uniform(-0.3, 0.3, (4, 3, 3))
        scene = {f"o{i}": ccd.Surface(v, NONE, np.array([[0, 1, 2]], np.int32)) for i, v in enumerate(x)}
        path = ccd.robot.Path(one.joints, r.uniform(-1, 1, (5, len(one.joints))))
        report, searched = both(one, path, scene, min_separation=d)
        for ours, theirs in zip(report.edges, searched):
            seen.add(str(ours.verdict))
            assert ours.verdict == theirs.verdict, (ours, theirs)
            if ours.contact is not None:
                a, b = ours.contact, theirs.contact
                assert abs(a.s - b.s) < 1e-4 and abs(a.s_free - b.s_free) < 1e-4
                assert a.s_free <= a.s and a.values == pytest.approx(b.values, abs=1e-3)
                if a.s > 0:  # at the start several pairs may touch
                    assert (a.a, a.b, a.how) == (b.a, b.b, b.how)
                    assert np.allclose(a.point, b.point, atol=1e-2) and abs(np.linalg.norm(a.normal) - 1) < 1e-9
    assert {"free", "collides"} <= seen


def test_the_library_decides_and_what_it_does_not_have_is_searched(tmp_path, monkeypatch):
    """A search in Python is an error where the library decides; undecided edges and sizes beyond the library's need it."""
    one, wall = robot(tmp_path, ARM), {"plate": plate(0.9)}

    def fail(*_):
        raise AssertionError("searched in Python")

    monkeypatch.setattr(_check, "_Way", fail)
    assert ccd.robot.check(one, ccd.robot.Path(["turn"], [[0], [0.3]]), wall).free
    assert str(ccd.robot.check(one, ccd.robot.Path(["turn"], [[0], [2]]), wall).verdict) == "collides"
    cubic = ccd.robot.Path.polynomial(["turn"], [[[0], [0.1], [0.2], [0.3]]])
    assert ccd.robot.check(one, cubic, wall).free
    for path, options in (
        (ccd.robot.Path(["turn"], [[0], [2]]), {"max_steps": 1}),
        (ccd.robot.Path(["turn"], [[0], [2]]), {"tolerance": 1e100}),
        (ccd.robot.Path(["turn"], [[1e14], [1e14 + 1]]), {"continuous": "written"}),
    ):
        with pytest.raises(AssertionError, match="searched in Python"):
            ccd.robot.check(one, path, wall, **options)


def test_polynomials_have_the_verdicts_of_the_search(tmp_path):
    r, seen = np.random.default_rng(19), set()
    for degree in (2, 3, 5):
        one = robot(tmp_path, random_urdf(r, 5, ("box", "sphere", "capsule")))
        x = r.uniform(-1.2, 1.2, (4, 1, 3)) + r.uniform(-0.3, 0.3, (4, 3, 3))
        scene = {f"o{i}": ccd.Surface(v, NONE, np.array([[0, 1, 2]], np.int32)) for i, v in enumerate(x)}
        control = r.uniform(-1, 1, (3, degree + 1, len(one.joints)))
        control[1:, 0] = control[:-1, -1]
        report, searched = both(one, ccd.robot.Path.polynomial(one.joints, control), scene)
        for ours, theirs in zip(report.edges, searched):
            seen.add(str(ours.verdict))
            assert ours.verdict == theirs.verdict, (ours, theirs)
            if ours.contact is not None:
                assert abs(ours.contact.s_free - theirs.contact.s_free) < 1e-4
    assert {"free", "collides"} <= seen


def test_results_do_not_depend_on_threads_or_portions(tmp_path, monkeypatch):
    r = np.random.default_rng(5)
    one, wall = robot(tmp_path, ARM), {"plate": plate(0.9)}
    path = ccd.robot.Path(["turn"], r.uniform(-3, 3, (40, 1)))
    whole = ccd.robot.check(one, path, wall, threads=1)
    monkeypatch.setattr(_core, "_PORTION", 3)
    parts = ccd.robot.check(one, path, wall, threads=2)
    assert whole.edges == parts.edges and whole.count("free") > 0 and whole.count("collides") > 0


def test_the_library_names_what_is_wrong(tmp_path):
    """What the search in Python takes over is an error of the library first."""
    one = robot(tmp_path, ARM)
    bodies = _bodies.Bodies(one, {"plate": plate(0.9)})
    parts = _core._parts(bodies, [(0, 1)])
    with pytest.raises(ccd.InvalidIndexError, match=r"pairs\[0\] is \[0 7\]"):
        _core.Edges(parts._replace(pairs=np.array([[0, 7]], np.int32)))
    with pytest.raises(ccd.NonFiniteError, match=r"vertices\[2\]"):
        x = parts.vertices.copy()
        x[2, 1] = np.nan
        _core.Edges(parts._replace(vertices=x))
    with pytest.raises(ccd.ArgumentError, match=r"shapes\[1\].vertices is 4: 3 are left"):
        _core.Edges(parts._replace(vertices=parts.vertices[:-1]))
    edges = _core.Edges(parts)
    with pytest.raises(ccd.NonFiniteError, match=r"q1\[0\] is NaN"):
        edges.decide(np.zeros((1, 1)), np.full((1, 1), np.nan))
    with pytest.raises(ccd.ArgumentError, match="max_iterations"):
        edges.decide(np.zeros((1, 1)), np.zeros((1, 1)), max_iterations=-1)


def test_any_contact_of_equal_boxes_ends_soon():
    """Their faces stay in common planes, where no interval decides: the search breadth first did not end."""
    box = ccd.robot.Shape.box([8, 8, 8])
    slide = ccd.robot.JointModel.moving("slide", "prismatic", 0, 1, source=0, axis=(1, 0, 0))
    one = ccd.robot.Robot("slider", ["base", "box"], [[], [box]], [slide], ["slide"])
    bodies = _bodies.Bodies(one, {"wall": ccd.Surface(box.vertices, NONE, box.faces)})
    edges = _core.Edges(_core._parts(bodies, [(0, 1)]))
    [found] = edges.decide(np.array([[-20.0]]), np.array([[20.0]]), True, tolerance=1e-6, max_iterations=20000)
    assert found["verdict"] != _core.FREE and found["flags"] == 0 and found["iterations"] < 20000


def screwed():
    """A bar that turns about the z axis and rises along it, below a ceiling at the height 1."""
    lift = ccd.robot.JointModel.moving("lift", "prismatic", 0, 1, source=0)
    turn = ccd.robot.JointModel.moving("turn", "revolute", 1, 2, source=1)
    bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    one = ccd.robot.Robot("screw", ["base", "lift", "bar"], [[], [], [bar]], [lift, turn], ["lift", "turn"])
    x, none = np.array([[-2, -2, 1], [2, -2, 1], [0, 3, 1.0]]), np.empty((0, 2), np.int32)
    return one, {"ceiling": ccd.Surface(x, none, np.array([[0, 1, 2]], np.int32))}


def test_edges_of_many_turns_are_decided():
    """The library looks at more parts where joints turn far, so that no search in Python takes minutes."""
    one, ceiling = screwed()
    report = ccd.robot.check(one, ccd.robot.Path(["lift", "turn"], [[0, 0], [0.9, 2e5]]), ceiling)
    assert str(report.verdict) == "free" and report.edges[0].steps > 100000


def test_a_search_begins_where_the_library_ends(monkeypatch):
    """What the library proves of an edge before its parts are spent is not searched again, and what is hopeless not at all."""
    one, ceiling = screwed()
    begins, run = [], _check._Sweep.run
    monkeypatch.setattr(_check._Sweep, "run", lambda self, begin, until: (begins.append(begin), run(self, begin, until))[1])

    def check(top, turns):
        path = ccd.robot.Path(["lift", "turn"], [[0, 0], [top, turns]])
        return ccd.robot.check(one, path, ceiling, max_steps=100)

    free, hits, left = check(0.94, 100), check(0.96, 100), check(0.94, 1e5)
    assert str(free.verdict) == "free" and 100 < free.edges[0].steps < 200
    assert str(hits.verdict) == "collides" and begins[1] <= hits.contact.s_free
    assert 0.95 - 1e-6 <= hits.contact.values[0] <= 0.95 + 1e-4
    assert (str(left.verdict), left.edges[0].reason, left.contact.s_free) == ("undecided", "iterations", begins[2])
    assert len(begins) == 3 and min(begins[:2]) > 0.5 and 0 < begins[2] < 0.01 and 400 <= left.edges[0].steps <= 502
