"""Sequences that other programs write: each position is, point by point, the one that the program's own library evaluates."""

import functools
import os
import re
from pathlib import Path

import numpy as np
import pytest
from test_audit_files import FRAMES, RIGHT, TRI, verdicts
from test_audit_formats import snapshots

import ccd


@functools.cache
def vtk():
    module = pytest.importorskip("vtkmodules.all")
    module.support = pytest.importorskip("vtkmodules.util.numpy_support")
    return module


def points_of(data):
    return vtk().support.vtk_to_numpy(data.GetPoints().GetData())


def dataset(kind, x, cells, **fields):
    """Data of VTK: cells are (type, nodes)."""
    v = vtk()
    data, points = getattr(v, kind)(), v.vtkPoints()
    points.SetData(v.support.numpy_to_vtk(np.ascontiguousarray(x), deep=1))
    data.SetPoints(points)
    data.Allocate(len(cells))
    for cell, nodes in cells:
        if cell == 42:
            ids = v.vtkIdList()
            for number in (len(nodes), *(n for face in nodes for n in (len(face), *face))):
                ids.InsertNextId(number)
            data.InsertNextCell(cell, ids)
        else:
            data.InsertNextCell(cell, len(nodes), list(nodes))
    for name, values in fields.items():
        array = v.support.numpy_to_vtk(np.ascontiguousarray(values), deep=1)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    return data


def write(writer, data, path, **settings):
    writer = getattr(vtk(), writer)()
    for name, value in settings.items():
        getattr(writer, f"Set{name}")(*([] if value is None else [value]))
    writer.SetInputData(data)
    writer.SetFileName(str(path))
    assert writer.Write()
    return str(path)


def read(reader, path):
    reader = getattr(vtk(), reader)()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def wavy(n, seed=5):
    """A sheet of n x n places with full precision, and its triangles."""
    i = np.arange(n * n).reshape(n, n)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]], -1).reshape(-1, 4)
    u, v = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    x = np.stack([u, v, np.random.default_rng(seed).normal(0, 1e-3, u.shape)], -1).reshape(-1, 3)
    return x, np.vstack([quads[:, [0, 1, 2]], quads[:, [2, 1, 3]]])


def modes(appended):
    return dict(DataModeToAppended=None, EncodeAppendedData=appended == "base64")


@pytest.mark.parametrize("compressor", ["None", "ZLib", "LZ4", "LZMA"])
@pytest.mark.parametrize("mode", ["binary", "base64", "raw"])
@pytest.mark.parametrize("kind", ["vtkUnstructuredGrid", "vtkPolyData"])
@pytest.mark.parametrize("size", [np.float32, np.float64])
def test_compressors_and_encodings(compressor, mode, kind, size, tmp_path):
    vtk()
    x, faces = wavy(40)
    settings = dict(DataModeToBinary=None) if mode == "binary" else modes(mode)
    settings |= {f"CompressorTypeTo{compressor}": None, "BlockSize": 4096}
    if mode == "raw":
        settings["HeaderTypeToUInt64"] = None
    name = "UnstructuredGrid" if kind == "vtkUnstructuredGrid" else "PolyData"
    end = ".vtu" if kind == "vtkUnstructuredGrid" else ".vtp"
    paths = []
    for k in range(3):
        moved = np.add(x, [0, 0, k / 7]).astype(size)
        data = dataset(kind, moved, [(5, f) for f in faces.tolist()], u=moved - x)
        paths.append(write(f"vtkXML{name}Writer", data, tmp_path / f"f{k}{end}", **settings))
    for path, found in zip(paths, snapshots(paths)):
        held = read(f"vtkXML{name}Reader", path)
        assert np.array_equal(points_of(held), found.x) and np.array_equal(found.faces, faces)
        values = vtk().support.vtk_to_numpy(held.GetPointData().GetArray("u"))
        assert np.array_equal(values, found.fields["u"])


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("version", [42, 51])
@pytest.mark.parametrize("kind", ["UnstructuredGrid", "PolyData"])
def test_legacy_files_with_fields(binary, version, kind, tmp_path):
    """Points, faces, a polyline and point data, among them those that VTK writes as FIELD data."""
    vtk()
    cells = [(5, [0, 1, 2]), (4, [3, 4, 5])] if kind == "UnstructuredGrid" else [(4, [3, 4, 5]), (5, [0, 1, 2])]
    paths = []
    for k, x in enumerate(FRAMES):
        data = dataset(f"vtk{kind}", x, cells, u=x - FRAMES[0], weight=np.arange(6.0) + k)
        mode = {"FileTypeToBinary" if binary else "FileTypeToASCII": None}
        paths.append(write(f"vtk{kind}Writer", data, tmp_path / f"f{k}.vtk", FileVersion=version, **mode))
    for path, found in zip(paths, snapshots(paths)):
        held = read(f"vtk{kind}Reader", path)
        assert np.array_equal(points_of(held), found.x) and found.edges.tolist() == [[3, 4], [4, 5]]
        for name in ("u", "weight"):
            values = vtk().support.vtk_to_numpy(held.GetPointData().GetArray(name))
            assert np.array_equal(values, found.fields[name])
    assert found.faces.tolist() == [[0, 1, 2]] and "passed through" in verdicts(paths)


