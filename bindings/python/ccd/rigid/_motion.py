"""Motions at constant rates: a straight line and a rotation."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.call import check
from ..errors import ArgumentError
from . import _pose
from ._pose import PoseLike, RotationLike

motion_dtype: np.dtype[np.void] = np.dtype(
    [("rotation", np.float64, 4)] + [(name, np.float64, 3) for name in ("position", "velocity", "angular_velocity", "pivot")]
)
"""Record of one motion: 128 bytes, the layout of ``ccd_rigid_motion`` in ccd.h, with the fields of `Motion`.

==================== ======= ===== ==================================================
field                type    shape meaning
==================== ======= ===== ==================================================
``rotation``         float64 (4,)  quaternion w, x, y, z at t = 0; not 0
``position``         float64 (3,)  of the pivot at t = 0, in world coordinates
``velocity``         float64 (3,)  of the pivot, per unit of time
``angular_velocity`` float64 (3,)  axis times radians per unit of time
``pivot``            float64 (3,)  point of the body that moves on a straight line
==================== ======= ===== ==================================================
"""


@dataclass(frozen=True)
class Motion:
    """A motion with constant velocity and constant angular velocity.

    At the time t the body's point p is at position + t velocity + exp(t [angular_velocity]x) R(rotation) (p - pivot).

    Parameters
    ----------
    rotation : array_like or Rotation, default (1.0, 0.0, 0.0, 0.0)
        Rotation at t = 0: a quaternion w, x, y, z, (4,), not 0, of any length, a rotation matrix (3, 3), or an object with
        ``as_quat`` (x, y, z, w) or ``as_matrix``, such as SciPy's ``Rotation``. Matrices and objects are converted: the field
        is a quaternion. R is the rotation of the unit quaternion in its direction.
    position : sequence of float, default (0.0, 0.0, 0.0)
        Position of the pivot at t = 0, in world coordinates.
    velocity : sequence of float, default (0.0, 0.0, 0.0)
        Velocity of the pivot, a length per unit of time.
    angular_velocity : sequence of float, default (0.0, 0.0, 0.0)
        Axis times radians per unit of time, in world coordinates.
    pivot : sequence of float, default (0.0, 0.0, 0.0)
        The point of the body, in its coordinates, that moves on a straight line.

    Raises
    ------
    ArgumentError
        A matrix is not a rotation within 1e-6, a quaternion is 0, or a field has another shape. What the numbers are is
        checked by the calls that take the motion.

    See Also
    --------
    motion_between : The motion from one pose to another.
    motion_screw : A motion about a line.

    Examples
    --------
    >>> import math, ccd
    >>> turn = ccd.rigid.Motion(angular_velocity=(0, 0, math.pi / 2))
    >>> turn.at(1, [[1, 0, 0]]).round(9).tolist()
    [[0.0, 1.0, 0.0]]
    >>> ccd.rigid.Motion(rotation=[[1, 0, 0], [0, -1, 0], [0, 0, -1]]).rotation
    (0.0, 1.0, 0.0, 0.0)
    """

    rotation: Any = (1.0, 0.0, 0.0, 0.0)
    position: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)
    velocity: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)
    angular_velocity: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)
    pivot: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        x = self.rotation
        nested = isinstance(x, (list, tuple)) and any(isinstance(row, (list, tuple, np.ndarray)) for row in x)
        if nested or hasattr(x, "as_quat") or hasattr(x, "as_matrix") or getattr(x, "ndim", 1) > 1:
            object.__setattr__(self, "rotation", tuple(_pose.quaternion("rotation", x).tolist()))
        elif hasattr(x, "__len__") and not isinstance(x, (str, bytes)):
            if len(x) == 3:
                raise ArgumentError(
                    "rotation has 3 items: must be a quaternion w, x, y, z or a matrix (3, 3); for angles pass SciPy's "
                    "Rotation.from_euler(...), for an axis times an angle Rotation.from_rotvec(...)"
                )
            if len(x) == 4 and not any(x):
                raise ArgumentError("rotation is 0: no rotation; (1, 0, 0, 0) is the one that turns nothing")
        for name in ("position", "velocity", "angular_velocity", "pivot"):
            shape = arrays.to_array(name, getattr(self, name)).shape
            if shape != (3,):
                raise ArgumentError(f"{name} has shape {shape}: must be (3,), its components along x, y and z")

    @classmethod
    def from_pose(
        cls,
        pose: PoseLike,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
        pivot: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Motion:
        """Make the motion that has a pose at t = 0.

        Parameters
        ----------
        pose : array_like or tuple
            A matrix (4, 4), which takes the body's coordinates to those of the world, an object whose ``as_matrix`` returns
            one, such as SciPy's ``RigidTransform``, or a pair of rotation, as of `Motion`, and position (3,).
        velocity : array_like, default (0.0, 0.0, 0.0)
            Velocity of the pivot, (3,), a length per unit of time.
        angular_velocity : array_like, default (0.0, 0.0, 0.0)
            Axis times radians per unit of time, in world coordinates, (3,).
        pivot : array_like, default (0.0, 0.0, 0.0)
            The point of the body, in its coordinates, that moves on a straight line, (3,).

        Returns
        -------
        Motion
            The motion; its position is the one of the pivot.

        Raises
        ------
        ArgumentError
            `pose` has another shape, or its matrix is not a rotation within 1e-6 and a translation.
        NonFiniteError
            A number of the pose is NaN, infinite or too large. Velocities are checked by the calls that take the motion.

        Examples
        --------
        >>> import ccd
        >>> pose = [[0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        >>> ccd.rigid.Motion.from_pose(pose, velocity=(0, 0, 1)).at(2, [[1, 0, 0]]).round(9).tolist()
        [[5.0, 1.0, 2.0]]
        """
        at = _pose.pose("pose", pose)
        still = _between(("pose", *at), ("pose", *at), 1.0, pivot)
        return cls(
            still.rotation,
            still.position,
            tuple(_vector("velocity", velocity, 3)),
            tuple(_vector("angular_velocity", angular_velocity, 3)),
            still.pivot,
        )

    def matrix(self, t: float) -> NDArray[np.float64]:
        """Return the pose at a time as a matrix, rounded.

        Parameters
        ----------
        t : float
            The time.

        Returns
        -------
        numpy.ndarray
            Matrix (4, 4) float64 that takes the body's coordinates to those of the world.

        Raises
        ------
        ArgumentError
            An argument has another shape or type, or a field of the motion is out of range.
        NonFiniteError
            A number is NaN, infinite or too large.

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Motion(velocity=(2, 0, 0)).matrix(0.5)[:3, 3].tolist()
        [1.0, 0.0, 0.0]
        """
        rotation, position = motion_pose(self, t)
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = _pose.to_matrix(rotation), position
        return out

    def at(self, t: float, points: ArrayLike) -> NDArray[np.float64]:
        """Return points of the body in world coordinates at a time, rounded.

        Parameters
        ----------
        t : float
            The time.
        points : array_like
            Points in the body's coordinates, (n, 3).

        Returns
        -------
        numpy.ndarray
            Points in world coordinates, (n, 3) float64.

        Raises
        ------
        ArgumentError
            An argument has another shape or type, or a field of the motion is out of range.
        NonFiniteError
            A number is NaN, infinite or too large.

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Motion(velocity=(2, 0, 0)).at(0.5, [[0, 0, 0], [0, 3, 0]]).tolist()
        [[1.0, 0.0, 0.0], [1.0, 3.0, 0.0]]
        """
        rotation, position = motion_pose(self, t)
        inside = arrays.finite("points", arrays.coordinates("points", points))
        placed: NDArray[np.float64] = inside @ _pose.to_matrix(rotation).T + position
        return placed

    def back(self, t: float, points: ArrayLike) -> NDArray[np.float64]:
        """Return points of the world in the body's coordinates at a time, rounded.

        Parameters
        ----------
        t : float
            The time.
        points : array_like
            Points in world coordinates, (n, 3).

        Returns
        -------
        numpy.ndarray
            Points in the body's coordinates, (n, 3) float64.

        Raises
        ------
        ArgumentError
            An argument has another shape or type, or a field of the motion is out of range.
        NonFiniteError
            A number is NaN, infinite or too large.

        Examples
        --------
        >>> import ccd
        >>> ccd.rigid.Motion(velocity=(2, 0, 0)).back(0.5, [[1, 3, 0]]).tolist()
        [[0.0, 3.0, 0.0]]
        """
        rotation, position = motion_pose(self, t)
        return (arrays.finite("points", arrays.coordinates("points", points)) - position) @ _pose.to_matrix(rotation)

    def _c(self) -> abi.RigidMotion:
        fields = self.rotation, self.position, self.velocity, self.angular_velocity, self.pivot
        if all(type(x) is tuple and len(x) == n for x, n in zip(fields, _SIZES.values())):
            flat = [*fields[0], *fields[1], *fields[2], *fields[3], *fields[4]]
            if all(type(x) is float for x in flat):
                # This is the common case, in a tenth of the time of what follows.
                return abi.RigidMotion.from_buffer_copy(_PACKED(*flat))
        return abi.RigidMotion(*(_vector(name, getattr(self, name), n) for name, n in _SIZES.items()))


_SIZES = {"rotation": 4, "position": 3, "velocity": 3, "angular_velocity": 3, "pivot": 3}
_PACKED = struct.Struct("16d").pack


def _vector(name: str, x: ArrayLike, n: int) -> Any:
    array = arrays.doubles(name, x)
    if array.shape != (n,):
        raise ArgumentError(f"{name} has shape {array.shape}: must be ({n},)")
    return (ctypes.c_double * n)(*array)


def to_motion(name: str, x: Any) -> Motion:
    """A motion, or the one of a body at rest in a pose (4, 4); errors name the argument."""
    if isinstance(x, Motion):
        return x
    if isinstance(x, (list, tuple)) or hasattr(x, "__array__") or hasattr(x, "as_matrix"):
        rotation, position = _pose.pose(name, x)
        try:
            return Motion(rotation, position)
        except ArgumentError as error:
            raise type(error)(f"{name}.{error}") from None
    order = "; each body comes before its motion: (a, ma, b, mb)" if type(x).__name__ == "Body" else ""
    raise ArgumentError(f"{name} is {type(x).__name__}: must be a ccd.rigid.Motion, or a pose (4, 4){order}")


def to_struct(name: str, motion: Any) -> abi.RigidMotion:
    """A motion or a pose in C form; errors name the argument."""
    given = to_motion(name, motion)
    try:
        return given._c()
    except ArgumentError as error:
        raise type(error)(f"{name}.{error}") from None


def to_records(name: str, x: Any) -> NDArray[np.void]:
    """A list of motions and poses, or an array of motions, as an array of motions."""
    if not isinstance(x, np.ndarray) or (x.dtype.names is None and x.ndim == 3):
        structs = [bytes(to_struct(f"{name}[{i}]", item)) for i, item in enumerate(_pose.to_list(name, x))]
        return np.frombuffer(b"".join(structs), motion_dtype)
    array = arrays.to_array(name, x)
    if array.dtype != motion_dtype or array.ndim != 1:
        raise ArgumentError(f"{name} has dtype {array.dtype} and shape {array.shape}: must be an array of motion_dtype")
    return np.require(array, requirements=("C", "A"))


def motion_pose(motion: Motion, t: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the pose of a body at a time, rounded.

    Parameters
    ----------
    motion : Motion
        The motion.
    t : float
        The time.

    Returns
    -------
    rotation : numpy.ndarray
        Quaternion w, x, y, z, (4,) float64.
    position : numpy.ndarray
        Position, (3,) float64: the point p is at position + R(rotation) p.

    Raises
    ------
    ArgumentError
        `motion` is no motion, or is out of range.
    NonFiniteError
        A number is NaN, infinite or too large.

    Examples
    --------
    >>> import ccd
    >>> rotation, position = ccd.rigid.motion_pose(ccd.rigid.Motion(velocity=(2, 0, 0)), 0.5)
    >>> position.tolist()
    [1.0, 0.0, 0.0]
    """
    rotation, position, c = np.empty(4), np.empty(3), to_struct("motion", motion)
    check(abi.library().ccd_rigid_motion_pose(ctypes.byref(c), arrays.number("t", t), rotation.ctypes, position.ctypes))
    return rotation, position


def motion_between(
    start: PoseLike,
    end: PoseLike,
    duration: float = 1.0,
    pivot: ArrayLike = (0.0, 0.0, 0.0),
) -> Motion:
    """Compute the motion from one pose to another.

    The body's point `pivot` moves on a straight line, and the body turns about it at a constant rate, the shorter way.

    Parameters
    ----------
    start : array_like or tuple
        Pose at t = 0: a matrix (4, 4), an object whose ``as_matrix`` returns one, or a pair of rotation, as of `Motion`, and
        position (3,).
    end : array_like or tuple
        Pose at t = `duration`.
    duration : float, default 1.0
        Time between the poses, above 0.
    pivot : array_like, default (0.0, 0.0, 0.0)
        Point in the body's coordinates, (3,); the center of mass is a good choice.

    Returns
    -------
    Motion
        The motion.

    Raises
    ------
    ArgumentError
        A pose is no matrix of a rotation and a translation, and no pair of rotation and position, or `duration` is not above
        0.
    NonFiniteError
        A number is NaN, infinite or too large.

    Examples
    --------
    >>> import ccd
    >>> rotation = (1, 0, 0, 0)
    >>> ccd.rigid.motion_between((rotation, (0, 0, 0)), (rotation, (3, 0, 0)), duration=2).velocity
    (1.5, 0.0, 0.0)
    """
    return _between(("start", *_pose.pose("start", start)), ("end", *_pose.pose("end", end)), duration, pivot)


def _between(start: tuple[str, Any, Any], end: tuple[str, Any, Any], duration: float, pivot: ArrayLike) -> Motion:
    """The motion between two poses, each with its name in errors, rotation and position."""
    given: list[Any] = []
    for name, rotation, position in (start, end):
        given += [_vector(f"rotation of {name}", rotation, 4), _vector(f"position of {name}", position, 3)]
        if not any(given[-2]):
            raise ArgumentError(f"rotation of {name} is 0: must be a quaternion other than 0; no rotation is 1, 0, 0, 0")
    c = abi.RigidMotion()
    given += [arrays.number("duration", duration), _vector("pivot", pivot, 3)]
    check(abi.library().ccd_rigid_motion_between(*given, ctypes.byref(c)))
    return Motion(**{name: tuple(getattr(c, name)) for name in _SIZES})


def motion_screw(
    rotation: RotationLike, position: ArrayLike, axis_point: ArrayLike, angular_velocity: ArrayLike, speed: float
) -> Motion:
    """Compute the motion of a body that turns about a line and slides along it.

    Parameters
    ----------
    rotation : array_like or Rotation
        Rotation at t = 0, as of `Motion`: a quaternion w, x, y, z, (4,), a matrix (3, 3), or an object with one of them.
    position : array_like
        Position at t = 0, (3,).
    axis_point : array_like
        A point of the line in world coordinates, (3,).
    angular_velocity : array_like
        Direction of the line times radians per unit of time, (3,).
    speed : float
        Speed along the line, a length per unit of time.

    Returns
    -------
    Motion
        The motion.

    Raises
    ------
    ArgumentError
        An array has another shape, or a number is out of range.
    NonFiniteError
        A number is NaN, infinite or too large.

    Examples
    --------
    >>> import ccd
    >>> motion = ccd.rigid.motion_screw((1, 0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 2), 0.5)
    >>> motion.at(0, [[1, 0, 0]]).round(9).tolist(), motion.velocity[2]
    ([[1.0, 0.0, 0.0]], 0.5)
    """
    c = abi.RigidMotion()
    given = [
        _vector(name, x, n)
        for name, x, n in (
            ("rotation", _pose.quaternion("rotation", rotation), 4),
            ("position", position, 3),
            ("axis_point", axis_point, 3),
            ("angular_velocity", angular_velocity, 3),
        )
    ]
    check(abi.library().ccd_rigid_motion_screw(*given, arrays.number("speed", speed), ctypes.byref(c)))
    return Motion(**{name: tuple(getattr(c, name)) for name in _SIZES})
