"""Replay files: an edge that collides, small, with the verdict that it had."""

import json
import subprocess
import sys

import numpy as np
import pytest

import ccd
from ccd.robot import JointModel, Path, Robot, Shape

BAR = Shape.box([1, 0.1, 0.1]).placed(np.eye(3), [0.5, 0, 0])


def arm():
    joints = [JointModel.moving(f"j{i}", "revolute", i, i + 1, i, position=(float(i > 0), 0, 0.2), lower=-3) for i in range(3)]
    side = JointModel.moving("side", "prismatic", 0, 4, 3, axis=(0, 1, 0))
    names = ["base", "l1", "l2", "l3", "cart"]
    shapes = [[BAR], [BAR], [BAR, Shape.ball(0.07)], [fine()], [Shape.ball(0.45)]]
    allowed = [("base", "l1"), ("l1", "l2"), ("l2", "l3"), ("base", "cart"), ("cart", "l1")]
    return Robot("arm", names, shapes, [*joints, side], ["j0", "j1", "j2", "side"], allowed)


def fine(n=40):
    """A bar of many triangles."""
    x = np.linspace(0, 1, n)
    y, z = 0.03 * np.cos(np.arange(n)), 0.03 * np.sin(np.arange(n))
    v = np.concatenate([np.c_[x, y - 0.01, z], np.c_[x, y + 0.01, z]])
    i = np.arange(n - 1)
    return Shape.triangles(v, np.concatenate([np.c_[i, i + 1, i + n], np.c_[i + 1, i + n + 1, i + n]]))


def scene(r, count=6):
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 12), np.linspace(0, 1, 12)), -1).reshape(-1, 2) - 0.5
    i = (np.arange(11)[:, None] * 12 + np.arange(11)).ravel()
    faces = np.concatenate([np.c_[i, i + 1, i + 12], np.c_[i + 1, i + 13, i + 12]])
    found = {}
    for k in range(count):
        a, b = r.normal(size=(2, 3))
        found[f"w{k}"] = ccd.Surface(grid @ np.array([a, b]) + r.uniform(-2, 2, 3), [], faces)
    return found


def test_a_replay_has_the_verdict_at_the_place_and_is_small(tmp_path):
    one, r, kinds, sizes = arm(), np.random.default_rng(5), set(), []
    walls = scene(r)
    path = Path(one.joints, r.uniform(-3, 3, (13, 4)))
    for around in (walls, {}):
        report = ccd.robot.check(one, path, around)
        for c in [e.contact for e in report.edges if e.contact is not None][:5]:
            small = ccd.robot.replay(one, path, report, around, contact=c)
            small.save(tmp_path / "edge.json")
            again = ccd.robot.read_replay(tmp_path / "edge.json")
            for copy in (small, again):
                found = copy.check()
                assert str(found.verdict) == copy.verdict == str(report.edges[c.edge].verdict) and copy.s == c.s
                assert {found.contact.a, found.contact.b} == {c.a, c.b} and abs(found.contact.s - c.s) < 1e-6
                assert np.allclose(found.contact.point, c.point, atol=1e-4) or c.s == 0
            assert np.array_equal(again.path.control, small.path.control) and again.robot.joints == small.robot.joints
            kinds.add(c.b in walls)
            parts = [s for shapes in again.robot._shapes for s in shapes] + list(again.scene.values())
            sizes.append(sum(len(part.faces) for part in parts))
    assert kinds == {True, False} and min(sizes) < 40  # of 242 and 78 triangles


def test_joints_that_have_no_part_are_left_out():
    one = arm()
    walls = {"wall": ccd.Surface(Shape.box([0.1, 0.1, 9]).vertices + np.array([0.6, 0.6, 0]), [], Shape.box([1, 1, 1]).faces)}
    path = Path(["j0", "j1", "j2"], [[0, 0, 0], [1.2, 0, 0]])
    report = ccd.robot.check(one, path, walls, rest={"side": -2.0}, allowed=[("wall", "l2"), ("wall", "l3")])
    small = ccd.robot.replay(one, path, report, walls, rest={"side": -2.0})
    assert small.robot.joints == ("j0",) and small.robot.links == ("base", "l1") and list(small.scene) == ["wall"]
    with pytest.raises(ccd.ArgumentError, match="report has no contact"):
        ccd.robot.replay(one, path, ccd.robot.check(one, path, rest={"side": -2.0}), rest={"side": -2.0})
    with pytest.raises(ccd.ArgumentError, match="report is str"):
        ccd.robot.replay(one, path, "x")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: {"format": "other"}, "is no replay file"),
        (lambda d: [d], "is no replay file"),
        (lambda d: d | {"version": 2}, "has version 2: this library reads version 1"),
        (lambda d: d | {"links": ["a"]}, "edge.json: "),
        (lambda d: d | {"control": [[None]]}, "edge.json: "),
        (lambda d: {k: v for k, v in d.items() if k != "tolerance"}, "edge.json: .tolerance"),
        (lambda d: d | {"joints": [{"name": "x"}]}, "edge.json: "),
        (lambda d: d | {"verdict": "perhaps"}, "edge.json: verdict"),
    ],
)
def test_bad_files_are_named(tmp_path, change, message):
    one = Robot("r", ["a", "b"], [[BAR], [BAR]], [JointModel.moving("s", "prismatic", 0, 1, 0)], ["s"])
    path = Path(["s"], [[3], [0]])
    ccd.robot.replay(one, path, ccd.robot.check(one, path)).save(tmp_path / "edge.json")
    content = json.loads((tmp_path / "edge.json").read_text())
    (tmp_path / "edge.json").write_text(json.dumps(change(content)))
    with pytest.raises(ccd.FileError, match=message):
        ccd.robot.read_replay(tmp_path / "edge.json")


def test_the_command_writes_a_replay_and_reads_it(tmp_path):
    pytest.importorskip("yourdfpy", reason="yourdfpy is not installed")
    from robots import ARM

    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "path.csv").write_text("turn\n0\n3\n")
    (tmp_path / "post.obj").write_text("v 0.5 0.5 -1\nv 0.5 0.5 1\nv 0.51 0.5 0\nf 1 2 3\n")
    run = lambda *words: subprocess.run(  # noqa: E731
        [sys.executable, "-m", "ccd", "robot", *words], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    first = run("check", "arm.urdf", "path.csv", "--scene", "post.obj", "--save-replay", "edge.json", "--json")
    second = run("replay", "edge.json", "--json")
    assert first.returncode == second.returncode == 1, second.stderr
    a, b = (json.loads(out.stdout)["contacts"][0] for out in (first, second))
    assert a["s"] == pytest.approx(b["s"], abs=1e-6) and (a["a"], a["b"]) == (b["a"], b["b"]) == ("arm", "post")
    assert "collides" in run("replay", "edge.json").stdout
    assert run("replay", "edge.json", "path.csv").returncode not in (0, 1) and run("check", "arm.urdf").returncode not in (0, 1)
