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
    """Vertices that move on straight lines from frame to frame, or with a body."""

    name: str
    frames: list[NDArray[np.float64]]  # one with a motion, else two or more
    faces: NDArray[Any]
    edges: NDArray[Any]
    tint: NDArray[np.uint8]
    motion: rigid.Motion | None = None
    nets: NDArray[Any] = field(default_factory=lambda: _NONE)
    patches: _patches.Drawn | None = None

    @property
    def steps(self) -> int:
        """Between how many frames it moves."""
        return max(1, len(self.frames) - 1)

    def reach(self, times: Sequence[float]) -> NDArray[np.float64]:
        """Points whose box holds the part: in every frame, or at some times of a body's motion."""
        if not len(self.frames[0]):
            return np.empty((0, 3))
        if self.motion is None:
            return np.array([corner for x in self.frames for corner in (x.min(0), x.max(0))])
        box = np.array([self.frames[0].min(0), self.frames[0].max(0)])
        eight = box[np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1), np.arange(3)[:, None]].T
        return np.vstack([self.motion.at(t, eight) for t in times])


def middle(part: Part) -> NDArray[np.float64]:
    """The middle of a part's box in its first frame."""
    x = part.frames[0]
    return x.min(0) / 2 + x.max(0) / 2 if len(x) else np.zeros(3)


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
