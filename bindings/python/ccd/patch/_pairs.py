"""Impacts of two patches, and of two bodies."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import abi, arrays, results
from .._native.by_name import options_by_name
from .._native.call import Arguments, Call, renaming
from ..errors import ArgumentError
from ._body import Body, to_arguments
from ._form import Form, to_form, to_weights
from ._impact import Impact, impact_dtype

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options

_FRAMES = (r"^body ([ab]): x([01])", r"\1\2")  # the frames of both bodies are x0 and x1 in C


@options_by_name
def pair(
    form_a: Form, a0: ArrayLike, a1: ArrayLike, form_b: Form, b0: ArrayLike, b1: ArrayLike,
    weights_a: ArrayLike | None = None, weights_b: ArrayLike | None = None, **options: Unpack[Options],
) -> Impact:  # fmt: skip
    """Compute the earliest impact of two Bezier patches.

    Parameters
    ----------
    form_a : Form
        Shape and degrees of the first patch.
    a0 : array_like
        Its control points at t = 0, (n, 3) in the order of the form.
    a1 : array_like
        Its control points at t = 1, (n, 3).
    form_b : Form
        Shape and degrees of the second patch.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    weights_a : array_like, optional
        Positive weights, (n,), the largest at most 2**100 times the least; None: all equal.
    weights_b : array_like, optional
        Weights of the second patch, (m,).
    **options : Options
        Keywords of `ccd.Options`, such as ``min_separation``, ``tolerance``, ``max_iterations``, ``t_max``,
        ``method``, ``memory_limit``.

    Returns
    -------
    Impact
        The verdict SEPARATE is a proof that the patches keep more than ``min_separation`` for t <= ``t_max``;
        otherwise they do for t <= ``toi_lo``, unless it is 0.

    Raises
    ------
    ArgumentError
        An array has another shape than its form needs, or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150.
    UnsupportedError
        The call does not support an option, or a combination of options.
    Cancelled
        The progress callback cancelled the call.
    ForkedError
        This process is a fork of one that had loaded the library.

    Examples
    --------
    Two flat squares approach each other at speed 2 from distance 1.

    >>> import numpy as np, ccd
    >>> form = ccd.patch.Form.quad(1, 1)
    >>> a = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> hit = ccd.patch.pair(form, a, a, form, a + [0, 0, 1], a - [0, 0, 1])
    >>> hit.contact, 0.49 < hit.toi_lo <= 0.5
    (True, True)
    """
    call = Call(options, long=False)
    sides: list[Any] = []
    for name, form, x0, x1, w in (("a", form_a, a0, a1, weights_a), ("b", form_b, b0, b1, weights_b)):
        shape = to_form(f"form_{name}", form)
        start, end = arrays.coordinates(f"{name}0", x0), arrays.coordinates(f"{name}1", x1)
        points = Form(shape.shape, shape.u, shape.v).points
        for which, frame in ((f"{name}0", start), (f"{name}1", end)):
            if len(frame) != points:
                raise ArgumentError(f"{which} has {len(frame)} control points: the form needs {points}")
        weights = to_weights(w, points, f"weights_{name}")
        sides += [ctypes.byref(shape), start.ctypes, end.ctypes, None if weights is None else weights.ctypes]
    out = np.zeros(1, impact_dtype)
    with renaming((r"^([ab]): x([01])", r"\1\2"), (r"^([ab]): weights", r"weights_\1")):
        call(abi.library().ccd_patch_pair, *sides, call.options, out.ctypes)
    return Impact.from_record(out[0])


@options_by_name
def earliest(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, **options: Unpack[Options]
) -> Impact:
    """Compute the earliest impact between two bodies: between a patch of `a` and one of `b`.

    Parameters
    ----------
    a : Body
        The first body.
    a0 : array_like
        Its control points at t = 0, (n, 3).
    a1 : array_like
        Its control points at t = 1, (n, 3).
    b : Body
        The second body; may be the same as `a`.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``.

    Returns
    -------
    Impact
        The verdict SEPARATE is a proof for all pairs; otherwise all keep more than ``min_separation`` for
        t <= ``toi_lo``, unless it is 0.

    Raises
    ------
    HandleError
        A body was closed.
    Error
        As `pair`.

    See Also
    --------
    self_earliest : The earliest impact of a body with itself.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> ccd.patch.earliest(body, x, x, body, x + [0, 0, 1], x + [0, 0, 0.5]).separate
    True
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    out = np.zeros(1, impact_dtype)
    with renaming(_FRAMES):
        call(abi.library().ccd_patch_earliest, *step, call.options, out.ctypes)
    return Impact.from_record(out[0])


@options_by_name
def collisions(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, **options: Unpack[Options]
) -> NDArray[np.void]:
    """List the impact of every pair of patches of two bodies that is not separate.

    Parameters
    ----------
    a : Body
        The first body.
    a0 : array_like
        Its control points at t = 0, (n, 3).
    a1 : array_like
        Its control points at t = 1, (n, 3).
    b : Body
        The second body.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``.

    Returns
    -------
    numpy.ndarray
        Impacts (n,) of `impact_dtype`, sorted by (toi_lo, a, b).

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> len(ccd.patch.collisions(body, x, x, body, x + [0, 0, 1], x - [0, 0, 1]))
    1
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    arguments = (*step, call.options)
    with renaming(_FRAMES):
        return results.listed("patch_impacts", impact_dtype, call, abi.library().ccd_patch_collisions, arguments)


@options_by_name
def manifold(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, t_window: float, min_distance: float,
    **options: Unpack[Options],
) -> NDArray[np.void]:  # fmt: skip
    """Sample where two bodies first come into contact.

    Parameters
    ----------
    a : Body
        The first body.
    a0 : array_like
        Its control points at t = 0, (n, 3).
    a1 : array_like
        Its control points at t = 1, (n, 3).
    b : Body
        The second body.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    t_window : float
        Fraction of the step in [0, 1]: impacts that begin at most this much after the earliest count too.
    min_distance : float
        Positive length: points of the sample are at least this far from each other.
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``.

    Returns
    -------
    numpy.ndarray
        Impacts (n,) of `impact_dtype`. The earliest comes first, and alone if it is undecided; empty if the
        bodies stay separate.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    Paper: [Chen2024], section 5.3.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> found = ccd.patch.manifold(body, x, x, body, x + [0, 0, 1], x - [0, 0, 1], 1e-3, 0.5)
    >>> len(found) > 1  # the squares touch all over
    True
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    arguments = (*step, arrays.number("t_window", t_window), arrays.number("min_distance", min_distance), call.options)
    with renaming(_FRAMES):
        return results.listed("patch_impacts", impact_dtype, call, abi.library().ccd_patch_manifold, arguments)


def _prepare(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, options: Options
) -> tuple[Call, Arguments]:
    step: list[Any] = []
    for name, body, x0, x1 in (("a", a, a0, a1), ("b", b, b0, b1)):
        step += to_arguments(name, name, body, x0, x1)
    return Call(options, long=True), tuple(step)
