"""Allowed pairs that are proposed, objects that are attached, padding, and separations of pairs."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import ccd
from ccd._inner.edges import edge_dtype
from ccd.robot import Checker, JointModel, Path, Robot, Shape, _core, _propose, propose_allowed

BAR = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])


def arm(count, *, kinds=None, gap=0.2, limit=2.5, shapes=None, multiplier=1.0):
    """Bars on joints, each above the one before, so that links two apart never touch."""
    names = [f"l{i}" for i in range(count + 1)]
    joints = []
    for i in range(count):
        kind = (kinds or ["revolute"] * count)[i]
        limits = {} if kind == "continuous" else {"lower": -limit, "upper": limit}
        joints.append(JointModel.moving(f"j{i}", kind, i, i + 1, i, position=(i > 0, 0, gap), **limits))
    return Robot("arm", names, [[BAR]] + [[s] for s in shapes or [BAR] * count], joints, [j.name for j in joints])


def by_pair(found):
    return {(p.a, p.b): p for p in found}


def test_pairs_of_bars_above_each_other_are_proven_apart():
    """Through one joint, two, and three; a bar that is low enough touches."""
    found = by_pair(propose_allowed(arm(3), samples=50))
    assert all(found[f"l{i}", f"l{i + 1}"].reason == "adjacent" for i in range(3))
    others = [p for p in found.values() if p.reason != "adjacent"]
    assert len(others) == 3 and all(p.reason == "never" and p.proven and p.touching == 0 for p in others)
    low = Shape.box([0.1, 0.1, 1.0]).placed(np.eye(3), [0.9, 0, -0.4])
    found = by_pair(propose_allowed(arm(3, shapes=[BAR, BAR, low]), samples=2000))
    assert found["l2", "l3"].reason == "adjacent"
    assert all(0 < found[p].touching < 1 for p in (("l0", "l3"),) if p in found)


def test_a_proven_pair_touches_in_no_configuration():
    """Random arms, whose pairs are looked at in many more configurations than those that they were proposed by."""
    r, proven, unproven = np.random.default_rng(6), 0, 0
    for _ in range(6):
        shapes = [Shape.box(r.uniform(0.1, 0.5, 3)).placed(np.eye(3), r.uniform(-0.3, 0.6, 3)) for _ in range(4)]
        kinds = r.choice(["revolute", "continuous", "prismatic"], 4)
        one = arm(4, kinds=list(kinds), gap=0.35, limit=1.0, shapes=shapes)
        low = [-np.pi if k == "continuous" else -1.0 for k in kinds]
        q = r.uniform(low, -np.array(low), (4000, 4))
        for p in propose_allowed(one, samples=100, max_edges=400):
            if p.reason != "never":
                continue
            rest = [pair for pair in one.links if pair not in (p.a, p.b)]
            alone = Robot(
                "two", one.links, [[] if n in rest else s for n, s in zip(one.links, one._shapes)], one._tree.joints, one.joints
            )
            seen = Checker(alone).free(q)
            proven, unproven = proven + p.proven, unproven + (not p.proven)
            assert not p.proven or seen.all(), (p, q[~seen][0])
    assert proven > 5 and unproven > 0


def test_the_rates_bound_how_distances_change():
    """Distances of points of two links change by at most the sum of |change of a joint| W, and one joint comes close to it."""
    r, largest = np.random.default_rng(11), 0.0
    for _ in range(20):
        kinds = list(r.choice(["revolute", "continuous", "prismatic"], 5))
        shapes = [Shape.box(r.uniform(0.1, 0.5, 3)).placed(np.eye(3), r.uniform(-1, 1, 3)) for _ in range(5)]
        one = arm(5, kinds=kinds, gap=0.3, limit=1.0, shapes=shapes)
        joints = [replace(j, parent=max(0, j.parent - r.integers(0, 3)), axis=turned(r)) for j in one._tree.joints]
        one = Robot("tree", one.links, one._shapes, joints, one.joints)
        low = np.array([-np.pi if k == "continuous" else -1.0 for k in kinds])
        for a, b in [(one.links[i], one.links[j]) for i in range(1, 6) for j in range(i)]:
            rates = _propose._Pair(one, a, b, 1).between(low, -low)
            for _ in range(10):
                q0, q1 = r.uniform(low, -low, (2, 5))
                q1 = np.where(r.random(5) < 0.5, q0, q1) if r.random() < 0.7 else q0 + 1e-3 * (np.arange(5) == r.integers(5))
                before, after = (points(one, q, a, b) for q in (q0, q1))
                bound = sum(abs(q1[k] - q0[k]) * rate for k, rate in rates.items())
                change = np.abs(before - after).max()
                assert change <= bound + 1e-12
                largest = max(largest, change / bound) if bound > 0 else largest
    assert largest > 0.8


def test_a_slide_lengthens_what_turns():
    """A cube at the end of a slide that turns about the base moves as far as the slide is out."""
    cube = Shape.box([0.2, 0.2, 0.2])
    turn = JointModel.moving("turn", "revolute", 0, 1, 0, lower=-1, upper=1)
    slide = JointModel.moving("slide", "prismatic", 1, 2, 1, axis=(1, 0, 0), lower=-3, upper=1)
    one = Robot("r", ["a", "b", "c"], [[cube.placed(np.eye(3), [-3, 0, 0])], [], [cube]], [turn, slide], ["turn", "slide"])
    rates = _propose._Pair(one, "a", "c", 1).between(np.array([-1.0, -3.0]), np.array([1.0, 1.0]))
    change = np.abs(points(one, [0.1, -3], "a", "c") - points(one, [0.11, -3], "a", "c")).max()
    assert 0.9 * 0.01 * rates[0] < change <= 0.01 * rates[0] and rates[1] == pytest.approx(1)


def turned(r):
    axis = r.normal(size=3)
    return axis / np.linalg.norm(axis)


def points(one, q, a, b):
    """Distances between all vertices of two links."""
    at = [one.surface(n)[0] @ one.place(q)[n][:3, :3].T + one.place(q)[n][:3, 3] for n in (a, b)]
    return np.linalg.norm(at[0][:, None] - at[1], axis=2)


def test_a_contact_in_a_corner_of_the_ranges_is_not_proven_away():
    """A post meets another where one joint is within 0.005 of its limit alone, which few samples see."""
    thin = Shape.box([0.004, 0.004, 2])
    first = JointModel.moving("j0", "revolute", 0, 1, 0, lower=0, upper=3)
    for upper, proven in (3.1415, False), (3.1, True):
        second = JointModel.moving("j1", "revolute", 1, 2, 1, position=(1, 0, 0), lower=0, upper=upper)
        post = thin.placed(np.eye(3), [0.999, 0, 0])
        one = Robot("r", ["a", "b", "c"], [[thin], [Shape.ball(0.01)], [post]], [first, second], ["j0", "j1"])
        found = by_pair(propose_allowed(one, samples=20, max_edges=20000))["a", "c"]
        assert found.reason == "never" and found.proven == proven


def test_always_and_rest_and_mimics():
    ball = Shape.ball(0.3)
    joints = [JointModel.moving(f"j{i}", "revolute", i, i + 1, i, position=(0, 0, 0.2), lower=-1, upper=1) for i in range(2)]
    one = Robot("r", ["a", "b", "c"], [[ball], [], [ball]], joints, ["j0", "j1"])
    [p] = propose_allowed(one, samples=20)
    assert (p.a, p.b, p.reason, p.proven, p.touching) == ("a", "c", "always", False, 1.0)
    far = Shape.ball(0.3).placed(np.eye(3), [0.5, 0, 0])
    [p] = propose_allowed(Robot("r", ["a", "b", "c"], [[far], [], [far]], joints, ["j0", "j1"]), samples=99)
    assert p.reason == "rest" and p.proven and 0 < p.touching < 1
    half = replace(joints[1], source=0, multiplier=-1.0)  # b turns back what a turns
    post = Shape.box([0.1, 0.1, 0.1]).placed(np.eye(3), [1, 0, 0])
    mimic = Robot(
        "r",
        ["a", "b", "c"],
        [[Shape.box([0.1, 0.1, 0.1]).placed(np.eye(3), [0, 1, 0.4])], [], [post]],
        [joints[0], half],
        ["j0"],
    )
    [p] = propose_allowed(mimic, samples=20)
    assert p.reason == "never" and p.proven


def test_proposals_are_the_same_for_any_number_of_threads_and_are_written(tmp_path):
    one = arm(3)
    assert propose_allowed(one, samples=30, threads=1) == propose_allowed(one, samples=30, threads=2)
    found = propose_allowed(one, samples=30)
    file = tmp_path / "arm.srdf"
    ccd.robot.write_allowed(file, one, found)
    text = file.read_text()
    assert 'reason="Never (proven)"' in text and 'reason="Adjacent"' in text
    assert ccd.robot.read_allowed(file, one) == [(p.a, p.b) for p in found]
    free = one.allow(found)
    assert propose_allowed(free, samples=30) == [] and ccd.robot.check(free, Path(free.joints, [[0] * 3, [1] * 3])).pairs == 0
    ccd.robot.write_allowed(file, free)
    assert sorted(map(sorted, ccd.robot.read_allowed(file, one))) == sorted(map(list, free.allowed))


# ---- attached objects


def test_a_tool_moves_with_its_link_and_is_tested():
    one = arm(2).allow([("l0", "l1"), ("l1", "l2")])
    path = Path(one.joints, [[0, 0], [1, 0.5]])
    scene = {"post": ccd.Surface(Shape.box([0.1, 0.1, 9]).vertices + np.array([2.2, 0.6, 0]), [], Shape.box([1, 1, 1]).faces)}
    assert ccd.robot.check(one, path, scene).free
    tool = one.attach("tool", "l2", Shape.box([0.5, 0.05, 0.05]).placed(np.eye(3), [1.2, 0, 0]))
    report = ccd.robot.check(tool, path, scene)
    assert tool.attached == ("tool",) and {report.contact.a, report.contact.b} == {"tool", "post"}
    assert tool.detach("tool").links == one.links and ccd.robot.check(tool.detach("tool"), path, scene).free
    assert one.attached == () and "tool" not in one.links
    assert ccd.robot.check(tool, path, {}).pairs == 1 + ccd.robot.check(one, path, {}).pairs + 1  # with l0 and l1, not with l2


def test_a_part_is_attached_where_it_is():
    """A grasped part is where it was in the scene, and the gripper's neighbors may touch it."""
    one, q = arm(2).allow([("l0", "l1"), ("l1", "l2")]), [0.7, -1.1]
    tip = one.place(q)["l2"] @ [1.0, 0.2, 0.3, 1.0]
    part = Shape.box([0.1, 0.2, 0.3]).placed(np.eye(3), tip[:3])
    carrying = one.attach("part", "l2", ccd.Surface(part.vertices, [], part.faces), at=q, touching=["l1"])
    x = carrying.surface("part")[0]
    pose = carrying.place(q)["part"]
    assert np.allclose(x @ pose[:3, :3].T + pose[:3, 3], part.vertices, atol=1e-12)
    assert ("l1", "part") in carrying.allowed
    second = carrying.attach("lid", "part", Shape.ball(0.1))
    assert second.attached == ("part", "lid")
    with pytest.raises(ccd.ArgumentError, match="it carries 'lid'; detach that first"):
        second.detach("part")
    assert second.detach("lid").detach("part").allowed == one.allowed


