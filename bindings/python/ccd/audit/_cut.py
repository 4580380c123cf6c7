"""The neighborhood of an event: a small mesh with two frames, for a page, and for a file that `ccd step` replays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._inner import files
from ..mesh import Mesh
from ._results import Event
from ._scene import Scene

_FACES = 1500  # faces of a neighborhood, at most
_RINGS = 3


@dataclass
class Cut:
    """A part of a step: its vertices, numbered anew, and which they are in the whole."""

    step: int
    event: Event
    vertices: NDArray[np.int64]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    edges: NDArray[np.int32]  # those that no face has
    faces: NDArray[np.int32]

    def mesh(self) -> Mesh:
        """The topology."""
        sides = self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        edges = np.unique(np.sort(np.vstack([sides, self.edges]), axis=1), axis=0)
        used = np.zeros(len(self.vertices), bool)
        used[edges] = True
        used[self._particles()] = True
        return Mesh(faces=self.faces, edges=edges, vertices=len(self.vertices), ignored=~used)

    def _particles(self) -> NDArray[np.int64]:
        return np.flatnonzero(np.isin(self.vertices, self.event.vertices))

    def obj(self, end: bool) -> str:
        """One frame as OBJ, with all digits; comments say what it is and which vertices of the whole these are."""
        numbers = " ".join(map(str, self.vertices.tolist()))
        lines = [
            f"# ccd audit: step {self.step}, {'end' if end else 'start'}: {self.event.verdict}, {self.event.kind} of "
            f"{self.event.pair[0]} and {self.event.pair[1]}".replace("\n", " "),
            f"# vertices {numbers}",
        ]
        lines += ["v " + " ".join(map(repr, p)) for p in (self.x1 if end else self.x0).tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (self.faces + 1).tolist()]
        lines += [f"l {a} {b}" for a, b in (self.edges + 1).tolist()]
        return "\n".join(lines) + "\n"

    def write(self, start: str, end: str) -> None:
        """Write both frames."""
        for path, last in ((start, False), (end, True)):
            files.whole(path, self.obj(last).encode())


def cut(scene: Scene, step: int, event: Event, x0: NDArray[np.float64], x1: NDArray[np.float64]) -> Cut:
    """The faces and edges around the vertices of an event: up to three rings, while they are few."""
    near = np.zeros(scene.vertices, bool)
    near[list(event.vertices)] = True
    faces = np.empty(0, np.int64)
    for _ in range(_RINGS):
        found = np.flatnonzero(near[scene.faces].any(1)) if len(scene.faces) else faces
        if len(found) > _FACES and len(faces):
            break
        faces = found
        near[scene.faces[faces]] = True
    rods = scene.rods
    if len(rods):
        rods = rods[near[rods].any(1)]
        near[rods] = True
    vertices = np.flatnonzero(near)
    number = np.zeros(scene.vertices, np.int32)
    number[vertices] = np.arange(len(vertices))
    return Cut(step, event, vertices, x0[vertices], x1[vertices], number[rods], number[scene.faces[faces]])
