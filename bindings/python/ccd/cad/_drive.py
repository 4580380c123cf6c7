"""How the parts of an assembly move: by poses, or by joints.

Between two rows every part moves as a screw: it turns at a constant rate about an axis that rests, and slides along it. A
part on one joint that
moves does exactly that. On chains of joints that move at once it is a piecewise screw, and how far that is from the true path
is bounded (docs/proofs/cad.md): a piece has a padding, which makes its parts larger.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from .._inner.errors import shown
from ..errors import ArgumentError
from ..rigid import Motion, motion_between, motion_screw
from . import _occ, _turns
from ._assembly import Assembly, require_assembly
from ._bounds import Doubles

_SMALL = 1e-6  # radians: a screw that turns by less goes on a straight line instead
_MOST_PIECES = 4096  # of one leg


@dataclass(frozen=True)
class Joint:
    """A joint: how parts move, against the ground or against the parts of another joint.

    The value of a joint is 0 where the assembly rests as the file has it.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        ``"revolute"`` (radians), ``"prismatic"`` (a length), or ``"screw"`` (radians, and `pitch` along the axis).
    parts : sequence of str
        The parts that it moves, besides those of joints that have it as `parent`.
    axis : sequence of float
        Direction of its axis in the assembly at rest, of any length but 0.
    point : sequence of float, default (0, 0, 0)
        A point of the axis, in the assembly at rest.
    parent : str, optional
        The joint that moves this one.
    pitch : float, default 0
        Of a screw: the length that it slides along the axis for each turn of 2 pi.

    Examples
    --------
    >>> import ccd
    >>> ccd.cad.Joint("crank", "revolute", ["crank"], axis=(0, 0, 1)).point
    (0.0, 0.0, 0.0)
    """

    name: str
    kind: str
    parts: Sequence[str]
    axis: Sequence[float]
    point: Sequence[float] = (0.0, 0.0, 0.0)
    parent: str | None = None
    pitch: float = 0.0


@dataclass
class Piece:
    """A piece of a drive: parts move as screws from t0 to t1, whose times count from t0.

    ``link`` is the same for parts that do not move against each other.
    """

    t0: float
    t1: float
    row: int
    rapid: bool
    motions: list[Motion]
    padding: Doubles
    link: NDArray[np.int64]
    chains: _Pairs | None = None

    def pair(self, a: int, b: int) -> tuple[Motion, Motion, float]:
        """The motions of two parts in coordinates in which the joints that both are on rest, and what both are padded by."""
        if self.chains is None:
            return self.motions[a], self.motions[b], float(self.padding[a] + self.padding[b])
        return self.chains.pair(self, a, b)


class Drive:
    """The motion of an assembly over time. `by_poses`, `by_joints`, `read_drive` and `read_gcode` make it.

    Parameters
    ----------
    assembly : Assembly
        What moves.
    times : numpy.ndarray
        The times of the rows, (n,), ascending.
    rapid : sequence of bool, optional
        For each way between two rows, whether it is a rapid move (G0); else none is.

    Examples
    --------
    >>> import ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> door = ccd.cad.Assembly.of({"door": BRepPrimAPI_MakeBox(10, 1, 20).Shape()})
    >>> slide = ccd.cad.Joint("slide", "prismatic", ["door"], axis=(1, 0, 0))
    >>> drive = ccd.cad.by_joints(door, [slide], [0, 2], {"slide": [0, 5]})
    >>> drive, drive.at(1)[0, :3, 3].round(9)
    (<ccd.cad.Drive of 1 parts: 2 rows, t in [0, 2]>, array([2.5, 0. , 0. ]))
    """

    def __init__(self, assembly: Assembly, times: Doubles, rapid: Sequence[bool] | None = None):
        self.assembly, self.times = assembly, times
        self.rapid = list(rapid) if rapid is not None else [False] * (len(times) - 1)

    def __repr__(self) -> str:
        span = f"{self.times[0]:g}, {self.times[-1]:g}"
        return f"<ccd.cad.Drive of {len(self.assembly.parts)} parts: {len(self.times)} rows, t in [{span}]>"

    def at(self, t: float) -> NDArray[np.float64]:
        """The placements of all parts at a time, rounded.

        Parameters
        ----------
        t : float
            The time.

        Returns
        -------
        numpy.ndarray
            Matrices (n, 4, 4): coordinates of the products to those of the world.

        Raises
        ------
        ArgumentError
            `t` is no number.
        """
        moved = self._displacements(arrays.number("t", t))
        return np.stack([d @ p.matrix for d, p in zip(moved, self.assembly.parts)])

    def _frame(self, t: float, a: int, b: int) -> Doubles:
        """Where the coordinates of `Piece.pair` are at a time, (4, 4)."""
        return np.eye(4)

    def _pieces(self, padding: float) -> list[Piece]:
        """The pieces, with paddings of at most a length where 4096 pieces of a row suffice."""
        raise NotImplementedError

    def _displacements(self, t: float) -> Doubles:
        raise NotImplementedError

    def _row(self, t: float) -> tuple[int, float]:
        """The row before a time, and the share of the way to the next."""
        k = int(np.clip(np.searchsorted(self.times, t, "right") - 1, 0, len(self.times) - 2))
        return k, float(np.clip((t - self.times[k]) / (self.times[k + 1] - self.times[k]), 0.0, 1.0))


def screw(start: Doubles, end: Doubles, place: Doubles, duration: float) -> Motion:
    """The motion of a part at `place` from one displacement to another."""
    turn, slide, point = _turns.between(start, end)
    angle = float(np.linalg.norm(turn))
    at, there = start @ place, end @ place
    if angle < _SMALL:
        return motion_between(at, there, duration)
    along = float(slide @ turn) / angle
    return motion_screw(at[:3, :3], at[:3, 3], point, turn / duration, along / duration)


class PoseDrive(Drive):
    """Displacements from rest at the times of rows."""

    def __init__(self, assembly: Assembly, times: Doubles, moved: dict[int, Doubles], rapid: Sequence[bool] | None = None):
        super().__init__(assembly, times, rapid)
        self.moved = moved  # by part: (rows, 4, 4)
        self._same: dict[bytes, int] = {}
        self._link = np.array([self._same.setdefault(moved[k].tobytes(), len(self._same) + 1) if k in moved else 0
                               for k in range(len(assembly.parts))])  # fmt: skip

    def _displacements(self, t: float) -> Doubles:
        k, share = self._row(t)
        out = np.tile(np.eye(4), (len(self.assembly.parts), 1, 1))
        for part, rows in self.moved.items():
            out[part] = _turns.part_way(rows[k], rows[k + 1], share)
        return out

    def _pieces(self, padding: float) -> list[Piece]:
        out = []
        for k, (t0, t1) in enumerate(zip(self.times, self.times[1:])):
            motions, link = [], self._link.copy()
            for n, part in enumerate(self.assembly.parts):
                start, end = (self.moved[n][k + i] if n in self.moved else np.eye(4) for i in range(2))
                still = np.array_equal(start, end)
                motions.append(Motion.from_pose(start @ part.matrix) if still else screw(start, end, part.matrix, t1 - t0))
                if still:
                    link[n] = 0
            out.append(Piece(float(t0), float(t1), k, self.rapid[k], motions, np.zeros(len(motions)), link))
        return out


class JointDrive(Drive):
    """Values of joints at the times of rows."""

    def __init__(
        self, assembly: Assembly, times: Doubles, values: Doubles, chains: Chains, rapid: Sequence[bool] | None = None
    ):
        super().__init__(assembly, times, rapid)
        self.values, self.chains = values, chains

    def _displacements(self, t: float) -> Doubles:
        k, share = self._row(t)
        q = self.values[k] + share * (self.values[k + 1] - self.values[k])
        links = self.chains.links(q)
        return np.stack([links[j] if j >= 0 else np.eye(4) for j in self.chains.of])

    def _frame(self, t: float, a: int, b: int) -> Doubles:
        common = self.chains.common(a, b)
        k, share = self._row(t)
        q = self.values[k] + share * (self.values[k + 1] - self.values[k])
        return self.chains.links(q)[common[-1]] if common else np.eye(4)

    def _pieces(self, padding: float) -> list[Piece]:
        out = []
        for k, (t0, t1) in enumerate(zip(self.times, self.times[1:])):
            rate = (self.values[k + 1] - self.values[k]) / (t1 - t0)
            count = self.chains.pieces(self.values[k : k + 2], rate, float(t1 - t0), padding)
            ends = t0 + (t1 - t0) * np.arange(count + 1) / count
            ends[-1] = t1
            for i in range(count):
                out.append(self.chains.piece(self, k, float(ends[i]), float(ends[i + 1])))
        return out


@dataclass
class Chains:
    """Joints, and which of them each part is on."""

    assembly: Assembly
    joints: list[Joint]
    of: list[int] = field(init=False)  # the joint of each part, -1 for none
    above: list[list[int]] = field(init=False)  # the joints from the ground to each joint, itself last
    axes: Doubles = field(init=False)
    points: Doubles = field(init=False)

    def __post_init__(self) -> None:
        self.of, self.above = [-1] * len(self.assembly.parts), []
        axes, points = [], []
        for k, j in enumerate(self.joints):
            if not isinstance(j, Joint):
                raise ArgumentError(f"joints[{k}] is {shown(j)}: must be a ccd.cad.Joint")
            if j.kind not in ("revolute", "prismatic", "screw"):
                raise ArgumentError(f"joints[{k}].kind is {j.kind!r}: must be revolute, prismatic or screw")
            axis, point = (
                arrays.finite(f"joints[{k}].{n}", arrays.doubles(f"joints[{k}].{n}", x))
                for n, x in (("axis", j.axis), ("point", j.point))
            )
            if axis.shape != (3,) or point.shape != (3,) or not axis.any():
                raise ArgumentError(f"joints[{k}]: axis and point must be (3,), and axis not 0")
            axes.append(axis / np.linalg.norm(axis))
            points.append(point)
            for part in j.parts:
                try:
                    n = self.assembly.index(part)
                except ArgumentError as error:
                    raise ArgumentError(f"joints[{k}].parts: {error}") from None
                if self.of[n] >= 0:
                    raise ArgumentError(f"joints[{k}]: part {part!r} is on joint {self.joints[self.of[n]].name!r} too")
                self.of[n] = k
        names = {j.name: k for k, j in enumerate(self.joints)}
        if len(names) < len(self.joints):
            raise ArgumentError("joints: two have one name")
        for k in range(len(self.joints)):
            chain, at = [k], self.joints[k].parent
            while at is not None:
                if at not in names:
                    raise ArgumentError(f"joints[{k}].parent is {at!r}: no such joint")
                if names[at] in chain:
                    raise ArgumentError(f"joints[{k}].parent: the joints are in a circle")
                chain.append(names[at])
                at = self.joints[names[at]].parent
            self.above.append(chain[::-1])
        self.axes, self.points = np.array(axes).reshape(-1, 3), np.array(points).reshape(-1, 3)

    def move(self, k: int, q: float) -> Doubles:
        """The displacement of one joint."""
        j = self.joints[k]
        slide = q if j.kind == "prismatic" else j.pitch * q / math.tau
        turn = 0.0 if j.kind == "prismatic" else q
        return _turns.about(self.points[k], self.axes[k], turn, slide)

    def links(self, q: Doubles) -> list[Doubles]:
        """The displacement of what each joint moves."""
        out = []
        for chain in self.above:
            d = np.eye(4)
            for k in chain:
                d = d @ self.move(k, float(q[k]))
            out.append(d)
        return out

    def chain(self, part: int) -> list[int]:
        """The joints that move a part, from the ground on."""
        return self.above[self.of[part]] if self.of[part] >= 0 else []

    def common(self, a: int, b: int) -> list[int]:
        """The joints that move both parts."""
        out = []
        for x, y in zip(self.chain(a), self.chain(b)):
            if x != y:
                break
            out.append(x)
        return out

    def bend(self, chain: list[int], part: int, q: Doubles, rate: Doubles) -> float:
        """A bound of the second derivatives of the paths of a part's points, moved by a chain."""
        reach = self._reach(chain, part, q)
        moved, most = [], 0.0
        for k, far in zip(chain, reach):
            j, r = self.joints[k], abs(float(rate[k]))
            slides = 1.0 if j.kind == "prismatic" else math.hypot(far, j.pitch / math.tau)
            moved.append((r if j.kind != "prismatic" else 0.0, r * slides))
        for i, (turn, own) in enumerate(moved):
            most += turn * own + 2 * turn * sum(speed for _, speed in moved[i + 1 :])
        return most * (1 + 2.0**-30)

    def speed(self, chain: list[int], part: int, q: Doubles, rate: Doubles) -> float:
        """A bound of the speeds of a part's points."""
        total = 0.0
        for k, far in zip(chain, self._reach(chain, part, q)):
            j = self.joints[k]
            slides = 1.0 if j.kind == "prismatic" else math.hypot(far, j.pitch / math.tau)
            total += abs(float(rate[k])) * slides
        return total * (1 + 2.0**-30)

    def _reach(self, chain: list[int], part: int, q: Doubles) -> list[float]:
        """How far the part's points may be from a point of the axis of each joint of a chain."""
        at = self.assembly.parts[part]
        box = _occ.corners(at.product.shape) @ at.matrix[:3, :3].T + at.matrix[:3, 3]
        far, out = 0.0, []
        for n in range(len(chain) - 1, -1, -1):
            k = chain[n]
            if n == len(chain) - 1:
                far = float(np.linalg.norm(box - self.points[k], axis=1).max())
            else:
                far += float(np.linalg.norm(self.points[chain[n + 1]] - self.points[k]))
            j = self.joints[k]
            slide = 1.0 if j.kind == "prismatic" else abs(j.pitch) / math.tau
            far += slide * float(np.abs(q[:, k]).max())
            out.append(far)
        return out[::-1]

    def pieces(self, q: Doubles, rate: Doubles, duration: float, padding: float) -> int:
        """How many pieces a row needs, so that each part is padded by at most a length."""
        worst = 0.0
        for part in range(len(self.of)):
            chain = self.chain(part)
            if sum(bool(rate[k]) for k in chain) > 1:
                worst = max(worst, self._off(chain, part, q, rate, duration))
        most_turn = float(np.abs([r for r, j in zip(rate, self.joints) if j.kind != "prismatic"] or [0.0]).sum()) * duration
        count = max(1, math.ceil(most_turn / 3.0)) if worst else 1
        return min(_MOST_PIECES, max(count, math.ceil(math.sqrt(worst / padding)) if padding > 0 else _MOST_PIECES))

    def _off(self, chain: list[int], part: int, q: Doubles, rate: Doubles, duration: float) -> float:
        """How far a screw may be from the path of a chain: both bend, and they have the same ends."""
        turn = sum(abs(float(rate[k])) for k in chain if self.joints[k].kind != "prismatic")
        bend = self.bend(chain, part, q, rate)
        # A screw between the ends turns by at most as much, and its points go no faster than twice the fastest of the path.
        return (bend + 2 * turn * self.speed(chain, part, q, rate)) * duration**2 / 8

    def piece(self, drive: JointDrive, k: int, t0: float, t1: float) -> Piece:
        """One piece of row k."""
        q0, q1 = self._values(drive, k, t0, t1)
        motions, padding = [], np.zeros(len(self.of))
        for part in range(len(self.of)):
            m, pad = self._motion(self.chain(part), part, q0, q1, t1 - t0)
            motions.append(m)
            padding[part] = pad
        rate = q1 - q0
        link = np.array([next((j for j in reversed(self.chain(p)) if rate[j]), -1) + 1 for p in range(len(self.of))])
        return Piece(t0, t1, k, drive.rapid[k], motions, padding, link, _Pairs(self, q0, q1))

    @staticmethod
    def _values(drive: JointDrive, k: int, t0: float, t1: float) -> tuple[Doubles, Doubles]:
        whole = drive.times[k + 1] - drive.times[k]
        shares = [(t - drive.times[k]) / whole for t in (t0, t1)]
        a, b = (drive.values[k] + s * (drive.values[k + 1] - drive.values[k]) for s in shares)
        return a, np.where(drive.values[k] == drive.values[k + 1], a, b)

    def _motion(self, chain: list[int], part: int, q0: Doubles, q1: Doubles, duration: float) -> tuple[Motion, float]:
        """The motion of a part by some joints, and how far it may be from its path."""
        place = self.assembly.parts[part].matrix
        moving = [k for k in chain if q0[k] != q1[k]]
        start, end = np.eye(4), np.eye(4)
        for k in chain:
            start, end = start @ self.move(k, float(q0[k])), end @ self.move(k, float(q1[k]))
        if not moving:
            return Motion.from_pose(start @ place), 0.0
        if len(moving) == 1:  # a screw about the axis where the joints before it put it
            k = moving[0]
            before = np.eye(4)
            for j in chain[: chain.index(k)]:
                before = before @ self.move(j, float(q0[j]))
            axis, point = before[:3, :3] @ self.axes[k], before[:3, :3] @ self.points[k] + before[:3, 3]
            one, at, speed = self.joints[k], start @ place, float(q1[k] - q0[k]) / duration
            if one.kind == "prismatic":
                return Motion.from_pose(at, velocity=tuple(speed * axis)), 0.0
            return motion_screw(at[:3, :3], at[:3, 3], point, speed * axis, one.pitch * speed / math.tau), 0.0
        rate = (q1 - q0) / duration
        off = self._off(chain, part, np.stack([q0, q1]), rate, duration)
        return screw(start, end, place, duration), off


