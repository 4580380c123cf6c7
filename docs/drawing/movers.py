"""Figures of what moves alone, or together: docs/proofs/scenes, together, screws."""

from __future__ import annotations

from itertools import pairwise

import ccd
import numpy as np

from drawing.canvas import Chart, Figure

CELL = 62.0


def scene() -> Figure:
    """The cells that a moving body marks, and what is near it."""
    f = Figure("scene", "A body marks cells; elements in them whose boxes meet it are near", 640, 330)
    x = np.arange(20, 621, 24.0)
    ground = np.stack([x, 232 + 26 * np.sin(x / 70) + 8 * np.sin(x / 23)], 1)
    body = np.array([[300.0, 62], [352, 70], [322, 104]])
    fall = np.array([16.0, 114])
    # A strip of triangles stands for the ground, a column for the body.
    deep = lambda points, z: np.column_stack([points, np.full(len(points), z)])  # noqa: E731
    n = len(ground)
    faces = [[i, i + 1, n + i] for i in range(n - 1)] + [[i + 1, n + i + 1, n + i] for i in range(n - 1)]
    x0 = np.vstack([deep(ground, -40), deep(ground, 40), deep(body, 0)])
    moved = np.arange(2 * n, 2 * n + 3)
    world = ccd.scene.Scene(ccd.Mesh(faces=[*faces, moved.tolist()]), x0)
    hit = world.step(moved, deep(body + 1.2 * fall, 0)).advance()
    assert 0.5 < hit.alpha < 1
    lo, hi = np.minimum(body, body + fall).min(0), np.maximum(body, body + fall).max(0)
    top = np.array([20.0, 30])
    first, last = ((p - top) // CELL for p in (lo, hi))
    for i in range(10):
        for j in range(4):
            at, here = top + CELL * np.array([i, j]), bool(np.all(first <= (i, j)) and np.all((i, j) <= last))
            f.box(*at, *np.minimum(at + CELL, [620, 300]), "fill a soft" if here else "soft")
    near = 0
    for p, q in pairwise(ground):
        meets = bool(np.all(np.minimum(p, q) <= hi) and np.all(np.maximum(p, q) >= lo))
        near += meets
        f.path([p, q], "good thick" if meets else "ink")
        f.dot(*p, "good" if meets else "ink", 2)
    f.path(body, "fill b b", closed=True)
    f.path(body + fall, "fill b b dashed", closed=True)
    f.arrow(*body.mean(0), *(body.mean(0) + 0.8 * fall), "b")
    f.box(*lo, *hi, "b dashed")
    f.text(20, 20, "the box of the motion marks the shaded cells")
    f.text(20, 322, f"Of {n - 1} elements of the ground {near} meet the box: a call tests the body and these.")
    return f


def together() -> Figure:
    """The gap of two bodies that turn alike, with its bounds along n0 + s n1 and in a frame."""
    f = Figure("together", "Lower bounds of the gap of a box and a floor that turn together", 640, 320)
    gap, w, n0 = 0.1, np.array([0.3, 0.5, 1.0]), np.array([0.0, 0, 1])
    square = np.array([[x, y, 0.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5)])
    a, b, n1 = 2 * square, square + gap * n0, np.cross(w, n0)
    size, lean, rate = np.linalg.norm, np.linalg.norm(np.cross(n0, w)), np.linalg.norm(w)
    s, bound = np.linspace(0, 0.5 / size(n1), 500), []
    for p in a:
        for q in b:
            va, vb = np.cross(w, p), np.cross(w, q)
            k = (size(va) + size(vb)) * (lean + s[-1] * size(n1) * rate) / 2 - n1 @ (vb - va)
            bound.append(n0 @ (q - p) + (n0 @ (vb - va) + n1 @ (q - p)) * s - k * s**2)
    lower = np.min(bound, 0)
    step = s[np.argmax(lower < 0)]
    assert 0 < step < 0.5
    chart = Chart(f, (330, 50, 590, 250), (0, 1), (0, 0.14))
    chart.axes("t", "gap")
    for i in range(int(1 / step) + 1):
        inside = (lower >= 0) & (i * step + s <= 1)
        chart.line(i * step + s[inside], lower[inside], "b dashed")
    chart.line([0, 0.5, 1], [gap, gap, gap], "good thick")
    f.text(460, 92, "in the floor\u2019s frame", "good", "middle")
    f.text(460, 290, "along n0 + s n1, step by step", "b", "middle")
    for angle, look in ((0.0, "soft"), (0.35, "ink")):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        flat = lambda corners, turn=turn: np.array([150, 200]) + 60 * (corners @ turn.T) * [1, -1]  # noqa: E731
        f.path(flat(np.array([[-2.0, 0], [2, 0]])), f"{look} thick")
        f.path(flat(np.array([[-0.5, 0.1], [0.5, 0.1], [0.5, 1.1], [-0.5, 1.1]])), f"a {look}", closed=True)
    f.text(150, 290, "a box on a floor, both turning", anchor="middle")
    return f


def box_gaps() -> Figure:
    """Two boxes apart from each other at a corner: the gaps along the axes of one are the components of a lower bound."""
    f = Figure(
        "box-gaps", "Gaps along the axes of one box, and the bound of the distance that they are the components of", 640, 290
    )
    f.box(60, 190, 250, 280, "fill a")
    f.box(60, 190, 250, 280, "a")
    turn = np.radians(24)
    x, y = np.array([np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), np.cos(turn)])
    middle = np.array([450.0, 75.0])
    corners = np.array([middle + s * 80 * x + t * 32 * y for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    f.path(corners, "fill b", closed=True)
    f.path(corners, "b", closed=True)
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    f.box(left, top, right, bottom, "dashed soft")
    f.arrow(250, 190, left, 190, "ink")
    f.text(0.5 * (250 + left), 208, "g1", anchor="middle")
    f.arrow(left, 190, left, bottom, "ink")
    f.text(left + 8, 0.5 * (190 + bottom) + 5, "g2")
    f.path([(250, 190), (left, bottom)], "good thick")
    f.text(0.5 * (250 + left) - 4, 0.5 * (190 + bottom) - 8, "at most the distance", "good", "end")
    f.text(155, 240, "A", "a", "middle")
    f.text(*middle, "B", "b", "middle")
    return f


def pose() -> Figure:
    """What is returned at a pose: nearest points, the normal, the gradient by a turn; and a body inside another one."""
    f = Figure(
        "pose",
        "Nearest points, normal and turn of two bodies at poses, and one body inside another",
        640,
        250,
    )
    turn = np.radians(30)
    x, y = (
        np.array([np.cos(turn), -np.sin(turn)]),
        np.array([np.sin(turn), np.cos(turn)]),
    )
    middle = np.array([290.0, 120.0])
    square = np.array([middle + 60 * (s * x + t * y) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    f.box(40, 60, 140, 220, "fill a")
    f.box(40, 60, 140, 220, "a")
    f.path(square, "fill b", closed=True)
    f.path(square, "b", closed=True)
    tip = square[square[:, 0].argmin()]
    foot = np.array([140.0, tip[1]])
    f.path([foot, tip], "dashed soft")
    f.dot(*foot, "a")
    f.dot(*tip, "b")
    f.text(foot[0] - 8, foot[1] + 4, "point_a", anchor="end")
    f.text(tip[0] + 10, tip[1] - 8, "point_b")
    f.arrow(*foot, foot[0] - 46, foot[1], "good thick")
    f.text(foot[0] - 30, foot[1] - 10, "normal", "good", "middle")
    f.dot(*middle, "ink")
    angles = np.radians(np.arange(-60, 61, 5))
    arc = middle + 26 * np.stack([np.cos(angles), np.sin(angles)], 1)
    f.path(arc, "good")
    f.arrow(*arc[1], *arc[0], "good")
    f.text(middle[0] + 32, middle[1] + 4, "rotation_b", "good")
    f.text(90, 242, "A", "a", "middle")
    f.text(middle[0], 242, "B, outside", "b", "middle")
    f.box(430, 60, 590, 220, "fill a")
    f.box(430, 60, 590, 220, "a")
    f.box(480, 100, 530, 150, "fill b")
    f.box(480, 100, 530, 150, "b")
    f.path([(430, 125), (480, 125)], "dashed soft")
    f.dot(430, 125, "a")
    f.dot(480, 125, "b")
    f.text(510, 242, "B, inside A", anchor="middle")
    return f


def penetration() -> Figure:
    """Two boxes that overlap, and their difference with the origin in it."""
    f = Figure(
        "penetration",
        "Two boxes that overlap, the way out, and the difference of the boxes with the origin in it",
        640,
        250,
    )
    turn = np.radians(25)
    x, y = (
        np.array([np.cos(turn), np.sin(turn)]),
        np.array([-np.sin(turn), np.cos(turn)]),
    )
    middle = np.array([210.0, 110.0])
    square = np.array([middle + 50 * (s * x + t * y) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    straight = np.array([(40.0, 80.0), (180.0, 80.0), (180.0, 200.0), (40.0, 200.0)])
    f.path(straight, "fill b", closed=True)
    f.path(straight, "b", closed=True)
    f.path(square, "fill a", closed=True)
    f.path(square, "a", closed=True)
    tip = square[square[:, 0].argmin()]
    f.path(square + np.array([180 - tip[0], 0]), "dashed soft", closed=True)
    f.arrow(*tip, 180, tip[1], "good thick")
    f.dot(*tip, "a")
    f.dot(180, tip[1], "b")
    f.text(100, 225, "B", "b", "middle")
    f.text(230, 70, "A", "a", "middle")
    f.text(tip[0] - 8, tip[1] + 4, "point_a", anchor="end")
    f.text(180, tip[1] + 22, "translation", "good", "middle")
    # The difference, with the origin at (450, 140).
    zero, low, high = np.array([450.0, 140.0]), straight.min(0), straight.max(0)
    corners = [b - a for a in square for b in (low, (high[0], low[1]), high, (low[0], high[1]))]
    points = sorted({tuple(np.round(p, 6)) for p in corners})
    half = []
    for order in (points, points[::-1]):
        chain: list[tuple[float, float]] = []
        for p in order:
            while len(chain) > 1 and np.linalg.det([np.subtract(chain[-1], chain[-2]), np.subtract(p, chain[-1])]) <= 0:
                chain.pop()
            chain.append(p)
        half += chain[:-1]
    scale = 0.55
    hull = zero + scale * np.array(half)
    f.path(hull, "fill good", closed=True)
    f.path(hull, "good", closed=True)
    f.dot(*zero, "ink")
    f.text(zero[0] - 8, zero[1] + 16, "0", anchor="end")
    f.arrow(*zero, zero[0] + scale * (180 - tip[0]), zero[1], "good thick")
    f.text(hull[:, 0].mean(), 242, "C: B less A", anchor="middle")
    return f


def clearance() -> Figure:
    """The distance over a motion, with the bound that holds at all times."""
    corner = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    sides = [
        (0, 1, 3, 2),
        (4, 6, 7, 5),
        (0, 4, 5, 1),
        (2, 3, 7, 6),
        (0, 2, 6, 4),
        (1, 5, 7, 3),
    ]
    cube = ccd.rigid.Body(corner, [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
    passing = ccd.rigid.Motion(position=(3, 3, 0), velocity=(-6, 0, 0), angular_velocity=(0, 0, np.pi / 2))
    least = ccd.rigid.clearance(cube, ccd.rigid.Motion(), cube, passing)
    times = np.linspace(0, 1, 101)
    curve = ccd.rigid.profile(cube, ccd.rigid.Motion(), cube, passing, times)["hi"]
    f = Figure(
        "clearance",
        "The distance of two cubes over a motion, and its least value",
        640,
        260,
    )
    chart = Chart(f, (60, 40, 540, 220), (0, 1), (0, 1.6))
    chart.axes("t", "distance")
    for t in (0, 0.25, 0.5, 0.75, 1):
        chart.tick(t, f"{t:g}")
    chart.line(times, curve, "a thick")
    chart.line(np.array([0.0, 1.0]), np.full(2, least.lo), "good dashed")
    x, y = chart.at(least.time, least.hi)
    f.dot(x, y, "good")
    f.text(x, y + 20, f"least: {least.hi:.4f} at t = {least.time:.2f}", "good", "middle")
    f.text(*np.add(chart.at(0.02, least.lo), (0, -6)), "lo, proven at all times", "good")
    return f


def screws() -> Figure:
    """A nut and a bolt seen in the coordinates that their screw leaves as they are."""
    f = Figure("screws", "Profiles of a nut and a bolt in r and z - h theta: one line separates them at all times", 640, 300)
    chart = Chart(f, (60, 30, 400, 250), (0.7, 1.3), (-1, 1))
    chart.axes("r", "z \u2212 h\u03b8", base=-1.0)
    z = np.linspace(-1, 1, 9)
    root = lambda out: 1 + 0.12 * np.where(np.arange(9) % 2, 1.0, -1.0) + out  # noqa: E731
    bolt, nut = root(-0.03), root(0.03)
    chart.line(bolt, z, "a thick")
    chart.line(nut, z, "b thick")
    slope = np.diff(bolt) / np.diff(z)
    k = 4
    along = np.array([z[k] - 0.12, z[k + 1] + 0.12])
    chart.line(bolt[k] + 0.03 + slope[k] * (along - z[k]), along, "good dashed")
    side = lambda x: x - slope[k] * z  # noqa: E731
    assert side(bolt)[k : k + 2].max() < side(nut)[k : k + 2].min()
    f.text(430, 80, "the bolt", "a")
    f.text(430, 104, "the nut", "b")
    f.text(430, 128, "\u03b1 r + \u03b2 (z \u2212 h\u03b8) is", "good")
    f.text(430, 148, "larger on one part than", "good")
    f.text(430, 168, "on the other, for all t", "good")
    f.text(60, 286, "While the nut turns, each of its points stays where it is here.")
    return f


def shapes() -> Figure:
    """A capsule as a segment with a radius, a circle as a polygon with a deviation, and a box with padding."""
    f = Figure("shapes", "A segment with a radius, a polygon with a deviation, and a box with padding", 640, 270)

    def arc(x: float, y: float, r: float, start: float, end: float) -> list[tuple[float, float]]:
        return [(x + r * np.cos(t), y + r * np.sin(t)) for t in np.radians(np.linspace(start, end, 48))]

    outline = [*arc(105, 85, 45, 180, 360), *arc(105, 165, 45, 0, 180)]
    f.path(outline, "fill a", closed=True)
    f.path(outline, "a", closed=True)
    f.path([(105, 85), (105, 165)], "ink thick")
    f.arrow(105, 125, 150, 125, "soft")
    f.text(128, 118, "r", anchor="middle")
    f.text(105, 245, "a segment with a radius", anchor="middle")
    x, y, r, n = 310, 125, 85, 7
    turns = 2 * np.pi * (np.arange(n) + 0.5) / n
    corners = [(x + r * np.cos(t), y - r * np.sin(t)) for t in turns]
    f.path(arc(x, y, r, 0, 360), "fill a", closed=True)
    f.path(arc(x, y, r, 0, 360), "a", closed=True)
    f.path(corners, "ink thick", closed=True)
    f.path([corners[0], (x, y), corners[-1]], "soft dashed")
    inner = r * np.cos(np.pi / n)
    f.path([(x, y), (x + inner, y)], "good")
    f.path([(x + inner, y), (x + r, y)], "b thick")
    f.text(x + 0.6 * inner, y - 6, "m", "good", "middle")
    f.text(x + r + 6, y + 4, "1 \u2212 m", "b")
    f.text(x, 245, "facets with a deviation", anchor="middle")
    left, top, right, bottom, p = 480, 80, 590, 170, 25
    around = [*arc(right, bottom, p, 0, 90), *arc(left, bottom, p, 90, 180), *arc(left, top, p, 180, 270)]
    around += arc(right, top, p, 270, 360)
    f.path(around, "a dashed", closed=True)
    f.box(left, top, right, bottom, "fill a")
    f.box(left, top, right, bottom, "a")
    f.arrow(500, top, 500, top - p, "soft")
    f.text(508, top - 8, "padding")
    f.text(535, 245, "a padded box", anchor="middle")
    return f


FIGURES = (scene, together, box_gaps, pose, penetration, clearance, screws, shapes)
