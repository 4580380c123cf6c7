"""Kinds of pairs, verdicts, and the impact: one as an `Impact`, many as records of `impact_dtype`."""

from __future__ import annotations

import enum
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._native import abi
from ._native.records import items_are, items_may_have, kinds_are
from ._native.result import of_type
from .errors import MEANT, ArgumentError, did_you_mean, shown


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
    """Kind of a pair: which primitives are tested against each other.

    Functions take a member, its number, its name (``"vertex-face"``) or its initials (``"vf"``).

    Attributes
    ----------
    VERTEX_FACE : int
        1: a vertex and a triangle.
    EDGE_EDGE : int
        2: two edges.
    POINT_EDGE : int
        3: a codimensional vertex (or point) and an edge.
    POINT_POINT : int
        4: two codimensional vertices (or points).

    Examples
    --------
    >>> import ccd
    >>> str(ccd.Kind.VERTEX_FACE), ccd.Kind("ee") is ccd.Kind.EDGE_EDGE
    ('vertex-face', True)
    """

    VERTEX_FACE = 1
    EDGE_EDGE = 2
    POINT_EDGE = 3
    POINT_POINT = 4

    @property
    def points(self) -> int:
        """Number of points of a query of this kind at one end of the step: 4, 4, 3 or 2."""
        return (4, 4, 3, 2)[self - 1]


class IntersectionKind(_Named):
    """Kind of an edge that intersects a face in one configuration: see `ccd.proximity` and ``check_start``.

    Attributes
    ----------
    EDGE_FACE : int
        5: an edge and a triangle, see `ccd.proximity.intersections`.

    Examples
    --------
    >>> import ccd
    >>> str(ccd.proximity.EDGE_FACE)
    'edge-face'
    """

    EDGE_FACE = 5


EDGE_FACE = IntersectionKind.EDGE_FACE
"""Kind of an edge that intersects a face: ``a`` is the edge, ``b`` the face."""


class Verdict(_Named):
    """Verdict of a query.

    Attributes
    ----------
    UNDECIDED : int
        0: a budget was spent, or doubles are too coarse: the impact's ``reason`` says which. ``toi_lo`` is still a safe
        time. The exact method is never undecided.
    SEPARATE : int
        1: a proof that the distance exceeds ``min_separation`` for all t in [``t_min``, ``t_max``].
    CONTACT : int
        2: the distance falls to ``min_separation`` (methods with a tolerance: plus the tolerance and rounding) in
        [``toi_lo``, ``toi_hi``].

    Examples
    --------
    >>> import ccd
    >>> [str(verdict) for verdict in ccd.Verdict]
    ['undecided', 'separate', 'contact']
    """

    UNDECIDED = 0
    SEPARATE = 1
    CONTACT = 2


class Reason(_Named):
    """Why a verdict is UNDECIDED: a flag of the impact, and its attribute ``reason``. A call that failed has none.

    Attributes
    ----------
    ITERATIONS : int
        256: ``max_iterations`` was reached. A larger number, or 0 for no limit, may decide.
    MEMORY : int
        512: the memory of one query was reached. For patches that is ``memory_limit``, and 256 MiB if it is 0.
    COARSE : int
        1024: doubles are too coarse for the tolerance. A larger tolerance, or coordinates near the origin, may decide.
    AREA : int
        2048: patches, beside one of the first two: contact over an area or along a curve. A larger tolerance decides
        sooner. It is a diagnosis, no proof, and may depend on the number of threads.

    Examples
    --------
    >>> import ccd
    >>> ccd.Reason.of("reason", "memory"), ccd.Reason.MEMORY.text
    (<Reason.MEMORY: 512>, 'memory: that of one query was reached, memory_limit (patches: 256 MiB if it is 0)')
    """

    ITERATIONS = 256
    MEMORY = 512
    COARSE = 1024
    AREA = 2048

    @property
    def text(self) -> str:
        """What happened, as the C function ``ccd_reason`` says it."""
        text: bytes = abi.library().ccd_reason(self)
        return text.decode()


