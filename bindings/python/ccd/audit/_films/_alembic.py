"""Alembic: polygon meshes and cages of subdivision surfaces, with the transforms above them, through alembic3d.

Sample k is read by its number where a property has it (`getValue(k)`), and by its own time where the library takes times alone.
Coordinates are those of the archive: the format has no unit and no up axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError
from .._packages import package
from ._film import HALF, Ball, Film, Shape, turned_corners


@dataclass
class _Sampled:
    """Something with samples: one that holds for all times, or one for each frame."""

    times: list[float]

    def number(self, time: float | None) -> int:
        """The number of the sample at the time of a frame."""
        return self.times.index(time) if len(self.times) > 1 and time is not None else 0


@dataclass
class _Above(_Sampled):
    schema: Any
    matrices: dict[int, tuple[NDArray[np.float64], bool]]


@dataclass
class _Shown(_Sampled):
    values: list[int]  # 0 is hidden


@dataclass
class _Body(_Sampled):
    schema: Any
    above: list[_Above]  # the nearest first
    shown: list[_Shown]


class Alembic(Film):
    """The meshes of an archive by their paths."""

    def __init__(self, path: str):
        super().__init__(path)
        module = package("alembic3d", path)
        self.abc, self.geom = module.Abc, module.AbcGeom
        with files.reading(path), files.opened(path) as file:
            if file.read(5) not in (b"Ogawa", b"\x89HDF\r"):
                raise FileError(f"{path} is no Alembic archive")
        with files.reading(path):
            self.archive = self.abc.IArchive(path)
            self.bodies: dict[str, _Body] = {}
            self.cages = 0
            self._walk(self.archive.getTop())
        sampled = [one for body in self.bodies.values() for one in (body, *body.above, *body.shown) if len(one.times) > 1]
        every = sorted({tuple(one.times) for one in sampled})
        if len(every) > 1:
            counts = ", ".join(f"{len(times)} from {times[0]:g} to {times[-1]:g}" for times in every[:3])
            raise UnsupportedError(
                f"{path} has samples at different times ({counts}), and nothing says what holds between: export one sampling"
            )
        self.times = list(every[0]) if every else [None]
        if self.cages:
            self.say(f"{self.cages:,} meshes are subdivision surfaces: their control cages are read, not the smooth surfaces")
        self.say("the format has no unit and no up axis: coordinates are as they are in the file")

    def _walk(self, top: Any) -> None:
        geom, wrap = self.geom, self.abc.WrapExistingFlag.kWrapExisting
        stack: list[tuple[Any, list[_Above], list[_Shown]]] = [(top, [], [])]
        while stack:
            one, above, shown = stack.pop()
            header, name = one.getHeader(), str(one.getFullName())
            shown = [*shown, *self._shown(one)]
            if any(part.values == [0] for part in shown):
                self.leave("hidden objects, with what is below them")
                continue
            if geom.IXform.matches(header):
                schema = geom.IXform(one, wrap).getSchema()
                above = [_Above(self._times(schema), schema, {}), *above]
            elif geom.IPolyMesh.matches(header) or geom.ISubD.matches(header):
                cage = not geom.IPolyMesh.matches(header)
                schema = (geom.ISubD if cage else geom.IPolyMesh)(one, wrap).getSchema()
                self.cages += cage
                self.bodies[name] = _Body(self._times(schema), schema, above, shown)
            elif geom.INuPatch.matches(header):
                raise UnsupportedError(f"{self.path}: {name} is a NURBS patch, which is not read: export polygons")
            elif geom.ICurves.matches(header) or geom.IPoints.matches(header):
                self.leave("curves" if geom.ICurves.matches(header) else "points")
            stack += [(one.getChild(i), above, shown) for i in reversed(range(one.getNumChildren()))]

    def _shown(self, one: Any) -> list[_Shown]:
        """When an object is shown, if it says so."""
        found = self.geom.GetVisibilityProperty(one)
        if not found.valid() or not found.getNumSamples():
            return []
        values = [int(found.getValue(k)) for k in range(found.getNumSamples())]
        if len(set(values)) == 1:
            return [_Shown([0.0], values[:1])]
        return [_Shown(self._at(found.getTimeSampling(), len(values)), values)]

    def _times(self, schema: Any) -> list[float]:
        count = int(schema.getNumSamples())
        if count < 1:
            raise FileError(f"{self.path}: an object has no samples")
        return self._at(schema.getTimeSampling(), 1 if schema.isConstant() else count)

    def _at(self, sampling: Any, count: int) -> list[float]:
        """The times of samples; those of two samplings that differ by rounding are the same."""
        return [round(float(sampling.getSampleTime(k)), 9) for k in range(count)]

    def names(self, k: int) -> list[str]:
        """The meshes that are shown."""
        time = self.times[k]
        return [name for name, body in self.bodies.items() if all(one.values[one.number(time)] != 0 for one in body.shown)]

    def shape(self, k: int, name: str) -> Shape:
        """A mesh in a frame."""
        body, time = self.bodies[name], self.times[k]
        n = body.number(time)
        schema = body.schema
        x = np.array(_sample(schema.getPositionsProperty(), n), np.float64).reshape(-1, 3)
        corners = np.array(_sample(schema.getFaceIndicesProperty(), n), np.int32)
        sizes = np.array(_sample(schema.getFaceCountsProperty(), n), np.int32)
        if len(corners) == sizes.sum():
            corners = turned_corners(corners, sizes)  # the format has faces clockwise
        ball = Ball.of(x, HALF)
        for one in body.above:
            matrix, inherits = self._matrix(one, one.number(time))
            x, ball = x @ matrix[:3, :3].T + matrix[:3, 3], ball.mapped(matrix, 0.0)
            if not inherits:
                break
        return Shape(x, corners, sizes, off=ball.off)

    def _matrix(self, one: _Above, n: int) -> tuple[NDArray[np.float64], bool]:
        if n not in one.matrices:
            # ISampleSelector takes a whole number for a time in seconds, so the time of the sample is given.
            at = float(one.schema.getTimeSampling().getSampleTime(n))
            sample = one.schema.getValue(self.abc.ISampleSelector(at))
            matrix = np.array(sample.getMatrix(), np.float64).T
            if not np.array_equal(matrix[3], [0, 0, 0, 1]):
                raise FileError(f"{self.path} has a projective transform")
            one.matrices = {n: (matrix, bool(sample.getInheritsXforms()))}
        return one.matrices[n]


def _sample(found: Any, n: int) -> Any:
    """The sample of a number, of a property that may have one for all."""
    return found.getValue(0 if found.isConstant() else n)
