"""Robots of SDF files: placed as Drake places them, with pairs that pass as there. What Drake leaves out is refused."""

import math
import sys

import numpy as np
import pytest

import ccd

AXIS = "<axis><xyz>{}</xyz>{}</axis>"
LIMIT = "<limit><lower>-1</lower><upper>2</upper></limit>"
MIMIC = '<mimic joint="reach"><multiplier>-2</multiplier><reference>0.1</reference><offset>0.3</offset></mimic>'
TREE = f"""<?xml version="1.0"?><sdf version="1.11"><world name="hall"><light name="sun" type="point"/>
<model name="floor"><static>true</static><pose>0 0 -1 0.1 0 0</pose>
  <link name="l"><collision name="c">
    <geometry><plane><normal>0 0 1</normal><size>5 5</size></plane></geometry></collision></link>
</model>
<model name="arm"><pose>0.1 0.2 0.5 0 0 0.3</pose><plugin name="p" filename="f"/>
  <joint name="base" type="fixed"><parent>world</parent><child>b</child></joint>
  <link name="b"><inertial><mass>-1</mass></inertial>
    <visual name="v"><geometry><mesh><uri>none.dae</uri></mesh></geometry></visual>
    <collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link>
  <link name="u"><pose relative_to="turn">0 0.1 0.2 0 0 0</pose>
    <collision name="c"><pose>0 0 0.1 0 0 0</pose>
      <geometry><capsule><radius>0.05</radius><length>0.3</length></capsule></geometry></collision>
    <collision name="e"><geometry><ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid></geometry></collision></link>
  <joint name="turn" type="revolute"><pose relative_to="b">0 0 0.2 0 0.4 0</pose><parent>b</parent><child>u</child>
    {AXIS.format("0 1 0.5", LIMIT)}</joint>
  <link name="f"><pose relative_to="u">0.1 0 0.5 0.1 0 0</pose>
    <collision name="c"><geometry><cylinder><radius>0.05</radius><length>0.3</length></cylinder></geometry></collision></link>
  <joint name="spin" type="continuous"><parent>u</parent><child>f</child>{AXIS.format("1 0 0", "")}</joint>
  <link name="g"><pose relative_to="f">0 0 0.3 0 0 0</pose>
    <collision name="c"><geometry><sphere><radius>0.05</radius></sphere></geometry></collision>
    <collision name="m"><pose>0 0 0 0 0 1</pose>
      <geometry><mesh><uri>wedge.obj</uri><scale>2 1 1</scale></mesh></geometry></collision></link>
  <joint name="lift" type="screw"><parent>f</parent><child>g</child><screw_thread_pitch>0.1</screw_thread_pitch>
    {AXIS.format("0 0.6 0.8", "")}</joint>
  <link name="h"><pose relative_to="g">0 0 0.3 0 0 0</pose></link>
  <joint name="cross" type="universal"><parent>g</parent><child>h</child>
    <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
  <link name="k"><pose relative_to="h">0 0 0.3 0 0 0</pose>
    <collision name="c"><geometry><sphere><radius>0.05</radius></sphere></geometry></collision></link>
  <joint name="wrist" type="ball"><parent>h</parent><child>k</child></joint>
  <link name="p"><pose relative_to="b">0.3 0 0.3 0 0 0</pose>
    <collision name="c"><geometry><sphere><radius>0.05</radius></sphere></geometry></collision></link>
  <joint name="reach" type="prismatic"><parent>b</parent><child>p</child>{AXIS.format("1 1 0", LIMIT)}</joint>
  <link name="q"><pose relative_to="b">-0.3 0 0.3 0 0 0</pose>
    <collision name="c"><geometry><sphere><radius>0.05</radius></sphere></geometry></collision></link>
  <joint name="follow" type="prismatic"><parent>b</parent><child>q</child>{AXIS.format("-1 0 0", LIMIT + MIMIC)}</joint>
  <link name="w"><pose relative_to="p">0 0 0.2 0 0 0</pose>
    <collision name="c"><geometry><sphere><radius>0.01</radius></sphere></geometry></collision></link>
  <link name="x"/><joint name="tip" type="fixed"><parent>w</parent><child>x</child></joint>
  <joint name="back" type="revolute"><parent>x</parent><child>p</child>{AXIS.format("0 0 1", LIMIT)}</joint>
</model>
<model name="crate"><pose>3 0 1 0 0 0</pose>
  <link name="l"><collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model>
</world></sdf>"""
WEDGE = "v 0 0 0\nv 0.2 0 0\nv 0 0.3 0\nv 0 0 0.4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


