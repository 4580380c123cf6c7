"""A step as a value: every call of every kind of step against the function of ccd.step, what it refers to, and threads."""

import copy
import functools
import gc
import pickle
import threading
from fractions import Fraction

import numpy as np
import pytest
from conftest import sheets

import ccd

STEP = {"min_separation": 1e-3}
CALLS = {
    "earliest": {},
    "collisions": {},
    "first_impacts": {"count": 3},
    "visit": {"visitor": list.append},
    "stream": {},
    "pairs": {"kind": "edge-edge", "pairs": [[3, 400], [5, 380]]},
    "intervals": {},
    "pairs_intervals": {"kind": "edge-edge", "pairs": [[3, 400], [5, 380]]},
    "clearance": {},
    "size": {},
    "advance": {"share": 0.5},
    "sizes": {},
    "linesearch": {"keep_ratio": 0.3},
    "activeset": {},
    "gradients": {},
}


@pytest.fixture(scope="module")
def fall():
    faces, x0, x1 = sheets(10)
    return faces, x0, x1


def kinds(faces, x0, x1):
    """A step of each kind, of the same motion, with the calls that it lacks and words of the reason."""
    mesh, lower = ccd.Mesh(faces), np.arange(len(x0)) < len(x0) // 2
    known = ccd.broad.candidates(mesh, x0, x1, **STEP)
    straight, given = ccd.Motion([x0, x1]), {"pairs", "pairs_intervals", "gradients"}
    yield "mesh", mesh, ccd.Step(mesh, x0, x1), {}
    yield "motion", mesh, ccd.Step(mesh, straight), {}
    yield "candidates", mesh, known.step(x0, x1), {"clearance": "candidates: "}
    yield "candidates, motion", mesh, known.step(straight), {"clearance": "candidates: "}
    yield "neighbors", mesh, ccd.neighbors.Neighbors(mesh, x0, 3).step(x0, x1), {}
    moved, still = np.flatnonzero(~lower), ccd.Mesh(faces)
    still.set_static(lower)
    lacks = dict.fromkeys(given, "^scene: ")
    yield "scene", still, ccd.scene.Scene(mesh, np.where(lower[:, None], x1, x0)).step(moved, x1[moved]), lacks


def result(call, name, options):
    """What a call returns, to compare: records in a fixed order, all else as it is."""
    given = dict(CALLS[name])
    if name == "visit":
        found = []
        assert call(found.append, **options)
        return np.sort(np.concatenate(found), order=["toi_lo", "kind", "a", "b"]).tobytes() if found else b""
    if name == "stream":
        found = [part.copy() for part in call(**options)]
        return np.sort(np.concatenate(found), order=["toi_lo", "kind", "a", "b"]).tobytes() if found else b""
    out = call(**given, **options)
    return out.tobytes() if isinstance(out, np.ndarray) else out


