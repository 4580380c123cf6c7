"""One frame: intersections and distances, against NumPy and the steps."""

import ctypes
import json
import pickle

import numpy as np
import pytest
from conftest import sheets

import ccd
from ccd._native import abi
from ccd.cli import main
from ccd.proximity import EDGE_FACE, intersection_dtype, near_pair_dtype


@pytest.fixture(scope="module")
def scene():
    faces, x0, x1 = sheets(12)
    return ccd.Mesh(faces), x0, x1


def test_records_have_the_layout_of_the_structs():
    for struct, dtype, size in ((abi.Intersection, intersection_dtype, 24), (abi.NearPair, near_pair_dtype, 104)):
        assert ctypes.sizeof(struct) == dtype.itemsize == size
        for name, _ in struct._fields_:
            assert getattr(struct, name).offset == dtype.fields[name][1], name


def test_a_step_up_to_the_contact_brings_no_intersection(scene):
    mesh, x0, x1 = scene
    assert not ccd.proximity.intersects(mesh, x0)
    assert len(ccd.proximity.intersections(mesh, x0)) == 0
    hit = ccd.step.earliest(mesh, x0, x1)
    for alpha, want in ((hit.toi_lo * (1 - 1e-9), False), (min(1, hit.toi_lo * 1.05), True)):
        x = x0 + alpha * (x1 - x0)
        assert ccd.proximity.intersects(mesh, x) is want


def test_intersections_are_edges_and_faces(scene):
    mesh, x0, x1 = scene
    x = (x0 + x1) / 2
    found = ccd.proximity.intersections(mesh, x)
    assert len(found) and (found["kind"] == EDGE_FACE).all()
    assert found.tobytes() == ccd.proximity.intersections(mesh, x, brute_force=True).tobytes()
    assert found.tobytes() == ccd.proximity.intersections(mesh, x, threads=3, memory_limit=1).tobytes()
    p, q = x[mesh.edges[found["a"]]].transpose(1, 0, 2)
    a, b, c = x[mesh.faces[found["b"]]].transpose(1, 0, 2)
    n = np.cross(b - a, c - a)
    assert (((p - a) * n).sum(1) * ((q - a) * n).sum(1) <= 0).all()


def test_filters_and_excluded_edge_faces(scene):
    mesh, x0, x1 = scene
    x = (x0 + x1) / 2
    found = ccd.proximity.intersections(mesh, x)
    other = pickle.loads(pickle.dumps(mesh))
    other.set_excluded(EDGE_FACE, np.stack([found["a"], found["b"]], 1)[1:])
    for some in (other, pickle.loads(pickle.dumps(other))):
        assert ccd.proximity.intersections(some, x).tobytes() == found[:1].tobytes()
    other.set_static(np.ones(len(x), bool))
    assert not ccd.proximity.intersects(other, x)


