"""Files of motions: NumPy archives of their arrays."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np

from .. import errors
from . import numpy_files, write

_NAMES = ("control", "times", "radius")


def save(path: str | os.PathLike[str], **held: Any) -> None:
    """Write the arrays of a motion."""
    content = io.BytesIO()
    np.savez(content, **held)
    write.whole(path, content.getvalue())


def load(path: str) -> dict[str, Any]:
    """The arrays of a motion, by the names of the arguments of `ccd.Motion`.

    An array of another name is refused: a radius that is overlooked would be taken for 0.
    """
    held = numpy_files.archive(path)
    for name in held:
        if name not in _NAMES:
            raise errors.FileError(f"{path} has an array {name!r}: a motion has {', '.join(_NAMES)}")
    if "control" not in held:
        raise errors.FileError(f"{path} has no array 'control': a motion has {', '.join(_NAMES)}")
    return held
