"""Surfaces and queries from files, sound and broken."""

import dataclasses
import errno
import os
import pickle
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np
import pytest

import ccd
import ccd.distributed

VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0.1]])
FACES = np.array([[0, 1, 2], [0, 2, 3]])


def ply(path, order="<", real="d"):
    name = {"<": "binary_little_endian", ">": "binary_big_endian"}[order]
    kind = {"d": "double", "f": "float"}[real]
    head = f"ply\nformat {name} 1.0\nelement vertex {len(VERTICES)}\n"
    head += "".join(f"property {kind} {axis}\n" for axis in "xyz")
    head += f"element face {len(FACES)}\nproperty list uchar int vertex_indices\nend_header\n"
    body = VERTICES.astype(order + {"d": "f8", "f": "f4"}[real]).tobytes()
    body += b"".join(struct.pack(order + "B3i", 3, *face) for face in FACES.tolist())
    path.write_bytes(head.encode() + body)
    return path


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("real", "df")
def test_ply(tmp_path, order, real):
    surface = ccd.read(ply(tmp_path / "a.ply", order, real))
    assert np.array_equal(surface.vertices, VERTICES.astype({"d": "f8", "f": "f4"}[real]))
    assert surface.faces.tolist() == FACES.tolist() and surface.edges.shape == (0, 2)
    assert surface.mesh().counts == (4, 5, 2)


