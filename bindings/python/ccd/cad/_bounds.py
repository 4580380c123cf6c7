"""Curves and surfaces of CAD files: their points, and bounds of their first and second derivatives over ranges of parameters.

docs/proofs/cad.md derives the bounds, and what is added for rounding. ``U`` is the rounding of doubles.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

U = 2.0**-53
UP = 1 + 2.0**-40  # what every bound is multiplied by: the rounding of the few sums, products and roots of a formula


class Curve(Protocol):
    """A curve in the plane of parameters or in space: `components` numbers a point."""

    components: int

    def at(self, t: Doubles) -> Doubles:
        """Points (n, components)."""

    def error(self, t: Doubles) -> float:
        """A bound of what rounding puts into a coordinate of `at` of these parameters."""

    def bounds(self, t0: Doubles, t1: Doubles) -> tuple[Doubles, Doubles]:
        """Bounds (n, components) of the absolute first and second derivatives of each coordinate over [t0, t1]."""

    def cut(self, t0: Doubles, t1: Doubles) -> Doubles:
        """A kink between two parameters, NaN where there is none."""

    def folds(self, t0: Doubles, t1: Doubles) -> Doubles:
        """How far jumps of the first derivative in [t0, t1] move each coordinate off a straight line, (n, components)."""


class Surface(Protocol):
    """A surface in space over parameters u, v."""

    def at(self, uv: Doubles) -> Doubles:
        """Points (n, 3)."""

    def error(self, uv: Doubles) -> float:
        """A bound of the distance of points of `at` of these parameters from those of the surface."""

    def bounds(self, box: Doubles) -> Doubles:
        """Bounds (n, 5) of the lengths of S_u, S_v, S_uu, S_uv, S_vv over boxes (n, 4) of u0, u1, v0, v1."""

    def cut(self, p: Doubles, q: Doubles) -> Doubles:
        """Where the ways from p to q, (n, 2), cross a kink: the parameter (n, 2) that is the kink's, NaN else."""

    def folds(self, low: Doubles, high: Doubles) -> Doubles:
        """How far jumps of first derivatives over boxes from low to high, (n, 2), move the surface off a plane, (n,)."""


def far(x: Doubles) -> float:
    """The largest magnitude."""
    return float(np.abs(x).max(initial=0.0))


def trigonometric(v0: Doubles, v1: Doubles) -> tuple[Doubles, Doubles]:
    """Bounds of abs(cos) and abs(sin) over [v0, v1]: the value in the middle, and half of the length."""
    middle, half = 0.5 * (v0 + v1), 0.5 * np.abs(v1 - v0) * UP + 2.0**-40
    return np.minimum(1.0, np.abs(np.cos(middle)) + half), np.minimum(1.0, np.abs(np.sin(middle)) + half)


# ---- curves


class SmoothCurve:
    """Of curves without kinks."""

    components: int

    def cut(self, t0: Doubles, t1: Doubles) -> Doubles:
        return np.full(len(t0), np.nan)

    def folds(self, t0: Doubles, t1: Doubles) -> Doubles:
        return np.zeros((len(t0), self.components))


class Line(SmoothCurve):
    """A point and a direction."""

    def __init__(self, point: Doubles, direction: Doubles):
        self.point, self.direction, self.components = point, direction, len(point)

    def at(self, t: Doubles) -> Doubles:
        found: Doubles = self.point + np.multiply.outer(t, self.direction)
        return found

    def error(self, t: Doubles) -> float:
        return 2.0**-48 * float(np.abs(self.point).max() + far(t) * np.abs(self.direction).max())

    def bounds(self, t0: Doubles, t1: Doubles) -> tuple[Doubles, Doubles]:
        first = np.broadcast_to(np.abs(self.direction), (len(t0), self.components))
        return first * UP, np.zeros((len(t0), self.components))


