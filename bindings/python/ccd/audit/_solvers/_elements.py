"""The surface of finite elements: shells, sides that one solid alone has, lines; elements of order 2 as flat triangles.

Elements have the types, and the order of nodes, of VTK. Sides go around outward by the sign of the volume between the corners
of each element, which may be of either orientation. The sides of all solids are compared together, so where two parts
share nodes nothing is left between them. Faces of order 2 are divided, and their distance from the triangles is bounded, as
the library's reader does it (docs/proofs/curved-cells.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..._inner import polygons
from ..._inner.volumes import SIDES, signs
from ...errors import FileError, UnsupportedError
from ._orders import Rows as Rows
from ._orders import misplaced

_HEXAHEDRON: list[tuple[int, ...]] = [
    (0, 4, 7, 3, 16, 15, 19, 11), (1, 2, 6, 5, 9, 18, 13, 17), (0, 1, 5, 4, 8, 17, 12, 16),
    (3, 7, 6, 2, 19, 14, 18, 10), (0, 3, 2, 1, 11, 10, 9, 8), (4, 5, 6, 7, 12, 13, 14, 15),
]  # fmt: skip
_PRISM = [
    (0, 1, 2, 6, 7, 8),
    (3, 5, 4, 11, 10, 9),
    (0, 3, 4, 1, 12, 9, 13, 6),
    (1, 4, 5, 2, 13, 10, 14, 7),
    (2, 5, 3, 0, 14, 11, 12, 8),
]

# The sides of elements of order 2 by their types in VTK: corners, then the nodes on the sides, then that in the middle.
_CURVED: dict[int, list[tuple[int, ...]]] = {
    24: [(0, 1, 3, 4, 8, 7), (1, 2, 3, 5, 9, 8), (2, 0, 3, 6, 7, 9), (0, 2, 1, 6, 5, 4)],
    25: _HEXAHEDRON,
    26: _PRISM,
    27: [(0, 3, 2, 1, 8, 7, 6, 5), (0, 1, 4, 5, 10, 9), (1, 2, 4, 6, 11, 10), (2, 3, 4, 7, 12, 11), (3, 0, 4, 8, 9, 12)],
    29: [(*side, 20 + k) for k, side in enumerate(_HEXAHEDRON)],
    32: [*_PRISM[:2], *((*side, 15 + k) for k, side in enumerate(_PRISM[2:]))],
}
_SHELLS = {5: 3, 9: 4, 22: 6, 23: 8, 28: 9, 34: 7}  # their numbers of nodes
_LINES = {3: 2, 21: 3}
_LINEAR = {10: 4, 12: 8, 13: 6, 14: 5}
_NODES = {24: 10, 25: 20, 26: 15, 27: 13, 29: 27, 32: 18}
_STRAIGHT = {24: 10, 25: 12, 26: 13, 27: 14, 29: 12, 32: 13}  # the types of the same corners
POLYGON = 7
COUNTS = _SHELLS | _LINES | _LINEAR | _NODES  # the number of nodes of each type that is read

_SIX = [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)]
_FLAT = {
    6: _SIX, 7: _SIX,
    8: [(0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7)],
    9: [(0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 8), (5, 6, 8), (6, 7, 8), (7, 4, 8)],
}  # fmt: skip

# The nodes of a side that goes around in the other direction, from the same corner, by their number.
_TURNED = {
    3: [0, 2, 1],
    4: [0, 3, 2, 1],
    6: [0, 2, 1, 5, 4, 3],
    8: [0, 3, 2, 1, 7, 6, 5, 4],
    9: [0, 3, 2, 1, 7, 6, 5, 4, 8],
}


@dataclass
class Block:
    """Elements of one type in one part: their nodes, (m, k). Polygons have `sizes`, and their corners in a row."""

    part: int
    kind: int
    nodes: Rows
    sizes: NDArray[np.int64] | None = None

    def select(self, keep: NDArray[np.bool_]) -> Block:
        """Some of the elements."""
        if self.sizes is None:
            return Block(self.part, self.kind, self.nodes[keep])
        return Block(self.part, self.kind, self.nodes[np.repeat(keep, self.sizes)], self.sizes[keep])

    def within(self, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether all nodes of each element are among those that are known."""
        if self.sizes is None:
            found: NDArray[np.bool_] = np.all(known[self.nodes], axis=1)
            return found
        unknown = np.concatenate([[0], np.cumsum(~known[self.nodes])])
        ends = np.cumsum(self.sizes)
        whole: NDArray[np.bool_] = unknown[ends] == unknown[ends - self.sizes]
        return whole


