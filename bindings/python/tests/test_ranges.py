"""Arguments that must be in an interval: whether the bounds belong to it is as its text says, and errors have the text."""

import math

import numpy as np
import pytest

import ccd
from ccd._native import arrays

TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])


@pytest.mark.parametrize(
    "interval, inside, outside",
    [
        ("[0, 1]", (0, 0.5, 1, np.float32(1), np.int8(0)), (-5e-324, np.nextafter(1, 2), math.inf, math.nan)),
        ("(0, 1]", (5e-324, 1), (0, -0.0, np.nextafter(1, 2), math.nan)),
        ("[0, 1)", (0, -0.0, np.nextafter(1, 0)), (1, -5e-324, math.nan)),
        ("(0, inf)", (5e-324, 1e308), (0, math.inf, math.nan)),
        ("(0, inf]", (5e-324, math.inf), (0, -math.inf, math.nan)),
        ("[1e-11, 1e-3]", (1e-11, 1e-3), (np.nextafter(1e-11, 0), np.nextafter(1e-3, 1))),
    ],
)
def test_bounds(interval, inside, outside):
    for x in inside:
        found = arrays.within("x", x, interval)
        assert type(found) is float and found == x
    for x in outside:
        with pytest.raises(ccd.ArgumentError) as error:
            arrays.within("x", x, interval)
        assert str(error.value) == f"x is {float(x)}: must be in {interval}"
    for x in ("1", None, True, [1.0], 1j):
        with pytest.raises(ccd.ArgumentError, match=r"^x is .*: must be a number$"):
            arrays.within("x", x, interval)


def test_other_words():
    with pytest.raises(ccd.ArgumentError) as error:
        arrays.within("x", -1, "[0, inf]", "at least 0")
    assert str(error.value) == "x is -1.0: must be at least 0"


def calls():
    mesh = ccd.Mesh(faces=[[0, 1, 2]])
    cell = ccd.periodic.Mesh(mesh, np.eye(3) * 9)
    robot = ccd.robot.Robot("r", ["a", "b"], [[], []], [ccd.robot.JointModel.moving("j", "revolute", 0, 1, source=0)], ["j"])
    path = ccd.robot.Path(["j"], [[0], [1]])
    scene, region = ccd.distributed.Scene(TRIANGLE, TRIANGLE, [[0, 1, 2]]), ccd.distributed.Region([0, 0, 0], [1, 1, 1])
    return [
        (lambda x: cell.advance(TRIANGLE, TRIANGLE, x), 0, "share is 0.0: must be in (0, 1]"),
        (lambda x: ccd.periodic.identify(TRIANGLE, np.eye(3), x), math.inf, "tolerance is inf: must be positive"),
        (lambda x: ccd.robot.Shape.ball(1).padded(x), -1, "distance is -1.0: must be at least 0 and finite"),
        (lambda x: ccd.robot.Shape.ball(x), 0, "radius is 0.0: must be above 0 and finite"),
        (lambda x: path.at(0, x), 2, "s is 2.0: must be in [0, 1]"),
        (lambda x: ccd.robot.clearance(robot, path, tolerance=x), 0, "tolerance is 0.0: must be above 0, at most 1e60"),
        (lambda x: ccd.robot.touching(robot, {"j": 0}, min_separation=x), -1, "min_separation is -1.0: must be in [0, 1e60]"),
        (lambda x: ccd.audit.Recorder(mesh, min_separation=x), -1, "min_separation is -1.0: must be in [0, 1e150]"),
        (lambda x: ccd.distributed.cut(scene, region, x), -1, "min_separation is -1.0: must be in [0, 1e150]"),
        (lambda x: ccd.patch._model.share_of(x), 1, "loops is 1.0: must be in [1e-9, 1e-2]"),
    ]


@pytest.mark.parametrize("call, value, text", calls(), ids=lambda x: x if isinstance(x, str) else "")
def test_calls_say_their_interval(call, value, text):
    for x in (value, math.nan):
        with pytest.raises(ccd.ArgumentError) as error:
            call(x)
        assert str(error.value) == text.replace(text.split()[2], f"{float(x)}:")


def test_calls_of_assemblies_say_their_interval(tmp_path):
    pytest.importorskip("OCP", reason="Open CASCADE is not installed")
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox

    assembly = ccd.cad.Assembly.of({"a": BRepPrimAPI_MakeBox(1, 1, 1).Shape(), "b": BRepPrimAPI_MakeBox(2, 1, 1).Shape()})
    drive = ccd.cad.by_joints(assembly, [ccd.cad.Joint("x", "prismatic", ["a"], axis=(1, 0, 0))], [0, 1], {"x": [0, 1]})
    (tmp_path / "x.nc").write_text("G0 X1\n")
    for call, text in (
        (lambda: ccd.cad.at_rest(assembly, tolerance=0), "tolerance is 0.0: must be above 0"),
        (lambda: ccd.cad.first_contact(drive, "a", "b", min_separation=-1), "min_separation is -1.0: must be at least 0"),
        (lambda: ccd.cad.check(drive, near=-1), "near is -1.0: must be at least 0"),
        (lambda: assembly.parts[0].product.facets(0), "deviation is 0.0: must be above 0"),
        (lambda: ccd.cad.read_gcode(assembly, tmp_path / "x.nc", [], rapid=0), "rapid is 0.0: must be above 0"),
    ):
        with pytest.raises(ccd.ArgumentError) as error:
            call()
        assert str(error.value) == text
