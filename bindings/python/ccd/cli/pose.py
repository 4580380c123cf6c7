"""The command `ccd pose`: two surfaces at poses, how far apart they are, where, and what is inside of both; or a scene."""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import errors, rigid
from .._inner import arrays
from .._io import checks
from .._io.regular import opened
from ..depth import Overlap
from ..gradient import GradientState
from ..rigid import Containment, Gap, Motion
from . import arguments, inside, models, output, pose_scene
from .exit_codes import FOUND, FOUND_NOTHING

_FORMS = "X,Y,Z[,QW,QX,QY,QZ]"
_APART = (None, Containment.OUTSIDE)  # what is no finding


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd pose`."""
    text = "surface: OBJ, PLY, STL, OFF, MSH, MEDIT or VTK, in the body's coordinates; or a scene: JSON"
    parser.add_argument("a", metavar="A", help=text)
    parser.add_argument("b", metavar="B", nargs="?", help="the other surface; none with a scene")
    for side, body in (("", "A"), ("-b", "B")):
        one = parser.add_mutually_exclusive_group()
        text = f"of {body}; or a matrix by rows, 12 or 16 numbers (origin)"
        one.add_argument(f"--pose{side}", type=arguments.pose, metavar=_FORMS, help=text)
        text = f"poses of {body}: text with one a line, as of --pose"
        one.add_argument(f"--poses{side}", metavar="FILE", help=text)
    text = "exit with 1 where the distance may be <= D, as where the surfaces meet (0)"
    parser.add_argument("--min-separation", type=float, default=0.0, metavar="D", help=text)
    text = "how wide the bracket of a distance may be (as narrow as doubles tell)"
    parser.add_argument("--tolerance", type=float, metavar="D", help=text)
    parser.add_argument("--gradient", action="store_true", help="also derivatives of the distance by both poses")
    text = "also list where the bodies touch within this distance, or overlap by it"
    parser.add_argument("--manifold", type=float, metavar="D", help=text)
    text = "with --manifold: at most four points of each normal"
    parser.add_argument("--reduce", action="store_true", help=text)
    text = "also how deep the bodies overlap: the least translation of A that separates them"
    parser.add_argument("--depth", action="store_true", help=text)
    text = "budget of one distance; 0 = none (0)"
    parser.add_argument("--max-iterations", type=int, default=0, metavar="N", help=text)
    text = "of a scene: list the pairs that may be so near each other, or nearer (0)"
    parser.add_argument("--within", type=float, metavar="D", help=text)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments.add_root(parser)
    parser.epilog = pose_scene.HELP
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Compute the distances and print them."""
    if given.b is None:
        if given.a.endswith(".json"):
            return pose_scene.run(given)
        raise errors.ArgumentError(f"{given.a}: give two surfaces, or a scene in JSON")
    arguments.refuse(given, ("--within", "--root", "--strict"), "it is of a scene, and these are two surfaces")
    arrays.within("--min-separation", given.min_separation, "[0, 1e60]", "from 0 to 1e60")
    if given.manifold is None:
        arguments.refuse(given, ("--reduce",), "it is of a manifold, --manifold")
    poses = _both(given)
    surfaces, bodies = zip(*(models.rigid_body(path) for path in (given.a, given.b)))
    options = {"tolerance": given.tolerance, "max_iterations": given.max_iterations}
    start = time.perf_counter()
    with output.bar("pose"):
        if given.gradient:
            slopes = rigid.distance_gradients(bodies[0], poses[0], bodies[1], poses[1], **options)
            found = slopes["gap"]
        else:
            slopes, found = None, rigid.distances(bodies[0], poses[0], bodies[1], poses[1], **options)
    deep = None
    if given.depth:
        with output.bar("depth"):
            deep = rigid.penetration_depths(bodies[0], poses[0], bodies[1], poses[1], **options)
    where, why = _inside(bodies, poses)
    touching = _manifolds(given, bodies, poses)
    common, refused = _common(bodies, poses, where)
    seconds = time.perf_counter() - start
    gaps = [Gap.from_record(record) for record in np.asarray(found, rigid.gap_dtype)]
    near = any(gap.intersecting or gap.lo <= given.min_separation for gap in gaps) or not set(where) <= set(_APART)
    counts = [len(surface.faces) for surface in surfaces]
    if given.json:
        rows = [_as_json(i, poses, gap, where[i], slopes, deep) | _common_as_json(common[i]) for i, gap in enumerate(gaps)]
        for row, contact in zip(rows, touching):
            row["manifold"] = contact.as_dict()
        output.emit_report(
            {"files": [given.a, given.b], "triangles": counts, "options": options | {"min_separation": given.min_separation}}
            | {"poses": rows, "not_closed": why, "no_volume": refused, "seconds": seconds}
        )
    else:
        text = [_manifold_text(i, contact, len(gaps) > 1) for i, contact in enumerate(touching)]
        output.say_report("\n\n".join([*text, _text_of(counts, gaps, where, why, slopes, deep, seconds, common, refused)]))
    return FOUND if near else FOUND_NOTHING


# ---- poses


def _both(given: argparse.Namespace) -> list[NDArray[np.void]]:
    """The poses of both bodies, as many of each: a single one goes with all of the other body."""
    read = [_poses(given, side) for side in ("", "_b")]
    count = max(len(poses) for poses in read)
    if any(len(poses) not in (1, count) for poses in read):
        names = f"--poses has {len(read[0])} poses, --poses-b has {len(read[1])}"
        raise errors.ArgumentError(f"{names}: the numbers must be equal, or one of them 1")
    return [np.ascontiguousarray(np.broadcast_to(poses, count)) for poses in read]


def _poses(given: argparse.Namespace, side: str) -> NDArray[np.void]:
    """The poses of a body."""
    path = getattr(given, f"poses{side}")
    if path is None:
        with checks.naming(f"--pose{side}".replace("_", "-")):
            return _record(getattr(given, f"pose{side}") or [0.0, 0.0, 0.0])[None]
    with checks.reading(path), opened(path) as file:
        lines = file.read().decode().splitlines()
    found: list[NDArray[np.void]] = []
    read = False
    for i, line in enumerate(lines):
        words = line.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        first, read = not read, True
        if first and not _is_number(words[0]):
            continue  # the names of the columns
        try:
            found.append(_record(arguments.pose(",".join(words))))
        except (argparse.ArgumentTypeError, errors.ArgumentError) as error:
            raise errors.FileError(f"{path}: line {i + 1}: {error}") from None
    if not found:
        raise errors.FileError(f"{path}: no poses: give one a line, as of --pose")
    return np.array(found)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _record(values: list[float]) -> NDArray[np.void]:
    """A position with a quaternion w, x, y, z, or a matrix by rows, as a record."""
    out = np.zeros((), rigid.pose_dtype)
    if len(values) <= 7:
        out["rotation"], out["position"] = values[3:] or (1.0, 0.0, 0.0, 0.0), values[:3]
        return out
    rows = values if len(values) == 16 else [*values, 0.0, 0.0, 0.0, 1.0]
    motion = Motion.from_pose(np.array(rows).reshape(4, 4))
    out["rotation"], out["position"] = motion.rotation, motion.position
    return out


# ---- results


def _manifolds(
    given: argparse.Namespace, bodies: tuple[rigid.Body, ...], poses: list[NDArray[np.void]]
) -> list[rigid.Manifold]:
    """Where the bodies touch, at each pair of poses."""
    if given.manifold is None:
        return []
    with checks.naming("--manifold"):
        return [
            rigid.manifold(bodies[0], a, bodies[1], b, given.manifold, reduce=given.reduce) for a, b in zip(poses[0], poses[1])
        ]


def _manifold_text(i: int, contact: rigid.Manifold, many: bool) -> str:
    """A table of the points of one pair of poses."""
    said = [f"pose {i}"] if many else []
    said += [f"{len(contact.points)} points", *["crossing"] * contact.crossing, *["inside"] * contact.inside]
    rows = []
    for p in contact.points:
        gap = f"[{p['gap_lo']:.3g}, {p['gap_hi']:.3g}]"
        at, normal = (" ".join(f"{x:g}" for x in p[name]) for name in ("point_a", "normal"))
        features = ", ".join(rigid.FEATURES[int(p[name])] for name in ("feature_a", "feature_b"))
        rows.append([gap, at, normal, features, str(int(p["group"]))])
    head = "manifold: " + ", ".join(said)
    return head if not rows else head + "\n" + output.table(["gap", "point", "normal", "features", "group"], rows)


def _inside(bodies: tuple[rigid.Body, ...], poses: list[NDArray[np.void]]) -> tuple[list[Containment | None], str | None]:
    """How A lies to B at each pair of poses; None where it is not known, and why."""
    for name, body in zip("AB", bodies):
        why = inside.not_closed(body)
        if why:
            return [None] * len(poses[0]), f"{name} is not closed: {why}"
    still = [[Motion(rotation=p["rotation"], position=p["position"]) for p in side] for side in poses]
    return [Containment(int(x)) for x in rigid.containment_batch(bodies[0], still[0], bodies[1], still[1])], None


def _common(
    bodies: tuple[rigid.Body, ...], poses: list[NDArray[np.void]], where: list[Containment | None]
) -> tuple[list[Overlap | None], str | None]:
    """The volume that A and B have in common at each pair of poses; None where it is not known, and why."""
    if None in where:
        return [None] * len(where), None
    still = [[Motion(rotation=p["rotation"], position=p["position"]) for p in side] for side in poses]
    try:
        found = rigid.overlaps(bodies[0], still[0], bodies[1], still[1])
    except errors.ArgumentError as error:
        return [None] * len(where), str(error)
    return [Overlap.from_record(record) for record in found], None


def _common_as_json(common: Overlap | None) -> dict[str, float | None]:
    return {f"volume_{end}": None if common is None else getattr(common, f"volume_{end}") for end in ("lo", "hi")}


def _as_json(
    i: int,
    poses: list[NDArray[np.void]],
    gap: Gap,
    where: Containment | None,
    slopes: NDArray[np.void] | None,
    deep: NDArray[np.void] | None,
) -> dict[str, Any]:
    at = [{"rotation": side[i]["rotation"].tolist(), "position": side[i]["position"].tolist()} for side in poses]
    values = gap.as_dict()
    row: dict[str, Any] = {"pose_a": at[0], "pose_b": at[1], "distance_lo": gap.lo, "distance_hi": gap.hi}
    row |= {name: values[name] for name in pose_scene.KEPT} | {"unfinished": gap.unfinished}
    row["containment"] = None if where is None else str(where)
    if deep is not None:
        row["penetration"] = rigid.Penetration.from_record(deep[i]).as_dict()
    if slopes is not None:
        row["gradient"] = {"state": str(GradientState(int(slopes["state"][i])))} | {
            name: [x if math.isfinite(x) else None for x in slopes[name][i].tolist()] for name in _SLOPES
        }
    return row


_SLOPES = ("position_a", "rotation_a", "position_b", "rotation_b")


def _text_of(
    counts: list[int],
    gaps: list[Gap],
    where: list[Containment | None],
    why: str | None,
    slopes: Any,
    deep: NDArray[np.void] | None,
    seconds: float,
    common: list[Overlap | None],
    refused: str | None,
) -> str:
    least = min(range(len(gaps)), key=lambda i: (gaps[i].lo, 0.0 if deep is None else -deep["hi"][i]))
    gap = gaps[least]
    rows = [("triangles", " and ".join(output.count(n) for n in counts))]
    if len(gaps) > 1:
        rows.append(("poses", output.count(len(gaps))))
        rows.append(("nearest", f"pose {least}"))
    rows.append(("distance", _bracket(gap)))
    rows.append(inside.bodies_row(where[least], why, None))
    rows += _volume_row(common[least], refused)
    for name, index, feature, at in (
        ("of A", gap.index_a, gap.feature_a, gap.point_a),
        ("of B", gap.index_b, gap.feature_b, gap.point_b),
    ):
        rows.append((name, f"triangle {index}, {rigid.FEATURES[feature]}, at {output.point('', at)[1]}"))
    rows.append(output.point("normal", gap.normal))
    if deep is not None:
        found = rigid.Penetration.from_record(deep[least])
        kind = "a translation that separates (proven)" if found.upper_bound else "in"
        shown = repr(found.hi) if found.upper_bound else f"[{found.lo!r}, {found.hi!r}]"
        rows.append(("depth", f"{kind} {shown}" if found.hi else "0: the bodies touch or are apart"))
        rows.append(output.point("way out", found.translation))
    if slopes is not None:
        rows.append(("gradient", str(GradientState(int(slopes["state"][least])))))
        rows += [output.point(name.replace("_", " of "), slopes[name][least]) for name in _SLOPES]
    rows.append(("time", output.seconds(seconds)))
    text = output.lines(rows)
    if len(gaps) == 1:
        return text
    table = [
        [str(i), repr(g.lo), repr(g.hi), f"{g.index_a} {g.index_b}", "-" if w is None else str(w)]
        for i, (g, w) in enumerate(zip(gaps, where))
    ]
    return output.table(["pose", "distance_lo", "distance_hi", "triangles", "containment"], table) + "\n\n" + text


def _volume_row(common: Overlap | None, refused: str | None) -> list[tuple[str, str]]:
    if common is None:
        return [] if refused is None else [("in common", f"not known: {refused}")]
    if common.volume_lo == common.volume_hi == 0:
        return [("in common", "no volume (proven)")]
    return [
        (
            "in common",
            f"a volume in [{common.volume_lo!r}, {common.volume_hi!r}]" + (", unfinished" if common.unfinished else ""),
        )
    ]


def _bracket(gap: Gap) -> str:
    if gap.intersecting:
        return "0: the surfaces share a point (exact)"
    return f"in [{gap.lo!r}, {gap.hi!r}]" + (", unfinished" if gap.unfinished else "")
