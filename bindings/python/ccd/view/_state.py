"""What a page holds, and the checks of what is added to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import volume
from .._inner import arrays
from .._inner.errors import shown
from ..errors import ArgumentError, InvalidIndexError, NonFiniteError
from ..impact import Kind, Verdict
from ..mesh import Mesh
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
        wanted = "string" if kind is str else _public(kind)
        raise ArgumentError(f"{name} is {type(x).__name__}: must be a {wanted}")
    return x


def _public(kind: type) -> str:
    """The name by which users know a type: ccd.Mesh is of a module ccd.mesh."""
    module, name = kind.__module__.split("._")[0], kind.__name__
    return f"ccd.{name}" if module == f"ccd.{name.lower()}" else f"{module}.{name}"


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


@dataclass(eq=False)
class Marks:
    """Where impacts of one step touch: points of a part, at both ends of the step, and their times on the time line."""

    part: int
    step: int
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    times: NDArray[np.float64]
    normals: NDArray[np.float64]
    objects: NDArray[np.uint32]  # (n, 2): the objects of both sides, numbered through all parts


class State:
    """What a page holds, in the units of the scene. Functions of this package add to it; `Page` is what users see of it."""

    def __init__(self, title: str, t_min: float = 0.0, t_max: float | None = None, up: str | None = None):
        if not isinstance(title, str):
            raise ArgumentError(f"title is {type(title).__name__}: must be a string")
        if up is not None and (not isinstance(up, str) or up not in ("x", "y", "z")):
            raise ArgumentError(f"up is {shown(up)}: must be 'x', 'y', 'z' or None")
        self.title = title
        self.t_min: float = arrays.number("t_min", t_min)
        self.given_t_max = None if t_max is None else arrays.number("t_max", t_max)
        for name, t in (("t_min", self.t_min), ("t_max", self.given_t_max)):
            if t is not None and not math.isfinite(t):
                raise NonFiniteError(f"{name} is {t}: must be finite")
        self.up = up
        self.facts: dict[str, str] = {}
        self.verdict = "separate: proven"
        self.impacts: list[dict[str, Any]] = []
        self.near: list[dict[str, Any]] = []
        self.met: int = 0
        self.near_found: int = 0
        self.near_in_mesh: int = 0
        self.near_means: str = ""
        self.frame_names: list[str] = []
        self.color_by: str | None = None
        self.parts: list[Part] = []
        self.marks: list[Marks] = []
        self.drawn = 0  # number of impacts that have a mark
        self.edges = 0  # number of edges of a robot's path, the unit of the time line then; frames only draw it
        # The keys (_rows.keys) of all impacts, listed or not, by part, step and kind.
        self.keys: dict[tuple[int, int, Kind], list[NDArray[np.int64]]] = {}
        # The parts and the patches of all impacts of patches.
        self.patches: set[tuple[int, int, int, int]] = set()

    @property
    def t_max(self) -> float:
        """End of the time line."""
        return float(self.steps) if self.given_t_max is None else self.given_t_max

    @property
    def steps(self) -> int:
        """Number of steps: 1 without a sequence."""
        return max((part.steps for part in self.parts), default=1)

    def color(self) -> int:
        """Which color the next part begins with."""
        return len(self.parts) % COLORS

    def components(self, count: int, edges: NDArray[Any], name: str, unseen: NDArray[np.intp] | None = None) -> Objects:
        """Connected components, each with its color, after those of the parts before.

        Vertices that nothing shows are no components: they go with the first one.
        """
        label = components(count, edges)
        if unseen is not None and len(unseen) < count:
            seen = np.setdiff1d(np.arange(count), unseen)
            label[unseen] = label[seen[0]]
            label = np.unique(label, return_inverse=True)[1].reshape(-1)
        return Objects.labeled(label, name, "component", self.color())

    def number(self, name: str, part: int) -> int:
        """The number of a part that is there."""
        if not self.parts:
            raise ArgumentError(f"{name} is {part!r}: the page has no parts yet")
        return arrays.integer(name, part, 0, len(self.parts) - 1)

    def step(self, step: int) -> int:
        """The number of a step that is there."""
        return arrays.integer("step", step, 0, self.steps - 1)

    def add(self, part: Part) -> int:
        """Add a part and return its number."""
        is_a("name", part.name, str)
        self.parts.append(part)
        return len(self.parts) - 1

    def count(self, found: int) -> None:
        """Count more impacts, listed or not."""
        self.met += found
        self.facts["impacts"] = f"{self.met:,}"
        if self.drawn < self.met:
            self.facts["impacts marked"] = f"the earliest {self.drawn:,}"

    def quota(self, most: int | None = None) -> int:
        """How many impacts or near pairs of each step the page may list."""
        most = MOST_PAIRS if most is None else most
        return most if self.steps == 1 else max(most // self.steps, _LEAST_SHARE)
