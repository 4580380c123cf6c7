"""Motions that are not straight, for a page: the frames that are drawn, and the primitives of impacts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays
from .._inner.records import IntersectionKind
from ..errors import ArgumentError
from ..impact import EDGE_FACE, Kind
from ..mesh import Mesh
from ..motion import Motion
from ..verify import corners

FEWEST, MOST = 16, 512  # chords of a motion, unless they are given
_STRAIGHT = 1 / 1000  # share of the scene's size by which a chord may be off its path


def drawn(motion: Motion, frames: int | None, most: int) -> list[NDArray[np.float64]]:
    """Positions at equal times, so many that the chords between them look like the paths."""
    if frames is not None:
        count = arrays.integer("frames", frames, 2, 1 << 20)
        return [motion.at(k / (count - 1)) for k in range(count)]
    count = FEWEST
    while True:
        x = np.stack([motion.at(k / count) for k in range(count + 1)])
        size = float(np.ptp(x.reshape(-1, 3), axis=0).max(initial=0.0))
        # What half as many chords leave; a chord of half the length leaves a quarter of it.
        bent = np.abs(x[1::2] - (0.5 * x[:-2:2] + 0.5 * x[2::2])).max(initial=0.0) / 4
        if bent <= _STRAIGHT * size or 2 * count > min(MOST, most - 1):
            return list(x)
        count *= 2


def primitives(
    mesh: Mesh, impacts: NDArray[Any], vertices: NDArray[np.int64] | None, count: int
) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """The vertices of both sides of each impact: of the mesh's primitives, or of the pairs that `Motion.pairs` was given."""
    by_kind: dict[Kind | IntersectionKind, tuple[NDArray[Any], NDArray[Any]]] = {EDGE_FACE: (mesh.edges, mesh.faces)}
    by_kind.update(corners(mesh).items())
    sides = []
    for i, impact in enumerate(impacts):
        number = int(impact["kind"])
        if vertices is None:
            of = EDGE_FACE if number == EDGE_FACE else Kind.of(f"impacts[{i}]['kind']", number)
            first, second = by_kind[of]
            a, b = int(impact["a"]), int(impact["b"])
            if not (0 <= a < len(first) and 0 <= b < len(second)):
                raise ArgumentError(
                    f"impacts[{i}] is of {of} {a} {b}: the mesh has no such pair; give vertices for Motion.pairs"
                )
            sides.append((first[a], second[b]))
        else:
            row, kind = int(impact["a"]), Kind.of(f"impacts[{i}]['kind']", number)
            if not 0 <= row < len(vertices) or vertices.shape[1] != kind.points:
                raise ArgumentError(f"impacts[{i}] is of pair {row}, {kind}: vertices has shape {vertices.shape}")
            index = vertices[row]
            if index.min() < 0 or index.max() >= count:
                raise ArgumentError(f"vertices[{row}] is {index.tolist()}: out of range for {count} vertices")
            split = 2 if kind == Kind.EDGE_EDGE else 1
            sides.append((index[:split], index[split:]))
    return sides
