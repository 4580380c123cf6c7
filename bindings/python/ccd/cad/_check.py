"""Parts of an assembly against each other: at rest, in first contact, at their least clearance, and all pairs over a drive."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .. import rigid
from .._inner import arrays
from ..errors import ArgumentError
from ._assembly import Assembly
from ._bounds import Doubles
from ._drive import Drive, Piece
from ._search import Least, Met, Pair, Side
from ._volume import WIDTH, common

_NEAR = 0.01  # of the assembly's size: pairs that stay farther apart are not measured
_TOLERANCE = 1e-6  # of the assembly's size
_FINER = 5  # how often triangles are made finer to tell what is inside, or to narrow a volume
_MOST_OF_VOLUME = 5_000, 1_000  # triangles of a part, beyond which these are not made finer for a volume: at first, and then


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


class _Checker:
    """What one call shares: sides of parts, and the options."""

    def __init__(self, assembly: Assembly, deviation: float | None, tolerance: float | None, separation: float):
        self.assembly = assembly
        self.size = assembly.size
        self.tolerance = _TOLERANCE * self.size if tolerance is None else arrays.number("tolerance", tolerance)
        if not self.tolerance > 0:
            raise ArgumentError(f"tolerance is {self.tolerance}: must be above 0")
        self.separation = arrays.number("min_separation", separation)
        if self.separation < 0:
            raise ArgumentError(f"min_separation is {self.separation}: must be at least 0")
        self.deviation = deviation

    def pair(self, a: int, b: int) -> Pair:
        one, other = self.assembly.parts[a], self.assembly.parts[b]
        return Pair(Side.of(one, self.deviation), Side.of(other, self.deviation), self.tolerance)

    def padding(self) -> float:
        return 0.02 * self.tolerance

    def contact(self, pair: Pair, drive: Drive, a: int, b: int, pieces: Iterable[Piece]) -> PairReport | None:
        """The first contact over pieces."""
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        for piece in pieces:
            ma, mb, padding = piece.pair(a, b)
            met = pair.met(ma, mb, piece.t1 - piece.t0, padding, self.separation)
            if met is not None:
                if met.overlap:
                    sure = piece.t0 + met.hi
                else:
                    sure = self._sure(pair, ma, mb, piece, met) if self.separation == 0 else math.inf
                at = _placed(drive._frame(piece.t0 + met.hi, a, b), met.point)
                return PairReport(
                    *names,
                    "contact" if met.decided else "undecided",
                    max(0.0, self.separation),
                    met.gap,
                    piece.t0 + met.hi,
                    piece.t0 + met.lo,
                    sure,
                    "surface" if met.rounds else "triangles",
                    at,
                )
        return None

    def _sure(self, pair: Pair, ma: Any, mb: Any, piece: Piece, met: Met) -> float:
        """A time of the piece, soon after the contact, at which the parts surely overlap; inf if none is found."""
        duration = piece.t1 - piece.t0
        speed = _approach(ma, mb, met) or self.size / duration
        step = max(4 * (met.deviation + self.tolerance) / speed, duration * 2.0**-40)
        while met.hi + step <= duration * (1 + 1e-12):
            t = min(met.hi + step, duration)
            if pair.sure(ma, mb, t, met):
                return piece.t0 + t
            step *= 4
        return piece.t0 + duration if met.hi < duration and pair.sure(ma, mb, duration, met) else math.inf

    def clearance(self, pair: Pair, drive: Drive, a: int, b: int, pieces: Iterable[Piece]) -> PairReport | None:
        """The least clearance over pieces, in which they do not meet."""
        best: Least | None = None
        lo, when = math.inf, 0.0
        for piece in pieces:
            ma, mb, padding = piece.pair(a, b)
            found = pair.least(ma, mb, piece.t1 - piece.t0, padding, math.inf if best is None else best.hi)
            if found is None:
                continue
            lo = min(lo, found.lo)
            if best is None or found.hi < best.hi:
                best, when = found, piece.t0 + found.time
                middle = 0.5 * (np.array(found.point_a) + found.point_b)
                at = _placed(drive._frame(when, a, b), middle)
        if best is None:
            return None
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        way = "surface" if best.rounds else "triangles"
        verdict = "clear" if lo > self.separation else "undecided"
        return PairReport(*names, verdict, min(lo, best.hi), best.hi, when, way=way, point=at)

    def held(self, drive: Drive, a: int, b: int, t: float, before: float = math.inf) -> PairReport | None:
        """The contact of parts of which one is inside of the other at a time, unless they are in contact before."""
        if before <= t:
            return None
        at = drive.at(t)
        inside = self.enclosed(a, b, at)
        if inside is False:
            return None
        one, other = self.assembly.parts[a], self.assembly.parts[b]
        corner = one.product._closed().points[:1]
        point = tuple(float(x) for x in _placed_all(at[a], corner)[0])
        if inside is None:
            return PairReport(one.name, other.name, "undecided", 0.0, math.inf, t, t, point=point)
        return PairReport(one.name, other.name, "contact", 0.0, 0.0, t, t, t, point=point)

    def enclosed(self, a: int, b: int, at: Doubles) -> bool | None:
        """Whether one of two parts whose surfaces do not meet is inside of the other; None where that is not decided."""
        return self._inside(a, b, at) if (min(a, b), max(a, b)) in _held(self, at, (a, b)) else False

    def rest(self, a: int, b: int, at: Doubles) -> Rest:
        """How two parts are to each other at poses."""
        names = self.assembly.parts[a].name, self.assembly.parts[b].name
        pair, motions = self.pair(a, b), [rigid.Motion.from_pose(at[k]) for k in (a, b)]
        least, crossing = pair.rest(motions[0], motions[1])
        middle = tuple(float(x) for x in 0.5 * (np.array(least.point_a) + least.point_b))
        if least.lo > 0:
            inside = self._inside(a, b, at)
            state = "undecided" if inside is None else "inside" if inside else "apart"
        else:
            state = "crossing" if crossing else "touching"
        return Rest(*names, state, least.lo, least.hi, middle)

    def with_volume(self, r: Rest, at: Doubles) -> Rest:
        """A pair at poses with its common volume; of parts that cross, triangles are made finer to narrow the bracket."""
        a, b = self.assembly.index(r.a), self.assembly.index(r.b)
        products = [self.assembly.parts[k].product for k in (a, b)]
        solids = [p._closed() for p in products]
        lo, hi = common(solids[0], at[a], solids[1], at[b])
        for _ in range(_FINER):
            if r.state == "touching" or not math.isfinite(hi) or hi - lo <= WIDTH * hi:
                break
            order = sorted((0, 1), key=lambda i: -solids[i].deviation)
            k = next(
                (i for i in order if len(solids[i].corners) <= _MOST_OF_VOLUME[solids[i] is not products[i]._closed()]), None
            )
            if k is None or (finer := products[k]._finer(solids[k])) is solids[k]:
                break
            solids[k] = finer
            more = common(solids[0], at[a], solids[1], at[b])
            lo, hi = max(lo, more[0]), min(hi, more[1])
        return replace(r, volume_lo=lo, volume_hi=hi)

    def _inside(self, a: int, b: int, at: Doubles) -> bool | None:
        """Whether one of two parts that are apart is inside of the other; None where that is not decided."""
        products = [self.assembly.parts[k].product for k in (a, b)]
        known = True
        for k, x, y in ((0, a, b), (1, b, a)):
            inner, outer = products[k]._closed(), products[1 - k]._closed()
            turn, there = at[y][:3, :3].T, np.eye(4)
            there[:3, :3], there[:3, 3] = turn @ at[x][:3, :3], turn @ (at[x][:3, 3] - at[y][:3, 3])
            for _ in range(_FINER):
                found = outer.holds(inner, there)
                if found is not None:
                    break
                before = inner, outer
                inner, outer = products[k]._finer(inner), products[1 - k]._finer(outer)
                if inner is before[0] and outer is before[1]:
                    break
            if found:
                return True
            known &= found is not None
        return False if known else None


def _placed(matrix: Doubles, point: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in matrix[:3, :3] @ np.asarray(point, float) + matrix[:3, 3])


def _placed_all(matrix: Doubles, points: Doubles) -> Doubles:
    found: Doubles = points @ matrix[:3, :3].T + matrix[:3, 3]
    return found


def _approach(ma: Any, mb: Any, met: Met) -> float:
    """How fast the points of contact come nearer."""
    p, v = np.array(met.point), []
    for m in (ma, mb):
        center = np.array(m.position) + met.hi * np.array(m.velocity)
        v.append(np.array(m.velocity) + np.cross(m.angular_velocity, p - center))
    return float(abs((v[0] - v[1]) @ np.array(met.normal)))


def at_rest(
    assembly: Assembly,
    *,
    tolerance: float | None = None,
    deviation: float | None = None,
    at: Doubles | None = None,
    volumes: bool = True,
) -> list[Rest]:
    """List the pairs of parts that touch, cross or are inside of each other where the assembly rests.

    Parameters
    ----------
    assembly : Assembly
        The parts.
    tolerance : float, optional
        The width of brackets, a length; by default 1e-6 of the assembly's size.
    deviation : float, optional
        How far facets may be off at first; by default a thousandth of each product's size.
    at : numpy.ndarray, optional
        Placements (n, 4, 4) in the place of those of the file, such as `Drive.at` returns them.
    volumes : bool, default True
        Whether the common volumes are computed.

    Returns
    -------
    list of Rest
        Pairs that are not proven apart, in the order of the parts.

    Raises
    ------
    Error
        As `Product.facets`.

    Examples
    --------
    >>> import ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> from OCP.gp import gp_Pnt
    >>> a, b = BRepPrimAPI_MakeBox(1, 1, 1).Shape(), BRepPrimAPI_MakeBox(gp_Pnt(0.5, 0.2, 0.2), 1, 0.5, 0.5).Shape()
    >>> boxes = {"a": a, "b": b}
    >>> (found,) = ccd.cad.at_rest(ccd.cad.Assembly.of(boxes))
    >>> found.state, found.volume_lo <= 0.125 <= found.volume_hi, found.volume_hi - found.volume_lo < 1e-6
    ('crossing', True, True)
    """
    c = _Checker(assembly, deviation, tolerance, 0.0)
    placed = np.stack([p.matrix for p in assembly.parts]) if at is None else np.asarray(at, float)
    found = [r for r in (c.rest(a, b, placed) for a, b in _close(c, placed)) if r.state != "apart"]
    return [c.with_volume(r, placed) for r in found] if volumes else found


def _close(c: _Checker, placed: Doubles) -> list[tuple[int, int]]:
    """Pairs that may touch or hold each other: their surfaces are near, or a box around one holds the other's."""
    bodies = [p.product.body(c.deviation) for p in c.assembly.parts]
    poses = [rigid.Motion.from_pose(m) for m in placed]
    near = rigid.within(bodies, [(m.rotation, m.position) for m in poses], c.tolerance)
    pairs = {(int(g["a"]), int(g["b"])) for g in near}
    return sorted(pairs | _held(c, placed))


