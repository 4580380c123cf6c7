"""What is to stay closed: a pin, a slot or a ball between two links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ArgumentError
from ._joint import _vector

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Loop:
    """A constraint that closes a chain: a point of one link stays on a point, a line or a plane of another.

    Let x be the point of `a` in the coordinates of `b`, less `point_b`. The constraint is ``across @ x == 0``. `pin`, `slot`
    and `ball` make the usual ones.

    Attributes
    ----------
    a : str
        Name of a link.
    point_a : numpy.ndarray
        A point of it, in its coordinates, (3,).
    b : str
        Name of another link.
    point_b : numpy.ndarray
        A point of that, in its coordinates, (3,).
    across : numpy.ndarray
        Directions in the coordinates of `b` along which the points stay together, (1 to 3, 3): one equation each.
    """

    a: str
    point_a: NDArray[np.float64]
    b: str
    point_b: NDArray[np.float64]
    across: NDArray[np.float64]

    @classmethod
    def pin(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike, axis: ArrayLike = (0.0, 0.0, 1.0)) -> Loop:
        """Create the constraint of a hinge in a planar chain: two equations, across the axis.

        The other joints of the loop turn about axes that are parallel to this one, or slide across it: then the links keep
        their places along it.

        Parameters
        ----------
        a : str
            Name of a link.
        point_a : array_like
            A point of the axis, in its coordinates, (3,).
        b : str
            Name of the other link.
        point_b : array_like
            A point of the axis, in its coordinates.
        axis : array_like, default (0.0, 0.0, 1.0)
            The axis, in the coordinates of `b`.

        Returns
        -------
        Loop
            The constraint.

        Raises
        ------
        ArgumentError
            An array has another shape, or the axis is 0.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Loop.pin("coupler", [2, 0, 0], "rocker", [1, 0, 0]).across.tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        """
        n = _direction("axis", axis)
        first = np.eye(3)[int(np.argmin(np.abs(n)))]
        first = _direction("axis", first - n * (first @ n))
        return cls._made(a, point_a, b, point_b, np.array([first, np.cross(n, first)]))

    @classmethod
    def slot(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike, along: ArrayLike, axis: ArrayLike) -> Loop:
        """Create the constraint of a pin in a straight slot of a planar chain: one equation.

        Parameters
        ----------
        a : str
            Name of the link with the pin.
        point_a : array_like
            The pin, in its coordinates, (3,).
        b : str
            Name of the link with the slot.
        point_b : array_like
            A point of the slot, in its coordinates.
        along : array_like
            Direction of the slot, in the coordinates of `b`.
        axis : array_like
            Direction across the plane of the chain, in the coordinates of `b`.

        Returns
        -------
        Loop
            The constraint.

        Raises
        ------
        ArgumentError
            An array has another shape, or the directions are 0 or parallel.

        Examples
        --------
        >>> import ccd
        >>> ccd.robot.Loop.slot("crank", [1, 0, 0], "yoke", [0, 0, 0], along=[0, 2, 0], axis=[0, 0, 1]).across.tolist()
        [[-1.0, 0.0, 0.0]]
        """
        n = np.cross(_direction("axis", axis), _direction("along", along))
        return cls._made(a, point_a, b, point_b, _direction("along and axis are parallel: their cross product", n)[None])

    @classmethod
    def ball(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike) -> Loop:
        """Create the constraint of a ball joint: three equations.

        Parameters
        ----------
        a : str
            Name of a link.
        point_a : array_like
            The center, in its coordinates, (3,).
        b : str
            Name of the other link.
        point_b : array_like
            The center, in its coordinates.

        Returns
        -------
        Loop
            The constraint.

        Raises
        ------
        ArgumentError
            An array has another shape.

        Examples
        --------
        >>> import ccd
        >>> len(ccd.robot.Loop.ball("rod", [0, 0, 1], "plate", [1, 0, 0]).across)
        3
        """
        return cls._made(a, point_a, b, point_b, np.eye(3))

    @classmethod
    def _made(cls, a: str, point_a: ArrayLike, b: str, point_b: ArrayLike, across: Array) -> Loop:
        return cls(a, _vector("point_a", point_a), b, _vector("point_b", point_b), across + 0.0)


def _direction(name: str, v: ArrayLike) -> Array:
    x = _vector(name, v)
    length = float(np.linalg.norm(x))
    if not length > 1e-9 * (1 if name.startswith("along and") else 1e-200):
        raise ArgumentError(f"{name} is {x.tolist()}: must have a length above 0")
    unit: Array = x / length
    return unit
