"""Scenes of rigid bodies in files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._io import checks, json_files
from .._io.checks import file_name
from .._io.root import within
from .._native import arrays
from ..errors import ArgumentError, FileError, shown
from ..files import Surface, read
from ..mesh import Mesh
from ._body import Body
from ._motion import Motion

_MOTION = ("rotation", "position", "velocity", "angular_velocity", "pivot")


@dataclass(frozen=True)
class Scene:
    """Contents of a scene file: the arguments of `scene_collisions` and `mesh_collisions`.

    Attributes
    ----------
    bodies : list of Body
        The bodies in the order of the file.
    motions : list of Motion
        One motion for each body.
    groups : list of int
        One group for each body.
    skip : list of list of int
        Pairs of bodies that are not tested against each other.
    mesh : Mesh or None
        The mesh that deforms; None if there is none.
    x0 : numpy.ndarray or None
        Its vertices at t_min, (n, 3); None without a mesh.
    x1 : numpy.ndarray or None
        Its vertices at t_max, (n, 3); None without a mesh.
    surfaces : list of Surface
        The surface of each body, in the body's coordinates.
    """

    bodies: list[Body]
    motions: list[Motion]
    groups: list[int]
    skip: list[list[int]]
    mesh: Mesh | None
    x0: NDArray[np.float64] | None
    x1: NDArray[np.float64] | None
    surfaces: list[Surface] = field(default_factory=list)


def read_scene(path: str | os.PathLike[str], root: str | os.PathLike[str] | None = None, strict: bool = False) -> Scene:
    r"""Read a scene in the JSON of ``ccd rigid``: bodies in files, their motions, and a mesh if there is one.

    Parameters
    ----------
    path : str or os.PathLike
        A file.
    root : str or os.PathLike, optional
        A folder that the files may not be outside of, whatever their paths: relative, absolute, or through symbolic links.
    strict : bool, default False
        Whether, without `root`, the scene's own folder is the root: for a service that reads scenes of others. Without
        either, paths may lead anywhere.

    Returns
    -------
    Scene
        Bodies, motions, groups and skipped pairs, and the mesh.

    Raises
    ------
    ArgumentError
        `path` or `root` is no file name.
    FileError
        A file cannot be read, is malformed, or is outside `root`.

    Examples
    --------
    >>> import json, os, tempfile, ccd
    >>> folder = tempfile.mkdtemp()
    >>> with open(os.path.join(folder, "triangle.off"), "w") as file:
    ...     _ = file.write("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    >>> with open(os.path.join(folder, "scene.json"), "w") as file:
    ...     json.dump({"bodies": [{"file": "triangle.off", "velocity": [0, 0, 1]}]}, file)
    >>> ccd.rigid.read_scene(os.path.join(folder, "scene.json")).bodies
    [<ccd.rigid.Body of 3 vertices, 1 triangles>]
    """
    name, own = file_name("path", path), arrays.flag("strict", strict)
    top = file_name("root", root) if root is not None else os.path.dirname(name) or os.curdir if own else None
    with checks.reading(name):
        return _Reader(name, top).scene()


class _Reader:
    """Reads one scene. Its paths may not leave the folder top, if there is one."""

    def __init__(self, path: str, top: str | None):
        self._path, self._folder, self._top = path, Path(path).parent, top
        self._shapes: dict[str, tuple[Body, Surface]] = {}

    def scene(self) -> Scene:
        given = self._object()
        found = Scene([], [], [], [], None, None, None)
        for i, item in enumerate(self._objects(given.pop("bodies", []), "bodies")):
            body, surface = self._shape(item.pop("file", None), i)
            found.bodies.append(body)
            found.surfaces.append(surface)
            found.groups.append(self._group(item.pop("group", -1), i))
            found.motions.append(self._motion(item, i))
            self._refuse(item, f"bodies[{i}]")
        skip = self._skip(given.pop("skip", []))
        mesh, x0, x1 = None, None, None
        if "mesh" in given:
            mesh, x0, x1 = self._mesh(self._objects([given.pop("mesh")], "mesh")[0])
        self._refuse(given, "the scene")
        return Scene(found.bodies, found.motions, found.groups, skip, mesh, x0, x1, found.surfaces)

    def _object(self) -> dict[str, Any]:
        given = json_files.load(self._path)
        if not isinstance(given, dict):
            raise FileError(f"{self._path} is no JSON object")
        return given

    def _objects(self, items: Any, name: str) -> list[dict[str, Any]]:
        if not isinstance(items, list) or not all(isinstance(x, dict) for x in items):
            raise FileError(f"{self._path}: {name} is no list of objects")
        return items

    def _shape(self, name: Any, i: int) -> tuple[Body, Surface]:
        """The body in a file, which several bodies of the scene may share."""
        if not isinstance(name, str):
            raise FileError(f"{self._path}: bodies[{i}] has no file")
        if name not in self._shapes:
            surface = self._surface(name)
            with checks.naming(str(self._folder / name)):
                self._shapes[name] = Body(surface.vertices, surface.faces), surface
        return self._shapes[name]

    def _surface(self, name: str) -> Surface:
        path = str(self._folder / name)
        with within(self._top, path) as inside:
            surface = read(inside)
            checks.coordinates(inside, "vertex", surface.vertices)
        return surface

    def _motion(self, item: dict[str, Any], i: int) -> Motion:
        given = {name: item.pop(name) for name in _MOTION if name in item}
        with checks.naming(f"{self._path}: bodies[{i}]"):
            if "pose" in item and {"rotation", "position"} & given.keys():
                raise ArgumentError("pose is given with rotation or position: leave those out")
            motion = Motion.from_pose(item.pop("pose"), **given) if "pose" in item else Motion(**given)
            motion._c()  # checks the numbers
            return motion

    def _group(self, group: Any, i: int) -> int:
        if not isinstance(group, int) or not -(2**31) <= group < 2**31:
            raise FileError(f"{self._path}: bodies[{i}].group is {shown(group)}: must be an integer of 32 bits")
        return group

    def _skip(self, skip: Any) -> list[list[int]]:
        if not isinstance(skip, list):
            raise FileError(f"{self._path}: skip is {shown(skip)}: must be a list of pairs of bodies")
        for i, pair in enumerate(skip):
            whole = isinstance(pair, list) and len(pair) == 2 and all(type(body) is int and abs(body) < 2**31 for body in pair)
            if not whole:
                raise FileError(f"{self._path}: skip[{i}] is {shown(pair)}: must be the numbers of two bodies")
        return skip

    def _mesh(self, given: dict[str, Any]) -> tuple[Mesh, NDArray[np.float64], NDArray[np.float64]]:
        names = [str(given.pop(name)) for name in ("x0", "x1") if name in given]
        ends = [self._surface(name) for name in names]
        self._refuse(given, "mesh")
        if len(ends) != 2:
            raise FileError(f"{self._path}: mesh has not both x0 and x1")
        start, end = ends
        if len(start.vertices) != len(end.vertices) or not np.array_equal(start.faces, end.faces):
            raise ArgumentError(f"{self._path}: x1 has other faces than x0: the frames must be of one mesh")
        with checks.naming(str(self._folder / names[0])):
            return start.mesh(), start.vertices, end.vertices

    def _refuse(self, rest: dict[str, Any], where: str) -> None:
        if rest:
            raise FileError(f"{self._path}: {where} has {', '.join(map(repr, rest))}, which means nothing")
