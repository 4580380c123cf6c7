"""Two bodies in coal, FCL, manifold3d and Rapier beside ours: signs, frames, touching, nested, order of the bodies."""

import numpy as np
import pytest
from test_rigid_distance import NO_TURN, cube

import ccd

LARGE, SMALL = cube(1), cube(0.1)
#: Name: the second surface, its place, the distance of the surfaces, how the first lies to it, the gap of the solids.
PLACES = {
    "apart": (LARGE, (2.5, 0.25, 0.0), 0.5, "outside", 0.5),
    "touching": (LARGE, (2.0, 0.25, 0.0), 0.0, "crossing", 0.0),
    "overlapping": (LARGE, (1.5, 0.25, 0.0), 0.0, "crossing", 0.0),
    "nested": (SMALL, (0.3, 0.0, 0.0), 0.6, "contains", 0.0),
    "the same": (LARGE, (0.0, 0.0, 0.0), 0.0, "crossing", 0.0),
}
PEERS = ("ours", "coal", "fcl", "manifold3d")


def coal_mesh(coal, surface):
    model, vertices, triangles = coal.BVHModelOBBRSS(), coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for v in surface[0]:
        vertices.append(v)
    for f in surface[1].tolist():
        triangles.append(coal.Triangle(*f))
    model.beginModel(len(triangles), len(vertices))
    model.addSubModel(vertices, triangles)
    model.endModel()
    return model


def fcl_object(fcl, surface, at):
    model = fcl.BVHModel()
    model.beginModel(len(surface[0]), len(surface[1]))
    model.addSubModel(*surface)
    model.endModel()
    return fcl.CollisionObject(model, fcl.Transform(np.array(at, float)))


def distance(peer, first, at_first, second, at_second):
    """The distance by a peer, and by ours."""
    if peer == "ours":
        bodies = ccd.rigid.Body(*first), ccd.rigid.Body(*second)
        return ccd.rigid.distance(bodies[0], (NO_TURN, at_first), bodies[1], (NO_TURN, at_second)).distance
    module = pytest.importorskip(peer)
    if peer == "coal":
        one, other = coal_mesh(module, first), coal_mesh(module, second)
        places = [module.Transform3s(np.eye(3), np.array(at, float)) for at in (at_first, at_second)]
        return module.distance(one, places[0], other, places[1], module.DistanceRequest(), module.DistanceResult())
    if peer == "fcl":
        objects = fcl_object(module, first, at_first), fcl_object(module, second, at_second)
        return module.distance(*objects, module.DistanceRequest(), module.DistanceResult())
    solids = [
        module.Manifold(module.Mesh64(x + np.array(at), f.astype(np.uint64)))
        for (x, f), at in ((first, at_first), (second, at_second))
    ]
    return solids[0].min_gap(solids[1], 10)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("peer", PEERS)
def test_distances_in_both_orders(peer, place):
    """manifold3d has the gap of the solids, the others that of the surfaces; none is negative."""
    second, at, surfaces, _, solids = PLACES[place]
    want = solids if peer == "manifold3d" else surfaces
    assert distance(peer, LARGE, (0.0, 0.0, 0.0), second, at) == pytest.approx(want, abs=1e-9)
    assert distance(peer, second, at, LARGE, (0.0, 0.0, 0.0)) == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("place", PLACES)
def test_one_call_tells_what_their_distances_do_not(place):
    """Distances of 0 and 0.6 stand for touching, overlapping and nested bodies; containment tells them apart."""
    second, at, surfaces, where, _ = PLACES[place]
    body, other = ccd.rigid.Body(*LARGE), ccd.rigid.Body(*second)
    here, there = (NO_TURN, (0.0, 0.0, 0.0)), (NO_TURN, at)
    assert str(ccd.rigid.containment(body, here, other, there)) == where
    assert ccd.rigid.intersects(body, here, other, there) == (surfaces == 0)


def test_normals_of_faces_that_touch():
    """Face on face ours is along x, from b to a. coal and FCL return that of a pair of triangles, from a to b."""
    second, at, *_ = PLACES["touching"]
    gap = ccd.rigid.distance(ccd.rigid.Body(*LARGE), (NO_TURN, (0.0, 0.0, 0.0)), ccd.rigid.Body(*second), (NO_TURN, at))
    assert gap.normal == (-1, 0, 0)
    coal, fcl = pytest.importorskip("coal"), pytest.importorskip("fcl")
    request, result = coal.CollisionRequest(), coal.CollisionResult()
    places = [coal.Transform3s(np.eye(3), np.array(x, float)) for x in ((0, 0, 0), at)]
    assert coal.collide(coal_mesh(coal, LARGE), places[0], coal_mesh(coal, second), places[1], request, result)
    contact = result.getContacts()[0]
    assert contact.penetration_depth == pytest.approx(-2) and abs(contact.normal[0]) < 1e-9  # of two sides in one plane
    found = fcl.CollisionResult()
    objects = fcl_object(fcl, LARGE, (0, 0, 0)), fcl_object(fcl, second, at)
    assert fcl.collide(*objects, fcl.CollisionRequest(enable_contact=True), found)
    assert found.contacts[0].penetration_depth == pytest.approx(1.75) and abs(found.contacts[0].normal[0]) < 1e-9


