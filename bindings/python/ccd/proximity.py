"""Static intersection and distance queries: which primitives of a mesh intersect, and how near they are.

Functions take a `ccd.Mesh` and the configuration x as an (n, 3) array of any floating-point or integer dtype and
memory order. The mesh's filters apply. Of the keywords of `ccd.Options`, ``threads``, ``memory_limit``,
``brute_force``, ``progress`` and ``stats`` have an effect. Distances are Euclidean. Results have the same bits for any
number of threads. Ctrl-C stops a call promptly.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, results
from ._native.by_name import options_by_name
from ._native.names import names_of
from ._native.steps import prepare_configuration
from .impact import EDGE_FACE, ON_SURFACE, IntersectionKind, Kind, kind_of
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = [
    "EDGE_FACE",
    "ON_SURFACE",
    "NearPair",
    "Untangled",
    "crossing_dtype",
    "crossings",
    "distance",
    "intersection_dtype",
    "intersections",
    "intersects",
    "near",
    "near_pair_dtype",
    "nested",
    "nested_pair_dtype",
    "untangle",
    "winding",
]

intersection_dtype: np.dtype[np.void] = np.dtype([("kind", np.int32), ("reserved", np.int32), ("a", np.int64), ("b", np.int64)])
"""Record of one intersection: 24 bytes, the layout of ``ccd_intersection`` in ccd.h.

============ ===== ===================================================================
field        type  meaning
============ ===== ===================================================================
``kind``     int32 `EDGE_FACE` with a an edge and b a face, or a value of `ccd.Kind`
``reserved`` int32 0
``a``        int64 index of the first primitive
``b``        int64 index of the second primitive
============ ===== ===================================================================
"""

near_pair_dtype: np.dtype[np.void] = np.dtype(
    [
        ("kind", np.int32),
        ("reserved", np.int32),
        ("a", np.int64),
        ("b", np.int64),
        ("distance_lo", np.float64),
        ("distance_hi", np.float64),
        ("u", np.float64),
        ("v", np.float64),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
    ]
)
"""Record of one near pair: 104 bytes, the layout of ``ccd_near_pair`` in ccd.h.

The distance is proven to be in [distance_lo, distance_hi]. Both ends are 0 if and only if the pair touches; otherwise
distance_hi - distance_lo <= 2**-24 distance_hi, or the two ends are adjacent doubles. With radii the distance is that of the
surfaces, and distance_hi - distance_lo <= 2**-23 (distance_hi + the radii of both), or a few denormals.

=============== ======= ===== ============================================================
field           type    shape meaning
=============== ======= ===== ============================================================
``kind``        int32         value of `ccd.Kind`
``reserved``    int32         0
``a``           int64         index of the first primitive
``b``           int64         index of the second primitive
``distance_lo`` float64       length: lower bound of the distance
``distance_hi`` float64       length: upper bound of the distance
``u``           float64       parameter of a nearest point, as in `ccd.Impact`; exactly 0 or
                              1 at a vertex
``v``           float64       the same
``point_a``     float64 (3,)  nearest point of a, rounded
``point_b``     float64 (3,)  nearest point of b, rounded
=============== ======= ===== ============================================================
"""

nested_pair_dtype: np.dtype[np.void] = np.dtype(
    [("inner", np.int64), ("outer", np.int64), ("winding", np.int32), ("reserved", np.int32)]
)
"""Record of one component inside another: 24 bytes, the layout of ``ccd_nested_pair`` in ccd.h.

============ ===== ===================================================================
field        type  meaning
============ ===== ===================================================================
``inner``    int64 the least face of the component that is inside
``outer``    int64 the least face of the component around it
``winding``  int32 winding number of the outer one around the inner one: 1, or -1
                   where the outer one is inverted
``reserved`` int32 0
============ ===== ===================================================================
"""

crossing_dtype: np.dtype[np.void] = np.dtype(
    [
        ("a", np.int64),
        ("b", np.int64),
        ("pairs", np.int64),
        ("edge", np.int64),
        ("face", np.int64),
        ("depth", np.float64),
    ]
)
"""Record of two objects that cross: 48 bytes, the layout of ``ccd_crossing`` in ccd.h.

========= ======= ====================================================================
field     type    meaning
========= ======= ====================================================================
``a``     int64   the least vertex of an object, a connected component
``b``     int64   that of the other object, a <= b; equal where one crosses itself
``pairs`` int64   the number of pairs of primitives that share a point
``edge``  int64   the edge that crosses the deepest; -1 where the objects touch
                  without an edge through a face
