"""What `ccd.compat.ipctk` has of this library's own, whether ipctk is installed or not.

    import ccd.compat.own as ipctk

The names, arguments, defaults, return values and exceptions are those of ipctk 1.6. Objects of the real ipctk are taken too.
`ccd.compat.ipctk` says what is better and what is different here.
"""

from __future__ import annotations

from . import _absent, tight_inclusion
from ._boxes import (
    AABB,
    build_edge_boxes,
    build_face_boxes,
    build_vertex_boxes,
    edge_edge_aabb_ccd,
    edge_edge_aabb_cd,
    edge_triangle_aabb_cd,
    point_edge_aabb_ccd,
    point_edge_aabb_cd,
    point_triangle_aabb_ccd,
    point_triangle_aabb_cd,
)
from ._broad import BVH, LBVH, BroadPhase, BruteForce, HashGrid, SpatialHash, SweepAndPrune, SweepAndTiniestQueue
from ._candidates import Candidates
from ._filters import (
    CollisionFilter,
    make_connected_components_filter,
    make_sparse_filter,
    make_static_obstacle_filter,
    make_vertex_patches_filter,
)
from ._install import install, installed, uninstall
from ._mesh import CollisionMesh, edges
from ._narrow import AdditiveCCD, NarrowPhaseCCD, TightInclusionCCD
from ._nonlinear import NonlinearCCD, NonlinearTrajectory
from ._static import (
    LoggerLevel,
    check_initial_distance,
    edge_triangle_intersection,
    inexact_point_edge_ccd_2D,
    is_edge_intersecting_triangle,
    segment_segment_intersect,
    set_logger_level,
)
from ._stencils import (
    CollisionStencil,
    EdgeEdgeCandidate,
    EdgeFaceCandidate,
    EdgeVertexCandidate,
    FaceFaceCandidate,
    FaceVertexCandidate,
    VertexVertexCandidate,
)
from ._threads import get_num_threads, set_num_threads
from ._whole import compute_collision_free_stepsize, has_intersections, is_step_collision_free
from .tight_inclusion import compute_ccd_filters, edge_edge_ccd, point_triangle_ccd

__all__ = [
    "AABB",
    "BVH",
    "LBVH",
    "AdditiveCCD",
    "BroadPhase",
    "BruteForce",
    "Candidates",
    "CollisionFilter",
    "CollisionMesh",
    "CollisionStencil",
    "EdgeEdgeCandidate",
    "EdgeFaceCandidate",
    "EdgeVertexCandidate",
    "FaceFaceCandidate",
    "FaceVertexCandidate",
    "HashGrid",
    "LoggerLevel",
    "NarrowPhaseCCD",
    "NonlinearCCD",
    "NonlinearTrajectory",
    "SpatialHash",
    "SweepAndPrune",
    "SweepAndTiniestQueue",
    "TightInclusionCCD",
    "VertexVertexCandidate",
    "build_edge_boxes",
    "build_face_boxes",
    "build_vertex_boxes",
    "check_initial_distance",
    "compute_ccd_filters",
    "compute_collision_free_stepsize",
    "edge_edge_aabb_ccd",
    "edge_edge_aabb_cd",
    "edge_edge_ccd",
    "edge_triangle_aabb_cd",
    "edge_triangle_intersection",
    "edges",
    "get_num_threads",
    "has_intersections",
    "inexact_point_edge_ccd_2D",
    "install",
    "installed",
    "is_edge_intersecting_triangle",
    "is_step_collision_free",
    "make_connected_components_filter",
    "make_sparse_filter",
    "make_static_obstacle_filter",
    "make_vertex_patches_filter",
    "point_edge_aabb_ccd",
    "point_edge_aabb_cd",
    "point_triangle_aabb_ccd",
    "point_triangle_aabb_cd",
    "point_triangle_ccd",
    "segment_segment_intersect",
    "set_logger_level",
    "set_num_threads",
    "tight_inclusion",
    "uninstall",
]


def __getattr__(name: str) -> object:
    why = _absent.reason(name)
    raise AttributeError(f"ccd.compat.own has no {name}" + (f": {why}" if why else ""))
