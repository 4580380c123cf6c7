"""The command `ccd robot check`: paths of a robot, proven free of collisions, or with a counterexample."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from .. import errors, robot
from ..view import Page
from . import arguments, models, output
from .exit_codes import FOUND, FOUND_NOTHING

_SHOWN = 20  # the number of edges that the text lists


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd robot`."""
    parser.description = (
        "Check a path of a robot's joints against the robot itself and a scene that rests. Each edge is free (proven),"
        " collides (proven: with the time, the links and a point), or is undecided within the tolerance. Joints that leave"
        " their limits are listed. Exit with 1 unless all edges are free and within the limits."
    )
    text = "what to do: check or replay; replay checks the edge of a replay file again"
    parser.add_argument("action", metavar="{check,replay}", type=_action, help=text)
    parser.add_argument("urdf", metavar="ROBOT", help="URDF, which needs yourdfpy, or MJCF; a replay file for replay")
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        help="CSV: a line with the joints' names, then a waypoint a line; a column time or t is optional",
    )
    text = (
        "files of objects that rest, in the base's coordinates: OBJ, PLY, STL, OFF, MSH, MEDIT or VTK; NAME=FILE gives a name"
    )
    parser.add_argument("--scene", metavar="FILE", nargs="+", action="extend", default=[], help=text)
    parser.add_argument("--srdf", metavar="FILE", help="pairs of links that may touch: disable_collisions")
    text = "the robot stands on the planar or floating virtual_joint of the SRDF file, of which the path has values"
    parser.add_argument("--mobile", action="store_true", help=text)
    text = "links or objects that may touch; adjacent links may anyway; repeat it for further pairs"
    parser.add_argument("--allow", metavar="A,B", type=_pair, action="append", default=[], help=text)
    parser.add_argument("--no-adjacent", action="store_true", help="test adjacent links too")
    text = "value of a joint that the path has no column for; repeat it for further joints"
    parser.add_argument("--rest", metavar="JOINT=VALUE", type=_setting, action="append", default=[], help=text)
    parser.add_argument("--packages", metavar="DIR", help="folder of the packages of package:// (folders above the URDF)")
    text = "compute the joints that close the loops of an MJCF file: the path has those of the drives"
    parser.add_argument("--close", action="store_true", help=text)
    text = "how the waypoints are joined (linear)"
    parser.add_argument("--interpolation", choices=["linear", "spline"], default="linear", help=text)
    text = "how continuous joints go between waypoints: by at most half a turn, as in ROS, or as written (shortest)"
    parser.add_argument("--continuous", choices=["shortest", "written"], default="shortest", help=text)
    parser.add_argument("--segments", type=int, default=32, metavar="N", help="sides of the prism around a cylinder (32)")
    parser.add_argument("--min-separation", type=float, default=0.0, metavar="D", help="contact means distance <= D (0)")
    parser.add_argument(
        "--tolerance", type=float, default=1e-6, metavar="D", help="an approach this near may stay undecided (1e-6)"
    )
    parser.add_argument("--max-steps", type=int, default=100000, metavar="N", help="budget of an edge (100000)")
    parser.add_argument("--ignore-limits", action="store_true", help="do not report joints that leave their limits")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="0 = all this process may use (0)")
    parser.add_argument("--all", action="store_true", help=f"list every edge that is not free, not the first {_SHOWN} alone")
    text = "also write an HTML page that plays the path, with its contacts marked"
    parser.add_argument("--view", metavar="FILE.html", help=text)
    text = "also write the first edge that is not free, with its two bodies alone, for the report of a bug"
    parser.add_argument("--save-replay", metavar="FILE.json", help=text)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Check the path and print the result. Return FOUND unless it is free."""
    if given.action == "replay":
        return _replay(given)
    if given.path is None:
        raise errors.ArgumentError("PATH: give a CSV file of the joints' values")
    try:
        with output.bar(f"reading {given.urdf}"):
            model = robot.read(
                given.urdf,
                given.srdf,
                packages=given.packages,
                segments=given.segments,
                allow_adjacent=not given.no_adjacent,
                mobile=given.mobile,
            )
            path = robot.read_path(given.path, given.interpolation)
        if given.close:
            with output.bar("loops"):
                path = _closed(given, model, path)
    except ImportError as error:
        raise errors.ArgumentError(str(error)) from None
    scene = {name: models.surface(file) for name, file in _scene(given.scene).items()}
    options = {name: getattr(given, name) for name in ("min_separation", "tolerance", "max_steps", "threads")}
    more = {"allowed": given.allow, "rest": dict(given.rest), "limits": not given.ignore_limits, "continuous": given.continuous}
    with output.bar("edges") as progress:
        report = robot.check(model, path, scene, progress=progress, **more, **options)
    if given.view is not None:
        with output.bar("page"):
            page = Page(f"{model.name} on {Path(given.path).name}")
            page.facts |= {"edges": output.count(path.edges), "verdict": str(report.verdict)}
            page.add_robot(model, path, scene, report, dict(given.rest))
            page.write(given.view)
    if given.save_replay is not None and report.contact is not None:
        more = {"rest": dict(given.rest), "min_separation": given.min_separation, "tolerance": given.tolerance}
        robot.replay(model, path, report, scene, **more).save(given.save_replay)
    if given.json:
        output.emit_report(_plain(given, model, path, report, options))
    else:
        output.say_report(_text_of(given, model, path, report))
    return FOUND_NOTHING if report.valid else FOUND


def _action(word: str) -> str:
    """The word, if it is what to do. A robot's file in its place gets the whole command."""
    if word not in ("check", "replay"):
        meant = "; did you mean ccd robot check ROBOT PATH?" if Path(word).suffix or Path(word).exists() else ""
        raise argparse.ArgumentTypeError(f"{word!r}: must be check or replay{meant}")
    return word


