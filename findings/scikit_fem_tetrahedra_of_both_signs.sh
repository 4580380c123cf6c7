#!/bin/sh
# scikit-fem 12.0.1, meshio 5.3.5, pyvista 0.48.4, VTK 9.6.2, NumPy 2.4.6, Python 3.11, Linux x86-64
#
# A unit cube of tetrahedra, made by scikit-fem in three ways (init_tensor, refined, and hexahedra cut by to_meshtet), is written as a
# VTU file and read by pyvista, which takes its volume and the surface around it.
# Expected: a volume of 1, and triangles that go around outward: VTK has one order of a tetrahedron's corners, a mesh generator writes it.
# Seen:     scikit-fem sorts the corners of each tetrahedron by their numbers, so that a half or so are inside out: 81 of 162, 170 of 320,
#           54 of 162. Its own integrals take the absolute value of the determinant. pyvista adds signed volumes: 0, -0.104 and 0.333,
#           without a word. The surface is closed and manifold by pyvista's own test, and half of its triangles look inward: its volume is
#           0, 0.1875 and 0.
# Why it matters: inside, outside, normals, offsets and penetration of such a surface are wrong by places, and no test of topology sees
# it. The boundary has to be oriented element by element, by the sign of each.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  scikit-fem==12.0.1 meshio==5.3.5 pyvista==0.48.4 vtk==9.6.2 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys
import warnings

warnings.simplefilter("ignore")
import numpy as np
import pyvista
import skfem

path = f"{sys.argv[1]}/cube.vtu"
steps = np.linspace(0, 1, 4)
meshes = [
    skfem.MeshTet.init_tensor(steps, steps, steps),
    skfem.MeshTet().refined(2),
    skfem.MeshHex.init_tensor(steps, steps, steps).to_meshtet(),
]
seen = []
for mesh in meshes:
    p, t = mesh.p.T, mesh.t.T
    a, b, c, d = (p[t[:, k]] for k in range(4))
    signed = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
    mesh.save(path)
    grid = pyvista.read(path)
    surface = grid.extract_surface().triangulate()
    tri = surface.faces.reshape(-1, 4)[:, 1:]
    a, b, c = (surface.points[tri[:, k]] for k in range(3))
    outward = np.einsum("ij,ij->i", np.cross(b - a, c - a), (a + b + c) / 3 - 0.5) > 0
    seen.append(
        (
            len(t),
            int((signed < 0).sum()),
            round(float(np.abs(signed).sum()), 6),
            round(float(grid.volume), 4) + 0.0,
            round(float(surface.volume), 4) + 0.0,
            bool(surface.is_manifold),
            int(outward.sum()),
            len(tri),
        )
    )
    print(seen[-1])
expected = [
    (162, 81, 1.0, 0.0, 0.0, True, 54, 108),
    (320, 170, 1.0, -0.1042, 0.1875, True, 100, 192),
    (162, 54, 1.0, 0.3333, 0.0, True, 72, 108),
]
sys.exit("the behavior has changed" if seen != expected else 0)
PY
"$work/venv/bin/python" "$work/run.py" "$work"
