"""ipctk's filters: which vertices may collide."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner.errors import shown
from ..errors import ArgumentError
from ..mesh import Mesh
from . import _checked
from ._errors import TypedError, wrong_type


class CollisionFilter:
    """Which vertices may collide: all, or those for which fn(i, j) is true. Two primitives may when some of their vertices may.

    The filters of the make_* functions are arrays to the library; a function is called for each candidate, in Python. `a | b`
    lets two vertices collide when a or b does, `a & b` when both do, `~a` when a does not; `a |= b` and `a &= b` change a.
    """

    def __init__(self, fn: Callable[[int, int], bool] | None = None):
        if fn is not None and not callable(fn):
            raise TypedError(f"fn is {shown(fn)}: must be a function of two vertices, as in CollisionFilter(lambda i, j: True)")
        self._fn = fn

    def __call__(self, i: int, j: int) -> bool:
        return True if self._fn is None else bool(self._fn(i, j))

    def __invert__(self) -> CollisionFilter:
        was = self._now()
        return CollisionFilter(lambda i, j: not was(i, j))

    def __or__(self, other: object) -> CollisionFilter:
        return NotImplemented if not _is_filter(other) else self._or(other)

    def __and__(self, other: object) -> CollisionFilter:
        return NotImplemented if not _is_filter(other) else _Both(self._now(), _now(other))

    def __ior__(self, other: object) -> CollisionFilter:
        return NotImplemented if not _is_filter(other) else self._become(self._or(other))

    def __iand__(self, other: object) -> CollisionFilter:
        return NotImplemented if not _is_filter(other) else self._become(_Both(self._now(), _now(other)))

    def _or(self, other: Any) -> CollisionFilter:
        a, b = self._now(), _now(other)
        return CollisionFilter(lambda i, j: a(i, j) or bool(b(i, j)))

    def _now(self) -> CollisionFilter:
        """The filter as it is now, for one that is made of it: `|=` may change this one."""
        return copy.copy(self)

    def _become(self, other: CollisionFilter) -> CollisionFilter:
        self.__class__ = other.__class__
        self.__dict__ = {**other.__dict__, "_version": object()}
        return self

    def _set(self, mesh: Mesh, copies: int) -> bool:
        """Put the filter on the mesh, whose vertices are so many copies of the scene's; at least what it lets through passes.

        False: it is to be called for what is found.
        """
        return self._fn is None


def _is_filter(x: object) -> bool:
    """Whether x is a filter, of this module or of the real ipctk."""
    return isinstance(x, CollisionFilter) or type(x).__name__ == "CollisionFilter"


def _now(x: Any) -> Any:
    return x._now() if isinstance(x, CollisionFilter) else ~~x  # the real one's operators copy it


class _Both(CollisionFilter):
    """Two vertices collide when two filters let them."""

    def __init__(self, a: CollisionFilter, b: Any):
        super().__init__(lambda i, j: a(i, j) and bool(b(i, j)))
        self._a, self._b = a, b

    def _set(self, mesh: Mesh, copies: int) -> bool:
        """The first of the two that is arrays; a pair of primitives may pass each by another pair of vertices."""
        if type(self._a) is CollisionFilter and self._a._fn is None:
            return isinstance(self._b, CollisionFilter) and self._b._set(mesh, copies)
        known = self._a._set(mesh, copies)
        if type(self._b) is CollisionFilter and self._b._fn is None:
            return known
        if not known and isinstance(self._b, CollisionFilter):
            self._b._set(mesh, copies)
        return False


class _Patches(CollisionFilter):
    """Vertices of one patch do not collide."""

    def __init__(self, ids: NDArray[np.int32]):
        patch = np.unique(ids, return_inverse=True)[1].astype(np.int32)  # our mesh takes a negative id for no patch
        super().__init__(lambda i, j: patch[i] != patch[j])
        self._patch = patch

    def _set(self, mesh: Mesh, copies: int) -> bool:
        if copies * len(self._patch) != mesh.counts[0]:
            raise ArgumentError(f"patch_ids has {len(self._patch)} entries for {mesh.counts[0] // copies} vertices")
        mesh.set_groups(np.tile(self._patch, copies))
        return True


class _Static(CollisionFilter):
    """Vertices from n on do not collide with one another."""

    def __init__(self, n: int):
        super().__init__(lambda i, j: i < n or j < n)
        self._n = n

    def _set(self, mesh: Mesh, copies: int) -> bool:
        mesh.set_static(np.tile(np.arange(mesh.counts[0] // copies) >= self._n, copies))
        return True


def make_vertex_patches_filter(patch_ids: ArrayLike) -> CollisionFilter:
    """Only vertices of different patches collide. patch_ids is (n,)."""
    return _Patches(_checked.ids("patch_ids", np.ravel(patch_ids)))


def make_static_obstacle_filter(n_dynamic: int) -> CollisionFilter:
    """Vertices n_dynamic and later are obstacles: they do not collide with one another."""
    return _Static(_checked.integer("n_dynamic", n_dynamic, 0, 2**63 - 1))


def make_sparse_filter(explicit_values: Mapping[tuple[int, int], bool], default_value: bool) -> CollisionFilter:
    """Explicit values for vertex pairs (i, j), i < j, and one for all others."""
    if not isinstance(explicit_values, Mapping):
        raise wrong_type("explicit_values", explicit_values, "a dict of (i, j): bool")
    values = {(int(i), int(j)): bool(value) for (i, j), value in explicit_values.items()}
    return CollisionFilter(lambda i, j: values.get((min(i, j), max(i, j)), bool(default_value)))


class _Components(CollisionFilter):
    """Vertices of one component do not collide; vertices in no face are each a component."""

    def __init__(self, label: NDArray[np.int32]):
        super().__init__(lambda i, j: self._of(i) != self._of(j))
        self._label = label

    def _of(self, i: int) -> int:
        return int(self._label[i]) if i < len(self._label) else i

    def _set(self, mesh: Mesh, copies: int) -> bool:
        n = mesh.counts[0] // copies
        label = np.arange(max(n, len(self._label)), dtype=np.int32)
        label[: len(self._label)] = self._label
        mesh.set_groups(np.tile(label[:n], copies))
        return True


def make_connected_components_filter(faces: ArrayLike) -> CollisionFilter:
    """No connected component of the faces collides with itself."""
    corners = _checked.primitives("faces", faces, 3)
    label = np.arange(corners.max(initial=-1) + 1, dtype=np.int32)
    while True:  # each round hands every vertex the least label of its faces, then of that label's own: few rounds
        least = label[corners].min(axis=1)
        before = label.copy()
        for k in range(3):
            np.minimum.at(label, corners[:, k], least)
        label = label[label]
        if np.array_equal(label, before):
            return _Components(label)


def allowed(rule: Any, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    """For pairs of primitives, given by their vertices, whether some of their vertices may collide."""
    answers: dict[tuple[int, int], bool] = {}
    keep = np.zeros(len(a), bool)
    for row, (of_a, of_b) in enumerate(zip(a.tolist(), b.tolist())):
        for key in ((i, j) for i in of_a for j in of_b):
            if key not in answers:
                answers[key] = bool(rule(*key))
            if answers[key]:
                keep[row] = True
                break
    return keep
