"""ipctk's functions over a whole mesh."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _checked, _given, _steps
from ._broad import BroadPhase
from ._candidates import Candidates, both_frames, detected
from ._mesh import positions
from ._stencils import EdgeEdgeCandidate, EdgeFaceCandidate
from ._topology import taken, topology


def has_intersections(mesh: Any, vertices: ArrayLike, broad_phase: Any = None) -> bool:
    """Whether an edge and a face that share no vertex intersect, or two edges in the plane: closed, and decided exactly."""
    mesh = taken(mesh)
    phase, own = _given.broad(broad_phase)
    exact = BroadPhase()
    exact._brute_force = getattr(phase, "_brute_force", False)
    exact.build(vertices, mesh.edges, mesh.faces)
    exact.can_vertices_collide = mesh.can_collide
    if not own:
        return exact._intersects()
    x = positions("vertices", vertices)
    phase.can_vertices_collide = _given.rule_for(phase, mesh.can_collide)
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
    return _whole_step(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd, whether=True) == 1


def compute_collision_free_stepsize(
    mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
    broad_phase: Any = None, narrow_phase_ccd: Any = None,
) -> float:  # fmt: skip
    """The largest step in [0, 1] on which no two parts of the mesh collide."""
    return _whole_step(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd, whether=False)


def _whole_step(
    mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float, broad_phase: Any, narrow: Any, whether: bool
) -> float:
    """As `Candidates._step`, for all pairs: without a list of them where the broad and the narrow phase are the library's."""
    mesh = taken(mesh)
    min_distance = _checked.number("min_distance", min_distance)
    x0, x1, dim = both_frames(vertices_t0, vertices_t1)
    solver = _given.narrow(narrow, dim)
    phase, own = _given.broad(broad_phase)
    brute = getattr(phase, "_brute_force", False)
    if dim == 3 and not own and not brute and not isinstance(solver, _given.Own) and _steps.serves(solver, min_distance):
        where = topology(mesh, len(x0), mesh.can_collide), x0, x1, min_distance, solver
        return float(_steps.free(*where)) if whether else _steps.size(*where)
    candidates = Candidates()
    candidates.build(mesh, vertices_t0, vertices_t1, min_distance / 2, phase)  # half for each of the two
    return candidates._step(mesh, vertices_t0, vertices_t1, min_distance, narrow, whether)