def _held(c: _Checker, placed: Doubles, among: Sequence[int] | None = None) -> set[tuple[int, int]]:
    """Pairs of parts of which a box around a piece of one holds a box around a piece of the other."""
    low, high, of, gaps = [], [], [], []
    for k in range(len(placed)) if among is None else among:
        m, solid = placed[k], c.assembly.parts[k].product._closed()
        for piece in solid.pieces:
            box = _placed_all(m, solid.points[piece.reshape(-1)])
            low.append(box.min(0) - solid.deviation)
            high.append(box.max(0) + solid.deviation)
            of.append(k)
            gaps.append([2 * solid.deviation])
    lows, highs, owner, off = np.array(low), np.array(high), np.array(of), np.array(gaps)
    pairs = set()
    for a in range(len(of)):
        held = (lows + off >= lows[a]).all(1) & (highs - off <= highs[a]).all(1)
        pairs |= {(min(of[a], b), max(of[a], b)) for b in set(owner[held].tolist()) if b != of[a]}
    return pairs


def first_contact(
    drive: Drive,
    a: str,
    b: str,
    *,
    min_separation: float = 0.0,
    tolerance: float | None = None,
    deviation: float | None = None,
) -> PairReport:
    """Compute when two parts first come into contact over a drive.

    Parameters
    ----------
    drive : Drive
        The motion.
    a : str
        The first part.
    b : str
        The second part.
    min_separation : float, default 0
        Contact means a distance of at most this, a length.
    tolerance : float, optional
        A contact is reported where the parts are within `min_separation` and this length; by default 1e-6 of the assembly's
        size.
    deviation : float, optional
        How far facets may be off at first; by default a thousandth of each product's size.

    Returns
    -------
    PairReport
        The verdict ``"clear"`` is a proof. A contact has ``toi_lo``, before which there is none, and where it can be proven
        ``toi_hi``,
        at which the parts overlap.

    Raises
    ------
    Error
        A name is unknown, a number is out of range, or as `Product.facets`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeSphere
    >>> from OCP.gp import gp_Pnt
    >>> shapes = {"table": BRepPrimAPI_MakeBox(10, 10, 1).Shape(), "ball": BRepPrimAPI_MakeSphere(gp_Pnt(5, 5, 7), 1).Shape()}
    >>> down = np.eye(4)
    >>> down[2, 3] = -6
    >>> drive = ccd.cad.by_poses(ccd.cad.Assembly.of(shapes), [0, 1], {"ball": [np.eye(4), down]})
    >>> hit = ccd.cad.first_contact(drive, "table", "ball", tolerance=1e-4)
    >>> hit.verdict, hit.toi_lo < 5 / 6 < hit.toi_hi, hit.toi_hi - hit.toi_lo < 1e-3
    ('contact', True, True)
    """
    c = _Checker(drive.assembly, deviation, tolerance, min_separation)
    i, j = drive.assembly.index(a), drive.assembly.index(b)
    if i == j:
        raise ArgumentError(f"a and b are one part, {a!r}")
    pair, pieces = c.pair(i, j), drive._pieces(c.padding())
    found = c.contact(pair, drive, i, j, pieces)
    found = c.held(drive, i, j, float(drive.times[0]), math.inf if found is None else found.toi_lo) or found
    if found is not None:
        return found
    return PairReport(drive.assembly.parts[i].name, drive.assembly.parts[j].name, "clear", c.separation, math.inf, math.inf)


