"""The command `ccd volume`: the contacts of a volume over one step."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from . import _inputs, _text, cli, errors, volume
from .impact import Kind, Verdict
from .options import Stats


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("frame0", metavar="A", help="elements at the start: VTK (legacy or XML), MSH or MEDIT")
    parser.add_argument("frame1", metavar="B", help="elements at the end, or their vertices as .npy")
    cli._deciding(parser)
    names = [str(c) for c in volume.Class]
    parser.add_argument("--class", dest="classes", action="append", choices=names, default=[], help="only pairs of this class")
    parser.add_argument("--surface", action="store_true", help="only features of the surface")
    parser.add_argument("--search", choices=volume._SEARCHES, default="patches", help="volccd: as in 2011, slower (patches)")
    parser.add_argument("--sides", type=int, choices=volume._SIDES, default=16, help="of the k-DOPs of volccd (16)")
    parser.add_argument("--axes", choices=volume._AXES, default="all", help="that volccd tries (all)")
    listing = parser.add_mutually_exclusive_group()
    listing.add_argument("--all", action="store_true", help="list every contact")
    listing.add_argument("--earliest", action="store_true", help="find the earliest only")
    parser.set_defaults(run=_run)


def frames(path0: str, path1: str) -> tuple[volume.Cells, np.ndarray]:
    """The elements with their vertices at the start, and the vertices at the end."""
    cells = _read(path0)
    if path1.endswith(".npy"):
        return cells, _inputs.vertices(path1, len(cells.vertices), path0)
    end = _read(path1)
    if len(end.vertices) != len(cells.vertices) or not np.array_equal(end.corners, cells.corners):
        raise errors.ArgumentError(f"{path1} has other elements than {path0}: the frames must be of one mesh")
    return cells, end.vertices


def _read(path: str) -> volume.Cells:
    with _text.bar(f"reading {path}"):
        cells = volume.read(path)
    _inputs.coordinates(path, "vertex", cells.vertices)
    return cells


def topology(path: str, cells: volume.Cells) -> volume.Volume:
    """The volume of what a file holds."""
    with _inputs.blamed(path), _text.bar("topology"):
        return cells.volume()


def _run(given: argparse.Namespace) -> int:
    cells, end = frames(given.frame0, given.frame1)
    mesh, stats = topology(given.frame0, cells), Stats()
    first: volume.Contact | None
    chosen: dict[str, Any] = {name: getattr(given, name) for name in ("classes", "surface", "search", "sides", "axes")}
    with _text.bar("volume") as progress:
        options = cli._options(given) | {"stats": stats, "progress": progress}
        contacts = None
        if given.earliest:
            first = volume.earliest(mesh, cells.vertices, end, **chosen, **options)
        else:
            contacts = volume.collisions(mesh, cells.vertices, end, **chosen, **options)
            first = volume.Contact.from_record(contacts[0]) if len(contacts) else None
    found = first is not None and not first.impact.separate
    if given.json:
        report: dict[str, Any] = {"frames": [given.frame0, given.frame1]} | _counts(mesh)
        report |= {"options": cli._options(given) | chosen}
        report |= {"verdict": str(first.impact.verdict if first else Verdict.SEPARATE)}
        report |= {"earliest": _plain(first) if first and found else None, "stats": stats.as_dict()}
        if given.all and contacts is not None:
            report["contacts"] = [_plain(volume.Contact.from_record(c)) for c in contacts]
        _text.emit_json(report)
    else:
        print(_lines(given, mesh, first if found else None, contacts, stats))
        if given.all and contacts is not None and len(contacts):
            with _text.bar("table"):
                table = _table(contacts)
            print("\n" + table)
    return cli.FOUND if found else cli.FOUND_NOTHING


def _counts(mesh: volume.Volume) -> dict[str, int]:
    return dict(zip(("vertices", "elements", "edges", "faces"), mesh.counts))


def _plain(contact: volume.Contact) -> dict[str, Any]:
    more = {"class": str(contact.cls), "vertices": list(contact.vertices), "elements": list(contact.elements)}
    return contact.impact.as_dict() | more


def _lines(
    given: argparse.Namespace, mesh: volume.Volume, first: volume.Contact | None, contacts: np.ndarray | None, stats: Stats
) -> str:
    rows = [("volume", "{:,} vertices, {:,} elements, {:,} edges, {:,} faces".format(*mesh.counts))]
    if first is None:
        rows.append(("separate", f"proven for every t in [0, {given.t_max:g}]"))
    else:
        hit = first.impact
        rows.append(("earliest", f"{hit.kind} {hit.a} {hit.b} at t = {_text.time(hit.toi_lo)}"))
        rows.append(("class", str(first.cls)))
        rows.append(("elements", "{} {}".format(*first.elements)))
        rows.append(("verdict", str(hit.verdict) + (", at the start already" if hit.initial else "")))
        rows.append(("at", "({:.6g}, {:.6g}, {:.6g})".format(*hit.point)))
    if contacts is not None:
        rows.append(("contacts", _text.count(len(contacts))))
        for one in volume.Class:
            if count := int((contacts["cls"] == one).sum()):
                rows.append((f"  {one}", _text.count(count)))
    candidates = [f"{_text.count(n)} {kind}" for kind, n in stats.candidates.items() if kind <= Kind.EDGE_EDGE]
    rows.append(("candidates", ", ".join(candidates)))
    for phase in ("build", "broad", "narrow", "total"):
        rows.append((phase, _text.seconds(getattr(stats, f"seconds_{phase}"))))
    rows.append(("threads", str(stats.threads)))
    return _text.lines(rows)


def _table(contacts: np.ndarray) -> str:
    rows = []
    for record in contacts:
        hit = record["impact"]
        kind, cls = Kind(int(hit["kind"])), volume.Class(int(record["cls"]))
        elements = "{} {}".format(*record["elements"])
        rows.append((str(kind), str(hit["a"]), str(hit["b"]), _text.time(hit["toi_lo"]), str(cls), elements))
    return _text.table(("kind", "a", "b", "toi", "class", "elements"), rows)
