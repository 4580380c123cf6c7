"""Volumes that rigid bodies have in common, and depths of points in them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.by_name import options_by_name
from .._native.call import Call, renaming
from .._native.records import Records
from ..depth import Overlap, Shells, depth_dtype, overlap_dtype
from ..errors import ArgumentError
from ._body import Body, to_handle
from ._motion import Motion, to_records, to_struct
from ._pose import PoseLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


@options_by_name
def overlap(
    a: Body,
    ma: Motion | PoseLike,
    b: Body,
    mb: Motion | PoseLike,
    t: float = 0.0,
    shells: Shells | int | str = Shells.REFUSE,
    **options: Unpack[Options],
) -> Overlap:
    """Compute the volume that two closed bodies have in common at a time, as a bracket that is proven to hold.

    The bodies keep their trees and volumes.

    Parameters
    ----------
    a : Body
        The first body; its surface must be closed.
    ma : Motion or array_like
        Its motion. A pose, as of `Motion.from_pose`, is a body at rest.
    b : Body
        The second body; may be the same as `a`.
    mb : Motion or array_like
        Its motion, or its pose.
    t : float, default 0.0
        The time.
    shells : ccd.overlap.Shells, default REFUSE
        What becomes of surfaces with winding numbers other than 0 and 1 in the common box of both.
    **options : Options
        As of `ccd.overlap.volume`: ``tolerance``, ``threads``, ``progress`` and ``stats``.

    Returns
    -------
    Overlap
        The common volume. Poses count as they are, in real arithmetic, if t is 0 or the bodies do not turn. Else they are known
        to rounding, which widens the bracket: of thin overlaps it may be wider than the tolerance, with
        `ccd.overlap.UNFINISHED`.

    Raises
    ------
    ArgumentError
        A surface is not closed, parts of it overlap or are wound inwards, an argument has another type, or a motion or an
        option is out of range.
    NonFiniteError
        A number is NaN, infinite or above 1e60.
    UnsupportedError
        A body has a radius, padding or a deviation, or the call does not use an option.
    HandleError
        A body was closed by `Body.close`.
    ForkedError
        This process is a fork of one that had loaded the library.

    See Also
    --------
    ccd.overlap.volume : Two meshes.
    containment : Whether one body is inside the other.

    Examples
    --------
    >>> import ccd
    >>> wedge = ccd.rigid.Body([[0, 0, 0], [6, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> here, fall = ccd.rigid.Motion(), ccd.rigid.Motion(velocity=(3, 0, 0))
    >>> [round(ccd.rigid.overlap(wedge, here, wedge, fall, t).volume, 6) for t in (0, 1, 2)]
    [1.0, 0.125, 0.0]
    """
    return Overlap.from_record(_many(a, [ma], b, [mb], t, shells, options, batch=False)[0])


@options_by_name
def overlaps(
    a: Body,
    ma: Sequence[Motion | PoseLike] | NDArray[Any],
    b: Body,
    mb: Sequence[Motion | PoseLike] | NDArray[Any],
    t: float = 0.0,
    shells: Shells | int | str = Shells.REFUSE,
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Compute the volumes that two closed bodies have in common for many pairs of motions.

    Parameters
    ----------
    a : Body
        The first body.
    ma : sequence of Motion or numpy.ndarray
        Its motions: a list, or an array (n,) of `motion_dtype`. A pose is a body at rest.
    b : Body
        The second body.
    mb : sequence of Motion or numpy.ndarray
        Its motions, as many.
    t : float, default 0.0
        The time.
    shells : ccd.overlap.Shells, default REFUSE
        As in `overlap`.
    **options : Options
        As in `overlap`.

    Returns
    -------
    numpy.ndarray
        Volumes (n,) of `ccd.overlap.overlap_dtype`.

    Raises
    ------
    Error
        As `overlap`.

    Examples
    --------
    >>> import ccd
    >>> wedge = ccd.rigid.Body([[0, 0, 0], [6, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> places = [ccd.rigid.Motion(position=(x, 0, 0)) for x in (0, 3, 6)]
    >>> ccd.rigid.overlaps(wedge, places, wedge, [ccd.rigid.Motion()] * 3)["volume_hi"].round(6).tolist()
    [1.0, 0.125, 0.0]
    """
    return _many(a, ma, b, mb, t, shells, options, batch=True)


def _many(a: Body, ma: Any, b: Body, mb: Any, t: float, shells: Any, options: Options, *, batch: bool) -> NDArray[np.void]:
    call, t = Call(options, long=True), arrays.number("t", t)
    renames = () if batch else ((r"\bm([ab])\[0\]", r"m\1"),)
    with renaming(*renames):
        first, second = to_records("ma", ma), to_records("mb", mb)
    if len(first) != len(second):
        raise ArgumentError(f"ma has {len(first)} motions, mb has {len(second)}")
    rule = Shells.of("shells", shells)
    out = np.empty(len(first), overlap_dtype)
    handles = to_handle("a", a), to_handle("b", b)
    with renaming(*renames):
        call(
            abi.library().ccd_rigid_overlaps, handles[0], first.ctypes, handles[1], second.ctypes, len(first), t, rule,
            call.options, out.ctypes,
        )  # fmt: skip
    return out.view(Records)


@options_by_name
def depths(
    body: Body, motion: Motion | PoseLike, points: ArrayLike, t: float = 0.0, **options: Unpack[Options]
) -> NDArray[np.void]:
    """Compute where points in the world lie to a closed body: how deep in it, and by which way out.

    Parameters
    ----------
    body : Body
        The body; its surface must be closed.
    motion : Motion or array_like
        Its motion. A pose, as of `Motion.from_pose`, is a body at rest.
    points : array_like
        Points in world coordinates, (k, 3), at most 1e60 in magnitude.
    t : float, default 0.0
        The time.
    **options : Options
        Keywords of `ccd.Options`: ``threads``, ``progress`` and ``stats``.

    Returns
    -------
    numpy.ndarray
        Depths (k,) of `ccd.overlap.depth_dtype`, as of `ccd.overlap.depths`; points and normals are those of the world. Of a
        body at a pose brackets are wider by the rounding of places, some 1e-15 of the lengths. Of a body with a radius or
        padding distances, points and normals are those of its border; ``face``, ``u`` and ``v`` are of its triangles. Inside of
        one that is not convex ``distance_hi`` is the way to a point outside that was found.

    Raises
    ------
    Error
        As `overlap`.

    Notes
    -----
    Where ``state`` is DEFINED, with the normal n of a point p, the distance has the derivative n by p, -n by the position of
    the body, and -(p - x) x n by a turn of it about x.

    Examples
    --------
    >>> import ccd
    >>> wedge = ccd.rigid.Body([[0, 0, 0], [6, 0, 0], [0, 6, 0], [0, 0, 6]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> found = ccd.rigid.depths(wedge, ccd.rigid.Motion(position=(0, 0, 10)), [[1, 1, 10.5], [1, 1, 8]])
    >>> found["winding"].tolist(), found["distance_hi"].round(9).tolist(), found["normal"][0].round(9).tolist()
    ([1, 0], [0.5, 2.0], [0.0, 0.0, 1.0])
    """
    x, t = arrays.coordinates("points", points), arrays.number("t", t)
    call, given, out = Call(options, long=True), to_struct("motion", motion), np.empty(len(x), depth_dtype)
    call(
        abi.library().ccd_rigid_depths, to_handle("body", body), ctypes.byref(given), t, x.ctypes, len(x), call.options,
        out.ctypes,
    )  # fmt: skip
    return out.view(Records)