def least_clearance(
    drive: Drive, a: str, b: str, *, tolerance: float | None = None, deviation: float | None = None
) -> PairReport:
    """Compute how near two parts come over a drive, with the time and the place.

    Parameters
    ----------
    drive : Drive
        The motion.
    a : str
        The first part.
    b : str
        The second part.
    tolerance : float, optional
        The width of the bracket; by default 1e-6 of the assembly's size.
    deviation : float, optional
        How far facets may be off at first; by default a thousandth of each product's size.

    Returns
    -------
    PairReport
        The distance is at least ``lo`` at all times, and at most ``hi`` at ``time``. The verdict ``"undecided"`` is that of
        parts that may touch, ``"contact"`` that of parts of which one begins inside of the other: their distance is 0.

    Raises
    ------
    Error
        As `first_contact`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeSphere
    >>> from OCP.gp import gp_Pnt
    >>> shapes = {"table": BRepPrimAPI_MakeBox(10, 10, 1).Shape(), "ball": BRepPrimAPI_MakeSphere(gp_Pnt(5, 5, 7), 1).Shape()}
    >>> down = np.eye(4)
    >>> down[2, 3] = -4
    >>> drive = ccd.cad.by_poses(ccd.cad.Assembly.of(shapes), [0, 1], {"ball": [np.eye(4), down]})
    >>> gap = ccd.cad.least_clearance(drive, "table", "ball", tolerance=1e-4)
    >>> gap.lo <= 1 <= gap.hi, gap.hi - gap.lo <= 1e-4, round(gap.time, 6)
    (True, True, 1.0)
    """
    c = _Checker(drive.assembly, deviation, tolerance, 0.0)
    i, j = drive.assembly.index(a), drive.assembly.index(b)
    if i == j:
        raise ArgumentError(f"a and b are one part, {a!r}")
    found = c.clearance(c.pair(i, j), drive, i, j, drive._pieces(c.padding()))
    assert found is not None
    return c.held(drive, i, j, float(drive.times[0])) or found


