"""Where rigid bodies touch, and how long those that slide stay in contact."""

import json
import math

import numpy as np
import pytest

import ccd
from ccd.rigid import Body, Motion, SlideEvent, manifold, slide

NO_TURN = (1.0, 0.0, 0.0, 0.0)
HERE = (NO_TURN, (0.0, 0.0, 0.0))
BOX, TABLE = Body.box((1, 1, 1)), Body.box((4, 4, 2))


def cut_cube(half, n):
    """A cube whose faces are grids of n x n cells."""
    lines = np.linspace(-half, half, n + 1)
    vertices, faces = [], []
    for axis in range(3):
        for sign in (-1, 1):
            start = len(vertices)
            for u in lines:
                for v in lines:
                    p = [0.0, 0.0, 0.0]
                    p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = sign * half, u, v
                    vertices.append(p)
            for i in range(n):
                for j in range(n):
                    a = start + i * (n + 1) + j
                    quad = [a, a + n + 1, a + n + 2, a + 1][::sign]
                    faces += [quad[:3], [quad[0], quad[2], quad[3]]]
    return Body(vertices, faces)


def test_a_stack():
    found = manifold(BOX, (NO_TURN, (1.75, 0.0, 1.5)), TABLE, HERE, 1e-6)
    assert len(found.points) == 4 and not found.crossing and not found.inside
    assert sorted(found.points["point_a"].round(9).tolist()) == [[1.25, -0.5, 1], [1.25, 0.5, 1], [2, -0.5, 1], [2, 0.5, 1]]
    assert (found.points["normal"] == [0, 0, 1]).all() and (found.points["group"] == 0).all()
    assert (found.points["gap_lo"] <= 0).all() and (found.points["gap_hi"] >= 0).all()
    assert json.loads(json.dumps(found.as_dict()))["points"][0]["normal"] == [0, 0, 1]


def test_cuts_and_order_change_nothing():
    turn = (math.cos(0.3), 0.0, 0.0, math.sin(0.3))
    above, found = (turn, (0.2, 0.1, 2.0)), []
    for n in (1, 3):
        a, b = cut_cube(1, n), cut_cube(1, 4 - n)
        found.append(manifold(a, above, b, HERE, 1e-6).points)
        back = manifold(b, HERE, a, above, 1e-6).points
        assert np.allclose(back["point_b"], found[-1]["point_a"], rtol=0, atol=1e-12)
        assert np.allclose(back["normal"], -found[-1]["normal"], rtol=0, atol=1e-12)
    assert len(found[0]) == 8
    for name in ("point_a", "point_b", "normal", "gap_lo"):
        assert np.allclose(found[0][name], found[1][name], rtol=0, atol=1e-11)


def test_overlaps_are_flags():
    deep = manifold(BOX, (NO_TURN, (0.0, 0.0, 1.0)), TABLE, HERE, 1e-6)
    assert deep.crossing and len(deep.points) == 0
    nested = manifold(Body.box((0.1, 0.1, 0.1)), HERE, TABLE, HERE, 1e-6)
    assert nested.inside and not nested.crossing and len(nested.points) == 0


def test_slides():
    still = Motion()
    parts = slide(BOX, Motion(position=(0, 0, 1.5), velocity=(5, 0, 0)), TABLE, still, 1e-6)
    assert parts.event is SlideEvent.PARTS and parts.t_lo <= (2.5 + 1e-6) / 5 <= parts.t_hi and parts.lo > 1e-6
    sinks = slide(BOX, Motion(position=(0, 0, 1.5), velocity=(1, 0, -1)), TABLE, still, 1e-3)
    assert sinks.event is SlideEvent.PENETRATES and sinks.t_lo <= 1e-3 <= sinks.t_hi and sinks.hi < -1e-3
    assert sinks.normal == pytest.approx((0, 0, 1))
    stays = slide(BOX, Motion(position=(0, 0, 1.5), velocity=(1, 0, 0), angular_velocity=(0, 0, 1)), TABLE, still, 1e-3)
    assert stays.stays and stays.t_lo == 1 and math.isinf(stays.t_hi) and not stays.grazing
    apart = slide(BOX, (NO_TURN, (0, 0, 9)), TABLE, still, 1e-3)
    assert apart.initial and apart.event is SlideEvent.PARTS and apart.as_dict()["event"] == "parts"
    few = slide(BOX, Motion(position=(0, 0, 1.5), velocity=(5, 0, 0)), TABLE, still, 1e-4, max_iterations=1)
    assert few.event is SlideEvent.UNDECIDED and few.t_lo < 1


def test_errors_name_the_argument():
    for call, error, text in (
        (lambda: manifold(BOX, HERE, TABLE, HERE, -1), ccd.ArgumentError, "tolerance is -1"),
        (lambda: manifold(BOX, HERE, TABLE, HERE, 1, min_separation=1), TypeError, "min_separation"),
        (lambda: manifold(BOX, (NO_TURN, (math.nan, 0, 0)), TABLE, HERE, 1), ccd.NonFiniteError, "pa"),
        (lambda: slide(BOX, HERE, TABLE, HERE, 0), ccd.ArgumentError, "tolerance is 0"),
        (lambda: slide(BOX, HERE, TABLE, HERE, 1, tolerance=1), TypeError, "tolerance"),
        (lambda: slide(BOX, HERE, Body([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]]), HERE, 1),
         ccd.UnsupportedError, "b is not convex"),
    ):  # fmt: skip
        with pytest.raises(error, match=text):
            call()


def test_the_command(tmp_path, capsys):
    from ccd.cli import main

    for name, size in (("box", 1.0), ("table", 4.0)):
        corner = size / 2 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        lines = ["v {} {} {}".format(*p) for p in corner] + ["f {} {} {} {}".format(*(i + 1 for i in s)) for s in sides]
        (tmp_path / f"{name}.obj").write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / "box.obj"), str(tmp_path / "table.obj")]
    assert main(["pose", *files, "--pose=0,0,2.5", "--manifold=1e-6", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert len(report["poses"][0]["manifold"]["points"]) == 4
    assert main(["pose", *files, "--pose=0,0,2.5", "--manifold=1e-6", "--reduce"]) == 1
    assert "manifold: 4 points" in capsys.readouterr().out
    assert main(["pose", *files, "--reduce"]) == 2
