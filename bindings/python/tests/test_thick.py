"""Cloth that is thicker than its vertices are apart: which pairs limit a step, and leaving out those near in the mesh."""

import pickle

import numpy as np
import pytest

import ccd

UP = np.array([0, 0, 1.0])


def cloth(n, z=0.0):
    """A grid of n x n vertices, 1 apart."""
    x = np.array([[i, j, z] for i in range(n) for j in range(n)], float)
    v = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (v[:-1, :-1], v[1:, :-1], v[:-1, 1:], v[1:, 1:]))
    return x, np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])


def thick(n=8, layers=1, apart=0.0, radius=0.7):
    sheets = [cloth(n, k * apart) for k in range(layers)]
    x = np.concatenate([s[0] for s in sheets])
    mesh = ccd.Mesh(x, np.concatenate([s[1] + k * n * n for k, s in enumerate(sheets)]))
    mesh.set_radii(np.full(len(x), radius))
    return mesh, x


def test_advance_says_which_pair_limits():
    mesh, x = thick()
    found = ccd.step.advance(mesh, x, x + UP)
    alpha, y = found
    assert alpha == found.alpha == 0 and np.array_equal(y, x)
    assert found.limit.initial and found.limit.toi_lo == 0
    assert found.limit == ccd.step.earliest(mesh, x, x + UP)
    known = ccd.broad.candidates(mesh, x, x + UP)
    assert known.advance(x, x + UP).limit.initial
    mesh.set_radii(None)
    free = ccd.step.advance(mesh, x, x + UP)
    assert free.alpha == 1 and free.limit is None
    assert ccd.step.advance(mesh, x, x).limit is None  # nothing moves, and nothing touches
    assert pickle.loads(pickle.dumps(found))[0] == 0


def test_pairs_that_touch_at_rest():
    """After the call a step from rest begins without contact, and the list is that of the impacts of a step that rests."""
    mesh, x = thick()
    touching = ccd.step.collisions(mesh, x, x)
    count = mesh.exclude_near(x)
    assert count == len(touching) > 0 and mesh.exclude_near(x) == 0
    assert ccd.step.advance(mesh, x, x + UP).alpha == 1
    end = x.copy()
    end[0] = 5, 5, 0  # a corner comes to vertices that were far from it at rest
    hit = ccd.step.earliest(mesh, x, end)
    assert hit.contact and 0 < hit.toi_lo < 1
    copy = pickle.loads(pickle.dumps(mesh))
    assert ccd.step.advance(copy, x, x + UP).alpha == 1


def test_layers_stay_tested_with_rings():
    """Two sheets that lie on each other: only pairs of one sheet are within rings of each other."""
    mesh, x = thick(layers=2, apart=1.0)
    mesh.exclude_near(x, rings=4)
    left = ccd.step.collisions(mesh, x, x)
    assert len(left) > 0
    for record in left:
        corners = mesh.edges[record["a"]], mesh.edges[record["b"]]
        if record["kind"] == ccd.Kind.VERTEX_FACE:
            corners = [record["a"]], mesh.faces[record["b"]]
        assert (np.max(corners[0]) < 64) != (np.max(corners[1]) < 64)
    whole, _ = thick(layers=2, apart=1.0)
    whole.exclude_near(x)
    assert len(ccd.step.collisions(whole, x, x)) == 0


def test_rings_alone():
    mesh, x = thick(n=10)
    counts = [mesh.exclude_near(rings=k) for k in (1, 2)]
    assert counts[0] > 0 and counts[1] > 0
    left = ccd.step.collisions(mesh, x, x, min_separation=4)
    v = mesh.edges
    for record in left[left["kind"] == ccd.Kind.EDGE_EDGE]:
        a, b = v[record["a"]], v[record["b"]]
        grid = np.abs(np.array(divmod(a[:, None], 10)) - np.array(divmod(b[None, :], 10)))
        assert grid.sum(0).min() > 2 or grid.max(0).min() > 1  # joined by sides, or by the diagonals of the squares


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({}, "rest and rings are missing"),
        ({"rings": 65}, "rings is 65"),
        ({"rings": -1}, "rings is -1"),
        ({"rest": np.zeros((3, 3))}, "rest has 3 vertices: the mesh has 64"),
        ({"rest": np.full((64, 3), np.nan)}, r"rest\[0\]\[0\] is nan"),
        ({"rings": 1, "min_separation": 1.0}, "rest is missing: min_separation needs it"),
        ({"rest": np.zeros((64, 3)), "check_start": True}, "check_start"),
    ],
)
def test_bad_input(arguments, words):
    mesh, _ = thick()
    before = len(mesh._excluded(ccd.Kind.VERTEX_FACE))
    with pytest.raises(ccd.Error, match=words):
        mesh.exclude_near(**arguments)
    assert len(mesh._excluded(ccd.Kind.VERTEX_FACE)) == before == 0
