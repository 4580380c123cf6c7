"""Links and objects of a scene as one array of vertices, and the meshes of one link with all that it is tested against."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays
from ..errors import ArgumentError
from ..files import Surface
from ..impact import EDGE_FACE, Kind
from ._kinematics import Tree
from ._model import Robot
from ._shapes import Shape


@dataclass(frozen=True, eq=False)
class Body:
    """A link, or an object of the scene, with its vertices in the array of all."""

    name: str
    link: int  # -1 for an object of the scene
    shapes: list[Shape]
    first: int
    last: int

    @property
    def is_closed(self) -> bool:
        return all(s.closed or not len(s.faces) for s in self.shapes)

    @property
    def extent(self) -> float:
        """How far from the body's origin its shapes are what they stand for: finite for half-spaces."""
        return min(s.extent for s in self.shapes)


class Bodies:
    """All links with shapes, and the objects of a scene."""

    def __init__(self, robot: Robot, scene: Mapping[str, Surface | list[Shape]]):
        self.tree: Tree = robot._tree
        self.all: list[Body] = []
        for link, name in enumerate(robot.links):
            if any(len(s.vertices) for s in robot._shapes[link]):
                self._add(name, link, robot._shapes[link])
        for name, given in scene.items():
            if name in robot.links:
                raise ArgumentError(f"scene[{name!r}] has the name of a link")
            parts = [Shape.surface(given)] if isinstance(given, Surface) else given
            if any(len(part.vertices) for part in parts):
                self._add(name, -1, parts)
        shapes = [s for b in self.all for s in b.shapes]
        self.local = np.vstack([np.empty((0, 3)), *(s.vertices for s in shapes)])
        self.radii = np.concatenate([np.empty(0), *(s.radii for s in shapes)])
        self.norms = np.linalg.norm(self.local, axis=1) * (1 + 1e-12)
        sizes = [b.last - b.first for b in self.all]
        self.link = np.repeat([b.link for b in self.all], sizes).astype(int)
        self.owner = np.repeat(np.arange(len(self.all)), sizes)
        self.starts = np.array([b.first for b in self.all], int)
        self.errors = np.zeros(self.tree.variables)  # how far the variables may be from their values

    def _add(self, name: str, link: int, shapes: list[Shape]) -> None:
        first = self.all[-1].last if self.all else 0
        self.all.append(Body(name, link, shapes, first, first + sum(len(s.vertices) for s in shapes)))

    def place(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """All vertices in the base's coordinates."""
        rotation, position = self.tree.place(q)
        x = self.local.copy()
        for b in self.all:
            if b.link >= 0:
                part = slice(b.first, b.last)
                x[part] = self.local[part] @ rotation[b.link].T + position[b.link]
        return x

    def velocities(self, q: NDArray[np.float64], rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Velocities of all vertices when the joints change at these rates."""
        turning, moving = self.tree.velocities(q, rates)
        rotation, _ = self.tree.place(q)
        found = np.zeros_like(self.local)
        for b in self.all:
            if b.link >= 0:
                part = slice(b.first, b.last)
                found[part] = moving[b.link] + np.cross(turning[b.link], self.local[part] @ rotation[b.link].T)
        return found

    def rank(self, body: int) -> tuple[int, int]:
        """Where a body is in the order from the scene to the ends of the tree."""
        link = self.all[body].link
        return (int(self.tree.depth[link]) if link >= 0 else -1, body)

    def pairs(self, allowed: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
        """The pairs of bodies that are tested: they can move relative to each other, and may not touch."""
        names = [b.name for b in self.all]
        known = set(names)
        free = set()
        for i, pair in enumerate(allowed):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise ArgumentError(f"allowed[{i}] is {pair!r}: must be two names")
            for name in pair:
                if not isinstance(name, str) or name not in known:
                    raise ArgumentError(f"allowed[{i}]: {name!r} is no link with shapes, and no object of the scene")
            free.add(frozenset(pair))
        group = self._rigid_groups()
        found = []
        for i, a in enumerate(self.all):
            for j in range(i + 1, len(self.all)):
                b = self.all[j]
                if group[i] != group[j] and frozenset((a.name, b.name)) not in free:
                    found.append((i, j))
        return found

    def refuse_beyond(self, pairs: Iterable[tuple[int, int]], largest: NDArray[np.float64], name: str) -> None:
        """Refuse variables of up to these magnitudes if a body may leave the box of a half-space. Errors name `name`."""
        spaces = [math.isfinite(b.extent) for b in self.all]
        if not any(spaces):
            return
        reach = self.tree.reach(largest + self.errors)
        far = [float(reach[b.link]) if b.link >= 0 else 0.0 for b in self.all]
        for pair in pairs:
            for space, other in (pair, pair[::-1]):
                if not spaces[space]:
                    continue
                body = self.all[other]
                part = slice(body.first, body.last)
                own = float((self.norms[part] + self.radii[part]).max(initial=0))
                if not (far[space] + far[other] + own) * (1 + 2.0**-40) <= self.all[space].extent:
                    raise ArgumentError(
                        f"{name}: {body.name!r} may be up to {far[space] + far[other] + own:.6g} from the origin of"
                        f" {self.all[space].name!r}, a half-space that is a box up to {self.all[space].extent:.6g}:"
                        " give it a larger extent"
                    )

    def groups(
        self, pairs: list[tuple[int, int]], min_separation: float, separations: Mapping[tuple[str, str], float] | None
    ) -> dict[float, list[tuple[int, int]]]:
        """The tested pairs by their separations: `min_separation`, or that of a pair of names."""
        if separations is not None and not isinstance(separations, Mapping):
            kind = type(separations).__name__
            raise ArgumentError(f"separations is {kind}: must be a mapping of distances by pairs of names")
        names = {b.name: i for i, b in enumerate(self.all)}
        own: dict[tuple[int, int], float] = {}
        for pair, value in (separations or {}).items():
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise ArgumentError(f"separations: {pair!r}: must be two names")
            for name in pair:
                if name not in names:
                    raise ArgumentError(f"separations: {name!r} is no link with shapes, and no object of the scene")
            i, j = sorted((names[pair[0]], names[pair[1]]))
            if (i, j) not in pairs:
                raise ArgumentError(f"separations: {pair!r}: this pair is not tested")
            own[i, j] = arrays.within(f"separations[{pair!r}]", value, "[0, 1e150]", "at least 0 and finite")
        found: dict[float, list[tuple[int, int]]] = {}
        for p in pairs:
            found.setdefault(own.get(p, min_separation), []).append(p)
        return found or {min_separation: []}

    def _rigid_groups(self) -> list[int]:
        """For each body a number that those share which do not move relative to each other; the scene has the base's."""
        root = list(range(self.tree.count))
        for j in self.tree.joints:
            if j.kind == "fixed" or j.multiplier == 0:
                root[j.child] = root[j.parent]
        base = next((i for i in range(self.tree.count) if self.tree.depth[i] == 0), -1)
        return [root[base] if b.link < 0 else root[b.link] for b in self.all]


class Cluster:
    """One body and the bodies that it is tested against, as a mesh; or a part of its primitives."""

    def __init__(self, bodies: Bodies, body: int, others: list[int]):
        self.bodies, self.body, self.others = bodies, body, others
        members = [body, *others]
        faces, lines, offset = [np.empty((0, 3), np.int32)], [np.empty((0, 2), np.int32)], 0
        for m in members:
            for s in bodies.all[m].shapes:
                faces.append(s.faces + np.int32(offset))
                lines.append(s.edges + np.int32(offset))
                offset += len(s.vertices)
        index = np.concatenate([np.arange(bodies.all[m].first, bodies.all[m].last) for m in members])
        self._set(index, np.vstack(faces), np.vstack(lines))
        x = bodies.local[self.index]
        lengths = np.linalg.norm(x[self.edges[:, 0]] - x[self.edges[:, 1]], axis=1)
        self.edge = float(lengths.mean()) if len(lengths) else math.inf  # the mean length

    def _set(self, index: NDArray[np.int64], faces: NDArray[np.int32], lines: NDArray[np.int32]) -> None:
        """The vertices of all bodies that are here, and triangles and codimensional edges of them."""
        self.index, self.lines = index, lines
        self.owner, self.sphere = self.bodies.owner[index], self.bodies.radii[index]
        self.mesh = Surface(np.empty((len(index), 3)), lines, faces).mesh()
        self.mesh.set_groups(np.where(self.owner == self.body, 0, 1).astype(np.int32))
        if (self.sphere > 0).any():
            self.mesh.set_radii(self.sphere)
        self.edges, self.faces = self.mesh.edges, self.mesh.faces

    @property
    def size(self) -> int:
        """The number of triangles, codimensional edges and vertices."""
        return len(self.faces) + len(self.lines) + len(self.index)

    def part(self, low: NDArray[np.float64], high: NDArray[np.float64], d: float) -> Cluster | None:
        """The primitives whose boxes come within d of the other group's box; None if no pair can come within d.

        A pair that comes within d in boxes (vertices, 3) of its vertices is in the part.
        """
        used = np.zeros(len(self.index), bool)
        used[self.faces], used[self.lines] = True, True
        groups: tuple[NDArray[Any], ...] = self.faces, self.lines, np.flatnonzero(~used)[:, None]
        lows, highs = np.vstack([low[g].min(1) for g in groups]), np.vstack([high[g].max(1) for g in groups])
        owner = np.concatenate([self.owner[g[:, 0]] for g in groups])
        kept = np.ones(len(owner), bool)
        for _ in range(2):  # the boxes of what the first round keeps are smaller
            near = np.zeros(len(owner), bool)
            mine = kept & (owner == self.body)
            for other in np.unique(owner[kept & (owner != self.body)]):
                theirs = kept & (owner == other)
                if mine.any():
                    near |= _within(lows, highs, mine, lows[theirs].min(0) - d, highs[theirs].max(0) + d)
                    near |= _within(lows, highs, theirs, lows[mine].min(0) - d, highs[mine].max(0) + d)
            kept = near
        if not kept.any():
            return None
        some = [g[k] for g, k in zip(groups, np.split(kept, np.cumsum([len(g) for g in groups])[:-1]))]
        chosen = np.unique(np.concatenate([g.ravel() for g in some]))
        place = np.zeros(len(self.index), np.int32)
        place[chosen] = np.arange(len(chosen), dtype=np.int32)
        found = object.__new__(Cluster)
        found.bodies, found.body, found.others, found.edge = self.bodies, self.body, self.others, self.edge
        found._set(self.index[chosen], place[some[0]], place[some[1]])
        return found

    def corners(self, kind: int, a: int, b: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The vertices of the two primitives of a pair, as indices into the cluster."""
        point_a, point_b = np.array([a]), np.array([b])
        if kind == EDGE_FACE:
            return self.edges[a].astype(int), self.faces[b].astype(int)
        if kind == Kind.VERTEX_FACE:
            return point_a, self.faces[b].astype(int)
        if kind == Kind.EDGE_EDGE:
            return self.edges[a].astype(int), self.edges[b].astype(int)
        return point_a, self.edges[b].astype(int) if kind == Kind.POINT_EDGE else point_b


def _within(
    lows: NDArray[np.float64],
    highs: NDArray[np.float64],
    rows: NDArray[np.bool_],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Which of these rows are boxes that meet a box."""
    found: NDArray[np.bool_] = rows & (lows <= high).all(1) & (highs >= low).all(1)
    return found


def clusters(bodies: Bodies, pairs: list[tuple[int, int]]) -> list[Cluster]:
    """Clusters that hold every pair once, those of the links farthest from the base first."""
    partners: dict[int, list[int]] = {}
    for i, j in pairs:
        one, other = sorted((i, j), key=bodies.rank, reverse=True)
        partners.setdefault(one, []).append(other)
    return [Cluster(bodies, i, sorted(partners[i])) for i in sorted(partners, key=bodies.rank, reverse=True)]
