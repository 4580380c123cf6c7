"""When faces first come near each other, by parts of their height, their angle and the time, about axes that stay near.

A face of the guest is a ring about a line of its part: points at a height and a radius, turned about the line. A face of the
host is an image about a line of its own: heights z and distances rho from the line. How a point of a ring moves in these two
coordinates is bounded over a box of heights, angles and times, by the values and slopes in its middle and by the largest
second derivatives. What these do not prove apart is halved, the earliest first. docs/proofs/cad.md has the bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rigid import Motion
from ._bounds import UP, Doubles, Round
from ._fits import Lines, bends
from ._images import rounding
from ._turns import across, turned

_BATCH = 128  # boxes that are tried together
_ROUNDS = 96  # the most batches of a search
_AT_START = 12  # batches, after which a search ends that has proven nothing of the start
_MOST = 20_000  # boxes that wait, the most of a search
_SMALL = 0.1  # A box is not halved where its bounds are as near as this share of the tolerance.
_ROUNDING = 2.0**-38  # of coordinates and angles: what is taken off every distance
_FIELDS = ("r", "dr", "z", "dz", "arc", "turn", "off")  # of a ring: radius r + dr s + arc cos(s), height z + dz s + turn sin(s)


@dataclass
class Place:
    """Where some faces of the guest and of the host seem to be near, with a normal."""

    time: float
    point: tuple[float, ...]
    normal: tuple[float, ...]
    faces: tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass
class Near:
    """No pair of faces is nearer than a length before ``lo``; those of ``faces`` may be after it."""

    lo: float
    faces: NDArray[np.bool_]
    place: Place | None


def rings(lines: Lines, n: int) -> tuple[Doubles, Doubles]:
    """The faces of a part as rings about a line: what `_FIELDS` names, and the ranges of s and of the angle, (faces, 4)."""
    o, k, size = lines.origins[n], lines.ways[n], lines.size
    x, y = _beside(k)
    images = lines.images(n)
    low, high = images.corners.min(1), images.corners.max(1)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    flat = half[:, 0] > half[:, 1]  # Of a box the longer side is the way of s, and the other is what points are off it.
    out = np.zeros((len(low), len(_FIELDS)))
    out[:, 0], out[:, 2] = middle.T
    out[:, 1], out[:, 3] = np.where(flat, half[:, 0], 0.0), np.where(flat, 0.0, half[:, 1])
    out[:, 6] = np.where(flat, half[:, 1], half[:, 0]) + images.off
    ranges = np.tile([-1.0, 1.0, -np.pi, np.pi], (len(low), 1))
    for f, face in enumerate(lines.faces):
        s = face.surface
        if not isinstance(s, Round):
            continue
        turn = float(s.frame.z @ k)
        w = s.frame.origin - o
        long = size + float(np.abs(s.frame.origin).max())  # Its origin may be far from the face.
        aside = float(np.linalg.norm(w - (w @ k) * k)) + long * float(np.linalg.norm(s.frame.z - turn * k))
        if aside > 1e-9 * size:
            continue
        u, v = box = np.stack(lines.extents.box(f), 1)
        z0, sign, m = float(w @ k), 1.0 if turn > 0 else -1.0, s.more
        if s.kind == "cylinder":
            ring = [s.radius, 0.0, z0, sign, 0.0, 0.0]
        elif s.kind == "cone":
            ring = [s.radius, np.sin(m), z0, sign * np.cos(m), 0.0, 0.0]
            if (s.radius + v * np.sin(m)).min() < 0:
                continue
        elif s.kind == "sphere":
            ring, v = [0.0, 0.0, z0, 0.0, s.radius, sign * s.radius], np.clip(v, -0.5 * np.pi, 0.5 * np.pi)
        elif s.radius > m:
            ring = [s.radius, 0.0, z0, 0.0, m, sign * m]
        else:
            continue
        out[f] = [*ring, 2 * aside + rounding(s, box.T)]
        if u[1] - u[0] < 2 * np.pi - 1e-9:
            first = float(np.arctan2(s.frame.x @ y, s.frame.x @ x))
            way = 1.0 if float(np.cross(s.frame.x, s.frame.y) @ k) > 0 else -1.0
            u = np.sort(first + way * u)
        else:
            u = np.array([-np.pi, np.pi])
        ranges[f] = [*v, u[0] - 1e-9, u[1] + 1e-9]
    return out, ranges


def _beside(k: Doubles) -> tuple[Doubles, Doubles]:
    """Two unit vectors across another, and across each other."""
    x = np.cross(k, np.eye(3)[int(np.argmin(np.abs(k)))])
    x /= np.linalg.norm(x)
    return x, np.cross(k, x)


class Relative:
    """How the frame of the guest's line moves in that of the host's line."""

    def __init__(self, a: Lines, i: int, b: Lines, j: int, motions: tuple[Motion, Motion], duration: float):
        ma, mb = motions
        self.wa, self.wb, va, vb = (
            np.asarray(v, float) for v in (ma.angular_velocity, mb.angular_velocity, ma.velocity, mb.velocity)
        )
        self.pa, self.pb = (np.asarray(m.position, float) for m in motions)
        self.w, self.v = self.wa - self.wb, va - vb
        x, y = _beside(a.ways[i])
        at = ma.matrix(0.0)
        self.frame = np.stack([x, y, a.ways[i]]) @ at[:3, :3].T  # rows: two ways across the guest's line, and along it
        self.first = at[:3, :3] @ a.origins[i] + at[:3, 3]
        self.place = mb.matrix(0.0)
        self.host = np.stack([*_beside(b.ways[j]), b.ways[j]]) @ self.place[:3, :3].T
        self.origin = self.place[:3, :3] @ b.origins[j] + self.place[:3, 3]
        self.way, self.start = a.ways[i], a.origins[i]
        self.motions, self.duration = motions, duration
        self.rate = float(np.linalg.norm(self.w))
        self.cross = float(np.linalg.norm(np.cross(self.wa, self.wb)))
        self.tipping = self.rate * float(np.linalg.norm(np.cross(self.wa, self.frame[2])))
        self.spin = self.rate**2 + self.cross  # of the second derivative of vectors of the guest

    def bend(self, z: Doubles) -> Doubles:
        """Bounds of the acceleration of points of the guest's line at heights, over the whole motion."""
        return bends(self.start + np.multiply.outer(z, self.way), *self.motions, self.duration)

    def at(self, t: Doubles) -> tuple[Doubles, Doubles, Doubles, Doubles, Doubles]:
        """In the host's frame: the frame's rows and their slopes, (n, 3, 3), its origin and its slope, and w."""
        n = len(t)
        rows = turned(self.frame, self.wa, t)
        arm = turned((self.first - self.pa)[None], self.wa, t)[:, 0]
        place = arm + (self.pa - self.pb) + np.multiply.outer(t, self.v)  # from where the host's pivot is
        moved = self.v + arm @ across(self.wa) - place @ across(self.wb)
        slopes = rows @ across(self.w)
        both = np.concatenate([rows, slopes, place[:, None], moved[:, None], np.broadcast_to(self.w, (n, 1, 3))], 1)
        seen = turned(both, -self.wb, t) @ self.host.T
        off = self.host @ (self.origin - self.pb)
        return seen[:, :3], seen[:, 3:6], seen[:, 6] - off, seen[:, 7], seen[:, 8]


