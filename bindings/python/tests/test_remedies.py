"""Mistakes that new users make get a message with the name of the argument and a remedy, word for word."""

import warnings

import numpy as np
import pytest

import ccd
from ccd.cli import main

FACES = [[0, 1, 2], [3, 4, 5]]
NO_MESH = "mesh is ndarray: must be a ccd.Mesh; make one with ccd.Mesh(vertices, faces), and give it before positions"
X0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
X1 = X0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])


@pytest.fixture
def mesh():
    return ccd.Mesh(FACES)


@pytest.fixture
def body():
    return ccd.rigid.Body(X0[:3], FACES[:1])


def said(kind, call):
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def test_none_for_an_array(mesh):
    none = "is None: must be an array; pass one, or leave the argument out where it has a default"
    assert said(ccd.ArgumentError, lambda: ccd.step.earliest(mesh, None, X1)) == f"x0 {none}"
    assert said(ccd.ArgumentError, lambda: ccd.proximity.near(mesh, None, 1)) == f"x {none}"


def test_what_is_no_mesh(mesh, body):
    """Each says what is one, made of what was given."""
    array = NO_MESH
    for call in (ccd.step.earliest, ccd.step.why, ccd.step.activeset, ccd.broad.candidates):
        assert said(ccd.ArgumentError, lambda call=call: call(X0, X1, mesh)) == array
    assert said(ccd.ArgumentError, lambda: ccd.scene.Scene(X0, mesh)) == array
    assert said(ccd.ArgumentError, lambda: ccd.proximity.near([[0, 1, 2]], X0, 1)) == array.replace("ndarray", "list")
    assert said(ccd.ArgumentError, lambda: ccd.step.earliest("cloth.obj", X0, X1)) == (
        "mesh is str: must be a ccd.Mesh; ccd.read(path).mesh() makes one of a file"
    )
    surface = ccd.Surface(X0, np.empty((0, 2), int), np.array(FACES))
    assert said(ccd.ArgumentError, lambda: ccd.overlap.volume(mesh, X0, surface, X0)) == (
        "mesh_b is Surface: must be a ccd.Mesh; make one with ccd.Mesh(mesh_b.vertices, mesh_b.faces)"
    )
    made = "mesh is Body: must be a ccd.Mesh; make one with ccd.Mesh(mesh.vertices, mesh.faces)"
    assert said(ccd.ArgumentError, lambda: ccd.step.earliest(body, X0, X1)) == made


def test_words_for_arrays(mesh):
    assert said(ccd.ArgumentError, lambda: ccd.Mesh("cloth.obj")).endswith(
        "must be an integer type; ccd.read(path) reads a file"
    )


def test_an_assembly_that_is_a_path():
    pytest.importorskip("OCP")
    assert said(ccd.ArgumentError, lambda: ccd.cad.check("robot.step")) == (
        "drive is str: must be a ccd.cad.Drive; make one of ccd.cad.read(path) with ccd.cad.by_joints, by_poses or read_drive"
    )
    assert said(ccd.ArgumentError, lambda: ccd.cad.at_rest("robot.step")) == (
        "assembly is str: must be a ccd.cad.Assembly; ccd.cad.read(path) makes one of a STEP or IGES file"
    )
    assert said(ccd.ArgumentError, lambda: ccd.cad.by_poses("robot.step", [0, 1], {})).startswith("assembly is str: must be")
    assert said(ccd.ArgumentError, lambda: ccd.cad.by_joints("robot.step", [], [0, 1], {})).startswith(
        "assembly is str: must be"
    )
    for call in (lambda: ccd.cad.first_contact(3, "a", "b"), lambda: ccd.cad.profile(3, "a", "b", [0])):
        assert said(ccd.ArgumentError, call).startswith("drive is int: must be a ccd.cad.Drive")


