"""The command `ccd rigid SCENE.json`: many bodies, with each other and over a mesh that deforms."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _inputs, _root, _text, errors, rigid
from .files import Surface
from .impact import INITIAL_CONTACT
from .mesh import Mesh
from .options import Stats
from .rigid import Body, Element, Motion

HELP = (
    'A scene: {"bodies": [{"file": "a.obj", "position": [0, 0, 1], "rotation": [1, 0, 0, 0], "velocity": ..., "spin": ..., '
    '"pivot": ..., "group": 0}, ...], "skip": [[0, 1]], "mesh": {"x0": "a.obj", "x1": "b.obj"}}; all but file may be left out, '
    "files are beside the scene, bodies of one group do not meet, and the mesh moves from x0 at t0 to x1 at t1."
)
_MOTION = ("rotation", "position", "velocity", "spin", "pivot")
_SHOWN = 20  # contacts in a table


class Scene:
    """What the file says. Its paths may not leave the folder root, if there is one."""

    def __init__(self, path: str, root: str | None = None):
        given = _read(path)
        folder, self.path, self.root = Path(path).parent, path, root
        self.bodies: list[Body] = []
        self.motions: list[Motion] = []
        self.groups: list[int] = []
        self.triangles = 0
        self.surfaces: list[Surface] = []
        shapes: dict[str, tuple[Body, Surface]] = {}
        for i, item in enumerate(self._items(given.pop("bodies", []), "bodies")):
            name = item.pop("file", None)
            if not isinstance(name, str):
                raise errors.FileError(f"{path}: bodies[{i}] has no file")
            if name not in shapes:
                surface = self._surface(folder / name)
                with _inputs.blamed(str(folder / name)), _text.bar("tree"):
                    shapes[name] = Body(surface.vertices, surface.faces), surface
            self.bodies.append(shapes[name][0])
            self.surfaces.append(shapes[name][1])
            self.triangles += len(shapes[name][1].faces)
            self.groups.append(self._group(item.pop("group", -1), i))
            self.motions.append(Motion(**{k: item.pop(k) for k in _MOTION if k in item}))
            self._nothing_else(item, f"bodies[{i}]")
        self.skip = given.pop("skip", [])
        self.mesh: Mesh | None = None
        if "mesh" in given:
            self._load_mesh(self._items([given.pop("mesh")], "mesh")[0], folder)
        self._nothing_else(given, "the scene")

    def _surface(self, path: Path) -> Surface:
        with _root.within(self.root, str(path)) as name:
            return _inputs.surface(name)

    def _items(self, items: Any, name: str) -> list[dict[str, Any]]:
        if not isinstance(items, list) or not all(isinstance(x, dict) for x in items):
            raise errors.FileError(f"{self.path}: {name} is no list of objects")
        return items

    def _group(self, group: Any, i: int) -> int:
        if not isinstance(group, int):
            raise errors.FileError(f"{self.path}: bodies[{i}].group is {group!r}: must be an integer")
        return group

    def _nothing_else(self, rest: dict[str, Any], where: str) -> None:
        if rest:
            raise errors.FileError(f"{self.path}: {where} has {', '.join(map(repr, rest))}, which means nothing")

    def _load_mesh(self, given: dict[str, Any], folder: Path) -> None:
        paths = [str(folder / str(given.pop(name))) for name in ("x0", "x1") if name in given]
        frames = [self._surface(Path(path)) for path in paths]
        self._nothing_else(given, "mesh")
        if len(frames) != 2:
            raise errors.FileError(f"{self.path}: mesh has not both x0 and x1")
        start, end = frames
        if len(start.vertices) != len(end.vertices) or not np.array_equal(start.faces, end.faces):
            raise errors.ArgumentError(f"{self.path}: x1 has other faces than x0: the frames must be of one mesh")
        self.mesh, self.frames = _inputs.mesh(paths[0], start), (start.vertices, end.vertices)


def _read(path: str) -> dict[str, Any]:
    with _inputs.reading(path):
        given = json.loads(Path(path).read_text("utf-8"))
    if not isinstance(given, dict):
        raise errors.FileError(f"{path} is no JSON object")
    return given


def root(given: argparse.Namespace) -> str | None:
    """The folder that --root names, or --strict implies; None where paths may lead anywhere."""
    return given.root or (str(Path(given.a).parent) if given.strict else None)


def add_root(parser: Any) -> None:
    """Arguments for where the files of a scene may be."""
    parser.add_argument("--root", metavar="DIR", help="files of a scene may not be outside of this folder (anywhere)")
    parser.add_argument("--strict", action="store_true", help="the same with the scene's own folder: for scenes of others")


def run(given: argparse.Namespace) -> int:
    """Find the contacts and print them."""
    from .cli import FOUND, FOUND_NOTHING

    scene = Scene(given.a, root(given))
    options = {name: getattr(given, name) for name in ("t0", "t1", "separation", "tolerance", "max_steps", "method", "threads")}
    start, stats, over = time.perf_counter(), Stats(), Stats()
    between, against = contacts(scene, given.earliest, options, stats, over)
    seconds = time.perf_counter() - start
    found = [_plain(x) for x in between] + [_plain(x) for x in against]
    found.sort(key=lambda x: x["impact"]["toi_lo"])
    if given.json:
        report = {"scene": given.a, "bodies": len(scene.bodies), "triangles": scene.triangles, "options": options}
        report |= {"contacts": found, "stats": stats.as_dict(), "mesh_stats": over.as_dict() if scene.mesh else None}
        _text.emit_json(report | {"seconds": seconds})
    else:
        print(_lines(given, scene, found, seconds))
    return FOUND if found else FOUND_NOTHING


def contacts(
    scene: Scene, first: bool, options: dict[str, Any], stats: Stats, over: Stats
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The contacts between bodies, and those with the mesh; the first of each alone, if so wished."""
    with _inputs.blamed(scene.path), _text.bar("bodies") as progress:
        between = _between(scene, first, options | {"stats": stats, "progress": progress})
    with _inputs.blamed(scene.path), _text.bar("mesh") as progress:
        return between, _against(scene, first, options | {"stats": over, "progress": progress})


