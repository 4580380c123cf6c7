"""Results of engineering solvers: positions, point by point, are those that the libraries that wrote the files have."""

import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_audit_files import FRAMES, RIGHT, verdicts
from test_audit_formats import snapshots
from test_outward import KINDS
from test_view import data as data_of
from test_view import unpack

import ccd
from ccd.audit._solvers import _elements, _orders
from ccd.cli import main

FACES = np.array([[0, 1, 2], [3, 4, 5]])
MOVED = [x - FRAMES[0] for x in FRAMES]
CUBE = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], float)


def drawn(x, faces):
    """Triangles by the places of their corners, in any order."""
    return sorted(tuple(sorted(map(tuple, np.round(x[f], 9).tolist()))) for f in faces)


def run(capsys, *arguments):
    code = main([*map(str, arguments)])
    seen = capsys.readouterr()
    return code, seen.out, seen.err


# ---- the surface of elements


def vtu(path, x, cells):
    """A VTU of cells: types and nodes, without any library."""
    flat, ends = [n for _, nodes in cells for n in nodes], np.cumsum([len(nodes) for _, nodes in cells])

    def array(name, kind, values, more=""):
        return f'<DataArray type="{kind}" Name="{name}" format="ascii"{more}>{" ".join(map(repr, values))}</DataArray>'

    path.write_text(
        '<VTKFile type="UnstructuredGrid" version="2.3"><UnstructuredGrid>'
        f'<Piece NumberOfPoints="{len(x)}" NumberOfCells="{len(cells)}"><Points>'
        + array("Points", "Float64", np.ravel(x).tolist(), ' NumberOfComponents="3"')
        + "</Points><Cells>"
        + array("connectivity", "Int64", [int(n) for n in flat])
        + array("offsets", "Int64", ends.tolist())
        + array("types", "UInt8", [kind for kind, _ in cells])
        + "</Cells></Piece></UnstructuredGrid></VTKFile>"
    )
    return str(path)


def bent(count, rng):
    return rng.normal(size=(count, 3)) * 0.05


@pytest.mark.parametrize("kind", [24, 25, 26, 27, 29, 32, 22, 23, 28, 34])
def test_faces_of_order_2_are_those_of_the_reader_in_go(kind, tmp_path):
    """Two elements that share nothing, bent at random: the triangles, and the bound on how far they are off."""
    rng = np.random.default_rng(kind)
    count = _elements.COUNTS[kind]
    if kind in KINDS:
        corners, means = KINDS[kind]
        straight = np.array([*corners, *(np.mean([corners[v] for v in nodes], axis=0) for nodes in means)])
        x = np.vstack([straight @ rng.normal(size=(3, 3)) + rng.normal(size=(count, 3)) / 20 for _ in range(2)])
    else:
        x = np.vstack([rng.normal(size=(count, 3)), rng.normal(size=(count, 3)) + 5])
    rows = np.arange(2 * count).reshape(2, count)
    own = _elements.skin("x", x, [_elements.Block(0, kind, rows)])
    theirs = ccd.read(vtu(tmp_path / "x.vtu", x, [(kind, row.tolist()) for row in rows]))
    assert drawn(x, own.faces) == drawn(theirs.vertices, theirs.faces)
    assert own.deviation(x) == pytest.approx(theirs.deviation, rel=1e-12)


