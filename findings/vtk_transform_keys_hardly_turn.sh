#!/bin/sh
# VTK 9.7.2 (PyPI vtk), Python 3.11, Linux x86-64.
#
# vtkTransformInterpolator is given a body's poses at times 0, 1, 2, ...: a turn about z by 1, 10 or 45 degrees more each, and a
# place 0.1 further along x.
# Expected: at the time of a key it returns that key's pose, and a turn between those of the keys in between. Its default, a spline,
#           is only smoother than the linear kind.
# Seen:     with the linear kind so. With the default the places at the keys are right, and the body hardly turns: at the key of 10
#           degrees it has 0.17, at that of 90 it has 2, and at the last key it jumps to the whole turn. The quaternions come from
#           vtkQuaternionInterpolator, whose spline returns them up to 57 times (180 / pi) too long, by w alone. The places, at equal
#           steps of 0.1, are off by an eighth of a step within the first and the last. Nothing is printed, and the matrices are
#           rotations. 9.3.1 and 9.6.2 do the same.
# Why it matters: a motion made of keys by VTK sweeps another volume than the one that was meant, and only the first and the last
# pose look right. Set the type of interpolation to linear, or turn by quaternions of one's own, and compare the poses at the keys.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import math
import sys

from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkCommonMath import vtkQuaternionInterpolator
from vtkmodules.vtkCommonTransforms import vtkTransform
from vtkmodules.vtkRenderingCore import vtkTransformInterpolator


def turned(keys, times, kind):
    """The turns in degrees and the places at these times."""
    between = vtkTransformInterpolator()
    if kind == "linear":
        between.SetInterpolationTypeToLinear()
    for time, degrees in enumerate(keys):
        pose = vtkTransform()
        pose.Translate(0.1 * time, 0, 0)
        pose.RotateZ(degrees)
        between.AddTransform(time, pose)
    turns, places = [], []
    for time in times:
        pose = vtkTransform()
        between.InterpolateTransform(time, pose)
        matrix = pose.GetMatrix()
        turns.append(math.degrees(math.atan2(matrix.GetElement(1, 0), matrix.GetElement(0, 0))) % 360)
        places.append(matrix.GetElement(0, 3))
    return turns, places


print("VTK", vtkVersion.GetVTKVersion())
changed = False
for keys in ([0, 10, 20, 30], [0, 45, 90, 135], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]):
    for kind in ("linear", "default"):
        at, places = turned(keys, range(len(keys)), kind)
        middle, between = turned(keys, [time + 0.5 for time in range(len(keys) - 1)], kind)
        print(f"keys {keys}, {kind}: at the keys {[round(a, 2) for a in at]}, between {[round(a, 2) for a in middle]}")
        changed |= any(abs(x - 0.1 * time) > 1e-9 for time, x in enumerate(places))
        if kind == "linear":
            changed |= any(abs(a - b) > 1e-6 for a, b in zip(at, keys))
        else:
            uneven = [x - 0.1 * (time + 0.5) for time, x in enumerate(between)]
            print(f"places between the keys are off by {[round(x, 4) for x in uneven]}")
            changed |= abs(abs(uneven[0]) - 0.0125) > 1e-6 or abs(abs(uneven[-1]) - 0.0125) > 1e-6
            changed |= any(a > b / 30 for a, b in zip(at[1:-1], keys[1:-1])) or abs(at[-1] - keys[-1]) > 1e-6
for kind in ("linear", "spline"):
    between = vtkQuaternionInterpolator()
    between.SetInterpolationType(int(kind == "spline"))
    for time in range(4):
        half = math.radians(10 * time) / 2
        between.AddQuaternion(time, [math.cos(half), 0, 0, math.sin(half)])
    q = [0.0] * 4
    between.InterpolateQuaternion(1.0, q)
    print(f"quaternion of the key at 10 degrees, {kind}: {[round(x, 4) for x in q]}, length {math.hypot(*q):.4f}")
    changed |= (abs(math.hypot(*q) - 1) < 1e-6) != (kind == "linear")
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check vtk==9.7.2
"$work/venv/bin/python" "$work/run.py"
