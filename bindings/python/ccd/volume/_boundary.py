"""The surface of a volume's elements: the sides that one element alone has."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import arrays
from .._native.call import renaming
from ..errors import ArgumentError, shown
from ..files import Surface
from ._cells import Cells
from ._element import Element
from ._outward import signs
from ._volume import Volume

# The sides of each element, in VTK's order of corners; a side of three corners repeats the last.
SIDES = {
    Element.TRIANGLE: [(0, 1, 2, 2)],
    Element.QUADRILATERAL: [(0, 1, 2, 3)],
    Element.TETRAHEDRON: [(0, 2, 1, 1), (0, 1, 3, 3), (1, 2, 3, 3), (0, 3, 2, 2)],
    Element.HEXAHEDRON: [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    Element.PRISM: [(0, 1, 2, 2), (3, 5, 4, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)],
    Element.PYRAMID: [(0, 3, 2, 1), (0, 1, 4, 4), (1, 2, 4, 4), (2, 3, 4, 4), (3, 0, 4, 4)],
}


def starts(cells: Cells) -> NDArray[np.int64]:
    """Where the corners of each element begin."""
    table = np.zeros(max(SIDES) + 1, int)
    table[list(SIDES)] = [kind.corners for kind in SIDES]
    return np.concatenate([[0], np.cumsum(table[cells.elements])])


def by_element(cells: Cells) -> list[tuple[Element, NDArray[np.int32]]]:
    """The corners of all elements of each type, (n, k)."""
    start = starts(cells)
    found = []
    for kind in SIDES:
        at = start[:-1][cells.elements == kind]
        if len(at):
            found.append((kind, cells.corners[at[:, None] + np.arange(kind.corners)]))
    return found


def _sides(cells: Cells) -> NDArray[np.int32]:
    """The sides of all elements; those of solids go around outward."""
    found = [np.empty((0, 4), np.int32)]
    found += [corners[:, SIDES[kind]].reshape(-1, 4) for kind, corners in by_element(cells) if len(SIDES[kind]) == 1]
    solids = [(SIDES[kind], corners) for kind, corners in by_element(cells) if len(SIDES[kind]) > 1]
    for (sides, corners), sign in zip(solids, signs(cells.vertices, solids)):
        loops, inward = corners[:, sides], sign < 0
        loops[inward] = turned(loops[inward].reshape(-1, 4)).reshape(-1, len(sides), 4)
        found.append(loops.reshape(-1, 4))
    return np.vstack(found)


def turned(loops: NDArray[np.int32]) -> NDArray[np.int32]:
    """Sides that go around in the other direction, from the same corner."""
    three = loops[:, 2:3] == loops[:, 3:4]
    return np.where(three, loops[:, [0, 2, 1, 1]], loops[:, [0, 3, 2, 1]])


def surface(cells: Cells, mesh: Volume) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The triangles of the sides that one element alone has, and the edges of these sides, without their diagonals."""
    sides = _sides(cells)
    key = np.sort(np.where(np.arange(4) < 3 + (sides[:, 2:3] != sides[:, 3:4]), sides, -1), axis=1)
    _, first, count = np.unique(key, axis=0, return_index=True, return_counts=True)
    kept = sides[np.sort(first[count == 1])]
    shells = [corners[:, SIDES[kind]].reshape(-1, 4) for kind, corners in by_element(cells) if len(SIDES[kind]) == 1]
    if shells:  # a shell is surface, also where it lies on an element's side or on another shell
        kept = np.unique(np.vstack([kept, *shells]), axis=0)
    three = kept[:, 2] == kept[:, 3]
    quads, parts = kept[~three], _triangles(mesh)
    crossed = _known(parts, quads[:, [0, 1, 2]]) | _known(parts, quads[:, [0, 2, 3]])  # the volume's diagonal is 0 2
    faces = [
        kept[three][:, :3],
        *(
            q[:, at]
            for q, pair in ((quads[crossed], ([0, 1, 2], [0, 2, 3])), (quads[~crossed], ([0, 1, 3], [1, 2, 3])))
            for at in pair
        ),
    ]
    around = np.sort(kept[:, [0, 1, 1, 2, 2, 3, 3, 0]].reshape(-1, 2), axis=1)
    return np.vstack(faces), np.unique(around[around[:, 0] != around[:, 1]], axis=0)


