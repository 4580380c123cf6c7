"""What a command says before its result: what readers left out, and what in its input is probably meant otherwise."""

from __future__ import annotations

from typing import Any

from ..files import Surface
from ..volume import Cells

_left_out: list[dict[str, Any]] = []
_notes: list[str] = []


def begin() -> None:
    """Forget what an earlier command of this process said."""
    _left_out.clear()
    _notes.clear()


def read(path: str, found: Surface | Cells) -> None:
    """Keep what a reader said of a file, once."""
    if any(one["file"] == path for one in _left_out):
        return
    left(path, found.left_out)
    for text in found.notes:
        note(f"{path}: {text}")


def left(path: str, left_out: dict[str, int]) -> None:
    """Keep what was left out of a file."""
    for what, count in left_out.items():
        _left_out.append({"file": path, "what": what, "count": int(count)})


def note(text: str) -> None:
    """Add a remark, once."""
    if text not in _notes:
        _notes.append(text)


def as_json() -> dict[str, Any]:
    """All remarks in plain types."""
    return {"notes": list(_notes), "left_out": list(_left_out)}


def lines() -> list[str]:
    """All remarks as lines of text; what was left out of a file is one."""
    files = dict.fromkeys(one["file"] for one in _left_out)
    counts = {file: [f"{one['count']:,} {one['what']}" for one in _left_out if one["file"] == file] for file in files}
    return [f"note: {text}" for text in _notes] + [f"left out: {file}: {', '.join(found)}" for file, found in counts.items()]
