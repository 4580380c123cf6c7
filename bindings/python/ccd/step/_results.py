"""What calls on how far a step may go return."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..impact import Impact

if TYPE_CHECKING:
    from ..options import Options


class _Advanced(NamedTuple):
    alpha: float
    x: NDArray[np.float64]


class Advanced(_Advanced):
    """A step, and the positions that it leads to: a tuple of two, with `limit` beside.

    Attributes
    ----------
    alpha : float
        Fraction of the step in [0, share * t_max]; if it is 0, ``x`` is x0, bit for bit.
    x : numpy.ndarray
        Positions x0 + alpha * (x1 - x0), (n, 3) float64, rounded; they lie between x0 and x1, and are x1 if alpha is 1. With a
        motion those of its paths at alpha, rounded.
    """

    _limit: Impact | None = None

    @property
    def limit(self) -> Impact | None:
        """If alpha is 0, the first pair that is within its separation at the start and keeps the mesh from moving; else None.

        ``ccd.step.collisions`` with ``t_max=0`` lists all such pairs. If they are neighbors in thick cloth,
        `ccd.Mesh.exclude_near` leaves them out.
        """
        return self._limit

    def _limited(self, earliest: Callable[..., Impact], options: Options) -> Advanced:
        """The result with its `limit`: where alpha is 0, what `earliest` finds at the start."""
        if self.alpha == 0:
            left_out = ("stats", "progress", "t_max")
            hit = earliest(**{name: value for name, value in options.items() if name not in left_out}, t_max=0.0)
            self._limit = None if hit.separate else hit
        return self


class Sizes(NamedTuple):
    """A step for each vertex, and the positions that the steps lead to.

    Attributes
    ----------
    alpha : numpy.ndarray
        The step of each vertex, (n,) float64: 0, or in [floor, 1].
    y : numpy.ndarray
        Positions x0 + alpha[:, None] * (x1 - x0), (n, 3) float64, rounded; they lie between x0 and x1, and are x1 where
        alpha is 1 and x0 where it is 0. With a motion those where its paths are at alpha.
    passes : int
        Searches; the first concerns the whole mesh, the others what the one before changed.
    used : float
        The part of the motion that is left: the lengths of alpha (x1 - x0), summed over the vertices, over those of x1 - x0.
    resting : int
        Vertices whose alpha is 0 and whose x1 is not x0.
    floor : float
        Each alpha is 0 or at least this; 1 if no pair comes too near.
    """

    alpha: NDArray[np.float64]
    y: NDArray[np.float64]
    passes: int
    used: float
    resting: int
    floor: float


class LinesearchBound(NamedTuple):
    """How far a line search along x0 -> x1 may go, and why.

    Attributes
    ----------
    alpha : float
        Fraction of the step: every step up to it is safe.
    distance : float
        A length: all pairs are farther apart than this at x0.
    separation : float
        A length: all pairs keep more than this up to ``alpha``.
    """

    alpha: float
    distance: float
    separation: float
