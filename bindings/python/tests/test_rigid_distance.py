"""Distances, clearance and intersections of rigid bodies, beside formulas and other libraries."""

import math

import numpy as np
import pytest

import ccd

NO_TURN = (1.0, 0.0, 0.0, 0.0)
TETRAHEDRON = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def cube(half):
    """The vertices and triangles of a cube around the origin."""
    corner = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corner, np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))], np.int32)


def blob(rng, rows=8):
    """A closed surface with bumps."""
    theta, phi = np.meshgrid((np.arange(rows) + 0.5) * np.pi / rows, np.arange(2 * rows) * np.pi / rows, indexing="ij")
    r = 0.8 + 0.2 * np.sin(3 * theta + rng.random() * 6) * np.cos(2 * phi)
    x = np.stack([r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)], -1).reshape(-1, 3)
    n, faces = 2 * rows, []
    for i in range(rows - 1):
        for j in range(n):
            a, b = i * n + j, i * n + (j + 1) % n
            faces += [(a, a + n, b), (b, a + n, b + n)]
    faces += [(0, j, j + 1) for j in range(1, n - 1)]
    last = (rows - 1) * n
    return x, np.array(faces + [(last, last + j + 1, last + j) for j in range(1, n - 1)], np.int32)


def matrix(q):
    """The rotation of a quaternion."""
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def some_poses(rng, count, far=2.5):
    return [(tuple(rng.normal(size=4).tolist()), tuple((far * rng.normal(size=3)).tolist())) for _ in range(count)]


def test_distances_of_cubes():
    body = ccd.rigid.Body(*cube(1))
    for x, want in ((2.5, 0.5), (2.0, 0.0), (1.0, 0.0)):
        gap = ccd.rigid.distance(body, (NO_TURN, (0.0, 0.0, 0.0)), body, (NO_TURN, (x, 0.25, 0.0)))
        assert gap.lo <= want <= gap.hi and gap.hi - gap.lo < 1e-11
        assert gap.intersecting == (want == 0) == ccd.rigid.intersects(body, np.eye(4), body, (NO_TURN, (x, 0.25, 0)))
        if want:
            assert gap.normal == pytest.approx((-1, 0, 0)) and gap.point_a[0] == pytest.approx(1)
    corner = ccd.rigid.distance(body, np.eye(4), body, (NO_TURN, (3, 3, 3)))
    assert corner.distance == pytest.approx(math.sqrt(3), abs=1e-12)


def test_a_body_inside_has_the_distance_of_the_surfaces():
    outer, inner = ccd.rigid.Body(*cube(1)), ccd.rigid.Body(*cube(0.1))
    gap = ccd.rigid.distance(outer, np.eye(4), inner, (NO_TURN, (0.3, 0, 0)))
    assert gap.lo <= 0.6 <= gap.hi + 1e-12 and not gap.intersecting
    assert not ccd.rigid.intersects(outer, np.eye(4), inner, np.eye(4))


def test_batches_are_single_calls():
    rng = np.random.default_rng(3)
    a, b = ccd.rigid.Body(*blob(rng)), ccd.rigid.Body(*blob(rng))
    pa, pb = some_poses(rng, 20), some_poses(rng, 20)
    found = ccd.rigid.distances(a, pa, b, pb)
    records = np.array(pa, ccd.rigid.pose_dtype), np.array(pb, ccd.rigid.pose_dtype)
    assert found.tobytes() == ccd.rigid.distances(a, records[0], b, records[1]).tobytes()
    for i, item in enumerate(found):
        one = ccd.rigid.distance(a, pa[i], b, pb[i])
        assert one == ccd.rigid.Gap.from_record(item) == ccd.rigid.distance(a, records[0][i], b, records[1][i])
        assert one.intersecting == ccd.rigid.intersects(a, pa[i], b, pb[i]) == (one.hi == 0)
        assert item.lo == one.lo and item.distance == one.distance
        assert one.as_dict()["intersecting"] == one.intersecting


def test_peers_have_the_same_distances():
    coal = pytest.importorskip("coal")
    rng = np.random.default_rng(4)
    surfaces = [blob(rng), blob(rng)]
    ours = [ccd.rigid.Body(*s) for s in surfaces]
    models = []
    for vertices, faces in surfaces:
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for v in vertices:
            points.append(v)
        for f in faces.tolist():
            triangles.append(coal.Triangle(*f))
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(faces), len(vertices))
        model.addSubModel(points, triangles)
        model.endModel()
        models.append(model)
    for pa, pb in zip(some_poses(rng, 30), some_poses(rng, 30)):
        gap = ccd.rigid.distance(ours[0], pa, ours[1], pb)
        at = [coal.Transform3s(matrix(q), np.array(x)) for q, x in (pa, pb)]
        theirs = coal.distance(models[0], at[0], models[1], at[1], coal.DistanceRequest(), coal.DistanceResult())
        assert max(theirs, 0) == pytest.approx(gap.distance, abs=1e-9)


def test_fcl_has_the_same_distances():
    fcl = pytest.importorskip("fcl")
    rng = np.random.default_rng(5)
    surfaces = [blob(rng), blob(rng)]
    ours = [ccd.rigid.Body(*s) for s in surfaces]
    models = []
    for vertices, faces in surfaces:
        model = fcl.BVHModel()
        model.beginModel(len(vertices), len(faces))
        model.addSubModel(vertices, faces)
        model.endModel()
        models.append(model)
    for pa, pb in zip(some_poses(rng, 30), some_poses(rng, 30)):
        gap = ccd.rigid.distance(ours[0], pa, ours[1], pb)
        at = [fcl.CollisionObject(m, fcl.Transform(matrix(q), np.array(x))) for m, (q, x) in zip(models, (pa, pb))]
        theirs = fcl.distance(at[0], at[1], fcl.DistanceRequest(), fcl.DistanceResult())
        assert max(theirs, 0) == pytest.approx(gap.distance, abs=1e-9)


