"""Joints with several values, planar, floating, free and ball, and joints that follow by polynomials."""

import dataclasses
import math

import numpy as np
import pytest
from robots import robot, tree, yourdfpy  # noqa: F401  # the fixtures skip where URDF files are not read

import ccd
from ccd.robot import JointModel, Path, Robot, Shape, _expand, _joint

BAR = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
FLOATING = ("trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z", "rot_w")
URDF = tree(
    ("world", "base", "body", "arm"),
    ("cart", "planar", "world", "base", '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'),
    ("fly", "floating", "base", "body", '<origin xyz="1 -2 3" rpy="-1 0.2 0.3"/>'),
    ("turn", "continuous", "body", "arm", '<origin xyz="1 0 0" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>'),
)


def names(joint, parts=FLOATING):
    return [f"{joint}/{part}" for part in parts]


def flying(kind="floating", shape=BAR):
    return Robot(
        "one", ["world", "bar"], [[], [shape]], [JointModel.several("b", kind, 0, 1, 0)], names("b", _joint.PARTS[kind])
    )


def ceiling(z):
    return ccd.Surface(np.array([[-9, -9, z], [9, -9, z], [0, 9, z]]), [], [[0, 1, 2]])


def rotation(q):
    """The matrix of a quaternion x, y, z, w of any length, in long doubles."""
    x, y, z, w = q.astype(np.longdouble) / np.sqrt((q.astype(np.longdouble) ** 2).sum())
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def long_slerp(p, q, s):
    """Slerp by its textbook formula, in long doubles."""
    p, q = (x.astype(np.longdouble) / np.sqrt((x.astype(np.longdouble) ** 2).sum()) for x in (p, q))
    q = -q if p @ q < 0 else q
    theta = 2 * np.arctan2(np.sqrt(((p - q) ** 2).sum()), np.sqrt(((p + q) ** 2).sum()))
    if theta < 1e-9:
        return p + s * (q - p)
    return (np.sin((1 - s) * theta) * p + np.sin(s * theta) * q) / np.sin(theta)


def test_names_are_those_of_moveit(tmp_path):
    one = robot(tmp_path, URDF)
    assert one.joints == (*names("cart", ("x", "y", "theta")), *names("fly"), "turn")
    assert one.continuous == ("cart/theta", "turn")
    assert one.allowed == [("arm", "body"), ("base", "body"), ("base", "world")]


def test_places_are_those_of_pinocchio(tmp_path):
    pinocchio = pytest.importorskip("pinocchio", reason="pinocchio is not installed")
    one, model, r = robot(tmp_path, URDF), pinocchio.buildModelFromXML(URDF), np.random.default_rng(1)
    data = model.createData()
    for _ in range(20):
        q = r.normal(size=11)
        q[6:10] /= np.linalg.norm(q[6:10])
        turn = [np.cos(q[2]), np.sin(q[2])], [np.cos(q[10]), np.sin(q[10])]
        pinocchio.framesForwardKinematics(model, data, np.concatenate([q[:2], turn[0], q[3:10], turn[1]]))
        for link, pose in one.place(q).items():
            there = data.oMf[model.getFrameId(link, pinocchio.FrameType.BODY)].homogeneous
            assert np.allclose(pose, there, rtol=0, atol=1e-13)


def test_places_are_slides_and_a_rotation(tmp_path):
    one, r = robot(tmp_path, URDF), np.random.default_rng(2)
    before = one.place({})["body"]
    for _ in range(20):
        q = r.normal(size=11) * r.choice([1e-3, 1, 1e5])
        q[:3] = 0
        body = one.place(q)["body"]
        assert np.allclose(body[:3, :3], before[:3, :3] @ rotation(q[6:10]).astype(float), rtol=0, atol=1e-14)
        assert np.allclose(body[:3, 3], before[:3, 3] + before[:3, :3] @ q[3:6], rtol=1e-14, atol=1e-14)
    flat = one.place({"cart/x": 1, "cart/y": 2, "cart/theta": 0.5})["base"]
    start = one.place({})["base"]
    turn = np.array([[np.cos(0.5), -np.sin(0.5), 0], [np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]])
    assert np.allclose(flat[:3, :3], start[:3, :3] @ turn, rtol=0, atol=1e-15)
    assert np.allclose(flat[:3, 3], start[:3, 3] + start[:3, :3] @ [1, 2, 0], rtol=0, atol=1e-15)


