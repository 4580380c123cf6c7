"""What SRDF files say of robots: allowed pairs, the joint that a robot stands on, states of groups, passive joints."""

from __future__ import annotations

import os
import xml.etree.ElementTree as xml
from dataclasses import dataclass
from xml.parsers import expat

from .._inner import files
from .._inner.files import opened
from ..errors import FileError, UnsupportedError
from ._joint import PARTS
from ._model import Robot
from ._xml import prefixed


@dataclass(frozen=True)
class Semantics:
    """What a SRDF file says of a robot. `read_semantics` makes it.

    Attributes
    ----------
    allowed : list of (str, str)
        Pairs of links that may touch (``<disable_collisions>``).
    virtual : (str, str, str) or None
        The joint that the robot stands on (``<virtual_joint>``): its kind, ``"planar"`` or ``"floating"``, its name, and the
        frame that it moves the robot in. They are the arguments of `Robot.mobile`. None where it stands still.
    states : dict
        Values of joints by the group and the name of a state (``<group_state>``), as `Robot.place` takes them.
    passive : list of str
        Joints that nothing drives (``<passive_joint>``). They have values, as others: a planner keeps them where they are, with
        `Checker`'s ``rest``.

    See Also
    --------
    read_semantics : Read them.
    """

    allowed: list[tuple[str, str]]
    virtual: tuple[str, str, str] | None
    states: dict[tuple[str, str], dict[str, float]]
    passive: list[str]


def read_semantics(srdf: str | os.PathLike[str], robot: Robot) -> Semantics:
    """Read what a SRDF file says of a robot: pairs that may touch, the joint it stands on, states, passive joints.

    `read` takes the pairs of its SRDF file along, and with ``mobile=True`` the virtual joint. Names of links and joints that
    the robot does not have are left out, as MoveIt does: published files name those of other versions of their robot. Joints
    that mimic others have no values in states. Groups and end effectors do not change what touches, and are not read.

    Parameters
    ----------
    srdf : str or os.PathLike
        A file.
    robot : Robot
        The robot that it is about, with or without its virtual joint.

    Returns
    -------
    Semantics
        What the file says.

    Raises
    ------
    FileError
        The file cannot be read or is malformed, or the virtual joint moves a link that another joint moves.
    UnsupportedError
        ``<enable_collisions>``, ``<disable_default_collisions>``, or a ``motion_model`` other than holonomic: cars and
        differential drives do not go straight.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], []], [turn], ["turn"])
    >>> name = os.path.join(tempfile.mkdtemp(), "arm.srdf")
    >>> with open(name, "w") as file:
    ...     _ = file.write(
    ...         '<robot name="arm"><virtual_joint name="drive" type="planar" parent_frame="odom" child_link="base"/>'
    ...         '<group_state name="up" group="all"><joint name="turn" value="1.5"/></group_state></robot>'
    ...     )
    >>> found = ccd.robot.read_semantics(name, robot)
    >>> found.virtual, found.states
    (('planar', 'drive', 'odom'), {('all', 'up'): {'turn': 1.5}})
    >>> robot.mobile(*found.virtual).joints
    ('drive/x', 'drive/y', 'drive/theta', 'turn')
    """
    name, root = _opened(srdf)
    for e in root.iterfind("joint_property"):
        if e.get("property_name") == "motion_model" and e.get("value") != "holonomic":
            raise UnsupportedError(
                f"{name}: joint_property: motion_model of joint {e.get('joint_name')!r} is {e.get('value')!r}: a straight edge"
                " is not how it drives; remove the property to check straight edges"
            )
    virtual = _virtual(name, root, robot)
    return Semantics(_allowed(name, root, robot), virtual, _states(name, root, robot, virtual), _passive(name, root, robot))


def read_allowed(srdf: str | os.PathLike[str], robot: Robot) -> list[tuple[str, str]]:
    """Read the pairs of links that a SRDF file disables collisions of.

    Pairs that name a link that the robot does not have are left out, as MoveIt does: published files name links of other
    versions of their robot.

    Parameters
    ----------
    srdf : str or os.PathLike
        A file.
    robot : Robot
        The robot that it is about.

    Returns
    -------
    list of (str, str)
        The pairs: `Semantics.allowed`.

    Raises
    ------
    FileError
        The file cannot be read or is malformed.
    UnsupportedError
        ``<enable_collisions>`` or ``<disable_default_collisions>``.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> robot = ccd.robot.Robot("two", ["a", "b"], [[], []], [ccd.robot.JointModel.fixed("j", 0, 1)], [])
    >>> name = os.path.join(tempfile.mkdtemp(), "two.srdf")
    >>> with open(name, "w") as file:
    ...     _ = file.write('<robot name="two"><disable_collisions link1="a" link2="b" reason="Never"/></robot>')
    >>> ccd.robot.read_allowed(name, robot)
    [('a', 'b')]
    """
    name, root = _opened(srdf)
    return _allowed(name, root, robot)


def root_of(name: str) -> xml.Element:
    """The root of an XML file."""
    with opened(name) as file:
        text = file.read()
    if text[:1024].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1] != b"<":  # after the mark of an encoding
        raise FileError(f"{name}: no file of a robot, which begins with '<' (URDF, MJCF or SRDF)")
    try:
        return xml.fromstring(text)
    except xml.ParseError as error:
        if error.code != expat.errors.codes[expat.errors.XML_ERROR_UNBOUND_PREFIX]:
            raise
        root = prefixed(text)
        if root.tag != "sdf" and b"<xacro:" not in text:
            raise
        return root


