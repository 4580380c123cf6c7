"""Whole steps of a mesh: vertex i moves on the segment from x0[i] to x1[i] as t runs from 0 to 1.

Functions take a `ccd.Mesh`, the configurations x0 and x1 as (n, 3) arrays of any floating-point or integer dtype and
memory order, and the keywords of `ccd.Options`. x0 and x1 may also be float32 or float64 arrays of CuPy, PyTorch, Warp, JAX
or Numba on a device of CUDA (DLPack, or ``__cuda_array_interface__``), but not for `slabs` and
`intervals`. `earliest`, `collisions`, `visit`, `stream`, `pairs`, `size`, `advance` and `sizes` also take a `ccd.Motion` in
place of x0 and x1, for vertices that do not move straight. Results are on the host (of `collisions_on_device` on a
device), and have the same bits for any number of threads. Ctrl-C stops a call promptly.

Papers: [Belgrod2023] broad phase; exact method, docs/numerics.md; [Wang2021] tight inclusion; [Chen2024] time
contraction.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, device_columns, results
from ._native.call import check, renaming
from ._native.device_columns import DeviceColumns
from ._native.results import Records
from ._native.steps import host_only, prepare, prepare_any
from ._native.stream import iterate
from .errors import ArgumentError, shown
from .gradient import gradient_dtype
from .impact import Impact, Kind, constraint_dtype, impact_dtype
from .least import LeastDistance
from .mesh import Mesh
from .motion import Motion

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from typing_extensions import Unpack

    from .options import Options


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
    call, function, step = prepare_any(mesh, x0, x1, options, "earliest")
    return results.impact(call, function, *step, call.options)


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
    call, function, step = prepare_any(mesh, x0, x1, options, "collisions")
    return results.impacts(call, function, *step, call.options)


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
    call, step = prepare(mesh, x0, x1, options)
    return device_columns.impacts(call, abi.library().ccd_step_collisions, *step, call.options)


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
    call, function, step = prepare_any(mesh, x0, x1, options, "visit")
    return call.visit(visitor, impact_dtype, function, *step, call.options)


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
    return iterate(lambda give: visit(mesh, x0, x1, give, **options))


def intervals(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """Find every interval of contact of every pair: when it comes within ``min_separation``, and when it leaves again.

    Sensors read enter and exit events, and inside/outside tests count crossings: without a separation an interval says on
    which side the pair is before and after.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`, without ``check_start`` and ``device="gpu"``. The method must be exact.

    Returns
    -------
    numpy.ndarray
        Intervals (m,) of `ccd.interval_dtype`, sorted by (enter, kind, a, b). A pair may have several. Its first ``enter`` is
        the ``toi_lo`` of its impact in `collisions`.

    Raises
    ------
    UnsupportedError
        Another method, ``check_start`` or ``device="gpu"``.
    Error
        As `earliest`.

    See Also
    --------
    collisions : The first contact of every pair, with contact data.
    pairs_intervals : The same for given pairs.
    ccd.pair.intervals : The same for single queries.

    Notes
    -----
    See :doc:`/howto/intervals`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2], [0, 0, 1])
    >>> ccd.step.intervals(mesh, x0, x1, min_separation=0.5)[["enter", "exit"]].tolist()
    [(0.25, 0.75)]
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.intervals(call, abi.library().ccd_step_intervals, *step, call.options)


def pairs_intervals(
    mesh: Mesh, x0: ArrayLike, x1: ArrayLike, kind: Kind | str | int, pairs: ArrayLike, **options: Unpack[Options]
) -> NDArray[np.void]:
    """Find every interval of contact of given pairs of primitives, whether or not their boxes overlap.

    Parameters
    ----------
    mesh : Mesh
        The mesh.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    kind : Kind or str or int
        Kind of all pairs.
    pairs : array_like
        Indices of the two primitives as in `ccd.Impact`, (m, 2) integers. A pair that is given twice is found twice.
    **options : Options
        Keywords of `ccd.Options`, as in `intervals`.

    Returns
    -------
    numpy.ndarray
        Intervals (k,) of `ccd.interval_dtype`, pair by pair in the order of `pairs`; a pair may have several, or none.

    Raises
    ------
    InvalidIndexError
        A pair is out of range; the message names it.
    Error
        As `intervals`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2], [0, 0, 1])
    >>> found = ccd.step.pairs_intervals(mesh, x0, x1, "vertex-face", [[3, 0]], min_separation=0.5)
    >>> found[["enter", "exit"]].tolist()
    [(0.25, 0.75)]
    """
    kind = Kind.of("kind", kind)
    array = arrays.pairs("pairs", pairs)
    call, step = prepare(mesh, x0, x1, options)
    function = abi.library().ccd_step_pairs_intervals
    return results.intervals(call, function, *step, kind, array.ctypes, len(array), call.options)


def least_distance(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> LeastDistance:
    """Bracket the least Euclidean distance that any pair has during a step, and find the pair and a time.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters and radii.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`; ``min_separation`` does not matter. The method must be exact, and the
        norm Euclidean. With ``check_start=True`` an edge that passes through a face at x0 counts, at distance 0.

    Returns
    -------
    LeastDistance
        The pair, the bracket ``distance_lo``, ``distance_hi`` of its distance less radii, and the time ``t``.

    Raises
    ------
    UnsupportedError
        Another method, the max norm, or ``device="gpu"``.
    Error
        As `earliest`.

    See Also
    --------
    ccd.proximity.distance : The smallest distance in one configuration.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 0.75], [0, 0, 1])
    >>> least = ccd.step.least_distance(mesh, x0, x1)
    >>> str(least.kind), least.t, round(least.distance_hi, 6)
    ('vertex-face', 1.0, 0.25)
    """
    call, step = prepare(mesh, x0, x1, options)
    out = abi.LeastDistance()
    call(abi.library().ccd_step_least_distance, *step, call.options, ctypes.byref(out))
    return LeastDistance._from_c(out)


def pairs(
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None = None,
    kind: Kind | str | int = 0,
    pairs: ArrayLike = (),
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Compute the impacts of given pairs of primitives, whether or not their boxes overlap.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    kind : Kind or str or int
        Kind of all pairs; by name with a motion.
    pairs : array_like
        Indices of the two primitives as in `ccd.Impact`, (m, 2) integers.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (m,) of `ccd.impact_dtype` in the order of `pairs`, separate ones included.

    Raises
    ------
    InvalidIndexError
        A pair is out of range; the message names it.
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> ccd.step.pairs(mesh, x0, x1, "vertex-face", [[3, 0], [0, 1]])["toi_lo"].tolist()
    [0.5, inf]

    The same fall on a motion of degree 1:

    >>> fall = ccd.Motion([x0, x1])
    >>> ccd.step.pairs(mesh, fall, kind="vertex-face", pairs=[[3, 0], [0, 1]])["toi_lo"].tolist()
    [0.5, inf]
    """
    kind = Kind.of("kind", kind)
    array = arrays.pairs("pairs", pairs)
    call, function, step = prepare_any(mesh, x0, x1, options, "mesh_pairs" if isinstance(x0, Motion) else "pairs")
    out = np.zeros(len(array), impact_dtype)
    call(function, *step, kind, array.ctypes, len(array), call.options, out.ctypes)
    return out.view(Records)