``face``  int64   the face that it crosses
``depth`` float64 how far the nearer end of that edge is beyond the plane of the face,
                  rounded, a length; 0 for what only touches
========= ======= ====================================================================
"""


@options_by_name
def intersections(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """List every pair of primitives that shares a point, exactly.

    Edges and faces without a common vertex are tested, closed. Contacts that are no such intersection are listed as
    touching pairs of other kinds: codimensional vertices and edges, and faces with a common vertex or edge that are folded
    flat onto each other.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    **options : Options
        Keywords of `ccd.Options`: ``threads``, ``memory_limit``, ``brute_force``, ``progress``, ``stats``. Others, such as
        ``min_separation``, have no effect: see `near` for pairs within a distance.

    Returns
    -------
    numpy.ndarray
        Intersections (m,) of `intersection_dtype`, edge-face pairs first, then sorted by (kind, a, b). Empty if and only
        if nothing intersects or touches.

    Raises
    ------
    ArgumentError
        `x` has another shape, or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names it.
    HandleError
        `mesh` was closed.
    UnsupportedError
        ``norm`` is ``"max"``, or ``t_min`` is not 0.
    OutOfMemoryError
        ``memory_limit`` is too small.
    Cancelled
        The progress callback cancelled the call.
    ForkedError
        This process is a fork of one that had loaded the library.

    Notes
    -----
    If a mesh has no intersections at x0 and the step from x0 to x1 is separate, by any method, it has none at x1.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x[3, 2] = -1  # one vertex of the upper triangle is below the other
    >>> found = ccd.proximity.intersections(mesh, x)
    >>> len(found), set(found["kind"].tolist()) == {ccd.proximity.EDGE_FACE}
    (2, True)
    """
    call, frame = prepare_configuration(mesh, x, options)
    arguments = (*frame, call.options)
    return results.listed("intersections", intersection_dtype, call, abi.library().ccd_proximity_intersections, arguments)


@options_by_name
def intersects(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> bool:
    """Report whether there is any intersection; stop at the first.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    **options : Options
        Keywords of `ccd.Options`, as in `intersections`.

    Returns
    -------
    bool
        Whether `intersections` lists any.

    Raises
    ------
    Error
        As `intersections`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> ccd.proximity.intersects(mesh, x)
    False
    """
    call, frame = prepare_configuration(mesh, x, options)
    out = ctypes.c_int32(1)
    call(abi.library().ccd_proximity_intersects, *frame, call.options, ctypes.byref(out))
    return bool(out.value)


@options_by_name
def near(mesh: Mesh, x: ArrayLike, d: float, **options: Unpack[Options]) -> NDArray[np.void]:
    """List every pair within a distance.

    The pairs are those that a step tests: vertex-face, edge-edge, and codimensional ones. Barriers and contact forces act
    on them. With radii (`Mesh.set_radii`) distances are those of the surfaces, 0 where they overlap; ``point_a`` and
    ``point_b`` are on the center lines and faces. Edges that pass through faces are not listed, and the vertices and edges
    there may be farther apart than `d`: see `intersections`.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    d : float
        A length in [0, 1e150].
    **options : Options
        Keywords of `ccd.Options`, as in `intersections`.

    Returns
    -------
    numpy.ndarray
        Pairs (m,) of `near_pair_dtype`, sorted by (kind, a, b). No pair at a distance of at most `d` is missing, and each
        has distance_lo <= d.

    Raises
    ------
    Error
        As `intersections`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> found = ccd.proximity.near(mesh, x, 1.0)
    >>> found[["a", "b"]][0].item(), round(found["distance_hi"].max().item(), 9)
    ((3, 0), 1.0)
    """
    d = arrays.number("d", d)
    call, frame = prepare_configuration(mesh, x, options)
    arguments = (*frame, d, call.options)
    return results.listed("near_pairs", near_pair_dtype, call, abi.library().ccd_proximity_near, arguments)


@dataclass(frozen=True)
class NearPair:
    """The smallest distance, and the pair that has it.

    The distance is in [``distance_lo``, ``distance_hi``]; both are 0 if and only if the pair touches.

    Attributes
    ----------
    kind : Kind or IntersectionKind or None
        Kind of the pair; `EDGE_FACE` for an edge through a face; None when there is no pair.
    a : int
        Index of the first primitive (vertex, edge or point); -1 when there is no pair.
    b : int
        Index of the second primitive (face, edge or point); -1 when there is no pair.
    distance_lo : float
        Lower bound of the distance; inf when there is no pair.
    distance_hi : float
        Upper bound of the distance; inf when there is no pair.
    u : float
        Parameter of a nearest point, as in `ccd.Impact`.
    v : float
        Parameter of a nearest point, as in `ccd.Impact`.
    point_a : tuple of float
        Nearest point of a, 3 coordinates, rounded.
    point_b : tuple of float
        Nearest point of b, 3 coordinates, rounded.

    See Also
    --------
    near_pair_dtype : The same fields in arrays.
    """

    kind: Kind | IntersectionKind | None
    a: int
    b: int
    distance_lo: float
    distance_hi: float
    u: float
    v: float
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]


@options_by_name
def distance(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> NearPair:
    """Compute the smallest distance of all pairs that a step tests; 0 where surfaces pass through each other.

    An edge that passes through a face is a pair of kind `EDGE_FACE`; ``u`` and ``v`` are then the parameters of the point in
    the face, and both points are that point. With radii the distance is that of the surfaces, as in `near`.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    **options : Options
        Keywords of `ccd.Options`, as in `intersections`; ``memory_limit`` does not bound the trees of the search.

    Returns
    -------
    NearPair
        The pair with the least ``distance_hi``, of equal ones the first by (kind, a, b). Both bounds are 0 if and only if
        something intersects or touches.

    Raises
    ------
    Error
        As `intersections`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> nearest = ccd.proximity.distance(mesh, x)
    >>> str(nearest.kind), nearest.a, nearest.b, nearest.distance_lo <= 1 <= nearest.distance_hi
    ('vertex-face', 3, 0, True)
    """
    call, frame = prepare_configuration(mesh, x, options)
    c = abi.NearPair()
    call(abi.library().ccd_proximity_distance, *frame, call.options, ctypes.byref(c))
    kind = kind_of(c.kind) if c.kind else None
    return NearPair(kind, c.a, c.b, c.distance_lo, c.distance_hi, c.u, c.v, tuple(c.point_a), tuple(c.point_b))


@options_by_name
def winding(mesh: Mesh, x: ArrayLike, points: ArrayLike, **options: Unpack[Options]) -> NDArray[np.int32]:
    """Compute the winding numbers of the faces of a mesh around points, exactly: how often they enclose each.

    The faces must be closed: each edge is passed as often in one direction as in the other, where vertices at equal positions
    are one. Filters and radii of the mesh, edges in no face and loose vertices have no effect.

    Parameters
    ----------
    mesh : Mesh
        The mesh.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    points : array_like
        Points, (k, 3).
    **options : Options
        Keywords of `ccd.Options`: ``threads``, ``progress``, ``stats``. Others have no effect.

    Returns
    -------
    numpy.ndarray
        Winding numbers (k,), int32: 0 outside, 1 inside, 2 where two parts overlap, -1 inside of an inverted surface;
        `ON_SURFACE` on a face. A point is inside where its number is not 0.

    Raises
    ------
    ArgumentError
        The faces are not closed, an array has another shape, or an option is out of range. The message names a face, and the
        edge that is passed more often in one direction than in the other.
    Error
        Otherwise as `intersections`.

    See Also
    --------
    nested : Components of the mesh that are inside others.
    ccd.rigid.winding : Points and a body at a pose, whose tree is kept.

    Examples
    --------
    >>> import ccd
    >>> mesh = ccd.Mesh(faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> found = ccd.proximity.winding(mesh, x, [[0.1, 0.1, 0.1], [1, 1, 1], [0.25, 0.25, 0.5]])
    >>> found.tolist() == [1, 0, ccd.proximity.ON_SURFACE]
    True
    """
    call, frame = prepare_configuration(mesh, x, options)
    p = arrays.coordinates("points", points)
    out = np.empty(len(p), np.int32)
    call(abi.library().ccd_proximity_winding, *frame, p.ctypes, len(p), call.options, out.ctypes)
    return out


@options_by_name
def nested(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """List the connected components of a mesh that are inside others and do not touch them.

    Faces with a corner at one position are in one component. The outer component must be closed: others contain nothing. A
    component inside two is in two pairs. Whether it is another body, or the border of a cavity of the outer one, is not told.

    Parameters
    ----------
    mesh : Mesh
        The mesh.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    **options : Options
        As in `winding`.

    Returns
    -------
    numpy.ndarray
        Pairs (m,) of `nested_pair_dtype`, sorted by (inner, outer).

    Raises
    ------
    Error
        As `intersections`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> both = ccd.Mesh(faces=np.vstack([faces, faces + 4]))
    >>> ccd.proximity.nested(both, np.vstack([8 * x, x + 1]))[["inner", "outer"]].tolist()
    [(4, 0)]
    """
    call, frame = prepare_configuration(mesh, x, options)
    arguments = (*frame, call.options)
    return results.listed("nested_pairs", nested_pair_dtype, call, abi.library().ccd_proximity_nested, arguments)


@options_by_name
def crossings(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """List which objects of a mesh cross or touch, and how deep.

    Objects are connected components, named by their least vertices. Which pairs of primitives are counted is exact.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    **options : Options
        As in `intersections`.

    Returns
    -------
    numpy.ndarray
        Crossings (m,) of `crossing_dtype`, sorted by (a, b); none if and only if nothing intersects.

    Raises
    ------
    Error
        As `intersections`.

    See Also
    --------
    untangle : Positions nearby at which nothing intersects.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> both = ccd.Mesh(faces=np.vstack([faces, faces + 4]))
    >>> found = ccd.proximity.crossings(both, np.vstack([x, x + (0.25, 0.25, 0.25)]))
    >>> found[["a", "b", "pairs"]].tolist()
    [(0, 4, 3)]
    """
    call, frame = prepare_configuration(mesh, x, options)
    arguments = (*frame, call.options)
    return results.listed("crossings", crossing_dtype, call, abi.library().ccd_proximity_crossings, arguments)


@dataclass(frozen=True)
class Untangled:
    """What `untangle` did.

    Attributes
    ----------
    clean : bool
        Whether the exact check found no intersection at the positions that were returned.
    rounds : int
        How many times vertices were moved.
    before : int
        The number of intersections at x.
    after : int
        The number at the positions that were returned; 0 if and only if they are clean.
    moved : int
        How many vertices have other positions than in x.
    farthest : float
        The longest way of a vertex, rounded, a length.
    """

    clean: bool
    rounds: int
    before: int
    after: int
    moved: int
    farthest: float


@options_by_name
def untangle(
    mesh: Mesh, x: ArrayLike, masses: ArrayLike | None = None, rounds: int = 0, **options: Unpack[Options]
) -> tuple[NDArray[np.float64], Untangled]:
    """Find positions near x at which nothing intersects: a helper, which may fail and says so.

    It moves what crosses until crossings vanish: whole objects where that is short, else edges and faces along the gradient
    of the curve in which they cross. Positions are nearby, not nearest.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters. Static vertices stay.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    masses : array_like, optional
        One value above 0 for each vertex; infinity for a vertex that stays. Of two things that cross the heavier moves less.
        All are alike by default.
    rounds : int, default 0
        The most rounds of moves; 0 stands for 200.
    **options : Options
        As in `intersections`.

    Returns
    -------
    y : numpy.ndarray
        Positions (n, 3). Where they are not clean: those with the fewest intersections that were found.
    report : Untangled
        ``clean`` is the result of the exact check at `y`, as `intersects` has it, and of nothing else. An object inside
        another one crosses nothing: see `nested`.

    Raises
    ------
    ArgumentError
        Masses or rounds are out of range, an array has another shape, or an option is out of range.
    Error
        Otherwise as `intersections`.

    See Also
    --------
    crossings : What crosses, by objects.
    ccd.rigid.penetration_depth : The least translation that separates two rigid bodies.

    Notes
    -----
    Paper: [Volino2006].

    Examples
    --------
    >>> import numpy as np, ccd
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> both = ccd.Mesh(faces=np.vstack([faces, faces + 4]))
    >>> y, report = ccd.proximity.untangle(both, np.vstack([x, x + (0.25, 0.25, 0.25)]))
    >>> report.clean, ccd.proximity.intersects(both, y)
    (True, False)
    """
    call, frame = prepare_configuration(mesh, x, options)
    count = frame[-1]
    weights = None if masses is None else arrays.per_vertex("masses", arrays.row("masses", masses), count)
    y, out = np.empty((count, 3)), abi.Untangled()
    most = arrays.integer("rounds", rounds, 0, 2**31 - 1)
    heavy = None if weights is None else weights.ctypes
    call(abi.library().ccd_proximity_untangle, *frame, heavy, most, call.options, y.ctypes, ctypes.byref(out))
    return y, Untangled(bool(out.clean), out.rounds, out.before, out.after, out.moved, out.farthest)


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
