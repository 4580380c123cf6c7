"""Grade the results of any library against the exact method.

For each pair the oracle decides whether there is a contact and from when; the result is a hit or not, and
a time of impact.

================ ===============================================================================================
grade            meaning
================ ===============================================================================================
missed contact   there is one, and the result is no hit
late time        the time is after the true one: a simulator that steps there penetrates
false contact    a hit without a contact within the separation
malformed        a hit whose time is NaN or outside [0, t_max]
unknown          the truth only brackets the time, and the result is between its ends
================ ===============================================================================================

A missed contact or a late time breaks soundness; false contacts and early times cost only time. The oracle
is exact (docs/numerics.md derives it).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import pair, step
from ._native import arrays
from .errors import ArgumentError, InvalidIndexError, no_mesh
from .impact import CERTIFIED, Kind, Verdict, impact_dtype
from .mesh import Mesh
from .options import unknown

RIGHT, MISSED, LATE, FALSE, MALFORMED, UNKNOWN = range(6)
NAMES = ("right", "missed contact", "late time", "false contact", "malformed", "unknown")
"""Names of the grades, by their numbers: `RIGHT`, `MISSED`, `LATE`, `FALSE`, `MALFORMED`, `UNKNOWN`."""


@dataclass
class Answers:
    """Results of a library, one row for each pair; for a query file one row for each query.

    Parameters
    ----------
    hit : numpy.ndarray
        Whether there is a contact, (n,) bool.
    toi : numpy.ndarray
        Time of impact, (n,) float64; ignored where there is no hit.
    kind : numpy.ndarray, optional
        Of a scene: values of `Kind`, (n,) int32.
    pairs : numpy.ndarray, optional
        Of a scene: indices of the two primitives as in `ccd.Mesh`, (n, 2) int64.

    Raises
    ------
    ArgumentError
        Two columns have different lengths, or a column has another type.

    Examples
    --------
    >>> import ccd
    >>> len(ccd.verify.Answers([True, False], [0.5, 0]))
    2
    """

    hit: NDArray[np.bool_]
    toi: NDArray[np.float64]
    kind: NDArray[np.int32] | None = None
    pairs: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        self.hit = arrays.booleans("hit", self.hit)
        self.toi = arrays.row("toi", self.toi)
        if self.kind is not None:
            self.kind = arrays.ids("kind", self.kind)
        if self.pairs is not None:
            self.pairs = arrays.pairs("pairs", self.pairs)
        for name in ("toi", "kind", "pairs"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.hit):
                raise ArgumentError(f"answers: {name} has {len(column)} rows, hit has {len(self.hit)}")

    def __len__(self) -> int:
        return len(self.hit)


@dataclass
class Report:
    """Counts of the grades, and the worst results.

    Attributes
    ----------
    oracle : str
        Method that decided the truth.
    answers : int
        Rows that were graded.
    contacts : int
        Pairs that truly come into contact.
    missed : int
        Contacts without a hit.
    absent : int
        Of the missed contacts, those without a row.
    late : int
        Hits whose time is after the true one.
    false_contacts : int
        Hits of pairs without a contact.
    malformed : int
        Hits whose time is NaN or outside [0, t_max].
    unknown : int
        Results that the truth does not settle; 0, since the oracle is exact.
    earliness : dict
        Keys ``mean``, ``median`` and ``max``: how long before the true time right hits are.
    worst : list of dict
        The worst rows: missed first, then late, malformed, false, early.
    """

    oracle: str
    answers: int
    contacts: int
    missed: int
    absent: int
    late: int
    false_contacts: int
    malformed: int
    unknown: int
    earliness: dict[str, float] = field(default_factory=dict)
    worst: list[dict[str, Any]] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether no contact is missed, no time is late and none is malformed."""
        return not (self.missed or self.late or self.malformed)

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields and ``sound``; a time that is not finite becomes None.
        """
        worst = [{k: None if isinstance(x, float) and not math.isfinite(x) else x for k, x in w.items()} for w in self.worst]
        return {**self.__dict__, "worst": worst, "sound": self.sound}


def _oracle(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the oracle, which is the exact method."""
    return {name: options[name] for name in _OPTIONS if name in options} | {"method": "exact"}


