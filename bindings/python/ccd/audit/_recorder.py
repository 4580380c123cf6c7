"""The recorder: a simulation appends its positions, and learns at once what the step let pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from ..errors import Error
from ..mesh import Mesh
from . import _step
from ._results import Frame, Report, StepResult, Verdict
from ._scene import Scene, checked_threads


class AuditError(Error):
    """A step of a recorder has a verdict that it raises.

    Parameters
    ----------
    step : StepResult
        The step.
    name : str
        Name of the frame that it leads to.

    Attributes
    ----------
    step : StepResult
        The step.

    Examples
    --------
    >>> import ccd
    >>> print(ccd.audit.AuditError(ccd.audit.StepResult(3, ccd.audit.Verdict.LEFT), "4"))
    step to frame 4: left
    """

    step: StepResult

    def __init__(self, step: StepResult, name: str):
        worst = step.events[0] if step.events else None
        where = (
            f": {worst.a} and {worst.b}, {worst.kind} {worst.pair[0]} {worst.pair[1]} at t = {worst.time!r}" if worst else ""
        )
        super().__init__(f"step to frame {name}: {step.verdict}{where}")
        self.step = step


AuditError.__module__ = "ccd.audit"  # as tracebacks show it


class Recorder:
    """Audits a simulation while it runs: append the positions after every step.

    It keeps the last frame and the report, and no others.

    Parameters
    ----------
    mesh : Mesh
        The mesh. Its filters hold; its radii count for what comes near.
    min_separation : float, default 0.0
        A length: pairs that come within it, beside radii, are near.
    objects : array_like, optional
        Number of the object of each vertex, (n,) integers from 0; else connected components.
    names : sequence of str, optional
        Names of the objects, by their numbers.
    skip : iterable of tuple of str
        Pairs of names that do not count.
    self_collisions : bool, default True
        Whether objects count with themselves.
    raises : iterable of Verdict or str, optional
        Verdicts at which `append` raises an error, as ``["passed through", "entered"]``.
    distances : bool, default False
        Whether to compute the least distance of each frame, unless pairs are skipped.
    threads : int, default 0
        Number of threads; 0 is as many as this process may use.

    Attributes
    ----------
    report : Report
        All frames and steps so far.

    Raises
    ------
    ArgumentError
        An argument has another shape, or is out of range; the message names it.

    See Also
    --------
    frames : Frames that were recorded before.

    Examples
    --------
    >>> import numpy as np, ccd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> recorder = ccd.audit.Recorder(mesh, names=["floor", "tile"], raises=["passed through"])
    >>> recorder.append(x)
    >>> str(recorder.append(x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.75])).verdict)
    'separate'
    >>> recorder.append(x - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 1.5]))
    Traceback (most recent call last):
    ccd.audit.AuditError: step to frame 2: passed through: floor and tile, vertex-face 3 0 at t = 0.3333333333333333
    """

    report: Report

    def __init__(
        self,
        mesh: Mesh,
        *,
        min_separation: float = 0.0,
        objects: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        skip: Iterable[tuple[str, str]] = (),
        self_collisions: bool = True,
        raises: Iterable[Verdict | str] = (),
        distances: bool = False,
        threads: int = 0,
    ):
        self._scene = Scene(mesh, min_separation, objects, names, skip, self_collisions)
        self._raises = {Verdict.of("raises", verdict) for verdict in arrays.several("raises", raises, "verdicts")}
        self._threads, self._distances = checked_threads(threads), distances
        self._last: NDArray[np.float64] | None = None
        self._before = _step.Before()
        self.report = Report()

    def append(self, x: ArrayLike, name: str | None = None, time: float | None = None) -> StepResult | None:
        """Add a frame, and audit the step that leads to it.

        Parameters
        ----------
        x : array_like
            Vertices, (n, 3), n = vertices of the mesh. They are copied.
        name : str, optional
            Name of the frame; else its number.
        time : float, optional
            Time of the frame.

        Returns
        -------
        StepResult or None
            What happened since the frame before; None for the first.

        Raises
        ------
        AuditError
            The verdict is one of those that were asked for. The frame counts, and the next `append` goes on from it.
        ArgumentError
            `x` has another shape.
        NonFiniteError
            A coordinate is NaN, infinite or above 1e150; the message names it. The frame does not count.
        """
        scene, number = self._scene, len(self.report.frames)
        new = arrays.frame("x", x, scene.vertices).copy()
        step = None
        name = str(number) if name is None else str(name)
        if self._last is None:
            (before, touching), bracket = _step.first_frame(scene, new, self._threads), None
            if self._distances:
                bracket = _step.distance(scene, new, self._threads)
        else:
            found = _step.compute(scene, self._last, new, self._threads, self._distances)
            step, before = _step.judge(scene, number - 1, self._last, new, found, self._before)
            touching, bracket = found.touching, found.distance
            self.report.steps.append(step)
        one: Frame = _step.frame(scene, number, name, time, before.crossing, touching, bracket)
        self.report.frames.append(one)
        self._last, self._before = new, before
        if step is not None and step.verdict in self._raises:
            raise AuditError(step, name)
        return step

    def close(self) -> Report:
        """End the recording.

        Returns
        -------
        Report
            The report, complete.
        """
        self.report.complete = True
        return self.report
