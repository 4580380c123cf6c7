"""ipctk's small questions about two primitives of one frame, decided exactly, and those beside its narrow phases."""

from __future__ import annotations

import enum
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import pair, proximity
from ..errors import ArgumentError
from ..impact import Kind
from ..mesh import Mesh
from . import _checked
from ._narrow import query


class LoggerLevel(enum.IntEnum):
    """The levels of ipctk's log; nothing is logged here."""

    trace = 0
    debug = 1
    info = 2
    warn = 3
    error = 4
    critical = 5
    off = 6


def set_logger_level(level: LoggerLevel) -> None:
    """Does nothing: nothing is logged."""


def check_initial_distance(initial_distance: float, min_distance: float) -> tuple[bool, float]:
    """(whether the pair is within min_distance from the start, 0)."""
    return bool(initial_distance <= min_distance), 0.0


def _points(dim: int, *points: ArrayLike) -> NDArray[np.float64]:
    """Points of a dimension as rows of three coordinates."""
    rows = [np.ravel(_checked.doubles(f"point {i}", point)) for i, point in enumerate(points)]
    if any(len(row) != dim for row in rows):
        raise ArgumentError(f"points have sizes {[len(row) for row in rows]}: must all be {dim}")
    x = np.zeros((len(rows), 3))
    x[:, :dim] = rows
    return x


def is_edge_intersecting_triangle(e0: ArrayLike, e1: ArrayLike, t0: ArrayLike, t1: ArrayLike, t2: ArrayLike) -> bool:
    """Whether a closed edge and a closed triangle have a point in common, decided exactly, coplanar ones too."""
    mesh = Mesh(edges=[[0, 1], [2, 3], [3, 4], [4, 2]], faces=[[2, 3, 4]], vertices=5)
    found = proximity.intersections(mesh, _points(3, e0, e1, t0, t1, t2))
    return bool(((found["kind"] == proximity.EDGE_FACE) & (found["a"] == 0)).any())


def edge_triangle_intersection(
    e0: ArrayLike, e1: ArrayLike, t0: ArrayLike, t1: ArrayLike, t2: ArrayLike
) -> tuple[bool, float, float, float]:
    """(intersects, u, v, t): decided exactly; where is computed in doubles, NaN where it is not one place."""
    if not is_edge_intersecting_triangle(e0, e1, t0, t1, t2):
        return False, nan, nan, nan
    p, q, a, b, c = _points(3, e0, e1, t0, t1, t2)
    matrix = np.stack([b - a, c - a, p - q], axis=1)
    if np.linalg.matrix_rank(matrix) < 3:
        return True, nan, nan, nan
    u, v, t = np.linalg.solve(matrix, p - a)
    return True, float(u), float(v), float(t)


def segment_segment_intersect(A: ArrayLike, B: ArrayLike, C: ArrayLike, D: ArrayLike) -> bool:
    """Whether two closed segments of the plane have a point in common, decided exactly."""
    found = proximity.intersections(Mesh(edges=[[0, 1], [2, 3]], vertices=4), _points(2, A, B, C, D))
    return bool((found["kind"] == Kind.EDGE_EDGE).any())


def inexact_point_edge_ccd_2D(
    p_t0: ArrayLike, e0_t0: ArrayLike, e1_t0: ArrayLike, p_t1: ArrayLike, e0_t1: ArrayLike, e1_t1: ArrayLike,
    conservative_rescaling: float,
) -> tuple[bool, float]:  # fmt: skip
    """(hit, time of impact times conservative_rescaling; 0 without a hit): the exact time."""
    q = query(Kind.POINT_EDGE, (p_t0, e0_t0, e1_t0, p_t1, e0_t1, e1_t1))[0]
    if (q[:, 2] != 0).any():
        raise ArgumentError("points must have 2 coordinates")
    impact = pair.solve(Kind.POINT_EDGE, q)
    return (False, 0.0) if impact.separate else (True, impact.toi_lo * conservative_rescaling)


__all__ = [
    "LoggerLevel",
    "check_initial_distance",
    "edge_triangle_intersection",
    "inexact_point_edge_ccd_2D",
    "is_edge_intersecting_triangle",
    "segment_segment_intersect",
    "set_logger_level",
]
