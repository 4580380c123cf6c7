"""The surfaces of faces of Open CASCADE as NURBS, with the place of the file's parameters in theirs.

A NURBS circle has not the angle as its parameter: on each of its arcs, of half angle h about the angle m, the parameter of the
library's patch runs as tan((angle - m) / 2). `Axis` is this map of one parameter, with bounds on its first and second
derivatives, which the proofs of the loops' tolerance use (docs/proofs/trimmed-faces.md).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 9  # the highest degree of a patch
NEAR = 1e-9  # share of a parameter range: what is nearer to an end or a knot counts as there
_APPROXIMATION = 1e-7  # share of a face's size by which an approximation may be off
_SAMPLES = 17  # places along each parameter at which an approximation is compared
_AXIS = 1e-10  # share of a profile's size: what is nearer to the axis than that is on it
_ARC = 0.5 * math.pi  # the widest arc of one patch


@dataclass(frozen=True)
class Axis:
    """The map of one parameter of a face to that of its NURBS surface: the identity, or that of a circle's angle."""

    low: float
    high: float
    arcs: int = 0  # 0: the identity

    @property
    def slope(self) -> float:
        """A bound on the first derivative."""
        half = 0.5 * (self.high - self.low) / max(self.arcs, 1)
        return half / math.sin(half) if self.arcs else 1.0

    @property
    def bend(self) -> float:
        """A bound on the second derivative."""
        half = 0.5 * (self.high - self.low) / max(self.arcs, 1)
        return 0.5 * half / math.cos(0.5 * half) ** 2 if self.arcs else 0.0

    def __call__(self, angle: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.arcs:
            return np.asarray(angle, np.float64)
        step = (self.high - self.low) / self.arcs
        k = np.clip(np.floor((angle - self.low) / step), 0, self.arcs - 1)
        middle = self.low + (k + 0.5) * step
        # Beyond the arcs, where rounding may lead, the map goes on with the slope of its end.
        inside = np.clip(angle, self.low, self.high)
        share = 0.5 + 0.5 * np.tan(0.5 * (inside - middle)) / math.tan(0.25 * step)
        out: NDArray[np.float64] = self.low + (k + share) * step + (angle - inside)
        return out

    def knots(self) -> list[float]:
        """The ends of the arcs, or of the range."""
        n = max(self.arcs, 1)
        return [self.low + k * (self.high - self.low) / n for k in range(n)] + [self.high]


@dataclass(frozen=True)
class Nurbs:
    """A NURBS surface over a part of a face's parameters; knots are in the parameters of the face's plane."""

    degree: tuple[int, int]
    knots: tuple[list[float], list[float]]
    points: NDArray[np.float64]  # (nu, nv, 3)
    weights: NDArray[np.float64]  # (nu, nv)

    def windows(self) -> list[list[float]]:
        """The windows of its Bezier patches, v fastest, as the library makes them."""
        ranges = []
        for degree, knots in zip(self.degree, self.knots):
            inner = knots[degree : len(knots) - degree]
            ranges.append([(a, b) for a, b in itertools.pairwise(inner) if a < b])
        return [[u0, u1, v0, v1] for (u0, u1), (v0, v1) in itertools.product(*ranges)]


@dataclass(frozen=True)
class Surface:
    """The surface of a face over the box of its parameters."""

    parts: list[Nurbs]
    axes: tuple[Axis, Axis]
    off: float  # how far it is off, if it is approximated


def of_face(face: Any, box: tuple[float, float, float, float]) -> Surface:
    """The surface of a face over a box of parameters."""
    from OCP import GeomAbs
    from OCP.BRepAdaptor import BRepAdaptor_Surface

    s = BRepAdaptor_Surface(face, False)
    kind = s.GetType()
    u0, u1, v0, v1 = box
    if kind == GeomAbs.GeomAbs_Plane:
        at = s.Plane().Position()
        x, y, o = _xyz(at.XDirection()), _xyz(at.YDirection()), _xyz(at.Location())
        points = np.array([[o + u * x + v * y for v in (v0, v1)] for u in (u0, u1)])
        return _product(points, np.ones((2, 2)), (Axis(u0, u1), Axis(v0, v1)), (1, 1))
    if kind in (GeomAbs.GeomAbs_Cylinder, GeomAbs.GeomAbs_Cone, GeomAbs.GeomAbs_Sphere, GeomAbs.GeomAbs_Torus):
        return _elementary(s, kind, GeomAbs, box)
    profile = _profile(s, kind, GeomAbs, box)
    if profile is not None:
        return profile
    if kind in (GeomAbs.GeomAbs_BSplineSurface, GeomAbs.GeomAbs_BezierSurface):
        from OCP.GeomConvert import GeomConvert

        spline = s.BSpline().Copy() if kind == GeomAbs.GeomAbs_BSplineSurface else None
        if spline is None:
            spline = GeomConvert.SurfaceToBSplineSurface_s(s.Bezier().Copy())
        if max(spline.UDegree(), spline.VDegree()) <= MOST:
            return Surface(list(_parts(spline, *box)), (Axis(u0, u1), Axis(v0, v1)), 0.0)
    near, off = _approximated(face)
    return Surface([_nurbs(near, 0.0, 0.0)], (Axis(u0, u1), Axis(v0, v1)), off)


def _xyz(p: Any) -> NDArray[np.float64]:
    return np.array([p.X(), p.Y(), p.Z()])


def _product(
    points: NDArray[np.float64], weights: NDArray[np.float64], axes: tuple[Axis, Axis], degree: tuple[int, int]
) -> Surface:
    """A surface whose knots are those of its axes, each as many-fold as a Bezier patch needs."""
    knots = []
    for axis, p in zip(axes, degree):
        ends = axis.knots()
        knots.append([ends[0]] * (p + 1) + [k for k in ends[1:-1] for _ in range(p)] + [ends[-1]] * (p + 1))
    return Surface([Nurbs(degree, (knots[0], knots[1]), points, weights)], axes, 0.0)


def _arc(low: float, high: float) -> tuple[Axis, NDArray[np.float64], NDArray[np.float64]]:
    """Control points (n, 2) and weights of the unit circle from one angle to another, on arcs of at most a quarter.

    A whole turn ends in the very point in which it begins.
    """
    arcs = max(1, math.ceil((high - low) / _ARC - 1e-9))
    step = (high - low) / arcs
    angle = low + 0.5 * step * np.arange(2 * arcs + 1)
    points = np.stack([np.cos(angle), np.sin(angle)], 1)
    points[np.abs(points) < 1e-15] = 0.0
    weights = np.ones(2 * arcs + 1)
    weights[1::2] = math.cos(0.5 * step)
    points[1::2] /= weights[1::2, None]
    if abs(high - low - 2 * math.pi) < NEAR:
        points[-1] = points[0]
    return Axis(low, high, arcs), points, weights


def _revolved(
    origin: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64], z: NDArray[np.float64],
    u: tuple[float, float], profile: NDArray[np.float64], weights: NDArray[np.float64], axis: Axis, degree: int,
) -> Surface:  # fmt: skip
    """A curve of points (radius, height) turned about an axis; a point on the axis is the same for all angles."""
    turn, circle, w = _arc(*u)
    size = np.abs(profile).max(initial=0.0)
    on_axis = np.abs(profile[:, 0]) < _AXIS * size
    radius = np.where(on_axis, 0.0, profile[:, 0])
    off = float(np.abs(profile[on_axis, 0]).max(initial=0.0))
    around = circle[:, 0, None] * x + circle[:, 1, None] * y
    points = origin + profile[None, :, 1, None] * z + radius[None, :, None] * around[:, None, :]
    made = _product(points, w[:, None] * weights[None, :], (turn, axis), (2, degree))
    return Surface(made.parts, made.axes, off)


