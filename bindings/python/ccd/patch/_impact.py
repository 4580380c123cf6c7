"""One impact of patches, and its record."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._native.records import items_are
from ..impact import AnyImpact, Verdict, in_words, plain

impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("flags", np.uint32),
        ("a", np.int64),
        ("b", np.int64),
        ("toi_lo", np.float64),
        ("toi_hi", np.float64),
        ("uv_a", np.float64, 2),
        ("uv_b", np.float64, 2),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("width", np.float64),
    ]
)
"""Record of one impact of patches: 128 bytes, the layout of ``ccd_patch_impact`` in ccd.h.

=========== ======= ===== ===============================================================
field       type    shape meaning
=========== ======= ===== ===============================================================
``verdict`` int32         value of `ccd.Verdict`
``flags``   uint32        sum of `ccd.CERTIFIED` and `ccd.INITIAL_CONTACT`; if undecided
                          `ccd.Reason`
``a``       int64         index of the patch of the first body
``b``       int64         index of the patch of the second body
``toi_lo``  float64       no contact happens before this time; inf when separate
``toi_hi``  float64       the contact happens in [toi_lo, toi_hi]; inf when separate
``uv_a``    float64 (2,)  parameters of the point of a
``uv_b``    float64 (2,)  parameters of the point of b
``point``   float64 (3,)  the point of a at toi_lo
``normal``  float64 (3,)  unit vector from b to a; zeros when separate
``width``   float64       length: how far the two points move relative to each other from
                          toi_lo to toi_hi
=========== ======= ===== ===============================================================
"""


@dataclass(frozen=True)
class Impact(AnyImpact):
    """One impact between two patches, or the proof that there is none.

    No contact happens for t < ``toi_lo``, whatever the verdict. Times are fractions of the step.

    Attributes
    ----------
    verdict : Verdict
        SEPARATE, CONTACT or UNDECIDED, for which `reason` says why.
    flags : int
        Sum of `ccd.CERTIFIED`, `ccd.INITIAL_CONTACT` and, if undecided, one or two of `ccd.Reason`.
    a : int
        Index of the patch in the first body; -1 from `pair`.
    b : int
        Index of the patch in the second body; -1 from `pair`.
    toi_lo : float
        A safe time, whatever the verdict: up to it more than ``min_separation`` is kept, unless it is 0; inf when
        separate. In a loop of steps apply a share of it, and set ``no_zero_toi``: patches that move apart from
        there are not reported at t = 0.
    toi_hi : float
        A reported contact happens in [``toi_lo``, ``toi_hi``]; inf when separate.
    uv_a : tuple of float
        Parameters (u, v) on patch a. At ``toi_hi`` the points on both patches are within ``min_separation``,
        tolerance and rounding of each other.
    uv_b : tuple of float
        Parameters (u, v) on patch b.
    point : tuple of float
        The point of a at ``toi_lo``, 3 coordinates.
    normal : tuple of float
        Unit vector from b to a, 3 components; zeros when separate.
    width : float
        A length: how far the two points move relative to each other from ``toi_lo`` to ``toi_hi``.

    See Also
    --------
    ccd.AnyImpact : Properties that read the verdict and the flags.
    impact_dtype : The same fields in arrays.
    """

    verdict: Verdict
    flags: int
    a: int
    b: int
    toi_lo: float
    toi_hi: float
    uv_a: tuple[float, ...]
    uv_b: tuple[float, ...]
    point: tuple[float, ...]
    normal: tuple[float, ...]
    width: float

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """Return the impact in one element of an array of `impact_dtype`.

        Parameters
        ----------
        record : numpy.void
            One element of the array.

        Returns
        -------
        Impact
            The same values in plain types.

        Raises
        ------
        ArgumentError
            `record` is no element of such an array.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
        >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
        >>> found = ccd.patch.collisions(body, x, x, body, x + [0, 0, 1], x - [0, 0, 1])
        >>> ccd.patch.Impact.from_record(found[0]).contact
        True
        """
        values = plain(record, impact_dtype)
        values["verdict"] = Verdict(values["verdict"])
        return cls(**values)

    def __str__(self) -> str:
        which = "a pair" if self.a < 0 else f"patches {self.a} {self.b}"
        return in_words(self.verdict, self.reason, self.toi_lo, self.toi_hi, which)

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields, with the name of the verdict, lists for vectors, None for an infinite time, and
            ``certified``, ``initial_contact`` and ``reason`` in place of ``flags``.
        """
        values: dict[str, Any] = {
            name: getattr(self, name) for name in ("a", "b", "toi_lo", "toi_hi", "uv_a", "uv_b", "point", "normal", "width")
        }
        values = {name: list(x) if isinstance(x, tuple) else x for name, x in values.items()}
        for name in ("toi_lo", "toi_hi"):
            if not math.isfinite(values[name]):
                values[name] = None
        reason = None if self.reason is None else str(self.reason)
        return (
            {"verdict": str(self.verdict), "reason": reason}
            | values
            | {"certified": self.certified, "initial_contact": self.initial}
        )


items_are(impact_dtype, Impact)
