"""Distances of rigid bodies: at poses, over motions, and of many bodies."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, results
from .._native.by_name import options_by_name
from .._native.call import Call, alone
from .._native.records import Records
from ..errors import ArgumentError, Error
from . import _pose
from ._body import Body, to_handle
from ._gap import Gap, gap_dtype, gap_gradient_dtype, pose_dtype, scene_gap_dtype
from ._many import scene_arguments
from ._motion import Motion, to_struct
from ._pose import PoseLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


def distance(a: Body, pa: PoseLike, b: Body, pb: PoseLike, **options: Unpack[Options]) -> Gap:
    """Compute the distance of the surfaces of two bodies at poses.

    The bodies keep their trees, so a call builds nothing. The bracket holds in real arithmetic for the poses as they stand,
    and whether the surfaces share a point is exact.

    Parameters
    ----------
    a : Body
        The first body.
    pa : array_like or tuple
        Its pose: a matrix (4, 4), an object whose ``as_matrix`` returns one, a pair of rotation and position, as of
        `Motion.from_pose` and `motion_pose`, or a record of `pose_dtype`. A pair of tuples of floats is fastest.
    b : Body
        The second body; may be the same as `a`.
    pb : array_like or tuple
        Its pose.
    **options : Options
        Keywords of `ccd.Options`: ``tolerance``, the width that the bracket may have (default None: as narrow as doubles tell),
        and ``max_iterations``. ``min_separation``, ``t_min`` and ``t_max`` are refused: nothing would come of them.

    Returns
    -------
    Gap
        The distance. Both ends of the bracket are 0 if and only if the surfaces share a point.

    Raises
    ------
    ArgumentError
        An argument has another type, or an option or a pose is out of range.
    NonFiniteError
        A number is NaN, infinite or too large.
    HandleError
        A body was closed.
    UnsupportedError
        The call does not support an option.
    ForkedError
        This process is a fork of one that had loaded the library.

    See Also
    --------
    distances : Many poses.
    within : Many bodies.
    clearance : Bodies that move.

    Notes
    -----
    A body of a surface is that surface: one inside of it has the distance of the surfaces. A shape is solid.

    Paper: [Gottschalk1996], for the trees.

    Examples
    --------
    >>> import ccd
    >>> tetrahedron = ccd.rigid.Body(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ... )
    >>> no_turn = (1, 0, 0, 0)
    >>> gap = ccd.rigid.distance(tetrahedron, (no_turn, (0, 0, 0)), tetrahedron, (no_turn, (0, 0, 3)))
    >>> round(gap.distance, 9), gap.intersecting, gap.normal
    (2.0, False, (0.0, 0.0, -1.0))
    """
    call, out = Call(options, long=False), abi.RigidGap()
    bodies = to_handle("a", a), to_handle("b", b)
    first, second = to_pose_struct("pa", pa), to_pose_struct("pb", pb)
    arguments = (bodies[0], ctypes.byref(first), bodies[1], ctypes.byref(second))
    try:
        call(abi.library().ccd_rigid_distance, *arguments, call.options, ctypes.byref(out))
    except Error as error:
        raise alone(error) from None
    return Gap._of(out)


def distances(
    a: Body,
    pa: Sequence[PoseLike] | NDArray[Any],
    b: Body,
    pb: Sequence[PoseLike] | NDArray[Any],
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Compute the distances of two bodies for many pairs of poses.

    Parameters
    ----------
    a : Body
        The first body.
    pa : sequence of array_like or numpy.ndarray
        Its poses: a list of poses as of `distance`, an array (n, 4, 4), or an array (n,) of `pose_dtype`, which is fastest.
    b : Body
        The second body.
    pb : sequence of array_like or numpy.ndarray
        Its poses, as many.
    **options : Options
        Keywords of `ccd.Options`, as in `distance`.

    Returns
    -------
    numpy.ndarray
        Distances (n,) of `gap_dtype`.

    Raises
    ------
    Error
        As `distance`.

    Examples
    --------
    >>> import ccd
    >>> triangle = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> no_turn = (1, 0, 0, 0)
    >>> found = ccd.rigid.distances(
    ...     triangle, [(no_turn, (0, 0, 0))] * 2, triangle, [(no_turn, (0, 0, z)) for z in (0.5, 0)]
    ... )
    >>> found["hi"].round(9).tolist()
    [0.5, 0.0]
    """
    return at_poses(abi.library().ccd_rigid_distance_batch, gap_dtype, a, pa, b, pb, options)


