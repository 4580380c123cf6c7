"""Two parts, piece by piece: when they first meet, how near they come, with facets that are split where they decide.

Way "triangles": the facets as they were made decide. Way "surface": facets near the place were split, to be as near to
the surfaces as the tolerance asks for. Every bound holds for the surfaces themselves in both.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import rigid
from ..rigid import Body, Motion
from ._assembly import body_of
from ._bounds import Doubles
from ._crossing import cross
from ._fits import kept, near_axes
from ._levels import Side
from ._meeting import boxes, meeting
from ._overlap import NEAREST, deep, placed
from ._reach import MOST_PAIRS, STEPS
from ._reach import times as near_times
from ._rings import first_near

MOST_FACETS = 40_000  # A search ends, and says so, where both parts need more than these beside their first facets.
MOST_ROUNDS = 24
_MOST_TIMES = 6  # In more pieces of a drive the trees of all facets serve better than those of the ones near in each.
_MOST_GROUPS = 6  # of faces that are searched apart from each other
_MOST_VAIN = 2  # searches by rings that do not decide, after which a pair has none any more


@dataclass
class Met:
    """When two parts meet, in one piece: no contact before ``lo``; at ``hi`` they are within ``gap`` of each other."""

    lo: float
    hi: float
    gap: float
    deviation: float
    decided: bool
    rounds: int
    point: tuple[float, ...]
    normal: tuple[float, ...]
    overlap: bool = False  # proven at hi
    pair: Pair | None = None  # the faces that meet, where others are proven apart


@dataclass
class Least:
    """The least distance of two parts in one piece: in [lo, hi], hi at ``time``."""

    lo: float
    hi: float
    time: float
    decided: bool
    rounds: int
    point_a: tuple[float, ...] = (0.0, 0.0, 0.0)
    point_b: tuple[float, ...] = (0.0, 0.0, 0.0)


@dataclass
class Pair:
    """Two parts, with the facets that searches have split so far."""

    a: Side
    b: Side
    tolerance: float
    whole: bool = True  # not a pair of some faces only
    lazy: bool = False  # whether faces get facets only where they may come near the other part
    asked: int = 0  # how often it was asked which do
    parts: dict[tuple[bytes, bytes], Pair] = field(default_factory=dict)  # what some faces were split into
    ringed: bool = False  # whether rings were tried
    vain: int = 0  # how often they did not decide

    def kept(self, ma: Motion, mb: Motion, duration: float) -> Doubles | None:
        """Distances that each face of a keeps from each of b by axes that they share; None where they share none."""
        if not self.whole:
            return None
        a, b = (s.part.product._axes(s.asked) for s in (self.a, self.b))
        return kept(a, b, ma, mb, duration)

    def among(self, near: NDArray[np.bool_]) -> list[Pair]:
        """Pairs of some faces each, which hold all pairs of faces that a table names."""
        rows = near.any(1)
        patterns, of = np.unique(near[rows], axis=0, return_inverse=True)
        groups = [(np.flatnonzero(rows)[of.reshape(-1) == k], np.flatnonzero(p)) for k, p in enumerate(patterns)]
        if len(groups) > _MOST_GROUPS:
            groups = [(np.flatnonzero(rows), np.flatnonzero(near.any(0)))]
        found = []
        for one, other in groups:
            key = one.tobytes(), other.tobytes()
            if key not in self.parts:
                self.parts[key] = Pair(self.a.only(one), self.b.only(other), self.tolerance, False, self.lazy)
            found.append(self.parts[key])
        return found

    def apart(self, ma: Motion, mb: Motion, duration: float, reach: float) -> bool:
        """Whether the facets as they are prove that the parts stay farther apart than a length."""
        pairs = [self]
        if (found := self._times(ma, mb, 0.0, duration, reach)) is not None:
            if not (near := np.isfinite(found)).any():
                return True
            pairs = self.among(_rectangle(near))
        options = {"tolerance": 0.1 * self.tolerance, "min_separation": reach}
        levels = [(x, y) for p in pairs for x in p.a.levels for y in p.b.levels]
        if all(_earliest(x.body, ma, y.body, mb, 0.0, duration, options) is None for x, y in levels):
            return True
        known = self.kept(ma, mb, duration)
        return known is not None and bool((known > reach).all())

    def met(
        self, ma: Motion, mb: Motion, duration: float, padding: float, separation: float = 0.0, start: float = 0.0
    ) -> Met | None:
        """When they first come within a separation; None is a proof that they do not."""
        known, reach = self.kept(ma, mb, duration), separation + padding
        near = None if known is None else known <= reach
        if self.whole and self.vain < _MOST_VAIN and duration > 0:
            found = self._by_rings(near, ma, mb, duration, padding, separation, start)
            if found is None or isinstance(found, Met):
                return found
            start, near = found
        if near is not None and not near.all():
            return _first(self.among(near), ma, mb, duration, padding, separation, start)
        if known is None and (times := self._times(ma, mb, start, duration, reach)) is not None:
            return self._in_order(times, ma, mb, duration, padding, separation, start)
        lo, rounds, options = start, 0, {"tolerance": 0.1 * self.tolerance, "min_separation": separation + padding}
        while True:
            best, way, where = None, 0.0, None
            for x in self.a.levels:
                for y in self.b.levels:
                    until = duration if best is None else min(best.toi_hi, duration)
                    im = _earliest(x.body, ma, y.body, mb, lo, until, options)
                    if im is not None and (best is None or im.toi_lo < best.toi_lo):
                        best, way, where = im, x.deviation + y.deviation, (x, y)
            if best is None:
                return None
            hi = best.toi_hi if math.isfinite(best.toi_hi) else best.toi_lo
            overlap = Met(lo, lo, 0.0, way, True, 0, best.point, best.normal, True)
            # Parts that overlap need no facets along all of where they cross. Where first facets are in contact, and finer ones
            # are not, no facets of all faces are made to learn that.
            closed = rounds == (2 if self.lazy else 0)
            early = best.initial and separation == 0 and (closed or rounds == 0)
            if early and self.crosses(ma, mb, lo, best.point, np.array(best.normal), padding, way, closed):
                return overlap
            gap = separation + 2 * (way + padding) + 0.1 * self.tolerance
            narrow = way <= 0.4 * self.tolerance
            if not best.initial:
                lo = max(lo, best.toi_lo)
            decided = bool(best.contact) and narrow
            if (
                decided
                or rounds >= MOST_ROUNDS
                or not self._refine(ma, mb, hi, separation + 2 * way + padding, _axes(ma, mb, hi, where, best))
            ):
                late = self.lazy and best.initial and separation == 0 and rounds < 2
                if late and self.crosses(ma, mb, lo, best.point, np.array(best.normal), padding):
                    return overlap
                return Met(lo, hi, gap, way, decided, rounds, best.point, best.normal)
            rounds += 1

    def _times(self, ma: Motion, mb: Motion, start: float, end: float, reach: float) -> Doubles | None:
        """Times before which faces do not come within a reach, by boxes around them; None where facets are made at once."""
        if not self.whole or not self.lazy or self.asked >= _MOST_TIMES:
            return None
        self.asked += 1
        a, b = (s.part.product._hulls() for s in (self.a, self.b))
        if a is None or b is None or len(a.off) * len(b.off) > MOST_PAIRS:
            return None
        return near_times(a, b, ma, mb, start, end, reach)

    def _in_order(
        self, times: Doubles, ma: Motion, mb: Motion, duration: float, padding: float, separation: float, start: float
    ) -> Met | None:
        """When they first meet, by the faces that may come near until then, the first ones first."""
        best: Met | None = None
        wait, step = 0.0, (duration - start) / STEPS
        while np.isfinite(first := times.min()) and (best is None or first <= best.hi):
            # The first facets of the faces that come near first tell about when the parts meet. Those that may meet until then
            # are searched together.
            near = _rectangle(times <= first + wait)
            (seed,) = self.among(near)
            until = duration if best is None else best.hi
            about = seed._about(ma, mb, until, padding + separation, start)
            if math.isfinite(about):
                near = _rectangle(near | (times <= min(about, until)))
                (pair,) = self.among(near)
                found = pair.met(ma, mb, until, padding, separation, start)
                if found is not None:
                    found.pair = pair
                    best = _earlier(best, found)
            times = np.where(near, np.inf, times)
            wait = max(step, 2 * wait)
        return best

    def _about(self, ma: Motion, mb: Motion, until: float, reach: float, start: float) -> float:
        """About when the first facets come within a reach; inf is a proof that they do not."""
        x, y = self.a.levels[0], self.b.levels[0]
        im = _earliest(x.body, ma, y.body, mb, start, until, {"tolerance": 0.1 * self.tolerance, "min_separation": reach})
        return math.inf if im is None else im.toi_hi if math.isfinite(im.toi_hi) else im.toi_lo

    def _by_rings(
        self, near: Any, ma: Motion, mb: Motion, duration: float, padding: float, separation: float, start: float
    ) -> Met | tuple[float, Any] | None:
        """When they first come near each other, by rings about near axes; or until when they do not, and which faces may."""
        if near is not None and not near.any():
            return None
        a, b = (s.part.product._axes(s.asked) for s in (self.a, self.b))
        chosen = near_axes(a, b, ma, mb, duration)
        if not chosen:
            return start, near
        reach = separation + padding
        if self.ringed:  # The facets have trees by now, which tell at once that parts stay apart.
            options = {"tolerance": 0.1 * self.tolerance, "min_separation": reach}
            hits = [_earliest(x.body, ma, y.body, mb, start, duration, options) for x in self.a.levels for y in self.b.levels]
            times = [im.toi_lo for im in hits if im is not None]
            if not times:
                return None
            start = max(start, min(times))
        self.ringed = True
        faces = np.ones((len(a.faces), len(b.faces)), bool) if near is None else near
        found = first_near(a, chosen[0], b, chosen[1], (ma, mb), start, duration, faces, reach, self.tolerance)
        if found is None:
            return None
        if found.place is not None and found.lo > start:
            t, point = found.place.time, np.array(found.place.point)
            sides = [s.only(f) if self.lazy else s for s, f in zip((self.a, self.b), found.place.faces)]
            one, other = (s.graded(_local(m, t, point), 0.1 * self.tolerance) for s, m in zip(sides, (ma, mb)))
            fine = [[x for x in s.levels if x.deviation <= 0.2 * self.tolerance] for s in (one, other)]
            poses = [rigid.motion_pose(m, t) for m in (ma, mb)]
            gap, g = math.inf, None
            for x, y in itertools.product(*fine):
                d = rigid.distance(x.body, poses[0], y.body, poses[1])
                if (off := d.hi + x.deviation + y.deviation + padding) < gap:
                    gap, g = off, d
            if g is not None and gap <= separation + self.tolerance:
                pair = Pair(one, other, self.tolerance, False)
                middle = 0.5 * (np.array(g.point_a) + g.point_b)
                return Met(found.lo, t, gap, 0.0, True, 1, tuple(middle.tolist()), found.place.normal, pair=pair)
        self.vain += 1
        return found.lo, found.faces

    def _refine(self, ma: Motion, mb: Motion, t: float, reach: float, axes: Doubles) -> bool:
        """Split the facets that come within a reach of the other part at a time; report whether that helps."""
        if sum(s.count - s.begun for s in (self.a, self.b)) > MOST_FACETS:
            return False
        sides = [
            [boxes(level, at, reach, axes) for level in s.levels]
            for s, at in zip((self.a, self.b), (ma.matrix(t), mb.matrix(t)))
        ]
        masks = [[np.zeros(len(level.facets), bool) for level in s.levels] for s in (self.a, self.b)]
        for i, x in enumerate(sides[0]):
            for j, y in enumerate(sides[1]):
                one, other = meeting(x, y)
                # The narrower of two need not be split: the wider one decides how near the pair is to the surfaces.
                if self.a.levels[i].deviation >= 0.3 * self.b.levels[j].deviation:
                    masks[0][i] |= one
                if self.b.levels[j].deviation >= 0.3 * self.a.levels[i].deviation:
                    masks[1][j] |= other
        for side, own in zip((self.a, self.b), masks):
            for level, mask in zip(side.levels, own):
                if level.deviation <= 0.1 * self.tolerance:  # near enough
                    mask[:] = False
        done = [s.split(mask) for s, mask in zip((self.a, self.b), masks)]
        return any(done)

    def crosses(
        self, ma: Motion, mb: Motion, t: float, point: tuple[float, ...], way: Doubles, padding: float,
        deep: float = 0.0, closed: bool = True,
    ) -> bool:  # fmt: skip
        """Whether the parts surely overlap at a time, near a point; the way of a contact may be unknown.

        Faces are tried where facets are lazy, as if the overlap were as deep as is given, and closed surfaces if that is asked
        for.
        """
        if self.lazy and self._cross(ma, mb, t, np.array(point), deep, padding, 3):
            return True
        if not closed:
            return False
        for n in (way, *np.eye(3), *-np.eye(3)):
            if (length := float(np.linalg.norm(n))) > 0:
                met = Met(t, t, 0.0, 0.0, True, 0, point, tuple((n / length).tolist()))
                if self._deep(ma, mb, t, met, padding):
                    return True
        return False

    def rest(self, ma: Motion, mb: Motion, padding: float = 0.0) -> tuple[Least, bool]:
        """How far apart they are at rest, where both may be off by a padding, and whether they surely overlap."""
        poses = [(m.rotation, m.position) for m in (ma, mb)]
        rounds = 0
        while True:
            lo, hi, found, worst, where = math.inf, math.inf, None, 0.0, None
            for x in self.a.levels:
                for y in self.b.levels:
                    g, off = rigid.distance(x.body, poses[0], y.body, poses[1]), x.deviation + y.deviation
                    hi, near = min(hi, g.hi + off + padding), max(g.lo - padding, 0.0)
                    if near < lo or found is None:
                        lo, found, worst, where = near, g, off, (x, y)
            assert found is not None
            least = Least(min(lo, hi), hi, 0.0, True, rounds, found.point_a, found.point_b)
            if lo > 0:
                return least, False
            if rounds == 0 and (known := self.kept(ma, mb, 0.0)) is not None and not (some := known <= padding).all():
                return self._rests(known, some, least, ma, mb, padding)
            if rounds == 0:
                middle = tuple((0.5 * (np.array(found.point_a) + found.point_b)).tolist())
                if self.crosses(ma, mb, 0.0, middle, np.array(found.normal), padding):
                    least.lo = least.hi = 0.0
                    return least, True
                least.hi = min(hi, self._around(poses, middle, 0.4 * self.tolerance)[0] + padding)
                if least.hi <= 0.4 * self.tolerance + padding:  # they touch; finer facets along all of the contact say no more
                    return least, False
            axes = _axes(ma, mb, 0.0, where, found)
            if worst <= 0.4 * self.tolerance or rounds >= MOST_ROUNDS or not self._refine(ma, mb, 0.0, hi, axes):
                return least, False
            rounds += 1

    def _rests(
        self, known: Doubles, near: NDArray[np.bool_], least: Least, ma: Motion, mb: Motion, padding: float
    ) -> tuple[Least, bool]:
        """The same of parts some of whose faces are known to be apart."""
        least.lo = min(least.hi, float(known[~near].min()) - padding)
        for pair in self.among(near):
            found, crossing = pair.rest(ma, mb, padding)
            lo = min(least.lo, found.lo)
            if found.hi < least.hi or crossing:
                least = found
            least.lo = lo
            if crossing:
                return least, True
        return least, False

    def _around(
        self, poses: list[Any], point: tuple[float, ...], enough: float, fine: float = 0.0
    ) -> tuple[float, tuple[Any, Any]]:
        """A distance that the parts have at most, and where, by facets around a point, which are split alone.

        Splitting ends where the distance is enough, or facets show that it is more; or, if that is given, where both are fine.
        """
        sides, least, ends = [s.all for s in (self.a, self.b)], math.inf, (point, point)
        wide = 0.1 * enough if fine == 0 else 0.4 * fine
        for _ in range(MOST_ROUNDS):
            bodies = []
            for k, (rotation, position) in enumerate(poses):
                facets = sides[k]
                corners = placed(facets.points.reshape(-1, 3), np.array(rotation), np.array(position)).reshape(-1, 3, 3)
                out = np.maximum(np.maximum(corners.min(1) - point, point - corners.max(1)), 0)
                nearest = np.argsort((out**2).sum(1), kind="stable")[:NEAREST]
                sides[k] = facets.chosen(nearest)
                bodies.append(body_of(sides[k]))
            g = rigid.distance(bodies[0], poses[0], bodies[1], poses[1])
            off = [b.deviation for b in bodies]
            if g.hi + sum(off) < least:
                least, ends = g.hi + sum(off), (g.point_a, g.point_b)
            point = tuple((0.5 * (np.array(g.point_a) + g.point_b)).tolist())
            if least <= enough or (g.hi > max(enough, sum(off)) if fine == 0 else sum(off) <= fine):
                break
            sides = [f.narrowed(0.2 * e) if e > wide else f for f, e in zip(sides, off)]
            if not any(float(f.deviation.max()) < 0.7 * e for f, e in zip(sides, off)):
                break
        return least, ends

    def sure(self, ma: Motion, mb: Motion, t: float, met: Met, padding: float = 0.0) -> bool:
        """Whether the parts surely overlap at a time: a point of one is inside of the other, deeper than facets are off."""
        return self._cross(ma, mb, t, np.array(met.point), met.deviation + self.tolerance, padding) or self._deep(
            ma, mb, t, met, padding
        )

    def _cross(self, ma: Motion, mb: Motion, t: float, point: Doubles, deep: float, padding: float, sizes: int = 7) -> bool:
        """Whether two faces surely cross near a point, about as deep as is given, by pieces of some sizes."""
        a, b = ((m.matrix(t), [x.facets for x in s.levels]) for s, m in ((self.a, ma), (self.b, mb)))
        return cross(a, b, point, deep, padding, sizes)

    def _deep(self, ma: Motion, mb: Motion, t: float, met: Met, padding: float) -> bool:
        """Whether a point of one is deep inside of the closed surface of the other."""
        return any(
            deep(x, mx, y, my, t, np.array(met.point), sign * np.array(met.normal), padding)
            for x, mx, y, my, sign in ((self.a, ma, self.b, mb, -1.0), (self.b, mb, self.a, ma, 1.0))
        )


def _first(
    pairs: list[Pair], ma: Motion, mb: Motion, duration: float, padding: float, separation: float, start: float
) -> Met | None:
    """When the first of some pairs of faces of two parts meet; None is a proof that none does."""
    best: Met | None = None
    for pair in pairs:
        found = pair.met(ma, mb, duration if best is None else best.hi, padding, separation, start)
        if found is None:
            continue
        found.pair = pair
        best = _earlier(best, found)
    return best


def _earlier(best: Met | None, found: Met) -> Met:
    """The earlier of two contacts, with what is proven before both."""
    if best is None:
        return found
    lo = min(best.lo, found.lo)
    if found.hi >= best.hi:
        found = best
    found.lo = lo
    return found


def _rectangle(near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All pairs of the faces of a and of b that a table names."""
    found: NDArray[np.bool_] = np.outer(near.any(1), near.any(0))
    return found


