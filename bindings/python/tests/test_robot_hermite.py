"""Trajectories with times: the polynomials that have the values and derivatives of their waypoints."""

import numpy as np
import pytest

import ccd
from ccd.robot import Path

JOINTS = ["a", "b"]


@pytest.mark.parametrize("fifth", [False, True])
def test_values_and_derivatives_at_waypoints(fifth):
    r = np.random.default_rng(4)
    x, v, a = r.normal(size=(3, 6, 2))
    times = np.cumsum(r.uniform(0.1, 3, 6))
    path = Path.hermite(JOINTS, x, v, times, a if fifth else None)
    assert path.degree == (5 if fifth else 3) and np.array_equal(path.times, times)
    n = path.degree
    for edge in range(5):
        h, c = times[edge + 1] - times[edge], path.control[edge]
        for end, k in ((0, edge), (1, edge + 1)):
            assert np.allclose(path.at(edge, end), x[k], atol=1e-12)
            first = n * np.diff(c, axis=0) / h
            assert np.allclose(first[-end], v[k], atol=1e-9)
            if fifth:
                assert np.allclose(((n - 1) * np.diff(first, axis=0) / h)[-end], a[k], atol=1e-8)


def test_it_is_the_spline_of_scipy():
    interpolate = pytest.importorskip("scipy.interpolate", reason="SciPy is not installed")
    r = np.random.default_rng(5)
    x, v = r.normal(size=(2, 5, 2))
    times = np.array([0, 0.5, 2, 2.25, 5])
    theirs = interpolate.CubicHermiteSpline(times, x, v)
    path = Path.hermite(JOINTS, x, v, times)
    for edge in range(4):
        for s in (0.1, 0.5, 0.8):
            assert np.allclose(path.at(edge, s), theirs(path.time(edge, s)), atol=1e-12)


def test_a_trajectory_that_overshoots_collides_between_its_waypoints():
    """At both waypoints the ball is at rest at 0 and 1; with a velocity it goes beyond 1 before it is there."""
    slide = ccd.robot.JointModel.moving("s", "prismatic", 0, 1, 0, axis=(1, 0, 0))
    one = ccd.robot.Robot("r", ["base", "ball"], [[], [ccd.robot.Shape.ball(0.1)]], [slide], ["s"])
    wall = {"wall": ccd.Surface(np.array([[1.15, -9, -9], [1.15, 9, -9], [1.15, 0, 9.0]]), [], [[0, 1, 2]])}
    still = Path.hermite(["s"], [[0], [1]], [[0], [0]], [0, 1])
    fast = Path.hermite(["s"], [[0], [1]], [[0], [-1]], [0, 1])
    assert ccd.robot.check(one, still, wall).free
    report = ccd.robot.check(one, fast, wall)
    # 3 s^2 - 2 s^3 + s^2 (1 - s) exceeds 1.05 from the first root on.
    at = min(r.real for r in np.roots([-3, 4, 0, -1.05]) if abs(r.imag) < 1e-12 and r.real > 0)
    assert str(report.verdict) == "collides" and report.contact.s == pytest.approx(at, abs=1e-5)


def test_errors_name_the_argument():
    for arguments, message in (
        (([[0, 0], [1, 1]], [[0, 0]], [0, 1]), "velocities has shape"),
        (([[0, 0], [1, 1]], [[0], [0]], [0, 1]), "velocities has shape"),
        (([[0, 0], [1, 1]], [[0, 0], [0, np.inf]], [0, 1]), "velocities"),
        (([[0, 0], [1, 1]], [[0, 0], [0, 0]], [0, 0]), r"times\[1\] is 0"),
        (([[0, 0], [1, 1]], [[0, 0], [0, 0]], [0, 1], [[0, 0]]), "accelerations has shape"),
    ):
        with pytest.raises(ccd.Error, match=message):
            Path.hermite(JOINTS, *arguments)
