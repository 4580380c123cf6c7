"""Loops that a robot has from its file: a path that leaves one open is no motion of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ._loop import Loop
from ._model import Robot
from ._path import evaluate

_OPEN = 1e-6  # times the reach of the robot: what a loop may be open by, besides the errors of its joints


def refuse_open(robot: Robot, control: NDArray[np.float64], errors: NDArray[np.float64], name: str) -> None:
    """Refuse edges that leave a loop of the robot open at their start, middle or end.

    Control values are (edges, degree + 1, variables) of the tree.
    """
    if not robot.loops:
        return
    reach = 1 + float(robot._tree.reach(np.abs(control).max((0, 1), initial=0)).max(initial=0))
    most = (_OPEN + 4 * float(errors.sum())) * reach
    for edge, c in enumerate(control):
        for s in (0.0, 0.5, 1.0):
            place = robot._tree.place(evaluate(c, s))
            for i, loop in enumerate(robot.loops):
                gap = float(np.abs(side(robot, loop, *place)).max())
                if not gap <= most:
                    raise ArgumentError(
                        f"{name}: loops[{i}], of the links {loop.a!r} and {loop.b!r}, is open by {gap:.3g} on edge {edge} at"
                        f" s = {s:g}: ccd.robot.close(robot, path) computes the joints that follow"
                    )


def side(robot: Robot, loop: Loop, rotation: NDArray[np.float64], position: NDArray[np.float64]) -> NDArray[np.float64]:
    """The left side of a loop's equations, where the links are."""
    a, b = (robot.links.index(name) for name in (loop.a, loop.b))
    at = rotation[a] @ loop.point_a + position[a]
    found: NDArray[np.float64] = loop.across @ (rotation[b].T @ (at - position[b]) - loop.point_b)
    return found


def flattened(robot: Robot, loop: Loop, values: NDArray[np.float64]) -> Loop:
    """A loop of a ball joint as one of a pin, if all its joints turn about parallel axes or slide across them."""
    above = {j.child: j for j in robot._tree.joints}
    ways = []
    for name in (loop.a, loop.b):
        link, way = robot.links.index(name), []
        while link in above:
            way.append(above[link])
            link = above[link].parent
        ways.append(way)
    shared = {j.child for j in ways[0]} & {j.child for j in ways[1]}
    joints = [j for way in ways for j in way if j.child not in shared and j.kind != "fixed"]
    rotation, _ = robot._tree.place(robot._tree.row(values))
    turning = [rotation[j.child] @ j.axis for j in joints if j.turns]
    sliding = [rotation[j.child] @ j.axis for j in joints if not j.turns]
    if not turning:
        return loop
    axis = turning[0]
    parallel = all(np.linalg.norm(np.cross(axis, other)) <= 1e-9 for other in turning)
    if not parallel or any(abs(axis @ other) > 1e-9 for other in sliding):
        return loop
    return Loop.pin(loop.a, loop.point_a, loop.b, loop.point_b, rotation[robot.links.index(loop.b)].T @ axis)
