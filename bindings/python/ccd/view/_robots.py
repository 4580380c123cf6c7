"""Paths of robots, for a page: where all bodies are along the path, and their contacts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._inner.robots import Bodies, evaluate
from ..impact import Verdict, impact_dtype
from ..mesh import Mesh
from . import _gaps, _listed
from ._parts import COLORS, Objects
from ._state import Marks, State

if TYPE_CHECKING:
    from ..robot import Contact, Path

_TURN = 0.05  # radians, and lengths, that the joints move from frame to frame
MOST = 64  # frames of an edge


class Track:
    """All bodies along a path: frames at equal parts of its edges, of which each has as many."""

    def __init__(self, bodies: Bodies, path: Path, control: NDArray[np.float64], frames: int | None):
        self.bodies, self.path, self.control = bodies, path, control
        moved = float(np.abs(np.diff(control, axis=1)).sum(axis=(1, 2)).max(initial=0.0))
        self.each = min(MOST, max(4, int(np.ceil(moved / _TURN)))) if frames is None else frames
        _draw_slabs(bodies, np.vstack([self.values(k) for k in range(path.edges + 1)]))
        self.frames = [bodies.place(self.values(k / self.each)) for k in range(path.edges * self.each + 1)]

    def values(self, t: float) -> NDArray[np.float64]:
        """The joints at the time t of the page: edge + s."""
        edge = min(int(t), self.path.edges - 1)
        return evaluate(self.control[edge], t - edge)

    def mesh(self) -> Mesh:
        """All bodies as one mesh, with their radii."""
        faces, edges, offset = [np.empty((0, 3), np.int32)], [np.empty((0, 2), np.int32)], 0
        for shape in (s for b in self.bodies.all for s in b.shapes):
            faces.append(shape.faces + np.int32(offset))
            edges.append(shape.edges + np.int32(offset))
            offset += len(shape.vertices)
        f = np.vstack(faces)
        sides = np.unique(np.sort(f[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
        mesh = Mesh(f, np.vstack([sides, *edges]), offset)
        if self.bodies.radii.any():
            mesh.set_radii(self.bodies.radii)
        return mesh

    def objects(self, color: int) -> Objects:
        """An object for every link and every object of the scene."""
        names = [b.name for b in self.bodies.all]
        return Objects(self.bodies.owner.astype(np.uint16), names, [(color + k) % COLORS for k in range(len(names))])

    def add(self, state: State, part: int, contact: Contact, proven: bool) -> None:
        """Mark a contact: its point, which moves with body a, and the primitives of both bodies nearest to it."""
        time = contact.edge + contact.s
        step = min(int(time * self.each), len(self.frames) - 2)
        number = {b.name: k for k, b in enumerate(self.bodies.all)}
        a, b = number[contact.a], number[contact.b]
        at = self.bodies.place(self.values(time))
        point = np.array(contact.point)
        first, second = (self._nearest(k, at, point) for k in (a, b))
        ends = [self._carried(a, point, time, t / self.each) for t in (step, step + 1)]
        record = np.zeros(1, impact_dtype)
        record["verdict"] = Verdict.CONTACT if proven else Verdict.UNDECIDED
        record["toi_lo"], record["toi_hi"] = contact.s_free, contact.s
        record["point"], record["normal"] = point, contact.normal
        objects = np.column_stack([_listed.objects_of(state, part, first[:1]), _listed.objects_of(state, part, second[:1])])
        x0, x1 = (x[None] for x in ends)
        state.marks.append(Marks(part, step, x0, x1, np.array([time]), record["normal"], objects))
        state.drawn += 1
        state.count(1)
        rows = [
            [self._noun(a), contact.a, "first"],
            [self._noun(b), contact.b, "second"],
            ["verdict", "collides" if proven else "undecided"],
            ["how", contact.how],
            ["edge", str(contact.edge)],
            ["s", f"{contact.s:.9g}"],
            ["free before s", f"{contact.s_free:.9g}"],
            ["time of the path", f"{contact.time:.9g}"],
            ["point", "({:.6g}, {:.6g}, {:.6g})".format(*contact.point)],
        ]
        sides = [{"part": part, "vertices": v.tolist()} for v in (first, second)]
        pair = _listed.impact(state, f"{contact.a} and {contact.b}", record[0], sides, rows, (part, *ends), step, time)
        pair["edge"] = contact.edge

    def _noun(self, body: int) -> str:
        return "link" if self.bodies.all[body].link >= 0 else "object"

    def _carried(self, body: int, point: NDArray[np.float64], time: float, other: float) -> NDArray[np.float64]:
        """Where a point of a body is at another time."""
        link = self.bodies.all[body].link
        if link < 0:
            return point
        places = [self.bodies.tree.place(self.values(t)) for t in (time, other)]
        local = places[0][0][link].T @ (point - places[0][1][link])
        there: NDArray[np.float64] = places[1][0][link] @ local + places[1][1][link]
        return there

    def _nearest(self, body: int, x: NDArray[np.float64], point: NDArray[np.float64]) -> NDArray[np.int64]:
        """The vertices of the triangle, edge or ball of a body that is nearest to a point."""
        best: tuple[float, NDArray[np.int64]] = (np.inf, np.array([self.bodies.all[body].first]))
        offset = self.bodies.all[body].first
        for shape in self.bodies.all[body].shapes:
            for index in (shape.faces, shape.edges, np.arange(len(shape.vertices))[:, None]):
                if len(index):
                    held = index.astype(np.int64) + offset
                    far = _gaps.from_point(x[held], point)
                    k = int(far.argmin())
                    if far[k] < best[0]:
                        best = float(far[k]), held[k]
            offset += len(shape.vertices)
        return best[1]


def _draw_slabs(bodies: Bodies, q: NDArray[np.float64]) -> None:
    """Draw half-spaces as slabs of the size of all else at some values of the joints, (n, variables)."""
    spaces = [math.isfinite(b.extent) for b in bodies.all]
    if not any(spaces):
        return
    others = ~np.array(spaces)[bodies.owner]
    size = max((float(np.abs(bodies.place(row)[others]).max(initial=0)) for row in q), default=0.0)
    for b in bodies.all:
        first = b.first
        for shape in b.shapes:
            part = slice(first, first + len(shape.vertices))
            first = part.stop
            if not math.isfinite(shape.extent) or not 0 < 2 * size < shape.extent:
                continue
            top, bottom = shape.vertices[1::2], shape.vertices[::2]  # The order is that of `Shape.half_space`.
            at = top.mean(axis=0)
            scale = 2 * size / shape.extent
            bodies.local[part][1::2] = at + (top - at) * scale
            bodies.local[part][::2] = at + (top - at) * scale + (bottom - top) * (0.01 * scale)
