"""Continuous joints: the short way from waypoint to waypoint, by default."""

import decimal
import json
import math

import numpy as np
import pytest
from robots import ARM, NONE, robot, tree

import ccd
from ccd.cli import main
from ccd.robot import JointModel, ShortWay, _turns

OVER = math.nextafter(math.pi, 4)  # math.pi is below half a turn, this is above
PI = decimal.Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def post(x):
    return ccd.Surface(np.array([[x, 0, -1], [x, 0, 1], [x * 1.01, 0, 0]]), NONE, np.array([[0, 1, 2]], np.int32))


POSTS = {"at pi": post(-0.5), "at 0": post(0.5)}


def test_an_arm_goes_the_short_way(tmp_path):
    """From 3.1 to -3.1 it turns by 0.083 and hits what is at pi; the arm's half width at 0.5 is 0.1 radians."""
    one = robot(tmp_path, ARM.replace("1 0.1 0.1", "1 0.02 0.02"))
    assert one.continuous == ("turn",) and one._tree.joints[0].kind == "continuous"
    path = ccd.robot.Path(["turn"], [[0.5], [3.1], [-3.1], [-0.5]])
    report = ccd.robot.check(one, path, POSTS)
    assert [str(e.verdict) for e in report.edges] == ["free", "collides", "free"]
    [way] = report.edges[1].shorter
    assert way == ShortWay("turn", 3.1, pytest.approx(-3.1 + 2 * math.pi), -3.1) and report.continuous == "shortest"
    assert report.edges[0].shorter == report.edges[2].shorter == ()
    assert report.contact.b == "at pi" and 3.1 <= report.contact.values[0] <= 3.19
    written = ccd.robot.check(one, path, POSTS, continuous="written")
    assert [str(e.verdict) for e in written.edges] == ["free", "collides", "free"]
    assert written.contact.b == "at 0" and written.edges[1].shorter == () and written.continuous == "written"
    with pytest.raises(ccd.ArgumentError, match="continuous is 'long': must be one of 'shortest', 'written'"):
        ccd.robot.check(one, path, POSTS, continuous="long")


@pytest.mark.parametrize(
    "start, end, goes",
    [
        (0, math.pi, math.pi),  # exactly half a turn: as written
        (0, -math.pi, -math.pi),
        (math.pi / 2, -math.pi / 2, -math.pi / 2),
        (3.0, 3.0 - math.pi, 3.0 - math.pi),
        (0, 3 * math.pi, math.pi),  # one turn and a half: half a turn in the same direction
        (0, -3 * math.pi, -math.pi),
        (1, 1 - 5 * math.pi, 1 - math.pi),
        (0, 4 * math.pi, 0),  # whole turns are left out
        (math.pi, -math.pi, math.pi),
        (0, 3.2, 3.2 - 2 * math.pi),
        (3.1, -3.1, -3.1 + 2 * math.pi),
        (7, -7, -7 + 4 * math.pi),
        (0.25, 3.39, 3.39),
        (1e6, 0, 0 + 2 * math.pi * 159155),
        (0, OVER, OVER),  # half a turn and a rounding: as written
        (0, -OVER, -OVER),
        (0, 3 * OVER, math.pi),
        (0, -3 * OVER, -math.pi),
    ],
)
def test_the_rule(start, end, goes):
    path = ccd.robot.Path(["turn"], [[start], [end]]).shortest(["turn"])
    assert path.at(0, 0)[0] == start and path.at(0, 1)[0] == pytest.approx(goes, abs=1e-9)
    assert abs(path.at(0, 1)[0] - start) <= math.pi * (1 + 1e-15) + 1e-15 * abs(start)


def test_half_turns_in_degrees_keep_their_direction():
    for k in range(-24, 25):
        for sign in -1, 1:
            ends = np.deg2rad([45.0 * k, 45.0 * k + sign * 180])
            assert ccd.robot.Path(["turn"], ends[:, None]).shortest(["turn"]).at(0, 1)[0] == ends[1]