def reason_of(verdict: Verdict, flags: int) -> Reason | None:
    """Why a verdict is undecided: an area comes before the budget that was spent on it."""
    if verdict != Verdict.UNDECIDED:
        return None
    return next((r for r in (Reason.AREA, Reason.ITERATIONS, Reason.MEMORY, Reason.COARSE) if flags & r), None)


def in_words(verdict: Verdict, reason: Reason | None, lo: float, hi: float, which: str) -> str:
    """One line on an impact: verdict, times and primitives; and why it is undecided."""
    if verdict == Verdict.SEPARATE:
        return "separate"
    if verdict == Verdict.CONTACT:
        return f"contact in [{lo:.9g}, {hi:.9g}], {which}"
    return f"undecided from {lo:.9g} on, {which}{'' if reason is None else f' ({reason.text})'}"


CERTIFIED = 1
"""Flag of an impact: the distance is proven to fall to ``min_separation`` or less, at ``toi_hi`` or before."""
INITIAL_CONTACT = 2
"""Flag of an impact: the pair is in contact at the start of the interval."""
INTERSECTING = 4
"""Flag beside `INITIAL_CONTACT`: surfaces intersect at the start; rigid bodies, and steps with ``check_start``."""
ON_SURFACE = -(2**31 - 1)  #: in place of a winding number: the point is on the surface
APPROXIMATE = 8
"""Flag of the method ``"d2m-spheres"``: spheres meet; the surfaces may be far apart, or never meet."""

FINAL_CONTACT = 16
"""Flag of an interval of contact: the pair is in contact at ``t_max``."""

interval_dtype: np.dtype[np.void] = np.dtype(
    [
        ("kind", np.int32),
        ("flags", np.uint32),
        ("a", np.int64),
        ("b", np.int64),
        ("enter", np.float64),
        ("exit", np.float64),
        ("side_before", np.int32),
        ("side_after", np.int32),
    ]
)
"""Record of one interval of contact: 48 bytes, the layout of ``ccd_interval`` in ccd.h.

``kind``, ``a`` and ``b`` name the pair, as in an impact; ``a`` and ``b`` are -1 without a mesh. ``enter`` and ``exit`` are
fractions of the step, rounded outwards. ``flags`` has `INITIAL_CONTACT` if the pair is in contact at t = 0, `FINAL_CONTACT` if
it is at ``t_max``. ``side_before`` and ``side_after`` are -1, 0 or 1: without a separation, on which side of the face the
vertex is, or on which side of the second edge the first, just before and just after. The pair crosses if they differ.
"""

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
"""Record of one impact: 120 bytes, the layout of ``ccd_impact`` in ccd.h. Its fields have the meaning of those of `Impact`.

============ ======= ===== ==================================================================
field        type    shape meaning
============ ======= ===== ==================================================================
``verdict``  int32         value of `Verdict`
``kind``     int32         value of `Kind`
``a``        int64         index of the first primitive; in a batch of pairs the query's index
``b``        int64         index of the second primitive; -1 without a mesh
``toi_lo``   float64       no contact happens before this time; inf when separate
``toi_hi``   float64       the contact happens in [toi_lo, toi_hi]; inf when separate
``u``        float64       parameter of the point in contact, see `Impact`
``v``        float64       parameter of the point in contact, see `Impact`
``point``    float64 (3,)  contact point at toi_lo; zeros when separate
``normal``   float64 (3,)  unit vector from b to a; zeros when separate
``width``    float64       length: size of the last box of the search
``flags``    uint32        sum of `CERTIFIED`, `INITIAL_CONTACT` and `INTERSECTING`; if undecided a `Reason`
``reserved`` uint32        0
============ ======= ===== ==================================================================
"""


