"""Some primitives of a mesh, which `Mesh.group_of` makes and `Step.between` takes."""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike


class Group(NamedTuple):
    """Some primitives of a mesh, by their numbers: an object, or the part of one that is to be tested, for `ccd.Step.between`.

    `ccd.Mesh.group_of` makes one of vertices.

    Attributes
    ----------
    vertices : array_like
        Numbers of vertices, (k,).
    edges : array_like
        Numbers of edges, rows of ``mesh.edges``.
    faces : array_like
        Numbers of faces, rows of ``mesh.faces``.

    Examples
    --------
    >>> import ccd
    >>> tip = ccd.Group(vertices=[7])
    >>> tip.vertices, tip.faces
    ([7], ())
    """

    vertices: ArrayLike = ()
    edges: ArrayLike = ()
    faces: ArrayLike = ()