def _elementary(s: Any, kind: Any, GeomAbs: Any, box: tuple[float, float, float, float]) -> Surface:
    """Cylinders, cones, spheres and tori."""
    u0, u1, v0, v1 = box
    if kind == GeomAbs.GeomAbs_Cylinder:
        shape = s.Cylinder()
        r = shape.Radius()
        profile = np.array([[r, v0], [r, v1]])
    elif kind == GeomAbs.GeomAbs_Cone:
        shape = s.Cone()
        r, a = shape.RefRadius(), shape.SemiAngle()
        profile = np.array([[r + v * math.sin(a), v * math.cos(a)] for v in (v0, v1)])
    else:
        if kind == GeomAbs.GeomAbs_Sphere:  # Files have poles that are beyond the axis by rounding.
            v0, v1 = (math.copysign(0.5 * math.pi, v) if abs(abs(v) - 0.5 * math.pi) < NEAR else v for v in (v0, v1))
        axis, circle, weights = _arc(v0, v1)
        if kind == GeomAbs.GeomAbs_Sphere:
            shape = s.Sphere()
            profile = shape.Radius() * circle
        else:
            shape = s.Torus()
            profile = shape.MinorRadius() * circle + [shape.MajorRadius(), 0.0]
        at = shape.Position()
        frame = _xyz(at.Location()), _xyz(at.XDirection()), _xyz(at.YDirection()), _xyz(at.Direction())
        return _revolved(*frame, (u0, u1), profile, weights, axis, 2)
    at = shape.Position()
    frame = _xyz(at.Location()), _xyz(at.XDirection()), _xyz(at.YDirection()), _xyz(at.Direction())
    return _revolved(*frame, (u0, u1), profile, np.ones(2), Axis(v0, v1), 1)


