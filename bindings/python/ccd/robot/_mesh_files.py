"""Finds and reads the files that a robot's file names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any

from .._inner import files
from ..errors import ArgumentError, FileError
from ..files import Surface
from ..files import read as read_surface
from . import _collada

_SCHEMES = ("package://", "model://")  # Both begin with the name of a folder.


class MeshFiles:
    """Reads the meshes that a file names, each once."""

    def __init__(self, path: str, packages: Any):
        self.folder = FilePath(path).resolve().parent
        self.packages = packages
        self.known: dict[str, Surface] = {}
        self.units: dict[str, float] = {}  # The unit of each COLLADA file that has another than the meter.

    def read(self, where: str, name: str, folder: FilePath | None = None) -> Surface:
        """The surface of a file, which is named from the folder of the file that names it."""
        path = str(self.path(where, name, folder))
        if path not in self.known:
            if path.lower().endswith(".dae"):
                surface, unit = _collada.read(path)
                if unit != 1:
                    self.units[path] = unit
            else:
                surface = read_surface(path)
                files.coordinates(path, "vertex", surface.vertices)
            self.known[path] = surface
        return self.known[path]

    def path(self, where: str, name: str, folder: FilePath | None = None) -> FilePath:
        """Where a file is."""
        for scheme in _SCHEMES:
            if name.startswith(scheme):
                package, _, rest = name.removeprefix(scheme).partition("/")
                tried = self._folders(package)
                for top in tried:
                    if (top / rest).exists():
                        return top / rest
                remedy = f"give packages (--packages DIR on the command line), the folder in which {package} is"
                raise FileError(f"{where}: {name} is in none of {', '.join(map(str, tried))}: {remedy}")
        return (folder or self.folder) / name.removeprefix("file://")

    def _folders(self, package: str) -> list[FilePath]:
        if isinstance(self.packages, Mapping):
            if package not in self.packages:
                raise ArgumentError(f"packages has no {package!r}: it has {', '.join(map(repr, self.packages)) or 'nothing'}")
            return [FilePath(self.packages[package])]
        tops: Iterable[FilePath] = (self.folder, *self.folder.parents) if self.packages is None else (FilePath(self.packages),)
        return [folder for top in tops for folder in ((top, top / package) if top.name == package else (top / package,))]
