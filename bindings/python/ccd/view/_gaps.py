"""How near two primitives of a mesh come to each other in a step, and whether they are neighbors in the mesh.

These are floats without a bound on their error: they order a list for people and prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..mesh import Mesh
from ._parts import components

_SAMPLES = 9  # times at which all pairs are measured
_REFINED = 12  # steps of the golden section around the best of them
_GOLDEN = (np.sqrt(5) - 1) / 2
_BLOCK = 1 << 16  # pairs at a time: there may be millions
_APPROACH = 0.9  # centers that keep this share of their distance do not approach


def from_point(x: NDArray[np.float64], point: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distances of a point, or of as many points, from vertices, edges or triangles (n, 1 to 3, 3)."""
    if x.shape[1] == 1:
        alone: NDArray[np.float64] = np.sqrt(((x[:, 0] - point) ** 2).sum(1))
        return alone
    i = list(range(x.shape[1]))
    far = np.full(len(x), np.inf)
    for a, b in zip(i, [*i[1:], 0]):
        e, w = x[:, b] - x[:, a], point - x[:, a]
        t = np.clip((w * e).sum(1) / np.maximum((e * e).sum(1), 1e-300), 0, 1)
        far = np.minimum(far, np.linalg.norm(w - t[:, None] * e, axis=1))
    if x.shape[1] == 3:
        n = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
        sides = [(np.cross(x[:, b] - x[:, a], point - x[:, a]) * n).sum(1) >= 0 for a, b in ((0, 1), (1, 2), (2, 0))]
        height = np.abs(((point - x[:, 0]) * n).sum(1)) / np.maximum(np.linalg.norm(n, axis=1), 1e-300)
        far = np.where(np.all(sides, axis=0), np.minimum(far, height), far)
    return far


