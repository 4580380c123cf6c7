"""Which faces of two parts may come near each other over a motion, and when: boxes that hold the faces, proven.

A face is on its surface over a box of parameters that holds its trimming curves. A box in space holds the surface over that.
docs/proofs/cad.md has the proof. Faces whose boxes stay apart need no triangles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..rigid import Motion
from ._bounds import UP, Curve, Doubles, Ellipse, Extrusion, Line, Plane, Revolution, Round, Surface, U
from ._facets import Face
from ._splines import SplineSurface
from ._turns import from_axis, turned

_PARTS = 16  # A curve is bounded in so many parts, by its first derivatives.
STEPS = 64  # A motion is divided into so many steps.
_ROUNDING = 2.0**-40  # Boxes are larger by this share of the coordinates.
_CORNERS = np.array([[k >> i & 1 for i in range(3)] for k in range(8)])
_OPEN = 1e-3  # Loops that leave open more than this share of a face's parameters do not say where it is.
MOST_PAIRS = 60_000  # of faces; more take longer than their triangles


@dataclass
class Hulls:
    """Boxes around faces: each face is within ``off`` of the convex hull of its corners."""

    corners: Doubles  # (faces, 8, 3)
    off: Doubles  # (faces,)
    size: float  # the largest coordinate
    low: Doubles  # (faces, 2): the least parameters of each face
    high: Doubles  # (faces, 2): the largest

    def boxes(self, matrix: Doubles) -> tuple[Doubles, Doubles]:
        """The ends (faces, 3) of boxes around the faces, which a matrix moves."""
        p = self.corners @ matrix[:3, :3].T + matrix[:3, 3]
        off = self.off[:, None] + 4 * _ROUNDING * (self.size + float(np.abs(matrix[:3, 3]).max()))
        return p.min(1) - off, p.max(1) + off

    def box(self, matrix: Doubles) -> tuple[Doubles, Doubles]:
        """The ends of a box around all faces."""
        low, high = self.boxes(matrix)
        return low.min(0), high.max(0)


def hulls(faces: Sequence[Face], ranges: Sequence[Sequence[tuple[float, float]]]) -> Hulls | None:
    """Boxes around faces whose curves have ranges of parameters; None where one has open loops or is of another kind."""
    corners, off = np.empty((len(faces), 8, 3)), np.empty(len(faces))
    ends = np.empty((2, len(faces), 2))
    for k, (face, own) in enumerate(zip(faces, ranges)):
        if not own:
            return None
        spans = [_span(c, *t) for c, t in zip(face.curves, own)]
        low, high = np.min([s[0] for s in spans], 0), np.max([s[1] for s in spans], 0)
        if not isinstance(face.surface, Plane) and not _closed(face.curves, own, _OPEN * float((high - low).max())):
            return None
        found = _corners(face.surface, low, high)
        if found is None or not np.all(np.isfinite(found)):
            return None
        ends[:, k] = low, high
        corners[k], off[k] = found, 2 * face.surface.error(np.stack([low, high]))
    size = float(np.abs(corners).max(initial=0.0))
    return Hulls(corners, off * UP + _ROUNDING * size, size, *ends)


def _closed(curves: Sequence[Curve], ranges: Sequence[tuple[float, float]], gap: float) -> bool:
    """Whether ends of curves meet, in the plane of parameters: an even number of them within a gap of each.

    A circle around the top of a dome is not, where a file leaves out the seam and the pole: the face is not in its box.
    """
    ends = np.concatenate(
        [
            c.point + np.multiply.outer(np.array(t), c.direction) if isinstance(c, Line) else c.at(np.array(t))
            for c, t in zip(curves, ranges)
        ]
    )
    near = (np.abs(ends[:, None] - ends).max(2) <= gap).sum(1)
    return not (near % 2).any()


def _span(curve: Curve, t0: float, t1: float) -> tuple[Doubles, Doubles]:
    """The ends of a box that holds a curve over [t0, t1]."""
    if isinstance(curve, Line):
        ends, most = [], 0.0
        for p, d in zip(curve.point.tolist(), curve.direction.tolist()):
            x, y = p + t0 * d, p + t1 * d
            ends.append((min(x, y), max(x, y)))
            most = max(most, abs(p) + max(abs(t0), abs(t1)) * abs(d))
        error = 2.0**-48 * most
        return np.array([x - error for x, _ in ends]), np.array([y + error for _, y in ends])
    if isinstance(curve, Ellipse):
        wide = np.hypot(curve.x, curve.y) * UP + curve.error(np.zeros(1))
        return curve.center - wide, curve.center + wide
    t = np.linspace(t0, t1, _PARTS + 1)
    first, _ = curve.bounds(t[:-1], t[1:])
    middle, half = curve.at(0.5 * (t[:-1] + t[1:])), 0.5 * np.diff(t)[:, None] * first * UP
    # Middles are rounded: a part may be longer by as much.
    half = half + first * 4 * U * max(abs(t0), abs(t1)) + curve.error(t)
    return (middle - half).min(0), (middle + half).max(0)


def _cosines(a: float, b: float) -> tuple[float, float]:
    """The least and the largest cosine over [a, b]."""
    c = math.cos(a), math.cos(b)
    low = -1.0 if math.floor((b - math.pi) / math.tau) >= math.ceil((a - math.pi) / math.tau) else min(c)
    high = 1.0 if math.floor(b / math.tau) >= math.ceil(a / math.tau) else max(c)
    return low, high


def _products(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """The range of the products of numbers of two ranges."""
    found = [x * y for x in a for y in b]
    return min(found), max(found)


def _corners(s: Surface, low: Doubles, high: Doubles) -> Doubles | None:
    """The corners (8, 3) of a box around a surface over a box of parameters, up to rounding; None for other kinds."""
    (u0, v0), (u1, v1) = low.tolist(), high.tolist()
    if isinstance(s, Plane):
        found: Doubles = s.frame.at(np.where(_CORNERS[:, 0], u1, u0), np.where(_CORNERS[:, 1], v1, v0), np.zeros(8))
        return found
    if isinstance(s, Round):
        box = _of_round(s, u0, u1, v0, v1)
        found = s.frame.at(*(np.where(_CORNERS[:, k], box[k][1], box[k][0]) for k in range(3)))
        return found
    if isinstance(s, SplineSurface):
        return _of_spline(s, low, high)
    if isinstance(s, Extrusion):
        a, b = _span(s.curve, u0, u1)
        ends = np.stack([v0 * s.direction, v1 * s.direction])
        return _box(a + ends.min(0), b + ends.max(0))
    if isinstance(s, Revolution):
        return _of_revolution(s, v0, v1)
    return None


def _box(low: Doubles, high: Doubles) -> Doubles:
    found: Doubles = np.where(_CORNERS, high, low)
    return found


def _of_round(s: Round, u0: float, u1: float, v0: float, v1: float) -> list[tuple[float, float]]:
    """The ranges of x, y and z in the frame of a cylinder, cone, sphere or torus."""
    r, m = s.radius, s.more
    if s.kind == "cylinder":
        rho, z = (r, r), (v0, v1)
    elif s.kind == "cone":
        ends = r + v0 * math.sin(m), r + v1 * math.sin(m)
        rho, z = (min(ends), max(ends)), _products((v0, v1), (math.cos(m), math.cos(m)))
    else:
        (c0, c1), (s0, s1) = _cosines(v0, v1), _cosines(v0 - 0.5 * math.pi, v1 - 0.5 * math.pi)
        arm, base = (r, 0.0) if s.kind == "sphere" else (m, r)
        rho, z = (base + arm * c0, base + arm * c1), (arm * s0, arm * s1)
    return [*(_products(rho, _cosines(u0 - turn, u1 - turn)) for turn in (0.0, 0.5 * math.pi)), z]


def _of_spline(s: SplineSurface, low: Doubles, high: Doubles) -> Doubles:
    """The same of a spline surface: its control points over the cells that the box of parameters meets."""
    cells = []
    for axis, k in ((s.u, 0), (s.v, 1)):
        first, last = (int(x[0]) for x in axis.range(low[k : k + 1], high[k : k + 1]))
        cells.append(np.arange(first, last + 1) % len(axis.starts))
    net = s.cells[cells[0]][:, cells[1]].reshape(-1, 4)
    points = net[:, :3] / net[:, 3:] + s.origin
    return _box(points.min(0), points.max(0))


def _of_revolution(s: Revolution, v0: float, v1: float) -> Doubles:
    """The same of a surface of revolution, turned all around. Of a box around its curve a corner is farthest from the axis."""
    p = _box(*_span(s.curve, v0, v1)) - s.origin
    z = p @ s.axis
    rho = float(np.linalg.norm(p - np.multiply.outer(z, s.axis), axis=1).max()) * UP
    one = np.cross(s.axis, np.eye(3)[int(np.argmin(np.abs(s.axis)))])
    one /= np.linalg.norm(one)
    at = _box(np.array([-rho, -rho, float(z.min())]), np.array([rho, rho, float(z.max())]))
    found: Doubles = s.origin + at @ np.stack([one, np.cross(s.axis, one), s.axis])
    return found


def times(a: Hulls, b: Hulls, ma: Motion, mb: Motion, start: float, end: float, reach: float) -> Doubles:
    """A time for each face of a and of b before which they do not come within a reach; inf if they do not do so until the end.

    In the middle of each of some steps the boxes are compared along the axes of either part. They are larger by the way that
    points go in half a step.
    """
    steps = STEPS if end > start else 1
    edges = np.linspace(start, end, steps + 1)
    middles, half = 0.5 * (edges[:-1] + edges[1:]), 0.5 * (end - start) / steps * UP
    scale = a.size + b.size + max(float(np.abs(m.position).max() + end * np.abs(m.velocity).max()) for m in (ma, mb))
    reach = reach + 16 * _ROUNDING * scale
    ends = []  # for each part: its boxes over each step along the axes of the other, and its own
    for one, m, n in ((a, ma, mb), (b, mb, ma)):
        p, way = _seen(one.corners, m, n, middles, half)
        off = (way + one.off + reach)[:, :, None]
        own = one.off[:, None]
        ends.append((p.min(2) - off, p.max(2) + off, one.corners.min(1) - own, one.corners.max(1) + own))
    # Faces that come near the box around the other part: the others come near none of its faces.
    some = [
        np.flatnonzero(((low <= y[3].max(0)) & (high >= y[2].min(0))).all(2).any(0))
        for (low, high, *_), y in zip(ends, ends[::-1])
    ]
    near = np.ones((steps, len(some[0]), len(some[1])), bool)
    for k in (0, 1):
        low, high = (x[:, some[k]] for x in ends[k][:2])
        still = [x[some[1 - k]] for x in ends[1 - k][2:]]
        meet = ((low[:, :, None] <= still[1]) & (high[:, :, None] >= still[0])).all(3)
        near &= meet if k == 0 else meet.transpose(0, 2, 1)
    out = np.full((len(a.off), len(b.off)), np.inf)
    if near.size:
        out[np.ix_(*some)] = np.where(near.any(0), edges[near.argmax(0)], np.inf)
    return out


def _seen(corners: Doubles, ma: Motion, mb: Motion, times: Doubles, half: float) -> tuple[Doubles, Doubles]:
    """Corners (times, faces, 8, 3) of a in coordinates of b, and the most that points go in a time before or after these.

    The way is (times, faces). The speed of a point x of a seen from b is that of its own turn, of the difference of
    velocities, and of the turn of b at its distance from the pivot of b.
    """
    wa, wb, va, vb = (np.asarray(x, float) for x in (ma.angular_velocity, mb.angular_velocity, ma.velocity, mb.velocity))
    pa, pb = (np.asarray(m.position, float) for m in (ma, mb))
    first = ma.matrix(0.0)
    arms = corners.reshape(-1, 3) @ first[:3, :3].T + (first[:3, 3] - pa)
    own = from_axis(arms, wa).reshape(corners.shape[:2]).max(1) * float(np.linalg.norm(wa)) + float(np.linalg.norm(va - vb))
    w = turned(arms, wa, times) + (pa - pb) + np.multiply.outer(times, va - vb)[:, None]
    rate = float(np.linalg.norm(wb))
    beside = np.zeros((len(times), len(corners)))
    if rate > 0:
        beside = np.linalg.norm(np.cross(w, wb / rate), axis=2).reshape(len(times), *corners.shape[:2]).max(2)
    # The distance from the pivot's axis grows by at most the own speed in half a step.
    way = half * (own + rate * (beside + half * own)) * UP  # (times, faces)
    still = mb.matrix(0.0)
    found = (turned(w, -wb, times) + (pb - still[:3, 3])) @ still[:3, :3]
    return found.reshape(len(times), *corners.shape), way
