"""The command `ccd pose SCENE.json`: the pairs of many bodies at poses that are near each other."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import rigid
from .._inner import arrays
from .._io import checks
from ..rigid import Gap, Scene
from . import arguments, inside, models, output, remarks
from .exit_codes import FOUND, FOUND_NOTHING

HELP = (
    "A scene is one of ccd rigid: JSON whose bodies have files, poses and groups. It lists the pairs that may be "
    "within --within of each other (0); no other pair is that near, which is proven. What moves stands still at t = 0."
)
_OF_TWO = (
    "--pose", "--poses", "--pose-b", "--poses-b", "--min-separation", "--gradient", "--manifold", "--reduce", "--depth",
)  # fmt: skip
_SHOWN = 50  # the number of pairs that the text lists


def run(given: argparse.Namespace) -> int:
    """List the pairs and print them. Return FOUND if there are any, or one body is inside another."""
    arguments.refuse(given, _OF_TWO, f"{given.a} is a scene; --within is the distance")
    limit = arrays.within("--within", given.within or 0.0, "[0, 1e60]", "from 0 to 1e60")
    scene = models.scene(given, moves=False)
    if scene.mesh is not None:
        remarks.note(f"{given.a} has a mesh, which ccd pose does not look at")
    poses = np.zeros(len(scene.bodies), rigid.pose_dtype)
    for record, motion in zip(poses, scene.motions):
        record["rotation"], record["position"] = rigid.motion_pose(motion, 0.0)
    options = {"tolerance": given.tolerance, "max_iterations": given.max_iterations}
    start = time.perf_counter()
    with checks.naming(given.a), output.bar("bodies") as progress:
        near = rigid.within(scene.bodies, poses, limit, scene.groups, scene.skip, progress=progress, **options)
    contained = inside.of_scene(scene, 0.0)
    seconds = time.perf_counter() - start
    if given.json:
        output.emit_report(
            {"scene": given.a, "bodies": len(scene.bodies), "triangles": _triangles(scene)}
            | {"options": options | {"within": limit}, "pairs": [_as_json(pair) for pair in near]}
            | {"contained": contained, "seconds": seconds}
        )
    else:
        output.say_report(_text(scene, limit, near, contained, seconds))
    return FOUND if len(near) or contained else FOUND_NOTHING


def _triangles(scene: Scene) -> int:
    return sum(len(surface.faces) for surface in scene.surfaces)


def _as_json(pair: Any) -> dict[str, Any]:
    gap = Gap.from_record(pair["gap"])
    values = gap.as_dict()
    row: dict[str, Any] = {"a": int(pair["a"]), "b": int(pair["b"]), "distance_lo": gap.lo, "distance_hi": gap.hi}
    return row | {name: values[name] for name in KEPT} | {"unfinished": gap.unfinished}


#: what a row in JSON has of a gap, beside its ends
KEPT = (
    "intersecting", "index_a", "index_b", "feature_a", "feature_b", "point_a", "point_b", "normal", "epsilon", "iterations"
)  # fmt: skip


def _text(scene: Scene, limit: float, near: NDArray[np.void], contained: list[dict[str, Any]], seconds: float) -> str:
    rows = [("bodies", f"{len(scene.bodies)}, {output.count(_triangles(scene))} triangles in all")]
    rows.append(
        (f"within {limit!r}", f"{output.count(len(near))} pair{'s' * (len(near) > 1)}" if len(near) else "no pair (proven)")
    )
    rows += [inside.scene_row(contained), ("time", output.seconds(seconds))]
    text = output.lines(rows)
    if not len(near):
        return text
    table = [
        [f"{p['a']} {p['b']}", repr(float(p["gap"]["lo"])), repr(float(p["gap"]["hi"])),
         f"{p['gap']['index_a']} {p['gap']['index_b']}"]
        for p in near[:_SHOWN]
    ]  # fmt: skip
    text = output.table(["bodies", "distance_lo", "distance_hi", "triangles"], table) + "\n\n" + text
    return text if len(near) <= _SHOWN else text + f"\n{len(near) - _SHOWN} more pairs: see --json"
