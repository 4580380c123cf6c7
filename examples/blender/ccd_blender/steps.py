"""Steps of collision detection on captured frames, and impacts from the JSON of `ccd step`."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .capture import Capture, Part


@dataclass
class Hit:
    """One impact, as it is shown."""

    frame: float  # the scene's frame: that of the step's start plus the time of impact
    toi: float  # time in the step, 0 to 1
    kind: str
    first: str  # "vertex 3 of Cube"
    second: str
    point: tuple
    normal: tuple
    vertices: list  # vertices of the capture


def load_ccd():
    """The package ccd, or an ImportError that says how to install it."""
    try:
        import ccd
    except ImportError as error:
        import sys

        raise ImportError(
            f"the Python package ccd is not installed in Blender: {sys.executable} -m pip install ccd_toi-VERSION.whl ({error})"
        ) from error
    return ccd


def find(captured, min_separation=0.0, within_objects=True, progress=None):
    """All impacts between consecutive frames, sorted by time; each step is one call of `ccd.step.collisions`."""
    ccd = load_ccd()
    mesh = ccd.Mesh(faces=captured.faces, edges=captured.edges, vertices=len(captured.x[0]))
    if not within_objects:
        mesh.set_groups(captured.owners())
    names = _Names(ccd, captured, mesh)
    hits = []
    for k in range(len(captured.frames) - 1):
        x0, x1 = captured.x[k], captured.x[k + 1]
        found = ccd.step.collisions(mesh, x0, x1, min_separation=min_separation, check_start=k == 0)
        start, end = captured.frames[k], captured.frames[k + 1]
        hits += [names.hit(record, start, end) for record in found]
        if progress is not None:
            progress((k + 1) / (len(captured.frames) - 1))
    return hits


class _Names:
    """What the primitives of a capture are called."""

    def __init__(self, ccd, captured, mesh):
        self.captured = captured
        self.corners = {"edge": mesh.edges, "face": mesh.faces}
        self.kinds = {int(kind): str(kind) for kind in (*ccd.Kind, ccd.proximity.EDGE_FACE)}

    def hit(self, record, start, end):
        toi = float(record["toi_lo"])
        kind = record["kind"] if isinstance(record["kind"], str) else self.kinds[int(record["kind"])]
        sides = list(zip(kind.split("-"), (int(record["a"]), int(record["b"]))))
        first, second = (
            [index] if shape in ("vertex", "point") else self.corners[shape][index].tolist() for shape, index in sides
        )
        names = [self._name(shape, corners) for (shape, _), corners in zip(sides, (first, second))]
        point, normal = tuple(map(float, record["point"])), tuple(map(float, record["normal"]))
        return Hit(start + toi * (end - start), toi, kind, *names, point, normal, first + second)

    def _name(self, shape, corners):
        part, _ = self.captured.part_of(corners[0])
        return f"{shape} {' '.join(str(v - part.first) for v in corners)} of {part.name}"


def read_json(path, frames):
    """The capture and the impacts in a file of `ccd step A B --json`; with --all it lists every impact."""
    ccd = load_ccd()
    path = Path(path)
    report = json.loads(path.read_text())
    if not isinstance(report, dict) or "verdict" not in report or len(report.get("frames", ())) != 2:
        raise ValueError(f"{path.name} is not a report of ccd step --json")
    first, second = (path.parent / name for name in report["frames"])
    surface = ccd.read(first)
    end = np.load(second) if second.suffix == ".npy" else ccd.read(second).vertices
    mesh = surface.mesh()
    captured = Capture([Part(first.stem, 0, len(surface.vertices), True)], mesh.faces, mesh.edges)
    captured.frames, captured.x = list(frames), [surface.vertices, end]
    listed = report.get("impacts") or ([report["earliest"]] if report["earliest"] else [])
    names = _Names(ccd, captured, mesh)
    return captured, [names.hit(item, *frames) for item in listed]
