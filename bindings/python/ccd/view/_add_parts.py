"""Parts of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import rigid, volume
from .._inner import arrays
from .._inner.meshes import PoseLike, radii, to_motion
from ..errors import ArgumentError
from ..mesh import Mesh
from ..motion import Motion
from ..patch import Model
from . import _motions, _patches, _state, _thick, _volumes
from ._parts import Objects, Part
from ._state import State, check_size, frames_of, is_a

if TYPE_CHECKING:
    from .._inner.robots import Scene
    from ..robot import Path, Report, Robot


def add_mesh(state: State, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, name: str = "mesh") -> int:
    """Add a mesh whose vertices move on straight lines."""
    return _mesh(state, mesh, list(frames_of(mesh, x0, x1)), name)


def add_sequence(
    state: State, mesh: Mesh | volume.Volume, frames: Sequence[ArrayLike], name: str = "mesh", cells: volume.Cells | None = None
) -> int:
    """Add a mesh or a volume in a sequence of frames; its vertices move on straight lines from each frame to the next."""
    if not isinstance(mesh, volume.Volume):
        is_a("mesh", mesh, Mesh)
    if cells is not None:
        is_a("cells", cells, volume.Cells)
    count = mesh.counts[0]
    if not isinstance(frames, (Sequence, np.ndarray)) or isinstance(frames, (str, bytes)):
        raise ArgumentError(f"frames is {type(frames).__name__}: must be a sequence of arrays")
    if len(frames) < 2:
        raise ArgumentError(f"frames: {len(frames)} given: must be two or more")
    check_size(len(frames), count)
    held = [arrays.frame(f"frames[{k}]", x, count) for k, x in enumerate(frames)]
    if isinstance(mesh, volume.Volume):
        return _volume(state, is_a("cells", cells, volume.Cells), mesh, held, name)
    return _mesh(state, mesh, held, name)


def add_motion(state: State, mesh: Mesh, motion: Motion, name: str = "mesh", frames: int | None = None) -> int:
    """Add a mesh whose vertices move on paths that are not straight."""
    count = is_a("mesh", mesh, Mesh).counts[0]
    if is_a("motion", motion, Motion).vertices != count:
        raise ArgumentError(f"motion has {motion.vertices} vertices: the mesh has {count}")
    held = _motions.drawn(motion, frames, _state.MOST_BYTES // (12 * max(count, 1)))
    check_size(len(held), count)
    if state.given_t_max is None:
        state.given_t_max = 1.0
    return _mesh(state, mesh, held, name)


def add_robot(
    state: State,
    robot: Robot,
    path: Path,
    scene: Scene = (),
    report: Report | None = None,
    rest: Mapping[str, float] | None = None,
    frames: int | None = None,
    continuous: str | None = None,
) -> int:
    """Add a robot on its path, with a scene that rests, and the contacts of a report."""
    from .._inner import robots
    from ..robot import Path as PathType
    from ..robot import Report as ReportType
    from ..robot import Robot as RobotType
    from ._robots import Track

    is_a("robot", robot, RobotType)
    is_a("path", path, PathType)
    if report is not None:
        is_a("report", report, ReportType)
    path = robots.as_turned(robot, path, _turning(report, continuous))
    each = None if frames is None else arrays.integer("frames", frames, 1, 1 << 16)
    bodies = robots.Bodies(robot, robots.surfaces(scene))
    track = Track(bodies, path, robots.columns(robot, path, rest), each)
    check_size(len(track.frames), len(bodies.local))
    names = {b.name for b in bodies.all}
    contacts = [] if report is None else [e for e in report.edges if e.contact is not None]
    for e in contacts:
        if e.contact is not None and not (e.edge < path.edges and {e.contact.a, e.contact.b} <= names):
            told = f"edge {e.edge}, {e.contact.a} and {e.contact.b}"
            raise ArgumentError(f"report: {told}: not of this path, robot and scene")
    if state.given_t_max is None:
        state.given_t_max = float(path.edges)
    state.edges = max(state.edges, path.edges)
    part = _mesh(state, track.mesh(), track.frames, robot.name, track.objects(state.color()))
    for e in contacts:
        if e.contact is not None:
            track.add(state, part, e.contact, str(e.verdict) == "collides")
    return part


def _mesh(state: State, mesh: Mesh, frames: list[NDArray[np.float64]], name: str, objects: Objects | None = None) -> int:
    faces, of = mesh.faces, None
    if objects is None:
        objects = state.components(len(frames[0]), mesh.edges, name)
    if (thick := radii(mesh)) is not None:
        more, triangles, of = _thick.capsules(mesh, thick, frames)
        faces, objects = np.concatenate([faces, triangles + len(frames[0])]), objects.extended(of)
        if len(frames) > 2:
            check_size(len(frames), len(frames[0]) + len(of))
        frames = [np.concatenate(both) for both in zip(frames, more)]
    return state.add(Part(name, frames, faces, mesh.edges, objects, drawn_for=of))


def add_body(state: State, vertices: ArrayLike, faces: ArrayLike, motion: rigid.Motion | PoseLike, name: str = "body") -> int:
    """Add a rigid body."""
    x, f = arrays.finite("vertices", arrays.coordinates("vertices", vertices)), arrays.primitives("faces", faces, 3)
    arrays.in_range("faces", f, len(x), "vertices")
    moving = to_motion("motion", motion)
    edges = np.unique(np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    return state.add(Part(name, [x], f, edges, Objects.one(name, state.color()), moving))


def add_volume(
    state: State, cells: volume.Cells, mesh: volume.Volume, x0: ArrayLike, x1: ArrayLike, name: str = "volume"
) -> int:
    """Add the surface of a volume's elements."""
    is_a("cells", cells, volume.Cells)
    return _volume(state, cells, mesh, list(frames_of(is_a("mesh", mesh, volume.Volume), x0, x1)), name)


