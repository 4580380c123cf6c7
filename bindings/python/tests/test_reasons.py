"""Why a result is undecided: in flags, in `reason`, and in words, for every kind of result."""

import re

import numpy as np
import pytest
from test_abi import HEADER

import ccd
from ccd.patch import Body, Form
from ccd.rigid import Motion

VF = [0.2, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.3, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0]
UP, DOWN = np.array([0, 0, 1.0]), np.array([0.3, 0.2, -1])
SPENT = {"method": "tight-inclusion", "max_iterations": 16}


def test_flags_are_those_of_the_header():
    given = {name: int(value) for name, value in re.findall(r"#define CCD_REASON_(\w+) (\d+)u", HEADER)}
    assert given == {reason.name: reason.value for reason in ccd.Reason}
    for reason in ccd.Reason:
        assert reason.text.startswith(f"{reason}: ")


def check(hit, reason):
    """The reason of one impact in its attribute, its record, its text and its dict; the budget beside an area."""
    assert hit.verdict == ccd.Verdict.UNDECIDED and hit.reason is ccd.Reason(reason)
    assert str(hit).startswith("undecided from ") and f"({ccd.Reason(reason).text})" in str(hit)
    assert hit.as_dict()["reason"] == reason
    assert bool(hit.flags & ccd.Reason.AREA) == (reason == "area")
    assert bin(hit.flags & (ccd.Reason.ITERATIONS | ccd.Reason.MEMORY | ccd.Reason.COARSE)).count("1") == 1


def test_pairs_and_steps():
    check(ccd.pair.vertex_face(VF, **SPENT), "iterations")
    x0, x1 = np.reshape(VF, (2, 4, 3))
    mesh = ccd.Mesh(faces=[[1, 2, 3]], vertices=4)
    check(ccd.step.earliest(mesh, x0, x1, **SPENT), "iterations")
    listed = ccd.step.collisions(mesh, x0, x1, **SPENT)
    assert listed["flags"].tolist() == [ccd.Reason.ITERATIONS]
    decided = ccd.step.earliest(mesh, x0, x1)
    assert decided.reason is None and decided.as_dict()["reason"] is None
    assert re.fullmatch(r"contact in \[0\.5, 0\.5\], vertex-face 0 0", str(decided))
    assert str(ccd.step.earliest(mesh, x0, x0)) == "separate"


CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FACES = [[q[0], q[i], q[i + 1]] for q in QUADS for i in (1, 2)]


def test_rigid_bodies():
    cube = ccd.rigid.Body(CUBE, FACES)
    a = Motion(position=(-2, 0, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 1))
    b = Motion(position=(0, 1.2, 0), angular_velocity=(0, 1, 0))
    for method in "default", "d2m":
        check(ccd.rigid.earliest(cube, a, cube, b, t_max=4, max_iterations=100, method=method), "iterations")
    assert ccd.rigid.earliest(cube, a, cube, b, t_max=4).reason is None


def test_rigid_bodies_whose_tolerance_is_below_rounding():
    cube = ccd.rigid.Body(CUBE, FACES)
    a = Motion(position=(2.0**30 - 4, 0.1, 0.2), velocity=(1, 0, 0), angular_velocity=(0.3, 0.2, 1))
    b = Motion(position=(2.0**30, 0, 0), angular_velocity=(0, 1, 0.5))
    check(ccd.rigid.earliest(cube, a, cube, b, t_max=8, tolerance=1e-15), "coarse")


def test_motions_that_turn():
    """A chain whose end meets a face that rests: one halving is not enough for a tolerance of 1e-12."""
    x = np.array([[1.0, 0, 0], [-1, 0.5, -1], [1, 0.5, -1], [1, 0.5, 2]])
    arm = ccd.Motion.chain(x, [0, -1, -1, -1], [ccd.motion.Joint("revolute", value1=1.0)])
    pair = "vertex-face", [[0, 1, 2, 3]]
    found = ccd.Impact.from_record(arm.pairs(*pair, tolerance=1e-12)[0])
    assert found.contact and abs(found.toi_lo - np.pi / 6) < 1e-9
    check(ccd.Impact.from_record(arm.pairs(*pair, tolerance=1e-12, max_iterations=1)[0]), "iterations")


def test_volumes():
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1], [0.2, 0.3, 1], [1.2, 0.3, 2], [0.2, 1.3, 2], [0.2, 0.3, 2.0]])
    x1 = x0 - np.outer(np.arange(8) > 3, [0, 0, 2])
    volume = ccd.volume.Volume(8, ["tetrahedron"] * 2, [0, 1, 2, 3, 4, 5, 6, 7])
    hit = ccd.volume.earliest(volume, x0, x1, **SPENT)
    check(hit.impact, "iterations")


