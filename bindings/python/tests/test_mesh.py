"""Topology and filters."""

import pickle
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import sheets

import ccd


def test_edges_are_derived_in_the_documented_order():
    mesh = ccd.Mesh(faces=[[2, 1, 0], [1, 2, 3]])
    assert mesh.edges.tolist() == [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]
    assert mesh.counts == (4, 5, 2)
    assert mesh.faces.dtype == mesh.edges.dtype == np.int32
    assert repr(mesh) == "<ccd.Mesh of 4 vertices, 5 edges, 2 faces>"


def test_codimensional_parts():
    mesh = ccd.Mesh(edges=[[0, 1]], vertices=3)
    assert mesh.counts == (3, 1, 0)
    x0 = np.array([[-1, 0, 0], [1, 0, 0], [0, 0, 1.0]])
    x1 = x0 - [[0, 0, 0], [0, 0, 0], [0, 0, 2]]
    hit = ccd.step.earliest(mesh, x0, x1)
    assert (hit.kind, hit.a, hit.b) == (ccd.Kind.POINT_EDGE, 2, 0)
    assert hit.toi_lo == pytest.approx(0.5, abs=1e-5)
    points = ccd.Mesh(vertices=2)
    assert ccd.step.earliest(points, [[0, 0, 1], [0, 0, 0]], [[0, 0, -1], [0, 0, 0]]).kind == ccd.Kind.POINT_POINT


def test_zero_vertices_and_zero_faces():
    empty = ccd.Mesh(vertices=0)
    assert empty.counts == (0, 0, 0)
    assert ccd.step.earliest(empty, [], []).separate
    assert ccd.step.collisions(empty, np.empty((0, 3)), []).shape == (0,)
    assert ccd.step.size(empty, [], []) == 1.0
    alone = ccd.Mesh(vertices=3)
    assert ccd.step.earliest(alone, np.eye(3), 2 * np.eye(3)).separate


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ({"faces": [[0, 1, 2], [1, 2, 7]], "vertices": 4}, ccd.InvalidIndexError, r"faces\[1\].*7"),
        ({"faces": [[0, 1, -1]], "vertices": 4}, ccd.InvalidIndexError, r"faces\[0\].*-1"),
        ({"faces": [[0, 1, 2], [3, 3, 1]]}, ccd.InvalidIndexError, r"faces\[1\].*3"),
        ({"faces": [[0, 1, 2], [1, 2, 0]]}, ccd.InvalidIndexError, r"faces\[1\]"),
        ({"edges": [[0, 0]]}, ccd.InvalidIndexError, r"edges\[0\]"),
        ({"edges": [[0, 1], [1, 0]]}, ccd.InvalidIndexError, r"edges\[1\]"),
        ({"faces": [[0, 1, 2]], "edges": [[0, 1]]}, ccd.Error, "edge"),
        ({"faces": [0, 1, 2]}, ccd.ArgumentError, r"faces has shape \(3,\)"),
        ({"faces": [[0, 1]]}, ccd.ArgumentError, r"faces has shape"),
        ({"vertices": -1}, ccd.ArgumentError, "vertices is -1"),
        ({"vertices": 2.5}, ccd.ArgumentError, "vertices is 2.5"),
        ({"vertices": 2**62}, ccd.Error, "vertices"),
    ],
)
def test_bad_topology_names_the_argument_and_index(arguments, error, text):
    with pytest.raises(error, match=text):
        ccd.Mesh(**arguments)


X = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]])
F, E = np.array([[0, 1, 2]]), np.array([[0, 1], [0, 2], [1, 2]])


@pytest.mark.parametrize(
    "given, named, want",
    [
        ((X, F), {}, (4, 3, 1)),
        ((X.tolist(), F.tolist()), {}, (4, 3, 1)),
        ((X.astype(int), F), {}, (4, 3, 1)),  # whole coordinates: edges have two columns, so F is no list of edges
        ((X.astype(np.float32), F.astype(np.uint8), np.vstack([E, [0, 3]])), {}, (4, 4, 1)),
        ((X,), {"faces": F}, (4, 3, 1)),
        ((), {"vertices": X, "faces": F}, (4, 3, 1)),
        ((), {"vertices": X, "edges": E}, (4, 3, 0)),
        ((X, np.zeros((0, 3), int)), {}, (4, 0, 0)),
        ((), {"vertices": X}, (4, 0, 0)),
        ((), {"vertices": np.array(5)}, (5, 0, 0)),
        ((F,), {}, (3, 3, 1)),
        ((F, E), {}, (3, 3, 1)),
        ((F, None, 7), {}, (7, 3, 1)),
        ((F, E, 7), {}, (7, 3, 1)),
        ((F,), {"vertices": X}, (4, 3, 1)),
        ((X,), {"edges": E}, (4, 3, 0)),
        ((None, E), {}, (3, 3, 0)),
    ],
)
def test_the_order_of_arrays_by_position(given, named, want):
    assert ccd.Mesh(*given, **named).counts == want


