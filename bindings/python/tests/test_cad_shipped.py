"""STEP and IGES files that packages ship: read, at rest, and in motion, beside Open CASCADE."""

import math
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import ccd
from ccd._io.cad import explored

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

SHIPPED = {  # Each package of PyPI or npm has files, with their numbers of parts and faces.
    "gmsh 4.15.2, share/doc/gmsh": {
        "tutorials/t20_data.step": (1, 21),
        "examples/boolean/component8.step": (1, 21),
        "examples/boolean/as1-tu-203.stp": (18, 160),
        "examples/api/step_header_data.stp": (1, 1),
        "examples/api/step_boundary_colors.stp": (1, 6),
    },
    "netgen-mesher 6.2.2608, share/netgen": {"frame.step": (1, 375), "screw.step": (1, 10)},
    "occt-import-js 0.0.23, occt-import-js/test/testfiles": {  # most are of the CAx Implementor Forum
        "cax-if/as1-oc-214.stp": (18, 160),
        "cax-if/as1_pe_203.stp": (18, 160),
        "cax-if/dm1-id-214.stp": (7, 48),
        "cax-if/dm1-oc-214.stp": (7, 61),
        "cax-if/dm1-pe-214.stp": (7, 61),
        "cax-if/io1-cm-214.stp": (1, 29),
        "cax-if/io1-tu-203.stp": (1, 29),
        "cax-if/sg1-c5-214.stp": (1, 16),
        "cax-if/s1-c5-214/s1-c5-214.stp": (11, 182),
        "cax-if/s1-tu-203/s1-tu-203.stp": (11, 180),
        "cax-if/s1_pe_214/s1_pe_214.stp": (11, 173),
        "cube-10x10mm/Cube 10x10.igs": (1, 6),
        "cube-10x10mm/Cube 10x10.stp": (1, 6),
        "cube-units/cube-in.step": (1, 6),
        "cube-units/cube-m.step": (1, 6),
        "rounded-cube/rounded-cube.step": (1, 7),
        "conical-surface/conical-surface.step": (1, 5),
    },
}


def shipped(package, name):
    """The path of a file of a package, which is skipped if the package is not installed; `make peers` has those of npm."""
    folder = package.split(", ")[1]
    bases = [Path(sys.prefix), Path(np.__file__).parents[1], Path(__file__).parents[3] / "build" / "npm" / "node_modules"]
    path = next((base / folder / name for base in bases if (base / folder / name).is_file()), None)
    if path is None:
        pytest.skip(f"{name} of {package} is not installed")
    return path


def plain(path):
    """The shape of a file by Open CASCADE's plain reader; by that of documents where its parts are in other files."""
    from OCP.IGESControl import IGESControl_Reader
    from OCP.STEPCAFControl import STEPCAFControl_Reader
    from OCP.STEPControl import STEPControl_Reader
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDocStd import TDocStd_Document
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    reader = IGESControl_Reader() if path.suffix == ".igs" else STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    whole = reader.OneShape()
    if any(explored(whole, "FACE")):
        return whole
    caf, document = STEPCAFControl_Reader(), TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    caf.ReadFile(str(path))
    caf.Transfer(document)
    return XCAFDoc_DocumentTool.ShapeTool_s(document.Main()).GetOneShape()


FILES = [(package, name) for package, files in SHIPPED.items() for name in files]


@pytest.mark.long
@pytest.mark.parametrize("package, name", FILES)
def test_files_that_packages_ship(package, name):
    """Parts, faces and the box of all are those that Open CASCADE's readers have."""
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    path = shipped(package, name)
    assembly = ccd.cad.read(path)
    assert (len(assembly.parts), sum(p.product.faces for p in assembly.parts)) == SHIPPED[package][name]
    whole = plain(path)
    assert sum(1 for _ in explored(whole, "FACE")) == SHIPPED[package][name][1]
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(whole, box, False, False)
    right = np.array([[e.X(), e.Y(), e.Z()] for e in (box.CornerMin(), box.CornerMax())])
    assert np.abs(shapes.ends(assembly) - right).max() < 1e-6 * np.abs(right).max()


def box_of(shape):
    corners = ccd.cad._occ.corners(shape)
    return corners.min(0), corners.max(0)


def apart(one, other):
    """The least distance of the solids of two shapes, or of their faces where they have no solids, by Open CASCADE.

    It says 0 of solids of which it takes a corner of one to be inside of the other. Of s1-c5-214 it does so with a corner
    that is outside of the other's box: then the distance is that of the shells.
    """
    from OCP.BRepExtrema import BRepExtrema_DistShapeShape

    found = []
    for a in list(explored(one, "SOLID")) or [one]:
        for b in list(explored(other, "SOLID")) or [other]:
            judge = BRepExtrema_DistShapeShape(a, b)
            value = judge.Value()
            if judge.InnerSolution():
                p = judge.PointOnShape1(1)
                p = np.array([p.X(), p.Y(), p.Z()])
                if any(np.any(p < low) or np.any(p > high) for low, high in map(box_of, (a, b))):
                    value = min(shapes.distance(x, y) for x in explored(a, "SHELL") for y in explored(b, "SHELL"))
            found.append(value)
    return min(found)


