"""A step as a value: what moves, and which pairs count."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._group import Group
from .._native import abi, arrays, device_columns, results
from .._native.by_name import options_by_name
from .._native.call import Call, check, unbounded
from .._native.device_columns import DeviceColumns
from .._native.records import Records
from .._native.steps import LONG, Ends, ends, mesh_of
from .._native.stream import iterate
from ..clearance import Clearance, clearance_dtype
from ..errors import ArgumentError, shown
from ..gradient import gradient_dtype
from ..impact import Impact, Kind, impact_dtype
from ..mesh import Mesh
from ..motion import Motion
from ._results import Advanced, LinesearchBound, Sizes
from ._why import Why, explained

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options import Options


class Step:
    """What moves, and which pairs count. Its methods are the calls on whole steps.

    A step is made of a mesh with x0 and x1 or with a `ccd.Motion`, by this constructor; of candidates by
    `ccd.Candidates.step`, of a neighbor list by `ccd.neighbors.Neighbors.step`, and of the vertices of a scene that move by
    `ccd.scene.Scene.step`. Results have the bits of those of the same mesh and positions, whatever the step is made of.
    The functions of `ccd.step` make one for a single call.

    Not every step has every call: one on a motion that is not straight has no `intervals`, `pairs_intervals`, `activeset` and
    `gradients`; one of candidates no `clearance` and `profile`, and no `sizes` on a motion; one of a scene no `pairs`,
    `pairs_intervals` and `gradients`. These raise `ccd.UnsupportedError` with the reason.

    Arrays of float64 in C order are referred to: a call sees the values that they have when it begins, so a line search may
    write its next x1 into the same array, though not while a call runs. Other arrays are copied now. Threads may share a
    step. It is freed with its last reference, or by `close`; it is a context manager.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends. They may be on a device
        of CUDA, as in `ccd.step`.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.

    Raises
    ------
    ArgumentError
        `x0` or `x1` has another shape. Calls check the coordinates.
    HandleError
        `mesh` was closed.

    See Also
    --------
    ccd.step.earliest : One call on a step.

    Examples
    --------
    A triangle falls through another. Its vertices start 1 above it, and end 1 below.

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> step = ccd.Step(mesh, x0, x1)
    >>> hit = step.earliest()
    >>> str(hit.kind), hit.toi_lo, len(step.collisions()), len(step.first_impacts(2)), len(step.intervals())
    ('vertex-face', 0.5, 3, 2, 3)
    >>> step.gradients(hit)["x1"][0, 0].tolist(), step.activeset()["gap"][0].item()
    ([0.0, 0.0, 0.25], -1.0)
    >>> step.size(min_separation=0.5), step.advance(share=0.5).x[3].round(6).tolist()
    (0.24999999999999997, [0.2, 0.2, 0.5])
    >>> step.sizes().alpha.round(2).tolist(), round(step.linesearch(0.2, min_separation=0.5).alpha, 6)
    ([1.0, 1.0, 1.0, 0.45, 0.45, 0.45], 0.45)
    >>> step.pairs("vertex-face", [[3, 0], [0, 1]])["toi_lo"].tolist(), len(step.pairs_intervals("vertex-face", [[3, 0]]))
    ([0.5, inf], 1)
    >>> str(step.why(min_separation=2).cause)
    'separation'
    >>> step.visit(lambda portion: len(portion) == 0), sum(len(portion) for portion in step.stream())
    (True, 3)
    >>> x1[3:] = x0[3:]  # the same array, other positions
    >>> step.earliest().separate, round(step.clearance().hi, 6), step.profile([0, 1])["hi"].round(6).tolist()
    (True, 1.0, [1.0, 1.0])

    The same fall on a motion, and one of candidates:

    >>> ccd.Step(mesh, ccd.Motion([x0, x0 - [0, 0, 2]])).earliest().separate
    True
    >>> ccd.broad.candidates(mesh, x0, x1).step(x0, x1).size()
    1.0
    """

    _handle: ctypes.c_void_p
    _ends: Ends
    _long: bool

    def __init__(self, mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None):
        of, lib = mesh_of(mesh), abi.library()
        found = ends(x0, x1, mesh._vertices)
        if found.motion is None:
            self._make(found, lib.ccd_step_create, of, *found.arguments)
        else:
            self._make(found, lib.ccd_step_create_motion, of, found.motion._handle)

    @classmethod
    def _made(cls, found: Ends, function: Callable[..., int], *arguments: Any, long: bool = False) -> Step:
        """The step that a function of C makes."""
        step = cls.__new__(cls)
        step._make(found, function, *arguments, long=long)
        return step

    def _make(self, found: Ends, function: Callable[..., int], *arguments: Any, long: bool = False) -> None:
        self._ends, self._long = found, long or found.rows >= LONG
        handle = ctypes.c_void_p()
        check(function(*arguments, ctypes.byref(handle)))
        self._handle, self._destroy = handle, abi.library().ccd_step_destroy

    def close(self) -> None:
        """Free the step now. Running calls on other threads complete; later ones raise HandleError."""
        if self._handle:
            self._destroy(self._handle)  # a second time, or in a forked child, it fails, which nobody needs to know

    def __del__(self) -> None:  # in a third of the time of a weakref.finalize
        if "_destroy" in self.__dict__:
            self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a ccd.Step cannot be pickled or copied: create one from what it was made of")

    def __enter__(self) -> Step:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<ccd.Step of {self.vertices} vertices>"

    @property
    def vertices(self) -> int:
        """Number of vertices: of the mesh, of a scene those that move. Results have so many rows."""
        return self._ends.rows

    def _call(self, options: Options) -> Call:
        long = self._long or ("max_iterations" in options and unbounded(options))
        return Call(options, long=long, frames=self._ends.frames)

    def between(self, a: Group, b: Group) -> Step:
        """Return the step with the pairs of two groups alone: one primitive in `a`, the other in `b`.

        One object against another, or vertices against faces one way. Only the primitives of the groups are swept; filters of
        the mesh apply. Results have the bits of those of this step, without the impacts of other pairs.

        Parameters
        ----------
        a : ccd.Group
            One group. It is copied.
        b : ccd.Group
            The other, without a number of the first.

        Returns
        -------
        Step
            A step with all calls but `clearance`.

        Raises
        ------
        ArgumentError
            A list is no array (k,) of integers.
        InvalidIndexError
            A number is out of range, repeated, or in both groups; the message names it.
        UnsupportedError
            This step is of a neighbor list, of a scene, or between groups.

        Examples
        --------
        >>> import numpy as np, ccd
        >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
        >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
        >>> step = ccd.Step(mesh, x0, x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1]))
        >>> len(step.between(mesh.group_of([0, 1, 2]), mesh.group_of([3, 4, 5])).collisions())
        3
        >>> len(step.between(ccd.Group(vertices=[3]), ccd.Group(faces=[0])).collisions())
        1
        """
        groups, kept = [], []
        for name, group in (("a", a), ("b", b)):
            if not isinstance(group, Group):
                raise ArgumentError(f"{name} is {shown(group)}: must be a ccd.Group, as Mesh.group_of returns")
            lists = [arrays.ids(f"{name}.{part}", numbers) for part, numbers in zip(Group._fields, group)]
            kept += lists  # the arrays that the structs refer to
            groups.append(ctypes.byref(abi.Group(*(value for x in lists for value in (x.ctypes.data, len(x))))))
        return self._made(self._ends, abi.library().ccd_step_create_between, self._handle, *groups, long=self._long)

    @options_by_name
    def earliest(self, **options: Unpack[Options]) -> Impact:
        """Compute the earliest impact, as `ccd.step.earliest`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        Impact
            The impact with the least ``toi_lo``, of equal ones the first in the order (kind, a, b). Of a scene: if it is
            SEPARATE and ``t_max`` is 1, the motion is proven.

        Raises
        ------
        Error
            As `ccd.step.earliest`. Of candidates also ArgumentError for a vertex that leaves the box of its motion; of a
            neighbor list for a ``min_separation`` above its reach; of a scene InvalidIndexError for `moved`.
        """
        call = self._call(options)
        return results.impact(call, abi.library().ccd_step_run_earliest, self._handle, call.options)

    @options_by_name
    def collisions(self, **options: Unpack[Options]) -> NDArray[np.void]:
        """List every impact, as `ccd.step.collisions`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        numpy.ndarray
            Impacts (m,) of `ccd.impact_dtype`, sorted by (toi_lo, kind, a, b). Of a scene: if there are none and ``t_max`` is
            1, the motion is proven.

        Raises
        ------
        Error
            As `earliest`.
        """
        call = self._call(options)
        return results.impacts(call, abi.library().ccd_step_run_collisions, self._handle, call.options)

    @options_by_name
    def first_impacts(self, count: int, **options: Unpack[Options]) -> NDArray[np.void]:
        """List the impacts that come first, as `ccd.step.first_impacts`.

        Parameters
        ----------
        count : int
            How many, at least 1.
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        numpy.ndarray
            The first `count` impacts of `collisions`, or all of them if there are no more.

        Raises
        ------
        ArgumentError
            `count` is no integer, or is below 1.
        Error
            As `earliest`.
        """
        number = arrays.integer("count", count, 1, 2**63 - 1)
        call = self._call(options)
        return results.impacts(call, abi.library().ccd_step_run_first_impacts, self._handle, number, call.options)

    @options_by_name
    def collisions_on_device(self, **options: Unpack[Options]) -> DeviceColumns:
        """List every impact in the memory of a device of CUDA, as `ccd.step.collisions_on_device`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.collisions_on_device`.

        Returns
        -------
        DeviceColumns
            The impacts of `collisions` as columns.

        Raises
        ------
        UnsupportedError
            There is no device of NVIDIA's driver that can be used.
        Error
            As `earliest`.
        """
        call = self._call(options)
        return device_columns.impacts(call, abi.library().ccd_step_run_collisions, self._handle, call.options)

    @options_by_name
    def visit(self, visitor: Callable[[NDArray[np.void]], object], **options: Unpack[Options]) -> bool:
        """Pass every impact to a function in portions, and store none, as `ccd.step.visit`.

        Parameters
        ----------
        visitor : callable
            Called with arrays of `ccd.impact_dtype`, from any thread, never twice at once. A true result stops the call. What
            it raises is raised by the call. It must not call the scene of the step.
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        bool
            Whether `visitor` received all.

        Raises
        ------
        Error
            As `earliest`.
        """
        if not callable(visitor):
            raise ArgumentError(f"visitor is {shown(visitor)}: must be callable")
        call = self._call(options)
        return call.visit(visitor, impact_dtype, abi.library().ccd_step_run_visit, self._handle, call.options)

    @options_by_name
    def stream(self, **options: Unpack[Options]) -> Iterator[NDArray[np.void]]:
        """Iterate over the impacts in portions, as `ccd.step.stream`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        iterator of numpy.ndarray
            Arrays (m,) of `ccd.impact_dtype`.

        Raises
        ------
        Error
            As `earliest`.
        """
        return iterate(lambda give: self.visit(give, **options))

    @options_by_name
    def pairs(self, kind: Kind | str | int, pairs: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
        """Compute the impacts of given pairs of primitives, as `ccd.step.pairs`.

        Parameters
        ----------
        kind : Kind or str or int
            Kind of all pairs.
        pairs : array_like
            Indices of the two primitives as in `ccd.Impact`, (m, 2) integers.
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        numpy.ndarray
            Impacts (m,) of `ccd.impact_dtype` in the order of `pairs`, separate ones included.

        Raises
        ------
        InvalidIndexError
            A pair is out of range; the message names it.
        Error
            As `earliest`.
        """
        kind = Kind.of("kind", kind)
        array, call = arrays.pairs("pairs", pairs), self._call(options)
        out = np.zeros(len(array), impact_dtype)
        function = abi.library().ccd_step_run_pairs
        call(function, self._handle, kind, array.ctypes, len(array), call.options, out.ctypes)
        return out.view(Records)

    @options_by_name
    def intervals(self, **options: Unpack[Options]) -> NDArray[np.void]:
        """Find every interval of contact of every pair, as `ccd.step.intervals`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.intervals`.

        Returns
        -------
        numpy.ndarray
            Intervals (m,) of `ccd.interval_dtype`, sorted by (enter, kind, a, b).

        Raises
        ------
        Error
            As `ccd.step.intervals`.
        """
        call = self._call(options)
        return results.intervals(call, abi.library().ccd_step_run_intervals, self._handle, call.options)

    @options_by_name
    def pairs_intervals(self, kind: Kind | str | int, pairs: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
        """Find every interval of contact of given pairs of primitives, as `ccd.step.pairs_intervals`.

        Parameters
        ----------
        kind : Kind or str or int
            Kind of all pairs.
        pairs : array_like
            Indices of the two primitives as in `ccd.Impact`, (m, 2) integers. A pair that is given twice is found twice.
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.intervals`.

        Returns
        -------
        numpy.ndarray
            Intervals (k,) of `ccd.interval_dtype`, pair by pair in the order of `pairs`; a pair may have several, or none.

        Raises
        ------
        InvalidIndexError
            A pair is out of range; the message names it.
        Error
            As `intervals`.
        """
        kind = Kind.of("kind", kind)
        array, call = arrays.pairs("pairs", pairs), self._call(options)
        function = abi.library().ccd_step_run_pairs_intervals
        return results.intervals(call, function, self._handle, kind, array.ctypes, len(array), call.options)

    @options_by_name
    def clearance(self, **options: Unpack[Options]) -> Clearance:
        """Bracket the least Euclidean distance that any pair has, with its time and place, as `ccd.step.clearance`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.clearance`.

        Returns
        -------
        Clearance
            The pair, the bracket of its distance less radii, the time and the points.

        Raises
        ------
        Error
            As `ccd.step.clearance`.
        """
        call, out = self._call(options), abi.Clearance()
        call(abi.library().ccd_step_run_clearance, self._handle, call.options, ctypes.byref(out))
        return Clearance._of(out)

    @options_by_name
    def profile(self, times: ArrayLike, **options: Unpack[Options]) -> NDArray[np.void]:
        """Bracket the least Euclidean distance of all pairs at given times, as `ccd.step.profile`.

        Parameters
        ----------
        times : array_like
            Times, (n,), each in [0, 1].
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.profile`.

        Returns
        -------
        numpy.ndarray
            Distances (n,) of `ccd.clearance_dtype`.

        Raises
        ------
        Error
            As `ccd.step.profile`.
        """
        at = arrays.doubles("times", times)
        if at.ndim != 1:
            raise ArgumentError(f"times has shape {at.shape}: must be (n,)")
        call, out = self._call(options), np.empty(len(at), clearance_dtype)
        call(abi.library().ccd_step_run_profile, self._handle, at.ctypes, len(at), call.options, out.ctypes)
        return out.view(Records)

    @options_by_name
    def size(self, **options: Unpack[Options]) -> float:
        """Compute a safe step, as `ccd.step.size`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        float
            A number alpha in [0, t_max]: for every t in [0, alpha] all pairs keep more than ``min_separation``. Of a scene: if
            it is 1, the motion is proven.

        Raises
        ------
        Error
            As `earliest`.
        """
        call = self._call(options)
        return results.alpha(call, abi.library().ccd_step_run_size, self._handle, call.options)

    @options_by_name
    def advance(self, share: float = 1.0, **options: Unpack[Options]) -> Advanced:
        """Advance as far as is safe, as `ccd.step.advance`.

        Parameters
        ----------
        share : float, default 1.0
            The part of the step of `size` to take, in (0, 1].
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        Advanced
            The step ``alpha`` and the positions ``x``; of a scene with a row for each vertex that moves, and the motion to
            ``x`` is proven.

        Raises
        ------
        Error
            As `earliest`.
        """
        part, call = arrays.number("share", share), self._call(options)
        alpha, x = ctypes.c_double(), np.empty((self.vertices, 3))
        function = abi.library().ccd_step_run_advance
        call(function, self._handle, part, call.options, ctypes.byref(alpha), x.ctypes, len(x))
        return Advanced(alpha.value, x)._limited(self.earliest, options)

    @options_by_name
    def sizes(
        self,
        groups: ArrayLike | None = None,
        share: float = 0.9,
        keep_ratio: float = 0.5,
        max_passes: int = 64,
        **options: Unpack[Options],
    ) -> Sizes:
        """Choose a step for each vertex, as `ccd.step.sizes`.

        Parameters
        ----------
        groups : array_like, optional
            An id for each vertex, of a scene for each that moves, (n,) integers: the vertices of a group have one alpha.
            Default none.
        share : float, default 0.9
            The part of the way to an impact that the pair's vertices go, in (0, 1).
        keep_ratio : float, default 0.5
            The part of its distance that a pair within ``min_separation`` keeps, in [0, 1].
        max_passes : int, default 64
            Searches after which vertices in contact are stopped.
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.sizes`; ``t_max`` must be 1.

        Returns
        -------
        Sizes
            The steps ``alpha``, the positions ``y``, and counts; of a scene the motion to ``y`` is proven.

        Raises
        ------
        Error
            As `earliest`.
        """
        part, keep = arrays.number("share", share), arrays.number("keep_ratio", keep_ratio)
        most = arrays.integer("max_passes", max_passes, -(2**63), 2**63 - 1)
        call, n = self._call(options), self.vertices
        ids = None if groups is None else arrays.ids("groups", groups)
        if ids is not None and len(ids) != n:
            raise ArgumentError(f"groups has {len(ids)} ids: {self._ends.noun} has {n} vertices")
        alpha, y, report = np.empty(n), np.empty((n, 3)), abi.SizesReport()
        of = None if ids is None or not len(ids) else ids.ctypes
        out = alpha.ctypes, y.ctypes, n, ctypes.byref(report)
        call(abi.library().ccd_step_run_sizes, self._handle, of, part, keep, most, call.options, *out)
        return Sizes(alpha, y, report.passes, report.used, report.resting, report.floor)

    @options_by_name
    def why(self, **options: Unpack[Options]) -> Why:
        """Say why the step is short, as `ccd.step.why`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.why`.

        Returns
        -------
        Why
            The first pair that limits the step, the cause, and sentences on both.

        Raises
        ------
        UnsupportedError
            The step is of a scene, ``region`` is set, or x0 is on a device.
        Error
            As `earliest`.
        """
        return explained(self._call(options), self._handle, options, self._ends.motion is None)

    @options_by_name
    def linesearch(self, keep_ratio: float = 0.2, **options: Unpack[Options]) -> LinesearchBound:
        """Bound the steps of a line search so that pairs keep a fraction of their distance, as `ccd.step.linesearch`.

        Parameters
        ----------
        keep_ratio : float, default 0.2
            The fraction of the distance at t = 0 to keep, in (0, 1).
        **options : Options
            Keywords of `ccd.Options`. ``min_separation`` must be positive; here it is a search radius.

        Returns
        -------
        LinesearchBound
            The fields alpha, distance and separation.

        Raises
        ------
        Error
            As `earliest`.
        """
        ratio, call, bound = arrays.number("keep_ratio", keep_ratio), self._call(options), abi.LinesearchBound()
        call(abi.library().ccd_step_run_linesearch, self._handle, ratio, call.options, ctypes.byref(bound))
        return LinesearchBound(bound.alpha, bound.distance, bound.separation)

    @options_by_name
    def activeset(self, **options: Unpack[Options]) -> NDArray[np.void]:
        """List every pair that comes within ``min_separation`` as a constraint, as `ccd.step.activeset`.

        Parameters
        ----------
        **options : Options
            Keywords of `ccd.Options`, as in `ccd.step.earliest`.

        Returns
        -------
        numpy.ndarray
            Constraints (m,) of `ccd.constraint_dtype`.

        Raises
        ------
        Error
            As `earliest`.
        """
        call = self._call(options)
        return results.constraints(call, abi.library().ccd_step_run_activeset, self._handle, call.options)

    @options_by_name
    def gradients(self, impacts: Impact | NDArray[np.void], **options: Unpack[Options]) -> NDArray[np.void]:
        """Compute how the times of some impacts depend on x0 and x1, as `ccd.step.gradients`.

        Parameters
        ----------
        impacts : Impact or numpy.ndarray
            One impact of this step, or (m,) of `ccd.impact_dtype`. Only ``kind``, ``a`` and ``b`` are read.
        **options : Options
            Keywords of `ccd.Options`: ``min_separation``, ``norm`` and ``t_max`` are those of the time.

        Returns
        -------
        numpy.ndarray
            Gradients (m,) of `ccd.gradient_dtype`, in the order of `impacts`.

        Raises
        ------
        InvalidIndexError
            An impact is not of this mesh; the message names it.
        Error
            As `earliest`.
        """
        given = results.impacts_of(impacts)
        call, out = self._call(options), np.zeros(len(given), gradient_dtype)
        call(abi.library().ccd_step_run_gradients, self._handle, given.ctypes, len(given), call.options, out.ctypes)
        return out.view(Records)
