"""The surface of a volume's elements, and the outline of one element."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..volume import Cells, Element, Volume

# The sides of each element, in VTK's order of corners; a side of three corners repeats the last.
_SIDES = {
    Element.TRIANGLE: [(0, 1, 2, 2)],
    Element.QUADRILATERAL: [(0, 1, 2, 3)],
    Element.TETRAHEDRON: [(0, 2, 1, 1), (0, 1, 3, 3), (1, 2, 3, 3), (0, 3, 2, 2)],
    Element.HEXAHEDRON: [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    Element.PRISM: [(0, 1, 2, 2), (3, 5, 4, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)],
    Element.PYRAMID: [(0, 3, 2, 1), (0, 1, 4, 4), (1, 2, 4, 4), (2, 3, 4, 4), (3, 0, 4, 4)],
}


def _starts(cells: Cells) -> NDArray[np.int64]:
    """Where the corners of each element begin."""
    table = np.zeros(max(_SIDES) + 1, int)
    table[list(_SIDES)] = [kind.corners for kind in _SIDES]
    return np.concatenate([[0], np.cumsum(table[cells.elements])])


def _by_element(cells: Cells) -> list[tuple[Element, NDArray[np.int32]]]:
    """The corners of all elements of each type, (n, k)."""
    start = _starts(cells)
    found = []
    for kind in _SIDES:
        at = start[:-1][cells.elements == kind]
        if len(at):
            found.append((kind, cells.corners[at[:, None] + np.arange(kind.corners)]))
    return found


def _sides(cells: Cells) -> NDArray[np.int32]:
    return np.vstack(
        [np.empty((0, 4), np.int32), *(corners[:, _SIDES[kind]].reshape(-1, 4) for kind, corners in _by_element(cells))]
    )


def surface(cells: Cells, mesh: Volume) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The triangles of the sides that one element alone has, and the edges of these sides, without their diagonals."""
    sides = _sides(cells)
    key = np.sort(np.where(np.arange(4) < 3 + (sides[:, 2:3] != sides[:, 3:4]), sides, -1), axis=1)
    _, first, count = np.unique(key, axis=0, return_index=True, return_counts=True)
    kept = sides[np.sort(first[count == 1])]
    shells = [corners[:, _SIDES[kind]].reshape(-1, 4) for kind, corners in _by_element(cells) if len(_SIDES[kind]) == 1]
    if shells:  # a shell is surface, also where it lies on an element's side or on another shell
        kept = np.unique(np.vstack([kept, *shells]), axis=0)
    three = kept[:, 2] == kept[:, 3]
    quads, parts = kept[~three], _triangles(mesh)
    crossed = _known(parts, quads[:, [0, 1, 2]]) | _known(parts, quads[:, [0, 2, 3]])  # the volume's diagonal is 0 2
    faces = [
        kept[three][:, :3],
        *(
            q[:, at]
            for q, pair in ((quads[crossed], ([0, 1, 2], [0, 2, 3])), (quads[~crossed], ([0, 1, 3], [1, 2, 3])))
            for at in pair
        ),
    ]
    around = np.sort(kept[:, [0, 1, 1, 2, 2, 3, 3, 0]].reshape(-1, 2), axis=1)
    return np.vstack(faces), np.unique(around[around[:, 0] != around[:, 1]], axis=0)


def edges(cells: Cells) -> NDArray[np.int32]:
    """What joins corners of one element: enough of it to tell connected components."""
    joined = [corners[:, [0, k]] for _, corners in _by_element(cells) for k in range(1, corners.shape[1])]
    return np.vstack([np.empty((0, 2), np.int32), *joined])


def _triangles(mesh: Volume) -> NDArray[np.void]:
    return np.unique(_rows(np.sort(mesh.faces, axis=1)))


def _known(parts: NDArray[np.void], triangles: NDArray[np.int32]) -> NDArray[np.bool_]:
    return np.isin(_rows(np.sort(triangles, axis=1)), parts)


def _rows(triangles: NDArray[np.int32]) -> NDArray[np.void]:
    """Rows as single items, to be compared as such."""
    packed = np.ascontiguousarray(triangles, np.int32)
    return packed.view([("", np.int32)] * 3).reshape(-1)


def numbers(all_of: NDArray[np.int32], some: NDArray[np.int32]) -> NDArray[np.int64]:
    """The rows in which some primitives stand among all of them, whatever the order of their vertices."""
    rows, wanted = (np.sort(x, axis=1).astype(np.int64) for x in (all_of, some))
    base = np.int64(max(int(all_of.max(initial=0)), int(some.max(initial=0))) + 2)
    if all_of.shape[1] == 3:  # three numbers below 2^31 do not fit into one: the first two are numbered first
        _, inverse = np.unique(np.vstack([rows, wanted])[:, :2] @ [base, 1], return_inverse=True)
        first = inverse.reshape(-1)
        rows, wanted = (np.stack([f, x[:, 2]], 1) for f, x in ((first[: len(rows)], rows), (first[len(rows) :], wanted)))
    keys, sought = rows @ [base, 1], wanted @ [base, 1]
    order = np.argsort(keys)
    found: NDArray[np.int64] = order[np.searchsorted(keys, sought, sorter=order)]
    return found


class Outlines:
    """The edges of single elements, by number."""

    def __init__(self, cells: Cells):
        self.cells = cells
        self.start = _starts(cells)

    def name(self, element: int) -> str:
        """What kind of element it is."""
        return str(Element(int(self.cells.elements[element])))

    def edges(self, element: int) -> list[int]:
        """Its edges, two vertices after the other."""
        corners = self.cells.corners[self.start[element] : self.start[element + 1]]
        pairs = {
            tuple(sorted(p))
            for side in _SIDES[Element(int(self.cells.elements[element]))]
            for p in zip(side, (*side[1:], side[0]))
        }
        return [int(corners[v]) for a, b in sorted(pairs) if a != b for v in (a, b)]
