"""Closed chains: joints that follow, with proven radii, compared with closed formulas in 60 digits."""

import dataclasses
import math
import pathlib
from decimal import Decimal, localcontext

import numpy as np
import pytest

import ccd
from ccd.robot import Coupling, JointModel, Loop, Path, Shape, close

moving = JointModel.moving
ALONG = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
CRANK, COUPLER, ROCKER, BASE = 1.0, 3.25, 2.75, 3.0


def four_bar(shapes=None, rocker=ROCKER):
    joints = [
        moving("crank", "continuous", 0, 1, source=0),
        moving("coupler", "continuous", 1, 2, source=1, position=[CRANK, 0, 0]),
        moving("rocker", "continuous", 0, 3, source=2, position=[BASE, 0, 0]),
    ]
    robot = ccd.robot.Robot(
        "four-bar", ["base", "crank", "coupler", "rocker"], shapes or [[]] * 4, joints, ["crank", "coupler", "rocker"]
    )
    return robot, [Loop.pin("coupler", [COUPLER, 0, 0], "rocker", [rocker, 0, 0])]


def sincos(x):
    """The sine and cosine of a decimal, by Taylor's series of a small part of it."""
    small = x / 4096
    sin, cos, term = Decimal(0), Decimal(0), Decimal(1)
    for n in range(60):
        if n % 2 == 0:
            cos += term if n % 4 == 0 else -term
        else:
            sin += term if n % 4 == 1 else -term
        term = term * small / (n + 1)
    for _ in range(12):
        sin, cos = 2 * sin * cos, cos * cos - sin * sin
    return sin, cos


def on(path, edge, s):
    """The values of a path at s, exact but for 60 digits."""
    n, x = path.degree, Decimal(s)
    weights = [math.comb(n, i) * x**i * (1 - x) ** (n - i) for i in range(n + 1)]
    return [sum((w * Decimal(float(c)) for w, c in zip(weights, row)), Decimal(0)) for row in path.control[edge].T]


def exact_four_bar(crank):
    """The directions (sine, cosine) of coupler and rocker in the base's coordinates: where two circles meet."""
    sin, cos = sincos(crank)
    a, b, r, d = map(Decimal, (CRANK, COUPLER, ROCKER, BASE))
    ax, ay = a * cos, a * sin
    ex, ey = ax - d, ay
    f = (ex * ex + ey * ey).sqrt()
    ex, ey = ex / f, ey / f
    along = (r * r - b * b + f * f) / (2 * f)
    h = (r * r - along * along).sqrt()
    bx, by = d + along * ex + h * ey, along * ey - h * ex
    return ((by - ay) / b, (bx - ax) / b), (by / r, (bx - d) / r)


def off(angle, direction):
    """How far an angle is from that of a direction."""
    sin, cos = sincos(angle)
    return abs(sin * direction[1] - cos * direction[0]), cos * direction[1] + sin * direction[0]


@pytest.mark.parametrize("tolerance", [pytest.param(1e-9, marks=pytest.mark.long), 1e-5])
def test_a_four_bar_is_within_its_radii(tolerance):
    robot, loops = four_bar()
    curve = Path.polynomial(["crank"], [[[0.25], [1], [2], [1.5]], [[1.5], [-0.5], [0], [0.5]]])  # forth and back
    path = close(robot, curve, loops, {"coupler": 1.2, "rocker": 2}, tolerance=tolerance)
    assert (path.errors[1:] <= tolerance).all() and (path.errors[1:] > 0).all() and path.errors[0] == 0
    r, most = np.random.default_rng(1), 0.0
    with localcontext() as context:
        context.prec = 60
        for edge in r.integers(0, path.edges, 20):
            crank, coupler, rocker = on(path, edge, float(r.uniform()))
            truth = exact_four_bar(crank)
            for value, direction, error in ((crank + coupler, truth[0], path.errors[1]), (rocker, truth[1], path.errors[2])):
                away, side = off(value, direction)
                assert side > 0 and away <= Decimal(float(error)), (edge, away)
                most = max(most, float(away) / error)
    assert most > 1e-4  # no radius is far from what it bounds


