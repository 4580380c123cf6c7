"""A page that plays an assembly over its drive, and clearances over time for a plot."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import rigid
from .._inner import arrays
from ..errors import ArgumentError
from ..mesh import Mesh
from ._drive import Drive, require_drive
from ._pairs import Checker
from ._report import Report, Rest


def profile(drive: Drive, a: str, b: str, times: ArrayLike, *, deviation: float | None = None) -> NDArray[np.float64]:
    """Compute the distances of two parts at given times, for a plot.

    Parameters
    ----------
    drive : Drive
        The motion.
    a : str
        The first part.
    b : str
        The second part.
    times : array_like
        Times, (n,).
    deviation : float, optional
        How far facets may be off; by default a thousandth of each product's size. Brackets are wider by those of both parts.

    Returns
    -------
    numpy.ndarray
        Brackets (n, 2) of the distances at these times. That of a part inside of the other is 0; where triangles
        do not decide whether it is, the bracket begins at 0.

    Raises
    ------
    Error
        A name is unknown, or a time is not finite.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> away, box = np.eye(4), BRepPrimAPI_MakeBox(1, 1, 1).Shape()
    >>> away[0, 3] = 5
    >>> drive = ccd.cad.by_poses(ccd.cad.Assembly.of({"a": box, "b": box}), [0, 1], {"b": [np.eye(4), away]})
    >>> ccd.cad.profile(drive, "a", "b", [0.4, 1]).round(6).tolist()
    [[1.0, 1.0], [4.0, 4.0]]
    """
    at = arrays.finite("times", arrays.doubles("times", times))
    if at.ndim != 1:
        raise ArgumentError(f"times has shape {at.shape}: must be (n,)")
    i, j = require_drive(drive).assembly.index(a), drive.assembly.index(b)
    one, other = (drive.assembly.parts[k].product.body(deviation) for k in (i, j))
    placed = np.stack([drive.at(float(t))[[i, j]] for t in at])
    found = rigid.distances(one, placed[:, 0], other, placed[:, 1])
    off, c = one.deviation + other.deviation, Checker(drive.assembly, deviation, None, 0.0)
    c.loose = drive._loose
    out = np.stack([np.maximum(found["lo"] - 2 * c.loose, 0), found["hi"] + off + 2 * c.loose], 1)
    for k in np.flatnonzero(out[:, 0] > 0).tolist():
        inside = c.enclosed(i, j, drive.at(float(at[k])))
        if inside is not False:
            out[k] = (0.0, 0.0) if inside else (0.0, out[k, 1])
    return out


def _volume(rest: Rest) -> str:
    if not np.isfinite(rest.volume_hi):
        return "volume not known"
    if rest.volume_lo == 0:
        return f"common volume at most {rest.volume_hi:.3g} mm³"
    return f"common volume {rest.volume_lo:.6g} to {rest.volume_hi:.6g} mm³"


def write_page(
    path: str | os.PathLike[str], drive: Drive, report: Report | None = None, frames: int = 49, deviation: float | None = None
) -> None:
    """Write an HTML page that plays an assembly over its drive.

    Parameters
    ----------
    path : str or os.PathLike
        The page.
    drive : Drive
        The motion.
    report : Report, optional
        What `check` returned: the title says what was found.
    frames : int, default 49
        How many places are drawn, at equal times.
    deviation : float, optional
        How far drawn triangles may be off; by default a thousandth of each product's size.

    Raises
    ------
    Error
        The page cannot be written, or the frames take too much memory.

    Examples
    --------
    >>> import os, tempfile, numpy as np, ccd
    >>> from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    >>> away, box = np.eye(4), BRepPrimAPI_MakeBox(1, 1, 1).Shape()
    >>> away[0, 3] = 5
    >>> drive = ccd.cad.by_poses(ccd.cad.Assembly.of({"a": box, "b": box}), [0, 1], {"b": [np.eye(4), away]})
    >>> ccd.cad.write_page(os.path.join(tempfile.mkdtemp(), "page.html"), drive)
    """
    from ..view import Page

    count = arrays.integer("frames", frames, 2, 4096)
    times = np.linspace(require_drive(drive).times[0], drive.times[-1], count)
    places = np.stack([drive.at(float(t)) for t in times])
    page = Page(drive.assembly.name)
    page.facts |= {"parts": str(len(drive.assembly.parts)), "time": f"{drive.times[0]:g} to {drive.times[-1]:g}"}
    if report is not None:
        for pair in report.pairs[:8]:
            what = f"contact before {pair.time:.6g}" if pair.verdict != "clear" else f"clearance {pair.lo:.6g}"
            page.facts[f"{pair.a}, {pair.b}"] = what
        for rest in report.rest[:8]:
            page.facts[f"{rest.a}, {rest.b} at rest"] = f"{rest.state}, {_volume(rest)}"
    for k, part in enumerate(drive.assembly.parts):
        solid = part.product._closed()
        points = [solid.points @ m[:3, :3].T + m[:3, 3] for m in places[:, k]]
        page.add_sequence(Mesh(np.asarray(solid.corners, np.int32)), points, part.name)
    page.write(path)
