"""Vertices in the memory of a device, of objects that CuPy, PyTorch, Warp, JAX or Numba make.

DLPack is tried first: it says on which device an array is, and lets the work on the object's stream end before the work on the
stream that is asked for. `__cuda_array_interface__` has the stream from version 3 on.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from ..errors import ArgumentError, shown
from . import abi

_DEFAULT_STREAM = 1  # CUDA's legacy default stream, for DLPack and for the library
_HOST = (1, 3)  # DLPack's types of device: the processor, and memory of the host that CUDA knows
_CUDA = (2, 13)  # a device of CUDA, managed memory
_FLOAT = 2  # DLPack's code of floating-point types
_DTYPES = {4: 2, 8: 1}  # bytes of a coordinate: CCD_FLOAT32, CCD_FLOAT64


class DeviceFrame(NamedTuple):
    """The vertices of one configuration on a device."""

    c: abi.DeviceArray
    rows: int
    owner: Any  # keeps the memory


class Tensor(ctypes.Structure):
    """DLTensor, with which a DLManagedTensor begins."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


def frame(name: str, x: Any) -> Any:
    """x as a `DeviceFrame` if it is on a device, else as what NumPy makes an array of."""
    if isinstance(x, (np.ndarray, list, tuple)):
        return x
    try:
        if hasattr(x, "__dlpack_device__"):
            kind, device = (int(part) for part in x.__dlpack_device__())
            if kind in _CUDA:
                return _of_dlpack(name, x, device)
            if kind not in _HOST:
                raise ArgumentError(f"{name} is on a device of DLPack's type {kind}: must be on the host or a device of CUDA")
            return x if hasattr(x, "__array__") else np.from_dlpack(x)
        interface = getattr(x, "__cuda_array_interface__", None)
    except ArgumentError:
        raise
    except (TypeError, ValueError, RuntimeError, BufferError, AttributeError) as error:
        raise ArgumentError(f"{name} is not an array: {error}") from None
    return x if interface is None else _of_interface(name, interface, x)


def _of_dlpack(name: str, x: Any, device: int) -> DeviceFrame:
    capsule = x.__dlpack__(stream=_DEFAULT_STREAM)
    tensor = Tensor.from_address(get_pointer(capsule, b"dltensor"))
    size = tensor.bits // 8
    if tensor.code != _FLOAT or tensor.lanes != 1 or size not in _DTYPES:
        raise _dtype(name, f"of DLPack's code {tensor.code} with {tensor.bits} bits, {tensor.lanes} at a time")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(size * tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    rows, stride = _rows(name, shape, strides, size)
    data = (tensor.data or 0) + tensor.byte_offset
    c = abi.DeviceArray(data=data or None, stride=stride, stream=_DEFAULT_STREAM, dtype=_DTYPES[size], device=device)
    return DeviceFrame(c, rows, (x, capsule))


def _of_interface(name: str, interface: Any, x: Any) -> DeviceFrame:
    try:
        dtype, shape, (data, _) = np.dtype(interface["typestr"]), tuple(interface["shape"]), interface["data"]
        strides, stream, mask = interface.get("strides"), interface.get("stream"), interface.get("mask")
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ArgumentError(f"{name}.__cuda_array_interface__ is {shown(interface)}: not of version 2 or 3") from None
    if dtype.kind != "f" or not dtype.isnative or dtype.itemsize not in _DTYPES:
        raise _dtype(name, str(dtype))
    if mask is not None:
        raise ArgumentError(f"{name} is a masked array")
    if stream == 0:
        raise ArgumentError(f"{name}.__cuda_array_interface__ has the stream 0, which its definition does not allow")
    rows, stride = _rows(name, shape, strides, dtype.itemsize)
    c = abi.DeviceArray(data=data or None, stride=stride, stream=stream, dtype=_DTYPES[dtype.itemsize], device=-1)
    return DeviceFrame(c, rows, x)


def _dtype(name: str, dtype: str) -> ArgumentError:
    return ArgumentError(f"{name} has dtype {dtype}: on a device it must be float32 or float64")


def _rows(name: str, shape: tuple[int, ...], strides: tuple[int, ...] | None, size: int) -> tuple[int, int]:
    """The number of vertices, and the bytes from one to the next: 0 if they are packed."""
    if len(shape) != 2 or shape[1] != 3:
        raise ArgumentError(f"{name} has shape {shape}: must be (n, 3)")
    rows = int(shape[0])
    if strides is None or rows == 0:
        return rows, 0
    if strides[1] != size:
        raise ArgumentError(
            f"{name} has strides {tuple(strides)}: on a device the coordinates of a vertex must be side by side, so copy it"
        )
    if rows == 1:
        return rows, 0
    if strides[0] == 0:
        raise ArgumentError(f"{name} has strides {tuple(strides)}: one vertex for all rows, so copy it")
    return rows, int(strides[0])
