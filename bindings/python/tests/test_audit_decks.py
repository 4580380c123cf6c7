"""Nastran, EnSight, CGNS and Abaqus: places of nodes are those that the writing libraries have, orders those of Gmsh."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_audit_files import FRAMES, RIGHT, verdicts
from test_audit_formats import snapshots
from test_audit_solvers import CUBE as CUBE_
from test_audit_solvers import FACES, MOVED, drawn, run

import ccd


def nastran(name):
    """A module of pyNastran, which asks for a NumPy that still has in1d."""
    if not hasattr(np, "in1d"):
        np.in1d = np.isin
    return pytest.importorskip(name)


# ---- Nastran


def deck(path, x=FRAMES[0], cp=0, cd=0, punch=False):
    """Two triangles of two properties, by pyNastran."""
    bdf = nastran("pyNastran.bdf.bdf")
    model = bdf.BDF(debug=None)
    model.add_cord2c(5, [1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [1.0, 3.0, 3.0])
    model.add_cord2s(6, [0.5, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, 0.0, 1.0])
    model.add_cord2r(7, [0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 2.0])
    for i, p in enumerate(x):
        model.add_grid(11 + i, p, cp=cp, cd=cd)
    model.add_spoint([90, 91])
    for k, (pid, row) in enumerate(((3, FACES[0]), (4, FACES[1]))):
        model.add_ctria3(k + 1, pid, [11 + int(i) for i in row])
        model.add_pshell(pid, 1, 0.1)
    model.add_mat1(1, 1.0, None, 0.3)
    model.punch = punch
    if not punch:
        from pyNastran.bdf.case_control_deck import CaseControlDeck

        model.sol, model.case_control_deck = 109, CaseControlDeck(["DISP = ALL"])
    model.write_bdf(str(path), size=16, is_double=True)
    return str(path)


@pytest.mark.parametrize("cp", [0, 5, 6, 7])
def test_grid_points_are_where_pynastran_has_them(cp, tmp_path):
    bdf = nastran("pyNastran.bdf.bdf")
    x = np.abs(FRAMES[0]) + 0.25
    if cp in (5, 6):
        x = np.column_stack([x[:, 0], 40 * x[:, 1], 50 * x[:, 2]])
    path = deck(tmp_path / "a.bdf", x, cp=cp, punch=cp == 5)
    model = bdf.read_bdf(path, debug=None, punch=cp == 5)
    (found,) = snapshots([path])
    theirs = np.array([model.nodes[i].get_position() for i in sorted(model.nodes)])
    assert np.allclose(found.x, theirs, atol=1e-14) and found.names == ["PSHELL 3", "PSHELL 4"]
    assert drawn(found.x, found.faces) == drawn(found.x, FACES)


def test_decks_are_frames(tmp_path):
    paths = [deck(tmp_path / f"f{k}.bdf", x) for k, x in enumerate(FRAMES)]
    report = ccd.audit.files(str(tmp_path / "f*.bdf"))
    assert [str(step.verdict) for step in report.steps] == RIGHT and report.steps[1].events[0].a == "PSHELL 3"
    assert np.allclose(snapshots(paths)[3].x, FRAMES[3], atol=1e-15)
    with pytest.raises(ccd.ArgumentError, match="is an input deck"):
        ccd.audit.files(paths, displacement="u")


def op2(path, frames, basic=False, code="transient", points=6):
    """An OP2 of a transient, by pyNastran; scalar points are among the rows."""
    nastran("pyNastran.op2.op2")
    from pyNastran.op2.op2 import OP2
    from pyNastran.op2.tables.oug.oug_displacements import RealDisplacementArray

    ids = np.array([[11 + i, 1] for i in range(points)] + [[90, 2], [91, 2]], np.int32)
    data = np.zeros((len(frames), len(ids), 6), np.float32)
    data[:, :points, :3] = np.array(frames)[:, :points]
    table = "BOUGV1" if basic else "OUGV1"
    times = np.arange(len(frames), dtype=np.float32) / 4
    if code == "transient":
        made = RealDisplacementArray.add_transient_case(table, ids, data, 1, times)
    else:
        modes = np.arange(1, len(frames) + 1)
        made = RealDisplacementArray.add_modal_case(table, ids, data, 1, modes, modes * 1.0, modes * 1.0)
    model = OP2(debug=None)
    model.set_as_msc()
    model.displacements[1] = made
    model.write_op2(str(path), nastran_format="msc")
    return str(path)


@pytest.mark.parametrize(("cd", "basic"), [(0, False), (5, False), (6, False), (7, False), (5, True)])
def test_displacements_of_op2_are_turned_by_ids(cd, basic, tmp_path):
    bdf = nastran("pyNastran.bdf.bdf")
    mesh = deck(tmp_path / "a.bdf", cd=cd)
    model = bdf.read_bdf(mesh, debug=None)
    coord, given = model.coords[cd], []
    for k in range(5):
        rows = []
        for p, u in zip(FRAMES[0], MOVED[k]):
            if cd == 0 or basic:
                rows.append(u)
                continue
            local = coord.transform_node_to_local(p)  # the directions there, by differences of places
            axes = [
                coord.transform_node_to_global(local + h) - coord.transform_node_to_global(local - h) for h in np.eye(3) * 1e-4
            ]
            rows.append([u @ (a / np.linalg.norm(a)) if np.linalg.norm(a) > 1e-12 else 0.0 for a in axes])
        given.append(rows)
    path = op2(tmp_path / "a.op2", given, basic)
    for k, snapshot in enumerate(snapshots([path], mesh)):
        assert np.abs(snapshot.x - FRAMES[k]).max() < 2e-6 and snapshot.item.time == k / 4
        assert snapshot.off > 0
    report = ccd.audit.files(path, mesh=mesh)
    assert [str(step.verdict) for step in report.steps] == RIGHT
    assert any("2 scalar and other points are left out" in note for note in report.notes)
    assert any("single precision" in note for note in report.notes)


def test_op2_that_is_no_motion(tmp_path):
    mesh = deck(tmp_path / "a.bdf")
    path = op2(tmp_path / "a.op2", MOVED)
    with pytest.raises(ccd.ArgumentError, match="holds no mesh"):
        ccd.audit.files(path)
    with pytest.raises(ccd.UnsupportedError, match="modes"):
        ccd.audit.files(op2(tmp_path / "m.op2", MOVED, code="modal"), mesh=mesh)
    few = op2(tmp_path / "few.op2", MOVED, points=4)
    assert [len(s.faces) for s in snapshots([few], mesh)] == [1] * 5


def test_a_package_that_fails_when_it_is_imported_is_named(tmp_path, monkeypatch):
    from ccd.audit import _packages

    def fails(name):
        raise AttributeError("module 'numpy' has no attribute 'in1d'")

    monkeypatch.setattr(_packages.importlib, "import_module", fails)
    with pytest.raises(ccd.UnsupportedError, match=r"needs pyNastran, which fails when it is imported: .* no attribute 'in1d'"):
        _packages.package("pyNastran.bdf.bdf", str(tmp_path / "a.bdf"), "pyNastran")


SHEET = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,0.,1.,0.\nPSHELL,1,1,.1\nMAT1,1,1.,,.3\n"


def test_pynastran_is_read_beside_any_numpy_which_stays_as_it_is(tmp_path, monkeypatch):
    pytest.importorskip("cpylog")  # without which pyNastran is not there
    monkeypatch.delattr(np, "in1d", raising=False)
    (tmp_path / "a.bdf").write_text(SHEET + "CTRIA3,1,1,1,2,3\n")
    assert snapshots([str(tmp_path / "a.bdf")])[0].x.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert not hasattr(np, "in1d")


def test_systems_that_pynastran_does_not_give_to_grid_points_are_refused(tmp_path):
    nastran("pyNastran.bdf.bdf")
    system = "CORD2C,5,,1.,2.,3.,1.,2.,4.\n,1.,3.,3.\n"
    for number, card in enumerate(("GRDSET,,5", "GRDSET,,,,,,5")):
        path = tmp_path / f"{number}.bdf"
        path.write_text(f"{card}\n{system}{SHEET}CTRIA3,1,1,1,2,3\n")
        with pytest.raises(ccd.UnsupportedError, match="GRDSET with a coordinate system, which pyNastran"):
            snapshots([str(path)])


def test_cards_that_pynastran_does_not_know_are_named(tmp_path):
    """meshio writes CTETRA_ and CHEXA_ for elements of order 2, which pyNastran leaves out and says nothing."""
    nastran("pyNastran.bdf.bdf")
    path = tmp_path / "a.bdf"
    for card, why in (("CTETRA_", r": is it CTETRA\? meshio 5.3.5 writes CTETRA_"), ("CQUAD9", "$")):
        path.write_text(f"{SHEET}CTRIA3,1,1,1,2,3\n{card},2,1,1,2,3,4\n")
        with pytest.raises(ccd.UnsupportedError, match=f"1 elements {card}, which pyNastran does not know{why}"):
            snapshots([str(path)])
    path.write_text(f"{SHEET}CTRIA3,1,1,1,2,3\nCFOO,2,1,1,2,3,4\n")
    assert any("1 cards CFOO are unknown to pyNastran, and left out" in note for note in ccd.audit.files(path).notes)


def test_offsets_of_beams_and_shells_are_named(tmp_path):
    nastran("pyNastran.bdf.bdf")
    path = tmp_path / "a.bdf"
    bars = "CBAR,2,2,1,2,0.,0.,1.\n,,,0.,0.,.5,0.,0.,.5\nCBAR,3,2,1,3,0.,0.,1.\nPBAR,2,1,1.,1.,1.\n"
    path.write_text(f"{SHEET}CTRIA3,1,1,1,2,3,,0.5\n{bars}")
    assert any("2 beams or shells have offsets" in note for note in ccd.audit.files(path).notes)


# ---- EnSight


def ensight(folder, frames=FRAMES, ids="assign", moving=True, more=""):
    """A case of EnSight Gold as text: two parts, whose geometry or whose displacement changes."""
    folder.mkdir(exist_ok=True)

    def geometry(x):
        lines = ["a description", "and another", f"node id {ids}", "element id assign"]
        for k, name in enumerate(("floor", "tile")):
            rows = x[3 * k : 3 * k + 3]
            lines += ["part", f"{k + 1:10d}", name, "coordinates", f"{len(rows):10d}"]
            lines += [f"{c:12.5e}" for axis in range(3) for c in rows[:, axis]]
            lines += ["tria3", f"{1:10d}", "".join(f"{n:10d}" for n in (1, 2, 3))]
        return "\n".join(lines) + "\n"

    def vectors(u):
        lines = ["displacement"]
        for k in range(2):
            lines += [
                "part",
                f"{k + 1:10d}",
                "coordinates",
                *(f"{c:12.5e}" for axis in range(3) for c in u[3 * k : 3 * k + 3, axis]),
            ]
        return "\n".join(lines) + "\n"

    for k, x in enumerate(frames):
        (folder / f"geo{k:04d}").write_text(geometry(x if moving else frames[0]))
        (folder / f"disp{k:04d}").write_text(vectors(x - frames[0]))
    values = "\n".join(f"{k / 2:g}" for k in range(len(frames)))
    (folder / "run.case").write_text(
        f"FORMAT\ntype: ensight gold\n\nGEOMETRY\nmodel: 1 geo****{more}\n\nVARIABLE\nvector per node: 1 shift disp****\n\n"
        f"TIME\ntime set: 1\nnumber of steps: {len(frames)}\nfilename start number: 0\nfilename increment: 1\n"
        f"time values:\n{values}\n"
    )
    return str(folder / "run.case")


def test_ensight_gold(tmp_path):
    pytest.importorskip("vtkmodules.vtkIOEnSight")
    path = ensight(tmp_path / "case")
    report = ccd.audit.files(path)
    assert [str(step.verdict) for step in report.steps] == RIGHT and [frame.time for frame in report.frames] == [
        0,
        0.5,
        1,
        1.5,
        2,
    ]
    assert (report.steps[1].events[0].a, report.steps[1].events[0].b) == ("floor", "tile")
    assert any("six digits" in note for note in report.notes)
    for x, snapshot in zip(FRAMES, snapshots([path])):
        assert np.linalg.norm(snapshot.x - x, axis=1).max() <= snapshot.off
    back = snapshots([path])
    assert np.array_equal(back[3].x, snapshots([path])[3].x)
    still = ensight(tmp_path / "still", moving=False)
    with pytest.raises(ccd.ArgumentError, match="--displacement shift"):
        ccd.audit.files(still)
    assert verdicts(still, displacement="shift") == RIGHT
    with pytest.raises(ccd.UnsupportedError, match="change_coords_only"):
        ccd.audit.files(ensight(tmp_path / "only", more=" change_coords_only"))


STEPS = """FORMAT
type: ensight gold
GEOMETRY
model: 1 g*.geo
VARIABLE
vector per node: {set} shift v*.txt
TIME
time set: 1
number of steps: 2
filename start number: 0
filename increment: 1
time values: {first}
time set: 2
number of steps: {count}
filename start number: 0
filename increment: 1
time values: {second}
"""


def one_part(folder, frames, ids, **steps):
    """A case of one part of two triangles, with ids of nodes as given for each step."""
    folder.mkdir(exist_ok=True)
    rows = {int(i): k for k, i in enumerate(ids[0])}
    for step, (x, known) in enumerate(zip(frames, ids)):
        order = [rows.get(i, k) for k, i in enumerate(known)]
        place = {row: k + 1 for k, row in enumerate(order)}
        lines = ["a", "b", "node id given", "element id assign", "part", f"{1:10d}", "body", "coordinates", f"{len(x):10d}"]
        lines += [f"{i:10d}" for i in known] + [f"{c:12.5e}" for axis in range(3) for c in x[order, axis]]
        lines += ["tria3", f"{2:10d}", *("".join(f"{place[n]:10d}" for n in row) for row in FACES.tolist())]
        (folder / f"g{step}.geo").write_text("\n".join(lines) + "\n")
    for step in range(3):
        values = "".join(f"{0:12.5e}\n" for _ in range(3 * len(frames[0])))
        (folder / f"v{step}.txt").write_text(f"shift\npart\n{1:10d}\ncoordinates\n{values}")
    given = {"set": 1, "first": "0 1", "count": 2, "second": "0 1"} | steps
    (folder / "run.case").write_text(STEPS.format(**given))
    return str(folder / "run.case")


def test_nodes_of_ensight_are_paired_by_their_ids(tmp_path):
    """VTK gives them in the order of each step."""
    pytest.importorskip("vtkmodules.vtkIOEnSight")
    ids = [[10, 20, 30, 40, 50, 60], [30, 10, 60, 20, 50, 40]]
    found = snapshots([one_part(tmp_path / "a", FRAMES[1:3], ids)])
    for x, one in zip(FRAMES[1:3], found):
        assert np.abs(one.x - x).max() <= one.off and drawn(one.x, one.faces) == drawn(one.x, FACES)
    assert not found[1].differs(found[0])
    changed = one_part(tmp_path / "b", FRAMES[1:3], [ids[0], [*ids[0][:5], 70]])
    report = ccd.audit.files(changed)
    assert [str(step.verdict) for step in report.steps] == ["not proven"]
    assert "other nodes, by their ids" in report.steps[0].note


def test_time_sets_of_ensight(tmp_path):
    """VTK holds the geometry of one set at the times of another, which no step has."""
    pytest.importorskip("vtkmodules.vtkIOEnSight")
    ids = [[1, 2, 3, 4, 5, 6]] * 2
    frames = FRAMES[1:3]
    with pytest.raises(ccd.UnsupportedError, match="time sets of other times"):
        snapshots([one_part(tmp_path / "a", frames, ids, set=2, count=3, second="0 0.5 1")])
    with pytest.raises(ccd.FileError, match="times of its steps do not ascend"):
        snapshots([one_part(tmp_path / "a", frames, ids, first="0.5 0.5", second="0.5 0.5")])
    alike = snapshots([one_part(tmp_path / "a", frames, ids, first="0\n1", set=2, second="0 1")])
    assert [one.item.time for one in alike] == [0, 1] and np.abs(alike[1].x - frames[1]).max() <= alike[1].off


def test_decks_with_other_nodes_are_not_paired_by_rows(tmp_path):
    deck = "*NODE\n{}, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n*ELEMENT, TYPE=S3\n1, {}, 2, 3\n"
    paths = [str(tmp_path / f"{k}.inp") for k in range(2)]
    for path, number in zip(paths, (1, 0)):
        Path(path).write_text(deck.format(number, number))
    (step,) = ccd.audit.files(paths).steps
    assert str(step.verdict) == "not proven" and "other nodes, by their ids" in step.note


# ---- CGNS


def node(parent, name, label, data=None):
    """A node of CGNS in HDF5."""
    group = parent.create_group(name)
    group.attrs["label"], group.attrs["name"] = np.bytes_(label), np.bytes_(name)
    group.attrs["type"] = np.bytes_("MT" if data is None else "C1" if data.dtype == np.int8 else "R8")
    if data is not None:
        group.create_dataset(" data", data=data)
    return group


def letters(text):
    return np.frombuffer(text.encode(), np.int8)


def cgns(path, frames=FRAMES, motion=None, pointers=True, kind=np.float64):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        base = node(file, "Base", "CGNSBase_t", np.array([2, 3]))
        steps = node(base, "Steps", "BaseIterativeData_t", np.array([len(frames)]))
        node(steps, "TimeValues", "DataArray_t", np.arange(len(frames)) / 2)
        for k, name in enumerate(("floor", "tile")):
            zone = node(base, name, "Zone_t", np.array([[3], [1], [0]]))
            node(zone, "ZoneType", "ZoneType_t", letters("Unstructured"))
            names = [f"Grid{s}" if s else "GridCoordinates" for s in range(len(frames))]
            for step, x in enumerate(frames):
                grid = node(zone, names[step], "GridCoordinates_t")
                for axis, letter in enumerate("XYZ"):
                    node(grid, f"Coordinate{letter}", "DataArray_t", np.asarray(x)[3 * k : 3 * k + 3, axis].astype(kind))
            section = node(zone, "Elements", "Elements_t", np.array([5, 0]))
            node(section, "ElementRange", "IndexRange_t", np.array([1, 1]))
            node(section, "ElementConnectivity", "DataArray_t", np.array([1, 2, 3]))
            if pointers:
                held = node(zone, "ZoneIterativeData", "ZoneIterativeData_t")
                node(
                    held, "GridCoordinatesPointers", "DataArray_t", letters("".join(n.ljust(32) for n in names)).reshape(-1, 32)
                )
            if motion:
                node(zone, "Turning", motion)
    return str(path)


def test_cgns_whose_grids_are_named(tmp_path):
    path = cgns(tmp_path / "run.cgns")
    report = ccd.audit.files(path)
    assert [str(step.verdict) for step in report.steps] == RIGHT
    assert (report.steps[1].events[0].a, report.steps[1].events[0].b) == ("floor", "tile")
    for k, snapshot in enumerate(snapshots([path])):
        assert np.array_equal(snapshot.x, FRAMES[k]) and snapshot.item.time == k / 2 and not snapshot.off
    assert snapshots([cgns(tmp_path / "s.cgns", kind=np.float32)])[0].off > 0


@pytest.mark.parametrize("motion", ["RigidGridMotion_t", "ArbitraryGridMotion_t"])
def test_motions_of_cgns_that_are_not_understood(motion, tmp_path):
    with pytest.raises(ccd.UnsupportedError, match=f"moves by Turning .{motion}."):
        ccd.audit.files(cgns(tmp_path / "a.cgns", motion=motion))
    with pytest.raises(ccd.UnsupportedError, match="5 grids and no GridCoordinatesPointers"):
        ccd.audit.files(cgns(tmp_path / "b.cgns", pointers=False))


def linked(parent, name, file, place):
    """A link of CGNS to a node of another file, as its library writes it."""
    group = parent.create_group(name)
    group.attrs["name"], group.attrs["label"], group.attrs["type"] = np.bytes_(name), np.bytes_(""), np.bytes_("LK")
    group[" file"], group[" path"] = letters(f"{file}\0"), letters(f"{place}\0")
    group[" link"] = pytest.importorskip("h5py").ExternalLink(file, place)


def test_links_of_cgns_are_followed(tmp_path):
    h5py = pytest.importorskip("h5py")
    cgns(tmp_path / "grid.cgns")
    whole = snapshots([str(tmp_path / "grid.cgns")])
    with h5py.File(tmp_path / "run.cgns", "w") as file:
        base = node(file, "Base", "CGNSBase_t", np.array([2, 3]))
        linked(base, "Steps", "grid.cgns", "/Base/Steps")
        linked(base, "floor", "grid.cgns", "/Base/floor")
        zone = node(base, "other", "Zone_t", np.array([[3], [1], [0]]))
        node(zone, "ZoneType", "ZoneType_t", letters("Unstructured"))
        for name in ["GridCoordinates", *(f"Grid{k}" for k in range(1, 5)), "Elements", "ZoneIterativeData"]:
            linked(zone, name, "grid.cgns", f"/Base/tile/{name}")
    found = snapshots([str(tmp_path / "run.cgns")])
    assert found[0].names == ["floor", "other"]
    for one, other in zip(found, whole):
        assert np.array_equal(one.x, other.x) and np.array_equal(one.faces, other.faces) and one.item.time == other.item.time
    os.remove(tmp_path / "grid.cgns")
    with pytest.raises(ccd.FileError, match=r"Steps is a link to /Base/Steps of grid\.cgns, which is not there"):
        snapshots([str(tmp_path / "run.cgns")])


def test_numbers_of_cgns_that_are_other_lengths_are_refused(tmp_path):
    h5py = pytest.importorskip("h5py")

    def units(group, length):
        words = ("Kilogram", length, "Second", "Kelvin", "Radian")
        node(group, "DimensionalUnits", "DimensionalUnits_t", letters("".join(word.ljust(32) for word in words)))

    path = cgns(tmp_path / "a.cgns")
    with h5py.File(path, "a") as file:
        units(file["Base"], "Meter")
        units(file["Base/tile"], "Meter")
    assert len(snapshots([path])) == 5
    with h5py.File(path, "a") as file:
        units(file["Base/tile/Grid3"], "Millimeter")
    with pytest.raises(ccd.UnsupportedError, match=r"zone floor is in Meter, and CoordinateX of zone tile in Millimeter"):
        snapshots([path])
    path = cgns(tmp_path / "b.cgns")
    with h5py.File(path, "a") as file:
        node(file["Base/tile/Grid2/CoordinateY"], "DataConversion", "DataConversion_t", np.array([2.0, 0.0]))
    with pytest.raises(ccd.UnsupportedError, match="CoordinateY of zone tile has a scale and an offset"):
        snapshots([path])


# ---- Abaqus

ASSEMBLY = """*HEADING
two tiles
*PART, NAME=Tile
*NODE
 5, 0., 0., 0.
 7, 1., 0., 0.
 6, 0., 1., 0.
