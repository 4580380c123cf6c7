"""Figures of the methods for one pair of primitives."""

from __future__ import annotations

import ccd
import numpy as np

from drawing.canvas import Chart, Figure, plane, tilted

# The first query has three roots of f, of which the last is a contact. The second is separate.
THREE_ROOTS = [
    [-0.5, -0.5, -0.7], [0.8, 0.5, -0.6], [-1.0, 0.1, 1.0], [0.6, 1.0, 1.0],
    [0.1, -0.3, 0.1], [-1.0, -0.6, 0.7], [0.6, -0.6, 0.0], [-0.7, 0.9, -0.9],
]  # fmt: skip
NO_ROOT = [
    [-0.4, 0.7, 0.9], [0.5, -0.8, 0.4], [0.2, 0.9, -0.8], [-0.1, -0.5, -0.8],
    [-0.1, 0.1, -0.6], [-0.9, -0.8, 0.9], [0.0, -0.2, 0.9], [0.9, -0.8, -0.8],
]  # fmt: skip


def differences(query, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, B, C of a vertex and a face at t."""
    q = np.asarray(query, float)
    v, f0, f1, f2 = q[:4] + t * (q[4:] - q[:4])
    return v - f0, f0 - f1, f0 - f2


def coplanarity(query) -> np.poly1d:
    """f(t) = A . (B x C), through four values."""
    times = np.linspace(0, 1, 4)
    values = [a @ np.cross(b, c) for a, b, c in (differences(query, t) for t in times)]
    return np.poly1d(np.polyfit(times, values, 3))


def bernstein(p: np.poly1d, lo: float, hi: float) -> np.ndarray:
    """The coefficients of a cubic in the Bernstein basis of an interval."""
    c0, c1, c2, c3 = np.pad(p(np.poly1d([hi - lo, lo])).c[::-1], (0, 4))[:4]
    return np.array([c0, c0 + c1 / 3, c0 + (2 * c1 + c2) / 3, c0 + c1 + c2 + c3])


def roots() -> Figure:
    f = Figure("roots", "Three roots of the polynomial, of which one is a contact", 640, 335)
    p = coplanarity(THREE_ROOTS)
    hit = ccd.pair.vertex_face(THREE_ROOTS)
    found = [r.real for r in np.sort(p.roots) if abs(r.imag) < 1e-9 and 0 <= r.real <= 1]
    t = np.linspace(0, 1, 120)
    high = 1.05 * np.max(np.abs(p(t)))
    chart = Chart(f, (40, 45, 590, 165), (0, 1), (-high, high))
    chart.axes("t", "f(t)", 0)
    chart.line(t, p(t), "a thick")
    for i, root in enumerate(found):
        a, b, c = differences(THREE_ROOTS, root)
        n = np.cross(b, c)
        k = np.argmax(np.abs(n))
        u, v = np.cross(c, a)[k] / n[k], np.cross(a, b)[k] / n[k]
        contact = min(u, v, 1 - u - v) >= 0
        look = "good" if contact else "b"
        x, y = chart.at(root, 0)
        f.dot(x, y, look)
        left = 95 + 205 * i
        f.path([(x, y + 6), (left + 20, 205)], "soft dashed")
        f.path([(left, 255), (left + 44, 255), (left, 211)], "fill soft ink", closed=True)
        f.dot(left + 44 * u, 255 - 44 * v, look)
        words = f"t = {root:.3f}: contact" if contact else f"t = {root:.3f}: outside"
        f.text(left + 22, 326, words, look, "middle")
    f.text(chart.at(hit.toi_lo, 0)[0] - 6, 90, "toi_lo", "good", "end")
    return f


def pieces() -> Figure:
    f = Figure("pieces", "Bernstein coefficients on the step and on eighths of it", 640, 300)
    p = coplanarity(NO_ROOT)
    assert ccd.pair.vertex_face(NO_ROOT).separate
    t = np.linspace(0, 1, 120)
    high = 1.08 * np.max(p(t))
    for left, count, words in ((40, 1, "one piece: a coefficient is negative"), (365, 8, "eight pieces: all are positive")):
        chart = Chart(f, (left, 45, left + 225, 235), (0, 1), (-0.45 * high, high))
        chart.axes("t", "f(t)", 0)
        chart.line(t, p(t), "a thick")
        for i in range(count):
            lo, hi = i / count, (i + 1) / count
            c = bernstein(p, lo, hi)
            points = chart.at(np.linspace(lo, hi, 4), c)
            f.path(points, "soft dashed" if count == 1 else "soft")
            for (x, y), value in zip(points, c):
                f.dot(x, y, "good" if value > 0 else "b", 3.5 if count == 1 else 2.5)
        f.text(left + 120, 285, words, anchor="middle")
    return f


def norms() -> Figure:
    """A point that approaches an edge, with a separation in both norms."""
    f = Figure("norms", "What keeps a distance d from an edge, in both norms", 640, 320)
    p0, p1, edge, d = np.array([3.5, 2.9]), np.array([0.9, 0.3]), np.array([[0.0, 0.2], [1.7, 1.1]]), 0.62
    flat = [[*p0, 0], *([*e, 0] for e in edge)]
    query = [*flat, [*p1, 0], *flat[1:]]
    along = np.diff(edge, axis=0)[0]
    phi = np.arctan2(along[1], along[0])
    arc = np.linspace(0, np.pi, 30)
    turns = ((1, arc + phi - np.pi / 2), (0, arc + phi + np.pi / 2))
    rounds = [edge[i] + d * np.stack([np.cos(turn), np.sin(turn)], 1) for i, turn in turns]
    corners = np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]])
    cube = np.array([edge[1] + d * corners[0], *(edge[1] + d * corners[[1, 2]]), edge[0] + d * corners[2]])
    cube = np.vstack([cube, edge[0] + d * corners[3], edge[0] + d * corners[0]])
    shapes = (("euclidean", np.vstack(rounds), "Euclidean norm"), ("max", cube, "max norm"))
    for left, (norm, outline, words) in zip((70, 385), shapes):
        place = plane(left, 250, 62)
        f.path(place(outline), "fill soft soft", closed=True)
        f.path(place(edge), "a thick")
        t = ccd.pair.point_edge(query, min_separation=d, norm=norm).toi_lo
        now = place(p0 + t * (p1 - p0))
        f.arrow(*place(p0), *now, "b")
        f.dot(*now, "b")
        f.text(now[0] + 12, now[1] + 16, f"toi_lo = {t:.3f}", "b")
        f.text(*place(np.add(edge.mean(0), (0.12, -0.25))), "edge", "a")
        f.text(left + 75, 312, f"{words}, d = {d}", anchor="middle")
    return f


def nearest(corners: np.ndarray) -> np.ndarray:
    """The point of the segment between two points that is nearest to the origin."""
    p, e = corners[0], corners[1] - corners[0]
    return p + np.clip(-(p @ e) / (e @ e), 0, 1) * e


def certificates() -> Figure:
    """Newton's steps towards the time at which a point comes within d of a turning edge."""
    f = Figure("certificates", "Lower bounds of the distance that lead to the contact", 640, 320)
    start, end, d = np.array([[2.2, -1.7], [1.7, 0.0]]), np.array([[-0.8, 0.1], [0.9, 1.1]]), 0.25
    corners = lambda t: start + t * (end - start)  # noqa: E731
    gap = lambda t: np.linalg.norm(nearest(corners(t))) - d  # noqa: E731
    chart = Chart(f, (50, 45, 590, 250), (0, 1), (-0.12, 1.5))
    chart.axes("t", "", 0)
    t = np.linspace(0, 1, 200)
    chart.line(t, [gap(s) for s in t], "a thick")
    flat = lambda q: [[0, 0, 0], *([*c, 0] for c in q)]  # noqa: E731
    toi = ccd.pair.point_edge([*flat(start), *flat(end)], min_separation=d).toi_lo
    a = 0.0
    for i in range(3):
        slope = (gap(a + 1e-6) - gap(a)) / 1e-6
        b = min(1.0, a - gap(a) / slope)
        (na, pa), (nb, pb) = ((nearest(q) / np.linalg.norm(nearest(q)), q) for q in (corners(a), corners(b)))
        c = [np.min(pa @ na) - d, (np.min(pb @ na + pa @ nb) - 2 * d) / 2, np.min(pb @ nb) - d]
        s = np.linspace(0, 1, 100)
        bound = c[0] * (1 - s) ** 2 + 2 * c[1] * s * (1 - s) + c[2] * s**2
        first = np.argmax(bound < 0) if np.any(bound < 0) else len(s) - 1
        chart.line(a + (b - a) * s[:first], bound[:first], "b dashed")
        f.dot(*chart.at(a, gap(a)), "b")
        a = a + (b - a) * s[first]
        f.path([chart.at(a, 0), chart.at(a, gap(a))], "soft")
        if i < 2:
            chart.tick(a, f"step {i + 1}", "b", base=0)
    f.dot(*chart.at(toi, 0), "good")
    f.text(*chart.at(toi + 0.015, 0.06), "toi_lo", "good")
    f.text(*chart.at(0.06, 1.42), "distance \u2212 d", "a")
    f.text(330, 305, "Each dashed bound lies below the curve. Its first zero is the next time.", anchor="middle")
    return f


def resting() -> Figure:
    """A point that slides at the height d over the border of an edge: contact is that of its foot."""
    f = Figure("resting", "A point at exactly the separation, and the directions to what is nearest", 640, 300)
    edge, d = np.array([[0.0, 0.0], [2.0, 0.0]]), 0.625
    start, end = np.array([4.0, d]), np.array([0.5, d])
    place = plane(60, 210, 118)
    arc = np.linspace(np.pi / 2, -np.pi / 2, 30)
    border = np.vstack([[[0, d]], edge[1] + d * np.stack([np.cos(arc), np.sin(arc)], 1), [[0, -d]]])
    f.path(place(border), "fill soft soft", closed=True)
    f.path(place(edge), "a thick")
    f.arrow(*place(start), *place(end), "b")
    toi = ccd.pair.point_edge([[*start, 0], *([*e, 0] for e in edge), [*end, 0], *([*e, 0] for e in edge)], min_separation=d)
    for t in np.linspace(0, 1, 8):
        at = start + t * (end - start)
        foot = np.clip(at[0], *edge[:, 0]), 0.0
        f.path([place(at), place(foot)], "good" if at[0] <= edge[1, 0] else "soft dashed")
        f.dot(*place(at), "b", 2.5)
    touch = start + toi.toi_lo * (end - start)
    f.dot(*place(touch), "good")
    f.text(*place(np.add(touch, (0.06, 0.1))), f"toi_lo = {toi.toi_lo:.3f}", "good")
    f.text(*place([3.3, d + 0.1]), "height d", "b")
    f.text(*place([0.05, -0.16]), "edge", "a")
    f.text(330, 20, "The height is d all along, so contact is where the foot is on the edge.", anchor="middle")
    return f


class Flat:
    """F(t, u) of a point and an edge in the plane, on boxes of t and u."""

    def __init__(self):
        self.q0, self.q1 = np.array([[0.1, 1.5], [-1.0, -0.3], [1.4, 0.1]]), np.array([[0.5, -0.9], [-0.8, 0.6], [1.2, -0.2]])

    def corners(self, box) -> np.ndarray:
        """F at (t, u): [2 times, 2 parameters, 2 axes]."""
        values = []
        for t in box[:2]:
            p, e0, e1 = self.q0 + t * (self.q1 - self.q0)
            values.append([p - e0 - u * (e1 - e0) for u in box[2:]])
        return np.array(values)

    def empty(self, box) -> bool:
        c = self.corners(box).reshape(-1, 2)
        return bool(np.any(c.min(0) > 0) or np.any(c.max(0) < 0))

    def cut(self, box, axes=(0, 1)) -> tuple[float, ...]:
        """What is left of a box when the parts on which a component keeps its sign are cut off."""
        box = list(box)
        for axis in axes:
            for side in range(4):
                c = self.corners(box)[:, :, axis]
                c = c if side < 2 else c.T
                near, far = (c[0], c[1]) if side % 2 == 0 else (c[1], c[0])
                sign = np.sign(near[0])
                if not (near * sign > 0).all() or (far * sign > 0).all():
                    continue
                share = min(a / (a - b) if a > b else 1.0 for a, b in zip(near * sign, far * sign))
                lo = 0 if side < 2 else 2
                width = box[lo + 1] - box[lo]
                if side % 2 == 0:
                    box[lo] += share * width
                else:
                    box[lo + 1] -= share * width
        return tuple(box)

    def toi(self) -> float:
        flat = lambda q: [[*p, 0] for p in q]  # noqa: E731
        return ccd.pair.point_edge([*flat(self.q0), *flat(self.q1)]).toi_lo


def inclusion() -> Figure:
    """The boxes of the two methods with a tolerance, for a point and an edge in the plane."""
    f = Figure("inclusion", "Boxes that are halved, and boxes that are cut", 640, 345)
    query = Flat()
    left = Chart(f, (40, 40, 290, 270), (0, 1), (0, 1))
    right = Chart(f, (350, 40, 600, 270), (0, 1), (0, 1))
    level, dropped = [(0.0, 1.0, 0.0, 1.0)], 0
    for depth in range(10):
        kept = []
        for t0, t1, u0, u1 in level:
            t, u = (t0 + t1) / 2, (u0 + u1) / 2
            halves = [(t0, t, u0, u1), (t, t1, u0, u1)] if depth % 2 == 0 else [(t0, t1, u0, u), (t0, t1, u, u1)]
            for box in halves:
                gone = query.empty(box)
                dropped += gone
                look = "fill soft soft" if gone else "fill b b" if depth == 9 else ""
                if look:
                    f.box(*left.at(box[0], box[2]), *left.at(box[1], box[3]), look)
                if not gone:
                    kept.append(box)
        level = kept
    box, rounds = (0.0, 1.0, 0.0, 1.0), 0
    while box[1] - box[0] > 1e-3:
        f.box(*right.at(box[0], box[2]), *right.at(box[1], box[3]), "fill a a")
        box, rounds = query.cut(box, (rounds % 2,)), rounds + 1
    for chart, words in ((left, f"halved 10 times: {dropped} dropped"), (right, f"cut {rounds} times")):
        chart.axes("t", "u")
        chart.tick(query.toi(), "toi_lo", "good")
        f.path([chart.at(query.toi(), 0), chart.at(query.toi(), 1)], "good dashed")
        f.text(sum(chart.box[::2]) / 2, 332, words, anchor="middle")
    return f


def contact() -> Figure:
    """A constraint of an active set: points, normal and weights at toi, gap at t = 1."""
    f = Figure("contact", "Point, normal and gap of a constraint", 640, 330)
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    x0 = np.array([[0, 0, 0], [1.7, 0, 0], [0, 1.7, 0], [0.05, 0.3, 1.15]])
    x1 = x0 + np.array([[0, 0, 0.15]] * 3 + [[0.85, 0.15, -1.55]])
    (c,) = ccd.step.activeset(mesh, x0, x1)
    hit = c["impact"]
    t = hit["toi_lo"]
    for center, time, words in ((50, t, f"at toi_lo = {t:.3f}"), (365, 1.0, "at t = 1")):
        x = x0 + time * (x1 - x0)
        at = tilted((center, 215), 120)
        f.path(at(x[:3]), "fill soft ink", closed=True)
        (v,) = at([x[3]])
        foot = c["weights"][1:] @ x[c["vertices"][1:]] * -1
        (b,) = at([foot])
        if time < 1:
            f.arrow(*at([x0[3]])[0], *v, "a dashed")
            f.arrow(*b, *at([foot + 0.55 * hit["normal"]])[0], "b")
            f.text(b[0] + 12, b[1] - 66, "normal", "b")
            f.text(b[0] + 10, b[1] + 5, f"u = {hit['u']:.2f}, v = {hit['v']:.2f}")
        else:
            f.path([b, at([foot + (c["gap"] + c["separation"]) * hit["normal"]])[0]], "b thick")
            f.text(b[0] - 10, b[1] + 66, f"gap = {c['gap']:.2f}", "b", "end")
            f.path([at([foot + (c["gap"] + c["separation"]) * hit["normal"]])[0], v], "soft dashed")
        f.dot(*b, "ink")
        f.dot(*v, "a")
        f.text(center + 95, 318, words, anchor="middle")
    return f


def arc() -> Figure:
    """A quarter turn of a point: two cubic pieces with their control points, and the chords."""
    f = Figure("arc", "A point that turns by a quarter, enclosed by two cubic pieces", 640, 300)
    m = ccd.Motion.rigid([[1, 0, 0]], ccd.rigid.Motion(angular_velocity=(0, 0, np.pi / 2)), pieces=2)
    chart = Chart(f, (190, 30, 450, 260), (-0.1, 1.2), (-0.05, 1.1))
    path = np.array([m.at(t)[0, :2] for t in np.linspace(0, 1, 60)])
    chart.line(path[:, 0], path[:, 1], "a thick")
    for piece in m.control[:, :, 0, :2]:
        f.path([chart.at(*p) for p in piece], "soft")
        f.path([chart.at(*p) for p in piece[[0, -1]]], "b dashed")
        for p in piece:
            f.dot(*chart.at(*p), "a")
    f.text(320, 290, "Chords (dashed) miss the arc by 0.076, the cubic pieces by less than 0.001.", anchor="middle")
    return f


FIGURES = (roots, pieces, norms, certificates, resting, inclusion, contact, arc)
