"""The whole of ipctk's list: every name is in ccd.compat.ipctk, with its arguments, or is known to be absent for a reason."""

import inspect
import re
from fractions import Fraction

import numpy as np
import pytest
from conftest import ids

import ccd
import ccd.compat.own as ours
from ccd.compat import _absent

# Overloaded: called with the names of each overload below.
OVERLOADED = {"AABB.__init__", "AABB.from_point", "Candidates.build", "CollisionMesh.__init__", "build_vertex_boxes"}
OVERLOADED |= {
    f"{kind}Candidate.__init__" for kind in ("VertexVertex", "EdgeVertex", "EdgeEdge", "FaceVertex", "EdgeFace", "FaceFace")
}


def made(name):
    """An object of a class of ours, for the members that only objects have."""
    if name == "CollisionStencil":
        name = "EdgeEdgeCandidate"
    if name.endswith("Candidate"):
        return getattr(ours, name)(0, 0)
    if name == "CollisionMesh":
        return ours.CollisionMesh(np.eye(3), [[0, 1], [1, 2], [2, 0]], [[0, 1, 2]])
    return getattr(ours, name)(*([0] if name == "LoggerLevel" else []))


def arguments(text):
    """Names and defaults of a function of ipctk's, as its documentation spells them: [(name, default)] for each overload."""
    found = []
    for line in re.findall(r"^(?:\d+\. )?\w+\((.*)\) -> ", text, re.M):
        depth, parts = 0, [""]
        for c in line:
            depth += (c in "[(<") - (c in "])>")
            if c == "," and depth == 0:
                parts.append("")
            else:
                parts[-1] += c
        names = [re.match(r"\s*(\w+)(?:: .*?)?(?: = (.*))?$", part) for part in parts if part.strip()]
        found.append([(m.group(1), m.group(2)) for m in names if m and m.group(1) != "self"])
    return found


def same_default(mine, theirs):
    if theirs is None or mine is inspect.Parameter.empty:
        return (theirs is None) == (mine is inspect.Parameter.empty)
    if theirs.startswith(("<ipctk.TightInclusionCCD", "<scipy", "array([]", "<Compressed")) or theirs == "None":
        return mine is None or np.size(mine) == 0
    if theirs.startswith("<CCDRootFindingMethod"):
        return mine.name in theirs
    return np.array_equal(np.array(mine), np.array(eval(theirs, {"array": np.array})))


def public(thing):
    return [name for name in dir(thing) if not name.startswith("_")]


def test_every_name_of_ipctk_is_here_or_has_a_reason(real):
    seen, absent = 0, []
    for name in public(real):
        if name not in ours.__all__:
            absent.append(name)
            continue
        theirs = getattr(real, name)
        if inspect.isclass(theirs):
            mine = made(name)
            lacking = [f"{name}.{member}" for member in public(theirs) if not hasattr(mine, member)]
            absent += lacking
            seen += len(public(theirs)) - len(lacking)
        seen += 1
    assert seen > 200
    unexplained = [name for name in absent if not _absent.reason(name)]
    assert not unexplained
    # Nothing that is here is on the list, and no pattern of it is idle.
    assert not [name for name in ours.__all__ if _absent.reason(name)]
    for table in (_absent.NAMES, _absent.MEMBERS):
        for why, pattern in table.items():
            assert any(re.fullmatch(pattern, name) for name in absent), why
    for name in public(real.tight_inclusion):
        assert hasattr(ours.tight_inclusion, name), name
    with pytest.raises(AttributeError, match="import ipctk beside this"):
        ours.BarrierPotential  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no nothing$"):
        ours.nothing  # noqa: B018


