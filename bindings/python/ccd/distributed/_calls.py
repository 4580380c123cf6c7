"""The calls, on one part and on a whole scene."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from numpy.typing import ArrayLike

from .._inner.errors import shown
from ..errors import ArgumentError
from ..impact import Impact
from ..mesh import Mesh
from ._compute import CALLS, combined
from ._least import Least
from ._part import Part
from ._scene import Scene, no_motions
from ._whole import SETTINGS, WITH_FOLDER, Whole, to_folder

Source = Part | Scene | Mesh | Iterable[Part | str | os.PathLike[str]]


def _call(call: str, source: Any, frames: tuple[Any, ...], options: dict[str, Any]) -> Any:
    settings: dict[str, Any] = {name: options.pop(name) for name in SETTINGS if name in options}
    settings = {name: value for name, value in settings.items() if value is not None}
    if options.get("region") is not None:
        raise ArgumentError("region is that of each part: cut a part of it with ccd.distributed.cut")
    no_motions(("x0", "x1") if len(frames) == 2 else ("x",), frames)
    given, named = [x for x in frames if x is not None], "x" if call == "near" else "x0 and x1"
    if isinstance(source, Mesh):
        if len(given) != len(frames):
            raise ArgumentError(f"{named} must be given with a ccd.Mesh")
        frames = frames if len(frames) == 2 else frames * 2
    elif given:
        raise ArgumentError(f"{named} are those of the scene: give them with a ccd.Mesh only")
    folder = options.pop("folder", None) if call in WITH_FOLDER else None
    shared = options.pop("least", None)
    if shared is not None:
        if call != "earliest" or not isinstance(source, Part):
            raise ArgumentError("least is for earliest of one part: whole scenes share the time by themselves")
        if not isinstance(shared, Least):
            raise ArgumentError(f"least is {shown(shared)}: must be a ccd.distributed.MPILeast")
    if isinstance(source, Part):
        if settings or folder is not None:
            wrong = ", ".join([*settings, *(["folder"] if folder is not None else [])])
            raise ArgumentError(f"{wrong}: for whole scenes, not for one part")
        return CALLS[call](source, options, shared or Least())
    if folder is not None:
        return to_folder(call, source, frames, folder, settings, dict(options))
    whole = Whole(call, source, frames, settings, dict(options))
    found = list(whole.results())
    return combined(call, found, whole.options)


def earliest(scene: Source, x0: ArrayLike | None = None, x1: ArrayLike | None = None, **options: Any) -> Impact:
    """Compute the earliest impact of a part, or of a whole scene by its parts.

    Parameters
    ----------
    scene : Part or Mesh or Scene or list
        A part: its earliest impact, to be combined by `reduce`. A mesh (with `x0` and `x1`), a scene, or a list of parts or
        of their files: the earliest impact of the whole.
    x0 : array_like, optional
        Vertices at t = 0, (n, 3), with a mesh.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3), with a mesh.
    **options : object
        Keywords of `ccd.Options`, and for whole scenes:

        ``executor``: None, this process; a number of processes to spawn; an executor of the shape of `concurrent.futures`; a
        ``dask.distributed.Client``; or a function that returns one, which is called again when the executor breaks. On an
        executor ``threads`` is 1 by default.
        ``parts``: number of parts, default four for each worker, and one for 4 million primitives; of small scenes fewer (see
        `plan`). ``plan``: a `Plan` in its place.
        ``retries``: how often a part whose worker dies while nothing else runs is repeated, default 3.
        ``report``: a `Report` to fill in. ``progress`` gets the fraction of parts that are done.

        For one part: ``least``, an `MPILeast` that shares the least time so far with other ranks.

    Returns
    -------
    Impact
        The bits of `ccd.step.earliest`; ``a`` and ``b`` are indices of the whole scene.

    Raises
    ------
    PartError
        A part failed, or its workers died more than ``retries`` times while nothing else ran.
    Error
        As `ccd.step.earliest`; the message begins with the part.

    Notes
    -----
    With the exact method the parts of a scene share the least time so far, and search no later times. Given ``least``, the
    result of one part may be a later impact than its own first, or none; the least of all parts is that of the scene.

    Examples
    --------
    >>> import numpy as np, ccd, ccd.distributed as cd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> cd.earliest(mesh, x0, x1, parts=2) == ccd.step.earliest(mesh, x0, x1)
    True
    """
    found: Impact = _call("earliest", scene, (x0, x1), options)
    return found


def collisions(scene: Source, x0: ArrayLike | None = None, x1: ArrayLike | None = None, **options: Any) -> Any:
    """List the impacts that a part owns, or those of a whole scene by its parts.

    Parameters
    ----------
    scene : Part or Mesh or Scene or list
        As in `earliest`.
    x0 : array_like, optional
        Vertices at t = 0, (n, 3), with a mesh.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3), with a mesh.
    **options : object
        As in `earliest`, and for whole scenes ``folder``: a path, where workers write the impacts of each part as
        ``impacts-00000.parquet`` and so on (pyarrow). Parts whose file is there already are not computed again; a folder or
        a file of another scene, of another plan or of other options is an error. ``impacts.json`` in the folder says which
        parts there are.

    Returns
    -------
    numpy.ndarray or list of str
        Impacts (m,) of `ccd.impact_dtype` with the bits of `ccd.step.collisions`, in its order; with ``folder``
        the paths of the files, each sorted in that order.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    read_impacts : The impacts of such files.

    Examples
    --------
    >>> import numpy as np, ccd, ccd.distributed as cd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> cd.collisions(mesh, x0, x1, parts=2).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
    True
    """
    return _call("collisions", scene, (x0, x1), options)


def size(scene: Source, x0: ArrayLike | None = None, x1: ArrayLike | None = None, **options: Any) -> float:
    """Compute a safe step of a part, or of a whole scene by its parts.

    Parameters
    ----------
    scene : Part or Mesh or Scene or list
        As in `earliest`.
    x0 : array_like, optional
        Vertices at t = 0, (n, 3), with a mesh.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3), with a mesh.
    **options : object
        As in `earliest`.

    Returns
    -------
    float
        That of `ccd.step.size`; the least of all parts is that of the whole.

    Raises
    ------
    Error
        As `earliest`.

    Examples
    --------
    >>> import numpy as np, ccd, ccd.distributed as cd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> cd.size(mesh, x0, x1, parts=2)
    0.49999999999999994
    """
    found: float = _call("size", scene, (x0, x1), options)
    return found


def candidates(scene: Source, x0: ArrayLike | None = None, x1: ArrayLike | None = None, **options: Any) -> Any:
    """Find the candidate pairs that a part owns, or those of a whole scene by its parts.

    Parameters
    ----------
    scene : Part or Mesh or Scene or list
        As in `earliest`.
    x0 : array_like, optional
        Vertices at t = 0, (n, 3), with a mesh.
    x1 : array_like, optional
        Vertices at t = 1, (n, 3), with a mesh.
    **options : object
        As in `earliest`, and ``folder`` as in `collisions`, for files ``candidates-00000.parquet`` and so on.

    Returns
    -------
    Candidates or list of str
        The pairs of `ccd.broad.candidates` whose boxes are, along each axis, at most ``min_separation`` and both radii apart,
        in exact arithmetic; so the list does not depend on the parts. (The boxes of that call are of floats of the whole scene,
        and a little larger.) No contact is outside the list. The object holds the pairs alone: it cannot compute impacts. With
        ``folder`` the paths of the files.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    read_candidates : The pairs of such files.

    Examples
    --------
    >>> import numpy as np, ccd, ccd.distributed as cd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> len(cd.candidates(mesh, x0, x1, parts=2))
    6
    """
    return _call("candidates", scene, (x0, x1), options)


def near(scene: Source, x: ArrayLike | None = None, d: float = 0.0, **options: Any) -> Any:
    """List the pairs within a distance that a part owns, or those of a whole scene by its parts.

    Parameters
    ----------
    scene : Part or Mesh or Scene or list
        As in `earliest`. Of a scene and of parts, x0 is the configuration.
    x : array_like, optional
        Vertices, (n, 3), with a mesh.
    d : float, default 0
        A length; parts must have been cut for it.
    **options : object
        As in `earliest`, but of the keywords of `ccd.Options` those of `ccd.proximity.near`; and ``folder`` as in
        `collisions`, for files ``near-00000.parquet`` and so on.

    Returns
    -------
    numpy.ndarray or list of str
        The pairs (m,) of `ccd.proximity.near` whose boxes are at most `d` and both radii apart along each axis, with its bits,
        in its order. These are all at a distance of at most `d`; that call may list a few more, which are farther apart by less
        than one part in 2**23. With ``folder`` the paths of the files.

    Raises
    ------
    Error
        As `earliest`.

    See Also
    --------
    read_near : The pairs of such files.

    Examples
    --------
    >>> import numpy as np, ccd, ccd.distributed as cd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> cd.near(mesh, x, 1.0, parts=2).tobytes() == ccd.proximity.near(mesh, x, 1.0).tobytes()
    True
    """
    return _call("near", scene, (x,), {"d": d, **options})
