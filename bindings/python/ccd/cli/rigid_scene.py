"""The command `ccd rigid SCENE.json`: the impacts of many rigid bodies with each other and with a deforming mesh."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import rigid
from .._io import checks
from ..impact import INITIAL_CONTACT
from ..options import Stats
from ..rigid import Scene, Shape
from . import arguments, inside, models, output
from .exit_codes import FOUND, FOUND_NOTHING

HELP = (
    'A scene: {"bodies": [{"file": "a.obj", "position": [0, 0, 1], "rotation": [1, 0, 0, 0], "velocity": ..., '
    '"angular_velocity": ..., "pivot": ..., "group": 0}, ...], "skip": [[0, 1]], "mesh": {"x0": "a.obj", "x1": "b.obj"}}. '
    "Only file is required. File names are relative to the scene. Bodies of one group are not tested against each other. The "
    "mesh moves from x0 at --t-min to x1 at --t-max."
)
_SHOWN = 20  # the number of impacts that the text lists


def run(given: argparse.Namespace) -> int:
    """Find the impacts and print them. Return FOUND if there are any."""
    scene = models.scene(given)
    options = arguments.options(given) | {"t_min": given.t_min}
    start, stats, mesh_stats = time.perf_counter(), Stats(), Stats()
    of_bodies, of_mesh = impacts(given.a, scene, given.earliest, options, stats, mesh_stats)
    seconds = time.perf_counter() - start
    found = [_plain(x) for x in of_bodies] + [_plain(x) for x in of_mesh]
    contained = inside.of_scene(scene, given.t_min)
    found.sort(key=lambda x: x["impact"]["toi_lo"])
    if given.json:
        report = {"scene": given.a, "bodies": len(scene.bodies), "triangles": triangles(scene), "options": options}
        report |= {
            "impacts": found,
            "contained": contained,
            "stats": stats.as_dict(),
            "mesh_stats": mesh_stats.as_dict() if scene.mesh else None,
        }
        output.emit_report(report | {"seconds": seconds})
    else:
        output.say_report(_lines(given, scene, found, contained, seconds))
    return FOUND if found else FOUND_NOTHING


def triangles(scene: Scene) -> int:
    """Triangles of all bodies."""
    return sum(len(surface.faces) for surface in scene.surfaces)


def impacts(
    path: str, scene: Scene, first: bool, options: dict[str, Any], stats: Stats, mesh_stats: Stats
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the impacts of bodies with each other, and those with the mesh. With `first`, only the earliest of either list."""
    with checks.naming(path), output.bar("bodies") as progress:
        of_bodies = _between_bodies(scene, first, options | {"stats": stats, "progress": progress})
    with checks.naming(path), output.bar("mesh") as progress:
        return of_bodies, _with_mesh(scene, first, options | {"stats": mesh_stats, "progress": progress})


def _between_bodies(scene: Scene, first: bool, options: dict[str, Any]) -> NDArray[Any]:
    more: dict[str, Any] = {"groups": scene.groups, "skip": scene.skip}
    if not first:
        return rigid.scene_collisions(scene.bodies, scene.motions, **more, **options)
    one = rigid.scene_earliest(scene.bodies, scene.motions, **more, **options)
    if one.impact.separate:
        return np.empty(0, rigid.scene_impact_dtype)
    return np.array([(one.a, one.b, _record(one.impact))], rigid.scene_impact_dtype)


def _with_mesh(scene: Scene, first: bool, options: dict[str, Any]) -> NDArray[Any]:
    if scene.mesh is None or scene.x0 is None or scene.x1 is None:
        return np.empty(0, rigid.mesh_impact_dtype)
    moving = (scene.bodies, scene.motions, scene.mesh, scene.x0, scene.x1)
    if not first:
        return rigid.mesh_collisions(*moving, **options)
    one = rigid.mesh_earliest(*moving, **options)
    if one.impact.separate:
        return np.empty(0, rigid.mesh_impact_dtype)
    return np.array([(one.body, one.shape, 0, _record(one.impact))], rigid.mesh_impact_dtype)


def _record(impact: rigid.Impact) -> tuple[Any, ...]:
    return tuple(getattr(impact, name) for name in rigid.impact_dtype.names or ())


def _plain(record: Any) -> dict[str, Any]:
    """Return an impact in plain types. With the mesh, b is None, and shape is that of the mesh primitive."""
    values = rigid.Impact.from_record(record["impact"]).as_dict()
    if "body" in record.dtype.names:
        return {"a": int(record["body"]), "b": None, "shape": str(Shape(record["shape"])), "impact": values}
    return {"a": int(record["a"]), "b": int(record["b"]), "shape": None, "impact": values}


def _pair(found: dict[str, Any]) -> str:
    """What met."""
    if found["b"] is not None:
        return f"bodies {found['a']} {found['b']}"
    return f"body {found['a']} and {found['shape']} {found['impact']['index_b']} of the mesh"


def _lines(
    given: argparse.Namespace, scene: Scene, found: list[dict[str, Any]], contained: list[dict[str, Any]], seconds: float
) -> str:
    rows = [("bodies", f"{len(scene.bodies)}, {output.count(triangles(scene))} triangles in all")]
    if scene.mesh is not None:
        rows.append(("mesh", f"{output.count(scene.mesh.counts[0])} vertices"))
    if not found:
        rows.append(output.separate(given.t_max, given.t_min))
    else:
        rows.append(("impacts", output.count(len(found)) + (" (the earliest only)" if given.earliest else "")))
        rows.append(output.earliest(_pair(found[0]), found[0]["impact"]["toi_lo"]))
    rows.append(inside.scene_row(contained))
    rows.append(("time", output.seconds(seconds)))
    lines = [output.lines(rows)]
    for x in found[:_SHOWN]:
        hit = x["impact"]
        how = hit["verdict"] + (", at the start already" if hit["flags"] & INITIAL_CONTACT else "")
        lines.append(f"  {_pair(x)} at t = {output.time(hit['toi_lo'])}: {how}")
    if len(found) > _SHOWN:
        lines.append(f"  and {len(found) - _SHOWN} more: see --json")
    return "\n".join(lines)