*ELEMENT, TYPE=S3R, ELSET=all
 1, 5, 7,
 6
*END PART
*ASSEMBLY, NAME=A
*INSTANCE, NAME=floor, PART=Tile
*END INSTANCE
*INSTANCE, NAME=turned, PART=TILE
 0., 0., 2.
 1., 0., 2., 1., 0., 5., 90.
*END INSTANCE
*ELEMENT, TYPE=SPRINGA, ELSET=s
 9, 5, 6
*END ASSEMBLY
*STEP
*NODE
nonsense
"""


def test_instances_of_abaqus_are_placed(tmp_path, capsys):
    path = tmp_path / "job.inp"
    path.write_text(ASSEMBLY)
    (found,) = snapshots([str(path)])
    assert found.names == ["floor", "turned"] and found.part.tolist() == [0, 0, 0, 1, 1, 1]
    places = {tuple(p) for p in np.round(found.x[3:], 12).tolist()}  # moved by 2, then a quarter turn about x = 1, y = 0
    assert places == {(1.0, -1.0, 2.0), (1.0, 0.0, 2.0), (0.0, -1.0, 2.0)} and np.allclose(
        found.x[:3], [[0, 0, 0], [0, 1, 0], [1, 0, 0]]
    )
    code, out, err = run(capsys, "check", path)
    assert code == 0 and "2 faces" in out and "elements SPRINGA" in out + err
    code, out, _ = run(capsys, "view", path, "-o", tmp_path / "a.html")
    assert code == 0


def test_instances_are_turned_as_scipy_turns(tmp_path):
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    from ccd.audit._solvers._abaqus import placed

    rng = np.random.default_rng(3)
    for _ in range(20):
        x, shift, a, b, angle = (
            rng.normal(size=(5, 3)),
            rng.normal(size=3),
            rng.normal(size=3),
            rng.normal(size=3),
            rng.uniform(-360, 360),
        )
        turn = rotation.from_rotvec((b - a) / np.linalg.norm(b - a) * np.radians(angle))
        own = placed("x", x, [shift.tolist(), [*a, *b, angle]])
        assert np.allclose(own, turn.apply(x + shift - a) + a, atol=1e-13)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("was", "is_"), [("5., 90.", "5., 1e400"), ("0., 2.\n", "0., 1e400\n"), ("1., 0., 5.", "1., 0., nan")])
def test_instances_are_moved_by_finite_numbers(was, is_, tmp_path):
    (tmp_path / "a.inp").write_text(ASSEMBLY.replace(was, is_))
    with pytest.raises(ccd.FileError, match=r"an instance is moved by .*: must be finite"):
        snapshots([str(tmp_path / "a.inp")])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("*NODE\n1,0,0,0\n*NGEN\n", "NGEN makes nodes"),
        ("*NODE, SYSTEM=C\n1,0,0,0\n", "SYSTEM=C is not read"),
        ("*NODE\n1,0,0,0\n*ELEMENT, TYPE=CAX4\n1,1,1,1,1\n", "type 'CAX4' are not read"),
        ("*NODE\n1,0,0,0\n*ELEMENT, TYPE=S3\n1,1,1\n*STEP\n", "element 1 has fewer nodes"),
        ("*NODE\n1,0,0,0\n*ELEMENT, TYPE=S3\n1,1,1,2\n", "names node 2, which is not there"),
        ("*SYMMETRIC MODEL GENERATION\n", "makes elements"),
    ],
)
def test_decks_of_abaqus_that_are_not_understood(text, what, tmp_path):
    (tmp_path / "a.inp").write_text("*HEADING\n" + text)
    with pytest.raises(ccd.Error, match=what):
        snapshots([str(tmp_path / "a.inp")])


def test_files_that_a_deck_includes(tmp_path):
    (tmp_path / "mesh.inp").write_text("*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n** a comment\n*ELEMENT,\nTYPE=S3\n1,1,2,3\n")
    (tmp_path / "a.inp").write_text("*INCLUDE, INPUT=mesh.inp\n")
    assert len(snapshots([str(tmp_path / "a.inp")])[0].faces) == 1
    (tmp_path / "mesh.inp").write_text("*INCLUDE, INPUT=mesh.inp\n")
    with pytest.raises(ccd.FileError, match="include one another"):
        snapshots([str(tmp_path / "a.inp")])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*ELEMENT, TYPE=S3, INPUT=more.txt\n", r"line 6: \*ELEMENT with INPUT=more.txt takes lines of another file"),
        ("*NODE, INPUT=more.txt\n", r"line 6: \*NODE with INPUT=more.txt takes lines of another file"),
        ("*IMPERFECTION, FILE=modes, STEP=1\n1, 0.1\n", r"line 6: \*IMPERFECTION moves nodes"),
    ],
)
def test_what_is_elsewhere_is_refused(text, words, tmp_path):
    whole = "*NODE\n1, 0, 0, 0\n2, 1.5D0, 0, 0\n3, 0, 1.25d-1, 0\n*ELEMENT, TYPE=S3\n1, 1, 2, 3\n"
    (tmp_path / "a.inp").write_text(whole)
    assert snapshots([str(tmp_path / "a.inp")])[0].x.tolist() == [[0, 0, 0], [1.5, 0, 0], [0, 0.125, 0]]
    (tmp_path / "a.inp").write_text(whole.replace("*ELEMENT", f"{text}*ELEMENT"))
    with pytest.raises(ccd.UnsupportedError, match=words.replace("line 6", "line 5")):
        snapshots([str(tmp_path / "a.inp")])


# ---- orders of nodes, as Gmsh writes them


@pytest.mark.parametrize("end", ["inp", "cgns", "mesh"])
def test_lines_of_order_2_have_their_middle_where_gmsh_has_it(end, tmp_path):
    """Abaqus and CalculiX list the middle of B32 and T3D3 second, others last."""
    gmsh = pytest.importorskip("gmsh")
    if end == "cgns":
        pytest.importorskip("h5py")
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Verbosity", 0)
        gmsh.model.occ.addCircle(0, 0, 0, 1, angle2=2)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.5)
        gmsh.model.mesh.generate(1)
        gmsh.model.mesh.setOrder(2)
        for one in ("msh", end):
            gmsh.write(str(tmp_path / f"a.{one}"))
    finally:
        gmsh.finalize()
    found = [snapshots([str(tmp_path / f"a.{one}")])[0] for one in (end, "msh")]
    length, count = 2 * np.sin(1 / len(found[1].edges)), len(found[1].edges)
    for one in found:  # all chords between neighbors on the circle are of one length
        assert len(one.edges) == count
        assert np.allclose(np.linalg.norm(np.diff(one.x[one.edges], axis=1)[:, 0], axis=1), length, rtol=1e-3)
    assert found[0].deviation == pytest.approx(found[1].deviation, rel=1e-3) and found[0].deviation > 1e-3


@pytest.mark.parametrize("kind", ["exodus", "frd", "foam", "ensight", "cgns", "op2", "d3plot", "pvd"])
def test_frames_are_named_by_their_numbers(kind, tmp_path, capsys):
    """In `step`, `check`, `view` and `audit` as in Python: from frame 1 to 2 bodies pass through each other."""
    import test_audit_solvers as solvers

    more = []
    if kind == "op2":
        nastran("pyNastran.op2.op2_geom")
        path = op2(tmp_path / "run.op2", MOVED)
        more = ["--mesh", deck(tmp_path / "run.bdf")]
    elif kind == "pvd":
        from test_audit_formats import obj

        listed = "".join(
            f'<DataSet timestep="{k}" file="{Path(obj(tmp_path / f"f{k}.obj", x)).name}"/>' for k, x in enumerate(FRAMES)
        )
        path = str(tmp_path / "run.pvd")
        Path(path).write_text(f'<VTKFile type="Collection"><Collection>{listed}</Collection></VTKFile>')
    elif kind in ("exodus", "d3plot"):
        pytest.importorskip("netCDF4" if kind == "exodus" else "lasso")
        path = getattr(solvers, kind)(tmp_path / ("run.exo" if kind == "exodus" else "d3plot"))
        more = ["--displacement", "DISPL"] if kind == "exodus" else []
    elif kind in ("frd", "foam"):
        pytest.importorskip("foamlib") if kind == "foam" else None
        path = str(getattr(solvers, kind)(tmp_path / ("run.frd" if kind == "frd" else "foam")))
    else:
        pytest.importorskip("vtkmodules" if kind == "ensight" else "h5py")
        path = ensight(tmp_path / "en") if kind == "ensight" else cgns(tmp_path / "run.cgns")
    two = [f"{path}[1]", f"{path}[2]"]
    assert run(capsys, "step", *two, *more)[0] == 1
    assert run(capsys, "check", two[1], *more)[0] == 0
    assert run(capsys, "view", *two, "-o", str(tmp_path / "page.html"), *more)[0] == 1
    code, out, _ = run(capsys, "audit", *two, *more)
    assert code == 1 and "passed through" in out
    code, _, err = run(capsys, "audit", two[0], f"{path}[99]", *more)
    assert code == 2 and "their numbers are from 0 to" in err
    code, _, err = run(capsys, "audit", two[0], "other.obj")
    assert code == 2 and f"other.obj is no frame of {path}" in err


def test_bars_without_orientation_name_the_way(tmp_path):
    nastran("pyNastran.bdf.bdf")
    path = tmp_path / "a.bdf"
    path.write_text(f"{SHEET}CTRIA3,1,1,1,2,3\nCBAR,2,2,1,2,0.,0.,0.\n")
    with pytest.raises(ccd.UnsupportedError, match=r"a\.bdf: .*G0 vector.*Gmsh writes lines as such bars"):
        snapshots([str(path)])


@pytest.mark.parametrize("end", ["inp", "bdf", "cgns"])
@pytest.mark.parametrize("shape", ["tetrahedra", "hexahedra", "prisms"])
@pytest.mark.parametrize(("order", "incomplete"), [(1, 0), (2, 1), (2, 0)])
def test_orders_of_nodes_are_those_of_gmsh(end, shape, order, incomplete, tmp_path):
    gmsh = pytest.importorskip("gmsh")
    if end == "bdf":
        nastran("pyNastran.bdf.bdf")
    if end == "cgns":
        pytest.importorskip("h5py")
    if (end, order, incomplete, shape) in (("bdf", 2, 0, "hexahedra"), ("bdf", 2, 0, "prisms"), ("inp", 2, 0, "prisms")):
        pytest.skip("Nastran has no hexahedra of 27 nodes and prisms of 18")
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Verbosity", 0)
        surface = gmsh.model.occ.addDisk(0, 0, 0, 1, 0.75)
        layers = [2] if shape != "tetrahedra" else []
        gmsh.model.occ.extrude([(2, surface)], 0.2, 0.1, 1.5, numElements=layers, recombine=bool(layers))
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.9)
        gmsh.option.setNumber("Mesh.RecombineAll", shape == "hexahedra")
        gmsh.option.setNumber("Mesh.SecondOrderIncomplete", incomplete)
        gmsh.option.setNumber("Mesh.BdfFieldFormat", 2)
        gmsh.model.mesh.generate(3)
        gmsh.model.mesh.setOrder(order)
        gmsh.model.addPhysicalGroup(3, [e for _, e in gmsh.model.getEntities(3)], 1, "all")
        gmsh.write(str(tmp_path / "a.msh"))
        gmsh.write(str(tmp_path / f"a.{end}"))
    finally:
        gmsh.finalize()
    (own,) = snapshots([str(tmp_path / f"a.{end}")])
    (theirs,) = snapshots([str(tmp_path / "a.msh")])
    digits = 6 if end == "bdf" else 9

    def places(x, faces):
        return sorted(tuple(sorted(map(tuple, (np.round(x[f], digits) + 0.0).tolist()))) for f in faces)

    if order == 1 and shape != "tetrahedra":  # the diagonal of a quadrilateral follows the first corner
        corners = [np.unique(np.round(s.x[s.faces].reshape(-1, 3), digits) + 0.0, axis=0) for s in (own, theirs)]
        assert np.array_equal(*corners) and len(own.faces) == len(theirs.faces)
    else:
        assert places(own.x, own.faces) == places(theirs.x, theirs.faces)
    assert own.deviation == pytest.approx(theirs.deviation, rel=1e-3) and (order == 1 or own.deviation > 0.001)


CCX = shutil.which("ccx")


@pytest.mark.skipif(CCX is None, reason="ccx of CalculiX is not installed")
@pytest.mark.parametrize("shape", ["tetrahedra", "hexahedra", "prisms"])
@pytest.mark.parametrize("order", [1, 2])
def test_results_of_calculix_have_the_faces_of_its_deck(shape, order, tmp_path):
    """A block that is pulled by its nodes, by ccx itself: the mesh of the FRD, and where the nodes go."""
    name = {("tetrahedra", 1): "C3D4", ("tetrahedra", 2): "C3D10", ("hexahedra", 1): "C3D8", ("hexahedra", 2): "C3D20"}.get(
        (shape, order), "C3D6" if order == 1 else "C3D15"
    )
    corners, middles = {
        "tetrahedra": ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]),
        "hexahedra": (CUBE_, [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]),
        "prisms": (
            [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]],
            [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)],
        ),
    }[shape]
    x = np.array(corners, float)
    if order == 2:
        bent = np.random.default_rng(2).uniform(-0.05, 0.05, (len(middles), 3))
        x = np.vstack([x, [(x[a] + x[b]) / 2 for a, b in middles] + bent])
    ids = [str(i + 1) for i in range(len(x))]
    rows = ", ".join(["1", *ids[:15]]) + (",\n" + ", ".join(ids[15:]) if len(ids) > 15 else "")
    pull = np.round(0.2 * x @ np.array([[1.0, 0.3, 0], [0, 0.5, 0.1], [0.2, 0, 0.7]]), 4)
    moves = "".join(f"{i + 1}, {k + 1}, {k + 1}, {u[k]:.4f}\n" for i, u in enumerate(pull) for k in range(3))
    deck_ = (
        "*NODE, NSET=ALL\n" + "".join(f"{i + 1}, {p[0]!r}, {p[1]!r}, {p[2]!r}\n" for i, p in enumerate(x.tolist()))
        + f"*ELEMENT, TYPE={name}, ELSET=E\n{rows}\n*MATERIAL, NAME=M\n*ELASTIC\n1000, 0.3\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
        + f"*STEP, NLGEOM\n*STATIC\n0.5, 1., 0.5, 0.5\n*BOUNDARY\n{moves}*NODE FILE\nU\n*END STEP\n"
    )  # fmt: skip
    (tmp_path / "job.inp").write_text(deck_)
    subprocess.run([CCX, "job"], cwd=tmp_path, capture_output=True, timeout=100, env=os.environ | {"OMP_NUM_THREADS": "1"})
    (own,) = snapshots([str(tmp_path / "job.inp")])
    found = snapshots([str(tmp_path / "job.frd")])
    assert [s.item.time for s in found] == [None, 0.5, 1.0]
    assert np.abs(found[0].x - own.x).max() <= found[0].off and np.abs(found[2].x - own.x - pull).max() <= found[0].off
    assert np.abs(found[1].x - own.x - pull / 2).max() <= found[0].off

    def places(s):
        return sorted(tuple(sorted(map(tuple, (np.round(s.x[f], 4) + 0.0).tolist()))) for f in s.faces)

    if order == 2 or shape == "tetrahedra":
        assert places(found[0]) == places(own)
        assert found[0].deviation == pytest.approx(own.deviation, rel=1e-3) and own.deviation >= 0.01 * (order - 1)
    else:
        assert len(found[0].faces) == len(own.faces) and own.deviation == 0
    assert [str(step.verdict) for step in ccd.audit.files(str(tmp_path / "job.frd")).steps] == ["separate"] * 2
