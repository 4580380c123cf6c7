"""Meshes of other packages: with the packages where they are installed, and with objects that have their attributes."""

import subprocess
import sys
from types import SimpleNamespace as Object

import numpy as np
import pytest

import ccd
from ccd import interop

X = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.1, 0.2, 1 / 3], [3, 4, 5], [6, 7, 8]])
FACES = [[0, 1, 2], [0, 2, 3]]
WIRE = [[3, 4], [4, 5]]  # codimensional; vertex 6 is in no edge


@pytest.fixture
def mixed():
    """Faces, a wire and a vertex, whose edges are in no particular order."""
    edges = ccd.Mesh(faces=FACES).edges[::-1]
    return ccd.Mesh(X, FACES, np.vstack([WIRE, edges[:, ::-1]]))


def cells(*blocks):
    return Object(points=X, cells=[Object(type=kind, data=np.array(data)) for kind, data in blocks])


def flat(faces, **more):
    return Object(points=X.astype(np.float32), faces=np.array(faces, int), **more)


def same(got, faces, wire=()):
    """Whether a mesh has these faces and codimensional edges, and the vertices X."""
    mesh, x = got
    edges = {tuple(sorted(e)) for e in [*wire, *(np.take(f, pair) for f in faces for pair in ((0, 1), (1, 2), (2, 0)))]}
    assert isinstance(mesh, ccd.Mesh) and mesh.counts[0] == len(X)
    assert mesh.faces.tolist() == np.reshape(faces, (-1, 3)).tolist()
    assert sorted(map(tuple, np.sort(mesh.edges, axis=1).tolist())) == sorted(edges)
    assert x.dtype == np.float64 and np.abs(x - X).max() < 1e-7
    return True


def test_meshes_with_the_attributes_of_other_packages():
    assert same(interop.from_trimesh(Object(vertices=X, faces=np.array(FACES))), FACES)
    assert same(interop.from_meshio(cells(("triangle", FACES), ("line", WIRE), ("vertex", [[6]]))), FACES, WIRE)
    assert same(interop.from_meshio(cells(("quad", [[0, 1, 2, 3]]), ("line", [[1, 0], [0, 1]]))), FACES)  # lines of the faces
    assert same(interop.from_meshio(cells(("polygon", [[0, 1, 2, 3, 4]]))), [[4, 0, 1], [1, 2, 3], [3, 4, 1]])  # concave at 4
    assert same(interop.from_meshio(cells(("line", WIRE))), [], WIRE)
    assert same(interop.from_meshio(cells()), [])
    assert same(interop.from_pyvista(flat([3, 0, 1, 2, 3, 0, 2, 3])), FACES)
    assert same(interop.from_pyvista(flat([4, 0, 1, 2, 3], lines=[3, 3, 4, 5], strips=[])), FACES, WIRE)
    mixed = [3, 0, 1, 4, 4, 0, 1, 2, 3, 3, 4, 5, 6, 3, 3, 4, 6]
    assert same(interop.from_pyvista(flat(mixed)), [[0, 1, 4], *FACES, [4, 5, 6], [3, 4, 6]])
    assert same(interop.from_pyvista(flat([], lines=[2, 0, 1, 3, 3, 4, 5])), [], [[0, 1], *WIRE])


def test_concave_polygons_are_cut_as_in_files(tmp_path):
    ring = np.array([(0, 2, 0), (0, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0)], float)  # an L
    (tmp_path / "L.obj").write_text("".join("v {} {} {}\n".format(*p) for p in ring) + "f 1 2 3 4 5 6\nf 6 5 4 3 2 1\n")
    wanted = ccd.read(tmp_path / "L.obj").faces.tolist()
    both = np.array([range(6), range(5, -1, -1)])
    spare = np.vstack([ring, [[np.nan, 0, 0]]])
    for mesh, x in (
        interop.from_meshio(Object(points=spare, cells=[Object(type="polygon", data=both)])),
        interop.from_pyvista(Object(points=spare, faces=np.insert(both, 0, 6, axis=1).ravel())),
    ):
        corners = x[mesh.faces[:4]]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2
        assert mesh.faces.tolist() == wanted and area == 3


