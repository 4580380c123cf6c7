"""ccd.compat.ipctk with what a script brings: filters it combines, phases of its own, objects of the real ipctk, mistakes."""

import numpy as np
import pytest
from conftest import ids

import ccd
import ccd.compat.own as ours

V = np.random.default_rng(0).uniform(0, 1, (6, 3))
F = np.array([[0, 1, 2], [3, 4, 5]], np.int32)
E = ours.edges(F)


def combined(m, n, half):
    """Filters made of others, in place too: name, filter."""
    static, patches = m.make_static_obstacle_filter(half), m.make_vertex_patches_filter((np.arange(n) % 5).astype(np.int32))
    sparse = m.make_sparse_filter({(0, j): False for j in range(1, n)}, True)
    function = m.CollisionFilter(lambda i, j: (i + j) % 2 == 0)
    yield from (~static, ~~static, static | function, static & patches, static & sparse, ~(static & ~patches) | function)
    yield from (m.CollisionFilter() & patches, patches & m.CollisionFilter(), static & ~m.CollisionFilter())
    both, was = m.make_static_obstacle_filter(half), m.make_static_obstacle_filter(half)
    alias, whole = both, both | function
    both &= patches
    yield from (both, alias, whole)
    was |= function
    was &= sparse
    yield was
    was &= was
    yield was


