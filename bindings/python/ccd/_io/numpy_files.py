"""Arrays from NumPy's files, .npy and .npz: what a file declares is checked before memory is taken for it.

A small file can declare large arrays: compressed zeros take a thousandth, and the header of an array may say anything. So

1. an array has the bytes that its header declares, neither fewer nor more, and they are in the file, or in its member of an
   archive;
2. the members of an archive declare at most `most(size)` bytes together;
3. types are numbers, truth values and text, which take more than no byte. Python objects and records are not read.

NumPy's own reader passes headers to Python's parser, which raises errors of many kinds, so headers are read here.
"""

from __future__ import annotations

import io
import math
import os
import re
import zipfile
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .. import errors
from .checks import reading
from .regular import opened

# An array is copied at most three times where it is read, checked and converted, so 20 times the size of a file keep the
# 80 bytes of memory for each byte of it that docs/limits.md promises. Coordinates seldom compress to less than a tenth.
_RATIO = 20
_FREE = 16 << 20  # what a small file may declare all the same, in bytes: results of a million queries without a contact
_HEADER = 10_000  # bytes of a header: NumPy's limit for those that it does not trust
_DIMENSIONS = 32
_LARGEST = 2**31 - 1  # bound of one dimension of an array without items
_CHUNK = 1 << 20

_ITEM = re.compile(
    r"""\s*(['"])(?P<key>\w+)\1\s*:\s*(?:
        (['"])(?P<text>[^'"]*)\3 | (?P<flag>True|False) | \((?P<shape>[\d\sL,]*)\) | (?P<records>\[.*)
    )\s*(?:,|$)""",
    re.VERBOSE,
)
_TYPE = re.compile(r"[<>|=]?([a-zA-Z?])([0-9]{0,9})")
_KINDS = "biufcSU?"


def most(size: int) -> int:
    """The bytes that the arrays in a file of this size may declare."""
    return max(_RATIO * size, _FREE)


@dataclass(frozen=True)
class Header:
    """What the header of an array declares; begin is where its items are."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: Any
    begin: int

    @property
    def nbytes(self) -> int:
        """Bytes of all items."""
        return math.prod(self.shape) * self.dtype.itemsize


def load(path: str) -> NDArray[Any]:
    """The array in a .npy file."""
    with reading(path), opened(path) as file:
        header = _whole(path, file)
        return _items(path, file, header)


def header(path: str) -> Header:
    """What a .npy file declares, which is checked against its size."""
    with reading(path), opened(path) as file:
        return _whole(path, file)


def mapped(path: str) -> NDArray[Any]:
    """The array in a .npy file, mapped: its items are read where they are used."""
    with reading(path), opened(path) as file:
        found = _whole(path, file)
        if not found.nbytes:
            return np.empty(found.shape, found.dtype)
        return np.memmap(file, found.dtype, "r", found.begin, found.shape, found.order)


def archive(path: str) -> dict[str, NDArray[Any]]:
    """The arrays in a .npz file, by name."""
    return _archive(path, None)


def member(path: str, name: str) -> NDArray[Any]:
    """One array of a .npz file; the others are not read."""
    return _archive(path, name)[name]


def packed(arrays: dict[str, Any]) -> bytes:
    """The content of an archive, compressed where it can be read nevertheless."""
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    with zipfile.ZipFile(content) as held:
        declared = sum(info.file_size for info in held.infolist())
    if declared > most(content.getbuffer().nbytes):
        content = io.BytesIO()
        np.savez(content, **arrays)
    return content.getvalue()


def _archive(path: str, only: str | None) -> dict[str, NDArray[Any]]:
    with reading(path), opened(path) as file:
        begin = file.read(6)
        if begin.startswith(b"\x93NUMPY"):
            raise errors.FileError(f"{path} holds one array: must be an archive of several (.npz)")
        if not begin.startswith(b"PK"):
            raise errors.FileError(f"{path} is no archive of arrays (.npz)")
        with zipfile.ZipFile(file) as held:
            wanted = [i for i in _members(path, held, os.fstat(file.fileno()).st_size) if only in (None, i.filename[:-4])]
            if only is not None and not wanted:
                raise errors.FileError(f"{path} has no array {only!r}")
            return {info.filename[:-4]: _member(path, held, info) for info in wanted}


def _members(path: str, held: zipfile.ZipFile, size: int) -> list[zipfile.ZipInfo]:
    """The members of an archive, none of which is inflated yet."""
    found, names = held.infolist(), set()
    for info in found:
        if not info.filename.endswith(".npy"):
            raise errors.FileError(f"{path} has {errors.shown(info.filename)}, which is no array (.npy)")
        if info.filename in names:
            raise errors.FileError(f"{path} has {errors.shown(info.filename[:-4])} twice")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            name, method = info.filename[:-4], info.compress_type
            raise errors.FileError(f"{path}: {name} is compressed by method {method}: only deflate is read")
        names.add(info.filename)
    total = sum(info.file_size for info in found)
    if total > most(size):
        raise errors.FileError(
            f"{path} has {size:,} bytes and declares arrays of {total:,}: at most {_RATIO} times its size, or {_FREE:,}, are "
            "read; save them without compression"
        )
    return found


def _member(path: str, held: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    where = f"{path}: {info.filename[:-4]}"
    with held.open(info) as file:
        return _items(where, file, _checked(where, _header(where, file), info.file_size))


def _whole(path: str, file: BinaryIO) -> Header:
    return _checked(path, _header(path, file), os.fstat(file.fileno()).st_size)


def _checked(where: str, found: Header, size: int) -> Header:
    """The header, if its array has the bytes that follow it."""
    if found.nbytes != size - found.begin:
        declared, follow = f"{found.nbytes:,}", f"{size - found.begin:,}"
        raise errors.FileError(f"{where}: its header declares {declared} bytes of items, and {follow} follow it")
    return found


def _header(where: str, file: Any) -> Header:
    """Read the header of an array: a dictionary of `descr`, `fortran_order` and `shape` in Python's notation."""
    begin = file.read(8)
    if begin[:2] == b"PK":
        raise errors.FileError(f"{where} is an archive of arrays (.npz): must be one array (.npy)")
    if begin[:6] != b"\x93NUMPY":
        raise errors.FileError(f"{where} is no array of NumPy (.npy)")
    width = {(1, 0): 2, (2, 0): 4, (3, 0): 4}.get(tuple(begin[6:]))
    if width is None:
        raise errors.FileError(f"{where}: its version {'.'.join(map(str, begin[6:]))} of the format is unknown")
    length = int.from_bytes(file.read(width), "little")
    if length > _HEADER:
        raise errors.FileError(f"{where}: its header has {length:,} bytes: at most {_HEADER:,} are read")
    text = file.read(length)
    if len(text) != length:
        raise errors.FileError(f"{where} ends within its header")
    dtype, fortran, shape = _parsed(where, text.decode("latin1"))
    return Header(dtype, shape, "F" if fortran else "C", 8 + width + length)


