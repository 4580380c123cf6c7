"""Orders of nodes: for each node of VTK's element, where the format has it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]

# Exodus, CGNS, Nastran and FRD list the nodes on upright sides of a hexahedron or prism before those on its top.
UPRIGHT_FIRST: dict[int, Sequence[int]] = {
    25: [*range(12), 16, 17, 18, 19, 12, 13, 14, 15],
    26: [*range(9), 12, 13, 14, 9, 10, 11],
}
EXODUS = UPRIGHT_FIRST | {
    29: [*UPRIGHT_FIRST[25], 23, 24, 25, 26, 21, 22, 20],  # the middle, below, above, left, right, front, back
    32: [*UPRIGHT_FIRST[26], 15, 16, 17],
}
CGNS = UPRIGHT_FIRST | {
    29: [*UPRIGHT_FIRST[25], 24, 22, 21, 23, 20, 25, 26],  # below, front, right, back, left, above, the middle
    32: [*UPRIGHT_FIRST[26], 15, 16, 17],
}
ABAQUS: dict[int, Sequence[int]] = {
    21: [0, 2, 1],  # a line's middle is its second node
    29: [*range(20), 26, 24, 23, 25, 21, 22, 20],  # the middle, then by numbers of sides
}


def ordered(kind: int, nodes: Rows, order: dict[int, Sequence[int]]) -> Rows:
    """The nodes of elements in VTK's order."""
    at = order.get(kind)
    return nodes if at is None else nodes[:, list(at)]


# The edges whose middles are the nodes after the corners, in VTK's order.
_EDGES = {
    21: [(0, 1)],
    24: [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    25: [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)],
    26: [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)],
    27: [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)],
}
_EDGES |= {29: _EDGES[25], 32: _EDGES[26]}
# Where other orders have the nodes of VTK's: Exodus and its like, Gmsh, and lines with the middle between the ends.
_ORDERS: dict[int, list[list[int]]] = {
    21: [[0, 2, 1], [1, 2, 0]],
    24: [[0, 1, 2, 3, 4, 5, 6, 7, 9, 8]],
    25: [list(UPRIGHT_FIRST[25]), [*range(8), 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15]],
    26: [list(UPRIGHT_FIRST[26]), [*range(6), 6, 9, 7, 12, 14, 13, 8, 10, 11]],
    27: [[*range(5), 5, 8, 10, 6, 7, 9, 11, 12]],
}
_ORDERS |= {29: _ORDERS[25], 32: _ORDERS[26]}


def misplaced(kind: int, x: NDArray[np.float64], nodes: Rows) -> bool:
    """Whether most elements are much straighter if their nodes have another program's order than the one that was read.

    Nodes on edges are compared with the middles of the edges by the sum of squared distances. What bends all edges alike, as
    that of a thin wall, adds to both sums.
    """
    if kind not in _EDGES or not len(nodes):
        return False
    sums = [_bends(kind, x, nodes)]
    known = [list(range(nodes.shape[1])), *(order + list(range(len(order), nodes.shape[1])) for order in _ORDERS[kind])]
    for one in known:
        for other in known:
            way = np.argsort(one)[other]  # read by one order, and written by the other
            if not np.array_equal(way, known[0]):
                sums.append(_bends(kind, x, nodes[:, way]))
    return 2 * int((np.min(sums[1:], axis=0) < sums[0] / 2).sum()) > len(nodes)


def _bends(kind: int, x: NDArray[np.float64], nodes: Rows) -> NDArray[np.float64]:
    edges = np.array(_EDGES[kind])
    first = nodes.shape[1] - len(edges) if kind not in (29, 32) else edges.max() + 1
    with np.errstate(over="ignore", invalid="ignore"):
        middle = (x[nodes[:, edges[:, 0]]] + x[nodes[:, edges[:, 1]]]) / 2
        found: NDArray[np.float64] = ((x[nodes[:, first : first + len(edges)]] - middle) ** 2).sum((1, 2))
    return found