def same(a, b, rows):
    if isinstance(a, tuple):
        return all(same(x, y, rows) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return a.tobytes() == b[rows].tobytes()
    return a == b


@pytest.mark.parametrize("name", CALLS)
def test_every_call_of_every_step(fall, name):
    faces, x0, x1 = fall
    seen = 0
    for kind, mesh, step, lacks in kinds(faces, x0, x1):
        lower = np.arange(len(x0)) < len(x0) // 2
        start = np.where(lower[:, None], x1, x0) if kind == "scene" else x0
        rows = np.flatnonzero(~lower) if kind == "scene" else slice(None)
        impacts = ccd.step.collisions(mesh, start, x1, **STEP)
        assert len(impacts) > 20
        if name == "gradients":
            CALLS[name] = {"impacts": impacts}
        if name in lacks:
            with pytest.raises(ccd.UnsupportedError, match=lacks[name]):
                result(getattr(step, name), name, STEP)
            continue
        want = result(functools.partial(getattr(ccd.step, name), mesh, start, x1), name, STEP)
        got = result(getattr(step, name), name, STEP)
        if name == "sizes":
            counts = ("passes", "floor", "resting")
            assert all(getattr(got, c) == getattr(want, c) for c in counts), kind
            assert abs(got.used - want.used) < 1e-12
            got, want = got[:2], want[:2]
        assert same(got, want, rows), (kind, name)
        seen += 1
    assert seen >= 3


def test_a_step_sees_the_arrays_that_it_refers_to(fall):
    faces, x0, x1 = fall
    mesh, trial = ccd.Mesh(faces), x1.copy()
    step, single = ccd.Step(mesh, x0, trial), trial.astype(np.float32)
    copied = ccd.Step(mesh, x0, single)
    for part in (1.0, 0.5, 0.25):
        trial[:] = x0 + part * (x1 - x0)
        assert step.earliest() == ccd.step.earliest(mesh, x0, trial)
    before = copied.earliest()
    single[:] = x0
    assert copied.earliest() == before
    trial[3, 1] = np.nan
    with pytest.raises(ccd.NonFiniteError, match=r"x1\[3\]\[1\]"):
        step.size()
    assert ccd.Step(mesh, x0, trial).vertices == len(x0)  # calls check the coordinates


def test_a_step_keeps_what_it_is_made_of(fall):
    faces, x0, x1 = fall

    def made():
        mesh = ccd.Mesh(faces)
        scene, moved = ccd.scene.Scene(mesh, x0), list(range(len(x0)))
        steps = [
            ccd.Step(mesh, x0.tolist(), x1.tolist()), ccd.Step(mesh, ccd.Motion([x0, x1])),
            ccd.broad.candidates(mesh, x0, x1).step(x0.copy(), x1.copy()), scene.step(moved, x1.copy()),
            ccd.neighbors.Neighbors(mesh, x0, 1).step(x0.copy(), x1.copy()),
        ]  # fmt: skip
        return steps, ccd.step.earliest(mesh, x0, x1)

    steps, want = made()
    gc.collect()
    assert all(step.earliest() == want for step in steps)


def test_threads_share_a_step(fall):
    faces, x0, x1 = fall
    for kind, mesh, step, _ in kinds(faces, x0, x1):
        want, wrong = step.earliest(), []

        def work(step=step, want=want, wrong=wrong):
            wrong.extend(1 for _ in range(10) if step.earliest(threads=1) != want)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong, kind
        assert mesh.counts


def test_errors_name_what_is_wrong(fall):
    faces, x0, x1 = fall
    mesh = ccd.Mesh(faces)
    step, motion, n = ccd.Step(mesh, x0, x1), ccd.Motion([x0, x1]), len(x0)
    closed = ccd.Mesh(faces)
    closed.close()
    for call, error, words in (
        (lambda: ccd.Step(faces, x0, x1), ccd.ArgumentError, "mesh is .*: must be a ccd.Mesh"),
        (lambda: ccd.Step(mesh, x0), ccd.ArgumentError, "x1 is missing"),
        (lambda: ccd.Step(mesh, motion, x1), ccd.ArgumentError, "x1 is given beside a ccd.Motion"),
        (lambda: ccd.Step(mesh, x0, motion), ccd.ArgumentError, "x1 is a ccd.Motion"),
        (lambda: ccd.Step(mesh, x0[:5], x1), ccd.ArgumentError, f"x0 has 5 vertices, x1 has {n}"),
        (lambda: ccd.Step(mesh, x0[:5], x1[:5]), ccd.ArgumentError, "x0 and x1 have 5 vertices: the mesh has"),
        (lambda: ccd.Step(mesh, ccd.Motion([x0[:4], x1[:4]])), ccd.ArgumentError, "motion has 4 vertices"),
        (lambda: ccd.Step(closed, x0, x1), ccd.HandleError, "mesh was destroyed"),
        (lambda: ccd.neighbors.Neighbors(mesh, x0, 1).step(motion, None), ccd.ArgumentError, "steps of a neighbor list"),
        (lambda: step.sizes(groups=[1, 2]), ccd.ArgumentError, f"groups has 2 ids: the mesh has {n} vertices"),
        (lambda: step.visit(3), ccd.ArgumentError, "visitor is 3: must be callable"),
        (lambda: step.earliest(t_max=2), ccd.ArgumentError, "t_max is 2"),
        (lambda: copy.copy(step), TypeError, "a ccd.Step cannot be pickled or copied"),
        (lambda: pickle.dumps(step), TypeError, "a ccd.Step cannot be pickled or copied"),
    ):
        with pytest.raises(error, match=words):
            call()
    assert repr(step) == f"<ccd.Step of {n} vertices>"
    with step as opened:
        assert opened.size() < 1
    with pytest.raises(ccd.HandleError, match="step was destroyed"):
        step.size()
    step.close()  # a second time does nothing


@pytest.mark.parametrize("options", [{}, {"min_separation": 0.02, "norm": "max", "threads": 1}, {"check_start": True}])
def test_worlds_have_the_bits_of_single_calls(fall, options):
    faces, x0, x1 = fall
    mesh, parts = ccd.Mesh(faces), np.linspace(0, 1, 9)
    start, end = np.stack([x0] * 9), np.stack([x0 + part * (x1 - x0) for part in parts])
    stats = ccd.Stats()
    found = ccd.step.earliest_batch(mesh, start, end, stats=stats, **options)
    want = [ccd.step.earliest(mesh, x0, end[i], **options) for i in range(9)]
    assert [ccd.Impact.from_record(record) for record in found] == want
    assert 0 < sum(hit.separate for hit in want) < 9 and stats.boxes == 9 * sum(mesh.counts)
    assert len(ccd.step.earliest_batch(mesh, start[:0], end[:0])) == 0


@pytest.mark.parametrize(
    "options",
    [{}, {"min_separation": 0.02, "brute_force": True}, {"norm": "max", "t_max": Fraction(1, 2)}, {"check_start": True}],
)
def test_safe_steps_of_worlds_have_the_bits_of_single_calls(fall, options):
    faces, x0, x1 = fall
    mesh, parts = ccd.Mesh(faces), np.linspace(0, 1, 9)
    start, end = np.stack([x0] * 9), np.stack([x0 + part * (x1 - x0) for part in parts])
    start[8] += 1e6  # where rounding takes away some bits of the step
    end[8] += 1e6
    found = ccd.step.advance_batch(mesh, start, end, 0.9, **options)
    for i in range(9):
        alpha, x = ccd.step.advance(mesh, start[i], end[i], 0.9, **options)
        assert found.alpha[i] == alpha
        assert found.x[i].tobytes() == x.tobytes()
    assert found.impacts.tobytes() == ccd.step.earliest_batch(mesh, start, end, **options).tobytes()
    assert 0 < sum(found.impacts["verdict"] != ccd.Verdict.SEPARATE) < 9
    assert ccd.step.advance_batch(mesh, start[:0], end[:0]).x.shape == (0, len(x0), 3)


def test_a_loop_of_worlds_goes_on_where_rounded_steps_stand_still():
    mesh = ccd.Mesh(faces=[[0, 1, 2]], vertices=4)
    rng = np.random.default_rng(3)
    worlds = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 0.1]]) + rng.uniform(10, 1000, (200, 1, 1))
    down = -np.outer([0, 0, 0, 1], [0, 0, 1]) * rng.uniform(1, 3, (200, 1, 1))
    for _ in range(2):
        after = ccd.step.advance_batch(mesh, worlds, worlds + down, min_separation=0.01).x
        assert (ccd.step.earliest_batch(mesh, worlds, after, min_separation=0.01)["verdict"] == ccd.Verdict.SEPARATE).all()
        worlds = after
    assert (ccd.step.earliest_batch(mesh, worlds, worlds, min_separation=0.01)["verdict"] == ccd.Verdict.SEPARATE).all()