CUBES = np.array(
    [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [0, 1, 0],
        [0, 0, 1],
        [1, 0, 1],
        [1, 1, 1],
        [0, 1, 1],
        [2, 0, 0],
        [2, 1, 0],
        [2, 0, 1],
        [2, 1, 1],
    ],
    float,
)
SECOND = [(1, 2, 6, 5), (8, 9, 11, 10), (1, 8, 9, 2), (5, 6, 11, 10), (1, 5, 10, 8), (2, 9, 11, 6)]


@pytest.mark.parametrize("form", ["vtu", "vtk", "vtk42"])
def test_polyhedra_have_the_boundary_that_vtk_extracts(form, tmp_path):
    v = vtk()
    data = dataset("vtkUnstructuredGrid", CUBES, [(12, range(8)), (42, SECOND)])
    if form == "vtu":
        path = write("vtkXMLUnstructuredGridWriter", data, tmp_path / "p.vtu")
    else:
        path = write("vtkUnstructuredGridWriter", data, tmp_path / "p.vtk", FileVersion=42 if form == "vtk42" else 51)
    [found] = snapshots([path])
    surface, triangles = v.vtkGeometryFilter(), v.vtkTriangleFilter()
    surface.SetInputData(data)
    triangles.SetInputConnection(surface.GetOutputPort())
    triangles.Update()
    right = triangles.GetOutput()
    area = sum(right.GetCell(k).ComputeArea() for k in range(right.GetNumberOfCells()))
    a, b, c = found.x[found.faces].transpose(1, 0, 2)
    assert len(found.faces) == right.GetNumberOfCells() == 20
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(area) == pytest.approx(10)
    moved = np.add(CUBES, [0, 0, 3])
    other = dataset("vtkUnstructuredGrid", moved, [(12, range(8)), (42, SECOND)])
    both = [path, write("vtkXMLUnstructuredGridWriter", other, tmp_path / "q.vtu")]
    assert verdicts(both) == ["separate"]


OLD = """<VTKFile type="UnstructuredGrid" version="0.1"><UnstructuredGrid><Piece NumberOfPoints="12" NumberOfCells="2"><Points>
<DataArray type="Float64" NumberOfComponents="3" format="ascii">{x}</DataArray></Points><Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3 4 5 6 7 1 2 5 6 8 9 10 11</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">8 16</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">12 42</DataArray>
<DataArray type="Int64" Name="faces" format="ascii">
6 4 1 2 6 5 4 8 9 11 10 4 1 8 9 2 4 5 6 11 10 4 1 5 10 8 4 2 9 11 6</DataArray>
<DataArray type="Int64" Name="faceoffsets" format="ascii">-1 31</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>"""