def test_what_is_no_list(mesh):
    """Arguments that hold several of something name themselves and what they hold."""
    calls = {
        "names is 7: must be a list of names": lambda: ccd.audit.Recorder(mesh, names=7),
        "self_collisions is array([1., 1.]): must be True or False": lambda: ccd.audit.Recorder(
            mesh, self_collisions=np.ones(2)
        ),
        "raises is 'passed': must be a list of verdicts": lambda: ccd.audit.Recorder(mesh, raises="passed"),
        "frames is 1.5: must be a list of arrays": lambda: ccd.audit.frames(mesh, 1.5),
        "paths is 5: must be a list of files": lambda: ccd.audit.files(5),
        "paths[1] is 2: must be a file name": lambda: ccd.audit.files(["a.ply", 2]),
        "beside is 5: must be a list of files": lambda: ccd.audit.files(["a.ply"], beside=5),
        "radius is builtin_function_or_method: must be an array of numbers": lambda: ccd.audit.files(["a.ply"], radius=len),
    }
    for text, call in calls.items():
        assert said(ccd.ArgumentError, call) == text


def test_drives_of_other_things():
    pytest.importorskip("OCP")
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox

    box = ccd.cad.Assembly.of({"box": BRepPrimAPI_MakeBox(1, 1, 1).Shape()})
    calls = {
        "poses is 3: must be a mapping of matrices by names of parts": lambda: ccd.cad.by_poses(box, [0, 1], 3),
        "joints is 3: must be a list of ccd.cad.Joint": lambda: ccd.cad.by_joints(box, 3, [0, 1], {}),
        "joints[0] is 'hinge': must be a ccd.cad.Joint": lambda: ccd.cad.by_joints(box, ["hinge"], [0, 1], {}),
        "values is None: must be a mapping of arrays by names of joints": lambda: ccd.cad.by_joints(box, [], [0, 1], None),
    }
    for text, call in calls.items():
        assert said(ccd.ArgumentError, call) == text


def test_poses_that_are_none(body):
    here = ((1, 0, 0, 0), (0, 0, 0))
    for wrong in (3, None, "here"):
        assert said(ccd.ArgumentError, lambda wrong=wrong: ccd.rigid.distance(body, here, body, wrong)) == (
            f"pb is {type(wrong).__name__}: must be a rotation and a position, or a matrix (4, 4)"
        )
    zero = ((0, 0, 0, 0), (0, 0, 0))
    assert said(ccd.ArgumentError, lambda: ccd.rigid.motion_between(here, zero)) == (
        "rotation of end is 0: must be a quaternion other than 0; no rotation is 1, 0, 0, 0"
    )


def test_a_mesh_of_nothing():
    write = "write ccd.Mesh(vertices, faces), ccd.Mesh(faces=faces), or ccd.Mesh(vertices=0) for a mesh of nothing"
    assert said(ccd.ArgumentError, ccd.Mesh) == f"Mesh: no argument was given; {write}"
    assert said(ccd.ArgumentError, lambda: ccd.Mesh(None)) == f"Mesh: the argument is None; {write}"
    assert ccd.Mesh(vertices=0).counts == (0, 0, 0)


@pytest.mark.parametrize(
    ("shape", "remedy"),
    [
        ((6, 4), "; pass x0[:, :3] if the rows are homogeneous coordinates"),
        ((3, 6), "; pass x0.T"),
        ((3, 2), "; in the plane, add a column of zeros; pass x0.T if the rows are x, y and z"),
        ((3, 4), "; pass x0[:, :3] if the rows are homogeneous coordinates; pass x0.T if the rows are x, y and z"),
        ((6, 2), "; in the plane, add a column of zeros"),
        ((18,), "; pass x0.reshape(-1, 3)"),
        ((6, 5), ""),
    ],
)
def test_points_of_another_shape(mesh, shape, remedy):
    assert said(ccd.ArgumentError, lambda: ccd.step.earliest(mesh, np.ones(shape), X1)) == (
        f"x0 has shape {shape}: must be (n, 3){remedy}"
    )


