"""Contact as in [Li2020]: a barrier on the squared distance of every near pair, and lagged friction.

A pair is four vertices: a point and a triangle, or two edges. Its squared distance is |sum w_i x_i|^2, the least over the
weights that stay within the two primitives. Which ends and sides the nearest points lie on is its type: there the weights
depend on 0, 1 or 2 free parameters, and the distance's Hessian follows from the minimum being one (implicit differentiation),
by the same formula for every type.

Departures: edges that are nearly parallel take the nearest end instead of a mollified distance; the barrier's stiffness is
constant; pairs that meet at one end or side count once each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import ccd

PARALLEL = 1e-6  # sin^2 of the angle below which two edges are nearest at an end of one


@dataclass
class Near:
    """Pairs nearer than the barrier reaches."""

    at: np.ndarray  # (m, 4) vertices
    w: np.ndarray  # (m, 4) weights: d = sum w_i x_i is the vector between the nearest points
    free: np.ndarray  # (m, 2, 4) how the weights change with the free parameters; zero where there is none
    d: np.ndarray  # (m, 3)
    s: np.ndarray  # (m,) |d|^2

    def __len__(self) -> int:
        return len(self.s)

    def __getitem__(self, which: np.ndarray) -> Near:
        return Near(self.at[which], self.w[which], self.free[which], self.d[which], self.s[which])


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", a, b)


class _Best:
    """The nearest of several ways in which a pair may be near, taken one after the other."""

    def __init__(self, x: np.ndarray, at: np.ndarray):
        self.points, self.at, m = x[at], at, len(at)
        self.w, self.free = np.zeros((m, 4)), np.zeros((m, 2, 4))
        self.d, self.s = np.zeros((m, 3)), np.full(m, np.inf)

    def segment(self, p: int, a: int, b: int, sign: float = 1.0) -> None:
        """Vertex p and the segment a b. sign -1 where p belongs to the second primitive, so that d keeps its direction."""
        e, f = self.points[:, b] - self.points[:, a], self.points[:, p] - self.points[:, a]
        t = np.clip(_dot(e, f) / np.maximum(_dot(e, e), np.finfo(float).tiny), 0, 1)
        d = sign * (f - t[:, None] * e)
        s = _dot(d, d)
        better = s < self.s
        w, free = np.zeros((len(t), 4)), np.zeros((len(t), 2, 4))
        w[:, p], w[:, a], w[:, b] = sign, -sign * (1 - t), -sign * t
        inside = (t > 0) & (t < 1)
        free[inside, 0, a], free[inside, 0, b] = sign, -sign
        self._take(better, w, free, d, s)

    def plane(self, u: list[float], v: list[float]) -> None:
        """Both parameters free: d = x0 - x1 + b u + c v for the edge vectors u, v given by their weights."""
        u, v = np.array(u), np.array(v)
        base = np.array([1.0, -1, 0, 0]) if u[0] == 0 else np.array([1.0, 0, -1, 0])
        d0, du, dv = (np.einsum("j,mjk->mk", weights, self.points) for weights in (base, u, v))
        uu, uv, vv, ud, vd = _dot(du, du), _dot(du, dv), _dot(dv, dv), _dot(du, d0), _dot(dv, d0)
        det = uu * vv - uv * uv
        regular = det > PARALLEL * uu * vv
        det = np.where(regular, det, 1)
        b, c = (uv * vd - vv * ud) / det, (uv * ud - uu * vd) / det
        inside = (b > 0) & (c > 0) & ((b + c < 1) if u[0] == 0 else (b < 1) & (c < 1))
        d = d0 + b[:, None] * du + c[:, None] * dv
        w = base + b[:, None] * u + c[:, None] * v
        free = np.broadcast_to(np.stack([u, v]), (len(d), 2, 4))
        self._take(regular & inside, w, free, d, _dot(d, d))

    def _take(self, which: np.ndarray, w: np.ndarray, free: np.ndarray, d: np.ndarray, s: np.ndarray) -> None:
        self.w[which], self.free[which], self.d[which], self.s[which] = w[which], free[which], d[which], s[which]

    def near(self, reach: float) -> Near:
        return Near(self.at, self.w, self.free, self.d, self.s)[self.s < reach * reach]


def point_triangle(x: np.ndarray, at: np.ndarray, reach: float) -> Near:
    best = _Best(x, at)
    for a, b in ((1, 2), (2, 3), (3, 1)):
        best.segment(0, a, b)
    best.plane([0, 1, -1, 0], [0, 1, 0, -1])
    return best.near(reach)


def edge_edge(x: np.ndarray, at: np.ndarray, reach: float) -> Near:
    best = _Best(x, at)
    for p in (0, 1):
        best.segment(p, 2, 3)
    for p in (2, 3):
        best.segment(p, 0, 1, -1)
    best.plane([-1, 1, 0, 0], [0, 0, 1, -1])
    return best.near(reach)


def near(x: np.ndarray, point_triangles: np.ndarray, edge_edges: np.ndarray, reach: float) -> Near:
    """Those of the pairs that are nearer than reach."""
    parts = point_triangle(x, point_triangles, reach), edge_edge(x, edge_edges, reach)
    return Near(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("at", "w", "free", "d", "s")))


class Barrier:
    """stiffness * sum b(s), b(s) = -(s - h)^2 ln(s / h) for s < h = reach^2: twice continuously differentiable."""

    def __init__(self, reach: float, stiffness: float):
        self.reach, self.h, self.stiffness = reach, reach * reach, stiffness

    def value(self, near: Near) -> float:
        return -self.stiffness * float(((near.s - self.h) ** 2 * np.log(near.s / self.h)).sum())

    def slopes(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """b' and b''."""
        gap, log = s - self.h, np.log(s / self.h)
        first = -2 * gap * log - gap * gap / s
        second = -2 * log - 4 * gap / s + (gap / s) ** 2
        return self.stiffness * first, self.stiffness * second

    def derivatives(self, near: Near, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradients (m, 4, 3) and Hessians (m, 12, 12), projected.

        With n = d / |d|, the Hessian of s acts only on the span of w, free (on the vertices) times n, and w times what is
        across n: five dimensions. There it is made positive semidefinite, by one small eigenproblem for each pair.
        """
        first, second = self.slopes(near.s)
        gradient = 2 * first[:, None, None] * near.w[:, :, None] * near.d[:, None, :]
        size = np.sqrt(near.s)
        n = near.d / size[:, None]
        t1, t2 = ccd.step.tangents(n).transpose(1, 0, 2)
        q, r = np.linalg.qr(np.concatenate([near.w[:, :, None], near.free.transpose(0, 2, 1)], axis=2))
        edges = near.free @ x[near.at]  # how d moves with the free parameters: at right angles to d
        gram = edges @ edges.transpose(0, 2, 1)
        none = ~near.free.any(axis=2)
        gram[:, [0, 1], [0, 1]] += none
        # Each free parameter's column of mixed derivatives, in the five dimensions.
        mixed = np.zeros((len(near), 5, 2))
        mixed[:, :3] = size[:, None, None] * r[:, :, 1:]
        for row, t in ((3, t1), (4, t2)):
            mixed[:, row] = r[:, 0, :1] * (edges @ t[:, :, None])[:, :, 0]
        ww = r[:, 0, 0] ** 2
        small = -mixed @ np.linalg.solve(gram, mixed.transpose(0, 2, 1))
        small[:, [0, 3, 4], [0, 3, 4]] += ww[:, None]
        small *= 2 * first[:, None, None]
        small[:, 0, 0] += 4 * second * near.s * ww
        values, vectors = np.linalg.eigh(small)
        root = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
        basis = np.concatenate(
            [q[:, :, None, :] * n[:, None, :, None], q[:, :, None, :1] * np.stack([t1, t2], axis=2)[:, None]], axis=3
        ).reshape(-1, 12, 5)
        root = basis @ root
        return gradient, root @ root.transpose(0, 2, 1)


class Friction:
    """Coulomb friction of the pairs near at the start of a step, their normal forces and directions kept through it."""

    def __init__(self, near: Near, barrier: Barrier, x: np.ndarray, coefficient: float, slip: float):
        self.at, self.w, self.slip = near.at, near.w, slip
        self.bound = -2 * coefficient * barrier.slopes(near.s)[0] * np.sqrt(near.s)  # the most that friction can do
        self.tangents = ccd.step.tangents(near.d)  # (m, 2, 3)
        self.start = self._moved(x)

    def _moved(self, x: np.ndarray) -> np.ndarray:
        return np.einsum("mjk,mi,mik->mj", self.tangents, self.w, x[self.at], optimize=True)

    def value(self, x: np.ndarray) -> float:
        u = np.linalg.norm(self._moved(x) - self.start, axis=1)
        e = self.slip
        return float((self.bound * np.where(u < e, u * u / e - u**3 / (3 * e * e) + e / 3, u)).sum())

    def derivatives(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradients (m, 4, 3) and Hessians (m, 12, 12); what the slope's change would take away is left out."""
        u, e = self._moved(x) - self.start, self.slip
        size = np.linalg.norm(u, axis=1)
        over = self.bound * np.where(size < e, (2 - size / e) / e, 1 / np.maximum(size, e))
        pull = np.einsum("m,mj,mjk->mk", over, u, self.tangents)
        columns = (self.w[:, :, None, None] * self.tangents.transpose(0, 2, 1)[:, None]).reshape(-1, 12, 2)
        hessian = columns @ (over[:, None, None] * columns.transpose(0, 2, 1))
        return self.w[:, :, None] * pull[:, None, :], hessian