def _between(scene: Scene, first: bool, options: dict[str, Any]) -> NDArray[Any]:
    more = {"groups": scene.groups, "skip": scene.skip}
    if not first:
        return rigid.scene_contacts(scene.bodies, scene.motions, **more, **options)
    one = rigid.scene_earliest(scene.bodies, scene.motions, **more, **options)
    if one.impact.separate:
        return np.empty(0, rigid.contact_dtype)
    return np.array([(one.a, one.b, _record(one.impact))], rigid.contact_dtype)


def _against(scene: Scene, first: bool, options: dict[str, Any]) -> NDArray[Any]:
    if scene.mesh is None:
        return np.empty(0, rigid.mesh_contact_dtype)
    over = (scene.bodies, scene.motions, scene.mesh, *scene.frames)
    if not first:
        return rigid.mesh_collisions(*over, **options)
    one = rigid.mesh_earliest(*over, **options)
    if one.impact.separate:
        return np.empty(0, rigid.mesh_contact_dtype)
    return np.array([(one.body, one.element, 0, _record(one.impact))], rigid.mesh_contact_dtype)


def _record(impact: rigid.Impact) -> tuple[Any, ...]:
    return tuple(getattr(impact, name) for name in rigid.impact_dtype.names or ())


def _plain(record: Any) -> dict[str, Any]:
    """A contact in plain types: bodies a and b, or a body, and b is None and element tells what of the mesh."""
    values = rigid.Impact.from_record(record["impact"]).as_dict()
    if "body" in record.dtype.names:
        return {"a": int(record["body"]), "b": None, "element": str(Element(record["element"])), "impact": values}
    return {"a": int(record["a"]), "b": int(record["b"]), "element": None, "impact": values}


def _lines(given: argparse.Namespace, scene: Scene, found: list[dict[str, Any]], seconds: float) -> str:
    rows = [("bodies", f"{len(scene.bodies)} of {_text.count(scene.triangles)} triangles")]
    if scene.mesh is not None:
        rows.append(("mesh", f"{_text.count(len(scene.frames[0]))} vertices"))
    if not found:
        rows.append(("separate", f"proven for every t in [{given.t0:g}, {given.t1:g}]"))
    else:
        rows.append(("contacts", _text.count(len(found)) + (" (the earliest only)" if given.earliest else "")))
        rows.append(("safe before", _text.time(found[0]["impact"]["toi_lo"])))
    rows.append(("time", _text.seconds(seconds)))
    lines = [_text.lines(rows)]
    for x in found[:_SHOWN]:
        hit = x["impact"]
        other = f"body {x['b']}" if x["b"] is not None else f"{x['element']} {hit['face_b']} of the mesh"
        how = hit["verdict"] + (", at the start already" if hit["flags"] & INITIAL_CONTACT else "")
        lines.append(f"  t = {_text.time(hit['toi_lo'])}  body {x['a']} and {other}: {how}")
    if len(found) > _SHOWN:
        lines.append(f"  and {len(found) - _SHOWN} more: see --json")
    return "\n".join(lines)
