"""Frames as arrays in files: NumPy, HDF5, Zarr, and the temporal VTKHDF."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import files
from ..errors import ArgumentError, FileError
from ..files import read
from ._elsewhere import Elsewhere
from ._listing import Item
from ._memory import Remembering
from ._packages import hdf, package, require
from ._read import Meaning, Snapshot, rounding
from ._solvers import _abaqus, _cgns, _d3plot, _ensight, _exodus, _frd, _nastran, _openfoam
from ._solvers._decks import Deck, Decks
from ._vtkhdf import VTKHDF
from ._xdmf import XDMF

_NONE2, _NONE3 = np.empty((0, 2), np.int32), np.empty((0, 3), np.int32)
_HDF, _HDF_ENDS = ("h5py", "h5py"), (".vtkhdf", ".h5", ".hdf5", ".hdf")
_ENDS = (".npy", ".npz", ".h5", ".hdf5", ".hdf", ".vtkhdf", ".zarr", ".xdmf", ".xmf")
_FRAMES = (*_ENDS[2:], ".pvd", ".series", ".vtm", ".vtmb", ".pvtu", ".pvtp")


def _ending(*ends: str) -> Callable[[str], bool]:
    return lambda path: path.lower().endswith(ends)


# Files of all frames of a sequence: what tells one by its name, what reads it, and the package that it needs, if there is one,
# with its name for pip. A package runs in a process of its own.
_Package = tuple[str, str]
_SEQUENCES: list[tuple[Callable[[str], bool], Callable[[str, Meaning], Any], _Package | None]] = [
    (_d3plot.is_d3plot, _d3plot.D3plot, ("lasso", "lasso-python>=2.0.4")),
    (_exodus.is_exodus, _exodus.Exodus, ("netCDF4", "netCDF4")),
    (_ending(".frd"), _frd.FRD, None),
    (_openfoam.is_case, _openfoam.OpenFOAM, ("foamlib", "foamlib")),
    (_ending(".case", ".encas"), _ensight.EnSight, ("vtkmodules", "vtk")),
    (_ending(".cgns"), _cgns.CGNS, ("h5py", "h5py")),
]
_PYNASTRAN = "pyNastran", "pyNastran"

# Input decks, each a frame.
_DECKS: list[tuple[Callable[[str], bool], Callable[[str], Deck], _Package | None]] = [
    (_ending(*_abaqus.ENDS), _abaqus.read, None),
    (_ending(*_nastran.ENDS), _nastran.read_deck, _PYNASTRAN),
]


def _reader(path: str) -> tuple[Callable[[str, Meaning], Any], _Package | None] | None:
    return next(((made, needs) for tells, made, needs in _SEQUENCES if tells(path.rstrip("/"))), None)


def _named(made: Callable[..., Any]) -> str:
    return f"{made.__module__}:{made.__qualname__}"


def _apart(path: str, needs: _Package, made: Callable[..., Any], *given: Any, before: Any = None) -> Elsewhere:
    """A source in a process of its own: that of the source before, where that is not needed any more."""
    require(needs[0], path, needs[1])
    return Elsewhere(path, _named(made), *given, before=before.process if isinstance(before, Elsewhere) else None)


def is_array(path: str) -> bool:
    """Whether a file of this name holds all frames of a sequence."""
    return path.lower().rstrip("/").endswith(_ENDS) or is_results(path)


def is_results(path: str) -> bool:
    """Whether a file of this name has the results of a solver, with their mesh."""
    return path.lower().endswith(".op2") or _reader(path) is not None


def is_frames(path: str) -> bool:
    """Whether a file of this name has its own faces, and may hold or list several frames: of a solver, VTKHDF, XDMF, PVD."""
    return is_results(path) or path.lower().rstrip("/").endswith(_FRAMES)


def address(path: str) -> tuple[str, int | None]:
    """The file that an address names, and the number of a frame if it has one: ``run.exo[3]`` is frame 3 of run.exo."""
    match = re.fullmatch(r"(?P<file>.*)\[(?P<number>\d{1,9})\]", path, re.DOTALL)
    if match is None or os.path.exists(path) or not is_frames(match["file"]):
        return path, None
    return match["file"], int(match["number"])


def is_deck(path: str) -> bool:
    """Whether a file of this name is the input deck of a solver."""
    return any(tells(path) for tells, _, _ in _DECKS)


def decks(paths: Sequence[str], meaning: Meaning) -> Any:
    """The frames in input decks of one program; None if the first file is no deck."""
    read_deck, needs = next(((found, needs) for tells, found, needs in _DECKS if tells(paths[0])), (None, None))
    if read_deck is None:
        return None
    others = [path for path in paths if all(found is not read_deck for tells, found, _ in _DECKS if tells(path))]
    if others:
        raise ArgumentError(f"{others[0]} is of another format than {paths[0]}: the frames must be of one")
    return Decks(paths, meaning, read_deck) if needs is None else _apart(paths[0], needs, Decks, paths, meaning, read_deck)


class OneEach(Remembering):
    """The frames of several files of a format that may hold a sequence: each file has one."""

    def __init__(self, paths: Sequence[str], meaning: Meaning):
        super().__init__()
        self.meaning, self._taken = meaning, False
        self._before: Any = None  # the source of the file before
        self.items = [Item(os.path.basename(path.rstrip("/")), None, (("", path),)) for path in paths]

    def snapshot(self, item: Item) -> Snapshot:
        """One frame."""
        path = item.parts[0][1]
        reader = self._before = source(path, self.meaning, None, self._before)
        if len(reader.items) != 1:
            raise ArgumentError(
                f"{path} holds {len(reader.items):,} frames of a sequence: give it alone, or several files of one frame each"
            )
        found: Snapshot = reader.snapshot(reader.items[0])
        for _, file, text in reader.memory.notes:
            self.memory.say(self.number, file, text)
        for _, file, left_out in reader.memory.left_out:
            self.memory.leave(self.number, file, left_out)
        self.rounded = reader.rounded
        return replace(found, item=item)

    def room(self, first: Snapshot, taken: bool) -> tuple[float, float]:
        """How far a position may be off, and the largest coordinate for which that holds."""
        self._taken = taken
        return super().room(first, taken)

    def rounded_as(self, found: Snapshot) -> None:
        """Keep how far positions may be off, where a later file is in another precision than the first."""
        if found.off and self.memory.single is None and self.number:
            if self._taken:
                raise ArgumentError(f"rounding: {found.item.name} is {self.rounded}, the first frame is not: give a radius")
            self.memory.rounding.append((self.number, found.off, 2 * float(np.abs(found.x).max(initial=0.0))))


class Arrays(Remembering):
    """Frames (k, n, 3) of one topology: ``frames``, and beside them ``faces``, ``edges``, ``objects``, ``names``, ``times``."""

    def __init__(self, path: str, meaning: Meaning, mesh: str | None):
        super().__init__()
        if meaning.displacement is not None or meaning.weld or meaning.points_are == "rest":
            raise ArgumentError(f"{path} holds positions of every frame: displacement, weld and rest are for files of meshes")
        self.path, held = path, _held(path)
        frames = held.get("frames")
        if frames is None:
            raise FileError(
                f"{path} has no array 'frames' of positions, (frames, n, 3): it has {', '.join(sorted(held)[:12]) or 'none'}; "
                "give it that name"
            )
        if len(frames.shape) != 3 or frames.shape[2] != 3 or frames.dtype.kind not in "fiu":
            raise FileError(
                f"{path}: frames is {frames.dtype} of shape {tuple(frames.shape)}: must be numbers (frames, n, 3)"
                + ("; reshape it to (frames, -1, 3)" if len(frames.shape) == 2 and frames.shape[1] % 3 == 0 else "")
            )
        self.frames, count, n = frames, int(frames.shape[0]), int(frames.shape[1])  # arrays of Zarr have no len
        self.edges, self.faces, self.unused = _NONE2, _NONE3, np.empty(0, np.int32)
        if mesh is not None:
            surface = read(mesh)
            self.memory.leave(0, mesh, surface.left_out)
            if len(surface.vertices) != n:
                raise ArgumentError(f"{mesh} has {len(surface.vertices)} vertices, frames of {path} have {n}")
            self.edges, self.faces, self.unused = surface.edges, surface.faces, surface.unused
        elif "faces" in held or "edges" in held:
            self.edges, self.faces = self._table(held, "edges", 2, n), self._table(held, "faces", 3, n)
        else:
            raise ArgumentError(f"{path} has no faces and no edges: give a file that has them (mesh, --mesh FILE)")
        self.part, self.names = self._objects(held, n)
        times = np.asarray(held["times"]) if "times" in held else None
        if times is not None and (times.shape != (count,) or times.dtype.kind not in "fiu" or (np.diff(times) <= 0).any()):
            raise FileError(f"{path}: times must be {count} numbers that ascend, one for each frame")
        name = os.path.basename(path.rstrip("/"))
        self.items = [Item(f"{name}[{k}]", None if times is None else float(times[k]), (("", str(k)),)) for k in range(count)]

    def _table(self, held: dict[str, Any], name: str, columns: int, n: int) -> NDArray[np.int32]:
        if name not in held:
            return np.empty((0, columns), np.int32)
        table = np.asarray(held[name])
        if table.ndim != 2 or table.shape[1] != columns or table.dtype.kind not in "iu":
            raise FileError(f"{self.path}: {name} is {table.dtype} of shape {table.shape}: must be integers (m, {columns})")
        wrong = np.flatnonzero(((table < 0) | (table >= n)).any(1))
        if len(wrong):
            raise FileError(f"{self.path}: {name}[{wrong[0]}] is {table[wrong[0]].tolist()}: must be in [0, {n})")
        return table.astype(np.int32)

    def _objects(self, held: dict[str, Any], n: int) -> tuple[NDArray[np.int64] | None, list[str]]:
        if "objects" not in held:
            return None, [""]
        objects = np.asarray(held["objects"])
        if objects.shape != (n,) or objects.dtype.kind not in "iu" or (n and objects.min() < 0):
            raise FileError(f"{self.path}: objects must be {n} integers from 0, one for each vertex")
        count = int(objects.max()) + 1 if n else 0
        names = [str(s.decode() if isinstance(s, bytes) else s) for s in np.asarray(held.get("names", ())).tolist()]
        names += [f"object {k}" for k in range(len(names), count)]
        return objects.astype(np.int64), names

    def snapshot(self, item: Item) -> Snapshot:
        """One frame."""
        k = int(item.parts[0][1])
        with files.reading(self.path):
            x = np.array(self.frames[k], np.float64)
        files.coordinates(f"{self.path}: frame {k}", "vertex", x)
        return Snapshot(item, x, self.edges, self.faces, self.unused, np.zeros(len(x), np.int64), [""], {}, 0.0, rounding(x))


def source(path: str, meaning: Meaning, mesh: str | None, before: Any = None) -> Any:
    """The frames in a file of arrays. A source before that is not needed any more gives its process to this one."""
    lower, none = path.lower().rstrip("/"), f"mesh is for arrays of positions: {path} has its own faces"
    if lower.endswith(".op2"):
        return _apart(path, _PYNASTRAN, _nastran.OP2, path, meaning, mesh, before=before)
    found = _reader(path)
    if found is not None:
        if mesh is not None:
            raise ArgumentError(none)
        made, needs = found
        return made(path, meaning) if needs is None else _apart(path, needs, made, path, meaning, before=before)
    if lower.endswith((".xdmf", ".xmf")):
        if mesh is not None:
            raise ArgumentError(none)
        # Without h5py no data in HDF5 are read: what else is wrong with the file is said first.
        apart = XDMF.needs_hdf(path) and find_spec("h5py") is not None
        return _apart(path, _HDF, XDMF, path, meaning, before=before) if apart else XDMF(path, meaning)
    if lower.endswith(_HDF_ENDS):
        return _apart(path, _HDF, in_hdf, path, meaning, mesh, before=before)
    return Arrays(path, meaning, mesh)


def in_hdf(path: str, meaning: Meaning, mesh: str | None) -> Any:
    """The frames in a file of HDF5."""
    file = hdf(path)
    if "VTKHDF" not in file:
        return Arrays(path, meaning, mesh)
    if mesh is not None:
        raise ArgumentError(f"mesh is for arrays of positions: {path} has its own faces")
    return VTKHDF(path, file["VTKHDF"], meaning)


def _held(path: str) -> dict[str, Any]:
    """The arrays in a file by name; frames may be such that items are read where they are used."""
    lower = path.lower().rstrip("/")
    if lower.endswith(".npy"):
        return {"frames": files.mapped(path)}
    if lower.endswith(".npz"):
        return files.archive(path)
    if lower.endswith(".zarr"):
        zarr = package("zarr", path)
        with files.reading(path):
            group = zarr.open(path, mode="r")
            return {name: group[name] for name in group if hasattr(group[name], "shape")}
    file = hdf(path)
    return {name: file[name] for name in file if hasattr(file[name], "shape")}
