"""ipctk's collision mesh and its filters on vertices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _arrays
from ..errors import ArgumentError
from ..mesh import Mesh


class CollisionFilter:
    """Which vertices may collide: all, or those for which fn(i, j) says so. Two primitives may when some of their vertices may.

    The filters of the make_* functions are arrays to the library; a function is asked for each candidate, in Python.
    """

    def __init__(self, fn: Callable[[int, int], bool] | None = None):
        self._fn = fn

    def __call__(self, i: int, j: int) -> bool:
        return True if self._fn is None else bool(self._fn(i, j))

    def _set(self, mesh: Mesh, copies: int) -> bool:
        """Put the filter on the mesh, whose vertices are so many copies of the scene's. False: it has to be asked."""
        return self._fn is None


class _Patches(CollisionFilter):
    """Vertices of one patch do not collide."""

    def __init__(self, ids: NDArray[np.int32]):
        patch = np.unique(ids, return_inverse=True)[1].astype(np.int32)  # to ours a negative id is of no patch
        super().__init__(lambda i, j: patch[i] != patch[j])
        self._patch = patch

    def _set(self, mesh: Mesh, copies: int) -> bool:
        if copies * len(self._patch) != mesh.counts[0]:
            raise ArgumentError(f"patch_ids has {len(self._patch)} entries for {mesh.counts[0] // copies} vertices")
        mesh.set_patches(np.tile(self._patch, copies))
        return True


class _Static(CollisionFilter):
    """Vertices from n on do not collide with one another."""

    def __init__(self, n: int):
        super().__init__(lambda i, j: i < n or j < n)
        self._n = n

    def _set(self, mesh: Mesh, copies: int) -> bool:
        mesh.set_static(np.tile(np.arange(mesh.counts[0] // copies) >= self._n, copies))
        return True


def make_vertex_patches_filter(patch_ids: ArrayLike) -> CollisionFilter:
    """Only vertices of different patches collide. patch_ids is (n,)."""
    return _Patches(_arrays.ids("patch_ids", np.ravel(patch_ids)))


def make_static_obstacle_filter(n_dynamic: int) -> CollisionFilter:
    """Vertices n_dynamic and later are obstacles: they do not collide with one another."""
    return _Static(int(n_dynamic))


def make_sparse_filter(explicit_values: Mapping[tuple[int, int], bool], default_value: bool) -> CollisionFilter:
    """Explicit answers for vertex pairs (i, j), i < j, and one for all others."""
    values = {(int(i), int(j)): bool(value) for (i, j), value in explicit_values.items()}
    return CollisionFilter(lambda i, j: values.get((min(i, j), max(i, j)), bool(default_value)))


class _Components(CollisionFilter):
    """Vertices of one component do not collide; vertices in no face are each a component."""

    def __init__(self, label: NDArray[np.int32]):
        super().__init__(lambda i, j: self._of(i) != self._of(j))
        self._label = label

    def _of(self, i: int) -> int:
        return int(self._label[i]) if i < len(self._label) else i

    def _set(self, mesh: Mesh, copies: int) -> bool:
        n = mesh.counts[0] // copies
        label = np.arange(max(n, len(self._label)), dtype=np.int32)
        label[: len(self._label)] = self._label
        mesh.set_patches(np.tile(label[:n], copies))
        return True


def make_connected_components_filter(faces: ArrayLike) -> CollisionFilter:
    """No connected component of the faces collides with itself."""
    corners = _arrays.primitives("faces", faces, 3)
    label = np.arange(corners.max(initial=-1) + 1, dtype=np.int32)
    while True:  # each round hands every vertex the least label of its faces, then of that label's own: few rounds
        least = label[corners].min(axis=1)
        before = label.copy()
        for k in range(3):
            np.minimum.at(label, corners[:, k], least)
        label = label[label]
        if np.array_equal(label, before):
            return _Components(label)


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
        include = _arrays.mask("include_vertex", given["include_vertex"]) != 0 if part else np.ones(n, bool)
        if len(include) != n:
            raise ArgumentError(f"include_vertex has {len(include)} entries for {n} vertices")
        self._full_id = np.flatnonzero(include).astype(np.int32)
        self.rest_positions: NDArray[np.float64] = self._full_rest[self._full_id]
        self.edges: NDArray[np.int32] = self._included("edges", given.get("edges", ()), include, 2)
        self.faces: NDArray[np.int32] = self._included("faces", given.get("faces", ()), include, 3)
        self._map = self._selected(given.get("displacement_map"))
        self.can_collide: Any = CollisionFilter()
        self.planes: list[Any] = []  # to be left empty: candidates refuse a mesh with planes

    def _included(self, name: str, primitives: ArrayLike, include: NDArray[np.bool_], width: int) -> NDArray[np.int32]:
        array = _arrays.primitives(name, primitives, width)
        if array.size and not (array.min() >= 0 and array.max() < len(include) and include[array].all()):
            raise ArgumentError(f"{name} has a vertex that is not included")
        return (np.cumsum(include) - 1).astype(np.int32)[array]

    def _selected(self, displacement_map: Any) -> Any:
        """The rows of the included vertices; None for the identity."""
        if displacement_map is None or 0 in np.shape(displacement_map):
            return None
        if np.ndim(displacement_map) != 2 or displacement_map.shape[0] != len(self._full_rest):
            raise ArgumentError(f"displacement_map has shape {np.shape(displacement_map)} for {len(self._full_rest)} vertices")
        rows = displacement_map.tocsr() if hasattr(displacement_map, "tocsr") else _arrays.doubles("map", displacement_map)
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
            ids = _arrays.ids(name, np.ravel(at)) if np.size(at) else np.empty(0, np.int32)
            if ids.size and not (ids.min() >= 0 and ids.max() < num_vertices):
                raise ArgumentError(f"{name} has a vertex out of range")
            on[ids] = True
        listed: list[bool] = on.tolist()
        return listed

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
        return self.construct_faces_to_edges(self.faces, self.edges)

    @staticmethod
    def construct_faces_to_edges(faces: ArrayLike, edges: ArrayLike) -> NDArray[np.int32]:
        """For each face the rows of its edges, (n, 3): of corners 0 and 1, 1 and 2, 2 and 0."""
        corners = _arrays.primitives("faces", faces, 3).astype(np.int64)
        ends = np.sort(_arrays.primitives("edges", edges, 2).astype(np.int64), axis=1)
        sides = np.sort(corners[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        known, wanted = ends[:, 0] << 32 | ends[:, 1], sides[:, 0] << 32 | sides[:, 1]
        order = np.argsort(known, kind="stable")
        at = order[np.minimum(np.searchsorted(known[order], wanted), len(known) - 1)] if len(known) else wanted * 0
        if len(wanted) and not (len(known) and (known[at] == wanted).all()):
            raise ArgumentError("faces has an edge that is not in edges")
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
            parts = _arrays.doubles("x", x).reshape(-1, self.dim)
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
    array = _arrays.doubles(name, x)
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