def test_random_turns_are_the_shortest():
    """Against 60 digits of pi: no other number of turns is nearer, and the end is rounded to the nearest double."""
    r = np.random.default_rng(5)
    with decimal.localcontext(decimal.Context(prec=60)):
        for _ in range(500):
            a, b = (r.uniform(-1, 1, 2) * 10.0 ** r.uniform(-3, 8, 2)).tolist()
            end = ccd.robot.Path(["turn"], [[a], [b]]).shortest(["turn"]).control[0, 1, 0]
            apart = decimal.Decimal(b) - decimal.Decimal(a)
            n = int((apart / (2 * PI)).to_integral_value())
            true = decimal.Decimal(a) + min((apart - 2 * PI * k for k in (n - 1, n, n + 1)), key=abs)
            assert abs(decimal.Decimal(end) - true) <= decimal.Decimal(math.ulp(end)) / 2


def test_values_of_any_size_are_decided():
    path = ccd.robot.Path(["turn"], [[1e150], [-1e150], [5e-324]]).shortest(["turn"])
    assert path.at(0, 1)[0] == 1e150  # its neighbors are 1e134 away
    assert abs(math.sin(_turns.moved(math.pi, -(10**6))) - math.sin(math.pi)) < 1e-9


def moveit(a, b, t):
    """MoveIt's RevoluteJointModel::interpolate of a continuous joint, with values within a turn."""
    change = b - a
    if abs(change) > math.pi:
        change -= math.copysign(2 * math.pi, change)
    return a + t * change


def test_paths_of_many_waypoints_agree_with_moveit():
    r = np.random.default_rng(6)
    v = r.uniform(-math.pi, math.pi, (2000, 3))
    path = ccd.robot.Path(["a", "b", "c"], v)
    short = path.shortest(["a", "c"])
    for edge in range(path.edges):
        assert short.at(edge, 0).tolist() == v[edge].tolist()
        for k in range(3):
            goes = [v[edge, k] + 0.3 * (v[edge + 1, k] - v[edge, k]), moveit(v[edge, k], v[edge + 1, k], 0.3)][k != 1]
            assert short.at(edge, 0.3)[k] == pytest.approx(goes, abs=1e-14)
    assert path.control[:, 1].tolist() == v[1:].tolist()  # this is as it was
    assert short.shortest(["a", "c"]).control.tolist() == short.control.tolist()


def test_splines_go_through_the_waypoints_counted_on(tmp_path):
    interpolate = pytest.importorskip("scipy.interpolate", reason="SciPy is not installed: it computes splines")
    times, v = [0, 1, 2.5, 3, 4], np.array([[2.0], [3.0], [-2.5], [2.9], [-3.0]])
    on = np.array([2.0, 3.0, -2.5 + 2 * math.pi, 2.9, -3.0 + 2 * math.pi])
    path = ccd.robot.Path.spline(["turn"], v, times)
    short, true = path.shortest(["turn"]), interpolate.CubicSpline(times, on)
    for edge in range(4):
        for s in 0, 0.3, 1:
            turned = short.at(edge, s)[0] - true(times[edge] + s * (times[edge + 1] - times[edge]))
            assert abs(turned - (v[edge, 0] - on[edge])) < 1e-12
        assert short.at(edge, 0)[0] == pytest.approx(v[edge, 0], abs=1e-12)
    one = robot(tmp_path, ARM.replace("1 0.1 0.1", "1 0.02 0.02"))
    report = ccd.robot.check(one, path, {"at pi": post(-0.5), "at 0": post(0.5)})
    assert [[way.written for way in e.shorter] for e in report.edges] == [[], [-2.5], [2.9], [-3.0]]
    assert report.contact.b == "at pi" and report.contact.edge == 1
    assert ccd.robot.check(one, path, {"at 0": post(0.5)}).free
    assert not ccd.robot.check(one, path, {"at 0": post(0.5)}, continuous="written").free


