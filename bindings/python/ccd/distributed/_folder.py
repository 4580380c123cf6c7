"""Results in files: Parquet, one file a part, and a manifest that says of which call and which parts.

The manifest, ``impacts.json``, is written before the first part. Each file of results has a copy of it in its metadata, so
some files alone say of what they are a part.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import pathlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import broad
from .._inner import files
from .._inner.errors import from_os, shown
from .._inner.records import Records, columns
from ..broad import Candidates
from ..errors import ArgumentError, FileError
from ..impact import Kind, impact_dtype
from ..proximity import near_pair_dtype
from ._part import Origin, Part
from ._reduce import in_order, sorted_pairs
from ._rows import Rows

_MOST_PARTS = 1 << 20  # `plan` takes as many
_FILES = {"collisions": "impacts", "near": "near", "candidates": "candidates"}
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def _parquet() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("results in Parquet need pyarrow: pip install pyarrow") from error
    return pyarrow


class ResultsFolder:
    """A folder with the results of each part for one call. It can be pickled."""

    def __init__(self, folder: Any, call: str, options: dict[str, Any]):
        self.folder, self.name = os.path.abspath(os.fspath(folder)), _FILES[call]
        _parquet()
        try:
            os.makedirs(self.folder, exist_ok=True)
        except OSError as error:
            raise from_os(self.folder, error) from None
        same = "threads", "stats", "progress", "memory_limit"  # bits of results do not depend on these
        self.run: dict[str, Any] = {"format": 1, "call": call}
        self.run["options"] = {name: repr(options[name]) for name in sorted(options) if name not in same}

    def path(self, index: int) -> str:
        """The file of a part."""
        return os.path.join(self.folder, f"{self.name}-{index:05d}.parquet")

    def begin(self, origin: Origin | None, numbers: list[int]) -> None:
        """Write the manifest; raise where the folder has one of another call.

        The parts are those of the plan, of which some are computed now, or, where no plan is known, those that are given.
        """
        self.run["parts"] = sorted(numbers) if origin is None else origin.count
        self.run |= {"scene": origin and origin.scene, "plan": origin and origin.plan}
        path = manifest_path(self.folder, self.name)
        if os.path.exists(path):
            self._compare(path, _manifest(path))
        else:
            self._manifest(False)

    def _compare(self, path: str, held: dict[str, Any]) -> None:
        """Raise where a file is of another call; held is the manifest in it."""
        if held.get("options") != self.run["options"]:
            raise ArgumentError(f"folder: {path} has results of other options; choose another folder or remove it")
        if any(held.get(name) != self.run[name] for name in ("scene", "plan", "parts")):
            raise ArgumentError(f"folder: {path} has results of another scene or plan; choose another folder or remove it")

    def _manifest(self, complete: bool) -> None:
        text = json.dumps(self.run | {"complete": complete}, indent=1) + "\n"
        path = manifest_path(self.folder, self.name)
        self._appear(path, f"{self.name}-json-", lambda new: pathlib.Path(new).write_text(text, encoding="utf-8"))

    def has(self, index: int, identity: Any) -> bool:
        """Whether the results of a part are there; raises where they are of other options or of another part.

        identity() is that of the part, which is computed only where a file is there.
        """
        path = self.path(index)
        if not os.path.exists(path):
            return False
        parquet = _parquet().parquet
        with files.reading(path):
            held = parquet.read_schema(path).metadata or {}
        self._compare(path, _run(path, held) or {})
        if held.get(b"ccd_part", b"").decode() != identity():
            raise ArgumentError(f"folder: {path} has results of another scene or plan; choose another folder or remove it")
        return True

    def write(self, index: int, identity: str, found: Any) -> str:
        """Write the results of a part; the file appears when it is complete."""
        pyarrow, path = _parquet(), self.path(index)
        about = {"ccd_run": json.dumps(self.run), "ccd_index": str(index), "ccd_part": identity}
        table = pyarrow.table(_columns(found)).replace_schema_metadata(about)
        self._appear(path, f"{self.name}-{index:05d}-", lambda new: pyarrow.parquet.write_table(table, new))
        return path

    def _appear(self, path: str, prefix: str, write: Callable[[str], object]) -> None:
        """Write a file, which appears when it is complete."""
        try:
            handle, new = files.beside(self.folder, prefix)
            os.close(handle)
            try:
                write(new)
                os.replace(new, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.remove(new)
                raise
        except OSError as error:
            raise from_os(path, error) from None

    def end(self, numbers: list[int]) -> list[str]:
        """Remove what killed workers left of some parts, note whether all parts are there, and return the parts' files."""
        for name in ["json", *(f"{index:05d}" for index in numbers)]:
            for left in glob.glob(os.path.join(glob.escape(self.folder), f"{self.name}-{name}-*.tmp")):
                with contextlib.suppress(OSError):
                    os.remove(left)
        if all(os.path.exists(self.path(index)) for index in _numbers(self.run)):
            self._manifest(True)
        return [self.path(index) for index in sorted(numbers)]


