"""The vertices and weights of the two points that a record names: the rows of a solver's gradients and constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._native import arrays
from .errors import ArgumentError, InvalidIndexError
from .impact import Kind, constraint_dtype, impact_dtype

_FIELDS = {name: impact_dtype.fields[name][0] for name in ("kind", "a", "b", "u", "v")}  # type: ignore[index]
"""What an impact and a near pair have in common."""

_SHAPES = {
    Kind.VERTEX_FACE: ("vertices", "faces"),
    Kind.EDGE_EDGE: ("edges", "edges"),
    Kind.POINT_EDGE: ("vertices", "edges"),
    Kind.POINT_POINT: ("vertices", "vertices"),
}
_PADDING = {
    Kind.VERTEX_FACE: (0, 1, 2, 3),
    Kind.EDGE_EDGE: (0, 1, 2, 3),
    Kind.POINT_EDGE: (0, 1, 2, 1),
    Kind.POINT_POINT: (0, 1, 1, 1),
}  # core/geom/kind.go, Widen: the vertex of b that fills the four
_WEIGHTS: dict[Kind, Callable[[Any, Any], tuple[Any, ...]]] = {
    Kind.VERTEX_FACE: lambda u, v: (1, -(1 - u - v), -u, -v),
    Kind.EDGE_EDGE: lambda u, v: (1 - u, u, -(1 - v), -v),
    Kind.POINT_EDGE: lambda u, v: (1, -(1 - u), -u, 0),
    Kind.POINT_POINT: lambda u, v: (1, -1, 0, 0),
}


def stencils(mesh: Any, records: NDArray[np.void]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The vertices (n, 4) and weights (n, 4) of impacts, constraints or near pairs of a mesh."""
    found = arrays.to_array("records", records)
    fields: Mapping[str, Any] = found.dtype.fields or {}
    known = found.dtype == constraint_dtype or all(name in fields and fields[name][0] == _FIELDS[name] for name in _FIELDS)
    if not known or found.ndim != 1:
        raise ArgumentError(
            f"records has dtype {'of other fields' if found.dtype.names else found.dtype} and shape {found.shape}: "
            "must be (n,) impacts, constraints or near pairs of the mesh"
        )
    if found.dtype == constraint_dtype:
        return found["vertices"].copy(), found["weights"].copy()
    vertices, weights = np.zeros((len(found), 4), np.int32), np.zeros((len(found), 4))
    primitives = {"vertices": np.arange(mesh.counts[0], dtype=np.int32)[:, None], "edges": mesh.edges, "faces": mesh.faces}
    kinds = found["kind"]
    _check_kinds(kinds)
    for kind in _SHAPES:
        rows = np.flatnonzero(kinds == kind)
        corners = [_corners(found, rows, side, shape, primitives[shape]) for side, shape in zip("ab", _SHAPES[kind])]
        vertices[rows] = np.hstack(corners)[:, _PADDING[kind]]
        for column, weight in enumerate(_WEIGHTS[kind](found["u"][rows], found["v"][rows])):
            weights[rows, column] = weight
    return vertices, weights


def _check_kinds(kinds: NDArray[np.int32]) -> None:
    wrong = np.flatnonzero(~np.isin(kinds, list(_SHAPES)))
    if len(wrong):
        raise ArgumentError(
            f"records[{wrong[0]}] has the kind {int(kinds[wrong[0]])}: must be a kind of `ccd.Kind`; "
            "an edge that passes through a face has no weights"
        )


def _corners(found: NDArray[np.void], rows: NDArray[np.intp], side: str, shape: str, corners: NDArray[np.int32]) -> Any:
    index = found[side][rows]
    wrong = np.flatnonzero((index < 0) | (index >= len(corners)))
    if len(wrong):
        raise InvalidIndexError(
            f"records[{rows[wrong[0]]}].{side} is {int(index[wrong[0]])}: out of range for {len(corners)} {shape}"
        )
    return corners[index]
