"""EnSight Gold, read by VTK: parts by their names, steps by their numbers."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from typing import Any

import numpy as np

from ..._inner import files
from ...errors import FileError, UnsupportedError
from .._packages import package
from .._read import Meaning, nodes_of
from ._elements import COUNTS, POLYGON, Block, Rows
from ._recorded import SIX, Found, Recorded, Vectors, digits, single

_MOST = 1 << 20  # bytes of a case file


class EnSight(Recorded):
    """The steps of a case. Each part is a block of VTK's, with a name."""

    adds = True
    kind = "EnSight Gold"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__(path, meaning)
        with files.reading(path), files.opened(path) as file:
            text = file.read(_MOST).decode("latin-1")
        if not re.search(r"^\s*type\s*:\s*ensight\s+gold", text, re.MULTILINE | re.IGNORECASE):
            raise UnsupportedError(f"{path} is no case of EnSight Gold (type: ensight gold)")
        model = re.search(r"^\s*model\s*:(.*)$", text, re.MULTILINE)
        if model is None:
            raise FileError(f"{path} has no line 'model:', which names the file of the geometry")
        for word in ("change_coords_only", "changing_geometry_per_part"):
            if word in text:
                raise UnsupportedError(f"{path} has {word}, which is not read: write the whole geometry of each step")
        if re.search(r"^\s*measured\s*:|^\s*rigid_body\s*:", text, re.MULTILINE):
            raise UnsupportedError(f"{path} has measured or rigid_body geometry, which is not read")
        self._ascii = _is_text(path, model[1].split())
        self.rounded = SIX if self._ascii else self.rounded
        module = package("vtkmodules.vtkIOEnSight", path, "vtk")
        with files.reading(path):
            self.reader: Any = module.vtkEnSightGoldCombinedReader()
            self.reader.SetCaseFileName(path)
            self.reader.UpdateInformation()
            from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

            info = self.reader.GetOutputInformation(0)
            key = Pipeline.TIME_STEPS()
            times = [info.Get(key, k) for k in range(info.Length(key))] if info.Has(key) else []
        self.times = _recorded_times(path, text, times)
        self.list_frames(self.times or [None])
        self.names = list(self._parts(0))
        if not self.names:
            raise FileError(f"{path} has no parts that VTK reads")

    def _parts(self, k: int) -> dict[str, Any]:
        """The parts of a step by their names."""
        if self.times:
            self.reader.UpdateTimeStep(self.times[k])
            self.reader.SetTimeValue(self.times[k])
        self.reader.Update()
        data = self.reader.GetOutputDataObject(0)
        found: dict[str, Any] = {}
        for number, (name, one) in enumerate(_leaves(data), 1):
            if one is None:
                continue
            name = name or f"part {number}"
            if name in found:
                raise FileError(f"{self.path} has two parts of the name {name!r}")
            found[name] = one
        return found

    def frame(self, k: int) -> Found:
        """One step."""
        from vtkmodules.util.numpy_support import vtk_to_numpy

        parts = self._parts(k)
        if new := [name for name in parts if name not in self.names]:
            raise UnsupportedError(f"{self.path}: part {new[0]!r} is not in the first step")
        xs: list[Vectors] = []
        blocks: list[Block] = []
        fields: dict[str, list[Vectors]] = {}
        nodes, first = list[Rows](), 0
        for name, data in parts.items():
            points = vtk_to_numpy(data.GetPoints().GetData()) if data.GetPoints() is not None else np.empty((0, 3))
            values = data.GetPointData()
            ids = values.GetGlobalIds()
            known = np.arange(len(points)) if ids is None else vtk_to_numpy(ids).astype(np.int64)
            order = np.argsort(known, kind="stable")  # a step may list its nodes in another order
            if len(known) != len(points) or (np.diff(known[order]) == 0).any():
                raise FileError(f"{self.path}: part {name!r} has two nodes of one id")
            nodes.append(known[order])
            xs.append(np.asarray(points, np.float64)[order])
            row = np.empty(len(order), np.int64)
            row[order] = np.arange(len(order))
            blocks += _blocks(self.path, self.names.index(name), data, row + first)
            first += len(points)
            for i in range(values.GetNumberOfArrays()):
                array = values.GetArray(i)
                if array is not None and array.GetNumberOfComponents() == 3:
                    fields.setdefault(array.GetName(), []).append(np.asarray(vtk_to_numpy(array), np.float64)[order])
        x = np.vstack(xs)
        half = digits(6, rounded=True) if self._ascii else single
        key = tuple((b.part, b.kind, b.nodes.tobytes(), None if b.sizes is None else b.sizes.tobytes()) for b in blocks)
        whole = {name: np.vstack(rows) for name, rows in fields.items() if sum(map(len, rows)) == len(x)}
        ids = nodes_of(np.concatenate(nodes))
        return Found(x, (key, tuple(parts)), lambda: blocks, (half, half), fields=whole, nodes=ids)


