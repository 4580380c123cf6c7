"""Exodus II, as netCDF: the coordinates as they are, and displacements only where the user names them."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError
from .._packages import package
from .._read import Meaning
from . import _classic
from ._elements import COUNTS, POLYGON, Block
from ._orders import EXODUS, ordered
from ._recorded import Found, Recorded, Vectors, named, stored

ENDS = (".e", ".exo", ".ex2", ".exii", ".g", ".gen")

# Types of elements begin with these letters; the number of their nodes says the rest.
_FAMILIES = {
    "tri": {3: 5, 6: 22, 7: 34}, "qua": {4: 9, 8: 23, 9: 28}, "she": {3: 5, 4: 9, 6: 22, 8: 23, 9: 28},
    "tet": {4: 10, 10: 24}, "hex": {8: 12, 20: 25, 27: 29}, "wed": {6: 13, 15: 26, 18: 32}, "pyr": {5: 14, 13: 27},
    "bar": {2: 3, 3: 21}, "bea": {2: 3, 3: 21}, "tru": {2: 3, 3: 21}, "edg": {2: 3, 3: 21}, "rod": {2: 3, 3: 21},
}  # fmt: skip
_POINTS = ("sph", "cir", "poi", "nod")


def is_exodus(path: str) -> bool:
    """Whether a file has the name of an Exodus file, or of one that goes on from it (run.e-s002)."""
    return re.sub(r"-s\d+$", "", path.lower()).endswith(ENDS)


class Exodus(Recorded):
    """The steps of an Exodus file: a mesh, and variables at its nodes."""

    adds = True
    kind = "Exodus"

    def __init__(self, path: str, meaning: Meaning):
        super().__init__(path, meaning)
        with files.opened(path) as file:
            _classic.check(path, file)
        netcdf = package("netCDF4", path)
        with files.reading(path):
            self._fill: dict[str, Any] = netcdf.default_fillvals
            self.file: Any = netcdf.Dataset(path)
            self.file.set_auto_mask(False)
            self._open()

    def _open(self) -> None:
        path, dims, held = self.path, self.file.dimensions, self.file.variables
        if "num_nodes" not in dims or "num_el_blk" not in dims:
            raise FileError(f"{path} is netCDF, and no Exodus: it has no num_nodes and num_el_blk")
        if "num_processors" in dims and len(dims["num_processors"]) > 1:
            raise UnsupportedError(f"{path} is one part of a result in {len(dims['num_processors'])} parts: join them with epu")
        n, axes = len(dims["num_nodes"]), len(dims["num_dim"])
        if "coord" in held:
            rows = [np.asarray(held["coord"][k]) for k in range(axes)]
        else:
            rows = [np.asarray(held["coord" + axis][:]) for axis in "xyz"[:axes]]
        self.half = stored(rows[0])
        self.rest: Vectors = np.column_stack([np.asarray(row, np.float64) for row in rows] + [np.zeros(n)] * (3 - axes))
        blocks = len(dims["num_el_blk"])
        ids = np.asarray(held["eb_prop1"][:]) if "eb_prop1" in held else np.arange(1, blocks + 1)
        titles = _texts(held, "eb_names")
        titles += [""] * (blocks - len(titles))
        self.names = [named(titles[k], int(i)) if titles[k] else f"block {int(i)}" for k, i in enumerate(ids)]
        self.elements = [one for k in range(blocks) for one in self._block(k)]
        self.vectors = self._vectors()
        dead = [name for name in _texts(held, "name_elem_var") if name.lower() in ("status", "death", "death_status")]
        if dead:
            self.say(f"it has {dead[0]} at elements: those that died are not left out")
        times = np.asarray(held["time_whole"][:]) if "time_whole" in held else np.empty(0)
        self.steps = len(times)
        folder, name = os.path.split(path)
        later = sorted(one for one in os.listdir(folder or ".") if re.fullmatch(re.escape(name) + r"-s\d+", one))
        if later:
            self.say(
                f"{len(later):,} files go on from it with other meshes, {later[0]} first, and are not in this audit: audit each"
            )
        self.list_frames([float(t) for t in times] or [None])

    def _block(self, k: int) -> list[Block]:
        name, held = f"connect{k + 1}", self.file.variables
        if name not in held:  # a block without elements
            if f"facconn{k + 1}" in held:
                raise UnsupportedError(f"{self.path}: block {self.names[k]} has polyhedra, which are not read")
            return []
        table = held[name]
        kind, nodes = str(table.getncattr("elem_type")).strip().lower(), np.asarray(table[:], np.int64) - 1
        if kind == "nsided":
            sizes = np.asarray(held[f"ebepecnt{k + 1}"][:], np.int64)
            return [Block(k, POLYGON, nodes.reshape(-1), sizes)]
        if kind.startswith(_POINTS):
            self.say(f"{len(nodes):,} elements of type {kind} are points: left out")
            return []
        known = next((v for letters, v in _FAMILIES.items() if kind.startswith(letters)), None)
        if known is None or nodes.shape[1] not in known:
            raise UnsupportedError(
                f"{self.path}: block {self.names[k]} has elements {kind!r} of {nodes.shape[1]} nodes, which are not read"
            )
        cell = known[nodes.shape[1]]
        assert nodes.shape[1] == COUNTS[cell]
        return [Block(k, cell, ordered(cell, nodes, EXODUS))]

    def _vectors(self) -> dict[str, list[int]]:
        """Variables at nodes of which there are three, or two, that end in x, y, z: their numbers by the common name."""
        names = _texts(self.file.variables, "name_nod_var")
        found: dict[str, dict[str, int]] = {}
        for k, name in enumerate(names):
            match = re.fullmatch(r"(.+?)_?([xyzXYZ])", name)
            if match:
                found.setdefault(match[1], {})[match[2].lower()] = k
        axes = "xyz"[: len(self.file.dimensions["num_dim"])]
        return {name: [at[a] for a in axes] for name, at in found.items() if set(axes) <= set(at)}

    def _variable(self, number: int, k: int) -> NDArray[Any]:
        held, name = self.file.variables, f"vals_nod_var{number + 1}"
        table = held[name] if name in held else held["vals_nod_var"]
        values = np.asarray(table[k] if name in held else table[k, number])
        fill = table.getncattr("_FillValue") if "_FillValue" in table.ncattrs() else self._fill[values.dtype.str[1:]]
        wrong = np.flatnonzero(values == np.asarray(fill, values.dtype))
        if len(wrong):
            title = _texts(held, "name_nod_var")[number]
            raise FileError(f"{self.path}: {title} of node {wrong[0] + 1} was not written in step {k}")
        return values

    def frame(self, k: int) -> Found:
        """One step."""
        fields: dict[str, Vectors] = {}
        moved = None
        for name, numbers in self.vectors.items() if self.steps else ():
            columns = [self._variable(number, k) for number in numbers]
            moved = stored(columns[0]) if name == self.meaning.displacement else moved
            rows = [np.asarray(column, np.float64) for column in columns]
            fields[name] = np.column_stack(rows + [np.zeros(len(self.rest))] * (3 - len(rows)))
        return Found(self.rest, "", lambda: self.elements, (self.half, moved), fields=fields)


def _texts(held: Any, name: str) -> list[str]:
    """Names in a table of letters."""
    if name not in held:
        return []
    rows = np.asarray(held[name][:])
    return [b"".join(np.asarray(row, "S1").tolist()).split(b"\0")[0].decode("utf-8", "replace").strip() for row in rows]