def _parsed(where: str, text: str) -> tuple[np.dtype[Any], bool, tuple[int, ...]]:
    text = text.strip()
    found: dict[str, re.Match[str]] = {}
    if text.startswith("{") and text.endswith("}"):
        inner, at = text[1:-1].rstrip(), 0
        while at < len(inner):
            item = _ITEM.match(inner, at)
            if item is None:
                break
            if item["records"]:
                raise errors.FileError(f"{where} holds records: must hold numbers, truth values or text")
            found[item["key"]], at = item, item.end()
        if at >= len(inner) and found.keys() == {"descr", "fortran_order", "shape"}:
            descr, fortran, shape = found["descr"]["text"], found["fortran_order"]["flag"], found["shape"]["shape"]
            if None not in (descr, fortran, shape):
                return _dtype(where, descr), fortran == "True", _shape(where, shape)
    raise errors.FileError(f"{where}: its header is no dictionary of descr, fortran_order and shape")


def _dtype(where: str, text: str) -> np.dtype[Any]:
    item = _TYPE.fullmatch(text)
    if item is not None and item[1] == "O":
        raise errors.FileError(f"{where} holds Python objects, which are not read: save numbers")
    try:
        found = np.dtype(text) if item is not None and item[1] in _KINDS else None
    except (TypeError, ValueError):
        found = None
    if found is None or found.itemsize == 0:
        raise errors.FileError(f"{where} has items of the type {errors.shown(text)}: must be numbers, truth values or text")
    return found


def _shape(where: str, text: str) -> tuple[int, ...]:
    words = [word.strip().removesuffix("L") for word in text.split(",")]
    if words[-1] == "":
        words.pop()
    if not all(word.isdecimal() and len(word) <= 19 for word in words) or len(words) > _DIMENSIONS:
        given = errors.shown(f"({text})")
        raise errors.FileError(f"{where} has the shape {given}: must be at most {_DIMENSIONS} integers of 19 digits")
    shape = tuple(map(int, words))
    if 0 in shape and max(shape) > _LARGEST:
        raise errors.FileError(f"{where} has the shape {shape}: an array without items has at most {_LARGEST} rows")
    return shape


def _items(where: str, file: Any, found: Header) -> NDArray[Any]:
    """Read the items, in portions: no more is held than the array."""
    out, done = np.empty(found.nbytes, np.uint8), 0
    while done < len(out):
        chunk = file.read(min(len(out) - done, _CHUNK))
        if not chunk:
            raise errors.FileError(f"{where} ends after {done:,} of {len(out):,} bytes of items")
        out[done : done + len(chunk)] = np.frombuffer(chunk, np.uint8)
        done += len(chunk)
    if file.read(1):  # reading to the end of a member compares its checksum
        raise errors.FileError(f"{where} goes on after its items")
    if found.dtype.kind == "b":
        out = out != 0
    items: NDArray[Any] = out.view(found.dtype)
    return np.reshape(items, found.shape, order=found.order)
