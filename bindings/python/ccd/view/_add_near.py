"""Near pairs of a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import volume
from .._inner import arrays
from ..errors import ArgumentError, NonFiniteError
from ..impact import Kind
from ..mesh import Mesh
from ..proximity import near_pair_dtype
from ..verify import corners
from . import _gaps, _listed, _patches, _rows, _state, _volumes
from ._state import NO_KEYS, OVERLAP, State, check_pairs, frames_of, is_a

_MOST_MEASURED = 50_000  # pairs of a kind whose distances are measured


def add_near(
    state: State,
    mesh: Mesh,
    x0: ArrayLike,
    pairs: Mapping[Kind, NDArray[np.int64]],
    part: int = 0,
    of: volume.Volume | None = None,
    step: int = 0,
    neighbors: bool = False,
) -> None:
    """Add pairs that came near and have no impact, in the order of their smallest distance in the step."""
    (start, _), by_kind = frames_of(mesh, x0, x0), corners(mesh)
    part, step, quota = state.number("part", part), state.step(step), state.quota()
    if not isinstance(pairs, Mapping):
        raise ArgumentError(f"pairs is {type(pairs).__name__}: must map each ccd.Kind to its pairs")
    if of is not None:
        is_a("of", of, volume.Volume)
    numbers = (
        {} if of is None else {"edge": _volumes.numbers(of.edges, mesh.edges), "face": _volumes.numbers(of.faces, mesh.faces)}
    )
    end = _end(state, part, step, start)
    near_in_mesh = None if neighbors else _gaps.Neighbors(mesh, start, end)
    # How near, when, the kind, the numbers as they are shown, and those in the mesh.
    found: list[tuple[float, float, Kind, list[int], list[int]]] = []
    for key, given in pairs.items():
        kind = Kind.of("pairs", key)
        these, (first, second) = arrays.pairs(f"pairs[{kind}]", given), by_kind[kind]
        arrays.in_range(f"pairs[{kind}]", these[:, 0], len(first), "primitives")
        arrays.in_range(f"pairs[{kind}]", these[:, 1], len(second), "primitives")
        named = np.stack([numbers[n][x] if n in numbers else x for n, x in zip(_rows.SINGLE[kind], these.T)], 1)
        apart = ~np.isin(_rows.keys(kind, named), np.concatenate([NO_KEYS, *state.keys.get((part, step, kind), ())]))
        kept = _measured(state, (start, end), these[apart], (first, second), near_in_mesh)
        these, named = these[apart][kept], named[apart][kept]
        gap, when = _gaps.least(start, end, first[these[:, 0]], second[these[:, 1]])
        found += zip(gap.tolist(), when.tolist(), [kind] * len(gap), named.tolist(), these.tolist())
    state.near_means = OVERLAP + ("" if neighbors else "; what is near in the mesh itself is left out")
    if state.near_in_mesh:
        state.facts["near in the mesh"] = f"{state.near_in_mesh:,} pairs left out"
    listed = quota - sum(1 for pair in state.near if pair["step"] == step)
    for gap_, t, kind, (a, b), (i, j) in sorted(found)[:listed]:
        first, second = by_kind[kind]
        sides = [{"part": part, "vertices": v.tolist()} for v in (first[i], second[j])]
        rows = [*_rows.named(kind, a, b), *_listed.of_step(state, step), ["distance", f"{gap_:.6g} at t = {step + t:.6g}"]]
        pair = {"label": f"{kind} {a} {b}", "sides": sides, "rows": rows, "step": step, "time": step + t}
        state.near.append(pair | {"aside": f"{gap_:.3g}"})


def _measured(
    state: State,
    frames: tuple[NDArray[np.float64], NDArray[np.float64]],
    pairs: NDArray[np.int64],
    primitives: tuple[NDArray[Any], NDArray[Any]],
    near_in_mesh: _gaps.Neighbors | None,
) -> NDArray[np.int64]:
    """Which pairs are measured: those that are not near in the mesh; of many the nearest by their centers."""
    first, second = (of[column] for of, column in zip(primitives, pairs.T))
    kept = np.arange(len(pairs)) if near_in_mesh is None else np.flatnonzero(~near_in_mesh.of(first, second))
    state.near_in_mesh += len(pairs) - len(kept)
    state.near_found += len(kept)
    if len(kept) > _MOST_MEASURED:
        gap = _gaps.bound(*frames, first[kept], second[kept])
        kept = kept[np.argpartition(gap, _MOST_MEASURED)[:_MOST_MEASURED]]
    return kept


def _end(state: State, part: int, step: int, start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the vertices of a part are at the end of a step."""
    frames = state.parts[part].frames
    end = frames[min(step + 1, len(frames) - 1)] if len(frames) > 1 else start
    if len(end) < len(start):
        raise ArgumentError(f"mesh has {len(start)} vertices, and part {part} has {len(end)}: give the mesh of the part")
    return end[: len(start)]


