"""ipctk's collision mesh."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner.errors import shown
from ..errors import ArgumentError
from ..mesh import Mesh
from . import _checked
from ._errors import EdgeError
from ._filters import CollisionFilter


def edges(F: ArrayLike) -> NDArray[np.int32]:
    """The unique edges of faces, (n, 2)."""
    return Mesh(faces=F).edges


class CollisionMesh:
    """What collides of a mesh: rest positions (n, 2 or 3), edges and faces, with `can_collide` to filter by vertices.

    CollisionMesh(rest_positions, edges, faces, displacement_map)           all of the mesh
    CollisionMesh(include_vertex, orient_vertex, full_rest_positions, ...)  the vertices that are included; edges and faces are
                                                                            given by vertices of the full mesh

    displacement_map is a SciPy sparse matrix or an array, from displacements of the full mesh's degrees of freedom to its
    vertices; without one it is the identity.
    """

    def __init__(self, *args: Any, **named: Any):
        tail = ["edges", "faces", "displacement_map"]
        part = "include_vertex" in named or (bool(args) and np.ndim(args[0]) == 1)
        order = ["include_vertex", "orient_vertex", "full_rest_positions", *tail] if part else ["rest_positions", *tail]
        given = dict(zip(order, args), **named)
        if len(args) > len(order) or set(given) - set(order) or len(given) < len(args) + len(named):
            raise TypeError(f"CollisionMesh() got unexpected arguments: {list(given)}")
        if not set(order[:-3]) <= set(given):
            raise TypeError(f"CollisionMesh() needs {', '.join(order[:-3])}")
        self._full_rest = positions(order[-4], given[order[-4]])
        n = len(self._full_rest)
        include = _checked.mask("include_vertex", given["include_vertex"]) != 0 if part else np.ones(n, bool)
        if len(include) != n:
            raise ArgumentError(f"include_vertex has {len(include)} entries for {n} vertices")
        self._full_id = np.flatnonzero(include).astype(np.int32)
        self._rest_positions: NDArray[np.float64] = self._full_rest[self._full_id]
        self._edges: NDArray[np.int32] = self._included("edges", given.get("edges", ()), include, 2)
        self._faces: NDArray[np.int32] = self._included("faces", given.get("faces", ()), include, 3)
        self._faces_to_edges: NDArray[np.int32] = self.construct_faces_to_edges(self.faces, self.edges)
        for array in (self.rest_positions, self.edges, self.faces):  # not writable, as in ipctk
            array.flags.writeable = False
        self._map = self._selected(given.get("displacement_map"))
        self._can_collide: Any = CollisionFilter()
        self._topology: Any = None  # made when it is first needed
        self.planes: list[Any] = []  # must stay empty: candidates refuse a mesh with planes

    def _included(self, name: str, primitives: ArrayLike, include: NDArray[np.bool_], width: int) -> NDArray[np.int32]:
        array = _checked.primitives(name, primitives, width)
        if array.size and not (array.min() >= 0 and array.max() < len(include) and include[array].all()):
            raise ArgumentError(f"{name} has a vertex that is not included")
        renumbered: NDArray[np.int32] = (np.cumsum(include) - 1).astype(np.int32)[array]
        return renumbered

    def _selected(self, displacement_map: Any) -> Any:
        """The rows of the included vertices; None for the identity."""
        if displacement_map is None or 0 in np.shape(displacement_map):
            return None
        if np.ndim(displacement_map) != 2 or displacement_map.shape[0] != len(self._full_rest):
            raise ArgumentError(f"displacement_map has shape {np.shape(displacement_map)} for {len(self._full_rest)} vertices")
        rows = displacement_map.tocsr() if hasattr(displacement_map, "tocsr") else _checked.doubles("map", displacement_map)
        return rows[self._full_id]

    @classmethod
    def build_from_full_mesh(
        cls, full_rest_positions: ArrayLike, edges: ArrayLike, faces: ArrayLike = ()
    ) -> CollisionMesh:  # fmt: skip
        """The vertices that are in an edge, and nothing that lies inside."""
        n = len(positions("full_rest_positions", full_rest_positions))
        surface = cls.construct_is_on_surface(n, edges)
        return cls(surface, [False] * n, full_rest_positions, edges, faces)

    @staticmethod
    def construct_is_on_surface(num_vertices: int, edges: ArrayLike, codim_vertices: ArrayLike = ()) -> list[bool]:
        """For each vertex whether it is in an edge or is one of the codimensional vertices."""
        on = np.zeros(num_vertices, bool)
        for name, at in (("edges", edges), ("codim_vertices", codim_vertices)):
            ids = _checked.ids(name, np.ravel(at)) if np.size(at) else np.empty(0, np.int32)
            if ids.size and not (ids.min() >= 0 and ids.max() < num_vertices):
                raise ArgumentError(f"{name} has a vertex out of range")
            on[ids] = True
        listed: list[bool] = on.tolist()
        return listed

    @property
    def rest_positions(self) -> NDArray[np.float64]:
        return self._rest_positions

    @property
    def edges(self) -> NDArray[np.int32]:
        return self._edges

    @property
    def faces(self) -> NDArray[np.int32]:
        return self._faces

    @property
    def can_collide(self) -> Any:
        """The filter: a CollisionFilter, of this module or of the real ipctk, or a function of two vertices."""
        return self._can_collide

    @can_collide.setter
    def can_collide(self, rule: Any) -> None:
        if not callable(rule):
            raise ArgumentError(f"can_collide is {shown(rule)}: must be a CollisionFilter or a function of two vertices")
        self._can_collide = rule

    @property
    def num_vertices(self) -> int:
        return len(self.rest_positions)

    @property
    def num_edges(self) -> int:
        return len(self.edges)

    @property
    def num_faces(self) -> int:
        return len(self.faces)

    @property
    def num_codim_vertices(self) -> int:
        return len(self.codim_vertices)

    @property
    def num_codim_edges(self) -> int:
        return len(self.codim_edges)

    @property
    def dim(self) -> int:
        return int(self.rest_positions.shape[1])

    @property
    def ndof(self) -> int:
        return self.rest_positions.size

    @property
    def full_num_vertices(self) -> int:
        return len(self._full_rest)

    @property
    def full_ndof(self) -> int:
        return self._full_rest.size

    @property
    def codim_vertices(self) -> NDArray[np.int32]:
        """Vertices in no edge."""
        return np.setdiff1d(np.arange(self.num_vertices, dtype=np.int32), self.edges)

    @property
    def codim_edges(self) -> NDArray[np.int32]:
        """Edges of no face."""
        sides = np.sort(self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64), axis=1)
        ends = np.sort(self.edges.astype(np.int64), axis=1)
        return np.flatnonzero(~np.isin(ends[:, 0] << 32 | ends[:, 1], sides[:, 0] << 32 | sides[:, 1])).astype(np.int32)

    @property
    def faces_to_edges(self) -> NDArray[np.int32]:
        """For each face its edges, (n, 3): of corners 0 and 1, 1 and 2, 2 and 0."""
        return self._faces_to_edges

    @staticmethod
    def construct_faces_to_edges(faces: ArrayLike, edges: ArrayLike) -> NDArray[np.int32]:
        """For each face the rows of its edges, (n, 3): of corners 0 and 1, 1 and 2, 2 and 0."""
        corners = _checked.primitives("faces", faces, 3).astype(np.int64)
        ends = np.sort(_checked.primitives("edges", edges, 2).astype(np.int64), axis=1)
        sides = np.sort(corners[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        known, wanted = ends[:, 0] << 32 | ends[:, 1], sides[:, 0] << 32 | sides[:, 1]
        order = np.argsort(known, kind="stable")
        at = order[np.minimum(np.searchsorted(known[order], wanted), len(known) - 1)] if len(known) else wanted * 0
        if len(wanted) and not (len(known) and (known[at] == wanted).all()):
            missing = wanted[(known[at] != wanted) if len(known) else slice(None)][0]
            pair = int(missing >> 32), int(missing & 0xFFFFFFFF)
            raise EdgeError(*pair)
        return at.astype(np.int32).reshape(-1, 3)

    def face_normals(self, vertices: ArrayLike) -> NDArray[np.float64]:
        """The unit normals of the faces, (n, 3)."""
        p = positions("vertices", vertices)[self.faces]
        normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        unit: NDArray[np.float64] = normal / np.linalg.norm(normal, axis=1, keepdims=True)
        return unit

    def to_full_dof(self, x: Any = None, *, X: Any = None) -> Any:
        """A vector x over the degrees of freedom of the collision mesh, or a matrix X, as one over those of the full mesh."""
        x = X if x is None else x
        if np.ndim(x) == 1:
            parts = _checked.doubles("x", x).reshape(-1, self.dim)
            if self._map is not None:
                return np.asarray(self._map.T @ parts).ravel()
            full = np.zeros(self._full_rest.shape)
            full[self._full_id] = parts
            return full.ravel()
        selection = self._dof_map()
        return selection.T @ x @ selection

    def _dof_map(self) -> Any:
        """From degrees of freedom of the full mesh to those of the collision mesh, as a sparse matrix."""
        from scipy import sparse

        rows = self._map
        if rows is None:
            n = self.num_vertices
            rows = sparse.csr_matrix((np.ones(n), (np.arange(n), self._full_id)), shape=(n, self.full_num_vertices))
        return sparse.kron(rows, sparse.identity(self.dim), format="csc")

    def to_full_vertex_id(self, id: int | None = None) -> Any:
        """The vertex of the full mesh, or all of them."""
        return self._full_id.copy() if id is None else int(self._full_id[id])

    def vertices(self, full_positions: ArrayLike) -> NDArray[np.float64]:
        """The positions of the collision mesh, where those of the full mesh are given."""
        full = self._of_full("full_positions", full_positions)
        return full[self._full_id] if self._map is None else self.rest_positions + self._map @ (full - self._full_rest)

    def displace_vertices(self, full_displacements: ArrayLike) -> NDArray[np.float64]:
        """Rest positions plus displacements."""
        return self.rest_positions + self.map_displacements(full_displacements)

    def map_displacements(self, full_displacements: ArrayLike) -> NDArray[np.float64]:
        """Displacements of the collision mesh, where those of the full mesh's degrees of freedom are given."""
        if self._map is None:
            return self._of_full("full_displacements", full_displacements)[self._full_id]
        full = positions("full_displacements", full_displacements)
        if full.shape != (self._map.shape[1], self.dim):
            raise ArgumentError(f"full_displacements has shape {full.shape}: must be {(self._map.shape[1], self.dim)}")
        mapped: NDArray[np.float64] = self._map @ full
        return mapped

    def _of_full(self, name: str, x: ArrayLike) -> NDArray[np.float64]:
        array = positions(name, x)
        if array.shape != self._full_rest.shape:
            raise ArgumentError(f"{name} has shape {array.shape}: must be {self._full_rest.shape}")
        return array


def positions(name: str, x: ArrayLike) -> NDArray[np.float64]:
    """x as (n, 2) or (n, 3) doubles."""
    array = _checked.doubles(name, x)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ArgumentError(f"{name} has shape {array.shape}: must be (n, 2) or (n, 3)")
    return array


def in_space(name: str, x: ArrayLike) -> NDArray[np.float64]:
    """x as (n, 3) doubles; a scene in the plane lies in z = 0."""
    array = positions(name, x)
    return array if array.shape[1] == 3 else np.hstack([array, np.zeros((len(array), 1))])


def whole(edges: NDArray[np.int32], faces: NDArray[np.int32], vertices: int) -> Mesh:
    """The topology with the edges in their given order, and after them what the faces have besides."""
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    known = np.sort(edges, axis=1)
    every = np.vstack([known, sides]).astype(np.int64)
    _, first = np.unique((every[:, 0] << 32) | every[:, 1], return_index=True)
    missing = np.sort(first[first >= len(edges)])
    return Mesh(faces=faces, edges=np.vstack([edges, every[missing].astype(np.int32)]), vertices=vertices)
