"""How the parts of an assembly move: by poses, or by joints.

Between two rows every part moves as a screw: it turns at a constant rate about an axis that rests, and slides along it. A
part on one joint that
moves does exactly that. On chains of joints that move at once it is a piecewise screw, and how far that is from the true path
is bounded (docs/proofs/cad.md): a piece has a padding, which makes its parts larger.
"""

from __future__ import annotations

import functools
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
_PLANE = 1e-12  # the sine of the angle by which axes of a plane mechanism may differ, as rounding makes them
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

    def pair(self, a: int, b: int) -> tuple[Motion, Motion, float]:
        """The motions of two parts in coordinates in which the joints that both are on rest, and what both are padded by."""
        return self.motions[a], self.motions[b], float(self.padding[a] + self.padding[b])

    def halves(self) -> tuple[Piece, ...]:
        """Two pieces in the place of this one, with less padding; none where it cannot be cut or needs not."""
        return ()


class ChainPiece(Piece):
    """A piece of a drive of joints, whose motions are made when they are asked for."""

    def __init__(self, drive: JointDrive, row: int, t0: float, t1: float):
        self.drive, self.row, self.t0, self.t1 = drive, row, t0, t1
        self.rapid = drive._rapid_at(row)
        self.span = drive._span(row, t0, t1)
        self._pairs: dict[tuple[int, int], tuple[Motion, Motion, float]] = {}
        self._halves: tuple[Piece, ...] | None = None

    @functools.cached_property
    def link(self) -> NDArray[np.int64]:  # type: ignore[override]
        """A number for each part, the same for parts that do not move against each other."""
        moves, chains = (self.span.q0 != self.span.q1) | (self.span.off > 0), self.drive.chains
        return np.array([next((j for j in reversed(chains.chain(p)) if moves[j]), -1) + 1 for p in range(len(chains.of))])

    @functools.cached_property
    def _whole(self) -> list[tuple[Motion, float]]:
        chains = self.drive.chains
        return [chains.motion(chains.chain(p), p, self.span, self.t1 - self.t0) for p in range(len(chains.of))]

    @property
    def motions(self) -> list[Motion]:  # type: ignore[override]
        """The motions of all parts."""
        return [m for m, _ in self._whole]

    @property
    def padding(self) -> Doubles:  # type: ignore[override]
        """How far each part may be from its motion."""
        return np.array([pad for _, pad in self._whole])

    def pair(self, a: int, b: int) -> tuple[Motion, Motion, float]:
        """The motions of two parts in coordinates in which the joints that both are on rest, and what both are padded by."""
        if (a, b) not in self._pairs:
            chains = self.drive.chains
            shared = len(chains.common(a, b))
            moved = [chains.motion(chains.chain(p)[shared:], p, self.span, self.t1 - self.t0) for p in (a, b)]
            self._pairs[a, b] = moved[0][0], moved[1][0], moved[0][1] + moved[1][1]
        return self._pairs[a, b]

    def halves(self) -> tuple[Piece, ...]:
        """Two pieces in the place of this one, with less padding; none where it is short."""
        if self._halves is None:
            self._halves = self._cut()
        return self._halves

    def _cut(self) -> tuple[Piece, ...]:
        middle = 0.5 * (self.t0 + self.t1)
        start, end = self.drive._ends_of(self.row)
        if self.t1 - self.t0 <= (end - start) / _MOST_PIECES or not self.t0 < middle < self.t1:
            return ()
        return ChainPiece(self.drive, self.row, self.t0, middle), ChainPiece(self.drive, self.row, middle, self.t1)


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

    _loose = 0.0  # how far a point of a part may be from where `at` has it, beside rounding

    def _frame(self, t: float, a: int, b: int) -> Doubles:
        """Where the coordinates of `Piece.pair` are at a time, (4, 4)."""
        return np.eye(4)

    def _across(self, a: int, b: int) -> tuple[Doubles, float] | None:
        """A direction along which no point of two parts moves against the other, but by a length; None where none is known."""
        return None

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
        links = self.chains.links(self._values(t))
        return np.stack([links[j] if j >= 0 else np.eye(4) for j in self.chains.of])

    def _frame(self, t: float, a: int, b: int) -> Doubles:
        common = self.chains.common(a, b)
        return self.chains.links(self._values(t))[common[-1]] if common else np.eye(4)

    def _pieces(self, padding: float) -> list[Piece]:
        out: list[Piece] = []
        for k in range(self._rows):
            t0, t1 = self._ends_of(k)
            count = self.chains.pieces(self._span(k, t0, t1), t1 - t0, padding)
            ends = t0 + (t1 - t0) * np.arange(count + 1) / count
            ends[-1] = t1
            out += [ChainPiece(self, k, float(ends[i]), float(ends[i + 1])) for i in range(count)]
        return out

    def _across(self, a: int, b: int) -> tuple[Doubles, float] | None:
        shared = len(self.chains.common(a, b))
        return self.chains.across([(self.chains.chain(p)[shared:], p) for p in (a, b)], self._most())

    # How joints move, which a drive of another kind says otherwise: along rows, in each of which values are smooth.

    @property
    def _rows(self) -> int:
        return len(self.times) - 1

    def _ends_of(self, row: int) -> tuple[float, float]:
        """The times at which a row begins and ends."""
        return float(self.times[row]), float(self.times[row + 1])

    def _rapid_at(self, row: int) -> bool:
        return self.rapid[row]

    def _most(self) -> Doubles:
        """The largest magnitudes of the joints' values."""
        found: Doubles = np.abs(self.values).max(0)
        return found

    def _values(self, t: float) -> Doubles:
        """The values of the joints at a time, rounded."""
        k, share = self._row(t)
        found: Doubles = self.values[k] + share * (self.values[k + 1] - self.values[k])
        return found

    def _span(self, row: int, t0: float, t1: float) -> Span:
        """The values of the joints from a time of a row to another one."""
        start, end = self._ends_of(row)
        before, after = self.values[row], self.values[row + 1]
        a, b = (before + (t - start) / (end - start) * (after - before) for t in (t0, t1))
        b = np.where(before == after, a, b)
        return Span(a, b, np.zeros(len(a)), np.maximum(np.abs(a), np.abs(b)))


