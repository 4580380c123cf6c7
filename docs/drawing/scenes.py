"""Figures of the methods for scenes: docs/proofs/steps, proximity, volumes, rigid and patches, and "How it works"."""

from __future__ import annotations

from itertools import combinations

import ccd
import numpy as np
from ccd.rigid import Body, Motion

from drawing.canvas import Chart, Figure, plane, tilted


def cells() -> Figure:
    """Swept boxes in a grid of cells."""
    f = Figure("cells", "Swept boxes in cells; each cell is swept on its own", 640, 300)
    random = np.random.default_rng(11)
    lo = random.uniform([30, 40], [560, 220], (26, 2))
    boxes = np.hstack([lo, lo + random.uniform(14, 60, (26, 2))])
    width, top, shown = 140, 30, (1, 1)
    for i in range(5):
        f.path([(30 + i * width, top), (30 + i * width, top + 240)], "ink" if i in (0, 4) else "soft")
    for j in range(4):
        f.path([(30, top + 80 * j), (590, top + 80 * j)], "ink" if j in (0, 3) else "soft")
    place = lambda p: ((p - [30, top]) // [width, 80]).clip(0, [3, 2]).astype(int)  # noqa: E731
    reach = [bool(np.all(place(b[:2]) <= shown) and np.all(place(b[2:]) >= shown)) for b in boxes]
    for b, here in zip(boxes, reach):
        f.box(b[0], b[1], b[2], min(b[3], top + 238), "fill a a" if here else "fill soft soft")
    f.box(30 + width, top + 80, 30 + 2 * width, top + 160, "b thick")
    all_pairs = sum(bool(np.all(p[:2] <= q[2:]) and np.all(q[:2] <= p[2:])) for p, q in combinations(boxes, 2))
    f.text(30, 20, f"{len(boxes)} boxes, {all_pairs} pairs that overlap")
    f.text(30, 292, f"The sweep of the marked cell compares the {sum(reach)} boxes that reach it.")
    return f


def crossing() -> Figure:
    """An edge through a face, and the two ways to end that."""
    f = Figure("crossing", "An edge that crosses a face ends it at a vertex or at a side", 640, 285)
    face = np.array([[0, 0, 0], [1.5, 0, 0], [0, 1.5, 0]], float)
    ways = (
        (np.array([[0.45, 0.4, -0.6], [0.45, 0.4, 0.8]]), "the edge crosses the face", None),
        (np.array([[0.45, 0.4, 0.0], [0.45, 0.4, 1.4]]), "its end touches the face", "vertex-face"),
        (np.array([[0.75, 0.75, -0.6], [0.75, 0.75, 0.8]]), "it touches a side", "edge-edge"),
    )
    for left, (edge, words, kind) in zip((35, 245, 455), ways):
        at = tilted((left, 170), 95)
        cross = edge[0] + (0 - edge[0, 2]) / (edge[1, 2] - edge[0, 2]) * (edge[1] - edge[0])
        low, middle, high = at(np.array([edge[0], cross, edge[1]]))
        f.path([low, middle], "b dashed" if kind != "edge-edge" else "b thick")
        f.path(at(face), "fill a a", closed=True)
        f.path([middle, high], "b thick")
        f.dot(*middle, "good" if kind else "ink")
        f.text(left + 75, 258, words, anchor="middle")
        if kind:
            f.text(left + 75, 277, f"{kind} pair", "good", "middle")
        query = [*edge[:1], *face, *edge[:1], *face] if kind == "vertex-face" else [*edge, *face[1:], *edge, *face[1:]]
        if kind:
            call = ccd.pair.vertex_face if kind == "vertex-face" else ccd.pair.edge_edge
            assert call(np.array(query)).contact
    return f


def apart() -> Figure:
    """The flag CCD_APART_AT_TOI."""
    f = Figure("apart", "The distance over time, with and without apart_at_toi", 640, 290)
    face = [[-1, -1, 0], [2, -1, 0], [0, 2, 0]]
    query = [[0.2, 0.2, 1.0], *face, [0.2, 0.2, -0.25], *face]
    tolerance = 0.2
    chart = Chart(f, (50, 40, 590, 230), (0, 1), (0, 1.05))
    chart.axes("t", "distance")
    t = np.linspace(0, 1, 201)
    chart.line(t, np.abs(1 - 1.25 * t), "a thick")
    touch = ccd.pair.vertex_face(query)
    early = ccd.pair.vertex_face(query, tolerance=tolerance, apart_at_toi=True)
    g = 1 - 1.25 * early.toi_lo
    chart.tick(touch.toi_lo, f"toi_lo = {touch.toi_lo:.3f}", "b")
    f.dot(*chart.at(touch.toi_lo, 0), "b")
    x, y = chart.at(early.toi_lo, g)
    f.path([(x, y), chart.at(early.toi_lo, 0)], "good dashed")
    f.dot(x, y, "good")
    f.text(610, y - 30, f"apart_at_toi: toi_lo = {early.toi_lo:.3f}, distance {g:.2f}", "good", "end")
    f.text(330, 284, f"tolerance = {tolerance}, min_separation = 0", anchor="middle")
    return f


def enclosure() -> Figure:
    """Two proofs for the distance of two edges: a point of the difference set, and a direction."""
    f = Figure("enclosure", "An upper and a lower bound of a distance", 640, 255)
    p, q = np.array([[0.35, 0.8], [1.9, 1.15]]), np.array([[-0.4, -0.6], [0.1, 0.1]])
    a, b, c = p[0] - q[0], p[1] - p[0], -(q[1] - q[0])
    corners = np.array([a, a + b, a + b + c, a + c])
    place = plane(130, 225, 95)
    f.path(place(corners), "fill a a", closed=True)
    f.dot(*place([0, 0]), "ink")
    f.text(*np.add(place([0, 0]), (-8, 20)), "0", anchor="end")
    found = a + 0.13 * b + 0.8 * c
    high, w = np.hypot(*found), found / np.hypot(*found)
    low = (corners @ w).min()
    flat = [[*x, 0] for x in (*p, *q)]
    mesh = ccd.Mesh(edges=[[0, 1], [2, 3]], vertices=4)
    distance = ccd.proximity.distance(mesh, flat)
    f.path(place([[0, 0], found]), "b")
    f.dot(*place(found), "b")
    f.text(*np.add(place([0, 0]), (70, -22)), f"a point of the set: at most {high:.3f}", "b")
    side = np.array([-w[1], w[0]])
    f.path(place([low * w - 0.55 * side, low * w + 1.1 * side]), "good dashed")
    f.text(*np.add(place([0, 0]), (70, 0)), f"the set lies beyond the dashed line: at least {low:.3f}", "good")
    f.text(*np.add(place([0, 0]), (70, 22)), f"the distance: {distance.distance_lo:.3f}")
    f.text(*np.add(place(corners.mean(0)), (0, 4)), "A + u B + v C", "a", "middle")
    return f


def rod() -> tuple[np.ndarray, Motion]:
    """The corners of a thin rod, and its motion."""
    corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-0.06, 0.06) for z in (-0.06, 0.06)])
    return corners, Motion(position=(0, 0, 1.15), velocity=(0, 0, -0.25), angular_velocity=(0, 0.9, 0))


