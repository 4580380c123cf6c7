"""Common volumes of parts at rest: brackets that hold what is known, and what Open CASCADE's Boolean operations have."""

import json
import math

import numpy as np
import pytest

import ccd
from ccd.cli import main

shapes = pytest.importorskip("cad_shapes", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

BOX = lambda *at: shapes.box(2, 2, 2, at)  # noqa: E731

KNOWN = {
    "boxes": (lambda: (shapes.box(3, 2, 1), BOX(1, 1, 0.5)), 2 * 1 * 0.5, 1e-8),
    "boxes that touch": (lambda: (shapes.box(3, 2, 1), BOX(1, 1, 1)), 0.0, 1e-11),
    "pin through a plate": (lambda: (shapes.cylinder(1, 4, (0, 0, -1)), shapes.box(10, 10, 2, (-5, -5, 0))), math.tau, 0.07),
    "pin that fills a bore": (
        lambda: (shapes.cut(shapes.box(6, 6, 2, (-3, -3, 0)), shapes.cylinder(1, 4, (0, 0, -1))), shapes.cylinder(1, 4)),
        0.0,
        0.2,
    ),
    "cone in a box": (lambda: (shapes.cone(1, 0.5, 2), shapes.box(9, 9, 9, (-4, -4, -4))), math.pi * 2 * 1.75 / 3, 0.04),
}


def test_parts_that_touch_along_much_of_both_are_decided_at_one_place(monkeypatch):
    """A pin of splines that fills its bore: facets around one point say how near they are; no others are split."""
    pin, plate = KNOWN["pin that fills a bore"][0]()[::-1]
    monkeypatch.setattr(ccd.cad._search.Pair, "_refine", None)
    assembly = ccd.cad.Assembly.of({"plate": shapes.nurbs(plate), "pin": shapes.nurbs(pin)})
    (found,) = ccd.cad.at_rest(assembly)
    assert found.state == "touching" and found.lo == 0.0
    assert found.hi <= 0.4e-6 * assembly.size
    assert sum(len(p.product.facets()) for p in assembly.parts) < 1500


def rest(a, b):
    found = ccd.cad.at_rest(ccd.cad.Assembly.of({"a": a, "b": b}))
    return found[0] if found else None


@pytest.mark.parametrize("name", KNOWN)
def test_brackets_hold_known_volumes(name):
    make, volume, width = KNOWN[name]
    found = rest(*make())
    assert found.volume_lo <= volume <= found.volume_hi
    assert found.volume_hi - found.volume_lo <= width, found
    touches = volume == 0
    assert (found.state == "touching") == touches and (found.volume_lo > 0) == (not touches)


@pytest.mark.parametrize(
    "name", ["plate", "fillets", *(pytest.param(n, marks=pytest.mark.long) for n in ("sphere", "torus", "nut", "loft", "dome"))]
)
def test_brackets_hold_the_volumes_of_boolean_operations(name):
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps

    shape = shapes.SHAPES[name]()
    box = ccd.cad._occ.corners(shape)
    middle, size = 0.5 * (box[0] + box[7]), box[7] - box[0]
    other = shapes.moved(shapes.box(*(0.7 * size)), [[1, 0, 0, middle[0]], [0, 1, 0, middle[1]], [0, 0, 1, box[0][2] - 0.3]])
    found = rest(shape, other)
    held = GProp_GProps()
    BRepGProp.VolumePropertiesGK_s(shapes.common(shape, other), held, 1e-9, False, False, False, False, False)
    true = held.Mass()
    assert true > 0 and found.state == "crossing"
    slack = 1e-6 * true  # of Open CASCADE's own volume
    assert found.volume_lo - slack <= true <= found.volume_hi + slack
    assert found.volume_hi - found.volume_lo <= 0.1 * true, (found, true)


def test_what_a_turned_part_has_in_common():
    """Where parts are placed changes nothing but rounding."""
    a, b = shapes.box(3, 2, 1), BOX(1, 1, 0.5)
    place = ccd.cad._turns.about(np.array([1.0, 2, 3]), np.array([0.6, 0.8, 0.0]), 0.7, 5.0)
    found = ccd.cad.at_rest(ccd.cad.Assembly.of({"a": a, "b": b}, {"a": place, "b": place}))[0]
    assert found.volume_lo <= 1 <= found.volume_hi and found.volume_hi - found.volume_lo < 1e-8


def test_volumes_that_are_not_known():
    """Faces that enclose nothing have no volume."""
    face = ccd.cad._occ.faces(shapes.box(1, 1, 1, (1, 1, 0.5)))[0]
    found = rest(shapes.box(3, 2, 1), face)
    assert (found.volume_lo, found.volume_hi) == (0.0, math.inf) and found.as_dict()["volume_hi"] is None


def test_points_near_triangles():
    """The bound of the volume near triangles, beside a count of random points."""
    rng = np.random.default_rng(5)
    triangles, reach = rng.uniform(-1, 1, (6, 3, 3)), rng.uniform(0.01, 0.2, 6)
    low, high = np.array([-0.5, -0.4, -0.6]), np.array([0.7, 0.5, 0.4])
    points = rng.uniform(low, high, (4000, 3))
    near = np.zeros(len(points), bool)
    body = ccd.rigid.Body([[0, 0, 0]], [[0, 0, 0]])
    poses = [((1.0, 0, 0, 0), p) for p in points]
    for t, r in zip(triangles, reach):
        one = ccd.rigid.Body(t, [[0, 1, 2]])
        near |= ccd.rigid.distances(body, poses, one, [((1.0, 0, 0, 0), (0.0, 0, 0))] * len(points))["hi"] <= r
    counted = near.mean() * np.prod(high - low)
    bound = ccd.cad._volume.within(triangles, reach, low, high)
    assert 0.1 < counted <= bound
    square = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], [[1.0, 1, 0], [0, 1, 0], [1, 0, 0]]])
    inside = ccd.cad._volume.within(square, np.full(2, 1e-9), np.array([0.25, 0.25, -1]), np.array([0.75, 0.75, 1]))
    assert inside == pytest.approx(2e-9 * 0.25, rel=1e-6)  # of a quarter of the square


