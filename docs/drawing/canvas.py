"""SVG whose colors are variables of CSS: docs/_static/site.css sets them for the theme of the page."""

from __future__ import annotations

import numpy as np

STYLE = """
svg.figure { font: 13px system-ui, sans-serif; }
svg.figure { --ink: #24292f; --soft: #8c959f; --a: #0969da; --b: #bc4c00; --good: #1a7f37; --paper: #ffffff; }
@media (prefers-color-scheme: dark) {
  svg.figure { --ink: #d1d7de; --soft: #7d8590; --a: #58a6ff; --b: #f0883e; --good: #56d364; --paper: #131416; }
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
svg.figure .solid { fill: color-mix(in srgb, currentColor 18%, var(--paper)); stroke-width: 0.8; }
svg.figure .solid.a { color: var(--a); }
svg.figure .solid.b { color: var(--b); }
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

    def source(self) -> str:
        return "\n".join([self.head, *self.parts, "</svg>\n"])


class Chart:
    """A rectangle of a figure with two linear axes; `at` maps values to points."""

    def __init__(self, f: Figure, box: tuple[float, float, float, float], x: tuple[float, float], y: tuple[float, float]):
        self.f, self.box, self.x, self.y = f, box, x, y

    def at(self, x, y) -> np.ndarray:
        left, top, right, bottom = self.box
        u = (np.asarray(x, float) - self.x[0]) / (self.x[1] - self.x[0])
        v = (np.asarray(y, float) - self.y[0]) / (self.y[1] - self.y[0])
        return np.stack(np.broadcast_arrays(left + (right - left) * u, bottom - (bottom - top) * v), -1)

    def line(self, x, y, look: str) -> None:
        """The part of a line that lies in the rectangle."""
        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        inside = (y >= self.y[0]) & (y <= self.y[1])
        ends = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
        for start, end in ends.reshape(-1, 2):
            if end - start > 1:
                self.f.path(self.at(x[start:end], y[start:end]), look)

    def axes(self, x_name: str, y_name: str, base: float | None = None) -> None:
        """Arrows along the left side and through `base` (default: the lower end), with names."""
        left, top, right, bottom = self.box
        level = bottom if base is None else self.at(0, base)[1]
        self.f.arrow(left, bottom, left, top - 12, "ink")
        self.f.arrow(left, level, right + 14, level, "ink")
        self.f.text(right + 18, level + 4, x_name)
        self.f.text(left - 4, top - 18, y_name)

    def tick(self, x: float, words: str, look: str = "", base: float | None = None) -> None:
        px, py = self.at(x, self.y[0] if base is None else base)
        self.f.path([(px, py - 4), (px, py + 4)], look or "ink")
        self.f.text(px, py + 20, words, look, "middle")


def view(points, center: tuple[float, float], scale: float):
    """Positions on paper and depths: seen from above, from the right."""
    x, y, z = np.asarray(points, float).reshape(-1, 3).T
    turn, tilt = np.radians(28), np.radians(20)
    right, back = np.cos(turn) * x + np.sin(turn) * y, -np.sin(turn) * x + np.cos(turn) * y
    up, depth = np.cos(tilt) * z + np.sin(tilt) * back, np.cos(tilt) * back - np.sin(tilt) * z
    return np.stack([center[0] + scale * right, center[1] - scale * up], 1), depth


def plane(x: float, y: float, scale: float):
    """A function from points of a plane, (..., 2) with the second axis upward, to points on paper."""
    return lambda points: np.array([x, y]) + scale * np.asarray(points, float) * [1, -1]


def tilted(center: tuple[float, float], scale: float):
    """A function from points in space to points on paper, as `view` shows them."""
    return lambda points: view(points, center, scale)[0]
