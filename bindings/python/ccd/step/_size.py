"""How far a step may go: for the whole mesh, with positions, for each vertex, and for a line search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from .._native import abi, results
from .._native.by_name import options_by_name
from .._native.steps import prepare
from ..mesh import Mesh
from ..motion import Motion
from ._find import earliest
from ._results import Advanced, LinesearchBound, Sizes
from ._value import Step

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


@options_by_name
def size(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> float:
    """Compute a safe step: a fraction of the step before any pair comes within ``min_separation``.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    float
        A number alpha in [0, t_max]: for every t in [0, alpha] all pairs keep more than ``min_separation``. It is t_max
        if no pair comes too near, else the double below the ``toi_lo`` of `earliest`. With the exact method it is 0 only
        if a pair is too near at t = 0, or comes too near before t = 2**-1073 (about 1e-323), or, with
        ``check_start=True``, if an edge passes through a face at x0. With other methods it may also be 0 if a pair is
        within the tolerance at t = 0 or if ``max_iterations`` is reached, unless ``no_zero_toi`` is set.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    advance : The positions that a safe step leads to.
    linesearch : A bound that leaves room for the next step.

    Notes
    -----
    This holds for the motion in real arithmetic. Positions x0 + alpha * (x1 - x0) that you compute are rounded, and a
    pair may touch there: to move, use `advance`, which returns positions that are proven.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> ccd.step.size(mesh, x0, x1, min_separation=0.5)
    0.24999999999999997
    """
    if isinstance(x0, Motion):
        return Step(mesh, x0, x1).size(**options)
    call, step = prepare(mesh, x0, x1, options)
    return results.alpha(call, abi.library().ccd_step_size, *step, call.options)


@options_by_name
def advance(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, share: float = 1.0, **options: Unpack[Options]
) -> Advanced:
    """Advance as far as is safe: compute a step and the positions that it leads to.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    share : float, default 1.0
        The part of the step of `size` to take, in (0, 1]; less than 1 leaves room for the next step.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`.

    Returns
    -------
    Advanced
        The step ``alpha`` and the positions ``x``. If alpha > 0, it is proven that all pairs keep more than
        ``min_separation`` for every t in [0, 1] of the straight motion from x0 to x, for just these doubles. alpha is 0
        if `size` is 0, or if the step is so short that x is x0 after rounding. With a motion: for every t in [0, alpha] on the
        paths, and on the straight way from where the paths are at alpha to these doubles.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    The proof is by the exact method, whatever the method. The call takes little longer than `size`; with another method,
    ``device``, ``memory_limit`` or ``brute_force`` about twice as long.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> alpha, x = ccd.step.advance(mesh, x0, x1, 0.5)
    >>> ccd.step.earliest(mesh, x0, x).separate
    True

    The same fall with constant acceleration, from rest:

    >>> fall = ccd.Motion.accelerated(x0, np.zeros((6, 3)), 2 * (x1 - x0))
    >>> alpha, x = ccd.step.advance(mesh, fall, min_separation=0.5)
    >>> round(alpha, 6), x[3].round(6).tolist()
    (0.5, [0.2, 0.2, 0.5])
    """
    if isinstance(x0, Motion):
        return Step(mesh, x0, x1).advance(share, **options)
    call, step = prepare(mesh, x0, x1, options)
    found = Advanced(*results.advanced(call, abi.library().ccd_step_advance, step, share))
    return found._limited(lambda **start: earliest(mesh, x0, x1, **start), options)


@options_by_name
def sizes(
    mesh: Mesh,
    x0: ArrayLike | Motion,
    x1: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    share: float = 0.9,
    keep_ratio: float = 0.5,
    max_passes: int = 64,
    **options: Unpack[Options],
) -> Sizes:
    """Choose a step for each vertex, so that one early contact does not stop the whole mesh.

    It is proven that all pairs keep their separations for every t in [0, 1] of the straight motion from x0 to ``y``, for
    just these doubles; with a motion on its paths up to ``alpha``, which are those of `ccd.Motion.cut`. The separation
    of a pair is ``min_separation`` if it is farther apart at x0, else ``keep_ratio`` times the distance that it has
    there, of which a lower bound is proven, nearly always within 0.2 % and never below half. Vertices of a pair that
    touches at x0 rest; with ``check_start=True`` so do those of an edge that passes through a face.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    groups : array_like, optional
        An id for each vertex, (n,) integers less than n: the vertices of a group have one alpha, the least, as rigid and
        affine bodies need. A vertex with a negative id is in no group. Default none.
    share : float, default 0.9
        The part of the way to an impact that the pair's vertices go, in (0, 1).
    keep_ratio : float, default 0.5
        The part of its distance that a pair within ``min_separation`` keeps, in [0, 1].
    max_passes : int, default 64
        Searches after which vertices in contact are stopped at x0; 5 to 25 are needed.
    **options : Options
        Keywords of `ccd.Options`, as in `earliest`; ``t_max`` must be 1 and the method exact. A motion must have one piece.

    Returns
    -------
    Sizes
        The steps ``alpha``, the positions ``y``, and the counts ``passes``, ``used``, ``resting`` and ``floor``.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    advance : One step for all vertices.

    Notes
    -----
    A scaled step need not descend: in a Newton method test that it does. See :doc:`/howto/per-vertex-steps`.

    Examples
    --------
    One triangle falls onto another, and a third is not in its way.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    >>> floor = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    >>> x0 = np.vstack([floor, floor + [0, 0, 1], floor + [9, 0, 1]])
    >>> x1 = x0 - np.outer([0] * 3 + [2] * 6, [0, 0, 1])
    >>> step = ccd.step.sizes(mesh, x0, x1)
    >>> step.alpha.round(6)
    array([1.  , 1.  , 1.  , 0.45, 0.45, 0.45, 1.  , 1.  , 1.  ])
    >>> ccd.step.earliest(mesh, x0, step.y).separate
    True

    The same fall with constant acceleration, from rest, on the paths up to alpha:

    >>> fall = ccd.Motion.accelerated(x0, np.zeros((9, 3)), 2 * (x1 - x0))
    >>> step = ccd.step.sizes(mesh, fall)
    >>> step.alpha.round(3)[2:7].tolist(), ccd.step.earliest(mesh, fall.cut(step.alpha)).separate
    ([1.0, 0.636, 0.636, 0.636, 1.0], True)
    """
    return Step(mesh, x0, x1).sizes(groups, share, keep_ratio, max_passes, **options)


@options_by_name
def linesearch(
    mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, keep_ratio: float = 0.2, **options: Unpack[Options]
) -> LinesearchBound:
    """Bound the steps x0 + t (x1 - x0) of a line search so that pairs keep a fraction of their distance.

    For every t in [0, alpha] all pairs keep more than separation = keep_ratio * distance. So the next line search can move
    too, and backtracking needs no further test.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends: a shorter step leaves
        the paths at an earlier time.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    keep_ratio : float, default 0.2
        The fraction of the distance at x0 to keep, in (0, 1); by name with a motion.
    **options : Options
        Keywords of `ccd.Options`. ``min_separation`` must be positive; here it is a search radius: pairs farther apart
        are ignored, and this distance is not enforced. ``no_zero_toi`` is implied.

    Returns
    -------
    LinesearchBound
        The fields alpha, distance and separation. alpha is positive unless a pair touches at x0 (or, with
        ``check_start=True``, an edge passes through a face there), where all three are 0; it is t_max when no pair comes as
        near as the separation. A motion with radii of its own has alpha 0 if a pair is nearer than the separation and twice
        these radii; those of turning bodies, skins and joints are made small enough.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    Paper: [Wang2021], algorithm 4. This holds for the motion in real arithmetic; positions that you compute are rounded.
    If the separation is above 1e-14 times the largest coordinate, nothing touches there either; otherwise pass the
    positions that you accept to `advance`.

    Examples
    --------
    The triangles are 1 apart. The bound keeps a fifth of the search radius.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> alpha, distance, separation = ccd.step.linesearch(mesh, x0, x1, 0.2, min_separation=0.5)
    >>> 0 < alpha < 0.5, distance, round(separation, 9)
    (True, 0.5, 0.1)
    """
    return Step(mesh, x0, x1).linesearch(keep_ratio, **options)
