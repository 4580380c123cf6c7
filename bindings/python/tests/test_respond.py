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


def respond_in_arrays(mesh, x0, x1, inverse_mass, friction, keep, max_rounds, **options):
    """What `ccd.step.respond` computes, of the calls for solvers: the reference."""
    y, contacts = x1.copy(), 0
    for done in range(max_rounds):
        active = ccd.step.activeset(mesh, x0, y, **options)
        contacts = len(active) if done == 0 else contacts
        if not (active["gap"] < -1e-12 * active["separation"]).any():
            max_rounds = done
            break
        effective, color = ccd.step.effective_mass(active, inverse_mass), ccd.step.colors(active, len(y), inverse_mass)
        most = (abs(active["weights"]) * inverse_mass[active["vertices"]]).max(1)
        effective = np.minimum(effective, 16 / np.maximum(most, 1e-300))
        for k in range(color.max() + 1):
            c, m = active[color == k], effective[color == k]
            at, weights, normal = c["vertices"], c["weights"], c["impact"]["normal"]
            along = m * np.maximum(c["separation"] - np.einsum("cv,cvk,ck->c", weights, y[at], normal), 0)
            both = ccd.step.tangents(normal)
            slid = np.einsum("cv,cvk,ctk->ct", weights, y[at] - x0[at], both) * m[:, None]
            part = np.minimum(1, friction * along / np.maximum(np.linalg.norm(slid, axis=1), 1e-300))
            impulse = along[:, None] * normal + np.einsum("ct,ctk->ck", -slid * part[:, None], both)
            np.add.at(y, at, (weights * inverse_mass[at])[:, :, None] * impulse[:, None])
    options["min_separation"] *= keep
    return (*ccd.step.advance(mesh, x0, y, **options), contacts, max_rounds)


@pytest.mark.parametrize("seed", range(12))
def test_a_response_is_that_of_the_calls_for_solvers(seed):
    rng = np.random.default_rng(seed)
    x, faces = cloth(5)
    x = np.concatenate([x, x + np.array([0.3, 0.2, 0.3])]) + rng.uniform(-0.03, 0.03, (50, 3))
    mesh = ccd.Mesh(x, np.concatenate([faces, faces + 25]))
    if seed % 2:
        mesh.set_radii(0.02)
    if seed % 3 == 0:
        mesh.set_static(np.arange(50) < 25)
    mass = rng.choice([0, 1, 0.1], 50) if seed % 4 else np.ones(50)
    end = x + rng.uniform(-0.1, 0.1, (50, 3)) - np.outer(np.arange(50) >= 25, [0.2, 0.1, 0.5])
    given = 0.3 * (seed % 5), 0.25, 1 + seed % 5
    found = ccd.step.respond(mesh, x, end, mass, *given, min_separation=0.02)
    moves = np.where(np.arange(50) < 25, 0, mass) if seed % 3 == 0 else mass
    alpha, positions, contacts, rounds = respond_in_arrays(mesh, x, end, moves, *given, min_separation=0.02)
    assert contacts > 3 and (found.contacts, found.rounds) == (contacts, rounds)
    assert found.alpha == pytest.approx(alpha, rel=1e-9) and found.x == pytest.approx(positions, abs=1e-9)


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
        ({"friction": -1}, "friction is -1: must be in"),
        ({"keep": 1}, "keep is 1: must be in"),
        ({"friction": float("nan")}, "friction is NaN: must be in"),
        ({"keep": float("nan")}, "keep is NaN: must be in"),
        ({"keep": "half"}, "keep is 'half': must be a number"),
        ({"max_rounds": 0}, "max_rounds is 0"),
        ({"max_rounds": 1.5}, "max_rounds is 1.5: must be an integer"),
        ({"region": ([0] * 3, [1] * 3)}, "region"),
        ({"min_separation": 0}, "min_separation is 0: must be positive"),
        ({"inverse_mass": [1]}, "inverse_mass has 1 numbers: the mesh has 6 vertices"),
        ({"inverse_mass": [1, 1, 1, 1, 1, -1]}, r"inverse_mass\[5\] is -1"),
        ({"x1": X0[:3]}, "x0 has 6 vertices, x1 3: the mesh has 6"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises(ccd.Error, match=words):
        ccd.step.respond(ccd.Mesh(FACES), **({"x0": X0, "x1": X0 + DOWN, "min_separation": 0.01} | arguments))


@pytest.mark.parametrize("norm", ["max", ccd.options.Norm.MAX, 1])
def test_constraints_measure_in_the_euclidean_norm(norm):
    with pytest.raises(ccd.UnsupportedError, match="Euclidean norm"):
        ccd.step.respond(ccd.Mesh(FACES), X0, X0 + DOWN, min_separation=0.01, norm=norm)


def test_the_pair_that_limits_a_response_is_named(tmp_path):
    mesh = ccd.Mesh(FACES)
    found = ccd.step.respond(mesh, X0, X0 + DOWN, min_separation=2.5, keep=0.5)
    why = found.why
    assert found.alpha == 0 and why.cause == ccd.step.Cause.SEPARATION and why.separation == 1.25 and why.alpha == 0
    assert "(min_separation times keep). Pass a min_separation times keep below the least" in str(why)
    why.save(tmp_path / "pair.npz")
    again = ccd.step.replay(tmp_path / "pair.npz")
    assert again.cause == why.cause and again.separation == 1.25 and again.impact.toi_lo == 0
    free = ccd.step.respond(mesh, X0, X0, min_separation=0.02)
    assert free.alpha == 1 and free.why.cause == ccd.step.Cause.NONE and str(free.why) == "No pair limits the step: alpha is 1."


def test_the_pair_limits_the_way_to_the_response():
    """Two layers and one round: the lower layer is pushed into the upper one."""
    rng = np.random.default_rng(5)
    causes = []
    for _ in range(40):
        x0 = (rng.random((8, 1, 3)) * [3, 3, 1] + rng.random((8, 3, 3)) * 0.7).reshape(-1, 3)
        mesh = ccd.Mesh(np.arange(24).reshape(8, 3))
        found = ccd.step.respond(mesh, x0, x0 + rng.normal(0, 0.5, (24, 3)), min_separation=0.02, max_rounds=1)
        assert (found.alpha == 1) == (found.why.cause == ccd.step.Cause.NONE) and found.why.alpha == found.alpha
        causes.append(found.why.cause)
        if found.alpha == 1:
            continue
        at = found.x[list(found.why.vertices)]
        assert at == pytest.approx(found.why.x0 + found.alpha * (found.why.x1 - found.why.x0), abs=1e-12)
        if found.why.cause == ccd.step.Cause.MEETING:
            assert str(found.why).endswith("raise max_rounds, or go on from x with the next step.")
    assert causes.count(ccd.step.Cause.MEETING) > 3 and causes.count(ccd.step.Cause.NONE) > 3
