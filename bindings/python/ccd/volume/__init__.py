"""Volumes of elements that deform: tetrahedra, hexahedra, prisms, pyramids and shells, in any mixture.

Configurations are (n, 3) arrays, n = vertices of the volume. Functions take the keywords of `ccd.Options`.
Results have the same bits for any number of threads and any earlier steps of the volume. Ctrl-C stops a
call promptly.

A volume's features are its vertices, unique edges and unique triangles (faces), interior ones included. A
quadrilateral side is two triangles. A step tests every vertex with every face that does not contain it, and
every two edges without a common vertex.

Paper: [Tang2011]; the default method is a faster one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._native.names import names_of
from ._boundary import boundary
from ._cells import Cells, read
from ._element import Element
from ._impact import Impact, PairClass, impact_dtype
from ._step import backtrack, collisions, earliest
from ._volume import Volume

__all__ = [
    "Cells",
    "Element",
    "Impact",
    "PairClass",
    "Volume",
    "backtrack",
    "boundary",
    "collisions",
    "earliest",
    "impact_dtype",
    "read",
]


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
