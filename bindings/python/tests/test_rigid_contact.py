"""Where rigid bodies touch, and how long those that slide stay in contact."""

import json
import math

import numpy as np
import pytest

import ccd
from ccd.rigid import Body, Motion, SlideEvent, first_depth, manifold, slide

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


def test_when_bodies_are_too_deep():
    ball, still, falls = Body.sphere(1), Motion(), Motion(position=(0, 0, 3), velocity=(0, 0, -1))
    deep = first_depth(ball, falls, TABLE, still, 0.25, t_max=2)
    assert deep.event is SlideEvent.PENETRATES and deep.t_lo <= 1.25 <= deep.t_hi and deep.hi < -0.25 and not deep.initial
    assert deep.t_hi - deep.t_lo < 1e-6 and deep.normal == pytest.approx((0, 0, 1))
    assert first_depth(ball, falls, TABLE, still, 0.25, t_max=1.2).stays
    assert first_depth([ball], falls, [TABLE, BOX], still, 0.25, t_max=2).part_b == 0
    at_start = first_depth(ball, HERE, TABLE, still, 0.5)
    assert at_start.initial and at_start.t_hi == 0 and at_start.event is SlideEvent.PENETRATES
    with pytest.raises(ccd.ArgumentError, match="limit is 0"):
        first_depth(ball, falls, TABLE, still, 0)
    with pytest.raises(ccd.UnsupportedError, match="a is not convex"):
        first_depth(Body([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]], [[0, 1, 2], [1, 3, 2]]), falls, TABLE, still, 0.5)


def test_a_way_out_has_points():
    """Boxes of one size, moved along each other, share faces in common planes: the points are at the end of the way out."""
    box = Body.box((2, 2, 2))
    for axis in range(3):
        x = np.zeros(3)
        x[axis] = 1.25
        plain, deep = (manifold(box, (NO_TURN, x), box, HERE, 1e-6, lead_out=out) for out in (False, True))
        assert len(plain.points) == 0 and (plain.crossing or plain.inside) and not plain.deep
        assert len(deep.points) == 4 and deep.deep and deep.as_dict()["deep"]
        assert np.allclose(deep.points["gap_lo"], -0.75) and (np.argmax(deep.points["normal"], axis=1) == axis).all()
        assert np.allclose(deep.points["point_a"][:, axis], 0.25) and np.allclose(deep.points["point_b"][:, axis], 1)
    assert not manifold(box, (NO_TURN, (2, 0, 0)), box, HERE, 1e-6, lead_out=True).deep


def flanks(teeth, facets=6):
    """The outline of a tooth of an involute gear of module 1, as angles and radii."""
    base = teeth / 2 * np.cos(np.pi / 9)
    u = np.linspace(np.sqrt(max((teeth / 2 - 1.25) / base, 1) ** 2 - 1), np.sqrt(((teeth / 2 + 1) / base) ** 2 - 1), facets)
    r, a = base * np.sqrt(1 + u * u), np.pi / (2 * teeth) + np.tan(np.pi / 9) - np.pi / 9 - u + np.arctan(u)
    r, a = np.r_[teeth / 2 - 1.25, r], np.r_[a[0] + 0.02, a]  # down to the root
    return np.concatenate([-a, a[::-1]]), np.concatenate([r, r[::-1]])


