"""Single queries and batches of them: does one primitive meet another, and when.

A query holds all points at t = 0, then the same points at t = 1; each moves on a straight segment. One query is an array of
shape (k,) or (k/3, 3) and gives an `Impact`; a batch is (n, k) or (n, k/3, 3) and gives an array of `impact_dtype` in which
`a` counts the queries. Any floating-point or integer dtype and memory order is taken; lengths share one unit.

Every function takes the keywords of `Options` and raises `ArgumentError`, `NonFiniteError` (with the query's index),
`UnsupportedError`, `Cancelled` or `ForkedError`. For many queries one batch is far cheaper than many calls.
Papers: exact method, docs/numerics.md; [Wang2021] tight inclusion; [Chen2024] time contraction.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._native import abi, arrays
from ._native.call import Call, unbounded
from ._native.results import Records
from .impact import Impact, Kind, impact_dtype

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

# From this many queries on, or without a budget, a call may last long enough to be interrupted by hand.
_LONG = 64


def vertex_face(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Vertex against face: points v, f0, f1, f2; 24 numbers a query."""
    return solve(Kind.VERTEX_FACE, q, **options)


def edge_edge(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Edge against edge: points a0, a1, b0, b1; 24 numbers a query."""
    return solve(Kind.EDGE_EDGE, q, **options)


def point_edge(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Point against edge: points p, e0, e1; 18 numbers a query."""
    return solve(Kind.POINT_EDGE, q, **options)


def point_point(q: ArrayLike, **options: Unpack[Options]) -> Any:
    """Point against point: 12 numbers a query."""
    return solve(Kind.POINT_POINT, q, **options)


def solve(kind: Kind | str | int, q: ArrayLike, **options: Unpack[Options]) -> Any:
    """The query or batch of queries of a kind given as a value, e.g. 'vertex-face'."""
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
