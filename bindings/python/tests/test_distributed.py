"""ccd.distributed: the results of all parts together have the bits of one call, however a scene is divided."""

import functools
import itertools
import json
import os
import pathlib
import pickle
import shutil

import numpy as np
import pytest
from conftest import sheets

import ccd
import ccd.distributed as cd
from ccd.distributed._part import divide
from ccd.distributed._region import EVERYWHERE, separations, within
from ccd.distributed._scene import components, unique_edges

COUNTS = (1, 2, 7, 64)


def tangle(seed, faces=40, rods=60, points=30):
    """Triangles in pairs, a tangle of rods in which vertices have one to five of them, points: mesh, x0, x1."""
    rng = np.random.default_rng(seed)
    corners = rng.random((faces, 1, 3)) + rng.uniform(-0.15, 0.15, (faces, 4, 3))
    quads = np.arange(4 * faces).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [1, 3, 2]]])
    first = 4 * faces
    knots = rng.random((rods // 2, 3))
    near = np.argsort(np.linalg.norm(knots[:, None] - knots, axis=2), axis=1)
    ends = np.stack([rng.integers(0, len(knots), rods), np.zeros(rods, int)], 1)
    ends[:, 1] = near[ends[:, 0], rng.integers(1, 4, rods)]
    ends = np.unique(np.sort(ends, axis=1), axis=0) + first
    x0 = np.concatenate([corners.reshape(-1, 3), knots, rng.random((points, 3))])
    x1 = x0 + rng.uniform(-0.2, 0.2, x0.shape)
    edges = np.concatenate([unique_edges(triangles), ends])
    edges = edges[rng.permutation(len(edges))]  # in no order
    return ccd.Mesh(faces=triangles, edges=edges, vertices=len(x0)), x0, x1


def groups(mesh, rng):
    mesh.set_groups(rng.integers(-1, 5, mesh.counts[0]))


def static(mesh, rng):
    mesh.set_static(rng.random(mesh.counts[0]) < 0.6)


def radii(mesh, rng):
    mesh.set_radii(rng.uniform(0, 0.02, mesh.counts[0]) * (rng.random(mesh.counts[0]) < 0.7))


def excluded(mesh, rng):
    v, e, f = mesh.counts
    for kind, (a, b) in {1: (v, f), 2: (e, e), 3: (v, e), 4: (v, v), 5: (e, f)}.items():
        mesh.set_excluded(kind, np.stack([rng.integers(0, a, a * b // 3), rng.integers(0, b, a * b // 3)], 1))


def all_filters(mesh, rng):
    for each in (groups, static, radii, excluded):
        each(mesh, rng)


def record(impact):
    """All bits of an impact: repr tells 0.0 from -0.0."""
    return repr(impact)


def boxes(x0, x1, vertices):
    both = np.concatenate([x0[vertices], x1[vertices]], axis=1)
    return both.min(axis=1), both.max(axis=1)


def expected_candidates(mesh, x0, x1, separation):
    """The law of `cd.candidates`, from the candidates of the whole in plain comparisons of long integers."""
    from fractions import Fraction

    shapes = [np.arange(mesh.counts[0])[:, None], mesh.edges, mesh.faces]
    r = mesh._radii if mesh._radii is not None else np.zeros(len(x0))
    found, out = ccd.broad.candidates(mesh, x0, x1, min_separation=separation), {}
    for kind, (a, b) in {1: (0, 2), 2: (1, 1), 3: (0, 1), 4: (0, 0)}.items():
        pairs = found[kind]
        va, vb = shapes[a][pairs[:, 0]], shapes[b][pairs[:, 1]]
        (alo, ahi), (blo, bhi) = boxes(x0, x1, va), boxes(x0, x1, vb)
        keep = []
        for i in range(len(pairs)):
            real = Fraction(float(r[va[i]].max())) + Fraction(float(r[vb[i]].max())) + Fraction(separation)
            s = float(real)
            s = s if Fraction(s) >= real else float(np.nextafter(s, np.inf))
            gaps = [Fraction(float(p)) - Fraction(float(q)) for p, q in zip([*blo[i], *alo[i]], [*ahi[i], *bhi[i]])]
            keep.append(all(gap <= Fraction(s) for gap in gaps))
        out[kind] = pairs[np.array(keep, bool)]
    return out


OPTIONS = {
    "plain": (None, {}),
    "separation": (None, {"min_separation": 0.01}),
    "max norm": (None, {"min_separation": 0.01, "norm": "max"}),
    "groups": (groups, {}),
    "static": (static, {"min_separation": 1e-3}),
    "radii": (radii, {"min_separation": 1e-3}),
    "radii, max norm": (radii, {"norm": "max"}),
    "exclusions": (excluded, {}),
    "all": (all_filters, {"min_separation": 0.005, "no_zero_toi": True}),
    "shorter": (None, {"t_max": 0.25}),
    "check start": (excluded, {"check_start": True}),
    "tight inclusion": (radii, {"method": "tight-inclusion", "min_separation": 1e-3, "tolerance": 1e-3}),
    "time contracted": (None, {"method": "time-contracted", "norm": "max", "min_separation": 1e-3}),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_call_has_the_bits_of_one_call(name):
    filters, options = OPTIONS[name]
    seed = list(OPTIONS).index(name)
    mesh, x0, x1 = tangle(seed)
    if filters is not None:
        filters(mesh, np.random.default_rng(seed))
    d, near_options = options.get("min_separation", 0.0) + 0.02, {}
    whole = (
        record(ccd.step.earliest(mesh, x0, x1, **options)),
        ccd.step.collisions(mesh, x0, x1, **options),
        ccd.step.size(mesh, x0, x1, **options),
        ccd.proximity.near(mesh, x0, d, **near_options),
    )
    assert len(whole[1]) > 3 and len(whole[3]) > 3
    wanted = expected_candidates(mesh, x0, x1, options.get("min_separation", 0.0))
    sparse = {key: value for key, value in options.items() if key == "min_separation"}
    for n in COUNTS:
        assert record(cd.earliest(mesh, x0, x1, parts=n, **options)) == whole[0]
        assert cd.collisions(mesh, x0, x1, parts=n, **options).tobytes() == whole[1].tobytes()
        assert cd.size(mesh, x0, x1, parts=n, **options) == whole[2]
        assert cd.near(mesh, x0, d, parts=n).tobytes() == whole[3].tobytes()
        found = cd.candidates(mesh, x0, x1, parts=n, **sparse)
        assert all(np.array_equal(found[kind], wanted[kind]) for kind in wanted)


def shaped(name):
    """A tangle in a shape that plans and comparisons may trip over: mesh, x0, x1, and a length that is small in it."""
    mesh, x0, x1 = tangle(20, faces=8, rods=20, points=10)
    unit = float(name) if name[0].isdigit() else 1.0
    if name.startswith("plane"):  # boxes without extent along x
        x0[:, 0] = x1[:, 0] = 0.25
    if name == "plane, on a grid":
        x0, x1 = np.round(x0 * 20) / 20, np.round(x1 * 20) / 20
    if name == "line":
        x0[:, :2] = x1[:, :2] = 0.25
    if name == "zeros of both signs":
        x0, x1 = np.round(2 * x0) - 1, np.round(2 * x1) - 1
        x0[::2] *= -1
    if name == "sizes from 1e-100 to 1e100":
        size = 10.0 ** np.random.default_rng(0).integers(-100, 100, (len(x0), 1))
        x0, x1 = x0 * size, x1 * size
    return mesh, x0 * unit, x1 * unit, 0.01 * unit


SHAPES = "plane", "plane, on a grid", "line", "zeros of both signs", "sizes from 1e-100 to 1e100", "1e100", "1e-100", "1e-320"


@pytest.mark.parametrize("norm", ["euclidean", "max"])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_have_the_bits_of_one_call(name, norm):
    """Flat scenes, extreme coordinates, with and without filters and separations; most of 64 parts may be empty."""
    mesh, x0, x1, small = shaped(name)
    rng = np.random.default_rng(1)
    for filters in (None, static, excluded, "radii"):
        if filters == "radii":
            mesh.set_radii(rng.uniform(0, 2 * small, mesh.counts[0]) * (rng.random(mesh.counts[0]) < 0.7))
        elif filters is not None:
            filters(mesh, rng)
        options = {"norm": norm, "min_separation": small} if filters != static else {"norm": norm}
        impacts, near = ccd.step.collisions(mesh, x0, x1, **options), ccd.proximity.near(mesh, x0, 3 * small)
        scene, d = cd.Scene.of(mesh, x0, x1), options.get("min_separation", 0.0)
        for n in (2, 64) if filters is not None else (1, 7):
            plan = cd.plan(scene, n, 3 * small)
            assert cd.collisions(scene, plan=plan, **options).tobytes() == impacts.tobytes()
            assert record(cd.earliest(scene, plan=plan, **options)) == record(ccd.step.earliest(mesh, x0, x1, **options))
            assert cd.size(scene, plan=plan, **options) == ccd.step.size(mesh, x0, x1, **options)
            assert cd.near(scene, d=3 * small, plan=plan).tobytes() == near.tobytes()
        wanted = expected_candidates(mesh, x0, x1, d) if filters == "radii" else {}
        found = cd.candidates(scene, plan=plan, min_separation=d) if wanted else wanted
        assert all(np.array_equal(found[kind], wanted[kind]) for kind in wanted)
    assert len(impacts) or len(near) or name == "1e-320"


def test_more_parts_than_primitives():
    mesh, x0 = ccd.Mesh(faces=[[0, 1, 2]], vertices=4), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1]])
    x1 = x0 - np.outer([0, 0, 0, 1], [0, 0, 2])
    report = cd.Report()
    assert cd.collisions(mesh, x0, x1, parts=64, report=report).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
    assert len(report.parts) == 64 and min(part["vertices"] for part in report.parts) == 0
    assert record(cd.earliest(mesh, x0, x1, parts=64)) == record(ccd.step.earliest(mesh, x0, x1))
    far = cd.plan(cd.Scene(x0 + 100, x0 + 100.5, mesh.faces), 7)  # of another scene: all parts but one or two are empty
    assert cd.collisions(mesh, x0, x1, plan=far).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()


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


@pytest.mark.parametrize("count", COUNTS)
def test_parts_one_by_one(count):
    mesh, x0, x1 = tangle(3)
    radii(mesh, np.random.default_rng(3))
    scene = cd.Scene.of(mesh, x0, x1)
    regions = cd.plan(cd.sample(scene), count, 0.01).regions
    parts = [pickle.loads(pickle.dumps(cd.cut(scene, region, 0.01, i))) for i, region in enumerate(regions)]
    rng = np.random.default_rng(count)
    for call, whole in (
        (cd.earliest, ccd.step.earliest(mesh, x0, x1, min_separation=0.01)),
        (cd.collisions, ccd.step.collisions(mesh, x0, x1, min_separation=0.01)),
        (cd.size, ccd.step.size(mesh, x0, x1, min_separation=0.01)),
    ):
        results = [call(parts[i], min_separation=0.01) for i in rng.permutation(count)]
        middle = count // 2  # another grouping
        one, other = (functools.reduce(cd.reduce, some, None) for some in (results[:middle], results[middle:]))
        combined = cd.reduce(other, one)
        assert combined.tobytes() == whole.tobytes() if call is cd.collisions else repr(combined) == repr(whole)


def test_a_part_cut_alone_is_the_part_of_one_pass():
    mesh, x0, x1 = tangle(4)
    all_filters(mesh, np.random.default_rng(4))
    scene = cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(cd.sample(scene), 7)
    for part in divide(scene, chosen, 0.01):
        alone = cd.cut(scene, part.region, 0.01, part.index)
        assert pickle.dumps(alone) == pickle.dumps(part)


def test_vertices_whose_edges_are_elsewhere_make_no_pairs():
    """A rod from a joint of three, whose other two rods are far away: near the third rod the joint looks like a free end."""
    x0 = np.array([[0, 0, 0], [1, 0, 0], [-1, 0.5, 0], [-1, -0.5, 0], [2, -0.01, 0], [1, 1, 0]], float)
    x1 = x0.copy()
    x1[4] = [-0.1, 0, 0]  # the end of the rod (1, 4) sweeps over the joint 0, which edge pairs cover
    mesh = ccd.Mesh(edges=[[0, 1], [0, 2], [0, 3], [1, 4], [1, 5]], vertices=6)
    mesh.set_excluded("edge-edge", [[1, 3], [2, 3]])  # only the pairs that cover the joint
    whole = ccd.step.collisions(mesh, x0, x1)
    scene = cd.Scene.of(mesh, x0, x1)
    for at in (-0.5, 0.5, 0.9, 1.0, 1.5):
        for region in EVERYWHERE.cut(0, at):
            part = cd.cut(scene, region)
            tested = ccd.step.collisions(part.mesh, part.x0, part.x1)
            pairs = {(int(k), *map(int, part._whole(k, a, b))) for k, a, b in tested[["kind", "a", "b"]].tolist()}
            assert pairs <= set(whole[["kind", "a", "b"]].tolist())


def test_regions_own_each_pair_once():
    mesh, x0, x1 = tangle(5)
    scene = cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(cd.sample(scene), 64)
    points = np.concatenate([np.minimum(x0, x1), np.random.default_rng(0).normal(0, 2, (5000, 3))])
    cuts = [region.lo[axis] for region in chosen.regions for axis in range(3) if np.isfinite(region.lo[axis])]
    points[: len(cuts)] = np.array(cuts)[:, None]  # on the cuts
    assert (sum(region.contains(points).astype(int) for region in chosen.regions) == 1).all()
    assert len({axis for region in chosen.regions for axis in range(3) if np.isfinite(region.lo[axis])}) == 3


def test_components_are_groups_of_the_whole():
    mesh, x0, x1 = tangle(6)
    mesh.set_component_groups()
    assert cd.collisions(mesh, x0, x1, parts=9).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
    rng = np.random.default_rng(1)
    edges = rng.integers(0, 400, (300, 2))
    least = components(edges, 400)
    assert (least[edges[:, 0]] == least[edges[:, 1]]).all() and (least <= np.arange(400)).all()
    link = np.eye(400, dtype=bool)
    link[edges[:, 0], edges[:, 1]] = link[edges[:, 1], edges[:, 0]] = True
    for _ in range(9):
        link = link @ link
    assert np.array_equal(least, link.argmax(axis=1))


def test_comparisons_are_exact():
    """Against rational numbers, where ends differ by half a unit in the last place and less."""
    from fractions import Fraction

    rng = np.random.default_rng(2)
    n = 4000
    scale = 2.0 ** rng.integers(-60, 60, n)
    hi_a = rng.normal(size=n) * scale
    s = np.abs(rng.normal(size=n)) * 2.0 ** rng.integers(-110, 60, n)
    lo_b = (hi_a + s) * (1 + rng.integers(-1, 2, n) * 2.0**-52)
    zero = np.zeros((n, 3))

    def box(column, fill):
        out = zero + fill
        out[:, 1] = column
        return out

    got = within(box(hi_a, 0.0), box(hi_a, 0.0), box(lo_b, 0.0), box(lo_b, 0.0), s)
    real = [abs(Fraction(float(b)) - Fraction(float(a))) <= Fraction(float(d)) for a, b, d in zip(hi_a, lo_b, s)]
    assert got.tolist() == real and 500 < sum(real) < n - 500
    a, b = np.abs(hi_a), np.abs(lo_b) * 2.0 ** rng.integers(-55, 3, n)
    m = 1e-3
    for x, y, up in zip(a, b, separations(a, b, m)):
        real_sum = Fraction(float(x)) + Fraction(float(y)) + Fraction(m)
        assert Fraction(float(up)) >= real_sum > Fraction(float(np.nextafter(up, -np.inf)))


def test_edges_are_those_of_the_library():
    faces = sheets(9)[0]
    assert np.array_equal(unique_edges(faces), ccd.Mesh(faces).edges)


def test_edges_through_faces_come_first():
    """At t = 0 an edge passes through a face, and a point lies on another: the former is first, whichever part has it."""
    face = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    x0 = np.concatenate([face, face * [1, 1, 0] + [5, 0, 0], [[0.2, 0.2, -1], [0.2, 0.2, 1], [5.2, 0.2, 0]]])
    mesh = ccd.Mesh(faces=[[0, 1, 2], [3, 4, 5]], edges=[*ccd.Mesh([[0, 1, 2], [3, 4, 5]]).edges, [6, 7]], vertices=9)
    whole = ccd.step.collisions(mesh, x0, x0, check_start=True)
    assert whole["kind"].tolist() == [5, 1]
    for n in COUNTS:
        assert cd.collisions(mesh, x0, x0, parts=n, check_start=True).tobytes() == whole.tobytes()
        assert record(cd.earliest(mesh, x0, x0, parts=n, check_start=True)) == record(
            ccd.step.earliest(mesh, x0, x0, check_start=True)
        )


# ---- plans


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
    estimated = probes._pairs(taken).weight.mean() * taken.total
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
        ccd.step.collisions(part.mesh, part.x0, part.x1, stats=stats)
        held.append(sum(part.mesh.counts))
        work.append(held[-1] + pair_work * sum(stats.candidates.values()))
    return np.array(held), np.array(work)


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


@pytest.mark.parametrize("count", [2, 9])
def test_what_cannot_be_divided(count):
    """All begins at one place, or there is nothing: parts are empty, and results are those of one call."""
    for x0 in (np.zeros((12, 3)), np.empty((0, 3))):
        x1 = x0 + np.arange(len(x0))[:, None]
        mesh = ccd.Mesh(vertices=len(x0))
        assert record(cd.earliest(mesh, x0, x1, parts=count)) == record(ccd.step.earliest(mesh, x0, x1))
        assert cd.collisions(mesh, x0, x1, parts=count).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
        assert cd.size(mesh, x0, x1, parts=count) == ccd.step.size(mesh, x0, x1)
    assert record(cd.earliest([])) == record(ccd.step.earliest(mesh, x0, x1))
    assert len(cd.collisions([])) == len(cd.near([])) == len(cd.candidates([])) == 0 and cd.size([], t_max=0.5) == 0.5


# ---- errors


def test_errors_name_the_whole_scene():
    faces, x0, x1 = sheets(8)
    bad = x1.copy()
    bad[77, 1] = np.nan
    scene = cd.Scene(x0, bad, faces)
    with pytest.raises(ccd.NonFiniteError, match=r"x1\[77\]\[1\] is nan: not finite"):
        cd.cut(scene, EVERYWHERE.cut(0, -9.0)[0])  # of a region that has nothing
    for wrong, text in (
        (np.where(faces == 5, 900, faces), r"faces\[\d+\]\[\d\] is 900: out of range for 128"),
        (-faces, "faces"),
    ):
        with pytest.raises(ccd.InvalidIndexError, match=text):
            cd.sample(cd.Scene(x0, x1, wrong, edges=unique_edges(faces)))
    with pytest.raises(ccd.InvalidIndexError, match=r"edges\[3\]\[0\] is -1"):
        cd.cut(cd.Scene(x0, x1, edges=[[0, 1], [1, 2], [2, 3], [-1, 4]]), EVERYWHERE)
    with pytest.raises(ccd.ArgumentError, match="edges has no edge of vertices 0 and 1"):
        cd.cut(cd.Scene(x0, x1, faces, edges=unique_edges(faces)[1:]), EVERYWHERE.cut(0, -9.0)[1].cut(0, x0[:, 0].max())[0])
    with pytest.raises(ccd.ArgumentError, match=r"radii\[3\] is -1.0: must be finite"):
        cd.sample(cd.Scene(x0, x1, faces, radii=np.where(np.arange(128) == 3, -1.0, 0.1)))


def test_bad_arguments():
    faces, x0, x1 = sheets(6)
    mesh, scene = ccd.Mesh(faces), cd.Scene(x0, x1, faces)
    part = cd.cut(scene, EVERYWHERE, 0.01)
    samples = cd.sample(scene)
    for call, text in (
        (lambda: cd.Scene(x0, x1[:5], faces), "x0 has 72 vertices, x1 has 5"),
        (lambda: cd.Scene(x0[:, :2], x1, faces), r"x0 has shape \(72, 2\): must be \(n, 3\)"),
        (lambda: cd.Scene(x0, x1, x0), "faces has dtype float64: must be an integer type"),
        (lambda: cd.Scene(x0, x1, faces, groups=[1]), "groups has 1 items: must have one for each of the 72"),
        (lambda: cd.Scene("x.txt", x1), "x0 is 'x.txt': must be an array, or the path"),
        (lambda: cd.earliest(part, min_separation=0.02), "min_separation is 0.02: the part was cut for at most 0.01"),
        (lambda: cd.near(part, d=0.02), "d is 0.02: the part was cut for at most 0.01"),
        (lambda: cd.earliest(part, parts=2), "parts: for whole scenes"),
        (lambda: cd.earliest(mesh), "x0 and x1 must be given"),
        (lambda: cd.earliest(scene, x0, x1), "x0 and x1 are those of the scene"),
        (lambda: cd.earliest([part], parts=2), "these parts are cut already"),
        (lambda: cd.earliest([part, 3]), r"scene\[1\] is int"),
        (lambda: cd.earliest(3), "scene is int: must be a Mesh"),
        (lambda: cd.earliest(scene, parts=0), "parts is 0"),
        (lambda: cd.earliest(scene, parts=2, plan=cd.plan(samples, 2)), "parts and plan: give one"),
        (lambda: cd.earliest(scene, plan=3), "plan is int"),
        (lambda: cd.earliest(scene, executor="dask"), "executor is 'dask': must be None"),
        (lambda: cd.earliest(scene, executor=0), "executor is 0"),
        (lambda: cd.earliest(scene, retries=-1), "retries is -1"),
        (lambda: cd.earliest(scene, report=3), "report is 3"),
        (lambda: cd.earliest(scene, stats=3), "stats is 3"),
        (lambda: cd.earliest(scene, progress=3), "progress is 3"),
        (lambda: cd.collisions(part, folder="x"), "folder: for whole scenes"),
        (lambda: cd.plan([], 2), "samples must be"),
        (lambda: cd.earliest(scene, least=3), "least is for earliest of one part"),
        (lambda: cd.size(part, least=3), "least is for earliest of one part"),
        (lambda: cd.earliest(part, least=3), "least is 3: must be"),
        (lambda: cd.plan(samples, 2, probes=[]), "probes must be"),
        (lambda: cd.plan(samples, 2, probes=samples), "probes must be"),
        (lambda: cd.probe(samples, samples), "scene is Sample"),
        (lambda: cd.probe(scene, []), "samples must be"),
        (lambda: cd.probe(scene, samples, count=0), "count is 0"),
        (lambda: cd.probe(scene, samples, share=(3, 3)), r"share\[0\] is 3"),
        (lambda: cd.plan(samples, 0), "count is 0"),
        (lambda: cd.plan([samples, cd.sample(scene, size=9)], 2), "samples have sizes 131072 and 9"),
        (lambda: cd.sample(scene, share=(2, 2)), r"share\[0\] is 2"),
        (lambda: cd.sample(mesh), "scene is Mesh"),
        (lambda: cd.cut(scene, 3), "region is int"),
        (lambda: cd.cut(scene, EVERYWHERE, -1), "min_separation is -1.0: must be in"),
        (lambda: cd.reduce(0.5, part), "reduce combines results of one kind: given float and Part"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            call()
    with pytest.raises(TypeError, match="unknown option 'thread'"):
        cd.earliest(scene, thread=1)
    with pytest.raises(ccd.Cancelled):
        cd.earliest(scene, parts=4, progress=lambda done: done > 0.4)
    with pytest.raises(ccd.UnsupportedError, match=r"^part 0: "):
        cd.near(mesh, x0, 0.1, parts=2, norm="max")


def test_statistics_are_summed():
    mesh, x0, x1 = tangle(8)
    stats, report, seen = ccd.Stats(), cd.Report(), []
    hits = cd.collisions(mesh, x0, x1, parts=5, stats=stats, report=report, progress=lambda done: seen.append(done))
    assert seen == [0.2, 0.4, 0.6, 0.8, 1.0] and [part["index"] for part in report.parts] == [0, 1, 2, 3, 4]
    assert stats == report.stats and stats.impacts >= len(hits) and stats.boxes > sum(mesh.counts)
    assert sum(part["candidates"] for part in report.parts) == sum(stats.candidates.values())
    assert report.seconds > 0 and report.lost == 0 and report.balance >= 1


# ---- files


def test_parts_travel_by_files(tmp_path):
    mesh, x0, x1 = tangle(9)
    all_filters(mesh, np.random.default_rng(9))
    scene = cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(cd.sample(scene), 7)
    paths = cd.split(scene, chosen, tmp_path / "parts", 0.01)
    assert [path[-14:] for path in paths] == [f"part-{i:05d}.npz" for i in range(7)]
    for path, part in zip(paths, divide(scene, chosen, 0.01)):
        assert part.origin is None
        part.origin = cd.load(path).origin
        assert pickle.dumps(cd.load(path).__dict__) == pickle.dumps(part.__dict__) and part.origin.count == 7
    assert cd.collisions(paths).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()
    (tmp_path / "other.npz").write_bytes(b"PK none")
    with pytest.raises(ccd.ArgumentError, match=r"other.npz holds no part"):
        cd.load(tmp_path / "other.npz")
    with pytest.raises(ccd.FileError, match=r"missing.npz"):
        cd.earliest([*paths, tmp_path / "missing.npz"])


def saved(tmp_path, kind, mesh, x0, x1):
    """A scene of files."""
    tables = {
        "x0": x0,
        "x1": x1,
        "faces": mesh.faces,
        "edges": mesh.edges,
        "groups": np.arange(len(x0)) % 5,
        "radii": np.abs(x0[:, 0]) / 99,
    }
    paths = {}
    for name, table in tables.items():
        paths[name] = str(tmp_path / f"{name}.{kind}")
        if kind == "npy":
            np.save(paths[name], table)
        else:
            arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
            import pyarrow.parquet

            columns = table.reshape(len(table), -1).T
            pyarrow.parquet.write_table(
                arrow.table(list(columns), [f"c{i}" for i in range(len(columns))]), paths[name], row_group_size=50
            )
    mesh.set_groups(tables["groups"])
    mesh.set_radii(tables["radii"])
    return cd.Scene(**paths)


@pytest.mark.parametrize("kind", ["npy", "parquet"])
def test_scenes_of_files(tmp_path, kind, monkeypatch):
    monkeypatch.setattr("ccd.distributed._rows.CHUNK", 64)
    for name in ("_part", "_probe", "_sample"):
        monkeypatch.setattr(f"ccd.distributed.{name}.CHUNK", 64)
    faces, x0, x1 = sheets(14)
    mesh = ccd.Mesh(faces)
    scene = saved(tmp_path, kind, mesh, x0, x1)
    assert scene.counts == mesh.counts and len(pickle.dumps(scene)) < 4000
    whole = ccd.step.collisions(mesh, x0, x1)
    paths = cd.split(scene, cd.plan(cd.sample(scene), 7), tmp_path / "parts")
    assert cd.collisions(paths).tobytes() == whole.tobytes()
    assert cd.collisions(scene, parts=3).tobytes() == whole.tobytes()  # each worker cuts its own
    assert record(cd.earliest(scene, parts=3)) == record(ccd.step.earliest(mesh, x0, x1))


def test_edges_of_files(tmp_path):
    faces, x0, x1 = sheets(14)
    np.save(tmp_path / "faces.npy", faces)
    np.save(tmp_path / "other.npy", unique_edges(faces)[::-1])
    count = cd.write_edges(tmp_path / "faces.npy", tmp_path / "edges.npy", len(x0))
    assert np.array_equal(np.load(tmp_path / "edges.npy"), ccd.Mesh(faces).edges) and count == ccd.Mesh(faces).counts[1]
    with pytest.raises(ccd.ArgumentError, match="must be given for faces in a file"):
        cd.Scene(x0, x1, tmp_path / "faces.npy")
    with pytest.raises(ccd.ArgumentError, match="must be in the order"):
        cd.collisions(cd.Scene(x0, x1, tmp_path / "faces.npy", tmp_path / "other.npy"), parts=4)
    with pytest.raises(ccd.InvalidIndexError, match=r"faces\[0\]\[1\] is 1: out of range for 1"):
        cd.write_edges(tmp_path / "faces.npy", tmp_path / "edges.npy", 1)


def test_results_in_parquet(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    whole, report = ccd.step.collisions(mesh, x0, x1), cd.Report()
    paths = cd.collisions(mesh, x0, x1, parts=5, folder=tmp_path / "out", report=report)
    assert len(paths) == len(report.parts) == 5 and cd.read_impacts(paths).tobytes() == whole.tobytes()
    (tmp_path / "out" / "impacts-00003.parquet").unlink()  # as where the call was killed
    (tmp_path / "out" / "impacts-00003-x.tmp").touch()
    again = cd.collisions(mesh, x0, x1, parts=5, folder=tmp_path / "out", report=report)
    assert again == paths and [part["index"] for part in report.parts] == [3]
    assert cd.read_impacts(tmp_path / "out").tobytes() == whole.tobytes()
    assert cd.read_impacts(paths[2], True).tobytes() == cd.read_impacts(paths[2:3], True).tobytes() != whole.tobytes()
    near = ccd.proximity.near(mesh, x0, 0.05)
    cd.near(mesh, x0, 0.05, parts=5, folder=tmp_path / "out")  # beside the impacts
    assert cd.read_near(tmp_path / "out").tobytes() == near.tobytes() and len(near)
    pairs = cd.candidates(mesh, x0, x1)
    for one in (
        cd.read_candidates(cd.candidates(mesh, x0, x1, parts=5, folder=tmp_path / "out")),
        cd.read_candidates(tmp_path / "out"),
    ):
        assert all(np.array_equal(one[kind], pairs[kind]) and one[kind].dtype == np.int64 for kind in ccd.Kind)
    assert len(pairs) and len(list((tmp_path / "out").iterdir())) == 18
    with pytest.raises(ccd.ArgumentError, match="parquet has no column verdict"):
        cd.read_impacts(tmp_path / "out" / "near-00000.parquet")
    for name in ("none", "none.parquet"):
        with pytest.raises(ccd.FileError, match=name):
            cd.read_impacts(tmp_path / name)
    (tmp_path / "junk.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ccd.ArgumentError, match=r"junk\.parquet"):
        cd.read_near(tmp_path / "junk.parquet")


def named(records):
    return records[["toi_lo", "kind", "a", "b"]].tolist()


def refused(message, *given, read=cd.read_impacts):
    with pytest.raises(ccd.ArgumentError, match=message):
        read(*given)


def test_what_is_missing_is_not_read_as_whole(tmp_path):
    """A call that failed leaves some parts: reading them is an error, which names the others."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    whole, folder = ccd.step.collisions(mesh, x0, x1), tmp_path / "out"
    scene = cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(scene, 12)
    parts = list(divide(scene, chosen, 0.0, cd.Origin.of(scene, chosen, 0.0)))
    broken = cd.load(cd.split(scene, chosen, tmp_path / "parts")[0])
    broken.x1[0, 0] = np.nan
    with pytest.raises(ccd.NonFiniteError):  # before any file is written
        cd.collisions([broken, *parts[1:]], folder=folder)
    assert os.listdir(folder) == ["impacts.json"]
    refused(r"paths lacks part 0-11 of 12 parts; repeat the call with its folder", folder)
    assert len(cd.read_impacts(folder, partial=True)) == 0

    def stop(done):
        return done > 0.4

    with pytest.raises(ccd.Cancelled):
        cd.collisions(mesh, x0, x1, plan=chosen, folder=folder, progress=stop)
    assert not json.loads((folder / "impacts.json").read_text())["complete"]
    refused(r"paths lacks part 5-11 of 12", folder)
    some = cd.read_impacts(folder, partial=True)
    assert 0 < len(some) < len(whole) and set(named(some)) < set(named(whole))
    cd.collisions(parts[7:9], folder=folder)  # as one of several processes
    refused(r"paths lacks part 5-6, 9-11 of 12", folder)
    report = cd.Report()
    paths = cd.collisions(mesh, x0, x1, plan=chosen, folder=folder, report=report)
    assert [part["index"] for part in report.parts] == [5, 6, 9, 10, 11] and len(paths) == 12
    assert json.loads((folder / "impacts.json").read_text())["complete"]
    for given in (folder, paths, reversed(paths), iter(paths)):
        assert cd.read_impacts(given).tobytes() == whole.tobytes()
    refused(r"paths lacks part 1, 11 of 12", [paths[0], *paths[2:11]])
    refused(r"paths lacks part 0-3, 5-11 of 12", paths[4])
    refused(r"impacts-00004.parquet has the results of part 4, as has .*impacts-00004", [*paths, paths[4]])
    refused(r"impacts-00004.parquet has the results of part 4, as has", [paths[4], paths[4]], True)
    refused(r"paths is empty", [])
    os.remove(paths[6])
    refused(r"paths lacks part 6 of 12", folder)  # though the manifest says that all were there
    cd.near(mesh, x0, 0.05, plan=chosen, folder=folder)
    assert len(cd.read_near(folder)) == len(ccd.proximity.near(mesh, x0, 0.05))
    refused(r"out has no candidates.json, which a call writes first", folder, read=cd.read_candidates)
    (folder / "near.json").write_text('{"format": 1, "call": "near"}')
    refused(r"near.json is no manifest of results: 'options'", folder, read=cd.read_near)


def test_files_of_two_calls_are_not_read_together(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    scene = cd.Scene.of(mesh, x0, x1)
    calls = [
        cd.collisions(*given, folder=tmp_path / str(i), **options)
        for i, (given, options) in enumerate(
            [
                ((mesh, x0, x1), {"parts": 3}),
                ((mesh, x0, x1), {"parts": 3, "t_max": 0.5}),
                ((mesh, x0, x1 + 0.5), {"parts": 3, "plan": None}),
                ((mesh, x0, x1), {"parts": 4}),
                ((mesh, x0, x1), {"plan": cd.plan(scene, 3, pair_work=0.0)}),
                ((scene,), {"parts": 3, "min_separation": 1e-9}),
            ]
        )
    ]
    for other in calls[1:]:
        for partial in (False, True):
            refused(r"has results of another scene, plan or options than .*impacts-00000", [calls[0][0], other[1]], partial)
    shutil.copy(calls[2][1], calls[0][1])  # into the folder
    for partial in (False, True):
        refused(
            r"0.impacts-00001.parquet has results of another scene, plan or options than .*impacts.json",
            tmp_path / "0",
            partial,
        )
    with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
        cd.collisions(mesh, x0, x1, parts=3, folder=tmp_path / "0")
    plain = str(tmp_path / "plain.parquet")  # as another program writes it
    parquet.write_table(parquet.read_table(calls[0][0]).replace_schema_metadata(None), plain)
    refused(r"plain.parquet does not say of which scene and part it is", plain)
    assert cd.read_impacts(plain, partial=True).tobytes() == cd.read_impacts(calls[0][0], partial=True).tobytes()


def test_parts_without_a_plan_are_their_own_whole(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    whole, scene = ccd.step.collisions(mesh, x0, x1), cd.Scene.of(mesh, x0, x1)
    chosen = cd.plan(scene, 3)
    parts = [cd.cut(scene, region, index=5 * i) for i, region in enumerate(chosen.regions)]
    paths = cd.collisions(parts, folder=tmp_path)
    assert cd.read_impacts(tmp_path).tobytes() == whole.tobytes()
    refused(r"paths lacks part 5 of 3 parts", paths[::2])
    with pytest.raises(ccd.ArgumentError, match=r"impacts\.json has results of another scene or plan"):
        cd.collisions(parts[:2], folder=tmp_path)
    of = [cd.cut(scene, region, index=i, plan=chosen) for i, region in enumerate(chosen.regions)]
    paths = cd.collisions(of[1:], folder=tmp_path / "of a plan")
    refused(r"paths lacks part 0 of 3 parts", paths)
    cd.collisions(of[:1], folder=tmp_path / "of a plan")
    assert cd.read_impacts(tmp_path / "of a plan").tobytes() == whole.tobytes()
    with pytest.raises(ccd.ArgumentError, match="scene has parts 0 and 1 of two scenes or plans"):
        cd.collisions([parts[0], of[1]], folder=tmp_path / "new")
    for index, plan in (1, chosen), (0, 3), (3, chosen):
        with pytest.raises(ccd.ArgumentError, match="plan"):
            cd.cut(scene, chosen.regions[0], index=index, plan=plan)


def test_files_of_another_call_are_not_taken(tmp_path):
    """Impacts that a folder holds of other options, another scene, or another plan would be wrong ones."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    mesh, x0, x1 = tangle(10)
    folder = tmp_path / "out"
    paths = cd.collisions(mesh, x0, x1, parts=5, folder=folder)
    held = [pathlib.Path(path).read_bytes() for path in paths]
    with pytest.raises(ccd.ArgumentError, match="has results of other options"):
        cd.collisions(mesh, x0, x1, parts=5, folder=folder, t_max=0.5)
    moved = x1.copy()
    moved[7, 1] = np.nextafter(moved[7, 1], 9)
    other, _, _ = tangle(10)
    other.set_static(np.arange(len(x0)) == 7)
    for given in ((mesh, x0, moved), (mesh, moved, x1), (other, x0, x1)):
        with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
            cd.collisions(*given, parts=5, folder=folder)
    with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
        cd.collisions(mesh, x0, x1, parts=6, folder=folder)
    with pytest.raises(ccd.ArgumentError, match="folder: for whole scenes"):
        cd.near(cd.cut(cd.Scene.of(mesh, x0, x1), EVERYWHERE), folder=folder)
    assert cd.collisions(mesh, x0, x1, parts=5, folder=folder, threads=1) == paths
    assert [pathlib.Path(path).read_bytes() for path in paths] == held

    faces, x0, x1 = sheets(8)
    mesh = ccd.Mesh(faces)
    scene, plan = saved(tmp_path, "npy", mesh, x0, x1), cd.plan(cd.Scene.of(mesh, x0, x1), 3)
    first = cd.collisions(scene, plan=plan, folder=tmp_path / "cuts")
    assert cd.collisions(scene, plan=plan, folder=tmp_path / "cuts") == first
    np.save(scene._x[1].path, x1 + 0.5)
    with pytest.raises(ccd.ArgumentError, match="has results of another scene or plan"):
        cd.collisions(scene, plan=plan, folder=tmp_path / "cuts")
    parts = cd.split(cd.Scene.of(mesh, x0, x1), plan, tmp_path / "parts")
    cd.collisions(parts, folder=tmp_path / "of parts")
    report = cd.Report()
    held = [cd.load(path) for path in parts]  # the same parts, in memory
    assert len(cd.collisions(held[:2], folder=tmp_path / "of parts", report=report)) == 2 and not report.parts
    with pytest.raises(ccd.ArgumentError, match="scene has two parts 1"):
        cd.collisions([held[1], parts[1]], folder=tmp_path / "new")
