"""Figures of the pages on common volumes and depths."""

from __future__ import annotations

import numpy as np

from .canvas import Figure


def columns() -> Figure:
    """A polygon whose sides have columns below them: those seen from above count 1, the others -1."""
    f = Figure(
        "columns",
        "Columns below the sides of an outline, and a point that is in two of one sign and one of the other",
        640,
        280,
    )
    outline = np.array(
        [
            (60, 190),
            (150, 60),
            (250, 110),
            (330, 50),
            (420, 180),
            (300, 140),
            (180, 215),
        ]
    )
    f.path(outline, "fill a", closed=True)
    f.path(outline, "a", closed=True)
    for left, right, look in (
        ((330, 50), (420, 180), "good"),
        ((420, 180), (300, 140), "b"),
    ):
        f.path([left, right, (right[0], 260), (left[0], 260)], f"fill {look}", closed=True)
        f.path([left, right], f"{look} thick")
    f.dot(390, 230, "ink")
    f.path([(390, 230), (390, 136)], "soft dashed")
    f.text(452, 80, "+1: a side seen from above", "good")
    f.text(452, 190, "\u22121: a side seen from below", "b")
    f.text(402, 235, "+1 \u2212 1 = 0: outside")
    f.dot(210, 150, "ink")
    f.path([(210, 150), (210, 90)], "soft dashed")
    f.text(222, 172, "+1: inside", anchor="middle")
    f.path([(40, 260), (600, 260)], "soft")
    return f


def depth() -> Figure:
    """Two polygons with the part that they have in common; the depth of a corner with the direction out."""
    f = Figure(
        "depth",
        "The common part of two bodies, and the depth of a corner of one in the other",
        640,
        270,
    )
    f.box(60, 100, 320, 230, "fill a")
    f.box(60, 100, 320, 230, "a")
    turn = np.radians(28)
    x, y = (
        np.array([np.cos(turn), -np.sin(turn)]),
        np.array([np.sin(turn), np.cos(turn)]),
    )
    tip = np.array([255.0, 172.0])
    other = np.array([tip, tip + 230 * x, tip + 230 * x - 110 * y, tip - 110 * y])
    f.path(other, "fill b", closed=True)
    f.path(other, "b", closed=True)
    right = tip + x * (320 - tip[0]) / x[0]
    top = tip - y * (tip[1] - 100) / y[1]
    f.path([tip, right, (320, 100), top], "fill good", closed=True)
    f.path([tip, right, (320, 100), top], "good thick", closed=True)
    f.dot(*tip, "ink")
    f.arrow(*tip, 320, tip[1], "ink")
    f.text(262, 192, "depth")
    f.text(330, 178, "the nearest point, the way out")
    f.text(100, 200, "A", "a")
    f.text(470, 75, "B", "b")
    f.text(335, 130, "the common volume", "good")
    return f


FIGURES = (columns, depth)
