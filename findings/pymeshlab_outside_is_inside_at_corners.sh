#!/bin/sh
# PyMeshLab 2025.7.post1, NumPy 2.4.6, Python 3.11, Linux x86-64.
#
# compute_scalar_by_distance_from_another_mesh_per_vertex with signeddist=True, for 5,000 random points in and around closed convex
# bodies whose faces look outward: a box, a regular tetrahedron, a wedge and a cone. A point is inside if it is behind all planes.
# Expected: below 0 inside and above 0 outside, as the same filter has it for the box, and other signed distances (libigl, VTK, Open3D).
# Seen:     the box is right. Of the points outside of the others, 21 % (tetrahedron), 18 % (wedge) and 14 % (cone) have a distance below
#           0, so they count as inside, as deep as the body is large. Lengths are right. The nearest point of each of them is on an
#           edge or a corner: the sign is that of one of the triangles that meet there, and where they meet at less than 90
#           degrees a point may be behind one of them and outside. Points inside are right. Nothing is printed.
# Why it matters: a tool, a bracket or a terrain has sharp edges, and a trial with boxes is right. "How deep is this part in that one" says
# "deep" for a part that is far away, and inside out fields of distances have holes. Take the length, and the sign from another test.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import importlib.metadata
import sys

import numpy as np
import pymeshlab


def turned(points, faces):
    """The faces of a convex body with its middle at 0, each with the side outward."""
    points = np.array(points, float)
    points -= points.mean(axis=0)
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    faces = np.array(faces)
    back = np.einsum("ij,ij->i", normals, corners[:, 0]) < 0
    faces[back] = faces[back][:, ::-1]
    return points, faces


BOX = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SIDES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
ROUND = [[0.3 * np.cos(a), 0.3 * np.sin(a), 0] for a in np.arange(32) * np.pi / 16]
CONE = [f for k in range(32) for f in ([k, (k + 1) % 32, 32], [k, (k + 1) % 32, 33])]
BODIES = {
    "box": turned(BOX, SIDES),
    "tetrahedron": turned([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]),
    "wedge": turned([[0, 0, 0], [0, 1, 0], [1, 0, 0.1], [1, 1, 0.1], [1, 0, -0.1], [1, 1, -0.1]],
                    [[0, 2, 3], [0, 3, 1], [0, 5, 4], [0, 1, 5], [2, 4, 5], [2, 5, 3], [0, 4, 2], [1, 3, 5]]),
    "cone": turned([*ROUND, [0, 0, 0], [0, 0, 2]], CONE),
}


def from_edges(points, corners):
    """The distance of each point from the nearest edge."""
    least = np.full(len(points), np.inf)
    for a, b in {tuple(map(tuple, sorted((t[k].tolist(), t[k - 1].tolist())))) for t in corners for k in range(3)}:
        a, b = np.array(a), np.array(b)
        at = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        least = np.minimum(least, np.linalg.norm(points - a - at[:, None] * (b - a), axis=1))
    return least


print("PyMeshLab", importlib.metadata.version("pymeshlab"))
changed = False
for name, (points, faces) in BODIES.items():
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    low, high = points.min(axis=0), points.max(axis=0)
    places = low - (high - low) + 3 * (high - low) * np.random.default_rng(1).random((5000, 3))
    outside = (np.einsum("pfk,fk->pf", places[:, None] - corners[:, 0], normals) > 0).any(axis=1)
    meshes = pymeshlab.MeshSet()
    meshes.add_mesh(pymeshlab.Mesh(vertex_matrix=points, face_matrix=faces))
    meshes.add_mesh(pymeshlab.Mesh(vertex_matrix=places))
    meshes.compute_scalar_by_distance_from_another_mesh_per_vertex(
        measuremesh=1, refmesh=0, signeddist=True, maxdist=pymeshlab.PureValue(100)
    )
    distance = meshes.mesh(1).vertex_scalar_array()
    wrong = outside & (distance < 0)
    right_inside = bool((distance[~outside] < 0).all())
    worst = -distance[wrong].min() if wrong.any() else 0
    at_edges = bool(np.allclose(from_edges(places[wrong], corners), -distance[wrong], atol=1e-5))
    print(f"{name}: of {outside.sum()} points outside {wrong.sum()} ({100 * wrong.sum() / outside.sum():.0f} %) have a distance below 0,",
          f"down to -{worst:.2f}, for a body of size {np.linalg.norm(high - low):.2f}; inside right: {right_inside}; all at edges: {at_edges}")
    changed |= bool(wrong.any()) != (name != "box") or not right_inside or not at_edges
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check pymeshlab==2025.7.post1 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py"
