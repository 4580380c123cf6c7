"""The arguments that calls over steps share, a mesh and two configurations; and those of calls on one configuration."""

from __future__ import annotations

import ctypes
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ArgumentError, no_mesh
from ..mesh import Mesh
from ..motion import Motion
from ..options import Options, depth
from . import arrays, device_arrays
from .call import Arguments, Call, unbounded
from .device_arrays import DeviceFrame

LONG = 128  # from this many vertices on, a call may last long enough to be interrupted by hand


class Ends(NamedTuple):
    """What moves in a step, and what it refers to."""

    rows: int  # vertices
    noun: str  # what has so many vertices, for errors
    arguments: Arguments = ()  # x0, x1, n for C
    keep: Any = None  # arrays, which the step needs as long as it is there
    frames: tuple[DeviceFrame, DeviceFrame] | None = None  # vertices on a device
    motion: Motion | None = None


def mesh_of(mesh: Mesh) -> ctypes.c_void_p:
    """The handle of a mesh, which is checked."""
    if not isinstance(mesh, Mesh):
        raise no_mesh("mesh", mesh)
    return mesh._handle


def ends(x0: ArrayLike | Motion, x1: ArrayLike | None, vertices: int | None = None) -> Ends:
    """The ends of a step, or its motion, of so many vertices if that is known."""
    if isinstance(x0, Motion):
        if x1 is not None:
            raise ArgumentError("x1 is given beside a ccd.Motion, which is the whole step: give what follows by name")
        return Ends(x0.vertices, "the mesh", motion=x0)
    if x1 is None:
        raise ArgumentError("x1 is missing: a step is from x0 to x1, or of a ccd.Motion")
    if isinstance(x1, Motion):
        raise ArgumentError("x1 is a ccd.Motion: it takes the place of x0 and x1")
    frames = _frames(x0, x1, vertices)
    if isinstance(frames[0], DeviceFrame):
        n = frames[0].rows
        return Ends(n, "the mesh", (None, None, n), frames=frames)
    start, end = frames
    return Ends(len(start), "the mesh", (start.ctypes, end.ctypes, len(start)), keep=frames)


def prepare(mesh: Mesh, x0: ArrayLike, x1: ArrayLike | None, options: Options) -> tuple[Call, Arguments]:
    """The call, and the arguments that a call on the step of a mesh begins with: mesh, x0, x1, n."""
    handle = mesh_of(mesh)
    if isinstance(x1, Motion):
        raise ArgumentError("x1 is a ccd.Motion: it takes the place of x0 and x1")
    if x1 is None:
        raise ArgumentError("x1 is missing: a step is from x0 to x1, or of a ccd.Motion")
    return prepare_on(handle, x0, x1, options, mesh._vertices)


def prepare_on(
    handle: ctypes.c_void_p, x0: ArrayLike, x1: ArrayLike, options: Options, vertices: int | None = None
) -> tuple[Call, Arguments]:
    """The same for a handle that stands for a mesh, with so many vertices if that is known."""
    start, end = _frames(x0, x1, vertices)
    if isinstance(start, DeviceFrame):
        call = Call(options, long=start.rows >= LONG or unbounded(options), frames=(start, end))
        return call, (handle, None, None, start.rows)
    n = len(start)
    if n > 2 and end.item(0) == end.item(-3):
        _warn_of_velocities(start, end)
    call = Call(options, n >= LONG or ("max_iterations" in options and unbounded(options)))
    return call, (handle, arrays.pointer(start), arrays.pointer(end), n)


def prepare_motion(mesh: Mesh, motion: Motion, options: Options) -> tuple[Call, Arguments]:
    """The call, and the arguments that a call on a mesh and a motion begins with."""
    handle = mesh_of(mesh)
    return Call(options, long=motion.vertices >= LONG or unbounded(options)), (handle, motion._handle)


def _frames(x0: ArrayLike, x1: ArrayLike, vertices: int | None) -> tuple[Any, Any]:
    """Both ends as arrays of the host, or as frames on a device, of so many vertices if that is known."""
    if type(x0) is not np.ndarray or type(x1) is not np.ndarray:
        x0, x1 = device_arrays.frame("x0", x0), device_arrays.frame("x1", x1)
        if isinstance(x0, DeviceFrame) or isinstance(x1, DeviceFrame):
            if not (isinstance(x0, DeviceFrame) and isinstance(x1, DeviceFrame)):
                there, here = ("x0", "x1") if isinstance(x0, DeviceFrame) else ("x1", "x0")
                raise ArgumentError(f"{there} is on a device, {here} is on the host: both must be in one place")
            _same(x0.rows, x1.rows, vertices)
            return x0, x1
    start, end = arrays.coordinates("x0", x0), arrays.coordinates("x1", x1)
    _same(len(start), len(end), vertices)
    return start, end


def _warn_of_velocities(start: NDArray[np.float64], end: NDArray[np.float64]) -> None:
    """Warn where all vertices end at one place, to which no mesh moves: they are probably velocities of a fall."""
    if (end == end[0]).all() and not (start == start[0]).all():
        text = "x1 has the same row for every vertex: the mesh would end at one point; for velocities pass x0 + dt * x1"
        warnings.warn(text, UserWarning, stacklevel=depth())


def _same(start: int, end: int, vertices: int | None) -> None:
    if end != start:
        raise ArgumentError(f"x0 has {start} vertices, x1 has {end}: the numbers must be equal")
    if vertices is not None and start != vertices:
        raise ArgumentError(f"x0 and x1 have {start} vertices: the mesh has {vertices}{_from_one(start, vertices)}")


def _from_one(given: int, vertices: int) -> str:
    """What to do if the faces of the mesh count from 1, which give it a vertex more."""
    return "; where faces count from 1, make it of faces - 1" if vertices == given + 1 else ""


def prepare_configuration(mesh: Mesh, x: ArrayLike, options: Options) -> tuple[Call, Arguments]:
    """The call, and the arguments that every call on one configuration begins with: mesh, x, n."""
    handle = mesh_of(mesh)
    frame = arrays.coordinates("x", x)
    n = len(frame)
    if n != mesh._vertices:
        raise ArgumentError(f"x has {n} vertices: the mesh has {mesh._vertices}{_from_one(n, mesh._vertices)}")
    return Call(options, n >= LONG), (handle, arrays.pointer(frame), n)
