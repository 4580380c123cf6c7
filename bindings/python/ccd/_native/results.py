"""What calls return: records behind a handle, fetched into NumPy's structured arrays, which pandas takes for a table."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..impact import Impact, constraint_dtype, impact_dtype, interval_dtype
from . import abi, arrays
from .call import Arguments, Call, check
from .records import Records, flat, item_dtype


def columns(records: NDArray[np.void]) -> dict[str, NDArray[Any]]:
    """Return the columns of an array of records, each with one number a row.

    pandas, polars and pyarrow make a table of them. A field of several numbers becomes as many columns: point_x, point_y,
    point_z; vertices_0, vertices_1.

    Parameters
    ----------
    records : numpy.ndarray
        Records (n,) of any dtype of this package.

    Returns
    -------
    dict of str to numpy.ndarray
        Views (n,) of the records' memory by name, without the padding.

    Raises
    ------
    ArgumentError
        `records` is no array of records of one axis.

    See Also
    --------
    to_pandas : The same as a table of pandas.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> columns = ccd.columns(ccd.pair.point_point(np.zeros((2, 12))))
    >>> columns["point_x"].tolist()
    [0.0, 0.0]
    """
    array = arrays.to_array("records", records)
    if array.dtype.names is None or array.ndim != 1:
        raise ArgumentError(f"records has dtype {array.dtype} and shape {array.shape}: must be (n,) records")
    table = array.view(np.ndarray).view(flat(array.dtype))
    return {name: table[name] for name in table.dtype.names or ()}


def to_pandas(records: NDArray[np.void]) -> Any:
    """Return an array of records as a table of pandas.

    Parameters
    ----------
    records : numpy.ndarray
        Records (n,) of any dtype of this package.

    Returns
    -------
    pandas.DataFrame
        Table of n rows with the columns of `ccd.columns`; a copy.

    Raises
    ------
    ArgumentError
        `records` is no array of records of one axis.
    ImportError
        The package pandas is not installed.

    See Also
    --------
    columns : Without pandas.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> hits = ccd.pair.point_point(np.zeros((2, 12)))
    >>> ccd.to_pandas(hits)[["toi_lo", "point_x"]]
       toi_lo  point_x
    0     0.0      0.0
    1     0.0      0.0
    """
    found = columns(records)
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas; ccd.columns does without") from error
    return pandas.DataFrame(found)


# ---- results of calls


def impact(call: Call, function: Callable[..., int], *arguments: Any) -> Impact:
    """The impact that a function writes."""
    out = abi.Impact()
    call(function, *arguments, ctypes.byref(out))
    return Impact._from_c(out)


def impacts_of(impacts: Any) -> NDArray[np.void]:
    """Impacts as an array: those of an array, or one `Impact`."""
    if isinstance(impacts, Impact):
        one = np.zeros(1, impact_dtype)
        one[0]["verdict"], one[0]["kind"], one[0]["a"], one[0]["b"] = impacts.verdict, impacts.kind or 0, impacts.a, impacts.b
        return one
    return np.require(arrays.records("impacts", impacts, impact_dtype), None, ("C", "A"))


def alpha(call: Call, function: Callable[..., int], *arguments: Any) -> float:
    """The step size that a function writes."""
    out = ctypes.c_double()
    call(function, *arguments, ctypes.byref(out))
    return out.value


def advanced(call: Call, function: Callable[..., int], step: Arguments, share: object) -> tuple[float, NDArray[np.float64]]:
    """The step size that a function writes, and the positions of as many vertices as the step has."""
    part = arrays.number("share", share)
    out, x = ctypes.c_double(), np.empty((step[-1], 3))
    call(function, *step, part, call.options, ctypes.byref(out), x.ctypes)
    return out.value, x


def impacts(call: Call, function: Callable[..., int], *arguments: Any) -> NDArray[np.void]:
    """The impacts behind the handle that a function makes."""
    return listed("impacts", impact_dtype, call, function, arguments)


def intervals(call: Call, function: Callable[..., int], *arguments: Any) -> NDArray[np.void]:
    """The intervals behind the handle that a function makes."""
    return listed("intervals", interval_dtype, call, function, arguments)


def constraints(call: Call, function: Callable[..., int], *arguments: Any) -> NDArray[np.void]:
    """The constraints behind the handle that a function makes."""
    return listed("constraints", constraint_dtype, call, function, arguments)


def listed(
    noun: str, dtype: np.dtype[np.void], call: Call, function: Callable[..., int], arguments: Arguments
) -> NDArray[np.void]:
    """The records behind the handle of a ccd_{noun} that a function makes."""
    handle, count = ctypes.c_void_p(), ctypes.c_size_t()
    length, copy, destroy = _of_list(noun)
    size = ctypes.byref(count)
    call(function, *arguments, ctypes.byref(handle))
    try:
        check(length(handle, size))
        n = count.value
        found = Records(n, item_dtype(dtype))
        if n:
            check(copy(handle, arrays.pointer(found), n, size))
        return found
    finally:
        destroy(handle)


@functools.cache
def _of_list(noun: str) -> tuple[Callable[..., int], ...]:
    """The functions of a ccd_{noun}: count, copy, destroy."""
    lib = abi.library()
    return tuple(getattr(lib, f"ccd_{noun}_{verb}") for verb in ("count", "copy", "destroy"))
