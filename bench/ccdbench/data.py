"""The data folder: scenes (two frames each) and queries with their truth."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import ccd
import numpy as np
from numpy.typing import NDArray

from .machine import ROOT

KINDS = {"vertex-face": "vf", "edge-edge": "ee"}


def folder() -> Path:
    """CCD_DATA, else ../shared/data beside the checkout."""
    path = Path(os.environ.get("CCD_DATA") or ROOT.parent / "shared" / "data")
    if not path.is_dir():
        raise SystemExit(f"no data at {path}: set CCD_DATA")
    return path


@dataclass(frozen=True, eq=False)
class Scene:
    """Two frames of one surface."""

    name: str
    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    edges: NDArray[np.int32]
    faces: NDArray[np.int32]
    mesh: ccd.Mesh


@dataclass(frozen=True, eq=False)
class QuerySet:
    """Queries of one kind, (n, 24), with the truth for minimum separation 0 where the data records it."""

    name: str
    kind: str
    q: NDArray[np.float64]
    truth: NDArray[np.bool_] | None = None
    far: bool = False


def scenes() -> list[Scene]:
    return [scene(path.parent) for path in sorted(folder().glob("scenes/*/frames"))]


def scene(path: Path) -> Scene:
    first, second = (ccd.read(frame) for frame in sorted((path / "frames").iterdir()))
    return Scene(path.name, first.vertices, second.vertices, edges_of(first.faces), first.faces, first.mesh())


def edges_of(faces: NDArray[np.int32]) -> NDArray[np.int32]:
    """(smaller, larger), sorted by the larger and then the smaller: the order of ccd.Mesh, and of the data's box ids."""
    ends = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    return np.ascontiguousarray(np.unique(ends[:, ::-1], axis=0)[:, ::-1])


def handcrafted() -> list[QuerySet]:
    """The handcrafted queries, all files of a kind as one set."""
    sets = []
    for kind in KINDS:
        files = [ccd.read_queries(path) for path in sorted(folder().glob(f"queries/*/{kind}/*.csv"))]
        if files:
            q, truth = np.concatenate([f.q for f in files]), np.concatenate([f.truth for f in files])
            sets.append(QuerySet("handcrafted", kind, q, truth))
    return sets


def scene_queries(scene: Scene) -> list[QuerySet]:
    """The pairs of a scene whose truth is known. Their boxes are numbered vertices first, then edges, then faces."""
    path = folder() / "scenes" / scene.name
    sets = []
    for kind, short in KINDS.items():
        boxes = np.array(_only(path.glob(f"boxes/*{short}.json")), dtype=np.int64)
        truth = np.array(_only(path.glob(f"mma_bool/*{short}_mma_bool.json")), dtype=bool)
        vertices, edges = len(scene.x0), len(scene.edges)
        if kind == "vertex-face":
            points = np.column_stack([boxes[:, 0], scene.faces[boxes[:, 1] - vertices - edges]])
        else:
            points = np.column_stack([scene.edges[boxes[:, 0] - vertices], scene.edges[boxes[:, 1] - vertices]])
        q = np.concatenate([scene.x0[points], scene.x1[points]], axis=1).reshape(-1, 24)
        sets.append(QuerySet(scene.name, kind, q, truth))
    return sets


def candidates(scene: Scene, limit: int) -> list[QuerySet]:
    """Random pairs of those that the broad phase hands on: most of them do not meet."""
    pairs = ccd.broad.candidates(scene.mesh, scene.x0, scene.x1)
    sets = []
    for kind in KINDS:
        chosen = pairs[kind][np.random.default_rng(4).permutation(len(pairs[kind]))[:limit]]
        first = chosen[:, :1] if kind == "vertex-face" else scene.edges[chosen[:, 0]]
        second = scene.faces[chosen[:, 1]] if kind == "vertex-face" else scene.edges[chosen[:, 1]]
        points = np.concatenate([first, second], axis=1)
        q = np.concatenate([scene.x0[points], scene.x1[points]], axis=1).reshape(-1, 24)
        sets.append(QuerySet(f"{scene.name}, random candidates", kind, q))
    return sets


def moved(queries: QuerySet, power: int, limit: int) -> QuerySet:
    """The same queries far from the origin, as the doubles that are left of them there."""
    return QuerySet(f"{queries.name}, moved by 2^{power}", queries.kind, queries.q[:limit] + 2.0**power, far=True)


def _only(paths) -> list:
    (path,) = paths
    return json.loads(path.read_text())