def test_a_slider_and_its_wall():
    """The slider is farthest where crank and rod are in line: at 4, with a ball of 0.5."""
    joints = [
        moving("crank", "continuous", 0, 1, source=0),
        moving("rod", "continuous", 1, 2, source=1, position=[1, 0, 0]),
        moving("slider", "prismatic", 0, 3, source=2, axis=[1, 0, 0]),
    ]
    links = ["base", "crank", "rod", "slider"]
    robot = ccd.robot.Robot("slider-crank", links, [[], [], [], [Shape.ball(0.5)]], joints, ["crank", "rod", "slider"])
    loops = [Loop.pin("rod", [3, 0, 0], "slider", [0, 0, 0])]
    path = close(robot, Path(["crank"], [[-0.75], [0.5]], times=[2, 7]), loops, {"rod": 0, "slider": 4})
    assert path.times[0] == 2 and path.times[-1] == 7

    def wall(x):
        return {"wall": ccd.Surface(np.array([[x, -9, -9], [x, 9, -9], [x, 0, 9.0]]), [], [[0, 1, 2]])}

    assert ccd.robot.check(robot, path, wall(4.5 + 1e-5)).free
    report = ccd.robot.check(robot, path, wall(4.5 - 1e-5))
    assert str(report.verdict) == "collides" and report.contact.a == "slider"
    # From cos q + sqrt(9 - sin(q)^2) = 4 - 1e-5: q is about -sqrt(2e-5 / (1 + 1 / 3)).
    assert abs(report.contact.time - (2 + 5 * (0.75 - math.sqrt(1.5e-5)) / 1.25)) < 1e-3
    gap = min((c.gap for c in ccd.robot.clearance(robot, path, wall(5), tolerance=1e-5)), key=lambda g: g.lo)
    assert gap.lo <= 0.5 <= gap.hi and gap.hi - gap.lo <= 1.1e-5
    one = Coupling.closing(robot, loops, "crank", -1, 1, {"rod": 0.3, "slider": 3.4})
    there, back = (one.follow(Path(["crank"], ends)) for ends in ([[-0.75], [0.5]], [[0.47], [-0.61]]))
    assert ccd.robot.check(robot, back, wall(4.5 + 1e-5)).free and not ccd.robot.check(robot, there, wall(4.5 - 1e-5)).free
    r = np.random.default_rng(2)
    with localcontext() as context:
        context.prec = 60
        for path in (there, back):
            for edge in r.integers(0, path.edges, 10):
                crank, _, slider = on(path, edge, float(r.uniform()))
                sin, cos = sincos(crank)
                assert abs(slider - cos - (9 - sin * sin).sqrt()) <= Decimal(float(path.errors[2]))


