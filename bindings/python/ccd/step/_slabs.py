"""Parts of a step along one axis."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, results
from .._native.steps import compute, host_only, prepare_any
from ..errors import ArgumentError
from ..impact import Impact
from ..mesh import Mesh
from ..motion import Motion

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


@dataclass(frozen=True)
class Slab:
    """A part of the pairs of a step, to distribute a scene over processes or machines.

    The minimum of a primitive is the least coordinate of its vertices along `axis` at both ends of the step; of a
    `ccd.Motion` that of the control points of its vertices. A slab owns the pairs whose larger minimum is in [lo, hi).
    Slabs that partition the line (-inf, inf) of one axis own every pair once. A slab can be pickled.

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


def slabs(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, count: int | None = None) -> list[Slab]:
    """Partition a step into slabs along its longest axis, with about as many primitives each.

    Every pair is owned by exactly one of them. The coordinates alone decide, so every machine computes the same slabs,
    for any ``min_separation``.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    count : int
        Number of slabs, 1 to 2**20; by name with a motion.

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

    The same fall with constant acceleration, from rest:

    >>> fall = ccd.Motion.accelerated(x0, np.zeros((6, 3)), 2 * (x1 - x0))
    >>> parts = ccd.step.slabs(mesh, fall, count=2)
    >>> first = min((ccd.step.slab_earliest(mesh, fall, slab=part) for part in parts), key=lambda hit: hit.toi_lo)
    >>> first == ccd.step.earliest(mesh, fall)
    True
    """
    if not isinstance(x0, Motion) and x1 is not None:
        host_only(x0, x1, "ccd.step.slabs")
    call, function, step = prepare_any(mesh, x0, x1, {}, "slabs")
    if count is None:
        raise ArgumentError("count is missing: the number of slabs, by name with a ccd.Motion")
    n = arrays.integer("count", count, 1, 1 << 20)
    out = (abi.Slab * n)()
    call(function, *step, n, out)
    return [Slab(s.axis, s.lo, s.hi) for s in out]


def slab_earliest(
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None = None,
    slab: Slab | None = None,
    **options: Unpack[Options],
) -> Impact:
    """Compute the earliest impact among the pairs that a slab owns.

    The least result of all slabs by (toi_lo, kind, a, b) has the bits of `earliest`; if the step has no impact, every slab
    has that same result.

    Parameters
    ----------
    mesh : Mesh
        The whole mesh, or a part of it with all primitives whose minimum is below ``slab.hi`` and whose maximum, plus
        ``min_separation`` (and, with radii, its own and the largest of the whole mesh), is at least ``slab.lo``; indices
        are then those of the part. With a motion the minimum and the maximum are those of control points, and the largest
        radius of its paths is part of a primitive's own.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    slab : Slab
        The slab; by name with a motion.
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
    return compute(results.impact, mesh, x0, x1, options, "slab_earliest", _slab(slab))


def slab_collisions(
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None = None,
    slab: Slab | None = None,
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """List the impacts among the pairs that a slab owns. All slabs together list those of the step, each once.

    Parameters
    ----------
    mesh : Mesh
        The whole mesh, or a part as in `slab_earliest`.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    slab : Slab
        The slab; by name with a motion.
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
    return compute(results.impacts, mesh, x0, x1, options, "slab_collisions", _slab(slab))


def slab_size(
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None = None,
    slab: Slab | None = None,
    **options: Unpack[Options],
) -> float:
    """Compute a safe step for the pairs that a slab owns. The least over all slabs is that of `size`.

    Parameters
    ----------
    mesh : Mesh
        The whole mesh, or a part as in `slab_earliest`.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    slab : Slab
        The slab; by name with a motion.
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
    return compute(results.alpha, mesh, x0, x1, options, "slab_size", _slab(slab))


def _slab(slab: Slab | None) -> Any:
    if not isinstance(slab, Slab):
        raise ArgumentError(f"slab is {type(slab).__name__}: must be a ccd.step.Slab, by name with a ccd.Motion")
    axis = arrays.integer("slab.axis", slab.axis, 0, 2)
    lo, hi = arrays.number("slab.lo", slab.lo), arrays.number("slab.hi", slab.hi)
    return ctypes.byref(abi.Slab(axis, 0, lo, hi))
