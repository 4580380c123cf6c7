"""A step of the stand-in for ipctk is accepted by its own test, however the end of the step is computed.

python bindings/python/tests/test_compat_steps.py SCENES [SEED] tries many scenes.
"""

import sys

import numpy as np

import ccd.compat.own as ipctk

FACES = np.arange(12, dtype=np.int32).reshape(4, 3)
EDGES = ipctk.edges(FACES)


def scene(rng):
    """Four triangles, near or far from the origin, at any scale and speed, with the distance to keep."""
    scale = 10 ** rng.uniform(-6, 6) if rng.random() < 0.3 else 1.0
    far = 10 ** rng.uniform(-3, 9) if rng.random() < 0.6 else 0.0
    x0 = rng.uniform(-1, 1, (12, 3))
    if rng.random() < 0.3:
        x0 = np.round(4 * x0) / 4
    x1 = x0 + 10 ** rng.uniform(-4, 1) * rng.uniform(-1, 1, (12, 3))
    distance = 0.0 if rng.random() < 0.5 else scale * 10 ** rng.uniform(-6, -2)
    return (x0 + far) * scale, (x1 + far) * scale, distance


def solver(rng):
    kind = rng.integers(4)
    if kind == 0:
        return ipctk.AdditiveCCD()
    return ipctk.TightInclusionCCD(conservative_rescaling=rng.uniform(0.1, 1)) if kind == 1 else ipctk.TightInclusionCCD()


def refused(seed):
    """The ways to compute the end of the step that are refused, and the step."""
    rng = np.random.default_rng(seed)
    (x0, x1, distance), phase = scene(rng), solver(rng)
    mesh = ipctk.CollisionMesh(x0, EDGES, FACES)
    where, methods = (distance, None, phase), ipctk
    if seed % 3 == 0:
        where, methods = (distance, phase), ipctk.Candidates()
        methods.build(mesh, x0, x1, distance / 2)
    alpha = methods.compute_collision_free_stepsize(mesh, x0, x1, *where)
    p = x1 - x0
    ends = {
        "x0 + a (x1 - x0)": x0 + alpha * (x1 - x0),
        "(1 - a) x0 + a x1": (1 - alpha) * x0 + alpha * x1,
        "x0 + a p": x0 + alpha * p,
    }
    if alpha == 0:  # a pair is within the distance at the start
        return [], alpha
    wrong = [way for way, x in ends.items() if not methods.is_step_collision_free(mesh, x0, x, *where)]
    return wrong, alpha


def test_a_step_is_accepted_however_its_end_is_computed():
    alphas = []
    for seed in range(400):
        wrong, alpha = refused(seed)
        assert not wrong, (seed, alpha, wrong)
        alphas.append(alpha)
    assert np.sum((np.array(alphas) > 0) & (np.array(alphas) < 1)) > 50


def test_a_pair_too_near_for_its_slack():
    """Seeds whose pairs are so near, so far from the origin, that a step of the time of impact alone would be refused."""
    for seed in (9275, 13135, 16181, 16365, 17346, 18627, 20150, 26163):
        assert refused(seed)[0] == []


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    bad = [(seed, *answer) for seed in range(first, first + count) if (answer := refused(seed))[0]]
    print(f"{count} scenes, {len(bad)} with a step that is refused")
    for line in bad[:20]:
        print(*line)
