"""Volumes that solids have in common, and depths of points: known volumes, manifold3d and Open CASCADE, the command."""

import json
from fractions import Fraction

import numpy as np
import pytest

import ccd
from ccd.cli import app
from ccd.overlap import ON_SURFACE, Depth, Overlap, Shells, depth_dtype, overlap_dtype

BOX = np.reshape(
    [0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3], (12, 3)
)
CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
CUBE = ccd.Mesh(faces=BOX)


def box(lo, hi):
    return np.asarray(lo) + CORNERS * (np.asarray(hi, float) - lo)


def ball(n, center=(0.0, 0.0, 0.0), radius=1.0):
    """The vertices and the faces of a sphere, wound outwards."""
    t, p = np.pi * np.arange(1, n) / n, np.pi * np.arange(2 * n) / n
    rings = np.stack([np.outer(np.sin(t), np.cos(p)), np.outer(np.sin(t), np.sin(p)), np.outer(np.cos(t), np.ones(2 * n))], -1)
    x = np.vstack([[0, 0, 1], rings.reshape(-1, 3), [0, 0, -1]]) * radius + center

    def at(i, j):
        return 1 + (i - 1) * 2 * n + j % (2 * n)

    faces = [[0, at(1, j), at(1, j + 1)] for j in range(2 * n)]
    for i in range(1, n - 1):
        for j in range(2 * n):
            faces += [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)]]
    faces += [[len(x) - 1, at(n - 1, j + 1), at(n - 1, j)] for j in range(2 * n)]
    return x, np.array(faces)


def test_layouts():
    for struct, dtype, size in ((ccd._native.abi.Overlap, overlap_dtype, 56), (ccd._native.abi.Depth, depth_dtype, 96)):
        assert dtype.itemsize == size
        assert [(name, dtype.fields[name][1]) for name in dtype.names] == [
            (name, getattr(struct, name).offset) for name, _ in struct._fields_
        ]


def test_boxes_have_the_volume_that_fractions_tell():
    random = np.random.default_rng(51)
    touching = 0
    for trial in range(60):
        a, b = np.sort(random.integers(0, 5, (2, 3, 2)), axis=-1).astype(float)
        a[:, 1] += 1
        b[:, 1] += 1
        if trial % 2:
            a, b = a * (1 / 3) + 1e3, b * (1 / 3) + 1e3
        sides = [min(Fraction(p[1]), Fraction(q[1])) - max(Fraction(p[0]), Fraction(q[0])) for p, q in zip(a, b)]
        want = sides[0] * sides[1] * sides[2] if min(sides) > 0 else Fraction(0)
        found = ccd.overlap.volume(CUBE, box(*a.T), CUBE, box(*b.T), tolerance=1e-12)
        assert Fraction(found.volume_lo) <= want <= Fraction(found.volume_hi) and not found.unfinished
        assert found.volume_hi - found.volume_lo <= 1e-12 * want
        if want == 0:
            touching += found.containment == ccd.rigid.Containment.CROSSING
            assert found.volume_hi == 0
        lo, hi = found.union
        volumes = [Fraction(p[0, 1] - p[0, 0]) * Fraction(p[1, 1] - p[1, 0]) * Fraction(p[2, 1] - p[2, 0]) for p in (a, b)]
        assert lo <= sum(volumes) - want + Fraction(1, 10**9) and hi >= sum(volumes) - want - Fraction(1, 10**9)
        assert found.a_without_b[0] <= found.a_hi - found.volume_lo <= found.a_without_b[1]
    assert touching > 3


def test_thin_overlaps_of_balls_have_a_proven_volume():
    x, faces = ball(12)
    mesh = ccd.Mesh(faces=faces)
    for depth in (1e-3, 1e-7, 1e-11):
        found = ccd.overlap.volume(mesh, x, mesh, x + np.array([0, 0, 2 - depth]))
        # The tips are cones of 24 sides: the common part is two pyramids whose base is half as deep.
        slope = np.hypot(*x[1, :2]) / (1 - x[1, 2])
        area = 12 * np.sin(np.pi / 12) * (0.5 * depth * slope) ** 2
        real = (1 + x[0, 2]) - (x[0, 2] + 2 - depth - 1)  # as far as doubles tell
        assert found.volume == pytest.approx(area * depth / 3 * (real / depth) ** 3, rel=1e-3) and not found.unfinished


def test_many_threads_and_orders_have_brackets_that_overlap():
    (x, faces), (y, _) = ball(14), ball(14, (0.5, 0.3, 0.2), 0.9)
    mesh, random = ccd.Mesh(faces=faces), np.random.default_rng(52)
    one = ccd.overlap.volume(mesh, x, mesh, y, threads=1)
    assert ccd.overlap.volume(mesh, x, mesh, y, threads=5) == one
    shuffled = ccd.Mesh(faces=random.permutation(faces))
    other = ccd.overlap.volume(shuffled, y, shuffled, x)
    assert other.volume_lo <= one.volume_hi and one.volume_lo <= other.volume_hi


