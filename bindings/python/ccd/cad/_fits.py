"""Distances that two parts keep by the axes and centers of their round faces, without splitting triangles.

Where a line of one part stays near a line of the other over a motion, as the axis of a shaft near that of its bearing, a point
is described by its distance rho from the line and its height z along it. The map to (rho, z) makes no distance longer. So two
faces whose images are apart keep at least the distance of the images, however the shaft turns. The image of a face about a
line of its own part does not move; the motion enters by how far the two lines are from each other. The distance from the
center of a sphere serves likewise. docs/proofs/cad.md has the proof.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..rigid import Motion
from ._bounds import UP, Doubles, Ellipse, Line, Plane, Revolution, Round
from ._facets import Face, Facets, slivers

_MOST_LINES = 32  # of a part
_MOST_PAIRS = 4  # of lines that are compared over a motion
_NEAR = 0.02  # lines that are farther apart than this share of the parts' size are not compared
_ROUNDING = 2.0**-40  # of the coordinates: what is taken off every distance
_STEPS = 64  # the most into which a motion is divided


@dataclass
class Images:
    """The images of the faces of a part about a line: each is within `off` of a convex quadrilateral of points (rho, z)."""

    corners: Doubles  # (faces, 4, 2)
    off: Doubles  # (faces,)


class Lines:
    """The axes of the round faces of a part, and the images of its faces about them, made when they are asked for."""

    def __init__(self, faces: list[Face], size: float, facets: Callable[[], Facets]):
        self.faces, self.size, self._made = faces, size, facets
        found: list[tuple[Doubles, Doubles]] = []
        self.centers: list[int] = []  # lines whose origin is the center of a sphere
        for face in faces:
            s = face.surface
            if isinstance(s, Round):
                o, k = s.frame.origin, s.frame.z
            elif isinstance(s, Revolution):
                o, k = s.origin, s.axis
            else:
                continue
            sphere = isinstance(s, Round) and s.kind == "sphere"
            at = next((n for n, known in enumerate(found) if self._same(known, (o, k), sphere)), len(found))
            if at == len(found) and at < _MOST_LINES:
                found.append((o, k))
            if sphere and at < len(found) and at not in self.centers:
                self.centers.append(at)
        self.origins, self.ways = (np.array([x[k] for x in found]).reshape(-1, 3) for k in (0, 1))
        self._images: dict[int, Images] = {}
        self._radii: dict[int, Doubles] = {}

    def _same(self, known: tuple[Doubles, Doubles], other: tuple[Doubles, Doubles], sphere: bool) -> bool:
        """Whether two lines are one, nearly; those of spheres need the same center."""
        (p, d), (o, k) = known, other
        w = o - p if sphere else (o - p) - ((o - p) @ d) * d
        near = 1e-12 * self.size
        return bool(np.abs(w).max() <= near and (sphere or np.abs(np.cross(d, k)).max() <= 1e-12))

    @functools.cached_property
    def facets(self) -> Facets:
        """The facets of all faces, made when images are asked for."""
        return self._made()

    def images(self, n: int) -> Images:
        """The images about a line."""
        if n not in self._images:
            self._images[n] = _images(self.facets, self.origins[n], self.ways[n])
        return self._images[n]

    def radii(self, n: int) -> Doubles:
        """The least and the largest distance of each face from the origin of a line, (faces, 2)."""
        if n not in self._radii:
            made = self.images(n)
            low, high = made.corners.min(1) - made.off[:, None], made.corners.max(1) + made.off[:, None]
            z = np.where((low[:, 1] <= 0) & (high[:, 1] >= 0), 0.0, np.minimum(np.abs(low[:, 1]), np.abs(high[:, 1])))
            far = np.maximum(np.abs(low[:, 1]), np.abs(high[:, 1]))
            out = np.stack([np.hypot(np.maximum(low[:, 0], 0.0), z), np.hypot(high[:, 0], far)], 1)
            for f, face in enumerate(self.faces):
                s = face.surface
                if isinstance(s, Round) and s.kind == "sphere":
                    off = float(np.linalg.norm(s.frame.origin - self.origins[n]))
                    out[f] = max(out[f, 0], s.radius - off), min(out[f, 1], s.radius + off)
            self._radii[n] = out
        return self._radii[n]


# ---- images of faces


def _images(facets: Facets, origin: Doubles, way: Doubles) -> Images:
    """The images of all faces about a line: of their triangles, and of what is known of round and of flat faces."""
    p = facets.points - origin
    z = p @ way
    across = p - z[..., None] * way
    rho, dev, count = np.linalg.norm(across, axis=2), facets.deviation, len(facets.faces)
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    np.minimum.at(low, facets.face, np.stack([_least(across, way) - dev, z.min(1) - dev], 1))
    np.maximum.at(high, facets.face, np.stack([rho.max(1) + dev, z.max(1) + dev], 1))
    off, slanted = np.zeros(count), {}
    for f, rows in facets.by_face():
        s, own = facets.faces[f].surface, facets.chosen(rows)
        if isinstance(s, Round):
            corners, off[f] = _round(s, own, origin, way)
            if s.kind == "cone" and off[f] <= 1e-9 * float(np.abs(facets.points).max()):
                slanted[f] = corners
        elif isinstance(s, Plane) and (found := _flat(s, own, origin, way)) is not None:
            corners, off[f] = found
            if low[f, 0] <= 0:  # The line may pass through the face, whose boundary says nothing of the least distance then.
                corners[[0, 3], 0] = 0.0
        else:
            continue
        low[f] = np.maximum(low[f], corners.min(0) - off[f])
        high[f] = np.minimum(high[f], corners.max(0) + off[f])
    low[:, 0], high = np.maximum(low[:, 0], 0.0), np.maximum(low, high)
    corners = np.stack([low, np.stack([high[:, 0], low[:, 1]], 1), high, np.stack([low[:, 0], high[:, 1]], 1)], 1)
    for f, line in slanted.items():
        corners[f] = line
    return Images(corners, np.where(np.isin(np.arange(count), list(slanted)), off, 0.0))


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


def _round(s: Round, own: Facets, origin: Doubles, way: Doubles) -> tuple[Doubles, float]:
    """A quadrilateral of points (rho, z), and how far the image of a round face about a line may be from it.

    The face is turned about its own axis, which may be off the line.
    """
    slack = slivers(own.faces[int(own.face[0])], own.uv, own.side, own.at)[..., 1].max()
    v = np.array([own.uv[..., 1].min() - slack, own.uv[..., 1].max() + slack])
    r, m = s.radius, s.more
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
    d = float(np.linalg.norm(places - np.multiply.outer(height, way), axis=1).max())
    tilt = float(np.linalg.norm(s.frame.z - turn * way))
    most = float(profile[:, 0].max())
    return np.stack([profile[:, 0], height], 1), (d + most * (tilt + tilt**2)) * UP


def _range(v: Doubles) -> tuple[float, float]:
    """The least and the largest cosine over an interval."""
    c = np.cos(v)
    low = -1.0 if np.floor((v[1] - np.pi) / (2 * np.pi)) >= np.ceil((v[0] - np.pi) / (2 * np.pi)) else float(c.min())
    high = 1.0 if np.floor(v[1] / (2 * np.pi)) >= np.ceil(v[0] / (2 * np.pi)) else float(c.max())
    return low, high


def _flat(s: Plane, own: Facets, origin: Doubles, way: Doubles) -> tuple[Doubles, float] | None:
    """The same of the boundary of a flat face; None where a curve is no straight line or ellipse.

    The distance from a line is convex on a plane: it is largest on the boundary, and least there or where the line passes.
    """
    face = own.faces[int(own.face[0])]
    low, high, gap = np.full(2, np.inf), np.full(2, -np.inf), 0.0
    for c in np.unique(own.side[own.side >= 0]).tolist():
        rows, k = np.nonzero(own.side == c)
        curve, t = face.curves[c], own.at[rows, k]
        ends = np.stack([own.uv[rows, k], own.uv[rows, (k + 1) % 3]], 1)
        gap = max(gap, float(np.abs(curve.at(t.reshape(-1)).reshape(-1, 2, 2) - ends).max()))
        if isinstance(curve, Line):
            p = s.at(curve.at(np.array([t.min(), t.max()]))) - origin
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


# ---- motions


def kept(a: Lines, b: Lines, ma: Motion, mb: Motion, duration: float) -> Doubles | None:
    """Lower bounds of the distances of each face of a from each face of b over a motion; None where nothing is proven."""
    if not len(a.origins) or not len(b.origins):
        return None
    poses = [[m.matrix(t) for t in ((0.0, duration) if duration > 0 else (0.0,))] for m in (ma, mb)]
    size = a.size + b.size
    chosen, between = _near_lines(a, b, poses, _NEAR * min(a.size, b.size))
    if not chosen and not between:
        return None
    far = size + max(float(np.abs(x).max()) for x in (a.origins, b.origins, *(p[:3, 3] for both in poses for p in both)))
    far += duration * float(sum(np.abs(np.asarray(m.velocity, float)).max() for m in (ma, mb)))
    out = np.zeros((len(a.faces), len(b.faces)))
    for i, j in chosen:
        np.maximum(out, _by_lines(a, i, b, j, (ma, mb), duration), out=out)
    for i, j in between:
        at, off = _path(a.origins[i][None], ma, mb, duration)
        d = float(np.linalg.norm(at[:, 0] - b.origins[j], axis=1).max()) + off
        x, y = a.radii(i), b.radii(j)
        np.maximum(out, np.maximum(y[None, :, 0] - x[:, None, 1], x[:, None, 0] - y[None, :, 1]) - d, out=out)
    out -= 4 * _ROUNDING * far
    return np.maximum(out, 0.0) if out.max() > 0 else None


def near_axes(a: Lines, b: Lines, ma: Motion, mb: Motion, duration: float) -> tuple[int, int] | None:
    """The nearest of the lines that are near each other where a motion begins and ends."""
    if not len(a.origins) or not len(b.origins):
        return None
    poses = [[m.matrix(t) for t in (0.0, duration)] for m in (ma, mb)]
    chosen, _ = _near_lines(a, b, poses, 2 * _NEAR * min(a.size, b.size))
    return chosen[0] if chosen else None


def _near_lines(
    a: Lines, b: Lines, poses: list[list[Doubles]], near: float
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs of lines that are near each other where a motion begins and ends, the nearest first, and pairs of centers."""
    off, apart = np.zeros((len(a.origins), len(b.origins))), np.zeros((len(a.origins), len(b.origins)))
    for p, q in zip(*poses):
        turn = q[:3, :3].T @ p[:3, :3]
        o, k = a.origins @ turn.T + q[:3, :3].T @ (p[:3, 3] - q[:3, 3]), a.ways @ turn.T
        w = o[:, None] - b.origins
        along = np.einsum("ijc,jc->ij", w, b.ways)
        tilt = np.linalg.norm(np.cross(k[:, None], b.ways[None]), axis=2)
        aside = np.linalg.norm(w - along[..., None] * b.ways, axis=2)
        # The lines are compared where the parts are, not at their origins.
        off = np.maximum(off, np.maximum(aside - tilt * np.abs(along), 0.0) + tilt * min(a.size, b.size))
        apart = np.maximum(apart, np.linalg.norm(w, axis=2))
    order = [divmod(int(n), off.shape[1]) for n in np.argsort(off, axis=None, kind="stable")[:_MOST_PAIRS]]
    centers = [(i, j) for i in a.centers for j in b.centers if apart[i, j] <= near]
    return [(i, j) for i, j in order if off[i, j] <= near], centers[:_MOST_PAIRS]


