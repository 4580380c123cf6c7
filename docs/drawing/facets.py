"""Figures of faces and their triangles: docs/proofs/cad."""

from __future__ import annotations

import numpy as np

from drawing.canvas import Chart, Figure


def facets() -> Figure:
    """Left: a face over a triangle and its flat triangle, cut along a line; right: the sliver between a side and a curve."""
    f = Figure(
        "facets",
        "A face over a triangle of parameters, its flat triangle, and the sliver beside a trimmed side",
        640,
        270,
    )
    t = np.linspace(0, 1, 61)
    x, bend = 40 + 230 * t, 4 * t * (1 - t)
    flat = 190 - 50 * t
    f.path(np.stack([x, flat - 62 * bend], 1), "a thick")
    f.path(np.stack([x, flat], 1), "ink")
    f.path(np.stack([x, flat - 72], 1), "soft dashed")
    f.path(np.stack([x, flat + 72], 1), "soft dashed")
    for k in (0, 60):
        f.dot(x[k], flat[k], "ink")
    f.arrow(x[30], flat[30], x[30], flat[30] - 60, "b")
    f.text(x[30] + 8, flat[30] - 26, "at most e(T)", "b")
    f.text(44, 100, "S over T", "a")
    f.text(x[60] - 40, flat[60] + 24, "flat triangle")
    f.text(155, 256, "the envelope", "soft", "middle")
    a, b, c = np.array([370.0, 205]), np.array([600.0, 205]), np.array([450.0, 40])
    f.path([a, b, c], "fill soft", closed=True)
    f.path([a, b, c], "ink", closed=True)
    way = a + np.outer(t, b - a) + np.outer(bend, [0, 34])
    f.path(np.concatenate([way, [b, a]]), "fill b", closed=True)
    f.path(way, "b thick")
    k = 24
    on = a + t[k] * (b - a)
    f.arrow(*on, *(way[k] - [0, 3]), "a")
    f.dot(*on, "ink")
    f.dot(*way[k], "b")
    f.text(on[0] - 8, on[1] - 8, "q(t)", "", "end")
    f.text(way[k][0] - 8, way[k][1] + 16, "C(t)", "b", "end")
    f.text(on[0] + 8, on[1] + 18, "at most d", "a")
    f.text(458, 140, "T")
    f.text(485, 262, "parameters u, v", "soft", "middle")
    return f


def crank() -> Figure:
    """Left: a crank of 10 with a rod of 30, a piston and a head; right: the gap of piston and head over a turn."""
    f = Figure("crank", "A crank, a rod and a piston, and the gap between piston and head over a turn", 640, 260)
    scale, at = 5.2, np.array([60.0, 130])
    point = lambda x, y: at + scale * np.array([x, -y])  # noqa: E731
    r, length = 10.0, 30.0
    place = lambda a: r * np.cos(a) + np.sqrt(length**2 - (r * np.sin(a)) ** 2)  # noqa: E731
    for a, look in ((0.9, ""), (2.4, "soft dashed")):
        pin, x = np.array([r * np.cos(a), r * np.sin(a)]), place(a)
        f.path([point(0, 0), point(*pin)], f"a thick {look}")
        f.path([point(*pin), point(x, 0)], f"ink thick {look}")
        f.path([point(x + u, v) for u, v in ((-1, -5), (7, -5), (7, 5), (-1, 5))], f"b {look}", closed=True)
        f.dot(*point(*pin), "ink")
    turn = np.linspace(0, 2 * np.pi, 61)
    f.path([point(r * np.cos(a), r * np.sin(a)) for a in turn], "soft dashed")
    f.path([point(u, v) for u, v in ((47.5, -6), (49.5, -6), (49.5, 6), (47.5, 6))], "ink solid a", closed=True)
    f.text(*point(48.5, 7), "head", "", "middle")
    f.text(*point(38, -7.5), "piston", "b", "middle")
    f.text(*point(0, -13), "crank", "a", "middle")
    chart = Chart(f, (390, 40, 610, 215), (0, 1), (0, 22))
    chart.axes("t", "gap", 0)
    gap = 0.5 + (r + length) - place(turn)
    f.path(chart.at(turn / (2 * np.pi), gap), "b thick")
    for t in (0, 1):
        f.dot(*chart.at(t, 0.5), "good")
    f.text(*chart.at(0.06, 0.9), "0.5, at t = 0 and 1", "good")
    return f


FIGURES = (facets, crank)
