"""Proofs for planners of OMPL: validity checkers of edges and configurations, and the space of a robot's joints.

Needs the package ompl (``pip install ompl``). OMPL by default tests samples of an edge; with these functions each edge that a
planner accepts is proven free. docs/howto/robots.md has a plan from start to goal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays
from ..errors import ArgumentError
from ._checker import Checker
from ._joint import PARTS


def _base() -> Any:
    try:
        from ompl import base
    except ImportError as error:
        raise ImportError(f"plans need OMPL ({error}): pip install ompl") from error
    return base


def state_space(checker: Checker, bounds: Mapping[str, tuple[float, float]] | None = None) -> Any:
    """Create the space of a checker's joints: OMPL's real vectors, or a compound of them and of SO(2) for continuous joints.

    The values of a state are those of `Checker.joints`, in their order. Joints of `Robot.continuous` have a subspace
    of SO(2) each, so that planners go the short way; if the checker has ``continuous="written"``, they are real numbers.
    Floating and free joints have one of SE(3) each, ball joints one of SO(3).

    Parameters
    ----------
    checker : Checker
        The checker.
    bounds : mapping, optional
        Least and greatest value of joints, by name; in place of the joint's limits, and of the knots of a coupling.

    Returns
    -------
    ompl.base.StateSpace
        The space.

    Raises
    ------
    ImportError
        OMPL is not installed.
    ArgumentError
        A joint that is a real number has no limits and is not in `bounds`, or a name is unknown.

    Examples
    --------
    >>> import ccd
    >>> import ompl  # which plans
    >>> lift = ccd.robot.JointModel.moving("lift", "prismatic", 0, 1, source=0, lower=0, upper=2)
    >>> robot = ccd.robot.Robot("lift", ["base", "car"], [[], [ccd.robot.Shape.ball(0.1)]], [lift], ["lift"])
    >>> ccd.robot.ompl.state_space(ccd.robot.Checker(robot)).getDimension()
    1
    """
    base = _base()
    _is_checker(checker)
    if bounds is not None and not isinstance(bounds, Mapping):
        raise ArgumentError(f"bounds is {type(bounds).__name__}: must be a mapping of pairs of numbers by names of joints")
    given = {} if bounds is None else dict(bounds)
    for name in given:
        if name not in checker.joints:
            raise ArgumentError(f"bounds: {name!r} is no joint of the checker: its joints are {', '.join(checker.joints)}")
    groups: list[list[str] | str] = []  # a list of joints that are real numbers, or a joint that turns
    several, skipped = _several(checker), 0
    for k, name in enumerate(checker.joints):
        if skipped > 0:
            skipped -= 1
        elif k in several:
            groups.append(several[k])
            skipped = len(PARTS[several[k]]) - 1
        elif name in checker.turning:
            groups.append(name)
        elif groups and isinstance(groups[-1], list):
            groups[-1].append(name)
        else:
            groups.append([name])
    spaces, k = [], 0
    for g in groups:
        names = checker.joints[k : k + (len(PARTS.get(g, "1")) if isinstance(g, str) else len(g))]
        spaces.append(_space(base, checker, g, names, given))
        k += len(names)
    if len(spaces) == 1 and not checker.turning:
        return spaces[0]
    whole = base.CompoundStateSpace()
    for space in spaces:
        whole.addSubspace(space, 1.0)
    whole.lock()
    return whole


def _several(checker: Checker) -> dict[int, str]:
    """The kinds of the joints with quaternions, by the place of their first value in `Checker.joints`."""
    robot, found = checker.robot, {}
    for j in robot._tree.given:
        if j.kind in PARTS and j.kind != "planar":
            names = robot.joints[j.source : j.source + len(PARTS[j.kind])]
            there = [name for name in names if name in checker.joints]
            if there and len(there) < len(names):
                raise ArgumentError(f"checker: joint {j.name!r} moves in part: rest must have all of its values, or none")
            if there:
                found[checker.joints.index(names[0])] = j.kind
    return found


def _space(base: Any, checker: Checker, group: Any, names: tuple[str, ...], given: dict[str, tuple[float, float]]) -> Any:
    """The space of some real numbers, of an angle, or of a joint with a quaternion."""
    if not isinstance(group, str):
        return _reals(base, checker, group, given)
    for name in names if group in PARTS else ():
        if name in given and "/trans_" not in name:
            raise ArgumentError(f"bounds[{name!r}] is of a quaternion, which turns in any way")
    if group == "ball":
        return base.SO3StateSpace()
    if group not in PARTS:
        return base.SO2StateSpace()
    space = base.SE3StateSpace()
    space.setBounds(_box(base, checker, list(names[:3]), given))
    return space


def _reals(base: Any, checker: Checker, names: list[str], given: dict[str, tuple[float, float]]) -> Any:
    space = base.RealVectorStateSpace(len(names))
    space.setBounds(_box(base, checker, names, given))
    return space


def _box(base: Any, checker: Checker, names: list[str], given: dict[str, tuple[float, float]]) -> Any:
    """Bounds of values that are real numbers."""
    box = base.RealVectorBounds(len(names))
    for i, name in enumerate(names):
        if name in given:
            row = arrays.row(f"bounds[{name!r}]", given[name])
            if len(row) != 2:
                raise ArgumentError(f"bounds[{name!r}] has {len(row)} numbers: must have 2")
            low, high = row.tolist()
        else:
            low, high = checker._range(name)
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ArgumentError(
                f"bounds: joint {name!r} has limits [{low}, {high}]: give bounds[{name!r}], finite and ascending"
            )
        box.setLow(i, float(low))
        box.setHigh(i, float(high))
    return box


def motion_validator(info: Any, checker: Checker) -> Any:
    """Create a validator of motions that accepts those that are proven free.

    Its ``checkMotion`` proves the straight edge between two states, as the state space interpolates it: real numbers from value
    to value, angles of SO(2) by the shorter way. `setMotionValidator` keeps no reference in Python, so keep the
    validator as long as planners use it.

    Parameters
    ----------
    info : ompl.base.SpaceInformation
        The space information. Its state space is one of `state_space`, or any of real vectors, SO(2), SE(3) and SO(3) whose
        values are those of `Checker.joints` in their order.
    checker : Checker
        The checker.

    Returns
    -------
    ompl.base.MotionValidator
        The validator.

    Raises
    ------
    ImportError
        OMPL is not installed.
    ArgumentError
        The state space is another one, or has another number of values.

    Examples
    --------
    >>> import ccd
    >>> import ompl  # which plans
    >>> from ompl import base
    >>> lift = ccd.robot.JointModel.moving("lift", "prismatic", 0, 1, source=0, lower=0, upper=2)
    >>> robot = ccd.robot.Robot("lift", ["base", "car"], [[], [ccd.robot.Shape.ball(0.1)]], [lift], ["lift"])
    >>> checker = ccd.robot.Checker(robot)
    >>> info = base.SpaceInformation(ccd.robot.ompl.state_space(checker))
    >>> validator = ccd.robot.ompl.motion_validator(info, checker)
    >>> info.setMotionValidator(validator)
    """
    base, values = _base(), _Values(info, checker)

    class MotionValidator(base.MotionValidator):  # type: ignore[misc, name-defined]  # OMPL has no types
        def checkMotion(self, start: Any, end: Any, *_: Any) -> bool:
            q0, q1 = values.of(start), values.of(end)
            return checker._proven(q0, values.reached(q0, q1))

    return MotionValidator(info)


def state_validity_checker(info: Any, checker: Checker) -> Any:
    """Create a checker of configurations that accepts those that are proven free, within the bounds of the space.

    Parameters
    ----------
    info : ompl.base.SpaceInformation
        The space information, as of `motion_validator`.
    checker : Checker
        The checker.

    Returns
    -------
    ompl.base.StateValidityChecker
        The checker. Keep it as long as planners use it.

    Raises
    ------
    ImportError
        OMPL is not installed.
    ArgumentError
        As `motion_validator`.

    Examples
    --------
    >>> import ccd
    >>> import ompl  # which plans
    >>> from ompl import base
    >>> lift = ccd.robot.JointModel.moving("lift", "prismatic", 0, 1, source=0, lower=0, upper=2)
    >>> robot = ccd.robot.Robot("lift", ["base", "car"], [[], [ccd.robot.Shape.ball(0.1)]], [lift], ["lift"])
    >>> checker = ccd.robot.Checker(robot)
    >>> info = base.SpaceInformation(ccd.robot.ompl.state_space(checker))
    >>> valid = ccd.robot.ompl.state_validity_checker(info, checker)
    >>> state = info.allocState()
    >>> state[0] = 1.0
    >>> valid.isValid(state)
    True
    """
    base, values, space = _base(), _Values(info, checker), info.getStateSpace()

    class StateValidityChecker(base.StateValidityChecker):  # type: ignore[misc, name-defined]  # OMPL has no types
        def isValid(self, state: Any) -> bool:
            q = values.of(state)
            return bool(space.satisfiesBounds(state)) and checker._proven(q, q)

    return StateValidityChecker(info)


class _Values:
    """The values of the joints in states of a space."""

    def __init__(self, info: Any, checker: Checker):
        base = _base()
        if not isinstance(info, base.SpaceInformation):
            raise ArgumentError(f"info is {type(info).__name__}: must be an ompl.base.SpaceInformation")
        _is_checker(checker)
        space, several = info.getStateSpace(), _several(checker)
        kinds = [(base.SO2StateSpace, _angle), (base.RealVectorStateSpace, _numbers)]
        kinds += [(base.SE3StateSpace, _pose), (base.SO3StateSpace, _rotation)]
        known = tuple(kind for kind, _ in kinds)
        self.whole = not isinstance(space, base.CompoundStateSpace) or isinstance(space, known)
        parts = [space] if self.whole else list(space.getSubspaces())
        turning: list[bool] = []
        self.readers: list[Any] = []  # a reader for each part, with how many values it has
        for i, part in enumerate(parts):
            reader = next((read for kind, read in kinds if isinstance(part, kind)), None)
            if reader is None:
                what = "must be real vectors, SO(2), SE(3) or SO(3)"
                raise ArgumentError(f"info: part {i} of the space is {type(part).__name__}: {what}")
            kind, first = several.get(len(turning), ""), len(turning)
            turning += [reader is _angle] * _size(part, reader)
            if (reader in (_pose, _rotation)) != bool(kind) or (kind == "ball") != (reader is _rotation):
                there = (
                    f"value {first} is of joint {checker.joints[first]!r}"
                    if first < len(checker.joints)
                    else "no joint is left"
                )
                raise ArgumentError(f"info: part {i} of the space is {type(part).__name__}, but {there}: see state_space")
            self.readers.append((reader, kind, len(turning) - first))
        if len(turning) != len(checker.joints):
            raise ArgumentError(
                f"info: the space has {len(turning)} values: must have {len(checker.joints)}, one for each joint"
            )
        self.turning = np.flatnonzero(turning)
        for k in self.turning:
            if not checker._wraps(checker.joints[k]):
                raise ArgumentError(
                    f"info: value {k} is an angle of SO(2), but a turn of joint {checker.joints[k]!r} does not bring all links"
                    " back: use a real number"
                )

    def of(self, state: Any) -> NDArray[np.float64]:
        states = [state] if self.whole else [state[k] for k in range(len(self.readers))]
        found: list[float] = []
        for part, (reader, kind, count) in zip(states, self.readers):
            found += reader(part, kind, count)
        return np.array(found, float)

    def reached(self, q0: NDArray[np.float64], q1: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the space's interpolation ends: an angle that is more than pi away is reached the other way around."""
        if len(self.turning):
            change = q1[self.turning] - q0[self.turning]
            q1[self.turning] -= np.where(np.abs(change) > math.pi, np.copysign(2 * math.pi, change), 0.0)
        return q1


def _size(part: Any, reader: Any) -> int:
    """How many values a part of a space has."""
    if reader is _numbers:
        return int(part.getDimension())
    return 1 if reader is _angle else 7 if reader is _pose else 4


def _angle(state: Any, *_: Any) -> list[float]:
    return [state.value]


def _numbers(state: Any, _: str, count: int) -> list[float]:
    return list(state[0:count])


def _rotation(state: Any, *_: Any) -> list[float]:
    return [state.w, state.x, state.y, state.z]


def _pose(state: Any, kind: str, _: int) -> list[float]:
    place, (w, *xyz) = [state.getX(), state.getY(), state.getZ()], _rotation(state.rotation())
    return [*place, w, *xyz] if kind == "free" else [*place, *xyz, w]


def _is_checker(checker: Any) -> None:
    if not isinstance(checker, Checker):
        raise ArgumentError(f"checker is {type(checker).__name__}: must be a ccd.robot.Checker")
