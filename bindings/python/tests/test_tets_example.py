"""The example of quadratic tetrahedra: its elements, and that its ball stays above the block that it falls on."""

import importlib.util
import math
import subprocess
import sys

import numpy as np
import pytest
from conftest import CHECKOUT

import ccd

EXAMPLE = CHECKOUT / "examples" / "patches" / "tetrahedra.py"


@pytest.fixture(scope="module")
def tets():
    spec = importlib.util.spec_from_file_location("tetrahedra", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_elements(tets):
    ball = tets.ball(0.5)
    skin = tets.boundary(ball.cells)
    assert len(ball.cells) == len(skin) == 20 and len(ball.x) == 55
    assert np.linalg.norm(ball.x[np.unique(skin)], axis=1) == pytest.approx(0.5)
    edges = np.sort(skin[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()  # a closed surface
    mass, stiffness = tets.matrices(ball)
    volume = mass[::3, ::3].sum() / tets.DENSITY
    assert 0.95 * math.pi / 6 < volume < math.pi / 6  # a P2 sphere is within
    still = [np.tile(e, 55) for e in np.eye(3)] + [np.cross(e, ball.x).ravel() for e in np.eye(3)]
    assert np.abs(stiffness @ np.array(still).T).max() < 1e-10 * np.abs(stiffness).max()
    values = np.linalg.eigvalsh(stiffness)
    assert (np.abs(values[:6]) < 1e-9).all() and values[6] > 0.1  # nothing else moves freely


def test_a_face_has_its_middles_between_its_corners(tets):
    for body in (tets.ball(1.0), tets.block(2)):
        straight = tets.quadratic(body.x, body.cells[:, :4])
        for a, b, c, ab, bc, ca in tets.boundary(straight.cells):
            for middle, ends in ((ab, (a, b)), (bc, (b, c)), (ca, (c, a))):
                assert straight.x[middle] == pytest.approx(straight.x[list(ends)].mean(axis=0), abs=1e-15)


def above(tets, fall, top, points):
    """Heights of points above the upper surface of the block, whose patches are graphs over flat triangles."""
    best = np.full(len(points), np.inf)
    for face in top:
        a, b, c = fall.ground[face[:3], :2]
        uv = np.linalg.solve(np.stack([b - a, c - a], axis=1), (points[:, :2] - a).T)
        held = (uv >= -1e-12).all(axis=0) & (uv.sum(axis=0) <= 1 + 1e-12)
        z = tets.triangle_weights(*uv) @ fall.ground[face, 2]
        best[held] = (points[:, 2] - z)[held]
    return best


def test_the_ball_stays_above_the_block(tets):
    lower = tets.block()
    fall = tets.Fall(tets.ball(0.5), lower, np.array([0.15, 0.1, 1.5]), np.array([0.0, 0.0, -1.0]))
    below = tets.boundary(lower.cells)
    top = [f for f in below if (lower.x[f, 2] > -0.5 + 1e-9).all() and np.ptp(lower.x[f[:3], :2], axis=0).min() > 0.1]
    nearest, met, flat = [], 0, 1.0
    for _ in range(26):
        hit = ccd.patch.earliest(fall.body, fall.x, fall.x + tets.DT * fall.v, fall.below, fall.ground, fall.ground)
        if hit.contact:  # the parameters are those of the shape functions
            x = fall.x + hit.toi_lo * tets.DT * fall.v
            place = tets.triangle_weights(*np.array(hit.uv_a)) @ x[fall.skin[hit.a]]
            assert place == pytest.approx(hit.point, abs=1e-5)
            met += 1
        fall.step()
        points, _ = tets.surface(fall.x, fall.skin, 10)
        nearest.append(above(tets, fall, top, points).min())
        flat = min(flat, np.ptp(points[:, 2]))
    assert min(nearest) > 0.9 * tets.GAP and min(nearest) < 2 * tets.GAP and met >= 3
    assert 0.7 < flat < 0.9 and nearest[-1] > min(nearest) and fall.v[:, 2].mean() > 0.5  # pressed flat, and up again


def test_the_program(tmp_path):
    command = [sys.executable, EXAMPLE, "--frames", "14"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    assert "55 nodes fall on 507" in run.stdout and "step 12: 1 contacts" in run.stdout


def test_both_orders_of_nodes(tets):
    """VTK's cells have the same boundary as Gmsh's, and the sign of the Jacobian tells the orders apart."""
    swap = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]
    for body in (tets.ball(1.0), tets.block(2)):
        gmsh, vtk = body.cells, body.cells[:, swap]
        assert np.array_equal(tets.boundary(vtk, "vtk"), tets.boundary(gmsh))
        straight = tets.quadratic(body.x, gmsh[:, :4])
        for cells, order, other in ((straight.cells, "gmsh", "vtk"), (straight.cells[:, swap], "vtk", "gmsh")):
            assert (tets.jacobians(straight.x, cells, order) > 0).all()
            assert (tets.jacobians(straight.x, cells, other) < 0).all()
            wrong = tets.boundary(cells, other)
            ends = straight.x[wrong[:, :3]] + straight.x[wrong[:, [1, 2, 0]]]
            assert np.linalg.norm(straight.x[wrong[:, 3:]] - ends / 2, axis=2).max() > 0.2
    with pytest.raises(ValueError, match="order is 'meshio'"):
        tets.boundary(gmsh, "meshio")
