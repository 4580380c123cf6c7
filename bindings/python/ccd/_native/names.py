"""What modules answer for names that they lack."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import did_you_mean


def names_of(module: str, former: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of a module: a former name works, with a DeprecationWarning; for others it says what they may mean."""

    def missing(name: str) -> Any:
        here = vars(sys.modules[module])
        if former and name in former:
            text = f"{module}.{name} is {module}.{former[name]} now"
            warnings.warn(text, DeprecationWarning, stacklevel=2)
            return here[former[name]]
        own = [n for n, one in here.items() if getattr(one, "__module__", None) == module]
        close = "" if name.startswith("_") else did_you_mean(name, here.get("__all__", own))
        raise AttributeError(f"module {module!r} has no attribute {name!r}{close}")

    return missing
