"""How near two parts come over a piece of a motion, with facets that are split where they decide."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np

from .. import rigid
from ..rigid import Motion
from ._bounds import Doubles
from ._meeting import boxes, meeting
from ._search import MOST_FACETS, MOST_ROUNDS, Least, Pair, _axes, _earliest

_ROUGH = 4.0  # A bracket wider than this many tolerances gets a better upper end by facets around the nearest points.
_SHARE = 0.7  # Faces that keep a known distance less this share of the tolerance are not searched.
_MOST_STEPS = 4_000_000  # A clearance takes a second of the processor for these; fits with little play may need them.


def least(pair: Pair, ma: Motion, mb: Motion, duration: float, padding: float, known: float = math.inf) -> Least | None:
    """How near they come; None is a proof that they stay farther apart than what is known already."""
    if (keep := pair.kept(ma, mb, duration)) is not None:
        divided = _divided(pair, keep, ma, mb, duration, padding, known)
        if divided is not None:
            return divided
    rounds, proven, fine, tried = 0, 0.0, 0.25 * pair.tolerance, math.nan
    best = Least(0.0, known, 0.0, True, 0)
    while True:
        lo, hi, found, worst, where = math.inf, best.hi, None, 0.0, None
        near: Any = None  # what seems nearest; found has the least lower end
        left = []  # levels of both that may come nearer than all that is known
        # The finest ones come first: they say best how near the parts come, and most others are farther apart than that.
        levels = itertools.product(enumerate(pair.a.levels), enumerate(pair.b.levels))
        for (i, x), (j, y) in sorted(levels, key=lambda both: sum(level.deviation for _, level in both)):
            off = x.deviation + y.deviation
            options = {"min_separation": hi + padding, "tolerance": 0.1 * pair.tolerance}
            if math.isfinite(hi) and _earliest(x.body, ma, y.body, mb, 0.0, duration, options) is None:
                continue
            left.append((i, j))
            g = rigid.clearance(x.body, ma, y.body, mb, t_max=duration, tolerance=fine, max_iterations=_MOST_STEPS)
            if g.hi + off + padding < hi:
                hi = g.hi + off + padding
                best = Least(0.0, hi, g.time, True, rounds, g.point_a, g.point_b)
            if near is None or g.hi < near.hi:
                near = g
            if g.lo < lo:
                lo, found, worst, where = g.lo, g, off, (x, y)
        if found is None:
            return None if best.hi == known else replace(best, lo=best.hi)  # All levels keep that.
        # What a round proves stays true where a later one, of more facets, ends at its limits.
        proven = lo = max(proven, min(lo, hi) - padding)
        if hi - lo - 2 * padding > _ROUGH * pair.tolerance and near.time != tried:
            # Facets that are split around the nearest points say how near the parts are at that time.
            tried, poses = near.time, [rigid.motion_pose(m, near.time) for m in (ma, mb)]
            middle = tuple((0.5 * (np.array(near.point_a) + near.point_b)).tolist())
            length, ends = pair._around(poses, middle, 0.0, 0.1 * pair.tolerance)
            if length + padding < hi:
                hi = length + padding
                best = Least(0.0, hi, near.time, True, rounds + 1, *ends)
                proven = lo = min(lo, hi)
        width = hi - lo - 2 * padding
        # Facets that are near enough leave the width of the bracket of the bodies, and twice what both are off.
        done = width <= pair.tolerance or worst <= 0.05 * pair.tolerance
        reach = hi + padding - 0.5 * pair.tolerance  # What keeps more leaves no wider a bracket.
        axes = _axes(ma, mb, found.time, where, found)
        if done or rounds >= MOST_ROUNDS or not _split(pair, left, ma, mb, found.time, reach, axes):
            ok = width <= pair.tolerance * (1 + 1e-9) or (lo == 0.0 and hi <= 2 * pair.tolerance)
            return replace(best, lo=lo, decided=ok, rounds=max(rounds, best.rounds))
        rounds += 1


def _split(pair: Pair, left: list[tuple[int, int]], ma: Motion, mb: Motion, t: float, reach: float, axes: Doubles) -> bool:
    """Split facets of some pairs of levels that come within a reach of each other at a time; report whether that helps."""
    if sum(s.count - s.begun for s in (pair.a, pair.b)) > MOST_FACETS:
        return False
    placed = [
        [boxes(level, at, max(reach, 0.0), axes, True) for level in s.levels]
        for s, at in zip((pair.a, pair.b), (ma.matrix(t), mb.matrix(t)))
    ]
    masks = [[np.zeros(len(level.facets), bool) for level in s.levels] for s in (pair.a, pair.b)]
    for i, j in left:
        x, y = pair.a.levels[i].deviation, pair.b.levels[j].deviation
        one, other = meeting(placed[0][i], placed[1][j])
        # The narrower of two need not be split: the wider one decides how near the pair is to the surfaces.
        if x >= max(0.3 * y, 0.1 * pair.tolerance):
            masks[0][i] |= one
        if y >= max(0.3 * x, 0.1 * pair.tolerance):
            masks[1][j] |= other
    return any([s.split(mask) for s, mask in zip((pair.a, pair.b), masks)])


def _divided(pair: Pair, keep: Doubles, ma: Motion, mb: Motion, duration: float, padding: float, known: float) -> Least | None:
    """How near they come, if some faces are known to keep nearly the best distance or more; None where that is no help."""
    best = _place(pair, ma, mb, duration, padding, min(known, float(keep.min()) + 0.5 * pair.tolerance))
    hi = min(known, best.hi)
    near = keep <= hi - _SHARE * pair.tolerance
    if near.all():
        return None
    best.lo = max(0.0, float(keep[~near].min()) - padding)
    for some in pair.among(near):
        found = least(some, ma, mb, duration, padding, hi)
        if found is None:
            continue
        lo = min(best.lo, found.lo)
        if found.hi < hi:
            best, hi = found, found.hi
        best.lo = lo
    best.lo = min(best.lo, best.hi)
    best.decided = hi - best.lo - 2 * padding <= pair.tolerance * (1 + 1e-9)
    return best


def _place(pair: Pair, ma: Motion, mb: Motion, duration: float, padding: float, enough: float) -> Least:
    """A place and a time with a distance that is small, or at most what is enough."""
    best: Least | None = None
    for t in (0.0, 0.5 * duration, duration) if duration > 0 else (0.0,):
        poses = [rigid.motion_pose(m, t) for m in (ma, mb)]
        g = rigid.distance(pair.a.levels[0].body, poses[0], pair.b.levels[0].body, poses[1])
        off = pair.a.levels[0].deviation + pair.b.levels[0].deviation + padding
        if best is None or g.hi + off < best.hi:
            best = Least(0.0, g.hi + off, t, True, 0, g.point_a, g.point_b)
    assert best is not None
    if best.hi > enough:
        poses = [rigid.motion_pose(m, best.time) for m in (ma, mb)]
        middle = tuple((0.5 * (np.array(best.point_a) + best.point_b)).tolist())
        hi, ends = pair._around(poses, middle, enough - padding, 0.1 * pair.tolerance)
        if hi + padding < best.hi:
            best.hi, best.rounds, (best.point_a, best.point_b) = hi + padding, 1, ends
    return best
