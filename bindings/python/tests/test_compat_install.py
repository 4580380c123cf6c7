"""ccd.compat.ipctk.install: the real ipctk, with this library's collision detection."""

import gc
import weakref

import numpy as np
import pytest
from conftest import ids

import ccd
import ccd.compat.own as ours
from ccd.compat import _install, _steps


@pytest.fixture
def real(real):
    yield real
    ours.uninstall()


@pytest.fixture(scope="module")
def apart(scene):
    """The scene, whose sheets do not intersect at the start: edges, faces, x0, x1."""
    edges, faces, x0, x1 = scene
    return edges, faces, np.asfortranarray(x0 + [0, 0, 0.2] * (np.arange(len(x0))[:, None] >= len(x0) // 2)), x1


def collisions(found, edges, faces):
    """What ipctk's potentials are made of, in an order, two edges or two vertices in either."""

    def corners(c):
        at = [i for i in c.vertex_ids(edges, faces) if i >= 0]
        if len(at) == 2:
            return sorted(at)
        return sorted([sorted(at[:2]), sorted(at[2:])]) if "EdgeEdge" in type(c).__name__ else [at[0], *sorted(at[1:])]

    total = {}
    for c in (found[i] for i in range(len(found))):  # one pair may be there with weights that cancel each other
        key = type(c).__name__, str(corners(c)), c.dmin
        total[key] = total.get(key, 0.0) + c.weight
    return sorted((*key, round(weight, 7)) for key, weight in total.items() if abs(weight) > 1e-9)


def lists(found):
    return [ids(getattr(found, f"{name}_candidates")) for name in ("vv", "ev", "ee", "fv")]


def test_everything_is_put_back(real):
    def members():
        owners = [real, real.Candidates, real.NormalCollisions, real.CollisionMesh, real.CollisionFilter]
        return [dict(vars(owner)) for owner in owners]

    before = members()
    assert not ours.installed()
    with ours.install():
        assert ours.installed() and real.compute_collision_free_stepsize is not before[0]["compute_collision_free_stepsize"]
        with ours.install():
            pass
        assert ours.installed()  # it was installed before that block
    assert not ours.installed() and members() == before
    ours.install()
    ours.install()
    ours.uninstall()
    ours.uninstall()
    assert members() == before


def test_what_is_replaced_and_what_takes_candidates(real):
    """A function that is given candidates would take a promised list for an empty one: each is known."""
    assert set(_install._takers(real)) == {(real, "semi_implicit_stiffness"), (real.NormalCollisions, "build")}
    with ours.install() as swap:
        replaced = {name for owner, name, _ in swap._saved if owner is real.Candidates}
        for name, member in vars(real.Candidates).items():
            hidden = name.startswith("_") and name not in ("__len__", "__getitem__")
            assert name in replaced or hidden or not (callable(member) or isinstance(member, property)), name


def test_a_release_without_what_is_replaced(real, monkeypatch):
    before = real.compute_collision_free_stepsize
    monkeypatch.delattr(real, "make_static_obstacle_filter")
    with pytest.raises(ccd.UnsupportedError, match="ipctk has no make_static_obstacle_filter"):
        ours.install()
    assert not ours.installed() and real.compute_collision_free_stepsize is before


def test_the_answers_are_ours_and_the_objects_ipctks(real, apart, monkeypatch):
    edges, faces, x0, x1 = apart
    called = []
    for name in ("size", "free"):
        original = getattr(_steps, name)
        monkeypatch.setattr(_steps, name, lambda *a, n=name, f=original: called.append(n) or f(*a))
    both = []
    for installed in (False, True):
        if installed:
            ours.install()
        mesh, found, normal = real.CollisionMesh(x0, edges, faces), real.Candidates(), real.NormalCollisions()
        found.build(mesh, x0, x1, 0.01)
        steps = found.compute_collision_free_stepsize(mesh, x0, x1), real.compute_collision_free_stepsize(mesh, x0, x1)
        answers = [
            found.is_step_collision_free(mesh, x0, x1), real.is_step_collision_free(mesh, x0, x1),
            found.is_step_collision_free(mesh, x0, x0 + steps[0] * (x1 - x0)), real.has_intersections(mesh, x0),
            real.has_intersections(mesh, x1),
        ]  # fmt: skip
        x = np.asfortranarray(x0 + 0.58 * (x1 - x0))
        for kind in ("IPC", "IMPROVED_MAX_APPROX", "OGC"):
            normal.use_area_weighting = True
            normal.collision_set_type = getattr(real.NormalCollisions.CollisionSetType, kind)
            for build in ((found, mesh, x, 0.02), (mesh, x, 0.03), (mesh, x, 0.02, 0.01), (mesh, x, 0.1), (mesh, x, 0.02)):
                normal.build(*build)
                answers.append(collisions(normal, edges, faces))
        assert sum(len(answer) > 2 for answer in answers[5:]) >= 10
        barrier = real.BarrierPotential(0.02, 1.0)
        answers.append(pytest.approx(barrier(normal, mesh, x), rel=1e-12))
        answers += [len(found), lists(found)]
        both.append((steps, answers))
    (theirs, want), (mine, got) = both
    assert want == got
    assert mine[0] == mine[1] == pytest.approx(theirs[0], abs=1e-4)
    assert called == ["size", "size", "free", "free", "free"]


@pytest.mark.parametrize("end", ["x1", "forms"])
@pytest.mark.parametrize("min_distance", [0.0, 1e-3])
def test_a_step_of_ours_is_collision_free_to_ipctk(real, end, min_distance):
    """However it is computed; most are short of the whole step. Gaps from large to much below ipctk's tolerance."""
    rng, short = np.random.default_rng(7), 0
    for trial in range(30):
        gap = 10.0 ** rng.uniform(-7, -1)
        faces = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8]], np.int32)
        x0 = rng.uniform(0, 1, (9, 3)) * [1, 1, 0] + np.repeat([0, 1, 2], 3)[:, None] * [0, 0, gap + min_distance]
        if min_distance == 0:  # else the max norm, which is ipctk's too, has pairs nearer than min_distance that are not
            x0 = x0 @ np.linalg.qr(rng.normal(size=(3, 3)))[0] + rng.uniform(-1, 1, 3)
        dx = rng.normal(size=x0.shape) * max(gap, 10.0 ** rng.uniform(-5, 0))
        mesh = real.CollisionMesh(x0, real.edges(faces), faces)
        phases = [real.TightInclusionCCD()]  # ipctk's AdditiveCCD does not accept its own steps either
        for phase in phases + [real.TightInclusionCCD(conservative_rescaling=0.5)] * (gap > 1e-4):
            x1 = x0 + dx
            with ours.install():
                alpha = real.compute_collision_free_stepsize(mesh, x0, x1, min_distance, None, phase)
                assert real.is_step_collision_free(mesh, x0, x0 + alpha * (x1 - x0), min_distance, None, phase)
            assert alpha > 0
            forms = [x0 + alpha * (x1 - x0)]
            if end == "forms":
                forms += [(1 - alpha) * x0 + alpha * x1, x0 + alpha * dx, x1 - (1 - alpha) * (x1 - x0)]
            if alpha < 1:
                short += 1
                for x in forms:
                    assert real.is_step_collision_free(mesh, x0, x, min_distance, None, phase), (trial, gap, alpha)
                    assert not real.has_intersections(mesh, x)
    assert short > 20


