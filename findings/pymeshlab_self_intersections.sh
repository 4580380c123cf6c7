#!/bin/sh
# PyMeshLab 2025.7.post1, Python 3.11, Linux x86-64.
#
# One mesh of two unit cubes, the second moved by 0.5 along x: half of each is inside the other.
# Expected: compute_selection_by_self_intersections_per_face selects the faces that meet.
# Seen:     it selects none. Moved by (0.5, 0.25, 0), it selects 8, and by (0.5, 0.25, 0.1) 12: pairs of triangles that
#           lie in one plane, or meet only along their edges, do not count.
# Why it matters: a mesh that passes this filter may hold bodies that overlap; boxes, extrusions and stacks of parts on a
# grid are of this kind.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check pymeshlab==2025.7.post1 numpy==2.4.6
cat >"$work/run.py" <<'PY'
import sys

import numpy as np
import pymeshlab

FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def selected(move):
    vertices = np.vstack([CORNERS, CORNERS + move])
    faces = np.vstack([np.array(FACES), np.array(FACES) + 8]).astype(np.int32)
    meshes = pymeshlab.MeshSet()
    meshes.add_mesh(pymeshlab.Mesh(vertices, faces))
    meshes.compute_selection_by_self_intersections_per_face()
    return meshes.current_mesh().selected_face_number()


changed = False
for move, expected in {(0.5, 0, 0): 0, (0.5, 0.25, 0): 8, (0.5, 0.25, 0.1): 12}.items():
    got = selected(move)
    print(f"second cube moved by {move}: {got} faces selected")
    changed |= got != expected
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
