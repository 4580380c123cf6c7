"""The lattice: its vectors, and vertices that are images of each other."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import ArgumentError, shown


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
    points, vectors = arrays.finite("x", arrays.coordinates("x", x)), vectors_of(cell)
    tolerance = arrays.within("tolerance", tolerance, "(0, inf)", "positive")
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


def vectors_of(cell: ArrayLike) -> NDArray[np.float64]:
    """The rows of `cell`, checked."""
    shape = np.shape(cell) if isinstance(cell, (int, float, np.ndarray, list, tuple)) else None
    if shape == ():
        raise ArgumentError(
            f"cell is {shown(cell)}: must be (k, 3), one row a vector; for a cube with this edge pass cell * np.eye(3)"
        )
    if shape == (3,):
        one = "for a box with these edges pass np.diag(cell), for one vector [cell]"
        raise ArgumentError(f"cell has shape (3,): must be (k, 3), one row a vector; {one}")
    vectors = arrays.finite("cell", arrays.coordinates("cell", cell)).copy()
    if not 1 <= len(vectors) <= 3:
        raise ArgumentError(f"cell has {len(vectors)} rows: must have 1, 2 or 3 vectors")
    lengths = np.linalg.norm(vectors, axis=1)
    for i in np.flatnonzero(lengths == 0):
        raise ArgumentError(f"cell[{i}] is zero: leave the vector out, if nothing repeats along it")
    if np.linalg.matrix_rank(vectors / lengths[:, None], tol=1e-6) < len(vectors):
        raise ArgumentError("cell: its vectors are linearly dependent")
    return vectors


def vector(shift: tuple[int, ...], cell: NDArray[np.float64]) -> list[Fraction]:
    """The vector of a shift, exactly."""
    return [sum((n * Fraction(float(c)) for n, c in zip(shift, column)), Fraction(0)) for column in cell.T]


def offsets(n: int, k: int, identified: Identified | None) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
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


def welded(offsets: tuple[NDArray[np.int64], NDArray[np.int64]], shift: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows (i, j): the image of vertex i by this shift is vertex j."""
    root, at = offsets
    order = np.flatnonzero(np.bincount(root, minlength=len(root))[root] > 1)
    where = {(int(root[j]), *at[j].tolist()): int(j) for j in order}
    rows = [(int(i), where.get((int(root[i]), *(at[i] + shift).tolist()), -1)) for i in order]
    return np.array([row for row in rows if row[1] >= 0], np.int64).reshape(-1, 2)
