"""The broad phase that a call is given: one of this module, of the real ipctk, or a script's own."""

from __future__ import annotations

import importlib
from typing import Any

from ._errors import wrong_type
from ._filters import CollisionFilter
from ._given_narrow import is_real
from ._sweep import Sweep


def broad(phase: Any) -> tuple[Any, bool]:
    """The broad phase to use, and whether it is a script's own. One of the real ipctk is replaced by ours."""
    if phase is None:
        return Sweep(), False
    if isinstance(phase, Sweep):
        return phase, type(phase).__module__.rpartition(".")[0] != __package__
    methods = ("build", "clear", "detect_edge_edge_candidates", "detect_face_vertex_candidates")
    if all(callable(getattr(phase, name, None)) for name in methods):
        return (Sweep(), False) if is_real(phase) else (phase, True)
    raise wrong_type("broad_phase", phase, "a BroadPhase")


def rule_for(phase: Any, rule: Any) -> Any:
    """A filter as a script's own broad phase takes it: one derived from the real ipctk's class takes the real one's filters."""
    if any(base.__module__ == "ipctk" for base in type(phase).__mro__) and not is_real(rule):
        return importlib.import_module("ipctk").CollisionFilter(lambda i, j: bool(rule(i, j)))
    return rule if isinstance(rule, CollisionFilter) or is_real(rule) else CollisionFilter(rule)