def gradients(
    mesh: Mesh, x0: ArrayLike, x1: ArrayLike, impacts: Impact | NDArray[np.void], **options: Unpack[Options]
) -> NDArray[np.void]:
    """Compute how the times of some impacts depend on x0 and x1.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    impacts : Impact or numpy.ndarray
        One impact of this mesh, or (m,) of `ccd.impact_dtype`, as `earliest`, `collisions`, `pairs` and `visit` return
        them. Only ``kind``, ``a`` and ``b`` are read: the time is the exact one of the pair, whatever method found the
        impact.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`: ``min_separation``, ``norm`` and ``t_max`` are those of the time.

    Returns
    -------
    numpy.ndarray
        Gradients (m,) of `ccd.gradient_dtype`, in the order of `impacts`. Where ``state`` is
        `ccd.GradientState.DEFINED`, ``x0[i]`` and ``x1[i]`` are the derivatives of ``toi`` with respect to vertex
        ``vertices[i]``, within 1e-12 times the largest; elsewhere they are 0 or NaN.

    Raises
    ------
    InvalidIndexError
        An impact is not of this mesh; the message names it.
    Error
        As `earliest`.

    See Also
    --------
    ccd.pair.gradients : The same for queries without a mesh.

    Examples
    --------
    A vertex falls onto a triangle, and touches it at t = 1/2. Were it to end higher, it would touch later.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2], [0, 0, 1])
    >>> [g] = ccd.step.gradients(mesh, x0, x1, ccd.step.earliest(mesh, x0, x1))
    >>> g["state"] == ccd.GradientState.DEFINED, g["vertices"].tolist(), g["x1"][0].tolist()
    (np.True_, [3, 0, 1, 2], [0.0, 0.0, 0.25])
    """
    given = results.impacts_of(impacts)
    call, step = prepare(mesh, x0, x1, options)
    out = np.zeros(len(given), gradient_dtype)
    call(abi.library().ccd_step_gradients, *step, given.ctypes, len(given), call.options, out.ctypes)
    return out.view(Records)


