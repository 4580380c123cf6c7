#!/bin/sh
# freud 3.4.0 (PyPI freud-analysis), NumPy 2.4.6, Python 3.11, Linux x86-64.
#
# Distances of 200 random points from 200 others in periodic cells: a cube of edge 10, the same one sheared by 0.2, by an angle of
# 60 degrees, and in three directions. Box.compute_all_distances and Box.compute_distances, and the neighbors within 4 and the
# nearest neighbor by AABBQuery and LinkCell, compared with the least over 343 images.
# Expected: the distance to the nearest image by all: they are "using periodic boundaries" by their docstring, and Box.wrap is
#           "equivalent to applying the minimum image convention" by its own.
# Seen:     so in the cube. AABBQuery and LinkCell are right in all cells. The distances of the box are too large for 8 % of the
#           pairs in the cell that is sheared by 0.2, by up to 1.4, for 17 % with the angle of 60 degrees, by up to 3.9, and for a
#           quarter in the last, by up to 5.4: the difference is wrapped into the cell, and the nearest image of a sheared cell may
#           lie outside of it. All of them are distances to some image, so none looks odd. MDAnalysis 2.11.0 and ASE 3.29.0 are
#           right in such cells.
# Why it matters: least gaps, contacts and displacements between frames are taken from these distances, and are too large, the
# unsafe kind, for pairs that meet across a sheared border; in a trial with a cube all is right. Take neighbors from a query, or
# reduce over the images.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/run.py" <<'PY'
import itertools
import sys

import freud
import numpy as np

WITHIN = 4
CELLS = {  # The shears xy, xz and yz.
    "cube": (0, 0, 0),
    "sheared by 0.2": (0.2, 0, 0),
    "an angle of 60 degrees": (3**-0.5, 0, 0),
    "sheared in three directions": (3**-0.5, 3**-0.5, 0.2),
}
rng = np.random.default_rng(1)
print("freud", freud.__version__, "NumPy", np.__version__)
changed = False
for name, shears in CELLS.items():
    box = freud.box.Box(10, 10, 10, *shears)
    rows = box.to_matrix().T
    a, b = (((rng.random((200, 3)) - 0.5) @ rows).astype(np.float32) for _ in range(2))
    difference = a[:, None].astype(float) - b
    images = [np.array(image) @ rows for image in itertools.product(range(-3, 4), repeat=3)]
    true = np.min([np.linalg.norm(difference + image, axis=2) for image in images], axis=0)
    seen = box.compute_all_distances(a, b)
    changed |= not np.allclose(box.compute_distances(a, b), np.diag(seen), atol=1e-5)
    wrong = np.abs(seen - true) > 1e-3
    print(f"{name}: {wrong.mean():.1%} of the distances are wrong, by up to {(seen - true).max():.1f}", end="")
    changed |= wrong.any() != any(shears) or (seen - true).min() < -1e-3
    for query in (freud.locality.AABBQuery, freud.locality.LinkCell):
        near = query(box, a).query(b, {"mode": "ball", "r_max": WITHIN}).toNeighborList()
        nearest = query(box, a).query(b, {"mode": "nearest", "num_neighbors": 1}).toNeighborList().distances
        print(f"; {query.__name__}: {len(near)} of {(true < WITHIN).sum()} neighbors", end="")
        changed |= len(near) != (true < WITHIN).sum() or not np.allclose(np.sort(nearest), np.sort(true.min(axis=0)), atol=1e-4)
    print()
sys.exit("the behavior has changed" if changed else 0)
PY
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check freud-analysis==3.4.0 numpy==2.4.6
"$work/venv/bin/python" "$work/run.py"
