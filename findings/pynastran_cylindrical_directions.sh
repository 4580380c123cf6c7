#!/bin/sh
# pyNastran 1.4.1 (PyPI pyNastran) with NumPy 1.26.4, Python 3.11, Linux x86-64.
#
# OP2.transform_displacements_to_global, which turns displacements from the output systems of the grid points (CD) to the basic
# one, for a cylindrical system (CORD2C) that is parallel to the basic system: its origin at (0, 0, 0), then at (1, 0, 0). Two
# grid points at (1, 1, 0) and (1, 2, 0) move by 1 in the radial direction.
# Expected: away from the axis of the system: (0.707, 0.707, 0) and (0.447, 0.894, 0), then (0, 1, 0) twice.
# Seen:     right with the first origin. With the second one the directions are those of the first: the angle is that of the
#           point about the BASIC origin, for the points are not taken to the system before their angle is (_transform_
#           cylindrical_displacement calls coord.xyz_to_coord_array with basic coordinates).
# Why it matters: cylindrical output systems are used for what turns about an axis, which is seldom the basic one. Motions, and
# clearances of them, point into wrong directions, their lengths are right, and nothing says so.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check pyNastran==1.4.1 numpy==1.26.4 scipy==1.15.3
cat >"$work/run.py" <<'PY'
import sys

import numpy as np
from pyNastran.bdf.bdf import BDF
from pyNastran.op2.op2 import OP2
from pyNastran.op2.tables.oug.oug_displacements import RealDisplacementArray

POINTS = np.array([[1.0, 1.0, 0.0], [1.0, 2.0, 0.0]])


def turned(origin):
    model = BDF(debug=None)
    model.add_cord2c(5, origin, origin + [0, 0, 1], origin + [1, 0, 0])
    for k, point in enumerate(POINTS):
        model.add_grid(k + 1, point, cd=5)
    model.cross_reference()
    radial = np.zeros((1, 2, 6), np.float32)
    radial[:, :, 0] = 1
    ids, times = np.array([[1, 1], [2, 1]], np.int32), np.zeros(1, np.float32)
    results = OP2(debug=None)
    results.displacements[1] = RealDisplacementArray.add_transient_case("OUGV1", ids, radial, 1, times)
    systems, places, xyz, rows = model.get_displacement_index_xyz_cp_cd()
    basic = model.transform_xyzcp_to_xyz_cid(xyz, rows[:, 0], places, cid=0)
    assert np.array_equal(basic, POINTS)
    results.transform_displacements_to_global(systems, model.coords, xyz_cid0=basic)
    return results.displacements[1].data[0, :, :3]


changed = False
for origin, right in ((np.zeros(3), True), (np.array([1.0, 0.0, 0.0]), False)):
    out = POINTS - origin
    out /= np.linalg.norm(out, axis=1)[:, None]
    found = turned(origin)
    print(f"origin {origin}: {np.round(found, 3).tolist()}, away from the axis {np.round(out, 3).tolist()}")
    changed |= np.allclose(found, out, atol=1e-6) != right
    changed |= not np.allclose(found, POINTS / np.linalg.norm(POINTS, axis=1)[:, None], atol=1e-6)
sys.exit("the behavior has changed" if changed else 0)
PY
"$work/venv/bin/python" "$work/run.py"
