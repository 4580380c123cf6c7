"""What joins the corners of elements, and the outline of one element."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._inner.volumes import SIDES, by_element, starts, surface
from ..volume import Cells, Element


def edges(cells: Cells) -> NDArray[np.int32]:
    """What joins corners of one element: enough of it to tell connected components."""
    joined = [corners[:, [0, k]] for _, corners in by_element(cells) for k in range(1, corners.shape[1])]
    return np.vstack([np.empty((0, 2), np.int32), *joined])


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


__all__ = ["Outlines", "edges", "numbers", "surface"]


class Outlines:
    """The edges of single elements, by number."""

    def __init__(self, cells: Cells):
        self.cells = cells
        self.start = starts(cells)

    def name(self, element: int) -> str:
        """What kind of element it is."""
        return str(Element(int(self.cells.elements[element])))

    def edges(self, element: int) -> list[int]:
        """Its edges, two vertices after the other."""
        corners = self.cells.corners[self.start[element] : self.start[element + 1]]
        pairs = {
            tuple(sorted(p))
            for side in SIDES[Element(int(self.cells.elements[element]))]
            for p in zip(side, (*side[1:], side[0]))
        }
        return [int(corners[v]) for a, b in sorted(pairs) if a != b for v in (a, b)]
