"""Optional packages that formats need."""

from __future__ import annotations

import importlib
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
        said = install or name
        quoted = f"'{said}'" if set(said) & set("<>[") else said
        raise UnsupportedError(f"{path} needs {re.split('[<>=]', said)[0]}: pip install {quoted}") from None
    except Exception as error:  # A package may ask for an older NumPy.
        raise UnsupportedError(
            f"{path} needs {install or name}, which fails when it is imported: {error}; with NumPy {np.__version__} it may be "
            "too old: give it an environment of its own"
        ) from None
