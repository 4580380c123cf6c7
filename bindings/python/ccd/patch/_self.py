"""Impacts of a body with itself."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, results
from .._native.by_name import options_by_name
from .._native.call import Arguments, Call
from ._body import Body, to_arguments
from ._impact import Impact, impact_dtype

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


class Unresolved(NamedTuple):
    """Pairs of parts that a call on a body against itself could not decide.

    These are pairs of adjacent parts, no wider than the neighbourhood, that could not be proven to touch only
    where they always do, as at a fold.

    Attributes
    ----------
    pairs : int
        Number of pairs.
    t_from : float
        They are proven for t < ``t_from``; inf if there are none. Where it lies before the ``toi_lo`` of an impact, it is the
        safe time of the whole body: from it on parts within the neighbourhood may touch or fold, which is not tested as a
        contact. A narrower neighbourhood usually decides them.
    """

    pairs: int
    t_from: float


@options_by_name
def self_earliest(
    body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float = 0, **options: Unpack[Options]
) -> tuple[Impact, Unresolved]:
    """Compute the earliest impact of a body with itself, between two patches or within one.

    Patches with equal control points along an edge or at a corner always touch there: that is no contact.
    Points that both lie within `neighbourhood`, in every parameter, of a common point (of one patch: of any
    point) may be tested without ``min_separation``, and are unresolved where that cannot be decided.

    Parameters
    ----------
    body : Body
        The body.
    x0 : array_like
        Its control points at t = 0, (n, 3).
    x1 : array_like
        Its control points at t = 1, (n, 3).
    neighbourhood : float, default 0
        Width in parameters, 2**-20 to 1/2, rounded down to a power of two; 0 stands for 1/64. Choose it wider
        than ``min_separation`` over the size of a patch.
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``. Only the default method.

    Returns
    -------
    impact : Impact
        The earliest impact, a <= b. The verdict SEPARATE is a proof for all pairs of points but the unresolved.
    unresolved : Unresolved
        What could not be decided. The proof has no gap if ``pairs`` is 0 or ``t_from >= toi_lo``.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    ``ccd_patch_self_earliest`` in ccd.h states the guarantee in full.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> hit, unresolved = ccd.patch.self_earliest(body, x, x + [0, 0, 1])
    >>> hit.separate, unresolved.pairs
    (True, 0)
    """
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    out, unresolved = np.zeros(1, impact_dtype), abi.PatchUnresolved()
    call(abi.library().ccd_patch_self_earliest, *step, call.options, out.ctypes, ctypes.byref(unresolved))
    return Impact.from_record(out[0]), _unresolved(unresolved)


@options_by_name
def self_collisions(
    body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float = 0, **options: Unpack[Options]
) -> tuple[NDArray[np.void], Unresolved]:
    """List the impact of every pair of patches of a body, a <= b, that is not separate.

    Parameters
    ----------
    body : Body
        The body.
    x0 : array_like
        Its control points at t = 0, (n, 3).
    x1 : array_like
        Its control points at t = 1, (n, 3).
    neighbourhood : float, default 0
        Width in parameters, as in `self_earliest`.
    **options : Options
        Keywords of `ccd.Options`, as in `self_earliest`.

    Returns
    -------
    impacts : numpy.ndarray
        Impacts (n,) of `impact_dtype`, sorted by (toi_lo, a, b).
    unresolved : Unresolved
        What could not be decided.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> impacts, unresolved = ccd.patch.self_collisions(body, x, x + [0, 0, 1])
    >>> len(impacts)
    0
    """
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    return _listed(abi.library().ccd_patch_self_collisions, call, *step, call.options)


@options_by_name
def self_manifold(
    body: Body,
    x0: ArrayLike,
    x1: ArrayLike,
    t_window: float,
    min_distance: float,
    neighbourhood: float = 0,
    **options: Unpack[Options],
) -> tuple[NDArray[np.void], Unresolved]:
    """Sample where a body first comes into contact with itself.

    Parameters
    ----------
    body : Body
        The body.
    x0 : array_like
        Its control points at t = 0, (n, 3).
    x1 : array_like
        Its control points at t = 1, (n, 3).
    t_window : float
        Fraction of the step in [0, 1], as in `manifold`.
    min_distance : float
        Positive length, as in `manifold`.
    neighbourhood : float, default 0
        Width in parameters, as in `self_earliest`.
    **options : Options
        Keywords of `ccd.Options`, as in `self_earliest`.

    Returns
    -------
    impacts : numpy.ndarray
        Impacts (n,) of `impact_dtype`, the earliest first.
    unresolved : Unresolved
        What could not be decided.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> impacts, unresolved = ccd.patch.self_manifold(body, x, x + [0, 0, 1], 1e-3, 0.5)
    >>> len(impacts)
    0
    """
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    sample = arrays.number("t_window", t_window), arrays.number("min_distance", min_distance)
    arguments = (*step[:-1], *sample, step[-1], call.options)
    return _listed(abi.library().ccd_patch_self_manifold, call, *arguments)


def _listed(function: Any, call: Call, *arguments: Any) -> tuple[NDArray[np.void], Unresolved]:
    unresolved = abi.PatchUnresolved()

    def with_unresolved(*given: Any) -> int:
        status: int = function(*given, ctypes.byref(unresolved))
        return status

    return results.listed("patch_impacts", impact_dtype, call, with_unresolved, arguments), _unresolved(unresolved)


def _unresolved(found: abi.PatchUnresolved) -> Unresolved:
    return Unresolved(found.pairs, found.t_from)


def _on_itself(body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float, options: Options) -> tuple[Call, Arguments]:
    width = arrays.number("neighbourhood", neighbourhood)
    return Call(options, long=True), (*to_arguments("body", "x", body, x0, x1), width)