@dataclass
class Skin:
    """What is audited of elements: edges that no face has, triangles, and the faces and lines of order 2 among them."""

    edges: NDArray[np.int32]
    faces: NDArray[np.int32]
    unused: NDArray[np.int32]
    part: NDArray[np.int64]  # of each vertex: the first part that has it
    left_out: dict[str, int] = field(default_factory=dict)
    curved: list[Rows] = field(default_factory=list)
    bent: Rows = field(default_factory=lambda: np.empty((0, 3), np.int64))
    solids: int = 0

    def deviation(self, x: NDArray[np.float64]) -> float:
        """A bound on how far faces and lines of order 2 are from the flat ones."""
        most = 0.0
        if len(self.bent):
            most = _off(_length(_bend(*(x[self.bent[:, k]] for k in (0, 2, 1)))) / 8, x[self.bent])
        for rows in self.curved:
            nodes = x[rows]
            most = max(most, _off(_quad(nodes) if rows.shape[1] > 7 else _triangle(nodes), nodes))
        return most


def skin(path: str, x: NDArray[np.float64], blocks: Iterable[Block]) -> Skin:
    """The surface of elements, whose polygons are divided where their corners are in `x`."""
    found = _Skinning(path, len(x))
    for block in blocks:
        if len(block.nodes):
            found.add(block)
    return found.skin(x)