def _path(points: Doubles, ma: Motion, mb: Motion, duration: float) -> tuple[Doubles, float]:
    """Where points of a are in coordinates of b, (times, points, 3), and how far they may be from the chords between."""
    wa, wb, v = *(np.asarray(m.angular_velocity, float) for m in (ma, mb)), np.subtract(ma.velocity, mb.velocity)
    first = points @ ma.matrix(0.0)[:3, :3].T + ma.matrix(0.0)[:3, 3]
    total = float(bends(points, ma, mb, duration).max()) * duration**2 / 8
    size = float(np.abs(points).max(initial=0.0)) + 1e-300
    steps = 1 if total <= 2.0**-30 * size else min(_STEPS, 2 + int(np.sqrt(total / (1e-6 * size))))
    times = np.linspace(0.0, duration, steps + 1) if duration > 0 else np.zeros(1)
    pa, pb = (np.asarray(m.position, float) for m in (ma, mb))
    w = turned(first - pa, wa, times) + (pa - pb) + np.multiply.outer(times, v)[:, None]
    found = turned(w, -wb, times) + (pb - mb.matrix(0.0)[:3, 3])
    return found @ mb.matrix(0.0)[:3, :3], total / steps**2 * UP


def bends(points: Doubles, ma: Motion, mb: Motion, duration: float) -> Doubles:
    """Bounds of the acceleration of points of a in coordinates of b: of a's turn, of Coriolis, and of b's turn."""
    wa, wb, va, vb = (np.asarray(x, float) for x in (ma.angular_velocity, mb.angular_velocity, ma.velocity, mb.velocity))
    first = points @ ma.matrix(0.0)[:3, :3].T + ma.matrix(0.0)[:3, 3]
    arm = _across(first - np.asarray(ma.position, float), wa)
    beside = _across(first - np.asarray(mb.position, float), wb)
    ra, rb, v = np.linalg.norm(wa), np.linalg.norm(wb), va - vb
    drift = beside + duration * (float(_across(v[None], wb)[0]) + ra * arm)
    found: Doubles = (ra**2 * arm + 2 * (np.linalg.norm(np.cross(wb, v)) + rb * ra * arm) + rb**2 * drift) * UP
    return found


