"""What `ccd._arrays` checks, with errors that are TypeErrors too, as ipctk's are."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from .._inner import arrays
from ..errors import ArgumentError, NonFiniteError
from ._errors import TypedError

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _typed(check: Callable[_P, _R]) -> Callable[_P, _R]:
    def typed(*args: _P.args, **named: _P.kwargs) -> _R:
        try:
            return check(*args, **named)
        except NonFiniteError:
            raise
        except ArgumentError as error:
            raise TypedError(str(error)) from None

    return typed


number, integer, doubles = _typed(arrays.number), _typed(arrays.integer), _typed(arrays.doubles)
primitives, ids, mask = _typed(arrays.primitives), _typed(arrays.ids), _typed(arrays.mask)
