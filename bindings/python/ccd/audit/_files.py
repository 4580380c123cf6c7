"""The audit of a sequence in files, stretch by stretch: where the topology changes, a new stretch begins."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._inner import arrays
from .._inner.files import file_name
from ..errors import ArgumentError
from ..mesh import Mesh
from . import _audit, _films, _read, _saved, _step
from ._audit import Catch, Held, Progress, Shot
from ._films._frames import FilmReader
from ._listing import Item, expand, is_pattern, items, side_by_side
from ._objects import named
from ._read import Meaning, Snapshot, Stillness
from ._results import Frame, Report, StepResult
from ._scene import Scene, checked_threads
from ._sources import OneEach, decks, is_array, is_deck, is_frames, source
from ._sources import address as frame_address

_MOST = 1e150  # the largest length
_EVERY = 10.0  # seconds between two writings of what is known


@dataclass
class Audited:
    """The audit of files while it runs: its report, and what pages and files of events need."""

    report: Report
    left_out: dict[str, dict[str, int]] = field(default_factory=dict)
    frames: int = 0  # number of frames
    counts: tuple[int, int, int] = (0, 0, 0)  # vertices, edges, faces of the last stretch


@dataclass
class Settings:
    """What is asked for, besides the files."""

    min_separation: float = 0.0
    radius: ArrayLike | None = None
    rounding: bool = False
    skip: Sequence[tuple[str, str]] = ()
    self_collisions: bool = True
    distances: bool = True
    threads: int = 0


@dataclass
class _State:
    reader: Any
    still: Stillness
    settings: Settings
    audited: Audited
    begin: int = 0  # number of the first frame of the stretch
    held: Held = field(default_factory=Held)
    earlier: tuple[int, _step.Before] = field(default_factory=lambda: (0, _step.Before()))  # the stretch before, and its end
    pending: tuple[Snapshot, str] | None = None  # the frame that begins the next stretch, and why
    last: Snapshot | None = None
    digests: list[str] | None = None  # Each frame has one, if the audit is kept.

    def read(self, number: int) -> Snapshot:
        """The frame of a number, and its digest if the audit is kept."""
        item, self.reader.number = self.reader.items[number], number
        digest = "" if self.digests is None else _digest(self.reader, item)
        found: Snapshot = self.reader.snapshot(item)
        if self.digests is not None:
            found.read = digest or found.digest()
        return found

    def shots(self, first: Snapshot, rest: Iterator[Snapshot]) -> Iterator[Shot]:
        """The frames of one stretch."""
        self.pending = None
        yield self._shot(first, "")
        for found in rest:
            last = self.last
            assert last is not None
            why = found.differs(first)
            if why:
                self.pending = (found, why)
                return
            self.still.step(last, found)
            if self.still.moved and not self.reader.memory.moved:
                self.reader.memory.moved.append((self.reader.number,))
            yield self._shot(found, _read.reordered(last, found))

    def _shot(self, found: Snapshot, note: str) -> Shot:
        memory = self.reader.memory
        if self.settings.rounding and memory.single is not None and np.abs(found.x).max(initial=0.0) > memory.largest:
            raise ArgumentError(
                f"rounding: {found.item.name} has coordinates above {memory.largest:g}, twice the largest of the first frame: "
                "give a radius instead"
            )
        self.reader.rounded_as(found)
        self.last = found
        memory.deviate(self.reader.number, found.deviation)
        if self.digests is not None and len(self.digests) == self.reader.number:
            self.digests.append(found.read)
        return Shot(found.x, found.item.name, found.item.time, note)

    def known(self) -> _saved.Saved:
        """What is known up to the last frame that is in the report with the step to it."""
        report, (number, before) = self.audited.report, self.held.known
        count, begin, counts = number + 1, self.begin, self.audited.counts  # counts are used if it is complete
        if before is None:  # the first frame of a stretch is in work
            begin, before = self.earlier
        known = Report(report.frames[:count], report.steps[: max(0, number)], report.complete, report.notes)
        return _saved.Saved(known, before.carried, begin, counts, (self.digests or [])[:count], self.reader.memory.until(count))

    def resume(self, old: _saved.Saved) -> Snapshot:
        """Go on where an earlier run was stopped; returns the first frame of the stretch there."""
        self.audited.report.frames, self.audited.report.steps = old.report.frames, old.report.steps
        number = len(old.report.frames) - 1
        self.begin, self.digests = old.begin, old.digests
        self.held.known = number, _step.Before(carried=old.carried)
        self.still.moved = bool(old.memory.moved)
        self.reader.resume(old.memory.until(old.begin + 1))
        first: Snapshot = self.reader.snapshot(self.reader.items[old.begin])
        self.reader.resume(old.memory)
        return first

    def remarks(self) -> None:
        """Set remarks of the files, and what is left out of them, to those of the frames that are in the report."""
        memory = self.reader.memory.until(len(self.audited.report.frames))
        self.audited.report.notes[:] = [f"{path}: {text}" for _, path, text in memory.notes]
        self.audited.left_out = {path: left_out for _, path, left_out in memory.left_out}


def files(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    displacement: str | None = None,
    weld: bool = False,
    points_are: str | None = None,
    mesh: str | os.PathLike[str] | None = None,
    animation: str | None = None,
    beside: Sequence[str | os.PathLike[str]] = (),
    min_separation: float = 0.0,
    radius: ArrayLike | None = None,
    rounding: bool = False,
    skip: Iterable[tuple[str, str]] = (),
    self_collisions: bool = True,
    distances: bool = True,
    threads: int = 0,
    progress: Progress | None = None,
    resume: str | os.PathLike[str] | None = None,
) -> Report:
    """Audit the frames of a sequence in files: what crosses in each, and what every step between two let pass, with proof.

    Parameters
    ----------
    paths : path or sequence of paths
        Files of one frame each, in order, or a pattern such as ``'out/*.vtu'``; or one file that lists frames: PVD, .series;
        or arrays: .npy, .npz, HDF5, Zarr, VTKHDF; or a film: glTF, USD, Alembic, PC2, MDD; or results of a solver: d3plot,
        Exodus, FRD, OP2, EnSight, CGNS, the folder of an OpenFOAM case. A file that `ccd.read` reads is a frame, and so is a
        .vtm of several, or an input deck of Abaqus or Nastran. ``'run.exo[3]'`` is frame 3 of a
        file: where one is named so, all must be.
    displacement : str, optional
        Name of point data that is added to the points: of files that hold rest positions.
    weld : bool, default False
        Whether to join points that are copies of each other in the first frame: of files with points for each element.
    points_are : {'positions', 'rest'} or None, optional
        What points of files with vector data are. None: an error where nothing moves but the vectors change.
    mesh : path, optional
        A file with the faces, for positions alone: a .npy (frames, n, 3), a PC2 or MDD cache; the deck of an OP2 that has no
        mesh.
    animation : str, optional
        The animation of a film whose file names several, glTF: its name or number, or ``'*'`` for all at once.
    beside : sequence of paths, default ()
        Sequences of other objects of the scene, in files of meshes: a pattern each, with as many frames, or one file of what
        stands still. Objects have the names of their files, without the number at the end; vertices follow each other.
    min_separation : float, default 0.0
        A length: pairs that come within it, beside radii, are near.
    radius : array_like, optional
        A radius for all vertices, or one for each, (n,).
    rounding : bool, default False
        Whether the rounding of files in single precision is added to the radii: steps that are separate then are so for every
        position that the file may stand for.
    skip : iterable of tuple of str
        Pairs of names of objects that do not count.
    self_collisions : bool, default True
        Whether objects count with themselves.
    distances : bool, default True
        Whether to compute the least distance of each frame, unless pairs are skipped.
    threads : int, default 0
        Number of threads; 0 is as many as this process may use.
    progress : callable, optional
        Called with each `Frame`, and the `StepResult` of the step that leads to it, None for the first of a stretch. A true
        result ends the audit.
    resume : path, optional
        A file that keeps what is known; if it is there, the audit goes on from it.

    Returns
    -------
    Report
        Frames, steps, events, and remarks on the files. After Ctrl-C, `KeyboardInterrupt` has it as its attribute ``report``.

    Raises
    ------
    FileError
        A file cannot be read; the message names it.
    ArgumentError
        What numbers in a file mean is not clear, or an argument is out of range.
    UnsupportedError
        A format, or something in a file, is not read; the message names it.

    See Also
    --------
    frames : Frames in arrays.

    Notes
    -----
    Frames are read one after the other, and two are held for each step in work. Objects are parts that the files name, else
    objects of an OBJ file, else connected components.

    Examples
    --------
    >>> import os, tempfile, numpy as np, ccd
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    >>> fall = np.outer([0, 0, 0, 1, 1, 1], [0, 0, -0.75])
    >>> path = os.path.join(tempfile.mkdtemp(), "run.npz")
    >>> np.savez(path, frames=[x + k * fall for k in range(4)], faces=[[0, 1, 2], [3, 4, 5]])
    >>> report = ccd.audit.files(path)
    >>> [str(step.verdict) for step in report.steps], report.frames[1].name
    (['separate', 'passed through', 'separate'], 'run.npz[1]')
    """
    settings = Settings(min_separation, radius, rounding, tuple(skip), self_collisions, distances, threads)
    audited = Audited(Report())
    try:
        run(
            audited, paths, Meaning(displacement, weld, points_are, animation),
            None if mesh is None else os.fsdecode(mesh), settings, progress, None if resume is None else os.fsdecode(resume),
            beside=beside,
        )  # fmt: skip
    except KeyboardInterrupt as stop:
        stop.report = audited.report  # type: ignore[attr-defined]
        raise
    return audited.report


def _names(argument: str, paths: Any) -> list[str]:
    """Paths as text; one alone stands for a list of it."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        return [os.fsdecode(paths)]
    return [file_name(f"{argument}[{k}]", path) for k, path in enumerate(arrays.several(argument, paths, "files"))]


