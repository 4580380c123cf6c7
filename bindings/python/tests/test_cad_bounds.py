"""Bounds of CAD surfaces: derivatives against rational arithmetic, deviations and chains against samples."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest

import ccd
from ccd.cad import _bounds, _splines, _turns
from ccd.cad._drive import Chains, Joint
from ccd.cad._facets import Face, Facets

# ---- derivatives in rational arithmetic: basis functions by their definition, quotients by the rule


def basis(i, p, knots, x):
    """The B-spline i of degree p and its first two derivatives at x, rational."""
    if p == 0:
        return [F(int(knots[i] <= x < knots[i + 1])), F(0), F(0)]
    out = [F(0)] * 3
    for j, sign, k in ((i, 1, i), (i + 1, -1, i + p + 1)):
        wide = knots[j + p] - knots[j]
        if wide:
            low = basis(j, p - 1, knots, x)
            share, slope = (x - knots[k]) * sign / wide, F(sign) / wide
            for d in range(3):
                out[d] += share * low[d] + (d * slope * low[d - 1] if d else 0)
    return out


def exact(u, v, degrees, knots, net):
    """The derivatives of order up to 2 of a rational surface at rational parameters, by order."""
    bu = [basis(i, degrees[0], knots[0], u) for i in range(len(net))]
    bv = [basis(j, degrees[1], knots[1], v) for j in range(len(net[0]))]
    a = {}
    for k, m in itertools.product(range(3), repeat=2):
        a[k, m] = [sum(bu[i][k] * bv[j][m] * F(net[i][j][c]) for i in range(len(bu)) for j in range(len(bv))) for c in range(4)]
    s = {(0, 0): [x / a[0, 0][3] for x in a[0, 0][:3]]}
    w = {key: x[3] for key, x in a.items()}
    for key, terms in {
        (1, 0): [((1, 0), 1, (0, 0))],
        (0, 1): [((0, 1), 1, (0, 0))],
        (2, 0): [((1, 0), 2, (1, 0)), ((2, 0), 1, (0, 0))],
        (0, 2): [((0, 1), 2, (0, 1)), ((0, 2), 1, (0, 0))],
        (1, 1): [((1, 0), 1, (0, 1)), ((0, 1), 1, (1, 0)), ((1, 1), 1, (0, 0))],
    }.items():
        s[key] = [(a[key][c] - sum(n * w[x] * s[y][c] for x, n, y in terms)) / w[0, 0] for c in range(3)]
    return s


def random_surface(rng, rational):
    degrees = rng.integers(1, 4, 2).tolist()
    knots = []
    for p in degrees:
        inner = np.sort(rng.integers(1, 16, rng.integers(0, 3))) / 16
        inner = [x for k, x in enumerate(inner) if k < 1 or x > inner[k - 1]]
        knots.append(np.array([0.0] * (p + 1) + list(inner) + [1.0] * (p + 1)))
    shape = [len(k) - p - 1 for k, p in zip(knots, degrees)]
    points = rng.normal(size=(*shape, 3)) * 10.0 ** rng.integers(-2, 3) + rng.normal(size=3) * 10.0 ** rng.integers(-2, 4)
    weights = rng.uniform(0.2, 3, shape) if rational else np.ones(shape)
    net = np.concatenate([points * weights[..., None], weights[..., None]], 2)
    return degrees, knots, net


@pytest.mark.parametrize("seed", range(24))
def test_derivatives_are_within_the_bounds(seed):
    rng = np.random.default_rng(seed)
    degrees, knots, net = random_surface(rng, seed % 3 > 0)
    axes = [_splines.Axis(p, k) for p, k in zip(degrees, knots)]
    surface = _splines.SplineSurface(*axes, net)
    surface.prepare(int(rng.integers(1, 5)), int(rng.integers(1, 5)))
    rationals = [[F(x) for x in k] for k in knots]
    tight = 0.0
    for _ in range(6):
        uv = rng.integers(0, 256, 2) / 256
        wide = rng.choice([0.0, 1e-3, 0.2])
        box = np.array([[max(0, uv[0] - wide), min(1, uv[0] + wide), max(0, uv[1] - wide), min(1, uv[1] + wide)]])
        found = surface.bounds(box)[0]
        s = exact(F(uv[0]), F(uv[1]), degrees, rationals, net)
        for k, key in enumerate([(1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]):
            square = sum(x * x for x in s[key])
            assert square <= F(found[k]) ** 2, (key, math.sqrt(square), found[k])
            tight = max(tight, math.sqrt(square) / found[k] if found[k] else 0)
        off = [F(x) - y for x, y in zip(surface.at(uv[None])[0], s[0, 0])]
        assert sum(x * x for x in off) <= F(surface.error(uv[None])) ** 2
    assert tight > 0.02  # they are bounds, not just large numbers


@pytest.mark.parametrize("seed", range(12))
def test_facets_of_free_surfaces_hold_dense_samples(seed):
    """A triangle of parameters of a random surface: no sample of it is farther than the deviation from the flat triangle."""
    rng = np.random.default_rng(100 + seed)
    degrees, knots, net = random_surface(rng, seed % 2 > 0)
    surface = _splines.SplineSurface(*(_splines.Axis(p, k) for p, k in zip(degrees, knots)), net)
    surface.prepare(4, 4)
    uv = np.clip(rng.uniform(0, 1, (1, 2)) + rng.normal(size=(3, 2)) * rng.choice([0.02, 0.1, 0.4]), 0, 1)[None]
    none = np.full((1, 3), -1)
    one = Facets([Face(surface)], np.zeros(1, int), uv, none, np.zeros((1, 3, 2)))
    for facets in (one, one.narrowed(0.3 * float(one.deviation[0])), one.narrowed(0.01 * float(one.deviation[0]))):
        worst = 0.0
        for k in rng.integers(0, len(facets), 6):
            weights = rng.dirichlet([0.5] * 3, 64)
            points = surface.at(weights @ facets.uv[k])
            off = np.linalg.norm(points - weights @ facets.points[k], axis=1)
            assert np.all(off <= facets.deviation[k])
            worst = max(worst, float(off.max()) / float(facets.deviation[k]))
        assert facets.deviation.max() <= one.deviation.max() * (1 + 1e-9)
    assert len(one.narrowed(0.01 * float(one.deviation[0]))) > 8


def kinked(rng, degree):
    """Knots that are there as often as the degree says: the derivative may jump at them."""
    inner = np.sort(rng.choice(np.arange(1, 16), 2, replace=False)) / 16
    return np.array([0.0] * (degree + 1) + np.repeat(inner, degree).tolist() + [1.0] * (degree + 1))


@pytest.mark.parametrize("seed", range(12))
def test_facets_hold_samples_beyond_kinks(seed):
    """Where a derivative jumps, Taylor's bound with the second ones does not hold: what jumps counts."""
    rng = np.random.default_rng(200 + seed)
    degrees = rng.integers(1, 4, 2).tolist()
    knots = [kinked(rng, p) for p in degrees]
    shape = [len(k) - p - 1 for k, p in zip(knots, degrees)]
    weights = rng.uniform(0.5, 2, shape) if seed % 2 else np.ones(shape)
    net = np.concatenate([rng.normal(size=(*shape, 3)) * weights[..., None], weights[..., None]], 2)
    curve = _splines.Spline(degrees[0], knots[0], net[:, 0])
    surfaces = [
        _splines.SplineSurface(*(_splines.Axis(p, k) for p, k in zip(degrees, knots)), net),
        _bounds.Extrusion(curve, np.array([0.3, 0.2, 1.0])),
        _bounds.Revolution(curve, np.array([3.0, 0, 0]), np.array([0.6, 0, 0.8])),
    ]
    for surface in surfaces:
        # Small triangles around a kink: there the jump is what counts.
        at = np.array([knots[0][degrees[0] + 1], knots[1][degrees[1] + 1]])
        at = at[::-1] if isinstance(surface, _bounds.Revolution) else at
        for size in (0.2, 0.01, 1e-4):
            uv = np.clip(at + rng.normal(size=(20, 3, 2)) * size, 0, 1)
            facets = Facets([Face(surface)], np.zeros(20, int), uv, np.full((20, 3), -1), np.zeros((20, 3, 2)))
            for k in range(20):
                share = rng.dirichlet([0.5] * 3, 64)
                off = np.linalg.norm(surface.at(share @ uv[k]) - share @ facets.points[k], axis=1)
                assert np.all(off <= facets.deviation[k])
    t = np.sort(rng.uniform(0, 1, (40, 2)), 1)
    _, second = curve.bounds(t[:, 0], t[:, 1])
    bent = 0.125 * second * (t[:, 1:] - t[:, :1]) ** 2 + curve.folds(t[:, 0], t[:, 1])
    for share in np.linspace(0, 1, 21):
        there = curve.at(t[:, 0] + share * (t[:, 1] - t[:, 0]))
        off = np.abs(there - (1 - share) * curve.at(t[:, 0]) - share * curve.at(t[:, 1]))
        assert np.all(off <= bent + 1e-12)
    assert curve.jumps.max() > 0.1


