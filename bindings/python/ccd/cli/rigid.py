"""The command `ccd rigid`: two surfaces, or a scene of many, their motions, and when they first come close."""

from __future__ import annotations

import argparse
import time
from typing import Any

from .. import errors, rigid
from . import arguments, clearances, inside, lasting, models, output, rigid_scene
from .exit_codes import FOUND, FOUND_NOTHING


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd rigid`."""
    kinds = "surface: OBJ, PLY, STL, OFF, MSH, MEDIT or VTK, in the body's coordinates; or a scene: JSON"
    parser.add_argument("a", metavar="A", help=kinds)
    parser.add_argument("b", metavar="B", nargs="?", help="the other surface; none with a scene")
    arguments.add_motions(parser)
    arguments.add_options(parser, arguments.RIGID_METHODS, 1e-10)
    parser.add_argument("--earliest", action="store_true", help="of a scene: find the earliest contact only")
    clearances.add(parser, "motion", "of two surfaces: ")
    lasting.add(parser)
    arguments.add_root(parser)
    parser.epilog = rigid_scene.HELP
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Find the earliest contact and print it."""
    if given.a.endswith(".json") and given.b is None:
        if given.clearance or given.profile:
            raise errors.ArgumentError(f"--clearance and --profile: {given.a} is a scene: give two surfaces")
        if lasting.asked(given):
            raise errors.ArgumentError(f"--slide and --first-depth: {given.a} is a scene: give two surfaces")
        arguments.refuse(given, arguments.MOVING_OPTIONS, f"{given.a} is a scene, which says how its bodies move")
        return rigid_scene.run(given)
    if given.b is None:
        raise errors.ArgumentError(f"{given.a}: give two surfaces, or a scene in JSON")
    arguments.refuse(given, ("--earliest", "--root", "--strict"), "it is of a scene, and these are two surfaces")
    bodies, counts = [], []
    for path in (given.a, given.b):
        surface, body = models.rigid_body(path)
        bodies.append(body)
        counts.append(len(surface.faces))
    first, second = models.motions(given)
    options = arguments.options(given) | {"t_min": given.t_min}
    start = time.perf_counter()
    with output.bar("rigid"):
        hit = rigid.earliest(bodies[0], first, bodies[1], second, **options)
        least = _clearance(given, bodies, first, second)
        ends = lasting.compute(given, bodies, first, second)
    seconds = time.perf_counter() - start
    where, why = inside.of_bodies(bodies[0], first, bodies[1], second, given.t_min)
    if given.json:
        report: dict[str, Any] = {"files": [given.a, given.b], "triangles": counts, "options": options}
        report |= {"impact": hit.as_dict(), "containment": None if where is None else str(where)}
        report |= {} if least is None else {"clearance": clearances.as_json(least) | {"unfinished": least.unfinished}}
        output.emit_report(report | lasting.as_json(ends) | {"seconds": seconds})
    else:
        within = [inside.bodies_row(where, why, given.t_min)]
        if least is not None:
            within.append(clearances.row(least))
        within += lasting.rows(given, ends)
        output.say_report(_text_of(given, hit, counts, within, seconds))
    return FOUND_NOTHING if hit.separate else FOUND


def _text_of(
    given: argparse.Namespace, hit: rigid.Impact, counts: list[int], within: list[tuple[str, str]], seconds: float
) -> str:
    rows = [("triangles", " and ".join(output.count(n) for n in counts))]
    if hit.separate:
        rows.append(output.separate(given.t_max, given.t_min))
    else:
        how = ", intersecting at the start" if hit.intersecting else ""
        pair = f"triangles {hit.index_a} {hit.index_b}" if hit.index_a >= 0 else "bodies A B"
        rows.append(output.earliest(pair, hit.toi_lo))
        rows.append(("verdict", output.verdict(hit, hit.initial and not hit.intersecting) + how))
    rows += within
    if hit.approximate:
        rows.append(("approximate", "spheres around small parts met; the surfaces may not"))
    elif hit.contact:
        rows.append(("of A", f"triangle {hit.index_a}, {rigid.FEATURES[hit.feature_a]}, at " + _point(hit.point_a)))
        rows.append(("of B", f"triangle {hit.index_b}, {rigid.FEATURES[hit.feature_b]}, at " + _point(hit.point_b)))
        rows.append(("normal", _point(hit.normal)))
        rows.append(("distance", f"{hit.distance:.3g}"))
    rows.append(("iterations", output.count(hit.iterations)))
    rows.append(("time", output.seconds(seconds)))
    return output.lines(rows)


def _point(p: tuple[float, ...]) -> str:
    return "({:.6g}, {:.6g}, {:.6g})".format(*(x + 0.0 for x in p))  # no -0


# ---- clearance


def _clearance(given: argparse.Namespace, bodies: list[rigid.Body], a: rigid.Motion, b: rigid.Motion) -> rigid.Gap | None:
    """The least distance over the motion, and its profile in a file, where they were asked for."""
    if not (given.clearance or given.profile):
        return None
    span = {"t_min": given.t_min, "t_max": given.t_max}
    least = rigid.clearance(bodies[0], a, bodies[1], b, max_iterations=given.max_iterations, **span)
    if given.profile:
        curve = rigid.profile(bodies[0], a, bodies[1], b, clearances.times(**span))
        clearances.write_profile(given.profile, curve, least)
    return least
