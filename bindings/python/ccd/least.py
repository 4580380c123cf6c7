"""The least distance of a pair, or of all pairs of a mesh, over a step."""

from __future__ import annotations

from dataclasses import dataclass

from ._native import abi
from .impact import EDGE_FACE, IntersectionKind, Kind


@dataclass(frozen=True)
class LeastDistance:
    """The least Euclidean distance over a step, of a pair or of all pairs.

    Attributes
    ----------
    kind : Kind or None
        Kind of the pair; `ccd.proximity.EDGE_FACE` for an edge through a face at the start; None without a pair.
    a : int
        Index of the first primitive; -1 without a mesh.
    b : int
        Index of the second; -1 without a mesh.
    t : float
        A time at which the distance is at most ``distance_hi``.
    distance_lo : float
        The least distance, less radii, is at least this. It is 0 if and only if the pair touches, and infinite without a pair.
    distance_hi : float
        The least distance is at most this, and the bracket at most 1e-9 of the size of the scene wide. It is 0 if
        ``distance_lo`` is; then ``t`` is the pair's ``toi_lo``.
    u : float
        First parameter of near points at ``t``, as in `ccd.Impact`.
    v : float
        Second parameter.

    Examples
    --------
    >>> import ccd
    >>> ccd.pair.least_distance("point-point", [0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0]).t
    0.5
    """

    kind: Kind | IntersectionKind | None
    a: int
    b: int
    t: float
    distance_lo: float
    distance_hi: float
    u: float
    v: float

    @classmethod
    def _from_c(cls, d: abi.LeastDistance) -> LeastDistance:
        kind = None if d.kind == 0 else EDGE_FACE if d.kind == EDGE_FACE else Kind(d.kind)
        return cls(kind, d.a, d.b, d.t, d.distance_lo, d.distance_hi, d.u, d.v)
