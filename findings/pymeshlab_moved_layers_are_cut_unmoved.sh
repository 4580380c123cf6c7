#!/bin/sh
# PyMeshLab 2025.7.post1, NumPy 2.4.6, Python 3.11, Linux x86-64.
#
# Two equal ellipsoids, the second moved by 0.3 and turned by 6 degrees, brought together by compute_matrix_by_icp_between_meshes, which
# gives the layer a matrix and leaves its vertices. What other filters then take the second one for; and the same for a unit cube that
# compute_matrix_from_translation moves by 5 with freeze=False, beside a cube that stays.
# Expected: one rule: all filters see the layer where its matrix puts it, as MeshLab draws it, or all see the vertices.
# Seen:     the distance from the other mesh, the Hausdorff distance, the geometric measures and the merged layer follow the matrix: after
#           the alignment, whose samples are random, the ellipsoids are 0.06 apart at most, in most runs less than 1e-4, and both cubes
#           together measure 2. Booleans, the convex hull and saved files (PLY, OBJ, STL, OFF, 3MF) take the vertices: the
#           intersection of the aligned ellipsoids has 0.78 of their volume in place of 0.95 to 1.00, that of cubes which are 4
#           apart is a cube, and the new layers and the files are where nothing was moved. Nothing is said.
# Why it matters: "align, then intersect" or "align, then save" gives overlaps and files of bodies that were not aligned, while the
# distances shown for them are those of the aligned ones. Call apply_matrix_freeze after each alignment.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >run.py <<'PY'
import importlib.metadata
import sys

import numpy as np
import pymeshlab

FAR = pymeshlab.PureValue(100)
turn = np.radians(6)
TURN = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])


def pair(points, other, faces):
    meshes = pymeshlab.MeshSet()
    meshes.add_mesh(pymeshlab.Mesh(vertex_matrix=points, face_matrix=faces), "first")
    meshes.add_mesh(pymeshlab.Mesh(vertex_matrix=other, face_matrix=faces), "second")
    return meshes


def volume(meshes):
    return meshes.get_geometric_measures()["mesh_volume"] if meshes.current_mesh().face_number() else 0.0


def apart(meshes):
    """The largest distance of a vertex of the second from the first, by the distance filter and by the Hausdorff one."""
    meshes.compute_scalar_by_distance_from_another_mesh_per_vertex(measuremesh=1, refmesh=0, signeddist=False, maxdist=FAR)
    return meshes.mesh(1).vertex_scalar_array().max(), meshes.get_hausdorff_distance(sampledmesh=1, targetmesh=0, maxdist=FAR)["max"]


print("PyMeshLab", importlib.metadata.version("pymeshlab"))
meshes = pymeshlab.MeshSet()
meshes.create_sphere(radius=1.0, subdiv=4)
faces = meshes.current_mesh().face_matrix()
first = meshes.current_mesh().vertex_matrix() * [1.0, 0.6, 0.4]
meshes = pair(first, first @ TURN.T + [0.3, 0, 0], faces)
meshes.set_current_mesh(0)
whole = volume(meshes)
for _ in range(5):  # Each goes on from the matrix that the last one left; its samples are random.
    meshes.compute_matrix_by_icp_between_meshes(
        referencemesh=0, sourcemesh=1, samplenum=10000, passhifilter=1.0, trgdistabs=1e-5, maxiternum=200
    )
near, hausdorff = apart(meshes)
meshes.generate_boolean_intersection(first_mesh=0, second_mesh=1)
share = volume(meshes) / whole
meshes.set_current_mesh(1)
meshes.apply_matrix_freeze()
meshes.generate_boolean_intersection(first_mesh=0, second_mesh=1)
frozen = volume(meshes) / whole
print(f"aligned: {near:.4f} and {hausdorff:.4f} apart; intersection {share:.3f} of the volume, {frozen:.3f} after apply_matrix_freeze")
changed = not (near < 0.1 and hausdorff < 0.1 and 0.7 < share < 0.85 and frozen > 0.93)

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]


def moved():
    meshes = pair(CUBE, CUBE, SIDES)
    meshes.set_current_mesh(1)
    meshes.compute_matrix_from_translation(axisx=5.0, freeze=False)
    return meshes


def low(meshes):
    return float(meshes.current_mesh().transformed_vertex_matrix()[:, 0].min())


meshes = moved()
near, hausdorff = apart(meshes)
middle = meshes.get_geometric_measures()["barycenter"][0]
meshes.generate_by_merging_visible_meshes()
print(f"moved by 5: distance up to {near:.0f}, Hausdorff {hausdorff:.0f}, middle at {middle:.1f}, merged volume {volume(meshes):.0f}")
changed |= (round(near), round(hausdorff), round(middle, 3), round(volume(meshes), 3)) != (5, 5, 5.5, 2)
meshes = moved()
meshes.generate_boolean_intersection(first_mesh=0, second_mesh=1)
common = volume(meshes)
meshes.set_current_mesh(1)
meshes.generate_convex_hull()
places = {"hull": low(meshes)}
for kind in ("ply", "obj", "stl", "off", "3mf"):
    meshes = moved()
    meshes.save_current_mesh("saved." + kind)
    again = pymeshlab.MeshSet()
    again.load_new_mesh("saved." + kind)
    places[kind] = low(again)
print(f"the same: intersection {common:.0f}; the layer made, or read again, begins at x =", places)
changed |= round(common, 3) != 1 or any(place != 0 for place in places.values())
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check pymeshlab==2025.7.post1 numpy==2.4.6
venv/bin/python run.py
