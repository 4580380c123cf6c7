"""The command `ccd patch`: when two bodies of curved patches first touch, or one itself, and where."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from .. import errors, patch
from . import arguments, models, output
from .exit_codes import FOUND, FOUND_NOTHING


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd patch`."""
    parser.add_argument("a", metavar="A", help="a body: .npz of x0, x1 (n, 3), forms (m, 3) of shape, u, v; index; weights")
    text = "the other; either may be a file of patches: teapot, OBJ, JSON; none: A with itself, as --self says"
    parser.add_argument("b", metavar="B", nargs="?", help=text)
    text = "A with itself: patches that share an edge or a corner may touch there"
    parser.add_argument("--self", action="store_true", help=text)
    text = "with --self: points this near to what their patches share, in parameters, may be skipped (1/64)"
    parser.add_argument("--neighbourhood", type=float, default=0.0, metavar="H", help=text)
    arguments.add_moves(parser)
    arguments.add_options(parser, arguments.PATCH_METHODS)
    parser.add_argument("--all", action="store_true", help="list the impact of every pair of patches")
    parser.epilog = (
        "Shapes: 1 curve, 2 triangle, 3 quad. Instead of forms and index: u, v, knots_u, knots_v of a NURBS surface."
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Find the impacts and print them."""
    if given.all and given.manifold is not None:
        raise errors.ArgumentError("--all and --manifold exclude each other")
    if given.self != (given.b is None):
        raise errors.ArgumentError("either a second body or --self")
    if not given.self:
        arguments.refuse(given, ("--neighbourhood",), "it is of a body with itself, --self")
    if given.manifold is None:
        arguments.refuse(given, ("--t-window",), "it is of a manifold, --manifold")
    _, step = models.patch_bodies(given)
    paths = [given.a] if given.self else [given.a, given.b]
    options: dict[str, Any] = arguments.options(given)
    with output.bar("patches") as progress:
        impacts, unresolved = _found(given, step, options | {"progress": progress})
    hits = [im for im in impacts if not im.separate]
    if given.json:
        report = {"bodies": paths, "options": options, "verdict": str(hits[0].verdict) if hits else "separate"}
        if unresolved is not None:
            start = unresolved.t_from if unresolved.pairs else None
            report |= {"neighbourhood": given.neighbourhood, "unresolved": {"pairs": unresolved.pairs, "t_from": start}}
        output.emit_report(report | {"impacts": [im.as_dict() for im in hits]})
    else:
        counts = [body.counts for body in step[::3]]
        bodies = ["{:,} control points, {:,} patches of {}".format(*n, path) for n, path in zip(counts, paths)]
        output.say_report(_text_of(given, bodies, hits, unresolved))
        if len(hits) > 1:
            output.say("\n" + _table(hits))
    return FOUND if hits else FOUND_NOTHING


def _text_of(
    given: argparse.Namespace, bodies: list[str], hits: list[patch.Impact], unresolved: patch.Unresolved | None
) -> str:
    rows = [("body", body) for body in bodies]
    if not hits:
        rows.append(output.separate(given.t_max))
    else:
        first = hits[0]
        rows.append(output.earliest(f"patches {first.a} {first.b}", first.toi_lo))
        rows.append(("verdict", output.verdict(first, first.initial)))
        rows.append(output.point("point", first.point))
        rows.append(output.point("normal", first.normal))
    if given.all or given.manifold is not None:
        rows.append(("impacts", output.count(len(hits))))
    if unresolved is not None and unresolved.pairs:
        since = output.time(unresolved.t_from)
        rows.append(("unresolved", f"{output.count(unresolved.pairs)} pairs of adjacent parts, from t = {since} on"))
    return output.lines(rows)


def _table(hits: list[patch.Impact]) -> str:
    rows = [(str(im.a), str(im.b), output.time(im.toi_lo), str(im.verdict), output.point("", im.point)[1]) for im in hits]
    return output.table(("a", "b", "t", "verdict", "point"), rows)


def _found(
    given: argparse.Namespace, step: list[Any], options: dict[str, Any]
) -> tuple[list[patch.Impact], patch.Unresolved | None]:
    """The impacts, and of a body with itself what is unresolved."""
    call: Callable[..., Any]
    if given.self:
        options = options | {"neighbourhood": given.neighbourhood}
    if given.manifold is not None:
        call = patch.self_manifold if given.self else patch.manifold
        options = options | {"t_window": given.t_window, "min_distance": given.manifold}
    elif given.all:
        call = patch.self_collisions if given.self else patch.collisions
    else:
        call = patch.self_earliest if given.self else patch.earliest
    found: Any = call(*step, **options)
    unresolved: patch.Unresolved | None = None
    if given.self:
        found, unresolved = found
    return [found] if isinstance(found, patch.Impact) else [patch.Impact.from_record(r) for r in found], unresolved
