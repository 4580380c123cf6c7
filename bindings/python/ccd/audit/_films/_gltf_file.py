"""glTF 2.0 as a container: JSON, buffers and accessors, dense, sparse, normalized; nothing is drawn here."""

from __future__ import annotations

import base64
import os
import struct
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from ..._inner import files
from ...errors import FileError, UnsupportedError

_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_JSON, _BINARY = 0x4E4F534A, 0x004E4942
_BYTES = 1 << 33  # A file may have so many.
_VALUES = 1 << 31  # An accessor may have so many.
_ZEROS = 1 << 22  # rows that an accessor may have without data, whatever others have

# Extensions that change no position; others that a file requires are refused.
_HARMLESS = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp")
_READ = ("KHR_mesh_quantization", "EXT_mesh_gpu_instancing", "KHR_node_visibility", "KHR_animation_pointer")
_COMPRESSED = {
    "KHR_draco_mesh_compression": "Draco",
    "EXT_meshopt_compression": "meshopt",
    "KHR_meshopt_compression": "meshopt",
}


class Container:
    """The JSON of a glTF or GLB file, and its accessors as arrays."""

    def __init__(self, path: str):
        self.path = path
        with files.reading(path), files.opened(path) as file:
            content = file.read(_BYTES + 1)
        if len(content) > _BYTES:
            raise FileError(f"{path} has more than {_BYTES:,} bytes")
        self._binary: bytes | None = None
        self.json: dict[str, Any] = self._parsed(content)
        version = self.json.get("asset", {}).get("version") if isinstance(self.json.get("asset"), dict) else None
        if not isinstance(version, str) or version.split(".")[0] != "2":
            raise UnsupportedError(f"{path} is glTF of version {version!r}: 2 is read; export it again")
        for name in map(str, self.list("extensionsRequired")):
            if name in _COMPRESSED:
                raise self.compressed(name)
            if not name.startswith(_HARMLESS) and name not in _READ:
                raise UnsupportedError(f"{path} requires the extension {name!r}, which is not read: export it without")
        self._buffers: dict[int, bytes] = {}

    def compressed(self, name: str) -> UnsupportedError:
        """The error about a compression."""
        return UnsupportedError(
            f"{self.path} is compressed by {_COMPRESSED[name]} ({name}), which is not read: unpack it with "
            "'gltf-transform copy IN.glb OUT.glb' (npm: @gltf-transform/cli), or export it without compression"
        )

    def _parsed(self, content: bytes) -> dict[str, Any]:
        if content[:4] == b"glTF":
            version, length = struct.unpack_from("<II", content.ljust(12, b"\0"), 4)
            if version != 2:
                raise UnsupportedError(f"{self.path} is binary glTF of version {version}: 2 is read; export it again")
            if not 20 <= length <= len(content):
                raise FileError(f"{self.path} ends early: it has {len(content)} bytes of {length}")
            text, at = None, 12
            while at + 8 <= length:
                size, kind = struct.unpack_from("<II", content, at)
                if at + 8 + size > length:
                    raise FileError(f"{self.path}: a chunk of {size} bytes ends behind the file")
                if text is None:
                    if kind != _JSON:
                        raise FileError(f"{self.path}: the first chunk is not JSON")
                    text = content[at + 8 : at + 8 + size]
                elif kind == _BINARY and self._binary is None:
                    self._binary = content[at + 8 : at + 8 + size]
                at += 8 + size + (-size) % 4
            if text is None:
                raise FileError(f"{self.path} has no JSON chunk")
            content = text
        found = files.parse(self.path, content)
        if not isinstance(found, dict):
            raise FileError(f"{self.path}: the JSON is no object")
        return found

    # ---- JSON

    def list(self, name: str, of: dict[str, Any] | None = None) -> list[Any]:
        """A list of the file, or of an object in it; empty if it has none."""
        found = (self.json if of is None else of).get(name, [])
        if not isinstance(found, list):
            raise FileError(f"{self.path}: {name} is no list")
        return found

    def item(self, name: str, index: Any) -> dict[str, Any]:
        """An object of a list of the file, by its index."""
        found = self.list(name)
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(found):
            raise FileError(f"{self.path}: {name}[{index!r}] is not there: there are {len(found)}")
        if not isinstance(found[index], dict):
            raise FileError(f"{self.path}: {name}[{index}] is no object")
        one: dict[str, Any] = found[index]
        return one

    def count(self, name: str, value: Any, default: int | None = None) -> int:
        """An integer from 0."""
        value = default if value is None else value
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _BYTES:
            raise FileError(f"{self.path}: {name} is {value!r}: must be an integer from 0")
        return value

    def numbers(self, name: str, value: Any, count: int) -> NDArray[np.float64]:
        """So many finite numbers."""
        good = isinstance(value, list) and len(value) == count
        if not good or not all(isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) <= 1e150 for x in value):
            raise FileError(f"{self.path}: {name} is {str(value)[:80]}: must be {count} finite numbers")
        return np.array(value, np.float64)

    # ---- data

    def _buffer(self, index: Any) -> bytes:
        one = self.item("buffers", index)
        if index in self._buffers:
            return self._buffers[index]
        uri, size = one.get("uri"), self.count(f"buffers[{index}].byteLength", one.get("byteLength"))
        if uri is None:
            if index == 0 and self._binary is not None:
                found = self._binary
            else:
                for name in _COMPRESSED:
                    if name in (one.get("extensions") or {}):
                        raise self.compressed(name)
                raise FileError(f"{self.path}: buffers[{index}] has no data")
        elif not isinstance(uri, str):
            raise FileError(f"{self.path}: buffers[{index}].uri is no text")
        elif uri.startswith("data:"):
            try:
                found = base64.b64decode(uri.partition(",")[2], validate=True)
            except ValueError as error:
                raise FileError(f"{self.path}: buffers[{index}].uri is no base64 data: {error}") from None
        elif "://" in uri or os.path.isabs(unquote(uri)):
            raise UnsupportedError(f"{self.path}: buffers[{index}] is at {uri[:80]!r}: files beside the glTF are read")
        else:
            beside = os.path.join(os.path.dirname(self.path), unquote(uri))
            with files.reading(beside), files.opened(beside) as file:
                found = file.read(_BYTES + 1)
        if len(found) < size:
            raise FileError(f"{self.path}: buffers[{index}] has {len(found)} bytes of {size}")
        self._buffers[index] = found
        return found

    def _view(self, index: Any, offset: int, count: int, kind: np.dtype[Any], width: int, packed: bool) -> NDArray[Any]:
        """Rows of a buffer view."""
        view = self.item("bufferViews", index)
        extensions = view.get("extensions") or {}
        for name in _COMPRESSED:
            if name in extensions and "uri" not in self.item("buffers", view.get("buffer")):
                raise self.compressed(name)
        where = f"bufferViews[{index}]"
        data = self._buffer(view.get("buffer"))
        begin = self.count(f"{where}.byteOffset", view.get("byteOffset"), 0)
        length = self.count(f"{where}.byteLength", view.get("byteLength"))
        size = kind.itemsize * width
        stride = size if packed else self.count(f"{where}.byteStride", view.get("byteStride"), size)
        if stride < size or begin + length > len(data) or (count and offset + stride * (count - 1) + size > length):
            raise FileError(f"{self.path}: {where} has {length} bytes: {count} rows of {size}, {stride} apart, do not fit")
        if not count:
            return np.empty((0, width), kind)
        first = np.frombuffer(data, np.uint8, offset=begin + offset)
        rows = np.lib.stride_tricks.as_strided(first, (count, size), (stride, 1))
        return np.ascontiguousarray(rows).view(kind).reshape(count, width)

    def accessor(self, index: Any, types: tuple[str, ...], real: bool = True) -> tuple[NDArray[Any], float]:
        """The values of an accessor, (n, width), and half a unit in their last place where it is not relative.

        Real values are float64, integers as they are. The unit is 0 for single precision.
        """
        one, where = self.item("accessors", index), f"accessors[{index}]"
        code, form = one.get("componentType"), one.get("type")
        if code not in _TYPES or form not in types:
            raise FileError(f"{self.path}: {where} is of type {form!r}, components {code!r}: must be {' or '.join(types)}")
        kind, width, count = np.dtype(_TYPES[code]), _WIDTHS[form], self.count(f"{where}.count", one.get("count"))
        if count * width > _VALUES:
            raise FileError(f"{self.path}: {where} has {count} rows of {width}: too many")
        if one.get("bufferView") is None:
            given = [other["count"] for other in self.list("accessors") if other.get("bufferView") is not None]
            if count > max([_ZEROS, *given]):
                raise FileError(f"{self.path}: {where} has {count} rows without data, more than any that has data")
            values = np.zeros((count, width), kind)
        else:
            at = self.count(f"{where}.byteOffset", one.get("byteOffset"), 0)
            values = self._view(one["bufferView"], at, count, kind, width, False)
        sparse = one.get("sparse")
        if sparse is not None:
            values = self._sparse(where, sparse, values, kind, width)
        if not real:
            if kind.kind == "f":
                raise FileError(f"{self.path}: {where} has floating-point components: must be integers")
            return values, 0.0
        found = values.astype(np.float64)
        if kind.kind == "f":
            wrong = np.flatnonzero(~np.isfinite(found).all(1))
            if len(wrong):
                raise FileError(f"{self.path}: {where} is not finite in row {wrong[0]}")
            return found, 0.0
        if one.get("normalized") is True:
            most = float(np.iinfo(kind).max)
            return np.maximum(found / most, -1.0), 0.5 / most
        return found, 0.5

    def _sparse(self, where: str, sparse: Any, values: NDArray[Any], kind: np.dtype[Any], width: int) -> NDArray[Any]:
        if not isinstance(sparse, dict) or not all(isinstance(sparse.get(part), dict) for part in ("indices", "values")):
            raise FileError(f"{self.path}: {where}.sparse needs indices and values")
        count, at, new = self.count(f"{where}.sparse.count", sparse.get("count")), sparse["indices"], sparse["values"]
        code = at.get("componentType")
        if code not in (5121, 5123, 5125):
            raise FileError(f"{self.path}: {where}.sparse.indices have components {code!r}: must be unsigned integers")
        offsets = [self.count(f"{where}.sparse byteOffset", part.get("byteOffset"), 0) for part in (at, new)]
        rows = self._view(at.get("bufferView"), offsets[0], count, np.dtype(_TYPES[code]), 1, True).reshape(-1)
        if len(rows) and (int(rows.max()) >= len(values) or (np.diff(rows.astype(np.int64)) <= 0).any()):
            raise FileError(f"{self.path}: {where}.sparse.indices must ascend, below {len(values)}")
        values = values.copy()
        values[rows] = self._view(new.get("bufferView"), offsets[1], count, kind, width, True)
        return values