def _profile(s: Any, kind: Any, GeomAbs: Any, box: tuple[float, float, float, float]) -> Surface | None:
    """Surfaces of revolution and of extrusion, where their curve is one that NURBS hold with a known parameter."""
    u0, u1, v0, v1 = box
    if kind == GeomAbs.GeomAbs_SurfaceOfRevolution:
        made = _curve(s.BasisCurve(), GeomAbs, v0, v1)
        if made is None:
            return None
        line = s.AxeOfRevolution()
        o, z = _xyz(line.Location()), _xyz(line.Direction())
        points, weights, axis, degree, knots = made
        turn, circle, w = _arc(u0, u1)
        along = (points - o) @ z
        foot = o + along[:, None] * z
        away = points - foot
        size = np.abs(points - o).max(initial=0.0)
        near = np.linalg.norm(away, axis=1) < _AXIS * size
        off = float(np.linalg.norm(away[near], axis=1).max(initial=0.0))
        away[near] = 0.0
        side = np.cross(z, away)
        net = foot[None] + circle[:, 0, None, None] * away[None] + circle[:, 1, None, None] * side[None]
        made_knots = _product(net, w[:, None] * weights[None], (turn, axis), (2, degree)).parts[0].knots[0]
        return Surface([Nurbs((2, degree), (made_knots, knots), net, w[:, None] * weights[None])], (turn, axis), off)
    if kind == GeomAbs.GeomAbs_SurfaceOfExtrusion:
        made = _curve(s.BasisCurve(), GeomAbs, u0, u1)
        if made is None:
            return None
        points, weights, axis, degree, knots = made
        d = _xyz(s.Direction())
        net = np.stack([points + v0 * d, points + v1 * d], 1)
        both = np.stack([weights, weights], 1)
        return Surface([Nurbs((degree, 1), (knots, [v0, v0, v1, v1]), net, both)], (axis, Axis(v0, v1)), 0.0)
    return None


_Curve = tuple[NDArray[np.float64], NDArray[np.float64], Axis, int, list[float]]


