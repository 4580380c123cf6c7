"""Samples of the primitives of a scene, which processes take of their portions and merge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays
from ..errors import ArgumentError
from ._region import Floats, Ints
from ._rows import CHUNK
from ._scene import EDGE, FACE, VERTEX, Scene


@dataclass(frozen=True)
class Sample:
    """Some primitives of a scene, chosen by a hash of their numbers: those with the least hashes.

    Processes take samples of portions of a scene, and `reduce` merges them. The result is the sample of the whole,
    whatever the portions and their order are.

    Attributes
    ----------
    total : int
        Number of primitives in the portions.
    size : int
        Most primitives that the sample keeps.
    hashes : numpy.ndarray
        Hashes of the primitives, (k,) uint64, ascending.
    vertices : numpy.ndarray
        Vertices, (k, 3) int64; -1 where a primitive has fewer.
    ends : numpy.ndarray
        Boxes at both ends of the step, (k, 2, 2, 3): least and largest coordinates. To the largest are added the radii of both
        primitives of a pair.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((300, 3))
    >>> scene = cd.Scene(x, x, faces=np.arange(300).reshape(100, 3))
    >>> parts = [cd.sample(scene, size=50, share=(i, 3)) for i in range(3)]
    >>> merged = cd.reduce(parts[2], cd.reduce(parts[0], parts[1]))
    >>> merged.total, np.array_equal(merged.hashes, cd.sample(scene, size=50).hashes)
    (700, True)
    """

    total: int
    size: int
    hashes: NDArray[np.uint64]
    vertices: Ints
    ends: Floats

    def _merge(self, other: Sample) -> Sample:
        if self.size != other.size:
            raise ArgumentError(f"samples have sizes {self.size} and {other.size}: must be equal")
        return _kept(self.total + other.total, self.size, *(
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("hashes", "vertices", "ends")
        ))  # fmt: skip


def _kept(total: int, size: int, hashes: Any, vertices: Any, ends: Any) -> Sample:
    order = np.argsort(hashes, kind="stable")[:size]
    return Sample(total, size, hashes[order], vertices[order], ends[order])


def hashes(shape: int, ids: Ints) -> NDArray[np.uint64]:
    """SplitMix64 of the shape and the number: without it a stride could follow the rows of a grid."""
    with np.errstate(over="ignore"):
        x = ids.astype(np.uint64) * np.uint64(4) + np.uint64(shape) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
        return mixed


def sample(scene: Scene, size: int = 1 << 17, share: tuple[int, int] = (0, 1)) -> Sample:
    """Take a sample of the primitives of a scene, for `plan`.

    Parameters
    ----------
    scene : Scene
        The scene.
    size : int, default 131072
        Most primitives to keep.
    share : tuple of int, default (0, 1)
        (i, n): only the i-th of n portions of the scene is read. Merge the samples of all with `reduce`.

    Returns
    -------
    Sample
        The sample; its memory does not depend on the size of the scene.

    Raises
    ------
    ArgumentError
        An argument is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names the array, its file and the index in the scene.
    InvalidIndexError
        An index of an edge or a face is out of range; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((300, 3))
    >>> taken = cd.sample(cd.Scene(x, x), size=100)
    >>> taken.total, len(taken.hashes)
    (300, 100)
    """
    if not isinstance(scene, Scene):
        raise ArgumentError(f"scene is {type(scene).__name__}: must be a ccd.distributed.Scene")
    most, n = arrays.integer("size", size, 1, 1 << 30), arrays.integer("share[1]", share[1], 1, 1 << 40)
    of = arrays.integer("share[0]", share[0], 0, n - 1), n
    held = Sample(0, most, np.empty(0, np.uint64), np.empty((0, 3), np.int64), np.empty((0, 2, 2, 3)))
    for shape in (VERTEX, EDGE, FACE):
        for start, vertices in scene._portions(shape, CHUNK, of):
            if shape == VERTEX:
                scene._check_frames(start, start + len(vertices))
            keys = hashes(shape, np.arange(start, start + len(vertices)))
            limit = held.hashes[-1] if len(held.hashes) == most else np.uint64(2**64 - 1)
            chosen = np.flatnonzero(keys <= limit)
            if len(chosen) > 2 * most:
                chosen = chosen[np.argpartition(keys[chosen], most)[:most]]
            padded = np.full((len(chosen), 3), -1, np.int64)
            padded[:, : vertices.shape[1]] = vertices[chosen]
            held = held._merge(_kept(len(vertices), most, keys[chosen], padded, scene._ends(vertices[chosen])))
    return held


def swept(ends: Floats) -> tuple[Floats, Floats]:
    """Boxes over the step: least coordinates and largest."""
    return np.minimum(ends[:, 0, 0], ends[:, 1, 0]), np.maximum(ends[:, 0, 1], ends[:, 1, 1])
