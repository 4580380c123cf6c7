"""Closed chains: which joints follow, which drive them, and what the library is given of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays
from .._inner.edges import Closed, close_loops, joint_dtype, loop_dtype
from .._inner.errors import renaming
from ..errors import ArgumentError, NonFiniteError
from ._core import joint_record
from ._joint import JointModel
from ._loop import Loop
from ._model import Robot
from ._path import Path

_LARGEST = 1e60  # The library takes values up to this magnitude.


class Chain:
    """The joints of loops, and the columns of the motion: those of the path, then the joints that follow."""

    def __init__(self, robot: Robot, path: Path, loops: Sequence[Loop], start: Mapping[str, float]):
        if not isinstance(robot, Robot):
            raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
        if not isinstance(path, Path):
            raise ArgumentError(f"path is {type(path).__name__}: must be a ccd.robot.Path, as Path(joints, waypoints)")
        if not isinstance(loops, (list, tuple)) or not loops:
            raise ArgumentError(f"loops is {type(loops).__name__}: must be a list of ccd.robot.Loop, not empty")
        if not isinstance(start, Mapping) or not start:
            raise ArgumentError(f"start is {type(start).__name__}: must be a mapping of values of the joints that follow")
        self.robot, self.path, self.follow = robot, path, list(start)
        self.names = [*path.joints, *self.follow]
        follow = [robot._variable("start", name) for name in start]
        both = [name for name in start if name in path.joints]
        if both:
            raise ArgumentError(f"path has values of {both[0]!r}, which is in start: a joint that follows")
        self.start = np.array([arrays.number(f"start[{n!r}]", v) for n, v in start.items()])
        wrong = [name for name, v in zip(start, self.start.tolist()) if not abs(v) <= _LARGEST]
        if wrong:
            raise NonFiniteError(f"start[{wrong[0]!r}] is {start[wrong[0]]}: not finite or above 1e60 in magnitude")
        self.loops = ways(robot, loops)
        of_path = [robot._variable(f"path.joints[{i}]", name) for i, name in enumerate(path.joints)]
        column = robot._tree.column  # the variable of each joint that has one; -1 for parts of quaternions
        follow, of_path = column[follow].tolist(), column[of_path].tolist()
        moving = {j.source for _, a, b in self.loops for j in (*a, *b) if j.kind != "fixed"}
        beyond = [j for _, a, b in self.loops for j in (*a, *b) if j.kind != "fixed" and j.source not in column]
        if beyond:
            raise ArgumentError(f"loops: joint {beyond[0].name!r} has a quaternion, or follows by a polynomial: not in a loop")
        unused = [name for name, k in zip(start, follow) if k not in moving]
        if unused:
            raise ArgumentError(f"start[{unused[0]!r}]: this joint is in no loop")
        drives = sorted(moving - set(follow))
        names = dict(zip(column.tolist(), robot.joints))
        missing = [names[k] for k in drives if k not in of_path]
        if missing:
            raise ArgumentError(f"path has no values of {missing[0]!r}, a joint of a loop: add a column, or give start")
        wrong = [name for name, off in zip(path.joints, path._errors) if off and column[robot._variable("", name)] in drives]
        if wrong:
            raise ArgumentError(f"path.errors of {wrong[0]!r} is above 0: the joints that follow would err with it")
        self.variables = {k: i for i, k in enumerate([*of_path, *follow]) if k >= 0}  # columns by variables of the robot
        equations = sum(len(loop.across) for loop, _, _ in self.loops)
        if equations != len(follow):
            raise ArgumentError(f"loops have {equations} equations, start {len(follow)} joints: must be as many")

    def close(self, tolerance: float) -> Closed:
        """The motion of all columns, in pieces, with the radii of the joints that follow."""
        first = len(self.path.joints)
        control = np.zeros((self.path.edges, self.path.degree + 1, len(self.names)))
        control[:, :, :first] = self.path._control
        joints, links, names = self._tree()
        loops = np.zeros(len(self.loops), loop_dtype)
        for record, (loop, _, _) in zip(loops, self.loops):
            record["a"], record["b"] = (links[self.robot.links.index(name)] for name in (loop.a, loop.b))
            record["point_a"], record["point_b"], record["rows"] = loop.point_a, loop.point_b, len(loop.across)
            record["across"][: len(loop.across)] = loop.across
        follow = np.arange(first, len(self.names), dtype=np.int32)
        open_at = f"loops: they cannot be closed at the start of the path from {dict(zip(self.follow, self.start.tolist()))}"
        with renaming(
            (r"^start: the loops cannot be closed at the start of the path.*", lambda _: open_at),
            (r"^control: ", "path: "),
            (r"\bvariable (\d+)", lambda m: repr(self.names[int(m[1])])),
            (r"^joints\[(\d+)\]", lambda m: f"joint {names[int(m[1])]!r}: its model"),
        ):  # fmt: skip
            return close_loops(len(self.names), joints, loops, follow, self.start, control, tolerance)

    def _tree(self) -> tuple[NDArray[np.void], dict[int, int], list[str]]:
        """The joints above the links of loops as the library takes them, the number there of each link, and the joints' names.

        A joint above the loops, which does not matter to them, is fixed.
        """
        above = {j.child: j for j in self.robot._tree.joints}
        root = next(iter(set(range(len(self.robot.links))) - set(above)))
        records, number, names = list[Any](), {root: 0}, list[str]()
        for name in (name for loop, _, _ in self.loops for name in (loop.a, loop.b)):
            way, link = list[JointModel](), self.robot.links.index(name)
            while link not in number:
                way.append(above[link])
                link = above[link].parent
            for j in reversed(way):
                number[j.child] = len(number)
                variable = -1 if j.kind == "fixed" else self.variables.get(j.source, -1)
                records.append(joint_record(j, number[j.parent], number[j.child], variable))
                names.append(j.name)
        return np.array(records, joint_dtype), number, names


def ways(robot: Robot, loops: Sequence[Loop]) -> list[tuple[Loop, list[JointModel], list[JointModel]]]:
    """Loops, with the joints from the lowest link above both of the links of each down to them."""
    return [_ways(robot, i, loop) for i, loop in enumerate(loops)]


def _ways(robot: Robot, i: int, loop: Loop) -> tuple[Loop, list[JointModel], list[JointModel]]:
    """A loop with the joints from the lowest link above both of its links down to each."""
    if not isinstance(loop, Loop):
        raise ArgumentError(f"loops[{i}] is {type(loop).__name__}: must be a ccd.robot.Loop")
    above = {j.child: j for j in robot._tree.joints}
    ways = []
    for field in ("a", "b"):
        link = robot.links.index(arrays.choice(f"loops[{i}].{field}", getattr(loop, field), robot.links))
        way: list[JointModel] = []
        while link in above:
            way.insert(0, above[link])
            link = above[link].parent
        ways.append(way)
    across = np.asarray(loop.across)
    if across.dtype != np.float64 or across.ndim != 2 or across.shape[1] != 3 or not 1 <= len(across) <= 3:
        raise ArgumentError(f"loops[{i}].across has shape {across.shape}: must be (1 to 3, 3), of float64")
    for field, x in (("across", across), ("point_a", loop.point_a), ("point_b", loop.point_b)):
        arrays.finite(f"loops[{i}].{field}", np.asarray(x))
    a, b = ways
    while a and b and a[0] is b[0]:
        a, b = a[1:], b[1:]
    if not a and not b:
        raise ArgumentError(f"loops[{i}] joins {loop.a!r} with itself")
    return loop, a, b