def _curve(c: Any, GeomAbs: Any, low: float, high: float) -> _Curve | None:
    """Points, weights, map, degree and knots of a curve over a range of its parameter, or None."""
    kind = c.GetType()
    if kind == GeomAbs.GeomAbs_Line:
        o, d = _xyz(c.Line().Location()), _xyz(c.Line().Direction())
        return np.array([o + low * d, o + high * d]), np.ones(2), Axis(low, high), 1, [low, low, high, high]
    if kind in (GeomAbs.GeomAbs_Circle, GeomAbs.GeomAbs_Ellipse):
        circle = c.Circle() if kind == GeomAbs.GeomAbs_Circle else c.Ellipse()
        rx, ry = (circle.Radius(),) * 2 if kind == GeomAbs.GeomAbs_Circle else (circle.MajorRadius(), circle.MinorRadius())
        at = circle.Position()
        axis, unit, weights = _arc(low, high)
        points = _xyz(at.Location()) + rx * unit[:, :1] * _xyz(at.XDirection()) + ry * unit[:, 1:] * _xyz(at.YDirection())
        knots = _product(np.zeros((len(points), 1, 3)), np.ones((len(points), 1)), (axis, axis), (2, 2)).parts[0].knots[0]
        return points, weights, axis, 2, knots
    if kind == GeomAbs.GeomAbs_Parabola:
        at, focal = c.Parabola().Position(), c.Parabola().Focal()
        o, x, y = _xyz(at.Location()), _xyz(at.XDirection()), _xyz(at.YDirection())
        middle = o + low * high / (4 * focal) * x + 0.5 * (low + high) * y  # the polar form
        ends = [o + u * u / (4 * focal) * x + u * y for u in (low, high)]
        return np.array([ends[0], middle, ends[1]]), np.ones(3), Axis(low, high), 2, [low] * 3 + [high] * 3
    if kind not in (GeomAbs.GeomAbs_BSplineCurve, GeomAbs.GeomAbs_BezierCurve):
        return None
    from OCP.GeomConvert import GeomConvert

    spline = c.BSpline().Copy() if kind == GeomAbs.GeomAbs_BSplineCurve else GeomConvert.CurveToBSplineCurve_s(c.Bezier())
    if spline.Degree() > MOST:
        return None
    if spline.IsPeriodic():
        period = spline.LastParameter() - spline.FirstParameter()
        if low < spline.FirstParameter() - NEAR * period or high > spline.LastParameter() + NEAR * period:
            return None  # Open CASCADE cannot cut it across its seam.
        spline.SetNotPeriodic()
    first, last = spline.FirstParameter(), spline.LastParameter()
    a, b = (snapped(min(max(x, first), last), [spline.Knot(k) for k in range(1, spline.NbKnots() + 1)]) for x in (low, high))
    if (a, b) != (first, last):
        spline.Segment(a, b, NEAR * (last - first))
    n = spline.NbPoles()
    points = np.array([_xyz(spline.Pole(k)) for k in range(1, n + 1)])
    weights = np.array([spline.Weight(k) for k in range(1, n + 1)])
    knots = [spline.Knot(k) for k in range(1, spline.NbKnots() + 1) for _ in range(spline.Multiplicity(k))]
    return points, weights, Axis(low, high), spline.Degree(), knots


def _approximated(face: Any) -> tuple[Any, float]:
    """A NURBS surface near that of a face, over the box of its parameters, and how far it is off."""
    from OCP.BRepAdaptor import BRepAdaptor_Surface
    from OCP.GeomAbs import GeomAbs_C1
    from OCP.GeomConvert import GeomConvert_ApproxSurface

    true = BRepAdaptor_Surface(face)
    u0, u1, v0, v1 = true.FirstUParameter(), true.LastUParameter(), true.FirstVParameter(), true.LastVParameter()
    steps = [k / (_SAMPLES - 1) for k in range(_SAMPLES)]
    places = [(u0 + a * (u1 - u0), v0 + b * (v1 - v0)) for a, b in itertools.product(steps, steps)]
    points = [true.Value(u, v) for u, v in places]
    size = max(p.Distance(points[0]) for p in points)
    made = GeomConvert_ApproxSurface(true, _APPROXIMATION * size, GeomAbs_C1, GeomAbs_C1, MOST, MOST, 1000, 1)
    if not made.HasResult():
        raise ValueError("it cannot be approximated")
    s = made.Surface()
    seen = max(s.Value(u, v).Distance(p) for (u, v), p in zip(places, points))  # it has the parameters of the face
    return s, max(made.MaxError(), seen)


