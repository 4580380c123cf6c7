"""Single queries and batches of them: whether two moving primitives come into contact, and when.

A query holds all points at t = 0, then the same points at t = 1; each moves on a straight segment. One
query is an array of shape (k,) or (k/3, 3) and gives an `Impact`; a batch is (n, k) or (n, k/3, 3) and
gives an array of `impact_dtype` in which ``a`` is the index of the query. Any floating-point or integer
dtype and memory order is accepted; all lengths have one unit. One batch of many queries is far cheaper
than many calls.

The default method is exact (docs/numerics.md derives it); `method` selects [Wang2021] tight inclusion or
[Chen2024] time contraction.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, results
from ._native.call import Call, unbounded
from ._native.names import names_of
from ._native.records import Records
from .clearance import Clearance
from .errors import ArgumentError
from .gradient import gradient_dtype
from .impact import Impact, Kind, impact_dtype

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

# From this many queries on, or without a budget, a call may last long enough to be interrupted by hand.
_LONG = 64


def vertex_face(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Compute when a vertex and a face first come into contact.

    Parameters
    ----------
    q : array_like
        Points v, f0, f1, f2 at t = 0, then at t = 1: (24,) or (8, 3) for one query, (n, 24) or (n, 8, 3)
        for a batch.
    **options : Options
        Keywords of `ccd.Options`, such as ``min_separation``, ``norm``, ``t_max``, ``method``,
        ``tolerance``, ``max_iterations``; for a batch also ``threads`` and ``progress``.

    Returns
    -------
    Impact or numpy.ndarray
        An `Impact` for one query, an array (n,) of `impact_dtype` for a batch.

    Raises
    ------
    ArgumentError
        `q` has another shape or type, or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names the query and the coordinate.
    UnsupportedError
        The call does not support an option, or a combination of options.
    Cancelled
        The progress callback cancelled the call.
    ForkedError
        This process is a fork of one that had loaded the library.

    See Also
    --------
    ccd.step.pairs : The same for primitives of a mesh.

    Examples
    --------
    A vertex falls through a triangle at t = 1/2.

    >>> import ccd
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> hit = ccd.pair.vertex_face([[0.25, 0.25, 1], *face, [0.25, 0.25, -1], *face])
    >>> hit.contact, hit.toi_lo, hit.u, hit.v
    (True, 0.5, 0.25, 0.25)
    """
    return solve(Kind.VERTEX_FACE, q, **options)


