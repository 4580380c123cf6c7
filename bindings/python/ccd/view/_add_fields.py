"""Fields of a page: values of the vertices, shown as colors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import ArgumentError
from ._parts import Part
from ._state import MOST_BYTES, State, is_a

SPEED = "speed"
"""The field that a page computes itself: how far a vertex moves in a step."""


def add_field(state: State, part: int, name: str, values: ArrayLike | Sequence[ArrayLike]) -> None:
    """Add values of the vertices of a part, which the page shows as colors of its faces.

    The page has a list of its fields under *color by*; `Page.color_by` is the one that it opens with. The field ``speed``,
    the way of a vertex in a step, is there without a call. Parts with a field of one name share its range.

    Parameters
    ----------
    part : int
        Number of a part of a mesh or volume.
    name : str
        Name of the field.
    values : array_like or sequence of array_like
        One array for the whole time line, or one for each frame, between which the page interpolates, or one for each step.
        Each has a number for every vertex, (n,), or a vector, (n, k), whose length is shown. NaN is no value: a face with
        such a vertex keeps the color of its object.

    Raises
    ------
    ArgumentError
        There is no such part, an array has another shape, there are neither as many as frames nor as steps, or the fields take
        more than `MOST_BYTES` bytes.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> page = ccd.view.Page("safe steps")
    >>> part = page.add_mesh(mesh, x, x - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1]))
    >>> page.add_field(part, "alpha", ccd.step.sizes(mesh, x, x - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])).alpha)
    >>> page.color_by = "alpha"
    >>> page.fields
    ['alpha', 'speed']
    """
    name, held = is_a("name", name, str), state.parts[state.number("part", part)]
    if not name:
        raise ArgumentError("name is empty: a field needs one")
    if held.motion is not None or held.patches is not None:
        raise ArgumentError(f"part is {part}, {held.name!r}: fields are for meshes and volumes")
    count = len(held.frames[0]) - (0 if held.drawn_for is None else len(held.drawn_for))
    given: Any = values
    shape = np.shape(given[0]) if isinstance(given, (list, tuple)) and len(given) else np.shape(given)[1:]
    each = list(given) if shape else [given]
    if len(each) not in (1, held.steps, len(held.frames)):
        raise ArgumentError(
            f"values: {len(each)} arrays: must be one, or one for each of {held.steps} steps or {len(held.frames)} frames; "
            "for a vector at each vertex pass [values]"
        )
    found = [_of_vertices(f"values[{k}]", x, count) for k, x in enumerate(each)]
    if held.drawn_for is not None:
        of = held.drawn_for
        found = [np.concatenate([x, x[of]]) for x in found]
    bytes_of_all = 4 * sum(len(x) for one in state.parts for field in one.fields.values() for x in field)
    if bytes_of_all + 4 * sum(map(len, found)) > MOST_BYTES:
        raise ArgumentError(f"values: the fields of this page take more than {MOST_BYTES >> 20} MiB: give fewer")
    held.fields[name] = found


def _of_vertices(name: str, values: ArrayLike, count: int) -> NDArray[np.float64]:
    x = arrays.to_array(name, values)
    if x.dtype.kind not in "fiub" or x.ndim not in (1, 2) or len(x) != count:
        raise ArgumentError(f"{name} has shape {x.shape} and dtype {x.dtype}: must be numbers, ({count},) or ({count}, k)")
    x = x.astype(np.float64)
    if x.ndim == 2:
        scale = np.abs(x).max(axis=1, initial=0.0, keepdims=True)  # squares of large components overflow
        with np.errstate(invalid="ignore"):
            x = np.linalg.norm(x / np.where(scale > 0, scale, 1), axis=1) * scale[:, 0]
    return np.where(np.isfinite(x), x, np.nan)


def names(state: State) -> list[str]:
    """The fields that a page can show."""
    given = [name for part in state.parts for name in part.fields]
    moving = any(_moves(part) for part in state.parts)
    return list(dict.fromkeys([*given, *([SPEED] if moving else [])]))


def ranges(state: State) -> dict[str, list[float]]:
    """The least and the greatest value of each field."""
    found: dict[str, list[float]] = {}
    for name in names(state):
        parts = [part.fields[name] for part in state.parts if name in part.fields]
        if parts:
            ends = [(np.nanmin(x), np.nanmax(x)) for field in parts for x in field if not np.isnan(x).all()]
            found[name] = [float(min(lo for lo, _ in ends)), float(max(hi for _, hi in ends))] if ends else [0.0, 0.0]
        else:
            found[name] = [0.0, max(map(_fastest, filter(_moves, state.parts)))]
    return found


def _moves(part: Part) -> bool:
    return part.motion is None and part.patches is None and _fastest(part) > 0


def _fastest(part: Part) -> float:
    """The longest way of a vertex in a step."""
    with np.errstate(over="ignore"):
        ways = [float(np.linalg.norm(b - a, axis=1).max(initial=0.0)) for a, b in zip(part.frames, part.frames[1:])]
    return min(max(ways, default=0.0), float(np.finfo(float).max))


def of_range(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float32]:
    """Values as shares of a range, as the page reads them; below 0 where there is none."""
    width = high / 2 - low / 2
    share = np.zeros(len(values)) if width == 0 else (values / 2 - low / 2) / width
    return np.where(np.isnan(values), -1e6, share).astype(np.float32)