def test_a_step_on_real_data_is_collision_free_to_ipctk(real, data):
    frames = [ccd.read(data / "scenes" / "armadillo-rollers" / "frames" / f"{i}.ply") for i in (326, 327)]
    x0, x1 = (np.asfortranarray(frame.vertices) for frame in frames)
    faces = np.asfortranarray(frames[0].faces.astype(np.int32))
    mesh = real.CollisionMesh(x0, real.edges(faces), faces)
    with ours.install():
        alpha = real.compute_collision_free_stepsize(mesh, x0, x1)
    assert 1e-5 < alpha < 1  # ipctk's own is 3e-5
    assert real.is_step_collision_free(mesh, x0, np.asfortranarray(x0 + alpha * (x1 - x0)))


def rules(library, half, patches, faces):
    """Filters, and how each was made."""
    static, of_patches = library.make_static_obstacle_filter(half), library.make_vertex_patches_filter(patches)
    sparse = library.make_sparse_filter({(0, j): False for j in range(1, half)}, True)
    return {
        "all": library.CollisionFilter(), "static": static, "patches": of_patches, "sparse": sparse,
        "components": library.make_connected_components_filter(faces),
        "function": lambda i, j: (i + j) % 3 == 0,
        "not": ~static, "or": ~static | of_patches, "and": static & sparse, "both": static & of_patches,
    }  # fmt: skip


