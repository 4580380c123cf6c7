"""The options that every call takes as keywords, and the statistics that a call can fill in."""

from __future__ import annotations

import ctypes
import difflib
import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import abi, arrays
from .errors import ArgumentError, shown
from .impact import EDGE_FACE, IntersectionKind, Kind, _Named


class Method(_Named):
    """Algorithm of a query.

    Functions take a member, its number or its name (``"tight-inclusion"``).

    Attributes
    ----------
    DEFAULT : int
        0: the exact method for pairs and meshes; rigid bodies and patches have their own.
    TIGHT_INCLUSION : int
        1: [Wang2021]; pairs, meshes, volumes, patches.
    TIME_CONTRACTED : int
        2: [Chen2024]; pairs, meshes, volumes, patches.
    EXACT : int
        3: no tolerance, a unique result; pairs, meshes, volumes.
    D2M : int
        16: [Buddingh2017]; rigid bodies.
    D2M_SPHERES : int
        17: [Buddingh2017] down to small spheres, fast and approximate; rigid bodies.
    VOLCCD : int
        32: [Tang2011], corrected; volumes.
    """

    DEFAULT = 0
    TIGHT_INCLUSION = 1
    TIME_CONTRACTED = 2
    EXACT = 3
    D2M = 16
    D2M_SPHERES = 17
    VOLCCD = 32


class Norm(_Named):
    """Norm that ``min_separation`` is measured in.

    The max norm is never larger than the Euclidean norm, so with it contact is found earlier.

    Attributes
    ----------
    DEFAULT : int
        0: the Euclidean norm.
    MAX : int
        1: the largest absolute value of x, y and z; not for rigid bodies, patches and proximity.
    EUCLIDEAN : int
        2: the usual distance between two points.
    """

    DEFAULT = 0
    MAX = 1
    EUCLIDEAN = 2


class Device(_Named):
    """Device that computes a call.

    Attributes
    ----------
    CPU : int
        0: the processor.
    GPU : int
        1: a graphics processor, which runs the narrow phase of the exact method in steps of a mesh. UnsupportedError if it
        cannot be used or fails, or if the call does not use one.
    AUTO : int
        2: a graphics processor where there is one and there are many pairs, else the CPU.
    """

    CPU = 0
    GPU = 1
    AUTO = 2


