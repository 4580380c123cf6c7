"""examples/ipc: derivatives, the twins of what it asks of the library, and short runs that never intersect."""

import sys

import numpy as np
import pytest
from conftest import CHECKOUT, sheets

import ccd

pytest.importorskip("scipy", reason="SciPy is not installed: the simulator of examples/ipc is not tested")
sys.path.insert(0, str(CHECKOUT / "examples" / "ipc"))

import barrier
import contact
import elastic
import exact
import minimize
import scene as scenes


def slopes(function, x, step):
    """Central differences of a function of (m, k) rows, whose values are (m, ...), by each coordinate."""
    out = []
    for k in range(x.shape[1]):
        d = np.zeros_like(x)
        d[:, k] = step
        out.append((function(x + d) - function(x - d)) / (2 * step))
    return np.stack(out, axis=-1)


def positive(matrices):
    values, vectors = np.linalg.eigh((matrices + matrices.transpose(0, 2, 1)) / 2)
    return (vectors * np.maximum(values, 0)[:, None]) @ vectors.transpose(0, 2, 1)


@pytest.mark.parametrize("classify, most", [(barrier.point_triangle, 3), (barrier.edge_edge, 3)])
def test_derivatives_of_the_barrier(classify, most):
    rng, b = np.random.default_rng(0), barrier.Barrier(0.5, 3.0)
    x, at = rng.uniform(-0.6, 0.6, (1600, 3)), np.arange(1600).reshape(-1, 4)
    near = classify(x, at, b.reach)
    kinds = near.free.any(axis=2).sum(axis=1)
    assert set(kinds) == {0, 1, 2} and len(near) > 100

    def moved(p):
        return classify(p.reshape(-1, 3), np.arange(4 * len(p)).reshape(-1, 4), np.inf)

    def value(p):
        s = moved(p).s
        return -b.stiffness * (s - b.h) ** 2 * np.log(s / b.h)

    def gradient(p):
        n = moved(p)
        return (2 * b.slopes(n.s)[0][:, None, None] * n.w[:, :, None] * n.d[:, None, :]).reshape(-1, 12)

    points = x[near.at].reshape(-1, 12)
    first, second = b.derivatives(near, x)
    np.testing.assert_allclose(first.reshape(-1, 12), slopes(value, points, 1e-6), atol=1e-6 * np.abs(first).max())
    np.testing.assert_allclose(second, positive(slopes(gradient, points, 1e-6)), atol=1e-6 * np.abs(second).max())


def test_gradients_of_the_elastic_energies_and_of_friction():
    scene = scenes.build(6, 0)
    rng = np.random.default_rng(1)
    y = scene.y + rng.uniform(-0.05, 0.05, scene.y.shape)
    springs, rigid = elastic.Springs(scene, 3.0), elastic.Rigidity(scene.rings[0])
    near = barrier.point_triangle(rng.uniform(-0.5, 0.5, (400, 3)), np.arange(400).reshape(-1, 4), 0.5)
    start, later = rng.uniform(-0.5, 0.5, (2, 400, 3))
    friction = barrier.Friction(near, barrier.Barrier(0.5, 3.0), start, 0.3, 0.4)
    cases = [
        (springs.value, y, minimize._gather(springs.at, springs.derivatives(y)[0], len(y))),
        (lambda z: rigid.value(z), y, np.vstack([np.zeros((rigid.rows.start, 3)), rigid.derivatives(y)[0], np.zeros((4, 3))])),
        (friction.value, later, minimize._gather(friction.at, friction.derivatives(later)[0], len(later))),
    ]
    for function, at, gradient in cases:
        direction = rng.normal(size=at.shape)
        difference = (function(at + 1e-6 * direction) - function(at - 1e-6 * direction)) / 2e-6
        assert difference == pytest.approx(float((gradient * direction).sum()), rel=1e-5)


