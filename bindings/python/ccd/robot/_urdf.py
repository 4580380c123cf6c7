"""Robots from URDF files."""

from __future__ import annotations

import io
import math
import os
import xml.etree.ElementTree as xml
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays, files
from ..errors import ArgumentError, Error, FileError, UnsupportedError
from . import _mjcf, _sdf
from ._joint import PARTS, JointModel
from ._mesh_files import MeshFiles
from ._model import Robot
from ._shapes import Shape
from ._srdf import root_of, with_srdf

_KINDS = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")


def read(
    urdf: str | os.PathLike[str],
    srdf: str | os.PathLike[str] | None = None,
    *,
    packages: str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]] | None = None,
    segments: int = 32,
    allow_adjacent: bool = True,
    mobile: bool = False,
) -> Robot:
    """Read a robot from a URDF, MJCF or SDF file: the collision shapes of its links and its joints.

    Meshes are read by `ccd.read` (OBJ, PLY, STL, OFF, VTK ...), boxes become 12 triangles, spheres vertices with a radius,
    capsules edges with one, and cylinders prisms around them: these are what is tested. The file is parsed by yourdfpy
    (``pip install yourdfpy``). A ``<capsule radius length>`` is about z, with the length between the centers of its ends.

    COLLADA meshes need pycollada (``pip install pycollada``), which keeps them in single precision. They are placed as by
    RViz: node transforms and ``<unit>`` count, ``<up_axis>`` does not. `Robot.units` has the units other than the meter.

    MJCF files are compiled by MuJoCo (``pip install mujoco``). Bodies are links, and geoms that take part in contacts their
    shapes: spheres, capsules, cylinders, boxes, and meshes as the triangles that they are, not as convex hulls. Values are
    those of ``qpos``, in its order; hinges go from value to value, ball and free joints turn the short way. Pairs that masks,
    ``<exclude>`` or ``allow_adjacent`` let pass are allowed, but for those with a ``<pair>`` of geoms; bodies are tested
    whole. A joint away from its body's origin, and several joints of a body, get a link BODY/JOINT each. Planes, height
    fields, ellipsoids and mocap bodies are refused.

    Of the active constraints of equality, ``<joint>`` lets a joint follow another by its polynomial, or fixes it. ``<connect>``
    is one of `Robot.loops`, which `close` and `Coupling.closing` keep closed. Others, ``<weld>`` among them, are refused.

    SDF files are parsed by Drake (``pip install drake``), which resolves frames, included files and worlds. All models of a
    file are one robot, with links ``MODEL::LINK`` where there are several. In a world what no joint ties to it is free to
    move, with the values of a free joint of MuJoCo; a model without a world rests. Hinges, slides, screws, universal and ball
    joints have values, ``mimic`` is followed, and joints that close a loop are `Robot.loops`. Pairs that Drake filters are
    allowed: what is fixed together, neighbors by ``allow_adjacent``, filter groups. Bit masks, ``self_collide`` and what is
    no shape, place or joint do not count.

    Planar joints have the values NAME/x, NAME/y and NAME/theta, and move in x and y as in MoveIt. Floating ones have
    NAME/trans_x to trans_z, and a quaternion NAME/rot_x, rot_y, rot_z, rot_w of any length above 0: see `JointModel.several`.

    Limits of revolute and prismatic joints are those of ``<limit lower upper>``: one that is missing beside the other is 0.
    Without both the joint has none, and a continuous joint has none ever.

    Parameters
    ----------
    urdf : str or os.PathLike
        A URDF, MJCF or SDF file. URDF with macros of xacro is refused, with the way to convert it.
    srdf : str or os.PathLike, optional
        A SRDF file: its ``disable_collisions`` are allowed pairs. `read_semantics` reads states of groups and passive joints.
    packages : str or os.PathLike or mapping, optional
        Where ``package://NAME/PATH``, or ``model://NAME/PATH``, is: a folder that holds the folder NAME, or a folder for each
        name. If omitted, the folders above the file are tried.
    segments : int, default 32
        Sides of the prism around a cylinder, from 3 to 4096. A contact with it may be up to r (1 / cos(pi / segments) - 1)
        outside of the cylinder: 0.5 % of the radius at 32.
    allow_adjacent : bool, default True
        Whether the two links of a joint may touch. Links without shapes that are fixed to another count as a part of it.
    mobile : bool, default False
        Whether the robot stands on the planar or floating ``virtual_joint`` of the SRDF file, as by `Robot.mobile`: the scene
        is in the coordinates of its ``parent_frame`` then. Otherwise the base rests, and the scene is in its coordinates.

    Returns
    -------
    Robot
        The robot.

    Raises
    ------
    ImportError
        yourdfpy is not installed, pycollada where a mesh is COLLADA, MuJoCo for MJCF, or Drake for SDF.
    FileError
        A file cannot be read or is malformed, joints form no tree, or a mesh is of an unknown format.
    UnsupportedError
        A joint or a shape is of a kind that is not supported.
    ArgumentError
        `segments` is out of range.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> import yourdfpy  # which parses the file
    >>> name = os.path.join(tempfile.mkdtemp(), "arm.urdf")
    >>> with open(name, "w") as file:
    ...     _ = file.write(
    ...         '<robot name="arm"><link name="base"/><link name="arm"><collision><origin xyz="0.5 0 0"/><geometry>'
    ...         '<box size="1 0.1 0.1"/></geometry></collision></link><joint name="turn" type="continuous">'
    ...         '<parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>'
    ...     )
    >>> ccd.robot.read(name)
    <ccd.robot.Robot 'arm' of 2 links, 1 joints, 12 triangles, 0 balls>
    """
    name, sides = files.file_name("urdf", urdf), arrays.integer("segments", segments, 3, 4096)
    with files.reading(name):
        root = root_of(name)
    if root.tag == "mujoco":
        robot = _mjcf.read(name, sides, allow_adjacent)
        return robot if srdf is None else with_srdf(robot, srdf, mobile)
    if root.tag == "sdf":
        robot = _sdf.read(name, packages, sides, allow_adjacent)
        return robot if srdf is None else with_srdf(robot, srdf, mobile)
    model, capsules = _parsed(name, root)
    links = [_named(name, "link", link.name) for link in model.links]
    _refuse_twice(name, "link", links)
    finder = MeshFiles(name, packages)
    shapes = [
        [_shape(name, link, i, c, finder, sides, (link.name, i) in capsules) for i, c in enumerate(link.collisions)]
        for link in model.links
    ]
    if not links:
        is_srdf = root.find("disable_collisions") is not None or root.find("group") is not None
        raise FileError(f"{name} has no links{': it is a SRDF file' if is_srdf else ''}")
    joints, variables = _joints(name, model.joints, links)
    robot = Robot(str(model.name or FilePath(name).stem), links, shapes, joints, variables)
    robot._units = finder.units
    if allow_adjacent:
        robot._allowed |= {frozenset(pair) for pair in _adjacent(robot)}
    return robot if srdf is None else with_srdf(robot, srdf, mobile)


