"""What a reader left out, found beside the geometry, and remarked."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FileError
from . import abi, arrays
from .call import check

Remarks = tuple[dict[str, int], dict[str, NDArray[np.float64]], list[str]]


def of(noun: str, handle: ctypes.c_void_p, vertices: int) -> Remarks:
    """Counts of what was left out, fields (n,) or (n, k) by name, and notes of the ccd_{noun} behind a handle."""
    lib = abi.library()

    def call(name: str) -> Any:
        return getattr(lib, f"ccd_{noun}_{name}")

    sizes = [ctypes.c_size_t() for _ in range(3)]
    check(call("remarks")(handle, *map(ctypes.byref, sizes)))
    kinds, fields, notes = (size.value for size in sizes)
    left_out = dict(_text(call("left_out"), handle, i, ctypes.c_size_t()) for i in range(kinds))
    values = {}
    for i in range(fields):
        name, components = _text(call("field"), handle, i, ctypes.c_size_t())
        array = np.empty((vertices, components))
        check(call("field_values")(handle, i, array.ctypes))
        values[name] = array[:, 0] if components == 1 else array
    return left_out, values, [_text(call("note"), handle, i)[0] for i in range(notes)]


def _text(function: Callable[..., int], handle: ctypes.c_void_p, index: int, *number: ctypes.c_size_t) -> tuple[str, int]:
    """The text of one remark, and its number where it has one."""
    length, buffer = ctypes.c_size_t(), ctypes.create_string_buffer(256)
    for _ in range(2):
        check(function(handle, index, buffer, len(buffer), ctypes.byref(length), *map(ctypes.byref, number)))
        if length.value < len(buffer):
            break
        buffer = ctypes.create_string_buffer(length.value + 1)
    return buffer.raw[: length.value].decode("utf-8", "replace"), number[0].value if number else 0


def refuse(path: str, left_out: dict[str, int]) -> None:
    """Raise the error of strict reading if anything was left out."""
    if left_out:
        listed = ", ".join(f"{n} {what}" for what, n in left_out.items())
        raise FileError(f"{path}: {listed}: strict reading refuses what is left out otherwise")


def weld(vertices: NDArray[np.float64], bits: int, places: Any) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str]]:
    """The place of each vertex, the first vertex of each place, and a note where copies have come apart.

    Places are found in `vertices`, unless they are given, as those of an earlier frame.
    """
    x, number = arrays.coordinates("vertices", vertices), arrays.integer("bits", bits, 0, 48)
    if places is None:
        found, count = np.empty(len(x), np.int32), ctypes.c_size_t()
        check(abi.library().ccd_points_weld(x.ctypes, len(x), number, found.ctypes, ctypes.byref(count)))
        return found, np.unique(found, return_index=True)[1], []
    found = arrays.per_vertex("places", arrays.ids("places", places), len(x))
    numbers, first = np.unique(found, return_index=True)
    arrays.in_range("places", found, len(numbers), "places")
    apart = float(np.abs(x - x[first[found]]).max(initial=0.0))
    largest = np.abs(x).max(initial=0.0)
    kind = np.float32 if (x.astype(np.float32) == x).all() else np.float64
    if apart > float(np.spacing(kind(largest))) * 2**number:
        return found, first, [f"Copies of one vertex are up to {apart:.3g} apart: each place takes that of its first."]
    return found, first, []
