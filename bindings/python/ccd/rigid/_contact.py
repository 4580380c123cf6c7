"""Where bodies touch, and how long they do: manifolds at poses, and sliding."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._native import abi, arrays, results
from .._native.call import Call
from .._native.result import Flag, Result
from ..errors import ArgumentError
from ..impact import _Named
from ._body import Body, to_handle
from ._distance import to_pose_struct
from ._motion import Motion, to_struct
from ._pose import PoseLike

if TYPE_CHECKING:
    from ..options import Options

MANIFOLD_CROSSING = 1
"""Flag of a manifold: surfaces pass through each other by more than rounding."""

MANIFOLD_INSIDE = 2
"""Flag of a manifold: one of the bodies is solid, and a corner of the other one is inside of it."""

MANIFOLD_DEEP = 4
"""Flag of a manifold: the points are those at the end of the way out; their places and gaps are as the bodies are now."""

_REDUCE, _LEAD_OUT = 1, 2

SLIDE_INITIAL = 1
"""Flag of a slide: the bodies are not in contact at ``t_min``."""

SLIDE_GRAZING = 2
"""Flag of a slide: from ``t_lo`` on the signed distance may exceed the tolerance, by at most a 32nd of it, before the event."""

manifold_point_dtype: np.dtype[np.void] = np.dtype(
    [
        ("gap_lo", np.float64),
        ("gap_hi", np.float64),
        ("index_a", np.int64),
        ("index_b", np.int64),
        ("feature_a", np.int32),
        ("feature_b", np.int32),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("normal", np.float64, 3),
        ("epsilon", np.float64),
        ("group", np.int32),
        ("reserved", np.int32),
    ]
)
"""Record of one point of contact: 128 bytes, the layout of ``ccd_rigid_manifold_point`` in ccd.h.

============== ======= ===== ================================================================
field          type    shape meaning
============== ======= ===== ================================================================
``gap_lo``     float64       the gap along the normal is at least this, a length
``gap_hi``     float64       it is at most this; below 0 it is an overlap
``index_a``    int64         triangle of a that has the feature
``index_b``    int64         triangle of b
``feature_a``  int32         feature of that triangle, an index of `FEATURES`
``feature_b``  int32         the same of b
``point_a``    float64 (3,)  where the point is on a, in world coordinates
``point_b``    float64 (3,)  where it is on b
``normal``     float64 (3,)  unit vector from b to a, in the world
``epsilon``    float64       how far each point may be from its body, a length
``group``      int32         points of one group have one normal
``reserved``   int32         0
============== ======= ===== ================================================================
"""


@dataclass(frozen=True)
class ManifoldPoint(Result, dtype=manifold_point_dtype):
    """A point of contact of two bodies.

    Attributes
    ----------
    gap_lo : float
        The gap of the points along the normal is at least this, a length.
    gap_hi : float
        It is at most this. Below 0 it is an overlap.
    index_a : int
        Triangle of a that has `feature_a`.
    index_b : int
        Triangle of b that has `feature_b`.
    feature_a : int
        Feature of it: 0 to 2 a corner, 3 to 5 the edge that begins at corner feature - 3, 6 the face.
    feature_b : int
        The same of b.
    point_a : tuple of float
        Where the point is on a, 3 world coordinates.
    point_b : tuple of float
        Where it is on b, 3 world coordinates.
    normal : tuple of float
        Unit vector from b to a, 3 components, in the world.
    epsilon : float
        Each point is within this of its body.
    group : int
        Points of one group have one normal, up to an angle of 2**-10.

    See Also
    --------
    manifold_point_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> box, here, there = ccd.rigid.Body.box((2, 2, 2)), ((1, 0, 0, 0), (0, 0, 0)), ((1, 0, 0, 0), (0.5, 0.5, 2))
    >>> found = ccd.rigid.manifold(box, there, box, here, 1e-6)
    >>> print(ccd.rigid.ManifoldPoint.from_record(found.points[0]))
    gap in [-1.6e-12, 1.6e-12] at -0.5 -0.5 1, normal 0 0 1, triangles 0 3
    """

    gap_lo: float
    gap_hi: float
    index_a: int
    index_b: int
    feature_a: int
    feature_b: int
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]
    normal: tuple[float, ...]
    epsilon: float
    group: int

    def __str__(self) -> str:
        at, n = (" ".join(f"{x:g}" for x in v) for v in (self.point_a, self.normal))
        return f"gap in [{self.gap_lo:.2g}, {self.gap_hi:.2g}] at {at}, normal {n}, triangles {self.index_a} {self.index_b}"


@dataclass(frozen=True)
class Manifold:
    """The contact of two bodies at poses.

    Attributes
    ----------
    points : numpy.ndarray
        Points (n,) of `manifold_point_dtype`, in an order that does not depend on triangles.
    flags : int
        Sum of `MANIFOLD_CROSSING`, `MANIFOLD_INSIDE` and `MANIFOLD_DEEP`.
    """

    points: NDArray[np.void]
    flags: int

    crossing = Flag(
        MANIFOLD_CROSSING,
        "Whether the surfaces pass through each other by more than rounding; overlaps beyond the tolerance have no points.",
    )
    inside = Flag(MANIFOLD_INSIDE, "Whether one of the bodies is solid, and a corner of the other one is inside of it.")
    deep = Flag(MANIFOLD_DEEP, "Whether the points are those at the end of the way out, with gaps as the bodies are now.")

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            ``points``, as `ManifoldPoint.as_dict` returns them, ``crossing``, ``inside`` and ``deep``.
        """
        points = [ManifoldPoint.from_record(p).as_dict() for p in self.points]
        return {"points": points, "crossing": self.crossing, "inside": self.inside, "deep": self.deep}


