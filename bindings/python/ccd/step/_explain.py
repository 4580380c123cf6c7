"""Why a step is short: of a mesh, and of a pair that was saved."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._native.by_name import options_by_name
from ..errors import FileError, from_os
from ..mesh import Mesh
from ..motion import Motion
from ._value import Step
from ._why import KEPT, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from ..options import Options


@options_by_name
def why(mesh: Mesh, x0: ArrayLike | Motion, x1: ArrayLike | None = None, **options: Unpack[Options]) -> Why:
    """Say why a step is short, or 0: which pair limits it, what keeps it from going on, and what to do.

    Parameters
    ----------
    mesh : Mesh
        The mesh, with its filters and radii.
    x0 : array_like or Motion
        Vertices at t = 0, (n, 3), n = vertices of the mesh; or how they move, in place of both ends.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3); omitted with a motion.
    **options : Options
        Keywords of `ccd.Options`: those of the call that returned the short step.

    Returns
    -------
    Why
        The first pair that limits the step, the cause, and sentences on both.

    Raises
    ------
    UnsupportedError
        ``region`` is set, or x0 is on a device.
    Error
        As `earliest`.

    See Also
    --------
    replay : The same for a pair that was saved.
    ccd.Mesh.exclude_near : Leave out pairs that are near in the mesh.

    Notes
    -----
    The call takes the time of `advance`, and of two searches more where a pair is near at the start.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.125]])
    >>> why = ccd.step.why(mesh, x0, x0 + [0, 0, 1], min_separation=0.25)
    >>> print(str(why).replace(". ", ".\\n"))
    Vertex 3 and face 0 (vertices 0, 1, 2) are 0.125 apart at the start, within their separation 0.25.
    Pass a min_separation below 0.125, or start from positions that are farther apart.
    Without this pair no pair limits the step.
    >>> str(why.cause), round(why.distance_hi, 9), why.initial
    ('separation', 0.125, 1)
    """
    return Step(mesh, x0, x1).why(**options)


def replay(path: str | os.PathLike[str]) -> Why:
    """Say why the step of a saved pair is short.

    Parameters
    ----------
    path : str or os.PathLike
        A file that `Why.save` has written.

    Returns
    -------
    Why
        The result for two primitives alone, numbered from 0; the impact has the same time.

    Raises
    ------
    FileError
        The file cannot be read, or is no such file.

    Examples
    --------
    >>> import numpy as np, ccd, os, tempfile
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1]])
    >>> why = ccd.step.why(mesh, x0, x0 - np.outer([0, 0, 0, 2], [0, 0, 1]), min_separation=0.5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "pair.npz")
    ...     why.save(path)
    ...     again = ccd.step.replay(path)
    >>> again.impact.toi_lo == why.impact.toi_lo, str(again.cause)
    (True, 'meeting')
    """
    x0, x1, faces, edges, radii, options = _read(path)
    mesh = Mesh(faces=faces, edges=edges if len(edges) else None, vertices=len(x0))
    mesh.set_radii(radii)
    return why(mesh, x0, x1, **options)


def _read(path: str | os.PathLike[str]) -> tuple[Any, ...]:
    names = ("x0", "x1", "faces", "edges", "radii", "options")
    try:
        with open(path, "rb") as file:
            found, options = _held(file, names)
    except OSError as error:
        raise from_os(os.fspath(path), error) from None
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise FileError(f"{os.fspath(path)}: no pair that Why.save has written ({what})") from None
    return *(found[name] for name in names[:-1]), options


def _held(file: IO[bytes], names: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arrays of a saved pair, and its options."""
    import json  # `import ccd` does not need json

    if file.read(2) != b"PK":
        raise ValueError("it is no archive of NumPy, .npz")
    file.seek(0)
    with np.load(file) as held:
        found = {name: held[name] for name in names}
    options = json.loads(str(found["options"]))
    if not isinstance(options, dict) or not set(options) <= set(KEPT):
        raise ValueError("its options are no options of a step")
    return found, options
