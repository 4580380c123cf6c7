"""Answers of the native library, for native.test.js, which must get the same bits: python native.py OUT."""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path

import ccd
import numpy as np

RNG = np.random.default_rng(2026)
KINDS = {ccd.Kind.VERTEX_FACE: 8, ccd.Kind.EDGE_EDGE: 8, ccd.Kind.POINT_EDGE: 6, ccd.Kind.POINT_POINT: 4}


def text(array, dtype=np.float64):
    return base64.b64encode(np.ascontiguousarray(array, np.dtype(dtype).newbyteorder("<")).tobytes()).decode()


def in_camel_case(options):
    """Options with their names in JavaScript."""
    return {re.sub("_(.)", lambda m: m[1].upper(), name): value for name, value in options.items()}


def impacts(records):
    """The columns of an impact, as native.test.js lists the fields of an object."""
    names = ("verdict", "kind", "a", "b", "toi_lo", "toi_hi", "u", "v", "point", "normal", "width", "flags")
    return text(np.column_stack([np.atleast_1d(records[name]).astype(np.float64) for name in names]))


def near(records):
    names = ("kind", "a", "b", "distance_lo", "distance_hi", "u", "v", "point_a", "point_b")
    return text(np.column_stack([np.atleast_1d(records[name]).astype(np.float64) for name in names]))


def sheets(n):
    """Two crumpled sheets that pass through each other, with a rod and a point."""
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    one = np.vstack([np.stack([corner, corner + 1, corner + n], 1), np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    x, y = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n)))
    flat = np.stack([x, y, np.zeros_like(x)], 1)
    x0 = np.vstack([flat, flat + np.array([0.013, 0.007, 0.1]), [[0.2, 0.2, 0.3], [0.8, 0.7, 0.3], [0.5, 0.5, 0.4]]])
    x0 = x0 + RNG.uniform(-0.02, 0.02, x0.shape)
    x1 = x0 + RNG.uniform(-0.05, 0.05, x0.shape) - [0, 0, 0.2] * (np.arange(len(x0))[:, None] >= n * n)
    faces = np.vstack([one, one + n * n])
    edges = ccd.Mesh(faces=faces, vertices=len(x0)).edges
    return faces, np.vstack([edges, [[2 * n * n, 2 * n * n + 1]]]), x0, x1


def step_case(options, radii=None):
    faces, edges, x0, x1 = sheets(12)
    mesh = ccd.Mesh(faces=faces, edges=edges, vertices=len(x0))
    if radii is not None:
        mesh.set_radii(np.full(len(x0), radii))
    alpha, x = ccd.step.advance(mesh, x0, x1, 0.5, **options)
    first = ccd.step.earliest(mesh, x0, x1, **options)
    all_impacts = ccd.step.collisions(mesh, x0, x1, **options)
    assert len(all_impacts) > 100 and first.toi_lo == all_impacts["toi_lo"][0]
    active = ccd.step.activeset(mesh, x0, x1, **{name: value for name, value in options.items() if name != "check_start"})
    nearest = ccd.proximity.distance(mesh, x0)
    interval = (nearest.distance_lo, nearest.distance_hi)
    nearest = [int(nearest.kind), nearest.a, nearest.b, *interval, nearest.u, nearest.v, *nearest.point_a, *nearest.point_b]
    return {
        "vertices": len(x0), "faces": text(faces, np.int32), "edges": text(edges, np.int32), "x0": text(x0), "x1": text(x1),
        "radii": radii, "options": in_camel_case(options), "collisions": impacts(all_impacts),
        "size": text([ccd.step.size(mesh, x0, x1, **options)]), "alpha": text([alpha]), "x": text(x),
        "active": text(np.column_stack([active[f].astype(float) for f in ("vertices", "weights", "gap", "separation")])),
        "intersections": [[int(i["kind"]), int(i["a"]), int(i["b"])] for i in ccd.proximity.intersections(mesh, x0)],
        "near": near(ccd.proximity.near(mesh, x0, 0.03)), "distance": text(nearest),
    }  # fmt: skip


def pairs_case(kind, points):
    q = RNG.integers(-8, 8, (60, points, 3)) / 4 + RNG.choice([0, 1e-3, 1], (60, 1, 1)) * RNG.uniform(-1, 1, (60, points, 3))
    cases = []
    for options in (
        {},
        {"min_separation": 0.125},
        {"method": "tight-inclusion", "norm": "max", "min_separation": 0.01},
        {"method": "time-contracted", "tolerance": 1e-4, "no_zero_toi": True},
    ):
        cases.append({"options": in_camel_case(options), "impacts": impacts(ccd.pair.solve(kind, q, **options))})
    return {"kind": str(kind), "q": text(q), "cases": cases}


def main():
    steps = [
        step_case({}),
        step_case({"min_separation": 1e-3, "check_start": True}),
        step_case({"method": "time-contracted", "t_max": 0.75}, radii=2e-3),
    ]
    held = {"steps": steps, "pairs": [pairs_case(kind, points) for kind, points in KINDS.items()]}
    Path(sys.argv[1]).write_text(json.dumps(held))


if __name__ == "__main__":
    main()
