"""NonlinearCCD of ccd.compat.ipctk: against dense sampling, beside the real ipctk, and what it does with wrong callbacks."""

import gc
import math
import weakref
from fractions import Fraction

import numpy as np
import pytest

import ccd
import ccd.compat.own as ours
from ccd.compat import _distance, _nonlinear
from ccd.impact import Kind

METHODS = {
    Kind.VERTEX_FACE: "point_triangle_ccd",
    Kind.EDGE_EDGE: "edge_edge_ccd",
    Kind.POINT_EDGE: "point_edge_ccd",
    Kind.POINT_POINT: "point_point_ccd",
}


def positions(p, axis_point, w, v, t):
    """Points (n, 3) that turn about a line parallel to z and slide, at many times: (m, n, 3)."""
    d, angle = p - axis_point, w * np.asarray(t)[:, None]
    c, s = np.cos(angle), np.sin(angle)
    x = np.stack([c * d[:, 0] - s * d[:, 1], s * d[:, 0] + c * d[:, 1], d[:, 2] + 0 * c], axis=2)
    return x + axis_point + np.asarray(t)[:, None, None] * v


def turning(base, enclosed=False):
    """A class of trajectories that turn, derived from ours or from the real ipctk's."""

    class Turning(base):
        def __init__(self, p, axis_point=(0, 0, 0), w=0.0, v=(0, 0, 0)):
            base.__init__(self)
            self.p, self.c, self.w, self.v = np.array(p, float), np.array(axis_point, float), w, np.array(v, float)
            self.r = math.hypot(*(self.p - self.c)[:2])
            self.calls = 0

        def __call__(self, t):
            self.calls += 1
            d, c, s = self.p - self.c, math.cos(self.w * t), math.sin(self.w * t)
            return np.array([c * d[0] - s * d[1], s * d[0] + c * d[1], d[2]]) + self.c + t * self.v

        def velocity(self, t):
            d, c, s = self.p - self.c, math.cos(self.w * t), math.sin(self.w * t)
            return self.w * np.array([-s * d[0] - c * d[1], c * d[0] - s * d[1], 0]) + self.v

        def max_distance_from_linear(self, t0, t1):
            return min(self.r * (self.w * (t1 - t0)) ** 2 / 8, 2 * self.r)

        def hermite(self, t0, t1):
            h, x0, x1 = t1 - t0, self(t0), self(t1)
            control = [x0, x0 + h / 3 * self.velocity(t0), x1 - h / 3 * self.velocity(t1), x1]
            return control, self.r * (self.w * h) ** 4 / 384 + 1e-14

    if enclosed:
        Turning.enclosure = Turning.hermite
    return Turning


def plate(make, y):
    """A triangle that rests, across the plane of height y."""
    return [make(x) for x in ((-2, y, -1), (2, y, -1), (0, y, 2))]


def bodies(kind, rng, make):
    """Two bodies, each with a turn and a velocity of its own; trajectories, and a function of many times.

    In every second case the middle of the second body is brought to that of the first at some time.
    """
    first = 2 if kind == Kind.EDGE_EDGE else 1
    sizes = [first, kind.points - first]
    given = [[rng.uniform(-1, 1, (n, 3)), rng.uniform(-1, 1, 3), rng.uniform(-4, 4), rng.uniform(-1, 1, 3)] for n in sizes]
    if rng.uniform() < 0.5:
        meet = [rng.uniform(0.2, 0.9)]
        middle = [positions(*one, meet)[0].mean(axis=0) for one in given]
        given[0][:2] = [x + middle[1] - middle[0] for x in given[0][:2]]
    paths = [make(p, c, w, v) for ps, c, w, v in given for p in ps]
    return paths, lambda t: np.concatenate([positions(p, c, w, v, t) for p, c, w, v in given], axis=1)


