"""Arrays of records as callers get them: NumPy's structured arrays, which pandas takes for a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError


class Records(np.ndarray[Any, Any]):
    """A structured array. A field of it is a plain array, and pandas.DataFrame(records) has a column for every number.

    pandas refuses a structured array with a field of several numbers, as a point. It takes the data by numpy.ma.getdata, which
    asks for `_data`: here the same memory with a name for each number, point_x, point_y, point_z.
    """

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found.view(np.ndarray) if isinstance(found, Records) and found.dtype.names is None else found

    @property
    def _data(self) -> NDArray[np.void]:
        return self.view(np.ndarray).view(_flat(self.dtype))


def columns(records: NDArray[np.void]) -> dict[str, NDArray[Any]]:
    """The columns of an array of records by name, each of one number a row: what pandas, polars and pyarrow make a table of.

    A field of several numbers becomes as many columns: point_x, point_y, point_z; vertices_0, vertices_1. They are views.
    """
    array = np.asarray(records)
    if array.dtype.names is None or array.ndim != 1:
        raise ArgumentError(f"records has dtype {array.dtype} and shape {array.shape}: must be (n,) records")
    flat = array.view(_flat(array.dtype))
    return {name: flat[name] for name in flat.dtype.names or ()}


def _flat(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout, every field of which is one number; padding, called reserved, is left out."""
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