class Options(TypedDict, total=False):
    """Keywords of every call that computes something.

    Lengths are in the unit of the coordinates, times are fractions of the step. An option that a call cannot use has no
    effect, or raises UnsupportedError where the result would differ.

    Parameters
    ----------
    min_separation : float, default 0
        A length, in ``norm``; the radii of a pair (`ccd.Mesh.set_radii`) are added. 0: touching. All pairs keep more than
        this before ``toi_lo``, whatever the verdict; contact means that the distance falls to it (and the tolerance).
        Rigid bodies with 0 keep an eighth of the tolerance.
    tolerance : float or None, default None
        A length: a reported contact comes within min_separation + tolerance + rounding; it never lessens what is kept.
        None: 1e-6; for rigid bodies 1e-10, or the least that doubles can tell at their size and place (`ccd.rigid`). The
        exact method ignores it.
    t_min : float, default 0
        Only times in [t_min, t_max] count; other than 0 only for rigid bodies.
    t_max : float, default 1
        At most 1, except for rigid bodies, whose times are in the unit of their velocities.
    max_iterations : int, default 1000000
        Most work of one query: boxes; for rigid bodies pairs of boxes and triangles, for patches pairs of subpatches. A
        query that reaches it is undecided, and its ``reason`` is `ccd.Reason.ITERATIONS`. 0: no limit. The exact method
        ignores it.
    method : Method or str or int, default 'default'
        ``'default'``, ``'tight-inclusion'``, ``'time-contracted'``, ``'exact'``; rigid bodies: ``'d2m'``, ``'d2m-spheres'``;
        volumes: ``'volccd'``. See `ccd.Method`.
    norm : Norm or str or int, default 'default'
        Norm of ``min_separation``: ``'default'`` (Euclidean), ``'max'`` or ``'euclidean'``. See `ccd.Norm`.
    threads : int, default 0
        Number of threads, at most 1024; 0: all that this process may use. CCD_NUM_THREADS in the environment caps it.
    device : Device or str or int, default 'cpu'
        ``'cpu'``, ``'gpu'`` or ``'auto'``; results have the same bits. See `ccd.Device` and `ccd.devices`. CCD_DEVICE in the
        environment sets it for calls that leave it at ``'cpu'``.
    device_index : int, default 0
        Index of the graphics processor in `ccd.devices`; 0: the first that can be used.
    memory_limit : int, default 0
        Bytes for the working memory and the results of the call; 0: no limit. For patches it also bounds the memory of each
        query, where 0 stands for 256 MiB: a query that reaches it is undecided, with `ccd.Reason.MEMORY`.
    no_zero_toi : bool, default False
        Guarantee ``toi_lo`` > 0 if the distance at t = 0 exceeds ``min_separation``; pairs, meshes, volumes, patches.
    brute_force : bool, default False
        Test all pairs, without a broad phase: quadratic time, for comparison.
    ignore_separating : bool, default False
        Rigid bodies, default method: triangles within the tolerance that provably move apart are not in contact, even if
        they are nearer than ``min_separation`` at t_min: they come no nearer, and a new approach is found. An impact at
        t_min then has points that do not move apart: set it in a loop that advances to ``toi_lo`` and responds to the
        impact (law 12 of docs/numerics.md).
    check_start : bool, default False
        Steps of a mesh: an edge that passes through a face at x0 is an impact at t = 0 of kind
        `ccd.proximity.EDGE_FACE`, before all others. Costs about as much as `ccd.proximity.intersections`.
    apart_at_toi : bool, default False
        Single pairs, exact method: report a contact when the pair is still apart by more than ``min_separation``, by at most
        the tolerance, so that a normal or a logarithm of the distance at ``toi_lo`` is finite.
    scene_bound : array_like, optional
        Bounds of the absolute values of x, y and z of all vertices, (3,): one rounding error bound for the whole scene.
    region : tuple of array_like, optional
        Two corners, (lo, hi), of three coordinates each: only the pairs that this box owns, half open along each axis. The
        minimum of a primitive is the least coordinate of its vertices at both ends of the step (of a motion that of their
        control points). The box owns the pairs whose corner it contains, which has along each axis the larger of two minima.
        Boxes that partition space own each pair once. For ``earliest``, ``collisions``, ``stream`` and ``size`` of steps of a
        mesh, candidates and near pairs.
    separations : array_like, optional
        Rows (a, b, separation), (k, 3), of two bodies and the length that they keep, in place of ``min_separation``; each pair
        once. For `ccd.rigid.scene_earliest` and `ccd.rigid.scene_collisions`.
    progress : callable, optional
        Called with a fraction in [0, 1], from any thread, never twice at once; a true result cancels the call.
    stats : Stats, optional
        Statistics that the call fills in.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> options: ccd.Options = {"min_separation": 0.5, "threads": 1}
    >>> ccd.pair.point_point([0, 0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0], **options).toi_lo
    0.75
    """

    min_separation: float
    tolerance: float | None
    t_min: float
    t_max: float
    max_iterations: int
    method: Method | str | int
    norm: Norm | str | int
    threads: int
    device: Device | str | int
    device_index: int
    memory_limit: int
    no_zero_toi: bool
    brute_force: bool
    ignore_separating: bool
    check_start: bool
    apart_at_toi: bool
    scene_bound: ArrayLike
    region: tuple[ArrayLike, ArrayLike] | None
    separations: ArrayLike | None
    progress: Callable[[float], object] | None
    stats: Stats | None


#: Keywords that are bits of ccd_options.flags.
FLAGS = {"no_zero_toi": 1, "brute_force": 2, "ignore_separating": 4, "check_start": 8, "apart_at_toi": 16}
_FLOATS = ("min_separation", "t_min", "t_max")
_INTEGERS = {
    "max_iterations": (-(2**63), 2**63 - 1),
    "threads": (-(2**31), 2**31 - 1),
    "device_index": (-(2**31), 2**31 - 1),
    "memory_limit": (0, 2 ** (8 * ctypes.sizeof(ctypes.c_size_t)) - 1),
}
_LEAST_LIMIT = 1 << 10
"""Bytes below which a memory limit was probably meant to be another unit."""
_NAMED: dict[str, type[_Named]] = {"method": Method, "norm": Norm, "device": Device}


