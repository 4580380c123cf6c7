"""Read queries exactly, from a CSV in the format of the dataset of [Wang2021]."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from .. import errors
from . import checks
from .regular import opened

_ROWS = 8  # rows per query: 4 points at t = 0, then at t = 1
_DIGITS = 4096  # limit of one integer; a double needs at most 309 digits in the numerator and 324 in the denominator
_INTEGER = rb"\s*([+-]?[0-9]+)\s*"
_ROW = re.compile(rb",".join([_INTEGER] * 6) + rb"(?:,\s*([01])\s*)?")
_ONE_INTEGER = re.compile(_INTEGER)


def read(path: str) -> tuple[NDArray[np.float64], NDArray[np.bool_] | None]:
    """Return the queries as an (n, 24) array, and the ground truth as an (n,) array, or None if the file has none.

    A query has eight rows. Six columns hold x, y and z, each as numerator and denominator. A seventh may hold the ground
    truth, 0 or 1; it is in all rows or in none. Every fraction must be exactly a double. Error messages give the line number
    but no text of the file, which may be untrusted.
    """
    values: list[float] = []
    truths: list[bool] = []
    columns, number, rows = 0, 0, 0
    for number, line in enumerate(_content(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            count = line.count(b",") + 1
            if count not in (6, 7):
                raise ValueError(f"{count} columns: must be 6 or 7")
            if columns not in (0, count):
                raise ValueError(f"{count} columns, where the lines before have {columns}")
            columns = count
            values += _point(line)
            if count == 7:
                _read_truth(truths, line, first=rows % _ROWS == 0)
        except ValueError as error:
            raise errors.FileError(f"{path}: line {number}: {error}") from None
        rows += 1
    if rows % _ROWS:
        at = f"row {rows % _ROWS + 1} of {_ROWS} of query {rows // _ROWS}"  # queries count from 0, as in the answers
        raise errors.FileError(f"{path}: line {number}: the file ends before {at}")
    return np.array(values).reshape(-1, 24), np.array(truths, bool) if columns == 7 else None


def _content(path: str) -> bytes:
    with checks.reading(path), opened(path) as file:
        return file.read().removeprefix(b"\xef\xbb\xbf")


def _point(line: bytes) -> list[float]:
    match = _ROW.fullmatch(line)
    if match is None or len(line) > _DIGITS:
        return _point_by_cell(line)
    a, b, c, d, e, f = map(int, match.groups()[:6])
    try:
        x, y, z = a / b, c / d, e / f  # rounded to nearest, whatever the size of the integers
    except (ZeroDivisionError, OverflowError):
        return _point_by_cell(line)
    return [x, y, z] if _equal(x, a, b) and _equal(y, c, d) and _equal(z, e, f) else _point_by_cell(line)


def _equal(x: float, numerator: int, denominator: int) -> bool:
    p, q = x.as_integer_ratio()
    return p * denominator == numerator * q


def _point_by_cell(line: bytes) -> list[float]:
    """Read a row cell by cell and say which cell is wrong. Very long rows are read here too."""
    cells, point = line.split(b","), []
    for axis, name in enumerate("xyz"):
        pair = cells[2 * axis : 2 * axis + 2]
        for cell in pair:
            if len(cell.strip()) > _DIGITS:
                raise ValueError(f"{name}: an integer of {len(cell.strip())} digits: at most {_DIGITS}")
            if not _ONE_INTEGER.fullmatch(cell):
                raise ValueError(f"{name}: a numerator or denominator is not an integer")
        numerator, denominator = map(int, pair)
        if denominator == 0:
            raise ValueError(f"{name}: the denominator is 0")
        try:
            x = numerator / denominator
        except OverflowError:
            x = float("nan")
        if x != x or not _equal(x, numerator, denominator):
            raise ValueError(f"{name}: the quotient is not exactly a double")
        point.append(x)
    return point


def _read_truth(truths: list[bool], line: bytes, first: bool) -> None:
    """Append the truth of the first row of a query. Raise ValueError if the truth of a later row differs."""
    word = line.rpartition(b",")[2].strip()
    if word not in (b"0", b"1"):
        raise ValueError("the truth must be 0 or 1")
    if first:
        truths.append(word == b"1")
    elif truths[-1] != (word == b"1"):
        raise ValueError("the truth differs from that of an earlier row of the query")
