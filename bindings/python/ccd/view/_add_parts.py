"""Parts of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import rigid, volume
from .._inner import arrays
from .._inner.meshes import PoseLike, ignored, radii, to_motion
from ..errors import ArgumentError
from ..mesh import Mesh
from ..motion import Motion
from ..patch import Model
from . import _motions, _patches, _state, _thick, _volumes
from ._parts import Objects, Part
from ._state import State, check_size, frames_of, is_a


def add_mesh(state: State, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, name: str = "mesh") -> int:
    """Add a mesh whose vertices move on straight lines.

    Connected components are objects of their own, which the page lists with a name and a color. Codimensional edges
    and vertices with a radius (`Mesh.set_radii`) are drawn as capsules and balls; faces are drawn as they are.

    Parameters
    ----------
    mesh : Mesh
        The mesh.
    x0 : array_like
        Vertices at the start, (n, 3).
    x1 : array_like
        Vertices at the end, (n, 3).
    name : str, default 'mesh'
        Name of the part.

    Returns
    -------
    int
        Number of the part.

    Raises
    ------
    ArgumentError
        An array has another shape, or `name` is no string.
    NonFiniteError
        A coordinate is not finite; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
    >>> page = ccd.view.Page("a triangle rises")
    >>> page.add_mesh(ccd.Mesh([[0, 1, 2]]), x, x + [0, 0, 1], "triangle")
    0
    """
    return moving_mesh(state, mesh, list(frames_of(mesh, x0, x1)), name)


def add_sequence(
    state: State,
    mesh: Mesh | volume.Volume,
    frames: Sequence[ArrayLike],
    name: str = "mesh",
    cells: volume.Cells | None = None,
    objects: tuple[ArrayLike, Sequence[str]] | None = None,
) -> int:
    """Add a mesh or a volume in a sequence of frames; its vertices move on straight lines from each frame to the next.

    The time line then runs from 0 to the number of steps: t = 2.5 is half-way from frame 2 to frame 3. Impacts and
    near pairs of step k, from frame k to frame k + 1, are added with ``step=k``.

    Parameters
    ----------
    mesh : Mesh or ccd.volume.Volume
        The mesh or the volume.
    frames : sequence of array_like
        Vertices of each frame, (n, 3); two frames or more.
    name : str, default 'mesh'
        Name of the part.
    cells : ccd.volume.Cells, optional
        The elements of a volume.
    objects : tuple of array_like and sequence of str, optional
        Of a mesh: the number of the object of each vertex, (n,), from 0, and the names of the objects. Without it the connected
        components are objects.

    Returns
    -------
    int
        Number of the part.

    Raises
    ------
    ArgumentError
        There are fewer than two frames, an object has no name, or the frames take more than `MOST_BYTES` bytes.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> frames = [x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.4 * k]) for k in range(4)]
    >>> page = ccd.view.Page("a triangle falls")
    >>> part = page.add_sequence(mesh, frames)
    >>> for k, (x0, x1) in enumerate(zip(frames, frames[1:])):
    ...     page.add_impacts(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1), part, step=k)
    >>> page.steps, page.met, page.impacts[0]["step"]
    (3, 3, 2)
    """
    if not isinstance(mesh, volume.Volume):
        is_a("mesh", mesh, Mesh)
    if cells is not None:
        is_a("cells", cells, volume.Cells)
    count = mesh.counts[0]
    if not isinstance(frames, (Sequence, np.ndarray)) or isinstance(frames, (str, bytes)):
        remedy = "; pass list(frames)" if isinstance(frames, Iterator) else ""
        raise ArgumentError(f"frames is {type(frames).__name__}: must be a sequence of arrays{remedy}")
    if len(frames) < 2:
        raise ArgumentError(f"frames: {len(frames)} given: must be two or more")
    check_size(len(frames), count)
    held = [arrays.frame(f"frames[{k}]", x, count) for k, x in enumerate(frames)]
    if isinstance(mesh, volume.Volume):
        if objects is not None:
            raise ArgumentError("objects: they are of a mesh; the objects of a volume are its connected parts")
        return _volume(state, is_a("cells", cells, volume.Cells), mesh, held, name)
    return moving_mesh(state, mesh, held, name, None if objects is None else _objects(state, objects, mesh, name))


def _objects(state: State, given: tuple[ArrayLike, Sequence[str]], mesh: Mesh, name: str) -> Objects:
    """The objects that a caller gives. Vertices that nothing shows go with the first one."""
    count = mesh.counts[0]
    if not isinstance(given, tuple) or len(given) != 2:
        wanted = "a pair, the number of each vertex's object and the names"
        raise ArgumentError(f"objects is {type(given).__name__}: must be {wanted}")
    names = list(given[1]) if not isinstance(given[1], str) else []
    of = arrays.to_array("objects[0]", given[0])
    if of.shape != (count,) or of.dtype.kind not in "iu":
        found = f"has shape {of.shape} and dtype {of.dtype}"
        raise ArgumentError(f"objects[0] {found}: must be {count} integers, one for each vertex")
    for i, one in enumerate(names):
        is_a(f"objects[1][{i}]", one, str)
    wrong = np.flatnonzero((of < 0) | (of >= len(names)))
    if len(wrong):
        allowed = f"[0, {len(names)}), as there are {len(names)} names"
        raise ArgumentError(f"objects[0][{wrong[0]}] is {of[wrong[0]]}: must be in {allowed}")
    if (out := ignored(mesh)) is not None and not out.all():
        of = np.where(out, of[np.argmin(out)], of)
    used, label = np.unique(of, return_inverse=True)
    return Objects.labeled(label.reshape(-1), name, "object", state.color(), [names[k] for k in used])


def add_motion(state: State, mesh: Mesh, motion: Motion, name: str = "mesh", frames: int | None = None) -> int:
    """Add a mesh whose vertices move on paths that are not straight.

    The page draws chords between positions at equal times, `Motion.at`; the time line is that of the motion, from 0 to 1.
    Motions on one page must have one number of frames.

    Parameters
    ----------
    mesh : Mesh
        The mesh.
    motion : ccd.Motion
        How its vertices move.
    name : str, default 'mesh'
        Name of the part.
    frames : int, optional
        Number of positions, at least 2; else 17 to 513, until chords differ from the paths by a thousandth of the scene.

    Returns
    -------
    int
        Number of the part.

    Raises
    ------
    ArgumentError
        The motion has another number of vertices, or the frames take more than `MOST_BYTES` bytes.

    See Also
    --------
    add_motion_impacts : Its impacts.

    Examples
    --------
    >>> import math, numpy as np, ccd
    >>> mesh = ccd.Mesh([[0, 1, 2]])
    >>> turn = ccd.rigid.Motion(angular_velocity=(0, 0, math.pi))
    >>> page = ccd.view.Page("a triangle turns")
    >>> page.add_motion(mesh, ccd.Motion.rigid([[1, 0, 0], [2, 0, 0], [1, 0, 1]], turn))
    0
    >>> page.steps, page.t_max
    (32, 1.0)
    """
    count = is_a("mesh", mesh, Mesh).counts[0]
    if is_a("motion", motion, Motion).vertices != count:
        raise ArgumentError(f"motion has {motion.vertices} vertices: the mesh has {count}")
    held = _motions.drawn(motion, frames, _state.MOST_BYTES // (12 * max(count, 1)))
    check_size(len(held), count)
    if state.given_t_max is None:
        state.given_t_max = 1.0
    return moving_mesh(state, mesh, held, name)


def moving_mesh(state: State, mesh: Mesh, frames: list[NDArray[np.float64]], name: str, objects: Objects | None = None) -> int:
    """Add a mesh at its frames, as components or as given objects."""
    faces, of = mesh.faces, None
    unseen = None if (out := ignored(mesh)) is None else np.flatnonzero(out)
    if objects is None:
        objects = state.components(len(frames[0]), mesh.edges, name, unseen)
    if (thick := radii(mesh)) is not None:
        more, triangles, of = _thick.capsules(mesh, thick, frames)
        faces, objects = np.concatenate([faces, triangles + len(frames[0])]), objects.extended(of)
        if len(frames) > 2:
            check_size(len(frames), len(frames[0]) + len(of))
        frames = [np.concatenate(both) for both in zip(frames, more)]
    return state.add(Part(name, frames, faces, mesh.edges, objects, drawn_for=of, ignored=unseen))


def add_body(state: State, vertices: ArrayLike, faces: ArrayLike, motion: rigid.Motion | PoseLike, name: str = "body") -> int:
    """Add a rigid body.

    Parameters
    ----------
    vertices : array_like
        Vertices in the body's coordinates, (n, 3).
    faces : array_like
        Triangles, (m, 3) vertex indices.
    motion : ccd.rigid.Motion or array_like
        How the body moves and turns, or the pose of a body at rest.
    name : str, default 'body'
        Name of the part.

    Returns
    -------
    int
        Number of the part.

    Raises
    ------
    InvalidIndexError
        A vertex index is out of range.

    Examples
    --------
    >>> import ccd
    >>> page = ccd.view.Page("a plate turns")
    >>> page.add_body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], ccd.rigid.Motion(angular_velocity=(0, 0, 1)), "plate")
    0
    """
    x, f = arrays.finite("vertices", arrays.coordinates("vertices", vertices)), arrays.primitives("faces", faces, 3)
    arrays.in_range("faces", f, len(x), "vertices")
    moving = to_motion("motion", motion)
    edges = np.unique(np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    return state.add(Part(name, [x], f, edges, Objects.one(name, state.color()), moving))


def add_volume(
    state: State, cells: volume.Cells, mesh: volume.Volume, x0: ArrayLike, x1: ArrayLike, name: str = "volume"
) -> int:
    """Add the surface of a volume's elements.

    Quadrilateral sides are split into triangles as the volume splits them.

    Parameters
    ----------
    cells : ccd.volume.Cells
        The elements.
    mesh : ccd.volume.Volume
        The volume of these elements.
    x0 : array_like
        Vertices at the start, (n, 3).
    x1 : array_like
        Vertices at the end, (n, 3).
    name : str, default 'volume'
        Name of the part.

    Returns
    -------
    int
        Number of the part.

    Raises
    ------
    ArgumentError
        An argument has another type or shape, or the volume is not of these elements.
    NonFiniteError
        A coordinate is not finite; the message names it.

    See Also
    --------
    add_volume_impacts : Its impacts, with an example.
    """
    is_a("cells", cells, volume.Cells)
    return _volume(state, cells, mesh, list(frames_of(is_a("mesh", mesh, volume.Volume), x0, x1)), name)


def _volume(state: State, cells: volume.Cells, mesh: volume.Volume, frames: list[NDArray[np.float64]], name: str) -> int:
    faces, sides = _volumes.surface(cells, mesh)
    objects = state.components(len(frames[0]), _volumes.edges(cells), name)
    numbers = {"edges": _volumes.numbers(mesh.edges, sides), "faces": _volumes.numbers(mesh.faces, faces)}
    return state.add(Part(name, frames, faces, sides, objects, numbers=numbers))


def add_patches(state: State, model: Model | _patches.NurbsSurface, x0: ArrayLike, x1: ArrayLike, name: str = "patches") -> int:
    """Add curved patches, drawn as triangles between points of the surface.

    Parameters
    ----------
    model : ccd.patch.Model
        The patches. The surfaces that the command ``ccd view`` reads are accepted too.
    x0 : array_like
        Control points at the start, (n, 3).
    x1 : array_like
        Control points at the end, (n, 3).
    name : str, default 'patches'
        Name of the part.

    Returns
    -------
    int
        Number of the part.

    Raises
    ------
    ArgumentError
        An argument has another type or shape.
    NonFiniteError
        A coordinate is not finite; the message names it.

    See Also
    --------
    add_patch_impacts : Impacts of two of them, with an example.
    """
    start, end = (arrays.finite(n, arrays.coordinates(n, x)) for n, x in (("x0", x0), ("x1", x1)))
    count = len(is_a("model", model, Model).points) if not isinstance(model, _patches.NurbsSurface) else len(start)
    if not len(start) == len(end) == count:
        raise ArgumentError(f"x0 and x1 have {len(start)} and {len(end)} control points: model has {count}")
    drawn = _patches.tessellate(model)
    frames = [np.vstack([drawn.points(x), x]) for x in (start, end)]
    objects = Objects.labeled(drawn.patches(len(frames[0])), name, "patch", 0)
    objects.colors = [state.color()] * len(objects.names)
    return state.add(Part(name, frames, drawn.faces, drawn.edges, objects, None, drawn.nets, drawn))