def advancement() -> Figure:
    """Conservative advancement of a turning rod towards a plate."""
    f = Figure("advancement", "Lower bounds of the gap of a turning rod and a plate", 640, 330)
    corners, motion = rod()
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    body = Body(corners, [[q[0], q[i], q[i + 1]] for q in quads for i in (1, 2)])
    plate = Body([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    toi = ccd.rigid.earliest(body, motion, plate, Motion(), t_max=2.0).toi_lo
    gap = lambda t: motion.at(t, corners)[:, 2].min()  # noqa: E731
    chart = Chart(f, (330, 45, 600, 250), (0, 1.2), (-0.15, 1.2))
    chart.axes("t", "gap", 0)
    t = np.linspace(0, 1.2, 100)
    chart.line(t, [gap(s) for s in t], "a thick")
    speed, reach = 0.9, np.linalg.norm(corners, axis=1).max()
    now, times = 0.0, []
    while gap(now) > 0.01:
        times.append(now)
        x = motion.at(now, corners) - motion.at(now, np.zeros((1, 3)))
        rates = -0.25 + np.cross([0, 0.9, 0], x)[:, 2]
        d, k = motion.at(now, corners)[:, 2], 0.5 * speed**2 * reach
        s = np.linspace(0, 1.2, 400)
        bound = (d[:, None] + rates[:, None] * s - k * s**2).min(0)
        keep = bound > -0.05
        chart.line(now + s[keep], bound[keep], "b dashed")
        f.dot(*chart.at(now, gap(now)), "b")
        now += s[np.argmax(bound < 0)]
    f.dot(*chart.at(toi, 0), "good")
    f.text(*chart.at(toi + 0.02, 0.07), "toi_lo", "good")
    flat = lambda q: np.stack([150 + 110 * q[:, 0], 235 - 110 * q[:, 2]], 1)  # noqa: E731
    f.path([(20, 235), (285, 235)], "ink thick")
    for time in (*times[:3], toi):
        look = "fill good good" if time == toi else "fill b b"
        f.path(flat(motion.at(time, corners))[[0, 1, 5, 4]], look, closed=True)
    f.text(150, 290, f"after 0, 1 and 2 steps, and at toi_lo = {toi:.3f}", anchor="middle")
    f.text(465, 290, "d + v s \u2212 k s\u00b2 at each step", "b", "middle")
    return f


def oriented(points: np.ndarray) -> np.ndarray:
    """The corners of a box along the principal axes of points in the plane."""
    center = points.mean(0)
    axes = np.linalg.svd(points - center)[2]
    lo, hi = ((points - center) @ axes.T).min(0), ((points - center) @ axes.T).max(0)
    return center + np.array([[lo[0], lo[1]], [hi[0], lo[1]], [hi[0], hi[1]], [lo[0], hi[1]]]) @ axes


def halves(groups: list[np.ndarray]) -> list[np.ndarray]:
    """Each group of segments (n, 2, 2), divided at the median along its longer axis."""
    parts = []
    for g in groups:
        middle = g.mean(1)
        along = (middle - middle.mean(0)) @ np.linalg.svd(middle - middle.mean(0))[2][0]
        order = np.argsort(along, kind="stable")
        parts += [g[order[: len(g) // 2]], g[order[len(g) // 2 :]]] if len(g) > 1 else [g]
    return parts


def tree() -> Figure:
    """Levels of a tree of oriented boxes over a gear that turns."""
    f = Figure("tree", "Levels of a tree of oriented boxes", 640, 250)
    n = 36
    angle = 2 * np.pi * np.arange(n) / n
    radius = np.where(np.arange(n) % 4 < 2, 76.0, 60.0) * (1 + 0.3 * np.cos(angle) + 0.12 * np.cos(2 * angle + 1))
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    groups, level = [np.stack([ring, np.roll(ring, -1, 0)], 1)], 0
    for left, wanted in ((110, 1), (320, 3), (530, 5)):
        while level < wanted:
            groups, level = halves(groups), level + 1
        turn = 0.2 * level
        turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        center = np.array([left, 112])
        f.path(center + ring @ turned.T, "fill soft ink", closed=True)
        for g in groups:
            f.path(center + oriented(g.reshape(-1, 2)) @ turned.T, "a", closed=True)
        f.text(left, 240, f"level {level}: {len(groups)} boxes", anchor="middle")
    return f


def ends() -> Figure:
    """Two primitives along an axis: swept intervals overlap, and at both ends one lies above the other."""
    f = Figure("ends", "Intervals at both ends separate where swept intervals overlap", 640, 280)
    a, b = np.array([[0.1, 0.35], [0.55, 0.72]]), np.array([[0.48, 0.7], [0.8, 0.98]])
    chart = Chart(f, (50, 40, 430, 230), (0, 1), (0, 1.05))
    chart.axes("t", "x")
    for look, q, word in (("a", a, "a"), ("b", b, "b")):
        f.path([*chart.at(0, q[0]), *chart.at(1, q[1])[::-1]], f"fill {look} {look}", closed=True)
        f.text(*chart.at(0.5, q.mean()), word, look, "middle")
        lo, hi = q.min(), q.max()
        x = 490 if look == "a" else 550
        f.path([(x, chart.at(0, lo)[1]), (x, chart.at(0, hi)[1])], f"{look} thick")
        f.text(x, 250, word, look, "middle")
    f.text(240, 272, "At t = 0 and at t = 1 b is above a: so it is throughout.", anchor="middle")
    f.text(520, 272, "swept: they overlap", anchor="middle")
    return f


def dop() -> Figure:
    """A tetrahedron that moves, in its box and in its k-DOP."""
    f = Figure("dop", "A moving tetrahedron in a box and in a k-DOP", 640, 290)
    x0 = np.array([[0.0, 0.0], [0.9, 0.25], [0.35, 0.85], [0.5, 0.35]])
    points = np.vstack([x0, np.add(x0, (1.0, 0.95))])
    for left, count, words in ((70, 4, "box: 2 axes of this plane"), (370, 8, "16-DOP: 4 axes of this plane")):
        place = plane(left, 245, 105)
        angles = 2 * np.pi * np.arange(count) / count
        n = np.stack([np.cos(angles), np.sin(angles)], 1)
        reach = (points @ n.T).max(0)
        corners = [np.linalg.solve(np.stack([n[i], n[i - 1]]), [reach[i], reach[i - 1]]) for i in range(count)]
        f.path(place(corners), "fill soft soft", closed=True)
        for q, look in ((points[:4], "a"), (points[4:], "a dashed")):
            f.path(place(q[:3]), f"{look} fill", closed=True)
            for corner in q[:3]:
                f.path(place([corner, q[3]]), look)
        f.arrow(*place(points[3]), *place(points[7]), "b")
        f.text(left + 95, 280, words, anchor="middle")
    return f


def surfaces() -> tuple:
    """Two biquadratic patches that meet: form, control points at t = 0 and t = 1 of each."""
    form = ccd.patch.Form.quad(2, 2)
    grid = np.array([[i, j] for i in (-1.0, 0.0, 1.0) for j in (-1.0, 0.0, 1.0)])
    lower = np.column_stack([grid, -0.25 * (grid**2).sum(1)])
    upper = np.column_stack([0.8 * grid + [0.3, 0.15], 0.35 + 0.3 * (grid**2).sum(1) + 0.1 * grid[:, 0]])
    return form, lower, lower, upper, upper - [0, 0, 1.15]


def nets() -> Figure:
    """Two Bezier patches, their control nets and the sample of their contact."""
    f = Figure("nets", "Bezier patches, control nets and a contact", 640, 320)
    form, a0, a1, b0, b1 = surfaces()
    body = ccd.patch.Body(9, form, [range(9)])
    sample = ccd.patch.manifold(body, a0, a1, body, b0, b1, 1e-2, 0.15)
    s = np.linspace(0, 1, 13)
    basis = np.stack([(1 - s) ** 2, 2 * s * (1 - s), s**2], 1)
    toi = sample["toi_lo"][0]
    for center, t, words in ((165, 0.0, "t = 0"), (475, toi, f"t = {toi:.3f}: {len(sample)} points")):
        at = tilted((center, 190), 92)
        for look, p0, p1 in (("a", a0, a1), ("b", b0, b1)):
            net = (p0 + t * (p1 - p0)).reshape(3, 3, 3)
            surface = np.einsum("si,tj,ijk->stk", basis, basis, net)
            rim = np.vstack([surface[0], surface[1:, -1], surface[-1, -2::-1], surface[-2:0:-1, 0]])
            f.path(at(rim), f"fill {look} {look}", closed=True)
            for i in range(3, 12, 3):
                f.path(at(surface[i]), look)
                f.path(at(surface[:, i]), look)
            for i in range(3):
                f.path(at(net[i]), "soft dashed")
                f.path(at(net[:, i]), "soft dashed")
            for p in at(net.reshape(-1, 3)):
                f.dot(*p, look, 2.5)
        if t > 0:
            for p in at(sample["point"]):
                f.dot(*p, "good")
        f.text(center, 310, words, anchor="middle")
    return f


def split(p: np.ndarray) -> list[np.ndarray]:
    """The control points of the four quarters of a biquadratic patch."""
    left = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.5, 0.25]])
    right = left[::-1, ::-1]
    return [np.einsum("ui,vj,ijk->uvk", u, v, p.reshape(3, 3, 3)).reshape(9, 3) for u in (left, right) for v in (left, right)]


def loops() -> Figure:
    """A face with a hole, and boxes of its parameters."""
    f = Figure("loops", "A face with a hole, and boxes of parameters that are outside, inside, or cross a loop", 560, 300)
    turn = 2 * np.pi * np.arange(160) / 160
    outer = [(280 + (165 + 22 * np.cos(3 * a)) * np.cos(a), 150 - (112 + 14 * np.sin(2 * a)) * np.sin(a)) for a in turn]
    hole = [(305 + 52 * np.cos(a), 140 - 40 * np.sin(a)) for a in turn[::-1]]
    line = "Z".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in loop) for loop in (outer, hole))
    f.parts.append(f'<path class="fill a" fill-rule="evenodd" d="{line}Z"/>')
    for loop in (outer, hole):
        f.path(loop, "a", closed=True)
    for x, y, w, look, words in (
        (20, 30, 64, "soft", "outside"),
        (282, 120, 40, "soft", "outside"),
        (160, 120, 58, "good", "inside"),
        (320, 208, 72, "b", "crosses"),
    ):
        f.box(x, y, x + w, y + w, f"fill {look}")
        f.box(x, y, x + w, y + w, look)
        f.text(x + w / 2, y + w + 15, words, look, "middle")
    f.path([(189, 149), (520, 149)], "soft dashed")
    f.dot(189, 149, "ink")
    f.text(528, 153, "3", "soft")
    return f


