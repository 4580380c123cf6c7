"""Verdicts on paths of robots: adversarial paths, proofs of contacts, what is inside of what."""

import fractions
import math

import numpy as np
import pytest
from conftest import LONG
from robots import ARM, NONE, TIP, TWO, plate, random_urdf, robot

import ccd
from ccd.robot import Shape, _bodies, _certify, _check


def test_a_thin_plate_between_samples(tmp_path):
    """The arm passes a plate as thin as a triangle in a hundredth of the edge; a tenth apart, samples see nothing."""
    one = robot(tmp_path, ARM)
    x = np.array([[0.5, 0.5, -1], [0.6, 0.6, -1], [0.55, 0.55, 1]])
    fin = ccd.Surface(x, NONE, np.array([[0, 1, 2]], np.int32))
    report = ccd.robot.check(one, ccd.robot.Path(["turn"], [[-3], [3]]), {"fin": fin}, continuous="written")
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


def test_an_srdf_file_may_name_links_that_the_robot_does_not_have(tmp_path):
    """As the files of Fetch and Baxter do; a pair without one of its two names is malformed."""
    one = robot(tmp_path, TWO)
    pairs = '<disable_collisions link1="base" link2="head"/><disable_collisions link1="base" link2="lower"/>'
    (tmp_path / "two.srdf").write_text(f'<robot name="two">{pairs}</robot>')
    assert ccd.robot.read_allowed(tmp_path / "two.srdf", one) == [("base", "lower")]
    (tmp_path / "two.srdf").write_text('<robot name="two"><disable_collisions link1="base"/></robot>')
    with pytest.raises(ccd.FileError, match="disable_collisions 0 has no link2"):
        ccd.robot.read_allowed(tmp_path / "two.srdf", one)


@pytest.mark.parametrize("kind, allowed", [("fixed", True), ("continuous", False)])
def test_links_without_shapes_between_two(tmp_path, kind, allowed):
    """One that is fixed is a part of its parent; past one that moves, the links at both sides are no neighbors."""
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
    for _ in range(12 if LONG else 5):
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
                checker = _check._Checker(bodies, {0.0: pairs}, _check._Options(0.0, 1e-6, 100000, 1, kind))
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
