"""ipctk's candidates, and the steps they allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import broad, step
from ..errors import InvalidIndexError
from ..impact import Kind, Verdict
from ..mesh import Mesh
from . import _checked, _given_broad, _given_narrow, _steps, _threads
from ._errors import OverrideError, TypedError
from ._mesh import in_space, positions, whole
from ._stencils import (
    KINDS,
    CandidateList,
    EdgeEdgeCandidate,
    EdgeVertexCandidate,
    FaceVertexCandidate,
    VertexVertexCandidate,
    listed,
)
from ._steps import Built
from ._sweep import Sweep, first_of
from ._topology import taken, topology


def _kind_of(short: str) -> property:
    """A list of candidates, made at its first use; it may be set."""
    of, kind = KINDS[short], KINDS[short]._kind

    def get(self: Candidates) -> CandidateList:
        if short not in self._parts:
            pairs = self._found[kind] if self._found is not None else np.empty((0, 2), np.int64)
            self._parts[short] = CandidateList(of, pairs[:, ::-1] if short in ("ev", "fv") else pairs)
        return self._parts[short]

    def put(self: Candidates, found: Any) -> None:
        part = listed(f"{short}_candidates", of, found)
        for other in KINDS:
            getattr(self, f"{other}_candidates")
        self._parts[short], self._built, self._found = part, None, None

    return property(get, put)


class Candidates:
    """What a broad phase found for a mesh.

    build(mesh, vertices, inflation_radius=0, broad_phase=None)                  for one frame
    build(mesh, vertices_t0, vertices_t1, inflation_radius=0, broad_phase=None)  for a step

    A broad phase of the script's own, a subclass of BroadPhase, is called as ipctk calls it.
    """

    vv_candidates = _kind_of("vv")
    ev_candidates = _kind_of("ev")
    ee_candidates = _kind_of("ee")
    fv_candidates = _kind_of("fv")

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all candidates."""
        self._parts: dict[str, CandidateList] = {}
        self._found: broad.Candidates | None = None  # the library's, for the parts that were not read
        self._built: tuple[Built, Any] | None = None  # the mesh it was built of, and the filter
        self.pv_candidates: list[Any] = []  # a mesh with planes is refused

    def _lists(self) -> tuple[CandidateList, ...]:
        return self.vv_candidates, self.ev_candidates, self.ee_candidates, self.fv_candidates

    def empty(self) -> bool:
        """Whether the list is empty."""
        return not len(self)

    def __len__(self) -> int:
        return len(self._found) if self._found is not None and not self._parts else sum(map(len, self._lists()))

    def __getitem__(self, at: int) -> Any:
        at = _checked.integer("at", at, -(2**63), 2**63 - 1)
        rest = at + len(self) if at < 0 else at
        for part in self._lists():
            if 0 <= rest < len(part):
                return part[rest]
            rest -= len(part)
        raise IndexError("Candidate index is out of range!")

    def build(self, mesh: Any, *args: Any, **named: Any) -> None:
        """See the class."""
        vertices, rest = first_of("vertices", "vertices_t0", args, named)
        order = ["vertices_t1", "inflation_radius", "broad_phase"]
        given = dict(zip(order if not rest or np.ndim(rest[0]) == 2 else order[1:], rest), **named)
        if len(rest) > 3 or set(given) - set(order):
            raise TypeError(f"build() got unexpected arguments: {list(given)}")
        mesh = taken(mesh)
        frames = [vertices, *([given["vertices_t1"]] if "vertices_t1" in given else [])]
        radius = _checked.number("inflation_radius", given.get("inflation_radius", 0.0))
        phase, own = _given_broad.broad(given.get("broad_phase"))
        self.clear()
        if own:
            self._call(phase, mesh, [positions("vertices", x) for x in frames], radius)
            return
        phase.build(frames[0], frames[-1], mesh.edges, mesh.faces, radius)
        phase.can_vertices_collide = mesh.can_collide
        self._take(phase)

    def _take(self, phase: Sweep) -> Candidates:
        """The candidates a scene of the phase's dimension needs: in the plane edges meet vertices, in space all kinds are."""
        self.clear()
        if phase._dim == 2:
            self.ev_candidates = phase.detect_edge_vertex_candidates()
            loose = Mesh(edges=phase._edges, vertices=len(phase._x0))
            self.vv_candidates = CandidateList(VertexVertexCandidate, phase._sweep(loose).point_point)
            return self
        mesh = whole(phase._edges, phase._faces, len(phase._x0))
        self._found, count = phase._sweep(mesh), len(phase._edges)
        self._built = Built(phase._x0.copy(), phase._x1.copy(), phase._radius), phase.can_vertices_collide
        if mesh.counts[1] > count:  # edges that only the faces know are not ipctk's
            pairs = [self._found[kind] for kind in Kind]
            pairs[1], pairs[2] = pairs[1][(pairs[1] < count).all(axis=1)], pairs[2][pairs[2][:, 1] < count]
            self._found = broad.alone(*pairs)
        return self

    def _call(self, phase: Any, mesh: Any, frames: list[NDArray[np.float64]], radius: float) -> None:
        """The candidates of a script's own broad phase, called as ipctk does: for the mesh, then for its loose parts."""
        dim, rule = frames[0].shape[1], mesh.can_collide
        phase.can_vertices_collide = _given_broad.rule_for(phase, rule)
        phase.build(*frames, mesh.edges, mesh.faces, radius)
        if dim == 2:
            self.ev_candidates = detected(phase, "edge_vertex", EdgeVertexCandidate)
        else:
            self.ee_candidates = detected(phase, "edge_edge", EdgeEdgeCandidate)
            self.fv_candidates = detected(phase, "face_vertex", FaceVertexCandidate)
        points, lines = np.asarray(mesh.codim_vertices), np.asarray(mesh.codim_edges)
        none = np.empty((0, 2), np.int32), np.empty((0, 3), np.int32)
        if len(points):
            phase.clear()
            phase.can_vertices_collide = _given_broad.rule_for(phase, lambda i, j: rule(int(points[i]), int(points[j])))
            phase.build(*(x[points] for x in frames), *none, radius)
            found = detected(phase, "vertex_vertex", VertexVertexCandidate)
            self.vv_candidates = CandidateList(VertexVertexCandidate, points.astype(np.int64)[found.pairs])
        if len(points) and len(lines) and dim == 3:
            phase.clear()
            ends = np.asarray(mesh.edges)[lines]
            part = np.unique(np.concatenate([points, ends.ravel()]))
            phase.can_vertices_collide = _given_broad.rule_for(phase, lambda i, j: rule(int(part[i]), int(part[j])))
            phase.build(*(x[part] for x in frames), np.searchsorted(part, ends).astype(np.int32), none[1], radius)
            pairs = detected(phase, "edge_vertex", EdgeVertexCandidate).pairs
            pairs = np.stack([lines[pairs[:, 0]], part[pairs[:, 1]]], axis=1).astype(np.int64)
            self.ev_candidates = CandidateList(EdgeVertexCandidate, pairs[np.isin(pairs[:, 1], points)])
        phase.clear()
        phase.can_vertices_collide = _given_broad.rule_for(phase, rule)

    def _queries(self, mesh: Any, x0: NDArray[np.float64], x1: NDArray[np.float64]) -> dict[Kind, NDArray[np.float64]]:
        """The queries of all candidates, in ipctk's order."""
        edges, faces = _checked.primitives("edges", mesh.edges, 2), _checked.primitives("faces", mesh.faces, 3)
        sizes = {"vertex": len(x0), "edge": len(edges), "face": len(faces)}
        vv, ev, ee, fv = (_in_range(part, sizes) for part in self._lists())
        corners = {
            Kind.POINT_POINT: vv,
            Kind.POINT_EDGE: np.hstack([ev[:, 1:], edges[ev[:, 0]]]),
            Kind.EDGE_EDGE: np.hstack([edges[ee[:, 0]], edges[ee[:, 1]]]),
            Kind.VERTEX_FACE: np.hstack([fv[:, 1:], faces[fv[:, 0]]]),
        }
        return {kind: np.concatenate([x0[at], x1[at]], axis=1) for kind, at in corners.items() if len(at)}

    def _near(
        self, mesh: Any, x0: NDArray[np.float64], x1: NDArray[np.float64], within: float
    ) -> dict[Kind, NDArray[np.float64]]:
        """The queries of candidates that come within a distance: found in a batch, without a query made in Python."""
        edges, faces = _checked.primitives("edges", mesh.edges, 2), _checked.primitives("faces", mesh.faces, 3)
        topology, few = whole(edges, faces, len(x0)), Candidates()
        for short, of in KINDS.items():
            pairs, flip = getattr(self, f"{short}_candidates").pairs, -1 if short in ("ev", "fv") else 1
            options: Any = {"min_separation": within, "norm": "max", "threads": _threads.option()}
            impacts = step.pairs(topology, x0, x1, of._kind, pairs[:, ::flip], **options)
            few._parts[short] = CandidateList(of, pairs[impacts["verdict"] != Verdict.SEPARATE])
        return few._queries(mesh, x0, x1)

    def _step(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float, phase: Any, whether: bool
    ) -> float:
        """The largest step that a narrow phase allows the candidates; with `whether` 1 if it allows the whole step, else 0."""
        mesh = taken(mesh)
        x0, x1, dim = both_frames(vertices_t0, vertices_t1)
        solver = _given_narrow.narrow(phase, dim)
        if isinstance(solver, _given_narrow.Own):
            queries = self._queries(mesh, x0, x1)
            return float(not solver._any(queries, min_distance)) if whether else solver._first(queries, min_distance, 1.0)
        if self._built is not None and len(self._built[0].x0) == len(x0) and _steps.serves(solver, min_distance):
            built, rule = self._built
            where = topology(mesh, len(x0), rule), x0, x1, min_distance, solver, built
            return float(_steps.free(*where)) if whether else _steps.size(*where)
        bound = solver._bound(min_distance, _steps.moved(x0, x1))
        queries = self._near(mesh, x0, x1, bound) if 0 <= bound < np.inf else self._queries(mesh, x0, x1)
        if whether:
            return float(not solver._any(queries, min_distance))
        return min(solver._first(queries, min_distance, 1.0), 1.0)

    def is_step_collision_free(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
        narrow_phase_ccd: Any = None,
    ) -> bool:  # fmt: skip
        """Whether no candidate collides."""
        return self._step(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd, whether=True) == 1

    def compute_collision_free_stepsize(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
        narrow_phase_ccd: Any = None,
    ) -> float:  # fmt: skip
        """The largest step in [0, 1] to which no candidate collides: the least time of impact, or 1."""
        return self._step(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd, whether=False)

    def compute_noncandidate_conservative_stepsize(self, mesh: Any, displacements: ArrayLike, dhat: float) -> float:
        """The step on which no vertex moves more than dhat / 2, so that what is more than dhat apart does not touch.

        Of all vertices: ipctk's looks at those of candidates only, and misses what comes from afar.
        """
        return noncandidate_step(displacements, dhat) if len(self) else 1.0

    def compute_cfl_stepsize(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, dhat: float, min_distance: float = 0.0,
        broad_phase: Any = None, narrow_phase_ccd: Any = None,
    ) -> float:  # fmt: skip
        """A safe step: by these candidates where little moves far, else by all pairs that a sweep of the whole step finds."""
        mine = self.compute_collision_free_stepsize(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd)
        x0, x1 = positions("vertices_t0", vertices_t0), positions("vertices_t1", vertices_t1)
        others = self.compute_noncandidate_conservative_stepsize(mesh, x1 - x0, dhat)
        if others < 0.5 * mine:
            return whole_step(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd, whether=False)
        return min(mine, others)

    # ---- candidates of smaller primitives

    def edge_vertex_to_vertex_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[VertexVertexCandidate]:  # fmt: skip
        """The edges' ends with the vertices for which is_active(squared distance) is true."""
        pairs = ((v, end) for e, v in self.ev_candidates.pairs.tolist() for end in np.asarray(mesh.edges)[e].tolist())
        return _smaller(VertexVertexCandidate, pairs, mesh, vertices, is_active)

    def face_vertex_to_vertex_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[VertexVertexCandidate]:  # fmt: skip
        """The faces' corners with the vertices for which is_active(squared distance) is true."""
        pairs = ((v, corner) for f, v in self.fv_candidates.pairs.tolist() for corner in np.asarray(mesh.faces)[f].tolist())
        return _smaller(VertexVertexCandidate, pairs, mesh, vertices, is_active)

    def face_vertex_to_edge_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[EdgeVertexCandidate]:  # fmt: skip
        """The faces' edges with the vertices for which is_active(squared distance) is true."""
        pairs = ((e, v) for f, v in self.fv_candidates.pairs.tolist() for e in np.asarray(mesh.faces_to_edges)[f].tolist())
        return _smaller(EdgeVertexCandidate, pairs, mesh, vertices, is_active)

    def edge_edge_to_edge_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[EdgeVertexCandidate]:  # fmt: skip
        """Each edge with the other's ends for which is_active(squared distance) is true."""
        ends = np.asarray(mesh.edges)
        both = (pair for a, b in self.ee_candidates.pairs.tolist() for pair in ((a, b), (b, a)))
        return _smaller(EdgeVertexCandidate, ((e, v) for e, o in both for v in ends[o].tolist()), mesh, vertices, is_active)


