"""Tables from files: those of a Markdown report, a CSV, or JSON; a cell that reads as a number is one."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from typing import Any

from .._io import json_files
from .._io.checks import reading
from .._io.regular import opened
from ..errors import ArgumentError, FileError, shown
from ..files import _path

Cell = float | str | None


@dataclass
class Table:
    """Columns and rows of a table, and the heading above it.

    Parameters
    ----------
    heading : str
        Heading above the table.
    columns : list of str
        Names of the columns.
    rows : list of list
        Cells of every row: float, str or None.

    Examples
    --------
    >>> import ccd
    >>> ccd.plot.Table("Times", ["n", "ms"], [[1.0, 2.0]]).column("ms")
    [2.0]
    """

    heading: str
    columns: list[str]
    rows: list[list[Cell]]

    def column(self, name: str) -> list[Cell]:
        """Return the cells of a column.

        Parameters
        ----------
        name : str
            Name of the column; of several with one name the first is returned.

        Returns
        -------
        list
            Cells: float, str or None.

        Raises
        ------
        ArgumentError
            The table has no such column; the message lists them.
        """
        if not isinstance(name, str) or name not in self.columns:
            raise ArgumentError(f"name is {shown(name)}: the columns are {', '.join(self.columns)}")
        at = self.columns.index(name)
        return [row[at] for row in self.rows]


def read(path: str | os.PathLike[str]) -> list[Table]:
    r"""Read the tables of a file: Markdown (.md), JSON (.json), else CSV.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    list of Table
        Its tables; a cell that reads as a number is a float.

    Raises
    ------
    FileError
        The file cannot be read or holds no table; the message names the line.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "times.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("n,ms\n10,1.5\n")
    >>> ccd.plot.read(path)[0].rows
    [[10.0, 1.5]]
    """
    name = os.fsdecode(_path(path))
    with reading(name):
        if name.endswith(".json"):
            found = _json(json_files.load(name))
        else:
            with opened(name) as file:
                text = file.read().decode("utf-8-sig")
            found = _markdown(text) if name.endswith(".md") else _csv(name, text)
    if not found:
        raise FileError(f"{name} holds no table")
    return found


def _cell(text: Any) -> Cell:
    if isinstance(text, bool) or text is None or text in ("-", ""):
        return None if text in (None, "-", "") else str(text)
    if isinstance(text, (int, float)):
        return float(text)
    try:
        return float(str(text).replace(",", ""))
    except ValueError:
        return str(text)


def _markdown(text: str) -> list[Table]:
    found: list[Table] = []
    heading, lines = "", [line.strip() for line in text.splitlines()]
    for i, line in enumerate(lines):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|") and i + 1 < len(lines) and set(lines[i + 1]) <= set("|-: ") and "-" in lines[i + 1]:
            columns, rows = _row(line), []
            for below in lines[i + 2 :]:
                if not below.startswith("|"):
                    break
                cells = _row(below)
                rows.append([_cell(c) for c in cells] + [None] * (len(columns) - len(cells)))
            found.append(Table(heading, columns, [row[: len(columns)] for row in rows]))
    return found


def _row(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _csv(name: str, text: str) -> list[Table]:
    rows = [row for row in csv.reader(text.splitlines(), strict=True) if row]
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            raise FileError(f"{name}: line {number} has {len(row)} cells, the first has {len(rows[0])}")
    return [Table("", rows[0], [[_cell(c) for c in row] for row in rows[1:]])] if len(rows) > 1 else []


def _json(held: Any) -> list[Table]:
    """A list of objects, or an object that has such lists: a table each."""
    found = []
    for heading, rows in (held if isinstance(held, dict) else {"": held}).items():
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            columns = list(dict.fromkeys(key for row in rows for key, x in row.items() if not isinstance(x, (dict, list))))
            found.append(Table(str(heading), columns, [[_cell(row.get(c)) for c in columns] for row in rows]))
    return found