def _parsed(name: str, root: xml.Element) -> tuple[Any, set[tuple[str | None, int]]]:
    """The robot as yourdfpy has it, and where its capsules are, which yourdfpy does not know: it reads cylinders there.

    It is checked first, because yourdfpy reads a part of what is malformed.
    """
    _refuse_others(name, root)
    try:
        import yourdfpy
    except ImportError as error:
        raise ImportError(f"URDF files need yourdfpy ({error}): pip install yourdfpy") from error
    _check_elements(name, root)
    _check_places(name, root)
    _check_planes(name, root)
    _strip(root)
    capsules = set()
    for link in root.findall("link"):
        for i, shape in enumerate(link.iterfind("collision/geometry/*")):
            if shape.tag == "capsule":
                shape.tag = "cylinder"
                capsules.add((link.get("name"), i))
    with files.reading(name):
        file = io.BytesIO(xml.tostring(root))
        return yourdfpy.URDF.load(file, build_scene_graph=False, load_meshes=False).robot, capsules


def _refuse_others(name: str, root: xml.Element) -> None:
    """Refuse what is no URDF, and macros of xacro, whose links would be missing; say how to convert it."""
    if root.tag != "robot":
        raise FileError(f"{name}: the root is <{root.tag}>: must be <robot>, <mujoco> or <sdf>")
    for e in root.iter():
        texts = [v for v in e.attrib.values() if "${" in v or "$(" in v]
        prefix, _, tag = str(e.tag).replace("}", ":").rpartition(":")
        if "xacro" in prefix or texts:
            what = f"<xacro:{tag}>" if not texts else repr(texts[0])
            raise FileError(f"{name} has {what}: expand the macros of xacro first (xacro FILE > robot.urdf)")