def test_vertices_are_copies():
    source = X.copy()
    _, x = interop.from_trimesh(Object(vertices=source, faces=FACES))
    source[0] = 9
    assert np.array_equal(x, X)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: interop.from_trimesh(Object(geometry={})), ccd.ArgumentError, "mesh is SimpleNamespace: .* scene.to_mesh"),
        (lambda: interop.from_trimesh(Object(vertices=X, faces=[[0, 1, 9]])), ccd.InvalidIndexError, r"faces\[0\]\[2\] is 9"),
        (lambda: interop.from_trimesh(Object(vertices=X, faces=[[0.0, 1, 2]])), ccd.ArgumentError, "faces has dtype float64"),
        (lambda: interop.from_trimesh(Object(vertices=X[:, :2], faces=FACES)), ccd.ArgumentError, "vertices has shape"),
        (lambda: interop.from_trimesh(None), ccd.ArgumentError, "mesh is NoneType"),
        (lambda: interop.from_meshio(Object(points=X)), ccd.ArgumentError, "must be a meshio.Mesh"),
        (lambda: interop.from_meshio(cells(("line", WIRE), ("tetra", [[0, 1, 2, 4]]))), ccd.ArgumentError,
         r"cells\[1\] are of type tetra: must be triangle, .* ccd.volume"),
        (lambda: interop.from_meshio(cells(("line", [[3, 4, 5]]))), ccd.ArgumentError, r"cells\[0\] has shape \(1, 3\)"),
        (lambda: interop.from_pyvista(Object(points=X, cells=[])), ccd.ArgumentError, "extract_surface"),
        (lambda: interop.from_pyvista(flat([3, 0, 1])), ccd.ArgumentError, r"faces\[0\] is 3: must be the number"),
        (lambda: interop.from_pyvista(flat([3, 0, 1, 2, 2, 0, 1])), ccd.ArgumentError, r"faces\[4\] is 2: .* at least 3"),
        (lambda: interop.from_pyvista(flat([-1, 0, 1])), ccd.ArgumentError, r"faces\[0\] is -1"),
        (lambda: interop.from_pyvista(flat([3, 0, 1, 2], strips=[4, 0, 1, 2, 3])), ccd.ArgumentError, "triangulate"),
        (lambda: interop.from_meshio(cells(("quad", [[0, 1, 2, 9]]))), ccd.InvalidIndexError, r"cells\[0\]\[0\]\[3\] is 9"),
        (lambda: interop.from_meshio(cells(("quad", [[0, 1, 2, 3], [0, 1, 1, 3]]))), ccd.InvalidIndexError, "repeats vertex 1"),
        (lambda: interop.from_meshio(cells(("quad", [[0, 2, 1, 3]]))), ccd.ArgumentError, r"cells\[0\]: 1 polygons .* cross"),
        (lambda: interop.from_meshio(Object(points=X * [np.nan, 1, 1], cells=cells(("quad", [[0, 1, 2, 3]])).cells)),
         ccd.NonFiniteError, r"points\[0\] is \[nan"),
    ],
)  # fmt: skip
def test_what_is_no_surface_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("name", ["meshio", "polyscope", "pyvista", "trimesh"])
def test_a_missing_package_is_named(name, monkeypatch, mixed):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=f"to_{name} needs {name}: pip install {name}"):
        getattr(interop, f"to_{name}")(mixed, X)


class Recorder:
    """Stands for a package: its functions and classes keep what they are given."""

    def __getattr__(self, name):
        return lambda *given, **named: Object(name=name, given=given, named=named)


