"""ipctk's candidates, and the steps they allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _arrays, step
from ..errors import ArgumentError
from ..impact import Kind, Verdict
from ..mesh import Mesh
from . import _distance
from ._broad import BroadPhase, SweepAndPrune, first_of
from ._mesh import in_space, positions, whole
from ._narrow import NarrowPhaseCCD, TightInclusionCCD


class _Pair:
    """Two primitives, by index. Candidates of one class compare and hash by their indices."""

    _names: ClassVar[tuple[str, str]]
    _both: ClassVar[str]

    def __init__(self, *ids: Any, **named: Any):
        if set(named) - {*self._names, self._both} or len(ids) + len(named) not in (1, 2):
            raise TypeError(f"{type(self).__name__}() takes {self._names[0]}, {self._names[1]}, or {self._both}")
        given = [*ids, *(named[name] for name in (*self._names, self._both) if name in named)]
        first, second = given[0] if len(given) == 1 else given
        self._ids = (int(first), int(second))
        for name, value in zip(self._names, self._ids):
            setattr(self, name, value)

    def _key(self) -> tuple[int, int]:
        """Two of one kind of primitive are a pair in either order."""
        first, second = self._ids
        return (min(first, second), max(first, second)) if self._names[0][:4] == self._names[1][:4] else self._ids

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._key() == self._key()

    def __lt__(self, other: _Pair) -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._ids[0]}, {self._ids[1]})"


class CollisionStencil(_Pair):
    """A candidate for a collision: what all kinds of them share."""

    _kind: ClassVar[Kind]

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        """The vertices in ipctk's order, -1 for what is not there."""
        raise NotImplementedError

    def num_vertices(self) -> int:
        """How many of vertex_ids are there."""
        return self._kind.points

    def dim(self, ndof: int) -> int:
        """Coordinates of a vertex, where all have so many."""
        return ndof // self._kind.points

    def vertices(self, vertices: ArrayLike, edges: ArrayLike, faces: ArrayLike) -> list[NDArray[np.float64]]:
        """The rows of the candidate's vertices, four, of NaN for what is not there."""
        rows = np.atleast_2d(_arrays.doubles("vertices", vertices))
        ids = self.vertex_ids(edges, faces)
        return [rows[i].copy() if i >= 0 else np.full(rows.shape[1], np.nan) for i in ids]

    def dof(self, X: ArrayLike, edges: ArrayLike, faces: ArrayLike) -> NDArray[np.float64]:
        """The coordinates of the candidate's vertices, one after the other."""
        return np.concatenate(self.vertices(X, edges, faces)[: self.num_vertices()])

    def compute_distance(self, *args: ArrayLike, **named: ArrayLike) -> float:
        """compute_distance(vertices, edges, faces) or (positions), as from `dof`: the *squared* distance, in plain floats."""
        given = [*args, *(named[name] for name in ("vertices", "edges", "faces", "positions") if name in named)]
        x = self.dof(*given) if len(given) == 3 else np.ravel(_arrays.doubles("positions", given[0]))
        q = np.zeros((1, 2 * self._kind.points, 3))
        dim = self.dim(len(x))
        q[0, : self._kind.points, :dim] = x.reshape(-1, dim)
        return float(_distance.initial(self._kind, q)[0] ** 2)

    def ccd(
        self, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0, tmax: float = 1.0,
        narrow_phase_ccd: NarrowPhaseCCD | None = None,
    ) -> tuple[bool, float]:  # fmt: skip
        """(hit, time of impact) for the positions of the candidate's own vertices, as vertex_ids orders them."""
        solver = narrow_phase_ccd or TightInclusionCCD()
        dim = np.size(vertices_t0) // self._kind.points
        points = [*np.reshape(vertices_t0, (-1, dim)), *np.reshape(vertices_t1, (-1, dim))]
        return solver._one(self._kind, points, min_distance, tmax)


class VertexVertexCandidate(CollisionStencil):
    """Two vertices."""

    _names, _kind = ("vertex0_id", "vertex1_id"), Kind.POINT_POINT
    _both = "vertex_ids"

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        """The two vertices, -1, -1."""
        return [*self._ids, -1, -1]


class EdgeVertexCandidate(CollisionStencil):
    """An edge and a vertex."""

    _names, _kind = ("edge_id", "vertex_id"), Kind.POINT_EDGE
    _both = "edge_and_vertex_id"

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        """The vertex, the edge's, -1."""
        return [self._ids[1], *np.asarray(edges)[self._ids[0]].tolist(), -1]