def test_a_spatial_chain_of_ball_joints():
    """A crank about z drives a rocker about x by a rod with a universal joint and a ball: Newton's method in long doubles."""
    joints = [
        moving("crank", "revolute", 0, 1, source=0),
        moving("u", "revolute", 1, 2, source=1, axis=[0, 1, 0], position=[0.3, 0, 0.1]),
        moving("v", "revolute", 2, 3, source=2, axis=[0, 0, 1]),
        moving("rocker", "revolute", 0, 4, source=3, axis=[1, 0, 0], position=[0.7, 0.9, 0]),
    ]
    robot = ccd.robot.Robot("rssr", ["base", "a", "b", "rod", "rocker"], [[]] * 5, joints, ["crank", "u", "v", "rocker"])
    loop = Loop.ball("rod", [0, 1.1, 0], "rocker", [0.1, 0, 0.8])
    path = close(robot, Path(["crank"], [[0.25], [0.75]]), [loop], {"u": -0.7, "v": -0.6, "rocker": 0.2}, tolerance=1e-8)
    one = np.longdouble(1)

    def place(q):
        """The gap of the ball joint."""

        def turn(k, x):
            c, s = np.cos(one * x), np.sin(one * x)
            i, j = (k + 1) % 3, (k + 2) % 3
            m = np.eye(3, dtype=np.longdouble)
            m[i, i], m[j, j], m[i, j], m[j, i] = c, c, -s, s
            return m

        rod = turn(2, q[0]) @ (np.array([0.3, 0, 0.1]) * one + turn(1, q[1]) @ turn(2, q[2]) @ (np.array([0, 1.1, 0]) * one))
        return rod - np.array([0.7, 0.9, 0]) * one - turn(0, q[3]) @ (np.array([0.1, 0, 0.8]) * one)

    for edge in range(0, path.edges, 3):
        q = np.array([float(v) for v in path.at(edge, 0.375)]) * one
        y = q.copy()
        for _ in range(4):
            side = place(y)
            slope = np.array([(place(y + h) - place(y - h)) / 2e-5 for h in np.eye(4)[1:] * 1e-5]).T
            y[1:] -= np.linalg.solve(slope.astype(float), side.astype(float))
        assert np.abs(place(y)).max() < 1e-15
        assert (np.abs(y - q)[1:] <= path.errors[1:] * (1 + 1e-3)).all()


def test_singular_chains_are_refused():
    robot, loops = four_bar()
    start = {"coupler": 1.2, "rocker": 2}
    with pytest.raises(ccd.ArgumentError, match=r"cannot be closed at the start"):
        close(robot, Path(["crank"], [[0], [1]]), [Loop.pin("coupler", [3, 0, 0], "rocker", [9, 0, 0])], start)
    with pytest.raises(ccd.ArgumentError, match=r"edge 0, s = 0\.\d+, 'rocker' at 2\.\d+: .*singular"):  # the dead center
        close(robot, Path(["rocker"], [[2], [3]]), loops, {"crank": 0, "coupler": 1.2})


@pytest.mark.long
def test_a_parallelogram_that_may_fold_is_refused():
    flat, parallel = four_bar(rocker=1.0)[0], [Loop.pin("coupler", [3, 0, 0], "rocker", [1, 0, 0])]
    with pytest.raises(ccd.ArgumentError, match=r"'crank' at 3\.1\d+: .*singular"):  # where a parallelogram may fold
        close(flat, Path(["crank"], [[3.0], [3.25]]), parallel, {"coupler": -3, "rocker": 3})


@pytest.mark.long
def test_an_edge_of_too_many_pieces_is_refused():
    robot, loops = four_bar()
    with pytest.raises(ccd.ArgumentError, match=r"path: edge 0 needs more than 20000 pieces, .*: cut it into shorter ones"):
        close(robot, Path(["crank"], [[0], [1e5]]), loops, {"coupler": 1.2, "rocker": 2.0})


def slider_crank():
    """A ball of 0.5 that a crank of 1 and a rod of 3 push, with its coupling, and a lift beside them."""
    joints = [
        moving("crank", "continuous", 0, 1, source=0),
        moving("rod", "continuous", 1, 2, source=1, position=[1, 0, 0]),
        moving("slider", "prismatic", 0, 3, source=2, axis=[1, 0, 0]),
        moving("lift", "prismatic", 3, 4, source=3, axis=[0, 0, 1]),
    ]
    shapes = [[], [], [], [Shape.ball(0.5)], [Shape.ball(0.25).placed(np.eye(3), [0, 0, 1])]]
    robot = ccd.robot.Robot("press", ["base", "crank", "rod", "slider", "top"], shapes, joints, [j.name for j in joints])
    loops = [Loop.pin("rod", [3, 0, 0], "slider", [0, 0, 0])]
    return robot, Coupling.closing(robot, loops, "crank", -2, 2, {"rod": 2.3, "slider": 2.4}, tolerance=1e-7)


