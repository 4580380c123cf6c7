"""Errors about what a file holds, which name the file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import errors

_WORDS = 300  # characters of another package's error that are shown


def file_name(name: str, x: Any) -> str:
    """The name of a file as text."""
    try:
        found = os.fsdecode(x)
    except TypeError:
        raise errors.ArgumentError(f"{name} is {errors.shown(x)}: must be a file name") from None
    possible(found)
    return found


def possible(path: str) -> None:
    """Refuse a name that no file can have: one with a NUL, or with a surrogate that stands for no byte."""
    if "\0" in path:
        raise errors.FileError(f"{path!r} holds a NUL: no file has such a name")
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        wrong = f"the character {path[error.start]!r} at {error.start}"
        raise errors.FileError(f"{path!r} holds {wrong}, which file names cannot have: no file has such a name") from None


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Let errors about what a file holds name the file."""
    try:
        yield
    except errors.FileError:
        raise  # these name it already
    except (errors.ArgumentError, errors.InvalidIndexError) as error:
        raise type(error)(f"{path}: {error}") from None


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """Turn every exception that reading a file raises into a FileError that names the file.

    A malformed or hostile file makes NumPy, zipfile, zlib, csv and json raise more than ten kinds of exceptions, RecursionError
    and MemoryError among them; their manuals do not list them.
    """
    try:
        yield
    except errors.Error:
        raise
    except OSError as error:
        raise errors.from_os(path, error) from None
    except Exception as error:
        words = " ".join(str(error).split()) or type(error).__name__
        words = words if len(words) <= _WORDS else f"{words[: _WORDS - 3]}..."  # zipfile quotes what it read, up to 64 KiB
        raise errors.FileError(f"{path}: {words}") from error


def decimal(word: str) -> float:
    """The decimal number of a word of a file; ValueError if it is none.

    `float` takes more than programs in other languages do: digits of other scripts, and 1_0, which is 10.
    """
    if "_" in word or not word.isascii():
        raise ValueError(f"{word!r} is no decimal number")
    return float(word)


def coordinates(path: str, name: str, array: Any) -> NDArray[Any]:
    """Return the array if it holds coordinates that the library accepts; name is what a row is called."""
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind not in "fiu":
        shown = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else "no single array"
        raise errors.FileError(f"{path}: {name} coordinates are {shown}: must be numbers of shape (n, 3)")
    with np.errstate(over="ignore"):  # the bound would be infinity in single precision, and infinity within it
        wrong = np.flatnonzero(~(np.abs(array.astype(np.float64)) <= 1e150).all(1))
    if len(wrong):
        raise errors.FileError(f"{path}: {name} {wrong[0]} is at {array[wrong[0]].tolist()}: must be finite and within 1e150")
    return array
