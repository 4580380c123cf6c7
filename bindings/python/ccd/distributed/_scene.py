"""A step of a mesh whose arrays are in memory or in files, with 64-bit indices."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays, meshes
from .._inner.errors import no_mesh, shown
from ..errors import ArgumentError, InvalidIndexError, NonFiniteError
from ..impact import EDGE_FACE, Kind
from ..mesh import Mesh
from ..motion import Motion
from ._region import Floats, Ints, widened
from ._rows import Rows, rows

VERTEX, EDGE, FACE = 0, 1, 2
NAMES = "x0", "edges", "faces"
SHAPES = {1: (VERTEX, FACE), 2: (EDGE, EDGE), 3: (VERTEX, EDGE), 4: (VERTEX, VERTEX), 5: (EDGE, FACE)}


_ORDER = "edges of a file must be in the order of ccd.Mesh.edges: by the larger vertex and then the smaller"


class Scene:
    """A step of a mesh, to be divided into parts. The arrays are in memory, or in files that are read in parts.

    Each array is array_like, or the path of a ``.npy`` file, or of a ``.parquet`` file with a column for each number of a
    row. A scene can be pickled: arrays travel with it, files by their paths. Numbers of vertices, edges and faces may exceed
    2**31; those of a part may not.

    Parameters
    ----------
    x0 : array_like or path
        Vertices at t = 0, (n, 3).
    x1 : array_like or path
        Vertices at t = 1, (n, 3).
    faces : array_like or path, optional
        Triangles, (k, 3) vertex indices.
    edges : array_like or path, optional
        Edges, (m, 2) vertex indices: every edge of every face once, and codimensional ones. None: the unique edges of the
        faces, which must then be in memory; `write_edges` makes a file. The edges of a file must be in the order of
        `ccd.Mesh.edges`: by the larger vertex and then the smaller.
    groups : array_like or path, optional
        Collision group of each vertex, (n,) integers, as in `ccd.Mesh.set_groups`.
    static : array_like or path, optional
        Whether each vertex is static, (n,) bool.
    radii : array_like or path, optional
        Radius of each vertex, (n,) lengths.
    excluded : mapping, optional
        For a kind of pairs, the pairs to skip, (k, 2) integers, as in `ccd.Mesh.set_excluded`.

    Raises
    ------
    ArgumentError
        An array has another shape or dtype, or the edges of a file are in another order.
    FileError
        A file cannot be opened.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> scene = cd.Scene(x0, x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1]), faces=[[0, 1, 2], [3, 4, 5]])
    >>> scene.counts
    (6, 6, 2)
    """

    def __init__(
        self,
        x0: ArrayLike | str | os.PathLike[str],
        x1: ArrayLike | str | os.PathLike[str],
        faces: ArrayLike | str | os.PathLike[str] | None = None,
        edges: ArrayLike | str | os.PathLike[str] | None = None,
        groups: ArrayLike | str | os.PathLike[str] | None = None,
        static: ArrayLike | str | os.PathLike[str] | None = None,
        radii: ArrayLike | str | os.PathLike[str] | None = None,
        excluded: Mapping[Any, ArrayLike] | None = None,
    ):
        no_motions(("x0", "x1"), (x0, x1))
        self._x = rows("x0", x0, 3, "fiu"), rows("x1", x1, 3, "fiu")
        self._faces = rows("faces", () if faces is None else faces, 3, "iu")
        n = len(self._x[0])
        if len(self._x[1]) != n:
            raise ArgumentError(f"x0 has {n} vertices, x1 has {len(self._x[1])}: the numbers must be equal")
        if edges is None and type(self._faces) is not Rows:
            raise ArgumentError("edges is None: must be given for faces in a file; write_edges makes a file of them")
        self._edges = rows("edges", unique_edges(self._faces.array) if edges is None else edges, 2, "iu")
        self._groups = None if groups is None else self._of_vertices("groups", rows("groups", groups, 0, "iu"))
        self._static = None if static is None else self._of_vertices("static", rows("static", static, 0, "biu"))
        self._radii = None if radii is None else self._of_vertices("radii", rows("radii", radii, 0, "fiu"))
        self._excluded = {_kind(kind): _pairs(pairs) for kind, pairs in (excluded or {}).items()}
        self._names = "x0", "x1"
        self._largest: float | None = None
        self._order: Ints | None = None
        self._sorted: bool | None = None

    @classmethod
    def of(cls, mesh: Mesh, x0: ArrayLike, x1: ArrayLike) -> Scene:
        """Return the scene of a mesh in memory, with its filters and radii.

        Parameters
        ----------
        mesh : Mesh
            The mesh.
        x0 : array_like
            Vertices at t = 0, (n, 3), n = vertices of the mesh.
        x1 : array_like
            Vertices at t = 1, (n, 3).

        Returns
        -------
        Scene
            A copy of the mesh; x0 and x1 are copied only if they are no arrays of doubles.

        Raises
        ------
        ArgumentError
            `x0` or `x1` has another shape.
        HandleError
            `mesh` was closed.

        Examples
        --------
        >>> import numpy as np, ccd, ccd.distributed as cd
        >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
        >>> cd.Scene.of(ccd.Mesh(faces=[[0, 1, 2]]), x, x + 1).counts
        (3, 3, 1)
        """
        return cls._of(mesh, x0, x1, ("x0", "x1"))

    @classmethod
    def _of(cls, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, names: tuple[str, str]) -> Scene:
        """As `of`, of arguments with other names."""
        if not isinstance(mesh, Mesh):
            raise no_mesh("mesh", mesh)
        no_motions(names, (x0, x1))
        n, start, end = mesh.counts[0], arrays.coordinates(names[0], x0), arrays.coordinates(names[1], x1)
        for name, x in zip(names, (start, end)):
            if len(x) != n:
                raise ArgumentError(f"{name} has {len(x)} vertices: the mesh has {n}")
        ignored = meshes.ignored(mesh)
        if ignored is not None and ignored.any():
            raise ArgumentError(
                f"mesh ignores {int(ignored.sum())} of its vertices: parts have no such vertices; remove them from the "
                "arrays, or make them particles (particles=True of Surface.mesh, ccd.Mesh without ignored)"
            )
        filters = meshes.filters(mesh)
        edges = mesh.edges
        groups = filters.get("groups")
        scene = cls(
            start, end, mesh.faces, edges,
            groups=components(edges, n) if isinstance(groups, str) else groups,
            static=filters.get("static"), radii=filters.get("radii"),
            excluded={kind: pairs for kind, pairs in filters.items() if isinstance(kind, int)},
        )  # fmt: skip
        scene._names = names
        return scene

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of vertices, edges and faces."""
        return len(self._x[0]), len(self._edges), len(self._faces)

    def __repr__(self) -> str:
        return "<ccd.distributed.Scene of {} vertices, {} edges, {} faces>".format(*self.counts)

    def _of_vertices(self, name: str, table: Rows) -> Rows:
        n = len(self._x[0])
        if len(table) != n:
            raise ArgumentError(f"{name} has {len(table)} items: must have one for each of the {n} vertices")
        return table

    def _identity(self) -> str:
        """A hash of the arrays; of files, of their paths, sizes and times of change."""
        tables = [*self._x, self._faces, self._edges, self._groups, self._static, self._radii]
        found = hashlib.sha256(repr([None if table is None else table.identity() for table in tables]).encode())
        for kind in sorted(self._excluded):
            found.update(f"{kind} {Rows(self._excluded[kind]).identity()}".encode())
        return found.hexdigest()

    def _largest_radius(self) -> float:
        """The largest radius, once computed; radii are checked here."""
        if self._largest is None:
            self._largest = 0.0
            for start, r in self._radii.chunks() if self._radii else ():
                _check(~((r >= 0) & (r <= 1e150)), start, "radii", r, "must be finite and in [0, 1e150]", self._radii)
                self._largest = max(self._largest, float(r.max(initial=0)))
        return self._largest

    def _primitives(self, shape: int, start: int, stop: int) -> Ints:
        """The vertices of some primitives, (m, 1), (m, 2) or (m, 3), checked."""
        if shape == VERTEX:
            return np.arange(start, stop)[:, None]
        found = (self._edges if shape == EDGE else self._faces).read(start, stop).astype(np.int64)
        n = len(self._x[0])
        table = self._edges if shape == EDGE else self._faces
        _check((found < 0) | (found >= n), start, NAMES[shape], found, f"out of range for {n} vertices", table)
        return found

    def _boxes(self, vertices: Ints) -> tuple[Floats, Floats, Floats | None]:
        """Least and largest coordinates over the step, (m, 3) each, and the radii, of primitives with these vertices."""
        flat = vertices.ravel()
        a, b = (x.take(flat).astype(float, copy=False).reshape(*vertices.shape, 3) for x in self._x)
        radius = None if self._radii is None else self._radii.take(flat).astype(float).reshape(vertices.shape).max(axis=1)
        return least(np.minimum(a, b)), largest(np.maximum(a, b)), radius

    def _ends(self, vertices: Ints, reach: float = 0.0) -> Floats:
        """Boxes at both ends, (m, 2, 2, 3): least coordinates, and largest widened by the reach and the radii of a pair."""
        flat, out = vertices.ravel(), np.empty((len(vertices), 2, 2, 3))
        radius = None if self._radii is None else self._radii.take(flat).astype(float).reshape(vertices.shape).max(axis=1)
        for end, x in enumerate(self._x):
            at = x.take(flat).astype(float, copy=False).reshape(*vertices.shape, 3)
            out[:, end, 0] = least(at)
            out[:, end, 1] = widened(largest(at), reach, radius, self._largest_radius())
        return out

    def _portions(self, shape: int, size: int, share: tuple[int, int] = (0, 1)) -> Iterator[tuple[int, Ints]]:
        """The vertices of the primitives of a shape in portions, with the number of the first; or of a share (i, n) of them."""
        count, (i, n) = self.counts[shape], share
        for start in range(count * i // n, count * (i + 1) // n, size):
            yield start, self._primitives(shape, start, min(start + size, count * (i + 1) // n))

    def _check_frames(self, start: int, stop: int) -> None:
        """Raise for coordinates that the library does not take."""
        for name, x in zip(self._names, self._x):
            found = x.read(start, stop)
            wrong = ~(np.abs(found) <= 1e150)
            if wrong.any():
                _check(wrong, start, name, found, "not finite or above 1e150 in magnitude", x, NonFiniteError)

    def _edge_ids(self, ends: Ints) -> Ints:
        """The numbers of edges with these ends, (m, 2), each smaller vertex first; raises for a missing edge."""
        if self._sorted is None:
            self._sorted = self._is_sorted()
        if not self._sorted and self._order is None:
            if type(self._edges) is not Rows:
                raise ArgumentError(_ORDER)
            all_ends = np.sort(np.asarray(self._edges.array, np.int64), axis=1)
            self._order = np.lexsort((all_ends[:, 0], all_ends[:, 1]))
        low, high = np.zeros(len(ends), np.int64), np.full(len(ends), len(self._edges), np.int64)
        while (low < high).any():  # each turn reads the rows of the middle: no process holds all edges
            middle = np.minimum((low + high) // 2, len(self._edges) - 1)
            there = np.sort(self._edge_rows(middle), axis=1)
            less = (there[:, 1] < ends[:, 1]) | ((there[:, 1] == ends[:, 1]) & (there[:, 0] < ends[:, 0]))
            open_ = low < high
            low, high = np.where(open_ & less, middle + 1, low), np.where(open_ & ~less, middle, high)
        inside = low < len(self._edges)
        found = np.zeros(len(ends), bool)
        found[inside] = (np.sort(self._edge_rows(low[inside]), axis=1) == ends[inside]).all(axis=1)
        if not found.all():
            a, b = ends[np.argmin(found)].tolist()
            raise ArgumentError(f"edges has no edge of vertices {a} and {b}: it must list every edge of every face")
        return low if self._order is None else self._order[low]

    def _edge_rows(self, ids: Ints) -> Ints:
        return self._edges.take(ids if self._order is None else self._order[ids]).astype(np.int64)

    def _is_sorted(self) -> bool:
        last = None
        for _, found in self._edges.chunks():
            ends = np.sort(found.astype(np.int64), axis=1)
            ends = ends if last is None else np.concatenate([last, ends])
            a, b = ends[:-1], ends[1:]
            if not ((a[:, 1] < b[:, 1]) | ((a[:, 1] == b[:, 1]) & (a[:, 0] < b[:, 0]))).all():
                return False
            last = ends[-1:]
        return True


def least(x: Floats) -> Floats:
    """x.min(axis=1), several times as fast where the axis is short."""
    out = x[:, 0]
    for i in range(1, x.shape[1]):
        out = np.minimum(out, x[:, i])
    return out


def largest(x: Floats) -> Floats:
    """x.max(axis=1), likewise."""
    out = x[:, 0]
    for i in range(1, x.shape[1]):
        out = np.maximum(out, x[:, i])
    return out


def no_motions(names: Iterable[str], frames: Iterable[Any]) -> None:
    """Raise for a motion in place of positions."""
    for name, x in zip(names, frames):
        if isinstance(x, Motion):
            raise ArgumentError(
                f"{name} is a ccd.Motion: a scene in parts moves from x0 to x1; share a motion out by regions that partition "
                "space, with the option region of ccd.step"
            )


def _kind(kind: Any) -> int:
    return int(EDGE_FACE) if isinstance(kind, (int, np.integer)) and kind == EDGE_FACE else int(Kind.of("excluded", kind))


def _pairs(pairs: ArrayLike) -> Ints:
    return arrays.pairs("excluded", pairs).astype(np.int64)


def _check(
    wrong: Any, start: int, name: str, found: Any, text: str, table: Any = None, error: type = InvalidIndexError
) -> None:
    """Raise for the first wrong item of a portion, with its index in the whole, and its file if the table is one."""
    if np.any(wrong):
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = "".join(f"[{i}]" for i in (at[0] + start, *at[1:]))
        kind = ArgumentError if name == "radii" and np.isfinite(found[at]) else NonFiniteError if name == "radii" else error
        path = getattr(table, "path", None)
        raise kind(f"{name}{place} is {found[at]}: {text}" + (f" ({path})" if path else ""))


def unique_edges(faces: Any) -> NDArray[np.int64]:
    """The unique edges of faces in the order of `ccd.Mesh.edges`: by the larger vertex, then the smaller."""
    ends = np.sort(np.asarray(faces, np.int64)[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    ends = ends[np.lexsort((ends[:, 0], ends[:, 1]))]
    keep = np.ones(len(ends), bool)
    keep[1:] = (ends[1:] != ends[:-1]).any(axis=1)
    return ends[keep]


def components(edges: NDArray[Any], vertices: int) -> NDArray[np.int64]:
    """A number for each vertex, equal for the vertices of a connected component: its least vertex."""
    least = np.arange(vertices, dtype=np.int64)
    a, b = (edges[:, i].astype(np.int64) for i in (0, 1))
    while True:
        root_a, root_b = least[a], least[b]
        differ = root_a != root_b
        if not differ.any():
            return least
        a, b = a[differ], b[differ]
        low, high = np.minimum(root_a[differ], root_b[differ]), np.maximum(root_a[differ], root_b[differ])
        np.minimum.at(least, high, low)
        while True:  # each vertex points to the least of its tree
            above = least[least]
            if (above == least).all():
                break
            least = above


def write_edges(faces: ArrayLike | str | os.PathLike[str], path: str | os.PathLike[str], vertices: int) -> int:
    """Write the unique edges of faces to a .npy file, in the order of `ccd.Mesh.edges`, without holding all in memory.

    Parameters
    ----------
    faces : array_like or path
        Triangles, (k, 3), as for `Scene`.
    path : path
        The file, (m, 2) int64.
    vertices : int
        Number of vertices.

    Returns
    -------
    int
        Number of edges, m.

    Raises
    ------
    FileError
        The file cannot be written.
    InvalidIndexError
        A face has a vertex out of range.

    Examples
    --------
    >>> import numpy as np, os, tempfile, ccd.distributed as cd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cd.write_edges([[0, 1, 2], [1, 3, 2]], os.path.join(folder, "edges.npy"), 4)
    5
    """
    table, name = rows("faces", faces, 3, "iu"), os.fspath(path)
    if not name.endswith(".npy"):
        raise ArgumentError(f"path is {shown(name)}: must end in .npy")
    buckets = max(1, -(-3 * len(table) // (1 << 24)))  # a bucket has 16 million ends, 270 MB, by the larger vertex
    parts = [f"{name}.{i}.tmp" for i in range(buckets)]
    try:
        for part in parts:
            open(part, "wb").close()
        for start, found in table.chunks():
            ends = found.astype(np.int64)
            _check((ends < 0) | (ends >= vertices), start, "faces", ends, f"out of range for {vertices} vertices", table)
            ends = np.sort(ends[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
            bucket = ends[:, 1] * buckets // max(vertices, 1)
            for i in np.unique(bucket).tolist():
                with open(parts[i], "ab") as file:
                    ends[bucket == i].tofile(file)
        total = 0
        with open(f"{name}.tmp", "wb+") as out:
            out.write(_header(0))
            for part in parts:
                ends = np.fromfile(part, np.int64).reshape(-1, 2)
                ends = ends[np.lexsort((ends[:, 0], ends[:, 1]))]
                keep = np.ones(len(ends), bool)
                keep[1:] = (ends[1:] != ends[:-1]).any(axis=1)
                total += int(keep.sum())
                ends[keep].tofile(out)
            out.seek(0)
            out.write(_header(total))
        os.replace(f"{name}.tmp", name)
    finally:
        for part in parts:
            if os.path.exists(part):
                os.remove(part)
    return total


def _header(count: int) -> bytes:
    """The header of a .npy file of (count, 2) int64, always 128 bytes."""
    text = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({count}, 2), }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()
