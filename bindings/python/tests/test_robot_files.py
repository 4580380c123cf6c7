"""ccd_robot_file_read, by which C and C++ read URDF files, beside ccd.robot.read, for which yourdfpy parses them."""

import ctypes
import math

import numpy as np
import pytest
import test_robot_real
from robots import ARM, random_urdf, robot

import ccd
from ccd._native import abi, edges
from ccd._native.call import check
from ccd.robot._bodies import Bodies
from ccd.robot._check import _with_shapes

KINDS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 2}
VARIABLE = np.dtype([("lower", float), ("upper", float), ("turning", np.int32), ("reserved", np.int32)])


class File:
    """A robot as the C interface reads it."""

    def __init__(self, urdf, srdf=None, packages=None, segments=32, flags=0):
        lib, handle = abi.library(), ctypes.c_void_p()
        given = [None if text is None else str(text).encode() for text in (urdf, srdf, packages)]
        check(lib.ccd_robot_file_read(*given, segments, flags, ctypes.byref(handle)))
        try:
            sizes = [ctypes.c_size_t() for _ in range(7)]
            check(lib.ccd_robot_file_counts(handle, *map(ctypes.byref, sizes)))
            links, variables, shapes, vertices, lines, faces, pairs = (size.value for size in sizes)
            self.joints, self.variables = np.empty(links - 1, edges.joint_dtype), np.empty(variables, VARIABLE)
            self.shapes, self.vertices = np.empty(shapes, edges.shape_dtype), np.empty((vertices, 3))
            self.radii, self.edges = np.empty(vertices), np.empty((lines, 2), np.int32)
            self.faces, self.pairs = np.empty((faces, 3), np.int32), np.empty((pairs, 2), np.int32)
            arrays = (
                self.joints, self.variables, self.shapes, self.vertices, self.radii, self.edges, self.faces, self.pairs
            )  # fmt: skip
            check(lib.ccd_robot_file_copy(handle, *(a.ctypes for a in arrays)))
            counts = (links, links - 1, variables)
            self.links, self.names, self.values = (
                [self._name(lib, handle, of, i) for i in range(n)] for of, n in enumerate(counts)
            )
        finally:
            lib.ccd_robot_file_destroy(handle)

    @staticmethod
    def _name(lib, handle, of, index):
        length = ctypes.c_size_t()
        check(lib.ccd_robot_file_name(handle, of, index, None, 0, ctypes.byref(length)))
        text = ctypes.create_string_buffer(length.value + 1)
        check(lib.ccd_robot_file_name(handle, of, index, text, len(text), ctypes.byref(length)))
        return text.value.decode()


def same(file, ours):
    """Assert that what the two read is the same, up to the rounding of sines and cosines."""
    tree = ours._tree
    assert tuple(file.links[: len(ours.links)]) == ours.links and len(file.links) == tree.count
    assert len(file.joints) == len(tree.joints) and len(file.variables) == tree.variables
    for given, name, j in zip(file.joints, file.names, tree.joints):
        assert (name, given["kind"], given["parent"], given["child"]) == (j.name, KINDS[j.kind], j.parent, j.child)
        assert np.allclose(given["rotation"].reshape(3, 3), j.rotation, rtol=0, atol=1e-15)
        assert (given["position"] == j.position).all()
        if j.kind != "fixed":
            assert (given["variable"], given["factor"], given["offset"]) == (j.source, j.multiplier, j.offset)
            assert np.allclose(given["axis"], j.axis, rtol=0, atol=4e-16)
    single = [(k, name) for k, name in enumerate(file.values) if "/" not in name]
    assert [name for _, name in single] == [name for name in ours.joints if "/" not in name]
    for k, name in single:
        j = next(j for j in tree.given if j.name == name)
        assert (file.variables[k]["lower"], file.variables[k]["upper"]) == (j.lower, j.upper)
    for k, name in enumerate(file.values):
        assert bool(file.variables[k]["turning"]) == (name in ours.continuous), name
    bodies = Bodies(ours, {})
    shapes = [(i, b.link, s) for i, b in enumerate(bodies.all) for s in b.shapes if len(s.vertices)]
    found = [(i, link, len(s.vertices), len(s.edges), len(s.faces)) for i, link, s in shapes]
    assert [tuple(map(int, s)) for s in file.shapes] == found
    size = np.abs(bodies.local).max(initial=1)
    assert np.allclose(file.vertices, bodies.local, rtol=0, atol=1e-15 * size)
    assert (file.radii == bodies.radii).all()
    for given, what in ((file.edges, "edges"), (file.faces, "faces")):
        assert [tuple(row) for row in given.tolist()] == [tuple(row) for _, _, s in shapes for row in getattr(s, what).tolist()]
    assert [tuple(p) for p in file.pairs.tolist()] == bodies.pairs(_with_shapes(ours))


