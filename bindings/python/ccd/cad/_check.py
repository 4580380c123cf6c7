"""Parts of an assembly against each other: at rest, in first contact, at their least clearance, and all pairs over a drive."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from .._inner import arrays
from ..errors import ArgumentError
from ._assembly import Assembly, require_assembly
from ._bounds import Doubles
from ._drive import Drive, require_drive
from ._pairs import Checker, close, near_pairs
from ._report import PairReport, Report, Rest

_NEAR = 0.01  # Pairs that stay farther apart than this share of the assembly's size are not measured.


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
    c = Checker(require_assembly(assembly), deviation, tolerance, 0.0)
    placed = np.stack([p.matrix for p in assembly.parts]) if at is None else np.asarray(at, float)
    return _at_rest(c, placed, volumes)


def _at_rest(c: Checker, placed: Doubles, volumes: bool) -> list[Rest]:
    """The pairs that are not proven apart at placements."""
    found = [r for r in (c.rest(a, b, placed) for a, b in close(c, placed)) if r.state != "apart"]
    return [c.with_volume(r, placed) for r in found] if volumes else found


def _of(drive: Drive, deviation: float | None, tolerance: float | None, separation: float) -> Checker:
    """What the searches of a drive share."""
    c = Checker(require_drive(drive).assembly, deviation, tolerance, separation)
    c.loose = drive._loose
    return c


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
    c = _of(drive, deviation, tolerance, min_separation)
    i, j = drive.assembly.index(a), drive.assembly.index(b)
    if i == j:
        raise ArgumentError(f"a and b are one part, {a!r}")
    pair, pieces = c.pair(i, j, lazy=True), drive._pieces(c.coarse(c.size))
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
    c = _of(drive, deviation, tolerance, 0.0)
    i, j = drive.assembly.index(a), drive.assembly.index(b)
    if i == j:
        raise ArgumentError(f"a and b are one part, {a!r}")
    found = c.clearance(c.pair(i, j), drive, i, j, drive._pieces(c.coarse(c.size)))
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
    c = _of(drive, deviation, tolerance, min_separation)
    parts = drive.assembly.parts
    limit = arrays.within("near", _NEAR * c.size if near is None else near, "[0, inf]", "at least 0")
    limit = max(limit, c.separation)
    allowed = {_named(drive.assembly, pair, f"allow[{k}]") for k, pair in enumerate(allow)}
    milled = {_named(drive.assembly, pair, f"cutting[{k}]") for k, pair in enumerate(cutting)}
    out = Report(near=limit, tolerance=c.tolerance)
    bodies = [p.product.body(deviation) for p in parts]
    out.deviation = max(b.deviation for b in bodies)
    out.facets = sum(len(p.facets(deviation)) for p in drive.assembly.products)
    start = drive.at(float(drive.times[0]))
    out.rest = _at_rest(c, start, volumes)
    skip = {pair: "allowed" for pair in allowed}
    if skip_touching:
        for r in out.rest:
            pair = (drive.assembly.index(r.a), drive.assembly.index(r.b))
            if pair not in milled:
                skip.setdefault(pair, f"{r.state} at rest")
    pieces = drive._pieces(c.coarse(limit))
    out.pieces = len(pieces)
    found = near_pairs(c, drive, bodies, pieces, sorted(skip), limit, milled)
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
        one = one or c.clearance(both, drive, a, b, where, limit)
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