@pytest.fixture(scope="module")
def drake():
    return pytest.importorskip("pydrake.all", reason="drake is not installed")


def read(tmp_path, text, **options):
    (tmp_path / "robot.sdf").write_text(text)
    (tmp_path / "wedge.obj").write_text(WEDGE)
    return ccd.robot.read(tmp_path / "robot.sdf", **options)


HINGE = '<joint name="{}" type="{}"><parent>{}</parent><child>{}</child><axis><xyz{}>{}</xyz>{}</axis></joint>'
AROUND = "", "0 0 1", ""  # What a hinge about z puts last.


def model(inner, version="1.11"):
    return f'<sdf version="{version}"><model name="m">{inner}</model></sdf>'


def ball(name, x=0.0, radius=0.1):
    shape = f"<geometry><sphere><radius>{radius}</radius></sphere></geometry>"
    return f'<link name="{name}"><pose>{x} 0 0 0 0 0</pose><collision name="c">{shape}</collision></link>'


def values_of(drake, plant, one, r):
    """Random values of all joints, for Drake and by our names."""
    q, found = np.zeros(plant.num_positions()), {}
    for index in plant.GetJointIndices():
        joint = plant.get_joint(index)
        at, n = joint.position_start(), joint.num_positions()
        name = f"{plant.GetModelInstanceName(joint.model_instance())}::{joint.name()}"
        kind = type(joint).__name__
        if kind == "QuaternionFloatingJoint":
            w, place = r.normal(size=4), r.normal(size=3)
            q[at : at + n] = [*w / np.linalg.norm(w), *place]
            parts = [*zip(("trans_x", "trans_y", "trans_z"), place), *zip(("rot_w", "rot_x", "rot_y", "rot_z"), w)]
            found |= {f"{name}/{part}": x for part, x in parts}
        elif kind == "BallRpyJoint":
            q[at : at + n] = angles = r.uniform(-1, 1, 3)
            w = drake.RollPitchYaw(angles).ToQuaternion().wxyz()
            found |= {f"{name}/{part}": x for part, x in zip(("rot_w", "rot_x", "rot_y", "rot_z"), w)}
        elif kind == "UniversalJoint":
            q[at : at + n] = angles = r.uniform(-2, 2, 2)
            found |= {f"{name}/1": angles[0], f"{name}/2": angles[1]}
        elif n:
            q[at] = r.uniform(-3, 3)
            found[name] = q[at]
    q[plant.GetJointByName("follow").position_start()] = -2 * (found["arm::reach"] - 0.1) + 0.3
    del found["arm::follow"]
    return q, found


def test_links_are_where_drake_has_them(drake, tmp_path):
    one = read(tmp_path, TREE)
    plant = drake.MultibodyPlant(1e-3)
    drake.Parser(plant).AddModelsFromString(TREE.replace("<mass>-1</mass>", ""), "sdf")
    plant.Finalize()
    context, r = plant.CreateDefaultContext(), np.random.default_rng(1)
    bodies = [plant.get_body(drake.BodyIndex(i)) for i in range(1, plant.num_bodies())]
    names = [f"{plant.GetModelInstanceName(b.model_instance())}::{b.name()}" for b in bodies]
    assert set(names) <= set(one.links)
    for _ in range(50):
        q, values = values_of(drake, plant, one, r)
        assert set(values) == set(one.joints)
        plant.SetPositions(context, q)
        places = one.place(values)
        for name, body in zip(names, bodies):
            assert np.allclose(places[name], body.EvalPoseInWorld(context).GetAsMatrix4(), atol=1e-12), name


