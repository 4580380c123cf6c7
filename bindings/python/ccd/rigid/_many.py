"""Many bodies: among each other, and with a mesh that deforms."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, results
from .._native.by_name import options_by_name
from .._native.call import Arguments, Call
from ..errors import ArgumentError
from ..mesh import Mesh
from ._body import Body, to_handle
from ._impact import MeshImpact, SceneImpact, mesh_impact_dtype, scene_impact_dtype
from ._motion import Motion, to_records
from ._pose import PoseLike, to_list

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options

# What the arrays behind the arguments of a call hold on to, until the call has returned.
_Held = list[Any]


@options_by_name
def scene_earliest(
    bodies: Sequence[Body],
    motions: Sequence[Motion | PoseLike] | NDArray[Any],
    groups: ArrayLike | None = None,
    skip: ArrayLike = (),
    **options: Unpack[Options],
) -> SceneImpact:
    """Compute the first impact of many bodies.

    Parameters
    ----------
    bodies : sequence of Body
        The bodies; one body may be listed several times.
    motions : sequence of Motion or numpy.ndarray
        One motion for each body, or an array (n,) of `motion_dtype`. A pose, as of `Motion.from_pose`, is a body at rest.
    groups : array_like, optional
        One integer for each body, (n,): bodies of one group are not tested against each other, unless its number is
        negative.
    skip : array_like, default ()
        Pairs of bodies that are not tested against each other, (k, 2) indices.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`; also ``threads``, ``memory_limit``, ``progress``, ``stats``.
        ``max_iterations`` counts for each pair.

    Returns
    -------
    SceneImpact
        The first impact in the order (toi_lo, a, b). The verdict SEPARATE is a proof for all pairs that are tested;
        otherwise they all keep more than ``min_separation`` up to ``toi_lo``.

    Raises
    ------
    OutOfMemoryError
        ``memory_limit`` is too small.
    Cancelled
        The progress callback cancelled the call.
    Error
        As `earliest`.

    Examples
    --------
    >>> import ccd
    >>> tetrahedron = ccd.rigid.Body(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ... )
    >>> from ccd.rigid import Motion
    >>> motions = [Motion(), Motion(position=(0, 0, 2), velocity=(0, 0, -4)), Motion(position=(9, 0, 0))]
    >>> found = ccd.rigid.scene_earliest([tetrahedron] * 3, motions)
    >>> found.a, found.b, round(found.impact.toi_lo, 6)
    (0, 1, 0.25)
    """
    arguments, held = _scene(bodies, motions, groups, skip)
    call, out = Call(options, long=True), abi.RigidSceneImpact()
    call(abi.library().ccd_rigid_scene_earliest, *arguments, call.options, ctypes.addressof(out))
    del held
    return SceneImpact._of(out)


@options_by_name
def scene_collisions(
    bodies: Sequence[Body],
    motions: Sequence[Motion | PoseLike] | NDArray[Any],
    groups: ArrayLike | None = None,
    skip: ArrayLike = (),
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """List the impact of every pair of many bodies that is not separate.

    Parameters
    ----------
    bodies : sequence of Body
        The bodies; one body may be listed several times.
    motions : sequence of Motion or numpy.ndarray
        One motion for each body, or an array (n,) of `motion_dtype`. A pose, as of `Motion.from_pose`, is a body at rest.
    groups : array_like, optional
        One integer for each body, as in `scene_earliest`.
    skip : array_like, default ()
        Pairs of bodies that are not tested against each other, (k, 2) indices.
    **options : Options
        Keywords of `ccd.Options`, as in `scene_earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (m,) of `scene_impact_dtype`, in the order (toi_lo, a, b).

    Raises
    ------
    Error
        As `scene_earliest`.

    Examples
    --------
    >>> import ccd
    >>> tetrahedron = ccd.rigid.Body(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ... )
    >>> from ccd.rigid import Motion
    >>> motions = [Motion(), Motion(position=(0, 0, 2), velocity=(0, 0, -4))]
    >>> found = ccd.rigid.scene_collisions([tetrahedron] * 2, motions)
    >>> found[["a", "b"]].tolist()
    [(0, 1)]
    """
    arguments, held = _scene(bodies, motions, groups, skip)
    call, function = Call(options, long=True), abi.library().ccd_rigid_scene_collisions
    found = results.listed("rigid_scene_impacts", scene_impact_dtype, call, function, (*arguments, call.options))
    del held
    return found


@options_by_name
def mesh_earliest(
    bodies: Sequence[Body],
    motions: Sequence[Motion | PoseLike] | NDArray[Any],
    mesh: Mesh,
    x0: ArrayLike,
    x1: ArrayLike,
    **options: Unpack[Options],
) -> MeshImpact:
    """Compute the first impact of bodies with a mesh that deforms.

    The vertices of the mesh move on straight lines, with constant velocities, from `x0` at t_min to `x1` at t_max. Bodies
    are not tested against each other, and the mesh's filters have no effect.

    Parameters
    ----------
    bodies : sequence of Body
        The bodies; one body may be listed several times.
    motions : sequence of Motion or numpy.ndarray
        One motion for each body, or an array (n,) of `motion_dtype`. A pose, as of `Motion.from_pose`, is a body at rest.
    mesh : Mesh
        The mesh.
    x0 : array_like
        Its vertices at t_min, (m, 3).
    x1 : array_like
        Its vertices at t_max, (m, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `scene_earliest`. ``max_iterations`` counts for each body with each primitive. The
        method ``"d2m"`` tests all pairs of features: slow, and independent.

    Returns
    -------
    MeshImpact
        The first impact in the order (toi_lo, body, shape, index_b). The verdict SEPARATE is a proof for all of
        [t_min, t_max]; otherwise all bodies keep more than ``min_separation`` from the mesh up to ``toi_lo``.

    Raises
    ------
    Error
        As `scene_earliest`.

    Examples
    --------
    >>> import ccd
    >>> tetrahedron = ccd.rigid.Body(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ... )
    >>> floor = ccd.Mesh([[0, 1, 2]])
    >>> x = [[-9, -9, 0], [9, -9, 0], [0, 9, 0]]
    >>> fall = ccd.rigid.Motion(position=(0, 0, 1), velocity=(0, 0, -2))
    >>> found = ccd.rigid.mesh_earliest([tetrahedron], [fall], floor, x, x)
    >>> found.body, str(found.shape), round(found.impact.toi_lo, 6)
    (0, 'face', 0.5)
    """
    arguments, held = _over(bodies, motions, mesh, x0, x1)
    call, out = Call(options, long=True), abi.RigidMeshImpact()
    call(abi.library().ccd_rigid_mesh_earliest, *arguments, call.options, ctypes.addressof(out))
    del held
    return MeshImpact._of(out)


@options_by_name
def mesh_collisions(
    bodies: Sequence[Body],
    motions: Sequence[Motion | PoseLike] | NDArray[Any],
    mesh: Mesh,
    x0: ArrayLike,
    x1: ArrayLike,
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """List the impact of every body and primitive of a mesh that are not separate.

    Parameters
    ----------
    bodies : sequence of Body
        The bodies; one body may be listed several times.
    motions : sequence of Motion or numpy.ndarray
        One motion for each body, or an array (n,) of `motion_dtype`. A pose, as of `Motion.from_pose`, is a body at rest.
    mesh : Mesh
        The mesh.
    x0 : array_like
        Its vertices at t_min, (m, 3).
    x1 : array_like
        Its vertices at t_max, (m, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `mesh_earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (k,) of `mesh_impact_dtype`, in the order (toi_lo, body, shape, index_b).

    Raises
    ------
    Error
        As `scene_earliest`.

    Examples
    --------
    >>> import ccd
    >>> tetrahedron = ccd.rigid.Body(
    ...     [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ... )
    >>> floor = ccd.Mesh([[0, 1, 2]])
    >>> x = [[-9, -9, 0], [9, -9, 0], [0, 9, 0]]
    >>> fall = ccd.rigid.Motion(position=(0, 0, 1), velocity=(0, 0, -2))
    >>> len(ccd.rigid.mesh_collisions([tetrahedron], [fall], floor, x, x))
    1
    """
    arguments, held = _over(bodies, motions, mesh, x0, x1)
    call, function = Call(options, long=True), abi.library().ccd_rigid_mesh_collisions
    found = results.listed("rigid_mesh_impacts", mesh_impact_dtype, call, function, (*arguments, call.options))
    del held
    return found


def _over(bodies: Sequence[Body], motions: Any, mesh: Mesh, x0: ArrayLike, x1: ArrayLike) -> tuple[Arguments, _Held]:
    """The arguments before the options, and what must live as long as they are used."""
    if not isinstance(mesh, Mesh):
        raise ArgumentError(f"mesh is {type(mesh).__name__}: must be a ccd.Mesh")
    start, end = arrays.coordinates("x0", x0), arrays.coordinates("x1", x1)
    if len(start) != len(end):
        raise ArgumentError(f"x0 has {len(start)} vertices, x1 has {len(end)}: the numbers must be equal")
    first, held = _moving(bodies, motions)
    return (*first, mesh._handle, start.ctypes, end.ctypes, len(start)), [held, start, end]


def _scene(bodies: Sequence[Body], motions: Any, groups: ArrayLike | None, skip: ArrayLike) -> tuple[Arguments, _Held]:
    """The arguments before the options, and what must live as long as they are used."""
    return scene_arguments(bodies, ("motions", to_records("motions", motions)), groups, skip)


def scene_arguments(
    bodies: Sequence[Body], named: tuple[str, NDArray[np.void]], groups: ArrayLike | None, skip: ArrayLike
) -> tuple[Arguments, _Held]:
    """The same for records, with their name, of which each body has one: motions or poses."""
    first, held = _with_records(bodies, *named)
    numbers = None if groups is None else arrays.ids("groups", groups)
    if numbers is not None and len(numbers) != first[-1]:
        raise ArgumentError(f"groups has {len(numbers)} items for {first[-1]} bodies")
    pairs = arrays.primitives("skip", skip, 2)
    return (*first, None if numbers is None else numbers.ctypes, pairs.ctypes, len(pairs)), [held, numbers, pairs]


def _moving(bodies: Sequence[Body], motions: Any) -> tuple[Arguments, _Held]:
    """Bodies and motions as arguments, and what must live as long as they are used."""
    return _with_records(bodies, "motions", to_records("motions", motions))


def _with_records(bodies: Sequence[Body], name: str, records: NDArray[np.void]) -> tuple[Arguments, _Held]:
    """Bodies and a record for each as arguments, and what must live as long as they are used."""
    listed = to_list("bodies", bodies)
    if len(records) != len(listed):
        raise ArgumentError(f"{name} has {len(records)} items for {len(listed)} bodies")
    handles = (ctypes.c_void_p * len(listed))(*(to_handle(f"bodies[{i}]", b) for i, b in enumerate(listed)))
    return (ctypes.addressof(handles), records.ctypes, len(listed)), [handles, records, listed]
