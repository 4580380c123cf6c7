"""Overlaps that are proven: a point of one part that is inside of the other, deeper than facets are off."""

from __future__ import annotations

import numpy as np

from .. import rigid
from ..rigid import Body, Motion
from ._bounds import Doubles
from ._levels import Side

NEAREST = 12  # facets whose points are tried
_MOST_NEAR = 64  # facets of a level whose boxes are nearest
_SHARES = np.array([0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99])


def deep(x: Side, mx: Motion, y: Side, my: Motion, t: float, point: Doubles, inward: Doubles, padding: float = 0.0) -> bool:
    """Whether a point of x's facets near a place is surely inside of y.

    A way from it leads deep into y, and is farther from the faces of y than facets are off, and both parts from their motions.
    """
    solid = y.part.product._closed()
    if not solid.closed or not np.any(inward):
        return False
    (rx, px), (ry, py) = rigid.motion_pose(mx, t), rigid.motion_pose(my, t)
    found = []
    for level in x.levels:
        moved = placed(level.facets.points.reshape(-1, 3), rx, px).reshape(-1, 3, 3)
        out = np.maximum(np.maximum(moved.min(1) - point, point - moved.max(1)), 0)
        far = (out**2).sum(1)
        some = np.argpartition(far, _MOST_NEAR)[:_MOST_NEAR] if len(far) > _MOST_NEAR else np.arange(len(far))
        foot = _feet(moved[some], point)
        far = ((foot - point) ** 2).sum(1)
        found += [(float(far[n]), level.deviation, moved[k], foot[n]) for n, k in enumerate(some.tolist())]
    found.sort(key=lambda item: item[:2])
    off = max(item[1] for item in found[:NEAREST]) + padding
    tried = []
    for _, _, corners, foot in found[:NEAREST]:
        middle = corners.mean(0)
        for a, b in ((0, 1), (1, 2), (2, 0)):
            tried += [
                corners[a] + _SHARES[:, None] * (corners[b] - corners[a]),
                corners[a] + _SHARES[:, None] * (middle - corners[a]),
            ]
        tried += [corners, foot[None]]
    points = np.concatenate(tried)
    points = points[np.argsort(((points - point) ** 2).sum(1), kind="stable")]
    for times in (2.0, 6.0):
        ends = points + times * (solid.deviation + off) * inward
        within = np.flatnonzero(solid.inside(ends, ry, py))
        # The nearest ones, and some that are spread over the rest.
        for k in [*within[:4].tolist(), *within[4 :: max(1, len(within) // 4)].tolist()]:
            if _leads_in(points[k], ends[k], off, y, ry, py):
                return True
    return False


def _feet(corners: Doubles, point: Doubles) -> Doubles:
    """The points of triangles (n, 3, 3) that are nearest to a point, nearly, (n, 3)."""
    a, way = corners, corners[:, [1, 2, 0]] - corners
    w = point - a
    share = np.clip((w * way).sum(2) / np.maximum((way**2).sum(2), 1e-300), 0.0, 1.0)
    feet = a + share[..., None] * way
    normal = np.cross(way[:, 0], way[:, 1])
    sides = (np.cross(way, w) * normal[:, None]).sum(2)
    square = (normal**2).sum(1)
    flat = point - ((w[:, 0] * normal).sum(1) / np.maximum(square, 1e-300))[:, None] * normal
    best: Doubles = feet[np.arange(len(a)), ((feet - point) ** 2).sum(2).argmin(1)]
    return np.where(((sides >= 0).all(1) & (square > 0))[:, None], flat, best)


def _leads_in(p: Doubles, q: Doubles, off: float, y: Side, rotation: Doubles, position: Doubles) -> bool:
    """Whether q is deep inside of y, and nothing of its faces is within a distance of the way to it from p."""
    solid, pose = y.part.product._closed(), (tuple(rotation.tolist()), tuple(position.tolist()))
    here = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    if not rigid.distance(Body([q], [[0, 0, 0]]), here, solid.body, pose).lo > solid.deviation:
        return False
    way = Body([p, q], [[0, 1, 1]]).deviating(off)
    return all(rigid.distance(way, here, level.body, pose).lo > 0 for level in (*y.levels, *y.rest))


def placed(points: Doubles, rotation: Doubles, position: Doubles) -> Doubles:
    """Points of a body at a pose."""
    found: Doubles = points @ Motion(rotation, position).matrix(0.0)[:3, :3].T + position
    return found
