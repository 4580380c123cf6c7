"""Poses and rotations as users have them: quaternions, matrices, and objects with a matrix, such as SciPy's."""

from __future__ import annotations

import math
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import arrays
from ..errors import ArgumentError

TOLERANCE = 1e-6  # most error of an entry of R^T R: a rotation in single precision is off by 2e-7


class HasMatrix(Protocol):
    """An object such as scipy.spatial.transform.Rotation, or RigidTransform for a pose."""

    def as_matrix(self) -> Any:
        """Return the matrix."""


RotationLike: TypeAlias = ArrayLike | HasMatrix
PoseLike: TypeAlias = ArrayLike | HasMatrix | tuple[ArrayLike | HasMatrix, ArrayLike]


def quaternion(name: str, x: Any) -> NDArray[np.float64]:
    """The quaternion w, x, y, z of a rotation: a quaternion, a matrix (3, 3), or an object with as_quat or as_matrix."""
    if hasattr(x, "as_quat"):
        return _from_scalar_last(name, x)
    array = _array(name, x)
    if array.shape == (4,):
        return array
    if array.shape != (3, 3):
        hint = "; for a pose write Motion.from_pose, for two poses motion_between" if array.shape == (4, 4) else ""
        raise ArgumentError(f"{name} has shape {array.shape}: must be (4,) or (3, 3){hint}")
    return from_matrix(name, array)


def pose(name: str, x: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The quaternion w, x, y, z and the position of a pose: a matrix (4, 4), an object with one, or rotation and position."""
    if hasattr(x, "as_quat"):
        raise ArgumentError(f"{name} is {type(x).__name__}, without a position: must be (4, 4), or a rotation and a position")
    if isinstance(x, (int, float, str)) or x is None:
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a rotation and a position, or a matrix (4, 4)")
    if not hasattr(x, "as_matrix") and not hasattr(x, "__array__"):
        both = to_list(name, x)
        if len(both) == 2:
            if hasattr(both[1], "as_quat"):
                raise ArgumentError(f"{name} is a position and a rotation: the order is (rotation, position)")
            position = arrays.doubles(f"position of {name}", both[1])
            return quaternion(f"rotation of {name}", both[0]), position
        if not both or not all(isinstance(row, (list, tuple, np.ndarray)) for row in both):
            hint = f"; without a turn pass ((1, 0, 0, 0), {name})" if len(both) == 3 else ""
            raise ArgumentError(f"{name} has {len(both)} items: must be a rotation and a position, or a matrix (4, 4){hint}")
    matrix = _array(name, x)
    if matrix.shape != (4, 4):
        raise ArgumentError(f"{name} has shape {matrix.shape}: must be (4, 4)")
    arrays.finite(name, matrix)
    if matrix[3].tolist() != [0, 0, 0, 1]:
        hint = "; the position is the last column: transpose the matrix" if matrix[:, 3].tolist() == [0, 0, 0, 1] else ""
        raise ArgumentError(f"{name} has the last row {matrix[3].tolist()}: must be 0, 0, 0, 1{hint}")
    return from_matrix(f"rotation of {name}", matrix[:3, :3]), matrix[:3, 3].copy()


def from_matrix(name: str, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The unit quaternion w, x, y, z of a rotation matrix (3, 3), by Shepperd's method: from its largest component."""
    arrays.finite(name, matrix)
    with np.errstate(over="ignore", invalid="ignore"):
        off = float(np.abs(matrix.T @ matrix - np.eye(3)).max())
    if not off <= TOLERANCE:
        raise ArgumentError(
            f"{name} is not a rotation: its R^T R is off the identity by {off:.3g}, at most {TOLERANCE:g}; scale the vertices"
        )
    if np.linalg.det(matrix) < 0:
        raise ArgumentError(f"{name} is not a rotation: its determinant is -1, which mirrors; mirror the vertices")
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    trace = a + e + i
    rows = {
        trace: (1 + trace, h - f, c - g, d - b),
        a: (h - f, 1 + 2 * a - trace, b + d, c + g),
        e: (c - g, b + d, 1 + 2 * e - trace, f + h),
        i: (d - b, c + g, f + h, 1 + 2 * i - trace),
    }
    w, x, y, z = rows[max(rows)]
    length = math.sqrt(w * w + x * x + y * y + z * z)
    return np.array([w / length, x / length, y / length, z / length])


def to_matrix(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rotation matrix of a quaternion w, x, y, z."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def to_list(name: str, x: Any) -> list[Any]:
    """The items of a sequence."""
    try:
        return list(x)
    except TypeError:
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a sequence") from None


def _array(name: str, x: Any) -> NDArray[np.float64]:
    return arrays.doubles(name, x.as_matrix() if hasattr(x, "as_matrix") else x)


def _from_scalar_last(name: str, x: Any) -> NDArray[np.float64]:
    """The quaternion of an object with as_quat, which is x, y, z, w, as SciPy has it."""
    array = arrays.doubles(name, x.as_quat())
    if array.shape != (4,):
        raise ArgumentError(f"{name} holds {len(array) if array.ndim else 0} rotations: must be a single one")
    turned = arrays.finite(name, array)[[3, 0, 1, 2]]
    if not turned.any():
        raise ArgumentError(f"{name} is 0: must not be")
    # A package that puts w first would be misread; its matrix shows it.
    if hasattr(x, "as_matrix") and not np.allclose(to_matrix(turned), x.as_matrix(), rtol=0, atol=TOLERANCE):
        raise ArgumentError(f"{name} has an as_quat that is not its as_matrix: as_quat must be x, y, z, w")
    return turned