constraint_dtype: np.dtype[np.void] = np.dtype(
    [
        ("impact", impact_dtype),
        ("vertices", np.int32, 4),
        ("weights", np.float64, 4),
        ("gap", np.float64),
        ("separation", np.float64),
    ]
)
"""Record of one constraint: 184 bytes, the layout of ``ccd_constraint`` in ccd.h.

============== ============== ===== ==================================================================
field          type           shape meaning
============== ============== ===== ==================================================================
``impact``     `impact_dtype`       the impact of the pair
``vertices``   int32          (4,)  vertices of the pair in the order of a query; a kind with fewer
                                    vertices repeats one, with weight 0
``weights``    float64        (4,)  weights of the points in contact: positive, with sum 1, on a;
                                    negative, with sum -1, on b
``gap``        float64              length: the distance of these points along the normal at x1, sum of
                                    weights[i] (normal . x1[vertices[i]]), less ``separation``; negative
                                    if the step comes too near
``separation`` float64              length that the points must keep: ``min_separation`` and both radii
============== ============== ===== ==================================================================
"""


def plain(record: Any, dtype: np.dtype[np.void]) -> dict[str, Any]:
    """The fields of a record in plain types, vectors as tuples."""
    of_type(record, dtype)
    values = {name: record[name].tolist() for name in dtype.names or ()}
    return {name: tuple(x) if isinstance(x, list) else x for name, x in values.items()}


def kind_of(number: Any) -> Kind | IntersectionKind:
    """The kind in the field of a record."""
    return EDGE_FACE if number == EDGE_FACE else Kind(int(number))


_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_KINDS: dict[int, Kind | IntersectionKind | None] = {0: None, EDGE_FACE.value: EDGE_FACE, **{kind.value: kind for kind in Kind}}

_FIELDS = struct.Struct("2i2q4d3d3dd2I")  # ccd_impact; one call takes a quarter of the time of its fields one by one


def kind_or_none(number: int) -> Kind | IntersectionKind | None:
    """The kind in the field of a record, None for 0: there is no pair."""
    return kind_of(number) if number else None


_OF_MESHES = "point", "kind", "a", "b", "u", "v", "width"
_OF_PATCHES = "uv_a", "uv_b"
_OF_BODIES = "point_a", "point_b", "distance", "index_a", "index_b", "feature_a", "feature_b", "iterations", "body", "shape"
_OF_VOLUMES = "vertices", "elements", "pair_class"
OF_SOME = frozenset((*_OF_MESHES, *_OF_PATCHES, *_OF_BODIES, *_OF_VOLUMES))
"""Attributes of every impact that are fields of some kinds alone."""


