"""Polygons, cut into triangles by the library."""

from .._native.polygons import cut

__all__ = ["cut"]