def manifest_path(folder: str, name: str) -> str:
    """The manifest of some results in a folder."""
    return os.path.join(folder, f"{name}.json")


def _manifest(path: str) -> dict[str, Any]:
    found = files.load(path)
    try:
        return _checked(found)
    except Exception as error:
        raise FileError(f"{path} is no manifest of results: {error}") from None


def _run(path: str, metadata: dict[bytes, bytes]) -> dict[str, Any] | None:
    """The manifest in the metadata of a file; None where there is none."""
    if b"ccd_run" not in metadata:
        return None
    try:
        return _checked(files.parse(path, metadata[b"ccd_run"]) | {"index": int(metadata[b"ccd_index"])})
    except FileError:
        raise
    except Exception as error:
        raise FileError(f"{path} has metadata of no file of results: {error}") from None


def _checked(run: Any) -> dict[str, Any]:
    wanted = ("call", str), ("options", dict), ("parts", (int, list)), ("scene", (str, type(None))), ("plan", (str, type(None)))
    if not isinstance(run, dict):
        raise ValueError("it is no object")
    for name, kind in wanted:
        if name not in run:
            raise ValueError(f"it has no {name}")
        if not isinstance(run[name], kind):
            raise ValueError(f"{name} is {shown(run[name])}")
    if isinstance(run["parts"], int) and not 0 <= run["parts"] <= _MOST_PARTS:
        raise ValueError(f"parts is {shown(run['parts'])}: must be at most {_MOST_PARTS}")
    return dict(run)


def _numbers(run: dict[str, Any]) -> Iterable[int]:
    """The numbers of all parts of a call."""
    parts: Any = run["parts"]
    return range(parts) if isinstance(parts, int) else parts


def identity(part: Part) -> str:
    """A hash of all that the results of a part depend on, but the options."""
    found = hashlib.sha256(repr((part.index, part.reach, part.region.lo, part.region.hi)).encode())
    named = {name: getattr(part, name) for name in part.__dataclass_fields__}
    named |= {f"excluded_{kind}": pairs for kind, pairs in part.excluded.items()}
    for name in sorted(named):
        if isinstance(named[name], np.ndarray):
            found.update(f"{name} {Rows(named[name]).identity()}".encode())
    return found.hexdigest()


def _columns(found: Any) -> dict[str, NDArray[Any]]:
    """Results as columns."""
    if not isinstance(found, Candidates):
        return columns(found)
    pairs = np.concatenate([found[kind] for kind in Kind])
    kinds = np.repeat(np.array(list(Kind), np.int32), [len(found[kind]) for kind in Kind])
    return {"kind": kinds, "a": pairs[:, 0].copy(), "b": pairs[:, 1].copy()}


def _tables(paths: Paths, name: str, wanted: Iterable[str], partial: bool) -> Iterator[Any]:
    """The tables of a folder, of a file or of several files; raises where parts are missing, unless partial is set."""
    run = None
    listed: list[str | os.PathLike[str]] = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if len(listed) == 1 and os.path.isdir(listed[0]):
        folder = os.fspath(listed[0])
        listed = list(sorted(glob.glob(os.path.join(glob.escape(folder), f"{name}-*.parquet"))))
        about = manifest_path(folder, name)
        if os.path.exists(about):
            run = about, _manifest(about)
        elif not partial:
            raise ArgumentError(f"{folder} has no {name}.json, which a call writes first; partial=True reads the files there")
    opened = []
    for one in listed:
        path = os.fspath(one)
        with _opened(path) as file:
            opened.append((path, file.schema_arrow))
            rows = file.metadata.num_rows
        width = 0
        for column in wanted:
            if column not in opened[-1][1].names:
                raise ArgumentError(f"{path} has no column {column}")
            width += _width(path, opened[-1][1].field(column))
        files.check_declared(path, os.stat(path).st_size, rows * width, "the file")
    _check_whole(opened, run, partial)
    for path, _ in opened:
        with _opened(path) as file, files.reading(path):
            table = file.read(columns=list(wanted))
        yield table


def _width(path: str, field: Any) -> int:
    """Bytes of one number of a column."""
    kind: np.dtype[Any] = np.dtype(field.type.to_pandas_dtype())
    if kind.kind not in "iufb":
        raise FileError(f"{path}: column {field.name} is of type {field.type}: must be numbers")
    return kind.itemsize


def _opened(path: str) -> Any:
    parquet = _parquet().parquet
    with files.reading(path):
        return parquet.ParquetFile(path)