def wall(x):
    return {"wall": ccd.Surface(np.array([[x, -9, -9], [x, 9, -9], [x, 0, 9.0]]), [], [[0, 1, 2]])}


def test_a_checker_follows_couplings():
    robot, coupling = slider_crank()
    free, hit = (ccd.robot.Checker(robot, wall(4.5 + e), rest={"lift": 0.5}, couplings=[coupling]) for e in (1e-5, -1e-5))
    assert free.joints == ("crank",) and free.turning == ()
    r = np.random.default_rng(3)
    q0, q1 = r.uniform(-2, 2, (2, 40, 1))
    assert free.free(q0, q1).all() and free.free(q0).all()
    through = (q0 < -0.02) & (q1 > 0.02) | (q0 > 0.02) & (q1 < -0.02)  # these pass the crank's dead center
    away = (np.abs(q0) > 0.02) & (np.abs(q1) > 0.02) & (np.sign(q0) == np.sign(q1))
    assert np.array_equal(hit.free(q0, q1)[(through | away)[:, 0]], away[through | away])
    # From cos q + sqrt(9 - sin(q)^2) = 4 - 1e-5, as q^2 / 2 (1 + 1 / 3): q is about sqrt(1.5e-5).
    for a, b in ((-0.75, 0.5), (1.5, -1)):
        until, where = hit.free_until([a], [b]), (abs(a) - math.sqrt(1.5e-5)) / abs(b - a)
        assert where - 1e-3 < until <= where + 1e-9, (a, b, until, where)
    assert free.free_until([-2], [2]) == 1 and hit.free([0.01]) and not hit.free([1e-3])
    # The joint beside the coupling moves at the same time: the top, 1 + lift above the slider, meets a ceiling at 1.9.
    ceiling = {"ceiling": ccd.Surface(np.array([[-9, -9, 1.9], [9, -9, 1.9], [0, 9, 1.9]]), [], [[0, 1, 2]])}
    both = ccd.robot.Checker(robot, ceiling, couplings=[coupling])
    assert both.joints == ("crank", "lift")
    assert both.free([[-2, 0], [-2, 0]], [[2, 0.6499], [2, 0.6501]]).tolist() == [True, False]
    assert abs(both.free_until([-2, 0.5], [1, 0.75]) - 0.6) < 1e-4
    one = ccd.robot.Checker(robot, ceiling, couplings=[coupling], threads=1)
    assert np.array_equal(one.free_until(q0 * [1, 0], [1, 0.75] * np.ones((40, 2))),
                          both.free_until(q0 * [1, 0], [1, 0.75] * np.ones((40, 2))))  # fmt: skip


