"""What is said of two parts at rest, of two parts over a drive, and of all pairs of an assembly."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Rest:
    """Two parts of an assembly where it rests.

    Attributes
    ----------
    a : str
        The first part.
    b : str
        The second.
    state : str
        ``"apart"`` (proven), ``"touching"`` (within the tolerance, and neither of the others is proven), ``"crossing"``
        (proven: a point of one is inside of the other), ``"inside"`` (one is inside of the other, which it does not touch), or
        ``"undecided"`` (their surfaces do not meet, but triangles do not decide if one is inside of the other).
    lo : float
        The distance of their surfaces is at least this.
    hi : float
        It is at most this.
    point : tuple of float
        Where they are nearest.
    volume_lo : float, default 0
        The volume that they have in common is at least this, in cubic millimeters.
    volume_hi : float, default inf
        It is at most this; inf where it is not known, because the faces of a part are not closed, or its solids overlap. Of
        parts that merely touch the bracket holds 0, and is as wide as their triangles are off.
    """

    a: str
    b: str
    state: str
    lo: float
    hi: float
    point: tuple[float, ...]
    volume_lo: float = 0.0
    volume_hi: float = math.inf

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields; None for a volume that is not known.
        """
        plain = {name: list(x) if isinstance(x, tuple) else x for name, x in vars(self).items()}
        return plain | {"volume_hi": self.volume_hi if math.isfinite(self.volume_hi) else None}


@dataclass(frozen=True)
class PairReport:
    """Two parts over a drive.

    Attributes
    ----------
    a : str
        The first part.
    b : str
        The second.
    verdict : str
        ``"clear"``: they keep more than the separation, proven. ``"contact"``: they come within the separation and the
        tolerance, or one begins inside of the other. ``"undecided"``:
        the facets could not be split as far as the tolerance asks.
    lo : float
        They keep at least this distance up to the first contact, or over the whole drive.
    hi : float
        At `time` their distance is at most this.
    time : float
        When they are nearest; of a contact, its time.
    toi_lo : float
        No contact before it, proven; inf without a contact.
    toi_hi : float
        The parts surely overlap at this time; inf where no overlap is proven. ``toi_hi - toi_lo`` is what `toi_lo` is early
        by at most.
    way : str
        ``"triangles"`` or ``"surface"``: whether facets as they were made decided, or split ones.
    point : tuple of float
        Where they are nearest, in coordinates of the assembly.
    """

    a: str
    b: str
    verdict: str
    lo: float
    hi: float
    time: float
    toi_lo: float = math.inf
    toi_hi: float = math.inf
    way: str = "triangles"
    point: tuple[float, ...] = (0.0, 0.0, 0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields; None for an infinite time or distance.
        """
        plain = {name: list(x) if isinstance(x, tuple) else x for name, x in vars(self).items()}
        return {name: None if isinstance(x, float) and not math.isfinite(x) else x for name, x in plain.items()}


@dataclass
class Report:
    """All pairs of an assembly over a drive.

    Attributes
    ----------
    pairs : list of PairReport
        Pairs that come within `near` of each other, those in contact first, then by their clearance.
    rest : list of Rest
        Pairs that touch, cross or are inside of each other at the first row, with the volumes that they have in common.
    skipped : list of tuple
        Pairs that were not tested over the drive: names, and why.
    near : float
        Pairs that are not listed keep more than this distance at all times, proven, or do not move against each other.
    tolerance : float
        The width of brackets that was asked for, a length.
    deviation : float
        How far facets were from the surfaces at first, the largest of all products.
    facets : int
        How many facets the products had at first.
    pieces : int
        How many pieces the drive was cut into.
    seconds : float
        How long it took, with making of facets.
    """

    pairs: list[PairReport] = field(default_factory=list)
    rest: list[Rest] = field(default_factory=list)
    skipped: list[tuple[str, str, str]] = field(default_factory=list)
    near: float = 0.0
    tolerance: float = 0.0
    deviation: float = 0.0
    facets: int = 0
    pieces: int = 0
    seconds: float = 0.0

    @property
    def contacts(self) -> list[PairReport]:
        """The pairs that come into contact, or may."""
        return [p for p in self.pairs if p.verdict != "clear"]

    @property
    def clear(self) -> bool:
        """Whether every tested pair is proven clear, and none crosses at rest."""
        return not self.contacts and not any(r.state in ("crossing", "inside", "undecided") for r in self.rest)
