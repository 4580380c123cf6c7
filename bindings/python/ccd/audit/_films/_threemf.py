"""3MF: the objects of the build, where it places them, as the core specification says; one frame.

The file is read here, in double precision: lib3mf and others round coordinates to single precision.
"""

from __future__ import annotations

import posixpath
import zipfile
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError
from ._film import Film, Shape, turned_corners, unique

_CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
_PRODUCTION = "{http://schemas.microsoft.com/3dmanufacturing/production/2015/06}"
_MODEL = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_MOST = 1 << 31  # bytes of a part
_DEPTH = 100  # components within components
_BODIES = 100_000
# Extensions that change no surface, by their namespaces; others that a model requires are refused.
_HARMLESS = (
    _PRODUCTION[1:-1],
    "http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
    "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07",
)
_KNOWN = {
    "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02": "beam lattices",
    "http://schemas.microsoft.com/3dmanufacturing/slice/2015/07": "slices",
    "http://schemas.microsoft.com/3dmanufacturing/securecontent/2019/04": "encrypted content",
    "http://schemas.3mf.io/3dmanufacturing/volumetric/2022/01": "volumetric content",
    "http://schemas.3mf.io/3dmanufacturing/displacement/2023/10": "displaced meshes",
}


class ThreeMF(Film):
    """The items of a build, each with the meshes of its components."""

    rounded = "in text of few digits"

    def __init__(self, path: str):
        super().__init__(path)
        self._models: dict[str, ElementTree.Element] = {}
        self._objects: dict[tuple[str, str], ElementTree.Element] = {}
        self._meshes: dict[tuple[str, str], Any] = {}
        self.bodies: dict[str, tuple[tuple[str, str], NDArray[np.float64]]] = {}
        with files.reading(path), files.opened(path) as file, zipfile.ZipFile(file) as self._archive:
            self._read()

    def _read(self) -> None:
        root_name = self._start()
        root = self._model(root_name)
        unit = root.get("unit", "millimeter")
        self.say(
            f"lengths are in {unit}s"
            if unit not in ("foot", "inch")
            else f"lengths are in {'feet' if unit == 'foot' else 'inches'}"
        )
        items = root.findall(f"{_CORE}build/{_CORE}item")
        found: list[tuple[str, tuple[str, str], NDArray[np.float64]]] = []
        for item in items:
            key = _place(item.get(f"{_PRODUCTION}path"), root_name), str(item.get("objectid"))
            self._placed(key, self._matrix(item.get("transform")), found, 0)
        if not items:
            raise FileError(f"{self.path} has no items in its build")
        names = unique([name for name, _, _ in found], [str(k) for k in range(len(found))])
        self.bodies = {name: (key, matrix) for name, (_, key, matrix) in zip(names, found)}

    def _start(self) -> str:
        """The part that holds the build."""
        try:
            text = self._part("_rels/.rels")
        except KeyError:
            raise FileError(f"{self.path} is no 3MF: it has no _rels/.rels") from None
        for one in ElementTree.fromstring(text):
            if one.get("Type") == _MODEL:
                return _place(one.get("Target"), "")
        raise FileError(f"{self.path} is no 3MF: it names no model")

    def _part(self, name: str) -> bytes:
        size = self._archive.getinfo(name).file_size
        if size > _MOST:
            raise FileError(f"{self.path}: {name} has {size:,} bytes: too many")
        with self._archive.open(name) as part:
            return part.read(_MOST)

    def _model(self, name: str) -> ElementTree.Element:
        if name in self._models:
            return self._models[name]
        try:
            text = self._part(name)
        except KeyError:
            raise FileError(f"{self.path} has no part {name}, which it names") from None
        spaces = dict[str, str]()
        parser: Any = ElementTree.XMLPullParser(("start-ns",))
        parser.feed(text[: 1 << 16])
        for _, (prefix, space) in parser.read_events():
            spaces.setdefault(prefix, space)
        root = ElementTree.fromstring(text)
        if root.tag != f"{_CORE}model":
            raise FileError(f"{self.path}: {name} is no model of the core specification of 2015: {root.tag}")
        for prefix in (root.get("requiredextensions") or "").split():
            space = spaces.get(prefix, prefix)
            if space not in _HARMLESS:
                what = _KNOWN.get(space, space)
                raise UnsupportedError(f"{self.path} requires {what}, which is not read: export plain triangles")
        for one in root.iter():
            space = str(one.tag)[1:].partition("}")[0]
            if space in _KNOWN:
                raise UnsupportedError(f"{self.path} has {_KNOWN[space]}, which are not read: export plain triangles")
        self._models[name] = root
        for one in root.findall(f"{_CORE}resources/{_CORE}object"):
            self._objects[name, str(one.get("id"))] = one
        return root

    def _placed(
        self, key: tuple[str, str], matrix: NDArray[np.float64], found: list[tuple[str, tuple[str, str], NDArray[np.float64]]],
        depth: int,
    ) -> None:  # fmt: skip
        """The meshes of an object and of its components."""
        self._model(key[0])
        one = self._objects.get(key)
        if one is None:
            raise FileError(f"{self.path}: there is no object {key[1]} in {key[0]}")
        if depth > _DEPTH or len(found) > _BODIES:
            raise FileError(f"{self.path}: components are {_DEPTH} deep, or more than {_BODIES:,}")
        if one.get("type") == "other":
            raise FileError(f"{self.path}: object {key[1]} is of type other, which a build must not place")
        if one.find(f"{_CORE}mesh") is not None:
            found.append((one.get("name") or f"object {key[1]}", key, matrix))
        for part in one.findall(f"{_CORE}components/{_CORE}component"):
            inner = _place(part.get(f"{_PRODUCTION}path"), key[0]), str(part.get("objectid"))
            self._placed(inner, matrix @ self._matrix(part.get("transform")), found, depth + 1)

    def _matrix(self, text: str | None) -> NDArray[np.float64]:
        """A transform of column vectors: the file has one of rows, by rows, without the last column."""
        if text is None:
            return np.eye(4)
        values = np.array([float(word) for word in text.split()])
        if len(values) != 12 or not np.isfinite(values).all():
            raise FileError(f"{self.path}: the transform {text[:80]!r} has {len(values)} numbers: must be 12")
        matrix = np.eye(4)
        matrix[:3] = values.reshape(4, 3).T
        return matrix

    def _mesh(self, key: tuple[str, str]) -> tuple[NDArray[np.float64], NDArray[np.int32], int]:
        """The vertices and triangles of an object, and with how many digits coordinates are written."""
        if key not in self._meshes:
            mesh = self._objects[key].find(f"{_CORE}mesh")
            assert mesh is not None
            words = [[v.get(axis, "") for axis in "xyz"] for v in mesh.iterfind(f"{_CORE}vertices/{_CORE}vertex")]
            x = np.array([[float(word) for word in row] for row in words]).reshape(-1, 3)
            faces = [
                [int(t.get(v, "-1")) for v in ("v1", "v2", "v3")] for t in mesh.iterfind(f"{_CORE}triangles/{_CORE}triangle")
            ]
            digits = max((_digits(word) for row in words for word in row), default=17)
            self._meshes[key] = x, np.array(faces, np.int32).reshape(-1), digits
        found: tuple[NDArray[np.float64], NDArray[np.int32], int] = self._meshes[key]
        return found

    def names(self, k: int) -> list[str]:
        """All bodies of the build."""
        return list(self.bodies)

    def shape(self, k: int, name: str) -> Shape:
        """A body of the build."""
        key, matrix = self.bodies[name]
        x, corners, digits = self._mesh(key)
        sizes = np.full(len(corners) // 3, 3, np.int32)
        if np.linalg.det(matrix[:3, :3]) < 0:
            corners = turned_corners(corners, sizes)
        off = 0.0
        if 5 < digits < 15 and len(x):  # fewer are meant as they are written
            size = float(np.abs(x).max())
            last = 10.0 ** (np.floor(np.log10(size)) + 1 - digits) if size else 0.0
            off = 0.5 * 1.7320508075688774 * last * float(np.linalg.norm(matrix[:3, :3], 2)) * (1 + 1e-9)
        return Shape(x @ matrix[:3, :3].T + matrix[:3, 3], corners, sizes, off=off)


def _place(name: str | None, beside: str) -> str:
    """The name of a part in the archive."""
    if not name:
        return beside
    return posixpath.normpath(name).lstrip("/")


def _digits(word: str) -> int:
    """The significant digits that a number is written with."""
    mantissa = word.lower().partition("e")[0].lstrip("+-").replace(".", "").lstrip("0")
    return len(mantissa)
