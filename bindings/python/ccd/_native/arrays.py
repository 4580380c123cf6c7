"""Conversion of arguments to the packed arrays that the C interface reads, without a copy where none is needed.

Any floating-point or integer dtype, byte order, stride and alignment is taken. The query is then the one of the doubles: what
no double can hold (a long double, an integer above 2**53) is rounded to the nearest one first.
"""

from __future__ import annotations

import contextlib
import ctypes
import operator
from collections.abc import Iterator, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ArgumentError, InvalidIndexError, NonFiniteError, shown

_Array, _DOUBLE = np.ndarray, np.dtype(np.float64)
_INT32 = np.iinfo(np.int32)
_INT64 = np.iinfo(np.int64)


def number(name: str, x: Any) -> float:
    """x as a double. Text is refused, even if it looks like a number; so are arrays of one number."""
    if type(x) is float:
        return x
    text = isinstance(x, (bool, str, bytes, bytearray))
    if not text and getattr(x, "ndim", 0) == 0 and getattr(getattr(x, "dtype", None), "kind", "f") in "fiu":
        with contextlib.suppress(TypeError, ValueError, RuntimeError, OverflowError):
            return float(x)
    raise ArgumentError(f"{name} is {shown(x)}: must be a number")


def within(name: str, x: Any, interval: str, said: str | None = None) -> float:
    """x as a double in an interval such as "(0, 1]". An error says the interval, or other words for it."""
    value = number(name, x)
    low, high = map(float, interval[1:-1].split(","))
    above, below = value >= low if interval[0] == "[" else value > low, value <= high if interval[-1] == "]" else value < high
    if not (above and below):
        raise ArgumentError(f"{name} is {value}: must be {said or f'in {interval}'}")
    return value


def integer(name: str, x: Any, low: int, high: int) -> int:
    """x as an integer in [low, high]."""
    try:
        value = operator.index(x)
    except TypeError:
        value = None
    if value is None or isinstance(x, bool):
        raise ArgumentError(f"{name} is {shown(x)}: must be an integer")
    if not low <= value <= high:
        raise ArgumentError(f"{name} is {value}: out of range")
    return value


def flag(name: str, x: Any) -> bool:
    """x as true or false. Arrays are refused, and text, which is nearly always true."""
    if isinstance(x, (bool, np.bool_)) or (isinstance(x, (int, np.integer)) and x in (0, 1)):
        return bool(x)
    raise ArgumentError(f"{name} is {shown(x)}: must be True or False")


def several(name: str, x: Any, what: str) -> Iterator[Any]:
    """The items of x, which may come one by one. Text is refused, and what has no items."""
    if not isinstance(x, (str, bytes)):
        with contextlib.suppress(TypeError):
            return iter(x)
    raise ArgumentError(f"{name} is {shown(x)}: must be a list of {what}")


def choice(name: str, x: Any, words: Sequence[str]) -> str:
    """x, if it is one of some words."""
    if isinstance(x, str) and x in words:
        return x
    raise ArgumentError(f"{name} is {shown(x)}: must be one of {', '.join(map(repr, words))}")


def in_range(name: str, x: NDArray[Any], count: int, what: str) -> None:
    """Raise for the first index that is not in [0, count)."""
    wrong = np.argwhere((x < 0) | (x >= count))
    if len(wrong):
        at = tuple(int(i) for i in wrong[0])
        place = "".join(f"[{i}]" for i in at)
        raise InvalidIndexError(f"{name}{place} is {int(x[at])}: out of range for {count} {what}")


def to_array(name: str, x: Any) -> NDArray[Any]:
    """x as an array, whatever its items are."""
    if x is None:
        raise ArgumentError(f"{name} is None: must be an array; pass one, or leave the argument out where it has a default")
    try:
        array = np.asarray(x)
    except (ValueError, TypeError, RuntimeError, BufferError, OverflowError) as error:
        raise ArgumentError(f"{name} is not an array: {_uneven(x) or error}") from None
    if np.ma.is_masked(x):
        raise ArgumentError(f"{name} is a masked array with masked elements; pass {name}.filled(value), or leave these out")
    return array


