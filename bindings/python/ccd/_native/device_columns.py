"""Arrays in the memory of a device that the library owns, for CuPy, PyTorch, Warp, JAX or Numba to read there.

DLPack wants a C struct with a deleter for each consumer, which may call it from any thread. Here they are ctypes
structs, kept in `_exported` until then.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..errors import ArgumentError
from . import abi
from .call import Call, check
from .device_arrays import Tensor

_DTYPES: dict[int, np.dtype[Any]] = {
    1: np.dtype("=f8"),
    2: np.dtype("=f4"),
    3: np.dtype("=i4"),
    4: np.dtype("=i8"),
    5: np.dtype("=u4"),
}
_CODES = {"i": 0, "u": 1, "f": 2}  # DLPack's codes of types
_CUDA = 2  # DLPack's type of device
_NAME = b"dltensor"


class _Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_exported: dict[int, tuple[Any, ...]] = {}  # what a _Managed points to, by its address


def _delete(managed: int) -> None:
    _exported.pop(managed, None)


def _destruct(capsule: int) -> None:
    """The destructor of a capsule: one that nobody has consumed still has its name, and its tensor."""
    if _is_valid(capsule, _NAME):
        _delete(_pointer_in(capsule, _NAME))


_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_delete)
_destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_destruct)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)


class _Owner:
    """A handle of ccd_device_columns; destroyed with its last reference, but not at the end of the process."""

    def __init__(self, handle: ctypes.c_void_p):
        self.handle = handle
        self.free = weakref.finalize(self, abi.library().ccd_device_columns_destroy, handle)
        self.free.atexit = False  # a consumer may still hold the memory, and the driver frees it then


class DeviceArray:
    """An array in the memory of a device of CUDA: one column of a `DeviceColumns`.

    CuPy, PyTorch, Warp, JAX and Numba take it without a copy, by ``from_dlpack`` or by ``__cuda_array_interface__``.
    Its numbers are complete, so no stream has to wait for them. The memory belongs to the library and lives as long as
    this array, its columns or an array that DLPack made of it. Consumers of ``__cuda_array_interface__`` must keep this
    object; those named above do.

    Parameters
    ----------
    column : object
        What the library says of the column.
    owner : object
        What keeps its memory.

    Attributes
    ----------
    shape : tuple of int
        (n,), or (n, k) for columns with several numbers a row.
    dtype : numpy.dtype
        Its type: int32, int64, uint32 or float64.
    strides : tuple of int
        Bytes to the next element along each axis.
    device : int
        Number of the device for CUDA.

    Examples
    --------
    >>> import ccd
    >>> def times(columns):
    ...     import torch
    ...     return torch.from_dlpack(columns["toi_lo"])
    """

    def __init__(self, column: Any, owner: _Owner):
        width = (column.width,) if column.width > 1 else ()
        self.dtype = _DTYPES[column.dtype]
        self.shape: tuple[int, ...] = (column.rows, *width)
        self.strides: tuple[int, ...] = (column.stride, self.dtype.itemsize)[: len(self.shape)]
        self.device: int = column.device
        self._data: int = column.data or 0
        self._owner = owner

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device})"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        packed = self.strides == (self.dtype.itemsize * int(np.prod(self.shape[1:])), self.dtype.itemsize)[: len(self.shape)]
        return {
            "shape": self.shape, "typestr": self.dtype.str, "data": (self._data, False), "version": 3,
            "strides": None if packed else self.strides, "stream": None,
        }  # fmt: skip

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"dl_device is {tuple(dl_device)}: the array is on {self.__dlpack_device__()}, and is not copied")
        if copy:
            raise BufferError("copy is True: the array is not copied")
        size, axes = self.dtype.itemsize, len(self.shape)
        shape = (ctypes.c_int64 * axes)(*self.shape)
        strides = (ctypes.c_int64 * axes)(*(stride // size for stride in self.strides))
        pointer = ctypes.POINTER(ctypes.c_int64)
        tensor = Tensor(
            data=self._data or None, device_type=_CUDA, device_id=self.device, ndim=axes, code=_CODES[self.dtype.kind],
            bits=8 * size, lanes=1, shape=ctypes.cast(shape, pointer), strides=ctypes.cast(strides, pointer),
        )  # fmt: skip
        managed = _Managed(tensor=tensor, deleter=ctypes.cast(_deleter, ctypes.c_void_p))
        address = ctypes.addressof(managed)
        _exported[address] = managed, shape, strides, self._owner
        return _new_capsule(address, _NAME, ctypes.cast(_destructor, ctypes.c_void_p))


class DeviceColumns(Mapping[str, DeviceArray]):
    """Results in the memory of a device of CUDA, a `DeviceArray` for each column, by name.

    `ccd.step.collisions_on_device` and `ccd.Candidates.on_device` make them. The memory is freed with the last of the
    columns, their arrays and what DLPack made of these; the library then waits for all work on the device.

    Parameters
    ----------
    names : tuple of str
        The columns.
    handle : ctypes.c_void_p
        The handle of the columns, which they own from now on.

    Examples
    --------
    >>> import ccd
    >>> def first(mesh, x0, x1):  # x0 and x1 are arrays of CuPy
    ...     import cupy
    ...     hits = ccd.step.collisions_on_device(mesh, x0, x1, device="gpu")
    ...     return cupy.from_dlpack(hits["toi_lo"]).min(), cupy.from_dlpack(hits["pairs"])
    """

    def __init__(self, names: tuple[str, ...], handle: ctypes.c_void_p):
        owner, lib = _Owner(handle), abi.library()
        self._arrays: dict[str, DeviceArray] = {}
        for name in names:
            column = abi.DeviceColumn()
            check(lib.ccd_device_columns_get(handle, name.encode(), ctypes.byref(column)))
            self._arrays[name] = DeviceArray(column, owner)

    def __getitem__(self, name: str) -> DeviceArray:
        try:
            return self._arrays[name]
        except KeyError:
            raise ArgumentError(f"name is {name!r}: must be one of {', '.join(self._arrays)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __contains__(self, name: object) -> bool:
        return name in self._arrays

    def __repr__(self) -> str:
        rows = len(next(iter(self._arrays.values())))
        return f"DeviceColumns({', '.join(self._arrays)}; {rows} rows)"


PAIRS = ("pairs", "a", "b")
IMPACTS = ("verdict", "kind", *PAIRS, "toi_lo", "toi_hi", "u", "v", "point", "normal", "width", "flags")


def to_device(names: tuple[str, ...], call: Call, function: Callable[..., int], *arguments: Any) -> DeviceColumns:
    """The columns that a ccd_*_to_device makes."""
    handle = ctypes.c_void_p()
    try:
        call(function, *arguments, call.options, ctypes.byref(handle))
    except BaseException:  # a call that Ctrl-C found too late to stop has made a handle
        if handle:
            abi.library().ccd_device_columns_destroy(handle)
        raise
    return DeviceColumns(names, handle)


def impacts(call: Call, function: Callable[..., int], *arguments: Any) -> DeviceColumns:
    """The impacts behind the handle that a function makes, on a device."""
    lib, handle = abi.library(), ctypes.c_void_p()
    try:
        call(function, *arguments, ctypes.byref(handle))
        return to_device(IMPACTS, call, lib.ccd_impacts_to_device, handle)
    finally:
        if handle:
            lib.ccd_impacts_destroy(handle)
