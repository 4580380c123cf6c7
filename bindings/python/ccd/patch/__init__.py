"""Curved patches that move: Bezier curves, triangles and quads, polynomial or rational, and NURBS.

Control points move on segments from the first configuration to the second. Functions take the keywords of
`ccd.Options`: ``tolerance`` is a length, ``min_separation`` is Euclidean, ``max_iterations`` counts pairs of
subpatches. The methods ``"time-contracted"`` [Chen2024] and ``"tight-inclusion"`` (bisection of the time and
all four parameters) are slower, for comparison.

Paper: [Chen2024]; the checks, the bounds and the stop criterion of the default method are our own
(docs/numerics.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._native.names import names_of
from ._body import Body
from ._faces import Faces
from ._form import Form, Shape
from ._impact import Impact, impact_dtype
from ._model import Model, read, read_iges, read_step
from ._pairs import collisions, earliest, manifold, pair
from ._products import Instance, Placement, Product, read_products
from ._self import Unresolved, self_collisions, self_earliest, self_manifold

__all__ = [
    "Body", "Faces", "Form", "Impact", "Instance", "Model", "Placement", "Product", "Shape", "Unresolved", "collisions",
    "earliest", "impact_dtype", "manifold", "pair", "read", "read_iges", "read_products", "read_step", "self_collisions",
    "self_earliest", "self_manifold",
]  # fmt: skip


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
