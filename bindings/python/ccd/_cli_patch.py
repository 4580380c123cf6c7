"""The command `ccd patch`: when two bodies of curved patches first touch, or one itself, and where."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _inputs, _text, cli, errors, patch
from .view._patches import Surface


def moving(parser: Any) -> None:
    """Arguments for how bodies from files move, and which contacts are wanted: what `ccd view` takes, too."""
    for side in "ab":
        parser.add_argument(f"--move-{side}", metavar="X,Y,Z", help=f"how far a file's body {side.upper()} moves (0,0,0)")
    text = "points of first contact alone, at least APART from each other"
    parser.add_argument("--manifold", type=float, metavar="APART", help=text)
    parser.add_argument("--lag", type=float, default=1e-3, help="with --manifold: contacts this much later count too (1e-3)")


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd patch`."""
    parser.add_argument("a", metavar="A", help="a body: .npz of x0, x1 (n, 3), forms (m, 3) of shape, u, v; index; weights")
    text = "the other; either may be a file of patches: teapot, OBJ, JSON; none: A with itself, as --self says"
    parser.add_argument("b", metavar="B", nargs="?", help=text)
    text = "A with itself: patches that share an edge or a corner may touch there"
    parser.add_argument("--self", action="store_true", help=text)
    text = "with --self: points this near to what their patches share, in parameters, may be left out (1/64)"
    parser.add_argument("--neighbourhood", type=float, default=0.0, metavar="H", help=text)
    moving(parser)
    cli._deciding(parser, method=False)
    methods = ("default", "time-contracted", "tight-inclusion")
    parser.add_argument("--method", choices=methods, default="default", help="time-contracted: of 2024; tight-inclusion: in 5D")
    parser.add_argument("--axis-aligned", action="store_true", help="with these two: boxes along the coordinate axes")
    parser.add_argument("--all", action="store_true", help="list the impact of every pair of patches")
    parser.epilog = (
        "Shapes: 1 curve, 2 triangle, 3 quad. Instead of forms and index: u, v, knots_u, knots_v of a NURBS surface."
    )
    parser.set_defaults(run=run)


def load(path: str, move: str | None) -> tuple[patch.Model | Surface, np.ndarray, np.ndarray]:
    """What a file holds, and its control points at both ends of the step."""
    if not path.endswith(".npz"):
        try:
            by = np.array([float(x) for x in (move or "0,0,0").split(",")])
            by = by.reshape(3)
        except ValueError:
            raise errors.ArgumentError(f"--move is {move!r}: must be three numbers with commas between them") from None
        model = patch.read(path)
        return model, model.points, model.points + by
    if move is not None:
        raise errors.ArgumentError(f"{path} says itself how it moves: --move is for other files")
    held = _inputs.arrays(path)
    try:
        x0, x1 = held["x0"], held["x1"]
        weights = held["weights"].reshape(-1) if "weights" in held else None
        if "knots_u" in held:
            knots = held["knots_u"], held.get("knots_v", np.zeros(0))
            return Surface(int(held["u"]), int(held.get("v", 0)), *knots, weights), x0, x1
        forms = [patch.Form(*map(int, f)) for f in held["forms"]]
        return patch.Model(x0, forms, held["index"].reshape(-1), weights, 0.0), x0, x1
    except KeyError as error:
        raise errors.FileError(f"{path} has no array {error}") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise errors.FileError(f"{path}: u and v must be integers, forms of shape (n, 3): {error}") from None


def bodies(given: argparse.Namespace) -> tuple[list[patch.Model | Surface], list[Any]]:
    """The bodies as they are in their files, both or one; and body, x0, x1 of each."""
    if given.manifold is not None and not 0 < given.manifold < np.inf:
        raise errors.ArgumentError(f"--manifold is {given.manifold}: must be a distance")
    models: list[patch.Model | Surface] = []
    moving: list[Any] = []
    for path, move in ((given.a, given.move_a), (given.b, given.move_b)):
        if path is None:
            continue
        with _inputs.blamed(path), _text.bar(f"reading {path}"):
            model, x0, x1 = load(path, move)
            start, end = (_inputs.coordinates(path, f"{name} control point", x) for name, x in (("x0", x0), ("x1", x1)))
            body = model.body()
            if not len(start) == len(end) == body.counts[0]:
                counts = f"{len(start)} and {len(end)} control points"
                raise errors.FileError(f"{path} has {counts}: its patches ask for {body.counts[0]}")
        models.append(model)
        moving += [body, start, end]
    return models, moving


def run(given: argparse.Namespace) -> int:
    """Find the impacts and print them."""
    if given.all and given.manifold is not None:
        raise errors.ArgumentError("--all and --manifold exclude each other")
    if given.self != (given.b is None):
        raise errors.ArgumentError("either a second body or --self")
    _, step = bodies(given)
    paths = [given.a] if given.self else [given.a, given.b]
    options: dict[str, Any] = cli._options(given) | {"axis_aligned": given.axis_aligned}
    with _text.bar("patches") as progress:
        impacts, left = _found(given, step, options | {"progress": progress})
    hits = [im for im in impacts if not im.separate]
    if given.json:
        report = {"bodies": paths, "options": options, "verdict": str(hits[0].verdict) if hits else "separate"}
        if left is not None:
            start = left.start if left.pairs else None
            report |= {"neighbourhood": given.neighbourhood, "left_out": {"pairs": left.pairs, "from": start}}
        _text.emit_json(report | {"impacts": [im.as_dict() for im in hits]})
    else:
        for path, body in zip(paths, step[::3]):
            print("{}: {:,} control points, {:,} patches".format(path, *body.counts))
        if not hits:
            print(f"separate: proven for every t in [0, {given.t_max:g}]")
        if left is not None and left.pairs:
            print(f"left out: {left.pairs:,} pairs of neighbouring parts, from t = {_text.time(left.start)} on")
        for im in hits:
            place = ", ".join(f"{x:.6g}" for x in im.point)
            print(f"{im.verdict}: patches {im.a} {im.b} at t = {_text.time(im.toi_lo)}, point ({place})")
    return cli.FOUND if hits else cli.FOUND_NOTHING


def _found(given: argparse.Namespace, step: list[Any], options: dict[str, Any]) -> tuple[list[patch.Impact], patch.Left | None]:
    """The impacts that are asked for, and of a body with itself what was left out."""
    call: Callable[..., Any]
    if given.self:
        options = options | {"neighbourhood": given.neighbourhood}
    if given.manifold is not None:
        call = patch.self_manifold if given.self else patch.manifold
        options = options | {"lag": given.lag, "apart": given.manifold}
    elif given.all:
        call = patch.self_collisions if given.self else patch.collisions
    else:
        call = patch.self_earliest if given.self else patch.earliest
    found: Any = call(*step, **options)
    left: patch.Left | None = None
    if given.self:
        found, left = found
    return [found] if isinstance(found, patch.Impact) else [patch.Impact.from_record(r) for r in found], left
