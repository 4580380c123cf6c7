"""What this library and ipctk exchange: where ipctk is installed, `ccd.compat.ipctk` has its objects, with methods replaced."""

from __future__ import annotations

from ._boxes import AABB, build_edge_boxes, build_face_boxes, build_vertex_boxes
from ._broad import BVH, LBVH, BroadPhase, BruteForce, HashGrid, SpatialHash, SweepAndPrune, SweepAndTiniestQueue
from ._candidates import Candidates
from ._filters import (
    CollisionFilter,
    make_connected_components_filter,
    make_sparse_filter,
    make_static_obstacle_filter,
    make_vertex_patches_filter,
)
from ._mesh import CollisionMesh
from ._static import LoggerLevel, set_logger_level
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

__all__ = [
    "AABB",
    "BVH",
    "LBVH",
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
    "SpatialHash",
    "SweepAndPrune",
    "SweepAndTiniestQueue",
    "VertexVertexCandidate",
    "build_edge_boxes",
    "build_face_boxes",
    "build_vertex_boxes",
    "compute_collision_free_stepsize",
    "get_num_threads",
    "has_intersections",
    "is_step_collision_free",
    "make_connected_components_filter",
    "make_sparse_filter",
    "make_static_obstacle_filter",
    "make_vertex_patches_filter",
    "set_logger_level",
    "set_num_threads",
]