@dataclass
class _Bounds:
    """Bounds over boxes: values in the middle, (n, 2) of (rho, z), slopes times half widths, (n, 3, 2), and what is left."""

    middle: Doubles
    slopes: Doubles  # by s, the angle and the time
    left: Doubles  # (n, 2)
    parts: Doubles  # (n, 3, 2): what each of the three adds to `left`, roughly


def _bounds(g: Doubles, box: Doubles, motion: Relative, bend: Doubles) -> _Bounds:
    """Bounds of (rho, z) of rings g over boxes (n, 6) of s, angles and times."""
    mid, h = 0.5 * (box[:, ::2] + box[:, 1::2]), 0.5 * (box[:, 1::2] - box[:, ::2]) * UP
    s, phi, t = mid.T
    hs, hp, ht = h.T
    r0, dr, z0, dz, arc, turn, _ = g.T
    cos, sin = np.cos(s), np.sin(s)
    r, z, rs, zs, bent = r0 + dr * s + arc * cos, z0 + dz * s + turn * sin, dr - arc * sin, dz + turn * cos, np.abs(arc)
    rp, zp = np.abs(rs) + bent * hs, np.abs(zs) + bent * hs
    rows, slopes, origin, moved, w = motion.at(t)
    c, p = np.cos(phi)[:, None], np.sin(phi)[:, None]
    e, ep, et = c * rows[:, 0] + p * rows[:, 1], c * rows[:, 1] - p * rows[:, 0], c * slopes[:, 0] + p * slopes[:, 1]
    k = rows[:, 2]
    axis, speed = origin + z[:, None] * k, moved + z[:, None] * slopes[:, 2]
    cc, cs, ct = axis[:, :2], zs[:, None] * k[:, :2], speed[:, :2]
    ez, epz, etz = e[:, 2], ep[:, 2], et[:, 2]

    # The largest values over a box.
    wide = np.abs(rs) * hs + 0.5 * bent * hs**2
    high, low = r + wide, np.maximum(r - wide, 0.0)
    s2 = np.linalg.norm(slopes[:, 2], axis=1) + ht * motion.tipping
    s1 = np.hypot(w[:, 0], w[:, 1]) + ht * motion.cross
    s11 = motion.rate * s1 + motion.cross
    tilt = np.minimum(1.0, np.hypot(k[:, 0], k[:, 1]) + s2 * ht)
    v = np.hypot(ct[:, 0], ct[:, 1]) + s2 * zp * hs + bend * ht
    d = np.hypot(cc[:, 0], cc[:, 1]) + tilt * zp * hs + v * ht

    # G is the square of rho less that of the ring's own radius.
    def dot(x: Doubles, y: Doubles) -> Doubles:
        found: Doubles = (x[:, :2] * y[:, :2]).sum(1)
        return found

    square = dot(cc, cc) + 2 * r * dot(cc, e) - (r * ez) ** 2
    by = np.stack(
        [
            2 * dot(cc, cs) + 2 * rs * dot(cc, e) + 2 * r * dot(cs, e) - 2 * r * rs * ez**2,
            2 * r * dot(cc, ep) - 2 * r**2 * ez * epz,
            2 * dot(cc, ct) + 2 * r * (dot(ct, e) + dot(cc, et)) - 2 * r**2 * ez * etz,
        ],
        1,
    )
    rate, spin, q = motion.rate, motion.spin, tilt * zp
    ss = 2 * q**2 + 2 * d * bent * tilt + 2 * bent * d + 4 * rp * q + 2 * high * bent * tilt
    ss += (2 * rp**2 + 2 * high * bent) * tilt**2
    pp = 2 * high * d + 4 * (high * tilt) ** 2
    tt = 2 * v**2 + 2 * d * bend + 2 * high * (bend + 2 * v * rate + d * spin) + 2 * high**2 * (s1**2 + tilt * s11)
    sp = 2 * rp * d + 2 * high * q + 4 * high * rp * tilt**2
    st = 2 * q * v + 2 * d * zp * s2 + 2 * rp * (v + d * rate) + 2 * high * (zp * s2 + q * rate) + 4 * high * rp * tilt * s1
    pt = 2 * high * (v + d * rate) + 4 * high**2 * tilt * s1
    cross = sp * hs * hp, st * hs * ht, pt * hp * ht
    parts = [0.5 * ss * hs**2, 0.5 * pp * hp**2, 0.5 * tt * ht**2]
    curved = sum(parts) + sum(cross)

    # rho is the radius and F(G, radius); it is at least `least`.
    rho = np.sqrt(np.maximum(r**2 + square, 0.0))
    least = low * (1 - tilt**2) - d
    good = least > 0.1 * high
    root = np.where(good, least, 1.0)
    dg = (np.abs(by) * h).sum(1) + 2 * curved
    most = np.abs(square) + dg
    drr = rp * hs
    left = 0.5 * curved / root + 0.5 * (0.25 * dg**2 + high * dg * drr + most * drr**2) / root**3
    left += 0.5 * most / (root * (root + low)) * bent * hs**2 + 0.5 * bent * hs**2
    slope = by / (2 * np.where(good, rho, 1.0))[:, None]
    slope[:, 0] += rs * (1 - square / np.where(good, rho * (rho + r), 1.0))
    # Near the line: only that rho is within d of the radius.
    ends = np.maximum(least, 0.0), high + d
    rho, left = np.where(good, rho, 0.5 * (ends[0] + ends[1])), np.where(good, left, 0.5 * (ends[1] - ends[0]))
    slope[~good] = 0.0

    zz = np.stack([zs * k[:, 2] + rs * ez, r * epz, speed[:, 2] + r * etz], 1)
    zparts = [0.5 * bent * (1 + tilt) * hs**2, 0.5 * high * tilt * hp**2, 0.5 * (bend + high * s11) * ht**2]
    zcross = rp * tilt * hs * hp, (zp * s2 + rp * s1) * hs * ht, high * s1 * hp * ht
    out = np.stack([rho, axis[:, 2] + r * ez], 1), np.stack([slope, zz], 2) * h[:, :, None]
    rough = [
        parts[0] + 0.5 * (cross[0] + cross[1]),
        parts[1] + 0.5 * (cross[0] + cross[2]),
        parts[2] + 0.5 * (cross[1] + cross[2]),
    ]
    zrough = [
        zparts[0] + 0.5 * (zcross[0] + zcross[1]),
        zparts[1] + 0.5 * (zcross[0] + zcross[2]),
        zparts[2] + 0.5 * (zcross[1] + zcross[2]),
    ]
    # Where only the distance of the axes counts, this is what halving makes smaller.
    coarse = np.stack([wide + q * hs, np.zeros_like(hs), v * ht], 1)
    shares = np.where(good[:, None], np.stack(rough, 1) / (2 * root)[:, None], coarse)
    return _Bounds(*out, np.stack([left, sum(zparts) + sum(zcross)], 1) * UP, np.stack([shares, np.stack(zrough, 1)], 2))