@dataclass
class Span:
    """Values of joints for a while: from q0 to q1, within ``off`` of the straight line, and at most ``most`` in magnitude."""

    q0: Doubles
    q1: Doubles
    off: Doubles
    most: Doubles


@dataclass
class Chains:
    """Joints, and which of them each part is on."""

    assembly: Assembly
    joints: list[Joint]
    of: list[int] = field(init=False)  # the joint of each part, -1 for none
    above: list[list[int]] = field(init=False)  # the joints from the ground to each joint, itself last
    axes: Doubles = field(init=False)
    points: Doubles = field(init=False)
    boxes: dict[int, Doubles] = field(init=False, default_factory=dict)  # corners around parts, in the assembly at rest

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

    def across(self, chains: list[tuple[list[int], int]], most: Doubles) -> tuple[Doubles, float] | None:
        """The direction across a mechanism in a plane, and how far points of parts may move along it by rounded axes."""
        moving = [k for chain, _ in chains for k in chain]
        turning = [k for k in moving if self.joints[k].kind != "prismatic"]
        if not turning:
            return None
        n, off = self.axes[turning[0]], 0.0
        for chain, part in chains:
            for k, far in zip(chain, self._reach(chain, part, most)):
                j, axis = self.joints[k], self.axes[k]
                leans = abs(float(axis @ n)) if j.kind == "prismatic" else float(np.linalg.norm(np.cross(axis, n)))
                if leans > _PLANE or (j.kind == "screw" and j.pitch):
                    return None
                off += 4 * _PLANE * far
        return n, off

    def _bend(self, chain: list[int], slides: list[float], rate: Doubles) -> tuple[float, float, float]:
        """Bounds of how fast a part's points go along a chain and how their paths bend, and how fast it turns."""
        speed, bend, turning = 0.0, 0.0, 0.0
        for k, slide in zip(reversed(chain), reversed(slides)):
            r = abs(float(rate[k]))
            turn = r if self.joints[k].kind != "prismatic" else 0.0
            bend += turn * r * slide + 2 * turn * speed
            speed, turning = speed + r * slide, turning + turn
        return speed * (1 + 2.0**-30), bend * (1 + 2.0**-30), turning

    def slides(self, chain: list[int], part: int, most: Doubles) -> list[float]:
        """How far a point of a part goes at most for a unit of each joint of a chain."""
        found = zip(chain, self._reach(chain, part, most))
        return [1.0 if self.joints[k].kind == "prismatic" else math.hypot(x, self.joints[k].pitch / math.tau) for k, x in found]

    def _reach(self, chain: list[int], part: int, most: Doubles) -> list[float]:
        """How far the part's points may be from a point of the axis of each joint of a chain."""
        if part not in self.boxes:
            at = self.assembly.parts[part]
            self.boxes[part] = _occ.corners(at.product.shape) @ at.matrix[:3, :3].T + at.matrix[:3, 3]
        far, out = 0.0, []
        for n in range(len(chain) - 1, -1, -1):
            k = chain[n]
            if n == len(chain) - 1:
                far = float(np.linalg.norm(self.boxes[part] - self.points[k], axis=1).max())
            else:
                far += float(np.linalg.norm(self.points[chain[n + 1]] - self.points[k]))
            j = self.joints[k]
            slide = 1.0 if j.kind == "prismatic" else abs(j.pitch) / math.tau
            far += slide * float(most[k])
            out.append(far)
        return out[::-1]

    def pieces(self, span: Span, duration: float, padding: float) -> int:
        """How many pieces a row needs, so that each part is padded by about a length at most."""
        worst, bent = 0.0, False
        for part in range(len(self.of)):
            chain = self.chain(part)
            if sum(span.q0[k] != span.q1[k] or span.off[k] > 0 for k in chain) > 0:
                slides = self.slides(chain, part, span.most)
                several = sum(bool(span.q0[k] != span.q1[k]) for k in chain) > 1
                worst = max(worst, self._off(chain, slides, span, duration, several))
                bent |= several
        most_turn = sum(abs(float(span.q1[k] - span.q0[k])) for k, j in enumerate(self.joints) if j.kind != "prismatic")
        count = max(1, math.ceil(most_turn / 3.0)) if bent else 1
        return min(_MOST_PIECES, max(count, math.ceil(math.sqrt(worst / padding)) if padding > 0 else _MOST_PIECES))

    def _off(self, chain: list[int], slides: list[float], span: Span, duration: float, several: bool) -> float:
        """How far a screw may be from the path of a chain: values are not straight, and several joints make paths that bend."""
        off = sum(slide * float(span.off[k]) for k, slide in zip(chain, slides)) * (1 + 2.0**-30)
        if not several:
            return off
        speed, bend, turning = self._bend(chain, slides, (span.q1 - span.q0) / duration)
        # A screw between the ends turns by at most as much, and its points go no faster than twice the fastest of the path.
        return off + (bend + 2 * turning * speed) * duration**2 / 8

    def motion(self, chain: list[int], part: int, span: Span, duration: float) -> tuple[Motion, float]:
        """The motion of a part by some joints, and how far it may be from its path."""
        place, q0, q1 = self.assembly.parts[part].matrix, span.q0, span.q1
        moving = [k for k in chain if q0[k] != q1[k]]
        off = 0.0
        if len(moving) > 1 or any(span.off[k] > 0 for k in chain):
            off = self._off(chain, self.slides(chain, part, span.most), span, duration, len(moving) > 1)
        start, before = np.eye(4), np.eye(4)
        for k in chain:
            if len(moving) == 1 and k == moving[0]:
                before = start
            start = start @ self.move(k, float(q0[k]))
        if not moving:
            return Motion.from_pose(start @ place), off
        if len(moving) == 1:  # a screw about the axis where the joints before it put it
            k = moving[0]
            axis, point = before[:3, :3] @ self.axes[k], before[:3, :3] @ self.points[k] + before[:3, 3]
            one, at, speed = self.joints[k], start @ place, float(q1[k] - q0[k]) / duration
            if one.kind == "prismatic":
                return Motion.from_pose(at, velocity=tuple(speed * axis)), off
            # The speed is along the direction of the angular velocity, which is against the axis when the joint turns back.
            return motion_screw(at[:3, :3], at[:3, 3], point, speed * axis, one.pitch * abs(speed) / math.tau), off
        end = np.eye(4)
        for k in chain:
            end = end @ self.move(k, float(q1[k]))
        return screw(start, end, place, duration), off


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
    return JointDrive(assembly, at, _table(chains, at, values), chains)


def _table(chains: Chains, at: Doubles, values: Mapping[str, ArrayLike]) -> Doubles:
    """The values of all joints at the times of rows, (rows, joints): 0 for those that are not named."""
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
    return table


def _times(times: ArrayLike) -> Doubles:
    at = arrays.finite("times", arrays.doubles("times", times))
    if at.ndim != 1 or len(at) < 2:
        raise ArgumentError(f"times has shape {at.shape}: must be (n,), two at least")
    for k in np.flatnonzero(~(np.diff(at) > 0))[:1].tolist():
        raise ArgumentError(f"times[{k + 1}] is {at[k + 1]}: must be above times[{k}], {at[k]}")
    return at
