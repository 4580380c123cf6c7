"""Volumes of elements: topology, edits, steps, files."""

import ctypes
import json

import numpy as np
import pytest

import ccd
from ccd._native import abi
from ccd.cli import main
from ccd.volume import Element, PairClass, Volume

CORNERS = [[0, 1, 2, 3], [0, 1, 2, 4]]
X0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 2], [1, 1, -2]], float)

VTK = """# vtk DataFile Version 2.0

ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0 4 0 0 0 4 0 1 1 2 1 1 -2
CELLS 2 10
4 0 1 2 3
4 0 1 2 4
CELL_TYPES 2
10 10
"""


@pytest.fixture
def volume():
    return Volume(5, "tetrahedron", CORNERS)


def falling():
    x1 = X0.copy()
    x1[3, 2] = -1
    return x1


def test_contacts_are_152_bytes_in_ctypes_and_numpy():
    assert ctypes.sizeof(abi.VolumeImpact) == ccd.volume.impact_dtype.itemsize == 152
    for name, _ in abi.VolumeImpact._fields_:
        assert getattr(abi.VolumeImpact, name).offset == ccd.volume.impact_dtype.fields[name][1], name


def test_topology(volume):
    assert volume.counts == (5, 2, 9, 7)
    assert volume.edges.tolist()[:2] == [[0, 1], [0, 2]] and volume.faces.tolist()[0] == [0, 1, 2]
    assert volume.origins.tolist() == [0, 1, 2, 3, 4]
    assert "5 vertices, 2 elements" in repr(volume)
    with volume:
        pass
    assert "closed" in repr(volume)
    with pytest.raises(ccd.HandleError, match="volume was destroyed"):
        ccd.volume.earliest(volume, X0, X0)


@pytest.mark.parametrize(
    "elements",
    ["tetrahedron", Element.TETRAHEDRON, [10, 10], ["tetrahedron", Element.TETRAHEDRON], np.array([10, 10], np.int8)],
)
def test_elements_are_given_in_many_ways(elements):
    assert Volume(5, elements, CORNERS).counts == (5, 2, 9, 7)
    assert Volume(5, elements, np.ravel(CORNERS).astype(np.uint16)).counts == (5, 2, 9, 7)


def test_what_is_wrong_is_named():
    with pytest.raises(ccd.InvalidIndexError, match=r"elements\[1\], a tetrahedron: its corner 3 is 4"):
        Volume(4, "tetrahedron", CORNERS)
    with pytest.raises(ccd.ArgumentError, match="elements is 'cube': must be one of triangle"):
        Volume(4, "cube", CORNERS)
    with pytest.raises(ccd.ArgumentError, match="multiple of 8"):
        Volume(4, "hexahedron", [0, 1, 2])
    with pytest.raises(ccd.ArgumentError, match=r"elements\[0\] is of type 6"):
        Volume(5, [6], [0, 1, 2])
    with pytest.raises(ccd.ArgumentError, match="vertices is -1"):
        Volume(-1, [], [])
    with pytest.raises(ccd.ArgumentError, match=r"volume is int: must be a ccd\.volume\.Volume"):
        ccd.volume.earliest(3, X0, X0)
    with pytest.raises(ccd.ArgumentError, match="pair_classes is 'all'"):
        ccd.volume.earliest(Volume(5, "tetrahedron", CORNERS), X0, X0, pair_classes="all")


def test_steps(volume):
    first = ccd.volume.earliest(volume, X0, falling())
    assert first.impact.verdict == ccd.Verdict.CONTACT and first.pair_class == PairClass.WITHIN_ELEMENT
    assert first.vertices == (3, 0, 1, 2) and first.elements == (0, 0) and first.impact.a == 3
    assert first.impact.toi_lo <= 2 / 3 <= first.impact.toi_hi
    stats = ccd.Stats()
    every = ccd.volume.collisions(volume, X0, falling(), stats=stats)
    assert [ccd.volume.Impact.from_record(c) for c in every] == [first]
    assert stats.boxes == 5 + 9 + 7 and stats.impacts == 1
    assert not len(ccd.volume.collisions(volume, X0, falling(), pair_classes=[PairClass.WITHIN_OBJECT, "between-objects"]))
    assert len(ccd.volume.collisions(volume, X0, falling(), brute_force=True)) == 1
    none = ccd.volume.earliest(volume, X0, X0)
    assert none.impact.separate and none.pair_class is None


