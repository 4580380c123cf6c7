"""Robots of MJCF files: placed as MuJoCo places them, with the contacts that MuJoCo tests. SDF and xacro are refused."""

import sys

import numpy as np
import pytest

import ccd

TREE = """<mujoco model="tree"><compiler angle="radian" autolimits="true"/><worldbody>
  <geom name="table" type="box" size="1 1 0.05" pos="0 0 -0.5"/>
  <body name="upper" pos="0 0 0.1" quat="0.9 0.1 0.3 0.2">
    <joint name="a" axis="0 1 0.2" pos="0.1 0.2 -0.1" range="-1 2" ref="0.3"/>
    <joint name="b" type="slide" axis="1 0 0" range="-0.1 0.4"/>
    <geom type="capsule" size="0.04 0.2" pos="0.2 0 0" euler="0 1.57 0"/>
    <body name="lower" pos="0.4 0 0"><joint name="c"/><geom type="cylinder" size="0.05 0.1"/>
      <body name="tip" pos="0 0.3 0" euler="0.2 0 0.1"><geom type="mesh" mesh="wedge" pos="0.01 0.02 0.03"/>
        <geom type="sphere" size="0.5" contype="0" conaffinity="0"/>
        <body name="finger" pos="0 0 0.2"><joint name="d" pos="0 0.05 0"/><geom type="box" size="0.01 0.02 0.03"/></body>
        <body name="thumb" pos="0 0 0.3"><joint name="e"/><geom size="0.02"/></body>
      </body></body></body></worldbody>
  <asset><mesh name="wedge" vertex="0 0 0  0.2 0 0  0 0.3 0  0 0 0.4"/></asset>
  <contact><exclude body1="tip" body2="thumb"/><exclude body1="upper" body2="thumb"/></contact>
  <equality><joint joint1="e" joint2="d" polycoef="0.1 -0.5 0 0 0"/></equality></mujoco>"""


def read(tmp_path, text, **options):
    (tmp_path / "robot.xml").write_text(text)
    return ccd.robot.read(tmp_path / "robot.xml", **options)


@pytest.fixture(scope="module")
def mujoco():
    return pytest.importorskip("mujoco", reason="mujoco is not installed")


def assert_placed_as(mujoco, file, one, r, count=20):
    """Bodies and the vertices of meshes are where MuJoCo has them, in random configurations."""
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    names = [mujoco.mj_id2name(model, int(mujoco.mjtObj.mjOBJ_JOINT), j) or f"joint {j}" for j in range(model.njnt)]
    free = [names.index(name) for name in one.joints]
    for _ in range(count):
        q = r.uniform(-1.5, 1.5, len(one.joints))
        data.qpos[:] = model.qpos0
        data.qpos[model.jnt_qposadr[free]] = q
        for e in range(model.neq):  # what a constraint of equality asks for
            j, k = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
            if model.eq_type[e] == mujoco.mjtEq.mjEQ_JOINT and k >= 0:
                at = [model.jnt_qposadr[i] for i in (j, k)]
                change = data.qpos[at[1]] - model.qpos0[at[1]]
                data.qpos[at[0]] = model.qpos0[at[0]] + np.polyval(model.eq_data[e][:5][::-1], change)
        mujoco.mj_kinematics(model, data)
        places = one.place(q)
        for b in range(model.nbody):
            name = mujoco.mj_id2name(model, int(mujoco.mjtObj.mjOBJ_BODY), b)
            assert np.allclose(places[name][:3, 3], data.xpos[b], atol=1e-12), name
            assert np.allclose(places[name][:3, :3], data.xmat[b].reshape(3, 3), atol=1e-12), name
        for g in np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH):
            if not (model.geom_contype[g] or model.geom_conaffinity[g]):
                continue
            i = model.geom_dataid[g]
            x = model.mesh_vert[model.mesh_vertadr[i] : model.mesh_vertadr[i] + model.mesh_vertnum[i]].astype(float)
            x = x @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g]
            name = mujoco.mj_id2name(model, int(mujoco.mjtObj.mjOBJ_BODY), int(model.geom_bodyid[g]))
            ours = one.surface(name)[0] @ places[name][:3, :3].T + places[name][:3, 3]
            assert np.linalg.norm(ours[:, None] - x, axis=2).min(0).max() < 1e-9


def test_bodies_are_where_mujoco_has_them(mujoco, tmp_path):
    one = read(tmp_path, TREE)
    assert one.name == "tree" and one.joints == ("a", "b", "c", "d") and one.continuous == ()
    assert_placed_as(mujoco, tmp_path / "robot.xml", one, np.random.default_rng(1))
    a, b = one._tree.joints[0], one._tree.joints[1]
    assert (a.kind, b.kind) == ("revolute", "prismatic")
    assert (a.lower, a.upper, a.offset) == pytest.approx((-1.3, 1.7, -0.3)) and (b.lower, b.upper) == (-0.1, 0.4)
    assert one._range(0) == pytest.approx((-1.0, 2.0)) and one._range(2) == (-np.inf, np.inf)
    assert len(one.surface("tip")[1]) == 4 and len(one.surface("world")[1]) == 12


