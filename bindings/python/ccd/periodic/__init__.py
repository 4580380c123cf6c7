"""Meshes in periodic cells: steps and near pairs across the faces of the cell.

A part of a textile, a foam or a packing of grains stands for a body without end: what leaves the cell on one side enters on
the other. Contacts then happen between a primitive and the image of another, displaced by a vector of the lattice. `Mesh` here
tests the mesh with itself and with each image that comes near: its results say which image.

Images are made by adding a vector to positions, which rounds. The rounding is measured in each call and added to the
separation, so no contact is missed; `Impacts.slack` and `NearPairs.slack` have what was added, 0 where all sums are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._native.names import names_of
from ._lattice import Identified, identify
from ._mesh import Mesh
from ._results import Advanced, Constraints, Hit, Impacts, NearPairs

__all__ = ["Advanced", "Constraints", "Hit", "Identified", "Impacts", "Mesh", "NearPairs", "identify"]


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
