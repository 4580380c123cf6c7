"""What the commands read: surfaces, volumes, rigid bodies, curved patches, with a progress bar."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import errors, patch, rigid, volume
from .._inner import arrays
from .._inner.volumes import boundary
from .._io import checks, numpy_files
from .._io.regular import opened
from ..audit import _films
from ..audit._division import same_polygons
from ..audit._films import _frames as film_frames
from ..audit._objects import named
from ..files import Surface, read
from ..mesh import Mesh
from ..motion import Motion
from ..view._patches import NurbsSurface
from . import frames as frames_
from . import output, recorded, remarks

_Shape = TypeVar("_Shape", Surface, volume.Cells)

# ---- surfaces


def surface(path: str, given: argparse.Namespace | None = None, first: Surface | None = None) -> Surface:
    """The surface in a file, with --weld and --displacement of a command that has them; `first` is the first frame."""
    film = _films.is_film(path)
    for name, option in (("animation", "--animation"), ("mesh_file", "--mesh")):
        deck = name == "mesh_file" and recorded.takes_deck(path)
        if not film and not deck and getattr(given, name, None) is not None:
            raise errors.ArgumentError(f"{option}: {path} is no film")
    results = recorded.surface(path, given)
    if results is not None:
        if getattr(given, "weld", False) and first is not None and recorded.is_file(path):
            raise errors.ArgumentError(
                f"--weld: {path} is not welded as the first frame is: list both in a PVD, or 'ccd audit'"
            )
        return results
    with output.bar(f"reading {path}"):
        found = _film(path, given, first) if film else read(path)
    checks.coordinates(path, "vertex", found.vertices)
    return frames_.prepared(path, found, given, first)


def film_options(given: argparse.Namespace | None) -> _films.Options:
    """What a command says about films."""
    return _films.Options(getattr(given, "animation", None), getattr(given, "mesh_file", None))


def is_film(path: str) -> bool:
    """Whether a file of this name is a film, or an address a frame of one."""
    return _films.is_film(path)


def film_frames_of(paths: Sequence[str], given: argparse.Namespace) -> list[str]:
    """The addresses of the frames in place of each film of several."""
    return _films.expand(paths, film_options(given))


def two_frames(path: str, given: argparse.Namespace) -> list[str]:
    """The addresses of the two frames of a film."""
    found = film_frames_of([path], given)
    if len(found) != 2:
        raise errors.ArgumentError(
            f"B is missing: {path} has {len(found)} frame{'s' if len(found) != 1 else ''}; "
            + (f"give two of them, such as {found[0]} and {found[1]}" if len(found) > 2 else "give the mesh at the end too")
        )
    return found


def _film(path: str, given: argparse.Namespace | None, first: Surface | None) -> Surface:
    """The bodies in a frame of a film. Its remarks are those of the first frame alone."""
    found = film_frames.scene(path, film_options(given))
    if first is None:
        return found
    if isinstance(first, film_frames.Scene) and first.names != found.names:
        raise errors.ArgumentError(f"{path} has other bodies than the first frame: {', '.join(found.names[:5])}")
    return dataclasses.replace(found, notes=[], left_out={})


def objects(path: str, found: Surface) -> tuple[NDArray[np.int64], list[str]] | None:
    """The object of each vertex and the names that a file gives to nodes, parts, blocks, objects and solids; else None."""
    if isinstance(found, film_frames.Scene):
        return (found.part, found.names) if found.names else None
    count = len(found.vertices) if found.places is None else len(found.places)
    of, names = named(path, count, found.edges, 1)
    if of is None or names is None:
        return None
    if found.places is not None:  # a vertex in place of several is of the object of the first
        of = of[np.unique(found.places, return_index=True)[1]]
    return of, names


def mesh(path: str, found: Surface) -> Mesh:
    """The topology of what a file holds."""
    with checks.naming(path), output.bar("topology"):
        return found.mesh()


_Fields = list[dict[str, NDArray[np.float64]]]


def frames(
    paths: Sequence[str], given: argparse.Namespace, fields: _Fields | None = None
) -> tuple[Surface, list[NDArray[np.float64]]]:
    """The surface in the first frame, and the vertices in every frame. The list `fields` gets the point data of each."""
    return _frames(paths, given, surface, end, fields)


def _frames(
    paths: Sequence[str],
    given: argparse.Namespace,
    read: Callable[[str, argparse.Namespace], _Shape],
    read_later: Callable[[str, _Shape, str, argparse.Namespace], _Shape | NDArray[np.float64]],
    kept: _Fields | None = None,
) -> tuple[_Shape, list[NDArray[np.float64]]]:
    """What the first file holds, and the vertices in every frame."""
    start = read(paths[0], given)
    found, fields = [start.vertices], [start.fields]
    for path in paths[1:]:
        later = read_later(path, start, paths[0], given)
        found.append(later if isinstance(later, np.ndarray) else later.vertices)
        fields.append({} if isinstance(later, np.ndarray) else later.fields)
    frames_.note_stillness(paths, found, fields, given)
    if kept is not None:
        kept += fields
    return start, found


def end(path: str, start: Surface, other: str, given: argparse.Namespace) -> Surface | NDArray[np.float64]:
    """A later frame of a surface, or its vertices alone."""
    if path.endswith(".npy"):
        return vertices(path, start, other, given)
    later = surface(path, given, start)
    if len(later.vertices) != len(start.vertices):
        raise errors.ArgumentError(_sizes(other, len(start.vertices), path, len(later.vertices)))
    same = np.array_equal(later.faces, start.faces)
    if len(later.faces) and not same and not same_polygons(later.faces, later.vertices, start.faces, start.vertices):
        raise errors.ArgumentError(f"{path} has other faces than {other}: the frames must be of one mesh")
    return later


def vertices(path: str, start: Surface | volume.Cells, other: str, given: argparse.Namespace) -> NDArray[np.float64]:
    """The vertices in a .npy file, as many as another file has."""
    frames_.without_fields(path, given)
    places = start.places
    count = len(start.vertices) if places is None else len(places)
    array = numpy_files.load(path)
    if len(checks.coordinates(path, "vertex", array)) != count:
        raise errors.ArgumentError(_sizes(other, count, path, len(array)))
    if places is not None:
        array = array[np.unique(places, return_index=True)[1]]
    end: NDArray[np.float64] = array.astype(np.float64)
    return end


def motion(path: str, count: int, other: str) -> Motion:
    """The motion in a .npz file, of as many vertices as another file has."""
    with output.bar(f"reading {path}"):
        found = Motion.load(path)
    if found.vertices != count:
        raise errors.ArgumentError(_sizes(other, count, path, found.vertices))
    return found


def refuse_frames(given: argparse.Namespace, path: str) -> None:
    """Refuse options about frames with a motion."""
    for name in ("displacement", "weld"):
        if getattr(given, name, None):
            raise errors.ArgumentError(f"--{name}: {path} is a motion, whose vertices are as they are")


def thicken(given: argparse.Namespace, target: Mesh | volume.Volume) -> None:
    """Set the radii that were given."""
    if given.radius is not None:
        arrays.within("--radius", given.radius, "[0, 1e150]", "a number from 0 to 1e150")
        target.set_radii(given.radius)
    elif given.radii is not None:
        if _is_number(given.radii) and not Path(given.radii).exists():
            what, remedy = "must be a file", f"--radius {given.radii} is one radius for all vertices"
            raise errors.ArgumentError(f"--radii is {given.radii}: {what}; {remedy}")
        with checks.naming(given.radii):
            array = radii(given.radii)
            target.set_radii(array if array.ndim else array[None])


def exclude_near(given: argparse.Namespace, target: Mesh, start: NDArray[np.float64]) -> int | None:
    """Leave out the pairs that --exclude-near says, and count them; None without it."""
    if given.exclude_near is None:
        return None
    if not 1 <= given.exclude_near <= 64:
        raise errors.ArgumentError(f"--exclude-near is {given.exclude_near}: must be a number of edges from 1 to 64")
    options = {"min_separation": given.min_separation, "norm": given.norm, "threads": given.threads}
    return target.exclude_near(start, given.exclude_near, **options)


def radii(path: str) -> NDArray[Any]:
    """The radii in a .npy file, or in one of text, which is opened here: NumPy takes addresses of the network too."""
    if path.endswith(".npy"):
        return numpy_files.load(path)
    with checks.reading(path), opened(path) as file:
        return np.loadtxt(file, ndmin=1)


def points(path: str) -> NDArray[Any]:
    """The points in a .npy file, or in one of text with the coordinates of a point a line, between them commas or spaces."""
    if path.endswith(".npy"):
        return numpy_files.load(path)
    with checks.reading(path), opened(path) as file:
        lines = file.read().decode().replace(",", " ").splitlines()
        words = lines[0].split() if lines else []
        names = bool(words) and not words[0].startswith("#") and not _is_number(words[0])
        rows = [line for line in lines[names:] if line.partition("#")[0].strip()]
        return np.loadtxt(rows, ndmin=2) if rows else np.empty(0)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _sizes(path0: str, count0: int, path1: str, count1: int) -> str:
    return f"{path0} has {count0} vertices, {path1} has {count1}: the numbers must be equal, of one mesh at two times"


# ---- volumes


def elements(
    paths: Sequence[str], given: argparse.Namespace, fields: _Fields | None = None
) -> tuple[volume.Cells, list[NDArray[np.float64]]]:
    """The elements in the first frame, and the vertices in every frame. The list `fields` gets the point data of each."""
    return _frames(paths, given, cells, elements_end, fields)


def elements_end(path: str, start: volume.Cells, other: str, given: argparse.Namespace) -> volume.Cells | NDArray[np.float64]:
    """A later frame of elements, or its vertices alone."""
    if path.endswith(".npy"):
        return vertices(path, start, other, given)
    later = cells(path, given, start)
    if len(later.vertices) != len(start.vertices) or not np.array_equal(later.corners, start.corners):
        raise errors.ArgumentError(f"{path} has other elements than {other}: the frames must be of one mesh")
    return later


def cells(path: str, given: argparse.Namespace | None = None, first: volume.Cells | None = None) -> volume.Cells:
    """The elements in a file, with --weld and --displacement of a command that has them; `first` is the first frame."""
    with output.bar(f"reading {path}"):
        found = volume.read(path)
    checks.coordinates(path, "vertex", found.vertices)
    return frames_.prepared(path, found, given, first)


# ---- elements that a command on surfaces takes


def bounded(path: str, given: argparse.Namespace, remark: str) -> Surface:
    """The surface in a file; of elements alone their boundary, which a remark about the file says."""
    try:
        return surface(path, given)
    except errors.FileError as error:
        _refuse_other(error)
    return _boundary(path, cells(path, given), remark)


def bounded_frames(paths: Sequence[str], given: argparse.Namespace, remark: str) -> tuple[Surface, list[NDArray[np.float64]]]:
    """As `frames`; of elements alone their boundary, which a remark about the first file says."""
    try:
        return frames(paths, given)
    except errors.FileError as error:
        _refuse_other(error)
    found, way = elements(paths, given)
    return _boundary(paths[0], found, remark), way


def _refuse_other(error: errors.FileError) -> None:
    """Raise an error again, unless it is that a file holds elements without a surface."""
    if "it is no surface" not in str(error):
        raise error


def _boundary(path: str, found: volume.Cells, remark: str) -> Surface:
    count = len(found.elements)
    remarks.note(f"{path}: {count:,} elements without a surface of their own: their boundary is tested; {remark}")
    with checks.naming(path):
        return boundary(found)


def volume_of(path: str, cells: volume.Cells) -> volume.Volume:
    """The topology of the elements of a file."""
    with checks.naming(path), output.bar("topology"):
        return cells.volume()


# ---- rigid bodies


def rigid_body(path: str) -> tuple[Surface, rigid.Body]:
    """The surface in a file, and a body of it."""
    found = surface(path)
    with checks.naming(path), output.bar("tree"):
        return found, rigid.Body(found.vertices, found.faces)


def motions(given: argparse.Namespace) -> list[rigid.Motion]:
    """The motions of both bodies, as the arguments give them."""
    moving = ("velocity", "angular_velocity", "velocity_b", "angular_velocity_b")
    if not any(any(getattr(given, name) or ()) for name in moving):
        remarks.note("nothing moves: no velocity was given, or 0 (--velocity, --angular-velocity, and of B with -b)")
    return [_motion(*(getattr(given, name + side) for name in ("pose", "velocity", "angular_velocity"))) for side in ("", "_b")]


def _motion(pose: list[float] | None, velocity: list[float] | None, turning: list[float] | None) -> rigid.Motion:
    zero = (0.0, 0.0, 0.0)
    at = pose or [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    return rigid.Motion(rotation=at[3:], position=at[:3], velocity=velocity or zero, angular_velocity=turning or zero)


def scene(given: argparse.Namespace, moves: bool = True) -> rigid.Scene:
    """The scene of rigid bodies in a file; moves: a command that asks how they move."""
    with output.bar(f"reading {given.a}"):
        found = rigid.read_scene(given.a, given.root, given.strict)
    said: set[int] = set()
    for i, one in enumerate(found.surfaces):
        if id(one) not in said:
            remarks.read(f"body {i} of {given.a}", one)
            said.add(id(one))
    still = all(not any(m.velocity) and not any(m.angular_velocity) for m in found.motions)
    if moves and still and (found.x0 is None or found.x1 is None or np.array_equal(found.x0, found.x1)):
        remarks.note(f"nothing moves: no body of {given.a} has a velocity" + (", nor does its mesh move" if found.mesh else ""))
    return found


# ---- curved patches


def patches(path: str, move: str | None) -> tuple[patch.Model | NurbsSurface, NDArray[Any], NDArray[Any]]:
    """What a file holds, and its control points at both ends of the step."""
    if not path.endswith(".npz"):
        try:
            by = np.array([float(x) for x in (move or "0,0,0").split(",")])
            by = by.reshape(3)
        except ValueError:
            raise errors.ArgumentError(f"--move is {move!r}: must be three numbers with commas between them") from None
        model = patch.read(path)
        return model, model.points, model.points + by
    if move is not None:
        raise errors.ArgumentError(f"{path} holds its own motion: --move is for other files")
    held = numpy_files.archive(path)
    try:
        x0, x1 = held["x0"], held["x1"]
        weights = held["weights"].reshape(-1) if "weights" in held else None
        if "knots_u" in held:
            knots = held["knots_u"], held.get("knots_v", np.zeros(0))
            return NurbsSurface(int(held["u"]), int(held.get("v", 0)), *knots, weights), x0, x1
        forms = [patch.Form(*map(int, f)) for f in held["forms"]]
        return patch.Model(x0, forms, held["index"].reshape(-1), weights, 0.0), x0, x1
    except KeyError as error:
        raise errors.FileError(f"{path} has no array {error}") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise errors.FileError(f"{path}: u and v must be integers, forms of shape (n, 3): {error}") from None


def patch_bodies(given: argparse.Namespace) -> tuple[list[patch.Model | NurbsSurface], list[Any]]:
    """The bodies as they are in their files, both or one; and body, x0, x1 of each."""
    if given.manifold is not None and not 0 < given.manifold < np.inf:
        raise errors.ArgumentError(f"--manifold is {given.manifold}: must be a distance")
    models: list[patch.Model | NurbsSurface] = []
    moving: list[Any] = []
    for path, move in ((given.a, given.move_a), (given.b, given.move_b)):
        if path is None:
            continue
        with checks.naming(path), output.bar(f"reading {path}"):
            model, x0, x1 = patches(path, move)
            start, end = (checks.coordinates(path, f"{name} control point", x) for name, x in (("x0", x0), ("x1", x1)))
            body = model.body()
            if not len(start) == len(end) == body.counts[0]:
                counts = f"{len(start)} and {len(end)} control points"
                raise errors.FileError(f"{path} has {counts}: its patches need {body.counts[0]}")
        models.append(model)
        moving += [body, start, end]
    if all(np.array_equal(start, end) for start, end in zip(moving[1::3], moving[2::3])):
        remarks.note("nothing moves: no control point does (--move-a, --move-b)")
    return models, moving
