"""The clearance of a path, all pairs that touch, and those that can: calls that the library answers alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from .._inner.gaps import WithGap
from ..errors import ArgumentError, Error
from ..rigid import Gap, scene_gap_dtype
from ._bodies import Bodies
from ._check import Scene, prepared
from ._core import COLLIDES, FREE, HOW, Core
from ._model import Robot
from ._path import Path, evaluate
from ._report import Contact, Verdict


@dataclass(frozen=True)
class Clearance(WithGap):
    """The least distance of the tested pairs on an edge of a path, or on a part of it.

    Attributes
    ----------
    edge : int
        Edge of the path.
    start : float
        Where the part begins on the edge, in [0, 1].
    end : float
        Where it ends.
    a : str
        Name of a link; of the two, the one farther from the base. Empty if no pair is tested.
    b : str
        Name of the other link, or of an object of the scene.
    gap : Gap
        The bracket: no tested pair comes nearer than ``gap.lo`` on the part, and at ``gap.time``, in [0, 1] on the edge, both
        are at most ``gap.hi`` apart. Points and normal are in the base's coordinates. ``gap.intersecting``: the two touch, or a
        is inside of b. The indices count the faces of a body's shapes, their edges and their lone vertices; features are -1.
    """

    edge: int
    start: float
    end: float
    a: str
    b: str
    gap: Gap


def clearance(
    robot: Robot,
    path: Path,
    scene: Scene = (),
    *,
    parts: int = 1,
    allowed: Iterable[tuple[str, str]] = (),
    rest: Mapping[str, float] | None = None,
    tolerance: float = 1e-6,
    max_steps: int = 1000000,
    threads: int = 0,
    continuous: str = "shortest",
) -> tuple[Clearance, ...]:
    """Bracket the least distance of a robot from itself and a scene, on each edge of a path.

    The bracket is a proof for the whole edge, not for samples. The least distance of the path is the least ``gap.lo``.

    Parameters
    ----------
    robot : Robot
        The robot.
    path : Path
        The path.
    scene : mapping or sequence, optional
        Objects that rest, as `check` takes them.
    parts : int, default 1
        Parts of equal length that each edge is cut into; with more than 1 the result is a profile.
    allowed : iterable of (str, str), optional
        Further pairs of links and objects that are not tested.
    rest : mapping, optional
        Values of joints that the path has no column for.
    tolerance : float, default 1e-6
        Width of the brackets, a length above 0; a larger one is faster.
    max_steps : int, default 1000000
        Parts of an edge that are looked at; beyond it ``gap.lo`` is 0, and ``gap.unfinished`` true.
    threads : int, default 0
        Threads, 0 for all. The results do not depend on them.
    continuous : str, default "shortest"
        How continuous joints go, as in `check`.

    Returns
    -------
    tuple of Clearance
        ``parts`` for each edge, in their order.

    Raises
    ------
    ArgumentError
        As `check`, or a size is beyond 1e60.
    FileError
        A file of the scene cannot be read.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.capsule(0.1, 1).placed([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], [0.5, 0, 0])
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> wall = ccd.Surface(np.array([[-9, 1.5, -9], [9, 1.5, -9], [0, 1.5, 9]]), [], [[0, 1, 2]])
    >>> found = ccd.robot.clearance(robot, ccd.robot.Path(["turn"], [[1], [2]]), {"wall": wall})[0]
    >>> found.a, found.b, round(found.gap.lo, 5), round(found.gap.hi, 5)
    ('arm', 'wall', 0.4, 0.4)
    >>> path = ccd.robot.Path(["turn"], [[0], [1]])
    >>> [round(part.gap.lo, 2) for part in ccd.robot.clearance(robot, path, {"wall": wall}, parts=4)]
    [1.15, 0.92, 0.72, 0.56]
    """
    path, bodies, pairs, control = prepared(robot, path, scene, allowed, rest, continuous)
    count = arrays.integer("parts", parts, 1, 2**20)
    found = _core(bodies, pairs).clearance(
        control, count, scene_gap_dtype, tolerance=_tolerance(tolerance),
        max_iterations=arrays.integer("max_steps", max_steps, 1, 2**31),
        threads=arrays.integer("threads", threads, 0, 2**31 - 1),
    )  # fmt: skip
    names = [*(b.name for b in bodies.all), ""]
    return tuple(
        Clearance(edge, k / count, (k + 1) / count, *_named(names, bodies, record))
        for edge, row in enumerate(found)
        for k, record in enumerate(row)
    )


def touching(
    robot: Robot,
    values: ArrayLike | Mapping[str, float],
    scene: Scene = (),
    *,
    allowed: Iterable[tuple[str, str]] = (),
    min_separation: float = 0.0,
    tolerance: float = 1e-6,
) -> tuple[Contact, ...]:
    """List all pairs of bodies that touch at a configuration, in one call.

    Parameters
    ----------
    robot : Robot
        The robot.
    values : array_like or mapping
        Values of all joints, (joints,) in the order of `Robot.joints`, or by their names.
    scene : mapping or sequence, optional
        Objects that rest, as `check` takes them.
    allowed : iterable of (str, str), optional
        Further pairs of links and objects that are not tested.
    min_separation : float, default 0.0
        A contact is a distance of at most this.
    tolerance : float, default 1e-6
        A length above 0: pairs within it, beyond `min_separation`, may stay undecided.

    Returns
    -------
    tuple of Contact
        One for each pair that is not proven separate: ``how`` says how it touches, or ``"tolerance"`` where nothing is proven.

    Raises
    ------
    ArgumentError
        As `check`, or a size is beyond 1e60.
    FileError
        A file of the scene cannot be read.
    Error
        The pairs could not all be decided: bodies are so far from the base that rounding is as wide as they are.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> box = ccd.robot.Shape.box([1, 1, 1])
    >>> lift = ccd.robot.JointModel.moving("lift", "prismatic", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("lift", ["base", "box"], [[], [box]], [lift], ["lift"])
    >>> corners = np.array([[0, 0, 0.7], [2, 0, 0.7], [0, 2, 0.7]])
    >>> low, high = (ccd.Surface(corners + [0, 0, z], [], [[0, 1, 2]]) for z in (0, 1))
    >>> [(c.a, c.b, c.how) for c in ccd.robot.touching(robot, [0.5], {"low": low, "high": high})]
    [('box', 'low', 'crossing')]
    """
    if not isinstance(robot, Robot):
        raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
    if isinstance(values, Mapping):
        path = Path(list(values), [list(values.values())] * 2)
    else:
        row = arrays.row("values", values)
        path = Path(robot.joints, np.array([row, row]))
    path, bodies, pairs, control = prepared(robot, path, scene, allowed, None, "written")
    d, near = _separation(min_separation), _tolerance(tolerance)
    records = _core(bodies, pairs).touching(control[0, :1], min_separation=d, tolerance=near)
    if (records["body_b"] < 0).any():
        raise Error("nothing is proven of the pairs that are left: bodies are too far from the base, or the budget was spent")
    return tuple(_contact(bodies, control[0], r) for r in records)


@dataclass(frozen=True)
class Meeting:
    """Whether two bodies can meet while all joints are within ranges.

    Attributes
    ----------
    a : str
        Name of a link, or of an object of the scene.
    b : str
        Name of the other.
    verdict : Verdict
        FREE: they never do, proven. COLLIDES: they do at some values. UNDECIDED: neither is proven.
    """

    a: str
    b: str
    verdict: Verdict


def ranges(
    robot: Robot,
    lower: ArrayLike,
    upper: ArrayLike,
    scene: Scene = (),
    *,
    allowed: Iterable[tuple[str, str]] = (),
    min_separation: float = 0.0,
    max_steps: int = 10000,
) -> tuple[Meeting, ...]:
    """Decide for each pair whether its bodies can meet for any values of all joints within ranges.

    Pairs with one to three joints between them are decided soon; those with more usually stay undecided.

    Parameters
    ----------
    robot : Robot
        The robot.
    lower : array_like
        Least values, (joints,), in the order of `Robot.joints`.
    upper : array_like
        Greatest values, (joints,).
    scene : mapping or sequence, optional
        Objects that rest, as `check` takes them.
    allowed : iterable of (str, str), optional
        Further pairs of links and objects that are not tested.
    min_separation : float, default 0.0
        A contact is a distance of at most this.
    max_steps : int, default 10000
        Boxes of values that are looked at for each pair.

    Returns
    -------
    tuple of Meeting
        One for each tested pair.

    Raises
    ------
    ArgumentError
        As `check`; a lower value is above the upper one, or a size is beyond 1e60.
    FileError
        A file of the scene cannot be read.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> pole = ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])
    >>> [str(ccd.robot.ranges(robot, [0], [end], {"pole": pole})[0].verdict) for end in (0.6, 0.7)]
    ['free', 'collides']
    """
    if not isinstance(robot, Robot):
        raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
    least, most = arrays.row("lower", lower), arrays.row("upper", upper)
    if len(least) != len(most):
        raise ArgumentError(f"lower has {len(least)} values, upper {len(most)}: the robot has {len(robot.joints)} joints")
    ends = np.array([least, most])
    for t in robot._tree.quaternions:
        if (ends[0, list(t.quaternion)] != ends[1, list(t.quaternion)]).any():
            raise ArgumentError(f"lower and upper have different quaternions of joint {t.joint!r}: must have the same")
    _, bodies, pairs, control = prepared(robot, Path(robot.joints, ends), scene, allowed, None, "written", False)
    low, high = robot._tree.box(*ends)
    for t in robot._tree.quaternions:
        low[t.first : t.first + 5] = high[t.first : t.first + 5] = control[0, 0, t.first : t.first + 5]
    bodies.refuse_beyond(pairs, np.maximum(np.abs(low), np.abs(high)), "lower, upper")
    found = _core(bodies, pairs).ranges(
        low, high, min_separation=_separation(min_separation),
        max_iterations=arrays.integer("max_steps", max_steps, 1, 2**31),
    )  # fmt: skip
    # Joints that follow by polynomials or loops took all values in a box: where they meet in it, they need not in fact.
    collides = Verdict.UNDECIDED if robot._tree.followers or robot.loops else Verdict.COLLIDES
    verdicts = {0: Verdict.UNDECIDED, FREE: Verdict.FREE, COLLIDES: collides}
    names = [b.name for b in bodies.all]
    return tuple(Meeting(names[r["body_a"]], names[r["body_b"]], Verdict(verdicts[int(r["verdict"])])) for r in found)


def _separation(d: float) -> float:
    return arrays.within("min_separation", d, "[0, 1e60]")


def _core(bodies: Bodies, pairs: Sequence[tuple[int, int]]) -> Any:
    core = Core(bodies, list(pairs))
    if core.edges is None:
        raise ArgumentError("robot has no joints that move, no tree of all links, or sizes beyond 1e60")
    return core.edges


def _tolerance(tolerance: float) -> float:
    return arrays.within("tolerance", tolerance, "(0, 1e60]", "above 0, at most 1e60")


def _named(names: list[str], bodies: Bodies, record: np.void) -> tuple[str, str, Gap]:
    """The names of both bodies and their gap, the body farther from the base first."""
    a, b, gap = int(record["a"]), int(record["b"]), record["gap"].copy()
    if min(a, b) >= 0 and bodies.rank(a) < bodies.rank(b):
        a, b = b, a
        for one, other in (("index_a", "index_b"), ("point_a", "point_b")):
            gap[one], gap[other] = record["gap"][other], record["gap"][one]
        gap["normal"] = -record["gap"]["normal"] + 0.0
    return names[a], names[b], Gap.from_record(gap)


def _contact(bodies: Bodies, control: NDArray[np.float64], record: np.void) -> Contact:
    a, b, normal, s = int(record["body_a"]), int(record["body_b"]), record["normal"], float(record["s"])
    if bodies.rank(a) < bodies.rank(b):
        a, b, normal = b, a, -normal
    how, values = HOW.get(int(record["how"]), "tolerance"), tuple(bodies.tree.outer(evaluate(control, s)).tolist())
    names, point = (bodies.all[a].name, bodies.all[b].name), tuple(record["point"].tolist())
    return Contact(0, s, float(record["s_free"]), s, values, *names, how, point, tuple((normal + 0.0).tolist()))