def test_polyhedra_in_files_of_older_versions(tmp_path):
    path = tmp_path / "old.vtu"
    path.write_text(OLD.format(x=" ".join(map(str, CUBES.ravel()))))
    found = ccd.read(path)
    assert len(found.faces) == 20
    if pytest.importorskip("vtkmodules.vtkIOXML"):
        cell = read("vtkXMLUnstructuredGridReader", path).GetCell(1)
        faces = [[cell.GetFace(k).GetPointId(i) for i in range(4)] for k in range(cell.GetNumberOfFaces())]
        assert list(map(tuple, faces)) == SECOND
    for old, new in (("-1 31", "-1 30"), ("-1 31", "-1 99"), ("\n6 4 1 2 6", "\n6 4 1 2 66"), ("\n6 4", "\n5 4")):
        path.write_text(OLD.format(x=" ".join(map(str, CUBES.ravel()))).replace(old, new))
        with pytest.raises(ccd.FileError, match=r"old\.vtu: cell 1: "):
            ccd.read(path)


CURVED = {
    22: ("vtkQuadraticTriangle", 6),
    23: ("vtkQuadraticQuad", 8),
    28: ("vtkBiQuadraticQuad", 9),
    34: ("vtkBiQuadraticTriangle", 7),
    24: ("vtkQuadraticTetra", 10),
    25: ("vtkQuadraticHexahedron", 20),
    26: ("vtkQuadraticWedge", 15),
    27: ("vtkQuadraticPyramid", 13),
    29: ("vtkTriQuadraticHexahedron", 27),
    32: ("vtkBiQuadraticQuadraticWedge", 18),
    33: ("vtkBiQuadraticQuadraticHexahedron", 24),
    69: ("vtkLagrangeTriangle", 6),
    70: ("vtkLagrangeQuadrilateral", 9),
    71: ("vtkLagrangeTetra", 10),
    72: ("vtkLagrangeHexahedron", 27),
    73: ("vtkLagrangeWedge", 18),
}
SOLID = [kind for kind in CURVED if kind in (24, 25, 26, 27, 29, 32, 33, 71, 72, 73)]


def curved(kind):
    """A cell of order 2, and its nodes where VTK has them, moved a little."""
    v, (name, n) = vtk(), CURVED[kind]
    cell = getattr(v, name)()
    if kind >= 68:
        cell.GetPointIds().SetNumberOfIds(n)
        cell.GetPoints().SetNumberOfPoints(n)
        if kind != 71 and kind != 69:
            cell.SetUniformOrderFromNumPoints(n)
        cell.Initialize()
    at = cell.GetParametricCoords()
    x = np.array([at[i] for i in range(3 * n)]).reshape(-1, 3)
    return x + np.random.default_rng(kind).normal(0, 0.03, x.shape)


@pytest.mark.parametrize("kind", SOLID)
@pytest.mark.parametrize("old", [False, True])
def test_sides_of_curved_cells_are_those_of_vtk(kind, old, tmp_path):
    """Each side has the nodes of a side that VTK says; in files before version 2.1 too, whose hexahedra VTK renumbers."""
    x = curved(kind)
    data = dataset("vtkUnstructuredGrid", x, [(kind, range(len(x)))])
    path = write("vtkXMLUnstructuredGridWriter", data, tmp_path / "c.vtu", DataModeToAscii=None)
    if old:
        text = Path(path).read_text()
        older, count = re.subn(r'"UnstructuredGrid" version="\d\.\d"', '"UnstructuredGrid" version="2.0"', text)
        assert count == 1
        Path(path).write_text(older)
    cell, found = read("vtkXMLUnstructuredGridReader", path).GetCell(0), ccd.read(path)
    right = set()
    for k in range(cell.GetNumberOfFaces()):
        face = cell.GetFace(k)
        right.add(frozenset(face.GetPointId(i) for i in range(face.GetNumberOfPoints())))
    sizes = {6: 4, 8: 6, 9: 8}
    groups, begin = set(), 0
    while begin < len(found.faces):
        for nodes in (9, 8, 6):
            part = frozenset(found.faces[begin : begin + sizes[nodes]].ravel().tolist())
            if len(part) == nodes and part in right:
                groups.add(part)
                begin += sizes[nodes]
                break
        else:
            raise AssertionError((begin, found.faces[begin:].tolist()))
    assert groups == right


