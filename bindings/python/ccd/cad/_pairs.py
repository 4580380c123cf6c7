"""Two parts of an assembly, at poses and over pieces of a drive, and which pairs come near each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import rigid
from .._inner import arrays
from ._assembly import Assembly
from ._bounds import Doubles
from ._drive import Drive, Piece
from ._report import PairReport, Rest
from ._search import Least, Met, Pair, Side
from ._volume import WIDTH, common

_TOLERANCE = 1e-6  # It is a share of the assembly's size.
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
        self.deviation = deviation

    def pair(self, a: int, b: int) -> Pair:
        one, other = self.assembly.parts[a], self.assembly.parts[b]
        return Pair(Side.of(one, self.deviation), Side.of(other, self.deviation), self.tolerance)

    def padding(self) -> float:
        return 0.02 * self.tolerance

    def contact(self, pair: Pair, drive: Drive, a: int, b: int, pieces: Iterable[Piece]) -> PairReport | None:
        """The first contact over pieces."""
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        for piece in pieces:
            ma, mb, padding = piece.pair(a, b)
            met = pair.met(ma, mb, piece.t1 - piece.t0, padding, self.separation)
            if met is not None:
                if met.overlap:
                    sure = piece.t0 + met.hi
                else:
                    sure = self._sure(pair, ma, mb, piece, met) if self.separation == 0 else math.inf
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

    def _sure(self, pair: Pair, ma: Any, mb: Any, piece: Piece, met: Met) -> float:
        """A time of the piece, soon after the contact, at which the parts surely overlap; inf if none is found."""
        duration = piece.t1 - piece.t0
        speed = _approach(ma, mb, met) or self.size / duration
        step = max(4 * (met.deviation + self.tolerance) / speed, duration * 2.0**-40)
        while met.hi + step <= duration * (1 + 1e-12):
            t = min(met.hi + step, duration)
            if pair.sure(ma, mb, t, met):
                return piece.t0 + t
            step *= 4
        return piece.t0 + duration if met.hi < duration and pair.sure(ma, mb, duration, met) else math.inf

    def clearance(self, pair: Pair, drive: Drive, a: int, b: int, pieces: Iterable[Piece]) -> PairReport | None:
        """The least clearance over pieces, in which they do not meet."""
        best: Least | None = None
        lo, when = math.inf, 0.0
        for piece in pieces:
            ma, mb, padding = piece.pair(a, b)
            found = pair.least(ma, mb, piece.t1 - piece.t0, padding, math.inf if best is None else best.hi)
            if found is None:
                continue
            lo = min(lo, found.lo)
            if best is None or found.hi < best.hi:
                best, when = found, piece.t0 + found.time
                middle = 0.5 * (np.array(found.point_a) + found.point_b)
                at = _placed(drive._frame(when, a, b), middle)
        if best is None:
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
        return self._inside(a, b, at) if (min(a, b), max(a, b)) in _held(self, at, (a, b)) else False

    def rest(self, a: int, b: int, at: Doubles) -> Rest:
        """How two parts are to each other at poses."""
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        pair, motions = self.pair(a, b), [rigid.Motion.from_pose(at[k]) for k in (a, b)]
        least, crossing = pair.rest(motions[0], motions[1])
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
        lo, hi = common(solids[0], at[a], solids[1], at[b])
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
            more = common(solids[0], at[a], solids[1], at[b])
            lo, hi = max(lo, more[0]), min(hi, more[1])
        return replace(r, volume_lo=lo, volume_hi=hi)

    def _inside(self, a: int, b: int, at: Doubles) -> bool | None:
        """Whether one of two parts that are apart is inside of the other; None where that is not decided."""
        products = [self.assembly.parts[k].product for k in (a, b)]
        known = True
        for k, x, y in ((0, a, b), (1, b, a)):
            inner, outer = products[k]._closed(), products[1 - k]._closed()
            turn, there = at[y][:3, :3].T, np.eye(4)
            there[:3, :3], there[:3, 3] = turn @ at[x][:3, :3], turn @ (at[x][:3, 3] - at[y][:3, 3])
            for _ in range(_FINER):
                found = outer.holds(inner, there)
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
    near = rigid.within(bodies, [(m.rotation, m.position) for m in poses], c.tolerance)
    pairs = {(int(g["a"]), int(g["b"])) for g in near}
    return sorted(pairs | _held(c, placed))


def _held(c: Checker, placed: Doubles, among: Sequence[int] | None = None) -> set[tuple[int, int]]:
    """Pairs of parts of which a box around a piece of one holds a box around a piece of the other."""
    low, high, of, gaps = [], [], [], []
    for k in range(len(placed)) if among is None else among:
        m, solid = placed[k], c.assembly.parts[k].product._closed()
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
