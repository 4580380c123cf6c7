"""What an audit reports: frames, steps, events, and all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._inner.records import Named


class Verdict(Named):
    """What happened in a step, or in an event of it. A step has the verdict of its gravest event.

    Attributes
    ----------
    PASSED_THROUGH : int
        1: a vertex or an edge changes sides, although nothing of the event crosses in either frame: it tunnelled.
    ENTERED : int
        2: an edge passes through a face in the later frame, and not in the earlier one.
    RETURNED : int
        3: a vertex or an edge changes sides and comes back the same way; nothing of the event crosses in either frame.
    LEFT : int
        4: an edge passes through a face in the earlier frame, and not in the later one.
    NOT_PROVEN : int
        5: nothing is known: the topology changes between the frames.
    UNDECIDED : int
        6: contact whose sides are unknown, as of what moves within one plane.
    CROSSING : int
        7: edges pass through faces in both frames.
    TOUCHED : int
        8: contact, but nothing changes sides.
    NEAR : int
        9: no contact, but pairs come within the separation and radii that were asked for.
    SEPARATE : int
        10: a proof that no pair comes into contact, or within the separation and radii, at any time of the step.

    Examples
    --------
    >>> import ccd
    >>> str(ccd.audit.Verdict.PASSED_THROUGH), ccd.audit.Verdict("left") is ccd.audit.Verdict.LEFT
    ('passed through', True)
    """

    PASSED_THROUGH = 1
    ENTERED = 2
    RETURNED = 3
    LEFT = 4
    NOT_PROVEN = 5
    UNDECIDED = 6
    CROSSING = 7
    TOUCHED = 8
    NEAR = 9
    SEPARATE = 10

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return super()._missing_(value.replace(" ", "_") if isinstance(value, str) else value)


@dataclass(frozen=True)
class Event:
    """Contacts of a step that belong together: by shared edges and faces, as docs/numerics.md defines.

    Attributes
    ----------
    verdict : Verdict
        What happened.
    a : str
        Name of one object.
    b : str
        Name of the other, or the same: an object with itself.
    time : float
        The first contact of the event, a fraction of the step; 0 where it has none, and only crosses.
    kind : str
        Kind of the first pair: ``'vertex-face'``, ``'edge-edge'``, ``'edge-face'`` and so on.
    pair : tuple of int
        Its two primitives.
    point : tuple of float
        Where, 3 coordinates.
    pairs : int
        Number of pairs in contact.
    before : int
        Number of edges that pass through faces in the earlier frame.
    after : int
        The same in the later one.
    vertices : tuple of int
        Vertices of the event, at most 64 of them; in steps of many events those of the first pair.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> report = ccd.audit.frames(mesh, [x, x - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])])
    >>> [event] = report.steps[0].events
    >>> str(event.verdict), event.time, event.kind, event.pair
    ('passed through', 0.5, 'vertex-face', (3, 0))
    """

    verdict: Verdict
    a: str
    b: str
    time: float
    kind: str
    pair: tuple[int, int]
    point: tuple[float, ...]
    pairs: int
    before: int
    after: int
    vertices: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields but `vertices`, with the name of the verdict.
        """
        return {
            "verdict": str(self.verdict), "a": self.a, "b": self.b, "time": self.time, "kind": self.kind,
            "pair": list(self.pair), "point": list(self.point), "pairs": self.pairs, "before": self.before, "after": self.after,
        }  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """One frame.

    Attributes
    ----------
    number : int
        Its number in the sequence, from 0.
    name : str
        Name of its file, or its number.
    crossings : int
        Number of pairs of an edge that passes through a face.
    touching : int
        Number of other pairs that share a point.
    distance_lo : float or None
        The least distance of any pair, less radii, is at least this: 0 if and only if something crosses or touches. None if it
        was not asked for, infinite without a pair.
    distance_hi : float or None
        It is at most this.
    objects : dict
        Number of crossings of each pair of names.
    time : float or None
        Time of the frame as its file says it.

    Examples
    --------
    >>> import ccd
    >>> ccd.audit.Frame(0, "a.obj", 0, 0, 0.5, 0.5).clean
    True
    """

    number: int
    name: str
    crossings: int
    touching: int
    distance_lo: float | None
    distance_hi: float | None
    objects: dict[tuple[str, str], int] = field(default_factory=dict)
    time: float | None = None

    @property
    def clean(self) -> bool:
        """Whether nothing crosses."""
        return not self.crossings

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields; None for an infinite distance, ``objects`` as a list of [a, b, crossings].
        """
        held = vars(self) | {"objects": [[a, b, n] for (a, b), n in self.objects.items()]}
        finite = {name: held[name] if held[name] is not None and np.isfinite(held[name]) else None for name in _DISTANCES}
        return held | finite


_DISTANCES = "distance_lo", "distance_hi"


@dataclass(frozen=True)
class StepResult:
    """The step from one frame to the next.

    Attributes
    ----------
    number : int
        Number of the earlier frame.
    verdict : Verdict
        What happened: that of the gravest event.
    events : tuple of Event
        Events, the gravest first and of equals the earliest; at most 64 of them.
    found : dict
        Number of events by verdict, listed or not.
    time : float or None
        The earliest contact, a fraction of the step; None when nothing came into contact.
    pairs : int
        Number of pairs that came into contact, or within separation and radii.
    note : str
        A remark: why nothing is proven, what looks wrong in the frames.

    Examples
    --------
    >>> import ccd
    >>> ccd.audit.StepResult(3, ccd.audit.Verdict.SEPARATE).clean
    True
    """

    number: int
    verdict: Verdict
    events: tuple[Event, ...] = ()
    found: dict[Verdict, int] = field(default_factory=dict)
    time: float | None = None
    pairs: int = 0
    note: str = ""

    @property
    def clean(self) -> bool:
        """Whether it is proven that nothing meets in the step, and nothing crosses."""
        return self.verdict == Verdict.SEPARATE

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields, with names of verdicts and events as dictionaries.
        """
        return vars(self) | {
            "verdict": str(self.verdict),
            "events": [event.as_dict() for event in self.events],
            "found": {str(verdict): count for verdict, count in self.found.items()},
        }


