"""Bound of the memory that a Parquet file takes: a few kilobytes can declare billions of equal numbers.

Columns of real scenes and results take up to 140 bytes for each byte of the file, where coordinates repeat. So the bound is
looser than that of NumPy's archives (`ccd._io.numpy_files`). What a file declares falsely is up to pyarrow.
"""

from __future__ import annotations

from .. import errors

_RATIO = 256
_FREE = 64 << 20  # bytes that a small file may declare all the same: a row group of pyarrow has 2**20 rows


def check_declared(path: str, size: int, declared: int, what: str) -> None:
    """Raise where the numbers in a part of a file of some size take more memory than the bound; `what` names the part."""
    if declared > max(_RATIO * size, _FREE):
        raise errors.FileError(
            f"{path}: {what} declares {declared:,} bytes in a file of {size:,}: must be at most {_RATIO} times the size, or "
            f"{_FREE >> 20} MiB; write smaller row groups or files"
        )
