"""The options every query and step takes as keywords, and the statistics a call can leave behind."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from numpy.typing import ArrayLike

from . import _abi, _arrays
from .errors import ArgumentError
from .impact import Kind, _Named


class Method(_Named):
    """How a pair is decided. DEFAULT is EXACT, but TIME_CONTRACTED for a Euclidean separation."""

    DEFAULT = 0
    TIGHT_INCLUSION = 1
    TIME_CONTRACTED = 2
    EXACT = 3


class Options(TypedDict, total=False):
    """Keywords of every call that decides something. Lengths are in the coordinates' unit, times fractions of the step.

    min_separation  0: contact means distance <= min_separation
    tolerance       1e-6: how near to contact a reported contact must be; the exact method ignores it
    t_max           1: only times in [0, t_max] count
    method          'default' (exact, but time-contracted for a Euclidean separation), 'tight-inclusion', 'time-contracted'
                    or 'exact'
    threads         0: all this process may use; CCD_NUM_THREADS in the environment caps it
    max_boxes       1000000: boxes one query may look at before it is undecided; 0 = no limit
    memory_limit    0 = none, else bytes for the working memory of the call
    no_zero_toi     False: ask for toi_lo > 0 if the distance at t = 0 exceeds min_separation; see `step.size`
    euclidean       False: min_separation in the Euclidean norm; the max norm encloses it
    brute_force     False: broad phase by all pairs: quadratic, for comparison
    axis_aligned    False: curved patches by another method than the default: boxes along the coordinate axes
    in_parameters   False: the same: tolerance is a width of parameters and time instead of a distance
    scene_bound     None, or a bound on |coordinate| per axis: one error bound for the whole scene
    progress        called with a fraction, from any thread; a true result cancels the call
    stats           a ccd.Stats that the call fills in
    """

    min_separation: float
    tolerance: float
    t_max: float
    method: Method | str | int
    threads: int
    max_boxes: int
    memory_limit: int
    no_zero_toi: bool
    euclidean: bool
    brute_force: bool
    axis_aligned: bool
    in_parameters: bool
    scene_bound: ArrayLike
    progress: Callable[[float], object] | None
    stats: Stats | None


_FLAGS = {"no_zero_toi": 1, "euclidean": 2, "brute_force": 4, "axis_aligned": 8, "in_parameters": 16}
_FLOATS = ("tolerance", "min_separation", "t_max")
_INTEGERS = {
    "max_boxes": (-(2**63), 2**63 - 1),
    "threads": (-(2**31), 2**31 - 1),
    "memory_limit": (0, 2 ** (8 * ctypes.sizeof(ctypes.c_size_t)) - 1),
}


@dataclass
class Stats:
    """What a call did and how long it took. Pass one as `stats=`; the call fills it in.

    boxes           boxes of vertices, edges and faces that were swept
    candidates      pairs the broad phase handed on
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
    candidates: dict[Kind, int] = field(default_factory=lambda: dict.fromkeys(Kind, 0))
    impacts: int = 0
    undecided: int = 0
    seconds_build: float = 0.0
    seconds_broad: float = 0.0
    seconds_narrow: float = 0.0
    seconds_total: float = 0.0
    peak_bytes: int = 0
    threads: int = 0

    def _read(self, c: _abi.Stats) -> None:
        for name in self.__dataclass_fields__:
            if name != "candidates":
                setattr(self, name, getattr(c, name))
        self.candidates = {kind: c.candidates[kind - 1] for kind in Kind}

    def as_dict(self) -> dict[str, Any]:
        """Plain types for JSON."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return plain | {"candidates": {str(kind): count for kind, count in self.candidates.items()}}


def _scene_bound(value: Any) -> tuple[float, float, float]:
    bound = _arrays.doubles("scene_bound", value)
    if bound.shape != (3,):
        raise ArgumentError(f"scene_bound has shape {bound.shape}: must be (3,)")
    x, y, z = bound.tolist()
    return x, y, z


def to_c(options: Mapping[str, Any]) -> _abi.Options:
    """options in C form, without progress and stats. Ranges are the library's to check; here nothing is cut off unseen."""
    c = _abi.Options()
    _abi.library().ccd_options_init(ctypes.byref(c), ctypes.sizeof(c))
    for name, value in options.items():
        if name in _FLOATS:
            setattr(c, name, _arrays.number(name, value))
        elif name in _INTEGERS:
            setattr(c, name, _arrays.integer(name, value, *_INTEGERS[name]))
        elif name in _FLAGS:
            if value:
                c.flags |= _FLAGS[name]
        elif name == "method":
            c.method = Method.of(name, value)
        elif name == "scene_bound":
            if value is not None:
                c.scene_bound[:] = _scene_bound(value)
        elif name not in ("progress", "stats"):
            known = ", ".join(Options.__annotations__)
            raise TypeError(f"unknown option {name!r}; the options are {known}")
    return c