def circle_of_splines(radius, height):
    """A cylinder of four rational arcs, whose double knots are no kinks, as CAD files have it."""
    half = math.sqrt(0.5)
    ring = np.array([[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0.0]]) * radius
    weights = np.array([1, half] * 4 + [1])
    knots = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4.0])
    net = np.empty((9, 2, 4))
    for j in range(2):
        net[:, j] = np.column_stack([ring * weights[:, None], np.full(9, j * height) * weights, weights])
    return _splines.SplineSurface(_splines.Axis(2, knots), _splines.Axis(1, np.array([0, 0, 1, 1.0])), net)


def test_a_cylinder_of_splines_needs_about_as_many_facets_as_a_cylinder():
    """Height and turn do not mix: a rational patch is bounded less the affine part of each of its cells."""
    spline = circle_of_splines(5.0, 200.0)
    spline.narrow()
    plain = _bounds.Round("cylinder", _bounds.Frame(np.zeros(3), *np.eye(3)), 5.0)
    assert float(spline.jumps[0].max()) < 1e-9  # pieces meet with one derivative
    assert float(spline.limits[..., 3].max()) < 1e-6  # S_uv is 0, and lengths are 200
    counts = []
    for surface, whole in ((spline, (4.0, 1.0)), (plain, (math.tau, 200.0))):
        uv = np.array([[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1.0]]]) * whole
        two = Facets([Face(surface)], np.zeros(2, int), uv, np.full((2, 3), -1), np.zeros((2, 3, 2)))
        counts.append(len(two.narrowed(0.01)))
    assert counts[0] <= 2 * counts[1] < 4000


