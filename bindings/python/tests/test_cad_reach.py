"""Boxes around faces, the faces that get facets because they may come near the other part, and faces that surely cross."""

import math

import numpy as np
import pytest

pytest.importorskip("OCP.BRepPrimAPI", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

import cad_shapes as shapes

import ccd
from ccd.cad import Joint, _crossing, _reach, _search, _turns
from ccd.cad._bounds import Plane
from ccd.cad._facets import Face
from ccd.rigid import Motion

SLOW = ("pipe", "dome", "ball in a cone", "crossed", "filleted shaft")


def shares(corners, points):
    """The shares of three sides of a box at points, and how far these are from what the shares lead to."""
    sides = (corners[[1, 2, 4]] - corners[0]).T
    found = np.clip(np.linalg.lstsq(sides, (points - corners[0]).T, rcond=None)[0], 0.0, 1.0)
    return np.linalg.norm(points - corners[0] - (sides @ found).T, axis=1)


@pytest.mark.parametrize("name", [n if n not in SLOW else pytest.param(n, marks=pytest.mark.long) for n in shapes.SHAPES])
def test_faces_are_in_their_boxes(name):
    product, rng = ccd.cad.Product(name, shapes.SHAPES[name]()), np.random.default_rng(5)
    boxes, facets = product._hulls(), product.facets()
    for f, rows in facets.by_face():
        weights = rng.dirichlet([0.4, 0.4, 0.4], len(rows))
        uv = np.concatenate([np.einsum("nk,nkc->nc", weights, facets.uv[rows]), facets.uv[rows].reshape(-1, 2)])
        points = facets.faces[f].surface.at(uv)
        assert shares(boxes.corners[f], points).max() <= boxes.off[f]
        # The box is no larger than the face needs, but that it has the axes of the surface.
        assert np.linalg.norm(np.ptp(boxes.corners[f], 0)) <= 2.5 * np.linalg.norm(np.ptp(points, 0))


@pytest.mark.parametrize("name", ["sphere", "torus", "crossed", "nurbs torus"])
def test_a_face_whose_loops_are_open_has_no_box(name):
    """As that of a dome around which a file has the circle alone, without seam and pole: it is not where the circle is."""
    held = ccd.cad.Product(name, shapes.SHAPES[name]())._read()
    assert _reach.hulls([one.face for one in held], [one.ranges for one in held]) is not None
    opened = 0
    for one in held:
        for k in range(len(one.ranges)):
            curves, own = ([x for i, x in enumerate(all_) if i != k] for all_ in (one.face.curves, one.ranges))
            face = Face(one.face.surface, curves, "open")
            way = np.ptp(one.face.curves[k].at(np.array(one.ranges[k])), axis=0)
            # A plane has no seam, and what is left of a loop of one curve is nothing.
            known = bool(own) and (isinstance(face.surface, Plane) or way.max() < 1e-6)
            assert (_reach.hulls([face], [own]) is not None) == known
            opened += not known
    assert opened > 2


def random_motion(rng):
    turn = _turns.rotation(rng.normal(size=3))
    still = Motion.from_pose(np.block([[turn, rng.normal(size=(3, 1)) * 3], [np.zeros((1, 3)), np.ones((1, 1))]]))
    shift, pivot = (tuple(rng.normal(size=3) * k) for k in (3, 1))
    velocity, spin = tuple(rng.normal(size=3) * 2), tuple(rng.normal(size=3) * rng.integers(2))
    return Motion(still.rotation, shift, velocity, spin, pivot)


def test_faces_do_not_come_near_before_the_time_that_boxes_tell():
    rng, seen, late = np.random.default_rng(2), 0, 0
    for _ in range(40):
        sides = []
        for _ in range(2):
            at, sides_of = rng.normal(size=(6, 1, 3)) * 2, rng.normal(size=(6, 3, 3)) * 0.4
            picks = np.array([[k >> i & 1 for i in range(3)] for k in range(8)])
            corners = at + picks @ sides_of
            sides.append(_reach.Hulls(corners, np.full(6, 0.01), float(np.abs(corners).max()), *np.zeros((2, 6, 2))))
        ma, mb, reach = random_motion(rng), random_motion(rng), float(rng.choice([0.1, 0.6]))
        end = float(rng.uniform(0.5, 2))
        found = _reach.times(*sides, ma, mb, 0.0, end, reach)
        for t in rng.uniform(0, end, 60):
            p, q = (
                np.einsum("nk,fkc->fnc", rng.dirichlet(np.full(8, 0.2), 30), s.corners) @ m.matrix(t)[:3, :3].T
                + m.matrix(t)[:3, 3]
                for s, m in zip(sides, (ma, mb))
            )
            apart = np.linalg.norm(p[:, None, :, None] - q[None, :, None], axis=4).min((2, 3))
            near = apart <= reach + 0.02  # and by as much as faces may be off the boxes
            assert np.all(found[near] <= t)
            seen += near.sum()
        late += ((found > 0) & np.isfinite(found)).sum()
        assert np.isinf(found).any()
    assert seen > 100 and late > 30


def arm_and_post():
    arm = shapes.filleted(shapes.box(40, 6, 6, (0, -3, -3)), 1.5)
    assembly = ccd.cad.Assembly.of({"a": arm, "b": shapes.cylinder(4, 30, (0, 35, -15))})
    return ccd.cad.by_joints(assembly, [Joint("j", "revolute", ["a"], (0, 0, 1))], [0, 1], {"j": [0, math.pi]})


def test_only_faces_that_come_near_get_facets():
    drive = arm_and_post()
    hit = ccd.cad.first_contact(drive, "a", "b")
    arm, post = (p.product for p in drive.assembly.parts)
    assert hit.verdict == "contact" and hit.toi_hi - hit.toi_lo < 1e-5
    assert not arm._facets and not post._facets and arm._solid is None
    made, fronts = {k for _, k in arm._some}, [k for k, one in enumerate(arm._read()) if front(one)]
    assert len(fronts) == 1 and set(fronts) <= made and len(made) <= 5 < arm.faces
    assert [type(post._read()[k].face.surface).__name__ for _, k in post._some] == ["Round"]
    # The exact angle: the front, 3 above the axis, is 4 from the axis of the post, which is 35 away.
    exact = math.acos(7 / 35) / math.pi
    assert hit.toi_lo <= exact <= hit.toi_hi


def front(one):
    s = one.face.surface
    return isinstance(s, ccd.cad._bounds.Plane) and abs(s.frame.origin @ [0, 1, 0] - 3) < 1e-9 and abs(s.frame.z[1]) > 0.9


def test_facets_of_all_faces_join_where_some_had_facets_before():
    drive = arm_and_post()
    ccd.cad.first_contact(drive, "a", "b")
    product = drive.assembly.parts[0].product
    assert product._some and product._closed().closed and not product._some
    assert product._closed().deviation < 0.01 * product.size


def test_parts_that_stay_apart_get_no_facets():
    assembly = ccd.cad.Assembly.of({"a": shapes.box(1, 1, 1), "b": shapes.box(1, 1, 1, (5, 0, 0))})
    joints = [Joint("j", "revolute", ["a"], (0, 0, 1), (0.5, 0.5, 0))]
    drive = ccd.cad.by_joints(assembly, joints, [0, 1], {"j": [0, 9.0]})
    assert ccd.cad.first_contact(drive, "a", "b").verdict == "clear"
    assert not any(p.product._some or p.product._facets for p in assembly.parts)
    with pytest.raises(ccd.ArgumentError, match="deviation"):
        ccd.cad.first_contact(drive, "a", "b", deviation=-1.0)


def crossing(a, b, point, deep):
    """Whether faces of two shapes surely cross near a point."""
    sides = [(np.eye(4), [ccd.cad.Product("x", s).facets()]) for s in (a, b)]
    return _crossing.cross(*sides, np.array(point, float), deep, 0.0, len(_crossing._SCALES))


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.long) for k in range(1, 9))])
def test_faces_that_cross_surely(seed):
    """Balls, a ball and a plate, and the edges of two bars, at gaps below and above 0."""
    rng, found = np.random.default_rng(seed), []
    for gap in (-3e-2, -1e-3, -1e-5, 1e-9, 1e-5, 1e-3, 3e-2):
        r, q = rng.uniform(1, 4, 2)
        way = rng.normal(size=3)
        way *= (r + q + gap) / np.linalg.norm(way)
        x, y = rng.uniform(3, 7, 2)
        bar = shapes.moved(shapes.box(9, 2, 2, (-4.5, 0, 0)), edge_down(rng.uniform(-0.3, 0.3), rng.uniform(0.5, 1), gap))
        cases = [
            (shapes.sphere(r), shapes.sphere(q, way), way * r / (r + q)),
            (shapes.box(10, 10, 1), shapes.sphere(r, (x, y, 1 + r + gap)), (x, y, 1)),
            (shapes.moved(shapes.box(9, 2, 2, (-4.5, -2, -2)), edge_up()), bar, (0, 0, 0)),
        ]
        for a, b, point in cases:
            surely = crossing(a, b, point, abs(gap))
            assert not surely or gap < 0
            found.append((gap < 0, surely))
    assert sum(s for _, s in found) >= 6 and sum(below for below, _ in found) == 9