def distance_gradients(
    a: Body,
    pa: Sequence[PoseLike] | NDArray[Any],
    b: Body,
    pb: Sequence[PoseLike] | NDArray[Any],
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Compute distances of two bodies for many pairs of poses, with their derivatives by these.

    If a moves with the velocity v and turns about its origin with the angular velocity w, in the axes of the world, the
    distance changes at the rate ``position_a @ v + rotation_a @ w``; and so for b.

    Parameters
    ----------
    a : Body
        The first body.
    pa : sequence of array_like or numpy.ndarray
        Its poses, as in `distances`.
    b : Body
        The second body.
    pb : sequence of array_like or numpy.ndarray
        Its poses, as many.
    **options : Options
        Keywords of `ccd.Options`, as in `distance`.

    Returns
    -------
    numpy.ndarray
        Records (n,) of `gap_gradient_dtype`. Look at ``state``, a value of `ccd.GradientState`, before you use derivatives:

        DEFINED
            All nearest points give the same ones, as far as 100 bits tell. Each by a position is within 1e-12, each by a turn
            within 1e-12 of the sum of the radii about the origins.
        TIE
            Several points are nearest and give other derivatives, as those of parallel faces do; NaN.
        INITIAL
            The surfaces share a point: the distance is 0, its least value, and the derivatives are 0.
        UNDETERMINED
            ``max_iterations`` ended the search, or numbers are beyond the range of doubles; NaN.

    Raises
    ------
    Error
        As `distance`.

    See Also
    --------
    ccd.step.gradients : Derivatives of times of impact.

    Examples
    --------
    >>> import ccd
    >>> ground = ccd.rigid.Body([[-5, -5, 0], [5, -5, 0], [0, 5, 0]], [[0, 1, 2]])
    >>> corner = ccd.rigid.Body([[0, 0, 0], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])
    >>> no_turn = (1, 0, 0, 0)
    >>> g = ccd.rigid.distance_gradients(corner, [(no_turn, (2, 0, 0.5))], ground, [(no_turn, (0, 0, 0))])[0]
    >>> str(ccd.GradientState(int(g["state"]))), g["position_a"].tolist(), g["rotation_b"].tolist()
    ('defined', [0.0, 0.0, 1.0], [0.0, 2.0, 0.0])
    """
    return at_poses(abi.library().ccd_rigid_distance_gradients, gap_gradient_dtype, a, pa, b, pb, options)


def at_poses(function: Any, dtype: np.dtype[np.void], a: Body, pa: Any, b: Body, pb: Any, options: Any) -> NDArray[np.void]:
    """What a function returns for each pair of poses."""
    call = Call(options, long=False)
    bodies = to_handle("a", a), to_handle("b", b)
    first, second = to_poses("pa", pa), to_poses("pb", pb)
    if len(first) != len(second):
        raise ArgumentError(f"pa has {len(first)} poses, pb has {len(second)}")
    out = np.empty(len(first), dtype)
    arguments = (bodies[0], first.ctypes, bodies[1], second.ctypes, len(first), call.options, out.ctypes)
    call(function, *arguments)
    return out.view(Records)


def intersects(a: Body, pa: PoseLike, b: Body, pb: PoseLike) -> bool:
    """Report whether the surfaces of two bodies share a point at poses; stop at the first.

    The answer is exact for the poses as they stand. A pose that was rounded may touch where the true one does not.

    Parameters
    ----------
    a : Body
        The first body.
    pa : array_like or tuple
        Its pose, as in `distance`.
    b : Body
        The second body.
    pb : array_like or tuple
        Its pose.

    Returns
    -------
    bool
        Whether the surfaces share a point; touching counts. A body inside another one does not.

    Raises
    ------
    Error
        As `distance`.

    Examples
    --------
    >>> import ccd
    >>> triangle = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> no_turn = (1, 0, 0, 0)
    >>> [ccd.rigid.intersects(triangle, (no_turn, (0, 0, 0)), triangle, (no_turn, (x, 0, 0))) for x in (1, 1.001)]
    [True, False]
    """
    bodies = to_handle("a", a), to_handle("b", b)
    out, first, second = ctypes.c_int32(1), to_pose_struct("pa", pa), to_pose_struct("pb", pb)
    arguments = (bodies[0], ctypes.byref(first), bodies[1], ctypes.byref(second))
    Call({}, long=False)(abi.library().ccd_rigid_intersects, *arguments, None, ctypes.byref(out))
    return bool(out.value)


def clearance(a: Body, ma: Motion | PoseLike, b: Body, mb: Motion | PoseLike, **options: Unpack[Options]) -> Gap:
    """Compute the least distance of the surfaces of two bodies that move, over all times in [t_min, t_max].

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
        Keywords of `ccd.Options`: ``t_min``, ``t_max``, ``tolerance``, the width that the bracket may have (default None: 1e-9
        of the sum of both bodies' radii about their pivots), ``progress``, which may cancel the call, as Ctrl-C does, and
        ``max_iterations``, which bounds the work of the whole call.

    Returns
    -------
    Gap
        The distance is at least ``lo`` at all times, which is a proof, and at most ``hi`` at ``time``, where points and
        normal are. With `GAP_INTERSECTING` the surfaces surely share a point at ``time``. Surfaces that come nearer than the
        tolerance may have ``lo`` 0 without it.

    Raises
    ------
    Error
        As `distance`.

    See Also
    --------
    profile : Distances at given times.
    earliest : The first time at which a distance is reached.

    Notes
    -----
    Paper: [Mirtich1996], for the proof.

    Examples
    --------
    A corner comes down to a height of 0.25 over a triangle.

    >>> import ccd
    >>> ground = ccd.rigid.Body([[-5, -5, 0], [5, -5, 0], [0, 5, 0]], [[0, 1, 2]])
    >>> corner = ccd.rigid.Body([[0, 0, 0], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])
    >>> down = ccd.rigid.Motion(position=(0, 0, 1), velocity=(0, 0, -0.75))
    >>> gap = ccd.rigid.clearance(corner, down, ground, ccd.rigid.Motion())
    >>> round(gap.distance, 6), round(gap.time, 6)
    (0.25, 1.0)
    """
    call, out = Call(options, long=True), abi.RigidGap()
    bodies = to_handle("a", a), to_handle("b", b)
    first, second = to_struct("ma", ma), to_struct("mb", mb)
    arguments = (bodies[0], ctypes.byref(first), bodies[1], ctypes.byref(second))
    call(abi.library().ccd_rigid_clearance, *arguments, call.options, ctypes.byref(out))
    return Gap._of(out)


def profile(
    a: Body, ma: Motion | PoseLike, b: Body, mb: Motion | PoseLike, times: ArrayLike, **options: Unpack[Options]
) -> NDArray[np.void]:
    """Compute the distances of two bodies that move at given times, for a plot.

    Parameters
    ----------
    a : Body
        The first body.
    ma : Motion or array_like
        Its motion, or its pose.
    b : Body
        The second body.
    mb : Motion or array_like
        Its motion, or its pose.
    times : array_like
        Times, (n,), in the unit of the velocities.
    **options : Options
        Keywords of `ccd.Options`, as in `distance`; also ``progress``, which may cancel the call, as Ctrl-C does.
        ``max_iterations`` counts for each time.

    Returns
    -------
    numpy.ndarray
        Distances (n,) of `gap_dtype`; ``time`` has the times. The distance at the true poses of the motions is in [``lo``,
        ``hi``]. Touching is decided where both poses are doubles: without a pivot, at time 0 or of bodies that do not turn, at
        positions that need no rounding; elsewhere bodies that touch may have ``lo`` 0 without `GAP_INTERSECTING`.

    Raises
    ------
    Error
        As `distance`.

    See Also
    --------
    clearance : The least distance over all times.

    Examples
    --------
    >>> import ccd
    >>> triangle = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> up = ccd.rigid.Motion(velocity=(0, 0, 2))
    >>> ccd.rigid.profile(triangle, up, triangle, ccd.rigid.Motion(), [0, 0.5, 1])["hi"].round(9).tolist()
    [0.0, 1.0, 2.0]
    """
    call, at = Call(options, long=True), arrays.doubles("times", times)
    if at.ndim != 1:
        raise ArgumentError(f"times has shape {at.shape}: must be (n,)")
    bodies, first, second = (to_handle("a", a), to_handle("b", b)), to_struct("ma", ma), to_struct("mb", mb)
    out = np.empty(len(at), gap_dtype)
    arguments = (bodies[0], ctypes.byref(first), bodies[1], ctypes.byref(second), at.ctypes, len(at))
    call(abi.library().ccd_rigid_profile, *arguments, call.options, out.ctypes)
    return out.view(Records)


@options_by_name
def within(
    bodies: Sequence[Body],
    poses: Sequence[PoseLike] | NDArray[Any],
    distance: float,
    groups: ArrayLike | None = None,
    skip: ArrayLike = (),
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """List the distances of all pairs of many bodies at poses that may be at most a distance apart.

    Parameters
    ----------
    bodies : sequence of Body
        The bodies; one body may be listed several times.
    poses : sequence of array_like or numpy.ndarray
        One pose for each body, as in `distances`.
    distance : float
        The distance, a length, at least 0.
    groups : array_like, optional
        One integer for each body, as in `scene_earliest`.
    skip : array_like, default ()
        Pairs of bodies that are not tested against each other, (k, 2) indices.
    **options : Options
        Keywords of `ccd.Options`, as in `distance`; also ``threads``, ``memory_limit``, ``progress``, ``stats``.
        ``max_iterations`` counts for each pair.

    Returns
    -------
    numpy.ndarray
        Distances (m,) of `scene_gap_dtype`, sorted by (a, b). Pairs that are not listed are farther apart.

    Raises
    ------
    OutOfMemoryError
        ``memory_limit`` is too small.
    Cancelled
        The progress callback cancelled the call.
    Error
        As `distance`.

    Examples
    --------
    >>> import ccd
    >>> triangle = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> poses = [((1, 0, 0, 0), (0, 0, z)) for z in (0, 0.5, 2)]
    >>> found = ccd.rigid.within([triangle] * 3, poses, 1)
    >>> found[["a", "b"]].tolist(), found["gap"]["hi"].round(9).tolist()
    ([(0, 1)], [0.5])
    """
    records = to_poses("poses", poses)
    arguments, held = scene_arguments(bodies, ("poses", records), groups, skip)
    call, function = Call(options, long=True), abi.library().ccd_rigid_scene_within
    every = (*arguments, arrays.number("distance", distance), call.options)
    found = results.listed("rigid_scene_gaps", scene_gap_dtype, call, function, every)
    del held
    return found


def to_pose_struct(name: str, x: Any) -> abi.RigidPose:
    """A pose in C form; a pair of tuples or lists of numbers, and a record of pose_dtype, are read without arrays."""
    if isinstance(x, np.void) and x.dtype == pose_dtype:
        return abi.RigidPose.from_buffer_copy(x.tobytes())
    if type(x) is tuple and len(x) == 2:
        numbers = [*x[0], *x[1]] if type(x[0]) in _PLAIN and type(x[1]) in _PLAIN else []
        if len(numbers) == 7 and len(x[0]) == 4 and all(map(_is_double, numbers)):
            return abi.RigidPose.from_buffer_copy(_POSE.pack(*numbers))
    rotation, position = _parts(name, x)
    return abi.RigidPose.from_buffer_copy(_POSE.pack(*rotation.tolist(), *position.tolist()))


def _is_double(x: Any) -> bool:
    """Whether x is a double, of Python or NumPy, or an integer that one holds."""
    return isinstance(x, float) or (type(x) is int and -(1 << 53) <= x <= 1 << 53)


_PLAIN = (tuple, list)
_POSE = struct.Struct("7d")


def _parts(name: str, x: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rotation and the position of a pose; errors name the argument."""
    if isinstance(x, Motion):
        raise ArgumentError(f"{name} is a Motion: must be a pose; of a motion at a time pass motion_pose(motion, t)")
    if isinstance(x, np.void) and x.dtype == pose_dtype:
        return x["rotation"], x["position"]
    if isinstance(x, Body):
        raise ArgumentError(f"{name} is a Body: each body comes before its pose: (a, pa, b, pb)")
    rotation, position = _pose.pose(name, x)
    if position.shape != (3,):
        raise ArgumentError(f"position of {name} has shape {position.shape}: must be (3,)")
    return rotation, position


def to_poses(name: str, x: Any) -> NDArray[np.void]:
    """A list of poses, or an array of them, as an array of pose_dtype; errors name the argument and the index."""
    if isinstance(x, np.ndarray) and x.dtype.names is not None:
        if x.dtype != pose_dtype or x.ndim != 1:
            raise ArgumentError(f"{name} has dtype {x.dtype} and shape {x.shape}: must be an array of pose_dtype")
        return np.require(x, requirements=("C", "A"))
    items = _pose.to_list(name, x)
    out = np.empty(len(items), pose_dtype)
    for i, item in enumerate(items):
        out[i] = _parts(f"{name}[{i}]", item)
    return out
