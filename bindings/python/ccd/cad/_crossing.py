"""Whether two faces surely cross near a place: a way on one face that goes through a piece of the other.

The way is straight in the plane of parameters, and stands as a polygon; the piece is over a rectangle of parameters, and stands
as a grid of triangles. Both are within a proven length of them. If the polygon passes through the triangles, and its ends are
farther from these, and it is farther from their border, than both lengths together, then the faces share a point.
docs/proofs/cad.md has the proof. It needs no closed surface, and no face but the two.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ._bounds import UP, Doubles
from ._facets import Face, Facets, second, slivers

_CELLS = 8  # A grid has so many cells along each parameter, and a way so many parts.
_FACES = 3  # So many faces of each part are tried.
_NEAREST = 12  # These faces are among those of so many facets.
_SCALES = 4.0, 1.0, 0.25, 16.0, 0.0625, 64.0, 0.015625  # sizes of pieces that are tried, the likely ones first
_SHIFTS = sorted(itertools.product((0.0, 1.0, -1.0), repeat=2), key=lambda s: abs(s[0]) + abs(s[1]))
_OFF = np.array([0.137, 0.291])  # Nodes of a way are off the lines of a grid by these shares of a cell.
_ROUNDING = 2.0**-40  # Points are rounded by less than this share of the coordinates.
_SMALL = 2.0**-24  # Distances of segments are rounded by less than this share of the size of a piece.

_i, _j = (x.ravel() for x in np.meshgrid(np.arange(_CELLS), np.arange(_CELLS), indexing="ij"))
_W = _CELLS + 1
_TRIANGLES = np.concatenate(
    [
        np.stack([_i * _W + _j, (_i + 1) * _W + _j, (_i + 1) * _W + _j + 1], 1),
        np.stack([_i * _W + _j, (_i + 1) * _W + _j + 1, _i * _W + _j + 1], 1),
    ]
)
_k = np.arange(_CELLS)
_BORDER = np.concatenate(
    [
        np.stack([_k, _k + 1], 1),
        np.stack([_k, _k + 1], 1) + _CELLS * _W,
        np.stack([_k, _k + 1], 1) * _W,
        np.stack([_k, _k + 1], 1) * _W + _CELLS,
    ]
)
_INNER = np.pad(np.ones((_W - 2, _W - 2), bool), 1).ravel()


@dataclass
class _Place:
    """A face near a place: the parameters there, the face's triangles and trimmed sides in the plane, and where the part is."""

    face: Face
    at: Doubles  # (2,)
    uv: Doubles  # (n, 3, 2)
    low: Doubles  # (m, 2), of boxes around trimmed sides and the curves along them
    high: Doubles
    matrix: Doubles


_Side = tuple[Doubles, list[Facets]]  # a matrix that places the facets of a part


def cross(a: _Side, b: _Side, point: Doubles, deep: float, padding: float, sizes: int) -> bool:
    """Whether a face of a surely crosses one of b near a point, by pieces of some sizes.

    ``deep`` is about how deep the parts overlap, and each may be off its place by a part of the padding.
    """
    one, other = (_near(s, point, deep) for s in (a, b))
    size = max(float(np.abs(m[:3, 3]).max() + np.abs(f.points).max()) for m, some in (a, b) for f in some)
    typical, rounding = float(np.sqrt(deep * 0.1 * size)), 4 * _ROUNDING * size
    places: dict[tuple[int, int], _Place] = {}
    for scale in _SCALES[:sizes]:
        for x, y in itertools.product(one, other):
            for k, side, found in ((0, a, x), (1, b, y)):
                if (k, found[0]) not in places:
                    places[k, found[0]] = _place(side, point, *found)
            pair = places[0, x[0]], places[1, y[0]]
            for way, piece in (pair, pair[::-1]):
                if _through(way, piece, scale * typical, padding + rounding):
                    return True
    return False


def _near(side: _Side, point: Doubles, deep: float) -> list[tuple[int, int, int]]:
    """The faces of a side that are nearest to a point, each with the list and the number of its nearest facet there."""
    m, lists = side
    p = (point - m[:3, 3]) @ m[:3, :3]
    found: dict[int, tuple[float, int, int]] = {}
    for n, facets in enumerate(lists):
        out = np.maximum(np.maximum(facets.points.min(1) - p, p - facets.points.max(1)), 0)
        far = (out**2).sum(1)
        some = np.argpartition(far, _NEAREST)[:_NEAREST] if len(far) > _NEAREST else np.arange(len(far))
        off = _from_triangles(p[None], facets.points[some])[0] - facets.deviation[some]
        for k, d in zip(some.tolist(), off.tolist()):
            f = int(facets.face[k])
            found[f] = min(found.get(f, (np.inf, 0, 0)), (d, n, k))
    least = min(d for d, _, _ in found.values())
    order = sorted(found.items(), key=lambda item: item[1])
    return [(f, n, k) for f, (d, n, k) in order[:_FACES] if d <= least + 4 * deep]


