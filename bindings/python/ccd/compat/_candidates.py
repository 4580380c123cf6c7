"""ipctk's candidates, and the steps they allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _arrays, step
from ..errors import ArgumentError
from ..impact import Kind, Verdict
from ..mesh import Mesh
from ._broad import BroadPhase, SweepAndPrune
from ._mesh import in_space, whole
from ._narrow import NarrowPhaseCCD, TightInclusionCCD


class _Candidate:
    """Two primitives, by index. Two of one class compare and hash by their indices."""

    _names: ClassVar[tuple[str, str]]
    _kind: ClassVar[Kind]

    def __init__(self, first: Any, second: int | None = None):
        pair = first if second is None else (first, second)
        self._ids = (int(pair[0]), int(pair[1]))
        for name, value in zip(self._names, self._ids):
            setattr(self, name, value)

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        """The vertices in ipctk's order, -1 for what is not there."""
        raise NotImplementedError

    def ccd(
        self, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0, tmax: float = 1.0,
        narrow_phase_ccd: NarrowPhaseCCD | None = None,
    ) -> tuple[bool, float]:  # fmt: skip
        """(hit, time of impact) for the positions of the candidate's own vertices, as vertex_ids orders them."""
        solver = narrow_phase_ccd or TightInclusionCCD()
        dim = np.size(vertices_t0) // self._kind.points
        points = [*np.reshape(vertices_t0, (-1, dim)), *np.reshape(vertices_t1, (-1, dim))]
        return solver._one(self._kind, points, min_distance, tmax)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._ids == self._ids

    def __lt__(self, other: _Candidate) -> bool:
        return self._ids < other._ids

    def __hash__(self) -> int:
        return hash((type(self), self._ids))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._ids[0]}, {self._ids[1]})"


class VertexVertexCandidate(_Candidate):
    _names, _kind = ("vertex0_id", "vertex1_id"), Kind.POINT_POINT

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        return [*self._ids, -1, -1]


class EdgeVertexCandidate(_Candidate):
    _names, _kind = ("edge_id", "vertex_id"), Kind.POINT_EDGE

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        return [self._ids[1], *np.asarray(edges)[self._ids[0]].tolist(), -1]


class EdgeEdgeCandidate(_Candidate):
    _names, _kind = ("edge0_id", "edge1_id"), Kind.EDGE_EDGE

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        return [*np.asarray(edges)[self._ids[0]].tolist(), *np.asarray(edges)[self._ids[1]].tolist()]


class FaceVertexCandidate(_Candidate):
    _names, _kind = ("face_id", "vertex_id"), Kind.VERTEX_FACE

    def vertex_ids(self, edges: ArrayLike, faces: ArrayLike) -> list[int]:
        return [self._ids[1], *np.asarray(faces)[self._ids[0]].tolist()]


class EdgeFaceCandidate(_Candidate):
    """For an intersection of one frame; it is none of `Candidates`."""

    _names = ("edge_id", "face_id")


class FaceFaceCandidate(_Candidate):
    """It is none of `Candidates`: edges and vertices show what two flat faces do."""

    _names = ("face0_id", "face1_id")


class CandidateList(Sequence[Any]):
    """Candidates of one class over an (n, 2) array of indices; each becomes an object when it is looked at."""

    def __init__(self, of: type[_Candidate], pairs: NDArray[np.int64]):
        self._of, self.pairs = of, pairs

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
        none = np.empty((0, 2), np.int64)
        self.vv_candidates = CandidateList(VertexVertexCandidate, none)
        self.ev_candidates = CandidateList(EdgeVertexCandidate, none)
        self.ee_candidates = CandidateList(EdgeEdgeCandidate, none)
        self.fv_candidates = CandidateList(FaceVertexCandidate, none)

    def _lists(self) -> tuple[CandidateList, ...]:
        return self.vv_candidates, self.ev_candidates, self.ee_candidates, self.fv_candidates

    def empty(self) -> bool:
        return not len(self)

    def __len__(self) -> int:
        return sum(map(len, self._lists()))

    def __getitem__(self, at: int) -> Any:
        for part in self._lists():
            if at < len(part):
                return part[at]
            at -= len(part)
        raise IndexError("candidate index out of range")

    def build(self, mesh: Any, vertices: ArrayLike, *rest: Any, **named: Any) -> None:
        """See the class."""
        order = ["vertices_t1", "inflation_radius", "broad_phase"]
        given = dict(zip(order if not rest or np.ndim(rest[0]) == 2 else order[1:], rest), **named)
        if len(rest) > 3 or set(given) - set(order):
            raise TypeError(f"build() got unexpected arguments: {list(given)}")
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


def _near(
    mesh: Mesh, x0: NDArray[np.float64], x1: NDArray[np.float64], kind: Kind, pairs: NDArray[np.int64], within: float
) -> NDArray[np.int64]:
    """The pairs that come within a distance on the way: a batch of the library's, without a query made in Python."""
    return pairs[step.pairs(mesh, x0, x1, kind, pairs, min_separation=within)["verdict"] != Verdict.SEPARATE]


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
