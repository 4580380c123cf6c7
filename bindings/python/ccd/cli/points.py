"""Points of a file and a mesh: on which side of its surface they are, and how far from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import overlap
from .._io import checks
from ..errors import ArgumentError
from ..gradient import GradientState
from ..mesh import Mesh
from . import models, output


def read(path: str) -> NDArray[np.float64]:
    """The points of a .npy file, or of a text with x, y, z on each line, the first of which may have the names of columns."""
    return np.ascontiguousarray(checks.coordinates(path, "point", models.points(path)), np.float64)


def depths(mesh: Mesh, x: NDArray[np.float64], points: NDArray[np.float64], threads: int) -> NDArray[np.void]:
    """Where points are; the surface must be closed."""
    try:
        with output.bar("points") as progress:
            return overlap.depths(mesh, x, points, threads=threads, progress=progress)
    except ArgumentError as error:
        raise ArgumentError(f"--points: {error}") from None


def side(row: np.void) -> str:
    """On which side of the surface a point is."""
    if row["winding"] == overlap.ON_SURFACE:
        return "on the surface"
    return "inside" if row["winding"] else "outside"


def as_json(found: NDArray[np.void]) -> list[dict[str, Any]]:
    """Return an object for each point."""
    return [
        {
            "side": side(row),
            "winding": None if row["winding"] == overlap.ON_SURFACE else int(row["winding"]),
            "distance_lo": float(row["distance_lo"]),
            "distance_hi": float(row["distance_hi"]),
            "nearest": row["point"].tolist(),
            "normal": row["normal"].tolist(),
            "face": int(row["face"]),
            "state": str(GradientState(int(row["state"]))),
        }
        for row in found
    ]


def row_of(found: NDArray[np.void]) -> tuple[str, str]:
    """The row of the report: how many points are on which side."""
    sides = [side(row) for row in found]
    counts = ((name, sides.count(name)) for name in ("inside", "outside", "on the surface"))
    return "points", ", ".join(f"{output.count(n)} {name}" for name, n in counts if n)


def table_of(found: NDArray[np.void]) -> str:
    """A line for each point."""
    rows = [
        (str(i), side(row), repr(float(row["distance_lo"])), repr(float(row["distance_hi"])), str(int(row["face"])))
        for i, row in enumerate(found)
    ]
    return output.table(("point", "side", "distance_lo", "distance_hi", "face"), rows)
