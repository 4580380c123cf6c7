"""Figures of robots: docs/proofs/robots, docs/proofs/robot-edges."""

from __future__ import annotations

import ccd
import numpy as np
from ccd.robot import JointModel, Path, Robot, Shape

from drawing.canvas import Chart, Figure


def arm() -> Robot:
    """An arm of six axes, of cylinders and boxes."""
    up, across = np.eye(3), np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    tube = lambda r, length, turn, at: Shape.cylinder(r, length, 10).placed(turn, at)  # noqa: E731
    shapes = [
        [tube(0.11, 0.1, up, [0, 0, 0.05])],
        [tube(0.075, 0.16, up, [0, 0, 0.0])],
        [tube(0.075, 0.15, across, [0, 0, 0]), tube(0.055, 0.36, up, [0, 0, 0.22])],
        [tube(0.06, 0.13, across, [0, 0, 0]), tube(0.045, 0.3, up, [0, 0, 0.19])],
        [tube(0.045, 0.12, across, [0, 0, 0])],
        [tube(0.042, 0.1, up, [0, 0, 0.0])],
        [
            Shape.box([0.05, 0.14, 0.05]).placed(up, [0, 0, 0.08]),
            Shape.box([0.03, 0.02, 0.1]).placed(up, [0, 0.05, 0.155]),
            Shape.box([0.03, 0.02, 0.1]).placed(up, [0, -0.05, 0.155]),
        ],
    ]
    places = [
        ([0, 0, 0.18], "z"),
        ([0, 0.15, 0], "y"),
        ([0, -0.13, 0.45], "y"),
        ([0, 0.11, 0.39], "y"),
        ([0, 0.0, 0.09], "z"),
        ([0, 0, 0.06], "y"),
    ]
    joints = [
        JointModel.moving(f"j{i}", "revolute", i, i + 1, i, [float(a == c) for c in "xyz"], at)
        for i, (at, a) in enumerate(places)
    ]
    return Robot(
        "arm",
        [f"l{i}" for i in range(7)],
        shapes,
        joints,
        [f"j{i}" for i in range(6)],
        [],
    )


def robot() -> Figure:
    """The arm at both ends of an edge, and at its contact with a post."""
    f = Figure("robot", "An arm of six axes meets a post on an edge of its path", 640, 420)
    model = arm()
    post = Shape.box([0.05, 0.05, 0.95]).placed(np.eye(3), [0.5, 0.02, 0.475])
    scene = {"post": ccd.Surface(post.vertices, post.edges, post.faces)}
    ends = np.array([[-1.1, 0.8, 0.4, 0.3, 0.4, 0.3], [1.0, 0.75, 0.55, 0.2, -0.3, 0.9]])
    own = [(a, b) for a in model.links for b in model.links if a < b]
    report = ccd.robot.check(model, Path(model.joints, ends), scene, allowed=own)
    hit = report.contact
    assert hit is not None and str(report.verdict) == "collides" and hit.b == "post"
    for q in ends:
        for turned in solids(model, q):
            for corners, _ in faces(turned):
                f.path(corners, "fill soft soft", closed=True)
    shown = [(s, "a") for s in solids(model, np.array(hit.values))] + [(post, "b")]
    drawn = [(depth, corners, look) for s, look in shown for corners, depth in faces(s)]
    for _, corners, look in sorted(drawn, key=lambda one: one[0]):
        f.path(corners, f"solid {look} {look}", closed=True)
    at = project(np.array([hit.point]))[0]
    f.dot(*at, "good", 5)
    f.arrow(
        *at,
        *project(np.array([hit.point]) + 0.22 * np.array([hit.normal]))[0],
        "good thick",
    )
    f.text(at[0] + 30, at[1] - 34, f"{hit.a} and {hit.b}", "good")
    f.text(
        20,
        24,
        f"Free before s = {hit.s_free:.6f}, a crossing at s = {hit.s:.6f}: both proven.",
    )
    f.text(
        20,
        408,
        "Gray: the waypoints. Blue: the contact, with its normal.",
        "soft",
    )
    return f


def solids(model: Robot, q: np.ndarray) -> list[Shape]:
    """The shapes of a robot where they are."""
    placed = model.place(q)
    return [s.placed(m[:3, :3], m[:3, 3]) for name, m in placed.items() for s in model._shapes[model.links.index(name)]]


def faces(shape: Shape) -> list[tuple[np.ndarray, float]]:
    """The triangles that look at the viewer, as they are drawn, with their depth."""
    x = shape.vertices[shape.faces]
    normal = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    view = np.array([1.0, -1.0, 0.75])
    return [(project(t), float(t.mean(0) @ view)) for t, n in zip(x, normal) if n @ view > 0]


def project(x: np.ndarray) -> np.ndarray:
    """Points of space on the page: from the front, the right, and above."""
    u = (x[:, 0] + x[:, 1]) / np.sqrt(2)
    v = x[:, 2] * 0.88 - (x[:, 1] - x[:, 0]) / np.sqrt(2) * -0.47
    return np.stack([190 + 345 * u, 345 - 335 * v], axis=1)


def third_order() -> Figure:
    """The gap of a ball on a turning arm and a wall over an interval, with its bounds of first, second and third order."""
    f = Figure("third-order", "Lower bounds of the gap of a ball on a turning arm and a wall", 640, 300)
    h, radius, wall, m = 0.5, 0.1, 1.25, 1.0
    t = np.linspace(-h, h, 101)
    height = lambda s: np.sin(m + s)  # noqa: E731
    gap = wall - height(t) - radius
    rate, bend = -np.cos(m), np.sin(m)
    at = wall - np.sin(m) - radius
    orders = (at - np.abs(t), at + t * rate - t**2 / 2, at + t * rate + t**2 / 2 * bend - np.abs(t) ** 3 / 6)
    assert all(np.all(low <= gap + 1e-12) for low in orders)
    chart = Chart(f, (60, 30, 420, 240), (-h, h), (-0.3, 0.9))
    chart.axes("t", "gap")
    for low, look in zip(orders, ("soft dashed", "b dashed", "a")):
        chart.line(t, low, look)
    chart.line(t, gap, "good thick")
    for y, look, words in (
        (70, "good", "the gap"),
        (94, "a", "third order: K |t|\u00b3 / 6"),
        (118, "b", "second order"),
        (142, "ink", "first order: the speed"),
    ):
        f.text(440, y, words, look)
    f.text(60, 284, "The interval is proven free where the bound stays above 0.")
    return f


FIGURES = (robot, third_order)
