"""Why a step is short: the pair that limits it, in words, and in a small file that replays it."""

from __future__ import annotations

import ctypes
import enum
import io
import operator
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._io.write import whole
from .._native import abi
from .._native.call import Call, check
from ..errors import ArgumentError, UnsupportedError
from ..impact import EDGE_FACE, Impact, IntersectionKind, Kind, kind_of

if TYPE_CHECKING:
    from ..options import Options


class Cause(enum.IntEnum):
    """What limits a step.

    Exact arithmetic decides between TOUCHING, RADII and SEPARATION.

    Attributes
    ----------
    NONE : int
        0: no pair does.
    MEETING : int
        1: the pair comes within its separation during the step.
    TOO_SHORT : int
        2: it does so that early that the positions there round to x0.
    CROSSING : int
        3: an edge passes through a face at the start; with ``check_start=True``.
    TOUCHING : int
        4: the pair touches at the start.
    RADII : int
        5: at the start the pair is within the sum of its radii.
    SEPARATION : int
        6: at the start it is within its separation, but not within its radii.
    UNDECIDED : int
        7: a budget was spent before the pair was decided.
    """

    NONE = 0
    MEETING = 1
    TOO_SHORT = 2
    CROSSING = 3
    TOUCHING = 4
    RADII = 5
    SEPARATION = 6
    UNDECIDED = 7

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")


class Limit(NamedTuple):
    """A pair that limits a step.

    Attributes
    ----------
    cause : Cause
        What limits the step.
    toi_lo : float
        The time up to which the pair is proven apart: 0 at the start.
    kind : Kind or IntersectionKind
        Kind of the pair; `ccd.proximity.EDGE_FACE` where an edge passes through a face.
    a : int
        The first primitive.
    b : int
        The second primitive.
    vertices : tuple of int
        Vertices of the first primitive, then those of the second.
    """

    cause: Cause
    toi_lo: float
    kind: Kind | IntersectionKind
    a: int
    b: int
    vertices: tuple[int, ...]


