"""What calls with images return."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..impact import Impact, Verdict


class Hit(NamedTuple):
    """The earliest impact, and the image that it is with. As a condition it is false only if all are proven separate.

    Attributes
    ----------
    impact : ccd.Impact
        The impact; its primitives are numbered as in the mesh.
    shift : tuple of int
        Primitive b is displaced by ``shift @ cell``; zeros where it is the mesh's own, or where all are separate.
    slack : float
        A length: the largest separation that was added for the rounding of images.
    """

    impact: Impact
    shift: tuple[int, ...]
    slack: float

    def __bool__(self) -> bool:
        """Whether there may be contact: False only if it is proven that there is none."""
        return bool(self.impact)

    @property
    def verdict(self) -> Verdict:
        """The verdict of the impact."""
        return self.impact.verdict

    @property
    def separate(self) -> bool:
        """Whether it is proven that there is no contact, with images."""
        return self.impact.separate

    @property
    def toi_lo(self) -> float:
        """The time before which there is no contact."""
        return self.impact.toi_lo

    @property
    def toi_hi(self) -> float:
        """The time at which there is contact."""
        return self.impact.toi_hi


class Impacts(NamedTuple):
    """All impacts, those with images among them.

    Attributes
    ----------
    impacts : numpy.ndarray
        Records (m,) of `ccd.impact_dtype`, sorted by ``toi_lo``. ``a`` may be greater than ``b`` for two edges. Points are
        where primitive a is.
    shifts : numpy.ndarray
        Primitive b is displaced by ``shifts[i] @ cell`` in impact i, (m, k) int64.
    slack : float
        A length: the largest separation that was added for the rounding of images.
    """

    impacts: NDArray[np.void]
    shifts: NDArray[np.int64]
    slack: float


class Constraints(NamedTuple):
    """Constraints for a solver, those with images among them.

    Attributes
    ----------
    constraints : numpy.ndarray
        Records (m,) of `ccd.constraint_dtype`, sorted by ``toi_lo`` of their impacts. ``vertices`` are those of the mesh, each once
        in a constraint. ``separation`` of a pair with an image is less by the distance along the normal by which the image is
        displaced, so that ``gap`` is ``weights @ (x1[vertices] @ normal) - separation`` for every constraint.
    shifts : numpy.ndarray
        Primitive b is displaced by ``shifts[i] @ cell`` in constraint i, (m, k) int64.
    slack : float
        A length: the largest separation that was added for the rounding of images.
    """

    constraints: NDArray[np.void]
    shifts: NDArray[np.int64]
    slack: float


class NearPairs(NamedTuple):
    """All near pairs, those with images among them.

    Attributes
    ----------
    pairs : numpy.ndarray
        Records (m,) of `ccd.proximity.near_pair_dtype`, the mesh's own first. The distances of pairs with an image are widened
        by the slack, and ``point_b`` is displaced.
    shifts : numpy.ndarray
        Primitive b is displaced by ``shifts[i] @ cell`` in pair i, (m, k) int64.
    slack : float
        A length: the largest distance by which an image is off its place.
    """

    pairs: NDArray[np.void]
    shifts: NDArray[np.int64]
    slack: float


class Advanced(NamedTuple):
    """A safe part of a step.

    Attributes
    ----------
    alpha : float
        The part, in [0, 1]; if it is 0, ``x`` is x0.
    x : numpy.ndarray
        Positions, (n, 3) float64: on the straight way from x0 to just these doubles nothing comes to its separation, images
        among them. This is proven.
    """

    alpha: float
    x: NDArray[np.float64]
