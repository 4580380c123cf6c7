"""Draws the figures of the tutorials and of "How it works" as SVG in docs/figures. Needs NumPy and the package.

python docs/figures.py

The colours are variables of CSS: docs/_static/site.css sets them for the theme of the page, and a preference for dark colours
does where a figure is shown alone. docs/_ext/figures.py puts the SVG into the page.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import ccd
import numpy as np
from ccd.rigid import Body, Motion

FOLDER = Path(__file__).resolve().parent / "figures"

STYLE = """
svg.figure { --ink: #24292f; --soft: #8c959f; --a: #0969da; --b: #bc4c00; --good: #1a7f37; font: 13px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  svg.figure { --ink: #d1d7de; --soft: #7d8590; --a: #58a6ff; --b: #f0883e; --good: #56d364; }
}
svg.figure text, svg.figure text[class] { fill: var(--ink); stroke: none; }
svg.figure .soft { stroke: var(--soft); }
svg.figure text[class].soft { fill: var(--soft); }
svg.figure .ink { stroke: var(--ink); }
svg.figure .a { stroke: var(--a); }
svg.figure .b { stroke: var(--b); }
svg.figure .good { stroke: var(--good); }
svg.figure text[class].a, svg.figure .dot.a { fill: var(--a); }
svg.figure text[class].b, svg.figure .dot.b { fill: var(--b); }
svg.figure text[class].good, svg.figure .dot.good { fill: var(--good); }
svg.figure .dot.ink { fill: var(--ink); }
svg.figure .fill.a { fill: var(--a); fill-opacity: 0.16; }
svg.figure .fill.b { fill: var(--b); fill-opacity: 0.16; }
svg.figure .fill.good { fill: var(--good); fill-opacity: 0.16; }
svg.figure .fill.soft { fill: var(--soft); fill-opacity: 0.14; }
svg.figure .dashed { stroke-dasharray: 4 4; }
svg.figure .thick { stroke-width: 2.5; }
"""


class Figure:
    """An SVG of shapes; every shape takes CSS classes of STYLE."""

    def __init__(self, name: str, title: str, width: int, height: int):
        self.name, self.parts = name, []
        self.head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="figure" viewBox="0 0 {width} {height}" width="{width}"'
            f' role="img" fill="none" stroke-width="1.4"><title>{title}</title><style>{STYLE}</style>'
        )

    def path(self, points, look: str, closed: bool = False) -> None:
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path class="{look}" d="M{line}{"Z" if closed else ""}"/>')

    def box(self, x0: float, y0: float, x1: float, y1: float, look: str) -> None:
        self.path([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], look, closed=True)

    def dot(self, x: float, y: float, look: str, r: float = 3.5) -> None:
        self.parts.append(f'<circle class="dot {look}" cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>')

    def text(self, x: float, y: float, words: str, look: str = "", anchor: str = "start") -> None:
        self.parts.append(f'<text class="{look}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>')

    def arrow(self, x0: float, y0: float, x1: float, y1: float, look: str) -> None:
        along = np.array([x1 - x0, y1 - y0]) / np.hypot(x1 - x0, y1 - y0)
        across, tip = np.array([-along[1], along[0]]), np.array([x1, y1])
        self.path([(x0, y0), (x1, y1)], look)
        self.path([tip - 8 * along + 4 * across, tip, tip - 8 * along - 4 * across], look.replace("dashed", ""))

    def save(self) -> None:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{self.name}.svg").write_text("\n".join([self.head, *self.parts, "</svg>\n"]), "utf-8")


def view(points, centre: tuple[float, float], scale: float):
    """Positions on paper and depths: seen from above, from the right."""
    x, y, z = np.asarray(points, float).reshape(-1, 3).T
    turn, tilt = np.radians(28), np.radians(20)
    right, back = np.cos(turn) * x + np.sin(turn) * y, -np.sin(turn) * x + np.cos(turn) * y
    up, depth = np.cos(tilt) * z + np.sin(tilt) * back, np.cos(tilt) * back - np.sin(tilt) * z
    return np.stack([centre[0] + scale * right, centre[1] - scale * up], 1), depth


def first_step() -> None:
    f = Figure("first-step", "One triangle falls through another", 640, 345)
    faces = [[0, 1, 2], [3, 4, 5]]
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1], [0.5, 0.25, 2], [0.25, 0.5, 2]])
    x1 = x0.copy()
    x1[3:, 2] -= 2
    hit = ccd.step.earliest(ccd.Mesh(faces=faces), x0, x1)
    for centre, t, words in ((90, 0.0, "t = 0"), (300, hit.toi_lo, f"t = {hit.toi_lo}"), (510, 1.0, "t = 1")):
        now, _ = view(x0 + t * (x1 - x0), (centre, 230), 95)
        f.path(now[:3], "fill soft ink", closed=True)
        f.path(now[3:], "fill a", closed=True)
        f.text(centre + 20, 338, words, anchor="middle")
    f.text(112, 22, "x0", "a")
    f.text(532, 130, "x1", "a")
    (contact,), _ = view([hit.point], (300, 230), 95)
    f.dot(*contact, "b")
    f.text(contact[0] + 60, contact[1] + 34, "vertex 3, face 0", "b")
    (tip,), _ = view([np.add(hit.point, np.multiply(hit.normal, 0.7))], (300, 230), 95)
    f.arrow(*contact, *tip, "b")
    f.text(tip[0] - 10, tip[1] + 20, "normal", "b", "end")
    f.save()


def dice() -> None:
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
    for centre, t, words in ((160, 0.0, "t = 0"), (480, hit.toi_lo, f"t = {hit.toi_lo:.3f}, the first impact")):
        at = (centre, 150.0)
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
        f.text(centre, 318, words, anchor="middle")
    (contact,), _ = view([hit.point_b], (480, 150), 50)
    f.dot(*contact, "ink", 4)
    f.save()


def boxes() -> None:
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
    f.save()


def sweep() -> None:
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
    f.save()


def filters() -> None:
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
    f.save()


def decision() -> None:
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
    f.save()


def shrink() -> None:
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
    f.save()


if __name__ == "__main__":
    for draw in (first_step, dice, boxes, sweep, filters, decision, shrink):
        draw()
        print(f"docs/figures/{draw.__name__}")
