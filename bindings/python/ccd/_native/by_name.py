"""A better message where an option is given by position."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ..errors import shown

_F = TypeVar("_F", bound=Callable[..., Any])


def options_by_name(function: _F) -> _F:
    """The function; it says what to do where more is given by position than it takes before its options.

    It costs some tenths of a microsecond, so calls on single pairs go without.
    """
    most = function.__code__.co_argcount
    names = function.__code__.co_varnames[:most]
    hidden = names[:1] == ("self",)

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        if len(args) > most:
            takes = ", ".join(names[hidden:]) or "nothing"
            raise TypeError(
                f"{function.__name__}() takes {takes} by position: {shown(args[most])} is one too many; "
                "options go by name, as in min_separation=1e-3"
            )
        return function(*args, **named)

    return cast("_F", call)
