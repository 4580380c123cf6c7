"""Where the answers that `ccd.verify` grades come from: a file, or a peer that is installed beside us."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._io.checks import reading
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
            with np.load(name, allow_pickle=False) as archive:
                return _answers({key: archive[key] for key in archive.files})
        if name.endswith(".json"):
            with open(name, encoding="utf-8") as file:
                return _answers(_transposed(json.load(file)))
        with open(name, encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            if not table.fieldnames:
                raise ValueError("the file is empty: the first line must name the columns")
            rows = list(table)
            return _answers(_transposed(rows) if rows else {column: [] for column in table.fieldnames})


def _transposed(rows: Any) -> Mapping[str, Any]:
    """An object of lists as it is; a list of objects as an object of lists."""
    if isinstance(rows, Mapping):
        return rows
    if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError("must be an object of lists or a list of objects")
    if not rows:
        return {"hit": [], "toi": []}
    for number, row in enumerate(rows):
        if None in row:
            raise ValueError(f"row {number} has more cells than the first line names columns")
        if row.keys() != rows[0].keys() or (None in row.values() and "toi" not in row):
            raise ValueError(f"row {number} has other columns than the first")
    return {name: [row[name] for row in rows] for name in rows[0]}


def _answers(columns: Mapping[str, Any]) -> Answers:
    for name in ("hit", "toi"):
        if name not in columns:
            raise ValueError(f"there is no column {name!r}")
    hit = np.array([_bool(row, value) for row, value in enumerate(columns["hit"])], bool)
    toi = np.array([_time(row, value) for row, value in enumerate(columns["toi"])], np.float64)
    if "index" in columns:
        order = np.argsort(_integers("index", columns["index"]), kind="stable")
        if not np.array_equal(_integers("index", columns["index"])[order], np.arange(len(hit))):
            raise ValueError("column 'index' must hold every query once, counted from 0")
        hit, toi = hit[order], toi[order]
    if not {"kind", "a", "b"} & set(columns):
        return Answers(hit, toi)
    for name in ("kind", "a", "b"):
        if name not in columns:
            raise ValueError(f"there is no column {name!r}")
    kinds = np.array([_kind(row, value) for row, value in enumerate(columns["kind"])], np.int32)
    return Answers(hit, toi, kinds, np.column_stack([_integers("a", columns["a"]), _integers("b", columns["b"])]))


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
    except ValueError:
        raise ValueError(f"toi[{row}] is {shown(value)}: must be a number") from None


def _kind(row: int, value: Any) -> int:
    try:
        return int(Kind.of("kind", int(value) if str(value).isdigit() else str(value)))
    except ArgumentError:
        raise ValueError(f"kind[{row}] is {shown(value)}: must be vertex-face, edge-edge, point-edge or point-point") from None


def _integers(name: str, values: Any) -> NDArray[np.int64]:
    out = np.empty(len(values), np.int64)
    for row, value in enumerate(values):
        try:
            out[row] = int(value)
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"{name}[{row}] is {shown(value)}: must be an integer") from None
    return out


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