@pytest.mark.parametrize("kind", list(CURVED))
def test_curved_faces_are_near_the_flat_ones_where_vtk_evaluates_them(kind, tmp_path):
    v, x = vtk(), curved(kind)
    data = dataset("vtkUnstructuredGrid", x, [(kind, range(len(x)))])
    path = write("vtkXMLUnstructuredGridWriter", data, tmp_path / "c.vtu", **modes("raw"))
    found = ccd.read(path)
    assert 0 < found.deviation < 1 and np.array_equal(found.vertices, x)
    triangles = found.vertices[found.faces]
    cell = data.GetCell(0)
    faces = [cell.GetFace(k) for k in range(cell.GetNumberOfFaces())] if kind in SOLID else [cell]
    where, number, far = [0.0] * 3, v.reference(0), []
    for face in faces:
        weights = [0.0] * face.GetNumberOfPoints()
        for a, b in np.random.default_rng(1).random((12, 2)):
            if face.GetNumberOfPoints() in (6, 7) and a + b > 1:
                a, b = 1 - a, 1 - b
            face.EvaluateLocation(number, [a, b, 0], where, weights)
            far.append(min(distance_to(np.array(where), t) for t in triangles))
    assert max(far) <= found.deviation + 1e-12


def distance_to(p, triangle):
    """The distance of a point from a triangle: of the plane's foot if it is inside, else of the nearest side."""
    a, b, c = triangle
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal)
    foot = p - np.dot(p - a, normal) * normal
    sides = ((a, b), (b, c), (c, a))
    if all(np.dot(np.cross(q - o, foot - o), normal) >= 0 for o, q in sides):
        return abs(np.dot(p - a, normal))
    near = (o + np.clip(np.dot(p - o, q - o) / np.dot(q - o, q - o), 0, 1) * (q - o) for o, q in sides)
    return min(np.linalg.norm(p - q) for q in near)


XDMF = {
    21: "Edge_3", 22: "Tri_6", 23: "Quad_8", 24: "Tet_10", 25: "Hex_20", 26: "Wedge_15", 27: "Pyramid_13", 28: "Quad_9",
    29: "Hex_27", 32: "Wedge_18",
}  # fmt: skip


@pytest.mark.parametrize("kind", [21, *(kind for kind in CURVED if kind < 33)])
@pytest.mark.parametrize("end", ["xdmf", "vtkhdf", "meshio"])
def test_cells_of_order_2_in_other_files_are_as_in_vtu(kind, end, tmp_path, monkeypatch):
    """XDMF and VTKHDF of VTK and meshio: one mesh is one frame, with the faces and the bound that the VTU has."""
    x = curved(kind) if kind > 21 else np.array([[0, 0, 0], [1, 0, 0], [0.5, 0.2, 0]])
    data = dataset("vtkUnstructuredGrid", np.vstack([x, x + 3]), [(kind, np.arange(len(x)) + k * len(x)) for k in (0, 1)])
    right = ccd.read(write("vtkXMLUnstructuredGridWriter", data, tmp_path / "c.vtu"))
    path = str(tmp_path / ("c.vtkhdf" if end == "vtkhdf" else "c.xdmf"))
    pytest.importorskip("h5py")
    monkeypatch.chdir(tmp_path)  # meshio writes the .h5 into the working folder
    if end == "meshio":
        meshio = pytest.importorskip("meshio")
        common = pytest.importorskip("meshio._vtk_common")
        name = common.vtk_to_meshio_type[kind]
        if kind in (26, 27, 32):
            pytest.skip("meshio 5.3.5 does not write these")
        meshio.Mesh(right.vertices, [(name, np.arange(2 * len(x)).reshape(2, -1))]).write(path)
    elif end == "xdmf":
        from test_audit_formats import item

        topology = f'<Topology TopologyType="{XDMF[kind]}">{item(np.arange(2 * len(x)).reshape(2, -1), "Int")}</Topology>'
        geometry = f'<Geometry GeometryType="XYZ">{item(right.vertices)}</Geometry>'
        Path(path).write_text(f'<Xdmf Version="3.0"><Domain><Grid>{topology}{geometry}</Grid></Domain></Xdmf>')
        if kind not in (26, 27, 32):  # meshio 5.3.5 has no dimension for these
            held = pytest.importorskip("meshio").read(path).cells[0]
            assert held.type == pytest.importorskip("meshio._vtk_common").vtk_to_meshio_type[kind]
            assert held.data.tolist() == np.arange(2 * len(x)).reshape(2, -1).tolist()
    else:
        write("vtkHDFWriter", data, path)
    (found,) = snapshots([path])
    assert np.array_equal(found.x, right.vertices)
    turned = [{tuple(np.roll(row, -row.argmin()).tolist()) for row in s.faces} for s in (found, right)]
    assert turned[0] == turned[1] and len(found.faces) == len(right.faces)
    assert np.array_equal(found.edges, np.sort(right.edges, axis=1)) and found.deviation == pytest.approx(right.deviation)
    assert (found.deviation > 0.01) == (kind != 21 or bool(right.deviation))


