"""What the commands print: aligned lines, numbers that people can read, and a progress bar on a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
import threading
import time as time_
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from . import remarks


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


def verdict(im: Any, initial: bool = False) -> str:
    """The verdict of an impact, why it is undecided, and whether it is there at the start."""
    said = str(im.verdict) if im.reason is None else f"{im.verdict} ({im.reason.text})"
    return said + (", at the start already" if initial else "")


def separate(t_max: float, t_min: float = 0.0, untested: bool = False) -> tuple[str, str]:
    """The row of a step in which nothing meets."""
    return "separate", "no pair was tested" if untested else f"proven for every t in [{t_min:g}, {t_max:g}]"


def earliest(which: str, toi: float) -> tuple[str, str]:
    """The row of the first impact: which pair, and when."""
    return "earliest", f"{which} at t = {time(toi)}"


def point(name: str, p: Iterable[float]) -> tuple[str, str]:
    """The row of a point or a vector."""
    return name, "({})".format(", ".join(f"{x:.6g}" for x in p))


def emit_json(value: Any) -> None:
    print(json.dumps(value, indent=2, allow_nan=False))


def emit_report(value: dict[str, Any]) -> None:
    """Print a report in JSON, with the remarks."""
    emit_json(value | remarks.as_json())


def say(text: str) -> None:
    """Print text. Names in it cannot control the terminal."""
    print(colored(safe(text)) if colors(sys.stdout) else safe(text))


_RED, _GREEN, _YELLOW = "31", "32", "33"
_ROWS = {"separate": _GREEN, "earliest": _RED, "verdict": _RED, "note": _YELLOW, "left out": _YELLOW}
_WORDS = {"INTERSECTS ITSELF": _RED, "INTERSECT": _RED, "undecided": _YELLOW, "separate": _GREEN, "proven": _GREEN}
_ROW = re.compile(f"^({'|'.join(_ROWS)})(?=:?  ?)", re.M)
_WORD = re.compile(rf"(?<=[ (])({'|'.join(_WORDS)})(?![-\w./])")


def colors(stream: Any) -> bool:
    """Whether a stream shows colors: a terminal that can, unless NO_COLOR (https://no-color.org) is set and not empty."""
    return bool(stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")


def colored(text: str) -> str:
    """Text with the names of rows that matter, and the words of verdicts, in colors of the terminal."""
    text = _ROW.sub(lambda found: _painted(found[0], _ROWS[found[0]]), text)
    return _WORD.sub(lambda found: _painted(found[0], _WORDS[found[0]]), text)


def _painted(text: str, color: str) -> str:
    return f"\x1b[{color}m{text}\x1b[0m"


def complain(text: str) -> None:
    """Print a remark that is no part of the report."""
    print(safe(f"ccd: {text}"), file=sys.stderr)


def say_report(text: str) -> None:
    """Print a report as text, after the remarks."""
    say("\n".join([*remarks.lines(), text]))


def safe(text: str) -> str:
    """The text with escapes in place of control characters, but for line feeds, and of bytes that are no characters."""
    return _CONTROL.sub(_escaped, text)


# Controls of C0, DEL and C1; marks that change the direction of text; surrogates, which stand for bytes of a file's name.
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # os.fsdecode
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


quiet = False  #: whether bars stay away although there is a terminal: --json


class _Bar:
    """One line on stderr, drawn by a thread of its own: a call that says nothing of its progress still shows that it lives."""

    silence = 0.5  #: seconds until the first line: short work shows none

    def __init__(self, label: str, calls: int = 1):
        self.label, self.fraction, self.start = safe(label), 0.0, time_.monotonic()
        self.calls, self.ended, self.last = calls, 0, 0.0
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def __call__(self, fraction: float) -> None:
        fraction = min(1.0, fraction)
        if self.last == 1.0 > fraction and self.ended < self.calls - 1:  # every call ends with 1: here the next one begins
            self.ended += 1
        self.last = fraction
        self.fraction = max(self.fraction, (self.ended + fraction) / self.calls)

    def close(self) -> None:
        self.done.set()
        self.thread.join()

    def _run(self) -> None:
        wait, drawn = self.silence, False
        while not self.done.wait(wait):
            columns = shutil.get_terminal_size().columns
            sys.stderr.write("\r" + self.line(time_.monotonic() - self.start)[: columns - 1] + "\x1b[K")
            sys.stderr.flush()
            wait, drawn = 0.1, True
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def line(self, elapsed: float) -> str:
        """What is drawn: how much is done and how long the rest will take, where that is known."""
        if not self.fraction:
            return f"{self.label}  {elapsed:.1f} s"
        if self.fraction == 1.0:  # the call has found all; how long it takes to return that, nobody knows
            return f"{self.label}  {elapsed:.1f} s, taking the results"
        full, rest = int(30 * self.fraction), elapsed / self.fraction - elapsed
        drawn = f"[{'#' * full}{'-' * (30 - full)}] {100 * self.fraction:3.0f} %"
        return f"{self.label}  {drawn}  {elapsed:.1f} s, {rest:.1f} s left"


@contextlib.contextmanager
def bar(label: str, calls: int = 1) -> Iterator[Callable[[float], None] | None]:
    """A progress callback for so many calls; draws on stderr after half a second; None without a terminal or with --json."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    drawn = _Bar(label, calls)
    try:
        yield drawn
    finally:
        drawn.close()