def test_what_packages_are_given(monkeypatch, mixed):
    for name in ("meshio", "polyscope", "pyvista", "trimesh"):
        monkeypatch.setitem(sys.modules, name, Recorder())
    wire = sorted(WIRE)
    made = interop.to_meshio(mixed, X)
    assert np.array_equal(made.given[0], X) and [kind for kind, _ in made.given[1]] == ["triangle", "line"]
    assert made.given[1][0][1].tolist() == FACES and sorted(np.sort(made.given[1][1][1]).tolist()) == wire
    made = interop.to_pyvista(mixed, X)
    assert made.named["faces"].tolist() == [3, 0, 1, 2, 3, 0, 2, 3]
    assert sorted(np.sort(made.named["lines"].reshape(-1, 3)).tolist()) == [[2, *edge] for edge in wire]
    made = interop.to_trimesh(ccd.Mesh(X, FACES), X)
    assert made.given[1].tolist() == FACES and made.named == {"process": False}
    surface, network, cloud = interop.to_polyscope(mixed, X, "cloth")
    assert surface.given[0] == "cloth" and surface.given[2].tolist() == FACES
    assert network.given[0] == "cloth edges" and sorted(np.sort(network.given[2]).tolist()) == wire
    assert cloud.given[0] == "cloth vertices" and cloud.given[1].tolist() == X[6:].tolist()
    for to in (interop.to_meshio, interop.to_polyscope, interop.to_pyvista, interop.to_trimesh):
        with pytest.raises(ccd.ArgumentError, match="x has 3 rows: must have 7"):
            to(mixed, X[:3])
        with pytest.raises(ccd.ArgumentError, match=r"mesh is list: must be a ccd\.Mesh"):
            to(FACES, X)
    with pytest.raises(ccd.ArgumentError, match="mesh has 2 codimensional edges: trimesh holds faces alone"):
        interop.to_trimesh(mixed, X)


def test_trimesh():
    pytest.importorskip("trimesh")
    mesh = ccd.Mesh(X, FACES)
    made = interop.to_trimesh(mesh, X)
    assert made.area == pytest.approx(1) and same(interop.from_trimesh(made), FACES)
    with pytest.raises(ccd.ArgumentError, match=r"scene\.to_mesh"):
        interop.from_trimesh(made.scene())
    assert interop.from_trimesh(made.scene().to_mesh())[0].counts[2] == 2
    assert ccd.rigid.Body(made.vertices, made.faces)


def test_meshio(tmp_path, mixed):
    meshio = pytest.importorskip("meshio")
    made = interop.to_meshio(mixed, X)
    assert same(interop.from_meshio(made), FACES, WIRE)
    made.write(tmp_path / "a.vtu")
    again = interop.from_meshio(meshio.read(tmp_path / "a.vtu"))
    assert same(again, FACES, WIRE) and np.array_equal(again[1], X)


def test_pyvista(mixed):
    pyvista = pytest.importorskip("pyvista")
    made = interop.to_pyvista(mixed, X)
    assert made.n_points == 7 and same(interop.from_pyvista(made), FACES, WIRE)
    assert interop.from_pyvista(pyvista.PolyData(X, faces=[4, 0, 1, 2, 3]))[0].counts == (7, 5, 2)
    grid = pyvista.PolyData(X, faces=[4, 0, 1, 2, 3]).cast_to_unstructured_grid()
    with pytest.raises(ccd.ArgumentError, match="extract_surface"):
        interop.from_pyvista(grid)


POLYSCOPE = """
import sys, numpy as np, polyscope, ccd
polyscope.init("openGL_mock")
x = np.arange(21.0).reshape(7, 3) ** 2
mesh = ccd.Mesh(faces=[[0, 1, 2], [0, 2, 3]], edges=[[0, 1], [0, 2], [1, 2], [2, 3], [0, 3], [3, 4], [4, 5]], vertices=7)
surface, network, cloud = ccd.interop.to_polyscope(mesh, x)
assert (surface.n_vertices(), surface.n_faces(), network.n_edges(), cloud.n_points()) == (7, 2, 2, 1)
surface.add_scalar_quantity("height", x[:, 2])
"""


def test_polyscope(tmp_path):
    pytest.importorskip("polyscope")  # it writes its settings into the folder of its process
    done = subprocess.run([sys.executable, "-c", POLYSCOPE], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
