"""What an answer is: kinds, verdicts, and the impact, alone or in arrays."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._native import abi
from .errors import ArgumentError, shown


class _Named(enum.IntEnum):
    """An integer of the C interface that prints as its name, 'vertex-face', and can be made from it."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if isinstance(value, str):
            name = value.upper().replace("-", "_")
            short = {"".join(word[0] for word in member.name.split("_")): member for member in cls if "_" in member.name}
            return cls.__members__.get(name, short.get(name))
        return None

    @classmethod
    def of(cls, argument: str, value: Any) -> Any:
        """The member for a member, its number, its name or its initials ('vf'); else an ArgumentError that lists them."""
        try:
            if isinstance(value, bool) or not isinstance(value, (str, int, np.integer)):
                raise ValueError  # True and 1.0 are equal to 1, and no kind
            return cls(value)  # type: ignore[arg-type]  # _missing_ takes names
        except ValueError:
            names = ", ".join(str(member) for member in cls)
            raise ArgumentError(f"{argument} is {shown(value)}: must be one of {names}") from None


class Kind(_Named):
    """What meets what."""

    VERTEX_FACE = 1
    EDGE_EDGE = 2
    POINT_EDGE = 3
    POINT_POINT = 4

    @property
    def points(self) -> int:
        """Points in a query of this kind, at one end of the step."""
        return (4, 4, 3, 2)[self - 1]


class IntersectionKind(_Named):
    """The kind of an edge that intersects a face at one time: see `ccd.proximity`. No query has it."""

    EDGE_FACE = 5


EDGE_FACE = IntersectionKind.EDGE_FACE


class Verdict(_Named):
    """SEPARATE is a proof; UNDECIDED means that `max_iterations` was spent, and toi_lo is still a safe time."""

    UNDECIDED = 0
    SEPARATE = 1
    CONTACT = 2


CERTIFIED = 1  # flag: a contact is proven to exist
INITIAL_CONTACT = 2  # flag: the contact is there at the start of the interval
INTERSECTING = 4  # flag of rigid bodies beside INITIAL_CONTACT: triangles intersect at t_min
APPROXIMATE = 8  # flag of "d2m-spheres": spheres met; the surfaces may be far apart, or never meet

#: Record of one impact, 120 bytes, the layout of ccd_impact. The fields are those of `Impact`.
impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("kind", np.int32),
        ("a", np.int64),
        ("b", np.int64),
        ("toi_lo", np.float64),
        ("toi_hi", np.float64),
        ("u", np.float64),
        ("v", np.float64),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("width", np.float64),
        ("flags", np.uint32),
        ("reserved", np.uint32),
    ]
)


#: Record of one constraint, 176 bytes, the layout of ccd_constraint: the impact of a pair; the vertices of the pair, in the
#: order of a query (a kind with fewer repeats one, with weight 0); weights of the points that touch, positive on a and negative
#: on b; the gap sum(weights[i] * normal . x1[vertices[i]]), a length, negative where the step ends beyond the contact's plane.
constraint_dtype: np.dtype[np.void] = np.dtype(
    [("impact", impact_dtype), ("vertices", np.int32, 4), ("weights", np.float64, 4), ("gap", np.float64)]
)


def plain(record: Any, dtype: np.dtype[np.void]) -> dict[str, Any]:
    """The fields of a record in plain types, vectors as tuples."""
    if getattr(record, "dtype", None) != dtype or np.ndim(record):
        raise ArgumentError(f"record is {type(record).__name__}: must be one element of an array of this kind of records")
    values = {name: record[name].tolist() for name in dtype.names or ()}
    return {name: tuple(x) if isinstance(x, list) else x for name, x in values.items()}


def _kind(number: int) -> Kind | None:
    return Kind(number) if number else None


@dataclass(frozen=True)
class Impact:
    """The answer to a query, or one impact of a step. Times are fractions of the step.

    No contact happens for t < toi_lo, whatever the verdict: every shorter step is safe. Both times are inf when separate.

    verdict  SEPARATE, CONTACT or UNDECIDED
    kind     what meets what; None when a whole step is separate
    a        index of the first primitive (vertex, edge or point); -1 for a bare pair
    b        index of the second (face, edge or point); -1 for a bare pair
    toi_lo   a safe time: no contact happens before it; inf when separate
    toi_hi   a contact that is reported happens in [toi_lo, toi_hi]; inf when separate
    u        vertex-face: b's point is (1-u-v) f0 + u f1 + v f2; edge-edge: a's is (1-u) a0 + u a1
    v        edge-edge: b's point is (1-v) b0 + v b1
    point    at toi_lo, b's point for a face or a point and an edge, else midway; zeros when separate
    normal   unit vector from b to a; zeros when separate
    width    size of the last box, in length: how tight the answer is
    flags    a sum of CERTIFIED and INITIAL_CONTACT; the properties certified and initial read it
    """

    verdict: Verdict
    kind: Kind | None
    a: int
    b: int
    toi_lo: float
    toi_hi: float
    u: float
    v: float
    point: tuple[float, ...]
    normal: tuple[float, ...]
    width: float
    flags: int

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """The Impact in one element of an array of `impact_dtype`."""
        values = plain(record, impact_dtype)
        values["verdict"], values["kind"] = Verdict(values["verdict"]), _kind(values["kind"])
        del values["reserved"]
        return cls(**values)

    @classmethod
    def _from_c(cls, c: abi.Impact) -> Impact:
        return cls(
            Verdict(c.verdict), _kind(c.kind), c.a, c.b, c.toi_lo, c.toi_hi, c.u, c.v,
            tuple(c.point), tuple(c.normal), c.width, c.flags,
        )  # fmt: skip

    @property
    def contact(self) -> bool:
        """There is a contact."""
        return self.verdict == Verdict.CONTACT

    @property
    def separate(self) -> bool:
        """It is proven that there is none."""
        return self.verdict == Verdict.SEPARATE

    @property
    def certified(self) -> bool:
        """The contact is proven to exist."""
        return bool(self.flags & CERTIFIED)

    @property
    def initial(self) -> bool:
        """The contact is there at t = 0."""
        return bool(self.flags & INITIAL_CONTACT)

    def as_dict(self) -> dict[str, Any]:
        """Plain types for JSON; a time of infinity becomes None."""
        return {
            "verdict": str(self.verdict),
            "kind": None if self.kind is None else str(self.kind),
            "a": self.a,
            "b": self.b,
            "toi_lo": self.toi_lo if math.isfinite(self.toi_lo) else None,
            "toi_hi": self.toi_hi if math.isfinite(self.toi_hi) else None,
            "u": self.u,
            "v": self.v,
            "point": list(self.point),
            "normal": list(self.normal),
            "width": self.width,
            "certified": self.certified,
            "initial_contact": self.initial,
        }
