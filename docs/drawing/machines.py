"""Figures of the pages on curved cells, on the rounding of films and on proofs by machine."""

from __future__ import annotations

import numpy as np

from drawing.canvas import Figure


def curved_cell() -> Figure:
    """A parabola through three nodes, its two chords, and the bound of their distance."""
    f = Figure("curved-cell", "A line of order 2 and the two straight lines that are read", 640, 262)
    a, m, b = np.array([70.0, 200.0]), np.array([330.0, 70.0]), np.array([570.0, 190.0])
    t = np.linspace(0, 1, 121)[:, None]
    curve = a * (1 - t) * (1 - 2 * t) + 4 * m * t * (1 - t) + b * t * (2 * t - 1)
    chords = np.where(t < 0.5, a + (m - a) * 2 * t, m + (b - m) * (2 * t - 1))
    off = np.hypot(*(a - 2 * m + b)) / 8
    for corner, end in ((a, m), (m, b)):
        along = (end - corner) / np.hypot(*(end - corner))
        across = off * np.array([along[1], -along[0]])
        f.path([corner + across, end + across, end - across, corner - across], "fill soft soft dashed", closed=True)
    f.path(curve, "a thick")
    f.path([a, m, b], "ink")
    worst = int(np.argmax(np.hypot(*(curve - chords).T)))
    f.path([curve[worst], chords[worst]], "b thick")
    for x, y in (a, m, b):
        f.dot(x, y, "ink")
    f.text(a[0] + 26, a[1] + 22, "node a")
    f.text(m[0], m[1] - 44, "node m", anchor="middle")
    f.text(b[0], b[1] + 24, "node b", anchor="end")
    f.text(
        330,
        238,
        "largest distance of points with one parameter: |a \u2212 2m + b| / 8, the half width of the bands",
        "b",
        "middle",
    )
    return f


def rounding() -> Figure:
    """How the bound of a computed polynomial is found: each operation adds to the errors of its terms."""
    f = Figure("rounding", "The errors of the terms of a program of three operations", 640, 255)
    rows = [
        ("a, b, c, d: given doubles", "error 0", 0, "good"),
        ("p = a b, rounded", "1 rounding: 1 u", 1, "a"),
        ("q = c d, rounded", "1 rounding: 1 u", 1, "a"),
        ("s = p \u2212 q, rounded", "2 u for each term", 2, "a"),
    ]
    for i, (words, error, units, look) in enumerate(rows):
        y = 36 + 40 * i
        f.text(30, y, words)
        f.path([(300, y - 4), (300 + 80 * units + 1, y - 4)], f"{look} thick")
        f.text(312 + 80 * units, y, error, look)
    f.path([(300, 14), (300, 210)], "soft dashed")
    f.path([(300 + 80 * 2.4, 172), (300 + 80 * 2.4, 210)], "b thick")
    f.text(300 + 80 * 2.4 - 8, 206, "the constant that is tested", "b", "end")
    f.text(30, 240, "A constant below the error of a term is refused, and so is one without a proof or a reason.")
    return f


def film() -> Figure:
    """A point that rounded numbers move and turn: the ball about it grows with each transform."""
    f = Figure("film", "A point, its ball of rounding, and both after a turn and a move", 640, 230)
    places = [((120, 150), 8, "stored: U R"), ((300, 80), 20, "turned: a (R + e) more"), ((500, 120), 28, "moved: U |v| more")]
    f.path([(120, 150), (205, 92), (300, 80)], "soft dashed")
    f.path([(300, 80), (500, 120)], "soft dashed")
    for (x, y), radius, words in places:
        turn = np.linspace(0, 2 * np.pi, 49)
        f.path(np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)]), "a")
        f.path([(x - 2, y), (x + 2, y)], "b thick")
        f.text(x, y + radius + 20, words, "", "middle")
    f.text(30, 215, "Each transform makes a new pair of a reach R and an error e.")
    return f


FIGURES = (curved_cell, rounding, film)