def test_turns_are_slerp_within_the_bound():
    """The five turns, in long doubles, are off slerp by less than what the proofs count."""
    r = np.random.default_rng(3)
    start, end = r.normal(size=(2, 300, 4))
    end[:50] = start[:50] * r.choice([-1, 1, 3], (50, 1)) + r.normal(size=(50, 4)) * 10.0 ** r.uniform(-17, -3, (50, 1))
    start[50:100, 2], start[100:110] = 0, [0, 0, 0, 1]
    start[110:130, :2], end[110:130, :2] = 0, 0  # about z, where two of the turns are one
    first, last = _expand.slerp(start, end)
    worst = 0.0
    for p, q, a, b in zip(start, end, first, last):
        for s in (0.0, 0.3, 1.0):
            found = np.eye(3, dtype=np.longdouble)
            for axis, angle in zip("zyzyz", a.astype(np.longdouble) + s * (b.astype(np.longdouble) - a)):
                c, n = np.cos(angle), np.sin(angle)
                found = found @ np.array(
                    [[c, -n, 0], [n, c, 0], [0, 0, 1]] if axis == "z" else [[c, 0, n], [0, 1, 0], [-n, 0, c]]
                )
            true = rotation(long_slerp(p, q, np.longdouble(s)).astype(np.longdouble))
            worst = max(worst, float(np.linalg.norm((found - true).astype(float), 2)))
    assert 1e-17 < worst < _expand._TURN_ERROR / 4


def test_values_go_there_and_back():
    one, r = flying("free"), np.random.default_rng(4)
    for q in r.normal(size=(20, 7)):
        q[3:] /= np.linalg.norm(q[3:]) * np.sign(q[3])
        assert np.allclose(one._tree.outer(one._tree.row(q)), q, rtol=0, atol=1e-14)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_bar_turns_up_the_short_way(sign):
    """From flat to upright: its upper corner is at z = sin a + 0.05 cos a, and meets a ceiling at 0.5."""
    one, half = flying(), np.pi / 4
    rows = [[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, -sign * np.sin(half), 0, sign * np.cos(half)]]
    path = Path(one.joints, rows)
    a = np.arcsin(0.5 / np.hypot(1, 0.05)) - np.arctan(0.05)
    report = ccd.robot.check(one, path, {"ceiling": ceiling(0.5)})
    assert report.contact.s == pytest.approx(a / (np.pi / 2), abs=1e-6) and report.contact.s_free <= report.contact.s
    values = report.contact.values
    assert values[:3] == (0, 0, 0) and np.allclose(values[3:], [0, -np.sin(a / 2), 0, np.cos(a / 2)], atol=1e-6)
    assert ccd.robot.check(one, path, {"ceiling": ceiling(1.01)}).free
    checker = ccd.robot.Checker(one, {"ceiling": ceiling(0.5)})
    assert checker.free_until(*rows) == pytest.approx(report.contact.s, abs=1e-6)
    assert checker.free(rows, [rows[1], rows[1]]).tolist() == [False, False] and checker.free(rows[0])
    gap = ccd.robot.clearance(one, path, {"ceiling": ceiling(1.25)})[0].gap
    assert gap.lo == pytest.approx(1.25 - np.hypot(1, 0.05), abs=2e-6)


def test_verdicts_agree_with_samples():
    """Two boxes on floating joints that slide and turn between random poses: crossings at samples, by vertices inside."""
    r = np.random.default_rng(5)
    boxes = [Shape.box([0.6, 0.3, 0.2]), Shape.box([0.5, 0.2, 0.3])]
    joints = [JointModel.several("p", "floating", 0, 1, 0), JointModel.several("q", "ball", 0, 2, 7, position=(0.2, 0, 0))]
    one = Robot(
        "two", ["world", "a", "b"], [[], [boxes[0]], [boxes[1]]], joints, [*names("p"), *names("q", _joint.PARTS["ball"])]
    )
    half = np.array([[0.3, 0.15, 0.1], [0.25, 0.1, 0.15]])
    seen = set()
    for _ in range(40):
        rows = r.normal(size=(2, 11)) * ([0.5] * 3 + [1] * 8)
        edge = ccd.robot.check(one, Path(one.joints, rows)).edges[0]
        seen.add(str(edge.verdict))
        until = 1.0 if edge.contact is None else edge.contact.s_free
        for s in np.linspace(0, 1, 41):
            poses = [np.eye(4), np.eye(4)]
            poses[0][:3, :3] = rotation(long_slerp(rows[0, 3:7], rows[1, 3:7], s))
            poses[1][:3, :3] = rotation(long_slerp(*(np.roll(row[7:], -1) for row in rows), s))
            poses[0][:3, 3], poses[1][:3, 3] = rows[0, :3] + s * (rows[1, :3] - rows[0, :3]), [0.2, 0, 0]
            touches = False
            for k in (0, 1):
                corners = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T * half[k]
                there = (corners @ poses[k][:3, :3].T + poses[k][:3, 3] - poses[1 - k][:3, 3]) @ poses[1 - k][:3, :3]
                touches = touches or bool((np.abs(there) < half[1 - k] - 1e-9).all(1).any())
            assert not (touches and s < until)
    assert seen == {"free", "collides"}