def first_crossing(kind, x):
    """Index of the sample after which the primitives first pass through each other, by signs alone."""
    volume = np.linalg.det(x[:, 1:] - x[:, :1])
    for i in np.flatnonzero(np.diff(np.sign(volume))):
        p = x[i]
        if kind == Kind.VERTEX_FACE:
            u, v, w = p[2] - p[1], p[3] - p[1], p[0] - p[1]
            b = np.linalg.lstsq(np.stack([u, v], axis=1), w, rcond=None)[0]
            inside = b.min() > 1e-2 and b.sum() < 1 - 1e-2
        else:
            b = np.linalg.lstsq(np.stack([p[1] - p[0], p[2] - p[3]], axis=1), p[2] - p[0], rcond=None)[0]
            inside = b.min() > 1e-2 and b.max() < 1 - 1e-2
        if inside:
            return i
    return None


@pytest.mark.parametrize("speed, contact", [(2.0, 0.5), (2.5, 0.4), (1.0, 1.0)])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-9])
def test_a_straight_path_keeps_the_tolerance(speed, contact, tolerance):
    """As ipctk's does (0.49999952 for 0.5 at the speed 2 with its default, 1e-6): a gap between it and twice of it."""

    class Straight(ours.NonlinearTrajectory):
        def __init__(self, x, v=0.0):
            super().__init__()
            self.x, self.v = np.array(x), v

        def __call__(self, t):
            return self.x - [0, 0, self.v * t]

        def max_distance_from_linear(self, t0, t1):
            return 0.0

    plate = [Straight([-1.0, -1, 0]), Straight([2.0, -1, 0]), Straight([-1.0, 2, 0])]
    hit, toi = ours.NonlinearCCD(tolerance).point_triangle_ccd(Straight([0.25, 0.25, 1.0], speed), *plate)
    assert hit and tolerance * (1 - 1e-6) <= (contact - toi) * speed <= 2 * tolerance


@pytest.mark.parametrize("enclosed", [False, True])
@pytest.mark.parametrize("kind", [Kind.VERTEX_FACE, Kind.EDGE_EDGE])
def test_turning_bodies_against_samples(kind, enclosed):
    """No crossing is missed, none is reported late, and with the rescaling 1 the distance at the time is what is stated."""
    rng, make = np.random.default_rng(7), turning(ours.NonlinearTrajectory, enclosed)
    exact, gapped = ours.NonlinearCCD(1e-9, conservative_rescaling=1), ours.NonlinearCCD()
    t, crossings = np.linspace(0, 1, 2001), 0
    for _ in range(60):
        paths, at = bodies(kind, rng, make)
        x = at(t)
        q = np.concatenate([x, x], axis=1)
        distances = _distance.initial(kind, q)
        crossed = first_crossing(kind, x)
        for solver, left in ((exact, 0.0), (gapped, min(0.2 * distances[0], 1e-6))):
            hit, toi = getattr(solver, METHODS[kind])(*paths)
            assert crossed is None or (hit and toi <= t[crossed + 1])
            before = distances[t <= toi]
            assert before.min() >= left - 1e-12
            if hit:
                end = _distance.initial(kind, np.concatenate([at([toi])] * 2, axis=1))[0]
                assert end <= left + solver.tolerance + 1e-12
        crossings += crossed is not None
    assert crossings > 10


@pytest.mark.parametrize("kind", [Kind.POINT_EDGE, Kind.POINT_POINT])
def test_codimensional_pairs_against_samples(kind):
    """Points and edges meet within a distance: the time is that of the distance, and not before."""
    rng, make = np.random.default_rng(8), turning(ours.NonlinearTrajectory)
    solver, t, hits = ours.NonlinearCCD(1e-7, conservative_rescaling=1), np.linspace(0, 1, 2001), 0
    for _ in range(60):
        paths, at = bodies(kind, rng, make)
        x = at(t)
        distances = _distance.initial(kind, np.concatenate([x, x], axis=1))
        hit, toi = getattr(solver, METHODS[kind])(*paths, min_distance=0.3)
        near = np.flatnonzero(distances <= 0.3)
        assert hit or not len(near)
        assert not len(near) or toi <= t[near[0]]
        if hit:
            end = _distance.initial(kind, np.concatenate([at([toi])] * 2, axis=1))[0]
            assert end <= 0.3 + 1e-7 + 1e-12 and (toi == 0 or end >= 0.3 - 1e-12)
        hits += hit
    assert 5 < hits < 60