def whole_step(
    mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float, broad_phase: Any, narrow: Any, whether: bool
) -> float:
    """`Candidates._step` for all pairs: without a list of them where the broad and the narrow phase are the library's."""
    mesh = taken(mesh)
    min_distance = _checked.number("min_distance", min_distance)
    x0, x1, dim = both_frames(vertices_t0, vertices_t1)
    solver = _given_narrow.narrow(narrow, dim)
    phase, own = _given_broad.broad(broad_phase)
    brute = getattr(phase, "_brute_force", False)
    if dim == 3 and not own and not brute and not isinstance(solver, _given_narrow.Own) and _steps.serves(solver, min_distance):
        where = topology(mesh, len(x0), mesh.can_collide), x0, x1, min_distance, solver
        return float(_steps.free(*where)) if whether else _steps.size(*where)
    candidates = Candidates()
    candidates.build(mesh, vertices_t0, vertices_t1, min_distance / 2, phase)  # half for each of the two
    return candidates._step(mesh, vertices_t0, vertices_t1, min_distance, narrow, whether)


def _smaller(
    of: type[Any], pairs: Iterable[tuple[int, int]], mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None
) -> list[Any]:  # fmt: skip
    """Candidates of these pairs that share no vertex, each once, in order."""
    kept = []
    for candidate in sorted({of(*pair) for pair in pairs}):
        ids = [i for i in candidate.vertex_ids(mesh.edges, mesh.faces) if i >= 0]
        if len(set(ids)) == len(ids) and (
            is_active is None or is_active(candidate.compute_distance(vertices, mesh.edges, mesh.faces))
        ):
            kept.append(candidate)
    return kept


