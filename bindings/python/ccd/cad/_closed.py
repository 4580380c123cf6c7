"""Closed mechanisms of assemblies: joints that follow because loops stay closed, along the values of the others.

The proof is that of robots (`ccd.robot.close`, law R8): joints that follow are polynomials with radii. Lengths are divided by a
power of two near the size of the assembly, so that radii are radians and shares of it.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import robot
from .._inner import arrays
from .._inner.errors import shown
from .._inner.robots import evaluate, restricted
from ..errors import ArgumentError, NonFiniteError
from ..robot import Path
from ._assembly import Assembly, require_assembly
from ._bounds import Doubles
from ._drive import Chains, Joint, JointDrive, Span, _table, _times

_PARALLEL = 1e-9  # the sine of the largest angle between axes of a plane mechanism
# Polynomials err by this share of their values where they are evaluated, restricted and put into pieces.
_ROUNDING = 2.0**-45
_STUCK = re.compile(r"loops: edge (\d+), s = ([^,: ]+)(?:, 'q\d+' at [^,: ]+)*: (.*)", re.DOTALL)
_EQUATIONS = {"pin": 2, "slot": 1, "ball": 3}


def _row(found: re.Match[str]) -> str:
    """What errors of a path are of: the values, and a row of them."""
    return "values: row " if found[1] else "values: "


@dataclass(frozen=True)
class Loop:
    """What closes a loop of joints: two parts stay together at a point.

    Attributes
    ----------
    kind : str
        ``"pin"``: a hinge of a mechanism that moves in a plane, two equations. ``"slot"``: a pin of `a` in a straight slot of
        `b`, in such a mechanism: one. ``"ball"``: a ball joint in space: three.
    a : str
        The name of a part.
    b : str, optional
        The name of the other part; the ground if omitted.
    point : sequence of float
        Where they are together, in the assembly at rest, a point of `a`.
    axis : sequence of float, default (0, 0, 1)
        Of a pin and a slot: the direction across the plane of the mechanism, in the assembly at rest.
    along : sequence of float, optional
        Of a slot: its direction, in the assembly at rest.
    point_b : sequence of float, optional
        The point of `b` at rest, if the loop is open where the assembly rests; else `point`.

    Examples
    --------
    >>> import ccd
    >>> ccd.cad.Loop("pin", "rod", "piston", (80, 0, 0)).axis
    (0.0, 0.0, 1.0)
    """

    kind: str
    a: str
    b: str | None = None
    point: Sequence[float] = (0.0, 0.0, 0.0)
    axis: Sequence[float] = (0.0, 0.0, 1.0)
    along: Sequence[float] | None = None
    point_b: Sequence[float] | None = None


class ClosedDrive(JointDrive):
    """The motion of a closed mechanism. `close` makes it.

    Parameters
    ----------
    assembly : Assembly
        What moves.
    times : numpy.ndarray
        The times of the rows, (n,), ascending.
    chains : Chains
        The joints, and those that move each part.
    knots : numpy.ndarray
        The times between which the joints' values are polynomials, (pieces + 1,), ascending.
    control : numpy.ndarray
        Bernstein coefficients of these polynomials, (pieces, degree + 1, joints): radians or millimeters.
    radii : numpy.ndarray
        How far each joint may be from the exact mechanism, (joints,): radians or millimeters.

    Attributes
    ----------
    errors : dict
        By the name of a joint that follows: how far it may be from the exact mechanism, proven, in radians or lengths. `check`,
        `first_contact`, `least_clearance` and `profile` count it.

    Examples
    --------
    A bar of 20 carries another on two cranks of 10 that stay parallel:

    >>> import ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> box = BRepPrimAPI_MakeBox(2, 2, 2).Shape()
    >>> lift = ccd.cad.Assembly.of({"left": box, "right": box, "bar": box})
    >>> joints = [
    ...     ccd.cad.Joint("left", "revolute", ["left"], axis=(0, 0, 1)),
    ...     ccd.cad.Joint("right", "revolute", ["right"], axis=(0, 0, 1), point=(20, 0, 0)),
    ...     ccd.cad.Joint("bar", "revolute", ["bar"], axis=(0, 0, 1), point=(0, 10, 0), parent="left"),
    ... ]
    >>> pin = ccd.cad.Loop("pin", "bar", "right", point=(20, 10, 0))
    >>> drive = ccd.cad.close(lift, joints, [pin], [0, 1], {"left": [0, 1]})
    >>> sorted(drive.errors), round(drive.values_at(1)["right"], 6)
    (['bar', 'right'], 1.0)
    """

    def __init__(self, assembly: Assembly, times: Doubles, chains: Chains, knots: Doubles, control: Doubles, radii: Doubles):
        super().__init__(assembly, times, np.empty((0, len(chains.joints))), chains)
        self._control, self._knots, self._radii = control, knots, radii
        self.errors = {j.name: float(r) for j, r in zip(chains.joints, self._radii) if r > 0}
        most = self._most()
        parts = [(chains.chain(p), chains.slides(chains.chain(p), p, most)) for p in range(len(chains.of))]
        off = self._radii + _ROUNDING * most
        self._loose = max(sum(float(off[k]) * slide for k, slide in zip(*part)) for part in parts) * (1 + 2.0**-30)

    def values_at(self, t: float) -> dict[str, float]:
        """The values of the joints at a time.

        Parameters
        ----------
        t : float
            The time.

        Returns
        -------
        dict
            By the name of each joint: radians, or a length. Of a joint that follows it is within `errors` of the exact one.

        Raises
        ------
        ArgumentError
            `t` is no number.

        Examples
        --------
        A yoke, whose slot the pin of a crank is in:

        >>> import ccd
        >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
        >>> box = BRepPrimAPI_MakeBox(5, 5, 5).Shape()
        >>> yoke = ccd.cad.Assembly.of({"crank": box, "yoke": box})
        >>> crank = ccd.cad.Joint("crank", "revolute", ["crank"], axis=(0, 0, 1))
        >>> slide = ccd.cad.Joint("yoke", "prismatic", ["yoke"], axis=(1, 0, 0))
        >>> slot = ccd.cad.Loop("slot", "crank", "yoke", point=(10, 0, 0), along=(0, 1, 0))
        >>> drive = ccd.cad.close(yoke, [crank, slide], [slot], [0, 1], {"crank": [0, 3]})
        >>> round(drive.values_at(0.5)["yoke"], 6)  # 10 cos 1.5 - 10
        -9.292628
        """
        found = self._values(arrays.number("t", t))
        return {j.name: float(q) for j, q in zip(self.chains.joints, found)}

    @property
    def _rows(self) -> int:
        return len(self._control)

    def _ends_of(self, row: int) -> tuple[float, float]:
        return float(self._knots[row]), float(self._knots[row + 1])

    def _rapid_at(self, row: int) -> bool:
        return False

    def _share(self, row: int, t: float) -> float:
        start, end = self._ends_of(row)
        return min(max((t - start) / (end - start), 0.0), 1.0)

    def _most(self) -> Doubles:
        found: Doubles = np.abs(self._control).max((0, 1)) + self._radii
        return found

    def _values(self, t: float) -> Doubles:
        row = int(np.clip(np.searchsorted(self._knots, t, "right") - 1, 0, self._rows - 1))
        found: Doubles = evaluate(self._control[row], self._share(row, t))
        return found

    def _span(self, row: int, t0: float, t1: float) -> Span:
        low, high = (np.array([self._share(row, t)]) for t in (t0, t1))
        c = restricted(self._control[row][:, None], low[:, None], high[:, None])[:, 0]
        straight = c[0] + np.linspace(0, 1, len(c))[:, None] * (c[-1] - c[0])
        most = np.abs(c).max(0) + self._radii
        moving = (self._radii > 0) | (np.ptp(self._control[row], 0) > 0)
        off = np.where(moving, np.abs(c - straight).max(0) + self._radii + _ROUNDING * most, 0.0)
        return Span(c[0], c[-1], off, most)


def close(
    assembly: Assembly,
    joints: Sequence[Joint],
    loops: Sequence[Loop],
    times: ArrayLike,
    values: Mapping[str, ArrayLike],
    *,
    start: Mapping[str, float] | None = None,
    tolerance: float = 1e-9,
) -> ClosedDrive:
    """Make a drive of a closed mechanism from the values of the joints that drive it: four-bars, slider-cranks, linkages.

    Joints form a tree. A loop has one more: leave it out of `joints`, and give it as a `Loop`. Joints of the loops that have no
    values follow, so that the loops stay closed. How far they may be from the exact mechanism is proven for the whole drive,
    not at samples, and everything that is computed of the drive counts it.

    Parameters
    ----------
    assembly : Assembly
        What moves. At rest its loops are closed, unless `start` is given.
    joints : sequence of Joint
        The joints.
    loops : sequence of Loop
        What closes the loops, with as many equations as joints follow.
    times : array_like
        Times of the rows, (n,), ascending, two at least.
    values : mapping
        By the name of a joint: its values, (n,), linear in time between rows, for the joints that drive the loops, and any that
        are in none. A crank may turn around in one row.
    start : mapping, optional
        By the name of a joint that follows: its value near that at the first row, which chooses the branch. If omitted, it is
        the branch of the assembly at rest, from where the joints that drive go straight to the first row.
    tolerance : float, default 1e-9
        How far joints that follow may be at most: radians, or that share of the assembly's size, rounded up to a power of two.

    Returns
    -------
    ClosedDrive
        The motion, with `ClosedDrive.errors`.

    Raises
    ------
    ArgumentError
        As `by_joints`; a loop names no part, or joins what does not move against each other; the numbers of equations and of
        joints that follow differ; the axes of a pin's or slot's loop are not parallel; the loops cannot be closed at the first
        row; or the mechanism locks, or comes where its branches meet: the message has the time and the values.

    Examples
    --------
    A crank of 20 and a rod of 60 push a piston:

    >>> import math, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> box = BRepPrimAPI_MakeBox(5, 5, 5).Shape()
    >>> engine = ccd.cad.Assembly.of({"crank": box, "rod": box, "piston": box})
    >>> joints = [
    ...     ccd.cad.Joint("crank", "revolute", ["crank"], axis=(0, 0, 1)),
    ...     ccd.cad.Joint("rod", "revolute", ["rod"], axis=(0, 0, 1), point=(20, 0, 0), parent="crank"),
    ...     ccd.cad.Joint("piston", "prismatic", ["piston"], axis=(1, 0, 0)),
    ... ]
    >>> pin = ccd.cad.Loop("pin", "rod", "piston", point=(80, 0, 0))
    >>> drive = ccd.cad.close(engine, joints, [pin], [0, 1], {"crank": [0, 2 * math.pi]})
    >>> exact = 20 * math.cos(1) + math.sqrt(60**2 - (20 * math.sin(1)) ** 2) - 80
    >>> abs(drive.values_at(1 / math.tau)["piston"] - exact) <= drive.errors["piston"] < 2e-7
    True
    """
    require_assembly(assembly)
    at, chains = _times(times), Chains(assembly, list(arrays.several("joints", joints, "ccd.cad.Joint")))
    table = _table(chains, at, values)
    tolerance = arrays.within("tolerance", tolerance, "[1e-11, 1e-3]")
    m = _Mechanism(chains, list(arrays.several("loops", loops, "ccd.cad.Loop")))
    drives = m.split(list(values), start)
    given = [k for k in range(len(chains.joints)) if k not in m.follow]
    names = [m.names[k] for k in given]
    closed = m.started(table[0], drives, start, tolerance)
    path = m.close(Path(names, table[:, given] * m.units[given], at), closed, tolerance, "at the time")
    order = [path.joints.index(name) for name in m.names]
    return ClosedDrive(assembly, at, chains, path.times, path.control[:, :, order] / m.units, path.errors[order] / m.units)


class _Mechanism:
    """Joints and loops as a robot without shapes, whose lengths are shares of a size."""

    def __init__(self, chains: Chains, loops: list[Loop]):
        self.chains, self.joints = chains, chains.joints
        self.scale = 2.0 ** -math.ceil(math.log2(chains.assembly.size))
        self.units = np.array([self.scale if j.kind == "prismatic" else 1.0 for j in self.joints])
        self.names = [f"q{k}" for k in range(len(self.joints))]
        if not loops:
            raise ArgumentError("loops is empty: by_joints makes a drive of a mechanism without loops")
        self.loops = [self._loop(k, loop) for k, loop in enumerate(loops)]
        self.ways = [self._way(k, loop) for k, loop in enumerate(loops)]
        self.open = next((k for k, loop in enumerate(loops) if self._is_open(loop)), None)
        self.equations = sum(_EQUATIONS[loop.kind] for loop in loops)
        self.follow: list[int] = []
        # Intervals are narrow about the origin, so it is near the mechanism: a point of few digits.
        grid = 2.0**-16 / self.scale
        self.origin = np.round(np.array(loops[0].point, float) / grid) * grid
        links, models = ["ground"], []
        self.ends: dict[int, int] = {}  # the last link of each joint
        for k in sorted(range(len(self.joints)), key=lambda k: len(self.chains.above[k])):
            above = self.chains.above[k]
            link = 0 if len(above) == 1 else self.ends[above[-2]]
            for model in self._models(k, self.joints[k]):
                models.append(dataclasses.replace(model, parent=link, child=len(links)))
                link = len(links)
                links.append(f"l{link}")
            self.ends[k] = link
        self.closing = []
        for n, loop in enumerate(loops):
            ends: list[str] = []
            points = [self._local(p) for p in (loop.point, loop.point if loop.point_b is None else loop.point_b)]
            for (_, rest), part in zip(points, (loop.a, loop.b)):
                link = self.ends.get(self._part("", part), 0)
                if rest.any():
                    models.append(robot.JointModel.fixed(f"r{n}{len(ends)}", link, len(links), rest))
                    link = len(links)
                    links.append(f"l{link}")
                ends.append(links[link])
            self.closing.append(self._of_robot(loop, ends, [p for p, _ in points]))
        self.robot = robot.Robot("assembly", links, [[] for _ in links], models, self.names)

    def _local(self, point: ArrayLike) -> tuple[Doubles, Doubles]:
        """A point less the origin, as a share of the size: rounded, and the rest, exactly."""
        p, o = np.array(point, float) * self.scale, self.origin * self.scale
        near = p - o
        back = near - p
        rest: Doubles = (p - (near - back)) + (-o - back)
        return near, rest

    def _models(self, k: int, j: Joint) -> list[robot.JointModel]:
        """A joint of the assembly as joints of a robot, whose last link has the coordinates of the assembly at rest."""
        axis, (point, rest) = self.chains.axes[k], self._local(self.chains.points[k])
        if j.kind == "prismatic":
            return [robot.JointModel.moving(f"j{k}", "prismatic", 0, 0, k, axis)]
        out = [robot.JointModel.moving(f"j{k}", "continuous", 0, 0, k, axis, point)]
        if rest.any():
            out = [robot.JointModel.fixed(f"a{k}", 0, 0, rest), *out, robot.JointModel.fixed(f"b{k}", 0, 0, -rest)]
        if j.kind == "screw" and j.pitch:
            slide = robot.JointModel.moving(f"s{k}", "prismatic", 0, 0, k, axis)
            out.append(dataclasses.replace(slide, multiplier=j.pitch / math.tau * self.scale))
        return [*out, robot.JointModel.fixed(f"f{k}", 0, 0, -point)]

    def _part(self, name: str, part: str | None) -> int:
        """The joint that a part is on; -1 for the ground."""
        if part is None:
            return -1
        try:
            return self.chains.of[self.chains.assembly.index(part)]
        except ArgumentError as error:
            raise ArgumentError(f"{name}: {error}") from None

    def _loop(self, i: int, loop: Loop) -> Loop:
        name = f"loops[{i}]"
        if not isinstance(loop, Loop):
            raise ArgumentError(f"{name} is {shown(loop)}: must be a ccd.cad.Loop")
        arrays.choice(f"{name}.kind", loop.kind, tuple(_EQUATIONS))
        for field in ("point", "axis", "along", "point_b"):
            x = getattr(loop, field)
            if x is not None and arrays.finite(f"{name}.{field}", arrays.doubles(f"{name}.{field}", x)).shape != (3,):
                raise ArgumentError(f"{name}.{field} has shape {np.shape(x)}: must be (3,)")
        if loop.kind != "ball" and not np.any(loop.axis):
            raise ArgumentError(f"{name}.axis is 0: must be the direction across the plane of the mechanism")
        if (loop.kind == "slot") != (loop.along is not None):
            raise ArgumentError(f"{name}.along must be given for a slot, and for nothing else: kind is {loop.kind!r}")
        return loop

    @staticmethod
    def _is_open(loop: Loop) -> bool:
        if loop.point_b is None:
            return False
        apart = np.subtract(loop.point, loop.point_b)
        return bool(np.any(apart if loop.along is None else np.cross(apart, loop.along)))

    def _way(self, i: int, loop: Loop) -> list[int]:
        """The joints of a loop."""
        ends = [self._part(f"loops[{i}].{f}", p) for f, p in (("a", loop.a), ("b", loop.b))]
        if ends[0] == ends[1]:
            other = "the ground" if loop.b is None else repr(loop.b)
            raise ArgumentError(f"loops[{i}] joins {loop.a!r} and {other}, which do not move against each other")
        one, two = (self.chains.above[k] if k >= 0 else [] for k in ends)
        way = [k for k in (*one, *two) if (k in one) != (k in two)]
        if loop.kind == "ball":
            return way
        n = np.array(loop.axis, float) / np.linalg.norm(loop.axis)
        for k in way:
            j, axis = self.joints[k], self.chains.axes[k]
            slides = j.kind == "prismatic"
            off = abs(float(axis @ n)) if slides else float(np.linalg.norm(np.cross(axis, n)))
            if off > _PARALLEL or (j.kind == "screw" and j.pitch):
                must = "slide across" if slides else "turn about an axis parallel to"
                raise ArgumentError(
                    f"loops[{i}].axis: joint {j.name!r} of the loop does not {must} it: a {loop.kind} is for mechanisms in a"
                    " plane; in space use balls"
                )
        if loop.along is not None and not np.linalg.norm(np.cross(n, loop.along)) > _PARALLEL * np.linalg.norm(loop.along):
            raise ArgumentError(f"loops[{i}].along is parallel to the axis, or 0: must be a direction in the plane")
        return way

    def split(self, given: list[str], start: Mapping[str, float] | None) -> list[int]:
        """Say which joints follow; return those of the loops that drive."""
        of_loops = sorted({k for way in self.ways for k in way})
        drives = [k for k in of_loops if self.joints[k].name in given]
        self.follow = [k for k in of_loops if k not in drives]
        names = ", ".join(repr(self.joints[k].name) for k in self.follow) or "none"
        if len(self.follow) != self.equations:
            more = len(self.follow) - self.equations
            remedy = f"give values of {more} more" if more > 0 else f"leave out values of {-more} of the loops' joints"
            raise ArgumentError(
                f"loops have {self.equations} equations, and {len(self.follow)} joints of them have no values ({names}):"
                f" must be as many; {remedy}"
            )
        if start is not None:
            if not isinstance(start, Mapping):
                raise ArgumentError(f"start is {shown(start)}: must be a mapping of values by names of joints")
            own = [self.joints[k].name for k in self.follow]
            for name in start:
                if name not in own:
                    raise ArgumentError(f"start has {name!r}: must be joints that follow ({names})")
            for name in own:
                if name not in start:
                    raise ArgumentError(f"start has no {name!r}: must have all joints that follow ({names})")
        elif self.open is not None:
            raise ArgumentError(
                f"start is missing: loops[{self.open}] is open at rest, as point and point_b differ; give values near the first"
                f" row of {names}"
            )
        return drives

    def started(
        self, first: Doubles, drives: list[int], start: Mapping[str, float] | None, tolerance: float
    ) -> dict[str, float]:
        """Values near the first row of the joints that follow."""
        if start is not None:
            values = [arrays.number(f"start[{self.joints[k].name!r}]", start[self.joints[k].name]) for k in self.follow]
            for k, v in zip(self.follow, values):
                if not abs(v) <= 1e60:
                    raise NonFiniteError(f"start[{self.joints[k].name!r}] is {v}: not finite or above 1e60 in magnitude")
            return {self.names[k]: v * float(self.units[k]) for k, v in zip(self.follow, values)}
        rest = {self.names[k]: 0.0 for k in self.follow}
        end = first[drives] * self.units[drives]
        if not end.any():
            return rest
        way = Path([self.names[k] for k in drives], np.stack([np.zeros(len(drives)), end]))
        last = self.close(way, rest, tolerance, "on the way from rest to the first row, at the share")
        return {name: float(last.control[-1, -1, last.joints.index(name)]) for name in rest}

    def close(self, path: Path, start: dict[str, float], tolerance: float, when: str) -> Path:
        """Close the loops along a path; errors say the time and the values."""
        try:
            return robot.close(self.robot, path, self.closing, start, tolerance=tolerance)
        except ArgumentError as error:
            text = str(error)
        if text.startswith("loops: they cannot be closed at the start"):
            near = {self.joints[k].name: float(start[self.names[k]] / self.units[k]) for k in self.follow}
            text = self._at(path, 0, 0.0, when, f"they cannot be closed there from {near}")
        elif found := _STUCK.match(text):
            text = self._at(path, int(found[1]), float(found[2]), when, found[3])
        text = re.sub(r"'q(\d+)'", lambda m: repr(self.joints[int(m[1])].name), re.sub("^path: (edge )?", _row, text))
        raise ArgumentError(text)

    def _at(self, path: Path, edge: int, s: float, when: str, why: str) -> str:
        """What an error says of a place of a path: the time and the values of the joints that drive."""
        at = evaluate(path.control[edge], s)
        values = [
            f"{self.joints[k].name} {at[path.joints.index(self.names[k])] / self.units[k]:.6g}"
            for way in self.ways
            for k in way
            if self.names[k] in path.joints
        ]
        return f"loops: {when} {path.time(edge, s):.6g} ({', '.join(dict.fromkeys(values))}): {why}"

    @staticmethod
    def _of_robot(loop: Loop, links: list[str], points: list[Doubles]) -> robot.Loop:
        if loop.kind == "ball":
            return robot.Loop.ball(links[0], points[0], links[1], points[1])
        if loop.along is not None:
            return robot.Loop.slot(links[0], points[0], links[1], points[1], loop.along, loop.axis)
        return robot.Loop.pin(links[0], points[0], links[1], points[1], loop.axis)