def opened(paths: Any, meaning: Meaning, mesh: str | None, beside: Any = ()) -> Any:
    """The source of the frames in files."""
    given, others = _names("paths", paths), _names("beside", beside)
    if not given:
        raise ArgumentError("paths names no file")
    names = expand(given)
    if others:
        return _scene_of(given, names, others, meaning, mesh)
    if films := [name for name in names if _films.is_film(name)]:
        if len(films) < len(names):
            raise ArgumentError(f"{films[0]} is a film, and other files are not: give films alone")
        return FilmReader(names, meaning, mesh)
    if any(number is not None for _, number in map(frame_address, names)):
        return _chosen(names, meaning, mesh)
    if meaning.animation is not None:
        raise ArgumentError(f"animation: {names[0]} takes none: it is for films whose files name animations: glTF")
    if len(names) == 1 and is_array(names[0]):
        return source(names[0], meaning, mesh)
    if mesh is None and all(is_array(name) and is_frames(name) for name in names):
        return OneEach(names, meaning)
    if wrong := [name for name in names if is_array(name)]:
        raise ArgumentError(f"{wrong[0]} holds the frames of a whole sequence: give it alone")
    if mesh is not None:
        raise ArgumentError("mesh is for arrays of positions: files of meshes have their faces")
    return decks(names, meaning) or _read.Reader(items(names), meaning)


