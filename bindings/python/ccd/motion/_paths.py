"""Paths that the library holds: their arrays, positions and pairs."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._io import motions
from .._native import abi, arrays
from .._native.call import Call, check, create
from .._native.records import Records
from ..errors import ArgumentError
from ..impact import Impact, Kind, impact_dtype

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ..options import Options

# From this many pairs on, a call may last long enough to be interrupted by hand.
_LONG = 16


class Paths:
    """What a `ccd.Motion` is once it is made, of whatever description: a handle of the library."""

    _handle: ctypes.c_void_p
    _bodies: tuple[Any, ...] = ()  # what a motion of bodies is made of, for pickles: its name, arrays and numbers

    def _make(self, name: str, size: int, *arguments: Any) -> None:
        lib = abi.library()
        self._handle = ctypes.c_void_p()
        create(size, getattr(lib, f"ccd_motion_{name}"), lib.ccd_motion_destroy, self._handle, *arguments)
        self._free = weakref.finalize(self, _destroy, self._handle)
        counts = [ctypes.c_size_t() for _ in range(3)]
        check(lib.ccd_motion_counts(self._handle, *map(ctypes.byref, counts)))
        self._vertices, self._pieces, self._degree = (int(c.value) for c in counts)

    @classmethod
    def _made(cls, name: str, size: int, *arguments: Any) -> Self:
        motion = cls.__new__(cls)
        motion._make(name, size, *arguments)
        return motion

    @classmethod
    def _of_bodies(cls, name: str, *given: Any) -> Self:
        """The motion of arrays and numbers that are kept, so that a pickle can enclose it anew."""
        kept = tuple(np.array(g) if isinstance(g, np.ndarray) else g for g in given)
        motion = cls._made(name, *_passed(kept))
        motion._bodies = (name, *kept)
        return motion

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the motion to a file: its control points, times and radii, bit for bit.

        Calls on pairs halve the pieces of `rigid`, `skinned` and `chain` near a contact. The file does not hold what they
        are made of, so a loaded motion keeps its radii: make it with so many pieces, or with ``degree=5``, that they are
        small enough.

        Parameters
        ----------
        path : str or os.PathLike
            The file; NumPy's .npz without compression. A failure leaves an old file as it was.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        motions.save(path, control=self.control, times=self.times, radius=self.radius)

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return self._vertices

    @property
    def degree(self) -> int:
        """Degree of the paths in t."""
        return self._degree

    @property
    def pieces(self) -> int:
        """Number of pieces."""
        return self._pieces

    @property
    def times(self) -> NDArray[np.float64]:
        """Ends of the pieces, (pieces + 1,), a copy."""
        return self._copied("times", (self._pieces + 1,))

    @property
    def control(self) -> NDArray[np.float64]:
        """Control points, (pieces, degree + 1, n, 3), a copy."""
        return self._copied("control", (self._pieces, self._degree + 1, self._vertices, 3))

    @property
    def radius(self) -> NDArray[np.float64]:
        """Radii, (pieces, n), a copy."""
        return self._copied("radii", (self._pieces, self._vertices))

    def _copied(self, name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
        out = np.zeros(shape)
        count = ctypes.c_size_t()
        check(getattr(abi.library(), f"ccd_motion_{name}")(self._handle, out.ctypes, out.size, ctypes.byref(count)))
        return out

    def at(self, t: float) -> NDArray[np.float64]:
        """Compute the positions at a time.

        Parameters
        ----------
        t : float
            Time in [0, 1].

        Returns
        -------
        numpy.ndarray
            Positions, (n, 3): of the polynomials, rounded.

        Raises
        ------
        ArgumentError
            `t` is outside of [0, 1].

        Examples
        --------
        >>> import ccd
        >>> ccd.Motion([[[0, 0, 0]], [[4, 0, 0]]]).at(0.25).tolist()
        [[1.0, 0.0, 0.0]]
        """
        return self.enclose(t)[0]

    def enclose(self, t: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the positions at a time, and how far the vertices may be from them.

        Parameters
        ----------
        t : float
            Time in [0, 1].

        Returns
        -------
        x : numpy.ndarray
            Positions, (n, 3).
        radius : numpy.ndarray
            Bounds, (n,), on the distance of each vertex from its position: its radius, and rounding.

        Raises
        ------
        ArgumentError
            `t` is outside of [0, 1].

        Examples
        --------
        >>> import ccd
        >>> x, radius = ccd.Motion([[[0, 0, 0]], [[1, 0, 0]]]).enclose(0.25)
        >>> x.tolist(), radius.tolist()
        ([[0.25, 0.0, 0.0]], [0.0])
        """
        x, radius = np.zeros((self._vertices, 3)), np.zeros(self._vertices)
        check(abi.library().ccd_motion_at(self._handle, arrays.number("t", t), x.ctypes, radius.ctypes, self._vertices))
        return x, radius

    def cut(self, ends: ArrayLike) -> Self:
        """Create the motion on which each vertex goes a part of its path: up to its own time, as t runs from 0 to 1.

        Parameters
        ----------
        ends : array_like
            Times in [0, 1], (n,): where 1 a vertex keeps its control points, where 0 it rests at the first one.

        Returns
        -------
        Motion
            Of the same degree. Its control points are those of the parts, rounded: for radius 0 these doubles are the paths.
            Radii above 0 grow by the rounding. It is not enclosed anew on parts.

        Raises
        ------
        ArgumentError
            `ends` has another shape, or a time is outside of [0, 1].
        UnsupportedError
            The motion has several pieces: vertices would change pieces at times of their own.

        See Also
        --------
        ccd.step.sizes : Times for which no pair touches.

        Examples
        --------
        >>> import ccd
        >>> m = ccd.Motion([[[0, 0, 0], [0, 0, 0]], [[1, 0, 0], [1, 0, 0]], [[1, 1, 0], [1, 1, 0]]])
        >>> m.cut([0.5, 1]).at(1).tolist()
        [[0.75, 0.25, 0.0], [1.0, 1.0, 0.0]]
        """
        times = arrays.row("ends", ends)
        if len(times) != self._vertices:
            raise ArgumentError(f"ends has {len(times)} items: must have {self._vertices}, one for each vertex")
        return self._made("cut", times.nbytes, self._handle, times.ctypes, len(times))

    def pair(self, kind: Kind | str | int, vertices: ArrayLike, **options: Unpack[Options]) -> Impact:
        """Compute when one pair of primitives first comes into contact.

        Parameters
        ----------
        kind : Kind or str or int
            Kind of the pair, e.g. ``"vertex-face"``.
        vertices : array_like
            Indices of its vertices, (4,), (3,) or (2,): v, f0, f1, f2; a0, a1, b0, b1; p, e0, e1; or p, q.
        **options : Options
            As in `pairs`.

        Returns
        -------
        Impact
            The impact, with ``a`` and ``b`` -1.

        Raises
        ------
        Error
            As `pairs`.

        Examples
        --------
        >>> import ccd
        >>> m = ccd.Motion([[[0, 0, 0], [4, 0, 0]], [[4, 0, 0], [0, 0, 0]]])
        >>> m.pair("point-point", [0, 1], min_separation=2).toi_lo
        0.25
        """
        which: Kind = Kind.of("kind", kind)
        index = arrays.to_array("vertices", vertices)
        if index.shape != (which.points,):
            raise ArgumentError(f"vertices has shape {index.shape}: must be ({which.points},)")
        out = self.pairs(kind, index.reshape(1, -1), **options)
        out["a"] = -1
        return Impact._from_c(abi.Impact.from_buffer_copy(out.tobytes()))

    def pairs(self, kind: Kind | str | int, vertices: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
        """Compute when pairs of primitives first come into contact.

        Where all radii are 0 the result is exact, as that of `ccd.pair`; a motion of degree 1 with one piece has the same bits.
        Otherwise let rho be the largest radius of a's vertices and the largest of b's together. Separate and every time before
        ``toi_lo`` are proven; contact means a distance of at most min_separation + 2 rho. Motions of `rigid`, `skinned` and
        `chain` are halved in time near a contact until 2 rho is at most ``tolerance``, or rounding is left.

        Parameters
        ----------
        kind : Kind or str or int
            Kind of all pairs, e.g. ``"vertex-face"``.
        vertices : array_like
            Indices of their vertices, (m, 4), (m, 3) or (m, 2), as in `pair`.
        **options : Options
            Keywords of `ccd.Options`: ``min_separation``, ``norm``, ``t_max``, ``tolerance``, ``max_iterations`` (halvings of a
            pair), ``threads`` and ``progress``. The method must be exact.

        Returns
        -------
        numpy.ndarray
            Impacts (m,) of `ccd.impact_dtype`, with the index of the pair as ``a``.

        Raises
        ------
        InvalidIndexError
            An index is out of range.
        UnsupportedError
            Another method, ``apart_at_toi`` or ``scene_bound``.
        Error
            As `ccd.pair.vertex_face`.

        Examples
        --------
        >>> import ccd
        >>> control = [[[0, 0, 0], [1, 1, 0], [2, 0, 0]], [[1, 2, 0], [1, 1, 0], [1, 2, 0]], [[2, 0, 0], [1, 1, 0], [0, 0, 0]]]
        >>> ccd.Motion(control).pairs("point-point", [[0, 1], [0, 2], [1, 2]])["toi_lo"].tolist()
        [0.5, 0.5, 0.5]
        """
        which: Kind = Kind.of("kind", kind)
        index = arrays.primitives("vertices", vertices, which.points)
        call = Call(options, long=len(index) >= _LONG)
        out = np.zeros(len(index), impact_dtype)
        lib = abi.library()
        call(lib.ccd_motion_pairs, self._handle, which, index.ctypes, len(index), call.options, out.ctypes)
        return out.view(Records)

    def close(self) -> None:
        """Free the motion now. Running calls on other threads complete; later ones raise HandleError."""
        self._free()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        times = self.times  # a closed motion is an error
        own = {name: value for name, value in self.__dict__.items() if name not in _HELD}
        if self._bodies:
            return _again, (type(self), *self._bodies), own or None
        return _again, (type(self), "create", self.control, times, self.radius), own or None

    def __repr__(self) -> str:
        return f"<ccd.Motion of {self._vertices} vertices, degree {self._degree}, {self._pieces} pieces>"


# The attributes of `Paths`, which a copy has of its own; others are those of a user's subclass.
_HELD = ("_handle", "_free", "_vertices", "_pieces", "_degree", "_bodies")


def _passed(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The size and the arguments of a C function that makes a motion of bodies: the number of points, arrays and numbers."""
    size = sum(g.nbytes for g in given if isinstance(g, np.ndarray))
    return size, len(given[0]), *(g.ctypes if isinstance(g, np.ndarray) else g for g in given)


def _again(kind: type[Paths], name: str, *given: Any) -> Paths:
    """The motion that a pickle describes."""
    if name != "create":
        return kind._of_bodies(name, *given)
    control, times, radius = given
    pieces, count, n = control.shape[:3]
    return kind._made(name, control.nbytes, n, count - 1, pieces, times.ctypes, control.ctypes, radius.ctypes)


def _destroy(handle: ctypes.c_void_p) -> None:
    abi.library().ccd_motion_destroy(handle)
