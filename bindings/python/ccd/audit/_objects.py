"""Names of the objects of an OBJ file, or of the solids of an STL file in text; else connected components without names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._inner import files

_MOST = 1 << 30
_KEYS = (b"o", b"g", b"usemtl")  # what divides a file into objects, the first of them that names two or more


def named(path: str, count: int, edges: NDArray[np.int32], least: int = 2) -> tuple[NDArray[np.int64] | None, list[str] | None]:
    """The object of each vertex and the names of objects; None for fewer than `least`, which is 1 or 2.

    Objects are what the lines ``o`` of an OBJ file name, else its groups ``g``, else its materials; in an STL file its solids.
    A vertex that faces of several use belongs to the first.
    """
    if path.lower().endswith(".stl"):
        return _solids(path, count, least)
    if not path.lower().endswith(".obj"):
        return None, None
    with files.reading(path), files.opened(path) as file:
        text = file.read(_MOST)
    names: list[dict[str, int]] = [{} for _ in _KEYS]
    of, current, vertices = [[-1] * count for _ in _KEYS], [-1] * len(_KEYS), 0
    for line in text.split(b"\n"):
        if line.startswith(b"v "):
            vertices += 1
            continue
        key, _, rest = line.partition(b" ")
        if key in _KEYS:
            k = _KEYS.index(key)
            current[k] = names[k].setdefault(rest.strip().decode("utf-8", "replace"), len(names[k]))
        elif key in (b"f", b"l"):
            for word in rest.split():
                number = word.split(b"/")[0]
                try:
                    at = int(number)
                except ValueError:
                    return None, None
                at = at - 1 if at > 0 else vertices + at
                if 0 <= at < count:
                    for owner, name in zip(of, current):
                        if owner[at] < 0:
                            owner[at] = name
    for found, each in zip(names, of):
        objects = np.array(each, np.int64)
        if len(np.unique(objects[objects >= 0])) >= least:
            return _whole(objects, list(found))
    return None, None


def _whole(owner: NDArray[np.int64], names: list[str]) -> tuple[NDArray[np.int64], list[str]]:
    """The same, with the vertices that no object has in one of their own."""
    if (owner < 0).any():
        owner[owner < 0] = len(names)
        names.append("(no object)")
    return owner, names


def _solids(path: str, count: int, least: int) -> tuple[NDArray[np.int64] | None, list[str] | None]:
    """The solids of an STL file in text. Its vertices are numbered as the reader does: each place once, as it comes."""
    with files.reading(path), files.opened(path) as file:
        text = file.read(_MOST)
    names: dict[str, int] = {}
    places: dict[tuple[float, ...], int] = {}
    current = -1
    for line in text.split(b"\n"):
        key, _, rest = line.strip().partition(b" ")
        if key == b"solid":
            name = rest.strip().decode("utf-8", "replace")
            current = names.setdefault(name, len(names)) if name else -1
        elif key == b"vertex":
            try:
                places.setdefault(tuple(map(float, rest.split())), current)
            except ValueError:
                return None, None
    if len(places) != count or len(names) < least:
        return None, None
    return _whole(np.array(list(places.values()), np.int64), list(names))
