"""Splines of CAD files, rational or not: curves and surfaces, with bounds of their derivatives in cells of their parameters.

docs/proofs/cad.md derives the bounds. Knots, where derivatives jump, are cells' ends.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from ._bounds import UP, Doubles, U

_MOST_CELLS = 64  # The most cells of a spline along a parameter, beyond its own spans.


class Spline:
    """A B-spline curve, rational or not: homogeneous coefficients (n, components + 1), weights last."""

    def __init__(self, degree: int, knots: Doubles, homogeneous: Doubles, period: float = 0.0):
        self.components = homogeneous.shape[1] - 1
        self.axis = Axis(degree, knots, period)
        self.origin = 0.5 * (_plain(homogeneous).min(0) + _plain(homogeneous).max(0))
        self.net = _moved(homogeneous, self.origin)
        self.rational = bool(np.any(homogeneous[:, -1] != homogeneous[0, -1]))
        self._split(1)
        last, parts = float(self.second.mean()), 1
        while parts < 8 and last > 0:  # This is the rule of `SplineSurface.narrow`.
            parts *= 2
            self._split(parts)
            now = float(self.second.mean())
            if now > 0.9 * last:
                break
            last = now

    def _split(self, parts: int) -> None:
        self.axis.split(parts)
        self.cells = self.axis.cells(self.net)  # (cells, degree + 1, components + 1)
        error = (8 * self.axis.degree + 12) * U * np.abs(self.cells).max((1, 2), keepdims=True)
        self.first, self.second = self._of(self.cells, error[:, :, 0])
        self.jumps = self._jumps(error[:, 0])

    def at(self, t: Doubles) -> Doubles:
        cell, x = self.axis.find(t)
        b = _bernstein(self.axis.degree, x)
        h = np.einsum("nj,njc->nc", b, self.cells[cell])
        found: Doubles = h[:, :-1] / h[:, -1:] + self.origin
        return found

    def error(self, t: Doubles) -> float:
        weights = self.cells[..., -1]
        size = float(np.abs(self.cells[..., :-1]).max() / weights.min())
        return (16 * self.axis.degree + 32) * U * size * float(weights.max() / weights.min()) + 4 * U * float(
            np.abs(self.origin).max()
        )

    def _of(self, cells: Doubles, own: Doubles) -> tuple[Doubles, Doubles]:
        """Bounds of the derivatives of each coordinate over each cell, by the nets of the derivatives."""
        h = self.axis.lengths[:, None]
        w = cells[:, :, -1]
        least = w.min(1, keepdims=True) - own
        _positive(least)
        near, error = _centered(cells, (1,), own[:, :, None], least[:, :, None])
        error = error[:, :, 0]

        def net(coefficients: Doubles, order: int, off: Doubles) -> Doubles:
            """Bounds of the derivative of an order, and of values for the order 0."""
            degree = coefficients.shape[1] - 1
            if order > degree:
                return np.zeros((len(coefficients), coefficients.shape[2]))
            factor = math.perm(degree, order) / h**order
            found: Doubles = factor * (np.abs(np.diff(coefficients, order, axis=1)).max(1) + 2 ** (order + 1) * off)
            return found

        def quotient(values: Doubles, off: Doubles) -> tuple[Doubles, Doubles]:
            """Bounds of the two derivatives of coefficients by the weights."""
            r, first = net(values, 0, off) / least, net(values, 1, off)
            first = (first + r * w1) / least
            return first, (net(values, 2, off) + 2 * w1 * first + r * w2) / least

        w1, w2 = (net(near[..., -1:], k, error) * self.rational for k in (1, 2))
        first, second = quotient(near[..., :-1], error)
        if self.rational:
            values, slopes, off = _straightened(near, (1,), error[:, :, None], own[:, :, None])
            bent = quotient(values, off[:, :, 0])
            first = np.minimum(first, np.abs(slopes[0][:, 0]) / h + bent[0])
            second = np.minimum(second, bent[1])
        return first * UP, second * UP

    def _jumps(self, own: Doubles) -> Doubles:
        """Bounds of what each coordinate of the derivative jumps by at each kink, (kinks, components)."""
        before, after = self.axis.beside()
        left, right, p = self.cells[before], self.cells[after], self.axis.degree
        a, b = (p / self.axis.lengths[k][:, None] for k in (after, before))
        turned = a * right[:, 1] + b * left[:, p - 1]
        at = right[:, 0, :-1] / right[:, 0, -1:]
        w = np.concatenate([left[..., -1], right[..., -1]], 1)
        most, least = w.max(1)[:, None], w.min(1)[:, None] - np.maximum(own[before], own[after])
        error = 6 * (most / least) ** 2 * np.maximum(own[before], own[after]) * (a + b)
        found: Doubles = (np.abs(turned[:, :-1] - turned[:, -1:] * at) + error) / least * UP
        return found

    def cut(self, t0: Doubles, t1: Doubles) -> Doubles:
        return self.axis.cut(t0, t1)

    def folds(self, t0: Doubles, t1: Doubles) -> Doubles:
        return self.axis.folded(t0, t1, self.jumps)

    def bounds(self, t0: Doubles, t1: Doubles) -> tuple[Doubles, Doubles]:
        i0, i1 = self.axis.range(t0, t1)
        return _most(self.first, i0, i1), _most(self.second, i0, i1)


class Axis:
    """One direction of parameters of a spline: its knots, and the cells that its spans are cut into."""

    def __init__(self, degree: int, knots: Doubles, period: float = 0.0):
        self.degree, self.knots, self.period = degree, knots, period
        inside, times = np.unique(knots[degree : len(knots) - degree], return_counts=True)
        self.spans = np.stack([inside[:-1], inside[1:]], 1)
        # Where the derivative may jump: knots that are there as often as the degree says, and the seam of a period.
        self.kinks = np.concatenate([inside[:1] if period else [], inside[1:-1][times[1:-1] >= degree]])
        self.split(1)

    def split(self, parts: int) -> None:
        """Cut each span into equal parts."""
        shares = np.arange(parts + 1) / parts
        ends = self.spans[:, :1] * (1 - shares) + self.spans[:, 1:] * shares
        ends[:, -1] = self.spans[:, 1]
        self.starts, self.ends = ends[:, :-1].ravel(), ends[:, 1:].ravel()
        self.lengths = self.ends - self.starts
        self.of = np.repeat(np.arange(len(self.spans)), parts)

    def beside(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The cells before and after each kink."""
        after = np.searchsorted(self.starts, self.kinks, "left")
        return (after - 1) % len(self.starts), after

    def folded(self, t0: Doubles, t1: Doubles, jumps: Doubles) -> Doubles:
        """How far what jumps in its derivative at the kinks may be from straight over [t0, t1]: (n, ...) of jumps (kinks, ...).

        Over a kink k that is (t1 - k) (k - t0) / (t1 - t0) times the jump.
        """
        out = np.zeros((len(t0), *jumps.shape[1:]))
        low = np.floor((t0 - self.starts[0]) / self.period) * self.period if self.period else np.zeros(len(t0))
        for k, jump in zip(self.kinks.tolist(), jumps):
            for turn in range(3 if self.period else 1):
                at = k + low + turn * self.period
                # Knots of later periods are rounded: a little more on both sides.
                slack = 4 * U * (np.abs(at) + np.abs(low)) if self.period else 0.0
                left, right = at - t0 + slack, t1 - at + slack
                inside = (left > 0) & (right > 0)
                share = np.where(inside, left * right / np.where(inside, left + right, 1.0), 0.0)
                out += np.multiply.outer(share, jump) * UP
        return out

    def cut(self, t0: Doubles, t1: Doubles) -> Doubles:
        """The kink nearest the middle between two parameters, NaN where none is between them."""
        low, high, middle = np.minimum(t0, t1), np.maximum(t0, t1), 0.5 * (t0 + t1)
        best = np.full(len(t0), np.nan)
        turns = np.arange(-1, 3) * self.period if self.period else np.zeros(1)
        for k in np.add.outer(turns, self.kinks).ravel().tolist():
            nearer = (low < k) & (k < high) & ~(np.abs(best - middle) <= np.abs(k - middle))
            best[nearer] = k
        return best

    def cells(self, net: Doubles) -> Doubles:
        """The control points (cells, degree + 1, ...) of the spline over each cell: blossoms, convex at every level."""
        p, beside = self.degree, [1] * (net.ndim - 1)
        k = (np.searchsorted(self.knots, self.spans[self.of, 0], "right") - 1)[:, None]
        own, out = net[k + np.arange(-p, 1)], []
        for j in range(p + 1):
            d = own
            for r in range(1, p + 1):
                x = (self.starts if r <= p - j else self.ends)[:, None]
                low, high = self.knots[k + np.arange(r - p, 1)], self.knots[k + np.arange(1, p - r + 2)]
                share = np.clip((x - low) / (high - low), 0.0, 1.0).reshape(len(k), -1, *beside)
                d = (1 - share) * d[:, :-1] + share * d[:, 1:]
            out.append(d[:, 0])
        return np.stack(out, 1)

    def inside(self, t: Doubles) -> Doubles:
        """Parameters within the knots: whole periods away, or the nearest end."""
        low, high = self.starts[0], self.ends[-1]
        if self.period:
            t = t - np.floor((t - low) / self.period) * self.period
        return np.clip(t, low, high)

    def find(self, t: Doubles) -> tuple[NDArray[np.intp], Doubles]:
        """The cell of each parameter, and the share of it."""
        t = self.inside(t)
        cell = np.clip(np.searchsorted(self.starts, t, "right") - 1, 0, len(self.starts) - 1)
        return cell, np.clip((t - self.starts[cell]) / self.lengths[cell], 0.0, 1.0)

    def range(self, t0: Doubles, t1: Doubles) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The first and the last cell that [t0, t1] meets; beyond the last where it crosses the seam of a period."""
        n, low, wide = len(self.starts), self.starts[0], 1e-9 * float(self.ends[-1] - self.starts[0])
        shift = np.zeros(len(t0))
        if self.period:
            shift = np.floor((t0 - wide - low) / self.period)
        first = np.searchsorted(self.ends, t0 - shift * max(self.period, 1) - wide, "left")
        turn = np.zeros(len(t0))
        last = t1 - shift * self.period + wide
        if self.period:
            turn = np.clip(np.floor((last - low) / self.period), 0, 2)
            last = last - turn * self.period
        end = np.searchsorted(self.starts, last, "right") - 1
        first = np.clip(first, 0, n - 1)
        end = np.clip(end, 0, n - 1) + (turn * n).astype(np.intp)
        return first, np.minimum(np.maximum(end, first), first + n)


def _plain(homogeneous: Doubles) -> Doubles:
    return homogeneous[..., :-1] / homogeneous[..., -1:]


def _moved(homogeneous: Doubles, origin: Doubles) -> Doubles:
    """The coefficients of the spline less a point."""
    out = homogeneous.copy()
    out[..., :-1] -= origin * out[..., -1:]
    return out


def _positive(least: Doubles) -> None:
    if not np.all(least > 0):
        raise ValueError("a weight is not above 0, or weights are too far apart")


def _centered(cells: Doubles, axes: tuple[int, ...], own: Doubles, least: Doubles) -> tuple[Doubles, Doubles]:
    """Coefficients less the center of each cell times the weights, and a bound of their errors.

    ``own`` bounds the errors of the coefficients, and ``least`` the weights from below.
    """
    w = cells[..., -1:]
    points = cells[..., :-1] / w
    near = cells.copy()
    near[..., :-1] -= 0.5 * (points.max(axes, keepdims=True) + points.min(axes, keepdims=True)) * w
    # The center is at most the largest coefficient by the least weight, and so is what the errors of weights become.
    return near, own * (2 + 2 * w.max(axes, keepdims=True) / least)


def _straightened(near: Doubles, axes: tuple[int, ...], error: Doubles, own: Doubles) -> tuple[Doubles, list[Doubles], Doubles]:
    """Coefficients less an affine function of the parameters times the weights, its slopes, and a bound of their errors.

    The degree is one more along each axis. The affine function goes through the middles of the ends of each cell: what is
    left has the second derivatives of the whole, and small first ones.
    """
    points, w, slopes = near[..., :-1] / near[..., -1:], near[..., -1:], []
    for axis in axes:
        ends = points
        for one in axes:
            ends = np.take(ends, [0, -1], one)
        slopes.append(np.diff(ends, axis=axis).mean(axes, keepdims=True))
    higher = near
    for axis in axes:
        higher = _raised(higher, axis)
    values, most = higher[..., :-1], np.zeros_like(error)
    for axis, slope in zip(axes, slopes):
        ramp = w
        for one in axes:
            ramp = _raised(ramp, one, 0.0 if one == axis else 1.0)
        values = values - slope * ramp
        most = most + np.abs(slope).max(-1, keepdims=True)
    rest = values / higher[..., -1:]
    center = 0.5 * (rest.max(axes, keepdims=True) + rest.min(axes, keepdims=True))
    values = values - center * higher[..., -1:]
    most = most + np.abs(center).max(-1, keepdims=True)
    size = np.abs(near[..., :-1]).max((*axes, -1), keepdims=True)
    return values, slopes, 2 * error + most * (2 * own + 32 * U * w.max(axes, keepdims=True)) + 32 * U * size


def _raised(net: Doubles, axis: int, start: float = 1.0) -> Doubles:
    """The Bezier coefficients of a polynomial by a degree more; with a start of 0, of it times the share of the cell."""
    n = net.shape[axis]
    shape = [1] * net.ndim
    shape[axis] = n + 1
    share, none = (np.arange(n + 1) / n).reshape(shape), np.zeros_like(np.take(net, [0], axis))
    found: Doubles = share * np.concatenate([none, net], axis) + start * (1 - share) * np.concatenate([net, none], axis)
    return found


def _bernstein(p: int, x: Doubles) -> Doubles:
    """The Bernstein polynomials (n, p + 1) at shares of a cell."""
    j = np.arange(p + 1)
    found: Doubles = np.array([math.comb(p, k) for k in j]) * x[:, None] ** j * (1 - x[:, None]) ** (p - j)
    return found


def _most(values: Doubles, first: NDArray[np.intp], last: NDArray[np.intp]) -> Doubles:
    """The largest of values[first], ..., values[last], which go round."""
    n, out = len(values), values[first % len(values)]
    for k in range(1, int((last - first).max(initial=0)) + 1):
        np.maximum(out, values[np.minimum(first + k, last) % n], out=out)
    return out


class SplineSurface:
    """A B-spline surface, rational or not: homogeneous coefficients (n, m, 4), weights last."""

    def __init__(self, u: Axis, v: Axis, homogeneous: Doubles):
        self.u, self.v = u, v
        points = _plain(homogeneous).reshape(-1, 3)
        self.origin = 0.5 * (points.min(0) + points.max(0))
        self.net = _moved(homogeneous, self.origin)
        self.rational = bool(np.any(homogeneous[..., -1] != homogeneous[0, 0, -1]))
        self.prepare(1, 1)

    def prepare(self, along_u: int, along_v: int) -> None:
        """Cut the spans into cells: more of them make the bounds narrower."""
        self.u.split(max(1, min(along_u, _MOST_CELLS // len(self.u.spans))))
        self.v.split(max(1, min(along_v, _MOST_CELLS // len(self.v.spans))))
        rows = self.u.cells(self.net)  # (cells of u, p + 1, m, 4)
        nets = self.v.cells(np.moveaxis(rows, 2, 0))  # (cells of v, q + 1, cells of u, p + 1, 4)
        self.cells = np.ascontiguousarray(np.transpose(nets, (2, 0, 3, 1, 4)))  # (u, v, p + 1, q + 1, 4)
        self.limits = self._limits()
        self.jumps = self._jumps(self.u, self.cells), self._jumps(self.v, np.transpose(self.cells, (1, 0, 3, 2, 4)))

    @staticmethod
    def _jumps(axis: Axis, cells: Doubles) -> Doubles:
        """Bounds of the lengths by which the derivative along the first axis jumps at each of its kinks."""
        before, after = axis.beside()
        p = axis.degree
        left, right = cells[before], cells[after]
        a, b = (p / axis.lengths[k][:, None, None, None] for k in (after, before))
        start, turned = right[:, :, 0], a * right[:, :, 1] + b * left[:, :, p - 1]  # (kinks, cells, q + 1, 4)
        both = np.stack([left, right], 2)
        rounding = (8 * (p + cells.shape[3]) + 16) * U
        own = rounding * np.abs(both).max((2, 3, 4, 5), keepdims=True)[:, :, 0, 0]
        least = both[..., 3].min((2, 3, 4))[:, :, None, None] - own
        ratio = both[..., 3].max((2, 3, 4))[:, :, None, None] / least
        turned = turned - (turned[..., 3:] / start[..., 3:]).mean(2, keepdims=True) * start
        points = start[..., :3] / start[..., 3:]
        center = 0.5 * (points.max(2, keepdims=True) + points.min(2, keepdims=True))
        error = 16 * ratio**2 * own * (a + b)
        weights = 16 * ratio**3 * rounding * least * (a + b)  # the error of turned weights
        far = np.linalg.norm(points - center, axis=-1).max(2) + error[..., 0, 0]
        moved = np.linalg.norm(turned[..., :3] - center * turned[..., 3:], axis=-1).max(2)
        found = moved + (np.abs(turned[..., 3]).max(2) + weights[..., 0, 0]) * far + 2 * error[..., 0, 0]
        most: Doubles = (found / least[..., 0, 0]).max(1, initial=0.0) * UP
        return most

    def cut(self, p: Doubles, q: Doubles) -> Doubles:
        found = np.stack([axis.cut(p[:, k], q[:, k]) for k, axis in enumerate((self.u, self.v))], 1)
        both = np.isfinite(found).all(1)
        found[both, 1] = np.nan
        return found

    def folds(self, low: Doubles, high: Doubles) -> Doubles:
        u, v = (axis.folded(low[:, k], high[:, k], self.jumps[k]) for k, axis in enumerate((self.u, self.v)))
        found: Doubles = u + v
        return found

    def narrow(self) -> None:
        """Cut the spans into more cells while that makes the bounds of second derivatives narrower by a tenth in the mean."""
        last, parts = float(self.limits[..., 2:].mean((0, 1)).sum()), 1
        while parts < 8 and last > 0:
            parts *= 2
            self.prepare(parts, parts)
            now = float(self.limits[..., 2:].mean((0, 1)).sum())
            if now > 0.9 * last:
                break
            last = now

    def _limits(self) -> Doubles:
        """The five bounds of each cell, (u, v, 5), by the nets of the derivatives."""
        p, q = self.u.degree, self.v.degree
        c, hu, hv = self.cells, self.u.lengths[:, None], self.v.lengths[None, :]
        own = (8 * (p + q) + 16) * U * np.abs(c).max((2, 3, 4), keepdims=True)
        least = c[..., 3].min((2, 3)) - own[:, :, 0, 0, 0]
        _positive(least)
        near, error = _centered(c, (2, 3), own, least[:, :, None, None, None])

        def net(values: Doubles, i: int, j: int, off: Doubles) -> Doubles:
            """Bounds of the lengths of the derivative of order i, j of a polynomial with these coefficients."""
            n, m = values.shape[2] - 1, values.shape[3] - 1
            if i > n or j > m:
                return np.zeros_like(least)
            factor = math.perm(n, i) * math.perm(m, j) / (hu**i * hv**j)
            d = np.diff(np.diff(values, i, axis=2), j, axis=3)
            found: Doubles = factor * (np.linalg.norm(d, axis=-1).max((2, 3)) + 2 ** (i + j + 2) * off[:, :, 0, 0, 0])
            return found

        orders = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
        wu, wv, wuu, wuv, wvv = (net(near[..., 3:], *k, error) if self.rational else np.zeros_like(least) for k in orders)

        def quotient(values: Doubles, off: Doubles) -> tuple[Doubles, ...]:
            """The five bounds of a polynomial by the weights."""
            r = net(values, 0, 0, off) / least
            pu, pv, puu, puv, pvv = (net(values, *k, off) for k in orders)
            su, sv = (pu + r * wu) / least, (pv + r * wv) / least
            suu = (puu + 2 * wu * su + r * wuu) / least
            suv = (puv + wu * sv + wv * su + r * wuv) / least
            svv = (pvv + 2 * wv * sv + r * wvv) / least
            return su, sv, suu, suv, svv

        su, sv, suu, suv, svv = quotient(near[..., :3], error)
        if self.rational:
            values, slopes, off = _straightened(near, (2, 3), error, own)
            along = [np.linalg.norm(x[:, :, 0, 0], axis=-1) / h for x, h in zip(slopes, (hu, hv))]
            bent = quotient(values, off)
            su, sv = np.minimum(su, along[0] + bent[0]), np.minimum(sv, along[1] + bent[1])
            suu, suv, svv = (np.minimum(x, y) for x, y in zip((suu, suv, svv), bent[2:]))
        return np.stack([su, sv, suu, suv, svv], -1) * UP

    def at(self, uv: Doubles) -> Doubles:
        i, x = self.u.find(uv[:, 0])
        j, y = self.v.find(uv[:, 1])
        h = np.einsum("ni,nj,nijc->nc", _bernstein(self.u.degree, x), _bernstein(self.v.degree, y), self.cells[i, j])
        found: Doubles = h[:, :3] / h[:, 3:] + self.origin
        return found

    def error(self, uv: Doubles) -> float:
        weights = self.cells[..., 3]
        size = float(np.abs(self.cells[..., :3]).max() / weights.min()) * float(weights.max() / weights.min())
        degrees = self.u.degree + self.v.degree
        speed = float((self.limits[..., 0] * self.u.lengths[:, None] + self.limits[..., 1] * self.v.lengths[None]).max())
        return (32 * degrees + 64) * U * size + 8 * U * (float(np.abs(self.origin).max()) + speed)

    def bounds(self, box: Doubles) -> Doubles:
        i0, i1 = self.u.range(box[:, 0], box[:, 1])
        j0, j1 = self.v.range(box[:, 2], box[:, 3])
        n, m, out = len(self.u.starts), len(self.v.starts), self.limits[i0 % len(self.u.starts), j0 % len(self.v.starts)]
        wide, high = (int((b - a).max(initial=0)) + 1 for a, b in ((i0, i1), (j0, j1)))
        for k, m_ in itertools.product(range(wide), range(high)):
            np.maximum(out, self.limits[np.minimum(i0 + k, i1) % n, np.minimum(j0 + m_, j1) % m], out=out)
        return out
