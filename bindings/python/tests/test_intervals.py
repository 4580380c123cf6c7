"""Every interval of contact: single queries, batches and steps, against the first contacts."""

import numpy as np
import pytest

import ccd

FACE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
FALLING = np.array([[0.25, 0.25, 1], *FACE, [0.25, 0.25, -1], *FACE])


def test_a_vertex_falls_through_a_face():
    (found,) = ccd.pair.intervals("vf", FALLING)
    assert found.tolist() == (1, 0, -1, -1, 0.5, 0.5, 1, -1)
    (found,) = ccd.pair.intervals(ccd.Kind.VERTEX_FACE, FALLING, min_separation=0.5, t_max=0.75)
    assert (found["enter"], found["exit"], found["flags"]) == (0.25, 0.75, ccd.FINAL_CONTACT)
    (found,) = ccd.pair.intervals("vf", FALLING, min_separation=1)
    assert found["flags"] == ccd.INITIAL_CONTACT | ccd.FINAL_CONTACT
    assert len(ccd.pair.intervals("vf", FALLING, t_max=0.25)) == 0


def test_batches_say_which_query():
    apart = FALLING.copy()
    apart[::4, 2] += 9
    found = ccd.pair.intervals("vf", np.array([FALLING, apart, FALLING]), threads=2)
    assert found.dtype == ccd.interval_dtype and found["a"].tolist() == [0, 2] and found["b"].tolist() == [-1, -1]
    assert len(ccd.pair.intervals("vf", np.zeros((0, 24)))) == 0


def test_first_intervals_are_impacts():
    r = np.random.default_rng(5)
    several = 0
    for kind in ("vf", "ee", "pe", "pp"):
        n = ccd.Kind(kind).points
        q = r.uniform(-1, 1, (400, 2 * n, 3))
        for d, norm in ((0, "euclidean"), (0.2, "euclidean"), (0.2, "max")):
            hits = ccd.pair.solve(kind, q, min_separation=d, norm=norm)
            found = ccd.pair.intervals(kind, q, min_separation=d, norm=norm)
            first = np.r_[True, found["a"][1:] != found["a"][:-1]] if len(found) else np.zeros(0, bool)
            touched = np.isfinite(hits["toi_lo"])
            assert (found["a"][first] == hits["a"][touched]).all() and (found["enter"][first] == hits["toi_lo"][touched]).all()
            again = ~first[1:]
            assert (found["exit"] >= found["enter"]).all() and (found["exit"][:-1][again] <= found["enter"][1:][again]).all()
            several += (~first).sum()
    assert several > 10


def test_steps_list_all_times():
    mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]])
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1, 0.2, 1], [0.2, 1, 1]])
    x1 = x0 - np.outer([0, 0, 0, 2, 2, 2], [0, 0, 1])
    for d in (0, 0.1):
        found, hits = ccd.step.intervals(mesh, x0, x1, min_separation=d), ccd.step.collisions(mesh, x0, x1, min_separation=d)
        for name, of in (("enter", "toi_lo"), ("kind", "kind"), ("a", "a"), ("b", "b")):
            assert (found[name] == hits[of]).all()
        assert np.allclose(found["enter"] + found["exit"], 1, atol=1e-15)
    assert ccd.columns(found)["side_after"].tolist() == [0] * len(found)


def test_lists_of_pairs_and_candidates():
    r = np.random.default_rng(6)
    mesh = ccd.Mesh(faces=np.arange(36).reshape(12, 3))
    x0 = r.uniform(-1, 1, (36, 3))
    x1 = x0 + r.uniform(-1, 1, (36, 3))
    for norm in ("euclidean", "max"):
        options = {"min_separation": 0.1, "norm": norm}
        found = ccd.step.intervals(mesh, x0, x1, **options)
        candidates = ccd.broad.candidates(mesh, x0, x1, min_separation=0.1)
        assert candidates.step(x0, x1).intervals(threads=2, **options).tobytes() == found.tobytes()
        for kind, pairs in (("vf", candidates.vertex_face), ("ee", candidates.edge_edge)):
            some = np.vstack([pairs[::-1], pairs[:1]])
            listed = ccd.step.pairs_intervals(mesh, x0, x1, kind, some, **options)
            of = {
                pair: found[(found["kind"] == ccd.Kind(kind)) & (found["a"] == pair[0]) & (found["b"] == pair[1])]
                for pair in map(tuple, pairs)
            }
            assert listed.tobytes() == b"".join(of[tuple(pair)].tobytes() for pair in some)
            assert len(listed) > 10
    with pytest.raises(ccd.InvalidIndexError, match=r"pairs\[1\]\[1\] is 12"):
        ccd.step.pairs_intervals(mesh, x0, x1, "vf", [[0, 1], [0, 12]])
    with pytest.raises(ccd.ArgumentError, match=r"candidates are for a separation of 0\.1"):
        candidates.step(x0, x1).intervals(min_separation=0.2)
    with pytest.raises(ccd.UnsupportedError, match="method"):
        candidates.step(x0, x1).intervals(method="time-contracted")


def test_options_without_intervals_are_refused():
    mesh, x = ccd.Mesh(faces=[[0, 1, 2]], vertices=4), np.zeros((4, 3))
    refused = {"method": {"method": "tight-inclusion"}}
    refused |= {"check_start": {"check_start": True}, "device": {"device": "gpu"}}
    for name, options in refused.items():
        with pytest.raises(ccd.UnsupportedError, match=name):
            ccd.step.intervals(mesh, x, x, **options)
    with pytest.raises(ccd.ArgumentError, match="kind is 'face'"):
        ccd.pair.intervals("face", FALLING)
    with pytest.raises(ccd.NonFiniteError, match=r"query 1: q\[4\]"):
        ccd.pair.intervals("pp", [[0.0] * 12, [0.0] * 4 + [np.nan] * 8])
