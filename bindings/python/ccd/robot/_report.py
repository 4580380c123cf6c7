"""What a check of a path reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._inner.records import Named


class Verdict(Named):
    """What a check says of an edge, or of a path.

    Attributes
    ----------
    FREE : int
        0: proven: no tested pair comes within ``min_separation``.
    COLLIDES : int
        1: proven: at `Contact.s` the two surfaces are within ``min_separation``, cross, or one is inside of the other.
    UNDECIDED : int
        2: two surfaces come within ``min_separation`` and the tolerance, and no contact is proven.
    """

    FREE = 0
    COLLIDES = 1
    UNDECIDED = 2


@dataclass(frozen=True)
class Contact:
    """Where a path collides, or comes nearer than the tolerance.

    Attributes
    ----------
    edge : int
        Edge of the path.
    s : float
        Where on the edge the contact is, in [0, 1]: proven if the verdict is COLLIDES.
    s_free : float
        No tested pair of the edge comes within ``min_separation`` before it: proven.
    time : float
        Time of the path at `s`, rounded.
    values : tuple of float
        Values of the joints at `s`, rounded, in the order of `Robot.joints`.
    a : str
        Name of a link; of the two, the one farther from the base.
    b : str
        Name of the other link, or of an object of the scene.
    how : str
        ``"crossing"``: an edge of one passes through a face of the other. ``"near"``: two primitives are within
        ``min_separation``, radii included. ``"inside"``: one is inside of the other from the start of the edge, or a
        point without a radius later.
        ``"overlap"``: `point` is inside of both, which are closed, but no crossing is certain: equal aligned boxes.
        ``"tolerance"``: not proven.
    point : tuple of float
        A point of the contact, in the base's coordinates, rounded: where the edge meets the face, midway between the two
        surfaces, or, where they overlap, within both.
    normal : tuple of float
        Unit vector from b to a at the first approach; zeros where it is not known.
    """

    edge: int
    s: float
    s_free: float
    time: float
    values: tuple[float, ...]
    a: str
    b: str
    how: str
    point: tuple[float, ...]
    normal: tuple[float, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields in plain types, for JSON.

        Returns
        -------
        dict
            The fields by name, with lists in place of tuples.
        """
        return {k: list(v) if isinstance(v, tuple) else v for k, v in vars(self).items()}


@dataclass(frozen=True)
class LeftLimit:
    """A joint that leaves its limits on an edge of a path: proven, in exact arithmetic.

    Attributes
    ----------
    edge : int
        Edge of the path.
    s : float
        Where on the edge the joint is outside of its limits; within the last 2^-20 of the edge before it, it left them.
    time : float
        Time of the path at `s`, rounded.
    joint : str
        Name of the joint, which may follow another.
    value : float
        The value farthest from the limit on the edge, rounded.
    lower : float
        Least value that the joint may have.
    upper : float
        Greatest value that the joint may have.
    """

    edge: int
    s: float
    time: float
    joint: str
    value: float
    lower: float
    upper: float


@dataclass(frozen=True)
class ShortWay:
    """A continuous joint that goes the short way on an edge, not to the value as it is written.

    Attributes
    ----------
    joint : str
        Name of the joint.
    start : float
        Value at the start of the edge, radians.
    end : float
        Value that it goes to, at most half a turn from `start`.
    written : float
        Value of the waypoint: `end` and a number of whole turns, which is where the next edge starts.
    """

    joint: str
    start: float
    end: float
    written: float


@dataclass(frozen=True)
class EdgeReport:
    """Result of one edge of a path.

    Attributes
    ----------
    edge : int
        The edge.
    verdict : Verdict
        What is proven.
    contact : Contact or None
        Where it collides or is undecided; None if free.
    steps : int
        Number of parts of the edge, and poses, that the library looked at; of an edge that it left undecided, or that is not
        straight, steps of motions that were tested.
    shorter : tuple of ShortWay
        Continuous joints that go the short way on this edge, not as it is written; empty for most edges.
    reason : str
        Why it is undecided: ``"tolerance"``, two surfaces come within the tolerance; ``"iterations"``, ``max_steps`` was
        reached; ``"coarse"``, doubles are too coarse for the tolerance. Empty if it is decided.
    """

    edge: int
    verdict: Verdict
    contact: Contact | None
    steps: int
    shorter: tuple[ShortWay, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Report:
    """Result of a path: one `EdgeReport` an edge, in their order.

    Attributes
    ----------
    edges : tuple of EdgeReport
        The edges that were checked.
    pairs : int
        Number of pairs of links and objects that were tested.
    untested : tuple of str
        Links without collision shapes, about which nothing is said.
    open : tuple of str
        Links and objects whose triangles bound no solid: what is inside of them is not known.
    seconds : float
        Time of the check.
    limits : tuple of LeftLimit
        Joints that leave their limits, by edges; empty if they are not checked.
    continuous : str
        How continuous joints went: ``"shortest"`` or ``"written"``.
    """

    edges: tuple[EdgeReport, ...]
    pairs: int
    untested: tuple[str, ...]
    open: tuple[str, ...]
    seconds: float
    limits: tuple[LeftLimit, ...] = ()
    continuous: str = "shortest"

    @property
    def verdict(self) -> Verdict:
        """COLLIDES if an edge does, else UNDECIDED if one is, else FREE."""
        found = {e.verdict for e in self.edges}
        return next((v for v in (Verdict.COLLIDES, Verdict.UNDECIDED) if v in found), Verdict.FREE)

    @property
    def contact(self) -> Contact | None:
        """The first contact with the path's verdict; None if it is free."""
        return next((e.contact for e in self.edges if e.contact is not None and e.verdict == self.verdict), None)

    @property
    def free(self) -> bool:
        """Whether all edges that were checked are proven free of collisions, whatever the joints' limits."""
        return self.verdict == Verdict.FREE

    @property
    def valid(self) -> bool:
        """Whether all edges that were checked are proven free, and no joint leaves its limits."""
        return self.free and not self.limits

    def count(self, verdict: Verdict | str | int) -> int:
        """Return the number of edges with a verdict.

        Parameters
        ----------
        verdict : Verdict or str or int
            The verdict.

        Returns
        -------
        int
            How many edges have it.

        Raises
        ------
        ArgumentError
            There is no such verdict.

        Examples
        --------
        >>> import ccd
        >>> robot = ccd.robot.Robot("none", ["base"], [[]], [], [])
        >>> ccd.robot.check(robot, ccd.robot.Path([], [[], []])).count("free")
        1
        """
        wanted = Verdict.of("verdict", verdict)
        return sum(e.verdict == wanted for e in self.edges)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.count(v)} {v}" for v in Verdict)
        return f"<ccd.robot.Report of {len(self.edges)} edges: {counts}>"
