"""The broad phase alone: the pairs whose swept boxes overlap, to inspect, or for the steps of a line search."""

from __future__ import annotations

import ctypes
import functools
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, results
from ._native.call import check
from ._native.steps import prepare, prepare_on
from .impact import Impact, Kind
from .mesh import Mesh
from .step import Advanced

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


class Candidates:
    """Pairs (a, b) of primitive indices by kind, each an (n, 2) array of int64, sorted; copied at their first use.

    `earliest`, `collisions`, `size` and `advance` return what those of `ccd.step` return, without a broad phase. Candidates of
    x0 -> x0 + dx serve for every x0 -> x0 + alpha * dx with alpha in [0, 1], and for all other steps in which each vertex stays
    within the box of its own motion: this is checked, and an ArgumentError names the first vertex outside. min_separation is at
    most that of the candidates. (x0 + 1 * (x1 - x0) may miss x1 by a rounding: let x1 be x0 + dx.) The mesh's filters at both
    times apply. Where the list is long beside the mesh, `ccd.step` is faster: it tests only pairs that stay near in the
    shorter step.

    Threads may share candidates. They are freed with their last reference, or by `close()`. A pickle holds the pairs alone.
    """

    def __init__(self, handle: ctypes.c_void_p):
        self._handle = handle
        self._free = weakref.finalize(self, _destroy, handle)

    def close(self) -> None:
        """Free what the library holds. Arrays that were read remain; other calls raise HandleError."""
        self._free()

    @functools.cached_property
    def vertex_face(self) -> NDArray[np.int64]:
        return self._pairs(Kind.VERTEX_FACE)

    @functools.cached_property
    def edge_edge(self) -> NDArray[np.int64]:
        return self._pairs(Kind.EDGE_EDGE)

    @functools.cached_property
    def point_edge(self) -> NDArray[np.int64]:
        return self._pairs(Kind.POINT_EDGE)

    @functools.cached_property
    def point_point(self) -> NDArray[np.int64]:
        return self._pairs(Kind.POINT_POINT)

    def __getitem__(self, kind: Kind | str | int) -> NDArray[np.int64]:
        pairs: NDArray[np.int64] = getattr(self, Kind.of("kind", kind).name.lower())
        return pairs

    def __len__(self) -> int:
        return sum(self._count(kind) for kind in Kind)

    def earliest(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Impact:
        """`ccd.step.earliest` among these pairs: the same bits, without a broad phase."""
        call, step = prepare_on(self._handle, x0, x1, options)
        return results.impact(call, abi.library().ccd_candidates_earliest, *step, call.options)

    def collisions(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
        """`ccd.step.collisions` among these pairs."""
        call, step = prepare_on(self._handle, x0, x1, options)
        return results.impacts(call, abi.library().ccd_candidates_collisions, *step, call.options)

    def size(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> float:
        """`ccd.step.size` among these pairs."""
        call, step = prepare_on(self._handle, x0, x1, options)
        return results.alpha(call, abi.library().ccd_candidates_size, *step, call.options)

    def advance(self, x0: ArrayLike, x1: ArrayLike, share: float = 1.0, **options: Unpack[Options]) -> Advanced:
        """`ccd.step.advance` among these pairs."""
        call, step = prepare_on(self._handle, x0, x1, options)
        return Advanced(*results.advanced(call, abi.library().ccd_candidates_advance, step, share))

    def _count(self, kind: Kind) -> int:
        name = kind.name.lower()
        if name in self.__dict__:
            return len(self.__dict__[name])
        count = ctypes.c_size_t()
        check(abi.library().ccd_candidates_count_kind(self._handle, kind, ctypes.byref(count)))
        return count.value

    def _pairs(self, kind: Kind) -> NDArray[np.int64]:
        pairs, count = np.empty((self._count(kind), 2), np.int64), ctypes.c_size_t()
        check(abi.library().ccd_candidates_copy(self._handle, kind, pairs.ctypes, len(pairs), ctypes.byref(count)))
        return pairs

    def __reduce__(self) -> tuple[Any, ...]:
        return alone, tuple(self[kind] for kind in Kind)


def candidates(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Candidates:
    """All candidates of a step: boxes inflated by min_separation, filters applied, pairs that share a vertex skipped.

    x0, x1  (n, 3), n = vertices of the mesh; vertex i moves from x0[i] to x1[i]

    The boxes are those of the doubles: each holds its swept primitive exactly, so no contact is outside the list.
    Raises HandleError, ArgumentError, NonFiniteError, OutOfMemoryError, Cancelled, ForkedError. Paper: [Belgrod2023].
    """
    call, step = prepare(mesh, x0, x1, options)
    handle = ctypes.c_void_p()
    call(abi.library().ccd_broad_candidates, *step, call.options, ctypes.byref(handle))
    return Candidates(handle)


def alone(*pairs: NDArray[np.int64]) -> Candidates:
    """Candidates of given pairs, an array for each kind, that stand for no step: `earliest` and the like raise HandleError."""
    found = Candidates(ctypes.c_void_p())
    found.__dict__.update((kind.name.lower(), array) for kind, array in zip(Kind, pairs))
    return found


def _destroy(handle: ctypes.c_void_p) -> None:
    """Destroy candidates whose last reference is gone. A failure, as in a forked child, has no caller to report to."""
    if handle.value:
        abi.library().ccd_candidates_destroy(handle)