def test_random_robots_are_read_alike(tmp_path):
    r = np.random.default_rng(3)
    for _ in range(20):
        text = random_urdf(r, int(r.integers(2, 12)), ("box", "sphere", "cylinder", "capsule"))
        ours = robot(tmp_path, text, segments=9)
        same(File(tmp_path / "robot.urdf", segments=9), ours)


ODD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- a rover -->
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="b\xe4se"><inertial><mass value="1"/></inertial>
    <visual><geometry><sphere radius="nonsense"/></geometry></visual></link>
  <link name="frame"/><link name="plate"><collision><geometry><mesh filename="tip.obj" scale="-2 1 3"/></geometry></collision>
    <collision name="second"><origin rpy="0.3 -2 7"/><geometry><mesh filename="package://parts/meshes/tip.stl"/></geometry></collision>
  </link>
  <link name="arm">
    <collision><origin xyz="1e-3 0 2"/><geometry><capsule radius="0.1" length="0.4"/></geometry></collision></link>
  <link name="finger">
    <collision><geometry><mesh filename="file://tip.obj" scale="0.5"/></geometry></collision></link>
  <link name="thumb"><collision><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision></link>
  <link name="free"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="cart"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
  <joint name="tip" type="continuous"><parent link="arm"/><child link="thumb"/>
    <mimic joint="bend" multiplier="-2" offset="1"/></joint>
  <joint name="bend" type="continuous"><parent link="arm"/><child link="finger"/><mimic joint="turn" multiplier="3"/>
    <axis xyz="0 3 4"/></joint>
  <joint name="turn" type="continuous"><parent link="frame"/><child link="arm"/><axis xyz="0 0 -2"/><limit effort="x"/></joint>
  <joint name="stand" type="fixed"><parent link="b\xe4se"/><child link="frame"/><origin xyz="1 2 3" rpy="1 2 3"/></joint>
  <joint name="lift" type="prismatic"><parent link="frame"/><child link="plate"/>
    <axis xyz="0.6 0 0.8"/><limit upper="2"/></joint>
  <joint name="loose" type="floating"><parent link="frame"/><child link="free"/><origin rpy="0 1 0"/></joint>
  <joint name="drive" type="planar"><parent link="b\xe4se"/><child link="cart"/><axis xyz="0 0 2"/><origin xyz="1 0 0"/></joint>
  <transmission name="t"/><gazebo/>
