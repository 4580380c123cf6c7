"""The surfaces of rigid bodies."""

from __future__ import annotations

import ctypes
import weakref
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.call import create
from ..errors import ArgumentError


class Body:
    """The surface of a rigid body, with its tree.

    A body is its triangles, not what they enclose: one inside another is not in contact with it; `containment` tells. Threads
    may share a body. It is freed with its last reference, or by `close`, and is a context manager.

    Parameters
    ----------
    vertices : array_like
        Vertices in the body's coordinates, (n, 3), at most 1e60 in magnitude.
    faces : array_like
        Triangles, (m, 3) vertex indices, at least one; a triangle that repeats a vertex is an edge or a point.

    Raises
    ------
    ArgumentError
        An array has another shape or type, or there is no face.
    NonFiniteError
        A coordinate is NaN, infinite or too large.
    InvalidIndexError
        An index is out of range.

    Examples
    --------
    >>> import ccd
    >>> ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    <ccd.rigid.Body of 3 vertices, 1 triangles>
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike):
        v, f = arrays.coordinates("vertices", vertices), _triangles(faces)
        self._handle = ctypes.c_void_p()
        lib = abi.library()
        create(
            v.nbytes + f.nbytes, lib.ccd_rigid_body_create, lib.ccd_rigid_body_destroy, self._handle,
            v.ctypes, len(v), f.ctypes, len(f),
        )  # fmt: skip
        self._free = weakref.finalize(self, _destroy, self._handle)
        self._counts = len(v), len(f)

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.rigid.Body, closed>"
        return "<ccd.rigid.Body of {} vertices, {} triangles>".format(*self._counts)

    def close(self) -> None:
        """Free the body now. Running calls on other threads complete; later ones raise HandleError."""
        self._free()

    def __enter__(self) -> Body:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _triangles(faces: ArrayLike) -> NDArray[np.int32]:
    array = arrays.to_array("faces", faces)
    if array.dtype.kind == "f" and array.size:
        raise ArgumentError(
            f"faces has dtype {array.dtype}: must be an integer type; the order is ccd.rigid.Body(vertices, faces)"
        )
    return arrays.primitives("faces", array, 3)


def _destroy(handle: ctypes.c_void_p) -> None:
    abi.library().ccd_rigid_body_destroy(handle)


def to_handle(name: str, body: Any) -> ctypes.c_void_p:
    """The handle of a body; errors name the argument."""
    if not isinstance(body, Body):
        raise ArgumentError(f"{name} is {type(body).__name__}: must be a ccd.rigid.Body")
    return body._handle
