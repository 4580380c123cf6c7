"""The command `ccd view`: a step as one page to look at."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import _text, broad, step
from .cli import FOUND, FOUND_NOTHING, _deciding, _options, frames
from .impact import Kind
from .options import Stats
from .view import Page


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd view`."""
    parser.description = "Write one self-contained HTML page that plays the step and shows what was found, for a browser."
    parser.add_argument("frame0", metavar="A", help="mesh at the start: OBJ, PLY, STL, OFF, MSH, MEDIT or VTK")
    parser.add_argument("frame1", metavar="B", help="mesh at the end, or its vertices as .npy")
    parser.add_argument("-o", "--output", metavar="FILE.html", default="report.html", help="where to write it (report.html)")
    parser.add_argument("--components", action="store_true", help="no connected component collides with itself")
    parser.add_argument("--no-near", action="store_true", help="leave out pairs whose boxes meet but that do not collide")
    _deciding(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Solve the step and write the page."""
    surface, end = frames(given.frame0, given.frame1)
    mesh, start, stats = surface.mesh(), surface.vertices, Stats()
    if given.components:
        mesh.set_components()
    with _text.bar("step") as progress:
        impacts = step.collisions(mesh, start, end, **_options(given), stats=stats, progress=progress)
    page = Page(f"{Path(given.frame0).name} to {Path(given.frame1).name}")
    vertices, _, faces = mesh.counts
    page.facts |= {"vertices": _text.count(vertices), "faces": _text.count(faces)}
    page.facts["solved in"] = _text.seconds(stats.seconds_total)
    if given.min_separation:
        page.facts["minimum separation"] = f"{given.min_separation:g}"
    page.add_mesh(mesh, start, end)
    page.add_impacts(mesh, start, end, impacts)
    if not given.no_near:
        with _text.bar("near pairs") as progress:
            options = {"min_separation": given.min_separation, "threads": given.threads, "progress": progress}
            found = broad.candidates(mesh, start, end, **options)
        page.add_near(mesh, start, {kind: found[kind] for kind in Kind})
    page.write(given.output)
    if given.json:
        _text.emit_json({"page": given.output, "impacts": len(impacts), "listed": len(page.impacts), "near": len(page.near)})
    else:
        print(f"{given.output}: {_text.count(len(impacts))} impacts, {_text.count(len(page.near))} near pairs")
    return FOUND if len(impacts) else FOUND_NOTHING
