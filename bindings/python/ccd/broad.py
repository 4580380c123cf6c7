"""The broad phase alone: the pairs whose swept boxes overlap, to inspect, or for the steps of a line search."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, device_columns, results
from ._native.call import Call, check
from ._native.device_columns import DeviceColumns
from ._native.steps import prepare, prepare_among, prepare_motion, prepare_on
from .errors import ArgumentError
from .impact import Impact, Kind
from .mesh import Mesh
from .motion import Motion
from .step import Advanced
from .step._size import limited

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
    >>> pairs["vertex-face"].tolist()[0], pairs.size(x0, x1)
    ([3, 0], 0.49999999999999994)
    >>> shorter = x0 + 0.75 * (x1 - x0)
    >>> pairs.earliest(x0, shorter).toi_lo, len(pairs.collisions(x0, shorter)), len(pairs.intervals(x0, shorter))
    (0.6666666666666666, 3, 3)
    >>> pairs.advance(x0, shorter, share=0.5).x[3].round(6).tolist()
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

    def earliest(self, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> Impact:
        """Compute the earliest impact of a step among these pairs, without a broad phase.

        Parameters
        ----------
        x0 : array_like or Motion
            Vertices at t = 0, (n, 3); or how they move, in place of both ends.
        x1 : array_like, optional
            Vertices at t = 1, (n, 3); omitted with a motion.
        **options : Options
            Keywords of `ccd.Options`.

        Returns
        -------
        Impact
            As `ccd.step.earliest`; with the exact method the same bits.

        Raises
        ------
        ArgumentError
            A vertex, or a control point, leaves the box of its motion, or a radius or ``min_separation`` is above that
            of the candidates.
        Error
            As `ccd.step.earliest`.
        """
        call, function, step = prepare_among(self._handle, x0, x1, options, "earliest")
        return results.impact(call, function, *step, call.options)

    def collisions(self, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> NDArray[np.void]:
        """List every impact of a step among these pairs, without a broad phase.

        Parameters
        ----------
        x0 : array_like or Motion
            Vertices at t = 0, (n, 3); or how they move, in place of both ends.
        x1 : array_like, optional
            Vertices at t = 1, (n, 3); omitted with a motion.
        **options : Options
            Keywords of `ccd.Options`.

        Returns
        -------
        numpy.ndarray
            Impacts (m,) of `ccd.impact_dtype`, as `ccd.step.collisions`.

        Raises
        ------
        Error
            As `earliest`.
        """
        call, function, step = prepare_among(self._handle, x0, x1, options, "collisions")
        return results.impacts(call, function, *step, call.options)

    def collisions_on_device(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> DeviceColumns:
        """List every impact of a step among these pairs, in the memory of a device of CUDA.

        Parameters
        ----------
        x0 : array_like
            Vertices at t = 0, (n, 3).
        x1 : array_like
            Vertices at t = 1, (n, 3).
        **options : Options
            Keywords of `ccd.Options`.

        Returns
        -------
        DeviceColumns
            As `ccd.step.collisions_on_device`.

        Raises
        ------
        UnsupportedError
            There is no device of NVIDIA's driver that can be used.
        Error
            As `earliest`.
        """
        call, step = prepare_on(self._handle, x0, x1, options)
        return device_columns.impacts(call, abi.library().ccd_candidates_collisions, *step, call.options)

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

    def intervals(self, x0: ArrayLike, x1: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
        """Find every interval of contact of these pairs, without a broad phase.

        Parameters
        ----------
        x0 : array_like
            Vertices at t = 0, (n, 3).
        x1 : array_like
            Vertices at t = 1, (n, 3).
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.intervals`.

        Returns
        -------
        numpy.ndarray
            Intervals (m,) of `ccd.interval_dtype`, as `ccd.step.intervals`.

        Raises
        ------
        Error
            As `earliest` and `ccd.step.intervals`.
        """
        call, step = prepare_on(self._handle, x0, x1, options)
        return results.intervals(call, abi.library().ccd_candidates_intervals, *step, call.options)

    def size(self, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> float:
        """Compute a safe step among these pairs, without a broad phase.

        Parameters
        ----------
        x0 : array_like or Motion
            Vertices at t = 0, (n, 3); or how they move, in place of both ends.
        x1 : array_like, optional
            Vertices at t = 1, (n, 3); omitted with a motion.
        **options : Options
            Keywords of `ccd.Options`.

        Returns
        -------
        float
            As `ccd.step.size`.

        Raises
        ------
        Error
            As `earliest`.
        """
        call, function, step = prepare_among(self._handle, x0, x1, options, "size")
        return results.alpha(call, function, *step, call.options)

    def advance(self, x0: ArrayLike, x1: ArrayLike, share: float = 1.0, **options: Unpack[Options]) -> Advanced:
        """Advance as far as is safe among these pairs, without a broad phase.

        Parameters
        ----------
        x0 : array_like
            Vertices at t = 0, (n, 3).
        x1 : array_like
            Vertices at t = 1, (n, 3).
        share : float, default 1.0
            The part of the step of `size` to take, in (0, 1].
        **options : Options
            Keywords of `ccd.Options`.

        Returns
        -------
        Advanced
            As `ccd.step.advance`.

        Raises
        ------
        Error
            As `earliest`.
        """
        call, step = prepare_on(self._handle, x0, x1, options)
        found = Advanced(*results.advanced(call, abi.library().ccd_candidates_advance, step, share))
        return limited(found, lambda **start: self.earliest(x0, x1, **start), options)

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
    >>> near.size(fall) == ccd.step.size(mesh, fall), near.size(fall.cut([1, 1, 1, 0.5, 0.5, 0.5]))
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
    """Return candidates of given pairs that belong to no step: `Candidates.earliest` and the like raise HandleError.

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