def test_faces_of_floats():
    start, whole = "faces has dtype float64: must be an integer type", ", as of faces.astype(int); "
    assert said(ccd.ArgumentError, lambda: ccd.Mesh([[0, 1, 2.0]])).startswith(f"{start}{whole}for coordinates write")
    assert said(ccd.ArgumentError, lambda: ccd.Mesh([[0, 1, 2.5]])).startswith(f"{start}; for coordinates write")
    assert said(ccd.ArgumentError, lambda: ccd.Mesh(X0, np.array(FACES, float))).startswith(f"{start}{whole}the order is")


def test_faces_that_a_mesh_refuses():
    clean = "; ccd.Mesh.clean(vertices, faces, edges) leaves such out, and says how many"
    assert said(ccd.InvalidIndexError, lambda: ccd.Mesh([[0, 1, 1]])) == f"faces[0] is degenerate: it repeats vertex 1{clean}"
    twice = "faces[1] is the same face as faces[0]: vertices [0 1 2]"
    assert said(ccd.InvalidIndexError, lambda: ccd.Mesh([[0, 1, 2], [1, 2, 0]])) == twice + clean
    assert said(ccd.InvalidIndexError, lambda: ccd.Mesh([[0, 1, 2]], vertices=2)).endswith("the first of which is 0")
    faces, rods = [[0, 1, 2]], [[3, 4]]
    assert said(ccd.InvalidIndexError, lambda: ccd.Mesh(faces=faces, edges=rods)) == (
        "edges lacks the edge (0, 1) of faces[0]; edges are all of them; pass np.vstack([ccd.Mesh(faces=faces).edges, edges])"
        " for those of the faces and yours"
    )
    assert ccd.Mesh(faces=faces, edges=np.vstack([ccd.Mesh(faces=faces).edges, rods])).counts == (5, 4, 1)


def test_quads():
    assert said(ccd.ArgumentError, lambda: ccd.Mesh([[0, 1, 2, 3]])) == (
        "faces has shape (1, 4): must be (n, 3); split quadrilaterals: np.vstack([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])"
        "; tetrahedra go to ccd.volume.Volume"
    )
    quads = np.array([[0, 1, 2, 3]])
    assert ccd.Mesh(np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])).counts == (4, 5, 2)


def test_arrays_for_cells_and_paths():
    assert said(ccd.ArgumentError, lambda: ccd.volume.boundary("a.vtk")) == (
        "cells is 'a.vtk': must be a ccd.volume.Cells, as ccd.volume.read(path) returns; "
        "of arrays: boundary(vertices, tetrahedra), or Cells(vertices, types, corners)"
    )
    x, two = np.vstack([np.eye(4)[:, :3], [[-1, -1, -1]]]), [[0, 1, 2, 3], [0, 2, 1, 4]]
    for wrong, words in (
        ([[0, 1, 2]], r"tetrahedra has shape \(1, 3\): must be \(m, 4\); of other elements make ccd.volume.Cells"),
        (np.array(two, float), "tetrahedra has dtype float64: must be an integer type, as of tetrahedra.astype"),
        ([[0, 1, 2, 9]], r"tetrahedra\[0\], a tetrahedron: its corner 3 is 9: out of range for 5 vertices"),
        ([*two, two[0]], r"tetrahedra\[2\] is the same tetrahedron as tetrahedra\[0\]"),
    ):
        with pytest.raises((ccd.ArgumentError, ccd.InvalidIndexError), match=words):
            ccd.volume.boundary(x, wrong)
    with pytest.raises(ccd.NonFiniteError, match=r"vertices\[4\]\[0\] is nan"):
        ccd.volume.boundary(np.vstack([x[:4], [[np.nan, 0, 0]]]), two)
    cells = ccd.volume.Cells(x, np.full(2, 10, np.int32), np.ravel(two).astype(np.int32))
    with pytest.raises(ccd.ArgumentError, match="leave it out, cells has its own elements"):
        ccd.volume.boundary(cells, two)
    for dtype in (np.int64, np.uint8, np.int32):
        surface = ccd.volume.boundary(x.astype(np.float32), np.array(two, dtype, order="F"))
        assert np.array_equal(surface.faces, ccd.volume.boundary(cells).faces)
    arm = ccd.robot.Robot("drone", ["world"], [[]], [], [])
    assert said(ccd.ArgumentError, lambda: ccd.robot.check(arm, [[0], [1]])) == (
        "path is list: must be a ccd.robot.Path, as Path(joints, waypoints)"
    )


