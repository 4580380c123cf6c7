"""Frames of a sequence: the files that a pattern names, in the order of their numbers."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable
from pathlib import Path

from .. import errors


def expand(paths: Iterable[str]) -> list[str]:
    """The files: a pattern with *, ? or [...] stands for all that match it; numbers in names are compared as numbers."""
    found: list[str] = []
    for path in paths:
        if any(letter in path for letter in "*?[") and not Path(path).exists():
            matches = sorted(glob.glob(path), key=_by_number)
            if not matches:
                raise errors.ArgumentError(f"{path}: no file matches this pattern")
            found += matches
        else:
            found.append(path)
    return found


def _by_number(path: str) -> list[tuple[int, str]]:
    """A key that orders frame2 before frame10."""
    parts = re.split(r"(\d+)", path)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
