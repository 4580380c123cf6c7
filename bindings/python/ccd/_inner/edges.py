"""What the library says of robots: a handle of one, arrays of results, and the motion of closed chains."""

from .._native.edges import Closed, Edges, Parts, close_loops, edge_dtype, joint_dtype, loop_dtype, shape_dtype

__all__ = ["Closed", "Edges", "Parts", "close_loops", "edge_dtype", "joint_dtype", "loop_dtype", "shape_dtype"]
