"""Edges of robots, decided by the library: a handle of a robot, and arrays of results."""

from .._native.edges import Edges, Parts, edge_dtype, joint_dtype, shape_dtype

__all__ = ["Edges", "Parts", "edge_dtype", "joint_dtype", "shape_dtype"]