def test_near_pairs_enclose_their_distance(scene):
    mesh, x0, _ = scene
    near = ccd.proximity.near(mesh, x0, 0.06)
    assert near.tobytes() == ccd.proximity.near(mesh, x0, 0.06, brute_force=True).tobytes()
    assert {1, 2} == set(near["kind"])
    assert (near["distance_lo"] <= 0.06).all() and (near["distance_lo"] <= near["distance_hi"]).all()
    gap = np.linalg.norm(near["point_a"] - near["point_b"], axis=1)
    np.testing.assert_allclose(gap, near["distance_hi"], rtol=1e-9)
    # a step of no motion whose separation is just within, or just beyond, the distance
    for record in near[:: max(1, len(near) // 20)]:
        below, above = record["distance_lo"] * (1 - 1e-9), record["distance_hi"] * (1 + 1e-9)
        for d, want in ((below, ccd.Verdict.SEPARATE), (above, ccd.Verdict.CONTACT)):
            pair = [[record["a"], record["b"]]]
            answer = ccd.step.pairs(mesh, x0, x0, record["kind"], pair, min_separation=d, norm="euclidean", tolerance=1e-12)
            assert answer["verdict"][0] == want


def test_distance_is_the_least_of_the_near_pairs(scene):
    mesh, x0, _ = scene
    nearest = ccd.proximity.distance(mesh, x0)
    assert nearest == ccd.proximity.distance(mesh, x0, threads=1) == ccd.proximity.distance(mesh, x0, brute_force=True)
    near = ccd.proximity.near(mesh, x0, nearest.distance_hi)
    assert 0 < near["distance_lo"].min() <= nearest.distance_lo <= nearest.distance_hi == near["distance_hi"].min()
    first = near[near["distance_hi"] == nearest.distance_hi][0]
    assert (first["kind"], first["a"], first["b"]) == (nearest.kind, nearest.a, nearest.b)
    assert len(ccd.proximity.near(mesh, x0, nearest.distance_lo * (1 - 1e-7))) == 0
    none = ccd.proximity.distance(ccd.Mesh(vertices=1), [[0, 0, 0]])
    assert none.kind is None and none.a == none.b == -1 and none.distance_lo == none.distance_hi == np.inf


def test_codimensional_pairs():
    mesh = ccd.Mesh(np.empty((0, 3), int), edges=[[0, 1], [2, 3]], vertices=6)
    x = np.array([[0, 0, 0], [1, 0, 0], [0.5, -1, 0], [0.5, 1, 0], [0.25, 0, 0], [0.25, 0, 2]], float)
    found = ccd.proximity.intersections(mesh, x)
    assert [(r["kind"], r["a"], r["b"]) for r in found] == [(ccd.Kind.EDGE_EDGE, 0, 1), (ccd.Kind.POINT_EDGE, 4, 0)]
    near = ccd.proximity.near(mesh, x, 2)
    apart = near[near["kind"] == ccd.Kind.POINT_POINT]
    assert [(r["a"], r["b"]) for r in apart] == [(4, 5)]
    assert apart["distance_lo"][0] <= 2 <= apart["distance_hi"][0] < 2 + 1e-12
    touching = near[near["distance_hi"] == 0]
    assert [(r["kind"], r["a"], r["b"], r["u"]) for r in touching] == [(2, 0, 1, 0.5), (3, 4, 0, 0.25)]


def test_errors_name_the_argument(scene):
    mesh, x0, _ = scene
    bad = x0.copy()
    bad[5, 1] = np.nan
    plain = (ccd.proximity.intersects, ccd.proximity.intersections, ccd.proximity.distance)
    for call in (*plain, lambda m, x, **o: ccd.proximity.near(m, x, 1, **o)):
        with pytest.raises(ccd.NonFiniteError, match=r"x\[5\]\[1\] is NaN"):
            call(mesh, bad)
        with pytest.raises(ccd.ArgumentError, match="x has 3 vertices: the mesh has"):
            call(mesh, x0[:3])
        with pytest.raises(ccd.Cancelled):
            call(mesh, x0, progress=lambda fraction: True)
        with pytest.raises(ccd.ArgumentError, match="mesh is list"):
            call([], x0)
    for d in (-1, np.nan, np.inf, 1e151):
        with pytest.raises(ccd.ArgumentError, match="d is "):
            ccd.proximity.near(mesh, x0, d)
    with pytest.raises(ccd.ArgumentError, match="d is 'far'"):
        ccd.proximity.near(mesh, x0, "far")
    stats = ccd.Stats()
    ccd.proximity.near(mesh, x0, 0.06, stats=stats)
    assert stats.impacts > 0 and stats.candidates[ccd.Kind.EDGE_EDGE] >= stats.impacts / 2 and stats.threads > 0


def test_distance_is_0_where_an_edge_passes_through_a_face(tmp_path, capsys):
    mesh = ccd.Mesh(faces=[[0, 1, 2]], edges=[[0, 1], [1, 2], [0, 2], [3, 4]], vertices=5)
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 0.5], [0.25, 0.25, -1.5]])
    nearest = ccd.proximity.distance(mesh, x)
    assert (nearest.kind, nearest.a, nearest.b, str(nearest.kind)) == (EDGE_FACE, 3, 0, "edge-face")
    assert nearest.distance_lo == nearest.distance_hi == 0 and (nearest.u, nearest.v) == (0.25, 0.25)
    assert nearest.point_a == nearest.point_b == (0.25, 0.25, 0)
    assert nearest == ccd.proximity.distance(mesh, x, brute_force=True)
    assert not len(ccd.proximity.near(mesh, x, 0.2)), "near lists the pairs of a step alone"
    file = tmp_path / "through.off"
    file.write_text("OFF\n6 2 0\n0 0 0\n1 0 0\n0 1 0\n.2 .2 -1\n.3 .2 2\n.2 .3 2\n3 0 1 2\n3 3 4 5\n")
    assert main(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert "intersections  2" in out and "distance       in [0.0, 0.0]" in out and "nearest        edge-face" in out
    assert main(["check", str(file), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["distance"]["kind"] == "edge-face" and report["distance"]["distance_hi"] == 0