def _scene_of(given: list[str], names: list[str], others: list[str], meaning: Meaning, mesh: str | None) -> Any:
    """The frames of several sequences, side by side."""
    for name in [*names, *expand(others)]:
        if mesh is not None or _films.is_film(name) or is_array(name) or is_deck(name) or frame_address(name)[1] is not None:
            raise ArgumentError(
                f"beside: {name} is no file of one mesh; a file of all frames is read alone, with all its objects"
            )
    return _read.Reader(side_by_side(given, others), meaning)


def _chosen(names: Sequence[str], meaning: Meaning, mesh: str | None) -> Any:
    """The frames of one file that addresses name, in their order."""
    found = [frame_address(name) for name in names]
    path = found[0][0]
    numbers = []
    for name, (file, number) in zip(names, found):
        if file != path or number is None:
            raise ArgumentError(
                f"{name} is no frame of {path}: where one frame is named by its number, all must be, of one file"
            )
        numbers.append(number)
    reader = opened(path, meaning, mesh)
    count = len(reader.items)
    for name, number in zip(names, numbers):
        if number >= count:
            raise ArgumentError(f"{name}: {path} has {count:,} frames: their numbers are from 0 to {count - 1}")
    reader.items = [reader.items[number] for number in numbers]
    return reader


def run(
    audited: Audited, paths: Any, meaning: Meaning, mesh: str | None, settings: Settings, progress: Progress | None,
    resume: str | None = None, catch: Catch | None = None, beside: Any = (),
) -> None:  # fmt: skip
    """Audit files into a report."""
    _checked(settings)
    still = Stillness(meaning)
    reader = opened(paths, meaning, mesh, beside)
    if not reader.items:
        raise ArgumentError(
            f"paths: {os.fsdecode(paths if isinstance(paths, (str, bytes, os.PathLike)) else paths[0])} has no frames"
        )
    audited.frames = len(reader.items)
    state, report = _State(reader, still, settings, audited), audited.report
    kept = _fingerprint(meaning, mesh, settings)
    saved, first = time.monotonic(), None

    if resume is not None:
        state.digests = []
    if resume is not None and os.path.exists(resume):
        old = _saved.load(resume, kept)
        _check_frames(resume, old, reader)
        if old.report.complete and len(old.report.frames) == len(reader.items):
            report.frames, report.steps, report.complete = old.report.frames, old.report.steps, True
            audited.counts, reader.memory = old.counts, old.memory
            state.remarks()
            report.notes[:] = old.report.notes
            return
        if old.report.frames:
            first = state.resume(old)

    def keep() -> None:
        if resume is not None:
            _saved.save(resume, kept, state.known())

    def each(frame: Frame, step: StepResult | None) -> bool:
        nonlocal saved
        if resume is not None and time.monotonic() - saved > _EVERY:
            keep()
            saved = time.monotonic()
        return bool(progress(frame, step)) if progress is not None else False

    try:
        report.complete = _stretches(state, first, each, catch)
        state.remarks()
        _conclude(state, meaning)
        if len(given := _names("paths", paths)) > 1 and all(map(is_pattern, given)):
            report.notes.append(
                f"{' and '.join(given)} are one sequence, one after the other; objects at the same times are named by --beside"
            )
    except BaseException:
        report.complete = False
        state.remarks()
        raise
    finally:
        keep()


