"""Search for what a certificate needs: directions that separate pairs, and points where pairs touch.

Doubles suggest, and integers decide: the checker's own functions test each direction that is near a limit, and the
checker tests the whole certificate at the end. A mistake here makes a certificate that is refused, never a wrong one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import checker

Pair = tuple[str, tuple[int, ...], tuple[int, ...]]
Piece = tuple[int, str, list[int]]

_UNIT = 2.0**26  # Directions have integers up to this.
_BLOCK = 4096  # Pairs that are tested at once.
_HALVINGS = 7  # How often doubles halve a piece of time before integers do.
_MOST_PIECES = 300  # Pieces of one pair; a search that needs more gives up.

_Floats = NDArray[np.float64]


def suggestions(a: _Floats, b: _Floats) -> _Floats:
    """Directions from a to b that may separate them: (n, m, 3) for corners (n, k, 3).

    The direction between two nearest points is among them: between corners, across an edge, or normal to both.
    """
    found = [b[:, j] - a[:, i] for i in range(a.shape[1]) for j in range(b.shape[1])]
    between = {(i, j): found[i * b.shape[1] + j] for i in range(a.shape[1]) for j in range(b.shape[1])}
    edges_a, edges_b = ([(i, x[:, j] - x[:, i]) for i, j in combinations(range(x.shape[1]), 2)] for x in (a, b))
    with np.errstate(all="ignore"):
        for edges, corners in (edges_b, range(a.shape[1])), (edges_a, range(b.shape[1])):
            for i, e in edges:
                square = (e * e).sum(-1, keepdims=True)
                for corner in corners:
                    w = between[(corner, i) if edges is edges_b else (i, corner)]
                    found.append(w - e * ((w * e).sum(-1, keepdims=True) / square))
        normals = [np.cross(e, f) for _, e in edges_a for _, f in edges_b]
        normals += [np.cross(edges_b[0][1], edges_b[1][1])] if len(edges_b) > 1 else []
        out = np.stack(found + normals + [-n for n in normals], axis=1)
        out = out * (_UNIT / np.abs(out).max(-1, keepdims=True))
    return np.where(np.isfinite(out), np.rint(out), 0.0)


def gaps(directions: _Floats, a: _Floats, b: _Floats) -> _Floats:
    """How far b is beyond a along each direction: (n, m)."""
    out: _Floats = np.einsum("nmk,njk->nmj", directions, b).min(-1) - np.einsum("nmk,njk->nmj", directions, a).max(-1)
    return out


class Search:
    """The positions of a step, and what is found of its pairs."""

    def __init__(self, x0: _Floats, x1: _Floats, separation: float, clock: int):
        self.x0, self.x1, self.d, self.clock = x0, x1, separation, clock
        rows = np.hstack([x0, x1])
        ratios = [[x.as_integer_ratio() for x in row] for row in rows.tolist()]
        bottom = float(separation).as_integer_ratio()
        self.scale = max([bottom[1].bit_length() - 1] + [q.bit_length() - 1 for row in ratios for _, q in row])
        top = 1 << self.scale
        whole = [[p * (top // q) for p, q in row] for row in ratios]
        self.motion = checker.Motion(whole, clock, bottom[0] * (top // bottom[1]) << clock)
        self.most = float(np.abs(rows).max(initial=0.0))
        self.pieces: dict[Pair, list[Piece]] = {}

    def time(self, t: float) -> int:
        """A time in units of the clock."""
        p, q = float(t).as_integer_ratio()
        return p * ((1 << self.clock) // q)

    def at(self, corners: NDArray[np.int64], t: _Floats) -> _Floats:
        """Positions of corners (n, k) at times (n,), in doubles."""
        out: _Floats = self.x0[corners] + t[:, None, None] * (self.x1 - self.x0)[corners]
        return out

    def margin(self, directions: _Floats) -> _Floats:
        """What a gap must exceed: the separation and all roundings."""
        wide, rounded = self.d * (1 + 2**-40), self.most * 2**-46
        out: _Floats = np.sqrt((directions**2).sum(-1)) * wide + np.abs(directions).sum(-1) * rounded
        return out

    def along_axes(self, a: NDArray[np.int64], b: NDArray[np.int64], until: float) -> NDArray[np.bool_]:
        """Which pairs the checker's axes separate with certainty."""
        axes, out = np.array(checker.AXES, np.float64)[None], np.zeros(len(a), bool)
        for i in range(0, len(a), _BLOCK):
            rows = slice(i, i + _BLOCK)
            moments = [[self.at(x[rows], np.full(len(a[rows]), t)) for x in (a, b)] for t in (0.0, until)]
            wide = np.broadcast_to(axes, (len(a[rows]), len(checker.AXES), 3))
            for sign in (1, -1):
                holds = np.logical_and(*(gaps(sign * wide, *m) > self.margin(wide) for m in moments))
                out[rows] |= holds.any(-1)
        return out

    def pairs(self, kind: str, a: NDArray[np.int64], b: NDArray[np.int64], ends: _Floats, closed: bool) -> list[Pair]:
        """Find pieces for pairs, each to an end of its own. Returns the pairs for which none were found."""
        keys: list[Pair] = [(kind, tuple(x), tuple(y)) for x, y in zip(a.tolist(), b.tolist())]
        found: list[list[tuple[int, int, str, list[int]]]] = [[] for _ in keys]
        pair, s0, s1 = np.arange(len(keys)), np.zeros(len(keys)), ends.copy()
        for _ in range(_HALVINGS):
            best = [self._block(a[p], b[p], t0, t1) for p, t0, t1 in _blocks(pair, s0, s1)]
            n, holds = (np.concatenate(x) for x in zip(*best)) if best else (np.zeros((0, 3)), np.zeros(0, bool))
            for p, t0, t1, way in zip(pair[holds].tolist(), s0[holds], s1[holds], n[holds]):
                found[p].append((self.time(t0), self.time(t1), "fixed", [int(c) for c in way]))
            pair, s0, s1 = pair[~holds], s0[~holds], s1[~holds]
            middle = s0 + (s1 - s0) / 2
            cut = (s0 < middle) & (middle < s1)
            pair, s0, s1 = _joined(pair, pair[cut]), _joined(s0, middle[cut]), _joined(np.where(cut, middle, s1), s1[cut])
        failed = set()
        for p, t0, t1 in zip(pair.tolist(), s0, s1):
            if p not in failed:
                pieces = self.piece(keys[p], self.time(t0), self.time(t1), closed or t1 < ends[p])
                if pieces is None:
                    failed.add(p)
                else:
                    found[p] += pieces
        for p, rows in enumerate(found):
            if p not in failed and rows:
                self.pieces[keys[p]] = self._merged(keys[p], sorted(rows), closed)
        return [keys[p] for p in sorted(failed)]

    def _merged(self, pair: Pair, rows: list[tuple[int, int, str, list[int]]], closed: bool) -> list[Piece]:
        """The pieces, without those whose time the next direction, or the one before, covers too."""
        out: list[tuple[int, int, str, list[int]]] = []
        for i, (s0, s1, name, numbers) in enumerate(rows):
            shut = closed or i < len(rows) - 1
            while out and self.motion.separates(pair, out[-1][0], s1, name, numbers, shut):
                s0 = out.pop()[0]
            if out and self.motion.separates(pair, out[-1][0], s1, *out[-1][2:], shut):
                out[-1] = (out[-1][0], s1, *out[-1][2:])
            else:
                out.append((s0, s1, name, numbers))
        return [row[1:] for row in out]

    def _block(self, a: NDArray[np.int64], b: NDArray[np.int64], s0: _Floats, s1: _Floats) -> tuple[_Floats, NDArray[np.bool_]]:
        """The best direction of each pair on its piece of time, and whether it separates the pair with certainty."""
        ends = [[self.at(x, t) for x in (a, b)] for t in (s0, s1)]
        ways = np.concatenate([suggestions(*(self.at(x, t) for x in (a, b))) for t in (s0 + (s1 - s0) / 2, s0, s1)], axis=1)
        beyond = np.minimum(gaps(ways, *ends[0]), gaps(ways, *ends[1])) - self.margin(ways)
        with np.errstate(all="ignore"):
            share = np.where(np.abs(ways).max(-1) > 0, beyond, -np.inf)
        best = share.argmax(-1)[:, None]
        return np.take_along_axis(ways, best[..., None], 1)[:, 0], np.take_along_axis(share, best, 1)[:, 0] > 0

    def piece(self, pair: Pair, s0: int, s1: int, closed: bool) -> list[tuple[int, int, str, list[int]]] | None:
        """Pieces of one pair by integers, or None. A piece that no direction separates is halved."""
        out, stack = [], [(s0, s1, closed)]
        while stack:
            t0, t1, shut = stack.pop()
            way = next((w for w in self._ways(pair, t0, t1) if self.motion.separates(pair, t0, t1, *w, shut)), None)
            if way:
                out.append((t0, t1, *way))
            elif t1 - t0 < 2 or len(out) + len(stack) > _MOST_PIECES:
                return None
            else:
                middle = (t0 + t1) // 2
                stack += [(middle, t1, shut), (t0, middle, True)]
        return out

    def _ways(self, pair: Pair, s0: int, s1: int) -> Iterable[tuple[str, list[int]]]:
        """Directions to try on a piece: named ones, then the likeliest of those that doubles suggest."""
        kind, one, other = pair
        if kind in ("vf", "ee"):
            yield "normal", [1]
            yield "normal", [-1]
        moments = [self.near(pair, t) for t in (s0, (s0 + s1) // 2, s1)]
        ways = np.concatenate([suggestions(*m) for m in moments], axis=1)
        with np.errstate(all="ignore"):
            length = np.sqrt((ways**2).sum(-1))
            beyond = np.minimum(gaps(ways, *moments[0]), gaps(ways, *moments[2])) / length
        beyond = np.where(length > 0, beyond, -np.inf)[0]
        for i in np.argsort(-beyond, kind="stable")[:4]:
            if beyond[i] > 0:
                yield "fixed", [int(c) for c in ways[0, i]]
        for i in range(len(one)):
            for j in range(len(other)):
                yield "between", [i, j]
                for m in range(len(one) + len(other)):
                    if m not in (i, len(one) + j):
                        yield "across", [i, j, m]
        if kind in ("vf", "ee"):
            for k in range(3 if kind == "vf" else 2):
                yield "side", [1, k]
                yield "side", [-1, k]

    def near(self, pair: Pair, t: int) -> tuple[_Floats, _Floats]:
        """Corners at a time, seen from the first, in doubles that are off by one rounding, up to a power of two."""
        rows = [self.motion.position(v, t) for v in pair[1] + pair[2]]
        rows = [[x - y for x, y in zip(row, rows[0])] for row in rows]
        bits = max(abs(x).bit_length() for row in rows for x in row) or 1
        places = np.array([[x / (1 << bits) for x in row] for row in rows])
        n = len(pair[1])
        return places[None, :n], places[None, n:]

    # ---- contacts

    def contact(self, pair: Pair, lo: int, hi: int) -> tuple[str, list[int]]:
        """A proof that a pair touches in [lo, hi]: its name, and the numbers."""
        if self.motion.d == 0 and pair[0] in ("vf", "ee"):
            for factor in ([], *self._factors(pair, lo, hi)):
                if self.motion.touches(pair, "change", [lo, hi, *factor]):
                    return "change", [lo, hi, *factor]
        for t in dict.fromkeys((lo, hi)):
            numbers = [t, *self.weights(pair, t)]
            if self.motion.touches(pair, "at", numbers):
                return "at", numbers
        return "unproven", []

    def _factors(self, pair: Pair, lo: int, hi: int) -> Iterable[list[int]]:
        """Common factors of the polynomial that changes its sign and of those that say whether the crossing is at a border."""
        a, b = self.motion.moving(pair[1], lo, hi), self.motion.moving(pair[2], lo, hi)
        f, _, within = (checker.face_meets if pair[0] == "vf" else checker.edges_meet)(a, b)
        for border in within:
            if min(border) < 0:
                f = _common(f, border)
        yield f

    def weights(self, pair: Pair, t: int) -> list[int]:
        """Weights of the nearest points of a pair at a time, exactly: integers."""
        _, one, other = pair
        a, b = ([[Fraction(x) for x in self.motion.position(v, t)] for v in item] for item in (one, other))
        tries = [_inner(a, b)] if len(a) + len(b) == 4 else []
        for first, second, turned in (a, b, False), (b, a, True):
            for i, p in enumerate(first):
                at = [Fraction(int(k == i)) for k in range(len(first))]
                for k, m in combinations(range(len(second)), 2):
                    share = _foot(p, second[k], second[m])
                    on = [Fraction(0)] * len(second)
                    on[k], on[m] = 1 - share, share
                    tries.append((on, at) if turned else (at, on))
                if len(second) == 1:
                    tries.append(([Fraction(1)], at) if turned else (at, [Fraction(1)]))
        best = min((w for w in tries if w), key=lambda w: _square(_minus(_blend(w[0], a), _blend(w[1], b))))
        return [c for w in best for c in _whole(w)]


def _joined(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([x, y])


def _blocks(*columns: NDArray[Any]) -> Iterable[list[NDArray[Any]]]:
    for i in range(0, len(columns[0]), _BLOCK):
        yield [c[i : i + _BLOCK] for c in columns]


_Vector = Sequence[Fraction]


def _minus(u: _Vector, v: _Vector) -> list[Fraction]:
    return [x - y for x, y in zip(u, v)]


def _dot(u: _Vector, v: _Vector) -> Fraction:
    return sum((x * y for x, y in zip(u, v)), Fraction(0))


def _cross(u: _Vector, v: _Vector) -> list[Fraction]:
    return [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]


def _square(u: _Vector) -> Fraction:
    return _dot(u, u)


def _blend(weights: _Vector, corners: Sequence[_Vector]) -> list[Fraction]:
    return [sum((w * c[k] for w, c in zip(weights, corners)), Fraction(0)) for k in range(3)]


def _common(f: Sequence[int], g: Sequence[int]) -> list[int]:
    """The greatest common factor of two polynomials, in integers without a common factor."""
    while any(g):
        g = list(g)[next(i for i, c in enumerate(g) if c) :]
        rest = list(f)
        while len(rest) >= len(g):
            top = rest[0]
            rest = [x * g[0] - (top * g[i] if i < len(g) else 0) for i, x in enumerate(rest)][1:]
        common = math.gcd(*rest) or 1
        f, g = g, [c // common for c in rest]
    common = math.gcd(*f) or 1
    return [c // common for c in f]


def _foot(p: _Vector, a: _Vector, b: _Vector) -> Fraction:
    """Where a segment is nearest to a point, from 0 to 1."""
    e = _minus(b, a)
    return min(max(_dot(_minus(p, a), e) / _square(e), Fraction(0)), Fraction(1)) if _square(e) else Fraction(0)


def _inner(a: Sequence[_Vector], b: Sequence[_Vector]) -> tuple[list[Fraction], list[Fraction]] | None:
    """Weights of the nearest points of a plane and a point, or of two lines, where these are within both primitives."""
    if len(a) == 1:
        n = _cross(_minus(b[1], b[0]), _minus(b[2], b[0]))
        sides = [(1, 2), (2, 0), (0, 1)]
        w = [_dot(_cross(_minus(b[j], b[i]), _minus(a[0], b[i])), n) for i, j in sides]
        square = _square(n)
        return ([Fraction(1)], [x / square for x in w]) if square and min(w) >= 0 else None
    u, v, w3 = _minus(a[1], a[0]), _minus(b[1], b[0]), _minus(b[0], a[0])
    n = _cross(u, v)
    square = _square(n)
    if not square:
        return None
    s, r = _dot(_cross(w3, v), n) / square, _dot(_cross(w3, u), n) / square
    return ([1 - s, s], [1 - r, r]) if 0 <= s <= 1 and 0 <= r <= 1 else None


def _whole(weights: _Vector) -> list[int]:
    """The same ratios in integers."""
    common = math.lcm(*(w.denominator for w in weights))
    return [int(w * common) for w in weights]