def test_pairs_are_those_that_mujoco_tests(mujoco, tmp_path):
    one = read(tmp_path, TREE)
    for pair in (
        ("tip", "thumb"),
        ("thumb", "upper"),
        ("lower", "upper"),
        ("finger", "tip"),
        ("upper", "world"),
        ("tip", "upper"),
    ):
        assert tuple(sorted(pair)) in one.allowed, pair
    for pair in (("finger", "thumb"), ("finger", "upper"), ("lower", "world"), ("finger", "world")):
        assert tuple(sorted(pair)) not in one.allowed, pair
    tested = read(tmp_path, TREE, allow_adjacent=False)
    assert ("lower", "upper") not in tested.allowed and ("thumb", "tip") in tested.allowed
    body = '<body name="{}" pos="0 0 {}"><joint name="j{}"/><geom size="1" contype="{}" conaffinity="{}"/></body>'
    other = body.format("y", 9, 1, 2, 4)
    for types, allowed in (((1, 1), True), ((4, 1), False), ((1, 2), False), ((2, 4), True)):
        text = f"<mujoco><worldbody>{body.format('x', 0, 0, *types)}{other}</worldbody></mujoco>"
        assert (("x", "y") in read(tmp_path, text).allowed) == allowed, types


def test_no_contact_of_mujoco_is_between_allowed_links(mujoco, tmp_path):
    """In random configurations; the base's neighbors apart, which MuJoCo tests against it."""
    one, r, seen = read(tmp_path, TREE), np.random.default_rng(3), set()
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    data = mujoco.MjData(model)
    for _ in range(300):
        data.qpos[:] = r.uniform(-2, 2, model.nq)
        mujoco.mj_forward(model, data)
        for pair in data.contact.geom:
            bodies = model.geom_bodyid[pair]
            seen.add(tuple(sorted(mujoco.mj_id2name(model, int(mujoco.mjtObj.mjOBJ_BODY), int(b)) for b in bodies)))
    seen.discard(("upper", "world"))
    assert len(seen) > 2 and not seen & set(one.allowed)


def test_a_hinge_turns_until_it_meets_the_table(mujoco, tmp_path):
    """The bar of length 1 about y from (0, 0, 0.5) meets z = 0 where the sine is a half less its thickness."""
    text = """<mujoco><worldbody><geom type="box" size="2 2 0.5" pos="0 0 -0.5"/><body name="arm" pos="0 0 0.5">
      <joint name="turn" axis="0 1 0"/><geom type="capsule" size="0.1" fromto="0 0 0 1 0 0"/></body></worldbody></mujoco>"""
    one = read(tmp_path, text, allow_adjacent=False)
    report = ccd.robot.check(one, ccd.robot.Path(["turn"], [[0], [1]]))
    assert report.contact.b == "world" and report.contact.s == pytest.approx(np.arcsin(0.4), abs=1e-5)
    assert ccd.robot.check(one, ccd.robot.Path(["turn"], [[0], [np.arcsin(0.4) - 1e-4]])).free


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<mujoco><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>', "is a plane, which is infinite"),
        ('<mujoco><worldbody><geom type="ellipsoid" size="1 1 2"/></worldbody></mujoco>', "is an ellipsoid"),
        ("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>", "is a free joint"),
        ("<mujoco><worldbody><body><joint type='ball'/><geom size='1'/></body></worldbody></mujoco>", "is a ball joint"),
        ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "robot.xml: .*mass"),
        ("<mujoco><nonsense/></mujoco>", "robot.xml: .*nonsense"),
    ],
)
def test_what_is_not_read_is_refused(mujoco, tmp_path, text, message):
    with pytest.raises(ccd.Error, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<sdf version="1.7"><model name="m"/></sdf>', "robot.xml is a SDF file, which is not read: export URDF or MJCF"),
        (
            '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r"><link name="a"/><xacro:arm parent="a"/></robot>',
            r"has <xacro:arm>: expand the macros of xacro first \(xacro FILE > robot.urdf\)$",
        ),
        ('<robot name="r"><link name="${prefix}a"/></robot>', r"has '\${prefix}a': expand the macros of xacro first"),
        ('<robot name="$(arg name)"><link name="a"/></robot>', r"has '\$\(arg name\)': expand the macros"),
        ("<scene/>", "the root is <scene>: must be <robot>, or <mujoco>"),
    ],
)
def test_other_files_say_how_to_convert_them(tmp_path, text, message):
    with pytest.raises(ccd.Error, match=message):
        read(tmp_path, text)


def test_without_mujoco_an_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImportError, match=r"robot.xml: MJCF files need MuJoCo .*pip install mujoco"):
        read(tmp_path, TREE)
