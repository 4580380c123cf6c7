"""Curved patches that move: Bezier curves, triangles and quads, polynomial or rational, and NURBS.

Control points move on segments from the first configuration to the second. Functions take the keywords of
`ccd.Options`: ``tolerance`` is a length, ``min_separation`` is Euclidean, ``max_iterations`` counts pairs of
subpatches. The methods ``"time-contracted"`` [Chen2024] and ``"tight-inclusion"`` (bisection of the time and
all four parameters) are slower, for comparison.

Paper: [Chen2024]; the checks, the bounds and the stop criterion of the default method are our own
(docs/numerics.md).
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
    """Domain of the parameters of a patch.

    Attributes
    ----------
    CURVE : int
        1: u in [0, 1]; a curve of degree 0 is a point.
    TRIANGLE : int
        2: u, v >= 0 and u + v <= 1.
    QUAD : int
        3: u, v in [0, 1].
    """

    CURVE = 1
    TRIANGLE = 2
    QUAD = 3


class Form(NamedTuple):
    """Shape and degrees of a patch.

    Parameters
    ----------
    shape : Shape or int
        Curve, triangle or quadrilateral.
    u : int
        Degree, of a quadrilateral that in u: 1 to 9; of a curve also 0.
    v : int
        Degree in v: 1 to 9; of a triangle equal to `u`, of a curve 0.

    Notes
    -----
    Order of the control points. Curve: along u. Quadrilateral: point (i, j), i along u and j along v, has the
    index ``i (v + 1) + j``. Triangle of degree n, with the powers (i, j) of u and v: by rows of equal j, (0,0)
    (1,0) ... (n,0), (0,1) ... (n-1,1), ..., (0,n).

    Examples
    --------
    >>> import ccd
    >>> ccd.patch.Form.quad(3, 3).points, ccd.patch.Form.triangle(2).points
    (16, 6)
    """

    shape: Shape | int
    u: int
    v: int

    @classmethod
    def curve(cls, degree: int) -> Form:
        """Return the form of a curve.

        Parameters
        ----------
        degree : int
            Degree; 0 for a point.

        Returns
        -------
        Form
            A curve with ``degree + 1`` control points.
        """
        return cls(Shape.CURVE, degree, 0)

    @classmethod
    def triangle(cls, degree: int) -> Form:
        """Return the form of a triangle.

        Parameters
        ----------
        degree : int
            Degree in both parameters.

        Returns
        -------
        Form
            A triangle with (degree + 1)(degree + 2)/2 control points.
        """
        return cls(Shape.TRIANGLE, degree, degree)

    @classmethod
    def quad(cls, u: int, v: int) -> Form:
        """Return the form of a tensor-product patch.

        Parameters
        ----------
        u : int
            Degree in u.
        v : int
            Degree in v.

        Returns
        -------
        Form
            A quadrilateral with (u + 1)(v + 1) control points.
        """
        return cls(Shape.QUAD, u, v)

    @property
    def points(self) -> int:
        """Number of control points."""
        if self.shape == Shape.TRIANGLE:
            return (self.u + 1) * (self.u + 2) // 2
        return (self.u + 1) * (self.v + 1)


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
"""Record of one impact of patches: 128 bytes, the layout of ``ccd_patch_impact`` in ccd.h.

=========== ======= ===== ===============================================================
field       type    shape meaning
=========== ======= ===== ===============================================================
``verdict`` int32         value of `ccd.Verdict`
``flags``   uint32        sum of `ccd.CERTIFIED` and `ccd.INITIAL_CONTACT`
``a``       int64         index of the patch of the first body
``b``       int64         index of the patch of the second body
``toi_lo``  float64       no contact happens before this time; inf when separate
``toi_hi``  float64       the contact happens in [toi_lo, toi_hi]; inf when separate
``uv_a``    float64 (2,)  parameters of the point of a
``uv_b``    float64 (2,)  parameters of the point of b
``point``   float64 (3,)  the point of a at toi_lo
``normal``  float64 (3,)  unit vector from b to a; zeros when separate
``width``   float64       length: how far the two points move relative to each other from
                          toi_lo to toi_hi
