"""The narrow phase that a call is given: one of this module, of the real ipctk, or a script's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..impact import Kind
from ._errors import TypedError, wrong_type
from ._narrow import AdditiveCCD, NarrowPhaseCCD, TightInclusionCCD

METHODS = {
    Kind.POINT_POINT: "point_point_ccd",
    Kind.POINT_EDGE: "point_edge_ccd",
    Kind.EDGE_EDGE: "edge_edge_ccd",
    Kind.VERTEX_FACE: "point_triangle_ccd",
}


def is_real(x: object) -> bool:
    """Whether x is of a class of the real ipctk itself, not of one that a script derives from it."""
    return type(x).__module__.partition(".")[0] == "ipctk"


class Own:
    """A script's own narrow phase: its methods are called for every candidate, one after the other."""

    def __init__(self, phase: Any, dim: int):
        self._phase, self._dim = phase, dim

    def pair(self, kind: Kind, points: Sequence[Any], min_distance: float, tmax: float) -> tuple[bool, float]:
        """(hit, time of impact) of a candidate, given by its points."""
        answer = getattr(self._phase, METHODS[kind])(*points, min_distance, tmax)
        try:
            hit, toi = answer
            return bool(hit), float(toi)
        except (TypeError, ValueError):
            name = f"{type(self._phase).__name__}.{METHODS[kind]}"
            raise TypedError(f"{name} returned {answer!r}: must return (hit, time of impact)") from None

    def _first(self, queries: dict[Kind, NDArray[np.float64]], min_distance: float, tmax: float) -> float:
        best = tmax
        for kind, q in queries.items():
            for points in q[:, :, : self._dim]:
                hit, toi = self.pair(kind, list(points), min_distance, best)
                best = min(best, toi) if hit else best
        return best

    def _any(self, queries: dict[Kind, NDArray[np.float64]], min_distance: float) -> bool:
        return any(
            self.pair(kind, list(points), min_distance, 1.0)[0]
            for kind, q in queries.items()
            for points in q[:, :, : self._dim]
        )


def narrow(phase: Any, dim: int) -> NarrowPhaseCCD | Own:
    """The narrow phase to use. One of the real ipctk is replaced by ours of the same name and parameters."""
    if phase is None:
        return TightInclusionCCD()
    if isinstance(phase, NarrowPhaseCCD):
        defined = [getattr(type(phase), name) is not getattr(NarrowPhaseCCD, name) for name in METHODS.values()]
        return Own(phase, dim) if any(defined) else phase
    if is_real(phase) and type(phase).__name__ == "TightInclusionCCD":
        return TightInclusionCCD(phase.tolerance, phase.max_iterations, phase.conservative_rescaling)
    if is_real(phase) and type(phase).__name__ == "AdditiveCCD":
        return AdditiveCCD(conservative_rescaling=phase.conservative_rescaling)
    if not is_real(phase) and all(callable(getattr(phase, name, None)) for name in METHODS.values()):
        return Own(phase, dim)
    raise wrong_type("narrow_phase_ccd", phase, "a TightInclusionCCD, an AdditiveCCD or a subclass of NarrowPhaseCCD")


def theirs(phase: Any, ipctk: Any) -> Any:
    """For a narrow phase of this library the one of ipctk with the same parameters; anything else as it is."""
    if type(phase) is TightInclusionCCD:
        return ipctk.TightInclusionCCD(phase.tolerance, phase.max_iterations, phase.conservative_rescaling)
    if type(phase) is AdditiveCCD:
        return ipctk.AdditiveCCD(phase.max_iterations, phase.conservative_rescaling)
    return phase
