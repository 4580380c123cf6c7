"""ipctk.tight_inclusion: the narrow phase without rescaling."""

from __future__ import annotations

import enum
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import pair
from ..impact import Kind
from . import _checked
from ._narrow import query


class CCDRootFindingMethod(enum.Enum):
    """Both give the same result here: there is one method."""

    DEPTH_FIRST_SEARCH = 0
    BREADTH_FIRST_SEARCH = 1


DEPTH_FIRST_SEARCH = CCDRootFindingMethod.DEPTH_FIRST_SEARCH
BREADTH_FIRST_SEARCH = CCDRootFindingMethod.BREADTH_FIRST_SEARCH


def edge_edge_ccd(
    ea0_t0: ArrayLike, ea1_t0: ArrayLike, eb0_t0: ArrayLike, eb1_t0: ArrayLike,
    ea0_t1: ArrayLike, ea1_t1: ArrayLike, eb0_t1: ArrayLike, eb1_t1: ArrayLike,
    min_distance: float = 0.0, tmax: float = 1.0, tolerance: float = 1e-6, max_iterations: int = 10_000_000,
    filter: ArrayLike = (-1, -1, -1), no_zero_toi: bool = False,
    ccd_method: CCDRootFindingMethod = BREADTH_FIRST_SEARCH,
) -> tuple[bool, float, float]:  # fmt: skip
    """Two edges: (hit, time of impact or inf, tolerance)."""
    points = (ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1)
    return _ccd(Kind.EDGE_EDGE, points, min_distance, tmax, tolerance, max_iterations, no_zero_toi)


def point_triangle_ccd(
    v_t0: ArrayLike, f0_t0: ArrayLike, f1_t0: ArrayLike, f2_t0: ArrayLike,
    v_t1: ArrayLike, f0_t1: ArrayLike, f1_t1: ArrayLike, f2_t1: ArrayLike,
    min_distance: float = 0.0, tmax: float = 1.0, tolerance: float = 1e-6, max_iterations: int = 10_000_000,
    filter: ArrayLike = (-1, -1, -1), no_zero_toi: bool = False,
    ccd_method: CCDRootFindingMethod = BREADTH_FIRST_SEARCH,
) -> tuple[bool, float, float]:  # fmt: skip
    """A point and a triangle: (hit, time of impact or inf, tolerance)."""
    points = (v_t0, f0_t0, f1_t0, f2_t0, v_t1, f0_t1, f1_t1, f2_t1)
    return _ccd(Kind.VERTEX_FACE, points, min_distance, tmax, tolerance, max_iterations, no_zero_toi)


def _ccd(
    kind: Kind, points: Sequence[ArrayLike], min_distance: float, tmax: float, tolerance: float, max_iterations: int,
    no_zero_toi: bool,
) -> tuple[bool, float, float]:  # fmt: skip
    impact = pair.solve(
        kind,
        query(kind, points)[0],
        min_separation=min_distance,
        norm="max",
        t_max=tmax,
        tolerance=tolerance,
        max_iterations=max(max_iterations, 0),
        no_zero_toi=no_zero_toi,
    )
    return not impact.separate, impact.toi_lo, tolerance


# Error bounds of the authors' release for coordinates up to 1, vertex-face or edge-edge, without and with minimum separation;
# [Wang2021], equation 8, has them grow as max(|x|, 1) cubed (the release takes the minimum, which is no bound). They are for
# scripts that look at them: this library derives a bound of its own for each query.
_PUBLISHED = {
    (True, False): 6.661338147750939e-15,
    (False, False): 6.217248937900877e-15,
    (True, True): 7.549516567451064e-15,
    (False, True): 7.105427357601002e-15,
}


def compute_ccd_filters(
    min_corner: ArrayLike, max_corner: ArrayLike, is_vertex_face: bool, using_minimum_separation: bool
) -> NDArray[np.float64]:
    """The published error bound for a scene in this box, (3,). It may be given as `filter`; it is not needed."""
    corners = np.abs([_checked.doubles("min_corner", min_corner), _checked.doubles("max_corner", max_corner)])
    largest: NDArray[np.float64] = np.maximum(corners.max(axis=0), 1.0)
    return largest**3 * _PUBLISHED[bool(is_vertex_face), bool(using_minimum_separation)]
