"""How a function over the state of a page becomes a method of the page."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Concatenate, TypeVar

    from typing_extensions import ParamSpec

    from ._state import State

    P = ParamSpec("P")
    T = TypeVar("T")


def method(function: Callable[Concatenate[State, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Return the method of `Page` that calls a function with the page's state, with its name, text and signature.

    The page is any type here: this module does not import it.
    """

    @functools.wraps(function)
    def bound(page: Any, *args: Any, **named: Any) -> T:
        return function(page._state, *args, **named)

    signature = inspect.signature(function)
    of_page = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    vars(bound)["__signature__"] = signature.replace(parameters=[of_page, *list(signature.parameters.values())[1:]])
    bound.__module__, bound.__qualname__ = str(__package__), f"Page.{function.__name__}"
    return cast("Callable[Concatenate[Any, P], T]", bound)