def test_a_pad_is_a_distance_and_so_is_a_separation():
    """A wall at a known distance from a bar that slides beside it."""
    slide = JointModel.moving("s", "prismatic", 0, 1, 0, axis=(1, 0, 0), lower=0, upper=1)
    one = Robot("r", ["base", "bar"], [[], [BAR]], [slide], ["s"])
    walls = {
        name: ccd.Surface(np.array([[-9, y, -9], [9, y, -9], [0, y, 9.0]]), [], [[0, 1, 2]])
        for name, y in (("near", 0.05 + 0.02), ("far", -0.05 - 0.03))
    }
    path = Path(["s"], [[0], [1]])
    curve = Path.polynomial(["s"], [[[0], [0.3], [0.4], [1]]])
    for way in (path, curve):
        assert ccd.robot.check(one, way, walls).free
        assert ccd.robot.check(one.pad(0.019), way, walls).free
        assert ccd.robot.check(one.pad({"bar": 0.021}), way, walls).contact.b == "near"
        both = {("bar", "near"): 0.019, ("far", "bar"): 0.031}
        report = ccd.robot.check(one, way, walls, separations=both)
        assert report.contact.b == "far" and report.contact.how == "near"
        assert ccd.robot.check(one, way, walls, separations={("bar", "near"): 0}, min_separation=0.029).free
        assert ccd.robot.check(one, way, walls, separations={("bar", "near"): 0}, min_separation=0.031).contact.b == "far"
    q0, q1 = [[0.0]], [[1.0]]
    assert Checker(one, walls, separations={("bar", "far"): 0.029}).free(q0, q1).all()
    assert not Checker(one, walls, separations={("bar", "far"): 0.031}).free(q0, q1).any()