def _volume(state: State, cells: volume.Cells, mesh: volume.Volume, frames: list[NDArray[np.float64]], name: str) -> int:
    faces, sides = _volumes.surface(cells, mesh)
    objects = state.components(len(frames[0]), _volumes.edges(cells), name)
    numbers = {"edges": _volumes.numbers(mesh.edges, sides), "faces": _volumes.numbers(mesh.faces, faces)}
    return state.add(Part(name, frames, faces, sides, objects, numbers=numbers))


def add_patches(state: State, model: Model | _patches.NurbsSurface, x0: ArrayLike, x1: ArrayLike, name: str = "patches") -> int:
    """Add curved patches, drawn as triangles between points of the surface."""
    start, end = (arrays.finite(n, arrays.coordinates(n, x)) for n, x in (("x0", x0), ("x1", x1)))
    count = len(is_a("model", model, Model).points) if not isinstance(model, _patches.NurbsSurface) else len(start)
    if not len(start) == len(end) == count:
        raise ArgumentError(f"x0 and x1 have {len(start)} and {len(end)} control points: model has {count}")
    drawn = _patches.tessellate(model)
    frames = [np.vstack([drawn.points(x), x]) for x in (start, end)]
    objects = Objects.labeled(drawn.patches(len(frames[0])), name, "patch", 0)
    objects.colors = [state.color()] * len(objects.names)
    return state.add(Part(name, frames, drawn.faces, drawn.edges, objects, None, drawn.nets, drawn))


def _turning(report: Report | None, continuous: str | None) -> str:
    """How continuous joints go on a page: as the report says, if there is one."""
    if report is not None and continuous not in (None, report.continuous):
        raise ArgumentError(f"continuous is {continuous!r}: the report is of {report.continuous!r}")
    if continuous is None:
        return "shortest" if report is None else report.continuous
    return continuous
