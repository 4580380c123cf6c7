"""The topology of a collision mesh, of this module or of the real ipctk, prepared for the library and kept."""

from __future__ import annotations

import functools
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..impact import Kind
from ..verify import corners
from . import _checked
from ._errors import wrong_type
from ._filters import CollisionFilter, allowed
from ._mesh import whole


class Topology:
    """Edges and faces, the library's mesh of them with its filters, and the filter that is to be called for what is found."""

    def __init__(self, mesh: Any, vertices: int, rule: Any):
        self._source = mesh.edges, mesh.faces  # kept, so that their memory serves for nothing else
        self.edges = _checked.primitives("edges", self._source[0], 2)
        self.faces = _checked.primitives("faces", self._source[1], 3)
        self.vertices, self.rule, self._version = vertices, rule, _version(rule)
        self.mesh = whole(self.edges, self.faces, vertices)
        self.known = rule._set(self.mesh, 1) if isinstance(rule, CollisionFilter) else False
        self.corners = corners(self.mesh)

    def serves(self, mesh: Any, vertices: int, rule: Any) -> bool:
        """Whether it is that of a mesh, of as many vertices, with a filter."""
        same = all(_place(a) == _place(b) for a, b in zip(self._source, (mesh.edges, mesh.faces)))
        return same and vertices == self.vertices and rule is self.rule and _version(rule) is self._version

    def allows(self, kind: Kind, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of these pairs are ipctk's and may collide."""
        keep = np.ones(len(a), bool)
        if kind == Kind.EDGE_EDGE:  # edges that only the faces know are not ipctk's
            keep = (a < len(self.edges)) & (b < len(self.edges))
        if not self.known:
            first, second = self.corners[kind]
            keep[keep] = allowed(self.rule, first[a[keep]], second[b[keep]])
        return keep


def _version(rule: Any) -> Any:
    """What changes when a filter is changed in place."""
    return getattr(rule, "_version", None)


def _place(array: Any) -> tuple[Any, ...]:
    a = np.asarray(array)
    return a.__array_interface__["data"][0], a.shape, a.strides, a.dtype


def topology(mesh: Any, vertices: int, rule: Any) -> Topology:
    """That of a mesh, whose frames have so many vertices, with a filter.

    It is kept with the mesh, and made again for other arrays or another filter. Arrays that can be written to may have changed,
    so theirs is not kept.
    """
    if getattr(mesh, "num_vertices", vertices) != vertices:
        raise ArgumentError(f"vertices has {vertices} rows: the mesh has {mesh.num_vertices} vertices")
    known: Topology | None = getattr(mesh, "_topology", None)
    if known is None or not known.serves(mesh, vertices, rule):
        known = Topology(mesh, vertices, rule)
        fixed = not any(getattr(array, "flags", np.empty(0).flags).writeable for array in (mesh.edges, mesh.faces))
        if fixed and hasattr(mesh, "_topology"):
            mesh._topology = known
    return known


# ---- meshes of the real ipctk


class Guest:
    """A mesh of the real ipctk, as this module's functions take it. It lives as long as the mesh, without keeping it alive."""

    planes = ()

    def __init__(self, mesh: Any):
        self._mesh = weakref.ref(mesh)
        self._topology: Topology | None = None
        # Copies: ipctk's arrays would keep the mesh alive.
        self.edges: NDArray[np.int32] = np.array(mesh.edges, np.int32, order="C").reshape(-1, 2)
        self.faces: NDArray[np.int32] = np.array(mesh.faces, np.int32, order="C").reshape(-1, 3)
        self.edges.flags.writeable = self.faces.flags.writeable = False
        self.num_vertices: int = mesh.num_vertices
        self._asked = functools.partial(_ask, self._mesh)
        self.described: CollisionFilter | None = None  # the filter as one of this module, where it is known to be the same
        self.dense = False  # whether the last search found many near pairs

    @property
    def can_collide(self) -> Any:
        return self._asked if self.described is None else self.described

    @property
    def codim_vertices(self) -> Any:
        mesh = self._mesh()
        return () if mesh is None else mesh.codim_vertices

    @property
    def codim_edges(self) -> Any:
        mesh = self._mesh()
        return () if mesh is None else mesh.codim_edges


def _ask(mesh: weakref.ref[Any], i: int, j: int) -> bool:
    """What the filter of a mesh of the real ipctk says, as it is now."""
    return bool(mesh().can_collide(i, j))  # type: ignore[union-attr]  # who calls this has the mesh


guests: weakref.WeakKeyDictionary[Any, Guest] = weakref.WeakKeyDictionary()


def taken(mesh: Any) -> Any:
    """A mesh as this module's functions take it: one of the real ipctk as a guest."""
    if not all(hasattr(mesh, name) for name in ("edges", "faces", "can_collide")):
        raise wrong_type("mesh", mesh, "a CollisionMesh")
    if len(getattr(mesh, "planes", ())):
        raise ArgumentError("mesh.planes is not empty: planes are not supported, give a plane as a static face")
    if not any(base.__module__ == "ipctk" for base in type(mesh).__mro__):
        return mesh
    guest = guests.get(mesh)
    if guest is None:
        guest = guests[mesh] = Guest(mesh)
    return guest
