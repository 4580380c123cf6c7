"""Files of parts, as `Part.save` writes them: read whole, or only of which scene and plan they are."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from .._inner import files
from ..errors import FileError
from ._part import ARRAYS, Origin, Part
from ._region import Region


def load(path: str | os.PathLike[str]) -> Part:
    """Load a part from a file that `Part.save` or `split` wrote.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Part
        The part, bit for bit.

    Raises
    ------
    FileError
        The file cannot be opened, or holds no part.

    Examples
    --------
    >>> import numpy as np, os, tempfile, ccd.distributed as cd
    >>> x = np.random.default_rng(0).random((30, 3))
    >>> part = cd.cut(cd.Scene(x, x), cd.Region((0, 0, 0), (0.5, 0.5, 0.5)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     part.save(os.path.join(folder, "part.npz"))
    ...     again = cd.load(os.path.join(folder, "part.npz"))
    >>> again.region == part.region, again.x0.tobytes() == part.x0.tobytes()
    (True, True)
    """
    name = files.file_name("path", path)
    held = files.archive(name)
    with _holding(name):
        about = _about(name, held["about"])
        excluded = {int(key[9:]): pairs for key, pairs in held.items() if key.startswith("excluded_")}
        fields = {key: held[key] for key in ARRAYS if key in held}
        lo, hi = (tuple(float.fromhex(x) for x in about[end]) for end in ("lo", "hi"))
        origin, reach = _origin(about), float.fromhex(about["reach"])
        _check_columns(fields | {f"excluded_{kind}": pairs for kind, pairs in excluded.items()})
        return Part(int(about["index"]), Region(lo, hi), reach, **fields, excluded=excluded, origin=origin)  # type: ignore[arg-type]


@contextlib.contextmanager
def _holding(name: str) -> Iterator[None]:
    """Turn what a file without a part raises into a FileError that names it."""
    try:
        yield
    except FileError:
        raise
    except Exception as error:
        raise FileError(f"{name} holds no part: {' '.join(str(error).split())}") from None


# The columns of each array, 0 for a row of numbers; which other array has as many rows; and the kinds of its type.
_COLUMNS = {
    "x0": (3, "x0", "f"), "x1": (3, "x0", "f"), "faces": (3, "faces", "iu"), "edges": (2, "edges", "iu"),
    "vertex_ids": (0, "x0", "iu"), "edge_ids": (0, "edges", "iu"), "face_ids": (0, "faces", "iu"),
    "groups": (0, "x0", "iu"), "static": (0, "x0", "b"), "radii": (0, "x0", "f"),
}  # fmt: skip


def _check_columns(held: dict[str, NDArray[Any]]) -> None:
    """Raise ValueError for an array of another shape or type than that of a part."""
    for name, array in held.items():
        width, like, kinds = _COLUMNS.get(name, (2, name, "iu"))
        wanted = (len(held[like]), width) if width else (len(held[like]),)
        if array.shape != wanted or array.dtype.kind not in kinds:
            raise ValueError(f"{name} is {array.dtype} of shape {array.shape}: must have the shape {wanted}")


def _about(name: str, text: Any) -> Any:
    return files.parse(name, str(text).encode())


def _origin(about: dict[str, Any]) -> Origin | None:
    return Origin(**about["origin"]) if "origin" in about else None


def about_part(part: Part | str | os.PathLike[str]) -> tuple[int, Origin | None]:
    """The number and the origin of a part, which may be in a file; its arrays are not read."""
    if isinstance(part, Part):
        return part.index, part.origin
    name = files.file_name("part", part)
    held = files.member(name, "about")
    with _holding(name):
        about = _about(name, held)
        return int(about["index"]), _origin(about)
