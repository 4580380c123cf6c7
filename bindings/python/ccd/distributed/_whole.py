"""A call on a whole scene: its parts as jobs of an executor, a report of them, and their results in files."""

from __future__ import annotations

import functools
import hashlib
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .._inner import arrays
from .._inner.errors import shown
from .._inner.records import check_options
from ..errors import ArgumentError, Cancelled
from ..impact import Impact
from ..mesh import Mesh
from ..options import Stats
from ._compute import CALLS
from ._folder import ResultsFolder, identity
from ._least import Least
from ._part import Origin, Part, cut, divide
from ._part_file import about_part, load
from ._plan import Plan, plan
from ._reduce import reduce
from ._region import Region
from ._run import Pool, run
from ._scene import Scene


@dataclass
class Report:
    """What the parts of a call took: pass one as ``report``, and the call fills it in.

    Attributes
    ----------
    parts : list of dict
        For each part that was computed, in the order of its end: ``index``, ``vertices``, ``edges``, ``faces``, ``bytes`` of
        its arrays, ``seconds`` and ``cpu_seconds`` of its call (processor time of the process), ``candidates``, ``impacts``
        and ``pid`` of the process.
    lost : int
        Losses of workers: each made parts run again.
    seconds : float
        Wall-clock time of the whole call.
    stats : Stats
        Statistics of all parts together: times and counts are sums, the others the largest.

    Examples
    --------
    >>> import numpy as np, ccd, ccd.distributed as cd
    >>> mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    >>> report = cd.Report()
    >>> hit = cd.earliest(mesh, x0, x1, parts=2, report=report)
    >>> len(report.parts), report.lost, report.balance >= 1
    (2, 0, True)
    """

    parts: list[dict[str, Any]] = field(default_factory=list)
    lost: int = 0
    seconds: float = 0.0
    stats: Stats = field(default_factory=Stats)

    @property
    def balance(self) -> float:
        """The largest processor time of a part, divided by the mean."""
        times = [part["cpu_seconds"] for part in self.parts]
        return max(times) * len(times) / sum(times) if sum(times) else 1.0


@dataclass
class Cut:
    """A part that its worker cuts out of a scene in files."""

    scene: Scene
    region: Region
    reach: float
    index: int

    def identity(self, scene: str) -> str:
        """As that of a part; that of the scene is given."""
        about = scene, self.index, self.reach, self.region.lo, self.region.hi
        return hashlib.sha256(repr(about).encode()).hexdigest()


def _work(
    call: str, source: Any, options: dict[str, Any], least: Least, folder: ResultsFolder | None, known: str | None
) -> tuple[Any, dict[str, Any], Stats]:
    """One job, on a worker; the identity of a part that is yet to be cut is known."""
    if isinstance(source, Cut):
        source = cut(source.scene, source.region, source.reach, source.index)
    part = source if isinstance(source, Part) else load(source)
    begin, cpu, stats = time.perf_counter(), time.process_time(), Stats()
    found = CALLS[call](part, options | {"stats": stats}, least)
    about = {
        "index": part.index, "vertices": len(part.x0), "edges": len(part.edges), "faces": len(part.faces),
        "bytes": part.nbytes, "seconds": time.perf_counter() - begin,
        "cpu_seconds": time.process_time() - cpu, "candidates": sum(stats.candidates.values()),
        "impacts": stats.impacts, "pid": os.getpid(),
    }  # fmt: skip
    if folder is not None:
        found = folder.write(part.index, known or identity(part), found)
    return found, about, stats


def _label(source: Any) -> str:
    if isinstance(source, (Part, Cut)):
        return f"part {source.index}"
    return f"part {os.fspath(source)}"


SETTINGS = ("executor", "parts", "plan", "retries", "report")
"""Keywords of a call on a whole scene beside those of `ccd.Options`."""
WITH_FOLDER = ("collisions", "near", "candidates")
"""Calls that take the keyword ``folder`` too."""


