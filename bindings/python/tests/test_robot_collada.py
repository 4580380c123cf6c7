"""COLLADA meshes of robots: placed as by RViz, and nothing of them is left out."""

import re
import sys

import numpy as np
import pytest
from robots import robot

import ccd

WITH = '<robot name="r"><link name="a"><collision><geometry><mesh filename="part.dae"{}/></geometry></collision></link></robot>'
BOX = ccd.robot.Shape.box([2, 3, 4])


def numbers(x):
    return " ".join(repr(v) for v in np.asarray(x).ravel().tolist())


def dae(shapes, nodes=None, unit='<unit name="millimeter" meter="0.001"/>', more="", count=None):
    """A file with shapes (vertices, text of primitives), in nodes of (text of transforms, shape)."""
    out = ['<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>']
    out.append(f"<created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified>{unit}<up_axis>Y_UP</up_axis>")
    out.append("</asset><library_images><image id='broken'/></library_images><library_geometries>")
    for i, (x, primitives) in enumerate(shapes):
        array = f'<float_array id="a{i}" count="{count or 3 * len(x)}">{numbers(x)}</float_array>'
        axes = "".join(f'<param name="{a}" type="float"/>' for a in "XYZ")
        access = f'<technique_common><accessor source="#a{i}" count="{len(x)}" stride="3">{axes}</accessor></technique_common>'
        source = f'<source id="s{i}">{array}{access}</source><vertices id="v{i}"><input semantic="POSITION" source="#s{i}"/>'
        out.append(f'<geometry id="g{i}"><mesh>{source}</vertices>{primitives.replace("@", f"#v{i}")}</mesh></geometry>')
    out.append('</library_geometries><library_visual_scenes><visual_scene id="scene">')
    for place, i in nodes or [("", i) for i in range(len(shapes))]:
        material = (
            '<bind_material><technique_common><instance_material symbol="m" target="#m"/></technique_common></bind_material>'
        )
        out.append(f'<node>{place}<instance_geometry url="#g{i}">{material}</instance_geometry></node>')
    out.append(f'{more}</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>')
    return "".join(out)


def triangles(faces):
    return (
        f'<triangles count="{len(faces)}"><input semantic="VERTEX" source="@" offset="0"/><p>{numbers(faces)}</p></triangles>'
    )


def polygons(*corners):
    counts = numbers([len(c) for c in corners])
    flat = numbers(np.concatenate(corners))
    return (
        f'<polylist count="{len(corners)}"><input semantic="VERTEX" source="@" offset="0"/>'
        f"<vcount>{counts}</vcount><p>{flat}</p></polylist>"
    )


@pytest.fixture
def read(tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed")

    def read(text, more=""):
        (tmp_path / "part.dae").write_text(text)
        return robot(tmp_path, WITH.format(more))

    return read


def corners(one):
    x, faces, *_ = one.surface("a")
    return x[faces]


def test_unit_and_nodes_count_and_the_up_axis_does_not(read, tmp_path):
    turned = "<translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>1 2 1</scale>"
    one = read(dae([(BOX.vertices, triangles(BOX.faces))], [("", 0), (turned, 0)]), ' scale="1 1 2"')
    want = BOX.vertices[BOX.faces]
    moved = np.stack([10 - 2 * want[..., 1], want[..., 0], want[..., 2]], axis=-1)
    found = corners(one)
    assert np.allclose(found, np.concatenate([want, moved]) * [1e-3, 1e-3, 2e-3], atol=1e-9) and len(found) == 24
    assert one.units == {str(tmp_path / "part.dae"): 0.001} and one.open_links == []
    assert read(dae([(BOX.vertices, triangles(BOX.faces))], unit="")).units == {}


def test_a_mirrored_node_keeps_its_outside(read):
    volume = lambda t: np.linalg.det(t).sum() / 6  # noqa: E731
    plain = read(dae([(BOX.vertices, triangles(BOX.faces))], unit=""))
    mirrored = read(dae([(BOX.vertices, triangles(BOX.faces))], [("<scale>-1 1 1</scale>", 0)], unit=""))
    assert volume(corners(plain)) == pytest.approx(24) == volume(corners(mirrored))


def test_polygons_are_cut_within_their_outline(read):
    """A fan from the first corner would leave an L."""
    x = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0]], float)
    found = corners(read(dae([(x, polygons([4, 5, 0, 1, 2, 3], [0, 1, 5]))], unit="")))
    area = np.linalg.norm(np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0]), axis=1) / 2
    assert area[1:].sum() == pytest.approx(3) and len(found) == 5