class Ellipse(SmoothCurve):
    """center + cos(t) x + sin(t) y; a circle has vectors of one length."""

    def __init__(self, center: Doubles, x: Doubles, y: Doubles):
        self.center, self.x, self.y, self.components = center, x, y, len(center)

    def at(self, t: Doubles) -> Doubles:
        found: Doubles = self.center + np.multiply.outer(np.cos(t), self.x) + np.multiply.outer(np.sin(t), self.y)
        return found

    def error(self, t: Doubles) -> float:
        return 2.0**-48 * float(np.abs(self.center).max() + np.abs(self.x).max() + np.abs(self.y).max())

    def bounds(self, t0: Doubles, t1: Doubles) -> tuple[Doubles, Doubles]:
        # a cos + b sin is at most the root of a^2 + b^2, and so are its derivatives.
        most = np.broadcast_to(np.hypot(self.x, self.y), (len(t0), self.components)) * UP
        return most, most


class Hyperbola(SmoothCurve):
    """center + cosh(t) x + sinh(t) y."""

    def __init__(self, center: Doubles, x: Doubles, y: Doubles):
        self.center, self.x, self.y, self.components = center, x, y, len(center)

    def at(self, t: Doubles) -> Doubles:
        found: Doubles = self.center + np.multiply.outer(np.cosh(t), self.x) + np.multiply.outer(np.sinh(t), self.y)
        return found

    def error(self, t: Doubles) -> float:
        size = math.cosh(min(far(t), 700.0)) * float(np.abs(self.x).max() + np.abs(self.y).max())
        return 2.0**-48 * (size + float(np.abs(self.center).max()))

    def bounds(self, t0: Doubles, t1: Doubles) -> tuple[Doubles, Doubles]:
        # Both functions and their derivatives are at most cosh of the largest parameter.
        most = np.cosh(np.maximum(np.abs(t0), np.abs(t1)))[:, None] * (np.abs(self.x) + np.abs(self.y)) * UP
        return most, most


class Parabola(SmoothCurve):
    """center + t^2 x + t y."""

    def __init__(self, center: Doubles, x: Doubles, y: Doubles):
        self.center, self.x, self.y, self.components = center, x, y, len(center)

    def at(self, t: Doubles) -> Doubles:
        found: Doubles = self.center + np.multiply.outer(t * t, self.x) + np.multiply.outer(t, self.y)
        return found

    def error(self, t: Doubles) -> float:
        size = far(t) ** 2 * np.abs(self.x).max() + far(t) * np.abs(self.y).max()
        return 2.0**-48 * float(np.abs(self.center).max() + size)

    def bounds(self, t0: Doubles, t1: Doubles) -> tuple[Doubles, Doubles]:
        far = np.maximum(np.abs(t0), np.abs(t1))[:, None]
        return (2 * far * np.abs(self.x) + np.abs(self.y)) * UP, np.broadcast_to(
            2 * np.abs(self.x) * UP, (len(t0), self.components)
        )


# ---- surfaces


class Frame:
    """The axes of an elementary surface: an origin, and unit vectors x, y, z."""

    def __init__(self, origin: Doubles, x: Doubles, y: Doubles, z: Doubles):
        self.origin, self.x, self.y, self.z = origin, x, y, z

    def at(self, x: Doubles, y: Doubles, z: Doubles) -> Doubles:
        found: Doubles = (
            self.origin + np.multiply.outer(x, self.x) + np.multiply.outer(y, self.y) + np.multiply.outer(z, self.z)
        )
        return found


class Smooth:
    """Of surfaces without kinks."""

    def cut(self, p: Doubles, q: Doubles) -> Doubles:
        return np.full((len(p), 2), np.nan)

    def folds(self, low: Doubles, high: Doubles) -> Doubles:
        return np.zeros(len(low))


class Plane(Smooth):
    """origin + u x + v y."""

    def __init__(self, frame: Frame):
        self.frame = frame

    def at(self, uv: Doubles) -> Doubles:
        return self.frame.at(uv[:, 0], uv[:, 1], np.zeros(len(uv)))

    def error(self, uv: Doubles) -> float:
        return 2.0**-48 * float(np.abs(self.frame.origin).max() + far(uv))

    def bounds(self, box: Doubles) -> Doubles:
        return np.array([UP, UP, 0.0, 0.0, 0.0]) * np.ones((len(box), 1))