def test_shapes_and_pairs(drake, tmp_path):
    one = read(tmp_path, TREE, segments=8)
    start = one.place(one._start)
    assert start["crate::l"][:3, 3].tolist() == [3, 0, 1]
    count = {
        name: (sum(len(s.faces) for s in shapes), sum(len(s.vertices) for s in shapes))
        for name, shapes in zip(one.links, one._shapes)
    }
    assert count["floor::l"] == (12, 8) and count["arm::b"] == (12, 8) and count["crate::l"] == (12, 8)
    assert count["arm::p"] == (0, 1) and count["arm::g"] == (4, 5)
    wedge = one._shapes[one.links.index("arm::g")][1]
    c, s = math.cos(1), math.sin(1)
    assert np.allclose(
        sorted(wedge.vertices.tolist()), sorted([[0, 0, 0], [0.4 * c, 0.4 * s, 0], [-0.3 * s, 0.3 * c, 0], [0, 0, 0.4]])
    )
    allowed = {tuple(sorted(pair)) for pair in one._allowed}
    assert ("arm::b", "arm::u") in allowed and ("arm::b", "floor::l") in allowed  # a neighbor; both are fixed to the world
    assert ("arm::u", "floor::l") not in allowed and ("arm::b", "arm::f") not in allowed
    apart = {tuple(sorted(pair)) for pair in read(tmp_path, TREE, allow_adjacent=False)._allowed}
    assert ("arm::b", "arm::u") not in apart and ("arm::b", "floor::l") in apart


def test_a_crate_falls_on_a_tilted_plane(drake, tmp_path):
    one = read(tmp_path, TREE)
    fall = dict(one._start)
    fall["crate::l/trans_z"] = -3.0
    path = ccd.robot.Path(list(fall), [list(one._start.values()), list(fall.values())])
    hit = ccd.robot.check(one, path).contact
    assert {hit.a, hit.b} == {"floor::l", "crate::l"}
    # The plane through (0, 0, -1) is turned by 0.1 about x, so the corner with y = 0.1 meets it first, at z = y tan(0.1) - 1.
    assert hit.s == pytest.approx((1 - 0.1 - (0.1 * math.tan(0.1) - 1)) / 4, abs=1e-6)


def test_a_model_alone_rests(drake, tmp_path):
    joint = f'<joint name="j" type="revolute"><parent>a</parent><child>b</child>{AXIS.format("0 0 1", LIMIT)}</joint>'
    one = read(tmp_path, model("<pose>1 0 0 0 0 0</pose>" + ball("a", 2) + ball("b", 3) + joint))
    assert one.joints == ("j",) and one.links == ("world", "a", "b")
    turned = one.place([math.pi / 2])
    assert turned["a"][:3, 3].tolist() == [3, 0, 0] and np.allclose(turned["b"][:3, 3], [4, 0, 0], atol=1e-15)
    (hinge,) = (joint for joint in one._tree.given if joint.name == "j")
    assert (hinge.kind, hinge.lower, hinge.upper) == ("revolute", -1, 2)


def test_files_in_files(drake, tmp_path):
    folder = tmp_path / "models" / "post"
    folder.mkdir(parents=True)
    (folder / "model.config").write_text('<model><sdf version="1.5">old.sdf</sdf><sdf version="1.11">post.sdf</sdf></model>')
    shape = '<link name="l"><collision name="c"><geometry><mesh><uri>model://post/part.obj</uri></mesh></geometry></collision></link>'
    (folder / "post.sdf").write_text(f'<sdf version="1.11"><model name="post">{shape}</model></sdf>')
    (folder / "part.obj").write_text(WEDGE)
    include = "<include><uri>model://post</uri><name>{0}</name><pose>{1} 0 0 0 0 0</pose><static>{2}</static></include>"
    world = (
        '<sdf version="1.11"><world name="w">'
        + include.format("one", 1, "true")
        + include.format("two", 2, "false")
        + "</world></sdf>"
    )
    one = read(tmp_path, world, packages=tmp_path / "models")
    assert one.links == ("world", "one::l", "two::l") and len(one.joints) == 7
    assert one.place(one._start)["two::l"][:3, 3].tolist() == [2, 0, 0]
    assert [len(s.faces) for shapes in one._shapes for s in shapes] == [4, 4]
    with pytest.raises(ccd.FileError, match=r"include: model://post is in none of .*: give packages"):
        read(tmp_path, world, packages=tmp_path / "robots")


