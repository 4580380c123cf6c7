"""The arguments that calls over steps share, a mesh and two configurations; and those of calls on one configuration."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ArgumentError, UnsupportedError
from ..mesh import Mesh
from ..motion import Motion
from ..options import Options
from . import abi, arrays, device_arrays
from .call import Arguments, Call, unbounded
from .device_arrays import DeviceFrame

Result = TypeVar("Result")

# From this many vertices on, a call may last long enough to be interrupted by hand.
_LONG = 128


def prepare_any(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None, options: Options, call: str
) -> tuple[Call, Any, Arguments]:
    """The call, its function of C, and the arguments that this begins with: for a step between positions, or of a motion."""
    _check_mesh(mesh)
    if not isinstance(x0, Motion):
        if x1 is None:
            raise ArgumentError("x1 is missing: a step is from x0 to x1, or of a ccd.Motion")
        prepared, step = prepare(mesh, x0, x1, options)
        return prepared, getattr(abi.library(), f"ccd_step_{call}"), step
    if x1 is not None:
        raise ArgumentError("x1 is given beside a ccd.Motion, which is the whole step: give what follows by name")
    prepared, step = prepare_motion(mesh, x0, options)
    return prepared, getattr(abi.library(), f"ccd_motion_{call}"), step


def compute(
    result: Callable[..., Result],
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None,
    options: Options,
    call: str,
    *more: Any,
) -> Result:
    """What `result` makes of a function of C on a step or a motion, with more arguments before the options."""
    prepared, function, step = prepare_any(mesh, x0, x1, options, call)
    return result(prepared, function, *step, *more, prepared.options)


def prepare_motion(mesh: Mesh, motion: Motion, options: Options) -> tuple[Call, Arguments]:
    """The call, and the arguments that every step of a motion begins with: mesh, motion."""
    _check_mesh(mesh)
    prepared = Call(options, long=motion.vertices >= _LONG or unbounded(options))
    return prepared, (mesh._handle, motion._handle)


def prepare_among(
    handle: ctypes.c_void_p, x0: ArrayLike | Motion, x1: ArrayLike | None, options: Options, call: str
) -> tuple[Call, Any, Arguments]:
    """As prepare_any, among candidates with this handle."""
    if not isinstance(x0, Motion):
        if x1 is None:
            raise ArgumentError("x1 is missing: a step is from x0 to x1, or of a ccd.Motion")
        if isinstance(x1, Motion):
            raise ArgumentError("x1 is a ccd.Motion: it takes the place of x0 and x1")
        prepared, step = prepare_on(handle, x0, x1, options)
        return prepared, getattr(abi.library(), f"ccd_candidates_{call}"), step
    if x1 is not None:
        raise ArgumentError("x1 is given beside a ccd.Motion, which is the whole step: give what follows by name")
    prepared = Call(options, long=x0.vertices >= _LONG or unbounded(options))
    return prepared, getattr(abi.library(), f"ccd_candidates_motion_{call}"), (handle, x0._handle)


def _check_mesh(mesh: Mesh) -> None:
    if not isinstance(mesh, Mesh):
        raise ArgumentError(f"mesh is {type(mesh).__name__}: must be a ccd.Mesh")


def prepare(mesh: Mesh, x0: ArrayLike, x1: ArrayLike | None, options: Options) -> tuple[Call, Arguments]:
    """The call, and the arguments that every step begins with: mesh, x0, x1, n."""
    if not isinstance(mesh, Mesh):
        _check_mesh(mesh)
    if isinstance(x0, Motion) or isinstance(x1, Motion):
        raise ArgumentError(f"{'x0' if isinstance(x0, Motion) else 'x1'} is a ccd.Motion: this call takes positions")
    if x1 is None:
        raise ArgumentError("x1 is missing: a step is from x0 to x1")
    return prepare_on(mesh._handle, x0, x1, options, mesh._vertices)


def prepare_on(
    handle: ctypes.c_void_p, x0: ArrayLike, x1: ArrayLike, options: Options, vertices: int | None = None
) -> tuple[Call, Arguments]:
    """The same for a handle that stands for a mesh, with so many vertices if that is known."""
    if type(x0) is not np.ndarray or type(x1) is not np.ndarray:
        x0, x1 = device_arrays.frame("x0", x0), device_arrays.frame("x1", x1)
        if isinstance(x0, DeviceFrame) or isinstance(x1, DeviceFrame):
            return _prepare_device(handle, x0, x1, options, vertices)
    start, end = arrays.coordinates("x0", x0), arrays.coordinates("x1", x1)
    n = len(start)
    if len(end) != n:
        raise ArgumentError(f"x0 has {n} vertices, x1 has {len(end)}: the numbers must be equal")
    if vertices is not None and n != vertices:
        raise ArgumentError(f"x0 and x1 have {n} vertices: the mesh has {vertices}")
    call = Call(options, n >= _LONG or ("max_iterations" in options and unbounded(options)))
    return call, (handle, arrays.pointer(start), arrays.pointer(end), n)


def _prepare_device(
    handle: ctypes.c_void_p, x0: Any, x1: Any, options: Options, vertices: int | None
) -> tuple[Call, Arguments]:
    """The same for vertices on a device."""
    if not (isinstance(x0, DeviceFrame) and isinstance(x1, DeviceFrame)):
        there, here = ("x0", "x1") if isinstance(x0, DeviceFrame) else ("x1", "x0")
        raise ArgumentError(f"{there} is on a device, {here} is on the host: both must be in one place")
    if x0.rows != x1.rows:
        raise ArgumentError(f"x0 has {x0.rows} vertices, x1 has {x1.rows}: the numbers must be equal")
    if vertices is not None and x0.rows != vertices:
        raise ArgumentError(f"x0 and x1 have {x0.rows} vertices: the mesh has {vertices}")
    call = Call(options, long=x0.rows >= _LONG or unbounded(options), frames=(x0, x1))
    return call, (handle, None, None, x0.rows)


def host_only(x0: ArrayLike, x1: ArrayLike, calls: str) -> None:
    """Raise for vertices on a device in a call that has no options to pass them."""
    for name, x in ("x0", x0), ("x1", x1):
        if isinstance(device_arrays.frame(name, x), DeviceFrame):
            raise UnsupportedError(f"{name} is on a device: {calls} takes vertices of the host")


def prepare_configuration(mesh: Mesh, x: ArrayLike, options: Options) -> tuple[Call, Arguments]:
    """The call, and the arguments that every call on one configuration begins with: mesh, x, n."""
    if not isinstance(mesh, Mesh):
        raise ArgumentError(f"mesh is {type(mesh).__name__}: must be a ccd.Mesh")
    frame = arrays.coordinates("x", x)
    n = len(frame)
    if n != mesh._vertices:
        raise ArgumentError(f"x has {n} vertices: the mesh has {mesh._vertices}")
    return Call(options, n >= _LONG), (mesh._handle, arrays.pointer(frame), n)
