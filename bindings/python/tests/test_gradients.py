"""Gradients of times of impact: against differences of exact times, states, refusals; and dense ones of the earliest time."""

import ctypes

import numpy as np
import pytest

import ccd
from ccd import _times
from ccd._native import abi

STATES = ccd.GradientState


@pytest.fixture
def falling():
    """A vertex that falls onto a triangle, to touch it at 1/2."""
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 1]])
    return ccd.Mesh(faces=[[0, 1, 2]], vertices=4), x0, x0 - np.outer([0, 0, 0, 2], [0, 0, 1])


def differences(times, x0, x1, h=1e-6):
    """Central differences of times(x0, x1), (2, n, 3, ...)."""
    out = []
    for end in range(2):
        for i in np.ndindex(x0.shape):
            ends = [[x0.copy(), x1.copy()] for _ in range(2)]
            ends[0][end][i] += h
            ends[1][end][i] -= h
            out.append((times(*ends[0]) - times(*ends[1])) / (2 * h))
    return np.array(out).reshape(2, *x0.shape, *np.shape(out[0]))


@pytest.mark.parametrize("options", [{}, {"min_separation": 0.1}, {"min_separation": 0.1, "norm": "max"}])
@pytest.mark.parametrize("kind", ["vf", "ee", "pe", "pp"])
def test_queries_against_differences(kind, options):
    if kind in ("pe", "pp") and not options:
        return  # contacts by chance
    rng = np.random.default_rng(1)
    points = ccd.Kind(kind).points
    q = rng.uniform(-1, 1, (400, 2, points, 3))
    q[:, 1] = 0.2 * q[:, 1] - q[:, 0]
    found = ccd.pair.gradients(kind, q.reshape(400, -1), **options)
    good = np.flatnonzero((found["state"] == STATES.DEFINED) & (found["conditioning"] > 0.3))[:10]
    assert len(good) >= 5
    for g, one in zip(found[good], q[good]):
        solve = lambda a, b: ccd.pair.solve(kind, np.concatenate([a, b]).ravel(), **options).toi_lo  # noqa: E731
        want = differences(solve, *one)
        size = np.abs(want).max()
        assert np.abs(np.array([g["x0"], g["x1"]])[:, :points] - want).max() < 1e-5 * size
        assert g["toi"] == solve(*one) and g["vertices"][:points].tolist() == list(range(points))
        assert g["weights"].sum() == pytest.approx(0, abs=1e-12) and np.linalg.norm(g["normal"]) == pytest.approx(1)
        assert np.abs(g["x0"].sum(0) + g["x1"].sum(0)).max() < 1e-12 * size  # a translation of everything changes nothing


def test_a_step(falling):
    mesh, x0, x1 = falling
    hits = ccd.step.collisions(mesh, x0, x1)
    [g] = ccd.step.gradients(mesh, x0, x1, hits)
    assert g["state"] == STATES.DEFINED and g["toi"] == 0.5 and g["conditioning"] == 1 and g["normal"].tolist() == [0, 0, 1]
    assert g["x0"][:, 2].tolist() == g["x1"][:, 2].tolist() == [0.25, -0.125, -0.0625, -0.0625]
    assert ccd.step.gradients(mesh, x0, x1, ccd.step.earliest(mesh, x0, x1)).tobytes() == g.tobytes()
    tolerant = ccd.step.collisions(mesh, x0, x1, method="tight-inclusion", tolerance=1e-2)
    assert tolerant["toi_lo"][0] != 0.5  # the time that is differentiated is the exact one
    assert ccd.step.gradients(mesh, x0, x1, tolerant, method="tight-inclusion").tobytes() == g.tobytes()
    assert len(ccd.step.gradients(mesh, x0, x1, hits[:0])) == 0
    none = ccd.step.gradients(mesh, x0, x0, ccd.step.earliest(mesh, x0, x0))[0]
    assert (
        none["state"] == STATES.NO_IMPACT and none["toi"] == np.inf and not none["x0"].any() and (none["vertices"] == -1).all()
    )
    strided = np.repeat(hits, 2)[::2]
    assert ccd.step.gradients(mesh, x0, x1, strided).tobytes() == g.tobytes()


def test_states(falling):
    mesh, x0, x1 = falling

    def state(a, b, **options):
        hit = ccd.step.earliest(mesh, a, b, **options)
        return STATES(int(ccd.step.gradients(mesh, a, b, hit, **options)["state"][0]))

    down = np.outer([0, 0, 0, 1], [0, 0, 1])
    assert state(x0, x1) == STATES.DEFINED
    assert state(x0, x0 - down) == STATES.BORDER  # contact at t = 1
    assert state(x0 - down, x1) == STATES.INITIAL
    assert state(x0 + np.outer([0, 0, 0, 1], [0.25, 0.25, 0]), x1 + np.outer([0, 0, 0, 1], [0.25, 0.25, 0])) == STATES.BORDER
    assert state(x0, x1, min_separation=0.25, norm="max") == STATES.TIE  # a face of the cube on the triangle
    past = x0 + np.outer([0, 0, 0, 1], [-3, 0, -0.75])  # the vertex is at height 1/4, over and beyond
    assert state(past, past + np.outer([0, 0, 0, 1], [9, 0, 0]), min_separation=0.25) == STATES.GRAZING  # slides over at just d
    with pytest.raises(ccd.ArgumentError):
        STATES.of("state", "grazed")


