"""The audit of a sequence of frames: streaming, parallel over steps, and resumed."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..mesh import Mesh
from . import _step
from ._results import Frame, Report, StepResult
from ._scene import Scene, checked_threads

_LARGE = 100_000  # edges and faces

Progress = Callable[[Frame, "StepResult | None"], object]
Catch = Callable[[StepResult, Scene, "NDArray[np.float64]", "NDArray[np.float64]"], None]


@dataclass
class Shot:
    """One frame of a stretch: positions of the scene's vertices, and what its file says of it."""

    x: NDArray[np.float64]
    name: str
    time: float | None = None
    note: str = ""


@dataclass
class Held:
    """What goes on from one call of `stretch` to the next.

    `known` has the number of the last frame that is in the report with the step to it, and what that step leaves: None at the
    first frame of a stretch. It is one value, so Ctrl-C finds both of one frame.
    """

    known: tuple[int, _step.Before | None] = (-1, None)

    @property
    def before(self) -> _step.Before | None:
        """What the steps before leave."""
        return self.known[1]


@dataclass
class _Work:
    """A step in work: what it waits for, and the frame it leads to."""

    start: NDArray[np.float64]
    shot: Shot
    found: Future[_step.Found]


def frames(
    mesh: Mesh,
    frames: Iterable[ArrayLike],
    *,
    min_separation: float = 0.0,
    objects: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    skip: Iterable[tuple[str, str]] = (),
    self_collisions: bool = True,
    distances: bool = True,
    threads: int = 0,
    progress: Progress | None = None,
) -> Report:
    """Audit recorded frames of a mesh: what crosses in each, and what every step between two let pass, with proof.

    Vertices move on straight lines from frame to frame. Frames are taken one at a time, so a generator need not hold more
    than a few of them. Steps are exact (method ``"exact"``, no budget).

    Parameters
    ----------
    mesh : Mesh
        The mesh. Its filters hold; its radii count for what comes near.
    frames : iterable of array_like
        Vertices of each frame, (n, 3), n = vertices of the mesh; an array (k, n, 3) is one.
    min_separation : float, default 0.0
        A length: pairs that come within it, beside radii, are near.
    objects : array_like, optional
        Number of the object of each vertex, (n,) integers from 0; else connected components.
    names : sequence of str, optional
        Names of the objects, by their numbers.
    skip : iterable of tuple of str
        Pairs of names that do not count, as ``[("shirt", "body")]``; a name twice is an object with itself.
    self_collisions : bool, default True
        Whether objects count with themselves.
    distances : bool, default True
        Whether to compute the least distance of each frame, unless pairs are skipped. It takes most of the time
        of a scene in which little moves.
    threads : int, default 0
        Number of threads; 0 is as many as this process may use. Steps of small
        meshes are computed at the same time, up to 4 of them.
    progress : callable, optional
        Called with each `Frame`, and the `StepResult` of the step that leads to it, None for the first. A true result ends
        the audit.

    Returns
    -------
    Report
        Frames, steps and events. After Ctrl-C, `KeyboardInterrupt` has it as its attribute ``report``.

    Raises
    ------
    ArgumentError
        A frame has another shape, or an argument is out of range; the message names it.
    NonFiniteError
        A coordinate is NaN, infinite or above 1e150; the message names it.

    See Also
    --------
    Recorder : Frames that a simulation appends while it runs.
    files : Frames in files.

    Examples
    --------
    A triangle falls through another between two frames that are both clean:

    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> fall = np.outer([0, 0, 0, 1, 1, 1], [0, 0, -0.75])
    >>> report = ccd.audit.frames(mesh, (x + k * fall for k in range(4)), names=["floor", "tile"])
    >>> [str(step.verdict) for step in report.steps]
    ['separate', 'passed through', 'separate']
    >>> [frame.crossings for frame in report.frames], report.steps[1].events[0].a, report.steps[1].events[0].b
    ([0, 0, 0, 0], 'floor', 'tile')
    """
    scene = Scene(mesh, min_separation, objects, names, skip, self_collisions)
    report = Report()
    shots = (
        Shot(arrays.frame(f"frames[{k}]", x, scene.vertices).copy(), str(k))
        for k, x in enumerate(arrays.several("frames", frames, "arrays"))
    )
    try:
        report.complete = stretch(report, scene, shots, threads, distances, progress)
    except KeyboardInterrupt as stop:
        stop.report = report  # type: ignore[attr-defined]
        raise
    return report


def stretch(
    report: Report, scene: Scene, shots: Iterable[Shot], threads: int = 0, distances: bool = True,
    progress: Progress | None = None, ahead: bool = False, held: Held | None = None,
    catch: Catch | None = None,
) -> bool:  # fmt: skip
    """Add frames of one topology to a report, and the steps between them; reports whether it went to the end.

    With `ahead` a thread reads the next frame while others are in work. If `held` knows a frame, the first one is that, and is
    in the report already. `catch` is called with each step that has events, while its positions are there.
    """
    workers, each = shares(threads, len(scene.faces) + len(scene.edges))
    waiting: deque[_Work] = deque()
    held = Held() if held is None else held
    known, last = held.before is not None, None
    before = held.before or _step.Before()
    number = len(report.frames)

    def finish() -> bool:
        nonlocal before
        work = waiting[0]
        found = work.found.result()
        step, before = _step.judge(scene, number - 1, work.start, work.shot.x, found, before, work.shot.note)
        waiting.popleft()
        report.steps.append(step)
        if catch is not None and step.events:
            catch(step, scene, work.start, work.shot.x)
        return add(work.shot, found.touching, found.distance, step)

    def add(shot: Shot, touching: int, bracket: tuple[float, float] | None, step: StepResult | None) -> bool:
        nonlocal number
        one = _step.frame(scene, number, shot.name, shot.time, before.crossing, touching, bracket)
        report.frames.append(one)
        held.known = number, before
        number += 1
        return bool(progress(one, step)) if progress is not None else False

    with ThreadPoolExecutor(workers) as pool:
        try:
            for shot in _ahead(shots) if ahead else shots:
                if last is None and known:
                    pass
                elif last is None:
                    before, touching = _step.first_frame(scene, shot.x, threads)
                    if add(shot, touching, _step.distance(scene, shot.x, threads) if distances else None, None):
                        return False
                else:
                    work = pool.submit(_step.compute, scene, last.x, shot.x, each, distances)
                    waiting.append(_Work(last.x, shot, work))
                    if len(waiting) >= workers and finish():
                        return False
                last = shot
            while waiting:
                if finish():
                    return False
        finally:
            for one in waiting:
                one.found.cancel()
    return True


def shares(threads: int, size: int) -> tuple[int, int]:
    """How many steps of a mesh of so many edges and faces are computed at the same time, and the threads of each.

    A call on a large mesh keeps all threads busy by itself, and its memory counts.
    """
    threads = checked_threads(threads)
    if threads == 0:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = 1 if size > _LARGE else min(threads, 4)
    return workers, max(1, threads // workers)


def _ahead(shots: Iterable[Shot]) -> Iterator[Shot]:
    """The frames, each read while the one before is in work."""
    each = iter(shots)
    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(next, each, None)
        while (shot := following.result()) is not None:
            following = reader.submit(next, each, None)
            yield shot