def test_progress_of_safe_steps_ascends_and_cancels(fall):
    faces, x0, x1 = fall
    mesh, start, end = ccd.Mesh(faces), np.stack([x0] * 3), np.stack([x1] * 3)
    seen = []
    ccd.step.advance_batch(mesh, start, end, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert seen[0] >= 0
    for last in (0.0, 0.6, 1.0):
        with pytest.raises(ccd.Cancelled, match="progress callback"):
            ccd.step.advance_batch(mesh, start, end, progress=lambda fraction, last=last: fraction >= last)


def test_worlds_name_what_is_wrong(fall):
    faces, x0, x1 = fall
    mesh, start, end = ccd.Mesh(faces), np.stack([x0] * 3), np.stack([x1] * 3)
    bad = end.copy()
    bad[2, 7, 1] = np.nan
    for call, words in (
        (lambda: ccd.step.earliest_batch(mesh, x0, end), r"x0 has shape \(200, 3\): .*pass x0\[None\]"),
        (lambda: ccd.step.earliest_batch(mesh, start[:2], end), "x0 has 2 worlds, x1 has 3"),
        (lambda: ccd.step.earliest_batch(mesh, start[:, :5], end), r"x0 has shape \(3, 5, 3\): must be \(k, 200, 3\)"),
        (lambda: ccd.step.earliest_batch(faces, start, end), "mesh is ndarray"),
        (lambda: ccd.step.earliest_batch(mesh, start, bad), r"world 2: x1\[7\]\[1\] is NaN"),
        (lambda: ccd.step.earliest_batch(mesh, start, end, device="gpu", check_start=True), r"device is .gpu"),
        (lambda: ccd.step.earliest_batch(mesh, start, end, progress=lambda f: True), "cancelled"),
        (lambda: ccd.step.earliest_batch(mesh, x0, end), r"np.broadcast_to\(x0, \(k, 200, 3\)\) for the same in all"),
        (lambda: ccd.step.advance_batch(mesh, start, bad), r"world 2: x1\[7\]\[1\] is NaN"),
        (lambda: ccd.step.advance_batch(mesh, start, end, 0), r"share is 0: must be in \(0, 1\]"),
        (lambda: ccd.step.advance_batch(mesh, start, end, region=([0] * 3, [1] * 3)), "region: an advance concerns all pairs"),
        (lambda: ccd.step.advance_batch(mesh, start[:2], end), "x0 has 2 worlds, x1 has 3"),
        (lambda: ccd.step.advance_batch(faces, start, end), "mesh is ndarray"),
        (
            lambda: ccd.step.advance(mesh, start, end),
            r"must be \(n, 3\); for many worlds of one mesh call ccd.step.earliest_batch or advance",
        ),
    ):
        with pytest.raises(ccd.Error, match=words):
            call()


def test_a_step_between_groups_has_the_pairs_of_one_with_the_other(fall):
    faces, x0, x1 = fall
    mesh, half = ccd.Mesh(faces), len(x0) // 2
    lower, upper = mesh.group_of(range(half)), mesh.group_of(np.arange(half, len(x0)))
    assert len(lower.edges) + len(upper.edges) == mesh.counts[1] and len(lower.faces) + len(upper.faces) == mesh.counts[2]
    for step in (ccd.Step(mesh, x0, x1), ccd.Step(mesh, ccd.Motion([x0, x1])), ccd.broad.candidates(mesh, x0, x1).step(x0, x1)):
        all_pairs = step.collisions()
        one_way = step.between(ccd.Group(vertices=upper.vertices), ccd.Group(faces=lower.faces))
        want = all_pairs[(all_pairs["kind"] == ccd.Kind.VERTEX_FACE) & (all_pairs["a"] >= half)]
        assert 0 < len(want) < len(all_pairs) and one_way.collisions().tobytes() == want.tobytes()
        both = step.between(lower, upper)
        among = mesh.stencils(all_pairs)[0] < half
        assert both.collisions().tobytes() == all_pairs[among.any(axis=1) & ~among.all(axis=1)].tobytes()
        assert both.earliest() == step.earliest() and both.size() == step.size() and both.vertices == step.vertices
        with pytest.raises(ccd.UnsupportedError, match="between: this call concerns pairs of any distance"):
            both.clearance()
        with pytest.raises(ccd.UnsupportedError, match="between: scenes, neighbor lists and steps between groups"):
            both.between(lower, upper)


@pytest.mark.parametrize(
    "a, b, error, text",
    [
        ({"vertices": [0, -1]}, {}, ccd.InvalidIndexError, r"^a.vertices\[1\] is -1: out of range for 200 vertices"),
        ({"faces": [7]}, {"faces": [3, 7]}, ccd.InvalidIndexError, r"^b.faces\[1\] is 7: the groups have it already"),
        ({}, {"edges": [2**31]}, ccd.InvalidIndexError, "^b.edges"),
        ({}, {"edges": [[1, 2]]}, ccd.ArgumentError, r"^b.edges has shape \(1, 2\): must be"),
        ({"vertices": [0.5]}, {}, ccd.ArgumentError, "^a.vertices"),
    ],
)
def test_groups_are_refused_by_name(fall, a, b, error, text):
    faces, x0, x1 = fall
    step = ccd.Step(ccd.Mesh(faces), x0, x1)
    with pytest.raises(error, match=text):
        step.between(ccd.Group(**a), ccd.Group(**b))
    with pytest.raises(ccd.ArgumentError, match=r"^a is \[1\]: must be a ccd\.Group, as Mesh\.group_of returns"):
        step.between([1], ccd.Group())
    with pytest.raises(ccd.InvalidIndexError, match=r"^vertices\[1\] is 200: out of range for 200 vertices"):
        ccd.Mesh(faces).group_of([0, 200])