=========== ======= ===== ===============================================================
"""


@dataclass(frozen=True)
class Impact:
    """One impact between two patches, or the proof that there is none.

    No contact happens for t < ``toi_lo``, whatever the verdict. Times are fractions of the step.

    Attributes
    ----------
    verdict : Verdict
        SEPARATE, CONTACT or UNDECIDED.
    flags : int
        Sum of `ccd.CERTIFIED` and `ccd.INITIAL_CONTACT`.
    a : int
        Index of the patch in the first body; -1 from `pair`.
    b : int
        Index of the patch in the second body; -1 from `pair`.
    toi_lo : float
        A safe time, whatever the verdict: up to it more than ``min_separation`` is kept, unless it is 0; inf when
        separate. In a loop of steps apply a share of it, and set ``no_zero_toi``: patches that move apart from
        there are not reported at t = 0.
    toi_hi : float
        A reported contact happens in [``toi_lo``, ``toi_hi``]; inf when separate.
    uv_a : tuple of float
        Parameters (u, v) on patch a. At ``toi_hi`` the points on both patches are within ``min_separation``,
        tolerance and rounding of each other.
    uv_b : tuple of float
        Parameters (u, v) on patch b.
    point : tuple of float
        The point of a at ``toi_lo``, 3 coordinates.
    normal : tuple of float
        Unit vector from b to a, 3 components; zeros when separate.
    width : float
        A length: how far the two points move relative to each other from ``toi_lo`` to ``toi_hi``.

    See Also
    --------
    impact_dtype : The same fields in arrays.
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
        """Return the impact in one element of an array of `impact_dtype`.

        Parameters
        ----------
        record : numpy.void
            One element of the array.

        Returns
        -------
        Impact
            The same values in plain types.
        """
        values = plain(record, impact_dtype)
        values["verdict"] = Verdict(values["verdict"])
        return cls(**values)

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
        """Whether the contact is proven to exist."""
        return bool(self.flags & CERTIFIED)

    @property
    def initial(self) -> bool:
        """Whether the contact is there at t = 0."""
        return bool(self.flags & INITIAL_CONTACT)

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields, with the name of the verdict, lists for vectors, None for an infinite time, and
            ``certified`` and ``initial_contact`` in place of ``flags``.
        """
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

    Threads may share a body. It is freed with its last reference or by `close`, and is a context manager.

    Parameters
    ----------
    points : int
        Number of control points.
    forms : Form or iterable of Form
        The form of all patches, or one for each.
    index : array_like
        Indices of the control points, integers: (n, k) if all patches have k, else those of one patch after the
        other.
    weights : array_like, optional
        Positive weights, one for each entry of `index`; None: all equal.

    Raises
    ------
    ArgumentError
        A form is out of range, or the lengths do not agree.
    InvalidIndexError
        An index is out of range.

    Examples
    --------
    >>> import ccd
    >>> ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    <ccd.patch.Body of 4 control points, 1 patches>
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
        """Create the Bezier patches of a NURBS surface or curve.

        The body's control points are those of the surface: point (i, j), i along u and j along v, has the index
        ``i n_v + j``. Error bounds of queries include the rounding of the conversion.

        Parameters
        ----------
        u : int
            Degree in u.
        v : int
            Degree in v; 0 for a curve.
        knots_u : array_like
            Knots in rising order, clamped or not, of any multiplicity: as many as points along u, plus ``u + 1``.
        knots_v : array_like, default ()
            Knots along v; empty for a curve.
        weights : array_like, optional
            Positive weights, one for each control point; None: all equal.

        Returns
        -------
        Body
            Its patches are in row-major order: v varies fastest.
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
    """Bezier patches of a file.

    Parameters
    ----------
    points : numpy.ndarray
        Control points, (n, 3) float64.
    forms : list of Form
        Shape and degrees of each patch.
    index : numpy.ndarray
        Control points of one patch after the other, (k,) int32.
    weights : numpy.ndarray or None
        Weights, one for each entry of `index`; None: all equal.
    lost : float
        A length: bound on the distance of a coordinate from the file's surface, by the rounding of knot insertion.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> model = ccd.patch.Model(np.eye(3), [ccd.patch.Form.triangle(1)], np.arange(3, dtype=np.int32), None, 0.0)
    >>> model.body()
    <ccd.patch.Body of 3 control points, 1 patches>
    """

    points: NDArray[np.float64]
    forms: list[Form]
    index: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    lost: float

    def __repr__(self) -> str:
        return f"<ccd.patch.Model of {len(self.points)} control points, {len(self.forms)} patches>"

    def body(self) -> Body:
        """Return all patches as one body.

        Returns
        -------
        Body
            A body with ``len(points)`` control points.
        """
        return Body(len(self.points), self.forms, self.index, self.weights)