@pytest.mark.parametrize(
    "given, named, error, text",
    [
        ((X,), {}, ccd.ArgumentError, r"faces has dtype float64: .* write ccd.Mesh\(vertices, faces\)"),
        ((F, X), {}, ccd.ArgumentError, r"faces has dtype float64: .* the order is ccd.Mesh\(vertices, faces\)"),
        ((X, F.astype(float)), {}, ccd.ArgumentError, r"faces has dtype float64: .* the order is ccd.Mesh\(vertices, faces\)"),
        ((X, E), {}, ccd.ArgumentError, r"the second has shape \(3, 2\): .* write ccd.Mesh\(vertices=x, edges=edges\)"),
        ((X[0],), {"edges": E}, ccd.ArgumentError, r"write .* ccd.Mesh\(vertices, edges=edges\)"),
        ((X[:2],), {"edges": E}, ccd.InvalidIndexError, r"edges\[.*out of range for 2 vertices"),
        ((X,), {"edges": E, "vertices": 4}, TypeError, "Mesh got vertices twice"),
        ((F.astype(float), E), {}, ccd.ArgumentError, "the first of two arrays has dtype float64"),
        ((), {"faces": X, "edges": E}, ccd.ArgumentError, "faces has dtype float64"),
        ((), {"faces": F, "edges": E.astype(float)}, ccd.ArgumentError, "edges has dtype float64"),
        ((X, [[0, 1, 2, 3]]), {}, ccd.ArgumentError, r"faces has shape \(1, 4\): must be \(n, 3\)"),
        ((X[:, :2], F), {}, ccd.ArgumentError, r"vertices has shape \(4, 2\): must be \(n, 3\); in the plane, add a column"),
        ((X.T, F), {}, ccd.ArgumentError, r"vertices has shape \(3, 4\): must be \(n, 3\);.* pass vertices.T if"),
        ((X.ravel(), F), {}, ccd.ArgumentError, r"vertices has shape \(12,\): .*; pass vertices.reshape\(-1, 3\)$"),
        ((X, np.ones(4, bool)[:, None] * [1, 1, 1] > 0), {}, ccd.ArgumentError, "dtype bool: .*; np.flatnonzero gives"),
        (
            (SimpleNamespace(vertices=X, faces=F),),
            {},
            ccd.ArgumentError,
            r"SimpleNamespace is no array: write ccd.Mesh\(x",
        ),
        ((X[:2], F), {}, ccd.InvalidIndexError, r"faces\[0\]\[2\] is 2: out of range for 2 vertices"),
        ((X, F, 4), {}, ccd.ArgumentError, r"edges has shape \(\)"),
        ((X, F), {"vertices": 4}, TypeError, "Mesh got vertices twice"),
        ((F, E), {"edges": E}, TypeError, "Mesh got edges twice"),
        ((X, F, E, 4), {}, TypeError, "at most 3 arrays"),
        ((X, [[0, 1], [2]]), {}, ccd.ArgumentError, "argument 2 is not an array"),
    ],
)
def test_another_order_is_refused_with_what_to_write(given, named, error, text):
    with pytest.raises(error, match=text):
        ccd.Mesh(*given, **named)


