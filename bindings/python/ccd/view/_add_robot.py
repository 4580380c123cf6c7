"""A robot on its path, as a part of a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .._inner import arrays
from ..errors import ArgumentError
from ._add_parts import moving_mesh
from ._state import State, check_size, is_a

if TYPE_CHECKING:
    from .._inner.robots import Scene
    from ..robot import Path, Report, Robot


def add_robot(
    state: State,
    robot: Robot,
    path: Path,
    scene: Scene = (),
    report: Report | None = None,
    rest: Mapping[str, float] | None = None,
    frames: int | None = None,
    continuous: str | None = None,
) -> int:
    """Add a robot on its path, with a scene that rests, and the contacts of a report.

    The time line is that of the path's edges: from 0 to their number. Each link and each object of the scene can be
    shown, hidden and colored. Balls and capsules are drawn as such.

    Parameters
    ----------
    robot : ccd.robot.Robot
        The robot.
    path : ccd.robot.Path
        The path.
    scene : mapping or sequence, optional
        Objects that rest, as for `ccd.robot.check`.
    report : ccd.robot.Report, optional
        What `ccd.robot.check` returned for these: its contacts are marked.
    rest : mapping, optional
        Values of joints that the path has no column for.
    frames : int, optional
        Steps that are drawn of each edge; else 4 to 64, about 0.05 radians each.
    continuous : str, optional
        How continuous joints go, as for `ccd.robot.check`: as in the report, or ``"shortest"`` without one.

    Returns
    -------
    int
        Number of the part.

    Raises
    ------
    ArgumentError
        A joint is missing or unknown, `continuous` is not that of the report, the report is of another robot, or the frames
        take more than `MOST_BYTES` bytes.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> scene = {"pole": ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])}
    >>> path = ccd.robot.Path(["turn"], [[0], [3]])
    >>> page = ccd.view.Page("an arm meets a pole")
    >>> page.add_robot(robot, path, scene, ccd.robot.check(robot, path, scene))
    0
    >>> page.t_max, page.met, round(page.impacts[0]["time"], 4)
    (1.0, 1, 0.2181)
    """
    from .._inner import robots
    from ..robot import Path as PathType
    from ..robot import Report as ReportType
    from ..robot import Robot as RobotType
    from ._robots import Track

    is_a("robot", robot, RobotType)
    is_a("path", path, PathType)
    if report is not None:
        is_a("report", report, ReportType)
    path = robots.as_turned(robot, path, _turning(report, continuous))
    each = None if frames is None else arrays.integer("frames", frames, 1, 1 << 16)
    bodies = robots.Bodies(robot, robots.surfaces(scene))
    track = Track(bodies, path, robots.columns(robot, path, rest), each)
    check_size(len(track.frames), len(bodies.local))
    names = {b.name for b in bodies.all}
    contacts = [] if report is None else [e for e in report.edges if e.contact is not None]
    for e in contacts:
        if e.contact is not None and not (e.edge < path.edges and {e.contact.a, e.contact.b} <= names):
            told = f"edge {e.edge}, {e.contact.a} and {e.contact.b}"
            raise ArgumentError(f"report: {told}: not of this path, robot and scene")
    if state.given_t_max is None:
        state.given_t_max = float(path.edges)
    state.edges = max(state.edges, path.edges)
    part = moving_mesh(state, track.mesh(), track.frames, robot.name, track.objects(state.color()))
    for e in contacts:
        if e.contact is not None:
            track.add(state, part, e.contact, str(e.verdict) == "collides")
    return part


def _turning(report: Report | None, continuous: str | None) -> str:
    """How continuous joints go on a page: as the report says, if there is one."""
    if report is not None and continuous not in (None, report.continuous):
        raise ArgumentError(f"continuous is {continuous!r}: the report is of {report.continuous!r}")
    if continuous is None:
        return "shortest" if report is None else report.continuous
    return continuous
