"""Paths of robots: kinematics, radii, verdicts on adversarial paths, and what is rejected."""

import dataclasses
import fractions
import itertools
import json
import math

import numpy as np
import pytest

import ccd
from ccd.cli import main
from ccd.robot import Shape, _bodies, _certify, _check, _limits

yourdfpy = pytest.importorskip("yourdfpy", reason="yourdfpy is not installed: robots are not tested")

NONE = np.empty((0, 2), np.int32)
ARM = """<robot name="arm"><link name="base"/><link name="arm"><collision><origin xyz="0.5 0 0"/>
  <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""
TIP = math.hypot(1, 0.05)  # how far the arm reaches from its axis


def robot(tmp_path, text, **options):
    (tmp_path / "robot.urdf").write_text(text)
    return ccd.robot.read(tmp_path / "robot.urdf", **options)


def plate(y, half=0.2, z=0.3):
    """A rectangle across the y axis, at the height y."""
    x = [[-half, y, -z], [half, y, -z], [half, y, z], [-half, y, z]]
    return ccd.Surface(np.array(x), NONE, np.array([[0, 1, 2], [0, 2, 3]], np.int32))


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def random_urdf(r, count, shapes=("box",)):
    """A tree of random joints of all kinds, with a joint that mimics another."""
    out = ['<robot name="random"><link name="l0"/>']
    for i in range(1, count):
        kind = "revolute" if i == 1 else r.choice(["revolute", "continuous", "prismatic", "fixed"], p=[0.5, 0.2, 0.2, 0.1])
        axis = r.normal(size=3)
        size = r.uniform(0.05, 0.3, 3)
        shape = {
            "box": f'<box size="{numbers(size)}"/>',
            "sphere": f'<sphere radius="{size[0]}"/>',
            "cylinder": f'<cylinder radius="{size[0]}" length="{size[1]}"/>',
            "capsule": f'<capsule radius="{size[0]}" length="{size[1]}"/>',
        }[r.choice(shapes)]
        origin = [f'<origin xyz="{numbers(r.uniform(-s, s, 3))}" rpy="{numbers(r.uniform(-3, 3, 3))}"/>' for s in (0.2, 0.5)]
        mimic = '<mimic joint="j1" multiplier="-0.5" offset="0.1"/>' if i == 4 and kind != "fixed" else ""
        out.append(f'<link name="l{i}"><collision>{origin[0]}<geometry>{shape}</geometry></collision></link>')
        out.append(f'<joint name="j{i}" type="{kind}"><parent link="l{r.integers(max(0, i - 2), i)}"/><child link="l{i}"/>')
        out.append(f'{origin[1]}<axis xyz="{numbers(axis / np.linalg.norm(axis))}"/>{mimic}</joint>')
    return "\n".join([*out, "</robot>"])


# ---- kinematics


def test_places_are_those_of_yourdfpy(tmp_path):
    r = np.random.default_rng(1)
    for _ in range(10):
        one = robot(tmp_path, random_urdf(r, 9))
        other = yourdfpy.URDF.load(str(tmp_path / "robot.urdf"))
        for _ in range(5):
            q = r.uniform(-3, 3, len(one.joints))
            other.update_cfg(dict(zip(one.joints, q)))
            for link, matrix in one.place(q).items():
                assert np.allclose(matrix, other.get_transform(link, one.links[0]), rtol=0, atol=1e-14)


def test_places_are_those_of_the_chain_of_motions(tmp_path):
    r = np.random.default_rng(2)
    one = robot(tmp_path, random_urdf(r, 8))
    tree = one._tree
    ends = r.uniform(-2, 2, (2, len(one.joints)))
    order = {j.child: i for i, j in enumerate(tree.joints)}
    joints = []
    for j in tree.joints:
        values = [tree.value(j, q) for q in ends] if j.kind != "fixed" else (0, 0)
        quaternion = quaternion_of(j.rotation)
        axis = j.axis if j.kind != "fixed" else (0, 0, 1)
        joints.append(ccd.motion.Joint(j.kind, order.get(j.parent, -1), quaternion, j.position, axis, *values))
    links = [order.get(i, -1) for i in range(tree.count)]
    motion = ccd.Motion.chain(np.zeros((tree.count, 3)), links, joints)
    for t in (0, 0.25, 0.7, 1):
        x, radius = motion.enclose(t)
        here = tree.place(ends[0] + t * (ends[1] - ends[0]))[1]
        assert (np.linalg.norm(x - here, axis=1) <= radius + 1e-13).all()


def quaternion_of(m):
    """The quaternion w, x, y, z of a rotation."""
    k = np.array([[m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0], [m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
                  [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0],
                  [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], np.trace(m)]])  # fmt: skip
    x, y, z, w = np.linalg.eigh(k / 3)[1][:, -1]
    return w, x, y, z


def long_place(tree, q):
    """Forward kinematics in long doubles, which share nothing with the package but the numbers of the joints."""
    rotation, position = [np.eye(3, dtype=np.longdouble)] * tree.count, [np.zeros(3, np.longdouble)] * tree.count
    for j in tree.joints:
        value = 0 if j.kind == "fixed" else np.longdouble(j.multiplier) * q[j.source] + np.longdouble(j.offset)
        at = position[j.parent] + rotation[j.parent] @ j.position.astype(np.longdouble)
        turned = rotation[j.parent] @ j.rotation.astype(np.longdouble)
        u = j.axis.astype(np.longdouble)
        if j.kind == "prismatic":
            at = at + turned @ u * value
        if j.kind == "revolute":
            cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]], np.longdouble)
            turned = turned @ (np.eye(3) + np.sin(value) * cross + (1 - np.cos(value)) * cross @ cross)
        rotation[j.child], position[j.child] = turned, at
    return rotation, position


def long_vertices(bodies, q):
    rotation, position = long_place(bodies.tree, q)
    return np.array([rotation[k] @ v + position[k] for k, v in zip(bodies.link, bodies.local.astype(np.longdouble))])


def bernstein(control, s):
    k = len(control) - 1
    weights = [math.comb(k, i) * np.longdouble(s) ** i * (1 - np.longdouble(s)) ** (k - i) for i in range(k + 1)]
    return sum(w * c.astype(np.longdouble) for w, c in zip(weights, control))


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_vertices_stay_within_their_radii(tmp_path, degree):
    r = np.random.default_rng(degree)
    closest = {}
    for trial in range(12):
        bodies = _bodies.Bodies(robot(tmp_path, random_urdf(r, 6)), {})
        count = 1 + max(j.source for j in bodies.tree.joints)
        control = r.uniform(-2, 2, (degree + 1, count)) * (1, 1e-3, 30)[trial % 3]
        way = _check._Way(bodies, control)
        s0 = r.uniform(0, 0.9)
        s1 = s0 + r.choice([0.1, 1e-2, 1e-5]) * r.uniform()
        for points, radii in (way.straight(s0, s1), way.cubic(s0, s1)):
            for f in r.uniform(0, 1, 20):
                true = long_vertices(bodies, bernstein(control, s0 + np.longdouble(f) * (np.longdouble(s1) - s0)))
                off = np.linalg.norm((true - bernstein(points, f)).astype(float), axis=1)
                assert (off <= radii).all()
                closest[len(points)] = max(closest.get(len(points), 0), (off / radii).max())
    assert closest[2] > 0.01 and closest[4] > 0.001  # the bounds are no empty ones


def test_the_radius_of_one_joint_is_sharp(tmp_path):
    bodies = _bodies.Bodies(robot(tmp_path, ARM), {})
    way = _check._Way(bodies, np.array([[0.0], [0.1]]))
    for points, radii in (way.straight(0, 1), way.cubic(0, 1)):
        off = np.linalg.norm(way.place(0.5) - bernstein(points, 0.5).astype(float), axis=1)
        assert (off <= radii).all() and (off > 0.98 * radii * np.hypot(*bodies.local.T[:2]) / bodies.norms).all()


def test_the_radius_of_a_joint_that_follows_far_out(tmp_path):
    """It is where its offset puts it, far from the axis that it turns about."""
    text = tree(
        "abc",
        ("j", "continuous", "a", "b", '<axis xyz="0 0 1"/>'),
        ("k", "prismatic", "b", "c", '<axis xyz="1 0 0"/><mimic joint="j" multiplier="0.001" offset="5"/><limit upper="9"/>'),
    ).replace('<link name="c"/>', '<link name="c"><collision><geometry><sphere radius="1"/></geometry></collision></link>')
    bodies = _bodies.Bodies(robot(tmp_path, text), {})
    way = _check._Way(bodies, np.array([[-0.05], [0.05]]))
    for points, radii in (way.straight(0, 1), way.cubic(0, 1)):
        off = np.linalg.norm(long_vertices(bodies, np.zeros(1)).astype(float) - bernstein(points, 0.5).astype(float), axis=1)
        assert (off <= radii).all() and (off > 0.9 * radii).all()


def test_rounding_is_within_its_bound(tmp_path):
    r = np.random.default_rng(3)
    for trial in range(20):
        turns = (1, 1e5)[trial % 2]  # of many turns the values themselves are rounded most
        bodies = _bodies.Bodies(robot(tmp_path, random_urdf(r, 9)), {})
        control = r.uniform(-3, 3, (4, 1 + max(j.source for j in bodies.tree.joints))) * turns
        way = _check._Way(bodies, control)
        for s in r.uniform(0, 1, 5):
            off = np.linalg.norm((way.place(s) - long_vertices(bodies, bernstein(control, s))).astype(float), axis=1)
            assert (off <= way.error).all() and way.error.max() < 1e-11 * turns**2


# ---- verdicts


def test_a_thin_plate_between_samples(tmp_path):
    """The arm passes a plate as thin as a triangle in a hundredth of the edge; a tenth apart, samples see nothing."""
    one = robot(tmp_path, ARM)
    x = np.array([[0.5, 0.5, -1], [0.6, 0.6, -1], [0.55, 0.55, 1]])
    fin = ccd.Surface(x, NONE, np.array([[0, 1, 2]], np.int32))
    report = ccd.robot.check(one, ccd.robot.Path(["turn"], [[-3], [3]]), {"fin": fin})
    hit = report.contact
    assert (str(report.verdict), hit.a, hit.b, hit.how) == ("collides", "arm", "fin", "crossing")
    assert hit.s_free <= hit.s <= hit.s_free + 1e-5 and abs(np.dot(hit.normal, hit.normal) - 1) < 1e-12
    angle = -3 + 6 * hit.s
    nearest = 0.5 + 0.05 * 0.95 / 2  # x and y of the fin's inner edge at the height of the arm's lower side
    reached = math.pi / 4 - math.asin(0.05 / math.hypot(nearest, nearest))
    assert reached - 1e-9 <= angle <= reached + 1e-4


@pytest.mark.parametrize("gap", [1e-3, 1e-6])
@pytest.mark.parametrize("degree", [1, 3])
def test_tangential_passes(tmp_path, gap, degree):
    """The tip passes a plate, at its highest, on either side."""
    one = robot(tmp_path, ARM)
    path = ccd.robot.Path(["turn"], [[1], [2.2]])
    if degree == 3:
        path = ccd.robot.Path.polynomial(["turn"], [[[1], [1.2], [2.5], [2.2]]])
    for sign, verdict in ((1, "free"), (-1, "collides")):
        report = ccd.robot.check(one, path, {"plate": plate(TIP + sign * gap)}, tolerance=gap / 10)
        assert str(report.verdict) == verdict, (sign, report.contact)
    blunt = ccd.robot.check(one, path, {"plate": plate(TIP + gap)}, tolerance=10 * gap)
    assert str(blunt.verdict) in ("free", "undecided")
    touching = ccd.robot.check(one, path, {"plate": plate(TIP)}, tolerance=gap)
    assert str(touching.verdict) != "free" and (
        touching.contact.how != "tolerance" or touching.contact.s_free <= touching.contact.s
    )


def test_a_separation_is_kept(tmp_path):
    one, path = robot(tmp_path, ARM), ccd.robot.Path(["turn"], [[1], [2.2]])
    for d, verdict in ((0.0099, "free"), (0.0101, "collides")):
        report = ccd.robot.check(one, path, {"plate": plate(TIP + 0.01)}, min_separation=d)
        assert str(report.verdict) == verdict
    assert report.contact.how == "near"


def test_balls_are_exact(tmp_path):
    text = ARM.replace('<box size="1 0.1 0.1"/>', '<sphere radius="0.25"/>').replace("0.5 0 0", "1 0 0")
    one, path = robot(tmp_path, text), ccd.robot.Path(["turn"], [[0.5], [2.5]])
    for sign, verdict in ((1, "free"), (-1, "collides")):
        report = ccd.robot.check(one, path, {"plate": plate(1.25 + sign * 1e-7)}, tolerance=1e-8)
        assert str(report.verdict) == verdict
    assert report.contact.how == "near"


def test_points_of_contact_are_on_the_surfaces(tmp_path):
    ball = ARM.replace('<box size="1 0.1 0.1"/>', '<sphere radius="0.25"/>').replace("0.5 0 0", "1 0 0")
    bar = ARM.replace('<box size="1 0.1 0.1"/>', '<capsule radius="0.25" length="0.5"/>').replace("0.5 0 0", "1 0 0")
    path = ccd.robot.Path(["turn"], [[0.5], [2.5]])
    for text in ball, bar:
        for y, options in ((1.1, {}), (1.1, {"min_separation": 0.05}), (1.25, {}), (1.26, {"min_separation": 0.01})):
            hit = ccd.robot.check(robot(tmp_path, text), path, {"plate": plate(y, half=2)}, **options).contact
            place = robot(tmp_path, text).place(hit.values)["arm"]
            center = place[:3, :3] @ [1, 0, 0] + place[:3, 3]
            on_ball = np.linalg.norm((np.array(hit.point) - center)[: 3 if text is ball else 2]) - 0.25
            d = options.get("min_separation", 0)
            assert abs(on_ball - d / 2) < 1e-3 and abs(y - hit.point[1] - d / 2) < 1e-3, (y, options, hit)


def test_points_of_contact_are_within_what_overlaps(tmp_path):
    one = robot(tmp_path, ARM.replace('<box size="1 0.1 0.1"/>', '<sphere radius="0.25"/>').replace("0.5 0 0", "1 0 0"))
    hit = ccd.robot.check(one, ccd.robot.Path(["turn"], [[math.pi / 2], [2]]), {"plate": plate(1.1)}).contact
    assert (hit.s, hit.how) == (0, "near") and abs(hit.point[1] - 1.1) < 1e-9


def test_a_start_that_crosses_or_touches(tmp_path):
    one = robot(tmp_path, ARM)
    through = ccd.robot.check(one, ccd.robot.Path(["turn"], [[math.pi / 2], [2]]), {"plate": plate(0.5)})
    assert str(through.verdict) == "collides" and through.contact.s == 0 and through.contact.how == "crossing"
    touch = ccd.robot.check(one, ccd.robot.Path(["turn"], [[0], [-0.5]]), {"plate": plate(0.05)})
    assert str(touch.verdict) != "free"


def test_what_the_control_points_of_a_step_do_not_show(tmp_path):
    """A slide out and back, at rest at both ends: the cubic of its ends stands still, and its radius holds the motion."""
    text = ARM.replace('type="continuous"', 'type="prismatic"').replace("</joint>", '<limit lower="-1" upper="1"/></joint>')
    text = text.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 1 0"/>')
    one = robot(tmp_path, text)
    out = [[0], [0], [16 / 6 * 0.02], [0], [0]]  # 0.02 in the middle
    path = ccd.robot.Path.polynomial(["turn"], [out])
    for gap, verdict in ((0.0201, "free"), (0.0199, "collides"), (0.005, "collides")):
        report = ccd.robot.check(one, path, {"wall": plate(0.05 + gap, half=2)})
        assert str(report.verdict) == verdict
        if report.contact:
            s = report.contact.s_free
            assert 0.32 * s**2 * (1 - s) ** 2 <= gap


def test_an_approach_counts_beside_a_later_collision(tmp_path):
    """The left arm comes nearer to a plate than the tolerance, later the right one crosses another: free up to the first."""
    end = "</robot>"
    right = ARM[ARM.index('<link name="arm">') : ARM.index(end)].replace('"arm"', '"right"').replace('"turn"', '"r"')
    text = ARM.replace(end, right.replace("<axis", '<origin xyz="5 0 0"/><axis') + end)
    one = robot(tmp_path, text)
    beside = plate(0.9)
    beside.vertices[:, 0] += 5
    path = ccd.robot.Path(["turn", "r"], [[1.2, 0], [3, 1.5]])
    scene = {"near": plate(TIP + 1e-9), "beside": beside}
    report = ccd.robot.check(one, path, scene, allowed=[("arm", "right")], tolerance=1e-4)
    first = (math.pi / 2 - math.atan(0.05) - 1.2) / 1.8  # the upper corner is highest
    assert str(report.verdict) == "collides" and report.contact.a == "right" and report.contact.s > 0.6
    assert report.contact.s_free < first + 1e-6


def test_a_body_inside_of_another(tmp_path):
    one = robot(tmp_path, ARM)
    box = Shape.box(np.array([4.0, 4.0, 4.0]))
    cage = ccd.Surface(box.vertices, NONE, box.faces)
    path = ccd.robot.Path(["turn"], [[0], [1]])
    report = ccd.robot.check(one, path, {"cage": cage})
    assert (str(report.verdict), report.contact.how, report.contact.s) == ("collides", "inside", 0)
    turned = ccd.robot.check(one, path, {"cage": ccd.Surface(box.vertices, NONE, box.faces[:, ::-1])})
    assert turned.contact.how == "inside"  # whichever side its faces are seen from
    lid = ccd.Surface(box.vertices, NONE, box.faces[:-1])
    open_ = ccd.robot.check(one, path, {"cage": lid})
    assert open_.free and open_.open == ("cage",)
    grain = Shape.box(np.array([0.01, 0.01, 0.01])).vertices + np.array([0.5, 0, 0])
    swallowed = ccd.robot.check(one, path, {"grain": ccd.Surface(grain, NONE, box.faces)})
    assert swallowed.contact.how == "inside" and swallowed.contact.b == "grain"


TWO = """<robot name="two"><link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
  </robot>"""


def test_self_collision_and_allowed_pairs(tmp_path):
    one = robot(tmp_path, TWO)
    assert one.allowed == [("base", "upper"), ("lower", "upper")]
    path = ccd.robot.Path(["b", "a"], [[0, 0], [3, 0]])
    report = ccd.robot.check(one, path)
    assert (str(report.verdict), report.contact.a, report.contact.b) == ("collides", "lower", "base")
    assert report.contact.values == (0.0, 3 * report.contact.s)
    assert ccd.robot.check(one, path, allowed=[("base", "lower")]).free
    assert ccd.robot.check(one, path, allowed=[("base", "lower")]).pairs == 0
    all_of_it = robot(tmp_path, TWO, allow_adjacent=False)
    assert all_of_it.allowed == [] and ccd.robot.check(all_of_it, path).contact.s == 0
    (tmp_path / "two.srdf").write_text('<robot name="two"><disable_collisions link1="base" link2="lower" reason="x"/></robot>')
    quiet = ccd.robot.read(tmp_path / "robot.urdf", tmp_path / "two.srdf")
    assert ("base", "lower") in quiet.allowed and ccd.robot.check(quiet, path).free


@pytest.mark.parametrize("kind, allowed", [("fixed", True), ("continuous", False)])
def test_links_without_shapes_between_two(tmp_path, kind, allowed):
    """One that is fixed is a part of its parent; past one that moves, the links at both sides are no neighbours."""
    start, end = TWO.index('<link name="upper">'), TWO.index('<link name="lower">')
    text = TWO[:start] + '<link name="upper"/>' + TWO[end:]
    one = robot(tmp_path, text.replace('<joint name="a" type="revolute">', f'<joint name="a" type="{kind}">'))
    assert (("base", "lower") in one.allowed) == allowed


def test_the_base_may_stand_in_the_scene(tmp_path):
    one = robot(tmp_path, TWO)
    report = ccd.robot.check(one, ccd.robot.Path(["a", "b"], [[0, 0], [0.1, 0.1]]), {"floor": plate(-0.08, half=0.05, z=0.05)})
    assert report.free and report.pairs == 3  # base and lower, and the floor with both links that move


def test_random_robots_agree_with_samples(tmp_path):
    """No sample of a free edge intersects, and the place of a contact does: both by rational arithmetic of another kind."""
    r = np.random.default_rng(7)
    seen = set()
    for _ in range(12):
        one = robot(tmp_path, random_urdf(r, 6))
        x = r.uniform(-1.2, 1.2, (3, 1, 3)) + r.uniform(-0.4, 0.4, (3, 3, 3))
        scene = {f"o{i}": ccd.Surface(v, NONE, np.array([[0, 1, 2]], np.int32)) for i, v in enumerate(x)}
        path = ccd.robot.Path(one.joints, r.uniform(-1, 1, (3, len(one.joints))))
        allowed = [(a, b) for a in one.links[1:] for b in one.links[1:] if a < b]
        report = ccd.robot.check(one, path, scene, allowed=allowed)
        bodies = _bodies.Bodies(one, scene)
        for e in report.edges:
            seen.add(str(e.verdict))
            end = e.contact.s_free if e.contact else 1
            for s in np.linspace(0, end * (1 - 1e-9), 40):
                assert not crossing(bodies, path.at(e.edge, s))
            if e.verdict == "collides" and e.contact.how == "crossing":
                assert crossing(bodies, path.at(e.edge, e.contact.s))
    assert {"free", "collides"} <= seen


def test_straight_steps_agree(tmp_path):
    r = np.random.default_rng(8)
    seen = set()
    for degree in (1, 3):
        for _ in range(4):
            one = robot(tmp_path, random_urdf(r, 6, ("box", "sphere", "cylinder")))
            x = r.uniform(-1.2, 1.2, (3, 1, 3)) + r.uniform(-0.4, 0.4, (3, 3, 3))
            scene = {f"o{i}": ccd.Surface(v, NONE, np.array([[0, 1, 2]], np.int32)) for i, v in enumerate(x)}
            bodies = _bodies.Bodies(one, scene)
            pairs = [(i, j) for i, j in bodies.pairs(()) if bodies.all[j].link < 0]
            path = ccd.robot.Path.polynomial(one.joints, r.uniform(-1, 1, (1, degree + 1, len(one.joints))))
            reports = []
            for kind in (1, 3):
                checker = _check._Checker(bodies, pairs, _check._Options(0.0, 1e-6, 100000, 1, kind))
                reports.append(checker.edge(path, 0, path.control[0]))
            one_of, other = reports
            assert one_of.verdict == other.verdict
            seen.add(str(other.verdict))
            if other.contact is not None:
                assert (one_of.contact.a, one_of.contact.b) == (other.contact.a, other.contact.b)
                assert abs(one_of.contact.s_free - other.contact.s_free) < 1e-4
    assert {"free", "collides"} <= seen


@pytest.mark.parametrize("radius", [0, 0.25])
def test_certain_nearness_counts_the_errors(tmp_path, radius):
    """A distance below the separation is proven if it stays so wherever the vertices of both bodies are."""
    shape = f'<sphere radius="{radius}"/>' if radius else '<box size="1 0.1 0.1"/>'
    one = robot(tmp_path, ARM.replace('<box size="1 0.1 0.1"/>', shape).replace("0.5 0 0", "0 0 0"))
    reach, d = radius or 0.05, 0.1
    cases = (0.099, 0, True), (0.099, 4e-4, True), (0.099, 6e-4, False), (0.05, 0.024, True), (0.101, 0, False)
    for gap, error, proven in cases:
        bodies = _bodies.Bodies(one, {"plate": plate(reach + gap)})
        (cluster,) = _bodies.clusters(bodies, bodies.pairs(()))
        x = bodies.place(np.zeros(1))[cluster.index]
        found = _certify.touches(cluster, x, np.full(len(x), float(error)), d, 1)
        assert (found is not None) == proven, (gap, error)
        assert found is None or (found.how, {found.a, found.b}) == ("near", {0, 1})


def crossing(bodies, q):
    """Whether an edge of a link passes through a triangle of the scene, or the other way around, in rational numbers."""
    x = [[fractions.Fraction(float(v)) for v in row] for row in bodies.place(np.asarray(q))]
    parts = [], []
    for body in bodies.all:
        first = body.first
        for s in body.shapes:
            parts[body.link < 0].extend((s.faces + first).tolist())
            first += len(s.vertices)
    box = lambda f: (np.min([bodies_x[i] for i in f], axis=0), np.max([bodies_x[i] for i in f], axis=0))  # noqa: E731
    bodies_x = bodies.place(np.asarray(q))
    for f in parts[1]:
        low, high = box(f)
        for g in parts[0]:
            low_g, high_g = box(g)
            if (low > high_g).any() or (low_g > high).any():
                continue
            for one, other in ((f, g), (g, f)):
                for i in range(3):
                    if pierces([x[one[i]], x[one[i - 1]]], [x[v] for v in other]):
                        return True
    return False


def pierces(edge, face):
    def volume(a, b, c, d):
        u, v, w = ([p[k] - a[k] for k in range(3)] for p in (b, c, d))
        return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2]

    (p, q), (a, b, c) = edge, face
    sides = [volume(p, q, *s) for s in ((a, b), (b, c), (c, a))]
    return volume(a, b, c, p) * volume(a, b, c, q) < 0 and (min(sides) > 0 or max(sides) < 0)


def test_certain_crossings_stay_crossings():
    r = np.random.default_rng(11)
    certain = 0
    for _ in range(3000):
        edge, face = r.uniform(-1, 1, (2, 3)), r.uniform(-1, 1, (3, 3))
        error = 10.0 ** r.uniform(-9, -1)
        if _certify.crosses(edge, face, error):
            certain += 1
            for _ in range(10):
                off = r.normal(size=(5, 3))
                off *= error / np.linalg.norm(off, axis=1)[:, None]
                moved = [[fractions.Fraction(float(c)) for c in p] for p in np.vstack([edge, face]) + off * 0.999]
                assert pierces(moved[:2], moved[2:])
    assert certain > 100


def test_prisms_hold_their_cylinders():
    for n in (3, 8, 32):
        shape = Shape.cylinder(0.3, 2.0, n)
        assert shape.closed
        a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        gap = np.einsum("ij,ij->i", normal, a)  # the distance of each face's plane from the middle
        assert (gap[np.abs(normal[:, 2]) < 0.5] >= 0.3 * (1 - 1e-15)).all() and gap.min() > 0.2999


# ---- paths


def test_splines_and_files(tmp_path):
    file = tmp_path / "path.csv"
    file.write_text("# a comment\ntime, turn\n0, 0\n\n1, 1\n3, 0.5\n4, 2\n")
    path = ccd.robot.read_path(file)
    assert (path.joints, path.edges, path.degree, path.times.tolist()) == (("turn",), 3, 1, [0, 1, 3, 4])
    assert path.time(1, 0.25) == 1.5
    scipy = pytest.importorskip("scipy.interpolate")
    spline = ccd.robot.read_path(file, "spline")
    want = scipy.CubicSpline([0, 1, 3, 4], [[0], [1], [0.5], [2]])
    for edge in range(3):
        for s in (0, 0.3, 1):
            assert np.allclose(spline.at(edge, s), want(spline.time(edge, s)), rtol=0, atol=1e-14)
    assert (spline.control[1:, 0] == spline.control[:-1, -1]).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("turn\n", "values has 0 rows"),
        ("turn\n1\n", "values has 1 rows"),
        ("turn\n1\nnan\n", "line 3: turn is 'nan'"),
        ("turn\n1\nx\n", "line 3: turn is 'x'"),
        ("turn\n1\n1e200\n", "line 3: turn is '1e200'"),
        ("turn\n1,2\n3\n", "line 2 has 2 columns"),
        ("turn,turn\n1,2\n3,4\n", "joints\\[1\\] is 'turn', which is given twice"),
        ("t,turn\n0,1\n0,2\n", "times\\[1\\] is 0.0"),
        ("t,time\n0,1\n1,2\n", "both hold times"),
    ],
)
def test_bad_files_of_paths(tmp_path, text, words):
    file = tmp_path / "path.csv"
    file.write_text(text)
    with pytest.raises(ccd.Error, match=words) as error:
        ccd.robot.read_path(file)
    assert str(file) in str(error.value)


def test_bad_paths():
    for make, words in (
        (lambda: ccd.robot.Path(["a"], [[0], [math.nan]]), r"values\[1\]\[0\] is nan"),
        (lambda: ccd.robot.Path(["a"], [[0, 1], [1, 2]]), r"values has shape \(2, 2\)"),
        (lambda: ccd.robot.Path("ab", [[0, 1], [1, 2]]), "joints"),
        (lambda: ccd.robot.Path(["a"], [[0], [1]], [0, 1, 2]), "times has 3 items"),
        (
            lambda: ccd.robot.Path.polynomial(["a"], [[[0], [1]], [[2], [3]]]),
            r"control\[1\]\[0\]\[0\] is 2.0: edge 0 ends at 1.0",
        ),
        (lambda: ccd.robot.Path.polynomial(["a"], np.zeros((1, 8, 1))), "degree 1 to 5"),
        (lambda: ccd.robot.Path.from_ppoly(["a"], 3), "curve is a int"),
        (lambda: ccd.robot.Path(["a"], [[0], [1]]).at(0, 2), "s is 2.0"),
    ):
        with pytest.raises(ccd.Error, match=words):
            make()


BAR = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
TURN = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)


def by_hand(joint=TURN, shapes=BAR, **options):
    return ccd.robot.Robot("arm", ["base", "arm"], [[], [shapes]], [joint], ["turn"], **options)


@pytest.mark.parametrize(
    "field, value, words",
    [
        ("kind", "screw", r"joints\[0\].kind is 'screw'"),
        ("source", 1, r"joints\[0\].source is 1"),
        ("source", None, r"joints\[0\].source is None"),
        ("source", 0.0, r"joints\[0\].source is 0.0"),
        ("axis", np.array([0, 0, 2.0]), r"joints\[0\].axis has length 2"),
        ("axis", np.zeros(3), r"joints\[0\].axis has length 0"),
        ("axis", np.zeros(2), r"joints\[0\].axis has shape \(2,\)"),
        ("axis", np.array([0, 0, np.nan]), r"joints\[0\].axis\[2\] is nan"),
        ("rotation", 2 * np.eye(3), r"joints\[0\].rotation is not a rotation"),
        ("rotation", (1 + 1e-11) * np.eye(3), r"joints\[0\].rotation is not a rotation"),
        ("rotation", np.diag([1, 1, -1.0]), r"joints\[0\].rotation is not a rotation"),
        ("rotation", np.eye(4), r"joints\[0\].rotation has shape \(4, 4\)"),
        ("rotation", np.nan * np.eye(3), r"joints\[0\].rotation\[0\]\[0\] is nan"),
        ("position", np.array([0, 0, np.inf]), r"joints\[0\].position\[2\] is inf"),
        ("position", None, r"joints\[0\].position"),
        ("multiplier", np.nan, r"joints\[0\].multiplier is nan"),
        ("multiplier", 1e200, r"joints\[0\].multiplier is 1e\+200"),
        ("offset", np.inf, r"joints\[0\].offset is inf"),
        ("lower", 1.0, r"joints\[0\].lower is 1.0, upper is 0.0"),
        ("lower", "x", r"joints\[0\].lower is 'x'"),
        ("name", 5, r"joints\[0\].name is 5"),
        ("parent", "base", r"joints\[0\].parent is 'base'"),
        ("child", 7, r"joints\[0\].child is 7"),
    ],
)
def test_bad_joints_by_hand(field, value, words):
    model = dataclasses.replace(TURN, **{"upper": 0.0, field: value})
    with pytest.raises(ccd.Error, match="^" + words):
        by_hand(model)


def test_bad_robots_by_hand():
    for make, words in (
        (lambda: by_hand(joint=3), r"joints\[0\] is int"),
        (lambda: by_hand(shapes=3), r"shapes\[1\]\[0\] is int"),
        (lambda: ccd.robot.Robot("r", ["a"], [3], [], []), r"shapes\[0\] is int"),
        (lambda: ccd.robot.Robot("r", ["a"], None, [], []), "shapes is NoneType"),
        (lambda: ccd.robot.Robot("r", ["a"], [[]], None, []), "joints is NoneType"),
        (lambda: by_hand(allowed=[("arm", "leg")]), r"allowed\[0\]: 'leg' is no link"),
        (lambda: by_hand(allowed=[("arm",)]), r"allowed\[0\] is \('arm',\)"),
        (lambda: by_hand(allowed=5), "allowed is int"),
        (lambda: ccd.robot.JointModel.moving("a", "revolute", 0, 1, 0, axis=(0, 1e-200, 0)), "axis"),
        (lambda: ccd.robot.JointModel.moving("a", "revolute", 0, 1, 0, lower=None), "lower is None"),
        (lambda: BAR.placed(2 * np.eye(3), [0, 0, 0]), "rotation is not a rotation"),
        (lambda: BAR.placed(np.eye(4), [0, 0, 0]), r"rotation has shape \(4, 4\)"),
        (lambda: BAR.placed(np.eye(3), [0, 0]), "position has 2 numbers"),
        (lambda: BAR.placed(np.eye(3), [0, np.nan, 0]), r"position\[1\] is nan"),
        (lambda: Shape.surface(None), "surface is NoneType"),
        (lambda: ccd.robot.Path(None, [[0], [1]]), "joints"),
        (lambda: ccd.robot.Path(["a"], [[0], [1]]).time(1, 0), "edge is 1"),
        (lambda: ccd.robot.Path(["a"], [[0], [1]]).time(0, 2), "s is 2"),
    ):
        with pytest.raises(ccd.Error, match="^" + words):
            make()


def test_objects_of_a_scene_may_be_lists_and_empty():
    path = ccd.robot.Path(["turn"], [[0], [3]])
    post = ccd.Surface([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]], [], [[0, 1, 2]])
    empty = ccd.Surface(np.empty((0, 3)), [], [])
    assert ccd.robot.check(by_hand(), path, {"empty": empty}).free
    for scene in {"empty": empty, "post": post}, {"post": post, "empty": empty}:
        assert str(ccd.robot.check(by_hand(), path, scene).verdict) == "collides"
    mirrored = Shape.surface(post, [1, -1, 1])
    assert mirrored.faces.tolist() == [[2, 1, 0]]


def test_bad_arguments_of_a_check(tmp_path):
    one, path = robot(tmp_path, TWO), ccd.robot.Path(["a", "b"], [[0, 0], [1, 1]])
    for arguments, words in (
        (
            (one, ccd.robot.Path(["a", "c"], [[0, 0], [1, 1]])),
            r"path.joints\[1\]: 'c' is no joint of 'two': its joints are a, b",
        ),
        ((one, ccd.robot.Path(["a"], [[0], [1]])), "path has no values of 'b'"),
        ((one, "path"), "path is str"),
        ((path, path), "robot is Path"),
        ((one, path, {"base": plate(3)}), r"scene\['base'\] has the name of a link"),
        ((one, path, "file.obj"), "scene is a file name"),
        ((one, path, None), "scene is NoneType"),
        ((one, path, plate(3)), "scene is Surface"),
        ((one, path, [plate(3)]), r"scene\[0\] is Surface"),
        ((one, path, {"x": None}), r"scene\['x'\] is NoneType"),
        ((one, path, {5: plate(3)}), "scene: the name 5"),
        ((one, path, {"x": ccd.Surface(np.full((3, 3), np.nan), NONE, np.array([[0, 1, 2]], np.int32))}), r"scene\['x'\]"),
    ):
        with pytest.raises(ccd.Error, match=words):
            ccd.robot.check(*arguments)
    for options, words in (
        ({"allowed": [("base", "hand")]}, r"allowed\[0\]: 'hand' is no link"),
        ({"allowed": [("base",)]}, r"allowed\[0\]"),
        ({"rest": {"a": 1}}, r"rest\['a'\] is given"),
        ({"rest": {"z": 1}}, "rest: 'z' is no joint"),
        ({"edges": [1]}, r"edges\[0\] is 1"),
        ({"edges": 3}, "edges is int"),
        ({"edges": []}, "edges is empty"),
        ({"allowed": 5}, "allowed is int"),
        ({"allowed": [5]}, r"allowed\[0\] is 5"),
        ({"rest": 5}, "rest is int"),
        ({"progress": 5}, "progress is int"),
        ({"tolerance": 0}, "tolerance is 0"),
        ({"tolerance": math.nan}, "tolerance is nan"),
        ({"min_separation": -1}, "min_separation is -1"),
        ({"max_steps": 0}, "max_steps is 0"),
    ):
        with pytest.raises(ccd.Error, match=words):
            ccd.robot.check(one, path, **options)
    with pytest.raises(ccd.Cancelled):
        ccd.robot.check(one, path, progress=lambda _: True)
    assert ccd.robot.check(one, path, progress=lambda _: False).count("free") == 1
    assert ccd.robot.check(one, ccd.robot.Path(["a"], [[0], [0.1]]), rest={"b": 0.5}).free
    assert str(ccd.robot.check(one, path, max_steps=1).verdict) == "undecided"


def tree(links, *joints, rest=""):
    """A URDF of links, and joints of (name, type, parent, child, what else)."""
    parts = [f'<link name="{name}"/>' for name in links]
    for name, kind, parent, child, more in joints:
        parts.append(f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>')
    return f'<robot name="r">{"".join(parts)}{rest}</robot>'


def shaped(shape):
    return tree("", rest=f'<link name="a"><collision><geometry>{shape}</geometry></collision></link>')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<robot", "robot.urdf"),
        ("<model/>", "the root is <model>"),
        (tree(""), "has no links"),
        (tree("aa"), "link 'a' is there twice"),
        (tree("abc"), "3 links have no parent"),
        (tree("ab", ("j", "fixed", "a", "x", "")), "joint 'j': its child 'x' is no link"),
        (tree("ab", ("j", "floating", "a", "b", "")), "joint 'j' is floating"),
        (tree("ab", ("j", "screw", "a", "b", "")), "type is 'screw'"),
        (tree("abc", ("j", "fixed", "b", "c", ""), ("k", "fixed", "c", "b", "")), "joints form a circle: j, k"),
        (tree("abc", ("j", "fixed", "a", "c", ""), ("k", "fixed", "b", "c", "")), "child of the joints 'j' and 'k'"),
        (tree("abc", ("j", "fixed", "a", "c", ""), ("j", "fixed", "a", "b", "")), "joint 'j' is there twice"),
        (tree("ab", ("j", "revolute", "a", "b", '<axis xyz="0 0 0"/>')), "axis is"),
        (tree("ab", ("j", "revolute", "a", "b", '<axis xyz="0 nan 0"/>')), "axis is"),
        (tree("ab", ("j", "prismatic", "a", "b", '<axis xyz="0 0 2"/>')), "must have length 1"),
        (tree("ab", ("j", "fixed", "a", "b", '<origin xyz="0 nan 0"/>')), "joint 'j': origin is not finite"),
        (tree("ab", ("j", "fixed", "a", "b", '<origin xyz="0 0"/>')), "robot.urdf"),
        (tree("ab", ("j", "revolute", "a", "b", '<mimic joint="q"/>')), "joint 'j' mimics 'q'"),
        (tree("ab", ("j", "revolute", "a", "b", '<mimic joint="j"/>')), "joint 'j' mimics itself"),
        (tree("ab", rest='<joint name="j" type="fixed"><parent link="a"/></joint>'), "joint 'j' has no child"),
        (shaped(""), "collision 0 has 0 shapes"),
        (shaped('<capsule radius="1" length="-1"/>'), "link 'a': collision 0: length is -1.0"),
        (shaped('<capsule radius="1"/>'), "robot.urdf"),
        (shaped('<cone radius="1"/>'), "cone"),
        (tree("ab", ("j", "revolute", "a", "b", '<limit lower="1" upper="-1"/>')), "'j': limit: lower is 1.0, upper is -1.0"),
        (tree("ab", ("j", "revolute", "a", "b", '<limit lower="1"/>')), "lower is 1.0, upper is 0.0"),
        (tree("ab", ("j", "revolute", "a", "b", '<limit lower="nan" upper="1"/>')), "lower is nan"),
        (shaped('<sphere radius="-1"/>'), "link 'a': collision 0: radius is -1.0"),
        (shaped('<cylinder radius="1" length="inf"/>'), "length is inf"),
        (shaped('<box size="1 nan 1"/>'), r"size\[1\] is nan"),
        (shaped('<box size="1 1"/>'), "size has 2 numbers"),
        (shaped('<mesh filename="no.stl"/>'), "no.stl"),
        (shaped("<mesh/>"), "mesh has no filename"),
        (shaped('<mesh filename="package://p/no.stl"/>'), "package://p/no.stl is in none of"),
    ],
)
def test_bad_robots(tmp_path, text, words):
    with pytest.raises(ccd.Error, match=words):
        robot(tmp_path, text)


def test_meshes_of_packages(tmp_path):
    folder = tmp_path / "my_robot"
    (folder / "urdf").mkdir(parents=True)
    (folder / "meshes").mkdir()
    (folder / "meshes" / "wedge.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    text = ARM.replace('<box size="1 0.1 0.1"/>', '<mesh filename="package://my_robot/meshes/wedge.obj" scale="1 1 -2"/>')
    (folder / "urdf" / "a.urdf").write_text(text)
    for packages in (None, tmp_path, {"my_robot": folder}):
        one = ccd.robot.read(folder / "urdf" / "a.urdf", packages=packages)
        x, faces, _, _ = one.surface("arm")
        assert x.max(0).tolist() == [1.5, 1, 0] and x.min(0).tolist() == [0.5, 0, -2] and len(faces) == 4
        assert one.open_links == []
    with pytest.raises(ccd.FileError, match="packages has no 'my_robot'"):
        ccd.robot.read(folder / "urdf" / "a.urdf", packages={})


def test_flat_and_repeated_triangles():
    faces = np.array([[0, 1, 2], [1, 2, 0], [0, 3, 3], [3, 3, 3]])
    shape = Shape.triangles(np.eye(4)[:, :3], faces)
    assert shape.faces.tolist() == [[0, 1, 2]] and shape.edges.tolist() == [[0, 3]] and not shape.closed


# ---- capsules, limits


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


# ---- the command


def command(capsys, *arguments):
    code = main(["robot", "check", *map(str, arguments)])
    return code, *capsys.readouterr()


def test_the_command(tmp_path, capsys):
    robot(tmp_path, TWO)
    (tmp_path / "path.csv").write_text("time,a,b\n0,0,0\n1,0.5,0\n2,0.5,3\n")
    (tmp_path / "post.off").write_text("OFF 3 1 0\n0 1.5 -1\n0.1 1.5 -1\n0 1.5 1\n3 0 1 2\n")
    code, out, err = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", "--scene", tmp_path / "post.off", "--json")
    assert (code, err) == (1, "")
    report = json.loads(out)
    assert report["counts"] == {"free": 1, "collides": 1, "undecided": 0} and report["contacts"][0]["b"] == "base"
    code, out, _ = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", "--allow", "base,lower")
    assert code == 0 and "2 free" in out
    limited = '<axis xyz="0 0 1"/><limit lower="0" upper="0.25"/></joint>'
    page = tmp_path / "page.html"
    code, _, _ = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", "--view", page)
    assert code == 1 and page.read_text().startswith("<!doctype html>") and "lower / base" in page.read_text()
    (tmp_path / "limited.urdf").write_text(TWO.replace('<axis xyz="0 0 1"/></joint>', limited, 1))
    given = tmp_path / "limited.urdf", tmp_path / "path.csv", "--allow", "base,lower"
    code, out, _ = command(capsys, *given)
    assert code == 1 and "2 free" in out and "a leaves its limits before s = 0.5" in out and "limits [0, 0.25]" in out
    code, out, _ = command(capsys, *given, "--json")
    found = json.loads(out)["limits"]
    assert code == 1 and [(left["edge"], left["joint"], left["value"]) for left in found] == [(0, "a", 0.5), (1, "a", 0.5)]
    code, out, _ = command(capsys, *given, "--ignore-limits", "--json")
    assert code == 0 and json.loads(out)["limits"] == []
    for arguments, words in (
        (["--allow", "base,hand"], "'hand' is no link"),
        (["--rest", "a=1"], "rest['a'] is given"),
        (["--scene", tmp_path / "none.obj"], "none.obj"),
        (["--scene", tmp_path / "post.off", tmp_path / "post.off"], "two objects"),
    ):
        code, out, err = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", *arguments)
        assert code == 2 and words in err and not out, err
    for wrong in (["--allow", "base"], ["--rest", "a"], ["--rest", "a=x"]):
        with pytest.raises(SystemExit):
            command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", *wrong)
        assert wrong[1] in capsys.readouterr().err


def test_a_tolerance_below_rounding_ends(tmp_path):
    """The radii of a touching pair stop at rounding, which ends the search."""
    one = robot(tmp_path, ARM)
    report = ccd.robot.check(one, ccd.robot.Path(["turn"], [[1], [2.2]]), {"plate": plate(TIP)}, tolerance=1e-300)
    assert report.verdict != ccd.robot.Verdict.FREE and report.edges[0].steps < 500


# ---- pictures


def test_a_page_marks_contacts_where_they_are(tmp_path):
    """The mark is at the contact's point at its time, and moves with its link."""
    one = robot(
        tmp_path,
        TWO.replace(
            "</robot>",
            """<link name="tip"><collision><geometry><capsule radius="0.1" length="0.2"/>
      </geometry></collision></link><joint name="c" type="fixed"><parent link="lower"/><child link="tip"/>
      <origin xyz="1 0 0"/></joint></robot>""",
        ),
    )
    scene = {"wall": plate(1.2, half=3)}
    path = ccd.robot.Path(["a", "b"], [[0, 0], [0.3, 0.2], [1.2, 0.2]])
    report = ccd.robot.check(one, path, scene)
    assert [str(e.verdict) for e in report.edges] == ["free", "collides"]
    contact = report.contact
    page = ccd.view.Page("a robot")
    part = page.add_robot(one, path, scene, report, frames=10)
    assert (part, page.t_max, page.steps, page.met) == (0, 2.0, 20, 1)
    assert page._parts[0].objects.names == ["base", "upper", "lower", "tip", "wall"]
    [found] = page.impacts
    assert found["time"] == 1 + contact.s and found["step"] == int(10 * found["time"])
    _, x0, x1 = found["mark"]
    f = 10 * found["time"] - found["step"]
    assert np.linalg.norm((1 - f) * x0 + f * x1 - contact.point) < 0.01  # the chord of a frame
    for side, name in zip(found["sides"], (contact.a, contact.b), strict=True):
        body = page._parts[0].objects.names.index(name)
        assert {int(page._parts[0].objects.of[v]) for v in side["vertices"]} == {body}
    bodies = _bodies.Bodies(one, scene)
    assert np.array_equal(page._parts[0].frames[15][: len(bodies.local)], bodies.place(path.at(1, 0.5)))
    with pytest.raises(ccd.ArgumentError, match="report: edge 1"):
        ccd.view.Page("other").add_robot(one, path, {}, report)
    with pytest.raises(ccd.ArgumentError, match="robot is int"):
        ccd.view.Page("other").add_robot(1, path)
