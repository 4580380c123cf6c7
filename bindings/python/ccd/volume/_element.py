"""Types of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import arrays
from ..errors import ArgumentError
from ..impact import _Named


class Element(_Named):
    """Type of an element. The numbers and the order of the corners are VTK's.

    Attributes
    ----------
    TRIANGLE : int
        5: a shell of 3 corners.
    QUADRILATERAL : int
        9: a shell of 4 corners.
    TETRAHEDRON : int
        10: 4 corners.
    HEXAHEDRON : int
        12: 8 corners.
    PRISM : int
        13: 6 corners.
    PYRAMID : int
        14: 5 corners, the apex last.
    """

    TRIANGLE = 5
    QUADRILATERAL = 9
    TETRAHEDRON = 10
    HEXAHEDRON = 12
    PRISM = 13
    PYRAMID = 14

    @property
    def corners(self) -> int:
        """Number of corners."""
        return {5: 3, 9: 4, 10: 4, 12: 8, 13: 6, 14: 5}[int(self)]


def to_elements(elements: Any, corners: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Types and corners as flat arrays."""
    array = arrays._whole("corners", corners)
    if isinstance(elements, (str, Element)):
        kind = Element.of("elements", elements)
        if array.size % kind.corners:
            raise ArgumentError(f"corners has {array.size} vertices: must be a multiple of {kind.corners}")
        elements = np.full(array.size // kind.corners, kind, np.int32)
    elif isinstance(elements, Sequence) and any(isinstance(one, str) for one in elements):
        elements = [Element.of("elements", one) for one in elements]
    return arrays.ids("elements", elements), arrays.ids("corners", array.reshape(-1))