</robot>"""


@pytest.fixture
def odd(tmp_path):
    """A file of what is rare but right."""
    (tmp_path / "parts/meshes").mkdir(parents=True)
    (tmp_path / "tip.obj").write_text(
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 5 5 5\nv 0 1 0\nv 0 0 1\nf 2 5 3\nf 2 3 6\nf 2 6 5\nf 3 5 6\nf 3 6 5\nf 2 2 3\nl 2 4\n"
    )
    (tmp_path / "parts/meshes/tip.stl").write_text(
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"
    )
    (tmp_path / "odd.urdf").write_bytes(ODD.encode("latin-1"))
    return tmp_path / "odd.urdf"


@pytest.mark.parametrize("adjacent", [False, True])
def test_what_is_rare_is_read_alike(odd, adjacent):
    file, ours = File(odd, flags=int(adjacent)), ccd.robot.read(odd, allow_adjacent=not adjacent)
    same(file, ours)
    assert file.links[0] == "b\xe4se" and len(file.pairs) > 3 and (file.variables["turning"] != 0).sum() == 2
    for packages in (odd.parent, f"parts={odd.parent / 'parts'}", f"/nowhere\n{odd.parent}\n"):
        assert (File(odd, packages=packages).vertices == file.vertices).all()
    with pytest.raises(ccd.FileError, match="give packages"):
        File(odd, packages="/nowhere")
    gazebo = odd.with_name("gazebo.urdf")
    gazebo.write_bytes(odd.read_bytes().replace(b"package://parts", b"model://parts"))
    same(File(gazebo), ccd.robot.read(gazebo))
    assert (File(gazebo).vertices == file.vertices).all()
    with pytest.raises(ccd.ArgumentError, match='packages has no "parts": it has "other"'):
        File(odd, packages="other=/nowhere")


SRDF = """<robot name="odd"><group name="arm"><chain base_link="frame" tip_link="arm"/></group>
<group_state name="home" group="arm"><joint name="turn" value="0"/></group_state><passive_joint name="lift"/>
<disable_collisions link1="plate" link2="cart" reason="Never"/><disable_collisions link1="plate" link2="gone"/>{}</robot>"""


@pytest.mark.parametrize("kind", ["", "fixed", "planar", "floating"])
def test_srdf_files_are_read_alike(odd, kind):
    joint = f'<virtual_joint name="base" type="{kind}" parent_frame="odom" child_link="b\xe4se"/>'
    srdf = odd.with_suffix(".srdf")
    srdf.write_text(SRDF.format(joint if kind else ""))
    file, ours = File(odd, srdf=srdf, flags=2), ccd.robot.read(odd, srdf, mobile=True)
    same(file, ours)
    same(File(odd, srdf=srdf), ccd.robot.read(odd, srdf))
    assert ours.links[0] == ("odom" if kind in ("planar", "floating") else "b\xe4se")
    assert frozenset(("plate", "cart")) in {frozenset(pair) for pair in ours.allowed}


BAD = [
    ('axis xyz="0 0 1"', 'axis xyz="0 0 0"', "not all 0"),
    ('axis xyz="0 0 1"', 'axis xyz="0 0"', "3 finite numbers"),
    ('axis xyz="0 0 1"', "axis", "axis has no xyz: programs take 1 0 0, or no axis"),
    ('axis xyz="0 0 1"', 'axis xyz="0 0 x"', "axis: xyz is .* must be numbers"),
    ('axis xyz="0 0 1"', 'axis xyz="0 0 1_0"', "axis: xyz is .* must be numbers"),
    ('axis xyz="0 0 1"', 'axis xyz="1e308 1e308 0"', "3 finite numbers"),
    ('type="continuous"', 'type="screw"', "type is .screw.: must be one of"),
    ('type="continuous"', "", "type is .*: must be one of"),
    ('size="1 0.1 0.1"', 'size="1 0.1"', "box: size is|size has 2 numbers"),
    ('size="1 0.1 0.1"', 'size="1 0 0.1"', r"size\[1\] is 0.*: must be above 0"),
    ('size="1 0.1 0.1"', 'size="1 nan 0.1"', r"(?i)size\[1\] is nan"),
    ('size="1 0.1 0.1"', 'size="1,0.1,0.1"', "box: size is"),
    ('size="1 0.1 0.1"', "", "box has no size"),
    ('<box size="1 0.1 0.1"/>', "", "has no shapes|has 0 shapes"),
    ('<box size="1 0.1 0.1"/>', '<box size="1 1 1"/><sphere radius="1"/>', "has 2 shapes: must have one"),
    ('<box size="1 0.1 0.1"/>', '<cone radius="1"/>', "cone"),
    ('<box size="1 0.1 0.1"/>', "<mesh/>", "no filename"),
    ('<box size="1 0.1 0.1"/>', '<mesh filename="gone.stl"/>', "gone.stl"),
    ('<box size="1 0.1 0.1"/>', '<mesh filename="robot.urdf"/>', "URDF"),
    ('xyz="0.5 0 0"', 'xyz="0.5 0"', "origin: xyz is .* must be 3 numbers"),
    ('xyz="0.5 0 0"', 'xyz="0.5 0 inf"', "origin is not finite"),
    ('xyz="0.5 0 0"', 'rpy="0 1e200 0"', "origin is not finite"),
    ('xyz="0.5 0 0"', 'xyz="1_0 0 0"', "origin: xyz is .* must be 3 numbers"),
    ('xyz="0.5 0 0"', 'xyz="\u0663 0 0"', "origin: xyz is .* must be 3 numbers"),
    ('<box size="1 0.1 0.1"/>', '<mesh filename="gone.stl" scale=""/>', "mesh: scale is .*: must be |gone.stl"),
    ('child link="arm"', 'child link="leg"', "its child .leg. is no link"),
    ('child link="arm"', 'child link="base"', "circle|links have no parent"),
    ('<child link="arm"/>', "", "has no child"),
    ('link name="arm"', 'link name="base"', "is there twice|is no link"),
    ('link name="base"', "link", "a link has no name"),
    ('joint name="turn"', "joint", "a joint has no name"),
    ("</joint>", '<mimic joint="gone"/></joint>', "mimics .gone., which is no joint that moves"),
    ("</joint>", '<mimic joint="turn"/></joint>', "mimics itself"),
    ("</joint>", '<mimic joint="turn" multiplier="x"/></joint>', "mimic: multiplier is .x.: must be a number"),
    ("</joint>", '</joint><joint name="k" type="fixed"><parent link="base"/><child link="arm"/></joint>', "is the child of"),
    ("</robot>", '<link name="x"/></robot>', "2 links have no parent"),
    ("</robot>", "", "robot.urdf: .*(line|no element)"),
    (
        "</geometry>",
        '</geometry><geometry><sphere radius="1"/></geometry>',
        "collision 0 has 2 shapes in 2 geometries: must have one",
    ),
    ("</geometry>", "</geometry><geometry/>", "collision 0 has 1 shapes in 2 geometries"),
    (
        "</robot>",
        '<collision><geometry><sphere radius="1"/></geometry></collision></robot>',
        "a <collision> is in <robot>, which is no",
    ),
    (
        "</link>",
        '<link name="in"><collision><geometry><sphere radius="1"/></geometry></collision></link></link>',
        "is in <link>, which",
    ),
    ("</robot>", "<gazebo><collision/></gazebo></robot>", None),
    ("</robot>", "</robot><robot/>", "line 3|junk"),
    ("</robot>", '<link name="${x}"/></robot>', "expand the macros"),
    ('<robot name="arm">', '<robot name="arm" name="b">', "duplicate|twice"),
    ("robot", "model", "the root is <model>"),
    ("</joint>", '<limit lower="2" upper="1"/></joint>', None),
    ('type="continuous"', 'type="revolute"', None),
    ('<axis xyz="0 0 1"/>', "", None),
    ('type="continuous"', 'type="planar"', None),
]


@pytest.mark.parametrize(("old", "new", "words"), BAD)
def test_malformed_files_are_refused_alike(tmp_path, old, new, words):
    assert old in ARM
    path = tmp_path / "robot.urdf"
    path.write_text(ARM.replace(old, new))
    if words is None:
        same(File(path), ccd.robot.read(path))
        return
    found = []
    for read in (ccd.robot.read, File):
        with pytest.raises(ccd.Error, match=words) as error:
            read(path)
        assert str(tmp_path) in str(error.value)
        found.append(type(error.value))
    assert found[0] is found[1], found


def test_sdf_is_for_python(tmp_path):
    path = tmp_path / "robot.sdf"
    path.write_text('<sdf version="1.7"><model name="m"/></sdf>')
    with pytest.raises(ccd.UnsupportedError, match=r"robot.sdf.*it is a SDF file, which Python.s ccd.robot.read reads: .*"):
        File(path)


def test_bad_arguments(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ARM)
    for options, words in (
        ({"segments": 2}, r"segments is 2: must be in \[3, 4096\]"),
        ({"segments": 4097}, "segments is 4097"),
        ({"srdf": ""}, "srdf is empty"),
        ({"flags": 5}, "flags has the unknown bits 0x4"),
    ):
        with pytest.raises(ccd.ArgumentError, match=words):
            File(path, **options)
    with pytest.raises(ccd.FileError, match="no such file"):
        File(tmp_path / "gone.urdf")
    assert math.isinf(File(path).variables[0]["upper"])


@pytest.mark.long
@pytest.mark.parametrize("file", test_robot_real.files() or [None], ids=lambda f: f.name if f else "none")
def test_published_robots_are_read_alike(file):
    if file is None:
        pytest.skip("example-robot-data is not installed: published robots are not read")
    packages = test_robot_real.DATA.parents[1]
    try:
        ours = File(file, packages=packages)
    except ccd.UnsupportedError as error:
        assert "is a COLLADA file" in str(error)
        pytest.skip("C and C++ do not read COLLADA")
    except ccd.FileError:
        assert file.name in test_robot_real.MALFORMED
        return
    same(ours, ccd.robot.read(file, packages=packages))