def test_sides_between_elements_go_also_between_parts():
    x = np.vstack([CUBE, CUBE[4:] + np.array([0, 0, 1]), [[0, 0, 3]]])
    below, above = np.arange(8)[None], np.arange(4, 12)[None]
    blocks = [
        _elements.Block(0, 12, below),
        _elements.Block(1, 12, above),
        _elements.Block(2, 14, np.array([[8, 9, 10, 11, 12]])),
    ]
    skin = _elements.skin("x", x, blocks)
    assert len(skin.faces) == 2 + 2 * 4 * 2 + 4 and not len(skin.unused) and skin.solids == 3
    assert skin.part.tolist() == [0] * 8 + [1] * 4 + [2]
    mesh = ccd.Mesh(faces=skin.faces, vertices=len(x))
    assert not ccd.proximity.intersects(mesh, x)
    closed = np.sort(skin.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert (np.unique(closed, axis=0, return_counts=True)[1] == 2).all()


@pytest.mark.parametrize(
    ("nodes", "faces"),
    [
        ([0, 1, 2, 3, 3, 3, 3, 3], 4),  # a tetrahedron, as LS-DYNA writes it
        ([0, 1, 2, 3, 4, 4, 4, 4], 6),  # a pyramid
        ([0, 1, 2, 3, 4, 4, 5, 5], 8),  # a prism
        ([0, 1, 2, 2, 3, 4, 5, 5], 8),  # the same otherwise
    ],
)
def test_solids_that_are_written_as_hexahedra(nodes, faces):
    x = np.random.default_rng(1).normal(size=(6, 3))
    skin = _elements.skin("x", x, [_elements.Block(0, 12, np.array([nodes]))])
    edges = np.sort(skin.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert len(skin.faces) == faces and (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()


def test_what_is_given_twice_does_not_vanish():
    blocks = [
        _elements.Block(0, 12, np.arange(8)[None]),
        _elements.Block(0, 12, np.arange(8)[None]),
        _elements.Block(0, 9, np.arange(4)[None]),
    ]
    skin = _elements.skin("x", CUBE, blocks)
    assert len(skin.faces) == 12 and skin.left_out == {"elements given twice": 1}
    with pytest.raises(ccd.UnsupportedError, match="type 37 with 8 nodes"):
        _elements.skin("x", CUBE, [_elements.Block(0, 37, np.arange(8)[None])])
    with pytest.raises(ccd.FileError, match="names node 8 of 8"):
        _elements.skin("x", CUBE, [_elements.Block(0, 9, np.array([[0, 1, 2, 8]]))])
    with pytest.raises(ccd.UnsupportedError, match="opposite corners are one node"):
        _elements.skin("x", CUBE, [_elements.Block(0, 9, np.array([[0, 1, 0, 2]]))])


def wall(kind):
    """Elements of a thin wall that is bent much more than it is thick: places and rows of nodes."""
    corners, means = KINDS[kind]
    one = np.array([*corners, *(np.mean([corners[v] for v in nodes], axis=0) for nodes in means)])
    flat = np.vstack([one + np.array([i, 0, 0]) for i in range(4)])
    radius, angle = 1 + 0.02 * flat[:, 2], 0.9 * flat[:, 0]
    x = np.column_stack([radius * np.cos(angle), flat[:, 1], radius * np.sin(angle)])
    return x, np.arange(len(x)).reshape(4, -1)


@pytest.mark.parametrize("kind", [21, *_elements._CURVED])
def test_nodes_in_the_order_of_another_program_are_refused(kind):
    """Elements that are bent by more than they are thick are read, in no order of nodes but their own."""
    if kind == 21:
        x, rows = np.array([[1, 0, 0], [-1, 0, 0], [0, 0.9, 0]], float), np.array([[0, 1, 2]])
    else:
        x, rows = wall(kind)
    _elements.skin("x", x, [_elements.Block(0, kind, rows)])
    for order in _orders._ORDERS[kind]:
        order = [*order, *range(len(order), rows.shape[1])]
        for wrong in (rows[:, order], rows[:, np.argsort(order)]):
            with pytest.raises(ccd.UnsupportedError, match="whoever wrote the file kept another order"):
                _elements.skin("x", x, [_elements.Block(0, kind, wrong)])


# ---- LS-DYNA


def d3plot(path, frames=FRAMES, **more):
    dyna = pytest.importorskip("lasso.dyna")
    plot = dyna.D3plot()
    arrays = {
        "node_coordinates": np.asarray(frames[0]), "node_displacement": np.array(frames),
        "timesteps": np.arange(len(frames)) / 4,
        "element_shell_node_indexes": np.array([[0, 1, 2, 2], [3, 4, 5, 5]]), "element_shell_part_indexes": np.array([0, 1]),
        "part_titles_ids": np.array([7, 9]), "part_titles": np.array([b"floor".ljust(72), b"tile".ljust(72)]),
        "part_ids": np.array([7, 9]), "part_ids_unordered": np.array([7, 9]), "part_ids_cross_references": np.array([1, 2]),
        "node_ids": np.arange(1, 7), "element_shell_ids": np.array([1, 2]),
    }  # fmt: skip
    plot.arrays.update(arrays | more)
    plot.write_d3plot(str(path))
    return str(path)


def test_d3plot_of_lasso(tmp_path, capsys):
    path = d3plot(tmp_path / "d3plot")
    from lasso.dyna import D3plot

    theirs = D3plot(path).arrays["node_displacement"]
    found = snapshots([path])
    assert [s.item.time for s in found] == [0, 0.25, 0.5, 0.75, 1.0] and len(theirs) == 5
    for k, snapshot in enumerate(found):
        assert np.array_equal(snapshot.x, theirs[k].astype(float)) and np.allclose(snapshot.x, FRAMES[k], atol=1e-6)
        assert snapshot.names == ["floor (7)", "tile (9)"] and drawn(snapshot.x, snapshot.faces) == drawn(snapshot.x, FACES)
    report = ccd.audit.files(path)
    assert [str(step.verdict) for step in report.steps] == RIGHT
    assert (report.steps[1].events[0].a, report.steps[1].events[0].b) == ("floor (7)", "tile (9)")
    assert any("single precision" in note for note in report.notes)
    off = found[0].off
    assert off >= np.sqrt(3) * np.spacing(np.float32(2)) / 2 and off < 1e-6
    code, out, _ = run(capsys, "check", path, "--frame", "2", "--json")
    assert code == 0 and "single precision" in " ".join(json.loads(out)["notes"])
    assert objects_of(capsys, path) == ["floor (7)"] * 3 + ["tile (9)"] * 3


def objects_of(capsys, path, *more):
    """The object of each vertex in the page that `ccd view` writes."""
    page = path + ".html"
    assert run(capsys, "view", path, *more, "-o", page)[0] in (0, 1)
    with open(page) as file:
        (part,) = data_of(file.read())["parts"]
    return [part["objects"]["names"][k] for k in unpack(part["objects"]["of"], "<u2", 1)[:, 0]]


def test_elements_that_erode_leave_and_their_step_is_not_proven(tmp_path):
    alive = np.ones((5, 2))
    alive[3:, 1] = 0
    path = d3plot(tmp_path / "d3plot", element_shell_is_alive=alive)
    report = ccd.audit.files(path)
    assert [str(step.verdict) for step in report.steps] == ["separate", "passed through", "not proven", "separate"]
    assert [len(s.faces) for s in snapshots([path])] == [2, 2, 2, 1, 1]


def test_d3plots_that_are_not_understood(tmp_path):
    path = d3plot(tmp_path / "d3plot")
    (tmp_path / "d3plot02").write_bytes((tmp_path / "d3plot").read_bytes())
    if (tmp_path / "d3plot01").exists():
        os.remove(tmp_path / "d3plot01")
    with pytest.raises(ccd.FileError, match="the file with number 1 that goes on from it is missing"):
        ccd.audit.files(path)
    os.remove(tmp_path / "d3plot02")
    path = d3plot(tmp_path / "d3plot")
    with pytest.raises(ccd.ArgumentError, match="says itself where its points are, as a d3plot does"):
        ccd.audit.files(path, displacement="u")
    whole = {one: one.read_bytes() for one in (tmp_path / "d3plot", tmp_path / "d3plot01")}
    for one, data in whole.items():
        used = len(data.rstrip(b"\0"))
        for length in range(100, used, 93):
            one.write_bytes(data[:length])
            if one.name == "d3plot":
                with pytest.raises(ccd.FileError, match="was cut off"):
                    ccd.audit.files(path)
                continue
            try:
                report = ccd.audit.files(path)
            except ccd.Error:
                continue
            assert any("its last state, which may not be whole, is left out" in note for note in report.notes)
            assert len(report.frames) < 5 and [str(step.verdict) for step in report.steps] == RIGHT[: len(report.steps)]
        one.write_bytes(data)
    assert verdicts(path) == RIGHT


# ---- Exodus


def exodus(
    path,
    frames=FRAMES,
    kind="f8",
    names=("DISPLX", "DISPLY", "DISPLZ"),
    blocks=(("TRI3", FACES[:1]), ("SHELL3", FACES[1:])),
    form="NETCDF4",
):
    netcdf = pytest.importorskip("netCDF4")
    with netcdf.Dataset(path, "w", format=form) as file:
        n = len(frames[0])
        file.api_version, file.version, file.floating_point_word_size = np.float32(5.22), np.float32(5.22), np.int32(8)
        file.file_size, file.title = np.int32(1), "a floor and a tile"
        for name, size in (
            ("len_string", 33),
            ("num_dim", 3),
            ("num_nodes", n),
            ("num_el_blk", len(blocks)),
            ("time_step", None),
            ("num_nod_var", 3),
        ):
            file.createDimension(name, size)
        for k, axis in enumerate("xyz"):
            file.createVariable(f"coord{axis}", kind, ("num_nodes",))[:] = np.asarray(frames[0])[:, k]
        file.createVariable("eb_prop1", "i4", ("num_el_blk",))[:] = [10 * (k + 1) for k in range(len(blocks))]
        names_of = file.createVariable("eb_names", "S1", ("num_el_blk", "len_string"))
        for k, name in enumerate(("floor", "tile part", "third")[: len(blocks)]):
            names_of[k] = np.frombuffer(name.encode().ljust(33, b"\0"), "S1")
        for k, (what, rows) in enumerate(blocks, 1):
            file.createDimension(f"num_el_in_blk{k}", len(rows))
            file.createDimension(f"num_nod_per_el{k}", len(rows[0]))
            table = file.createVariable(f"connect{k}", "i4", (f"num_el_in_blk{k}", f"num_nod_per_el{k}"))
            table[:] = np.asarray(rows) + 1
            table.elem_type = what
        file.createVariable("time_whole", "f8", ("time_step",))[:] = np.arange(len(frames)) / 2
        held = file.createVariable("name_nod_var", "S1", ("num_nod_var", "len_string"))
        for k, name in enumerate(names):
            held[k] = np.frombuffer(name.encode().ljust(33, b"\0"), "S1")
            file.createVariable(f"vals_nod_var{k + 1}", kind, ("time_step", "num_nodes"))[:] = [
                (np.asarray(x) - frames[0])[:, k] for x in frames
            ]
    return str(path)


@pytest.mark.parametrize("form", ["NETCDF4", "NETCDF3_64BIT_OFFSET", "NETCDF3_CLASSIC"])
def test_exodus_is_displaced_once_and_only_by_name(form, tmp_path, capsys):
    path = exodus(tmp_path / "run.exo", form=form)
    with pytest.raises(ccd.ArgumentError, match=r"--displacement DISPL\)"):
        ccd.audit.files(path)
    report = ccd.audit.files(path, displacement="DISPL")
    assert [str(step.verdict) for step in report.steps] == RIGHT and not any("precision" in note for note in report.notes)
    assert report.steps[1].events[0].a == "floor (10)" and report.steps[1].events[0].b == "tile part (20)"
    for k, snapshot in enumerate(snapshots([path], displacement="DISPL")):
        assert np.array_equal(snapshot.x, FRAMES[0] + MOVED[k]) and snapshot.item.time == k / 2
    with pytest.raises(ccd.ArgumentError, match="has no vectors 'disp': it has DISPL"):
        ccd.audit.files(path, displacement="disp")
    assert objects_of(capsys, path, "--displacement", "DISPL") == ["floor (10)"] * 3 + ["tile part (20)"] * 3


def test_exodus_as_vtk_reads_it(tmp_path):
    module = pytest.importorskip("vtkmodules.vtkIOExodus")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    path = exodus(tmp_path / "run.e", form="NETCDF3_64BIT_OFFSET", names=("disp_x", "disp_y", "disp_z"))
    reader = module.vtkExodusIIReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    reader.SetAllArrayStatus(reader.NODAL, 1)
    for applied in (1, 0):
        reader.SetApplyDisplacements(applied)
        for k, snapshot in enumerate(snapshots([path], displacement="disp")):
            reader.SetTimeStep(k)
            reader.UpdateTimeStep(k / 2)
            blocks = reader.GetOutput().GetBlock(0)
            theirs = np.vstack([vtk_to_numpy(blocks.GetBlock(b).GetPoints().GetData()) for b in range(2)])
            assert np.allclose(theirs, snapshot.x if applied else FRAMES[0], atol=1e-6)


def test_exodus_in_single_precision_says_so(tmp_path):
    path = exodus(tmp_path / "run.ex2", kind="f4")
    report = ccd.audit.files(path, displacement="DISPL")
    assert any("single precision" in note for note in report.notes)
    found = snapshots([path], displacement="DISPL")[3]
    assert found.off >= np.linalg.norm(found.x - FRAMES[3], axis=1).max() and found.off < 2e-6


def test_exodus_that_is_not_understood(tmp_path):
    netcdf = pytest.importorskip("netCDF4")
    path = exodus(tmp_path / "run.exo", blocks=(("NFACED", FACES), ("SPHERE", [[0]])))
    with pytest.raises(ccd.UnsupportedError, match="'nfaced' of 3 nodes"):
        ccd.audit.files(path)
    path = exodus(tmp_path / "part.exo")
    with netcdf.Dataset(path, "a") as file:
        file.createDimension("num_processors", 4)
    with pytest.raises(ccd.UnsupportedError, match="one part of a result in 4 parts"):
        ccd.audit.files(path)
    with netcdf.Dataset(tmp_path / "other.exo", "w"):
        pass
    with pytest.raises(ccd.FileError, match="no Exodus"):
        ccd.audit.files(str(tmp_path / "other.exo"))


LONG_FORMS = [pytest.param(form, marks=pytest.mark.long) for form in ("NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA")]


@pytest.mark.parametrize("form", ["NETCDF3_CLASSIC", *LONG_FORMS])
def test_exodus_that_ends_early_is_refused_at_every_byte(form, tmp_path):
    netcdf = pytest.importorskip("netCDF4")
    whole = Path(exodus(tmp_path / "run.e", form=form)).read_bytes()
    short = tmp_path / "short.e"
    silent = 0
    for size in {len(whole) - 1, len(whole) - 8, *range(4, len(whole), 97)}:
        short.write_bytes(whole[:size])
        with pytest.raises(ccd.FileError, match=r"ends early|cut off"):
            ccd.audit.files(str(short), displacement="DISPL")
        with contextlib.suppress(OSError), netcdf.Dataset(short) as file:
            silent += "vals_nod_var3" in file.variables and file["vals_nod_var3"][:].size > 0
    assert silent > 0  # the library itself reads zeros


@pytest.mark.parametrize("form", ["NETCDF4", "NETCDF3_CLASSIC"])
def test_displacements_that_were_never_written_are_none(form, tmp_path):
    netcdf = pytest.importorskip("netCDF4")
    path = exodus(tmp_path / "run.e", form=form)
    with netcdf.Dataset(path, "a") as file:
        for k in (1, 2):
            file[f"vals_nod_var{k}"][5] = np.zeros(6)
        file["time_whole"][5] = 2.5
    with pytest.raises(ccd.FileError, match="DISPLZ of node 1 was not written in step 5"):
        ccd.audit.files(path, displacement="DISPL")


def test_files_that_go_on_from_an_exodus_are_named(tmp_path):
    path = exodus(tmp_path / "run.e")
    for number in (2, 3):
        exodus(tmp_path / f"run.e-s00{number}")
    report = ccd.audit.files(path, displacement="DISPL")
    assert any("2 files go on from it with other meshes, run.e-s002 first" in note for note in report.notes)
    assert verdicts(str(tmp_path / "run.e-s003"), displacement="DISPL") == RIGHT


# ---- CalculiX


def frd(path, frames=FRAMES, kinds=(7, 7), rows=FACES, kind=1, skipped=(), name="DISP", more=""):
    """An FRD as ccx writes it: ids from 101 on, and elements of CalculiX's own types."""

    def numbers(p):
        return "".join(f"{float(c):12.5E}" for c in p)

    lines = ["    1C", "    2C" + f"{len(frames[0]):30d}" + " " * 37 + "1"]
    lines += [f" -1{101 + i:10d}{numbers(p)}" for i, p in enumerate(frames[0])] + [" -3"]
    lines += ["    3C" + f"{len(rows):30d}" + " " * 37 + "1"]
    for i, (what, row) in enumerate(zip(kinds, rows)):
        lines += [f" -1{i + 1:10d}{what:5d}    0    1"]
        ids = [f"{101 + node:10d}" for node in row]
        lines += [" -2" + "".join(ids[k : k + 10]) for k in range(0, len(ids), 10)]
    lines += [" -3"]
    for k, x in enumerate(frames[1:], 1):
        head = f"  100CL{100 + k:5d}{k / 2:12.5E}{len(x):12d}" + " " * 20 + f"{kind:2d}{k:5d}" + " " * 10 + f"{1:2d}"
        lines += [*more.splitlines(), head, f" -4  {name:8s}    4    1"]
        lines += [f" -5  {part:8s}    1    2    {i}    0" for i, part in enumerate(("D1", "D2", "D3"), 1)]
        lines += [" -5  ALL         1    2    0    0    1ALL"]
        lines += [f" -1{101 + i:10d}{numbers(p)}" for i, p in enumerate(x - frames[0]) if i not in skipped] + [" -3"]
    path.write_text("\n".join([*lines, " 9999"]) + "\n")
    return str(path)


def test_frd_says_what_six_digits_are_worth(tmp_path, capsys):
    path = frd(tmp_path / "job.frd")
    report = ccd.audit.files(path)
    assert [str(step.verdict) for step in report.steps] == RIGHT
    assert [frame.name for frame in report.frames] == [f"job.frd[{k}]" for k in range(5)]
    assert any("positions are in text of six digits" in note and "--rounding" in note for note in report.notes)
    for x, snapshot in zip(FRAMES, snapshots([path])):
        assert np.abs(snapshot.x - x).max() <= snapshot.off / np.sqrt(3) and snapshot.off < 1e-3


def test_rounding_of_frd_covers_what_was_rounded(tmp_path):
    """Random positions: the distance between what was written and what is read is within the radius that is stated."""
    rng = np.random.default_rng(7)
    for scale in (1e-3, 1.0, 1e4):
        start = scale * rng.uniform(-1, 1, (6, 3))
        frames = [start, start + 0.3 * scale * rng.uniform(-1, 1, (6, 3))]
        found = snapshots([frd(tmp_path / "r.frd", frames)])
        for x, snapshot in zip(frames, found):
            assert np.linalg.norm(snapshot.x - x, axis=1).max() <= min(snapshot.off, found[0].off)  # the first counts


def test_frd_that_is_no_motion(tmp_path):
    with pytest.raises(ccd.UnsupportedError, match="has modes"):
        ccd.audit.files(frd(tmp_path / "a.frd", kind=2))
    with pytest.raises(ccd.UnsupportedError, match="has modes"):
        ccd.audit.files(frd(tmp_path / "b.frd", more="    1PMODE                     1"))
    with pytest.raises(ccd.UnsupportedError, match="complex displacements"):
        ccd.audit.files(frd(tmp_path / "c.frd", name="DISPI"))
    with pytest.raises(ccd.FileError, match="has no displacements"):
        ccd.audit.files(frd(tmp_path / "d.frd", name="STRESS"))
    path = frd(tmp_path / "e.frd")
    text = (tmp_path / "e.frd").read_text()
    (tmp_path / "e.frd").write_text(text[: len(text) // 2])
    with pytest.raises(ccd.FileError, match="without an end"):
        ccd.audit.files(path)
    path = frd(tmp_path / "f.frd", skipped=(4,))
    assert [len(s.faces) for s in snapshots([path])] == [1] * 5


# ---- OpenFOAM


def foam(folder, precision=12, form="ascii"):
    """A box whose inner box moves: patches floor and tile, with the faces of two tetrahedra."""
    foamlib = pytest.importorskip("foamlib")
    mesh = folder / "constant" / "polyMesh"
    mesh.mkdir(parents=True)
    (folder / "system").mkdir()

    def header(path, kind):
        path.write_text(f"FoamFile {{ version 2.0; format {form}; class {kind}; object {path.name}; }}\n")
        return foamlib.FoamFile(path)

    control = folder / "system" / "controlDict"
    control.write_text(
        "FoamFile { version 2.0; format ascii; class dictionary; object controlDict; }\n"
        f"writeFormat {form};\nwritePrecision {precision};\n"
    )
    (mesh / "faces").write_text(
        "FoamFile { version 2.0; format ascii; class faceList; object faces; }\n"
        "4\n(\n3(0 1 2)\n3(3 4 5)\n5(0 1 2 3 4)\n4(0 1 2 3)\n)\n"
    )
    (mesh / "boundary").write_text(
        "FoamFile { version 2.0; format ascii; class polyBoundaryMesh; object boundary; }\n"
        "3\n(\nfloor { type wall; nFaces 1; startFace 0; }\ntile { type patch; nFaces 1; startFace 1; }\n"
        "sides { type empty; nFaces 2; startFace 2; }\n)\n"
    )
    for k, x in enumerate(FRAMES):
        at = mesh if k == 0 else folder / f"{k / 2:g}" / "polyMesh"
        at.mkdir(parents=True, exist_ok=True)
        header(at / "points", "vectorField")[None] = x if form == "binary" else np.round(x, precision)
    (folder / "0.orig").mkdir()
    (folder / "0").mkdir()
    return str(folder)


@pytest.mark.parametrize("form", ["ascii", "binary"])
def test_moving_meshes_of_openfoam(form, tmp_path, capsys):
    foamlib = pytest.importorskip("foamlib")
    path = foam(tmp_path / "case", form=form)
    report = ccd.audit.files(path)
    assert [str(step.verdict) for step in report.steps] == RIGHT
    assert [frame.time for frame in report.frames] == [0, 0.5, 1, 1.5, 2]
    assert (report.steps[1].events[0].a, report.steps[1].events[0].b) == ("floor", "tile")
    assert any("type empty are left out" in note for note in report.notes)
    for k, snapshot in enumerate(snapshots([path])):
        folder = tmp_path / "case" / ("constant" if k == 0 else f"{k / 2:g}") / "polyMesh" / "points"
        assert np.array_equal(snapshot.x, np.asarray(foamlib.FoamFile(folder)[None])) and np.allclose(snapshot.x, FRAMES[k])
    (tmp_path / "case" / "run.foam").write_text("")
    assert verdicts(str(tmp_path / "case" / "run.foam")) == RIGHT
    shutil.rmtree(tmp_path / "case" / "1" / "polyMesh")  # a time without points has those before
    assert [str(step.verdict) for step in ccd.audit.files(path).steps] == ["separate", "separate", "passed through", "separate"]
    code, _, _ = run(capsys, "check", path, "--frame", 3)
    assert code == 0


def test_a_case_without_a_folder_0_begins_at_its_first_time(tmp_path):
    """The mesh of constant is no frame there, and a note says so: nothing tells its time."""
    path = foam(tmp_path / "case")
    (tmp_path / "case" / "0").rmdir()
    report = ccd.audit.files(path)
    assert [frame.time for frame in report.frames] == [0.5, 1, 1.5, 2]
    assert [str(step.verdict) for step in report.steps] == RIGHT[1:]
    assert any("begins at time 0.5: without a folder 0 the mesh of constant is no frame" in note for note in report.notes)


def test_digits_of_openfoam_are_stated(tmp_path):
    path = foam(tmp_path / "case", precision=6)
    assert any("in text of 6 digits (writePrecision)" in note for note in ccd.audit.files(path).notes)
    os.rename(tmp_path / "case" / "constant" / "polyMesh", tmp_path / "polyMesh")
    (tmp_path / "case" / "processor0").mkdir()
    with pytest.raises(ccd.UnsupportedError, match="reconstructPar"):
        ccd.audit.files(path)
    os.rename(tmp_path / "polyMesh", tmp_path / "case" / "constant" / "polyMesh")
    assert len(ccd.audit.files(path).frames) == 5
    (tmp_path / "case" / "processor0" / "2.5").mkdir()
    with pytest.raises(ccd.UnsupportedError, match=r"in parts for processors alone \(2\.5\)"):
        ccd.audit.files(path)


CUBE_OF_FOAM = """FoamFile {{ version 2.0; format ascii; class dictionary; object x; }}
scale 0.1; vertices ((0 0 0)(1 0 0)(1 1 0)(0 1 0)(0 0 1)(1 0 1)(1 1 1)(0 1 1));
blocks (hex (0 1 2 3 4 5 6 7) (3 2 4) simpleGrading (2 1 1)); edges (); mergePatchPairs ();
boundary (low {{ type wall; faces ((0 3 2 1)); }} high {{ type patch; faces ((4 5 6 7)); }}
sides {{ type wall; faces ((0 4 7 3)(1 2 6 5)(0 1 5 4)(3 7 6 2)); }});
application moveDynamicMesh; startFrom startTime; startTime 0; stopAt endTime; endTime 1; deltaT 0.25; writeControl timeStep;
writeInterval 1; writeFormat {form}; writePrecision 16; writeCompression {packed}; timeFormat general; timePrecision 6;
dynamicFvMesh dynamicMotionSolverFvMesh; motionSolverLibs (fvMotionSolvers); motionSolver solidBody; solver solidBody;
solidBodyMotionFunction linearMotion; linearMotionCoeffs {{ velocity (0.3 0 0.1); }}
solidBodyCoeffs {{ solidBodyMotionFunction linearMotion; linearMotionCoeffs {{ velocity (0.3 0 0.1); }} }}
ddtSchemes {{ default Euler; }} gradSchemes {{ default Gauss linear; }} divSchemes {{ default none; }} PIMPLE {{ }}
laplacianSchemes {{ default none; }} interpolationSchemes {{ default linear; }} snGradSchemes {{ default corrected; }}
"""


@pytest.mark.skipif(not shutil.which("moveDynamicMesh"), reason="OpenFOAM is not installed")
@pytest.mark.parametrize(("form", "packed"), [("ascii", "off"), ("binary", "on")])
def test_meshes_that_openfoam_moves(form, packed, tmp_path):
    pytest.importorskip("foamlib")
    for name in (
        "system/controlDict",
        "system/fvSchemes",
        "system/fvSolution",
        "system/blockMeshDict",
        "constant/dynamicMeshDict",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(CUBE_OF_FOAM.format(form=form, packed=packed))
    (tmp_path / "0").mkdir()
    for program in ("blockMesh", "moveDynamicMesh"):
        subprocess.run([program, "-case", str(tmp_path)], check=True, capture_output=True)
    found = snapshots([str(tmp_path)])
    assert [one.item.time for one in found] == [0, 0.25, 0.5, 0.75, 1] and found[0].names == ["low", "high", "sides"]
    corners = found[0].x[found[0].faces]
    assert np.einsum("ij,ij", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6 == pytest.approx(1e-3)
    for one in found:
        assert np.allclose(one.x, found[0].x + one.item.time * np.array([0.3, 0, 0.1]), rtol=0, atol=1e-14)
