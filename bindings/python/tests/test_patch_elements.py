"""Files of elements as patches: at any parameters they are where the library that wrote the file has the element."""

from math import comb, factorial

import numpy as np
import pytest
from test_audit_solvers import vtu

import ccd
from ccd.cli import main
from ccd.patch import Form, Shape


def at(form, points, u, v):
    """A Bezier patch at parameters, by Bernstein polynomials."""
    n = form.u
    if form.shape == Shape.TRIANGLE:
        powers = [(i, j, n - i - j) for j in range(n + 1) for i in range(n + 1 - j)]
        weights = [
            factorial(n) / factorial(i) / factorial(j) / factorial(k) * u**i * v**j * (1 - u - v) ** k for i, j, k in powers
        ]
        return np.array(weights) @ points

    def bernstein(n, t):
        return np.array([comb(n, i) * t**i * (1 - t) ** (n - i) for i in range(n + 1)])

    if form.shape == Shape.CURVE:
        return bernstein(n, u) @ points
    return np.kron(bernstein(n, u), bernstein(form.v, v)) @ points


def patches(model):
    """Form and control points of each patch."""
    start = 0
    for form in model.forms:
        yield form, model.points[model.index[start : start + form.points]]
        start += form.points


@pytest.mark.parametrize("end", ["msh", "msh2", "mesh"])
@pytest.mark.parametrize(("order", "quads"), [(n, q) for n in (1, 2, 3, 4, 5) for q in (False, True)])
def test_elements_of_gmsh(end, order, quads, tmp_path):
    gmsh = pytest.importorskip("gmsh")
    if end == "mesh" and (order > 2 or (quads and order == 2)):
        pytest.skip("Gmsh writes triangles of order 2 in MEDIT, and no higher ones")
    path, uv = str(tmp_path / f"a.{end}"), [(0.25, 0.125), (0.5, 0.25), (0.125, 0.75)]
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Verbosity", 0)
        gmsh.model.occ.addSphere(0, 0, 0, 1)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.9)
        gmsh.option.setNumber("Mesh.RecombineAll", quads)
        gmsh.model.mesh.generate(2)
        gmsh.model.mesh.setOrder(order)
        gmsh.model.addPhysicalGroup(2, [1], 1)
        gmsh.write(path)
        tags, xyz, _ = gmsh.model.mesh.getNodes()
        place = dict(zip(tags.tolist(), xyz.reshape(-1, 3)))
        theirs = []
        for kind, nodes in zip(*(gmsh.model.mesh.getElements(2)[i] for i in (0, 2))):
            name, _, _, count, _, _ = gmsh.model.mesh.getElementProperties(kind)
            local = [c for u, v in uv for c in ((2 * u - 1, 2 * v - 1, 0) if "Quad" in name else (u, v, 0))]
            basis = gmsh.model.mesh.getBasisFunctions(kind, local, "Lagrange")[1].reshape(len(uv), count)
            theirs += [basis @ np.array([place[t] for t in row]) for row in nodes.reshape(-1, count).tolist()]
    finally:
        gmsh.finalize()
    model = ccd.patch.read(path)
    own = [np.array([at(form, points, u, v) for u, v in uv]) for form, points in patches(model) if form.shape != Shape.CURVE]
    assert len(own) == len(theirs) > 10

    def sorted_(found):
        return sorted(np.round(one, 10).reshape(-1).tolist() for one in found)

    assert np.allclose(sorted_(own), sorted_(theirs), atol=1e-9)
    assert model.lost < 1e-14 and {form.u for form in model.forms} == {order}
    shared = len(model.points) < sum(form.points for form in model.forms)
    assert shared  # neighbors have the control points of their edge in common
    if not quads:  # quadrilaterals of so coarse a mesh may fold
        assert not ccd.patch.self_earliest(model.body(), model.points, model.points)[0].contact


