"""The command `ccd` (also `python -m ccd`): step, volume, rigid, patch, query, check, verify, view, plot, info.

Exit codes: 0 done, and nothing found; 1 found something (step, volume: a contact, or not proven separate; query: an answer that
disagrees with the file's truth; check: an intersection; verify: a missed contact or a late time); 2 bad usage or bad
input; 3 cancelled; 4 the library cannot be loaded or has a defect; 141 the reader of the output (as head) has gone.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import __version__, _abi, _completion, _inputs, _schema, _text, errors, pair, simd_level, step, version
from .files import read_queries
from .impact import Impact, Kind, Verdict
from .mesh import Mesh
from .options import Method, Stats

FOUND_NOTHING, FOUND, BAD_INPUT, CANCELLED, DEFECT = range(5)
UNREAD = 141  # what a shell says of a program that SIGPIPE has ended: never "found nothing", which nobody has read


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    try:
        given = _parsed(sys.argv[1:] if arguments is None else list(arguments))
        _text.quiet = getattr(given, "json", False)
        code: int = given.run(given)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader (head, say) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except (KeyboardInterrupt, errors.Cancelled):
        return _fail("cancelled", CANCELLED)
    except (errors.LibraryError, errors.InternalError, errors.ForkedError) as error:
        return _fail(str(error), DEFECT)
    except (errors.Error, OSError) as error:
        return _fail(str(error), BAD_INPUT)
    except MemoryError as error:
        return _fail(str(error) or "out of memory", BAD_INPUT)
    except Exception:  # Python's own exit code would be 1, which says that a contact was found or missed
        traceback.print_exc()
        return _fail("a defect; please report the text above", DEFECT)


def _fail(text: str, code: int) -> int:
    print(f"ccd: {text}", file=sys.stderr)
    return code


# ---- usage


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """The arguments by name. A word that a command does not know is refused with the usage of that command.

    argparse hands it back to the root parser, which would print its own.
    """
    parser = _parser()
    given, rest = parser.parse_known_args(arguments)
    if rest:
        before = arguments[: arguments.index(given.called)]
        (commands,) = (action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))
        one = parser if rest[0] in before else commands[given.called]
        one.error(f"unrecognized arguments: {' '.join(rest)}")
    return given


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ccd",
        description="Continuous collision detection: at what time two parts of a moving mesh first touch, with proof.",
        epilog=(__doc__ or "").split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ccd-toi {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="called")

    one = commands.add_parser("step", help="the impacts of a mesh over one step")
    one.add_argument("frame0", metavar="A", help="mesh at the start: OBJ, PLY, STL, OFF, MSH, MEDIT or VTK")
    one.add_argument("frame1", metavar="B", help="mesh at the end, or its vertices as .npy")
    _deciding(one)
    one.add_argument("--components", action="store_true", help="no connected component collides with itself")
    listing = one.add_mutually_exclusive_group()
    listing.add_argument("--all", action="store_true", help="list every impact")
    listing.add_argument("--earliest", action="store_true", help="find the earliest only; faster, and counts no others")
    one.set_defaults(run=_step)

    many = commands.add_parser("query", help="queries from files in the datasets' format")
    many.add_argument("files", metavar="FILE.csv", nargs="+", help="8 rows a query: x, y, z as numerator and denominator")
    many.add_argument("--kind", type=_kind, choices=list(Kind), help="of the queries (vf, ee, ...); else told by the path")
    _deciding(many)
    many.add_argument("--all", action="store_true", help="list the answer to every query")
    many.set_defaults(run=_query)

    from . import _cli_check, _cli_patch, _cli_plot, _cli_rigid, _cli_verify, _cli_view, _cli_volume

    _cli_check.add(commands.add_parser("check", help="does a mesh intersect itself, and the smallest distance within it"))
    _cli_volume.add(commands.add_parser("volume", help="the contacts of a mesh of elements over one step"))
    _cli_rigid.add(commands.add_parser("rigid", help="the earliest contact of two rigid bodies that move and turn"))
    _cli_patch.add(commands.add_parser("patch", help="when two bodies of curved patches first touch, and where"))
    _cli_verify.add(commands.add_parser("verify", help="grade answers, ours or another library's, by the exact method"))

    _cli_view.add(commands.add_parser("view", help="a step as one page to look at in a browser"))

    _cli_plot.add(commands.add_parser("plot", help="charts of the benchmark reports, or of any table, as SVG"))

    about = commands.add_parser("info", help="versions, SIMD level, threads, where the library is")
    about.add_argument("--json", action="store_true", help="print one JSON object")
    about.set_defaults(run=_info)

    words = commands.add_parser("completion", help="a script that completes this command's words in a shell")
    words.add_argument("shell", choices=list(_completion.SHELLS), help='e.g. in ~/.bashrc: eval "$(ccd completion bash)"')
    words.add_argument("--json", action="store_true", help="print one JSON object")
    words.set_defaults(run=lambda given: _complete(parser, given))

    _schema.add(commands.add_parser("schema", help="what --json prints: the JSON schema of a command's answer"))
    for action in commands._choices_actions:  # a command that says no more of itself says what the list of commands does
        name, help_ = action.dest, action.help or ""
        commands.choices[name].description = commands.choices[name].description or f"{help_[:1].upper()}{help_[1:]}."
    return parser


def _complete(parser: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    script = _completion.script(parser, given.shell)
    if given.json:
        _text.emit_json({"shell": given.shell, "script": script})
    else:
        print(script)
    return FOUND_NOTHING


def _deciding(parser: argparse.ArgumentParser, method: bool = True) -> None:
    parser.add_argument("--min-separation", type=float, default=0.0, metavar="D", help="contact means distance <= D (0)")
    parser.add_argument("--tolerance", type=float, default=1e-6, help="how near a reported contact must be (1e-6)")
    parser.add_argument("--t-max", type=float, default=1.0, help="only times up to this fraction of the step count (1)")
    if method:
        names = [str(m) for m in Method]
        parser.add_argument("--method", choices=names, default="default", help="default: exact unless Euclidean")
    parser.add_argument("--max-boxes", type=int, default=1000000, help="budget of one query; 0 = none (1000000)")
    parser.add_argument("--threads", type=int, default=0, help="0 = all this process may use")
    parser.add_argument("--euclidean", action="store_true", help="D in the Euclidean norm instead of the max norm")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _options(given: argparse.Namespace) -> dict[str, Any]:
    return dict(
        min_separation=given.min_separation,
        tolerance=given.tolerance,
        t_max=given.t_max,
        method=getattr(given, "method", None) or "default",
        max_boxes=given.max_boxes,
        threads=given.threads,
        euclidean=given.euclidean,
    )


def _kind(name: str) -> Kind:
    try:
        kind: Kind = Kind.of("kind", name)
        return kind
    except errors.ArgumentError:
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(map(str, Kind))}") from None


# ---- step


def _step(given: argparse.Namespace) -> int:
    surface, end = _inputs.frames(given.frame0, given.frame1)
    mesh, stats = _inputs.mesh(given.frame0, surface), Stats()
    if given.components:
        mesh.set_components()
    first: Impact | None
    with _text.bar("step") as progress:
        options = _options(given) | {"stats": stats, "progress": progress}
        if given.earliest:
            impacts, first = None, step.earliest(mesh, surface.vertices, end, **options)
        else:
            impacts = step.collisions(mesh, surface.vertices, end, **options)
            first = Impact.from_record(impacts[0]) if len(impacts) else None
    verdict = first.verdict if first else Verdict.SEPARATE
    if given.json:
        report: dict[str, Any] = {"frames": [given.frame0, given.frame1]} | _mesh_json(mesh) | {"options": _options(given)}
        report |= {"verdict": str(verdict), "earliest": first.as_dict() if first and not first.separate else None}
        report["stats"] = stats.as_dict()
        if given.all and impacts is not None:
            report["impacts"] = [Impact.from_record(record).as_dict() for record in impacts]
        _text.emit_json(report)
    else:
        print(_step_text(given, mesh, first, stats))
        if given.all and impacts is not None and len(impacts):
            with _text.bar("table"):
                table = _impact_table(impacts)
            print("\n" + table)
    return FOUND_NOTHING if verdict == Verdict.SEPARATE else FOUND


def _mesh_json(mesh: Mesh) -> dict[str, int]:
    return dict(zip(("vertices", "edges", "faces"), mesh.counts))


def _step_text(given: argparse.Namespace, mesh: Mesh, first: Impact | None, stats: Stats) -> str:
    rows = [("mesh", "{:,} vertices, {:,} edges, {:,} faces".format(*mesh.counts))]
    if first is None or first.separate:
        rows.append(("separate", f"proven for every t in [0, {given.t_max:g}]"))
    else:
        rows.append(("earliest", f"{first.kind} {first.a} {first.b} at t = {_text.time(first.toi_lo)}"))
        rows.append(("verdict", str(first.verdict) + (", at the start already" if first.initial else "")))
        rows.append(("at", "({:.6g}, {:.6g}, {:.6g})".format(*first.point)))
        rows.append(("normal", "({:.6g}, {:.6g}, {:.6g})".format(*first.normal)))
    candidates = [f"{_text.count(n)} {kind}" for kind, n in stats.candidates.items() if n or kind <= Kind.EDGE_EDGE]
    rows.append(("boxes", _text.count(stats.boxes)))
    rows.append(("candidates", ", ".join(candidates)))
    if not given.earliest:
        undecided = f" ({_text.count(stats.undecided)} undecided)" if stats.undecided else ""
        rows.append(("impacts", _text.count(stats.impacts) + undecided))
    for phase in ("build", "broad", "narrow", "total"):
        rows.append((phase, _text.seconds(getattr(stats, f"seconds_{phase}"))))
    rows.append(("threads", str(stats.threads)))
    return _text.lines(rows)


def _impact_table(impacts: NDArray[np.void]) -> str:
    rows = []
    for record in impacts:
        verdict, kind = Verdict(int(record["verdict"])), Kind(int(record["kind"]))
        rows.append((str(kind), str(record["a"]), str(record["b"]), _text.time(record["toi_lo"]), str(verdict)))
    return _text.table(("kind", "a", "b", "toi", "verdict"), rows)


# ---- query


def kind_of(path: str, given: Kind | None) -> Kind:
    """The kind of a file's queries: as given, or told by its path, the nearest part first."""
    if given is not None:
        return given
    for part in reversed(Path(path).resolve().parts):
        name = part.lower().replace("_", "-")
        for kind, word, short in ((Kind.VERTEX_FACE, "vertex-face", "vf"), (Kind.EDGE_EDGE, "edge-edge", "ee")):
            if word in name or (name.endswith(".csv") and name.split(".")[0].endswith(short)):
                return kind
    raise errors.ArgumentError(f"{path}: the path does not tell the kind of its queries: give --kind")


