"""Safe steps of many worlds: of one mesh at other positions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._native import arrays
from .._native.by_name import options_by_name
from .._native.call import renaming
from .._native.steps import mesh_of
from ..errors import Cancelled, UnsupportedError
from ..impact import Verdict
from ..mesh import Mesh
from ._find import earliest_batch

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
        Keywords of `ccd.Options`, as in `earliest_batch`, without ``region``. ``stats`` are those of the search for impacts; a
        ``device`` computes that search, the proof is the processor's.

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
    The call takes one search of all worlds for impacts, and one of those that do not go all the way for the proof; the few
    worlds that rounding brings too near are tried again, with a step shorter by some ulps.

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
    mesh_of(mesh)
    share = arrays.within("share", share, "(0, 1]")
    given: dict[str, Any] = dict(options)
    if given.get("region") is not None:
        raise UnsupportedError("region: an advance concerns all pairs of a step")
    progress = given.pop("progress", None)
    start, end = arrays.worlds("x0", x0, mesh._vertices), arrays.worlds("x1", x1, mesh._vertices)
    hits = earliest_batch(mesh, start, end, **given, **_part(progress, 0))
    before = np.maximum(np.nextafter(hits["toi_lo"], -np.inf), 0)
    t_max = arrays.number("t_max", given.get("t_max", 1.0))
    step = share * np.where(hits["verdict"] == Verdict.SEPARATE, t_max, before)
    kept = ("min_separation", "norm", "threads", "memory_limit", "brute_force", "max_iterations")
    proof: dict[str, Any] = {name: given[name] for name in kept if name in given}
    still = (start == end).all(axis=(1, 2))
    alpha, x = np.zeros(len(start)), start.copy()
    open_worlds = np.flatnonzero(step > 0)
    for k in range(_ATTEMPTS):
        if not len(open_worlds):
            break
        part = _attempt(step[open_worlds], k)
        goes = part > 0
        open_worlds, part = open_worlds[goes], part[goes]
        from_, to = start[open_worlds], end[open_worlds]
        there = np.where((part == 1)[:, None, None], to, from_ + part[:, None, None] * (to - from_))
        known = (part == 1) | still[open_worlds]
        useless = ~known & (there == from_).all(axis=(1, 2))
        ask = np.flatnonzero(~known & ~useless)
        safe = known.copy()
        if len(ask):
            with renaming((r"\bworld (\d+)", _of_caller(open_worlds[ask]))):
                test = earliest_batch(mesh, from_[ask], there[ask], **proof, **_part(progress, k + 1))
            safe[ask] = test["verdict"] == Verdict.SEPARATE
        alpha[open_worlds[safe]], x[open_worlds[safe]] = part[safe], there[safe]
        open_worlds = open_worlds[~safe & ~useless]
    if progress is not None and progress(1.0):
        raise Cancelled("cancelled by the progress callback")
    return AdvancedWorlds(alpha, x, hits)


_ATTEMPTS = 18  # those of Advance in core/step: the step is the first of them that is proven


def _attempt(step: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """The steps that are tried after k refusals."""
    if k == 0:
        return step
    return step * (1 - 2.0 ** (4 * k - 56)) if k <= 13 else step * 2.0 ** (13 - k)


def _of_caller(worlds: NDArray[np.int64]) -> Callable[[re.Match[str]], str]:
    """The name of a world in an error: of those that are searched, the number is the caller's."""
    return lambda found: f"world {worlds[int(found[1])]}"


def _part(progress: Callable[[float], object] | None, k: int) -> dict[str, Any]:
    """The option for search k: it goes half of the way that the searches before have left."""
    if not callable(progress):
        return {} if progress is None else {"progress": progress}
    return {"progress": lambda fraction: progress(1 - 2.0**-k + 2.0 ** -(k + 1) * fraction)}