class EdgeEdgeCandidate(CollisionStencil):
    """Two edges."""

    _names, _kind = ("edge0_id", "edge1_id"), Kind.EDGE_EDGE
    _both = "edge_ids"

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        """The first edge's, then the second's."""
        return [*np.asarray(edges)[self._ids[0]].tolist(), *np.asarray(edges)[self._ids[1]].tolist()]


class FaceVertexCandidate(CollisionStencil):
    """A face and a vertex."""

    _names, _kind = ("face_id", "vertex_id"), Kind.VERTEX_FACE
    _both = "face_and_vertex_id"

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        """The vertex, then the face's."""
        return [self._ids[1], *np.asarray(faces)[self._ids[0]].tolist()]


class EdgeFaceCandidate(_Pair):
    """For an intersection of one frame; it is none of `Candidates`."""

    _names = ("edge_id", "face_id")
    _both = "edge_and_face_id"


class FaceFaceCandidate(_Pair):
    """It is none of `Candidates`: edges and vertices show what two flat faces do."""

    _names = ("face0_id", "face1_id")
    _both = "face_ids"


class CandidateList(Sequence[Any]):
    """Candidates of one class over an (n, 2) array of indices; each becomes an object when it is looked at."""

    def __init__(self, of: type[_Pair], pairs: NDArray[np.int64]):
        self._of = of
        self.pairs: NDArray[np.int64] = pairs

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, at: Any) -> Any:
        return CandidateList(self._of, self.pairs[at]) if isinstance(at, slice) else self._of(*self.pairs[at].tolist())

    def __iter__(self) -> Iterator[Any]:
        return (self._of(*pair) for pair in self.pairs.tolist())

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