def test_an_option_by_position(mesh):
    more = "by position: 0.001 is one too many; options go by name, as in min_separation=1e-3"
    assert said(TypeError, lambda: ccd.step.earliest(mesh, X0, X1, 1e-3)) == f"earliest() takes mesh, x0, x1 {more}"
    assert said(TypeError, lambda: ccd.step.advance(mesh, X0, X1, 0.9, 1e-3)) == f"advance() takes mesh, x0, x1, share {more}"
    assert said(TypeError, lambda: ccd.Step(mesh, X0, X1).earliest(1e-3)) == f"earliest() takes nothing {more}"


def test_a_memory_limit_of_megabytes(mesh):
    text = r"memory_limit is 10 bytes: a call takes what it needs all the same; for 10 MiB write memory_limit=10 \* 2\*\*20"
    with pytest.warns(UserWarning, match=text):
        ccd.step.collisions(mesh, X0, X1, memory_limit=10, progress=lambda _: None)


def test_velocities_for_positions(mesh):
    fall = np.tile([0, 0, -9.81], (6, 1))
    text = "x1 has the same row for every vertex: the mesh would end at one point; for velocities pass x0 [+] dt [*] x1"
    with pytest.warns(UserWarning, match=text) as caught:
        ccd.step.earliest(mesh, X0, fall)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ccd.Step(mesh, X0, np.zeros_like(X0))  # an array that is written later
        ccd.step.earliest(mesh, X0, X0 + fall)
    meant = "unknown option 'velocity'; did you mean x1: where the vertices are at the end, x0 + dt * velocities?"
    assert said(TypeError, lambda: ccd.step.earliest(mesh, X0, X1, velocity=fall)).startswith(meant)


def test_static_as_indices(mesh):
    assert said(ccd.ArgumentError, lambda: mesh.set_static([0, 1, 2])) == (
        "static[2] is 2: must be true or false, one for each vertex; "
        "for indices pass np.isin(np.arange(n), static), with n vertices"
    )
    mesh.set_static(np.isin(np.arange(6), [0, 1, 2]))


def test_files_that_are_no_meshes(tmp_path):
    np.savez(tmp_path / "a.npz", x=X0)
    (tmp_path / "a.glb").write_bytes(b"glTF\x02\0\0\0" + bytes(20))
    assert said(ccd.FileError, lambda: ccd.read(tmp_path / "a.npz")).endswith(
        'for arrays write ccd.Mesh(data["vertices"], data["faces"]) with data = numpy.load(...)'
    )
    assert said(ccd.FileError, lambda: ccd.read(tmp_path / "a.glb")).endswith(
        "a GLB file (binary glTF): export it as OBJ, PLY or STL, as Blender or trimesh do"
    )


def test_bodies_before_their_motions(body):
    rest = ccd.rigid.Motion()
    order = "ma is Body: must be a ccd.rigid.Motion, or a pose (4, 4); each body comes before its motion: (a, ma, b, mb)"
    assert said(ccd.ArgumentError, lambda: ccd.rigid.earliest(body, body, rest, rest)) == order
    assert said(ccd.ArgumentError, lambda: ccd.rigid.Body([[0, 1, 2]], X0[:3])).endswith("is ccd.rigid.Body(vertices, faces)")


