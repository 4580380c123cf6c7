#!/bin/sh
# meshio 5.3.5, h5py 3.15.1, vtk 9.7.2, gmsh 4.15.2, Python 3.11, Linux x86-64. Gmsh needs libGLU.so.1 and libXrender.so.1 of the system.
#
# A tetrahedron is written as CGNS by meshio, and a box of tetrahedra by Gmsh, which calls the CGNS library. VTK's CGNS reader and
# meshio are asked to read both.
# Expected: each reads the other's file, as CGNS is a standard with a library of its own, and meshio lists it as a format that it
#           reads and writes.
# Seen:     no node of meshio's file has a label or a type, which are attributes of HDF5 groups in CGNS: it is groups and data sets
#           with the names of CGNS nodes. VTK finds no base in it and says that it cannot read it. Of Gmsh's file VTK reads all
#           points, and meshio says "Expected "Base" in file. Malformed CGNS?", because it asks for a base of that name; in CGNS
#           the user names bases.
# Why it matters: a mesh that was "converted to CGNS" by meshio can be read by meshio alone. Who keeps CGNS as an archive of frames
# finds out years later; a solver says that the file is damaged.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check meshio==5.3.5 h5py==3.15.1 vtk==9.7.2 gmsh==4.15.2 numpy==2.2.6
cat >"$work/run.py" <<'PY'
import contextlib
import io
import sys

import gmsh
import h5py
import meshio
import numpy as np
from vtkmodules.vtkCommonCore import vtkLogger, vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkIOCGNSReader import vtkCGNSReader

vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
vtkOutputWindow.SetInstance(vtkStringOutputWindow())
ours, theirs = f"{sys.argv[1]}/meshio.cgns", f"{sys.argv[1]}/gmsh.cgns"
x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
meshio.write(ours, meshio.Mesh(x, [("tetra", np.array([[0, 1, 2, 3]]))]))
gmsh.initialize(interruptible=False)
gmsh.option.setNumber("General.Terminal", 0)
gmsh.model.add("box")
gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
gmsh.model.occ.synchronize()
gmsh.model.mesh.generate(3)
gmsh.write(theirs)
gmsh.finalize()


def labels(path):
    """How many groups a file has, and how many of them a label."""
    groups = []
    with h5py.File(path) as file:
        file.visititems(lambda name, node: groups.append("label" in node.attrs) if isinstance(node, h5py.Group) else None)
    return len(groups), sum(groups)


def by_vtk(path):
    reader = vtkCGNSReader()
    reader.SetFileName(path)
    if not reader.CanReadFile(path):
        return "cannot read it"
    reader.Update()
    return f"{reader.GetOutput().GetNumberOfPoints()} points"


def by_meshio(path):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            return f"{len(meshio.read(path).points)} points"
        except (SystemExit, Exception):
            return "cannot read it"


seen = {}
for name, path in (("meshio", ours), ("Gmsh", theirs)):
    seen[name] = (*labels(path), by_vtk(path), by_meshio(path))
    print("file of {}: {} groups, {} with a label; VTK: {}; meshio: {}".format(name, *seen[name]))
changed = seen["meshio"][1] > 0 or seen["meshio"][2] != "cannot read it" or seen["meshio"][3] != "4 points"
changed |= seen["Gmsh"][1] == 0 or not seen["Gmsh"][2].endswith("points") or seen["Gmsh"][3] != "cannot read it"
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work" 2>"$work/err" || { status=$?; cat "$work/err" >&2; exit $status; }
