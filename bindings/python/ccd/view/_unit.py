"""The unit and origin of a page, and its arrays as text."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._add_fields import of_range
from ._parts import Objects, Part, middle


class Unit:
    """The page's unit and origin: pages draw in single precision, so the scene is moved and scaled to about 1."""

    def __init__(self, points: NDArray[np.float64]):
        lo, hi = (points.min(0), points.max(0)) if len(points) else (np.zeros(3), np.zeros(3))
        self.origin = lo / 2 + hi / 2
        half = float((hi / 2 - lo / 2).max())
        self.scale = math.ldexp(1.0, -math.frexp(half)[1]) if half > 0 else 1.0

    def of(self, part: Part | None, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points in the page's unit: from its origin, or from the middle of a body, in the body's directions."""
        return (points - (self.origin if part is None or part.motion is None else middle(part))) * self.scale

    def part(self, part: Part, ranges: dict[str, list[float]]) -> dict[str, Any]:
        """A part as the page reads it, with its fields as shares of their ranges."""
        return {
            "name": part.name, "motion": self._motion(part), "frames": self._frames(part), "objects": _objects(part.objects),
            "faces": pack(part.faces, np.uint32), "edges": pack(part.edges, np.uint32), "nets": pack(part.nets, np.uint32),
            "drawn_for": None if part.drawn_for is None else pack(part.drawn_for, np.uint32),
            "ignored": None if part.ignored is None else pack(part.ignored, np.uint32),
            "fields": {name: [pack(of_range(x, *ranges[name])) for x in field] for name, field in part.fields.items()},
            "numbers": {name: pack(array, np.uint32) for name, array in part.numbers.items()},
            "patches": None if part.patches is None
            else {name: pack(array, np.uint32) for name, array in part.patches.ranges._asdict().items()},
        }  # fmt: skip

    def _frames(self, part: Part) -> list[str | int]:
        """The vertices of every frame as text; the number of an earlier frame where nothing has moved since."""
        held: list[str | int] = []
        for k, x in enumerate(part.frames):
            same = k > 0 and np.array_equal(x, part.frames[k - 1])
            held.append((held[-1] if isinstance(held[-1], int) else k - 1) if same else pack(self.of(part, x)))
        return held

    def _motion(self, part: Part) -> dict[str, Any]:
        if part.motion is None:
            return {"kind": "linear"}
        m, s = part.motion, self.scale
        turn = np.asarray(m.rotation, float)
        return {
            "kind": "rigid",
            "rotation": (turn / np.linalg.norm(turn)).tolist(),
            "angular_velocity": [float(x) for x in m.angular_velocity],
            "velocity": (np.asarray(m.velocity, float) * s).tolist(),
            "position": ((np.asarray(m.position, float) - self.origin) * s).tolist(),
            "arm": ((middle(part) - np.asarray(m.pivot, float)) * s).tolist(),
        }


def _objects(objects: Objects) -> dict[str, Any]:
    of = None if objects.of is None else pack(objects.of, np.uint16)
    return {"of": of, "names": objects.names, "colors": objects.colors}


def pack(array: NDArray[Any], dtype: Any = np.float32) -> str:
    """An array's bytes, little-endian, in base64."""
    return base64.b64encode(np.ascontiguousarray(array, np.dtype(dtype).newbyteorder("<")).tobytes()).decode()