def test_rotations_are_refused_when_they_are_made():
    assert said(ccd.ArgumentError, lambda: ccd.rigid.Motion(rotation=(0, 0, 90))) == (
        "rotation has 3 items: must be a quaternion w, x, y, z or a matrix (3, 3); for angles pass SciPy's "
        "Rotation.from_euler(...), for an axis times an angle Rotation.from_rotvec(...)"
    )
    assert said(ccd.ArgumentError, lambda: ccd.rigid.Motion(rotation=np.zeros(4))) == (
        "rotation is 0: no rotation; (1, 0, 0, 0) is the one that turns nothing"
    )


def test_attributes_that_are_not_there(mesh):
    hit, hits = ccd.step.earliest(mesh, X0, X1), ccd.step.collisions(mesh, X0, X1)
    assert said(AttributeError, lambda: hit.toi) == "Impact has no attribute 'toi'; did you mean toi_lo?"
    assert said(AttributeError, lambda: hit.tio_lo) == "Impact has no attribute 'tio_lo'; did you mean toi_lo?"
    assert said(AttributeError, lambda: hit.colour) == "Impact has no attribute 'colour'"
    assert said(AttributeError, lambda: hits.toi_lo) == (
        "an array of records has fields, no attributes: write records['toi_lo'], or records[0].toi_lo"
    )
    assert "did you mean toi_lo?; fields: verdict, kind, a, b" in said(AttributeError, lambda: hits.toi_low)
    assert "did you mean toi_lo?; fields: verdict, kind, a, b" in said(AttributeError, lambda: hits.toi)
    assert hits["toi_lo"][0] == hits[0].toi_lo and not hasattr(hits, "__cuda_array_interface__")
    for name, end in (("static", "; write mesh.set_static(...)"), ("radius", ""), ("edge", "; did you mean edges?")):
        with pytest.raises(AttributeError) as caught:
            setattr(mesh, name, 1)
        assert str(caught.value) == f"Mesh has no attribute {name!r} that can be set{end}"

    assert said(AttributeError, lambda: ccd.proximty) == "module 'ccd' has no attribute 'proximty'; did you mean proximity?"

    class Own(ccd.Mesh):
        """A mesh with what its user adds."""

    own = Own(FACES)
    own.name = "cloth"
    assert own.name == "cloth"


def test_a_call_that_stands_in_a_module(mesh):
    assert (
        said(AttributeError, lambda: ccd.earliest)
        == "module 'ccd' has no attribute 'earliest'; did you mean ccd.step.earliest?"
    )
    assert said(AttributeError, lambda: ccd.why) == "module 'ccd' has no attribute 'why'; did you mean ccd.step.why?"
    assert said(AttributeError, lambda: mesh.earliest) == "Mesh has no attribute 'earliest'; write ccd.step.earliest(mesh, ...)"
    assert said(AttributeError, lambda: mesh.near) == "Mesh has no attribute 'near'; write ccd.proximity.near(mesh, ...)"
    assert said(AttributeError, lambda: mesh.face) == "Mesh has no attribute 'face'; did you mean faces?"
    assert not hasattr(mesh, "__array__") and not hasattr(mesh, "_other")


def test_words_of_others_for_the_separation(mesh):
    for word in ("separation", "d_hat", "thickness"):
        start = f"unknown option {word!r}; did you mean min_separation?; the options are "
        assert said(TypeError, lambda word=word: ccd.step.earliest(mesh, X0, X1, **{word: 1e-3})).startswith(start)


def test_a_depth_of_what_is_no_body(mesh, body):
    depth, here = ccd.rigid.penetration_depth, ((1, 0, 0, 0), (0, 0, 0))
    assert said(ccd.ArgumentError, lambda: depth(mesh, X0, body, here)) == "a is Mesh: must be a ccd.rigid.Body"
    assert said(ccd.ArgumentError, lambda: ccd.rigid.distance(body, here, mesh, X0)) == "b is Mesh: must be a ccd.rigid.Body"
    assert said(ccd.ArgumentError, lambda: depth(body, (0, 0, 1), body, here)) == (
        "pa has 3 items: must be a rotation and a position, or a matrix (4, 4); without a turn pass ((1, 0, 0, 0), pa)"
    )


