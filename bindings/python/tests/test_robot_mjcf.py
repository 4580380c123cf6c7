"""Robots of MJCF files: placed as MuJoCo places them, with the contacts that MuJoCo tests. Macros of xacro are refused."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ccd
from ccd.cli import main

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


WEDGE = '<asset><mesh name="wedge" vertex="0 0 0  0.2 0 0  0 0.3 0  0 0 0.4"/></asset>'
GEOM = '<geom type="mesh" mesh="wedge"/>'


@pytest.mark.parametrize(
    "before, inner, shapes",
    [
        ("", f'<joint name="j" axis="0 1 1"/><frame pos="0 1 0" euler="10 20 30">{GEOM}</frame>', 1),
        ("", f'<joint name="j" axis="0 1 1"/><replicate count="3" offset="1 0 0" euler="0 0 40">{GEOM}</replicate>', 3),
        ("", f'<frame pos="0 1 0" euler="10 20 30"><joint name="j" axis="0 1 1"/></frame>{GEOM}', 1),
        ('<default><geom pos="1 2 3" euler="10 20 30"/></default>', f'<joint name="j" axis="0 1 1"/>{GEOM}', 1),
        ('<default><joint pos="1 2 3" axis="0 1 1"/></default>', f'<joint name="j"/>{GEOM}', 1),
        ('<compiler eulerseq="ZYX"/>', f'<joint name="j" axis="0 1 1"/><frame euler="10 20 30">{GEOM}</frame>', 1),
        ('<compiler eulerseq="zyx"/>', f'<joint name="j" axis="0 1 1"/><frame euler="10 20 30">{GEOM}</frame>', 1),
    ],
)
def test_frames_copies_defaults_and_angles_are_those_of_mujoco(mujoco, tmp_path, before, inner, shapes):
    """What other readers of MJCF leave out or place elsewhere (findings/pinocchio_mjcf_shapes_move_or_go.sh)."""
    one = read(tmp_path, f'<mujoco>{before}{WEDGE}<worldbody><body name="b" pos="0 0 1">{inner}</body></worldbody></mujoco>')
    assert one.joints == ("j",) and len(one.surface("b")[1]) == 4 * shapes
    assert_placed_as(mujoco, tmp_path / "robot.xml", one, np.random.default_rng(3), count=2)


CORNER = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
TWO = """<mujoco><asset><mesh name="one" file="corner.obj" {}/><mesh name="two" file="corner.obj" {}/></asset><worldbody>
  <body name="a"><joint/><geom type="mesh" mesh="one"/></body><body name="b"><joint/><geom type="mesh" mesh="two"/></body>
  </worldbody></mujoco>"""


def test_meshes_of_one_file_have_each_its_own_place(mujoco, tmp_path):
    """MuJoCo's cache gives a file the refpos that it was first read with (findings/mujoco_meshes_keep_the_first_refpos.sh)."""
    (tmp_path / "corner.obj").write_text(CORNER)
    first, second = 'refpos="1 0 0"', 'refpos="5 0 0" refquat="0.7071067811865476 0 0 0.7071067811865476"'
    low = {first: [-1, 0, 0], second: [0, 4, 0], "": [0, 0, 0]}  # less refpos, turned back by refquat
    if not hasattr(mujoco, "mj_getCache"):
        pytest.skip("this MuJoCo's cache has no switch: the next test")
    capacity = mujoco.mj_getCacheCapacity(mujoco.mj_getCache())
    for a, b in ((first, second), (second, first), ("", first), (second, "")):
        (tmp_path / "robot.xml").write_text(TWO.format(b, a))
        mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))  # which keeps what it read
        one = read(tmp_path, TWO.format(a, b))
        assert np.allclose(one.surface("a")[0].min(axis=0), low[a], atol=1e-6), (a, b)
        assert np.allclose(one.surface("b")[0].min(axis=0), low[b], atol=1e-6), (a, b)
    with ThreadPoolExecutor(4) as threads:  # The cache is one for all of them.
        for one in threads.map(lambda _: ccd.robot.read(tmp_path / "robot.xml"), range(40)):
            assert np.allclose(one.surface("a")[0].min(axis=0), low[second], atol=1e-6)
    assert mujoco.mj_getCacheCapacity(mujoco.mj_getCache()) == capacity