def test_planar_joints_go_the_short_way(tmp_path):
    one = Robot(
        "cart", ["world", "bar"], [[], [BAR]], [JointModel.several("c", "planar", 0, 1, 0)], names("c", ("x", "y", "theta"))
    )
    path = Path(one.joints, [[0, 0, 3.1], [0, 1, -3.1]])
    side = ccd.Surface(np.array([[0.5, -9, -9], [0.5, 9, -9], [0.5, 0, 9]]), [], [[0, 1, 2]])
    report = ccd.robot.check(one, path, {"side": side})
    assert report.free and report.edges[0].shorter[0].joint == "c/theta"
    assert not ccd.robot.check(one, path, {"side": side}, continuous="written").free


def test_what_floats_is_carried_saved_and_drawn(tmp_path):
    one = flying("free").attach("tool", "bar", Shape.ball(0.2).placed(np.eye(3), [1, 0, 0]))
    path = Path(one.joints, [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, -1, 0]])
    scene = {"ceiling": ceiling(0.5)}
    report = ccd.robot.check(one, path, scene)
    assert report.contact.a == "tool"
    small = ccd.robot.replay(one, path, report, scene)
    small.save(tmp_path / "edge.json")
    again = ccd.robot.read_replay(tmp_path / "edge.json").check()
    assert again.contact.s == pytest.approx(report.contact.s, abs=1e-9)
    page = ccd.view.Page("bar")
    page.add_robot(one, path, scene, report)
    assert len(page.impacts) == 1
    touching = ccd.robot.touching(one, report.contact.values, scene, min_separation=1e-3)
    assert ("tool", "ceiling") in {(c.a, c.b) for c in touching}


@pytest.mark.parametrize("kind", ["planar", "floating", "free"])
def test_a_robot_on_a_base_that_moves(tmp_path, kind):
    """Links are where they are on the base, which is moved as the base's joint says; the base meets the scene."""
    one, r = robot(tmp_path, URDF), np.random.default_rng(8)
    rover = one.mobile(kind, "drive", "odom").attach("tool", "arm", BAR)
    count = len(_joint.PARTS[kind])
    assert rover.links[0] == "odom" and rover.joints[count:] == one.joints and rover.attached == ("tool",)
    q = r.normal(size=count + len(one.joints))
    alone = Robot("b", ["odom", "b"], [[], []], [JointModel.several("b", kind, 0, 1, 0)], names("b", _joint.PARTS[kind]))
    moved = alone.place(q[:count])["b"]
    for link, pose in one.place(q[count:]).items():
        assert np.allclose(rover.place(q)[link], moved @ pose, rtol=0, atol=1e-13)
    box = Robot("box", ["box"], [[Shape.box([1, 1, 1])]], [], []).mobile("planar")
    wall = {"wall": ccd.Surface(np.array([[2, -9, -9], [2, 9, -9], [2, 0, 9.0]]), [], [[0, 1, 2]])}
    assert ccd.robot.check(box, Path(box.joints, [[0, 0, 0], [3, 0, 0]]), wall).contact.s == pytest.approx(0.5, abs=1e-6)
    for wrong in (("planar", "cart"), ("planar", "drive", "arm"), ("ball",)):
        with pytest.raises(ccd.ArgumentError, match="must be"):
            one.mobile(*wrong)


