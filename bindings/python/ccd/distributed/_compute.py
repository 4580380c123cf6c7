"""The calls on one part, and how the results of all parts are combined."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import broad, proximity, step
from .._inner import arrays
from .._inner.records import Records
from ..errors import ArgumentError
from ..impact import EDGE_FACE, Impact, Kind, impact_dtype
from ..mesh import Mesh
from ..options import Method
from ._least import Least
from ._part import Part
from ._reduce import in_order, reduce, sorted_pairs


def _prepared(part: Part, options: dict[str, Any], reach: float | None = None) -> dict[str, Any]:
    """The options of a call on the pairs that the part's region owns; of all pairs of the part where a device finds them."""
    wanted = arrays.number("min_separation", options.get("min_separation", 0.0)) if reach is None else reach
    if wanted > part.reach:
        name = "min_separation" if reach is None else "d"
        raise ArgumentError(f"{name} is {wanted}: the part was cut for at most {part.reach}")
    if options.get("device") and reach is None:  # those of a step
        return options
    return options | {"region": (part.region.lo, part.region.hi)}


def _exact(options: dict[str, Any]) -> bool:
    """Whether every pair's result is unique, so that a search may end at the least time so far."""
    return Method.of("method", options.get("method", 0)) in (Method.DEFAULT, Method.EXACT)


def _earliest(part: Part, options: dict[str, Any], least: Least) -> Impact:
    given = _prepared(part, options)
    until = math.nextafter(least.load(), math.inf)
    t_max = arrays.number("t_max", given.get("t_max", 1.0))
    shorter = until < t_max and _exact(given)
    hit = step.earliest(part.mesh, part.x0, part.x1, **(given | {"t_max": until} if shorter else given))
    if hit.kind is None:
        return hit
    if shorter and hit.kind != EDGE_FACE:  # the other fields are those of the search over the whole step
        once = {name: value for name, value in given.items() if name not in ("check_start", "stats", "progress", "region")}
        hit = Impact.from_record(step.pairs(part.mesh, part.x0, part.x1, int(hit.kind), [[hit.a, hit.b]], **once)[0])
    least.lower(hit.toi_lo)
    a, b = part._whole(int(hit.kind or 0), hit.a, hit.b)
    return dataclasses.replace(hit, a=int(a), b=int(b))


def _listed(part: Part, records: NDArray[np.void], owned: bool, near: float | None = None) -> NDArray[np.void]:
    """The records whose pairs the part owns, with indices of the whole; they are owned if no other pairs were looked for."""
    keep = np.ones(len(records), bool)
    a, b = records["a"].copy(), records["b"].copy()
    for kind in np.unique(records["kind"]).tolist():
        of = np.flatnonzero(records["kind"] == kind)
        if not owned:
            keep[of] = part._owned(kind, a[of], b[of])
        if near is not None:
            keep[of] &= part._near(kind, a[of], b[of], near, False)
        records["a"][of], records["b"][of] = part._whole(kind, a[of], b[of])
    return in_order(records[keep])


def _collisions(part: Part, options: dict[str, Any], _: Least) -> NDArray[np.void]:
    given = _prepared(part, options)
    return _listed(part, step.collisions(part.mesh, part.x0, part.x1, **given), "region" in given)


def _size(part: Part, options: dict[str, Any], _: Least) -> float:
    return step.size(part.mesh, part.x0, part.x1, **_prepared(part, options))


def _candidates(part: Part, options: dict[str, Any], _: Least) -> broad.Candidates:
    given = _prepared(part, options)
    separation = arrays.number("min_separation", given.get("min_separation", 0.0))
    found = broad.candidates(part.mesh, part.x0, part.x1, **given)
    out = []
    for kind in Kind:
        a, b = found[kind].T
        keep = part._near(kind, a, b, separation, True)
        if "region" not in given:
            keep &= part._owned(kind, a, b)
        out.append(sorted_pairs(np.stack(part._whole(kind, a[keep], b[keep]), 1)))
    return broad.alone(*out)


def _near(part: Part, options: dict[str, Any], _: Least) -> NDArray[np.void]:
    given = dict(options)
    d = arrays.number("d", given.pop("d"))
    given = _prepared(part, given, d)  # regions own pairs by their corners at x0
    return _listed(part, proximity.near(part.mesh, part.x0, d, **given), True, d)


CALLS: dict[str, Callable[[Part, dict[str, Any], Least], Any]] = {
    "earliest": _earliest, "collisions": _collisions, "size": _size, "candidates": _candidates, "near": _near,
}  # fmt: skip
EMPTY: dict[str, Callable[[dict[str, Any]], Any]] = {
    "earliest": lambda options: step.earliest(Mesh(vertices=0), np.empty((0, 3)), np.empty((0, 3)), **options),
    "collisions": lambda options: np.empty(0, impact_dtype),
    "size": lambda options: step.size(Mesh(vertices=0), np.empty((0, 3)), np.empty((0, 3)), **options),
    "candidates": lambda options: broad.alone(*[np.empty((0, 2), np.int64)] * 4),
    "near": lambda options: np.empty(0, proximity.near_pair_dtype),
}


def combined(call: str, found: list[Any], options: dict[str, Any]) -> Any:
    if not found:
        return EMPTY[call](options)
    if isinstance(found[0], np.ndarray):  # once, not pair by pair
        return in_order(np.concatenate(found)).view(Records)
    if isinstance(found[0], broad.Candidates):
        return broad.alone(*(sorted_pairs(np.concatenate([one[kind] for one in found])) for kind in Kind))
    best = found[0]
    for one in found[1:]:
        best = reduce(best, one)
    return best