def test_known_times():
    """A point on a circle meets a plate after a third of the step; arcs pass or dip by little."""
    for enclosed in (False, True):
        make = turning(ours.NonlinearTrajectory, enclosed)
        exact = ours.NonlinearCCD(1e-9, conservative_rescaling=1)
        hit, toi = exact.point_triangle_ccd(make((1, 0, 0), w=math.pi / 2), *plate(make, 0.5))
        assert hit and 0 <= 1 / 3 - toi < 1e-8
        for gap in (1e-2, 1e-4, 1e-6, 1e-8):
            half = make((1, 0, 0), w=math.pi)
            assert exact.point_triangle_ccd(half, *plate(make, 1 + gap)) == (False, math.inf)
            hit, toi = exact.point_triangle_ccd(half, *plate(make, 1 - gap))
            true = math.asin(1 - gap) / math.pi
            assert hit and toi <= true and true - toi < 2e-6
        screw = make((1, 0, 0.1), w=20 * math.pi, v=(0, 0, 1))
        ground = [make(x) for x in ((-3, -3, 1), (3, -3, 1), (0, 3, 1))]
        hit, toi = exact.point_triangle_ccd(screw, *ground)
        assert hit and 0 <= 0.9 - toi < 1e-8
        assert exact.point_triangle_ccd(screw, *ground, tmax=0.8999) == (False, math.inf)


class Counted(ours.NonlinearTrajectory):
    """A trajectory that counts how many bounds of another one are asked for."""

    def __init__(self, path, enclosed):
        super().__init__()
        self.path, self.bounds = path, 0
        if enclosed:
            self.enclosure = self._enclosure

    def __call__(self, t):
        return self.path(t)

    def max_distance_from_linear(self, t0, t1):
        self.bounds += 1
        return self.path.max_distance_from_linear(t0, t1)

    def _enclosure(self, t0, t1):
        self.bounds += 1
        return self.path.hermite(t0, t1)


def test_an_enclosure_takes_fewer_pieces():
    """A point turns 1e-6 above a plate: cubics are within 1e-6 of a circle for a 45th of a turn, chords for a 2,200th."""
    make, bounds = turning(ours.NonlinearTrajectory), []
    ground = [make(x) for x in ((-3, -3, 0), (3, -3, 0), (0, 3, 0))]
    for enclosed in (False, True):
        point = Counted(make((1, 0, 1e-6), w=math.pi), enclosed)
        solver = ours.NonlinearCCD(1e-8, conservative_rescaling=1)
        assert solver.point_triangle_ccd(point, *ground) == (False, math.inf)
        bounds.append(point.bounds)
    assert 1000 < bounds[0] < 5000 and 20 < bounds[1] < 130


class Bow(ours.NonlinearTrajectory):
    """A parabola that bulges towards its mirror image. Its deviation is exact."""

    d0, d1, b = 0.01845, 0.0135, 0.009

    def __init__(self, sign):
        super().__init__()
        self.sign = sign

    def __call__(self, t):
        return self.sign * np.array([0.0, -(self.d0 + (self.d1 - self.d0) * t) / 2 + 4 * self.b * t * (1 - t), 0.0])

    def max_distance_from_linear(self, t0, t1):
        return self.b * (t1 - t0) ** 2


def bow_contact():
    """The time at which the two parabolas meet, from the quadratic."""
    a, b, c = 8 * Bow.b, Bow.d1 - Bow.d0 - 8 * Bow.b, Bow.d0
    return (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)


def test_deviations_add_up():
    """Two parabolas that bulge towards each other: each chord's deviation alone would miss their contact at 0.363."""
    true = bow_contact()
    assert round(true, 3) == 0.363
    for rescaling in (0.8, 1.0):
        hit, toi = ours.NonlinearCCD(conservative_rescaling=rescaling).point_point_ccd(Bow(1), Bow(-1))
        assert hit and true - 0.01 < toi <= true