def test_obstacles_that_move():
    """A ball that flies past a bar that turns: they meet where both are at the same place at the same time."""
    turn = JointModel.moving("turn", "revolute", 0, 1, source=0)
    arm = Robot("arm", ["base", "arm"], [[], [Shape.ball(0.1).placed(np.eye(3), [1, 0, 0])]], [turn], ["turn"])
    both = arm.add("ball", Shape.ball(0.1)).add("other", Shape.ball(0.05), "ball", touching=["base"])
    assert both.joints == ("turn", *names("ball"), *names("other", _joint.PARTS["ball"]))
    still = [0, 0, 0, 1, 1, 0, 0, 0]
    ends = np.array([[0, 0, -1, 0, *still[:4], *still[4:]], [np.pi, 0, 3, 0, *still[:4], *still[4:]]])
    report = ccd.robot.check(both, Path(both.joints, ends))
    s = np.linspace(0, 1, 200001)
    apart = np.hypot(np.cos(np.pi * s), np.sin(np.pi * s) - (4 * s - 1)) - 0.2
    through = np.abs(4 * s - 1) - 0.15  # past the ball at the origin, which comes first
    first = s[np.flatnonzero((apart <= 0) | (through <= 0))[0]]
    assert report.contact.s == pytest.approx(first, abs=1e-5) and {report.contact.a, report.contact.b} == {"ball", "other"}
    alone = arm.add("ball", Shape.ball(0.1))
    found = ccd.robot.check(alone, Path(alone.joints, ends[:, :8]))
    hits = np.flatnonzero(apart <= 0)
    assert found.free if not len(hits) else found.contact.s == pytest.approx(s[hits[0]], abs=1e-5)
    for wrong in (("arm", BAR), ("turn", BAR), ("b", BAR, "screw"), ("b", 3), ("b", BAR, "planar", "arm")):
        with pytest.raises((ccd.ArgumentError, TypeError)):
            arm.add(*wrong)


def test_ranges_and_proposals_hold_for_all_turns():
    ball = Shape.ball(0.2).placed(np.eye(3), [1, 0, 0])
    post = Shape.ball(0.1)
    joint = JointModel.several("b", "ball", 0, 1, 0)
    one = Robot("one", ["world", "bar"], [[post], [ball]], [joint], names("b", _joint.PARTS["ball"]))
    assert [(p.reason, p.proven) for p in ccd.robot.propose_allowed(one, samples=20)] == [("adjacent", True)]
    near = Robot("one", ["world", "a", "bar"], [[post], [], [ball]], [
        JointModel.several("b", "ball", 0, 1, 0), JointModel.fixed("f", 1, 2)], names("b", _joint.PARTS["ball"]))  # fmt: skip
    assert [(p.reason, p.proven) for p in ccd.robot.propose_allowed(near, samples=20)] == [("never", True)]
    bar = flying()
    least, most = [0, 0, 0, 0, 0, 0, 1], [1, 1, 0.3, 0, 0, 0, 1]
    for z, word in ((0.4, "free"), (0.3, "collides")):
        assert str(ccd.robot.ranges(bar, least, most, {"c": ceiling(z)})[0].verdict) == word
    with pytest.raises(ccd.ArgumentError, match="lower and upper have different quaternions of joint 'b'"):
        ccd.robot.ranges(bar, least, [1, 1, 1, 1, 0, 0, 1])


def _on(control):
    """A check of a path of a body that floats."""
    return lambda one: ccd.robot.check(one, control(one.joints))


def _of(*joints, links=("world", "bar")):
    """A robot of other joints with the names of the same values."""
    return lambda one: Robot("r", links, [[]] * len(links), joints, one.joints)


_B = JointModel.several("b", "floating", 0, 1, 0)
_ROWS = np.eye(7)[[6, 5, 6]]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda one: one.place(np.zeros(7)), "values: the quaternion of joint 'b' on edge 0: must have a length above 0"),
        (_on(lambda _: Path(["b"], [[0], [1]])), "joint 'b' is floating: its values are b/trans_x, b/trans_y"),
        (_on(lambda joints: Path(joints, _ROWS).within({"b/rot_x": 1e-3})), "path.errors of a part of the quaternion"),
        (_on(lambda joints: Path.polynomial(joints, [_ROWS])), "joint 'b' turns on edge 0, of degree 2"),
        (_of(JointModel.several("b", "floating", 0, 1, 1)), "source is 1: must be at most 0: it has 7 variables"),
        (
            _of(_B, JointModel.moving("t", "revolute", 1, 2, 5), links=("a", "b", "c")),
            r"joints\[1\].source: 'b/rot_z' is a part of the quaternion of joints\[0\]",
        ),
        (_of(dataclasses.replace(_B, upper=1.0)), "it has no multiplier, offset, powers or limits"),
        (lambda _: JointModel.several("b", "screw", 0, 1, 0), "kind is 'screw'"),
        (lambda one: ccd.robot.propose_allowed(one, bounds={"b/rot_x": (0, 1)}), "joint 'b' turns in any way"),
    ],
)
def test_wrong_values_are_named(act, words):
    with pytest.raises(ccd.ArgumentError, match=words):
        act(flying())


