"""COLLADA: the geometries of the scene where its nodes place them, through pycollada; one frame.

Coordinates are in the unit of the file and with its up axis. pycollada keeps them and transforms in single precision.
"""

from __future__ import annotations

import importlib.util
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from ..._inner import collada
from ...errors import UnsupportedError
from ._film import HALF, Ball, Film, Shape, unique

_UP = {"X_UP": "x", "Y_UP": "y", "Z_UP": "z"}


class Collada(Film):
    """A body for each primitive of a geometry in the scene."""

    def __init__(self, path: str):
        super().__init__(path)
        if importlib.util.find_spec("collada") is None:
            raise UnsupportedError(f"{path} needs pycollada: pip install pycollada")
        root = collada.parsed(path)
        for one in root.iter():
            if _tag(one) == "channel":
                raise UnsupportedError(f"{path} has animations, which are not read: export glTF, USD or Alembic")
        unit, up = collada.unit_of(path, root), "y"
        for asset in (one for one in root if _tag(one) == "asset"):
            up = next((_UP.get((one.text or "").strip(), "y") for one in asset if _tag(one) == "up_axis"), up)
        self.say(f"lengths are in units of {unit:g} m, and {up} is up, as in the file")
        parts = collada.parts_of(path, root)
        names = unique([name for name, *_ in parts], [str(k) for k in range(len(parts))])
        self.bodies: dict[str, tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]] = {
            name: (x, corners.astype(np.int32), sizes.astype(np.int32)) for name, (_, x, corners, sizes) in zip(names, parts)
        }

    def names(self, k: int) -> list[str]:
        """All bodies of the scene."""
        return list(self.bodies)

    def shape(self, k: int, name: str) -> Shape:
        """A body of the scene."""
        x, corners, sizes = self.bodies[name]
        return Shape(x, corners, sizes, off=4 * Ball.of(x, HALF).off)


def _tag(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]
