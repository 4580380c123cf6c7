"""Which facets of two parts come near each other at a time: by boxes, their planes and their sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._bounds import Doubles
from ._levels import Level

_CHUNK = 1 << 18
_MOST_PAIRS = 1 << 27


@dataclass
class Placed:
    """Facets of a level at a time, along axes: their corners, and boxes that are larger by how near others may be."""

    corners: Doubles  # (n, 3, 3)
    normals: Doubles
    more: Doubles
    low: Doubles
    high: Doubles


def boxes(level: Level, at: Doubles, reach: float, axes: Doubles, even: bool = False) -> Placed:
    """The facets of a level at a placement, along axes; boxes are larger by their deviation and half of the reach.

    Evenly, it is the largest deviation of the level: bodies that are made of it have that of all of its facets.
    """
    placed = level.facets.points.reshape(-1, 3) @ (axes @ at[:3, :3]).T + axes @ at[:3, 3]
    placed = placed.reshape(-1, 3, 3)
    off = np.full(len(placed), level.deviation) if even else level.facets.deviation
    more = (off + 0.5 * reach) * (1 + 2.0**-20)
    normals = _cross(placed[:, 1] - placed[:, 0], placed[:, 2] - placed[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    return Placed(placed, normals, more, placed.min(1) - more[:, None], placed.max(1) + more[:, None])


def meeting(a: Placed, b: Placed) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of some facets come near one of others, and which of these: by boxes, their middles, planes and sides."""
    out = np.zeros(len(a.more), bool), np.zeros(len(b.more), bool)
    low, high = np.maximum(a.low.min(0), b.low.min(0)), np.minimum(a.high.max(0), b.high.max(0))
    if not np.all(low <= high):
        return out
    ia, ib = (np.flatnonzero((x.low <= high).all(1) & (x.high >= low).all(1)) for x in (a, b))
    if not len(ia) or not len(ib):
        return out
    if len(ia) * len(ib) > _MOST_PAIRS:  # too many to compare each with each: all that meet the common box
        out[0][ia], out[1][ib] = True, True
        return out
    for rows in np.array_split(ia, max(1, len(ia) * len(ib) // _CHUNK + 1)):
        meet = np.ones((len(rows), len(ib)), bool)
        for k in range(3):
            meet &= (a.low[rows, k, None] <= b.high[None, ib, k]) & (a.high[rows, k, None] >= b.low[None, ib, k])
        i, j = np.nonzero(meet)
        i, j = rows[i], ib[j]
        near = between(a, i, b, j)  # far parts are apart along other ways than the axes
        i, j = i[near], j[near]
        near = beside(a, i, b, j)  # a large flat facet is thin beside its box
        i, j = i[near], j[near]
        near = beside(b, j, a, i)
        i, j = i[near], j[near]
        near = across(a, i, b, j)
        out[0][i[near]], out[1][j[near]] = True, True
    return out


def between(a: Placed, i: NDArray[np.intp], b: Placed, j: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether facets i of a and j of b come near along the way from the middle of one to that of the other."""
    near = np.zeros(len(i), bool)
    for start in range(0, len(i), _CHUNK >> 3):
        rows = slice(start, start + (_CHUNK >> 3))
        x, y = a.corners[i[rows]], b.corners[j[rows]]
        way = y.sum(1) - x.sum(1)
        way /= np.maximum(np.sqrt(np.einsum("nc,nc->n", way, way)), 1e-300)[:, None]
        p, q = (np.einsum("nkc,nc->nk", z - x[:, :1], way) for z in (x, y))
        near[rows] = q.min(1) - p.max(1) <= a.more[i[rows]] + b.more[j[rows]]
    return near


def beside(a: Placed, i: NDArray[np.intp], b: Placed, j: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether facets j of b come near the planes of facets i of a."""
    off = np.einsum("nc,nkc->nk", a.normals[i], b.corners[j] - a.corners[i, :1])
    near: NDArray[np.bool_] = np.maximum(off.min(1), -off.max(1)) <= a.more[i] + b.more[j]
    return near


def across(a: Placed, i: NDArray[np.intp], b: Placed, j: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether facets i of a and j of b come near along the directions across a side of each."""
    near = np.zeros(len(i), bool)
    for start in range(0, len(i), _CHUNK >> 6):
        rows = slice(start, start + (_CHUNK >> 6))
        x, y = a.corners[i[rows]], b.corners[j[rows]]
        way = _cross((x - x[:, _BEFORE])[:, :, None], (y - y[:, _BEFORE])[:, None]).reshape(-1, 9, 3)
        way /= np.maximum(np.sqrt(np.einsum("nwc,nwc->nw", way, way)), 1e-300)[:, :, None]
        turned = way.transpose(0, 2, 1)
        p, q = ((z - x[:, :1]) @ turned for z in (x, y))  # (n, corners, ways)
        off = np.maximum(q.min(1) - p.max(1), p.min(1) - q.max(1)).max(1)
        near[rows] = off <= a.more[i[rows]] + b.more[j[rows]]
    return near


_BEFORE = [2, 0, 1]  # the corner before each


def _cross(a: Doubles, b: Doubles) -> Doubles:
    """The cross products of vectors (..., 3), in a fifth of the time of NumPy's where there are few."""
    (x, y, z), (u, v, w) = (np.moveaxis(c, -1, 0) for c in (a, b))
    found: Doubles = np.stack([y * w - z * v, z * u - x * w, x * v - y * u], -1)
    return found
