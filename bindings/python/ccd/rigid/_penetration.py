"""How deep rigid bodies at poses overlap: the least translation that separates them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._native import abi
from .._native.call import Call, alone
from .._native.result import Flag, Result
from ..errors import Error
from ._body import Body, to_handle
from ._distance import at_poses, to_pose_struct
from ._pose import PoseLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options

PENETRATION_OVERLAPPING = 1
"""Flag of a penetration: the insides of the bodies surely share a point, lo > 0."""

PENETRATION_UPPER_BOUND = 2
"""Flag of a penetration: a body is not convex, lo = 0, and hi is the shortest way out that was found."""

PENETRATION_UNFINISHED = 4
"""Flag of a penetration: ``max_iterations`` ended the search, so the bracket holds but may be wider than asked."""

penetration_dtype: np.dtype[np.void] = np.dtype(
    [
        ("flags", np.uint32),
        ("reserved", np.int32),
        ("lo", np.float64),
        ("hi", np.float64),
        ("translation", np.float64, 3),
        ("normal", np.float64, 3),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("epsilon", np.float64),
        ("iterations", np.int64),
    ]
)
"""Record of one depth: 136 bytes, the layout of ``ccd_rigid_penetration`` in ccd.h.

=============== ======= ===== ===========================================================================
field           type    shape meaning
=============== ======= ===== ===========================================================================
``flags``       uint32        sum of `PENETRATION_OVERLAPPING`, `PENETRATION_UPPER_BOUND`,
                              `PENETRATION_UNFINISHED`
``reserved``    int32         0
``lo``          float64       the depth is at least this, a length
``hi``          float64       the depth is at most this
``translation`` float64 (3,)  moved by it, a shares no point with b; in the world
``normal``      float64 (3,)  unit vector from b to a, along the translation; zeros where hi is 0
``point_a``     float64 (3,)  deepest point of a, in world coordinates
``point_b``     float64 (3,)  that of b, about point_a + translation
``epsilon``     float64       how far these are from points of the bodies with that difference, a length
``iterations``  int64         steps of the search that answered, the unit of max_iterations
=============== ======= ===== ===========================================================================
"""

penetration_gradient_dtype: np.dtype[np.void] = np.dtype(
    [
        ("penetration", penetration_dtype),
        ("position_a", np.float64, 3),
        ("rotation_a", np.float64, 3),
        ("position_b", np.float64, 3),
        ("rotation_b", np.float64, 3),
        ("state", np.int32),
        ("reserved", np.int32),
    ]
)
"""Record of one depth with its derivatives by the poses: 240 bytes, the layout of ``ccd_rigid_penetration_gradient`` in ccd.h.

=============== =================== ===== ====================================================================
field           type                shape meaning
=============== =================== ===== ====================================================================
``penetration`` `penetration_dtype`       the depth
``position_a``  float64             (3,)  by the position of a: -normal
``rotation_a``  float64             (3,)  by a turn of a about its origin, in the axes of the world; a length
                                          per radian