def test_the_first_contact_of_all_separations_is_reported():
    one = arm(2).allow([("l0", "l1"), ("l1", "l2"), ("l0", "l2")])
    r = np.random.default_rng(9)
    walls = {f"w{i}": ccd.Surface(2 * r.normal(size=(3, 3)) + [1, 0, 0.3], [], [[0, 1, 2]]) for i in range(4)}
    path = Path(one.joints, r.uniform(-2, 2, (30, 2)))
    apart = {("l2", "w1"): 0.2, ("l1", "w2"): 0.1, ("l2", "w3"): 0.05}
    report = ccd.robot.check(one, path, walls, separations=apart)
    singly = [
        ccd.robot.check(one, path, {n: w}, separations={p: d for p, d in apart.items() if n in p}) for n, w in walls.items()
    ]
    seen = 0
    for k, edge in enumerate(report.edges):
        hits = [s.edges[k].contact for s in singly if s.edges[k].contact is not None]
        assert (edge.contact is None) == (not hits)
        if hits:
            seen += 1
            first = min(hits, key=lambda c: c.s)
            assert edge.contact.s == pytest.approx(first.s, abs=1e-5) and edge.contact.s_free <= min(h.s for h in hits)
    assert 3 < seen < 30


def test_groups_of_pairs_together_have_the_first_contact():
    """In each order: free only if all are, undecided if one is, and free before the least s_free of all."""
    rows = {"free": (1, 1.0, 1.0), "late": (2, 0.7, 0.1), "soon": (2, 0.4, 0.3), "open": (0, 0.2, 0.2)}
    record = lambda name: np.array([(rows[name][0], 0, 0, 0, 0, 0, *rows[name][1:], 0, 0, 5)], edge_dtype)  # noqa: E731
    for names in itertools.permutations(rows, 3):
        [found] = _core.together([record(name) for name in names])
        assert found["iterations"] == 15 and found["s_free"] == min(rows[name][2] for name in names)
        if "open" in names:
            assert found["verdict"] == 0
        else:
            assert found["verdict"] == 2 and found["s"] == 0.4
    assert _core.together([record("free")] * 2)["verdict"] == [1]