@pytest.mark.parametrize(
    ("joint", "words"),
    [
        (("j", "planar", "a", "b", '<axis xyz="1 0 0"/>'), "joint 'j': axis is '1 0 0': of a planar joint it must be '0 0 1'"),
        (("j", "planar", "a", "b", '<axis xyz="0 0 -1"/>'), "of a planar joint it must be '0 0 1'"),
        (("j", "floating", "a", "b", '<mimic joint="k"/>'), "joint 'j' is floating and mimics 'k'"),
        (("j", "revolute", "a", "b", '<mimic joint="k"/>'), "joint 'j' mimics 'k', which is planar"),
    ],
)
def test_files_that_are_refused(tmp_path, joint, words):
    with pytest.raises(ccd.Error, match=words):
        robot(tmp_path, tree("abc", joint, ("k", "planar", "b", "c", "")))


# ---- joints that follow by polynomials

POWERS = (0.01, 0.2, 0.3, -0.1, 0.05)


def finger(coefficients=POWERS, **limits):
    drive = JointModel.moving("drive", "revolute", 0, 1, 0, lower=-2, upper=2)
    slide = JointModel.moving("finger", "prismatic", 0, 2, 0, axis=(0, 0, 1), **limits)
    slide = dataclasses.replace(slide, offset=coefficients[0], multiplier=coefficients[1], powers=tuple(coefficients[2:]))
    return Robot("gripper", ["base", "drive", "finger"], [[], [], [Shape.ball(0.05)]], [drive, slide], ["drive"])


def value(x, coefficients=POWERS):
    return float(np.polynomial.Polynomial(coefficients)(x))


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_a_joint_follows_by_a_polynomial(count):
    coefficients = np.append(POWERS, 0.02)[:count]
    one, x = finger(coefficients), 1.2
    assert one.place([x])["finger"][2, 3] == pytest.approx(value(x, coefficients), abs=1e-15)
    scene = {"ceiling": ceiling(value(x, coefficients) + 0.05)}
    report = ccd.robot.check(one, Path(["drive"], [[-1], [2]]), scene)
    assert report.contact.s == pytest.approx((x + 1) / 3, abs=1e-5)
    checker = ccd.robot.Checker(one, scene)
    assert checker.free([-1], [x - 1e-5]) and not checker.free([-1], [x + 1e-5]) and checker.free([x - 1e-4])
    assert checker.free_until([-1], [2]) == pytest.approx((x + 1) / 3, abs=1e-5)
    gap = ccd.robot.clearance(one, Path(["drive"], [[-1], [1]]), scene)[0].gap
    most = max(value(t, coefficients) for t in np.linspace(-1, 1, 2001))
    assert gap.lo == pytest.approx(value(x, coefficients) - most, abs=3e-6)


def test_limits_of_joints_that_follow_by_polynomials():
    left = ccd.robot.check(finger(upper=0.6), Path(["drive"], [[-1], [2]])).limits
    assert [one.joint for one in left] == ["finger"] and left[0].value == pytest.approx(value(2))
    root = next(x.real for x in (np.polynomial.Polynomial(POWERS) - 0.6).roots() if abs(x.imag) < 1e-9 and -1 < x.real < 2)
    assert left[0].s == pytest.approx((root + 1) / 3, abs=2.0**-19)


def test_ranges_of_joints_that_follow_by_polynomials():
    one, scene = finger(), {"ceiling": ceiling(value(1.2) + 0.05)}
    verdicts = [str(ccd.robot.ranges(one, [-1], [x], scene)[0].verdict) for x in (1.19, 1.3)]
    assert verdicts == ["free", "undecided"]  # where they meet in the box, the polynomial need not be