def test_a_mujoco_that_may_leave_out_refpos_is_refused(mujoco, tmp_path, monkeypatch):
    """MuJoCo 3.3.1 to 3.3.6 have the cache, and no way to switch it off."""
    monkeypatch.delattr(mujoco, "mj_getCache", raising=False)
    monkeypatch.setattr(mujoco, "__version__", "3.3.6")
    (tmp_path / "corner.obj").write_text(CORNER)
    read(tmp_path, TWO.format("", 'scale="2 2 2"'))
    with pytest.raises(ccd.UnsupportedError, match=r"robot\.xml: mesh 'two' has refpos or refquat, .* install 3\.3\.7"):
        read(tmp_path, TWO.format("", 'refpos="1 0 0"'))


def test_pairs_are_those_that_mujoco_tests(mujoco, tmp_path):
    one = read(tmp_path, TREE)
    for pair in (
        ("tip", "thumb"),
        ("thumb", "upper"),
        ("lower", "upper"),
        ("finger", "tip"),
        ("tip", "upper"),
    ):
        assert tuple(sorted(pair)) in one.allowed, pair
    for pair in (("finger", "thumb"), ("finger", "upper"), ("upper", "world"), ("finger", "world")):
        assert tuple(sorted(pair)) not in one.allowed, pair
    tested = read(tmp_path, TREE, allow_adjacent=False)
    assert ("lower", "upper") not in tested.allowed and ("thumb", "tip") in tested.allowed
    body = '<body name="{}" pos="0 0 {}"><joint name="j{}"/><geom size="1" contype="{}" conaffinity="{}"/></body>'
    other = body.format("y", 9, 1, 2, 4)
    for types, allowed in (((1, 1), True), ((4, 1), False), ((1, 2), False), ((2, 4), True)):
        text = f"<mujoco><worldbody>{body.format('x', 0, 0, *types)}{other}</worldbody></mujoco>"
        assert (("x", "y") in read(tmp_path, text).allowed) == allowed, types


def test_pairs_of_geoms_are_tested_whatever_masks_and_neighbors(mujoco, tmp_path):
    text = """<mujoco><worldbody><geom name="post" type="box" size=".1 .1 .1" pos="1 0 0" {}/>
      <body name="arm"><joint name="turn" axis="0 0 1"/><geom name="bar" type="capsule" size=".05" fromto="0 0 0 0 1 0" {}/>
        <body name="tip" pos="0 1 0"><joint name="bend" axis="0 0 1"/><geom name="end" size=".1" pos="0 .2 0" {}/></body></body>
      </worldbody><contact>{}</contact></mujoco>"""
    off, path = 'contype="0" conaffinity="0"', ccd.robot.Path(["turn", "bend"], [[0, 0], [-3, 0]])
    none = read(tmp_path, text.format(off, off, off, ""))
    assert none._shapes == [[], [], []] and ccd.robot.check(none, path).free
    pair = '<pair geom1="bar" geom2="post"/>'
    one = read(tmp_path, text.format(off, off, off, pair))
    assert ("arm", "world") not in one.allowed and not one._shapes[2]
    hit = ccd.robot.check(one, path).contact
    corner = np.arctan2(0.1, 0.9) + np.arcsin(0.05 / np.hypot(0.9, 0.1))  # the side of the bar at an edge of the post
    assert {hit.a, hit.b} == {"arm", "world"} and hit.values[0] == pytest.approx(corner - np.pi / 2, abs=1e-5)
    near = '<pair geom1="end" geom2="bar"/><exclude body1="arm" body2="tip"/>'  # neighbors, and excluded ones
    assert ("arm", "tip") in read(tmp_path, text.format("", "", "", "")).allowed
    assert ("arm", "tip") not in read(tmp_path, text.format("", "", "", near)).allowed