def test_an_audit_says_how_far_curved_faces_are(tmp_path):
    x = curved(22)
    far = [np.vstack([np.add(x, [0, 0, k]), np.add(x, [0, 0, 2.5 + k])]) for k in range(3)]
    paths = [
        write(
            "vtkXMLUnstructuredGridWriter",
            dataset("vtkUnstructuredGrid", y, [(22, range(6)), (22, range(6, 12))]),
            tmp_path / f"f{k}.vtu",
        )
        for k, y in enumerate(far)
    ]
    report = ccd.audit.files(paths)
    assert [str(s.verdict) for s in report.steps] == ["separate"] * 2
    assert any("2 faces and lines of order 2 are flat" in note for note in report.notes)
    [note] = [note for note in report.notes if "curved elements" in note]
    radius = float(note.split("--radius ")[1].split()[0])
    assert max(ccd.read(path).deviation for path in paths) <= radius < 0.1
    assert ccd.audit.files(paths, radius=radius).clean


def test_points_for_each_element_are_welded_by_the_first_frame(tmp_path):
    """Each triangle has points of its own, as MFEM and NGSolve write them; later frames tear them by less than a unit."""
    x, faces = wavy(6)
    for k in range(3):
        own = (np.add(x, [0, 0, k / 3]))[faces.ravel()]
        data = dataset("vtkUnstructuredGrid", own, [(5, range(3 * i, 3 * i + 3)) for i in range(len(faces))])
        write("vtkXMLUnstructuredGridWriter", data, tmp_path / f"f{k}.vtu", **modes("raw"))
    paths = [str(tmp_path / f"f{k}.vtu") for k in range(3)]
    for k, found in enumerate(snapshots(paths, weld=True)):
        held = points_of(read("vtkXMLUnstructuredGridReader", paths[k]))
        assert len(found.x) == len(x)
        assert np.array_equal(found.x[found.faces].reshape(-1, 3), held)
    assert verdicts(paths, weld=True) == ["separate"] * 2 and "separate" not in verdicts(paths)


def test_ghost_cells_are_left_out(tmp_path):
    """Two pieces with a common cell, which one of them marks as a copy, as parallel writers do."""
    v = vtk()
    x, faces = wavy(4)
    data = dataset("vtkUnstructuredGrid", x, [(5, f) for f in faces.tolist()])
    marks = v.vtkUnsignedCharArray()
    marks.SetName("vtkGhostType")
    for k in range(len(faces)):
        marks.InsertNextValue(1 if k < 3 else 32 if k == 3 else 0)
    data.GetCellData().AddArray(marks)
    path = write("vtkXMLUnstructuredGridWriter", data, tmp_path / "g.vtu")
    [found] = snapshots([path])
    held = read("vtkXMLUnstructuredGridReader", path)
    held.RemoveGhostCells()
    right = [[held.GetCell(k).GetPointId(i) for i in range(3)] for k in range(held.GetNumberOfCells())]
    assert len(right) == len(faces) - 4 and np.array_equal(points_of(held)[right], found.x[found.faces])


