"""A folder that the paths of a scene may not leave, by whatever way: `..`, an absolute path, a symbolic link."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from ..errors import FileError
from .checks import possible

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BY_STEPS = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and os.path.isdir("/dev/fd")


@contextlib.contextmanager
def within(root: str | None, path: str) -> Iterator[str]:
    """A name by which the file can be read while the block lasts; path itself where there is no root.

    Raises FileError where path, with all symbolic links followed, is not below root. What is opened is what was checked: the
    folders on the way are opened one from the other, and none that has become a link in the meantime.
    """
    possible(path)
    if root is None:
        yield path
        return
    possible(root)
    top, real = os.path.realpath(root), os.path.realpath(path)
    try:
        inside = os.path.commonpath([top, real]) == top and real != top
    except ValueError:  # the paths are on two drives
        inside = False
    if not inside:
        raise FileError(f"{path} is not below the root folder {root}: move it there, or choose another root")
    if not _BY_STEPS:
        yield real
        return
    try:
        file = _open(top, os.path.relpath(real, top).split(os.sep))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    name = f"/dev/fd/{file}"
    try:
        yield name
    except FileError as error:  # it names what it was given
        text = str(error)
        raise FileError(text.replace(name, path) if name in text else text) from None
    finally:
        os.close(file)


def _open(top: str, parts: list[str]) -> int:
    """The file at the end of the parts, in top and folders below it, without following a link."""
    folder = os.open(top, _FOLDER)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.open(parts[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)