def test_splitting_keeps_the_area_of_parameters():
    surface = _bounds.Round("sphere", _bounds.Frame(np.zeros(3), *np.eye(3)), 2.0)
    uv = np.array([[[0.1, 0.0], [1.3, 0.2], [0.4, 1.1]]])
    one = Facets([Face(surface)], np.zeros(1, int), uv, np.full((1, 3), -1), np.zeros((1, 3, 2)))
    many = one.narrowed(1e-4)

    def area(f):
        a, b = f.uv[:, 1] - f.uv[:, 0], f.uv[:, 2] - f.uv[:, 0]
        return 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])

    assert np.all(area(many) > 0) and abs(area(many).sum() - area(one)[0]) < 1e-12
    assert many.deviation.max() <= 1e-4 and len(many) > 100


# ---- surfaces of revolution and the like, against their own samples


def elementary():
    frame = _bounds.Frame(np.array([3.0, -2, 1]), *np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0])
    arc = _bounds.Ellipse(np.array([5.0, 0, 1]), np.array([2.0, 0, 0]), np.array([0, 0, 1.5]))
    rng = np.random.default_rng(7)
    net = np.column_stack([rng.normal(size=(7, 3)) + np.array([6, 0, 0]), np.ones(7)])
    net[:, :3] *= rng.uniform(0.5, 2, (7, 1))
    net[:, 3] = rng.uniform(0.5, 2, 7)
    knots = np.array([0, 0, 0, 0, 0.3, 0.5, 0.8, 1, 1, 1, 1.0])
    spline = _splines.Spline(3, knots, net)
    axis = np.array([0.0, 0.6, 0.8])
    yield "plane", _bounds.Plane(frame), 3.0
    yield "cylinder", _bounds.Round("cylinder", frame, 2.0), 3.0
    yield "cone", _bounds.Round("cone", frame, 2.0, 0.4), 3.0
    yield "sphere", _bounds.Round("sphere", frame, 2.0), 1.5
    yield "torus", _bounds.Round("torus", frame, 3.0, 1.0), 6.0
    yield "extruded ellipse", _bounds.Extrusion(arc, np.array([0.0, 0, 1])), 3.0
    yield "extruded spline", _bounds.Extrusion(spline, np.array([0.0, 1, 0])), 1.0
    yield "turned ellipse", _bounds.Revolution(arc, np.zeros(3), axis), 3.0
    yield "turned spline", _bounds.Revolution(spline, np.zeros(3), axis), 1.0
    yield "turned hyperbola", _bounds.Revolution(_bounds.Hyperbola(arc.center, arc.x, arc.y), np.zeros(3), axis), 1.0
    yield "turned parabola", _bounds.Revolution(_bounds.Parabola(arc.center, arc.x, arc.y), np.zeros(3), axis), 2.0