def test_ipctk_is_late_for_that_contact(real):
    """The release that this is measured against: if this fails, the pages that say so are to be changed."""

    class Theirs(real.NonlinearTrajectory):
        def __init__(self, sign):
            real.NonlinearTrajectory.__init__(self)
            self.sign = sign

        __call__, max_distance_from_linear = Bow.__call__, Bow.max_distance_from_linear
        d0, d1, b = Bow.d0, Bow.d1, Bow.b

    p, q = Theirs(1), Theirs(-1)
    hit, toi = real.NonlinearCCD().point_point_ccd(p, q)
    assert hit and toi > bow_contact() + 0.03
    assert not real.NonlinearCCD(conservative_rescaling=0.5).point_point_ccd(p, q)[0]
    hit, toi = ours.NonlinearCCD(conservative_rescaling=0.5).point_point_ccd(p, q)  # trajectories of the real ipctk are taken
    assert hit and toi <= bow_contact()


@pytest.mark.parametrize("kind", [Kind.VERTEX_FACE, Kind.EDGE_EDGE])
def test_turning_bodies_beside_ipctk(real, kind):
    """Where both report a contact that samples show, neither is late and ours is at most a little earlier than theirs."""
    rng, make = np.random.default_rng(9), turning(real.NonlinearTrajectory)
    t, both, false = np.linspace(0, 1, 2001), 0, 0
    for _ in range(60):
        paths, at = bodies(kind, rng, make)
        crossed = first_crossing(kind, at(t))
        theirs = getattr(real.NonlinearCCD(max_iterations=10_000), METHODS[kind])(*paths)
        mine = getattr(ours.NonlinearCCD(), METHODS[kind])(*paths)
        if crossed is not None:
            assert theirs[0] and mine[0] and max(theirs[1], mine[1]) <= t[crossed + 1]
            both += 1
        elif theirs[0] and not mine[0]:
            false += 1
        assert theirs[0] or not mine[0]  # a hit of ours alone would be a contact that they miss: there is none here
    assert both > 5 and false > 0


def test_distance_at_the_start():
    make, solver = turning(ours.NonlinearTrajectory), ours.NonlinearCCD()
    p, q = make((0, 0, 0)), make((1, 0, 0))
    assert solver.point_point_ccd(p, q) == (False, math.inf)
    assert solver.point_point_ccd(p, q, min_distance=1.0) == (True, 0.0)
    assert solver.point_point_ccd(p, q, min_distance=0.999) == (False, math.inf)  # apart throughout
    near, leaving = make((1e-7, 0, 0)), make((1e-7, 0, 0), v=(1, 0, 0))
    assert solver.point_point_ccd(p, near) == (False, math.inf)
    assert solver.point_point_ccd(p, leaving) == (False, math.inf)
    hit, toi = solver.point_point_ccd(p, make((1e-7, 0, 0), v=(-1, 0, 0)))
    assert hit and 0 < toi < 1e-7
    assert solver.point_point_ccd(p, make((1, 0, 0), v=(-2, 0, 0)), tmax=0.0) == (False, math.inf)


def test_in_the_plane():
    class Flat(ours.NonlinearTrajectory):
        def __init__(self, x, fall=0.0):
            super().__init__()
            self.x, self.fall = np.array(x, float), fall

        def __call__(self, t):
            return self.x - [0, self.fall * t * t]

        def max_distance_from_linear(self, t0, t1):
            return self.fall * (t1 - t0) ** 2 / 4

    hit, toi = ours.NonlinearCCD(1e-9, conservative_rescaling=1).point_edge_ccd(
        Flat((0.5, 1), fall=4), Flat((0, 0)), Flat((1, 0))
    )
    assert hit and 0 <= 0.5 - toi < 1e-8
    hit, toi = ours.NonlinearCCD(1e-9, conservative_rescaling=1).point_point_ccd(Flat((0, 1), fall=4), Flat((0, 0)))
    assert hit and 0 <= 0.5 - toi < 1e-8
    with pytest.raises(ccd.ArgumentError, match="2 coordinates: must have 3"):
        ours.NonlinearCCD().edge_edge_ccd(*[Flat((i, i)) for i in range(4)])