def test_radii(volume):
    plain = ccd.volume.collisions(volume, X0, falling(), min_separation=0.25)
    volume.set_radii(0.125)
    assert ccd.volume.collisions(volume, X0, falling()).tobytes() == plain.tobytes()
    volume.set_radii([0, 0, 0, 0.5, 0])
    thick = ccd.volume.earliest(volume, X0, falling())
    volume.set_radii(None)
    assert thick.impact.toi_lo < ccd.volume.earliest(volume, X0, falling()).impact.toi_lo
    with pytest.raises(ccd.ArgumentError, match="radii has 2 values; the volume has 5 vertices"):
        volume.set_radii([1.0, 2.0])
    with pytest.raises(ccd.NonFiniteError, match=r"radii\[4\] is NaN"):
        volume.set_radii([0, 0, 0, 0, np.nan])


def test_radii_of_new_vertices(volume):
    volume.set_radii([0, 0, 0, 0.25, 0])
    new = volume.split(3, [0])
    x0, x1 = np.vstack([X0, X0[3]]), np.vstack([falling(), falling()[3]])
    split = ccd.volume.earliest(volume, x0, x1)
    volume.set_radii([0, 0, 0, 0, 0, 0.25])
    assert new == 5 and split.impact.toi_lo == ccd.volume.earliest(volume, x0, x1).impact.toi_lo < 1


def test_surface(volume):
    """The shared side is inside: a vertex that meets it alone is no contact of the surface."""
    assert len(ccd.volume.collisions(volume, X0, falling())) == 1
    assert not len(ccd.volume.collisions(volume, X0, falling(), surface=True))


def test_elements_can_be_read_back():
    """Of every type, through edits: what is read back makes a volume with the same features."""
    corners = np.arange(3 + 4 + 4 + 8 + 6 + 5, dtype=np.int32)
    volume = Volume(len(corners), list(Element), corners)
    assert volume.elements.dtype == volume.corners.dtype == np.int32
    assert volume.elements.tolist() == list(Element) and np.array_equal(volume.corners, corners)
    volume.add("tetrahedron", [0, 1, 2, 9])
    fresh = volume.split(0, [6])
    volume.remove([1, 3])
    kinds = [Element.TRIANGLE, 0, Element.TETRAHEDRON, 0, Element.PRISM, Element.PYRAMID, Element.TETRAHEDRON]
    assert volume.elements.tolist() == kinds
    assert volume.corners.tolist() == [*range(3), *range(7, 11), *range(19, 30), fresh, 1, 2, 9]
    again = Volume(volume.counts[0], volume.elements[volume.elements > 0], volume.corners)
    kept = volume.faces[volume.faces[:, 0] >= 0]
    assert {tuple(f) for f in again.faces.tolist()} == {tuple(f) for f in kept.tolist()}
    empty = Volume(0, [], [])
    assert empty.elements.shape == empty.corners.shape == (0,)
    volume.close()
    for name in ("elements", "corners"):
        with pytest.raises(ccd.HandleError):
            getattr(volume, name)


def test_edits(volume):
    fresh = [volume.split(v, [1]) for v in range(3)]
    assert fresh == [5, 6, 7] and volume.origins.tolist() == [0, 1, 2, 3, 4, 0, 1, 2]
    x1 = np.vstack([X0, X0[:3]])
    x1[5:, 2] -= 1
    velocity = np.zeros_like(x1)
    velocity[5:, 2] = -2
    x0 = ccd.volume.backtrack(np.vstack([X0, np.full((3, 3), 9.0)]), x1, velocity, 0.5, fresh)
    assert np.array_equal(x0[5:], X0[:3]) and np.array_equal(x0[:5], X0)
    assert not len(ccd.volume.collisions(volume, x0, x1))
    split = ccd.volume.collisions(volume, x0, x1, pair_classes=PairClass.AT_SPLIT)
    assert len(split) and (split["impact"]["toi_lo"] == 0).all() and (split["pair_class"] == PairClass.AT_SPLIT).all()
    for v in range(3):
        volume.merge(5 + v, v)
    assert volume.add_vertices([-1]) == 8 and volume.add("triangle", [0, 3, 8]) == 2
    volume.remove([0])
    with pytest.raises(ccd.InvalidIndexError, match=r"elements\[0\] is 0, which was removed"):
        volume.remove([0])