class Round(Smooth):
    """A cylinder, cone, sphere or torus: of a circle of radius rho(v) at the height z(v)."""

    def __init__(self, kind: str, frame: Frame, radius: float, more: float = 0.0):
        self.kind, self.frame, self.radius, self.more = kind, frame, radius, more

    def _profile(self, v: Doubles) -> tuple[Doubles, Doubles]:
        """rho and z."""
        r, m = self.radius, self.more
        if self.kind == "cylinder":
            return np.full(len(v), r), v
        if self.kind == "cone":
            return r + v * math.sin(m), v * math.cos(m)
        if self.kind == "sphere":
            return r * np.cos(v), r * np.sin(v)
        return r + m * np.cos(v), m * np.sin(v)

    def at(self, uv: Doubles) -> Doubles:
        rho, z = self._profile(uv[:, 1])
        return self.frame.at(rho * np.cos(uv[:, 0]), rho * np.sin(uv[:, 0]), z)

    def error(self, uv: Doubles) -> float:
        height = far(uv[:, 1]) if self.kind in ("cylinder", "cone") else 0.0
        return 2.0**-46 * float(np.abs(self.frame.origin).max() + self.radius + abs(self.more) + height)

    def bounds(self, box: Doubles) -> Doubles:
        v0, v1 = box[:, 2], box[:, 3]
        middle, half, one = 0.5 * (v0 + v1), 0.5 * np.abs(v1 - v0) * UP, np.ones(len(box))
        rho, zero = np.abs(self._profile(middle)[0]), np.zeros(len(box))
        cos, sin = trigonometric(v0, v1)
        tiny = 2.0**-40 * (self.radius + abs(self.more))
        if self.kind == "cylinder":
            rows = [rho, one, rho, zero, zero]
        elif self.kind == "cone":
            slope = abs(math.sin(self.more))
            rho = rho + slope * half + tiny
            rows = [rho, one, rho, slope * one, zero]
        elif self.kind == "sphere":
            r = self.radius
            rows = [r * cos, r * one, r * cos, r * sin, r * one]
        else:
            r = self.more
            rho = rho + r * half + tiny
            rows = [rho, r * one, rho, r * sin, r * one]
        return np.stack(rows, 1) * UP


class Convex(Round):
    """A sphere, or a cone: flat triangles with corners on it are projected on it, from the center or straight off the axis.

    What they are projected on are facets without a pole. ``steep`` bounds how much longer the way of a projection is than the
    distance, plus 1.
    """

    def __init__(self, kind: str, frame: Frame, radius: float, more: float = 0.0):
        super().__init__(kind, frame, radius, more)
        self.steep = 2.0 if kind == "sphere" else (1 + 1 / math.cos(more)) * UP

    def over(self, points: Doubles) -> tuple[Doubles, Doubles]:
        """How far flat triangles (n, 3, 3) with corners on the surface are from it, and what each side adds, (n, 3)."""
        if self.kind == "sphere":
            # Of a point with shares l_i, R^2 - |p|^2 is the sum of l_i l_j |c_i - c_j|^2, at most a third of the longest one.
            square = ((points[:, [1, 2, 0]] - points) ** 2).sum(2)
            part, r = square.max(1) / 3 * UP, self.radius
            deep = np.where(part < r * r, part / (r + np.sqrt(np.maximum(r * r - part, 0))), r)
            return deep, square * (0.25 / r)
        p = points - self.frame.origin
        x, y, z = p @ self.frame.x, p @ self.frame.y, p @ self.frame.z
        # The radius of the cone at the height of each corner; where it is 0 the corner has no direction, and needs none.
        rho = self.radius + z * math.tan(self.more)
        angle = np.arctan2(y * np.sign(rho), x * np.sign(rho))
        tip = np.abs(rho) <= 2.0**-40 * (abs(self.radius) + np.abs(z))
        differ = np.abs(np.remainder(angle[:, [1, 2, 0]] - angle + math.pi, math.tau) - math.pi)
        differ = np.where(tip | tip[:, [1, 2, 0]], 0.0, differ)
        far, turn = np.abs(rho).max(1), differ.max(1) + 2.0**-45
        # The flat triangle is at least rho cos(turn / 2) from the axis, where it has no two sides of the tip.
        whole = (turn > 2.0) | ((rho.max(1) > 0) & (rho.min(1) < 0) & ~tip.any(1))
        deep = np.where(whole, 2 * far, far * 2 * np.sin(0.25 * turn) ** 2 + 2.0**-40 * far * turn)
        return deep, far[:, None] * 2 * np.sin(0.25 * differ) ** 2

    def project(self, points: Doubles) -> Doubles:
        """Points (n, 3), not on the axis or in the center, on the surface."""
        p = points - self.frame.origin
        if self.kind == "sphere":
            found: Doubles = self.frame.origin + p * (self.radius / np.linalg.norm(p, axis=1))[:, None]
            return found
        x, y, z = p @ self.frame.x, p @ self.frame.y, p @ self.frame.z
        rho, r = self.radius + z * math.tan(self.more), np.hypot(x, y)
        r = np.where(r > 0, r, 1.0)
        return self.frame.at(x * np.abs(rho) / r, y * np.abs(rho) / r, z)


