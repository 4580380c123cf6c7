"""The command `ccd query`: solve the queries of CSV files in the format of the dataset of [Wang2021]."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import pair
from ..errors import FileError
from ..files import read_queries
from ..impact import Impact, Kind, Verdict
from . import arguments, output
from .exit_codes import FOUND, FOUND_NOTHING


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd query`."""
    parser.add_argument(
        "files", metavar="FILE.csv", nargs="+", help="8 rows per query, each x, y, z as numerator and denominator"
    )
    text = "kind of the queries (vf, ee, ...); by default the one that the path names"
    parser.add_argument("--kind", type=arguments.kind, choices=list(Kind), help=text)
    arguments.add_options(parser)
    parser.add_argument("--all", action="store_true", help="list the answer to every query")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Solve the queries of each file and compare them with its ground truth, if it has one. Return FOUND if any differs."""
    options = arguments.options(given)
    reports: list[dict[str, Any]] = []
    for path in given.files:
        if not Path(path).exists():
            raise FileError(f"{path}: no such file")
        kind = arguments.kind_of(path, given.kind)
        with output.bar(f"reading {path}"):
            queries = read_queries(path)
        if not len(queries):
            raise FileError(f"{path} holds no queries")
        with output.bar(Path(path).name) as progress:
            impacts = pair.solve(kind, queries.q, **options, progress=progress)
        reports.append(_tally(path, kind, impacts, queries.truth, options["t_max"] == 1))
        if given.all:
            reports[-1]["answers"] = [Impact.from_record(record).as_dict() for record in impacts]
    total = _total(reports)
    if given.json:
        output.emit_json({"options": options, "files": reports, "total": total})
    else:
        output.say(_lines(given, reports, total))
    # The truth says whether the primitives touch. A separation or a tolerance adds contacts, which are not wrong.
    exact = options["min_separation"] == 0 and options["method"] in ("default", "exact")
    wrong = total["missed"] + (total["false_contacts"] if exact else 0)
    return FOUND if wrong else FOUND_NOTHING


_TALLIES = ("queries", "contacts", "undecided", "truths", "missed", "false_contacts")


def _tally(path: str, kind: Kind, impacts: NDArray[np.void], truth: NDArray[np.bool_] | None, whole: bool) -> dict[str, Any]:
    """Count the answers by verdict, and those that differ from the truth.

    The truth is about the whole step. Without `whole`, a contact may come after t_max, so none counts as missed.
    """
    separate = impacts["verdict"] == Verdict.SEPARATE
    contact = impacts["verdict"] == Verdict.CONTACT
    return {
        "file": path,
        "kind": str(kind),
        "queries": len(impacts),
        "contacts": int(contact.sum()),
        "undecided": int((~separate & ~contact).sum()),
        "truths": 0 if truth is None else len(truth),
        "missed": 0 if truth is None or not whole else int((truth & separate).sum()),
        "false_contacts": 0 if truth is None else int((~truth & contact).sum()),
    }


def _total(reports: list[dict[str, Any]]) -> dict[str, int]:
    return {name: sum(report[name] for report in reports) for name in _TALLIES}


def _lines(given: argparse.Namespace, reports: list[dict[str, Any]], total: dict[str, int]) -> str:
    rows = [[r["file"], r["kind"], *(_cell(name, r) for name in _TALLIES)] for r in reports]
    if len(reports) > 1:
        rows.append(["total", "", *(_cell(name, total) for name in _TALLIES)])
    header = ("file", "kind", "queries", "contacts", "undecided", "with truth", "missed", "false contacts")
    text = output.table(header, rows)
    for report in reports if given.all else ():
        answers = [
            (str(i), a["verdict"], output.time(a["toi_lo"]), f"{a['u']:.6g}", f"{a['v']:.6g}")
            for i, a in enumerate(report["answers"])
        ]
        text += f"\n\n{report['file']}\n" + output.table(("query", "verdict", "toi", "u", "v"), answers)
    return text


def _cell(name: str, report: dict[str, Any]) -> str:
    return "-" if name in ("missed", "false_contacts") and not report["truths"] else output.count(report[name])