def test_what_is_refused_and_why():
    two = ccd.Mesh(faces=np.vstack([BOX, BOX + 8]))
    x = np.vstack([box((0, 0, 0), (1, 1, 1)), box((0.5, 0, 0), (1.5, 1, 1))])
    with pytest.raises(ccd.ArgumentError, match="a: where both bodies' boxes overlap, parts of its surface overlap"):
        ccd.overlap.volume(two, x, CUBE, CORNERS)
    assert ccd.overlap.volume(two, x, CUBE, CORNERS, shells="count").volume == pytest.approx(1.5)
    assert ccd.overlap.volume(two, x, CUBE, box((1.25, 0, 0), (3, 1, 1))).volume == pytest.approx(0.25)
    inward = ccd.Mesh(faces=BOX[:, ::-1])
    with pytest.raises(ccd.ArgumentError, match="b: its volume is -1: the faces are wound inwards"):
        ccd.overlap.volume(CUBE, CORNERS, inward, CORNERS)
    with pytest.raises(ccd.ArgumentError, match=r"b: faces\[0\]: the edge"):
        ccd.overlap.volume(CUBE, CORNERS, ccd.Mesh(faces=BOX[:-1]), CORNERS)
    with pytest.raises(ccd.ArgumentError, match=r"xb has 3 vertices: the mesh has 8"):
        ccd.overlap.volume(CUBE, CORNERS, CUBE, CORNERS[:3])
    with pytest.raises(ccd.ArgumentError, match="shells is 'all'"):
        ccd.overlap.volume(CUBE, CORNERS, CUBE, CORNERS, shells="all")
    with pytest.raises(ccd.ArgumentError, match="tolerance is 3"):
        ccd.overlap.volume(CUBE, CORNERS, CUBE, CORNERS, tolerance=3)
    widest = ccd.overlap.volume(CUBE, CORNERS, CUBE, CORNERS, tolerance=1)
    assert 0 < widest.volume_lo <= widest.volume_hi <= 2 * widest.volume_lo
    with pytest.raises(ccd.ArgumentError, match=r"mesh_b is .*: must be a ccd\.Mesh"):
        ccd.overlap.volume(CUBE, CORNERS, CORNERS, CORNERS)
    with pytest.raises(ccd.UnsupportedError, match="tolerance"):
        ccd.overlap.depths(CUBE, CORNERS, CORNERS, tolerance=3)
    with pytest.raises(ccd.NonFiniteError, match=r"points\[0\]\[1\]"):
        ccd.overlap.depths(CUBE, CORNERS, [[0, np.nan, 0]])
    with pytest.raises(ccd.ArgumentError, match="it has no faces"):
        ccd.overlap.depths(ccd.Mesh(vertices=3), CORNERS[:3], CORNERS)


def test_depths_and_their_derivatives():
    x, faces = ball(9)
    mesh, random = ccd.Mesh(faces=faces), np.random.default_rng(53)
    points = random.uniform(-1, 1, (40, 3))
    found = ccd.overlap.depths(mesh, x, points)
    assert np.array_equal(found["winding"], ccd.proximity.winding(mesh, x, points))
    assert [item.inside for item in found] == [winding != 0 for winding in found["winding"]]
    step = 1e-6
    for i, item in enumerate(found):
        if item.state != ccd.GradientState.DEFINED:
            continue
        moved = ccd.overlap.depths(mesh, x, [points[i] + step * np.array(item.normal)])[0]
        assert moved.distance_hi == pytest.approx(item.distance_hi + step, abs=1e-9)
        corners, weights = faces[item.face], (1 - item.u - item.v, item.u, item.v)
        largest = int(np.argmax(weights))
        y = x.copy()
        y[corners[largest]] -= step * np.array(item.normal)
        moved = ccd.overlap.depths(ccd.Mesh(faces=faces), y, [points[i]])[0]
        if moved.face == item.face:
            assert moved.distance_hi == pytest.approx(item.distance_hi + step * weights[largest], abs=1e-8)
    on = Depth.from_record(ccd.overlap.depths(mesh, x, [x[5]])[0])
    assert on.winding == ON_SURFACE and on.distance_hi == 0 and not on.inside and str(on.state) == "initial"
    assert on.as_dict()["state"] == "initial" and str(on).startswith("on the surface")


