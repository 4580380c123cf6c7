"""Parts: vertices that move together, with their faces and edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import rigid
from . import _patches

MOST_OBJECTS = 1024  # objects of one part at most
COLORS = 8  # number of colors of a page
_NONE = np.empty((0, 2), np.int32)


@dataclass(eq=False)
class Objects:
    """What of a part can be shown, hidden and colored by itself."""

    of: NDArray[np.uint16] | None  # the object of every vertex; None where there is one
    names: list[str]
    colors: list[int]  # the page's color that each has at first

    @classmethod
    def one(cls, name: str, color: int) -> Objects:
        """The whole part."""
        return cls(None, [name], [color])

    @classmethod
    def labeled(cls, label: NDArray[np.int64], name: str, kind: str, color: int, known: Sequence[str] | None = None) -> Objects:
        """One for every label, in their order; of more than `MOST_OBJECTS` the smaller ones are one object together.

        They have the names that are known, else numbers of a kind; one alone has the name of the part, if none is known.
        """
        counts = np.bincount(label)
        if len(counts) <= 1:
            return cls.one(known[0] if known else name, color)
        kept, number = np.arange(len(counts)), np.arange(len(counts))
        names = list(known or (f"{kind} {k}" for k in kept))
        if len(counts) > MOST_OBJECTS:
            kept = np.sort(np.argsort(-counts, kind="stable")[: MOST_OBJECTS - 1])
            number = np.full(len(counts), len(kept))
            number[kept] = np.arange(len(kept))
            names = [names[k] for k in kept] + [f"the other {len(counts) - len(kept):,}, smaller"]
        return cls(number[label].astype(np.uint16), names, [(color + k) % COLORS for k in range(len(names))])

    def extended(self, of: NDArray[Any]) -> Objects:
        """The same with more vertices, each of the object of another vertex."""
        return self if self.of is None else Objects(np.concatenate([self.of, self.of[of]]), self.names, self.colors)


@dataclass(eq=False)
class Part:
    """Vertices that move on straight lines from frame to frame, or with a body."""

    name: str
    frames: list[NDArray[np.float64]]  # one with a motion, else two or more
    faces: NDArray[Any]
    edges: NDArray[Any]
    objects: Objects
    motion: rigid.Motion | None = None
    nets: NDArray[Any] = field(default_factory=lambda: _NONE)
    patches: _patches.Drawn | None = None
    drawn_for: NDArray[Any] | None = None  # the vertex of the mesh for each vertex that is drawn only, after the mesh's own
    ignored: NDArray[Any] | None = None  # vertices that no pair has and nothing shows: they are no part of the scene's size
    numbers: dict[str, NDArray[Any]] = field(default_factory=dict)  # numbers of edges and faces, where these are not their rows

    fields: dict[str, list[NDArray[np.float64]]] = field(default_factory=dict)  # values of vertices, see _add_fields

    @property
    def steps(self) -> int:
        """Between how many frames it moves."""
        return max(1, len(self.frames) - 1)

    def reach(self, times: Sequence[float]) -> NDArray[np.float64]:
        """Points whose box holds the part: in every frame, or at some times of a body's motion."""
        frames = self.frames if self.ignored is None else [np.delete(x, self.ignored, 0) for x in self.frames]
        if not len(frames[0]):
            return np.empty((0, 3))
        if self.motion is None:
            return np.array([corner for x in frames for corner in (x.min(0), x.max(0))])
        box = np.array([self.frames[0].min(0), self.frames[0].max(0)])
        eight = box[np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1), np.arange(3)[:, None]].T
        return np.vstack([self.motion.at(t, eight) for t in times])


def middle(part: Part) -> NDArray[np.float64]:
    """The middle of a part's box in its first frame."""
    x = part.frames[0]
    return x.min(0) / 2 + x.max(0) / 2 if len(x) else np.zeros(3)


def components(count: int, edges: NDArray[Any]) -> NDArray[np.int64]:
    """The connected component of every vertex, in the order of their first vertices."""
    root = np.arange(count)
    rest = edges.astype(np.int64).reshape(-1, 2)
    while len(rest):  # edges between different roots: the larger root goes below a smaller one, so that there are no circles
        root[rest.max(1)] = rest.min(1)
        while not np.array_equal(above := root[root], root):
            root = above
        rest = root[rest]
        rest = rest[rest[:, 0] != rest[:, 1]]
    return np.unique(root, return_inverse=True)[1].reshape(-1)
