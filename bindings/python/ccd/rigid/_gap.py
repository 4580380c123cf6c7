"""What calls for distances of rigid bodies return: a bracket with points, at poses, over motions and in a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._inner.gaps import WithGap
from .._native.result import Flag, Result

GAP_INTERSECTING = 1
"""Flag of a gap: the surfaces share a point, lo = hi = 0."""

GAP_UNFINISHED = 2
"""Flag of a gap: ``max_iterations`` ended the search, so the bracket holds but may be wider than asked."""

GAP_INSIDE = 4
"""Flag of a gap, with `GAP_INTERSECTING`: a body is inside of a solid one, and the surfaces do not meet."""

pose_dtype: np.dtype[np.void] = np.dtype([("rotation", np.float64, 4), ("position", np.float64, 3)])
"""Record of one pose: 56 bytes, the layout of ``ccd_rigid_pose`` in ccd.h.

============ ======= ===== ===============================================
field        type    shape meaning
============ ======= ===== ===============================================
``rotation`` float64 (4,)  quaternion w, x, y, z; not 0
``position`` float64 (3,)  of the body's origin, in world coordinates
============ ======= ===== ===============================================
"""

gap_dtype: np.dtype[np.void] = np.dtype(
    [
        ("flags", np.uint32),
        ("reserved", np.int32),
        ("lo", np.float64),
        ("hi", np.float64),
        ("index_a", np.int64),
        ("index_b", np.int64),
        ("feature_a", np.int32),
        ("feature_b", np.int32),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("normal", np.float64, 3),
        ("epsilon", np.float64),
        ("time", np.float64),
        ("iterations", np.int64),
    ]
)
"""Record of one distance: 144 bytes, the layout of ``ccd_rigid_gap`` in ccd.h.

============== ======= ===== ================================================================
field          type    shape meaning
============== ======= ===== ================================================================
``flags``      uint32        sum of `GAP_INTERSECTING`, `GAP_UNFINISHED`, `GAP_INSIDE`
``reserved``   int32         0
``lo``         float64       the distance is at least this, a length
``hi``         float64       the distance is at most this
``index_a``    int64         triangle of a
``index_b``    int64         triangle of b
``feature_a``  int32         feature of that triangle, an index of `FEATURES`
``feature_b``  int32         the same of b
``point_a``    float64 (3,)  about the nearest point of a, in world coordinates
``point_b``    float64 (3,)  that of b
``normal``     float64 (3,)  unit vector from b to a, in the world; zeros where none is known
``epsilon``    float64       how far each point may be from its body, a length
``time``       float64       time of the points, of `clearance`; else 0
``iterations`` int64         work done, in the unit of max_iterations
============== ======= ===== ================================================================
"""

gap_gradient_dtype: np.dtype[np.void] = np.dtype(
    [
        ("gap", gap_dtype),
        ("position_a", np.float64, 3),
        ("rotation_a", np.float64, 3),
        ("position_b", np.float64, 3),
        ("rotation_b", np.float64, 3),
        ("state", np.int32),
        ("reserved", np.int32),
    ]
)
"""Record of one distance with its derivatives by the poses: 248 bytes, the layout of ``ccd_rigid_gap_gradient`` in ccd.h.

============== =========== ===== ==================================================================
field          type        shape meaning
============== =========== ===== ==================================================================
``gap``        `gap_dtype`       the distance
``position_a`` float64     (3,)  by the position of a: the unit normal, from b to a, in the world
``rotation_a`` float64     (3,)  by a turn of a about its origin, in the axes of the world; a length
                                 per radian
``position_b`` float64     (3,)  by the position of b: -position_a
``rotation_b`` float64     (3,)  by a turn of b about its origin
``state``      int32             value of `ccd.GradientState`
``reserved``   int32             0
============== =========== ===== ==================================================================
"""

scene_gap_dtype: np.dtype[np.void] = np.dtype([("a", np.int64), ("b", np.int64), ("gap", gap_dtype)])
"""Record of one distance in a scene: 160 bytes, the layout of ``ccd_rigid_scene_gap`` in ccd.h.

