"""Finite elements of higher order, given by their nodes: the orders of Gmsh and VTK, and contacts at known times."""

import numpy as np
import pytest

import ccd
from ccd.patch import Body, Form

FLOOR = Body(4, Form.quad(1, 1), [[0, 1, 2, 3]])
GROUND = np.array([[-3, -3, 0], [-3, 3, 0], [3, -3, 0], [3, 3, 0]], float)
ELEMENTS = [Form.triangle(n) for n in (1, 2, 3, 4)] + [Form.quad(n, n) for n in (1, 2, 3, 4)]


def places(form):
    """Parameters of the nodes, in the order of the control points."""
    if form.shape == ccd.patch.Shape.TRIANGLE:
        return np.array([[i, j] for j in range(form.u + 1) for i in range(form.u + 1 - j)]) / form.u
    return np.array([[i / form.u, j / max(form.v, 1)] for i in range(form.u + 1) for j in range(form.v + 1)])


def in_order(form, order):
    """Parameters of the nodes times the degree, in an order."""
    out = np.empty((form.points, 2))
    out[form.nodes(order)] = places(form)
    return (out * form.u).round(9).tolist()


def test_orders_by_hand():
    """From the pictures of the documentation of Gmsh (Node ordering) and of VTK's file formats."""
    p2 = [[0, 0], [2, 0], [0, 2], [1, 0], [1, 1], [0, 1]]
    p3 = [[0, 0], [3, 0], [0, 3], [1, 0], [2, 0], [2, 1], [1, 2], [0, 2], [0, 1], [1, 1]]
    p4 = [
        [0, 0],
        [4, 0],
        [0, 4],
        [1, 0],
        [2, 0],
        [3, 0],
        [3, 1],
        [2, 2],
        [1, 3],
        [0, 3],
        [0, 2],
        [0, 1],
        [1, 1],
        [2, 1],
        [1, 2],
    ]
    q2 = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 0], [2, 1], [1, 2], [0, 1], [1, 1]]
    for order in "gmsh", "vtk":
        assert [in_order(Form.triangle(n), order) for n in (2, 3, 4)] == [p2, p3, p4]
        assert in_order(Form.quad(2, 2), order) == q2
        assert Form.curve(3).nodes(order).tolist() == [0, 2, 3, 1]
        assert Form.curve(0).nodes(order).tolist() == [0]
    corners, inside = [[0, 0], [3, 0], [3, 3], [0, 3]], [[1, 1], [2, 1], [2, 2], [1, 2]]
    sides = [[1, 0], [2, 0], [3, 1], [3, 2]]
    assert in_order(Form.quad(3, 3), "gmsh") == corners + sides + [[2, 3], [1, 3], [0, 2], [0, 1]] + inside
    rows = [[1, 1], [2, 1], [1, 2], [2, 2]]
    assert in_order(Form.quad(3, 3), "vtk") == corners + sides + [[1, 3], [2, 3], [0, 1], [0, 2]] + rows
    assert Form.quad(2, 1).nodes("vtk").tolist() == [0, 3, 4, 5, 1, 2]


@pytest.mark.parametrize("form", [*ELEMENTS, Form.triangle(6), Form.quad(6, 6), Form.curve(5)])
def test_orders_of_gmsh(form):
    gmsh = pytest.importorskip("gmsh")
    gmsh.initialize(interruptible=False)
    try:
        name = {1: "line", 2: "triangle", 3: "quadrangle"}[int(form.shape)]
        kind = gmsh.model.mesh.getElementType(name, form.u)
        _, dim, _, count, local, _ = gmsh.model.mesh.getElementProperties(kind)
    finally:
        gmsh.finalize()
    x = np.reshape(local, (count, dim))
    theirs = x if name == "triangle" else (x + 1) / 2
    assert np.allclose(theirs[form.nodes("gmsh")], places(form)[:, :dim])


@pytest.mark.parametrize("form", [*ELEMENTS, Form.triangle(6), Form.quad(4, 2), Form.quad(2, 3), Form.curve(5)])
def test_orders_of_vtk(form):
    vtk = pytest.importorskip("vtk")
    cell = {1: vtk.vtkLagrangeCurve, 2: vtk.vtkLagrangeTriangle, 3: vtk.vtkLagrangeQuadrilateral}[int(form.shape)]()
    cell.GetPointIds().SetNumberOfIds(form.points)
    cell.GetPoints().SetNumberOfPoints(form.points)
    if form.shape == ccd.patch.Shape.QUAD:
        cell.SetOrder(form.u, form.v)
    cell.Initialize()
    # VTK's weights at a place: 1 at the node there, which tells its number.
    for own, (u, v) in zip(form.nodes("vtk"), places(form)):
        weights = [0.0] * form.points
        cell.InterpolateFunctions([u, v, 0], weights)
        assert np.argmax(weights) == own and max(weights) == pytest.approx(1)


