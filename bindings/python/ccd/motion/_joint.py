"""Joints of a chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from .._native import abi, arrays
from ..errors import ArgumentError
from ..rigid import Motion as RigidMotion
from ..rigid._motion import to_struct


@dataclass(frozen=True)
class Joint:
    """A joint of a chain: how a link moves in the coordinates of its parent.

    A point p of the link is at position + R(rotation) J(t) p. J turns about the axis through the link's origin, or slides along
    it, by value0 + t (value1 - value0).

    Parameters
    ----------
    kind : str
        ``"fixed"``, ``"revolute"`` (radians) or ``"prismatic"`` (a length).
    parent : int, default -1
        Index of the parent's joint, which must come first; -1 for the base.
    rotation : array_like or Rotation, default (1.0, 0.0, 0.0, 0.0)
        Rotation of the link's coordinates, as in `ccd.rigid.Motion`.
    position : sequence of float, default (0.0, 0.0, 0.0)
        The link's origin, in the parent's coordinates.
    axis : sequence of float, default (0.0, 0.0, 1.0)
        Axis in the link's coordinates, of any length but 0.
    value0 : float, default 0.0
        Value of the joint at t = 0.
    value1 : float, default 0.0
        Value of the joint at t = 1.

    Examples
    --------
    >>> import ccd
    >>> ccd.motion.Joint("revolute", value1=0.5).axis
    (0.0, 0.0, 1.0)
    """

    kind: str
    parent: int = -1
    rotation: Any = (1.0, 0.0, 0.0, 0.0)
    position: Sequence[float] | NDArray[Any] = (0.0, 0.0, 0.0)
    axis: Sequence[float] | NDArray[Any] = (0.0, 0.0, 1.0)
    value0: float = 0.0
    value1: float = 0.0


_KINDS = {"fixed": 0, "revolute": 1, "prismatic": 2}


def joint_struct(name: str, joint: Joint) -> abi.MotionJoint:
    """The joint of the C interface; `name` names it in errors."""
    if not isinstance(joint, Joint):
        raise ArgumentError(f"{name} is {type(joint).__name__}: must be a ccd.motion.Joint")
    kind = _KINDS[arrays.choice(f"{name}.kind", joint.kind, tuple(_KINDS))]
    axis = arrays.row(f"{name}.axis", joint.axis)
    if len(axis) != 3:
        raise ArgumentError(f"{name}.axis has shape {axis.shape}: must be (3,)")
    try:
        placed = RigidMotion(rotation=joint.rotation, position=joint.position, velocity=axis)
    except ArgumentError as error:
        raise type(error)(f"{name}.{error}") from None
    place = to_struct(name, placed)
    parent = arrays.integer(f"{name}.parent", joint.parent, -1, 2**31 - 1)
    values = (arrays.number(f"{name}.{field}", getattr(joint, field)) for field in ("value0", "value1"))
    return abi.MotionJoint(kind, parent, place.rotation, place.position, place.velocity, *values)
