"""The broad phase alone: the pairs whose swept boxes overlap."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi
from ._call import check
from ._scene import prepare
from .impact import Kind
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs (a, b) of primitive indices by kind, each an (n, 2) array of int64, sorted."""

    vertex_face: NDArray[np.int64]
    edge_edge: NDArray[np.int64]
    point_edge: NDArray[np.int64]
    point_point: NDArray[np.int64]

    def __getitem__(self, kind: Kind | str | int) -> NDArray[np.int64]:
        return getattr(self, Kind.of("kind", kind).name.lower())

    def __len__(self) -> int:
        return sum(len(self[kind]) for kind in Kind)


def candidates(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Candidates:
    """All candidates of a step: boxes inflated by min_separation, filters applied, pairs that share a vertex left out.

    x0, x1  (n, 3), n = vertices of the mesh; vertex i moves from x0[i] to x1[i]

    The boxes are those of the doubles: each holds its swept primitive exactly, so no contact is outside the list.
    Raises HandleError, ArgumentError, NonFiniteError, OutOfMemoryError, Cancelled, ForkedError. Paper: [Belgrod2023].
    """
    call, step = prepare(mesh, x0, x1, options)
    lib, handle = _abi.library(), ctypes.c_void_p()
    call(lib.ccd_broad_candidates, *step, call.options, ctypes.byref(handle))
    try:
        return Candidates(*(_copy(handle, kind) for kind in Kind))
    finally:
        lib.ccd_candidates_destroy(handle)


def _copy(handle: ctypes.c_void_p, kind: Kind) -> NDArray[np.int64]:
    lib, count = _abi.library(), ctypes.c_size_t()
    check(lib.ccd_candidates_count_kind(handle, kind, ctypes.byref(count)))
    pairs = np.empty((count.value, 2), np.int64)
    check(lib.ccd_candidates_copy(handle, kind, pairs.ctypes, len(pairs), ctypes.byref(count)))
    return pairs