def edge_up():
    """A turn that has the edge along x of a box up."""
    return np.column_stack([_turns.rotation(np.array([math.pi / 4, 0, 0])), np.zeros(3)])


def edge_down(tilt, turn, height):
    out = _turns.rotation(np.array([0, 0, turn])) @ _turns.rotation(np.array([math.pi / 4 + tilt, 0, 0]))
    return np.column_stack([out, [0, 0, height]])


def test_a_ball_in_a_hole_crosses_no_face():
    """It crosses the plane of the trimmed face, but in the hole; a larger one crosses the face beside it."""
    plate = shapes.cut(shapes.box(10, 10, 1), shapes.cylinder(2, 3, (5, 5, -1)))
    for at in ((5, 5, 1), (6.9, 5, 1), (6.5, 6.2, 1)):
        assert not crossing(plate, shapes.sphere(1.5, (5, 5, 1)), at, 0.1)
    assert crossing(plate, shapes.sphere(2.5, (5, 5, 1)), (7.3, 5, 1), 0.1)


def random_drive(seed):
    """Two parts of the tests on a screw, a slide, a turn, or both on a joint."""
    rng = np.random.default_rng(seed)
    names = list(shapes.SHAPES)
    made = [shapes.SHAPES[names[int(k)]]() for k in rng.integers(len(names), size=2)]
    place = np.eye(4)
    place[:3, :3] = _turns.rotation(rng.normal(size=3))
    way = rng.normal(size=3)
    place[:3, 3] = float(rng.choice([2, 14, 14])) * way / np.linalg.norm(way)
    assembly = ccd.cad.Assembly.of({"a": made[0], "b": made[1]}, {"b": place})
    to, point = tuple(-place[:3, 3] + rng.normal(size=3)), tuple(rng.normal(size=3) * 3)
    kind = int(rng.integers(4))
    joints = [
        Joint("j", "prismatic", ["b"], to),
        Joint("j", "screw", ["b"], to, point, None, 5.0),
        Joint("j", "revolute", ["b"], to, point),
        Joint("j", "revolute", ["b"], point, to),
    ][kind : kind + 1]
    values = {"j": [0, 20.0 if kind == 0 else float(rng.uniform(3, 20))]}
    if kind == 3:
        joints.append(Joint("i", "prismatic", ["a"], point))
        values["i"] = [0, 3.0]
    return ccd.cad.by_joints(assembly, joints, [0, 1], values)


def compare(seed, monkeypatch):
    """First contacts with facets of the faces that come near, and with those of all faces, which agree; the verdict."""
    found = []
    for most in (_search._MOST_TIMES, 0):
        drive = random_drive(seed)
        monkeypatch.setattr(_search, "_MOST_TIMES", most)
        found.append(ccd.cad.first_contact(drive, "a", "b", tolerance=1e-4 * drive.assembly.size))
        monkeypatch.undo()
    one, other = found
    assert one.verdict == other.verdict, (seed, found)
    if one.verdict == "contact":
        assert max(one.toi_lo, other.toi_lo) <= min(max(x.toi_hi, x.time) for x in found), (seed, found)
    return one.verdict


def test_contacts_are_those_of_all_faces(monkeypatch):
    found = [compare(seed, monkeypatch) for seed in (3, 9, 11, 13)]
    assert set(found) == {"clear", "contact"}, found


@pytest.mark.long
def test_many_contacts_are_those_of_all_faces(monkeypatch):
    found = [compare(seed, monkeypatch) for seed in range(100, 220)]
    assert found.count("clear") > 20 and found.count("contact") > 40, found
