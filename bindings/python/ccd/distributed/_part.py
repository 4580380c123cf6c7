"""Parts of a scene: what a region needs of it, with the maps of its indices to those of the whole."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays, files
from .._inner.errors import from_os
from ..errors import ArgumentError
from ..impact import Kind
from ..mesh import Mesh
from ._plan import Plan
from ._region import Floats, Ints, Region, reached, separations, widened, within
from ._rows import CHUNK
from ._scene import EDGE, FACE, SHAPES, VERTEX, Scene, unique_edges

ARRAYS = "x0", "x1", "faces", "edges", "vertex_ids", "edge_ids", "face_ids", "groups", "static", "radii"


@dataclass(frozen=True)
class Origin:
    """The scene and the plan of a part, so that results of single parts are never taken for those of the whole.

    `split`, and `cut` with a plan, set it; other parts have none.

    Attributes
    ----------
    count : int
        Number of parts of the plan.
    scene : str
        A hash of the scene's arrays; of files, of their paths, sizes and times of change.
    plan : str
        A hash of the plan's regions and of the separation that the parts were cut for.
    """

    count: int
    scene: str
    plan: str

    @classmethod
    def of(cls, scene: Scene, plan: Plan, reach: float) -> Origin:
        """Return the origin of the parts of a scene.

        Parameters
        ----------
        scene : Scene
            The scene.
        plan : Plan
            The plan.
        reach : float
            The separation that the parts are cut for.

        Returns
        -------
        Origin
            The origin; arrays in memory are hashed.

        Raises
        ------
        FileError
            A file of the scene cannot be read.
        """
        regions = [[_hex(region.lo), _hex(region.hi)] for region in plan.regions]
        named = hashlib.sha256(json.dumps([float(reach).hex(), regions]).encode()).hexdigest()
        return cls(len(plan.regions), scene._identity(), named)


@dataclass
class Part:
    """A part of a scene: all primitives that can be in a pair that its region owns.

    `cut` and `split` make parts. A part can be pickled, and saved to a file. Its arrays have its own 32-bit indices; the maps
    lead to the 64-bit indices of the whole, and ascend.

    Parameters
    ----------
    index : int
        Number of the part in its plan.
    region : Region
        The region, which owns pairs.
    reach : float
        A length: calls with ``min_separation`` (or a distance) up to this are possible.
    x0 : numpy.ndarray
        Vertices at t = 0, (n, 3).
    x1 : numpy.ndarray
        Vertices at t = 1, (n, 3).
    faces : numpy.ndarray
        Triangles, (k, 3) int32, indices into x0.
    edges : numpy.ndarray
        Edges, (m, 2) int32.
    vertex_ids : numpy.ndarray
        Indices of the vertices in the whole scene, (n,) int64.
    edge_ids : numpy.ndarray
        Indices of the edges in the whole scene, (m,) int64.
    face_ids : numpy.ndarray
        Indices of the faces in the whole scene, (k,) int64.
    groups : numpy.ndarray or None
        Collision groups of the vertices, (n,).
    static : numpy.ndarray or None
        Whether each vertex is static, (n,) bool.
    radii : numpy.ndarray or None
        Radii of the vertices, (n,).
    excluded : dict
        By kind, pairs of the part's primitives to skip, (k, 2) int64.
    origin : Origin or None
        The scene and the plan of the part; None where they are not known.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> scene = cd.Scene(x0, x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1]), faces=[[0, 1, 2], [3, 4, 5]])
    >>> part = cd.cut(scene, cd.Region((-np.inf,) * 3, (np.inf,) * 3))
    >>> part.mesh
    <ccd.Mesh of 6 vertices, 6 edges, 2 faces>
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     part.save(os.path.join(folder, "part.npz"))
    """

    index: int
    region: Region
    reach: float
    x0: Floats
    x1: Floats
    faces: NDArray[np.int32]
    edges: NDArray[np.int32]
    vertex_ids: Ints
    edge_ids: Ints
    face_ids: Ints
    groups: NDArray[Any] | None = None
    static: NDArray[np.bool_] | None = None
    radii: Floats | None = None
    excluded: dict[int, Ints] = field(default_factory=dict)
    origin: Origin | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @functools.cached_property
    def mesh(self) -> Mesh:
        """The mesh of the part, with its filters and radii; made at the first use."""
        mesh = Mesh(faces=self.faces, edges=self.edges, vertices=len(self.x0))
        if self.groups is not None:
            mesh.set_groups(self.groups)
        if self.static is not None:
            mesh.set_static(self.static)
        if self.radii is not None:
            mesh.set_radii(self.radii)
        for kind, pairs in self.excluded.items():
            mesh.set_excluded(kind, pairs)
        return mesh

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return sum(getattr(self, name).nbytes for name in ARRAYS if getattr(self, name) is not None)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the part to a file, which appears when it is complete.

        Parameters
        ----------
        path : path
            The file; NumPy's .npz without compression.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        held = {name: getattr(self, name) for name in ARRAYS if getattr(self, name) is not None}
        held |= {f"excluded_{int(kind)}": pairs for kind, pairs in self.excluded.items()}
        about: dict[str, Any] = {"index": self.index, "reach": self.reach.hex()}
        about |= {"lo": _hex(self.region.lo), "hi": _hex(self.region.hi)}
        about |= {} if self.origin is None else {"origin": vars(self.origin)}
        path = os.fspath(path)
        try:
            handle, new = files.beside(os.path.dirname(path), "tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.savez(file, about=np.array(json.dumps(about)), **held)
                os.replace(new, path)
            except BaseException:
                os.remove(new)
                raise
        except OSError as error:
            raise from_os(path, error) from None

    def _vertices(self, shape: int, ids: Any) -> Any:
        """The vertices of some primitives of a shape."""
        return np.asarray(ids)[:, None] if shape == VERTEX else (self.edges if shape == EDGE else self.faces)[ids]

    def _box(self, shape: int, ids: Any, step: bool = True) -> tuple[Floats, Floats]:
        """Boxes of some primitives over the step, or at x0."""
        v = self._vertices(shape, ids)
        a = self.x0[v]
        b = self.x1[v] if step else a
        return np.minimum(a, b).min(axis=1), np.maximum(a, b).max(axis=1)

    def _owned(self, kind: int, a: Any, b: Any) -> NDArray[np.bool_]:
        """Which pairs of a kind the region owns."""
        of = SHAPES[int(kind)]
        return self.region.contains(np.maximum(self._box(of[0], a)[0], self._box(of[1], b)[0]))

    def _near(self, kind: int, a: Any, b: Any, separation: float, step: bool) -> NDArray[np.bool_]:
        """Which pairs of a kind have boxes within the separation and both radii."""
        of, apart = SHAPES[int(kind)], np.asarray(separation)
        if self.radii is not None:
            r = [self.radii[self._vertices(shape, ids)].max(axis=1) for shape, ids in zip(of, (a, b))]
            apart = separations(r[0], r[1], separation)
        return within(*self._box(of[0], a, step), *self._box(of[1], b, step), apart)

    def _whole(self, kind: int, a: Any, b: Any) -> tuple[Ints, Ints]:
        """Pairs in indices of the whole scene."""
        maps = self.vertex_ids, self.edge_ids, self.face_ids
        of = SHAPES[int(kind)]
        return maps[of[0]][a], maps[of[1]][b]


def _hex(corner: tuple[float, float, float]) -> list[str]:
    return [float(x).hex() for x in corner]


def cut(scene: Scene, region: Region, min_separation: float = 0.0, index: int = 0, plan: Plan | None = None) -> Part:
    """Cut the part of one region out of a scene.

    The scene is read once, in portions. `split` cuts the parts of all regions of a plan in one pass.

    Parameters
    ----------
    scene : Scene
        The scene.
    region : Region
        One of `Plan.regions`.
    min_separation : float, default 0
        The largest ``min_separation`` of calls on the part, or the largest distance of `near`; radii are added to it.
    index : int, default 0
        Number of the part, for messages and for names of files.
    plan : Plan, optional
        The plan, of which region is ``regions[index]``. Files of results then name the parts that are missing.

    Returns
    -------
    Part
        All primitives whose lower corner is below ``region.hi`` and whose upper corner, plus ``min_separation``, their own
        radius and the largest of the scene, is not below ``region.lo``; and the edges of these faces.

    Raises
    ------
    ArgumentError
        An argument is out of range, or the part has 2**31 primitives or more.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names its index in the scene.
    InvalidIndexError
        An index of an edge or a face is out of range; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((1000, 3))
    >>> scene = cd.Scene(x, x)
    >>> part = cd.cut(scene, cd.plan(cd.sample(scene), 8).regions[3])
    >>> len(part.x0) < 300, bool((scene.counts[0] > part.vertex_ids).all())
    (True, True)
    """
    if not isinstance(region, Region):
        raise ArgumentError(f"region is {type(region).__name__}: must be a ccd.distributed.Region")
    if plan is not None:
        _check_plan(plan)
        if not 0 <= index < len(plan.regions) or plan.regions[index] != region:
            raise ArgumentError(f"plan: region must be plan.regions[index] (index is {index})")
    ids: tuple[list[Ints], ...] = [], [], []

    def keep(shape: int, start: int, lo: Floats, hi: Floats) -> None:
        ids[shape].append(start + np.flatnonzero(reached(region, lo, hi)))

    reach = _each_box(scene, min_separation, keep)
    part = _assemble(scene, index, region, reach, *(np.concatenate(found or [np.empty(0, np.int64)]) for found in ids))
    part.origin = None if plan is None else Origin.of(scene, plan, reach)
    return part


def split(scene: Scene, plan: Plan, folder: str | os.PathLike[str], min_separation: float = 0.0) -> list[str]:
    """Cut a scene into the parts of a plan, and save each to a file. One process holds one part at a time.

    Parameters
    ----------
    scene : Scene
        The scene; its files are read once in order, and once by part.
    plan : Plan
        The plan.
    folder : path
        A folder, which is made if it does not exist.
    min_separation : float, default 0
        As in `cut`.

    Returns
    -------
    list of str
        Paths of the parts, in the order of the plan: ``part-00000.npz`` and so on.

    Raises
    ------
    Error
        As `cut`.
    FileError
        A file cannot be written.

    Examples
    --------
    >>> import numpy as np, tempfile, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((1000, 3))
    >>> scene = cd.Scene(x, x)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(cd.split(scene, cd.plan(cd.sample(scene), 8), folder))
    8
    """
    place = os.fspath(folder)
    try:
        os.makedirs(place, exist_ok=True)
    except OSError as error:
        raise from_os(place, error) from None
    with tempfile.TemporaryDirectory(dir=place) as lists:

        def keep(part: int, shape: int, ids: Ints) -> None:
            with open(os.path.join(lists, f"{part}.{shape}"), "ab") as file:
                ids.tofile(file)

        def kept(part: int, shape: int) -> Ints:
            path = os.path.join(lists, f"{part}.{shape}")
            return np.fromfile(path, np.int64) if os.path.exists(path) else np.empty(0, np.int64)

        paths, origin = [], None
        for part in _divide(scene, plan, min_separation, keep, kept):
            origin = part.origin = origin or Origin.of(scene, plan, part.reach)
            paths.append(os.path.join(place, f"part-{part.index:05d}.npz"))
            part.save(paths[-1])
    return paths


def divide(scene: Scene, plan: Plan, min_separation: float, origin: Origin | None = None) -> Iterator[Part]:
    """The parts of a plan, one after the other; the lists of all primitives' numbers are in memory."""
    lists: dict[tuple[int, int], list[Ints]] = {}

    def keep(part: int, shape: int, ids: Ints) -> None:
        lists.setdefault((part, shape), []).append(ids)

    def kept(part: int, shape: int) -> Ints:
        return np.concatenate(lists.pop((part, shape), [np.empty(0, np.int64)]))

    for part in _divide(scene, plan, min_separation, keep, kept):
        part.origin = origin
        yield part


