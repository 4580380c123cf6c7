"""Figures of gradients: what counts for a derivative, and examples/throw."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np

from drawing.canvas import Figure


def throw() -> Figure:
    path = Path(__file__).resolve().parents[2] / "examples" / "throw" / "throw.py"
    spec = importlib.util.spec_from_file_location("throw", path)
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example.picture(example.Thrower().aim(30, with_torch=False))


def event() -> Figure:
    """An edge that first comes within d of a point, in either norm."""
    f = Figure("event", "The normal that counts in either norm, and the direction between the points", 640, 300)
    along = np.array([0.94, 0.34])
    across = np.array([along[1], -along[0]])  # up, on paper
    for x, name, square in ((150, "Euclidean norm", False), (470, "max norm", True)):
        center = np.array([x, 190.0])
        angles = np.radians(np.arange(0, 361, 3))
        if square:
            f.box(*(center - 60), *(center + 60), "fill b")
            contact = center + np.array([60, -60])
        else:
            f.path(center + 60 * np.stack([np.cos(angles), np.sin(angles)], 1), "fill b", closed=True)
            contact = center + 60 * across
        f.path([contact - 115 * along, contact + 75 * along], "a thick")
        f.path([center, contact], "dashed soft")
        f.dot(*center, "ink")
        f.dot(*contact, "b")
        f.arrow(*contact, *(contact + 62 * across), "good")
        f.text(*(contact + 62 * across + np.array([-4, -8])), "n", "good")
        if square:
            away = (contact - center) / np.linalg.norm(contact - center)
            f.arrow(*contact, *(contact + 62 * away), "soft")
            f.text(*(contact + 62 * away + np.array([6, 4])), "reported", "soft")
        f.text(x, 285, name, anchor="middle")
    return f


FIGURES = (event, throw)
