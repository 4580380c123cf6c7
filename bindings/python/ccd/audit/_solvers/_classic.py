"""Whether a classic netCDF file has all bytes that its header speaks of: libnetcdf reads zeros where they are missing."""

from __future__ import annotations

import struct
from typing import Any

from ...errors import FileError

_SIZES = (0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8)  # bytes of a value by its type
_MOST = 1 << 26  # bytes of a header
_STREAMED = 0xFFFFFFFF


def check(path: str, file: Any) -> None:
    """Refuse a file that ends early. Other files than classic netCDF pass."""
    file.seek(0)
    data = file.read(_MOST)
    if data[:3] != b"CDF" or data[3:4] not in (b"\1", b"\2", b"\5"):
        return
    try:
        needed = _Header(data).needed()
    except (struct.error, IndexError) as wrong:
        raise FileError(f"{path}: the header of netCDF is malformed, or was cut off") from wrong
    size = file.seek(0, 2)
    if size < needed:
        raise FileError(f"{path} ends early: it has {size:,} bytes of {needed:,}")


class _Header:
    """The header, as "The NetCDF Classic Format Specification" has it: numbers are big-endian, names and values padded to 4."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 4
        self.wide = data[3] == 5  # counts of 8 bytes
        self.far = data[3] > 1  # offsets of 8 bytes

    def _number(self, wide: bool) -> int:
        found: int = struct.unpack_from(">Q" if wide else ">I", self.data, self.at)[0]
        self.at += 8 if wide else 4
        return found

    def _count(self) -> int:
        return self._number(self.wide)

    def _list(self) -> range:
        self._number(False)  # the tag
        count = self._count()
        if count > len(self.data):
            raise IndexError
        return range(count)

    def _skip(self, size: int) -> None:
        self.at += size + (-size) % 4
        if self.at > len(self.data):
            raise IndexError

    def _attributes(self) -> None:
        for _ in self._list():
            self._skip(self._count())
            kind = self._number(False)
            self._skip(self._count() * _SIZES[kind])

    def needed(self) -> int:
        """The number of bytes up to the last value."""
        records = self._count()
        lengths = []
        for _ in self._list():
            self._skip(self._count())
            lengths.append(self._count())
        self._attributes()
        most, rows = self.at, []
        for _ in self._list():
            self._skip(self._count())
            shape = [lengths[self._count()] for _ in range(self._count())]
            self._attributes()
            size = _SIZES[self._number(False)]
            self._count()  # the padded size, which overflows for large variables
            begin = self._number(self.far)
            moving = bool(shape) and shape[0] == 0
            for length in shape[moving:]:
                size *= length
            if moving:
                rows.append((begin, size))
            elif size:
                most = max(most, begin + size)
        if rows and records > 0 and records not in (_STREAMED, (1 << 64) - 1):
            step = rows[0][1] if len(rows) == 1 else sum(size + (-size) % 4 for _, size in rows)
            most = max(most, *(begin + (records - 1) * step + size for begin, size in rows))
        return most