def _divide(
    scene: Scene, plan: Plan, min_separation: float, keep: Callable[[int, int, Ints], None], kept: Callable[[int, int], Ints]
) -> Iterator[Part]:
    _check_plan(plan)

    def route(shape: int, start: int, lo: Floats, hi: Floats) -> None:
        for part, some in plan._route(lo, hi):
            keep(part, shape, some + start)

    reach = _each_box(scene, min_separation, route)
    for i, region in enumerate(plan.regions):
        yield _assemble(scene, i, region, reach, *(kept(i, shape) for shape in (VERTEX, EDGE, FACE)))


def _check_plan(plan: Any) -> None:
    if not isinstance(plan, Plan):
        raise ArgumentError(f"plan is {type(plan).__name__}: must be a ccd.distributed.Plan")


def _each_box(scene: Scene, min_separation: float, visit: Callable[[int, int, Floats, Floats], None]) -> float:
    """Visit the boxes of all primitives in portions, widened; return the reach."""
    if not isinstance(scene, Scene):
        raise ArgumentError(f"scene is {type(scene).__name__}: must be a ccd.distributed.Scene")
    reach = arrays.within("min_separation", min_separation, "[0, 1e150]")
    largest = scene._largest_radius()
    for start in range(0, scene.counts[0], CHUNK):
        scene._check_frames(start, min(start + CHUNK, scene.counts[0]))
    for shape in (VERTEX, EDGE, FACE):
        for start, vertices in scene._portions(shape, CHUNK):
            lo, hi, radius = scene._boxes(vertices)
            visit(shape, start, lo, widened(hi, reach, radius, largest))
    return reach


