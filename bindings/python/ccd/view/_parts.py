"""Parts: vertices that move together, with their faces and edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import rigid
from . import _patches

_NONE = np.empty((0, 2), np.int32)


@dataclass(eq=False)
class Part:
    """Vertices that move on straight lines, or with a body."""

    name: str
    x0: NDArray[np.float64]
    x1: NDArray[np.float64] | None  # None with a motion
    faces: NDArray[Any]
    edges: NDArray[Any]
    tint: NDArray[np.uint8]
    motion: rigid.Motion | None = None
    nets: NDArray[Any] = field(default_factory=lambda: _NONE)
    patches: _patches.Drawn | None = None

    def ends(self, times: Sequence[float]) -> NDArray[np.float64]:
        """Points that the part reaches: at both ends, or at some times of a body's motion."""
        if self.motion is None:
            return np.vstack([self.x0, self.x0 if self.x1 is None else self.x1])
        box = np.array([self.x0.min(0), self.x0.max(0)]) if len(self.x0) else np.empty((0, 3))
        if not len(box):
            return box
        eight = box[np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1), np.arange(3)[:, None]].T
        return np.vstack([self.motion.at(t, eight) for t in times])


def middle(part: Part) -> NDArray[np.float64]:
    return part.x0.min(0) / 2 + part.x0.max(0) / 2 if len(part.x0) else np.zeros(3)


def components(count: int, edges: NDArray[Any]) -> NDArray[np.int64]:
    """The connected component of every vertex, in the order of their first vertices."""
    label = np.arange(count)
    while len(edges):
        least = label[edges].min(1)
        before = label.copy()
        np.minimum.at(label, edges.ravel(), np.repeat(least, 2))
        np.minimum.at(label, before[edges].ravel(), np.repeat(least, 2))  # what is joined already follows at once
        label = label[label]
        if np.array_equal(label, before):
            break
    return np.unique(label, return_inverse=True)[1].reshape(-1)