@dataclass
class _Pairs:
    """The joints of one piece, for pairs of parts."""

    chains: Chains
    q0: Doubles
    q1: Doubles

    def pair(self, piece: Piece, a: int, b: int) -> tuple[Motion, Motion, float]:
        shared = len(self.chains.common(a, b))
        moved = [self.chains._motion(self.chains.chain(p)[shared:], p, self.q0, self.q1, piece.t1 - piece.t0) for p in (a, b)]
        return moved[0][0], moved[1][0], moved[0][1] + moved[1][1]


def require_drive(drive: Drive) -> Drive:
    """The drive, or an error that says how one is made."""
    if isinstance(drive, Drive):
        return drive
    raise ArgumentError(
        f"drive is {type(drive).__name__}: must be a ccd.cad.Drive; make one of ccd.cad.read(path) with ccd.cad.by_joints, "
        "by_poses or read_drive"
    )


def by_poses(assembly: Assembly, times: ArrayLike, poses: Mapping[str, ArrayLike]) -> Drive:
    """Make a drive of the displacements of parts.

    Parameters
    ----------
    assembly : Assembly
        What moves.
    times : array_like
        Times of the rows, (n,), ascending, two at least.
    poses : mapping
        By the name of a part: its displacements from where it rests, (n, 4, 4), in coordinates of the assembly; identity
        where it is at rest.
        Parts that are not named rest.

    Returns
    -------
    Drive
        The motion. Between two rows each part moves as a screw, the shorter way.

    Raises
    ------
    ArgumentError
        An array has another shape, a name is unknown, times do not ascend, or a matrix is no rotation and translation.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> pair = ccd.cad.Assembly.of({"a": BRepPrimAPI_MakeBox(1, 1, 1).Shape(), "b": BRepPrimAPI_MakeBox(1, 1, 1).Shape()})
    >>> away = np.eye(4)
    >>> away[0, 3] = 5
    >>> ccd.cad.by_poses(pair, [0, 1], {"b": [np.eye(4), away]}).at(0.5)[1, 0, 3]
    np.float64(2.5)
    """
    require_assembly(assembly)
    at = _times(times)
    moved = {}
    if not isinstance(poses, Mapping):
        raise ArgumentError(f"poses is {shown(poses)}: must be a mapping of matrices by names of parts")
    for name, given in poses.items():
        x = arrays.finite(f"poses[{name!r}]", arrays.doubles(f"poses[{name!r}]", given))
        if x.shape != (len(at), 4, 4):
            raise ArgumentError(f"poses[{name!r}] has shape {x.shape}: must be ({len(at)}, 4, 4)")
        for k, m in enumerate(x):
            Motion.from_pose(m)
            if k and np.trace(x[k - 1][:3, :3].T @ m[:3, :3]) < -1 + 1e-9:
                raise ArgumentError(f"poses[{name!r}]: row {k} turns by half a turn: the way is not known; add a row between")
        if assembly.index(name) in moved:
            raise ArgumentError(
                f"poses[{name!r}]: it is part {assembly.parts[assembly.index(name)].name!r}, which is there twice"
            )
        moved[assembly.index(name)] = x
    return PoseDrive(assembly, at, moved)


