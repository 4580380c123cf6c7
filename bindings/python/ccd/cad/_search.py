"""Two parts, piece by piece: when they first meet, how near they come, with facets that are split where they decide.

Way "triangles": the facets as they were made decide. Way "surface": facets near the place were split, to be as near to
the surfaces as the tolerance asks for. Every bound holds for the surfaces themselves in both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import rigid
from ..rigid import Body, Motion
from ._assembly import Part, body_of
from ._bounds import Doubles
from ._crossing import cross
from ._facets import Facets
from ._fits import kept
from ._reach import MOST_PAIRS, STEPS
from ._reach import times as near_times

MOST_FACETS = 40_000  # A search ends, and says so, where both parts need more than these beside their first facets.
MOST_ROUNDS = 24
_CHUNK = 1 << 18
_MOST_PAIRS = 1 << 27
_SHARE = 0.7  # Faces that keep a known distance less this share of the tolerance are not searched.
_MOST_TIMES = 6  # In more pieces of a drive the trees of all facets serve better than those of the ones near in each.
_MOST_GROUPS = 6  # of faces that are searched apart from each other
_MOST_STEPS = 4_000_000  # A clearance takes a second of the processor for these; fits with little play may need them.


@dataclass
class Level:
    """Facets of about one deviation."""

    facets: Facets
    body: Body
    deviation: float


class Side:
    """A part in a search: facets of all of its faces, or of some, in levels of about equal deviation.

    They are made when they are asked for. ``asked`` is the deviation that was asked for, ``first`` that of the first facets,
    and ``begun`` their number.
    """

    def __init__(self, part: Part, asked: float | None, faces: NDArray[np.intp] | None = None):
        self.part, self.asked, self.faces = part, asked, faces
        self._levels: list[Level] | None = None
        self._rest: list[Level] | None = None
        self._first, self._begun = 0.0, 0

    @property
    def levels(self) -> list[Level]:
        if self._levels is None:
            product = self.part.product
            facets = product.facets(self.asked) if self.faces is None else product._facets_of(self.faces, self.asked)
            body = product.body(self.asked) if self.faces is None else body_of(facets)
            self._first, self._begun = float(facets.deviation.max()), len(facets)
            self._levels = [Level(facets, body, self._first)]
        return self._levels

    @levels.setter
    def levels(self, levels: list[Level]) -> None:
        self._levels = levels

    @property
    def first(self) -> float:
        return self._first if self.levels else 0.0

    @property
    def begun(self) -> int:
        return self._begun if self.levels else 0

    @property
    def rest(self) -> list[Level]:
        """Facets of the other faces, which are not searched."""
        if self._rest is None:
            self._rest = []
            if self.faces is not None:
                facets = self.part.product.facets(self.asked)
                others = facets.chosen(~np.isin(facets.face, self.faces))
                if len(others):
                    self._rest = [Level(others, body_of(others), float(others.deviation.max()))]
        return self._rest

    def only(self, faces: NDArray[np.intp]) -> Side:
        """The same part with some of its faces."""
        return Side(self.part, self.asked, faces)

    @property
    def count(self) -> int:
        return sum(len(level.facets) for level in self.levels)

    def split(self, near: list[NDArray[np.bool_]]) -> bool:
        """Split the facets of each level that a mask names; report whether some became narrower."""
        kept: list[tuple[Level, Facets | None]] = []
        grown: Facets | None = None
        changed = False
        for level, mask in zip(self.levels, near):
            if not mask.any():
                kept.append((level, None))
                continue
            chosen = level.facets.chosen(mask)
            finer = chosen.narrowed(0.2 * level.deviation)
            changed |= float(finer.deviation.max()) < 0.7 * level.deviation
            grown = finer if grown is None else grown.joined(finer)
            if not mask.all():
                kept.append((level, level.facets.chosen(~mask)))
        if grown is None or not changed:
            return False
        levels = [level for level, rest in kept if rest is None]
        rests = [rest for _, rest in kept if rest is not None]
        self.levels = levels + _levels([*rests, grown], self.first)
        return True


def _levels(lists: list[Facets], first: float) -> list[Level]:
    """Facets in levels, each a quarter of the one before."""
    by: dict[int, Facets] = {}
    for facets in lists:
        rank = np.clip(np.floor(np.log(first / np.maximum(facets.deviation, first * 2.0**-50)) / math.log(4)), 0, 24)
        for k in np.unique(rank).tolist():
            some = facets.chosen(rank == k)
            by[int(k)] = by[int(k)].joined(some) if int(k) in by else some
    return [Level(f, body_of(f), float(f.deviation.max())) for _, f in sorted(by.items())]


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
        if (known := self.kept(ma, mb, duration)) is not None and not (near := known <= separation + padding).all():
            return _first(self.among(near), ma, mb, duration, padding, separation, start)
        if known is None and (times := self._times(ma, mb, start, duration, separation + padding)) is not None:
            return self._in_order(times, ma, mb, duration, padding, separation, start)
        lo, rounds, options = start, 0, {"tolerance": 0.1 * self.tolerance, "min_separation": separation + padding}
        while True:
            best, way, where = None, 0.0, None
            for x in self.a.levels:
                for y in self.b.levels:
                    until = duration if best is None else best.toi_hi
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

    def least(self, ma: Motion, mb: Motion, duration: float, padding: float, known: float = math.inf) -> Least | None:
        """How near they come; None is a proof that they stay farther apart than what is known already."""
        if (keep := self.kept(ma, mb, duration)) is not None:
            divided = self._divided(keep, ma, mb, duration, padding, known)
            if divided is not None:
                return divided
        rounds, proven = 0, 0.0
        while True:
            lo, hi, found, worst, where = math.inf, known, None, 0.0, None
            near: Any = None  # what is nearest, for whose time hi holds; found has the least lower end
            for x in self.a.levels:
                for y in self.b.levels:
                    off = x.deviation + y.deviation
                    if (
                        math.isfinite(hi)
                        and _earliest(
                            x.body,
                            ma,
                            y.body,
                            mb,
                            0.0,
                            duration,
                            {"min_separation": hi + padding, "tolerance": 0.1 * self.tolerance},
                        )
                        is None
                    ):
                        continue
                    fine = 0.25 * self.tolerance
                    g = rigid.clearance(x.body, ma, y.body, mb, t_max=duration, tolerance=fine, max_iterations=_MOST_STEPS)
                    if g.hi + off + padding < hi or near is None:
                        hi, near = min(hi, g.hi + off + padding), g
                    if g.lo < lo:
                        lo, found, worst, where = g.lo, g, off, (x, y)
            if found is None:
                return None
            # What a round proves stays true where a later one, of more facets, ends at its limits.
            proven = lo = max(proven, min(lo, hi) - padding)
            width = hi - lo - 2 * padding
            # Facets that are near enough leave the width of the bracket of the bodies, and twice what both are off.
            done = width <= self.tolerance or worst <= 0.05 * self.tolerance
            if (
                done
                or rounds >= MOST_ROUNDS
                or not self._refine(ma, mb, found.time, hi + padding, _axes(ma, mb, found.time, where, found))
            ):
                ok = width <= self.tolerance * (1 + 1e-9) or (lo == 0.0 and hi <= 2 * self.tolerance)
                return Least(lo, hi, near.time, ok, rounds, near.point_a, near.point_b)
            rounds += 1

    def _divided(self, keep: Doubles, ma: Motion, mb: Motion, duration: float, padding: float, known: float) -> Least | None:
        """How near they come, if some faces are known to keep nearly the least distance or more; None where that is no help."""
        least = self._place(ma, mb, duration, padding, min(known, float(keep.min()) + 0.5 * self.tolerance))
        hi = min(known, least.hi)
        near = keep <= hi - _SHARE * self.tolerance
        if near.all():
            return None
        least.lo = max(0.0, float(keep[~near].min()) - padding)
        for pair in self.among(near):
            found = pair.least(ma, mb, duration, padding, hi)
            if found is None:
                continue
            lo = min(least.lo, found.lo)
            if found.hi < hi:
                least, hi = found, found.hi
            least.lo = lo
        least.lo = min(least.lo, least.hi)
        least.decided = hi - least.lo - 2 * padding <= self.tolerance * (1 + 1e-9)
        return least

    def _place(self, ma: Motion, mb: Motion, duration: float, padding: float, enough: float) -> Least:
        """A place and a time with a distance that is small, or at most what is enough."""
        best: Least | None = None
        for t in (0.0, 0.5 * duration, duration) if duration > 0 else (0.0,):
            poses = [rigid.motion_pose(m, t) for m in (ma, mb)]
            g = rigid.distance(self.a.levels[0].body, poses[0], self.b.levels[0].body, poses[1])
            off = self.a.levels[0].deviation + self.b.levels[0].deviation + padding
            if best is None or g.hi + off < best.hi:
                best = Least(0.0, g.hi + off, t, True, 0, g.point_a, g.point_b)
        assert best is not None
        if best.hi > enough:
            poses = [rigid.motion_pose(m, best.time) for m in (ma, mb)]
            middle = tuple((0.5 * (np.array(best.point_a) + best.point_b)).tolist())
            hi, ends = self._around(poses, middle, enough - padding, 0.1 * self.tolerance)
            if hi + padding < best.hi:
                best.hi, best.rounds, (best.point_a, best.point_b) = hi + padding, 1, ends
        return best

    def _refine(self, ma: Motion, mb: Motion, t: float, reach: float, axes: Doubles) -> bool:
        """Split the facets that come within a reach of the other part at a time; report whether that helps."""
        if sum(s.count - s.begun for s in (self.a, self.b)) > MOST_FACETS:
            return False
        boxes = [
            [_boxes(level, at, reach, axes) for level in s.levels]
            for s, at in zip((self.a, self.b), (ma.matrix(t), mb.matrix(t)))
        ]
        masks = [[np.zeros(len(level.facets), bool) for level in s.levels] for s in (self.a, self.b)]
        for i, x in enumerate(boxes[0]):
            for j, y in enumerate(boxes[1]):
                one, other = _meeting(x, y)
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
        sides, least, ends = [s.levels[0].facets for s in (self.a, self.b)], math.inf, (point, point)
        wide = 0.1 * enough if fine == 0 else 0.4 * fine
        for _ in range(MOST_ROUNDS):
            bodies = []
            for k, (rotation, position) in enumerate(poses):
                facets = sides[k]
                placed = _placed(facets.points.reshape(-1, 3), np.array(rotation), np.array(position)).reshape(-1, 3, 3)
                out = np.maximum(np.maximum(placed.min(1) - point, point - placed.max(1)), 0)
                nearest = np.argsort((out**2).sum(1), kind="stable")[:_NEAREST]
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
            _deep(x, mx, y, my, t, np.array(met.point), sign * np.array(met.normal), padding)
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


@dataclass
class _Placed:
    """Facets of a level at a time, along axes: their corners, and boxes that are larger by how near others may be."""

    corners: Doubles  # (n, 3, 3)
    normals: Doubles
    more: Doubles
    low: Doubles
    high: Doubles


def _boxes(level: Level, at: Doubles, reach: float, axes: Doubles) -> _Placed:
    """The facets of a level at a placement, along axes; boxes are larger by their deviation and half of the reach."""
    placed = level.facets.points.reshape(-1, 3) @ (axes @ at[:3, :3]).T + axes @ at[:3, 3]
    placed = placed.reshape(-1, 3, 3)
    more = (level.facets.deviation + 0.5 * reach) * (1 + 2.0**-20)
    normals = _cross(placed[:, 1] - placed[:, 0], placed[:, 2] - placed[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    return _Placed(placed, normals, more, placed.min(1) - more[:, None], placed.max(1) + more[:, None])


def _meeting(a: _Placed, b: _Placed) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of some facets come near one of others, and which of these: by boxes, their planes and their sides."""
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
        near = _beside(a, i, b, j)  # a large flat facet is thin beside its box
        i, j = i[near], j[near]
        near = _beside(b, j, a, i)
        i, j = i[near], j[near]
        near = _across(a, i, b, j)
        out[0][i[near]], out[1][j[near]] = True, True
    return out