def read(path: str | os.PathLike[str]) -> Model:
    r"""Read curved patches: Bezier patches in the formats of the Utah teapot, free-form OBJ, or JSON with NURBS.

    NURBS and B-splines become Bezier patches.

    Parameters
    ----------
    path : str or os.PathLike
        A regular file.

    Returns
    -------
    Model
        Control points, forms, indices and weights.

    Raises
    ------
    FileError
        The file cannot be opened, or is truncated or malformed; the message names the line.

    Examples
    --------
    >>> import os, tempfile, ccd
    >>> path = os.path.join(tempfile.mkdtemp(), "curve.obj")
    >>> with open(path, "w") as file:
    ...     _ = file.write("v 0 0 0\nv 1 1 0\nv 2 0 0\ncstype bezier\ndeg 2\ncurv 0 1 1 2 3\nparm u 0 1\nend\n")
    >>> ccd.patch.read(path)
    <ccd.patch.Model of 3 control points, 1 patches>
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
    """Read the surfaces of a STEP file (AP203, AP214) through Open CASCADE.

    Every face is converted to NURBS and cut to the box of its parameters. Trimming curves inside it are
    ignored: a surface may reach beyond its face, so contacts may be found where the face is cut away, and none
    is missed. Faces do not share control points. Install Open CASCADE with ``pip install cadquery-ocp-novtk`` or the
    extra ``cad``.

    Parameters
    ----------
    path : str or os.PathLike
        A file.

    Returns
    -------
    Model
        The patches of all faces.

    Raises
    ------
    ImportError
        Open CASCADE is not installed.
    FileError
        The file is not STEP, or has no face.
    """
    return _read_cad(path, "STEP")


def read_iges(path: str | os.PathLike[str]) -> Model:
    """Read the surfaces of an IGES file through Open CASCADE, as `read_step`.

    Parameters
    ----------
    path : str or os.PathLike
        A file.

    Returns
    -------
    Model
        The patches of all faces.

    Raises
    ------
    ImportError
        Open CASCADE is not installed.
    FileError
        The file is not IGES, or has no face.
    """
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
    """Compute the earliest impact of two Bezier patches.

    Parameters
    ----------
    form_a : Form
        Shape and degrees of the first patch.
    a0 : array_like
        Its control points at t = 0, (n, 3) in the order of the form.
    a1 : array_like
        Its control points at t = 1, (n, 3).
    form_b : Form
        Shape and degrees of the second patch.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    weights_a : array_like, optional
        Positive weights, (n,), the largest at most 2**100 times the least; None: all equal.
    weights_b : array_like, optional
        Weights of the second patch, (m,).
    **options : Options
        Keywords of `ccd.Options`, such as ``min_separation``, ``tolerance``, ``max_iterations``, ``t_max``,
        ``method``, ``memory_limit``.

    Returns
    -------
    Impact
        The verdict SEPARATE is a proof that the patches keep more than ``min_separation`` for t <= ``t_max``;
        otherwise they do for t <= ``toi_lo``, unless it is 0.

    Raises
    ------
    ArgumentError
        An array has another shape than its form needs, or an option is out of range.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150.
    UnsupportedError
        The call does not support an option, or a combination of options.
    Cancelled
        The progress callback cancelled the call.
    ForkedError
        This process is a fork of one that had loaded the library.

    Examples
    --------
    Two flat squares approach each other at speed 2 from distance 1.

    >>> import numpy as np, ccd
    >>> form = ccd.patch.Form.quad(1, 1)
    >>> a = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> hit = ccd.patch.pair(form, a, a, form, a + [0, 0, 1], a - [0, 0, 1])
    >>> hit.contact, 0.49 < hit.toi_lo <= 0.5
    (True, True)
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
    """Compute the earliest impact between two bodies: between a patch of `a` and one of `b`.

    Parameters
    ----------
    a : Body
        The first body.
    a0 : array_like
        Its control points at t = 0, (n, 3).
    a1 : array_like
        Its control points at t = 1, (n, 3).
    b : Body
        The second body; may be the same as `a`.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``.

    Returns
    -------
    Impact
        The verdict SEPARATE is a proof for all pairs; otherwise all keep more than ``min_separation`` for
        t <= ``toi_lo``, unless it is 0.

    Raises
    ------
    HandleError
        A body was closed.
    Error
        As `pair`.

    See Also
    --------
    self_earliest : The earliest impact of a body with itself.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> ccd.patch.earliest(body, x, x, body, x + [0, 0, 1], x + [0, 0, 0.5]).separate
    True
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    out = np.zeros(1, impact_dtype)
    with renaming(_FRAMES):
        call(abi.library().ccd_patch_earliest, *step, call.options, out.ctypes)
    return Impact.from_record(out[0])


def collisions(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, **options: Unpack[Options]
) -> NDArray[np.void]:
    """List the impact of every pair of patches of two bodies that is not separate.

    Parameters
    ----------
    a : Body
        The first body.
    a0 : array_like
        Its control points at t = 0, (n, 3).
    a1 : array_like
        Its control points at t = 1, (n, 3).
    b : Body
        The second body.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``.

    Returns
    -------
    numpy.ndarray
        Impacts (n,) of `impact_dtype`, sorted by (toi_lo, a, b).

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> len(ccd.patch.collisions(body, x, x, body, x + [0, 0, 1], x - [0, 0, 1]))
    1
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    arguments = (*step, call.options)
    with renaming(_FRAMES):
        return results.listed("patch_impacts", impact_dtype, call, abi.library().ccd_patch_collisions, arguments)