class Extrusion:
    """curve(u) + v direction."""

    def __init__(self, curve: Curve, direction: Doubles):
        self.curve, self.direction = curve, direction

    def at(self, uv: Doubles) -> Doubles:
        found: Doubles = self.curve.at(uv[:, 0]) + np.multiply.outer(uv[:, 1], self.direction)
        return found

    def error(self, uv: Doubles) -> float:
        return 2 * self.curve.error(uv[:, 0]) + 2.0**-48 * far(uv[:, 1])

    def cut(self, p: Doubles, q: Doubles) -> Doubles:
        return np.stack([self.curve.cut(p[:, 0], q[:, 0]), np.full(len(p), np.nan)], 1)

    def folds(self, low: Doubles, high: Doubles) -> Doubles:
        found: Doubles = np.linalg.norm(self.curve.folds(low[:, 0], high[:, 0]), axis=1)
        return found

    def bounds(self, box: Doubles) -> Doubles:
        first, second = (np.linalg.norm(x, axis=1) for x in self.curve.bounds(box[:, 0], box[:, 1]))
        zero = np.zeros(len(box))
        return np.stack([first, np.full(len(box), np.linalg.norm(self.direction)), second, zero, zero], 1) * UP


class Revolution:
    """The curve of v, turned by u about an axis."""

    def __init__(self, curve: Curve, origin: Doubles, axis: Doubles):
        self.curve, self.origin, self.axis = curve, origin, axis

    def at(self, uv: Doubles) -> Doubles:
        p = self.curve.at(uv[:, 1]) - self.origin
        along = np.multiply.outer(p @ self.axis, self.axis)
        cos, sin = np.cos(uv[:, :1]), np.sin(uv[:, :1])
        found: Doubles = self.origin + along + cos * (p - along) + sin * np.cross(self.axis, p)
        return found

    def error(self, uv: Doubles) -> float:
        size = float(np.abs(self.origin).max() + np.abs(self.curve.at(uv[:, 1])).max(initial=0))
        return 8 * self.curve.error(uv[:, 1]) + 2.0**-45 * size

    def cut(self, p: Doubles, q: Doubles) -> Doubles:
        return np.stack([np.full(len(p), np.nan), self.curve.cut(p[:, 1], q[:, 1])], 1)

    def folds(self, low: Doubles, high: Doubles) -> Doubles:
        found: Doubles = np.linalg.norm(self.curve.folds(low[:, 1], high[:, 1]), axis=1)
        return found

    def bounds(self, box: Doubles) -> Doubles:
        t0, t1 = box[:, 2], box[:, 3]
        first, second = (np.linalg.norm(x, axis=1) for x in self.curve.bounds(t0, t1))
        middle = self.curve.at(0.5 * (t0 + t1)) - self.origin
        rho = np.linalg.norm(np.cross(self.axis, middle), axis=1) * UP + first * 0.5 * np.abs(t1 - t0)
        rho = rho + 2.0**-40 * (np.abs(self.origin).max() + np.abs(middle).max(1))
        return np.stack([rho, first, rho, first, second], 1) * UP


def transformed(points: Any, matrix: Doubles) -> Doubles:
    """Points (..., 3) moved by a matrix (4, 4)."""
    found: Doubles = np.asarray(points, float) @ matrix[:3, :3].T + matrix[:3, 3]
    return found