def _stretches(state: _State, first: Snapshot | None, each: Progress, catch: Catch | None) -> bool:
    """Audit what is left; `first` is the first frame of the stretch that goes on, if one does."""
    reader, report, settings, held = state.reader, state.audited.report, state.settings, state.held
    snapshots = (state.read(number) for number in range(max(0, held.known[0]), len(reader.items)))
    current = next(snapshots)
    state.still.begin(current)
    if first is not None and (why := current.differs(first)):
        raise ArgumentError(f"{current.item.name} is not the frame that was audited before: {why}")
    topology = current if first is None else first
    while True:
        scene = _scene(state, topology)
        if held.before is not None and not len(held.before.crossing):
            held.before.crossing = _step.at_frame(scene, current.x, settings.threads)[0]
        shots = state.shots(current, snapshots)
        options: Any = {"ahead": True, "held": held, "catch": catch}
        ended = _audit.stretch(report, scene, shots, settings.threads, settings.distances, each, **options)
        if not ended or state.pending is None:
            return ended
        current, why = state.pending
        topology = current
        number, before = held.known
        assert before is not None
        state.earlier = state.begin, before
        report.steps.append(_step.unproven(number, why))
        held.known = number, None
        state.begin = number + 1


def _scene(state: _State, first: Snapshot) -> Scene:
    """What is audited in a stretch, with its radii and names."""
    settings, audited = state.settings, state.audited
    mesh = first.mesh()
    audited.counts = mesh.counts
    radii = np.zeros(mesh.counts[0])
    if settings.radius is not None:
        given = np.asarray(arrays.to_array("radius", settings.radius), np.float64)
        if given.shape not in ((), (1,), radii.shape):
            raise ArgumentError(f"radius has shape {given.shape}: must be one number, or {len(radii)} for the vertices")
        radii = radii + given
    memory = state.reader.memory
    if not memory.largest:
        memory.rounding.append((state.begin, *state.reader.room(first, settings.rounding)))
    if settings.rounding and memory.single is not None:
        radii = radii + memory.single
    if radii.any():
        mesh.set_radii(radii)
    objects, names = _objects(state, first, mesh)
    return Scene(mesh, settings.min_separation, objects, names, settings.skip, settings.self_collisions)


