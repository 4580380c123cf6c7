"""What a page writes about pairs of primitives: labels and rows of a name, a value and which side it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner.records import IntersectionKind
from ..impact import EDGE_FACE, Kind, Verdict

SINGLE: dict[Kind | IntersectionKind, tuple[str, str]] = {
           Kind.VERTEX_FACE: ("vertex", "face"), Kind.EDGE_EDGE: ("edge", "edge"), Kind.POINT_EDGE: ("point", "edge"),
           Kind.POINT_POINT: ("point", "point"), EDGE_FACE: ("edge", "face")}  # fmt: skip


def numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def keys(kind: Kind, ends: NDArray[Any]) -> NDArray[np.int64]:
    """One number for every pair (a, b); two primitives of one kind have no order. Indices are below 2^31."""
    if kind in (Kind.EDGE_EDGE, Kind.POINT_POINT):
        ends = np.sort(ends, axis=1)
    keys: NDArray[np.int64] = (ends[:, 0].astype(np.int64) << 32) | ends[:, 1].astype(np.int64)
    return keys


def named(kind: Kind | IntersectionKind, a: int, b: int) -> list[list[str]]:
    first, second = SINGLE[kind]
    return [[first, str(a), "first"], [second, str(b), "second"]]


def met(record: Any) -> list[list[str]]:
    rows = [["verdict", str(Verdict(int(record["verdict"])))], ["t", repr(float(record["toi_lo"]))]]
    return [*rows, ["point", _point(record["point"])], ["normal", _point(record["normal"])]]


def _point(p: Any) -> str:
    return "({:.6g}, {:.6g}, {:.6g})".format(*p)