def test_dirty_triangles_are_read(read):
    faces = [*BOX.faces.tolist(), BOX.faces[0].tolist(), [0, 0, 1], [3, 3, 3]]
    x = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    square = read(dae([(x, polygons([0, 1, 1, 2, 3, 0], [0, 0, 0, 0], [1, 3, 3, 1]))], unit=""))
    _, flat, edges, _ = square.surface("a")
    assert len(flat) == 2 and len(edges) <= 1  # the diagonal may be an edge of both triangles
    split = BOX.vertices[BOX.faces].reshape(-1, 3)  # each triangle with vertices of its own
    one = read(dae([(np.vstack([BOX.vertices, [[9, 9, 9]]]), triangles(faces))], unit=""))
    assert len(corners(one)) == 12 and one.open_links == []
    assert read(dae([(split, triangles(np.arange(36).reshape(12, 3)))], unit="")).open_links == []


def test_it_has_the_triangles_of_trimesh(read, tmp_path):
    trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")
    r = np.random.default_rng(2)
    place = f"<matrix>{numbers(np.vstack([r.normal(size=(3, 4)), [0, 0, 0, 1]]))}</matrix>"
    text = dae([(r.normal(size=(9, 3)), triangles(np.arange(9).reshape(3, 3)))], [(place, 0)])
    one = read(re.sub("<bind_material>.*?</bind_material>", "", text))  # trimesh drops shapes whose material is not there
    theirs = trimesh.load_scene(tmp_path / "part.dae", process=False).to_mesh()
    order = lambda t: t.reshape(-1, 9)[np.lexsort(t.reshape(-1, 9).round(6).T)]  # noqa: E731
    assert np.allclose(order(corners(one)), order(0.001 * theirs.triangles), atol=1e-8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot/>", "the root is <robot>: must be <COLLADA>"),
        ("<COLLADA", "no element found|unclosed token|not well-formed"),
        (dae([(BOX.vertices, triangles(BOX.faces))], unit='<unit meter="big"/>'), "<unit meter='big'>: must be a number"),
        (dae([(BOX.vertices, triangles(BOX.faces))], unit='<unit meter="0"/>'), "<unit meter='0'>: must be a number"),
        (dae([(BOX.vertices, triangles([[0, 1, 8]]))]), "part.dae"),
        (dae([(BOX.vertices, triangles(BOX.faces))], count=27), "<float_array id='a0'> has 24 numbers: its count is 27"),
        (dae([(BOX.vertices, "")]), "no triangles and no polygons"),
        (dae([(BOX.vertices, triangles(BOX.faces).replace("triangles", "tristrips"))]), "strips of triangles"),
        (dae([(BOX.vertices, triangles(BOX.faces))], more='<node><instance_controller url="#c"/></node>'), "a skin or a morph"),
        (dae([(BOX.vertices, polygons([0, 1]))]), "the least 2"),
        (dae([(BOX.vertices, triangles(BOX.faces))]).replace('url="#scene"', 'url="#other"'), "part.dae"),
        (dae([(BOX.vertices, triangles(BOX.faces))]).replace("-1.0", "abc"), "part.dae"),
        (dae([(BOX.vertices * np.nan, triangles(BOX.faces))]), "<float_array id='a0'> holds NaN"),
    ],
)
def test_errors_name_the_file(read, text, message):
    with pytest.raises(ccd.Error, match=message):
        read(text)


def test_without_pycollada_an_error_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "part.dae").write_text("")
    monkeypatch.setitem(sys.modules, "collada", None)
    with pytest.raises(ImportError, match=r"part.dae: COLLADA files need pycollada .*pip install pycollada"):
        robot(tmp_path, WITH.format(""))