def test_bodies_turned_by_poses_have_the_volume_of_their_shape():
    body = ccd.rigid.Body(CORNERS - 0.5, BOX)
    turns = [ccd.rigid.Motion(rotation=(np.cos(t), 0, 0, np.sin(t))) for t in (0, np.pi / 8, 0.3)]
    found = ccd.rigid.overlaps(body, turns, body, [ccd.rigid.Motion()] * 3)
    for item, angle in zip(found, (0, np.pi / 4, 0.6)):
        want = 1 - 4 * _corner(angle)
        assert item.volume_lo - 1e-12 <= want <= item.volume_hi + 1e-12 and item.flags == 0
    turning = ccd.rigid.Motion(angular_velocity=(0, 0, 1))
    item = ccd.rigid.overlap(body, turning, body, ccd.rigid.Motion(), 0.6)
    assert item.volume == pytest.approx(1 - 4 * _corner(0.6), rel=1e-6) and not item.unfinished
    deep = ccd.rigid.depths(body, turning, [[0.1, 0, 0]], 0.6)[0]
    assert deep.inside and deep.distance_hi == pytest.approx(0.5 - 0.1 * np.cos(0.6))
    assert np.allclose(deep.normal, [-np.cos(0.6), -np.sin(0.6), 0])


def _corner(angle):
    """The area of each triangle that a square loses to the one turned by an angle."""
    s, c = np.sin(angle), np.cos(angle)
    side = 1 / (1 + s + c)  # legs s side and c side, hypotenuse side: they add up to an edge
    return 0.5 * s * c * side**2


def test_records_and_words():
    found = ccd.rigid.overlaps(
        ccd.rigid.Body(CORNERS, BOX), [ccd.rigid.Motion()], ccd.rigid.Body(CORNERS + 5, BOX), [ccd.rigid.Motion()]
    )
    item = Overlap.from_record(found[0])
    assert str(item) == "common volume 0" and item.as_dict()["unfinished"] is False and item.volume == 0
    assert [rule.value for rule in Shells] == [0, 1] and found[0].containment == ccd.rigid.Containment.OUTSIDE


def test_volumes_of_manifold3d():
    manifold3d = pytest.importorskip("manifold3d")
    random = np.random.default_rng(54)
    for n in (6, 15):
        (x, faces), (y, _) = ball(n), ball(n, random.uniform(0.2, 0.6, 3), 0.9)
        mesh = ccd.Mesh(faces=faces)
        a, b = (manifold3d.Manifold(manifold3d.Mesh64(np.ascontiguousarray(v), faces.astype(np.uint64))) for v in (x, y))
        assert a.status() == manifold3d.Error.NoError
        found = ccd.overlap.volume(mesh, x, mesh, y, tolerance=1e-10)
        assert found.volume == pytest.approx((a ^ b).volume(), rel=1e-9)
        assert found.a_lo == pytest.approx(a.volume(), rel=1e-12)
        assert np.mean(found.union) == pytest.approx((a + b).volume(), rel=1e-9)
        assert np.mean(found.a_without_b) == pytest.approx((a - b).volume(), rel=1e-9)


def test_volumes_of_open_cascade():
    for module in ("OCP.gp", "OCP.BRepPrimAPI", "OCP.BRepAlgoAPI", "OCP.BRepGProp", "OCP.GProp"):
        pytest.importorskip(module, reason="Open CASCADE (cadquery-ocp-novtk) is not there")
    import peers_occ

    lo, hi = np.array([0.5, 0.25, 0.125]), np.array([2.0, 0.75, 3.0])
    common = peers_occ.common(peers_occ.box((0, 0, 0), (1, 1, 1)), peers_occ.box(lo, hi))
    assert ccd.overlap.volume(CUBE, CORNERS, CUBE, box(lo, hi)).volume == pytest.approx(peers_occ.volume(common), rel=1e-6)
    # Turned: solids, and the volume to a relative tolerance, as their defaults are percents off.
    random = np.random.default_rng(51)
    a, b = ccd.rigid.Body.box((1, 1, 1)), ccd.rigid.Body.box((2, 0.75, 0.5))
    for _ in range(6):
        q, x = random.normal(size=4), random.uniform(-0.5, 0.5, 3)
        q /= np.linalg.norm(q)
        other = peers_occ.moved(peers_occ.box((-1, -0.375, -0.25), (1, 0.375, 0.25)), q, x)
        theirs = peers_occ.volume(peers_occ.common(peers_occ.box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), other))
        found = ccd.rigid.overlap(a, ((1, 0, 0, 0), (0, 0, 0)), b, (q, x))
        assert found.volume == pytest.approx(theirs, rel=1e-6, abs=1e-9)


def test_the_command_pose_says_the_volume(tmp_path, capsys):
    paths = []
    for name, x in (("a", CORNERS), ("b", CORNERS)):
        paths.append(tmp_path / f"{name}.obj")
        text = [f"v {p[0]} {p[1]} {p[2]}" for p in x] + ["f " + " ".join(str(v + 1) for v in face) for face in BOX]
        paths[-1].write_text("\n".join(text))
    command = ["pose", *map(str, paths)]
    assert app.main([*command, "--pose", "0.5,0.5,0.5", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["poses"][0]["volume_lo"] <= 0.125 <= report["poses"][0]["volume_hi"] and report["no_volume"] is None
    assert app.main([*command, "--pose", "1,0,0"]) == 1
    assert "no volume (proven)" in capsys.readouterr().out