def test_curved_drives_are_refused():
    path = Path.hermite(["drive"], [[0], [1]], [[0], [0]], [0, 1])
    with pytest.raises(
        ccd.ArgumentError, match="'finger' follows a variable by a polynomial of degree 4, and that one does not go"
    ):
        ccd.robot.check(finger(), path)
    with pytest.raises(ccd.ArgumentError, match=r"q1: 'drive' is 5\.0 on edge 0: must be within 4 here"):
        ccd.robot.Checker(finger()).free([0], [5])
    with pytest.raises(ccd.ArgumentError, match=r"joints\[1\].powers is \[.*\]: must be at most 4 numbers"):
        finger([0, 1, math.inf])


def test_polynomials_err_within_their_bound():
    r = np.random.default_rng(6)
    for _ in range(200):
        c = r.normal(size=6) * 10.0 ** r.uniform(-2, 2, 6)
        one = finger(c)
        x0, x1 = r.uniform(-2, 2, 2)
        control = one._tree.inner(np.array([[[x0], [x1]]]), "q")[0, :, 1].astype(np.longdouble)
        off = one._tree.errors(np.zeros(1), np.array([2.0]), "e")[1]
        for s in np.linspace(0, 1, 7, dtype=np.longdouble):
            here = sum(math.comb(5, k) * s**k * (1 - s) ** (5 - k) * control[k] for k in range(6))
            x = x0 + s * (np.longdouble(x1) - x0)
            assert abs(here - sum(np.longdouble(a) * x**k for k, a in enumerate(c))) <= off


def test_couplings_of_a_body_that_floats():
    """A cam lifts a ball on a body that slides and turns: the ceiling is met by the lift, the wall by the turn."""
    ball = Shape.ball(0.1).placed(np.eye(3), [1, 0, 0])
    joints = [
        JointModel.several("b", "floating", 0, 1, 0),
        JointModel.moving("cam", "revolute", 1, 2, 7),
        JointModel.moving("lift", "prismatic", 1, 3, 8, axis=(0, 0, 1)),
        dataclasses.replace(JointModel.moving("far", "prismatic", 3, 4, 7, axis=(1, 0, 0)), multiplier=0.0, powers=(0.05,)),
    ]
    one = Robot("cam", ["w", "b", "c", "l", "f"], [[], [], [], [], [ball]], joints, [*names("b"), "cam", "lift"])
    cam = ccd.robot.Coupling("cam", ["lift"], [0, 1, 2], [[[0], [0], [0.2], [0.3]], [[0.3], [0.4], [0.6], [0.6]]])
    rows = [[0, 0, 0, 0, 0, 0, 1, 0.5], [0, 0, 0.4, 0, 0, -np.sin(0.75), -np.cos(0.75), 1.9]]  # a turn of 1.5 about z
    s = np.linspace(0, 1, 100001)
    x = 0.5 + 1.4 * s
    lift = np.array([cam.follow(Path(["cam"], [[v], [2]])).at(0, 0)[1] for v in x[::1000]])
    lift = np.interp(x, x[::1000], lift)
    radius = 1 + 0.05 * x**2
    for obstacle, gap in (
        (ceiling(0.6), 0.6 - 0.4 * s - lift - 0.1),
        (
            ccd.Surface(np.array([[-9, 0.7, -9], [9, 0.7, -9], [0, 0.7, 9.0]]), [], [[0, 1, 2]]),
            0.7 - radius * np.sin(1.5 * s) - 0.1,
        ),
    ):
        checker = ccd.robot.Checker(one, {"o": obstacle}, couplings=[cam])
        until = s[np.flatnonzero(gap <= 0)[0]]
        assert checker.joints == (*names("b"), "cam")
        assert checker.free_until(*rows) == pytest.approx(until, abs=2e-4)
        middle = [rows[0][k] + (until - 1e-3) * (rows[1][k] - rows[0][k]) for k in range(8)]
        middle[5:7] = np.sin(0.75 * (until - 1e-3)), np.cos(0.75 * (until - 1e-3))
        assert checker.free(rows[0], middle) and not checker.free(*rows)
    with pytest.raises(ccd.ArgumentError, match=r"q1: 'cam' is 2\.5 on edge 0: must be"):
        checker.free(rows[0], [*rows[1][:7], 2.5])
