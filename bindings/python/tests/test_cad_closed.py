"""Closed mechanisms of assemblies: positions beside closed formulas, answers that count the radii, errors."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest

import ccd

pytest.importorskip("OCP.BRepPrimAPI", reason="Open CASCADE (cadquery-ocp-novtk) is not there")

import cad_shapes as shapes

from ccd.cad import Joint, Loop

PIN = Loop("pin", "rod", "piston", (80, 0, 0))


def engine():
    """A crank of 20, a rod of 60 and a piston, whose face is 5 from the head where the crank points to it."""
    parts = {
        "crank": shapes.box(26, 6, 4, (-3, -3, 0)),
        "rod": shapes.box(66, 6, 4, (17, -3, 5)),
        "piston": shapes.box(15, 6, 4, (75, -3, 10)),
        "head": shapes.box(4, 6, 4, (95, -3, 10)),
    }
    joints = [
        Joint("crank", "revolute", ["crank"], (0, 0, 1)),
        Joint("rod", "revolute", ["rod"], (0, 0, 1), (20, 0, 0), "crank"),
        Joint("piston", "prismatic", ["piston"], (1, 0, 0)),
    ]
    return ccd.cad.Assembly.of(parts), joints


def four_bar(turn=None, shift=(0.0, 0.0, 0.0)):
    """A crank of 10, a coupler of 30, a rocker of 30, 30 between the hinges of both, in any plane; and its closed formula."""
    r = np.eye(3) if turn is None else turn
    end = np.array([20.0, math.sqrt(30**2 - 10**2), 0])  # at rest the crank points to the hinge of the rocker, 20 away
    flat = {"crank": ((0, 0, 0), (10, 0, 0)), "coupler": ((10, 0, 0), end), "rocker": ((30, 0, 0), end)}
    parts = {}
    for k, (name, (p, q)) in enumerate(flat.items()):
        way = np.subtract(q, p)
        bar = shapes.box(float(np.linalg.norm(way)), 1, 1, (0, -0.5, 3 * k - 0.5))
        m = np.eye(4)
        x = way / np.linalg.norm(way)
        m[:3, :3] = r @ np.column_stack([x, np.cross([0, 0, 1], x), [0, 0, 1]])
        m[:3, 3] = r @ np.array(p, float) + shift
        parts[name] = bar, m
    assembly = ccd.cad.Assembly.of({n: s for n, (s, _) in parts.items()}, {n: m for n, (_, m) in parts.items()})
    at = {name: r @ np.array(p, float) + shift for name, (p, _) in flat.items()}
    axis = r @ [0.0, 0, 1]
    joints = [
        Joint("crank", "revolute", ["crank"], axis, at["crank"]),
        Joint("coupler", "revolute", ["coupler"], axis, at["coupler"], "crank"),
        Joint("rocker", "revolute", ["rocker"], axis, at["rocker"]),
    ]
    loop = Loop("pin", "coupler", "rocker", r @ end + shift, axis)

    def exact(q):
        """The turns of the coupler against the crank, and of the rocker, by two circles that meet."""
        pin = 10 * np.array([math.cos(q), math.sin(q)])
        to = np.array([30.0, 0]) - pin
        far = math.hypot(*to)
        middle, up = pin + to / 2, math.sqrt(30**2 - far**2 / 4)
        meet = middle + up * np.array([-to[1], to[0]]) / far
        if meet @ [0, 1] < 0:
            meet = middle - up * np.array([-to[1], to[0]]) / far
        first = math.atan2(end[1], end[0] - 10), math.atan2(end[1], end[0] - 30)
        now = math.atan2(meet[1] - pin[1], meet[0] - pin[0]), math.atan2(meet[1], meet[0] - 30)
        return now[0] - first[0] - q, now[1] - first[1]

    return assembly, joints, loop, exact


def turned(x):
    """An angle, less whole turns."""
    return (x + math.pi) % math.tau - math.pi


def test_a_slider_crank_is_its_formula():
    assembly, joints = engine()
    drive = ccd.cad.close(assembly, joints, [PIN], [0, 1], {"crank": [-0.5, math.tau - 0.5]})
    assert set(drive.errors) == {"rod", "piston"} and max(drive.errors.values()) < 1.3e-7
    for t in np.linspace(0, 1, 97):
        q, found = math.tau * t - 0.5, drive.values_at(t)
        lean = math.asin(20 / 60 * math.sin(q))
        assert abs(found["rod"] + q + lean) <= drive.errors["rod"] + 1e-14
        assert abs(found["piston"] - (20 * math.cos(q) + 60 * math.cos(lean) - 80)) <= drive.errors["piston"] + 1e-12
        at = drive.at(t)
        ends = at[1] @ [80, 0, 0, 1] - at[2] @ [80, 0, 0, 1]
        assert np.linalg.norm(ends[:3]) <= 2 * drive._loose


@pytest.mark.parametrize("seed", [None, 2])
def test_a_four_bar_in_any_plane_is_its_formula(seed):
    turn, shift = None, (0.0, 0.0, 0.0)
    if seed is not None:
        rng = np.random.default_rng(seed)
        turn = ccd.cad._turns.rotation(rng.normal(size=3))
        shift = rng.normal(size=3) * 100
    assembly, joints, loop, exact = four_bar(turn, shift)
    drive = ccd.cad.close(assembly, joints, [loop], [0, 2, 3], {"crank": [0.3, 3.5, 4.7]})
    assert drive._rows < 300  # far from the origin, too
    for t in np.linspace(0, 3, 61):
        q = float(np.interp(t, [0, 2, 3], [0.3, 3.5, 4.7]))
        found = drive.values_at(t)
        assert found["crank"] == pytest.approx(q, abs=1e-14)
        coupler, rocker = exact(q)
        # Axes and points are rounded, which the proof takes as they are, and the formula does not.
        assert abs(turned(found["coupler"] - coupler)) <= drive.errors["coupler"] + 1e-12
        assert abs(turned(found["rocker"] - rocker)) <= drive.errors["rocker"] + 1e-12


def test_screws_stay_within_the_padding_of_a_closed_mechanism():
    assembly, joints, loop, exact = four_bar()
    drive = ccd.cad.close(assembly, joints, [loop], [0, 1], {"crank": [0, 3.0]})
    chains = drive.chains
    pieces = drive._pieces(0.5)
    cut = [half for piece in pieces[::3] for half in piece.halves()]
    assert len(pieces) > 3 and cut and max(p.padding.max() for p in cut) > 1e-4
    worst = 0.0
    for piece in [*pieces, *cut]:
        for share in (0.0, 0.3, 0.5, 0.8, 1.0):
            q = 3.0 * (piece.t0 + share * (piece.t1 - piece.t0))
            true = chains.links(np.array([q, *exact(q)]))
            for k in range(3):
                corners = chains.boxes[k]
                m = assembly.parts[k].matrix
                there = piece.motions[k].at(share * (piece.t1 - piece.t0), (corners - m[:3, 3]) @ m[:3, :3])
                off = np.linalg.norm(there - (corners @ true[k][:3, :3].T + true[k][:3, 3]), axis=1).max()
                assert off <= piece.padding[k] + 1e-12
                worst = max(worst, off / max(piece.padding[k], 1e-9))
    assert worst > 0.1  # the padding is no more than ten times what is needed
    assert all(p.padding.max() < q.padding.max() for q in pieces[:3] for p in q.halves())


def test_answers_count_the_radii():
    """The piston strikes a head that is 1 too near at a time with a formula; with large radii brackets are wider by them."""
    assembly, joints = engine()
    found = []
    for tolerance in (1e-9, 1e-4):
        drive = ccd.cad.close(assembly, joints, [PIN], [0, 1], {"crank": [-2.0, 0.0]}, tolerance=tolerance)
        gap = ccd.cad.least_clearance(drive, "piston", "head", tolerance=1e-3)
        assert gap.verdict == "clear" and gap.lo <= 5 <= gap.hi and gap.time == pytest.approx(1.0, abs=1e-2)
        found.append((gap, drive))
    wide = [gap.hi - gap.lo for gap, _ in found]
    assert wide[0] <= 1.01e-3 and wide[1] >= 2 * found[1][1].errors["piston"]
    row = ccd.cad.profile(found[1][1], "piston", "head", [1.0])[0]
    assert row[0] <= 5 - found[1][1].errors["piston"] and row[1] >= 5 + found[1][1].errors["piston"]


def test_a_contact_of_a_closed_mechanism():
    assembly, _ = engine()
    longer = [Joint("crank", "revolute", ["crank"], (0, 0, 1)),
              Joint("rod", "revolute", ["rod"], (0, 0, 1), (20, 0, 0), "crank"),
              Joint("piston", "prismatic", ["piston", "bolt"], (1, 0, 0))]  # fmt: skip
    parts = {p.name: p.product.shape for p in assembly.parts} | {"bolt": shapes.box(7, 2, 2, (89, -1, 11))}
    assembly = ccd.cad.Assembly.of(parts)  # the bolt is 1 into the head where the crank points to it
    drive = ccd.cad.close(assembly, longer, [PIN], [0, 1], {"crank": [-2.0, 0.0]})
    hit = ccd.cad.first_contact(drive, "bolt", "head")
    low, high = -2.0, 0.0
    for _ in range(100):
        q = 0.5 * (low + high)
        at = 20 * math.cos(q) + math.sqrt(3600 - (20 * math.sin(q)) ** 2)
        low, high = (q, high) if at < 79 else (low, q)
    exact = (0.5 * (low + high) + 2) / 2
    assert hit.verdict == "contact" and hit.toi_lo <= exact <= hit.toi_hi and hit.toi_hi - hit.toi_lo < 1e-4
    report = ccd.cad.check(drive, near=1.0, tolerance=1e-2, allow=[("crank", "rod"), ("rod", "piston")])
    assert [(p.a, p.b) for p in report.contacts] == [("head", "bolt")]


def test_an_overlap_must_be_deeper_than_the_padding():
    a = ccd.cad.Assembly.of({"a": shapes.box(2, 2, 2), "b": shapes.box(2, 2, 2, (1.9, 0.5, 0.5))})
    pair = ccd.cad._pairs.Checker(a, None, None, 0.0).pair(0, 1)
    still = ccd.rigid.Motion.from_pose(np.eye(4))
    for padding, sure in ((0.0, True), (0.01, True), (0.2, False)):
        assert pair.crosses(still, still, 0.0, (1.95, 1.0, 1.0), np.array([1.0, 0, 0]), padding) is sure


def test_balls_and_slots():
    # A yoke: the pin of a crank in a slot across the way of a slide. The slide is at 10 cos q.
    parts = {"crank": shapes.box(12, 1, 1), "yoke": shapes.box(2, 30, 1, (9, -15, 2))}
    joints = [Joint("crank", "revolute", ["crank"], (0, 0, 1)), Joint("yoke", "prismatic", ["yoke"], (1, 0, 0))]
    slot = Loop("slot", "crank", "yoke", (10, 0, 0), along=(0, 1, 0))
    drive = ccd.cad.close(ccd.cad.Assembly.of(parts), joints, [slot], [0, 1], {"crank": [0.4, 7.0]})
    for t in np.linspace(0, 1, 23):
        q = 0.4 + 6.6 * t
        assert abs(drive.values_at(t)["yoke"] - (10 * math.cos(q) - 10)) <= drive.errors["yoke"] + 1e-13
    # The rod of an engine as a ball joint at the piston, whose guide is a screw's: two turns of the rod, and the slide.
    assembly, joints = engine()
    joints[1:2] = [
        Joint("lean", "revolute", [], (0, 1, 0), (20, 0, 0), "crank"),
        Joint("rod", "revolute", ["rod"], (0, 0, 1), (20, 0, 0), "lean"),
    ]
    ball = Loop("ball", "rod", "piston", (80, 0, 0))
    drive = ccd.cad.close(assembly, joints, [ball], [0, 1], {"crank": [0, 1.0]})
    at = drive.values_at(1.0)
    assert (
        abs(at["piston"] - (20 * math.cos(1) + math.sqrt(3600 - (20 * math.sin(1)) ** 2) - 80))
        <= drive.errors["piston"] + 1e-12
    )
    assert abs(at["lean"]) <= drive.errors["lean"]


def test_a_screw_that_a_loop_turns():
    """A nut that may not turn is driven along its screw by a slot: an angle of 2 pi times the way over the pitch."""
    parts = {"screw": shapes.cylinder(2, 20), "nut": shapes.box(5, 5, 5)}
    joints = [Joint("nut", "prismatic", ["nut"], (0, 0, 1)), Joint("turn", "screw", ["screw"], (0, 0, 1), pitch=3.0)]
    ball = Loop("slot", "nut", "screw", (0, 0, 5), axis=(0, 1, 0), along=(1, 0, 0))
    with pytest.raises(ccd.ArgumentError, match=r"loops\[0\]\.axis: joint 'nut' of the loop|'turn' of the loop does not turn"):
        ccd.cad.close(ccd.cad.Assembly.of(parts), joints, [ball], [0, 1], {"nut": [0, 7.0]})
    # In space: a ball on the axis of the screw keeps the two together along it; across it the nut's slides are at 0.
    joints += [Joint("x", "prismatic", [], (1, 0, 0)), Joint("y", "prismatic", [], (0, 1, 0), parent="x")]
    joints[0] = Joint("nut", "prismatic", ["nut"], (0, 0, 1), parent="y")
    ball = Loop("ball", "nut", "screw", (0, 0, 5))
    drive = ccd.cad.close(ccd.cad.Assembly.of(parts), joints, [ball], [0, 1], {"nut": [0, 7.0]})
    assert abs(drive.values_at(1)["turn"] - math.tau * 7 / 3) <= drive.errors["turn"] + 1e-13


def test_loops_that_are_open_at_rest_need_a_start():
    assembly, joints = engine()
    apart = Loop("pin", "rod", "piston", (80, 0, 0), point_b=(79, 0, 0))
    with pytest.raises(ccd.ArgumentError, match=r"start is missing: loops\[0\] is open at rest.*'rod', 'piston'"):
        ccd.cad.close(assembly, joints, [apart], [0, 1], {"crank": [0, 1]})
    drive = ccd.cad.close(assembly, joints, [apart], [0, 1], {"crank": [0.2, 1]}, start={"rod": -0.3, "piston": 1})
    exact = 20 * math.cos(0.2) + math.sqrt(3600 - (20 * math.sin(0.2)) ** 2) - 79
    assert abs(drive.values_at(0)["piston"] - exact) <= drive.errors["piston"] + 1e-12
    folded = {"rod": math.pi - 0.2, "piston": -120}  # the other branch: the rod points back
    drive = ccd.cad.close(assembly, joints, [apart], [0, 1], {"crank": [0.2, 1]}, start=folded)
    assert drive.values_at(0)["piston"] == pytest.approx(20 * math.cos(0.2) - 59.868 - 79, abs=0.01)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"values": {"cranc": [0, 1]}}, r"values has 'cranc': no joint has that name"),
    ({"values": {"crank": [0, 1, 2]}}, r"values\['crank'\] has shape \(3,\)"),
    ({"values": {}}, r"loops have 2 equations, and 3 joints of them have no values .*give values of 1 more"),
    ({"values": {"crank": [0, 1], "rod": [0, 1]}}, r"1 joints of them have no values \('piston'\).*leave out values of 1"),
    ({"loops": []}, r"loops is empty: by_joints"),
    ({"loops": ["pin"]}, r"loops\[0\] is .*: must be a ccd.cad.Loop"),
    ({"loops": [Loop("weld", "rod", "piston")]}, r"loops\[0\]\.kind is 'weld'"),
    ({"loops": [Loop("pin", "rot", "piston")]}, r"loops\[0\]\.a: .*'rot'"),
    ({"loops": [Loop("pin", "rod", "pistol")]}, r"loops\[0\]\.b: .*'pistol'"),
    ({"loops": [Loop("pin", "rod", "rod")]}, r"loops\[0\] joins 'rod' and 'rod', which do not move"),
    ({"loops": [Loop("pin", "head")]}, r"loops\[0\] joins 'head' and the ground"),
    ({"loops": [Loop("pin", "rod", "piston", (80, 0))]}, r"loops\[0\]\.point has shape \(2,\)"),
    ({"loops": [Loop("pin", "rod", "piston", (80, math.nan, 0))]}, r"loops\[0\]\.point"),
    ({"loops": [Loop("pin", "rod", "piston", (80, 0, 0), (0, 1, 0))]}, r"loops\[0\]\.axis: joint 'crank' of the loop does not"),
    ({"loops": [Loop("pin", "rod", "piston", (80, 0, 0), (0, 0, 0))]}, r"loops\[0\]\.axis is 0"),
    ({"loops": [Loop("slot", "rod", "piston", (80, 0, 0))]}, r"loops\[0\]\.along must be given for a slot"),
    ({"loops": [Loop("slot", "rod", "piston", (80, 0, 0), along=(0, 0, 2))]}, r"loops\[0\]\.along is parallel"),
    ({"start": {"rod": 0}}, r"start has no 'piston'"),
    ({"start": {"crank": 0}}, r"start has 'crank': must be joints that follow"),
    ({"tolerance": 1.0}, r"tolerance is 1\.0"),
    ({"times": [1, 0]}, r"times\[1\]"),
]


@pytest.mark.parametrize(("change", "text"), WRONG, ids=[text[:30] for _, text in WRONG])
def test_what_a_closed_mechanism_may_not_say(change, text):
    assembly, joints = engine()
    given = {"joints": joints, "loops": [PIN], "times": [0, 1], "values": {"crank": [0, 1]}} | change
    with pytest.raises(ccd.ArgumentError, match=text):
        ccd.cad.close(assembly, **given)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e100])
def test_a_start_that_is_not_finite_is_named(value):
    assembly, joints = engine()
    with pytest.raises(ccd.NonFiniteError, match=re.escape(f"start['piston'] is {value}: not finite or above 1e60")):
        ccd.cad.close(assembly, joints, [PIN], [0, 1], {"crank": [0, 1]}, start={"rod": 0, "piston": value})


def test_a_mechanism_that_locks_or_folds_is_refused_with_the_time():
    assembly, joints = engine()
    # The piston drives the crank: at its dead center the crank may go either way.
    text = r"loops: at the time 0\.\d+ \(piston (-0\.\d+|0|-?\d\.?\d*e-\d+)\): .*singular"
    with pytest.raises(ccd.ArgumentError, match=text):
        ccd.cad.close(assembly, joints, [PIN], [0, 1], {"piston": [-10, 10]}, start={"crank": 0.9, "rod": -1.2})
    # A rod of 60 at a crank of 20, whose hinge is moved 50 off the piston's way: the crank cannot turn around.
    far = [Joint("crank", "revolute", ["crank"], (0, 0, 1), (0, 0, 0)), *joints[1:]]
    short = Loop("pin", "rod", "piston", (35, 0, 0))  # the rod is 15 long, shorter than the crank
    with pytest.raises(ccd.ArgumentError, match=r"loops: at the time 0\.5\d* \(crank 0\.8\d*\): .*singular") as caught:
        ccd.cad.close(assembly, far, [short], [0, 1], {"crank": [0, 1.6]})
    assert "edge" not in str(caught.value)
    locks = math.asin(15 / 20)  # where the rod stands across
    assert f"crank {locks:.2f}"[:9] in str(caught.value)
    # The way from rest to the first row may lock, too.
    with pytest.raises(ccd.ArgumentError, match=r"loops: on the way from rest to the first row.*singular"):
        ccd.cad.close(assembly, far, [short], [0, 1], {"crank": [1.5, 1.6]})
    with pytest.raises(ccd.ArgumentError, match=r"loops: at the time 0 \(crank 1\.5\): they cannot be closed there from"):
        ccd.cad.close(assembly, far, [short], [0, 1], {"crank": [1.5, 1.6]}, start={"rod": 0, "piston": 0})


def test_a_closed_mechanism_of_files(tmp_path, capsys):
    from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

    from ccd import cli

    assembly, joints = engine()
    writer = STEPControl_Writer()
    from OCP.BRep import BRep_Builder
    from OCP.TopoDS import TopoDS_Compound

    whole, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(whole)
    for part in assembly.parts:
        builder.Add(whole, part.product.shape)
    writer.Transfer(whole, STEPControl_AsIs)
    writer.Write(str(tmp_path / "engine.step"))
    read = ccd.cad.read(tmp_path / "engine.step")
    assert len(read.parts) == 4
    rename = dict(zip(("crank", "rod", "piston", "head"), (p.name for p in read.parts)))
    file = {
        "degrees": True,
        "joints": [vars(j) | {"parts": [rename[p] for p in j.parts]} for j in joints],
        "loops": [{"kind": "pin", "a": rename["rod"], "b": rename["piston"], "point": [80, 0, 0]}],
    }
    (tmp_path / "joints.json").write_text(json.dumps(file))
    (tmp_path / "drive.csv").write_text("time,crank\n0,-60\n1,60\n")
    given = ["cad", str(tmp_path / "engine.step"), "--motion", str(tmp_path / "drive.csv")]
    given += ["--joints", str(tmp_path / "joints.json"), "--near", "6", "--tolerance", "0.1", "--json"]
    given += ["--allow", f"{rename['crank']},{rename['rod']}", "--allow", f"{rename['rod']},{rename['piston']}"]
    assert cli.main(given) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert pair["lo"] <= 5 <= pair["hi"] and abs(pair["time"] - 0.5) < 0.02
    for loops, text in (
        ([{"kind": "pin", "a": "x"}], r"loops\[0\] must be an object with kind, a and point"),
        ([{"kind": "pin", "a": "x", "point": [0, 0, 0], "angle": 2}], r"'angle', which means nothing"),
        ([{"kind": "pin", "a": "x", "point": [0, 0, "0"]}], r"loops\[0\] has a field of another type"),
        ({"pin": 1}, "must be a list"),
    ):
        (tmp_path / "joints.json").write_text(json.dumps(file | {"loops": loops}))
        with pytest.raises(ccd.FileError, match=text):
            ccd.cad.read_loops(tmp_path / "joints.json")
    poses = tmp_path / "poses.csv"
    poses.write_text("time,part,x,y,z,rx,ry,rz\n0,a,0,0,0,0,0,0\n2,a,4,0,0,0,0,0\n")
    with pytest.raises(ccd.ArgumentError, match="poses of parts, and loops are for values"):
        ccd.cad.read_drive(assembly, poses, joints, loops=[PIN])


def test_pieces_are_cut_only_where_parts_come_near():
    """The crank over a turn in rows of two degrees: what fine pieces say, by few of them."""
    assembly, joints = engine()
    turn = np.linspace(-0.5, 1.5, 31)
    lean = np.arcsin(20 / 60 * np.sin(turn))
    values = {"crank": turn, "rod": -turn - lean, "piston": 20 * np.cos(turn) + 60 * np.cos(lean) - 80}
    drive = ccd.cad.by_joints(assembly, joints, np.linspace(0, 1, 31), values)
    c = ccd.cad._pairs.Checker(assembly, None, 0.05, 0.0)
    found = c.clearance(c.pair(1, 3), drive, 1, 3, drive._pieces(c.coarse(c.size)))
    fine = c.clearance(c.pair(1, 3), drive, 1, 3, drive._pieces(c.padding()))
    assert found is not None and fine is not None
    assert found.hi - found.lo <= 0.05 and found.lo <= fine.hi and fine.lo <= found.hi
    near, far = found.lo - 0.1, found.hi + 0.1
    assert c.clearance(c.pair(1, 3), drive, 1, 3, drive._pieces(c.coarse(near)), near) is None
    again = c.clearance(c.pair(1, 3), drive, 1, 3, drive._pieces(c.coarse(far)), far)
    assert again is not None and again.lo <= fine.hi and fine.lo <= again.hi


def test_bars_that_are_stacked_keep_their_gap():
    """The rod is 1 above the crank and 1 below the piston, in any plane: decided by one piece, and not by thousands."""
    assembly, joints = engine()
    drive = ccd.cad.close(assembly, joints, [PIN], [0, 1], {"crank": [0, math.tau]})
    report = ccd.cad.check(drive, near=2.0, tolerance=1e-5)
    found = {(p.a, p.b): p for p in report.pairs}
    assert set(found) == {("crank", "rod"), ("rod", "piston")}
    for pair in found.values():
        assert pair.verdict == "clear" and pair.lo <= 1 <= pair.hi and pair.hi - pair.lo <= 1e-5
    assert ccd.cad.first_contact(drive, "crank", "rod", min_separation=0.999).verdict == "clear"
    assert ccd.cad.first_contact(drive, "crank", "rod", min_separation=1.001).verdict == "contact"
    # Where the rod may lean out of the plane there is no such gap.
    joints[1:2] = [
        Joint("lean", "revolute", [], (0, 1, 0), (20, 0, 0), "crank"),
        Joint("rod", "revolute", ["rod"], (0, 0, 1), (20, 0, 0), "lean"),
    ]
    leans = ccd.cad.by_joints(assembly, joints, [0, 1], {"lean": [0, -0.5]})
    assert drive._across(0, 1) is not None and leans._across(0, 1) is None and leans._across(0, 2) is not None
    assert ccd.cad.first_contact(leans, "rod", "crank").verdict == "contact"


def test_placements_that_are_off_make_brackets_wider():
    assembly, joints = engine()
    parts = {p.name: p.product.shape for p in assembly.parts} | {"bolt": shapes.box(7, 2, 2, (89, -1, 11))}
    longer = ccd.cad.Assembly.of(parts)
    joints[2] = Joint("piston", "prismatic", ["piston", "bolt"], (1, 0, 0))  # the bolt is 1 into the head, 4 of volume
    volumes = []
    for tolerance in (1e-9, 1e-4):
        drive = ccd.cad.close(longer, joints, [PIN], [0, 1], {"crank": [0, 1]}, tolerance=tolerance)
        c = ccd.cad._check._of(drive, None, None, 0.0)
        assert c.loose == drive._loose >= max(drive.errors["piston"], 0.0)
        (rest,) = (r for r in ccd.cad._check._at_rest(c, drive.at(0.0), True) if {r.a, r.b} == {"bolt", "head"})
        assert rest.state == "crossing" and rest.volume_lo <= 4 <= rest.volume_hi
        volumes.append(rest.volume_hi - rest.volume_lo)
        assert rest.volume_hi - rest.volume_lo >= 2 * 4 * drive.errors["piston"]
    assert volumes[1] > volumes[0]


def test_a_value_that_is_too_large_is_named():
    assembly, joints = engine()
    with pytest.raises(ccd.ArgumentError, match=r"values: 'crank' is .*turns farther than 2\^39 radians"):
        ccd.cad.close(assembly, joints, [PIN], [0, 1], {"crank": [0, 1e15]})