@dataclass
class Report:
    """Frames and steps of a sequence.

    Attributes
    ----------
    frames : list of Frame
        Frames, in order.
    steps : list of StepResult
        Steps, in order.
    complete : bool
        Whether the sequence was audited to its end.
    notes : list of str
        Remarks on the sequence.

    Examples
    --------
    >>> import ccd
    >>> report = ccd.audit.Report()
    >>> report.verdict, report.complete
    (None, False)
    """

    frames: list[Frame] = field(default_factory=list)
    steps: list[StepResult] = field(default_factory=list)
    complete: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict | None:
        """The gravest verdict of a step; None without a step."""
        return min((step.verdict for step in self.steps), default=None)

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of steps by verdict, the gravest first."""
        return dict(sorted(Counter(step.verdict for step in self.steps).items()))

    @property
    def clean(self) -> bool:
        """Whether the sequence was audited to its end, every step is separate, and nothing crosses in a frame."""
        return self.complete and all(s.clean for s in self.steps) and all(f.clean for f in self.frames)

    def events(self) -> Iterator[tuple[int, Event]]:
        """Iterate over the listed events, in the order of steps.

        Yields
        ------
        tuple of int and Event
            Number of the step, and the event.
        """
        for step in self.steps:
            for event in step.events:
                yield step.number, event

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The verdict, counts of steps by verdict, frames, steps, notes.
        """
        return {
            "verdict": None if self.verdict is None else str(self.verdict),
            "complete": self.complete,
            "counts": {str(verdict): count for verdict, count in self.counts.items()},
            "frames": [frame.as_dict() for frame in self.frames],
            "steps": [step.as_dict() for step in self.steps],
            "notes": list(self.notes),
        }
