"""What calls on rigid bodies return: impacts of two bodies, in a scene, and with a mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._native.result import Result
from ..impact import AnyImpact, Verdict, WithImpact, _Named, in_words

FEATURES = ("corner 0", "corner 1", "corner 2", "edge 0", "edge 1", "edge 2", "inside")
"""Names of the values of ``Impact.feature_a`` and ``Impact.feature_b``."""

impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("flags", np.uint32),
        ("toi_lo", np.float64),
        ("toi_hi", np.float64),
        ("index_a", np.int64),
        ("index_b", np.int64),
        ("feature_a", np.int32),
        ("feature_b", np.int32),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("normal", np.float64, 3),
        ("distance", np.float64),
        ("iterations", np.int64),
    ]
)
"""Record of one impact of two bodies: 136 bytes, the layout of ``ccd_rigid_impact`` in ccd.h.

============== ======= ===== ================================================================
field          type    shape meaning
============== ======= ===== ================================================================
``verdict``    int32         value of `ccd.Verdict`
``flags``      uint32        sum of `ccd.INITIAL_CONTACT`, `INTERSECTING` and `APPROXIMATE`; if
                             undecided `ccd.Reason`
``toi_lo``     float64       a safe time; inf when separate
``toi_hi``     float64       time of the contact; inf when separate or undecided
``index_a``    int64         triangle of a; -1 without contact
``index_b``    int64         triangle of b; -1 without contact
``feature_a``  int32         nearest feature of that triangle, an index of `FEATURES`
``feature_b``  int32         the same of b
``point_a``    float64 (3,)  nearest point of a at toi_hi, in world coordinates
``point_b``    float64 (3,)  nearest point of b
``normal``     float64 (3,)  unit vector from b to a; zeros without contact
``distance``   float64       length: distance of the two points
``iterations`` int64         work done, in the unit of max_iterations
============== ======= ===== ================================================================
"""

scene_impact_dtype: np.dtype[np.void] = np.dtype([("a", np.int64), ("b", np.int64), ("impact", impact_dtype)])
"""Record of one impact in a scene: 152 bytes, the layout of ``ccd_rigid_scene_impact`` in ccd.h.

========== ============== =========================================
field      type           meaning
========== ============== =========================================
``a``      int64          index of the first body; -1 when separate
``b``      int64          index of the second body, a < b
``impact`` `impact_dtype` when and where
========== ============== =========================================
"""

mesh_impact_dtype: np.dtype[np.void] = np.dtype(
    [("body", np.int64), ("shape", np.int32), ("reserved", np.int32), ("impact", impact_dtype)]
)
"""Record of one impact with a mesh: 152 bytes, the layout of ``ccd_rigid_mesh_impact`` in ccd.h.