def test_obj_with_line_elements_and_polygons(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nv 6 6 6\nf 1 2 3 4\nl 5 6\nl 1 2\n")
    surface = ccd.read(str(path))
    assert surface.faces.shape == (2, 3) and surface.edges.tolist() == [[4, 5], [0, 1]]
    mesh = surface.mesh()
    assert mesh.counts == (6, 6, 2)  # the square's five edges, one of them listed again, and the loose one
    larger_first = [(b, a) for a, b in mesh.edges.tolist()]
    assert larger_first == sorted(larger_first)


def test_off(tmp_path):
    path = tmp_path / "named.anything"
    path.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    assert ccd.read(path).faces.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("cut", [1, 5, 20, 60, 100])
def test_a_ply_cut_short_is_a_file_error(tmp_path, cut):
    path = ply(tmp_path / "a.ply")
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(ccd.FileError, match=r"a\.ply"):
        ccd.read(path)


def test_a_file_that_is_not_there(tmp_path):
    for read in (ccd.read, ccd.read_queries):
        with pytest.raises(ccd.FileError, match=r"none\.ply") as caught:
            read(tmp_path / "none.ply")
        assert isinstance(caught.value, OSError)
        with pytest.raises(ccd.FileError):
            read(tmp_path)
        with pytest.raises(ccd.FileError, match="NUL"):
            read("a\0b")
        with pytest.raises(ccd.ArgumentError, match="path is 5"):
            read(5)


@pytest.mark.parametrize("read", [ccd.read, ccd.read_queries, ccd.volume.read, ccd.patch.read, ccd.plot.read])
def test_a_file_error_is_what_the_system_says(tmp_path, read):
    """A caller who catches FileNotFoundError catches ours; what a file holds is no cause of the system's."""
    (tmp_path / "file").write_bytes(b"no such file or directory")
    causes = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
    directory: tuple[type[OSError], int] = (IsADirectoryError, errno.EISDIR)
    below: tuple[type[OSError], int] = (NotADirectoryError, errno.ENOTDIR)
    if sys.platform == "win32":  # the system: there is no file/x; Python's open: a directory is denied
        below = (FileNotFoundError, errno.ENOENT)
        if read is ccd.plot.read:
            directory = (PermissionError, errno.EACCES)
    for path, cause, number in (
        (tmp_path / "missing", FileNotFoundError, errno.ENOENT),
        *([(tmp_path, *directory)] if read is not ccd.patch.read else []),  # it says: is no file
        (tmp_path / "file" / "x", *below),
        (tmp_path / "file", None, None),
    ):
        with pytest.raises(ccd.FileError) as caught:
            read(path)
        error = pickle.loads(pickle.dumps(caught.value))  # a pool of processes hands it on so
        for one in (caught.value, error):
            assert [c for c in causes if isinstance(one, c)] == ([cause] if cause else []), (path, one)
            assert one.errno == number and type(one).__name__ == "FileError" and str(one) == str(caught.value)
            assert str(path) in str(one)


def test_a_file_that_may_not_be_read():
    if sys.platform == "win32" or os.geteuid():
        pytest.skip("needs a file of another owner")
    code = (
        "import os, sys, ccd; ccd.version(); os.setgroups([]), os.setgid(65534), os.setuid(65534)\n"
        "for read in ccd.read, ccd.read_queries, ccd.volume.read, ccd.patch.read:\n"
        "    try: read(sys.argv[1])\n"
        "    except PermissionError as error: print(isinstance(error, ccd.FileError), error.errno)\n"
    )
    with tempfile.NamedTemporaryFile() as file:
        ended = subprocess.run([sys.executable, "-c", code, file.name], capture_output=True, text=True)
    assert ended.stdout == "True 13\n" * 4, ended.stderr


@pytest.mark.parametrize("text", ["", "hello", "OFF\n3 1 0\n0 0 0\n", "v 1\nf 1 1 1\n", "ply\nformat ascii 1.0\n"])
def test_malformed_meshes(tmp_path, text):
    path = tmp_path / "bad.off"
    path.write_text(text)
    with pytest.raises(ccd.FileError, match=r"bad\.off"):
        ccd.read(path)


def test_names_that_are_not_ascii(tmp_path):
    path = ply(tmp_path / "Kugel-ü-球.ply")
    assert len(ccd.read(path).vertices) == 4
    assert len(ccd.read(os.fsencode(path).decode()).vertices) == 4


ROW = "1,1,2,1,3,1"


def queries_file(path, rows):
    path.write_text("".join(row + "\n" for row in rows))
    return path


def test_queries(tmp_path):
    with_truth = ccd.read_queries(queries_file(tmp_path / "a.csv", [ROW + ",1"] * 8 + ["1,2,-3,4,5,8,0"] * 8))
    assert len(with_truth) == 2 and with_truth.truth.tolist() == [True, False]
    assert with_truth.q[0].tolist() == [1, 2, 3] * 8 and with_truth.q[1].tolist() == [0.5, -0.75, 0.625] * 8
    assert ccd.read_queries(queries_file(tmp_path / "b.csv", [ROW] * 8)).truth is None


def test_queries_are_read_exactly(tmp_path):
    x = [0.0, 1.5, -0.1, 5e-324, -1.7e308, 2.0**-1060, 1e22, 3.0]
    fractions = [Fraction(value) for value in x]
    rows = [f" +{f.numerator * 7} ,{-7 * f.denominator}, 6,3,1,-4" if f > 0 else f"{f.numerator},{f.denominator},6,3,1,-4"
            for f in fractions]  # fmt: skip
    path = tmp_path / "exact.csv"
    path.write_bytes("\ufeff".encode() + "\r\n\n".join(rows).encode())
    points = ccd.read_queries(path).q.reshape(8, 3)
    assert points[:, 0].tolist() == [-value if value > 0 else value for value in x]
    assert points[:, 1].tolist() == [2.0] * 8 and points[:, 2].tolist() == [-0.25] * 8


@pytest.mark.parametrize(
    "rows, line",
    [
        ([ROW] * 2 + [ROW + ",1"] + [ROW] * 5, "line 3: 7 columns"),
        ([ROW + ",1"] * 4 + [ROW + ",0"] * 4, "line 5: the truth differs"),
        ([ROW] * 7 + ["1" + "0" * 400 + ",1,2,1,3,1"], "line 8: x: the quotient is not exactly a double"),
        ([ROW] * 7 + ["1,1,1," + "1" + "0" * 400 + ",3,1"], "line 8: y: the quotient is not exactly a double"),
        ([ROW] * 7 + ["1,1,2,1," + "9" * 5000 + ",1"], "line 8: z: an integer of 5000 digits"),
        ([ROW] * 7 + ["1_0,1,2,1,3,1"], "line 8: x: a numerator or denominator is not an integer"),
        ([ROW] * 3 + ["1,0,2,1,3,1"] + [ROW] * 4, "4"),
        ([ROW] * 7 + ["1,x,2,1,3,1"], "8"),
        ([ROW] * 6 + ["1,1,2,1"] + [ROW], "7"),
        ([ROW] * 5 + ["1,3,2,1,3,1"] + [ROW] * 2, "6"),
        ([ROW + ",1"] * 7 + [ROW + ",2"], "8"),
        ([ROW] * 7, "7"),
    ],
    ids=[
        "columns differ",
        "truth differs",
        "too large",
        "too small",
        "too long",
        "underscore",
        "denominator 0",
        "no number",
        "columns",
        "not a double",
        "truth 2",
        "seven rows",
    ],
)
def test_bad_queries_name_the_line(tmp_path, rows, line):
    with pytest.raises(ccd.FileError, match=rf"q\.csv.*{line}"):
        ccd.read_queries(queries_file(tmp_path / "q.csv", rows))


def test_frames_of_the_dataset(data):
    for path in sorted((data / "scenes").glob("*/frames/*.ply")):
        surface = ccd.read(path)
        assert len(surface.vertices) in (9450, 12135, 46598) and np.isfinite(surface.vertices).all()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe.obj"
    os.mkfifo(pipe)
    for read in (ccd.read, ccd.read_queries, ccd.volume.read, ccd.patch.read):
        with pytest.raises(ccd.FileError, match=r"pipe\.obj is a pipe: only regular files are read"):
            read(pipe)


INTERRUPTED = """
import signal, sys, threading, time, numpy as np, ccd
n = 1_500_000
faces = np.random.default_rng(1).permuted(np.arange(3 * n, dtype=np.int32)).reshape(n, 3)
path = sys.argv[1]
def mesh(): ccd.Mesh(faces)
def read(): ccd.read(path)
ccd.Mesh([[0, 1, 2]])
for call in (mesh, read):
    began = time.monotonic()
    call()
    whole = time.monotonic() - began
    timer = threading.Timer(0.1 * whole, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    began = time.monotonic()
    try:
        call()
        print("not interrupted", whole)
    except KeyboardInterrupt:
        print(call.__name__, time.monotonic() - began < 0.9 * whole, flush=True)
    time.sleep(whole)  # what was left to itself ends, and is destroyed
print(ccd.Mesh([[0, 1, 2]]).counts)
"""


def test_ctrl_c_while_a_mesh_is_made_or_read(tmp_path):
    path = tmp_path / "many.ply"
    n = 1_500_000
    head = "ply\nformat ascii 1.0\nelement vertex {}\n{}end_header\n".format(n, "".join(f"property float {x}\n" for x in "xyz"))
    path.write_bytes(head.encode() + b"0.1234 0.2345 0.3456\n" * n)
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, str(path)], capture_output=True, text=True, timeout=300)
    assert done.stdout == "mesh True\nread True\n(3, 3, 1)\n", done.stdout + done.stderr[-2000:]