def _closed(given: argparse.Namespace, model: robot.Robot, path: robot.Path) -> robot.Path:
    """The path with the joints that close the robot's loops."""
    if not model.loops:
        raise errors.ArgumentError(f"--close: {given.urdf} has no loops: those of MJCF files, <connect>, are read")
    if given.rest:
        raise errors.ArgumentError("--close takes values of all drives from the path: give --rest's joints columns in it")
    return robot.close(model, path)


def _replay(given: argparse.Namespace) -> int:
    """Check the edge of a replay file again. Return FOUND unless it is free."""
    if given.path is not None:
        raise errors.ArgumentError(f"PATH is {given.path}: replay takes a replay file alone")
    arguments.refuse_others(given, ("--all", "--json"), f"{given.urdf} is replayed with its own robot and options")
    with output.bar(f"reading {given.urdf}"):
        one = robot.read_replay(given.urdf)
    report = one.check()
    given.path, given.scene, given.allow, given.continuous = given.urdf, sorted(one.scene), [], "written"
    options = {"min_separation": one.min_separation, "tolerance": one.tolerance}
    options |= {"max_steps": given.max_steps, "threads": given.threads}
    if given.json:
        output.emit_report(_plain(given, one.robot, one.path, report, options))
    else:
        output.say_report(_text_of(given, one.robot, one.path, report))
    return FOUND_NOTHING if report.free else FOUND


