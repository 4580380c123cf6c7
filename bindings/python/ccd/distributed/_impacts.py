"""Impacts in files: Parquet, one file a part."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._native.results import Records, columns
from ..errors import ArgumentError, from_os
from ..impact import impact_dtype
from ._reduce import in_order


def _parquet() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("impacts in Parquet need pyarrow: pip install pyarrow") from error
    return pyarrow


class ImpactsFolder:
    """A folder with the impacts of each part. It can be pickled."""

    def __init__(self, folder: Any, options: dict[str, Any]):
        self.folder = os.path.abspath(os.fspath(folder))
        _parquet()
        os.makedirs(self.folder, exist_ok=True)
        same = "threads", "stats", "progress", "memory_limit"  # bits of results do not depend on these
        given = {name: repr(options[name]) for name in sorted(options) if name not in same}
        self.key = hashlib.sha256(json.dumps(given).encode()).hexdigest()

    def path(self, index: int) -> str:
        """The file of a part."""
        return os.path.join(self.folder, f"impacts-{index:05d}.parquet")

    def has(self, index: int) -> bool:
        """Whether the impacts of a part are there; raises where they are of other options."""
        path = self.path(index)
        if not os.path.exists(path):
            return False
        held = _parquet().parquet.read_schema(path).metadata or {}
        if held.get(b"ccd_options", b"").decode() != self.key:
            raise ArgumentError(f"folder: {path} has impacts of other options; choose another folder or remove it")
        return True

    def write(self, index: int, impacts: NDArray[np.void]) -> str:
        """Write the impacts of a part; the file appears when it is complete."""
        pyarrow, path = _parquet(), self.path(index)
        table = pyarrow.table(columns(impacts)).replace_schema_metadata({"ccd_options": self.key})
        try:
            handle, new = tempfile.mkstemp(suffix=".tmp", dir=self.folder)
            os.close(handle)
            pyarrow.parquet.write_table(table, new)
            os.replace(new, path)
        except OSError as error:
            raise from_os(path, error) from None
        return path

    def paths(self) -> list[str]:
        """The files of all parts."""
        return sorted(glob.glob(os.path.join(glob.escape(self.folder), "impacts-*.parquet")))


def read_impacts(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> NDArray[np.void]:
    """Read the impacts that `collisions` wrote to a folder.

    Any reader of Parquet reads the files too, in parts: their columns are those of `ccd.columns`.

    Parameters
    ----------
    paths : path or iterable of path
        A folder, or some of its files.

    Returns
    -------
    numpy.ndarray
        Impacts (m,) of `ccd.impact_dtype`, in the order of `ccd.step.collisions`.

    Raises
    ------
    FileError
        A file cannot be opened.
    ArgumentError
        A file has other columns.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> len(cd.read_impacts([]))
    0
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = sorted(glob.glob(os.path.join(glob.escape(os.fspath(paths)), "impacts-*.parquet")))
    parts = [np.empty(0, impact_dtype)]
    for path in paths:
        try:
            table = _parquet().parquet.read_table(os.fspath(path))
        except OSError as error:
            raise from_os(path, error) from None
        found = np.zeros(table.num_rows, impact_dtype)
        for name, column in columns(found).items():
            if name not in table.column_names:
                raise ArgumentError(f"{os.fspath(path)} has no column {name}")
            column[:] = table[name].to_numpy()
        parts.append(found)
    return in_order(np.concatenate(parts)).view(Records)