def test_joints_that_close_a_loop(drake, tmp_path):
    """A four-bar: three hinges are a tree, the fourth one is a loop, which close() keeps closed."""
    hinge = (
        '<joint name="{}" type="revolute"><pose relative_to="{}">{} 0 0 0 0 0</pose><parent>{}</parent><child>{}</child>'
        + (AXIS.format("0 0 1", "") + "</joint>")
    )
    bars = (
        '<joint name="w" type="fixed"><parent>world</parent><child>base</child></joint>'
        + ball("base", 0, 0.01) + ball("crank", 0, 0.01) + ball("rocker", 4, 0.01) + ball("coupler", 1, 0.01)
        + hinge.format("drive", "crank", 0, "base", "crank") + hinge.format("swing", "rocker", 0, "base", "rocker")
        + hinge.format("first", "coupler", 0, "crank", "coupler") + hinge.format("last", "coupler", 2, "rocker", "coupler")
    )  # fmt: skip
    one = read(tmp_path, model(bars))
    (loop,) = one.loops
    assert {loop.a, loop.b} == {"rocker", "coupler"} and len(loop.across) == 2
    assert one.joints == ("drive", "swing", "first")
    ends = {loop.a: loop.point_a, loop.b: loop.point_b}
    assert ends["coupler"].tolist() == [2, 0, 0] and ends["rocker"].tolist() == [-1, 0, 0]
    with pytest.raises(ccd.Error, match=r"loops.0., of the links .* is open"):
        ccd.robot.check(one, ccd.robot.Path(one.joints, [[0, 0, 0], [0.3, 0, 0]]))


def mesh(inner, file="wedge.obj"):
    shape = f"<geometry><mesh><uri>{file}</uri>{inner}</mesh></geometry>"
    return model(f"<link name='a'><collision name='c'>{shape}</collision></link>")


def geometry(inner):
    return model(f"<link name='a'><collision name='c'><geometry>{inner}</geometry></collision></link>")


def tied(*joints):
    return model(ball("a") + ball("b") + "".join(f"<joint name='{n}' {rest}</joint>" for n, rest in joints))


def saved(inner):
    static = f"<model name='m'><static>1</static>{ball('a')}</model>"
    return f"<sdf version='1.7'><world name='w'>{static}<state world_name='w'>{inner}</state></world></sdf>"


