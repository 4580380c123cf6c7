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
    """Add pairs that came near and have no impact, in the order of their smallest distance in the step.

    Distances are sampled at times of the step, so a smaller one may lie between two of them. Of more than 50,000 pairs
    of a kind only those whose centers come nearest are measured.

    Parameters
    ----------
    mesh : Mesh
        The mesh of the step.
    x0 : array_like
        Its vertices at the start, (n, 3).
    pairs : mapping of Kind to numpy.ndarray
        For each kind the indices of the two primitives, (k, 2).
    part : int, default 0
        Number of the mesh's part.
    of : ccd.volume.Volume, optional
        The volume that the mesh is the surface of; edges and faces then have the volume's indices.
    step : int, default 0
        Number of the step in a sequence.
    neighbors : bool, default False
        Whether to add pairs that are near in the mesh, too: pairs that two edges or fewer join, and pairs of one connected
        component whose centers are a mean edge or more apart and do not approach by a tenth.

    Raises
    ------
    ArgumentError
        An argument has another type or shape, or there is no such part or step.
    InvalidIndexError
        A pair is out of range; the message names it.
    NonFiniteError
        A coordinate is not finite; the message names it.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> down = x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.9])
    >>> page = ccd.view.Page("a triangle comes near")
    >>> part = page.add_mesh(mesh, x, down)
    >>> found = ccd.broad.candidates(mesh, x, down, min_separation=0.2)
    >>> page.add_near(mesh, x, {kind: found[kind] for kind in ccd.Kind}, part)
    >>> page.near_found == len(found)
    True
    """
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
    """Add pairs that are near each other at one time, of all parts in one mesh.

    Parameters
    ----------
    mesh : Mesh
        The mesh of all parts.
    found : numpy.ndarray
        Pairs (k,) of `ccd.proximity.near`.
    starts : sequence of int
        First vertex of each part in the mesh.
    time : float
        The time.

    Raises
    ------
    ArgumentError
        An argument has another type, shape or dtype, or there is no such part.
    InvalidIndexError
        A pair is out of range; the message names it.
    NonFiniteError
        `time` is not finite.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> one = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
    >>> page = ccd.view.Page("two parts")
    >>> parts = [page.add_mesh(ccd.Mesh([[0, 1, 2]]), y, y) for y in (one, one + [0, 0, 0.1])]
    >>> both = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    >>> near = ccd.proximity.near(both, np.vstack([one, one + [0, 0, 0.1]]), 0.2)
    >>> page.add_near_found(both, near, starts=[0, 3], time=0)
    >>> page.near_found == len(near)
    True
    """
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
    """Add pairs of patches of two parts whose boxes overlap and that have no impact; the nearest centers come first.

    If both parts are the same, pairs that share a control point are skipped: they always touch.

    Parameters
    ----------
    a : int
        Number of the first part.
    b : int
        Number of the second part.
    min_separation : float, default 0.0
        Length by which boxes are inflated.

    Raises
    ------
    ArgumentError
        There is no such part, or `min_separation` is out of range.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> form = ccd.patch.Form.quad(1, 1)
    >>> x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0.0]])
    >>> model = ccd.patch.Model(x, [form], np.arange(4, dtype=np.int32), None, 0.0)
    >>> page = ccd.view.Page("two squares")
    >>> a, b = page.add_patches(model, x, x, "floor"), page.add_patches(model, x + 0.1, x + 0.1, "above")
    >>> page.add_near_patches(a, b, min_separation=0.2)
    >>> page.near_found
    1
    """
    pairs: list[tuple[float, int, int]] = []
    a, b = state.number("a", a), state.number("b", b)
    min_separation = arrays.within("min_separation", min_separation, "[0, 1e150]")
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