def _assemble(scene: Scene, index: int, region: Region, reach: float, vertices: Ints, edges: Ints, faces: Ints) -> Part:
    """The part that consists of these primitives and the edges of its faces."""
    corners = scene._faces.take(faces).astype(np.int64)
    edges = np.union1d(edges, _far_edges(scene, region, reach, corners))
    ends = scene._edges.take(edges).astype(np.int64)
    used = np.unique(np.concatenate([vertices, ends.ravel(), corners.ravel()]))
    if max(len(used), len(edges), len(faces)) >= 2**31 // 3:
        raise ArgumentError(f"part {index} has {len(used)} vertices, {len(edges)} edges, {len(faces)} faces: use more parts")
    local_faces, local_ends = (np.searchsorted(used, of).astype(np.int32) for of in (corners, ends))
    x0, x1 = (x.take(used).astype(np.float64, copy=False) for x in scene._x)
    groups, static, radii = (None if t is None else t.take(used) for t in (scene._groups, scene._static, scene._radii))
    part = Part(
        index, region, reach, x0, x1, local_faces, local_ends, used, edges, faces, groups,
        None if static is None else static.astype(bool), None if radii is None else radii.astype(np.float64),
    )  # fmt: skip
    _check_edges(part)
    for kind, pairs in scene._excluded.items():
        a, b = (_local(ids, pairs[:, i]) for i, ids in enumerate(_maps(part, kind)))
        part.excluded[kind] = np.stack([a, b], 1)[(a >= 0) & (b >= 0)]
    hidden = _uncovered(part, vertices)
    if len(hidden):
        before = part.excluded.get(int(Kind.POINT_EDGE), np.empty((0, 2), np.int64))
        part.excluded[int(Kind.POINT_EDGE)] = np.concatenate([before, hidden])
    return part