``position_b``  float64             (3,)  by the position of b: normal
``rotation_b``  float64             (3,)  by a turn of b about its origin
``state``       int32                     value of `ccd.GradientState`
``reserved``    int32                     0
=============== =================== ===== ====================================================================
"""


@dataclass(frozen=True)
class Penetration(Result, dtype=penetration_dtype):
    """How deep two bodies overlap: the least translation that separates them.

    The depth is the least length of a translation of a after which the insides of the bodies share no point. It is never
    negative: `distance` tells how far apart bodies are. Where they touch or are apart all numbers are 0.

    Attributes
    ----------
    flags : int
        Sum of `PENETRATION_OVERLAPPING`, `PENETRATION_UPPER_BOUND` and `PENETRATION_UNFINISHED`.
    lo : float
        The depth is at least this; 0 where a body is not convex.
    hi : float
        The depth is at most this: the length of the translation, rounded up.
    translation : tuple of float
        Moved by it, in real arithmetic, a shares no point with b; 3 components, in the world.
    normal : tuple of float
        Unit vector from b to a, 3 components, along the translation.
    point_a : tuple of float
        The deepest point of a, 3 world coordinates.
    point_b : tuple of float
        That of b, 3 world coordinates: about point_a + translation.
    epsilon : float
        How far these are from points of the bodies that have that difference, a length.
    iterations : int
        Steps of the search that answered, the unit of ``max_iterations``.

    See Also
    --------
    penetration_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> cube, no_turn = ccd.rigid.Body.box((2, 2, 2)), (1, 0, 0, 0)
    >>> found = ccd.rigid.penetration_depths(cube, [(no_turn, (1.5, 0, 0))], cube, [(no_turn, (0, 0, 0))])
    >>> round(ccd.rigid.Penetration.from_record(found[0]).hi, 9)
    0.5
    """

    flags: int
    lo: float
    hi: float
    translation: tuple[float, ...]
    normal: tuple[float, ...]
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]
    epsilon: float
    iterations: int

    _also = "overlapping", "upper_bound"

    overlapping = Flag(PENETRATION_OVERLAPPING, "Whether the insides of the bodies surely share a point.")
    upper_bound = Flag(
        PENETRATION_UPPER_BOUND, "Whether a body is not convex, so that hi is the shortest way out that was found."
    )
    unfinished = Flag(
        PENETRATION_UNFINISHED, "Whether ``max_iterations`` ended the search: the bracket holds, but may be wider than asked."
    )

    def __str__(self) -> str:
        if self.hi == 0:
            return "touching or apart: depth 0"
        kind = "at most" if self.upper_bound else "in"
        depth = f"{self.hi:g}" if self.upper_bound else f"[{self.lo:g}, {self.hi:g}]"
        return f"depth {kind} {depth}" + (", unfinished" if self.unfinished else "")


def penetration_depth(a: Body, pa: PoseLike, b: Body, pb: PoseLike, **options: Unpack[Options]) -> Penetration:
    """Compute how deep two bodies at poses overlap: the least translation of a that separates them.

    A body is what its triangles enclose, with its radius. Nested bodies leave by the shortest way; of several equally short
    ones one is returned, always the same.

    Parameters
    ----------
    a : Body
        The first body, which the translation moves.
    pa : array_like or tuple
        Its pose, as in `distance`.
    b : Body
        The second body; may be the same as `a`.
    pb : array_like or tuple
        Its pose.
    **options : Options
        Keywords of `ccd.Options`: ``tolerance``, the width that the bracket may have (default None: as narrow as doubles tell),
        and ``max_iterations``.

    Returns
    -------
    Penetration
        Of convex bodies a bracket: shapes, padded or not, and surfaces that are the convex hull of their corners, which is
        decided exactly. Of other bodies ``lo`` is 0 and ``hi`` the shortest way out that was found, proven by
        the search for contact. The translation is proven in real arithmetic: a position to which it is added rounds.

    Raises
    ------
    Error
        As `distance`.

    See Also
    --------
    distance : How far apart bodies are.
    ccd.proximity.untangle : Positions of meshes nearby that do not cross.

    Notes
    -----
    Paper: [vandenBergen2001].

    Examples
    --------
    >>> import ccd
    >>> cube, small, no_turn = ccd.rigid.Body.box((2, 2, 2)), ccd.rigid.Body.box((0.2, 0.2, 0.2)), (1, 0, 0, 0)
    >>> found = ccd.rigid.penetration_depth(small, (no_turn, (0.3, 0, 0)), cube, (no_turn, (0, 0, 0)))
    >>> round(found.lo, 9), round(found.hi, 9), found.normal
    (0.8, 0.8, (1.0, 0.0, 0.0))
    """
    call, out = Call(options, long=False), abi.RigidPenetration()
    bodies = to_handle("a", a), to_handle("b", b)
    first, second = to_pose_struct("pa", pa), to_pose_struct("pb", pb)
    arguments = (bodies[0], ctypes.byref(first), bodies[1], ctypes.byref(second))
    try:
        call(abi.library().ccd_rigid_penetration_depth, *arguments, call.options, ctypes.byref(out))
    except Error as error:
        raise alone(error) from None
    return Penetration._of(out)


def penetration_depths(
    a: Body,
    pa: Sequence[PoseLike] | NDArray[Any],
    b: Body,
    pb: Sequence[PoseLike] | NDArray[Any],
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Compute how deep two bodies overlap for many pairs of poses.

    Parameters
    ----------
    a : Body
        The first body.
    pa : sequence of array_like or numpy.ndarray
        Its poses, as in `distances`.
    b : Body
        The second body.
    pb : sequence of array_like or numpy.ndarray
        Its poses, as many.
    **options : Options
        Keywords of `ccd.Options`, as in `penetration_depth`.

    Returns
    -------
    numpy.ndarray
        Depths (n,) of `penetration_dtype`.

    Raises
    ------
    Error
        As `distance`.

    Examples
    --------
    >>> import ccd
    >>> ball, no_turn = ccd.rigid.Body.sphere(1), (1, 0, 0, 0)
    >>> found = ccd.rigid.penetration_depths(
    ...     ball, [(no_turn, (x, 0, 0)) for x in (1.5, 2, 3)], ball, [(no_turn, (0, 0, 0))] * 3
    ... )
    >>> found["hi"].round(9).tolist()
    [0.5, 0.0, 0.0]
    """
    return at_poses(abi.library().ccd_rigid_penetration_batch, penetration_dtype, a, pa, b, pb, options)