def test_near_pairs_beside_those_of_all_candidates():
    faces, x, x1 = sheets(9)
    x = (x + x1) / 2
    mesh, reach = ccd.Mesh(faces), 0.03
    found = ccd.broad.candidates(mesh, x, x, min_separation=reach)
    at = [
        np.column_stack([found.vertex_face[:, 0], mesh.faces[found.vertex_face[:, 1]]]),
        np.column_stack([mesh.edges[found.edge_edge[:, 0]], mesh.edges[found.edge_edge[:, 1]]]),
    ]
    twin = barrier.near(x, *at, reach)
    pairs = ccd.proximity.near(mesh, x, reach)
    pairs = pairs[pairs["distance_hi"] < reach]
    assert len(pairs) == len(twin) > 100
    np.testing.assert_allclose(np.sort(np.sqrt(twin.s)), np.sort(pairs["distance_lo"]), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("grid", [None, 8, 3])
def test_intersections_beside_the_exact_twin(grid):
    """On crumpled sheets, and on coarse grids, where edges lie in planes of faces and meet their sides."""
    faces, x, x1 = sheets(6, seed=3)
    x = (x + x1) / 2
    if grid:
        x = np.round(x * grid * 5) / 5
        flat = np.linalg.norm(np.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]]), axis=1) == 0
        faces = faces[~flat]
    mesh = ccd.Mesh(faces, vertices=len(x))
    found = ccd.proximity.intersections(mesh, x)
    found = found[found["kind"] == ccd.proximity.EDGE_FACE]
    twin = exact.intersections(x, mesh.edges, mesh.faces, np.full(len(x), -1))
    assert sorted(zip(found["a"].tolist(), found["b"].tolist())) == sorted(map(tuple, twin.tolist()))
    assert len(twin) > 20


def run(name, steps=28):
    """A small scene, to when the cloth lies on the ball: every frame is free of intersections, by both tests."""
    scene = scenes.build(14, 0)
    simulation = minimize.Simulation(scene, None)
    simulation.collisions = contact.BACKENDS[name](scene, simulation.p.reach)
    mesh, contacts = scene.mesh(), 0
    for _ in range(steps):
        contacts = max(contacts, simulation.step().contacts)
        assert not ccd.proximity.intersects(mesh, simulation.x)
    assert not len(exact.intersections(simulation.x, mesh.edges, mesh.faces, scene.patch))
    assert contacts > 20
    return simulation


def test_a_short_run():
    simulation = run("ours")
    cloth = simulation.x[simulation.scene.parts["cloth"], 2]
    assert cloth.min() < 0.6 and cloth.max() > 0.68  # it has fallen at the rim, and rests on the ball


def test_a_short_run_with_the_stand_in_for_ipctk():
    run("compat", 22)


def test_a_short_run_with_ipctk():
    pytest.importorskip("ipctk")
    simulation = run("both", 22)
    assert set(simulation.collisions.seconds) == {"libccd", "ipctk"}


def test_without_collision_detection_the_cloth_falls_through():
    class Nothing:
        def step(self, x0, x1, distance):
            return 1.0

    scene = scenes.build(14, 0)
    simulation = minimize.Simulation(scene, Nothing())
    simulation.v[: scene.parts["cloth"].stop, 2] = -4.0
    mesh = scene.mesh()
    for _ in range(6):
        simulation.step()
        if ccd.proximity.intersects(mesh, simulation.x):
            return
    pytest.fail("nothing intersects")


def test_pictures_and_frames(tmp_path):
    pytest.importorskip("PIL", reason="Pillow is not installed")
    import draw
    import run as program

    scene = scenes.build(11, 0)
    image = np.asarray(draw.picture(scene, scene.x, 120, 90))
    assert image.shape == (90, 120, 3)
    red = (image[:, :, 0] > 150) & (image[:, :, 1] < 110)
    yellow = (image[:, :, 0] > 150) & (image[:, :, 1] > 110) & (image[:, :, 2] < 110)
    assert red.sum() > 300 and yellow.sum() > 50
    program.write_ply(tmp_path / "frame.ply", scene.x, scene.faces)
    back = ccd.read(tmp_path / "frame.ply")
    assert np.array_equal(back.vertices, scene.x) and np.array_equal(back.faces, scene.faces)
