"""How nodes of a glTF move: channels of one animation, interpolated as the specification says."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ArgumentError, FileError, UnsupportedError
from ._film import HALF
from ._gltf_file import Container

_WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
_MOVING = re.compile(
    r"/nodes/\d+/(translation|rotation|scale|matrix|weights|extensions/KHR_node_visibility.*)|/meshes/\d+/weights"
)


@dataclass
class Sampler:
    """Values at times. `unit` is half a unit in the last place of a value where it is not relative."""

    times: NDArray[np.float64]
    values: NDArray[np.float64]  # (n, width), or (n, 3, width) with the tangents before and behind
    form: str
    unit: float
    turns: bool

    def at(self, time: float) -> tuple[NDArray[np.float64], float]:
        """The value, and how far it may be off by rounding: for a rotation an angle, else a length of all its numbers."""
        right = int(np.searchsorted(self.times, time, side="right"))
        left = max(0, right - 1)
        if right in (0, len(self.times)) or self.times[left] == time or self.form == "STEP":
            return self._kept([(1.0, self._key(left))], 1)
        span = self.times[right] - self.times[left]
        s = float((time - self.times[left]) / span)
        if self.form == "CUBICSPLINE":
            a, b = self.values[left], self.values[right]
            s2, s3 = s * s, s * s * s
            shares = [
                (2 * s3 - 3 * s2 + 1, a[1]), (span * (s3 - 2 * s2 + s), a[2]), (3 * s2 - 2 * s3, b[1]), (span * (s3 - s2), b[0])
            ]  # fmt: skip
            return self._kept(shares, 3 if self.turns else 1)
        a, b = self.values[left], self.values[right]
        if not self.turns:
            return self._kept([(1 - s, a), (s, b)], 1)
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        if np.dot(a, b) < 0:
            b = -b
        # The angle by both sums: an arc cosine of the product loses half the digits of a small one.
        angle = 2 * math.atan2(float(np.linalg.norm(b - a)), float(np.linalg.norm(b + a)))
        if angle < 1e-8:
            return self._kept([(1 - s, a), (s, b)], 1.5)
        return self._kept([(math.sin((1 - s) * angle) / math.sin(angle), a), (math.sin(s * angle) / math.sin(angle), b)], 1.5)

    def _key(self, k: int) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.values[k, 1] if self.form == "CUBICSPLINE" else self.values[k]
        return found

    def _kept(self, shares: list[tuple[float, NDArray[np.float64]]], more: float) -> tuple[NDArray[np.float64], float]:
        value = np.sum([share * one for share, one in shares], axis=0)
        off = sum(abs(share) * (HALF * float(np.linalg.norm(one)) + self.unit * math.sqrt(one.size)) for share, one in shares)
        if not self.turns:
            return value, off
        length = float(np.linalg.norm(value))
        # A quaternion that is off by an angle turns by twice that; of two on a sphere the points between are off by
        # at most sqrt(2) times as much, since the shorter arc is at most a right angle.
        return value / length, 2.1 * more * off / length


class Motion:
    """The channels of one animation, or of all together, by node and path, and the times of its keys."""

    def __init__(self, file: Container, name: str | None, nodes: set[int]):
        self.channels: dict[tuple[int, str], Sampler] = {}
        self.name = ""
        animations = file.list("animations")
        if not animations:
            if name is not None:
                raise ArgumentError(f"animation: {file.path} has no animations")
            return
        for number in _chosen(file, animations, name):
            self._add(file, file.item("animations", number), nodes)

    def _add(self, file: Container, animation: dict[str, Any], nodes: set[int]) -> None:
        """The channels of an animation."""
        called = animation.get("name") or "without a name"
        self.name = f"{self.name}, {called}" if self.name else called
        samplers: dict[tuple[int, str], Sampler] = {}
        for channel in file.list("channels", animation):
            target = channel.get("target") if isinstance(channel, dict) else None
            if not isinstance(target, dict):
                raise FileError(f"{file.path}: a channel of animation {called!r} has no target")
            path = target.get("path")
            if path == "pointer":
                pointer = str((target.get("extensions") or {}).get("KHR_animation_pointer", {}).get("pointer"))
                if _MOVING.fullmatch(pointer):
                    raise UnsupportedError(f"{file.path}: animation {called!r} moves {pointer} by a pointer, which is not read")
                continue
            node = target.get("node")
            if node is None or node not in nodes:
                continue
            if path not in (*_WIDTHS, "weights"):
                raise UnsupportedError(f"{file.path}: animation {called!r} moves {path!r}, which is not known")
            if "matrix" in file.item("nodes", node):
                raise FileError(f"{file.path}: nodes[{node}] is animated and has a matrix, which the specification excludes")
            if (node, path) in self.channels:
                raise FileError(f"{file.path}: animation {called!r} moves {path} of nodes[{node}] twice")
            at = file.count("a channel's sampler", channel.get("sampler"))
            key = at, path
            if key not in samplers:
                samplers[key] = _sampler(file, animation, at, path, node)
            self.channels[node, path] = samplers[key]

    @property
    def times(self) -> list[float]:
        """The times of the keys of all channels."""
        found = [sampler.times for sampler in self.channels.values()]
        return np.unique(np.concatenate(found)).tolist() if found else []

    def forms(self) -> set[str]:
        """Interpolations other than linear that are used between keys of different values."""
        moving = [s for s in self.channels.values() if (s.values != s.values[:1]).any()]
        return {s.form for s in moving} - {"LINEAR"}

    def turn(self) -> tuple[float, int]:
        """The largest angle by which a node turns between two frames, in degrees, and that node."""
        times, most = self.times, (0.0, -1)
        for (node, path), sampler in self.channels.items():
            if path != "rotation" or len(sampler.times) < 2:
                continue
            keys = np.array([sampler.at(time)[0] for time in times])
            apart, together = (np.linalg.norm(keys[1:] + sign * keys[:-1], axis=1) for sign in (-1, 1))
            half = np.arctan2(np.minimum(apart, together), np.maximum(apart, together))
            most = max(most, (float(np.degrees(4 * half.max(initial=0.0))), node))
        return most


def _chosen(file: Container, animations: list[Any], name: str | None) -> list[int]:
    names = [one.get("name") if isinstance(one, dict) else None for one in animations]
    shown = ", ".join(repr(one) if one else str(k) for k, one in enumerate(names))
    if name is None:
        if len(animations) > 1:
            raise ArgumentError(
                f"{file.path} has several animations: name one (--animation), or '*' for all at once, as Blender "
                f"writes the actions of one scene: {shown}"
            )
        return [0]
    if name == "*":
        return list(range(len(animations)))
    if names.count(name) == 1:
        return [names.index(name)]
    if name.isdecimal() and int(name) < len(names):
        return [int(name)]
    many = "several" if name in names else "none"
    raise ArgumentError(
        f"animation: {file.path} has {many} of the name {name!r}; it has {shown}: a number from 0 names one too"
    )


def _sampler(file: Container, animation: dict[str, Any], at: int, path: str, node: int) -> Sampler:
    samplers = file.list("samplers", animation)
    if at >= len(samplers) or not isinstance(samplers[at], dict):
        raise FileError(f"{file.path}: a channel of an animation names sampler {at} of {len(samplers)}")
    one = samplers[at]
    form = one.get("interpolation", "LINEAR")
    if form not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise UnsupportedError(f"{file.path}: the interpolation {form!r} is not known")
    times = file.accessor(one.get("input"), ("SCALAR",))[0].reshape(-1)
    if not len(times) or times[0] < 0 or (np.diff(times) <= 0).any():
        raise FileError(f"{file.path}: the times of a sampler must ascend, from 0 on")
    values, unit = file.accessor(one.get("output"), ("SCALAR",) if path == "weights" else (f"VEC{_WIDTHS[path]}",))
    each = 3 if form == "CUBICSPLINE" else 1
    width = _WIDTHS.get(path) or _targets(file, node)
    if values.size != len(times) * each * width:
        raise FileError(f"{file.path}: a sampler has {values.size} numbers for {len(times)} times of {each * width} each")
    shaped = values.reshape((len(times), 3, width) if each == 3 else (len(times), width))
    if path == "rotation" and (np.linalg.norm(shaped[:, 1] if each == 3 else shaped, axis=-1) < 0.5).any():
        raise FileError(f"{file.path}: a rotation of nodes[{node}] is no unit quaternion")
    return Sampler(times, shaped, form, unit, path == "rotation")


def _targets(file: Container, node: int) -> int:
    """The number of morph targets of the mesh of a node."""
    mesh = file.item("nodes", node).get("mesh")
    primitives = file.list("primitives", file.item("meshes", mesh)) if mesh is not None else []
    if not primitives or not isinstance(primitives[0], dict):
        raise FileError(f"{file.path}: weights of nodes[{node}] are animated, which has no mesh")
    return len(file.list("targets", primitives[0]))