======= =========== ==================================
field   type        meaning
======= =========== ==================================
``a``   int64       index of the first body
``b``   int64       index of the second body, a < b
``gap`` `gap_dtype` their distance
======= =========== ==================================
"""


@dataclass(frozen=True)
class Gap(Result, dtype=gap_dtype):
    """The distance of two bodies, as a bracket.

    It is never negative. A body of a surface is that surface: a body inside of it that does not reach it has the distance of
    the surfaces. Shapes are solid: what is inside of one has the distance 0, with `GAP_INSIDE`. Then the normal leads
    a out of b, and the points are nearest points of the triangles, or of the point or the segment that a ball or a capsule is
    without its radius: that of a ball is its center.

    Attributes
    ----------
    flags : int
        Sum of `GAP_INTERSECTING`, `GAP_UNFINISHED` and `GAP_INSIDE`.
    lo : float
        The distance is at least this; for `clearance` at all times. Both ends are 0 if and only if the bodies share a point;
        of bodies with a deviation, only if they surely do.
    hi : float
        The distance is at most this; for `clearance` at `time`.
    index_a : int
        Triangle of a that `point_a` lies on.
    index_b : int
        Triangle of b that `point_b` lies on.
    feature_a : int
        Feature of it: 0 to 2 a corner, 3 to 5 the edge that begins at corner feature - 3, 6 the face.
    feature_b : int
        The same of b.
    point_a : tuple of float
        About the nearest point of a, 3 world coordinates.
    point_b : tuple of float
        That of b, 3 world coordinates.
    normal : tuple of float
        Unit vector from b to a, 3 components, in the world. Where the surfaces touch, that of a plane between the triangles in
        contact, however faces are cut; where they pass through each other, of the pair that was met first. Zeros where none is
        known.
    epsilon : float
        Each point is within this of its body, and their distance within twice this of [lo, hi].
    time : float
        Time of the points, of `clearance`; else 0.
    iterations : int
        Work done, in the unit of ``max_iterations``.

    See Also
    --------
    gap_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> body = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> here, there = ((1, 0, 0, 0), (0, 0, 0)), ((1, 0, 0, 0), (0, 0, 2))
    >>> found = ccd.rigid.distances(body, [here], body, [there])
    >>> round(ccd.rigid.Gap.from_record(found[0]).distance, 9)
    2.0
    """

    flags: int
    lo: float
    hi: float
    index_a: int
    index_b: int
    feature_a: int
    feature_b: int
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]
    normal: tuple[float, ...]
    epsilon: float
    time: float
    iterations: int

    _also = ("intersecting",)

    intersecting = Flag(GAP_INTERSECTING, "Whether the surfaces share a point.")
    unfinished = Flag(
        GAP_UNFINISHED, "Whether ``max_iterations`` ended the search: the bracket holds, but may be wider than asked."
    )
    inside = Flag(GAP_INSIDE, "Whether one of the bodies is inside of the other, which is solid.")

    @property
    def distance(self) -> float:
        """The middle of [lo, hi], a length."""
        return self.lo + 0.5 * (self.hi - self.lo)

    def __str__(self) -> str:
        where = f"triangles {self.index_a} {self.index_b}"
        if self.intersecting:
            return f"intersecting, {where}"
        return f"distance in [{self.lo:g}, {self.hi:g}], {where}" + (", unfinished" if self.unfinished else "")


@dataclass(frozen=True)
class SceneGap(Result, WithGap, dtype=scene_gap_dtype, read={"gap": Gap}):
    """The distance of two bodies of a scene.

    Attributes
    ----------
    a : int
        Index of the first body.
    b : int
        Index of the second body, a < b.
    gap : Gap
        Their distance.

    See Also
    --------
    scene_gap_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> body = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> poses = [((1, 0, 0, 0), (0, 0, z)) for z in (0, 2)]
    >>> found = ccd.rigid.within([body, body], poses, 3)
    >>> print(ccd.rigid.SceneGap.from_record(found[0]))
    bodies 0 1: distance in [2, 2], triangles 0 0
    """

    a: int
    b: int
    gap: Gap

    def __str__(self) -> str:
        return f"bodies {self.a} {self.b}: {self.gap}"
