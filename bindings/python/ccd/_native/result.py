"""One result as a class of named fields: made from a struct of the C interface, or from a record with the same layout."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..errors import ArgumentError
from .records import items_are

if TYPE_CHECKING:
    from typing_extensions import Self

_LETTERS = {"<i4": "i", "<u4": "I", "<i8": "q", "<f8": "d"}


def of_type(record: Any, dtype: np.dtype[np.void]) -> None:
    """Check that a record is one element of an array of a dtype."""
    if getattr(record, "dtype", None) != dtype or np.ndim(record):
        raise ArgumentError(f"record is {type(record).__name__}: must be one element of an array of this kind of records")


class Flag(property):
    """A property that reports whether the field `flags` has a bit."""

    def __init__(self, bit: int, doc: str) -> None:
        def flagged(result: Any) -> bool:
            return bool(result.flags & bit)

        flagged.__doc__ = doc  # A property of a subclass takes its text from there; one that is given stays hidden.
        super().__init__(flagged)

    if TYPE_CHECKING:

        def __get__(self, result: Any, owner: type | None = None) -> bool: ...  # type: ignore[override]


class Result:
    """A frozen dataclass whose fields are those of a dtype, in its order, but for padding that is called reserved.

    The class says how the numbers of some fields are read, by name: ``as_results`` of a nested record, an enumeration of a
    code. `_also` names properties that `as_dict` has beside the fields. A struct is read in one call, which takes a quarter of
    the time of its fields one by one.
    """

    _dtype: ClassVar[np.dtype[np.void]]
    _unpack: ClassVar[Callable[[Any], tuple[Any, ...]]]
    _pick: ClassVar[Callable[[tuple[Any, ...]], tuple[Any, ...]]]
    _read: ClassVar[list[tuple[int, Callable[[Any], Any]]]]
    _also: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, dtype: np.dtype[np.void] | None = None, read: Mapping[str, Any] | None = None) -> None:
        super().__init_subclass__()
        if dtype is None:
            return
        places, names = _places(dtype), [name for name in dtype.names or () if name != "reserved"]
        unpack = struct.Struct(_format(dtype))
        assert unpack.size == dtype.itemsize
        given = {name: kind._numbers if isinstance(kind, type) and issubclass(kind, Result) else kind
                 for name, kind in (read or {}).items()}  # fmt: skip
        cls._dtype, cls._unpack, cls._pick = dtype, unpack.unpack, operator.itemgetter(*(places[name] for name in names))
        cls._read = [(i, given[name]) for i, name in enumerate(names) if name in given]
        items_are(dtype, cls)

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """Return the result in one element of an array of these records.

        Parameters
        ----------
        record : numpy.void
            One element of the array.

        Returns
        -------
        object
            The same values in plain types.

        Raises
        ------
        ArgumentError
            `record` is no element of such an array.
        """
        of_type(record, cls._dtype)
        return cls._numbers(cls._unpack(record.tobytes()))

    @classmethod
    def _of(cls, out: Any) -> Self:
        """The result in a struct of C."""
        return cls._numbers(cls._unpack(out))

    @classmethod
    def _numbers(cls, numbers: tuple[Any, ...]) -> Self:
        """The result with these numbers: those of the struct, one after the other."""
        values = cls._pick(numbers)
        if cls._read:
            several = list(values)
            for i, kind in cls._read:
                several[i] = kind(several[i])
            return cls(*several)
        return cls(*values)

    def as_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
            The fields, with lists for vectors, names for codes, None for an infinite number, and what the properties of the
            class add.
        """
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]  # every result is a dataclass
        return {name: _plain(getattr(self, name)) for name in (*names, *self._also)}


def _plain(x: Any) -> Any:
    if isinstance(x, Result):
        return x.as_dict()
    if isinstance(x, tuple):
        return [_plain(y) for y in x]
    if isinstance(x, IntEnum):
        return str(x)
    return None if isinstance(x, float) and not math.isfinite(x) else x


def _kinds(dtype: np.dtype[Any]) -> list[tuple[str, np.dtype[Any], int]]:
    """Name, dtype and count of each field."""
    found = []
    for name in dtype.names or ():
        kind = dtype[name]
        base, shape = kind.subdtype or (kind, ())
        found.append((name, base, int(np.prod(shape, dtype=int))))
    return found


def _format(dtype: np.dtype[Any]) -> str:
    """The format of package struct that reads the numbers of a dtype."""
    return "".join(
        _format(base) * count if base.names is not None else f"{count}{_LETTERS[base.newbyteorder('<').str]}"
        for _, base, count in _kinds(dtype)
    )


def _length(dtype: np.dtype[Any]) -> int:
    return sum(count * (1 if base.names is None else _length(base)) for _, base, count in _kinds(dtype))


def _places(dtype: np.dtype[Any]) -> dict[str, int | slice]:
    """Where the numbers of each field are among all: one, or several."""
    places: dict[str, int | slice] = {}
    at = 0
    for name, base, count in _kinds(dtype):
        size = count * (1 if base.names is None else _length(base))
        places[name] = at if dtype[name] == base and base.names is None else slice(at, at + size)
        at += size
    return places