@dataclass(frozen=True)
class Why:
    """Why a step is short. ``str`` returns sentences: which pair limits the step, why, and what to do.

    Attributes
    ----------
    cause : Cause
        What limits the step.
    impact : Impact
        The impact of `ccd.step.earliest`.
    alpha : float
        The step of `ccd.step.advance`.
    distance_lo : float
        The distance of the pair at the start, without its radii, is at least this.
    distance_hi : float
        The distance is at most this; infinite without a pair.
    separation : float
        Separation of the pair: ``min_separation`` and both radii.
    radii : tuple of float
        Radii of the two primitives.
    initial : int
        How many pairs are within their separation at the start.
    vertices : tuple of int
        Vertices of the first primitive, then those of the second.
    rings : int
        The fewest edges of the mesh from a vertex of the one to a vertex of the other; -1 above 64.
    same : tuple of int
        A vertex of each that are at one place at the start; (-1, -1) if no two are.
    x0 : numpy.ndarray
        Where `vertices` are at the start, (k, 3) float64.
    x1 : numpy.ndarray
        Where they are at the end, (k, 3) float64.
    at_start : dict of Cause to int
        How many of the pairs that are within their separation at the start have which cause.
    others : tuple of Limit
        Pairs that limit the step when the remedy for this one is done, where the cause is one at the start: the first of each
        cause at the start that the remedy leaves, and then the earliest of the pairs that begin farther apart, with the present
        separation.
    """

    cause: Cause
    impact: Impact
    alpha: float
    distance_lo: float
    distance_hi: float
    separation: float
    radii: tuple[float, float]
    initial: int
    vertices: tuple[int, ...]
    rings: int
    same: tuple[int, int]
    x0: NDArray[np.float64] = field(repr=False, compare=False)
    x1: NDArray[np.float64] = field(repr=False, compare=False)
    at_start: dict[Cause, int] = field(compare=False)
    others: tuple[Limit, ...]
    _text: str = field(repr=False)
    _options: dict[str, Any] = field(repr=False, compare=False)
    _straight: bool = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a small file of the pair, which `replay` reads: two primitives with their radii, x0, x1 and the options.

        The file is an archive of NumPy, .npz, of about 2 kB: ``x0``, ``x1``, ``faces``, ``edges``, ``radii`` and ``options``,
        a text in JSON.

        Parameters
        ----------
        path : str or os.PathLike
            The file. An existing one is replaced.

        Raises
        ------
        ArgumentError
            No pair limits the step.
        UnsupportedError
            The vertices do not go straight.
        OSError
            The file cannot be written.

        Examples
        --------
        >>> import numpy as np, ccd, os, tempfile
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
        >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1]])
        >>> why = ccd.step.why(mesh, x0, x0 - np.outer([0, 0, 0, 2], [0, 0, 1]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     why.save(os.path.join(folder, "pair.npz"))
        ...     os.listdir(folder)
        ['pair.npz']
        """
        if self.cause == Cause.NONE:
            raise ArgumentError("why: no pair limits the step, so there is none to save")
        if not self._straight:
            raise UnsupportedError("why: the vertices do not go straight; save the motion with ccd.Motion.save")
        split, count = (2 if self.impact.kind in (Kind.EDGE_EDGE, EDGE_FACE) else 1), len(self.vertices)
        numbers, faces, edges = np.arange(count, dtype=np.int32), [], []
        for side in (numbers[:split], numbers[split:]):
            if len(side) == 2:
                edges.append(side)
            elif len(side) == 3:
                faces.append(side)
        if edges:
            edges += [face[[k, (k + 1) % 3]] for face in faces for k in range(3)]  # a mesh with edges has those of its faces
        import json  # `import ccd` does not need json

        content = io.BytesIO()
        np.savez(
            content,
            x0=self.x0,
            x1=self.x1,
            faces=np.array(faces, np.int32).reshape(-1, 3),
            edges=np.array(edges, np.int32).reshape(-1, 2),
            radii=np.repeat(self.radii, (split, count - split)),
            options=json.dumps(self._options, default=_plain),
        )
        whole(path, content.getvalue())

    @classmethod
    def _of(cls, w: abi.Why, options: dict[str, Any], straight: bool) -> Why:
        vertices = tuple(v for v in w.vertices if v >= 0)
        n = len(vertices)
        query = np.array(w.q[: 6 * n]).reshape(2, n, 3)
        room = ctypes.create_string_buffer(1024)
        check(abi.library().ccd_why_text(ctypes.byref(w), room, len(room), None))
        return cls(
            Cause(w.cause),
            Impact._from_c(w.impact),
            w.alpha,
            w.distance_lo,
            w.distance_hi,
            w.separation,
            (w.radius[0], w.radius[1]),
            w.initial,
            vertices,
            w.rings,
            (w.same[0], w.same[1]),
            query[0],
            query[1],
            {Cause(Cause.CROSSING + k): count for k, count in enumerate(w.at_start) if count},
            tuple(_limit(limit) for limit in w.others if limit.cause != Cause.NONE),
            room.value.decode(),
            {name: value for name, value in options.items() if name in KEPT},
            straight,
        )


def _limit(limit: abi.Limit) -> Limit:
    """A pair that limits a step, of a record of the C interface."""
    vertices = tuple(v for v in limit.vertices if v >= 0)
    return Limit(Cause(limit.cause), limit.toi_lo, kind_of(limit.kind), limit.a, limit.b, vertices)


def _plain(value: Any) -> bool | int | float:
    """An option that JSON does not know, such as a number of NumPy, as a flag or number of Python, with the same value."""
    if isinstance(value, np.bool_):
        return bool(value)
    try:
        return operator.index(value)
    except TypeError:
        return float(value)


# The options that say which pairs limit a step. The others say how it is computed.
KEPT = ("min_separation", "norm", "check_start", "t_max", "method", "tolerance", "max_iterations", "no_zero_toi")


def explained(call: Call, handle: ctypes.c_void_p, options: Options, straight: bool) -> Why:
    """Why the step of a handle is short."""
    out = abi.Why()
    call(abi.library().ccd_step_run_why, handle, call.options, ctypes.byref(out))
    return Why._of(out, dict(options), straight)
