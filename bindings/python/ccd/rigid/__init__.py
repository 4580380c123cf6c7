"""Rigid bodies that move and turn at constant rates: when two of them first come into contact, and how far apart they are.

Functions take the keywords of `ccd.Options`. ``min_separation`` is Euclidean, and ``t_min`` and ``t_max`` are in the unit
of time of the velocities. Results have the same bits on every machine. Ctrl-C stops the calls on scenes and meshes
promptly; `earliest` and `earliest_batch` notice it when they return, which ``max_iterations`` bounds.

The tolerance is a length, 1e-10 by default. Far from the origin doubles may tell no such length; then it is the sum of
2**-43 min_separation and, for each body, of 2**-40 (r + abs(pivot)) + 2**-46 (X + T (V + w r)):

======== =====================================================
symbol   meaning
======== =====================================================
r        distance of the farthest vertex from the pivot
X        distance of the pivot from the origin
V, w     speed of the pivot, angular speed
T        time while the two bodies can meet
======== =====================================================

With a smaller tolerance a query may be undecided.

================= =========================================================================================
method            what it does
================= =========================================================================================
``"default"``     best-first advancement
``"d2m"``         [Buddingh2017], slower and independent: surfaces do not touch before ``toi_hi``, and the
                  pose at ``toi_lo`` keeps ``min_separation``
``"d2m-spheres"`` the same down to small spheres: fast and approximate
================= =========================================================================================

Two bodies within reach of each other may turn by more radians than ``max_iterations``. Such a query gets fewer
iterations: max_iterations**2 / radians, at least 4096.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._native.names import names_of
from ..impact import APPROXIMATE, INTERSECTING
from ._body import Body
from ._contact import (
    MANIFOLD_CROSSING,
    MANIFOLD_DEEP,
    MANIFOLD_INSIDE,
    SLIDE_GRAZING,
    SLIDE_INITIAL,
    Manifold,
    ManifoldPoint,
    Slide,
    SlideEvent,
    first_depth,
    manifold,
    manifold_point_dtype,
    slide,
)
from ._containment import ON_SURFACE, WINDING_UNKNOWN, Containment, containment, containment_batch, winding
from ._distance import clearance, distance, distance_gradients, distances, intersects, profile, within
from ._earliest import earliest, earliest_batch
from ._gap import (
    GAP_INSIDE,
    GAP_INTERSECTING,
    GAP_UNFINISHED,
    Gap,
    SceneGap,
    gap_dtype,
    gap_gradient_dtype,
    pose_dtype,
    scene_gap_dtype,
)
from ._impact import FEATURES, Impact, MeshImpact, SceneImpact, Shape, impact_dtype, mesh_impact_dtype, scene_impact_dtype
from ._many import mesh_collisions, mesh_earliest, scene_collisions, scene_earliest
from ._motion import Motion, motion_between, motion_dtype, motion_pose, motion_screw
from ._overlap import depths, overlap, overlaps
from ._penetration import (
    PENETRATION_OVERLAPPING,
    PENETRATION_UNFINISHED,
    PENETRATION_UPPER_BOUND,
    Penetration,
    penetration_depth,
    penetration_depths,
    penetration_dtype,
    penetration_gradient_dtype,
    penetration_gradients,
)
from ._scene_file import Scene, read_scene

__all__ = [
    "APPROXIMATE",
    "FEATURES",
    "GAP_INSIDE",
    "GAP_INTERSECTING",
    "GAP_UNFINISHED",
    "INTERSECTING",
    "MANIFOLD_CROSSING",
    "MANIFOLD_DEEP",
    "MANIFOLD_INSIDE",
    "ON_SURFACE",
    "PENETRATION_OVERLAPPING",
    "PENETRATION_UNFINISHED",
    "PENETRATION_UPPER_BOUND",
    "SLIDE_GRAZING",
    "SLIDE_INITIAL",
    "WINDING_UNKNOWN",
    "Body",
    "Containment",
    "Gap",
    "Impact",
    "Manifold",
    "ManifoldPoint",
    "MeshImpact",
    "Motion",
    "Penetration",
    "Scene",
    "SceneGap",
    "SceneImpact",
    "Shape",
    "Slide",
    "SlideEvent",
    "clearance",
    "containment",
    "containment_batch",
    "depths",
    "distance",
    "distance_gradients",
    "distances",
    "earliest",
    "earliest_batch",
    "first_depth",
    "gap_dtype",
    "gap_gradient_dtype",
    "impact_dtype",
    "intersects",
    "manifold",
    "manifold_point_dtype",
    "mesh_collisions",
    "mesh_earliest",
    "mesh_impact_dtype",
    "motion_between",
    "motion_dtype",
    "motion_pose",
    "motion_screw",
    "overlap",
    "overlaps",
    "penetration_depth",
    "penetration_depths",
    "penetration_dtype",
    "penetration_gradient_dtype",
    "penetration_gradients",
    "pose_dtype",
    "profile",
    "read_scene",
    "scene_collisions",
    "scene_earliest",
    "scene_gap_dtype",
    "scene_impact_dtype",
    "slide",
    "winding",
    "within",
]


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