def test_arguments_are_called_as_in_ipctk(real):
    seen = 0
    shared = [(name, getattr(real, name), getattr(ours, name)) for name in public(real) if name in ours.__all__]
    shared += [(n, getattr(real.tight_inclusion, n), getattr(ours.tight_inclusion, n)) for n in public(real.tight_inclusion)]
    for name, theirs, mine in shared:
        pairs = [(name, theirs, mine)] if not inspect.isclass(theirs) and callable(theirs) else []
        if inspect.isclass(theirs) and not hasattr(theirs, "__members__"):
            pairs = [
                (f"{name}.{member}", getattr(theirs, member), getattr(mine, member))
                for member in [*public(theirs), "__init__"]
                if callable(getattr(theirs, member)) and callable(getattr(mine, member, None))
            ]
        for label, function, own in pairs:
            overloads = arguments(function.__doc__ or "")
            if label in OVERLOADED or label.endswith((".build", ".compute_distance")) or not overloads:
                continue
            want = overloads[0]
            parameters = [p for n, p in inspect.signature(own).parameters.items() if n != "self"]
            if want and want[0][0] != "args" and not re.match(r"arg\d", want[0][0]):
                assert [p.name for p in parameters][: len(want)] == [n for n, _ in want] or len(overloads) > 1, label
                if len(overloads) == 1:
                    assert all(same_default(p.default, d) for p, (_, d) in zip(parameters, want)), label
                    seen += 1
    assert seen > 40


def test_overloads_by_name(scene):
    edges, faces, x0, x1 = scene
    mesh = ours.CollisionMesh(rest_positions=x0, edges=edges, faces=faces)
    for phase in (ours.BruteForce(), ours.LBVH()):
        phase.build(vertices=x0, edges=edges, faces=faces, inflation_radius=0.01)
        still = len(phase.detect_face_vertex_candidates())
        phase.build(vertices_t0=x0, vertices_t1=x1, edges=edges, faces=faces, inflation_radius=0.01)
        assert len(phase.detect_face_vertex_candidates()) > still > 0
    found = ours.Candidates()
    found.build(mesh=mesh, vertices=x0, inflation_radius=0.01)
    still = len(found)
    found.build(mesh=mesh, vertices_t0=x0, vertices_t1=x1, inflation_radius=0.01, broad_phase=ours.BVH())
    assert len(found) > still > 0
    assert ours.AABB(min=[0, 0], max=[1, 1]).intersects(ours.AABB.from_point(p=[1, 1]))
    assert not ours.AABB(min=[0, 0], max=[1, 1]).intersects(
        ours.AABB.from_point(p_t0=[1.5, 1], p_t1=[2, 2], inflation_radius=0.4)
    )
    assert ours.EdgeVertexCandidate(edge_id=1, vertex_id=2) == ours.EdgeVertexCandidate(edge_and_vertex_id=(1, 2))
    for kind, names in (("VertexVertex", "vertex"), ("EdgeEdge", "edge"), ("FaceFace", "face")):
        make = getattr(ours, f"{kind}Candidate")
        assert make(**{f"{names}0_id": 1, f"{names}1_id": 2}) == make(**{f"{names}_ids": (1, 2)}) == make(1, 2)
    assert ours.FaceVertexCandidate(face_id=1, vertex_id=2) == ours.FaceVertexCandidate(face_and_vertex_id=(1, 2))
    assert ours.EdgeFaceCandidate(edge_id=1, face_id=2) == ours.EdgeFaceCandidate(edge_and_face_id=(1, 2))
    with pytest.raises(TypeError):
        ours.EdgeFaceCandidate(edge_id=1, vertex_id=2)


def test_a_mesh_with_planes_is_refused(real, scene):
    edges, faces, x0, _ = scene
    mesh = real.CollisionMesh(x0, edges, faces)
    mesh.planes = [real.Hyperplane(np.array([0, 0, 1.0]), np.zeros(3))]
    with pytest.raises(ccd.ArgumentError, match="planes"):
        ours.Candidates().build(mesh, x0)


