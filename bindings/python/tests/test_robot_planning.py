"""Checkers that planners call, and those of OMPL: an edge that is accepted is proven free."""

import itertools
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import CHECKOUT

import ccd
from ccd.robot import Checker, JointModel, Robot, Shape

EXAMPLE = CHECKOUT / "examples" / "planning" / "ompl_plan.py"
BAR = Shape.box([1, 0.02, 0.02]).placed(np.eye(3), [0.5, 0, 0])


def arm(*kinds, lower=-3.0, upper=3.0, allowed=()):
    """A chain of bars that turn or slide in one plane."""
    joints, names = [], [f"l{i}" for i in range(len(kinds) + 1)]
    for i, kind in enumerate(kinds):
        limits = {} if kind == "continuous" else {"lower": lower, "upper": upper}
        axis = (1, 0, 0) if kind == "prismatic" else (0, 0, 1)
        joints.append(JointModel.moving(f"j{i}", kind, i, i + 1, i, axis, [min(i, 1), 0, 0], **limits))
    adjacent = list(itertools.pairwise(names))
    return Robot("arm", names, [[], *([BAR] for _ in kinds)], joints, [j.name for j in joints], [*adjacent, *allowed])


def wall(x=1.4):
    v = np.array([[x, -0.3, -1], [x, 0.9, -1], [x, 0.9, 1], [x, -0.3, 1]])
    return {"wall": ccd.Surface(v, [], [[0, 1, 2], [0, 2, 3]])}


def ball(center, r=0.1):
    return ccd.Surface(Shape.box([r, r, r]).vertices + center, [], Shape.box([r, r, r]).faces)


@pytest.mark.parametrize("kinds", [("revolute", "revolute"), ("continuous", "revolute"), ("revolute", "prismatic")])
def test_edges_have_the_verdicts_of_check(kinds):
    robot, r = arm(*kinds), np.random.default_rng(3)
    checker = Checker(robot, wall())
    q0, q1 = r.uniform(-3, 3, (2, 60, 2))
    free, until = checker.free(q0, q1), checker.free_until(q0, q1)
    for k in range(len(q0)):
        edge = ccd.robot.check(robot, ccd.robot.Path(robot.joints, [q0[k], q1[k]]), wall()).edges[0]
        assert free[k] == (str(edge.verdict) == "free")
        assert until[k] == (1 if edge.contact is None else edge.contact.s_free)
        assert free[k] == checker.free(q0[k], q1[k]) and until[k] == checker.free_until(q0[k], q1[k])
    assert 10 < free.sum() < 50


def test_a_free_edge_has_free_configurations_and_others_collide():
    robot, r = arm("revolute", "revolute"), np.random.default_rng(4)
    checker = Checker(robot, wall() | {"ball": ball([0.5, 0.5, 0])})
    q0, q1 = r.uniform(-3, 3, (2, 40, 2))
    seen = checker.free(q0, q1)
    for a, b in zip(q0[seen], q1[seen]):
        assert checker.free(a + np.linspace(0, 1, 50)[:, None] * (b - a)).all()
    assert seen.any() and not checker.free([np.pi / 4, 0.0])  # the bar passes through the ball
    assert not Checker(robot, {"hull": ball([0.5, 0, 0], 9.0)}).free([0.1, 0.1])  # all is inside of a box


def test_rest_separation_and_the_short_way():
    robot = arm("continuous", "revolute")
    checker = Checker(robot, wall(0.5), rest={"j1": 0.2})
    assert checker.joints == ("j0",) and checker.turning == ("j0",)
    assert checker.free([3.1], [-3.1]) and not Checker(robot, wall(0.5), rest={"j1": 0.2}, continuous="written").free(
        [3.1], [-3.1]
    )
    near = Checker(arm("revolute", "revolute"), {"ball": ball([1, 0.5, 0])}, min_separation=0.45)
    assert not near.free([0, 0]) and Checker(near.robot, {"ball": ball([1, 0.5, 0])}, min_separation=0.4).free([0, 0])


def test_what_is_not_proven_is_not_free():
    """A ball that slides in contact with a wall: the distance is 0 up to rounding, so neither is proven."""
    slide = JointModel.moving("s", "prismatic", 0, 1, 0, axis=(1, 0, 0), lower=0, upper=1)
    one = Robot("r", ["base", "ball"], [[], [Shape.ball(0.25)]], [slide], ["s"])
    floor = {"floor": ccd.Surface(np.array([[-9, -9, -0.25], [9, -9, -0.25], [0, 9, -0.25]]), [], [[0, 1, 2]])}
    assert str(ccd.robot.check(one, ccd.robot.Path(["s"], [[0], [1]]), floor).verdict) == "undecided"
    checker = Checker(one, floor)
    assert not checker.free([0], [1]) and not checker.free([0.5]) and not checker._proven(np.zeros(1), np.ones(1))