@pytest.fixture
def one_thread(real):
    """ipctk calls a function of the script from several threads, and waits for ever for the interpreter's lock."""
    real.set_num_threads(1)
    yield
    real.set_num_threads(0)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("name", ["all", "static", "patches", "sparse", "components", "not", "or", "and", "both", "function"])
@pytest.mark.parametrize("before", [False, True])
def test_filters_hold(real, apart, name, before):
    edges, faces, x0, x1 = apart
    half = len(x0) // 2
    patches = (np.arange(len(x0)) % 7).astype(np.int32)
    both = []
    for installed in (False, True):
        mesh = None
        if installed and before:
            mesh = real.CollisionMesh(x0, edges, faces)
            mesh.can_collide = rules(real, half, patches, faces)[name]
        if installed:
            ours.install()
        if mesh is None:
            mesh = real.CollisionMesh(x0, edges, faces)
            mesh.can_collide = rules(real, half, patches, faces)[name]
        found, normal = real.Candidates(), real.NormalCollisions()
        found.build(mesh, x0, x1)
        answers = [real.is_step_collision_free(mesh, x0, x1), real.has_intersections(mesh, x1)]
        alpha = found.compute_collision_free_stepsize(mesh, x0, x1), real.compute_collision_free_stepsize(mesh, x0, x1)
        normal.build(mesh, x0, 0.1)
        answers += [collisions(normal, edges, faces), lists(found)]
        both.append((answers, alpha))
    assert both[0][0] == both[1][0]
    assert both[1][1][0] == both[1][1][1] == pytest.approx(both[0][1][0], abs=2e-3)


def test_a_filter_that_is_changed_in_place(real, apart):
    """What was known of a filter does not outlive it: a mesh that it is given to later has the changed one."""
    edges, faces, x0, x1 = apart
    with ours.install():
        mesh, found = real.CollisionMesh(x0, edges, faces), real.Candidates()
        rule = real.make_static_obstacle_filter(0)  # nothing collides
        mesh.can_collide = rule
        found.build(mesh, x0, x1)
        assert real.compute_collision_free_stepsize(mesh, x0, x1) == 1
        rule |= real.CollisionFilter()
        assert real.compute_collision_free_stepsize(mesh, x0, x1) == 1  # the mesh has a copy of the filter as it was
        mesh.can_collide = rule
        assert real.compute_collision_free_stepsize(mesh, x0, x1) < 1
        assert found.compute_collision_free_stepsize(mesh, x0, x1) == 1 and len(found) == 0  # built with the filter of then
        mesh.can_collide &= real.make_static_obstacle_filter(0)
        assert real.compute_collision_free_stepsize(mesh, x0, x1) == 1
        mesh.can_collide |= real.CollisionFilter()
        assert real.compute_collision_free_stepsize(mesh, x0, x1) < 1


def test_a_promised_list_outlives_the_swap(real, apart):
    edges, faces, x0, x1 = apart
    mesh, found, want = real.CollisionMesh(x0, edges, faces), real.Candidates(), real.Candidates()
    want.build(mesh, x0, x1)
    with ours.install():
        found.build(mesh, x0.copy(), x1)
    assert lists(found) == lists(want) and len(found) == len(want) > 0
    with ours.install():
        found.build(mesh, x0, x1)
        alpha = found.compute_collision_free_stepsize(mesh, x0, x1)
        assert found[0].num_vertices() == 4 and not found.empty()
        assert found.compute_collision_free_stepsize(mesh, x0, x1) == alpha  # the list was looked at
        found.fv_candidates, found.ee_candidates = found.fv_candidates[:3], []
        assert len(found) == 3 and found.compute_collision_free_stepsize(mesh, x0, x1) >= alpha
        found.clear()
        assert found.empty() and found.compute_collision_free_stepsize(mesh, x0, x1) == 1
        want.build(mesh, x0, 0.1)
        assert want.compute_cfl_stepsize(mesh, x0, x1, 0.01) <= alpha


def test_a_list_is_what_it_was_built_from(real, apart):
    """A step is tested for the pairs of the list alone, wherever it goes."""
    edges, faces, x0, x1 = apart
    still, both = np.asfortranarray(x0 + np.array([0.01, 0, 0])), []
    for installed in (False, True):
        if installed:
            ours.install()
        mesh, found = real.CollisionMesh(x0, edges, faces), real.Candidates()
        found.build(mesh, x0, still, 0.03)
        both.append((found.compute_collision_free_stepsize(mesh, x0, x1), real.compute_collision_free_stepsize(mesh, x0, x1)))
    assert both[1] == pytest.approx(both[0], abs=2e-3) and both[1][0] > both[1][1]


