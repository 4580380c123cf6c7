"""The command `ccd verify`: whose answers, to which pairs, and the grades in print."""

from __future__ import annotations

import argparse
import os
from typing import Any

import numpy as np

from .. import broad, certificate, pair, step, verify
from .._io import checks, numpy_files, write
from ..errors import ArgumentError, FileError
from ..files import read_queries
from ..impact import Kind, Verdict
from ..verify import Answers, Report
from . import answers as answers_
from . import arguments, models, output
from .exit_codes import FOUND, FOUND_NOTHING

_DESCRIPTION = """\
Grade answers against the exact method: those in a file, those of a peer, or those of one of our own methods.
Exit with 1 when a contact is missed, a time is late, or an answer is malformed.

  missed contact  there is a contact and the answer is no
  late time       the time is after the true one: a simulator that steps there penetrates
  malformed       the answer is yes, and its time is NaN or outside [0, t_max]
  false contact   the answer is yes, and nothing comes within the separation: costs time only
  earliness       how long before the true time a right answer stops: costs time only

With --certificate, check a file that ccd step --certificate wrote, by a program of integers alone, and that it is of the
frames. Exit with 1 when it does not hold.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd verify`."""
    parser.description = _DESCRIPTION
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", metavar="FILE", nargs="+", help="two frames (as for ccd step), or one query CSV")
    text = "kind of the queries of a CSV; else the path names it"
    parser.add_argument("--kind", type=arguments.kind, choices=list(Kind), help=text)
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("--answers", metavar="FILE", help="answers to grade: CSV, NPZ or JSON with hit, toi [, kind, a, b]")
    whose.add_argument("--peer", metavar="NAME", help="run a peer and grade it: ipctk or ipctk:CLASS, e.g. ipctk:AdditiveCCD")
    whose.add_argument("--certificate", metavar="FILE", help="check this certificate of the step, which holds its own answer")
    whose.add_argument("--method", choices=arguments.PAIR_METHODS, help="grade one of our own methods")
    parser.add_argument("--components", action="store_true", help="no connected component collides with itself")
    arguments.add_exclude_near(parser)
    parser.add_argument("--sample", type=int, metavar="N", help="let a peer answer every true contact and N other candidates")
    parser.add_argument("--worst", type=int, default=10, metavar="N", help="cases to show (10)")
    parser.add_argument("--write", metavar="FILE.npz", help="keep the answers that were graded")
    arguments.add_options(parser, methods=())
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Grade and print; the exit code reports whether the answers are sound."""
    if len(given.files) > 2 or (len(given.files) == 1) != given.files[0].endswith(".csv"):
        raise ArgumentError(f"{', '.join(given.files)}: give two frames, or one query file that ends in .csv")
    if given.worst < 0 or (given.sample is not None and given.sample < 1):
        raise ArgumentError("--worst must not be negative, --sample must be positive")
    _refuse(given)
    if given.certificate:
        return _certificate(given)
    graded, report = _queries(given) if len(given.files) == 1 else _scene(given)
    if given.write:
        columns: dict[str, Any] = {"hit": graded.hit, "toi": graded.toi}
        if graded.kind is not None and graded.pairs is not None:
            columns |= {"kind": graded.kind, "a": graded.pairs[:, 0], "b": graded.pairs[:, 1]}
        name = given.write if given.write.endswith(".npz") or _special(given.write) else f"{given.write}.npz"
        write.whole(name, numpy_files.packed(columns))
    if given.json:
        output.emit_report({"files": given.files, "whose": _whose(given)} | report.as_dict())
    else:
        output.say_report(_text_of(given, report))
    return FOUND_NOTHING if report.sound else FOUND


def _refuse(given: argparse.Namespace) -> None:
    """Refuse the options that would have no effect."""
    if given.certificate:
        why = f"{given.certificate} says itself what it claims, and its checker has options for pairs that are left out alone"
        near = () if given.exclude_near is None else ("--min-separation",)
        arguments.refuse_others(given, ("--certificate", "--components", "--exclude-near", "--json", *near), why)
        return
    if len(given.files) == 1:
        arguments.refuse(
            given, ("--components", "--exclude-near", "--sample"), f"{given.files[0]} holds queries, which are all answered"
        )
    else:
        arguments.refuse(given, ("--kind",), "it is of a CSV of queries, and these are two frames")
    if not given.peer:
        arguments.refuse(given, ("--sample",), "only answers of a peer, --peer, are sampled")
    if not given.method:
        arguments.refuse(given, ("--tolerance", "--max-iterations"), "they are of our own methods, --method")


def _certificate(given: argparse.Namespace) -> int:
    """Check a certificate and that its mesh moves as the frames say."""
    if len(given.files) != 2:
        raise ArgumentError("--certificate: give the two frames of the step")
    surface, (start, end) = models.frames(given.files, given)
    mesh = models.mesh(given.files[0], surface)
    with output.bar("checking"):
        report = certificate.check(given.certificate)
    if given.components:
        mesh.set_component_groups()
    models.exclude_near(given, mesh, start)
    if report.holds and report.mesh != certificate.digest(mesh, start, end):
        pairs = "it leaves out other pairs (--components, --exclude-near with the step's --min-separation)"
        report = certificate.Report(False, [], f"its mesh is another one, or moves otherwise, or {pairs}")
    if given.json:
        output.emit_report({"files": given.files, "whose": given.certificate, "certificate": dict(vars(report))})
    else:
        said = report.statement if report.holds else [report.reason]
        output.say_report("\n".join(["the certificate " + ("HOLDS" if report.holds else "DOES NOT HOLD"), *said]))
    return FOUND_NOTHING if report.holds else FOUND


def _special(path: str) -> bool:
    """Whether this is a pipe or device, whose name is its own."""
    return os.path.exists(path) and not os.path.isfile(path)


def _whose(given: argparse.Namespace) -> str:
    return str(given.answers or given.peer or given.method)


def _grading(given: argparse.Namespace, progress: Any) -> dict[str, Any]:
    options = arguments.options(given)
    chosen = {name: options[name] for name in ("min_separation", "t_max", "threads", "norm")}
    return chosen | {"progress": progress, "worst": given.worst}


def _ours(given: argparse.Namespace, progress: Any) -> dict[str, Any]:
    return arguments.options(given) | {"progress": progress}


def _as_answers(impacts: np.ndarray, **where: Any) -> Answers:
    """Our impacts as answers; undecided counts as a hit at toi_lo, which is how a simulator must take it."""
    return Answers(impacts["verdict"] != Verdict.SEPARATE, impacts["toi_lo"], **where)


def _queries(given: argparse.Namespace) -> tuple[Answers, Report]:
    path = given.files[0]
    kind = arguments.kind_of(path, given.kind)
    with output.bar(f"reading {path}"):
        q = read_queries(path).q
    if not len(q):
        raise FileError(f"{path} holds no queries: there is nothing to grade")
    with output.bar("answers") as progress:
        if given.answers:
            answers = answers_.read(given.answers)
        elif given.peer:
            answers = answers_.peer(given.peer, given.min_separation, given.t_max)(kind, q, progress)
        else:
            answers = _as_answers(pair.solve(kind, q, **_ours(given, progress)))
    with checks.naming(given.answers or path), output.bar("grading") as progress:
        return answers, verify.queries(kind, q, answers, **_grading(given, progress))


def _scene(given: argparse.Namespace) -> tuple[Answers, Report]:
    surface, (start, end) = models.frames(given.files, given)
    mesh = models.mesh(given.files[0], surface)
    if given.components:
        mesh.set_component_groups()
    models.exclude_near(given, mesh, start)
    with output.bar("answers") as progress:
        if given.answers:
            answers = answers_.read(given.answers)
        elif given.peer:
            answers = _peer(given, mesh, start, end, progress)
        else:
            found = step.collisions(mesh, start, end, **_ours(given, progress))
            answers = _as_answers(found, kind=found["kind"], pairs=np.column_stack([found["a"], found["b"]]))
    with checks.naming(given.answers or given.files[0]), output.bar("grading") as progress:
        return answers, verify.scene(mesh, start, end, answers, **_grading(given, progress))


def _peer(given: argparse.Namespace, mesh: Any, start: Any, end: Any, progress: Any) -> Answers:
    """The peer's answers to all our candidates, or to a sample of them."""
    decide = answers_.peer(given.peer, given.min_separation, given.t_max)
    found = broad.candidates(mesh, start, end, min_separation=given.min_separation, threads=given.threads)
    kinds = np.concatenate([np.full(len(found[kind]), kind, np.int32) for kind in Kind])
    pairs = np.concatenate([found[kind] for kind in Kind])
    if given.sample is not None and given.sample < len(pairs):
        met = step.collisions(mesh, start, end, min_separation=given.min_separation, t_max=given.t_max, threads=given.threads)
        chosen = np.random.default_rng(0).choice(len(pairs), given.sample, replace=False)  # the same ones every time
        kinds = np.concatenate([kinds[chosen], met["kind"]])
        pairs = np.concatenate([pairs[chosen], np.column_stack([met["a"], met["b"]])])
        kinds, pairs = _distinct(kinds, pairs)
    hit, toi, done = np.zeros(len(pairs), bool), np.full(len(pairs), np.nan), 0
    for kind in Kind:
        rows = np.flatnonzero(kinds == kind)
        for block in np.array_split(rows, max(1, len(rows) // 65536)):  # the queries of all pairs at once would not fit
            part = decide(kind, verify.gather(mesh, start, end, kind, pairs[block]), None)
            hit[block], toi[block] = part.hit, part.toi
            done += len(block)
            if progress is not None:
                progress(done / len(pairs))
    return Answers(hit, toi, kinds, pairs)


def _distinct(kinds: np.ndarray, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows = np.unique(np.column_stack([kinds, pairs]), axis=0)
    return rows[:, 0].astype(np.int32), rows[:, 1:]


def _text_of(given: argparse.Namespace, report: Report) -> str:
    def share(number: int) -> str:
        return output.count(number) + (f"  ({100 * number / report.answers:.3g} % of the answers)" if number else "")

    absent = f"  ({report.absent:,} without an answer)" if report.absent else ""
    rows = [
        ("answers of", _whose(given)),
        ("oracle", f"{report.oracle}, minimum separation {given.min_separation:g}"),
        ("answers", output.count(report.answers)),
        ("true contacts", output.count(report.contacts)),
        ("missed contacts", output.count(report.missed) + absent),
        ("late times", output.count(report.late)),
        ("malformed", output.count(report.malformed)),
        ("false contacts", share(report.false_contacts)),
    ]
    if report.unknown:
        rows.append(("unknown", output.count(report.unknown)))
    if report.earliness:
        rows.append(("earliness", "mean {mean:.3g}, median {median:.3g}, max {max:.3g} of the step".format(**report.earliness)))
    rows.append(("verdict", "sound" if report.sound else "NOT SOUND"))
    text = output.lines(rows)
    if report.worst:
        cells = [
            (w["problem"], w["kind"], str(w["a"]), str(w["b"]), output.time(w["true_toi"]), output.time(w["toi"]))
            for w in report.worst
        ]
        text += "\n\n" + output.table(("worst", "kind", "a", "b", "true toi", "reported"), cells)
    return text
