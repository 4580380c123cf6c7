"""Fields of `ccd view`: point data of the files, and what is computed, as colors."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import errors
from ..mesh import Mesh
from ..view import Page
from . import arguments, output, remarks

ALPHA = "alpha"
DISTANCE, GAP = "distance", "gap"
OF_MESHES = (ALPHA, DISTANCE, GAP)
OF_VOLUMES = (DISTANCE,)
_MOST = 64 << 20  # bytes of all fields that a page holds without being asked: 4 for each vertex in each frame


def add(parser: argparse.ArgumentParser) -> None:
    """The option that chooses a field."""
    text = (
        "of a mesh or volume: color faces by this field as the page opens: point data of the files (of vectors the length),"
        " speed, the way of a vertex in a step; distance, that of the nearest pair of a vertex in each frame; of a mesh also"
        " alpha, the step that each vertex can take, or gap, how far its constraints are from being met at the end of a step"
    )
    parser.add_argument("--color", metavar="FIELD", help=text)


def add_fields(page: Page, part: int, fields: Sequence[dict[str, Any]], given: argparse.Namespace) -> None:
    """Add the point data that all frames have: what is asked for, and the rest where it is small."""
    common = [name for name in (fields[0] if fields else {}) if all(name in one for one in fields)]
    size = 0
    for name in sorted(common, key=lambda name: name != given.color):
        values = [np.reshape(one[name], (len(one[name]), -1)) if np.ndim(one[name]) > 2 else one[name] for one in fields]
        size += sum(4 * len(x) for x in values)
        if size > _MOST and name != given.color:
            remarks.note(f"the page has no field {name!r}, which takes too much: --color {name} adds it")
            continue
        if all(np.array_equal(values[0], x) for x in values[1:]):
            values = values[:1]
        page.add_field(part, name, values)


def color(
    page: Page,
    part: int,
    given: argparse.Namespace,
    mesh: Mesh | None = None,
    computed: Sequence[str] = (),
    steps: Sequence[np.ndarray] = (),
) -> None:
    """Choose the field that the page opens with, and compute it if it is one of those that can be computed.

    `mesh` is that of the part, of a volume the surface; `steps` are the steps of vertices.
    """
    if given.color is None:
        return
    if given.color not in page.fields:
        if given.color not in computed or mesh is None:
            known = ", ".join(dict.fromkeys([*page.fields, *computed])) or "none"
            raise errors.ArgumentError(f"--color is {given.color!r}: the fields are {known}")
        with output.bar(f"field {given.color}"):
            if given.color == ALPHA:
                page.add_field(part, ALPHA, list(steps))
            elif given.color == DISTANCE:
                page.add_distances(mesh, part, given.within, threads=given.threads)
            else:
                page.add_gaps(mesh, part, **arguments.options(given))
    page.color_by = given.color
