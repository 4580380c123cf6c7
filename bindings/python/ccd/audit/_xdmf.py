"""XDMF: our own reading of the XML, each step by its number, data in HDF5, text or binary files; a mesh alone is one frame."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from .. import volume
from .._inner import files
from .._inner.volumes import boundary
from ..errors import ArgumentError, FileError, UnsupportedError
from ..files import Surface
from ._listing import Item
from ._memory import Remembering
from ._packages import hdf
from ._read import Meaning, Snapshot, rounding
from ._solvers._elements import COUNTS, Block, Skin, skin

_MOST = 1 << 28  # bytes of the XML
_ELEMENTS = {
    "triangle": (5, 3), "quadrilateral": (9, 4), "tetrahedron": (10, 4), "hexahedron": (12, 8), "wedge": (13, 6),
    "pyramid": (14, 5),
}  # fmt: skip
_CURVED = {
    "edge_3": 21, "triangle_6": 22, "quadrilateral_8": 23, "quadrilateral_9": 28, "tetrahedron_10": 24, "pyramid_13": 27,
    "wedge_15": 26, "wedge_18": 32, "hexahedron_20": 25, "hexahedron_27": 29,
}  # fmt: skip
_ELEMENTS |= {name: (cell, COUNTS[cell]) for name, cell in _CURVED.items()}
_SHORT = {"tri": "triangle", "quad": "quadrilateral", "tet": "tetrahedron", "hex": "hexahedron"}  # tri_6 is triangle_6
_MIXED = {4: "triangle", 5: "quadrilateral", 6: "tetrahedron", 7: "pyramid", 8: "wedge", 9: "hexahedron"} | {
    34: "edge_3", 35: "quadrilateral_9", 36: "triangle_6", 37: "quadrilateral_8", 38: "tetrahedron_10", 39: "pyramid_13",
    40: "wedge_15", 41: "wedge_18", 48: "hexahedron_20", 50: "hexahedron_27",
}  # fmt: skip
_TYPES = {("float", 4): "f4", ("float", 8): "f8"} | {(k, n): f"{k[0]}{n}" for k in ("int", "uint") for n in (1, 2, 4, 8)}
_GRID = re.compile(r"""Grid(?:\[@(?P<name>\w+)=(['"])(?P<value>[^'"]*)\2\])?(?:\[(?P<number>\d+)\])?/""")


class XDMF(Remembering):
    """The steps of a temporal collection. Collections of one geometry and topology are data of one mesh."""

    @staticmethod
    def needs_hdf(path: str) -> bool:
        """Whether a file may have data in HDF5: it has that word."""
        with files.reading(path), files.opened(path) as file:
            return b"HDF" in file.read(_MOST)

    def __init__(self, path: str, meaning: Meaning):
        super().__init__()
        self.path, self.meaning = path, meaning
        with files.reading(path), files.opened(path) as file:
            text = file.read(_MOST + 1)
        if len(text) > _MOST:
            raise FileError(f"{path} has more than {_MOST:,} bytes")
        with files.reading(path):
            self.root = ElementTree.fromstring(text)
        if _local(self.root) != "Xdmf" or self.root.find("Domain") is None:
            raise FileError(f"{path} is no XDMF: it has no Domain")
        self._open: dict[str, Any] = {}
        self._held: dict[tuple[str, ...], tuple[Surface, Skin | None]] = {}
        found: list[list[tuple[float, ElementTree.Element]]] = []
        for grid in self.root.iter("Grid"):
            if grid.get("GridType") == "Collection" and grid.get("CollectionType") == "Temporal":
                found.append(self._steps(grid))
        name = os.path.basename(path)
        if not found:
            self.grids = [[self._alone()]]
            self.items = [Item(name, None, (("", "0"),))]
            return
        times = [time for time, _ in found[0]]
        for other in found[1:]:
            if [time for time, _ in other] != times or self._key(other[0][1]) != self._key(found[0][0][1]):
                raise UnsupportedError(
                    f"{path} has several temporal collections of other meshes or times: give each in its own file"
                )
        self.grids = [[steps[k][1] for steps in found] for k in range(len(times))]
        self.items = [Item(f"{name}[{k}]", time, (("", str(k)),)) for k, time in enumerate(times)]

    def _alone(self) -> ElementTree.Element:
        """The mesh of a file without a temporal collection."""
        grids = self.root.findall("Domain/Grid")
        kinds = [grid.get("GridType", "Uniform") for grid in grids]
        if kinds != ["Uniform"]:
            listed = ", ".join(kinds) or "none"
            raise UnsupportedError(
                f"{self.path} has no collection of type Temporal, and not one uniform grid, but {listed}: "
                "write one grid to a file, or a temporal collection"
            )
        return grids[0]

    def _steps(self, collection: ElementTree.Element) -> list[tuple[float, ElementTree.Element]]:
        grids = collection.findall("Grid")
        found = []
        for grid in grids:
            if grid.get("GridType", "Uniform") != "Uniform":
                raise UnsupportedError(
                    f"{self.path}: a step is a {grid.get('GridType')} of grids: one uniform grid a step is read"
                )
            time = grid.find("Time")
            if time is None or time.get("Value") is None:
                raise UnsupportedError(f"{self.path}: a step has no time of its own (Time Value=...), which is needed")
            try:
                found.append((float(time.get("Value", "")), grid))
            except ValueError:
                raise FileError(f"{self.path}: the time {time.get('Value')!r} is no number") from None
        if any(not b > a for (a, _), (b, _) in pairwise(found)):
            raise FileError(f"{self.path}: the times of the steps do not ascend")
        return found

    def _child(self, grid: ElementTree.Element, name: str) -> ElementTree.Element:
        """The geometry or topology of a grid: its own, or that of the grid that it includes."""
        own = grid.find(name)
        if own is not None:
            return own
        for one in grid:
            if _local(one) == "include":
                found = self._included(one.get("xpointer", "")).find(name)
                if found is not None:
                    return found
        raise FileError(f"{self.path}: a step has no {name}")

    def _included(self, pointer: str) -> ElementTree.Element:
        """The grid that an include names by steps, as XPath has them: by an attribute, and by its number in its parent."""
        way = next((way for way in ("xpointer(//", "xpointer(/Xdmf/Domain/") if pointer.strip().startswith(way)), None)
        if way is None or not pointer.strip().endswith(")"):
            raise UnsupportedError(f"{self.path}: the include {pointer!r} is not understood")
        grids = list(self.root.iter()) if way.endswith("//") else self.root.findall("Domain")
        rest, steps = pointer.strip()[len(way) : -1], 0
        while (match := _GRID.match(rest)) is not None:
            found = []
            for parent in grids:
                own = [one for one in parent.findall("Grid") if not match["name"] or one.get(match["name"]) == match["value"]]
                found += [one for k, one in enumerate(own, 1) if match["number"] is None or k == int(match["number"])]
            grids, rest, steps = found, rest[match.end() :], steps + 1
        if not steps or "/" in rest or not re.match(r"\*|Geometry|Topology", rest):
            raise UnsupportedError(f"{self.path}: the include {pointer!r} is not understood")
        if len(grids) != 1:
            raise UnsupportedError(f"{self.path}: the include {pointer!r} names {len(grids)} grids")
        return grids[0]

    def _key(self, grid: ElementTree.Element) -> tuple[str, ...]:
        return tuple(_text(self._child(grid, name)) for name in ("Geometry", "Topology"))

    def snapshot(self, item: Item) -> Snapshot:
        """One frame."""
        grids = self.grids[int(item.parts[0][1])]
        with files.reading(self.path):
            x = self._points(self._child(grids[0], "Geometry"))
            surface, curved = self._surface(self._child(grids[0], "Topology"), x)
            fields = self._fields(grids, len(x))
        off, none = rounding(x), np.zeros(len(x), np.int64)
        if self.meaning.weld:
            raise ArgumentError(f"{self.path}: points of XDMF are not welded: write shared points")
        if self.meaning.displacement is not None:
            values = fields.get(self.meaning.displacement)
            if values is None or values.ndim != 2 or values.shape[1] not in (2, 3):
                known = ", ".join(sorted(fields)) or "none"
                raise ArgumentError(f"displacement: {self.path} has no vectors {self.meaning.displacement!r}: it has {known}")
            off += rounding(values)
            x = x + np.column_stack([values, np.zeros((len(x), 3 - values.shape[1]))])
        files.coordinates(f"{self.path}: {item.name}", "vertex", x)
        deviation = 0.0 if curved is None else curved.deviation(x)
        return Snapshot(item, x, surface.edges, surface.faces, surface.unused, none, [""], fields, deviation, off)

    def _points(self, geometry: ElementTree.Element) -> NDArray[np.float64]:
        kind = geometry.get("GeometryType", geometry.get("Type", "XYZ")).upper()
        if kind not in ("XYZ", "XY"):
            raise UnsupportedError(f"{self.path}: geometry of type {kind!r}: XYZ and XY are read")
        values = self._data(geometry.find("DataItem")).astype(np.float64).reshape(-1, len(kind))
        return np.column_stack([values, np.zeros((len(values), 3 - len(kind)))])

    def _surface(self, topology: ElementTree.Element, x: NDArray[np.float64]) -> tuple[Surface, Skin | None]:
        """The surface of the elements, once for each topology, and what bounds how far curved ones are from it."""
        key = (_text(topology), str(len(x)))
        if key not in self._held:
            self._held = {key: self._made(topology, x)}  # steps of one stretch share it
        return self._held[key]

    def _made(self, topology: ElementTree.Element, x: NDArray[np.float64]) -> tuple[Surface, Skin | None]:
        kind = topology.get("TopologyType", topology.get("Type", "")).lower()
        first, bar, order = kind.partition("_")
        kind = _SHORT.get(first, first) + bar + order
        data = self._data(topology.find("DataItem"))
        if data.dtype.kind not in "iu":
            raise FileError(f"{self.path}: the topology holds {data.dtype}: must be integers")
        edges, cells = np.empty((0, 2), np.int64), list[tuple[int, NDArray[np.int64]]]()
        if kind == "mixed":
            edges, cells = self._mixed(data.reshape(-1).tolist())
        elif kind == "polyline" and int(topology.get("NodesPerElement") or data.shape[-1]) == 2:
            edges = data.reshape(-1, 2).astype(np.int64)
        elif kind in _ELEMENTS:
            number, count = _ELEMENTS[kind]
            cells = [(number, data.reshape(-1, count).astype(np.int64))]
        else:
            raise UnsupportedError(
                f"{self.path}: elements of type {kind!r}: {', '.join(_ELEMENTS)}, polyline and mixed are read"
            )
        named = [edges, *(rows for _, rows in cells)]
        if any(rows.size and (rows.max() >= len(x) or rows.min() < 0) for rows in named):
            raise FileError(f"{self.path}: the topology names points beyond the {len(x)} that there are")
        if any(number in _CURVED.values() for number, _ in cells):
            blocks = [Block(0, number, rows) for number, rows in cells]
            found = skin(self.path, x, [*blocks, Block(0, 3, edges)] if len(edges) else blocks)
            self.memory.leave(self.number, self.path, found.left_out)
            return Surface(x, found.edges, found.faces, found.unused), found
        kinds = np.concatenate([np.empty(0, np.int32), *(np.full(len(rows), number, np.int32) for number, rows in cells)])
        corners = np.concatenate([np.empty(0, np.int32), *(rows.reshape(-1).astype(np.int32) for _, rows in cells)])
        faces = boundary(volume.Cells(x, kinds, corners)).faces if len(kinds) else np.empty((0, 3), np.int32)
        used = np.zeros(len(x), bool)
        used[faces], used[edges] = True, True
        return Surface(x, edges.astype(np.int32), faces, np.flatnonzero(~used).astype(np.int32)), None

    def _mixed(self, data: list[int]) -> tuple[NDArray[np.int64], list[tuple[int, NDArray[np.int64]]]]:
        edges, found, at = list[tuple[int, int]](), dict[int, list[list[int]]](), 0
        while at < len(data):
            code = data[at]
            if code in _MIXED:
                number, count = _ELEMENTS[_MIXED[code]]
                found.setdefault(number, []).append(data[at + 1 : at + 1 + count])
                at += 1 + count
            elif code in (1, 2) and at + 1 < len(data):
                points = data[at + 2 : at + 2 + data[at + 1]]
                edges += list(pairwise(points)) if code == 2 else []
                at += 2 + len(points)
            else:
                raise UnsupportedError(f"{self.path}: an element of code {code} in a mixed topology is not read")
        if at != len(data):
            raise FileError(f"{self.path}: the mixed topology ends within an element")
        cells = [(number, np.array(rows, np.int64)) for number, rows in found.items()]
        return np.array(edges, np.int64).reshape(-1, 2), cells

    def _fields(self, grids: list[ElementTree.Element], n: int) -> dict[str, NDArray[np.float64]]:
        found = {}
        for grid in grids:
            for one in grid.findall("Attribute"):
                name, item = one.get("Name"), one.find("DataItem")
                if name and item is not None and one.get("Center", "Node").lower() == "node":
                    values = self._data(item)
                    if len(values) == n and values.dtype.kind in "fiu" and values.ndim <= 2:
                        found[name] = values.astype(np.float64)
        return found

    def _data(self, item: ElementTree.Element | None) -> NDArray[Any]:
        if item is None:
            raise FileError(f"{self.path}: an element has no DataItem")
        if item.get("ItemType", "Uniform") != "Uniform" or item.get("Reference"):
            what = item.get("ItemType") if not item.get("Reference") else "Reference"
            raise UnsupportedError(f"{self.path}: data of type {what!r} are not read: write them as they are")
        shape = tuple(int(word) for word in item.get("Dimensions", "").split())
        number = (item.get("NumberType", item.get("DataType", "Float")).lower(), int(item.get("Precision", "4")))
        if number not in _TYPES or not shape or min(shape) < 0:
            raise FileError(f"{self.path}: data of {number[0]} of {number[1]} bytes, dimensions {shape}")
        dtype, form, text = np.dtype(_TYPES[number]), item.get("Format", "XML").upper(), (item.text or "").strip()
        if form == "HDF":
            values = self._hdf(text)
        elif form == "XML":
            values = np.array(text.split(), dtype)
        elif form == "BINARY":
            big = item.get("Endian", "Native").lower() == "big"
            with files.opened(os.path.join(os.path.dirname(self.path), text)) as file:
                file.seek(int(item.get("Seek", "0")))
                size = int(np.prod(shape)) * dtype.itemsize
                values = np.frombuffer(file.read(size), dtype.newbyteorder(">" if big else "<"))
        else:
            raise UnsupportedError(f"{self.path}: data in format {form!r}: HDF, XML and Binary are read")
        if values.size != int(np.prod(shape)):
            raise FileError(f"{self.path}: {values.size} numbers, where dimensions are {shape}")
        return values.reshape(shape)

    def _hdf(self, text: str) -> NDArray[Any]:
        name, colon, inner = text.rpartition(":")
        if not colon:
            raise FileError(f"{self.path}: data in {text!r}: must be FILE:/PATH")
        full = os.path.join(os.path.dirname(self.path), name)
        if full not in self._open:
            self._open[full] = hdf(full)
        if inner not in self._open[full]:
            raise FileError(f"{full} has no {inner}, which {self.path} names")
        return np.asarray(self._open[full][inner])


def _local(element: ElementTree.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _text(element: ElementTree.Element) -> str:
    item = element.find("DataItem")
    return "" if item is None else f"{item.get('Format')} {item.get('Seek')} {(item.text or '').strip()}"
