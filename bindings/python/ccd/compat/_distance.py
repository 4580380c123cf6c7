"""Euclidean distances of many pairs at the start of a step, in plain floats.

They only choose how much of a gap a conservative rescaling leaves; no proof rests on them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..impact import Kind

_Points = NDArray[np.float64]


def initial(kind: Kind, q: _Points) -> _Points:
    """Distances at t = 0 of queries (n, 2 * kind.points, 3)."""
    p = q[:, : kind.points]
    largest = np.abs(p).max(axis=(1, 2), initial=0)
    scale: _Points = np.maximum(largest, np.finfo(float).tiny)  # squares neither over- nor underflow
    a, b, *rest = (p[:, i] / scale[:, None] for i in range(kind.points))
    if kind == Kind.POINT_POINT:
        return scale * _length(a - b)
    if kind == Kind.POINT_EDGE:
        return scale * _point_edge(a, b, rest[0])
    if kind == Kind.EDGE_EDGE:
        return scale * _edge_edge(a, b, *rest)
    return scale * _point_triangle(a, b, *rest)


def _dot(a: _Points, b: _Points) -> _Points:
    products: _Points = np.einsum("ij,ij->i", a, b)
    return products


def _length(a: _Points) -> _Points:
    lengths: _Points = np.linalg.norm(a, axis=1)
    return lengths


def _ratio(a: _Points, b: _Points) -> _Points:
    ratios: _Points = np.divide(a, b, out=np.zeros_like(a), where=b > 0)
    return ratios


def _point_edge(p: _Points, a: _Points, b: _Points) -> _Points:
    e = b - a
    t = np.clip(_ratio(_dot(p - a, e), _dot(e, e)), 0, 1)
    return _length(p - a - t[:, None] * e)


def _edge_edge(a0: _Points, a1: _Points, b0: _Points, b1: _Points) -> _Points:
    """The least of the four end-to-edge distances and, where the lines' common normal meets both edges, of its length."""
    ends: _Points = np.minimum.reduce(
        [_point_edge(a0, b0, b1), _point_edge(a1, b0, b1), _point_edge(b0, a0, a1), _point_edge(b1, a0, a1)]
    )
    u, v, w = a1 - a0, b1 - b0, a0 - b0
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    det = uu * vv - uv * uv
    s, t = _ratio(uv * vw - vv * uw, det), _ratio(uu * vw - uv * uw, det)
    inside = (det > 0) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    across = _length(w + s[:, None] * u - t[:, None] * v)
    return np.where(inside, np.minimum(ends, across), ends)


def _point_triangle(p: _Points, a: _Points, b: _Points, c: _Points) -> _Points:
    """The least of the three point-edge distances and, where the foot lies inside, of the distance to the plane."""
    sides: _Points = np.minimum.reduce([_point_edge(p, a, b), _point_edge(p, b, c), _point_edge(p, c, a)])
    n = np.cross(b - a, c - a)
    length = _length(n)
    inside = length > 0
    for x, y in ((a, b), (b, c), (c, a)):
        inside &= _dot(np.cross(y - x, p - x), n) >= 0
    plane = np.abs(_ratio(_dot(p - a, n), length))
    return np.where(inside, np.minimum(sides, plane), sides)