def grade(truth: NDArray[Any], hit: ArrayLike, toi: ArrayLike, *, exact: bool = True, t_max: float = 1.0) -> NDArray[np.int8]:
    """Grade results by their truth.

    Parameters
    ----------
    truth : numpy.ndarray
        Impacts of the oracle, (n,) `impact_dtype`.
    hit : array_like
        Whether the library reports a contact, (n,) bool.
    toi : array_like
        Its times, (n,) float64.
    exact : bool, default True
        Whether `truth` is from the exact method; otherwise its times bracket the true ones.
    t_max : float, default 1.0
        End of the interval of time.

    Returns
    -------
    numpy.ndarray
        Grades (n,) int8: `RIGHT`, `MISSED`, `LATE`, `FALSE`, `MALFORMED` or `UNKNOWN`.

    Raises
    ------
    ArgumentError
        Two columns have different lengths, or `truth` has another dtype.

    Examples
    --------
    >>> import ccd, numpy as np
    >>> truth = ccd.pair.point_point([[0, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0]] * 3)  # contact at t = 1
    >>> ccd.verify.grade(truth, [True, True, False], [0.9, 2.0, 0.0]).tolist()
    [0, 4, 1]
    """
    truth, hit, toi = arrays.records("truth", truth, impact_dtype), arrays.booleans("hit", hit), arrays.row("toi", toi)
    for name, column in (("hit", hit), ("toi", toi)):
        if len(column) != len(truth):
            raise ArgumentError(f"{name} has {len(column)} rows, truth has {len(truth)}")
    meets = truth["verdict"] == Verdict.CONTACT
    apart = truth["verdict"] == Verdict.SEPARATE
    settled = meets | apart
    if not exact:
        settled = apart | (meets & (truth["flags"] & CERTIFIED > 0))
    out = np.full(len(truth), RIGHT, np.int8)
    # An exact toi_lo is the largest double not above the true time, so a double is late if and only if it exceeds toi_lo.
    # A bracket decides less: after toi_hi is late, before toi_lo is right, in between is unknown.
    out[hit & meets & (toi > truth["toi_lo"])] = LATE if exact else UNKNOWN
    out[hit & meets & (toi > truth["toi_hi"])] = LATE
    out[~hit & meets] = MISSED
    out[hit & apart] = FALSE
    out[~settled] = UNKNOWN
    out[hit & ~((toi >= 0) & (toi <= t_max))] = MALFORMED
    return out


def queries(kind: Kind | str | int, q: ArrayLike, answers: Answers, *, worst: int = 10, **options: Any) -> Report:
    """Grade results for a batch of queries.

    Parameters
    ----------
    kind : Kind or str or int
        Kind of all queries.
    q : array_like
        The queries, e.g. (n, 24), as in `ccd.pair`.
    answers : Answers
        Results of the library, one row for each query.
    worst : int, default 10
        Most rows to list in ``Report.worst``.
    **options : Any
        Options of the oracle: ``min_separation``, ``norm``, ``t_max``, ``threads``, ``progress``.

    Returns
    -------
    Report
        Counts and the worst rows.

    Raises
    ------
    ArgumentError
        The numbers of rows differ, or an argument has another type.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150.

    Examples
    --------
    >>> import ccd
    >>> answers = ccd.verify.Answers([False], [0.0])
    >>> report = ccd.verify.queries("point-point", [[0, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0]], answers)
    >>> report.missed, report.sound
    (1, False)
    """
    which: Kind = Kind.of("kind", kind)
    array, _ = arrays.queries("q", q, which.points)
    _check(answers, worst, options, ("worst",))
    if len(array) != len(answers):
        raise ArgumentError(f"answers: {len(answers)} rows for {len(array)} queries")
    truth = pair.solve(which, array, **_oracle(options))
    return _report(truth, answers, options, worst, absent=0, points=lambda row: array[row])


def scene(
    mesh: Mesh, x0: ArrayLike, x1: ArrayLike, answers: Answers, *, complete: bool = True, worst: int = 10, **options: Any
) -> Report:
    """Grade results for pairs of a step.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).
    answers : Answers
        Results of the library with the columns ``kind`` and ``pairs``.
    complete : bool, default True
        Whether a true contact without a row is missed (and counted as absent); otherwise only rows are graded.
    worst : int, default 10
        Most rows to list in ``Report.worst``.
    **options : Any
        Options of the oracle: ``min_separation``, ``norm``, ``t_max``, ``threads``, ``progress``.

    Returns
    -------
    Report
        Counts and the worst rows.

    Raises
    ------
    ArgumentError
        `answers` has no kinds or pairs, or an argument has another type.
    InvalidIndexError
        A pair is out of range; the message names its row.

    Examples
    --------
    >>> import ccd, numpy as np
    >>> mesh = ccd.Mesh(vertices=2)
    >>> answers = ccd.verify.Answers([True], [0.5], [ccd.Kind.POINT_POINT], [[0, 1]])
    >>> report = ccd.verify.scene(mesh, [[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [1, 0, 0]], answers)
    >>> report.sound, report.earliness["max"]
    (True, 0.5)
    """
    _check(answers, worst, options, ("complete", "worst"))
    vertices = corners(mesh)
    if answers.kind is None or answers.pairs is None:
        raise ArgumentError("answers: a scene needs the columns kind, a and b")
    start, end = arrays.coordinates("x0", x0), arrays.coordinates("x1", x1)
    kinds, given = answers.kind, _canonical(mesh, answers.kind, answers.pairs)
    found = step.collisions(mesh, start, end, **_oracle(options))
    truth, rest = _match(found, kinds, given)
    # A pair the step does not list is separate, or one that it skips (a filter, a shared vertex): test it where that matters.
    for kind in Kind:
        rows = np.flatnonzero((truth["verdict"] == Verdict.SEPARATE) & answers.hit & (kinds == kind))
        if len(rows):
            truth[rows] = step.pairs(mesh, start, end, kind, given[rows], **_oracle(options))
    extra = found[rest] if complete else found[:0]
    everything = Answers(
        np.concatenate([answers.hit, np.zeros(len(extra), bool)]),
        np.concatenate([answers.toi, np.full(len(extra), np.nan)]),
    )
    truth = np.concatenate([truth, extra])
    absent = int((extra["verdict"] == Verdict.CONTACT).sum())
    return _report(truth, everything, options, worst, absent, lambda row: _query(vertices, start, end, truth[row]))


