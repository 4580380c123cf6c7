"""Motions that are not straight: how they are made, pairs of them, and their errors."""

import copy
import math
import pickle

import numpy as np
import pytest

import ccd

FACE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
DIP = [[[0.2, 0.2, 1], *FACE], [[0.2, 0.2, -1.5], *FACE], [[0.2, 0.2, 1], *FACE]]
PLATE = [[1, 0, 0], [0, 0.5, -1], [2, 0.5, -1], [1, 0.5, 2]]
ONE_MOVES = [[1, 0], [0, 1], [0, 1], [0, 1]]


def test_a_parabola():
    m = ccd.Motion(DIP)
    assert (m.vertices, m.degree, m.pieces) == (4, 2, 1)
    assert m.times.tolist() == [0, 1] and (m.control[0] == DIP).all() and (m.radius == 0).all()
    hit = m.pair("vertex-face", range(4))
    assert hit.certified and (hit.a, hit.b) == (-1, -1)
    assert hit.toi_lo <= 0.5 - math.sqrt(0.05) <= hit.toi_hi + 1e-16
    assert m.pair("vf", range(4), t_max=0.25).separate
    assert m.pair("vf", range(4), min_separation=1).initial


def test_degree_one_has_the_bits_of_pairs():
    r = np.random.default_rng(5)
    for kind in ccd.Kind:
        for q in r.integers(-2, 3, (50, 2, kind.points, 3)).astype(float):
            for options in ({}, {"min_separation": 0.25}, {"min_separation": 0.25, "norm": "max"}):
                want = ccd.pair.solve(kind, q.reshape(-1, 3), **options)
                assert ccd.Motion(q).pair(kind, range(kind.points), **options) == want


def test_pairs_do_not_depend_on_threads():
    r = np.random.default_rng(6)
    m = ccd.Motion(r.uniform(-1, 1, (4, 40, 3)))
    index = np.array([r.permutation(40)[:4] for _ in range(300)])
    one, three = (m.pairs("ee", index, threads=n) for n in (1, 3))
    assert one.tobytes() == three.tobytes()
    assert (one["a"] == np.arange(300)).all() and (one["verdict"] == ccd.Verdict.CONTACT).sum() > 10
    for i in range(5):
        assert m.pair("ee", index[i]).toi_lo == one["toi_lo"][i]