def edge_edge(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Compute when two edges first come into contact.

    Parameters
    ----------
    q : array_like
        Points a0, a1, b0, b1 at t = 0, then at t = 1: (24,) or (8, 3) for one query, (n, 24) or (n, 8, 3)
        for a batch.
    **options : Options
        Keywords of `ccd.Options`, as in `vertex_face`.

    Returns
    -------
    Impact or numpy.ndarray
        An `Impact` for one query, an array (n,) of `impact_dtype` for a batch.

    Raises
    ------
    Error
        As `vertex_face`.

    Examples
    --------
    >>> import ccd
    >>> edge = [[-1, 0, 0], [1, 0, 0]]
    >>> ccd.pair.edge_edge([*edge, [0, -1, 1], [0, 1, 1], *edge, [0, -1, -1], [0, 1, -1]]).toi_lo
    0.5
    """
    return solve(Kind.EDGE_EDGE, q, **options)


def point_edge(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Compute when a point and an edge first come into contact.

    Parameters
    ----------
    q : array_like
        Points p, e0, e1 at t = 0, then at t = 1: (18,) or (6, 3) for one query, (n, 18) or (n, 6, 3) for a
        batch.
    **options : Options
        Keywords of `ccd.Options`, as in `vertex_face`.

    Returns
    -------
    Impact or numpy.ndarray
        An `Impact` for one query, an array (n,) of `impact_dtype` for a batch.

    Raises
    ------
    Error
        As `vertex_face`.

    Examples
    --------
    >>> import ccd
    >>> edge = [[-1, 0, 0], [1, 0, 0]]
    >>> ccd.pair.point_edge([[0, 0, 1], *edge, [0, 0, -1], *edge], min_separation=0.5).toi_lo
    0.25
    """
    return solve(Kind.POINT_EDGE, q, **options)


def point_point(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Compute when two points first come into contact.

    Parameters
    ----------
    q : array_like
        Points p, q at t = 0, then at t = 1: (12,) or (4, 3) for one query, (n, 12) or (n, 4, 3) for a batch.
    **options : Options
        Keywords of `ccd.Options`, as in `vertex_face`.

    Returns
    -------
    Impact or numpy.ndarray
        An `Impact` for one query, an array (n,) of `impact_dtype` for a batch.

    Raises
    ------
    Error
        As `vertex_face`.

    Examples
    --------
    >>> import ccd
    >>> found = ccd.pair.point_point([[0, 0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0], [0, 0, 0, 2, 0, 0, 0, 1, 0, 2, 1, 0]])
    >>> found["toi_lo"].tolist()
    [1.0, inf]
    """
    return solve(Kind.POINT_POINT, q, **options)


def solve(kind: Kind | str | int, q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Compute the impacts of queries whose kind is a value.

    Parameters
    ----------
    kind : Kind or str or int
        Kind of all queries, e.g. ``"vertex-face"``.
    q : array_like
        One query or a batch of them, as the function of that kind takes them.
    **options : Options
        Keywords of `ccd.Options`, as in `vertex_face`.

    Returns
    -------
    Impact or numpy.ndarray
        An `Impact` for one query, an array (n,) of `impact_dtype` for a batch.

    Raises
    ------
    Error
        As `vertex_face`; also ArgumentError for an unknown kind.

    Examples
    --------
    >>> import ccd, numpy as np
    >>> ccd.pair.solve("point-point", np.zeros(12)).initial
    True
    """
    which: Kind = Kind.of("kind", kind)
    array, single = arrays.queries("q", q, which.points)
    call = Call(options, long=len(array) >= _LONG or unbounded(options))
    lib, name = abi.library(), which.name.lower()
    if single:
        impact = abi.Impact()
        call(getattr(lib, f"ccd_pair_{name}"), array.ctypes, call.options, ctypes.byref(impact))
        return Impact._from_c(impact)
    out = np.zeros(len(array), impact_dtype)
    call(getattr(lib, f"ccd_pairs_{name}"), array.ctypes, len(array), call.options, out.ctypes)
    return out.view(Records)


def gradients(kind: Kind | str | int, q: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """Compute how the times of impact of queries depend on their points.

    Parameters
    ----------
    kind : Kind or str or int
        Kind of all queries, e.g. ``"vertex-face"``.
    q : array_like
        One query or a batch of them, as the function of that kind takes them.
    **options : Options
        Keywords of `ccd.Options`, as in `vertex_face`, without ``apart_at_toi``. The times are the exact ones, whatever
        the method.

    Returns
    -------
    numpy.ndarray
        Gradients (n,) of `ccd.gradient_dtype`, (1,) for one query. ``x0[i]`` and ``x1[i]`` are the derivatives with
        respect to point i at t = 0 and t = 1.

    Raises
    ------
    Error
        As `vertex_face`; also ArgumentError for an unknown kind.

    See Also
    --------
    ccd.step.gradients : The same for impacts of a mesh.

    Examples
    --------
    Two points approach each other, and are half a unit apart at t = 1/4.

    >>> import ccd
    >>> [g] = ccd.pair.gradients("point-point", [-1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], min_separation=0.5)
    >>> g["toi"].item(), g["x0"][0].tolist()
    (0.25, [-0.375, 0.0, 0.0])
    """
    which: Kind = Kind.of("kind", kind)
    array, _ = arrays.queries("q", q, which.points)
    call = Call(options, long=len(array) >= _LONG or unbounded(options))
    out = np.zeros(len(array), gradient_dtype)
    call(abi.library().ccd_pairs_gradients, which, array.ctypes, len(array), call.options, out.ctypes)
    return out.view(Records)


def intervals(kind: Kind | str | int, q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Find every interval of contact: all times at which the primitives are within ``min_separation``, not the first alone.

    Without a separation nearly all contacts are single instants; they have sides, and the pair crosses if ``side_before``
    and ``side_after`` differ.

    Parameters
    ----------
    kind : Kind or str or int
        Kind of all queries, e.g. ``"vertex-face"``.
    q : array_like
        One query or a batch of them, as the function of that kind takes them.
    **options : Options
        Keywords of `ccd.Options`, as in `vertex_face`. The method must be exact.

    Returns
    -------
    numpy.ndarray
        Intervals (m,) of `ccd.interval_dtype`, query by query and in order; ``a`` is the index of the query, -1 for a single
        one. The first ``enter`` of a query is the ``toi_lo`` of its impact; a separate query has none.

    Raises
    ------
    UnsupportedError
        Another method.
    Error
        As `vertex_face`; also ArgumentError for an unknown kind.

    See Also
    --------
    ccd.step.intervals : The same for all pairs of a mesh.

    Examples
    --------
    A vertex falls through a triangle at t = 1/2, and is within 0.5 of it from 1/4 to 3/4.

    >>> import ccd
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> q = [[0.25, 0.25, 1], *face, [0.25, 0.25, -1], *face]
    >>> ccd.pair.intervals("vertex-face", q)[["enter", "exit", "side_before", "side_after"]].tolist()
    [(0.5, 0.5, 1, -1)]
    >>> ccd.pair.intervals("vertex-face", q, min_separation=0.5)[["enter", "exit"]].tolist()
    [(0.25, 0.75)]
    """
    which: Kind = Kind.of("kind", kind)
    array, single = arrays.queries("q", q, which.points)
    call = Call(options, long=len(array) >= _LONG)
    found = results.intervals(call, abi.library().ccd_pairs_intervals, which, array.ctypes, len(array), call.options)
    if single:
        found["a"] = -1
    return found


def clearance(kind: Kind | str | int, q: ArrayLike, **options: Unpack[Options]) -> Clearance:
    """Bracket the least Euclidean distance of a pair over a step, and find a time at which it is reached.

    Parameters
    ----------
    kind : Kind or str or int
        Kind of the query, e.g. ``"edge-edge"``.
    q : array_like
        One query, as the function of that kind takes it.
    **options : Options
        Keywords of `ccd.Options`; ``t_max`` counts. The method must be exact, and the norm Euclidean.

    Returns
    -------
    Clearance
        The bracket ``distance_lo``, ``distance_hi``, the time ``t``, and parameters of near points there.

    Raises
    ------
    UnsupportedError
        Another method, or the max norm.
    Error
        As `vertex_face`; also ArgumentError for a batch or an unknown kind.

    See Also
    --------
    ccd.step.clearance : The least distance of all pairs of a mesh.

    Examples
    --------
    >>> import ccd
    >>> least = ccd.pair.clearance("point-point", [-2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0])
    >>> round(least.hi, 6), round(least.time, 3)
    (1.0, 0.5)
    """
    which: Kind = Kind.of("kind", kind)
    array, single = arrays.queries("q", q, which.points)
    if not single:
        raise ArgumentError(f"q has {len(array)} queries: must be one")
    call, out = Call(options, long=False), abi.Clearance()
    call(abi.library().ccd_pair_clearance, which, array.ctypes, call.options, ctypes.byref(out))
    return Clearance._of(out)


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__, {"least_distance": "clearance"})
