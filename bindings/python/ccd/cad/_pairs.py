"""Two parts of an assembly, at poses and over pieces of a drive, and which pairs come near each other."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import rigid
from .._inner import arrays
from ._assembly import Assembly, Product
from ._bounds import Doubles
from ._drive import Drive, Piece
from ._levels import Side
from ._nearest import least as least_of
from ._report import PairReport, Rest
from ._search import Least, Met, Pair
from ._solid import Solid
from ._volume import WIDTH, common

_TOLERANCE = 1e-6  # It is a share of the assembly's size.
_COARSE = 0.05  # Pieces are padded by this share of a distance before they are cut.
_SHARE = 0.8  # Pieces that come nearer than the least distance by this share of the tolerance are not searched.
_FINER = 5  # how often triangles are made finer to tell what is inside, or to narrow a volume
_MOST_OF_VOLUME = 5_000, 1_000  # triangles of a part, beyond which these are not made finer for a volume: at first, and then


class Checker:
    """What one call shares: sides of parts, and the options."""

    def __init__(self, assembly: Assembly, deviation: float | None, tolerance: float | None, separation: float):
        self.assembly = assembly
        self.size = assembly.size
        tolerance = _TOLERANCE * self.size if tolerance is None else tolerance
        self.tolerance = arrays.within("tolerance", tolerance, "(0, inf]", "above 0")
        self.separation = arrays.within("min_separation", separation, "[0, inf]", "at least 0")
        self.deviation = deviation if deviation is None else arrays.within("deviation", deviation, "(0, inf]", "above 0")
        self.loose = 0.0  # how far parts may be from the placements that a method is given

    def pair(self, a: int, b: int, lazy: bool = False) -> Pair:
        """Two parts; lazily, faces get facets only where they may come near the other part."""
        one, other = (Side(self.assembly.parts[k], self.deviation) for k in (a, b))
        return Pair(one, other, self.tolerance, lazy=lazy)

    def padding(self) -> float:
        return 0.02 * self.tolerance

    def coarse(self, limit: float) -> float:
        """What the pieces that a search begins with are padded by: a share of a distance that parts keep or do not keep."""
        return max(self.padding(), _COARSE * limit)

    def _fine(self, piece: Piece, padding: float) -> bool:
        """Whether a piece is padded by no more than is small beside the tolerance, or by what no cut makes smaller."""
        return padding <= 2 * self.padding() or not piece.halves()

    def _stacked(self, pair: Pair, drive: Drive, a: int, b: int) -> float:
        """A distance that two parts keep for the whole drive, being above each other in a mechanism in a plane."""
        plane = drive._across(a, b)
        if plane is None:
            return 0.0
        n, off = plane
        ends: list[tuple[float, float]] = []
        for side in (pair.a, pair.b):
            m, boxes = side.part.matrix, side.part.product._hulls() if pair.lazy else None
            if boxes is None:
                held = [(x.facets.points, x.deviation) for x in side.levels]
            else:
                held = [(boxes.corners, float(boxes.off.max()))]
            heights = [(p @ (m[:3, :3].T @ n) + m[:3, 3] @ n, e) for p, e in held]
            ends.append((min(float(h.min()) - e for h, e in heights), max(float(h.max()) + e for h, e in heights)))
        rounding = 2.0**-40 * max(abs(x) for end in ends for x in end)
        return max(0.0, max(ends[1][0] - ends[0][1], ends[0][0] - ends[1][1]) - off - rounding)

    def contact(self, pair: Pair, drive: Drive, a: int, b: int, pieces: Iterable[Piece]) -> PairReport | None:
        """The first contact over pieces, which are cut where the parts come near each other."""
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        left = list(pieces)[::-1] if self._stacked(pair, drive, a, b) <= self.separation else []
        while left:
            piece = left.pop()
            ma, mb, padding = piece.pair(a, b)
            if not self._fine(piece, padding):
                if not pair.apart(ma, mb, piece.t1 - piece.t0, self.separation + padding):
                    left += piece.halves()[::-1]
                continue
            met = pair.met(ma, mb, piece.t1 - piece.t0, padding, self.separation)
            if met is not None:
                if met.overlap:
                    sure = piece.t0 + met.hi
                else:
                    sure = self._sure(pair, a, b, [piece, *left[::-1]], met) if self.separation == 0 else math.inf
                at = _placed(drive._frame(piece.t0 + met.hi, a, b), met.point)
                return PairReport(
                    *names,
                    "contact" if met.decided else "undecided",
                    max(0.0, self.separation),
                    met.gap,
                    piece.t0 + met.hi,
                    piece.t0 + met.lo,
                    sure,
                    "surface" if met.rounds else "triangles",
                    at,
                )
        return None

    def _sure(self, pair: Pair, a: int, b: int, pieces: list[Piece], met: Met) -> float:
        """A time soon after a contact in the first of some pieces, at which the parts surely overlap; inf if none is found."""
        first, last = pieces[0], pieces[-1].t1
        ma, mb, _ = first.pair(a, b)
        duration = first.t1 - first.t0
        speed = _approach(ma, mb, met) or self.size / duration
        step, stops = max(4 * (met.deviation + self.tolerance) / speed, duration * 2.0**-40), [first.t1]
        while (t := first.t0 + met.hi + step) < last:
            stops.append(t)
            step *= 4
        for t in [*sorted(stops), last]:
            piece = next((p for p in pieces if p.t0 <= t <= p.t1), None)
            if piece is None or not t > first.t0 + met.hi:
                continue
            while not self._fine(piece, piece.pair(a, b)[2]):
                one, other = piece.halves()
                piece = one if t <= one.t1 else other
            ma, mb, padding = piece.pair(a, b)
            if (met.pair or pair).sure(ma, mb, min(t - piece.t0, piece.t1 - piece.t0), met, padding):
                return t
        return math.inf

    def clearance(
        self, pair: Pair, drive: Drive, a: int, b: int, pieces: Iterable[Piece], limit: float = math.inf
    ) -> PairReport | None:
        """The least clearance over pieces, in which they do not meet; None is a proof that they keep more than a limit.

        The pieces at whose middle the parts are nearest come first. Others are cut only where they may come nearer.
        """
        best: Least | None = None
        lo, when, least = math.inf, 0.0, math.inf
        bodies = [s.levels[0].body for s in (pair.a, pair.b)]
        heap: list[tuple[float, float, Piece]] = []

        def add(some: Iterable[Piece]) -> None:
            chosen = list(some)
            moved = [p.pair(a, b)[:2] for p in chosen]
            poses = [[rigid.motion_pose(m[k], 0.5 * (p.t1 - p.t0)) for p, m in zip(chosen, moved)] for k in (0, 1)]
            found = rigid.distances(bodies[0], poses[0], bodies[1], poses[1])["lo"] if chosen else ()
            for p, near in zip(chosen, found):
                heapq.heappush(heap, (float(near), p.t0, p))

        least_ever = self._stacked(pair, drive, a, b)
        if least_ever > limit:
            return None
        add(pieces)
        while heap and (best is None or best.hi - least_ever > _SHARE * self.tolerance):
            piece = heapq.heappop(heap)[2]
            ma, mb, padding = piece.pair(a, b)
            fine, known = self._fine(piece, padding), math.inf if best is None else best.hi
            # What keeps nearly the least distance that is known is decided: the bracket may be as wide as the tolerance.
            reach = min(known - _SHARE * self.tolerance, limit)
            tried = (not fine or best is None) and self.separation < reach < math.inf
            if tried and pair.apart(ma, mb, piece.t1 - piece.t0, reach + padding):
                lo = min(lo, reach)
                continue
            if not fine:
                add(piece.halves())
                continue
            found = least_of(pair, ma, mb, piece.t1 - piece.t0, padding, known)
            if found is None:
                continue
            lo, least = min(lo, found.lo), min(least, found.lo)
            if best is None or found.hi < best.hi:
                best, when = found, piece.t0 + found.time
                middle = 0.5 * (np.array(found.point_a) + found.point_b)
                at = _placed(drive._frame(when, a, b), middle)
        lo = max(least_ever if heap else lo, least_ever)
        if best is None or (limit < least and not heap):
            return None
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        way = "surface" if best.rounds else "triangles"
        verdict = "clear" if lo > self.separation else "undecided"
        return PairReport(*names, verdict, min(lo, best.hi), best.hi, when, way=way, point=at)

    def held(self, drive: Drive, a: int, b: int, t: float, before: float = math.inf) -> PairReport | None:
        """The contact of parts of which one is inside of the other at a time, unless they are in contact before."""
        if before <= t:
            return None
        at = drive.at(t)
        inside = self.enclosed(a, b, at)
        if inside is False:
            return None
        one, other = self.assembly.parts[a], self.assembly.parts[b]
        corner = one.product._closed().points[:1]
        point = tuple(float(x) for x in _placed_all(at[a], corner)[0])
        if inside is None:
            return PairReport(one.name, other.name, "undecided", 0.0, math.inf, t, t, point=point)
        return PairReport(one.name, other.name, "contact", 0.0, 0.0, t, t, t, point=point)

    def enclosed(self, a: int, b: int, at: Doubles) -> bool | None:
        """Whether one of two parts whose surfaces do not meet is inside of the other; None where that is not decided."""
        products = [self.assembly.parts[k].product for k in (a, b)]
        if not any(
            _may_hold(x, at[i], y, at[j], 2 * self.loose) for x, i, y, j in zip(products, (a, b), products[::-1], (b, a))
        ):
            return False
        return self._inside(a, b, at) if (min(a, b), max(a, b)) in _held(self, at, (a, b)) else False

    def rest(self, a: int, b: int, at: Doubles) -> Rest:
        """How two parts are to each other at poses."""
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        pair, motions = self.pair(a, b), [rigid.Motion.from_pose(at[k]) for k in (a, b)]
        least, crossing = pair.rest(motions[0], motions[1], 2 * self.loose)
        middle = tuple(float(x) for x in 0.5 * (np.array(least.point_a) + least.point_b))
        if least.lo > 0:
            inside = self._inside(a, b, at)
            state = "undecided" if inside is None else "inside" if inside else "apart"
        else:
            state = "crossing" if crossing else "touching"
        return Rest(*names, state, least.lo, least.hi, middle)

    def with_volume(self, r: Rest, at: Doubles) -> Rest:
        """A pair at poses with its common volume; of parts that cross, triangles are made finer to narrow the bracket."""
        a, b = self.assembly.index(r.a), self.assembly.index(r.b)
        products = [self.assembly.parts[k].product for k in (a, b)]
        solids = [p._closed() for p in products]
        lo, hi = common(self._loosened(solids[0]), at[a], self._loosened(solids[1]), at[b])
        for _ in range(_FINER):
            if r.state == "touching" or not math.isfinite(hi) or hi - lo <= WIDTH * hi:
                break
            order = sorted((0, 1), key=lambda i: -solids[i].deviation)
            k = next(
                (i for i in order if len(solids[i].corners) <= _MOST_OF_VOLUME[solids[i] is not products[i]._closed()]), None
            )
            if k is None or (finer := products[k]._finer(solids[k])) is solids[k]:
                break
            solids[k] = finer
            more = common(self._loosened(solids[0]), at[a], self._loosened(solids[1]), at[b])
            lo, hi = max(lo, more[0]), min(hi, more[1])
        return replace(r, volume_lo=lo, volume_hi=hi)

    def _loosened(self, solid: Solid) -> Solid:
        """A closed surface that may be off by as much as placements are, too."""
        if self.loose == 0:
            return solid
        return replace(solid, own=solid.own + self.loose, deviation=solid.deviation + self.loose)

    def _inside(self, a: int, b: int, at: Doubles) -> bool | None:
        """Whether one of two parts that are apart is inside of the other; None where that is not decided."""
        products = [self.assembly.parts[k].product for k in (a, b)]
        known = True
        for k, x, y in ((0, a, b), (1, b, a)):
            inner, outer = products[k]._closed(), products[1 - k]._closed()
            turn, there = at[y][:3, :3].T, np.eye(4)
            there[:3, :3], there[:3, 3] = turn @ at[x][:3, :3], turn @ (at[x][:3, 3] - at[y][:3, 3])
            for _ in range(_FINER):
                found = self._loosened(outer).holds(self._loosened(inner), there)
                if found is not None:
                    break
                before = inner, outer
                inner, outer = products[k]._finer(inner), products[1 - k]._finer(outer)
                if inner is before[0] and outer is before[1]:
                    break
            if found:
                return True
            known &= found is not None
        return False if known else None


def _placed(matrix: Doubles, point: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in matrix[:3, :3] @ np.asarray(point, float) + matrix[:3, 3])


def _placed_all(matrix: Doubles, points: Doubles) -> Doubles:
    found: Doubles = points @ matrix[:3, :3].T + matrix[:3, 3]
    return found


def _approach(ma: Any, mb: Any, met: Met) -> float:
    """How fast the points of contact come nearer."""
    p, v = np.array(met.point), []
    for m in (ma, mb):
        center = np.array(m.position) + met.hi * np.array(m.velocity)
        v.append(np.array(m.velocity) + np.cross(m.angular_velocity, p - center))
    return float(abs((v[0] - v[1]) @ np.array(met.normal)))


def close(c: Checker, placed: Doubles) -> list[tuple[int, int]]:
    """Pairs that may touch or hold each other: their surfaces are near, or a box around one holds the other's."""
    bodies = [p.product.body(c.deviation) for p in c.assembly.parts]
    poses = [rigid.Motion.from_pose(m) for m in placed]
    near = rigid.within(bodies, [(m.rotation, m.position) for m in poses], c.tolerance + 2 * c.loose)
    pairs = {(int(g["a"]), int(g["b"])) for g in near}
    return sorted(pairs | _held(c, placed))


