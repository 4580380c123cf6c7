"""What every impact adds to a page, whatever it is of: its entry in the list, its mark, and its key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..impact import EDGE_FACE, Kind
from . import _rows
from ._state import Marks, State


def of_step(state: State, step: int) -> list[list[str]]:
    """A row that names the step, in a sequence."""
    return [["step", f"frame {step} to {step + 1}"]] if state.steps > 1 else []


def met(state: State, record: Any, step: int) -> list[list[str]]:
    rows = _rows.met(record)
    return [rows[0], *of_step(state, step), *rows[1:]]


def remember(state: State, part: int, step: int, impacts: NDArray[Any]) -> None:
    """All impacts, listed or not, so that none of them is taken for a pair that did not meet."""
    for kind in Kind:
        rows = impacts[impacts["kind"] == kind]
        state.keys.setdefault((part, step, kind), []).append(_rows.keys(kind, np.stack([rows["a"], rows["b"]], 1)))


def impact(
    state: State, label: str, record: Any, sides: list[dict[str, Any]], rows: list[list[str]], mark: Any, step: int = 0,
    time: float | None = None,
) -> dict[str, Any]:  # fmt: skip
    at = step + float(record["toi_lo"]) if time is None else time
    pair: dict[str, Any] = {"label": label, "time": at, "step": step, "sides": sides}
    pair |= {"rows": rows, "point": np.asarray(record["point"], float), "mark": mark}
    pair["normal"] = [float(x) for x in record["normal"]]
    state.impacts.append(pair)
    return pair


def objects_of(state: State, part: int, vertices: Any) -> NDArray[np.uint32]:
    """The objects of vertices of a part, numbered through all parts."""
    before, of = sum(len(p.objects.names) for p in state.parts[:part]), state.parts[part].objects.of
    index = np.asarray(vertices, np.int64)
    return (before + (np.zeros(len(index), np.int64) if of is None else of[index])).astype(np.uint32)


def on_patches(state: State, part: int, patches: Sequence[int]) -> NDArray[Any]:
    """A vertex of each of some patches: of a curve, a control point."""
    p = state.parts[part]
    if p.patches is None:
        return np.zeros(len(patches), int)
    r, k = p.patches.ranges, np.asarray(patches, np.int64)
    rows: NDArray[Any] = p.faces[r.faces[k], 0] if len(p.faces) else r.hull[r.hulls[k]]
    return rows


def mark(
    state: State,
    part: int,
    step: int,
    start: Any,
    end: Any,
    first: NDArray[Any],
    second: NDArray[Any],
    impacts: NDArray[Any],
    times: NDArray[Any] | None = None,
) -> list[tuple[int, NDArray[np.float64], NDArray[np.float64]]]:
    """Where the first primitive of every impact touches: a point of it, which moves with it.

    first holds the ends of the first primitives, second one vertex of each of the second; times are those on the time
    line, if they are not step + toi_lo.
    """
    u = np.where(first[:, 0] == first[:, 1], 0.0, impacts["u"])[:, None]
    crossing = np.flatnonzero(impacts["kind"] == EDGE_FACE)  # their u and v are weights of the face's corners
    if len(crossing):
        a, b = start[first[crossing, 0]], start[first[crossing, 1]]
        along = ((impacts["point"][crossing] - a) * (b - a)).sum(1) / np.maximum(((b - a) ** 2).sum(1), 1e-300)
        u[crossing, 0] = np.clip(along, 0, 1)
    both = [x[first[:, 0]] * (1 - u) + x[first[:, 1]] * u for x in (start, end)]
    state.drawn += len(impacts)
    objects = np.column_stack([objects_of(state, part, first[:, 0]), objects_of(state, part, second)])
    times = step + impacts["toi_lo"] if times is None else times
    state.marks.append(Marks(part, step, both[0], both[1], times, impacts["normal"], objects))
    return [(part, a, b) for a, b in zip(*both)]
