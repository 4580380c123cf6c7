"""Two bodies: the first time at which they come into contact."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._native import abi
from .._native.call import Call
from .._native.results import Records
from ..errors import ArgumentError
from ._body import Body, to_handle
from ._impact import Impact, from_struct, impact_dtype
from ._motion import Motion, to_records, to_struct

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


def earliest(a: Body, ma: Motion, b: Body, mb: Motion, **options: Unpack[Options]) -> Impact:
    """The first time in [t_min, t_max] at which two bodies come into contact. progress and stats have no effect."""
    call, out = Call(options, long=False), abi.RigidImpact()
    first, second = to_struct("ma", ma), to_struct("mb", mb)
    arguments = (to_handle("a", a), ctypes.byref(first), to_handle("b", b), ctypes.byref(second))
    call(abi.library().ccd_rigid_earliest, *arguments, call.options, ctypes.byref(out))
    return from_struct(out)


def earliest_batch(
    a: Body, ma: NDArray[Any], b: Body, mb: NDArray[Any], **options: Unpack[Options]
) -> NDArray[np.void]:
    """Queries of two bodies with many motions: two arrays of `motion_dtype` of one length; an array of `impact_dtype`."""
    call = Call(options, long=False)
    first, second = to_records("ma", ma), to_records("mb", mb)
    if len(first) != len(second):
        raise ArgumentError(f"ma has {len(first)} motions, mb has {len(second)}")
    out = np.empty(len(first), impact_dtype)
    arguments = (to_handle("a", a), first.ctypes, to_handle("b", b), second.ctypes, len(first), call.options, out.ctypes)
    call(abi.library().ccd_rigid_earliest_batch, *arguments)
    return out.view(Records)