def penetration_gradients(
    a: Body,
    pa: Sequence[PoseLike] | NDArray[Any],
    b: Body,
    pb: Sequence[PoseLike] | NDArray[Any],
    **options: Unpack[Options],
) -> NDArray[np.void]:
    """Compute how deep two bodies overlap for many pairs of poses, with the derivatives by these.

    If a moves with the velocity v and turns about its origin with the angular velocity w, in the axes of the world, the
    depth changes at the rate ``position_a @ v + rotation_a @ w``; and so for b.

    Parameters
    ----------
    a : Body
        The first body.
    pa : sequence of array_like or numpy.ndarray
        Its poses, as in `distances`.
    b : Body
        The second body.
    pb : sequence of array_like or numpy.ndarray
        Its poses, as many.
    **options : Options
        Keywords of `ccd.Options`, as in `penetration_depth`.

    Returns
    -------
    numpy.ndarray
        Records (n,) of `penetration_gradient_dtype`. Look at ``state``, a value of `ccd.GradientState`, before you use
        derivatives:

        DEFINED
            The derivatives exist: each by a position is within 1e-12, each by a turn within 1e-12 of the sum of the radii
            about the origins.
        TIE
            Several directions are equally short, parallel faces or a face and an edge meet, or the bodies touch; NaN.
        NO_IMPACT
            The bodies are apart; 0.
        UNDETERMINED
            A body is not convex, or ``max_iterations`` or a tolerance ended the search; NaN.

    Raises
    ------
    Error
        As `distance`.

    See Also
    --------
    distance_gradients : Derivatives of distances.

    Examples
    --------
    >>> import ccd
    >>> ball, cube, no_turn = ccd.rigid.Body.sphere(0.5), ccd.rigid.Body.box((2, 2, 2)), (1, 0, 0, 0)
    >>> g = ccd.rigid.penetration_gradients(ball, [(no_turn, (0.25, 0, 1.25))], cube, [(no_turn, (0, 0, 0))])[0]
    >>> str(ccd.GradientState(int(g["state"]))), g["position_b"].tolist(), g["rotation_b"].round(9).tolist()
    ('defined', [0.0, 0.0, 1.0], [0.0, -0.25, 0.0])
    """
    return at_poses(abi.library().ccd_rigid_penetration_gradients, penetration_gradient_dtype, a, pa, b, pb, options)
