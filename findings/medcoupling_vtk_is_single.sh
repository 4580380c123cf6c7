#!/bin/sh
# medcoupling 9.15.0, vtk 9.7.2, Python 3.11, Linux x86-64.
#
# A mesh whose coordinates are in double precision, as all of MED's are in memory and in its files, is written by writeVTK, and by
# writeMED, and both are read again. A site of geodetic coordinates is at (4.2e6, 5.5e6, 5000), and two plates are 0.1 mm apart.
# Expected: the same numbers from both, as VTU holds doubles and the mesh has nothing else.
# Seen:     the MED file has the same numbers. The VTU declares its points, and the values of fields, as Float32: points are off by
#           up to 0.2, and the plates are in one place. Written as text (isBinary=False) it is the same.
# Why it matters: writeVTK is the way out of MED files to viewers and to other programs. What is apart by less than seven digits
# is in contact there, or crosses, with no option that keeps the numbers.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check medcoupling==9.15.0 vtk==9.7.2 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import re
import sys

import medcoupling as mc
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

plate = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
x = np.vstack([plate, plate + [0, 0, 1e-4]]) + [4.2e6, 5.5e6 + 0.3, 5000]
mesh = mc.MEDCouplingUMesh("plates", 2)
mesh.allocateCells(2)
for k in range(2):
    mesh.insertNextCell(mc.NORM_TRI3, 3, [3 * k, 3 * k + 1, 3 * k + 2])
mesh.finishInsertingCells()
mesh.setCoords(mc.DataArrayDouble(x))
mc.WriteUMesh(f"{sys.argv[1]}/a.med", mesh, True)
again = mc.ReadUMeshFromFile(f"{sys.argv[1]}/a.med", 0).getCoords().toNumPyArray()
print(f"MED: off by {np.abs(again - x).max():g}")
changed = not np.array_equal(again, x)
for name, binary in (("binary", True), ("text", False)):
    path = f"{sys.argv[1]}/{name}.vtu"
    mesh.writeVTK(path, binary)
    with open(path, "rb") as file:
        kind = re.search(rb'type="(\w+)" Name="Points"', file.read())[1].decode()
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    y = vtk_to_numpy(reader.GetOutput().GetPoints().GetData()).astype(float)
    off, gap = np.abs(y - x).max(), np.abs(y[3:, 2] - y[:3, 2]).max()
    print(f"VTU, {name}: points are {kind}, off by {off:g}; the plates are {gap:.3g} apart, of 0.0001")
    changed |= kind != "Float32" or not 0.01 < off <= 0.5 or gap != 0
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work"
