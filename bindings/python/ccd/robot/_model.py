"""Robots: links with their collision shapes, and the tree of joints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import ArgumentError
from ..files import Surface
from ._joint import PARTS, JointModel, check_limits, check_rotation
from ._kinematics import Tree
from ._loop import Loop
from ._shapes import Shape, joined

_ORTHONORMAL = 64 * 2.0**-53  # twice the 24 u of the entries from three angles, and the rounding of the test
_UNIT = 4 * 2.0**-53  # 2 u of a division by a computed length, and the rounding of the test


class Robot:
    """Links with collision shapes, joined by a tree of joints, as `read` makes it of a URDF file.

    Parameters
    ----------
    name : str
        Name of the robot.
    links : sequence of str
        Names of the links.
    shapes : sequence of list of Shape
        Collision shapes of each link, in its coordinates.
    joints : sequence of JointModel
        The joints, parents first.
    variables : sequence of str
        Names of the joints that a path gives values for.
    allowed : iterable of (str, str)
        Pairs of links that may touch: they are not tested.

    Raises
    ------
    ArgumentError
        Numbers of links and shapes differ, a name is given twice or is unknown, joints do not form a tree, or a joint has an
        axis of another length than 1, a matrix that is no rotation, or a number that is not finite.

    See Also
    --------
    read : Read a robot from a URDF file.

    Examples
    --------
    A bar that turns about its end.

    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> (robot.place([np.pi / 2])["arm"] @ [1, 0, 0, 1]).round(9).tolist()
    [0.0, 1.0, 0.0, 1.0]
    >>> vertices, faces, edges, radii = robot.surface("arm")
    >>> vertices.max(axis=0).tolist(), len(faces)
    ([1.0, 0.05, 0.05], 12)
    """

    def __init__(
        self,
        name: str,
        links: Sequence[str],
        shapes: Sequence[list[Shape]],
        joints: Sequence[JointModel],
        variables: Sequence[str],
        allowed: Iterable[tuple[str, str]] = (),
    ):
        _check_tree(links, shapes, joints, variables)
        pairs = _named_pairs(links, allowed)
        self.name = name
        self.links = tuple(links)
        self.variables = tuple(variables)
        self._shapes = [list(s) for s in shapes]
        self._tree = Tree(len(links), joints, len(variables))
        self._allowed = pairs
        self._units: dict[str, float] = {}
        self._attached: tuple[str, ...] = ()
        self._loops: tuple[Loop, ...] = ()
        self._start: dict[str, float] = {}

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints that a path gives values for; a joint with several values has a name for each."""
        return self.variables

    @property
    def continuous(self) -> tuple[str, ...]:
        """Names of the joints that `check` takes the short way: a whole turn of one brings all links back.

        It is a continuous joint, and so is each joint that follows it, by a whole number: one that follows it by half, as a
        revolute joint with limits or as a slide is elsewhere after a turn.
        """
        return tuple(name for k, name in enumerate(self.joints) if self._tree.periodic(k))

    @property
    def allowed(self) -> list[tuple[str, str]]:
        """Pairs of links that are not tested: adjacent ones, and those of the SRDF file; sorted."""
        return sorted((min(pair), max(pair)) for pair in self._allowed)

    @property
    def units(self) -> dict[str, float]:
        """COLLADA files of the robot whose unit is not the meter, and the meters that it has: they were multiplied by it."""
        return dict(self._units)

    @property
    def loops(self) -> tuple[Loop, ...]:
        """Closed chains, which `read` found in the file (``<connect>`` of MJCF): `close` makes paths that keep them closed.

        `check` and the other functions refuse paths that leave one open, and `Checker` takes `Coupling.closing` of them.
        """
        return self._loops

    @property
    def open_links(self) -> list[str]:
        """Links with a shape of triangles that bounds no solid: whether another shape is inside of it is not tested."""
        return [n for n, s in zip(self.links, self._shapes) if any(len(p.faces) and not p.closed for p in s)]

    def surface(self, link: str) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """Return the collision geometry of a link as it is tested, in the link's coordinates.

        Parameters
        ----------
        link : str
            Name of the link.

        Returns
        -------
        vertices : numpy.ndarray
            Coordinates, (n, 3).
        faces : numpy.ndarray
            Triangles, (m, 3).
        edges : numpy.ndarray
            Codimensional edges, (k, 2).
        radii : numpy.ndarray
            Radius of each vertex, (n,): above 0 for balls.

        Raises
        ------
        ArgumentError
            There is no such link.
        """
        return joined(self._shapes[self.links.index(arrays.choice("link", link, self.links))])

    def place(self, values: ArrayLike | Mapping[str, float]) -> dict[str, NDArray[np.float64]]:
        """Compute where the links are: forward kinematics.

        Parameters
        ----------
        values : array_like or mapping
            Values of the joints, (joints,) in the order of `joints`, or by name; names that are missing are 0, and a
            quaternion of which all are missing does not turn.

        Returns
        -------
        dict
            A 4x4 matrix for each link, from its coordinates to the base's, rounded.

        Raises
        ------
        ArgumentError
            There is no such joint, or the array has another shape.
        """
        rotation, position = self._tree.place(self._tree.row(self._values(values)))
        count = len(self.links)
        found = np.tile(np.eye(4), (count, 1, 1))
        found[:, :3, :3], found[:, :3, 3] = rotation[:count], position[:count]
        return dict(zip(self.links, found))

    @property
    def attached(self) -> tuple[str, ...]:
        """Names of the objects that `attach` added."""
        return self._attached

    def attach(
        self,
        name: str,
        link: str,
        shapes: Shape | Surface | Sequence[Shape],
        *,
        touching: Iterable[str] = (),
        at: ArrayLike | Mapping[str, float] | None = None,
    ) -> Robot:
        """Return the robot with an object that a link carries: a tool, or a part that it has grasped.

        The object moves with the link and is tested as a link of its own, against the scene too: take it out of the scene.
        It is not tested against the link, nor against those that are fixed to it.

        Parameters
        ----------
        name : str
            Name of the object, of no link.
        link : str
            Name of the link that carries it.
        shapes : Shape or Surface or sequence of Shape
            What it is, in the link's coordinates; in the base's, if `at` is given.
        touching : iterable of str, optional
            Links that it may touch, as the fingers of a gripper.
        at : array_like or mapping, optional
            Values of the joints, as of `place`, at which it is attached. Its vertices are rounded to the link's coordinates.

        Returns
        -------
        Robot
            The robot with it. This one stays as it is.

        Raises
        ------
        ArgumentError
            A link or another object has the name, a link is unknown, or `shapes` is something else.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
        >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
        >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
        >>> part = ccd.robot.Shape.ball(0.1).placed(np.eye(3), [0, 1.1, 0])
        >>> carrying = robot.attach("part", "arm", part, at=[np.pi / 2])
        >>> carrying.links, carrying.surface("part")[0].round(9).tolist()
        (('base', 'arm', 'part'), [[1.1, 0.0, 0.0]])
        >>> carrying.detach("part").links
        ('base', 'arm')
        """
        if not isinstance(name, str) or not name:
            raise ArgumentError(f"name is {name!r}: must be the name of the object")
        if name in self.links:
            raise ArgumentError(f"name is {name!r}, which is a link of {self.name!r}: must be another")
        carrier = self.links.index(arrays.choice("link", link, self.links))
        if isinstance(touching, str) or not isinstance(touching, Iterable):
            raise ArgumentError(f"touching is {type(touching).__name__}: must be a sequence of names of links")
        pairs = [(name, arrays.choice(f"touching[{i}]", other, self.links)) for i, other in enumerate(touching)]
        parts = _shapes_of(shapes)
        if at is not None:
            pose = self.place(at)[link]
            turned = pose[:3, :3].T
            parts = [part.placed(turned, -(turned @ pose[:3, 3])) for part in parts]
        joint = JointModel.fixed(f"attached {name}", carrier, len(self.links))
        joints = [*self._tree.given, joint]
        found = Robot(self.name, [*self.links, name], [*self._shapes, parts], joints, self.variables, [*self.allowed, *pairs])
        found._attached = (*self._attached, name)
        return self._kept(found)

    def detach(self, name: str) -> Robot:
        """Return the robot without an object that `attach` added.

        Parameters
        ----------
        name : str
            Name of the object.

        Returns
        -------
        Robot
            The robot without it. This one stays as it is.

        Raises
        ------
        ArgumentError
            No such object is attached, or another one is attached to it.
        """
        if name not in self._attached:
            there = ", ".join(map(repr, self._attached)) or "none is"
            raise ArgumentError(f"name is {name!r}: must be an attached object ({there})")
        gone = self.links.index(name)
        carried = [self.links[j.child] for j in self._tree.given if j.parent == gone]
        if carried:
            raise ArgumentError(f"name is {name!r}: it carries {carried[0]!r}; detach that first")
        shift = [i - (i > gone) for i in range(len(self.links))]
        joints = [replace(j, parent=shift[j.parent], child=shift[j.child]) for j in self._tree.given if j.child != gone]
        links = [link for link in self.links if link != name]
        shapes = [s for i, s in enumerate(self._shapes) if i != gone]
        found = Robot(self.name, links, shapes, joints, self.variables, [p for p in self.allowed if name not in p])
        found._attached = tuple(n for n in self._attached if n != name)
        return self._kept(found)

    def mobile(self, kind: str, name: str = "base", link: str = "world") -> Robot:
        """Return the robot on a joint that moves its base: a rover, or what floats, as ``<virtual_joint>`` of SRDF says.

        A scene is then in the coordinates of the new link, and is tested against the base too.

        Parameters
        ----------
        kind : str
            ``"planar"``, ``"floating"`` or ``"free"``: see `JointModel.several`.
        name : str, default "base"
            Name of the joint: its values are ``NAME/x`` and so on, before those of the robot.
        link : str, default "world"
            Name of the new link that the joint moves the base on, of no link.

        Returns
        -------
        Robot
            The robot. This one stays as it is.

        Raises
        ------
        ArgumentError
            A name is taken, or `kind` is another word.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
        >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
        >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
        >>> rover = robot.mobile("planar", "drive", "odom")
        >>> rover.joints, rover.place([1, 2, np.pi / 2, 0])["arm"][:2, 3].tolist()
        (('drive/x', 'drive/y', 'drive/theta', 'turn'), [1.0, 2.0])
        """
        arrays.choice("kind", kind, ("planar", "floating", "free"))
        for argument, given, taken in (("name", name, [j.name for j in self._tree.given]), ("link", link, self.links)):
            if not isinstance(given, str) or not given or given in taken:
                raise ArgumentError(f"{argument} is {given!r}: must be a name that {self.name!r} does not have")
        values = [f"{name}/{part}" for part in PARTS[kind]]
        root = next(i for i in range(len(self.links)) if all(j.child != i for j in self._tree.given))
        count = len(values)
        first = JointModel.several(name, kind, 0, root + 1, 0)
        shifted = [
            replace(j, parent=j.parent + 1, child=j.child + 1, source=j.source + (count if j.kind != "fixed" else 0))
            for j in self._tree.given
        ]
        names = [*values, *self.variables]
        found = Robot(self.name, [link, *self.links], [[], *self._shapes], [first, *shifted], names, self.allowed)
        found._attached = self._attached
        self._kept(found)
        if found._start:
            at = found._values({})
            found._start = {**dict(zip(values, at.tolist())), **found._start}
        return found

    def add(
        self,
        name: str,
        shapes: Shape | Surface | Sequence[Shape],
        kind: str = "floating",
        *,
        touching: Iterable[str] = (),
    ) -> Robot:
        """Return the robot with a body that moves on a path of its own: an obstacle, a part on a belt, a second vehicle.

        It is tested as a link: against all others, bodies that were added too, and against the scene.

        Parameters
        ----------
        name : str
            Name of the body, and of the joint that moves it: its values are ``NAME/trans_x`` and so on, after the robot's.
        shapes : Shape or Surface or sequence of Shape
            What it is, in its own coordinates. The joint places them in the base's.
        kind : str, default "floating"
            ``"planar"``, ``"floating"``, ``"free"`` or ``"ball"``: see `JointModel.several`.
        touching : iterable of str, optional
            Links that it may touch.

        Returns
        -------
        Robot
            The robot with it. This one stays as it is.

        Raises
        ------
        ArgumentError
            A link or a joint has the name, a link is unknown, `kind` is another word, or `shapes` is something else.

        Examples
        --------
        >>> import ccd
        >>> robot = ccd.robot.Robot("post", ["post"], [[ccd.robot.Shape.ball(0.5)]], [], [])
        >>> both = robot.add("cart", ccd.robot.Shape.ball(0.25), "planar")
        >>> path = ccd.robot.Path(both.joints, [[-2, 0, 0], [2, 0, 0]])
        >>> hit = ccd.robot.check(both, path).contact
        >>> hit.a, hit.b, round(hit.s, 4)
        ('cart', 'post', 0.3125)
        """
        arrays.choice("kind", kind, tuple(PARTS))
        if not isinstance(name, str) or not name or name in self.links or name in [j.name for j in self._tree.given]:
            raise ArgumentError(f"name is {name!r}: must be a name that {self.name!r} does not have")
        if isinstance(touching, str) or not isinstance(touching, Iterable):
            raise ArgumentError(f"touching is {type(touching).__name__}: must be a sequence of names of links")
        pairs = [(name, arrays.choice(f"touching[{i}]", other, self.links)) for i, other in enumerate(touching)]
        root = next(i for i in range(len(self.links)) if all(j.child != i for j in self._tree.given))
        joint = JointModel.several(name, kind, root, len(self.links), len(self.variables))
        found = Robot(
            self.name,
            [*self.links, name],
            [*self._shapes, _shapes_of(shapes)],
            [*self._tree.given, joint],
            [*self.variables, *(f"{name}/{part}" for part in PARTS[kind])],
            [*self.allowed, *pairs],
        )
        found._attached = self._attached
        return self._kept(found)

    def pad(self, distance: float | Mapping[str, float]) -> Robot:
        """Return the robot with links that are larger by a distance on all sides, as MoveIt's link padding.

        Two padded links that are tested against each other keep the sum of both distances.

        Parameters
        ----------
        distance : float or mapping
            The distance for all links, or for some by name.

        Returns
        -------
        Robot
            The robot with padded links. This one stays as it is.

        Raises
        ------
        ArgumentError
            A link is unknown, or a distance is below 0 or not finite.

        Examples
        --------
        >>> import ccd
        >>> ball = ccd.robot.Shape.ball(0.5)
        >>> robot = ccd.robot.Robot("r", ["a", "b"], [[ball], [ball]], [ccd.robot.JointModel.fixed("j", 0, 1)], [])
        >>> robot.pad({"b": 0.25}).surface("b")[3].tolist(), robot.pad(0.1).surface("a")[3].tolist()
        ([0.75], [0.6])
        """
        by_link = dict(distance) if isinstance(distance, Mapping) else dict.fromkeys(self.links, distance)
        shapes = [list(s) for s in self._shapes]
        for name, d in by_link.items():
            where = f"distance[{name!r}]" if isinstance(distance, Mapping) else "distance"
            k = self.links.index(arrays.choice("distance", name, self.links))
            arrays.within(where, d, "[0, 1e150]", "at least 0 and finite")
            shapes[k] = [shape.padded(d) for shape in shapes[k]]
        return self._with(shapes, self.allowed)

    def allow(self, pairs: Iterable[Any]) -> Robot:
        """Return the robot with further pairs of links that may touch.

        Parameters
        ----------
        pairs : iterable of Proposal or (str, str)
            The pairs, as `propose_allowed` or `read_allowed` returns them.

        Returns
        -------
        Robot
            The robot. This one stays as it is.

        Raises
        ------
        ArgumentError
            A name is no link.

        Examples
        --------
        >>> import ccd
        >>> robot = ccd.robot.Robot("r", ["a", "b"], [[], []], [ccd.robot.JointModel.fixed("j", 0, 1)], [])
        >>> robot.allow([("b", "a")]).allowed
        [('a', 'b')]
        """
        if not isinstance(pairs, Iterable):
            raise ArgumentError(f"pairs is {type(pairs).__name__}: must hold pairs of names")
        more = [(p.a, p.b) if hasattr(p, "a") and hasattr(p, "b") else p for p in pairs]
        return self._with(self._shapes, [*self.allowed, *more])

    def _with(self, shapes: Sequence[list[Shape]], allowed: Iterable[tuple[str, str]]) -> Robot:
        """The robot with other shapes and allowed pairs."""
        found = Robot(self.name, self.links, shapes, self._tree.given, self.variables, allowed)
        found._attached = self._attached
        return self._kept(found)

    def _kept(self, found: Robot) -> Robot:
        """A changed robot with what stays of this one."""
        found._units, found._loops, found._start = self._units, self._loops, self._start
        return found

    def _range(self, variable: int) -> tuple[float, float]:
        """The values of a variable for which all joints that follow it, but by polynomials, are within their limits."""
        low, high = -math.inf, math.inf
        for j in self._tree.given:
            if j.kind != "fixed" and j.source == variable and j.multiplier != 0 and not any(j.powers):
                ends = sorted((x - j.offset) / j.multiplier for x in (j.lower, j.upper))
                low, high = max(low, ends[0]), min(high, ends[1])
        return low, high

    def _values(self, values: ArrayLike | Mapping[str, float]) -> NDArray[np.float64]:
        if isinstance(values, Mapping):
            q = np.zeros(len(self.joints))
            for j in self._tree.given:
                names = PARTS.get(j.kind, ())
                whole = self.joints[j.source : j.source + len(names)] if names else ()
                if "rot_w" in names and not any(whole[names.index(part)] in values for part in names if part[:3] == "rot"):
                    q[j.source + names.index("rot_w")] = 1.0
            for name, value in values.items():
                q[self._variable("values", name)] = arrays.number(f"values[{name!r}]", value)
        else:
            q = arrays.row("values", values)
            if len(q) != len(self.joints):
                raise ArgumentError(f"values has {len(q)} items: must have {len(self.joints)}, one for each joint")
        return arrays.finite("values", q)

    def _variable(self, argument: str, name: Any) -> int:
        """The index of a joint in `joints`; one that is fixed or follows another has none. Errors name `argument`."""
        if name in self.joints:
            return self.joints.index(name)
        for j in self._tree.given:
            if j.name == name and j.kind in PARTS:
                names = ", ".join(self.joints[j.source : j.source + len(PARTS[j.kind])])
                raise ArgumentError(f"{argument}: joint {name!r} is {j.kind}: its values are {names}")
            if j.name == name:
                why = "is fixed" if j.kind == "fixed" else f"follows {self.joints[j.source]!r}"
                raise ArgumentError(f"{argument}: joint {name!r} {why}: a path has no values of it")
        raise ArgumentError(f"{argument}: {name!r} is no joint of {self.name!r}: its joints are {', '.join(self.joints)}")

    def __repr__(self) -> str:
        triangles = sum(len(p.faces) for s in self._shapes for p in s)
        balls = sum(_balls(p) for s in self._shapes for p in s)
        counts = f"{len(self.links)} links, {len(self.joints)} joints, {triangles} triangles, {balls} balls"
        return f"<ccd.robot.Robot {self.name!r} of {counts}>"


