"""The topology of a scene, with its filters and radii."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import weakref
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._group import Group
from ._native import abi, arrays
from ._native.call import Call, check, create, renaming
from ._stencils import stencils
from .errors import ArgumentError, InvalidIndexError, did_you_mean
from .impact import EDGE_FACE, Kind

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


_clean: Any = None
"""The function `clean` of ccd.files. That module imports this one, so it enters its function here when it is imported."""


class Mesh:
    """A surface of triangles, with codimensional edges and vertices, filters that say which pairs are tested, and radii.

    Threads may share a mesh. It is freed with its last reference, or by `close`; it is a context manager and can be
    pickled, which is how it reaches a spawned process.

    Arrays by position are ``Mesh(vertices, faces)`` or ``Mesh(vertices, faces, edges)`` if the second has three columns,
    and otherwise ``Mesh(faces)``, ``Mesh(faces, edges)`` or ``Mesh(faces, edges, vertices)``. A single array of
    floating-point numbers beside ``edges=`` is the vertices. Keywords leave no doubt.

    Parameters
    ----------
    *given : array_like
        Arrays by position.
    faces : array_like, optional
        Triangles, (n, 3) vertex indices.
    edges : array_like, optional
        Edges, (m, 2) vertex indices: every edge of every face once, and further ones, which are codimensional. None: the
        unique edges of the faces.
    vertices : int or array_like, optional
        Number of vertices, or their coordinates, (n, 3), of which only the number is used; None: one more than the largest
        index. Vertices in no edge are codimensional.
    ignored : array_like, optional
        Vertices that are in no edge and no particles either, (n,) bool: no pair has them, and the others keep their numbers.

    Raises
    ------
    ArgumentError
        An array has another shape or type, as floating-point faces, or a face or an edge is given twice (`Mesh.clean` leaves
        such faces out), or an edge has an ignored vertex.
    InvalidIndexError
        An index is out of range, or a face or an edge repeats a vertex; the message names it.
    TypeError
        An array is given twice, by position and by keyword, or more than three are given.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5]])
    >>> ccd.Mesh(x, [[0, 1, 2], [1, 3, 2]])
    <ccd.Mesh of 4 vertices, 5 edges, 2 faces>
    >>> ccd.Mesh(faces=[[0, 1, 2], [1, 3, 2]])
    <ccd.Mesh of 4 vertices, 5 edges, 2 faces>
    >>> ccd.Mesh(edges=[[0, 1]], vertices=3)  # a wire and a particle
    <ccd.Mesh of 3 vertices, 1 edges, 0 faces>
    """

    @overload
    def __init__(
        self, vertices: ArrayLike, faces: ArrayLike, edges: ArrayLike | None = None, *, ignored: ArrayLike | None = None
    ): ...

    @overload
    def __init__(
        self,
        faces: ArrayLike | None = None,
        edges: ArrayLike | None = None,
        vertices: int | ArrayLike | None = None,
        *,
        ignored: ArrayLike | None = None,
    ): ...

    def __init__(
        self,
        *given: ArrayLike | None,
        faces: ArrayLike | None = None,
        edges: ArrayLike | None = None,
        vertices: int | ArrayLike | None = None,
        ignored: ArrayLike | None = None,
    ):
        faces, edges, vertices = _by_name(given, {"faces": faces, "edges": edges, "vertices": vertices})
        if faces is None and edges is None and vertices is None:
            what = "the argument is None" if given else "no argument was given"
            write = "ccd.Mesh(vertices, faces), ccd.Mesh(faces=faces), or ccd.Mesh(vertices=0) for a mesh of nothing"
            raise ArgumentError(f"Mesh: {what}; write {write}")
        face_array = arrays.primitives("faces", () if faces is None else faces, 3)
        edge_array = None if edges is None else arrays.primitives("edges", edges, 2)
        self._handle = ctypes.c_void_p()
        count, lib = _vertex_count(vertices, face_array, edge_array), abi.library()
        self._ignored = None if ignored is None else arrays.per_vertex("ignored", arrays.mask("ignored", ignored), count)
        with _clean_is_named():
            self._create(lib, count, face_array, edge_array)
        self._vertices = self.counts[0]
        self._filters: dict[Any, Any] = {}  # what was set, for pickling
        self._free = weakref.finalize(self, _destroy, self._handle)

    def _create(self, lib: Any, count: int, face_array: NDArray[np.int32], edge_array: NDArray[np.int32] | None) -> None:
        create(
            count + face_array.nbytes + (0 if edge_array is None else edge_array.nbytes),
            lib.ccd_mesh_create_ignoring,
            lib.ccd_mesh_destroy,
            self._handle,
            count,
            None if edge_array is None else edge_array.ctypes,
            0 if edge_array is None else len(edge_array),
            face_array.ctypes,
            len(face_array),
            None if self._ignored is None else self._ignored.ctypes,
            0 if self._ignored is None else count,
        )

    @staticmethod
    def clean(
        vertices: ArrayLike, faces: ArrayLike | None = None, edges: ArrayLike | None = None, particles: bool = False
    ) -> tuple[Mesh, dict[str, int]]:
        """Return a mesh without the faces and edges that ``Mesh`` refuses, and say what was left out.

        It does for arrays what `ccd.read` does for files. A face that repeats a vertex is a segment, and becomes an edge
        where no face has that edge. Of faces given twice the first stays. Vertices that nothing uses are no particles unless
        asked for; all vertices keep their numbers, faces may not.

        Parameters
        ----------
        vertices : array_like
            Coordinates, (n, 3).
        faces : array_like, optional
            Triangles, (m, 3) vertex indices.
        edges : array_like, optional
            Codimensional edges, (k, 2) vertex indices; those of the faces need not be among them.
        particles : bool, default False
            Whether vertices that nothing uses are particles.

        Returns
        -------
        mesh : Mesh
            The mesh, of n vertices.
        left_out : dict
            How many things of each kind were left out, by a plural as ``"faces given twice"``.

        Raises
        ------
        ArgumentError
            An array has another shape or type, or there are no faces, edges and particles.
        NonFiniteError
            A coordinate is NaN or infinite; the message says how to leave out the faces of such vertices.
        InvalidIndexError
            An index is out of range; the message names it.

        Examples
        --------
        >>> import ccd
        >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 5]]
        >>> ccd.Mesh.clean(x, [[0, 1, 2], [1, 2, 0], [0, 1, 1]])[1]
        {'faces that repeat a vertex': 1, 'faces given twice': 1, 'vertices that nothing uses': 1}
        """
        if faces is None and edges is None and not particles:
            raise ArgumentError(
                "faces and edges are missing, so nothing would be left: write ccd.Mesh.clean(vertices, faces), or "
                "particles=True for a cloud of points"
            )
        surface = _clean(vertices, faces, edges)
        return surface.mesh(particles), surface.left_out

    if not TYPE_CHECKING:  # a type checker knows what a mesh has

        def __getattr__(self, name: str) -> Any:
            """Say what a name may mean: calls are functions of modules. Python asks here last."""
            if name.startswith("_"):
                raise AttributeError(f"Mesh has no attribute {name!r}")
            modules = (f"{__package__}.{one}" for one in ("step", "proximity"))  # they import this one
            found = next((one for one in modules if name in getattr(sys.modules.get(one), "__all__", ())), None)
            meant = f"; write {found}.{name}(mesh, ...)" if found else did_you_mean(name, dir(Mesh))
            raise AttributeError(f"Mesh has no attribute {name!r}{meant}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute of the mesh's own: others would change nothing, as ``mesh.static = ...``."""
        if type(self) is Mesh and not name.startswith("_"):
            setter = f"; write mesh.set_{name}(...)" if hasattr(Mesh, f"set_{name}") else ""
            raise AttributeError(f"Mesh has no attribute {name!r} that can be set{setter or did_you_mean(name, dir(Mesh))}")
        super().__setattr__(name, value)

    def close(self) -> None:
        """Free the mesh now. Running calls on other threads complete; later ones raise HandleError."""
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
        """Copy of the edges, (n, 2) int32. ``Impact.a`` and ``b`` of edges are indices into it."""
        return self._copy(abi.library().ccd_mesh_edges, self.counts[1], 2)

    @property
    def faces(self) -> NDArray[np.int32]:
        """Copy of the faces, (n, 3) int32."""
        return self._copy(abi.library().ccd_mesh_faces, self.counts[2], 3)

    def _copy(self, function: Any, count: int, columns: int) -> NDArray[np.int32]:
        array = np.empty((count, columns), np.int32)
        check(function(self._handle, array.ctypes, count, ctypes.byref(ctypes.c_size_t())))
        return array

    def group_of(self, vertices: ArrayLike) -> Group:
        """Return the group of some vertices with the edges and faces all of whose vertices are among them.

        Parameters
        ----------
        vertices : array_like
            Their numbers, (k,).

        Returns
        -------
        ccd.Group
            Arrays without repeated numbers, for `ccd.Step.between`.

        Raises
        ------
        ArgumentError
            `vertices` is no array (k,) of integers.
        InvalidIndexError
            A number is out of range; the message names it.

        Examples
        --------
        >>> import ccd
        >>> group = ccd.Mesh(faces=[[0, 1, 2], [2, 1, 3]]).group_of([1, 2, 3])
        >>> [part.tolist() for part in group]
        [[1, 2, 3], [2, 3, 4], [1]]
        """
        numbers = arrays.ids("vertices", vertices)
        arrays.in_range("vertices", numbers, self.counts[0], "vertices")
        inside = np.zeros(self.counts[0], bool)
        inside[numbers] = True
        parts = (inside[rows].all(axis=1) for rows in (self.edges, self.faces))
        return Group(*(np.flatnonzero(part).astype(np.int32) for part in (inside, *parts)))

    def set_groups(self, group: ArrayLike | None) -> None:
        """Set collision groups: two vertices of one group never collide.

        A pair of primitives is skipped if no vertex of one may collide with any vertex of the other.

        Parameters
        ----------
        group : array_like or None
            One integer for each vertex, (n,), n = vertices of the mesh; a negative one collides with everything. The mesh
            keeps a copy. None removes the filter.

        Raises
        ------
        ArgumentError
            `group` has another shape or type, or an integer is beyond int32.
        HandleError
            The mesh was closed.

        Examples
        --------
        Two triangles that fall ignore each other, and hit a third one:

        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh(faces=np.arange(9).reshape(3, 3))
        >>> one = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
        >>> x0 = np.vstack([one, one + [0.1, 0.1, 1], one + [0.2, 0.2, 3]])
        >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2, 6, 6, 6], [0, 0, 1])
        >>> mesh.set_groups([0, 0, 0, 1, 1, 1, 1, 1, 1])
        >>> sorted({int(hit["a"]) // 3 for hit in ccd.step.collisions(mesh, x0, x1) if hit["kind"] == ccd.Kind.VERTEX_FACE})
        [1, 2]
        """
        array = None if group is None else arrays.per_vertex("group", arrays.ids("group", group), self.counts[0])
        size = 0 if array is None else len(array)
        check(abi.library().ccd_mesh_set_groups(self._handle, None if array is None else array.ctypes, size))
        self._filters["groups"] = array

    def set_component_groups(self) -> None:
        """Set one collision group for each connected component: no component collides with itself.

        It replaces the groups of `set_groups`; ``set_groups(None)`` removes it.

        Raises
        ------
        HandleError
            The mesh was closed.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [2, 1, 3], [4, 5, 6]])  # a folded strip, and a triangle
        >>> mesh.set_component_groups()
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 9], [1, 0, 9], [0, 1, 9.0]])
        >>> folded = x.copy()
        >>> folded[3] = [0, 0, 0]
        >>> ccd.step.earliest(mesh, x, folded).separate
        True
        """
        check(abi.library().ccd_mesh_set_component_groups(self._handle))
        self._filters["groups"] = "components"

    def set_static(self, static: ArrayLike | None) -> None:
        """Set static vertices: pairs whose vertices are all static are skipped.

        Parameters
        ----------
        static : array_like or None
            Whether each vertex is static, (n,) bool, not indices. The mesh keeps a copy. None removes the filter. Static
            vertices must have the same position at both ends of a step; calls do not test that.

        Raises
        ------
        ArgumentError
            `static` is no array of bool, or has another shape.
        HandleError
            The mesh was closed.

        Examples
        --------
        >>> import ccd
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
        >>> mesh.set_static([True, True, True, False, False, False])
        """
        array = None if static is None else arrays.per_vertex("static", arrays.mask("static", static), self.counts[0])
        size = 0 if array is None else len(array)
        check(abi.library().ccd_mesh_set_static(self._handle, None if array is None else array.ctypes, size))
        self._filters["static"] = array

    def set_excluded(self, kind: Kind | str | int, pairs: ArrayLike | None) -> None:
        """Set the pairs of one kind to skip, in place of the earlier list of that kind.

        Parameters
        ----------
        kind : Kind or str or int
            Kind of all pairs; `ccd.proximity.EDGE_FACE` for intersections alone.
        pairs : array_like or None
            Indices of the two primitives as in `ccd.Impact`, (k, 2) integers, of pairs of equal kinds in any order. The mesh
            keeps a copy. None: no pairs.

        Raises
        ------
        ArgumentError
            `pairs` has another shape or type, or there is no such kind.
        InvalidIndexError
            An index is out of range; the message names it.
        HandleError
            The mesh was closed.

        Examples
        --------
        >>> import ccd
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
        >>> mesh.set_excluded("vertex-face", [[3, 0], [4, 0]])
        """
        kind = EDGE_FACE if isinstance(kind, (int, np.integer)) and kind == EDGE_FACE else Kind.of("kind", kind)
        array = arrays.pairs("pairs", () if pairs is None else pairs)
        check(abi.library().ccd_mesh_set_excluded(self._handle, kind, array.ctypes, len(array)))
        self._filters[kind] = array

    def exclude_near(self, rest: ArrayLike | None = None, rings: int = 0, **options: Unpack[Options]) -> int:
        """Exclude pairs that are near in the mesh, beside those that are excluded.

        Cloth with a radius above half the distance of its vertices, or a ``min_separation`` above that distance, is in contact
        with itself at rest: `ccd.step.advance` then returns 0.

        Parameters
        ----------
        rest : array_like, optional
            Positions at rest, (n, 3): the pairs are those within their separation there, ``min_separation`` and radii. Without
            it they are all pairs within `rings`.
        rings : int, default 0
            Above 0, at most 64: only pairs of which a vertex of one primitive is within so many edges of a vertex of the other.
            So layers of cloth that lie on each other at rest are tested.
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`, such as ``min_separation`` and ``norm``; they need `rest`.

        Returns
        -------
        int
            Number of pairs that were not excluded before.

        Raises
        ------
        ArgumentError
            Neither `rest` nor `rings` is given, or one is out of range.
        UnsupportedError
            ``check_start`` or ``region`` is set.

        Notes
        -----
        Without `rest` a regular mesh of triangles has about 70 pairs for each vertex within 1 ring, and 300 within 2; a pair
        takes 24 bytes.

        Examples
        --------
        A square of two triangles beside one more, thicker than its edges are long:

        >>> import numpy as np, ccd
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [2, 0, 0.0]])
        >>> mesh = ccd.Mesh(x, [[0, 1, 2], [1, 3, 2], [1, 4, 3]])
        >>> ccd.step.advance(mesh, x, x + 1, min_separation=1.2).alpha
        0.0
        >>> mesh.exclude_near(x, min_separation=1.2) > 0
        True
        >>> ccd.step.advance(mesh, x, x + 1, min_separation=1.2).alpha
        1.0
        """
        rings = arrays.integer("rings", rings, 0, 64)
        count = ctypes.c_size_t()
        call = Call(options, long=True)
        if rest is None:
            if not rings:
                raise ArgumentError("rest and rings are missing: give positions at rest, a number of rings, or both")
            if options:
                raise ArgumentError(f"rest is missing: {next(iter(options))} needs it")
            x, n = None, 0
        else:
            at = arrays.finite("rest", arrays.coordinates("rest", rest))
            if len(at) != self._vertices:
                raise ArgumentError(f"rest has {len(at)} vertices: the mesh has {self._vertices}")
            x, n = arrays.pointer(at), len(at)
        call(abi.library().ccd_mesh_exclude_near, self._handle, x, n, rings, call.options, ctypes.byref(count))
        for kind in Kind:
            self._filters[kind] = self._excluded(kind)
        return count.value

    def _excluded(self, kind: Kind) -> NDArray[np.int64]:
        """The excluded pairs of a kind, (k, 2)."""
        function, count = abi.library().ccd_mesh_excluded, ctypes.c_size_t()
        check(function(self._handle, kind, None, 0, ctypes.byref(count)))
        pairs = np.empty((count.value, 2), np.int64)
        check(function(self._handle, kind, pairs.ctypes, len(pairs), ctypes.byref(count)))
        return pairs

    def set_radii(self, radii: ArrayLike | None) -> None:
        """Set a radius for each vertex: the thickness of cloth, rods and points.

        The radius of an edge or a face is the largest of its vertices'. The separation of a pair is ``min_separation`` plus
        the radii of both, rounded up: vertices are balls and edges capsules. ``u``, ``v``, ``point`` and ``normal`` of an
        impact are those of the center lines and faces. Near pairs and distances are those of the surfaces. Candidates stay
        valid for radii up to those of their sweep.

        Parameters
        ----------
        radii : array_like or None
            Lengths in the unit of the coordinates, (n,), or one number for all vertices; finite, in [0, 1e150]. None removes
            them.

        Raises
        ------
        ArgumentError
            A radius is negative, or there are not as many as vertices; the message names the index.
        NonFiniteError
            A radius is not finite; the message names the index.
        HandleError
            The mesh was closed.

        Examples
        --------
        A rod and a point.

        >>> import ccd
        >>> mesh = ccd.Mesh(edges=[[0, 1]], vertices=3)
        >>> mesh.set_radii([0.1, 0.1, 0.25])
        >>> x0 = [[0, 0, 0], [4, 0, 0], [1, 0, 2.35]]
        >>> x1 = [[0, 0, 0], [4, 0, 0], [1, 0, -1.65]]
        >>> round(ccd.step.earliest(mesh, x0, x1).toi_lo, 9)
        0.5
        """
        count = self.counts[0]
        array = None if radii is None else arrays.per_vertex("radii", arrays.lengths("radii", radii, count), count)
        size = 0 if array is None else len(array)
        with renaming((r"^radius\b", "radii")):
            check(abi.library().ccd_mesh_set_radii(self._handle, None if array is None else array.ctypes, size))
        self._filters["radii"] = None if array is None else array.copy()

    def stencils(self, records: NDArray[np.void]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the vertices and weights of the two points of each pair, for gradients and constraints.

        The vector from b's point to a's point of pair i is ``weights[i] @ x[vertices[i]]``, so the gradient of the distance
        with respect to these vertices is ``weights[i][:, None] * normal``.

        Parameters
        ----------
        records : numpy.ndarray
            Impacts (n,) of `ccd.impact_dtype`, constraints of `ccd.constraint_dtype`, or near pairs of
            `ccd.proximity.near_pair_dtype`, of this mesh.

        Returns
        -------
        vertices : numpy.ndarray
            Vertices, (n, 4) int32, in the order v f0 f1 f2, a0 a1 b0 b1, p e0 e1 or p q; a kind with fewer vertices repeats
            one, with weight 0.
        weights : numpy.ndarray
            Weights, (n, 4): positive, with sum 1, on a; negative, with sum -1, on b.

        Raises
        ------
        ArgumentError
            `records` has another dtype or shape, or holds an edge that passes through a face, which has no weights.
        InvalidIndexError
            A record is not of this mesh, or is of bare pairs; the message names it.

        Examples
        --------
        The gradient of the distance of the only near pair:

        >>> import numpy as np, ccd
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 0.5]])
        >>> mesh = ccd.Mesh(x, [[0, 1, 2]])
        >>> near = ccd.proximity.near(mesh, x, 0.6)
        >>> vertices, weights = mesh.stencils(near)
        >>> vertices[0].tolist(), weights[0].tolist()
        ([3, 0, 1, 2], [1.0, -0.5, -0.25, -0.25])
        >>> normal = weights[0] @ x[vertices[0]] / near["distance_hi"][0]
        >>> (weights[0][:, None] * normal).round(9)[0].tolist()
        [0.0, 0.0, 1.0]
        """
        return stencils(self, records)

    @property
    def _radii(self) -> NDArray[np.float64] | None:
        return self._filters.get("radii")

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.Mesh, closed>"
        return "<ccd.Mesh of {} vertices, {} edges, {} faces>".format(*self.counts)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.faces, self.edges, self.counts[0], self._filters, self._ignored)


def _rebuild(faces: Any, edges: Any, vertices: int, filters: dict[Any, Any], ignored: Any = None) -> Mesh:
    mesh = Mesh(faces=faces, edges=edges, vertices=vertices, ignored=ignored)
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


@contextlib.contextmanager
def _clean_is_named() -> Iterator[None]:
    """Errors of faces and edges that repeat vertices or each other, or lack each other, name what to do."""
    try:
        yield
    except InvalidIndexError as error:
        if "edges lacks" in str(error):
            remedy = (
                "edges are all of them; pass np.vstack([ccd.Mesh(faces=faces).edges, edges]) for those of the faces and yours"
            )
            raise InvalidIndexError(f"{error}; {remedy}") from None
        if "is degenerate" not in str(error) and "is the same" not in str(error):
            raise
        remedy = "ccd.Mesh.clean(vertices, faces, edges) leaves such out, and says how many"
        raise InvalidIndexError(f"{error}; {remedy}") from None


def _by_name(given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Faces, edges and vertices of arguments by position and by keyword.

    No array with three columns is a list of edges, so ``Mesh(vertices, faces)`` is no other valid call.
    """
    if len(given) > 3:
        raise TypeError(f"Mesh takes at most 3 arrays by position: {len(given)} were given")
    order = "faces", "edges", "vertices"
    for x in given:
        if hasattr(x, "vertices") and hasattr(x, "faces"):
            raise ArgumentError(
                f"{type(x).__name__} is no array: write ccd.Mesh(x.vertices, x.faces), or convert it with ccd.interop"
            )
    given = tuple(x if x is None or i == 2 else arrays.to_array(f"argument {i + 1}", x) for i, x in enumerate(given))
    first, second = (*given, None, None)[:2]
    if second is not None and ((second.ndim == 2 and second.shape[1] > 2) or (second.ndim and _is_floating(first))):
        order = "vertices", "faces", "edges"
        _refuse_other_order(first, second)
    elif len(given) == 1 and (named["faces"] is not None or (named["edges"] is not None and _are_coordinates(first))):
        order = "vertices", "faces", "edges"
    elif _is_floating(first):
        whole = arrays.whole_numbers("faces", first)
        raise ArgumentError(
            f"faces has dtype {first.dtype}: must be an integer type{whole}; for coordinates write "
            "ccd.Mesh(vertices, faces), ccd.Mesh(vertices, edges=edges) or, for a cloud of points, ccd.Mesh(vertices=x)"
        )
    for name, x in zip(order, given):
        if x is not None and named[name] is not None:
            raise TypeError(f"Mesh got {name} twice, by position and by keyword")
        named[name] = x if x is not None else named[name]
    return named["faces"], named["edges"], named["vertices"]