def noncandidate_step(displacements: ArrayLike, dhat: float) -> float:
    """The step on which no vertex moves more than dhat / 2."""
    moved = _checked.doubles("displacements", displacements)
    most = float(np.abs(moved).max(initial=0.0))
    if most == 0:
        return np.inf
    # Norms are taken of displacements over the largest coordinate, so that no square that matters underflows. A quotient,
    # three squares, two sums, a root, two products, a quotient: less than 8 roundings in all, of 2^-53 each.
    norm = most * float(np.sqrt(np.square(moved / most).sum(axis=1)).max())
    return 0.5 * dhat / norm * (1 - 2.0**-49)


def both_frames(vertices_t0: ArrayLike, vertices_t1: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Both ends of a step in space, and the dimension in which they were given."""
    x0, x1 = in_space("vertices_t0", vertices_t0), in_space("vertices_t1", vertices_t1)
    if x0.shape != x1.shape:
        raise TypedError(f"vertices_t0 has {len(x0)} rows, vertices_t1 has {len(x1)}")
    return x0, x1, np.shape(vertices_t0)[1]


def _in_range(part: CandidateList, sizes: dict[str, int]) -> NDArray[np.int64]:
    """The pairs of a list, which a script may have made."""
    for column, name in enumerate(part._of._names):
        ids, count = part.pairs[:, column], next(count for of, count in sizes.items() if name.startswith(of))
        wrong = np.flatnonzero((ids < 0) | (ids >= count))
        if len(wrong):
            at = f"{part._of.__name__}[{wrong[0]}].{name}"
            raise InvalidIndexError(f"{at} is {ids[wrong[0]]}: out of range, there are {count}")
    return part.pairs


def detected(phase: Any, what: str, of: type[Any]) -> CandidateList:
    method = getattr(phase, f"detect_{what}_candidates", None)
    if method is None:
        raise OverrideError(f"broad_phase has no detect_{what}_candidates(): a subclass of BroadPhase must define it")
    return listed(f"detect_{what}_candidates()", of, method())