def by_joints(assembly: Assembly, joints: Sequence[Joint], times: ArrayLike, values: Mapping[str, ArrayLike]) -> Drive:
    """Make a drive of the values of joints.

    Parameters
    ----------
    assembly : Assembly
        What moves.
    joints : sequence of Joint
        The joints.
    times : array_like
        Times of the rows, (n,), ascending, two at least.
    values : mapping
        By the name of a joint: its values, (n,), linear in time between rows. Joints that are not named rest at 0.

    Returns
    -------
    Drive
        The motion.

    Raises
    ------
    ArgumentError
        An array has another shape, a name is unknown, or times do not ascend.

    Examples
    --------
    >>> import math, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> door = ccd.cad.Assembly.of({"door": BRepPrimAPI_MakeBox(10, 1, 20).Shape()})
    >>> hinge = ccd.cad.Joint("hinge", "revolute", ["door"], axis=(0, 0, 1))
    >>> ccd.cad.by_joints(door, [hinge], [0, 1], {"hinge": [0, math.pi / 2]}).at(1)[0].round(9).tolist()[0]
    [0.0, -1.0, 0.0, 0.0]
    """
    require_assembly(assembly)
    at, chains = _times(times), Chains(assembly, list(arrays.several("joints", joints, "ccd.cad.Joint")))
    if not isinstance(values, Mapping):
        raise ArgumentError(f"values is {shown(values)}: must be a mapping of arrays by names of joints")
    names = [j.name for j in chains.joints]
    table = np.zeros((len(at), len(names)))
    for name, given in values.items():
        if name not in names:
            raise ArgumentError(f"values has {name!r}: no joint has that name")
        x = arrays.finite(f"values[{name!r}]", arrays.doubles(f"values[{name!r}]", given))
        if x.shape != (len(at),):
            raise ArgumentError(f"values[{name!r}] has shape {x.shape}: must be ({len(at)},)")
        table[:, names.index(name)] = x
    return JointDrive(assembly, at, table, chains)


def _times(times: ArrayLike) -> Doubles:
    at = arrays.finite("times", arrays.doubles("times", times))
    if at.ndim != 1 or len(at) < 2:
        raise ArgumentError(f"times has shape {at.shape}: must be (n,), two at least")
    for k in np.flatnonzero(~(np.diff(at) > 0))[:1].tolist():
        raise ArgumentError(f"times[{k + 1}] is {at[k + 1]}: must be above times[{k}], {at[k]}")
    return at