class _Skinning:
    def __init__(self, path: str, count: int):
        self.path, self.count = path, count
        self.part = np.full(count, -1, np.int64)
        self.left_out: dict[str, int] = {}
        self.lines: list[Rows] = []
        self.bent: list[Rows] = []
        self.shells: dict[int, list[Rows]] = {}  # by the number of nodes
        self.bending: dict[int, list[Rows]] = {}  # Solids of order 2, by their type.
        self.solid: dict[int, list[Rows]] = {}  # Other solids, by their type.
        self.polygons: list[tuple[Rows, NDArray[np.int64]]] = []
        self.known: dict[int, list[Rows]] = {}
        self.solids = 0

    def leave(self, what: str, count: int) -> None:
        if count:
            self.left_out[what] = self.left_out.get(what, 0) + int(count)

    def add(self, block: Block) -> None:
        nodes, kind = block.nodes, block.kind
        if nodes.min() < 0 or nodes.max() >= self.count:
            raise FileError(f"{self.path}: an element names node {int(nodes.max())} of {self.count}")
        if block.sizes is None and (kind not in COUNTS or nodes.shape[1] != COUNTS[kind]):
            raise UnsupportedError(f"{self.path}: elements of VTK's type {kind} with {nodes.shape[1]} nodes are not read")
        if block.sizes is None and (kind in _CURVED or kind == 21):
            self.bending.setdefault(kind, []).append(nodes)
        own = self.part[nodes]
        self.part[nodes] = np.where(own < 0, block.part, np.minimum(own, block.part))
        if block.sizes is not None:
            self.polygons.append((nodes, block.sizes))
        elif kind == 3:
            self.lines.append(nodes)
        elif kind == 21:
            self.lines += [nodes[:, [0, 2]], nodes[:, [2, 1]]]
            self.bent.append(nodes)
        elif kind in _SHELLS:
            for rows in _loops(self.path, nodes) if kind == 9 else [nodes]:
                self.shells.setdefault(rows.shape[1], []).append(rows)
            if kind == 9:
                self.leave("shells without area", len(nodes) - sum(len(rows) for rows in _loops(self.path, nodes)))
        else:
            self._solids(nodes, kind)

    def _solids(self, nodes: Rows, kind: int) -> None:
        kept = self._new(nodes, kind)
        self.solids += len(kept)
        if kind == 12:  # a tetrahedron that is written as a hexahedron has 5 nodes that are one
            four = (kept[:, 4:] == kept[:, 3:4]).all(1)
            if four.any():
                self.solid.setdefault(10, []).append(kept[four, :4])
                kept = kept[~four]
        self.solid.setdefault(kind, []).append(kept)

    def _new(self, nodes: Rows, kind: int) -> Rows:
        """The solids without those that are given twice, whose sides would vanish."""
        key = np.sort(nodes, axis=1)
        before = self.known.setdefault(kind, [])
        _, first = np.unique(np.vstack([*before, key]), axis=0, return_index=True)
        old = sum(len(rows) for rows in before)
        new = np.sort(first[first >= old]) - old
        before.append(key)
        self.leave("elements given twice", len(nodes) - len(new))
        return nodes[new]

    def _sides(self, x: NDArray[np.float64]) -> dict[int, Rows]:
        """The sides of all solids by their number of nodes; they go around outward."""
        solids = {kind: np.vstack(rows) for kind, rows in self.solid.items()}
        corners = [(SIDES[_STRAIGHT.get(kind, kind)], nodes) for kind, nodes in solids.items()]  # type: ignore[index]
        found: dict[int, list[Rows]] = {}
        for (kind, nodes), sign in zip(solids.items(), signs(x, corners)):
            for inward in (False, True):
                own = nodes[(sign < 0) == inward]
                if kind in _LINEAR:
                    sides = _loops(self.path, own[:, SIDES[kind]].reshape(-1, 4))  # type: ignore[index]
                else:
                    sides = [own[:, side] for side in _CURVED[kind]]
                for rows in sides:
                    count = rows.shape[1]
                    found.setdefault(count, []).append(rows[:, _TURNED[count]] if inward else rows)
        return {count: np.vstack(rows) for count, rows in sorted(found.items())}

    def skin(self, x: NDArray[np.float64]) -> Skin:
        for kind, given in self.bending.items():
            if misplaced(kind, x, np.vstack(given)):
                raise UnsupportedError(
                    f"{self.path}: most elements of {COUNTS[kind]} nodes are bent beyond reason in the order of nodes that the "
                    "format has, and straight in that of another program: whoever wrote the file kept another order (meshio "
                    "does, in Exodus); write it with a program of the format, or as VTU"
                )
        shells = {n: np.vstack(rows) for n, rows in sorted(self.shells.items())}
        sides = self._sides(x)
        own = [_key(rows) for rows in (*shells.values(), *sides.values())]
        if sides:
            _, number, count = np.unique(np.vstack(own), axis=0, return_inverse=True, return_counts=True)
            number = number.reshape(-1)
            alone, at = count[number] == 1, sum(len(rows) for rows in shells.values())
            for n, rows in sides.items():
                sides[n] = rows[alone[at : at + len(rows)]]
                at += len(rows)
        faces: list[Rows] = []
        corners: list[Rows] = []
        sizes: list[NDArray[np.int64]] = []
        curved: list[Rows] = []
        for n in sorted({*shells, *sides}):
            rows = np.vstack([given[n] for given in (shells, sides) if n in given])
            if n == 3:
                faces.append(rows)
            elif n == 4:
                corners.append(rows.reshape(-1))
                sizes.append(np.full(len(rows), 4, np.int64))
            else:
                curved.append(rows)
                faces.append(rows[:, _FLAT[n]].reshape(-1, 3))
        for nodes, counts in self.polygons:
            corners.append(nodes)
            sizes.append(counts)
        if corners:
            flat = np.concatenate(corners).astype(np.int32)
            faces.append(polygons.cut(x, flat, np.concatenate(sizes).astype(np.int32))[0].astype(np.int64))
        triangles = self._clean(np.vstack(faces)) if faces else np.empty((0, 3), np.int64)
        edges = self._edges(triangles)
        used = np.zeros(self.count, bool)
        used[triangles], used[edges] = True, True
        return Skin(
            edges.astype(np.int32), triangles.astype(np.int32), np.flatnonzero(~used).astype(np.int32),
            np.maximum(self.part, 0), self.left_out, curved,
            np.vstack([np.empty((0, 3), np.int64), *self.bent]), self.solids,
        )  # fmt: skip

    def _clean(self, faces: Rows) -> Rows:
        """Triangles without those that repeat a vertex or are given twice in one direction."""
        whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
        self.leave("faces that repeat a vertex", int((~whole).sum()))
        faces = faces[whole]
        turned = faces[np.arange(len(faces))[:, None], (faces.argmin(1)[:, None] + np.arange(3)) % 3] if len(faces) else faces
        _, first = np.unique(turned, axis=0, return_index=True)
        self.leave("faces given twice", len(faces) - len(first))
        return faces[np.sort(first)]

    def _edges(self, faces: Rows) -> Rows:
        """Lines that no face has."""
        if not self.lines:
            return np.empty((0, 2), np.int64)
        lines = np.unique(np.sort(np.vstack(self.lines), axis=1), axis=0)
        self.leave("edges that repeat a vertex", int((lines[:, 0] == lines[:, 1]).sum()))
        found: Rows = lines[lines[:, 0] != lines[:, 1]]
        return found


