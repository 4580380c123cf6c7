"""Joints that leave their limits on a path, in exact arithmetic.

docs/proofs/robots.md has the proof.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ._joint import JointModel
from ._path import Path
from ._report import LeftLimit

_SLACK = Fraction(1, 2**40)  # times 1 and the limit: a joint that turns back at its limit may seem to leave it by so much
_FIRST = Fraction(1, 2**20)  # share of the edge: so near before `s` the joint is within its limits

_Polynomial = list[Fraction]  # coefficients in Bernstein form


def left(joints: tuple[JointModel, ...], path: Path, edge: int, control: NDArray[np.float64]) -> list[LeftLimit]:
    """The joints that leave their limits on an edge, with control values (degree + 1, variables)."""
    found = []
    for j in joints:
        if j.kind == "fixed" or (j.lower == -math.inf and j.upper == math.inf):
            continue
        column = control[:, j.source]
        if j.multiplier == 1 and j.offset == 0 and (column >= j.lower).all() and (column <= j.upper).all():
            continue
        values = [Fraction(j.multiplier) * Fraction(x) + Fraction(j.offset) for x in column.tolist()]
        for sign, limit in ((1, j.upper), (-1, j.lower)):
            if math.isinf(limit):
                continue
            over = [sign * (v - Fraction(limit)) for v in values]
            s = first_above(over, _SLACK * (1 + abs(Fraction(limit))))
            if s is not None:
                at = float(s)
                most = sign * largest(over) + Fraction(limit)
                found.append(LeftLimit(edge, at, path.time(edge, at), j.name, float(most), j.lower, j.upper))
    return found


def first_above(p: _Polynomial, slack: Fraction) -> Fraction | None:
    """A place in [0, 1] where a polynomial is above 0, not above it 2^-20 before; None if it is nowhere above slack."""
    parts = [(Fraction(0), Fraction(1), p)]
    while parts:  # left to right
        s0, s1, c = parts.pop()
        if c[0] > 0:
            return s0
        if max(c) <= slack:
            continue
        if c[-1] > 0 and s1 - s0 <= _FIRST:
            return s1
        low, high = _halves(c)
        middle = (s0 + s1) / 2
        parts += [(middle, s1, high), (s0, middle, low)]
    return None


def largest(p: _Polynomial) -> Fraction:
    """The largest value of a polynomial in [0, 1] among some places: no other is larger by 2^-30 of its control values."""
    best, small = max(p[0], p[-1]), (max(p) - min(p)) / 2**30
    parts = [p]
    while parts:
        c = parts.pop()
        best = max(best, c[0], c[-1])
        if max(c) > best + small:
            parts += _halves(c)
    return best


def _halves(p: _Polynomial) -> tuple[_Polynomial, _Polynomial]:
    """The control values of both halves, by de Casteljau's algorithm."""
    low, high, c = [p[0]], [p[-1]], p
    while len(c) > 1:
        c = [(c[i] + c[i + 1]) / 2 for i in range(len(c) - 1)]
        low.append(c[0])
        high.append(c[-1])
    return low, high[::-1]
