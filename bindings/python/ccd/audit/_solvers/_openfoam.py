"""A case of OpenFOAM whose mesh moves: the boundary patches at each time, read by foamlib."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError
from .._packages import package
from .._read import Meaning
from ._elements import POLYGON, Block
from ._recorded import Found, Half, Recorded, Vectors, digits, single

_NO_BODIES = ("empty", "wedge", "symmetry", "symmetryPlane", "cyclic", "cyclicAMI", "cyclicACMI", "cyclicSlip", "processor",
              "processorCyclic", "patchInternal", "overset", "nonuniformTransformCyclic")  # fmt: skip
_DOUBLE = 15  # digits of text from which rounding does not count


def is_case(path: str) -> bool:
    """Whether a path is the folder of a case, or the .foam file in one."""
    return path.lower().endswith(".foam") or (
        os.path.isdir(path) and os.path.isfile(os.path.join(path, "system", "controlDict"))
    )


class OpenFOAM(Recorded):
    """The times of a case. Where a time has no points or no faces, those of the latest time before hold."""

    kind = "OpenFOAM"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__(path, meaning)
        self.case = Path(os.path.dirname(path) or ".") if path.lower().endswith(".foam") else Path(path)
        self.foam: Any = package("foamlib", path)
        with files.reading(path):
            self._open()

    def _open(self) -> None:
        constant = self.case / "constant" / "polyMesh"
        if not constant.is_dir():
            if (self.case / "processor0").is_dir():
                raise UnsupportedError(f"{self.path} is in parts for processors: join them with reconstructPar (and its mesh)")
            raise FileError(f"{self.path} has no constant/polyMesh: it is no case with a mesh")
        times = [(time, one) for one in self.case.iterdir() if one.is_dir() and (time := _time(one.name)) is not None]
        self.times = [(time, one) for time, one in sorted(times, key=lambda pair: pair[0])]
        if len({time for time, _ in self.times}) != len(self.times):
            raise FileError(f"{self.path} has two folders of one time")
        parts = self.case / "processor0"
        folders = [one.name for one in parts.iterdir() if one.is_dir()] if parts.is_dir() else []
        apart = {time for name in folders if (time := _time(name)) is not None} - {time for time, _ in self.times}
        if apart:
            raise UnsupportedError(
                f"{self.path} has times that are in parts for processors alone ({min(apart):g}): join them with reconstructPar"
            )
        if self.times and self.times[0][0] > 0:
            self.say(f"it begins at time {self.times[0][0]:g}: without a folder 0 the mesh of constant is no frame")
        if not self.times:
            self.times = [(0.0, self.case / "constant")]
        if (self.case / "constant" / "regionProperties").exists():
            raise UnsupportedError(f"{self.path} has several regions, which are not read")
        self.half = self._half()
        names: dict[str, None] = {}
        for k in range(len(self.times)):
            for name, one in self._boundary(k).items():
                if str(one["type"]) not in _NO_BODIES:
                    names[name] = None
                else:
                    self.say(f"patches of type {one['type']} are left out: they are no walls of a body")
        if not names:
            raise FileError(f"{self.path} has no boundary patches that are walls or openings")
        self.names = list(names)
        self._faces: tuple[Path, list[Block]] | None = None
        self.list_frames([time for time, _ in self.times])

    def _half(self) -> Half | None:
        """What writing rounds: by writeFormat and writePrecision of the case."""
        control = self.foam.FoamFile(self.case / "system" / "controlDict")
        if str(control.get("writeFormat", "ascii")) == "binary":
            return None
        count = int(control.get("writePrecision", 6))
        self.rounded = f"in text of {count} digits (writePrecision)"
        return digits(count) if count < _DOUBLE else None

    def _file(self, k: int, name: str) -> Path:
        """The file of a mesh at a time: of this time, or of the latest one before, or of constant."""
        for _, folder in reversed(self.times[: k + 1]):
            for end in ("", ".gz"):
                if (folder / "polyMesh" / (name + end)).is_file():
                    return folder / "polyMesh" / (name + end)
        for end in ("", ".gz"):
            if (self.case / "constant" / "polyMesh" / (name + end)).is_file():
                return self.case / "constant" / "polyMesh" / (name + end)
        raise FileError(f"{self.path} has no file {name} of its mesh at time {self.times[k][0]:g}")

    def _boundary(self, k: int) -> dict[str, Any]:
        """The patches at a time by name."""
        path = self._file(k, "boundary")
        found: dict[str, Any] = {}
        for entry in self.foam.FoamFile(path)[None]:
            name, values = entry
            found[str(name)] = values
        return found

    def _blocks(self, k: int) -> list[Block]:
        path = self._file(k, "faces")
        faces = _faces(str(path), self.foam.FoamFile(path)[None])
        found = []
        for name, one in self._boundary(k).items():
            if name not in self.names:
                continue
            start, count = int(one["startFace"]), int(one["nFaces"])
            if not 0 <= start <= start + count <= len(faces):
                raise FileError(f"{self.path}: patch {name} has the faces from {start} to {start + count}, of {len(faces)}")
            rows = faces[start : start + count]
            if rows:
                sizes = np.array([len(row) for row in rows], np.int64)
                found.append(Block(self.names.index(name), POLYGON, np.concatenate(rows).astype(np.int64), sizes))
        return found

    def frame(self, k: int) -> Found:
        """The mesh at one time."""
        points = self._file(k, "points")
        values = np.asarray(self.foam.FoamFile(points)[None])
        if values.ndim != 2 or values.shape[1] != 3:
            raise FileError(f"{points} holds no vectors")
        x: Vectors = np.asarray(values, np.float64)
        key = str(self._file(k, "faces")), str(self._file(k, "boundary"))
        half = single if values.dtype == np.float32 else self.half
        return Found(x, key, lambda: self._blocks(k), (half, None))


def _time(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None


def _faces(path: str, found: Any) -> list[NDArray[np.int64]]:
    """The corners of each face; a compact list has where each face ends, and all corners."""
    if isinstance(found, tuple) and len(found) == 2:
        ends, corners = (np.asarray(one, np.int64).reshape(-1) for one in found)
        if len(ends) < 1 or ends[0] != 0 or ends[-1] != len(corners) or (np.diff(ends) < 0).any():
            raise FileError(f"{path}: the list of faces does not fit its corners")
        return np.split(corners, ends[1:-1])
    faces = [np.asarray(face, np.int64).reshape(-1) for face in found]
    short = next((k for k, face in enumerate(faces) if len(face) < 3), None)
    if short is not None:
        raise FileError(f"{path}: face {short} has {len(faces[short])} corners")
    return faces