def _refuse_other_order(first: Any, second: NDArray[Any]) -> None:
    """Raise for two arrays that look like vertices and edges, or like faces and vertices."""
    if second.ndim == 2 and second.shape[1] == 2:
        raise ArgumentError(
            f"the first of two arrays has dtype {first.dtype}, the second has shape {second.shape}: "
            "for coordinates and edges write ccd.Mesh(vertices=x, edges=edges)"
        )
    if _is_floating(second):
        raise ArgumentError(
            f"faces has dtype {second.dtype}: must be an integer type, as of faces.astype(int); "
            "the order is ccd.Mesh(vertices, faces)"
        )


def _is_floating(array: NDArray[Any] | None) -> bool:
    """Whether an array has numbers that are no indices."""
    return array is not None and array.dtype.kind == "f" and array.size > 0


def _are_coordinates(array: NDArray[Any] | None) -> bool:
    """Whether an array can only be coordinates."""
    return array is not None and _is_floating(array) and array.ndim == 2 and array.shape[1] == 3


def _vertex_count(vertices: Any, faces: NDArray[np.int32], edges: NDArray[np.int32] | None) -> int:
    if vertices is None:
        return 1 + max((int(a.max()) for a in (faces, edges) if a is not None and a.size), default=-1)
    if hasattr(vertices, "__len__") and getattr(vertices, "ndim", 1) != 0 and not isinstance(vertices, (str, bytes)):
        return len(arrays.coordinates("vertices", vertices))
    return arrays.integer("vertices", vertices, 0, 2**63 - 1)


def _destroy(handle: ctypes.c_void_p) -> None:
    """Destroy a mesh whose last reference is gone. A failure, as in a forked child, has no caller to report to."""
    abi.library().ccd_mesh_destroy(handle)