class Whole:
    """A call on a whole scene."""

    def __init__(self, call: str, source: Any, frames: tuple[Any, ...], settings: dict[str, Any], options: dict[str, Any]):
        self.call, self.options = call, options
        self.report = settings.get("report")
        if self.report is not None and not isinstance(self.report, Report):
            raise ArgumentError(f"report is {shown(self.report)}: must be a ccd.distributed.Report")
        self.retries = arrays.integer("retries", settings.get("retries", 3), 0, 1000)
        self.progress, self.stats = options.pop("progress", None), options.pop("stats", None)
        check_options(  # wrong options raise here, not in every worker
            {name: value for name, value in options.items() if name != "d"},
            SETTINGS + (("folder",) if call in WITH_FOLDER else ()),
        )
        if self.progress is not None and not callable(self.progress):
            raise ArgumentError(f"progress is {shown(self.progress)}: must be callable")
        if self.stats is not None and not isinstance(self.stats, Stats):
            raise ArgumentError(f"stats is {shown(self.stats)}: must be a ccd.Stats")
        self.folder: ResultsFolder | None = None
        self.source, self.frames, self.settings = source, frames, settings
        self.names = ("x", "x") if call == "near" else ("x0", "x1")
        self.origin: Origin | None = None  # the origin of a scene's parts, where a folder is given

    def jobs(self, pool: Pool) -> tuple[int, Iterable[Any]]:
        """How many parts there are, and the parts."""
        source, count, chosen = self.source, self.settings.get("parts"), self.settings.get("plan")
        if not isinstance(source, (Scene, Mesh)):
            if isinstance(source, (str, bytes, os.PathLike)) or not isinstance(source, Iterable):
                raise ArgumentError(
                    f"scene is {type(source).__name__}: must be a Mesh, a Scene, a Part, or a list of parts or of their files"
                )
            listed = list(source)
            if count is not None or chosen is not None:
                raise ArgumentError("parts and plan are for scenes: these parts are cut already")
            for i, one in enumerate(listed):
                if not isinstance(one, (Part, str, os.PathLike)):
                    raise ArgumentError(f"scene[{i}] is {type(one).__name__}: must be a Part or the path of one")
            return len(listed), listed
        scene = Scene._of(source, self.frames[0], self.frames[1], self.names) if isinstance(source, Mesh) else source
        reach = arrays.number("d", self.options["d"]) if "d" in self.options else arrays.number(
            "min_separation", self.options.get("min_separation", 0.0)
        )  # fmt: skip
        if chosen is None:
            total = sum(scene.counts)
            n = max(1 if pool.serial else 4 * pool.workers, -(-total // 4_000_000))
            n = n if count is None else arrays.integer("parts", count, 1, 1 << 20)
            apart = max(0.0, reach) if math.isfinite(reach) else 0.0
            chosen = plan(scene, n, apart, self.call)
        elif count is not None:
            raise ArgumentError("parts and plan: give one of them")
        elif not isinstance(chosen, Plan):
            raise ArgumentError(f"plan is {type(chosen).__name__}: must be a ccd.distributed.Plan")
        if self.folder is not None:
            self.origin = Origin.of(scene, chosen, reach)
        if any(hasattr(table, "path") for table in (*scene._x, scene._edges, scene._faces)):
            return len(chosen.regions), (Cut(scene, region, reach, i) for i, region in enumerate(chosen.regions))
        return len(chosen.regions), divide(scene, chosen, reach)

    def results(self) -> Iterator[Any]:
        """The results of the parts, in the order in which they are done."""
        begin, done = time.perf_counter(), 0
        pool = Pool(self.settings.get("executor"))
        least = pool.least() if self.call == "earliest" else Least()
        total, stats = 0, Stats()
        report = self.report if self.report is not None else Report()
        report.parts, report.lost = [], 0
        options = dict(self.options) if pool.serial else {"threads": 1} | self.options

        def count() -> None:
            report.lost += 1

        def start(begin_job: Callable[..., Any], source: Any) -> Any:
            known = source.identity(self.origin.scene) if self.origin is not None and isinstance(source, Cut) else None
            return begin_job(_work, self.call, source, options, least, self.folder, known)

        try:
            total, jobs = self.jobs(pool)
            for _, (found, about, of) in run(pool, jobs, start, self.retries, _label, count):
                done, stats = done + 1, reduce(stats, of)
                report.parts.append(about)
                if isinstance(found, Impact) and found.kind is not None:
                    least.lower(found.toi_lo)
                if self.progress is not None and self.progress(done / total):
                    raise Cancelled("the progress callback cancelled the call")
                yield found
        finally:
            least.close()
            pool.close()
            report.seconds, report.stats = time.perf_counter() - begin, stats
            if self.stats is not None:
                for name in stats.__dataclass_fields__:
                    setattr(self.stats, name, getattr(stats, name))


def to_folder(
    call: str, source: Any, frames: tuple[Any, ...], folder: Any, settings: dict[str, Any], options: dict[str, Any]
) -> list[str]:
    """A call whose workers write the results of their parts."""
    whole, place = Whole(call, source, frames, settings, options), ResultsFolder(folder, call, options)
    whole.folder, jobs = place, whole.jobs
    numbers: list[int] = []

    def of(job: Any) -> str:
        if isinstance(job, Cut) and whole.origin is not None:
            return job.identity(whole.origin.scene)
        return identity(job if isinstance(job, Part) else load(job))

    def remaining(pool: Pool) -> tuple[int, Iterable[Any]]:
        count, listed = jobs(pool)
        if whole.origin is not None:
            numbers.extend(range(count))
        else:
            whole.origin = _common(numbers, listed)
        place.begin(whole.origin, numbers)
        named = zip(numbers, listed)
        return count, (job for index, job in named if not place.has(index, functools.partial(of, job)))

    whole.jobs = remaining  # type: ignore[method-assign]
    for _ in whole.results():
        pass
    return place.end(numbers)


def _common(numbers: list[int], parts: Iterable[Any]) -> Origin | None:
    """Add the numbers of parts to a list, and return their origin."""
    found: dict[int, Origin | None] = {}
    for part in parts:
        index, origin = about_part(part)
        if index in found:
            raise ArgumentError(f"scene has two parts {index}: with folder each part must have a number of its own")
        found[index] = origin
        if origin != next(iter(found.values())):
            first = next(iter(found))
            raise ArgumentError(f"scene has parts {first} and {index} of two scenes or plans: with folder all must be of one")
    numbers.extend(found)
    return next(iter(found.values()), None)