def test_constructors_go_where_they_should():
    x, v, a = (np.random.default_rng(7).uniform(-1, 1, (3, 3)) for _ in range(3))
    m = ccd.Motion.accelerated(x, v, a)
    assert np.allclose(m.at(0.3), x + 0.3 * v + 0.045 * a, rtol=0, atol=1e-15)
    m = ccd.Motion.hermite([x, v, a], np.ones((3, 3, 3)), [0, 0.25, 1])
    assert np.allclose(m.at(0.25), v, rtol=0, atol=1e-15) and m.radius.max() < 1e-14
    turn = ccd.rigid.Motion(angular_velocity=(1, 2, 3), velocity=(0, 1, 0), position=(1, 1, 1), pivot=(0, 0, 1))
    body = ccd.Motion.rigid(x, turn)
    for t in (0, 0.37, 1):
        at, radius = body.enclose(t)
        assert (np.linalg.norm(at - turn.at(t, x), axis=1) <= radius + 1e-15).all() and radius.max() < 1e-2
    quintic = ccd.Motion.rigid(x, turn, pieces=4, degree=5)
    assert quintic.degree == 5 and quintic.pieces == body.pieces == 4
    w = math.sqrt(14) / 4  # what a piece turns by
    assert quintic.radius.max() == pytest.approx(body.radius.max() * w**2 * 384 / 46080, rel=1e-6)
    np.testing.assert_allclose(quintic.at(0.3), body.at(0.3), atol=2 * body.radius.max())
    assert ccd.Motion.skinned(x, [turn], np.ones((3, 1)), degree=5).radius.max() == quintic.radius.max()
    arm = [ccd.motion.Joint("revolute", value1=1.0)]
    assert ccd.Motion.chain(x, [0, 0, -1], arm, degree=5).control.shape == (1, 6, 3, 3)
    skin = ccd.Motion.skinned(x, [turn, ccd.rigid.Motion()], np.full((3, 2), 0.5), pieces=50)
    assert np.allclose(skin.at(0.37), 0.5 * (turn.at(0.37, x) + x), rtol=0, atol=1e-6)
    matrix = [np.eye(3), 2 * np.eye(3), np.diag([1, 2, 3])]
    assert np.allclose(ccd.Motion.affine(x, matrix, np.zeros((3, 3))).at(1), x * [1, 2, 3], rtol=0, atol=1e-15)
    slide = ccd.motion.Joint("prismatic", axis=(0, 0, 2), value0=1, value1=3)
    moved = ccd.Motion.chain(x, [0, 0, -1], [slide]).at(0.5) - x
    assert np.allclose(moved, [[0, 0, 2], [0, 0, 2], [0, 0, 0]], rtol=0, atol=1e-15)


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6, 1e-8])
def test_arcs_that_pass_are_separate(gap):
    still, half = ccd.rigid.Motion(), ccd.rigid.Motion(angular_velocity=(0, 0, math.pi))
    for sign in (1, -1):
        y = 1 + sign * gap
        m = ccd.Motion.skinned([[1, 0, 0], [-1, y, -1], [1, y, -1], [0, y, 2]], [half, still], ONE_MOVES)
        hit = m.pair("vf", range(4), tolerance=1e-9)
        if sign > 0:
            assert hit.separate
        else:
            true = math.asin(y) / math.pi
            assert hit.contact and not hit.certified
            assert 0 <= true - hit.toi_lo <= 1.01e-9 / (math.pi * math.cos(math.pi * true))


