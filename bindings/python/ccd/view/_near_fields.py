"""Fields that show where a mesh is near itself: the distance of each vertex, and what a step leaves of it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import proximity
from .._inner import arrays
from ..errors import ArgumentError
from ..impact import Kind
from ..mesh import Mesh
from ..step import Step
from ..verify import corners
from . import _gaps
from ._add_fields import add_field
from ._parts import Part
from ._state import State, is_a

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options

DISTANCE = "distance"
GAP = "gap"


def add_distances(
    state: State, mesh: Mesh, part: int = 0, within: float | None = None, neighbors: bool = False, threads: int = 0
) -> None:
    """Add the field ``distance``: in each frame, the distance of the nearest pair that a vertex belongs to.

    A pair is one of `ccd.proximity.near`: a vertex and a face, two edges, or what rods and points have instead. Its distance
    is that of the surfaces, radii included, and belongs to all vertices of both primitives. A vertex without a pair in a frame
    has no value there. Between two frames the page interpolates: only the frames themselves have been measured.

    Parameters
    ----------
    mesh : Mesh
        The mesh of the part, with its radii and filters.
    part : int, default 0
        Number of the mesh's part; of a volume's part `mesh` is the surface, with all vertices.
    within : float, optional
        A length: farther pairs are not looked for. None: the mean length of the mesh's edges in the first frame. Above about
        two of these lengths, pairs that three edges of the mesh join are found, too.
    neighbors : bool, default False
        Whether pairs count that two edges or fewer join.
    threads : int, default 0
        Number of threads; 0: all that the process may use.

    Raises
    ------
    ArgumentError
        An argument has another type, there is no such part, the part is no mesh or volume, or the mesh has another number of
        vertices.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> page = ccd.view.Page("a triangle comes near")
    >>> part = page.add_mesh(mesh, x, x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.5]))
    >>> page.add_distances(mesh, part, within=2)
    >>> page.color_by = "distance"
    >>> page.fields
    ['distance', 'speed']
    """
    frames = _frames(state, mesh, part)
    if within is None:
        a, b = (frames[0][mesh.edges[:, i]] for i in (0, 1))
        within = float(np.linalg.norm(a - b, axis=1).mean()) if len(mesh.edges) else 0.0
    within = arrays.within("within", within, "[0, 1e150]")
    found: list[NDArray[np.float64]] = []
    for k, x in enumerate(frames):
        same = k > 0 and np.array_equal(x, frames[k - 1])
        found.append(found[-1] if same else _distances(mesh, x, within, neighbors, threads))
    if all(x is found[0] for x in found):
        found = found[:1]
    add_field(state, part, DISTANCE, found)


def add_gaps(state: State, mesh: Mesh, part: int = 0, **options: Unpack[Options]) -> None:
    """Add the field ``gap``: for each step, how far the constraints of a vertex are from being met at its end.

    The value is the least ``gap`` of the constraints of `ccd.step.activeset` that a vertex belongs to. A negative one is a
    length by which the end of the step is too near, or through. A vertex without a constraint in a step has no value there.

    Parameters
    ----------
    mesh : Mesh
        The mesh of the part, with its radii and filters.
    part : int, default 0
        Number of the mesh's part.
    **options : Options
        Keywords of `ccd.Options`, as in `ccd.step.activeset`; with ``min_separation`` pairs count that come within it.

    Raises
    ------
    ArgumentError
        An argument has another type, there is no such part, the part is no mesh, or the mesh has another number of vertices.
    Error
        As `ccd.step.activeset`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> page = ccd.view.Page("a triangle falls through another")
    >>> part = page.add_mesh(mesh, x, x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 1.5]))
    >>> page.add_gaps(mesh, part, min_separation=0.01)
    >>> page.color_by = "gap"
    >>> page.fields
    ['gap', 'speed']
    """
    frames = _frames(state, mesh, part)
    found = []
    for start, end in pairwise(frames):
        constraints = np.asarray(Step(mesh, start, end).activeset(**options))
        value = np.full(len(start), np.inf)
        np.minimum.at(value, constraints["vertices"], constraints["gap"][:, None])
        found.append(np.where(np.isfinite(value), value, np.nan))
    add_field(state, part, GAP, found)


def _frames(state: State, mesh: Mesh, part: int) -> list[NDArray[np.float64]]:
    """The positions of the vertices of a part of a mesh, in every frame."""
    is_a("mesh", mesh, Mesh)
    held: Part = state.parts[state.number("part", part)]
    if held.motion is not None or held.patches is not None:
        raise ArgumentError(f"part is {part}, {held.name!r}: fields are for meshes and volumes")
    count = len(held.frames[0]) - (0 if held.drawn_for is None else len(held.drawn_for))
    if mesh.counts[0] != count:
        raise ArgumentError(
            f"mesh has {mesh.counts[0]} vertices, and part {part} has {count}: give the mesh that the part was added with"
        )
    return [x[:count] for x in held.frames]


def _distances(mesh: Mesh, x: NDArray[np.float64], within: float, neighbors: bool, threads: int) -> NDArray[np.float64]:
    """The distance of the nearest pair of each vertex; NaN where there is none."""
    found = np.asarray(proximity.near(mesh, x, within, threads=threads))
    around, value = _gaps.Neighbors(mesh, x, x), np.full(len(x), np.inf)
    for key, (first, second) in corners(mesh).items():
        rows = found[found["kind"] == Kind(key)]
        a, b = first[rows["a"]], second[rows["b"]]
        if not neighbors:
            apart = ~around.joined(a, b)
            rows, a, b = rows[apart], a[apart], b[apart]
        for side in (a, b):
            np.minimum.at(value, side, rows["distance_hi"][:, None])
    return np.where(np.isfinite(value), value, np.nan)