class AnyImpact:
    """What every impact has, whatever met: `ccd.Impact` and the impacts of `ccd.rigid`, `ccd.volume` and `ccd.patch`.

    Each kind of impact has all attributes below, so a function that takes any impact reads them without asking which it is.
    What a kind does not know is None, as the table says. An impact that holds another one in its field ``impact`` has the
    attributes of that one too. As a condition, ``if hit:``, an impact is false only if it is separate.

    Attributes
    ----------
    verdict : Verdict
        SEPARATE, CONTACT or UNDECIDED.
    flags : int
        Sum of `CERTIFIED`, `INITIAL_CONTACT`, `INTERSECTING`, `APPROXIMATE` and, if undecided, of `Reason`; the
        properties read it.
    toi_lo : float
        A safe time: no contact happens before it; inf when separate.
    toi_hi : float
        A reported contact happens in [``toi_lo``, ``toi_hi``]; inf when separate.
    point : tuple of float
        Contact point, 3 coordinates: at ``toi_lo``, of rigid bodies midway between ``point_a`` and ``point_b``; zeros when
        separate.
    normal : tuple of float
        Unit vector from b to a, 3 components; zeros when separate.
    kind : Kind or IntersectionKind or None
        Kind of the pair of primitives: meshes and volumes.
    a : int or None
        What met of the first: a primitive, a patch, or a body of a scene; None where the call is of one body.
    b : int or None
        What met of the second, alike; None where the call is of one body, or of a body and a mesh.
    u : float or None
        Parameter of the point in contact: meshes and volumes, see `ccd.Impact`.
    v : float or None
        Parameter of the point in contact, alike.
    uv_a : tuple of float or None
        Parameters (u, v) on patch a: patches.
    uv_b : tuple of float or None
        Parameters (u, v) on patch b: patches.
    point_a : tuple of float or None
        Nearest point of a at ``toi_hi``: rigid bodies.
    point_b : tuple of float or None
        Nearest point of b at ``toi_hi``: rigid bodies.
    distance : float or None
        A length, the distance of these two points: rigid bodies.
    width : float or None
        A length that says how precise the result is: meshes, volumes and patches.
    index_a : int or None
        Triangle of a: rigid bodies.
    index_b : int or None
        Triangle of b, or what ``shape`` says of a mesh: rigid bodies.
    feature_a : int or None
        Nearest feature of that triangle of a: rigid bodies.
    feature_b : int or None
        The same of b: rigid bodies.
    iterations : int or None
        Work done: rigid bodies.
    vertices : tuple of int or None
        Vertices of the pair: volumes.
    elements : tuple of int or None
        Elements of the pair: volumes.
    pair_class : ccd.volume.PairClass or None
        Class of the pair: volumes.
    body : int or None
        The body that met a mesh: `ccd.rigid.MeshImpact`.
    shape : ccd.rigid.Shape or None
        Shape of the primitive of the mesh that it met: `ccd.rigid.MeshImpact`.

    See Also
    --------
    ccd.Impact : Impacts of meshes and of pairs.
    ccd.rigid.Impact : Impacts of rigid bodies.
    ccd.volume.Impact : Impacts of volumes.
    ccd.patch.Impact : Impacts of curved patches.

    Examples
    --------
    >>> import ccd
    >>> hit = ccd.pair.point_point([0, 0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0])
    >>> isinstance(hit, ccd.AnyImpact), hit.contact, hit.certified, hit.initial
    (True, True, True, False)
    >>> hit.point, hit.point_a, hit.distance
    ((1.0, 0.0, 0.0), None, None)
    """

    if TYPE_CHECKING:  # fields of the dataclasses; what is of one kind alone has its type there

        @property
        def verdict(self) -> Verdict: ...
        @property
        def flags(self) -> int: ...
        @property
        def toi_lo(self) -> float: ...
        @property
        def toi_hi(self) -> float: ...
        @property
        def point(self) -> tuple[float, ...]: ...
        @property
        def normal(self) -> tuple[float, ...]: ...
        @property
        def kind(self) -> Kind | IntersectionKind | None: ...
        @property
        def a(self) -> int | None: ...
        @property
        def b(self) -> int | None: ...
        @property
        def u(self) -> float | None: ...
        @property
        def v(self) -> float | None: ...
        @property
        def uv_a(self) -> tuple[float, ...] | None: ...
        @property
        def uv_b(self) -> tuple[float, ...] | None: ...
        @property
        def point_a(self) -> tuple[float, ...] | None: ...
        @property
        def point_b(self) -> tuple[float, ...] | None: ...
        @property
        def distance(self) -> float | None: ...
        @property
        def width(self) -> float | None: ...
        @property
        def index_a(self) -> int | None: ...
        @property
        def index_b(self) -> int | None: ...
        @property
        def feature_a(self) -> int | None: ...
        @property
        def feature_b(self) -> int | None: ...
        @property
        def iterations(self) -> int | None: ...
        @property
        def vertices(self) -> tuple[int, ...] | None: ...
        @property
        def elements(self) -> tuple[int, ...] | None: ...
        @property
        def pair_class(self) -> enum.IntEnum | None: ...
        @property
        def body(self) -> int | None: ...
        @property
        def shape(self) -> enum.IntEnum | None: ...
        def as_dict(self) -> dict[str, Any]: ...

    def __getattr__(self, name: str) -> Any:
        """A field of other kinds is that of ``impact``, or None; else say what the name may mean. Python asks here last."""
        if name in OF_SOME:
            inner = self.__dict__.get("impact")
            return None if inner is None else getattr(inner, name)
        kind = type(self).__name__
        if name.startswith("_"):
            raise AttributeError(f"{kind} has no attribute {name!r}")
        meant = MEANT.get(name)
        close = f"; did you mean {meant}?" if meant is not None and hasattr(type(self), "__dataclass_fields__") else ""
        raise AttributeError(f"{kind} has no attribute {name!r}{close or did_you_mean(name, dir(self))}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *OF_SOME})

    def __bool__(self) -> bool:
        """Whether there may be contact: False only if it is proven that there is none."""
        return not self.separate

    @property
    def contact(self) -> bool:
        """Whether the verdict is CONTACT."""
        return self.verdict == Verdict.CONTACT

    @property
    def separate(self) -> bool:
        """Whether the verdict is SEPARATE: it is proven that there is no contact."""
        return self.verdict == Verdict.SEPARATE

    @property
    def certified(self) -> bool:
        """Whether the contact is proven to exist; never set for rigid bodies."""
        return bool(self.flags & CERTIFIED)

    @property
    def initial(self) -> bool:
        """Whether the contact is there at the start of the interval: at t = 0, or at t_min."""
        return bool(self.flags & INITIAL_CONTACT)

    @property
    def intersecting(self) -> bool:
        """Whether surfaces intersect at the start: rigid bodies, and meshes with ``check_start``.

        Of meshes an edge passes through a face. Rigid bodies overlap at t_min by more than rounding; touching is not
        overlapping. They pass through each other, or are closed and have faces in one plane, overlapping, with normals to the
        same side. One body inside another, apart from its surface, is not in contact with it.
        """
        return bool(self.flags & INTERSECTING)

    @property
    def approximate(self) -> bool:
        """Whether only spheres meet, by the method ``"d2m-spheres"``: the surfaces may be far apart, or never meet."""
        return bool(self.flags & APPROXIMATE)

    @property
    def reason(self) -> Reason | None:
        """Why the verdict is UNDECIDED; None if it is decided."""
        return reason_of(self.verdict, self.flags)


class WithImpact(AnyImpact):
    """An impact with more about what met, in a field `impact`; it has the fields of every impact too."""

    if TYPE_CHECKING:

        @property
        def impact(self) -> AnyImpact: ...

    @property
    def verdict(self) -> Verdict:
        """The verdict of ``impact``."""
        return self.impact.verdict

    @property
    def flags(self) -> int:
        """The flags of ``impact``."""
        return self.impact.flags

    @property
    def toi_lo(self) -> float:
        """A safe time: that of ``impact``."""
        return self.impact.toi_lo

    @property
    def toi_hi(self) -> float:
        """The latest time of the contact: that of ``impact``."""
        return self.impact.toi_hi

    @property
    def normal(self) -> tuple[float, ...]:
        """Unit vector from b to a: that of ``impact``."""
        return self.impact.normal


@dataclass(frozen=True)
class Impact(AnyImpact):
    """One impact: the result of a query, or the first impact of a step.

    No contact happens for t < ``toi_lo``, whatever the verdict: every shorter step is safe. Times are
    fractions of the step.

    Attributes
    ----------
    verdict : Verdict
        SEPARATE, CONTACT or UNDECIDED.
    kind : Kind or IntersectionKind or None
        Kind of the pair; None when a whole step is separate; `ccd.proximity.EDGE_FACE` with ``check_start``.
    a : int
        Index of the first primitive (vertex, edge or point); -1 for a bare pair.
    b : int
        Index of the second primitive (face, edge or point); -1 for a bare pair.
    toi_lo : float
        A safe time: no contact happens before it; inf when separate.
    toi_hi : float
        A reported contact happens in [``toi_lo``, ``toi_hi``]; inf when separate.
    u : float
        Vertex-face, edge-face and point-edge: parameter of b's point, (1-u-v) f0 + u f1 + v f2 or (1-u) e0 + u e1.
        Edge-edge: parameter of a's point, (1-u) a0 + u a1. Point-point: 0.
    v : float
        Vertex-face and edge-face: see ``u``. Edge-edge: parameter of b's point, (1-v) b0 + v b1. Other kinds: 0.
    point : tuple of float
        Contact point at ``toi_lo``, 3 coordinates: b's point for vertex-face and point-edge, else
        midway between both points; zeros when separate.
    normal : tuple of float
        Unit vector from b to a, 3 components; zeros when separate. Edge-face: the face's normal, toward the
        longer part of the edge.
    width : float
        A length, the size of the last box of the search; smaller is more precise.
    flags : int
        Sum of `CERTIFIED`, `INITIAL_CONTACT`, `INTERSECTING` and, if undecided, a `Reason`; `certified`, `initial`,
        `intersecting` and `reason` read it.

    See Also
    --------
    ccd.AnyImpact : Properties that read the verdict and the flags.
    impact_dtype : The same fields in arrays.

    Notes
    -----
    With the exact method ``toi_lo`` is the largest double not above the first time of contact, and
    ``toi_hi`` the next double (or ``toi_lo`` when the time is a double). The laws that all impacts
    obey stand in ccd.h after ``ccd_impact``.

    Examples
    --------
    >>> import ccd
    >>> hit = ccd.pair.point_point([0, 0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0])
    >>> hit.contact, hit.toi_lo, hit.normal
    (True, 1.0, (-1.0, 0.0, 0.0))
    """

    verdict: Verdict
    kind: Kind | IntersectionKind | None
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
        """Return the impact in one element of an array of `impact_dtype`.

        Parameters
        ----------
        record : numpy.void
            One element of the array.

        Returns
        -------
        Impact
            The same values in plain types.

        Raises
        ------
        ArgumentError
            `record` is no element of such an array.

        Examples
        --------
        >>> import ccd, numpy as np
        >>> found = ccd.pair.point_point(np.zeros((1, 12)))
        >>> ccd.Impact.from_record(found[0]).initial
        True
        """
        values = plain(record, impact_dtype)
        values["verdict"], values["kind"] = Verdict(values["verdict"]), kind_or_none(values["kind"])
        del values["reserved"]
        return cls(**values)

    @classmethod
    def _from_c(cls, c: abi.Impact) -> Impact:
        verdict, kind, a, b, toi_lo, toi_hi, u, v, x, y, z, nx, ny, nz, width, flags, _ = _FIELDS.unpack_from(c)
        impact = object.__new__(cls)  # the constructor sets field by field, in three times the time
        impact.__dict__.update(
            verdict=_VERDICTS[verdict], kind=_KINDS[kind], a=a, b=b, toi_lo=toi_lo, toi_hi=toi_hi, u=u, v=v,
            point=(x, y, z), normal=(nx, ny, nz), width=width, flags=flags,
        )  # fmt: skip
        return impact

    def __str__(self) -> str:
        which = "a pair" if self.a < 0 else f"{self.kind} {self.a}" if self.b < 0 else f"{self.kind} {self.a} {self.b}"
        return in_words(self.verdict, self.reason, self.toi_lo, self.toi_hi, which)

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields, with names of verdict and kind, lists for vectors, None for an infinite time, and
            ``certified``, ``initial_contact`` and ``reason`` in place of ``flags``.
        """
        return {
            "verdict": str(self.verdict),
            "reason": None if self.reason is None else str(self.reason),
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
            "intersecting": self.intersecting,
        }


items_are(impact_dtype, Impact)
kinds_are(kind_or_none)
items_may_have(OF_SOME)