BAD = [
    (geometry("<heightmap><uri>h.png</uri></heightmap>"),
     "link 'a': collision 'c' is <heightmap>, which Drake does not read: must be one of box"),
    (geometry("<polyline><point>0 0</point><height>1</height></polyline>"), "collision 'c' is <polyline>"),
    (geometry("<box/><sphere/>"), "collision 'c' has 2 shapes"),
    (geometry("<plane><normal>0 0 0</normal></plane>"), "plane: normal is 0 0 0"),
    (mesh("<submesh><name>s</name></submesh>"), "collision 'c': <submesh> is a part of a mesh"),
    (mesh("", "w.stl"), "w.stl"),
    (mesh("<scale>1 1</scale>"), "scale is '1 1': must be 3 finite numbers"),
    (mesh("<scale>1 0 1</scale>"), "scale is .* other than 0"),
    (tied(("g", "type='gearbox'><parent>a</parent><child>b</child>")), "Drake: .*gearbox"),
    (tied(("j", "type='fixed'><parent>a</parent><child>b</child>"), ("k", "type='fixed'><parent>b</parent><child>a</child>")),
     "joint 'k' is fixed and closes a loop"),
    (tied(("j", f"type='revolute'><parent>a</parent><child>b</child>{AXIS.format('0 0 1', MIMIC)}")),
     "joint 'j' mimics 'm::reach', which is no joint with one value"),
    (tied(("j", f"type='revolute'><parent>a</parent><child>b</child>{AXIS.format('0 0 1', MIMIC.replace('reach', 'j'))}")),
     "joints mimic each other in a circle"),
    (model(ball("a", radius=-1)), "link .a.: collision .c.: radius is -1.0: must be"),
    (model(ball("a", radius="x")), "link .a.: collision .c.: sphere: radius is .x.: must be 1 finite number"),
    ('<sdf version="1.11"><world name="w"><population name="p"/></world></sdf>', "has a <population>"),
    (model('<include merge="true"><uri>model://a</uri></include>'), "<include merge='true'> of model://a"),
    (model("<include/>"), "an <include> has no uri"),
    (model("<include><uri>gone.sdf</uri></include>"), "gone.sdf"),
    (model(""), "robot.sdf: "),
    (model(ball("a") + ball("a")), "Drake: .*a"),
    (geometry("<sphere><radius>1</radius></sphere></geometry><geometry><box><size>1 1 1</size></box>"), "'c' has 2 geometries"),
    (model('<drake:joint name="j" type="planar"><drake:parent>a</drake:parent><drake:child>b</drake:child>'
           "<drake:damping>0 0 0</drake:damping></drake:joint>" + ball("a") + ball("b")), "joint 'j' is of the kind planar"),
    (model("<origin pose='0 0 5 0 0 0'/>" + ball("a"), "1.0"), "<origin> in <model> is not read there"),
    (model(f"<link name='a'>{ball('b')}</link>"), "<link> in <link> is not read there"),
    (model("<collision name='c'><geometry/></collision>" + ball("a")), "<collision> in <model> has <geometry>"),
    (f'<sdf version="1.11"><world name="w">{ball("a")}</world></sdf>', "<link> in <world> is not read there"),
    (f'<sdf version="1.11"><world name="w"><actor name="p">{ball("a")}</actor></world></sdf>', "<actor> in <world> has <link>"),
    (tied(("j", f"type='universal'><parent>a</parent><child>b</child>{AXIS.format('0 0 1', MIMIC)}")),
     "joint 'j' is universal and has a <mimic>"),
    (tied(("j", "type='fixed'><parent>a</parent><child>a</child>")), "Drake: .*must specify different frame names"),
    (model(ball("a"), "one"), "version is 'one': must be as 1.11"),
    (saved("<model name='m'><pose>5 0 0 0 0 0</pose></model>"), "<state> of model 'm' has another pose"),
    (saved("<model name='m'><scale>2 2 2</scale></model>"), "<state> of model 'm' has a <scale>"),
    (saved("<insertions><model name='n'/></insertions>"), "<state> inserts models"),
    (saved("<model name='m'><pose>x</pose></model>"), "<state> of model 'm': 'x': must be numbers"),
    ("<sdf", "robot.sdf"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), BAD)
def test_what_is_not_read_is_refused(drake, tmp_path, capfd, text, words):
    with pytest.raises(ccd.Error, match=words) as error:
        read(tmp_path, text)
    assert "/tmp" not in str(error.value).replace(str(tmp_path), "")
    assert capfd.readouterr() == ("", "")


def test_a_saved_state_that_says_the_same_is_left_out(drake, tmp_path):
    one = read(tmp_path, saved("<model name='m'><pose>0 0 0 0 -0 0</pose><scale>1 1 1</scale></model><model name='gone'/>"))
    assert one.links == ("world", "a")


@pytest.mark.parametrize("declared", ["", ' xmlns:drake="http://drake.mit.edu"'])
def test_what_is_drakes_own(drake, tmp_path, declared):
    """Filters, capsules, ellipsoids and followers count whether their prefix is declared or not, as in Drake."""
    hinge = '<joint name="{}" type="revolute"><parent>{}</parent><child>{}</child><axis><xyz>0 0 1</xyz></axis>{}</joint>'
    capsule = "<drake:capsule><radius>0.1</radius><length>1</length></drake:capsule>"
    ellipsoid = "<drake:ellipsoid><a>0.1</a><b>0.2</b><c>0.3</c></drake:ellipsoid>"
    text = model(
        ball("a") + ball("b", 1) + ball("c", 2)
        + f'<link name="d"><collision name="c"><geometry>{capsule}</geometry></collision></link>'
        + f'<link name="e"><collision name="c"><geometry>{ellipsoid}</geometry></collision></link>'
        + hinge.format("i", "a", "b", "") + hinge.format("j", "b", "c", '<drake:mimic joint="i" multiplier="-2" offset="0.5"/>')
        + '<drake:collision_filter_group name="g"><drake:member>a</drake:member><drake:member>d</drake:member>'
        + "<drake:ignored_collision_filter_group>g</drake:ignored_collision_filter_group></drake:collision_filter_group>"
    )  # fmt: skip
    one = read(tmp_path, text.replace("<sdf", f"<sdf{declared}"))
    assert one.joints == ("i",) and {tuple(sorted(pair)) for pair in one._allowed} == {("a", "b"), ("b", "c"), ("a", "d")}
    (follower,) = (joint for joint in one._tree.given if joint.name == "j")
    assert (follower.multiplier, follower.offset) == (-2, 0.5)
    spread = [np.ptp(one._shapes[one.links.index(name)][0].vertices, axis=0) for name in "de"]
    assert spread[0].tolist() == [0, 0, 1] and np.allclose(spread[1], [0.2, 0.4, 0.6], rtol=0.02)
    plant = drake.MultibodyPlant(1e-3)
    drake.Parser(plant).AddModelsFromString(text.replace("<sdf", f"<sdf{declared}"), "sdf")
    assert plant.num_bodies() == 6


