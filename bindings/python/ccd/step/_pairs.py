"""More about the pairs of a step: given pairs, intervals of contact, least distances and gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native.by_name import options_by_name
from ..clearance import Clearance
from ..impact import Impact, Kind
from ..mesh import Mesh
from ..motion import Motion
from ._value import Step

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


@options_by_name
def intervals(mesh: Mesh, x0: ArrayLike, x1: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[np.void]:
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
    return Step(mesh, x0, x1).intervals(**options)


@options_by_name
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
    return Step(mesh, x0, x1).pairs_intervals(kind, pairs, **options)


@options_by_name
def clearance(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> Clearance:
    """Bracket the least Euclidean distance that any pair has during a step, and find the pair, a time and the points.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters and radii.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`; ``min_separation`` does not matter. The method must be exact, and the
        norm Euclidean. With ``check_start=True`` an edge that passes through a face at x0 counts, at distance 0.

    Returns
    -------
    Clearance
        The pair, the bracket ``lo``, ``hi`` of its distance less radii, the ``time``, and points and normal at it. Where paths
        of a motion have radii the bracket is wider by up to four of them, and ``lo`` is 0 where a pair may touch.

    Raises
    ------
    UnsupportedError
        Another method, the max norm, or ``device="gpu"``.
    Error
        As `earliest`.

    See Also
    --------
    profile : Distances at given times.
    ccd.proximity.distance : The smallest distance in one configuration.
    ccd.rigid.clearance : Rigid bodies that move.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 0.75], [0, 0, 1])
    >>> least = ccd.step.clearance(mesh, x0, x1)
    >>> str(least.kind), least.time, round(least.hi, 6), least.point_b, least.normal
    ('vertex-face', 1.0, 0.25, (0.25, 0.25, 0.0), (0.0, 0.0, 1.0))
    """
    return Step(mesh, x0, x1).clearance(**options)


@options_by_name
def profile(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, *, times: ArrayLike, **options: Unpack[Options]
) -> NDArray[np.void]:
    """Bracket the least Euclidean distance of all pairs at given times of a step, for a plot.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters and radii.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3).
    times : array_like
        Times, (n,), each in [0, 1].
    **options : Options
        Keywords of `ccd.Options`, as in `clearance`, without ``t_max``.

    Returns
    -------
    numpy.ndarray
        Distances (n,) of `ccd.clearance_dtype`: at each time the least distance, less radii, is in [``lo``, ``hi``], which
        allows for the rounding of the positions and for radii of a motion's paths. An edge that passes through a face is at
        distance 0.

    Raises
    ------
    ArgumentError
        A time is not in [0, 1].
    UnsupportedError
        Another method, the max norm, or ``device="gpu"``.
    Error
        As `earliest`.

    See Also
    --------
    clearance : The least distance over all times, which is proven.
    ccd.plot.profile : A chart of it.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 0.75], [0, 0, 1])
    >>> ccd.step.profile(mesh, x0, x1, times=[0, 0.5, 1])["hi"].round(6).tolist()
    [1.0, 0.625, 0.25]
    """
    return Step(mesh, x0, x1).profile(times, **options)


@options_by_name
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
    return Step(mesh, x0, x1).pairs(kind, pairs, **options)


@options_by_name
def gradients(
    mesh: Mesh, x0: ArrayLike, x1: ArrayLike, impacts: Impact | NDArray[np.void], **options: Unpack[Options]
) -> NDArray[np.void]:
    """Compute how the times of some impacts depend on x0 and x1.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
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
    return Step(mesh, x0, x1).gradients(impacts, **options)
