"""Curved patches that move: Bezier curves, triangles and quads, polynomial or rational, and NURBS.

    sheet = ccd.patch.Body(points, ccd.patch.Form.quad(3, 3), index)
    hit = ccd.patch.earliest(sheet, a0, a1, ball, b0, b1)       # the first impact of two bodies
    hits = ccd.patch.manifold(sheet, a0, a1, ball, b0, b1, t_window=1e-3, min_distance=0.1)
    hit, unresolved = ccd.patch.self_earliest(sheet, a0, a1)    # of a body with itself

Control points move on segments from the first frame to the second. Every function takes the keywords of `ccd.Options`;
tolerance is a distance, min_separation is Euclidean, max_iterations counts pairs of subpatches. Slower methods, to compare with
the default: "time-contracted" is that of [Chen2024], "tight-inclusion" the traditional one in five dimensions.
Raises HandleError, ArgumentError, InvalidIndexError, NonFiniteError, UnsupportedError, Cancelled or ForkedError.
Paper: [Chen2024]; the checks, the bounds and the stop of the default are our own.
"""

from __future__ import annotations

import ctypes
import math
import os
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays, results
from ._native.call import Arguments, Call, check, renaming
from .errors import ArgumentError
from .files import load
from .impact import CERTIFIED, INITIAL_CONTACT, Verdict, _Named, plain

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import Options

__all__ = [
    "Body", "Form", "Impact", "Model", "Shape", "Unresolved", "collisions", "earliest", "impact_dtype", "manifold", "pair",
    "read", "read_iges", "read_step", "self_collisions", "self_earliest", "self_manifold",
]  # fmt: skip


class Shape(_Named):
    """What the parameters of a patch range over."""

    CURVE = 1  #: u in [0, 1]; of degree 0 a point
    TRIANGLE = 2  #: u, v >= 0, u + v <= 1
    QUAD = 3  #: u, v in [0, 1]


class Form(NamedTuple):
    """Shape and degrees of a patch. ccd_patch_form in ccd.h gives the order of control points.

    shape  curve, triangle or quadrilateral
    u      the degree; of a quadrilateral that in u
    v      the degree in v; of a curve 0
    """

    shape: Shape | int
    u: int
    v: int

    @classmethod
    def curve(cls, degree: int) -> Form:
        """A curve; of degree 0 a point."""
        return cls(Shape.CURVE, degree, 0)

    @classmethod
    def triangle(cls, degree: int) -> Form:
        """A triangle: (degree + 1)(degree + 2)/2 control points, by rows of equal power of v."""
        return cls(Shape.TRIANGLE, degree, degree)

    @classmethod
    def quad(cls, u: int, v: int) -> Form:
        """A tensor-product patch: control point (i, j) has the index i (v + 1) + j."""
        return cls(Shape.QUAD, u, v)

    @property
    def points(self) -> int:
        """Number of control points."""
        if self.shape == Shape.TRIANGLE:
            return (self.u + 1) * (self.u + 2) // 2
        return (self.u + 1) * (self.v + 1)


#: Record of one impact, 128 bytes, the layout of ccd_patch_impact. The fields are those of `Impact`.
impact_dtype: np.dtype[np.void] = np.dtype(
    [
        ("verdict", np.int32),
        ("flags", np.uint32),
        ("a", np.int64),
        ("b", np.int64),
        ("toi_lo", np.float64),
        ("toi_hi", np.float64),
        ("uv_a", np.float64, 2),
        ("uv_b", np.float64, 2),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("width", np.float64),
    ]
)


@dataclass(frozen=True)
class Impact:
    """One impact between two patches, or the proof that there is none. Times are fractions of the step.

    No contact happens for t < toi_lo, whatever the verdict. Both times are inf when separate.

    verdict  SEPARATE, CONTACT or UNDECIDED
    flags    a sum of CERTIFIED and INITIAL_CONTACT
    a        index of the patch in the first body; -1 for a bare pair
    b        index of the patch in the second
    toi_lo   a safe time: no contact happens before it; inf when separate
    toi_hi   a contact that is reported happens in [toi_lo, toi_hi]; inf when separate
    uv_a     parameters on patch a; the points on both patches are within min_separation and tolerance of each other at
             toi_hi
    uv_b     parameters on patch b
    point    the point of a at toi_lo
    normal   unit vector from b to a; zeros when separate
    width    how far the two points move against each other from toi_lo to toi_hi
    """

    verdict: Verdict
    flags: int
    a: int
    b: int
    toi_lo: float
    toi_hi: float
    uv_a: tuple[float, ...]
    uv_b: tuple[float, ...]
    point: tuple[float, ...]
    normal: tuple[float, ...]
    width: float

    @classmethod
    def from_record(cls, record: Any) -> Impact:
        """The Impact in one element of an array of `impact_dtype`."""
        values = plain(record, impact_dtype)
        values["verdict"] = Verdict(values["verdict"])
        return cls(**values)

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
        values: dict[str, Any] = {
            name: getattr(self, name) for name in ("a", "b", "toi_lo", "toi_hi", "uv_a", "uv_b", "point", "normal", "width")
        }
        values = {name: list(x) if isinstance(x, tuple) else x for name, x in values.items()}
        for name in ("toi_lo", "toi_hi"):
            if not math.isfinite(values[name]):
                values[name] = None
        return {"verdict": str(self.verdict)} | values | {"certified": self.certified, "initial_contact": self.initial}


