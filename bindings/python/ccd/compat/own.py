"""What `ccd.compat.ipctk` has of this library's own, whether ipctk is installed or not.

    import ccd.compat.own as ipctk

The names, arguments, defaults, return values and exceptions are those of ipctk 1.6. Objects of the real ipctk are taken too.
`ccd.compat.ipctk` says what is better and what is different here.
"""

from __future__ import annotations

from . import _absent, _exchanged, tight_inclusion
from ._boxes import (
    edge_edge_aabb_ccd,
    edge_edge_aabb_cd,
    edge_triangle_aabb_cd,
    point_edge_aabb_ccd,
    point_edge_aabb_cd,
    point_triangle_aabb_ccd,
    point_triangle_aabb_cd,
)
from ._exchanged import *  # noqa: F403
from ._install import install, installed, uninstall
from ._mesh import edges
from ._narrow import AdditiveCCD, NarrowPhaseCCD, TightInclusionCCD
from ._nonlinear import NonlinearCCD, NonlinearTrajectory
from ._static import (
    check_initial_distance,
    edge_triangle_intersection,
    inexact_point_edge_ccd_2D,
    is_edge_intersecting_triangle,
    segment_segment_intersect,
)
from .tight_inclusion import compute_ccd_filters, edge_edge_ccd, point_triangle_ccd

__all__ = [
    "AdditiveCCD",
    "NarrowPhaseCCD",
    "NonlinearCCD",
    "NonlinearTrajectory",
    "TightInclusionCCD",
    "check_initial_distance",
    "compute_ccd_filters",
    "edge_edge_aabb_ccd",
    "edge_edge_aabb_cd",
    "edge_edge_ccd",
    "edge_triangle_aabb_cd",
    "edge_triangle_intersection",
    "edges",
    "inexact_point_edge_ccd_2D",
    "install",
    "installed",
    "is_edge_intersecting_triangle",
    "point_edge_aabb_ccd",
    "point_edge_aabb_cd",
    "point_triangle_aabb_ccd",
    "point_triangle_aabb_cd",
    "point_triangle_ccd",
    "segment_segment_intersect",
    "tight_inclusion",
    "uninstall",
]
__all__ += _exchanged.__all__


def __getattr__(name: str) -> object:
    why = _absent.reason(name)
    raise AttributeError(f"ccd.compat.own has no {name}" + (f": {why}" if why else ""))