#: Files that begin as those of a format, or of none, and then hold what a reader of errors must not see.
SECRET = "hunter2:*:20228:0:99999:7"
HOLDERS = (
    f"{SECRET}\n", f"v 0 0 0\n{SECRET}\n", f"$MeshFormat\n{SECRET}\n", f'{{"{SECRET}": 1}}', f"482910{SECRET}\n",
    "482910", f"1\n{SECRET}\n", f'{{"points": "{SECRET}"}}', f"ply\n{SECRET}\n", f"<VTKFile type='{SECRET}'>",
    f"<VTKFile><{SECRET}>", f"solid\n{SECRET}\n", f"1,{SECRET}\n", f"OFF\n{SECRET}\n", f"# vtk DataFile\n\n{SECRET}\n",
    f"MeshVersionFormatted {SECRET}",
)  # fmt: skip


@pytest.mark.parametrize("text", HOLDERS)
def test_errors_quote_nothing_that_is_no_word_of_a_format(tmp_path, text):
    path = tmp_path / "a"
    path.write_text(text)
    for read in (ccd.read, ccd.read_queries, ccd.volume.read, ccd.patch.read):
        with pytest.raises(ccd.FileError) as caught:
            read(path)
        assert not any(part in str(caught.value) for part in ("hunter", "20228", "482910")), caught.value
    path.write_bytes(b"glTF and more")
    with pytest.raises(ccd.FileError, match=r"a GLB file .binary glTF.: export it as OBJ, PLY or STL"):
        ccd.read(path)


def test_dirty_files_are_read_and_say_what_was_left_out(tmp_path):
    def facet(*points):
        corners = "".join(f"vertex {x} {y} {z}\n" for x, y, z in points)
        return f"facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n"

    flat = facet((0, 0, 0), (1, 0, 0), (0, 1, 0)) + facet((0, 0, 0), (1, 0, 0), (1, 0, 0))
    (tmp_path / "a.stl").write_text(f"solid a\n{flat}endsolid a\n")
    (tmp_path / "b.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\nf 2 3 1\n")
    for name, left_out in (
        ("a.stl", {"faces that repeat a vertex": 1}),
        ("b.obj", {"faces given twice": 1, "vertices that nothing uses": 1}),
    ):
        surface = ccd.read(tmp_path / name)
        assert surface.left_out == left_out
        assert surface.mesh().counts == (len(surface.vertices), 3, 1)
        with pytest.raises(ccd.FileError, match=f"{name}: 1 faces .*strict"):
            ccd.read(tmp_path / name, strict=True)
    x, faces = surface.vertices, [[0, 1, 2], [1, 2, 0]]
    mesh, counted = ccd.Mesh.clean(x, faces)
    assert mesh.counts == (4, 3, 1) and counted == left_out
    with pytest.raises(ccd.InvalidIndexError, match="the same face"):
        ccd.Mesh(x, faces)
    with pytest.raises(ccd.InvalidIndexError, match=r"faces\[0\]\[2\] is 4"):
        ccd.Mesh.clean(x, [[0, 1, 4]])
    with pytest.raises(ccd.NonFiniteError, match=r"vertices\[0\]\[0\]"):
        ccd.Mesh.clean(x * np.nan, [[0, 1, 2]])


