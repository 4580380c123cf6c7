"""What a call over a step finds, fetched from behind its out parameter."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _abi
from ._call import Arguments, Call, check
from ._records import Records
from .impact import Impact, constraint_dtype, impact_dtype


def impact(call: Call, function: Callable[..., int], *arguments: Any) -> Impact:
    """The impact that a function writes."""
    out = _abi.Impact()
    call(function, *arguments, ctypes.byref(out))
    return Impact._from_c(out)


def alpha(call: Call, function: Callable[..., int], *arguments: Any) -> float:
    """The step size that a function writes."""
    out = ctypes.c_double()
    call(function, *arguments, ctypes.byref(out))
    return out.value


def impacts(call: Call, function: Callable[..., int], *arguments: Any) -> NDArray[np.void]:
    """The impacts behind the handle that a function makes."""
    return listed("impacts", impact_dtype, call, function, arguments)


def constraints(call: Call, function: Callable[..., int], *arguments: Any) -> NDArray[np.void]:
    """The constraints behind the handle that a function makes."""
    return listed("constraints", constraint_dtype, call, function, arguments)


def listed(
    noun: str, dtype: np.dtype[np.void], call: Call, function: Callable[..., int], arguments: Arguments
) -> NDArray[np.void]:
    """The records behind the handle of a ccd_{noun} that a function makes."""
    lib, handle, count = _abi.library(), ctypes.c_void_p(), ctypes.c_size_t()
    count_of, copy, destroy = (getattr(lib, f"ccd_{noun}_{verb}") for verb in ("count", "copy", "destroy"))
    call(function, *arguments, ctypes.byref(handle))
    try:
        check(count_of(handle, ctypes.byref(count)))
        found = np.empty(count.value, dtype)
        check(copy(handle, found.ctypes, len(found), ctypes.byref(count)))
        return found.view(Records)
    finally:
        destroy(handle)
