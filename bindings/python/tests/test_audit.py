"""The audit: what passes, enters, leaves, touches; against a reference in rational numbers, and by hand."""

import numpy as np
import pytest
from audit_reference import Degenerate, events

import ccd
from ccd import audit
from ccd.audit import Verdict

FLOOR = np.array([[0, 0, 0], [8, 0, 0], [0, 8, 0]], float)


def scene(seed):
    """Two to four triangles and rods with integer places, which move; ends of small range make contacts at borders."""
    rng = np.random.default_rng(seed)
    reach = int(rng.choice([3, 6, 20]))
    triangles, rods = int(rng.integers(1, 4)), int(rng.integers(0, 3))
    n = 3 * triangles + 2 * rods
    x0 = rng.integers(-reach, reach + 1, (n, 3)).astype(float)
    x1 = x0 + rng.integers(-reach, reach + 1, (n, 3)) if rng.random() < 0.5 else rng.integers(-reach, reach + 1, (n, 3))
    faces = np.arange(3 * triangles).reshape(-1, 3)
    if triangles > 1 and rng.random() < 0.5:  # two triangles with a common edge
        faces[1, :2] = faces[0, [1, 0]]
    return faces, np.arange(3 * triangles, n).reshape(-1, 2), x0, np.asarray(x1, float)


def mesh_of(faces, rods, n):
    edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]], rods])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    used = np.isin(np.arange(n), np.concatenate([faces.ravel(), rods.ravel()]))
    return ccd.Mesh(faces=faces, edges=edges, vertices=n, ignored=~used)


def compared(seeds):
    """How many scenes were compared, and what was seen in them."""
    seen, count = {}, 0
    for seed in seeds:
        faces, rods, x0, x1 = scene(seed)
        try:
            right, standing = events(faces.tolist(), rods.tolist(), x0.tolist(), x1.tolist())
        except Degenerate:
            continue
        [step] = audit.frames(mesh_of(faces, rods, len(x0)), [x0, x1], distances=False, threads=1).steps
        found = sorted((str(e.verdict), e.pairs, e.before, e.after) for e in step.events if e.pairs)
        assert found == right, (seed, found, right)
        assert sum(e.before for e in step.events if not e.pairs) == standing
        assert (step.verdict == Verdict.SEPARATE) == (not right and not standing)
        count += 1
        for verdict, *_ in right:
            seen[verdict] = seen.get(verdict, 0) + 1
    return count, seen


def test_events_are_those_of_the_reference():
    count, seen = compared(range(60))
    assert count > 30 and {"passed through", "entered", "left", "crossing"} <= set(seen), (count, seen)


@pytest.mark.long
def test_events_are_those_of_the_reference_in_many_scenes():
    count, seen = compared(range(1000, 2500))
    assert count > 800 and {"passed through", "entered", "left", "crossing", "returned"} <= set(seen), (count, seen)
