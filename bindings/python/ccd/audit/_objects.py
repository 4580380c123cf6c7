"""Names of the objects of an OBJ file; else connected components without names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._inner import files

_MOST = 1 << 30


def named(path: str, count: int, edges: NDArray[np.int32]) -> tuple[NDArray[np.int64] | None, list[str] | None]:
    """The object of each vertex and the names of objects, by the lines ``o`` of an OBJ file; None for fewer than two."""
    if not path.lower().endswith(".obj"):
        return None, None
    with files.reading(path), files.opened(path) as file:
        text = file.read(_MOST)
    names: dict[str, int] = {}
    of, current, vertices = np.full(count, -1, np.int64), -1, 0
    for line in text.split(b"\n"):
        if line.startswith(b"v "):
            vertices += 1
        elif line.startswith(b"o "):
            current = names.setdefault(line[2:].strip().decode("utf-8", "replace"), len(names))
        elif line.startswith((b"f ", b"l ")) and current >= 0:
            for word in line[2:].split():
                number = word.split(b"/")[0]
                try:
                    at = int(number)
                except ValueError:
                    return None, None
                at = at - 1 if at > 0 else vertices + at
                if 0 <= at < count and of[at] < 0:
                    of[at] = current
    if len(names) < 2:
        return None, None
    if (of < 0).any():
        names["(no object)"] = len(names)
        of[of < 0] = len(names) - 1
    return of, list(names)