def test_stencils_and_smaller_candidates_beside_ipctk(real, scene):
    edges, faces, x0, x1 = scene
    both = []
    for library in (ours, real):
        mesh, found = library.CollisionMesh(x0, edges, faces), library.Candidates()
        found.build(mesh, x0, x1, 0.02)
        answers = {}
        for name in ("face_vertex_to_edge_vertex", "face_vertex_to_vertex_vertex", "edge_edge_to_edge_vertex"):
            answers[name] = ids(getattr(found, name)(mesh, x0))
            answers[name, "near"] = ids(getattr(found, name)(mesh, x0, lambda squared: squared < 0.02))
            assert 0 < len(answers[name, "near"]) < len(answers[name])
        for c in found.fv_candidates:
            key = c.face_id, c.vertex_id
            positions = c.dof(x0, edges, faces)
            assert c.compute_distance(positions) == c.compute_distance(x0, edges, faces)
            rows = np.array(c.vertices(x0, edges, faces))
            answers[key] = rows.tolist(), positions.tolist(), c.compute_distance(positions), c.dim(12), c.num_vertices()
        both.append(answers)
    for key, mine in both[0].items():
        theirs = both[1][key]
        if isinstance(mine, set):
            assert mine <= theirs and len(theirs - mine) <= 0.01 * len(theirs) + 2, key
        else:
            assert mine[:2] == theirs[:2] and mine[2] == pytest.approx(theirs[2], abs=1e-12) and mine[3:] == theirs[3:]