def placed(assembly, k, at):
    return shapes.moved(assembly.parts[k].product.shape, at[k])


@pytest.mark.long
@pytest.mark.parametrize("package, name", [(p, n) for p, n in FILES if SHIPPED[p][n][0] > 1])
def test_shipped_assemblies_at_rest(package, name):
    """Pairs that are listed are those of no distance by Open CASCADE, and their brackets hold it."""
    assembly = ccd.cad.read(shipped(package, name))
    size, at = assembly.size, np.stack([p.matrix for p in assembly.parts])
    rest = {(r.a, r.b): r for r in ccd.cad.at_rest(assembly, volumes=False)}
    names, still = [p.name for p in assembly.parts], [placed(assembly, k, at) for k in range(len(at))]
    boxes = [box_of(shape) for shape in still]
    compared = 0
    for a, b in combinations(range(len(at)), 2):
        found = rest.pop((names[a], names[b]), None)
        if found is None and np.any(np.maximum(boxes[a][0], boxes[b][0]) > np.minimum(boxes[a][1], boxes[b][1])):
            continue
        distance, compared = apart(still[a], still[b]), compared + 1
        if found is None:
            assert distance > 0, (names[a], names[b])
        else:
            assert found.state in ("touching", "crossing", "inside"), found
            assert found.lo - 1e-9 * size <= distance <= found.hi + 1e-9 * size, (found, distance)
    assert not rest and compared >= 6


def overlap(one, other, size):
    """Whether the least distance is 0 by Open CASCADE, or its classifier has a corner of its triangles of one in the other.

    Its distances miss some crossings: of io1-tu-203 and the nail it has 0, 0.005 and 0 at times that are 2e-5 apart, and its
    classifier has two corners of the nail inside at all three.
    """
    from OCP.BRepClass3d import BRepClass3d_SolidClassifier
    from OCP.TopAbs import TopAbs_IN

    within = 1e-9 * size
    if apart(one, other) <= within:
        return True
    for a, b in ((one, other), (other, one)):
        for solid in explored(b, "SOLID"):
            judge = BRepClass3d_SolidClassifier(solid)
            for corner in shapes.points(a, 1e-3 * size):
                judge.Perform(corner, within)
                if judge.State() == TopAbs_IN:
                    return True
    return False


def nail(size):
    """A cone with a blunt tip at the origin, and a shaft above it."""
    return shapes.fuse(
        shapes.cylinder(0.02 * size, 0.1 * size, (0, 0, 0.05 * size)), shapes.cone(0.005 * size, 0.02 * size, 0.05 * size)
    )


@pytest.mark.long
@pytest.mark.parametrize("package, name", FILES)
def test_shipped_files_in_motion(package, name):
    """A nail is driven into the largest part, maybe through others of which two are tested too.

    Before `toi_lo` Open CASCADE has distances above 0, at `time` one within the tolerance, and at `toi_hi` both overlap.
    """
    read = ccd.cad.read(shipped(package, name))
    size, rng = read.size, np.random.default_rng(sum(map(ord, name)))
    largest = max(range(len(read.parts)), key=lambda k: read.parts[k].product.size)
    solid, matrix = read.parts[largest].product._closed(), read.parts[largest].matrix
    corners = solid.points[solid.corners[rng.integers(len(solid.corners))]] @ matrix[:3, :3].T + matrix[:3, 3]
    inward = -np.cross(corners[1] - corners[0], corners[2] - corners[0])
    boxes = [box_of(shapes.moved(p.product.shape, p.matrix)) for p in read.parts]
    middle = 0.5 * (np.min([low for low, _ in boxes], 0) + np.max([high for _, high in boxes], 0))
    away = rng.normal(size=3)
    start, end = np.eye(4), np.eye(4)
    start[:3, :3] = ccd.cad._turns.rotation(rng.normal(size=3) * 0.5)
    start[:3, 3] = middle + size * away / np.linalg.norm(away)
    end[:3, 3] = corners.mean(0) + 0.01 * size * inward / np.linalg.norm(inward)
    made = {p.name: p.product.shape for p in read.parts} | {"nail": nail(size)}
    assembly = ccd.cad.Assembly.of(made, {p.name: p.matrix for p in read.parts})
    drive, tolerance = ccd.cad.by_poses(assembly, [0, 1], {"nail": [start, end]}), 1e-5 * size
    others = [k for k in range(len(read.parts)) if k != largest][:2]
    for k in [largest, *others]:

        def gap(t, k=k):
            at = drive.at(float(t))
            return apart(placed(assembly, k, at), placed(assembly, -1, at))

        hit = ccd.cad.first_contact(drive, assembly.parts[k].name, "nail", tolerance=tolerance)
        assert k != largest or hit.verdict == "contact", hit
        assert all(gap(t) > 0 for t in np.linspace(0, min(hit.toi_lo, 1), 8)[:-1]), hit
        if hit.verdict == "contact":
            assert gap(hit.time) <= hit.hi + 1e-9 * size and hit.hi <= 1.01 * tolerance, hit
            if math.isfinite(hit.toi_hi):
                at = drive.at(hit.toi_hi)
                assert overlap(placed(assembly, k, at), placed(assembly, -1, at), size), hit
        else:
            assert hit.verdict == "clear" and gap(1) > 0, hit