def test_errors_name_the_argument():
    with pytest.raises(ccd.NonFiniteError, match=r"control\[0\]\[1\]\[2\]\[0\] is nan|control\[0\]\[1\]\[2\]\[0\] is NaN"):
        bad = np.array(DIP)
        bad[1, 2, 0] = np.nan
        ccd.Motion(bad)
    cases = [
        (lambda: ccd.Motion([[0, 0, 0]]), "control has shape"),
        (lambda: ccd.Motion(np.zeros((7, 1, 3))), "degree is 6"),
        (lambda: ccd.Motion(DIP, times=[0, 0.5, 1]), "times has 3 items"),
        (lambda: ccd.Motion(DIP, times=[0, 0.5]), r"times\[1\] is 0.5"),
        (lambda: ccd.Motion(DIP, radius=[1, 2]), "radius has shape"),
        (lambda: ccd.Motion(DIP, radius=-1), r"radius\[0\]\[0\] is -1"),
        (lambda: ccd.Motion(np.zeros((0, 2, 1, 3))), "pieces is 0"),
        (lambda: ccd.Motion.accelerated(FACE, FACE, FACE[:2]), "a has 2 rows"),
        (lambda: ccd.Motion.hermite([FACE], [FACE]), "x has shape"),
        (lambda: ccd.Motion.bspline([FACE, FACE], [0, 0, 1]), "knots has 3 items"),
        (lambda: ccd.Motion.affine(FACE, np.eye(3), [[0, 0, 0]]), "matrix has shape"),
        (lambda: ccd.Motion.rigid(FACE, None), "body is"),
        (lambda: ccd.Motion.rigid(FACE, ccd.rigid.Motion(), degree=4), "degree is 4: must be 3 or 5"),
        (lambda: ccd.Motion.chain(FACE, [-1] * 3, [], degree=0), "degree is 0: must be 3 or 5"),
        (lambda: ccd.Motion.skinned(FACE, [ccd.rigid.Motion()], [[1, 2]]), "weights has shape"),
        (lambda: ccd.Motion.chain(FACE, [0, 0, 0], [ccd.motion.Joint("hinge")]), r"joints\[0\].kind is 'hinge'"),
        (lambda: ccd.Motion.chain(FACE, [0, 0, 0], [ccd.motion.Joint(["fixed"])]), r"joints\[0\].kind is \['fixed'\]"),
        (lambda: ccd.Motion.chain(FACE, [0, 0], [ccd.motion.Joint("fixed")]), r"links has shape \(2,\): must be \(3,\)"),
        (lambda: ccd.Motion.chain(FACE, [[0, 0, 0]], [ccd.motion.Joint("fixed")]), r"links has shape \(1, 3\)"),
        (lambda: ccd.Motion.chain(FACE, [0, 0, 0], None), "joints is NoneType"),
        (lambda: ccd.Motion.chain(FACE, [0] * 3, [ccd.motion.Joint("fixed", axis=(0, 1))]), r"joints\[0\].axis has shape"),
        (lambda: ccd.Motion.chain(FACE, [0] * 3, [ccd.motion.Joint("fixed", rotation=np.eye(3) * 2)]), r"joints\[0\].rotation"),
        (lambda: ccd.Motion.skinned(FACE, None, [[1], [1], [1]]), "bones is NoneType"),
        (
            lambda: ccd.Motion.rigid(FACE, ccd.rigid.Motion(velocity=(math.nan, 0, 0))),
            r"body.velocity\[0\] is NaN: must be finite and at most 1e60 in magnitude$",
        ),
        (lambda: ccd.Motion(DIP).cut([1, 1]), "ends has 2 items: must have 4"),
        (lambda: ccd.Motion.chain(FACE, [0, 0, 1], [ccd.motion.Joint("fixed")]), r"links\[2\] is 1"),
        (lambda: ccd.Motion(DIP).at(2), "t is 2"),
        (lambda: ccd.Motion(DIP).pair("vf", [0, 1, 2]), r"vertices has shape \(3,\): must be \(4,\)"),
        (lambda: ccd.Motion(DIP).pair("vf", [[0, 1], [2, 3]]), r"vertices has shape \(2, 2\): must be \(4,\)"),
        (lambda: ccd.Motion(DIP).pair("vf", [0, 1, 2, 4]), r"vertices\[3\] is 4"),
        (lambda: ccd.Motion(DIP).pair("vf", range(4), method="tight-inclusion"), "tight-inclusion"),
    ]
    for call, words in cases:
        with pytest.raises(ccd.Error, match=words):
            call()


def test_closed_motions_are_refused():
    with ccd.Motion(DIP) as m:
        assert m.pair("vf", range(4)).contact
    with pytest.raises(ccd.HandleError):
        m.at(0)
    for copied in pickle.dumps, copy.copy, copy.deepcopy:
        with pytest.raises(ccd.HandleError):
            copied(m)


class Named(ccd.Motion):
    """A user's subclass."""

    name = "none"


def _every_motion() -> dict[str, ccd.Motion]:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(4, 3))
    turn = ccd.rigid.Motion(rotation=(1, 2, 3, 4), angular_velocity=(1, 2, 0.5), pivot=(0.1, 0.2, 0.3))
    arm = [ccd.motion.Joint("revolute", value1=1.5), ccd.motion.Joint("prismatic", parent=0, position=(1, 0, 0), value1=-0.5)]
    weights = rng.random((4, 2))
    return {
        "control": ccd.Motion(DIP),
        "pieces and radii": ccd.Motion(rng.normal(size=(1, 4, 5, 3)).repeat(2, 0)[:, [0, 1, 2, 0]], [0, 0.3, 1], 0.125),
        "negative zero": ccd.Motion(-np.zeros((2, 2, 3))),
        "accelerated": ccd.Motion.accelerated(x, x, x),
        "hermite": ccd.Motion.hermite([x, x + 1, x], [x, x, x], [0, 0.25, 1]),
        "bspline": ccd.Motion.bspline([x, x + 1, x, x], [0, 0, 0, 0.5, 1, 1, 1]),
        "affine": ccd.Motion.affine(x, rng.normal(size=(3, 3, 3)), rng.normal(size=(3, 3))),
        "rigid": ccd.Motion.rigid(x, turn),
        "quintic": ccd.Motion.rigid(x, turn, pieces=3, degree=5),
        "skinned": ccd.Motion.skinned(x, [turn, ccd.rigid.Motion()], weights, pieces=2),
        "chain": ccd.Motion.chain(x, [0, 1, 1, -1], arm),
        "cut": ccd.Motion.accelerated(x, x, x).cut([0.3, 0.5, 1, 0]),
        "loaded": ccd.Motion(ccd.Motion.rigid(x, turn).control, radius=ccd.Motion.rigid(x, turn).radius),
    }


