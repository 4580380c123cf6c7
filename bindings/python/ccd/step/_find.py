"""Impacts of a step: the earliest, all of them, and all in portions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, results
from .._native.by_name import options_by_name
from .._native.call import Call, unbounded
from .._native.device_columns import DeviceColumns
from .._native.records import Records
from .._native.steps import LONG, mesh_of, prepare
from ..errors import ArgumentError, shown
from ..impact import Impact, impact_dtype
from ..mesh import Mesh
from ..motion import Motion
from ._value import Step

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


@options_by_name
def earliest_batch(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """Compute the earliest impact of each of several worlds: of one mesh at other positions.

    Threads take one world after the other, so many small worlds take less time than as many calls of `earliest`.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (k, n, 3) for k worlds, n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (k, n, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`. ``memory_limit`` holds for each world, and ``stats`` add up all. A device
        gets all worlds at once; ``device="gpu"`` takes no region, ``memory_limit``, ``check_start`` or other method.

    Returns
    -------
    numpy.ndarray
        Impacts (k,) of `ccd.impact_dtype`: of each world what `earliest` returns, with the same bits.

    Raises
    ------
    Error
        As `earliest`; the message names the world.

    See Also
    --------
    earliest : The earliest impact of one world.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> fall = np.outer([0, 0, 0, 1], [0, 0, 1])
    >>> worlds = np.stack([x0] * 3)
    >>> ccd.step.earliest_batch(mesh, worlds, worlds - np.array([0.5, 1, 2])[:, None, None] * fall)["toi_lo"].tolist()
    [inf, 1.0, 0.5]
    """
    handle, n = mesh_of(mesh), mesh._vertices
    start, end = arrays.worlds("x0", x0, n), arrays.worlds("x1", x1, n)
    count = len(start)
    if len(end) != count:
        raise ArgumentError(f"x0 has {count} worlds, x1 has {len(end)}: the numbers must be equal")
    call, out = Call(options, long=count * n >= LONG or unbounded(options)), np.zeros(count, impact_dtype)
    given = (handle, start.ctypes, end.ctypes, n, count, call.options, out.ctypes)
    call(abi.library().ccd_step_earliest_batch, *given)
    return out.view(Records)


@options_by_name
def earliest(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> Impact:
    """Compute the earliest impact of a step.

    The pairs are vertices and faces, edges and edges, and codimensional ones. So nothing passes through anything in a
    separate step, provided that no edge passes through a face at x0: those that do, and no others, do so throughout the
    step. With ``check_start=True`` the first of them is the result, with ``toi_lo`` = 0, and SEPARATE is a proof without
    this condition.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    **options : Options
        Keywords of `ccd.Options`, such as ``min_separation``, ``norm``, ``t_max``, ``method``, ``check_start``,
        ``threads``, ``memory_limit``, ``progress``, ``stats``.

    Returns
    -------
    Impact
        The impact with the least ``toi_lo``, of equal ones the first in the order (kind, a, b). The verdict SEPARATE is a
        proof: no pair comes within ``min_separation`` for t <= ``t_max``. Otherwise no pair does so for t < ``toi_lo``.

    Raises
    ------
    ArgumentError
        `x0` or `x1` has another shape, or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names it.
    HandleError
        `mesh` was closed.
    UnsupportedError
        The call does not support an option, or a combination of options.
    OutOfMemoryError
        ``memory_limit`` is too small.
    Cancelled
        The progress callback cancelled the call.
    ForkedError
        This process is a fork of one that had loaded the library.

    See Also
    --------
    collisions : All impacts of the step.
    size : A safe step size.
    ccd.proximity.intersects : Whether the mesh intersects itself in one configuration.

    Examples
    --------
    A triangle falls through another. Its vertices start 1 above it, and end 1 below.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> hit = ccd.step.earliest(mesh, x0, x1)
    >>> hit.contact, str(hit.kind), hit.a, hit.b, hit.toi_lo
    (True, 'vertex-face', 3, 0, 0.5)
    >>> ccd.step.earliest(mesh, x0, x1, min_separation=0.5).toi_lo
    0.25

    The same fall with constant acceleration, from rest: a `ccd.Motion` in place of x0 and x1.

    >>> fall = ccd.Motion.accelerated(x0, np.zeros((6, 3)), 2 * (x1 - x0))
    >>> round(ccd.step.earliest(mesh, fall).toi_lo, 6)
    0.707107
    """
    if isinstance(x0, Motion):
        return Step(mesh, x0, x1).earliest(**options)
    call, step = prepare(mesh, x0, x1, options)
    return results.impact(call, abi.library().ccd_step_earliest, *step, call.options)


@options_by_name
def collisions(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[np.void]:
    """List every impact of a step: every pair that is not separate.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (m,) of `ccd.impact_dtype`, sorted by (toi_lo, kind, a, b). With ``check_start=True`` the edges that pass
        through faces at x0 come first: their kind is `ccd.proximity.EDGE_FACE`.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    visit : The same impacts in portions, for steps with more of them than memory.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> impacts = ccd.step.collisions(mesh, x0, x1)
    >>> impacts["toi_lo"].min().item(), impacts["kind"][0].item() == ccd.Kind.VERTEX_FACE
    (0.5, True)
    """
    if isinstance(x0, Motion):
        return Step(mesh, x0, x1).collisions(**options)
    call, step = prepare(mesh, x0, x1, options)
    return results.impacts(call, abi.library().ccd_step_collisions, *step, call.options)


@options_by_name
def first_impacts(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, count: int = 1, **options: Unpack[Options]
) -> NDArray[np.void]:
    """List the impacts of a step that come first: for a solver that handles them in the order of time, some at a time.

    The call leaves out what comes later. Where impacts come early it takes little more time than `earliest`, and its memory
    grows with `count`, not with the number of impacts.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    count : int, default 1
        How many, at least 1.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        The first `count` impacts of `collisions`, with the same bits, or all of them if there are no more.

    Raises
    ------
    ArgumentError
        `count` is no integer, or is below 1.
    Error
        As `earliest`.

    See Also
    --------
    collisions : All impacts.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> first = ccd.step.first_impacts(mesh, x0, x1, count=2)
    >>> bool((first == ccd.step.collisions(mesh, x0, x1)[:2]).all())
    True
    """
    return Step(mesh, x0, x1).first_impacts(count, **options)


@options_by_name
def collisions_on_device(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> DeviceColumns:
    """List every impact of a step, in the memory of a device of CUDA: for kernels that go on with them there.

    The impacts pass through the processor, which decides what the device leaves and places the points of contact; then
    they are copied to the device, 120 bytes each.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh; on the host or on a device.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`. The device of the result is that of x0; with x0 on the host,
        ``device_index`` selects it. ``memory_limit`` also bounds the result.

    Returns
    -------
    DeviceColumns
        The impacts of `collisions`, in its order and with its bits. Columns (m,): ``verdict``, ``kind`` (int32), ``a``,
        ``b`` (int64), ``toi_lo``, ``toi_hi``, ``u``, ``v``, ``width`` (float64), ``flags`` (uint32); (m, 2): ``pairs``,
        a and b side by side; (m, 3): ``point``, ``normal`` (float64).

    Raises
    ------
    UnsupportedError
        There is no device of NVIDIA's driver that can be used.
    Error
        As `earliest`.

    See Also
    --------
    collisions : The same on the host.

    Examples
    --------
    >>> import ccd
    >>> def times(mesh, x0, x1):  # x0 and x1 are tensors of PyTorch on a device
    ...     import torch
    ...     return torch.from_dlpack(ccd.step.collisions_on_device(mesh, x0, x1)["toi_lo"])
    """
    return Step(mesh, x0, x1).collisions_on_device(**options)


@options_by_name
def visit(
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None = None,
    visitor: Callable[[NDArray[np.void]], object] | None = None,
    **options: Unpack[Options],
) -> bool:
    """Pass every impact of a step to a function in portions, and store none.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    visitor : callable
        With a motion give it by name. Called with arrays of `ccd.impact_dtype`, from any thread, never twice at once. A
        true result stops the call. What it raises is raised by the call.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    bool
        Whether `visitor` received all: the impacts of `collisions`, each once, with the same bits, in no particular order
        (on one thread it is the same in every run).

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> sizes = []
    >>> ccd.step.visit(mesh, x0, x1, lambda portion: sizes.append(len(portion)))
    True
    >>> sum(sizes) == len(ccd.step.collisions(mesh, x0, x1))
    True
    """
    if not callable(visitor):
        raise ArgumentError(f"visitor is {shown(visitor)}: must be callable")
    return Step(mesh, x0, x1).visit(visitor, **options)


@options_by_name
def stream(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]
) -> Iterator[NDArray[np.void]]:
    """Iterate over the impacts of a step in portions: `visit` for a loop.

    The library computes in a thread of its own, at most a few portions ahead of the loop. Leaving the loop, or closing
    the iterator, stops it. An error is raised in the loop, in place of the portion that it prevented.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    iterator of numpy.ndarray
        Arrays (m,) of `ccd.impact_dtype`.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> sum(len(portion) for portion in ccd.step.stream(mesh, x0, x1)) > 0
    True
    """
    return Step(mesh, x0, x1).stream(**options)
