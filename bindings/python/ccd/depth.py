"""What calls of `ccd.overlap` return: the volume that two solids have in common, and where a point lies to a surface."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ._native.result import Flag, Result
from .gradient import GradientState
from .impact import ON_SURFACE, _Named

UNFINISHED = 1
"""Flag of an overlap: the bracket holds, but is wider than the tolerance."""

overlap_dtype: np.dtype[np.void] = np.dtype(
    [
        ("volume_lo", np.float64),
        ("volume_hi", np.float64),
        ("a_lo", np.float64),
        ("a_hi", np.float64),
        ("b_lo", np.float64),
        ("b_hi", np.float64),
        ("containment", np.int32),
        ("flags", np.int32),
    ]
)
"""Record of one common volume: 56 bytes, the layout of ``ccd_overlap`` in ccd.h.

=============== ======= ==========================================================
field           type    meaning
=============== ======= ==========================================================
``volume_lo``   float64 the common volume is at least this
``volume_hi``   float64 the common volume is at most this
``a_lo``        float64 the volume of A is at least this
``a_hi``        float64 the volume of A is at most this
``b_lo``        float64 the volume of B is at least this
``b_hi``        float64 the volume of B is at most this
``containment`` int32   how A lies to B, a value of `ccd.rigid.Containment`
``flags``       int32   0, or `UNFINISHED`
=============== ======= ==========================================================
"""

depth_dtype: np.dtype[np.void] = np.dtype(
    [
        ("distance_lo", np.float64),
        ("distance_hi", np.float64),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("u", np.float64),
        ("v", np.float64),
        ("face", np.int64),
        ("winding", np.int32),
        ("state", np.int32),
    ]
)
"""Record of where one point lies to a surface: 96 bytes, the layout of ``ccd_depth`` in ccd.h.

