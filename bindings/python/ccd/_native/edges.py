"""Edges of robots, decided by the library: a handle of a robot, and arrays of results."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..options import to_c
from . import abi
from .call import check, create

joint_dtype: np.dtype[np.void] = np.dtype(
    [
        ("kind", np.int32),
        ("parent", np.int32),
        ("child", np.int32),
        ("variable", np.int32),
        ("factor", np.float64),
        ("offset", np.float64),
        ("rotation", np.float64, (3, 3)),
        ("position", np.float64, 3),
        ("axis", np.float64, 3),
        ("error", np.float64),
    ]
)

shape_dtype: np.dtype[np.void] = np.dtype(
    [("body", np.int32), ("link", np.int32), ("vertices", np.int64), ("edges", np.int64), ("faces", np.int64)]
)

edge_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("flags", np.uint32),
        ("body_a", np.int32),
        ("body_b", np.int32),
        ("how", np.int32),
        ("reserved", np.int32),
        ("s", np.float64),
        ("s_free", np.float64),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("iterations", np.int64),
    ]
)


meeting_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("body_a", np.int32),
        ("body_b", np.int32),
        ("reserved", np.int32),
        ("iterations", np.int64),
    ]
)

loop_dtype: np.dtype[np.void] = np.dtype(
    [
        ("a", np.int32),
        ("b", np.int32),
        ("rows", np.int32),
        ("reserved", np.int32),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("across", np.float64, (3, 3)),
    ]
)


class Parts(NamedTuple):
    """What a robot is made of: records of joints and shapes, and the arrays that the shapes are cut from, all packed."""

    variables: int
    joints: NDArray[np.void]
    shapes: NDArray[np.void]
    vertices: NDArray[np.float64]
    radii: NDArray[np.float64]
    edges: NDArray[np.int32]
    faces: NDArray[np.int32]
    pairs: NDArray[np.int32]


class Edges:
    """A robot of the library. It is freed with its last reference."""

    def __init__(self, parts: Parts):
        self._handle, self._variables, self._pairs = ctypes.c_void_p(), parts.variables, len(parts.pairs)
        lib, p = abi.library(), parts
        create(
            p.vertices.nbytes + p.faces.nbytes, lib.ccd_robot_create, lib.ccd_robot_destroy, self._handle,
            p.variables, p.joints.ctypes, len(p.joints), p.shapes.ctypes, len(p.shapes), p.vertices.ctypes, len(p.vertices),
            p.radii.ctypes if len(p.radii) else None, p.edges.ctypes, len(p.edges), p.faces.ctypes, len(p.faces),
            p.pairs.ctypes, len(p.pairs), None,
        )  # fmt: skip
        self._free = weakref.finalize(self, lib.ccd_robot_destroy, self._handle)

    def decide(
        self, q0: NDArray[np.float64], q1: NDArray[np.float64], any_contact: bool = False, **options: Any
    ) -> NDArray[np.void]:
        """Records of `edge_dtype` of the edges from the rows of q0 to those of q1, (n, variables)."""
        q0, q1 = (np.ascontiguousarray(q, np.float64).reshape(-1, self._variables) for q in (q0, q1))
        out = np.zeros(len(q0), edge_dtype)
        function = abi.library().ccd_robot_check_edges
        c = ctypes.byref(to_c(options))
        check(function(self._handle, q0.ctypes, q1.ctypes, len(q0), int(any_contact), c, out.ctypes))
        return out

    def curves(self, control: NDArray[np.float64], any_contact: bool = False, **options: Any) -> NDArray[np.void]:
        """Records of `edge_dtype` of edges of polynomials with control values (n, degree + 1, variables)."""
        c = np.ascontiguousarray(control, np.float64)
        out = np.zeros(len(c), edge_dtype)
        function, given = abi.library().ccd_robot_check_curves, ctypes.byref(to_c(options))
        check(function(self._handle, c.ctypes, c.shape[1] - 1, len(c), int(any_contact), given, out.ctypes))
        return out

    def clearance(
        self, control: NDArray[np.float64], parts: int, record: np.dtype[np.void], **options: Any
    ) -> NDArray[np.void]:
        """The least distances on the parts of edges, (n, parts), as records of `ccd.rigid.scene_gap_dtype`."""
        c = np.ascontiguousarray(control, np.float64)
        out = np.zeros((len(c), parts), record)
        function, given = abi.library().ccd_robot_clearance, ctypes.byref(to_c(options))
        check(function(self._handle, c.ctypes, c.shape[1] - 1, len(c), parts, given, out.ctypes))
        return out

    def touching(self, control: NDArray[np.float64], any_contact: bool = False, **options: Any) -> NDArray[np.void]:
        """Records of `edge_dtype` of all pairs not proven separate on an edge of polynomials, (degree + 1, variables)."""
        c = np.ascontiguousarray(control, np.float64)
        out, count = np.zeros(self._pairs + 1, edge_dtype), ctypes.c_size_t()
        function, given = abi.library().ccd_robot_touching, ctypes.byref(to_c(options))
        room, found = len(out), ctypes.byref(count)
        check(function(self._handle, c.ctypes, len(c) - 1, int(any_contact), given, out.ctypes, room, found))
        return out[: count.value]

    def ranges(self, lower: NDArray[np.float64], upper: NDArray[np.float64], **options: Any) -> NDArray[np.void]:
        """Records of `meeting_dtype` of all pairs, for values of the variables within ranges."""
        low, high = (np.ascontiguousarray(q, np.float64) for q in (lower, upper))
        out, count = np.zeros(self._pairs, meeting_dtype), ctypes.c_size_t()
        function, given = abi.library().ccd_robot_ranges, ctypes.byref(to_c(options))
        check(function(self._handle, low.ctypes, high.ctypes, given, out.ctypes, len(out), ctypes.byref(count)))
        return out


class Closed(NamedTuple):
    """The motion of closed chains: pieces of edges of a path, with what proves them."""

    control: NDArray[np.float64]  # (pieces, 6, variables)
    edges: NDArray[np.int64]  # the edge that each piece is a part of
    ends: NDArray[np.float64]  # where on it the piece begins and ends, (pieces, 2)
    errors: NDArray[np.float64]  # how far each variable that follows may be from the exact one


def close_loops(
    variables: int,
    joints: NDArray[np.void],
    loops: NDArray[np.void],
    follow: NDArray[np.int32],
    start: NDArray[np.float64],
    control: NDArray[np.float64],
    tolerance: float,
) -> Closed:
    """Compute the variables that follow along a path of all variables, (edges, degree + 1, variables)."""
    lib, handle = abi.library(), ctypes.c_void_p()
    count, near, c = len(follow), np.ascontiguousarray(start), np.ascontiguousarray(control)
    check(
        lib.ccd_robot_closed_create(
            variables, joints.ctypes, len(joints), loops.ctypes, len(loops), follow.ctypes, near.ctypes, count, c.ctypes,
            c.shape[1] - 1, len(c), tolerance, ctypes.byref(handle),
        )
    )  # fmt: skip
    try:
        pieces = ctypes.c_size_t()
        check(lib.ccd_robot_closed_counts(handle, ctypes.byref(pieces), None))
        n = pieces.value
        found = Closed(np.empty((n, 6, variables)), np.empty(n, np.int64), np.empty((n, 2)), np.empty(count))
        check(lib.ccd_robot_closed_copy(handle, *(x.ctypes for x in found), None))
    finally:
        lib.ccd_robot_closed_destroy(handle)
    return found
