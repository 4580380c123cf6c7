"""Two bodies: the first time at which they come into contact."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._native import abi
from .._native.call import Call
from .._native.records import Records
from ..errors import ArgumentError
from ._body import Body, to_handle
from ._impact import Impact, impact_dtype
from ._motion import Motion, to_records, to_struct
from ._pose import PoseLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


def earliest(a: Body, ma: Motion | PoseLike, b: Body, mb: Motion | PoseLike, **options: Unpack[Options]) -> Impact:
    """Compute the first time in [t_min, t_max] at which two bodies come into contact.

    Parameters
    ----------
    a : Body
        The first body.
    ma : Motion or array_like
        Its motion. A pose, as of `Motion.from_pose`, is a body at rest.
    b : Body
        The second body; may be the same as `a`.
    mb : Motion or array_like
        Its motion, or its pose.
    **options : Options
        Keywords of `ccd.Options`: ``min_separation``, ``tolerance``, ``t_min``, ``t_max``, ``max_iterations``, ``method``,
        ``ignore_separating``. ``threads``, ``progress`` and ``stats`` have no effect.

    Returns
    -------
    Impact
        The verdict SEPARATE is a proof that the distance exceeds ``min_separation`` for all t in [t_min, t_max]. Otherwise
        it exceeds it for all t <= ``toi_lo``, unless there is contact at t_min: advance to ``toi_lo`` itself.

    Raises
    ------
    ArgumentError
        An argument has another type, or an option or a motion is out of range.
    NonFiniteError
        A number is NaN, infinite or too large.
    HandleError
        A body was closed.
    UnsupportedError
        The call does not support an option, or a combination of options.
    ForkedError
        This process is a fork of one that had loaded the library.

    See Also
    --------
    scene_earliest : Many bodies.
    mesh_earliest : Bodies and a mesh that deforms.

    Notes
    -----
    Papers: [Buddingh2017], [Mirtich1996], [Gottschalk1996].

    Examples
    --------
    A tetrahedron falls on another at speed 4 from distance 1.

    >>> import ccd
    >>> tetrahedron = ccd.rigid.Body(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ... )
    >>> fall = ccd.rigid.Motion(position=(0, 0, 2), velocity=(0, 0, -4))
    >>> hit = ccd.rigid.earliest(tetrahedron, ccd.rigid.Motion(), tetrahedron, fall)
    >>> hit.contact, round(hit.toi_lo, 6)
    (True, 0.25)
    """
    call, out = Call(options, long=False), abi.RigidImpact()
    first, second = to_struct("ma", ma), to_struct("mb", mb)
    arguments = (to_handle("a", a), ctypes.byref(first), to_handle("b", b), ctypes.byref(second))
    call(abi.library().ccd_rigid_earliest, *arguments, call.options, ctypes.byref(out))
    return Impact._of(out)


def earliest_batch(
    a: Body,
    ma: Sequence[Motion | PoseLike] | NDArray[Any],
    b: Body,
    mb: Sequence[Motion | PoseLike] | NDArray[Any],
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Compute the first contacts of two bodies for many pairs of motions.

    Parameters
    ----------
    a : Body
        The first body.
    ma : sequence of Motion or numpy.ndarray
        Its motions: a list, or an array (n,) of `motion_dtype`. A pose, as of `Motion.from_pose`, is a body at rest.
    b : Body
        The second body.
    mb : sequence of Motion or numpy.ndarray
        Its motions, as many.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (n,) of `impact_dtype`.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import ccd
    >>> from ccd.rigid import Motion
    >>> triangle = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> moving = [Motion(position=(0, 0, 1), velocity=(0, 0, speed)) for speed in (-2, 1)]
    >>> found = ccd.rigid.earliest_batch(triangle, [Motion(), Motion()], triangle, moving)
    >>> found["toi_lo"].round(6).tolist()
    [0.5, inf]
    """
    call = Call(options, long=False)
    first, second = to_records("ma", ma), to_records("mb", mb)
    if len(first) != len(second):
        raise ArgumentError(f"ma has {len(first)} motions, mb has {len(second)}")
    out = np.empty(len(first), impact_dtype)
    arguments = (to_handle("a", a), first.ctypes, to_handle("b", b), second.ctypes, len(first), call.options, out.ctypes)
    call(abi.library().ccd_rigid_earliest_batch, *arguments)
    return out.view(Records)
