"""Plans of ccd.distributed: parts of about equal work and size, from samples and probes."""

import functools
import itertools
import pickle

import numpy as np
import pytest
from conftest import sheets

import ccd
import ccd.distributed as cd
from ccd.distributed._part import divide
from ccd.distributed._region import EVERYWHERE


def test_plans_are_refined():
    """Around the worst part the cuts are moved: crowded pairs and plain primitives are both even."""
    rng = np.random.default_rng(0)
    boxes = [rng.random((4000, 3)), 0.4 + 0.1 * rng.random((3000, 3))]
    all_, pairs = (cd._probe.Boxes(lo, lo + size, np.full(len(lo), 1.0)) for lo, size in zip(boxes, (0.02, 0.03)))
    planner = cd._plan._Planner(all_, pairs)
    refined = planner.plan(32)
    first = cd._plan._Planner(all_, pairs)
    first.refine = lambda root, cost: root
    plain = first.plan(32)

    def worst(plan):
        return max(max(of) / np.mean(of) for of in (plan.work, plan.primitives))

    assert worst(refined) < 0.97 * worst(plain)
    every = np.concatenate([boxes[0], boxes[1]])
    assert (sum(region.contains(every).astype(int) for region in refined.regions) == 1).all()
    counted = [np.logical_and(all_.lo < region.hi, all_.hi >= region.lo).all(axis=1).sum() for region in refined.regions]
    assert np.array_equal(counted, refined.primitives)  # what the plan says of its parts is what they hold
    routed = dict(refined._route(all_.lo, all_.hi))
    assert [len(routed.get(i, ())) for i in range(32)] == counted


def test_plans_balance_work():
    """By count, the parts would differ: half of the vertices lie in one corner, where pairs are many."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.random((3000, 3)), 0.1 * rng.random((3000, 3))])
    edges = np.arange(6000).reshape(-1, 2)
    x[1::2] = x[::2] + rng.uniform(-0.02, 0.02, (3000, 3))
    scene = cd.Scene(x, x, edges=edges)
    for size in (1 << 17, 3000):  # all primitives, a third of them
        chosen = cd.plan(cd.sample(scene, size=size), 8)
        parts = list(divide(scene, chosen, 0.0))
        held = [sum(part.mesh.counts) for part in parts]
        work = [n + 0.5 * len(ccd.broad.candidates(part.mesh, part.x0, part.x1)) for n, part in zip(held, parts)]
        assert max(work) < 1.5 * np.mean(work) and max(held) < 1.5 * np.mean(held)
        assert chosen.work == pytest.approx(work, rel=0.15 if size > 9000 else 0.3)


def crowd(n, seed=0):
    """Edges of which one in ten lies where the others' boxes are ten times as many: a scene, and its candidate pairs."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.random((9 * n // 10, 3)), 0.25 + 0.15 * rng.random((n // 10, 3))])
    x = np.repeat(x, 2, axis=0)
    x[1::2] += rng.uniform(-0.02, 0.02, (n, 3))
    mesh = ccd.Mesh(edges=np.arange(2 * n).reshape(-1, 2), vertices=2 * n)
    return cd.Scene.of(mesh, x, x), len(ccd.broad.candidates(mesh, x, x))


def test_probes_count_pairs():
    """A sample of one primitive in forty has one pair in 1,600; probes know how many there are, and where."""
    scene, pairs = crowd(40000)
    taken = cd.sample(scene, size=3000)
    probes = cd.probe(scene, taken, count=64)
    assert probes.count == len(probes.regions) == 64
    estimated = probes._pairs(taken, "collisions").weight.mean() * taken.total
    assert 0.6 * pairs < estimated < 1.7 * pairs
    work = []
    for given in (None, probes):
        chosen = cd.plan(taken, 16, pair_work=1.0, probes=given)
        of = [
            len(ccd.broad.candidates(part.mesh, part.x0, part.x1)) + sum(part.mesh.counts)
            for part in divide(scene, chosen, 0.0)
        ]
        work.append(max(of) / np.mean(of))
    assert work[1] < 1.5 and work[1] < work[0]