def _triangles(mesh: Volume) -> NDArray[np.void]:
    return np.unique(_rows(np.sort(mesh.faces, axis=1)))


def _known(parts: NDArray[np.void], triangles: NDArray[np.int32]) -> NDArray[np.bool_]:
    return np.isin(_rows(np.sort(triangles, axis=1)), parts)


def _rows(triangles: NDArray[np.int32]) -> NDArray[np.void]:
    """Rows as single items, to be compared as such."""
    packed = np.ascontiguousarray(triangles, np.int32)
    return packed.view([("", np.int32)] * 3).reshape(-1)


def _of_arrays(vertices: ArrayLike, tetrahedra: ArrayLike) -> Cells:
    """The elements of an array of tetrahedra."""
    corners = arrays._whole("tetrahedra", tetrahedra)
    if corners.ndim != 2 or corners.shape[1] != 4:
        others = "of other elements make ccd.volume.Cells(vertices, types, corners)"
        raise ArgumentError(f"tetrahedra has shape {corners.shape}: must be (m, 4); {others}")
    x = arrays.finite("vertices", arrays.coordinates("vertices", vertices))
    cells = Cells(x, np.full(len(corners), Element.TETRAHEDRON, np.int32), arrays.ids("tetrahedra", corners.reshape(-1)))
    with renaming((r"\belements\b", "tetrahedra")):
        cells.volume()
    return cells


def boundary(cells: Cells | ArrayLike, tetrahedra: ArrayLike | None = None) -> Surface:
    """Return the surface of elements: the sides that one element alone has, as triangles.

    Triangles go around outward, by the exact sign of the volume of each element at `cells.vertices`: meshes may mix elements of
    both orientations. An element without volume goes by its neighbors. Shells stay as they are. Where only contact between
    surfaces matters, a step of this surface is faster than one of the volume.

    Parameters
    ----------
    cells : Cells or array_like
        Elements, of a file or of arrays; or the vertices of `tetrahedra`, (n, 3).
    tetrahedra : array_like, optional
        The corners of tetrahedra, (m, 4) integers below n.

    Returns
    -------
    Surface
        All vertices of `cells` with their numbers, so that positions of the volume serve both; the triangles of the sides;
        vertices inside are ``unused`` and in no pair. Shells belong to it too.

    Raises
    ------
    ArgumentError
        `cells` is no `Cells`, `tetrahedra` has another shape, or no volume can be made of them.
    InvalidIndexError
        A corner is out of range; the message names the element.

    See Also
    --------
    ccd.Mesh : The mesh of a surface.

    Examples
    --------
    Of two tetrahedra with a common side six triangles are left:

    >>> import numpy as np, ccd
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1.0]])
    >>> surface = ccd.volume.boundary(x, [[0, 1, 2, 3], [0, 2, 1, 4]])
    >>> len(surface.faces), surface.mesh().counts
    (6, (5, 9, 6))
    """
    if isinstance(cells, Cells):
        if tetrahedra is not None:
            raise ArgumentError(f"tetrahedra is {shown(tetrahedra)}: leave it out, cells has its own elements")
    elif tetrahedra is not None:
        cells = _of_arrays(cells, tetrahedra)
    else:
        hint = "as ccd.volume.read(path) returns; of arrays: boundary(vertices, tetrahedra), or Cells(vertices, types, corners)"
        raise ArgumentError(f"cells is {shown(cells)}: must be a ccd.volume.Cells, {hint}")
    faces, _ = surface(cells, cells.volume())
    used = np.zeros(len(cells.vertices), bool)
    used[faces] = True
    unused = np.flatnonzero(~used).astype(np.int32)
    edges = np.empty((0, 2), np.int32)
    return Surface(cells.vertices, edges, faces, unused, cells.left_out, cells.fields, cells.notes, cells.places)
