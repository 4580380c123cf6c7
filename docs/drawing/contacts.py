"""Figures of bodies that touch: docs/howto/contact-of-bodies, docs/proofs/manifolds."""

from __future__ import annotations

import ccd
import numpy as np

from drawing.canvas import Chart, Figure


def manifold() -> Figure:
    """The area that two boxes share, the points of the manifold and those that are left of it."""
    f = Figure("manifold", "The face that two turned boxes share, its points, and the four that are left", 640, 270)
    box = ccd.rigid.Body.box((2, 2, 2))
    angle = np.radians(30)
    below = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    above = ((float(np.cos(angle / 2)), 0.0, 0.0, float(np.sin(angle / 2))), (0.3, 0.2, 2.0))
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for left, reduce, words in ((160, False, "all points"), (480, True, "reduce: at most four")):
        flat = lambda p, left=left: np.array([left, 125]) + 70 * np.asarray(p) * [1, -1]  # noqa: E731
        f.path(flat(square), "a", closed=True)
        f.path(flat(square @ turn.T + above[1][:2]), "b", closed=True)
        found = ccd.rigid.manifold(box, above, box, below, 1e-6, reduce=reduce)
        at = found.points["point_a"][:, :2]
        middle = at.mean(0)
        order = np.argsort(np.arctan2(*(at - middle).T))
        f.path(flat(at[order]), "fill good good", closed=True)
        for p in flat(at):
            f.dot(*p, "good")
        f.text(left, 260, f"{words}: {len(at)}", anchor="middle")
    return f


def slide() -> Figure:
    """The signed distance of a box that sinks into a table, in the band of the tolerance."""
    f = Figure("slide", "The signed distance of a box that sinks into a table, and the band of the tolerance", 640, 250)
    table, box = ccd.rigid.Body.box((4, 4, 2)), ccd.rigid.Body.box((1, 1, 1))
    motion = ccd.rigid.Motion(position=(1.2, 0, 1.5), velocity=(1, 0, -0.02), angular_velocity=(0, 0, 0.5))
    tolerance = 0.02
    end = ccd.rigid.slide(box, motion, table, ccd.rigid.Motion(), tolerance, t_max=2)
    assert str(end.event) == "penetrates" and abs(end.t_lo - 1) < 1e-3
    chart = Chart(f, (90, 40, 590, 210), (0, 1.4), (-0.04, 0.04))
    chart.axes("t", "s")
    chart.line([0, 1.4], [0, 0], "soft")
    for level in (-tolerance, tolerance):
        chart.line([0, 1.4], [level, level], "good dashed")
    chart.line([0, end.t_lo], [0, -0.02 * end.t_lo], "b thick")
    chart.line([end.t_lo, 1.4], [-0.02 * end.t_lo, -0.028], "b dashed")
    f.text(100, 58, "parts above it", "good")
    f.text(100, 200, "penetrates below it", "good")
    f.text(430, 190, "t_lo, t_hi", "b", "middle")
    return f


FIGURES = (manifold, slide)
