"""Curved patches as triangles. A point of a patch is an average of control points whose weights stand still, so that the points
drawn move on straight lines as the control points do: one sparse matrix serves every frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..patch import Body, Form, Model, Shape

MOST_TRIANGLES = 200_000  # triangles of a body at most: more patches are drawn more coarsely


class NurbsSurface(NamedTuple):
    """A NURBS surface; a curve has v = 0 and no knots_v."""

    u: int
    v: int
    knots_u: NDArray[np.float64]
    knots_v: NDArray[np.float64]
    weights: NDArray[np.float64] | None

    def body(self) -> Body:
        """The surface as Bezier patches."""
        return Body.nurbs(self.u, self.v, self.knots_u, self.knots_v, self.weights)


class Ranges(NamedTuple):
    """Which faces, edges (from, to) and control points belong to each patch, as the page needs them."""

    faces: NDArray[np.int64]  # n + 1 starts
    edges: NDArray[np.int64]
    hulls: NDArray[np.int64]
    hull: NDArray[np.int64]  # control points of one patch after the other, as vertices of the part


@dataclass(eq=False)
class Drawn:
    """Triangles, outlines and control nets; vertices are the points of all patches, then the control points."""

    average: NDArray[np.float64]  # weights of the control points, of one point after the other
    control: NDArray[np.int64]
    starts: NDArray[np.int64]
    faces: NDArray[np.int64]
    edges: NDArray[np.int64]
    nets: NDArray[np.int64]
    ranges: Ranges
    at: Callable[[int, Sequence[float]], NDArray[np.float64]]  # the averages of a patch's control points at its parameters

    def places(self, vertices: NDArray[np.float64], where: Sequence[tuple[int, Sequence[float]]]) -> NDArray[np.float64]:
        """The points at parameters of patches, with the part's vertices so."""
        hull, starts = self.ranges.hull, self.ranges.hulls
        return np.array([self.at(k, uv) @ vertices[hull[starts[k] : starts[k + 1]]] for k, uv in where]).reshape(-1, 3)

    def patches(self, count: int) -> NDArray[np.int64]:
        """The patch of each of the part's vertices; a control point is of the last patch that has it."""
        found = np.zeros(count, np.int64)
        for starts, rows in (
            (self.ranges.hulls, self.ranges.hull),
            (self.ranges.edges, self.edges),
            (self.ranges.faces, self.faces),
        ):
            found[rows] = np.repeat(np.arange(len(starts) - 1), np.diff(starts)).reshape(-1, *[1] * (rows.ndim - 1))
        return found

    def points(self, frame: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the points are, with the control points at frame."""
        if not len(self.starts):
            return np.empty((0, 3))
        return np.add.reduceat(self.average[:, None] * frame[self.control], self.starts, axis=0)


class _Piece(NamedTuple):
    """One patch: its control points, the weights (m, k) of m points on it, and what joins them."""

    control: NDArray[np.int64]
    average: NDArray[np.float64]
    faces: NDArray[np.int64]
    edges: NDArray[np.int64]
    net: NDArray[np.int64]


def tessellate(model: Model | NurbsSurface) -> Drawn:
    """Triangles for every patch, in the order of the patches."""
    pieces, at = _nurbs(model) if isinstance(model, NurbsSurface) else _beziers(model)
    points = np.cumsum([0, *(len(p.average) for p in pieces)])
    total = int(points[-1])

    def joined(name: str, width: int, by: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.vstack([np.empty((0, width), int), *(getattr(p, name) + first for p, first in zip(pieces, by))])

    def starts(name: str) -> NDArray[np.int64]:
        return np.cumsum([0, *(len(getattr(p, name)) for p in pieces)])

    hull = np.concatenate([np.empty(0, int), *(p.control for p in pieces)])
    nets = np.vstack([np.empty((0, 2), int), *(p.control[p.net] for p in pieces)])
    used = np.concatenate([np.empty(0, int), *(np.full(len(p.average), len(p.control)) for p in pieces)])
    return Drawn(
        np.concatenate([np.empty(0), *(p.average.ravel() for p in pieces)]),
        np.concatenate([np.empty(0, int), *(np.tile(p.control, len(p.average)) for p in pieces)]),
        np.cumsum(used) - used,
        joined("faces", 3, points),
        joined("edges", 2, points),
        total + np.unique(np.sort(nets, axis=1), axis=0),
        Ranges(starts("faces"), starts("edges"), starts("control"), total + hull),
        at,
    )


def boxes(
    ranges: Ranges | None, ends: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What the control points of each patch sweep, and their middle at the start. ends: vertices at one end, then the other."""
    if ranges is None or not len(ranges.hull):
        return np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 3))
    start, end = np.split(ends, 2)
    x0, x1, at = start[ranges.hull], end[ranges.hull], ranges.hulls[:-1]
    lo, hi = np.minimum.reduceat(np.minimum(x0, x1), at), np.maximum.reduceat(np.maximum(x0, x1), at)
    return lo, hi, np.add.reduceat(x0, at) / np.diff(ranges.hulls)[:, None]


