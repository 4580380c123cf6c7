"""The volume that two parts have in common, as a bracket: that of their triangles, wider by what these are off.

docs/proofs/cad.md has the proof (law K6).
"""

from __future__ import annotations

import math

import numpy as np

from ..errors import ArgumentError
from ..rigid import Motion, overlap
from ._bounds import Doubles
from ._solid import Solid

WIDTH = 1e-2  # of the volume: how wide a bracket may be before triangles are made finer
_ROUNDING = 1 + 2.0**-30  # what lengths, areas and volumes are multiplied by, for the rounding of the few operations of each


def common(a: Solid, at_a: Doubles, b: Solid, at_b: Doubles) -> tuple[float, float]:
    """The bracket of the common volume of two parts at placements (4, 4); (0, inf) where a surface is not closed."""
    if not a.closed or not b.closed:
        return 0.0, math.inf
    poses = [Motion.from_pose(m) for m in (at_a, at_b)]
    try:
        found = overlap(a.body, poses[0], b.body, poses[1])
    except ArgumentError:  # its own parts overlap: what it encloses counts more than once
        return 0.0, math.inf
    turns = [p.matrix(0.0) for p in poses]
    placed = [s.points @ m[:3, :3].T + m[:3, 3] for s, m in zip((a, b), turns)]
    size = float(np.abs(np.concatenate(placed)).max())
    still = all(np.array_equal(m[:3, :3], np.eye(3)) for m in (at_a, at_b))
    rounding = 0.0 if still else 2.0**-44 * size  # of a pose, whose quaternion is rounded
    off = 0.0
    for k, (one, other) in enumerate(((a, b), (b, a))):
        more = other.deviation + 2 * rounding + 2.0**-44 * size
        low, high = placed[1 - k].min(0) - more, placed[1 - k].max(0) + more
        off += within(placed[k][one.corners], one.own + rounding, low, high)
    inner = min(found.a_hi + _swelling(a), found.b_hi + _swelling(b))
    return max(0.0, (found.volume_lo - off) / _ROUNDING), max(0.0, min(found.volume_hi + off, inner)) * _ROUNDING


def _swelling(solid: Solid) -> float:
    """How much larger the volume of a part may be than that of its triangles."""
    low = solid.points.min(0) - solid.deviation
    high = solid.points.max(0) + solid.deviation
    return within(solid.points[solid.corners], solid.own, low, high)


def within(triangles: Doubles, reach: Doubles, low: Doubles, high: Doubles) -> float:
    """A bound of the volume of the points of a box (low, high) that are within reaches of triangles (n, 3, 3).

    Such a point is within the reach of the part of the triangle that is in the box, larger by the reach: a convex polygon of
    area A and perimeter P. The points within r of that have the volume 2 A r + pi P r^2 / 2 + 4 pi r^3 / 3 (Steiner).
    """
    most = reach[:, None] * _ROUNDING
    least, largest = triangles.min(1), triangles.max(1)
    near = np.all((least <= high + most) & (largest >= low - most), 1)
    inside = near & np.all((least >= low - most) & (largest <= high + most), 1)
    whole = triangles[inside]
    area = 0.5 * np.linalg.norm(np.cross(whole[:, 1] - whole[:, 0], whole[:, 2] - whole[:, 0]), axis=1)
    around = np.linalg.norm(whole[:, [1, 2, 0]] - whole, axis=2).sum(1)
    total = float(_steiner(area, around, reach[inside]).sum())
    for k in np.flatnonzero(near & ~inside).tolist():
        polygon = clipped(triangles[k], low - most[k], high + most[k])
        if len(polygon):
            ways = polygon[1:] - polygon[0]
            cut = 0.5 * np.linalg.norm(np.cross(ways[:-1], ways[1:]), axis=1).sum()  # 0 for a point and a segment
            edge = np.linalg.norm(np.roll(polygon, -1, 0) - polygon, axis=1).sum()
            total += float(_steiner(cut, edge, reach[k]))
    return total * _ROUNDING


def _steiner(area: Doubles, around: Doubles, r: Doubles) -> Doubles:
    found: Doubles = r * (2 * area + r * (0.5 * math.pi * around + r * (4 * math.pi / 3)))
    return found


def clipped(polygon: Doubles, low: Doubles, high: Doubles) -> Doubles:
    """The part of a convex polygon that is in a box: corners in order, none if it is empty."""
    for axis in range(3):
        for sign, end in ((1.0, high[axis]), (-1.0, -low[axis])):
            if not len(polygon):
                return polygon
            over = sign * polygon[:, axis] - end
            if np.all(over <= 0):
                continue
            out = []
            for k in range(len(polygon)):
                p, q, x, y = polygon[k - 1], polygon[k], over[k - 1], over[k]
                if (x > 0) != (y > 0):
                    out.append(p + (x / (x - y)) * (q - p))
                if y <= 0:
                    out.append(q)
            polygon = np.array(out).reshape(-1, 3)
    return polygon
