"""The command `ccd robot check`, and pages of its reports."""

import json

import numpy as np
import pytest
from robots import ARM, TIP, TWO, plate, robot

import ccd
from ccd.cli import main
from ccd.robot import _bodies


def command(capsys, *arguments):
    code = main(["robot", "check", *map(str, arguments)])
    return code, *capsys.readouterr()


def test_the_command(tmp_path, capsys):
    robot(tmp_path, TWO)
    (tmp_path / "path.csv").write_text("time,a,b\n0,0,0\n1,0.5,0\n2,0.5,3\n")
    (tmp_path / "post.off").write_text("OFF 3 1 0\n0 1.5 -1\n0.1 1.5 -1\n0 1.5 1\n3 0 1 2\n")
    code, out, err = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", "--scene", tmp_path / "post.off", "--json")
    assert (code, err) == (1, "")
    report = json.loads(out)
    assert report["counts"] == {"free": 1, "collides": 1, "undecided": 0} and report["contacts"][0]["b"] == "base"
    code, out, _ = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", "--allow", "base,lower")
    assert code == 0 and "2 free" in out
    limited = '<axis xyz="0 0 1"/><limit lower="0" upper="0.25"/></joint>'
    page = tmp_path / "page.html"
    code, _, _ = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", "--view", page)
    assert code == 1 and page.read_text().startswith("<!doctype html>") and "lower and base" in page.read_text()
    (tmp_path / "limited.urdf").write_text(TWO.replace('<axis xyz="0 0 1"/></joint>', limited, 1))
    given = tmp_path / "limited.urdf", tmp_path / "path.csv", "--allow", "base,lower"
    code, out, _ = command(capsys, *given)
    assert code == 1 and "2 free" in out and "a leaves its limits before s = 0.5" in out and "limits [0, 0.25]" in out
    code, out, _ = command(capsys, *given, "--json")
    found = json.loads(out)["limits"]
    assert code == 1 and [(left["edge"], left["joint"], left["value"]) for left in found] == [(0, "a", 0.5), (1, "a", 0.5)]
    code, out, _ = command(capsys, *given, "--all")
    assert "a is outside of its limits at s = 0: value 0.5" in out.split("edge 1", 1)[1]
    code, out, _ = command(capsys, *given, "--ignore-limits", "--json")
    assert code == 0 and json.loads(out)["limits"] == []
    for arguments, words in (
        (["--allow", "base,hand"], "'hand' is no link"),
        (["--rest", "a=1"], "rest['a'] is given"),
        (["--scene", tmp_path / "none.obj"], "none.obj"),
        (["--scene", tmp_path / "post.off", tmp_path / "post.off"], "two objects"),
    ):
        code, out, err = command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", *arguments)
        assert code == 2 and words in err and not out, err
    for wrong in (["--allow", "base"], ["--rest", "a"], ["--rest", "a=x"]):
        with pytest.raises(SystemExit):
            command(capsys, tmp_path / "robot.urdf", tmp_path / "path.csv", *wrong)
        assert wrong[1] in capsys.readouterr().err


def test_a_tolerance_below_rounding_ends(tmp_path):
    """The radii of a touching pair stop at rounding, which ends the search."""
    one = robot(tmp_path, ARM)
    report = ccd.robot.check(one, ccd.robot.Path(["turn"], [[1], [2.2]]), {"plate": plate(TIP)}, tolerance=1e-300)
    assert report.verdict != ccd.robot.Verdict.FREE and report.edges[0].steps < 500


def test_a_page_marks_contacts_where_they_are(tmp_path):
    """The mark is at the contact's point at its time, and moves with its link."""
    one = robot(
        tmp_path,
        TWO.replace(
            "</robot>",
            """<link name="tip"><collision><geometry><capsule radius="0.1" length="0.2"/>
      </geometry></collision></link><joint name="c" type="fixed"><parent link="lower"/><child link="tip"/>
      <origin xyz="1 0 0"/></joint></robot>""",
        ),
    )
    scene = {"wall": plate(1.2, half=3)}
    path = ccd.robot.Path(["a", "b"], [[0, 0], [0.3, 0.2], [1.2, 0.2]])
    report = ccd.robot.check(one, path, scene)
    assert [str(e.verdict) for e in report.edges] == ["free", "collides"]
    contact = report.contact
    page = ccd.view.Page("a robot")
    part = page.add_robot(one, path, scene, report, frames=10)
    assert (part, page.t_max, page.steps, page.met) == (0, 2.0, 20, 1)
    assert page._state.parts[0].objects.names == ["base", "upper", "lower", "tip", "wall"]
    [found] = page.impacts
    assert found["time"] == 1 + contact.s and found["step"] == int(10 * found["time"])
    _, x0, x1 = found["mark"]
    f = 10 * found["time"] - found["step"]
    assert np.linalg.norm((1 - f) * x0 + f * x1 - contact.point) < 0.01  # the chord of a frame
    for side, name in zip(found["sides"], (contact.a, contact.b), strict=True):
        body = page._state.parts[0].objects.names.index(name)
        assert {int(page._state.parts[0].objects.of[v]) for v in side["vertices"]} == {body}
    bodies = _bodies.Bodies(one, scene)
    assert np.array_equal(page._state.parts[0].frames[15][: len(bodies.local)], bodies.place(path.at(1, 0.5)))
    with pytest.raises(ccd.ArgumentError, match="report: edge 1"):
        ccd.view.Page("other").add_robot(one, path, {}, report)
    with pytest.raises(ccd.ArgumentError, match="robot is int"):
        ccd.view.Page("other").add_robot(1, path)