def _query(given: argparse.Namespace) -> int:
    options, reports = _options(given), []
    for path in given.files:
        kind = kind_of(path, given.kind)
        with _text.bar(f"reading {path}"):
            queries = read_queries(path)
        if not len(queries):
            raise errors.FileError(f"{path} holds no queries")
        with _text.bar(Path(path).name) as progress:
            impacts = pair.solve(kind, queries.q, **options, progress=progress)
        reports.append(_agreement(path, kind, impacts, queries.truth))
        if given.all:
            reports[-1]["answers"] = [Impact.from_record(record).as_dict() for record in impacts]
    total = _total(reports)
    if given.json:
        _text.emit_json({"options": options, "files": reports, "total": total})
    else:
        print(_query_text(given, reports, total))
    # The truth is about touching: with a separation, or a tolerance, further contacts are no disagreement.
    exact = options["min_separation"] == 0 and options["method"] in ("default", "exact") and options["t_max"] == 1
    wrong = total["missed"] + (total["false_contacts"] if exact else 0)
    return FOUND if wrong else FOUND_NOTHING


_TALLIES = ("queries", "contacts", "undecided", "truths", "missed", "false_contacts")


def _agreement(path: str, kind: Kind, impacts: NDArray[np.void], truth: NDArray[np.bool_] | None) -> dict[str, Any]:
    separate = impacts["verdict"] == Verdict.SEPARATE
    contact = impacts["verdict"] == Verdict.CONTACT
    return {
        "file": path,
        "kind": str(kind),
        "queries": len(impacts),
        "contacts": int(contact.sum()),
        "undecided": int((~separate & ~contact).sum()),
        "truths": 0 if truth is None else len(truth),
        "missed": 0 if truth is None else int((truth & separate).sum()),
        "false_contacts": 0 if truth is None else int((~truth & contact).sum()),
    }


