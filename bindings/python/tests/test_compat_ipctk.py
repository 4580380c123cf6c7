"""ccd.compat.ipctk: what it promises, and beside the real ipctk where that is installed."""

import numpy as np
import pytest
from conftest import LONG, ids

import ccd
import ccd.compat.own as ours
from ccd.compat import _distance
from ccd.impact import Kind

METHODS = {
    Kind.VERTEX_FACE: "point_triangle_ccd",
    Kind.EDGE_EDGE: "edge_edge_ccd",
    Kind.POINT_EDGE: "point_edge_ccd",
    Kind.POINT_POINT: "point_point_ccd",
}


def falling(height, end=None):
    """A point that falls from a height on a triangle at z = 0."""
    face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    return [[0.25, 0.25, height], *face, [0.25, 0.25, -height if end is None else end], *face]


def random_queries(kind, n, seed=0, scale=1.0):
    """General ones, and on every second a coarse grid, where edges are parallel and faces flat."""
    q = np.random.default_rng(seed).uniform(-1, 1, (n, 2 * kind.points, 3))
    q[::2] = np.round(q[::2] * 2) / 2
    return q * scale


@pytest.mark.parametrize("height, left", [(1, 1e-4), (1e-3, 1e-4), (1e-4, 2e-5), (1e-6, 2e-7)])
def test_tight_inclusion_leaves_what_ipctk_leaves(height, left):
    hit, toi = ours.TightInclusionCCD(tolerance=1e-9).point_triangle_ccd(*falling(height))
    assert hit and height * (1 - 2 * toi) == pytest.approx(left, rel=1e-2)
    assert height * (1 - 2 * toi) >= left * (1 - 1e-12)  # 1 - 0.8 is rounded


@pytest.mark.parametrize("height", [1, 1e-3, 1e-6])
@pytest.mark.parametrize("share", [0.9, 0.5])
def test_additive_leaves_its_share(height, share):
    hit, toi = ours.AdditiveCCD(conservative_rescaling=share).point_triangle_ccd(*falling(height))
    assert hit and 1 - 2 * toi == pytest.approx(1 - share, rel=1e-3)


def test_answers_that_do_not_depend_on_the_rescaling():
    solver = ours.TightInclusionCCD()
    assert solver.point_triangle_ccd(*falling(1), tmax=0.3) == (False, np.inf)
    assert solver.point_triangle_ccd(*falling(1, 2)) == (False, np.inf)
    assert solver.point_triangle_ccd(*falling(1, 1)) == (False, np.inf)
    assert solver.point_triangle_ccd(*falling(1), min_distance=2.0) == (True, 0.0)
    hit, toi = solver.point_triangle_ccd(*falling(1e-8, -1e3))
    assert hit and 0 < toi < 1e-11
    assert solver.point_point_ccd([0, 1], [0, 0], [0, -1], [0, 0])[0]
    assert solver.point_edge_ccd([0, 1], [-1, 0], [1, 0], [0, -1], [-1, 0], [1, 0])[0]


def test_bad_input():
    solver = ours.TightInclusionCCD()
    with pytest.raises(ccd.NonFiniteError):
        solver.point_triangle_ccd(*(np.array(p) * np.nan for p in falling(1)))
    with pytest.raises(ccd.ArgumentError, match="t_max"):
        solver.point_triangle_ccd(*falling(1), tmax=2)
    with pytest.raises(ccd.ArgumentError, match="min_separation"):
        solver.point_triangle_ccd(*falling(1), min_distance=-1)
    with pytest.raises(ccd.ArgumentError, match="sizes"):
        solver.point_point_ccd([0, 1], [0, 0, 0], [0, 1], [0, 0])


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("scale", [1e-3, 1, 1e3])
@pytest.mark.parametrize("min_distance", [0.0, 1e-2])
def test_one_pair_beside_ipctk(real, kind, scale, min_distance):
    """Where the two differ by more than their tolerances, the exact method says that ours is right."""
    d, theirs, mine = min_distance * scale, real.TightInclusionCCD(max_iterations=10_000), ours.TightInclusionCCD()
    queries = random_queries(kind, 60, scale=scale)
    if kind == Kind.POINT_EDGE:
        queries = queries[1::2]  # ipctk 1.6.1 does not return from some degenerate ones
    for q in queries:
        exact = ccd.pair.solve(kind, q, method="exact", min_separation=d)
        (hit, toi), (their_hit, their_toi) = (getattr(s, METHODS[kind])(*q, d, 1.0) for s in (mine, theirs))
        assert hit or not exact.contact
        assert toi <= exact.toi_lo
        if hit != their_hit:  # near enough for one to stop, within what either leaves of the gap
            at = toi if hit else their_toi
            close = ccd.pair.solve(kind, q, min_separation=d + 3e-4, tolerance=1e-9)
            assert close.contact and at >= close.toi_lo * 0.7
        elif hit:
            slack = max(2e-4, 4e-6 / max(np.abs(q[kind.points :] - q[: kind.points]).max(), 1e-9))
            assert abs(toi - their_toi) <= slack or toi <= exact.toi_lo