class Candidates:
    """What a broad phase found for a mesh.

    build(mesh, vertices, inflation_radius=0, broad_phase=None)                  for one frame
    build(mesh, vertices_t0, vertices_t1, inflation_radius=0, broad_phase=None)  for a step
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all candidates."""
        none = np.empty((0, 2), np.int64)
        self.vv_candidates: CandidateList = CandidateList(VertexVertexCandidate, none)
        self.ev_candidates: CandidateList = CandidateList(EdgeVertexCandidate, none)
        self.ee_candidates: CandidateList = CandidateList(EdgeEdgeCandidate, none)
        self.fv_candidates: CandidateList = CandidateList(FaceVertexCandidate, none)
        self.pv_candidates: list[Any] = []  # a mesh with planes is refused

    def _lists(self) -> tuple[CandidateList, ...]:
        return self.vv_candidates, self.ev_candidates, self.ee_candidates, self.fv_candidates

    def empty(self) -> bool:
        """Whether there is none."""
        return not len(self)

    def __len__(self) -> int:
        return sum(map(len, self._lists()))

    def __getitem__(self, at: int) -> Any:
        rest = at + len(self) if at < 0 else at
        for part in self._lists():
            if 0 <= rest < len(part):
                return part[rest]
            rest -= len(part)
        raise IndexError("candidate index out of range")

    def build(self, mesh: Any, *args: Any, **named: Any) -> None:
        """See the class."""
        vertices, rest = first_of("vertices", "vertices_t0", args, named)
        order = ["vertices_t1", "inflation_radius", "broad_phase"]
        given = dict(zip(order if not rest or np.ndim(rest[0]) == 2 else order[1:], rest), **named)
        if len(rest) > 3 or set(given) - set(order):
            raise TypeError(f"build() got unexpected arguments: {list(given)}")
        if len(getattr(mesh, "planes", ())):
            raise ArgumentError("mesh.planes is not empty: planes are not supported, give a plane as a static face")
        given["vertices_t1"] = given.get("vertices_t1", vertices)
        phase = given.get("broad_phase") or SweepAndPrune()
        if not isinstance(phase, BroadPhase):  # one of the real ipctk: its candidates would be no better
            phase = SweepAndPrune()
        phase.build(vertices, given["vertices_t1"], mesh.edges, mesh.faces, given.get("inflation_radius", 0.0))
        phase.can_vertices_collide = mesh.can_collide
        self._take(phase)

    def _take(self, phase: BroadPhase) -> Candidates:
        """The candidates a scene of the phase's dimension needs: in the plane edges meet vertices, in space all kinds are."""
        self.clear()
        if phase._dim == 2:
            self.ev_candidates = phase.detect_edge_vertex_candidates()
            loose = Mesh(edges=phase._edges, vertices=len(phase._x0))
            self.vv_candidates = CandidateList(VertexVertexCandidate, phase._sweep(loose).point_point)
            return self
        found = phase._sweep(whole(phase._edges, phase._faces, len(phase._x0)))
        self.vv_candidates = CandidateList(VertexVertexCandidate, found.point_point)
        self.ev_candidates = CandidateList(EdgeVertexCandidate, found.point_edge[:, ::-1])
        self.ee_candidates = CandidateList(EdgeEdgeCandidate, found.edge_edge)
        self.fv_candidates = CandidateList(FaceVertexCandidate, found.vertex_face[:, ::-1])
        return self

    def _queries(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, within: float | None
    ) -> dict[Kind, NDArray[np.float64]]:
        """The queries of all candidates, or of those that come within a distance."""
        x0, x1 = in_space("vertices_t0", vertices_t0), in_space("vertices_t1", vertices_t1)
        if x0.shape != x1.shape:
            raise ArgumentError(f"vertices_t0 has {len(x0)} rows, vertices_t1 has {len(x1)}")
        edges, faces = _arrays.primitives("edges", mesh.edges, 2), _arrays.primitives("faces", mesh.faces, 3)
        vv, ev, ee, fv = (part.pairs for part in self._lists())
        if within is not None:
            topology = whole(edges, faces, len(x0))
            vv, ee = (_near(topology, x0, x1, *of, within) for of in ((Kind.POINT_POINT, vv), (Kind.EDGE_EDGE, ee)))
            ev = _near(topology, x0, x1, Kind.POINT_EDGE, ev[:, ::-1], within)[:, ::-1]
            fv = _near(topology, x0, x1, Kind.VERTEX_FACE, fv[:, ::-1], within)[:, ::-1]
        corners = {
            Kind.POINT_POINT: vv,
            Kind.POINT_EDGE: np.hstack([ev[:, 1:], edges[ev[:, 0]]]),
            Kind.EDGE_EDGE: np.hstack([edges[ee[:, 0]], edges[ee[:, 1]]]),
            Kind.VERTEX_FACE: np.hstack([fv[:, 1:], faces[fv[:, 0]]]),
        }
        return {kind: np.concatenate([x0[at], x1[at]], axis=1) for kind, at in corners.items() if len(at)}

    def is_step_collision_free(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
        narrow_phase_ccd: NarrowPhaseCCD | None = None,
    ) -> bool:  # fmt: skip
        """No candidate collides."""
        solver = narrow_phase_ccd or TightInclusionCCD()
        queries = self._queries(mesh, vertices_t0, vertices_t1, solver._within(min_distance))
        return solver._first(queries, min_distance, 1.0, whether=True) == np.inf

    def compute_collision_free_stepsize(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
        narrow_phase_ccd: NarrowPhaseCCD | None = None,
    ) -> float:  # fmt: skip
        """The largest step in [0, 1] to which no candidate collides: the least time of impact, or 1."""
        solver = narrow_phase_ccd or TightInclusionCCD()
        queries = self._queries(mesh, vertices_t0, vertices_t1, solver._within(min_distance))
        return float(min(solver._first(queries, min_distance, 1.0), 1.0))

    def compute_noncandidate_conservative_stepsize(self, mesh: Any, displacements: ArrayLike, dhat: float) -> float:
        """The step on which no vertex moves more than dhat / 2, so that what is more than dhat apart does not touch.

        Of all vertices: ipctk's looks at those of candidates only, and misses what comes from afar.
        """
        moved = _arrays.doubles("displacements", displacements)
        most = float(np.abs(moved).max(initial=0.0))
        if not len(self):
            return 1.0
        if most == 0:
            return np.inf
        # Norms are taken of displacements over the largest coordinate, so that no square that matters underflows. A quotient,
        # three squares, two sums, a root, two products, a quotient: less than 8 roundings in all, of 2^-53 each.
        norm = most * float(np.sqrt(np.square(moved / most).sum(axis=1)).max())
        return 0.5 * dhat / norm * (1 - 2.0**-49)

    def compute_cfl_stepsize(
        self, mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, dhat: float, min_distance: float = 0.0,
        broad_phase: BroadPhase | None = None, narrow_phase_ccd: NarrowPhaseCCD | None = None,
    ) -> float:  # fmt: skip
        """A safe step: by these candidates where little moves far, else by all pairs that a sweep of the whole step finds."""
        mine = self.compute_collision_free_stepsize(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd)
        x0, x1 = positions("vertices_t0", vertices_t0), positions("vertices_t1", vertices_t1)
        others = self.compute_noncandidate_conservative_stepsize(mesh, x1 - x0, dhat)
        if others < 0.5 * mine:
            return compute_collision_free_stepsize(
                mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd
            )  # fmt: skip
        return min(mine, others)

    # ---- candidates of smaller primitives

    def edge_vertex_to_vertex_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[VertexVertexCandidate]:  # fmt: skip
        """The edges' ends with the vertices, as far as is_active(squared distance) says so."""
        pairs = ((v, end) for e, v in self.ev_candidates.pairs.tolist() for end in np.asarray(mesh.edges)[e].tolist())
        return _smaller(VertexVertexCandidate, pairs, mesh, vertices, is_active)

    def face_vertex_to_vertex_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[VertexVertexCandidate]:  # fmt: skip
        """The faces' corners with the vertices, as far as is_active(squared distance) says so."""
        pairs = ((v, corner) for f, v in self.fv_candidates.pairs.tolist() for corner in np.asarray(mesh.faces)[f].tolist())
        return _smaller(VertexVertexCandidate, pairs, mesh, vertices, is_active)

    def face_vertex_to_edge_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[EdgeVertexCandidate]:  # fmt: skip
        """The faces' edges with the vertices, as far as is_active(squared distance) says so."""
        pairs = ((e, v) for f, v in self.fv_candidates.pairs.tolist() for e in np.asarray(mesh.faces_to_edges)[f].tolist())
        return _smaller(EdgeVertexCandidate, pairs, mesh, vertices, is_active)

    def edge_edge_to_edge_vertex(
        self, mesh: Any, vertices: ArrayLike, is_active: Callable[[float], bool] | None = None
    ) -> list[EdgeVertexCandidate]:  # fmt: skip
        """Each edge with the other's ends, as far as is_active(squared distance) says so."""
        ends = np.asarray(mesh.edges)
        both = (pair for a, b in self.ee_candidates.pairs.tolist() for pair in ((a, b), (b, a)))
        return _smaller(EdgeVertexCandidate, ((e, v) for e, o in both for v in ends[o].tolist()), mesh, vertices, is_active)


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