@pytest.mark.parametrize("solids", [False, True])
def test_parallel_files_of_vtk(solids, tmp_path):
    """PVTU in a PVD, as MFEM, deal.II and DOLFINx write them: two pieces, whose points are doubled at their border."""
    v = vtk()
    cells = [(12, range(8))] if solids else [(5, [0, 1, 2]), (5, [0, 2, 3])]
    half = CUBES[:8] if solids else CUBES[:4]
    lines = ""
    for k in range(3):
        for i in range(2):
            data = dataset("vtkUnstructuredGrid", np.add(half, [i, 0, k / 4]), cells, u=np.full((len(half), 3), float(k)))
            write("vtkXMLUnstructuredGridWriter", data, tmp_path / f"f{k}_{i}.vtu", **modes("raw"))
        pieces = "".join(f'<Piece Source="f{k}_{i}.vtu"/>' for i in range(2))
        points = '<PPoints><PDataArray type="Float64" NumberOfComponents="3"/></PPoints>'
        (tmp_path / f"f{k}.pvtu").write_text(
            '<VTKFile type="PUnstructuredGrid" version="1.0"><PUnstructuredGrid GhostLevel="0">'
            f'<PPointData><PDataArray type="Float64" Name="u" NumberOfComponents="3"/></PPointData>{points}{pieces}'
            "</PUnstructuredGrid></VTKFile>"
        )
        lines += f'<DataSet timestep="{k}" file="f{k}.pvtu"/>'
    path = tmp_path / "run.pvd"
    path.write_text(f'<VTKFile type="Collection"><Collection>{lines}</Collection></VTKFile>')
    for k, (loose, found) in enumerate(zip(snapshots([str(path)]), snapshots([str(path)], weld=True))):
        held = read("vtkXMLPUnstructuredGridReader", tmp_path / f"f{k}.pvtu")
        assert np.array_equal(points_of(held), loose.x)
        assert np.array_equal(v.support.vtk_to_numpy(held.GetPointData().GetArray("u")), loose.fields["u"])
        assert len(found.x) == (12 if solids else 6) and len(found.faces) == (20 if solids else 4)
    assert verdicts(path, weld=True) == ["separate"] * 2 and "separate" not in verdicts(path)
    assert any("2 pieces, whose points may be doubled" in note for note in ccd.audit.files(path).notes)
    (tmp_path / "f1.pvtu").write_text('<VTKFile type="PUnstructuredGrid"><PUnstructuredGrid/></VTKFile>')
    with pytest.raises(ccd.FileError, match=r"f1\.pvtu lists no pieces"):
        verdicts(path)


def test_curved_solids_with_points_of_their_own_are_welded(tmp_path):
    """Two hexahedra of 27 nodes, as MFEM writes them: their common side is no surface once they are welded."""
    v, (name, n) = vtk(), CURVED[29]
    at = getattr(v, name)().GetParametricCoords()
    x = np.array([at[i] for i in range(3 * n)]).reshape(-1, 3)
    paths = []
    for k in range(2):
        both = np.add(np.vstack([x, np.add(x, [1, 0, 0])]), [0, 0, 0.3 * k])
        data = dataset("vtkUnstructuredGrid", both, [(29, range(n)), (29, range(n, 2 * n))])
        paths.append(write("vtkXMLUnstructuredGridWriter", data, tmp_path / f"f{k}.vtu"))
    [found, _] = snapshots(paths, weld=True)
    assert len(found.faces) == 10 * 8 and len(found.x) == 45
    assert verdicts(paths, weld=True) == ["separate"]


def test_blocks_of_vtk(tmp_path):
    v = vtk()
    paths = []
    for k, x in enumerate(FRAMES):
        blocks = v.vtkMultiBlockDataSet()
        for i, (name, rows) in enumerate((("floor", x[:3]), ("tile", x[3:]))):
            blocks.SetBlock(i, dataset("vtkUnstructuredGrid", rows, [(5, range(3))]))
            blocks.GetMetaData(i).Set(v.vtkCompositeDataSet.NAME(), name)
        paths.append(write("vtkXMLMultiBlockDataWriter", blocks, tmp_path / f"f{k}.vtm"))
    for path, found in zip(paths, snapshots(paths)):
        held = read("vtkXMLMultiBlockDataReader", path)
        parts = [points_of(held.GetBlock(i)) for i in range(2)]
        assert found.names == ["floor", "tile"] and np.array_equal(np.vstack(parts), found.x)
    assert verdicts(paths) == RIGHT