@pytest.mark.parametrize("order", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("shape", ["triangle", "quadrilateral", "curve"])
@pytest.mark.parametrize("how", ["vtu", "vtk"])
def test_lagrange_cells_of_vtk(how, shape, order, tmp_path):
    vtk = pytest.importorskip("vtk")
    kind = {"triangle": 69, "quadrilateral": 70, "curve": 68}[shape]
    form = {"triangle": Form.triangle(order), "quadrilateral": Form.quad(order, order), "curve": Form.curve(order)}[shape]
    x = np.random.default_rng(order).normal(size=(form.points, 3))
    points = vtk.vtkPoints()
    points.SetDataTypeToDouble()
    for p in x:
        points.InsertNextPoint(p)
    grid = vtk.vtkUnstructuredGrid()
    grid.SetPoints(points)
    grid.InsertNextCell(kind, form.points, list(range(form.points)))
    writer = vtk.vtkXMLUnstructuredGridWriter() if how == "vtu" else vtk.vtkUnstructuredGridWriter()
    writer.SetInputData(grid)
    if how == "vtk":
        writer.SetFileTypeToBinary()
    path = str(tmp_path / f"a.{how}")
    writer.SetFileName(path)
    assert writer.Write()
    theirs = grid.GetCell(0)
    ((own, control),) = patches(ccd.patch.read(path))
    assert own == form
    for u, v in ((0.25, 0.5), (0.125, 0.0), (0.5, 0.25)):
        place, weights = [0.0] * 3, [0.0] * form.points
        theirs.EvaluateLocation(vtk.reference(0), [u, v, 0], place, weights)
        assert np.allclose(at(own, control, u, v), place, atol=1e-10)


def test_eight_nodes_have_the_middle_that_vtk_gives_them(tmp_path):
    vtk = pytest.importorskip("vtk")
    x = np.random.default_rng(8).normal(size=(8, 3))
    path = vtu(tmp_path / "a.vtu", x, [(23, list(range(8)))])
    cell = vtk.vtkQuadraticQuad()
    for i, p in enumerate(x):
        cell.GetPoints().SetPoint(i, p)
    ((form, control),) = patches(ccd.patch.read(path))
    for u, v in ((0.5, 0.5), (0.25, 0.75), (0.1, 0.3)):
        place, weights = [0.0] * 3, [0.0] * 8
        cell.EvaluateLocation(vtk.reference(0), [u, v, 0], place, weights)
        assert np.allclose(at(form, control, u, v), place, atol=1e-12)


@pytest.mark.parametrize(
    ("kind", "count", "forms"), [(24, 10, 4), (25, 20, 6), (29, 27, 6), (26, 15, 5), (32, 18, 5), (27, 13, 5), (12, 8, 6)]
)
def test_solids_become_their_sides(kind, count, forms, tmp_path):
    """The corners of the patches are those of the sides, and a step finds what a flat wall meets first."""
    x = np.random.default_rng(kind).normal(size=(count, 3))
    model = ccd.patch.read(vtu(tmp_path / "a.vtu", x, [(kind, list(range(count)))]))
    assert len(model.forms) == forms and {form.u for form in model.forms} == {1 if kind == 12 else 2}
    corners = {tuple(p) for form, points in patches(model) for p in points.tolist()}
    solid = {24: 4, 25: 8, 29: 8, 26: 6, 32: 6, 27: 5, 12: 8}[kind]
    assert {tuple(p) for p in x[:solid].tolist()} <= corners


def test_a_curved_cell_meets_a_floor_where_it_is(tmp_path, capsys):
    """A P2 triangle that hangs down by 1/4 in the middle of one side meets the floor before its corners do."""
    x = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [0.5, 0, 0.75], [0.5, 0.5, 1], [0, 0.5, 1]])
    path = vtu(tmp_path / "a.vtu", x, [(22, list(range(6)))])
    model = ccd.patch.read(path)
    floor = ccd.patch.Body(3, Form.triangle(1), [[0, 1, 2]])
    ground = np.array([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], float)
    hit = ccd.patch.earliest(model.body(), model.points, model.points - [0, 0, 1], floor, ground, ground)
    assert hit.contact and hit.toi_lo == pytest.approx(0.75, abs=1e-5)
    other = vtu(tmp_path / "b.vtu", ground, [(5, [0, 1, 2])])
    assert main(["patch", path, other, "--move-a", "0,0,-1"]) in (0, 1)
    assert "0.7" in capsys.readouterr().out


def test_cells_that_are_no_patches(tmp_path):
    x = np.random.default_rng(0).normal(size=(35, 3))
    with pytest.raises(ccd.FileError, match="triangle of 7 nodes"):
        ccd.patch.read(vtu(tmp_path / "a.vtu", x, [(34, list(range(7)))]))
    with pytest.raises(ccd.FileError, match="Lagrange tetrahedron"):
        ccd.patch.read(vtu(tmp_path / "b.vtu", x, [(71, list(range(20)))]))
    with pytest.raises(ccd.FileError, match="a Lagrange triangle, with 10 nodes: of these, only cells of order 1 and 2"):
        ccd.read(vtu(tmp_path / "c.vtu", x, [(69, list(range(10)))]))
    assert len(ccd.patch.read(str(tmp_path / "c.vtu")).forms) == 1