def _place(side: _Side, point: Doubles, f: int, n: int, k: int) -> _Place:
    """A face of a side near a point, by its number and its nearest facet."""
    m, lists = side
    own = [one.chosen(one.face == f) for one in lists]
    whole, facets = own[0].joined(*own[1:]), lists[n]
    face, rows, c = facets.faces[f], *np.nonzero(whole.side >= 0)
    slack = slivers(face, whole.uv, whole.side, whole.at)[rows, c]
    ends = np.stack([whole.uv[rows, c], whole.uv[rows, (c + 1) % 3]])
    shares = _shares((point - m[:3, 3]) @ m[:3, :3], facets.points[k])
    return _Place(face, shares @ facets.uv[k], whole.uv, ends.min(0) - slack, ends.max(0) + slack, m)


def _shares(p: Doubles, corners: Doubles) -> Doubles:
    """The shares of the corners of a triangle in about the nearest point of it."""
    a, b = corners[1] - corners[0], corners[2] - corners[0]
    s, t = np.linalg.lstsq(np.stack([a, b], 1), p - corners[0], rcond=None)[0]
    clipped = np.clip([1 - s - t, s, t], 0.0, 1.0)
    found: Doubles = clipped / clipped.sum()
    return found


def _through(way: _Place, piece: _Place, size: float, padding: float) -> bool:
    """Whether a way on a face surely goes through a piece of another one, both of about a size."""
    x, y = _rectangle(way, size), _rectangle(piece, size)
    if x is None or y is None:
        return False
    nodes = _grid(y[0], y[1])
    q, cell = _placed(piece, nodes), (y[1] - y[0]) / _CELLS
    p_uv = _grid(x[0] + _OFF / _CELLS * (x[1] - x[0]), x[1])
    p = _placed(way, p_uv)
    net = q.reshape(_W, _W, 3)
    normals = np.cross(np.gradient(net, axis=0), np.gradient(net, axis=1)).reshape(-1, 3)
    length = np.linalg.norm(normals, axis=1)
    steps = [np.linalg.norm(np.diff(net, axis=k), axis=2).max() for k in (0, 1)]
    if not length.min() > 1e-3 * steps[0] * steps[1] > 0:  # near a pole, or folded
        return False
    normals /= length[:, None]
    off = _deviation(piece.face, nodes[_TRIANGLES[:, [0, 1, 2]]].min(1), cell, nodes)
    nearest = (q**2).sum(1) - 2 * p @ q.T
    k = nearest.argmin(1)
    height = np.where(_INNER[k], ((p - q[k]) * normals[k]).sum(1), 0.0)
    low, high = int(height.argmin()), int(height.argmax())
    if not min(-height[low], height[high]) > off + padding:
        return False
    uv = p_uv[low] + np.linspace(0, 1, _CELLS + 1)[:, None] * (p_uv[high] - p_uv[low])
    own = _deviation(way.face, np.minimum(uv[:-1], uv[1:]), np.abs(p_uv[high] - p_uv[low]) / _CELLS, uv)
    apart, path = off + own + padding + _SMALL * size, _placed(way, uv)
    triangles = q[_TRIANGLES]
    if not _from_triangles(path[[0, -1]], triangles).min() > apart:
        return False
    if not _between_segments(path[:-1], path[1:], q[_BORDER[:, 0]], q[_BORDER[:, 1]]).min() > apart:
        return False
    return _passes(path, triangles)


def _rectangle(place: _Place, size: float) -> tuple[Doubles, Doubles] | None:
    """A rectangle of parameters of about a size that holds no trimmed side, as near to the place as that is found."""
    speed = place.face.surface.bounds(np.repeat(place.at, 2)[None])[0, :2]
    if not speed.min() > 0:
        return None
    half = size / speed
    for shift in _SHIFTS:
        middle = place.at + np.array(shift) * half * (1 + 2.0**-10)
        low, high = middle - half, middle + half
        if ((place.low > high) | (place.high < low)).any(1).all() and _holds(place.uv, middle):
            return low, high
    return None


def _holds(triangles: Doubles, p: Doubles) -> bool:
    """Whether a point in a plane is in one of some triangles, up to rounding."""
    d, e = triangles - p, np.roll(triangles, -1, 1) - triangles
    turn = d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]
    slack = 2.0**-30 * np.abs(e).max((1, 2))[:, None] ** 2
    return bool(((turn >= -slack).all(1) & (np.abs(e).max((1, 2)) > 0)).any())


