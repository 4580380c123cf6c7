"""Where the answers that `ccd.verify` grades come from: a file, or a peer that is installed beside us."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._io import json_files, numpy_files
from .._io.checks import reading
from .._io.regular import opened
from ..errors import ArgumentError, shown
from ..impact import Kind
from ..verify import Answers


def read(path: str | os.PathLike[str]) -> Answers:
    """Read answers from CSV (with a header), NPZ or JSON; columns hit, toi, and kind, a, b for a scene or index for queries.

    Raises FileError with the row or column that is wrong.
    """
    name = os.fspath(path)
    with reading(name):
        if name.endswith(".npz"):
            return _answers(numpy_files.archive(name))
        if name.endswith(".json"):
            return _answers(_transposed(json_files.load(name)))
        with opened(name) as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
            return _answers(_columns(csv.reader(text)))


def _columns(rows: Iterable[list[str]]) -> dict[str, list[str]]:
    """The columns of a CSV, whose first line names them."""
    table = (row for row in rows if row)
    names = next(table, None)
    if names is None:
        raise ValueError("the file is empty: the first line must name the columns")
    columns: dict[str, list[str]] = {name: [] for name in names}
    if len(columns) != len(names):
        raise ValueError("the first line names a column twice")
    for number, row in enumerate(table):
        if len(row) > len(names):
            raise ValueError(f"row {number} has more cells than the first line names columns")
        for name, cell in zip_longest(names, row, fillvalue=""):
            columns[name].append(cell)
    return columns


def _transposed(rows: Any) -> Mapping[str, Any]:
    """An object of lists as it is; a list of objects as an object of lists."""
    if isinstance(rows, Mapping):
        return rows
    if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError("must be an object of lists or a list of objects")
    if not rows:
        return {"hit": [], "toi": []}
    for number, row in enumerate(rows):
        if row.keys() != rows[0].keys():
            raise ValueError(f"row {number} has other columns than the first")
    return {name: [row[name] for row in rows] for name in rows[0]}


def _answers(columns: Mapping[str, Any]) -> Answers:
    for name in ("hit", "toi"):
        if name not in columns:
            raise ValueError(f"there is no column {name!r}")
    for name in set(columns) & {"hit", "toi", "index", "kind", "a", "b"}:
        shape = np.shape(columns[name]) if isinstance(columns[name], np.ndarray) else None
        if not isinstance(columns[name], list) and (shape is None or len(shape) != 1):
            what = shown(columns[name]) if shape is None else f"an array of shape {shape}"
            raise ValueError(f"column {name!r} is {what}: must be a list")
    hit, toi = _each("hit", columns["hit"], _bool, bool, "b"), _each("toi", columns["toi"], _time, np.float64, "fiu")
    if "index" in columns:
        index = _integers("index", columns["index"])
        order = np.argsort(index, kind="stable")
        if not np.array_equal(index[order], np.arange(len(hit))) or len(toi) != len(hit):
            raise ValueError("column 'index' must hold every query once, counted from 0")
        hit, toi = hit[order], toi[order]
    if not {"kind", "a", "b"} & set(columns):
        return Answers(hit, toi)
    for name in ("kind", "a", "b"):
        if name not in columns:
            raise ValueError(f"there is no column {name!r}")
    kinds, a, b = _each("kind", columns["kind"], _kind, np.int32), _integers("a", columns["a"]), _integers("b", columns["b"])
    if len(a) != len(b):
        raise ValueError(f"column 'a' has {len(a)} rows, column 'b' has {len(b)}")
    return Answers(hit, toi, kinds, np.column_stack([a, b]))


def _each(name: str, values: Any, read: Callable[[int, Any], Any], dtype: Any, plain: str = "") -> NDArray[Any]:
    """A column as an array: one of these kinds of NumPy as it is, others value by value."""
    if isinstance(values, np.ndarray) and values.dtype.kind in plain and plain:
        with np.errstate(over="ignore"):  # a long double above all doubles becomes infinity
            return values.astype(dtype)
    return np.fromiter((read(row, value) for row, value in enumerate(values)), dtype, len(values))


def _bool(row: int, value: Any) -> bool:
    if isinstance(value, (bool, int, np.bool_, np.integer)) and value in (0, 1):
        return bool(value)
    word = str(value).strip().lower()
    if word in ("1", "true", "yes"):
        return True
    if word in ("0", "false", "no"):
        return False
    raise ValueError(f"hit[{row}] is {shown(value)}: must be 0 or 1")


def _time(row: int, value: Any) -> float:
    if value is None or (isinstance(value, str) and not value.strip()):
        return float("nan")  # a pair that does not hit may leave its time out
    try:
        return float.fromhex(value) if isinstance(value, str) and "0x" in value else float(value)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"toi[{row}] is {shown(value)}: must be a number") from None


def _kind(row: int, value: Any) -> int:
    try:
        return int(Kind.of("kind", int(value) if str(value).isdecimal() else str(value)))
    except ArgumentError:
        raise ValueError(f"kind[{row}] is {shown(value)}: must be vertex-face, edge-edge, point-edge or point-point") from None


def _integers(name: str, values: Any) -> NDArray[np.int64]:
    def read(row: int, value: Any) -> int:
        try:
            found = int(value)
            if -(2**63) <= found < 2**63 and (isinstance(value, str) or found == value):
                return found
        except (ValueError, TypeError, OverflowError):
            pass
        raise ValueError(f"{name}[{row}] is {shown(value)}: must be an integer") from None

    plain = "iu" if not (isinstance(values, np.ndarray) and values.dtype == np.uint64) else ""
    return _each(name, values, read, np.int64, plain)


# ---- peers

# ipctk's method for a kind, and the order of its points for ours (all at t = 0, then all at t = 1, as ours).
_IPCTK = {
    Kind.VERTEX_FACE: "point_triangle_ccd",
    Kind.EDGE_EDGE: "edge_edge_ccd",
    Kind.POINT_EDGE: "point_edge_ccd",
    Kind.POINT_POINT: "point_point_ccd",
}

Peer = Callable[[Kind, NDArray[np.float64], Callable[[float], object] | None], Answers]


def peer(name: str, min_separation: float = 0.0, t_max: float = 1.0) -> Peer:
    """A function that answers queries of one kind by a peer: 'ipctk' (TightInclusionCCD) or 'ipctk:CLASS', e.g. AdditiveCCD."""
    package, _, method = name.partition(":")
    if package != "ipctk":
        raise ArgumentError(f"peer is {name!r}: must be ipctk or ipctk:CLASS")
    try:
        import ipctk
    except ImportError as error:
        raise ArgumentError(f"peer {name!r} is not installed here: pip install ipctk ({error})") from None
    method = method or "TightInclusionCCD"
    base, chosen = ipctk.NarrowPhaseCCD, getattr(ipctk, method, None)
    if not isinstance(chosen, type) or not issubclass(chosen, base) or chosen is base:
        known = [n for n, c in vars(ipctk).items() if isinstance(c, type) and issubclass(c, base) and c is not base]
        raise ArgumentError(f"ipctk has no method {method!r}: it has {', '.join(sorted(known))}")
    solver = chosen()

    def answer(kind: Kind, q: NDArray[np.float64], progress: Callable[[float], object] | None = None) -> Answers:
        decide = getattr(solver, _IPCTK[kind])
        hit, toi = np.zeros(len(q), bool), np.full(len(q), np.nan)
        for row, points in enumerate(q.reshape(len(q), 2 * kind.points, 3)):
            hit[row], toi[row] = decide(*points, min_separation, t_max)
            if progress is not None and row % 4096 == 0:
                progress(row / len(q))
        return Answers(hit, toi)

    return answer
