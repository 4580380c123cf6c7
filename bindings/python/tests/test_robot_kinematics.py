"""Kinematics of robots against other implementations, and the radii that bound their vertices."""

import math

import numpy as np
import pytest
from robots import ARM, random_urdf, robot, tree, yourdfpy

import ccd
from ccd.robot import _bodies, _check


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
        joints.append(
            ccd.motion.Joint("revolute" if j.turns else j.kind, order.get(j.parent, -1), quaternion, j.position, axis, *values)
        )
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
        if j.turns:
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


def test_a_mimic_of_a_mimic_is_a_chain(tmp_path):
    """Other readers take a factor of 1.2, 1 or none, where the chain has 3 * 1.1."""
    text = tree(
        "abcd",
        ("j", "prismatic", "a", "b", '<axis xyz="1 0 0"/><limit upper="9"/>'),
        ("k", "prismatic", "a", "c", '<axis xyz="1 0 0"/><mimic joint="j" multiplier="3" offset="0.5"/><limit upper="9"/>'),
        ("l", "prismatic", "a", "d", '<axis xyz="1 0 0"/><mimic joint="k" multiplier="1.1" offset="0.25"/><limit upper="9"/>'),
    )
    placed = robot(tmp_path, text).place([1.0])
    assert [placed[link][0, 3] for link in "bcd"] == pytest.approx([1, 3.5, 3.5 * 1.1 + 0.25])


def test_a_capsule_leaves_the_other_shapes_of_its_link(tmp_path):
    shapes = "".join(
        f"<collision><geometry>{g}</geometry></collision>"
        for g in ('<capsule radius="0.1" length="1"/>', '<box size="1 1 1"/>', '<sphere radius="2"/>')
    )
    text = tree("ab", ("j", "continuous", "a", "b", '<axis xyz="0 0 1"/>')).replace(
        '<link name="b"/>', f'<link name="b">{shapes}</link>'
    )
    _, faces, edges, radii = robot(tmp_path, text).surface("b")
    assert (len(faces), len(edges), sorted(set(radii.tolist()))) == (12, 1, [0.0, 0.1, 2.0])


def test_rounding_is_within_its_bound(tmp_path):
    r = np.random.default_rng(3)
    for trial in range(20):
        turns = (1, 1e5)[trial % 2]  # the values of many turns are rounded most
        bodies = _bodies.Bodies(robot(tmp_path, random_urdf(r, 9)), {})
        control = r.uniform(-3, 3, (4, 1 + max(j.source for j in bodies.tree.joints))) * turns
        way = _check._Way(bodies, control)
        for s in r.uniform(0, 1, 5):
            off = np.linalg.norm((way.place(s) - long_vertices(bodies, bernstein(control, s))).astype(float), axis=1)
            assert (off <= way.error).all() and way.error.max() < 1e-11 * turns**2
