"""The images of faces about a line: boxes of distances rho from the line and heights z along it, or segments of cones.

The map to (rho, z) makes no distance longer, so faces whose images are apart are as far apart. What a face takes up is known
from its trimming curves alone, where its surface is flat or round, or from its facets. docs/proofs/cad.md has the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ._bounds import UP, Curve, Doubles, Ellipse, Line, Plane, Round, Surface
from ._facets import Face, Facets, slivers
from ._reach import Hulls

_ANGLES = np.linspace(0.0, 2 * np.pi, 17)[:-1]  # Directions across a line along which boxes are measured.
_CHORDS = 64  # An ellipse is taken for so many chords where it is asked whether a line passes through a face.

Span = tuple[Curve, float, float]  # a curve of a face's boundary, from one parameter to another


@dataclass
class Images:
    """The images of the faces of a part about a line: each is within `off` of a convex quadrilateral of points (rho, z)."""

    corners: Doubles  # (faces, 4, 2)
    off: Doubles  # (faces,)


class Extents(Protocol):
    """What faces take up."""

    faces: Sequence[Face]

    def about(self, origin: Doubles, way: Doubles) -> tuple[Doubles, Doubles]:
        """The least and the largest (rho, z) of each face about a line, (faces, 2)."""

    def box(self, f: int) -> tuple[Doubles, Doubles]:
        """The least and the largest parameters of a face."""

    def boundary(self, f: int) -> tuple[list[Span], float]:
        """The curves around a flat face, and how far their ends are apart."""

    def passes(self, f: int, origin: Doubles, way: Doubles, near: float) -> bool:
        """Whether a line that comes near a flat face, and keeps a distance from its boundary, may pass through the face."""


class OfFacets:
    """What faces take up by their facets."""

    def __init__(self, facets: Facets):
        self.facets = facets
        self.faces: Sequence[Face] = facets.faces
        self._rows = dict(facets.by_face())

    def about(self, origin: Doubles, way: Doubles) -> tuple[Doubles, Doubles]:
        facets = self.facets
        p = facets.points - origin
        z = p @ way
        across = p - z[..., None] * way
        rho, dev, count = np.linalg.norm(across, axis=2), facets.deviation, len(facets.faces)
        low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
        np.minimum.at(low, facets.face, np.stack([_least(across, way) - dev, z.min(1) - dev], 1))
        np.maximum.at(high, facets.face, np.stack([rho.max(1) + dev, z.max(1) + dev], 1))
        return low, high

    def box(self, f: int) -> tuple[Doubles, Doubles]:
        own = self.facets.chosen(self._rows[f])
        slack = slivers(own.faces[f], own.uv, own.side, own.at).max((0, 1))
        return own.uv.min((0, 1)) - slack, own.uv.max((0, 1)) + slack

    def boundary(self, f: int) -> tuple[list[Span], float]:
        own, out, gap = self.facets.chosen(self._rows[f]), [], 0.0
        for c in np.unique(own.side[own.side >= 0]).tolist():
            rows, k = np.nonzero(own.side == c)
            curve, t = self.faces[f].curves[c], own.at[rows, k]
            ends = np.stack([own.uv[rows, k], own.uv[rows, (k + 1) % 3]], 1)
            gap = max(gap, float(np.abs(curve.at(t.reshape(-1)).reshape(-1, 2, 2) - ends).max()))
            out.append((curve, float(t.min()), float(t.max())))
        return out, gap

    def passes(self, f: int, origin: Doubles, way: Doubles, near: float) -> bool:
        return True


class OfCurves:
    """What flat and round faces take up by the curves that trim them, without facets."""

    def __init__(self, faces: Sequence[Face], ranges: Sequence[Sequence[tuple[float, float]]], hulls: Hulls):
        self.faces, self.ranges, self.hulls = faces, ranges, hulls

    @staticmethod
    def of(faces: Sequence[Face], ranges: Sequence[Sequence[tuple[float, float]]], hulls: Hulls | None) -> OfCurves | None:
        """The extents of faces; None where one is neither flat, between lines and ellipses that join, nor round."""
        if hulls is None:
            return None
        found = OfCurves(faces, ranges, hulls)
        for f, face in enumerate(faces):
            if isinstance(face.surface, Plane):
                if (
                    not all(isinstance(c, (Line, Ellipse)) for c in face.curves)
                    or not found.boundary(f)[1] <= 1e-6 * hulls.size
                ):
                    return None
            elif not isinstance(face.surface, Round):
                return None
        return found

    def about(self, origin: Doubles, way: Doubles) -> tuple[Doubles, Doubles]:
        p = self.hulls.corners - origin  # (faces, 8, 3)
        z = p @ way
        x = np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])
        x /= np.linalg.norm(x)
        flat = np.stack([p @ x, p @ np.cross(way, x)], 2)
        off = self.hulls.off + 2.0**-40 * (self.hulls.size + float(np.abs(origin).max()))
        # A box is as far from the line as it is along any direction across it.
        middle = flat.mean(1)
        length = np.linalg.norm(middle, axis=1)[:, None]
        own = np.where(length > 0, middle / np.where(length > 0, length, 1.0), 0.0)
        others = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1)
        least = np.maximum((flat @ own[:, :, None])[..., 0].min(1), (flat @ others.T).min(1).max(1)) * (2 - UP)
        low = np.stack([np.maximum(least - off, 0.0), z.min(1) - off], 1)
        return low, np.stack([np.linalg.norm(flat, axis=2).max(1) * UP + off, z.max(1) + off], 1)

    def box(self, f: int) -> tuple[Doubles, Doubles]:
        return self.hulls.low[f], self.hulls.high[f]

    def boundary(self, f: int) -> tuple[list[Span], float]:
        spans = [(c, *t) for c, t in zip(self.faces[f].curves, self.ranges[f])]
        return spans, float(_joints(_ends(spans))[1].max())

    def passes(self, f: int, origin: Doubles, way: Doubles, near: float) -> bool:
        s, (spans, gap) = self.faces[f].surface, self.boundary(f)
        assert isinstance(s, Plane)
        slope = float(s.frame.z @ way)
        reach = near - 8 * gap - 2.0**-30 * (self.hulls.size + float(np.abs(origin).max()))
        if abs(slope) < 0.1 or not reach > 0:
            return True
        at = origin + float((s.frame.origin - origin) @ s.frame.z) / slope * way - s.frame.origin
        point = np.array([at @ s.frame.x, at @ s.frame.y])
        # Chords that are nearer to the curves than the point is go around it as the curves do. What is left out between ends
        # is closed by chords, too. A ray then passes an odd number of chords if the point is in the face.
        chords = []
        for curve, t0, t1 in spans:
            count = 1
            if isinstance(curve, Ellipse):
                count = _CHORDS
                bend = (np.linalg.norm(curve.x) + np.linalg.norm(curve.y)) * ((t1 - t0) / count) ** 2 / 8
                if not bend < 0.5 * reach:
                    return True
            p = curve.at(np.linspace(t0, t1, count + 1))
            chords.append(np.stack([p[:-1], p[1:]], 1))
        ends = _ends(spans)
        other, _ = _joints(ends)
        if not np.array_equal(other[other], np.arange(len(ends))):  # Some ends do not come in pairs.
            return True
        chords.append(np.stack([ends, ends[other]], 1)[np.arange(len(ends)) < other])
        a, b = np.moveaxis(np.concatenate(chords) - point, 1, 0)
        some = (a[:, 1] > 0) != (b[:, 1] > 0)
        a, b = a[some], b[some]
        beyond = a[:, 0] + (b[:, 0] - a[:, 0]) * (-a[:, 1] / (b[:, 1] - a[:, 1])) > 0
        return bool(np.count_nonzero(beyond) % 2)


def _ends(spans: list[Span]) -> Doubles:
    """The ends of curves, one after the other."""
    return np.concatenate([c.at(np.array([t0, t1])) for c, t0, t1 in spans])


def _joints(ends: Doubles) -> tuple[NDArray[np.intp], Doubles]:
    """The nearest other end of each, and how far it is away along either coordinate."""
    far = np.abs(ends[:, None] - ends).max(2)
    np.fill_diagonal(far, np.inf)
    other = far.argmin(1)
    return other, far[np.arange(len(ends)), other]


def images(extents: Extents, size: float, origin: Doubles, way: Doubles) -> Images:
    """The images of all faces about a line: of what they take up, and of what is known of round and of flat faces."""
    low, high = extents.about(origin, way)
    off, slanted = np.zeros(len(low)), {}
    for f, face in enumerate(extents.faces):
        s = face.surface
        if isinstance(s, Round):
            (_, v0), (_, v1) = box = extents.box(f)
            corners, off[f], least = _round(s, v0, v1, origin, way)
            error = rounding(s, np.stack(box))
            off[f] += error
            low[f, 0] = max(low[f, 0], least - error)
            if s.kind == "cone" and off[f] <= 1e-9 * size:
                slanted[f] = corners
        elif isinstance(s, Plane) and (found := _flat(s, *(bounds := extents.boundary(f)), origin, way)) is not None:
            corners, off[f] = found
            off[f] += rounding(s, np.stack(extents.box(f)), bounds[0])
            # The line may pass through the face, whose boundary says nothing of the least distance then.
            if low[f, 0] <= 0 and extents.passes(f, origin, way, float(corners[:, 0].min() - off[f])):
                corners[[0, 3], 0] = 0.0
        else:
            continue
        low[f] = np.maximum(low[f], corners.min(0) - off[f])
        high[f] = np.minimum(high[f], corners.max(0) + off[f])
    low[:, 0], high = np.maximum(low[:, 0], 0.0), np.maximum(low, high)
    corners = np.stack([low, np.stack([high[:, 0], low[:, 1]], 1), high, np.stack([low[:, 0], high[:, 1]], 1)], 1)
    for f, line in slanted.items():
        corners[f] = line
    return Images(corners, np.where(np.isin(np.arange(len(low)), list(slanted)), off, 0.0))


def rounding(s: Surface, box: Doubles, spans: Sequence[Span] = ()) -> float:
    """What rounding does to points of a face: the origin of its surface, or of a curve, may be far from all of them."""
    return 4 * (s.error(box) + max((c.error(np.array([t0, t1])) for c, t0, t1 in spans), default=0.0))


def _least(across: Doubles, way: Doubles) -> Doubles:
    """The least distance from a line of flat triangles (n, 3, 3), whose corners are projected along it."""
    x = np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])
    x /= np.linalg.norm(x)
    a = np.stack([across @ x, across @ np.cross(way, x)], 2)
    b = a[:, [1, 2, 0]]
    d = b - a
    square = (d**2).sum(2)
    share = np.clip(-(a * d).sum(2) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    least = np.linalg.norm(a + share[..., None] * d, axis=2).min(1)
    turn = a[..., 0] * d[..., 1] - a[..., 1] * d[..., 0]
    inside = (turn >= 0).all(1) | (turn <= 0).all(1)
    found: Doubles = np.where(inside, 0.0, least)
    return found


def _round(s: Round, v0: float, v1: float, origin: Doubles, way: Doubles) -> tuple[Doubles, float, float]:
    """A quadrilateral of points (rho, z), how far the image of a round face about a line may be from it, and its least rho.

    The face is turned about its own axis, which may be off the line.
    """
    v, r, m = np.array([v0, v1]), s.radius, s.more
    if s.kind == "cylinder":
        profile = np.array([[r, v[0]], [r, v[1]]])
    elif s.kind == "cone":
        rho = r + v * np.sin(m)
        profile = np.stack([np.abs(rho), v * np.cos(m)], 1)
        if rho[0] * rho[1] < 0:
            profile = np.concatenate([profile, [[0.0, profile[:, 1].min()], [0.0, profile[:, 1].max()]]])
    elif s.kind == "sphere":
        v = np.clip(v, -0.5 * np.pi, 0.5 * np.pi)
        cos = np.cos(v)
        most = 1.0 if v[0] <= 0 <= v[1] else cos.max()
        profile = r * np.array(
            [[cos.min(), np.sin(v[0])], [most, np.sin(v[0])], [most, np.sin(v[1])], [cos.min(), np.sin(v[1])]]
        )
    else:
        c, h = _range(v), _range(v - 0.5 * np.pi)
        profile = np.array([[r + m * c[i], m * h[j]] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))])
        if profile[:, 0].min() < 0:
            profile[:, 0] = [0.0, np.abs(profile[:, 0]).max(), np.abs(profile[:, 0]).max(), 0.0]
    if len(profile) == 2:
        profile = profile[[0, 1, 1, 0]]
    turn = s.frame.z @ way
    places = s.frame.origin + np.multiply.outer(profile[:, 1], s.frame.z) - origin
    height = places @ way
    centers = places - np.multiply.outer(height, way)
    d = float(np.linalg.norm(centers, axis=1).max())
    middle = centers.mean(0)
    tilt = float(np.linalg.norm(s.frame.z - turn * way))
    most = float(profile[:, 0].max())
    # Points of the face are within the radius of points between the centers.
    near = float(np.linalg.norm(middle) - np.linalg.norm(centers - middle, axis=1).max()) - most * UP
    return np.stack([profile[:, 0], height], 1), (d + most * (tilt + tilt**2)) * UP, near - 2.0**-40 * (d + most)


def _range(v: Doubles) -> tuple[float, float]:
    """The least and the largest cosine over an interval."""
    c = np.cos(v)
    low = -1.0 if np.floor((v[1] - np.pi) / (2 * np.pi)) >= np.ceil((v[0] - np.pi) / (2 * np.pi)) else float(c.min())
    high = 1.0 if np.floor(v[1] / (2 * np.pi)) >= np.ceil(v[0] / (2 * np.pi)) else float(c.max())
    return low, high


def _flat(s: Plane, spans: list[Span], gap: float, origin: Doubles, way: Doubles) -> tuple[Doubles, float] | None:
    """The same of the boundary of a flat face; None where a curve is no straight line or ellipse.

    The distance from a line is convex on a plane: it is largest on the boundary, and least there or where the line passes.
    """
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for curve, t0, t1 in spans:
        if isinstance(curve, Line):
            p = s.at(curve.at(np.array([t0, t1]))) - origin
            z = p @ way
            flat = p - np.multiply.outer(z, way)
            d = flat[1] - flat[0]
            share = min(1.0, max(0.0, float(-(flat[0] @ d) / (d @ d)))) if d @ d > 0 else 0.0
            rho = np.linalg.norm(np.stack([flat[0] + share * d, *flat]), axis=1)
        elif isinstance(curve, Ellipse):
            center, x, y = (
                s.at(curve.center[None])[0] - origin,
                *(v @ np.stack([s.frame.x, s.frame.y]) for v in (curve.x, curve.y)),
            )
            z = center @ way + np.hypot(x @ way, y @ way) * np.array([-1.0, 1.0])
            aside = float(np.linalg.norm(center - (center @ way) * way))
            flat = np.stack([v - (v @ way) * way for v in (x, y)])
            a, b = (flat @ flat.T).ravel()[[0, 3]].sum(), np.linalg.norm(np.cross(*flat))
            # Of the two axes of the projected ellipse the sum of squares is a, and the product b.
            most = np.sqrt(0.5 * (a + np.sqrt(max(a * a - 4 * b * b, 0.0))))
            least = b / most if most > 0 else 0.0
            rho = np.array([max(0.0, least - aside, aside - most), most + aside])
        else:
            return None
        low, high = np.minimum(low, [rho.min(), z.min()]), np.maximum(high, [rho.max(), z.max()])
    if not np.all(np.isfinite(low)):
        return None
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]]), 2 * gap