def test_a_folder_of_frames(tmp_path):
    folder = tmp_path / "frames"
    folder.mkdir()
    for name in ("f0.obj", "f1.obj", "notes.txt", "one.ply"):
        (folder / name).write_text("v 0 0 0\n")
    assert said(ccd.FileError, lambda: ccd.audit.files(str(folder))) == (
        f"{folder} is a directory: give its files, as a pattern in quotes: '{folder / '*.obj'}'"
    )


def test_rows_and_items_that_are_no_numbers(mesh):
    def said_of(x):
        return said(ccd.ArgumentError, lambda: ccd.step.earliest(mesh, x, X1))

    assert said_of([[0, 0, 0], [1, 0]]) == "x0 is not an array: row 0 has 3 items, row 1 has 2; give all rows one length"
    text = "x0 has dtype <U1: must be floating-point or integer; np.asarray(x0, float) reads numbers from text"
    assert said_of([["1"] * 3] * 6) == text
    assert said_of({"x": 1}) == "x0 is dict: must be an array of numbers"
    numbers = "must be floating-point or integer"
    assert said_of(X0.astype(object)) == f"x0 has dtype object: {numbers}; x0.astype(float) if all are numbers"
    fields = X0.view([("x", float), ("y", float), ("z", float)]).ravel()
    remedy = said_of(fields).partition("; ")[2].partition(" has its")[0]
    assert np.array_equal(eval(remedy, {"np": np, "x0": fields}), X0)
    surface = ccd.Surface(X0, np.empty((0, 2), np.int32), np.array([[0, 1, 2]], np.int32))
    assert said_of(surface) == "x0 is Surface: must be an array of numbers; pass x0.vertices"
    assert said_of(np.ma.masked_greater(X0, 0.5)) == (
        "x0 is a masked array with masked elements; pass x0.filled(value), or leave these out"
    )
    assert said(ccd.ArgumentError, lambda: ccd.Mesh(object())) == "faces is object: must be an array of integers"
    sparse = pytest.importorskip("scipy.sparse")
    for kind in (sparse.csr_matrix, sparse.csr_array):
        assert said_of(kind(X0)) == f"x0 is {kind.__name__}: must be an array of numbers; pass x0.toarray()"


def test_a_mesh_in_place_of_its_arrays():
    surface = ccd.Surface(X0, np.empty((0, 2), np.int32), np.array([[0, 1, 2]], np.int32))
    missing = "faces is missing: write ccd.rigid.Body"
    assert said(ccd.ArgumentError, lambda: ccd.rigid.Body(surface)) == f"{missing}(x.vertices, x.faces)"
    assert said(ccd.ArgumentError, lambda: ccd.rigid.Body(X0)) == f"{missing}(vertices, faces)"
    cells = ccd.volume.Cells(X0, np.array([10], np.int32), np.arange(4, dtype=np.int32))
    assert said(ccd.ArgumentError, lambda: ccd.volume.earliest(cells, X0, X0)) == (
        "volume is Cells: must be a ccd.volume.Volume; volume() of it makes one"
    )
    assert said(ccd.ArgumentError, lambda: ccd.volume.Volume(6, [[0, 1, 2, 3]])) == (
        'corners is missing: write ccd.volume.Volume(len(x), "tetrahedron", tetrahedra), or name another type'
    )


def test_clean_of_what_has_no_faces_or_no_places():
    faces = np.array([[0, 1, 2], [2, 1, 3]])
    for call in (lambda: ccd.Mesh.clean(faces), lambda: ccd.Mesh.clean(X0)):
        assert said(ccd.ArgumentError, call) == (
            "faces and edges are missing, so nothing would be left: write ccd.Mesh.clean(vertices, faces), or particles=True "
            "for a cloud of points"
        )
    assert ccd.Mesh.clean(X0, particles=True)[0].counts == (6, 0, 0)
    vertices = X0.copy()
    vertices[3], vertices[5, 1] = np.nan, np.inf
    text = said(ccd.NonFiniteError, lambda: ccd.Mesh.clean(vertices, faces))
    assert text.startswith("vertices[3][0] is nan: not finite, as 2 of 6 vertices are; to leave out their faces: ")
    scope = {"np": np, "vertices": vertices, "faces": faces}
    exec(text.partition("their faces: ")[2], scope)
    assert ccd.Mesh.clean(scope["vertices"], scope["faces"])[0].counts == (6, 3, 1)