def size(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> float:
    """Compute a safe step: a fraction of the step before any pair comes within ``min_separation``.

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
    float
        A number alpha in [0, t_max]: for every t in [0, alpha] all pairs keep more than ``min_separation``. It is t_max
        if no pair comes too near, else the double below the ``toi_lo`` of `earliest`. With the exact method it is 0 only
        if a pair is too near at t = 0, or comes too near before t = 2**-1073 (about 1e-323), or, with
        ``check_start=True``, if an edge passes through a face at x0. With other methods it may also be 0 if a pair is
        within the tolerance at t = 0 or if ``max_iterations`` is reached, unless ``no_zero_toi`` is set.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    advance : The positions that a safe step leads to.
    linesearch : A bound that leaves room for the next step.

    Notes
    -----
    This holds for the motion in real arithmetic. Positions x0 + alpha * (x1 - x0) that you compute are rounded, and a
    pair may touch there: to move, use `advance`, which returns positions that are proven.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> ccd.step.size(mesh, x0, x1, min_separation=0.5)
    0.24999999999999997
    """
    call, function, step = prepare_any(mesh, x0, x1, options, "size")
    return results.alpha(call, function, *step, call.options)


class Advanced(NamedTuple):
    """A step, and the positions that it leads to.

    Attributes
    ----------
    alpha : float
        Fraction of the step in [0, share * t_max]; if it is 0, ``x`` is x0, bit for bit.
    x : numpy.ndarray
        Positions x0 + alpha * (x1 - x0), (n, 3) float64, rounded; they lie between x0 and x1, and are x1 if alpha is 1. With a
        motion those of its paths at alpha, rounded.
    """

    alpha: float
    x: NDArray[np.float64]


def advance(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, share: float = 1.0, **options: Unpack[Options]
) -> Advanced:
    """Advance as far as is safe: compute a step and the positions that it leads to.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    share : float, default 1.0
        The part of the step of `size` to take, in (0, 1]; less than 1 leaves room for the next step.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    Advanced
        The step ``alpha`` and the positions ``x``. If alpha > 0, it is proven that all pairs keep more than
        ``min_separation`` for every t in [0, 1] of the straight motion from x0 to x, for just these doubles. alpha is 0
        if `size` is 0, or if the step is so short that x is x0 after rounding. With a motion: for every t in [0, alpha] on the
        paths, and on the straight way from where the paths are at alpha to these doubles.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    The proof is by the exact method, whatever the method; it takes about as long as `size`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> alpha, x = ccd.step.advance(mesh, x0, x1, 0.5)
    >>> ccd.step.earliest(mesh, x0, x).separate
    True

    The same fall with constant acceleration, from rest:

    >>> fall = ccd.Motion.accelerated(x0, np.zeros((6, 3)), 2 * (x1 - x0))
    >>> alpha, x = ccd.step.advance(mesh, fall, min_separation=0.5)
    >>> round(alpha, 6), x[3].round(6).tolist()
    (0.5, [0.2, 0.2, 0.5])
    """
    call, function, step = prepare_any(mesh, x0, x1, options, "advance")
    if isinstance(x0, Motion):
        return Advanced(*results.advanced_on(call, function, step, share, x0.vertices))
    return Advanced(*results.advanced(call, function, step, share))


class Sizes(NamedTuple):
    """A step for each vertex, and the positions that the steps lead to.

    Attributes
    ----------
    alpha : numpy.ndarray
        The step of each vertex, (n,) float64: 0, or in [floor, 1].
    y : numpy.ndarray
        Positions x0 + alpha[:, None] * (x1 - x0), (n, 3) float64, rounded; they lie between x0 and x1, and are x1 where
        alpha is 1 and x0 where it is 0. With a motion those where its paths are at alpha.
    passes : int
        Searches; the first concerns the whole mesh, the others what the one before changed.
    used : float
        The part of the motion that is left: the lengths of alpha (x1 - x0), summed over the vertices, over those of x1 - x0.
    resting : int
        Vertices whose alpha is 0 and whose x1 is not x0.
    floor : float
        Each alpha is 0 or at least this; 1 if no pair comes too near.
    """

    alpha: NDArray[np.float64]
    y: NDArray[np.float64]
    passes: int
    used: float
    resting: int
    floor: float


def sizes(
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    share: float = 0.9,
    keep_ratio: float = 0.5,
    max_passes: int = 64,
    **options: Unpack[Options],
) -> Sizes:
    """Choose a step for each vertex, so that one early contact does not stop the whole mesh.

    It is proven that all pairs keep their separations for every t in [0, 1] of the straight motion from x0 to ``y``, for
    just these doubles; with a motion on its paths up to ``alpha``, which are those of `ccd.Motion.cut`. The separation
    of a pair is ``min_separation`` if it is farther apart at x0, else ``keep_ratio`` times the distance that it has
    there. Vertices of a pair that touches at x0 rest; with ``check_start=True`` so do those of an edge that passes
    through a face.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    groups : array_like, optional
        An id for each vertex, (n,) integers less than n: the vertices of a group have one alpha, the least, as rigid and
        affine bodies need. A vertex with a negative id is in no group. Default none.
    share : float, default 0.9
        The part of the way to an impact that the pair's vertices go, in (0, 1).
    keep_ratio : float, default 0.5
        The part of its distance that a pair within ``min_separation`` keeps, in [0, 1].
    max_passes : int, default 64
        Searches after which vertices in contact are stopped at x0; 5 to 25 are needed.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`; ``t_max`` must be 1 and the method exact. A motion must have one piece.

    Returns
    -------
    Sizes
        The steps ``alpha``, the positions ``y``, and the counts ``passes``, ``used``, ``resting`` and ``floor``.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    advance : One step for all vertices.

    Notes
    -----
    A scaled step need not descend: in a Newton method test that it does. See :doc:`/howto/per-vertex-steps`.

    Examples
    --------
    One triangle falls onto another, and a third is not in its way.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    >>> floor = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    >>> x0 = np.vstack([floor, floor + [0, 0, 1], floor + [9, 0, 1]])
    >>> x1 = x0 - np.outer([0] * 3 + [2] * 6, [0, 0, 1])
    >>> step = ccd.step.sizes(mesh, x0, x1)
    >>> step.alpha.round(6)
    array([1.  , 1.  , 1.  , 0.45, 0.45, 0.45, 1.  , 1.  , 1.  ])
    >>> ccd.step.earliest(mesh, x0, step.y).separate
    True

    The same fall with constant acceleration, from rest, on the paths up to alpha:

    >>> fall = ccd.Motion.accelerated(x0, np.zeros((9, 3)), 2 * (x1 - x0))
    >>> step = ccd.step.sizes(mesh, fall)
    >>> step.alpha.round(3)[2:7].tolist(), ccd.step.earliest(mesh, fall.cut(step.alpha)).separate
    ([1.0, 0.636, 0.636, 0.636, 1.0], True)
    """
    part, keep = arrays.number("share", share), arrays.number("keep_ratio", keep_ratio)
    most = arrays.integer("max_passes", max_passes, -(2**63), 2**63 - 1)
    call, function, step = prepare_any(mesh, x0, x1, options, "sizes")
    n = x0.vertices if isinstance(x0, Motion) else step[-1]
    ids = None if groups is None else arrays.ids("groups", groups)
    if ids is not None and len(ids) != n:
        raise ArgumentError(f"groups has {len(ids)} ids: the mesh has {n} vertices")
    alpha, y, report = np.empty(n), np.empty((n, 3)), abi.SizesReport()
    of = None if ids is None or not len(ids) else ids.ctypes
    size = (n,) if isinstance(x0, Motion) else ()  # in C the step of a motion has no n before
    call(function, *step, of, part, keep, most, call.options, alpha.ctypes, y.ctypes, *size, ctypes.byref(report))
    return Sizes(alpha, y, report.passes, report.used, report.resting, report.floor)


class LinesearchBound(NamedTuple):
    """How far a line search along x0 -> x1 may go, and why.

    Attributes
    ----------
    alpha : float
        Fraction of the step: every step up to it is safe.
    distance : float
        A length: all pairs are farther apart than this at x0.
    separation : float
        A length: all pairs keep more than this up to ``alpha``.
    """

    alpha: float
    distance: float
    separation: float


def linesearch(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, keep_ratio: float = 0.2, **options: Unpack[Options]
) -> LinesearchBound:
    """Bound the steps x0 + t (x1 - x0) of a line search so that pairs keep a fraction of their distance.

    For every t in [0, alpha] all pairs keep more than separation = keep_ratio * distance. So the next line search can move
    too, and backtracking needs no further test.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends: a shorter step leaves
        the paths at an earlier time.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    keep_ratio : float, default 0.2
        The fraction of the distance at x0 to keep, in (0, 1); by name with a motion.
    **options : Options
        Keywords of `ccd.Options`. ``min_separation`` must be positive; here it is a search radius: pairs farther apart
        are ignored, and this distance is not enforced. ``no_zero_toi`` is implied.

    Returns
    -------
    LinesearchBound
        The fields alpha, distance and separation. alpha is positive unless a pair touches at x0 (or, with
        ``check_start=True``, an edge passes through a face there), where all three are 0; it is t_max when no pair comes as
        near as the separation. A motion with radii of its own has alpha 0 if a pair is nearer than the separation and twice
        these radii; those of turning bodies, skins and joints are made small enough.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    Paper: [Wang2021], algorithm 4. This holds for the motion in real arithmetic; positions that you compute are rounded.
    If the separation is above 1e-14 times the largest coordinate, nothing touches there either; otherwise pass the
    positions that you accept to `advance`.

    Examples
    --------
    The triangles are 1 apart. The bound keeps a fifth of the search radius.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> alpha, distance, separation = ccd.step.linesearch(mesh, x0, x1, 0.2, min_separation=0.5)
    >>> 0 < alpha < 0.5, distance, round(separation, 9)
    (True, 0.5, 0.1)
    """
    ratio = arrays.number("keep_ratio", keep_ratio)
    call, function, step = prepare_any(mesh, x0, x1, options, "linesearch")
    bound = abi.LinesearchBound()
    call(function, *step, ratio, call.options, ctypes.byref(bound))
    return LinesearchBound(bound.alpha, bound.distance, bound.separation)


def activeset(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """List every pair that comes within ``min_separation`` as a constraint for a solver.

    The impacts are those of `collisions`, in that order; undecided pairs are included, a spurious constraint is harmless.
    With a positive ``min_separation`` constraints become active before anything touches, and their points are the nearest
    ones (except with ``norm="max"``). With ``check_start=True`` an edge that passes through a face at x0 is an
    ArgumentError: a constraint keeps apart what is apart.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Constraints (m,) of `ccd.constraint_dtype`: ``impact``, an impact of `ccd.impact_dtype`; ``vertices`` (4,) and
        ``weights`` (4,) of the points in contact, positive on a, negative on b; ``gap``, a length at x1, negative if the
        points have passed each other along the normal.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    Paper: [Wang2021], algorithm 3. The gap is the sum of weights[i] (normal . x1[vertices[i]]).

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> constraint = ccd.step.activeset(mesh, x0, x1)[0]
    >>> constraint["vertices"].tolist(), constraint["gap"].item()
    ([3, 0, 1, 2], -1.0)
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.constraints(call, abi.library().ccd_step_activeset, *step, call.options)


def jacobian(active: ArrayLike, n: int, frame: str = "normal") -> csr_array:
    """Return the contact Jacobian of constraints as a sparse matrix.

    ``J @ x.ravel()`` is the distance of the two points of each constraint along its normal, and ``J.T @ impulses`` the
    impulses on the vertices. At x1 the distance is the ``gap`` of the constraint, within rounding.

    Parameters
    ----------
    active : array_like
        Constraints (m,) of `ccd.constraint_dtype`: those of `activeset`, or some of them in any order.
    n : int
        Number of vertices.
    frame : str, default 'normal'
        ``'normal'``: one row for each constraint, along its normal. ``'contact'``: three, rows 3i, 3i + 1 and 3i + 2 along
        the normal and the two `tangents` of constraint i.

    Returns
    -------
    scipy.sparse.csr_array
        Matrix (m, 3n) or (3m, 3n) float64. Column 3v + k is coordinate k of vertex v. Columns ascend in each row, and none
        repeats.

    Raises
    ------
    ArgumentError
        An argument has another dtype or shape, or `frame` is another.
    InvalidIndexError
        A constraint names a vertex that is not in [0, n).
    NonFiniteError
        A weight or normal is NaN, infinite or above 1e150.
    ImportError
        SciPy is not installed.

    See Also
    --------
    effective_mass : The diagonal of J M^-1 J^T, inverted. The matrix itself has far more entries than J.
    colors : Constraints that a solver may treat at once.

    Examples
    --------
    >>> import numpy as np, scipy, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> active = ccd.step.activeset(mesh, x0, x1)
    >>> J = ccd.step.jacobian(active, len(x1))
    >>> J.shape == (len(active), 18), np.allclose(J @ x1.ravel(), active["gap"])
    (True, True)
    """
    try:
        from scipy.sparse import csr_array
    except ImportError as error:
        raise ImportError("ccd.step.jacobian needs SciPy 1.8 or newer: pip install scipy") from error
    constraints, vertices = _constraints(active), arrays.integer("n", n, 0, 2**31 - 1)
    if not isinstance(frame, str) or frame not in _FRAMES:
        raise ArgumentError(f"frame is {shown(frame)}: must be 'normal' or 'contact'")
    rows = _FRAMES[frame] * len(constraints)
    starts, columns, values = np.empty(rows + 1, np.int32), np.empty(12 * rows, np.int32), np.empty(12 * rows)
    out = starts.ctypes, columns.ctypes, values.ctypes
    with renaming((r"^constraints\b", "active")):
        check(abi.library().ccd_step_jacobian(constraints.ctypes, len(constraints), vertices, _FRAMES[frame], *out))
    entries = int(starts[-1])
    matrix = csr_array((values[:entries], columns[:entries], starts), shape=(rows, 3 * vertices))
    matrix.has_canonical_format = True
    return matrix


def tangents(normals: ArrayLike) -> NDArray[np.float64]:
    """Return two tangents for each normal: with it they are a right-handed orthonormal frame.

    There is no direction at which the frame is inaccurate. Friction acts along the tangents.

    Parameters
    ----------
    normals : array_like
        Directions (m, 3) of any length but 0, such as ``active["impact"]["normal"]``.

    Returns
    -------
    numpy.ndarray
        Tangents (m, 2, 3) float64, of length 1 and orthogonal to the normal and each other, within 2**-49.

    Raises
    ------
    ArgumentError
        `normals` has another shape, or a normal is 0.
    NonFiniteError
        A number is NaN, infinite or above 1e150.

    Notes
    -----
    Paper: [Duff2017].

    Examples
    --------
    >>> import ccd
    >>> ccd.step.tangents([[0, 0, 1], [2, 0, 0]]).tolist()
    [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]]
    """
    directions = arrays.coordinates("normals", normals)
    out = np.empty((len(directions), 2, 3))
    check(abi.library().ccd_step_tangents(directions.ctypes, len(directions), out.ctypes))
    return out


def effective_mass(active: ArrayLike, inverse_mass: ArrayLike) -> NDArray[np.float64]:
    """Return the effective mass of each constraint: the impulse that changes the relative velocity of its points by 1.

    It is 1 / K with K = sum of weights**2 * inverse_mass[vertices], the diagonal of J M^-1 J^T, for the normal and for
    each tangent.

    Parameters
    ----------
    active : array_like
        Constraints (m,) of `ccd.constraint_dtype`, as for `jacobian`.
    inverse_mass : array_like
        Inverse masses (n,) of the vertices, not negative; 0 for a vertex that nothing moves.

    Returns
    -------
    numpy.ndarray
        Masses (m,) float64; 0 where no impulse moves the points, because K is 0 or 1 / K is above the doubles.

    Raises
    ------
    Error
        As `jacobian`; also if an inverse mass is negative.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0.25, 1]])
    >>> active = ccd.step.activeset(mesh, x0, x0 - np.outer([0, 0, 0, 2], [0, 0, 1]))
    >>> ccd.step.effective_mass(active, [0, 0, 0, 2.0]).tolist()
    [0.5]
    """
    constraints, inverse = _constraints(active), arrays.row("inverse_mass", inverse_mass)
    out = np.empty(len(constraints))
    with renaming((r"^constraints\b", "active")):
        check(
            abi.library().ccd_step_effective_mass(
                constraints.ctypes, len(constraints), inverse.ctypes, len(inverse), out.ctypes
            )
        )
    return out


def colors(active: ArrayLike, n: int, inverse_mass: ArrayLike | None = None) -> NDArray[np.int32]:
    """Give each constraint a color, so that no two of a color share a vertex that moves.

    A Gauss-Seidel solver may treat all constraints of a color at once, in arrays, with the result of one by one.

    Parameters
    ----------
    active : array_like
        Constraints (m,) of `ccd.constraint_dtype`, as for `jacobian`.
    n : int
        Number of vertices.
    inverse_mass : array_like, optional
        Inverse masses (n,) of the vertices: a vertex moves if its own is positive. Default: all vertices move.

    Returns
    -------
    numpy.ndarray
        Colors (m,) int32 from 0. Each is the least that no earlier constraint has at a vertex in common, so the result
        is unique, and every color up to the largest is used. Vertices of weight 0 do not count.

    Raises
    ------
    Error
        As `effective_mass`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> active = ccd.step.activeset(mesh, x0, x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1]))
    >>> color = ccd.step.colors(active, len(x0))
    >>> for k in range(color.max() + 1):
    ...     together = active[color == k]  # constraints without a vertex in common
    """
    constraints, vertices = _constraints(active), arrays.integer("n", n, 0, 2**31 - 1)
    inverse = None if inverse_mass is None else arrays.row("inverse_mass", inverse_mass)
    if inverse is not None and len(inverse) != vertices:
        raise ArgumentError(f"inverse_mass has {len(inverse)} numbers: there are {vertices} vertices")
    out = np.empty(len(constraints), np.int32)
    of = None if inverse is None else inverse.ctypes
    with renaming((r"^constraints\b", "active")):
        check(abi.library().ccd_step_colors(constraints.ctypes, len(constraints), vertices, of, out.ctypes, None))
    return out


_FRAMES = {"normal": 1, "contact": 3}  # CCD_FRAME_NORMAL, CCD_FRAME_CONTACT: rows of a constraint


def _constraints(active: Any) -> NDArray[np.void]:
    return np.require(arrays.records("active", active, constraint_dtype), None, ("C", "A"))


@dataclass(frozen=True)
class Slab:
    """A part of the pairs of a step, to distribute a scene over processes or machines.

    The minimum of a primitive is the least coordinate of its vertices along `axis` at both ends of the step. A slab owns
    the pairs whose larger minimum is in [lo, hi). Slabs that partition the line (-inf, inf) of one axis own every pair
    once. A slab can be pickled.

    Parameters
    ----------
    axis : int
        0, 1 or 2.
    lo : float
        Start of the slab, a coordinate.
    hi : float
        End of the slab; not part of it.

    Examples
    --------
    >>> import ccd
    >>> ccd.step.Slab(0, float("-inf"), 0.5).axis
    0
    """

    axis: int
    lo: float
    hi: float


def slabs(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, count: int) -> list[Slab]:
    """Partition a step into slabs along its longest axis, with about as many primitives each.

    Every pair is owned by exactly one of them. The coordinates alone decide, so every machine computes the same slabs,
    for any ``min_separation``.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    count : int
        Number of slabs, 1 to 2**20.

    Returns
    -------
    list of Slab
        The slabs, in order.

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
    >>> parts = ccd.step.slabs(mesh, x0, x1, 2)
    >>> min(ccd.step.slab_earliest(mesh, x0, x1, part).toi_lo for part in parts)
    0.5
    """
    n = arrays.integer("count", count, 1, 1 << 20)
    host_only(x0, x1, "ccd.step.slabs")
    call, step = prepare(mesh, x0, x1, {})
    out = (abi.Slab * n)()
    call(abi.library().ccd_step_slabs, *step, n, out)
    return [Slab(s.axis, s.lo, s.hi) for s in out]


def slab_earliest(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, slab: Slab, **options: Unpack[Options]) -> Impact:
    """Compute the earliest impact among the pairs that a slab owns.

    The least result of all slabs by (toi_lo, kind, a, b) has the bits of `earliest`; if the step has no impact, every slab
    has that same result.

    Parameters
    ----------
    mesh : Mesh
        The whole mesh, or a part of it with all primitives whose minimum is below ``slab.hi`` and whose maximum, plus
        ``min_separation`` (and, with radii, its own and the largest of the whole mesh), is at least ``slab.lo``; indices
        are then those of the part.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    slab : Slab
        The slab.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    Impact
        As `earliest`, for the pairs of the slab.

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
    >>> everything = ccd.step.Slab(0, float("-inf"), float("inf"))
    >>> ccd.step.slab_earliest(mesh, x0, x1, everything) == ccd.step.earliest(mesh, x0, x1)
    True
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.impact(call, abi.library().ccd_step_slab_earliest, *step, _slab(slab), call.options)