def first_near(
    a: Lines,
    i: int,
    b: Lines,
    j: int,
    motions: tuple[Motion, Motion],
    start: float,
    duration: float,
    faces: NDArray[np.bool_],
    reach: float,
    tolerance: float,
) -> Near | None:
    """When some pairs of faces may first be within a length; None is a proof that none is from the start to the duration.

    The search ends where boxes are so small that they say no more, or are too many.
    """
    motion = Relative(a, i, b, j, motions, duration)
    guest, ranges = rings(a, i)
    long = np.abs(ranges[:, :2]).max(1)[:, None] * np.abs(guest[:, 3:4]) + np.abs(guest[:, 5:6])
    ends = guest[:, 2:3] + long * [-1.0, 1.0]
    bend = motion.bend(ends.ravel()).reshape(-1, 2).max(1)
    host = _Host(b, j)
    far = (a.origins[i], b.origins[j], motion.first, motion.origin, motion.place[:3, 3], motion.pa, motion.pb)
    scale = a.size + b.size + float(np.abs(far).max() + duration * np.abs(motion.v).max())
    turns = duration * float(np.linalg.norm(motion.wa) + np.linalg.norm(motion.wb))
    reach = reach + _ROUNDING * scale * (1 + turns)
    rows = np.flatnonzero(faces.any(1))
    box = np.column_stack([ranges[rows], np.full(len(rows), start), np.full(len(rows), duration)])
    alive, face, place = faces[rows], rows, None
    small = np.zeros(len(rows), bool)
    for n in range(_ROUNDS):
        if not len(box):
            return None
        if len(box) > _MOST or (n >= _AT_START and box[:, 4].min() <= start):
            break
        first = int(box[:, 4].argmin())
        if small[box[:, 4] <= box[first, 4]].any():
            place = _place(guest, box, face, alive, small, motion, host)
            break
        order = np.argpartition(box[:, 4], _BATCH)[:_BATCH] if len(box) > _BATCH else np.arange(len(box))
        order = order[~small[order]]
        some = box[order]
        bounds = _bounds(guest[face[order]], some, motion, bend[face[order]])
        near, sizes = host.near(bounds, guest[face[order], 6], alive[order], reach)
        left = near.any(1)
        new, sizes, near, of = some[left], sizes[left], near[left], face[order][left]
        tiny = sizes.sum(1) <= _SMALL * tolerance
        halved = (sizes >= 0.5 * sizes.max(1, keepdims=True)) & ~tiny[:, None]
        for dim in range(3):
            cut = halved[:, dim]
            low, high = new.copy(), new[cut]
            middle = 0.5 * (new[cut, 2 * dim] + new[cut, 2 * dim + 1])
            low[cut, 2 * dim + 1], high[:, 2 * dim] = middle, middle
            new = np.concatenate([low, high])
            near, of, tiny, halved = (np.concatenate([x, x[cut]]) for x in (near, of, tiny, halved))
        keep = np.ones(len(box), bool)
        keep[order] = False
        box, alive = np.concatenate([box[keep], new]), np.concatenate([alive[keep], near])
        face, small = np.concatenate([face[keep], of]), np.concatenate([small[keep], tiny])
    out = np.zeros(faces.shape, bool)
    for f in np.unique(face).tolist():
        out[f] = alive[face == f].any(0)
    return Near(float(box[:, 4].min()), out, place)