def _fineness(patches: int) -> int:
    return max(2, min(24, math.isqrt(MOST_TRIANGLES // (2 * max(patches, 1)))))


_At = Callable[[int, Sequence[float]], NDArray[np.float64]]


def _beziers(model: Model) -> tuple[list[_Piece], _At]:
    fine, starts = _fineness(len(model.forms)), np.cumsum([0, *(form.points for form in model.forms)])

    def weights(k: int) -> NDArray[np.float64] | None:
        return None if model.weights is None else model.weights[starts[k] : starts[k + 1]]

    def at(k: int, uv: Sequence[float]) -> NDArray[np.float64]:
        form, u, v = model.forms[k], np.array([uv[0]]), np.array([uv[1]])
        if form.shape == Shape.TRIANGLE:
            basis = _barycentric(form.u, u, v)
        else:
            basis = (_bernstein(form.u, u)[:, :, None] * _bernstein(form.v, v)[:, None, :]).reshape(1, -1)
        row: NDArray[np.float64] = _rational(basis, weights(k))[0]
        return row

    indices = [model.index[a:b].astype(int) for a, b in pairwise(starts)]
    return [_piece(form, index, weights(k), fine) for k, (form, index) in enumerate(zip(model.forms, indices))], at


def _piece(form: Form, index: NDArray[np.int64], weights: NDArray[np.float64] | None, fine: int) -> _Piece:
    n = 1 if max(form.u, form.v) <= 1 and form.shape != Shape.QUAD else fine
    if form.shape == Shape.CURVE:
        basis, faces, edges = _curve(form.u, n * 2 if form.u > 1 else n)
        net = _chain(np.arange(form.u + 1))
    elif form.shape == Shape.TRIANGLE:
        basis, faces, edges = _triangle(form.u, n)
        net = _triangle_net(form.u)
    else:
        t = np.linspace(0, 1, n + 1)
        basis, faces, edges = _grid(_bernstein(form.u, t), _bernstein(form.v, t))
        net = _grid_net(form.u + 1, form.v + 1)
    return _Piece(index, _rational(basis, weights), faces, edges, net)


def _nurbs(s: NurbsSurface) -> tuple[list[_Piece], _At]:
    """A piece for every Bezier patch of the surface, u slowest."""
    us, vs = _spans(s.knots_u, s.u), _spans(s.knots_v, s.v) if len(s.knots_v) else [0]
    fine, nv, pieces = _fineness(len(us) * len(vs)), len(s.knots_v) - s.v - 1 if len(s.knots_v) else 1, []
    for i in us:
        at_u = np.linspace(s.knots_u[i], s.knots_u[i + 1], fine + 1)
        first = np.arange(i - s.u, i + 1)
        for j in vs:
            if len(s.knots_v):
                at_v = np.linspace(s.knots_v[j], s.knots_v[j + 1], fine + 1)
                second = np.arange(j - s.v, j + 1)
                basis, faces, edges = _grid(_splines(s.knots_u, s.u, i, at_u), _splines(s.knots_v, s.v, j, at_v))
                index, net = (first[:, None] * nv + second).ravel(), _grid_net(s.u + 1, s.v + 1)
            else:
                basis, faces, edges = _splines(s.knots_u, s.u, i, at_u), np.empty((0, 3), int), _chain(np.arange(fine + 1))
                index, net = first, _chain(np.arange(s.u + 1))
            weights = None if s.weights is None else np.asarray(s.weights, float).ravel()[index]
            pieces.append(_Piece(index, _rational(basis, weights), faces, edges, net))

    def at(k: int, uv: Sequence[float]) -> NDArray[np.float64]:
        i, j = us[k // len(vs)], vs[k % len(vs)]
        u = s.knots_u[i] + uv[0] * (s.knots_u[i + 1] - s.knots_u[i])
        basis = _splines(s.knots_u, s.u, i, np.array([u]))
        if len(s.knots_v):
            v = s.knots_v[j] + uv[1] * (s.knots_v[j + 1] - s.knots_v[j])
            basis = (basis[:, :, None] * _splines(s.knots_v, s.v, j, np.array([v]))[:, None, :]).reshape(1, -1)
        index = pieces[k].control
        weights = None if s.weights is None else np.asarray(s.weights, float).ravel()[index]
        row: NDArray[np.float64] = _rational(basis, weights)[0]
        return row

    return pieces, at


def _spans(knots: NDArray[np.float64], degree: int) -> list[int]:
    return [i for i in range(degree, len(knots) - degree - 1) if knots[i] < knots[i + 1]]


def _splines(knots: NDArray[np.float64], degree: int, span: int, t: NDArray[np.float64]) -> NDArray[np.float64]:
    """The degree + 1 splines that are not zero on a span of knots, at t: (m, degree + 1). The recursion of Cox and de Boor."""
    basis = np.ones((len(t), 1))
    for p in range(1, degree + 1):
        raised = np.zeros((len(t), p + 1))
        for r in range(p):
            left, right = knots[span + 1 + r - p], knots[span + 1 + r]
            part = (t - left) / (right - left)
            raised[:, r] += (1 - part) * basis[:, r]
            raised[:, r + 1] += part * basis[:, r]
        basis = raised
    return basis


def _bernstein(degree: int, t: NDArray[np.float64]) -> NDArray[np.float64]:
    basis: NDArray[np.float64] = np.stack([math.comb(degree, i) * t**i * (1 - t) ** (degree - i) for i in range(degree + 1)], 1)
    return basis


def _rational(basis: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    if weights is None:
        return basis
    scaled = basis * (weights / weights.max())
    shares: NDArray[np.float64] = scaled / scaled.sum(1, keepdims=True)
    return shares


def _chain(points: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.stack([points[:-1], points[1:]], 1)


def _curve(degree: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    if degree == 0:
        return np.ones((1, 1)), np.empty((0, 3), int), np.empty((0, 2), int)
    return _bernstein(degree, np.linspace(0, 1, n + 1)), np.empty((0, 3), int), _chain(np.arange(n + 1))


def _grid(bu: NDArray[np.float64], bv: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """The products of two bases, triangles between their points, and the outline."""
    m, n = len(bu), len(bv)
    basis = (bu[:, None, :, None] * bv[None, :, None, :]).reshape(m * n, -1)
    at = np.arange(m * n).reshape(m, n)
    a, b, c, d = (x.ravel() for x in (at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]))
    around = [_chain(line) for line in (at[0], at[-1], at[:, 0], at[:, -1])]
    return basis, np.vstack([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]), np.vstack(around)


def _grid_net(m: int, n: int) -> NDArray[np.int64]:
    at = np.arange(m * n).reshape(m, n)
    return np.vstack([*(_chain(row) for row in at), *(_chain(column) for column in at.T)])


def _rows(n: int) -> list[NDArray[np.int64]]:
    """The numbers of the points of a triangle's rows: n + 1, n, ..., 1 of them."""
    starts = np.cumsum([0, *range(n + 1, 0, -1)])
    return [np.arange(a, b) for a, b in pairwise(starts)]


def _barycentric(degree: int, u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bernstein's polynomials of a triangle: by rows of equal power of v."""
    powers = [(i, j, degree - i - j) for j in range(degree + 1) for i in range(degree + 1 - j)]
    count = [math.factorial(degree) / math.prod(map(math.factorial, p)) for p in powers]
    return np.stack([c * u**i * v**j * (1 - u - v) ** k for c, (i, j, k) in zip(count, powers)], 1)


def _triangle(degree: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    v, u = (np.array(x) / n for x in zip(*((j, i) for j in range(n + 1) for i in range(n + 1 - j))))
    basis = _barycentric(degree, u, v)
    rows = _rows(n)
    faces: Sequence[NDArray[np.int64]] = [
        *(np.stack([low[:-1], low[1:], high], 1) for low, high in pairwise(rows)),
        *(np.stack([low[1:-1], high[1:], high[:-1]], 1) for low, high in pairwise(rows)),
    ]
    around = [_chain(line) for line in (rows[0], np.array([r[0] for r in rows]), np.array([r[-1] for r in rows]))]
    return basis, np.vstack(faces), np.vstack(around)


def _triangle_net(degree: int) -> NDArray[np.int64]:
    rows = _rows(degree)
    across = [pair for low, high in pairwise(rows) for pair in (np.stack([low[:-1], high], 1), np.stack([low[1:], high], 1))]
    return np.vstack([*(_chain(row) for row in rows), *across])
