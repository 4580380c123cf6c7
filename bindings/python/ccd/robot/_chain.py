"""Closed chains as equations: residuals, their slopes, and the radius in which exactly one solution lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from .._inner import arrays
from ..errors import ArgumentError
from ._joint import JointModel
from ._kinematics import turn
from ._loop import Loop
from ._model import Robot
from ._path import Path
from ._series import Array, Series, anywhere, at_middle, turned

_ORDERS = 9  # coefficients of a residual: seven of them at the middle of a piece, the last one anywhere on it
_OFF = 2.0**-48  # errors of the drives' control values that the proof covers, relative to the largest of them
_FRAME = 2.0**-46  # how far the doubles of a joint's rotation are from it


class Chain:
    """The joints of loops: which follow, what the constraints are, and where the links are."""

    def __init__(self, robot: Robot, path: Path, loops: Sequence[Loop], start: Mapping[str, float]):
        if not isinstance(robot, Robot):
            raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
        if not isinstance(path, Path):
            raise ArgumentError(f"path is {type(path).__name__}: must be a ccd.robot.Path, as Path(joints, waypoints)")
        if not isinstance(loops, (list, tuple)) or not loops:
            raise ArgumentError(f"loops is {type(loops).__name__}: must be a list of ccd.robot.Loop, not empty")
        if not isinstance(start, Mapping) or not start:
            raise ArgumentError(f"start is {type(start).__name__}: must be a mapping of values of the joints that follow")
        self.robot = robot
        self.names = list(start)
        follow = [robot._variable("start", name) for name in start]
        both = [name for name in start if name in path.joints]
        if both:
            raise ArgumentError(f"path has values of {both[0]!r}, which is in start: a joint that follows")
        self.start = arrays.finite("start", np.array([arrays.number(f"start[{n!r}]", v) for n, v in start.items()]))
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
        self.drives = [of_path.index(k) for k in drives]  # columns of the path
        self.variables = {k: i for i, k in enumerate([*follow, *drives])}  # columns of the chain's values
        equations = sum(len(loop.across) for loop, _, _ in self.loops)
        if equations != len(follow):
            raise ArgumentError(f"loops have {equations} equations, start {len(follow)} joints: must be as many")
        self.count = equations

    advice = "no proof near a singular configuration; choose another drive there, or end the path before it"

    def residual(self, values: Array) -> tuple[Array, Array]:
        """The left sides of the constraints and their derivatives by all of the chain's variables, rounded."""
        sides, slopes = [], []
        for loop, a, b in self.loops:
            slope = np.zeros((3, len(self.variables)))
            frames = [self._frames(way, values) for way in (a, b)]
            (ra, ta, axes_a), (rb, tb, axes_b) = frames
            at = ra @ loop.point_a + ta
            for sign, axes in ((1.0, axes_a), (-1.0, axes_b)):  # the points as seen from b
                for j, axis, origin in axes:
                    rate = np.cross(axis, at - origin) if j.turns else axis
                    slope[:, self.variables[j.source]] += sign * j.multiplier * rate
            sides.append(loop.across @ (rb.T @ (at - tb) - loop.point_b))
            slopes.append(loop.across @ rb.T @ slope)
        return np.concatenate(sides), np.vstack(slopes)

    def _frames(self, way: list[JointModel], values: Array) -> tuple[Array, Array, list[tuple[JointModel, Array, Array]]]:
        r, t, axes = np.eye(3), np.zeros(3), []
        for j in way:
            t = t + r @ j.position
            r = r @ j.rotation
            if j.kind != "fixed":
                value = j.multiplier * float(values[self.variables[j.source]]) + j.offset
                axes.append((j, r @ j.axis, t))
                if j.turns:
                    r = r @ turn(j.axis, value)
                else:
                    t = t + r @ j.axis * value
        return r, t, axes

    def sides(self, q: Series) -> Series:
        """The left sides of the constraints, (orders, intervals, equations, 1), for series of the variables."""
        parts = []
        for loop, a, b in self.loops:
            (ra, ta), (rb, tb) = (self._poses(way, q) for way in (a, b))
            x = rb.transposed() @ (ra @ _column(loop.point_a, q) + ta - tb) - _column(loop.point_b, q)
            parts.append(Series.constant(loop.across, q) @ x)
        shape = (len(q.mid), q.mid.shape[1])
        mids, rads = ([np.broadcast_to(x, (*shape, *x.shape[2:])) for x in (p.mid for p in parts)],
                      [np.broadcast_to(x, (*shape, *x.shape[2:])) for x in (p.rad for p in parts)])  # fmt: skip
        return Series(np.concatenate(mids, axis=2), np.concatenate(rads, axis=2))

    def _poses(self, way: list[JointModel], q: Series) -> tuple[Series, Series]:
        r, t = Series.constant(np.eye(3), q), _column(np.zeros(3), q)
        for j in way:
            t = t + r @ _column(j.position, q)
            exact = np.array_equal(j.rotation, np.eye(3))
            r = r if exact else r @ Series.constant(j.rotation, q, _FRAME)
            if j.kind == "fixed":
                continue
            k = self.variables[j.source]
            value = Series(q.mid[:, :, k : k + 1], q.rad[:, :, k : k + 1]).scaled(j.multiplier)
            value = value + Series.constant(np.array([[j.offset]]), q)
            if j.turns:
                r = r @ turned(value, j.axis)
            else:
                t = t + r @ (Series.constant(j.axis[:, None], q, 2.0**-50) @ value)
        return r, t

    def jacobian(self, q: Series) -> Series:
        """The derivatives of the sides by the joints that follow, (1, intervals, equations, equations)."""
        columns = []
        for k in range(self.count):
            mid, rad = np.zeros((2, *q.mid.shape[1:])), np.zeros((2, *q.mid.shape[1:]))
            mid[0], rad[0] = q.mid[0], q.rad[0]
            mid[1, :, k] = 1
            columns.append(self.sides(Series(mid, rad)))
        return Series(*(np.concatenate([getattr(c, f)[1:] for c in columns], axis=3) for f in ("mid", "rad")))

    def radii(self, control: Array, tolerance: float) -> Array:
        """For each piece, with control values of the chain's variables, how far the joints that follow are from the exact ones
        at most; infinite where there is no proof.
        """
        off = np.zeros((len(control), 1, control.shape[2]))
        off[:, 0, self.count :] = _OFF * np.abs(control[:, :, self.count :]).max(1)
        middle, wide = at_middle(control, off, _ORDERS), anywhere(control, off, _ORDERS)
        with np.errstate(all="ignore"):
            near = self.jacobian(Series(middle.mid[:1], np.zeros_like(middle.rad[:1]))).mid[0]
            inverse = _inverses(near)
            c = Series(np.zeros((1, *inverse.shape)), np.zeros((1, *inverse.shape)))
            c.mid[0] = inverse
            c = _padded(c, _ORDERS)
            size, rest = (c @ self.sides(middle)).bound()[:, :, :, 0], (c @ self.sides(wide)).bound()[:, :, :, 0]
            beta = np.abs(rest[-1]) * 0.5 ** (_ORDERS - 1)
            for k in range(_ORDERS - 1):
                beta = beta + size[k] * 0.5**k
            beta = beta * (1 + 2.0**-40)
            box = Series(wide.mid[:1], wide.rad[:1].copy())
            box.rad[0, :, : self.count] += tolerance * (1 + 2.0**-40)
            one = Series.constant(np.eye(self.count), 1)
            spread = (one - Series(c.mid[:1], c.rad[:1]) @ self.jacobian(box)).bound()[0]
            radius = 2 * beta
            for _ in range(30):
                radius = beta + (spread @ radius[:, :, None])[:, :, 0] * (1 + 2.0**-20)
            radius = radius * (1 + 2.0**-10)
            held = (beta + (spread @ radius[:, :, None])[:, :, 0]) * (1 + 2.0**-40) < radius
        held &= np.isfinite(radius) & (beta > 0)
        found: Array = np.where(held.all(1)[:, None], radius, np.inf)
        return found


def _column(x: ArrayLike, like: Series) -> Series:
    return Series.constant(np.asarray(x, float)[:, None], like)


def _padded(s: Series, orders: int) -> Series:
    """A series with zeros for the higher powers."""
    more = np.zeros((orders - len(s.mid), *s.mid.shape[1:]))
    return Series(np.concatenate([s.mid, more]), np.concatenate([s.rad, more]))


def _inverses(matrices: Array) -> Array:
    """The inverses of matrices, rounded; NaN for those that are singular."""
    found = np.full_like(matrices, np.nan)
    for i, m in enumerate(matrices):
        try:
            found[i] = np.linalg.inv(m)
        except np.linalg.LinAlgError:
            continue
    return found


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