def _uneven(x: Any) -> str | None:
    """What is wrong with rows of different lengths; None if that is not it."""
    if not isinstance(x, (list, tuple)) or not all(hasattr(row, "__len__") for row in x):
        return None
    for i, row in enumerate(x):
        if len(row) != len(x[0]):
            return f"row 0 has {len(x[0])} items, row {i} has {len(row)}; give all rows one length"
    return None


def _numbers(name: str, x: Any, array: NDArray[Any]) -> str:
    """What an array without numbers is, and what to do."""
    if array.dtype.kind == "O" and not array.ndim:
        return f"{name} is {type(x).__name__}: must be an array of numbers{_array_of(name, x)}"
    if hasattr(x, "columns") and hasattr(x, "dtypes"):  # a table of pandas, of which one column makes all objects
        return (
            f"{name} is a table, {_table_column(x)}: must be numbers; pass {name}[[...]].to_numpy(float) of its columns x, y, z"
        )
    remedy = {"U": f"; np.asarray({name}, float) reads numbers from text", "O": f"; {name}.astype(float) if all are numbers"}
    remedy["S"] = remedy["U"]
    if array.dtype.names:
        remedy["V"] = f"; np.stack([{name}[c] for c in {name}.dtype.names], -1) has its fields as columns"
    return f"{name} has dtype {array.dtype}: must be floating-point or integer{remedy.get(array.dtype.kind, '')}"


def _table_column(table: Any) -> str:
    """The first column of a table that is no column of numbers."""
    for column, kind in zip(table.columns, table.dtypes):
        if getattr(kind, "kind", "O") not in "fiu":
            return f"column {column!r} of type {kind}"
        if table[column].isna().any():
            return f"column {column!r} with a missing value"
    return "of objects"


def _array_of(name: str, x: Any) -> str:
    """What of an object is the array that was probably meant."""
    if hasattr(x, "toarray"):  # sparse
        return f"; pass {name}.toarray()"
    found = next((one for one in ("vertices", "points") if hasattr(x, one)), None)
    if found is None and isinstance(x, (Iterator, Set)):  # a generator, map or zip
        return f"; pass np.array(list({name}))"
    return f"; pass {name}.{found}" if found else ""


def doubles(name: str, x: ArrayLike) -> NDArray[np.float64]:
    """x as packed doubles."""
    if type(x) is np.ndarray and x.dtype is _DOUBLE and x.flags.c_contiguous and x.flags.aligned:
        return x  # the common case, in a tenth of the time of what follows
    array = to_array(name, x)
    if array.dtype.kind not in "fiu":
        raise ArgumentError(_numbers(name, x, array))
    with np.errstate(over="ignore"):  # a long double beyond the doubles becomes inf, which the library reports by index
        return np.require(array, np.float64, ("C", "A"))


_byref: Any = ctypes.byref
_of_buffer: Any = ctypes.c_char.from_buffer


def pointer(array: NDArray[Any]) -> Any:
    """The memory of packed doubles as an argument of a C function, which keeps the array alive.

    This takes a quarter of the time of the array's `.ctypes`, which is for arrays that are empty or cannot be written.
    """
    try:
        return _byref(_of_buffer(array))
    except (TypeError, ValueError):
        return array.ctypes


def finite(name: str, array: NDArray[np.float64]) -> NDArray[np.float64]:
    """The array, if all it holds are coordinates that the library takes: for what is computed in Python."""
    wrong = ~(np.abs(array) <= 1e150)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = "".join(f"[{i}]" for i in at)
        raise NonFiniteError(f"{name}{place} is {array[at]}: not finite or above 1e150 in magnitude")
    return array


def frame(name: str, x: ArrayLike, count: int) -> NDArray[np.float64]:
    """x as count x 3 finite doubles."""
    array = finite(name, coordinates(name, x))
    if len(array) != count:
        raise ArgumentError(f"{name} has {len(array)} rows: must have {count}")
    return array


def lengths(name: str, x: ArrayLike, count: int) -> NDArray[np.float64]:
    """x as packed doubles along one axis; one number stands for count of them."""
    array = doubles(name, x)
    return np.full(count, float(array)) if array.ndim == 0 else row(name, array)