def _beside(a: _Placed, i: NDArray[np.intp], b: _Placed, j: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether facets j of b come near the planes of facets i of a."""
    off = np.einsum("nc,nkc->nk", a.normals[i], b.corners[j] - a.corners[i, :1])
    near: NDArray[np.bool_] = np.maximum(off.min(1), -off.max(1)) <= a.more[i] + b.more[j]
    return near


def _across(a: _Placed, i: NDArray[np.intp], b: _Placed, j: NDArray[np.intp]) -> NDArray[np.bool_]:
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


_NEAREST = 12  # facets whose points are tried
_SHARES = np.array([0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99])


def _deep(x: Side, mx: Motion, y: Side, my: Motion, t: float, point: Doubles, inward: Doubles, padding: float = 0.0) -> bool:
    """Whether a point of x's facets near a place is surely inside of y.

    A way from it leads deep into y, and is farther from the faces of y than facets are off, and both parts from their motions.
    """
    solid = y.part.product._closed()
    if not solid.closed or not np.any(inward):
        return False
    (rx, px), (ry, py) = rigid.motion_pose(mx, t), rigid.motion_pose(my, t)
    found = []
    for level in x.levels:
        placed = _placed(level.facets.points.reshape(-1, 3), rx, px).reshape(-1, 3, 3)
        out = np.maximum(np.maximum(placed.min(1) - point, point - placed.max(1)), 0)
        far = (out**2).sum(1)
        some = np.argpartition(far, _NEAREST)[:_NEAREST] if len(far) > _NEAREST else np.arange(len(far))
        found += [(float(far[k]), level.deviation, placed[k]) for k in some.tolist()]
    found.sort(key=lambda item: item[:2])
    off = max(e for _, e, _ in found[:_NEAREST]) + padding
    tried = []
    for _, _, corners in found[:_NEAREST]:
        middle = corners.mean(0)
        for a, b in ((0, 1), (1, 2), (2, 0)):
            tried += [
                corners[a] + _SHARES[:, None] * (corners[b] - corners[a]),
                corners[a] + _SHARES[:, None] * (middle - corners[a]),
            ]
        tried.append(corners)
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


def _leads_in(p: Doubles, q: Doubles, off: float, y: Side, rotation: Doubles, position: Doubles) -> bool:
    """Whether q is deep inside of y, and nothing of its faces is within a distance of the way to it from p."""
    solid, pose = y.part.product._closed(), (tuple(rotation.tolist()), tuple(position.tolist()))
    here = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    if not rigid.distance(Body([q], [[0, 0, 0]]), here, solid.body, pose).lo > solid.deviation:
        return False
    way = Body([p, q], [[0, 1, 1]]).deviating(off)
    return all(rigid.distance(way, here, level.body, pose).lo > 0 for level in (*y.levels, *y.rest))


def _placed(points: Doubles, rotation: Doubles, position: Doubles) -> Doubles:
    """Points of a body at a pose."""
    found: Doubles = points @ Motion(rotation, position).matrix(0.0)[:3, :3].T + position
    return found