def _objects(state: _State, first: Snapshot, mesh: Mesh) -> tuple[NDArray[np.int64] | None, list[str] | None]:
    if getattr(state.reader, "part", None) is not None:
        return state.reader.part, state.reader.names
    if len(first.names) > 1:
        return first.part, first.names
    return named(first.item.parts[0][1], len(first.x), mesh.edges)


def _fingerprint(meaning: Meaning, mesh: str | None, settings: Settings) -> dict[str, Any]:
    """What must be the same for an audit to be resumed, besides the frames."""
    radius = None if settings.radius is None else np.asarray(settings.radius).tolist()
    return {
        **asdict(meaning), "mesh": mesh, "min_separation": settings.min_separation,
        "radius": radius, "rounding": settings.rounding, "skip": [list(pair) for pair in settings.skip],
        "self_collisions": settings.self_collisions, "distances": settings.distances,
    }  # fmt: skip


def _digest(reader: Any, item: Item) -> str:
    """A digest of the files of a frame; empty where a file holds all frames: that of the snapshot counts."""
    return reader.digest(item) if isinstance(reader, _read.Reader) else ""


def _check_frames(resume: str, old: _saved.Saved, reader: Any) -> None:
    """Refuse to go on where frames that were audited are gone, or hold other numbers now. New ones may follow them."""
    names = [frame.name for frame in old.report.frames]
    if names != [item.name for item in reader.items[: len(names)]]:
        raise ArgumentError(f"{resume} is of another audit: its frames are not the first of this one; delete it to begin anew")
    for item, known in zip(reader.items, old.digests):
        if (_digest(reader, item) or reader.snapshot(item).digest()) != known:
            raise ArgumentError(f"{resume} is of another audit: {item.name} holds other data now; delete it to begin anew")


def _checked(settings: Settings) -> None:
    """Refuse options that are out of range before anything is read."""
    checked_threads(settings.threads)
    arrays.within("min_separation", settings.min_separation, f"[0, {_MOST}]", f"a number from 0 to {_MOST:g}")
    if settings.radius is not None:
        given = arrays.doubles("radius", settings.radius).reshape(-1)
        wrong = np.flatnonzero(~((given >= 0) & (given <= _MOST)))
        if len(wrong):
            which = "" if len(given) == 1 else f"[{wrong[0]}]"
            raise ArgumentError(f"radius{which} is {given[wrong[0]]}: must be a number from 0 to {_MOST:g}")


def _conclude(state: _State, meaning: Meaning) -> None:
    """Remarks at the end."""
    report, last = state.audited.report, state.last
    memory = state.reader.memory.until(len(report.frames))
    if len(report.frames) == 1 and report.complete:
        report.notes.append("there is one frame, and no step to audit")
    if len(report.frames) > 1 and not memory.moved and last is not None and len(report.frames) - 1 > state.begin:
        text = "nothing moves: all vertices are where they are in the first frame"
        known = _read.vectors(last.fields)
        if known and meaning.displacement is None:
            text += f"; the files have the vectors {', '.join(known[:5])}, and --displacement adds one"
        report.notes.append(text)
    if memory.deviation > 0:
        most = f"{memory.deviation * (1 + 5e-3):.3g}"  # rounded to three digits, it is not below
        report.notes.append(
            f"curved elements are audited as flat triangles between their nodes, at most {most} from them: "
            f"with --radius {most} what is separate is so for them too"
        )
    if memory.single is not None:
        size = memory.single
        taken = "which is taken as a radius" if state.settings.rounding else "--rounding takes it as a radius"
        how = state.reader.rounded
        report.notes.append(f"positions are {how}: each may be off by up to {size:.3g}, two by {2 * size:.3g}; {taken}")
