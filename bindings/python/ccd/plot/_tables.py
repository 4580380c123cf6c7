"""Tables from files: those of a Markdown report, a CSV, or JSON; a cell that reads as a number is one."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._io.checks import reading
from ..errors import FileError
from ..files import _path

Cell = float | str | None


@dataclass
class Table:
    """Columns and rows, and the heading above them.

    heading  the heading above it
    columns  names of the columns
    rows     the cells of every row
    """

    heading: str
    columns: list[str]
    rows: list[list[Cell]]

    def column(self, name: str) -> list[Cell]:
        """One column; of several with one name the first."""
        at = self.columns.index(name)
        return [row[at] for row in self.rows]


def read(path: str | os.PathLike[str]) -> list[Table]:
    """The tables of a file, by its ending: .md, .json, else CSV. Raises FileError, which names the file and the line."""
    name = os.fsdecode(_path(path))
    with reading(name):
        text = Path(name).read_text("utf-8")
        found = _markdown(text) if name.endswith(".md") else _json(text) if name.endswith(".json") else _csv(name, text)
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


def _json(text: str) -> list[Table]:
    """A list of objects, or an object that has such lists: a table each."""
    held = json.loads(text)
    found = []
    for heading, rows in (held if isinstance(held, dict) else {"": held}).items():
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            columns = list(dict.fromkeys(key for row in rows for key, x in row.items() if not isinstance(x, (dict, list))))
            found.append(Table(str(heading), columns, [[_cell(row.get(c)) for c in columns] for row in rows]))
    return found
