"""The continuous collision detection and broad phase of ipctk (release 1.6), computed by this library.

    import ccd.compat.ipctk as ipctk

What is here has ipctk's names, argument order, defaults, return values, types of exceptions and meaning; potentials and
distances are absent, and using them raises an error that states this. Meshes, filters and candidates of the real ipctk are
taken too, so a script may keep ipctk for the rest; or it keeps ipctk for everything, and calls `install()` to have its
collision detection done here.

Better: no contact is missed and no time is late, whatever the scale; NaN is an error instead of a hit at 0, and so is a
negative distance; an array may be of any dtype and memory order; a step size is accepted by `is_step_collision_free`.

Different: a filter given as a Python function is called per candidate, after the sweep; `filter` of the tight_inclusion
functions is taken and not needed; both root finding methods give the same answer; a list of candidates makes objects only of
those that are read; `compute_noncandidate_conservative_stepsize` bounds all vertices, not those of candidates alone; a
mesh with planes is refused.
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
    raise AttributeError(f"ccd.compat.ipctk has no {name}" + (f": {why}" if why else ""))