def _recorded_times(path: str, text: str, found: list[float]) -> list[float]:
    """The times of the steps, of those that VTK has: it joins the times of all sets, and holds a set at those of others."""
    section = re.search(
        r"^\s*TIME\s*$(.*?)(?=^\s*(?:FORMAT|GEOMETRY|VARIABLE|FILE|MATERIAL|SCRIPTS)\s*$|\Z)", text, re.M | re.S
    )
    sets = re.findall(r"^\s*time values\s*:([^:]*?)(?=^[^\n:]*:|^\s*TIME\s*$|\Z)", section[1] if section else "", re.M | re.S)
    times = [[float(word) for word in re.sub("#.*", "", one).split()] for one in sets]
    moving = [one for one in times if len(one) > 1]
    if any(one != moving[0] for one in moving):
        raise UnsupportedError(f"{path} has time sets of other times than each other: write geometry and variables together")
    steps = moving[0] if moving else found
    if any(b <= a for a, b in pairwise(steps)):
        raise FileError(f"{path}: the times of its steps do not ascend")
    kept = [time for time in found if time in steps]
    if len(kept) != len(steps):
        raise FileError(f"{path} has {len(steps)} steps, of which VTK has {len(kept)}")
    return kept


def _leaves(data: Any) -> list[tuple[str, Any]]:
    """Data sets and their names, of collections of either kind."""
    found = []
    if data.IsA("vtkPartitionedDataSetCollection"):
        for i in range(data.GetNumberOfPartitionedDataSets()):
            name = data.GetMetaData(i).Get(data.NAME()) if data.HasMetaData(i) and data.GetMetaData(i).Has(data.NAME()) else ""
            parts = data.GetPartitionedDataSet(i)
            count = parts.GetNumberOfPartitions() if parts is not None else 0
            found += [(name if count < 2 else f"{name}/{j}", parts.GetPartition(j)) for j in range(count)]
        return found
    for i in range(data.GetNumberOfBlocks()):
        name = data.GetMetaData(i).Get(data.NAME()) if data.HasMetaData(i) and data.GetMetaData(i).Has(data.NAME()) else ""
        found.append((name, data.GetBlock(i)))
    return found


def _blocks(path: str, part: int, data: Any, row: Rows) -> list[Block]:
    """The cells of a data set of VTK by their types; `row` has where each of its points is."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    if not data.IsA("vtkUnstructuredGrid"):
        raise UnsupportedError(f"{path} has a part that is a {data.GetClassName()}: unstructured parts are read")
    if not data.GetNumberOfCells():
        return []
    types = vtk_to_numpy(data.GetCellTypes() if hasattr(data, "GetDistinctCellTypes") else data.GetCellTypesArray()).astype(
        np.int64
    )
    cells = data.GetCells()
    ends, flat = (vtk_to_numpy(a).astype(np.int64) for a in (cells.GetOffsetsArray(), cells.GetConnectivityArray()))
    ghosts = data.GetCellData().GetArray("vtkGhostType")
    keep = np.ones(len(types), bool) if ghosts is None else vtk_to_numpy(ghosts) & 33 == 0
    found = []
    for kind in np.unique(types[keep]).tolist():
        rows = np.flatnonzero(keep & (types == kind))
        sizes = np.diff(ends)[rows]
        if kind in (1, 2):
            continue
        if kind == POLYGON:
            nodes = np.concatenate([flat[ends[i] : ends[i + 1]] for i in rows])
            found.append(Block(part, POLYGON, row[nodes], sizes))
        elif kind in COUNTS and (sizes == COUNTS[kind]).all():
            found.append(Block(part, kind, row[flat[ends[rows][:, None] + np.arange(COUNTS[kind])]]))
        else:
            raise UnsupportedError(f"{path} has cells of VTK's type {kind}, which are not read here")
    return found


def _is_text(path: str, words: list[str]) -> bool:
    """Whether the geometry is text: its first line says so where it is not."""
    names = [word for word in words if not word.isdigit()]
    if not names:
        raise FileError(f"{path} names no file of its geometry")
    name = os.path.join(os.path.dirname(path), names[0].strip('"'))
    if "*" in name:
        folder, pattern = os.path.split(name)
        form = re.compile(re.escape(pattern).replace(r"\*", r"\d"))
        matches = sorted(one for one in os.listdir(folder or ".") if form.fullmatch(one))
        if not matches:
            raise FileError(f"{path}: no file is named as {pattern}")
        name = os.path.join(folder, matches[0])
    with files.opened(name) as file:
        return not file.read(80).lower().lstrip(b"\0 \t").startswith(
            (b"c binary", b"fortran binary")
        ) and b"inary" not in _head(name)


def _head(name: str) -> bytes:
    with files.opened(name) as file:
        return file.read(84)
