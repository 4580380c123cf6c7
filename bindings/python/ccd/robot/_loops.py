"""Closed chains: joints that follow others because a loop stays closed, with a proven radius.

docs/proofs/robots.md ("Loops") has the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import ArgumentError
from ._chain import Chain
from ._loop import Loop
from ._model import Robot
from ._path import Path, _restricted
from ._series import Array
from ._walk import _MOST, Walk, _elevated, _made_of


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
    chain = Chain(robot, path, loops, start)
    tolerance = arrays.number("tolerance", tolerance)
    if not 1e-11 <= tolerance <= 1e-3:
        raise ArgumentError(f"tolerance is {tolerance}: must be in [1e-11, 1e-3]")
    walk = Walk(chain, path, tolerance)
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