def _check_elements(name: str, root: xml.Element) -> None:
    """Refuse what yourdfpy would read by half, or with an error that names no element."""
    for element in (*root.findall("link"), *root.findall("joint")):
        if "name" not in element.attrib:
            raise FileError(f"{name}: a {element.tag} has no name")
    for joint in root.findall("joint"):
        where = f"{name}: joint {joint.get('name')!r}"
        for part in ("parent", "child"):
            end = joint.find(part)
            if end is None or not end.get("link"):
                raise FileError(f"{where} has no {part}")
        axis = joint.find("axis")
        if axis is not None and axis.get("xyz") is None and joint.get("type") in ("revolute", "continuous", "prismatic"):
            raise FileError(f"{where}: axis has no xyz: programs take 1 0 0, or no axis at all: write what is meant")
        _check_numbers(where, joint)
    for link in root.findall("link"):
        for i, collision in enumerate(link.findall("collision")):
            where = f"{name}: link {link.get('name')!r}: collision {i}"
            geometries = collision.findall("geometry")
            if len(geometries) != 1 or len(geometries[0]) != 1:
                among = f" in {len(geometries)} geometries" if len(geometries) > 1 else ""
                raise FileError(f"{where} has {sum(map(len, geometries))} shapes{among}: must have one")
            geometry = geometries[0]
            if geometry[0].tag not in (*_SHAPES, "mesh"):
                of = f"<{geometry[0].tag}>: must be one of {', '.join(_SHAPES)}, mesh"
                raise UnsupportedError(f"{where}: a shape is {of}")
            _check_numbers(where, collision)
            _check_numbers(where, geometry)


def _check_places(name: str, root: xml.Element) -> None:
    """Refuse collisions that are in no link of the robot: they would be left out without a word."""
    known = {id(collision) for link in root.findall("link") for collision in link.findall("collision")}
    elements = [root]
    for parent in elements:
        elements += [child for child in parent if child.tag != "gazebo"]  # That is for another program.
        if any(child.tag == "collision" and id(child) not in known for child in parent):
            raise FileError(
                f"{name}: a <collision> is in <{parent.tag}>, which is no <link> of the <robot>: it would be left out"
            )


def _check_planes(name: str, root: xml.Element) -> None:
    """Refuse planar joints about other axes than z, for which programs disagree on the plane."""
    for joint in root.findall("joint"):
        axis = joint.find("axis")
        if joint.get("type") == "planar" and axis is not None and axis.get("xyz") is not None:
            x, y, z = (*map(float, str(axis.get("xyz")).split()), math.nan, math.nan, math.nan)[:3]
            if not (x == y == 0 and z > 0):
                where = f"{name}: joint {joint.get('name')!r}: axis is {axis.get('xyz')!r}"
                raise FileError(
                    f"{where}: of a planar joint it must be '0 0 1', or left out: MoveIt and pinocchio move it in x and y"
                    " whatever the axis, other programs across the axis; turn its origin instead"
                )


# The attributes that hold numbers, with how many there must be, None for any; and those that must be there.
_NUMBERS: dict[str, dict[str, int | None]] = {
    "origin": {"xyz": 3, "rpy": 3},
    "axis": {"xyz": None},
    "limit": {"lower": 1, "upper": 1},
    "mimic": {"multiplier": 1, "offset": 1},
    "box": {"size": None},
    "sphere": {"radius": 1},
    "cylinder": {"radius": 1, "length": 1},
    "capsule": {"radius": 1, "length": 1},
    "mesh": {"scale": None},
}
_SHAPES = ("box", "sphere", "cylinder", "capsule")  # and mesh