def test_a_mask_of_floats(mesh):
    assert said(ccd.ArgumentError, lambda: mesh.set_static(np.array([0.0, 1, 1, 0, 0, 0]))) == (
        "static has dtype float64: must be bool; pass static != 0 if the numbers are 0 and 1"
    )


def test_a_list_for_records(mesh):
    page = ccd.view.Page("a")
    part = page.add_mesh(mesh, X0, X1)
    assert said(ccd.ArgumentError, lambda: page.add_impacts(mesh, X0, X1, [], part)) == (
        "impacts is an array of float64, of shape (0,): must be (n,) records with the fields verdict, kind, a, b, toi_lo, "
        "toi_hi, u, v, point, normal, width, flags, reserved"
    )
    assert said(ccd.ArgumentError, lambda: page.add_gaps(X0, part)) == "mesh is ndarray: must be a ccd.Mesh"


@pytest.mark.parametrize("name", ["position", "velocity", "angular_velocity", "pivot"])
def test_a_motion_of_other_than_three_components(name):
    components = "must be (3,), its components along x, y and z"
    assert said(ccd.ArgumentError, lambda: ccd.rigid.Motion(**{name: 1})) == f"{name} has shape (): {components}"
    assert said(ccd.ArgumentError, lambda: ccd.rigid.Motion(**{name: (1, 2)})) == f"{name} has shape (2,): {components}"


def test_tetrahedra_without_their_kind():
    order = 'must be the number of vertices; the order is ccd.volume.Volume(len(x), "tetrahedron", corners)'
    assert said(ccd.ArgumentError, lambda: ccd.volume.Volume(X0[:4], "tetrahedron", [[0, 1, 2, 3]])).endswith(order)


def test_a_pair_that_is_not_there(tmp_path):
    assert said(ccd.FileError, lambda: ccd.step.replay(tmp_path / "none.npz")).startswith(f"{tmp_path}/none.npz: ")


def test_contact_without_room(mesh):
    assert said(ccd.ArgumentError, lambda: ccd.step.respond(mesh, X0, X1)) == (
        "min_separation is 0: must be positive; resting contact needs the room, as a thousandth of an edge"
    )


def test_one_radius_is_no_file(tmp_path, capsys):
    files = [tmp_path / f"{k}.obj" for k in range(2)]
    for path, x in zip(files, (X0, X1)):
        path.write_text("".join("v {} {} {}\n".format(*row) for row in x) + "f 1 2 3\nf 4 5 6\n")
    assert main(["step", *map(str, files), "--radii", "0.25"]) == 2
    assert capsys.readouterr().err == "ccd: --radii is 0.25: must be a file; --radius 0.25 is one radius for all vertices\n"


def test_modules_say_what_a_misspelt_name_may_mean():
    for module, name, meant in (
        (ccd.pair, "edge_edgee", "edge_edge"),
        (ccd.step, "earlyest", "earliest"),
        (ccd.broad, "candidate", "candidates"),
        (ccd.proximity, "distanc", "distance"),
        (ccd.rigid, "earlist", "earliest"),
        (ccd.robot, "Chequer", "Checker"),
        (ccd.volume, "boundry", "boundary"),
        (ccd.patch, "Boddy", "Body"),
    ):
        text = f"module '{module.__name__}' has no attribute '{name}'; did you mean {meant}?"
        assert said(AttributeError, lambda module=module, name=name: getattr(module, name)) == text
    assert said(AttributeError, lambda: ccd.pair.zzzz) == "module 'ccd.pair' has no attribute 'zzzz'"