class _Host:
    """The images of the faces of the host: quadrilaterals, and circles of spheres and tori."""

    def __init__(self, b: Lines, j: int):
        images = b.images(j)
        self.corners, self.off = images.corners, images.off
        self.ways = np.roll(self.corners, -1, 1) - self.corners
        self.squares = (self.ways**2).sum(2)
        ring = rings(b, j)[0]
        self.centers, self.radii, self.ring_off = ring[:, [0, 2]], ring[:, 4], ring[:, 6]

    def away(self, p: Doubles, f: NDArray[np.intp]) -> tuple[Doubles, NDArray[np.bool_]]:
        """Unit vectors from the quadrilaterals f to points p, (n, 2), and whether these are outside of boxes."""
        q, way, square = self.corners[f], self.ways[f], self.squares[f]
        w = p[:, None] - q
        share = np.clip((w * way).sum(2) / np.where(square > 0, square, 1.0), 0.0, 1.0)
        w = w - share[..., None] * way
        far = (w**2).sum(2)
        k = far.argmin(1)
        rows = np.arange(len(p))
        best, length = w[rows, k], np.sqrt(far[rows, k])
        outside: NDArray[np.bool_] = ((p < q.min(1)) | (p > q.max(1))).any(1)
        u = np.where(length[:, None] > 0, best / np.where(length > 0, length, 1.0)[:, None], [1.0, 0.0])
        return u, outside

    def near(self, g: _Bounds, off: Doubles, alive: NDArray[np.bool_], reach: float) -> tuple[NDArray[np.bool_], Doubles]:
        """Which faces each box may be near, and what each of its three ranges adds to the bounds."""
        i, f = np.nonzero(alive)
        p = g.middle[i]
        u, outside = self.away(p, f)
        slopes, left = g.slopes[i], g.left[i]

        def half(u: Doubles) -> Doubles:
            found: Doubles = np.abs((slopes * u[:, None]).sum(2)).sum(1) + (np.abs(u) * left).sum(1)
            return found

        best = np.full(len(i), -np.inf)
        for way in (u, np.broadcast_to([1.0, 0.0], u.shape), np.broadcast_to([0.0, 1.0], u.shape)):
            at = (self.corners[f] * way[:, None]).sum(2)
            here = (p * way).sum(1)
            best = np.maximum(best, np.maximum(here - at.max(1), at.min(1) - here) - half(way) - off[i] - self.off[f])
        round_ = np.flatnonzero(self.radii[f] > 0)
        if len(round_):
            n, c = i[round_], f[round_]
            w = g.middle[n] - self.centers[c]
            length = np.linalg.norm(w, axis=1)
            way = w / np.where(length > 0, length, 1.0)[:, None]
            slopes, left = g.slopes[n], g.left[n]
            along, aside = half(way), half(np.stack([-way[:, 1], way[:, 0]], 1))
            gap = np.maximum(length - along - self.radii[c], self.radii[c] - np.hypot(length + along, aside))
            gap = np.where(length > 0, gap - off[n] - self.ring_off[c], -np.inf)
            u[round_] = way
            best[round_] = np.maximum(best[round_], gap)
        close = ~(best > reach)
        near = np.zeros(alive.shape, bool)
        near[i[close], f[close]] = True
        # The ranges are halved by what they add along the way from the nearest face.
        u[~outside] = 1.0  # along both
        order = np.argsort(best[close], kind="stable")[::-1]
        way = np.zeros((len(alive), 2))
        way[i[close][order]] = np.abs(u[close][order])
        sizes: Doubles = ((np.abs(g.slopes) + g.parts) * way[:, None]).sum(2)
        return near, sizes


