"""Neighbor lists: near pairs that are kept while vertices move little, for the calls of a Newton method or a line search.

Results have the same bits as those of `ccd.proximity.near` and `ccd.step`.
"""

from __future__ import annotations

import ctypes
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, results
from ._native.by_name import options_by_name
from ._native.call import check
from ._native.steps import ends, prepare_configuration
from .errors import ArgumentError
from .mesh import Mesh
from .proximity import near_pair_dtype
from .step import Step

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options


class State(NamedTuple):
    """What a list holds, and what it did so far.

    Attributes
    ----------
    reach : float
        Length: pairs at most this far apart are kept.
    pairs : int
        Pairs in the list.
    bytes : int
        Memory of the list.
    builds : int
        How often pairs were found, 1 at first.
    served : int
        Calls for which the list had the pairs.
    fresh : int
        Calls that were computed without it.
    """

    reach: float
    pairs: int
    bytes: int
    builds: int
    served: int
    fresh: int


class Neighbors:
    """Near pairs of a mesh that are kept while its vertices move little.

    The list has the pairs that are at most ``reach`` apart at some positions. A call at distance d can use it while d and the
    two largest distances of vertices from those positions add up to at most the reach; that is checked with directed rounding.
    Otherwise pairs are found again, at the positions of the call (the x0 of a step), where that pays: where the calls around
    the last positions saved more time than finding pairs takes, or would have. All other calls are computed without the list.
    Results have the bits of fresh calls in each case.

    Threads may share a list. It is freed with its last reference, or by `close`; it is a context manager.

    Parameters
    ----------
    mesh : Mesh
        The mesh. Its filters and radii apply; after any of them is set, the pairs are found again.
    x : array_like
        Vertices, (n, 3), where pairs are found first.
    reach : float
        A length in (0, 1e150]. Two to four times the largest distance of the calls is usual.
    **options : Options
        Keywords of `ccd.Options`, as in `ccd.proximity.near`.

    Raises
    ------
    ArgumentError
        `x` has another shape, or `reach` or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names it.
    OutOfMemoryError
        ``memory_limit`` is too small for the list.

    See Also
    --------
    ccd.broad.Candidates : Pairs of the steps along one direction.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.2], [1, 0.2, 0.2], [0.2, 1, 0.2]])
    >>> neighbors = ccd.neighbors.Neighbors(mesh, x, 0.5)
    >>> down = np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.01])
    >>> for i in range(4):
    ...     pairs = neighbors.near(x - i * down, 0.25)
    ...     alpha = neighbors.step(x - i * down, x - (i + 1) * down).size()
    >>> len(pairs), alpha, neighbors.state.served, neighbors.state.builds
    (6, 1.0, 8, 1)
    >>> fallen = x - 30 * down
    >>> step = neighbors.step(x, fallen)
    >>> round(step.earliest().toi_lo, 6), len(step.collisions())
    (0.666667, 3)
    >>> step.advance(share=0.5).x[3].round(6).tolist()
    [0.2, 0.2, 0.1]
    """

    def __init__(self, mesh: Mesh, x: ArrayLike, reach: float, **options: Unpack[Options]):
        reach = arrays.number("reach", reach)
        call, frame = prepare_configuration(mesh, x, options)
        self._mesh = mesh
        self._handle = ctypes.c_void_p()
        call(abi.library().ccd_neighbors_create, *frame, reach, call.options, ctypes.byref(self._handle))
        self._free = weakref.finalize(self, _destroy, self._handle)

    def close(self) -> None:
        """Free the list now. Running calls on other threads complete; later ones raise HandleError."""
        self._free()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a ccd.neighbors.Neighbors cannot be pickled or copied: create one from the mesh and its positions")

    def __enter__(self) -> Neighbors:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def state(self) -> State:
        """What the list holds, and what it did so far."""
        out = abi.NeighborsReport()
        check(abi.library().ccd_neighbors_state(self._handle, ctypes.byref(out)))
        return State(out.reach, out.pairs, out.bytes, out.builds, out.served, out.fresh)

    @options_by_name
    def near(self, x: ArrayLike, d: float, **options: Unpack[Options]) -> NDArray[np.void]:
        """List every pair within a distance, as `ccd.proximity.near`.

        Parameters
        ----------
        x : array_like
            Vertices, (n, 3).
        d : float
            A length in [0, reach].
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.proximity.near`.

        Returns
        -------
        numpy.ndarray
            Pairs (m,) of `ccd.proximity.near_pair_dtype`, as `ccd.proximity.near`.

        Raises
        ------
        ArgumentError
            `d` is above the reach.
        Error
            As `ccd.proximity.near`.
        """
        d = arrays.number("d", d)
        call, (_, *frame) = prepare_configuration(self._mesh, x, options)
        arguments = (self._handle, *frame, d, call.options)
        return results.listed("near_pairs", near_pair_dtype, call, abi.library().ccd_neighbors_near, arguments)

    def step(self, x0: ArrayLike, x1: ArrayLike) -> Step:
        """Return the step of the list's mesh from x0 to x1, whose calls use the list where they can.

        Parameters
        ----------
        x0 : array_like
            Vertices at t = 0, (n, 3).
        x1 : array_like
            Vertices at t = 1, (n, 3).

        Returns
        -------
        Step
            The step. Results have the bits of ``ccd.Step(mesh, x0, x1)``. Calls raise ArgumentError for a ``min_separation``
            above the reach. With a method that is not exact, ``brute_force``, given pairs and for the least distance they do
            without the list.

        Raises
        ------
        Error
            As `ccd.Step`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
        >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 0.1]])
        >>> x1 = x0 - np.outer([0, 0, 0, 0.2], [0, 0, 1])
        >>> neighbors = ccd.neighbors.Neighbors(mesh, x0, 0.5)
        >>> neighbors.step(x0, x1).earliest() == ccd.step.earliest(mesh, x0, x1), neighbors.state.served
        (True, 1)
        """
        found = ends(x0, x1, self._mesh._vertices)
        if found.motion is not None:
            raise ArgumentError("x0 is a ccd.Motion: the steps of a neighbor list are straight, from x0 to x1")
        return Step._made(found, abi.library().ccd_step_create_neighbors, self._handle, *found.arguments)


def _destroy(handle: ctypes.c_void_p) -> None:
    """Destroy a list whose last reference is gone. A failure, as in a forked child, has no caller to report to."""
    if handle.value:
        abi.library().ccd_neighbors_destroy(handle)
