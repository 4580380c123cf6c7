"""Certificates: answers about a step that a program without this library can check.

`write` computes an answer and writes it to a file together with the reasons: for each pair that boxes do not keep apart,
directions that separate it; for each contact, where it is. The checker, ``checker.py`` in this package, is a program of
its own in fewer than 500 lines. It imports nothing of this library and computes with integers alone.
``python checker.py FILE``, or `check`, runs it. docs/reference/certificate.md states the format and what it proves.
"""

from __future__ import annotations

import io
import math
import os
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from .. import step
from .._inner.errors import no_mesh
from .._io import checks
from .._io import write as io_write
from .._io.regular import opened
from .._native import arrays
from ..errors import ArgumentError, UnsupportedError
from ..mesh import Mesh
from . import checker
from ._make import Maker, mesh_lines

__all__ = ["Report", "check", "digest", "write"]


@dataclass
class Report:
    """What the checker says of a certificate.

    Attributes
    ----------
    holds : bool
        Whether everything that the file claims is proven.
    statement : list of str
        What was proven, in words; empty if it does not hold.
    reason : str
        Why it does not hold; empty if it does.
    mesh : str
        Digest of the vertices, faces and rods in the file, as 64 hexadecimal digits.
    claim : str
        ``"separate"``, ``"earliest"`` or ``"collisions"``.
    until : float
        The end of the claim's time, rounded down.
    contacts : int
        Pairs that touch, each before the claim's end or at it.
    unproven : int
        Of these, those of which only the time before is proven, not that they touch.
    witnesses : int
        Pairs that a witness in the file separates.
    """

    holds: bool
    statement: list[str]
    reason: str
    mesh: str = ""
    claim: str = ""
    until: float = 0.0
    contacts: int = 0
    unproven: int = 0
    witnesses: int = 0


def check(path: str | os.PathLike[str]) -> Report:
    """Run the checker on a certificate.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    Report
        Whether it holds, and what it proves or why it does not.

    Raises
    ------
    FileError
        The file cannot be read.

    Examples
    --------
    >>> import ccd, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "step.cert")
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]]
    >>> x1 = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, -1]]
    >>> report = ccd.certificate.write(path, mesh, x0, x1)
    >>> report == ccd.certificate.check(path), report.claim, report.until
    (True, 'earliest', 0.5)
    """
    with opened(checks.file_name("path", path)) as file:
        try:
            # Lines end where they do for the checker as a program: `splitlines` would end them at other characters too.
            certificate = checker.Certificate(io.StringIO(file.read().decode("ascii"), newline=None))
            counts = certificate.check()
        except (checker.Refused, UnicodeDecodeError) as error:
            return Report(False, [], str(error))
    proofs = [proof for _, _, proof, _ in certificate.contacts.values()]
    return Report(
        True,
        list(certificate.statement()),
        "",
        mesh=certificate.digest.hexdigest(),
        claim=certificate.claim,
        until=_down(certificate.until, certificate.motion.one),
        contacts=len(proofs),
        unproven=proofs.count("unproven"),
        witnesses=counts["witnesses"],
    )


def digest(mesh: Mesh, x0: ArrayLike, x1: ArrayLike) -> str:
    """Return the digest of a mesh and its motion, which a certificate of them has.

    It is the SHA-256 of the lines from ``vertices`` to before ``digest`` in the file. Two meshes with the same digest are the
    same, bit for bit (but for the sign of 0), with faces and edges in the same order and the same filters.

    Parameters
    ----------
    mesh : Mesh
        The mesh.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).

    Returns
    -------
    str
        64 hexadecimal digits, as in ``Report.mesh``.

    Raises
    ------
    ArgumentError
        An argument has another type or shape.

    Examples
    --------
    >>> import ccd
    >>> mesh = ccd.Mesh(vertices=1)
    >>> ccd.certificate.digest(mesh, [[0, 0, 0]], [[0, 0, 1]])[:8]
    '1b1095ab'
    """
    _require_mesh(mesh)
    *_, last = mesh_lines(mesh, *(arrays.frame(name, x, mesh.counts[0]) for name, x in (("x0", x0), ("x1", x1))))
    return last.split()[1]


