"""A robot and a scene that are prepared once, for the many edges that a planner tries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from .._inner.edges import Edges
from ..errors import ArgumentError
from . import _turns
from ._bodies import Bodies
from ._chain import ways
from ._check import Scene, _length, _surfaces, _with_shapes, own_errors
from ._core import FREE, _parts, together
from ._coupling import Coupling, along
from ._model import Robot
from ._open import refuse_open
from ._path import Path

_MOST = 8192.0  # largest value of a joint on an edge that couplings cut
_TURNS = 16.0  # the same of one without limits that others follow by polynomials
_ROUNDED = 2.0**-35  # 32u times that: how far the pieces of such an edge may be from it


class Checker:
    """Proofs for a planner: whether straight edges between configurations are free of collisions.

    The trees of the links and of the scene are built once. An edge then takes tens of microseconds where nothing is near. An
    edge counts as free only if that is proven: one that comes within the tolerance, or that `max_steps` leaves undecided, does
    not. `check` reports contacts, and decides paths that are not straight.

    Threads may share a checker. `ccd.robot.ompl` has the validity checkers that OMPL calls.

    Parameters
    ----------
    robot : Robot
        The robot. A later change of its allowed pairs has no effect on the checker.
    scene : mapping or sequence, optional
        Objects that rest, as in `check`.
    allowed : iterable of (str, str), optional
        Further pairs of links and objects that may touch.
    rest : mapping, optional
        Values of joints that do not move, by name. The other joints are `Checker.joints`.
    min_separation : float, default 0.0
        A contact is a distance of at most this.
    separations : mapping, optional
        Distances of some pairs of links and objects, by pairs of names, in place of `min_separation`.
    tolerance : float, default 1e-6
        A length above 0: an approach to within it, beyond the separation, may not count as free.
    max_steps : int, default 100000
        Parts of an edge that are looked at, at most.
    threads : int, default 0
        Threads of a call with several edges; 0 for all.
    continuous : str, default "shortest"
        Whether continuous joints go the short way, or as ``"written"``; as in `check`.
    errors : mapping, optional
        How far joints may be from their values at any time, by name, as in `Path.within`: proofs hold for all of them.
    couplings : sequence of Coupling, optional
        Joints that follow others: closed chains, cams. They are not among `Checker.joints`, and their drives go as written.
        What is proven counts the couplings' errors. An edge is cut where a drive passes a knot, and `max_steps` counts for each
        piece.

    Raises
    ------
    ArgumentError
        A name is unknown, a number is out of range, no joint moves, or the library does not take a robot of this size.
    FileError
        A file of the scene cannot be read.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    >>> turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    >>> robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    >>> pole = ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])
    >>> checker = ccd.robot.Checker(robot, {"pole": pole})
    >>> checker.free([0], [0.5]), checker.free([0], [1])
    (True, False)
    >>> checker.free([[0], [0], [1]], [[0.5], [1], [2]]).tolist()  # three edges, on all threads
    [True, False, True]
    >>> checker.free([0.7])  # a configuration
    False
    >>> [ccd.robot.Checker(robot, {"pole": pole}, errors={"turn": e}).free([0], [0.64]) for e in (0.005, 0.02)]
    [True, False]
    >>> round(checker.free_until([0], [1]), 3)
    0.654
    """

    def __init__(
        self,
        robot: Robot,
        scene: Scene = (),
        *,
        allowed: Iterable[tuple[str, str]] = (),
        rest: Mapping[str, float] | None = None,
        min_separation: float = 0.0,
        separations: Mapping[tuple[str, str], float] | None = None,
        tolerance: float = 1e-6,
        max_steps: int = 100000,
        threads: int = 0,
        continuous: str = "shortest",
        errors: Mapping[str, float] | None = None,
        couplings: Sequence[Coupling] = (),
    ):
        if not isinstance(robot, Robot):
            raise ArgumentError(f"robot is {type(robot).__name__}: must be a ccd.robot.Robot")
        if not isinstance(allowed, Iterable):
            raise ArgumentError(f"allowed is {type(allowed).__name__}: must hold pairs of names")
        self._rest = _resting(robot, rest)
        self._couplings = _following(robot, self._rest, couplings)
        self._robot = robot
        self._refuse_open()
        self._moving = np.flatnonzero(np.isnan(self._rest))
        if not len(self._moving):
            raise ArgumentError("rest has values of all joints: one must move at least")
        self._options = {
            "tolerance": _length("tolerance", tolerance, np.nextafter(0, 1)),
            "max_iterations": arrays.integer("max_steps", max_steps, 1, 2**31),
        }
        self._threads = arrays.integer("threads", threads, 0, 2**31 - 1)
        short = arrays.choice("continuous", continuous, ("shortest", "written")) == "shortest"
        turning = [self._wraps(name) for name in robot.joints]
        self._turning = np.flatnonzero(np.array(turning, bool)[self._moving]) if short else np.empty(0, int)
        bodies = Bodies(robot, _surfaces(scene))
        own = np.zeros(len(robot.joints))
        if errors is not None:
            within = Path(robot.joints, np.zeros((2, len(robot.joints)))).within(errors)
            own = own_errors(robot, within)
        self._largest = self._most()
        bodies.errors = robot._tree.errors(own, self._largest, "errors")
        self._let_err(own, bodies.errors)
        pairs = bodies.pairs([*allowed, *_with_shapes(robot)])
        self._names = [b.name for b in bodies.all]
        self._pairs = len(pairs)
        self._spaces = _Spaces(bodies, pairs)
        groups = bodies.groups(pairs, _length("min_separation", min_separation, 0), separations)
        self._edges = [(d, Edges(_parts(bodies, some))) for d, some in groups.items()]

    @property
    def robot(self) -> Robot:
        """The robot."""
        return self._robot

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints that the calls take values for: those of the robot, but for `rest` and what `couplings` move."""
        return tuple(self._robot.joints[k] for k in self._moving)

    @property
    def turning(self) -> tuple[str, ...]:
        """Names of those joints that go the short way, by at most half a turn; none if `continuous` is ``"written"``."""
        return tuple(self.joints[k] for k in self._turning)

    @property
    def pairs(self) -> int:
        """Number of pairs of links and objects that are tested."""
        return self._pairs

    def free(self, q0: ArrayLike, q1: ArrayLike | None = None) -> bool | NDArray[np.bool_]:
        """Prove edges, or configurations, free of collisions.

        Parameters
        ----------
        q0 : array_like
            Values of `joints` at the start, (joints,), or of many edges, (n, joints).
        q1 : array_like, optional
            Values at the end, of the same shape. If omitted, the robot rests at `q0`.

        Returns
        -------
        bool or numpy.ndarray
            Whether an edge is proven free, or (n,). False says that it collides, or that neither is proven.

        Raises
        ------
        ArgumentError
            An array has another shape, angles are beyond what the library takes, or a drive leaves the knots of its coupling.
        NonFiniteError
            A value is not finite.
        """
        one, start, end = self._ends(q0, q1)
        found = self._decide(start, end, True)["verdict"] == FREE
        return bool(found[0]) if one else found

    def free_until(self, q0: ArrayLike, q1: ArrayLike) -> float | NDArray[np.float64]:
        """Compute how far along edges nothing touches.

        Parameters
        ----------
        q0 : array_like
            Values of `joints` at the start, (joints,), or of many edges, (n, joints).
        q1 : array_like
            Values at the end, of the same shape.

        Returns
        -------
        float or numpy.ndarray
            The fraction of the edge up to which it is proven free, in [0, 1]: 1 if all of it is. For many edges (n,).

        Raises
        ------
        ArgumentError
            As `free`.
        NonFiniteError
            As `free`.
        """
        one, start, end = self._ends(q0, q1)
        found = self._decide(start, end, False)
        until = np.where(found["verdict"] == FREE, 1.0, found["s_free"])
        return float(until[0]) if one else until

    def _proven(self, q0: NDArray[np.float64], q1: NDArray[np.float64]) -> bool:
        """Whether the edge between values of `joints`, (joints,), is proven free; all joints go as written."""
        start, end = (self._filled(arrays.finite(name, q)[None]) for name, q in (("q0", q0), ("q1", q1)))
        return bool(self._decide(start, end, True)["verdict"][0] == FREE)

    def _ends(self, q0: ArrayLike, q1: ArrayLike | None) -> tuple[bool, NDArray[np.float64], NDArray[np.float64]]:
        """Whether there is one edge, and the values of all joints at both ends, (n, joints of the robot)."""
        start = self._values("q0", q0)
        end = start if q1 is None else self._values("q1", q1)
        if start.shape != end.shape:
            raise ArgumentError(f"q1 has shape {end.shape}: must have that of q0, {start.shape}")
        one, start, end = start.ndim == 1, np.atleast_2d(start), np.atleast_2d(end)
        if len(self._turning):
            end = self._shortened(start, end)
        return one, self._filled(start), self._filled(end)

    def _values(self, name: str, values: ArrayLike) -> NDArray[np.float64]:
        q = arrays.finite(name, arrays.doubles(name, values))
        if q.ndim not in (1, 2) or q.shape[-1] != len(self._moving):
            n = len(self._moving)
            raise ArgumentError(f"{name} has shape {q.shape}: must be ({n},) or (edges, {n}), a value for each joint")
        return q

    def _shortened(self, start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
        """The ends of edges on which continuous joints go the short way."""
        far = np.abs(end[:, self._turning] - start[:, self._turning]) > 3.14  # less is at most half a turn
        if not far.any():
            return end
        end = end.copy()
        for i, k in zip(*np.nonzero(far)):
            j = self._turning[k]
            end[i, j] = _turns.moved(float(end[i, j]), _turns.turns(float(start[i, j]), float(end[i, j])))
        return end

    def _filled(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values of all joints of the robot."""
        if len(self._moving) == len(self._rest):
            return q
        whole = np.tile(self._rest, (len(q), 1))
        whole[:, self._moving] = q
        return whole

    def _decide(self, start: NDArray[np.float64], end: NDArray[np.float64], any_contact: bool) -> NDArray[np.void]:
        if self._couplings and len(start):
            return self._decide_pieces(start, end, any_contact)
        tree = self._robot._tree
        if tree.followers and len(start):
            control = self._curves(start, end)
            self._spaces.refuse(control)
            curved = [
                e.curves(control, any_contact, min_separation=d, threads=self._threads, **self._options) for d, e in self._edges
            ]
            return together(curved) if len(curved) > 1 else curved[0]
        if tree.quaternions:
            start, end = tree.inner(np.stack([start, end], axis=1), "q0, q1").swapaxes(0, 1)
            start, end = np.ascontiguousarray(start), np.ascontiguousarray(end)
        self._spaces.refuse(start, end)
        threads = 1 if len(start) == 1 else self._threads
        decided = [
            e.decide(start, end, any_contact, min_separation=d, threads=threads, **self._options) for d, e in self._edges
        ]
        return together(decided) if len(decided) > 1 else decided[0]

    def _decide_pieces(self, start: NDArray[np.float64], end: NDArray[np.float64], any_contact: bool) -> NDArray[np.void]:
        """The records of the first pieces that are not free, with places of the edges; of the last pieces if all are free."""
        joints, column = self._robot.joints, self._robot._tree.column
        drives = [(coupling, int(column[joints.index(coupling.drive)])) for coupling, _ in self._couplings]
        pieces = along(drives, self._curves(start, end), "q0, q1")
        whole = pieces.control
        for (_, columns), values in zip(self._couplings, pieces.followers):
            whole[:, :, column[columns]] = values
        self._spaces.refuse(whole)
        decided = [
            e.curves(whole, any_contact, min_separation=d, threads=self._threads, **self._options) for d, e in self._edges
        ]
        found = together(decided) if len(decided) > 1 else decided[0]
        edges, a, b = (np.array([piece[i] for piece in pieces.where]) for i in range(3))
        chosen = np.zeros(len(start), int)
        chosen[edges] = np.arange(len(edges))  # the last piece of each edge
        stopped = np.flatnonzero(found["verdict"] != FREE)[::-1]
        chosen[edges[stopped]] = stopped  # the first one, which is written last
        out = found[chosen]
        reached = a[chosen] + out["s_free"] * (b - a)[chosen] * (1 - 2.0**-50)
        out["s_free"] = np.where(out["verdict"] == FREE, 1.0, np.maximum(a[chosen], reached * (1 - 2.0**-52)))
        return out

    def _curves(self, start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
        """Control values of the variables on straight edges."""
        far = np.argwhere(np.abs(np.stack([start, end])) > self._largest)
        if len(far):
            row, edge, k = (int(i) for i in far[0])
            value, most = (start, end)[row][edge, k], self._largest[k]
            raise ArgumentError(f"q{row}: {self._robot.joints[k]!r} is {value} on edge {edge}: must be within {most:g} here")
        return np.ascontiguousarray(self._robot._tree.inner(np.stack([start, end], axis=1), "q0, q1"))

    def _refuse_open(self) -> None:
        """Refuse a robot whose loops no coupling keeps closed."""
        robot = self._robot
        if not robot.loops:
            return
        coupled = {robot.joints.index(c.drive): float(c.knots[0]) for c, _ in self._couplings}
        for c, columns in self._couplings:
            coupled |= dict(zip(columns.tolist(), c.control[0, 0].tolist()))
        values = np.where(np.isnan(self._rest), robot._values({}), self._rest)
        values[list(coupled)] = list(coupled.values())
        known = {int(robot._tree.column[k]) for k in range(len(values)) if k in coupled or not np.isnan(self._rest[k])}
        for i, (_, a, b) in enumerate(ways(robot, robot.loops)):
            loose = [j.name for j in (*a, *b) if j.kind != "fixed" and j.source not in known]
            if loose:
                raise ArgumentError(
                    f"couplings: joint {loose[0]!r} is in loops[{i}] of the robot, and in no coupling: give"
                    " ccd.robot.Coupling.closing(robot, robot.loops, drive, lower, upper)"
                )
        errors = np.zeros(robot._tree.variables)
        control = np.array([[values, values]])
        refuse_open(robot, robot._tree.inner(control, "couplings"), errors, "couplings")

    def _most(self) -> NDArray[np.float64]:
        """The largest magnitudes of values that the errors of joints that follow by polynomials hold for."""
        most = np.full(len(self._robot.joints), _MOST)  # joints beside couplings, too
        for f in self._robot._tree.followers:
            ends = np.abs(self._robot._range(f.value))
            most[f.value] = min(2 * float(ends.max()) if np.isfinite(ends).all() else _TURNS, _MOST)
        return most

    def _wraps(self, name: str) -> bool:
        """Whether whole turns of a joint bring all links back; it may be doubted of the drive of a coupling."""
        return name in self._robot.continuous and all(name != coupling.drive for coupling, _ in self._couplings)

    def _range(self, name: str) -> tuple[float, float]:
        """The limits of a joint, within the knots of a coupling that it drives."""
        low, high = self._robot._range(self._robot.joints.index(name))
        for coupling, _ in self._couplings:
            if coupling.drive == name:
                low, high = max(low, float(coupling.knots[0])), min(high, float(coupling.knots[-1]))
        return low, high

    def _let_err(self, own: NDArray[np.float64], errors: NDArray[np.float64]) -> None:
        """Add what couplings, and pieces of edges, may err by to the errors of all variables."""
        column = self._robot._tree.column
        for coupling, columns in self._couplings:
            drive = self._robot.joints.index(coupling.drive)
            if own[drive]:
                raise ArgumentError(f"errors[{coupling.drive!r}] is {own[drive]}: the joints that follow it would err with it")
            errors[column[columns]] += coupling._radii()
        if self._couplings:
            moving = np.ones(len(errors), bool)
            still = column[~np.isnan(self._rest)]
            moving[still[still >= 0]] = False
            errors[moving] += _ROUNDED
            errors *= 1 + 2.0**-50

    def __repr__(self) -> str:
        return f"<ccd.robot.Checker of {self._robot.name!r}: {len(self._names)} bodies, {self._pairs} pairs>"


class _Spaces:
    """Half-spaces that are tested, which are boxes: whether values of slides keep all bodies where these hold them."""

    def __init__(self, bodies: Bodies, pairs: list[tuple[int, int]]):
        self._bodies, self._pairs = bodies, pairs
        self._slides = np.empty(0, int)
        if not any(math.isfinite(b.extent) for b in bodies.all):
            return
        self._slides = np.unique([j.source for j in bodies.tree.joints if j.kind == "prismatic"]).astype(int)
        self._most = 0.0  # slides of up to this magnitude are known to be right
        self._try(0.0, "robot, scene")
        for k in range(-20, 200):
            try:
                self._try(2.0**k, "q0, q1")
            except ArgumentError:
                break
            self._most = 2.0**k
            if not len(self._slides):
                break

    def _try(self, most: float, name: str) -> None:
        largest = np.zeros(self._bodies.tree.variables)
        largest[self._slides] = most
        self._bodies.refuse_beyond(self._pairs, largest, name)

    def refuse(self, *values: NDArray[np.float64]) -> None:
        """Refuse variables, (..., variables), with which a body may leave the box of a half-space."""
        if not len(self._slides):
            return
        if max(float(np.abs(v[..., self._slides]).max(initial=0)) for v in values) <= self._most:
            return
        largest = np.max([np.abs(v).reshape(-1, v.shape[-1]).max(axis=0, initial=0) for v in values], axis=0)
        self._bodies.refuse_beyond(self._pairs, largest, "q0, q1")


def _resting(robot: Robot, rest: Mapping[str, float] | None) -> NDArray[np.float64]:
    """The values of joints at rest, NaN where a joint moves."""
    if rest is not None and not isinstance(rest, Mapping):
        raise ArgumentError(f"rest is {type(rest).__name__}: must be a mapping of values by names of joints")
    found = np.full(len(robot.joints), np.nan)
    for name, value in (rest or {}).items():
        k = robot._variable("rest", name)
        found[k] = arrays.finite(f"rest[{name!r}]", np.array([arrays.number(f"rest[{name!r}]", value)]))[0]
    return found


def _following(
    robot: Robot, rest: NDArray[np.float64], couplings: Sequence[Coupling]
) -> list[tuple[Coupling, NDArray[np.intp]]]:
    """Couplings with the joints that follow, by number. Their values in `rest` become 0, which moves nothing."""
    if not isinstance(couplings, (list, tuple)):
        raise ArgumentError(f"couplings is {type(couplings).__name__}: must be a list of ccd.robot.Coupling")
    found, taken = [], dict[str, str]()
    for i, coupling in enumerate(couplings):
        if not isinstance(coupling, Coupling):
            raise ArgumentError(f"couplings[{i}] is {type(coupling).__name__}: must be a ccd.robot.Coupling")
        for name in (coupling.drive, *coupling.joints):
            if not np.isnan(rest[robot._variable(f"couplings[{i}]", name)]):
                raise ArgumentError(f"couplings[{i}] has the joint {name!r}, which is in rest")
        for name in coupling.joints:
            if name in taken:
                raise ArgumentError(f"couplings[{i}] moves {name!r}, and so does {taken[name]}")
            taken[name] = f"couplings[{i}]"
        found.append((coupling, np.array([robot.joints.index(name) for name in coupling.joints], np.intp)))
    for i, (coupling, _) in enumerate(found):
        if coupling.drive in taken:
            raise ArgumentError(f"couplings[{i}] has the drive {coupling.drive!r}, which {taken[coupling.drive]} moves")
    for _, columns in found:
        rest[columns] = 0.0
    return found