class Body:
    """Moving patches on common control points.

    points   number of control points
    forms    the `Form` of all patches, or one each
    index    the control points: (n, k) where all patches have k, else those of one patch after the other
    weights  positive, shaped like index; None: all equal

    Threads may share a body. It is freed with its last reference or by `close()`, and is a context manager.
    """

    def __init__(self, points: int, forms: Form | Iterable[Form], index: ArrayLike, weights: ArrayLike | None = None):
        flat = arrays.ids("index", arrays.to_array("index", index).reshape(-1))
        listed = _forms(forms, len(flat))
        array = (abi.PatchForm * len(listed))(*listed)
        count = arrays.integer("points", points, 0, 2**31 - 1)
        w = _weights(weights, len(flat))
        create = abi.library().ccd_patch_body_create
        self._take(create, count, array, len(listed), flat.ctypes, len(flat), None if w is None else w.ctypes)

    @classmethod
    def nurbs(cls, u: int, v: int, knots_u: ArrayLike, knots_v: ArrayLike = (), weights: ArrayLike | None = None) -> Body:
        """The Bezier patches of a NURBS surface of degrees u and v; a curve has v = 0 and no knots_v.

        The body's control points are the surface's: (i, j) at i n_v + j. Knots need not be clamped, and may repeat.
        """
        ku, kv = _knots("knots_u", knots_u), _knots("knots_v", knots_v)
        u, v = arrays.integer("u", u, 0, 2**31 - 1), arrays.integer("v", v, 0, 2**31 - 1)
        count = max(len(ku) - u - 1, 0) * (max(len(kv) - v - 1, 0) if len(kv) else 1)
        w = _weights(weights, count)
        self = cls.__new__(cls)
        create = abi.library().ccd_patch_body_create_nurbs
        self._take(create, u, v, ku.ctypes, len(ku), kv.ctypes, len(kv), None if w is None else w.ctypes)
        return self

    def _take(self, create: Any, *arguments: Any) -> None:
        self._handle = ctypes.c_void_p()
        check(create(*arguments, ctypes.byref(self._handle)))
        self._free = weakref.finalize(self, abi.library().ccd_patch_body_destroy, self._handle)

    def close(self) -> None:
        """Free the body now."""
        self._free()

    def __enter__(self) -> Body:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._free.alive:
            return "<ccd.patch.Body, closed>"
        return "<ccd.patch.Body of {} control points, {} patches>".format(*self.counts)

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of control points and of patches."""
        points, patches = ctypes.c_size_t(), ctypes.c_size_t()
        check(abi.library().ccd_patch_body_counts(self._handle, ctypes.byref(points), ctypes.byref(patches)))
        return points.value, patches.value


@dataclass(frozen=True, eq=False)
class Model:
    """The Bezier patches of a file.

    points   (n, 3) control points
    forms    shape and degrees of each patch
    index    the control points of one patch after the other
    weights  one for each entry of index; None: all equal
    lost     how far a coordinate may lie from the file's surface, by the insertion of knots
    """

    points: NDArray[np.float64]
    forms: list[Form]
    index: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    lost: float

    def __repr__(self) -> str:
        return f"<ccd.patch.Model of {len(self.points)} control points, {len(self.forms)} patches>"

    def body(self) -> Body:
        """All patches as one body."""
        return Body(len(self.points), self.forms, self.index, self.weights)


def read(path: str | os.PathLike[str]) -> Model:
    """Read Bezier patches (the Utah teapot's formats), free-form OBJ, or JSON with NURBS, which become Bezier patches.

    Raises FileError, which names the line, when the file cannot be opened, is truncated or malformed.
    """
    lib, handle = abi.library(), load("patch_model", path)
    try:
        sizes, lost = [ctypes.c_size_t() for _ in range(4)], ctypes.c_double()
        check(lib.ccd_patch_model_counts(handle, *map(ctypes.byref, sizes), ctypes.byref(lost)))
        points, patches, indices, weights = (size.value for size in sizes)
        forms = (abi.PatchForm * patches)()
        given = np.empty(weights) if weights else None
        model = Model(np.empty((points, 3)), [], np.empty(indices, np.int32), given, lost.value)
        w = None if given is None else given.ctypes
        check(lib.ccd_patch_model_copy(handle, model.points.ctypes, forms, model.index.ctypes, w))
        model.forms.extend(Form(Shape(f.shape), f.u, f.v) for f in forms)
        return model
    finally:
        lib.ccd_patch_model_destroy(handle)


def read_step(path: str | os.PathLike[str]) -> Model:
    """The surfaces of a STEP file (AP203, AP214), through Open CASCADE: `pip install cadquery-ocp-novtk`, or the extra `cad`.

    Every face is converted to NURBS and cut to the box of its parameters. Trimming curves inside of it are not followed: a
    surface may reach beyond its face, so that contacts may be found where the face is cut away, and none is missed. Faces do
    not share control points. Raises ImportError without Open CASCADE, FileError where the file is not STEP or has no face.
    """
    return _read_cad(path, "STEP")


def read_iges(path: str | os.PathLike[str]) -> Model:
    """The surfaces of an IGES file; otherwise as read_step."""
    return _read_cad(path, "IGES")


def _read_cad(path: str | os.PathLike[str], kind: str) -> Model:
    from ._io import cad  # seldom wanted

    name = cad.convert(path, kind)
    try:
        return read(name)
    finally:
        os.remove(name)


def pair(
    form_a: Form, a0: ArrayLike, a1: ArrayLike, form_b: Form, b0: ArrayLike, b1: ArrayLike,
    weights_a: ArrayLike | None = None, weights_b: ArrayLike | None = None, **options: Unpack[Options],
) -> Impact:  # fmt: skip
    """The earliest impact of two Bezier patches, given by their control points (n, 3) at both ends of the step.

    A verdict SEPARATE is a proof that they keep more than min_separation for t <= t_max; otherwise they do for t < toi_lo.
    """
    call = Call(options, long=False)
    sides: list[Any] = []
    for name, form, x0, x1, w in (("a", form_a, a0, a1, weights_a), ("b", form_b, b0, b1, weights_b)):
        shape = _form(f"form_{name}", form)
        start, end = arrays.coordinates(f"{name}0", x0), arrays.coordinates(f"{name}1", x1)
        points = Form(shape.shape, shape.u, shape.v).points
        for which, frame in ((f"{name}0", start), (f"{name}1", end)):
            if len(frame) != points:
                raise ArgumentError(f"{which} has {len(frame)} control points: the form needs {points}")
        weights = _weights(w, points, f"weights_{name}")
        sides += [ctypes.byref(shape), start.ctypes, end.ctypes, None if weights is None else weights.ctypes]
    out = np.zeros(1, impact_dtype)
    with renaming((r"^([ab]): x([01])", r"\1\2"), (r"^([ab]): weights", r"weights_\1")):
        call(abi.library().ccd_patch_pair, *sides, call.options, out.ctypes)
    return Impact.from_record(out[0])


def earliest(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, **options: Unpack[Options]
) -> Impact:
    """The first impact between a patch of a and one of b.

    A verdict SEPARATE is a proof for all pairs; otherwise none comes within min_separation for t < toi_lo.
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    out = np.zeros(1, impact_dtype)
    with renaming(_FRAMES):
        call(abi.library().ccd_patch_earliest, *step, call.options, out.ctypes)
    return Impact.from_record(out[0])


def collisions(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, **options: Unpack[Options]
) -> NDArray[np.void]:
    """The impact of every pair of patches that is not separate: an array of `impact_dtype` sorted by (toi_lo, a, b)."""
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    arguments = (*step, call.options)
    with renaming(_FRAMES):
        return results.listed("patch_impacts", impact_dtype, call, abi.library().ccd_patch_collisions, arguments)


def manifold(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, t_window: float, min_distance: float,
    **options: Unpack[Options],
) -> NDArray[np.void]:  # fmt: skip
    """A sample of where two bodies come into contact first.

    t_window      a fraction of the step: impacts that much later than the earliest count too
    min_distance  a length: the points of the impacts are at least that far from each other

    The earliest comes first, and alone if it is undecided; the array is empty if the bodies stay separate.
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    arguments = (*step, arrays.number("t_window", t_window), arrays.number("min_distance", min_distance), call.options)
    with renaming(_FRAMES):
        return results.listed("patch_impacts", impact_dtype, call, abi.library().ccd_patch_manifold, arguments)


class Unresolved(NamedTuple):
    """What a call on a body against itself could not resolve: pairs of adjacent parts, no wider than the neighbourhood.

    They could not be proven to touch only where they always do, as at a fold.

    pairs   how many there are
    t_from  the time up to which all of them are proven; inf where nothing is unresolved
    """

    pairs: int
    t_from: float


def self_earliest(
    body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float = 0, **options: Unpack[Options]
) -> tuple[Impact, Unresolved]:
    """The first contact of a body with itself, between two patches or within one: a <= b.

    Patches with equal control points along an edge or at a corner always touch there: that is no contact. Points that both
    lie within `neighbourhood`, in every parameter, of a common point (of one patch: of any point) may be tested without
    min_separation, and are unresolved where that cannot be decided; it is rounded down to a power of two, 0 takes 1/64.
    ccd_patch_self_earliest in ccd.h says it in full.
    """
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    out, unresolved = np.zeros(1, impact_dtype), abi.PatchUnresolved()
    call(abi.library().ccd_patch_self_earliest, *step, call.options, out.ctypes, ctypes.byref(unresolved))
    return Impact.from_record(out[0]), _unresolved(unresolved)


def self_collisions(
    body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float = 0, **options: Unpack[Options]
) -> tuple[NDArray[np.void], Unresolved]:
    """The impact of every pair of patches of a body, a <= b, that is not separate: as `collisions`."""
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    return _listed(abi.library().ccd_patch_self_collisions, call, *step, call.options)


def self_manifold(
    body: Body, x0: ArrayLike, x1: ArrayLike, t_window: float, min_distance: float, neighbourhood: float = 0,
    **options: Unpack[Options],
) -> tuple[NDArray[np.void], Unresolved]:
    """Where a body comes into contact with itself first: as `manifold`."""
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    sample = arrays.number("t_window", t_window), arrays.number("min_distance", min_distance)
    arguments = (*step[:-1], *sample, step[-1], call.options)
    return _listed(abi.library().ccd_patch_self_manifold, call, *arguments)


def _listed(function: Any, call: Call, *arguments: Any) -> tuple[NDArray[np.void], Unresolved]:
    unresolved = abi.PatchUnresolved()

    def with_unresolved(*given: Any) -> int:
        status: int = function(*given, ctypes.byref(unresolved))
        return status

    return results.listed("patch_impacts", impact_dtype, call, with_unresolved, arguments), _unresolved(unresolved)


_FRAMES = (r"^body ([ab]): x([01])", r"\1\2")  # in C the frames of both bodies are x0 and x1


def _unresolved(found: abi.PatchUnresolved) -> Unresolved:
    return Unresolved(found.pairs, found.t_from)


def _on_itself(body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float, options: Options) -> tuple[Call, Arguments]:
    width = arrays.number("neighbourhood", neighbourhood)
    return Call(options, long=True), (*_side("body", "x", body, x0, x1), width)


def _prepare(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, options: Options
) -> tuple[Call, Arguments]:
    step: list[Any] = []
    for name, body, x0, x1 in (("a", a, a0, a1), ("b", b, b0, b1)):
        step += _side(name, name, body, x0, x1)
    return Call(options, long=True), tuple(step)


def _side(name: str, frame: str, body: Body, x0: ArrayLike, x1: ArrayLike) -> list[Any]:
    if not isinstance(body, Body):
        raise ArgumentError(f"{name} is {type(body).__name__}: must be a ccd.patch.Body")
    start, end = arrays.coordinates(f"{frame}0", x0), arrays.coordinates(f"{frame}1", x1)
    if len(start) != len(end):
        raise ArgumentError(f"{frame}0 has {len(start)} control points, {frame}1 has {len(end)}: must be as many")
    return [body._handle, start.ctypes, end.ctypes, len(start)]


def _forms(forms: Any, indices: int) -> list[abi.PatchForm]:
    """The forms of all patches, which one form is for as many as the indices serve."""
    if isinstance(forms, Form):
        form = _form("forms", forms)
        return [form] * (indices // max(Form(form.shape, form.u, form.v).points, 1))
    try:
        listed = list(forms)
    except TypeError:
        raise ArgumentError(f"forms is {type(forms).__name__}: must be a ccd.patch.Form, or one for each patch") from None
    return [_form(f"forms[{i}]", form) for i, form in enumerate(listed)]


def _form(name: str, form: Any) -> abi.PatchForm:
    if not isinstance(form, (tuple, list, np.ndarray)) or len(form) != 3:
        raise ArgumentError(f"{name} is {type(form).__name__}: must be a ccd.patch.Form")
    return abi.PatchForm(*(arrays.integer(f"{name}.{n}", x, -(2**31), 2**31 - 1) for n, x in zip(Form._fields, form)))


def _knots(name: str, knots: ArrayLike) -> NDArray[np.float64]:
    array = arrays.to_array(name, knots)
    return np.empty(0) if array.shape == (0,) else arrays.row(name, array)


def _weights(weights: ArrayLike | None, count: int, name: str = "weights") -> NDArray[np.float64] | None:
    if weights is None:
        return None
    array = arrays.doubles(name, weights).reshape(-1)
    if len(array) != count:
        raise ArgumentError(f"{name} has {len(array)} items: must have {count}, as many as there are control points")
    return array