def test_pvd_as_pyvista_reads_it(tmp_path):
    pyvista = pytest.importorskip("pyvista")
    lines = ""
    for k, x in enumerate(FRAMES):
        pyvista.make_tri_mesh(x, np.array([[0, 1, 2], [3, 4, 5]])).save(tmp_path / f"f{k}.vtp")
        lines += f'<DataSet timestep="{k / 4}" part="0" file="f{k}.vtp"/>'
    path = tmp_path / "run.pvd"
    path.write_text(f'<VTKFile type="Collection"><Collection>{lines}</Collection></VTKFile>')
    reader = pyvista.get_reader(path)
    for found in snapshots([str(path)]):
        reader.set_active_time_value(found.item.time)
        assert np.array_equal(reader.read()[0].points, found.x)
    assert verdicts(path) == RIGHT


@pytest.mark.parametrize("end", ["obj", "ply", "stl"])
def test_surfaces_of_vtk(end, tmp_path):
    """STL and PLY of VTK are in single precision; points of an STL are in another order, so corners are compared."""
    vtk()
    name = {"obj": "OBJ", "ply": "PLY", "stl": "STL"}[end]
    data = [dataset("vtkPolyData", x.astype(np.float32), [(5, [0, 1, 2]), (5, [3, 4, 5])]) for x in FRAMES]
    paths = [write(f"vtk{name}Writer", d, tmp_path / f"f{k}.{end}") for k, d in enumerate(data)]
    for path, found in zip(paths, snapshots(paths)):
        held = read(f"vtk{name}Reader", path)
        faces = [[held.GetCell(k).GetPointId(i) for i in range(3)] for k in range(2)]
        assert np.array_equal(points_of(held)[faces], found.x[found.faces])
    assert verdicts(paths) == RIGHT


def test_xdmf_as_vtk_reads_it(tmp_path):
    reader = getattr(pytest.importorskip("vtkmodules.vtkIOXdmf2"), "vtkXdmfReader", None)
    if reader is None:
        pytest.skip("VTK without its reader of XDMF")
    from test_audit_formats import TOPOLOGY, item, xdmf

    steps = "".join(
        f'<Grid><Time Value="{k}"/><Geometry GeometryType="XYZ">{item(x)}</Geometry>{TOPOLOGY}</Grid>'
        for k, x in enumerate(FRAMES)
    )
    path = xdmf(tmp_path / "run.xdmf", steps)
    held = reader()
    held.SetFileName(path)
    held.UpdateInformation()
    for found in snapshots([path]):
        held.UpdateTimeStep(found.item.time)
        data = held.GetOutputDataObject(0)
        while data.IsA("vtkMultiBlockDataSet"):
            data = data.GetBlock(0)
        assert np.array_equal(points_of(data), found.x)


def test_gmsh_with_node_data(tmp_path):
    """Gmsh writes a mesh and a view of displacements; what it evaluates are nodes and data by their tags."""
    gmsh = pytest.importorskip("gmsh")
    paths, right = [], []
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.option.setNumber("PostProcessing.SaveMesh", 0)
        for k in range(3):
            gmsh.clear()
            gmsh.model.add("two")
            for z, tag in ((0.0, 1), (1.0, 2)):
                gmsh.model.addDiscreteEntity(2, tag)
                corners = np.add(TRI[:3], [0.1, 0.1, z]) if z else TRI[:3]
                gmsh.model.mesh.addNodes(2, tag, [10 * tag + i for i in range(3)], corners.ravel())
                gmsh.model.mesh.addElementsByType(tag, 2, [100 + tag], [10 * tag + i for i in range(3)])
            view = gmsh.view.add("u")
            tags, x, _ = gmsh.model.mesh.getNodes()
            u = np.where(tags[:, None] >= 20, [0, 0, -0.75 * k], 0.0)
            gmsh.view.addModelData(view, 0, "two", "NodeData", tags, u)
            path = str(tmp_path / f"f{k}.msh")
            gmsh.write(path)
            gmsh.view.write(view, path, append=True)
            _, tags_back, data, _, _ = gmsh.view.getModelData(view, 0)
            order = {tag: row for row, tag in enumerate(tags_back)}
            right.append(x.reshape(-1, 3) + np.array([data[order[tag]] for tag in tags]))
            paths.append(path)
    finally:
        gmsh.finalize()
    for found, positions in zip(snapshots(paths, displacement="u"), right):
        assert np.array_equal(found.x, positions)
    assert verdicts(paths, displacement="u") == ["separate", "passed through"]
    with pytest.raises(ccd.ArgumentError, match="equal points beside point data that change: u"):
        verdicts(paths)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("serendipity", [0, 1])