@pytest.mark.parametrize("name, surface, reach", list(elementary()), ids=lambda x: x if isinstance(x, str) else "")
def test_elementary_surfaces(name, surface, reach):
    rng = np.random.default_rng(5)
    for _ in range(40):
        middle, wide = rng.uniform(0, reach, 2), rng.choice([0.01, 0.1, 0.6])
        uv = middle + rng.uniform(-wide, wide, (3, 2))
        if "spline" in name:
            uv = np.clip(uv, 0, 1)
        one = Facets([Face(surface)], np.zeros(1, int), uv[None], np.full((1, 3), -1), np.zeros((1, 3, 2)))
        weights = rng.dirichlet([0.6] * 3, 200)
        off = np.linalg.norm(surface.at(weights @ uv) - weights @ one.points[0], axis=1)
        assert off.max() <= one.deviation[0]
        # Differences of the first order are at most the bounds of first derivatives.
        b = surface.bounds(np.array([[*sorted(uv[:2, 0]), *sorted(uv[:2, 1])]]))[0]
        step = np.linalg.norm(np.diff(surface.at(uv[:2]), axis=0)[0])
        assert step <= b[0] * abs(uv[0, 0] - uv[1, 0]) + b[1] * abs(uv[0, 1] - uv[1, 1]) + 2 * surface.error(uv)


@pytest.mark.parametrize("seed", range(6))
def test_periodic_axes_go_round(seed):
    rng = np.random.default_rng(seed)
    knots = np.array([0.0] * 3 + list(range(1, 8)) + [8.0] * 3)
    angles = np.arange(10) * 2 * np.pi / 9
    net = np.column_stack([np.cos(angles), np.sin(angles), 0.1 * rng.normal(size=10), np.ones(10)])
    net[-1] = net[0]
    curve = _splines.Spline(2, knots, net, 8.0)
    t = rng.uniform(-8, 16, 200)
    first, second = curve.bounds(t, t + 0.3)
    for share in (0.0, 0.4, 1.0):
        here = curve.axis.inside(t + 0.3 * share)
        inner = curve.bounds(here, here)
        assert np.all(first >= inner[0] * 0.999999) and np.all(second >= inner[1] * 0.999999)
    assert np.allclose(curve.at(t), curve.at(t + 8), atol=1e-9)


# ---- chains of joints


@pytest.mark.parametrize("seed", range(6))
def test_screws_stay_within_the_padding_of_a_chain(seed):
    pytest.importorskip("OCP.BRepPrimAPI", reason="Open CASCADE (cadquery-ocp-novtk) is not there")
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox

    rng = np.random.default_rng(seed)
    assembly = ccd.cad.Assembly.of({"arm": BRepPrimAPI_MakeBox(1, 2, 3).Shape(), "base": BRepPrimAPI_MakeBox(1, 1, 1).Shape()})
    kinds = rng.choice(["revolute", "prismatic", "screw"], 3)
    joints = [
        Joint(
            f"j{k}",
            kind,
            ["arm"] if k == 2 else [],
            rng.normal(size=3),
            rng.normal(size=3) * 3,
            f"j{k - 1}" if k else None,
            0.7,
        )
        for k, kind in enumerate(kinds)
    ]
    values = {f"j{k}": np.cumsum(rng.uniform(-1.5, 1.5, 3)) for k in range(3)}
    drive = ccd.cad.by_joints(assembly, joints, [0, 1, 2.5], values)
    corners = np.array(list(itertools.product([0, 1], [0, 2], [0, 3])), float)
    padding = 0.01
    pieces, worst = drive._pieces(padding), 0.0
    assert pieces[0].t0 == 0 and pieces[-1].t1 == 2.5
    for before, after in itertools.pairwise(pieces):
        assert before.t1 == after.t0
    for piece in pieces:
        assert piece.padding[0] <= padding * 1.0001 and piece.padding[1] == 0
        for share in (0.0, 0.3, 0.5, 1.0):
            t = piece.t1 - piece.t0
            there = piece.motions[0].at(share * t, corners)
            m = drive.at(piece.t0 + share * t)[0]
            off = np.linalg.norm(there - (corners @ m[:3, :3].T + m[:3, 3]), axis=1).max()
            assert off <= piece.padding[0] + 1e-9
            worst = max(worst, off)
    if sum(k != "prismatic" for k in kinds) > 1:
        assert worst > 1e-6  # the padding is needed