def _grid(low: Doubles, high: Doubles) -> Doubles:
    shares = np.linspace(0, 1, _CELLS + 1)
    u, v = (low[k] + shares * (high[k] - low[k]) for k in (0, 1))
    return np.stack([np.repeat(u, _W), np.tile(v, _W)], 1)


def _placed(place: _Place, uv: Doubles) -> Doubles:
    found: Doubles = place.face.surface.at(uv) @ place.matrix[:3, :3].T + place.matrix[:3, 3]
    return found


def _deviation(face: Face, low: Doubles, d: Doubles, nodes: Doubles) -> float:
    """How far a face may be from flat triangles or segments of its points over boxes of one size, from low to low + d."""
    s, whole = face.surface, np.stack([nodes.min(0), nodes.max(0)], 1).reshape(1, 4)
    bent = float(second(s.bounds(whole), d * (1 + 2.0**-20))[0]) + float(s.folds(low, low + d).max())
    # Nodes are rounded: the parameters of a box are off by as much.
    rounded = 2.0**-48 * float((s.bounds(whole)[0, :2] * np.abs(nodes).max(0)).sum())
    return (bent + rounded) * UP + 2 * s.error(nodes)


def _from_triangles(p: Doubles, triangles: Doubles) -> Doubles:
    """The distances of points (n, 3) from triangles (m, 3, 3), (n, m)."""
    a, e = triangles, np.roll(triangles, -1, 1) - triangles
    n = np.cross(e[:, 0], e[:, 1])
    length = np.linalg.norm(n, axis=1)
    w = p[:, None, None] - a[None]  # (n, m, 3, 3)
    square = (e**2).sum(2)
    t = np.clip((w * e).sum(3) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    edge = np.linalg.norm(w - t[..., None] * e, axis=3).min(2)
    inside = ((np.cross(e, n[:, None])[None] * w).sum(3) <= 0).all(2) & (length > 0)
    flat = np.abs((w[:, :, 0] * n).sum(2)) / np.where(length > 0, length, 1.0)
    found: Doubles = np.where(inside, flat, edge)
    return found


def _between_segments(a: Doubles, b: Doubles, c: Doubles, d: Doubles) -> Doubles:
    """The distances of segments from a to b, (n, 3), from those from c to d, (m, 3): (n, m)."""
    u, v, w = (b - a)[:, None], (d - c)[None], a[:, None] - c[None]
    uu, vv, uv = (u**2).sum(2), (v**2).sum(2), (u * v).sum(2)
    uw, vw = (u * w).sum(2), (v * w).sum(2)
    det = uu * vv - uv**2
    s = np.clip((uv * vw - vv * uw) / np.where(det > 0, det, 1.0), 0.0, 1.0)
    best = np.full(s.shape, np.inf)
    for own in (s, np.zeros_like(s), np.ones_like(s)):
        t = np.clip((own * uv + vw) / np.where(vv > 0, vv, 1.0), 0.0, 1.0)
        again = np.clip((t * uv - uw) / np.where(uu > 0, uu, 1.0), 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(w + again[..., None] * u - t[..., None] * v, axis=2))
    return best


def _passes(path: Doubles, triangles: Doubles) -> bool:
    """Whether a polygon surely passes through triangles, more often from one side than from the other; False in doubt."""
    center = path.mean(0)
    a, b, t = path[:-1, None] - center, path[1:, None] - center, (triangles - center)[None]
    size = max(float(np.abs(a).max()), float(np.abs(b).max()), float(np.abs(t).max()))
    n = np.cross(t[:, :, 1] - t[:, :, 0], t[:, :, 2] - t[:, :, 0])
    ends = np.stack([((x - t[:, :, 0]) * n).sum(2) for x in (a, b)])
    way = b - a
    turns = np.stack([(np.cross(t[:, :, k] - a, t[:, :, (k + 1) % 3] - a) * way).sum(2) for k in range(3)])
    least = 2.0**-44 * size**3
    sides, around = (np.where(np.abs(x) > least, np.sign(x), 0.0) for x in (ends, turns))
    misses = (sides[0] * sides[1] > 0) | ((around > 0).any(0) & (around < 0).any(0))
    hits = (sides[0] * sides[1] < 0) & (np.abs(around.sum(0)) == 3)
    if not (misses | hits).all():
        return False
    return float((hits & ~misses).astype(float).ravel() @ sides[0].ravel()) != 0