@pytest.mark.parametrize("recombine", [0, 1])
def test_curved_elements_of_gmsh(dimension, serendipity, recombine, tmp_path):
    """The surface of a mesh of order 2 has the nodes of Gmsh's own elements, and Gmsh's boundary triangles lie in it."""
    gmsh = pytest.importorskip("gmsh")
    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.option.setNumber("Mesh.SecondOrderIncomplete", serendipity)
        gmsh.option.setNumber("Mesh.RecombineAll", recombine)
        gmsh.model.add("ball")
        if dimension == 2 or not recombine:
            gmsh.model.occ.addSphere(0, 0, 0, 1)
        else:
            base = gmsh.model.occ.addDisk(0, 0, 0, 1, 1)
            gmsh.model.occ.extrude([(2, base)], 0, 0, 1, [2], recombine=True)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.6)
        gmsh.model.mesh.generate(dimension)
        gmsh.model.mesh.setOrder(2)
        if dimension == 3:  # the volume alone
            for _, tag in gmsh.model.getEntities(3):
                gmsh.model.addPhysicalGroup(3, [tag])
        path = str(tmp_path / "ball.msh")
        gmsh.write(path)
        _, x, _ = gmsh.model.mesh.getNodes()
        surface = gmsh.model.mesh.getElements(2)
        used = {int(n) for nodes in surface[2] for n in nodes}
        tags = {int(t): i for i, t in enumerate(gmsh.model.mesh.getNodes()[0])}
        places = {tuple(np.round(x.reshape(-1, 3)[tags[n]], 9) + 0.0) for n in used}  # the file has 16 digits
    finally:
        gmsh.finalize()
    found = ccd.read(path)
    assert 0 < found.deviation < 0.5
    mine = {tuple(p) for p in (np.round(found.vertices, 9) + 0.0)[np.unique(found.faces)]}
    assert mine == places if dimension == 2 or not recombine else mine <= places
    edges = np.sort(found.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()


def test_warp_arrays_are_frames():
    warp = pytest.importorskip("warp")
    warp.config.quiet = True
    warp.init()
    states = [warp.array(x.astype(np.float32), dtype=warp.vec3, device="cpu") for x in FRAMES]
    mesh = ccd.Mesh([[0, 1, 2], [3, 4, 5]])
    assert [str(s.verdict) for s in ccd.audit.frames(mesh, states).steps] == RIGHT
    recorder = ccd.audit.Recorder(mesh)
    for state in states:
        recorder.append(state)
    assert [str(s.verdict) for s in recorder.report.steps] == RIGHT


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="no Linux")
def test_a_long_sequence_holds_two_frames(tmp_path):
    """The memory of an audit does not grow with the number of frames."""
    import resource

    x, faces = wavy(60)
    both = np.vstack([faces, faces + len(x)])
    frames = (np.vstack([x, np.add(x, [0, 0, 0.5 + 0.001 * k])]) for k in range(80))
    mesh = ccd.Mesh(both)
    used = []

    def progress(frame, step):
        used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    assert ccd.audit.frames(mesh, frames, progress=progress, distances=False).clean
    assert used[-1] - used[10] < 8 * 1024  # KiB; 70 frames have 24 MB
