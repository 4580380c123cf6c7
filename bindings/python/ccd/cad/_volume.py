"""The volume that two parts have in common, as a bracket: that of their triangles, wider by what these are off.

docs/proofs/cad.md has the proof (law K6).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

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
    part = np.flatnonzero(near & ~inside)
    polygons, kept = clipped(triangles[part], low - most[part], high + most[part])
    if len(kept):
        ways = polygons[:, 1:] - polygons[:, :1]
        cut = 0.5 * np.linalg.norm(np.cross(ways[:, :-1], ways[:, 1:]), axis=2).sum(1)  # 0 for a point and a segment
        edge = np.linalg.norm(np.roll(polygons, -1, 1) - polygons, axis=2).sum(1)
        total += float(_steiner(cut, edge, reach[part[kept]]).sum())
    return total * _ROUNDING


def _steiner(area: Doubles, around: Doubles, r: Doubles) -> Doubles:
    found: Doubles = r * (2 * area + r * (0.5 * math.pi * around + r * (4 * math.pi / 3)))
    return found


def clipped(polygons: Doubles, low: Doubles, high: Doubles) -> tuple[Doubles, NDArray[np.intp]]:
    """The parts of convex polygons (n, m, 3) that are in boxes (n, 3): corners in order, and whose they are.

    None is there for a polygon that is outside. One with fewer corners than others has its last one several times.
    """
    kept = np.arange(len(polygons))
    for axis in range(3):
        for sign, ends in ((1.0, high[:, axis]), (-1.0, -low[:, axis])):
            over = sign * polygons[:, :, axis] - ends[kept, None]
            if not np.any(over > 0):
                continue
            before, x = np.roll(polygons, 1, 1), np.roll(over, 1, 1)
            crosses = (x > 0) != (over > 0)
            share = np.where(crosses, x / np.where(crosses, x - over, 1.0), 0.0)
            slots = np.stack([before + share[..., None] * (polygons - before), polygons], 2).reshape(len(kept), -1, 3)
            filled = np.stack([crosses, over <= 0], 2).reshape(len(kept), -1)
            some = filled.any(1)
            slots, filled, kept = slots[some], filled[some], kept[some]
            count = filled.sum(1)
            order = np.argsort(~filled, 1, kind="stable")
            use = np.minimum(np.arange(int(count.max(initial=1))), count[:, None] - 1)
            rows = np.arange(len(kept))[:, None]
            polygons = slots[rows, order[rows, use]]
    return polygons, kept