def _scene(files: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for i, item in enumerate(files):
        name, separator, file = item.partition("=")
        if not separator or Path(item).is_file():
            name, file = Path(item).stem, item
        if name in found:
            raise errors.ArgumentError(f"--scene: file {i + 1}: {name!r} is the name of two objects: write NAME={item}")
        found[name] = file
    return found


def _plain(given: Any, model: robot.Robot, path: robot.Path, report: robot.Report, options: dict[str, Any]) -> dict[str, Any]:
    counts = {str(v): report.count(v) for v in robot.Verdict}
    return {
        "robot": given.urdf,
        "path": given.path,
        "scene": given.scene,
        "joints": list(model.joints),
        "options": options | {name: getattr(given, name) for name in ("interpolation", "continuous", "segments")},
        "verdict": str(report.verdict),
        "edges": path.edges,
        "counts": counts,
        "pairs": report.pairs,
        "contacts": [
            {"verdict": str(e.verdict), "reason": e.reason} | e.contact.as_dict() for e in report.edges if e.contact is not None
        ],
        "shorter": [{"edge": e.edge} | vars(way) for e in report.edges for way in e.shorter],
        "limits": [vars(left) | {"lower": _finite(left.lower), "upper": _finite(left.upper)} for left in report.limits],
        "untested": list(report.untested),
        "open": list(report.open),
        "steps": sum(e.steps for e in report.edges),
        "seconds": report.seconds,
    }


def _text_of(given: argparse.Namespace, model: robot.Robot, path: robot.Path, report: robot.Report) -> str:
    rows = [("robot", f"{model.name}: {len(model.links)} links, {len(model.joints)} joints")]
    rows.append(("path", f"{output.count(path.edges)} edges, {given.interpolation}"))
    rows.append(("pairs", f"{output.count(report.pairs)} tested, {len(model.allowed) + len(given.allow)} allowed"))
    counts = ", ".join(f"{output.count(report.count(v))} {v}" for v in robot.Verdict)
    rows.append((str(report.verdict), f"{counts} (proven, but for undecided)"))
    shown = [e for e in report.edges if e.contact is not None]
    for e in shown if given.all else shown[:_SHOWN]:
        assert e.contact is not None
        rows.append((f"edge {e.edge}", _line(e, e.contact)))
    if len(shown) > _SHOWN and not given.all:
        rows.append(("", f"and {output.count(len(shown) - _SHOWN)} more: --all lists them"))
    for left in report.limits if given.all else report.limits[:_SHOWN]:
        limits = f"value {left.value:.9g}, limits [{left.lower:.9g}, {left.upper:.9g}]"
        place = f"leaves its limits before s = {left.s:.9g}" if left.s > 0 else "is outside of its limits at s = 0"
        rows.append((f"edge {left.edge}", f"{left.joint} {place}: {limits}"))
    if len(report.limits) > _SHOWN and not given.all:
        rows.append(("", f"and {output.count(len(report.limits) - _SHOWN)} more limits: --all lists them"))
    rows += _short_ways(given, report)
    if report.untested:
        rows.append(("no shapes", f"{', '.join(report.untested)}: not tested"))
    if report.open:
        rows.append(("open", f"{', '.join(report.open)}: what is inside of them is not known"))
    rows.append(("steps", output.count(sum(e.steps for e in report.edges))))
    rows.append(("time", output.seconds(report.seconds)))
    return output.lines(rows)


def _short_ways(given: argparse.Namespace, report: robot.Report) -> list[tuple[str, str]]:
    """Lines of the continuous joints that do not go as written."""
    ways = [(e.edge, way) for e in report.edges for way in e.shorter]
    shown = ways if given.all else ways[:_SHOWN]
    text = "{0.joint} goes the short way, from {0.start:.9g} to {0.end:.9g} (written: {0.written:.9g})"
    rows = [(f"edge {edge}", text.format(way)) for edge, way in shown]
    if len(ways) > len(shown):
        rows.append(("", f"and {output.count(len(ways) - len(shown))} more short ways: --all lists them"))
    return rows


def _finite(x: float) -> float | None:
    """A number of JSON, which has no infinity: null."""
    return x if math.isfinite(x) else None


_HOW = {
    "crossing": "cross",
    "near": "within the separation",
    "inside": "one inside of the other",
    "overlap": "overlap",
    "tolerance": "within the tolerance",
}


_WHY = {"": "", "tolerance": "", "iterations": ": max_steps was reached", "coarse": ": doubles are too coarse"}


def _line(edge: robot.EdgeReport, c: robot.Contact) -> str:
    place = "({:.6g}, {:.6g}, {:.6g})".format(*c.point)
    start = (
        f"{edge.verdict}{_WHY[edge.reason]} at s = {c.s:.9g} (time {c.time:.9g}): {c.a} and {c.b}, {_HOW[c.how]}, at {place}"
    )
    return f"{start}; free before s = {c.s_free:.9g}"


def _pair(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise argparse.ArgumentTypeError(f"{text!r}: give two names with a comma between")
    return names[0], names[1]


def _setting(text: str) -> tuple[str, float]:
    name, separator, value = text.rpartition("=")
    try:
        if not separator:
            raise ValueError
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: give JOINT=VALUE") from None
