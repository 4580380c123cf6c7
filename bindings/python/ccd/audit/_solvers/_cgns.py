"""CGNS in HDF5, read by h5py: unstructured zones, whose grid at each step is named by GridCoordinatesPointers."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import FileError, UnsupportedError
from .._packages import hdf
from .._read import Meaning
from ._elements import POLYGON, Block
from ._orders import CGNS as ORDERS
from ._orders import ordered
from ._recorded import Found, Recorded, Vectors, stored

# Element types: VTK's, and the number of nodes.
_KINDS = {3: (3, 2), 4: (21, 3), 5: (5, 3), 6: (22, 6), 7: (9, 4), 8: (23, 8), 9: (28, 9), 10: (10, 4), 11: (24, 10),
          12: (14, 5), 14: (13, 6), 15: (26, 15), 16: (32, 18), 17: (12, 8), 18: (25, 20), 19: (29, 27),
          21: (27, 13)}  # fmt: skip
_NODE, _MIXED, _NGON, _NFACE = 2, 20, 22, 23
_MOVING = ("RigidGridMotion_t", "ArbitraryGridMotion_t")
_ELSEWHERE = ("RotatingCoordinates_t", "Axisymmetry_t")


class CGNS(Recorded):
    """The steps of a CGNS file. A zone is a part; its nodes are its own."""

    adds = True
    kind = "CGNS"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__(path, meaning)
        self.file: Any = hdf(path)
        self._open()

    def _open(self) -> None:
        bases = _children(self.file, "CGNSBase_t")
        if not bases:
            raise FileError(f"{self.path} has no CGNSBase_t: it is HDF5, and no CGNS")
        if len(bases) > 1:
            raise UnsupportedError(f"{self.path} has {len(bases)} bases: write one")
        base = bases[0]
        if any(_children(base, label) for label in _ELSEWHERE):
            raise UnsupportedError(f"{self.path} has rotating or axisymmetric coordinates, which are not understood")
        self.zones = _children(base, "Zone_t")
        if not self.zones:
            raise FileError(f"{self.path} has no zones")
        iterative = _children(base, "BaseIterativeData_t")
        times = _array(iterative[0], "TimeValues") if iterative else None
        if iterative and any(_array(iterative[0], name) is not None for name in ("ZonePointers", "NumberOfZones")):
            raise UnsupportedError(f"{self.path} has zones that come and go (ZonePointers), which are not read")
        count = 1 if not iterative else len(times) if times is not None else int(_data(iterative[0])[0])
        self.names = []
        self.grids: list[list[str]] = []
        self.elements: list[Block] = []
        self.starts = [0]
        for k, zone in enumerate(self.zones):
            self._zone(k, zone, count)
        self.list_frames([None] * count if times is None else [float(t) for t in times])

    def _zone(self, k: int, zone: Any, count: int) -> None:
        name = _name(zone)
        for label in _MOVING:
            if found := _children(zone, label):
                raise UnsupportedError(
                    f"{self.path}: zone {name} moves by {_name(found[0])} ({label}), which is not understood: write the "
                    "coordinates of each step, and GridCoordinatesPointers"
                )
        kind = _children(zone, "ZoneType_t")
        if not kind or _text(kind[0]) != "Unstructured":
            raise UnsupportedError(
                f"{self.path}: zone {name} is {_text(kind[0]) if kind else 'of no type'}: unstructured zones are read"
            )
        grids = _children(zone, "GridCoordinates_t")
        iterative = _children(zone, "ZoneIterativeData_t")
        pointers = _array(iterative[0], "GridCoordinatesPointers") if iterative else None
        if pointers is not None:
            named = _words(pointers)
            if len(named) != count:
                raise FileError(f"{self.path}: zone {name} names {len(named)} grids, for {count} steps")
        elif len(grids) == 1:
            named = [_name(grids[0])] * count
        else:
            raise UnsupportedError(
                f"{self.path}: zone {name} has {len(grids)} grids and no GridCoordinatesPointers, which say when each is there"
            )
        missing = [one for one in named if one not in zone]
        if missing:
            raise FileError(f"{self.path}: zone {name} has no grid {missing[0]!r}, which a step names")
        self.names.append(name)
        self.grids.append(named)
        nodes = int(_data(zone).reshape(-1)[0])
        for section in _children(zone, "Elements_t"):
            self.elements += self._section(k, section, self.starts[-1], nodes)
        self.starts.append(self.starts[-1] + nodes)

    def _section(self, k: int, section: Any, first: int, count: int) -> list[Block]:
        kind = int(_data(section).reshape(-1)[0])
        table = _array(section, "ElementConnectivity")
        if table is None:
            raise FileError(f"{self.path}: section {_name(section)} has no ElementConnectivity")
        flat = np.asarray(table, np.int64).reshape(-1)
        offsets = _array(section, "ElementStartOffset")
        where = f"{self.path}: section {_name(section)}"
        if kind == _NODE:
            return []
        if kind == _NFACE:
            raise UnsupportedError(f"{where} has polyhedra, which are not read: write the faces of the boundary alone")
        if kind in (_NGON, _MIXED):
            if offsets is None:
                raise UnsupportedError(f"{where} is of CGNS before 4, without ElementStartOffset: update it (cgnsupdate)")
            ends = np.asarray(offsets, np.int64).reshape(-1)
            if kind == _NGON:
                return self._polygons(k, section, flat, ends, first)
            return self._mixed(k, where, flat, ends, first)
        if kind not in _KINDS:
            raise UnsupportedError(f"{where} has elements of type {kind}, which are not read")
        cell, nodes = _KINDS[kind]
        if len(flat) % nodes:
            raise FileError(f"{where}: {len(flat)} nodes are no elements of {nodes}")
        if len(flat) and (flat.min() < 1 or flat.max() > count):
            raise FileError(f"{where} names a node {int(flat.max())} of {count}")
        return [Block(k, cell, ordered(cell, flat.reshape(-1, nodes) - 1 + first, ORDERS))]

    def _polygons(self, k: int, section: Any, flat: NDArray[np.int64], ends: NDArray[np.int64], first: int) -> list[Block]:
        sizes = np.diff(ends)
        block = Block(k, POLYGON, flat - 1 + first, sizes)
        parents = _array(section, "ParentElements")
        if parents is not None:  # faces between two elements are within the solid
            block = block.select((np.asarray(parents).reshape(2, -1) == 0).any(0))
        return [block]

    def _mixed(self, k: int, where: str, flat: NDArray[np.int64], ends: NDArray[np.int64], first: int) -> list[Block]:
        kinds = flat[ends[:-1]]
        found = []
        for kind in np.unique(kinds):
            if int(kind) == _NODE:
                continue
            if int(kind) not in _KINDS:
                raise UnsupportedError(f"{where} has elements of type {int(kind)}, which are not read")
            cell, nodes = _KINDS[int(kind)]
            rows = flat[ends[:-1][kinds == kind][:, None] + 1 + np.arange(nodes)]
            found.append(Block(k, cell, ordered(cell, rows - 1 + first, ORDERS)))
        return found

    def frame(self, k: int) -> Found:
        """One step."""
        x: Vectors = np.empty((self.starts[-1], 3))
        half = None
        for zone, grids, start, end in zip(self.zones, self.grids, self.starts, self.starts[1:]):
            grid = zone[grids[k]]
            for axis, letter in enumerate("XYZ"):
                values = _array(grid, f"Coordinate{letter}")
                if values is None and letter == "Z":
                    values = np.zeros(end - start)
                if values is None:
                    raise UnsupportedError(
                        f"{self.path}: grid {grids[k]} has no Coordinate{letter}: Cartesian coordinates are read"
                    )
                if values.size != end - start:
                    raise FileError(f"{self.path}: grid {grids[k]} has {values.size} coordinates, of {end - start} nodes")
                half = half or stored(values)
                x[start:end, axis] = values.reshape(-1)
        return Found(x, "", lambda: self.elements, (half, None), fields=self._fields(k))

    def _fields(self, k: int) -> dict[str, Vectors]:
        """Vectors at the nodes of one step that all zones have."""
        found: dict[str, list[Vectors]] = {}
        for zone, start, end in zip(self.zones, self.starts, self.starts[1:]):
            iterative = _children(zone, "ZoneIterativeData_t")
            pointers = _array(iterative[0], "FlowSolutionPointers") if iterative else None
            names = [_words(pointers)[k]] if pointers is not None else []
            if pointers is None and len(_children(zone, "FlowSolution_t")) == 1:
                names = [_name(_children(zone, "FlowSolution_t")[0])]
            for solution in (zone[name] for name in names if name in zone):
                place = _children(solution, "GridLocation_t")
                if place and _text(place[0]) != "Vertex":
                    continue
                for one in [n for n in solution if n.endswith("X")]:
                    rows = [_array(solution, one[:-1] + letter) for letter in "XYZ"]
                    if all(row is not None and row.size == end - start for row in rows):
                        found.setdefault(one[:-1], []).append(np.column_stack([np.asarray(r, float).reshape(-1) for r in rows]))
        return {name: np.vstack(rows) for name, rows in found.items() if len(rows) == len(self.zones)}


def _label(node: Any) -> str:
    label = node.attrs.get("label", b"")
    return label.decode("latin-1") if isinstance(label, bytes) else str(label)


def _children(node: Any, label: str) -> list[Any]:
    return [one for one in (node[name] for name in node) if hasattr(one, "attrs") and _label(one) == label]


def _name(node: Any) -> str:
    return os.path.basename(str(node.name))


def _data(node: Any) -> NDArray[Any]:
    if " data" not in node:
        raise FileError(f"the node {node.name} has no data")
    return np.asarray(node[" data"])


def _array(node: Any, name: str) -> NDArray[Any] | None:
    return _data(node[name]) if name in node and " data" in node[name] else None


def _text(node: Any) -> str:
    return _data(node).tobytes().decode("latin-1").strip("\0 ")


def _words(table: NDArray[Any]) -> list[str]:
    """Names of 32 letters, one after the other."""
    text = table.tobytes().decode("latin-1")
    return [text[k : k + 32].strip("\0 ") for k in range(0, len(text), 32)]