def _check_whole(files: list[tuple[str, Any]], run: tuple[str, dict[str, Any]] | None, partial: bool) -> None:
    """Raise where files are of two calls or of one part; and, unless partial is set, where parts of their call are missing."""
    found: dict[int, str] = {}
    for path, schema in files:
        held = _run(path, schema.metadata or {})
        if held is None:
            if not partial:
                raise ArgumentError(f"{path} does not say of which scene and part it is; partial=True reads it")
            continue
        first, of = run = run or (path, held)
        if any(held[name] != of[name] for name in ("call", "options", "scene", "plan", "parts")):
            raise ArgumentError(f"{path} has results of another scene, plan or options than {first}")
        if held["index"] in found:
            raise ArgumentError(f"{path} has the results of part {held['index']}, as has {found[held['index']]}")
        found[held["index"]] = path
    if partial:
        return
    if run is None:
        raise ArgumentError("paths is empty: no file says what the whole is; partial=True returns nothing")
    missing = [index for index in _numbers(run[1]) if index not in found]
    if missing:
        raise ArgumentError(
            f"paths lacks {_runs(missing)} of {len(list(_numbers(run[1])))} parts; repeat the call with its folder, which "
            "computes these alone, or read what is there with partial=True"
        )


def _runs(numbers: list[int]) -> str:
    """Ascending numbers as text: part 3, 5-9, 12; at most eight of these, and how many more numbers there are."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    more = sum(run[-1] - run[0] + 1 for run in runs[8:])
    text = "part " + ", ".join("-".join(map(str, run)) for run in runs[:8])
    return f"{text} and {more} more" if more else text


def _records(paths: Paths, name: str, dtype: np.dtype[np.void], partial: bool) -> NDArray[np.void]:
    parts = [np.empty(0, dtype)]
    for table in _tables(paths, name, columns(parts[0]), partial):
        found = np.zeros(table.num_rows, dtype)
        for key, column in columns(found).items():
            column[:] = table[key].to_numpy()
        parts.append(found)
    return in_order(np.concatenate(parts)).view(Records)


def read_impacts(paths: Paths, partial: bool = False) -> NDArray[np.void]:
    """Read the impacts that `collisions` wrote to a folder.

    Any reader of Parquet reads the files too, in parts: their columns are those of `ccd.columns`.

    Parameters
    ----------
    paths : path or iterable of path
        A folder, one of its files, or several.
    partial : bool, default False
        Read what is there. By default missing parts are an error, which names them.

    Returns
    -------
    numpy.ndarray
        Impacts (m,) of `ccd.impact_dtype`, in the order of `ccd.step.collisions`.

    Raises
    ------
    FileError
        A file cannot be opened or is malformed, or there is no such folder.
    ArgumentError
        Parts are missing and `partial` is not set, files are of two calls or of one part, or a file has other columns.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> len(cd.read_impacts([], partial=True))
    0
    """
    return _records(paths, "impacts", impact_dtype, partial)


def read_near(paths: Paths, partial: bool = False) -> NDArray[np.void]:
    """Read the near pairs that `near` wrote to a folder.

    Parameters
    ----------
    paths : path or iterable of path
        A folder, one of its files, or several.
    partial : bool, default False
        Read what is there. By default missing parts are an error, which names them.

    Returns
    -------
    numpy.ndarray
        Pairs (m,) of `ccd.proximity.near_pair_dtype`, in the order of `ccd.proximity.near`.

    Raises
    ------
    FileError
        A file cannot be opened or is malformed, or there is no such folder.
    ArgumentError
        Parts are missing and `partial` is not set, files are of two calls or of one part, or a file has other columns.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> len(cd.read_near([], partial=True))
    0
    """
    return _records(paths, "near", near_pair_dtype, partial)


def read_candidates(paths: Paths, partial: bool = False) -> Candidates:
    """Read the candidate pairs that `candidates` wrote to a folder.

    Parameters
    ----------
    paths : path or iterable of path
        A folder, one of its files, or several.
    partial : bool, default False
        Read what is there. By default missing parts are an error, which names them.

    Returns
    -------
    Candidates
        The pairs, as `candidates` returns them without a folder.

    Raises
    ------
    FileError
        A file cannot be opened or is malformed, or there is no such folder.
    ArgumentError
        Parts are missing and `partial` is not set, files are of two calls or of one part, or a file has other columns.

    Examples
    --------
    >>> import ccd.distributed as cd
    >>> len(cd.read_candidates([], partial=True))
    0
    """
    parts = [np.empty((0, 3), np.int64)]
    for table in _tables(paths, "candidates", ("kind", "a", "b"), partial):
        parts.append(np.stack([table[name].to_numpy() for name in ("kind", "a", "b")], 1).astype(np.int64))
    every = np.concatenate(parts)
    return broad.alone(*(sorted_pairs(every[every[:, 0] == int(kind), 1:]) for kind in Kind))
