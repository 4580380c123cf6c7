"""Sequences that other programs' libraries write: positions, point by point, are those that the same library evaluates."""

import sys
from pathlib import Path

import numpy as np
import pytest
from test_audit_files import FRAMES, RIGHT, obj, verdicts, vtu

import ccd
from ccd import audit
from ccd.audit import _files, _read
from ccd.cli import main

FACES = [[0, 1, 2], [3, 4, 5]]


def snapshots(paths, mesh=None, **meaning):
    """The frames that are audited."""
    reader = _files.opened(paths, _read.Meaning(**meaning), mesh)
    return [reader.snapshot(item) for item in reader.items]


# ---- VTK


def source(kind, frames):
    """A source of VTK with a time for each frame."""
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData, vtkUnstructuredGrid
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

    class Source(VTKPythonAlgorithmBase):
        def __init__(self):
            super().__init__(nInputPorts=0, nOutputPorts=1, outputType=kind)

        def RequestInformation(self, request, before, after):
            info, times = after.GetInformationObject(0), [k / 2 for k in range(len(frames))]
            info.Set(Pipeline.TIME_STEPS(), times, len(times))
            info.Set(Pipeline.TIME_RANGE(), [times[0], times[-1]], 2)
            return 1

        def RequestData(self, request, before, after):
            info = after.GetInformationObject(0)
            time = info.Get(Pipeline.UPDATE_TIME_STEP()) if info.Has(Pipeline.UPDATE_TIME_STEP()) else 0.0
            points = vtkPoints()
            points.SetData(numpy_to_vtk(frames[round(2 * time)], deep=1))
            data = (vtkPolyData if kind == "vtkPolyData" else vtkUnstructuredGrid).GetData(after)
            data.SetPoints(points)
            cells = vtkCellArray()
            for face in FACES:
                cells.InsertNextCell(3, face)
            if kind == "vtkPolyData":
                data.SetPolys(cells)
            else:
                data.SetCells(5, cells)
            shift = numpy_to_vtk(frames[round(2 * time)] - frames[0], deep=1)
            shift.SetName("shift")
            data.GetPointData().AddArray(shift)
            data.GetInformation().Set(data.DATA_TIME_STEP(), time)
            return 1

    return Source()


@pytest.mark.parametrize("kind", ["vtkPolyData", "vtkUnstructuredGrid"])
def test_vtkhdf_of_vtk(kind, tmp_path):
    io = pytest.importorskip("vtkmodules.vtkIOHDF")
    pytest.importorskip("h5py")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    made, path = source(kind, FRAMES), str(tmp_path / "run.vtkhdf")
    writer = io.vtkHDFWriter()
    writer.SetInputConnection(made.GetOutputPort())
    writer.SetFileName(path)
    writer.SetWriteAllTimeSteps(True)
    assert writer.Write()
    found = snapshots([path])
    assert verdicts(path) == RIGHT and [s.item.time for s in found] == [0, 0.5, 1, 1.5, 2]
    reader = io.vtkHDFReader()
    reader.SetFileName(path)
    for snapshot in found:
        reader.UpdateTimeStep(snapshot.item.time)
        data = reader.GetOutputAsDataSet()
        assert np.array_equal(vtk_to_numpy(data.GetPoints().GetData()), snapshot.x) and snapshot.faces.tolist() == FACES
        assert np.array_equal(vtk_to_numpy(data.GetPointData().GetArray("shift")), snapshot.fields["shift"])


