"""Vertices that a mesh ignores are in no pair of any call: results are those of the mesh without them, bit for bit."""

import numpy as np
import pytest

import ccd


def sheets(n, z, seed):
    """Two sheets of n x n vertices, one above the other, and their faces."""
    random = np.random.default_rng(seed)
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    one = np.stack([i, j, 0.3 * random.standard_normal((n, n))], -1).reshape(-1, 3).astype(float)
    at = (i * n + j)[:-1, :-1].ravel()
    faces = np.vstack([np.stack([at, at + 1, at + n], 1), np.stack([at + 1, at + n + 1, at + n], 1)])
    return np.vstack([one, one + np.array([0.31, 0.27, z])]), np.vstack([faces, faces + n * n]).astype(np.int32)


@pytest.fixture(scope="module")
def scene():
    """Positions with and without ignored vertices, and the meshes."""
    x, faces = sheets(14, 1.5, 0)
    random = np.random.default_rng(1)
    dust = random.uniform([0, 0, -1], [13, 13, 3], (400, 3))
    x0, x1 = x + 0.0, x - np.outer(np.arange(len(x)) >= len(x) // 2, [0.2, 0.1, 1.6])
    rod = np.array([[0, len(x) - 1]], np.int32)
    corners = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    edges = np.unique(np.sort(np.vstack([corners, rod]), axis=1), axis=0)
    ignored = np.arange(len(x) + 400) >= len(x)
    plain = ccd.Mesh(faces=faces, edges=edges, vertices=len(x))
    dusty = ccd.Mesh(faces=faces, edges=edges, vertices=len(x) + 400, ignored=ignored)
    return plain, x0, x1, dusty, np.vstack([x0, dust]), np.vstack([x1, dust[::-1]])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"min_separation": 0.05},
        {"brute_force": True},
        {"memory_limit": 1 << 22},
        {"check_start": True},
        {"method": "tight-inclusion"},
        {"threads": 1},
    ],
    ids=str,
)
def test_steps(scene, options):
    plain, x0, x1, dusty, y0, y1 = scene
    want, got = ccd.step.collisions(plain, x0, x1, **options), ccd.step.collisions(dusty, y0, y1, **options)
    assert len(want) > 50 and want.tobytes() == got.tobytes()
    assert repr(ccd.step.earliest(plain, x0, x1, **options)) == repr(ccd.step.earliest(dusty, y0, y1, **options))


def test_one_configuration(scene):
    plain, x0, _, dusty, y0, _ = scene
    for call in (ccd.proximity.intersections, lambda m, x: ccd.proximity.near(m, x, 0.7), ccd.proximity.distance):
        want, got = call(plain, x0), call(dusty, y0)
        assert repr(want) == repr(got)
    kept = [ccd.neighbors.Neighbors(m, x, 0.8) for m, x in ((plain, x0), (dusty, y0))]
    want, got = kept[0].near(x0, 0.7), kept[1].near(y0, 0.7)
    assert len(want) > 20 and want.tobytes() == got.tobytes()
    lists = [ccd.broad.candidates(m, a, b) for m, a, b in ((plain, x0, x0 + 0.5), (dusty, y0, y0 + 0.5))]
    for kind in ccd.Kind:
        assert np.array_equal(lists[0][kind], lists[1][kind])


def test_scenes(scene):
    """A ball of an own part among dust that the other part ignores."""
    dusty, y0 = scene[3:5]
    x, faces = sheets(4, 0.4, 2)
    hits = []
    for mesh, a in ((scene[0], scene[1]), (dusty, y0)):
        both = ccd.scene.Scene(mesh, a)
        part = both.add(ccd.Mesh(faces=faces, vertices=len(x)), x + np.array([4, 4, 2.6]))
        moved = np.array(part.vertices)
        found = both.step(moved, x + np.array([4, 4, -0.9])).collisions()
        hits.append((found["toi_lo"], found["kind"], found["u"], found["v"], found["a"] < 0))
    assert len(hits[0][0]) > 20 and all(np.array_equal(p, q) for p, q in zip(*hits))