def between(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distances of vertices, edges or triangles (n, j, 3) from others (n, k, 3); one of the two is no triangle."""
    if a.shape[1] == 1:
        return from_point(b, a[:, 0])
    if b.shape[1] == 1:
        return from_point(a, b[:, 0])
    ends = [from_point(b, a[:, 0]), from_point(b, a[:, 1]), from_point(a, b[:, 0]), from_point(a, b[:, 1])]
    far: NDArray[np.float64] = np.minimum.reduce(ends)
    u, v, w = a[:, 1] - a[:, 0], b[:, 1] - b[:, 0], a[:, 0] - b[:, 0]
    uu, uv, vv, uw, vw = ((p * q).sum(1) for p, q in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    det = uu * vv - uv * uv
    crossing = det > 1e-14 * uu * vv
    det = np.where(crossing, det, 1)
    s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
    crossing &= (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    inside = np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=1)
    return np.where(crossing, np.minimum(far, inside), far)


def least(
    start: NDArray[np.float64], end: NDArray[np.float64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The smallest distance of each pair in the step that was found, and its time.

    first and second are the vertices of the sides, (n, j) and (n, k). A distance between the times that are tried may be
    smaller.
    """
    far, when = np.empty(len(first)), np.empty(len(first))
    for i in range(0, len(first), _BLOCK):
        rows = slice(i, i + _BLOCK)
        a, b, c, d = start[first[rows]], end[first[rows]], start[second[rows]], end[second[rows]]

        def at(t: NDArray[np.float64], a: Any = a, b: Any = b, c: Any = c, d: Any = d) -> NDArray[np.float64]:
            s = t[:, None, None]
            return between(a * (1 - s) + b * s, c * (1 - s) + d * s)

        far[rows], when[rows] = _smallest(at, len(a))
    return far, when


def _smallest(
    at: Callable[[NDArray[np.float64]], NDArray[np.float64]], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The smallest value of functions of [0, 1] and its place: the best of equal parts, then a golden section around it."""
    times = np.linspace(0, 1, _SAMPLES)
    values = np.array([at(np.full(count, t)) for t in times])
    best = values.argmin(0)
    far, when = values[best, np.arange(count)], times[best]
    lo, hi = times[np.maximum(best - 1, 0)], times[np.minimum(best + 1, _SAMPLES - 1)]
    for _ in range(_REFINED):
        p, q = hi - _GOLDEN * (hi - lo), lo + _GOLDEN * (hi - lo)
        at_p, at_q = at(p), at(q)
        for t, value in ((p, at_p), (q, at_q)):
            better = value < far
            far, when = np.where(better, value, far), np.where(better, t, when)
        lo, hi = np.where(at_p < at_q, lo, p), np.where(at_p < at_q, q, hi)
    return far, when


class Neighbors:
    """Which pairs of a mesh are near in the mesh itself, so that nobody looks for them among the pairs that come near.

    These are pairs that two edges or fewer join. So are pairs of one connected component whose centers are at least a mean
    edge apart at the start and do not approach by a tenth of that: they move together.
    """

    def __init__(self, mesh: Mesh, start: NDArray[np.float64], end: NDArray[np.float64]):
        self.start, self.end, edges, self.count = start, end, mesh.edges.astype(np.int64), len(start)
        self.edge = float(np.linalg.norm(start[edges[:, 0]] - start[edges[:, 1]], axis=1).mean()) if len(edges) else 0.0
        self.component = components(self.count, mesh.edges)
        both = np.vstack([edges, edges[:, ::-1]])
        self.keys = np.unique(both @ np.array([self.count, 1]))  # one number for each vertex and each of its neighbors
        self.first = np.searchsorted(self.keys, np.arange(self.count + 1) * self.count)

    def of(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which pairs are, by the vertices of their sides, (n, j) and (n, k)."""
        near = np.zeros(len(first), bool)
        for i in range(0, len(first), _BLOCK):
            rows = slice(i, i + _BLOCK)
            near[rows] = self._together(first[rows], second[rows])
        return self._with_joined(near, first, second)

    def joined(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which pairs two edges or fewer join, by the vertices of their sides, (n, j) and (n, k)."""
        return self._with_joined(np.zeros(len(first), bool), first, second)

    def _with_joined(self, near: NDArray[np.bool_], first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The pairs marked already, and those that two edges or fewer join."""
        for i in range(0, len(first), _BLOCK):
            rows = slice(i, i + _BLOCK)
            for u in first[rows].T:
                for v in second[rows].T:
                    rest = np.flatnonzero(~near[rows] & (self.component[u] == self.component[v]))
                    near[i + rest] = self._linked(u[rest], v[rest])
        return near

    def _together(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        apart, closest = _centers(self.start, self.end, first, second)
        same = self.component[first[:, 0]] == self.component[second[:, 0]]
        together: NDArray[np.bool_] = same & (apart >= self.edge) & (closest >= _APPROACH * apart)
        return together

    def _linked(self, u: NDArray[np.int64], v: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether two edges or fewer lead from each vertex u to v: a neighbor of the one with fewer is v or a neighbor of v."""
        degree = np.diff(self.first)
        u, v = np.where(degree[u] <= degree[v], u, v), np.where(degree[u] <= degree[v], v, u)
        many = degree[u]
        of = np.repeat(np.arange(len(u)), many)
        place = self.first[u][of] + np.arange(len(of)) - np.repeat(np.cumsum(many) - many, many)
        around = self.keys[place] % self.count
        wanted = np.where(around == v[of], -1, around * self.count + v[of])
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        found = (wanted < 0) | (self.keys[at] == wanted) if len(wanted) else np.zeros(0, bool)
        joined: NDArray[np.bool_] = u == v
        joined[of[found]] = True
        return joined


def _centers(
    start: NDArray[np.float64], end: NDArray[np.float64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far apart the centers of the sides are at the start, and how near they come."""
    apart = start[first].mean(1) - start[second].mean(1)
    way = end[first].mean(1) - end[second].mean(1) - apart
    t = np.clip(-(apart * way).sum(1) / np.maximum((way * way).sum(1), 1e-300), 0, 1)
    return np.linalg.norm(apart, axis=1), np.linalg.norm(apart + t[:, None] * way, axis=1)


def bound(
    start: NDArray[np.float64], end: NDArray[np.float64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """A distance that each pair keeps, up to rounding: the centers come no nearer, and no vertex is farther from its center."""
    kept = np.empty(len(first))
    for i in range(0, len(first), _BLOCK):
        rows = slice(i, i + _BLOCK)
        _, closest = _centers(start, end, first[rows], second[rows])
        for side in (first[rows], second[rows]):
            radii = [np.linalg.norm(x[side] - x[side].mean(1, keepdims=True), axis=2).max(1) for x in (start, end)]
            closest = closest - np.maximum(*radii)
        kept[rows] = closest
    return kept
