"""Joints that are functions of a drive: piecewise polynomials with radii, along paths and edges.

docs/proofs/robots.md ("Loops", the paragraph on functions) has the bounds of the roundings.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays, files
from ..errors import ArgumentError, FileError
from . import _spline_file
from ._loop import Loop
from ._loops import close
from ._model import Robot
from ._path import Path, _restricted
from ._pieces import Array, _elevated, _made_of


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
        start: Mapping[str, float] | None = None,
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
        start : mapping, optional
            Values near those at `lower` of the joints that follow, by name; as in `close` if omitted.
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
            raise ArgumentError(f"path is {type(path).__name__}: must be a ccd.robot.Path, as Path(joints, waypoints)")
        k = path.joints.index(arrays.choice("path.joints", self.drive, path.joints))
        if path._errors[k]:
            raise ArgumentError(f"path.errors of {self.drive!r} is {path._errors[k]}: the joints that follow would err with it")
        both = [name for name in self.joints if name in path.joints]
        if both:
            raise ArgumentError(f"path has values of {both[0]!r}, which follows {self.drive!r}")
        drive = path._control[:, :, k]
        straight = np.linspace(drive[:, 0], drive[:, -1], drive.shape[1], axis=1)
        if (np.abs(drive - straight) > 1e-14 * np.abs(drive).max(1, keepdims=True)).any():
            raise ArgumentError(f"path: {self.drive!r} does not go straight: close the loops along the path")
        pieces = along([(self, k)], path._control, "path")
        control = np.concatenate([pieces.control, *pieces.followers], axis=2)
        found = _made_of([*path.joints, *self.joints], control, pieces.where, path)
        found._errors = np.concatenate([path._errors, self._radii()])
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the coupling to a file of text that `read_coupling` reads, and ccd/spline.hpp of C++. Numbers keep all digits.

        Parameters
        ----------
        path : str or os.PathLike
            The file to write.

        Raises
        ------
        FileError
            The file cannot be written.
        ArgumentError
            The name of a joint has two lines, or blanks at an end.

        Examples
        --------
        >>> import os, tempfile, ccd
        >>> cam = ccd.robot.Coupling("cam", ["lift"], [0, 2], [[[0], [0], [0.02], [0.02]]])
        >>> cam.save(os.path.join(tempfile.mkdtemp(), "cam.coupling"))
        """
        joints, errors = list(self.joints), self.errors
        _spline_file.write(path, _spline_file.Content(self.drive, joints, errors, self.knots, self.control))

    def _radii(self) -> Array:
        """How far the joints that follow may be on the pieces of `along`, (joints,)."""
        width = np.diff(self.knots).min()
        steps = 5 * np.abs(np.diff(self.control, axis=1)).max((0, 1))
        size = np.abs(self.control).max((0, 1))
        # Blossoms err by 128u of the values. A place in a piece errs by 128u of the knots over its width, the drive included.
        off: Array = self.errors + 2.0**-46 * size + 2.0**-45 * steps * (1 + np.abs(self.knots).max() / width)
        return off

    def _cuts(self, x0: float, x1: float) -> list[float]:
        """Where an edge of the drive passes knots, in (0, 1)."""
        if x0 == x1:
            return []
        first, last = np.searchsorted(self.knots, min(x0, x1), "right"), np.searchsorted(self.knots, max(x0, x1), "left")
        return [float(s) for s in (self.knots[first:last] - x0) / (x1 - x0) if 0 < s < 1]


def read_coupling(path: str | os.PathLike[str]) -> Coupling:
    """Read a coupling from a file of `Coupling.save`.

    Parameters
    ----------
    path : str or os.PathLike
        A file.

    Returns
    -------
    Coupling
        The coupling.

    Raises
    ------
    FileError
        The file cannot be read, or is malformed; the message names the line.
    ArgumentError
        Its pieces do not join, its knots do not ascend, or a radius is below 0.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> name = os.path.join(tempfile.mkdtemp(), "cam.coupling")
    >>> ccd.robot.Coupling("cam", ["lift"], [0, 2], [[[0], [0], [0.02], [0.02]]], errors=[1e-5]).save(name)
    >>> again = ccd.robot.read_coupling(name)
    >>> again.drive, again.joints, again.errors.tolist()
    ('cam', ('lift',), [1e-05])
    """
    name = files.file_name("path", path)
    found = _spline_file.read(name)
    if not found.over:
        raise FileError(f"{name} is a path over time: ccd.robot.read_path reads it")
    with files.naming(name):
        return Coupling(found.over, found.joints, found.knots, found.control, found.errors)


class Pieces(NamedTuple):
    """The pieces of edges, cut where drives pass knots."""

    where: list[tuple[int, float, float]]  # the edge, and the part of it
    control: Array  # Control values of what the edges move, (pieces, 6, columns)
    followers: list[Array]  # For each coupling the control values of its joints, (pieces, 6, joints)


def along(couplings: Sequence[tuple[Coupling, int]], control: Array, name: str) -> Pieces:
    """Cut edges where drives pass knots, and compute the joints that follow on each piece.

    Couplings have the column of their drive, which goes straight. Control values are (edges, degree + 1, columns), and get the
    degree 5.
    """
    for coupling, k in couplings:
        drive = control[:, :, k]
        out = np.argwhere((drive < coupling.knots[0]) | (drive > coupling.knots[-1]))
        if len(out):
            edge, at = (int(i) for i in out[0])
            value, least, most = drive[edge, at], coupling.knots[0], coupling.knots[-1]
            raise ArgumentError(f"{name}: {coupling.drive!r} is {value} on edge {edge}: must be in [{least}, {most}]")
    where = []
    for edge, c in enumerate(control):
        cuts = {s for coupling, k in couplings for s in coupling._cuts(float(c[0, k]), float(c[-1, k]))}
        stops = [0.0, *sorted(cuts), 1.0]
        where += [(edge, a, b) for a, b in pairwise(stops)]
    edges, a, b = (np.array([piece[i] for piece in where]) for i in range(3))
    part = control[edges].swapaxes(0, 1)
    own = _elevated(_restricted(part, a[:, None], b[:, None]))
    followers = []
    for coupling, k in couplings:
        start, end = part[0, :, k], part[-1, :, k]
        middle = start + (a + b) / 2 * (end - start)
        index = np.clip(np.searchsorted(coupling.knots, middle, side="right") - 1, 0, len(coupling.control) - 1)
        first, last = coupling.knots[index], coupling.knots[index + 1]
        low, high = (np.clip((x - first) / (last - first), 0.0, 1.0)[:, None] for x in (own[0, :, k], own[-1, :, k]))
        found = _elevated(_restricted(coupling.control[index].swapaxes(0, 1), low, high))
        followers.append(np.ascontiguousarray(found.swapaxes(0, 1)))
    return Pieces(where, np.ascontiguousarray(own.swapaxes(0, 1)), followers)
