"""COLLADA meshes, as RViz places them: node transforms and the unit count, the up axis does not.

pycollada reads the file. It keeps coordinates and transforms in single precision.
"""

from __future__ import annotations

import io
import warnings
import xml.etree.ElementTree as xml
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._inner import files, polygons
from ..errors import ArgumentError, FileError, UnsupportedError
from ..files import Surface

# What pycollada leaves out without a word, by tag.
_LOST = {
    "tristrips": "strips of triangles",
    "trifans": "fans of triangles",
    "ph": "polygons with holes",
    "instance_controller": "a skin or a morph",
    "convex_mesh": "a convex hull",
    "spline": "a spline",
}
_KEPT = ("asset", "library_geometries", "library_nodes", "library_visual_scenes", "scene")
_PLAIN = ("extra", "bind_material", "instance_light", "instance_camera", "evaluate_scene")


def read(path: str) -> tuple[Surface, float]:
    """The triangles of a file in meters, and how many meters its unit has. Vertices at the same place become one."""
    _needed(path)
    root = parsed(path)
    unit = unit_of(path, root)
    parts = [(x, corners, sizes) for _, x, corners, sizes in parts_of(path, root)]
    x = np.vstack([np.empty((0, 3)), *(v for v, _, _ in parts)]) * unit
    if not len(x):
        raise FileError(f"{path} has no triangles and no polygons in its scene")
    files.coordinates(path, "vertex", x)
    first = np.cumsum([0, *(len(v) for v, _, _ in parts)])
    with files.naming(path):
        faces = np.vstack([_triangles(x, corners + o, sizes) for (_, corners, sizes), o in zip(parts, first)])
    used, index = np.unique(x[faces.ravel()], axis=0, return_inverse=True)
    return Surface(used, np.empty((0, 2), np.int32), index.reshape(-1, 3).astype(np.int32)), unit


def _needed(path: str) -> Any:
    """The package that reads COLLADA: where it is absent, it is named before the file is looked at."""
    try:
        import collada
    except ImportError as error:
        raise ImportError(f"{path}: COLLADA files need pycollada ({error}): pip install pycollada") from error
    return collada


def parsed(path: str) -> xml.Element:
    """The XML of a file."""
    with files.reading(path), files.opened(path) as file:
        root = xml.parse(file).getroot()
    if _tag(root) != "COLLADA":
        raise FileError(f"{path}: the root is <{_tag(root)}>: must be <COLLADA>")
    return root


def parts_of(path: str, root: xml.Element) -> list[tuple[str, NDArray[np.float64], NDArray[np.int64], NDArray[Any]]]:
    """The primitives in the scene: the name of the geometry, its vertices in the file's unit, corners and sizes of polygons."""
    collada = _needed(path)
    _strip(path, root)
    with files.reading(path), warnings.catch_warnings():
        warnings.filterwarnings("error", "string or file could not be read", DeprecationWarning)  # numbers that end too early
        return list(_parts(path, collada.Collada(io.BytesIO(xml.tostring(root)))))


def _tag(element: xml.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def unit_of(path: str, root: xml.Element) -> float:
    """How many meters the unit has: 1 if the file does not say."""
    text = next((e.get("meter") for a in root if _tag(a) == "asset" for e in a if _tag(e) == "unit"), None)
    if text is None:
        return 1.0
    try:
        unit = float(text)
    except ValueError:
        unit = -1.0
    if not 1e-12 <= unit <= 1e12:
        raise FileError(f"{path}: <unit meter={text!r}>: must be a number from 1e-12 to 1e12")
    return unit


def _strip(path: str, root: xml.Element) -> None:
    """Refuse what pycollada would leave out, and drop what has no part in the shape, so that none of it stands in the way."""
    for child in [e for e in root if _tag(e) not in _KEPT]:
        root.remove(child)
    for parent in list(root.iter()):
        tag = _tag(parent)
        if tag in _LOST:
            raise UnsupportedError(f"{path} has {_LOST[tag]} (<{tag}>): export triangles")
        if tag in ("float_array", "int_array") and parent.get("count") not in (None, str(len((parent.text or "").split()))):
            found = len((parent.text or "").split())
            raise FileError(f"{path}: <{tag} id={parent.get('id')!r}> has {found} numbers: its count is {parent.get('count')}")
        if tag == "float_array" and "nan" in (parent.text or "").lower():
            raise FileError(f"{path}: <float_array id={parent.get('id')!r}> holds NaN, which pycollada would read as 0")
        for child in [e for e in parent if _tag(e) in _PLAIN]:
            parent.remove(child)


def _parts(path: str, model: Any) -> Any:
    """The name of the geometry of each primitive in the scene, its vertices, the corners of its polygons, how many each has."""
    if model.scene is None:
        raise FileError(f"{path} has no <scene>: nothing of it is placed")
    for shape in model.scene.objects("geometry"):
        matrix = np.asarray(shape.matrix, float)
        if not np.array_equal(matrix[3], [0, 0, 0, 1]):
            raise FileError(f"{path}: geometry {shape.original.id!r} has a projective transform")
        mirrored = np.linalg.det(matrix[:3, :3]) < 0
        for primitive in shape.original.primitives:
            if type(primitive).__name__ == "LineSet" or primitive.vertex is None or not len(primitive.vertex_index):
                continue
            x = np.asarray(primitive.vertex, float) @ matrix[:3, :3].T + matrix[:3, 3]
            index = np.asarray(primitive.vertex_index)
            sizes = np.full(len(index), 3) if index.ndim == 2 else np.asarray(primitive.vcounts)
            yield (
                str(shape.original.name or shape.original.id),
                x,
                _corners(path, index.ravel(), sizes, len(x), mirrored),
                sizes,
            )


def _triangles(x: NDArray[np.float64], corners: NDArray[np.int64], sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Polygons cut into triangles (n, 3). Corners that repeat the one before are left out; what is left of two is an edge."""
    if (sizes == 3).all():
        return corners.reshape(-1, 3)
    found, flat, counts = [], [], []
    for polygon in np.split(corners, np.cumsum(sizes)[:-1]):
        kept = polygon[polygon != np.roll(polygon, 1)]
        if len(kept) > 3:
            flat += kept.tolist()
            counts.append(len(kept))
        else:
            found.append(np.resize(kept if len(kept) else polygon[:1], 3))  # a, b, a is the edge a, b
    cut = polygons.cut(x, np.array(flat, np.int32), np.array(counts, np.int32))[0] if counts else np.empty((0, 3), np.int64)
    return np.vstack([np.array(found, np.int64).reshape(-1, 3), cut])


def _corners(path: str, index: NDArray[Any], sizes: NDArray[Any], count: int, mirrored: bool) -> NDArray[np.int64]:
    """The corners of polygons, in the other order if they are mirrored, so that outside stays outside."""
    if len(sizes) and (sizes.min() < 3 or sizes.sum() != len(index)):
        raise ArgumentError(f"{path}: its polygons have {sizes.sum()} corners, the least {sizes.min()}: {len(index)} are given")
    if len(index) and not 0 <= index.min() <= index.max() < count:
        raise FileError(f"{path}: a polygon has vertex {index.max()}: there are {count}")
    ends = np.cumsum(sizes)
    place = np.arange(len(index))
    if mirrored:
        place = np.repeat(ends - sizes, sizes) + np.repeat(ends - 1, sizes) - place
    return index[place].astype(np.int64)
