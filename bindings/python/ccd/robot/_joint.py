"""Joints of a robot, as they are given."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import ArgumentError

_PLACE, _WXYZ = ("trans_x", "trans_y", "trans_z"), ("rot_w", "rot_x", "rot_y", "rot_z")
# The values of a joint, by the names of MoveIt. Free and ball joints have the order of MuJoCo.
PARTS = {
    "planar": ("x", "y", "theta"),
    "floating": (*_PLACE, "rot_x", "rot_y", "rot_z", "rot_w"),
    "free": (*_PLACE, *_WXYZ),
    "ball": _WXYZ,
}


@dataclass(frozen=True, eq=False)
class JointModel:
    """A joint of a robot. `fixed` and `moving` make them.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        ``"fixed"``, ``"revolute"``, ``"continuous"`` or ``"prismatic"``. Continuous joints turn as revolute ones do, and have
        no limits: `check` takes them the short way from waypoint to waypoint. Or one of `several`.
    parent : int
        Index of the parent link.
    child : int
        Index of the child link.
    rotation : numpy.ndarray
        Rotation of the child's coordinates in the parent's when the joint is at 0, (3, 3).
    position : numpy.ndarray
        Origin of the child's coordinates in the parent's, (3,).
    axis : numpy.ndarray
        Unit axis in the child's coordinates, (3,); zeros for joints of `several`.
    source : int
        Index of the joint variable that it follows, -1 if fixed; of the first one for joints of `several`.
    multiplier : float
        Factor of that variable, 1 unless the joint mimics another.
    offset : float
        Added to it.
    lower : float
        Least value of the joint, -inf without a limit.
    upper : float
        Greatest value of the joint, inf without a limit.
    powers : tuple of float
        Factors of the square of that variable and of higher powers, up to the fifth: a joint that follows by a polynomial.
    """

    name: str
    kind: str
    parent: int
    child: int
    rotation: NDArray[np.float64]
    position: NDArray[np.float64]
    axis: NDArray[np.float64]
    source: int
    multiplier: float
    offset: float
    lower: float = -math.inf
    upper: float = math.inf
    powers: tuple[float, ...] = ()

    @property
    def turns(self) -> bool:
        """Whether the joint turns: revolute or continuous."""
        return self.kind in ("revolute", "continuous")

    @classmethod
    def fixed(cls, name: str, parent: int, child: int, position: ArrayLike = (0.0, 0.0, 0.0)) -> JointModel:
        """Create a fixed joint without a rotation.

        Parameters
        ----------
        name : str
            Its name.
        parent : int
            Index of the parent link.
        child : int
            Index of the child link.
        position : array_like, default (0.0, 0.0, 0.0)
            Origin of the child's coordinates in the parent's.

        Returns
        -------
        JointModel
            The joint.

        Raises
        ------
        ArgumentError
            `position` has another shape.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.JointModel.fixed("flange", 3, 4, position=(0, 0, 0.1)).kind
        'fixed'
        """
        return cls(name, "fixed", parent, child, np.eye(3), _vector("position", position), np.zeros(3), -1, 1.0, 0.0)

    @classmethod
    def moving(
        cls,
        name: str,
        kind: str,
        parent: int,
        child: int,
        source: int,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        position: ArrayLike = (0.0, 0.0, 0.0),
        lower: float = -math.inf,
        upper: float = math.inf,
    ) -> JointModel:
        """Create a joint that turns or slides, without a rotation at 0.

        Parameters
        ----------
        name : str
            Its name.
        kind : str
            ``"revolute"``, ``"continuous"`` or ``"prismatic"``.
        parent : int
            Index of the parent link.
        child : int
            Index of the child link.
        source : int
            Index of its variable.
        axis : array_like, default (0.0, 0.0, 1.0)
            Axis, of any length but 0.
        position : array_like, default (0.0, 0.0, 0.0)
            Origin of the child's coordinates in the parent's.
        lower : float, default -inf
            Least value that the joint may have.
        upper : float, default inf
            Greatest value that the joint may have.

        Returns
        -------
        JointModel
            The joint.

        Raises
        ------
        ArgumentError
            `kind` is another word, the axis is 0, `lower` is above `upper`, or a continuous joint has a limit.

        Examples
        --------
        >>> import ccd
        >>> lift = ccd.robot.JointModel.moving("lift", "prismatic", 0, 1, source=0, axis=(0, 0, 2), upper=0.5)
        >>> lift.axis.tolist(), lift.upper
        ([0.0, 0.0, 1.0], 0.5)
        """
        arrays.choice("kind", kind, ("revolute", "continuous", "prismatic"))
        a = _vector("axis", axis)
        length = np.linalg.norm(a)
        if not length > 0:
            raise ArgumentError(f"axis is {a.tolist()}: must have a length above 0")
        least, most = check_limits("", lower, upper, kind)
        place, unit = _vector("position", position), a / length
        return cls(name, kind, parent, child, np.eye(3), place, unit, source, 1.0, 0.0, least, most)

    @classmethod
    def several(
        cls, name: str, kind: str, parent: int, child: int, source: int, position: ArrayLike = (0.0, 0.0, 0.0)
    ) -> JointModel:
        """Create a joint with several variables, without a rotation at 0: a mobile base, or a body that moves freely.

        ======== ========= =========================================================================
        kind     variables what they are
        ======== ========= =========================================================================
        planar   3         x, y, and the angle about z, which goes the short way as continuous joints do
        floating 7         x, y, z and a quaternion x, y, z, w, as in URDF, MoveIt, pinocchio
        free     7         x, y, z and a quaternion w, x, y, z, as a free joint of MuJoCo
        ball     4         a quaternion w, x, y, z, as a ball joint of MuJoCo
        ======== ========= =========================================================================

        Quaternions have any length above 0. On a straight edge a joint turns from one to the next by slerp: about one axis, by
        at most half a turn. On edges of a higher degree it may not turn.

        Parameters
        ----------
        name : str
            Its name.
        kind : str
            ``"planar"``, ``"floating"``, ``"free"`` or ``"ball"``.
        parent : int
            Index of the parent link.
        child : int
            Index of the child link.
        source : int
            Index of its first variable; the others follow it.
        position : array_like, default (0.0, 0.0, 0.0)
            Origin of the child's coordinates in the parent's.

        Returns
        -------
        JointModel
            The joint.

        Raises
        ------
        ArgumentError
            `kind` is another word, or `position` has another shape.

        Examples
        --------
        >>> import ccd
        >>> base = ccd.robot.JointModel.several("base", "planar", 0, 1, source=0)
        >>> robot = ccd.robot.Robot("cart", ["world", "cart"], [[], []], [base], ["x", "y", "angle"])
        >>> robot.place([1, 2, 0.5])["cart"][:3, 3].tolist()
        [1.0, 2.0, 0.0]
        """
        arrays.choice("kind", kind, tuple(PARTS))
        return cls(name, kind, parent, child, np.eye(3), _vector("position", position), np.zeros(3), source, 1.0, 0.0)


def check_limits(prefix: str, lower: float, upper: float, kind: str) -> tuple[float, float]:
    """The limits of a joint, if the lower one is not above the upper one, and a continuous joint has none."""
    least, most = arrays.number(f"{prefix}lower", lower), arrays.number(f"{prefix}upper", upper)
    if not least <= most:
        raise ArgumentError(f"{prefix}lower is {least}, upper is {most}: must not be below it")
    if kind == "continuous" and (least > -math.inf or most < math.inf):
        raise ArgumentError(f"{prefix}lower is {least}, upper is {most}: a continuous joint has no limits; use 'revolute'")
    return least, most


def check_rotation(name: str, rotation: ArrayLike, most: float) -> NDArray[np.float64]:
    """The matrix, if it is a rotation up to an error of this size in R^T R, by the Frobenius norm."""
    r = arrays.finite(name, arrays.doubles(name, rotation))
    if r.shape != (3, 3):
        raise ArgumentError(f"{name} has shape {r.shape}: must be (3, 3)")
    off = float(np.linalg.norm(r.T @ r - np.eye(3))) if np.abs(r).max() < 2 else np.inf
    if not off <= most:
        raise ArgumentError(f"{name} is not a rotation: its R^T R is off the identity by {off:.3g}, at most {most:g}")
    if np.linalg.det(r) < 0:
        raise ArgumentError(f"{name} is not a rotation: its determinant is -1, which mirrors")
    return r


def _vector(name: str, x: ArrayLike) -> NDArray[np.float64]:
    v = arrays.finite(name, arrays.row(name, x))
    if len(v) != 3:
        raise ArgumentError(f"{name} has {len(v)} numbers: must have 3")
    return v
