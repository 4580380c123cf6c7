"""glTF files for tests, written by hand, and a reference that evaluates them vertex by vertex, as the specification reads."""

import base64
import json
import struct

import numpy as np

CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
FORMS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Made:
    """A glTF in the making: `json` may be changed before it is written."""

    def __init__(self):
        self.data = bytearray()
        self.json = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "nodes": [], "meshes": [], "scenes": [{}]}

    def view(self, rows, stride=0):
        """The bytes of an array as a buffer view."""
        self.data += b"\0" * (-len(self.data) % 4)
        rows = np.ascontiguousarray(rows)
        size = rows.itemsize * (rows.shape[1] if rows.ndim > 1 else 1)
        content = rows.tobytes()
        if stride:
            content = b"".join(content[i * size : (i + 1) * size].ljust(stride, b"\7") for i in range(len(rows)))
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(content)} | (
            {"byteStride": stride} if stride else {}
        )
        self.json["bufferViews"].append(view)
        self.data += content
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values, kind="f4", stride=0, view=True, **more):
        """The index of an accessor with these values."""
        rows = np.asarray(values, np.dtype(kind).newbyteorder("<"))
        width = rows.shape[1] if rows.ndim > 1 else 1
        one = {"componentType": CODES[kind], "count": len(rows), "type": FORMS[width], **more}
        if view:
            one["bufferView"] = self.view(rows, stride)
        self.json["accessors"].append(one)
        return len(self.json["accessors"]) - 1

    def sparse(self, values, rows, new):
        """An accessor of single precision in which some rows are replaced; without values the others are 0."""
        count = len(values) if values is not None else max(rows) + 1
        index = self.accessor(values if values is not None else np.zeros((count, 3)), view=values is not None)
        at, data = self.view(np.array(rows, "<u2")), self.view(np.array(new, "<f4"))
        self.json["accessors"][index]["sparse"] = {
            "count": len(rows), "indices": {"bufferView": at, "componentType": 5123}, "values": {"bufferView": data}
        }  # fmt: skip
        return index

    def mesh(self, x, faces, **attributes):
        """The index of a mesh of triangles; x may be an accessor."""
        position = x if isinstance(x, int) else self.accessor(x)
        indices = self.accessor(np.ravel(faces), "u4")
        self.json["meshes"].append({"primitives": [{"attributes": {"POSITION": position, **attributes}, "indices": indices}]})
        return len(self.json["meshes"]) - 1

    def node(self, **entries):
        """The index of a node."""
        self.json["nodes"].append(entries)
        return len(self.json["nodes"]) - 1

    def animation(self, *channels, name=None):
        """An animation of (node, path, times, values, interpolation)."""
        one = {"channels": [], "samplers": []} | ({"name": name} if name else {})
        for node, path, times, values, form in channels:
            given = values if isinstance(values, int) else self.accessor(values)
            one["samplers"].append({"input": self.accessor(times), "output": given, "interpolation": form})
            one["channels"].append({"sampler": len(one["samplers"]) - 1, "target": {"node": node, "path": path}})
        self.json.setdefault("animations", []).append(one)

    def write(self, path, roots):
        """Write GLB, or glTF with its buffer beside or inside of it, by the ending of the name."""
        self.json["scenes"] = [{"nodes": roots}]
        data = bytes(self.data)
        if str(path).endswith(".glb"):
            self.json["buffers"] = [{"byteLength": len(data)}]
            text = json.dumps(self.json).encode()
            text, data = text + b" " * (-len(text) % 4), data + b"\0" * (-len(data) % 4)
            head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data))
            path.write_bytes(
                head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
            )
        else:
            uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
            if "beside" in path.name:
                path.with_suffix(".bin").write_bytes(data)
                uri = path.with_suffix(".bin").name
            self.json["buffers"] = [{"byteLength": len(data), "uri": uri}]
            path.write_text(json.dumps(self.json))
        return str(path)


# ---- a reference: nothing is shared with the reader


def multiplied(p, q):
    """The product of two quaternions (x, y, z, w)."""
    a, b, u, v = p[3], q[3], np.array(p[:3]), np.array(q[:3])
    return np.array([*(a * v + b * u + np.cross(u, v)), a * b - np.dot(u, v)])


def turned(q, x):
    """A vector turned by a quaternion."""
    q = np.array(q, float) / np.linalg.norm(q)
    return multiplied(multiplied(q, [*x, 0]), [*-q[:3], q[3]])[:3]


def between(times, values, form, t):
    """The value of a sampler at a time."""
    times, values = np.asarray(np.float32(times), float), np.asarray(np.float32(values), float)
    keys = values.reshape(len(times), 3, -1)[:, 1] if form == "CUBICSPLINE" else values.reshape(len(times), -1)
    if t <= times[0]:
        return keys[0]
    if t >= times[-1]:
        return keys[-1]
    k = max(i for i in range(len(times)) if times[i] <= t)
    s, gap = (t - times[k]) / (times[k + 1] - times[k]), times[k + 1] - times[k]
    if form == "STEP":
        return keys[k]
    if form == "CUBICSPLINE":
        tangents = values.reshape(len(times), 3, -1)
        v0, b0, a1, v1 = keys[k], tangents[k, 2], tangents[k + 1, 0], keys[k + 1]
        value = (
            (2 * s**3 - 3 * s**2 + 1) * v0 + gap * (s**3 - 2 * s**2 + s) * b0
            + (-2 * s**3 + 3 * s**2) * v1 + gap * (s**3 - s**2) * a1
        )  # fmt: skip
        return value / np.linalg.norm(value) if len(value) == 4 else value
    if keys.shape[1] != 4:
        return (1 - s) * keys[k] + s * keys[k + 1]
    p, q = (one / np.linalg.norm(one) for one in (keys[k], keys[k + 1]))
    d = np.dot(p, q)
    angle = np.arccos(min(1.0, abs(d)))
    if angle < 1e-6:
        return p
    return np.sin((1 - s) * angle) / np.sin(angle) * p + np.sign(d) * np.sin(s * angle) / np.sin(angle) * q