@pytest.mark.parametrize("order", ["points", "gmsh", "vtk"])
@pytest.mark.parametrize("form", ELEMENTS)
def test_a_bowl_meets_the_floor(form, order):
    """z = 1/4 + (u - 1/3)^2 + (v - 1/4)^2 is an element of degree 2 and more: it touches at (1/3, 1/4), at a known time."""
    if form.u == 1:
        pytest.skip("of degree 2 and more")
    uv = places(form)
    nodes = np.c_[uv, 0.25 + (uv[:, 0] - 1 / 3) ** 2 + (uv[:, 1] - 1 / 4) ** 2]
    given = np.arange(form.points) if order == "points" else np.empty(form.points, int)
    if order != "points":
        given[form.nodes(order)] = np.arange(form.points)
    body = Body.lagrange(form.points, form, [given], order=order)
    hit = ccd.patch.earliest(body, nodes, nodes - [0, 0, 0.5], FLOOR, GROUND, GROUND)
    assert hit.contact and 0 <= 0.5 - hit.toi_lo < 1e-5
    assert np.allclose(hit.uv_a, (1 / 3, 1 / 4), atol=5e-3)
    far = ccd.patch.earliest(body, nodes, nodes - [0, 0, 0.2499], FLOOR, GROUND, GROUND)
    assert far.separate  # control points reach lower than that


def test_elements_turned_inside_a_mesh():
    """Two P2 triangles with a common edge do not meet each other; folded onto each other they do."""
    x = np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [1, 0, 0.2], [1, 1, 0.1], [0, 1, 0.3], [2, 2, 0], [2, 1, 0.2], [1, 2, 0.1]])
    index = [[0, 1, 2, 3, 4, 5], [6, 2, 1, 8, 4, 7]]
    body = Body.lagrange(9, Form.triangle(2), index, order="vtk")
    assert ccd.patch.self_earliest(body, x, x + np.array([0, 0, 1]))[0].separate
    folded = x.copy()
    folded[[6, 7, 8]] = [[0.2, 0.2, 1], [1.1, 0.2, 0.6], [0.2, 1.1, 0.6]]
    through = folded.copy()
    through[6, 2] = -2
    assert ccd.patch.self_earliest(body, folded, through)[0].contact


def test_what_touches_is_not_separate():
    """The lowest point of an arc through three nodes is the middle one, by symmetry: a plane at its height touches it."""
    rng, body = np.random.default_rng(4), Body.lagrange(3, Form.curve(2), [[0, 1, 2]])
    for _ in range(300):
        low = 1 + rng.uniform(-1, 1) / 3
        ends = low + rng.uniform(0, 1) / 3
        x = np.array([[-1, 0, ends], [0, 0, low], [1, 0, ends]])
        ground = GROUND.copy()
        ground[:, 2] = low
        assert not ccd.patch.earliest(body, x, x, FLOOR, ground, ground, tolerance=1e-9).separate


def test_wrong_elements():
    with pytest.raises(ccd.ArgumentError, match="order is 'abaqus': must be one of 'gmsh', 'vtk'"):
        Body.lagrange(6, Form.triangle(2), [range(6)], order="abaqus")
    with pytest.raises(ccd.ArgumentError, match="degrees are 2 and 1"):
        Body.lagrange(6, Form.quad(2, 1), [range(6)], order="gmsh")
    with pytest.raises(ccd.ArgumentError, match="degrees 7 and 7"):
        Body.lagrange(36, Form.triangle(7), [range(36)], order="gmsh")
    with pytest.raises(ccd.ArgumentError, match="out of range"):
        Form.triangle(10).nodes("vtk")
    with pytest.raises(ccd.ArgumentError, match="index has 5 entries"):
        Body.lagrange(6, [Form.triangle(2)], range(5), order="vtk")
    with pytest.raises(ccd.InvalidIndexError, match=r"index\[5\] is 6"):
        Body.lagrange(6, Form.triangle(2), [[0, 1, 2, 3, 4, 6]])
    body = Body.lagrange(3, Form.curve(2), [[0, 1, 2]])
    x = np.zeros((3, 3))
    with pytest.raises(ccd.NonFiniteError, match=r"a1\[2\]\[1\] is 1e\+141: nodes must be at most"):
        ccd.patch.earliest(body, x, x + np.array([[0, 0, 0], [0, 0, 0], [0, 1e141, 0]]), FLOOR, GROUND, GROUND)
