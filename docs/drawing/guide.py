"""Figures of the tutorials and of "How it works"."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import ccd
import numpy as np
from ccd.rigid import Body, Motion

from drawing.canvas import Figure, view


def first_step() -> Figure:
    f = Figure("first-step", "One triangle falls through another", 640, 345)
    faces = [[0, 1, 2], [3, 4, 5]]
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1], [0.5, 0.25, 2], [0.25, 0.5, 2]])
    x1 = x0.copy()
    x1[3:, 2] -= 2
    hit = ccd.step.earliest(ccd.Mesh(faces=faces), x0, x1)
    for center, t, words in ((90, 0.0, "t = 0"), (300, hit.toi_lo, f"t = {hit.toi_lo}"), (510, 1.0, "t = 1")):
        now, _ = view(x0 + t * (x1 - x0), (center, 230), 95)
        f.path(now[:3], "fill soft ink", closed=True)
        f.path(now[3:], "fill a", closed=True)
        f.text(center + 20, 338, words, anchor="middle")
    f.text(112, 22, "x0", "a")
    f.text(532, 130, "x1", "a")
    (contact,), _ = view([hit.point], (300, 230), 95)
    f.dot(*contact, "b")
    f.text(contact[0] + 60, contact[1] + 34, "vertex 3, face 0", "b")
    (tip,), _ = view([np.add(hit.point, np.multiply(hit.normal, 0.7))], (300, 230), 95)
    f.arrow(*contact, *tip, "b")
    f.text(tip[0] - 10, tip[1] + 20, "normal", "b", "end")
    return f


def dice() -> Figure:
    """The dice of the tutorial on rigid bodies."""
    f = Figure("dice", "Two dice in a room", 640, 330)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    die = Body(0.5 * corners, [[q[0], q[i], q[i + 1]] for q in quads for i in (1, 2)])
    motions = [
        Motion(position=(-1, 0, 0), velocity=(1, 0.3, 0), angular_velocity=(0, 1, 3)),
        Motion(position=(1, 0, 0.2), velocity=(0, 0, 0.1), angular_velocity=(2, 0, 0)),
    ]
    hit = ccd.rigid.earliest(die, motions[0], die, motions[1])
    for center, t, words in ((160, 0.0, "t = 0"), (480, hit.toi_lo, f"t = {hit.toi_lo:.3f}, the first impact")):
        at = (center, 150.0)
        room, depths = view(2 * corners, at, 50)
        sides = sorted(quads, key=lambda q: -np.mean(depths[q]))
        for q in sides[:3]:
            f.path(room[q], "fill soft soft", closed=True)
        shown = []
        for look, motion in zip("ab", motions):
            points, depth = view(motion.at(t, 0.5 * corners), at, 50)
            for q in quads:
                (x1, y1), (x2, y2) = points[q[1]] - points[q[0]], points[q[2]] - points[q[0]]
                if x1 * y2 - x2 * y1 < 0:
                    shown.append((np.mean(depth[q]), points[q], look))
        for _, points, look in sorted(shown, key=lambda one: -one[0]):
            f.path(points, f"fill {look}", closed=True)
        f.text(center, 318, words, anchor="middle")
    (contact,), _ = view([hit.point_b], (480, 150), 50)
    f.dot(*contact, "ink", 4)
    return f


def boxes() -> Figure:
    """Swept boxes: two whose boxes overlap, one apart."""
    f = Figure("boxes", "Swept boxes of a vertex and of edges", 640, 300)
    starts = {"a": [(70, 60)], "b": [(190, 210), (330, 190)], "soft": [(470, 60), (560, 120)]}
    ends = {"a": [(290, 180)], "b": [(170, 130), (300, 90)], "soft": [(500, 150), (600, 210)]}
    for look, start in starts.items():
        end = ends[look]
        x, y = np.array(start + end, float).T
        f.box(x.min() - 2, y.min() - 2, x.max() + 2, y.max() + 2, f"fill {look} dashed")
        for p, q in zip(start, end):
            f.arrow(*p, *q, f"{look} dashed" if len(start) > 1 else look)
        if len(start) > 1:
            f.path(start, f"{look} thick")
            f.path(end, f"{look} thick")
    f.dot(70, 60, "a")
    f.dot(290, 180, "a")
    f.text(60, 48, "vertex at t = 0", "a")
    f.text(296, 198, "t = 1", "a")
    f.text(180, 232, "edge at t = 0", "b")
    f.text(236, 82, "t = 1", "b")
    f.text(472, 50, "another edge")
    f.text(180, 280, "These swept boxes overlap: a candidate pair.", anchor="middle")
    f.text(530, 280, "Overlaps no other box.", anchor="middle")
    return f


def sweep() -> Figure:
    f = Figure("sweep", "The sweep over boxes sorted along an axis", 640, 305)
    spans = [(40, 190), (95, 260), (150, 330), (300, 440), (350, 560), (480, 600)]
    now = 2
    for i, (lo, hi) in enumerate(spans):
        y = 50 + 30 * i
        look = "a" if i == now else "b" if now < i and lo <= spans[now][1] else "soft"
        f.box(lo, y, hi, y + 18, f"fill {look}")
        f.text(lo + 6, y + 14, str(i + 1), look)
    lo, hi = spans[now]
    f.path([(lo, 36), (lo, 240)], "a dashed")
    f.path([(hi, 36), (hi, 240)], "a dashed")
    f.arrow(40, 245, 610, 245, "ink")
    f.text(614, 249, "x")
    f.text(240, 28, "box 3", "a", "middle")
    f.text(40, 272, "Box 3 is compared with the boxes that begin after it and before its end: box 4.")
    f.text(40, 292, "Box 5 begins after the end of box 3, so the comparison stops there.")
    return f


def filters() -> Figure:
    f = Figure("filter", "A computed value with its error bound", 640, 220)
    f.arrow(40, 170, 610, 170, "ink")
    f.path([(320, 30), (320, 178)], "soft dashed")
    f.text(320, 200, "0", anchor="middle")
    for x, y, look, words in (
        (500, 55, "good", "certainly positive: separate"),
        (130, 90, "good", "certainly negative: separate"),
        (345, 130, "b", "sign unknown: next stage"),
    ):
        f.path([(x - 55, y), (x + 55, y)], f"{look} thick")
        for end in (x - 55, x + 55):
            f.path([(end, y - 6), (end, y + 6)], look)
        f.dot(x, y, look)
        f.text(x, y - 12, words, look, "middle")
    f.text(130, 112, "value", anchor="middle")
    f.text(188, 112, "+ bound", anchor="middle")
    f.text(72, 112, "\u2212 bound", anchor="middle")
    return f


def decision() -> Figure:
    """The polynomial of coplanarity, and the doubles about its root."""
    f = Figure("decision", "The root of the polynomial and the doubles next to it", 640, 270)
    f.arrow(40, 150, 330, 150, "ink")
    f.text(322, 170, "t")
    t = np.linspace(0, 1, 80)
    p = 3.1 * (t - 0.42) * (t - 1.35) * (t + 0.5)
    f.path(np.stack([40 + 270 * t, 150 - 90 * p], 1), "a thick")
    root = 40 + 270 * 0.42
    f.dot(root, 150, "b")
    f.text(50, 30, "f(t) = A(t) \u00b7 (B(t) \u00d7 C(t))", "a")
    f.text(60, 262, "f is zero where the four points are coplanar", anchor="start")
    f.path([(root - 12, 138), (root + 12, 138), (root + 12, 162), (root - 12, 162)], "soft", closed=True)
    f.path([(root + 12, 138), (390, 50)], "soft dashed")
    f.path([(root + 12, 162), (390, 220)], "soft dashed")
    f.box(390, 50, 620, 220, "soft")
    f.path([(396, 70), (614, 200)], "a thick")
    f.path([(390, 135), (620, 135)], "ink")
    for x in (405, 448, 491, 534, 577):
        f.path([(x, 128), (x, 142)], "ink")
    f.dot(505, 135, "b")
    f.text(509, 105, "root", "b")
    f.path([(491, 124), (491, 146)], "good thick")
    f.path([(534, 124), (534, 146)], "good thick")
    f.text(484, 165, "toi_lo", "good", "end")
    f.text(538, 122, "toi_hi", "good")
    f.text(505, 262, "doubles next to the root", anchor="middle")
    return f


def shrink() -> Figure:
    """What an impact does to the boxes that are still to come."""
    f = Figure("shrink", "An impact shortens the step and its boxes", 640, 290)
    paths = (((20, 200), (220, -60), "a"), ((40, 40), (170, 60), "b"), ((150, 215), (60, -190), "soft"))
    for left, end, words in ((20, 1.0, "boxes over the whole step"), (350, 0.4, "boxes up to an impact at t = 0.4")):
        found = []
        for (x, y), (dx, dy), look in paths:
            x += left
            (lo_x, hi_x), (lo_y, hi_y) = sorted((x, x + end * dx)), sorted((y, y + end * dy))
            found.append((lo_x - 10, lo_y - 10, hi_x + 10, hi_y + 10))
            f.box(*found[-1], f"fill {look} dashed")
            f.arrow(x, y, x + dx, y + dy, f"{look} dashed")
            f.dot(x, y, look if look != "soft" else "ink")
        pairs = sum(p[0] <= q[2] and q[0] <= p[2] and p[1] <= q[3] and q[1] <= p[3] for p, q in combinations(found, 2))
        f.text(left, 20, f"{pairs or 'no'} candidate pairs")
        f.text(left + 130, 272, words, anchor="middle")
    return f


def frames(wanted: tuple[int, ...]) -> tuple[list[np.ndarray], dict]:
    """Positions in some frames of the program of docs/tutorial.md, and its variables."""
    text = (Path(__file__).resolve().parents[1] / "tutorial.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    (loop,) = (i for i, block in enumerate(blocks) if "for frame in" in block)
    end = "    x, velocity = moved,"
    source = "\n".join(blocks[: loop + 1]).replace(end, f"    taken.append(moved)\n{end}")
    held: dict = {"taken": [], "print": lambda *words: None}
    exec(source, held)
    return [held["taken"][i] for i in wanted], held


def contact_loop() -> Figure:
    """The cloth of docs/tutorial.md in three frames."""
    f = Figure("contact-loop", "A cloth falls onto a ball and stays there", 640, 285)
    wanted = (1, 16, 39)
    positions, held = frames(wanted)
    n, m = held["n"], held["m"]
    i = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    j = (np.arange(m - 1)[:, None] * m + np.arange(m)).ravel() + n * n
    k = (np.arange(m - 1)[:, None] * m + (np.arange(m) + 1) % m).ravel() + n * n
    quads = [(q, "a") for q in np.stack([i, i + 1, i + n + 1, i + n], 1)]
    quads += [(q, "b") for q in np.stack([j, j + m, k + m, k], 1)]
    for center, x, frame in zip((115, 325, 535), positions, wanted):
        points, depth = view(x, (center, 135), 86)
        shown = []
        for q, look in quads:
            (x1, y1), (x2, y2) = points[q[2]] - points[q[0]], points[q[3]] - points[q[1]]
            if look == "a" or x1 * y2 - x2 * y1 < 0:
                shown.append((np.mean(depth[q]) + (0.15 if look == "b" else 0), points[q], f"solid {look}"))
        for _, corners, look in sorted(shown, key=lambda one: -one[0]):
            f.path(corners, look, closed=True)
        f.text(center, 275, f"frame {frame + 1}", anchor="middle")
    return f


FIGURES = (first_step, dice, contact_loop, boxes, sweep, filters, decision, shrink)
