"""The continuous collision detection and broad phase of ipctk (release 1.6), answered by this library.

    import ccd.compat.ipctk as ipctk

What is here has ipctk's names, argument order, defaults, return values and meaning; potentials and distances are not here.
A mesh of the real ipctk, with its filter, is taken too, so a script may keep ipctk for the rest.

Better: no contact is missed and no time is late, whatever the scale; NaN is an error instead of a hit at 0, and so is a
negative distance; an array may be of any dtype and memory order.

Different: a filter given as a Python function is asked per candidate, after the sweep; `filter` of the tight_inclusion
functions is taken and not needed; both root finding methods give the same answer; a list of candidates makes objects only of
those that are looked at.
"""

from __future__ import annotations

from . import tight_inclusion
from ._broad import BVH, LBVH, BroadPhase, BruteForce, HashGrid, SpatialHash, SweepAndPrune, SweepAndTiniestQueue
from ._candidates import (
    Candidates,
    EdgeEdgeCandidate,
    EdgeFaceCandidate,
    EdgeVertexCandidate,
    FaceFaceCandidate,
    FaceVertexCandidate,
    VertexVertexCandidate,
    compute_collision_free_stepsize,
    has_intersections,
    is_step_collision_free,
)
from ._mesh import (
    CollisionFilter,
    CollisionMesh,
    edges,
    make_connected_components_filter,
    make_sparse_filter,
    make_static_obstacle_filter,
    make_vertex_patches_filter,
)
from ._narrow import AdditiveCCD, NarrowPhaseCCD, TightInclusionCCD
from .tight_inclusion import compute_ccd_filters, edge_edge_ccd, point_triangle_ccd

__all__ = [
    "BVH",
    "LBVH",
    "AdditiveCCD",
    "BroadPhase",
    "BruteForce",
    "Candidates",
    "CollisionFilter",
    "CollisionMesh",
    "EdgeEdgeCandidate",
    "EdgeFaceCandidate",
    "EdgeVertexCandidate",
    "FaceFaceCandidate",
    "FaceVertexCandidate",
    "HashGrid",
    "NarrowPhaseCCD",
    "SpatialHash",
    "SweepAndPrune",
    "SweepAndTiniestQueue",
    "TightInclusionCCD",
    "VertexVertexCandidate",
    "compute_ccd_filters",
    "compute_collision_free_stepsize",
    "edge_edge_ccd",
    "edges",
    "has_intersections",
    "is_step_collision_free",
    "make_connected_components_filter",
    "make_sparse_filter",
    "make_static_obstacle_filter",
    "make_vertex_patches_filter",
    "point_triangle_ccd",
    "tight_inclusion",
]
