"""The command `ccd volume`: the impacts of a volume over one step."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from .. import volume
from ..impact import Kind, Verdict
from ..options import Stats
from . import arguments, frames, models, output
from .exit_codes import FOUND, FOUND_NOTHING


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd volume`."""
    parser.add_argument("frame0", metavar="A", help="elements at the start: VTK (legacy or XML), MSH or MEDIT")
    parser.add_argument("frame1", metavar="B", help="elements at the end, or their vertices as .npy")
    arguments.add_options(parser, arguments.VOLUME_METHODS)
    arguments.add_radii(parser)
    arguments.add_frames(parser)
    classes, text = [str(c) for c in volume.PairClass], "only pairs of this class; may be repeated"
    parser.add_argument("--pair-class", dest="pair_classes", action="append", choices=classes, default=[], help=text)
    parser.add_argument("--surface", action="store_true", help="only features of the surface")
    listing = parser.add_mutually_exclusive_group()
    listing.add_argument("--all", action="store_true", help="list every impact")
    listing.add_argument("--earliest", action="store_true", help="find the earliest only")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Find the impacts and print them."""
    cells, (_, end) = models.elements([given.frame0, given.frame1], given)
    mesh, stats = models.volume_of(given.frame0, cells), Stats()
    models.thicken(given, mesh)
    untested = frames.note_untested(given, mesh)
    first: volume.Impact | None
    chosen: dict[str, Any] = {name: getattr(given, name) for name in ("pair_classes", "surface")}
    with output.bar("volume") as progress:
        options = arguments.options(given) | {"stats": stats, "progress": progress}
        impacts = None
        if given.earliest:
            first = volume.earliest(mesh, cells.vertices, end, **chosen, **options)
        else:
            impacts = volume.collisions(mesh, cells.vertices, end, **chosen, **options)
            first = volume.Impact.from_record(impacts[0]) if len(impacts) else None
    found = first is not None and not first.impact.separate
    if given.json:
        report: dict[str, Any] = {"frames": [given.frame0, given.frame1]} | _counts(mesh)
        report |= {"options": arguments.options(given) | chosen}
        report |= {"verdict": str(Verdict.SEPARATE if first is None else first.impact.verdict)}
        report |= {"earliest": first.as_dict() if first is not None and found else None, "stats": stats.as_dict()}
        if given.all and impacts is not None:
            report["impacts"] = [volume.Impact.from_record(c).as_dict() for c in impacts]
        output.emit_report(report)
    else:
        output.say_report(_lines(given, mesh, first if found else None, impacts, stats, untested))
        if given.all and impacts is not None and len(impacts):
            with output.bar("table"):
                table = _table(impacts)
            output.say("\n" + table)
    return FOUND if found else FOUND_NOTHING


def _counts(mesh: volume.Volume) -> dict[str, int]:
    return dict(zip(("vertices", "elements", "edges", "faces"), mesh.counts))


def _lines(
    given: argparse.Namespace,
    mesh: volume.Volume,
    first: volume.Impact | None,
    impacts: np.ndarray | None,
    stats: Stats,
    untested: bool,
) -> str:
    rows = [("volume", "{:,} vertices, {:,} elements, {:,} edges, {:,} faces".format(*mesh.counts))]
    if first is None:
        rows.append(output.separate(given.t_max, untested=untested))
    else:
        hit = first.impact
        rows.append(output.earliest(f"{hit.kind} {hit.a} {hit.b}", hit.toi_lo))
        rows.append(("class", str(first.pair_class)))
        rows.append(("elements", "{} {}".format(*first.elements)))
        rows.append(("verdict", output.verdict(hit, hit.initial)))
        rows.append(output.point("point", hit.point))
    if impacts is not None:
        rows.append(("impacts", output.count(len(impacts))))
        for one in volume.PairClass:
            if count := int((impacts["pair_class"] == one).sum()):
                rows.append((f"  {one}", output.count(count)))
    candidates = [f"{output.count(n)} {kind}" for kind, n in stats.candidates.items() if kind <= Kind.EDGE_EDGE]
    rows.append(("candidates", ", ".join(candidates)))
    for phase in ("build", "broad", "narrow", "total"):
        rows.append((phase, output.seconds(getattr(stats, f"seconds_{phase}"))))
    rows.append(("threads", str(stats.threads)))
    return output.lines(rows)


def _table(impacts: np.ndarray) -> str:
    rows = []
    for record in impacts:
        hit = record["impact"]
        kind, pair_class = Kind(int(hit["kind"])), volume.PairClass(int(record["pair_class"]))
        elements = "{} {}".format(*record["elements"])
        rows.append((str(kind), str(hit["a"]), str(hit["b"]), output.time(hit["toi_lo"]), str(pair_class), elements))
    return output.table(("kind", "a", "b", "t", "class", "elements"), rows)