def test_patches(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    mesh.set_groups([0] * 6)
    assert ccd.step.earliest(mesh, x0, x1).separate
    mesh.set_groups(np.array([0, 0, 0, 1, 1, 1], np.uint8))
    assert ccd.step.earliest(mesh, x0, x1).contact
    mesh.set_groups([-1] * 6)
    assert ccd.step.earliest(mesh, x0, x1).contact
    mesh.set_groups(None)
    assert ccd.step.earliest(mesh, x0, x1).contact


def test_components():
    faces, x0, x1 = sheets(6)
    mesh = ccd.Mesh(faces)
    everything = ccd.broad.candidates(mesh, x0, x1)
    mesh.set_component_groups()
    across = ccd.broad.candidates(mesh, x0, x1)
    own = everything.vertex_face[(everything.vertex_face[:, 0] < 36) == (everything.vertex_face[:, 1] < len(faces) // 2)]
    assert len(own) and len(across.vertex_face) == len(everything.vertex_face) - len(own)


def test_static(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    mesh.set_static([True] * 6)
    assert ccd.step.earliest(mesh, x0, x1).separate
    mesh.set_static(np.arange(6) < 3)
    assert ccd.step.earliest(mesh, x0, x1).contact
    mesh.set_static(None)
    assert ccd.step.earliest(mesh, x0, x1).contact


def test_excluded(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    before = ccd.broad.candidates(mesh, x0, x1)
    mesh.set_excluded("vertex-face", before.vertex_face[:1])
    assert ccd.broad.candidates(mesh, x0, x1).vertex_face.tolist() == before.vertex_face[1:].tolist()
    assert len(ccd.broad.candidates(mesh, x0, x1).edge_edge) == len(before.edge_edge)
    mesh.set_excluded(ccd.Kind.VERTEX_FACE, None)
    assert len(ccd.broad.candidates(mesh, x0, x1)) == len(before)


def test_radii_add_to_the_separation(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces)
    plain = ccd.step.collisions(mesh, x0, x1, min_separation=0.25)
    for radii in (0.125, np.float32(0.125), [0.125] * 6, np.full(6, 0.125)):  # one radius r for all is a separation of 2 r
        mesh.set_radii(radii)
        assert ccd.step.collisions(mesh, x0, x1).tobytes() == plain.tobytes()
    mesh.set_radii([0, 0, 0, 0, 0, 0.5])
    for impact in ccd.step.collisions(mesh, x0, x1):
        pair = [[impact["a"], impact["b"]]]
        alone = ccd.step.pairs(mesh, x0, x1, int(impact["kind"]), pair)
        assert alone.tobytes() == impact.tobytes()
    mesh.set_radii(None)
    assert ccd.step.collisions(mesh, x0, x1, min_separation=0.25).tobytes() == plain.tobytes()


def test_a_sphere_falls_on_a_capsule():
    mesh = ccd.Mesh(edges=[[0, 1]], vertices=3)
    mesh.set_radii([0.25, 0.125, 0.5])
    x0, x1 = [[0, 0, 0], [4, 0, 0], [1, 0, 3]], [[0, 0, 0], [4, 0, 0], [1, 0, -1]]
    impact = ccd.step.earliest(mesh, x0, x1)
    assert impact.toi_lo <= (3 - 0.75) / 4 <= impact.toi_hi < 0.562500001
    found = ccd.broad.candidates(mesh, x0, x1)
    mesh.set_radii([0.25, 0.125, 0.75])
    with pytest.raises(ccd.ArgumentError, match=r"radius\[2\] of 0.5, not 0.75"):
        found.step(x0, x1).earliest()


def test_bad_filters_name_the_argument(triangles):
    mesh = ccd.Mesh(triangles[0])
    for call, text in (
        (lambda: mesh.set_groups([0, 1]), "group"),
        (lambda: mesh.set_groups([0.5] * 6), "group has dtype"),
        (lambda: mesh.set_static([True]), "static"),
        (lambda: mesh.set_static([0.5] * 6), "static has dtype"),
        (lambda: mesh.set_radii([1.0]), "radii"),
        (lambda: mesh.set_radii([[0.5] * 6]), "radii has shape"),
        (lambda: mesh.set_radii(["a"] * 6), "radii has dtype"),
        (lambda: mesh.set_radii([0, 0, 0, -1, 0, 0]), r"radii\[3\] is -1"),
        (lambda: mesh.set_radii(2e150), r"radii\[0\] is 2e\+150"),
        (lambda: mesh.set_excluded("vertex-face", [[0, 9]]), "pairs"),
        (lambda: mesh.set_excluded("edge-edge", [[-1, 0]]), "pairs"),
        (lambda: mesh.set_excluded("vertex-face", [1, 2, 3]), "pairs has shape"),
        (lambda: mesh.set_excluded("face-face", []), "kind is 'face-face': must be one of vertex-face"),
    ):
        with pytest.raises((ccd.ArgumentError, ccd.InvalidIndexError), match=text):
            call()


def test_a_closed_mesh_is_a_handle_error(triangles):
    faces, x0, x1 = triangles
    with ccd.Mesh(faces) as mesh:
        assert mesh.counts[0] == 6
    mesh.close()  # a second time is nothing
    assert repr(mesh) == "<ccd.Mesh, closed>"
    for call in (
        lambda: mesh.edges,
        lambda: mesh.counts,
        mesh.set_component_groups,
        lambda: mesh.set_groups(None),
        lambda: ccd.step.earliest(mesh, x0, x1),
        lambda: ccd.step.collisions(mesh, x0, x1),
        lambda: ccd.step.size(mesh, x0, x1),
        lambda: ccd.step.pairs(mesh, x0, x1, "vf", [[3, 0]]),
        lambda: ccd.broad.candidates(mesh, x0, x1),
    ):
        with pytest.raises(ccd.HandleError, match="mesh"):
            call()


def test_a_mesh_is_freed_with_its_last_reference(triangles):
    mesh = ccd.Mesh(triangles[0])
    handle, gone = mesh._handle, weakref.ref(mesh)
    del mesh
    assert gone() is None
    assert ccd._native.abi.library().ccd_mesh_destroy(handle) == -4  # destroyed already


def test_pickle_keeps_topology_and_filters(triangles):
    faces, x0, x1 = triangles
    mesh = ccd.Mesh(faces, vertices=6)
    mesh.set_groups([0, 0, 0, 1, 1, 1])
    mesh.set_static([True, True, True, False, False, False])
    mesh.set_radii([0, 0, 0, 0.5, 0.25, 0])
    mesh.set_excluded("vertex-face", [[3, 0]])
    twin = pickle.loads(pickle.dumps(mesh))
    assert twin.edges.tolist() == mesh.edges.tolist() and twin.counts == mesh.counts
    assert ccd.broad.candidates(twin, x0, x1).vertex_face.tolist() == ccd.broad.candidates(mesh, x0, x1).vertex_face.tolist()
    assert ccd.step.collisions(twin, x0, x1).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
    mesh.set_radii(None)
    assert ccd.step.collisions(twin, x0, x1).tobytes() != ccd.step.collisions(mesh, x0, x1).tobytes()
    mesh.set_component_groups()
    assert len(ccd.broad.candidates(pickle.loads(pickle.dumps(mesh)), x0, x1)) == len(ccd.broad.candidates(mesh, x0, x1))


def test_items_per_vertex_name_the_argument():
    mesh = ccd.Mesh(F, vertices=4)
    for name, short in (("groups", [0]), ("static", [True] * 3), ("radii", [0.1] * 5)):
        given = {"groups": "group"}.get(name, name)
        text = f"{given} has {len(short)} items: must have one for each of the 4 vertices"
        with pytest.raises(ccd.ArgumentError, match=text):
            getattr(mesh, f"set_{name}")(short)
    with pytest.raises(ccd.ArgumentError, match=r"static\[2\] is 2: must be true or false, one for each vertex"):
        mesh.set_static([0, 1, 2, 3])
    mesh.close()
    with pytest.raises(ccd.HandleError):
        mesh.set_radii([0.1] * 4)


def test_an_impact_is_true_unless_separate():
    mesh, x0 = ccd.Mesh([[0, 1, 2], [3, 4, 5]]), np.vstack([np.eye(3), np.eye(3) + 1])
    x1 = x0 - 2 * (np.arange(6) >= 3)[:, None]
    assert ccd.step.earliest(mesh, x0, x1) and not ccd.step.earliest(mesh, x0, x0)
    budget = {"method": "tight-inclusion", "max_iterations": 2}
    undecided = ccd.step.earliest(mesh, x0, x1, **budget)
    assert undecided.verdict == ccd.Verdict.UNDECIDED and undecided
    body, ground = ccd.rigid.Body(np.eye(3), [[0, 1, 2]]), ccd.rigid.Body(np.eye(3) + 1, [[0, 1, 2]])
    falling, still = ccd.rigid.Motion(velocity=(2, 2, 2)), ccd.rigid.Motion()
    for motion, hit in ((falling, True), (still, False)):
        assert bool(ccd.rigid.earliest(body, motion, ground, still)) == hit
        assert bool(ccd.rigid.scene_earliest([body, ground], [motion, still])) == hit
        assert bool(ccd.rigid.mesh_earliest([body], [motion], ccd.Mesh([[0, 1, 2]]), np.eye(3) + 1, np.eye(3) + 1)) == hit
    solid = ccd.volume.Volume(5, "tetrahedron", [[0, 1, 2, 3], [0, 1, 2, 4]])
    y0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 2], [1, 1, -2]], float)
    assert ccd.volume.earliest(solid, y0, y0 * [1, 1, -0.5]) and not ccd.volume.earliest(solid, y0, y0)
    plane, drop = ccd.patch.Body(4, [ccd.patch.Form.quad(1, 1)], range(4)), ccd.patch.Body(1, [ccd.patch.Form.curve(0)], [0])
    flat, end = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], [[0.25, 0.5, -1]]
    for start, hit in (([[0.25, 0.5, 1]], True), (end, False)):
        assert bool(ccd.patch.earliest(plane, flat, flat, drop, start, end)) == hit
