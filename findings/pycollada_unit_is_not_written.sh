#!/bin/sh
# pycollada 0.9.3, Python 3.11, Linux x86-64.
#
# A model whose unit is set to a centimeter, assetInfo.unitmeter = 0.01, is written and read again.
# Expected: the file has <unit meter="0.01">, and the model that is read has the same unit.
# Seen:     the file has no <unit>, and the unit that is read is 1: pycollada writes the unit only where unitname is set too, and
#           drops a unitmeter without it. Nothing is raised, and Collada.errors is empty.
# Why it matters: a part of 5 centimeters is 5 meters for every program that reads the file. Clearances grow as much.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check pycollada==0.9.3 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import io
import sys

import collada
import numpy as np


def written(name):
    model = collada.Collada()
    model.assetInfo.unitmeter = 0.01
    model.assetInfo.unitname = name
    points = collada.source.FloatSource("points", np.array([0, 0, 0, 5, 0, 0, 0, 5, 0]), ("X", "Y", "Z"))
    shape = collada.geometry.Geometry(model, "g", "part", [points])
    inputs = collada.source.InputList()
    inputs.addInput(0, "VERTEX", "#points")
    shape.primitives.append(shape.createTriangleSet(np.array([0, 1, 2]), inputs, "m"))
    model.geometries.append(shape)
    model.scenes.append(collada.scene.Scene("s", [collada.scene.Node("n", children=[collada.scene.GeometryNode(shape)])]))
    model.scene = model.scenes[0]
    file = io.BytesIO()
    model.write(file)
    again = collada.Collada(io.BytesIO(file.getvalue()))
    return b"<unit" in file.getvalue(), again.assetInfo.unitmeter, len(model.errors)


named, alone = written("centimeter"), written(None)
print(f"unitmeter 0.01 with a unitname: <unit> is in the file: {named[0]}, read as {named[1]}")
print(f"unitmeter 0.01 alone:           <unit> is in the file: {alone[0]}, read as {alone[1]}, errors: {alone[2]}")
changed = not named[0] or float(named[1]) != 0.01 or alone[0] or alone[1] not in (None, 1, 1.0) or alone[2]
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