def _near(
    mesh: Mesh, x0: NDArray[np.float64], x1: NDArray[np.float64], kind: Kind, pairs: NDArray[np.int64], within: float
) -> NDArray[np.int64]:
    """The pairs that come within a distance on the way: a batch of the library's, without a query made in Python."""
    near = step.pairs(mesh, x0, x1, kind, pairs, min_separation=within)["verdict"] != Verdict.SEPARATE
    kept: NDArray[np.int64] = pairs[near]
    return kept


def _candidates(mesh: Any, x0: ArrayLike, x1: ArrayLike, min_distance: float, broad_phase: BroadPhase | None) -> Candidates:
    candidates = Candidates()
    candidates.build(mesh, x0, x1, min_distance / 2, broad_phase)  # half for each of the two: no nearer pair is left out
    return candidates


def has_intersections(mesh: Any, vertices: ArrayLike, broad_phase: BroadPhase | None = None) -> bool:
    """Whether an edge and a face that share no vertex intersect, or two edges in the plane: closed, and decided exactly."""
    phase = broad_phase if isinstance(broad_phase, BroadPhase) else SweepAndPrune()
    phase.build(vertices, mesh.edges, mesh.faces)
    phase.can_vertices_collide = mesh.can_collide
    return phase._intersects()


def is_step_collision_free(
    mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
    broad_phase: BroadPhase | None = None, narrow_phase_ccd: NarrowPhaseCCD | None = None,
) -> bool:  # fmt: skip
    """No two parts of the mesh collide on the way."""
    found = _candidates(mesh, vertices_t0, vertices_t1, min_distance, broad_phase)
    return found.is_step_collision_free(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd)


def compute_collision_free_stepsize(
    mesh: Any, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0,
    broad_phase: BroadPhase | None = None, narrow_phase_ccd: NarrowPhaseCCD | None = None,
) -> float:  # fmt: skip
    """The largest step in [0, 1] on which no two parts of the mesh collide."""
    found = _candidates(mesh, vertices_t0, vertices_t1, min_distance, broad_phase)
    return found.compute_collision_free_stepsize(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd)