@pytest.mark.parametrize("kind", ["vtkPolyData", "vtkUnstructuredGrid"])
@pytest.mark.parametrize("mode", ["ascii", "binary", "appended", "raw", "plain"])
def test_vtp_and_vtu_of_vtk(kind, mode, tmp_path):
    xml = pytest.importorskip("vtkmodules.vtkIOXML")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    made, paths = source(kind, FRAMES), []
    end, name = (".vtp", "PolyData") if kind == "vtkPolyData" else (".vtu", "UnstructuredGrid")
    for k in range(len(FRAMES)):
        made.UpdateTimeStep(k / 2)
        writer = getattr(xml, f"vtkXML{name}Writer")()
        writer.SetInputData(made.GetOutputDataObject(0))
        paths.append(str(tmp_path / f"f{k}{end}"))
        writer.SetFileName(paths[-1])
        {"ascii": writer.SetDataModeToAscii, "binary": writer.SetDataModeToBinary}.get(mode, writer.SetDataModeToAppended)()
        writer.SetEncodeAppendedData(mode == "appended")
        if mode == "plain":
            writer.SetCompressorTypeToNone()
        if mode == "raw":
            writer.SetHeaderTypeToUInt64()
        assert writer.Write()
    found = snapshots([str(tmp_path / f"f*{end}")])
    for path, snapshot in zip(paths, found):
        reader = getattr(xml, f"vtkXML{name}Reader")()
        reader.SetFileName(path)
        reader.Update()
        assert np.array_equal(vtk_to_numpy(reader.GetOutput().GetPoints().GetData()), snapshot.x)
        assert snapshot.faces.tolist() == FACES
    assert len(found) == 5
    if mode != "ascii":  # six digits of text are other positions
        assert verdicts(paths) == RIGHT


# ---- arrays, and what is left of other libraries


def made(package, path):
    """A group of the package in a new file."""
    return package.File(path, "w") if package.__name__ == "h5py" else package.open_group(path, mode="w")


@pytest.mark.parametrize(("end", "module"), [("h5", "h5py"), ("zarr", "zarr")])
def test_arrays_in_hdf5_and_zarr(tmp_path, end, module):
    package = pytest.importorskip(module)
    path = str(tmp_path / f"run.{end}")
    group = made(package, path)
    group["frames"], group["faces"] = np.array(FRAMES, np.float32), np.array(FACES)
    if module == "h5py":
        group.close()
    assert verdicts(path) == RIGHT
    assert np.array_equal(snapshots([path])[3].x, FRAMES[3].astype(np.float32))


@pytest.mark.parametrize(("end", "module"), [("h5", "h5py"), ("zarr", "zarr")])
def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch, end, module):
    monkeypatch.setitem(sys.modules, module, None)  # an import of it fails
    (tmp_path / f"x.{end}").write_bytes(b"")
    with pytest.raises(ccd.UnsupportedError, match=f"needs {module}: pip install {module}"):
        _files.opened([str(tmp_path / f"x.{end}")], _read.Meaning(), None)


