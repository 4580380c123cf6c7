"""The least distance over a step: single queries and meshes."""

import numpy as np
import pytest

import ccd


def test_points_pass_each_other():
    q = np.array([-2, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0])
    least = ccd.pair.clearance("pp", q)
    assert (least.kind, least.a, least.b) == (ccd.Kind.POINT_POINT, -1, -1) and abs(least.time - 0.5) < 1e-4
    assert least.lo <= 1 <= least.hi <= least.lo + 4e-9
    assert ccd.pair.clearance("pp", q, t_max=0.25).time == 0.25
    with pytest.raises(ccd.ArgumentError, match="q has 2 queries"):
        ccd.pair.clearance("pp", np.stack([q, q]))


def test_clearance_of_dense_samples():
    r = np.random.default_rng(7)
    for kind in ("vf", "ee", "pe", "pp"):
        n = ccd.Kind(kind).points
        for q in r.uniform(-1, 1, (20, 2, n, 3)):
            least = ccd.pair.clearance(kind, q.reshape(2 * n, 3))
            edges = {"ee": [[0, 1], [2, 3]], "pe": [[1, 2]]}.get(kind, [])
            mesh = ccd.Mesh(faces=[[1, 2, 3]] if kind == "vf" else [], edges=None if kind == "vf" else edges, vertices=n)
            places = [q[0] + t * (q[1] - q[0]) for t in np.linspace(0, 1, 65)]
            sampled = min(ccd.proximity.distance(mesh, x).distance_lo for x in places)
            assert least.lo <= sampled + 1e-12
            at = ccd.proximity.distance(mesh, q[0] + least.time * (q[1] - q[0]))
            assert at.distance_lo <= max(least.hi, 1e-12) + 1e-12


def test_steps_find_the_pair():
    mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1.5], [0.2, 1, 1.5]])
    x1 = x0 - np.outer([0, 0, 0, 1, 1, 1], [0, 0, 0.75])
    least = ccd.step.clearance(mesh, x0, x1)
    assert (least.kind, least.a, least.b, least.time) == (ccd.Kind.VERTEX_FACE, 3, 0, 1)
    assert least.lo <= 0.25 <= least.hi <= least.lo + 2e-9
    assert ccd.step.clearance(mesh, x0, x1, threads=3) == least
    mesh.set_radii(np.full(6, 0.05))
    assert ccd.step.clearance(mesh, x0, x1).hi == pytest.approx(0.15, abs=2e-9)
    assert ccd.step.clearance(mesh, x0, 2 * x1 - x0).hi == 0
    assert ccd.step.clearance(ccd.Mesh(faces=[[0, 1, 2]]), x0[:3], x1[:3]).kind is None
    for options in ({"norm": "max"}, {"method": "tight-inclusion"}, {"device": "gpu"}):
        with pytest.raises(ccd.UnsupportedError):
            ccd.step.clearance(mesh, x0, x1, **options)


def test_slivers_and_nearly_parallel_edges():
    """A lower end was above the distance of a sliver, and the search of nearly parallel edges did not end."""
    x = np.array([[0, -9e-6, -2e-6], [-4, 0, 0], [4, -1e-6, -1e-6], [0, -4e-6, 5e-6]])
    mesh = ccd.Mesh(faces=[[1, 2, 3]], vertices=4)
    near = ccd.proximity.distance(mesh, x)
    for t_max in (0.0, 1.0):
        pair = ccd.pair.clearance("vertex-face", np.vstack([x, x]), t_max=t_max)
        for found in (ccd.step.clearance(mesh, x, x, t_max=t_max), pair):
            assert found.lo <= near.distance_hi and near.distance_lo <= found.hi
            assert found.hi - found.lo <= 1e-9 * 8
    gap = 1e-9
    x0 = [[0, 0, 0], [1, 0, 0], [0.25, -0.3, gap], [0.75, -0.3 + 1e-8, gap]]
    x1 = [[0, 0, 0], [1, 0, 0], [0.25, 0.4, gap], [0.75, 0.4 + 1e-8, gap]]
    step = ccd.step.clearance(ccd.Mesh(edges=[[0, 1], [2, 3]]), x0, x1)
    for found in (ccd.pair.clearance("edge-edge", x0 + x1), step):
        assert found.lo <= gap <= found.hi <= 1.001 * gap
