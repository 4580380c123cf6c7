"""ccd.step.respond: positions that are proven, impulses that keep momentum, friction within its cone."""

import numpy as np
import pytest
from test_thick import cloth

import ccd

FACES = [[0, 1, 2], [3, 4, 5]]
X0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.5, 0.2, 1], [0.2, 0.5, 1]])
DOWN = np.outer([0, 0, 0, 2, 2, 2], [0, 0, -1])


def test_without_contact_the_ends_are_reached():
    mesh = ccd.Mesh(FACES)
    found = ccd.step.respond(mesh, X0, X0 + DOWN / 4, min_separation=0.01)
    assert (found.alpha, found.contacts, found.rounds) == (1, 0, 0) and np.array_equal(found.x, X0 + DOWN / 4)


@pytest.mark.parametrize("radius", [0, 0.05])
def test_pairs_end_at_their_separation(radius):
    mesh = ccd.Mesh(FACES)
    mesh.set_radii(radius)
    mesh.set_static(np.arange(6) < 3)
    found = ccd.step.respond(mesh, X0, X0 + DOWN, min_separation=0.02, max_rounds=100)
    assert found.contacts > 0 and 0 < found.rounds <= 100
    assert np.array_equal(found.x[:3], X0[:3]) and found.x[3:, 2] == pytest.approx(0.02 + 2 * radius, abs=1e-6)
    assert ccd.step.earliest(mesh, X0, found.x, min_separation=0.005).separate


def test_momentum_is_kept_and_masses_count():
    mesh, mass = ccd.Mesh(FACES), np.array([1, 2, 3, 1, 5, 2.0])
    y = X0 + DOWN
    found = ccd.step.respond(mesh, X0, y, 1 / mass, min_separation=0.02, max_rounds=50)
    assert found.alpha == 1
    moved = mass[:, None] * (found.x - y)
    assert np.abs(moved.sum(0)).max() < 1e-12 and np.abs(moved).max() > 0.1
    fixed = ccd.step.respond(mesh, X0, y, [0, 0, 0, 1, 1, 1], min_separation=0.02)
    assert np.array_equal(fixed.x[:3], X0[:3])


@pytest.mark.parametrize("friction", [0, 0.1, 0.5, 10])
def test_friction_is_within_its_cone(friction):
    """A vertex that falls obliquely on a large face: what it slides less is the coefficient times what it is moved up."""
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    mesh.set_static([True, True, True, False])
    x0 = np.array([[-9, -9, 0], [9, -9, 0], [0, 9, 0], [0, 0, 1]])
    end = x0 + np.outer([0, 0, 0, 1], [1, 0.5, -2])
    found = ccd.step.respond(mesh, x0, end, friction=friction, min_separation=0.25, max_rounds=1)
    up = 0.25 - end[3, 2]
    slid, less = np.hypot(1, 0.5), np.linalg.norm((found.x - end)[3, :2])
    assert found.x[3, 2] == pytest.approx(0.25) and less == pytest.approx(min(slid, friction * up))
    assert 0.5 * found.x[3, 0] - found.x[3, 1] == pytest.approx(0, abs=1e-12)


def test_thick_cloth_falls_on_itself_and_stays_whole():
    """Every step of a loop is proven, whatever the response does."""
    x, faces = cloth(8)
    rng = np.random.default_rng(5)
    x = np.concatenate([x, x + np.array([0.3, 0.2, 1.5])])
    x[:, 2] += rng.random(len(x)) * 0.01
    mesh = ccd.Mesh(x, np.concatenate([faces, faces + 64]))
    mesh.set_radii(0.3)
    low = np.arange(len(x)) < 64
    mesh.set_static(low)
    velocity, dt = np.zeros_like(x), 0.1
    for _ in range(25):
        velocity[~low, 2] -= dt
        step = ccd.step.respond(mesh, x, x + dt * velocity, friction=0.3, min_separation=0.02)
        assert ccd.step.earliest(mesh, x, step.x, min_separation=0.005).separate
        x, velocity = step.x, (step.x - x) / dt
    assert x[~low, 2].min() > 0.5 and x[~low, 2].mean() < 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"friction": -1}, "friction is -1.0: must be in"),
        ({"keep": 1}, "keep is 1.0: must be in"),
        ({"max_rounds": 0}, "max_rounds is 0"),
        ({"min_separation": 0}, "min_separation is 0: must be positive"),
        ({"inverse_mass": [1]}, "inverse_mass has 1 numbers: the mesh has 6 vertices"),
        ({"inverse_mass": [1, 1, 1, 1, 1, -1]}, r"inverse_mass\[5\] is -1"),
        ({"x1": X0[:3]}, "x0 has 6 vertices, x1 3: the mesh has 6"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises(ccd.ArgumentError, match=words):
        ccd.step.respond(ccd.Mesh(FACES), **({"x0": X0, "x1": X0 + DOWN, "min_separation": 0.01} | arguments))


@pytest.mark.parametrize("norm", ["max", ccd.options.Norm.MAX, 1])
def test_constraints_measure_in_the_euclidean_norm(norm):
    with pytest.raises(ccd.UnsupportedError, match="Euclidean norm"):
        ccd.step.respond(ccd.Mesh(FACES), X0, X0 + DOWN, min_separation=0.01, norm=norm)
