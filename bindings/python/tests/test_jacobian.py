"""Contact Jacobians, tangents, effective masses and colors, against loops over the records."""

import sys

import numpy as np
import pytest
from conftest import sheets
from test_stencils import rods

import ccd


def cloth():
    faces, x0, x1 = sheets(14)
    return ccd.Mesh(faces), x0, x1


@pytest.fixture(params=[rods, cloth])
def contacts(request):
    mesh, x0, x1 = request.param()
    active = ccd.step.activeset(mesh, x0, x1, min_separation=1e-3)
    assert len(active) > 3
    return active, x1


def dense(active, n, directions):
    """The rows of directions (m, r, 3), one entry after the other."""
    out = np.zeros((len(active), directions.shape[1], n, 3))
    for row, c, axes in zip(out, active, directions):
        for v, w in zip(c["vertices"], c["weights"]):
            row[:, v] += w * axes
    return out.reshape(-1, 3 * n)


def test_rows_are_weights_times_directions(contacts):
    pytest.importorskip("scipy")
    active, x1 = contacts
    normals = active["impact"]["normal"]
    frames = np.concatenate([normals[:, None], ccd.step.tangents(normals)], axis=1)
    for frame, directions in (("normal", frames[:, :1]), ("contact", frames)):
        j = ccd.step.jacobian(active, len(x1), frame)
        want = dense(active, len(x1), directions)
        assert j.shape == want.shape and np.array_equal(j.toarray(), want)
        assert j.indices.dtype == j.indptr.dtype == np.int32 and j.data.dtype == np.float64
        again = j.copy()
        again.has_canonical_format = False
        again.sum_duplicates()
        assert np.array_equal(again.indices, j.indices) and np.array_equal(again.indptr, j.indptr)
    j = ccd.step.jacobian(active, len(x1))
    assert abs(j @ x1.ravel() - active["separation"] - active["gap"]).max() <= 2**-46 * abs(x1).max()
    part = ccd.step.jacobian(active[::-2], len(x1))
    assert np.array_equal(part.toarray(), j.toarray()[::-2])
    assert ccd.step.jacobian(active[:0], 5, "contact").shape == (0, 15)


def test_tangents_are_orthonormal():
    hard = [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, -1, 0], [1e-17, -1e-300, -1], [1e150, -1e150, 1], [0, 5e-324, 0.0]]
    normals = np.vstack([hard, np.random.default_rng(1).normal(size=(100, 3))])
    out = ccd.step.tangents(normals)
    unit = normals / abs(normals).max(axis=1, keepdims=True)
    frames = np.concatenate([unit[:, None] / np.linalg.norm(unit, axis=1)[:, None, None], out], axis=1)
    assert out.shape == (len(normals), 2, 3)
    assert abs(frames @ frames.transpose(0, 2, 1) - np.eye(3)).max() < 2e-15 and (np.linalg.det(frames) > 0.99).all()
    single = normals[8:].astype(np.float32)
    assert np.array_equal(ccd.step.tangents(single.tolist()), ccd.step.tangents(single))
    assert ccd.step.tangents([]).shape == (0, 2, 3)


def test_effective_masses_are_those_of_the_matrix(contacts):
    pytest.importorskip("scipy")
    active, x1 = contacts
    inverse = np.random.default_rng(2).choice([0, 0, 0.25, 1, 7], len(x1))
    j = ccd.step.jacobian(active, len(x1), "contact").toarray()
    k = np.einsum("ij,j,ij->i", j, inverse.repeat(3), j).reshape(-1, 3)
    masses = ccd.step.effective_mass(active, inverse)
    assert np.allclose(masses[:, None] * k, k > 0, rtol=0, atol=1e-14) and (masses == 0).any() == (k == 0).any()
    assert (ccd.step.effective_mass(active, np.zeros(len(x1))) == 0).all()


def test_constraints_of_a_color_share_no_vertex(contacts):
    active, x1 = contacts
    inverse = np.arange(len(x1)) % 3
    for moves, arguments in ((np.ones(len(x1), bool), ()), (inverse > 0, (inverse,))):
        color = ccd.step.colors(active, len(x1), *arguments)
        assert color.dtype == np.int32 and set(color.tolist()) == set(range(color.max() + 1))
        of = [{int(v) for v, w in zip(c["vertices"], c["weights"]) if w and moves[v]} for c in active]
        for i, vertices in enumerate(of):
            taken = {int(color[j]) for j in range(i) if vertices & of[j]}
            assert color[i] == min(set(range(len(taken) + 1)) - taken)
    assert ccd.step.colors(active[:0], 0).shape == (0,)


def test_colors_make_gauss_seidel_an_operation_on_arrays(contacts):
    """The result of a color at once is that of one constraint after the other, in the order of the colors."""
    active, x1 = contacts
    inverse = np.random.default_rng(3).choice([0, 0.5, 2], len(x1))
    mass, color = ccd.step.effective_mass(active, inverse), ccd.step.colors(active, len(x1), inverse)
    one, many = x1.copy(), x1.copy()
    for k in range(color.max() + 1):
        for c, m in zip(active[color == k], mass[color == k]):
            v, w, n = c["vertices"], c["weights"], c["impact"]["normal"]
            np.add.at(one, v, (w * inverse[v])[:, None] * (m * (0.01 - w @ (one[v] @ n))) * n)
        c, m = active[color == k], mass[color == k]
        v, w, n = c["vertices"], c["weights"], c["impact"]["normal"]
        push = m * (0.01 - np.einsum("iv,ivk,ik->i", w, many[v], n))
        np.add.at(many, v, (w * inverse[v] * push[:, None])[:, :, None] * n[:, None])
    assert abs(one - x1).max() > 1e-3 and np.allclose(one, many, rtol=0, atol=1e-12)


def test_errors_name_the_constraint(contacts):
    active, x1 = contacts
    n = len(x1)
    pytest.importorskip("scipy")
    bad = active.copy()
    bad["weights"][2, 1] = np.nan
    for call, argument in ((ccd.step.jacobian, n), (ccd.step.effective_mass, np.ones(n)), (ccd.step.colors, n)):
        with pytest.raises(ccd.NonFiniteError, match=r"^active\[2\]\.weights\[1\] is NaN"):
            call(bad, argument)
    bad = active.copy()
    bad["vertices"][1, 3] = n
    with pytest.raises(ccd.InvalidIndexError, match=rf"^active\[1\]\.vertices\[3\] is {n}: there are {n} vertices$"):
        ccd.step.jacobian(bad, n)
    with pytest.raises(ccd.ArgumentError, match="frame is 'tangent'"):
        ccd.step.jacobian(active, n, "tangent")
    with pytest.raises(ccd.ArgumentError, match=rf"inverse_mass has 2 numbers: there are {n} vertices"):
        ccd.step.colors(active, n, [1, 1])
    with pytest.raises(ccd.ArgumentError, match=r"normals\[1\] is 0: it has no direction"):
        ccd.step.tangents([[0, 0, 1], [0, 0, 0]])


def test_without_scipy(contacts, monkeypatch):
    active, x1 = contacts
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(ImportError, match=r"needs SciPy 1\.8 or newer: pip install scipy"):
        ccd.step.jacobian(active, len(x1))
    assert len(ccd.step.colors(active, len(x1))) == len(active)
