"""Paths of a robot, checked against itself and a scene: proofs and counterexamples.

Edges are decided by the library where it can (`_core.py`). Else: over an interval of an edge every vertex stays within
a radius of a cubic, so a step of `ccd.step` on a motion with these radii decides. Where it finds a contact the interval is
halved, until the radii are below the tolerance.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import step
from .._inner import arrays, files
from ..errors import ArgumentError, Cancelled
from ..files import Surface
from ..files import read as read_surface
from ..impact import Impact, Kind, Reason
from ..motion import Motion
from ._bodies import Bodies, Cluster, clusters
from ._certify import Found, touches
from ._core import FREE, HOW, Core, together
from ._inside import contains
from ._limits import left
from ._model import Robot
from ._open import refuse_open
from ._overlap import overlaps
from ._path import Path, derivative_bounds, evaluate
from ._report import Contact, EdgeReport, Report, Verdict
from ._shapes import Shape

_U = 2.0**-53
_FIRST = 0.5  # radians that the joints turn in the first step of an edge
_FARTHEST_STEP = 4.0  # radians that no step goes beyond: where more are left for each step, none is tried
_WIDE = 1.0  # radii over the mean length of the edges of a cluster, at most, for a step to be tried
_LARGE = 1000  # primitives of a cluster from which on a step takes only those that may meet
_FARTHEST = 1e60  # largest distance of a vertex from the base
_NOWHERE: tuple[float, ...] = (0.0, 0.0, 0.0)

Obstacle = Surface | list[Shape]
Scene = Mapping[str, Surface | Shape | Sequence[Shape] | str | os.PathLike[str]] | Sequence[str | os.PathLike[str]]


def check(
    robot: Robot,
    path: Path,
    scene: Scene = (),
    *,
    allowed: Iterable[tuple[str, str]] = (),
    rest: Mapping[str, float] | None = None,
    edges: Iterable[int] | None = None,
    min_separation: float = 0.0,
    separations: Mapping[tuple[str, str], float] | None = None,
    tolerance: float = 1e-6,
    max_steps: int = 100000,
    threads: int = 0,
    limits: bool = True,
    continuous: str = "shortest",
    progress: Callable[[float], object] | None = None,
) -> Report:
    """Check a path of joints: prove each edge free of collisions of links with each other and with a scene, or find one.

    Pairs that are not tested: those of `allowed` and `Robot.allowed`, and bodies that do not move relative to each other (links
    that fixed joints join, and the base with the scene). What is tested are the shapes as `read` makes them.

    Parameters
    ----------
    robot : Robot
        The robot.
    path : Path
        The path.
    scene : mapping or sequence, optional
        Objects that rest, in the base's coordinates: surfaces, shapes (clouds of points and voxels too), lists of shapes or
        files by name, or files, named by their stems.
    allowed : iterable of (str, str), optional
        Further pairs of links and objects that may touch.
    rest : mapping, optional
        Values of joints that the path has no column for. Without it every joint needs a column.
    edges : iterable of int, optional
        The edges to check; all if omitted.
    min_separation : float, default 0.0
        A contact is a distance of at most this.
    separations : mapping, optional
        Distances of some pairs of links and objects, by pairs of names, in place of `min_separation`.
    tolerance : float, default 1e-6
        A length above 0: an approach to within it, beyond the separation, may stay undecided.
    max_steps : int, default 100000
        Parts of an edge that the library looks at, then steps of a link on the edge; what is left is undecided. Where joints
        turn by more than 25,000 radians on an edge, as many parts for each 25,000, up to 40 times as many.
    threads : int, default 0
        Threads of each step; 0 for all.
    limits : bool, default True
        Whether to report joints that leave their limits, in `Report.limits`. They change no verdict.
    continuous : str, default "shortest"
        How the joints of `Robot.continuous` go from waypoint to waypoint: ``"shortest"``, by at most half a turn, as planners
        and controllers of ROS turn them, or ``"written"``, from value to value, by several turns too. `Path.shortest` has the
        rule, and `EdgeReport.shorter` what it changed.
    progress : callable, optional
        Called with the fraction that is done after each edge; a true result cancels the check.

    Returns
    -------
    Report
        A verdict for each edge, with a contact where it is not free.

    Raises
    ------
    ArgumentError
        A joint is missing, or unknown; a name of `allowed` is unknown; a number is out of range.
    FileError
        A file of the scene cannot be read.
    Cancelled
        `progress` returned a true result.

    Examples
    --------
    A bar turns about its end, and meets a pole. It would leave its limits too.

    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0, upper=1.5)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> pole = ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])
    >>> report = ccd.robot.check(robot, ccd.robot.Path(["turn"], [[0], [3]]), {"pole": pole})
    >>> str(report.verdict), report.contact.a, report.contact.b, round(report.contact.s, 4)
    ('collides', 'arm', 'pole', 0.2181)
    >>> [(left.joint, round(left.s, 4), left.value) for left in report.limits]
    [('turn', 0.5, 3.0)]

    A continuous joint goes from 3.1 to -3.1 by 0.08 radians, through pi.

    >>> turn = ccd.robot.JointModel.moving("turn", "continuous", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> path = ccd.robot.Path(["turn"], [[3.1], [-3.1]])
    >>> edge = ccd.robot.check(robot, path, {"pole": pole}).edges[0]
    >>> str(edge.verdict), edge.shorter[0].joint, round(edge.shorter[0].end, 4)
    ('free', 'turn', 3.1832)
    >>> str(ccd.robot.check(robot, path, {"pole": pole}, continuous="written").verdict)
    'collides'
    """
    limits = arrays.flag("limits", limits)
    start = time.perf_counter()
    path, bodies, pairs, control = prepared(robot, path, scene, allowed, rest, continuous)
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress is {type(progress).__name__}: must be callable")
    options = _Options(
        _length("min_separation", min_separation, 0),
        _length("tolerance", tolerance, np.nextafter(0, 1)),
        arrays.integer("max_steps", max_steps, 1, 2**31),
        arrays.integer("threads", threads, 0, 2**31 - 1),
    )
    groups = bodies.groups(pairs, options.d, separations)
    wanted = range(path.edges) if edges is None else _wanted(path, edges)
    checker = _Checker(bodies, groups, options)
    chosen = control[list(wanted)]
    turning = np.array([_turning(bodies, c) for c in chosen])
    decided = together(
        [
            Core(bodies, some).decide(chosen, d, options.tolerance, options.max_steps, options.threads, turning)
            for d, some in groups.items()
        ]
    )
    found, outside = [], []
    for done, edge in enumerate(wanted):
        found.append(checker.edge(path, edge, control[edge], decided[done]))
        outside += left(robot._tree.joints, path, edge, control[edge]) if limits else []
        if progress is not None and progress((done + 1) / len(wanted)):
            raise Cancelled("the progress callback cancelled the check")
    untested = tuple(n for n, s in zip(robot.links, robot._shapes) if not any(len(one.vertices) for one in s))
    unclosed = tuple(b.name for b in bodies.all if not b.is_closed)
    spent = time.perf_counter() - start
    return Report(tuple(found), len(pairs), untested, unclosed, spent, tuple(outside), continuous)


def prepared(
    robot: Robot,
    path: Path,
    scene: Scene,
    allowed: Iterable[tuple[str, str]],
    rest: Mapping[str, float] | None,
    continuous: str,
    loops: bool = True,
) -> tuple[Path, Bodies, list[tuple[int, int]], NDArray[np.float64]]:
    """The path as it is tested, the bodies, the pairs that are tested, and the control values of all variables.

    Paths that leave loops of the robot open are refused, unless `loops` is false.
    """
    if not isinstance(robot, Robot):
        raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
    if not isinstance(path, Path):
        raise ArgumentError(f"path is {type(path).__name__}: must be a ccd.robot.Path, as Path(joints, waypoints)")
    path = as_turned(robot, path, continuous)
    bodies = Bodies(robot, _surfaces(scene))
    if not isinstance(allowed, Iterable):
        raise ArgumentError(f"allowed is {type(allowed).__name__}: must hold pairs of names")
    pairs = bodies.pairs([*allowed, *_with_shapes(robot)])
    control = _columns(robot, path, rest)
    bodies.errors = errors_of(robot, path, rest)
    _check_reach(bodies, control)
    bodies.refuse_beyond(pairs, np.abs(control).max((0, 1), initial=0), "path")
    if loops:
        refuse_open(robot, control, bodies.errors, "path")
    return path, bodies, pairs, control


def as_turned(robot: Robot, path: Path, continuous: str) -> Path:
    """The path as it is tested: where the robot's continuous joints go the short way, or as it is written."""
    arrays.choice("continuous", continuous, ("shortest", "written"))
    if continuous == "written":
        return path
    return path.shortest([name for name in path.joints if name in robot.continuous])


def _wanted(path: Path, edges: Iterable[int]) -> list[int]:
    if not isinstance(edges, Iterable):
        raise ArgumentError(f"edges is {type(edges).__name__}: must be a sequence of indices")
    found = [arrays.integer(f"edges[{i}]", e, 0, path.edges - 1) for i, e in enumerate(edges)]
    if not found:
        raise ArgumentError("edges is empty: nothing would be checked")
    return found


class _Options:
    """The numbers of a check, and the degree of the steps: 3, or 1 for the reference with straight steps."""

    def __init__(self, d: float, tolerance: float, max_steps: int, threads: int, degree: int = 3):
        self.d, self.tolerance, self.max_steps, self.threads, self.degree = d, tolerance, max_steps, threads, degree

    def at(self, d: float) -> _Options:
        """These numbers with another separation."""
        return _Options(d, self.tolerance, self.max_steps, self.threads, self.degree)


def _length(name: str, value: float, least: float) -> float:
    x = arrays.number(name, value)
    if not least <= x <= 1e150:
        raise ArgumentError(f"{name} is {x}: must be {'above 0' if least > 0 else 'at least 0'} and finite")
    return x


def _surfaces(scene: Scene) -> dict[str, Obstacle]:
    """The objects of a scene by name."""
    if isinstance(scene, (str, os.PathLike)):
        raise ArgumentError("scene is a file name: must be a sequence of files, or a mapping")
    if isinstance(scene, Surface) or not isinstance(scene, Iterable):
        raise ArgumentError(f"scene is {type(scene).__name__}: must be surfaces or files by name, or a sequence of files")
    given = scene if isinstance(scene, Mapping) else {}
    if not isinstance(scene, Mapping):
        given = {}
        for i, file in enumerate(scene):
            _check_file(f"scene[{i}]", file, "; give surfaces by name, in a mapping")
            name = FilePath(os.fspath(file)).stem
            if name in given:
                raise ArgumentError(f"scene[{i}]: {name!r} is the name of two files: give a mapping")
            given[name] = file
    found: dict[str, Obstacle] = {}
    for name, item in given.items():
        if not isinstance(name, str):
            raise ArgumentError(f"scene: the name {name!r} is {type(name).__name__}: must be a string")
        if isinstance(item, Surface):
            x = arrays.finite(f"scene[{name!r}].vertices", arrays.coordinates(f"scene[{name!r}].vertices", item.vertices))
            faces = arrays.primitives(f"scene[{name!r}].faces", item.faces, 3)
            found[name] = Surface(x, arrays.primitives(f"scene[{name!r}].edges", item.edges, 2), faces)
        elif isinstance(item, Shape):
            found[name] = [item]
        elif isinstance(item, (list, tuple)) and all(isinstance(part, Shape) for part in item):
            found[name] = list(item)
        else:
            file = _check_file(f"scene[{name!r}]", item, ", a ccd.Surface, a ccd.robot.Shape or a list of shapes")
            found[name] = surface = read_surface(file)
            files.coordinates(os.fspath(file), "vertex", surface.vertices)
    return found


def _check_file(name: str, file: Any, more: str) -> str | os.PathLike[str]:
    if not isinstance(file, (str, os.PathLike)):
        raise ArgumentError(f"{name} is {type(file).__name__}: must be a file name{more}")
    return file


def _with_shapes(robot: Robot) -> list[tuple[str, str]]:
    """The robot's allowed pairs of links that have shapes."""
    have = {n for n, s in zip(robot.links, robot._shapes) if any(len(one.vertices) for one in s)}
    return [(a, b) for a, b in robot.allowed if a in have and b in have]


def _columns(robot: Robot, path: Path, rest: Mapping[str, float] | None) -> NDArray[np.float64]:
    """The control values of all variables of the robot's tree."""
    return robot._tree.inner(_given(robot, path, rest), "path")


def _given(robot: Robot, path: Path, rest: Mapping[str, float] | None) -> NDArray[np.float64]:
    """The control values of all joints of the robot, in its order."""
    control = np.zeros((path.edges, path.degree + 1, len(robot.joints)))
    given = dict.fromkeys(range(len(robot.joints)), False)
    for i, name in enumerate(path.joints):
        k = robot._variable(f"path.joints[{i}]", name)
        control[:, :, k], given[k] = path._control[:, :, i], True
    if rest is not None and not isinstance(rest, Mapping):
        raise ArgumentError(f"rest is {type(rest).__name__}: must be a mapping of values by names of joints")
    for name, value in (rest or {}).items():
        k = robot._variable("rest", name)
        if given[k]:
            raise ArgumentError(f"rest[{name!r}] is given, but the path has values of this joint")
        control[:, :, k], given[k] = arrays.number(f"rest[{name!r}]", value), True
    missing = [robot.joints[k] for k, there in given.items() if not there]
    if missing:
        more = ", or let ccd.robot.close compute those that loops move" if robot.loops else ""
        raise ArgumentError(f"path has no values of {', '.join(map(repr, missing))}: add columns, or give rest{more}")
    return arrays.finite("path", control)


def errors_of(robot: Robot, path: Path, rest: Mapping[str, float] | None) -> NDArray[np.float64]:
    """How far the variables of the robot's tree may be from those of the path."""
    largest = np.abs(_given(robot, path, rest)).max((0, 1), initial=0)
    return robot._tree.errors(own_errors(robot, path), largest, "path.errors")


def own_errors(robot: Robot, path: Path) -> NDArray[np.float64]:
    """How far the robot's joints may be from the path, in its order."""
    found = np.zeros(len(robot.joints))
    for name, error in zip(path.joints, path._errors):
        found[robot.joints.index(name)] = error
    return found


def _turning(bodies: Bodies, control: NDArray[np.float64]) -> float:
    """Radians that all joints turn on an edge, at most."""
    return bodies.tree.total(True, derivative_bounds(control, 0, 1, 1)[0])


def _check_reach(bodies: Bodies, control: NDArray[np.float64]) -> None:
    """Products of four lengths must not overflow."""
    reach = bodies.tree.reach(np.abs(control).max((0, 1), initial=0))
    for b in bodies.all:
        far = float(bodies.norms[b.first : b.last].max(initial=0)) + (float(reach[b.link]) if b.link >= 0 else 0.0)
        if not far <= _FARTHEST:
            what = f"link {b.name!r}" if b.link >= 0 else f"scene[{b.name!r}]"
            raise ArgumentError(f"{what} reaches up to {far:.3g} from the base: must be at most {_FARTHEST:g}")


class _Checker:
    """Checks edges one by one."""

    def __init__(self, bodies: Bodies, groups: dict[float, list[tuple[int, int]]], options: _Options):
        self.bodies = bodies
        self.clusters = [(c, options.at(d)) for d, pairs in groups.items() for c in clusters(bodies, pairs)]

    def edge(self, path: Path, edge: int, control: NDArray[np.float64], record: np.void | None = None) -> EdgeReport:
        """The verdict on an edge: that of the library's record, or what a search finds."""
        if record is not None and record["verdict"] != 0:
            return self._decided(path, edge, control, record)
        way = _Way(self.bodies, control)
        sweeps, until = [], 1.0
        begin = float(record["s_free"]) if record is not None and record["flags"] == Reason.ITERATIONS else 0.0
        for cluster, options in self.clusters:
            sweep = _Sweep(way, cluster, options)
            sweep.run(begin, until)
            if sweep.found is not None:
                until = sweep.s
            sweeps.append(sweep)
        inside = self._inside(way, {s.cluster.body for s in sweeps if s.near is not None and s.free == 0})
        free = 0.0 if inside else min((s.free for s in sweeps if s.near is not None), default=1.0)
        steps = sum(s.steps for s in sweeps) + (int(record["iterations"]) if record is not None and begin > 0 else 0)
        hits = [s for s in sweeps if s.near is not None]
        proven = min((s for s in hits if s.found is not None), key=lambda s: s.s, default=None)
        if inside is None and not hits:
            return EdgeReport(edge, Verdict.FREE, None, steps, path._shorter.get(edge, ()))
        reason = ""
        if inside is not None:
            found, s, normal = inside, 0.0, _NOWHERE
        elif proven is not None and proven.found is not None:
            found, s, normal = proven.found, proven.s, proven.normal(proven.found)
        else:
            first = min(hits, key=lambda h: h.free)
            found, s = first.approach(), first.free
            normal, reason = first.normal(found), first.reason
        a, b = found.a, found.b
        if self.bodies.rank(a) < self.bodies.rank(b):
            a, b, normal = b, a, tuple(-v for v in normal)
        verdict = Verdict.UNDECIDED if found.how == "tolerance" else Verdict.COLLIDES
        names = self.bodies.all[a].name, self.bodies.all[b].name
        values = tuple(self.bodies.tree.outer(evaluate(control, s)).tolist())
        contact = Contact(edge, s, min(free, s), path.time(edge, s), values, *names, found.how, found.point, normal)
        return EdgeReport(edge, verdict, contact, steps, path._shorter.get(edge, ()), reason)

    def _decided(self, path: Path, edge: int, control: NDArray[np.float64], record: np.void) -> EdgeReport:
        """The report of an edge that the library decided."""
        steps, shorter = int(record["iterations"]), path._shorter.get(edge, ())
        if record["verdict"] == FREE:
            return EdgeReport(edge, Verdict.FREE, None, steps, shorter)
        a, b, normal = int(record["body_a"]), int(record["body_b"]), record["normal"]
        if self.bodies.rank(a) < self.bodies.rank(b):
            a, b, normal = b, a, -normal
        s, free = float(record["s"]), float(record["s_free"])
        values, point = tuple(self.bodies.tree.outer(evaluate(control, s)).tolist()), tuple(record["point"].tolist())
        names, how = (self.bodies.all[a].name, self.bodies.all[b].name), HOW[int(record["how"])]
        contact = Contact(edge, s, free, path.time(edge, s), values, *names, how, point, tuple((normal + 0.0).tolist()))
        return EdgeReport(edge, Verdict.COLLIDES, contact, steps, shorter)

    def _inside(self, way: _Way, near: set[int]) -> Found | None:
        """A body that is inside of another at the start, in the clusters without an approach at the start."""
        x = way.place(0.0)
        low, high = way.boxes(x)
        for i, j in ((c.body, j) for c, _ in self.clusters if c.body not in near for j in c.others):
            if (low[i] > high[j]).any() or (low[j] > high[i]).any():
                continue
            for a, b in ((i, j), (j, i)):
                points = self._samples(a, x)
                first = self.bodies.all[b].first
                for s in self.bodies.all[b].shapes:
                    if s.closed:
                        held = contains(x[first : first + len(s.vertices)], s.faces, points)
                        if held.any():
                            return Found(a, b, "inside", tuple(points[held][0].tolist()))
                    first += len(s.vertices)
        return None

    def _samples(self, body: int, x: NDArray[np.float64]) -> NDArray[np.float64]:
        first, found = self.bodies.all[body].first, []
        for s in self.bodies.all[body].shapes:
            found.append(x[first + s.samples])
            first += len(s.vertices)
        return np.vstack(found)


class _Way:
    """One edge: where the vertices are, and how far they may be from straight ways."""

    def __init__(self, bodies: Bodies, control: NDArray[np.float64]):
        self.bodies, self.control = bodies, control
        self.largest = np.abs(control).max(axis=0)
        error = 8 * len(control) * _U * self.largest + bodies.errors
        constant, slope = bodies.tree.rounding(self.largest, error)
        self.error = self._of_vertices(constant, slope)
        self.slope = np.where(bodies.link < 0, 0.0, slope[bodies.link])
        self.known: dict[float, NDArray[np.float64]] = {}
        self.moving: dict[float, NDArray[np.float64]] = {}

    def place(self, s: float) -> NDArray[np.float64]:
        """All vertices."""
        if s not in self.known:
            if len(self.known) > 64:
                self.known.clear()
            self.known[s] = self.bodies.place(evaluate(self.control, s))
        return self.known[s]

    def straight(self, s0: float, s1: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Places (2, n, 3) at both ends, and how far each vertex can be from the straight way between them."""
        derivatives = derivative_bounds(self.control, s0, s1, 2)
        bound = self._of_vertices(*self.bodies.tree.deviation(2, self.largest, derivatives))
        return np.array([self.place(s0), self.place(s1)]), (bound / 8 + self.error) * (1 + 1e-9)

    def cubic(self, s0: float, s1: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Control points (4, n, 3) of the cubics with the places and velocities at both ends, and radii of the vertices."""
        derivatives = derivative_bounds(self.control, s0, s1, 4)
        bound = self._of_vertices(*self.bodies.tree.deviation(4, self.largest, derivatives)) / 384
        h = s1 - s0
        (x0, v0), (x1, v1) = ((self.place(s), self._velocity(s) * (h / 3)) for s in (s0, s1))
        turns, slides = (self.bodies.tree.total(turning, derivatives[0]) for turning in (True, False))
        radius = (bound + self.error * (3 + turns) + self.slope * slides) * (1 + 1e-9)
        return np.array([x0, x0 + v0, x1 - v1, x1]), radius

    def _velocity(self, s: float) -> NDArray[np.float64]:
        if s not in self.moving:
            if len(self.moving) > 64:
                self.moving.clear()
            rates = evaluate((len(self.control) - 1) * np.diff(self.control, axis=0), s)
            self.moving[s] = self.bodies.velocities(evaluate(self.control, s), rates)
        return self.moving[s]

    def turning(self) -> float:
        """Radians that all joints turn on the edge."""
        return _turning(self.bodies, self.control)

    def boxes(self, *x: NDArray[np.float64], grown: NDArray[np.float64] | None = None) -> tuple[NDArray[np.float64], ...]:
        """Boxes of all bodies in some configurations, with their radii and `grown`."""
        r = self.bodies.radii + self.error if grown is None else self.bodies.radii + grown
        r = r[:, None] * (1 + 4 * _U)
        low = np.minimum.reduceat(np.min(x, axis=0) - r, self.bodies.starts)
        high = np.maximum.reduceat(np.max(x, axis=0) + r, self.bodies.starts)
        return low - 4 * _U * np.abs(low), high + 4 * _U * np.abs(high)

    def _of_vertices(self, constant: NDArray[np.float64], slope: NDArray[np.float64]) -> NDArray[np.float64]:
        link = self.bodies.link
        found: NDArray[np.float64] = np.where(link < 0, 0.0, constant[link] + slope[link] * self.bodies.norms)
        return found * (1 + 1e-12)


class _Sweep:
    """One cluster on one edge, from its start to the first approach that is not proven free."""

    def __init__(self, way: _Way, cluster: Cluster, options: _Options):
        self.way, self.cluster, self.options = way, cluster, options
        self.free, self.s, self.steps = 0.0, math.inf, 0
        self.near: tuple[int, int] | None = None
        self.hit: Impact | None = None
        self.sphere = (0.0, 0.0)  # the radii of the two primitives of the hit
        self.found: Found | None = None
        self.reason = ""  # why nothing is found

    def run(self, begin: float, until: float) -> None:
        """Prove [0, until] free, where [0, begin] is, or stop at an approach and look for a contact there and later."""
        turning = self.way.turning()
        s, h = begin, min(1.0, _FIRST / max(turning, 1e-300))
        hopeless = begin > 0 and turning * (until - begin) > _FARTHEST_STEP * self.options.max_steps
        while s < until:
            if hopeless or self.steps >= self.options.max_steps:
                self.near, self.free = self._some_pair(), s
                self.reason = "iterations"
                return
            self.steps += 1
            end = min(s + h, until)
            control, radii = self.way.cubic(s, end) if self.options.degree == 3 else self.way.straight(s, end)
            if not self._boxes_meet(control, radii):
                s, h = end, 2 * h
                continue
            if self._is_wide(radii):
                h = (end - s) / 2
                continue
            part = self._part(control, radii)
            hit = None if part is None else self._step(part, s, control, radii)
            if part is None or hit is None or hit.separate:
                s, h = end, 2 * h
                continue
            assert hit.kind is not None
            a, b = (part.index[corners] for corners in part.corners(hit.kind, hit.a, hit.b))
            at = max(s, float(np.nextafter(np.nextafter(s + (end - s) * hit.toi_lo * (1 - 4 * _U), 0), 0)))
            if self._is_fine(radii, a, b):
                self.near = int(self.way.bodies.owner[a[0]]), int(self.way.bodies.owner[b[0]])
                self.free, self.hit, self.sphere = at, hit, (self._sphere(a), self._sphere(b))
                self.reason = "tolerance" if 2 * (radii[a].max() + radii[b].max()) <= self.options.tolerance else "coarse"
                self._look(at, end - s)
                return
            s, h = at, (end - s) / 2

    def _boxes_meet(self, control: NDArray[np.float64], radii: NDArray[np.float64]) -> bool:
        low, high = self.way.boxes(*control, grown=radii)
        i, d = self.cluster.body, self.options.d * (1 + 4 * _U)
        return any((low[i] <= high[j] + d).all() and (low[j] <= high[i] + d).all() for j in self.cluster.others)

    def _is_wide(self, radii: NDArray[np.float64]) -> bool:
        """Whether the radii are so large that most pairs near each other would seem to meet: shorter intervals cost less."""
        index = self.cluster.index
        least = max(self.options.tolerance, 8 * float(self.way.error[index].max()))  # halving comes below this
        return bool(radii[index].max() > max(_WIDE * self.cluster.edge, least))

    def _part(self, control: NDArray[np.float64], radii: NDArray[np.float64]) -> Cluster | None:
        """The primitives that may meet, if leaving out others pays; None if none may."""
        if self.cluster.size < _LARGE:
            return self.cluster
        index = self.cluster.index
        r = (self.way.bodies.radii[index] + radii[index])[:, None] * (1 + 4 * _U)
        low, high = control[:, index].min(0) - r, control[:, index].max(0) + r
        return self.cluster.part(low - 4 * _U * np.abs(low), high + 4 * _U * np.abs(high), self.options.d * (1 + 4 * _U))

    def _step(self, part: Cluster, s: float, control: NDArray[np.float64], radii: NDArray[np.float64]) -> Impact:
        """The impact of a step of these primitives from s on."""
        with Motion(control[:, part.index], radius=radii[None, part.index]) as motion:
            return step.earliest(
                part.mesh,
                motion,
                min_separation=self.options.d,
                check_start=s == 0,
                tolerance=self.options.tolerance,
                threads=self.options.threads,
            )

    def _is_fine(self, radii: NDArray[np.float64], a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
        """Whether the radii of a pair are below the tolerance, or mostly rounding."""
        both, error = radii[a].max() + radii[b].max(), self.way.error
        return bool(2 * both <= self.options.tolerance or both <= 4 * (error[a].max() + error[b].max()))

    def _look(self, s: float, h: float) -> None:
        """Look for a proven contact at the approach and after it, and then for the first one.

        Points inside of both take longer than crossings, so they are looked for where no crossing is found.
        """
        if not self._look_for(self._touches, s, h, 2):
            self._look_for(self._overlaps, s, h, 4)

    def _look_for(self, proof: Callable[[float], Found | None], s: float, h: float, growth: int) -> bool:
        """Whether a proof is found at s or later, at distances that grow by this factor."""
        before, found, k = s, proof(s), 0
        self.s = s
        while found is None and self.s < 1:
            before, self.s = self.s, min(1.0, s + h * float(growth) ** k / 64)
            found, k = proof(self.s), k + 1
        self.found = found
        for _ in range(20 if found is not None and self.s > s else 0):
            middle = before + (self.s - before) / 2
            sooner = proof(middle)
            if sooner is None:
                before = middle
            else:
                self.s, self.found = middle, sooner
        return found is not None

    def _touches(self, s: float) -> Found | None:
        index = self.cluster.index
        return touches(self.cluster, self.way.place(s)[index], self.way.error[index], self.options.d, self.options.threads)

    def _overlaps(self, s: float) -> Found | None:
        return overlaps(self.way.bodies, self.cluster, self.way.place(s), self.way.error)

    def _sphere(self, corners: NDArray[np.int64]) -> float:
        return float(self.way.bodies.radii[corners].max())

    def _some_pair(self) -> tuple[int, int]:
        return self.cluster.body, self.cluster.others[0]

    def approach(self) -> Found:
        """The approach that is not proven to be a contact."""
        assert self.near is not None
        return Found(*self.near, "tolerance", _NOWHERE if self.hit is None else self._between(self.hit))

    def _between(self, hit: Impact) -> tuple[float, ...]:
        """The point of an impact, moved from the primitives to the middle between their surfaces.

        It is on b, and between the primitives for two edges and two points: see law 9 in docs/numerics.md.
        """
        assert hit.kind is not None
        a, b = self.sphere
        middle = hit.kind in (Kind.EDGE_EDGE, Kind.POINT_POINT)
        moved = (b - a) / 2 if middle else b + self.options.d / 2
        return tuple(p + moved * n for p, n in zip(hit.point, hit.normal))

    def normal(self, found: Found) -> tuple[float, ...]:
        """The normal of the approach, from found.b to found.a, if it is of these two bodies."""
        if self.hit is None or self.near is None or {found.a, found.b} != set(self.near):
            return _NOWHERE
        sign = 1.0 if found.a == self.near[0] else -1.0
        return tuple(sign * v for v in self.hit.normal)
