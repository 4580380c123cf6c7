"""How the command talks: aligned lines, numbers a person can read, and a progress bar on a terminal."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


def lines(pairs: Iterable[tuple[str, str]]) -> str:
    """'name   value' lines with the values in one column."""
    rows = list(pairs)
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}  {value}".rstrip() for name, value in rows)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns, right-aligned but for the first."""
    cells = [list(header), *map(list, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    form = "  ".join(f"{{:{'>' if column else '<'}{width}}}" for column, width in enumerate(widths))
    return "\n".join(form.format(*row).rstrip() for row in cells)


def count(number: int) -> str:
    return f"{number:,}"


def time(value: float | None) -> str:
    """A fraction of the step, with all its digits: repr is the shortest text that reads back to the same double."""
    return "-" if value is None else repr(float(value))


def seconds(value: float) -> str:
    return f"{value:.3f} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def bytes_(value: int) -> str:
    return f"{value / 2**20:.1f} MiB"


def emit_json(value: Any) -> None:
    print(json.dumps(value, indent=2, allow_nan=False))


@contextlib.contextmanager
def bar(label: str, wanted: bool = True) -> Iterator[Callable[[float], None] | None]:
    """A progress callback that draws on stderr; None when nobody looks (no terminal) or tqdm is not there.

    It appears after half a second: short work stays silent.
    """
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    form = "{l_bar}{bar}| {elapsed} < {remaining}"
    with tqdm(total=1.0, desc=label, delay=0.5, leave=False, bar_format=form, file=sys.stderr) as drawn:

        def progress(fraction: float) -> None:
            drawn.update(max(0.0, min(1.0, fraction) - drawn.n))

        yield progress
