"""What all films have: bodies by name in each frame, polygons divided once, and how far rounding may put a position off."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..._inner import files, meshes, polygons
from ...errors import ArgumentError, FileError
from ...files import Surface

HALF = 2.0**-24
"""Half a unit in the last place of single precision, relative to the number: what a stored number may be off by."""

_SLACK = 1 + 2.0**-40  # the bounds below are computed in double precision
_NO_EDGES = np.empty((0, 2), np.int32)


@dataclass
class Shape:
    """A body in one frame: positions, polygons by their corners, and lines."""

    x: NDArray[np.float64]
    corners: NDArray[np.int32]
    sizes: NDArray[np.int32]
    edges: NDArray[np.int32] = field(default_factory=lambda: _NO_EDGES)
    off: float = 0.0  # how far a position may be off by the rounding of the file: a length


class Film:
    """A file of bodies in frames. `times` has the time of each frame, None where the file has none."""

    rounded = "in single precision"  # how positions are stored, for a remark

    def __init__(self, path: str):
        self.path = path
        self.times: list[float | None] = [None]
        self.notes: list[str] = []
        self.left_out: dict[str, int] = {}
        self._divided: dict[str, _Divided] = {}

    def names(self, k: int) -> list[str]:
        """The bodies that are there in a frame."""
        raise NotImplementedError

    def shape(self, k: int, name: str) -> Shape:
        """A body in a frame."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the file."""

    def surface(self, k: int, name: str) -> tuple[Surface, float]:
        """A body in a frame as triangles, and how far its positions may be off. Polygons keep their first division."""
        with files.reading(self.path), np.errstate(all="ignore"):  # what is not finite is refused below
            shape = self.shape(k, name)
        where = f"{self.path}: {name or 'the mesh'} in frame {k}"
        files.coordinates(where, "vertex", shape.x)
        divided = self._divided.get(name)
        if divided is None or not divided.fits(shape):
            divided = self._divided[name] = _Divided.of(where, shape)
        return divided.surface(shape.x), float(shape.off)

    def say(self, text: str) -> None:
        """Keep a remark, once."""
        if text not in self.notes:
            self.notes.append(text)

    def leave(self, what: str, count: int = 1) -> None:
        """Count what is not read."""
        if count:
            self.left_out[what] = self.left_out.get(what, 0) + int(count)


@dataclass
class _Divided:
    """The triangles of a topology."""

    key: Shape
    found: Surface

    @classmethod
    def of(cls, where: str, shape: Shape) -> _Divided:
        corners, sizes, count = shape.corners, shape.sizes, len(shape.x)
        for what, used in (("polygon", corners), ("line", shape.edges.reshape(-1))):
            if len(used) and not 0 <= used.min() <= used.max() < count:
                raise FileError(f"{where}: a {what} has vertex {used.max() if used.min() >= 0 else used.min()} of {count}")
        if len(corners) != int(sizes.sum(dtype=np.int64)) or (len(sizes) and sizes.min() < 0):
            raise FileError(
                f"{where}: its polygons should have {int(sizes.sum(dtype=np.int64))} corners, {len(corners)} are given"
            )
        notes, few = [], np.flatnonzero(sizes < 3)
        left = {}
        if len(few):
            left["polygons of fewer than three corners"] = len(few)
            corners, sizes = corners[np.repeat(sizes >= 3, sizes)], sizes[sizes >= 3]
        if (sizes == 3).all():
            faces = corners.reshape(-1, 3)
        else:
            with files.naming(where):
                faces, crossed = polygons.cut(shape.x, corners, sizes)
            if crossed:
                notes.append(f"{crossed} polygons whose sides cross are divided as fans")
        with files.naming(where):
            found = meshes.clean(shape.x, faces, shape.edges)
        for what, number in found.left_out.items():
            left[what] = left.get(what, 0) + number
        return cls(shape, Surface(found.vertices, found.edges, found.faces, found.unused, left, {}, notes))

    def fits(self, shape: Shape) -> bool:
        """Whether a shape has this topology."""
        key = self.key
        return len(key.x) == len(shape.x) and all(
            a is b or np.array_equal(a, b)
            for a, b in ((key.corners, shape.corners), (key.sizes, shape.sizes), (key.edges, shape.edges))
        )

    def surface(self, x: NDArray[np.float64]) -> Surface:
        found = self.found
        return Surface(x, found.edges, found.faces, found.unused, dict(found.left_out), {}, list(found.notes))