def _total(reports: list[dict[str, Any]]) -> dict[str, int]:
    return {name: sum(report[name] for report in reports) for name in _TALLIES}


def _query_text(given: argparse.Namespace, reports: list[dict[str, Any]], total: dict[str, int]) -> str:
    rows = [[r["file"], r["kind"], *(_cell(name, r) for name in _TALLIES)] for r in reports]
    if len(reports) > 1:
        rows.append(["total", "", *(_cell(name, total) for name in _TALLIES)])
    header = ("file", "kind", "queries", "contacts", "undecided", "with truth", "missed", "false contacts")
    text = _text.table(header, rows)
    for report in reports if given.all else ():
        answers = [
            (str(i), a["verdict"], _text.time(a["toi_lo"]), f"{a['u']:.6g}", f"{a['v']:.6g}")
            for i, a in enumerate(report["answers"])
        ]
        text += f"\n\n{report['file']}\n" + _text.table(("query", "verdict", "toi", "u", "v"), answers)
    return text


def _cell(name: str, report: dict[str, Any]) -> str:
    return "-" if name in ("missed", "false_contacts") and not report["truths"] else _text.count(report[name])


# ---- info


def _info(given: argparse.Namespace) -> int:
    facts = {
        "package": __version__,
        "library": str(_abi.library_path()),
        "library_version": f"{version() // 10000}.{version() // 100 % 100}.{version() % 100}",
        "simd_level": simd_level(),
        "threads": _threads(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
    }
    if given.json:
        _text.emit_json(facts)
    else:
        print(_text.lines((name.replace("_", " "), str(value)) for name, value in facts.items()))
    return FOUND_NOTHING


def _threads() -> int:
    """Threads a call uses by default: an empty call says so itself."""
    stats = Stats()
    step.earliest(Mesh(vertices=0), np.empty((0, 3)), np.empty((0, 3)), stats=stats)
    return stats.threads
