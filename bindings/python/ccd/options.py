"""The options that every call takes as keywords, and the statistics that a call can fill in."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from numpy.typing import ArrayLike

from ._native import abi, arrays
from .errors import ArgumentError
from .impact import EDGE_FACE, IntersectionKind, Kind, _Named


class Method(_Named):
    """How a query is answered. DEFAULT is EXACT for pairs and meshes."""

    DEFAULT = 0
    TIGHT_INCLUSION = 1  #: [Wang2021]; pairs, meshes, volumes, patches
    TIME_CONTRACTED = 2  #: [Chen2024]; pairs, meshes, volumes, patches
    EXACT = 3  #: no tolerance; pairs, meshes, volumes
    D2M = 16  #: [Buddingh2017]; rigid bodies
    D2M_SPHERES = 17  #: the same down to small spheres: fast and approximate; rigid bodies
    VOLCCD = 32  #: [Tang2011]; volumes


class Norm(_Named):
    """The norm that min_separation is measured in.

    DEFAULT is the Euclidean norm. The max norm is never larger, so with it contact is found earlier.
    """

    DEFAULT = 0
    MAX = 1  #: the largest of |x|, |y|, |z|; not for rigid bodies, patches and proximity
    EUCLIDEAN = 2  #: the usual distance between two points


class Device(_Named):
    """Where a call is computed."""

    CPU = 0


class Options(TypedDict, total=False):
    """Keywords of every call that decides something. Lengths are in the coordinates' unit, times fractions of the step.

    An option that a call cannot use has no effect, or raises UnsupportedError where the answer would differ.

    min_separation     0: touching. All pairs keep more than this length before toi_lo, whatever the verdict; contact means that
                       the distance falls to it (and the tolerance). Rigid bodies with 0 keep an eighth of the tolerance
    tolerance          None: the call's default, 1e-10 for rigid bodies, else 1e-6. A length beyond min_separation in which
                       contact may be reported; it never lessens what is kept. The exact method ignores it
    t_min              0: only times in [t_min, t_max] count; other than 0 for rigid bodies alone
    t_max              1: at most 1, except for rigid bodies, whose times are in the unit of their velocities
    max_iterations     1000000: work for one query before it is undecided, in boxes; for rigid bodies in pairs of boxes and
                       triangles, for patches in pairs of subpatches; 0 = no limit
    method             'default', 'tight-inclusion', 'time-contracted', 'exact'; rigid bodies: 'd2m', 'd2m-spheres'; volumes:
                       'volccd'. See `ccd.Method`
    norm               'default' (Euclidean), 'max' or 'euclidean': the norm of min_separation. See `ccd.Norm`
    threads            0: all this process may use; CCD_NUM_THREADS in the environment caps it
    device             'cpu', the only one in version 0.1
    memory_limit       0 = none, else bytes for the working memory and the results of the call
    no_zero_toi        False: guarantee toi_lo > 0 if the distance at t = 0 exceeds min_separation; see `step.size`
    brute_force        False: test all pairs, without a broad phase: quadratic, for comparison
    ignore_separating  False: rigid bodies, default method: triangles within the tolerance that provably move apart are not in
                       contact, even if they are nearer than min_separation at t_min: they come no nearer, and a new approach is
                       found. An impact at t_min then has points that do not move apart: set it in a loop that advances to
                       toi_lo and answers the impact (law 12 of docs/numerics.md)
    check_start        False: steps of a mesh: an edge that passes through a face at x0 is an impact at t = 0 of kind
                       `ccd.proximity.EDGE_FACE`, before all others. Without it these are not seen. Costs about as much as
                       `proximity.intersections`
    scene_bound        None, or a bound on |coordinate| per axis: one error bound for the whole scene
    progress           called with a fraction, from any thread; a true result cancels the call
    stats              a ccd.Stats that the call fills in
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
    memory_limit: int
    no_zero_toi: bool
    brute_force: bool
    ignore_separating: bool
    check_start: bool
    scene_bound: ArrayLike
    progress: Callable[[float], object] | None
    stats: Stats | None


#: Keywords that are bits of ccd_options.flags.
FLAGS = {"no_zero_toi": 1, "brute_force": 2, "ignore_separating": 4, "check_start": 8}
_FLOATS = ("min_separation", "t_min", "t_max")
_INTEGERS = {
    "max_iterations": (-(2**63), 2**63 - 1),
    "threads": (-(2**31), 2**31 - 1),
    "memory_limit": (0, 2 ** (8 * ctypes.sizeof(ctypes.c_size_t)) - 1),
}
_NAMED: dict[str, type[_Named]] = {"method": Method, "norm": Norm, "device": Device}


@dataclass
class Stats:
    """What a call did and how long it took. Pass one as `stats=`; the call fills it in.

    boxes           boxes of vertices, edges and faces that were swept
    candidates      pairs that the narrow phase tested, by kind; pairs of rigid bodies and of patches are counted as VERTEX_FACE
    impacts         pairs in contact or undecided
    undecided       of these, pairs whose budget was spent
    seconds_build   boxes and sorting, wall clock
    seconds_broad   the sweep; when it streams, summed over threads and divided by their number
    seconds_narrow  the pairs; the same
    seconds_total   the whole call, wall clock
    peak_bytes      working memory of the call
    threads         threads that were used
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

    def _read(self, c: abi.Stats) -> None:
        for name in self.__dataclass_fields__:
            if name != "candidates":
                setattr(self, name, getattr(c, name))
        self.candidates = {kind: c.candidates[kind - 1] for kind in (*Kind, EDGE_FACE)}

    def as_dict(self) -> dict[str, Any]:
        """Plain types for JSON."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return plain | {"candidates": {str(kind): count for kind, count in self.candidates.items()}}


def _tolerance(value: Any) -> float:
    tolerance = arrays.number("tolerance", value)
    if tolerance == 0:  # in C the call's default
        raise ArgumentError("tolerance is 0: must be positive, or None for the call's default")
    return tolerance


def _scene_bound(value: Any) -> tuple[float, float, float]:
    bound = arrays.doubles("scene_bound", value)
    if bound.shape != (3,):
        raise ArgumentError(f"scene_bound has shape {bound.shape}: must be (3,)")
    x, y, z = bound.tolist()
    return x, y, z


def to_c(options: Mapping[str, Any]) -> abi.Options:
    """The options in C form, without progress and stats. The library checks the ranges; nothing is cut off here."""
    c = abi.Options()
    abi.library().ccd_options_init(ctypes.byref(c), ctypes.sizeof(c))
    for name, value in options.items():
        if name in _FLOATS:
            setattr(c, name, arrays.number(name, value))
        elif name == "tolerance":
            if value is not None:
                c.tolerance = _tolerance(value)
        elif name in _INTEGERS:
            setattr(c, name, arrays.integer(name, value, *_INTEGERS[name]))
        elif name in FLAGS:
            if value:
                c.flags |= FLAGS[name]
        elif name in _NAMED:
            setattr(c, name, _NAMED[name].of(name, value))
        elif name == "scene_bound":
            if value is not None:
                c.scene_bound[:] = _scene_bound(value)
        elif name not in ("progress", "stats"):
            known = ", ".join(Options.__annotations__)
            raise TypeError(f"unknown option {name!r}; the options are {known}")
    return c
