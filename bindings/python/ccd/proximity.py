"""Static intersection and distance queries: which primitives of a mesh intersect, and how near they are.

Every function takes a `Mesh`, the configuration x as an (n, 3) array of any floating-point or integer dtype and memory order,
and, of the keywords of `Options`, threads, memory_limit, brute_force, progress and stats. The mesh's filters apply. Answers
have the same bits for any number of threads. Ctrl-C stops a call promptly.
Raises HandleError, ArgumentError, NonFiniteError, OutOfMemoryError, Cancelled or ForkedError.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, results
from ._native.steps import prepare_configuration
from .impact import EDGE_FACE, IntersectionKind, Kind, kind_of
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = ["EDGE_FACE", "NearPair", "distance", "intersection_dtype", "intersections", "intersects", "near", "near_pair_dtype"]

#: Record of one intersection, 24 bytes, the layout of ccd_intersection: kind is EDGE_FACE, with a an edge and b a face, or a
#: value of `ccd.Kind`, with a and b as in `ccd.Impact`.
intersection_dtype: np.dtype[np.void] = np.dtype([("kind", np.int32), ("reserved", np.int32), ("a", np.int64), ("b", np.int64)])

#: Record of one pair, 104 bytes, the layout of ccd_near_pair. The distance is in
#: [distance_lo, distance_hi]: proven, with distance_hi - distance_lo <= 2**-24 distance_hi, and both 0 if and only if the pair
#: touches. u and v are parameters of nearest points, as in `ccd.Impact`, and exactly 0 or 1 at a vertex; point_a and point_b
#: are those points, rounded.
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


def intersections(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """Every pair that shares a point, exactly: an array of `intersection_dtype`, edge-face pairs first.

    Edges and faces without a common vertex are tested, closed; and what they cannot show as touching pairs of other kinds:
    codimensional vertices and edges, and faces on a common vertex or edge that are folded flat onto each other. The array is
    empty if and only if nothing intersects or touches.
    """
    call, frame = prepare_configuration(mesh, x, options)
    arguments = (*frame, call.options)
    return results.listed("intersections", intersection_dtype, call, abi.library().ccd_proximity_intersections, arguments)


def intersects(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> bool:
    """Whether there is any intersection; stops at the first."""
    call, frame = prepare_configuration(mesh, x, options)
    out = ctypes.c_int32(1)
    call(abi.library().ccd_proximity_intersects, *frame, call.options, ctypes.byref(out))
    return bool(out.value)


def near(mesh: Mesh, x: ArrayLike, d: float, **options: Unpack[Options]) -> NDArray[np.void]:
    """Every pair within the distance d, with its distance: an array of `near_pair_dtype` sorted by (kind, a, b).

    The pairs are those that a step tests: vertex-face, edge-edge, and codimensional ones, candidates for barriers. None at a
    distance of at most d is missing, and each has distance_lo <= d. With radii (`Mesh.set_radii`) distances are those of the
    surfaces, 0 where they overlap; `point_a` and `point_b` are on the centre lines and faces.
    Edges that pass through faces are not among them, and the vertices and edges there may be farther apart than d: see
    `intersections`.
    """
    d = arrays.number("d", d)
    call, frame = prepare_configuration(mesh, x, options)
    arguments = (*frame, d, call.options)
    return results.listed("near_pairs", near_pair_dtype, call, abi.library().ccd_proximity_near, arguments)


@dataclass(frozen=True)
class NearPair:
    """The smallest distance, in [distance_lo, distance_hi], and the pair that has it; the fields of `near_pair_dtype`.

    kind         vertex-face, edge-edge ...; EDGE_FACE for an edge through a face; None when there is no pair (bounds: inf)
    a            index of the first primitive (vertex, edge or point); -1 when there is no pair
    b            index of the second (face, edge or point); -1 when there is no pair
    distance_lo  the distance is at least this
    distance_hi  and at most this
    u            where the nearest points are, as in ccd.Impact
    v            the same
    point_a      the nearest point of a
    point_b      the nearest point of b
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


def distance(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> NearPair:
    """The smallest distance of all pairs, and the pair with the least distance_hi, the first by (kind, a, b) of several.

    Both ends are 0 if and only if something intersects or touches; with radii the distance is that of the surfaces, as in
    `near`. An edge that passes through a face is a pair of kind EDGE_FACE; u and v are then the parameters of the point in the
    face, and both points are that point. memory_limit does not bound the trees of the search.
    """
    call, frame = prepare_configuration(mesh, x, options)
    c = abi.NearPair()
    call(abi.library().ccd_proximity_distance, *frame, call.options, ctypes.byref(c))
    kind = kind_of(c.kind) if c.kind else None
    return NearPair(kind, c.a, c.b, c.distance_lo, c.distance_hi, c.u, c.v, tuple(c.point_a), tuple(c.point_b))