def test_vtkhdf_whose_mesh_is_stored_once(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = str(tmp_path / "static.vtkhdf")
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Type"], root.attrs["Version"] = np.bytes_("UnstructuredGrid"), [2, 0]
        root["Points"] = np.vstack(FRAMES)
        for name, value in (("NumberOfPoints", 6), ("NumberOfCells", 2), ("NumberOfConnectivityIds", 6)):
            root[name] = np.array([value])
        root["Connectivity"], root["Offsets"], root["Types"] = np.arange(6), np.array([0, 3, 6]), np.array([5, 5], np.uint8)
        steps = root.create_group("Steps")
        steps.attrs["NSteps"] = 5
        steps["Values"], steps["PointOffsets"] = np.arange(5.0), 6 * np.arange(5)
        for name in ("PartOffsets", "CellOffsets", "ConnectivityIdOffsets"):
            steps[name] = np.zeros(5, int)
        steps["NumberOfParts"] = np.ones(5, int)
    assert verdicts(path) == RIGHT
    with h5py.File(path, "a") as file:
        file["VTKHDF/Types"][1] = 9
    with pytest.raises(ccd.FileError, match="cell 1 of step 0 has 3 corners"):
        verdicts(path)
    with h5py.File(path, "a") as file:
        file["VTKHDF/Types"][...] = 7
        file["VTKHDF/Offsets"][...] = [0, 4, 6]
    with pytest.raises(ccd.FileError, match="cell 1 of step 0 has less than 3 corners"):
        verdicts(path)
    with h5py.File(path, "a") as file:
        del file["VTKHDF/Steps"]
    with pytest.raises(ccd.FileError, match="has no Steps, and 30 points where NumberOfPoints says 6"):
        verdicts(path)


def test_polygons_of_vtkhdf_are_cut_by_ears(tmp_path):
    """A quadrilateral that is not convex, and a tile in its notch, which a fan would cover."""
    h5py = pytest.importorskip("h5py")
    arrow = np.array([[0, 0, 0], [2, -1, 0], [1, 0, 0], [2, 1, 0]], float)
    tile = np.array([[1.4, -0.1, 1], [1.6, -0.1, 1], [1.5, 0.1, 1]])
    path = str(tmp_path / "arrow.vtkhdf")
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Type"], root.attrs["Version"] = np.bytes_("UnstructuredGrid"), [2, 0]
        root["Points"] = np.vstack([np.vstack([arrow, np.add(tile, [0, 0, -2 * k])]) for k in range(2)])
        for name, value in (("NumberOfPoints", 7), ("NumberOfCells", 2), ("NumberOfConnectivityIds", 7)):
            root[name] = np.array([value])
        root["Connectivity"], root["Offsets"], root["Types"] = np.arange(7), np.array([0, 4, 7]), np.array([7, 5], np.uint8)
        steps = root.create_group("Steps")
        steps.attrs["NSteps"] = 2
        steps["Values"], steps["PointOffsets"] = np.arange(2.0), 7 * np.arange(2)
        for name in ("PartOffsets", "CellOffsets", "ConnectivityIdOffsets"):
            steps[name] = np.zeros(2, int)
        steps["NumberOfParts"] = np.ones(2, int)
    assert verdicts(path) == ["separate"]
    assert sorted(map(sorted, snapshots([path])[0].faces.tolist())) == [[0, 1, 2], [0, 2, 3], [4, 5, 6]]


def static(path, x, kind=np.float64):
    """A VTKHDF without steps."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Type"], root.attrs["Version"] = np.bytes_("UnstructuredGrid"), [2, 0]
        root["Points"] = np.asarray(x, kind)
        for name, value in (("NumberOfPoints", 6), ("NumberOfCells", 2), ("NumberOfConnectivityIds", 6)):
            root[name] = np.array([value])
        root["Connectivity"], root["Offsets"], root["Types"] = np.arange(6), np.array([0, 3, 6]), np.array([5, 5], np.uint8)
    return str(path)


def test_a_vtkhdf_without_steps_is_a_frame(tmp_path):
    """Several such files are a sequence; a file of several frames among them is refused, and so is one in other parts."""
    paths = [static(tmp_path / f"f{k}.vtkhdf", x) for k, x in enumerate(FRAMES[1:3])]
    for x, snapshot in zip(FRAMES[1:], snapshots(paths)):
        assert np.array_equal(x, snapshot.x) and snapshot.faces.tolist() == FACES
    assert verdicts(str(tmp_path / "f*.vtkhdf")) == RIGHT[1:2]
    report = audit.files([static(tmp_path / "g.vtkhdf", FRAMES[0]), static(tmp_path / "h.vtkhdf", FRAMES[3] / 3, np.float32)])
    assert any("single precision" in note for note in report.notes)
    with pytest.raises(ccd.ArgumentError, match=r"h\.vtkhdf is in single precision, the first frame is not"):
        audit.files([tmp_path / "g.vtkhdf", tmp_path / "h.vtkhdf"], rounding=True)
    many = xdmf(
        tmp_path / "run.xdmf",
        "".join(
            f'<Grid><Time Value="{k}"/>{TOPOLOGY}<Geometry GeometryType="XYZ">{item(x)}</Geometry></Grid>'
            for k, x in enumerate(FRAMES)
        ),
    )
    with pytest.raises(ccd.ArgumentError, match="holds 5 frames of a sequence: give it alone, or several files of one frame"):
        audit.files([paths[0], many])
    h5py = pytest.importorskip("h5py")
    with h5py.File(paths[0], "a") as file:
        del file["VTKHDF/NumberOfPoints"]
        file["VTKHDF/NumberOfPoints"] = np.array([3, 3])
    with pytest.raises(ccd.UnsupportedError, match="has 2 parts"):
        audit.files(paths)


def test_legacy_files_of_pyvista(tmp_path):
    pyvista = pytest.importorskip("pyvista")
    paths = [str(tmp_path / f"f{k}.vtk") for k in range(len(FRAMES))]
    for path, x in zip(paths, FRAMES):
        pyvista.PolyData.from_regular_faces(x, FACES).save(path)
    assert b"vtkIdType" in Path(paths[0]).read_bytes() and verdicts(paths) == RIGHT


def test_commands_take_frames_of_files_that_list_or_hold_several(tmp_path, capsys):
    """Of a PVD, XDMF, VTM and VTKHDF: the whole in `view`, one frame by its address in `step` and `check`."""
    listed, grids = "", ""
    for k, x in enumerate(FRAMES):
        vtu(tmp_path / f"f{k}.vtu", x, FACES)
        listed += f'<DataSet timestep="{k}" file="f{k}.vtu"/>'
        grids += f'<Grid><Time Value="{k}"/>{TOPOLOGY}<Geometry GeometryType="XYZ">{item(x)}</Geometry></Grid>'
        (tmp_path / f"m{k}.vtm").write_text(
            '<VTKFile type="vtkMultiBlockDataSet"><vtkMultiBlockDataSet>'
            f'<DataSet index="0" name="all" file="f{k}.vtu"/></vtkMultiBlockDataSet></VTKFile>'
        )
    run, page = tmp_path / "run.pvd", tmp_path / "v.html"
    run.write_text(f'<VTKFile type="Collection"><Collection>{listed}</Collection></VTKFile>')
    for path in (run, xdmf(tmp_path / "run.xdmf", grids)):
        assert main(["view", str(path), "-o", str(page)]) == 1 and "5 frames, 3 impacts" in capsys.readouterr().out
        assert main(["step", f"{path}[1]", f"{path}[2]"]) == 1 and "at t = 0.333333" in capsys.readouterr().out
        assert main(["step", f"{path}[2]", f"{path}[3]"]) == 0
        assert main(["view", f"{path}[1]", f"{path}[2]", "-o", str(page)]) == 1
        assert main(["check", f"{path}[4]"]) == main(["check", str(path), "--frame", "4"]) == 0
        capsys.readouterr()
        for words, text in (
            (["step", f"{path}[1]", f"{path}[5]"], "has 5 frames: their numbers are from 0 to 4"),
            (["check", f"{path}[1]", "--frame", "1"], "has the number of a frame"),
            (["step", str(path)], f"B is missing: {path} has 5 frames; give two of them, such as {path}[0] and {path}[1]"),
        ):
            assert main(words) == 2 and text in capsys.readouterr().err, words
    assert main(["step", str(tmp_path / "m1.vtm"), str(tmp_path / "m2.vtm")]) == 1
    run.write_text('<VTKFile type="Collection"><Collection></Collection></VTKFile>')
    capsys.readouterr()
    assert main(["check", str(run)]) == 2 and "has no frames" in capsys.readouterr().err


def test_frames_of_a_pvd_are_welded_as_the_first_one(tmp_path, capsys):
    """Points that are copies in the first frame stay one, wherever they are later."""
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    listed = ""
    for k, one in enumerate((x, x + np.outer([0, 0, 0, 1e-9, 0, 0], [1, 1, 1]))):
        vtu(tmp_path / f"f{k}.vtu", one, FACES)
        listed += f'<DataSet timestep="{k}" file="f{k}.vtu"/>'
    run = tmp_path / "run.pvd"
    run.write_text(f'<VTKFile type="Collection"><Collection>{listed}</Collection></VTKFile>')
    assert main(["step", f"{run}[0]", f"{run}[1]", "--weld"]) == 0 and "4 vertices, 5 edges" in capsys.readouterr().out
    (tmp_path / "f0.pvtu").write_text(
        '<VTKFile type="PUnstructuredGrid"><PUnstructuredGrid><Piece Source="f0.vtu"/></PUnstructuredGrid></VTKFile>'
    )
    both = [str(tmp_path / "f0.pvtu")] * 2
    assert main(["step", *both, "--weld"]) == 2 and "list both in a PVD" in capsys.readouterr().err


def test_vtu_of_meshio(tmp_path):
    meshio = pytest.importorskip("meshio")
    paths = [str(tmp_path / f"f{k}.vtu") for k in range(len(FRAMES))]
    for path, x in zip(paths, FRAMES):
        meshio.Mesh(x, [("triangle", FACES)], point_data={"u": x - FRAMES[0]}).write(path)
    for path, snapshot in zip(paths, snapshots(paths)):
        assert np.array_equal(meshio.read(path).points, snapshot.x)
    assert verdicts(paths) == RIGHT


@pytest.mark.parametrize("end", ["stl", "ply", "off", "msh", "vtk"])
def test_series_of_other_formats(end, tmp_path):
    meshio = pytest.importorskip("meshio")
    paths = []
    for k, x in enumerate(FRAMES):
        paths.append(str(tmp_path / f"f{k}.{end}"))
        meshio.Mesh(x, [("triangle", np.array(FACES))]).write(paths[-1], **({"file_format": "gmsh"} if end == "msh" else {}))
    found = verdicts(paths)
    assert found == RIGHT, found
    assert verdicts([obj(tmp_path / f"g{k}.obj", x) for k, x in enumerate(FRAMES)]) == RIGHT


# ---- XDMF


def xdmf(path, steps, domain="", data=""):
    collection = f'<Grid GridType="Collection" CollectionType="Temporal">{steps}</Grid>'
    path.write_text(f'<Xdmf Version="3.0"><Domain>{domain}{collection}{data}</Domain></Xdmf>')
    return str(path)


def item(values, kind="Float"):
    values = np.asarray(values)
    size, text = " ".join(map(str, values.shape)), " ".join(map(repr, values.ravel().tolist()))
    return f'<DataItem Dimensions="{size}" NumberType="{kind}" Precision="8" Format="XML">{text}</DataItem>'


TOPOLOGY = f'<Topology TopologyType="Triangle" NumberOfElements="2">{item(FACES, "Int")}</Topology>'


def test_xdmf_of_meshio(tmp_path, monkeypatch):
    """meshio and FElupe write the points once, and displacements; geometry is included by XPath."""
    meshio = pytest.importorskip("meshio")
    pytest.importorskip("h5py")
    monkeypatch.chdir(tmp_path)  # meshio writes the .h5 into the working folder
    path = str(tmp_path / "run.xdmf")
    with meshio.xdmf.TimeSeriesWriter(path) as writer:
        writer.write_points_cells(FRAMES[0], [("triangle", np.array(FACES))])
        for k, x in enumerate(FRAMES):
            writer.write_data(k / 2, point_data={"u": x - FRAMES[0]})
    with pytest.raises(ccd.ArgumentError, match="equal points beside point data that change: u"):
        verdicts(path)
    assert verdicts(path, displacement="u") == RIGHT
    with meshio.xdmf.TimeSeriesReader(path) as reader:
        points, _ = reader.read_points_cells()
        for k, snapshot in enumerate(snapshots([path], displacement="u")):
            time, data, _ = reader.read_data(k)
            assert time == snapshot.item.time and np.array_equal(points + data["u"], snapshot.x)


def test_xdmf_in_text(tmp_path):
    steps = "".join(
        f'<Grid><Time Value="{k}"/><Geometry GeometryType="XYZ">{item(x)}</Geometry>{TOPOLOGY}</Grid>'
        for k, x in enumerate(FRAMES)
    )
    path = xdmf(tmp_path / "run.xdmf", steps)
    with pytest.raises(ccd.ArgumentError, match=r"mesh is for arrays of positions: .*run\.xdmf has its own faces"):
        ccd.audit.files(path, mesh=path)
    assert verdicts(path) == RIGHT
    for snapshot, x in zip(snapshots([path]), FRAMES):
        assert np.array_equal(snapshot.x, x) and snapshot.faces.tolist() == FACES
    mixed = TOPOLOGY.replace("Triangle", "Mixed").replace(item(FACES, "Int"), item([4, 0, 1, 2, 2, 3, 3, 4, 5], "Int"))
    assert verdicts(xdmf(tmp_path / "mixed.xmf", steps.replace(TOPOLOGY, mixed))) == RIGHT
    first = f'<Grid Name="mesh" GridType="Uniform"><Geometry GeometryType="XYZ">{item(FRAMES[0])}</Geometry>{TOPOLOGY}</Grid>'
    pointer = "xpointer(/Xdmf/Domain/Grid[@GridType='Uniform'][1]/*[self::Topology or self::Geometry])"
    shared = "".join(
        f'<Grid><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" xpointer="{pointer}"/><Time Value="{k}"/>'
        f'<Attribute Name="u" Center="Node">{item(x - FRAMES[0])}</Attribute></Grid>'
        for k, x in enumerate(FRAMES)
    )  # as DOLFINx writes them
    path = xdmf(tmp_path / "dolfinx.xdmf", shared, first)
    assert verdicts(path, displacement="u") == RIGHT
    with pytest.raises(ccd.UnsupportedError, match="names 0 grids"):
        verdicts(xdmf(tmp_path / "wrong.xdmf", shared.replace("[1]", "[2]"), first), displacement="u")
    own = first[first.index("<Geometry") : -len("</Grid>")]
    again = '<include xpointer="xpointer(//Grid[@CollectionType=&quot;Temporal&quot;]/Grid[1]/*[self::Topology])"/>'
    steps_of_fenics = "".join(
        f"<Grid>{again if k else own}"
        f'<Time Value="{k}"/><Attribute Name="u" Center="Node">{item(x - FRAMES[0])}</Attribute></Grid>'
        for k, x in enumerate(FRAMES)
    )
    for new, why in (("/Grid[2]/", "has no Geometry"), ("/Grid[0]/", "names 0 grids"), ("/Grid/", r"names \d grids")):
        with pytest.raises(ccd.Error, match=why):
            verdicts(xdmf(tmp_path / "wrong.xdmf", steps_of_fenics.replace("/Grid[1]/", new)), displacement="u")
    assert verdicts(xdmf(tmp_path / "fenics.xdmf", steps_of_fenics), displacement="u") == RIGHT
    raw = tmp_path / "x.bin"
    np.array(FRAMES).astype(">f8").tofile(raw)
    for k, x in enumerate(FRAMES):
        there = f'<DataItem Dimensions="6 3" Precision="8" Format="Binary" Endian="Big" Seek="{144 * k}">x.bin</DataItem>'
        steps = steps.replace(item(x), there)
    assert verdicts(xdmf(tmp_path / "raw.xdmf", steps)) == RIGHT


@pytest.mark.parametrize(
    "old, new, why",
    [
        ('<Time Value="1"/>', "", "a step has no time of its own"),
        ('<Time Value="1"/>', '<Time Value="0"/>', "do not ascend"),
        ("<Grid><Time", '<Grid GridType="Collection" CollectionType="Spatial"><Time', "a step is a Collection of grids"),
        ('"Triangle"', '"Polygon"', "elements of type 'polygon'"),
        ('"XYZ"', '"ORIGIN_DXDYDZ"', "geometry of type"),
        ('Dimensions="6 3"', 'Dimensions="7 3"', "18 numbers, where dimensions are"),
        ("<DataItem", '<DataItem ItemType="HyperSlab"', "data of type 'HyperSlab' are not read"),
        ('Format="XML"', 'Format="HDF"', "must be FILE:/PATH"),
        (item(FACES, "Int"), item([[0, 1, 2], [3, 4, 6]], "Int"), "beyond the 6 that there are"),
        ("Temporal", "Spatial", "has no collection of type Temporal"),
    ],
)
def test_xdmf_that_is_not_understood_is_named(tmp_path, old, new, why):
    steps = "".join(
        f'<Grid><Time Value="{k}"/><Geometry GeometryType="XYZ">{item(x)}</Geometry>{TOPOLOGY}</Grid>'
        for k, x in enumerate(FRAMES)
    )
    path = tmp_path / "bad.xdmf"
    xdmf(path, steps)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ccd.Error, match=why):
        verdicts(str(path))