def with_srdf(robot: Robot, srdf: str | os.PathLike[str], mobile: bool) -> Robot:
    """The robot with allowed pairs, and on its virtual joint if it is to be mobile."""
    robot._allowed |= {frozenset(pair) for pair in read_allowed(srdf, robot)}
    virtual = read_semantics(srdf, robot).virtual if mobile else None
    return robot if virtual is None else robot.mobile(*virtual)


def _opened(srdf: str | os.PathLike[str]) -> tuple[str, xml.Element]:
    """The path and the root of a SRDF file."""
    name = files.file_name("srdf", srdf)
    with files.reading(name):
        root = root_of(name)
    if root.tag != "robot":
        raise FileError(f"{name}: the root is <{root.tag}>: must be <robot>")
    if root.find("link") is not None:
        raise FileError(f"{name} has links: it is a URDF file, and must be a SRDF file")
    for other in ("disable_default_collisions", "enable_collisions"):
        if root.find(other) is not None:
            raise UnsupportedError(f"{name}: <{other}> is not supported: list the pairs with <disable_collisions>")
    return name, root


def _allowed(name: str, root: xml.Element, robot: Robot) -> list[tuple[str, str]]:
    found = []
    for i, item in enumerate(root.iterfind("disable_collisions")):
        pair = item.get("link1"), item.get("link2")
        for attribute, link in zip(("link1", "link2"), pair):
            if link is None:
                raise FileError(f"{name}: disable_collisions {i} has no {attribute}")
        if all(link in robot.links for link in pair):
            found.append((str(pair[0]), str(pair[1])))
    return found


def _virtual(name: str, root: xml.Element, robot: Robot) -> tuple[str, str, str] | None:
    """The joint that the robot stands on; one that is fixed is none."""
    found = None
    for e in root.iterfind("virtual_joint"):
        joint, kind, frame, link = (e.get(a) for a in ("name", "type", "parent_frame", "child_link"))
        where = f"{name}: virtual_joint {joint!r}" if joint else f"{name}: a virtual_joint"
        for attribute, value in (("name", joint), ("type", kind), ("parent_frame", frame), ("child_link", link)):
            if not value:
                raise FileError(f"{where} has no {attribute}")
        joint, kind, frame, link = str(joint), str(kind), str(frame), str(link)
        if kind == "fixed":
            continue
        if kind not in ("planar", "floating"):
            raise FileError(f"{where}: type is {kind!r}: must be fixed, planar or floating")
        if found is not None:
            raise FileError(f"{name}: virtual_joint {found[1]!r} and {joint!r}: a robot stands on one joint")
        if link not in robot.links:
            raise FileError(f"{where}: its child_link {link!r} is no link")
        found = kind, joint, frame
        by_child = {robot.links[j.child]: j for j in robot._tree.given}
        above = by_child.get(link)
        if above is not None and above.name == joint and above.kind == kind and robot.links[above.parent] == frame:
            continue  # the robot stands on it already
        if frame in robot.links:
            raise FileError(f"{where}: its parent_frame {frame!r} is a link")
        if any(j.name == joint for j in robot._tree.given):
            raise FileError(f"{where}: a joint has this name")
        if above is not None:
            raise FileError(
                f"{where}: its child_link {link!r} is the child of joint {above.name!r}: must be the link without a parent"
            )
    return found


def _states(
    name: str, root: xml.Element, robot: Robot, virtual: tuple[str, str, str] | None
) -> dict[tuple[str, str], dict[str, float]]:
    """The states of groups. Values of several are in the order of MoveIt, by their names."""
    several = {j.name: PARTS[j.kind] for j in robot._tree.given if j.kind in PARTS}
    if virtual is not None:
        several[virtual[1]] = PARTS[virtual[0]]
    found: dict[tuple[str, str], dict[str, float]] = {}
    for i, state in enumerate(root.iterfind("group_state")):
        group, title = state.get("group"), state.get("name")
        for attribute, value in (("name", title), ("group", group)):
            if not value:
                raise FileError(f"{name}: group_state {i} has no {attribute}")
        if (str(group), str(title)) in found:
            raise FileError(f"{name}: group_state {title!r} of group {group!r} is there twice")
        values = found[str(group), str(title)] = {}
        for e in state.iterfind("joint"):
            joint = e.get("name")
            where = f"{name}: group_state {title!r}: joint {joint!r}"
            if not joint or e.get("value") is None:
                raise FileError(f"{where} has no {'value' if joint else 'name'}")
            names = [f"{joint}/{part}" for part in several[joint]] if joint in several else [joint]
            try:
                numbers = [files.decimal(word) for word in str(e.get("value")).split()]
            except ValueError:
                numbers = []
            if len(numbers) != len(names):
                must = "a number" if len(names) == 1 else f"{len(names)} numbers"
                raise FileError(f"{where}: value is {e.get('value')!r}: must be {must}")
            if joint in several or joint in robot.joints:
                values.update(zip(names, numbers))
    return found


def _passive(name: str, root: xml.Element, robot: Robot) -> list[str]:
    found = []
    for i, e in enumerate(root.iterfind("passive_joint")):
        joint = e.get("name")
        if not joint:
            raise FileError(f"{name}: passive_joint {i} has no name")
        if any(j.name == joint for j in robot._tree.given):
            found.append(joint)
    return found
