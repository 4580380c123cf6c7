"""The command `ccd plot`: charts of benchmark reports, or of any table."""

from __future__ import annotations

import argparse
from pathlib import Path

from .. import errors, plot
from .._io import checks, write
from . import output


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd plot`."""
    parser.description = (
        "Draw charts as SVG: of benchmark reports (.md in bench/reports), which are known, or of two columns of a table in"
        " Markdown, CSV or JSON."
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="reports; or with --x and --y one table: .md, .json, else CSV")
    where = "a folder for SVGs, an .svg, or an .html that holds them all (.)"
    parser.add_argument("-o", "--output", metavar="FILE", default=".", help=where)
    parser.add_argument("--x", metavar="COLUMN", help="the column along which it goes: numbers make lines, words make bars")
    parser.add_argument("--y", metavar="COLUMN", help="the column that is drawn")
    parser.add_argument("--by", metavar="COLUMN", help="one color for each value of this column")
    parser.add_argument("--table", metavar="HEADING", help="of several tables, that below this heading (the first)")
    parser.add_argument("--title", default="", help="of the chart (the heading)")
    parser.add_argument("--log-x", action="store_true", help="logarithmic")
    parser.add_argument("--log-y", action="store_true", help="logarithmic")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Draw, write, and say what was written."""
    if (given.x is None) != (given.y is None):
        raise errors.ArgumentError("--x and --y go together")
    if given.x is None and (given.by or given.table or given.title or given.log_x or given.log_y):
        raise errors.ArgumentError("--by, --table, --title, --log-x and --log-y are for charts of columns: give --x and --y")
    if given.x is not None and len(given.files) != 1:
        raise errors.ArgumentError("with --x and --y: give one file")
    with output.bar("charts"):
        pictures = [_columns(given)] if given.x is not None else [p for path in given.files for p in plot.report(path)]
        written = _written(given.output, pictures)
    if given.json:
        output.emit_json({"files": given.files, "written": written})
    else:
        output.say("\n".join(written))
    return 0


def _columns(given: argparse.Namespace) -> tuple[str, str]:
    path = given.files[0]
    tables = [t for t in plot.read(path) if given.table in (None, t.heading)]
    if not tables:
        raise errors.ArgumentError(f"{path}: there is no table below the heading --table {given.table!r}")
    with checks.naming(path):
        chart = plot.chart(tables[0], given.x, given.y, given.by, given.log_x, given.log_y, given.title or tables[0].heading)
    return Path(path).stem, plot.svg([chart])


def _written(output: str, pictures: list[tuple[str, str]]) -> list[str]:
    path = Path(output)
    if path.suffix == ".html":
        files = {path: plot.html(pictures, "Charts")}
    elif path.suffix == ".svg":
        if len(pictures) != 1:
            raise errors.ArgumentError(f"--output {output}: there are {len(pictures)} charts, which need a folder or an .html")
        files = {path: pictures[0][1]}
    else:
        files = {path / f"{name}.svg": picture for name, picture in pictures}
    for file, text in files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise errors.from_os(file, error) from None
        write.whole(file, text.encode())
    return [str(file) for file in files]