def _may_hold(outer: Product, at: Doubles, inner: Product, there: Doubles, loose: float) -> bool:
    """Whether the box around a part may hold faces of another part that hang together; boxes tell without triangles."""
    boxes = outer._hulls(), inner._hulls()
    if boxes[0] is None or boxes[1] is None:
        return True
    low, high = boxes[0].box(at)
    lows, highs = boxes[1].boxes(there)
    outside = np.any((lows > high + loose) | (highs < low - loose), axis=1)
    return not all(outside[pieces].any() for pieces in inner._pieces())


def _held(c: Checker, placed: Doubles, among: Sequence[int] | None = None) -> set[tuple[int, int]]:
    """Pairs of parts of which a box around a piece of one holds a box around a piece of the other."""
    low, high, of, gaps = [], [], [], []
    for k in range(len(placed)) if among is None else among:
        m, solid = placed[k], c._loosened(c.assembly.parts[k].product._closed())
        for piece in solid.pieces:
            box = _placed_all(m, solid.points[piece.reshape(-1)])
            low.append(box.min(0) - solid.deviation)
            high.append(box.max(0) + solid.deviation)
            of.append(k)
            gaps.append([2 * solid.deviation])
    lows, highs, owner, off = np.array(low), np.array(high), np.array(of), np.array(gaps)
    pairs = set()
    for a in range(len(of)):
        held = (lows + off >= lows[a]).all(1) & (highs - off <= highs[a]).all(1)
        pairs |= {(min(of[a], b), max(of[a], b)) for b in set(owner[held].tolist()) if b != of[a]}
    return pairs


def near_pairs(
    c: Checker,
    drive: Drive,
    bodies: list[rigid.Body],
    pieces: list[Piece],
    skip: list[tuple[int, int]],
    limit: float,
    milled: set[tuple[int, int]],
) -> dict[tuple[int, int], list[Piece]]:
    """The pairs that may come within the limit, each with the pieces in which it does."""
    found: dict[tuple[int, int], list[Piece]] = {}
    for piece in pieces:
        padded = [b.padded(float(p)) if p > 0 else b for b, p in zip(bodies, piece.padding)]
        hits = rigid.scene_collisions(
            padded,
            piece.motions,
            groups=piece.link,
            skip=[*skip, *(milled if not piece.rapid else ())],
            min_separation=limit,
            tolerance=max(c.tolerance, 1e-3 * limit),
            t_max=piece.t1 - piece.t0,
        )
        for h in hits:
            found.setdefault((int(h["a"]), int(h["b"])), []).append(piece)
    return found
