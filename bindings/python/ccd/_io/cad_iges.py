"""Entities of IGES that Open CASCADE leaves out, or places otherwise than the format says: refused by name.

Open CASCADE reads instances of subfigures (408), nested ones too, with their translations, scales and transformations. It
leaves out arrays of instances, references to other files and solids made of primitives without a word. Where an instance has a
translation of its own and a matrix that turns (124), the format turns the translation too, and Open CASCADE does not.
"""

from __future__ import annotations

from typing import Any

from ..errors import UnsupportedError

_LEFT_OUT = {
    150: "a block", 152: "a wedge", 154: "a cylinder", 156: "a cone", 158: "a sphere", 160: "a torus",
    162: "a solid of revolution", 164: "a solid of linear extrusion", 168: "an ellipsoid", 180: "a Boolean tree",
    184: "an assembly of solids", 412: "a rectangular array of instances", 414: "a circular array of instances",
    416: "a reference to another file", 420: "an instance of a network", 430: "an instance of a solid",
}  # fmt: skip
_INSTANCE = 408


def refuse(name: str, model: Any) -> None:
    """Raise an error if the model of a file has an entity whose surfaces would be missing or misplaced."""
    for k in range(1, model.NbEntities() + 1):
        entity = model.Entity(k)
        kind = entity.TypeNumber()
        what = _LEFT_OUT.get(kind)
        if what is not None:
            raise UnsupportedError(
                f"{name}: entity {kind} in line {model.DNum(entity)} of its directory, {what}, is not read: "
                "write surfaces or solids in their places"
            )
        if kind == _INSTANCE and entity.HasTransf() and _ambiguous(entity):
            raise UnsupportedError(
                f"{name}: entity {kind} in line {model.DNum(entity)} of its directory, an instance, has a translation or a "
                "scale beside a matrix: Open CASCADE and the format differ there; give the matrix alone"
            )


def _ambiguous(instance: Any) -> bool:
    """Whether the order of an instance's own translation and scale, and its matrix, makes a difference."""
    matrix, own = instance.Location(), instance.Translation()
    turns = any(matrix.Value(i, j) != (i == j) for i in range(1, 4) for j in range(1, 4))
    moved = (own.X(), own.Y(), own.Z()) != (0, 0, 0)
    shifts = any(matrix.Value(i, 4) != 0 for i in range(1, 4))
    return (turns and moved) or (instance.ScaleFactor() != 1 and (shifts or turns))
