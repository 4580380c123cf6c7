#!/bin/sh
# trimesh 5.2.0, NumPy 2.4.6 (PyPI trimesh, numpy), Python 3.11, Linux x86-64.
#
# A scene of two boxes, the second 4 further along x in the first one's frame or in that of the scene, the first turned by 90 or 40
# degrees or not at all. Scene.scaled and Scene.apply_scale by 2, by (1, 1, 2), by (3, 1, 1) and by (-1, 1, 1), a mirror.
# Expected: each vertex times the factors, by both: "a copy of the current scene, with meshes and scene transforms scaled", and the
#           method has a branch of its own for factors that differ, which gives each node its own mesh.
# Seen:     so by apply_scale, always. By scaled for one factor, for children of the scene, and where no parent is turned. The child
#           of a turned node gets the right shape at a wrong place: its move is in the parent's frame, and is multiplied by the
#           factors of the scene's. Mirrored by x under a turn of 90 degrees the second box, which should stay, goes to the other
#           side of the first one, 8 from its place; with 40 degrees it is 5.1 off. Nothing is said.
# Why it matters: a left hand is made of a right one by a mirror, a longer part by one factor, and models from glTF and URDF are
# nested. Parts keep their shapes, so it is seen only where they should meet. Call apply_scale, on a copy.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import sys

import numpy as np
import trimesh
from trimesh.transformations import rotation_matrix, translation_matrix


def scene(degrees, nested):
    result = trimesh.Scene()
    place = rotation_matrix(np.radians(degrees), [0, 0, 1])
    result.add_geometry(trimesh.creation.box((1, 2, 3)), node_name="first", transform=place)
    parent = {"parent_node_name": "first"} if nested else {}
    result.add_geometry(trimesh.creation.box((1, 1, 1)), node_name="second", transform=translation_matrix([4, 0, 0]), **parent)
    return result


def vertices(whole):
    """The corners of each box in the scene's frame."""
    corners = {}
    for node in whole.graph.nodes_geometry:
        place, name = whole.graph[node]
        corners[node] = trimesh.transform_points(whole.geometry[name].vertices, place)
    return corners


print("trimesh", trimesh.__version__, "NumPy", np.__version__)
changed = False
for degrees in (0, 40, 90):
    for nested in (False, True):
        for factors in (2, (1, 1, 2), (3, 1, 1), (-1, 1, 1)):
            before = vertices(scene(degrees, nested))
            copy, applied = scene(degrees, nested).scaled(factors), scene(degrees, nested)
            applied.apply_scale(factors)
            off = {}
            for kind, whole in (("scaled", copy), ("apply_scale", applied)):
                after = vertices(whole)
                off[kind] = max(np.linalg.norm(after[node] - before[node] * factors, axis=1).max() for node in before)
            print(f"turned by {degrees} degrees, {'nested' if nested else 'side by side'}, factors {factors}:",
                f"scaled is {off['scaled']:.2f} off, apply_scale {off['apply_scale']:.2f}")
            wrong = nested and degrees and factors in ((3, 1, 1), (-1, 1, 1))
            changed |= off["apply_scale"] > 1e-9 or (off["scaled"] > 1e-9) != bool(wrong)
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check \
    trimesh==5.2.0 numpy==2.4.6 networkx==3.6.1 scipy==1.17.1
"$work/venv/bin/python" "$work/run.py"