@pytest.mark.usefixtures("one_thread")
def test_phases_of_the_script(real, apart):
    edges, faces, x0, x1 = apart
    called = []

    class Broad(real.BroadPhase):
        def name(self):
            return "one pair"

        def detect_edge_edge_candidates(self):
            called.append("broad")
            return []

        def detect_face_vertex_candidates(self):
            return [real.FaceVertexCandidate(0, len(x0) - 1)]

        def detect_edge_face_candidates(self):
            called.append("intersections")
            return []

    class Narrow(real.NarrowPhaseCCD):
        def point_triangle_ccd(self, *points):
            called.append("narrow")
            return True, 0.125

        def edge_edge_ccd(self, *points):
            return False, 1.0

    both = []
    for installed in (False, True):
        if installed:
            ours.install()
        called.clear()
        mesh, found = real.CollisionMesh(x0, edges, faces), real.Candidates()
        found.build(mesh, x0, x1, broad_phase=Broad())
        answers = [lists(found), found.compute_collision_free_stepsize(mesh, x0, x1)]
        answers += [real.compute_collision_free_stepsize(mesh, x0, x1, 0.0, Broad()), real.has_intersections(mesh, x1, Broad())]
        answers += [real.compute_collision_free_stepsize(mesh, x0, x1, 0.0, None, Narrow()) == 0.125]
        answers += [real.is_step_collision_free(mesh, x0, x1, 0.0, Broad(), Narrow()), set(called)]
        both.append(answers)
    assert both[0] == both[1]


def test_what_stays_ipctks(real, apart):
    """A mesh with planes; what is not an argument of ipctk's is still its error."""
    edges, faces, x0, x1 = apart
    both = []
    for installed in (False, True):
        if installed:
            ours.install()
        mesh, found, normal = real.CollisionMesh(x0, edges, faces), real.Candidates(), real.NormalCollisions()
        mesh.planes = [real.Hyperplane(np.array([0, 0, 1.0]), np.array([0, 0, -0.1]))]
        found.build(mesh, x0, x1)
        normal.build(mesh, x0, 0.1)
        both.append(
            (len(found.pv_candidates), found.compute_collision_free_stepsize(mesh, x0, x1), collisions(normal, edges, faces))
        )
    assert both[0] == both[1] and both[0][0]
    for wrong in ((), (3, x0), (real.CollisionMesh(x0, edges, faces), x0, 0.0, 3)):
        with pytest.raises(TypeError):
            real.Candidates().build(*wrong)
    with pytest.raises(TypeError):
        real.NormalCollisions().build()
    mesh = real.CollisionMesh(x0, edges, faces)
    with pytest.raises(ccd.NonFiniteError):
        real.compute_collision_free_stepsize(mesh, x0, x1 * np.nan)
    with pytest.raises(ccd.ArgumentError, match="vertices_t1 has shape"):
        real.Candidates().build(mesh, x0, x1[:-1])


def test_the_plane_and_codimensional_parts(real):
    rng = np.random.default_rng(3)
    flat = np.asfortranarray(rng.uniform(-1, 1, (24, 2)))
    lines = np.asfortranarray(np.arange(20, dtype=np.int32).reshape(-1, 2))
    solid = np.asfortranarray(rng.uniform(-1, 1, (24, 3)))
    faces = np.asfortranarray(np.arange(12, dtype=np.int32).reshape(-1, 3))
    edges = np.asfortranarray(np.vstack([real.edges(faces), [[12, 13], [14, 15]]]).astype(np.int32))
    for x0, of in ((flat, (lines,)), (solid, (edges, faces))):
        x1, both = np.asfortranarray(x0 + rng.uniform(-0.3, 0.3, x0.shape)), []
        for installed in (False, True):
            if installed:
                ours.install()
            mesh, found, normal = real.CollisionMesh(x0, *of), real.Candidates(), real.NormalCollisions()
            found.build(mesh, x0, x1)
            alpha = found.compute_collision_free_stepsize(mesh, x0, x1)
            normal.build(found, mesh, x0, 0.3)
            sizes = len(found.vv_candidates), len(found.ev_candidates), len(found.ee_candidates), len(found.fv_candidates)
            assert alpha == pytest.approx(real.compute_collision_free_stepsize(mesh, x0, x1), abs=2e-3)
            both.append((sizes, collisions(normal, np.asarray(mesh.edges), np.asarray(mesh.faces)), alpha))
            normal.build(mesh, x0, 0.3)
            both[-1] += (collisions(normal, np.asarray(mesh.edges), np.asarray(mesh.faces)),)
        ours.uninstall()
        assert both[0][:2] == both[1][:2] and both[0][3] == both[1][3] and both[0][2] == pytest.approx(both[1][2], abs=2e-3)


