"""The command `ccd step`: the impacts of a mesh over one step."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import certificate, step
from ..clearance import Clearance
from ..errors import ArgumentError
from ..files import Surface
from ..impact import EDGE_FACE, FINAL_CONTACT, INITIAL_CONTACT, Impact, Kind, Verdict, kind_of
from ..mesh import Mesh
from ..motion import Motion
from ..options import Device, Stats
from . import arguments, clearances, frames, inside, models, output, recorded
from . import why as words
from .exit_codes import FOUND, FOUND_NOTHING


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd step`."""
    parser.description = (
        "Find the impacts of a mesh over one step, and the edges that pass through faces at its start, which no step resolves."
        " Exit with 1 when there are any. B may be a motion that is not straight."
    )
    text = (
        "mesh at the start: OBJ, PLY, STL, OFF, MSH, MEDIT or VTK, or a frame of a film, as run.glb[3]; without B a film of"
        " two frames, or a pair that --pair has written"
    )
    parser.add_argument("frame0", metavar="A", help=text)
    parser.add_argument("frame1", metavar="B", nargs="?", help="mesh at the end, or its vertices as .npy; or a motion, .npz")
    arguments.add_options(parser)
    arguments.add_radii(parser)
    arguments.add_frames(parser)
    arguments.add_films(parser)
    parser.add_argument("--components", action="store_true", help="no connected component collides with itself")
    arguments.add_exclude_near(parser)
    text = "do not test whether edges pass through faces in A; what does so is then not seen"
    parser.add_argument("--no-check-start", dest="check_start", action="store_false", help=text)
    text = "where to compute; gpu is an error if no graphics processor can be used; see ccd info (cpu)"
    parser.add_argument("--device", choices=[str(d) for d in Device], default="cpu", help=text)
    listing = parser.add_mutually_exclusive_group()
    listing.add_argument("--all", action="store_true", help="list every impact")
    listing.add_argument("--earliest", action="store_true", help="find the earliest only; faster, and counts no others")
    text = "find the earliest, and a safe step for each vertex; print how much of the motion is left"
    listing.add_argument("--per-vertex", action="store_true", help=text)
    text = "list every interval of time in which a pair is in contact; the method must be exact"
    listing.add_argument("--intervals", action="store_true", help=text)
    text = "with --per-vertex: write the positions that the steps lead to, as .npy"
    parser.add_argument("--positions", metavar="FILE", help=text)
    clearances.add(parser, "step")
    text = "say in words which pair limits the step, why, and what to do"
    parser.add_argument("--why", action="store_true", help=text)
    text = "with --why: write the pair to a small file, .npz, which `ccd step FILE` replays"
    parser.add_argument("--pair", metavar="FILE", help=text)
    text = "also write the answer with its proof, which python checker.py and ccd verify --certificate check"
    parser.add_argument("--certificate", metavar="FILE", help=text)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Find the impacts and print them."""
    if given.frame1 is None and models.is_film(given.frame0):
        given.frame0, given.frame1 = models.two_frames(given.frame0, given)
    elif given.frame1 is None and (both := recorded.two_frames(given.frame0, given)) is not None:
        given.frame0, given.frame1 = both
    if given.frame1 is None:
        return _replay(given)
    if given.pair and not given.why:
        raise ArgumentError("--pair needs --why")
    if given.positions and not given.per_vertex:
        raise ArgumentError("--positions needs --per-vertex")
    _refuse_certificate(given)
    surface, way = _read(given)
    mesh, stats = models.mesh(given.frame0, surface), Stats()
    models.thicken(given, mesh)
    if given.components:
        mesh.set_component_groups()
    excluded = models.exclude_near(given, mesh, _start_of(way))
    untested = frames.note_untested(given, mesh)
    first: Impact | None
    each: step.Sizes | None = None
    intervals: NDArray[np.void] | None = None
    with output.bar("step", 2 if given.per_vertex or given.intervals else 1) as progress:
        options = _options(given) | {"stats": stats, "progress": progress}
        if given.per_vertex:
            each = step.sizes(mesh, *way, **options)
        if given.earliest or given.per_vertex:
            impacts, first = None, step.earliest(mesh, *way, **options)
        else:
            impacts = step.collisions(mesh, *way, **options)
            first = Impact.from_record(impacts[0]) if len(impacts) else None
        why = step.why(mesh, *way, **_options(given)) if given.why else None
        if given.intervals:
            intervals = step.intervals(mesh, *way, **arguments.options(given) | {"progress": progress})
        least = _clearance(given, mesh, way)
    if given.certificate:
        _certify(given, mesh, way)
    if each and given.positions:
        with open(given.positions, "wb") as file:
            np.save(file, each.y)
    if why and given.pair and why.cause != step.Cause.NONE:
        why.save(given.pair)
    nested = inside.of_mesh(mesh, _start_of(way), given.threads) if given.check_start else None
    verdict = first.verdict if first else Verdict.SEPARATE
    crossings = int((impacts["kind"] == EDGE_FACE).sum()) if impacts is not None else None
    if given.json:
        report: dict[str, Any] = {"frames": [given.frame0, given.frame1]} | _mesh_json(mesh)
        if excluded is not None:
            report["excluded"] = excluded
        report["options"] = _options(given)
        report |= {"verdict": str(verdict), "earliest": first.as_dict() if first and not first.separate else None}
        report["start_intersects"] = _intersects(first) if given.check_start else None
        report["start_crossings"] = crossings if given.check_start else None
        report["start_nested"] = None if nested is None else inside.mesh_as_json(nested)
        report["stats"] = stats.as_dict()
        if given.certificate:
            report["certificate"] = given.certificate
        if each:
            report["per_vertex"] = {"used": each.used, "floor": each.floor, "resting": each.resting, "passes": each.passes}
        if why:
            report["why"] = _why(why) | {"text": words.text(why)}
        if least:
            report["clearance"] = clearances.as_json(least)
        if given.all and impacts is not None:
            report["impacts"] = [Impact.from_record(record).as_dict() for record in impacts]
        if intervals is not None:
            report["intervals"] = [_interval(record) for record in intervals]
        output.emit_report(report)
    else:
        output.say_report(_lines(given, mesh, first, crossings, nested, stats, each, untested, least, excluded))
        if why:
            output.say(f"\n{words.text(why)}")
        if given.all and impacts is not None and len(impacts):
            with output.bar("table"):
                table = _table(impacts)
            output.say("\n" + table)
        if intervals is not None:
            output.say(f"\n{output.count(len(intervals))} intervals of contact\n" + _intervals_table(intervals))
    return FOUND_NOTHING if verdict == Verdict.SEPARATE else FOUND


def _clearance(given: argparse.Namespace, mesh: Mesh, way: tuple[Any, ...]) -> Clearance | None:
    """The least distance over the step, and its profile in a file, where they were asked for."""
    if not (given.clearance or given.profile):
        return None
    options = {"check_start": given.check_start, "threads": given.threads}
    least = step.clearance(mesh, *way, t_max=given.t_max, **options)
    if given.profile:
        curve = step.profile(mesh, *way, times=clearances.times(0, given.t_max), **options)
        clearances.write_profile(given.profile, curve, least)
    return least


def _replay(given: argparse.Namespace) -> int:
    """Say why the step of a saved pair is short."""
    if not given.frame0.endswith(".npz"):
        raise ArgumentError(f"B is missing: give the mesh at the end, or its vertices; {given.frame0} is no saved pair, .npz")
    why_not = f"without B, {given.frame0} is a saved pair, which holds its own options, and why its step is short is said"
    arguments.refuse_others(given, ("--why", "--json"), why_not)
    why = step.replay(given.frame0)
    if given.json:
        output.emit_json({"pair": given.frame0, "why": _why(why)})
    else:
        output.say(str(why))
    return FOUND_NOTHING if why.cause == step.Cause.NONE else FOUND


def _why(why: step.Why) -> dict[str, Any]:
    found: dict[str, Any] = {"cause": str(why.cause), "text": str(why), "alpha": why.alpha}
    if why.cause != step.Cause.NONE:
        found |= {"kind": str(why.impact.kind), "a": why.impact.a, "b": why.impact.b, "vertices": list(why.vertices)}
        found |= {"distance": why.distance_hi, "separation": why.separation, "radii": list(why.radii)}
        found |= {"initial": why.initial, "rings": why.rings}
    return found


def _refuse_certificate(given: argparse.Namespace) -> None:
    """Refuse with --certificate what a certificate is not about."""
    if not given.certificate:
        return
    others = {"--radius": given.radius is not None, "--radii": given.radii is not None}
    others |= {"--norm": given.norm == "max", "--method": str(given.method) not in ("default", "exact")}
    for name, is_given in others.items():
        if is_given:
            raise ArgumentError(f"--certificate: certificates know no {name}; leave one of the two out")
    if given.frame1.endswith(".npz"):
        raise ArgumentError(f"--certificate: {given.frame1} is a motion; certificates are of straight paths")


def _certify(given: argparse.Namespace, mesh: Mesh, way: tuple[Any, ...]) -> None:
    with output.bar("certificate"):
        certificate.write(
            given.certificate,
            mesh,
            *way,
            claim="earliest" if given.earliest or given.per_vertex else "collisions",
            check_start=given.check_start,
            min_separation=given.min_separation,
            t_max=given.t_max,
            threads=given.threads,
        )


def _read(given: argparse.Namespace) -> tuple[Surface, tuple[Any, ...]]:
    """The mesh, and how it moves: from one array of vertices to another, or as a motion says."""
    if not given.frame1.endswith(".npz"):
        remark = f"'ccd volume {given.frame0} {given.frame1}' tests the elements too"
        surface, way = models.bounded_frames([given.frame0, given.frame1], given, remark)
        return surface, tuple(way)
    if given.intervals:
        raise ArgumentError(f"--intervals: {given.frame1} is a motion, of which no intervals are computed")
    models.refuse_frames(given, given.frame1)
    surface = models.bounded(given.frame0, given, "a motion moves no elements")
    return surface, (models.motion(given.frame1, len(surface.vertices), given.frame0),)


def _start_of(way: tuple[Any, ...]) -> NDArray[np.float64]:
    """The vertices at the start of a step."""
    return way[0].at(0.0) if isinstance(way[0], Motion) else way[0]


def _options(given: argparse.Namespace) -> dict[str, Any]:
    return arguments.options(given) | {"check_start": given.check_start, "device": given.device}


def _mesh_json(mesh: Mesh) -> dict[str, int]:
    return dict(zip(("vertices", "edges", "faces"), mesh.counts))


def _intersects(first: Impact | None) -> bool:
    return first is not None and first.intersecting


def _start(given: argparse.Namespace, first: Impact | None, crossings: int | None) -> str:
    if not given.check_start:
        return "not checked: edges that pass through faces in A are not seen"
    if not _intersects(first):
        return "no edge passes through a face (proven)"
    if crossings is None:
        return "A INTERSECTS ITSELF: an edge passes through a face"
    return f"A INTERSECTS ITSELF: {output.count(crossings)} pairs of an edge that passes through a face"


def _lines(
    given: argparse.Namespace,
    mesh: Mesh,
    first: Impact | None,
    crossings: int | None,
    nested: NDArray[np.void] | None,
    stats: Stats,
    each: step.Sizes | None,
    untested: bool,
    least: Clearance | None,
    excluded: int | None,
) -> str:
    rows = [("mesh", "{:,} vertices, {:,} edges, {:,} faces".format(*mesh.counts))]
    if excluded is not None:
        rows.append(("excluded", f"{output.count(excluded)} pairs that are near in the mesh and in A"))
    rows.append(("start", _start(given, first, crossings)))
    if nested is not None:
        rows.append(inside.mesh_row(nested))
    if first is None or first.separate:
        rows.append(output.separate(given.t_max, untested=untested))
    else:
        rows.append(output.earliest(f"{first.kind} {first.a} {first.b}", first.toi_lo))
        hint = "; --why says why" if first.initial and not given.why else ""
        rows.append(("verdict", output.verdict(first, first.initial) + hint))
        rows.append(output.point("point", first.point))
        rows.append(output.point("normal", first.normal))
    if least:
        rows.append(("clearance", "no pair") if least.kind is None else clearances.row(least))
    if least and least.kind is not None:
        rows.append(("nearest", f"{least.kind} {least.a} {least.b}"))
        rows += [output.point("of a", least.point_a), output.point("of b", least.point_b)]
    if each:
        rows.append(("per vertex", f"{100 * each.used:.3g} % of the motion is left, in {each.passes} passes (proven)"))
        rows.append(("resting", f"{output.count(each.resting)} vertices; every other goes {each.floor:.3g} of its way or more"))
    candidates = [f"{output.count(n)} {kind}" for kind, n in stats.candidates.items() if n or kind <= Kind.EDGE_EDGE]
    rows.append(("boxes", output.count(stats.boxes)))
    rows.append(("candidates", ", ".join(candidates)))
    if not given.earliest and not given.per_vertex:
        undecided = f" ({output.count(stats.undecided)} undecided)" if stats.undecided else ""
        rows.append(("impacts", output.count(stats.impacts) + undecided))
    for phase in ("build", "broad", "narrow", "total"):
        rows.append((phase, output.seconds(getattr(stats, f"seconds_{phase}"))))
    rows.append(("threads", str(stats.threads)))
    if stats.device_used:
        waited, memory = output.seconds(stats.device_seconds), stats.device_peak_bytes / 2**20
        rows.append(("device", f"waited {waited}, {memory:.1f} MiB"))
    return output.lines(rows)


def _interval(record: np.void) -> dict[str, Any]:
    flags = int(record["flags"])
    found: dict[str, Any] = {"kind": str(kind_of(record["kind"]))} | {name: int(record[name]) for name in ("a", "b")}
    found |= {name: float(record[name]) for name in ("enter", "exit")}
    found |= {name: int(record[name]) for name in ("side_before", "side_after")}
    return found | {"initial_contact": bool(flags & INITIAL_CONTACT), "final_contact": bool(flags & FINAL_CONTACT)}


def _intervals_table(intervals: NDArray[np.void]) -> str:
    rows = []
    for record in map(_interval, intervals):
        sides = (
            f"{record['side_before']:+d} {record['side_after']:+d}" if record["side_before"] or record["side_after"] else "-"
        )
        rows.append(
            (
                record["kind"],
                str(record["a"]),
                str(record["b"]),
                output.time(record["enter"]),
                output.time(record["exit"]),
                sides,
            )
        )
    return output.table(("kind", "a", "b", "enter", "exit", "sides"), rows)


def _table(impacts: NDArray[np.void]) -> str:
    rows = []
    for record in impacts:
        verdict, kind = Verdict(int(record["verdict"])), kind_of(record["kind"])
        rows.append((str(kind), str(record["a"]), str(record["b"]), output.time(record["toi_lo"]), str(verdict)))
    return output.table(("kind", "a", "b", "t", "verdict"), rows)
