"""A step as one page to look at: both frames, the way between them, and what was found. No network, no installation.

    page = ccd.view.Page("two sheets")
    page.add_mesh(mesh, x0, x1)
    page.add_impacts(mesh, x0, x1, ccd.step.collisions(mesh, x0, x1))
    page.write("report.html")

A page holds *parts*, which move, and *pairs*, which met or came near. Whatever can be shown as triangles and lines whose
corners move on straight lines (a mesh, the surface of a volume, a tessellated patch) is a part already; a motion of another
kind is one more entry of `motions` in page.js.
"""

from __future__ import annotations

import base64
import json
import os
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _arrays
from ..impact import Kind, Verdict
from ..mesh import Mesh
from ..verify import corners

MOST_PAIRS = 5000  #: impacts, and near pairs, that a page lists; the earliest and the nearest of them


class Page:
    """What a page shows."""

    def __init__(self, title: str):
        self.title = title
        self.parts: list[dict[str, Any]] = []
        self.impacts: list[dict[str, Any]] = []
        self.near: list[dict[str, Any]] = []
        self.facts: dict[str, str] = {}  #: shown as they are
        self._met: list[tuple[NDArray[Any], NDArray[Any]]] = []  # points and times of all impacts, listed or not
        self._origin: NDArray[np.float64] | None = None

    def add_mesh(self, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, name: str = "mesh") -> None:
        """A part whose vertices move on straight lines from x0 to x1."""
        start, end = _arrays.coordinates("x0", x0), _arrays.coordinates("x1", x1)
        if self._origin is None:  # pages draw in single precision: near the first part's middle
            ends = np.vstack([start, end])
            self._origin = (ends.min(0) + ends.max(0)) / 2 if len(ends) else np.zeros(3)
        self.parts.append(
            {
                "name": name,
                "motion": {"kind": "linear", "x0": self._packed(start), "x1": self._packed(end)},
                "faces": _pack(mesh.faces, np.uint32),
                "edges": _pack(mesh.edges, np.uint32),
            }
        )

    def add_impacts(self, mesh: Mesh, x0: ArrayLike, x1: ArrayLike, impacts: NDArray[Any], part: int = 0) -> None:
        """Impacts of a step, as ccd.step.collisions gives them."""
        by_kind = corners(mesh)
        origin = np.zeros(3) if self._origin is None else self._origin
        self._met.append((impacts["point"] - origin, impacts["toi_lo"]))
        self.facts["impacts"] = f"{sum(len(times) for _, times in self._met):,}"
        for record in impacts[:MOST_PAIRS]:
            kind = Kind(int(record["kind"]))
            first, second = by_kind[kind]
            pair = _pair(part, kind, record["a"], record["b"], first[record["a"]], second[record["b"]])
            pair |= {
                "verdict": str(Verdict(int(record["verdict"]))),
                "toi": float(record["toi_lo"]),
                "point": (record["point"] - origin).tolist(),  # near the page's origin, to draw
                "at": record["point"].tolist(),
                "normal": record["normal"].tolist(),
            }
            self.impacts.append(pair)

    def add_near(self, mesh: Mesh, x0: ArrayLike, pairs: dict[Kind, NDArray[np.int64]], part: int = 0) -> None:
        """Pairs that came near and did not meet; of many, those whose middles are nearest at the start."""
        start, met = _arrays.coordinates("x0", x0), {(p["kind"], p["a"], p["b"]) for p in self.impacts}
        by_kind, found, wanted = corners(mesh), [], MOST_PAIRS + len(met)
        for kind, these in pairs.items():
            first, second = by_kind[kind]
            gap = np.linalg.norm(start[first[these[:, 0]]].mean(1) - start[second[these[:, 1]]].mean(1), axis=1)
            nearest = np.argpartition(gap, wanted)[:wanted] if len(gap) > wanted else np.arange(len(gap))
            found += [(d, kind, a, b) for d, (a, b) in zip(gap[nearest].tolist(), these[nearest].tolist())]
        self.facts["pairs whose boxes meet"] = f"{sum(map(len, pairs.values())):,}"
        for _, kind, a, b in sorted(found):
            if (str(kind), a, b) not in met and len(self.near) < MOST_PAIRS:
                first, second = by_kind[kind]
                self.near.append(_pair(part, kind, a, b, first[a], second[b]))

    def html(self) -> str:
        """The page, with everything in it."""
        here = resources.files(__package__)
        text = {name: (here / name).read_text("utf-8") for name in ("page.html", "page.css", "page.js")}
        points, times = (np.concatenate(part) for part in zip((np.empty((0, 3)), np.empty(0)), *self._met))
        data = {
            "title": self.title,
            "facts": self.facts,
            "parts": self.parts,
            "impacts": self.impacts,
            "near": self.near,
            "met": {"points": _pack(points, np.float32), "times": _pack(times, np.float32)},
        }
        page = text["page.html"].replace("/* page.css */", text["page.css"]).replace("/* page.js */", text["page.js"])
        # "<" cannot end the script element before its time, whatever a title holds.
        return page.replace('"page data"', json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())

    def _packed(self, points: NDArray[np.float64]) -> str:
        return _pack(points - self._origin, np.float32)


def _pair(part: int, kind: Kind, a: int, b: int, first: NDArray[Any], second: NDArray[Any]) -> dict[str, Any]:
    return {"part": part, "kind": str(kind), "a": int(a), "b": int(b), "first": first.tolist(), "second": second.tolist()}


def _pack(array: NDArray[Any], dtype: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(array, np.dtype(dtype).newbyteorder("<")).tobytes()).decode()
