"""Rotations, displacements, and the screw between two of them."""

from __future__ import annotations

import math

import numpy as np

from ._bounds import Doubles


def rotation(vector: Doubles) -> Doubles:
    """The matrix (3, 3) that turns by the length of a vector about it."""
    angle = float(np.linalg.norm(vector))
    x, y, z = vector
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    if angle < 1e-8:
        small: Doubles = np.eye(3) + k + 0.5 * k @ k
        return small
    found: Doubles = np.eye(3) + math.sin(angle) / angle * k + (1 - math.cos(angle)) / angle**2 * (k @ k)
    return found


def vector(turn: Doubles) -> Doubles:
    """The rotation vector of a matrix, of at most half a turn."""
    odd = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sin, cos = 0.5 * float(np.linalg.norm(odd)), 0.5 * (float(np.trace(turn)) - 1)
    angle = math.atan2(sin, cos)
    if sin > 1e-6:
        return odd * (0.5 * angle / sin)
    if cos > 0:
        return 0.5 * odd
    # Near half a turn the symmetric part, 2 n n^T - 1, has the axis.
    even = 0.5 * (turn + turn.T) + np.eye(3)
    axis = even[:, int(np.argmax(np.diag(even)))]
    axis = axis / np.linalg.norm(axis)
    return axis * (angle if axis @ odd >= 0 else -angle)


def about(point: Doubles, axis: Doubles, angle: float, slide: float) -> Doubles:
    """The displacement (4, 4) that turns about a line and slides along it."""
    out = np.eye(4)
    out[:3, :3] = rotation(angle * axis)
    out[:3, 3] = point - out[:3, :3] @ point + slide * axis
    return out


def between(start: Doubles, end: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """The rotation vector, the displacement of the origin and a point of the axis of the screw from one to the other."""
    turn = end[:3, :3] @ start[:3, :3].T
    moved = end[:3, 3] - turn @ start[:3, 3]
    w = vector(turn)
    angle = float(np.linalg.norm(w))
    if angle < 1e-12:
        return w, moved, np.zeros(3)
    axis = w / angle
    across = moved - (moved @ axis) * axis
    # (1 - R) c = across has the solution below in the plane across the axis.
    point = 0.5 * (across + np.cross(axis, across) / math.tan(0.5 * angle))
    return w, moved, point


def part_way(start: Doubles, end: Doubles, share: float) -> Doubles:
    """The displacement at a share of the screw from one to the other."""
    if np.array_equal(start, end):
        return start
    w, moved, point = between(start, end)
    angle = float(np.linalg.norm(w))
    if angle < 1e-6:
        out = start.copy()
        out[:3, 3] = (1 - share) * start[:3, 3] + share * end[:3, 3]
        out[:3, :3] = rotation(share * w) @ start[:3, :3]
        return out
    axis = w / angle
    found: Doubles = about(point, axis, share * angle, share * float(moved @ axis)) @ start
    return found


def turned(x: Doubles, w: Doubles, times: Doubles) -> Doubles:
    """Vectors (n, 3) or (times, n, 3) turned at a rate for each time, (times, n, 3)."""
    x = np.broadcast_to(x, (len(times), *x.shape[-2:]))
    rate = float(np.linalg.norm(w))
    if rate == 0:
        return x
    k, angle = w / rate, (rate * times)[:, None, None]
    along = (x @ k)[..., None] * k
    found: Doubles = along + np.cos(angle) * (x - along) + np.sin(angle) * (x @ across(k))
    return found


def across(w: Doubles) -> Doubles:
    """The matrix M with x M = the cross product of w and x."""
    x, y, z = w.tolist()
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def from_axis(x: Doubles, axis: Doubles) -> Doubles:
    """The distances of points (n, 3) from the line through 0 along an axis; 0 without an axis."""
    length = float(np.linalg.norm(axis))
    if length == 0:
        return np.zeros(len(x))
    found: Doubles = np.linalg.norm(np.cross(x, axis / length), axis=1)
    return found