def test_bodies_of_motion_capture_rest(mujoco, tmp_path):
    text = """<mujoco><worldbody><body name="hand" mocap="true" pos="0 0 3"><geom size="1" {}/></body>
      <body name="ball"><joint type="slide" name="up" axis="0 0 1"/><geom size="1"/></body></worldbody>
      <equality><weld body1="hand" body2="ball"/></equality></mujoco>"""
    with pytest.raises(ccd.UnsupportedError, match="of the kind weld"):  # it would hold the ball at the obstacle
        read(tmp_path, text.format(""))
    dragged = read(tmp_path, text.format('contype="0" conaffinity="0"'))
    assert dragged.links == ("world", "hand", "ball") and not dragged.loops
    paired = text.format('name="g" contype="0" conaffinity="0"')
    paired = paired.replace("<equality>", '<contact><pair geom1="g" geom2="b"/></contact><equality>')
    with pytest.raises(ccd.UnsupportedError, match="of the kind weld"):  # the pair makes an obstacle of the hand's geom
        read(tmp_path, paired.replace('axis="0 0 1"/><geom', 'axis="0 0 1"/><geom name="b"'))
    rests = read(tmp_path, text.format("").replace("<weld", "<weld active='false'"))
    assert ccd.robot.check(rests, ccd.robot.Path(["up"], [[0], [2]])).contact.s == pytest.approx(0.5, abs=1e-6)


def test_planes_are_infinite(mujoco, tmp_path):
    """A ball that rolls far beside the plane that is drawn meets it where the distance of its center is its radius."""
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1" pos="0 0 -1" {}/>
      <body name="ball" pos="0 0 1"><freejoint name="ball"/><geom size=".5"/></body></worldbody></mujoco>"""
    joints = [f"ball/{n}" for n in ("trans_x", "trans_y", "trans_z", "rot_w", "rot_x", "rot_y", "rot_z")]
    for tilt, slope in (("", 0.0), ('euler="0 20 0"', np.tan(np.radians(20)))):
        one = read(tmp_path, text.format(tilt))
        assert not one.allowed and not one.open_links
        x = 300.0
        touch = -1 - x * slope + 0.5 * np.hypot(1, slope)  # the height of the center at which the ball touches
        path = ccd.robot.Path(joints, [[x, 5, touch + 1, 1, 0, 0, 0], [x, 5, touch - 1, 1, 0, 0, 0]])
        hit = ccd.robot.check(one, path).contact
        assert {hit.a, hit.b} == {"ball", "world"} and hit.s == pytest.approx(0.5, abs=1e-6)
        checker = ccd.robot.Checker(one)
        assert checker.free(path.at(0, 0), path.at(0, 0.49)) and not checker.free(path.at(0, 0), path.at(0, 0.51))
        below = path.at(0, 0) - [0, 0, 300, 0, 0, 0, 0]
        assert [c.how for c in ccd.robot.touching(one, below)] == ["inside"]
        far = np.add(path.at(0, 0), [1e7, 0, 0, 0, 0, 0, 0])
        with pytest.raises(ccd.ArgumentError, match=r"path: 'ball' may be up to .* from the origin of 'world', a half-space"):
            ccd.robot.check(one, ccd.robot.Path(joints, [path.at(0, 0), far]))
        with pytest.raises(ccd.ArgumentError, match="q0, q1: 'ball' may be up to"):
            checker.free(path.at(0, 0), far)
        with pytest.raises(ccd.ArgumentError, match="'ball' may be up to"):
            ccd.robot.ranges(one, path.at(0, 0), far)


@pytest.mark.parametrize("place", ["", 'pos="1 2 3" euler="10 20 30"'])
def test_height_fields_are_those_of_mujoco(mujoco, tmp_path, place):
    """Rays from outside meet the triangles where they meet MuJoCo's height field."""
    r = np.random.default_rng(4)
    data = " ".join(map(str, r.random(20)))
    text = f"""<mujoco><asset><hfield name="h" nrow="4" ncol="5" size="2 1.5 .6 .3" elevation="{data}"/></asset>
      <worldbody><geom type="hfield" hfield="h" {place}/><body><freejoint/><geom size=".05"/></body></worldbody></mujoco>"""
    one = read(tmp_path, text)
    assert not one.open_links
    model = mujoco.MjModel.from_xml_string(text)
    now = mujoco.MjData(model)
    mujoco.mj_forward(model, now)
    x, faces, _, _ = one.surface("world")
    a, first, second = x[faces[:, 0]], *(x[faces[:, k]] - x[faces[:, 0]] for k in (1, 2))
    turned, at, met = now.geom_xmat[0].reshape(3, 3), now.geom_xpos[0], 0
    for _ in range(400):
        start = np.array([r.uniform(-2.2, 2.2), r.uniform(-1.7, 1.7), r.choice([-2.0, 2.0])])
        way = 0.4 * r.normal(size=3) - [0, 0, start[2] / 2]
        start, way = turned @ start + at, turned @ (way / np.linalg.norm(way))
        theirs = mujoco.mj_rayHfield(model, now, 0, start, way, None)
        h = np.cross(way, second)
        det = (first * h).sum(axis=1)
        u, q = ((start - a) * h).sum(axis=1) / det, np.cross(start - a, first)
        v, t = q @ way / det, (second * q).sum(axis=1) / det
        hits = t[(u >= -1e-12) & (v >= -1e-12) & (u + v <= 1 + 1e-12) & (t > 0)]
        assert theirs == pytest.approx(hits.min() if len(hits) else -1, abs=1e-6)
        met += len(hits) > 0
    assert 100 < met < 400


