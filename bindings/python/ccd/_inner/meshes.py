"""What a mesh was made with, what a pose may be, and the matrix of a quaternion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files import clean
from ..mesh import Mesh
from ..rigid._motion import to_motion
from ..rigid._pose import PoseLike, to_matrix

__all__ = ["PoseLike", "clean", "filters", "ignored", "radii", "to_matrix", "to_motion"]


def radii(mesh: Mesh) -> NDArray[np.float64] | None:
    """The radius of each vertex; None if the mesh has none."""
    return mesh._radii


def ignored(mesh: Mesh) -> NDArray[np.uint8] | None:
    """A nonzero byte for each vertex that the mesh ignores; None if it was made without."""
    return mesh._ignored


def filters(mesh: Mesh) -> dict[Any, Any]:
    """What was set on the mesh: groups, static and radii by name, excluded pairs by kind."""
    return mesh._filters
