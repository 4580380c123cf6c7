"""The command `ccd view`: a page that plays a step, or the steps between the frames of a sequence."""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from .. import broad, errors, files, patch, proximity, rigid, step, volume
from ..impact import Kind
from ..mesh import Mesh
from ..options import Stats
from ..view import Page
from . import arguments, models, output, recorded, rigid_scene, sequence, view_fields, view_files
from . import frames as frames_
from .exit_codes import FOUND, FOUND_NOTHING

_KINDS = ("mesh", "volume", "rigid", "patch")
_FRAMED = ("mesh", "volume")  # the kinds that may have more than two frames
_OWN = {  # the options that one kind of scene alone has, by their names in the program
    "components": ("mesh",),
    "color": ("mesh", "volume"),
    **dict.fromkeys(("radius", "radii", "displacement", "weld"), ("mesh", "volume")),
    **dict.fromkeys(("animation", "mesh_file"), ("mesh",)),
    **dict.fromkeys(("frames", "deck"), ("mesh",)),
    "no_check_start": ("mesh",),
    "pair_classes": ("volume",),
    "surface": ("volume",),
    **dict.fromkeys((*arguments.MOVING, "t_min"), ("rigid",)),
    "within": ("rigid", "mesh", "volume"),
    **dict.fromkeys(("move_a", "move_b", "manifold", "t_window"), ("patch",)),
}
_METHODS = {
    "mesh": arguments.PAIR_METHODS,
    "volume": arguments.VOLUME_METHODS,
    "rigid": arguments.RIGID_METHODS,
    "patch": arguments.PATCH_METHODS,
}


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd view`."""
    parser.description = (
        "Write one self-contained HTML page that plays the step and shows what was found, for a browser. A and B are two frames"
        " of a mesh or of a volume of elements; or two rigid bodies, when a pose or velocity is given; or two bodies of"
        " curved patches, as for ccd patch. A alone is a mesh that rests, a scene of rigid bodies, as for ccd rigid, or"
        " patches and themselves."
        " B may be a motion of a mesh that is not straight, .npz."
        " More frames, or a quoted pattern such as 'frames/*.obj', make a sequence: each step between two frames is computed."
    )
    parser.add_argument("a", metavar="A", help="the first frame, or the first body; or a quoted pattern of frames")
    parser.add_argument(
        "b",
        metavar="B",
        nargs="?",
        help="the second frame (or its vertices as .npy), motion or body; none with a scene, or to look at a mesh",
    )
    parser.add_argument("more", metavar="FRAME", nargs="*", default=[], help="more frames of a mesh or volume, each as B")
    view_files.add(parser)
    parser.add_argument("--as", dest="kind", choices=_KINDS, help="what the files are; else their content and options decide")
    parser.add_argument("--up", choices=("x", "y", "z"), help="the axis that is up (that along which things fall, else z)")
    view_fields.add(parser)
    parser.add_argument("--no-near", action="store_true", help="leave out pairs that came near and do not collide")
    arguments.add_options(parser, list(dict.fromkeys(name for names in _METHODS.values() for name in names)))
    arguments.add_radii(parser)
    arguments.add_frames(parser)
    arguments.add_films(parser)
    recorded.add_frames(parser)
    text = "of a mesh: do not test whether edges pass through faces at the start of each step"
    parser.add_argument("--no-check-start", dest="no_check_start", action="store_true", help=text)
    parser.add_argument("--components", action="store_true", help="of a mesh: no connected component collides with itself")
    classes, text = [str(c) for c in volume.PairClass], "of a volume: only pairs of this class; may be repeated"
    parser.add_argument("--pair-class", dest="pair_classes", action="append", choices=classes, default=[], help=text)
    parser.add_argument("--surface", action="store_true", help="of a volume: only features of the surface")
    bodies = parser.add_argument_group("rigid bodies")
    arguments.add_motions(bodies)
    arguments.add_root(bodies)
    text = "near pairs are within D at the impact (1/50 of the smaller body)"
    bodies.add_argument("--within", type=float, metavar="D", help=text + "; of --color distance: pairs within D (a mean edge)")
    patches = parser.add_argument_group("curved patches")
    arguments.add_moves(patches)
    parser.set_defaults(run=run, **dict.fromkeys(("tolerance", "t_min", "t_window")))


def run(given: argparse.Namespace) -> int:
    """Compute the steps and write the page."""
    view_files.check(given)
    given.a, *rest = models.film_frames_of(sequence.expand([given.a, *([given.b] if given.b else []), *given.more]), given)
    given.b, given.more = (rest[0], rest[1:]) if rest else (None, [])
    with output.bar(f"reading {given.a}"):
        kind = given.kind or _told(given)
    if given.b is None and kind in _FRAMED:
        given.b, given.alone = given.a, True  # one mesh, which rests
    if given.b is None and kind == "rigid" and not given.a.endswith(".json"):
        raise errors.ArgumentError(f"{given.a}: give two bodies, or a scene of rigid bodies in JSON")
    _fitting(given, kind)
    page = {"mesh": _mesh, "volume": _volume, "rigid": _rigid, "patch": _patch}[kind](given)
    page.up = given.up
    files = view_files.write(given, page)
    report = {**files, "kind": kind, "impacts": page.met, "listed": len(page.impacts)}
    report |= {"near": len(page.near), "near_found": page.near_found}
    if kind in _FRAMED:
        report["frames"] = page.steps + 1
    if given.json:
        output.emit_report(report)
    else:
        impacts = _counted(page.met, len(page.impacts), "earliest")
        near = _counted(page.near_found, len(page.near), "nearest")
        frames = f"{output.count(page.steps + 1)} frames, " if given.more or page.steps > 1 else ""
        written = ", ".join(filter(None, files.values()))
        output.say_report(f"{written}: {frames}{impacts[0]} impacts{impacts[1]}, {near[0]} near pairs{near[1]}")
    return FOUND if page.met else FOUND_NOTHING


def _counted(found: int, listed: int, which: str) -> tuple[str, str]:
    """How many there are, and how many of them the page lists where that is not all."""
    return output.count(found), f" (the {which} {output.count(listed)} listed)" if listed < found else ""


def _told(given: argparse.Namespace) -> str:
    """What the files are: by the options that were given, then by what the first file holds."""
    if (given.b is None and given.a.endswith(".json")) or any(getattr(given, name) is not None for name in arguments.MOVING):
        return "rigid"
    if given.a.endswith(".npz"):
        return "patch"
    if models.is_film(given.a) or recorded.holds_frames(given.a):
        return "mesh"
    if given.a.lower().endswith((".vtk", ".vtu", ".msh", ".mesh", ".meshb")):
        solid = ~np.isin(volume.read(given.a).elements, (volume.Element.TRIANGLE, volume.Element.QUADRILATERAL))
        return "volume" if solid.any() else "mesh"
    try:
        surface = files.read(given.a)
        if len(surface.faces) or len(surface.edges):
            return "mesh"
        patch.read(given.a)  # an OBJ may hold curved surfaces alone
    except errors.FileError as error:
        try:
            patch.read(given.a)
        except errors.FileError:
            raise error from None
    return "patch"


def _fitting(given: argparse.Namespace, kind: str) -> None:
    """Refuse options that say nothing about this kind of scene, and fill in the defaults of its command."""
    if given.more and kind not in _FRAMED:
        raise errors.ArgumentError(f"{given.more[0]}: a scene of kind {kind} takes no third file; only meshes and volumes do")
    for name, kinds in _OWN.items():
        if kind not in kinds and getattr(given, name) not in (None, False, []):
            option = {"pair_classes": "pair_class", "mesh_file": "mesh"}.get(name, name).replace("_", "-")
            raise errors.ArgumentError(f"--{option} is not for a scene of kind {kind}: it is for {', '.join(kinds)} (--as)")
    if kind == "rigid" and given.b is None:
        arguments.refuse(given, arguments.MOVING_OPTIONS, f"{given.a} is a scene, which says how its bodies move")
    else:
        arguments.refuse(given, ("--root", "--strict"), "it is of a scene of rigid bodies in JSON")
    if given.manifold is None:
        arguments.refuse(given, ("--t-window",), "it is of a manifold, --manifold")
    if kind != "rigid" and given.color != view_fields.DISTANCE:
        arguments.refuse(given, ("--within",), "it is of rigid bodies, or of --color distance")
    if kind == "rigid" and given.no_near:
        arguments.refuse(given, ("--within",), "--no-near leaves out near pairs")
    if given.method not in _METHODS[kind]:
        raise errors.ArgumentError(f"--method is {given.method}: for {kind} it must be one of {', '.join(_METHODS[kind])}")
    defaults = {"tolerance": 1e-10 if kind == "rigid" else 1e-6, "t_min": 0.0, "t_window": 1e-3}
    for name, value in defaults.items():
        if getattr(given, name) is None:
            setattr(given, name, value)


def _title(given: argparse.Namespace, between: str) -> str:
    return f"{Path(given.a).name} {between} {Path((given.more or [given.b])[-1]).name}"


def _add_facts(page: Page, given: argparse.Namespace, **facts: str) -> None:
    page.facts = {name.replace("_", " "): text for name, text in facts.items()} | page.facts
    if given.min_separation:
        page.facts["minimum separation"] = f"{given.min_separation:g}"


class _Sum:
    """Stats of all steps of a sequence."""

    def __init__(self) -> None:
        self.seconds, self.candidates = 0.0, 0

    def add(self, stats: Stats) -> None:
        self.seconds += stats.seconds_total
        self.candidates += sum(n for kind, n in stats.candidates.items() if kind <= Kind.EDGE_EDGE)

    def facts(self) -> dict[str, str]:
        """The time, and the candidate pairs as `ccd step` and `ccd volume` count them."""
        return {"solved_in": output.seconds(self.seconds), "candidate_pairs": output.count(self.candidates)}


# ---- meshes and volumes


def _paths(given: argparse.Namespace) -> list[str]:
    return [given.a, given.b, *given.more]


def _sequence_page(given: argparse.Namespace, names: list[str]) -> Page:
    page = Page(_title(given, "to"))
    if len(names) > 2:
        page.frame_names = names
        page.facts["frames"] = output.count(len(names))
        page.verdict = "separate: every step proven"
    return page


def _of(k: int, frames: list[Any]) -> str:
    """Which step, for a progress bar."""
    return f" {k + 1} of {len(frames) - 1}" if len(frames) > 2 else ""


def _mesh(given: argparse.Namespace) -> Page:
    if any(path.endswith(".npz") for path in _paths(given)):
        models.refuse_frames(given, given.b)
        return _motion(given, models.surface(given.a))
    fields: list[dict[str, Any]] = []
    found = recorded.sequence(given.a, given, fields) if getattr(given, "alone", False) else None
    if found is None:
        surface, frames = models.frames(_paths(given), given, fields)
        names = [Path(path).name for path in _paths(given)]
    else:
        surface, frames, names = found
        frames, names, fields = (frames * 2, names * 2, fields * 2) if len(frames) == 1 else (frames, names, fields)
    mesh, total = models.mesh(given.a, surface), _Sum()
    frames_.note_untested(given, mesh)
    models.thicken(given, mesh)
    if given.components:
        mesh.set_component_groups()
    page, (vertices, _, faces) = _sequence_page(given, names), mesh.counts
    with output.bar("page"):
        objects = models.objects(given.a, surface)
        if objects is not None and len(objects[1]) == 1:  # its connected components say more
            part = page.add_sequence(mesh, frames, objects[1][0])
        else:
            part = page.add_sequence(mesh, frames, objects=objects)
        view_fields.add_fields(page, part, fields, given)
    steps: list[np.ndarray] = []
    for k, (start, end) in enumerate(pairwise(frames)):
        stats = Stats()
        with output.bar(f"step{_of(k, frames)}") as progress:
            options = arguments.options(given) | {"check_start": not given.no_check_start}
            impacts = step.collisions(mesh, start, end, **options, stats=stats, progress=progress)
        total.add(stats)
        with output.bar("page"):
            page.add_impacts(mesh, start, end, impacts, part, step=k)
        if not given.no_near:
            near = _candidates(given, mesh, start, end)
            with output.bar("page"):
                page.add_near(mesh, start, near, part, step=k)
        if given.color == view_fields.ALPHA:
            with output.bar(f"steps of vertices{_of(k, frames)}") as progress:
                steps.append(step.sizes(mesh, start, end, **arguments.options(given), progress=progress).alpha)
    view_fields.color(page, part, given, mesh, view_fields.OF_MESHES, steps)
    _add_facts(page, given, vertices=output.count(vertices), faces=output.count(faces), **total.facts())
    return page


def _motion(given: argparse.Namespace, surface: files.Surface) -> Page:
    """A mesh whose vertices move on a motion from a file, with its impacts."""
    if given.more:
        raise errors.ArgumentError(f"{given.more[0]}: a motion is a whole step: give no other frames")
    motion = models.motion(given.b, len(surface.vertices), given.a)
    mesh, stats = models.mesh(given.a, surface), Stats()
    models.thicken(given, mesh)
    if given.components:
        mesh.set_component_groups()
    page = Page(_title(given, "on"))
    with output.bar("page"):
        part = page.add_motion(mesh, motion)
    with output.bar("step") as progress:
        options = arguments.options(given) | {"check_start": not given.no_check_start}
        impacts = step.collisions(mesh, motion, **options, stats=stats, progress=progress)
    with output.bar("page"):
        page.add_motion_impacts(mesh, impacts, part)
    total = _Sum()
    total.add(stats)
    vertices, _, faces = mesh.counts
    view_fields.color(page, part, given)
    pieces = {"degree": str(motion.degree), "pieces": output.count(motion.pieces)}
    _add_facts(page, given, vertices=output.count(vertices), faces=output.count(faces), **pieces, **total.facts())
    return page


def _candidates(given: argparse.Namespace, mesh: Mesh, start: np.ndarray, end: np.ndarray) -> dict[Kind, np.ndarray]:
    with output.bar("near pairs") as progress:
        options: dict[str, Any] = {"min_separation": given.min_separation, "threads": given.threads, "progress": progress}
        found = broad.candidates(mesh, start, end, **options)
    return {kind: found[kind] for kind in Kind}


def _volume(given: argparse.Namespace) -> Page:
    fields: list[dict[str, Any]] = []
    cells, frames = models.elements(_paths(given), given, fields)
    mesh, total = models.volume_of(given.a, cells), _Sum()
    frames_.note_untested(given, mesh)
    models.thicken(given, mesh)
    names = [Path(path).name for path in _paths(given)]
    page, (vertices, elements, *_) = _sequence_page(given, names), mesh.counts
    with output.bar("page"):
        part = page.add_sequence(mesh, frames, "volume", cells)
        view_fields.add_fields(page, part, fields, given)
    skin = Mesh(page.faces(part), vertices=vertices)
    models.thicken(given, skin)
    classes: Counter[int] = Counter()
    for k, (start, end) in enumerate(pairwise(frames)):
        options = arguments.options(given) | {"stats": (stats := Stats())}
        with output.bar(f"volume{_of(k, frames)}") as progress:
            options["progress"] = progress
            impacts = volume.collisions(mesh, start, end, pair_classes=given.pair_classes, surface=given.surface, **options)
        total.add(stats)
        classes.update(impacts["pair_class"].tolist())
        with output.bar("page"):
            page.add_volume_impacts(cells, start, end, impacts, part, step=k)
        if not given.no_near:
            near = _candidates(given, skin, start, end)
            with output.bar("page"):
                page.add_near(skin, start, near, part, of=mesh, step=k)
    view_fields.color(page, part, given, skin, view_fields.OF_VOLUMES)
    _add_facts(page, given, vertices=output.count(vertices), elements=output.count(elements), **total.facts())
    page.facts |= {str(cls): output.count(classes[cls]) for cls in volume.PairClass if classes[cls]}
    return page


# ---- bodies


def _rigid(given: argparse.Namespace) -> Page:
    options = arguments.options(given) | {"t_min": given.t_min}
    if given.b is None:
        return _scene(given, options)
    surfaces, bodies = [], []
    for path in (given.a, given.b):
        surface, body = models.rigid_body(path)
        surfaces.append(surface)
        bodies.append(body)
    first, second = motions = models.motions(given)
    with output.bar("rigid"):
        hit = rigid.earliest(bodies[0], first, bodies[1], second, **options)
    page = Page(_title(given, "and"), given.t_min, given.t_max)
    page.verdict = "separate: proven" if hit.separate else "undecided: no impact found"
    triangles = " and ".join(output.count(len(s.faces)) for s in surfaces)
    _add_facts(page, given, triangles=triangles, iterations=output.count(hit.iterations))
    with output.bar("page"):
        parts = [page.add_body(s.vertices, s.faces, m, name) for s, m, name in zip(surfaces, motions, "AB")]
        page.add_rigid_impact(hit, parts[0], parts[1])
    if hit.contact and not given.no_near:
        placed = [(m.at(hit.toi_lo, s.vertices), s.faces) for m, s in zip(motions, surfaces)]
        _near_bodies(page, placed, hit.toi_lo, given.within)
    return page


def _scene(given: argparse.Namespace, options: dict[str, Any]) -> Page:
    """Many bodies, and a mesh that deforms if there is one, from a file as for `ccd rigid`."""
    scene, stats = models.scene(given), Stats()
    between, against = rigid_scene.impacts(given.a, scene, False, options, stats, Stats())
    page = Page(Path(given.a).name, given.t_min, given.t_max)
    _add_facts(page, given, bodies=output.count(len(scene.bodies)), triangles=output.count(rigid_scene.triangles(scene)))
    with output.bar("page"):
        _scene_impacts(page, scene, between, against)
    if page.impacts and not given.no_near:
        t = page.impacts[0]["time"]
        placed = [(m.at(t, s.vertices), s.faces) for m, s in zip(scene.motions, scene.surfaces)]
        if scene.mesh is not None and scene.x0 is not None and scene.x1 is not None:
            share = (t - given.t_min) / (given.t_max - given.t_min)
            placed.append(((1 - share) * scene.x0 + share * scene.x1, scene.mesh.faces))
        _near_bodies(page, placed, t, given.within)
    return page


def _scene_impacts(page: Page, scene: rigid.Scene, between: np.ndarray, against: np.ndarray) -> None:
    """The bodies, the mesh, and their impacts in the order of time."""
    for i, (surface, motion) in enumerate(zip(scene.surfaces, scene.motions)):
        page.add_body(surface.vertices, surface.faces, motion, f"body {i}")
    part = -1
    if scene.mesh is not None and scene.x0 is not None and scene.x1 is not None:
        part = page.add_mesh(scene.mesh, scene.x0, scene.x1)
    found = [(rigid.Impact.from_record(r["impact"]), int(r["a"]), int(r["b"]), rigid.Shape.FACE) for r in between]
    found += [(rigid.Impact.from_record(r["impact"]), int(r["body"]), part, rigid.Shape(int(r["shape"]))) for r in against]
    for hit, a, b, shape in sorted(found, key=lambda one: one[0].toi_lo):
        page.add_rigid_impact(hit, a, b, shape)


def _near_bodies(page: Page, placed: list[tuple[Any, Any]], t: float, within: float | None) -> None:
    """Pairs of two bodies that are within a distance of each other at the first impact: vertices where they are, and faces."""
    starts = np.cumsum([0, *(len(x) for x, _ in placed)])
    sizes = [float(np.ptp(x[np.unique(faces)], axis=0).max()) for x, faces in placed if len(faces)]
    d = min(sizes, default=0.0) / 50 if within is None else within
    try:
        both = Mesh(np.vstack([faces + start for (_, faces), start in zip(placed, starts)]), vertices=int(starts[-1]))
    except errors.Error:
        return  # a body may have triangles that a mesh may not: repeated ones, or degenerate ones
    both.set_groups(np.repeat(np.arange(len(placed)), [len(x) for x, _ in placed]))
    with output.bar("near pairs") as progress:
        found = proximity.near(both, np.vstack([x for x, _ in placed]), d, progress=progress)
    page.add_near_found(both, found[np.argsort(found["distance_hi"], kind="stable")], starts[:-1].tolist(), t)
    page.facts[f"pairs within {d:.3g}"] = output.count(len(found))


def _patch(given: argparse.Namespace) -> Page:
    shapes, step = models.patch_bodies(given)
    alone = given.b is None
    with output.bar("patches") as progress:
        options = arguments.options(given) | {"progress": progress}
        if given.manifold is None:
            found = patch.self_collisions(*step, **options)[0] if alone else patch.collisions(*step, **options)
        else:
            options |= {"t_window": given.t_window, "min_distance": given.manifold}
            found = patch.self_manifold(*step, **options)[0] if alone else patch.manifold(*step, **options)
    page = Page(Path(given.a).name if alone else _title(given, "and"))
    _add_facts(page, given, patches=" and ".join(output.count(body.counts[1]) for body in step[::3]))
    with output.bar("page"):
        parts = [page.add_patches(shapes[i], step[3 * i + 1], step[3 * i + 2], "AB"[i]) for i in range(len(shapes))]
        page.add_patch_impacts([patch.Impact.from_record(record) for record in found], parts[0], parts[-1])
        if not given.no_near:
            page.add_near_patches(parts[0], parts[-1], given.min_separation)
    return page
