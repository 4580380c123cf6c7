"""ipctk (release 1.6) with this library's collision detection: `import ccd.compat.ipctk as ipctk`, and a script stays as it is.

Where ipctk is installed, this module has all of its names. Continuous collision detection and tests for intersections are
this library's. What potentials, friction and distances take and return (meshes, candidates, filters, broad phases) are ipctk's
own objects, whose methods are replaced as by `install()`. That is called when the first of these names, or of those that only
ipctk has, is used; it then holds for the process. Without ipctk they are this library's classes, those of `ccd.compat.own`, and
a name that only ipctk has raises an error that says why. A script that keeps `import ipctk` calls `install()` itself.

Better: no contact is missed and no time is late, whatever the scale; NaN is an error instead of a hit at 0, and so is a
negative distance; an array may be of any dtype and memory order; a step size is accepted by `is_step_collision_free`.

Different: a filter given as a Python function is called per candidate, after the sweep; `filter` of the tight_inclusion
functions is taken and not needed; both root finding methods give the same answer. Without ipctk, a list of candidates makes
objects only of those that are read; `compute_noncandidate_conservative_stepsize` bounds all vertices, not those of candidates
alone; a mesh with planes is refused.
"""

from __future__ import annotations

import dis
import functools
import importlib
import sys
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedError
from . import _absent, _exchanged, own, tight_inclusion
from ._install import install, installed, uninstall  # noqa: F401  # names of this module

if TYPE_CHECKING:
    from .own import *  # noqa: F403

__all__ = own.__all__


@functools.cache
def _real() -> tuple[ModuleType | None, str]:
    """(The installed ipctk, with its methods replaced, ""), or (None, why there is none that can be used)."""
    try:
        ipctk = importlib.import_module("ipctk")
    except ImportError as error:
        return None, f"ipctk cannot be imported ({error}); pip install ipctk"
    try:
        install()
    except UnsupportedError as error:
        return None, str(error)
    return ipctk, ""


def _imported_from(frame: FrameType | None) -> bool:
    """Whether a frame is at a `from ... import`, which hides the text of an AttributeError."""
    if frame is None or frame.f_lasti < 0:
        return False
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_FROM"]


def __getattr__(name: str) -> Any:
    is_own = name in own.__all__
    if is_own and name not in _exchanged.__all__:
        return getattr(own, name)
    if name.startswith("__"):
        raise AttributeError(f"ccd.compat.ipctk has no {name}")
    ipctk, why = _real()
    if ipctk is not None and hasattr(ipctk, name):
        return getattr(ipctk, name)
    if is_own:
        return getattr(own, name)
    reason = _absent.reason(name)
    text = f"ccd.compat.ipctk has no {name}"
    if reason:
        text += f": {reason}; {why}" if why else f": {reason}"
    raise (ImportError if _imported_from(sys._getframe(1)) else AttributeError)(text)


def __dir__() -> list[str]:
    ipctk, _ = _real()
    return sorted({*globals(), *own.__all__, *(dir(ipctk) if ipctk else ())})


class _Part(ModuleType):
    """A module within ipctk that only ipctk has."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{self.__name__} has no {name}")
        part = self.__name__.rpartition(".")[2]
        ipctk, why = _real()
        if ipctk is not None and hasattr(getattr(ipctk, part, None), name):
            return getattr(getattr(ipctk, part), name)
        text = f"{self.__name__} has no {name}" + (f": {_absent.reason(part)}; {why}" if why else "")
        raise (ImportError if _imported_from(sys._getframe(1)) else AttributeError)(text)


# `from ccd.compat.ipctk.filib import Interval` finds its module here, as ipctk's own parts are found.
filib, ogc = (_Part(f"{__name__}.{part}") for part in ("filib", "ogc"))
for _part in (filib, ogc):
    sys.modules[_part.__name__] = _part
sys.modules[f"{__name__}.tight_inclusion"] = tight_inclusion