def test_a_checker_agrees_with_paths_that_follow():
    """Random drives of two couplings, among a cloud: free of a checker is free of a path, with contacts at one place."""
    joints = [
        moving("cam", "revolute", 0, 1, source=0),
        moving("lift", "prismatic", 0, 2, source=1, axis=[0, 0, 1]),
        moving("turn", "revolute", 2, 3, source=2, axis=[0, 1, 0]),
        moving("shift", "prismatic", 3, 4, source=3, axis=[1, 0, 0]),
    ]
    arm = Shape.capsule(0.05, 0.5).placed(ALONG, [0.25, 0, 0])
    robot = ccd.robot.Robot("cams", list("abcde"), [[], [], [arm], [arm], [Shape.ball(0.1)]], joints, [j.name for j in joints])
    lift = Coupling("cam", ["lift"], [-1, 0, 2], [[[0], [0], [0.2], [0.3]], [[0.3], [0.5], [0.5], [0.1]]], errors=[1e-6])
    shift = Coupling("turn", ["shift"], [-2, -0.5, 0.25, 2], [[[0.5], [0.6]], [[0.6], [0.9]], [[0.9], [0.4]]], errors=[1e-6])
    r = np.random.default_rng(4)
    cloud = {"cloud": Shape.points(r.uniform(-1, 1, (20, 3)), 0.02)}
    checker = ccd.robot.Checker(robot, cloud, couplings=[lift, shift], allowed=[("c", "d"), ("d", "e"), ("c", "e")])
    assert checker.joints == ("cam", "turn")
    q0, q1 = r.uniform([-1, -2], [2, 2], (2, 30, 2))
    found, until = checker.free(q0, q1), checker.free_until(q0, q1)
    assert 5 < found.sum() < 25 and np.array_equal(found, until == 1)
    for a, b, free, s in zip(q0, q1, found, until):
        path = shift.follow(lift.follow(Path(["cam", "turn"], [a, b])))
        report = ccd.robot.check(robot, path, cloud, allowed=[("c", "d"), ("d", "e"), ("c", "e")])
        assert report.free == free
        assert free or abs(report.contact.time - s) < 1e-4
        for t in np.linspace(0, s - 1e-3, 7) if s > 1e-2 else []:  # samples, whose functions are evaluated in another way
            q = a + t * (b - a)
            values = {"cam": q[0], "turn": q[1], "lift": value(lift, q[0]), "shift": value(shift, q[1])}
            assert not ccd.robot.touching(robot, values, cloud, allowed=[("c", "d"), ("d", "e"), ("c", "e")])


def value(coupling, x):
    """The value of a coupling's first joint, by Bernstein's sum."""
    i = min(max(int(np.searchsorted(coupling.knots, x, side="right")) - 1, 0), len(coupling.control) - 1)
    t = (x - coupling.knots[i]) / (coupling.knots[i + 1] - coupling.knots[i])
    c = coupling.control[i][:, 0]
    n = len(c) - 1
    return float(sum(math.comb(n, j) * t**j * (1 - t) ** (n - j) * c[j] for j in range(n + 1)))


def test_bad_couplings_of_a_checker_are_errors():
    robot, coupling = slider_crank()
    other = Coupling("lift", ["slider"], [0, 1], [[[0], [1]]])
    chained = Coupling("slider", ["lift"], [0, 9], [[[0], [1]]])
    for given, message in [
        ({"couplings": coupling}, "couplings is Coupling: must be a list"),
        ({"couplings": [1]}, r"couplings\[0\] is int"),
        ({"couplings": [coupling, other]}, r"couplings\[1\] moves 'slider', and so does couplings\[0\]"),
        ({"couplings": [coupling, chained]}, r"couplings\[1\] has the drive 'slider', which couplings\[0\] moves"),
        ({"rest": {"rod": 0}}, r"couplings\[0\] has the joint 'rod', which is in rest"),
        ({"rest": {"crank": 0}}, r"couplings\[0\] has the joint 'crank', which is in rest"),
        ({"errors": {"crank": 0.1}}, r"errors\['crank'\] is 0.1"),
        ({"couplings": [Coupling("crank", ["lid"], [0, 1], [[[0], [1]]])]}, r"couplings\[0\]: 'lid' is no joint"),
    ]:
        with pytest.raises(ccd.ArgumentError, match=message):
            ccd.robot.Checker(robot, **{"couplings": [coupling], **given})
    checker = ccd.robot.Checker(robot, couplings=[coupling])
    with pytest.raises(ccd.ArgumentError, match=r"q0, q1: 'crank' is 2.5 on edge 1: must be in \[-2.0, 2.0\]"):
        checker.free([[0, 0], [0, 0]], [[1, 0], [2.5, 0]])
    with pytest.raises(ccd.ArgumentError, match=r"q1: 'lift' is 10000.0 on edge 0: must be within 8192"):
        checker.free([0, 0], [0, 1e4])


SAVED = pathlib.Path(__file__).parents[2] / "cpp" / "tests" / "slider_crank.coupling"  # what splines.cpp reads