def test_unused_vertices_are_no_particles_unless_asked_for(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\n")
    surface = ccd.read(path)
    x, mesh = surface.vertices, surface.mesh()
    assert surface.unused.tolist() == [3] and mesh.counts[0] == 4
    for one in (mesh, pickle.loads(pickle.dumps(mesh))):
        assert not ccd.proximity.intersects(one, x)
        assert ccd.step.earliest(one, x, x, min_separation=0.01).separate
        assert len(ccd.step.collisions(one, x, x)) == 0 and len(ccd.proximity.near(one, x, 1.0)) == 0
    particles = surface.mesh(particles=True)
    assert ccd.proximity.intersects(particles, x) and not ccd.step.earliest(particles, x, x).separate
    with pytest.raises(ccd.ArgumentError, match=r"ignored\[0\]"):
        ccd.Mesh(surface.faces, ignored=[True, False, False])
    with pytest.raises(ccd.ArgumentError, match="ignores 1 of its vertices"):
        ccd.distributed.Scene.of(mesh, x, x)


def test_copies_of_vertices_are_welded_by_the_first_frame():
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [np.nextafter(1, 2), 0, 0], [0.9, 0.7, 0], [0, 1, 0]], float)
    first = ccd.Surface(x, np.empty((0, 2), np.int32), np.arange(6, dtype=np.int32).reshape(2, 3), fields={"u": np.arange(6.0)})
    welded = first.weld()
    assert welded.places.tolist() == [0, 1, 2, 1, 3, 2] and welded.fields["u"].tolist() == [0, 1, 2, 4]
    assert first.weld(bits=0).places.tolist() == [0, 1, 2, 3, 4, 2] and not welded.notes
    y = x + 1.0
    y[3] += 0.25
    later = dataclasses.replace(first, vertices=y).weld(places=welded.places)
    assert later.faces.tolist() == welded.faces.tolist() and np.array_equal(later.vertices, x[[0, 1, 2, 4]] + 1)
    assert later.notes == ["Copies of one vertex are up to 0.25 apart: each place takes that of its first."]
    assert welded.weld(bits=0).places.tolist() == welded.places.tolist()
    assert ccd.step.earliest(welded.mesh(), welded.vertices, later.vertices).separate
    for bad in ([0, 1, 2, 1, 4, 2], [0, 1]):
        with pytest.raises(ccd.Error, match="places"):
            first.weld(places=bad)
    cells = ccd.volume.Cells(np.eye(4)[[0, 1, 2, 3, 0, 1, 2, 3], :3], np.full(2, 10, np.int32), np.arange(8, dtype=np.int32))
    assert cells.weld().corners.tolist() == [0, 1, 2, 3, 0, 1, 2, 3] and len(cells.weld().vertices) == 4


def test_elements_that_collapse_where_copies_are_welded_are_left_out():
    """A prism whose end has no area, and a tetrahedron beside it, with points of their own."""
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 0, 1]], float)
    own = np.vstack([x, x[:4]])
    kinds, corners = np.array([13, 10], np.int32), np.arange(10, dtype=np.int32)
    cells = ccd.volume.Cells(own, kinds, corners, {"lines": 2, "elements that repeat a vertex": 1})
    welded = cells.weld()
    assert welded.elements.tolist() == [10] and welded.corners.tolist() == [0, 1, 2, 3] and len(welded.vertices) == 5
    assert welded.left_out == {"lines": 2, "elements that repeat a vertex": 2} and cells.left_out["lines"] == 2
    assert welded.volume().counts[1] == 1
    later = dataclasses.replace(cells, vertices=own + 1).weld(places=welded.places)
    assert later.corners.tolist() == welded.corners.tolist() and later.elements.tolist() == [10]
    wrong = dataclasses.replace(cells, elements=np.array([99, 10], np.int32))
    with pytest.raises(ccd.Error, match=r"elements\[0\]"):
        wrong.weld().volume()