_OPTIONS = ("min_separation", "t_max", "threads", "progress", "norm")


def _check(answers: Any, worst: Any, options: Mapping[str, Any], own: tuple[str, ...]) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(unknown(name, [*own, *_OPTIONS]))
    if not isinstance(answers, Answers):
        raise ArgumentError(f"answers is {type(answers).__name__}: must be ccd.verify.Answers")
    arrays.integer("worst", worst, 0, 2**63 - 1)


def _canonical(mesh: Mesh, kinds: NDArray[np.int32], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pairs with a < b where the two are of one kind, their indices checked."""
    vertices, edges, faces = mesh.counts
    limits = {
        Kind.VERTEX_FACE: (vertices, faces),
        Kind.EDGE_EDGE: (edges, edges),
        Kind.POINT_EDGE: (vertices, edges),
        Kind.POINT_POINT: (vertices, vertices),
    }
    unknown = np.flatnonzero(~np.isin(kinds, list(Kind)))
    if len(unknown):
        raise ArgumentError(f"answers: kind[{unknown[0]}] is {kinds[unknown[0]]}: must be a value of ccd.Kind")
    out: NDArray[np.int64] = pairs.copy()
    for kind, limit in limits.items():
        rows = np.flatnonzero(kinds == kind)
        bad = rows[((out[rows] < 0) | (out[rows] >= limit)).any(axis=1)]
        if len(bad):
            raise InvalidIndexError(f"answers[{bad[0]}]: {kind} {tuple(out[bad[0]].tolist())} is out of range")
        if limit[0] == limit[1] and kind != Kind.VERTEX_FACE and kind != Kind.POINT_EDGE:
            out[rows] = np.sort(out[rows], axis=1)
    return out


def _match(found: NDArray[Any], kinds: NDArray[np.int32], pairs: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """For each pair its impact among those found, or a separate one; and which of those found are of no given pair."""
    truth = np.zeros(len(pairs), found.dtype)
    truth["verdict"], truth["kind"], truth["toi_lo"], truth["toi_hi"] = Verdict.SEPARATE, kinds, np.inf, np.inf
    truth["a"], truth["b"] = pairs[:, 0], pairs[:, 1]
    rest = np.ones(len(found), bool)
    for kind in Kind:
        here, rows = np.flatnonzero(found["kind"] == kind), np.flatnonzero(kinds == kind)
        if not len(here) or not len(rows):
            continue
        keys = (found["a"][here] << 32) | found["b"][here]  # indices fit in 31 bits
        order = np.argsort(keys)
        keys, here = keys[order], here[order]
        wanted = (pairs[rows, 0] << 32) | pairs[rows, 1]
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        hits = keys[at] == wanted
        truth[rows[hits]] = found[here[at[hits]]]
        rest[here[at[hits]]] = False
    return truth, rest


def _report(truth: NDArray[Any], answers: Answers, options: Any, worst: int, absent: int, points: Any) -> Report:
    grades = grade(truth, answers.hit, answers.toi, t_max=arrays.number("t_max", options.get("t_max", 1.0)))
    counts = np.bincount(grades, minlength=len(NAMES)).tolist()
    met = (grades == RIGHT) & answers.hit & (truth["verdict"] == Verdict.CONTACT)
    early = truth["toi_lo"][met] - answers.toi[met]
    report = Report(
        oracle="exact",
        answers=len(truth) - absent,
        contacts=int((truth["verdict"] == Verdict.CONTACT).sum()),
        missed=counts[MISSED],
        absent=absent,
        late=counts[LATE],
        false_contacts=counts[FALSE],
        malformed=counts[MALFORMED],
        unknown=counts[UNKNOWN],
    )
    if len(early):
        report.earliness = {"mean": float(early.mean()), "median": float(np.median(early)), "max": float(early.max())}
    report.worst = [_case(row, grades, truth, answers, points) for row in _worst(grades, truth, answers, met, worst)]
    return report


def _worst(grades: NDArray[np.int8], truth: NDArray[Any], answers: Answers, met: NDArray[Any], count: int) -> list[int]:
    """Rows to show: missed by true time, late by lateness, malformed, false by time, and right ones by earliness."""
    with np.errstate(invalid="ignore"):  # inf - inf and NaN sort last
        late = truth["toi_lo"] - answers.toi
    rows: list[int] = []
    for which, badness in (
        (grades == MISSED, truth["toi_lo"]),
        (grades == LATE, late),
        (grades == MALFORMED, truth["toi_lo"]),
        (grades == FALSE, answers.toi),
        (met & (late > 0), -late),
    ):
        here = np.flatnonzero(which)
        rows += here[np.argsort(badness[here], kind="stable")][: count - len(rows)].tolist()
    return rows


def _case(row: int, grades: NDArray[np.int8], truth: NDArray[Any], answers: Answers, points: Any) -> dict[str, Any]:
    true, said, record = float(truth["toi_lo"][row]), float(answers.toi[row]), truth[row]
    return {
        "problem": NAMES[grades[row]] if grades[row] != RIGHT else "early",
        "row": row,
        "kind": str(Kind(int(record["kind"]))),
        "a": int(record["a"]),
        "b": int(record["b"]),
        "true_toi": true if np.isfinite(true) else None,
        "hit": bool(answers.hit[row]),
        "toi": said if np.isfinite(said) else None,
        "query": [float(x).hex() for x in points(row)],  # hexadecimal: the very doubles
    }


def corners(mesh: Mesh) -> dict[Kind, tuple[NDArray[Any], NDArray[Any]]]:
    """Return the vertices of all primitives that a kind pairs.

    Parameters
    ----------
    mesh : Mesh
        The mesh.

    Returns
    -------
    dict
        For each `Kind` two arrays of vertex indices, (n, k): those of its first and of its second primitives.

    Raises
    ------
    ArgumentError
        `mesh` is no mesh.

    Examples
    --------
    >>> import ccd
    >>> first, second = ccd.verify.corners(ccd.Mesh([[0, 1, 2]]))[ccd.Kind.VERTEX_FACE]
    >>> first.shape, second.tolist()
    ((3, 1), [[0, 1, 2]])
    """
    if not isinstance(mesh, Mesh):
        raise no_mesh("mesh", mesh)
    vertices, edges, faces = np.arange(mesh.counts[0])[:, None], mesh.edges, mesh.faces
    return {
        Kind.VERTEX_FACE: (vertices, faces),
        Kind.EDGE_EDGE: (edges, edges),
        Kind.POINT_EDGE: (vertices, edges),
        Kind.POINT_POINT: (vertices, vertices),
    }


def gather(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, kind: Kind | str | int, pairs: ArrayLike) -> NDArray[np.float64]:
    """Return the queries of pairs of a mesh.

    Parameters
    ----------
    mesh : Mesh
        The mesh.
    x0 : array_like
        Vertices at t = 0, (n, 3).
    x1 : array_like
        Vertices at t = 1, (n, 3).
    kind : Kind or str or int
        Kind of all pairs.
    pairs : array_like
        Indices of the two primitives, (m, 2).

    Returns
    -------
    numpy.ndarray
        Queries (m, k) float64 as in `ccd.pair`.

    Raises
    ------
    InvalidIndexError
        A pair is out of range.

    Examples
    --------
    >>> import ccd, numpy as np
    >>> x = np.eye(3)
    >>> ccd.verify.gather(ccd.Mesh([[0, 1, 2]]), x, x, "vertex-face", [[0, 0]]).shape
    (1, 24)
    """
    which: Kind = Kind.of("kind", kind)
    first, second = corners(mesh)[which]
    count = mesh.counts[0]
    start, end, at = arrays.frame("x0", x0, count), arrays.frame("x1", x1, count), arrays.pairs("pairs", pairs)
    wrong = np.argwhere((at < 0) | (at >= (len(first), len(second))))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise InvalidIndexError(f"pairs[{row}][{column}] is {at[row, column]}: out of range")
    points = np.hstack([first[at[:, 0]], second[at[:, 1]]])
    return np.hstack([start[points], end[points]]).reshape(len(at), 6 * which.points)


def _query(corners: Any, start: NDArray[Any], end: NDArray[Any], record: Any) -> NDArray[np.float64]:
    first, second = corners[Kind(int(record["kind"]))]
    at = np.concatenate([first[record["a"]], second[record["b"]]])
    return np.concatenate([start[at], end[at]]).ravel()
