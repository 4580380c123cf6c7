"""PC2 and MDD: positions of the vertices of a mesh in frames, without faces, as caches of Blender, 3ds Max and LightWave.

Sample k is frame k of the film, as Blender's Mesh Cache counts them: it ignores the start and the rate of a PC2. Coordinates
are as they are in the cache; of the mesh the faces alone are used.
"""

from __future__ import annotations

import os
import struct

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import ArgumentError, FileError
from ...files import read
from .._objects import named
from ._film import HALF, Ball, Film, Shape


class _Cache(Film):
    """Rows of three numbers in single precision, frame after frame."""

    kind = np.dtype("<f4")

    def __init__(self, path: str, mesh: str | None):
        super().__init__(path)
        if mesh is None:
            raise ArgumentError(f"{path} has no faces: give a file that has them (mesh, --mesh FILE)")
        self.count, self.frames, self.offset = self._header()
        size, wanted = os.stat(path).st_size, self.offset + 12 * self.count * self.frames
        if not self.count or not self.frames:
            raise FileError(f"{path} has {self.frames} frames of {self.count} vertices")
        if size != wanted:
            raise FileError(f"{path} has {size:,} bytes: {self.frames} frames of {self.count} vertices need {wanted:,}")
        self.times = self.times or [None] * self.frames  # The file has room for so many.
        self.base = read(mesh)
        if len(self.base.vertices) != self.count:
            raise ArgumentError(
                f"mesh: {mesh} has {len(self.base.vertices)} vertices, frames of {path} have {self.count}: "
                "the mesh must be the one that the cache is of, with its vertices in the same order"
            )
        for what, number in self.base.left_out.items():
            self.leave(what, number)
        self.sizes = np.full(len(self.base.faces), 3, np.int32)
        self.corners = self.base.faces.reshape(-1)
        self.part, self.objects = named(mesh, self.count, self.base.mesh().edges)
        self.say("each sample of the cache is one frame; the positions are those of the cache, and the faces those of the mesh")

    def _header(self) -> tuple[int, int, int]:
        """The numbers of vertices and frames, and where the first position is."""
        raise NotImplementedError

    def _head(self, size: int) -> bytes:
        with files.reading(self.path), files.opened(self.path) as file:
            found = file.read(size)
        if len(found) < size:
            raise FileError(f"{self.path} ends within its header")
        return found

    def names(self, k: int) -> list[str]:
        """The mesh alone."""
        return [""]

    def shape(self, k: int, name: str) -> Shape:
        """The mesh in a frame."""
        with files.reading(self.path), files.opened(self.path) as file:
            file.seek(self.offset + 12 * self.count * k)
            content = file.read(12 * self.count)
        if len(content) != 12 * self.count:
            raise FileError(f"{self.path} ends within frame {k}")
        x: NDArray[np.float64] = np.frombuffer(content, self.kind).reshape(-1, 3).astype(np.float64)
        return Shape(x, self.corners, self.sizes, self.base.edges, Ball.of(x, HALF).off)


class PC2(_Cache):
    """POINTCACHE2, little endian."""

    def _header(self) -> tuple[int, int, int]:
        head = self._head(32)
        if head[:12] != b"POINTCACHE2\0":
            raise FileError(f"{self.path} is no PC2: it does not begin with POINTCACHE2")
        version, count, start, rate, frames = struct.unpack("<iiffi", head[12:])
        if version != 1 or count < 0 or frames < 0:
            raise FileError(
                f"{self.path} is PC2 of version {version}, with {count} vertices in {frames} frames: version 1 is read"
            )
        self.times = []
        if start != 0 or rate != 1:
            self.say(f"the start {start:g} and the rate {rate:g} of the cache are ignored, as Blender does")
        return count, frames, 32


class MDD(_Cache):
    """LightWave's, big endian, with a time for each frame."""

    kind = np.dtype(">f4")

    def _header(self) -> tuple[int, int, int]:
        frames, count = struct.unpack(">ii", self._head(8))
        if frames < 0 or count < 0 or 8 + 4 * frames > os.stat(self.path).st_size:
            raise FileError(f"{self.path} is no MDD: it would have {frames} frames of {count} vertices")
        times = np.frombuffer(self._head(8 + 4 * frames)[8:], ">f4").astype(np.float64)
        if not np.isfinite(times).all() or (np.diff(times) <= 0).any():
            self.say("the times of the cache do not ascend, and are left out")
            self.times = [None] * frames
        else:
            self.times = times.tolist()
        return count, frames, 8 + 4 * frames
