#!/bin/sh
# Open CASCADE 8.0.1 (PyPI cadquery-ocp-novtk 8.0.1.1), Python 3.11, Linux x86-64.
#
# IGESData_GlobalSection.UnitValue() of files written in inches, millimeters and meters.
# Expected: the unit in meters, 0.0254, 0.001 and 1, as STEP files and most CAD kernels state units.
# Seen:     25.4, 1 and 1000: multiples of the unit that Open CASCADE reads into, a millimeter unless a program changes it.
#           UnitFlag() is the number of the IGES standard (1, 2, 6), and depends on no setting.
# Why it matters: whoever multiplies by UnitValue to get meters makes every part a thousand times too large, and a gap of
# 0.1 mm becomes 0.1 m.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check cadquery-ocp-novtk==8.0.1.1
cat >"$work/run.py" <<'PY'
import sys

from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.IGESControl import IGESControl_Reader, IGESControl_Writer

changed = False
for unit, expected in {"IN": (25.4, 1), "MM": (1.0, 2), "M": (1000.0, 6)}.items():
    writer = IGESControl_Writer(unit, 0)
    writer.AddShape(BRepPrimAPI_MakeBox(1, 2, 3).Shape())
    writer.ComputeModel()
    path = f"{sys.argv[1]}/{unit}.igs"
    writer.Write(path)
    reader = IGESControl_Reader()
    reader.ReadFile(path)
    section = reader.IGESModel().GlobalSection()
    got = (round(section.UnitValue(), 9), section.UnitFlag())
    print(f"written in {unit}: UnitValue {got[0]}, UnitFlag {got[1]}")
    changed |= got != expected
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work" >"$work/log" && status=0 || status=$?
grep "^written" "$work/log" || cat "$work/log"
exit $status
