"""COLLADA files, as robots read their meshes."""

from ..robot._collada import parsed, parts_of, unit_of

__all__ = ["parsed", "parts_of", "unit_of"]
