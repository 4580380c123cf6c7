"""Paths, files and robots: what is read, and what is rejected."""

import dataclasses
import math

import numpy as np
import pytest
from robots import ARM, BAR, NONE, TURN, TWO, by_hand, plate, robot, tree

import ccd
from ccd.robot import Shape


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
        ("0,1\n1,2\n2,3\n", "line 1 begins with the number 0: the first line must name the joints"),
        ("# joints\na;b\n1;2\n2;3\n", "line 2 is one column, 'a;b': separate columns with commas"),
        ("a b\n1 2\n2 3\n", "line 1 is one column"),
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
        ({"allowed": [("base", ["hand"])]}, r"allowed\[0\]: \['hand'\] is no link"),
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
    far = ccd.robot.Path(["a", "b"], [[0, 0], [1000, 1000]])
    assert str(ccd.robot.check(one, far, max_steps=1, limits=False).verdict) == "undecided"


def shaped(shape):
    return tree("", rest=f'<link name="a"><collision><geometry>{shape}</geometry></collision></link>')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<robot", "robot.urdf"),
        ("<model/>", "the root is <model>"),
        (tree(""), "has no links$"),
        (
            '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arm/></robot>',
            r"has <xacro:arm>: expand the macros of xacro first",
        ),
        ('<robot name="r"><xacro:arm/></robot>', r"has <xacro:arm>: expand the macros of xacro first"),  # An undeclared prefix.
        ('<robot name="r"><group name="arm"/></robot>', "has no links: it is a SRDF file$"),
        (tree("aa"), "link 'a' is there twice"),
        (tree("abc"), "3 links have no parent"),
        (tree("ab", ("j", "fixed", "a", "x", "")), "joint 'j': its child 'x' is no link"),
        (tree("ab", ("j", "screw", "a", "b", "")), "type is 'screw'"),
        (tree("abc", ("j", "fixed", "b", "c", ""), ("k", "fixed", "c", "b", "")), "joints form a circle: j, k"),
        (tree("abc", ("j", "fixed", "a", "c", ""), ("k", "fixed", "b", "c", "")), "child of the joints 'j' and 'k'"),
        (tree("abc", ("j", "fixed", "a", "c", ""), ("j", "fixed", "a", "b", "")), "joint 'j' is there twice"),
        (tree("ab", ("j", "revolute", "a", "b", '<axis xyz="0 0 0"/>')), "axis is"),
        (tree("ab", ("j", "revolute", "a", "b", '<axis xyz="0 nan 0"/>')), "axis is"),
        (tree("ab", ("j", "prismatic", "a", "b", '<axis xyz="0 0 2"/>')), "must have length 1"),
        (tree("ab", ("j", "fixed", "a", "b", '<origin xyz="0 nan 0"/>')), "joint 'j': origin is not finite"),
        (tree("ab", ("j", "fixed", "a", "b", '<origin xyz="0 0"/>')), "'j': origin: xyz is '0 0': must be 3 numbers"),
        (tree("ab", ("j", "fixed", "a", "b", '<origin rpy=""/>')), "'j': origin: rpy is '': must be 3 numbers"),
        (tree("ab", ("j", "revolute", "a", "b", '<axis xyz="0 0 z"/>')), "'j': axis: xyz is '0 0 z': must be numbers"),
        (tree("ab", ("j", "revolute", "a", "b", '<limit upper="1 2"/>')), "'j': limit: upper is '1 2': must be a number"),
        (tree("", rest="<link/>"), "a link has no name"),
        (tree("a", rest="<joint/>"), "a joint has no name"),
        (shaped('<sphere radius="1m"/>'), "link 'a': collision 0: sphere: radius is '1m': must be a number"),
        (shaped("<box/>"), "link 'a': collision 0: box has no size"),
        (tree("ab", ("j", "revolute", "a", "b", '<mimic joint="q"/>')), "joint 'j' mimics 'q'"),
        (tree("ab", ("j", "revolute", "a", "b", '<mimic joint="j"/>')), "joint 'j' mimics itself"),
        (tree("ab", rest='<joint name="j" type="fixed"><parent link="a"/></joint>'), "joint 'j' has no child"),
        (shaped(""), "collision 0 has 0 shapes"),
        (shaped('<capsule radius="1" length="-1"/>'), "link 'a': collision 0: length is -1.0"),
        (shaped('<capsule radius="1"/>'), "link 'a': collision 0: capsule has no length"),
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


def test_what_has_no_part_in_collisions_is_not_read(tmp_path):
    more = """<link name="arm"><visual><geometry><cone/></geometry></visual><inertial><mass value="m"/></inertial>"""
    text = ARM.replace('<link name="arm">', more).replace(
        '<robot name="arm">', '<robot><material name="m"><color rgba="r"/></material>'
    )
    assert robot(tmp_path, text).links == ("base", "arm")


def test_a_urdf_file_is_no_srdf_file(tmp_path):
    with pytest.raises(ccd.FileError, match="has links: it is a URDF file, and must be a SRDF file"):
        ccd.robot.read_allowed(tmp_path / "robot.urdf", robot(tmp_path, TWO))


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


@pytest.mark.parametrize("scale", ["", 'scale="1 1 -2"'])
def test_vertices_that_a_mesh_does_not_use_are_no_points(tmp_path, scale):
    (tmp_path / "tip.obj").write_text(
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 5 5 5\nv 0 1 0\nv 0 0 1\nf 2 5 3\nf 2 3 6\nf 2 6 5\nf 3 5 6\n"
    )
    text = ARM.replace('<box size="1 0.1 0.1"/>', f'<mesh filename="tip.obj" {scale}/>').replace("continuous", "prismatic")
    slide = robot(tmp_path, text)
    vertices, faces, edges, _ = slide.surface("arm")
    assert len(vertices) == 4 and len(faces) == 4 and not len(edges) and not slide.open_links
    for at in ([5.5, 5, 5.5], [5.5, 5, -9.5]):  # where the fourth vertex is, and its mirror image
        ball = Shape.ball(0.1).placed(np.eye(3), at)
        assert ccd.robot.check(slide, ccd.robot.Path(["turn"], [[-1], [1]]), {"ball": [ball]}).free
    part = Shape.surface(ccd.read(tmp_path / "tip.obj"))
    assert part.closed and part.samples.tolist() == [0]
    lone = ccd.Surface(np.eye(3), NONE, np.empty((0, 3), np.int32))  # given as points
    assert len(Shape.surface(lone).vertices) == 3
    with pytest.raises(ccd.InvalidIndexError, match=r"surface\.unused has 7: there are 3 vertices"):
        Shape.surface(ccd.Surface(np.eye(3), NONE, [[0, 1, 2]], unused=[7]))


def test_flat_and_repeated_triangles():
    faces = np.array([[0, 1, 2], [1, 2, 0], [0, 3, 3], [3, 3, 3]])
    shape = Shape.triangles(np.eye(4)[:, :3], faces)
    assert shape.faces.tolist() == [[0, 1, 2]] and shape.edges.tolist() == [[0, 3]] and not shape.closed