def test_cautious_steps_beside_ipctk(real, scene):
    edges, faces, x0, x1 = scene
    apart = np.asfortranarray(x0 + [0, 0, 0.2] * (np.arange(len(x0))[:, None] >= len(x0) // 2))
    for share in (0.01, 0.3, 1):
        end = np.asfortranarray(apart + share * (x1 - apart))
        steps = []
        for library in (ours, real):
            mesh, found = library.CollisionMesh(x0, edges, faces), library.Candidates()
            found.build(mesh, apart, 0.1)
            steps.append(
                (
                    found.compute_noncandidate_conservative_stepsize(mesh, np.asfortranarray(end - apart), 0.1),
                    found.compute_cfl_stepsize(mesh, apart, end, 0.1),
                )
            )
        assert steps[0][0] <= steps[1][0] and steps[0][1] <= steps[1][1] * (1 + 1e-2)
        assert steps[0][1] <= ccd.step.size(ccd.Mesh(faces), apart, end)
        norm = np.linalg.norm(end - apart, axis=1).max()
        assert 0.05 * (1 - 1e-14) <= steps[0][0] * norm <= 0.05
    # What comes from afar is seen, though no candidate knows of it.
    far = apart.copy()
    far[0] -= [0, 0, 50]
    mesh, found = ours.CollisionMesh(x0, edges, faces), ours.Candidates()
    found.build(mesh, apart, 0.1)
    assert found.compute_noncandidate_conservative_stepsize(mesh, far - apart, 0.1) <= 0.001
    assert found.compute_noncandidate_conservative_stepsize(mesh, 1e-200 * (far - apart), 0.1) == pytest.approx(1e197)
    assert found.compute_noncandidate_conservative_stepsize(mesh, 0 * far, 0.1) == np.inf


def crosses(points):
    """Whether an edge and a triangle have a point in common, by rational arithmetic; None where they are parallel."""
    p, q, a, b, c = ([Fraction(x) for x in point] for point in points.tolist())

    def minus(x, y):
        return [i - j for i, j in zip(x, y)]

    def det(x, y, z):
        return sum(x[i] * (y[i - 2] * z[i - 1] - y[i - 1] * z[i - 2]) for i in range(3))

    u, v, w, r = minus(b, a), minus(c, a), minus(p, q), minus(p, a)
    whole = det(u, v, w)
    if whole == 0:
        return None
    x, y, t = det(r, v, w) / whole, det(u, r, w) / whole, det(u, v, r) / whole
    return x >= 0 and y >= 0 and x + y <= 1 and 0 <= t <= 1


def test_boxes_and_static_questions_beside_ipctk(real):
    rng = np.random.default_rng(5)
    for i in range(300):
        p = np.round(rng.uniform(-2, 2, (8, 3))) if i % 2 else rng.uniform(-1, 1, (8, 3))
        d = [0, 0.25][i % 2]
        for name, points in (
            ("point_edge_aabb_cd", 3), ("point_triangle_aabb_cd", 4), ("edge_edge_aabb_cd", 4), ("edge_triangle_aabb_cd", 5),
            ("point_edge_aabb_ccd", 6), ("point_triangle_aabb_ccd", 8), ("edge_edge_aabb_ccd", 8),
        ):  # fmt: skip
            assert getattr(ours, name)(*p[:points], d) == getattr(real, name)(*p[:points], d), name
        mine, theirs = (library.edge_triangle_intersection(*p[:5]) for library in (ours, real))
        truth = crosses(p[:5])
        assert truth in (mine[0], None)  # theirs says yes to all that is coplanar, and misses some that touch
        if not np.isnan([theirs[1], mine[1]]).any():
            assert mine == pytest.approx(theirs)
        assert mine[0] == ours.is_edge_intersecting_triangle(*p[:5])
        plane = p[:4, :2]
        assert ours.segment_segment_intersect(*plane) == real.segment_segment_intersect(*plane) or i % 2  # exact: see below
        mine, theirs = (library.inexact_point_edge_ccd_2D(*p[:6, :2], 0.8) for library in (ours, real))
        assert mine == pytest.approx(theirs, abs=1e-6) or i % 2
    boxes = [library.build_vertex_boxes(np.asfortranarray(p), 0.1) for library in (ours, real)]
    table = np.asfortranarray(np.array([[0, 1, 2], [3, 5, 7]], np.int32))
    for build, columns in (("build_edge_boxes", 2), ("build_face_boxes", 3)):
        primitives = np.asfortranarray(table[:, :columns])
        for mine, theirs in zip(*(getattr(library, build)(b, primitives) for library, b in zip((ours, real), boxes))):
            assert list(mine.vertex_ids) == list(theirs.vertex_ids)
            np.testing.assert_allclose([mine.min, mine.max], [theirs.min, theirs.max], rtol=1e-15)
    for given in ((1, 0), (0, 0), (1e-3, 1e-3), (1e-3, 2e-3)):
        assert ours.check_initial_distance(*given) == real.check_initial_distance(*given)
    assert [int(level) for level in ours.LoggerLevel] == [
        int(getattr(real.LoggerLevel, level.name)) for level in ours.LoggerLevel
    ]
    ours.set_logger_level(ours.LoggerLevel.error)


def test_more_of_a_mesh_beside_ipctk(real, scene):
    sparse = pytest.importorskip("scipy.sparse")
    edges, faces, x0, _ = scene
    inner = np.asfortranarray(np.vstack([x0[:5] + 1, x0]))
    mine, theirs = (m.CollisionMesh.build_from_full_mesh(inner, edges + np.int32(5), faces + np.int32(5)) for m in (ours, real))
    assert np.array_equal(mine.faces_to_edges, theirs.faces_to_edges)
    np.testing.assert_allclose(mine.face_normals(x0), theirs.face_normals(x0), atol=1e-12)
    v = np.arange(mine.ndof, dtype=float)
    assert np.array_equal(mine.to_full_dof(v), theirs.to_full_dof(v))
    m = sparse.random(mine.ndof, mine.ndof, 0.01, format="csc", random_state=1)
    assert abs(mine.to_full_dof(m) - theirs.to_full_dof(m)).max() < 1e-15
    weights = sparse.csc_matrix(np.random.default_rng(2).uniform(0, 1, (len(inner), 7)))
    part = [i >= 5 for i in range(len(inner))], [False] * len(inner), inner, edges + np.int32(5), faces + np.int32(5), weights
    mapped = [library.CollisionMesh(*part) for library in (ours, real)]
    np.testing.assert_allclose(mapped[0].to_full_dof(v), mapped[1].to_full_dof(v), rtol=1e-12)
    assert abs(mapped[0].to_full_dof(m) - mapped[1].to_full_dof(m)).max() < 1e-12
    with pytest.raises(ccd.ArgumentError) as caught:
        ours.CollisionMesh.construct_faces_to_edges([[0, 1, 2]], [[0, 1], [1, 2]])
    assert str(caught.value) == "Unable to find edge!" and caught.value.edge == (0, 2)
    with pytest.raises(RuntimeError) as theirs:
        real.CollisionMesh.construct_faces_to_edges(np.array([[0, 1, 2]]), np.array([[0, 1], [1, 2]]))
    assert str(theirs.value) == str(caught.value)