============ ============== ==================================================================
field        type           meaning
============ ============== ==================================================================
``body``     int64          index of the body; -1 when separate
``shape``    int32          value of `Shape`: what impact.index_b is an index of
``reserved`` int32          0
``impact``   `impact_dtype` when and where; b is the mesh
============ ============== ==================================================================
"""


@dataclass(frozen=True)
class Impact(Result, AnyImpact, dtype=impact_dtype, read={"verdict": Verdict}):
    """The result of a query of two bodies.

    They keep more than ``min_separation`` for all times in [t_min, ``toi_lo``], whatever the verdict, except for contact at
    t_min. If ``min_separation`` is 0, contact means a distance of at most the tolerance, and they keep an eighth of the
    tolerance.

    Attributes
    ----------
    verdict : Verdict
        SEPARATE is a proof for all of [t_min, t_max]. UNDECIDED: ``max_iterations`` is reached, or doubles are too coarse
        for a tolerance below the default; `reason` says which.
    flags : int
        Sum of `ccd.INITIAL_CONTACT`, `INTERSECTING`, `APPROXIMATE` and, if undecided, a `ccd.Reason`.
    toi_lo : float
        A safe time, which itself may be applied unless there is contact at t_min; inf when separate.
    toi_hi : float
        Time at which the distance is at most min_separation + tolerance: ``toi_lo`` or the next double; ``"d2m"`` steps
        back from it to ``toi_lo``. Inf when separate or undecided.
    index_a : int
        Triangle of a; -1 without contact.
    index_b : int
        Triangle of b; -1 without contact.
    feature_a : int
        Nearest feature of it: 0 to 2 a corner, 3 to 5 the edge that begins at corner feature - 3, 6 the face.
    feature_b : int
        The same of b.
    point_a : tuple of float
        Nearest point of a at ``toi_hi``, 3 world coordinates.
    point_b : tuple of float
        Nearest point of b at ``toi_hi``, 3 world coordinates.
    normal : tuple of float
        Unit vector from b to a, 3 components. Where the points coincide: one along which all triangles in contact are apart,
        turned against the motion of a relative to b (not with ``ignore_separating``). Zeros without contact.
    distance : float
        Distance of the two points, a length.
    iterations : int
        Work done, in the unit of ``max_iterations``.

    See Also
    --------
    ccd.AnyImpact : Properties that read the verdict and the flags.
    impact_dtype : The same fields in arrays.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> rest = np.zeros(1, ccd.rigid.motion_dtype)
    >>> rest["rotation"] = 1, 0, 0, 0
    >>> found = ccd.rigid.earliest_batch(body, rest, body, rest)
    >>> ccd.rigid.Impact.from_record(found[0]).initial
    True
    """

    verdict: Verdict
    flags: int
    toi_lo: float
    toi_hi: float
    index_a: int
    index_b: int
    feature_a: int
    feature_b: int
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]
    normal: tuple[float, ...]
    distance: float
    iterations: int

    _also = ("reason",)

    @property
    def point(self) -> tuple[float, ...]:
        """The contact point, midway between ``point_a`` and ``point_b``; zeros without contact."""
        return tuple(0.5 * (x + y) for x, y in zip(self.point_a, self.point_b))

    def __str__(self) -> str:
        which = f"triangles {self.index_a} {self.index_b}" if self.index_a >= 0 else "two bodies"
        return in_words(self.verdict, self.reason, self.toi_lo, self.toi_hi, which)


@dataclass(frozen=True)
class SceneImpact(Result, WithImpact, dtype=scene_impact_dtype, read={"impact": Impact}):
    """The impact of two bodies of a scene.

    Attributes
    ----------
    a : int
        Index of the first body; -1 when all are separate.
    b : int
        Index of the second body, a < b.
    impact : Impact
        When and where.

    See Also
    --------
    ccd.AnyImpact : The verdict and the times of ``impact``, and what reads them.
    scene_impact_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> body = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> found = ccd.rigid.scene_collisions([body, body], [ccd.rigid.Motion()] * 2)
    >>> print(ccd.rigid.SceneImpact.from_record(found[0]))
    contact in [0, 0], bodies 0 1, triangles 0 0
    """

    a: int
    b: int
    impact: Impact

    def __str__(self) -> str:
        i = self.impact
        which = f"bodies {self.a} {self.b}, triangles {i.index_a} {i.index_b}"
        return in_words(self.verdict, self.reason, self.toi_lo, self.toi_hi, which)


class Shape(_Named):
    """Shape of a primitive of a mesh.

    Functions take a member, its number or its name (``"face"``).

    Attributes
    ----------
    FACE : int
        0: a triangle.
    EDGE : int
        1: an edge in no face.
    VERTEX : int
        2: a vertex in no edge.
    """

    FACE = 0
    EDGE = 1
    VERTEX = 2


@dataclass(frozen=True)
class MeshImpact(Result, WithImpact, dtype=mesh_impact_dtype, read={"shape": Shape, "impact": Impact}):
    """The impact of a body and a primitive of a mesh.

    Attributes
    ----------
    body : int
        Index of the body; -1 when all are separate.
    shape : Shape
        Shape of the primitive: what ``impact.index_b`` is an index of, in the mesh.
    impact : Impact
        When and where; b is the mesh. ``feature_b`` of an edge: 0 and 1 its ends, 3 between them.

    See Also
    --------
    ccd.AnyImpact : The verdict and the times of ``impact``, and what reads them.
    mesh_impact_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> x, triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
    >>> body, mesh = ccd.rigid.Body(x, triangle), ccd.Mesh(triangle, vertices=3)
    >>> found = ccd.rigid.mesh_collisions([body], [ccd.rigid.Motion()], mesh, x, x)
    >>> print(ccd.rigid.MeshImpact.from_record(found[0]))
    contact in [0, 0], body 0, triangle 0, with face 0
    """

    body: int
    shape: Shape
    impact: Impact

    @property
    def a(self) -> int:
        """The body; -1 when all are separate. The mesh is no body of the scene: ``b`` is None."""
        return self.body

    def __str__(self) -> str:
        i = self.impact
        which = f"body {self.body}, triangle {i.index_a}, with {self.shape} {i.index_b}"
        return in_words(self.verdict, self.reason, self.toi_lo, self.toi_hi, which)