# ---- what rounding may do


def half(*stored: NDArray[np.generic] | float) -> float:
    """`HALF` if one of these numbers, stored in single precision, needs more than 16 bits, else 0: they are meant exactly."""
    for values in stored:
        found = np.asarray(values, np.float64)
        if np.any(np.modf(np.ldexp(np.frexp(found)[0], 16))[0]):
            return HALF
    return 0.0


@dataclass(frozen=True)
class Ball:
    """Positions about the origin, as transforms are applied: none is farther than `reach`, none more than `off` wrong.

    Lengths are Euclidean. A stored number is off by a share of itself, so a point by the same share of its distance.
    """

    reach: float
    off: float

    @classmethod
    def of(cls, x: NDArray[np.float64], share: float) -> Ball:
        """Stored positions, each number off by at most this share of itself."""
        reach = float(np.sqrt((x * x).sum(1).max(initial=0.0))) * _SLACK
        return cls(reach, share * reach * _SLACK)

    def moved(self, by: NDArray[np.float64] | float, share: float) -> Ball:
        """Moved by a stored vector, or one of this length."""
        length = float(np.linalg.norm(np.asarray(by, np.float64)))
        return Ball((self.reach + length) * _SLACK, (self.off + share * length) * _SLACK)

    def scaled(self, by: NDArray[np.float64] | float, share: float) -> Ball:
        """Scaled by stored factors."""
        most = float(np.abs(by).max(initial=0.0)) if isinstance(by, np.ndarray) else abs(by)
        return Ball(most * self.reach * _SLACK, most * (self.off * (1 + share) + share * self.reach) * _SLACK)

    def turned(self, angle: float) -> Ball:
        """Turned by a rotation that is off by at most an angle: a point is then off by at most that times its distance."""
        return Ball(self.reach, (self.off + angle * (self.reach + self.off)) * _SLACK)

    def mapped(self, matrix: NDArray[np.float64], share: float) -> Ball:
        """Mapped by a stored affine matrix (4, 4) of column vectors, each entry off by at most this share of itself."""
        linear = matrix[:3, :3]
        norm, size = (
            float(np.linalg.norm(linear, 2)),
            float(np.linalg.norm(linear)),
        )  # the latter bounds what entries are off by
        at = float(np.linalg.norm(matrix[:3, 3]))
        off = norm * self.off + share * (size * (self.reach + self.off) + at)
        return Ball((norm * self.reach + at) * _SLACK, off * _SLACK)


def matrix_of(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix of a quaternion (x, y, z, w), of length 1 or not."""
    x, y, z, w = rotation / np.linalg.norm(rotation)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def unique(names: list[str], numbers: list[str]) -> list[str]:
    """Names that are all different: those that several have are followed by numbers."""
    return [name if name and names.count(name) == 1 else f"{name or 'body'} ({number})" for name, number in zip(names, numbers)]


def turned_corners(corners: NDArray[np.int32], sizes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The corners of polygons in the other order, from the same first one: of what is mirrored, so outside stays outside."""
    ends = np.cumsum(sizes)
    starts = np.repeat(ends - sizes, sizes)
    place = np.arange(len(corners)) - starts
    back = np.where(place == 0, 0, np.repeat(sizes, sizes) - place)
    turned: NDArray[np.int32] = corners[starts + back]
    return turned


def one_frame(path: str, count: int) -> int:
    """The number of the one frame of a film; an error where it has more."""
    if count != 1:
        name = os.path.basename(path)
        raise ArgumentError(f"{path} has {count:,} frames: name one by its number, from {name}[0] to {name}[{count - 1}]")
    return 0