def test_distances_beside_ipctk(real):
    for kind, name in (
        (Kind.POINT_POINT, "point_point_distance"), (Kind.POINT_EDGE, "point_edge_distance"),
        (Kind.EDGE_EDGE, "edge_edge_distance"), (Kind.VERTEX_FACE, "point_triangle_distance"),
    ):  # fmt: skip
        for scale in (1e-3, 1.0, 1e3):
            q = random_queries(kind, 200, scale=scale)
            if kind == Kind.EDGE_EDGE:  # ipctk 1.6.1 is wrong for an edge of no length
                q = q[(q[:, 0] != q[:, 1]).any(axis=1) & (q[:, 2] != q[:, 3]).any(axis=1)]
            squared = [getattr(real, name)(*points[: kind.points]) for points in q]
            np.testing.assert_allclose(_distance.initial(kind, q), np.sqrt(squared), atol=1e-7 * scale)
    huge = np.zeros((1, 4, 3))
    huge[0, :2, 0] = -3e149, 4e149
    assert _distance.initial(Kind.POINT_POINT, huge)[0] == pytest.approx(7e149)


def test_the_tight_inclusion_functions(real):
    for q in random_queries(Kind.EDGE_EDGE, 100):
        got, want = ours.tight_inclusion.edge_edge_ccd(*q), real.tight_inclusion.edge_edge_ccd(*q)
        assert got[2] == want[2] and (got[0], got[1]) == (ccd.pair.edge_edge(q).contact, ccd.pair.edge_edge(q).toi_lo)
        if got[0]:
            assert want[0] and want[1] <= got[1]  # theirs is sound here, and ours is the true time
    assert ours.edge_edge_ccd is ours.tight_inclusion.edge_edge_ccd
    assert ours.point_triangle_ccd(*falling(1)) == (True, 0.5, 1e-6)
    assert (
        ours.point_triangle_ccd(*falling(1), 0.0, 0.3, filter=ours.compute_ccd_filters([0] * 3, [1] * 3, True, False))[0]
        is False
    )
    box = [-1, -1, -1], [1, 0.5, 1]
    for vertex_face in (True, False):
        for separation in (True, False):
            got = ours.compute_ccd_filters(*box, vertex_face, separation)
            np.testing.assert_allclose(got, real.tight_inclusion.compute_ccd_filters(*box, vertex_face, separation), rtol=1e-6)


@pytest.mark.parametrize("radius", [0.0, 0.01])
@pytest.mark.parametrize("name", ["BruteForce", "HashGrid", "SpatialHash", "SweepAndPrune", "LBVH"])
def test_broad_phases_beside_ipctk(real, scene, name, radius):
    """Each finds all that ipctk's brute force finds, and no pair with boxes more than a rounding apart."""
    edges, faces, x0, x1 = scene
    got, want = getattr(ours, name)(), real.BruteForce()
    for phase in (got, want):
        phase.build(x0, x1, edges, faces, radius)
    assert got.name() == name
    for detect in ("vertex_vertex", "edge_vertex", "edge_edge", "face_vertex", "edge_face", "face_face"):
        mine = ids(getattr(got, f"detect_{detect}_candidates")())
        theirs = ids(getattr(want, f"detect_{detect}_candidates")())
        assert len(mine) > 10 and mine <= theirs, detect  # theirs rounds its boxes outwards in single precision
        assert len(theirs - mine) <= 0.001 * len(theirs) + 2, detect
    static = getattr(ours, name)()
    static.build(x0, edges, faces, inflation_radius=radius)
    assert ids(static.detect_face_vertex_candidates()) <= ids(got.detect_face_vertex_candidates())
    assert len(got.detect_collision_candidates()) > 0