def test_probes_hold_all_that_reaches_their_regions(monkeypatch):
    scene, _ = crowd(5000)
    monkeypatch.setattr("ccd.distributed._scene.Scene._largest_radius", lambda self: 0.0)
    taken = cd.sample(scene, size=800)
    probes = cd.probe(scene, taken, 0.01, count=8)
    ends = np.concatenate([scene._ends(scene._primitives(shape, 0, n), 0.01) for shape, n in enumerate(scene.counts)])
    lo, hi = ends[:, :, 0].min(axis=1), ends[:, :, 1].max(axis=1)
    for number, region in enumerate(probes.regions):
        inside = (lo < region.hi).all(axis=1) & (hi >= region.lo).all(axis=1)
        held = probes.ends[probes.number == number]
        assert np.array_equal(
            np.sort(held.reshape(len(held), -1), axis=0), np.sort(ends[inside].reshape(len(held), -1), axis=0)
        )


def test_probes_do_not_depend_on_portions(monkeypatch):
    scene, _ = crowd(5000)
    taken = cd.sample(scene, size=800)
    for most in (0, 1000, 1 << 19):
        monkeypatch.setattr("ccd.distributed._probe._HELD", most)
        whole = cd.probe(scene, taken, count=8)
        assert len(whole.number) <= most and whole.count == 8 if most > 1000 else whole.count < 8
        parts = [cd.probe(scene, taken, share=(i, 3), count=8) for i in range(3)]
        for order in itertools.permutations(parts):
            assert pickle.dumps(functools.reduce(cd.reduce, order)) == pickle.dumps(whole)
            assert cd.plan(taken, 5, probes=order) == cd.plan(taken, 5, probes=whole)
    other = cd.sample(scene, size=700)
    with pytest.raises(ccd.ArgumentError, match="different samples"):
        cd.reduce(cd.probe(scene, other, count=8), whole)
    with pytest.raises(ccd.ArgumentError, match="of another sample"):
        cd.plan(other, 5, probes=cd.probe(scene, taken, count=8))


def test_large_scenes_are_probed(monkeypatch):
    """A plan of a scene is that of its sample and its probes."""
    scene, _ = crowd(9000)
    monkeypatch.setattr("ccd.distributed._plan.sample", lambda scene: cd.sample(scene, size=1000))
    taken = cd.sample(scene, size=1000)
    assert scene.counts == (18000, 9000, 0)
    assert cd.plan(scene, 4) == cd.plan(taken, 4, probes=cd.probe(scene, taken, count=64)) != cd.plan(taken, 4)


