"""Films: files that hold bodies in frames, as programs for animation and rendering write them.

A film says which bodies are there in each frame, by name, and where. `KINDS` lists the readers; each follows what its format
says, takes recorded frames alone, and refuses by name what it does not understand.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..._inner import files
from ...errors import ArgumentError, FileError
from .._packages import require
from ._elsewhere import Elsewhere
from ._film import Film, one_frame

__all__ = ["Film", "address", "expand", "forget", "is_film", "opened"]

#: Endings of names, the module and the class that reads them, and the options that it has: a line for each format.
KINDS: tuple[tuple[tuple[str, ...], str, str, tuple[str, ...]], ...] = (
    ((".gltf", ".glb"), "_gltf", "GLTF", ("animation",)),
    ((".usd", ".usda", ".usdc", ".usdz"), "_usd", "USD", ()),
    ((".abc",), "_alembic", "Alembic", ()),
    ((".dae",), "_collada", "Collada", ()),
    ((".3mf",), "_threemf", "ThreeMF", ()),
    ((".pc2",), "_caches", "PC2", ("mesh",)),
    ((".mdd",), "_caches", "MDD", ("mesh",)),
)
#: The packages of formats that are read in a process of their own, by the module: what is imported, and its name for pip.
_APART = {"_usd": ("pxr", "usd-core"), "_alembic": ("alembic3d", "alembic3d")}
_NUMBERED = re.compile(r"(?P<file>.*)\[(?P<number>\d{1,9})\]", re.DOTALL)


@dataclass(frozen=True)
class Options:
    """What a user says beside the name of a film."""

    animation: str | None = None
    mesh: str | None = None


def address(path: str) -> tuple[str, int | None]:
    """The file that an address names, and the number of a frame if it has one: ``run.glb[3]`` is frame 3 of run.glb."""
    match = _NUMBERED.fullmatch(path)
    if match is None or _kind(match["file"]) is None or os.path.exists(path):
        return path, None
    return match["file"], int(match["number"])


def is_film(path: str) -> bool:
    """Whether a file of this name is a film, or an address a frame of one."""
    return _kind(address(path)[0]) is not None


def _kind(path: str) -> tuple[tuple[str, ...], str, str, tuple[str, ...]] | None:
    lower = path.lower()
    return next((kind for kind in KINDS if lower.endswith(kind[0])), None)


_last: tuple[tuple[str, Options, int, int], Film] | None = None


def opened(path: str, options: Options) -> Film:
    """The film in a file. The last one is kept, so that its frames can be asked for one after the other."""
    global _last
    with files.reading(path), files.opened(path) as file:
        found = os.fstat(file.fileno())
    key = path, options, found.st_mtime_ns, found.st_size
    if _last is not None and _last[0] == key:
        return _last[1]
    kind = _kind(path)
    assert kind is not None
    for name in ("animation", "mesh"):
        if getattr(options, name) is not None and name not in kind[3]:
            what = (
                "films whose files name animations: glTF" if name == "animation" else "positions without faces: .npy, PC2, MDD"
            )
            raise ArgumentError(f"{name}: {path} takes none: it is for {what}")
    film = _made(path, kind, options)
    if not film.times:
        raise FileError(f"{path} has no frames")
    if _last is not None:
        _last[1].close()
    _last = key, film
    return film


def _made(path: str, kind: tuple[tuple[str, ...], str, str, tuple[str, ...]], options: Options) -> Film:
    module = f"{__name__}.{kind[1]}"
    if kind[1] in _APART:
        package, install = _APART[kind[1]]
        require(package, path, install)
        last = None if _last is None else _last[1]
        return Elsewhere(path, f"{module}:{kind[2]}", last.process if isinstance(last, Elsewhere) else None)
    reader = getattr(importlib.import_module(module), kind[2])
    with files.reading(path), np.errstate(all="ignore"):  # a value of another type than the format asks for, say
        film: Film = reader(path, **{name: getattr(options, name) for name in kind[3]})
    return film


def forget() -> None:
    """Let go of the film that is kept: files beside it may hold other data now."""
    global _last
    if _last is not None:
        _last[1].close()
    _last = None


def expand(paths: Iterable[str], options: Options) -> list[str]:
    """The frames in place of each film of several; other names stay as they are."""
    found: list[str] = []
    for path in paths:
        file, number = address(path)
        count = len(opened(file, options).times) if is_film(path) and number is None else 1
        found += [path] if count == 1 else [f"{file}[{k}]" for k in range(count)]
    return found


def frame(path: str, options: Options) -> tuple[Film, int]:
    """The film and the number of the frame that an address names; without a number it must have one frame."""
    file, number = address(path)
    film = opened(file, options)
    count = len(film.times)
    if number is None:
        return film, one_frame(file, count)
    if number >= count:
        raise ArgumentError(f"{path}: {file} has {count:,} frames: their numbers are from 0 to {count - 1}")
    return film, number
