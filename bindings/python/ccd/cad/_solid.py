"""Closed surfaces of triangles, which tell what is inside of a shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import Error
from ..rigid import Body
from ._bounds import Doubles


@dataclass
class Solid:
    """The triangles of a shape, joined where its faces meet.

    A point that is farther than ``deviation`` from the triangles is inside of the shape if and only if it is inside of them.
    """

    points: Doubles
    corners: NDArray[np.int64]
    deviation: float
    closed: bool
    body: Body

    @classmethod
    def of(cls, points: Doubles, corners: NDArray[np.int64], deviation: float) -> Solid:
        """Join the triangles of faces, which have a deviation, where these meet."""
        size = float(np.ptp(points, 0).max()) or 1.0
        # Nodes of an edge are the same point in both faces, up to the rounding of their placements.
        _, first, to = np.unique(np.round(points / (size * 2.0**-36)), axis=0, return_index=True, return_inverse=True)
        joined = points[first]
        triangles = to.reshape(-1)[corners]
        off = np.linalg.norm(joined[to.reshape(-1)] - points, axis=1).max(initial=0.0)
        triangles = triangles[(triangles != np.roll(triangles, 1, 1)).all(1)]
        ways = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        keys, back = np.sort(ways[:, 0] * len(joined) + ways[:, 1]), np.sort(ways[:, 1] * len(joined) + ways[:, 0])
        return cls(joined, triangles, deviation + float(off), bool(np.array_equal(keys, back)), Body(joined, triangles))

    def inside(self, points: Doubles, rotation: Doubles, position: Doubles) -> NDArray[np.bool_]:
        """Whether points of the world are inside of the triangles at a pose; False where rounding hides it."""
        from ..rigid import Motion, winding

        if not self.closed or not len(points):
            return np.zeros(len(points), bool)
        try:
            found = winding(self.body, Motion(rotation, position), points)
        except Error:
            return np.zeros(len(points), bool)
        inside: NDArray[np.bool_] = np.isin(found, (1, -1))
        return inside