def add_near_found(state: State, mesh: Mesh, found: NDArray[Any], starts: Sequence[int], time: float) -> None:
    """Add pairs that are near each other at one time, of all parts in one mesh."""
    by_kind, time = corners(mesh), arrays.number("time", time)
    if not math.isfinite(time):
        raise NonFiniteError(f"time is {time}: must be finite")
    found = arrays.records("found", found, near_pair_dtype)
    check_pairs("found", found, by_kind)
    firsts = arrays.ids("starts", starts)
    state.number("starts", len(firsts) - 1)
    state.near_found, state.near_means = state.near_found + len(found), f"pairs that are near each other at t = {time:.6g}"
    for record in found[: _state.MOST_PAIRS - len(state.near)]:
        kind = Kind(int(record["kind"]))
        sides, rows = [], []
        for i, name in enumerate(("a", "b")):
            vertices = by_kind[kind][i][record[name]]
            part = max(int(np.searchsorted(firsts, vertices[0], side="right")) - 1, 0)
            held = (vertices - firsts[part]).tolist()
            sides.append({"part": part, "vertices": held})
            told = f"{_rows.SINGLE[kind][i]} of vertices {_rows.numbers(held)}"
            rows.append([state.parts[part].name, told, ("first", "second")[i]])
        distance = record["distance_hi"]
        rows += [["t", repr(time)], ["distance", f"{distance:.6g}"]]
        label = " / ".join(f"{state.parts[side['part']].name}: {_rows.numbers(side['vertices'])}" for side in sides)
        pair = {"label": label, "sides": sides, "rows": rows, "time": time, "step": 0}
        state.near.append(pair | {"aside": f"{distance:.3g}"})


def add_near_patches(state: State, a: int, b: int, min_separation: float = 0.0) -> None:
    """Add pairs of patches of two parts whose boxes overlap and that have no impact; the nearest centers come first."""
    pairs: list[tuple[float, int, int]] = []
    a, b, min_separation = state.number("a", a), state.number("b", b), arrays.number("min_separation", min_separation)
    if not 0 <= min_separation <= 1e150:
        raise ArgumentError(f"min_separation is {min_separation}: must be in [0, 1e150]")
    (lo_a, hi_a, at_a), (lo_b, hi_b, at_b) = (_boxes(state, p) for p in (a, b))
    drawn = state.parts[a].patches
    hulls = [set(hull.tolist()) for hull in np.split(drawn.ranges.hull, drawn.ranges.hulls[1:-1])] if drawn else []
    for i in range(len(lo_a)):
        for j in np.flatnonzero(((lo_a[i] - min_separation <= hi_b) & (lo_b <= hi_a[i] + min_separation)).all(1)).tolist():
            met = (a, b, i, j) in state.patches
            if not met and (a != b or (i < j and not hulls[i] & hulls[j])):
                pairs.append((float(np.linalg.norm(at_a[i] - at_b[j])), i, j))
    state.near_found, state.near_means = state.near_found + len(pairs), OVERLAP
    for _, i, j in sorted(pairs)[: _state.MOST_PAIRS - len(state.near)]:
        sides = [{"part": a, "patch": i}, {"part": b, "patch": j}]
        rows = [[state.parts[p].name, f"patch {k}", tone] for p, k, tone in ((a, i, "first"), (b, j, "second"))]
        state.near.append({"label": f"patches {i} {j}", "sides": sides, "rows": [*rows, ["boxes", "overlap"]], "step": 0})


def _boxes(state: State, part: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    drawn = state.parts[part].patches
    return _patches.boxes(None if drawn is None else drawn.ranges, np.vstack(state.parts[part].frames))
