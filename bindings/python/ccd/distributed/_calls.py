"""The calls: on one part, and on a whole scene by an executor."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import broad, proximity, step
from .._native import arrays
from .._native.results import Records
from ..errors import ArgumentError, Cancelled, shown
from ..impact import EDGE_FACE, Impact, Kind, impact_dtype
from ..mesh import Mesh
from ..options import Method, Stats, to_c
from ._folder import ResultsFolder, identity
from ._least import Least
from ._part import Origin, Part, about_part, cut, divide, load
from ._plan import Plan, plan
from ._reduce import in_order, reduce, sorted_pairs
from ._region import Region
from ._run import Pool, run
from ._scene import Scene, no_motions

_PAIR_WORK = {"earliest": 0.25, "size": 0.25}  # these search up to the first impact, so they meet few of the pairs; others 1
_SETTINGS: tuple[str, ...] = ("executor", "parts", "plan", "retries", "report")
Source = Part | Scene | Mesh | Iterable[Part | str | os.PathLike[str]]


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


# ---- one part


def _prepared(part: Part, options: dict[str, Any], reach: float | None = None) -> dict[str, Any]:
    """The options of a call on the pairs that the part's region owns; of all pairs of the part where a device finds them."""
    wanted = arrays.number("min_separation", options.get("min_separation", 0.0)) if reach is None else reach
    if wanted > part.reach:
        name = "min_separation" if reach is None else "d"
        raise ArgumentError(f"{name} is {wanted}: the part was cut for at most {part.reach}")
    if options.get("device") and reach is None:  # those of a step
        return options
    return options | {"region": (part.region.lo, part.region.hi)}


def _exact(options: dict[str, Any]) -> bool:
    """Whether every pair's result is unique, so that a search may end at the least time so far."""
    return Method.of("method", options.get("method", 0)) in (Method.DEFAULT, Method.EXACT)


def _earliest(part: Part, options: dict[str, Any], least: Least) -> Impact:
    given = _prepared(part, options)
    until = math.nextafter(least.load(), math.inf)
    t_max = arrays.number("t_max", given.get("t_max", 1.0))
    shorter = until < t_max and _exact(given)
    hit = step.earliest(part.mesh, part.x0, part.x1, **(given | {"t_max": until} if shorter else given))
    if hit.kind is None:
        return hit
    if shorter and hit.kind != EDGE_FACE:  # the other fields are those of the search over the whole step
        once = {name: value for name, value in given.items() if name not in ("check_start", "stats", "progress", "region")}
        hit = Impact.from_record(step.pairs(part.mesh, part.x0, part.x1, int(hit.kind), [[hit.a, hit.b]], **once)[0])
    least.lower(hit.toi_lo)
    a, b = part._whole(int(hit.kind or 0), hit.a, hit.b)
    return dataclasses.replace(hit, a=int(a), b=int(b))


def _listed(part: Part, records: NDArray[np.void], owned: bool, near: float | None = None) -> NDArray[np.void]:
    """The records whose pairs the part owns, with indices of the whole; they are owned if no other pairs were looked for."""
    keep = np.ones(len(records), bool)
    a, b = records["a"].copy(), records["b"].copy()
    for kind in np.unique(records["kind"]).tolist():
        of = np.flatnonzero(records["kind"] == kind)
        if not owned:
            keep[of] = part._owned(kind, a[of], b[of])
        if near is not None:
            keep[of] &= part._near(kind, a[of], b[of], near, False)
        records["a"][of], records["b"][of] = part._whole(kind, a[of], b[of])
    return in_order(records[keep])


def _collisions(part: Part, options: dict[str, Any], _: Least) -> NDArray[np.void]:
    given = _prepared(part, options)
    return _listed(part, step.collisions(part.mesh, part.x0, part.x1, **given), "region" in given)


def _size(part: Part, options: dict[str, Any], _: Least) -> float:
    return step.size(part.mesh, part.x0, part.x1, **_prepared(part, options))


def _candidates(part: Part, options: dict[str, Any], _: Least) -> broad.Candidates:
    given = _prepared(part, options)
    separation = arrays.number("min_separation", given.get("min_separation", 0.0))
    found = broad.candidates(part.mesh, part.x0, part.x1, **given)
    out = []
    for kind in Kind:
        a, b = found[kind].T
        keep = part._near(kind, a, b, separation, True)
        if "region" not in given:
            keep &= part._owned(kind, a, b)
        out.append(sorted_pairs(np.stack(part._whole(kind, a[keep], b[keep]), 1)))
    return broad.alone(*out)