def test_all_of_a_fine_terrain_counts(mujoco, tmp_path):
    """MuJoCo's distance looks at 50 prisms of a terrain (findings/mujoco_distance_to_terrain_stops_at_50.sh)."""
    text = """<mujoco><asset><hfield name="h" nrow="40" ncol="40" size="3 3 1 1"/></asset>
      <worldbody><geom type="hfield" hfield="h"/><body name="foot" pos="2 2 0.75">
      <joint name="up" type="slide" axis="0 0 1"/><geom size="0.5"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    now = mujoco.MjData(model)
    now.qpos[0] = -0.375
    mujoco.mj_forward(model, now)
    assert now.ncon > 0
    one = read(tmp_path, text)
    hit = ccd.robot.check(one, ccd.robot.Path(["up"], [[0.25], [-0.75]])).contact
    assert {hit.a, hit.b} == {"foot", "world"}
    assert hit.s == pytest.approx(0.5, abs=1e-6)
    assert ccd.robot.check(one, ccd.robot.Path(["up"], [[0.25], [-0.24]])).contact is None


def test_ellipsoids_are_held(mujoco, tmp_path):
    text = """<mujoco><compiler angle="radian"/><worldbody><body name="egg"><joint name="up" type="slide" axis="0 0 1"/>
      <geom type="ellipsoid" size="1 2 .5"/></body><geom size=".1" pos=".3 .8 2"/></worldbody></mujoco>"""
    one = read(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    now = mujoco.MjData(model)
    low, high = 0.0, 2.0  # where MuJoCo has the contact
    for _ in range(40):
        now.qpos[0] = 0.5 * (low + high)
        mujoco.mj_forward(model, now)
        low, high = (low, now.qpos[0]) if now.ncon else (now.qpos[0], high)
    s = ccd.robot.check(one, ccd.robot.Path(["up"], [[0], [2]])).contact.s
    assert high - 0.012 < 2 * s < high + 1e-5


def test_what_stands_on_the_world_is_tested_against_it(mujoco, tmp_path):
    """As in MuJoCo: neither the world nor what is fixed to it is a neighbor, but for a base that a joint is on."""
    text = """<mujoco><worldbody><geom size="1" pos="0 0 -1"/><body name="post" pos="0 1 0"><geom size=".1"/></body>
      <body name="base"><geom size=".1"/><body name="arm" pos="0 0 1"><joint name="turn"/><geom size=".1"/>
      <body name="tip" pos="0 0 1"><joint name="bend"/><geom size=".1"/></body></body></body></worldbody>{}</mujoco>"""
    assert read(tmp_path, text.format("")).allowed == [("arm", "base"), ("arm", "tip")]
    off = '<option><flag filterparent="disable"/></option>'
    assert not read(tmp_path, text.format(off)).allowed
    ball = """<mujoco><worldbody><geom type="box" size="9 9 1" pos="0 0 -1"/>
      <body name="ball" pos="0 0 2"><joint name="fall" type="slide" axis="0 0 -1"/><geom size=".5"/></body></worldbody>
      </mujoco>"""
    hit = ccd.robot.check(read(tmp_path, ball), ccd.robot.Path(["fall"], [[0], [3]])).contact
    assert {hit.a, hit.b} == {"ball", "world"} and hit.s == pytest.approx(0.5, abs=1e-6)  # a slide on the world meets its floor


def test_no_contact_of_mujoco_is_between_allowed_links(mujoco, tmp_path):
    """In random configurations."""
    one, r, seen = read(tmp_path, TREE), np.random.default_rng(3), set()
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    data = mujoco.MjData(model)
    for _ in range(300):
        data.qpos[:] = r.uniform(-2, 2, model.nq)
        mujoco.mj_forward(model, data)
        for pair in data.contact.geom:
            bodies = model.geom_bodyid[pair]
            seen.add(tuple(sorted(mujoco.mj_id2name(model, int(mujoco.mjtObj.mjOBJ_BODY), int(b)) for b in bodies)))
    assert len(seen) > 2 and not seen & set(one.allowed)


FLYING = """<mujoco><compiler angle="radian"/><worldbody><body name="cube" pos="5 5 5" quat="1 1 0 0"><freejoint name="cube"/>
  <geom type="box" size=".1 .1 .1"/><body name="hand" pos="0 0 1" euler=".1 .2 .3">
  <joint name="wrist" type="ball" pos=".1 .2 .3"/><geom type="box" size=".1 .2 .1"/>
  <body name="thumb"><joint name="bend" ref="0.2" axis="1 0 0"/><geom size="0.1" pos="1 0 0"/>
  </body></body></body></worldbody></mujoco>"""


def test_free_and_ball_joints_have_the_values_of_mujoco(mujoco, tmp_path):
    one, r = read(tmp_path, FLYING), np.random.default_rng(7)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    data = mujoco.MjData(model)
    assert one.joints[3:8] == ("cube/rot_w", "cube/rot_x", "cube/rot_y", "cube/rot_z", "wrist/rot_w")
    for _ in range(20):
        data.qpos[:] = r.normal(size=model.nq)
        mujoco.mj_kinematics(model, data)
        places = one.place(data.qpos)
        for name in ("cube", "hand", "thumb"):
            body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
            assert np.allclose(places[name][:3, 3], data.xpos[body], rtol=0, atol=1e-12)
            assert np.allclose(places[name][:3, :3], data.xmat[body].reshape(3, 3), rtol=0, atol=1e-12)


GRIPPER = """<mujoco><compiler angle="radian"/><worldbody><body name="base"><geom type="box" size=".05 .05 .05"/>
  <body name="drive"><joint name="drive" axis="0 0 1" range="-3 3" ref="0.2"/>
  <geom type="capsule" size=".02" fromto="0 0 0 1 0 0"/>
  <body name="coupler" pos="1 0 0"><joint name="coupler" axis="0 0 1"/><geom type="capsule" size=".02" fromto="0 0 .1 1 2 .1"/>
  <site name="tip" pos="1 2 0"/></body></body>
  <body name="rocker" pos="3 0 0"><joint name="rocker" axis="0 0 1"/><geom type="capsule" size=".02" fromto="0 0 .2 -1 2 .2"/>
  <site name="end" pos="-1 2 0"/></body>
  <body name="finger" pos="0 0 2"><joint name="finger" type="slide" axis="0 1 0" ref="0.1"/><geom size=".05"/></body>
  <body name="stay" pos="0 0 3"><joint name="stay" axis="0 1 0" ref="0.3"/><geom size=".05" pos="1 0 0"/></body></body>
  </worldbody><equality><joint joint1="finger" joint2="drive" polycoef="0.01 0.2 0.3 -0.1 0.05"/>
  <joint joint1="stay" polycoef="0.4 0 0 0 0"/>
  <connect {}/><weld body1="base" body2="stay" active="false"/></equality></mujoco>"""
CONNECTS = ['body1="coupler" body2="rocker" anchor="1 2 0"', 'site1="tip" site2="end"']


@pytest.mark.parametrize("connect", CONNECTS)
def test_constraints_of_equality_are_kept(mujoco, tmp_path, connect):
    """The path that `close` makes of the file alone is where MuJoCo has the bodies, and violates none of its constraints."""
    one = read(tmp_path, GRIPPER.format(connect)).allow([("drive", "coupler"), ("coupler", "rocker")])
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    data = mujoco.MjData(model)
    assert one.joints == ("drive", "coupler", "rocker") and [len(loop.across) for loop in one.loops] == [2]
    path = ccd.robot.close(one, ccd.robot.Path(["drive"], [[0.5], [1]]))
    for edge in range(path.edges):
        q = path.at(edge, 0.7)
        x = q[0] - 0.2
        data.qpos[:] = [*q, 0.1 + np.polyval([0.05, -0.1, 0.3, 0.2, 0.01], x), 0.3 + 0.4]
        mujoco.mj_forward(model, data)
        assert np.abs(data.efc_pos[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]).max() < 1e-8
        places = one.place(q)
        for body in range(1, model.nbody):
            name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body)
            assert np.allclose(places[name][:3, 3], data.xpos[body], rtol=0, atol=1e-12)
            assert np.allclose(places[name][:3, :3], data.xmat[body].reshape(3, 3), rtol=0, atol=1e-12)
    assert ccd.robot.check(one, path).free
    gap = ccd.robot.clearance(one, path)[0]
    assert gap.gap.lo > 0.1


def test_the_command_closes_loops(mujoco, tmp_path, capsys):
    (tmp_path / "robot.xml").write_text(GRIPPER.format(CONNECTS[0]))
    (tmp_path / "path.csv").write_text("drive\n0.2\n1\n")
    given = ["robot", "check", str(tmp_path / "robot.xml"), str(tmp_path / "path.csv"), "--allow", "drive,coupler"]
    given += ["--allow", "coupler,rocker", "--json"]
    assert main([*given, "--close"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "free" and found["edges"] > 1
    assert main(given) == 2
    assert "or let ccd.robot.close compute those" in capsys.readouterr().err
    (tmp_path / "robot.xml").write_text(TREE)
    assert main([*given, "--close"]) == 2
    assert "robot.xml has no loops" in capsys.readouterr().err


def test_loops_that_are_open_are_refused(mujoco, tmp_path):
    one = read(tmp_path, GRIPPER.format(CONNECTS[0])).allow([("drive", "coupler"), ("coupler", "rocker")])
    with pytest.raises(ccd.ArgumentError, match=r"no values of 'coupler', 'rocker': .*, or let ccd.robot.close compute those"):
        ccd.robot.check(one, ccd.robot.Path(["drive"], [[0.2], [1]]))
    straight = ccd.robot.Path(["drive", "coupler", "rocker"], [[0.2, 0, 0], [1, 0, 0]])
    words = r"loops\[0\], of the links 'coupler' and 'rocker', is open by 0.* on edge 0 at s = 0.5"
    for call in (ccd.robot.check, ccd.robot.clearance):
        with pytest.raises(ccd.ArgumentError, match=words):
            call(one.pad(0.001), straight)
    with pytest.raises(ccd.ArgumentError, match=r"couplings: joint 'drive' is in loops\[0\] of the robot, and in no"):
        ccd.robot.Checker(one)
    coupling = ccd.robot.Coupling.closing(one, one.loops, "drive", 0, 1.2)
    checker = ccd.robot.Checker(one, couplings=[coupling])
    assert checker.joints == ("drive",) and checker.free([0.1], [1.1])
    half = ccd.robot.Coupling("drive", ["coupler", "rocker"], [0, 1], [[[0, 0], [1, 1]]])
    with pytest.raises(ccd.ArgumentError, match=r"couplings: loops\[0\], of the links .* is open by"):
        ccd.robot.Checker(one, couplings=[half])
    assert not ccd.robot.touching(one, one._start)
    with pytest.raises(ccd.ArgumentError, match=r"touching|loops\[0\].* is open by"):
        ccd.robot.touching(one, [0.2, 0.5, 0])


SPRUNG = """<mujoco><compiler angle="radian"/><worldbody><body name="base"/>
  <body name="driver" pos=".03 0 0"><joint name="driver" axis="0 1 0"/><geom size=".003" pos="0.01 0 0"/>
  <body name="coupler" pos=".03 0 .02"><joint name="coupler" axis="0 1 0"/><geom size=".003" pos="0.01 0 0"/></body></body>
  <body name="spring" pos=".015 0 .01"><joint name="spring" axis="0 1 0"/><geom size=".003" pos="0.01 .1 0"/>
  <body name="follower" pos=".03 0 .03"><joint name="follower" axis="0 1 0"/><geom size=".003" pos="0.01 .1 0"/></body></body>
  </worldbody><equality><connect body1="follower" body2="coupler" anchor="-.01 0 .02"/></equality></mujoco>"""


def test_an_underactuated_finger_has_two_drives(mujoco, tmp_path):
    one = read(tmp_path, SPRUNG)
    with pytest.raises(
        ccd.ArgumentError, match=r"no values of .* and the loops have 2 equations for them: give values of 1 more"
    ):
        ccd.robot.close(one, ccd.robot.Path(["driver"], [[0], [0.3]]))
    path = ccd.robot.close(one, ccd.robot.Path(["driver", "spring"], [[0.05, 0], [0.3, 0.25]]))
    assert path.joints[2:] == ("coupler", "follower") and ccd.robot.check(one, path).free
    values = dict(zip(path.joints, path.at(path.edges - 1, 1)))
    places = one.place(values)
    loop = one.loops[0]
    ends = [places[link] @ [*point, 1] for link, point in ((loop.a, loop.point_a), (loop.b, loop.point_b))]
    assert np.allclose(*ends, rtol=0, atol=1e-9)


def test_a_line_may_name_its_joints_either_way(mujoco, tmp_path):
    """One joint follows two others by lines: the second line is read from its other side."""
    lines = '<joint joint1="i" joint2="j" polycoef="0.1 2 0 0 0"/><joint joint1="i" joint2="k" polycoef="0.3 -4 0 0 0"/>'
    one = read(tmp_path, EQUAL.format(lines))
    assert one.joints == ("j",)
    j = 0.25
    i = 0.1 + 2 * j
    k = (i - 0.3) / -4
    places = one.place([j])
    for name, angle in (("a", i), ("b", j), ("c", k)):
        assert np.allclose(places[name][:2, :2], [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], atol=1e-15)


def test_a_hinge_turns_until_it_meets_the_table(mujoco, tmp_path):
    """The bar of length 1 about y from (0, 0, 0.5) meets z = 0 where the sine is a half less its thickness."""
    text = """<mujoco><worldbody><geom type="box" size="2 2 0.5" pos="0 0 -0.5"/><body name="arm" pos="0 0 0.5">
      <joint name="turn" axis="0 1 0"/><geom type="capsule" size="0.1" fromto="0 0 0 1 0 0"/></body></worldbody></mujoco>"""
    one = read(tmp_path, text, allow_adjacent=False)
    report = ccd.robot.check(one, ccd.robot.Path(["turn"], [[0], [1]]))
    assert report.contact.b == "world" and report.contact.s == pytest.approx(np.arcsin(0.4), abs=1e-5)
    assert ccd.robot.check(one, ccd.robot.Path(["turn"], [[0], [np.arcsin(0.4) - 1e-4]])).free


EQUAL = """<mujoco><worldbody><body name="a"><joint name="i"/><geom size="1"/></body>
  <body name="b"><joint name="j"/><geom size="1"/></body><body name="c"><joint name="k"/><geom size="1"/></body></worldbody>
  <tendon><fixed name="both"><joint joint="i" coef="1"/></fixed></tendon><equality>{}</equality></mujoco>"""


# A deformable body that is fixed to a link: no geom, no constraint of equality.
FLEX = """<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/><flexcomp name="cloth" pos="0 0 1" type="box"
  count="3 3 3" spacing=".1 .1 .1" radius=".01" mass="1" dim="3" rigid="true">{}</flexcomp></body></worldbody></mujoco>"""


def test_what_takes_no_part_is_left_out(mujoco, tmp_path):
    one = read(tmp_path, FLEX.format('<contact contype="0" conaffinity="0"/>'))
    assert one.joints == ("j",) and len(one._shapes[one.links.index("a")]) == 1
    both = EQUAL.format('<joint joint1="i" joint2="j"/>')
    assert read(tmp_path, both).joints == ("j", "k")
    off = both.replace("<worldbody>", '<option><flag equality="disable"/></option><worldbody>')
    assert read(tmp_path, off).joints == ("i", "j", "k")


def test_names_that_are_made_are_not_those_of_the_file(mujoco, tmp_path):
    """A link of a joint away from its body, and what has no name."""
    one = read(
        tmp_path,
        '<mujoco><worldbody><body name="a"><joint name="j" pos=".1 0 0"/><geom size=".1"/><body><joint/><geom size=".1"/>'
        '<body name="a/j"><joint name="joint 1"/><geom size=".1"/><body name="body 2"><geom size=".1"/></body></body></body>'
        "</body></worldbody></mujoco>",
    )
    assert one.links == ("world", "a/j'", "a", "body 2'", "a/j", "body 2") and one.joints == ("j", "joint 1'", "joint 1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            EQUAL.format('<weld name="w" body1="a" body2="b"/>'),
            "equality 'w' is of the kind weld: only joint and connect are read",
        ),
        (EQUAL.format('<tendon name="t" tendon1="both"/>'), "equality 't' is of the kind tendon"),
        (
            EQUAL.format('<joint joint1="i"/><joint joint1="i"/>'),
            "equality 'equality 1': joint 'i' follows twice: state it once",
        ),
        (EQUAL.format('<joint joint1="i" joint2="j"/><joint joint1="j" joint2="i"/>'), "joint 'i' follows itself"),
        (
            EQUAL.format(
                '<joint joint1="i" joint2="j" polycoef="0 1 1 1 0"/><joint joint1="j" joint2="k" polycoef="0 1 1 0 0"/>'
            ),
            "joint 'i' follows by a polynomial of degree 6: at most 5",
        ),
        (FLEX.format('<contact selfcollide="none"/>'), "flex 'cloth' takes part in contacts: flexes are not read"),
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
        (
            '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r"><link name="a"/><xacro:arm parent="a"/></robot>',
            r"has <xacro:arm>: expand the macros of xacro first \(xacro FILE > robot.urdf\)$",
        ),
        ('<robot name="r"><link name="${prefix}a"/></robot>', r"has '\${prefix}a': expand the macros of xacro first"),
        ('<robot name="$(arg name)"><link name="a"/></robot>', r"has '\$\(arg name\)': expand the macros"),
        ("<scene/>", "the root is <scene>: must be <robot>, <mujoco> or <sdf>"),
    ],
)
def test_other_files_say_how_to_convert_them(tmp_path, text, message):
    with pytest.raises(ccd.Error, match=message):
        read(tmp_path, text)


def test_without_mujoco_an_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImportError, match=r"robot.xml: MJCF files need MuJoCo .*pip install mujoco"):
        read(tmp_path, TREE)