@dataclass
class Stats:
    """Statistics of a call: pass one as ``stats``, and the call fills it in.

    Attributes
    ----------
    boxes : int
        Boxes of vertices, edges and faces that were swept.
    candidates : dict of Kind to int
        Pairs that the narrow phase tested, by kind; pairs of rigid bodies and of patches count as VERTEX_FACE. Of
        `ccd.broad.candidates`, the pairs that it lists.
    impacts : int
        Pairs in contact or undecided.
    undecided : int
        Of these, pairs that reached ``max_iterations``.
    seconds_build : float
        Wall-clock time to compute and sort boxes.
    seconds_broad : float
        Time of the search for pairs; where it overlaps with the narrow phase, the mean over threads.
    seconds_narrow : float
        Time of the narrow phase, measured in the same way.
    seconds_total : float
        Wall-clock time of the whole call.
    peak_bytes : int
        Working memory of the call.
    threads : int
        Threads that were used.
    device_used : bool
        Whether a graphics processor did a part of the work.
    device_seconds : float
        Time for which the threads waited for it, in all.
    device_peak_bytes : int
        Largest memory of the call on it.
    plans : int
        Plans of boxes that a step was swept with: one for each search of the call, more where ``memory_limit`` divides space,
        where a motion is swept in sections, and where early impacts make a shorter one pay. 0 for other calls.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> stats = ccd.Stats()
    >>> hit = ccd.step.earliest(mesh, x0, x1, stats=stats)
    >>> stats.boxes, stats.undecided
    (14, 0)
    """

    boxes: int = 0
    candidates: dict[Kind | IntersectionKind, int] = field(default_factory=lambda: dict.fromkeys((*Kind, EDGE_FACE), 0))
    impacts: int = 0
    undecided: int = 0
    seconds_build: float = 0.0
    seconds_broad: float = 0.0
    seconds_narrow: float = 0.0
    seconds_total: float = 0.0
    peak_bytes: int = 0
    threads: int = 0
    device_used: bool = False
    device_seconds: float = 0.0
    device_peak_bytes: int = 0
    plans: int = 0

    def _read(self, c: abi.Stats) -> None:
        for name in self.__dataclass_fields__:
            if name != "candidates":
                setattr(self, name, getattr(c, name))
        self.device_used = bool(c.device_used)
        self.candidates = {kind: c.candidates[kind - 1] for kind in (*Kind, EDGE_FACE)}

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields, with names of kinds.
        """
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return plain | {"candidates": {str(kind): count for kind, count in self.candidates.items()}}


def _tolerance(value: Any) -> float:
    tolerance = arrays.number("tolerance", value)
    if tolerance == 0:  # 0 is the call's default in C
        raise ArgumentError("tolerance is 0: must be positive, or None for the call's default")
    return tolerance


def _scene_bound(value: Any) -> tuple[float, float, float]:
    bound = arrays.doubles("scene_bound", value)
    if bound.shape != (3,):
        raise ArgumentError(f"scene_bound has shape {bound.shape}: must be (3,)")
    x, y, z = bound.tolist()
    return x, y, z


def _region(value: Any) -> abi.Region:
    try:
        first, second = value
    except (TypeError, ValueError):
        raise ArgumentError(f"region is {shown(value)}: must be two corners, (lo, hi)") from None
    lo, hi = arrays.doubles("region[0]", first), arrays.doubles("region[1]", second)
    if lo.shape != (3,) or hi.shape != (3,):
        raise ArgumentError(f"region has corners of shape {lo.shape} and {hi.shape}: must be (3,)")
    return abi.Region(tuple(lo.tolist()), tuple(hi.tolist()))


def _separations(value: Any) -> NDArray[np.void]:
    rows = arrays.doubles("separations", value)
    if rows.ndim != 2 or rows.shape[1] != 3:
        if rows.size == 0:
            rows = rows.reshape(0, 3)
        else:
            raise ArgumentError(f"separations has shape {rows.shape}: must be (k, 3), rows of two bodies and a length")
    out = np.empty(len(rows), [("a", np.int32), ("b", np.int32), ("separation", np.float64)])
    for k, name in enumerate(("a", "b")):
        body = rows[:, k]
        wrong = np.flatnonzero(~((body == np.floor(body)) & (np.abs(body) < 2**31)))
        if len(wrong):
            raise ArgumentError(f"separations[{wrong[0]}][{k}] is {float(body[wrong[0]])!r}: must be the index of a body")
        out[name] = body
    out["separation"] = rows[:, 2]
    return out


_MOVES = "x1: where the vertices are at the end, x0 + dt * velocities"
_OTHER_NAMES = {
    "velocity": _MOVES,
    "velocities": _MOVES,
    "displacement": "x1: where the vertices are at the end, x0 + displacements",
    "dt": _MOVES,
    "dhat": "min_separation",
    "d_hat": "min_separation",
    "separation": "min_separation",
    "min_distance": "min_separation",
    "ms": "min_separation",
    "thickness": "min_separation",
    "radii": "ccd.Mesh.set_radii",
    "tmax": "t_max",
    "max_itr": "max_iterations",
    "num_threads": "threads",
}
"""Words of other libraries for an option, or for what takes its place."""


def unknown(name: str, known: Iterable[str]) -> str:
    """The text of the error for an unknown option: the options that are known, and the one that was probably meant."""
    words = list(known)
    if name == "options":
        return "unknown option 'options': give options by name, as in min_separation=1e-3, or as **options"
    meant = _OTHER_NAMES.get(name) or next(iter(difflib.get_close_matches(name, words, 1)), None)
    if not meant and len(name) > 3:  # a part of a name, as mass of inverse_mass
        meant = next((word for word in words if name in word.split("_")), None)
    hint = f"; did you mean {meant}?" if meant else ""
    return f"unknown option {name!r}{hint}; the options are {', '.join(words)}"


_COORDINATES = ("x0", "x1", "x", "rest")
"""Parameters of calls that may be left out, and that are no options."""


def _own(name: str) -> list[str]:
    """The options of the call that was given an option of this name, beside those of `Options`.

    The call is the outermost function of this package on the stack that has the name among its keywords.
    """
    frame: FrameType | None = sys._getframe(1)
    found: list[str] = []
    while frame is not None:
        code, values = frame.f_code, frame.f_locals
        if code.co_flags & inspect.CO_VARKEYWORDS and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
            named = code.co_varnames[code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)]
            holder = type(values["self"]) if "self" in values else None
            function = frame.f_globals.get(code.co_name) if holder is None else getattr(holder, code.co_name, None)
            if function is not None and name in values.get(named, ()):
                parameters = inspect.signature(function).parameters.values()
                found = [p.name for p in parameters if p.default is not p.empty and p.name not in _COORDINATES]
        frame = frame.f_back
    return found


def depth() -> int:
    """How many calls of this package are above the caller's: for a warning that shows the user's line."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, depth = frame.f_back, depth + 1
    return depth