def slab_collisions(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, slab: Slab, **options: Unpack[Options]) -> NDArray[np.void]:
    """List the impacts among the pairs that a slab owns. All slabs together list those of the step, each once.

    Parameters
    ----------
    mesh : Mesh
        The whole mesh, or a part as in `slab_earliest`.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    slab : Slab
        The slab.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (m,) of `ccd.impact_dtype`, sorted by (toi_lo, kind, a, b).

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
    >>> parts = ccd.step.slabs(mesh, x0, x1, 2)
    >>> found = [ccd.step.slab_collisions(mesh, x0, x1, part) for part in parts]
    >>> sum(map(len, found)) == len(ccd.step.collisions(mesh, x0, x1))
    True
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.impacts(call, abi.library().ccd_step_slab_collisions, *step, _slab(slab), call.options)


def slab_size(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, slab: Slab, **options: Unpack[Options]) -> float:
    """Compute a safe step for the pairs that a slab owns. The least over all slabs is that of `size`.

    Parameters
    ----------
    mesh : Mesh
        The whole mesh, or a part as in `slab_earliest`.
    x0 : array_like
        Vertices at t = 0, (n, 3), n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (n, 3).
    slab : Slab
        The slab.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    float
        As `size`, for the pairs of the slab.

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
    >>> parts = ccd.step.slabs(mesh, x0, x1, 2)
    >>> min(ccd.step.slab_size(mesh, x0, x1, part) for part in parts) == ccd.step.size(mesh, x0, x1)
    True
    """
    call, step = prepare(mesh, x0, x1, options)
    return results.alpha(call, abi.library().ccd_step_slab_size, *step, _slab(slab), call.options)


def _slab(slab: Slab) -> Any:
    if not isinstance(slab, Slab):
        raise ArgumentError(f"slab is {type(slab).__name__}: must be a ccd.step.Slab")
    axis = arrays.integer("slab.axis", slab.axis, 0, 2)
    lo, hi = arrays.number("slab.lo", slab.lo), arrays.number("slab.hi", slab.hi)
    return ctypes.byref(abi.Slab(axis, 0, lo, hi))
