"""Whether two lists of triangles are of the same polygons, which the reader divides by where their corners are.

A polygon that is convex becomes a fan from its first corner, and another one is cut by ears (`ccd_polygons_cut`). So one
polygon may become other triangles in a later frame. Triangles whose edges were flipped, as by remeshing, are another surface.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from .._inner import polygons

_MOST_ROWS = 100_000  # more rows that differ are another topology
_MOST_CORNERS = 32  # corners of a polygon that is divided anew, at most

_Triangle = tuple[int, int, int]


def same_polygons(faces: NDArray[np.int32], x: NDArray[np.float64], others: NDArray[np.int32], y: NDArray[np.float64]) -> bool:
    """Whether rows that differ are polygons, each divided in both frames as the reader divides it at its corners there."""
    if faces.shape != others.shape:
        return False
    rows = np.flatnonzero((faces != others).any(1))
    if len(rows) > _MOST_ROWS:
        return False
    loops: list[list[int]] = []
    parts: list[tuple[Counter[_Triangle], Counter[_Triangle]]] = []
    for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
        one, other = ([_turned(row) for row in given[run].tolist()] for given in (faces, others))
        first = 0
        for end in range(1, len(run) + 1):
            if end - first + 2 > _MOST_CORNERS:
                return False
            mine, theirs = one[first:end], other[first:end]
            border = _border(mine)
            if border != _border(theirs):
                continue
            first = end
            if Counter(mine) == Counter(theirs):
                continue
            loop = _loop(border)
            if len(loop) != len(mine) + 2:
                return False
            loops.append(loop)
            parts.append((Counter(mine), Counter(theirs)))
        if first < len(run):
            return False
    return not loops or _divided(loops, parts, x, y)


def _divided(
    loops: list[list[int]], parts: list[tuple[Counter[_Triangle], Counter[_Triangle]]], x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> bool:  # fmt: skip
    """Whether for each loop the polygon from one of its corners on is cut into the triangles of both frames."""
    starts = [(k, loop[i:] + loop[:i]) for k, loop in enumerate(loops) for i in range(len(loop))]
    corners = np.array([v for _, polygon in starts for v in polygon], np.int32)
    sizes = np.array([len(polygon) for _, polygon in starts], np.int32)
    cuts = [polygons.cut(at, corners, sizes)[0].tolist() for at in (x, y)]
    found, row = [False] * len(loops), 0
    for k, polygon in starts:
        rows = slice(row, row + len(polygon) - 2)
        row = rows.stop
        found[k] = found[k] or all(Counter(map(_turned, c[rows])) == part for c, part in zip(cuts, parts[k]))
    return all(found)


def _turned(row: list[int]) -> _Triangle:
    """A triangle from its least corner on, in its direction."""
    a, b, c = row
    return min((a, b, c), (b, c, a), (c, a, b))


def _border(triangles: list[_Triangle]) -> set[tuple[int, int]]:
    sides = {side for a, b, c in triangles for side in ((a, b), (b, c), (c, a))}
    return {(a, b) for a, b in sides if (b, a) not in sides}


def _loop(border: set[tuple[int, int]]) -> list[int]:
    """The corners of a border that is one loop; empty if it is none."""
    after = dict(border)
    if len(after) != len(border) or not border:
        return []
    loop = [min(after)]
    while len(loop) <= len(border):
        following = after.get(loop[-1])
        if following is None:
            return []
        if following == loop[0]:
            return loop if len(loop) == len(border) else []
        loop.append(following)
    return []
