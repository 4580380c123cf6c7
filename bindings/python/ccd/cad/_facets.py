"""Triangles that stand for trimmed faces, each with a proven bound of how far the face may be from it.

A facet is a triangle of parameters on one face: the face over it is within ``deviation`` of the flat triangle of its corners,
and so the other way round. docs/proofs/cad.md has the proof. Facets are split where a search needs narrower ones.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from ._bounds import UP, Curve, Doubles, Line, Smooth, SmoothCurve, Surface, U

_ROUNDS = 64  # the most bisections of a facet in one call of `narrowed`


@dataclass
class Face:
    """A trimmed face: its surface, and the curves in the plane of parameters that trim it."""

    surface: Surface
    curves: list[Curve] = field(default_factory=list)
    name: str = ""

    @functools.cached_property
    def smooth(self) -> bool:
        """Whether neither the surface nor a curve has kinks."""
        return isinstance(self.surface, Smooth) and all(isinstance(c, SmoothCurve) for c in self.curves)


@dataclass
class Facets:
    """Triangles of parameters on faces.

    ``side`` is -1, or the number of the face's curve that trims along the side from corner k to corner k + 1, from the
    parameter ``at[:, k, 0]`` to ``at[:, k, 1]``.
    """

    faces: list[Face]
    face: NDArray[np.int64]  # (n,)
    uv: Doubles  # (n, 3, 2)
    side: NDArray[np.int64]  # (n, 3)
    at: Doubles  # (n, 3, 2)
    points: Doubles = field(default_factory=lambda: np.zeros((0, 3, 3)))  # (n, 3, 3)
    deviation: Doubles = field(init=False)  # (n,)
    scores: Doubles = field(init=False)  # (n, 3): what each side adds to the deviation

    def __post_init__(self) -> None:
        n = len(self.face)
        known = len(self.points) == n
        self.points = self.points if known else np.empty((n, 3, 3))
        self.deviation, self.scores = np.empty(n), np.empty((n, 3))
        for f, rows in self.by_face():
            face = self.faces[f]
            if not known:
                self.points[rows] = face.surface.at(self.uv[rows].reshape(-1, 2)).reshape(-1, 3, 3)
            bound = _over if hasattr(face.surface, "over") else _bent
            self.deviation[rows], self.scores[rows] = bound(
                face, self.uv[rows], self.side[rows], self.at[rows], self.points[rows]
            )

    def by_face(self) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """The faces that have facets, each with their indices."""
        if not len(self.face):
            return
        if (self.face == self.face[0]).all():
            yield int(self.face[0]), np.arange(len(self.face))
            return
        order = np.argsort(self.face, kind="stable")
        starts = np.flatnonzero(np.diff(self.face[order], prepend=-1))
        for rows in np.split(order, starts[1:]):
            yield int(self.face[rows[0]]), rows

    def __len__(self) -> int:
        return len(self.face)

    def chosen(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Facets:
        """Some of the facets."""
        return self._with(self.face[rows], self.uv[rows], self.side[rows], self.at[rows], self, rows)

    def _with(self, face, uv, side, at, of, rows) -> Facets:  # type: ignore[no-untyped-def]
        out = Facets.__new__(Facets)
        out.faces, out.face, out.uv, out.side, out.at = self.faces, face, uv, side, at
        out.points, out.deviation, out.scores = of.points[rows], of.deviation[rows], of.scores[rows]
        return out

    def joined(self, *others: Facets) -> Facets:
        """These facets and those of other lists on the same faces."""
        out = Facets.__new__(Facets)
        out.faces = self.faces
        for name in ("face", "uv", "side", "at", "points", "deviation", "scores"):
            setattr(out, name, np.concatenate([getattr(x, name) for x in (self, *others)]))
        return out

    @overload
    def narrowed(self, most: float | Doubles) -> Facets: ...
    @overload
    def narrowed(self, most: float | Doubles, count: int) -> Facets | None: ...
    def narrowed(self, most: float | Doubles, count: float = np.inf) -> Facets | None:
        """The facets, bisected until the deviation of each is at most `most`, or bisecting does not help any more.

        None if these are more than `count`.
        """
        done, rest = [], self
        limit = np.broadcast_to(np.asarray(most, float), (len(self),))
        before = np.full((len(self), 3), np.inf)  # the deviations of the three facets that each is a part of
        for _ in range(_ROUNDS):
            # Three bisections divide what bends by 2 or more; gaps of the file's curves and rounding stay.
            wide = (rest.deviation > limit) & (rest.deviation <= 0.8 * before[:, 2]) & (rest.scores.max(1, initial=0) > 0)
            done.append(rest.chosen(~wide))
            if not wide.any():
                break
            if sum(map(len, done)) + 2 * np.count_nonzero(wide) > count:
                return None
            before = np.repeat(np.column_stack([rest.deviation, before[:, :2]])[wide], 2, axis=0)
            rest, limit = rest.chosen(wide).bisected(), np.repeat(limit[wide], 2)
        else:
            done.append(rest)
        return done[0].joined(*(more for more in done[1:] if len(more)))

    def bisected(self) -> Facets:
        """Each facet as two, which follow each other: the side that adds most to the deviation is halved."""
        n, rows = len(self), np.arange(len(self))
        k = self.scores.argmax(1)
        order = (k[:, None] + np.arange(3)) % 3  # the halved side goes from the first corner to the second
        uv, side, at = self.uv[rows[:, None], order], self.side[rows[:, None], order], self.at[rows[:, None], order]
        middle, t = 0.5 * (uv[:, 0] + uv[:, 1]), 0.5 * (at[:, 0, 0] + at[:, 0, 1])
        score = self.scores[rows, k]
        points = self.points[rows[:, None], order]
        halves = np.empty((n, 3))
        for f, own in self.by_face():
            face = self.faces[f]
            _at_kinks(face, own, uv[:, :2], side[:, 0], at[:, 0], score, middle, t)
            for c in sorted(set(side[own, 0].tolist())):
                some = own[side[own, 0] == c]
                if c >= 0:
                    middle[some] = face.curves[c].at(t[some])
                if c >= 0 or not hasattr(face.surface, "over"):
                    halves[some] = face.surface.at(middle[some])
                else:  # on the projection of the flat side, which is between the parameters of the ends, if these are known
                    flat = 0.5 * (points[some, 0] + points[some, 1])
                    halves[some] = face.surface.project(flat)  # type: ignore[attr-defined]
        none, zero = np.full(n, -1), np.zeros((n, 2))
        first, second = np.stack([at[:, 0, 0], t], 1), np.stack([t, at[:, 0, 1]], 1)

        def both(x: Doubles, m: Doubles) -> Doubles:
            """The corners of both halves."""
            return np.stack([np.stack([x[:, 0], m, x[:, 2]], 1), np.stack([m, x[:, 1], x[:, 2]], 1)], 1)

        sides = [np.stack([side[:, 0], none, side[:, 2]], 1), np.stack([side[:, 0], side[:, 1], none], 1)]
        ats = [np.stack([first, zero, at[:, 2]], 1), np.stack([second, at[:, 1], zero], 1)]
        return Facets(
            self.faces,
            np.repeat(self.face, 2),
            both(uv, middle).reshape(-1, 3, 2),
            np.stack(sides, 1).reshape(-1, 3),
            np.stack(ats, 1).reshape(-1, 3, 2),
            both(points, halves).reshape(-1, 3, 3),
        )


def _at_kinks(
    face: Face, own: NDArray[np.intp], ends: Doubles, side: NDArray[np.int64], at: Doubles, score: Doubles, middle: Doubles,
    t: Doubles,
) -> None:  # fmt: skip
    """Move the middles of sides to where they cross a kink, if that is what keeps the surface off the facet."""
    if face.smooth:
        return
    p, q = ends[own, 0], ends[own, 1]
    found = face.surface.cut(p, q)
    crosses = np.isfinite(found).any(1)
    if crosses.any():
        crosses &= face.surface.folds(np.minimum(p, q), np.maximum(p, q)) >= 0.25 * score[own]
    rows, p, q, found = own[crosses], p[crosses], q[crosses], found[crosses]
    if len(rows):
        which = np.isfinite(found).argmax(1)
        one = np.arange(len(rows))
        value = found[one, which]
        share = (value - p[one, which]) / (q[one, which] - p[one, which])
        middle[rows] = p + share[:, None] * (q - p)
        middle[rows, which] = value
        t[rows] = at[rows, 0] + share * (at[rows, 1] - at[rows, 0])
    for c in np.unique(side[own]).tolist():
        if c < 0:
            continue
        some = own[(side[own] == c) & ~crosses]
        kink = face.curves[c].cut(at[some, 0], at[some, 1])
        t[some] = np.where(np.isfinite(kink), kink, t[some])


def _bent(face: Face, uv: Doubles, side: NDArray[np.int64], at: Doubles, points: Doubles) -> tuple[Doubles, Doubles]:
    """The deviations and scores of facets of one face, by second derivatives."""
    low, high = uv.min(1), uv.max(1)
    slack = slivers(face, uv, side, at)  # (n, 3, 2)
    wide = slack.max(1)
    box = np.stack([low - wide, high + wide], 2).reshape(-1, 4)
    b = face.surface.bounds(box)
    d = high - low
    # Middles of sides are rounded: a side and its halves differ by as much.
    ends = np.maximum(np.abs(low), np.abs(high)) * 16 * U
    over = b[:, :2] * (wide + ends)
    folds = face.surface.folds(low, high) if not face.smooth else np.zeros(len(low))
    deviation = (second(b, d) + folds + over[:, 0] + over[:, 1]) * UP + 2 * face.surface.error(uv.reshape(-1, 2))
    ends = uv[:, [1, 2, 0]]
    scores = second(b[:, None], np.abs(ends - uv)) + b[:, :1] * slack[..., 0] + b[:, 1:2] * slack[..., 1]
    if not face.smooth and folds.any():
        pairs = (f(uv, ends).reshape(-1, 2) for f in (np.minimum, np.maximum))
        scores += face.surface.folds(*pairs).reshape(-1, 3)
    return deviation, scores


def second(b: Doubles, d: Doubles) -> Doubles:
    """What second derivatives do over ranges d of u and v."""
    found: Doubles = 0.125 * (b[..., 2] * d[..., 0] ** 2 + 2 * b[..., 3] * d[..., 0] * d[..., 1] + b[..., 4] * d[..., 1] ** 2)
    return found


def _over(face: Face, uv: Doubles, side: NDArray[np.int64], at: Doubles, points: Doubles) -> tuple[Doubles, Doubles]:
    """The same of a cone or a sphere, whose facets are what flat triangles are projected on."""
    deviation, scores = face.surface.over(points)  # type: ignore[attr-defined]
    size = float(np.abs(points).max(initial=0.0))
    error = 2 * face.surface.error(np.zeros((1, 2))) + 2.0**-44 * size
    rows, k = np.nonzero(side >= 0)
    if len(rows):
        slack = slivers(face, uv, side, at)[rows, k]
        ends = np.stack([uv[rows, k], uv[rows, (k + 1) % 3]], 1)
        low, high = ends.min(1), ends.max(1)
        b = face.surface.bounds(np.stack([low - slack, high + slack], 2).reshape(-1, 4))
        rounded = slack + np.maximum(np.abs(low), np.abs(high)) * 4 * U
        beside = (b[:, :2] * rounded).sum(1) + face.surface.steep * second(b, high - low)  # type: ignore[attr-defined]
        error += 2 * face.surface.error(ends.reshape(-1, 2))
        more = np.zeros(side.shape)
        more[rows, k] = beside
        deviation, scores = deviation + more.max(1), scores + more
    return deviation * UP + error, scores


def slivers(face: Face, uv: Doubles, side: NDArray[np.int64], at: Doubles) -> Doubles:
    """How far the trimming curve may be from each side along u and v, (n, 3, 2)."""
    out = np.zeros((*side.shape, 2))
    for c in sorted(set(side[side >= 0].tolist())):
        rows, k = np.nonzero(side == c)
        curve, t = face.curves[c], at[rows, k]
        off = np.abs(curve.at(t.reshape(-1)).reshape(-1, 2, 2) - uv[rows[:, None], np.stack([k, (k + 1) % 3], 1)]).max(1)
        if not isinstance(curve, Line):
            low, high = t.min(1), t.max(1)
            _, bends = curve.bounds(low, high)
            off += 0.125 * bends * (high - low)[:, None] ** 2 + curve.folds(low, high)
        out[rows, k] = off * UP + 2 * curve.error(t)
    return out
