"""CGNS in HDF5, read by h5py: unstructured zones, whose grid at each step is named by GridCoordinatesPointers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
_LINK = (" file", " path")
_ELSEWHERE = ("RotatingCoordinates_t", "Axisymmetry_t")


@dataclass
class _Node:
    """A node of CGNS: a group of HDF5, with the name that it has where it stands. What a link names is in its place."""

    name: str
    group: Any

    def __contains__(self, name: str) -> bool:
        return name in self.group

    def __iter__(self) -> Iterator[str]:
        """The names of the nodes below."""
        return (name for name in self.group if not name.startswith(" "))

    def __getitem__(self, name: str) -> _Node:
        group = self.group[name]
        if _word(group.attrs.get("type")) != "LK":
            return _Node(name, group)
        file, place = (bytes(group[key][()]).decode("utf-8", "replace").strip("\0 ") if key in group else "" for key in _LINK)
        try:
            return _Node(name, group[" link"])
        except (KeyError, OSError):
            raise FileError(
                f"{self.group.file.filename}: {name} is a link to {place} of {file or 'it'}, which is not there"
            ) from None

    def children(self, label: str) -> list[_Node]:
        """The nodes below that have a label."""
        return [one for one in (self[name] for name in self) if _word(one.group.attrs.get("label")) == label]

    def data(self) -> NDArray[Any]:
        """The data of the node."""
        if " data" not in self.group:
            raise FileError(f"the node {self.name} has no data")
        return np.asarray(self.group[" data"])

    def array(self, name: str) -> NDArray[Any] | None:
        """The data of a node below; None if it is not there, or has none."""
        found = self[name] if name in self.group else None
        return found.data() if found is not None and " data" in found.group else None

    def text(self) -> str:
        """The data of the node as text."""
        return self.data().tobytes().decode("latin-1").strip("\0 ")


def _word(attribute: Any) -> str:
    return attribute.decode("latin-1").strip("\0 ") if isinstance(attribute, bytes) else str(attribute)


class CGNS(Recorded):
    """The steps of a CGNS file. A zone is a part; its nodes are its own."""

    adds = True
    kind = "CGNS"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__(path, meaning)
        self.file: Any = hdf(path)
        self._open()

    def _open(self) -> None:
        bases = _Node("", self.file).children("CGNSBase_t")
        if not bases:
            raise FileError(f"{self.path} has no CGNSBase_t: it is HDF5, and no CGNS")
        if len(bases) > 1:
            raise UnsupportedError(f"{self.path} has {len(bases)} bases: write one")
        base = bases[0]
        if any(base.children(label) for label in _ELSEWHERE):
            raise UnsupportedError(f"{self.path} has rotating or axisymmetric coordinates, which are not understood")
        self.zones = base.children("Zone_t")
        if not self.zones:
            raise FileError(f"{self.path} has no zones")
        iterative = base.children("BaseIterativeData_t")
        times = iterative[0].array("TimeValues") if iterative else None
        if iterative and any(iterative[0].array(name) is not None for name in ("ZonePointers", "NumberOfZones")):
            raise UnsupportedError(f"{self.path} has zones that come and go (ZonePointers), which are not read")
        count = 1 if not iterative else len(times) if times is not None else int(iterative[0].data()[0])
        self.names = []
        self.grids: list[list[str]] = []
        self.elements: list[Block] = []
        self.starts = [0]
        self.lengths: dict[str, str] = {}  # the unit, and what has it
        for k, zone in enumerate(self.zones):
            self._zone(k, base, zone, count)
        self.list_frames([None] * count if times is None else [float(t) for t in times])

    def _zone(self, k: int, base: _Node, zone: _Node, count: int) -> None:
        name = zone.name
        for label in _MOVING:
            if found := zone.children(label):
                raise UnsupportedError(
                    f"{self.path}: zone {name} moves by {found[0].name} ({label}), which is not understood: write the "
                    "coordinates of each step, and GridCoordinatesPointers"
                )
        kind = zone.children("ZoneType_t")
        if not kind or kind[0].text() != "Unstructured":
            raise UnsupportedError(
                f"{self.path}: zone {name} is {kind[0].text() if kind else 'of no type'}: unstructured zones are read"
            )
        grids = zone.children("GridCoordinates_t")
        iterative = zone.children("ZoneIterativeData_t")
        pointers = iterative[0].array("GridCoordinatesPointers") if iterative else None
        if pointers is not None:
            named = _words(pointers)
            if len(named) != count:
                raise FileError(f"{self.path}: zone {name} names {len(named)} grids, for {count} steps")
        elif len(grids) == 1:
            named = [grids[0].name] * count
        else:
            raise UnsupportedError(
                f"{self.path}: zone {name} has {len(grids)} grids and no GridCoordinatesPointers, which say when each is there"
            )
        missing = [one for one in named if one not in zone]
        if missing:
            raise FileError(f"{self.path}: zone {name} has no grid {missing[0]!r}, which a step names")
        self.names.append(name)
        self.grids.append(named)
        for grid in dict.fromkeys(named):
            self._unit([base, zone, zone[grid]])
        nodes = int(zone.data().reshape(-1)[0])
        for section in zone.children("Elements_t"):
            self.elements += self._section(k, section, self.starts[-1], nodes)
        self.starts.append(self.starts[-1] + nodes)

    def _unit(self, way: list[_Node]) -> None:
        """Refuse coordinates that are not what their numbers say: other units than those of other zones, or a conversion."""
        for one in way[-1].children("DataArray_t"):
            where = f"{self.path}: {one.name} of zone {way[1].name}"
            if any(not np.array_equal(c.data().reshape(-1)[:2], [1, 0]) for c in one.children("DataConversion_t")):
                raise UnsupportedError(f"{where} has a scale and an offset (DataConversion), which are not read: write lengths")
            units = [unit for node in [*way, one] for unit in node.children("DimensionalUnits_t")]
            if units:
                length = units[-1].text()[32:64].strip("\0 ")  # mass, length, time, temperature, angle
                self.lengths.setdefault(length, where)
        if len(self.lengths) > 1:
            (a, where), (b, other) = list(self.lengths.items())[:2]
            raise UnsupportedError(f"{where} is in {a}, and {other.partition(': ')[2]} in {b}: write one unit")

    def _section(self, k: int, section: _Node, first: int, count: int) -> list[Block]:
        kind = int(section.data().reshape(-1)[0])
        table = section.array("ElementConnectivity")
        if table is None:
            raise FileError(f"{self.path}: section {section.name} has no ElementConnectivity")
        flat = np.asarray(table, np.int64).reshape(-1)
        offsets = section.array("ElementStartOffset")
        where = f"{self.path}: section {section.name}"
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

    def _polygons(self, k: int, section: _Node, flat: NDArray[np.int64], ends: NDArray[np.int64], first: int) -> list[Block]:
        sizes = np.diff(ends)
        block = Block(k, POLYGON, flat - 1 + first, sizes)
        parents = section.array("ParentElements")
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
                values = grid.array(f"Coordinate{letter}")
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
            iterative = zone.children("ZoneIterativeData_t")
            pointers = iterative[0].array("FlowSolutionPointers") if iterative else None
            names = [_words(pointers)[k]] if pointers is not None else []
            if pointers is None and len(zone.children("FlowSolution_t")) == 1:
                names = [zone.children("FlowSolution_t")[0].name]
            for solution in (zone[name] for name in names if name in zone):
                place = solution.children("GridLocation_t")
                if place and place[0].text() != "Vertex":
                    continue
                for one in [n for n in solution if n.endswith("X")]:
                    rows = [solution.array(one[:-1] + letter) for letter in "XYZ"]
                    if all(row is not None and row.size == end - start for row in rows):
                        found.setdefault(one[:-1], []).append(np.column_stack([np.asarray(r, float).reshape(-1) for r in rows]))
        return {name: np.vstack(rows) for name, rows in found.items() if len(rows) == len(self.zones)}


def _words(table: NDArray[Any]) -> list[str]:
    """Names of 32 letters, one after the other."""
    text = table.tobytes().decode("latin-1")
    return [text[k : k + 32].strip("\0 ") for k in range(0, len(text), 32)]