def turned(x: Doubles, w: Doubles, times: Doubles) -> Doubles:
    """Vectors (n, 3) or (times, n, 3) turned at a rate for each time, (times, n, 3)."""
    x = np.broadcast_to(x, (len(times), *x.shape[-2:]))
    rate = float(np.linalg.norm(w))
    if rate == 0:
        return x
    k, angle = w / rate, (rate * times)[:, None, None]
    along = (x @ k)[..., None] * k
    found: Doubles = along + np.cos(angle) * (x - along) + np.sin(angle) * (x @ across(k))
    return found


def across(w: Doubles) -> Doubles:
    """The matrix M with x M = the cross product of w and x."""
    x, y, z = w.tolist()
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def _across(x: Doubles, axis: Doubles) -> Doubles:
    """The distances of points (n, 3) from the line through 0 along an axis; 0 without an axis."""
    length = float(np.linalg.norm(axis))
    if length == 0:
        return np.zeros(len(x))
    found: Doubles = np.linalg.norm(np.cross(x, axis / length), axis=1)
    return found


def _by_lines(a: Lines, i: int, b: Lines, j: int, motions: tuple[Motion, Motion], duration: float) -> Doubles:
    """Lower bounds of the distances of faces by their images about a line of each part."""
    x, y, way = a.images(i), b.images(j), b.ways[j]
    base = float(x.corners[..., 1].min() - x.off.max())
    length = max(float(x.corners[..., 1].max() + x.off.max()) - base, 1e-3 * a.size)
    ends = a.origins[i] + np.multiply.outer([base, base + length], a.ways[i])
    at, bend = _path(ends, *motions, duration)
    at = at - b.origins[j]
    z = at @ way
    off = float(np.linalg.norm(at - z[..., None] * way, axis=2).max()) + bend + _ROUNDING * (a.size + b.size)
    tilt = min(1.0, 2 * off / length)
    if tilt > 0.1:  # They could turn over.
        return np.zeros((len(x.off), len(y.off)))
    sign = 1.0 if z[0, 1] > z[0, 0] else -1.0
    shift = float(z[:, 0].min()) - bend, float(z[:, 0].max()) + bend
    p = x.corners * [1.0, sign] - [0.0, sign * base]
    most = x.corners[..., 0].max(1) + x.off
    eps = np.stack([off + most * tilt**2, most * tilt + np.abs(p[..., 1]).max(1) * tilt**2], 1)

    def gap(u: Doubles) -> Doubles:
        """How far apart the images are along a unit vector."""
        own = x.off + eps @ np.abs(u)
        moved = sorted((u[1] * shift[0], u[1] * shift[1]))
        s, t = p @ u, y.corners @ u
        found: Doubles = np.maximum(
            (t.min(1) - y.off)[None] - (s.max(1) + own + moved[1])[:, None],
            (s.min(1) - own + moved[0])[:, None] - (t.max(1) + y.off)[None],
        )
        return found

    across, along = (np.maximum(gap(u), 0.0) for u in np.eye(2))
    best = np.hypot(across, along)
    for u in _slants(p, y.corners):
        best = np.maximum(best, gap(u))
    return best


def _slants(p: Doubles, q: Doubles) -> list[Doubles]:
    """Unit normals of the images of cones, each once."""
    found: list[Doubles] = []
    for corners in (*p, *q):
        d = corners[1] - corners[0]
        if np.array_equal(corners[0], corners[3]) and np.all(np.abs(d) > 1e-9 * np.abs(corners).max()):
            n = np.array([d[1], -d[0]]) / np.linalg.norm(d)
            if all(abs(n @ m) < 1 - 1e-12 for m in found):
                found.append(n)
    return found[:8]
