"""Programs as people write them for ipctk, from its tutorials: the same lines with it and in its place give the same."""

import numpy as np
import pytest

import ccd.compat.own as ours

V0 = np.array([
    [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.2, 1.5], [1.2, 0.2, 1.5], [0.2, 1.2, 1.5], [0.2, 0.2, 2.5],
])  # fmt: skip
F = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [4, 6, 5], [4, 5, 7], [4, 7, 6], [5, 6, 7]])
V1 = V0 - np.array([0, 0, 2]) * (np.arange(8)[:, None] >= 4)


def a_mesh(ipctk):
    edges = ipctk.edges(F)
    mesh = ipctk.CollisionMesh(V0, edges, F)
    yield sorted(map(tuple, np.sort(edges, axis=1).tolist()))
    yield mesh.num_vertices, mesh.num_edges, mesh.num_faces, mesh.dim, mesh.ndof, mesh.rest_positions.tolist()
    yield list(mesh.codim_vertices), list(mesh.codim_edges), mesh.faces_to_edges.tolist()


def a_step(ipctk):
    mesh = ipctk.CollisionMesh(V0, ipctk.edges(F), F)
    alpha = ipctk.compute_collision_free_stepsize(mesh, V0, V1)
    yield ipctk.is_step_collision_free(mesh, V0, V1), 0.2 < alpha <= 0.25
    yield ipctk.is_step_collision_free(mesh, V0, V0 + alpha * (V1 - V0))
    yield ipctk.has_intersections(mesh, V0), ipctk.has_intersections(mesh, V0 + 0.5 * (V1 - V0))


def candidates(ipctk):
    mesh = ipctk.CollisionMesh(V0, ipctk.edges(F), F)
    for phase in (None, ipctk.BruteForce(), ipctk.HashGrid(), ipctk.SpatialHash(), ipctk.SweepAndPrune(), ipctk.LBVH()):
        found = ipctk.Candidates()
        found.build(mesh, V0, V1, inflation_radius=1e-3, broad_phase=phase)
        yield len(found), found.empty(), sorted((c.face_id, c.vertex_id) for c in found.fv_candidates)
        yield found.is_step_collision_free(mesh, V0, V1)


def a_filter(ipctk):
    mesh = ipctk.CollisionMesh(V0, ipctk.edges(F), F)
    mesh.can_collide = lambda i, j: (i < 4) != (j < 4)
    found = ipctk.Candidates()
    found.build(mesh, V0, V1)
    yield sorted(sorted((c.edge0_id, c.edge1_id)) for c in found.ee_candidates), len(found.fv_candidates)


def single_queries(ipctk):
    ground, point = (np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])), np.array([0.2, 0.2, 1.0])
    for solver in (ipctk.TightInclusionCCD(tolerance=1e-6, conservative_rescaling=0.9), ipctk.AdditiveCCD()):
        for separation in (0.0, 0.1):
            hit, toi = solver.point_triangle_ccd(point, *ground, -point, *ground, min_distance=separation)
            yield hit, 0.35 < toi <= 0.5 - separation / 2
        hit, toi = solver.point_edge_ccd(point[1:], ground[0][1:], ground[2][:2], -point[1:], ground[0][1:], ground[2][:2])
        yield hit
        yield solver.point_point_ccd(point, -point, point + 1, 1 - point)[0]


def a_surface_of_more(ipctk):
    rest = np.vstack([V0, [[9, 9, 9]]])
    on = ipctk.CollisionMesh.construct_is_on_surface(len(rest), ipctk.edges(F))
    mesh = ipctk.CollisionMesh(np.array(on), np.zeros(9, bool), rest, ipctk.edges(F), F)
    yield mesh.num_vertices, mesh.full_num_vertices, mesh.to_full_vertex_id(7), mesh.vertices(rest).tolist()
    yield mesh.to_full_dof(np.arange(24.0)).tolist()


def the_plane(ipctk):
    start = np.array([[0, 0], [1, 0], [0.5, 1], [0.7, 1.5]])
    mesh = ipctk.CollisionMesh(start, np.array([[0, 1], [2, 3]]))
    end = start - np.array([0, 2]) * (np.arange(4)[:, None] >= 2)
    yield mesh.dim, ipctk.is_step_collision_free(mesh, start, end)
    yield 0.4 < ipctk.compute_collision_free_stepsize(mesh, start, end) <= 0.5


def boxes(ipctk):
    held = ipctk.build_vertex_boxes(V0, V1, 0.25)
    yield len(held), np.round(held[4].min, 12).tolist(), np.round(held[4].max, 12).tolist(), list(held[4].vertex_ids)
    phase = ipctk.BruteForce()
    phase.build(V0, V1, ipctk.edges(F), F, 0.0)
    yield len(phase.detect_edge_edge_candidates()), len(phase.detect_face_vertex_candidates())


def a_candidate(ipctk):
    edges, one = ipctk.edges(F), ipctk.FaceVertexCandidate(3, 4)
    yield one == ipctk.FaceVertexCandidate(3, 4), one.face_id, one.vertex_id, list(one.vertex_ids(edges, F))
    yield round(one.compute_distance(V0, edges, F), 12)
    yield ipctk.EdgeEdgeCandidate(1, 2) < ipctk.EdgeEdgeCandidate(1, 3)


def without_rescaling(ipctk):
    ground, point = (np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])), np.array([0.2, 0.2, 1.0])
    hit, toi, tolerance = ipctk.tight_inclusion.point_triangle_ccd(point, *ground, -point, *ground, min_distance=0.0, tmax=1.0)
    yield hit, abs(toi - 0.5) < 1e-5, tolerance
    yield ipctk.tight_inclusion.compute_ccd_filters(np.zeros(3), np.ones(3), True, False).shape


PROGRAMS = (
    a_mesh, a_step, candidates, a_filter, single_queries, a_surface_of_more, the_plane, boxes, a_candidate, without_rescaling,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program(program, real):
    assert list(program(ours)) == list(program(real))
