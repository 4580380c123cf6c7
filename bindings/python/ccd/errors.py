"""Exceptions of this package.

Each is a `ccd.Error` and also the built-in exception that a caller expects (`ValueError`, `IndexError`, `OSError` ...).
The message names the argument and the index that is wrong; ``status`` is the C status, e.g. -3 for CCD_E_INDEX.

>>> import ccd
>>> try:
...     ccd.Mesh([[0, 1, 1]])
... except ccd.InvalidIndexError as error:
...     print(error.status, isinstance(error, IndexError))
-3 True
"""

from __future__ import annotations

import difflib
import errno
import os
from collections.abc import Iterable
from typing import Any

__all__ = [
    "ArgumentError",
    "Cancelled",
    "Error",
    "FileError",
    "ForkedError",
    "HandleError",
    "InternalError",
    "InvalidIndexError",
    "LibraryError",
    "NonFiniteError",
    "OutOfMemoryError",
    "UnsupportedError",
]


class Error(Exception):
    """Base of every exception of this package.

    Attributes
    ----------
    status : int
        The status in C, e.g. -3 for CCD_E_INDEX; 0 where C has none.
    """

    status = 0


class ArgumentError(Error, ValueError):
    """An argument or option is out of range or of the wrong shape or type, or two sizes do not agree.

    CCD_E_ARGUMENT, status -1; also a `ValueError`.
    """

    status = -1


class NonFiniteError(ArgumentError):
    """A coordinate is NaN, infinite, or above 1e150 in magnitude.

    CCD_E_NONFINITE, status -2; also an `ArgumentError`.
    """

    status = -2


class InvalidIndexError(Error, IndexError):
    """An index is out of range, or a primitive repeats a vertex.

    CCD_E_INDEX, status -3; also an `IndexError`.
    """

    status = -3


class HandleError(Error, ValueError):
    """A mesh, body, volume or list of candidates is used after it was closed.

    CCD_E_HANDLE, status -4; also a `ValueError`.
    """

    status = -4


class OutOfMemoryError(Error, MemoryError):
    """Memory cannot be allocated, or ``memory_limit`` is too small for the call.

    CCD_E_MEMORY, status -5; also a `MemoryError`.
    """

    status = -5


class Cancelled(Error):
    """The progress callback cancelled the call.

    CCD_E_CANCELLED, status -6.
    """

    status = -6


class ForkedError(Error, RuntimeError):
    """This process is a fork of one that had already loaded the library. Fork before the first call, or use spawn.

    CCD_E_FORKED, status -7; also a `RuntimeError`.
    """

    status = -7


class UnsupportedError(Error, NotImplementedError):
    """The call does not support this option, or this combination of options.

    CCD_E_UNSUPPORTED, status -8; also a `NotImplementedError`.
    """

    status = -8


class InternalError(Error, RuntimeError):
    """A bug in the library; please report the message.

    CCD_E_INTERNAL, status -9; also a `RuntimeError`.
    """

    status = -9


class FileError(Error, OSError):
    """A file cannot be opened, or is truncated or malformed.

    CCD_E_FILE, status -10; also an `OSError`. Where the system names the cause it is also a `FileNotFoundError`,
    `PermissionError`, `IsADirectoryError` or `NotADirectoryError`, and ``errno`` is set.
    """

    status = -10

    def __reduce__(self) -> tuple[Any, ...]:
        return file_error, (str(self), self.errno)  # its class is found by its cause, not by its name


class _NoFileError(FileError, FileNotFoundError):
    """There is no such file."""


class _DeniedFileError(FileError, PermissionError):
    """The file may not be read or written."""


class _DirectoryFileError(FileError, IsADirectoryError):
    """A folder stands where a file is meant."""


class _NotInDirectoryFileError(FileError, NotADirectoryError):
    """A file stands where a folder is meant."""


# The name of each class is FileError: the cause is one of its bases.
for _cause in (_NoFileError, _DeniedFileError, _DirectoryFileError, _NotInDirectoryFileError):
    _cause.__name__ = _cause.__qualname__ = "FileError"


class LibraryError(Error, ImportError):
    """The shared library cannot be found or loaded, or is of another version than this package.

    No status; also an `ImportError`.
    """


_BY_STATUS = {
    error.status: error
    for error in (
        ArgumentError, NonFiniteError, InvalidIndexError, HandleError, OutOfMemoryError,
        Cancelled, ForkedError, UnsupportedError, InternalError, FileError,
    )
}  # fmt: skip


_CAUSES = {
    errno.ENOENT: _NoFileError,
    errno.EACCES: _DeniedFileError,
    errno.EPERM: _DeniedFileError,
    errno.EISDIR: _DirectoryFileError,
    errno.ENOTDIR: _NotInDirectoryFileError,
}

# How the library ends an error whose cause is the system's: in Go's words, independent of the locale. Errors quote the
# content of files in quotation marks, so no content ends like this.
_ENDINGS = {
    ": no such file or directory": errno.ENOENT,
    ": permission denied": errno.EACCES,
    ": operation not permitted": errno.EPERM,
    " is a directory": errno.EISDIR,
    ": not a directory": errno.ENOTDIR,
}


def file_error(text: str, number: int | None) -> FileError:
    """The FileError of a cause, an errno."""
    error = _CAUSES.get(number or 0, FileError)(text)
    error.errno = number
    return error


def from_os(path: str | os.PathLike[str], error: OSError) -> FileError:
    """The FileError of what the system says about a file."""
    return file_error(f"{os.fspath(path)}: {error.strerror or error}", error.errno)


MEANT = {"toi": "toi_lo", "t": "toi_lo", "time": "toi_lo", "hit": "contact", "is_hit": "contact", "position": "point"}
"""Words of other libraries for an attribute of an impact."""


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a message on a name that is not known: the public name that is most like it, if one is."""
    close = difflib.get_close_matches(name, [n for n in names if not n.startswith("_")], 1)
    return f"; did you mean {close[0]}?" if close else ""


def no_mesh(name: str, x: object) -> ArgumentError:
    """The error for an argument that must be a mesh, with how one is made of what was given."""
    remedy = ""
    if isinstance(x, (str, os.PathLike)):
        remedy = "; ccd.read(path).mesh() makes one of a file"
    elif hasattr(x, "vertices") and hasattr(x, "faces"):
        remedy = f"; make one with ccd.Mesh({name}.vertices, {name}.faces)"
    elif hasattr(x, "__array__") or isinstance(x, (list, tuple)):
        remedy = "; make one with ccd.Mesh(vertices, faces), and give it before positions"
    return ArgumentError(f"{name} is {type(x).__name__}: must be a ccd.Mesh{remedy}")


def shown(x: object) -> str:
    """A wrong value in one short line, for an error."""
    line = " ".join(repr(x).split())
    return line if len(line) <= 80 else line[:77] + "..."


def from_status(status: int, text: str) -> Error:
    """The exception for a negative status. An unknown status, of a newer library, is a plain Error."""
    if status == FileError.status:
        return file_error(text, next((number for ending, number in _ENDINGS.items() if text.endswith(ending)), None))
    error = _BY_STATUS.get(status, Error)(text or f"status {status}")
    error.status = status
    return error
