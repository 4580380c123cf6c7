"""Optional packages that formats need."""

from __future__ import annotations

import importlib
import importlib.util
import re
from typing import Any

import numpy as np

from .._inner import files
from ..errors import UnsupportedError


def hdf(path: str) -> Any:
    """An HDF5 file, opened."""
    h5py = package("h5py", path)
    with files.reading(path):
        with files.opened(path):
            pass
        return h5py.File(path, "r")


def package(name: str, path: str, install: str | None = None) -> Any:
    """A module that a format needs; `install` is what its package is called where that is not its name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise _missing(path, install or name) from None
    except Exception as error:  # A package may ask for an older NumPy.
        raise UnsupportedError(
            f"{path} needs {install or name}, which fails when it is imported: {error}; with NumPy {np.__version__} it may be "
            "too old: give it an environment of its own"
        ) from None


def require(name: str, path: str, install: str) -> None:
    """Refuse a file whose package is not installed, before a process is started for it."""
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        found = None
    if found is None:
        raise _missing(path, install)


def _missing(path: str, install: str) -> UnsupportedError:
    quoted = f"'{install}'" if set(install) & set("<>[") else install
    return UnsupportedError(f"{path} needs {re.split('[<>=]', install)[0]}: pip install {quoted}")