def _loops(path: str, rows: Rows) -> list[Rows]:
    """Quadrilaterals as triangles and quadrilaterals, by their different corners; those without area go."""
    same = rows == np.roll(rows, -1, axis=1)
    repeats = same.sum(1)
    three, four = repeats == 1, repeats == 0
    folded = four & ((rows[:, 0] == rows[:, 2]) | (rows[:, 1] == rows[:, 3]))
    if folded.any():
        nodes = rows[np.flatnonzero(folded)[0]].tolist()
        raise UnsupportedError(f"{path}: an element has a side whose opposite corners are one node: {nodes}")
    return [rows[three][~same[three]].reshape(-1, 3), rows[four]]


def _key(rows: Rows) -> Rows:
    """The corners of faces, sorted; a face of three has -1 first."""
    count = 3 + rows.shape[1] // 8 if rows.shape[1] > 4 else rows.shape[1]
    corners = np.sort(rows[:, :count], axis=1)
    return corners if count == 4 else np.column_stack([np.full(len(corners), -1, np.int64), corners])


# ---- bounds, as core/meshfile/curved.go has them


def _off(most: NDArray[np.float64], nodes: NDArray[np.float64]) -> float:
    largest = np.abs(nodes).max(axis=(1, 2)) if len(nodes) else np.empty(0)
    return float(np.max(most * (1 + 2.0**-40) + largest * 2.0**-46, initial=0.0))


def _length(v: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.hypot(np.hypot(v[..., 0], v[..., 1]), v[..., 2])
    return found


def _bend(a: NDArray[np.float64], middle: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return a - 2 * middle + b


def _triangle(x: NDArray[np.float64]) -> NDArray[np.float64]:
    bends = [_length(_bend(x[:, a], x[:, m], x[:, b])) for a, m, b in ((0, 3, 1), (1, 4, 2), (2, 5, 0))]
    most: NDArray[np.float64] = np.max(bends, axis=0) / 6
    if x.shape[1] == 7:
        most = most + _length(9 * x[:, 6] - 4 * x[:, 3:6].sum(1) + x[:, :3].sum(1)) / 9
    return most


def _quad(x: NDArray[np.float64]) -> NDArray[np.float64]:
    middle = x[:, 8] if x.shape[1] == 9 else x[:, 4:8].sum(1) / 2 - x[:, :4].sum(1) / 4
    grid = np.stack([x[:, 0], x[:, 4], x[:, 1], x[:, 7], middle, x[:, 5], x[:, 3], x[:, 6], x[:, 2]], 1).reshape(-1, 3, 3, 3)
    twist = grid[:, :2, :2] - grid[:, 1:, :2] - grid[:, :2, 1:] + grid[:, 1:, 1:]
    most = (_bends(grid) + _bends(grid.swapaxes(1, 2))) / 8 + _length(twist).max(axis=(1, 2)) / 4
    if x.shape[1] == 8:
        most = most + _length(middle - (x[:, 4] + x[:, 6]) / 2)
    found: NDArray[np.float64] = most
    return found


def _bends(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    d = grid[:, :, 0] - 2 * grid[:, :, 1] + grid[:, :, 2]
    inner = 2 * d[:, 1] - (d[:, 0] + d[:, 2]) / 2
    found: NDArray[np.float64] = np.max([_length(d[:, 0]), _length(d[:, 2]), _length(inner)], axis=0)
    return found
