"""Safe steps of many worlds: of one mesh at other positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays
from .._native.by_name import options_by_name
from .._native.call import Call, unbounded
from .._native.records import Records
from .._native.steps import LONG, mesh_of
from ..errors import ArgumentError
from ..impact import impact_dtype
from ..mesh import Mesh

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


class AdvancedWorlds(NamedTuple):
    """A step of each world, and the positions that it leads to.

    Attributes
    ----------
    alpha : numpy.ndarray
        Fraction of the step of each world, (k,) float64; where it is 0, positions are those of x0, bit for bit.
    x : numpy.ndarray
        Positions, (k, n, 3) float64: ``x[i]`` is what `advance` returns for world i.
    impacts : numpy.ndarray
        Impacts (k,) of `ccd.impact_dtype`: what ended the step of each world, as of `earliest_batch`.
    """

    alpha: NDArray[np.float64]
    x: NDArray[np.float64]
    impacts: NDArray[np.void]


@options_by_name
def advance_batch(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, share: float = 1.0, **options: Unpack[Options]) -> AdvancedWorlds:
    """Advance each of several worlds as far as is safe for it: of one mesh at other positions.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (k, n, 3) for k worlds, n = vertices of the mesh.
    x1 : array_like
        Vertices at t = 1, (k, n, 3).
    share : float, default 1.0
        The part of the step of `size` to take, in (0, 1].
    **options : Options
        Keywords of `ccd.Options`, as in `earliest_batch`, without ``region``. ``stats`` add up all searches of all worlds; a
        ``device`` computes the search for impacts, the proofs are the processor's.

    Returns
    -------
    AdvancedWorlds
        Steps, positions and impacts. If a world's alpha is positive, it is proven that all its pairs keep more than
        ``min_separation`` on the straight motion from x0 to x, for just these doubles. Alpha and positions of a world have the
        bits of `advance` for it.

    Raises
    ------
    ArgumentError
        ``share`` is out of range.
    UnsupportedError
        A ``region`` is given, or an option that `earliest_batch` does not take.
    Error
        As `earliest_batch`; the message names the world.

    See Also
    --------
    advance : The same for one world.

    Notes
    -----
    Each world is searched for its impact, and once more for the proof if it does not go all the way; the few worlds that
    rounding brings too near are tried again, with a step shorter by some ulps.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> worlds = np.stack([x0] * 2)
    >>> falls = worlds - np.array([0.5, 2])[:, None, None] * np.outer([0, 0, 0, 1], [0, 0, 1])
    >>> found = ccd.step.advance_batch(mesh, worlds, falls, min_separation=0.25)
    >>> found.alpha.round(6).tolist(), found.x[:, 3, 2].round(6).tolist()
    ([1.0, 0.375], [0.5, 0.25])
    """
    handle, n = mesh_of(mesh), mesh._vertices
    start, end = arrays.worlds("x0", x0, n), arrays.worlds("x1", x1, n)
    count = len(start)
    if len(end) != count:
        raise ArgumentError(f"x0 has {count} worlds, x1 has {len(end)}: the numbers must be equal")
    part = arrays.number("share", share)
    call = Call(options, long=count * n >= LONG or unbounded(options))
    alpha, x, hits = np.empty(count), np.empty((count, n, 3)), np.zeros(count, impact_dtype)
    given = (handle, start.ctypes, end.ctypes, n, count, part, call.options, alpha.ctypes, x.ctypes, hits.ctypes)
    call(abi.library().ccd_step_advance_batch, *given)
    return AdvancedWorlds(alpha, x, hits.view(Records))
