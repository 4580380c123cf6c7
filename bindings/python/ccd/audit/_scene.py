"""What is audited: a mesh with and without thickness, its objects, and the pairs of objects that do not count."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays, meshes
from .._inner.errors import no_mesh
from .._inner.records import kind_of
from ..errors import ArgumentError
from ..impact import EDGE_FACE, Kind
from ..mesh import Mesh
from ._events import Incidence

_MOST_THREADS = 1 << 20


class Scene:
    """A mesh as it is audited.

    Groups of the mesh hold; its radii count for what comes near, and not for what touches or crosses.
    """

    def __init__(
        self,
        mesh: Mesh,
        separation: float = 0.0,
        objects: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        skip: Iterable[tuple[str, str]] = (),
        self_collisions: bool = True,
    ):
        if not isinstance(mesh, Mesh):
            raise no_mesh("mesh", mesh)
        self.thick, self.separation = mesh, arrays.within("min_separation", separation, "[0, 1e150]")
        self.vertices, self.edges, self.faces = mesh.counts[0], mesh.edges, mesh.faces
        radii = meshes.radii(mesh)
        self.bare = mesh if radii is None or not np.any(radii) else _without_radii(mesh)
        if objects is None:
            self.of = components(self.vertices, self.edges)
        else:
            self.of = np.asarray(arrays.ids("objects", objects), np.int64)
            if len(self.of) != self.vertices:
                raise ArgumentError(f"objects has {len(self.of)} rows: must be {self.vertices}, one for each vertex")
            if len(self.of) and self.of.min() < 0:
                raise ArgumentError(f"objects[{int(self.of.argmin())}] is {int(self.of.min())}: must not be negative")
        count = int(self.of.max()) + 1 if len(self.of) else 0
        self.names = (
            [f"object {k}" for k in range(count)]
            if names is None
            else [str(name) for name in arrays.several("names", names, "names")]
        )
        if len(self.names) < count:
            raise ArgumentError(f"names has {len(self.names)} names: must be at least {count}, one for each object")
        self._skip = self._pairs_of(skip)
        self_collisions = arrays.flag("self_collisions", self_collisions)
        own = self._skip | ({(k, k) for k in range(count)} if not self_collisions else set())
        joined = np.flatnonzero(self.of[self.edges[:, 0]] != self.of[self.edges[:, 1]])
        if own and len(joined):
            e = joined[0]
            one, other = (self.names[self.of[v]] for v in self.edges[e])
            raise ArgumentError(
                f"objects: edge {e} joins {one!r} and {other!r}: "
                "pairs of objects can be skipped only where no edge joins two objects"
            )
        if not self_collisions and meshes.filters(mesh).get("groups") is None:
            self.thick = copy.copy(mesh)
            self.thick.set_groups(self.of.astype(np.int32))
            self.bare = self.thick if self.bare is mesh else _without_radii(self.thick)
        else:
            self._skip = own
        self.distances = not self._skip  # the search for the least distance knows groups, and no pairs of objects
        self.carries = _keeps_crossings(self.thick, self.edges)

    def _pairs_of(self, skip: Iterable[tuple[str, str]]) -> set[tuple[int, int]]:
        number = {name: k for k, name in enumerate(self.names)}
        found = set()
        if isinstance(skip, str) or not isinstance(skip, Iterable):
            raise ArgumentError(f"skip is {skip!r}: must hold pairs of names")
        for i, pair in enumerate(skip):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise ArgumentError(f"skip[{i}] is {pair!r}: must be two names")
            for name in pair:
                if name not in number:
                    known = ", ".join(self.names[:12]) + (", ..." if len(self.names) > 12 else "")
                    raise ArgumentError(f"skip names {name!r}: must be one of {known}")
            a, b = (number[name] for name in pair)
            found.add((min(a, b), max(a, b)))
        return found

    @functools.cached_property
    def incidence(self) -> Incidence:
        """The edges at each vertex and the faces at each edge."""
        return Incidence(self.vertices, self.edges, self.faces)

    @functools.cached_property
    def rods(self) -> NDArray[np.int32]:
        """The edges that no face has, (k, 2)."""
        alone = self.incidence.faces_at == 0
        found: NDArray[np.int32] = self.edges[alone]
        return found

    def objects_of(self, kind: Any, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        """The two objects of pairs of a kind, (k, 2), the lesser number first."""
        first, second = _corners(kind)
        one = self.of[a if first is None else getattr(self, first)[a, 0]]
        other = self.of[b if second is None else getattr(self, second)[b, 0]]
        return np.sort(np.column_stack([one, other]), axis=1)

    def vertices_of(self, kind: Any, a: int, b: int) -> tuple[int, ...]:
        """The vertices of a pair."""
        first, second = _corners(kind)
        sides = [
            [number] if name is None else getattr(self, name)[number].tolist() for name, number in ((first, a), (second, b))
        ]
        return tuple(int(v) for side in sides for v in side)

    def kept(self, records: NDArray[np.void]) -> NDArray[np.void]:
        """The records without pairs of objects that do not count."""
        if not self._skip or not len(records):
            return records
        keep = np.ones(len(records), bool)
        wide = np.int64(len(self.names) + 1)
        skipped = np.array([a * wide + b for a, b in sorted(self._skip)])
        for kind in np.unique(records["kind"]):
            rows = np.flatnonzero(records["kind"] == kind)
            objects = self.objects_of(kind_of(kind), records["a"][rows], records["b"][rows])
            keep[rows] = ~np.isin(objects @ np.array([wide, 1]), skipped)
        return records[keep]


def checked_threads(threads: int) -> int:
    """A number of threads; 0 is as many as this process may use."""
    number = arrays.integer("threads", threads, -(2**63), 2**63 - 1)
    if not 0 <= number <= _MOST_THREADS:
        raise ArgumentError(f"threads is {number}: must be 0, for all that this process may use, or up to {_MOST_THREADS:,}")
    return number


def _corners(kind: Any) -> tuple[str | None, str | None]:
    """The lists that hold the vertices of the two primitives of a kind; None: the number is a vertex."""
    return {
        Kind.VERTEX_FACE: (None, "faces"),
        Kind.EDGE_EDGE: ("edges", "edges"),
        Kind.POINT_EDGE: (None, "edges"),
        Kind.POINT_POINT: (None, None),
        EDGE_FACE: ("edges", "faces"),
    }[kind]


def _keeps_crossings(mesh: Mesh, edges: NDArray[np.int32]) -> bool:
    """Whether the filters of a mesh skip, with a pair of an edge and a face, all pairs of their parts, as law 10 needs."""
    held = meshes.filters(mesh)
    groups = held.get("groups")
    if any(value is not None for name, value in held.items() if name not in ("groups", "radii")):
        return False
    if groups is None or isinstance(groups, str):
        return True
    group = np.asarray(groups)
    return bool((group >= 0).all() and (group[edges[:, 0]] == group[edges[:, 1]]).all())


def _without_radii(mesh: Mesh) -> Mesh:
    """A copy of the mesh, with its filters, without radii."""
    bare = copy.copy(mesh)
    bare.set_radii(None)
    return bare


def components(vertices: int, edges: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of each vertex's connected component; vertices without an edge are components of their own."""
    label = np.arange(vertices)
    while len(edges):
        least = np.minimum(label[edges[:, 0]], label[edges[:, 1]])
        new = label.copy()
        for k in range(2):
            np.minimum.at(new, label[edges[:, k]], least)
        while not np.array_equal(new, shorter := new[new]):
            new = shorter
        if np.array_equal(new, label):
            break
        label = new
    _, number = np.unique(label, return_inverse=True)
    return number.reshape(-1).astype(np.int64)