def test_former_names_work_and_say_the_present_ones():
    q = np.random.default_rng(3).random((8, 3))
    with pytest.warns(DeprecationWarning, match="^ccd.pair.least_distance is ccd.pair.clearance now$"):
        assert ccd.pair.least_distance is ccd.pair.clearance
    with pytest.warns(DeprecationWarning, match="^ccd.step.least_distance is ccd.step.clearance now$"):
        assert ccd.step.least_distance is ccd.step.clearance
    got = ccd.pair.clearance("vertex-face", q)
    with pytest.warns(DeprecationWarning, match="^Clearance.distance_lo is Clearance.lo now$"):
        assert got.distance_lo == got.lo
    with pytest.warns(DeprecationWarning, match="^Clearance.distance_hi is Clearance.hi now$"):
        assert got.distance_hi == got.hi
    assert said(AttributeError, lambda: got.tim) == "Clearance has no attribute 'tim'; did you mean time?"


def test_what_comes_one_by_one_is_made_a_list(mesh):
    for name, x in {"generator": (row for row in X0), "map": map(list, X0), "set": {1, 2}}.items():
        text = said(ccd.ArgumentError, lambda x=x: ccd.step.earliest(mesh, x, X1))
        assert text == f"x0 is {name}: must be an array of numbers; pass np.array(list(x0))"
    text = said(ccd.ArgumentError, lambda: ccd.Mesh(faces=zip([0], [1], [2])))
    assert text == "faces is zip: must be an array of integers; pass np.array(list(faces))"


def test_tables_name_the_column_that_is_no_number(mesh):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X0, columns=list("xyz"))
    assert ccd.step.earliest(mesh, table, X1).toi_lo == 0.5
    remedy = "must be numbers; pass x0[[...]].to_numpy(float) of its columns x, y, z"
    table["part"] = list("abcdef")
    text = said(ccd.ArgumentError, lambda: ccd.step.earliest(mesh, table, X1))
    assert text.startswith("x0 is a table, column 'part' of type ") and text.endswith(remedy)
    holes = pandas.DataFrame(X0, dtype="Float64", columns=list("xyz")).where(lambda x: x < 0.9)
    assert said(ccd.ArgumentError, lambda: ccd.step.earliest(mesh, holes, X1)) == (
        f"x0 is a table, column 'x' with a missing value: {remedy}"
    )


def test_faces_that_count_from_one():
    mesh, one = ccd.Mesh(faces=[[1, 2, 3]]), "; where faces count from 1, make it of faces - 1"
    assert said(ccd.ArgumentError, lambda: ccd.step.earliest(mesh, X0[:3], X0[:3])) == (
        f"x0 and x1 have 3 vertices: the mesh has 4{one}"
    )
    assert said(ccd.ArgumentError, lambda: ccd.proximity.intersects(mesh, X0[:3])) == f"x has 3 vertices: the mesh has 4{one}"
    assert one not in said(ccd.ArgumentError, lambda: ccd.proximity.intersects(mesh, X0))


def test_groups_by_name(mesh):
    text = said(ccd.ArgumentError, lambda: mesh.set_groups(list("aabbcc")))
    assert text == "group has dtype <U1: must be an integer type; np.unique(group, return_inverse=True)[1] numbers names"


def test_a_file_that_is_no_pair(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\n")
    assert said(ccd.FileError, lambda: ccd.step.replay(tmp_path / "a.obj")) == (
        f"{tmp_path}/a.obj: no pair that Why.save has written (ValueError: it is no archive of NumPy, .npz)"
    )


def test_a_part_of_the_name_of_an_option(mesh):
    text = said(TypeError, lambda: ccd.step.respond(mesh, X0, X1, mass=1, min_separation=0.1))
    assert text.startswith("unknown option 'mass'; did you mean inverse_mass?")
