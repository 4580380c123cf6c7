"""Results in files: Parquet, one file a part."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import broad
from .._native.results import Records, columns
from ..broad import Candidates
from ..errors import ArgumentError, from_os
from ..impact import Kind, impact_dtype
from ..proximity import near_pair_dtype
from ._part import Part
from ._reduce import in_order, sorted_pairs
from ._rows import Rows

_FILES = {"collisions": "impacts", "near": "near", "candidates": "candidates"}
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def _parquet() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("results in Parquet need pyarrow: pip install pyarrow") from error
    return pyarrow


class ResultsFolder:
    """A folder with the results of each part for one call. It can be pickled."""

    def __init__(self, folder: Any, call: str, options: dict[str, Any]):
        self.folder, self.name = os.path.abspath(os.fspath(folder)), _FILES[call]
        _parquet()
        try:
            os.makedirs(self.folder, exist_ok=True)
        except OSError as error:
            raise from_os(self.folder, error) from None
        same = "threads", "stats", "progress", "memory_limit"  # bits of results do not depend on these
        given = {name: repr(options[name]) for name in sorted(options) if name not in same}
        self.key = hashlib.sha256(json.dumps(given).encode()).hexdigest()

    def path(self, index: int) -> str:
        """The file of a part."""
        return os.path.join(self.folder, f"{self.name}-{index:05d}.parquet")

    def has(self, index: int, identity: Any) -> bool:
        """Whether the results of a part are there; raises where they are of other options or of another part.

        identity() is that of the part, which is computed only where a file is there.
        """
        path = self.path(index)
        if not os.path.exists(path):
            return False
        try:
            held = _parquet().parquet.read_schema(path).metadata or {}
        except OSError as error:
            raise from_os(path, error) from None
        except Exception as error:
            raise ArgumentError(f"folder: {path} is no file of results: {error}") from None
        if held.get(b"ccd_options", b"").decode() != self.key:
            raise ArgumentError(f"folder: {path} has results of other options; choose another folder or remove it")
        if held.get(b"ccd_part", b"").decode() != identity():
            raise ArgumentError(f"folder: {path} has results of another scene or plan; choose another folder or remove it")
        return True

    def write(self, index: int, identity: str, found: Any) -> str:
        """Write the results of a part; the file appears when it is complete."""
        pyarrow, path = _parquet(), self.path(index)
        table = pyarrow.table(_columns(found)).replace_schema_metadata({"ccd_options": self.key, "ccd_part": identity})
        try:
            handle, new = tempfile.mkstemp(prefix=f"{self.name}-{index:05d}-", suffix=".tmp", dir=self.folder)
            os.close(handle)
            try:
                pyarrow.parquet.write_table(table, new)
                os.replace(new, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.remove(new)
                raise
        except OSError as error:
            raise from_os(path, error) from None
        return path

    def clean(self, indices: Iterable[int]) -> list[str]:
        """Remove what killed workers left of some parts, and return the parts' files."""
        for index in indices:
            for left in glob.glob(os.path.join(glob.escape(self.folder), f"{self.name}-{index:05d}-*.tmp")):
                with contextlib.suppress(OSError):
                    os.remove(left)
        return [self.path(index) for index in sorted(indices)]


def identity(part: Part) -> str:
    """A hash of all that the results of a part depend on, but the options."""
    found = hashlib.sha256(repr((part.index, part.reach, part.region.lo, part.region.hi)).encode())
    named = {name: getattr(part, name) for name in part.__dataclass_fields__}
    named |= {f"excluded_{kind}": pairs for kind, pairs in part.excluded.items()}
    for name in sorted(named):
        if isinstance(named[name], np.ndarray):
            found.update(f"{name} {Rows(named[name]).identity()}".encode())
    return found.hexdigest()


def _columns(found: Any) -> dict[str, NDArray[Any]]:
    """Results as columns."""
    if not isinstance(found, Candidates):
        return columns(found)
    pairs = np.concatenate([found[kind] for kind in Kind])
    kinds = np.repeat(np.array(list(Kind), np.int32), [len(found[kind]) for kind in Kind])
    return {"kind": kinds, "a": pairs[:, 0].copy(), "b": pairs[:, 1].copy()}


def _tables(paths: Paths, name: str, wanted: Iterable[str]) -> Iterable[Any]:
    """The tables of a folder, of a file or of several files."""
    if isinstance(paths, (str, os.PathLike)):
        folder = os.fspath(paths)
        paths = sorted(glob.glob(os.path.join(glob.escape(folder), f"{name}-*.parquet"))) if os.path.isdir(folder) else [folder]
    for path in paths:
        try:
            table = _parquet().parquet.ParquetFile(os.fspath(path)).read()
        except OSError as error:
            raise from_os(path, error) from None
        except ImportError:
            raise
        except Exception as error:
            raise ArgumentError(f"{os.fspath(path)}: {error}") from None
        for column in wanted:
            if column not in table.column_names:
                raise ArgumentError(f"{os.fspath(path)} has no column {column}")
        yield table


def _records(paths: Paths, name: str, dtype: np.dtype[np.void]) -> NDArray[np.void]:
    parts = [np.empty(0, dtype)]
    for table in _tables(paths, name, columns(parts[0])):
        found = np.zeros(table.num_rows, dtype)
        for key, column in columns(found).items():
            column[:] = table[key].to_numpy()
        parts.append(found)
    return in_order(np.concatenate(parts)).view(Records)


def read_impacts(paths: Paths) -> NDArray[np.void]:
    """Read the impacts that `collisions` wrote to a folder.

    Any reader of Parquet reads the files too, in parts: their columns are those of `ccd.columns`.

    Parameters
    ----------
    paths : path or iterable of path
        A folder, one of its files, or several.

    Returns
    -------
    numpy.ndarray
        Impacts (m,) of `ccd.impact_dtype`, in the order of `ccd.step.collisions`.

    Raises
    ------
    FileError
        A file cannot be opened, or there is no such folder.
    ArgumentError
        A file has other columns.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> len(cd.read_impacts([]))
    0
    """
    return _records(paths, "impacts", impact_dtype)


def read_near(paths: Paths) -> NDArray[np.void]:
    """Read the near pairs that `near` wrote to a folder.

    Parameters
    ----------
    paths : path or iterable of path
        A folder, one of its files, or several.

    Returns
    -------
    numpy.ndarray
        Pairs (m,) of `ccd.proximity.near_pair_dtype`, in the order of `ccd.proximity.near`.

    Raises
    ------
    FileError
        A file cannot be opened, or there is no such folder.
    ArgumentError
        A file has other columns.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> len(cd.read_near([]))
    0
    """
    return _records(paths, "near", near_pair_dtype)


def read_candidates(paths: Paths) -> Candidates:
    """Read the candidate pairs that `candidates` wrote to a folder.

    Parameters
    ----------
    paths : path or iterable of path
        A folder, one of its files, or several.

    Returns
    -------
    Candidates
        The pairs, as `candidates` returns them without a folder.

    Raises
    ------
    FileError
        A file cannot be opened, or there is no such folder.
    ArgumentError
        A file has other columns.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> len(cd.read_candidates([]))
    0
    """
    parts = [np.empty((0, 3), np.int64)]
    for table in _tables(paths, "candidates", ("kind", "a", "b")):
        parts.append(np.stack([table[name].to_numpy() for name in ("kind", "a", "b")], 1).astype(np.int64))
    every = np.concatenate(parts)
    return broad.alone(*(sorted_pairs(every[every[:, 0] == int(kind), 1:]) for kind in Kind))
