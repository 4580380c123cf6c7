"""How far closed surfaces are in each other: the volume that two solids have in common, and how deep points are in a solid.

Volumes are brackets that are proven to hold. Surfaces must be closed, as for `ccd.proximity.winding`: vertices at equal
positions are one. `ccd.rigid.overlap` and `ccd.rigid.depths` do the same for rigid bodies at poses. Of the keywords of
`ccd.Options`, ``threads``, ``progress`` and ``stats`` have an effect, and ``tolerance`` where it is named. Results have the
same bits for any number of threads. Ctrl-C stops a call promptly.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays
from ._native.by_name import options_by_name
from ._native.call import Call
from ._native.records import Records
from ._native.steps import mesh_of, prepare_configuration
from .depth import UNFINISHED, Depth, Overlap, Shells, depth_dtype, overlap_dtype
from .errors import ArgumentError, no_mesh
from .impact import ON_SURFACE
from .mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = [
    "ON_SURFACE",
    "UNFINISHED",
    "Depth",
    "Overlap",
    "Shells",
    "depth_dtype",
    "depths",
    "overlap_dtype",
    "solid",
    "volume",
]


@options_by_name
def solid(mesh: Mesh, x: ArrayLike, **options: Unpack[Options]) -> tuple[float, float]:
    """Compute the volume that the faces of a mesh enclose, as a bracket.

    It is the integral of the winding number: parts that overlap count twice, and what is wound inwards is negative.

    Parameters
    ----------
    mesh : Mesh
        The mesh. Its faces must be closed; its filters have no effect.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    **options : Options
        Keywords of `ccd.Options`: ``threads`` and ``stats``.

    Returns
    -------
    tuple of float
        The volume is at least the first number and at most the second one. They differ by 1e-15 of it, or 1e-20 of the volume
        of the box around the mesh.

    Raises
    ------
    ArgumentError
        The faces are not closed, an array has another shape, or an option is out of range. The message names a face and an
        edge.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150.
    HandleError
        The mesh was closed.
    UnsupportedError
        The call does not use an option.
    ForkedError
        This process is a fork of one that had loaded the library.

    See Also
    --------
    volume : What two solids have in common.

    Examples
    --------
    >>> import ccd
    >>> mesh = ccd.Mesh(faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> lo, hi = ccd.overlap.solid(mesh, [[0, 0, 0], [6, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> lo <= 1 <= hi < 1 + 1e-14
    True
    """
    call, frame = prepare_configuration(mesh, x, options)
    lo, hi = ctypes.c_double(), ctypes.c_double()
    call(abi.library().ccd_overlap_solid, *frame, call.options, ctypes.byref(lo), ctypes.byref(hi))
    return lo.value, hi.value


@options_by_name
def volume(
    mesh_a: Mesh,
    xa: ArrayLike,
    mesh_b: Mesh,
    xb: ArrayLike,
    shells: Shells | int | str = Shells.REFUSE,
    **options: Unpack[Options],
) -> Overlap:
    """Compute the volume that the solids of two meshes have in common, as a bracket that is proven to hold.

    Solids that touch, have faces in common or are equal are as good as others. The bracket is [0, 0] where the solids have no
    common point, or touch and a plane of a face separates them, or few faces are near.

    Parameters
    ----------
    mesh_a : Mesh
        A mesh. Its faces must be closed; its filters have no effect.
    xa : array_like
        Its vertices, (n, 3).
    mesh_b : Mesh
        Another one; may be the same.
    xb : array_like
        Its vertices, (m, 3).
    shells : Shells, default REFUSE
        What becomes of surfaces with winding numbers other than 0 and 1 in the common box of both.
    **options : Options
        Keywords of `ccd.Options`: ``tolerance``, the relative width of the bracket, from 1e-14 to 1 (default None: 1e-6),
        ``threads``, ``progress`` and ``stats``.

    Returns
    -------
    Overlap
        The common volume, that of both solids, and how they lie to each other.

    Raises
    ------
    ArgumentError
        Faces are not closed, parts of a surface overlap or are wound inwards, an array has another shape, or an option is out
        of range. The message says which.
    Error
        Otherwise as `solid`.

    See Also
    --------
    ccd.rigid.overlap : Rigid bodies at poses.

    Notes
    -----
    A bracket is wider than the tolerance, with `UNFINISHED`, only of solids that touch along thousands of faces, overlap by
    less than some 1e-22 of their common box, or have a volume in common that is outside of the range of doubles.

    Examples
    --------
    >>> import ccd
    >>> mesh = ccd.Mesh(faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> x = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> half = ccd.overlap.volume(mesh, x, mesh, [[0.5, 0, 0], [1.5, 0, 0], [0.5, 1, 0], [0.5, 0, 1]])
    >>> round(48 * half.volume, 6), half.unfinished
    (1.0, False)
    >>> print(ccd.overlap.volume(mesh, x, mesh, [[1, 0, 0], [2, 0, 0], [1, 1, 0], [1, 0, 1]]))  # one point in common
    common volume 0
    """
    for name, mesh in (("mesh_a", mesh_a), ("mesh_b", mesh_b)):
        if not isinstance(mesh, Mesh):
            raise no_mesh(name, mesh)
    first, second = mesh_of(mesh_a), mesh_of(mesh_b)
    frames = []
    for name, mesh, x in (("xa", mesh_a, xa), ("xb", mesh_b, xb)):
        frame = arrays.coordinates(name, x)
        if len(frame) != mesh._vertices:
            raise ArgumentError(f"{name} has {len(frame)} vertices: the mesh has {mesh._vertices}")
        frames.append(frame)
    call, out = Call(options, long=True), abi.Overlap()
    call(
        abi.library().ccd_overlap_volume, first, arrays.pointer(frames[0]), len(frames[0]), second, arrays.pointer(frames[1]),
        len(frames[1]), Shells.of("shells", shells), call.options, ctypes.byref(out),
    )  # fmt: skip
    return Overlap(*(getattr(out, name) for name, *_ in out._fields_))


@options_by_name
def depths(mesh: Mesh, x: ArrayLike, points: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
    """Compute where points lie to the faces of a mesh: how deep in their solid, and by which way out.

    Parameters
    ----------
    mesh : Mesh
        The mesh. Its faces must be closed, and at least one; its filters have no effect.
    x : array_like
        Vertices, (n, 3), n = vertices of the mesh.
    points : array_like
        Points, (k, 3): the vertices of another mesh, say.
    **options : Options
        Keywords of `ccd.Options`: ``threads``, ``progress`` and ``stats``.

    Returns
    -------
    numpy.ndarray
        Depths (k,) of `depth_dtype`. A point is inside where ``winding`` is neither 0 nor `ON_SURFACE`: then its depth is the
        distance, and ``-normal`` the shortest way out. Both that and whether the distance is 0 are exact.

    Raises
    ------
    Error
        As `solid`.

    See Also
    --------
    ccd.rigid.depths : Points and a body at a pose, whose tree is kept.
    ccd.proximity.winding : Winding numbers alone.

    Notes
    -----
    Where ``state`` is DEFINED the distance has derivatives: ``normal`` by the point, and ``-w normal`` by a corner of the face
    with the weight w, one of 1 - u - v, u and v.

    Examples
    --------
    >>> import ccd
    >>> mesh = ccd.Mesh(faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> found = ccd.overlap.depths(mesh, [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], [[1, 1, 0.25], [1, 1, -2], [1, 1, 0]])
    >>> [(item.inside, round(item.distance_hi, 9)) for item in found]
    [(True, 0.25), (False, 2.0), (False, 0.0)]
    """
    call, frame = prepare_configuration(mesh, x, options)
    p = arrays.coordinates("points", points)
    out = np.empty(len(p), depth_dtype)
    call(abi.library().ccd_overlap_depths, *frame, p.ctypes, len(p), call.options, out.ctypes)
    return out.view(Records)