def test_couplings_and_paths_are_kept_in_files(tmp_path):
    robot, wide = slider_crank()
    kept = ccd.robot.read_coupling(SAVED)
    assert (kept.drive, kept.joints) == ("crank", ("rod", "slider"))
    loops = [Loop.pin("rod", [3, 0, 0], "slider", [0, 0, 0])]
    made = Coupling.closing(robot, loops, "crank", -1, 1, {"rod": 1.3, "slider": 3.4}, tolerance=1e-5)
    assert np.array_equal(kept.knots, made.knots) and (np.abs(kept.control - made.control) <= 1e-12).all()
    assert (np.abs(kept.errors - made.errors) <= 1e-3 * made.errors).all()
    file = tmp_path / "some coupling"
    wide.save(file)
    again = ccd.robot.read_coupling(file)
    assert (again.drive, again.joints) == (wide.drive, wide.joints)
    for field in ("knots", "control", "errors"):
        assert np.array_equal(getattr(again, field), getattr(wide, field))
    control = [[[0, 1 / 3], [0.1, 2], [1 / 7, 3]], [[1 / 7, 3], [2, 1e-9], [1e5, -1]]]
    path = Path.polynomial(["left arm", "lift"], control, [1, 2, 4])
    path = path.within({"lift": 0.1})
    path.save(file)
    once = ccd.robot.read_path(file)
    assert once.joints == path.joints
    for field in ("times", "control", "errors"):
        assert np.array_equal(getattr(once, field), getattr(path, field))
    with pytest.raises(ccd.FileError, match="over time"):
        ccd.robot.read_coupling(file)
    with pytest.raises(ccd.FileError, match="follow 'crank'"):
        ccd.robot.read_path(SAVED)
    with pytest.raises(ccd.ArgumentError, match="two lines"):
        Path(["a\nb"], [[0], [1]]).save(file)
    lines = SAVED.read_text().splitlines()
    for cut in (0, 1, 3, 9, 30, len(lines) - 1):
        file.write_text("\n".join(lines[:cut]))
        with pytest.raises(ccd.FileError, match=f"ends after line {cut}$"):
            ccd.robot.read_coupling(file)
    for line, text, message in [
        (1, "crank", "line 2 is 'crank': must be 'over'"),
        (2, "two joints", "line 3 is 'two joints': must be a number and 'joints'"),
        (3, "x rod", "line 4 is 'x rod': must be a number"),
        (6, "nan", "line 7 is 'nan': must be finite"),
        (len(lines) - 1, "1 2 3", "must be 2 numbers"),
    ]:
        file.write_text("\n".join([*lines[:line], text, *lines[line + 1 :]]))
        with pytest.raises(ccd.FileError, match=message):
            ccd.robot.read_coupling(file)
    file.write_text("\n".join([*lines, "0 0"]))
    with pytest.raises(ccd.FileError, match="one too many"):
        ccd.robot.read_coupling(file)