def test_gears_in_mesh():
    """A pair of gears: contact points of the whole gears, and slides of their teeth."""

    def teeth_of(count, turn):
        a, r = flanks(count)
        for k in range(count):
            at = a + turn + 2 * np.pi * k / count
            yield np.stack([r * np.cos(at), r * np.sin(at)], 1)

    def parts(count, turn):
        return [Body.hull([(*p, z) for p in [*t, (0, 0)] for z in (0, 1)]) for t in teeth_of(count, turn)]

    def whole(count, turn):
        outline = np.vstack(list(teeth_of(count, turn)))
        n = len(outline)
        x = np.vstack([np.c_[outline, np.zeros(n)], np.c_[outline, np.ones(n)], [[0, 0, 0], [0, 0, 1]]])
        i, j = np.arange(n), (np.arange(n) + 1) % n
        fans = [np.stack([j, i, np.full(n, 2 * n)], 1), np.stack([i + n, j + n, np.full(n, 2 * n + 1)], 1)]
        return Body(x, np.vstack([np.stack([i, j, j + n], 1), np.stack([i, j + n, i + n], 1), *fans]))

    far, rate = (20.0, 0.0, 0.0), (0, 0, -17 / 23)
    small, large = whole(17, 0), whole(23, np.pi + np.pi / 23)
    touch = manifold(small, HERE, large, (NO_TURN, far), 1e-2)
    assert len(touch.points) >= 2 and not touch.inside
    n = touch.points["normal"]
    # The line of action leans by the pressure angle of 20 degrees, facets by a few more.
    assert (np.abs(n[:, 2]) < 1e-9).all() and (np.abs(np.degrees(np.arctan2(np.abs(n[:, 0]), np.abs(n[:, 1]))) - 20) < 8).all()
    assert (np.abs(touch.points["point_a"][:, 0] - 8.5) < 1.5).all()
    with pytest.raises(ccd.UnsupportedError, match="a is not convex: a corner of triangle"):
        slide(small, HERE, large, (NO_TURN, far), 1e-2)
    turns = Motion(angular_velocity=(0, 0, 1))
    a, b = parts(17, 0), parts(23, np.pi + np.pi / 23)
    assert slide(a, turns, b, Motion(position=far, angular_velocity=rate), 2e-2, t_max=0.1).stays
    jam = slide(a, turns, b, (NO_TURN, far), 2e-2, t_max=0.1)
    # The flank goes 8.5 cos(20) = 8 along the line of action in a unit of time: 2e-2 and what is left of a gap.
    assert jam.event is SlideEvent.PENETRATES and 0 < jam.t_lo < jam.t_hi < 2 * 2e-2 / 8


def test_parts_are_named_in_errors():
    one, open_surface = Body.box((1, 1, 1)), Body([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]])
    for a, error, text in (
        ([one, open_surface], ccd.UnsupportedError, r"a\[1\] is not convex"),
        ([], ccd.ArgumentError, "a has no parts"),
        ([one, 3], ccd.ArgumentError, r"a\[1\] is int"),
        (None, ccd.ArgumentError, "a is NoneType: must be a ccd.rigid.Body, or a list of convex parts"),
        ("box", ccd.ArgumentError, "a is str: must be"),
    ):
        with pytest.raises(error, match=text):
            slide(a, HERE, TABLE, HERE, 1e-3)


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


def test_lasting_on_the_command_line(tmp_path, capsys):
    from ccd.cli import main

    files = []
    for name, half in (("box", (0.5, 0.5, 0.5)), ("table", (2, 2, 1))):
        x = [[a * half[0], b * half[1], c * half[2]] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        faces = [(0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4)]
        faces += [(1, 5, 7), (1, 7, 3)]
        text = "".join(f"v {a} {b} {c}\n" for a, b, c in x) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)
        (tmp_path / f"{name}.obj").write_text(text, encoding="utf-8")
        files.append(str(tmp_path / f"{name}.obj"))
    slides = ["rigid", *files, "--pose", "0,0,1.5", "--velocity", "5,0,0", "--slide", "1e-6"]
    assert main(slides) == 1
    assert "slide       farther apart than 1e-06 from t in [0.500000" in capsys.readouterr().out
    assert main([*slides, "--t-max", "0.25"]) == 1
    assert "slide       in contact up to t = 0.25" in capsys.readouterr().out
    falls = ["rigid", *files, "--pose", "0,0,2", "--velocity=0,0,-1"]
    assert main([*falls, "--first-depth", "0.25", "--slide", "1e-3"]) == 1
    text = capsys.readouterr().out
    assert "first depth  deeper than 0.25 from t in [0.7499" in text and "not in contact at t_min" in text
    assert main([*falls, "--first-depth", "0.75", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)["first_depth"]
    assert report["event"] == "stays" and report["t_hi"] is None
    assert main([*falls, "--first-depth", "0"]) == 2
    (tmp_path / "scene.json").write_text('{"bodies": [{"file": "box.obj"}]}', encoding="utf-8")
    assert main(["rigid", str(tmp_path / "scene.json"), "--slide", "1"]) == 2
    assert "give two surfaces" in capsys.readouterr().err
