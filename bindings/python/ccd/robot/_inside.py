"""Whether points are inside closed surfaces: exact winding numbers, by the library (package core/contain)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import proximity
from ..mesh import Mesh


def contains(vertices: NDArray[np.float64], faces: NDArray[np.int32], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points, none of them on the surface, are inside a closed surface: its winding number around them is not 0."""
    low, high = vertices[faces].min((0, 1)), vertices[faces].max((0, 1))
    held: NDArray[np.bool_] = ((low <= points) & (points <= high)).all(1)
    if held.any():
        held[held] = proximity.winding(Mesh(faces=faces, vertices=len(vertices)), vertices, points[held], threads=1) != 0
    return held