def clipped_alone(polygon, low, high):
    """One polygon, plane by plane and corner by corner."""
    for axis in range(3):
        for sign, end in ((1.0, high[axis]), (-1.0, -low[axis])):
            out = []
            for k in range(len(polygon)):
                p, q = polygon[k - 1], polygon[k]
                x, y = sign * p[axis] - end, sign * q[axis] - end
                if (x > 0) != (y > 0):
                    out.append(p + (x / (x - y)) * (q - p))
                if y <= 0:
                    out.append(q)
            polygon = np.array(out).reshape(-1, 3)
    return polygon


def test_clipped_triangles():
    rng = np.random.default_rng(3)
    triangles = rng.normal(size=(400, 3, 3)) * rng.choice([0.3, 1.0, 3.0], (400, 1, 1))
    low, high = -rng.uniform(0.1, 1.5, (400, 3)), rng.uniform(0.1, 1.5, (400, 3))
    polygons, kept = ccd.cad._volume.clipped(triangles, low, high)
    found = dict(zip(kept.tolist(), polygons))
    for k in range(400):
        right = clipped_alone(triangles[k], low[k], high[k])
        assert (len(right) > 0) == (k in found)
        if k in found:
            n = len(right)
            assert np.array_equal(found[k][:n], right) and np.all(found[k][n:] == right[-1])
    assert 50 < len(found) < 390 and polygons.shape[1] >= 6
    (corner,), _ = ccd.cad._volume.clipped(np.array([[[0.0, 0, 0], [2, 0, 0], [0, 2, 0]]]), np.zeros((1, 3)), np.ones((1, 3)))
    area = 0.5 * np.linalg.norm(np.cross(corner[1:-1] - corner[0], corner[2:] - corner[0]), axis=1).sum()
    assert area == pytest.approx(1.0) and len(corner) >= 4
    assert not len(ccd.cad._volume.clipped(np.zeros((0, 3, 3)), np.zeros((0, 3)), np.ones((0, 3)))[1])


def test_the_command_says_volumes(tmp_path, capsys):
    from OCP.BRep import BRep_Builder
    from OCP.TopoDS import TopoDS_Compound

    both, build = TopoDS_Compound(), BRep_Builder()
    build.MakeCompound(both)
    for one in (shapes.box(3, 2, 1), BOX(1, 1, 0.5), BOX(-2, 0, 0)):
        build.Add(both, one)
    shapes.write(both, tmp_path / "three.step")
    capsys.readouterr()
    assert main(["cad", str(tmp_path / "three.step"), "--csv", str(tmp_path / "rest.csv")]) == 1
    said = capsys.readouterr().out
    assert "common volume" in said and "[1, 1]" in said and "touching" in said
    rows = (tmp_path / "rest.csv").read_text().splitlines()
    assert rows[0].endswith("volume_lo,volume_hi") and len(rows) == 3
    crossing = next(r for r in rows if "crossing" in r).split(",")
    assert float(crossing[-2]) <= 1 <= float(crossing[-1])
    assert main(["cad", str(tmp_path / "three.step"), "--json"]) == 1
    found = {r["state"]: r for r in json.loads(capsys.readouterr().out)["rest"]}
    assert found["crossing"]["volume_hi"] == pytest.approx(1) and found["touching"]["volume_hi"] < 1e-9
    name = json.loads(json.dumps(found["crossing"]))["a"]
    drive = tmp_path / "drive.csv"
    drive.write_text(f"time,part,x,y,z,rx,ry,rz\n0,{name},0,0,0,0,0,0\n1,{name},0,0,1,0,0,0\n")
    more = ["--motion", str(drive), "--csv", str(tmp_path / "all.csv"), "--view", str(tmp_path / "page.html")]
    assert main(["cad", str(tmp_path / "three.step"), *more]) == 1
    assert ",crossing," in (tmp_path / "all.csv").read_text()
    assert "at rest" in (tmp_path / "page.html").read_text()
