"""Combining the results of parts, in any order and in any grouping."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import broad
from ..broad import Candidates
from ..errors import ArgumentError
from ..impact import EDGE_FACE, Impact, Kind, impact_dtype
from ..options import Stats
from ..proximity import near_pair_dtype
from ._probe import Probes
from ._sample import Sample

_TIMES = "seconds_build", "seconds_broad", "seconds_narrow", "seconds_total", "device_seconds"
_SUMS = "boxes", "impacts", "undecided", "plans", *_TIMES
_MOST = "peak_bytes", "threads", "device_used", "device_peak_bytes"
if {*_SUMS, *_MOST, "candidates"} != set(Stats.__dataclass_fields__):  # a field of no list would be dropped
    raise AssertionError("the lists of ccd.distributed._reduce are not the fields of ccd.Stats")


def reduce(a: Any, b: Any) -> Any:
    """Combine two results of parts. It is associative and commutative, and None is neutral.

    So the reductions of all engines serve: ``functools.reduce``, ``dask.bag.fold``, ``comm.allreduce`` of mpi4py, Spark.

    Parameters
    ----------
    a : object
        Result of a part or of `reduce`: an `Impact` (`earliest`), an array (`collisions`, `near`), a number (`size`),
        `Candidates`, `Stats`, a `Sample`, `Probes`, or None.
    b : object
        Another, of the same kind.

    Returns
    -------
    object
        The first impact in the order of `ccd.step.collisions`, the sorted union of lists, the least number, the merged sample
        or probes; of statistics the sums of times and counts, and the largest of the others.

    Raises
    ------
    ArgumentError
        The two are of different kinds, or of none of these.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> cd.reduce(0.5, cd.reduce(None, 0.25))
    0.25
    """
    if a is None or b is None:
        return b if a is None else a
    for kind, combine in _COMBINE:
        if isinstance(a, kind) and isinstance(b, kind):
            return combine(a, b)
    raise ArgumentError(f"reduce combines results of one kind: given {type(a).__name__} and {type(b).__name__}")


def order(impact: Impact) -> tuple[float, int, int, int]:
    """The order of impacts: edge-face comes before the kinds of a step."""
    return impact.toi_lo, (impact.kind or 0) % EDGE_FACE, impact.a, impact.b


def _earlier(a: Impact, b: Impact) -> Impact:
    return min(a, b, key=order)


def _united(a: NDArray[np.void], b: NDArray[np.void]) -> NDArray[np.void]:
    if a.dtype != b.dtype or a.dtype not in (impact_dtype, near_pair_dtype):
        raise ArgumentError(f"reduce combines results of one kind: given arrays of {a.dtype} and {b.dtype}")
    return in_order(np.concatenate([a, b])) if len(a) and len(b) else (a if len(a) else b)


def in_order(records: NDArray[np.void]) -> NDArray[np.void]:
    """Impacts or near pairs in the order of one call."""
    keys = [records["b"], records["a"], records["kind"] % EDGE_FACE]
    return records[np.lexsort([*keys, records["toi_lo"]] if records.dtype == impact_dtype else keys)]


def sorted_pairs(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs in ascending order."""
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _all_candidates(a: Candidates, b: Candidates) -> Candidates:
    return broad.alone(*(sorted_pairs(np.concatenate([a[kind], b[kind]])) for kind in Kind))


def _summed(a: Stats, b: Stats) -> Stats:
    total = Stats(candidates={kind: a.candidates[kind] + b.candidates[kind] for kind in a.candidates})
    ways: tuple[tuple[tuple[str, ...], Callable[[Any, Any], Any]], ...] = (_SUMS, operator.add), (_MOST, max)
    for names, combine in ways:
        for name in names:
            setattr(total, name, combine(getattr(a, name), getattr(b, name)))
    return total


_COMBINE: tuple[tuple[type, Any], ...] = (
    (Impact, _earlier),
    (np.ndarray, _united),
    (float, min),
    (Candidates, _all_candidates),
    (Stats, _summed),
    (Sample, Sample._merge),
    (Probes, Probes._merge),
)