def test_errors_name_the_argument():
    robot = arm("revolute", "revolute")
    checker = Checker(robot)
    for call, message in (
        (lambda: Checker("arm"), "robot is str: must be a ccd.robot.Robot"),
        (lambda: Checker(robot, rest={"j0": 0, "j1": 0}), "rest has values of all joints: one must move at least"),
        (lambda: Checker(robot, rest={"j7": 0}), "rest: 'j7' is no joint"),
        (lambda: Checker(robot, rest=3), "rest is int"),
        (lambda: Checker(robot, allowed=[("l1", "table")]), r"allowed\[0\]: 'table' is no link"),
        (lambda: Checker(robot, allowed=3), "allowed is int"),
        (lambda: Checker(robot, tolerance=0), "tolerance is 0"),
        (lambda: Checker(robot, continuous="short"), "continuous is 'short'"),
        (lambda: checker.free([0, 0, 0]), r"q0 has shape \(3,\): must be \(2,\) or \(edges, 2\)"),
        (lambda: checker.free([0, 0], [[0, 0]]), r"q1 has shape \(1, 2\): must have that of q0, \(2,\)"),
        (lambda: checker.free([0, np.nan]), r"q0\[1\] is nan"),
        (lambda: checker.free_until([0, 1e300], [0, 0]), "q0|angle|value"),
    ):
        with pytest.raises(ccd.Error, match=message):
            call()
    assert len(checker.free(np.empty((0, 2)))) == 0
    assert repr(Checker(arm("revolute", "revolute"), wall())) == "<ccd.robot.Checker of 'arm': 3 bodies, 2 pairs>"


# ---- OMPL


@pytest.fixture(scope="module")
def base():
    return pytest.importorskip("ompl", reason="ompl is not installed").base


def states(base, space, *rows):
    found = []
    for row in rows:
        state = space.allocState()
        found.append(state)
        if not isinstance(space, base.CompoundStateSpace):
            state[0 : len(row)] = [float(x) for x in row]
            continue
        row = list(row)
        for k, part in enumerate(space.getSubspaces()):
            if isinstance(part, base.SO2StateSpace):
                state[k].value = float(row.pop(0))
            else:
                for i in range(part.getDimension()):
                    state[k][i] = float(row.pop(0))
    return found


@pytest.mark.parametrize(
    "kinds", [("revolute", "revolute"), ("continuous", "revolute", "prismatic"), ("continuous", "continuous")]
)
def test_ompl_accepts_what_is_proven(base, kinds):
    """The edge that is proven is the one that OMPL interpolates: angles of SO(2) go the short way."""
    r, n = np.random.default_rng(8), len(kinds)
    checker = Checker(arm(*kinds), wall())
    space = ccd.robot.ompl.state_space(checker)
    info = base.SpaceInformation(space)
    motions, valid = ccd.robot.ompl.motion_validator(info, checker), ccd.robot.ompl.state_validity_checker(info, checker)
    info.setMotionValidator(motions)
    info.setStateValidityChecker(valid)
    info.setup()
    accepted = 0
    for q0, q1 in r.uniform(-3, 3, (60, 2, n)):
        s0, s1, between = states(base, space, q0, q1, q0)
        ok = info.checkMotion(s0, s1)
        assert ok == checker.free(q0, q1) == motions.checkMotion(s0, s1)
        accepted += ok
        for k in range(20 if ok else 0):
            space.interpolate(s0, s1, k / 19, between)
            assert valid.isValid(between)
    assert 3 < accepted < 57
    outside = states(base, space, [3.5] * n)[0]
    assert not valid.isValid(outside)


def test_ompl_as_written(base):
    """In a space of real numbers a continuous joint goes from value to value, as OMPL interpolates it."""
    checker = Checker(arm("continuous"), wall(0.5))
    space, box = base.RealVectorStateSpace(1), base.RealVectorBounds(1)
    box.setLow(-4)
    box.setHigh(4)
    space.setBounds(box)
    motions = ccd.robot.ompl.motion_validator(base.SpaceInformation(space), checker)
    assert checker.free([3.1], [-3.1]) and not motions.checkMotion(*states(base, space, [3.1], [-3.1]))


