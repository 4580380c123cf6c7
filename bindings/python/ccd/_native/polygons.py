"""Polygons cut into triangles by the library, as its readers of files cut them."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from . import abi
from .call import check


def cut(x: NDArray[np.float64], corners: NDArray[np.int32], sizes: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Triangles (k, 3) of polygons of x (n, 3), their corners one after the other, and how many cross themselves."""
    x, corners, sizes = np.ascontiguousarray(x), np.ascontiguousarray(corners), np.ascontiguousarray(sizes)
    triangles, crossed = np.empty((len(corners) - 2 * len(sizes), 3), np.int32), ctypes.c_size_t()
    function = abi.library().ccd_polygons_cut
    number = len(sizes)
    check(
        function(x.ctypes, len(x), corners.ctypes, len(corners), sizes.ctypes, number, triangles.ctypes, ctypes.byref(crossed))
    )
    return triangles, crossed.value