def _few_bytes(limit: int) -> str:
    needs = "a call takes what it needs all the same"
    return f"memory_limit is {limit} bytes: {needs}; for {limit} MiB write memory_limit={limit} * 2**20"


@functools.cache
def _defaults() -> bytes:
    """What the library sets in options. A copy takes a quarter of the time of a call of it."""
    c = abi.Options()
    abi.library().ccd_options_init(ctypes.byref(c), ctypes.sizeof(c))
    return bytes(c)


_PLAIN = frozenset((int, float, bool, str))


def pointer_to(options: Mapping[str, Any]) -> Any:
    """The options as an argument of a C function, which only reads them: calls with the same plain values share one."""
    for value in options.values():
        if type(value) not in _PLAIN:
            return ctypes.byref(to_c(options))
    return _shared(*options, *options.values())


@functools.lru_cache(maxsize=64, typed=True)  # typed: True is no number of threads, 1 is
def _shared(*words: Any) -> Any:
    """The options whose names are the first half of the words, and whose values are the others."""
    half = len(words) // 2
    return ctypes.byref(to_c(dict(zip(words[:half], words[half:]))))


def to_c(options: Mapping[str, Any], also: Iterable[str] = ()) -> abi.Options:
    """The options in C form, without progress and stats. The library checks the ranges; nothing is cut off here.

    `also` are words that the error for an unknown option lists beside the others.
    """
    c = abi.Options.from_buffer_copy(_defaults())
    for name, value in options.items():
        if name in _FLOATS:
            setattr(c, name, arrays.number(name, value))
        elif name == "tolerance":
            if value is not None:
                c.tolerance = _tolerance(value)
        elif name in _INTEGERS:
            setattr(c, name, arrays.integer(name, value, *_INTEGERS[name]))
            if name == "memory_limit" and 0 < value < _LEAST_LIMIT:
                warnings.warn(_few_bytes(value), UserWarning, stacklevel=depth())
        elif name in FLAGS:
            if arrays.flag(name, value):
                c.flags |= FLAGS[name]
        elif name in _NAMED:
            setattr(c, name, _NAMED[name].of(name, value))
        elif name == "scene_bound":
            if value is not None:
                c.scene_bound[:] = _scene_bound(value)
        elif name == "region":
            if value is not None:
                c._region = _region(value)  # the array lives as long as the struct
                c.region = ctypes.addressof(c._region)
        elif name == "separations":
            if value is not None:
                c._separations = _separations(value)  # the array lives as long as the struct
                c.separations, c.n_separations = c._separations.ctypes.data, len(c._separations)
        elif name not in ("progress", "stats"):
            raise TypeError(unknown(name, [*also, *_own(name), *Options.__annotations__]))
    return c