def _local(m: Motion, t: float, point: Doubles) -> Doubles:
    """A point in coordinates of a body that moves, at a time."""
    at = m.matrix(t)
    found: Doubles = at[:3, :3].T @ (point - at[:3, 3])
    return found


def _earliest(a: Body, ma: Motion, b: Body, mb: Motion, t_min: float, t_max: float, options: Any) -> Any:
    """The impact of two bodies, or None where they are separate."""
    if t_min > t_max:
        return None
    im = rigid.earliest(a, ma, b, mb, t_min=t_min, t_max=t_max, **options)
    return None if im.separate else im


def _axes(ma: Motion, mb: Motion, t: float, where: Any, found: Any) -> Doubles:
    """Axes that tell facets near a place apart: the normal, and the longest side of the two nearest facets."""
    normal = np.array(found.normal)
    if where is None or not normal.any() or found.index_a < 0:
        return np.eye(3)
    best = np.zeros(3)
    for level, m, k in zip(where, (ma, mb), (found.index_a, found.index_b)):
        p = level.facets.points[k] @ m.matrix(t)[:3, :3].T
        ways = p[[1, 2, 0]] - p
        longest = ways[np.argmax((ways**2).sum(1))]
        best = longest if longest @ longest > best @ best else best
    along = best - (best @ normal) * normal
    if not along @ along > 1e-12 * (best @ best):
        along = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    along = along / np.linalg.norm(along)
    return np.stack([normal, along, np.cross(normal, along)])