def _check_edges(part: Part) -> None:
    """Raise for an edge of a face that the scene does not list: the part's mesh would have an edge without a number."""
    needed, there = (np.sort(ends.astype(np.int64), axis=1) for ends in (unique_edges(part.faces), part.edges))
    missing = ~np.isin(needed @ [1, len(part.x0)], there @ [1, len(part.x0)])
    if missing.any():
        a, b = part.vertex_ids[needed[np.argmax(missing)]].tolist()
        raise ArgumentError(f"edges has no edge of vertices {a} and {b}: it must list every edge of every face")


def _maps(part: Part, kind: int) -> tuple[Ints, Ints]:
    maps = part.vertex_ids, part.edge_ids, part.face_ids
    return maps[SHAPES[kind][0]], maps[SHAPES[kind][1]]


def _local(ids: Ints, of: Ints) -> Ints:
    """The places of numbers in an ascending list, -1 where they are not in it."""
    at = np.searchsorted(ids, of)
    found = np.zeros(len(of), bool)
    found[at < len(ids)] = ids[at[at < len(ids)]] == of[at < len(ids)]
    return np.where(found, at, -1).astype(np.int64)


def _far_edges(scene: Scene, region: Region, reach: float, corners: Ints) -> Ints:
    """The edges of faces that do not reach the region themselves: a mesh lists every edge of its faces."""
    ends = corners[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    far: list[Ints] = [np.empty((0, 2), np.int64)]
    for start in range(0, len(ends), CHUNK):
        some = ends[start : start + CHUNK]
        lo, hi, radius = scene._boxes(some)
        far.append(some[~reached(region, lo, widened(hi, reach, radius, scene._largest_radius()))])
    some = np.sort(np.concatenate(far), axis=1)
    return scene._edge_ids(some[np.unique(some, axis=0, return_index=True)[1]]) if len(some) else np.empty(0, np.int64)


def _uncovered(part: Part, reaching: Ints) -> Ints:
    """Point-edge pairs that the part would test because edges of their point are missing in it.

    A point and an edge are tested where all edges of the point share a vertex with the edge. A vertex that does not reach
    the region may lack edges in the part. Pairs of such vertices with edges at their neighbors are excluded; the region
    owns none of them.
    """
    n = len(part.x0)
    degree = np.bincount(part.edges.ravel(), minlength=n)
    lacks = (degree >= 1) & (degree <= 2)
    lacks &= _local(reaching, part.vertex_ids) < 0
    if not lacks.any() or len(unique_edges(part.faces)) == len(part.edges):  # no codimensional edges
        return np.empty((0, 2), np.int64)
    both = np.concatenate([part.edges, part.edges[:, ::-1]]).astype(np.int64)  # (point, its neighbor)
    number = np.concatenate([np.arange(len(part.edges))] * 2)
    order = np.argsort(both[:, 0], kind="stable")
    first = np.searchsorted(both[order, 0], np.arange(n + 1))
    point, neighbor = both[lacks[both[:, 0]]].T
    counts = first[neighbor + 1] - first[neighbor]
    at = np.repeat(first[neighbor] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
    points, edges = np.repeat(point, counts), number[order[at]]
    apart = (part.edges[edges] != points[:, None]).all(axis=1)
    return np.unique(np.stack([points[apart], edges[apart]], 1), axis=0)