def check(
    drive: Drive,
    *,
    near: float | None = None,
    min_separation: float = 0.0,
    tolerance: float | None = None,
    deviation: float | None = None,
    allow: Sequence[tuple[str, str]] = (),
    cutting: Sequence[tuple[str, str]] = (),
    skip_touching: bool = True,
    volumes: bool = True,
    progress: Callable[[float], object] | None = None,
) -> Report:
    """Compute first contacts and least clearances of all pairs of parts over a drive.

    Parts that do not move against each other are not tested over the drive. Pairs that touch or cross at the first row are
    listed, and
    skipped: that is how a shaft is in its bearing.

    Parameters
    ----------
    drive : Drive
        The motion.
    near : float, optional
        Pairs that come within this distance are measured; all others keep more, proven. By default a hundredth of the
        assembly's size.
    min_separation : float, default 0
        Contact means a distance of at most this.
    tolerance : float, optional
        The width of brackets; by default 1e-6 of the assembly's size.
    deviation : float, optional
        How far facets may be off at first; by default a thousandth of each product's size.
    allow : sequence of tuple
        Pairs of names that may be in contact: they are skipped.
    cutting : sequence of tuple
        Pairs that may be in contact except in rapid moves, as a tool and the stock: in these they must neither meet nor begin
        inside of each other.
    skip_touching : bool, default True
        Whether pairs that are in contact at the first row are skipped.
    volumes : bool, default True
        Whether the volumes are computed that parts have in common at the first row.
    progress : callable, optional
        Called with the share that is done.

    Returns
    -------
    Report
        The pairs.

    Raises
    ------
    Error
        As `first_contact`.

    Examples
    --------
    >>> import math, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> from OCP.gp import gp_Pnt
    >>> door, post = BRepPrimAPI_MakeBox(10, 1, 20).Shape(), BRepPrimAPI_MakeBox(gp_Pnt(0, 6, 0), 1, 1, 20).Shape()
    >>> shapes = {"door": door, "post": post}
    >>> hinge = ccd.cad.Joint("hinge", "revolute", ["door"], axis=(0, 0, 1))
    >>> drive = ccd.cad.by_joints(ccd.cad.Assembly.of(shapes), [hinge], [0, 1], {"hinge": [0, math.pi / 2]})
    >>> found = ccd.cad.check(drive)
    >>> found.clear, found.contacts[0].a, found.contacts[0].verdict
    (False, 'door', 'contact')
    """
    begun = time.perf_counter()
    c = _Checker(drive.assembly, deviation, tolerance, min_separation)
    parts = drive.assembly.parts
    limit = _NEAR * c.size if near is None else arrays.number("near", near)
    if not limit >= 0:
        raise ArgumentError(f"near is {limit}: must be at least 0")
    limit = max(limit, c.separation)
    allowed = {_named(drive.assembly, pair, f"allow[{k}]") for k, pair in enumerate(allow)}
    milled = {_named(drive.assembly, pair, f"cutting[{k}]") for k, pair in enumerate(cutting)}
    out = Report(near=limit, tolerance=c.tolerance)
    bodies = [p.product.body(deviation) for p in parts]
    out.deviation = max(b.deviation for b in bodies)
    out.facets = sum(len(p.facets(deviation)) for p in drive.assembly.products)
    start = drive.at(float(drive.times[0]))
    out.rest = at_rest(drive.assembly, tolerance=c.tolerance, deviation=deviation, at=start, volumes=volumes)
    skip = {pair: "allowed" for pair in allowed}
    if skip_touching:
        for r in out.rest:
            pair = (drive.assembly.index(r.a), drive.assembly.index(r.b))
            if pair not in milled:
                skip.setdefault(pair, f"{r.state} at rest")
    pieces = drive._pieces(c.padding())
    out.pieces = len(pieces)
    found = _near(c, drive, bodies, pieces, sorted(skip), limit, milled)
    held = {
        (drive.assembly.index(r.a), drive.assembly.index(r.b)): [float(drive.times[0])]
        for r in out.rest
        if r.state in ("inside", "undecided")
    }
    for pair in milled:  # it may be inside when a rapid move begins: their surfaces need not meet in that
        held[pair] = [x.t0 for x in pieces if x.rapid and x.link[pair[0]] != x.link[pair[1]]]
    for pair in held:
        if pair not in skip and held[pair]:
            found.setdefault(pair, [])
    moved = set()
    for piece in pieces:
        moved |= {pair for pair in skip if piece.link[pair[0]] != piece.link[pair[1]]}
    out.skipped = [(parts[a].name, parts[b].name, why) for (a, b), why in sorted(skip.items()) if (a, b) in moved]
    for k, ((a, b), where) in enumerate(sorted(found.items())):
        both = c.pair(a, b)
        one = c.contact(both, drive, a, b, where)
        for t in held.get((a, b), ()):
            within = c.held(drive, a, b, t, math.inf if one is None else one.toi_lo)
            if within is not None:
                one = within
                break
        one = one or c.clearance(both, drive, a, b, where)
        if one is not None:
            out.pairs.append(one)
        if progress is not None:
            progress((k + 1) / len(found))
    out.pairs.sort(key=lambda p: (p.verdict == "clear", p.toi_lo if p.verdict != "clear" else p.lo, p.a, p.b))
    out.seconds = time.perf_counter() - begun
    return out


def _named(assembly: Assembly, pair: tuple[str, str], name: str) -> tuple[int, int]:
    if len(pair) != 2:
        raise ArgumentError(f"{name} has {len(pair)} items: must be two names of parts")
    a, b = (assembly.index(x) for x in pair)
    return min(a, b), max(a, b)


def _near(
    c: _Checker,
    drive: Drive,
    bodies: list[rigid.Body],
    pieces: list[Piece],
    skip: list[tuple[int, int]],
    limit: float,
    milled: set[tuple[int, int]],
) -> dict[tuple[int, int], list[Piece]]:
    """The pairs that may come within the limit, each with the pieces in which it does."""
    found: dict[tuple[int, int], list[Piece]] = {}
    for piece in pieces:
        padded = [b.padded(float(p)) if p > 0 else b for b, p in zip(bodies, piece.padding)]
        hits = rigid.scene_collisions(
            padded,
            piece.motions,
            groups=piece.link,
            skip=[*skip, *(milled if not piece.rapid else ())],
            min_separation=limit,
            tolerance=max(c.tolerance, 1e-3 * limit),
            t_max=piece.t1 - piece.t0,
        )
        for h in hits:
            found.setdefault((int(h["a"]), int(h["b"])), []).append(piece)
    return found