def test_screws_between_displacements():
    rng = np.random.default_rng(3)
    for angle in (0.0, 1e-9, 1e-4, 0.5, 3.0, math.pi - 1e-9):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        start = _turns.about(rng.normal(size=3), np.array([0.0, 0, 1]), 0.4, 1.0)
        end = _turns.about(np.array([1.0, 2, 3]), axis, angle, 0.7) @ start
        assert np.allclose(_turns.part_way(start, end, 0.0), start) and np.allclose(
            _turns.part_way(start, end, 1.0), end, atol=1e-7
        )
        half = _turns.part_way(start, end, 0.5)
        if angle > 1e-3:
            assert np.allclose(half, _turns.about(np.array([1.0, 2, 3]), axis, 0.5 * angle, 0.35) @ start, atol=1e-6)


def test_chains_refuse_what_is_no_chain():
    pytest.importorskip("OCP.BRepPrimAPI", reason="Open CASCADE (cadquery-ocp-novtk) is not there")
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox

    box = ccd.cad.Assembly.of({"a": BRepPrimAPI_MakeBox(1, 1, 1).Shape()})
    for joints, text in (
        ([Joint("x", "ball", ["a"], (0, 0, 1))], r"joints\[0\].kind is 'ball'"),
        ([Joint("x", "revolute", ["a"], (0, 0, 0))], "axis not 0"),
        ([Joint("x", "revolute", ["b"], (0, 0, 1))], "part 'b'"),
        ([Joint("x", "revolute", ["a"], (0, 0, 1)), Joint("x", "revolute", [], (0, 0, 1))], "one name"),
        ([Joint("x", "revolute", ["a"], (0, 0, 1), parent="y")], "no such joint"),
        ([Joint("x", "revolute", [], (0, 0, 1), parent="y"), Joint("y", "revolute", [], (0, 0, 1), parent="x")], "circle"),
        ([Joint("x", "revolute", ["a"], (0, 0, 1)), Joint("y", "revolute", ["a"], (0, 0, 1))], "on joint 'x' too"),
    ):
        with pytest.raises(ccd.ArgumentError, match=text):
            Chains(box, joints)


def test_directions_across_sides_are_those_one_by_one():
    """Facets that directions across two sides tell apart: all directions at once, and each for itself."""
    from ccd.cad import _meeting

    rng = np.random.default_rng(5)
    sides = []
    for n in (30, 40):
        corners = rng.uniform(-0.5, 0.5, (n, 1, 3)) + rng.uniform(-0.5, 0.5, (n, 3, 3))
        corners[0, 2] = corners[0, 1]  # a side without length
        none = np.zeros((n, 3))
        sides.append(_meeting.Placed(corners, none, rng.uniform(0, 0.05, n), none, none))
    a, b = sides
    i, j = (x.ravel() for x in np.meshgrid(np.arange(30), np.arange(40)))
    found = _meeting.across(a, i, b, j)
    wanted = []
    for x, y, more in zip(a.corners[i], b.corners[j], a.more[i] + b.more[j]):
        ways = [np.cross(x[k] - x[k - 1], y[m] - y[m - 1]) for k in range(3) for m in range(3)]
        ways = [w / max(np.linalg.norm(w), 1e-300) for w in ways]
        off = max(max((y @ w).min() - (x @ w).max(), (x @ w).min() - (y @ w).max()) for w in ways)
        wanted.append(off <= more)
    assert found.tolist() == wanted and 50 < sum(wanted) < len(wanted) - 50
    few = _meeting._CHUNK
    try:
        _meeting._CHUNK = 64 * 7  # seven pairs at a time
        assert _meeting.across(a, i, b, j).tolist() == wanted
    finally:
        _meeting._CHUNK = few
