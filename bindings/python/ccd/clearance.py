"""The clearance of a step: the least distance of a pair, or of all pairs of a mesh, with its time and place."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native.result import Result
from .errors import did_you_mean
from .impact import IntersectionKind, Kind, kind_or_none

clearance_dtype: np.dtype[np.void] = np.dtype(
    [
        ("kind", np.int32),
        ("reserved", np.int32),
        ("a", np.int64),
        ("b", np.int64),
        ("time", np.float64),
        ("lo", np.float64),
        ("hi", np.float64),
        ("u", np.float64),
        ("v", np.float64),
        ("point_a", np.float64, 3),
        ("point_b", np.float64, 3),
        ("normal", np.float64, 3),
        ("epsilon", np.float64),
    ]
)
"""Record of one clearance, or of one distance of a profile: 144 bytes, the layout of ``ccd_clearance`` in ccd.h.

============ ======= ===== =========================================================================
field        type    shape meaning
============ ======= ===== =========================================================================
``kind``     int32         value of `Kind`, or of `ccd.proximity.EDGE_FACE`; 0 without a pair
``reserved`` int32         0
``a``        int64         index of the first primitive; -1 without a mesh or without a pair
``b``        int64         index of the second
``time``     float64       when the pair is at most hi apart, a fraction of the step
``lo``       float64       the least distance is at least this, a length; inf without a pair
``hi``       float64       the least distance is at most this
``u``        float64       parameter of the nearest points, see `Impact`
``v``        float64       parameter of the nearest points
``point_a``  float64 (3,)  nearest point of a at that time
``point_b``  float64 (3,)  nearest point of b; the same point where the pair touches
``normal``   float64 (3,)  unit vector from b to a; zeros where nothing gives one
``epsilon``  float64       how far each point may be from its surface, a length
============ ======= ===== =========================================================================
"""


_FORMER = {"distance_lo": "lo", "distance_hi": "hi"}


@dataclass(frozen=True)
class Clearance(Result, dtype=clearance_dtype, read={"kind": kind_or_none}):
    """The least Euclidean distance over a step, of a pair or of all pairs, with its time and place.

    Its fields have the names of those of `ccd.rigid.Gap`.

    Attributes
    ----------
    kind : Kind or None
        Kind of the pair; `ccd.proximity.EDGE_FACE` for an edge through a face at the start; None without a pair.
    a : int
        Index of the first primitive; -1 without a mesh.
    b : int
        Index of the second; -1 without a mesh.
    time : float
        A time at which the distance is at most ``hi``.
    lo : float
        The least distance, less radii, is at least this. It is 0 if and only if the pair touches, and infinite without a pair.
    hi : float
        The least distance is at most this, and the bracket at most 1e-9 of the size of the scene wide. It is 0 if ``lo`` is;
        then ``time`` is the pair's ``toi_lo``.
    u : float
        First parameter of the nearest points at ``time``, as in `ccd.Impact`.
    v : float
        Second parameter.
    point_a : tuple of float
        Nearest point of a at ``time``, 3 coordinates, on its surface at its radius.
    point_b : tuple of float
        Nearest point of b; the same point where the pair touches.
    normal : tuple of float
        Unit vector from b to a, 3 components: along the difference of the points however near they are; where the pair touches
        that of its impact. Zeros where nothing gives one.
    epsilon : float
        Each point is within this of its surface.

    See Also
    --------
    clearance_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> found = ccd.pair.clearance("point-point", [0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 2])
    >>> round(found.time, 3), round(found.hi, 6), [round(x, 3) for x in found.point_a]
    (0.25, 0.707107, [0.5, 0.0, 0.0])
    >>> found.as_dict()["kind"], found.intersecting
    ('point-point', False)
    """

    kind: Kind | IntersectionKind | None
    a: int
    b: int
    time: float
    lo: float
    hi: float
    u: float
    v: float
    point_a: tuple[float, ...]
    point_b: tuple[float, ...]
    normal: tuple[float, ...]
    epsilon: float

    _also = ("intersecting",)

    @property
    def intersecting(self) -> bool:
        """Whether the pair touches, or its surfaces overlap."""
        return self.hi == 0

    @property
    def distance(self) -> float:
        """The middle of [lo, hi], a length; infinite without a pair."""
        return self.hi if self.kind is None else self.lo + 0.5 * (self.hi - self.lo)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A former name of a field still works; of others say what they may mean. Python asks here last."""
            if name in _FORMER:
                warnings.warn(f"Clearance.{name} is Clearance.{_FORMER[name]} now", DeprecationWarning, stacklevel=2)
                return getattr(self, _FORMER[name])
            close = "" if name.startswith("_") else did_you_mean(name, dir(self))
            raise AttributeError(f"Clearance has no attribute {name!r}{close}")

    def __str__(self) -> str:
        if self.kind is None:
            return "no pair"
        which = f"{self.kind} {self.a} {self.b} at t = {self.time:.9g}"
        return f"touching, {which}" if self.intersecting else f"distance in [{self.lo:g}, {self.hi:g}], {which}"