def test_bad_loops_are_errors():
    robot, loops = four_bar()
    path, start = Path(["crank"], [[0], [1]]), {"coupler": 1.2, "rocker": 2.0}
    for change, message in [
        ({"loops": []}, "must be a list of ccd.robot.Loop"),
        ({"loops": [1]}, r"loops\[0\] is int"),
        ({"loops": [Loop.pin("coupler", [0, 0, 0], "none", [0, 0, 0])]}, r"loops\[0\].b is 'none'"),
        ({"loops": [Loop.ball("coupler", [3, 0, 0], "rocker", [3, 0, 0])]}, "loops have 3 equations, start 2 joints"),
        ({"start": {"coupler": 1.0}}, "path has no values of 'rocker'"),
        ({"start": {**start, "crank": 0.0}}, "path has values of 'crank', which is in start"),
        ({"start": {**start, "lid": 0.0}}, "'lid' is no joint"),
        ({"path": path.within({"crank": 0.1})}, "path.errors of 'crank' is above 0"),
        ({"tolerance": 1e-15}, "tolerance is 1e-15"),
        ({"start": {**start, "rocker": math.nan}}, r"start\['rocker'\] is nan: not finite"),
        ({"path": Path(["crank"], [[0], [1e13]])}, "path: 'crank' is 1e.13: the joint turns farther"),
        ({"loops": [dataclasses.replace(loops[0], across=np.zeros((2, 3)))]}, r"loops\[0\].across\[0\] is 0"),
    ]:
        given = {"path": path, "loops": loops, "start": start, **change}
        with pytest.raises((ccd.ArgumentError, ccd.NonFiniteError), match=message):
            close(robot, given.pop("path"), given.pop("loops"), given.pop("start"), **given)
    cam = Coupling("cam", ["lift"], [0, 2], [[[0], [0], [0.02], [0.02]]])
    for way, message in [
        (Path(["cam"], [[0], [3]]), r"'cam' is 3.0 on edge 0: must be in \[0.0, 2.0\]"),
        (Path(["cam", "lift"], [[0, 0], [1, 1]]), "path has values of 'lift'"),
        (Path.polynomial(["cam"], [[[0], [1], [1]]]), "'cam' does not go straight"),
        (Path(["cam"], [[0], [1]]).within({"cam": 0.1}), "path.errors of 'cam'"),
    ]:
        with pytest.raises(ccd.ArgumentError, match=message):
            cam.follow(way)
    with pytest.raises(ccd.ArgumentError, match="cannot be its own drive"):
        Coupling("lift", ["lift"], [0, 2], [[[0], [0]]])
    with pytest.raises(ccd.ArgumentError, match="errors has 2 items"):
        Coupling("cam", ["lift"], [0, 2], [[[0], [0]]], errors=[0, 0])


def test_what_is_proven_within_errors_holds_at_their_ends():
    bar = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    robot = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [moving("turn", "revolute", 0, 1, source=0)], ["turn"])
    pole = {"pole": ccd.Surface(np.array([[0.6, 0.6, -1], [0.6, 0.6, 1], [0.7, 0.6, 0]]), [], [[0, 1, 2]])}
    straight = Path(["turn"], [[0], [0.64]])
    verdicts = {}
    for error in (0.0, 0.005, 0.02):
        path = straight.within({"turn": error})
        report = ccd.robot.check(robot, path, pole)
        verdicts[error] = str(report.verdict)
        gap = ccd.robot.clearance(robot, path, pole)[0].gap
        for end in (-error, error):
            moved = Path(["turn"], [[end], [0.64 + end]])
            assert not report.free or ccd.robot.check(robot, moved, pole).free
            there = ccd.robot.clearance(robot, moved, pole)[0].gap
            assert gap.lo <= there.lo + 1e-6
        assert ccd.robot.check(robot, path.shortest(["turn"]), pole).verdict == report.verdict
    assert verdicts == {0.0: "free", 0.005: "free", 0.02: "undecided"}
    # A contact of all motions, and a file that replays it.
    through = Path(["turn"], [[0], [2]]).within({"turn": 0.001})
    report = ccd.robot.check(robot, through, pole)
    assert (
        str(report.verdict) == "collides"
        and report.contact.s > ccd.robot.check(robot, Path(["turn"], [[0], [2]]), pole).contact.s
    )
    assert ccd.robot.replay(robot, through, report, pole).path.errors.tolist() == [0.001]
    with pytest.raises(ccd.ArgumentError, match=r"errors\['turn'\] is -1"):
        straight.within({"turn": -1})
    with pytest.raises(ccd.ArgumentError, match="'lid'"):
        straight.within({"lid": 1})


