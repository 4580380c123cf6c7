"""The topology of a scene, with its filters and radii."""

from __future__ import annotations

import ctypes
import weakref
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays
from ._native.call import check, create
from .impact import EDGE_FACE, Kind


class Mesh:
    """A surface of triangles, with codimensional edges and vertices if there are any, and filters that say what may collide.

    faces     (n, 3) vertex indices
    edges     None: the unique edges of the faces. Else (n, 2), every edge of every face among them, once;
              further ones are codimensional, as are vertices in no edge
    vertices  number of vertices; None: one more than the largest index

    Threads may share a mesh. It is freed with its last reference, or by `close()`; it is a context manager and can be
    pickled, which is how it reaches a spawned process.
    Raises ArgumentError, or InvalidIndexError for an index out of range, a vertex repeated in a face, a face given twice.
    """

    def __init__(self, faces: ArrayLike | None = None, edges: ArrayLike | None = None, vertices: int | None = None):
        face_array = arrays.primitives("faces", () if faces is None else faces, 3)
        edge_array = None if edges is None else arrays.primitives("edges", edges, 2)
        self._handle = ctypes.c_void_p()
        count, lib = _vertex_count(vertices, face_array, edge_array), abi.library()
        create(
            count + face_array.nbytes + (0 if edge_array is None else edge_array.nbytes),
            lib.ccd_mesh_create,
            lib.ccd_mesh_destroy,
            self._handle,
            count,
            None if edge_array is None else edge_array.ctypes,
            0 if edge_array is None else len(edge_array),
            face_array.ctypes,
            len(face_array),
        )
        self._vertices = self.counts[0]
        self._filters: dict[Any, Any] = {}  # what was set, for pickling
        self._free = weakref.finalize(self, _destroy, self._handle)

    def close(self) -> None:
        """Free the mesh now. Calls under way on other threads finish first; later ones raise HandleError."""
        self._free()

    def __enter__(self) -> Mesh:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of vertices, edges and faces."""
        sizes = [ctypes.c_size_t() for _ in range(3)]
        check(abi.library().ccd_mesh_counts(self._handle, *map(ctypes.byref, sizes)))
        vertices, edges, faces = (size.value for size in sizes)
        return vertices, edges, faces

    @property
    def edges(self) -> NDArray[np.int32]:
        """A copy of the edges, (n, 2). `Impact.a` and `b` of edges count in this order."""
        return self._copy(abi.library().ccd_mesh_edges, self.counts[1], 2)

    @property
    def faces(self) -> NDArray[np.int32]:
        """A copy of the faces, (n, 3)."""
        return self._copy(abi.library().ccd_mesh_faces, self.counts[2], 3)

    def _copy(self, function: Any, count: int, columns: int) -> NDArray[np.int32]:
        array = np.empty((count, columns), np.int32)
        check(function(self._handle, array.ctypes, count, ctypes.byref(ctypes.c_size_t())))
        return array

    def set_groups(self, group: ArrayLike | None) -> None:
        """Two vertices of one collision group never collide; those of a negative one collide with everything. None: no filter.

        group  (n,) integers, n = vertices. A pair is tested when some vertex of the one and of the other may collide.
        """
        array = None if group is None else arrays.ids("group", group)
        size = 0 if array is None else len(array)
        check(abi.library().ccd_mesh_set_groups(self._handle, None if array is None else array.ctypes, size))
        self._filters["groups"] = array

    def set_component_groups(self) -> None:
        """One collision group per connected component: no component collides with itself."""
        check(abi.library().ccd_mesh_set_component_groups(self._handle))
        self._filters["groups"] = "components"

    def set_static(self, static: ArrayLike | None) -> None:
        """Pairs whose vertices are all static are skipped. static is (n,) bool, n = vertices; None removes the filter."""
        array = None if static is None else arrays.mask("static", static)
        size = 0 if array is None else len(array)
        check(abi.library().ccd_mesh_set_static(self._handle, None if array is None else array.ctypes, size))
        self._filters["static"] = array

    def set_excluded(self, kind: Kind | str | int, pairs: ArrayLike | None) -> None:
        """Leave out these pairs (n, 2) of primitives of the kind, as in `Impact.a`, `b`. Replaces the kind's earlier list.

        A list of kind `ccd.proximity.EDGE_FACE` is for intersections alone.
        """
        kind = EDGE_FACE if isinstance(kind, (int, np.integer)) and kind == EDGE_FACE else Kind.of("kind", kind)
        array = arrays.pairs("pairs", () if pairs is None else pairs)
        check(abi.library().ccd_mesh_set_excluded(self._handle, kind, array.ctypes, len(array)))
        self._filters[kind] = array

    def set_radii(self, radii: ArrayLike | None) -> None:
        """Set a radius for each vertex: the thickness of cloth, rods and points.

        radii  (n,) lengths in the unit of the coordinates, n = vertices, or one number for all; finite, in [0, 1e150].
               None removes them

        The radius of an edge or a face is the largest of its vertices'. The separation of a pair is `min_separation` plus the
        radii of both, rounded up: vertices are balls and edges capsules. `u`, `v`, `point` and `normal` of an impact are those
        of the centre lines and faces. Near pairs and distances are those of the surfaces. Candidates stay valid for radii up
        to those of their sweep.
        Raises ArgumentError or NonFiniteError, which name the index.

        >>> mesh = ccd.Mesh(edges=[[0, 1]], vertices=3)  # a rod and a point
        >>> mesh.set_radii([0.1, 0.1, 0.25])
        >>> x0 = [[0, 0, 0], [4, 0, 0], [1, 0, 2.35]]
        >>> x1 = [[0, 0, 0], [4, 0, 0], [1, 0, -1.65]]
        >>> round(ccd.step.earliest(mesh, x0, x1).toi_lo, 9)
        0.5
        """
        array = None if radii is None else arrays.lengths("radii", radii, self.counts[0])
        size = 0 if array is None else len(array)
        check(abi.library().ccd_mesh_set_radii(self._handle, None if array is None else array.ctypes, size))
        self._filters["radii"] = None if array is None else array.copy()

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.Mesh, closed>"
        return "<ccd.Mesh of {} vertices, {} edges, {} faces>".format(*self.counts)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.faces, self.edges, self.counts[0], self._filters)


def _rebuild(faces: Any, edges: Any, vertices: int, filters: dict[Any, Any]) -> Mesh:
    mesh = Mesh(faces, edges, vertices)
    for name, value in filters.items():
        if isinstance(name, int):  # a kind
            mesh.set_excluded(name, value)
        elif name == "static":
            mesh.set_static(value)
        elif name == "radii":
            mesh.set_radii(value)
        elif isinstance(value, str):
            mesh.set_component_groups()
        else:
            mesh.set_groups(value)
    return mesh


def _vertex_count(vertices: int | None, faces: NDArray[np.int32], edges: NDArray[np.int32] | None) -> int:
    if vertices is None:
        return 1 + max((int(a.max()) for a in (faces, edges) if a is not None and a.size), default=-1)
    return arrays.integer("vertices", vertices, 0, 2**63 - 1)


def _destroy(handle: ctypes.c_void_p) -> None:
    """Destroy a mesh whose last reference is gone. A failure, as in a forked child, has no caller to report to."""
    abi.library().ccd_mesh_destroy(handle)
