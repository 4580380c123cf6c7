"""Scenes for the tests of ccd.distributed."""

import numpy as np
import pytest

import ccd
import ccd.distributed as cd
from ccd.distributed._scene import unique_edges

COUNTS = (1, 2, 7, 64)


def tangle(seed, faces=40, rods=60, points=30):
    """Triangles in pairs, a tangle of rods in which vertices have one to five of them, points: mesh, x0, x1."""
    rng = np.random.default_rng(seed)
    corners = rng.random((faces, 1, 3)) + rng.uniform(-0.15, 0.15, (faces, 4, 3))
    quads = np.arange(4 * faces).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [1, 3, 2]]])
    first = 4 * faces
    knots = rng.random((rods // 2, 3))
    near = np.argsort(np.linalg.norm(knots[:, None] - knots, axis=2), axis=1)
    ends = np.stack([rng.integers(0, len(knots), rods), np.zeros(rods, int)], 1)
    ends[:, 1] = near[ends[:, 0], rng.integers(1, 4, rods)]
    ends = np.unique(np.sort(ends, axis=1), axis=0) + first
    x0 = np.concatenate([corners.reshape(-1, 3), knots, rng.random((points, 3))])
    x1 = x0 + rng.uniform(-0.2, 0.2, x0.shape)
    edges = np.concatenate([unique_edges(triangles), ends])
    edges = edges[rng.permutation(len(edges))]  # the edges are in no order
    return ccd.Mesh(faces=triangles, edges=edges, vertices=len(x0)), x0, x1


def groups(mesh, rng):
    mesh.set_groups(rng.integers(-1, 5, mesh.counts[0]))


def static(mesh, rng):
    mesh.set_static(rng.random(mesh.counts[0]) < 0.6)


def radii(mesh, rng):
    mesh.set_radii(rng.uniform(0, 0.02, mesh.counts[0]) * (rng.random(mesh.counts[0]) < 0.7))


def excluded(mesh, rng):
    v, e, f = mesh.counts
    for kind, (a, b) in {1: (v, f), 2: (e, e), 3: (v, e), 4: (v, v), 5: (e, f)}.items():
        mesh.set_excluded(kind, np.stack([rng.integers(0, a, a * b // 3), rng.integers(0, b, a * b // 3)], 1))


def all_filters(mesh, rng):
    for each in (groups, static, radii, excluded):
        each(mesh, rng)


def record(impact):
    """All bits of an impact: repr tells 0.0 from -0.0."""
    return repr(impact)


def saved(tmp_path, kind, mesh, x0, x1):
    """A scene of files."""
    tables = {
        "x0": x0,
        "x1": x1,
        "faces": mesh.faces,
        "edges": mesh.edges,
        "groups": np.arange(len(x0)) % 5,
        "radii": np.abs(x0[:, 0]) / 99,
    }
    paths = {}
    for name, table in tables.items():
        paths[name] = str(tmp_path / f"{name}.{kind}")
        if kind == "npy":
            np.save(paths[name], table)
        else:
            arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
            import pyarrow.parquet

            columns = table.reshape(len(table), -1).T
            pyarrow.parquet.write_table(
                arrow.table(list(columns), [f"c{i}" for i in range(len(columns))]), paths[name], row_group_size=50
            )
    mesh.set_groups(tables["groups"])
    mesh.set_radii(tables["radii"])
    return cd.Scene(**paths)
