"""How closed bodies lie to each other and to points: inside, outside, or meeting."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.by_name import options_by_name
from .._native.call import Call, renaming
from ..errors import ArgumentError
from ..impact import ON_SURFACE, _Named
from ._body import Body, to_handle
from ._motion import Motion, to_records, to_struct
from ._pose import PoseLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options

__all__ = ["ON_SURFACE", "WINDING_UNKNOWN", "Containment", "containment", "containment_batch", "winding"]

WINDING_UNKNOWN = -(2**31 - 2)  #: in place of a winding number: rounding may put the point on either side of a turning body


class Containment(_Named):
    """How two solids A and B lie to each other.

    The solid of a closed surface is the surface and all points around which its winding number is not 0.

    Attributes
    ----------
    UNDECIDED : int
        0: the bodies touch within rounding. Only of bodies that turn, at t != 0.
    OUTSIDE : int
        1: they have no common point.
    INSIDE : int
        2: A is inside B, and the surfaces do not meet.
    CONTAINS : int
        3: B is inside A, and the surfaces do not meet.
    OVERLAPPING : int
        4: the surfaces do not meet; some connected components of one are inside the other, but not all.
    CROSSING : int
        5: the surfaces share a point: they touch, or pass through each other.

    Examples
    --------
    >>> import ccd
    >>> [str(where) for where in ccd.rigid.Containment]
    ['undecided', 'outside', 'inside', 'contains', 'overlapping', 'crossing']
    """

    UNDECIDED = 0
    OUTSIDE = 1
    INSIDE = 2
    CONTAINS = 3
    OVERLAPPING = 4
    CROSSING = 5


@options_by_name
def containment(
    a: Body, ma: Motion | PoseLike, b: Body, mb: Motion | PoseLike, t: float = 0.0, **options: Unpack[Options]
) -> Containment:
    """Report how two closed bodies lie to each other at a time: inside, outside, or meeting.

    It is a question of its own: a body inside another one that does not touch it has a distance from it, and is SEPARATE in
    `earliest`. Where `earliest` says so, the answer holds for all t in [``t_min``, ``t_max``]. A body with a radius or padding
    is what its surface encloses and all points within the radius of that.

    Parameters
    ----------
    a : Body
        The first body; its surface must be closed.
    ma : Motion or array_like
        Its motion. A pose, as of `Motion.from_pose`, is a body at rest.
    b : Body
        The second body, closed too; may be the same as `a`.
    mb : Motion or array_like
        Its motion, or its pose.
    t : float, default 0.0
        The time.
    **options : Options
        Keywords of `ccd.Options`; only ``threads``, ``progress`` and ``stats`` have an effect.

    Returns
    -------
    Containment
        Exact if t is 0 or the bodies do not turn. Else bodies that touch within rounding are UNDECIDED. So are bodies with
        radii that touch within rounding of their poses or a deviation, and some that are not convex; CROSSING then says that
        they share a point, and neither is inside the other.

    Raises
    ------
    ArgumentError
        A surface is not closed, an argument has another type, or a motion is out of range. The message names the body, and a
        face with the edge that is passed more often in one direction than in the other.
    NonFiniteError
        A number is NaN, infinite or above 1e60.
    HandleError
        A body was closed by `Body.close`.
    ForkedError
        This process is a fork of one that had loaded the library.

    See Also
    --------
    winding : Points and a body.
    ccd.proximity.nested : Connected components of one mesh.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    >>> large, small = ccd.rigid.Body(4 * corners, faces), ccd.rigid.Body(corners, faces)
    >>> at = ccd.rigid.Motion(position=(0.5, 0.5, 0.5), velocity=(0, 0, 8))
    >>> [str(ccd.rigid.containment(small, at, large, ccd.rigid.Motion(), t)) for t in (0, 0.25, 1)]
    ['inside', 'crossing', 'outside']
    """
    return Containment(int(_many(a, [ma], b, [mb], t, options, batch=False)[0]))


@options_by_name
def containment_batch(
    a: Body,
    ma: Sequence[Motion | PoseLike] | NDArray[Any],
    b: Body,
    mb: Sequence[Motion | PoseLike] | NDArray[Any],
    t: float = 0.0,
    **options: Unpack[Options],
) -> NDArray[np.int32]:
    """Report how two closed bodies lie to each other for many pairs of motions, on all threads.

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
    **options : Options
        As in `containment`.

    Returns
    -------
    numpy.ndarray
        Values (n,) of `Containment`.

    Raises
    ------
    Error
        As `containment`.

    Examples
    --------
    >>> import ccd
    >>> wedge = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> places = [ccd.rigid.Motion(position=(x, 0, 0)) for x in (0.5, 1, 2)]
    >>> ccd.rigid.containment_batch(wedge, places, wedge, [ccd.rigid.Motion()] * 3).tolist()
    [5, 5, 1]
    """
    return _many(a, ma, b, mb, t, options, batch=True)


def _many(a: Body, ma: Any, b: Body, mb: Any, t: float, options: Options, *, batch: bool) -> NDArray[np.int32]:
    call, t = Call(options, long=batch), arrays.number("t", t)
    renames = () if batch else ((r"\bm([ab])\[0\]", r"m\1"),)
    with renaming(*renames):
        first, second = to_records("ma", ma), to_records("mb", mb)
    if len(first) != len(second):
        raise ArgumentError(f"ma has {len(first)} motions, mb has {len(second)}")
    out = np.empty(len(first), np.int32)
    handles = to_handle("a", a), to_handle("b", b)
    with renaming(*renames):
        call(
            abi.library().ccd_rigid_containment, handles[0], first.ctypes, handles[1], second.ctypes, len(first), t,
            call.options, out.ctypes,
        )  # fmt: skip
    return out


@options_by_name
def winding(
    body: Body, motion: Motion | PoseLike, points: ArrayLike, t: float = 0.0, **options: Unpack[Options]
) -> NDArray[np.int32]:
    """Compute the winding numbers of a closed body around points in the world: how often it encloses each.

    The body keeps the tree of its first call, so a later call takes logarithmic time for a point.

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
        Keywords of `ccd.Options`; only ``threads``, ``progress`` and ``stats`` have an effect.

    Returns
    -------
    numpy.ndarray
        Winding numbers (k,), int32: 0 outside, 1 inside, -1 inside of an inverted surface; `ON_SURFACE` on it. Exact if t is
        0 or the body does not turn; else a point within rounding of the surface has `WINDING_UNKNOWN`. Of a body with a radius
        or padding it is 1 inside and 0 outside; within rounding of its pose, or the deviation, it is `WINDING_UNKNOWN`.

    Raises
    ------
    Error
        As `containment`.

    Examples
    --------
    >>> import ccd
    >>> wedge = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> found = ccd.rigid.winding(wedge, ccd.rigid.Motion(position=(0, 0, 5)), [[0.1, 0.1, 0.1], [0.1, 0.1, 5.1], [0, 0, 6]])
    >>> found.tolist() == [0, 1, ccd.rigid.ON_SURFACE]
    True
    """
    x, t = arrays.coordinates("points", points), arrays.number("t", t)
    call, given, out = Call(options, long=True), to_struct("motion", motion), np.empty(len(x), np.int32)
    call(
        abi.library().ccd_rigid_winding, to_handle("body", body), ctypes.byref(given), t, x.ctypes, len(x), call.options,
        out.ctypes,
    )  # fmt: skip
    return out