def manifold(
    a: Body, pa: PoseLike, b: Body, pb: PoseLike, tolerance: float, reduce: bool = False, *, lead_out: bool = False
) -> Manifold:
    """List where two bodies touch at poses, within a tolerance.

    A point is a corner over a face, or an edge across an edge, of features of the bodies: corners and edges that only a cut of
    a flat face makes have none. The normal is that of the face, or the product of the edges, and the gap is measured along it.

    Parameters
    ----------
    a : Body
        The first body.
    pa : array_like or tuple
        Its pose, as of `distance`. For a time of impact pass ``motion_pose(motion, impact.toi_lo)``.
    b : Body
        The second body; may be the same as `a`.
    pb : array_like or tuple
        Its pose.
    tolerance : float
        How far apart, or how deep in each other, features in contact may be, a length. 0 stands for rounding.
    reduce : bool, default False
        Return at most four points of each group. Their hull has at least 0.63 of the area of that of all.
    lead_out : bool, default False
        If the way out of `penetration_depth` is longer than the tolerance, return the points at its end, on the bodies as they
        are now; ``deep`` is then True. Without it such bodies have no points.

    Returns
    -------
    Manifold
        The points, and whether the bodies overlap.

    Raises
    ------
    Error
        As `distance`.

    See Also
    --------
    slide : How long bodies stay in contact.
    ccd.patch.manifold : The same of curved patches that move.

    Notes
    -----
    Points and normals, but for rounding, and their order do not depend on the order of triangles nor on how faces are cut, edge
    to edge; with the bodies exchanged, normals are negated (laws M1 to M4).

    Examples
    --------
    A box on another one: the corners of the face that both share.

    >>> import ccd
    >>> box, no_turn = ccd.rigid.Body.box((2, 2, 2)), (1, 0, 0, 0)
    >>> found = ccd.rigid.manifold(box, (no_turn, (0.5, 0.5, 2)), box, (no_turn, (0, 0, 0)), 1e-6)
    >>> sorted(found.points["point_a"].round(9).tolist())
    [[-0.5, -0.5, 1.0], [-0.5, 1.0, 1.0], [1.0, -0.5, 1.0], [1.0, 1.0, 1.0]]
    >>> found.points["normal"][0].tolist(), found.crossing
    ([0.0, 0.0, 1.0], False)
    >>> found = ccd.rigid.manifold(box, (no_turn, (0.5, 0.5, 1.5)), box, (no_turn, (0, 0, 0)), 1e-6, lead_out=True)
    >>> found.deep, found.points["gap_lo"].round(9).tolist()
    (True, [-0.5, -0.5, -0.5, -0.5])
    """
    call, flags = Call({}, long=False), ctypes.c_uint32(MANIFOLD_CROSSING | MANIFOLD_INSIDE)
    first, second = to_pose_struct("pa", pa), to_pose_struct("pb", pb)
    function = abi.library().ccd_rigid_manifold
    every = (
        *(to_handle("a", a), ctypes.byref(first), to_handle("b", b), ctypes.byref(second)),
        *(
            arrays.number("tolerance", tolerance),
            _REDUCE * bool(reduce) + _LEAD_OUT * bool(lead_out),
            call.options,
            ctypes.byref(flags),
        ),
    )
    points = results.listed("rigid_manifold_points", manifold_point_dtype, call, function, every)
    return Manifold(points, flags.value)


