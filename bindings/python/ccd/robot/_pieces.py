"""Paths that are made of pieces of another path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ._path import Path

Array = NDArray[np.float64]


def _made_of(joints: Sequence[str], control: Array, pieces: Sequence[tuple[int, float, float]], path: Path) -> Path:
    """A path of pieces of edges of another one, with its times."""
    for i in range(1, len(control)):
        same = pieces[i][0] == pieces[i - 1][0]
        close_by = np.abs(control[i, 0] - control[i - 1, -1]) <= 1e-9 * (1 + np.abs(control[i, 0]))
        control[i, 0] = np.where(close_by | same, control[i - 1, -1], control[i, 0])
    times = [path.time(edge, a) for edge, a, _ in pieces]
    times.append(float(path._times[-1]))
    found = Path.__new__(Path)
    found._set(joints, control, times)
    return found


def _elevated(control: Array) -> Array:
    """Control values of the degree 5 of the same polynomials, (degree + 1, ...), rounded."""
    while len(control) < 6:
        n = len(control)
        part = np.arange(1, n).reshape(-1, *[1] * (control.ndim - 1)) / n
        control = np.vstack([control[:1], part * control[:-1] + (1 - part) * control[1:], control[-1:]])
    return control
