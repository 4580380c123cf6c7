"""The broad phase alone: the pairs whose swept boxes overlap, to inspect, or for the steps of a line search."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, device_columns
from ._native.by_name import options_by_name
from ._native.call import Call, check
from ._native.device_columns import DeviceColumns
from ._native.names import names_of
from ._native.steps import ends, prepare, prepare_motion
from .errors import ArgumentError
from .impact import Kind
from .mesh import Mesh
from .motion import Motion
from .step import Step

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

_KINDS = tuple(Kind)


class Candidates:
    """Candidate pairs of a step, as `candidates` returns them.

    The arrays are read at their first use. Threads may share candidates. They are freed with their last reference, or
    by `close`. A pickle holds the pairs alone.

    Candidates of x0 -> x0 + dx are valid for every step x0 -> x0 + alpha * dx with alpha in [0, 1], and for all other
    steps in which each vertex stays within the box of its own motion. This is checked: an ArgumentError names the first
    vertex outside. (x0 + 1 * (x1 - x0) may differ from x1 by rounding: let x1 be x0 + dx.) ``min_separation`` and the
    mesh's radii are at most those of the candidates. Candidates of a `ccd.Motion` are valid for every motion whose control
    points are within the boxes of those of their vertices, of any degree and in any number of pieces. The filters that
    the mesh had then and those that it has now both apply. If the list is long compared with the mesh, `ccd.step` is
    faster: it tests only pairs that stay near in the shorter step.

    Parameters
    ----------
    handle : ctypes.c_void_p
        Handle of the library, which `candidates` creates.

    See Also
    --------
    candidates : Create candidates.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> pairs = ccd.broad.candidates(mesh, x0, x1)
    >>> pairs["vertex-face"].tolist()[0], pairs.step(x0, x1).size()
    ([3, 0], 0.49999999999999994)
    >>> step = pairs.step(x0, x0 + 0.75 * (x1 - x0))
    >>> step.earliest().toi_lo, len(step.collisions()), len(step.intervals())
    (0.6666666666666666, 3, 3)
    >>> step.advance(share=0.5).x[3].round(6).tolist()
    [0.2, 0.2, 0.5]
    """

    def __init__(self, handle: ctypes.c_void_p):
        self._handle = handle
        self._destroy = abi.library().ccd_candidates_destroy

    def close(self) -> None:
        """Free what the library holds. Arrays that were read remain; other calls raise HandleError."""
        if self._handle:
            self._destroy(self._handle)  # a second time, or in a forked child, it fails, which nobody needs to know

    def __del__(self) -> None:  # a weakref.finalize takes three times as long, as long as the sweep of a small mesh
        if "_destroy" in self.__dict__:
            self.close()

    @functools.cached_property
    def vertex_face(self) -> NDArray[np.int64]:
        """Vertex-face pairs (vertex, face), (n, 2) int64, sorted."""
        return self._pairs(Kind.VERTEX_FACE)

    @functools.cached_property
    def edge_edge(self) -> NDArray[np.int64]:
        """Edge-edge pairs, (n, 2) int64, sorted."""
        return self._pairs(Kind.EDGE_EDGE)

    @functools.cached_property
    def point_edge(self) -> NDArray[np.int64]:
        """Pairs of a vertex and a codimensional edge, (n, 2) int64, sorted."""
        return self._pairs(Kind.POINT_EDGE)

    @functools.cached_property
    def point_point(self) -> NDArray[np.int64]:
        """Pairs of codimensional vertices, (n, 2) int64, sorted."""
        return self._pairs(Kind.POINT_POINT)

    def __getitem__(self, kind: Kind | str | int) -> NDArray[np.int64]:
        pairs: NDArray[np.int64] = getattr(self, Kind.of("kind", kind).name.lower())
        return pairs

    def __len__(self) -> int:
        if "edge_edge" in self.__dict__:  # arrays remain after close
            return sum(map(self._count, _KINDS))
        count = ctypes.c_size_t()
        check(abi.library().ccd_candidates_count_kind(self._handle, 0, ctypes.byref(count)))
        return count.value

    def step(self, x0: ArrayLike | Motion, x1: ArrayLike | None = None) -> Step:
        """Return a step whose pairs are these: its calls do no sweep.

        Parameters
        ----------
        x0 : array_like or Motion
            Vertices at t = 0, (n, 3); or how they move, in place of both ends.
        x1 : array_like, optional
            Vertices at t = 1, (n, 3); omitted with a motion.

        Returns
        -------
        Step
            The step. With the exact method results have the bits of ``ccd.Step(mesh, x0, x1)``. Calls raise ArgumentError
            where a vertex, or a control point, leaves the box of its motion, or a radius or ``min_separation`` is above that
            of the candidates.

        Raises
        ------
        Error
            As `ccd.Step`.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
        >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
        >>> x1 = x0 - np.outer([0, 0, 0, 2], [0, 0, 1])
        >>> step = ccd.broad.candidates(mesh, x0, x1).step(x0, x1)
        >>> step.earliest() == ccd.step.earliest(mesh, x0, x1)
        True
        """
        found, lib = ends(x0, x1), abi.library()
        if found.motion is not None:
            return Step._made(found, lib.ccd_step_create_candidates_motion, self._handle, found.motion._handle)
        return Step._made(found, lib.ccd_step_create_candidates, self._handle, *found.arguments)

    def on_device(self, kind: Kind | str | int, device_index: int = 0, memory_limit: int = 0) -> DeviceColumns:
        """Copy the pairs of one kind to a device of CUDA: for kernels that go on with them there.

        Parameters
        ----------
        kind : Kind or str or int
            The kind of the pairs, e.g. ``"edge-edge"``.
        device_index : int, default 0
            Position in `ccd.devices`; 0: the first of NVIDIA's driver that can be used.
        memory_limit : int, default 0
            Most bytes on the device; 0: half of its memory.

        Returns
        -------
        DeviceColumns
            Columns of int64, sorted as on the host: ``pairs``, (m, 2), and its halves ``a`` and ``b``, (m,).

        Raises
        ------
        UnsupportedError
            There is no such device, or it cannot be used.
        OutOfMemoryError
            The pairs need more than `memory_limit`.

        Examples
        --------
        >>> import ccd
        >>> def pairs(candidates):
        ...     import cupy
        ...     return cupy.from_dlpack(candidates.on_device("edge-edge")["pairs"])
        """
        call = Call({"device": "auto", "device_index": device_index, "memory_limit": memory_limit}, long=False)
        function = abi.library().ccd_candidates_to_device
        return device_columns.to_device(device_columns.PAIRS, call, function, self._handle, Kind.of("kind", kind))

    def _count(self, kind: Kind) -> int:
        name = kind.name.lower()
        if name in self.__dict__:
            return len(self.__dict__[name])
        count = ctypes.c_size_t()
        check(abi.library().ccd_candidates_count_kind(self._handle, kind, ctypes.byref(count)))
        return count.value

    def _pairs(self, kind: Kind) -> NDArray[np.int64]:
        pairs, count = np.empty((self._count(kind), 2), np.int64), ctypes.c_size_t()
        check(abi.library().ccd_candidates_copy(self._handle, kind, pairs.ctypes, len(pairs), ctypes.byref(count)))
        return pairs

    def __reduce__(self) -> tuple[Any, ...]:
        return alone, tuple(self[kind] for kind in _KINDS)


@options_by_name
def candidates(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> Candidates:
    """Find all candidate pairs of a step.

    Boxes are inflated by ``min_separation`` and radii, the mesh's filters apply, and pairs that share a vertex are skipped.
    Each box contains its swept primitive exactly, for the whole step, so no contact is outside the list.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    **options : Options
        Keywords of `ccd.Options`: ``min_separation``, ``threads``, ``memory_limit``, ``brute_force``, ``progress``,
        ``stats``, ``device``. ``t_max`` has no effect.

    Returns
    -------
    Candidates
        Pairs (a, b) of primitive indices by kind.

    Raises
    ------
    Error
        As `ccd.step.earliest`.

    Notes
    -----
    Paper: [Belgrod2023].

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> len(ccd.broad.candidates(mesh, x0, x1))
    6

    Of a motion, for this and for others within the boxes of its control points:

    >>> fall = ccd.Motion.accelerated(x0, np.zeros((6, 3)), 2 * (x1 - x0))
    >>> near = ccd.broad.candidates(mesh, fall)
    >>> near.step(fall).size() == ccd.step.size(mesh, fall), near.step(fall.cut([1, 1, 1, 0.5, 0.5, 0.5])).size()
    (True, 1.0)
    """
    handle = ctypes.c_void_p()
    if isinstance(x0, Motion):
        if x1 is not None:
            raise ArgumentError("x1 is given beside a ccd.Motion, which is the whole step")
        call, step = prepare_motion(mesh, x0, options)
        call(abi.library().ccd_motion_candidates, *step, call.options, ctypes.byref(handle))
    else:
        if x1 is None:
            raise ArgumentError("x1 is missing: a step is from x0 to x1, or of a ccd.Motion")
        call, step = prepare(mesh, x0, x1, options)
        call(abi.library().ccd_broad_candidates, *step, call.options, ctypes.byref(handle))
    return Candidates(handle)


def alone(*pairs: NDArray[np.int64]) -> Candidates:
    """Return candidates of given pairs that belong to no step: `Candidates.step` raises HandleError.

    Parameters
    ----------
    *pairs : numpy.ndarray
        Pairs (n, 2) of vertex-face, edge-edge, point-edge and point-point, in this order; none for those that are missing.

    Returns
    -------
    Candidates
        The pairs, to inspect.

    Raises
    ------
    ArgumentError
        There are more than four arrays, or one has another shape or type.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> pairs = ccd.broad.alone(np.array([[3, 0]]), *[np.empty((0, 2), np.int64)] * 3)
    >>> len(pairs), pairs.vertex_face.tolist()
    (1, [[3, 0]])
    """
    if len(pairs) > len(_KINDS):
        raise ArgumentError(f"pairs has {len(pairs)} arrays: must be at most {len(_KINDS)}, one for each kind")
    found = Candidates(ctypes.c_void_p())
    listed = [arrays.pairs(f"pairs[{i}]", array) for i, array in enumerate(pairs)]
    listed += [np.empty((0, 2), np.int64)] * (len(_KINDS) - len(listed))
    found.__dict__.update((kind.name.lower(), array) for kind, array in zip(_KINDS, listed))
    return found


if not TYPE_CHECKING:
    __getattr__ = names_of(__name__)
