"""ccd.distributed: the results of all parts together have the bits of one call, however a scene is divided."""

import functools
import pickle

import numpy as np
import pytest
from conftest import longer, sheets
from tangles import COUNTS, all_filters, excluded, groups, radii, record, static, tangle

import ccd
import ccd.distributed as cd
from ccd.distributed._part import divide
from ccd.distributed._region import EVERYWHERE, separations, two_sum, within
from ccd.distributed._scene import components, unique_edges


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


@pytest.mark.parametrize("name", longer(OPTIONS, "all"))
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


@pytest.mark.parametrize("norm", longer(["euclidean", "max"], "euclidean"))
@pytest.mark.parametrize("name", longer(SHAPES, "plane, on a grid"))
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
    far = cd.plan(cd.Scene(x0 + 100, x0 + 100.5, mesh.faces), 7)  # a plan of another scene: all parts but one or two are empty
    assert cd.collisions(mesh, x0, x1, plan=far).tobytes() == ccd.step.collisions(mesh, x0, x1).tobytes()


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
    points[: len(cuts)] = np.array(cuts)[:, None]  # points on the cuts
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


def test_sums_are_exact_near_both_ends_of_the_doubles():
    """Where no sum is infinite and no second term the largest double; there the error is NaN, never another number."""
    from fractions import Fraction

    rng = np.random.default_rng(54)
    a = np.ldexp(rng.uniform(-2, 2, 4000), rng.integers(-1075, 1022, 4000))
    b = np.where(
        rng.random(4000) < 0.5,
        a * rng.uniform(-2, 2, 4000),
        np.ldexp(rng.uniform(-2, 2, 4000), rng.integers(-1075, 1022, 4000)),
    )
    for x, y, s, e in zip(a, b, *two_sum(a, b)):
        assert Fraction(float(x)) + Fraction(float(y)) == Fraction(float(s)) + Fraction(float(e))
    most = np.finfo(float).max
    with np.errstate(all="ignore"):
        assert np.isnan(two_sum(np.float64(-3 * 2.0**970), most)[1]) and np.isnan(two_sum(np.float64(most), most)[1])
    tiny = 2.0**-1074
    assert separations(tiny, 2.0**-1022, 3 * tiny) == 2.0**-1022 + 4 * tiny


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


def test_statistics_are_summed():
    mesh, x0, x1 = tangle(8)
    stats, report, seen = ccd.Stats(), cd.Report(), []
    hits = cd.collisions(mesh, x0, x1, parts=5, stats=stats, report=report, progress=lambda done: seen.append(done))
    assert seen == [0.2, 0.4, 0.6, 0.8, 1.0] and [part["index"] for part in report.parts] == [0, 1, 2, 3, 4]
    assert stats == report.stats and stats.impacts >= len(hits) and stats.boxes > sum(mesh.counts)
    assert sum(part["candidates"] for part in report.parts) == sum(stats.candidates.values())
    assert report.seconds > 0 and report.lost == 0 and report.balance >= 1