def _check_numbers(where: str, parent: xml.Element) -> None:
    """Refuse children of an element whose attributes are no numbers."""
    for child in parent:
        for attribute, count in _NUMBERS.get(child.tag, {}).items():
            text = child.get(attribute)
            if text is None:
                if child.tag in _SHAPES:
                    raise FileError(f"{where}: {child.tag} has no {attribute}")
                continue
            try:
                numbers = [files.decimal(word) for word in text.split()]
            except ValueError:
                numbers = []
            found = len(numbers)
            if child.tag == "origin" and not all(abs(x) <= 1e150 for x in numbers):
                raise FileError(f"{where}: origin is not finite")
            if not found or count not in (None, found):
                must = "numbers" if count is None else "a number" if count == 1 else f"{count} numbers"
                raise FileError(f"{where}: {child.tag}: {attribute} is {text!r}: must be {must}")


def _strip(root: xml.Element) -> None:
    """Drop what has no part in collisions, so that nothing in it stands in the way."""
    for parent, tags in (
        (root, ("transmission", "gazebo", "material")),
        *((e, ("visual", "inertial")) for e in root.iter("link")),
    ):
        for child in [e for e in parent if e.tag in tags]:
            parent.remove(child)
    for limit in root.iterfind("joint/limit"):
        for attribute in ("effort", "velocity"):
            limit.attrib.pop(attribute, None)
    root.set("name", root.get("name", ""))  # yourdfpy fails where there is no name


def _named(path: str, what: str, name: Any) -> str:
    if not name:
        raise FileError(f"{path}: a {what} has no name")
    return str(name)


def _refuse_twice(path: str, what: str, names: list[str]) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise FileError(f"{path}: {what} {name!r} is there twice")


# ---- shapes


def _shape(path: str, link: Any, i: int, collision: Any, meshes: MeshFiles, segments: int, capsule: bool) -> Shape:
    where = f"{path}: link {link.name!r}: collision {i}"
    g = collision.geometry
    try:
        bar = g.cylinder
        shape = Shape.capsule(bar.radius, bar.length) if capsule else _bare(where, g, meshes, segments)
        pose = np.eye(4) if collision.origin is None else _pose(f"{where}: origin", collision.origin)
        return shape.placed(pose[:3, :3], pose[:3, 3])
    except FileError:
        raise
    except Error as error:
        raise FileError(f"{where}: {error}") from None


def _bare(where: str, g: Any, meshes: MeshFiles, segments: int) -> Shape:
    if g.box is not None:
        return Shape.box(g.box.size)
    if g.cylinder is not None:
        return Shape.cylinder(g.cylinder.radius, g.cylinder.length, segments)
    if g.sphere is not None:
        return Shape.ball(g.sphere.radius)
    if not g.mesh.filename:
        raise ArgumentError("mesh has no filename")
    surface = meshes.read(where, g.mesh.filename)
    if g.mesh.scale is None:
        return Shape.surface(surface)
    scale = np.asarray(g.mesh.scale, float)
    return Shape.surface(surface, np.full(3, scale) if scale.ndim == 0 else scale)


