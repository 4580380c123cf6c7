"""Mesh.stencils: vertices and weights of impacts, constraints and near pairs."""

import numpy as np
import pytest
from conftest import sheets

import ccd

RODS = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1], [0.5, 0, 2], [0.5, 0, 3]], float)


def rods():
    """Two rods and two points that fall onto each other: pairs of edges, of points, and of both."""
    return ccd.Mesh(RODS, edges=[[0, 1], [2, 3]]), RODS, RODS - [[0, 0, z] for z in (0, 0, 2, 2, 3, 6)]


def cloth():
    faces, x0, x1 = sheets(8)
    return ccd.Mesh(faces), x0, x1


@pytest.mark.parametrize("scene, kinds", [(rods, {2, 3, 4}), (cloth, {1, 2})])
def test_impacts_have_the_weights_of_their_constraints(scene, kinds):
    mesh, x0, x1 = scene()
    constraints = ccd.step.activeset(mesh, x0, x1, min_separation=1e-3)
    assert set(constraints["impact"]["kind"].tolist()) == kinds
    for records in (constraints, constraints["impact"]):
        vertices, weights = mesh.stencils(records)
        assert np.array_equal(vertices, constraints["vertices"]) and np.array_equal(weights, constraints["weights"])


@pytest.mark.parametrize("scene, d, kinds", [(rods, 2.5, {2, 3, 4}), (cloth, 0.3, {1, 2})])
def test_near_pairs_have_the_weights_of_their_points(scene, d, kinds):
    mesh, x, _ = scene()
    near = ccd.proximity.near(mesh, x, d)
    vertices, weights = mesh.stencils(near)
    between = np.einsum("pi,pik->pk", weights, x[vertices])
    assert set(near["kind"].tolist()) == kinds
    assert np.allclose(between, near["point_a"] - near["point_b"], rtol=0, atol=1e-12)
    assert np.allclose(np.linalg.norm(between, axis=1), near["distance_hi"], rtol=1e-7, atol=1e-12)


def test_the_gradient_is_that_of_the_distance():
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.3, 0.5]])
    mesh = ccd.Mesh(x, [[0, 1, 2]])
    vertices, weights = mesh.stencils(ccd.proximity.near(mesh, x, 1))
    normal = weights[0] @ x[vertices[0]] / 0.5
    for vertex, weight in zip(vertices[0], weights[0]):
        for axis in range(3):
            moved = x.copy()
            moved[vertex, axis] += 1e-5
            slope = (ccd.proximity.distance(mesh, moved).distance_lo - 0.5) / 1e-5
            assert slope == pytest.approx(weight * normal[axis], abs=1e-4)


def test_no_records():
    mesh, *_ = cloth()
    vertices, weights = mesh.stencils(np.empty(0, ccd.impact_dtype))
    assert vertices.shape == weights.shape == (0, 4)


def test_other_records_are_refused():
    mesh, x0, x1 = cloth()
    hits = ccd.step.collisions(mesh, x0, x1)
    with pytest.raises(ccd.ArgumentError, match=r"records has dtype float64 and shape \(3,\)"):
        mesh.stencils(np.zeros(3))
    with pytest.raises(ccd.ArgumentError, match="records has dtype of other fields"):
        mesh.stencils(ccd.proximity.intersections(mesh, x1))
    with pytest.raises(ccd.InvalidIndexError, match=r"records\[0\].b is -1: out of range for 2 vertices"):
        ccd.Mesh(vertices=2).stencils(ccd.pair.point_point(np.zeros((1, 12))))
    small = ccd.Mesh([[0, 1, 2]])
    with pytest.raises(ccd.InvalidIndexError, match=r"records\[\d+\]\.[ab] is \d+: out of range for 3 vertices"):
        small.stencils(hits[hits["kind"] == 1])
    with pytest.raises(ccd.ArgumentError, match=r"records\[0\] has the kind 5: .* has no weights"):
        crossing = hits[:1].copy()
        crossing["kind"] = 5
        mesh.stencils(crossing)
