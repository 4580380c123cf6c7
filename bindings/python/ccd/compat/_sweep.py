"""The sweep behind all of ipctk's broad phases."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import broad, proximity
from ..impact import Kind
from ..mesh import Mesh
from . import _checked, _stencils, _threads
from ._errors import TypedError
from ._filters import CollisionFilter, allowed
from ._mesh import in_space, positions, whole


def first_of(name: str, also: str, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """The first argument of an overloaded call, which has two names, and those that follow it."""
    if args:
        return args[0], args[1:]
    for known in (name, also):
        if known in named:
            return named.pop(known), ()
    raise TypeError(f"build() needs {name}")


class Sweep:
    """Pairs whose boxes overlap, swept from vertices_t0 to vertices_t1 and inflated by a radius.

    build(vertices, edges, faces, inflation_radius=0)                  for one frame
    build(vertices_t0, vertices_t1, edges, faces, inflation_radius=0)  for a step
    """

    _brute_force = False

    def __init__(self) -> None:
        self.can_vertices_collide: Any = CollisionFilter()
        self.clear()

    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def clear(self) -> None:
        """Forget the frames and their mesh."""
        self._dim, self._radius = 3, 0.0
        self._x0 = self._x1 = np.empty((0, 3))
        self._edges, self._faces = np.empty((0, 2), np.int32), np.empty((0, 3), np.int32)

    def build(self, *args: Any, **named: Any) -> None:
        """See the class."""
        vertices, rest = first_of("vertices", "vertices_t0", args, named)
        order = ["vertices_t1", "edges", "faces", "inflation_radius"]
        if len(rest) + len([n for n in named if n != "inflation_radius"]) < 3 or (len(rest) == 3 and np.ndim(rest[2]) == 0):
            order = order[1:]
        given = dict(zip(order, rest), **named)
        x1 = given.pop("vertices_t1", vertices)
        self._dim = positions("vertices", vertices).shape[1]
        self._x0, self._x1 = in_space("vertices_t0", vertices), in_space("vertices_t1", x1)
        self._edges = _checked.primitives("edges", given.pop("edges", ()), 2)
        self._faces = _checked.primitives("faces", given.pop("faces", ()), 3)
        self._radius = _checked.number("inflation_radius", given.pop("inflation_radius", 0.0))
        if given or len(rest) > len(order):
            raise TypeError(f"build() got unexpected arguments: {list(given) or rest[len(order) :]}")
        if len(self._x0) != len(self._x1):
            raise TypedError(f"vertices_t0 has {len(self._x0)} rows, vertices_t1 has {len(self._x1)}")

    def detect_vertex_vertex_candidates(self) -> Any:
        """Pairs of vertices."""
        return self._listed("VertexVertexCandidate", self._pairs(Kind.POINT_POINT))

    def detect_edge_vertex_candidates(self) -> Any:
        """Edges and vertices, but an edge's own."""
        return self._listed("EdgeVertexCandidate", self._pairs(Kind.POINT_EDGE)[:, ::-1])

    def detect_edge_edge_candidates(self) -> Any:
        """Pairs of edges that share no vertex."""
        return self._listed("EdgeEdgeCandidate", self._pairs(Kind.EDGE_EDGE))

    def detect_face_vertex_candidates(self) -> Any:
        """Faces and vertices, but a face's own."""
        return self._listed("FaceVertexCandidate", self._pairs(Kind.VERTEX_FACE)[:, ::-1])

    def detect_edge_face_candidates(self) -> Any:
        """Edges and faces that share no vertex: candidates for an intersection of one frame."""
        pairs = self._boxes(self._edges, self._faces)
        return self._listed("EdgeFaceCandidate", self._kept(pairs, self._edges, self._faces))

    def detect_face_face_candidates(self) -> Any:
        """Pairs of faces that share no vertex."""
        pairs = self._boxes(self._faces)
        return self._listed("FaceFaceCandidate", self._kept(pairs, self._faces, self._faces))

    def _options(self) -> Any:
        return {"brute_force": self._brute_force, "threads": _threads.option()}

    def _listed(self, name: str, pairs: NDArray[np.int64]) -> Any:
        return _stencils.CandidateList(getattr(_stencils, name), pairs)

    def _pairs(self, kind: Kind) -> NDArray[np.int64]:
        """All pairs of a kind, as in `ccd.broad`: not only those that codimensional parts need."""
        n, copies = len(self._x0), 1
        if kind == Kind.VERTEX_FACE:
            mesh = Mesh(faces=self._faces, vertices=n)
        elif kind == Kind.EDGE_EDGE:
            mesh = Mesh(edges=self._edges, vertices=n)
        elif kind == Kind.POINT_POINT:
            mesh = Mesh(vertices=n)
        else:  # the library tests loose points against edges: give it every vertex once more, loose
            mesh, copies = Mesh(edges=self._edges + np.int32(n), vertices=2 * n), 2
        found = self._sweep(mesh, copies)[kind]
        if copies == 2:
            found = found[found[:, 0] < n]
            found = found[(found[:, :1] != self._edges[found[:, 1]]).all(axis=1)]
        return found

    def _sweep(self, mesh: Mesh, copies: int = 1) -> broad.Candidates:
        """Candidates of a mesh whose vertices are so many copies of the scene's, filtered."""
        rule = self.can_vertices_collide
        known = rule._set(mesh, copies) if isinstance(rule, CollisionFilter) else False
        # Both boxes of a pair are inflated by the radius; our separation is the whole distance.
        x0, x1 = np.tile(self._x0, (copies, 1)), np.tile(self._x1, (copies, 1))
        found = broad.candidates(mesh, x0, x1, min_separation=2 * self._radius, **self._options())
        return found if known else self._asked(mesh, found, rule)

    def _intersects(self) -> bool:
        """Whether an edge and a face of the frame intersect, or two edges of one in the plane; both without a common vertex."""
        return len(self._intersecting()) > 0

    def _intersecting(self) -> NDArray[np.int64]:
        """The pairs of which `_intersects` speaks."""
        if self._dim == 2:
            mesh, kind = Mesh(edges=self._edges, vertices=len(self._x0)), int(Kind.EDGE_EDGE)
            first, second = self._edges, self._edges
        else:
            mesh, kind = whole(self._edges, self._faces, len(self._x0)), proximity.EDGE_FACE
            first, second = mesh.edges, self._faces
        rule = self.can_vertices_collide
        known = rule._set(mesh, 1) if isinstance(rule, CollisionFilter) else False
        if not proximity.intersects(mesh, self._x0, **self._options()):  # this stops at the first, or has no list to make
            return np.empty((0, 2), np.int64)
        found = proximity.intersections(mesh, self._x0, **self._options())
        found = found[found["kind"] == kind]
        if self._dim == 3:
            found = found[found["a"] < len(self._edges)]  # edges that only the faces know are not ipctk's
        pairs = np.stack([found["a"], found["b"]], axis=1)
        return pairs if known else pairs[allowed(rule, first[pairs[:, 0]], second[pairs[:, 1]])]

    def _boxes(self, first: NDArray[np.int32], second: NDArray[np.int32] | None = None) -> NDArray[np.int64]:
        """Pairs whose swept boxes overlap, of two families or of one.

        The library sweeps points, edges and triangles; a box it takes as the edge from its least to its largest corner.
        """
        lo, hi = np.minimum(self._x0, self._x1), np.maximum(self._x0, self._x1)
        parts = [first] if second is None else [first, second]
        boxes = [np.stack([lo[p].min(axis=1), hi[p].max(axis=1)], axis=1) for p in parts if len(p)]
        corners = np.concatenate(boxes or [lo[:0]])
        n, count = len(corners), len(first)
        if n < 2:
            return np.empty((0, 2), np.int64)
        mesh = Mesh(edges=np.arange(2 * n, dtype=np.int32).reshape(-1, 2), vertices=2 * n)
        if second is not None:
            mesh.set_groups((np.arange(2 * n) >= 2 * count).astype(np.int32))
        x = corners.reshape(-1, 3)
        found = broad.candidates(mesh, x, x, min_separation=2 * self._radius, **self._options()).edge_edge
        return found if second is None else found - np.array([0, count])

    def _kept(self, pairs: NDArray[np.int64], first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int64]:
        """Those that share no vertex and whose vertices may collide."""
        a, b = first[pairs[:, 0]], second[pairs[:, 1]]
        apart = (a[:, :, None] != b[:, None, :]).all(axis=(1, 2))
        kept: NDArray[np.int64] = pairs[apart][allowed(self.can_vertices_collide, a[apart], b[apart])]
        return kept

    def _asked(self, mesh: Mesh, found: broad.Candidates, rule: Any) -> broad.Candidates:
        """Those for which a function of two vertices says that some of their vertices may collide."""
        from ..verify import corners

        n, kept = len(self._x0), []
        for kind, (first, second) in corners(mesh).items():
            pairs = found[kind]
            kept.append(pairs[allowed(rule, first[pairs[:, 0]] % n, second[pairs[:, 1]] % n)])
        return broad.alone(*kept)