class SlideEvent(_Named):
    """How a contact ends.

    Attributes
    ----------
    UNDECIDED : int
        0: ``max_iterations`` was reached, or doubles are too coarse. What is before ``t_lo`` is proven.
    STAYS : int
        1: the bodies stay in contact.
    PENETRATES : int
        2: they come deeper into each other than the tolerance.
    PARTS : int
        3: they come farther apart than the tolerance.

    Examples
    --------
    >>> import ccd
    >>> [str(event) for event in ccd.rigid.SlideEvent]
    ['undecided', 'stays', 'penetrates', 'parts']
    """

    UNDECIDED = 0
    STAYS = 1
    PENETRATES = 2
    PARTS = 3


@dataclass(frozen=True)
class Slide:
    """How long two bodies stay in contact.

    Attributes
    ----------
    event : SlideEvent
        How the contact ends.
    flags : int
        Sum of `SLIDE_INITIAL` and `SLIDE_GRAZING`.
    t_lo : float
        Before it the signed distance is within the tolerance, which is a proof.
    t_hi : float
        At it the signed distance exceeds the tolerance; infinite if no such time is known.
    lo : float
        The signed distance at `t_hi`, or where that is infinite at the end of what is proven, is at least this.
    hi : float
        It is at most this.
    normal : tuple of float
        Unit vector from b to a, 3 components: along it the bodies are about `lo` apart. Zeros if not known.
    iterations : int
        Work done, in the unit of ``max_iterations``.
    part_a : int
        Where a body is given by parts: index of the part of a that `lo`, `hi` and `normal` are of; else 0.
    part_b : int
        That of b.
    """

    event: SlideEvent
    flags: int
    t_lo: float
    t_hi: float
    lo: float
    hi: float
    normal: tuple[float, ...]
    iterations: int
    part_a: int = 0
    part_b: int = 0

    @property
    def stays(self) -> bool:
        """Whether the bodies stay in contact up to ``t_max``."""
        return self.event is SlideEvent.STAYS

    initial = Flag(SLIDE_INITIAL, "Whether the bodies are not in contact at ``t_min``.")
    grazing = Flag(
        SLIDE_GRAZING,
        "Whether from `t_lo` on the signed distance may exceed the tolerance, by at most a 32nd of it, before the event.",
    )

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields; ``event`` is its name.
        """
        return asdict(self) | {"event": str(self.event), "normal": list(self.normal)}


def _handles(name: str, body: Body | Sequence[Body]) -> tuple[Any, int]:
    """Return handles of the parts of a body, and how many there are."""
    if isinstance(body, (list, tuple)):
        parts, named = list(body), [f"{name}[{i}]" for i in range(len(body))]
    elif isinstance(body, Body):
        parts, named = [body], [name]
    else:
        raise ArgumentError(f"{name} is {type(body).__name__}: must be a ccd.rigid.Body, or a list of convex parts")
    return (ctypes.c_void_p * len(parts))(*(to_handle(n, p) for n, p in zip(named, parts))), len(parts)


def slide(
    a: Body | Sequence[Body],
    ma: Motion | PoseLike,
    b: Body | Sequence[Body],
    mb: Motion | PoseLike,
    tolerance: float,
    *,
    t_min: float = 0.0,
    t_max: float = 1.0,
    max_iterations: int | None = None,
    progress: Callable[[float], Any] | None = None,
) -> Slide:
    """Compute the first time at which two convex bodies in contact penetrate by more than a tolerance, or lose contact.

    The signed distance is the distance of bodies that are apart; of bodies that overlap it is the length of the least
    translation that parts them, with a minus. Of bodies that are given by parts it is the least one of a part of a and one of
    b.

    Parameters
    ----------
    a : Body or sequence of Body
        The first body; convex: a shape, or a closed surface that bulges outward, or a flat convex one. A body that is not
        convex is given by convex parts, which share its motion; they may touch and overlap.
    ma : Motion or array_like
        Its motion. A pose, as of `Motion.from_pose`, is a body at rest.
    b : Body or sequence of Body
        The second body, likewise.
    mb : Motion or array_like
        Its motion, or its pose.
    tolerance : float
        How far apart, or how deep in each other, bodies in contact may be, a length; at least 2**-30 of the sum of the radii
        about the pivots and 2**-32 of how far the pivots come apart.
    t_min : float, default 0
        The first time.
    t_max : float, default 1
        The last time.
    max_iterations : int, optional
        Budget of poses looked at and times proven; a million by default.
    progress : callable, optional
        It gets the fraction of the budget that is spent, and may cancel the call by returning True, as Ctrl-C does.

    Returns
    -------
    Slide
        The event, and a bracket of its time.

    Raises
    ------
    UnsupportedError
        A body is not convex; or the call does not support an option.
    Error
        As `distance`.

    See Also
    --------
    manifold : Where bodies touch.
    earliest : When bodies that are apart touch first.

    Notes
    -----
    Laws L1 to L5. A pair of parts penetrates by no more than the smaller of them is wide: choose a tolerance far below the
    width of every part. Paper: [vandenBergen2001], for the depth.

    Examples
    --------
    A box slides over the edge of a table of width 4 at speed 5.

    >>> import ccd
    >>> table, box = ccd.rigid.Body.box((4, 4, 2)), ccd.rigid.Body.box((1, 1, 1))
    >>> moves = ccd.rigid.Motion(position=(0, 0, 1.5), velocity=(5, 0, 0))
    >>> end = ccd.rigid.slide(box, moves, table, ccd.rigid.Motion(), 1e-6)
    >>> str(end.event), round(end.t_lo, 6), end.t_lo <= (2.5 + 1e-6) / 5 <= end.t_hi
    ('parts', 0.5, True)

    A table of two halves: the box slides over the joint.

    >>> corners = [[[x, y, z] for x in (k, k + 2) for y in (-2, 2) for z in (-1, 1)] for k in (-2, 0)]
    >>> halves = [ccd.rigid.Body.hull(x) for x in corners]
    >>> end = ccd.rigid.slide([box], moves, halves, ccd.rigid.Motion(), 1e-6)
    >>> str(end.event), round(end.t_lo, 6), end.part_b
    ('parts', 0.5, 1)
    """
    options = _times(t_min, t_max, max_iterations, progress)
    return _search(abi.library().ccd_rigid_slide_parts, a, ma, b, mb, arrays.number("tolerance", tolerance), options)


def first_depth(
    a: Body | Sequence[Body],
    ma: Motion | PoseLike,
    b: Body | Sequence[Body],
    mb: Motion | PoseLike,
    limit: float,
    *,
    t_min: float = 0.0,
    t_max: float = 1.0,
    max_iterations: int | None = None,
    progress: Callable[[float], Any] | None = None,
) -> Slide:
    """Compute the first time at which two convex bodies overlap more deeply than a limit.

    The depth is the least translation that parts them, that of `penetration_depth`. The bodies may be apart, touch or overlap
    at `t_min`.

    Parameters
    ----------
    a : Body or sequence of Body
        The first body, as in `slide`: convex, or its convex parts.
    ma : Motion or array_like
        Its motion. A pose, as of `Motion.from_pose`, is a body at rest.
    b : Body or sequence of Body
        The second body, likewise.
    mb : Motion or array_like
        Its motion, or its pose.
    limit : float
        How deep the bodies may be in each other, a length; in the range of the tolerance of `slide`.
    t_min : float, default 0
        The first time.
    t_max : float, default 1
        The last time.
    max_iterations : int, optional
        Budget of poses looked at and times proven; a million by default.
    progress : callable, optional
        It gets the fraction of the budget that is spent, and may cancel the call by returning True, as Ctrl-C does.

    Returns
    -------
    Slide
        ``event`` is PENETRATES: the depth is at most the limit for all times before ``t_lo``, and above it at ``t_hi``; or
        STAYS: it is nowhere above it. ``initial`` says that it is at `t_min` already.

    Raises
    ------
    UnsupportedError
        A body is not convex; or the call does not support an option.
    Error
        As `distance`.

    See Also
    --------
    penetration_depth : How deep bodies overlap at poses.
    slide : When bodies in contact penetrate or part.

    Notes
    -----
    Law L6. Of bodies that are given by parts the depth is that of two parts: that of the bodies is as much or more.
    Paper: [vandenBergen2001], for the depth.

    Examples
    --------
    A ball of radius 1 falls at speed 1 onto a table whose top is at height 1: it is 1/4 deep at the time 1.25.

    >>> import ccd
    >>> table, ball = ccd.rigid.Body.box((4, 4, 2)), ccd.rigid.Body.sphere(1)
    >>> falls = ccd.rigid.Motion(position=(0, 0, 3), velocity=(0, 0, -1))
    >>> deep = ccd.rigid.first_depth(ball, falls, table, ccd.rigid.Motion(), 0.25, t_max=2)
    >>> str(deep.event), deep.t_lo <= 1.25 <= deep.t_hi, deep.t_hi - deep.t_lo < 0.005
    ('penetrates', True, True)
    """
    options = _times(t_min, t_max, max_iterations, progress)
    return _search(abi.library().ccd_rigid_first_depth, a, ma, b, mb, arrays.number("limit", limit), options)


def _times(t_min: float, t_max: float, max_iterations: int | None, progress: Callable[[float], Any] | None) -> Options:
    options: Options = {"t_min": t_min, "t_max": t_max}
    if max_iterations is not None:
        options["max_iterations"] = max_iterations
    if progress is not None:
        options["progress"] = progress
    return options


def _search(
    function: Any,
    a: Body | Sequence[Body],
    ma: Motion | PoseLike,
    b: Body | Sequence[Body],
    mb: Motion | PoseLike,
    most: float,
    options: Options,
) -> Slide:
    call, out = Call(options, long=True), abi.Slide()
    first, second = to_struct("ma", ma), to_struct("mb", mb)
    arguments = (*_handles("a", a), ctypes.byref(first), *_handles("b", b), ctypes.byref(second))
    call(function, *arguments, most, call.options, ctypes.byref(out))
    numbers = (out.t_lo, out.t_hi, out.lo, out.hi, tuple(out.normal), out.iterations, out.part_a, out.part_b)
    return Slide(SlideEvent(out.event), out.flags, *numbers)