def least_gap(a: list, b: list, t: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The least over pairs of parts of min b.n - max a.n, each along the direction that keeps them apart longest."""
    curves = []
    for a0, a1 in a:
        for b0, b1 in b:
            ends = [(x[:, :, None] @ [1 - t] + y[:, :, None] @ [t]) for x, y in ((a0 @ n.T, a1 @ n.T), (b0 @ n.T, b1 @ n.T))]
            gap = ends[1].min(0) - ends[0].max(0)
            curves.append(gap[np.argmax((gap > 0).sum(1) + 0.01 * gap[:, -1])])
    return np.min(curves, 0)


def gaps() -> Figure:
    """Gaps of patches and of their parts: concave functions of time."""
    f = Figure("gaps", "Gaps of two patches and of their parts", 640, 310)
    form, a0, a1, b0, b1 = surfaces()
    toi = ccd.patch.pair(form, a0, a1, form, b0, b1).toi_lo
    chart = Chart(f, (50, 45, 590, 240), (0, 1), (-0.35, 0.8))
    chart.axes("t", "gap", 0)
    t = np.linspace(0, 1, 101)
    turn, tilt = (x.ravel() for x in np.meshgrid(np.linspace(0, 2 * np.pi, 24, endpoint=False), np.linspace(0, 1.2, 13)))
    n = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], 1)
    a, b = [(a0, a1)], [(b0, b1)]
    for look, words in (("soft thick", "the patches"), ("b thick", "quarters"), ("a thick", "sixteenths")):
        gap = least_gap(a, b, t, n)
        chart.line(t, gap, look)
        zero = t[np.argmax(gap < 0)]
        chart.tick(zero, "", look.split()[0], base=0)
        f.text(420, 45 + 20 * np.log2(len(a)) / 2, f"{words}: apart up to {zero:.2f}", look.split()[0])
        a, b = ([pair for p, q in side for pair in zip(split(p), split(q))] for side in (a, b))
    f.dot(*chart.at(toi, 0), "good")
    f.text(*chart.at(toi + 0.015, 0.06), "toi_lo", "good")
    f.text(330, 300, "Each curve is a lower bound of the distance. Up to its zero the patches are apart.", anchor="middle")
    return f


FIGURES = (cells, crossing, apart, enclosure, advancement, tree, ends, dop, nets, loops, gaps)