def test_a_file_that_includes_alone(drake, tmp_path):
    (tmp_path / "part.sdf").write_text(f'<sdf version="1.5"><model name="part">{ball("a", 1)}</model></sdf>')
    one = read(tmp_path, '<sdf version="1.11"><include><uri>part.sdf</uri></include></sdf>')
    assert one.links == ("world", "a") and one.place([])["a"][:3, 3].tolist() == [1, 0, 0]
    params = '<include><uri>part.sdf</uri><experimental:params><link element_id="a"/></experimental:params></include>'
    with pytest.raises(ccd.UnsupportedError, match="<experimental:params> in <include> has <link>"):
        read(tmp_path, f'<sdf version="1.11"><world name="w">{params}</world></sdf>')
    part = f'<sdf version="1.5"><model name="part">{ball("a")}{ball("b")}{HINGE.format("j", "revolute", "a", "b", *AROUND)}'
    (tmp_path / "part.sdf").write_text(part + "</model></sdf>")
    include = "<include><uri>part.sdf</uri><static>1</static></include>"
    with pytest.raises(ccd.FileError, match="Only fixed joints are permitted in static models") as error:
        read(tmp_path, f'<sdf version="1.11"><world name="w">{include}</world></sdf>')
    assert f"{tmp_path / 'part.sdf'}:1" in str(error.value) and "tmp/1.sdf" not in str(error.value)


@pytest.mark.parametrize(
    ("version", "kind", "last"),
    [
        ("1.11", "revolute", ("", "0 1 0", "")),
        ("1.11", "revolute", (' expressed_in="turned"', "0 0 1", "")),
        ("1.11", "universal", ("", "0 0 1", "</axis><axis2><xyz>1 0 0</xyz></axis2><axis>")),
        ("1.5", "revolute", ("", "0 1 0", "<use_parent_model_frame>1</use_parent_model_frame>")),
    ],
)
def test_hinges_that_a_point_does_not_hold_close_no_loop(drake, tmp_path, version, kind, last):
    """A four-bar whose last hinge has another axis is no four-bar: its point alone would let it move."""
    frame = '<frame name="turned"><pose>0 0 0 1 0 0</pose></frame>' if version == "1.11" else ""
    links = ball("a", 0) + ball("b", 1) + ball("c", 2) + ball("d", 3)
    flat = [HINGE.format(name, "revolute", *ends, *AROUND) for name, ends in (("i", "ab"), ("j", "bc"), ("k", "cd"))]
    with pytest.raises(ccd.UnsupportedError, match="closes a loop"):
        read(tmp_path, model(frame + links + "".join(flat) + HINGE.format("l", kind, "a", "d", *last), version))
    good = HINGE.format("l", "revolute", "a", "d", *AROUND)
    one = read(tmp_path, model(frame + links + "".join(flat) + good, version))
    assert len(one.loops) == 1 and len(one.loops[0].across) == 2


def test_drake_is_named_where_it_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pydrake.all", None)
    with pytest.raises(ImportError, match=r"robot.sdf: SDF files need Drake .*: pip install drake"):
        read(tmp_path, model(ball("a")))