def per_vertex(name: str, array: NDArray[Any], count: int) -> NDArray[Any]:
    """The array, if it has one item for each of count vertices."""
    if len(array) != count:
        raise ArgumentError(f"{name} has {len(array)} items: must have one for each of the {count} vertices of the mesh")
    return array


def row(name: str, x: ArrayLike) -> NDArray[np.float64]:
    """x as packed doubles along one axis."""
    array = doubles(name, x)
    if array.ndim != 1:
        raise ArgumentError(f"{name} has shape {array.shape}: must be (n,)")
    return array


def booleans(name: str, x: ArrayLike) -> NDArray[np.bool_]:
    """x as true or false, (n,)."""
    return mask(name, x).astype(bool)


def records(name: str, x: Any, dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """x, if it is an array of such records."""
    array = to_array(name, x)
    if array.dtype != dtype or array.ndim != 1:
        shown = "other records" if array.dtype.names else str(array.dtype)
        wanted = f"(n,) records with the fields {', '.join(dtype.names or ())}"
        raise ArgumentError(f"{name} is an array of {shown}, of shape {array.shape}: must be {wanted}")
    return array


def coordinates(name: str, x: ArrayLike) -> NDArray[np.float64]:
    """x as n x 3 packed doubles."""
    if type(x) is _Array and x.dtype is _DOUBLE and x.flags.carray and x.ndim == 2 and x.shape[1] == 3:
        return x  # the common case
    array = doubles(name, x)
    if array.ndim == 2 and array.shape[1] == 3:
        return array
    if array.ndim in (1, 2) and len(array) == 0:
        return array.reshape(0, 3)
    raise ArgumentError(f"{name} has shape {array.shape}: must be (n, 3){_remedy(name, array.shape)}")


def worlds(name: str, x: ArrayLike, vertices: int) -> NDArray[np.float64]:
    """x as k x vertices x 3 packed doubles."""
    array = doubles(name, x)
    if array.ndim == 3 and array.shape[1:] == (vertices, 3):
        return array
    one = f"; pass {name}[None] for one world, np.broadcast_to({name}, (k, {vertices}, 3)) for the same in all"
    one = one if array.shape == (vertices, 3) else ""
    raise ArgumentError(f"{name} has shape {array.shape}: must be (k, {vertices}, 3), for k worlds{one}")


def _remedy(name: str, shape: tuple[int, ...]) -> str:
    """What makes (n, 3) of the usual other shapes of coordinates."""
    if len(shape) == 1 and shape[0] % 3 == 0:
        return f"; pass {name}.reshape(-1, 3)"
    if len(shape) == 3 and shape[2] == 3 and name in ("x0", "x1"):
        return "; for many worlds of one mesh call ccd.step.earliest_batch or advance_batch"
    if len(shape) != 2:
        return ""
    remedies = []
    if shape[1] == 2:
        remedies.append("in the plane, add a column of zeros")
    if shape[1] == 4:
        remedies.append(f"pass {name}[:, :3] if the rows are homogeneous coordinates")
    if shape[0] == 3:
        remedies.append(f"pass {name}.T" + (" if the rows are x, y and z" if remedies else ""))
    return "".join(f"; {remedy}" for remedy in remedies)


def queries(name: str, q: ArrayLike, points: int) -> tuple[NDArray[np.float64], bool]:
    """q as n x (6 * points) packed doubles, and whether it was one bare query."""
    array = doubles(name, q)
    length = 6 * points
    shape = array.shape
    if shape in ((length,), (2 * points, 3)):
        return array.reshape(1, length), True
    if shape[1:] in ((length,), (2 * points, 3)):
        return array.reshape(shape[0], length), False
    if shape == (0,):
        return array.reshape(0, length), False
    one = f"({length},) or ({2 * points}, 3)"
    many = f"(n, {length}) or (n, {2 * points}, 3)"
    raise ArgumentError(f"{name} has shape {shape}: must be {one}, or {many} for a batch")


def _whole(name: str, x: ArrayLike) -> NDArray[Any]:
    array = to_array(name, x)
    if array.dtype.kind == "O" and not array.ndim:
        raise ArgumentError(f"{name} is {type(array.item()).__name__}: must be an array of integers{_array_of(name, x)}")
    if array.dtype.kind not in "iu" and array.size:
        remedy = "; np.flatnonzero gives the indices of a mask" if array.dtype.kind == "b" else whole_numbers(name, array)
        if array.dtype.kind in "US":
            names = f"; np.unique({name}, return_inverse=True)[1] numbers names"
            remedy = names if array.ndim else "; ccd.read(path) reads a file"
        raise ArgumentError(f"{name} has dtype {array.dtype}: must be an integer type{remedy}")
    return array


def whole_numbers(name: str, array: NDArray[Any]) -> str:
    """What to do with indices that are whole numbers of a floating-point type; else ""."""
    if array.dtype.kind == "f" and (array >= 0).all() and (array == np.floor(array)).all():
        return f", as of {name}.astype(int)"
    return ""


def _narrow(name: str, array: NDArray[Any], dtype: Any, limits: Any) -> NDArray[Any]:
    """array in the C interface's type; an index that does not fit is an error, never wrapped around."""
    if array.size and not np.can_cast(array.dtype, dtype):
        outside = (array > limits.max) | (array < limits.min)
        if outside.any():
            at = tuple(int(i) for i in np.argwhere(outside)[0])
            place = "".join(f"[{i}]" for i in at)
            raise InvalidIndexError(f"{name}{place} is {int(array[at])}: out of range")
    return np.require(array, dtype, ("C", "A"))


def _columns(name: str, array: NDArray[Any], columns: int) -> NDArray[Any]:
    if array.ndim in (1, 2) and len(array) == 0:
        return array.reshape(0, columns)
    if array.ndim != 2 or array.shape[1] != columns:
        quads = f"; split quadrilaterals: np.vstack([{name}[:, [0, 1, 2]], {name}[:, [0, 2, 3]]])"
        quads += "; tetrahedra go to ccd.volume.Volume"
        remedy = quads if columns == 3 and array.ndim == 2 and array.shape[1] == 4 else ""
        raise ArgumentError(f"{name} has shape {array.shape}: must be (n, {columns}){remedy}")
    return array


def primitives(name: str, x: ArrayLike, columns: int) -> NDArray[np.int32]:
    """x as n x columns vertex indices."""
    return _narrow(name, _columns(name, _whole(name, x), columns), np.int32, _INT32)


def pairs(name: str, x: ArrayLike) -> NDArray[np.int64]:
    """x as n x 2 primitive indices."""
    return _narrow(name, _columns(name, _whole(name, x), 2), np.int64, _INT64)


def ids(name: str, x: ArrayLike) -> NDArray[np.int32]:
    """x as one id per vertex."""
    array = _whole(name, x)
    if array.ndim != 1:
        raise ArgumentError(f"{name} has shape {array.shape}: must be (n,)")
    return _narrow(name, array, np.int32, _INT32)


def indices(name: str, x: ArrayLike) -> NDArray[np.int64]:
    """x as integers of any shape."""
    return _narrow(name, _whole(name, x), np.int64, _INT64)


def mask(name: str, x: ArrayLike) -> NDArray[np.uint8]:
    """x as one byte per vertex, 0 or 1."""
    array = to_array(name, x)
    if array.dtype.kind not in "biu" and array.size:
        remedy = f"; pass {name} != 0 if the numbers are 0 and 1" if array.dtype.kind == "f" else ""
        raise ArgumentError(f"{name} has dtype {array.dtype}: must be bool{remedy}")
    if array.ndim != 1:
        raise ArgumentError(f"{name} has shape {array.shape}: must be (n,)")
    wrong = np.flatnonzero((array != 0) & (array != 1))
    if len(wrong):
        remedy = f"; for indices pass np.isin(np.arange(n), {name}), with n vertices"
        raise ArgumentError(f"{name}[{wrong[0]}] is {array[wrong[0]]}: must be true or false, one for each vertex{remedy}")
    return np.require(array != 0, np.uint8, ("C", "A"))