def test_files(tmp_path):
    (tmp_path / "two.vtk").write_text(VTK)
    cells = ccd.volume.read(tmp_path / "two.vtk")
    assert np.array_equal(cells.vertices, X0) and cells.elements.tolist() == [10, 10]
    assert cells.volume().counts == (5, 2, 9, 7)
    (tmp_path / "two.vtk").write_text(VTK[:-6])
    with pytest.raises(ccd.FileError, match="line 10"):
        ccd.volume.read(tmp_path / "two.vtk")
    points = "".join(f"{x:g} {y:g} {z:g} 0\n" for x, y, z in X0)
    medit = f"MeshVersionFormatted 2\nDimension 3\nVertices 5\n{points}Tetrahedra 2\n1 2 3 4 0\n1 2 3 5 0\nEnd\n"
    (tmp_path / "two.mesh").write_text(medit)
    assert np.array_equal(ccd.volume.read(tmp_path / "two.mesh").corners, cells.corners)
    (tmp_path / "two.mesh").write_text(medit.replace("Tetrahedra 2", "Quadrilaterals 1\n1 2 3 4 0\nTetrahedra 2"))
    assert ccd.read(tmp_path / "two.mesh").faces.tolist() == [[3, 0, 1], [1, 2, 3]]  # not convex


def test_command(tmp_path, capsys):
    (tmp_path / "a.vtk").write_text(VTK)
    (tmp_path / "b.vtk").write_text(VTK.replace("1 1 2 1 1 -2", "1 1 -1 1 1 -2"))
    np.save(tmp_path / "b.npy", falling())
    a, b, still = (str(tmp_path / name) for name in ("a.vtk", "b.vtk", "b.npy"))
    for end in (b, still):
        assert main(["volume", a, end, "--all"]) == 1
        text = capsys.readouterr().out
        assert "vertex-face 3 0 at t = 0.66" in text and "within-element" in text and "2 elements" in text
    assert main(["volume", a, b, "--earliest", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["earliest"]["vertices"] == [3, 0, 1, 2] and report["earliest"]["pair_class"] == "within-element"
    assert main(["volume", a, b, "--method", "volccd", "--json"]) == 1
    again = json.loads(capsys.readouterr().out)
    assert again["earliest"] == report["earliest"] and again["options"]["method"] == "volccd"
    assert main(["volume", a, b, "--pair-class", "between-objects"]) == 0
    assert "separate" in capsys.readouterr().out
    assert main(["volume", a, a, "--surface", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "separate"
    assert main(["volume", a, str(tmp_path / "none.vtk")]) == 2
    assert "none.vtk" in capsys.readouterr().err


def test_random_volume_is_that_of_brute_force():
    rng = np.random.default_rng(5)
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3, indexing="ij"), -1).reshape(-1, 3)
    index = np.arange(64).reshape(4, 4, 4)
    x, y, z = (a.ravel() for a in np.meshgrid(*[np.arange(3)] * 3, indexing="ij"))
    around = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    corners = np.stack([index[x + a, y + b, z + c] for a, b, c in around], -1)
    volume = Volume(64, "hexahedron", corners)
    x0, x1 = grid + 0.3 * rng.random(grid.shape), grid + 3 * rng.random(grid.shape)
    every = ccd.volume.collisions(volume, x0, x1)
    assert len(every) > 100
    assert every.tobytes() == ccd.volume.collisions(volume, x0, x1, brute_force=True).tobytes()
    assert every.tobytes() == ccd.volume.collisions(volume, x0, x1, threads=1).tobytes()
    assert every.tobytes() == ccd.volume.collisions(volume, x0, x1, method="volccd").tobytes()
    assert ccd.volume.earliest(volume, x0, x1, method="volccd") == ccd.volume.Impact.from_record(every[0])
    with pytest.raises(ccd.UnsupportedError, match=r"method is 'd2m': calls of ccd\.volume do not support it"):
        ccd.volume.collisions(volume, x0, x1, method="d2m")
    assert ccd.volume.earliest(volume, x0, x1) == ccd.volume.Impact.from_record(every[0])
