"""The C interface: the search for the shared library, and its declarations (declarations.py, generated from include/ccd.h).

Nothing is loaded before the first call of `library()`: `import ccd` starts no Go runtime, so a program may still fork.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from pathlib import Path

from ..errors import LibraryError
from .declarations import *  # noqa: F403
from .declarations import PROTOTYPES, VERSION


def _names() -> tuple[str, ...]:
    """File names of the shared library on this system: as installed, then as built where that differs."""
    if sys.platform == "darwin":
        return ("libccd-toi.1.dylib",)
    if sys.platform == "win32":
        return ("ccd-toi.dll",)
    return "libccd-toi.so.1", "libccd.so"


def include_path() -> Path:
    """Return the folder of ``ccd/device.h``, the header for kernels of other programs.

    Pass it to a compiler with ``-I``, to NVRTC or to Warp. The header needs neither this package nor the library.

    Returns
    -------
    pathlib.Path
        The folder: beside this package, else the checkout's.

    Raises
    ------
    LibraryError
        There is no such folder.

    Examples
    --------
    >>> import ccd
    >>> (ccd.include_path() / "ccd" / "device.h").is_file()
    True
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "include", package.parents[2] / "include"):
        if (folder / "ccd" / "device.h").is_file():
            return folder
    raise LibraryError(f"{package}: no include/ccd/device.h in it, and it is in no checkout")


def library_path() -> Path:
    """Return where the shared library is.

    This is CCD_LIBRARY in the environment, else a file beside this package, else one in the checkout's build/.

    Returns
    -------
    pathlib.Path
        Path of the file.

    Raises
    ------
    LibraryError
        There is no such file; the message names the folders.

    Examples
    --------
    >>> import ccd
    >>> ccd.library_path().is_file()
    True
    """
    given = os.environ.get("CCD_LIBRARY")
    if given:
        if not Path(given).is_file():
            raise LibraryError(f"CCD_LIBRARY is {given!r}: no such file")
        return Path(given)
    here = Path(__file__).resolve().parents[1]
    folders = [here]
    checkout = here.parents[2]
    if (checkout / "include" / "ccd.h").is_file():
        folders.append(checkout / "build")
    for folder in folders:
        for name in _names():
            if (folder / name).is_file():
                return folder / name
    looked = ", ".join(str(folder) for folder in folders)
    raise LibraryError(f"the shared library {_names()[-1]} is not in {looked}: run `make lib`, or set CCD_LIBRARY to its path")


@functools.cache
def library() -> ctypes.CDLL:
    """The shared library with its prototypes, loaded on the first call. A CDLL releases the GIL in every call."""
    path = library_path()
    try:
        lib = ctypes.CDLL(str(path))
    except OSError as error:
        raise LibraryError(f"{path} cannot be loaded: {error}") from error
    for name, (result, arguments) in PROTOTYPES.items():
        try:
            function = getattr(lib, name)
        except AttributeError:
            raise LibraryError(f"{path} has no {name}: it is another library, or older than this package") from None
        function.restype, function.argtypes = result, arguments
    version = lib.ccd_version()
    if version // 10000 != VERSION // 10000 or version < VERSION:
        raise LibraryError(f"{path} is of version {version}, this package needs {VERSION} or newer of the same major")
    return lib


def last_error() -> str:
    """Text of the last error on this thread."""
    lib = library()
    buffer = ctypes.create_string_buffer(512)
    length = lib.ccd_last_error(buffer, len(buffer))
    if length >= len(buffer):
        buffer = ctypes.create_string_buffer(length + 1)
        lib.ccd_last_error(buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace")
