"""ipctk's boxes, in doubles that are rounded outwards, and its tests of two primitives by their boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checked
from ._errors import TypedError as ArgumentError
from ._mesh import positions

_Corners = tuple[NDArray[np.float64], NDArray[np.float64]]


class AABB:
    """A box.

    AABB()                         the point 0
    AABB(min, max)                 from corner to corner
    AABB(aabb1, aabb2[, aabb3])    that holds both, or all three
    """

    def __init__(self, *args: Any, **named: Any):
        order = ("min", "max") if {"min", "max"} & set(named) else ("aabb1", "aabb2", "aabb3")
        if set(named) - set(order[len(args) :]):
            raise TypeError(f"AABB() got unexpected arguments: {', '.join(named)}")
        given = [*args, *(named[name] for name in order if name in named)]
        self.vertex_ids: list[int] = [-1, -1, -1]
        self.min: NDArray[np.float64] = np.zeros(3)
        self.max: NDArray[np.float64] = np.zeros(3)
        if not given:
            return
        if all(isinstance(box, AABB) or _is_box(box) for box in given):
            self.min = np.minimum.reduce([box.min for box in given])
            self.max = np.maximum.reduce([box.max for box in given])
        else:
            if len(given) != 2:
                raise TypeError("AABB() needs both corners, or boxes")
            self.min, self.max = (np.ravel(_checked.doubles(name, x)) for name, x in zip(("min", "max"), given))
            if len(self.min) != len(self.max) or len(self.min) not in (2, 3):
                raise ArgumentError(f"corners have sizes {len(self.min)} and {len(self.max)}: must both be 3 or both 2")

    @staticmethod
    def from_point(*args: Any, inflation_radius: float = 0.0, **named: Any) -> AABB:
        """from_point(p, inflation_radius=0) of a point, from_point(p_t0, p_t1, inflation_radius=0) of one that moves."""
        ends, radius = _ends(args, named, inflation_radius)
        x = np.array([np.ravel(_checked.doubles("p", end)) for end in ends])
        return AABB(*AABB.conservative_inflation(x.min(axis=0), x.max(axis=0), radius))

    @staticmethod
    def conservative_inflation(min: ArrayLike, max: ArrayLike, inflation_radius: float) -> _Corners:
        """Both corners moved outwards by the radius, rounded outwards."""
        low, high = _checked.doubles("min", min), _checked.doubles("max", max)
        return np.nextafter(low - inflation_radius, -np.inf), np.nextafter(high + inflation_radius, np.inf)

    def intersects(self, other: AABB) -> bool:
        """Whether the two boxes, closed, have a point in common."""
        return bool((self.min <= other.max).all() and (other.min <= self.max).all())

    def __repr__(self) -> str:
        return f"AABB(min={self.min.tolist()}, max={self.max.tolist()})"


def _is_box(x: object) -> bool:
    """Whether x is a box of the real ipctk."""
    return type(x).__name__ == "AABB" and all(hasattr(x, name) for name in ("min", "max", "vertex_ids"))


def _ends(args: tuple[Any, ...], named: dict[str, Any], inflation_radius: float) -> tuple[list[Any], float]:
    """Positions at one end of a step or both, however they are named, and the radius, which may follow them."""
    ends = [*args, *named.values()]
    if args and not np.ndim(args[-1]):
        return [*args[:-1], *named.values()], _checked.number("inflation_radius", args[-1])
    if len(ends) not in (1, 2):
        raise TypeError("give the positions at one end of a step, or at both")
    return ends, inflation_radius


def build_vertex_boxes(*args: Any, inflation_radius: float = 0.0, **named: Any) -> list[AABB]:
    """A box for each vertex: build_vertex_boxes(vertices, inflation_radius=0), or with vertices_t0, vertices_t1 for a step."""
    ends, radius = _ends(args, named, inflation_radius)
    x = np.array([positions("vertices", end) for end in ends])
    low, high = AABB.conservative_inflation(x.min(axis=0), x.max(axis=0), radius)
    boxes = [AABB(a, b) for a, b in zip(low, high)]
    for i, box in enumerate(boxes):
        box.vertex_ids = [i, -1, -1]
    return boxes


def _around(vertex_boxes: Sequence[AABB], primitives: NDArray[np.int32]) -> list[AABB]:
    boxes = []
    for ids in primitives.tolist():
        box = AABB(*(vertex_boxes[i] for i in ids))
        box.vertex_ids = [*ids, -1][:3]
        boxes.append(box)
    return boxes


def build_edge_boxes(vertex_boxes: Sequence[AABB], edges: ArrayLike) -> list[AABB]:
    """A box for each edge."""
    return _around(vertex_boxes, _checked.primitives("edges", edges, 2))


def build_face_boxes(vertex_boxes: Sequence[AABB], faces: ArrayLike) -> list[AABB]:
    """A box for each face."""
    return _around(vertex_boxes, _checked.primitives("faces", faces, 3))


def _near(first: Sequence[ArrayLike], second: Sequence[ArrayLike], dist: float) -> bool:
    """Whether the boxes of two sets of points come within a distance on every axis, rounded towards yes."""
    a, b = (np.array([np.ravel(_checked.doubles("point", p)) for p in points]) for points in (first, second))
    box = AABB(*AABB.conservative_inflation(a.min(axis=0), a.max(axis=0), dist))
    return box.intersects(AABB(b.min(axis=0), b.max(axis=0)))


def point_edge_aabb_cd(p: ArrayLike, e0: ArrayLike, e1: ArrayLike, dist: float) -> bool:
    """Whether the boxes of a point and an edge are within `dist`."""
    return _near([p], [e0, e1], dist)


def point_triangle_aabb_cd(p: ArrayLike, t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, dist: float) -> bool:
    """Whether the boxes of a point and a triangle are within `dist`."""
    return _near([p], [t0, t1, t2], dist)


def edge_edge_aabb_cd(ea0: ArrayLike, ea1: ArrayLike, eb0: ArrayLike, eb1: ArrayLike, dist: float) -> bool:
    """Whether the boxes of two edges are within `dist`."""
    return _near([ea0, ea1], [eb0, eb1], dist)


def edge_triangle_aabb_cd(
    e0: ArrayLike, e1: ArrayLike, t0: ArrayLike, t1: ArrayLike, t2: ArrayLike, dist: float
) -> bool:  # fmt: skip
    """Whether the boxes of an edge and a triangle are within `dist`."""
    return _near([e0, e1], [t0, t1, t2], dist)


def point_edge_aabb_ccd(
    p_t0: ArrayLike, e0_t0: ArrayLike, e1_t0: ArrayLike, p_t1: ArrayLike, e0_t1: ArrayLike, e1_t1: ArrayLike, dist: float
) -> bool:  # fmt: skip
    """Whether the swept boxes of a point and an edge are within `dist`."""
    return _near([p_t0, p_t1], [e0_t0, e1_t0, e0_t1, e1_t1], dist)


def point_triangle_aabb_ccd(
    p_t0: ArrayLike, t0_t0: ArrayLike, t1_t0: ArrayLike, t2_t0: ArrayLike,
    p_t1: ArrayLike, t0_t1: ArrayLike, t1_t1: ArrayLike, t2_t1: ArrayLike, dist: float,
) -> bool:  # fmt: skip
    """Whether the swept boxes of a point and a triangle are within `dist`."""
    return _near([p_t0, p_t1], [t0_t0, t1_t0, t2_t0, t0_t1, t1_t1, t2_t1], dist)


def edge_edge_aabb_ccd(
    ea0_t0: ArrayLike, ea1_t0: ArrayLike, eb0_t0: ArrayLike, eb1_t0: ArrayLike,
    ea0_t1: ArrayLike, ea1_t1: ArrayLike, eb0_t1: ArrayLike, eb1_t1: ArrayLike, dist: float,
) -> bool:  # fmt: skip
    """Whether the swept boxes of two edges are within `dist`."""
    return _near([ea0_t0, ea1_t0, ea0_t1, ea1_t1], [eb0_t0, eb1_t0, eb0_t1, eb1_t1], dist)