def manifold(
    a: Body, a0: ArrayLike, a1: ArrayLike, b: Body, b0: ArrayLike, b1: ArrayLike, t_window: float, min_distance: float,
    **options: Unpack[Options],
) -> NDArray[np.void]:  # fmt: skip
    """Sample where two bodies first come into contact.

    Parameters
    ----------
    a : Body
        The first body.
    a0 : array_like
        Its control points at t = 0, (n, 3).
    a1 : array_like
        Its control points at t = 1, (n, 3).
    b : Body
        The second body.
    b0 : array_like
        Its control points at t = 0, (m, 3).
    b1 : array_like
        Its control points at t = 1, (m, 3).
    t_window : float
        Fraction of the step in [0, 1]: impacts that begin at most this much after the earliest count too.
    min_distance : float
        Positive length: points of the sample are at least this far from each other.
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``.

    Returns
    -------
    numpy.ndarray
        Impacts (n,) of `impact_dtype`. The earliest comes first, and alone if it is undecided; empty if the
        bodies stay separate.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    Paper: [Chen2024], section 5.3.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> found = ccd.patch.manifold(body, x, x, body, x + [0, 0, 1], x - [0, 0, 1], 1e-3, 0.5)
    >>> len(found) > 1  # the squares touch all over
    True
    """
    call, step = _prepare(a, a0, a1, b, b0, b1, options)
    arguments = (*step, arrays.number("t_window", t_window), arrays.number("min_distance", min_distance), call.options)
    with renaming(_FRAMES):
        return results.listed("patch_impacts", impact_dtype, call, abi.library().ccd_patch_manifold, arguments)


class Unresolved(NamedTuple):
    """Pairs of parts that a call on a body against itself could not decide.

    These are pairs of adjacent parts, no wider than the neighbourhood, that could not be proven to touch only
    where they always do, as at a fold.

    Attributes
    ----------
    pairs : int
        Number of pairs.
    t_from : float
        They are proven for t < ``t_from``; inf if there are none.
    """

    pairs: int
    t_from: float


