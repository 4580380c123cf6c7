"""The command `ccd rigid SCENE.json`: many bodies, with each other and over a mesh that deforms."""

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
from . import arguments, models, output
from .exit_codes import FOUND, FOUND_NOTHING

HELP = (
    'A scene: {"bodies": [{"file": "a.obj", "position": [0, 0, 1], "rotation": [1, 0, 0, 0], "velocity": ..., '
    '"angular_velocity": ..., "pivot": ..., "group": 0}, ...], "skip": [[0, 1]], "mesh": {"x0": "a.obj", "x1": "b.obj"}}; all '
    "but file may be left out, files are beside the scene, bodies of one group are not tested against each other, and the mesh "
    "moves from x0 at --t-min to x1 at --t-max."
)
_SHOWN = 20  # impacts in a table


def run(given: argparse.Namespace) -> int:
    """Find the impacts and print them."""
    scene = models.scene(given)
    options = arguments.options(given) | {"t_min": given.t_min}
    start, stats, over = time.perf_counter(), Stats(), Stats()
    between, against = impacts(given.a, scene, given.earliest, options, stats, over)
    seconds = time.perf_counter() - start
    found = [_plain(x) for x in between] + [_plain(x) for x in against]
    found.sort(key=lambda x: x["impact"]["toi_lo"])
    if given.json:
        report = {"scene": given.a, "bodies": len(scene.bodies), "triangles": triangles(scene), "options": options}
        report |= {"impacts": found, "stats": stats.as_dict(), "mesh_stats": over.as_dict() if scene.mesh else None}
        output.emit_json(report | {"seconds": seconds})
    else:
        print(_lines(given, scene, found, seconds))
    return FOUND if found else FOUND_NOTHING


def triangles(scene: Scene) -> int:
    """Triangles of all bodies."""
    return sum(len(surface.faces) for surface in scene.surfaces)


def impacts(
    path: str, scene: Scene, first: bool, options: dict[str, Any], stats: Stats, over: Stats
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The impacts of bodies with each other and with the mesh; only the first of each, if first."""
    with checks.naming(path), output.bar("bodies") as progress:
        between = _between(scene, first, options | {"stats": stats, "progress": progress})
    with checks.naming(path), output.bar("mesh") as progress:
        return between, _against(scene, first, options | {"stats": over, "progress": progress})


def _between(scene: Scene, first: bool, options: dict[str, Any]) -> NDArray[Any]:
    more: dict[str, Any] = {"groups": scene.groups, "skip": scene.skip}
    if not first:
        return rigid.scene_collisions(scene.bodies, scene.motions, **more, **options)
    one = rigid.scene_earliest(scene.bodies, scene.motions, **more, **options)
    if one.impact.separate:
        return np.empty(0, rigid.scene_impact_dtype)
    return np.array([(one.a, one.b, _record(one.impact))], rigid.scene_impact_dtype)


def _against(scene: Scene, first: bool, options: dict[str, Any]) -> NDArray[Any]:
    if scene.mesh is None or scene.x0 is None or scene.x1 is None:
        return np.empty(0, rigid.mesh_impact_dtype)
    over = (scene.bodies, scene.motions, scene.mesh, scene.x0, scene.x1)
    if not first:
        return rigid.mesh_collisions(*over, **options)
    one = rigid.mesh_earliest(*over, **options)
    if one.impact.separate:
        return np.empty(0, rigid.mesh_impact_dtype)
    return np.array([(one.body, one.shape, 0, _record(one.impact))], rigid.mesh_impact_dtype)


def _record(impact: rigid.Impact) -> tuple[Any, ...]:
    return tuple(getattr(impact, name) for name in rigid.impact_dtype.names or ())


def _plain(record: Any) -> dict[str, Any]:
    """An impact in plain types: bodies a and b; or a body, b None, and the shape of the primitive of the mesh."""
    values = rigid.Impact.from_record(record["impact"]).as_dict()
    if "body" in record.dtype.names:
        return {"a": int(record["body"]), "b": None, "shape": str(Shape(record["shape"])), "impact": values}
    return {"a": int(record["a"]), "b": int(record["b"]), "shape": None, "impact": values}


def _lines(given: argparse.Namespace, scene: Scene, found: list[dict[str, Any]], seconds: float) -> str:
    rows = [("bodies", f"{len(scene.bodies)} of {output.count(triangles(scene))} triangles")]
    if scene.mesh is not None:
        rows.append(("mesh", f"{output.count(scene.mesh.counts[0])} vertices"))
    if not found:
        rows.append(("separate", f"proven for every t in [{given.t_min:g}, {given.t_max:g}]"))
    else:
        rows.append(("impacts", output.count(len(found)) + (" (the earliest only)" if given.earliest else "")))
        rows.append(("safe before", output.time(found[0]["impact"]["toi_lo"])))
    rows.append(("time", output.seconds(seconds)))
    lines = [output.lines(rows)]
    for x in found[:_SHOWN]:
        hit = x["impact"]
        other = f"body {x['b']}" if x["b"] is not None else f"{x['shape']} {hit['index_b']} of the mesh"
        how = hit["verdict"] + (", at the start already" if hit["flags"] & INITIAL_CONTACT else "")
        lines.append(f"  t = {output.time(hit['toi_lo'])}  body {x['a']} and {other}: {how}")
    if len(found) > _SHOWN:
        lines.append(f"  and {len(found) - _SHOWN} more: see --json")
    return "\n".join(lines)