def _near(part: Part, options: dict[str, Any], _: Least) -> NDArray[np.void]:
    given = dict(options)
    d = arrays.number("d", given.pop("d"))
    given = _prepared(part, given, d)  # regions own pairs by their corners at x0
    return _listed(part, proximity.near(part.mesh, part.x0, d, **given), True, d)


_CALLS: dict[str, Callable[[Part, dict[str, Any], Least], Any]] = {
    "earliest": _earliest, "collisions": _collisions, "size": _size, "candidates": _candidates, "near": _near,
}  # fmt: skip
_EMPTY: dict[str, Callable[[dict[str, Any]], Any]] = {
    "earliest": lambda options: step.earliest(Mesh(vertices=0), np.empty((0, 3)), np.empty((0, 3)), **options),
    "collisions": lambda options: np.empty(0, impact_dtype),
    "size": lambda options: step.size(Mesh(vertices=0), np.empty((0, 3)), np.empty((0, 3)), **options),
    "candidates": lambda options: broad.alone(*[np.empty((0, 2), np.int64)] * 4),
    "near": lambda options: np.empty(0, proximity.near_pair_dtype),
}


# ---- a whole scene


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
    found = _CALLS[call](part, options | {"stats": stats}, least)
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


class _Whole:
    """A call on a whole scene."""

    def __init__(self, call: str, source: Any, frames: tuple[Any, ...], settings: dict[str, Any], options: dict[str, Any]):
        self.call, self.options = call, options
        self.report = settings.get("report")
        if self.report is not None and not isinstance(self.report, Report):
            raise ArgumentError(f"report is {shown(self.report)}: must be a ccd.distributed.Report")
        self.retries = arrays.integer("retries", settings.get("retries", 3), 0, 1000)
        self.progress, self.stats = options.pop("progress", None), options.pop("stats", None)
        to_c({name: value for name, value in options.items() if name != "d"})  # wrong options raise here, not in every worker
        if self.progress is not None and not callable(self.progress):
            raise ArgumentError(f"progress is {shown(self.progress)}: must be callable")
        if self.stats is not None and not isinstance(self.stats, Stats):
            raise ArgumentError(f"stats is {shown(self.stats)}: must be a ccd.Stats")
        self.folder: ResultsFolder | None = None
        self.source, self.frames, self.settings = source, frames, settings
        self.names = ("x", "x") if call == "near" else ("x0", "x1")
        self.origin: Origin | None = None  # with a folder: of the parts of a scene

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
            chosen = plan(scene, n, apart, _PAIR_WORK.get(self.call, 1.0))
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


def _call(call: str, source: Any, frames: tuple[Any, ...], options: dict[str, Any]) -> Any:
    settings: dict[str, Any] = {name: options.pop(name) for name in _SETTINGS if name in options}
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
    folder = options.pop("folder", None) if call in ("collisions", "near", "candidates") else None
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
        return _CALLS[call](source, options, shared or Least())
    if folder is not None:
        return _to_folder(call, source, frames, folder, settings, dict(options))
    whole = _Whole(call, source, frames, settings, dict(options))
    found = list(whole.results())
    return _combined(call, found, whole.options)


def _combined(call: str, found: list[Any], options: dict[str, Any]) -> Any:
    if not found:
        return _EMPTY[call](options)
    if isinstance(found[0], np.ndarray):  # once, not pair by pair
        return in_order(np.concatenate(found)).view(Records)
    if isinstance(found[0], broad.Candidates):
        return broad.alone(*(sorted_pairs(np.concatenate([one[kind] for one in found])) for kind in Kind))
    best = found[0]
    for one in found[1:]:
        best = reduce(best, one)
    return best


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


def _to_folder(
    call: str, source: Any, frames: tuple[Any, ...], folder: Any, settings: dict[str, Any], options: dict[str, Any]
) -> list[str]:
    """A call whose workers write the results of their parts."""
    whole, place = _Whole(call, source, frames, settings, options), ResultsFolder(folder, call, options)
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