def test_filters_combine_as_in_ipctk(real, scene):
    edges, faces, x0, x1 = scene
    n, some = len(x0), np.random.default_rng(0).integers(0, len(x0), (300, 2)).tolist()
    real.set_num_threads(1)  # its filters of functions wait for ever for the interpreter's lock, from several
    try:
        seen = 0
        for mine, theirs in zip(combined(ours, n, n // 2), combined(real, n, n // 2)):
            assert [mine(i, j) for i, j in some] == [theirs(i, j) for i, j in some]
            both = []
            for library, rule in ((ours, mine), (real, theirs)):
                mesh, found = library.CollisionMesh(x0, edges, faces), library.Candidates()
                mesh.can_collide = rule
                found.build(mesh, x0, x1, broad_phase=library.BruteForce())
                both.append((ids(found.ee_candidates), ids(found.fv_candidates), library.has_intersections(mesh, x1)))
            assert both[0][0] <= both[1][0] and both[0][1] <= both[1][1] and both[0][2] == both[1][2]
            assert len(both[1][0] - both[0][0]) <= 2 and len(both[1][1] - both[0][1]) <= 2
            seen += 1
        assert seen == 14
    finally:
        real.set_num_threads(0)
    for m in (ours, real):
        for wrong in (3, lambda i, j: True):
            with pytest.raises(TypeError):
                m.CollisionFilter() | wrong
            with pytest.raises(TypeError):
                m.CollisionFilter() & wrong


def test_a_filter_that_changes_is_looked_at_again(scene):
    edges, faces, x0, x1 = scene
    mesh = ours.CollisionMesh(x0, edges, faces)
    mesh.can_collide = ours.make_static_obstacle_filter(0)
    assert ours.compute_collision_free_stepsize(mesh, x0, x1) == 1
    mesh.can_collide |= ours.CollisionFilter()
    assert ours.compute_collision_free_stepsize(mesh, x0, x1) < 1


def broad(base, one, log):
    """A broad phase of a script that finds one pair of a face and a vertex."""

    class Mine(base):
        def name(self):
            return "mine"

        def build(self, *args):
            log.append(("build", [np.shape(x) if np.size(x) else "none" for x in args]))

        def clear(self):
            log.append("clear")

    def none(kind):
        def detect(self):
            log.append(kind)
            return [one] if kind == "face_vertex" else []

        return detect

    for kind in ("vertex_vertex", "edge_vertex", "edge_edge", "face_vertex", "edge_face", "face_face"):
        setattr(Mine, f"detect_{kind}_candidates", none(kind))
    return Mine


def test_a_broad_phase_of_the_script_is_called(real):
    """The same calls as ipctk makes, in a mesh with loose vertices and edges; and its candidates are those that count."""
    x0 = np.asfortranarray(np.vstack([V, V + 1, V[:2] + 3]))
    edges = np.asfortranarray(np.vstack([E, [[6, 7], [8, 9]]]).astype(np.int32))
    x1 = np.asfortranarray(x0 + 0.1)
    seen = []
    for m in (ours, real):
        log = []
        phase, mesh = broad(m.BroadPhase, m.FaceVertexCandidate(0, 3), log)(), m.CollisionMesh(x0, edges, F)
        found, still = m.Candidates(), m.Candidates()
        found.build(mesh, x0, x1, 0.1, phase)
        still.build(mesh, x0, 0.1, phase)
        log = [c for c in log if c != "clear"]
        answers = [ids(found.fv_candidates), len(found), len(still), m.has_intersections(mesh, x0, phase)]
        answers += [m.compute_collision_free_stepsize(mesh, x0, x1, 0.0, phase)]
        answers += [m.is_step_collision_free(mesh, x0, x1, 0.0, phase)]
        seen.append((log, answers))
    assert seen[0] == seen[1]
    assert seen[0][1][0] == {(0, 3)} and seen[0][1][1] == 1


def test_a_broad_phase_of_the_script_that_derives_from_a_method(scene):
    """What it leaves out is left out: the wrong result of before was that of the sweep."""
    edges, faces, x0, x1 = scene

    class Half(ours.LBVH):
        def detect_face_vertex_candidates(self):
            return [c for c in super().detect_face_vertex_candidates() if c.vertex_id % 2]

        def detect_edge_edge_candidates(self):
            return []

        def detect_edge_face_candidates(self):
            return []

    mesh, found, every = ours.CollisionMesh(x0, edges, faces), ours.Candidates(), ours.Candidates()
    found.build(mesh, x0, x1, broad_phase=Half())
    every.build(mesh, x0, x1)
    assert ids(found.fv_candidates) == {(f, v) for f, v in ids(every.fv_candidates) if v % 2} and not len(found.ee_candidates)
    assert ours.has_intersections(mesh, x1) and not ours.has_intersections(mesh, x1, Half())

    class Wrong(ours.LBVH):
        def detect_face_vertex_candidates(self):
            return [(0, 10**6)]

    found.build(mesh, x0, x1, broad_phase=Wrong())
    with pytest.raises(ccd.InvalidIndexError, match="is 1000000: out of range"):
        found.compute_collision_free_stepsize(mesh, x0, x1)
    Wrong.detect_face_vertex_candidates = lambda self: [3]
    with pytest.raises(TypeError, match=r"detect_face_vertex_candidates\(\)\[0\] is int: must be a FaceVertexCandidate"):
        found.build(mesh, x0, x1, broad_phase=Wrong())


def narrow(base, log):
    class Mine(base):
        def point_triangle_ccd(self, *args):
            log.append([np.shape(x) for x in args])
            return True, 0.25

        def edge_edge_ccd(self, *args):
            return False, 1.0

    return Mine()


def test_a_narrow_phase_of_the_script_is_called(real, scene):
    edges, faces, x0, x1 = scene
    real.set_num_threads(1)
    try:
        seen = []
        for m in (ours, real):
            log = []
            phase, mesh, found = narrow(m.NarrowPhaseCCD, log), m.CollisionMesh(x0, edges, faces), m.Candidates()
            found.build(mesh, x0, x1)
            seen.append([
                m.compute_collision_free_stepsize(mesh, x0, x1, 0.0, None, phase),
                found.compute_collision_free_stepsize(mesh, x0, x1, 0.0, phase),
                m.is_step_collision_free(mesh, x0, x1, 0.0, None, phase),
                m.FaceVertexCandidate(0, 3).ccd(np.zeros(12), np.ones(12), 0.0, 0.5, phase),
            ])  # fmt: skip
            assert log[-1] == [(3,)] * 8 + [()] * 2
            with pytest.raises(RuntimeError):
                phase.point_edge_ccd(*x0[:6])
    finally:
        real.set_num_threads(0)
    assert seen[0] == seen[1] == [0.25, 0.25, False, (True, 0.25)]


def test_objects_of_the_real_ipctk(real, scene):
    """They work where ours are meant, or a TypeError says what is meant."""
    edges, faces, x0, x1 = scene
    mesh = ours.CollisionMesh(x0, edges, faces)
    for theirs, mine in (
        (real.TightInclusionCCD(conservative_rescaling=0.5), ours.TightInclusionCCD(conservative_rescaling=0.5)),
        (real.AdditiveCCD(), ours.AdditiveCCD()),
    ):
        want = ours.compute_collision_free_stepsize(mesh, x0, x1, 0.0, None, mine)
        assert ours.compute_collision_free_stepsize(mesh, x0, x1, 0.0, real.LBVH(), theirs) == want
    want, phase = ours.Candidates(), broad(real.BroadPhase, real.FaceVertexCandidate(0, 90), [])()
    want.build(mesh, x0, x1, broad_phase=phase)
    assert ids(want.fv_candidates) == {(0, 90)}
    want.fv_candidates = [real.FaceVertexCandidate(1, 2), (3, 4)]
    assert want.fv_candidates == [ours.FaceVertexCandidate(1, 2), ours.FaceVertexCandidate(3, 4)]
    mesh.can_collide = real.make_static_obstacle_filter(0)
    assert ours.compute_collision_free_stepsize(mesh, x0, x1) == 1
    mesh.can_collide = ours.CollisionFilter() & real.make_static_obstacle_filter(0)
    assert ours.compute_collision_free_stepsize(mesh, x0, x1) == 1
    assert np.array_equal(ours.AABB(real.AABB(np.zeros(3), np.ones(3)), ours.AABB([2, 2, 2], [3, 3, 3])).max, [3, 3, 3])
    for wrong in (3, real.Candidates()):
        with pytest.raises(TypeError, match="narrow_phase_ccd is"):
            ours.compute_collision_free_stepsize(mesh, x0, x1, 0.0, None, wrong)
    with pytest.raises(TypeError, match=r"broad_phase is ipctk\.Candidates: must be a BroadPhase"):
        ours.Candidates().build(mesh, x0, x1, 0.0, real.Candidates())
    with pytest.raises(TypeError, match=r"mesh is ipctk\.Candidates: must be a CollisionMesh"):
        ours.Candidates().build(real.Candidates(), x0)


def test_threads(real, scene, monkeypatch):
    edges, faces, x0, x1 = scene
    seen, original = [], ccd.step.size
    monkeypatch.setattr(ccd.step, "size", lambda *a, **o: seen.append(o["threads"]) or original(*a, **o))
    mesh = ours.CollisionMesh(x0, edges, faces)
    try:
        for m in (ours, real):
            every = m.get_num_threads()
            m.set_num_threads(1)
            assert m.get_num_threads() == 1
            m.set_num_threads(10**6)
            assert m.get_num_threads() == every
            m.set_num_threads(-1)
            assert m.get_num_threads() == every
            for wrong in ("a", 1.5):
                with pytest.raises(TypeError):
                    m.set_num_threads(wrong)
        ours.compute_collision_free_stepsize(mesh, x0, x1)
        ours.set_num_threads(1)
        ours.compute_collision_free_stepsize(mesh, x0, x1)
        assert seen == [0, 1]
    finally:
        ours.set_num_threads(0)
        real.set_num_threads(0)


MISTAKES = {
    "missing edge": lambda m: m.CollisionMesh(V, E[:2], F),
    "no edges": lambda m: m.CollisionMesh.construct_faces_to_edges(F, np.zeros((0, 2), np.int32)),
    "edges of text": lambda m: m.CollisionMesh(V, "abc", F),
    "no arguments": lambda m: m.CollisionMesh(),
    "edges are set": lambda m: setattr(m.CollisionMesh(V, E, F), "edges", E),
    "edges are written to": lambda m: m.CollisionMesh(V, E, F).edges.__setitem__((0, 0), 3),
    "no such candidate": lambda m: m.Candidates()[0],
    "text for an index": lambda m: m.Candidates()["a"],
    "no mesh": lambda m: m.Candidates().build(3, V),
    "no broad phase": lambda m: m.Candidates().build(m.CollisionMesh(V, E, F), V, 0.0, 3),
    "no narrow phase": lambda m: m.compute_collision_free_stepsize(m.CollisionMesh(V, E, F), V, V, 0.0, None, 3),
    "text for vertices": lambda m: m.compute_collision_free_stepsize(m.CollisionMesh(V, E, F), V, "x"),
    "one index": lambda m: m.FaceVertexCandidate(1),
    "text in a candidate": lambda m: m.FaceVertexCandidate("a", 1),
    "half an index": lambda m: m.FaceVertexCandidate(1.5, 1),
    "three indices": lambda m: m.FaceVertexCandidate(1, 2, 3),
    "what candidates share": lambda m: m.CollisionStencil(),
    "candidates of numbers": lambda m: setattr(m.Candidates(), "fv_candidates", [3]),
    "less than a number": lambda m: m.FaceVertexCandidate(1, 2) < 3,
    "text for a corner": lambda m: m.AABB("a", "b"),
    "points of the plane": lambda m: m.TightInclusionCCD().point_triangle_ccd(*[[0, 0]] * 8),
    "text for a tolerance": lambda m: m.TightInclusionCCD("a"),
    "no method": lambda m: m.NarrowPhaseCCD().point_point_ccd([0, 0], [0, 1], [0, 0], [0, 1]),
    "text for a count": lambda m: m.make_static_obstacle_filter("a"),
    "a negative count": lambda m: m.make_static_obstacle_filter(-1),
    "half a count": lambda m: m.make_static_obstacle_filter(1.5),
    "a list for a dict": lambda m: m.make_sparse_filter([1], True),
    "a filter of a number": lambda m: m.CollisionFilter(3),
    "can_collide of a number": lambda m: setattr(m.CollisionMesh(V, E, F), "can_collide", 3),
    "can_collide of None": lambda m: setattr(m.CollisionMesh(V, E, F), "can_collide", None),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_errors_of_the_same_types(real, mistake):
    with pytest.raises((RuntimeError, TypeError, ValueError, IndexError, AttributeError)) as theirs:
        MISTAKES[mistake](real)
    with pytest.raises(theirs.type):
        MISTAKES[mistake](ours)