def test_trimesh_has_the_same_distance_of_a_vertex():
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("rtree")
    rng = np.random.default_rng(6)
    surface = blob(rng)
    body, point = ccd.rigid.Body(*surface), ccd.rigid.Body([[0, 0, 0]], [[0, 0, 0]])
    query = trimesh.proximity.ProximityQuery(trimesh.Trimesh(*surface, process=False))
    for x in rng.normal(size=(20, 3)):
        gap = ccd.rigid.distance(body, np.eye(4), point, (NO_TURN, tuple(x.tolist())))
        _, theirs, _ = query.on_surface([x])
        assert theirs[0] == pytest.approx(gap.distance, abs=1e-9)


def test_clearance_of_a_swinging_rod():
    """A rod that swings past a wall comes nearest when it points to it."""
    rod = ccd.rigid.Body([[0, 0, 0], [2, 0, 0], [2, 0, 0]], [[0, 1, 2]])
    wall = ccd.rigid.Body([[-9, 2.5, -9], [9, 2.5, -9], [0, 2.5, 9]], [[0, 1, 2]])
    swing = ccd.rigid.Motion(angular_velocity=(0, 0, math.pi))
    gap = ccd.rigid.clearance(rod, swing, wall, ccd.rigid.Motion())
    assert gap.lo <= 0.5 <= gap.hi and gap.hi - gap.lo < 1e-7 and gap.time == pytest.approx(0.5, abs=1e-4)
    assert gap.point_a == pytest.approx((0, 2, 0), abs=1e-3) and gap.normal == pytest.approx((0, -1, 0), abs=1e-6)
    times = np.linspace(0, 1, 21)
    curve = ccd.rigid.profile(rod, swing, wall, ccd.rigid.Motion(), times)
    want = np.minimum(2.5 - 2 * np.sin(np.pi * times), 2.5)
    assert np.abs(curve["hi"] - want).max() < 1e-9 and (curve["time"] == times).all()
    assert (curve["hi"] >= gap.lo).all()
    near = ccd.rigid.clearance(rod, swing, wall, ccd.rigid.Motion(), t_max=0.25, tolerance=1e-3)
    assert near.lo <= 2.5 - math.sqrt(2) <= near.hi and near.hi - near.lo <= 1e-3
    through = ccd.rigid.clearance(rod, swing, wall, ccd.rigid.Motion(position=(0, -1, 0)))
    assert through.intersecting and through.hi == 0
    short = ccd.rigid.clearance(rod, swing, wall, ccd.rigid.Motion(), max_iterations=1)
    assert short.unfinished and short.lo <= 0.5 <= short.hi


def test_within_lists_near_pairs():
    body = ccd.rigid.Body(*cube(1))
    poses = [(NO_TURN, (x, 0, 0)) for x in (0, 2.5, 7)]
    found = ccd.rigid.within([body] * 3, poses, 3)
    assert found[["a", "b"]].tolist() == [(0, 1), (1, 2)]
    assert [round(item.gap.distance, 9) for item in found] == [0.5, 2.5]
    assert str(ccd.rigid.SceneGap.from_record(found[0])).startswith("bodies 0 1: distance in [0.5")
    assert not len(ccd.rigid.within([body] * 3, poses, 9, groups=[1, 1, 1]))
    assert ccd.rigid.within([body] * 3, poses, 9, skip=[(2, 1)])[["a", "b"]].tolist() == [(0, 1), (0, 2)]


def test_errors_name_the_argument():
    body = ccd.rigid.Body(*TETRAHEDRON)
    here = NO_TURN, (0.0, 0.0, 0.0)
    for call, text in (
        (lambda: ccd.rigid.distance(body, ((0, 0, 0, 0), (0, 0, 0)), body, here), "pa.*rotation is 0"),
        (lambda: ccd.rigid.distance(body, here, body, ccd.rigid.Motion()), "pb is a Motion"),
        (lambda: ccd.rigid.distance(here, body, body, here), "pa is a Body|a is tuple"),
        (lambda: ccd.rigid.distance(body, here, body, (NO_TURN, (0, 0))), "position of pb has shape"),
        (lambda: ccd.rigid.distances(body, [here], body, [here, here]), "pa has 1 poses, pb has 2"),
        (lambda: ccd.rigid.distances(body, [here, 3], body, [here, here]), r"pa\[1\]"),
        (lambda: ccd.rigid.distance(body, here, body, here, tolerance=-1), "options.tolerance|tolerance is -1"),
        (lambda: ccd.rigid.within([body], [here], -1), "distance is -1"),
        (lambda: ccd.rigid.within([body], [here, here], 1), "poses has 2 items for 1 bodies"),
        (lambda: ccd.rigid.profile(body, here, body, here, 3), "times has shape"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            call()
    with pytest.raises(ccd.NonFiniteError, match=r"pb\[1\].*position\[2\]"):
        ccd.rigid.distances(body, [here] * 2, body, [here, (NO_TURN, (0, 0, math.inf))])
    with pytest.raises(ccd.NonFiniteError, match=r"times\[1\] is NaN"):
        ccd.rigid.profile(body, here, body, here, [0, math.nan])
    with pytest.raises(ccd.UnsupportedError, match="method"):
        ccd.rigid.distance(body, here, body, here, method="d2m")
