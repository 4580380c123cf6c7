"""The calls: a mesh with each image that comes near."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import mesh as plain
from .. import proximity
from .._inner import arrays
from .._inner import meshes as inside
from .._native.by_name import options_by_name
from ..errors import ArgumentError, UnsupportedError, no_mesh
from ..impact import Impact, impact_dtype
from ..step import Step
from . import _lattice
from ._image import UP, Pair
from ._lattice import Identified
from ._results import Advanced, Constraints, Hit, Impacts, NearPairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Unpack

    from ..options import Options

    _Rows = tuple[NDArray[np.void], NDArray[np.int64]]  # records and their shifts

_MOST_IMAGES = 4096


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
            raise no_mesh("mesh", mesh)
        self._mesh, self._cell = mesh, _lattice.vectors_of(cell)
        self._offsets = _lattice.offsets(mesh.counts[0], len(self._cell), identified)
        self._pairs: dict[tuple[int, ...], Pair] = {}

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

        def image(pair: Pair, frames: Any, slack: float) -> _Rows:
            return pair.own(np.asarray(pair.step(frames).collisions(**_wider(options, slack))))

        images, own = self._frames(x0, x1, options), np.asarray(Step(self._mesh, x0, x1).collisions(**options))
        impacts, shifts, slack = self._with_images(own, images, image)
        order = np.argsort(impacts["toi_lo"], kind="stable")
        return Impacts(impacts[order], shifts[order], slack)

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
        n, share = self._mesh.counts[0], arrays.within("share", share, "(0, 1]")
        start, end = arrays.frame("x0", x0, n), arrays.frame("x1", x1, n)
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
    def activeset(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> Constraints:
        """List every pair that comes within ``min_separation`` as a constraint, as `ccd.step.activeset`, with images.

        What a solver does with the constraints of `ccd.step.activeset` serves these as they are: `ccd.step.effective_mass`,
        `ccd.step.colors`, `ccd.step.jacobian`, and the loop of the tutorial.

        Parameters
        ----------
        x0, x1 : array_like
            Vertices at t = 0 and 1, (n, 3), not wrapped into the cell.
        **options : Options
            Keywords of `ccd.Options`, as in `earliest`.

        Returns
        -------
        Constraints
            Records with their shifts. A pair of a primitive with its own image, whose weights cancel, is left out: no motion of
            its vertices changes the distance.

        Raises
        ------
        Error
            As `earliest`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.periodic.Mesh(ccd.Mesh(vertices=2), [[1, 0, 0]])
        >>> x1 = np.array([[0, 0, 0], [0.875, 0, 0]])
        >>> found = mesh.activeset([[0, 0, 0], [0.75, 0, 0]], x1, min_separation=0.1875)
        >>> c = found.constraints[0]
        >>> c["vertices"][:2].tolist(), c["impact"]["normal"].tolist(), c["gap"].item()  # vertex 0 of the next cell
        ([1, 0], [-1.0, 0.0, 0.0], -0.0625)
        >>> (c["weights"] @ (x1[c["vertices"]] @ c["impact"]["normal"]) - c["separation"]).item()
        -0.0625
        """

        def image(pair: Pair, frames: Any, slack: float) -> _Rows:
            return pair.constraints(np.asarray(pair.step(frames).activeset(**_wider(options, slack))))

        images, own = self._frames(x0, x1, options), np.asarray(Step(self._mesh, x0, x1).activeset(**options))
        found, shifts, slack = self._with_images(own, images, image)
        order = np.argsort(found["impact"]["toi_lo"], kind="stable")
        return Constraints(found[order], shifts[order], slack)

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
        d = arrays.number("d", d)

        def image(pair: Pair, frames: Any, slack: float) -> _Rows:
            found = pair.between(np.asarray(proximity.near(pair.mesh, frames[0], _above(d, slack), **options)).copy())
            if slack:
                lo, hi = found["distance_lo"], found["distance_hi"]
                found["distance_lo"] = np.where(lo > slack, np.nextafter(lo - slack, 0), 0)
                found["distance_hi"] = np.nextafter(hi + slack, np.inf)
            return pair.own(found[found["distance_lo"] <= d])

        images, own = self._frames(x, x, options, d), np.asarray(proximity.near(self._mesh, x, d, **options))
        return NearPairs(*self._with_images(own, images, image))

    def _with_images(
        self,
        own: NDArray[np.void],
        images: list[tuple[Pair, Any, float]],
        image: Callable[[Pair, Any, float], _Rows],
    ) -> tuple[NDArray[np.void], NDArray[np.int64], float]:
        """The records of the mesh alone and those with each image, their shifts, and the largest slack."""
        every = [(own, np.zeros((len(own), len(self._cell)), np.int64)), *(image(*one) for one in images)]
        rows, shifts = (np.concatenate(column) for column in zip(*every))
        return rows, shifts, max((slack for _, _, slack in images), default=0.0)

    def _none(self) -> tuple[int, ...]:
        return (0,) * len(self._cell)

    def _frames(self, x0: ArrayLike, x1: ArrayLike, options: Any, d: float = 0.0) -> list[tuple[Pair, Any, float]]:
        """For each image that may come near: its mesh, positions of it at both ends, and how far these are off."""
        for name in ("region", "progress", "stats"):
            if options.get(name) is not None:
                raise UnsupportedError(f"options has {name}: calls with images do not take it")
        n = self._mesh.counts[0]
        start, end = arrays.frame("x0", x0, n), arrays.frame("x1", x1, n)
        d = arrays.within("d", d, "[0, 1e150]")
        d += arrays.within("min_separation", options.get("min_separation", 0.0), "[0, 1e150]")
        out = []
        for shift in self._near(start, end, d):
            if shift not in self._pairs:
                self._pairs[shift] = Pair(self._mesh, shift, self._offsets)
            pair, vector = self._pairs[shift], _lattice.vector(shift, self._cell)
            placed = [pair.place(name, x, vector) for name, x in (("x0", start), ("x1", end))]
            off = np.maximum(placed[0][1], placed[1][1])
            out.append((pair, [x for x, _ in placed], float(np.sqrt((off * off).sum())) * UP))
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
