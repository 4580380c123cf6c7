"""Arrays of records as calls return them: fields as plain arrays, items with attributes as the result of one query has."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MEANT, did_you_mean

_CLASSES: dict[np.dtype[np.void], Any] = {}
_KIND: list[Callable[[int], Any]] = []


_OF_SOME: set[str] = set()


def items_may_have(names: Iterable[str]) -> None:
    """Have items the attributes that results have without their class showing it."""
    _OF_SOME.update(names)


def kinds_are(kind: Callable[[int], Any]) -> None:
    """Have items' field `kind` read by a function."""
    _KIND.append(kind)


def items_are(dtype: np.dtype[np.void], kind: Any) -> None:
    """Have the items of arrays of a dtype the attributes of a class, which has `from_record`."""
    _CLASSES[dtype] = kind


class Record(np.void):  # type: ignore[misc]  # NumPy lets dtypes have such items, as its own record
    """One item of an array of records: its fields by name, ``h["toi_lo"]``, and the attributes of one result, ``h.toi_lo``.

    A field is NumPy's number, and can be assigned. An attribute is what the class of one result has, in plain types; a record
    that holds an impact has the attributes of it too.
    """

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_"):
            dtype = super().__getattribute__("dtype")
            if name in (dtype.names or ()):  # before NumPy's own attributes, as flags
                kind = _CLASSES.get(dtype)
                return _plain(name, self[name]) if kind is None else getattr(kind.from_record(self), name)
            if name == "flags" and "impact" in (dtype.names or ()):
                return _plain("impact", self["impact"]).flags
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            kind = _CLASSES.get(self.dtype)
            if kind is not None and (hasattr(kind, name) or name in _OF_SOME):
                return getattr(kind.from_record(self), name)
            if "impact" in (self.dtype.names or ()):
                return getattr(_plain("impact", self["impact"]), name)
        raise AttributeError(f"{name}: this record has {', '.join(self.dtype.names or ())}")

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{name}={self[name]!r}' for name in self.dtype.names or ())})"


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, np.void):
        kind = _CLASSES.get(value.dtype)
        return value if kind is None else kind.from_record(value)
    found = value.tolist()
    if name == "kind":
        return _KIND[0](found)
    return tuple(found) if isinstance(found, list) else found


@functools.cache
def item_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout, of items with attributes. The two are equal."""
    return np.dtype((Record, dtype))


class Records(np.ndarray[Any, Any]):
    """A structured array. A field of it is a plain array, an item a `Record`; pandas.DataFrame(records) has a column a number.

    pandas refuses a structured array with a field of several numbers, as a point. It takes the data by numpy.ma.getdata, which
    reads `_data`: here the same memory with a name for each number, point_x, point_y, point_z.
    """

    def __array_finalize__(self, _: Any) -> None:
        if self.dtype.type is np.void and self.dtype.names is not None:
            self.dtype = item_dtype(self.dtype)  # type: ignore[misc]  # as NumPy's recarray does

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found.view(np.ndarray) if isinstance(found, Records) and found.dtype.names is None else found

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and self.dtype.names is not None:
            if name in self.dtype.names:
                raise AttributeError(
                    f"an array of records has fields, no attributes: write records[{name!r}], or records[0].{name}"
                )
            meant = MEANT.get(name)
            names = [*self.dtype.names, *dir(type(self))]
            close = f"; did you mean {meant}?" if meant in self.dtype.names else did_you_mean(name, names)
            raise AttributeError(f"an array of records has no attribute {name!r}{close}; fields: {', '.join(self.dtype.names)}")
        raise AttributeError(name)

    @property
    def _data(self) -> NDArray[np.void]:
        return self.view(np.ndarray).view(flat(self.dtype))


@functools.cache
def flat(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout with one number a field, without the padding, which is called reserved."""
    names: list[str] = []
    kinds: list[np.dtype[Any]] = []
    places: list[int] = []

    def add(name: str, kind: np.dtype[Any], at: int) -> None:
        base, shape = kind.subdtype or (kind, ())
        if base.names is not None and not shape:
            for inner in base.names:
                of, place = base.fields[inner][:2]  # type: ignore[index]  # names go with fields
                add(f"{name}_{inner}" if name else inner, of, at + place)
        elif shape:
            ends = "xyz" if shape == (3,) and base.kind == "f" else range(int(np.prod(shape)))
            for i, end in enumerate(ends):
                add(f"{name}_{end}", base, at + i * base.itemsize)
        elif name.rpartition("_")[2] != "reserved":
            names.append(name)
            kinds.append(kind)
            places.append(at)

    add("", dtype, 0)
    return np.dtype({"names": names, "formats": kinds, "offsets": places, "itemsize": dtype.itemsize})
