"""Optional packages that formats need."""

from __future__ import annotations

import importlib
from typing import Any

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
    """A module that a format needs; `install` is what pip calls its package, if not by that name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        wanted = install or name
        raise UnsupportedError(f"{path} needs {wanted}: pip install {wanted}") from None