def test_a_bound_that_does_not_fall_ends():
    """Such a pair is a hit at a proven time, and the call returns."""

    class Fuzzy(ours.NonlinearTrajectory):
        def __call__(self, t):
            return [0, 0, 1 - t]

        def max_distance_from_linear(self, t0, t1):
            return 0.25

    make = turning(ours.NonlinearTrajectory)
    hit, toi = ours.NonlinearCCD().point_triangle_ccd(Fuzzy(), *[make(x) for x in ((-1, -1, 0), (2, -1, 0), (0, 2, 0))])
    assert hit and 0.74 < toi <= 0.75

    class Unknown(Fuzzy):
        def max_distance_from_linear(self, t0, t1):
            return math.inf

    assert ours.NonlinearCCD().point_point_ccd(Unknown(), make((0, 0, 0))) == (True, 0.0)

    class Rough(Fuzzy):  # falls with the root alone: millions of pieces
        def __call__(self, t):
            return [0, 0, 0.0005]

        def max_distance_from_linear(self, t0, t1):
            return math.sqrt(t1 - t0)

    hit, toi = ours.NonlinearCCD(max_iterations=2000).point_point_ccd(Rough(), make((0, 0, 0)))
    assert hit and 0 < toi < 0.01


def test_elevation_is_enclosed():
    """More control points of one path, in rational arithmetic: they are off by less than the radius says."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        k, degree = sorted(rng.integers(1, 6, 2))
        control = rng.uniform(-1, 1, (k + 1, 3)) * 10.0 ** rng.integers(-8, 8)
        raised, radius = _nonlinear._elevated(control, degree)
        exact = [[Fraction(x) for x in row] for row in control]
        while len(exact) <= degree:
            n = len(exact)
            exact = [
                [
                    Fraction(i, n) * (exact[i - 1][c] if i else 0) + Fraction(n - i, n) * (exact[i][c] if i < n else 0)
                    for c in range(3)
                ]
                for i in range(n + 1)
            ]
        for row, want in zip(raised, exact):
            assert sum((Fraction(a) - b) ** 2 for a, b in zip(row, want)) <= Fraction(radius) ** 2
        assert radius == 0 or radius < 1e-14 * np.abs(control).max()


def test_chords_and_curves_together():
    """One point with an enclosure, others with chords: degrees differ."""
    curve, chord = turning(ours.NonlinearTrajectory, True), turning(ours.NonlinearTrajectory)
    solver = ours.NonlinearCCD(1e-9, conservative_rescaling=1)
    hit, toi = solver.point_triangle_ccd(curve((1, 0, 0), w=math.pi / 2), *plate(chord, 0.5))
    assert hit and 0 <= 1 / 3 - toi < 1e-8
    hit, toi = solver.point_triangle_ccd(chord((1, 0, 0), w=math.pi / 2), *plate(curve, 0.5))
    assert hit and 0 <= 1 / 3 - toi < 1e-8


class Given(ours.NonlinearTrajectory):
    """A trajectory whose callbacks return what they are given."""

    def __init__(self, x=(0, 0, 1), bound=0.0):
        super().__init__()
        self.x, self.bound = x, bound

    def __call__(self, t):
        return self.x

    def max_distance_from_linear(self, t0, t1):
        return self.bound


@pytest.mark.parametrize(
    "path, error, words",
    [
        (Given((0, 0, math.nan)), ccd.NonFiniteError, r"p0\(0.0\)\[2\] is nan"),
        (Given((0, 1e200, 0)), ccd.NonFiniteError, r"p0\(0.0\)\[1\] is 1e\+200"),
        (Given((0, 0, 0, 1)), TypeError, r"p0\(0.0\) returned an array of shape \(4,\)"),
        (Given((0, 1)), TypeError, r"sizes \[2, 3\]"),
        (Given("here"), TypeError, r"p0\(0.0\)"),
        (Given(None), TypeError, r"p0\(0.0\)"),
        (Given(bound=math.nan), ccd.NonFiniteError, r"p0.max_distance_from_linear\(0.0, 1.0\) returned the bound nan"),
        (Given(bound=-1e-9), ccd.ArgumentError, r"p0.max_distance_from_linear\(0.0, 1.0\) returned the bound -1e-09"),
        (Given(bound="far"), TypeError, r"p0.max_distance_from_linear\(0.0, 1.0\) returned 'far'"),
        (Given(bound=None), TypeError, "returned None: the bound must be a number"),
        (ours.NonlinearTrajectory(), RuntimeError, "has no __call__"),
        ([0, 0, 1], TypeError, "p0 is list: must be a NonlinearTrajectory"),
        (None, TypeError, "p0 is NoneType"),
    ],
)
def test_wrong_callbacks(path, error, words):
    with pytest.raises(error, match=words) as caught:
        ours.NonlinearCCD().point_point_ccd(path, Given((0, 0, 0)))
    assert isinstance(caught.value, ccd.Error)


@pytest.mark.parametrize(
    "got, error, words",
    [
        (None, TypeError, r"p0.enclosure\(0.0, 1.0\) returned NoneType: must return \(control, radius\)"),
        (([[0, 0, 1]], 0.0), TypeError, r"shape \(1, 3\)"),
        ((np.zeros((7, 3)), 0.0), TypeError, r"shape \(7, 3\)"),
        (([[0, 0, 1], [0, 0, math.inf]], 0.0), ccd.NonFiniteError, r"p0.enclosure\(0.0, 1.0\)\[1\]\[2\] is inf"),
        (([[0, 0, 1], [0, 0, 1]], -1), ccd.ArgumentError, "bound -1"),
        (([[0, 0, 1], [0, 0, 1]], math.nan), ccd.NonFiniteError, "bound nan"),
    ],
)
def test_wrong_enclosures(got, error, words):
    class Enclosed(Given):
        def enclosure(self, t0, t1):
            return got

    with pytest.raises(error, match=words):
        ours.NonlinearCCD().point_point_ccd(Enclosed(), Given((0, 0, 0)))


def test_wrong_numbers():
    solver, paths = ours.NonlinearCCD(), (Given(), Given((0, 0, 0)))
    for words, named in {
        "min_distance is -1.0": {"min_distance": -1},
        "min_distance is nan": {"min_distance": math.nan},
        "tmax is 2.0": {"tmax": 2},
        "tmax is 'x'": {"tmax": "x"},
    }.items():
        with pytest.raises(TypeError, match=words):
            solver.point_point_ccd(*paths, **named)
    for words, named in {
        "tolerance is nan": {"tolerance": math.nan},
        "rescaling is 2": {"conservative_rescaling": 2.0},
    }.items():
        with pytest.raises(TypeError, match=words):
            ours.NonlinearCCD(**named).point_point_ccd(*paths)


def test_what_a_callback_raises_comes_out_and_nothing_is_kept():
    class Enough(Exception):
        pass

    class Breaks(Given):
        def __call__(self, t):
            if t > 0:
                raise Enough
            return super().__call__(t)

    gc.disable()
    try:
        path = Breaks()
        with pytest.raises(Enough):
            ours.NonlinearCCD().point_point_ccd(path, Given((0, 0, 0)))
        known = weakref.ref(path)
        del path
        assert known() is None  # nothing was collected: there is no circle
        path = Given()
        ours.NonlinearCCD().point_point_ccd(path, Given((0, 0, 0)))
        known = weakref.ref(path)
        del path
        assert known() is None
    finally:
        gc.enable()


def test_your_own_linear_ccd():
    """The static method, with a linear CCD that returns a bool, or a part of the piece too."""

    def distance(t):
        return abs(Bow(1)(t) - Bow(-1)(t))[1]

    def deviation(t0, t1):
        return 2 * Bow.b * (t1 - t0) ** 2

    def linear(t0, t1, min_distance, no_zero_toi, toi):
        q = np.concatenate([[Bow(s)(t) for s in (1, -1)] for t in (t0, t1)])
        found = ccd.pair.point_point(q, min_separation=min_distance)
        return (True, found.toi_lo) if found.contact else (False, 0.0)

    search = ours.NonlinearCCD.conservative_piecewise_linear_ccd
    true = bow_contact()
    for callback in (linear, lambda *given: linear(*given)[0]):
        hit, toi = search(distance, deviation, callback)
        assert hit and 0 < toi <= true
    assert true - search(distance, deviation, linear)[1] < 0.05
    assert search(distance, deviation, linear, tmax=0.3) == (False, math.inf)
    assert search(distance, deviation, linear, min_distance=0.02) == (True, 0.0)
    with pytest.raises(ccd.NonFiniteError, match=r"distance\(0.0\) returned the bound nan"):
        search(lambda t: math.nan, deviation, linear)
