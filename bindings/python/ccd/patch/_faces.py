"""The faces of a model: loops, what faces have in common, names and colors."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import arrays
from ..errors import ArgumentError


@dataclass(frozen=True, eq=False)
class Faces:
    """The faces of a model: which part of each patch counts, and which faces are neighbors.

    Each face has a plane, that of its surface's parameters. A face may have several patches, each over a window of the plane.

    Parameters
    ----------
    face_of : numpy.ndarray
        Face of each patch, (n,) int32.
    windows : numpy.ndarray
        Where each patch lies in the plane of its face, (n, 4) float64: x at u = 0 and 1, y at v = 0 and 1.
    loops : list of list of numpy.ndarray
        For each face closed polygons, (k, 2) float64; the last corner is joined to the first. A face without loops is all of
        its patches.
    tolerances : numpy.ndarray
        For each face, (m, 2) float64: how far its polygons may be from the file's curves along x and y, with the gaps between
        these.
    joints : list of tuple
        What two faces have in common: the two faces and places (k, 4) float64, x and y in the plane of the first and x and y of
        the same point in that of the second; one place for a vertex.
    names : list of str
        Name of each face, or of the part that it belongs to; empty where the file has none.
    colors : numpy.ndarray
        Color of each face, or of its part, (m, 3) float64 in [0, 1], linear RGB; nan where the file has none.
    solids : numpy.ndarray
        Number of the solid that each face belongs to, (m,) int32; -1 for faces of no solid.
    open : list of int
        Faces whose curves do not close to loops: all of their patches counts.

    Examples
    --------
    >>> import ccd
    >>> ccd.patch.Faces([0], [[0, 1, 0, 1]], [[[[0, 0], [1, 0], [0, 1]]]], [[1e-9, 1e-9]])
    <ccd.patch.Faces: 1 faces, 1 loops, 0 joints>
    """

    face_of: NDArray[np.int32]
    windows: NDArray[np.float64]
    loops: list[list[NDArray[np.float64]]]
    tolerances: NDArray[np.float64]
    joints: list[tuple[int, int, NDArray[np.float64]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    colors: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 3)))
    solids: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    open: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "face_of", arrays.ids("face_of", self.face_of))
        object.__setattr__(self, "windows", _rows("windows", self.windows, 4))
        object.__setattr__(self, "tolerances", _rows("tolerances", self.tolerances, 2))
        loops = [[_rows(f"loops[{i}][{k}]", loop, 2) for k, loop in enumerate(own)] for i, own in enumerate(self.loops)]
        object.__setattr__(self, "loops", loops)
        joints = [(int(a), int(b), _rows(f"joints[{i}]", places, 4)) for i, (a, b, places) in enumerate(self.joints)]
        object.__setattr__(self, "joints", joints)
        if len(self.loops) != len(self.tolerances):
            raise ArgumentError(f"tolerances has {len(self.tolerances)} rows: there are {len(self.loops)} faces")
        if len(self.face_of) != len(self.windows):
            raise ArgumentError(f"windows has {len(self.windows)} rows: face_of has {len(self.face_of)} patches")

    def __len__(self) -> int:
        return len(self.loops)

    def __repr__(self) -> str:
        loops = sum(len(own) for own in self.loops)
        return f"<ccd.patch.Faces: {len(self)} faces, {loops} loops, {len(self.joints)} joints>"

    @property
    def neighbors(self) -> list[tuple[int, int]]:
        """Pairs of faces that have an edge or a vertex in common, each once, the lesser number first."""
        return sorted({(min(a, b), max(a, b)) for a, b, _ in self.joints if a != b})


def _rows(name: str, x: ArrayLike, columns: int) -> NDArray[np.float64]:
    array = np.asarray(x, np.float64)
    if array.size == 0:
        array = array.reshape(0, columns)
    if array.ndim != 2 or array.shape[1] != columns:
        raise ArgumentError(f"{name} has shape {array.shape}: must be (n, {columns})")
    return np.ascontiguousarray(array)
