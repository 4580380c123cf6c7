"""Rods and points with a radius, drawn thick: triangles of capsules and balls around codimensional edges and vertices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner.meshes import ignored
from ..mesh import Mesh

_SIDES = 12  # sides of a tube
_RINGS = 4  # rings of each half ball
_MOST = 5000  # rods and points that are drawn thick: of more, none


def capsules(
    mesh: Mesh, radii: NDArray[np.float64], frames: Sequence[NDArray[np.float64]]
) -> tuple[list[NDArray[np.float64]], NDArray[np.int64], NDArray[np.int64]]:
    """Vertices in every frame, triangles that number these, and the vertex of the mesh that each belongs to.

    A rod has the larger radius of its vertices, with a half ball at either end; a point is a ball.
    """
    ends, r = _codimensional(mesh, radii)
    side, along, out, angle, triangles = _template()
    placed = [_placed(x, ends, r, side, along, out, angle) for x in frames]
    count, size = len(ends), len(side)
    faces = triangles[None] + size * np.arange(count)[:, None, None]
    return placed, faces.reshape(-1, 3), ends[:, side].reshape(-1)


def _codimensional(mesh: Mesh, radii: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """The two ends of each rod, those of a point alike, and their radii; only those with a radius."""
    edges, faces, n = np.sort(mesh.edges, 1).astype(np.int64), np.sort(mesh.faces, 1).astype(np.int64), mesh.counts[0]
    sides = np.unique(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [0, 2]]]) @ np.array([n, 1]))
    rods = edges[~np.isin(edges @ np.array([n, 1]), sides)]
    out = ignored(mesh)
    points = np.setdiff1d(np.arange(n) if out is None else np.flatnonzero(out == 0), edges)
    ends = np.concatenate([rods, np.column_stack([points, points])])
    r = radii[ends].max(1)
    ends, r = ends[r > 0], r[r > 0]
    return (ends, r) if len(ends) <= _MOST else (ends[:0], r[:0])


def _template() -> tuple[NDArray[Any], ...]:
    """A capsule's vertices: at which end, how far along the axis and out from it in radii, at what angle; and its triangles."""
    up = np.linspace(-np.pi / 2, 0, _RINGS + 1)
    rings = np.concatenate([up, -up[::-1]])
    side = np.repeat(np.repeat([0, 1], _RINGS + 1), _SIDES)
    turn = np.tile(np.arange(_SIDES) * (2 * np.pi / _SIDES), len(rings))
    a = np.arange(_SIDES)
    b = (a + 1) % _SIDES
    quads = [
        np.column_stack([k + a, k + b, k + b + _SIDES, k + a + _SIDES]) for k in range(0, _SIDES * (len(rings) - 1), _SIDES)
    ]
    quad = np.concatenate(quads)
    triangles = np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])
    return side, np.repeat(np.sin(rings), _SIDES), np.repeat(np.cos(rings), _SIDES), turn, triangles


def _placed(
    x: NDArray[np.float64], ends: NDArray[Any], r: NDArray[np.float64], side: Any, along: Any, out: Any, turn: Any
) -> NDArray[np.float64]:
    a, b = x[ends[:, 0]], x[ends[:, 1]]
    axis = _unit(b - a, np.array([0.0, 0.0, 1.0]))
    least = np.eye(3)[np.abs(axis).argmin(1)]  # the coordinate axis that is most across
    u = _unit(np.cross(axis, least), np.array([1.0, 0.0, 0.0]))
    w = np.cross(axis, u)
    across = np.cos(turn)[None, :, None] * u[:, None] + np.sin(turn)[None, :, None] * w[:, None]
    offset = along[None, :, None] * axis[:, None] + out[None, :, None] * across
    placed: NDArray[np.float64] = x[ends[:, side]] + r[:, None, None] * offset
    return placed.reshape(-1, 3)


def _unit(v: NDArray[np.float64], otherwise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors of length 1; another one where a vector has no length."""
    largest = np.abs(v).max(1, keepdims=True)
    v = np.where(largest > 0, v / np.where(largest > 0, largest, 1), otherwise)
    unit: NDArray[np.float64] = v / np.linalg.norm(v, axis=1, keepdims=True)
    return unit