@pytest.mark.parametrize("side", [1, 5])
def test_probes_of_a_grid(side):
    """Many primitives begin at one place, so the sample cannot be divided into as many regions as are wanted."""
    at = np.stack(np.meshgrid(np.arange(side), np.arange(side), [0.0]), -1).reshape(-1, 1, 3)
    x0 = (np.repeat(at, 300 // side**2, axis=0) + np.eye(3)).reshape(-1, 3)
    scene = cd.Scene(x0, x0, np.arange(len(x0)).reshape(-1, 3))
    taken = cd.sample(scene, size=500)
    for count in (3, 64):
        parts = [cd.probe(scene, taken, share=(i, 2), count=count) for i in range(2)]
        assert len(parts[0].regions) < count or count == 3
        probes = cd.probe(scene, taken, count=count)
        assert cd.plan(taken, 4, probes=parts) == cd.plan(taken, 4, probes=probes)
    if side > 1:
        with pytest.raises(ccd.ArgumentError, match="of another sample"):
            cd.plan(cd.sample(scene, size=200), 4, probes=probes)


def test_plans_weigh_what_both_sides_hold():
    """Long boxes are in all parts that they reach: no part has 1.5 times the mean, though corners are at one end."""
    rng = np.random.default_rng(0)
    x = rng.random((4000, 3)) * [1, 1, 0.01]
    x[1::2] = x[::2] + rng.random((2000, 3)) * [0.02, 0.02, 1]
    scene = cd.Scene(x, x, edges=np.arange(4000).reshape(-1, 2))
    parts = list(divide(scene, cd.plan(scene, 16), 0.0))
    held = [sum(part.mesh.counts) for part in parts]
    work = [n + 0.5 * len(ccd.broad.candidates(part.mesh, part.x0, part.x1)) for n, part in zip(held, parts)]
    assert max(held) < 1.5 * np.mean(held) and max(work) < 1.5 * np.mean(work)


def measured(scene, plan, pair_work=0.5):
    """The primitives and the work of each part of a plan."""
    held, work = [], []
    for part in divide(scene, plan, 0.0):
        stats = ccd.Stats()
        cd.collisions(part, stats=stats)
        held.append(sum(part.mesh.counts))
        work.append(held[-1] + pair_work * sum(stats.candidates.values()))
    return np.array(held), np.array(work)


@pytest.mark.parametrize("call", ["candidates", "near"])
@pytest.mark.parametrize("probed", [True, False])
def test_plans_are_for_a_call(call, probed):
    """Edges of a corner fly far, one behind the other: boxes over the step overlap, though edges do not at any time.

    Near pairs are those of a crowd at x0; other edges are in a crowd at x1.
    """
    rng = np.random.default_rng(0)
    x0 = np.repeat(rng.random((2400, 3)), 2, axis=0)
    x0[1::2] += rng.uniform(-0.02, 0.02, (2400, 3))
    x1 = x0.copy()
    if call == "candidates":
        x1[np.repeat(x0[::2].max(axis=1) < 0.5, 2)] += 0.15
    else:
        x0[:800] = 0.1 + 0.1 * x0[:800]
        x1[-1600:] = 0.8 + 0.1 * x1[-1600:]
    mesh = ccd.Mesh(edges=np.arange(4800).reshape(-1, 2), vertices=4800)
    scene = cd.Scene.of(mesh, x0, x1)
    taken = cd.sample(scene, size=2400 if probed else 1 << 17)
    probes = cd.probe(scene, taken, 0.01, count=256) if probed else None
    largest = []
    for of in (call, "collisions"):
        work = []
        for part in divide(scene, cd.plan(taken, 8, 0.01, of, pair_work=2.0, probes=probes), 0.01):
            step, at = call == "candidates", (part.x0, part.x1 if call == "candidates" else part.x0)
            pairs = ccd.broad.candidates(part.mesh, *at, min_separation=0.01)
            owned = sum(int(part.region.contains(corners(part, kind, pairs[kind], step)).sum()) for kind in ccd.Kind)
            work.append(sum(part.mesh.counts) + 2.0 * owned)
        largest.append(max(work) / np.mean(work))
    assert largest[0] < (2.0 if probed else 1.4) and largest[0] < 0.8 * largest[1]


def corners(part, kind, pairs, step):
    of = cd._scene.SHAPES[int(kind)]
    return np.maximum(*(part._box(shape, ids, step)[0] for shape, ids in zip(of, pairs.T)))


@pytest.mark.long
def test_plans_of_a_crowd():
    """Most bodies lie near one point, so parts there share many primitives; work and primitives are even all the same."""
    rng = np.random.default_rng(0)
    n, octahedron = 800, np.vstack([np.eye(3), -np.eye(3)])
    sides = [[i, 1 + j, 2 + k] for i in (0, 3) for j in (0, 3) for k in (0, 3)]
    centers = rng.normal(size=(n, 1, 3)) * 0.5 * rng.random((n, 1, 1)) ** 3
    x0 = (centers + 0.03 * octahedron).reshape(-1, 3)
    faces = (np.array(sides) + 6 * np.arange(n)[:, None, None]).reshape(-1, 3)
    scene = cd.Scene(x0, x0 + np.repeat(rng.normal(size=(n, 3)) * 0.02, 6, axis=0), faces)
    chosen = cd.plan(scene, 24)
    held, work = measured(scene, chosen)
    assert sum(held) > 2 * sum(scene.counts) and max(held) < 1.4 * np.mean(held) and max(work) < 1.4 * np.mean(work)
    assert chosen.balance == pytest.approx(max(work) / np.mean(work), rel=0.15)


def test_plans_count_what_faces_bring():
    """A part holds all edges and vertices of its faces, and the pairs of these; the plan counts them."""
    n = 40
    faces = sheets(n)[0]
    u, v = (grid.ravel() / n for grid in np.meshgrid(np.arange(n), np.arange(n)))
    x0 = np.concatenate([np.stack([u, v, 0.1 * np.sin(5 * u) + 0.3 * above], 1) for above in (0, 1)])
    scene = cd.Scene(x0, x0 - np.outer(np.arange(2 * n * n) >= n * n, [0, 0, 0.4]), faces)
    chosen = cd.plan(scene, 16)
    held, work = measured(scene, chosen)
    assert chosen.primitives == pytest.approx(held, rel=0.08) and sum(chosen.primitives) == pytest.approx(sum(held), rel=0.05)
    assert chosen.work == pytest.approx(work, rel=0.15) and sum(chosen.work) == pytest.approx(sum(work), rel=0.06)
    assert max(work) < 1.3 * np.mean(work)


@pytest.mark.parametrize("size", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("probed", [True, False])
def test_plans_know_the_parts_of_a_soup(size, probed):
    """Triangles up to as large as the scene: the estimated balance is near the true one, with probes and without."""
    rng = np.random.default_rng(0)
    x0 = (rng.random((1500, 1, 3)) + size * rng.uniform(-0.5, 0.5, (1500, 3, 3))).reshape(-1, 3)
    scene = cd.Scene(x0, x0 + rng.uniform(-0.01, 0.01, x0.shape), np.arange(4500).reshape(-1, 3))
    taken = cd.sample(scene, size=1000)
    chosen = cd.plan(taken, 8, probes=cd.probe(scene, taken, count=64) if probed else None)
    held, work = measured(scene, chosen)
    assert chosen.balance < 1.2 and max(work) < 1.4 * np.mean(work)
    assert 0.7 < sum(chosen.work) / sum(work) < 1.7 and sum(chosen.primitives) == pytest.approx(sum(held), rel=0.1)


def test_probes_that_are_too_few_are_left_out(monkeypatch):
    """Where primitives reach most probes, few of these are kept. The sample then has pairs enough, and makes the plan."""
    rng = np.random.default_rng(0)
    x0 = (rng.random((1000, 1, 3)) + rng.uniform(-0.5, 0.5, (1000, 3, 3))).reshape(-1, 3)
    scene = cd.Scene(x0, x0, np.arange(3000).reshape(-1, 3))
    taken = cd.sample(scene, size=900)
    monkeypatch.setattr("ccd.distributed._probe._PROBED", 64)
    monkeypatch.setattr("ccd.distributed._probe._HELD", 9000)
    probes = cd.probe(scene, taken, count=64)
    assert 0 < probes.count < len(probes.regions) == 64
    assert cd.plan(taken, 4, probes=probes) == cd.plan(taken, 4)


@pytest.mark.long
def test_plans_have_no_more_parts_than_the_sample_serves():
    """A million parts of few primitives would be empty, and take hours to plan."""
    rng = np.random.default_rng(0)
    x0 = rng.random((3000, 3))
    mesh, x1 = ccd.Mesh(edges=np.arange(3000).reshape(-1, 2), vertices=3000), x0 + 0.01 * rng.random((3000, 3))
    report = cd.Report()
    assert len(cd.plan(cd.Scene.of(mesh, x0, x1), 10**6).regions) == 4500 // 16
    assert len(cd.plan(cd.sample(cd.Scene.of(mesh, x0, x1), size=500), 10**6).regions) == 64
    assert repr(cd.earliest(mesh, x0, x1, parts=10**6, report=report)) == repr(ccd.step.earliest(mesh, x0, x1))
    assert len(report.parts) == 4500 // 16 and sum(part["vertices"] > 0 for part in report.parts) > 250
    few = ccd.Mesh(faces=[[0, 1, 2]])
    assert cd.size(few, x0[:3], x1[:3], parts=10**6, report=report) == 1.0 and len(report.parts) == 64


@pytest.mark.long
def test_parts_stay_compact():
    """The largest part has less than 1.5 times its share of the memory."""
    n = 90
    faces = sheets(n)[0]
    u, v = (grid.ravel() / n for grid in np.meshgrid(np.arange(n), np.arange(n)))
    x0 = np.concatenate([np.stack([u, v, 0.1 * np.sin(5 * u) + 0.3 * above], 1) for above in (0, 1)])
    scene = cd.Scene(x0, x0 - np.outer(np.arange(2 * n * n) >= n * n, [0, 0, 0.1]), faces)
    chosen = cd.plan(cd.sample(scene), 8)
    sizes = [part.nbytes for part in divide(scene, chosen, 0.0)]
    assert max(sizes) < 1.5 * cd.cut(scene, EVERYWHERE).nbytes / 8


def test_samples_do_not_depend_on_portions():
    faces, x0, x1 = sheets(20)
    scene = cd.Scene(x0, x1, faces)
    whole = cd.sample(scene, size=500)
    for n in (2, 5):
        parts = [cd.sample(scene, size=500, share=(i, n)) for i in range(n)]
        for order in itertools.islice(itertools.permutations(parts), 4):
            merged = functools.reduce(cd.reduce, order)
            assert pickle.dumps(merged) == pickle.dumps(whole)
            assert cd.plan(order, 5) == cd.plan(whole, 5)