@pytest.mark.parametrize("name", _every_motion())
def test_copies_have_the_same_bits(name):
    motion = _every_motion()[name]
    kinds = {4: ("vf", "ee", "pe", "pp"), 2: ("pp",), 5: ("vf", "ee", "pe", "pp")}[motion.vertices]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        held = pickle.dumps(motion, protocol)
    for twin in pickle.loads(held), copy.copy(motion), copy.deepcopy(motion), pickle.loads(pickle.dumps(pickle.loads(held))):
        assert type(twin) is ccd.Motion and twin is not motion and repr(twin) == repr(motion)
        for field in "control", "times", "radius":
            assert getattr(twin, field).tobytes() == getattr(motion, field).tobytes()
        for kind in kinds:
            index = range({"vf": 4, "ee": 4, "pe": 3, "pp": 2}[kind])
            for tolerance in 1e-3, 1e-12:  # bodies are enclosed anew on halves
                options = {"min_separation": 0.05, "tolerance": tolerance}
                assert twin.pair(kind, index, **options) == motion.pair(kind, index, **options)
        twin.close()
    motion.at(0.5)  # it is not freed with its copies


def test_pickles_of_bodies_hold_what_they_are_made_of():
    x = np.random.default_rng(3).normal(size=(500, 3))
    motion = ccd.Motion.rigid(x, ccd.rigid.Motion(angular_velocity=(0, 0, 3)), pieces=40)
    control = motion.control
    x[:] = 0  # the caller's array is not what is kept
    held = pickle.dumps(motion)
    assert len(held) < control.nbytes / 50
    assert pickle.loads(held).control.tobytes() == control.tobytes()


def test_copies_of_a_subclass():
    motion = Named.rigid([[1, 0, 0]], ccd.rigid.Motion(angular_velocity=(0, 0, 1)))
    motion.name = "wheel"
    for twin in pickle.loads(pickle.dumps(motion)), copy.deepcopy(motion):
        assert type(twin) is Named and twin.name == "wheel"
    motion.path = lambda t: t  # a user's callback
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(motion)


def test_joints_can_be_pickled():
    joint = ccd.motion.Joint("revolute", position=(1, 2, 3), value1=0.5)
    assert pickle.loads(pickle.dumps(joint)) == joint == copy.deepcopy(joint)


def test_radii_add_up():
    # Two parabolas bulge by 0.009 each. Their chords are 0.0135 apart or more: less than both radii, more than one.
    d0, d1, b = 0.01845, 0.0135, 0.009
    y = [d0 / 2, (d0 + d1) / 4 - 2 * b, d1 / 2]
    paths = ccd.Motion([[[0, -h, 0], [0, h, 0]] for h in y])
    true = paths.pair("pp", [0, 1])
    assert true.certified and abs(true.toi_lo - 0.363) < 0.01
    tube = ccd.Motion([[[0, -h, 0], [0, h, 0]] for h in (y[0], y[2])], radius=b)
    hit = tube.pair("pp", [0, 1])
    assert hit.contact and not hit.certified and hit.toi_lo <= true.toi_lo
