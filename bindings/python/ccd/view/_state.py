"""What a page holds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import volume
from .._native import arrays
from ..errors import ArgumentError, InvalidIndexError, NonFiniteError, shown
from ..impact import EDGE_FACE, Kind, Verdict
from ..mesh import Mesh
from . import _rows
from ._contents import Marks
from ._parts import COLORS, Objects, Part, components

MOST_PAIRS = 5000
"""Most impacts, and most near pairs, that a page of one step lists: the earliest and the nearest of them.

In a sequence each step has an equal share of it, and at least 20.
"""
MOST_DRAWN = 200_000
"""Most impacts that are marked: the earliest of them; in a sequence, of each step its share."""
MOST_BYTES = 1 << 28
"""Most bytes that the frames of a sequence take in a page: 12 for each vertex in each frame."""

OVERLAP = "pairs whose swept boxes overlap and that do not meet"
NO_KEYS = np.empty(0, np.int64)
_LEAST_SHARE = 20  # impacts, and near pairs, that each step of a sequence may list

_T = TypeVar("_T")


def is_a(name: str, x: Any, kind: type[_T]) -> _T:
    """x, if it is of a type."""
    if not isinstance(x, kind):
        wanted = "string" if kind is str else f"{kind.__module__.split('._')[0]}.{kind.__name__}"
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a {wanted}")
    return x


def check_verdicts(impacts: NDArray[Any]) -> None:
    """Raise for the first impact whose verdict is no value of `ccd.Verdict`."""
    wrong = np.flatnonzero(~np.isin(impacts["verdict"], list(Verdict)))
    if len(wrong):
        i = int(wrong[0])
        raise ArgumentError(f"impacts[{i}] has the verdict {int(impacts['verdict'][i])}: must be a value of ccd.Verdict")


def check_pairs(name: str, records: NDArray[Any], by_kind: Mapping[Any, tuple[NDArray[Any], NDArray[Any]]]) -> None:
    """Raise for the first record whose kind is not among some, or whose primitives the mesh does not have."""
    wrong = np.flatnonzero(~np.isin(records["kind"], list(by_kind)))
    if len(wrong):
        i = int(wrong[0])
        raise ArgumentError(f"{name}[{i}] has the kind {int(records['kind'][i])}: must be one of {list(map(int, by_kind))}")
    for kind, sides in by_kind.items():
        rows = np.flatnonzero(records["kind"] == kind)
        for side, primitives in zip("ab", sides):
            index = records[side][rows]
            wrong = rows[(index < 0) | (index >= len(primitives))]
            if len(wrong):
                i = int(wrong[0])
                text = f"{name}[{i}], {kind}: {side} is {int(records[side][i])}"
                raise InvalidIndexError(f"{text}: out of range for {len(primitives)}")


def frames_of(mesh: Any, x0: ArrayLike, x1: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two frames of a mesh or volume, in coordinates that can be drawn."""
    if not isinstance(mesh, volume.Volume):
        is_a("mesh", mesh, Mesh)
    count = mesh.counts[0]
    return arrays.frame("x0", x0, count), arrays.frame("x1", x1, count)


def check_size(frames: int, vertices: int) -> None:
    """Refuse a sequence that is too large for a page."""
    if 12 * frames * vertices > MOST_BYTES:
        most = MOST_BYTES // (12 * max(vertices, 1))
        raise ArgumentError(f"frames: {frames:,} of {vertices:,} vertices do not fit into one page: give at most {most:,}")