def test_edges_of_robots():
    bar = ccd.robot.Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])
    turn = ccd.robot.JointModel.moving("turn", "revolute", 0, 1, source=0)
    arm = ccd.robot.Robot("arm", ["base", "arm"], [[], [bar]], [turn], ["turn"])
    y = np.hypot(1, 0.05) + 1e-7  # the tip passes at this distance
    plate = ccd.Surface(np.array([[-0.2, y, -0.3], [0.2, y, -0.3], [0.2, y, 0.3], [-0.2, y, 0.3]]), [], [[0, 1, 2], [0, 2, 3]])
    path = ccd.robot.Path(["turn"], [[1], [2.2]])
    for options, reason in (({}, "tolerance"), ({"max_steps": 2}, "iterations"), ({"tolerance": 1e-300}, "")):
        [edge] = ccd.robot.check(arm, path, {"plate": plate}, **options).edges
        assert edge.reason == reason and (str(edge.verdict) == "undecided") == (reason != ""), options


def bowl(z):
    """z + (x - 0.5)^2 + (y - 0.5)^2, as control points."""
    one = [(0.0, 0.25), (0.5, -0.25), (1.0, 0.25)]
    return np.array([[x, y, z + a + b] for x, a in one for y, b in one])


def test_patches():
    form = Form.quad(2, 2)
    down = {"a0": bowl(1), "a1": bowl(-1), "b0": bowl(0) * [1, 1, -1], "b1": bowl(0) * [1, 1, -1]}

    def pair(a0, a1, b0, b1, **options):
        return ccd.patch.pair(form, a0, a1, form, b0, b1, **options)

    check(pair(**down, max_iterations=3), "iterations")
    check(pair(**down, memory_limit=1), "memory")
    assert pair(**down).reason is None


def test_patches_with_weights_far_apart():
    form, x, w = Form.quad(1, 1), np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0.0]]), [1, 1e9, 1e18, 1e27]
    hit = ccd.patch.pair(form, x + UP, x + DOWN, form, x, x, weights_a=w, weights_b=w[::-1])
    check(hit, "coarse")


def channel(bend, up):
    """Control points of z = bend x^2 + up over x in [-1/2, 1/2] and y in [0, 1]: more than quadrics are fitted to."""
    x, y = np.linspace(-0.5, 0.5, 10), np.linspace(0, 1, 4)
    i = np.arange(10)
    z = bend * 0.25 * (2 * (i * (i - 1) + (9 - i) * (8 - i)) / 72 - 1) + up
    return np.array([[a, b, c] for a, c in zip(x, z, strict=True) for b in y])


@pytest.mark.parametrize("limit, spent", [({"max_iterations": 5000}, "ITERATIONS"), ({"memory_limit": 1 << 19}, "MEMORY")])
def test_contact_along_a_curve(limit, spent):
    """A channel is lowered into one that is bent a little less: they meet along a line."""
    body, lower = Body(40, Form.quad(9, 3), [list(range(40))]), channel(0.998, 0)
    hit = ccd.patch.earliest(body, channel(1, 1), channel(1, -1), body, lower, lower, threads=1, tolerance=1e-10, **limit)
    check(hit, "area")
    assert hit.flags & ccd.Reason[spent]


def test_what_a_body_leaves_open_against_itself():
    """From t_from on parts within the neighbourhood may touch: a narrower one decides."""
    r, s = np.random.default_rng(1), np.linspace(0, 1, 4)
    body = Body(16, Form.quad(3, 3), [list(range(16))])
    x0 = np.array([[u, v, 0] for u in s for v in s]) + r.normal(0, 0.05, (16, 3))
    x1 = x0.reshape(4, 4, 3).copy()
    x1[0, :, 0], x1[0, :, 2], x1[1:3, :, 2] = 1.05, -0.15, 1.2
    x1 = x1.reshape(16, 3) + r.normal(0, 0.02, (16, 3))
    hit, left = ccd.patch.self_earliest(body, x0, x1, neighbourhood=1 / 4)
    assert hit.contact and left.pairs > 0 and left.t_from < hit.toi_lo
    narrow, none = ccd.patch.self_earliest(body, x0, x1)
    assert none.pairs == 0 and narrow.toi_lo == hit.toi_lo


def test_a_call_that_failed_has_no_reason():
    record = np.zeros(1, ccd.impact_dtype)
    hit = ccd.Impact.from_record(record[0])
    assert hit.verdict == ccd.Verdict.UNDECIDED and hit.reason is None and "(" not in str(hit)