=============== ======= ===== =========================================================================
field           type    shape meaning
=============== ======= ===== =========================================================================
``distance_lo`` float64       the distance from the surface is at least this, a length
``distance_hi`` float64       the distance is at most this; both are 0 if and only if the point is on it
``point``       float64 (3,)  about a nearest point of the surface
``normal``      float64 (3,)  unit vector from there to the point; zeros unless ``state`` is DEFINED
``u``           float64       weight of the face's second corner in ``point``
``v``           float64       weight of its third one; that of the first is 1 - u - v
``face``        int64         face of ``point``
``winding``     int32         winding number of the surface around the point, or `ON_SURFACE`
``state``       int32         value of `ccd.GradientState`: DEFINED, TIE, INITIAL or UNDETERMINED
=============== ======= ===== =========================================================================
"""


class Shells(_Named):
    """What becomes of surfaces with winding numbers other than 0 and 1: parts that overlap, or are wound inwards.

    Attributes
    ----------
    REFUSE : int
        0: they are an `ccd.ArgumentError`, if such parts are in the common box of both surfaces.
    COUNT : int
        1: a point counts as often as the product of its winding numbers says.

    Examples
    --------
    >>> import ccd
    >>> [str(rule) for rule in ccd.overlap.Shells]
    ['refuse', 'count']
    """

    REFUSE = 0
    COUNT = 1


def _added(lo: tuple[float, ...], hi: tuple[float, ...]) -> tuple[float, float]:
    """The sums of lower and of upper ends, rounded outwards: `math.fsum` rounds to nearest."""
    return math.nextafter(math.fsum(lo), -math.inf), math.nextafter(math.fsum(hi), math.inf)


@dataclass(frozen=True)
class Overlap(Result, dtype=overlap_dtype):
    """The volume that two solids A and B have in common, and their own, as brackets.

    Attributes
    ----------
    volume_lo : float
        The common volume is at least this, a length cubed.
    volume_hi : float
        The common volume is at most this.
    a_lo : float
        The volume of A is at least this.
    a_hi : float
        The volume of A is at most this.
    b_lo : float
        The volume of B is at least this.
    b_hi : float
        The volume of B is at most this.
    containment : int
        How A lies to B, a value of `ccd.rigid.Containment`.
    flags : int
        0, or `UNFINISHED`.

    See Also
    --------
    overlap_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> wedge = ccd.rigid.Body([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> found = ccd.rigid.overlaps(wedge, [ccd.rigid.Motion()], wedge, [ccd.rigid.Motion(position=(0.5, 0, 0))])
    >>> round(ccd.overlap.Overlap.from_record(found[0]).volume * 48, 5)
    1.0
    """

    volume_lo: float
    volume_hi: float
    a_lo: float
    a_hi: float
    b_lo: float
    b_hi: float
    containment: int
    flags: int

    _also = ("unfinished",)

    @property
    def volume(self) -> float:
        """The middle of the bracket of the common volume."""
        return self.volume_lo + 0.5 * (self.volume_hi - self.volume_lo)

    unfinished = Flag(UNFINISHED, "Whether the bracket is wider than the tolerance.")

    @property
    def union(self) -> tuple[float, float]:
        """A bracket of the volume of the union of A and B."""
        return _added((self.a_lo, self.b_lo, -self.volume_hi), (self.a_hi, self.b_hi, -self.volume_lo))

    @property
    def a_without_b(self) -> tuple[float, float]:
        """A bracket of the volume of A less B."""
        return _added((self.a_lo, -self.volume_hi), (self.a_hi, -self.volume_lo))

    @property
    def b_without_a(self) -> tuple[float, float]:
        """A bracket of the volume of B less A."""
        return _added((self.b_lo, -self.volume_hi), (self.b_hi, -self.volume_lo))

    def __str__(self) -> str:
        text = "0" if self.volume_lo == self.volume_hi == 0 else f"in [{self.volume_lo:g}, {self.volume_hi:g}]"
        return f"common volume {text}" + (", unfinished" if self.unfinished else "")


@dataclass(frozen=True)
class Depth(Result, dtype=depth_dtype, read={"state": GradientState}):
    """Where a point lies to a closed surface.

    Attributes
    ----------
    distance_lo : float
        The distance from the surface is at least this, a length.
    distance_hi : float
        The distance is at most this. Both are 0 if and only if the point is on the surface.
    point : tuple of float
        About a nearest point of the surface, 3 coordinates.
    normal : tuple of float
        Unit vector from there to the point, 3 components: the derivative of the distance by the point. Zeros unless `state` is
        DEFINED.
    u : float
        Weight of the face's second corner in `point`.
    v : float
        Weight of its third corner; that of the first is 1 - u - v.
    face : int
        Face of `point`.
    winding : int
        Winding number of the surface around the point: 0 outside, or `ON_SURFACE`.
    state : GradientState
        DEFINED where one point of the surface is nearest, TIE where several are, INITIAL on the surface, UNDETERMINED where
        rounding of a pose hides it.

    See Also
    --------
    depth_dtype : The same fields in arrays.

    Examples
    --------
    >>> import ccd
    >>> mesh = ccd.Mesh(faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> x = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
    >>> found = ccd.overlap.Depth.from_record(ccd.overlap.depths(mesh, x, [[1, 1, 0.25]])[0])
    >>> found.inside, round(found.distance_hi, 9), found.normal
    (True, 0.25, (0.0, 0.0, 1.0))
    """

    distance_lo: float
    distance_hi: float
    point: tuple[float, ...]
    normal: tuple[float, ...]
    u: float
    v: float
    face: int
    winding: int
    state: GradientState

    _also = ("inside",)

    @property
    def inside(self) -> bool:
        """Whether the point is inside the surface, and not on it."""
        return self.winding != 0 and self.winding > ON_SURFACE + 1

    def __str__(self) -> str:
        where = "on the surface" if self.winding == ON_SURFACE else "inside" if self.inside else "outside"
        return f"{where}, distance in [{self.distance_lo:g}, {self.distance_hi:g}], face {self.face}"
