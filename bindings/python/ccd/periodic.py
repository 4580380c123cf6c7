"""Meshes in periodic cells: steps and near pairs across the faces of the cell.

A part of a textile, a foam or a packing of grains stands for a body without end: what leaves the cell on one side enters on
the other. Contacts then happen between a primitive and the image of another, displaced by a vector of the lattice. `Mesh` here
tests the mesh with itself and with each image that comes near: its results say which image.

Images are made by adding a vector to positions, which rounds. The rounding is measured in each call and added to the
separation, so no contact is missed; `Impacts.slack` and `NearPairs.slack` have what was added, 0 where all sums are exact.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import mesh as plain
from . import proximity
from ._group import Group
from ._inner import arrays
from ._inner import meshes as inside
from ._native.by_name import options_by_name
from .errors import ArgumentError, UnsupportedError, shown
from .impact import EDGE_FACE, Impact, Kind, impact_dtype
from .step import Step

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = ["Advanced", "Hit", "Identified", "Impacts", "Mesh", "NearPairs", "identify"]

_MOST_IMAGES = 4096
_APART = 2.0**-40  # of the largest coordinate: what an identified vertex may be off its image
_UP = 1 + 2.0**-50  # more than what a few roundings take away
_KINDS = {  # the columns of primitives that a pair of each kind has: 0 vertices, 1 edges, 2 faces
    int(Kind.VERTEX_FACE): (0, 2),
    int(Kind.EDGE_EDGE): (1, 1),
    int(Kind.POINT_EDGE): (0, 1),
    int(Kind.POINT_POINT): (0, 0),
    int(EDGE_FACE): (1, 2),
}


class Identified(NamedTuple):
    """Vertices that are images of each other: the two sides of a mesh that is cut at the cell's faces.

    Attributes
    ----------
    pairs : numpy.ndarray
        Vertices i and j, (m, 2) int64.
    shifts : numpy.ndarray
        Vertex j is vertex i displaced by ``shifts @ cell``, (m, k) int64, k = rows of the cell.
    """

    pairs: NDArray[np.int64]
    shifts: NDArray[np.int64]


class Hit(NamedTuple):
    """The earliest impact, and the image that it is with.

    Attributes
    ----------
    impact : ccd.Impact
        The impact; its primitives are numbered as in the mesh.
    shift : tuple of int
        Primitive b is displaced by ``shift @ cell``; zeros where it is the mesh's own, or where all are separate.
    slack : float
        A length: the largest separation that was added for the rounding of images.
    """

    impact: Impact
    shift: tuple[int, ...]
    slack: float


class Impacts(NamedTuple):
    """All impacts, those with images among them.

    Attributes
    ----------
    impacts : numpy.ndarray
        Records (m,) of `ccd.impact_dtype`, sorted by ``toi_lo``. ``a`` may be greater than ``b`` for two edges. Points are
        where primitive a is.
    shifts : numpy.ndarray
        Primitive b is displaced by ``shifts[i] @ cell`` in impact i, (m, k) int64.
    slack : float
        A length: the largest separation that was added for the rounding of images.
    """

    impacts: NDArray[np.void]
    shifts: NDArray[np.int64]
    slack: float


class NearPairs(NamedTuple):
    """All near pairs, those with images among them.

    Attributes
    ----------
    pairs : numpy.ndarray
        Records (m,) of `ccd.proximity.near_pair_dtype`, the mesh's own first. The distances of pairs with an image are widened
        by the slack, and ``point_b`` is displaced.
    shifts : numpy.ndarray
        Primitive b is displaced by ``shifts[i] @ cell`` in pair i, (m, k) int64.
    slack : float
        A length: the largest distance by which an image is off its place.
    """

    pairs: NDArray[np.void]
    shifts: NDArray[np.int64]
    slack: float


class Advanced(NamedTuple):
    """A safe part of a step.

    Attributes
    ----------
    alpha : float
        The part, in [0, 1]; if it is 0, ``x`` is x0.
    x : numpy.ndarray
        Positions, (n, 3) float64: on the straight way from x0 to just these doubles nothing comes to its separation, images
        among them. This is proven.
    """

    alpha: float
    x: NDArray[np.float64]


class Mesh:
    """A mesh in a periodic cell.

    Parameters
    ----------
    mesh : ccd.Mesh
        The mesh. It is kept, not copied: its radii, static vertices and groups count when they are set before the first call.
        Groups hold for images too: two vertices of one group never collide, in whatever cells they are. Excluded pairs hold
        within a cell only.
    cell : array_like
        The vectors after which everything repeats, (k, 3), k = 1, 2 or 3, linearly independent, in the units of positions.
    identified : Identified, optional
        Vertices that are images of each other, as `identify` finds them. Without it the mesh ends at its borders, and a border
        that touches its image is in contact with it.

    Raises
    ------
    ArgumentError
        An argument has another type or shape, vectors are linearly dependent, or vertices are identified with themselves.
    InvalidIndexError
        A vertex is out of range; the message names it.
    NonFiniteError
        A component of the cell is NaN or infinite.

    Notes
    -----
    Each image that comes near, of two opposite ones one, is tested as a second copy of the mesh, in a mesh made once for each
    shift and kept. Primitives of identified vertices alone are tested once; one contact of them may be listed for several
    shifts.

    Examples
    --------
    A ball of one vertex in a cell of width 1 flies against a wall on its other side, and would pass through the cell's face:

    >>> import numpy as np, ccd
    >>> ball_and_wall = ccd.Mesh(faces=[[1, 2, 3]], vertices=4)
    >>> mesh = ccd.periodic.Mesh(ball_and_wall, [[1, 0, 0]])
    >>> x0 = np.array([[0.75, 0, 0], [0.25, -1, -1], [0.25, 1, -1], [0.25, 0, 2]])
    >>> x1 = x0 + [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    >>> hit = mesh.earliest(x0, x1)
    >>> hit.impact.toi_lo, hit.shift
    (0.5, (1,))
    """

    def __init__(self, mesh: plain.Mesh, cell: ArrayLike, identified: Identified | None = None):
        if not isinstance(mesh, plain.Mesh):
            raise ArgumentError(f"mesh is {shown(mesh)}: must be a ccd.Mesh")
        self._mesh, self._cell = mesh, _cell(cell)
        self._offsets = _offsets(mesh.counts[0], len(self._cell), identified)
        self._pairs: dict[tuple[int, ...], _Pair] = {}

    def __repr__(self) -> str:
        return f"<ccd.periodic.Mesh of {self._mesh.counts[0]} vertices, periodic along {len(self._cell)} vectors>"

    @property
    def mesh(self) -> plain.Mesh:
        """The mesh of one cell."""
        return self._mesh

    @property
    def cell(self) -> NDArray[np.float64]:
        """A copy of the vectors, (k, 3)."""
        return self._cell.copy()

    @options_by_name
    def earliest(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Hit:
        """Compute the earliest impact, as `ccd.step.earliest`, with images.

        Parameters
        ----------
        x0, x1 : array_like
            Vertices at t = 0 and 1, (n, 3), not wrapped into the cell: a vertex that leaves it goes on.
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`, without ``region``, ``progress`` and ``stats``.

        Returns
        -------
        Hit
            The impact with its shift. No contact happens before its ``toi_lo``.

        Raises
        ------
        ArgumentError
            Arrays have another shape, identified vertices are not each other's images, or the mesh reaches over too many cells.
        UnsupportedError
            An option is not served.
        Error
            As `ccd.step.earliest`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]])
        >>> mesh.earliest([[0, 0, 0], [0.75, 0, 0]], [[0, 0, 0], [1.25, 0, 0]]).impact.toi_lo
        0.5
        """
        found, least = self._frames(x0, x1, options), Hit(Step(self._mesh, x0, x1).earliest(**options), self._none(), 0.0)
        for pair, frames, slack in found:
            hit = pair.step(frames).earliest(**_wider(options, slack))
            best = least
            if not hit.separate and (least.impact.separate or hit.toi_lo < least.impact.toi_lo):
                rows, shifts = pair.own(_record(hit))
                best = Hit(Impact.from_record(rows[0]), tuple(int(n) for n in shifts[0]), 0.0)
            least = best._replace(slack=max(least.slack, slack))
        return least

    @options_by_name
    def collisions(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Impacts:
        """Compute all impacts, as `ccd.step.collisions`, with images.

        Parameters
        ----------
        x0, x1 : array_like
            Vertices at t = 0 and 1, (n, 3), not wrapped into the cell.
        **options : Options
            Keywords of `ccd.Options`, as in `earliest`.

        Returns
        -------
        Impacts
            Records with their shifts.

        Raises
        ------
        Error
            As `earliest`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]])
        >>> found = mesh.collisions([[0, 0, 0], [0.75, 0, 0]], [[0, 0, 0], [1.25, 0, 0]])
        >>> found.impacts[["a", "b", "toi_lo"]].tolist(), found.shifts.tolist()  # vertex 0 of the next cell
        ([(1, 0, 0.5)], [[1]])
        """
        images, slack = self._frames(x0, x1, options), 0.0
        rows = [np.asarray(Step(self._mesh, x0, x1).collisions(**options))]
        shifts = [np.zeros((len(rows[0]), len(self._cell)), np.int64)]
        for pair, frames, own in images:
            own_rows, own_shifts = pair.own(np.asarray(pair.step(frames).collisions(**_wider(options, own))))
            rows.append(own_rows)
            shifts.append(own_shifts)
            slack = max(slack, own)
        impacts, every = np.concatenate(rows), np.concatenate(shifts)
        order = np.argsort(impacts["toi_lo"], kind="stable")
        return Impacts(impacts[order], every[order], slack)

    @options_by_name
    def advance(self, x0: ArrayLike, x1: ArrayLike, share: float = 1.0, **options: Unpack[Options]) -> Advanced:
        """Move as far as is safe, as `ccd.step.advance`, with images.

        Parameters
        ----------
        x0, x1 : array_like
            Vertices at t = 0 and 1, (n, 3), not wrapped into the cell.
        share : float, default 1.0
            The part of the safe step to take, in (0, 1].
        **options : Options
            Keywords of `ccd.Options`, as in `earliest`, without ``t_max``.

        Returns
        -------
        Advanced
            The part and the positions.

        Raises
        ------
        Error
            As `earliest`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]])
        >>> mesh.advance([[0, 0, 0], [0.75, 0, 0]], [[0, 0, 0], [1.25, 0, 0]], 0.5).alpha
        0.25
        """
        if options.get("t_max") is not None:
            raise UnsupportedError("options has t_max: shorten the step instead, x1 = x0 + t_max * (x1 - x0)")
        n, share = self._mesh.counts[0], arrays.number("share", share)
        start, end = arrays.frame("x0", x0, n), arrays.frame("x1", x1, n)
        if not 0 < share <= 1:
            raise ArgumentError(f"share is {share}: must be in (0, 1]")
        hit = self.earliest(start, end, **options).impact
        alpha = 1.0 if hit.separate else share * hit.toi_lo
        for _ in range(64):
            if alpha == 0:
                break
            goal = end if alpha == 1 else start + alpha * (end - start)
            if self.earliest(start, goal, **options).impact.separate:
                return Advanced(alpha, goal)
            alpha *= 1 - 2.0**-10  # the positions are rounded, or the contact is at the end of the way
        return Advanced(0.0, start.copy())

    @options_by_name
    def near(self, x: ArrayLike, d: float, **options: Unpack[Options]) -> NearPairs:
        """List every pair within a distance, as `ccd.proximity.near`, with images.

        Parameters
        ----------
        x : array_like
            Vertices, (n, 3), not wrapped into the cell.
        d : float
            A length in [0, 1e150].
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.proximity.near`, without ``region``, ``progress`` and ``stats``.

        Returns
        -------
        NearPairs
            Records with their shifts. No pair at a distance of at most `d` is missing.

        Raises
        ------
        Error
            As `earliest`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]])
        >>> found = mesh.near([[0, 0, 0], [0.75, 0, 0]], 0.5)
        >>> found.pairs["distance_lo"].round(9).tolist(), found.shifts.tolist()
        ([0.25], [[1]])
        """
        d, slack = arrays.number("d", d), 0.0
        images = self._frames(x, x, options, d)
        rows = [np.asarray(proximity.near(self._mesh, x, d, **options))]
        shifts = [np.zeros((len(rows[0]), len(self._cell)), np.int64)]
        for pair, frames, own in images:
            found = np.asarray(proximity.near(pair.mesh, frames[0], _above(d, own), **options)).copy()
            found = pair.between(found)
            found["distance_lo"] = np.where(
                found["distance_lo"] > own, np.nextafter(found["distance_lo"] - own, 0) if own else found["distance_lo"], 0
            )
            found["distance_hi"] = np.nextafter(found["distance_hi"] + own, np.inf) if own else found["distance_hi"]
            found = found[found["distance_lo"] <= d]
            own_rows, own_shifts = pair.own(found)
            rows.append(own_rows)
            shifts.append(own_shifts)
            slack = max(slack, own)
        return NearPairs(np.concatenate(rows), np.concatenate(shifts), slack)

    def _none(self) -> tuple[int, ...]:
        return (0,) * len(self._cell)

    def _frames(self, x0: ArrayLike, x1: ArrayLike, options: Any, d: float = 0.0) -> list[tuple[_Pair, Any, float]]:
        """For each image that may come near: its mesh, positions of it at both ends, and how far these are off."""
        for name in ("region", "progress", "stats"):
            if options.get(name) is not None:
                raise UnsupportedError(f"options has {name}: calls with images do not take it")
        n = self._mesh.counts[0]
        start, end = arrays.frame("x0", x0, n), arrays.frame("x1", x1, n)
        separation = arrays.number("min_separation", options.get("min_separation", 0.0))
        for name, length in (("d", d), ("min_separation", separation)):
            if not 0 <= length <= 1e150:
                raise ArgumentError(f"{name} is {length:g}: must be in [0, 1e150]")
        d += separation
        out = []
        for shift in self._near(start, end, d):
            if shift not in self._pairs:
                self._pairs[shift] = _Pair(self._mesh, shift, self._offsets)
            pair, vector = self._pairs[shift], _vector(shift, self._cell)
            placed = [pair.place(name, x, vector) for name, x in (("x0", start), ("x1", end))]
            off = np.maximum(placed[0][1], placed[1][1])
            out.append((pair, [x for x, _ in placed], float(np.sqrt((off * off).sum())) * _UP))
        return out

    def _near(self, x0: NDArray[np.float64], x1: NDArray[np.float64], d: float) -> list[tuple[int, ...]]:
        """The shifts, of two opposite ones the greater, whose images may come within d."""
        left_out = inside.ignored(self._mesh)
        used = slice(None) if left_out is None else left_out == 0
        both = np.concatenate([x0[used], x1[used]])
        if not len(both):
            return []
        radii = inside.radii(self._mesh)
        room = d + (0.0 if radii is None else 2 * float(radii.max(initial=0.0)))
        extent = both.max(axis=0) - both.min(axis=0) + room
        extent = extent * (1 + 1e-9) + 1e-9 * np.abs(both).max(initial=0.0)
        reach = np.floor(extent @ np.abs(np.linalg.pinv(self._cell)) * (1 + 1e-9)) + 1
        count = float(np.prod(2 * reach + 1))
        if not count <= _MOST_IMAGES:
            raise ArgumentError(
                f"x0: the mesh reaches over {count:.0f} cells, and {_MOST_IMAGES} can be tested: wrap its bodies into the cell"
            )
        ranges = [range(-int(r), int(r) + 1) for r in reach]
        none = self._none()
        return [n for n in itertools.product(*ranges) if n > none and (np.abs(np.array(n) @ self._cell) <= extent).all()]


class _Pair:
    """The mesh and one image of it as one mesh, in which vertices that are identified are one."""

    def __init__(self, mesh: plain.Mesh, shift: tuple[int, ...], offsets: tuple[NDArray[np.int64], NDArray[np.int64]] | None):
        n, edges, faces = mesh.counts[0], mesh.edges, mesh.faces
        self.shift, self.n = np.array(shift, np.int64), n
        self.image = np.arange(n, 2 * n)  # where the image of each vertex stands
        self.welded = np.empty((0, 2), np.int64)
        if offsets is not None:
            self.welded = _welded(offsets, self.shift)
            self.image[self.welded[:, 0]] = self.welded[:, 1]
        parts = [_joined(rows, self.image[rows]) for rows in (edges, faces)]
        ignored = inside.ignored(mesh)
        left_out = np.zeros(2 * n, np.uint8)
        if ignored is not None:
            left_out[:n] = left_out[n:] = ignored
        left_out[n + self.welded[:, 0]] = 1
        self.mesh = plain.Mesh(
            edges=parts[0].rows, faces=parts[1].rows, vertices=2 * n, ignored=left_out if left_out.any() else None
        )
        self._filter(mesh)
        shared = np.zeros(2 * n, bool)
        shared[self.welded[:, 1]] = True
        number = np.tile(np.arange(n), 2)
        owner = np.repeat([0, 1], n)
        owner[shared | (left_out != 0)] = 2
        made = [(number, owner)]  # for vertices, edges, faces: the number in the mesh, and 0, 1 for the image, or 2 for both
        for part, now in zip(parts, (self.mesh.edges, self.mesh.faces)):
            at = part.find(now)
            made.append((part.number[at], part.owner[at]))
        self.made = made
        self.groups = [
            Group(*(np.flatnonzero(owner == side).astype(np.int32) for _, owner in made)) for side in (0, 1)
        ]  # fmt: skip

    def _filter(self, mesh: plain.Mesh) -> None:
        """Sets what was set on the mesh."""
        known, n = inside.filters(mesh), self.n
        groups = known.get("groups")
        if isinstance(groups, str):
            groups = _components(n, mesh.edges, self.welded)
        if groups is None:
            groups = np.repeat([0, 1], n)
        self.mesh.set_groups(groups if len(groups) == 2 * n else np.tile(groups, 2))
        if known.get("static") is not None:
            self.mesh.set_static(np.tile(known["static"], 2).astype(bool))
        radii = inside.radii(mesh)
        if radii is not None:
            self.mesh.set_radii(np.tile(radii, 2))

    def place(
        self, name: str, x: NDArray[np.float64], vector: list[Fraction]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Positions of the mesh and its image, and on each axis how far the latter may be off."""
        rounded = np.array([float(c) for c in vector])
        moved, error = _two_sum(x, rounded)
        off = np.abs(error).max(axis=0, initial=0.0) + [float(abs(c - Fraction(r))) * _UP for c, r in zip(vector, rounded)]
        if len(self.welded):
            i, j = self.welded.T
            gap = np.abs(x[j] - moved[i]) + np.abs(error[i])
            gap += 2.0**-52 * gap
            far = np.argwhere(gap > _APART * (np.abs(x).max(initial=0.0) + np.abs(rounded)))
            if len(far):
                k = int(far[0][0])
                raise ArgumentError(
                    f"{name}: vertices {i[k]} and {j[k]} are identified, but {name}[{j[k]}] is not the image of "
                    f"{name}[{i[k]}] by {self.shift.tolist()}: it is {float(gap[k].max()):.3g} off"
                )
            off = np.maximum(off, gap.max(axis=0) + [float(abs(c - Fraction(r))) * _UP for c, r in zip(vector, rounded)])
        self.vector = rounded
        return np.concatenate([x, moved]), off * _UP

    def step(self, frames: list[NDArray[np.float64]]) -> Step:
        """The step of the pairs of the mesh with its image."""
        return Step(self.mesh, *frames).between(*self.groups)

    def between(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The records whose primitives are of the mesh and of its image, one each."""
        a, b = self._owners(rows)
        between: NDArray[Any] = rows[a + b == 1]
        return between

    def _owners(self, rows: NDArray[Any]) -> NDArray[np.int64]:
        out = np.full((2, len(rows)), 2, np.int64)
        for kind, columns in _KINDS.items():
            at = rows["kind"] == kind
            for side, (name, column) in enumerate(zip("ab", columns)):
                out[side, at] = self.made[column][1][rows[name][at]]
        return out

    def own(self, rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The records in the numbers of the mesh, seen from primitive a, and the shifts of their primitives b."""
        rows = rows.copy()
        of_image = self._owners(rows)[0] == 1
        for kind, columns in _KINDS.items():
            at = np.flatnonzero(rows["kind"] == kind)
            for name, column in zip("ab", columns):
                rows[name][at] = self.made[column][0][rows[name][at]]
        for name in ("point", "point_a", "point_b"):
            if name in (rows.dtype.names or ()):
                rows[name][of_image] -= self.vector
        return rows, np.where(of_image[:, None], -self.shift, self.shift)


class _Joined(NamedTuple):
    """Edges or faces of a mesh and its image: rows, each once, with its number in the mesh and who has it."""

    rows: NDArray[np.int64]
    number: NDArray[np.int64]
    owner: NDArray[np.int64]

    def find(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """Where rows with these vertices stand."""
        if not len(rows):
            return np.empty(0, np.int64)
        known = {tuple(row): k for k, row in enumerate(np.sort(self.rows, axis=1).tolist())}
        return np.array([known[tuple(row)] for row in np.sort(rows, axis=1).tolist()], np.int64)


def _joined(mine: NDArray[Any], image: NDArray[Any]) -> _Joined:
    known = {tuple(row): k for k, row in enumerate(np.sort(mine, axis=1).tolist())}
    twin = np.array([known.get(tuple(row), -1) for row in np.sort(image, axis=1).tolist()], np.int64)
    fresh = np.flatnonzero(twin < 0)
    owner = np.concatenate([np.zeros(len(mine), np.int64), np.ones(len(fresh), np.int64)])
    owner[twin[twin >= 0]] = 2
    rows = np.concatenate([mine, image[fresh]]).astype(np.int64)
    return _Joined(rows, np.concatenate([np.arange(len(mine)), fresh]), owner)


def _welded(offsets: tuple[NDArray[np.int64], NDArray[np.int64]], shift: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows (i, j): the image of vertex i by this shift is vertex j."""
    root, at = offsets
    order = np.flatnonzero(np.bincount(root, minlength=len(root))[root] > 1)
    where = {(int(root[j]), *at[j].tolist()): int(j) for j in order}
    rows = [(int(i), where.get((int(root[i]), *(at[i] + shift).tolist()), -1)) for i in order]
    return np.array([row for row in rows if row[1] >= 0], np.int64).reshape(-1, 2)


def _offsets(n: int, k: int, identified: Identified | None) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """For each vertex the least one that it is an image of, and by which shift; None if none are identified."""
    if identified is None:
        return None
    if not isinstance(identified, tuple) or len(identified) != 2:
        raise ArgumentError(f"identified is {shown(identified)}: must be a ccd.periodic.Identified, as identify returns")
    pairs, shifts = arrays.pairs("identified.pairs", identified[0]), arrays.indices("identified.shifts", identified[1])
    arrays.in_range("identified.pairs", pairs, n, "vertices")
    if shifts.shape != (len(pairs), k):
        raise ArgumentError(f"identified.shifts has shape {shifts.shape}: must be ({len(pairs)}, {k})")
    near: list[list[tuple[int, NDArray[np.int64], int]]] = [[] for _ in range(n)]
    for m, ((i, j), shift) in enumerate(zip(pairs.tolist(), shifts)):
        near[i].append((j, shift, m))
        near[j].append((i, -shift, m))
    root, at = np.arange(n), np.zeros((n, k), np.int64)
    seen = np.zeros(n, bool)
    for first in range(n):
        if seen[first]:
            continue
        seen[first], todo = True, [first]
        while todo:
            i = todo.pop()
            for j, shift, m in near[i]:
                if not seen[j]:
                    seen[j], root[j], at[j] = True, first, at[i] + shift
                    todo.append(j)
                elif (at[j] != at[i] + shift).any():
                    told = f"identified.shifts[{m}] is {shifts[m].tolist()}"
                    raise ArgumentError(f"{told}: other rows give another image of vertex {j}")
    same: dict[tuple[int, ...], int] = {}
    for v in range(n):
        other = same.setdefault((int(root[v]), *at[v].tolist()), v)
        if other != v:
            raise ArgumentError(f"identified.pairs: vertices {other} and {v} become one within the cell; weld them before")
    return root, at


def identify(x: ArrayLike, cell: ArrayLike, tolerance: float) -> Identified:
    """Find the vertices that are images of each other in one configuration, for the borders of a mesh cut at the cell's faces.

    Parameters
    ----------
    x : array_like
        Vertices, (n, 3).
    cell : array_like
        The vectors after which everything repeats, (k, 3), as in `Mesh`.
    tolerance : float
        A length: how far a vertex may be off the image of another. `Mesh` asks for some 1e-12 of the coordinates in its calls.

    Returns
    -------
    Identified
        The pairs, i before j in no order of their shifts; of several images each is in a pair with the least vertex.

    Raises
    ------
    ArgumentError
        An argument has another shape, or the tolerance is not positive.
    NonFiniteError
        A coordinate is NaN or infinite.

    Examples
    --------
    >>> import ccd
    >>> ccd.periodic.identify([[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], [[1, 0, 0]], 1e-9)
    Identified(pairs=array([[0, 2]]), shifts=array([[1]]))
    """
    points, vectors = arrays.finite("x", arrays.coordinates("x", x)), _cell(cell)
    tolerance = arrays.number("tolerance", tolerance)
    if not 0 < tolerance < math.inf:
        raise ArgumentError(f"tolerance is {tolerance}: must be positive")
    # Coordinates in the lattice, from which vertices of one place in it are found by a grid that is as wide as the tolerance.
    inverse = np.linalg.pinv(vectors)
    whole = points @ inverse
    rest = points - np.floor(whole + 0.5) @ vectors
    width = 4 * tolerance
    cells: dict[tuple[int, ...], list[int]] = {}
    pairs, shifts = [], []
    corners = [np.array(c) for c in itertools.product((-1, 0, 1), repeat=3)]
    lattice = [np.array(n) @ vectors for n in itertools.product((-1, 0, 1), repeat=len(vectors))]
    for i, place in enumerate(rest):
        found = -1
        for vector in lattice:  # a place near a face of the cell is near both
            key = np.floor((place + vector) / width)
            for corner in corners:
                for j in cells.get(tuple((key + corner).tolist()), ()):
                    n = np.rint((points[i] - points[j]) @ inverse)
                    if n.any() and np.linalg.norm(points[i] - points[j] - n @ vectors) <= tolerance:
                        found = j if found < 0 else min(found, j)
        if found >= 0:
            pairs.append((found, i))
            shifts.append(np.rint((points[i] - points[found]) @ inverse))
        else:
            cells.setdefault(tuple(np.floor(place / width).tolist()), []).append(i)
    return Identified(np.array(pairs, np.int64).reshape(-1, 2), np.array(shifts, np.int64).reshape(-1, len(vectors)))


def _cell(cell: ArrayLike) -> NDArray[np.float64]:
    vectors = arrays.finite("cell", arrays.coordinates("cell", cell)).copy()
    if not 1 <= len(vectors) <= 3:
        raise ArgumentError(f"cell has {len(vectors)} rows: must have 1, 2 or 3 vectors")
    lengths = np.linalg.norm(vectors, axis=1)
    for i in np.flatnonzero(lengths == 0):
        raise ArgumentError(f"cell[{i}] is zero: leave the vector out, if nothing repeats along it")
    if np.linalg.matrix_rank(vectors / lengths[:, None], tol=1e-6) < len(vectors):
        raise ArgumentError("cell: its vectors are linearly dependent")
    return vectors


def _vector(shift: tuple[int, ...], cell: NDArray[np.float64]) -> list[Fraction]:
    """The vector of a shift, exactly."""
    return [sum((n * Fraction(float(c)) for n, c in zip(shift, column)), Fraction(0)) for column in cell.T]


def _two_sum(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """x + y rounded, and what it is less than the sum, exactly (Knuth); coordinates of at most 1e150 do not overflow."""
    total = x + y
    back = total - x
    return total, (x - (total - back)) + (y - back)


def _components(n: int, edges: NDArray[Any], welded: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least vertex of each vertex's component, identified ones joined."""
    links = np.concatenate([edges, welded]).astype(np.int64)
    least = np.arange(n)
    while len(links):
        low = least[links].min(axis=1)
        now = least.copy()
        for side in (0, 1):
            np.minimum.at(now, links[:, side], low)
        now = now[now]
        if (now == least).all():
            break
        least = now
    return least


def _record(hit: Impact) -> NDArray[np.void]:
    """The impact as an array of one record."""
    row = np.zeros(1, impact_dtype)
    for name in impact_dtype.names or ():
        if name != "reserved":
            row[name] = getattr(hit, name)
    return row


def _above(d: float, slack: float) -> float:
    """The sum, rounded up; d itself if there is no slack."""
    return float(np.nextafter(d + slack, math.inf)) if slack else d


def _wider(options: Any, slack: float) -> Any:
    """Options with a separation that covers the slack."""
    return options | {"min_separation": _above(options.get("min_separation", 0.0), slack)} if slack else options
