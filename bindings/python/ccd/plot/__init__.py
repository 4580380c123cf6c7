"""Charts of tables as SVG: of benchmark reports as they are, of other tables by their columns."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError, FileError
from ._reports import figures
from ._svg import Chart, Series, html, svg
from ._tables import Table, read

__all__ = ["Chart", "Series", "Table", "chart", "html", "profile", "read", "report", "svg"]


def report(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    r"""Draw the charts of a benchmark report.

    Parameters
    ----------
    path : str or os.PathLike
        A report with tables, such as ``bench/reports/steps.md``.

    Returns
    -------
    list of tuple
        For each chart its name and its SVG.

    Raises
    ------
    FileError
        The file cannot be read, or holds no table of a benchmark report.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "steps.md")
    >>> with open(path, "w") as file:
    ...     _ = file.write("## Steps\n\n| scene | library | threads | processor | wall | x |\n|---|---|---|---|---|---|\n"
    ...                    "| cloth | ours | 1 | 10 | 10 | 1 |\n")
    >>> [name for name, picture in ccd.plot.report(path)]
    ['steps']
    """
    found = [(name, svg(charts, columns)) for name, charts, columns in figures(read(path))]
    if not found:
        raise FileError(f"{os.fspath(path)} is no benchmark report: say which columns are x and y")
    return found


def profile(curve: NDArray[np.void], least: Any = None, title: str = "Distance over time") -> Chart:
    """Create a chart of distances over time, with the clearance that is proven for all times.

    Parameters
    ----------
    curve : numpy.ndarray
        Distances of `ccd.rigid.gap_dtype` or `ccd.clearance_dtype`, as `ccd.rigid.profile` and `ccd.step.profile` return them.
    least : ccd.rigid.Gap or ccd.Clearance, optional
        What `ccd.rigid.clearance` or `ccd.step.clearance` returns for the same motion: its lower end is a dashed line.
    title : str, default 'Distance over time'
        Title above the chart.

    Returns
    -------
    Chart
        The chart, which `svg` draws.

    Raises
    ------
    ArgumentError
        `curve` is no such array, or is empty.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> triangle = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> up = ccd.rigid.Motion(position=(0, 0, 1), velocity=(0, 0, 2))
    >>> curve = ccd.rigid.profile(triangle, up, triangle, ccd.rigid.Motion(), np.linspace(0, 1, 5))
    >>> [series.name for series in ccd.plot.profile(curve).series]
    ['distance']
    """
    names = getattr(getattr(curve, "dtype", None), "names", None) or ()
    if not {"time", "lo", "hi"} <= set(names) or len(curve) == 0:
        raise ArgumentError(
            "curve is no array of distances, or is empty: pass what ccd.rigid.profile or ccd.step.profile returns"
        )
    times = curve["time"].tolist()
    series = [Series("distance", curve["hi"].tolist(), times)]
    if least is not None:
        series.append(Series(f"at least {least.lo:.6g}, proven", [least.lo] * 2, [times[0], times[-1]], dashed=True))
    return Chart(title, "distance", series, x_label="time")


def chart(
    table: Table, x: str, y: str, by: str | None = None, log_x: bool = False, log_y: bool = False, title: str = ""
) -> Chart:
    """Create a chart of two columns of a table.

    Parameters
    ----------
    table : Table
        The table.
    x : str
        Column along the horizontal axis: lines if it holds numbers only, else bars.
    y : str
        Column along the vertical axis, numbers.
    by : str, optional
        Column whose values become series, one color for each.
    log_x : bool, default False
        Whether x is logarithmic.
    log_y : bool, default False
        Whether y is logarithmic.
    title : str, default ''
        Title; empty: the heading of the table.

    Returns
    -------
    Chart
        The chart, for `svg`.

    Raises
    ------
    ArgumentError
        A column does not exist, or `y` holds words.

    Examples
    --------
    >>> import ccd
    >>> table = ccd.plot.Table("Times", ["edges", "ms"], [[10.0, 1.0], [100.0, 2.5]])
    >>> ccd.plot.chart(table, "edges", "ms").series[0].y
    [1.0, 2.5]
    """
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
