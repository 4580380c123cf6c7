"""Orders of nodes: for each node of VTK's element, where the format has it."""

from __future__ import annotations

from collections.abc import Sequence

from ._elements import Rows

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