def _pose(name: str, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    if not np.isfinite(matrix).all() or not (np.abs(matrix) <= 1e150).all():
        raise FileError(f"{name} is not finite")
    return np.asarray(matrix, float)


# ---- joints


def _joints(path: str, given: list[Any], links: list[str]) -> tuple[list[JointModel], list[str]]:
    """The joints, parents first, and the names of those that have values of their own."""
    _refuse_twice(path, "joint", [_named(path, "joint", j.name) for j in given])
    by_child: dict[str, Any] = {}
    for j in given:
        for part, link in (("parent", j.parent), ("child", j.child)):
            if link not in links:
                raise FileError(f"{path}: joint {j.name!r}: its {part} {link!r} is no link")
        if j.child in by_child:
            raise FileError(f"{path}: link {j.child!r} is the child of the joints {by_child[j.child].name!r} and {j.name!r}")
        by_child[j.child] = j
    roots = [link for link in links if link not in by_child]
    if len(roots) != 1:
        raise FileError(f"{path}: {len(roots)} links have no parent ({', '.join(roots)}): a tree has one")
    order: list[Any] = []
    reached = {roots[0]}
    while len(order) < len(given):
        step = [j for j in given if j.parent in reached and j.child not in reached]
        if not step:
            raise FileError(f"{path}: joints form a circle: {', '.join(j.name for j in given if j.child not in reached)}")
        order += step
        reached |= {j.child for j in step}
    variables = []
    for j in given:
        if j.type in PARTS:
            variables += [f"{j.name}/{part}" for part in PARTS[j.type]]
        elif j.type != "fixed" and j.mimic is None:
            variables.append(j.name)
    _refuse_twice(path, "value", variables)
    return [_joint(path, j, {k.name: k for k in given}, variables, links) for j in order], variables


def _joint(path: str, j: Any, all_: dict[str, Any], variables: list[str], links: list[str]) -> JointModel:
    where = f"{path}: joint {j.name!r}"
    if j.type not in _KINDS:
        raise FileError(f"{where}: type is {j.type!r}: must be one of {', '.join(_KINDS)}")
    pose = np.eye(4) if j.origin is None else _pose(f"{where}: origin", j.origin)
    axis, source, factor, offset = np.zeros(3), -1, 1.0, 0.0
    if j.type in PARTS:
        if j.mimic is not None:
            raise UnsupportedError(f"{where} is {j.type} and mimics {j.mimic.joint!r}: it has no single value")
        source = variables.index(f"{j.name}/{PARTS[j.type][0]}")
    elif j.type != "fixed":
        axis = _unit(where, j.axis, j.type == "prismatic")
        source, factor, offset = _followed(where, j, all_, variables)
    ends = links.index(j.parent), links.index(j.child)
    given = j.name, j.type, *ends, pose[:3, :3], pose[:3, 3], axis, source, factor, offset
    return JointModel(*given, *_limits(where, j))


def _limits(where: str, j: Any) -> tuple[float, float]:
    """The limits of a joint: infinite where it has none."""
    if j.type not in ("revolute", "prismatic") or j.limit is None or (j.limit.lower is None and j.limit.upper is None):
        return -math.inf, math.inf
    lower, upper = (0.0 if x is None else float(x) for x in (j.limit.lower, j.limit.upper))
    if not lower <= upper:
        raise FileError(f"{where}: limit: lower is {lower}, upper is {upper}: must not be below it")
    return lower, upper


def _unit(where: str, given: Any, prismatic: bool) -> NDArray[np.float64]:
    axis = np.asarray(given, float)
    with np.errstate(over="ignore"):
        length = float(np.linalg.norm(axis)) if axis.shape == (3,) else 0.0
    if not 0 < length < 1e150:
        raise FileError(f"{where}: axis is {axis.tolist()}: must be 3 finite numbers, not all 0")
    if prismatic and abs(length - 1) > 1e-3:  # programs disagree on what a value of such a joint means
        other = f"other programs normalize it, or move by {length:g} for each unit of the value: write what is meant"
        raise FileError(f"{where}: axis is {axis.tolist()}: of a prismatic joint it must have length 1; {other}")
    return axis / length


def _followed(where: str, j: Any, all_: dict[str, Any], variables: list[str]) -> tuple[int, float, float]:
    """The variable that a joint follows through its mimics, with factor and offset."""
    factor, offset, seen = 1.0, 0.0, [j.name]
    while j.mimic is not None:
        m = j.mimic
        if m.joint not in all_ or all_[m.joint].type == "fixed":
            raise FileError(f"{where} mimics {m.joint!r}, which is no joint that moves")
        if all_[m.joint].type in PARTS:
            raise UnsupportedError(f"{where} mimics {m.joint!r}, which is {all_[m.joint].type}: it has no single value")
        if m.joint in seen:
            raise FileError(f"{where} mimics itself, through {', '.join(seen)}")
        seen.append(m.joint)
        by, plus = (float(x) for x in (m.multiplier, m.offset))
        if not abs(by) + abs(plus) < 1e150:
            raise FileError(f"{where}: mimic: multiplier {by} and offset {plus} must be finite")
        factor, offset, j = factor * by, offset + factor * plus, all_[m.joint]
    return variables.index(j.name), factor, offset


def _adjacent(robot: Robot) -> list[tuple[str, str]]:
    """The pairs of links with a joint between them; a link without shapes that is fixed to another counts as a part of it."""
    stands = list(range(len(robot.links)))  # the link with shapes that each link is a part of
    for j in robot._tree.given:
        if j.kind == "fixed" and not robot._shapes[j.child]:
            stands[j.child] = stands[j.parent]
    pairs = []
    for j in robot._tree.given:
        a, b = stands[j.parent], stands[j.child]
        if a != b:
            pairs.append((robot.links[a], robot.links[b]))
    return pairs
