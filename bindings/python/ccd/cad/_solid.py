"""Closed surfaces of triangles, which tell what is inside of a shape."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import Error
from ..rigid import Body, distances
from ._bounds import Doubles


@dataclass
class Solid:
    """The triangles of a shape, joined where its faces meet.

    A point that is farther than ``deviation`` from the triangles is inside of the shape if and only if it is inside of them;
    ``own`` is as much as each triangle needs. ``pieces`` are the triangles that hang together, for each piece of the surface.
    """

    points: Doubles
    corners: NDArray[np.int64]
    own: Doubles
    deviation: float
    closed: bool
    body: Body
    pieces: list[NDArray[np.int64]] = field(default_factory=list)

    @classmethod
    def of(cls, points: Doubles, corners: NDArray[np.int64], own: Doubles) -> Solid:
        """Join the triangles of faces, each with a deviation, where these meet."""
        size = float(np.ptp(points, 0).max()) or 1.0
        # Nodes of an edge are the same point in both faces, up to the rounding of their placements.
        _, first, to = np.unique(np.round(points / (size * 2.0**-36)), axis=0, return_index=True, return_inverse=True)
        joined = points[first]
        triangles = to.reshape(-1)[corners]
        off = np.linalg.norm(joined[to.reshape(-1)] - points, axis=1).max(initial=0.0)
        true = (triangles != np.roll(triangles, 1, 1)).all(1)
        triangles, own = triangles[true], (own + float(off)) * (1 + 2.0**-40)
        ways = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        keys, back = np.sort(ways[:, 0] * len(joined) + ways[:, 1]), np.sort(ways[:, 1] * len(joined) + ways[:, 0])
        closed, label = bool(np.array_equal(keys, back)), _joined(triangles, len(joined))[triangles[:, 0]]
        pieces = [triangles[label == k] for k in np.unique(label)]
        return cls(joined, triangles, own[true], float(own.max()), closed, Body(joined, triangles), pieces)

    def inside(self, points: Doubles, rotation: Doubles, position: Doubles) -> NDArray[np.bool_]:
        """Whether points of the world are inside of the triangles at a pose; False where rounding hides it."""
        from ..rigid import ON_SURFACE, WINDING_UNKNOWN, Motion, winding

        if not self.closed or not len(points):
            return np.zeros(len(points), bool)
        try:
            found = winding(self.body, Motion(rotation, position), points)
        except Error:
            return np.zeros(len(points), bool)
        inside: NDArray[np.bool_] = ~np.isin(found, (0, ON_SURFACE, WINDING_UNKNOWN))
        return inside

    def holds(self, other: Solid, matrix: Doubles) -> bool | None:
        """Whether a piece of another shape, which a matrix leads here and whose surface does not cross this one, is inside.

        None where every point that is tried is as near to the triangles as these may be off.
        """
        if not self.closed or not self.pieces:
            return False
        there = other.points @ matrix[:3, :3].T + matrix[:3, 3]
        off = self.deviation + other.deviation + 2.0**-40 * float(np.abs(there).max() + np.abs(self.points).max())
        low, high = (np.array([f(self.points[c.reshape(-1)], 0) for c in self.pieces]) for f in (np.min, np.max))
        known = True
        for piece in other.pieces:
            p = there[piece.reshape(-1)]
            if not np.any((p.min(0) >= low - off).all(1) & (p.max(0) <= high + off).all(1)):
                continue
            some = piece[:: max(1, len(piece) // _TRIED)]
            points = np.concatenate([there[some].mean(1), there[some[:, 0]]])
            still = [((1.0, 0.0, 0.0, 0.0), tuple(q)) for q in points.tolist()]
            far = distances(Body([[0, 0, 0]], [[0, 0, 0]]), still, self.body, [_HERE] * len(still))["lo"]
            k = int(np.argmax(far))
            if not far[k] > off:
                known = False
            elif self.inside(points[k : k + 1], np.array(_HERE[0]), np.zeros(3))[0]:
                return True
        return False if known else None


_TRIED = 64  # triangles of a piece whose points are tried
_HERE = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def _joined(triangles: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """A number for each point, the same for points that triangles connect."""
    label = np.arange(count)
    while True:
        least = label.copy()
        np.minimum.at(least, triangles.reshape(-1), np.repeat(label[triangles].min(1), 3))
        least = least[least]
        if np.array_equal(least, label):
            return label
        label = least
