"""VTKHDF files: unstructured grids and polydata, step k by its number; without steps the file is one frame."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import volume
from .._inner import files, polygons
from .._inner.volumes import boundary
from ..errors import ArgumentError, FileError, UnsupportedError
from ..files import Surface
from ._listing import Item
from ._memory import Remembering
from ._read import Meaning, Snapshot, rounding
from ._solvers._elements import COUNTS, POLYGON, Block, Skin, skin

_LINE, _POLYLINE, _VERTEX, _POLYVERTEX, _STRIP, _POLYGON = 3, 4, 1, 2, 6, 7
_SOLID = {int(e) for e in volume.Element}
_CURVED = set(COUNTS) - _SOLID - {_LINE}  # cells of order 2
_Surface = tuple[Surface, Skin | None]  # the surface, and what bounds how far curved faces are from it


class VTKHDF(Remembering):
    """The steps of a VTKHDF file. Offsets may repeat: what does not change is stored once."""

    def __init__(self, path: str, root: Any, meaning: Meaning):
        super().__init__()
        self.path, self.root, self.meaning = path, root, meaning
        kind = root.attrs.get("Type", b"")
        self.kind = kind.decode() if isinstance(kind, bytes) else str(kind)
        if self.kind not in ("UnstructuredGrid", "PolyData"):
            raise UnsupportedError(f"{path} is VTKHDF of type {self.kind!r}: UnstructuredGrid and PolyData are read")
        name, self.steps = os.path.basename(path), root.get("Steps", {})
        if "Steps" not in root:
            if len(root["NumberOfPoints"]) != 1:
                count = len(root["NumberOfPoints"])
                raise UnsupportedError(f"{path} has {count} parts; one is read: write it from one process")
            if len(root["Points"]) != (n := int(root["NumberOfPoints"][0])):
                raise FileError(f"{path} has no Steps, and {len(root['Points'])} points where NumberOfPoints says {n}")
            self.items = [Item(name, None, (("", "0"),))]
            return
        count, times = int(self.steps.attrs["NSteps"]), np.asarray(self.steps["Values"])
        if times.shape != (count,):
            raise FileError(f"{path}: NSteps is {count}, and Values has shape {times.shape}")
        self.items = [Item(f"{name}[{k}]", float(times[k]), (("", str(k)),)) for k in range(count)]

    def _step(self, name: str, k: int, default: int = 0) -> int:
        if name not in self.steps:
            return default
        value = np.asarray(self.steps[name][k]).reshape(-1)
        return int(value[0])

    def snapshot(self, item: Item) -> Snapshot:
        """One frame."""
        k, root = int(item.parts[0][1]), self.root
        with files.reading(self.path):
            part, parts = self._step("PartOffsets", k, k), self._step("NumberOfParts", k, 1)
            if parts != 1:
                raise UnsupportedError(f"{self.path}: step {k} has {parts} parts; one is read: write it from one process")
            at = self._step("PointOffsets", k)
            n = int(root["NumberOfPoints"][part])
            x = np.array(root["Points"][at : at + n], np.float64)
            fields = self._fields(k, n)
            found = self._polydata(k, part, x) if self.kind == "PolyData" else self._grid(k, part, x)
        surface, curved = found
        files.coordinates(f"{self.path}: step {k}", "vertex", surface.vertices)
        off, none = rounding(x), np.zeros(n, np.int64)
        if self.meaning.weld:
            raise ArgumentError(f"{self.path}: points of VTKHDF are not welded: write shared points")
        if self.meaning.displacement is not None:
            values = fields.get(self.meaning.displacement)
            if values is None or values.ndim != 2 or values.shape[1] != 3:
                known = ", ".join(sorted(fields)) or "none"
                raise ArgumentError(f"displacement: {self.path} has no vectors {self.meaning.displacement!r}: it has {known}")
            off += rounding(values)
            surface = Surface(surface.vertices + values, surface.edges, surface.faces, surface.unused)
        deviation = 0.0 if curved is None else curved.deviation(surface.vertices)
        return Snapshot(
            item, surface.vertices, surface.edges, surface.faces, surface.unused, none, [""], fields, deviation, off
        )  # fmt: skip

    def _fields(self, k: int, n: int) -> dict[str, NDArray[np.float64]]:
        found, data = {}, self.root.get("PointData", {})
        offsets = self.steps.get("PointDataOffsets", {})
        for name in data:
            at = int(np.asarray(offsets[name][k]).reshape(-1)[0]) if name in offsets else 0
            values = data[name][at : at + n]
            if values.dtype.kind in "fiu" and len(values) == n and values.ndim <= 2:
                found[name] = np.asarray(values, np.float64)
        return found

    def _grid(self, k: int, part: int, x: NDArray[np.float64]) -> _Surface:
        root = self.root
        cell = self._step("CellOffsets", k)
        cells = int(root["NumberOfCells"][part])
        index = self._step("ConnectivityIdOffsets", k)
        types = np.asarray(root["Types"][cell : cell + cells])
        begin = cell + part if "CellOffsets" in self.steps else 0  # each part has one offset more than cells
        offsets = np.asarray(root["Offsets"][begin : begin + cells + 1], np.int64)
        ids = np.asarray(root["Connectivity"][index : index + int(root["NumberOfConnectivityIds"][part])], np.int64)
        ghost = root.get("CellData", {}).get("vtkGhostType")
        if ghost is not None and np.any(np.asarray(ghost[cell : cell + cells]) & 33):
            raise UnsupportedError(f"{self.path}: step {k} has ghost or blanked cells, which are not read here")
        return self._surface(k, x, types, offsets, ids)

    def _polydata(self, k: int, part: int, x: NDArray[np.float64]) -> _Surface:
        types, offsets, ids, base = [], [np.zeros(1, np.int64)], [], 0
        for column, (name, kind) in enumerate(
            (("Vertices", 0), ("Lines", _POLYLINE), ("Polygons", _POLYGON), ("Strips", _STRIP))
        ):
            group = self.root.get(name)
            if group is None or not int(group["NumberOfCells"][part]):
                continue
            cells, steps = int(group["NumberOfCells"][part]), self.steps
            cell, index = (
                int(np.asarray(steps[key][k]).reshape(-1)[column]) if key in steps else 0
                for key in ("CellOffsets", "ConnectivityIdOffsets")
            )
            begin = cell + part if "CellOffsets" in steps else 0
            own = np.asarray(group["Offsets"][begin : begin + cells + 1], np.int64)
            these = np.asarray(group["Connectivity"][index : index + int(group["NumberOfConnectivityIds"][part])], np.int64)
            types.append(np.full(cells, kind))
            offsets.append(own[1:] - own[0] + base)
            ids.append(these)
            base += len(these)
        empty = np.empty(0, np.int64)
        return self._surface(
            k, x, np.concatenate([empty, *types]), np.concatenate(offsets), np.concatenate([empty, *ids])
        )  # fmt: skip

    def _surface(
        self, k: int, x: NDArray[np.float64], types: NDArray[Any], offsets: NDArray[np.int64], ids: NDArray[np.int64]
    ) -> _Surface:
        if len(ids) and (ids.min() < 0 or ids.max() >= len(x)):
            raise FileError(f"{self.path}: step {k} names point {int(ids.max())} of {len(x)}")
        if (np.diff(offsets) < 0).any() or (len(offsets) and offsets[-1] > len(ids)):
            raise FileError(f"{self.path}: the offsets of step {k} do not fit its connectivity")
        faces, edges = np.empty((0, 3), np.int32), np.empty((0, 2), np.int32)
        sizes, ids = np.diff(offsets), ids.astype(np.int32)
        known = {0, _VERTEX, _POLYVERTEX, _LINE, _POLYLINE, _POLYGON} | _SOLID | _CURVED
        if other := sorted(set(np.unique(types).tolist()) - known):
            raise UnsupportedError(f"{self.path}: step {k} has cells of type {other[0]}, which are not read here")
        if np.isin(types, list(_CURVED)).any():
            blocks = [block for kind in np.unique(types).tolist() for block in self._block(kind, types, offsets, ids)]
            skinned = skin(self.path, x, blocks)
            self.memory.leave(self.number, self.path, skinned.left_out)
            return Surface(x, skinned.edges, skinned.faces, skinned.unused), skinned
        lines = np.flatnonzero((types == _LINE) | (types == _POLYLINE))
        if len(lines):
            edges = np.vstack([np.column_stack([c[:-1], c[1:]]) for c in (ids[offsets[i] : offsets[i + 1]] for i in lines)])
        solids = np.isin(types, [t for t in _SOLID if t not in (5, 9)])
        if solids.any():
            rows = np.flatnonzero(solids | np.isin(types, [5, 9]))
            corners = np.concatenate([ids[offsets[i] : offsets[i + 1]] for i in rows])
            surface = boundary(volume.Cells(x, types[rows].astype(np.int32), corners))
            return Surface(x, edges, surface.faces, surface.unused), None
        flat = np.flatnonzero((types == _POLYGON) | (types == 5) | (types == 9))
        if (wrong := flat[(types[flat] == 9) & (sizes[flat] != 4)]).size or (
            wrong := flat[(types[flat] == 5) & (sizes[flat] != 3)]
        ).size:
            raise FileError(f"{self.path}: cell {wrong[0]} of step {k} has {sizes[wrong[0]]} corners")
        if len(flat):
            if (sizes[flat] < 3).any():
                raise FileError(f"{self.path}: cell {flat[sizes[flat] < 3][0]} of step {k} has less than 3 corners")
            if (sizes[flat] == 3).all():
                faces = ids[offsets[flat][:, None] + np.arange(3)]
            else:
                corners = np.concatenate([ids[offsets[i] : offsets[i + 1]] for i in flat])
                with files.naming(self.path):
                    faces = polygons.cut(x, corners, sizes[flat].astype(np.int32))[0]
        used = np.zeros(len(x), bool)
        used[faces], used[edges] = True, True
        return Surface(x, edges, faces, np.flatnonzero(~used).astype(np.int32)), None

    def _block(self, kind: int, types: NDArray[Any], offsets: NDArray[np.int64], ids: NDArray[np.integer]) -> list[Block]:
        """The cells of a type, among cells of order 2."""
        rows = np.flatnonzero(types == kind)
        cells = [ids[offsets[i] : offsets[i + 1]].astype(np.int64) for i in rows]
        if kind in (0, _VERTEX, _POLYVERTEX):
            return []
        if kind in (_LINE, _POLYLINE):
            return [Block(0, _LINE, np.column_stack([cell[:-1], cell[1:]])) for cell in cells]
        sizes = np.diff(offsets)[rows]
        if kind == _POLYGON:
            return [Block(0, POLYGON, np.concatenate(cells), sizes)]
        if (wrong := rows[sizes != COUNTS[kind]]).size:
            raise FileError(
                f"{self.path}: cell {wrong[0]}, of type {kind}, has {np.diff(offsets)[wrong[0]]} nodes, not {COUNTS[kind]}"
            )
        return [Block(0, kind, np.array(cells))]