def test_errors_say_what_to_do():
    one = arm(2)
    slide = Robot("r", ["a", "b"], [[BAR], [BAR]], [JointModel.moving("s", "prismatic", 0, 1, 0)], ["s"])
    for call, message in (
        (lambda: propose_allowed("x"), "robot is str"),
        (lambda: propose_allowed(one, samples=0), "samples is 0"),
        (lambda: propose_allowed(slide), r"joint 's' has limits \[-inf, inf\]: give bounds\['s'\]"),
        (lambda: propose_allowed(one, bounds={"j9": (0, 1)}), "bounds: 'j9' is no joint"),
        (lambda: propose_allowed(one, bounds={"j0": (0, 1, 2)}), r"bounds\['j0'\] has 3 numbers"),
        (lambda: one.attach("l1", "l2", BAR), "name is 'l1', which is a link"),
        (lambda: one.attach("t", "l7", BAR), "link is 'l7'"),
        (lambda: one.attach("t", "l1", "box"), "shapes is str"),
        (lambda: one.attach("t", "l1", BAR, touching="l2"), "touching is str"),
        (lambda: one.attach("t", "l1", BAR, touching=["l9"]), r"touching\[0\] is 'l9'"),
        (lambda: one.attach("t", "l1", BAR, at=[0]), "values has 1 items"),
        (lambda: one.detach("l1"), "name is 'l1': must be an attached object .none is."),
        (lambda: one.pad(-1), "distance is -1"),
        (lambda: one.pad({"l9": 1}), "distance is 'l9'"),
        (lambda: one.pad({"l1": float("inf")}), r"distance\['l1'\] is inf"),
        (lambda: one.allow(3), "pairs is int"),
        (lambda: one.allow([("l0", "x")]), "'x' is no link"),
        (lambda: ccd.robot.write_allowed("x.srdf", one, [("l0", "x")]), r"pairs\[0\] is 'x'"),
        (lambda: Checker(one, separations={("l0", "w"): 1}), "separations: 'w' is no link with shapes"),
        (lambda: Checker(one, separations={("l0", "l1"): -1}), r"separations\[.*\] is -1"),
        (lambda: Checker(one.allow([("l0", "l1")]), separations={("l0", "l1"): 1}), "this pair is not tested"),
        (lambda: Checker(one, separations=3), "separations is int"),
    ):
        with pytest.raises(ccd.Error, match=message):
            call()
    assert propose_allowed(slide, bounds={"s": (3, 4)}, samples=5)[0].reason == "adjacent"
