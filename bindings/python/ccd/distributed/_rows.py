"""Tables of numbers, in memory or in a file, that are read in parts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import arrays, files
from .._inner.errors import from_os, shown
from ..errors import ArgumentError, FileError

CHUNK = 1 << 17  # rows that are read at once


class Rows:
    """A table of n rows in memory."""

    def __init__(self, array: NDArray[Any]):
        self.array: Any = array

    def __len__(self) -> int:
        return len(self.array)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Rows start to stop."""
        return np.asarray(self.array[start:stop])

    def take(self, ids: NDArray[np.int64]) -> NDArray[Any]:
        """The rows of these numbers, which are in range."""
        return np.asarray(self.array[ids])

    def identity(self) -> str:
        """What tells the table from others: a hash of its numbers; of a file, its path, size and time of change."""
        path = getattr(self, "path", None)
        if path is not None:
            try:
                about = os.stat(path)
            except OSError as error:
                raise from_os(path, error) from None
            return repr((path, about.st_size, about.st_mtime_ns))
        array = np.ascontiguousarray(self.array)
        found = hashlib.sha256(f"{array.dtype} {array.shape}".encode())
        found.update(array.view(np.uint8).data if array.size else b"")
        return found.hexdigest()

    def chunks(self) -> Iterator[tuple[int, NDArray[Any]]]:
        """All rows in portions, each with the number of its first."""
        for start in range(0, len(self), CHUNK):
            yield start, self.read(start, min(start + CHUNK, len(self)))


class NumpyRows(Rows):
    """A table in a .npy file. The file is mapped for each access, so no mapping grows to the size of the file."""

    def __init__(self, path: str):
        self.path = os.path.abspath(path)
        found = files.header(self.path)
        self.shape, self.dtype = found.shape, found.dtype

    @property
    def array(self) -> Any:
        """The file, mapped."""
        return files.mapped(self.path)

    def __len__(self) -> int:
        return int(self.shape[0])

    def read(self, start: int, stop: int) -> NDArray[Any]:
        return np.array(self.array[start:stop])


class ParquetRows(Rows):
    """A table in a Parquet file: a column for each number of a row. Row groups are read one at a time."""

    def __init__(self, path: str):
        self.path = os.path.abspath(path)
        file = self._open()
        with files.reading(self.path):
            schema = file.schema_arrow
            kinds = [np.dtype(field.type.to_pandas_dtype()) for field in schema]
            self.dtype = np.result_type(*kinds) if kinds else np.dtype(float)
            self.shape = (file.metadata.num_rows, *((len(schema),) if len(schema) > 1 else ()))
            sizes = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
            size = os.stat(self.path).st_size
            for i, count in enumerate(sizes):
                files.check_declared(self.path, size, count * len(kinds) * self.dtype.itemsize, f"row group {i}")
            self.first = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        self._held: tuple[int, NDArray[Any]] | None = None

    def _open(self) -> Any:
        try:
            import pyarrow.parquet as parquet
        except ImportError as error:
            raise ImportError("files in Parquet need pyarrow: pip install pyarrow") from error
        with files.reading(self.path):
            return parquet.ParquetFile(self.path)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_held": None}

    def _group(self, number: int) -> NDArray[Any]:
        if self._held is None or self._held[0] != number:
            with files.reading(self.path):
                table = self._open().read_row_group(number)
                for name, column in zip(table.column_names, table.columns):
                    if column.null_count:
                        raise FileError(f"{self.path}: column {name} has nulls")
                found = [column.to_numpy() for column in table.columns]
                self._held = number, (np.stack(found, 1) if len(self.shape) > 1 else found[0]).astype(self.dtype, copy=False)
        return self._held[1]

    def read(self, start: int, stop: int) -> NDArray[Any]:
        return self.take(np.arange(start, stop))

    def take(self, ids: NDArray[np.int64]) -> NDArray[Any]:
        out = np.empty((len(ids), *self.shape[1:]), self.dtype)
        group = np.searchsorted(self.first, ids, "right") - 1
        for number in np.unique(group).tolist():
            of = group == number
            out[of] = self._group(number)[ids[of] - self.first[number]]
        return out


def rows(name: str, x: Any, width: int, kinds: str) -> Rows:
    """A table of an array, a path of a .npy or .parquet file, or rows themselves: (n, width), or (n,) where width is 0."""
    if isinstance(x, (str, os.PathLike)):
        path = os.fspath(x)
        if not path.endswith((".npy", ".parquet")):
            raise ArgumentError(f"{name} is {shown(path)}: must be an array, or the path of a .npy or .parquet file")
        table: Any = NumpyRows(path) if path.endswith(".npy") else ParquetRows(path)
        shape, dtype = table.shape, table.dtype
    elif isinstance(x, Rows):
        return x
    else:
        array = arrays.to_array(name, x)
        if array.size == 0:
            array = np.empty((0, width) if width else 0, np.int64 if kinds == "iu" else float)
        table, shape, dtype = Rows(array), array.shape, array.dtype
    wanted = f"(n, {width})" if width else "(n,)"
    if shape[1:] != ((width,) if width else ()) or not shape:
        raise ArgumentError(f"{name} has shape {shape}: must be {wanted}")
    if dtype.kind not in kinds:
        raise ArgumentError(f"{name} has dtype {dtype}: must be {'an integer type' if kinds == 'iu' else 'numbers'}")
    rows_: Rows = table
    return rows_