def toggle():
    """Two sliders and a bell crank: two loops, a pin in a slot and a pin, with a mimic that turns the other way."""
    joints = [
        moving("drive", "prismatic", 0, 1, source=0, axis=[0, 3, 0]),
        moving("bell", "revolute", 0, 2, source=1, position=[1, 0, 0]),
        dataclasses.replace(moving("twin", "revolute", 0, 3, source=1, position=[-1, 0, 0]), multiplier=-0.5, offset=0.25),
        moving("rod", "revolute", 2, 4, source=2, position=[0, 1, 0]),
        moving("slide", "prismatic", 3, 5, source=3, axis=[1, 0, 0]),
    ]
    links = ["base", "yoke", "bell", "twin", "rod", "slider"]
    robot = ccd.robot.Robot("toggle", links, [[]] * 6, joints, ["drive", "bell", "rod", "slide"])
    loops = [
        Loop.slot("yoke", [0, 0, 0], "bell", [0, 0, 0], along=[1, 0, 0], axis=[0, 0, 1]),
        Loop.pin("rod", [0, 1.5, 0], "slider", [0, 0, 0]),
    ]
    return robot, loops


def test_a_toggle_is_within_its_radii():
    """Its closed form: the slot turns the bell crank, and the rod's end is where a circle meets the slider's line."""
    robot, loops = toggle()
    path = close(robot, Path(["drive"], [[-0.3], [0.5], [0.1]]), loops, {"bell": 0.2, "rod": 1.5, "slide": -0.5})
    assert path.joints == ("drive", "bell", "rod", "slide") and (path.errors[1:] <= 1e-9).all() and path.edges > 20
    before = -0.5
    for edge in range(path.edges):
        drive, bell, rod, slide = path.at(edge, 0.375).tolist()
        theta = -math.atan(drive)
        phi = 0.25 - theta / 2
        along, top = np.array([math.cos(phi), math.sin(phi)]), np.array([1 - math.sin(theta), math.cos(theta)])
        gap = np.array([-1, 0]) - top
        middle, root = -gap @ along, math.sqrt((gap @ along) ** 2 - gap @ gap + 1.5**2)
        s = min(middle - root, middle + root, key=lambda x: abs(x - before))
        end = gap + s * along  # from the bell crank's arm to the slider: 1.5 times (-sin, cos) of the rod's angle
        angle = math.atan2(-end[0], end[1]) - theta
        for value, truth, error in zip((bell, rod, slide), (theta, angle, s), path.errors[1:]):
            assert abs(math.remainder(value - truth, 2 * math.pi)) <= error + 1e-13, edge
        before = slide


def test_a_chain_among_other_joints():
    """A four-bar on an arm that moves, below one that turns: what is not in the loop does not matter."""
    robot, loops = four_bar()
    alone = close(robot, Path(["crank"], [[0.25], [1.5]]), loops, {"rocker": 2, "coupler": 1.2})
    joints = [
        moving("lift", "continuous", 0, 1, source=4),
        moving("arm", "prismatic", 1, 2, source=0, axis=[0, 1, 0]),
        *(dataclasses.replace(j, parent=j.parent + 2, child=j.child + 2, source=j.source + 1) for j in robot._tree.joints),
        moving("door", "revolute", 0, 6, source=5),
    ]
    links = ["root", "cart", "base", "crank", "coupler", "rocker", "leaf"]
    whole = ccd.robot.Robot("cell", links, [[]] * 7, joints, ["arm", "crank", "coupler", "rocker", "lift", "door"])
    path = Path(["lift", "crank", "arm"], [[0, 0.25, 7], [1, 1.5, -7]])
    found = close(whole, path, loops, {"rocker": 2, "coupler": 1.2})
    assert found.joints == ("lift", "crank", "arm", "rocker", "coupler")
    assert (
        np.array_equal(found.control[:, :, [1, 3, 4]], alone.control) and found.errors.tolist()[3:] == alone.errors.tolist()[1:]
    )
    assert np.array_equal(found.times, alone.times) and found.at(found.edges - 1, 1).tolist()[:3] == [1, 1.5, -7]
