"""Distances that two parts keep by the axes and centers of their round faces, without splitting triangles.

Where a line of one part stays near a line of the other over a motion, as the axis of a shaft near that of its bearing, a point
is described by its distance rho from the line and its height z along it. The map to (rho, z) makes no distance longer. So two
faces whose images are apart keep at least the distance of the images, however the shaft turns. The image of a face about a
line of its own part does not move; the motion enters by how far the two lines are from each other. The distance from the
center of a sphere serves likewise. docs/proofs/cad.md has the proof.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from ..rigid import Motion
from ._bounds import UP, Doubles, Revolution, Round
from ._facets import Face
from ._images import Extents, Images, images, rounding
from ._turns import from_axis, turned

_MOST_LINES = 32  # of a part
_MOST_PAIRS = 4  # of lines that are compared over a motion
_NEAR = 0.02  # lines that are farther apart than this share of the parts' size are not compared
_ROUNDING = 2.0**-40  # of the coordinates: what is taken off every distance
_STEPS = 64  # the most into which a motion is divided


class Lines:
    """The axes of the round faces of a part, and the images of its faces about them, made when they are asked for."""

    def __init__(self, faces: Sequence[Face], size: float, extents: Callable[[], Extents]):
        self.faces, self.size, self._made = faces, size, extents
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
    def extents(self) -> Extents:
        """What the faces take up, which is found when images are asked for."""
        return self._made()

    def images(self, n: int) -> Images:
        """The images about a line."""
        if n not in self._images:
            self._images[n] = images(self.extents, self.size, self.origins[n], self.ways[n])
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
                    off = float(np.linalg.norm(s.frame.origin - self.origins[n])) + rounding(s, np.zeros((1, 2)))
                    out[f] = max(out[f, 0], s.radius - off), min(out[f, 1], s.radius + off)
            self._radii[n] = out
        return self._radii[n]


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
    arm = from_axis(first - np.asarray(ma.position, float), wa)
    beside = from_axis(first - np.asarray(mb.position, float), wb)
    ra, rb, v = np.linalg.norm(wa), np.linalg.norm(wb), va - vb
    drift = beside + duration * (float(from_axis(v[None], wb)[0]) + ra * arm)
    found: Doubles = (ra**2 * arm + 2 * (np.linalg.norm(np.cross(wb, v)) + rb * ra * arm) + rb**2 * drift) * UP
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