def test_candidates_and_steps_beside_ipctk(real, scene):
    edges, faces, x0, x1 = scene
    apart = np.asfortranarray(x0 + [0, 0, 0.2] * (np.arange(len(x0))[:, None] >= len(x0) // 2))
    for end in (x1, apart, np.asfortranarray(0.3 * x0 + 0.7 * x1)):
        both = []
        for library in (real, ours):
            mesh, found = library.CollisionMesh(apart, edges, faces), library.Candidates()
            found.build(mesh, apart, end)
            both.append(
                (
                    ids(found.ee_candidates), ids(found.fv_candidates), len(found),
                    found.is_step_collision_free(mesh, apart, end), library.is_step_collision_free(mesh, apart, end),
                    found.compute_collision_free_stepsize(mesh, apart, end),
                    library.compute_collision_free_stepsize(mesh, apart, end),
                )
            )  # fmt: skip
        (their_ee, their_fv, _, *theirs), (my_ee, my_fv, count, *mine) = both
        assert my_ee <= their_ee and my_fv <= their_fv and count == len(my_ee) + len(my_fv)
        assert mine[:2] == theirs[:2] and mine[2] == mine[3] == pytest.approx(theirs[2], abs=2e-3)
        safe = ccd.step.size(ccd.Mesh(faces), apart, end)
        assert mine[2] <= safe


def test_a_step_is_the_least_of_its_pairs(scene):
    edges, faces, x0, x1 = scene
    mesh = ours.CollisionMesh(x0, edges, faces)
    apart = x0 + [0, 0, 0.2] * (np.arange(len(x0))[:, None] >= len(x0) // 2)
    found = ours.Candidates()
    found.build(mesh, apart, x1)
    for solver in (ours.TightInclusionCCD(), ours.AdditiveCCD(conservative_rescaling=0.5))[: 2 if LONG else 1]:
        alone = [1.0]
        for c in found:
            at = [i for i in c.vertex_ids(edges, faces) if i >= 0]
            alone.append(c.ccd(apart[at], x1[at], narrow_phase_ccd=solver)[1])
        assert found.compute_collision_free_stepsize(mesh, apart, x1, 0.0, solver) == pytest.approx(min(alone), abs=1e-9)


def test_a_mesh_of_the_real_ipctk(real, scene):
    edges, faces, x0, x1 = scene
    mesh = real.CollisionMesh(x0, edges, faces)
    own = ours.CollisionMesh(x0, edges, faces)
    assert ours.compute_collision_free_stepsize(mesh, x0, x1) == ours.compute_collision_free_stepsize(own, x0, x1)


def test_filters_beside_ipctk(real, scene):
    edges, faces, x0, x1 = scene
    half = len(x0) // 2
    patches = (np.arange(len(x0)) >= half).astype(np.int32) - 1
    for make in (
        lambda m: m.make_vertex_patches_filter(patches),
        lambda m: m.make_static_obstacle_filter(half),
        lambda m: m.make_connected_components_filter(np.asfortranarray(faces)),
        lambda m: m.make_sparse_filter({(0, j): False for j in range(1, len(x0))}, True),
        lambda m: m.CollisionFilter(),
    ):
        mine, theirs = make(ours), make(real)
        some = np.random.default_rng(0).integers(0, len(x0), (200, 2))
        assert [mine(int(i), int(j)) for i, j in some if i != j] == [theirs(int(i), int(j)) for i, j in some if i != j]
        both = []
        for library, rule in ((ours, mine), (real, theirs)):
            mesh, found = library.CollisionMesh(x0, edges, faces), library.Candidates()
            mesh.can_collide = rule
            found.build(mesh, x0, x1, broad_phase=library.BruteForce())
            both.append((ids(found.ee_candidates), ids(found.fv_candidates)))
        assert both[0][0] <= both[1][0] and both[0][1] <= both[1][1]
        assert len(both[1][0] - both[0][0]) <= 2 and len(both[1][1] - both[0][1]) <= 2


def test_edges_and_faces_that_may_collide(scene):
    """Those of edges and faces obey filters, and find each other in a scene without edges or faces of the other."""
    edges, faces, x0, x1 = scene
    half = len(x0) // 2
    phase = ours.SweepAndPrune()
    phase.build(x0, x1, edges, faces)
    every = ids(phase.detect_edge_face_candidates()), ids(phase.detect_face_face_candidates())
    phase.can_vertices_collide = ours.make_static_obstacle_filter(half)
    for all_of, kept, first in zip(
        every, (ids(phase.detect_edge_face_candidates()), ids(phase.detect_face_face_candidates())), (edges, faces)
    ):
        want = {(a, b) for a, b in all_of if (first[a] < half).any() or (faces[b] < half).any()}
        assert kept == want < all_of and len(want) > 100
    phase.build(x0, x1, edges, faces[:0])
    assert not len(phase.detect_edge_face_candidates()) and not len(phase.detect_face_face_candidates())


def test_a_part_of_a_full_mesh_beside_ipctk(real, scene):
    sparse = pytest.importorskip("scipy.sparse")
    edges, faces, x0, _ = scene
    rng, n = np.random.default_rng(4), len(x0)
    inner = np.asfortranarray(np.vstack([x0[:5] + 1, x0, x0[:3] - 1]))  # vertices in no edge, as inside a solid
    moved = np.asfortranarray(inner + rng.uniform(-0.1, 0.1, inner.shape))
    both = [m.CollisionMesh.build_from_full_mesh(inner, edges + np.int32(5), faces + np.int32(5)) for m in (ours, real)]
    for name in (
        "num_vertices", "num_edges", "num_faces", "dim", "ndof",
        "full_num_vertices", "full_ndof", "num_codim_vertices", "num_codim_edges",
    ):  # fmt: skip
        assert getattr(both[0], name) == getattr(both[1], name), name
    for name in ("rest_positions", "edges", "faces"):
        assert np.array_equal(getattr(both[0], name), getattr(both[1], name)), name
    for name, x in (("vertices", moved), ("displace_vertices", moved - inner), ("map_displacements", moved - inner)):
        np.testing.assert_allclose(getattr(both[0], name)(x), getattr(both[1], name)(np.asfortranarray(x)), atol=1e-15)
    assert (
        [both[0].to_full_vertex_id(i) for i in (0, n - 1)] == [both[1].to_full_vertex_id(i) for i in (0, n - 1)] == [5, n + 4]
    )
    assert np.array_equal(both[0].to_full_vertex_id(), both[1].to_full_vertex_id())

    # Every vertex is the mean of two of 40 nodes.
    at = np.concatenate([np.arange(len(inner))] * 2), rng.integers(0, 40, 2 * len(inner))
    weights = sparse.csc_matrix((np.full(2 * len(inner), 0.5), at), shape=(len(inner), 40))
    include = [5 <= i < n + 5 for i in range(len(inner))]
    arguments = (include, [False] * len(inner), inner, edges + np.int32(5), faces + np.int32(5), weights)
    both = [library.CollisionMesh(*arguments) for library in (ours, real)]
    nodes = np.asfortranarray(rng.uniform(-0.1, 0.1, (40, 3)))
    np.testing.assert_allclose(both[0].displace_vertices(nodes), both[1].displace_vertices(nodes), atol=1e-15)
    dense = ours.CollisionMesh(*arguments[:5], weights.toarray())
    np.testing.assert_allclose(dense.displace_vertices(nodes), both[0].displace_vertices(nodes), atol=1e-15)


def test_bad_parts_of_a_mesh(scene):
    edges, faces, x0, _ = scene
    with pytest.raises(ccd.ArgumentError, match="faces has a vertex that is not included"):
        ours.CollisionMesh([True] * 20 + [False] * (len(x0) - 20), [False] * len(x0), x0, faces=faces)
    with pytest.raises(ccd.ArgumentError, match="include_vertex has 3"):
        ours.CollisionMesh([True] * 3, [False] * 3, x0)
    with pytest.raises(ccd.ArgumentError, match="displacement_map"):
        ours.CollisionMesh(x0, edges, faces, np.ones((3, 3)))
    with pytest.raises(ccd.ArgumentError, match="full_positions"):
        ours.CollisionMesh(x0, edges, faces).vertices(x0[:4])
    with pytest.raises(TypeError):
        ours.CollisionMesh(edges=edges)


def test_intersections_beside_ipctk(real, scene):
    edges, faces, x0, x1 = scene
    half, seen = len(x0) // 2, set()
    meshes = [library.CollisionMesh(x0, edges, faces) for library in (ours, real)]
    for t in np.linspace(0, 1, 21):
        x = np.asfortranarray((1 - t) * x0 + t * x1)
        answers = [library.has_intersections(mesh, x) for library, mesh in zip((ours, real), meshes)]
        assert answers[0] == answers[1] == ours.has_intersections(meshes[1], x, ours.BruteForce())
        seen.add(answers[0])
    assert seen == {False, True}
    for library, mesh in zip((ours, real), meshes):
        mesh.can_collide = library.make_static_obstacle_filter(0)
        assert not library.has_intersections(mesh, np.asfortranarray(x1))
    meshes[0].can_collide = ours.CollisionFilter(lambda a, b: (a < half) == (b < half))
    assert not ours.has_intersections(meshes[0], (x0 + x1) / 2)


def test_intersections_in_the_plane(real):
    ends = np.arange(4, dtype=np.int32).reshape(-1, 2)
    crossing, apart, touching = [[0, 1], [1, 0]], [[2, 1], [3, 0]], [[0.5, 0.5], [1, 0]]
    for other, want in ((crossing, True), (apart, False), (touching, True)):
        x = [[0, 0], [1, 1], *other]
        x = np.asfortranarray(np.array(x, float))
        assert ours.has_intersections(ours.CollisionMesh(x, ends), x) == want
        assert real.has_intersections(real.CollisionMesh(x, np.asfortranarray(ends)), x) == want


def test_an_intersection_is_decided_exactly(real):
    """A point on a face's side, as far as doubles can say, and one that is a unit in the last place outside."""
    faces, x = np.array([[0, 1, 2]]), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0, 1], [0.3, 0, -1]])
    edges = np.array([[0, 1], [1, 2], [2, 0], [3, 4]])
    mesh = ours.CollisionMesh(x, edges, faces)
    assert ours.has_intersections(mesh, x)
    x[3:, 1] = -(2.0**-1074)
    assert not ours.has_intersections(mesh, x)


