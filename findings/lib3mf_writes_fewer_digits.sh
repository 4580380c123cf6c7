#!/bin/sh
# lib3mf 2.5.0, Python 3.11, Linux x86-64.
#
# 3,000 points are set in single precision, all that lib3mf keeps, written as 3MF with the default options, and read again.
# Expected: the same numbers, as nine significant digits would bring back; or the nearest with six decimals, the default.
# Seen:     of coordinates about 1 some 93 % are others, by up to 1.00e-6 and never away from 0: decimals are cut off, not rounded.
#           Of coordinates about 100,000, where six decimals are more than enough, 4 % are others, by a unit in the last place.
#           A file in meters loses three of the seven digits of a length of a millimeter.
# Why it matters: saving a part again moves its vertices, each by itself: faces that lay in one plane do so no more, and parts that
# just touched cross or come apart.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check lib3mf==2.5.0 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import ctypes
import sys

import lib3mf
import numpy as np


def again(x, path):
    wrapper = lib3mf.get_wrapper()
    model = wrapper.CreateModel()
    mesh = model.AddMeshObject()
    points = [lib3mf.Position((3 * ctypes.c_float)(*row)) for row in x]
    mesh.SetGeometry(points, [lib3mf.Triangle((3 * ctypes.c_uint32)(*range(i, i + 3))) for i in range(0, len(x), 3)])
    model.AddBuildItem(mesh, wrapper.GetIdentityTransform())
    model.QueryWriter("3mf").WriteToFile(path)
    read = wrapper.CreateModel()
    read.QueryReader("3mf").ReadFromFile(path)
    meshes = read.GetMeshObjects()
    meshes.MoveNext()
    return np.array([list(p.Coordinates) for p in meshes.GetCurrentMeshObject().GetVertices()], np.float32)


changed = False
for size, least, most in ((1.0, 0.85, 0.99), (1e5, 0.01, 0.1)):
    x = np.float32(np.random.default_rng(0).normal(size=(3000, 3)) * size)
    y = again(x, sys.argv[1] + "/part.3mf")
    share, off = float((x != y).mean()), float(np.abs(x.astype(float) - y).max())
    outward = int((np.abs(y.astype(float)) > np.abs(x)).sum())
    print(f"coordinates about {size:g}: {100 * share:.1f} % are others, by up to {off:.3g}; {outward} are farther from 0")
    changed |= not least < share < most or (size == 1.0 and not 0.9e-6 < off < 1.1e-6)
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work"