def test_coal_boxes_touch_up_to_a_gap_and_ours_exactly():
    coal = pytest.importorskip("coal")
    body, here = ccd.rigid.Body(*LARGE), (NO_TURN, (0.0, 0.0, 0.0))
    for gap, theirs in ((0.0, True), (1e-7, True), (1e-5, False)):
        place = coal.Transform3s(np.eye(3), np.array([2 + gap, 0.0, 0.0]))
        box, origin = coal.Box(2, 2, 2), coal.Transform3s(np.eye(3), np.zeros(3))
        assert bool(coal.collide(box, origin, box, place, coal.CollisionRequest(), coal.CollisionResult())) == theirs
        assert ccd.rigid.intersects(body, here, body, (NO_TURN, (2 + gap, 0.0, 0.0))) == (gap == 0)


# ---- Rapier, by its binding for Python (single precision)


def rapier_cast(kind, at, velocity, half=1.0, **options):
    """The hit of a cuboid that is cast at a cuboid of half 1 at the origin, or at its triangles: None, or time and normal."""
    rapier = pytest.importorskip("rapier3d")
    world = rapier.PhysicsWorld()
    if kind == "cuboid":
        world.add_collider(rapier.Collider.cuboid(1, 1, 1))
    else:
        world.add_collider(rapier.Collider.trimesh(LARGE[0].astype(np.float32), LARGE[1].astype(np.uint32)))
    world.detect_collisions()
    world.update_query_pipeline()
    options = rapier.ShapeCastOptions(10.0, options.get("target", 0.0), options.get("stop", True))
    pose, shape = (tuple(map(float, at)), (0.0, 0.0, 0.0, 1.0)), rapier.SharedShape.cuboid(half, half, half)
    found = world.query_pipeline.cast_shape(pose, velocity, shape, options)
    return None if found is None else (found[1].time_of_impact, tuple(found[1].normal1))


def our_cast(at, velocity, half=1.0, target=0.0):
    """The same by ours, of triangles, for times up to 10."""
    moving = ccd.rigid.Motion(position=at, velocity=velocity)
    body, still = ccd.rigid.Body(*cube(half)), ccd.rigid.Body(*LARGE)
    return ccd.rigid.earliest(body, moving, still, ccd.rigid.Motion(), min_separation=target, t_max=10)


@pytest.mark.parametrize("kind", ["cuboid", "mesh"])
def test_rapier_casts_as_ours_where_bodies_start_apart(kind):
    """Times to 1e-5, single precision; a hit at a distance is where the gap is that distance, also corner to corner."""
    corner = 1 - 0.5 / 3**0.5
    cases = (((-5.5, 0, 0), (1, 0, 0), 0.0, 3.5), ((-5.5, 0, 0), (1, 0, 0), 0.25, 3.25), ((-3, -3, -3), (1, 1, 1), 0.5, corner))
    for at, velocity, target, want in cases:
        assert our_cast(at, velocity, target=target).toi_lo == pytest.approx(want, abs=1e-9)
        assert rapier_cast(kind, at, velocity, target=target)[0] == pytest.approx(want, abs=1e-5)


@pytest.mark.parametrize("kind", ["cuboid", "mesh"])
def test_rapier_leaves_a_start_in_overlap_out_by_an_option_and_ours_tells_it(kind):
    """0.5 deep along x: both tell it in any direction. Without stop_at_penetration Rapier tells only of what comes nearer."""
    for velocity in ((1, 0, 0), (-1, 0, 0), (0, 1, 0)):
        hit = our_cast((1.5, 0, 0), velocity)
        assert hit.initial and hit.intersecting
        time, normal = rapier_cast(kind, (1.5, 0, 0), velocity)
        # Of a mesh the normal is that of a pair of triangles; ours has the depth of the bodies in a call of its own.
        assert time == 0 and normal == ((1, 0, 0) if kind == "cuboid" else (0, 1, 0))
    assert rapier_cast(kind, (1.5, 0, 0), (1, 0, 0), stop=False) is None
    body = ccd.rigid.Body(*LARGE)
    depth = ccd.rigid.penetration_depth(body, (NO_TURN, (1.5, 0.0, 0.0)), body, (NO_TURN, (0.0, 0.0, 0.0)))
    assert depth.lo <= 0.5 <= depth.hi and depth.normal == pytest.approx((1, 0, 0), abs=1e-12)


def test_a_nested_start_is_a_hit_of_rapiers_cuboid_and_none_of_its_mesh():
    """0.3 off the middle: a cuboid is solid there, a mesh is its surface, as ours; containment tells which."""
    inside = ((0.3, 0, 0), (1, 0, 0), 0.1)
    assert our_cast(*inside).toi_lo == pytest.approx(0.6, abs=1e-9)
    assert rapier_cast("mesh", *inside)[0] == pytest.approx(0.6, abs=1e-5)
    assert rapier_cast("cuboid", *inside)[0] == 0
    small, large = ccd.rigid.Body(*SMALL), ccd.rigid.Body(*LARGE)
    where = ccd.rigid.containment(small, ccd.rigid.Motion(position=(0.3, 0, 0)), large, ccd.rigid.Motion())
    assert str(where) == "inside"
