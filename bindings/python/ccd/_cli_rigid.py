"""The command `ccd rigid`: two surfaces, or a scene of many, their motions, and when they first come close."""

from __future__ import annotations

import argparse
import time
from typing import Any

from . import _cli_rigid_scene, _inputs, _text, errors, rigid
from .cli import FOUND, FOUND_NOTHING
from .rigid import Impact, Motion

#: What says how the bodies move, by the names in the program.
MOVING = ("pose", "velocity", "spin", "pose_b", "velocity_b", "spin_b")


def moving(parser: Any) -> None:
    """Arguments for the motions of both bodies, and the times that count."""
    for side, body in (("", "A"), ("-b", "B")):
        parser.add_argument(f"--pose{side}", type=_pose, metavar="X,Y,Z[,QW,QX,QY,QZ]", help=f"of {body} at t = 0 (origin)")
        parser.add_argument(f"--velocity{side}", type=_three, metavar="X,Y,Z", help=f"of {body}'s origin (0)")
        parser.add_argument(f"--spin{side}", type=_three, metavar="X,Y,Z", help=f"of {body}, radians per unit of time (0)")
    parser.add_argument("--t0", type=float, default=0.0, help="(0)")
    parser.add_argument("--t1", type=float, default=1.0, help="times in [t0, t1] count (1)")


def motions(given: argparse.Namespace) -> list[Motion]:
    """The motions of both bodies, as they were given."""
    return [_motion(*(getattr(given, name + side) for name in ("pose", "velocity", "spin"))) for side in ("", "_b")]


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd rigid`."""
    kinds = "surface: OBJ, PLY, STL, OFF, MSH, MEDIT or VTK, in the body's coordinates; or a scene: JSON"
    parser.add_argument("a", metavar="A", help=kinds)
    parser.add_argument("b", metavar="B", nargs="?", help="the other surface; none with a scene")
    moving(parser)
    parser.add_argument("--separation", type=float, default=1e-10, metavar="D", help="distance kept before an impact (1e-10)")
    parser.add_argument("--tolerance", type=float, default=1e-10, help="contact is within separation + tolerance (1e-10)")
    parser.add_argument("--method", choices=rigid.METHODS, default="default", help="d2m: of 2017; capoeira: approximate")
    parser.add_argument("--max-steps", type=int, default=1000000, help="budget; 0 = none (1000000)")
    parser.add_argument("--threads", type=int, default=0, help="of a scene; 0 = all (0)")
    parser.add_argument("--earliest", action="store_true", help="of a scene: find the earliest contact only")
    _cli_rigid_scene.add_root(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.epilog = "A value that begins with a minus sign is written with =, as in --velocity=0,0,-4. " + _cli_rigid_scene.HELP
    parser.set_defaults(run=run)


def _numbers(text: str, *counts: int) -> list[float]:
    try:
        values = [float(x) for x in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in counts or not all(abs(x) <= 1e150 for x in values):
        raise argparse.ArgumentTypeError(f"{text!r}: give {' or '.join(map(str, counts))} finite numbers with commas between")
    return values


def _three(text: str) -> list[float]:
    return _numbers(text, 3)


def _pose(text: str) -> list[float]:
    values = _numbers(text, 3, 7)
    if len(values) == 7 and not any(values[3:]):
        raise argparse.ArgumentTypeError(f"{text!r}: the quaternion is 0")
    return values if len(values) == 7 else [*values, 1.0, 0.0, 0.0, 0.0]


def run(given: argparse.Namespace) -> int:
    """Find the earliest contact and print it."""
    if given.a.endswith(".json") and given.b is None:
        return _cli_rigid_scene.run(given)
    if given.b is None:
        raise errors.ArgumentError(f"{given.a}: give two surfaces, or a scene in JSON")
    bodies, counts = [], []
    for path in (given.a, given.b):
        surface = _inputs.surface(path)
        with _inputs.blamed(path), _text.bar("tree"):
            bodies.append(rigid.Body(surface.vertices, surface.faces))
        counts.append(len(surface.faces))
    first, second = motions(given)
    names = ("t0", "t1", "separation", "tolerance", "max_steps", "method")
    options: dict[str, Any] = {name: getattr(given, name) for name in names}
    start = time.perf_counter()
    with _text.bar("rigid"):
        hit = rigid.earliest(bodies[0], first, bodies[1], second, **options)
    seconds = time.perf_counter() - start
    if given.json:
        report: dict[str, Any] = {"files": [given.a, given.b], "triangles": counts, "options": options}
        _text.emit_json(report | {"impact": hit.as_dict(), "seconds": seconds})
    else:
        print(_text_of(given, hit, counts, seconds))
    return FOUND_NOTHING if hit.separate else FOUND


def _motion(pose: list[float] | None, velocity: list[float] | None, spin: list[float] | None) -> Motion:
    zero = (0.0, 0.0, 0.0)
    at = pose or [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    return Motion(rotation=at[3:], position=at[:3], velocity=velocity or zero, spin=spin or zero)


def _text_of(given: argparse.Namespace, hit: Impact, counts: list[int], seconds: float) -> str:
    rows = [("triangles", " and ".join(_text.count(n) for n in counts))]
    if hit.separate:
        rows.append(("separate", f"proven for every t in [{given.t0:g}, {given.t1:g}]"))
    else:
        how = ", piercing at the start" if hit.penetrating else ", at the start already" if hit.initial else ""
        rows.append((str(hit.verdict), f"safe before t = {_text.time(hit.toi_lo)}{how}"))
    if hit.approximate:
        rows.append(("approximate", "spheres around small parts met; the surfaces may not"))
    elif hit.contact:
        rows.append(("of A", f"triangle {hit.face_a}, {rigid.FEATURES[hit.feature_a]}, at " + _point(hit.point_a)))
        rows.append(("of B", f"triangle {hit.face_b}, {rigid.FEATURES[hit.feature_b]}, at " + _point(hit.point_b)))
        rows.append(("normal", _point(hit.normal)))
        rows.append(("distance", f"{hit.distance:.3g}"))
    rows.append(("steps", _text.count(hit.steps)))
    rows.append(("time", _text.seconds(seconds)))
    return _text.lines(rows)


def _point(p: tuple[float, ...]) -> str:
    return "({:.6g}, {:.6g}, {:.6g})".format(*p)