def _balls(shape: Shape) -> int:
    """The number of vertices with a radius that are in no triangle."""
    corner = np.zeros(len(shape.vertices), bool)
    corner[shape.faces] = True
    return int(((shape.radii > 0) & ~corner).sum())


def _shapes_of(given: Any) -> list[Shape]:
    if isinstance(given, Surface):
        return [Shape.surface(given)]
    parts = [given] if isinstance(given, Shape) else given
    if not isinstance(parts, (list, tuple)) or not parts or not all(isinstance(part, Shape) for part in parts):
        raise ArgumentError(f"shapes is {type(given).__name__}: must be a ccd.robot.Shape, a ccd.Surface or a list of shapes")
    return list(parts)


def _check_tree(links: Sequence[str], shapes: Sequence[Any], joints: Sequence[JointModel], variables: Sequence[str]) -> None:
    for what, given in (("links", links), ("shapes", shapes), ("joints", joints), ("variables", variables)):
        if not isinstance(given, (list, tuple)):
            raise ArgumentError(f"{what} is {type(given).__name__}: must be a list")
    if len(shapes) != len(links):
        raise ArgumentError(f"shapes has {len(shapes)} items: must have {len(links)}, one for each link")
    for what, names in (("links", links), ("variables", variables)):
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ArgumentError(f"{what}[{i}] is {name!r}, which is given twice")
    for i, of_link in enumerate(shapes):
        if not isinstance(of_link, (list, tuple)):
            raise ArgumentError(f"shapes[{i}] is {type(of_link).__name__}: must be a list of ccd.robot.Shape")
        for k, shape in enumerate(of_link):
            if not isinstance(shape, Shape):
                raise ArgumentError(f"shapes[{i}][{k}] is {type(shape).__name__}: must be a ccd.robot.Shape")
    taken: dict[int, str] = {}  # parts of quaternions
    for i, j in enumerate(joints):
        _check_joint(f"joints[{i}]", j, len(variables))
        if j.kind in PARTS:
            for k, part in enumerate(PARTS[j.kind], j.source):
                if part.startswith("rot_"):
                    taken[k] = f"joints[{i}]" if k not in taken else "two joints"
    for i, j in enumerate(joints):
        own = range(j.source, j.source + len(PARTS.get(j.kind, "1")))
        for k in own if j.kind != "fixed" else ():
            if taken.get(k, f"joints[{i}]") != f"joints[{i}]":
                raise ArgumentError(f"joints[{i}].source: {variables[k]!r} is a part of the quaternion of {taken[k]}")
    for i, j in enumerate(joints):
        for end in "parent", "child":
            index = arrays.integer(f"joints[{i}].{end}", getattr(j, end), -(2**31), 2**31)
            if not 0 <= index < len(links):
                raise ArgumentError(f"joints[{i}].{end} is {index}: must be the index of one of {len(links)} links")
    reached = set(range(len(links))) - {j.child for j in joints}
    if len(reached) != 1:
        raise ArgumentError(f"joints: {len(reached)} links have no parent: a tree has one")
    for i, j in enumerate(joints):
        if j.parent not in reached or j.child in reached:
            raise ArgumentError(
                f"joints[{i}] joins the links {j.parent} and {j.child}: parents come first, and a child has one"
            )
        reached.add(j.child)


