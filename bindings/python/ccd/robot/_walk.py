"""The way of a closed chain along the path of its drives: values by Newton's method, cubics between them."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import numpy as np

from ..errors import ArgumentError
from ._chain import Chain, _inverses
from ._path import Path, _restricted, evaluate
from ._series import Array, Series

_TURN = 0.2  # radians that the drives turn in the first pieces
_FINEST = 2.0**-24  # shorter parts of an edge are refused
_MOST = 20000  # a path has at most so many pieces


class Walk:
    """The joints that follow along a path: Newton's method from knot to knot."""

    def __init__(self, chain: Chain, path: Path, tolerance: float):
        self.chain, self.of, self.tolerance = chain, path, tolerance
        first = self._drives(0, 0.0)
        y = self._newton(chain.start, first)
        if y is None:
            raise ArgumentError(
                f"loops: they cannot be closed at the start of the path from {dict(zip(chain.names, chain.start.tolist()))}"
            )
        self.known: dict[tuple[int, float], Array] = {(0, 0.0): y}
        self.order: list[tuple[int, float]] = [(0, 0.0)]
        self.bends: dict[tuple[int, float], tuple[Array, Array]] = {}

    def where(self, edge: int, s: float) -> str:
        drives = ", ".join(f"{self.of.joints[k]} {x:.6g}" for k, x in zip(self.chain.drives, self._drives(edge, s)))
        return f"loops: edge {edge}, s = {s:.6g} ({drives})"

    def _drives(self, edge: int, s: float) -> Array:
        return evaluate(self.of._control[edge], s)[self.chain.drives]

    def first(self, edge: int) -> list[tuple[float, float]]:
        """The pieces that an edge begins with."""
        c = self.of._control[edge][:, self.chain.drives]
        joints = [j for _, a, b in self.chain.loops for j in (*a, *b) if j.turns]
        turning = {self.chain.variables[j.source] - self.chain.count: abs(j.multiplier) for j in joints}
        rates = np.abs(np.diff(c, axis=0)).sum(0)
        way = sum(rates[k] * factor for k, factor in turning.items() if k >= 0)
        count = int(min(max(1, np.ceil(way / _TURN)), _MOST))
        count = 1 << (count - 1).bit_length()
        return [(i / count, (i + 1) / count) for i in range(count)]

    def refused(self, edge: int, s: float, radius: float) -> str:
        """Why a piece has no proof, however short."""
        if np.isfinite(radius):
            return f"{self.where(edge, s)}: doubles prove a radius of {radius:.3g} alone: tolerance is {self.tolerance}"
        values = np.concatenate([self.at(edge, s), self._drives(edge, s)])
        slopes = np.linalg.svd(self.chain.residual(values)[1][:, : self.chain.count], compute_uv=False)
        found = f"The singular values of the constraints there are {slopes.max():.3g} to {slopes.min():.3g}"
        return f"{self.where(edge, s)}: {self.chain.advice}. {found}"

    def halves(self, piece: tuple[int, float, float], radius: float) -> list[tuple[int, float, float]]:
        edge, a, b = piece
        if b - a < _FINEST:
            raise ArgumentError(self.refused(edge, a, radius))
        middle = (a + b) / 2
        return [(edge, a, middle), (edge, middle, b)]

    @staticmethod
    def parent(piece: tuple[int, float, float]) -> tuple[int, float, float]:
        """The piece that this one is half of."""
        edge, a, b = piece
        h = b - a
        return (edge, a, b + h) if (a / h) % 2 == 0 else (edge, a - h, b)

    def _newton(self, y: Array, x: Array, most: float = np.inf) -> Array | None:
        """The joints that follow near y; None if Newton's method does not settle within a distance."""
        start = y
        for _ in range(50 if most == np.inf else 12):
            side, slope = self.chain.residual(np.concatenate([y, x]))
            try:
                step: Array = np.linalg.solve(slope[:, : self.chain.count], side).astype(float)
            except np.linalg.LinAlgError:
                return None
            y = y - (step if most < np.inf else self._damped(y, x, step, side))
            if not np.isfinite(y).all() or np.abs(y - start).max() > most:
                return None
            if np.abs(step).max() <= 1e-13 * (1 + np.abs(y).max()):
                return y
        return None

    def _damped(self, y: Array, x: Array, step: Array, side: Array) -> Array:
        """A part of a step that brings the constraints nearer to 0."""
        size = float(np.linalg.norm(side))
        for _ in range(20):
            if np.linalg.norm(self.chain.residual(np.concatenate([y - step, x]))[0]) <= size:
                break
            step = step / 2
        return step

    def at(self, edge: int, s: float) -> Array:
        """The joints that follow at a place of the path, from the nearest place before that is known."""
        if (edge, s) not in self.known:
            before = self.order[bisect.bisect(self.order, (edge, s)) - 1]
            if before[0] != edge:
                if before != (edge - 1, 1.0):
                    self.at(edge - 1, 1.0)
                self._keep(edge, 0.0, self._from(edge, 0.0, self.known[edge - 1, 1.0], edge - 1, 1.0))
                return self.at(edge, s)
            self._keep(edge, s, self._from(edge, s, self.known[before], *before))
        return self.known[edge, s]

    def _keep(self, edge: int, s: float, y: Array) -> None:
        self.known[edge, s] = y
        bisect.insort(self.order, (edge, s))

    def _from(self, edge: int, s: float, y: Array, before: int, at: float, depth: int = 0) -> Array:
        """The joints that follow at a place, from those at another one; in halves where Newton's method goes far."""
        x0, x1 = self._drives(before, at), self._drives(edge, s)
        _, slope = self.chain.residual(np.concatenate([y, x0]))
        n = self.chain.count
        try:
            guess = y - np.linalg.solve(slope[:, :n], slope[:, n:] @ (x1 - x0))
        except np.linalg.LinAlgError:
            guess = y
        moved = float(np.abs(guess - y).max())
        found = self._newton(guess, x1, max(0.5 * moved, 1e-9)) if moved < 1 else None
        if found is not None:
            return found
        if depth > 40 or before != edge:
            raise ArgumentError(f"{self.where(edge, at)}: the loops cannot be closed beyond it: {self.chain.advice}")
        middle = (at + s) / 2
        return self._from(edge, s, self._from(edge, middle, y, edge, at, depth + 1), edge, middle, depth + 1)

    def _bend(self, edge: int, s: float) -> tuple[Array, Array]:
        """The first two derivatives by s of the joints that follow."""
        if (edge, s) in self.bends:
            return self.bends[edge, s]
        y, n = self.at(edge, s), self.chain.count
        c = self.of._control[edge]
        first = (len(c) - 1) * np.diff(c, axis=0)
        second = (len(c) - 2) * np.diff(first, axis=0) if len(c) > 2 else np.zeros((1, c.shape[1]))
        rate, bend = (evaluate(d, s)[self.chain.drives] for d in (first, second))
        mid = np.zeros((3, 1, len(self.chain.variables), 1))
        mid[0, 0, :, 0], mid[1, 0, n:, 0], mid[2, 0, n:, 0] = np.concatenate([y, self._drives(edge, s)]), rate, bend / 2
        inverse = _inverses(self.chain.residual(mid[0, 0, :, 0])[1][None, :, :n])[0]
        for k in (1, 2):
            mid[k, 0, :n, 0] = -inverse @ self.chain.sides(Series(mid, np.zeros_like(mid))).mid[k, 0, :, 0]
        self.bends[edge, s] = mid[1, 0, :n, 0], 2 * mid[2, 0, :n, 0]
        return self.bends[edge, s]

    def control(self, edge: int, a: float, b: float) -> Array:
        """Control values of the chain's variables on a piece: the quintic with two derivatives at both ends."""
        h = b - a
        y0, y1 = self.at(edge, a), self.at(edge, b)
        (v0, w0), (v1, w1) = self._bend(edge, a), self._bend(edge, b)
        follow = np.array(
            [
                y0, y0 + h / 5 * v0, y0 + 0.4 * h * v0 + h * h / 20 * w0,
                y1 - 0.4 * h * v1 + h * h / 20 * w1, y1 - h / 5 * v1, y1,
            ]
        )  # fmt: skip
        drives = _elevated(_restricted(self.of._control[edge][:, self.chain.drives], a, b))
        return np.hstack([follow, drives])

    def path(self, pieces: Sequence[tuple[int, float, float]], controls: Sequence[Array], radii: Array) -> Path:
        """The path with the joints that follow, of all pieces."""
        n = self.chain.count
        control = np.array(
            [np.hstack([_elevated(_restricted(self.of._control[e], a, b)), c[:, :n]]) for (e, a, b), c in zip(pieces, controls)]
        )
        found = _made_of([*self.of.joints, *self.chain.names], control, pieces, self.of)
        found._errors = np.concatenate([self.of._errors, radii])
        return found


def _made_of(joints: Sequence[str], control: Array, pieces: Sequence[tuple[int, float, float]], path: Path) -> Path:
    """A path of pieces of edges of another one, with its times."""
    for i in range(1, len(control)):
        same = pieces[i][0] == pieces[i - 1][0]
        close_by = np.abs(control[i, 0] - control[i - 1, -1]) <= 1e-9 * (1 + np.abs(control[i, 0]))
        control[i, 0] = np.where(close_by | same, control[i - 1, -1], control[i, 0])
    times = [path.time(edge, a) for edge, a, _ in pieces]
    times.append(float(path._times[-1]))
    found = Path.__new__(Path)
    found._set(joints, control, times)
    return found


def _elevated(control: Array) -> Array:
    """Control values of the degree 5 of the same polynomials, (degree + 1, ...), rounded."""
    while len(control) < 6:
        n = len(control)
        part = np.arange(1, n).reshape(-1, *[1] * (control.ndim - 1)) / n
        control = np.vstack([control[:1], part * control[:-1] + (1 - part) * control[1:], control[-1:]])
    return control