def _require_mesh(mesh: Mesh) -> None:
    if not isinstance(mesh, Mesh):
        raise no_mesh("mesh", mesh)


def write(
    path: str | os.PathLike[str],
    mesh: Mesh,
    x0: ArrayLike,
    x1: ArrayLike,
    *,
    claim: str = "earliest",
    check_start: bool = False,
    min_separation: float = 0.0,
    t_max: float = 1.0,
    threads: int = 0,
) -> Report:
    """Write an answer about a step with its proof, and check it.

    The claim covers all pairs of the mesh without a common vertex, but those that its filters leave out. It is about
    Euclidean separations, straight paths and times from 0. Where no proof is found that ends at the library's time, as
    for two points that meet at a time which is no double, the claim ends up to 1e-3 of that time earlier: ``until`` says when.

    Parameters
    ----------
    path : str or os.PathLike
        The file to write.
    mesh : Mesh
        The mesh, without radii and ignored vertices. The file and the statement say which pairs its filters leave out.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).
    claim : str, default 'earliest'
        ``'earliest'``: no pair touches before the earliest contact, and its pair touches then. ``'collisions'``: the same
        for each pair that touches up to ``t_max``, and no other pair does. If nothing touches, both become ``'separate'``.
    check_start : bool, default False
        Also prove that no edge passes through a face at t = 0.
    min_separation : float, default 0
        A length: touching means that the distance falls to it.
    t_max : float, default 1
        End of the step, in (0, 1].
    threads : int, default 0
        Threads of the library's calls; 0: all. The search for proofs uses one.

    Returns
    -------
    Report
        What the checker says of the file.

    Raises
    ------
    ArgumentError
        An argument has another type or shape, or is out of range, or the mesh has radii.
    UnsupportedError
        The mesh ignores vertices; or no proof was found of a pair, or with ``check_start`` an edge passes through a face: the
        message names the pair.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150.
    FileError
        The file cannot be written.

    See Also
    --------
    check : Check a file.

    Examples
    --------
    >>> import ccd, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "step.cert")
    >>> mesh = ccd.Mesh(edges=[[0, 1], [2, 3]])
    >>> x0 = [[-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1]]
    >>> report = ccd.certificate.write(path, mesh, x0, x0, check_start=True)
    >>> report.holds, report.claim
    (True, 'separate')
    """
    name = checks.file_name("path", path)
    arrays.choice("claim", claim, ("earliest", "collisions"))
    start, d, end = (
        arrays.flag("check_start", check_start),
        arrays.number("min_separation", min_separation),
        arrays.number("t_max", t_max),
    )
    _require_mesh(mesh)
    if mesh._radii is not None:
        raise ArgumentError("mesh has radii, which a certificate does not know; make it of a mesh without them")
    ignored = mesh._ignored
    if ignored is not None and ignored.any():
        raise UnsupportedError(
            f"mesh ignores {int(ignored.sum())} of its vertices, such as {int(ignored.argmax())}: a certificate is of all "
            "pairs; remove them, or make them particles (ccd.Mesh without ignored, Surface.mesh(particles=True))"
        )
    p0, p1 = (arrays.frame(name, x, mesh.counts[0]) for name, x in (("x0", x0), ("x1", x1)))
    options: dict[str, Any] = {"min_separation": d, "threads": threads}
    if claim == "earliest":
        first = step.earliest(mesh, p0, p1, t_max=end, **options)
        contacts = [] if first.separate else [(first.kind, first.a, first.b, first.toi_lo, first.toi_hi)]
    else:
        found = step.collisions(mesh, p0, p1, t_max=end, **options)
        contacts = list(zip(*(found[field].tolist() for field in ("kind", "a", "b", "toi_lo", "toi_hi"))))
    maker = Maker(mesh, p0, p1, d, contacts, claim == "earliest", end)
    io_write.whole(name, maker.text(options, start).encode("ascii"))
    report = check(name)
    if not report.holds:
        raise UnsupportedError(f"{name}: the checker refuses what was written: {report.reason}")
    return report


def _down(top: int, bottom: int) -> float:
    """The largest double not above a fraction."""
    nearest = top / bottom
    p, q = nearest.as_integer_ratio()
    return math.nextafter(nearest, 0.0) if p * bottom > top * q else nearest
