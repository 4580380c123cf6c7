"""Opening of files that are read: regular ones only, so that no reader waits for a pipe or reads a device without end."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

from .. import errors

_KINDS = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFCHR: "device", stat.S_IFBLK: "device"}


def opened(path: str) -> BinaryIO:
    """Open a regular file. A pipe is refused at once: no open waits for its writer."""
    try:
        _require_regular(path, os.stat(path))
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            _require_regular(path, os.fstat(file))  # the path may name another file by now
            return open(file, "rb")
        except BaseException:
            os.close(file)
            raise
    except errors.FileError:
        raise
    except OSError as error:
        raise errors.from_os(path, error) from None


def _require_regular(path: str, found: os.stat_result) -> None:
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(21, "is a directory", path)
    if kind != stat.S_IFREG:
        raise errors.FileError(f"{path} is a {_KINDS.get(kind, 'special file')}: only regular files are read")