def test_a_mesh_is_not_kept_alive(real, apart):
    edges, faces, x0, x1 = apart
    with ours.install():
        mesh, found = real.CollisionMesh(x0, edges, faces), real.Candidates()
        found.build(mesh, x0, x1)
        found.compute_collision_free_stepsize(mesh, x0, x1)
        real.NormalCollisions().build(mesh, x0, 0.01)
        gone = weakref.ref(mesh), weakref.ref(found)
        del mesh, found
        gc.collect()
        assert gone[0]() is None and gone[1]() is None


def test_threads_are_those_of_ipctk(real, apart, monkeypatch):
    edges, faces, x0, x1 = apart
    seen = []
    original = ccd.step.size
    monkeypatch.setattr(ccd.step, "size", lambda *a, **o: seen.append(o["threads"]) or original(*a, **o))
    with ours.install():
        mesh = real.CollisionMesh(x0, edges, faces)
        try:
            real.set_num_threads(1)
            real.compute_collision_free_stepsize(mesh, x0, x1)
        finally:
            real.set_num_threads(0)
        real.compute_collision_free_stepsize(mesh, x0, x1)
    assert seen == [1, real.get_num_threads()]


# ---- a solver as in ipctk's examples: two cubes that are pushed into each other, by Newton's method with a barrier


def solve(ipctk, steps):
    sparse = pytest.importorskip("scipy.sparse")
    from scipy.sparse import linalg

    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = np.array([
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ], np.int32)  # fmt: skip
    x = np.vstack([corners, corners * 0.8 + np.array([1.004, 0.13, 0.07])])
    faces = np.vstack([sides, sides + 8]).astype(np.int32)
    goal = x + np.where(np.arange(16) < 8, 0.2, -0.2)[:, None] * [1, 0, 0]
    mass = sparse.identity(x.size, format="csc") * 0.1
    dhat = 0.001
    mesh, normal = ipctk.CollisionMesh(x, ipctk.edges(faces), faces), ipctk.NormalCollisions()
    normal.use_area_weighting = True
    normal.collision_set_type = ipctk.NormalCollisions.CollisionSetType.IMPROVED_MAX_APPROX
    normal.build(mesh, x, dhat)
    barrier = ipctk.BarrierPotential(dhat, 10.0, use_physical_barrier=True)

    def energy(y):
        return 0.05 * float(((y - goal) ** 2).sum()) + barrier(normal, mesh, y)

    def gradient(y):
        return mass @ (y - goal).ravel() + barrier.gradient(normal, mesh, y)

    now, slope, taken = energy(x), gradient(x), []
    for _ in range(100):
        if np.linalg.norm(slope) < 1e-6:
            break
        hessian = mass + barrier.hessian(normal, mesh, x, project_hessian_to_psd=ipctk.PSDProjectionMethod.CLAMP)
        dx = linalg.spsolve(hessian.tocsc(), -slope).reshape(-1, 3)
        candidates = ipctk.Candidates()
        candidates.build(mesh, x, x + dx, dhat)
        alpha = candidates.compute_collision_free_stepsize(mesh, x, x + dx)
        for _ in range(60):
            trial = x + alpha * dx
            normal.build(candidates, mesh, trial, dhat)
            after = energy(trial)
            if after <= now:
                break
            alpha *= 0.5
        assert ipctk.is_step_collision_free(mesh, x, trial) and not ipctk.has_intersections(mesh, trial)
        taken.append(alpha)
        x, now, slope = trial, after, gradient(trial)
    steps.append(len(taken))
    return x, np.linalg.norm(slope), np.sqrt(normal.compute_minimum_distance(mesh, x))


def test_a_solver_runs_as_it_is(real):
    steps = []
    want, residual, _ = solve(real, steps)
    assert residual < 1e-6
    with ours.install():
        got, residual, distance = solve(real, steps)
    assert residual < 1e-6 and 0 < distance < 0.001
    np.testing.assert_allclose(got, want, atol=1e-6)
    assert steps[1] <= 2 * steps[0] < 200
