"""Closed chains: joints that follow others because a loop stays closed, with a proven radius.

docs/proofs/robots.md ("Loops") has the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .._inner import arrays
from ..errors import ArgumentError
from ._chain import Chain, ways
from ._loop import Loop
from ._model import Robot
from ._path import Path
from ._pieces import _made_of


def close(
    robot: Robot,
    path: Path,
    loops: Sequence[Loop] | None = None,
    start: Mapping[str, float] | None = None,
    *,
    tolerance: float = 1e-9,
) -> Path:
    """Compute the joints of closed chains along a path, with proven radii: four-bars, grippers, slider-cranks.

    The robot's joints are a tree: one joint of each loop is cut, and a `Loop` takes its place. Of the joints of the loops, the
    path has the drives, and the others follow. The result has columns for both, is cut into pieces of degree 5, and its
    `Path.errors` say how far the joints that follow can be from the exact motion: so `check` and `clearance` prove what they
    say of the exact mechanism. Times are those of the path, so `Contact.time` tells where on it a contact is.

    Joints go as the path is written, also continuous ones: a crank may turn around.

    Parameters
    ----------
    robot : Robot
        The robot, a tree.
    path : Path
        Values of the drives, and of any other joints.
    loops : sequence of Loop, optional
        The constraints, with as many equations as joints follow; `Robot.loops`, those of its file, if omitted.
    start : mapping, optional
        Values near those at the start of the path, of the joints that follow, by name: they choose the branch. If omitted, all
        joints of the loops follow that the path has no values for, in the branch of the file's configuration, from which the
        drives go straight to the start of the path.
    tolerance : float, default 1e-9
        What the radii are at most: radians, or lengths.

    Returns
    -------
    Path
        The path with the joints that follow.

    Raises
    ------
    ArgumentError
        The loops cannot be closed at the start, a name is unknown, numbers of equations and joints differ, or no proof is
        found: the chain comes near a singular configuration, where branches meet or a crank cannot go on. The message says
        where.

    Examples
    --------
    A four-bar: a crank of length 1, a coupler of 3 and a rocker of 3, whose hinge is 3 from that of the crank.

    >>> import ccd
    >>> moving = ccd.robot.JointModel.moving
    >>> joints = [
    ...     moving("crank", "continuous", 0, 1, source=0),
    ...     moving("coupler", "continuous", 1, 2, source=1, position=[1, 0, 0]),
    ...     moving("rocker", "continuous", 0, 3, source=2, position=[3, 0, 0]),
    ... ]
    >>> links = ["base", "crank", "coupler", "rocker"]
    >>> robot = ccd.robot.Robot("four-bar", links, [[]] * 4, joints, ["crank", "coupler", "rocker"])
    >>> loop = ccd.robot.Loop.pin("coupler", [3, 0, 0], "rocker", [3, 0, 0])
    >>> path = ccd.robot.close(robot, ccd.robot.Path(["crank"], [[0], [6.28]]), [loop], {"coupler": 1, "rocker": 2})
    >>> path.joints, path.degree, bool(path.errors.max() <= 1e-9), path.at(0, 0).round(6).tolist()
    (('crank', 'coupler', 'rocker'), 5, True, [0.0, 1.230959, 1.910633])
    """
    if isinstance(robot, Robot) and isinstance(path, Path):
        loops = robot.loops if loops is None else loops
        start = started(robot, path, loops) if start is None else start
    chain = Chain(robot, path, loops or (), start or {})
    tolerance = arrays.within("tolerance", tolerance, "[1e-11, 1e-3]")
    found = chain.close(tolerance)
    pieces = [(edge, a, b) for edge, (a, b) in zip(found.edges.tolist(), found.ends.tolist())]
    closed = _made_of(chain.names, found.control, pieces, path)
    closed._errors = np.concatenate([path._errors, found.errors])
    return closed


def started(robot: Robot, path: Path, loops: Sequence[Loop]) -> dict[str, float]:
    """Values of the joints that follow at the start of a path: the drives go there from the file's configuration."""
    if not robot._start:
        raise ArgumentError("start is missing: a robot that MJCF does not place has no configuration to begin with")
    if not loops:
        raise ArgumentError("loops is missing: the robot's file has none")
    moving = {joint.source for _, a, b in ways(robot, loops) for joint in (*a, *b) if joint.kind != "fixed"}
    names = [name for name, k in zip(robot.joints, robot._tree.column.tolist()) if k in moving]
    drives, follow = ([name for name in names if (name in path.joints) == driven] for driven in (True, False))
    equations = sum(len(loop.across) for loop in loops)
    if len(follow) > equations:
        raise ArgumentError(
            f"path has no values of {', '.join(map(repr, follow))}, and the loops have {equations} equations for them:"
            f" give values of {len(follow) - equations} more, which drive the chain too"
        )
    at = {name: robot._start[name] for name in follow}
    if not follow or not drives:
        return at
    first = path._control[0, 0, [path.joints.index(name) for name in drives]]
    before = np.array([robot._start[name] for name in drives])
    if not np.array_equal(before, first):
        try:
            end = close(robot, Path(drives, np.array([before, first])), loops, at)
        except ArgumentError as error:
            raise ArgumentError(f"start is missing, and the way there from the file's configuration: {error}") from None
        at = dict(zip(follow, end._control[-1, -1, len(drives) :].tolist()))
    return at
