"""The command `ccd check`: the self-intersections of a mesh, and the smallest distance between its primitives."""

from __future__ import annotations

import argparse
import io
from dataclasses import asdict
from typing import Any

import numpy as np

from .. import proximity
from .._io import write
from ..errors import ArgumentError
from ..impact import kind_of
from ..options import Stats
from . import arguments, inside, models, output, points, recorded
from .exit_codes import FOUND, FOUND_NOTHING


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd check`."""
    parser.description = (
        "Report whether a mesh intersects itself, which components are inside others, and the smallest distance between"
        " primitives that share no vertex: 0 when it intersects itself. All are proven: no intersection is missed, and the"
        " printed interval contains the distance. Exit with 1 when the mesh intersects itself."
    )
    text = "OBJ, PLY, STL, OFF, MSH, MEDIT, VTK or 3MF; a frame of a film, as run.glb[3]; or results and decks of solvers"
    parser.add_argument("mesh", metavar="MESH", help=text)
    parser.add_argument("--components", action="store_true", help="test no connected component against itself")
    arguments.add_radii(parser)
    arguments.add_frames(parser)
    arguments.add_films(parser)
    recorded.add_frame(parser)
    parser.add_argument("--near", type=float, metavar="D", help="also count the pairs within the distance D")
    text = "also on which side of the faces these points are, and how far: .npy, or text with x, y, z a line"
    parser.add_argument("--points", metavar="FILE", help=text)
    parser.add_argument("--all", action="store_true", help="list every intersection, and every near pair")
    text = "also find positions nearby at which nothing intersects, and write them to a .npy file; says whether it succeeded"
    parser.add_argument("--untangle", metavar="FILE", help=text)
    parser.add_argument("--threads", type=int, default=0, help="0 = as many as this process may use")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Print the results. Return FOUND if the mesh intersects itself."""
    if given.near is not None and not 0 <= given.near <= 1e150:
        raise ArgumentError(f"--near is {given.near}: must be a number from 0 to 1e150")
    surface = models.bounded(given.mesh, given, f"'ccd volume {given.mesh} {given.mesh}' tests the elements where they are")
    mesh, x, stats = models.mesh(given.mesh, surface), surface.vertices, Stats()
    where = None if given.points is None else points.depths(mesh, x, points.read(given.points), given.threads)
    models.thicken(given, mesh)
    if given.components:
        mesh.set_component_groups()
    nested = inside.of_mesh(mesh, x, given.threads)
    with output.bar("intersections") as progress:
        found = proximity.intersections(mesh, x, threads=given.threads, stats=stats, progress=progress)
    seconds = {"intersections": stats.seconds_total}
    with output.bar("distance") as progress:
        nearest = proximity.distance(mesh, x, threads=given.threads, stats=stats, progress=progress)
    seconds["distance"] = stats.seconds_total
    crossing = proximity.crossings(mesh, x, threads=given.threads)
    untangled = None
    if given.untangle is not None:
        with output.bar("untangle") as progress:
            y, untangled = proximity.untangle(mesh, x, threads=given.threads, stats=stats, progress=progress)
        seconds["untangle"] = stats.seconds_total
        content = io.BytesIO()
        np.save(content, y)
        write.whole(given.untangle, content.getvalue())
    near = None
    if given.near is not None:
        with output.bar("near") as progress:
            near = proximity.near(mesh, x, given.near, threads=given.threads, stats=stats, progress=progress)
        seconds["near"] = stats.seconds_total
    if given.json:
        report: dict[str, Any] = {"mesh": given.mesh} | dict(zip(("vertices", "edges", "faces"), mesh.counts))
        report |= {"intersects": len(found) > 0, "intersections": len(found), "distance": _pair(nearest)}
        report["nested"] = inside.mesh_as_json(nested)
        report["crossings"] = [dict(zip(crossing.dtype.names or (), row.tolist())) for row in crossing]
        if untangled is not None:
            report["untangled"] = asdict(untangled)
        if near is not None:
            report |= {"near": len(near), "near_distance": given.near}
        if where is not None:
            report["points"] = points.as_json(where)
        if given.all:
            report["intersecting_pairs"] = [[str(kind_of(r["kind"])), int(r["a"]), int(r["b"])] for r in found]
            if near is not None:
                columns = [near[name].tolist() for name in ("a", "b", "distance_lo", "distance_hi")]
                report["near_pairs"] = [[str(kind_of(kind)), *row] for kind, *row in zip(near["kind"], *columns)]
        output.emit_report(report | {"seconds": seconds})
    else:
        output.say_report(_text_of(given, mesh.counts, found, nested, nearest, near, seconds, crossing, untangled, where))
    return FOUND if len(found) else FOUND_NOTHING


def _pair(nearest: proximity.NearPair) -> dict[str, Any] | None:
    """Return the nearest pair in plain types for JSON, or None when there is no pair."""
    if nearest.kind is None:
        return None
    return {
        "distance_lo": nearest.distance_lo,
        "distance_hi": nearest.distance_hi,
        "kind": str(nearest.kind),
        "a": nearest.a,
        "b": nearest.b,
        "u": nearest.u,
        "v": nearest.v,
        "point_a": list(nearest.point_a),
        "point_b": list(nearest.point_b),
    }


def _text_of(
    given: argparse.Namespace,
    counts: tuple[int, int, int],
    found: np.ndarray,
    nested: np.ndarray,
    nearest: proximity.NearPair,
    near: np.ndarray | None,
    seconds: dict[str, float],
    crossing: np.ndarray,
    untangled: proximity.Untangled | None,
    where: np.ndarray | None,
) -> str:
    rows = [("mesh", "{:,} vertices, {:,} edges, {:,} faces".format(*counts))]
    rows.append(("intersections", output.count(len(found)) if len(found) else "none (proven)"))
    for r in crossing[: len(crossing) if given.all else 3]:
        what = "object {} with itself" if r["a"] == r["b"] else "objects {} and {}"
        rows.append(
            ("crossing", f"{what.format(r['a'], r['b'])}: {output.count(int(r['pairs']))} pairs, depth {r['depth']:.6g}")
        )
    if untangled is not None:
        state = "clean (exact check)" if untangled.clean else f"FAILED: {output.count(untangled.after)} intersections are left"
        rows.append(
            ("untangled", f"{state}; {output.count(untangled.moved)} vertices moved by at most {untangled.farthest:.6g}")
        )
    rows.append(inside.mesh_row(nested))
    if nearest.kind is None:
        rows.append(("distance", "no pair to measure"))
    else:
        rows.append(("distance", f"in [{nearest.distance_lo!r}, {nearest.distance_hi!r}]"))
        rows.append(("nearest", f"{nearest.kind} {nearest.a} {nearest.b}"))
        rows.append(("at", "({:.6g}, {:.6g}, {:.6g})".format(*nearest.point_a)))
    if near is not None:
        rows.append(("near pairs", f"{output.count(len(near))} within {given.near:g}"))
    if where is not None:
        rows.append(points.row_of(where))
    rows.append(("time", ", ".join(f"{name} {output.seconds(value)}" for name, value in seconds.items())))
    text = output.lines(rows)
    if where is not None and len(where):
        text += "\n\n" + points.table_of(where)
    if given.all and len(found):
        text += "\n\n" + output.table(("kind", "a", "b"), [(str(kind_of(r["kind"])), str(r["a"]), str(r["b"])) for r in found])
    if given.all and near is not None and len(near):
        bounds = ("distance_lo", "distance_hi")
        cells = [(str(kind_of(r["kind"])), str(r["a"]), str(r["b"]), *(repr(float(r[name])) for name in bounds)) for r in near]
        text += "\n\n" + output.table(("kind", "a", "b", *bounds), cells)
    return text
