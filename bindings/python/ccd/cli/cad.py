"""The command `ccd cad`: an assembly of a CAD file at rest and over a drive."""

from __future__ import annotations

import argparse
import csv
import io
import math
from typing import Any

import numpy as np

from .. import cad, errors, plot
from .._io import write
from ..clearance import clearance_dtype
from . import clearances, output, remarks
from .exit_codes import FOUND, FOUND_NOTHING

_SHOWN = 40  # the number of pairs that the text lists
_DRAWN = 10  # the number of pairs of a profile


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd cad`."""
    parser.description = (
        "Read an assembly from STEP or IGES. Without a drive: list its parts, and those that touch, cross or are inside of"
        " each other, with the volumes that they have in common. With one:"
        " list the pairs that come into contact or near each other, with proven times and clearances. Lengths are in"
        " millimeters. Exit with 1 if something crosses, is in contact or is undecided."
    )
    parser.add_argument(
        "file", metavar="FILE", help="STEP (AP203, AP214, AP242) or IGES (.igs, .iges); needs cadquery-ocp-novtk"
    )
    parser.add_argument("--motion", metavar="FILE", help="CSV of poses or of joints' values, or G-code (.nc, .gcode, .ngc)")
    parser.add_argument("--joints", metavar="FILE.json", help="the joints and loops, for values of joints; for G-code the axes")
    parser.add_argument("--near", type=float, metavar="D", help="measure pairs that come within D (a hundredth of the size)")
    parser.add_argument("--min-separation", type=float, default=0.0, metavar="D", help="contact means distance <= D (0)")
    parser.add_argument("--tolerance", type=float, metavar="D", help="width of brackets (1e-6 of the size)")
    parser.add_argument(
        "--deviation", type=float, metavar="D", help="how far triangles may be off at first (1e-3 of a part's size)"
    )
    text = "parts that may be in contact; repeat it for further pairs"
    parser.add_argument("--allow", metavar="A,B", type=_pair, action="append", default=[], help=text)
    text = "parts that may be in contact but in rapid moves, as tool and stock; repeat it for further pairs"
    parser.add_argument("--cutting", metavar="A,B", type=_pair, action="append", default=[], help=text)
    parser.add_argument("--keep-touching", action="store_true", help="also test pairs that are in contact at the first row")
    parser.add_argument("--all", action="store_true", help=f"list every pair, not the first {_SHOWN} alone")
    parser.add_argument("--view", metavar="FILE.html", help="also write an HTML page that plays the drive")
    parser.add_argument("--csv", metavar="FILE", help="also write the pairs, over the drive and at rest, as CSV")
    text = (
        f"also write the distances of the listed pairs, the first {_DRAWN} of them, at {clearances.TIMES} times of the drive as"
        " charts (.svg), else as a table in CSV"
    )
    parser.add_argument("--profile", metavar="FILE", help=text)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Check the assembly and print the result. Return FOUND unless all is clear."""
    if given.motion is None:
        of_drives = "--joints", "--near", "--cutting", "--view", "--keep-touching", "--min-separation", "--profile"
        given_more = [n for n in given.named if n in of_drives]
        if given_more:
            raise errors.ArgumentError(f"{given_more[0]} would have no effect without --motion; leave it out")
    try:
        with output.bar(f"reading {given.file}"):
            assembly = cad.read(given.file)
    except ImportError as error:
        raise errors.ArgumentError(str(error)) from None
    if given.motion is None:
        return _rest(given, assembly)
    drive = _drive(given, assembly)
    with output.bar("pairs") as progress:
        report = cad.check(
            drive,
            near=given.near,
            min_separation=given.min_separation,
            tolerance=given.tolerance,
            deviation=given.deviation,
            allow=given.allow,
            cutting=given.cutting,
            skip_touching=not given.keep_touching,
            progress=progress,
        )
    if given.view is not None:
        with output.bar("page"):
            cad.write_page(given.view, drive, report, deviation=given.deviation)
    if given.csv is not None:
        write.whole(given.csv, _csv(report.pairs, report.rest).encode())
    if given.profile is not None and not report.pairs:
        remarks.note(f"{given.profile} was not written: no pair comes within {report.near:.6g}; give a larger --near")
    elif given.profile is not None:
        with output.bar("profile"):
            write.whole(given.profile, _profile(given, drive, report).encode())
    if given.json:
        output.emit_report(_plain(given, assembly, report))
    else:
        output.say_report(_text(given, assembly, drive, report))
    return FOUND_NOTHING if report.clear else FOUND


def _rest(given: argparse.Namespace, assembly: cad.Assembly) -> int:
    """The parts, and those that are in contact."""
    with output.bar("pairs"):
        found = cad.at_rest(assembly, tolerance=given.tolerance, deviation=given.deviation)
    if given.csv is not None:
        write.whole(given.csv, _csv([], found).encode())
    if given.json:
        output.emit_report(
            {"file": given.file, "unit": assembly.unit, "file_unit": assembly.file_unit, "parts": _parts(assembly),
             "rest": [r.as_dict() for r in found], "motion": None, "pairs": [], "skipped": [],
             "near": None, "tolerance": given.tolerance, "deviation": given.deviation,
             "clear": not _bad(found), "seconds": None}
        )  # fmt: skip
    else:
        output.say_report("\n".join([assembly.tree(), *_rest_lines(found)]))
    return FOUND if _bad(found) else FOUND_NOTHING


def _bad(found: list[cad.Rest]) -> bool:
    return any(r.state in ("crossing", "inside", "undecided") for r in found)


def _drive(given: argparse.Namespace, assembly: cad.Assembly) -> cad.Drive:
    joints, degrees = cad.read_joints(given.joints) if given.joints is not None else ([], False)
    loops = cad.read_loops(given.joints) if given.joints is not None else []
    if given.motion.lower().endswith((".nc", ".gcode", ".ngc", ".tap")):
        if not joints:
            raise errors.ArgumentError("--joints: G-code needs the axes of the machine")
        if loops:
            raise errors.ArgumentError(f"{given.joints}: loops are for values of joints, not for G-code: leave them out")
        return cad.read_gcode(assembly, given.motion, joints)
    return cad.read_drive(assembly, given.motion, joints, degrees, loops)


def _parts(assembly: cad.Assembly) -> list[dict[str, Any]]:
    return [
        {"name": p.name, "product": p.product.name, "faces": p.product.faces, "matrix": p.matrix.tolist(),
         "color": None if p.color is None else list(p.color)}
        for p in assembly.parts
    ]  # fmt: skip


def _plain(given: argparse.Namespace, assembly: cad.Assembly, report: cad.Report) -> dict[str, Any]:
    return {
        "file": given.file,
        "unit": assembly.unit,
        "file_unit": assembly.file_unit,
        "parts": _parts(assembly),
        "motion": given.motion,
        "rest": [r.as_dict() for r in report.rest],
        "pairs": [p.as_dict() for p in report.pairs],
        "skipped": [{"a": a, "b": b, "why": why} for a, b, why in report.skipped],
        "near": report.near,
        "tolerance": report.tolerance,
        "deviation": report.deviation,
        "clear": report.clear,
        "seconds": report.seconds,
    }


def _profile(given: argparse.Namespace, drive: cad.Drive, report: cad.Report) -> str:
    """The distances of the first pairs over the drive: a chart for each, or a table of all."""
    times = clearances.times(float(drive.times[0]), float(drive.times[-1]))
    charts, rows = [], ["a,b,t,distance_lo,distance_hi"]
    for p in report.pairs[:_DRAWN]:
        curve = np.zeros(len(times), clearance_dtype)
        found = cad.profile(drive, p.a, p.b, times, deviation=given.deviation)
        curve["time"], curve["lo"], curve["hi"] = times, found[:, 0], found[:, 1]
        charts.append(plot.profile(curve, p, f"{p.a}, {p.b}"))
        names = io.StringIO()
        csv.writer(names, lineterminator="").writerow([p.a, p.b])
        rows += [f"{names.getvalue()},{t!r},{lo!r},{hi!r}" for t, (lo, hi) in zip(times.tolist(), found.tolist())]
    if not given.profile.endswith(".svg"):
        return "\n".join(rows) + "\n"
    return plot.svg(charts)


def _csv(pairs: list[cad.PairReport], rest: list[cad.Rest]) -> str:
    """A row for each pair over the drive, then one for each at rest, which has volumes and no times."""
    out = io.StringIO()
    writer = csv.writer(out)
    head = ["a", "b", "verdict", "lo", "hi", "time", "toi_lo", "toi_hi", "way", "x", "y", "z", "volume_lo", "volume_hi"]
    writer.writerow(head)
    for p in pairs:
        numbers = map(_repr, (p.lo, p.hi, p.time, p.toi_lo, p.toi_hi))
        writer.writerow([p.a, p.b, p.verdict, *numbers, p.way, *map(_repr, p.point), "", ""])
    for r in rest:
        gap = [_repr(r.lo), _repr(r.hi), "", "", "", "rest"]
        writer.writerow([r.a, r.b, r.state, *gap, *map(_repr, (*r.point, r.volume_lo, r.volume_hi))])
    return out.getvalue()


def _repr(x: float) -> str:
    return repr(float(x)) if math.isfinite(x) else ""


def _rest_lines(found: list[cad.Rest]) -> list[str]:
    rows = [(f"{r.a}, {r.b}", r.state, f"[{r.lo:.6g}, {r.hi:.6g}]", _volume(r)) for r in found]
    head = ("at rest", "state", "distance", "common volume")
    return ["", output.table(head, rows)] if rows else ["", "at rest all parts are apart (proven)"]


def _volume(r: cad.Rest) -> str:
    return f"[{r.volume_lo:.6g}, {r.volume_hi:.6g}]" if math.isfinite(r.volume_hi) else "not known"


def _text(given: argparse.Namespace, assembly: cad.Assembly, drive: cad.Drive, report: cad.Report) -> str:
    faces = sum(p.product.faces for p in assembly.parts)
    rows = [
        (
            "assembly",
            f"{assembly.name}: {output.count(len(assembly.parts))} parts, {output.count(faces)} faces, in {assembly.unit}",
        ),
        ("drive", f"{output.count(len(drive.times))} rows, t in [{drive.times[0]:g}, {drive.times[-1]:g}]"),
        ("facets", f"{output.count(report.facets)}, at most {report.deviation:.3g} off at first (proven)"),
        ("tolerance", f"{report.tolerance:.3g}"),
        ("time", output.seconds(report.seconds)),
    ]
    out = [output.lines(rows), *_rest_lines(report.rest)]
    for a, b, why in report.skipped:
        out.append(f"skipped: {a}, {b}: {why}")
    shown = report.pairs if given.all else report.pairs[:_SHOWN]
    if shown:
        table = [
            (
                f"{p.a}, {p.b}",
                p.verdict,
                f"[{p.lo:.9g}, {p.hi:.9g}]",
                f"{p.time:.9g}",
                _number(p.toi_lo),
                _number(p.toi_hi),
                p.way,
            )
            for p in shown
        ]
        head = ("pair", "verdict", "distance", "at t", "no contact before", "overlap at", "way")
        out += ["", output.table(head, table)]
    if len(report.pairs) > len(shown):
        out.append(f"and {output.count(len(report.pairs) - len(shown))} more: --all lists them")
    out += ["", f"All other pairs that move against each other keep more than {report.near:.6g} (proven)."]
    return "\n".join(out)


def _number(x: float) -> str:
    return f"{x:.9g}" if math.isfinite(x) else "-"


def _pair(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise argparse.ArgumentTypeError(f"{text!r}: give two names with a comma between")
    return names[0], names[1]
