"""Triangles of parameters that are turned over: exact signs, and other diagonals with the same boundary."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import ccd

pytest.importorskip("OCP.BRepMesh", reason="Open CASCADE (cadquery-ocp-novtk) is not installed")

from ccd.cad import _folds


def area(p):
    (a, b), (c, d), (e, f) = (tuple(map(Fraction, x)) for x in p.tolist())
    return (c - a) * (f - b) - (d - b) * (e - a)


def border(triangles):
    ways = Counter((t[k], t[(k + 1) % 3]) for t in triangles.tolist() for k in range(3))
    back = Counter({(b, a): n for (a, b), n in ways.items()})
    return ways - back


def test_signs_are_exact():
    rng = np.random.default_rng(2)
    flat = rng.uniform(-1, 1, (400, 2))
    flat[200:] = np.round(flat[200:] * 4) / 4
    triangles = rng.integers(0, 400, (600, 3))
    on = rng.integers(0, 200, 100)  # nearly on a line
    flat[:100] = flat[on] + rng.uniform(0, 1, (100, 1)) * (flat[on + 1] - flat[on])
    triangles[:100] = np.column_stack([np.arange(100), on, on + 1])
    found = _folds.signs(flat, triangles)
    wanted = [area(flat[t]) for t in triangles]
    assert found.tolist() == [(x > 0) - (x < 0) for x in wanted]
    tiny = flat * 1e-170  # products underflow
    assert _folds.signs(tiny, triangles[:100]).tolist() == [(x > 0) - (x < 0) for x in (area(tiny[t]) for t in triangles[:100])]


@pytest.mark.parametrize("below", [0.0, 1e-16, 1e-12])
def test_a_triangle_that_is_turned_over_gets_the_other_diagonal(below):
    """The corner 4 is on, or below, the side from 0 to 1, with its neighbor below that."""
    flat = np.array([[0, 0], [1, 0], [0.5, 1], [0.5, -1], [0.4, -below]])
    triangles = np.array([[0, 4, 2], [4, 1, 2], [0, 1, 4], [0, 3, 1]])
    assert _folds.signs(flat, triangles).tolist() == [1, 1, 0 if below == 0 else -1, 1]
    made = _folds.unfolded(flat, triangles)
    assert np.all(_folds.signs(flat, made) > 0) and border(made) == border(triangles)
    assert _folds.is_flat(flat, made, {}) and (below == 0) == _folds.is_flat(flat, triangles, {})


def test_what_folds_over_the_boundary_is_not_flat():
    """The corner is beyond a side of the loop: nothing on the other side can be divided."""
    flat = np.array([[0, 0], [1, 0], [0.5, 1], [0.4, -1e-12]])
    triangles = np.array([[0, 3, 2], [3, 1, 2], [0, 1, 3]])
    made = _folds.unfolded(flat, triangles)
    assert np.array_equal(made, triangles) and not _folds.is_flat(flat, made, {(0, 1)})
    flat[3, 1] = 0  # on the side: no point of it is beyond
    assert _folds.is_flat(flat, triangles, {(0, 1)}) and not _folds.is_flat(flat, triangles, {})


def test_random_plane_triangulations_with_moved_corners():
    """Corners pushed across a side: what is left is flat or refused, with the boundary as it was."""
    rng, mended = np.random.default_rng(9), 0
    for _ in range(60):
        n = int(rng.integers(3, 6))
        grid = np.array([(x, y) for y in range(n) for x in range(n)], float)
        flat = grid + rng.uniform(-0.2, 0.2, grid.shape) * ((grid > 0) & (grid < n - 1)).all(1, keepdims=True)
        cells = [y * n + x for y in range(n - 1) for x in range(n - 1)]
        triangles = np.array([t for c in cells for t in ((c, c + 1, c + n + 1), (c, c + n + 1, c + n))])
        inner = [k for k in range(n * n) if 0 < k % n < n - 1 and 0 < k // n < n - 1]
        k = int(rng.choice(inner))
        t = next(t for t in rng.permutation(triangles).tolist() if k in t)
        i, j = (x for x in t if x != k)
        share = rng.uniform(0.2, 0.8)
        flat[k] = flat[i] + share * (flat[j] - flat[i]) + rng.uniform(-1e-13, 1e-13, 2)
        made = _folds.unfolded(flat, triangles)
        assert border(made) == border(triangles)
        turned = _folds.signs(flat, triangles) <= 0
        if _folds.is_flat(flat, made, set(border(made))):
            mended += bool(turned.any())
            total = sum(area(flat[t]) for t in made)
            assert total == sum(area(flat[t]) for t in triangles) and np.all(_folds.signs(flat, made) >= 0)
    assert mended > 10


def test_a_face_whose_triangles_fold_over_is_refused(monkeypatch):
    """Triangles that are turned over and cannot be mended are refused, by the name of the face."""
    shapes = pytest.importorskip("cad_shapes")
    product = ccd.cad.Product("plate", shapes.SHAPES["plate"]())
    assert product.deviation() < 0.02
    monkeypatch.setattr(_folds, "signs", lambda flat, triangles: np.full(len(triangles), -1))
    with pytest.raises(ccd.FileError, match="face 0: its triangles fold over"):
        ccd.cad.Product("plate", shapes.SHAPES["plate"]()).facets()


@pytest.mark.parametrize("off", [4e-16, 0.0, -4e-16])
def test_a_triangle_between_nodes_that_are_apart_by_rounding_is_added(off):
    """A loop has the nodes 1 and 2 at one corner of a square, but the triangles leave out the node 2."""
    flat = np.array([[0, 0], [1, 0], [1 - off, 1e-16], [1, 1], [0, 1]])
    loops = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]])
    sides = {(a, b) for a, b in loops.tolist()}
    triangles = np.array([[0, 1, 3], [0, 3, 4]])
    found, differ = _folds.filled(flat, triangles, loops)
    assert differ == 0 and len(found) == 3 and set(border(found)) == sides
    made = _folds.unfolded(flat, found)
    assert set(border(made)) == sides and _folds.is_flat(flat, made, sides)


def test_what_is_missing_is_filled_or_counted():
    """A polygon of twelve corners, some triangles of whose fan are missing, and loops that do not close."""
    turns = 2 * np.pi * np.arange(12) / 12
    flat = np.stack([np.cos(turns), np.sin(turns)], 1)
    loops = np.array([[k, (k + 1) % 12] for k in range(12)])
    fan = np.array([[0, k, k + 1] for k in range(1, 11)])
    for lost in (1, 4, 6):
        found, differ = _folds.filled(flat, fan[lost:], loops)
        assert differ == 0 and len(found) == 10 and set(border(found)) == {tuple(x) for x in loops.tolist()}
        assert _folds.is_flat(flat, _folds.unfolded(flat, found), {tuple(x) for x in loops.tolist()})
    for lost in (7, 9):  # more than eight corners
        found, differ = _folds.filled(flat, fan[lost:], loops)
        assert np.array_equal(found, fan[lost:]) and differ == lost + 2
    assert _folds.filled(flat, fan, loops)[1] == 0
    assert _folds.filled(flat, fan, np.concatenate([loops, [[0, 2]]]))[1] > 0  # a loop that has no end
    assert _folds.filled(flat, fan, np.concatenate([loops, [[0, 2], [2, 0]]]))[1] == 0


def test_a_cone_of_which_open_cascade_makes_large_triangles_alone(monkeypatch):
    """A shape that has a face without triangles gets larger ones, which are split until the bound holds."""
    from OCP import BRepMesh
    from OCP.BRepTools import BRepTools

    shapes = pytest.importorskip("cad_shapes")
    asked, make = [], BRepMesh.BRepMesh_IncrementalMesh

    def mesher(shape, deflection, relative, angle, parallel):
        asked.append((deflection, angle))
        made = make(shape, deflection, relative, angle, parallel)
        if len(asked) < 4:
            BRepTools.Clean_s(ccd.cad._occ.faces(shape)[0])
        return made

    monkeypatch.setattr(BRepMesh, "BRepMesh_IncrementalMesh", mesher)
    product = ccd.cad.Product("cone", shapes.SHAPES["cone"]())
    assert product.deviation(0.01) <= 0.01 and product._closed().closed
    assert [d / asked[0][0] for d, _ in asked] == [1, 8, 8, 64] and [a for _, a in asked] == [0.5, 0.5, 1, 1]
    assert ccd.cad.Product("cone", shapes.SHAPES["cone"]()).deviation(0.01) <= 0.01
    assert len(asked) == 5  # a shape that has all of its triangles is asked for once