def test_ompl_refuses_other_spaces(base):
    checker = Checker(arm("revolute", "revolute"))
    other = base.CompoundStateSpace()
    other.addSubspace(base.SE2StateSpace(), 1.0)
    turn = base.CompoundStateSpace()
    for _ in range(2):
        turn.addSubspace(base.SO2StateSpace(), 1.0)
    for space, message in (
        (base.RealVectorStateSpace(3), "the space has 3 values: must have 2"),
        (other, "part 0 of the space is SE2StateSpace"),
        (turn, "value 0 is an angle of SO.2., but a turn of joint 'j0' does not bring all links back"),
    ):
        with pytest.raises(ccd.Error, match=message):
            ccd.robot.ompl.motion_validator(base.SpaceInformation(space), checker)
    free = Robot("r", ["a", "b"], [[], [BAR]], [JointModel.moving("j", "prismatic", 0, 1, 0)], ["j"])
    for call, message in (
        (lambda: ccd.robot.ompl.state_space(Checker(free)), r"joint 'j' has limits \[-inf, inf\]: give bounds\['j'\]"),
        (lambda: ccd.robot.ompl.state_space(checker, {"k": (0, 1)}), "bounds: 'k' is no joint of the checker"),
        (lambda: ccd.robot.ompl.state_space(checker, 3), "bounds is int"),
        (lambda: ccd.robot.ompl.state_space("x"), "checker is str"),
        (lambda: ccd.robot.ompl.motion_validator("x", checker), "info is str"),
    ):
        with pytest.raises(ccd.Error, match=message):
            call()
    assert ccd.robot.ompl.state_space(Checker(free), {"j": (0, 1)}).getBounds().high[0] == 1


def test_without_ompl_an_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ompl", None)
    with pytest.raises(ImportError, match="pip install ompl"):
        ccd.robot.ompl.state_space(Checker(arm("revolute")))


def test_the_example_plans_with_proofs(base):
    command = [sys.executable, EXAMPLE, "--seed", "1", "--samples", "0.1"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    proofs, samples = (re.search(rf"^{how}.*: (\d+) edges .*: (\d+) free", run.stdout, re.M) for how in ("proofs", "samples"))
    assert proofs and samples and int(proofs[1]) == int(proofs[2]) > 1, run.stdout


@pytest.mark.parametrize("kind", ["floating", "free"])
def test_a_plan_for_a_body_that_moves_freely(kind):
    """A rod through a hole: a space of SE(3), whose edges turn by slerp as OMPL interpolates."""
    base, geometric = pytest.importorskip("ompl.base"), pytest.importorskip("ompl.geometric")
    pytest.importorskip("ompl.util").setLogLevel(pytest.importorskip("ompl.util").LOG_NONE)
    parts = ("rot_x", "rot_y", "rot_z", "rot_w") if kind == "floating" else ("rot_w", "rot_x", "rot_y", "rot_z")
    names = [f"b/{part}" for part in ("trans_x", "trans_y", "trans_z", *parts)]
    robot = Robot("rod", ["world", "rod"], [[], [Shape.box([0.6, 0.1, 0.1])]], [JointModel.several("b", kind, 0, 1, 0)], names)
    wall = [Shape.box([0.02, 2, 1]).placed(np.eye(3), [0, s * 1.15, 0]) for s in (-1, 1)]
    wall += [Shape.box([0.02, 0.3, 1]).placed(np.eye(3), [0, 0, s * 0.65]) for s in (-1, 1)]
    checker = Checker(robot, {"wall": wall})
    space = ccd.robot.ompl.state_space(checker, {name: (-1, 1) for name in names[:3]})
    assert isinstance(space, base.SE3StateSpace)
    setup = geometric.SimpleSetup(space)
    info = setup.getSpaceInformation()
    valid, motions = ccd.robot.ompl.state_validity_checker(info, checker), ccd.robot.ompl.motion_validator(info, checker)
    setup.setStateValidityChecker(valid)
    info.setMotionValidator(motions)
    start, goal = info.allocState(), info.allocState()
    start.setXYZ(-0.8, 0, 0)
    start.rotation().setAxisAngle(0, 0, 1, np.pi / 2)
    goal.setXYZ(0.8, 0.1, 0)
    goal.rotation().setAxisAngle(0, 1, 0, 1.2)
    values = ccd.robot.ompl._Values(info, checker)
    assert np.allclose(robot.place(values.of(start))["rod"][:3, 0], [0, 1, 0], atol=1e-12)
    assert not motions.checkMotion(start, goal)  # the rod is across the hole
    setup.setStartAndGoalStates(start, goal)
    setup.setPlanner(geometric.RRTConnect(info))
    setup.solve(20)
    points = [values.of(state) for state in setup.getSolutionPath().getStates()]
    assert setup.haveExactSolutionPath() and ccd.robot.check(robot, ccd.robot.Path(names, points), {"wall": wall}).free
    with pytest.raises(ccd.ArgumentError, match="checker: joint 'b' moves in part"):
        ccd.robot.ompl.state_space(Checker(robot, rest={names[3]: 0.0}), {name: (-1, 1) for name in names[:3]})
    with pytest.raises(
        ccd.ArgumentError, match="part 0 of the space is RealVectorStateSpace, but value 0 is of joint 'b/trans_x'"
    ):
        ccd.robot.ompl.motion_validator(base.SpaceInformation(base.RealVectorStateSpace(7)), checker)