def _parts(s: Any, u0: float, u1: float, v0: float, v1: float) -> Any:
    """A B-spline surface over the box of a face's parameters: two or four parts across a seam."""
    across, along = s.IsUPeriodic(), s.IsVPeriodic()
    if across:
        s.SetUNotPeriodic()
    if along:
        s.SetVNotPeriodic()
    a0, a1, b0, b1 = s.Bounds()
    for (c0, c1, du), (d0, d1, dv) in itertools.product(_ranges(u0, u1, a0, a1, across), _ranges(v0, v1, b0, b1, along)):
        part = s.Copy()
        c0, c1 = (snapped(x, [s.UKnot(k) for k in range(1, s.NbUKnots() + 1)]) for x in (c0, c1))
        d0, d1 = (snapped(x, [s.VKnot(k) for k in range(1, s.NbVKnots() + 1)]) for x in (d0, d1))
        if (c0, c1, d0, d1) != (a0, a1, b0, b1):
            part.Segment(c0, c1, d0, d1, NEAR * (a1 - a0), NEAR * (b1 - b0))
        yield _nurbs(part, du, dv)


def _ranges(low: float, high: float, start: float, end: float, periodic: bool) -> list[tuple[float, float, float]]:
    """[low, high] within [start, end], whole periods away: one range, or two where it crosses the seam.

    The third number of a range is what leads from it back to [low, high].
    """
    period = end - start
    if not periodic:
        return [(max(low, start), min(high, end), 0.0)]
    turns = (low - start) // period
    if low - turns * period > end - NEAR * period:
        turns += 1
    shift = turns * period
    low, high = low - shift, high - shift
    if high <= end + NEAR * period:
        return [(max(low, start), min(high, end), shift)]
    return [(low, end, shift), (start, high - period, shift + period)]


def snapped(x: float, knots: list[float]) -> float:
    """x, or the knot that it nearly is: Open CASCADE refuses knots that are too near each other."""
    nearest = min(knots, key=lambda knot: abs(knot - x))
    return nearest if abs(nearest - x) <= NEAR * (knots[-1] - knots[0]) else x


def _nurbs(s: Any, du: float, dv: float) -> Nurbs:
    """A B-spline surface. Rows at the ends that are nearly a point become one, and ends that nearly meet meet."""
    n, m = s.NbUPoles(), s.NbVPoles()
    points = np.array([[_xyz(s.Pole(i, j)) for j in range(1, m + 1)] for i in range(1, n + 1)])
    weights = np.array([[s.Weight(i, j) for j in range(1, m + 1)] for i in range(1, n + 1)])
    near = 1e-12 * max(float(np.ptp(points.reshape(-1, 3), axis=0).max()), 1e-300)
    for row in (points[0], points[-1], points[:, 0], points[:, -1]):
        if np.abs(row - row[0]).max() <= near:
            row[:] = row[0]
    for first, last in ((points[0], points[-1]), (points[:, 0], points[:, -1])):
        if np.abs(first - last).max() <= near:
            last[:] = first
    knots = (
        [s.UKnot(k) + du for k in range(1, s.NbUKnots() + 1) for _ in range(s.UMultiplicity(k))],
        [s.VKnot(k) + dv for k in range(1, s.NbVKnots() + 1) for _ in range(s.VMultiplicity(k))],
    )
    return Nurbs((s.UDegree(), s.VDegree()), knots, points, weights)