def test_refusals(falling):
    mesh, x0, x1 = falling
    hit = ccd.step.collisions(mesh, x0, x1)
    for bad in (None, 3, [[3, 0]], np.zeros(3), hit["a"], "vf"):
        with pytest.raises(ccd.ArgumentError, match="impacts"):
            ccd.step.gradients(mesh, x0, x1, bad)
    wrong = hit.copy()
    wrong["a"] = 4
    with pytest.raises(ccd.InvalidIndexError, match=r"impacts\[0\]\.a is 4: out of range for 4 vertices"):
        ccd.step.gradients(mesh, x0, x1, wrong)
    wrong["a"], wrong["kind"] = 3, 6
    with pytest.raises(ccd.ArgumentError, match=r"impacts\[0\]\.kind is 6"):
        ccd.step.gradients(mesh, x0, x1, wrong)
    with pytest.raises(ccd.ArgumentError, match="kind is 'xx'"):
        ccd.pair.gradients("xx", np.zeros(24))
    with pytest.raises(ccd.ArgumentError, match="q has"):
        ccd.pair.gradients("vf", np.zeros(18))
    with pytest.raises(ccd.NonFiniteError, match=r"query 1: q\[3\]"):
        ccd.pair.gradients("pp", np.insert(np.zeros(23), 15, np.nan).reshape(2, 12))
    with pytest.raises(ccd.UnsupportedError, match=r"^apart_at_toi: "):
        ccd.pair.gradients("pp", np.zeros(12), apart_at_toi=True)


def test_an_error_leaves_nothing_that_looks_known(falling):
    mesh, x0, x1 = falling
    out = np.zeros(1, ccd.gradient_dtype)
    out["state"] = 1
    lib, hit = abi.library(), np.zeros(1, ccd.impact_dtype)
    status = lib.ccd_step_gradients(mesh._handle, x0.ctypes, x1.ctypes, 4, hit.ctypes, 1, None, out.ctypes)
    assert status < 0 and out["state"] == 0 and np.isnan(out["x0"]).all() and np.isnan(out["x1"]).all()
    assert ctypes.sizeof(abi.Gradient) == out.nbytes


# ---- dense gradients of the earliest time, which ccd.torch and ccd.jax return


def dense(mesh, x0, x1, no_impact=np.inf, undefined="nan", ties="undefined", **options):
    return _times.earliest(mesh, x0, x1, _times.choices(no_impact, undefined, ties), options)


def test_earliest(falling):
    mesh, x0, x1 = falling
    found = dense(mesh, x0, x1)
    assert found.toi == 0.5 and found.x1[:, 2].tolist() == [-0.125, -0.0625, -0.0625, 0.25] and found.state == STATES.DEFINED
    none = dense(mesh, x0, x0, no_impact=1)
    assert none.toi == 1 and not none.x0.any() and not none.x1.any() and none.state == STATES.NO_IMPACT
    touching = dense(mesh, x0 - np.outer([0, 0, 0, 1], [0, 0, 1]), x1)
    assert touching.toi == 0 and not touching.x0.any() and touching.state == STATES.INITIAL


def test_earliest_where_it_has_no_derivative(falling):
    mesh, x0, _ = falling
    at_the_end = x0 - np.outer([0, 0, 0, 1], [0, 0, 1])
    found = dense(mesh, x0, at_the_end)
    assert found.toi == 1 and np.isnan(found.x0).all() and found.state == STATES.BORDER
    assert not dense(mesh, x0, at_the_end, undefined="zero").x0.any()


def test_earliest_of_several():
    """Two vertices that touch a face at the same time; then one pair of points that is near as several pairs."""
    x0 = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 1], [1, 2, 1], [9, 9, 9.0]])
    x1 = x0 - np.outer([0, 0, 0, 2, 2, 0], [0, 0, 1])
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=6)
    tie = dense(mesh, x0, x1)
    assert tie.toi == 0.5 and tie.state == STATES.TIE and np.isnan(tie.x1[:5]).all() and not tie.x1[5].any()
    mean = dense(mesh, x0, x1, ties="mean")
    assert (
        mean.state == STATES.DEFINED and mean.x1[3, 2] == mean.x1[4, 2] == 0.125 and abs(mean.x1.sum() + mean.x0.sum()) < 1e-15
    )
    # a vertex over the common edge of two faces, at a distance: both pairs have one gradient, which is that of the time
    flat = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0.5, 1.0]])
    end = flat - np.outer([0, 0, 0, 0, 2], [0, 0, 1])
    two = ccd.Mesh(faces=[[0, 1, 2], [0, 2, 3]], vertices=5)
    assert len(ccd.step.collisions(two, flat, end, min_separation=0.25)) >= 2
    found = dense(two, flat, end, min_separation=0.25)
    assert found.state == STATES.DEFINED and found.x1[4].tolist() == [0, 0, found.toi / 2] and not found.x1[[1, 3]].any()


def test_choices_are_checked():
    for bad, text in (
        ({"undefined": "no"}, "undefined is 'no'"),
        ({"ties": 3}, "ties is 3"),
        ({"no_impact": "x"}, "no_impact is 'x'"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            _times.choices(**{"no_impact": 0, "undefined": "nan", "ties": "mean", **bad})
