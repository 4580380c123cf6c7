"""The derivatives of times of impact, as `ccd.step.gradients` and `ccd.pair.gradients` return them."""

from __future__ import annotations

import numpy as np

from .impact import _Named


class GradientState(_Named):
    """Whether a time of impact has derivatives.

    Where a state says that something is 0 or equal, it is that, or cannot be distinguished from it.

    Attributes
    ----------
    UNDETERMINED : int
        0: the derivatives are beyond the range of doubles; they are NaN.
    DEFINED : int
        1: the derivatives exist; each is within 1e-12 times the largest of them.
    NO_IMPACT : int
        2: the pair is separate, and ``toi`` inf; the derivatives are 0.
    INITIAL : int
        3: the pair is in contact at t = 0, where ``toi`` stays or jumps; the derivatives are 0.
    GRAZING : int
        4: the pair does not approach at ``toi``, a double root; they are NaN.
    TIE : int
        5: several points or features touch first, at once, as those of parallel edges; they are NaN.
    BORDER : int
        6: a small change ends the contact. Without a separation it is at the border of a face or at the end of an edge, or it
        is that of a point and an edge, or of two points. Or ``toi`` is ``t_max``. The derivatives are NaN.

    Examples
    --------
    >>> import ccd
    >>> str(ccd.GradientState(1))
    'defined'
    """

    UNDETERMINED = 0
    DEFINED = 1
    NO_IMPACT = 2
    INITIAL = 3
    GRAZING = 4
    TIE = 5
    BORDER = 6


gradient_dtype: np.dtype[np.void] = np.dtype(
    [
        ("x0", np.float64, (4, 3)),
        ("x1", np.float64, (4, 3)),
        ("toi", np.float64),
        ("conditioning", np.float64),
        ("weights", np.float64, 4),
        ("normal", np.float64, 3),
        ("vertices", np.int32, 4),
        ("kind", np.int32),
        ("state", np.int32),
    ]
)
"""Record of one gradient: 288 bytes, the layout of ``ccd_gradient`` in ccd.h.

================ ======= ====== ==============================================================
field            type    shape  meaning
================ ======= ====== ==============================================================
``x0``           float64 (4, 3) derivatives of ``toi`` with respect to each vertex at t = 0
``x1``           float64 (4, 3) the same at t = 1
``toi``          float64        the time they are taken at: the largest double not above it;
                                inf without an impact
``conditioning`` float64        abs(n.v) / abs(v), v the velocity of a relative to b; in (0, 1],
                                0 unless DEFINED
``weights``      float64 (4,)   of the vertices in the points in contact, 0 unless DEFINED
``normal``       float64 (3,)   unit, n, from b to a, of what touches first; 0 unless DEFINED
``vertices``     int32   (4,)   vertices of the pair in the order of a query; -1: there is none
``kind``         int32          value of `Kind`
``state``        int32          value of `GradientState`
================ ======= ====== ==============================================================
"""
