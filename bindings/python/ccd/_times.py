"""Times of impact with their derivatives in dense arrays: what `ccd.torch` and `ccd.jax` have in common. NumPy alone."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import step
from ._native import arrays, steps
from .errors import ArgumentError, shown
from .gradient import GradientState
from .mesh import Mesh

# Gradients of pairs that are first at the same time count as equal up to this, over the largest component.
_EQUAL = 1e-9


class Choices(NamedTuple):
    """What is returned where there is no time, or no derivative."""

    no_impact: float
    undefined: str
    ties: str


def choices(no_impact: Any, undefined: Any, ties: Any) -> Choices:
    """The choices, checked."""
    for name, value, known in (("undefined", undefined, ("nan", "zero")), ("ties", ties, ("undefined", "mean"))):
        if value not in known:
            raise ArgumentError(f"{name} is {shown(value)}: must be one of {', '.join(known)}")
    return Choices(arrays.number("no_impact", no_impact), undefined, ties)


def exact(options: dict[str, Any]) -> dict[str, Any]:
    """The options, with the exact method: only its times are functions of the positions."""
    return {**options, "method": "exact"}


def refuse(mesh: Mesh, x0: tuple[int, ...], x1: tuple[int, ...], options: dict[str, Any]) -> None:
    """Raise what a step of arrays of these shapes raises whatever their values are.

    A package that calls back raises errors of its own in the place of those of the call.
    """
    steps.mesh_of(mesh)
    steps.ends(np.zeros(x0), np.zeros(x1), mesh.counts[0])
    kept = {name: value for name, value in options.items() if name not in ("stats", "progress", "separations")}
    nothing = np.zeros((0, 3))
    step.earliest(Mesh(faces=[], vertices=0), nothing, nothing, **exact(kept))


class Earliest(NamedTuple):
    """The earliest time of a step, its derivatives (n, 3), and whether they exist."""

    toi: float
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    state: GradientState


def earliest(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, chosen: Choices, options: dict[str, Any]) -> Earliest:
    """The earliest time of a step with its derivatives.

    Several pairs may be first at the same time. Then it has a derivative if they all have, the same; else their mean is
    one of the generalized gradients of the time, which ``ties="mean"`` asks for.
    """
    options = exact(options)
    hit = step.earliest(mesh, x0, x1, **options)
    n = len(np.asarray(x0))
    zero = np.zeros((n, 3))
    if hit.separate:
        return Earliest(chosen.no_impact, zero, zero, GradientState.NO_IMPACT)
    if hit.toi_lo == 0 and hit.initial:
        return Earliest(0.0, zero, zero, GradientState.INITIAL)
    first = step.collisions(mesh, x0, x1, **{**options, "t_max": min(hit.toi_hi, options.get("t_max", 1.0))})
    first = first[first["toi_lo"] == hit.toi_lo]
    found = step.gradients(mesh, x0, x1, first, **options)
    dense = [_dense(n, record) for record in found]
    size = max(np.abs(g).max() for g in dense)
    state, mean = GradientState(int(found["state"][0])), np.mean(dense, axis=0)
    if (found["state"] != GradientState.DEFINED).any():
        state = GradientState(int(found["state"][found["state"] != GradientState.DEFINED][0]))
    elif max(np.abs(g - mean).max() for g in dense) > _EQUAL * size:
        state = GradientState.TIE
    if state == GradientState.TIE and chosen.ties == "mean" and (found["state"] == GradientState.DEFINED).all():
        state = GradientState.DEFINED
    if state != GradientState.DEFINED:
        mean = np.zeros((2, n, 3))
        if chosen.undefined == "nan":  # NaN for the vertices that take part
            of = found["vertices"]
            mean[:, np.unique(of[of >= 0])] = math.nan
    return Earliest(hit.toi_lo, mean[0], mean[1], state)


def _dense(n: int, record: Any) -> NDArray[np.float64]:
    out = np.zeros((2, n, 3))
    use = record["vertices"] >= 0
    out[0, record["vertices"][use]] = record["x0"][use]
    out[1, record["vertices"][use]] = record["x1"][use]
    return out


class Listed(NamedTuple):
    """Times (m,), the vertices of each (m, 4) with 0 where there is none, and derivatives (m, 4, 3)."""

    toi: NDArray[np.float64]
    vertices: NDArray[np.int32]
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]


def listed(mesh: Mesh, x0: ArrayLike, x1: ArrayLike, impacts: Any, chosen: Choices, options: dict[str, Any]) -> Listed:
    """The times of some impacts with their derivatives."""
    found = step.gradients(mesh, x0, x1, impacts, **exact(options))
    toi = np.where(found["state"] == GradientState.NO_IMPACT, chosen.no_impact, found["toi"])
    slopes = [found[name] if chosen.undefined == "nan" else np.nan_to_num(found[name], nan=0.0) for name in ("x0", "x1")]
    return Listed(toi, np.maximum(found["vertices"], 0), slopes[0], slopes[1])
