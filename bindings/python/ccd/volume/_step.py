"""Impacts of a step of a volume."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, results
from .._native.by_name import options_by_name
from .._native.call import check
from .._native.steps import prepare_on
from ..errors import ArgumentError
from ._impact import Impact, PairClass, impact_dtype
from ._volume import Volume, handle_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options

_SURFACE = 16  # CCD_VOLUME_SURFACE


@options_by_name
def earliest(
    volume: Volume,
    x0: ArrayLike,
    x1: ArrayLike,
    pair_classes: Iterable[PairClass | str | int] = (),
    surface: bool = False,
    **options: Unpack[Options],
) -> Impact:
    """Compute the earliest impact of a step.

    Parameters
    ----------
    volume : Volume
        The volume.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).
    pair_classes : iterable of PairClass or str or int, default ()
        Test only pairs of these classes; if empty, of all but AT_SPLIT.
    surface : bool, default False
        Test only features of the surface.
    **options : Options
        Keywords of `ccd.Options`, such as ``min_separation``, ``norm``, ``t_max``, ``threads``. The method
        ``"volccd"`` [Tang2011] finds the same impacts by another search, slower and independently.

    Returns
    -------
    Impact
        The impact with the least ``toi_lo``, of equal ones the first in the order of kind and vertices. The
        verdict SEPARATE is a proof: no selected pair comes within ``min_separation`` for t <= ``t_max``.
        Otherwise none does so for t < ``toi_lo``.

    Raises
    ------
    ArgumentError
        An argument has another shape or type, or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150.
    HandleError
        `volume` was closed.
    UnsupportedError
        The call does not support an option, or a combination of options.
    OutOfMemoryError
        ``memory_limit`` is too small.
    Cancelled
        The progress callback cancelled the call.
    ForkedError
        This process is a fork of one that had loaded the library.

    Examples
    --------
    The apex of a tetrahedron passes through its base.

    >>> import numpy as np, ccd
    >>> volume = ccd.volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2]]
    >>> hit = ccd.volume.earliest(volume, x0, x1)
    >>> hit.impact.toi_lo, hit.vertices, str(hit.pair_class)
    (0.5, (3, 0, 1, 2), 'within-element')
    """
    call, step = prepare_on(handle_of(volume), x0, x1, options)
    out, selection = np.zeros(1, impact_dtype), _selection(pair_classes, surface)
    call(abi.library().ccd_volume_earliest, *step, selection, call.options, out.ctypes)
    return Impact.from_record(out[0])


@options_by_name
def collisions(
    volume: Volume,
    x0: ArrayLike,
    x1: ArrayLike,
    pair_classes: Iterable[PairClass | str | int] = (),
    surface: bool = False,
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """List every impact of a step.

    Parameters
    ----------
    volume : Volume
        The volume.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).
    pair_classes : iterable of PairClass or str or int, default ()
        Test only pairs of these classes; if empty, of all but AT_SPLIT.
    surface : bool, default False
        Test only features of the surface.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    numpy.ndarray
        Impacts (n,) of `impact_dtype` in the order of time, kind and vertices.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> volume = ccd.volume.Volume(4, "tetrahedron", [[0, 1, 2, 3]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    >>> x1 = x0 - [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2]]
    >>> len(ccd.volume.collisions(volume, x0, x1, "between-objects"))
    0
    """
    call, step = prepare_on(handle_of(volume), x0, x1, options)
    arguments = (*step, _selection(pair_classes, surface), call.options)
    return results.listed("volume_impacts", impact_dtype, call, abi.library().ccd_volume_collisions, arguments)


def backtrack(x0: ArrayLike, x1: ArrayLike, velocity: ArrayLike, duration: float, vertices: ArrayLike) -> NDArray[np.float64]:
    """Compute start positions of vertices that were created during a step.

    The listed rows become ``x1 - duration * velocity`` ([Tang2011], section 6.3).

    Parameters
    ----------
    x0 : array_like
        Vertices at the start of the step, (n, 3); not changed.
    x1 : array_like
        Vertices at its end, (n, 3).
    velocity : array_like
        Mean velocity of each vertex over the step, (n, 3).
    duration : float
        Duration of the step, in the unit of time of `velocity`.
    vertices : array_like
        Indices of the new vertices, (k,) integers.

    Returns
    -------
    numpy.ndarray
        A copy of `x0`, (n, 3) float64, with new values in the listed rows.

    Raises
    ------
    ArgumentError
        The arrays have different lengths.
    InvalidIndexError
        A vertex is out of range.
    NonFiniteError
        `duration`, or a listed row of `x1` or `velocity`, is not finite.

    Examples
    --------
    >>> import ccd
    >>> ccd.volume.backtrack([[0, 0, 0]], [[1, 0, 0]], [[4, 0, 0]], 0.5, [0])
    array([[-1.,  0.,  0.]])
    """
    start: NDArray[np.float64] = arrays.coordinates("x0", x0).copy()
    end, speed = arrays.coordinates("x1", x1), arrays.coordinates("velocity", velocity)
    listed = arrays.ids("vertices", vertices)
    if not len(start) == len(end) == len(speed):
        raise ArgumentError(f"x0, x1 and velocity have {len(start)}, {len(end)} and {len(speed)} rows: must be equal")
    time = arrays.number("duration", duration)
    function = abi.library().ccd_volume_backtrack
    check(function(start.ctypes, end.ctypes, speed.ctypes, len(start), time, listed.ctypes, len(listed)))
    return start


def _selection(pair_classes: Iterable[PairClass | str | int], surface: bool) -> int:
    try:
        chosen = [pair_classes] if isinstance(pair_classes, (str, int)) else list(pair_classes)
    except TypeError:
        raise ArgumentError(f"pair_classes is {type(pair_classes).__name__}: must be a class or some of them") from None
    total = _SURFACE if arrays.flag("surface", surface) else 0
    for one in chosen:
        total |= PairClass.of("pair_classes", one)
    return total
