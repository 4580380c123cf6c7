"""What lets `ccd.view(...)` be called although `ccd.view` is a module: for Python, and for type checkers."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import _notebook, _page, _state
from ._notebook import view

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from .. import patch, rigid, volume
    from ..mesh import Mesh
    from ..motion import Motion
    from ..options import Options

    class Module(_notebook.View):
        """The module for type checkers: a class with the module's names, which returns a View."""

        MOST_DRAWN = _state.MOST_DRAWN
        MOST_INLINE = _notebook.MOST_INLINE
        MOST_PAIRS = _state.MOST_PAIRS
        Page: TypeAlias = _page.Page
        View: TypeAlias = _notebook.View
        view = staticmethod(_notebook.view)

        def __init__(
            self,
            shape: _page.Page | Mesh | volume.Cells | patch.Model | rigid.Scene,
            *frames: ArrayLike | Motion,
            impacts: NDArray[Any] | Sequence[NDArray[Any]] | bool | None = None,
            title: str | None = None,
            up: str | None = None,
            height: int = 520,
            **options: Unpack[Options],
        ) -> None: ...


class _Callable(ModuleType):
    __call__ = staticmethod(view)


def make_callable(name: str) -> None:
    """Let a call of the module of a name be a call of `view`, with its signature and help."""
    module = sys.modules[name]
    module.__class__ = _Callable
    vars(module)["__signature__"] = inspect.signature(view)
