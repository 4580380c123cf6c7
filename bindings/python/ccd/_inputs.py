"""What the command reads, and errors that name the file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _text, errors
from .files import Surface, read
from .mesh import Mesh


@contextlib.contextmanager
def blamed(path: str) -> Iterator[None]:
    """Let errors about what a file holds say which file it is."""
    try:
        yield
    except errors.FileError:
        raise  # they do
    except (errors.ArgumentError, errors.InvalidIndexError) as error:
        raise type(error)(f"{path}: {error}") from None


@contextlib.contextmanager
def reading(path: str) -> Iterator[None]:
    """Let whatever a file does to what reads it be a FileError that names the file.

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
        raise errors.FileError(f"{path}: {words}") from error


def surface(path: str) -> Surface:
    """The surface in a file."""
    with _text.bar(f"reading {path}"):
        held = read(path)
    coordinates(path, "vertex", held.vertices)
    return held


def mesh(path: str, held: Surface) -> Mesh:
    """The topology of what a file holds."""
    with blamed(path), _text.bar("topology"):
        return held.mesh()


def frames(path0: str, path1: str) -> tuple[Surface, NDArray[np.float64]]:
    """The surface at the start and the vertices at the end."""
    start = surface(path0)
    if path1.endswith(".npy"):
        return start, vertices(path1, len(start.vertices), path0)
    end = surface(path1)
    if len(end.vertices) != len(start.vertices):
        raise errors.ArgumentError(_sizes(path0, len(start.vertices), path1, len(end.vertices)))
    if len(end.faces) and not np.array_equal(end.faces, start.faces):
        raise errors.ArgumentError(f"{path1} has other faces than {path0}: the frames must be of one mesh")
    return start, end.vertices


def vertices(path: str, count: int, other: str) -> NDArray[np.float64]:
    """The vertices in a .npy file, as many as another frame has."""
    with reading(path):
        array = np.load(path, allow_pickle=False)
    if len(coordinates(path, "vertex", array)) != count:
        raise errors.ArgumentError(_sizes(other, count, path, len(array)))
    frame: NDArray[np.float64] = array.astype(np.float64)
    return frame


def coordinates(path: str, name: str, array: Any) -> NDArray[Any]:
    """The array, if it holds coordinates that the library takes; name is what a row is called."""
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind not in "fiu":
        shown = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else "no single array"
        raise errors.FileError(f"{path}: {name} coordinates are {shown}: must be numbers of shape (n, 3)")
    with np.errstate(over="ignore"):  # in single precision the bound would be infinity, and infinity within it
        wrong = np.flatnonzero(~(np.abs(array.astype(np.float64)) <= 1e150).all(1))
    if len(wrong):
        raise errors.FileError(f"{path}: {name} {wrong[0]} is at {array[wrong[0]].tolist()}: must be finite and within 1e150")
    return array


def _sizes(path0: str, count0: int, path1: str, count1: int) -> str:
    return f"{path0} has {count0} vertices, {path1} has {count1}: the frames must be of one size"


def arrays(path: str) -> dict[str, Any]:
    """The arrays of a .npz file."""
    with reading(path), np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