def _named_pairs(links: Sequence[str], allowed: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    if not isinstance(allowed, Iterable):
        raise ArgumentError(f"allowed is {type(allowed).__name__}: must hold pairs of names")
    found = set()
    for i, pair in enumerate(allowed):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ArgumentError(f"allowed[{i}] is {pair!r}: must be two names")
        for name in pair:
            if name not in links:
                raise ArgumentError(f"allowed[{i}]: {name!r} is no link: the links are {', '.join(links)}")
        found.add(frozenset(pair))
    return found


def _check_joint(name: str, j: JointModel, variables: int) -> None:
    """What the bounds of docs/proofs/robots.md assume of a joint: finite numbers, a rotation, a unit axis."""
    if not isinstance(j, JointModel):
        raise ArgumentError(f"{name} is {type(j).__name__}: must be a ccd.robot.JointModel")
    if not isinstance(j.name, str):
        raise ArgumentError(f"{name}.name is {j.name!r}: must be a string")
    kinds = ("fixed", "revolute", "continuous", "prismatic", *PARTS)
    if j.kind not in kinds:
        raise ArgumentError(f"{name}.kind is {j.kind!r}: must be one of {', '.join(map(repr, kinds))}")
    for field, shape in (("rotation", (3, 3)), ("position", (3,)), ("axis", (3,))):
        given = np.asarray(getattr(j, field))
        if given.shape != shape or given.dtype != np.float64:
            raise ArgumentError(f"{name}.{field} has shape {given.shape} and type {given.dtype}: must be float64, {shape}")
        arrays.finite(f"{name}.{field}", given)
    for field in ("multiplier", "offset"):
        said = "finite and at most 1e150 in magnitude"
        arrays.within(f"{name}.{field}", getattr(j, field), "[-1e150, 1e150]", said)
    check_limits(f"{name}.", j.lower, j.upper, j.kind)
    count = len(PARTS.get(j.kind, "1"))
    if j.kind != "fixed" and not 0 <= arrays.integer(f"{name}.source", j.source, -(2**31), 2**31) <= variables - count:
        most = f"less than {variables}" if count == 1 else f"at most {variables - count}: it has {count} variables"
        raise ArgumentError(f"{name}.source is {j.source}: must be {most}")
    check_rotation(f"{name}.rotation", j.rotation, _ORTHONORMAL)
    powers = [arrays.number(f"{name}.powers[{i}]", c) for i, c in enumerate(j.powers)]
    if len(powers) > 4 or not all(abs(c) <= 1e150 for c in powers):
        raise ArgumentError(f"{name}.powers is {powers}: must be at most 4 numbers, of at most 1e150 in magnitude")
    if j.kind in PARTS:
        if powers or (j.multiplier, j.offset, j.lower, j.upper) != (1, 0, -math.inf, math.inf):
            raise ArgumentError(f"{name} is {j.kind}: it has no multiplier, offset, powers or limits")
        return
    if j.kind != "fixed" and abs(float(np.linalg.norm(j.axis)) - 1) > _UNIT:
        raise ArgumentError(f"{name}.axis has length {np.linalg.norm(j.axis)}: must have 1")
