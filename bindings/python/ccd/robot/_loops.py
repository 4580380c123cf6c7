"""Closed chains: joints that follow others because a loop stays closed, with a proven radius.

docs/proofs/robots.md ("Loops") has the proof.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import ArgumentError
from ._kinematics import JointModel, _vector, turn
from ._model import Robot
from ._path import Path, _restricted, evaluate
from ._series import Array, Series, anywhere, at_middle, turned

_ORDERS = 9  # coefficients of a residual: seven of them at the middle of a piece, the last one anywhere on it
_OFF = 2.0**-48  # errors of the drives' control values that the proof covers, relative to the largest of them
_FRAME = 2.0**-46  # how far the doubles of a joint's rotation are from it
_TURN = 0.2  # radians that the drives turn in the first pieces
_FINEST = 2.0**-24  # of an edge: shorter pieces are refused
_MOST = 20000  # pieces of a path


@dataclass(frozen=True, eq=False)
class Loop:
    """A constraint that closes a chain: a point of one link stays on a point, a line or a plane of another.

    Let x be the point of `a` in the coordinates of `b`, less `point_b`. The constraint is ``across @ x == 0``. `pin`, `slot`
    and `ball` make the usual ones.

    Attributes
    ----------
    a : str
        Name of a link.
    point_a : numpy.ndarray
        A point of it, in its coordinates, (3,).
    b : str
        Name of another link.
    point_b : numpy.ndarray
        A point of that, in its coordinates, (3,).
    across : numpy.ndarray
        Directions in the coordinates of `b` along which the points stay together, (1 to 3, 3): one equation each.
    """

    a: str
    point_a: NDArray[np.float64]
    b: str
    point_b: NDArray[np.float64]
    across: NDArray[np.float64]

    @classmethod
    def pin(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike, axis: ArrayLike = (0.0, 0.0, 1.0)) -> Loop:
        """Create the constraint of a hinge in a planar chain: two equations, across the axis.

        The other joints of the loop turn about axes that are parallel to this one, or slide across it: then the links keep
        their places along it.

        Parameters
        ----------
        a : str
            Name of a link.
        point_a : array_like
            A point of the axis, in its coordinates, (3,).
        b : str
            Name of the other link.
        point_b : array_like
            A point of the axis, in its coordinates.
        axis : array_like, default (0.0, 0.0, 1.0)
            The axis, in the coordinates of `b`.

        Returns
        -------
        Loop
            The constraint.

        Raises
        ------
        ArgumentError
            An array has another shape, or the axis is 0.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Loop.pin("coupler", [2, 0, 0], "rocker", [1, 0, 0]).across.tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        """
        n = _direction("axis", axis)
        first = np.eye(3)[int(np.argmin(np.abs(n)))]
        first = _direction("axis", first - n * (first @ n))
        return cls._made(a, point_a, b, point_b, np.array([first, np.cross(n, first)]))

    @classmethod
    def slot(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike, along: ArrayLike, axis: ArrayLike) -> Loop:
        """Create the constraint of a pin in a straight slot of a planar chain: one equation.

        Parameters
        ----------
        a : str
            Name of the link with the pin.
        point_a : array_like
            The pin, in its coordinates, (3,).
        b : str
            Name of the link with the slot.
        point_b : array_like
            A point of the slot, in its coordinates.
        along : array_like
            Direction of the slot, in the coordinates of `b`.
        axis : array_like
            Direction across the plane of the chain, in the coordinates of `b`.

        Returns
        -------
        Loop
            The constraint.

        Raises
        ------
        ArgumentError
            An array has another shape, or the directions are 0 or parallel.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Loop.slot("crank", [1, 0, 0], "yoke", [0, 0, 0], along=[0, 2, 0], axis=[0, 0, 1]).across.tolist()
        [[-1.0, 0.0, 0.0]]
        """
        n = np.cross(_direction("axis", axis), _direction("along", along))
        return cls._made(a, point_a, b, point_b, _direction("along and axis are parallel: their cross product", n)[None])

    @classmethod
    def ball(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike) -> Loop:
        """Create the constraint of a ball joint: three equations.

        Parameters
        ----------
        a : str
            Name of a link.
        point_a : array_like
            The center, in its coordinates, (3,).
        b : str
            Name of the other link.
        point_b : array_like
            The center, in its coordinates.

        Returns
        -------
        Loop
            The constraint.

        Raises
        ------
        ArgumentError
            An array has another shape.

        Examples
        --------
        >>> import ccd
        >>> len(ccd.robot.Loop.ball("rod", [0, 0, 1], "plate", [1, 0, 0]).across)
        3
        """
        return cls._made(a, point_a, b, point_b, np.eye(3))

    @classmethod
    def _made(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike, across: Array) -> Loop:
        return cls(a, _vector("point_a", point_a), b, _vector("point_b", point_b), across + 0.0)


def close(
    robot: Robot,
    path: Path,
    loops: Sequence[Loop],
    start: Mapping[str, float],
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
    loops : sequence of Loop
        The constraints, with as many equations as joints follow.
    start : mapping
        Values near those at the start of the path, of the joints that follow, by name: they choose the branch.
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
    chain = _Chain(robot, path, loops, start)
    tolerance = arrays.number("tolerance", tolerance)
    if not 1e-11 <= tolerance <= 1e-3:
        raise ArgumentError(f"tolerance is {tolerance}: must be in [1e-11, 1e-3]")
    walk = _Walk(chain, path, tolerance)
    pieces = [(edge, a, b) for edge in range(path.edges) for a, b in walk.first(edge)]
    radii = np.zeros(len(chain.names))
    done: dict[tuple[int, float, float], Array] = {}
    best: dict[tuple[int, float, float], float] = {}  # of pieces that are not done, what their radii are at most
    while True:
        open_pieces = [piece for piece in pieces if piece not in done]
        if not open_pieces:
            break
        control = np.array([walk.control(*piece) for piece in open_pieces])
        found = chain.radii(control, tolerance)
        for piece, radius, c in zip(open_pieces, found, control):
            if (radius <= tolerance).all():
                done[piece], radii = c, np.maximum(radii, radius)
            best[piece] = float(radius.max())
            if tolerance < best[piece] < np.inf and best[piece] > best.get(walk.parent(piece), np.inf) / 2:
                raise ArgumentError(walk.refused(*piece[:2], best[piece]))  # halving does not help any more
        pieces = [half for piece in pieces for half in ((piece,) if piece in done else walk.halves(piece, best[piece]))]
        if len(pieces) > _MOST:
            raise ArgumentError(walk.refused(*open_pieces[0][:2], best[open_pieces[0]]))
    return walk.path(pieces, [done[piece] for piece in pieces], radii)


@dataclass(frozen=True, eq=False)
class Coupling:
    """Joints that are functions of one joint, the drive: piecewise polynomials up to degree 5, with radii.

    `closing` makes one of loops, for the whole range of a drive. `follow` adds the joints to a path.

    Parameters
    ----------
    drive : str
        Name of the drive.
    joints : sequence of str
        Names of the joints that follow.
    knots : array_like
        Values of the drive between the pieces, (pieces + 1,), ascending.
    control : array_like
        Control values in Bernstein form, (pieces, degree + 1, joints), degree 1 to 5.
    errors : array_like, optional
        How far each joint may be from its function, (joints,): zeros if omitted.

    Raises
    ------
    ArgumentError
        Shapes do not agree, knots do not ascend, pieces do not join, or an error is below 0.

    Examples
    --------
    A cam with a lift of 0.02, and a follower that is made to 1e-5:

    >>> import ccd
    >>> cam = ccd.robot.Coupling("cam", ["lift"], [0, 2], [[[0], [0], [0.02], [0.02]]], errors=[1e-5])
    >>> path = cam.follow(ccd.robot.Path(["cam"], [[0.5], [1.5]]))
    >>> path.joints, path.at(0, 0.5).round(6).tolist()
    (('cam', 'lift'), [1.0, 0.01])
    """

    drive: str
    joints: tuple[str, ...]
    knots: NDArray[np.float64]
    control: NDArray[np.float64]
    errors: NDArray[np.float64]

    def __init__(
        self, drive: str, joints: Sequence[str], knots: ArrayLike, control: ArrayLike, errors: ArrayLike | None = None
    ):
        whole = Path.polynomial(joints, control, knots)
        if drive in whole.joints:
            raise ArgumentError(f"drive is {drive!r}: a joint that follows cannot be its own drive")
        off = np.zeros(len(whole.joints)) if errors is None else arrays.row("errors", errors)
        if len(off) != len(whole.joints):
            raise ArgumentError(f"errors has {len(off)} items: must have {len(whole.joints)}, one for each joint")
        whole = whole.within(dict(zip(whole.joints, off.tolist())))
        for name, value in (("drive", drive), ("joints", whole.joints), ("knots", whole.times)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "control", whole.control)
        object.__setattr__(self, "errors", whole.errors)

    @classmethod
    def closing(
        cls,
        robot: Robot,
        loops: Sequence[Loop],
        drive: str,
        lower: float,
        upper: float,
        start: Mapping[str, float],
        *,
        tolerance: float = 1e-9,
    ) -> Coupling:
        """Create the coupling that closes loops, for all values of a drive in a range.

        Parameters
        ----------
        robot : Robot
            The robot, a tree.
        loops : sequence of Loop
            The constraints; no joints but the drive and those that follow are in them.
        drive : str
            Name of the drive.
        lower : float
            Its least value.
        upper : float
            Its greatest value.
        start : mapping
            Values near those at `lower` of the joints that follow, by name, as in `close`.
        tolerance : float, default 1e-9
            What the radii are at most.

        Returns
        -------
        Coupling
            The coupling.

        Raises
        ------
        ArgumentError
            As `close`.

        Examples
        --------
        A slider-crank with a crank of 1 and a rod of 3: the slider is at cos q + sqrt(9 - sin^2 q).

        >>> import numpy as np, ccd
        >>> moving = ccd.robot.JointModel.moving
        >>> joints = [
        ...     moving("crank", "continuous", 0, 1, source=0),
        ...     moving("rod", "continuous", 1, 2, source=1, position=[1, 0, 0]),
        ...     moving("slider", "prismatic", 0, 3, source=2, axis=[1, 0, 0]),
        ... ]
        >>> links = ["base", "crank", "rod", "slider"]
        >>> robot = ccd.robot.Robot("slider-crank", links, [[]] * 4, joints, ["crank", "rod", "slider"])
        >>> loop = ccd.robot.Loop.pin("rod", [3, 0, 0], "slider", [0, 0, 0])
        >>> one = ccd.robot.Coupling.closing(robot, [loop], "crank", 0, 7, {"rod": 0, "slider": 4})
        >>> path = one.follow(ccd.robot.Path(["crank"], [[0.5], [2.5]]))
        >>> abs(path.at(0, 0)[2] - (np.cos(0.5) + np.sqrt(9 - np.sin(0.5) ** 2))) <= one.errors[1]
        np.True_
        """
        low, high = arrays.number("lower", lower), arrays.number("upper", upper)
        if not low < high:
            raise ArgumentError(f"lower is {low}, upper is {high}: must be below it")
        whole = close(robot, Path([drive], [[low], [high]]), loops, start, tolerance=tolerance)
        knots = np.append(whole._control[:, 0, 0], high)
        return cls(drive, whole.joints[1:], knots, whole._control[:, :, 1:], whole._errors[1:])

    def follow(self, path: Path) -> Path:
        """Add the joints that follow to a path of straight edges of the drive; other joints may go any way.

        Parameters
        ----------
        path : Path
            A path with values of the drive.

        Returns
        -------
        Path
            The path with the joints, cut where the drive passes knots. Its `Path.errors` hold those of the coupling and the
            rounding. Times are those of the path.

        Raises
        ------
        ArgumentError
            The path has no such drive, or a joint that follows; the drive leaves the knots or does not go straight.
        """
        if not isinstance(path, Path):
            raise ArgumentError(f"path is {type(path).__name__}: must be a ccd.robot.Path")
        k = path.joints.index(arrays.choice("path.joints", self.drive, path.joints))
        if path._errors[k]:
            raise ArgumentError(f"path.errors of {self.drive!r} is {path._errors[k]}: the joints that follow would err with it")
        both = [name for name in self.joints if name in path.joints]
        if both:
            raise ArgumentError(f"path has values of {both[0]!r}, which follows {self.drive!r}")
        drive = path._control[:, :, k]
        straight = np.linspace(drive[:, 0], drive[:, -1], drive.shape[1], axis=1)
        if not np.allclose(drive, straight, rtol=1e-14, atol=0):
            raise ArgumentError(f"path: {self.drive!r} does not go straight: close the loops along the path")
        out = np.argwhere((drive < self.knots[0]) | (drive > self.knots[-1]))
        if len(out):
            edge, at = (int(i) for i in out[0])
            least, most = self.knots[0], self.knots[-1]
            raise ArgumentError(f"path: {self.drive!r} is {drive[edge, at]} on edge {edge}: must be in [{least}, {most}]")
        pieces = [(e, *cut) for e in range(path.edges) for cut in self._cuts(float(drive[e, 0]), float(drive[e, -1]))]
        control = np.array([self._piece(path._control[e], k, a, b, index) for e, a, b, index in pieces])
        width = np.diff(self.knots).min()
        steps = 5 * np.abs(np.diff(self.control, axis=1)).max((0, 1))
        size = np.abs(self.control).max((0, 1))
        # Blossoms err by 128u of the values. A place in a piece errs by 128u of the knots over its width, the drive included.
        off = self.errors + 2.0**-46 * size + 2.0**-45 * steps * (1 + np.abs(self.knots).max() / width)
        found = _made_of([*path.joints, *self.joints], control, [p[:3] for p in pieces], path)
        found._errors = np.concatenate([path._errors, off])
        return found

    def _cuts(self, x0: float, x1: float) -> list[tuple[float, float, int]]:
        """The parts of an edge between knots, with the piece of each."""
        low, high = min(x0, x1), max(x0, x1)
        between = [x for x in self.knots if low < x < high]
        stops = [0.0, *sorted((x - x0) / (x1 - x0) for x in between), 1.0] if x0 != x1 else [0.0, 1.0]
        stops = [s for i, s in enumerate(stops) if i == 0 or s > stops[i - 1]]
        found = []
        for a, b in pairwise(stops):
            middle = x0 + (a + b) / 2 * (x1 - x0)
            index = int(np.searchsorted(self.knots, middle, side="right")) - 1
            found.append((a, b, min(max(index, 0), len(self.control) - 1)))
        return found

    def _piece(self, control: Array, k: int, a: float, b: float, index: int) -> Array:
        own = _elevated(_restricted(control, a, b))
        first, last = self.knots[index], self.knots[index + 1]
        ends = [min(max((x - first) / (last - first), 0.0), 1.0) for x in (own[0, k], own[-1, k])]
        return np.hstack([own, _elevated(_restricted(self.control[index], *ends))])


def _made_of(joints: Sequence[str], control: Array, pieces: Sequence[tuple[int, float, float]], path: Path) -> Path:
    """A path of pieces of edges of another one, with its times."""
    for i in range(1, len(control)):
        same = pieces[i][0] == pieces[i - 1][0]
        close_by = np.abs(control[i, 0] - control[i - 1, -1]) <= 1e-9 * (1 + np.abs(control[i, 0]))
        control[i, 0] = np.where(close_by | same, control[i - 1, -1], control[i, 0])
    times = [path.time(edge, a) for edge, a, _ in pieces]
    times.append(float(path._times[-1]))
    found = Path.__new__(Path)
    found._set(joints, control, times)
    return found


def _elevated(control: Array) -> Array:
    """Control values of the degree 5 of the same polynomial, rounded."""
    while len(control) < 6:
        n = len(control)
        part = np.arange(1, n)[:, None] / n
        control = np.vstack([control[:1], part * control[:-1] + (1 - part) * control[1:], control[-1:]])
    return control


def _direction(name: str, v: ArrayLike) -> Array:
    x = _vector(name, v)
    length = float(np.linalg.norm(x))
    if not length > 1e-9 * (1 if name.startswith("along and") else 1e-200):
        raise ArgumentError(f"{name} is {x.tolist()}: must have a length above 0")
    unit: Array = x / length
    return unit


class _Chain:
    """The joints of loops: which follow, what the constraints are, and where the links are."""

    def __init__(self, robot: Robot, path: Path, loops: Sequence[Loop], start: Mapping[str, float]):
        if not isinstance(robot, Robot):
            raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
        if not isinstance(path, Path):
            raise ArgumentError(f"path is {type(path).__name__}: must be a ccd.robot.Path")
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
        self.loops = [self._loop(i, loop) for i, loop in enumerate(loops)]
        of_path = [robot._variable(f"path.joints[{i}]", name) for i, name in enumerate(path.joints)]
        moving = {j.source for _, a, b in self.loops for j in (*a, *b) if j.kind != "fixed"}
        unused = [name for name, k in zip(start, follow) if k not in moving]
        if unused:
            raise ArgumentError(f"start[{unused[0]!r}]: this joint is in no loop")
        drives = sorted(moving - set(follow))
        missing = [robot.joints[k] for k in drives if k not in of_path]
        if missing:
            raise ArgumentError(f"path has no values of {missing[0]!r}, a joint of a loop: add a column, or give start")
        wrong = [name for name, off in zip(path.joints, path._errors) if off and robot._variable("", name) in drives]
        if wrong:
            raise ArgumentError(f"path.errors of {wrong[0]!r} is above 0: the joints that follow would err with it")
        self.drives = [of_path.index(k) for k in drives]  # columns of the path
        self.variables = {k: i for i, k in enumerate([*follow, *drives])}  # columns of the chain's values
        equations = sum(len(loop.across) for loop, _, _ in self.loops)
        if equations != len(follow):
            raise ArgumentError(f"loops have {equations} equations, start {len(follow)} joints: must be as many")
        self.count = equations

    advice = "no proof near a singular configuration; choose another drive there, or end the path before it"

    def _loop(self, i: int, loop: Loop) -> tuple[Loop, list[JointModel], list[JointModel]]:
        """A loop with the joints from the lowest link above both of its links down to each."""
        if not isinstance(loop, Loop):
            raise ArgumentError(f"loops[{i}] is {type(loop).__name__}: must be a ccd.robot.Loop")
        above = {j.child: j for j in self.robot._tree.joints}
        ways = []
        for field in ("a", "b"):
            link = self.robot.links.index(arrays.choice(f"loops[{i}].{field}", getattr(loop, field), self.robot.links))
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


class _Walk:
    """The joints that follow along a path: Newton's method from knot to knot."""

    def __init__(self, chain: _Chain, path: Path, tolerance: float):
        self.chain, self.of, self.tolerance = chain, path, tolerance
        first = self._drives(0, 0.0)
        y = self._newton(chain.start, first)
        if y is None:
            raise ArgumentError(
                f"loops: they cannot be closed at the start of the path from {dict(zip(chain.names, chain.start.tolist()))}"
            )
        self.known: dict[tuple[int, float], Array] = {(0, 0.0): y}
        self.order: list[tuple[int, float]] = [(0, 0.0)]
        self.bends: dict[tuple[int, float], tuple[Array, Array]] = {}

    def where(self, edge: int, s: float) -> str:
        drives = ", ".join(f"{self.of.joints[k]} {x:.6g}" for k, x in zip(self.chain.drives, self._drives(edge, s)))
        return f"loops: edge {edge}, s = {s:.6g} ({drives})"

    def _drives(self, edge: int, s: float) -> Array:
        return evaluate(self.of._control[edge], s)[self.chain.drives]

    def first(self, edge: int) -> list[tuple[float, float]]:
        """The pieces that an edge begins with."""
        c = self.of._control[edge][:, self.chain.drives]
        joints = [j for _, a, b in self.chain.loops for j in (*a, *b) if j.turns]
        turning = {self.chain.variables[j.source] - self.chain.count: abs(j.multiplier) for j in joints}
        rates = np.abs(np.diff(c, axis=0)).sum(0)
        way = sum(rates[k] * factor for k, factor in turning.items() if k >= 0)
        count = int(min(max(1, np.ceil(way / _TURN)), _MOST))
        count = 1 << (count - 1).bit_length()
        return [(i / count, (i + 1) / count) for i in range(count)]

    def refused(self, edge: int, s: float, radius: float) -> str:
        """Why a piece has no proof, however short."""
        if np.isfinite(radius):
            return f"{self.where(edge, s)}: doubles prove a radius of {radius:.3g} alone: tolerance is {self.tolerance}"
        values = np.concatenate([self.at(edge, s), self._drives(edge, s)])
        slopes = np.linalg.svd(self.chain.residual(values)[1][:, : self.chain.count], compute_uv=False)
        found = f"The singular values of the constraints there are {slopes.max():.3g} to {slopes.min():.3g}"
        return f"{self.where(edge, s)}: {self.chain.advice}. {found}"

    def halves(self, piece: tuple[int, float, float], radius: float) -> list[tuple[int, float, float]]:
        edge, a, b = piece
        if b - a < _FINEST:
            raise ArgumentError(self.refused(edge, a, radius))
        middle = (a + b) / 2
        return [(edge, a, middle), (edge, middle, b)]

    @staticmethod
    def parent(piece: tuple[int, float, float]) -> tuple[int, float, float]:
        """The piece that this one is half of."""
        edge, a, b = piece
        h = b - a
        return (edge, a, b + h) if (a / h) % 2 == 0 else (edge, a - h, b)

    def _newton(self, y: Array, x: Array, most: float = np.inf) -> Array | None:
        """The joints that follow near y; None if Newton's method does not settle within a distance."""
        start = y
        for _ in range(50 if most == np.inf else 12):
            side, slope = self.chain.residual(np.concatenate([y, x]))
            try:
                step: Array = np.linalg.solve(slope[:, : self.chain.count], side).astype(float)
            except np.linalg.LinAlgError:
                return None
            y = y - (step if most < np.inf else self._damped(y, x, step, side))
            if not np.isfinite(y).all() or np.abs(y - start).max() > most:
                return None
            if np.abs(step).max() <= 1e-13 * (1 + np.abs(y).max()):
                return y
        return None

    def _damped(self, y: Array, x: Array, step: Array, side: Array) -> Array:
        """A part of a step that brings the constraints nearer to 0."""
        size = float(np.linalg.norm(side))
        for _ in range(20):
            if np.linalg.norm(self.chain.residual(np.concatenate([y - step, x]))[0]) <= size:
                break
            step = step / 2
        return step

    def at(self, edge: int, s: float) -> Array:
        """The joints that follow at a place of the path, from the nearest place before that is known."""
        if (edge, s) not in self.known:
            before = self.order[bisect.bisect(self.order, (edge, s)) - 1]
            if before[0] != edge:
                if before != (edge - 1, 1.0):
                    self.at(edge - 1, 1.0)
                self._keep(edge, 0.0, self._from(edge, 0.0, self.known[edge - 1, 1.0], edge - 1, 1.0))
                return self.at(edge, s)
            self._keep(edge, s, self._from(edge, s, self.known[before], *before))
        return self.known[edge, s]

    def _keep(self, edge: int, s: float, y: Array) -> None:
        self.known[edge, s] = y
        bisect.insort(self.order, (edge, s))

    def _from(self, edge: int, s: float, y: Array, before: int, at: float, depth: int = 0) -> Array:
        """The joints that follow at a place, from those at another one; in halves where Newton's method goes far."""
        x0, x1 = self._drives(before, at), self._drives(edge, s)
        _, slope = self.chain.residual(np.concatenate([y, x0]))
        n = self.chain.count
        try:
            guess = y - np.linalg.solve(slope[:, :n], slope[:, n:] @ (x1 - x0))
        except np.linalg.LinAlgError:
            guess = y
        moved = float(np.abs(guess - y).max())
        found = self._newton(guess, x1, max(0.5 * moved, 1e-9)) if moved < 1 else None
        if found is not None:
            return found
        if depth > 40 or before != edge:
            raise ArgumentError(f"{self.where(edge, at)}: the loops cannot be closed beyond it: {self.chain.advice}")
        middle = (at + s) / 2
        return self._from(edge, s, self._from(edge, middle, y, edge, at, depth + 1), edge, middle, depth + 1)

    def _bend(self, edge: int, s: float) -> tuple[Array, Array]:
        """The first two derivatives by s of the joints that follow."""
        if (edge, s) in self.bends:
            return self.bends[edge, s]
        y, n = self.at(edge, s), self.chain.count
        c = self.of._control[edge]
        first = (len(c) - 1) * np.diff(c, axis=0)
        second = (len(c) - 2) * np.diff(first, axis=0) if len(c) > 2 else np.zeros((1, c.shape[1]))
        rate, bend = (evaluate(d, s)[self.chain.drives] for d in (first, second))
        mid = np.zeros((3, 1, len(self.chain.variables), 1))
        mid[0, 0, :, 0], mid[1, 0, n:, 0], mid[2, 0, n:, 0] = np.concatenate([y, self._drives(edge, s)]), rate, bend / 2
        inverse = _inverses(self.chain.residual(mid[0, 0, :, 0])[1][None, :, :n])[0]
        for k in (1, 2):
            mid[k, 0, :n, 0] = -inverse @ self.chain.sides(Series(mid, np.zeros_like(mid))).mid[k, 0, :, 0]
        self.bends[edge, s] = mid[1, 0, :n, 0], 2 * mid[2, 0, :n, 0]
        return self.bends[edge, s]

    def control(self, edge: int, a: float, b: float) -> Array:
        """Control values of the chain's variables on a piece: the quintic with two derivatives at both ends."""
        h = b - a
        y0, y1 = self.at(edge, a), self.at(edge, b)
        (v0, w0), (v1, w1) = self._bend(edge, a), self._bend(edge, b)
        follow = np.array(
            [
                y0, y0 + h / 5 * v0, y0 + 0.4 * h * v0 + h * h / 20 * w0,
                y1 - 0.4 * h * v1 + h * h / 20 * w1, y1 - h / 5 * v1, y1,
            ]
        )  # fmt: skip
        drives = _elevated(_restricted(self.of._control[edge][:, self.chain.drives], a, b))
        return np.hstack([follow, drives])

    def path(self, pieces: Sequence[tuple[int, float, float]], controls: Sequence[Array], radii: Array) -> Path:
        """The path with the joints that follow, of all pieces."""
        n = self.chain.count
        control = np.array(
            [np.hstack([_elevated(_restricted(self.of._control[e], a, b)), c[:, :n]]) for (e, a, b), c in zip(pieces, controls)]
        )
        found = _made_of([*self.of.joints, *self.chain.names], control, pieces, self.of)
        found._errors = np.concatenate([self.of._errors, radii])
        return found