def self_earliest(
    body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float = 0, **options: Unpack[Options]
) -> tuple[Impact, Unresolved]:
    """Compute the earliest impact of a body with itself, between two patches or within one.

    Patches with equal control points along an edge or at a corner always touch there: that is no contact.
    Points that both lie within `neighbourhood`, in every parameter, of a common point (of one patch: of any
    point) may be tested without ``min_separation``, and are unresolved where that cannot be decided.

    Parameters
    ----------
    body : Body
        The body.
    x0 : array_like
        Its control points at t = 0, (n, 3).
    x1 : array_like
        Its control points at t = 1, (n, 3).
    neighbourhood : float, default 0
        Width in parameters, 2**-20 to 1/2, rounded down to a power of two; 0 stands for 1/64. Choose it wider
        than ``min_separation`` over the size of a patch.
    **options : Options
        Keywords of `ccd.Options`, as in `pair`; also ``threads``. Only the default method.

    Returns
    -------
    impact : Impact
        The earliest impact, a <= b. The verdict SEPARATE is a proof for all pairs of points but the unresolved.
    unresolved : Unresolved
        What could not be decided. The proof has no gap if ``pairs`` is 0 or ``t_from >= toi_lo``.

    Raises
    ------
    Error
        As `earliest`.

    Notes
    -----
    ``ccd_patch_self_earliest`` in ccd.h states the guarantee in full.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> hit, unresolved = ccd.patch.self_earliest(body, x, x + [0, 0, 1])
    >>> hit.separate, unresolved.pairs
    (True, 0)
    """
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    out, unresolved = np.zeros(1, impact_dtype), abi.PatchUnresolved()
    call(abi.library().ccd_patch_self_earliest, *step, call.options, out.ctypes, ctypes.byref(unresolved))
    return Impact.from_record(out[0]), _unresolved(unresolved)


def self_collisions(
    body: Body, x0: ArrayLike, x1: ArrayLike, neighbourhood: float = 0, **options: Unpack[Options]
) -> tuple[NDArray[np.void], Unresolved]:
    """List the impact of every pair of patches of a body, a <= b, that is not separate.

    Parameters
    ----------
    body : Body
        The body.
    x0 : array_like
        Its control points at t = 0, (n, 3).
    x1 : array_like
        Its control points at t = 1, (n, 3).
    neighbourhood : float, default 0
        Width in parameters, as in `self_earliest`.
    **options : Options
        Keywords of `ccd.Options`, as in `self_earliest`.

    Returns
    -------
    impacts : numpy.ndarray
        Impacts (n,) of `impact_dtype`, sorted by (toi_lo, a, b).
    unresolved : Unresolved
        What could not be decided.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> impacts, unresolved = ccd.patch.self_collisions(body, x, x + [0, 0, 1])
    >>> len(impacts)
    0
    """
    call, step = _on_itself(body, x0, x1, neighbourhood, options)
    return _listed(abi.library().ccd_patch_self_collisions, call, *step, call.options)


def self_manifold(
    body: Body, x0: ArrayLike, x1: ArrayLike, t_window: float, min_distance: float, neighbourhood: float = 0,
    **options: Unpack[Options],
) -> tuple[NDArray[np.void], Unresolved]:
    """Sample where a body first comes into contact with itself.

    Parameters
    ----------
    body : Body
        The body.
    x0 : array_like
        Its control points at t = 0, (n, 3).
    x1 : array_like
        Its control points at t = 1, (n, 3).
    t_window : float
        Fraction of the step in [0, 1], as in `manifold`.
    min_distance : float
        Positive length, as in `manifold`.
    neighbourhood : float, default 0
        Width in parameters, as in `self_earliest`.
    **options : Options
        Keywords of `ccd.Options`, as in `self_earliest`.

    Returns
    -------
    impacts : numpy.ndarray
        Impacts (n,) of `impact_dtype`, the earliest first.
    unresolved : Unresolved
        What could not be decided.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> body = ccd.patch.Body(4, ccd.patch.Form.quad(1, 1), [[0, 1, 2, 3]])
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> impacts, unresolved = ccd.patch.self_manifold(body, x, x + [0, 0, 1], 1e-3, 0.5)
    >>> len(impacts)
    0
    """
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
