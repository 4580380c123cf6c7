"""A mesh and one image of it, as one mesh whose pairs between both are tested."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import mesh as plain
from .._group import Group
from .._inner import meshes as inside
from ..errors import ArgumentError
from ..impact import EDGE_FACE, Kind
from ..step import Step
from . import _lattice

_APART = 2.0**-40  # of the largest coordinate: what an identified vertex may be off its image
UP = 1 + 2.0**-50  # more than what a few roundings take away
_KINDS = {  # the columns of primitives that a pair of each kind has: 0 vertices, 1 edges, 2 faces
    int(Kind.VERTEX_FACE): (0, 2),
    int(Kind.EDGE_EDGE): (1, 1),
    int(Kind.POINT_EDGE): (0, 1),
    int(Kind.POINT_POINT): (0, 0),
    int(EDGE_FACE): (1, 2),
}


class Pair:
    """The mesh and one image of it as one mesh, in which vertices that are identified are one."""

    def __init__(self, mesh: plain.Mesh, shift: tuple[int, ...], offsets: tuple[NDArray[np.int64], NDArray[np.int64]] | None):
        n, edges, faces = mesh.counts[0], mesh.edges, mesh.faces
        self.shift, self.n = np.array(shift, np.int64), n
        self.image = np.arange(n, 2 * n)  # where the image of each vertex stands
        self.welded = np.empty((0, 2), np.int64)
        if offsets is not None:
            self.welded = _lattice.welded(offsets, self.shift)
            self.image[self.welded[:, 0]] = self.welded[:, 1]
        parts = [_joined(rows, self.image[rows]) for rows in (edges, faces)]
        ignored = inside.ignored(mesh)
        left_out = np.zeros(2 * n, np.uint8)
        if ignored is not None:
            left_out[:n] = left_out[n:] = ignored
        left_out[n + self.welded[:, 0]] = 1
        self.mesh = plain.Mesh(
            edges=parts[0].rows, faces=parts[1].rows, vertices=2 * n, ignored=left_out if left_out.any() else None
        )
        self._filter(mesh)
        shared = np.zeros(2 * n, bool)
        shared[self.welded[:, 1]] = True
        number = np.tile(np.arange(n), 2)
        owner = np.repeat([0, 1], n)
        owner[shared | (left_out != 0)] = 2
        made = [(number, owner)]  # for vertices, edges, faces: the number in the mesh, and 0, 1 for the image, or 2 for both
        for part, now in zip(parts, (self.mesh.edges, self.mesh.faces)):
            at = part.find(now)
            made.append((part.number[at], part.owner[at]))
        self.made = made
        self.groups = [
            Group(*(np.flatnonzero(owner == side).astype(np.int32) for _, owner in made)) for side in (0, 1)
        ]  # fmt: skip

    def _filter(self, mesh: plain.Mesh) -> None:
        """Sets what was set on the mesh."""
        known, n = inside.filters(mesh), self.n
        groups = known.get("groups")
        if isinstance(groups, str):
            groups = _components(n, mesh.edges, self.welded)
        if groups is None:
            groups = np.repeat([0, 1], n)
        self.mesh.set_groups(groups if len(groups) == 2 * n else np.tile(groups, 2))
        if known.get("static") is not None:
            self.mesh.set_static(np.tile(known["static"], 2).astype(bool))
        radii = inside.radii(mesh)
        if radii is not None:
            self.mesh.set_radii(np.tile(radii, 2))

    def place(
        self, name: str, x: NDArray[np.float64], vector: list[Fraction]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Positions of the mesh and its image, and on each axis how far the latter may be off."""
        rounded = np.array([float(c) for c in vector])
        moved, error = _two_sum(x, rounded)
        off = np.abs(error).max(axis=0, initial=0.0) + [float(abs(c - Fraction(r))) * UP for c, r in zip(vector, rounded)]
        if len(self.welded):
            i, j = self.welded.T
            gap = np.abs(x[j] - moved[i]) + np.abs(error[i])
            gap += 2.0**-52 * gap
            far = np.argwhere(gap > _APART * (np.abs(x).max(initial=0.0) + np.abs(rounded)))
            if len(far):
                k = int(far[0][0])
                raise ArgumentError(
                    f"{name}: vertices {i[k]} and {j[k]} are identified, but {name}[{j[k]}] is not the image of "
                    f"{name}[{i[k]}] by {self.shift.tolist()}: it is {float(gap[k].max()):.3g} off"
                )
            off = np.maximum(off, gap.max(axis=0) + [float(abs(c - Fraction(r))) * UP for c, r in zip(vector, rounded)])
        self.vector = rounded
        return np.concatenate([x, moved]), off * UP

    def step(self, frames: list[NDArray[np.float64]]) -> Step:
        """The step of the pairs of the mesh with its image."""
        return Step(self.mesh, *frames).between(*self.groups)

    def between(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The records whose primitives are of the mesh and of its image, one each."""
        a, b = self._owners(rows)
        between: NDArray[Any] = rows[a + b == 1]
        return between

    def _owners(self, rows: NDArray[Any]) -> NDArray[np.int64]:
        out = np.full((2, len(rows)), 2, np.int64)
        for kind, columns in _KINDS.items():
            at = rows["kind"] == kind
            for side, (name, column) in enumerate(zip("ab", columns)):
                out[side, at] = self.made[column][1][rows[name][at]]
        return out

    def own(self, rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The records in the numbers of the mesh, seen from primitive a, and the shifts of their primitives b."""
        rows = rows.copy()
        of_image = self._owners(rows)[0] == 1
        for kind, columns in _KINDS.items():
            at = np.flatnonzero(rows["kind"] == kind)
            for name, column in zip("ab", columns):
                rows[name][at] = self.made[column][0][rows[name][at]]
        for name in ("point", "point_a", "point_b"):
            if name in (rows.dtype.names or ()):
                rows[name][of_image] -= self.vector
        return rows, np.where(of_image[:, None], -self.shift, self.shift)


    def constraints(self, rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The constraints on the vertices of the mesh, and the shifts of their primitives b."""
        rows = rows.copy()
        impacts, shifts = self.own(rows["impact"])
        of_image = rows["vertices"] >= self.n
        along = impacts["normal"] @ self.vector
        rows["impact"] = impacts
        rows["vertices"] = np.where(of_image, rows["vertices"] - self.n, rows["vertices"])
        rows["separation"] -= np.where(of_image, rows["weights"], 0).sum(axis=1) * along
        for late in range(1, 4):  # a vertex and its own image are one: the first place has both weights
            for early in range(late):
                same = (rows["vertices"][:, early] == rows["vertices"][:, late]) & (rows["weights"][:, late] != 0)
                rows["weights"][same, early] += rows["weights"][same, late]
                rows["weights"][same, late] = 0
        kept = (rows["weights"] != 0).any(axis=1)
        return rows[kept], shifts[kept]


class _Joined(NamedTuple):
    """Edges or faces of a mesh and its image: rows, each once, with its number in the mesh and who has it."""

    rows: NDArray[np.int64]
    number: NDArray[np.int64]
    owner: NDArray[np.int64]

    def find(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """Where rows with these vertices stand."""
        if not len(rows):
            return np.empty(0, np.int64)
        known = {tuple(row): k for k, row in enumerate(np.sort(self.rows, axis=1).tolist())}
        return np.array([known[tuple(row)] for row in np.sort(rows, axis=1).tolist()], np.int64)


def _joined(mine: NDArray[Any], image: NDArray[Any]) -> _Joined:
    known = {tuple(row): k for k, row in enumerate(np.sort(mine, axis=1).tolist())}
    twin = np.array([known.get(tuple(row), -1) for row in np.sort(image, axis=1).tolist()], np.int64)
    fresh = np.flatnonzero(twin < 0)
    owner = np.concatenate([np.zeros(len(mine), np.int64), np.ones(len(fresh), np.int64)])
    owner[twin[twin >= 0]] = 2
    rows = np.concatenate([mine, image[fresh]]).astype(np.int64)
    return _Joined(rows, np.concatenate([np.arange(len(mine)), fresh]), owner)


def _two_sum(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """x + y rounded, and what it is less than the sum, exactly (Knuth); coordinates of at most 1e150 do not overflow."""
    total = x + y
    back = total - x
    return total, (x - (total - back)) + (y - back)


def _components(n: int, edges: NDArray[Any], welded: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least vertex of each vertex's component, identified ones joined."""
    links = np.concatenate([edges, welded]).astype(np.int64)
    least = np.arange(n)
    while len(links):
        low = least[links].min(axis=1)
        now = least.copy()
        for side in (0, 1):
            np.minimum.at(now, links[:, side], low)
        now = now[now]
        if (now == least).all():
            break
        least = now
    return least