def test_polynomials_go_as_they_are(tmp_path):
    one, path = robot(tmp_path, ARM), ccd.robot.Path.polynomial(["turn"], [[[3.1], [-3.1]]])
    assert path.shortest(["turn"]) is path and not ccd.robot.check(one, path, {"at 0": post(0.5)}).free


MIMICS = [
    ('continuous"', "-1", True),
    ('continuous"', "2", True),
    ('continuous"', "0.5", False),
    ('prismatic"', "1", False),
    ('revolute"', "1", False),
]


@pytest.mark.parametrize("kind, factor, short", MIMICS)
def test_joints_that_follow(tmp_path, kind, factor, short):
    """Where a turn of the leader does not bring the follower back, the leader goes as written."""
    follower = f'<axis xyz="1 0 0"/><mimic joint="j" multiplier="{factor}"/>'
    if kind == 'revolute"':
        follower += '<limit lower="-4" upper="4"/>'
    one = robot(
        tmp_path, tree("abc", ("j", "continuous", "a", "b", '<axis xyz="0 0 1"/>'), ("k", kind[:-1], "b", "c", follower))
    )
    assert one.continuous == (("j",) if short else ())
    path = ccd.robot.Path(["j"], [[3.1], [-3.1]])
    assert bool(ccd.robot.check(one, path).edges[0].shorter) == short
    ends = [one.place(q)["c"] for q in (path.shortest(["j"]).at(0, 1), path.at(0, 1))]
    assert (np.abs(ends[0] - ends[1]).max() < 1e-14) == (short or kind == 'revolute"')


def test_revolute_joints_go_as_written(tmp_path):
    """Limits or none: a revolute joint has no other way to a value."""
    for limit in "", '<limit lower="-4" upper="4"/>':
        one = robot(tmp_path, ARM.replace('"continuous"', '"revolute"').replace("</joint>", f"{limit}</joint>"))
        report = ccd.robot.check(one, ccd.robot.Path(["turn"], [[3.1], [-3.1]]), {"at 0": post(0.5)})
        assert one.continuous == () and not report.free and report.edges[0].shorter == ()
    with pytest.raises(ccd.ArgumentError, match=r"upper is 2.0: a continuous joint has no limits"):
        JointModel.moving("turn", "continuous", 0, 1, source=0, upper=2)


def test_the_command_and_the_page(tmp_path, capsys):
    one = robot(tmp_path, ARM.replace("1 0.1 0.1", "1 0.02 0.02"))
    (tmp_path / "path.csv").write_text("turn\n3.1\n-3.1\n")
    files = ["robot", "check", str(tmp_path / "robot.urdf"), str(tmp_path / "path.csv")]
    assert main(files) == 0
    assert "turn goes the short way, from 3.1 to 3.18318531 (written: -3.1)" in capsys.readouterr().out
    assert main([*files, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["options"]["continuous"] == "shortest" and found["shorter"][0]["joint"] == "turn"
    assert main([*files, "--continuous", "written"]) == 0 and "short way" not in capsys.readouterr().out
    path = ccd.robot.Path(["turn"], [[3.1], [-3.1]])
    places = {}
    for way in "shortest", "written":
        report = ccd.robot.check(one, path, {"at pi": post(-0.5)}, continuous=way)
        page = ccd.view.Page(way)
        page.add_robot(one, path, {"at pi": post(-0.5)}, report, frames=2)
        places[way] = page._state.parts[0].frames[1]
        assert page.met == (0, 1)[way == "shortest"]
    assert (places["shortest"][:8, 0].min(), places["written"][:8, 0].max()) == pytest.approx((-1, 1), abs=1e-12)
    with pytest.raises(ccd.ArgumentError, match="continuous is 'shortest': the report is of 'written'"):
        ccd.view.Page("other").add_robot(one, path, {}, report, continuous="shortest")
