"""ipctk's functions over a whole mesh."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _given_broad
from ._candidates import detected, whole_step
from ._mesh import positions
from ._stencils import EdgeEdgeCandidate, EdgeFaceCandidate
from ._sweep import Sweep
from ._topology import taken


def has_intersections(mesh: Any, vertices: ArrayLike, broad_phase: Any = None) -> bool:
    """Whether an edge and a face that share no vertex intersect, or two edges in the plane: closed, and decided exactly."""
    mesh = taken(mesh)
    phase, own = _given_broad.broad(broad_phase)
    exact = Sweep()
    exact._brute_force = getattr(phase, "_brute_force", False)
    exact.build(vertices, mesh.edges, mesh.faces)
    exact.can_vertices_collide = mesh.can_collide
    if not own:
        return exact._intersects()
    x = positions("vertices", vertices)
    phase.can_vertices_collide = _given_broad.rule_for(phase, mesh.can_collide)
    phase.build(x, mesh.edges, mesh.faces, 1e-6 * float(np.linalg.norm(np.ptp(x, axis=0))) if len(x) else 0.0)
    name, of = ("edge_edge", EdgeEdgeCandidate) if x.shape[1] == 2 else ("edge_face", EdgeFaceCandidate)
    pairs = detected(phase, name, of).pairs
    phase.clear()
    found = exact._intersecting()
    both = np.sort(pairs, axis=1), np.sort(found, axis=1)
    keys = [p[:, 0] << 32 | p[:, 1] for p in (both if x.shape[1] == 2 else (pairs, found))]
    return bool(np.isin(keys[0], keys[1]).any())


def is_step_collision_free(
    mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
    broad_phase: Any = None, narrow_phase_ccd: Any = None,
) -> bool:  # fmt: skip
    """No two parts of the mesh collide on the way."""
    return whole_step(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd, whether=True) == 1


def compute_collision_free_stepsize(
    mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
    broad_phase: Any = None, narrow_phase_ccd: Any = None,
) -> float:  # fmt: skip
    """The largest step in [0, 1] on which no two parts of the mesh collide."""
    return whole_step(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd, whether=False)
