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
    """Rest positions (n, 2 or 3), edges and faces, with `can_collide` to filter by vertices."""

    def __init__(self, rest_positions: ArrayLike, edges: ArrayLike = (), faces: ArrayLike = ()):
        self.rest_positions = positions("rest_positions", rest_positions)
        self.edges = _arrays.primitives("edges", edges, 2)
        self.faces = _arrays.primitives("faces", faces, 3)
        self.can_collide: Any = CollisionFilter()

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
    def dim(self) -> int:
        return self.rest_positions.shape[1]

    @property
    def ndof(self) -> int:
        return self.rest_positions.size

    @property
    def codim_vertices(self) -> NDArray[np.int32]:
        """Vertices in no edge."""
        return np.setdiff1d(np.arange(self.num_vertices, dtype=np.int32), self.edges)

    def vertices(self, full_positions: ArrayLike) -> NDArray[np.float64]:
        """The positions themselves: the collision mesh is the full mesh."""
        return positions("full_positions", full_positions)

    def displace_vertices(self, full_displacements: ArrayLike) -> NDArray[np.float64]:
        """Rest positions plus displacements."""
        return self.rest_positions + positions("full_displacements", full_displacements)


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
