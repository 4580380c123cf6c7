"""Charts of tables, as SVG: of the benchmark reports without a word, of any other table by its columns.

for name, picture in ccd.plot.report("bench/reports/steps.md"): Path(name + ".svg").write_text(picture)
picture = ccd.plot.svg([ccd.plot.chart(ccd.plot.read("times.csv")[0], x="edges", y="ms", by="method", log_x=True)])
"""

from __future__ import annotations

import os

from ..errors import ArgumentError, FileError
from ._reports import figures
from ._svg import Chart, Series, html, svg
from ._tables import Table, read

__all__ = ["Chart", "Series", "Table", "chart", "html", "read", "report", "svg"]


def report(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """The pictures of a benchmark report, (name, SVG); a FileError when it holds no table that is known."""
    found = [(name, svg(charts, columns)) for name, charts, columns in figures(read(path))]
    if not found:
        raise FileError(f"{os.fspath(path)} is no benchmark report: say which columns are x and y")
    return found


def chart(
    table: Table, x: str, y: str, by: str | None = None, log_x: bool = False, log_y: bool = False, title: str = ""
) -> Chart:
    """A chart of two columns: lines when x holds numbers alone, else bars; one colour for each value of the column by."""
    for argument, name in (("x", x), ("y", y), ("by", by)):
        if name is not None and name not in table.columns:
            raise ArgumentError(f"{argument} is {name!r}: the columns are {', '.join(table.columns)}")
    xs, ys = table.column(x), table.column(y)
    names = ["" if n is None else _word(n) for n in (table.column(by) if by else [y] * len(xs))]
    words = [n for n, value in enumerate(ys) if isinstance(value, str)]
    if words:
        raise ArgumentError(f"y is {y!r}: row {words[0]} holds {ys[words[0]]!r}, no number")
    values = [None if v is None else float(v) for v in ys]
    series = []
    if all(isinstance(v, float) for v in xs):
        for name in dict.fromkeys(names):
            points = sorted((float(a or 0.0), v) for a, v, n in zip(xs, values, names) if n == name and v is not None)
            series.append(Series(name, [v for _, v in points], [a for a, _ in points]))
        return Chart(title or table.heading, y, series, x_label=x, log_x=log_x, log_y=log_y)
    groups = list(dict.fromkeys("" if v is None else _word(v) for v in xs))
    for name in dict.fromkeys(names):
        of = {("" if a is None else _word(a)): v for a, v, n in zip(xs, values, names) if n == name}
        series.append(Series(name, [of.get(g) for g in groups]))
    return Chart(title or table.heading, y, series, groups, log_y=log_y)


def _word(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
