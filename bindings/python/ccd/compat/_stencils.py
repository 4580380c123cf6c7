"""ipctk's candidates, one by one and in lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..impact import Kind
from . import _checked, _distance, _given_narrow
from ._errors import TypedError, wrong_type


class _Pair:
    """Two primitives, by index. Candidates of one class compare and hash by their indices."""

    _names: ClassVar[tuple[str, str]]
    _both: ClassVar[str]

    def __init__(self, *ids: Any, **named: Any):
        if not hasattr(self, "_names"):
            raise TypeError(f"{type(self).__name__} is what candidates share: make one of a kind, such as FaceVertexCandidate")
        if set(named) - {*self._names, self._both} or len(ids) + len(named) not in (1, 2):
            raise TypeError(f"{type(self).__name__}() takes {self._names[0]}, {self._names[1]}, or {self._both}")
        given = [*ids, *(named[name] for name in (*self._names, self._both) if name in named)]
        both = given[0] if len(given) == 1 else given
        if not isinstance(both, Sequence) or isinstance(both, str) or len(both) != 2:
            raise TypeError(f"{type(self).__name__}() takes {self._names[0]}, {self._names[1]}, or {self._both}")
        first, second = (_checked.integer(name, x, -(2**31), 2**31 - 1) for name, x in zip(self._names, both))
        self._ids = (first, second)
        for name, value in zip(self._names, self._ids):
            setattr(self, name, value)

    def _key(self) -> tuple[int, int]:
        """Two of one kind of primitive are a pair in either order."""
        first, second = self._ids
        return (min(first, second), max(first, second)) if self._names[0][:4] == self._names[1][:4] else self._ids

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._key() == self._key()

    def __lt__(self, other: _Pair) -> bool:
        return self._key() < other._key() if type(other) is type(self) else NotImplemented

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
        rows = np.atleast_2d(_checked.doubles("vertices", vertices))
        ids = self.vertex_ids(edges, faces)
        return [rows[i].copy() if i >= 0 else np.full(rows.shape[1], np.nan) for i in ids]

    def dof(self, X: ArrayLike, edges: ArrayLike, faces: ArrayLike) -> NDArray[np.float64]:
        """The coordinates of the candidate's vertices, one after the other."""
        return np.concatenate(self.vertices(X, edges, faces)[: self.num_vertices()])

    def compute_distance(self, *args: ArrayLike, **named: ArrayLike) -> float:
        """compute_distance(vertices, edges, faces) or (positions), as from `dof`: the *squared* distance, in plain floats."""
        given = [*args, *(named[name] for name in ("vertices", "edges", "faces", "positions") if name in named)]
        x = self.dof(*given) if len(given) == 3 else np.ravel(_checked.doubles("positions", given[0]))
        q = np.zeros((1, 2 * self._kind.points, 3))
        dim = self.dim(len(x))
        q[0, : self._kind.points, :dim] = x.reshape(-1, dim)
        return float(_distance.initial(self._kind, q)[0] ** 2)

    def ccd(
        self, vertices_t0: ArrayLike, vertices_t1: ArrayLike, min_distance: float = 0.0, tmax: float = 1.0,
        narrow_phase_ccd: Any = None,
    ) -> tuple[bool, float]:  # fmt: skip
        """(hit, time of impact) for the positions of the candidate's own vertices, as vertex_ids orders them."""
        x0, x1 = (np.ravel(_checked.doubles(f"vertices_t{i}", x)) for i, x in enumerate((vertices_t0, vertices_t1)))
        dim = self.dim(len(x0))
        if len(x0) != dim * self._kind.points or len(x0) != len(x1):
            raise TypedError(f"vertices_t0 has {len(x0)} numbers, vertices_t1 {len(x1)}, for {self._kind.points} vertices")
        points = [*x0.reshape(-1, dim), *x1.reshape(-1, dim)]
        solver = _given_narrow.narrow(narrow_phase_ccd, dim)
        if isinstance(solver, _given_narrow.Own):
            return solver.pair(self._kind, points, min_distance, tmax)
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
    """A candidate for a static intersection; `Candidates` does not list it."""

    _names = ("edge_id", "face_id")
    _both = "edge_and_face_id"


class FaceFaceCandidate(_Pair):
    """`Candidates` does not list it: edges and vertices cover what two flat faces do."""

    _names = ("face0_id", "face1_id")
    _both = "face_ids"


class CandidateList(Sequence[Any]):
    """Candidates of one class over an (n, 2) array of indices; each becomes an object when it is read."""

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


KINDS = {"vv": VertexVertexCandidate, "ev": EdgeVertexCandidate, "ee": EdgeEdgeCandidate, "fv": FaceVertexCandidate}


def listed(name: str, of: type[_Pair], found: Any) -> CandidateList:
    """What a script gives as candidates of a class: of this module, of the real ipctk, or pairs of indices."""
    if isinstance(found, CandidateList) and found._of is of:
        return found
    if not isinstance(found, Iterable) or isinstance(found, (str, bytes)):
        raise wrong_type(name, found, f"a list of {of.__name__}")
    pairs = []
    for i, one in enumerate(found):
        if type(one).__name__ == of.__name__:
            pairs.append(tuple(getattr(one, attribute) for attribute in of._names))
        elif isinstance(one, tuple) and len(one) == 2:
            pairs.append(one)
        else:
            raise wrong_type(f"{name}[{i}]", one, f"a {of.__name__}")
    return CandidateList(of, np.array(pairs, np.int64).reshape(-1, 2))