class State:
    """What a page holds, and what all that is added to it needs."""

    def __init__(self, title: str, t_min: float = 0.0, t_max: float | None = None, up: str | None = None):
        if not isinstance(title, str):
            raise ArgumentError(f"title is {type(title).__name__}: must be a string")
        if up is not None and (not isinstance(up, str) or up not in ("x", "y", "z")):
            raise ArgumentError(f"up is {shown(up)}: must be 'x', 'y', 'z' or None")
        self.title = title
        self.t_min: float = arrays.number("t_min", t_min)
        self._t_max = None if t_max is None else arrays.number("t_max", t_max)
        for name, t in (("t_min", self.t_min), ("t_max", self._t_max)):
            if t is not None and not math.isfinite(t):
                raise NonFiniteError(f"{name} is {t}: must be finite")
        self.up = up
        self.facts: dict[str, str] = {}
        self.verdict = "no impacts: proven separate"
        self.impacts: list[dict[str, Any]] = []
        self.near: list[dict[str, Any]] = []
        self.met: int = 0
        self.near_found: int = 0
        self.near_in_mesh: int = 0
        self.near_means: str = ""
        self.frame_names: list[str] = []
        self._edges = 0  # of a robot's path: the time line is in edges then, and frames are only how it is drawn
        self._drawn = 0  # impacts that have a mark
        self._keys: dict[tuple[int, int, Kind], list[NDArray[np.int64]]] = {}  # of all impacts, by part, step, kind: _rows.keys
        self._patches: set[tuple[int, int, int, int]] = set()  # of all impacts of patches: parts and patches
        self._parts: list[Part] = []
        self._marks: list[Marks] = []

    def __repr__(self) -> str:
        return f"<ccd.view.Page {self.title!r}: {len(self._parts)} parts, {self.met} impacts, {len(self.near)} near pairs>"

    @property
    def t_max(self) -> float:
        """End of the time line."""
        return float(self.steps) if self._t_max is None else self._t_max

    @property
    def steps(self) -> int:
        """Number of steps: 1 without a sequence."""
        return max((part.steps for part in self._parts), default=1)

    # ---- parts

    def _color(self) -> int:
        """Which color the next part begins with."""
        return len(self._parts) % COLORS

    def _components(self, count: int, edges: NDArray[Any], name: str) -> Objects:
        """Connected components, each with its color, after those of the parts before."""
        return Objects.labeled(components(count, edges), name, "component", self._color())

    def _number(self, name: str, part: int) -> int:
        """The number of a part that is there."""
        if not self._parts:
            raise ArgumentError(f"{name} is {part!r}: the page has no parts yet")
        return arrays.integer(name, part, 0, len(self._parts) - 1)

    def _add(self, part: Part) -> int:
        is_a("name", part.name, str)
        self._parts.append(part)
        return len(self._parts) - 1

    def _count(self, found: int) -> None:
        self.met += found
        self.facts["impacts"] = f"{self.met:,}"
        if self._drawn < self.met:
            self.facts["impacts marked"] = f"the earliest {self._drawn:,}"

    def _quota(self, most: int | None = None) -> int:
        """How many impacts or near pairs of each step the page may list."""
        most = MOST_PAIRS if most is None else most
        return most if self.steps == 1 else max(most // self.steps, _LEAST_SHARE)

    def _step(self, step: int) -> int:
        return arrays.integer("step", step, 0, self.steps - 1)

    def _of_step(self, step: int) -> list[list[str]]:
        """A row that names the step, in a sequence."""
        return [["step", f"frame {step} to {step + 1}"]] if self.steps > 1 else []

    def _met(self, record: Any, step: int) -> list[list[str]]:
        rows = _rows.met(record)
        return [rows[0], *self._of_step(step), *rows[1:]]

    def _remember(self, part: int, step: int, impacts: NDArray[Any]) -> None:
        """All impacts, listed or not, so that none of them is taken for a pair that did not meet."""
        for kind in Kind:
            rows = impacts[impacts["kind"] == kind]
            self._keys.setdefault((part, step, kind), []).append(_rows.keys(kind, np.stack([rows["a"], rows["b"]], 1)))

    def _impact(
        self, label: str, record: Any, sides: list[dict[str, Any]], rows: list[list[str]], mark: Any, step: int = 0,
        time: float | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        at = step + float(record["toi_lo"]) if time is None else time
        pair: dict[str, Any] = {"label": label, "time": at, "step": step, "sides": sides}
        pair |= {"rows": rows, "point": np.asarray(record["point"], float), "mark": mark}
        pair["normal"] = [float(x) for x in record["normal"]]
        self.impacts.append(pair)
        return pair

    def _objects_of(self, part: int, vertices: Any) -> NDArray[np.uint32]:
        """The objects of vertices of a part, numbered through all parts."""
        before, of = sum(len(p.objects.names) for p in self._parts[:part]), self._parts[part].objects.of
        index = np.asarray(vertices, np.int64)
        return (before + (np.zeros(len(index), np.int64) if of is None else of[index])).astype(np.uint32)

    def _on_patches(self, part: int, patches: Sequence[int]) -> NDArray[Any]:
        """A vertex of each of some patches: of a curve, a control point."""
        p = self._parts[part]
        if p.patches is None:
            return np.zeros(len(patches), int)
        r, k = p.patches.ranges, np.asarray(patches, np.int64)
        rows: NDArray[Any] = p.faces[r.faces[k], 0] if len(p.faces) else r.hull[r.hulls[k]]
        return rows

    def _mark(
        self,
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
        self._drawn += len(impacts)
        objects = np.column_stack([self._objects_of(part, first[:, 0]), self._objects_of(part, second)])
        times = step + impacts["toi_lo"] if times is None else times
        self._marks.append(Marks(part, step, both[0], both[1], times, impacts["normal"], objects))
        return [(part, a, b) for a, b in zip(*both)]
