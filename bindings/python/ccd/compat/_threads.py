"""How many threads the calls of `ccd.compat.ipctk` may use."""

from __future__ import annotations

import contextlib
import contextvars
import os
from collections.abc import Iterator

from . import _checked

_limit: int = 0  # 0: all that this process may use
_within: contextvars.ContextVar[int | None] = contextvars.ContextVar("threads", default=None)


def _available() -> int:
    """Processors this process may use, capped by CCD_NUM_THREADS as in the library."""
    have = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    cap = os.environ.get("CCD_NUM_THREADS", "")
    return min(have, int(cap)) if cap.isdigit() and int(cap) > 0 else have


def set_num_threads(nthreads: int) -> None:
    """Let calls use at most so many threads; zero or less: all that this process may use."""
    global _limit
    _limit = max(_checked.integer("nthreads", nthreads, -(2**31), 2**31 - 1), 0)


def get_num_threads() -> int:
    """The most threads that calls use."""
    return min(_limit, _available()) if _limit else _available()


@contextlib.contextmanager
def using(count: int) -> Iterator[None]:
    """Calls within this block use so many threads."""
    token = _within.set(count)
    try:
        yield
    finally:
        _within.reset(token)


def option() -> int:
    """The `threads` of a call of the library."""
    within = _within.get()
    return _limit if within is None else within