def _place(guest: Doubles, box: Doubles, face: Any, alive: Any, small: Any, motion: Relative, host: _Host) -> Place:
    """The middle of the earliest small box."""
    n = int(np.where(small, box[:, 4], np.inf).argmin())
    s, phi, t = 0.5 * (box[n, ::2] + box[n, 1::2])
    g = guest[face[n]]
    r, z = g[0] + g[1] * s + g[4] * np.cos(s), g[2] + g[3] * s + g[5] * np.sin(s)
    rows, _, origin, _, _ = (x[0] for x in motion.at(np.array([t])))
    p = origin + z * rows[2] + r * (np.cos(phi) * rows[0] + np.sin(phi) * rows[1])
    rho = float(np.hypot(p[0], p[1]))
    others = np.flatnonzero(alive[n])
    f = int(others[0])
    u, _ = host.away(np.array([[rho, p[2]]]), np.array([f]))
    if host.radii[f] > 0:
        u = np.array([[rho, p[2]]]) - host.centers[f]
        length = float(np.linalg.norm(u))
        u = u / max(length, 1e-300) * (1.0 if length > host.radii[f] else -1.0)
    normal = np.array([u[0, 0] * p[0], u[0, 0] * p[1], u[0, 1] * rho]) / max(rho, 1e-300)
    back = turned(np.stack([p, normal])[None] @ motion.host, motion.wb, np.array([t]))[0]
    mb = motion.motions[1]
    about = turned((motion.origin - motion.pb)[None], motion.wb, np.array([t]))[0, 0]
    point = motion.pb + t * np.asarray(mb.velocity, float) + about + back[0]
    return Place(float(t), tuple(point.tolist()), tuple(back[1].tolist()), (face[n : n + 1], others))