def test_a_filter_that_is_a_function(scene):
    edges, faces, x0, x1 = scene
    mesh, found = ours.CollisionMesh(x0, edges, faces), ours.Candidates()
    found.build(mesh, x0, x1)
    want = {c for c in found.fv_candidates if any((c.vertex_id + v) % 5 == 0 for v in faces[c.face_id])}
    mesh.can_collide = ours.CollisionFilter(lambda a, b: (a + b) % 5 == 0)
    found.build(mesh, x0, x1)
    assert set(found.fv_candidates) == want and len(want) > 0


def test_a_scene_in_the_plane(real):
    rng = np.random.default_rng(3)
    x0 = np.asfortranarray(rng.uniform(-1, 1, (24, 2)))
    x1 = np.asfortranarray(x0 + rng.uniform(-0.3, 0.3, x0.shape))
    edges = np.asfortranarray(np.arange(20, dtype=np.int32).reshape(-1, 2))
    both = []
    for library in (ours, real):
        mesh, found = library.CollisionMesh(x0, edges), library.Candidates()
        found.build(mesh, x0, x1)
        assert not len(found.ee_candidates) and not len(found.fv_candidates)
        both.append((ids(found.ev_candidates), found.compute_collision_free_stepsize(mesh, x0, x1)))
    assert both[0][0] <= both[1][0] and len(both[0][0]) > 5
    assert both[0][1] == pytest.approx(both[1][1], abs=2e-3)


def test_candidates_are_values():
    c = ours.FaceVertexCandidate(2, 7)
    assert (
        c == ours.FaceVertexCandidate((2, 7)) and c != ours.EdgeVertexCandidate(2, 7) and repr(c) == "FaceVertexCandidate(2, 7)"
    )
    assert (
        (c.face_id, c.vertex_id) == (2, 7)
        and c < ours.FaceVertexCandidate(3, 0)
        and len({c, ours.FaceVertexCandidate(2, 7)}) == 1
    )
    none = ours.Candidates()
    assert none.empty() and len(none) == 0
    with pytest.raises(IndexError):
        none[0]
