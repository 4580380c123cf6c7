"""Proofs that two bodies touch in one configuration, although its vertices are known up to an error only.

docs/proofs/robots.md has the proofs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import proximity
from ..impact import EDGE_FACE
from ._bodies import Cluster

_U = 2.0**-53
_UNDERFLOW = 1e-300  # more than what underflows in a determinant of lengths up to 1e60


class Found(NamedTuple):
    """A proven contact of two bodies."""

    a: int
    b: int
    how: str
    point: tuple[float, ...]


def touches(cluster: Cluster, x: NDArray[np.float64], error: NDArray[np.float64], d: float, threads: int) -> Found | None:
    """A contact in a configuration: an edge through a face, or two primitives within the separation d; None if none is proven.

    Each vertex is within `error` of its row of `x`.
    """
    for one in proximity.intersections(cluster.mesh, x, threads=threads):
        if one["kind"] == EDGE_FACE:
            edge, face = cluster.corners(EDGE_FACE, int(one["a"]), int(one["b"]))
            if crosses(x[edge], x[face], float(max(error[edge].max(), error[face].max()))):
                return Found(cluster.owner[edge[0]], cluster.owner[face[0]], "crossing", _meet(x[edge], x[face]))
    if d == 0 and not cluster.sphere.any():
        return None
    for one in proximity.near(cluster.mesh, x, d, threads=threads):
        a, b = cluster.corners(int(one["kind"]), int(one["a"]), int(one["b"]))
        gap = np.linalg.norm(one["point_a"] - one["point_b"]) * (1 + 8 * _U)
        off = error[a].max() + error[b].max() + 32 * _U * (np.abs(x[a]).max() + np.abs(x[b]).max())
        if (gap + off) * (1 + 8 * _U) <= d + cluster.sphere[a].max() + cluster.sphere[b].max():
            point = between(one["point_a"], one["point_b"], float(cluster.sphere[a].max()), float(cluster.sphere[b].max()))
            return Found(cluster.owner[a[0]], cluster.owner[b[0]], "near", point)
    return None


def between(point_a: NDArray[np.float64], point_b: NDArray[np.float64], radius_a: float, radius_b: float) -> tuple[float, ...]:
    """A point between two surfaces at these distances from their primitives' nearest points; within both if they overlap."""
    gap = float(np.linalg.norm(point_b - point_a))
    both = radius_a + radius_b
    part = (radius_a + (gap - both) / 2) / gap if gap > both else radius_a / both if both > 0 else 0.5
    point: list[float] = (point_a + part * (point_b - point_a)).tolist()
    return tuple(point)


def crosses(edge: NDArray[np.float64], face: NDArray[np.float64], error: float) -> bool:
    """Whether an edge crosses a face wherever their vertices are within `error` of these."""
    p, q = edge
    a, b, c = face
    ends = _volume(a, b, c, p, error), _volume(a, b, c, q, error)
    sides = [_volume(p, q, u, v, error) for u, v in ((a, b), (b, c), (c, a))]
    return ends[0] * ends[1] < 0 and (min(sides) > 0 or max(sides) < 0)


def _volume(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], d: NDArray[np.float64], error: float
) -> int:
    """The sign of det(b - a, c - a, d - a), 0 if it is not certain."""
    u, v, w = b - a, c - a, d - a
    det = float(np.dot(np.cross(u, v), w))
    lengths = [float(np.linalg.norm(e)) * (1 + 8 * _U) for e in (u, v, w)]
    off = 2 * error + 2 * _U * float(max(np.abs(x).max() for x in (a, b, c, d)))
    grown = [e + off for e in lengths]
    bound = grown[0] * grown[1] * grown[2] - lengths[0] * lengths[1] * lengths[2] + 32 * _U * grown[0] * grown[1] * grown[2]
    return int(np.sign(det)) if abs(det) > bound * (1 + 1e-9) + _UNDERFLOW else 0


def _meet(edge: NDArray[np.float64], face: NDArray[np.float64]) -> tuple[float, ...]:
    """The point where an edge meets a face, rounded."""
    n = np.cross(face[1] - face[0], face[2] - face[0])
    low, high = (float(np.dot(n, p - face[0])) for p in edge)
    point: list[float] = (edge[0] + low / (low - high) * (edge[1] - edge[0])).tolist()
    return tuple(point)
